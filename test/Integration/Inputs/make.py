"""Makes a random array: make.py FILE.npy DTYPE EXTENT..."""

import sys

import numpy as np

path, dtype, *shape = sys.argv[1:]
random = np.random.default_rng(20)
shape = [int(extent) for extent in shape]
kind = np.dtype(dtype)
values = random.integers(0, 256, shape) if kind.kind in "iu" else random.random(shape)
np.save(path, values.astype(kind))
