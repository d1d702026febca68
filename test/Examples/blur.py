"""A 3x3 box blur: SciPy, its box filter, in f64."""

import numpy as np
from scipy import ndimage

from Inputs.harness import main


def program(img):
    return {"blurred": ndimage.uniform_filter(img.astype(np.float64), size=3, mode="nearest")}


def inputs(random, img=(37, 45)):
    return {"img": random.random(img, np.float32)}


main(program, inputs, tolerance=1e-6)
