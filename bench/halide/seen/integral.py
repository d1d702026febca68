"""The integral image of bytes, in 32 bits: sums along x, then along y."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import lane, strip, x, y

SIZES = {"img": (2160, 3840)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "sums", img.shape, np.uint32


def opencv(img, result):
    # OpenCV's has a row and a column of zeros more.
    sums = np.empty((img.shape[0] + 1, img.shape[1] + 1), np.int32)
    return lambda: cv2.integral(img, sums, cv2.CV_32S)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    rows, out = hl.Func("rows"), hl.Func("sums")
    rx, ry = hl.RDom([(1, img.width() - 1)], "rx"), hl.RDom([(1, img.height() - 1)], "ry")
    rows[x, y] = hl.u32(img[x, y])
    rows[rx, y] += rows[rx - 1, y]
    if manual == "c":
        # Row after row: what is summed along x is added to the row above while it is in the first cache.
        ry = hl.RDom([(0, img.height())], "ry")
        out[x, y] = hl.undef(hl.UInt(32))
        out[x, ry] = rows[x, ry] + hl.select(ry > 0, hl.likely(out[x, hl.max(ry - 1, 0)]), hl.u32(0))
        rows.compute_at(out, ry.x).vectorize(x, 16)
        rows.update().unscheduled()
        out.update().reorder(x, ry).vectorize(x, 16, hl.TailStrategy.GuardWithIf)
        return [img], out
    out[x, y] = rows[x, y]
    out[x, ry] += out[x, ry - 1]

    if manual:
        # Down y a block of columns at a time.
        out.update().split(x, x, lane, 512, hl.TailStrategy.GuardWithIf).reorder(lane, ry, x).vectorize(lane, 16).parallel(x)
        out.split(y, strip, y, 16).parallel(strip)
    if manual == "a":
        out.vectorize(x, 16)
        rows.compute_at(out, y).vectorize(x, 16)
        rows.update().unscheduled()
    if manual == "b":
        # Sums along x of 16 rows at once, of which each is a lane.
        out.split(x, x, lane, 16).reorder(lane, y, x, strip).vectorize(lane).unroll(y)
        rows.compute_at(out, strip).reorder_storage(y, x).reorder(y, x).vectorize(y, 16)
        rows.update().reorder(y, rx).vectorize(y, 16)
    return [img], out
