"""Canny's edges: NumPy, point by point; blur, derivatives and the hysteresis by SciPy."""

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
    edges = np.zeros(img.shape, np.uint8)
    for y, x in np.ndindex(img.shape):
        ax, ay = abs(int(gx[y, x])), abs(int(gy[y, x]))
        if ay * 32768 < ax * 13573:
            dy, dx = 0, 1
        elif ay * 32768 > ax * (13573 + 65536):
            dy, dx = 1, 0
        else:
            dy, dx = 1, 1 if (gx[y, x] < 0) == (gy[y, x] < 0) else -1
        own, before, after = length[y, x], around[y + 1 - dy, x + 1 - dx], around[y + 1 + dy, x + 1 + dx]
        if own > before and own >= after:
            edges[y, x] = 255 if own > high else 128 if own > low else 0
    # A step is a dilation of what is strong, within what is weak or strong.
    square = np.ones((3, 3), bool)
    strong = ndimage.binary_dilation(edges == 255, square, iterations=STEPS, mask=edges > 0)
    weak, whole = (edges == 128).sum(), ndimage.binary_propagation(edges == 255, square, mask=edges > 0)
    print(f"{weak} weak, {strong.sum() - (edges == 255).sum()} joined, {(whole & ~strong).sum()} too far")
    return {"edges": np.where(strong, 255, 0).astype(np.uint8)}


def inputs(random):
    smooth = ndimage.gaussian_filter(random.random((57, 75)), 2)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min())
    return {"img": (smooth * 255).astype(np.uint8)}


main(program, inputs, numbers={"low": 40, "high": 90})
