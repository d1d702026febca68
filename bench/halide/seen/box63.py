"""The mean of 63x63 bytes."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import strip, x, y

SIZES = {"img": (2160, 3840)}
REACH = 31
v = hl.Var("v")


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "mean", img.shape, np.uint8


def opencv(img, result):
    return lambda: cv2.blur(img, (63, 63), result, borderType=cv2.BORDER_REPLICATE)


def doubled(name, source, dx, dy, type):
    """Sums of 2, 4, ... 32 points in a direction, those of 8 and more in a type, and the sum of 63 points that these make."""
    sums = [hl.Func(f"{name}{2 << k}") for k in range(5)]

    def run(k, place):
        """The sum of 2**k points from a place on."""
        return sums[k - 1][x + place * dx, y + place * dy] if k else source(place)

    for k, f in enumerate(sums):
        wide = type if k >= 2 else hl.u16
        f[x, y] = wide(run(k, 0)) + wide(run(k, 1 << k))
    parts = [type(run(k, place)) for k, place in [(5, -31), (4, 1), (3, 17), (2, 25), (1, 29), (0, 31)]]
    return sums, sum(parts[1:], parts[0])


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    tall, out = hl.Func("tall"), hl.Func("mean")
    height = 270 if manual == "c" else 135
    across = []
    if manual in ("c", None):
        down, total = doubled("down", lambda j: hl.u16(near[x, y + j]), 0, 1, hl.u16)
        tall[x, y] = total
        across, total = doubled("across", lambda i: tall[x + i, y], 1, 0, hl.u32)
    else:
        # Sums along y run down a strip: that of a row is that of the row above, but for two.
        first, r = hl.RDom([(-REACH, 2 * REACH + 1)], "first"), hl.RDom([(1, height - 1)], "r")
        tall[x, v, strip] = hl.u16(0)
        tall[x, 0, strip] += hl.u16(near[x, strip * height + first])
        place = strip * height + r
        tall[x, r, strip] = tall[x, r - 1, strip] + (hl.u16(near[x, place + REACH]) - hl.u16(near[x, place - REACH - 1]))
        if manual == "b":
            # And along x, one point after the other.
            run, begin, s = hl.Func("run"), hl.RDom([(-REACH, 2 * REACH + 1)], "begin"), hl.RDom([(1, img.width() - 1)], "s")
            run[x, y] = hl.undef(hl.UInt(32))
            run[0, y] = hl.u32(0)
            run[0, y] += hl.u32(tall[begin, y % height, y // height])
            new, old = tall[s + REACH, y % height, y // height], tall[s - REACH - 1, y % height, y // height]
            run[s, y] = run[s - 1, y] + hl.u32(new) - hl.u32(old)
            total = run[x, y]
        else:
            across, total = doubled("across", lambda i: tall[x + i, y % height, y // height], 1, 0, hl.u32)
    # A half of a point more, and the float is never on the wrong side of a whole number.
    out[x, y] = hl.u8((hl.f32(hl.i32(total)) + hl.f32(1984.5)) * hl.f32(1 / 3969))

    xo, yo = hl.Var("xo"), hl.Var("yo")
    if manual:
        out.split(y, yo, y, height).split(x, xo, x, 384).vectorize(x, 32).parallel(yo)
        # A piece of a row at a time, which stays in the first cache.
        for f in across:
            f.compute_at(out, xo).vectorize(x, 16)
    if manual in ("a", "b"):
        tall.compute_at(out, yo).vectorize(x, 32)
        tall.update(0).vectorize(x, 32)
        tall.update(1).reorder(x, r).vectorize(x, 32)
    if manual == "b":
        run.compute_at(out, y)
        for i in range(3):
            run.update(i).unscheduled()
    if manual == "c":
        tall.compute_at(out, y).vectorize(x, 32)
        for f in down:
            f.store_at(out, yo).compute_at(out, y).vectorize(x, 32)
    return [img], out
