"""Interleaved bytes, sharpened in their luma: 1.5 times what it has more than the mean of its 5x5 neighbours."""

import halide as hl
import numpy as np
from definition import image
from kinds import c, reflected, strip, x, y

SIZES = {"img": (2160, 3840, 3)}
SMALL = {"img": (277, 391, 3)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "sharp", img.shape, np.uint8


def five(at):
    return at(-2) + at(2) + (at(-1) + at(1)) * hl.u16(4) + at(0) * hl.u16(6)


def pipeline(manual):
    img = image("img", hl.UInt(8), 3)
    luma, lines, detail, out = map(hl.Func, ["luma", "lines", "detail", "sharp"])
    width, height = img.dim(1).extent(), img.dim(2).extent()
    red, green, blue = (hl.u16(img[k, x, y]) for k in range(3))
    luma[x, y] = hl.u8((red * hl.u16(77) + green * hl.u16(150) + blue * hl.u16(29) + hl.u16(128)) >> hl.u16(8))
    near = reflected(luma, width, height)
    if manual == "c":
        # Down y first.
        lines[x, y] = five(lambda d: hl.u16(near[x, y + d]))
        total = five(lambda d: lines[x + d, y])
    else:
        lines[x, y] = five(lambda d: hl.u16(near[x + d, y]))
        total = five(lambda d: lines[x, y + d])
    mean = hl.i16((total + hl.u16(128)) >> hl.u16(8))
    detail[x, y] = ((hl.i16(near[x, y]) - mean) * hl.i16(3)) >> hl.i16(1)
    out[c, x, y] = hl.u8_sat(hl.i16(img[c, x, y]) + detail[x, y])

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_stride(3)
        out.bound(c, 0, 3).split(y, strip, y, 36 if manual == "b" else 72).split(y, y, yi, 4).split(x, x, xi, 32)
        out.unroll(c).vectorize(xi).parallel(strip)
    if manual in ("a", "b"):
        out.reorder(c, xi, yi, x, y, strip).unroll(yi)
        detail.compute_at(out, x).vectorize(x, 32).unroll(y)
    if manual == "a":
        # Luma and its sums along x slide down a strip.
        for stage in (luma, near, lines):
            stage.store_at(out, strip).compute_at(out, y).vectorize(x, 32)
    if manual == "b":
        # The luma of a strip; the rest is in registers.
        for stage in (luma, near):
            stage.compute_at(out, strip).vectorize(x, 32)
        lines.compute_at(out, x).vectorize(x, 32).unroll(y)
    if manual == "c":
        # All rows slide.
        out.reorder(xi, c, x, yi, y, strip)
        for stage in (luma, near, lines):
            stage.store_at(out, strip).compute_at(out, y).vectorize(x, 32)
        detail.compute_at(out, y).vectorize(x, 32)
    return [img], out
