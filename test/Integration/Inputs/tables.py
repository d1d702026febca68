"""tables.py FOLDER PROGRAM: programs with tables, everywhere and in NumPy. All numbers are whole or halves, and sums of them exact."""

import sys

import numpy as np

from everywhere import BLOCK, CPU, POINT, WARP, everywhere, tiled

WAYS = [CPU, WARP, BLOCK, POINT, tiled("strategy=none inline=false"), tiled("strategy=all")]
folder, program = sys.argv[1:]
img = np.random.default_rng(5).integers(0, 256, (37, 71), np.uint8)
found = everywhere(folder, program, {"img": img}, ["blur", "toned", "dithered", "wide"], WAYS)

weights = [1, 4, 6, 4, 1]
edge = np.pad(img, 2, mode="symmetric").astype(np.float32)
rows = sum(k * edge[:, n : n + 71] for n, k in enumerate(weights))
padded = np.pad(img.astype(np.float64), ((0, 0), (0, 40)), mode="edge")
bayer = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.uint8)
expected = {
    "blur": sum(k * rows[n : n + 37] for n, k in enumerate(weights)).astype(np.float32),
    "toned": np.array([-300, 20, 3, 41, 5, 1000], np.int16)[np.minimum(img // 8, 5)],
    "dithered": img + np.tile(bayer, (10, 18))[:37, :71],
    "wide": sum((n + 0.5) * padded[:, n : n + 71] for n in range(41)),
}
for name, wanted in expected.items():
    print(name, "is right" if found[name].dtype == wanted.dtype and np.array_equal(found[name], wanted) else "differs")
