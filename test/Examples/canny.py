"""Canny's edges: NumPy, each point by its place; blur, derivatives and the hysteresis by SciPy."""

import numpy as np
from scipy import ndimage

from Inputs.harness import main


STEPS = 32


def program(img, low, high):
    binomial = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1])
    blur = (ndimage.correlate(img.astype(np.int64), binomial, mode="reflect") + 128) // 256
    gx, gy = (ndimage.sobel(blur, axis=axis, mode="reflect") for axis in (1, 0))
    length = np.abs(gx) + np.abs(gy)
    around = np.pad(length, 1)
    # Where the neighbours along the direction are: one row and one column further, but for the flat and the steep.
    flat, steep = np.abs(gy) * 32768 < np.abs(gx) * 13573, np.abs(gy) * 32768 > np.abs(gx) * (13573 + 65536)
    dy, dx = np.where(flat, 0, 1), np.where(steep, 0, np.where(flat | ((gx < 0) == (gy < 0)), 1, -1))
    y, x = np.indices(img.shape) + 1
    ridge = (length > around[y - dy, x - dx]) & (length >= around[y + dy, x + dx])
    edges = np.where(ridge & (length > low), np.where(length > high, 255, 128), 0)
    # A step is a dilation of what is strong, within what is weak or strong.
    square = np.ones((3, 3), bool)
    strong = ndimage.binary_dilation(edges == 255, square, iterations=STEPS, mask=edges > 0)
    weak, whole = (edges == 128).sum(), ndimage.binary_propagation(edges == 255, square, mask=edges > 0)
    print(f"{weak} weak, {strong.sum() - (edges == 255).sum()} joined, {(whole & ~strong).sum()} too far")
    return {"edges": np.where(strong, 255, 0).astype(np.uint8)}


def inputs(random, img=(57, 75)):
    smooth = ndimage.gaussian_filter(random.random(img), 2)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min())
    return {"img": (smooth * 255).astype(np.uint8)}


main(program, inputs, numbers={"low": 40, "high": 90})
