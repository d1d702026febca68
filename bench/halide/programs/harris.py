"""examples/harris.mlir in Halide: PolyMage's Harris corners of a grey image. Products of derivatives repeat their own edge."""

import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (2832, 4256)}
TOLERANCE = 1e-5
VECTOR, STRIP, ROWS = 16, 32, 2


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "harris", img.shape, np.float32


def pipeline(manual):
    x, y = hl.Var("x"), hl.Var("y")
    img = image("img", hl.Float(32), 2)
    wide, tall = img.width(), img.height()
    near = edged(img)
    ix, iy, out = hl.Func("ix"), hl.Func("iy"), hl.Func("harris")

    def sobel(at):
        return (at(1, -1) - at(-1, -1) + (at(1, 0) - at(-1, 0)) * 2.0 + (at(1, 1) - at(-1, 1))) * hl.f32(1 / 12)

    ix[x, y] = sobel(lambda across, along: near[x + across, y + along])
    iy[x, y] = sobel(lambda across, along: near[x + along, y + across])

    def summed(name, a, b):
        product, total = hl.Func(f"i{name}"), hl.Func(f"s{name}")
        product[x, y] = a[x, y] * b[x, y]
        around = edged(product, wide, tall)
        values = [around[x + dx, y + dy] for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        total[x, y] = sum(values[1:], values[0])
        return total

    sxx, sxy, syy = summed("xx", ix, ix), summed("xy", ix, iy), summed("yy", iy, iy)
    det, trace = hl.Func("det"), hl.Func("trace")
    det[x, y] = sxx[x, y] * syy[x, y] - sxy[x, y] * sxy[x, y]
    trace[x, y] = sxx[x, y] + syy[x, y]
    out[x, y] = det[x, y] - trace[x, y] * trace[x, y] * hl.f32(0.04)

    if manual == "cpu":
        # Derivatives slide along a strip, everything behind them is inlined. Clamps along y are per row: that loop stays whole.
        strip, block, row, xi = map(hl.Var, ["strip", "block", "row", "xi"])
        out.split(y, strip, y, STRIP).split(y, block, row, ROWS).split(x, x, xi, VECTOR).reorder(xi, row, x, block, strip)
        out.parallel(strip).vectorize(xi).unroll(row).never_partition([block, strip])
        for f in (ix, iy):
            f.store_at(out, strip).compute_at(out, block).vectorize(x, VECTOR).never_partition([y])
        ix.compute_with(iy, x)

    if manual == "gpu":
        # A block has the derivatives that its tile reads in shared memory.
        xi, yi = hl.Var("xi"), hl.Var("yi")
        out.gpu_tile(x, y, xi, yi, 30, 14)
        for f in (ix, iy):
            # Clamps let a tile at an edge need fewer; a block has as many threads as any.
            f.compute_at(out, x).bound_extent(x, 32).bound_extent(y, 16).gpu_threads(x, y)
        ix.compute_with(iy, x)
    return [img], out
