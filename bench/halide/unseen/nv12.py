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
    wide, out = hl.Func("wide"), hl.Func("rgb")
    # The chroma of each column; y is that of the chroma.
    wide[x, y] = tuple(hl.i16(chroma[channel, x // 2, y]) - hl.i16(128) for channel in range(2))
    u, v = (hl.i32(wide[x, y // 2][channel]) for channel in range(2))
    luminance = (hl.i32(luma[x, y]) - 16) * 298 + 128
    out[c, x, y] = hl.u8_sat((luminance + hl.mux(c, [409 * v, -100 * u - 208 * v, 516 * u])) >> 8)

    xi, yi, even, pair = map(hl.Var, ["xi", "yi", "even", "pair"])
    if manual:
        chroma.dim(0).set_bounds(0, 2).set_stride(1)
        chroma.dim(1).set_stride(2)
        out.output_buffer().dim(0).set_bounds(0, 3).set_stride(1)
        out.output_buffer().dim(1).set_stride(3)
        out.bound(c, 0, 3)
    if manual == "a":
        # A row of chroma, for two rows of pixels.
        out.split(y, y, yi, 32).parallel(y).split(yi, yi, pair, 2).split(x, x, xi, 32)
        out.reorder(xi, c, x, pair, yi, y).unroll(c).vectorize(xi)
        wide.compute_at(out, yi).split(x, x, even, 2).reorder(even, x).unroll(even).vectorize(x, 32)
    if manual == "b":
        # Channel inside: whole pixels are stored. Chroma is of the next few columns.
        out.split(y, y, yi, 16).parallel(y).split(x, x, xi, 64).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
        wide.compute_at(out, x).split(x, x, even, 2).reorder(even, x).unroll(even).vectorize(x, 32)
    if manual == "c":
        # The same with wider vectors.
        out.split(y, y, yi, 32).parallel(y).split(yi, yi, pair, 2).split(x, x, xi, 64)
        out.reorder(xi, c, x, pair, yi, y).unroll(c).vectorize(xi)
        wide.compute_at(out, yi).split(x, x, even, 2).reorder(even, x).unroll(even).vectorize(x, 32)
    return [luma, chroma], out
