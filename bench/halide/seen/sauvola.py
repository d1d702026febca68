"""Sauvola's threshold of bytes, by sums and sums of squares of 15x15 points."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, tiles, x, y

SIZES = {"img": (864, 1152)}
# Where the point is the threshold but for the last bits.
UNDECIDED = 1e-4


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "ink", img.shape, np.uint8


def total(values):
    first, *rest = values
    return sum(rest, first)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    sums, squares, out = hl.Func("sums"), hl.Func("squares"), hl.Func("ink")
    around = [near[x + i, y] for i in range(-7, 8)]
    sums[x, y] = total([hl.u16(value) for value in around])
    squares[x, y] = total([hl.u32(hl.u16(value) * hl.u16(value)) for value in around])
    mean = hl.f32(total([sums[x, y + i] for i in range(-7, 8)])) * hl.f32(1 / 225)
    variance = hl.f32(total([squares[x, y + i] for i in range(-7, 8)])) * hl.f32(1 / 225) - mean * mean
    threshold = mean * (hl.f32(1) + hl.f32(0.2) * (hl.sqrt(hl.max(variance, 0.0)) * hl.f32(1 / 128) - 1.0))
    out[x, y] = hl.select(hl.f32(img[x, y]) > threshold, hl.u8(255), hl.u8(0))

    if manual == "a":
        sliding(out, [near, sums, squares], 16, height=108, rows=4)
    if manual == "b":
        sliding(out, [sums, squares], 32, height=108, rows=4)
    if manual == "c":
        tiles(out, [near, sums, squares], 16, width=128, height=54)
    return [img], out
