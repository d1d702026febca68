"""A layer of 3x3 convolutions with ReLU: SciPy, a correlation for each pair of channels, in f64."""

import numpy as np
from scipy import ndimage

from Inputs.harness import main


def program(img, weights, bias):
    pairs = [[ndimage.correlate(image.astype(np.float64), kernel, mode="constant") for image, kernel in zip(img, row)] for row in weights]
    return {"out": np.maximum(np.sum(pairs, axis=1) + bias[:, None, None], 0)}


def inputs(random, img=(16, 21, 35)):
    normal = lambda *shape: random.standard_normal(shape, np.float32)
    return {"img": normal(*img), "weights": normal(16, 16, 3, 3), "bias": normal(16)}


main(program, inputs, tolerance=1e-6)
