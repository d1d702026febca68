"""Hue, saturation and value of interleaved pixels of floats."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"img": (864, 1152, 3)}
SMALL = {"img": (277, 391, 3)}
TOLERANCE = 1e-5
# Where two channels are nearly the same.
UNDECIDED = 1e-4


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "hsv", img.shape, np.float32


def opencv(img, result):
    return lambda: cv2.cvtColor(img, cv2.COLOR_RGB2HSV, result)


def pipeline(manual):
    img = image("img", hl.Float(32), 3)
    converted, out = hl.Func("converted"), hl.Func("hsv")
    r, g, b = (img[channel, x, y] for channel in range(3))
    most = hl.max(r, g, b)
    extent = most - hl.min(r, g, b)
    tiny = hl.f32(1.1920929e-07)
    scale = hl.f32(60) / (extent + tiny)
    hue = hl.select(most == r, (g - b) * scale, hl.select(most == g, (b - r) * scale + 120.0, (r - g) * scale + 240.0))
    converted[x, y] = (hl.select(hue < 0.0, hue + 360.0, hue), extent / (most + tiny), most)
    out[c, x, y] = hl.mux(c, [converted[x, y][channel] for channel in range(3)])

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_stride(3)
        out.bound(c, 0, 3).split(y, y, yi, 16).parallel(y)
    if manual == "a":
        out.split(x, x, xi, 16).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
        converted.compute_at(out, x).vectorize(x)
    if manual == "b":
        # Channel by channel, each of a vector of pixels: stores have a stride.
        out.split(x, x, xi, 16).reorder(xi, c, x, yi, y).unroll(c).vectorize(xi)
        converted.compute_at(out, x).vectorize(x)
    if manual == "c":
        # A row of planes, which is interleaved behind that.
        out.reorder(c, x, yi, y).unroll(c).vectorize(x, 16)
        converted.compute_at(out, yi).vectorize(x, 16)
    return [img], out
