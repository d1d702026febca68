"""Interleaved bytes as planes of luma, and of chroma of half the size."""

import halide as hl
import numpy as np
from definition import image
from kinds import x, y

SIZES = {"img": (2160, 3840, 3)}
SMALL = {"img": (278, 390, 3)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    height, width, _ = img.shape
    half = height // 2, width // 2
    return [("luma", (height, width), np.uint8), ("cb", half, np.uint8), ("cr", half, np.uint8)]


def pipeline(manual):
    img = image("img", hl.UInt(8), 3)
    planes, rows, means, luma, chroma = map(hl.Func, ["planes", "rows", "means", "luma", "chroma"])
    planes[x, y] = tuple(img[k, x, y] for k in range(3))
    r, g, b = (hl.u16(planes[x, y][k]) for k in range(3))
    luma[x, y] = hl.u8((r * hl.u16(77) + g * hl.u16(150) + b * hl.u16(29) + hl.u16(128)) >> hl.u16(8))
    # Sums of two rows; x is that of the image.
    rows[x, y] = tuple(hl.u16(planes[x, 2 * y][k]) + hl.u16(planes[x, 2 * y + 1][k]) for k in range(3))
    means[x, y] = tuple((rows[2 * x, y][k] + rows[2 * x + 1, y][k] + hl.u16(2)) >> hl.u16(2) for k in range(3))
    r, g, b = (means[x, y][k] for k in range(3))

    def turned(one, two, three, of_two, of_three):
        # 16 bits without a sign have all sums but the largest one, which becomes 255 anyway.
        total = one * hl.u16(128) - two * hl.u16(of_two) - three * hl.u16(of_three) + hl.u16(32640)
        return hl.u8(hl.saturating_add(total, hl.u16(256)) >> hl.u16(8))

    chroma[x, y] = (turned(b, r, g, 43, 85), turned(r, g, b, 107, 21))

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        img.dim(0).set_bounds(0, 3).set_stride(1)
        img.dim(1).set_stride(3)
    if manual == "a":
        # Each result on its own, all in registers.
        luma.split(y, y, yi, 32).split(x, x, xi, 64).vectorize(xi).parallel(y)
        chroma.split(y, y, yi, 16).split(x, x, xi, 32).vectorize(xi).parallel(y)
    if manual == "b":
        # Sums of two rows are kept for a row of chroma.
        luma.split(y, y, yi, 32).split(x, x, xi, 32).vectorize(xi).parallel(y)
        chroma.split(y, y, yi, 16).split(x, x, xi, 16).vectorize(xi).parallel(y)
        rows.compute_at(chroma, yi).vectorize(x, 32)
    if manual == "c":
        # Both of a strip in turn: its pixels are read from memory once.
        luma.split(y, y, yi, 32).split(x, x, xi, 64).vectorize(xi).parallel(y)
        chroma.split(y, y, yi, 16).split(x, x, xi, 32).vectorize(xi).parallel(y)
        rows.compute_at(chroma, x).vectorize(x)
        chroma.compute_with(luma, y)
    return [img], [luma, chroma]
