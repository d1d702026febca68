"""Unsharp mask: SciPy, correlations with the binomial, in f64."""

import numpy as np
from scipy import ndimage

from Inputs.harness import main

BINOMIAL = np.array([1, 4, 6, 4, 1]) / 16
THRESHOLD = 0.001


def program(img):
    img = img.astype(np.float64)
    blurred = ndimage.correlate1d(img, BINOMIAL, 1, mode="nearest")
    blurred = ndimage.correlate1d(blurred, BINOMIAL, 2, mode="nearest")
    difference = np.abs(img - blurred)
    sharp = np.where(difference < THRESHOLD, img, 4 * img - 3 * blurred)
    # So near to the threshold the last bits of f32 decide.
    return {"sharp": np.ma.masked_where(np.abs(difference - THRESHOLD) < 3e-7, sharp)}


def inputs(random, img=(3, 37, 45)):
    # Noise of which a few in a hundred points are below the threshold.
    smooth = ndimage.gaussian_filter(random.random(img), (0, 8, 8))
    return {"img": (smooth + 0.1 * random.random(img)).astype(np.float32)}


main(program, inputs, tolerance=1e-5)
