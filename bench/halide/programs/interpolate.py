"""examples/interpolate.mlir in Halide: multiscale interpolation, ten levels, each of which repeats its own edge."""

import halide as hl
import numpy as np

from definition import edged, half, image, sampled_down, sampled_up

SIZES = {"img": (4, 2560, 1536)}
TOLERANCE = 1e-5
LEVELS = 10
VECTOR, STRIP, SMALL = 16, 16, 5


def inputs(random, img):
    array = random.integers(0, 256, img, np.uint8)
    array[3] *= random.random(array[3].shape) < 0.3
    return {"img": array}


def result(img):
    _, height, width = img.shape
    return "filled", (3, height, width), np.float32


def pipeline(manual):
    x, y, c = map(hl.Var, "xyc")
    img = image("img", hl.UInt(8), 3)
    sizes = [(img.width(), img.height())]
    rgba, down = hl.Func("rgba"), [hl.Func("down0")]
    rgba[x, y, c] = hl.f32(img[x, y, c]) / 255.0
    down[0][x, y, c] = rgba[x, y, 3] * hl.select(c < 3, rgba[x, y, hl.min(c, 3)], 1.0)

    tent = lambda at, i: (at(i - 1) + at(i) * 2.0 + at(i + 1)) * 0.25
    narrow = [None]
    for level in range(1, LEVELS):
        wide, tall = sizes[-1]
        sizes.append((half(wide), half(tall)))
        narrow.append(sampled_down(f"downx{level}", down[-1], (wide, tall), 0, tent))
        down.append(sampled_down(f"down{level}", narrow[-1], (half(wide), tall), 1, tent))

    linear = lambda at, i: (at(i // 2) + at((i + 1) // 2)) / 2.0
    filled, upx = {LEVELS - 1: down[-1]}, {}
    for level in reversed(range(LEVELS - 1)):
        (wide, _), small = sizes[level], sizes[level + 1]
        upx[level] = sampled_up(f"upx{level}", filled[level + 1], small, 0, linear)
        large = sampled_up(f"up{level}", upx[level], (wide, small[1]), 1, linear)
        filled[level] = hl.Func(f"filled{level}")
        filled[level][x, y, c] = down[level][x, y, c] + (1.0 - down[level][x, y, 3]) * large[x, y, c]
    out = hl.Func("filled")
    out[x, y, c] = filled[0][x, y, c] / filled[0][x, y, 3]

    if manual == "cpu":
        xi, yo = hl.Var("xi"), hl.Var("yo")
        guard, round_up = hl.TailStrategy.GuardWithIf, hl.TailStrategy.RoundUp
        for level in range(1, LEVELS):
            # From the finest levels strips in parallel; the small ones are not worth the threads.
            rows = STRIP if level < SMALL else 1024
            down[level].compute_root().split(y, yo, y, rows, guard).reorder(x, y, c, yo).vectorize(x, VECTOR, guard)
            down[level].never_partition([y, yo])
            if level < SMALL:
                down[level].parallel(yo)
            narrow[level].compute_at(down[level], c).vectorize(x, VECTOR, guard).never_partition([y])
        for level in reversed(range(LEVELS - 1)):
            f = filled[level] if level else out
            f.compute_root().split(y, yo, y, STRIP, guard).never_partition([y, yo])
            # Both points of a pair have the same left neighbour.
            f.split(x, x, xi, 2, guard).reorder(xi, x, y, c, yo).unroll(xi).vectorize(x, VECTOR, guard)
            if level < SMALL:
                f.parallel(yo)
            upx[level].compute_at(f, yo if level == 0 else c)
            upx[level].split(x, x, xi, 2, round_up).reorder(xi, x).unroll(xi).vectorize(x, VECTOR, round_up)
            upx[level].never_partition([y])
        out.bound(c, 0, 3)

    if manual == "gpu":
        # A kernel a level; what is halved or enlarged along x only is computed where it is read.
        xi, yi = hl.Var("xi"), hl.Var("yi")
        for f in [*down[1:], *(filled[level] for level in reversed(range(1, LEVELS - 1))), out]:
            f.compute_root().gpu_tile(x, y, xi, yi, 16, 16)
            f.reorder(c, xi, yi, x, y).bound(c, 0, 3 if f is out else 4).unroll(c)
    return [img], out
