"""all_integers.py FOLDER TARGET...: which results are what docs/spec.md says of integer divisions and shifts."""

import sys

import numpy as np

folder = sys.argv[1]
a, b = (np.load(f"{folder}/{name}.npy").tolist() for name in "ab")


def toward_zero(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def unsigned(x):
    return x % 2**32


meaning = {
    "q": lambda x, y: toward_zero(x, y) if y else 0,
    "r": lambda x, y: x - y * toward_zero(x, y) if y else 0,
    "f": lambda x, y: x // y if y else 0,
    "u": lambda x, y: unsigned(x) // unsigned(y) if y else 0,
    "l": lambda x, y: x << y if 0 <= y < 32 else 0,
    "s": lambda x, y: x >> (y if 0 <= y < 32 else 31),
}
for target in sys.argv[2:]:
    right = []
    for name, of in meaning.items():
        wanted = np.array([unsigned(of(x, y)) for x, y in zip(a, b)], np.uint32).view(np.int32)
        found = np.load(f"{folder}/{name}.{target}.npy")
        at = np.flatnonzero(found != wanted)
        right.append(name if not len(at) else f"{name}({a[at[0]]}, {b[at[0]]}) = {found[at[0]]}, not {wanted[at[0]]};")
    print(f"{target}: {' '.join(right)}")
