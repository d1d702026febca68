"""Lens blur from a stereo pair: NumPy in `f64`, levels as averages of padded arrays, samples line by line."""

import numpy as np
from scipy import ndimage

from Inputs.harness import main

SAMPLES = 32


def along(a, axis, weights, first, step, n):
    """Weighted sums of neighbours; the edge is repeated."""
    at = (np.arange(n) * step)[:, None] + first + np.arange(len(weights))
    return np.moveaxis(np.moveaxis(a, axis, -1)[..., at.clip(0, a.shape[axis] - 1)] @ np.array(weights), -1, axis)


def halve(a):
    for axis in (-1, -2):
        a = along(a, axis, [1 / 8, 3 / 8, 3 / 8, 1 / 8], -1, 2, (a.shape[axis] + 1) // 2)
    return a


def double(a, shape):
    for axis in (-1, -2):
        n = (shape[axis] + 1) // 2
        even = along(a, axis, [0.25, 0.75, 0], -1, 1, n)
        odd = along(a, axis, [0, 0.75, 0.25], -1, 1, n)
        both = np.stack([np.moveaxis(even, axis, 0), np.moveaxis(odd, axis, 0)], 1)
        a = np.moveaxis(both.reshape(-1, *both.shape[2:])[: shape[axis]], 0, axis)
    return a


def smoothed(a, levels):
    return a if levels == 1 else (a + double(smoothed(halve(a), levels - 1), a.shape)) / 2


def samples(y, x):
    """Places in a square of side 1, for each point `SAMPLES` of them."""
    k = (y * 1973 + x[:, None] * 9277 + np.arange(SAMPLES) * 26699).astype(np.uint32)
    k = (k ^ (k >> np.uint32(15))) * np.uint32(739982445)
    k ^= k >> np.uint32(15)
    return (k & np.uint32(65535)) / 65536 - 0.5, (k >> np.uint32(16)) / 65536 - 0.5


def program(left, right, focus, scale, shifts=8, levels=4):
    _, height, width = left.shape
    color, other = left.astype(np.float64), right.astype(np.float64)
    padded = np.pad(other, [(0, 0), (0, 0), (0, 2 * shifts)], mode="edge")
    shifted = lambda k: np.abs(padded[:, :, k : k + width] - color)
    cost = np.stack([(np.minimum(shifted(2 * k), shifted(2 * k + 1)) ** 2).sum(0) for k in range(shifts)])
    confidence = cost.var(0)
    weights = smoothed(confidence, levels)
    certain = np.stack([smoothed(plane * confidence, levels) / weights for plane in cost])
    depth = certain.argmin(0)
    # Where the two least are so near that the last bits of f32 decide, no point that looks here is compared.
    least, second = np.partition(certain, 1, 0)[:2]
    undecided = ndimage.maximum_filter(second - least < 1e-5 * second, 2 * shifts - 1)
    radius = np.abs(depth - focus) * scale
    worst = ndimage.maximum_filter(radius, 2 * shifts - 1, mode="nearest")
    result = np.empty(left.shape)
    x = np.arange(width)
    for y in range(height):
        u, v = (np.trunc(place * 2 * worst[y, :, None]).astype(int) for place in samples(y, x))
        sy, sx = (y + v).clip(0, height - 1), (x[:, None] + u).clip(0, width - 1)
        far = u**2 + v**2
        nearer = depth[sy, sx] < depth[y, :, None]
        counts = (far < radius[sy, sx] ** 2) & ((far < radius[y, :, None] ** 2) | nearer)
        result[:, y] = (color[:, y] + (color[:, sy, sx] * counts).sum(-1)) / (1 + counts.sum(-1))
    return {"blurred": np.ma.masked_where(np.broadcast_to(undecided, left.shape), result / 255)}


def inputs(random, left=(3, 43, 51)):
    # A block before a wall: the right image has them 10 and 2 points further to the right.
    _, height, width = left
    wall = random.integers(0, 256, (3, height, width + 2), np.uint8)
    left, right = wall[:, :, 2:].copy(), wall[:, :, :-2].copy()
    # Half as high and half as wide.
    y, y_end, x, x_end = height // 5, height * 7 // 10, width // 4, width * 2 // 3
    block = random.integers(0, 256, (3, y_end - y, x_end - x), np.uint8)
    left[:, y:y_end, x:x_end] = right[:, y:y_end, x + 10 : x_end + 10] = block
    return {"left": left, "right": right}


main(program, inputs, numbers={"focus": 2, "scale": 1.0}, whole={"shifts": 32, "levels": 8}, tolerance=1e-5)
