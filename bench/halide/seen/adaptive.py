"""Bytes that are brighter than the mean of 11x11 points less 2."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, tiles, x, y

SIZES = {"img": (864, 1152)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "ink", img.shape, np.uint8


def opencv(img, result):
    return lambda: cv2.adaptiveThreshold(img, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 2, result)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    rows, out = hl.Func("rows"), hl.Func("ink")
    # Sums have 16 bits: 121 times 255 is less than 2^15.
    along_x = [hl.u16(near[x + i, y]) for i in range(-5, 6)]
    rows[x, y] = sum(along_x[1:], along_x[0])
    along_y = [rows[x, y + i] for i in range(-5, 6)]
    total = sum(along_y[1:], along_y[0])
    out[x, y] = hl.select(hl.u16(img[x, y]) * hl.u16(121) + hl.u16(242) > total, hl.u8(255), hl.u8(0))

    if manual == "a":
        sliding(out, [near, rows], 32, height=108, rows=4)
    if manual == "b":
        sliding(out, [rows], 32, height=108, rows=4, columns=2)
    if manual == "c":
        tiles(out, [near, rows], 32, width=128, height=54)
    return [img], out
