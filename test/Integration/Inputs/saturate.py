"""Floats of every kind to integers of every width, at and around the ends of these: the CPU, in vectors and point by point, and the
reference give what Python says."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np

COUNT = 2048
INTEGERS = [(bits, is_signed) for bits in (8, 16, 32, 64) for is_signed in (True, False)]
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def program(element):
    types = ", ".join(f"tensor<{COUNT}xi{bits}>" for bits, _ in INTEGERS)
    casts = [
        f"    %{number} = arith.fpto{'s' if is_signed else 'u'}i %v : {element} to i{bits}\n"
        for number, (bits, is_signed) in enumerate(INTEGERS)
    ]
    values = ", ".join(f"%{number}" for number in range(len(INTEGERS)))
    scalars = ", ".join(f"i{bits}" for bits, _ in INTEGERS)
    results = ", ".join(f"%s#{number}" for number in range(len(INTEGERS)))
    return (
        f"func.func @f(%a: tensor<{COUNT}x{element}>) -> ({types}) {{\n"
        f'  %s:{len(INTEGERS)} = pipeline.stage "s" (%x) {{\n'
        f"    %v = pipeline.load %a[%x] : tensor<{COUNT}x{element}>\n{''.join(casts)}"
        f"    pipeline.yield {values} : {scalars}\n  }} : {types}\n  return {results} : {types}\n}}\n"
    )


def inputs(dtype):
    values = [0.0, -0.0, math.nan, math.inf, -math.inf]
    with np.errstate(all="ignore"):
        for bits in (7, 8, 15, 16, 31, 32, 63, 64):
            end = 2.0**bits
            values += [sign * (end + more) for sign in (1, -1) for more in (0, 1, -1, 0.5, -0.5, -1.5)]
            near = dtype(end)
            values += [sign * np.nextafter(near, dtype(to)) for sign in (1, -1) for to in (0, math.inf)]
        random = np.random.default_rng(1)
        rest = random.standard_normal(COUNT - len(values)) * 2.0 ** random.integers(0, 70, COUNT - len(values))
        return np.concatenate([np.array(values, dtype), rest.astype(dtype)])


def saturated(value, bits, is_signed):
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return most if value > 0 else least
    return min(max(math.trunc(value), least), most)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for element, dtype in FLOATS.items():
        source = folder / f"{element}.mlir"
        source.write_text(program(element))
        values = inputs(dtype)
        np.save(folder / "in.npy", values)
        for target, *options in (["cpu"], ["cpu", "--pipeline-options", "vectors=false"], ["reference"]):
            outs = [folder / f"{target}{number}.npy" for number in range(len(INTEGERS))]
            command = ["pipeline-run", source, "--target", target, *options, "--arg", f"arg0={folder / 'in.npy'}"]
            command += [word for number, out in enumerate(outs) for word in ("--out", f"out{number}={out}")]
            subprocess.run(command, check=True)
            for (bits, is_signed), out in zip(INTEGERS, outs):
                kind = np.dtype(f"{'i' if is_signed else 'u'}{bits // 8}")
                found = np.load(out).view(kind)
                expected = np.array([saturated(float(value), bits, is_signed) for value in values], kind)
                wrong = np.flatnonzero(found != expected)
                if wrong.size:
                    at = wrong[0]
                    sys.exit(f"{target}: {element} {values[at]} to {kind} is {found[at]}, expected {expected[at]}")
    print(f"{len(FLOATS) * len(INTEGERS)} conversions agree")


main()
