"""One image of pixels RGBA over another, in 16 bits."""

import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"front": (2160, 3840, 4), "back": (2160, 3840, 4)}
SMALL = {"front": (277, 391, 4), "back": (277, 391, 4)}


def inputs(random, front, back):
    # Colours are multiplied by alpha, as they have to be.
    alpha = random.integers(0, 256, (*front[:2], 1))
    colours = random.integers(0, 256, (*front[:2], 3)) * alpha // 255
    return {"front": np.concatenate([colours, alpha], axis=2).astype(np.uint8), "back": random.integers(0, 256, back, np.uint8)}


def result(front, back):
    return "both", front.shape, np.uint8


def pipeline(manual):
    front, back, out = image("front", hl.UInt(8), 3), image("back", hl.UInt(8), 3), hl.Func("both")
    t = hl.u16(back[c, x, y]) * hl.u16(hl.u8(255) - front[3, x, y]) + hl.u16(128)
    out[c, x, y] = hl.u8_sat(hl.u16(front[c, x, y]) + ((t + (t >> hl.u16(8))) >> hl.u16(8)))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        for buffer in (front, back, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 4).set_stride(1)
            buffer.dim(1).set_stride(4)
        out.bound(c, 0, 4).split(y, y, yi, 16).parallel(y)
    if manual == "a":
        # Channel by channel of 16 pixels, interleaved before they are stored.
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    if manual == "b":
        # Bytes as they lie, each alpha four times.
        out.split(x, x, xi, 4).reorder(c, xi, x, yi, y).vectorize(c).vectorize(xi).unroll(x, 2)
    if manual == "c":
        out.split(x, x, xi, 32).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    return [front, back], out
