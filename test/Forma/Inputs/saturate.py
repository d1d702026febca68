"""Floats of every kind to the nearest integer of every type, halves to even: every target gives what np.rint says."""

import subprocess
import sys
from pathlib import Path

import numpy as np

COUNT = 1024
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}
TARGETS = ["reference", "cpu", "simt"]


def program(element):
    values = ", ".join(f"saturate<{ty}>(X)" for ty in INTEGERS)
    names = ", ".join(f"as_{ty}" for ty in INTEGERS)
    return (
        f"stencil all(vector#1 {element} X) {{ return {values}; }}\n"
        f"parameter N;\nvector#1 {element} a[N];\n{names} = all(a);\nreturn {names};\n"
    )


def inputs(dtype):
    halves = np.arange(-600, 600) / 4
    ends = [sign * (2.0**bits + more) for bits in (7, 8, 15, 16, 31, 32, 63, 64) for sign in (1, -1) for more in (-1.5, -1, -0.5, 0, 0.5)]
    with np.errstate(all="ignore"):
        special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.49999997, 0.5, 1.5, 2.5, 2.9, 254.5, 255.5] + ends).astype(dtype)
        return np.concatenate([special, np.random.default_rng(1).choice(halves, COUNT - len(special)).astype(dtype)])


def nearest(value, ty):
    """In Python's integers, which have no end."""
    if np.isnan(value):
        return 0
    info = np.iinfo(ty)
    if np.isinf(value):
        return info.max if value > 0 else info.min
    return min(max(int(np.rint(value)), info.min), info.max)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for element, dtype in FLOATS.items():
        source, image = folder / f"{element}.fm", folder / f"{element}.npy"
        source.write_text(program(element))
        values = inputs(dtype)
        np.save(image, values)
        for target in TARGETS:
            outs = {ty: folder / f"{target}.{ty}.npy" for ty in INTEGERS}
            command = ["pipeline-run", source, "--target", target, "--arg", f"a={image}"]
            command += [word for ty, out in outs.items() for word in ("--out", f"as_{ty}={out}")]
            subprocess.run(command, check=True)
            for ty, out in outs.items():
                found, expected = np.load(out), np.array([nearest(value, ty) for value in values], ty)
                for at in np.flatnonzero(found != expected):
                    sys.exit(f"{target}: {element} {values[at]} to {ty} is {found[at]}, expected {expected[at]}")
    print(f"{len(FLOATS) * len(INTEGERS)} conversions agree on {', '.join(TARGETS)}")


main()
