"""Compares an example with its definition: NAME.py PROGRAM.mlir FOLDER [--report FILE]

A script gives the program as NumPy sees it, arrays to run it on, and how far the result may be off. The program then runs on
the reference, the CPU and the SIMT executor: all three must give the same bits, and the reference must agree with NumPy, integers
to the last bit, floats within the tolerance (of the range of the expected values).
"""

import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np

TARGETS = ["reference", "cpu", "simt"]


def run(program, folder, target, inputs, numbers, names):
    command = ["pipeline-run", program, "--target", target]
    for name in inputs:
        command += ["--arg", f"{name}={folder / name}.npy"]
    for name, number in numbers.items():
        command += ["--arg", f"{name}={number}"]
    for name in names:
        command += ["--out", f"{name}={folder / name}.{target}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{target}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return {name: np.load(folder / f"{name}.{target}.npy") for name in names}


def compare(name, found, expected, tolerance):
    """The largest difference, relative to the range of floats."""
    if found.shape != expected.shape:
        sys.exit(f"{name}: found shape {found.shape}, expected {expected.shape}")
    if expected.dtype.kind in "iu":
        if found.dtype != expected.dtype:
            sys.exit(f"{name}: found {found.dtype}, expected {expected.dtype}")
        error = int(np.abs(found.astype(np.int64) - expected.astype(np.int64)).max())
    else:
        error = np.abs(found.astype(np.float64) - expected).max()
        error = float(error / (expected.max() - expected.min() or 1))
    print(f"{name}: largest error {error:.3g}, {tolerance:g} allowed")
    if not error <= tolerance:
        sys.exit(1)
    return error


def main(program, inputs, tolerance=0, numbers=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--targets", nargs="*", default=TARGETS)
    parser.add_argument("--report")
    options = parser.parse_args()
    numbers = numbers or {}
    arrays = inputs(np.random.default_rng(20))
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        np.save(options.folder / name, array)
    expected = program(**arrays, **numbers)
    found = {
        target: run(options.file, options.folder, target, arrays, numbers, expected) for target in options.targets
    }
    first = options.targets[0]
    errors = [compare(name, found[first][name], expected[name], tolerance) for name in expected]
    for target in options.targets[1:]:
        for name in expected:
            if found[target][name].tobytes() != found[first][name].tobytes():
                sys.exit(f"{name}: {target} and {first} differ")
    if options.report:
        sizes = {name: list(array.shape) for name, array in arrays.items()}
        pathlib.Path(options.report).write_text(json.dumps({"sizes": sizes, "error": max(errors)}))
