"""examples/harris_rgb.mlir in Halide: Harris corners of a colour image. No point of the result looks beyond an edge."""

import halide as hl
import numpy as np

from definition import image

SIZES = {"img": (3, 2832, 4256)}
TOLERANCE = 1e-5
VECTOR, STRIP, ROWS = 16, 32, 2


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    _, height, width = img.shape
    return "harris", (height - 4, width - 4), np.float32


def pipeline(manual):
    x, y = hl.Var("x"), hl.Var("y")
    img = image("img", hl.Float(32), 3)
    gray, ix, iy, out = hl.Func("gray"), hl.Func("ix"), hl.Func("iy"), hl.Func("harris")
    gray[x, y] = hl.f32(0.299) * img[x, y, 0] + hl.f32(0.587) * img[x, y, 1] + hl.f32(0.114) * img[x, y, 2]

    def sobel(at):
        return (at(1, -1) - at(-1, -1) + (at(1, 0) - at(-1, 0)) * 2.0 + (at(1, 1) - at(-1, 1))) / 12.0

    ix[x, y] = sobel(lambda across, along: gray[x + across, y + along])
    iy[x, y] = sobel(lambda across, along: gray[x + along, y + across])

    def summed(name, a, b):
        product, total = hl.Func(f"i{name}"), hl.Func(f"s{name}")
        product[x, y] = a[x, y] * b[x, y]
        values = [product[x + dx, y + dy] for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        total[x, y] = sum(values[1:], values[0])
        return total

    sxx, sxy, syy = summed("xx", ix, ix), summed("xy", ix, iy), summed("yy", iy, iy)
    det, trace, whole = hl.Func("det"), hl.Func("trace"), hl.Func("whole")
    det[x, y] = sxx[x, y] * syy[x, y] - sxy[x, y] * sxy[x, y]
    trace[x, y] = sxx[x, y] + syy[x, y]
    whole[x, y] = det[x, y] - hl.f32(0.04) * trace[x, y] * trace[x, y]
    out[x, y] = whole[x + 2, y + 2]

    if manual == "cpu":
        # Grey and derivatives slide along a strip, two rows at a time; everything behind them is inlined.
        strip, block, row, xi = map(hl.Var, ["strip", "block", "row", "xi"])
        out.split(y, strip, y, STRIP).split(y, block, row, ROWS).split(x, x, xi, VECTOR).reorder(xi, row, x, block, strip)
        out.parallel(strip).vectorize(xi).unroll(row)
        for f in (ix, iy, gray):
            f.store_at(out, strip).compute_at(out, block).split(x, x, xi, VECTOR).reorder(xi, y, x).vectorize(xi).unroll(y)
        ix.compute_with(iy, x)

    if manual == "gpu":
        # A block of 16 x 16 threads has the derivatives that 14 x 14 points read in shared memory, and grey in front of them.
        xi, yi = hl.Var("xi"), hl.Var("yi")
        out.gpu_tile(x, y, xi, yi, 28, 12)
        gray.compute_at(out, x).gpu_threads(x, y)
        for f in (ix, iy):
            f.compute_at(out, x).gpu_threads(x, y)
        ix.compute_with(iy, x)
    return [img], out
