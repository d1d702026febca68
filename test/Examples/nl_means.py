"""Non-local means: NumPy, line by line, whole patches as windows of a padded array."""

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
    for y in range(height):
        own = patches[:, y + reach, reach : reach + width]
        places = [np.s_[:, y + dy, dx : dx + width] for dy, dx in np.ndindex(SEARCH, SEARCH)]
        squares = np.array([((patches[place] - own) ** 2).sum((0, 2, 3)) for place in places])
        weights = np.exp(-squares / (sigma * PATCH) ** 2)
        means[:, y] = (weights[:, None] * [near[place] for place in places]).sum(0) / weights.sum(0)
    return {"means": means.clip(0, 1)}


def inputs(random, img=(3, 19, 23)):
    return {"img": random.random(img, np.float32)}


main(program, inputs, numbers={"sigma": 0.3}, tolerance=1e-5)
