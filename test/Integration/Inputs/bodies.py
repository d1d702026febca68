"""Gathers and reduces: what NumPy says, and the same bits on the reference, the CPU and the SIMT executor, however they are tiled.

usage: bodies.py FOLDER
"""

import concurrent.futures
import os
import sys

import numpy as np
from everywhere import CPU, everywhere, tiled

FOLDER = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))


def pad(img, reach, mode):
    return np.pad(img.astype(np.float64), reach, mode=mode)


def window(img, reach, mode):
    """All images of the window around a point."""
    (h, w), padded = img.shape, pad(img, reach, mode)
    places = range(2 * reach + 1)
    return np.array([padded[y : y + h, x : x + w] for y in places for x in places])


def windows(img):
    five = window(img, 2, "edge").sum(axis=0) * 0.04
    return window(five, 4, "symmetric").sum(axis=0) * 0.012345679


def least_to_greatest(img):
    # Wider than the image, the window goes around it more than once.
    all = window(img, 3, "wrap")
    return all.max(axis=0) - all.min(axis=0)


def slices(img):
    h, w = img.shape
    levels = np.arange(12)[:, None, None] * np.float64(np.float32(0.1))
    cells = pad(img, 4, "edge")[4:, 4:][: (h + 3) // 4 * 4, : (w + 3) // 4 * 4]
    grid = ((cells[None] - levels) ** 2).reshape(12, cells.shape[0] // 4, 4, cells.shape[1] // 4, 4).sum(axis=(2, 4))
    q = img * np.float32(10)
    z = np.floor(q).astype(int)
    t = (q - np.floor(q)).astype(np.float64)
    y, x = np.mgrid[:h, :w]
    deep = lambda z, by: grid[
        np.clip(z, 0, 11),
        np.clip((y + by) // 4, 0, grid.shape[1] - 1),
        np.clip((x + by) // 4, 0, grid.shape[2] - 1),
    ]
    return deep(z, 0) * (1 - t) + deep(z + 1, 2) * t


def images(seed, *shapes):
    random = np.random.default_rng(seed)
    return [random.random(shape, dtype=np.float32) for shape in shapes]


def cases():
    """Program, arguments, what NumPy says, and how far that may be off."""
    for number, (h, w) in enumerate([(1, 1), (3, 150), (37, 67)]):
        [img] = images(number, (h, w))
        yield "windows", {"img": img}, windows(img), 1e-5
        yield "range", {"img": img}, least_to_greatest(img), 1e-6
        wide = (img * 1.4 - 0.2).astype(np.float32)
        yield "slice", {"img": wide}, slices(wide), 1e-5
        bytes = (img * 255.99).astype(np.uint8)
        [table] = images(number + 10, (256,))
        yield "lut", {"img": bytes, "table": table}, table[bytes], 0
        a, b = images(number + 20, (h, 48), (48, w))
        yield "matmul", {"a": a, "b": b}, a.astype(np.float64) @ b, 1e-5
    [img] = images(7, (64, 96))
    yield "slice-static", {"img": img}, slices(img), 1e-5


WAYS = [CPU] + [
    tiled(options)
    for options in (
        "tiling=none",
        "tiling=block strategy=all",
        "tiling=warp",
        "tiling=warp strategy=all",
        "strategy=all schedule={fraction = 0.5 : f64}",
        'strategy=all schedule={layout = "blocked"}',
        'strategy=all schedule={layout = "cyclic", vector = 2 : i64, stream = "y"}',
        "strategy=greedy target=v100-pact20 inline=false",
    )
]


def check(case):
    program, arguments, expected, tolerance = case
    found = everywhere(FOLDER, f"{HERE}/{program}.mlir", arguments, ["out"], WAYS)["out"].astype(np.float64)
    error = np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-30)
    if found.shape != expected.shape or not error <= tolerance:
        sys.exit(f"{program} {found.shape}: off by {error}, expected at most {tolerance}")
    return len(WAYS)


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    total = sum(pool.map(check, cases()))
print(f"{total} runs agree")
