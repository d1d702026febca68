"""Runs the blocks on the CPU, and by kernels, beside the reference.

    blocks.py PROGRAM FOLDER
"""

import sys

import numpy as np
from everywhere import CPU, WARP, everywhere

program, folder = sys.argv[1:]
random = np.random.default_rng(8)
AVX2 = [*CPU, "--pipeline-options", "target=avx2"]
for shape in [(1, 1), (3, 70), (8, 8), (17, 129), (64, 200)]:
    arguments = {
        "img": random.integers(-3000, 3000, shape).astype(np.int16),
        "gains": random.integers(-9, 9, (3, 5)).astype(np.int16),
    }
    everywhere(folder, program, arguments, ["blocks", "lit", "small"], [CPU, AVX2, WARP])
print("blocks agree")
