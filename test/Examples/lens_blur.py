"""Lens blur from a stereo pair: NumPy in `f64`, levels as averages of padded arrays, samples point by point."""

import numpy as np

from Inputs.harness import main

SHIFTS, LEVELS, REACH, SAMPLES = 8, 4, 7, 32


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


def smoothed(a, level=1):
    return a if level == LEVELS else (a + double(smoothed(halve(a), level + 1), a.shape)) / 2


def samples(y, x):
    """Places in a square of side 1."""
    k = (y * 1973 + x * 9277 + np.arange(SAMPLES) * 26699).astype(np.uint32)
    k = (k ^ (k >> np.uint32(15))) * np.uint32(739982445)
    k ^= k >> np.uint32(15)
    return (k & np.uint32(65535)) / 65536 - 0.5, (k >> np.uint32(16)) / 65536 - 0.5


def program(left, right, focus, scale):
    _, height, width = left.shape
    color, other = left.astype(np.float64), right.astype(np.float64)
    padded = np.pad(other, [(0, 0), (0, 0), (0, 2 * SHIFTS)], mode="edge")
    shifted = np.stack([np.abs(padded[:, :, k : k + width] - color) for k in range(2 * SHIFTS)])
    cost = (np.minimum(shifted[::2], shifted[1::2]) ** 2).sum(1)
    confidence = cost.var(0)
    depth = (smoothed(cost * confidence) / smoothed(confidence)).argmin(0)
    radius = np.abs(depth - focus) * scale
    around = np.pad(radius, REACH, mode="edge")
    result = np.empty(left.shape)
    for y, x in np.ndindex(height, width):
        worst = around[y : y + 2 * REACH + 1, x : x + 2 * REACH + 1].max()
        u, v = (np.trunc(place * 2 * worst).astype(int) for place in samples(y, x))
        sy, sx = (y + v).clip(0, height - 1), (x + u).clip(0, width - 1)
        far = u**2 + v**2
        counts = (far < radius[sy, sx] ** 2) & ((far < radius[y, x] ** 2) | (depth[sy, sx] < depth[y, x]))
        result[:, y, x] = (color[:, y, x] + color[:, sy, sx][:, counts].sum(1)) / (1 + counts.sum())
    return {"blurred": result / 255}


def inputs(random):
    # A block before a wall: the right image has them 10 and 2 points further to the right.
    wall = random.integers(0, 256, (3, 43, 53), np.uint8)
    block = random.integers(0, 256, (3, 22, 22), np.uint8)
    left, right = wall[:, :, 2:].copy(), wall[:, :, :51].copy()
    left[:, 8:30, 12:34] = right[:, 8:30, 22:44] = block
    return {"left": left, "right": right}


main(program, inputs, numbers={"focus": 2, "scale": 1.0}, tolerance=1e-5)
