"""The mean of eight frames of 16 bits."""

import halide as hl
import numpy as np
from definition import image
from kinds import strips, x, y

SIZES = {"frames": (8, 1080, 1920)}


def inputs(random, frames):
    return {"frames": random.integers(0, 1 << 16, frames, np.uint16)}


def result(frames):
    return "average", frames.shape[1:], np.uint16


def pipeline(manual):
    frames, out = image("frames", hl.UInt(16), 3), hl.Func("average")
    values = [hl.u32(frames[x, y, t]) for t in range(8)]
    out[x, y] = hl.u16((sum(values[1:], values[0]) + hl.u32(4)) >> hl.u32(3))

    if manual == "a":
        strips(out, 32, height=8)
    if manual == "b":
        strips(out, 16, height=8, columns=2)
    if manual == "c":
        strips(out, 64, height=4)
    return [frames], out
