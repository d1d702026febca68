"""signed_zeros.py FOLDER TARGET...: are results what minima and maxima give that order zeros by their sign?"""

import sys

import numpy as np


def key(a):
    """Bits in the order of the numbers: -0 is just below +0."""
    bits = a.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF) - 1, bits)


def extreme(pick, a, b):
    chosen = np.where(pick(key(a), key(b)), a, b)
    return np.where(np.isnan(a) | np.isnan(b), np.float32(np.nan), chosen).astype(np.float32)


def least(a, b):
    return extreme(np.less, a, b)


def most(a, b):
    return extreme(np.greater, a, b)


def number(value):
    return np.full(259, value, np.float32)


folder = sys.argv[1]
a = np.load(f"{folder}/a.npy")
at = [a[np.minimum(np.arange(259) + offset, 258)] for offset in range(3)]
expected = {
    "least": least(at[2], least(at[0], at[1])),
    "most": most(at[1], at[0]),
    "clip": most(least(at[0], number(0.0)), least(number(0.5), most(number(-0.0), at[1]))),
}
for target in sys.argv[2:]:
    counts, wrong = [], []
    for name, wanted in expected.items():
        found = np.load(f"{folder}/{name}.{target}.npy")
        same = (found.view(np.int32) == wanted.view(np.int32)) | (np.isnan(found) & np.isnan(wanted))
        wrong += [f"{name}[{i}] is {found[i]}, expected {wanted[i]}" for i in np.flatnonzero(~same)]
        counts.append(np.count_nonzero((found == 0) & np.signbit(found)))
    said = f"{target}: {counts[0]} zeros with a sign in least, {counts[1]} in most, {counts[2]} in clip: "
    print(said + ("; ".join(wrong[:5]) or "right"))
