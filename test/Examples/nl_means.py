"""Non-local means: NumPy, point by point, whole patches as windows of a padded array."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from Inputs.harness import main

PATCH, SEARCH = 7, 7


def program(img, sigma):
    _, height, width = img.shape
    reach, half = SEARCH // 2, PATCH // 2
    # The patch of point (y, x) is patches[:, y + reach, x + reach]. Both ends of an offset are points of the repeated edge.
    padded = np.pad(img.astype(np.float64), [(0, 0)] + [(reach + half,) * 2] * 2, mode="edge")
    patches = sliding_window_view(padded, (PATCH, PATCH), (1, 2))
    near = padded[:, half:-half, half:-half]
    means = np.empty(img.shape)
    for y, x in np.ndindex(height, width):
        own = patches[:, y + reach, x + reach]
        others = patches[:, y : y + SEARCH, x : x + SEARCH]
        squares = ((others - own[:, None, None]) ** 2).sum((0, 3, 4))
        weights = np.exp(-squares / (sigma * PATCH) ** 2)
        means[:, y, x] = np.average(near[:, y : y + SEARCH, x : x + SEARCH].reshape(3, -1), 1, weights.ravel())
    return {"means": means.clip(0, 1)}


def inputs(random):
    return {"img": random.random((3, 19, 23), np.float32)}


main(program, inputs, numbers={"sigma": 0.3}, tolerance=1e-5)
