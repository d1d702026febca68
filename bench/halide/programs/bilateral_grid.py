"""examples/bilateral_grid.mlir in Halide: sums and counts in cells of 8x8 points and a tenth of the brightness, smoothed."""

import cv2
import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (2560, 1536)}
TOLERANCE = 1e-5
CELL, LEVELS = 8, 10
VECTOR, STRIP, WIDE = 8, 16, 128


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "smooth", img.shape, np.float32


def opencv(img, result):
    # What the grid is an approximation of, with as wide a kernel.
    return lambda: cv2.bilateralFilter(img, -1, 1 / LEVELS, CELL, result, borderType=cv2.BORDER_REPLICATE)


def pipeline(manual):
    x, y, z, k = hl.Var("x"), hl.Var("y"), hl.Var("z"), hl.Var("k")
    img = image("img", hl.Float(32), 2)
    near = edged(img)
    clipped = hl.Func("clipped")
    clipped[x, y] = hl.clamp(near[x, y], 0.0, 1.0)

    # k = 0: the sum of the values, 1: how many they are.
    grid = hl.Func("grid")
    r = hl.RDom([(0, CELL), (0, CELL)], "r")
    value = clipped[x * CELL + r.x - CELL // 2, y * CELL + r.y - CELL // 2]
    cell = hl.clamp(hl.i32(value * float(LEVELS) + 0.5), 0, LEVELS)
    grid[x, y, z, k] = hl.f32(0)
    grid[x, y, cell, k] += hl.select(k == 0, value, 1.0)

    def binomial(at):
        return at(-2) + at(2) + (at(-1) + at(1)) * 4.0 + at(0) * 6.0

    blurz, blurx, blury = hl.Func("blurz"), hl.Func("blurx"), hl.Func("blury")
    blurz[x, y, z, k] = binomial(lambda d: grid[x, y, z + d, k])
    blurx[x, y, z, k] = binomial(lambda d: blurz[x + d, y, z, k])
    blury[x, y, z, k] = binomial(lambda d: blurx[x, y + d, z, k])

    depth = clipped[x, y] * float(LEVELS)
    below = hl.clamp(hl.i32(depth), 0, LEVELS)
    lerp = lambda a, b, t: a + (b - a) * t
    along_x, along_y = hl.f32(x % CELL) / float(CELL), hl.f32(y % CELL) / float(CELL)
    interpolated, out = hl.Func("interpolated"), hl.Func("smooth")

    # Between corners along x, for all points of a row of cells.
    across = hl.Func("across")
    across[x, y, z, k] = lerp(blury[x // CELL, y, z, k], blury[x // CELL + 1, y, z, k], along_x)

    def plane(z, k):
        return lerp(across[x, y // CELL, z, k], across[x, y // CELL + 1, z, k], along_y)

    interpolated[x, y, k] = lerp(plane(below, k), plane(below + 1, k), depth - hl.f32(below))
    out[x, y] = interpolated[x, y, 0] / interpolated[x, y, 1]

    if manual == "cpu":
        yo, yi, xi = hl.Var("yo"), hl.Var("yi"), hl.Var("xi")
        # The three passes over the grid, each whole: it is a fortieth of the image.
        blurz.compute_root().reorder_storage(k, z, x, y).reorder(k, z, x, y).unroll(k).vectorize(z, 4).parallel(y)
        grid.compute_at(blurz, x).reorder_storage(k, z, x, y).reorder(k, z).unroll(k)
        grid.update().reorder(k, r.x, r.y, x, y).unroll(k)
        blurx.compute_at(blury, y).reorder_storage(k, z, x, y).reorder(k, z, x, y).unroll(k).vectorize(z, 4)
        blury.compute_root().reorder_storage(k, z, x, y).reorder(k, z, x, y).unroll(k).vectorize(z, 4)
        blury.split(y, yo, y, STRIP).parallel(yo)
        blurx.store_at(blury, yo).compute_at(blury, y)
        # The eight points of a cell lie between the same corners.
        out.split(y, yo, yi, CELL).parallel(yo)
        out.split(x, x, xi, WIDE).reorder(xi, yi, x, yo).vectorize(xi, VECTOR)
        across.compute_at(out, x).reorder_storage(k, z, x, y).reorder(k, z, x, y).vectorize(z, 4).unroll(k)

    if manual == "gpu":
        # Cells are filled by a thread each and blurred along z where they are; then two kernels for x and y, and one for the points.
        xi, yi, zi = hl.Var("xi"), hl.Var("yi"), hl.Var("zi")
        blurz.compute_root().reorder(k, z, x, y).unroll(k).gpu_tile(x, y, xi, yi, 8, 8)
        grid.compute_at(blurz, x).reorder(k, z, x, y).unroll(k).gpu_threads(x, y)
        grid.update().reorder(k, r.x, r.y, x, y).unroll(k).gpu_threads(x, y)
        for f in (blurx, blury):
            f.compute_root().reorder(k, x, y, z).unroll(k).gpu_tile(x, y, z, xi, yi, zi, 8, 8, 1)
        out.gpu_tile(x, y, xi, yi, 32, 8)
    return [img], out
