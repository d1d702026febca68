"""Runs time steps everywhere and compares: every executor with the reference, to the bit, and that with NumPy.

    iterate.py FOLDER iterate.mlir
"""

import sys

import numpy as np
from everywhere import BLOCK, CPU, POINT, WARP, everywhere, stepped, tiled

folder, program = sys.argv[1:]
random = np.random.default_rng(7)

WAYS = [CPU, WARP, BLOCK, POINT, stepped(3, WARP), stepped(2, tiled("strategy=greedy"))]


def heat(u, n):
    for _ in range(n):
        p = np.pad(u, 1, mode="edge")
        s = (p[1:-1, :-2] + p[1:-1, 2:]) + (p[:-2, 1:-1] + p[2:, 1:-1])
        u = u * np.float32(0.5) + s * np.float32(0.125)
    return [u]


def wave(u, n):
    speed = np.roll(u, 2, axis=1) * np.float32(0.125)
    p, q = u, speed
    for _ in range(n):
        m = np.pad(q, ((0, 0), (1, 1)), mode="symmetric")
        laplace = m[:, :-2] + m[:, 2:] - 2 * q
        p, q = q, 2 * q - p + speed * laplace
    return [p + q]


def mixed(u, n):
    for _ in range(n):
        sums = np.zeros_like(u)
        before = np.zeros(u.shape[0], np.float32)
        for x in range(u.shape[1]):
            before = (u[:, x] + before) * np.float32(0.5)
            sums[:, x] = before
        u = sums
    return [u, u]


def run(function, shape, n, names):
    image = random.random(shape, dtype=np.float32)
    reference = everywhere(folder, program, {"img": image, "n": n}, names, WAYS, function.__name__)
    for found, expected in zip(reference.values(), function(image, n)):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    return 1 + len(WAYS)


runs = 0
for shape, steps in [((1, 1), [3]), ((7, 5), [0, 1, 2]), ((45, 101), [7])]:
    for n in steps:
        runs += run(heat, shape, n, ["out"])
        runs += run(wave, shape, n, ["out"])
for n in [0, 1, 4]:
    runs += run(mixed, (9, 33), n, ["out", "same"])
print(runs, "runs agree")
