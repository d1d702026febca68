"""Scans along rows that read lines of other images: of fewer dimensions, or of planes that are named. The CPU's vectors and the reference give the same bits.

    scan_lines.py FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
# What is read besides the point itself, of the weights (two dimensions) and of the colours (three), and the side that the scan goes to.
READS = [
    (["%weights[%y, %x]"], ""),
    (["%weights[%y, %x + 1] clamp", "%weights[%y, %x]"], "backward"),
    (["%weights[%y, %x - 2] reflect101", "%colours[0, %y, %x]"], ""),
    (["%colours[1, %y, %x + 1] mirror", "%colours[%c, %y, %x - 1] clamp", "%colours[1, %y, %x]"], "backward"),
    # Of another row, and of another column for each row: no line of the block's.
    (["%weights[%y + 1, %x] clamp"], ""),
    (["%colours[%c, %y, %x + 3] wrap", "%weights[0, %x]"], ""),
]
SIZES = [(1, 1), (5, 17), (33, 70), (70, 130)]


def program():
    """A chain of two scans for each of the reads: there, and with the same reads on its result."""
    types = {"weights": "tensor<?x?xf32>", "colours": "tensor<2x?x?xf32>"}
    names = [f"r{number}" for number in range(len(READS))]
    lines = [
        "func.func @f(%weights: tensor<?x?xf32>, %colours: tensor<2x?x?xf32>) -> ("
        + ", ".join(f'tensor<2x?x?xf32> {{weft.name = "{name}"}}' for name in names)
        + ") {",
        "  %one = arith.constant 1 : index",
        "  %two = arith.constant 2 : index",
        "  %h = tensor.dim %colours, %one : tensor<2x?x?xf32>",
        "  %w = tensor.dim %colours, %two : tensor<2x?x?xf32>",
        "  %k = arith.constant 0.4375 : f32",
    ]
    for name, (reads, side) in zip(names, READS):
        source = "colours"
        for step in ("there", "again"):
            own = f"{name}_{step}" if step == "there" else name
            lines += [
                f'  %{own} = pipeline.scan "{own}" (%c, %y, %x) along 2 {side} {{',
                f"    %v = pipeline.load %{source}[%c, %y, %x] : tensor<2x?x?xf32>",
                f"    %p = pipeline.previous 1 or %v : f32",
                "    %q = arith.mulf %p, %k : f32",
                "    %s0 = arith.addf %q, %v : f32",
            ]
            for number, read in enumerate(reads):
                lines += [
                    f"    %l{number} = pipeline.load {read} : {types[read[1:8]]}",
                    f"    %m{number} = arith.mulf %l{number}, %p : f32",
                    f"    %s{number + 1} = arith.addf %m{number}, %s{number} : f32",
                ]
            lines += [f"    pipeline.yield %s{len(reads)} : f32", "  } sized(%h, %w) : tensor<2x?x?xf32>"]
            source = own
    values = ", ".join(f"%{name}" for name in names)
    types = ", ".join(["tensor<2x?x?xf32>"] * len(names))
    return "\n".join([*lines, f"  return {values} : {types}", "}", ""])


def main():
    source = folder / "lines.mlir"
    source.write_text(program())
    random = np.random.default_rng(3)
    for height, width in SIZES:
        np.save(folder / "weights.npy", random.random((height, width), np.float32))
        np.save(folder / "colours.npy", random.random((2, height, width), np.float32))
        found = {}
        for target in ("cpu", "reference"):
            command = ["pipeline-run", source, "--target", target]
            for number, image in enumerate(("weights", "colours")):
                command += ["--arg", f"arg{number}={folder / image}.npy"]
            outs = [folder / f"{target}{number}.npy" for number in range(len(READS))]
            command += [word for number, out in enumerate(outs) for word in ("--out", f"r{number}={out}")]
            subprocess.run(command, check=True)
            found[target] = [np.load(out).view(np.int32) for out in outs]
        for number, (cpu, reference) in enumerate(zip(found["cpu"], found["reference"])):
            assert (cpu == reference).all(), (height, width, READS[number])
    print(f"{len(READS)} programs of {len(SIZES)} sizes agree")


main()
