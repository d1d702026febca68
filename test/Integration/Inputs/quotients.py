"""Three quotients by the same number, of floats and of integers: the CPU, with its own vectors and with those of AVX-512, and point by point, gives what NumPy divides."""

import subprocess
import sys
from pathlib import Path

import numpy as np

ROWS, COLUMNS = 64, 513
PROGRAM = """
stencil floats(vector#2 float A, vector#2 float B, vector#2 float C, vector#2 float D) {
    return A / D, B / D, C / D;
}

stencil integers(vector#2 uint16 A, vector#2 uint16 B, vector#2 uint16 C, vector#2 uint16 D) {
    return A / D, B / D, C % D;
}

parameter W, H;
parameter float by;
vector#2 float a[W, H];
vector#2 float b[W, H];
vector#2 float c[W, H];
vector#2 float d[W, H];
vector#2 uint16 i[W, H];
vector#2 uint16 j[W, H];
vector#2 uint16 k[W, H];
vector#2 uint16 l[W, H];

stencil by_number(vector#2 float A, vector#2 float B, vector#2 float C, float by) {
    return A / by, B / by, C / by;
}

p, q, r = floats(a, b, c, d);
s, t, u = integers(i, j, k, l);
v, w, x = by_number(a, b, c, by);
return p, q, r, s, t, u, v, w, x;
"""


def floats(random, kind):
    """Sizes that are usual, those with zeros among them, and any bits."""
    usual = (random.standard_normal((ROWS, COLUMNS)) * 2.0 ** random.integers(-20, 20, (ROWS, COLUMNS))).astype(np.float32)
    any_bits = random.integers(0, 1 << 32, (ROWS, COLUMNS), np.uint32).view(np.float32)
    rows = np.arange(ROWS)[:, None] * 3 // ROWS
    zeros = np.where(random.random((ROWS, COLUMNS)) < 0.2, np.copysign(0, usual), usual).astype(np.float32)
    zeros[:, ::97] = np.inf
    return np.choose((rows + kind) % 3, [usual, zeros, any_bits]).astype(np.float32)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    source = folder / "quotients.fm"
    source.write_text(PROGRAM)
    random = np.random.default_rng(7)
    by = np.float32(0.37)
    # Rows of all pairs of kinds: the divisors' turn is another one.
    inputs = {name: floats(random, 0) for name in "abc"}
    inputs["d"] = np.concatenate([floats(random, kind)[kind::3] for kind in range(3)])[:ROWS]
    inputs |= {name: random.integers(0, 1 << 16, (ROWS, COLUMNS), np.uint16) for name in "ijk"}
    inputs["l"] = np.maximum(random.integers(0, 1 << 16, (ROWS, COLUMNS)) >> random.integers(0, 16, (ROWS, COLUMNS)), 1)
    inputs["l"] = inputs["l"].astype(np.uint16)
    with np.errstate(all="ignore"):
        expected = [inputs[name] / inputs["d"] for name in "abc"]
        expected += [inputs["i"] // inputs["l"], inputs["j"] // inputs["l"], inputs["k"] % inputs["l"]]
        expected += [inputs[name] / by for name in "abc"]
    arguments = ["--arg", f"by={by}"]
    for name, image in inputs.items():
        np.save(folder / f"{name}.npy", image)
        arguments += ["--arg", f"{name}={folder / name}.npy"]
    names = "pqrstuvwx"
    arguments += [word for name in names for word in ("--out", f"{name}={folder / name}.npy")]
    # Loops of their own wait for the divider.
    wide = ["--pipeline-options", "target=emerald_rapids strategy=none"]
    for how in (["cpu"], ["cpu", *wide], ["cpu", "--pipeline-options", "vectors=false"], ["reference"]):
        subprocess.run(["pipeline-run", source, "--target", *how, *arguments], check=True)
        for name, right in zip(names, expected, strict=True):
            found = np.load(folder / f"{name}.npy")
            same = found == right
            if right.dtype == np.float32:
                same = (found.view(np.uint32) == right.view(np.uint32)) | (np.isnan(found) & np.isnan(right))
            if not same.all():
                at = tuple(np.argwhere(~same)[0])
                sys.exit(f"{' '.join(how)}: {name} is {found[at]} at {at}, expected {right[at]}")
    print(f"{len(names)} quotients agree")


main()
