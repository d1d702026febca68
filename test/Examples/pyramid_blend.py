"""Pyramid blending: SciPy, an enlarged image has zeros between its points and is smoothed."""

import numpy as np
from scipy import ndimage

from Inputs.harness import main

LEVELS = 4
KERNEL = np.array([1, 4, 6, 4, 1]) / 16


def reduce(a, axis):
    smooth = ndimage.correlate1d(a, KERNEL, axis, mode="nearest")
    return np.take(smooth, range(0, a.shape[axis], 2), axis)


def expand(a, axis, n):
    a = np.moveaxis(a, axis, 0)
    # The edge repeats in the coarse image, so it is padded before zeros come between.
    padded = np.concatenate([a[:1], a, a[-1:]])
    sparse = np.zeros((2 * len(padded), *a.shape[1:]))
    sparse[::2] = 2 * padded
    return np.moveaxis(ndimage.correlate1d(sparse, KERNEL, 0, mode="constant")[2 : 2 + n], 0, axis)


def pyramid(a):
    levels = [a.astype(np.float64)]
    while len(levels) < LEVELS:
        levels.append(reduce(reduce(levels[-1], 2), 1))
    return levels


def enlarged(a, like):
    return expand(expand(a, 2, like.shape[2]), 1, like.shape[1])


def laplacian(a):
    levels = pyramid(a)
    return [fine - enlarged(coarse, fine) for fine, coarse in zip(levels, levels[1:])] + levels[-1:]


def program(a, b, mask):
    levels = [m * x + (1 - m) * y for x, y, m in zip(laplacian(a), laplacian(b), pyramid(mask))]
    result = levels.pop()
    while levels:
        result = levels[-1] + enlarged(result, levels.pop())
    return {"blended": np.clip(result, 0, 1)}


def inputs(random, a=(3, 53, 67)):
    _, height, width = a
    a, b = random.random((2, *a), np.float32)
    mask = (np.arange(width) < 0.45 * width) * np.ones((1, height, 1))
    return {"a": a, "b": b, "mask": mask.astype(np.float32)}


main(program, inputs, tolerance=1e-5)
