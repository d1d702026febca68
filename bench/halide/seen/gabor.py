"""A filter of 15x15 weights on floats."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image
from kinds import x, y

SIZES = {"img": (864, 1152), "kernel": (15, 15)}
TOLERANCE = 1e-5


def inputs(random, img, kernel):
    gabor = cv2.getGaborKernel(kernel[::-1], sigma=3, theta=0.6, lambd=8, gamma=0.7)
    return {"img": random.random(img, np.float32), "kernel": gabor.astype(np.float32)}


def result(img, kernel):
    return "response", img.shape, np.float32


def opencv(img, kernel, result):
    return lambda: cv2.filter2D(img, cv2.CV_32F, kernel, result, borderType=cv2.BORDER_REPLICATE)


def pipeline(manual):
    img, kernel = image("img", hl.Float(32), 2), image("kernel", hl.Float(32), 2)
    near = edged(img)
    total, out = hl.Func("total"), hl.Func("response")
    r = hl.RDom([(0, 15), (0, 15)], "r")
    total[x, y] += near[x + r.x - 7, y + r.y - 7] * kernel[r.x, r.y]
    out[x, y] = total[x, y]

    yo, xi, yi = map(hl.Var, ["yo", "xi", "yi"])

    def blocks(columns, rows):
        """So many sums in registers; a strip of the image with its border."""
        out.split(y, yo, y, 32).split(y, y, yi, rows).split(x, x, xi, columns)
        out.reorder(xi, yi, x, y, yo).vectorize(xi, 16).unroll(xi).unroll(yi).parallel(yo)
        total.compute_at(out, x).vectorize(x, 16).unroll(x).unroll(y)
        total.update().reorder(x, y, r.x, r.y).vectorize(x, 16).unroll(x).unroll(y).unroll(r.x)
        near.compute_at(out, yo).vectorize(near.args()[0], 16)

    if manual:
        kernel.dim(0).set_bounds(0, 15)
        kernel.dim(1).set_bounds(0, 15).set_stride(15)
    if manual == "a":
        # Written out, so that what is loaded serves several rows.
        blocks(48, 4)
        total.update().unroll(r.y)
    if manual == "b":
        blocks(64, 4)
        total.update().unroll(r.y)
    if manual == "c":
        blocks(32, 8)
    return [img, kernel], out
