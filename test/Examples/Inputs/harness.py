"""Compares an example with its definition: NAME.py PROGRAM.mlir FOLDER [--whole] [--report FILE]

A script gives the program as NumPy sees it, arrays to run it on, and how far the result may be off. The program then runs on
the reference, the CPU and the SIMT executor: all three must give the same bits, and the reference must agree with NumPy, integers
to the last bit, floats within the tolerance (of the range of the expected values).

With --whole the arrays have the extents that the program is for, its weft.estimate, and it runs on the CPU alone.

A definition that decides something by comparing floats gives a masked array where a difference in the last bits decides
otherwise: these points are not compared, and may be one of ten thousand.
"""

import argparse
import inspect
import json
import pathlib
import re
import subprocess
import sys

import numpy as np

TARGETS = ["reference", "cpu", "simt"]
MOST_MASKED = 1e-4


def shapes(program):
    """What extents each image has that the program takes: an estimate where there is one, else what its type says."""
    found = {}
    signature = pathlib.Path(program).read_text().split("func.func", 1)[1].split("->", 1)[0]
    for extents, attributes in re.findall(r"tensor<((?:[\d?]+x)+)\w+> \{([^}]*)\}", signature):
        estimate = re.search(r"weft.estimate = array<i64: ([\d, ]+)>", attributes)
        extents = estimate[1].split(", ") if estimate else extents.split("x")[:-1]
        found[re.search(r'weft.name = "(\w+)"', attributes)[1]] = tuple(map(int, extents))
    return found


def run(program, folder, target, inputs, numbers, names):
    command = ["pipeline-run", program, "--estimates", "--target", target]
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
    """The largest difference, relative to the range of floats, and how many points are compared."""
    if found.shape != expected.shape:
        sys.exit(f"{name}: found shape {found.shape}, expected {expected.shape}")
    masked = int(np.ma.count_masked(expected))
    if masked:
        found, expected = found[~expected.mask], expected.compressed()
    expected = np.asarray(expected)
    if expected.dtype.kind in "iu":
        if found.dtype != expected.dtype:
            sys.exit(f"{name}: found {found.dtype}, expected {expected.dtype}")
        error = int(np.abs(found.astype(np.int64) - expected.astype(np.int64)).max())
    else:
        error = np.abs(found.astype(np.float64) - expected).max()
        error = float(error / (expected.max() - expected.min() or 1))
    print(f"{name}: largest error {error:.3g}, {tolerance:g} allowed; {expected.size} points, {masked} not compared")
    if not (error <= tolerance and masked <= MOST_MASKED * expected.size):
        sys.exit(1)
    return error, masked


def main(program, inputs, tolerance=0, numbers=None, whole=None):
    """`inputs` makes the arrays; its arguments are the shapes of some of them, of a small size by default. `numbers` are those
    that the program takes, `whole` those of them and other arguments of the definition that differ with --whole."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--targets", nargs="*")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--report")
    options = parser.parse_args()
    options.targets = options.targets or (["cpu"] if options.whole else TARGETS)
    arguments = (numbers or {}) | (whole or {} if options.whole else {})
    numbers = {name: arguments[name] for name in numbers or {}}
    sizes = shapes(options.file) if options.whole else {}
    parameters = inspect.signature(inputs).parameters
    arrays = inputs(np.random.default_rng(20), **{name: sizes[name] for name in parameters if name in sizes})
    for name, size in sizes.items():
        if arrays[name].shape != size:
            sys.exit(f"{name}: the script makes {arrays[name].shape}, the program is for {size}")
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        np.save(options.folder / name, array)
    expected = program(**arrays, **arguments)
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
        report = {"error": max(error for error, _ in errors), "masked": sum(masked for _, masked in errors), "numbers": numbers}
        pathlib.Path(options.report).write_text(json.dumps(report))
