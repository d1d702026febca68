"""Interleaved bytes through a matrix of colours, darker towards the corners."""

import cv2
import halide as hl
import numpy as np
from definition import image, number
from kinds import c, strip, x, y

SIZES = {"img": (2160, 3840, 3)}
SMALL = {"img": (277, 391, 3)}
NUMBERS = {"strength": 0.6}
# Floats that are rounded to bytes.
UNDECIDED = 1e-3
SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "old", img.shape, np.uint8


def opencv(img, result):
    """As one does it there: the matrix, then the factors of all points, made once."""
    height, width = img.shape[:2]
    rows, columns = (((2 * (np.arange(n, dtype=np.float32) + 0.5) / n - 1) ** 2) / 2 for n in (height, width))
    light = 1 - np.float32(NUMBERS["strength"]) * (rows[:, None] + columns[None, :])
    light = np.repeat(light[:, :, None], 3, 2).astype(np.float32)
    matrix = np.float32(SEPIA)
    return lambda: cv2.multiply(cv2.transform(img.astype(np.float32), matrix), light, result, dtype=cv2.CV_8U)


def pipeline(manual):
    img, strength = image("img", hl.UInt(8), 3), number("strength")
    light, tone, out = map(hl.Func, ["light", "tone", "old"])
    width, height = hl.f32(img.dim(1).extent()), hl.f32(img.dim(2).extent())

    def far(at, extent):
        d = hl.f32(2) * (hl.f32(at) + hl.f32(0.5)) / extent - hl.f32(1)
        return hl.f32(0.5) * d * d

    light[x, y] = hl.f32(1) - strength * (far(x, width) + far(y, height))
    values = [hl.f32(img[k, x, y]) for k in range(3)]
    tones = [sum(hl.f32(weight) * value for weight, value in zip(line, values, strict=True)) for line in SEPIA]
    tone[x, y] = tuple(tones)
    out[c, x, y] = hl.u8_sat(hl.i32(hl.round(hl.mux(c, [tone[x, y][k] for k in range(3)]) * light[x, y])))

    xi = hl.Var("xi")
    if manual:
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_stride(3)
        lanes = {"a": 16, "b": 32, "c": 64}[manual]
        out.bound(c, 0, 3).split(y, strip, y, 36).split(x, x, xi, lanes).reorder(c, xi, x, y, strip)
        out.unroll(c).vectorize(xi).parallel(strip)
        if manual == "b":
            # What is the same for all channels, of a vector.
            light.compute_at(out, x).vectorize(x, 32)
            tone.compute_at(out, x).vectorize(x, 32)
    return [img, strength], out
