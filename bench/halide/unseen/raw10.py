"""RAW10 of MIPI, four points in five bytes, as numbers of 16 bits less what black is."""

import halide as hl
import numpy as np
from definition import image, number
from kinds import strip, x, y

SIZES = {"packed": (2464, 4100)}
SMALL = {"packed": (277, 490)}
NUMBERS = {"black": 64}


def inputs(random, packed):
    return {"packed": random.integers(0, 256, packed, np.uint8)}


def result(packed):
    return "raw", (packed.shape[0], packed.shape[1] // 5 * 4), np.uint16


def pipeline(manual):
    packed, black = image("packed", hl.UInt(8), 2), number("black", hl.Int(32))
    out = hl.Func("raw")
    group, part, lane = hl.Var("group"), hl.Var("part"), hl.Var("lane")
    high, low = (hl.u16(packed[5 * (x // 4) + place, y]) for place in (x % 4, 4))
    out[x, y] = hl.saturating_sub((high << hl.u16(2)) | ((low >> hl.u16(2 * (x % 4))) & hl.u16(3)), hl.u16(black))

    if manual:
        packed.dim(0).set_min(0)
        out.output_buffer().dim(0).set_min(0)
        out.split(y, strip, y, 32).parallel(strip).split(x, group, part, 4)
    if manual == "a":
        # The first points of 32 groups, the second ones, and so on; these are interleaved.
        out.split(group, group, lane, 32).reorder(part, lane, group, y, strip).unroll(part).vectorize(lane)
    if manual == "b":
        # Four bytes of each of 8 groups, as they lie.
        out.split(group, group, lane, 8).reorder(part, lane, group, y, strip).vectorize(part).vectorize(lane)
    if manual == "c":
        # Without vectors: 16 points, one after the other.
        out.split(group, group, lane, 4).unroll(part).unroll(lane)
    return [packed, black], out
