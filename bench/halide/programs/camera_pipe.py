"""examples/camera_pipe.mlir in Halide: from a Bayer sensor (rows GRGR, BGBG) to colours.

The result leaves out what an edge has touched, so that nothing looks beyond one. Levels have 10 bits: planes of one colour are
16 bits wide here, and averages do not overflow.
"""

import halide as hl
import numpy as np

from definition import image, number

SIZES = {"raw": (1968, 2592)}
NUMBERS = {"kelvin": 3700.0, "gamma": 2.0, "contrast": 50.0, "sharpen": 1.0, "black": 25, "white": 1023}
AT_3200 = [[1.6697, -0.2693, -0.4004, -42.4346], [-0.3576, 1.0615, 1.5949, -37.1158], [-0.2175, -1.8751, 6.9640, -26.6970]]
AT_7000 = [[2.2997, -0.4478, 0.1706, -39.0923], [-0.3826, 1.5906, -0.2080, -25.4311], [-0.0888, -0.7344, 2.2832, -20.0826]]
VECTOR, STRIP = 16, 32


def inputs(random, raw):
    return {"raw": random.integers(0, 1024, raw, np.uint16)}


def result(raw):
    height, width = raw.shape
    return "rgb", (3, height // 2 * 2 - 24, width // 2 * 2 - 32), np.uint8


def mean(a, b):
    return hl.rounding_halving_add(a, b)


def pipeline(manual):
    x, y, c, v = map(hl.Var, "xycv")
    raw = image("raw", hl.UInt(16), 2)
    kelvin, gamma, contrast, sharpen = map(number, ["kelvin", "gamma", "contrast", "sharpen"])
    black, white = number("black", hl.Int(32)), number("white", hl.Int(32))

    def func(name, value, *arguments):
        f = hl.Func(name)
        f[arguments or (x, y)] = value
        return f

    around = [raw[x, y - 2], raw[x, y + 2], raw[x - 2, y], raw[x + 2, y]]
    least, most = hl.min(*around), hl.max(*around)
    denoised = func("denoised", hl.clamp(raw[x, y], least, most))

    take = lambda name, dy, dx: func(name, denoised[2 * x + dx, 2 * y + dy])
    g_gr, r_r, b_b, g_gb = take("g_gr", 0, 0), take("r_r", 0, 1), take("b_b", 1, 0), take("g_gb", 1, 1)
    at = lambda f, place: f[x + place[1], y + place[0]]
    mean_of = lambda f, a, b: mean(at(f, a), at(f, b))
    apart = lambda f, a, b: hl.absd(at(f, a), at(f, b))
    here = (0, 0)

    def green(name, vertical, dy, horizontal, dx):
        rows, columns = (vertical, (dy, 0), here), (horizontal, (0, dx), here)
        return func(name, hl.select(apart(*columns) < apart(*rows), mean_of(*columns), mean_of(*rows)))

    g_r = green("g_r", g_gb, -1, g_gr, 1)
    g_b = green("g_b", g_gr, 1, g_gb, -1)

    def between(own, colour, green, a, b):
        return hl.i16(own[x, y]) - hl.i16(mean_of(green, a, b)) + hl.i16(mean_of(colour, a, b))

    r_gr = func("r_gr", between(g_gr, r_r, g_r, (0, -1), here))
    b_gr = func("b_gr", between(g_gr, b_b, g_b, here, (-1, 0)))
    r_gb = func("r_gb", between(g_gb, r_r, g_r, here, (1, 0)))
    b_gb = func("b_gb", between(g_gb, b_b, g_b, here, (0, 1)))

    def diagonal(name, own, colour, green, a, b, c, d):
        smaller = apart(colour, a, b) < apart(colour, c, d)
        return func(name, hl.select(smaller, between(own, colour, green, a, b), between(own, colour, green, c, d)))

    r_b = diagonal("r_b", g_b, r_r, g_r, here, (1, -1), (0, -1), (1, 0))
    b_r = diagonal("b_r", g_r, b_b, g_b, here, (-1, 1), (0, 1), (-1, 0))

    def colour(name, gr, r, b, gb):
        at = lambda f: hl.i16(f[x // 2, y // 2])
        even, odd = hl.select(x % 2 == 0, at(gr), at(r)), hl.select(x % 2 == 0, at(b), at(gb))
        return func(name, hl.select(y % 2 == 0, even, odd))

    planes = [colour("r", r_gr, r_r, r_b, r_gb), colour("g", g_gr, g_r, g_b, g_gb), colour("b", b_gr, b_r, b_b, b_gb)]

    # The matrix, with 8 bits behind the point, and the curve of gamma and contrast.
    warm = (1.0 / kelvin - hl.f32(1 / 3200)) / hl.f32(1 / 7000 - 1 / 3200)
    i, j = hl.Var("i"), hl.Var("j")
    matrix = hl.Func("matrix")
    entries = [hl.f32(a) * (1.0 - warm) + hl.f32(b) * warm for row in zip(AT_3200, AT_7000) for a, b in zip(*row)]
    matrix[i, j] = hl.i32(hl.mux(j * 4 + i, entries) * 256.0)
    corrected = []
    for channel in range(3):
        value = matrix[3, channel]
        for column, plane in enumerate(planes):
            value += matrix[column, channel] * hl.i32(plane[x, y])
        corrected.append(func(["red", "green", "blue"][channel], value >> 8))

    linear = hl.clamp(hl.f32(v - black) / hl.f32(white - black), 0.0, 1.0)
    value = hl.pow(linear, 1.0 / gamma)
    b = 2.0 - hl.pow(hl.f32(2), contrast / 100.0)
    a = 2.0 - b * 2.0
    rest = 1.0 - value
    steeper = hl.select(value > 0.5, 1.0 - (a * rest * rest + b * rest), a * value * value + b * value)
    curve = func("curve", hl.u32(hl.clamp(steeper * 255.0 + 0.5, 0.0, 255.0)), v)
    level = hl.mux(c, [f[x, y] for f in corrected])
    curved = func("curved", hl.u8(curve[hl.clamp(level, 0, 1023)]), x, y, c)

    blur = lambda at: mean(mean(at(-1), at(1)), at(0))
    blury = func("unsharp_y", blur(lambda d: curved[x, y + d, c]), x, y, c)
    blurred = func("unsharp", blur(lambda d: blury[x + d, y, c]), x, y, c)
    mask = func("mask", hl.i16(curved[x, y, c]) - hl.i16(blurred[x, y, c]), x, y, c)
    strength = hl.i32(hl.clamp(sharpen * 32.0, 0.0, 255.0))
    sharp = hl.i32(curved[x, y, c]) + ((hl.i32(mask[x, y, c]) * strength) >> 5)
    sharpened = func("sharpened", hl.u8_sat(sharp), x, y, c)
    out = func("rgb", sharpened[x + 16, y + 12, c], x, y, c)

    if manual == "cpu":
        yo, yi, xi, xo = map(hl.Var, ["yo", "yi", "xi", "xo"])
        matrix.compute_root().unroll(i).unroll(j)
        curve.compute_root().vectorize(v, 16)
        # Strips; in each, two rows at a time, so that of every point it is known which of the four colours it has.
        out.bound(c, 0, 3).split(y, yo, y, STRIP).split(y, y, yi, 2).reorder(x, c, yi, y, yo).parallel(yo)
        out.vectorize(x, 2 * VECTOR)
        curved.compute_at(out, y).store_at(out, yo).bound(c, 0, 3)
        curved.split(x, x, xi, 2).split(y, y, yi, 2).reorder(xi, yi, c, x, y)
        curved.unroll(xi).unroll(yi).unroll(c).vectorize(x, VECTOR // 2)
        curved.align_storage(x, 64)
        for f in (g_r, g_b, g_gr, r_r, b_b, g_gb):
            f.compute_at(out, y).store_at(out, yo).vectorize(x, VECTOR)
        denoised.compute_at(out, y).store_at(out, yo).vectorize(x, VECTOR)

    if manual == "gpu":
        # A block goes all the way from the sensor to colours in shared memory; a thread has two by two points of each plane.
        xi, yi, vi = map(hl.Var, ["xi", "yi", "vi"])
        matrix.compute_root().gpu_single_thread()
        curve.compute_root().gpu_tile(v, vi, 256)
        out.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, xi, yi, 28, 12)
        curved.compute_at(out, x).align_bounds(x, 2).align_bounds(y, 2).bound(c, 0, 3).reorder(c, x, y).unroll(c)
        curved.unroll(x, 2).unroll(y, 2).gpu_threads(x, y)
        for f in (g_r, g_b):
            f.compute_at(out, x).gpu_threads(x, y)
        denoised.compute_at(out, x).align_bounds(x, 2).align_bounds(y, 2).unroll(x, 2).unroll(y, 2).gpu_threads(x, y)
    return [raw, kelvin, gamma, contrast, sharpen, black, white], out
