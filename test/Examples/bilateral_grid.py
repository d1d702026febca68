"""The bilateral grid: NumPy and SciPy, a histogram of all points at once, correlations, and its own interpolation of order 1."""

import numpy as np
from scipy import ndimage

from Inputs.harness import main

CELL, LEVELS = 8, 10


def program(img):
    height, width = img.shape
    value = img.clip(0, 1)
    # Three cells of repeated edge on each side: more than smoothing reaches.
    border = 3 * CELL
    padded = np.pad(value, border, mode="edge")
    padded = np.pad(padded, [(0, 2 * CELL)] * 2, mode="edge")
    y, x = np.indices(padded.shape)
    cells = ((y + CELL // 2) // CELL, (x + CELL // 2) // CELL, np.floor(padded * np.float32(LEVELS) + np.float32(0.5)).astype(int))
    shape = [int(cell.max()) + 1 for cell in cells[:2]] + [LEVELS + 4]
    place = np.ravel_multi_index([cell.ravel() for cell in cells], shape)
    planes = []
    for amount in (padded, np.ones_like(padded)):
        grid = np.bincount(place, amount.ravel().astype(np.float64), np.prod(shape)).reshape(shape)
        for axis in (0, 1, 2):
            grid = ndimage.correlate1d(grid, [1, 4, 6, 4, 1], axis, mode="constant")
        y, x = np.indices(value.shape)
        at = [(y + border) / CELL, (x + border) / CELL, value * np.float64(LEVELS)]
        planes.append(ndimage.map_coordinates(grid, at, order=1, mode="nearest"))
    return {"smooth": planes[0] / planes[1]}


def inputs(random, img=(45, 37)):
    # Some brightness is out of range.
    return {"img": (random.random(img) * 1.2 - 0.1).astype(np.float32)}


main(program, inputs, tolerance=1e-5)
