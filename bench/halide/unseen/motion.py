"""Where the mean absolute difference of 5x5 bytes of two frames is more than 20."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, x, y

SIZES = {"before": (2160, 3840), "now": (2160, 3840)}


def inputs(random, before, now):
    frame = random.integers(0, 256, before, np.uint8)
    noise = random.integers(-40, 41, now)
    return {"before": frame, "now": (frame + noise).clip(0, 255).astype(np.uint8)}


def result(before, now):
    return "moved", before.shape, np.uint8


def opencv(before, now, result):
    apart, mean = np.empty_like(before), np.empty_like(before)

    def call():
        cv2.absdiff(before, now, apart)
        cv2.blur(apart, (5, 5), mean)
        cv2.threshold(mean, 20, 255, cv2.THRESH_BINARY, result)

    return call


def total(values):
    first, *rest = values
    return sum(rest, first)


def pipeline(manual):
    before, now = image("before", hl.UInt(8), 2), image("now", hl.UInt(8), 2)
    apart, rows, out = hl.Func("apart"), hl.Func("rows"), hl.Func("moved")
    apart[x, y] = hl.absd(edged(before)[x, y], edged(now)[x, y])
    rows[x, y] = total([hl.u16(apart[x + i, y]) for i in range(-2, 3)])
    out[x, y] = hl.select(total([rows[x, y + i] for i in range(-2, 3)]) > hl.u16(500), hl.u8(255), hl.u8(0))

    if manual == "a":
        sliding(out, [apart, rows], 64, height=72, rows=4)
    if manual == "b":
        sliding(out, [apart, rows], 64, height=72, rows=8)
    if manual == "c":
        # What is along x stays in registers.
        sliding(out, [apart], 64, height=72, rows=4)
        rows.compute_at(out, x).vectorize(x, 64).unroll(y)
    return [before, now], out
