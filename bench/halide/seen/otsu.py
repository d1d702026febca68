"""Bytes in black and white, by the threshold at which both kinds lie furthest apart."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import strips, x, y

SIZES = {"img": (2160, 3840)}
LEVELS = 256


def inputs(random, img):
    """A page with dark squares for letters, with some noise, under a lamp."""
    rows, columns = (np.arange(extent, dtype=np.float32) for extent in img)
    page = 190 + 30 * np.sin(rows / 700)[:, None] + 20 * np.cos(columns / 900)[None, :]
    dark = random.random((img[0] // 9 + 1, img[1] // 9 + 1)) < 0.3
    ink = np.repeat(np.repeat(dark, 9, 0), 9, 1)[: img[0], : img[1]]
    return {"img": np.clip(page - 130 * ink + 9 * random.standard_normal(img, np.float32), 0, 255).astype(np.uint8)}


def result(img):
    return "page", img.shape, np.uint8


def opencv(img, result):
    return lambda: cv2.threshold(img, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU, result)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    v, z = hl.Var("v"), hl.Var("z")
    pairs, counts, sums, variance, best, out = map(hl.Func, ["pairs", "counts", "sums", "variance", "best", "page"])
    width, height = img.width(), img.height()
    counts[v] = 0
    if manual == "c":
        # Two neighbours are one number of 16 bits; how often each level is the first, how often the second, and in a last odd column.
        r = hl.RDom([(0, width // 2), (0, height)], "r")
        first, second, rest = hl.RDom([(0, LEVELS)], "first"), hl.RDom([(0, LEVELS)], "second"), hl.RDom([(0, height)], "rest")
        pairs[v] = 0
        pairs[hl.i32(hl.concat_bits([img[2 * r.x, r.y], img[2 * r.x + 1, r.y]]))] += 1
        counts[v] += pairs[v + LEVELS * second]
        counts[v] += pairs[first + LEVELS * v]
        counts[hl.i32(img[width - 1, rest])] += width % 2
        counted = pairs
    else:
        r = hl.RDom([(0, width), (0, height)], "r")
        counts[hl.i32(img[r.x, r.y])] += 1
        counted = counts
    later, levels = hl.RDom([(1, LEVELS - 1)], "later"), hl.RDom([(0, LEVELS)], "levels")
    sums[v] = (hl.f64(counts[v]), hl.f64(v) * hl.f64(counts[v]))
    sums[later.x] = tuple(sums[later.x][n] + sums[later.x - 1][n] for n in range(2))
    below, all = sums[v], sums[LEVELS - 1]
    above = all[0] - below[0]
    apart = below[1] / below[0] - (all[1] - below[1]) / above
    some = (below[0] > hl.f64(0)) & (above > hl.f64(0))
    variance[v] = hl.select(some, below[0] * above * apart * apart, hl.f64(0))
    # Its place, and what is there: the first of the greatest.
    best[z] = (0, variance[0])
    greater = variance[levels.x] > best[z][1]
    best[z] = (hl.select(greater, levels.x, best[z][0]), hl.max(variance[levels.x], best[z][1]))
    out[x, y] = hl.select(img[x, y] > hl.u8(best[0][0]), hl.u8(255), hl.u8(0))

    if manual:
        for stage in (counts, sums, variance):
            stage.compute_root().bound(v, 0, LEVELS).vectorize(v, 16)
        best.compute_root().bound(z, 0, 1)
        sums.update().unscheduled()
        best.update().unscheduled()
        strips(out, 64, height=90)
        # Strips count apart.
        strip, row, lane, u, w = hl.RVar("strip"), hl.RVar("row"), hl.RVar("lane"), hl.Var("u"), hl.Var("w")
        update = counted.update().split(r.y, strip, row, {"a": 90, "b": 270, "c": 1080}[manual])
    if manual in ("a", "b"):
        # And of so many neighbours each, as the same level twice in a row waits.
        update.split(r.x, r.x, lane, 4 if manual == "a" else 8)
        partial = update.rfactor([(strip, u), (lane, w)])
        partial.update().reorder(w, r.x, row, u).unroll(w).unroll(r.x, 4 if manual == "a" else 1).parallel(u)
        counts.update().reorder(v, lane, strip).vectorize(v, 16)
    if manual == "c":
        partial = update.rfactor(strip, u)
        partial.update().reorder(r.x, row, u).unroll(r.x, 8).parallel(u)
        pairs.compute_root().bound(v, 0, LEVELS * LEVELS).vectorize(v, 16)
        pairs.update().reorder(v, strip).vectorize(v, 16)
        counts.update(0).reorder(v, second.x).vectorize(v, 16)
        counts.update(1).vectorize(v, 16)
        counts.update(2).unscheduled()
    if manual:
        partial.compute_root().vectorize(v, 16).parallel(u)
    return [img], out
