"""Gathers and reduces in scans and scatters: every executor gives the bits of the reference, and that is NumPy's.

    units_bodies.py FOLDER units-bodies.mlir
"""

import sys

import numpy as np
from everywhere import BLOCK, CPU, POINT, WARP, everywhere

folder, program = sys.argv[1:]
random = np.random.default_rng(11)

WAYS = [CPU, WARP, BLOCK, POINT]


def scanned(img, table):
    h, w = img.shape
    far = np.pad(img.astype(np.float64), 3, mode="symmetric")
    near = np.pad(img, ((0, 0), (0, 2)), mode="edge")
    out = np.zeros((h, w))
    for y in range(h):
        before = 0.0
        for x in reversed(range(w)):
            most = max(far[y : y + 7, x : x + 7].sum(), near[y, x : x + 3].max())
            mixed = (before + most) / 2
            before = mixed + table[int(mixed) % 16]
            out[y, x] = before
    return out


def scattered(img, table):
    h, w = img.shape
    gh, gw = -(-h // 4), -(-w // 4)
    out = np.zeros((gh, gw, 4))
    for y in range(4 * gh):
        for x in range(4 * gw):
            most = max(img[min(y, h - 1), min(max(x + d, 0), w - 1)] for d in (-1, 0, 1))
            place = int(table[min(int(most * 16), 15)] * 4)
            out[y // 4, x // 4, place] += most
    return out


runs = 0
for shape in [(3, 4), (7, 5), (45, 67)]:
    # Multiples of 1/64 sum without rounding in f64 and f32 alike.
    img = (random.integers(0, 64, shape) / 64).astype(np.float32)
    table = (random.integers(0, 64, 16) / 64).astype(np.float32)
    for function in (scanned, scattered):
        arguments = {"img": img, "table": table}
        out = everywhere(folder, program, arguments, ["out"], WAYS, function.__name__)["out"]
        runs += 1 + len(WAYS)
        if function is scattered:
            np.testing.assert_array_equal(out, function(img, table))
        else:
            # A value at a bin's edge may fall on either side: most do not.
            close = np.isclose(out, function(img, table), rtol=1e-4, atol=1e-4)
            assert close.mean() > 0.9, (shape, close.mean())
print(runs, "runs agree")
