"""examples/histogram_equalize.mlir in Halide: counts of levels, their sums, a table of new levels, a look-up."""

import halide as hl
import numpy as np

from definition import image

SIZES = {"img": (2560, 1536)}
VECTOR, STRIP = 64, 64


def inputs(random, img):
    return {"img": random.normal(110, 35, img).clip(5, 250).astype(np.uint8)}


def result(img):
    return "equalized", img.shape, np.uint8


def pipeline(manual):
    x, y, v = hl.Var("x"), hl.Var("y"), hl.Var("v")
    img = image("img", hl.UInt(8), 2)
    r, s = hl.RDom([(0, img.width()), (0, img.height())], "r"), hl.RDom([(1, 255)], "s")
    histogram, sums, first = hl.Func("histogram"), hl.Func("sums"), hl.Func("first")
    histogram[v] = hl.u32(0)
    histogram[hl.i32(img[r.x, r.y])] += hl.u32(1)
    sums[v] = histogram[v]
    sums[s.x] = sums[s.x - 1] + sums[s.x]
    # How many points have the darkest level: the first sum that is not 0.
    first[v] = sums[v]
    first[s.x] = hl.select(first[s.x - 1] == 0, sums[s.x], first[s.x - 1])

    table, out = hl.Func("table"), hl.Func("equalized")
    darkest = hl.u64(first[v])
    others = hl.max(hl.u64(img.width()) * hl.u64(img.height()) - darkest, hl.u64(1))
    table[v] = hl.u8(((hl.u64(sums[v]) - darkest) * hl.u64(255) + (others >> 1)) // others)
    out[x, y] = table[hl.i32(img[x, y])]

    if manual == "cpu":
        # Each strip counts on its own.
        strip, row, u = hl.RVar("strip"), hl.RVar("row"), hl.Var("u")
        histogram.compute_root()
        histogram.update().split(r.y, strip, row, STRIP)
        partial = histogram.update().rfactor(strip, u)
        partial.compute_root().vectorize(v, 16).parallel(u)
        partial.update().parallel(u).unroll(r.x, 8)
        sums.compute_root()
        first.compute_root()
        table.compute_root()
        yo = hl.Var("yo")
        out.split(y, yo, y, STRIP).parallel(yo).vectorize(x, VECTOR)

    if manual == "gpu":
        # Each strip of rows counts on its own, a block a strip; sums and the table are short, and points follow.
        (strip, row, lane), (u, vi, xi, yi) = map(hl.RVar, ["strip", "row", "lane"]), map(hl.Var, ["u", "vi", "xi", "yi"])
        histogram.compute_root().gpu_tile(v, vi, 256)
        histogram.update().split(r.y, strip, row, 4)
        partial = histogram.update().rfactor(strip, u)
        partial.compute_root().gpu_tile(v, vi, 256).gpu_blocks(u)
        partial.update().gpu_blocks(u).atomic().split(r.x, r.x, lane, 256).gpu_threads(lane)
        histogram.update().gpu_tile(v, vi, 256)
        for f in (sums, first):
            f.compute_root().gpu_tile(v, vi, 256)
            f.update().gpu_single_thread()
        table.compute_root().gpu_tile(v, vi, 256)
        out.gpu_tile(x, y, xi, yi, 32, 8)
    return [img], out
