"""96 interleaved channels less their mean, by their deviation, with weights and bias."""

import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"img": (128, 128, 96), "weights": (96,), "bias": (96,)}
SMALL = {"img": (37, 53, 96), "weights": (96,), "bias": (96,)}
TOLERANCE = 1e-6
CHANNELS = 96


def inputs(random, img, weights, bias):
    arrays = {"img": img, "weights": weights, "bias": bias}
    return {name: random.standard_normal(shape, np.float32) for name, shape in arrays.items()}


def result(img, weights, bias):
    return "out", img.shape, np.float32


def pipeline(manual):
    img, weights, bias = image("img", hl.Float(32), 3), image("weights", hl.Float(32), 1), image("bias", hl.Float(32), 1)
    total, squared, scaled, out = map(hl.Func, ["total", "squared", "scaled", "out"])
    over = hl.RDom([(0, CHANNELS)])
    total[x, y] = hl.f32(0)
    total[x, y] += img[over, x, y]
    mean = total[x, y] * hl.f32(1 / CHANNELS)
    away = img[over, x, y] - mean
    squared[x, y] = hl.f32(0)
    squared[x, y] += away * away
    scaled[x, y] = (mean, hl.f32(1) / hl.sqrt(squared[x, y] * hl.f32(1 / CHANNELS) + hl.f32(1e-6)))
    out[c, x, y] = (img[c, x, y] - scaled[x, y][0]) * scaled[x, y][1] * weights[c] + bias[c]

    xi, yi, lane = hl.Var("xi"), hl.Var("yi"), hl.Var("lane")
    if manual:
        for buffer in (img, weights, bias, out.output_buffer()):
            buffer.dim(0).set_bounds(0, CHANNELS)
        for buffer in (img, out.output_buffer()):
            buffer.dim(1).set_stride(CHANNELS)
        out.bound(c, 0, CHANNELS)
    if manual in ("a", "c"):
        # Sums of a pixel in the lanes of vectors, six one after the other, and of the lanes at the end.
        ro, ri = hl.RVar("ro"), hl.RVar("ri")
        out.split(y, y, yi, 4).parallel(y).vectorize(c, 16).unroll(c)
        at = out, x
        for stage in (total, squared):
            partial = stage.update().split(over, ro, ri, 16).rfactor(ri, lane)
            partial.compute_at(*at).vectorize(lane)
            partial.update().vectorize(lane).unroll(ro)
            stage.compute_at(*at)
            stage.update().atomic().vectorize(ri)
        scaled.compute_at(*at)
    if manual == "b":
        # Sixteen pixels at a time, a channel after the other: loads with a stride.
        out.split(y, y, yi, 4).split(x, x, xi, 16).reorder(c, xi, x, yi, y).parallel(y).vectorize(c, 16).unroll(c)
        for stage in (total, squared):
            stage.compute_at(out, x).vectorize(x, 16)
            stage.update().reorder(x, over, y).vectorize(x, 16).unroll(over, 4)
        scaled.compute_at(out, x).vectorize(x, 16)
    if manual == "c":
        out.split(x, x, xi, 4).reorder(xi, c, x, yi, y).unroll(xi)
    return [img, weights, bias], out
