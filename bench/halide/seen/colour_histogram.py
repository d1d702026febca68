"""How often each level of each interleaved channel occurs."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c

SIZES = {"img": (2160, 3840, 3)}
SMALL = {"img": (277, 391, 3)}


def inputs(random, img):
    return {"img": random.normal(110, 35, img).clip(0, 255).astype(np.uint8)}


def result(img):
    return "counts", (3, 256), np.uint32


def opencv(img, result):
    return lambda: [cv2.calcHist([img], [channel], None, [256], [0, 256]) for channel in range(3)]


def pipeline(manual):
    v = hl.Var("v")
    img, out = image("img", hl.UInt(8), 3), hl.Func("counts")
    r = hl.RDom([(0, img.dim(1).extent()), (0, img.dim(2).extent())], "r")
    out[v, c] = hl.u32(0)
    out[hl.i32(img[c, r.x, r.y]), c] += hl.u32(1)

    if manual:
        img.dim(0).set_bounds(0, 3).set_stride(1)
        img.dim(1).set_stride(3)
        out.bound(c, 0, 3).bound(v, 0, 256).vectorize(v, 16)
        # Strips count apart.
        strip, row, lane, u, w = hl.RVar("strip"), hl.RVar("row"), hl.RVar("lane"), hl.Var("u"), hl.Var("w")
        update = out.update().split(r.y, strip, row, 36)
    if manual in ("a", "b"):
        partial = update.rfactor(strip, u)
        partial.compute_root().vectorize(v, 16).parallel(u)
        partial.update().reorder(c, r.x, row, u).unroll(c).unroll(r.x, 4 if manual == "a" else 1).parallel(u)
        out.update().reorder(v, c, strip).vectorize(v, 16)
    if manual == "c":
        # And of four neighbours each, so that the same level twice in a row does not wait.
        update.split(r.x, r.x, lane, 4)
        partial = update.rfactor([(strip, u), (lane, w)])
        partial.compute_root().vectorize(v, 16).parallel(u)
        partial.update().reorder(c, w, r.x, row, u).unroll(c).unroll(w).parallel(u)
        out.update().reorder(v, c, lane, strip).vectorize(v, 16)
    return [img], out
