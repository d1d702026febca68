"""A frame of video in NV12 as interleaved bytes."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"luma": (2160, 3840), "chroma": (1080, 1920, 2)}
SMALL = {"luma": (278, 390), "chroma": (139, 195, 2)}


def inputs(random, luma, chroma):
    return {"luma": random.integers(0, 256, luma, np.uint8), "chroma": random.integers(0, 256, chroma, np.uint8)}


def result(luma, chroma):
    return "rgb", (*luma.shape, 3), np.uint8


def opencv(luma, chroma, result):
    return lambda: cv2.cvtColorTwoPlane(luma, chroma, cv2.COLOR_YUV2RGB_NV12, result)


def pipeline(manual):
    luma, chroma = image("luma", hl.UInt(8), 2), image("chroma", hl.UInt(8), 3)
    parts, out = hl.Func("parts"), hl.Func("rgb")
    u, v = (hl.i32(chroma[channel, x, y]) - 128 for channel in range(2))
    # What the chroma adds, for 2x2 points.
    parts[x, y] = (409 * v, -100 * u - 208 * v, 516 * u)
    here = (hl.i32(luma[x, y]) - 16) * 298 + 128
    out[c, x, y] = hl.u8_sat((here + hl.mux(c, [parts[x // 2, y // 2][channel] for channel in range(3)])) >> 8)

    xi, yi, pair = hl.Var("xi"), hl.Var("yi"), hl.Var("pair")
    if manual:
        chroma.dim(0).set_bounds(0, 2).set_stride(1)
        chroma.dim(1).set_stride(2)
        out.output_buffer().dim(0).set_bounds(0, 3).set_stride(1)
        out.output_buffer().dim(1).set_stride(3)
        out.bound(c, 0, 3)
    if manual == "a":
        # Pairs of rows: what the chroma adds is computed once for both.
        out.split(y, y, pair, 2).split(y, y, yi, 16).parallel(y).split(x, x, xi, 32)
        out.reorder(xi, c, pair, x, yi, y).unroll(c).vectorize(xi)
        parts.compute_at(out, x).vectorize(x)
    if manual == "b":
        out.split(y, y, yi, 16).parallel(y).split(x, x, xi, 32).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    if manual == "c":
        # A row of what the chroma adds, for two rows.
        out.split(y, y, yi, 32).parallel(y).split(yi, yi, pair, 2).split(x, x, xi, 64)
        out.reorder(xi, c, x, pair, yi, y).unroll(c).vectorize(xi)
        parts.compute_at(out, yi).vectorize(x, 16)
    return [luma, chroma], out
