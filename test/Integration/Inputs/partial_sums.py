"""Windows that --partial-sums splits, on the CPU, beside the reference, which does not: the same bits, at all sizes down to none.

    partial_sums.py FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
WIDER = {"i8": "i16", "i16": "i32"}
DTYPES = {"i8": np.uint8, "i16": np.int16, "f32": np.float32}
# The type of the image, how it is joined, the window's rows and columns, and what lies beyond the edge.
KINDS = [
    ("i8", "arith.addi", (0, 1), (-31, 32), "clamp"),
    ("i8", "arith.addi", (-7, 14), (-9, 8), "reflect101"),
    ("i16", "arith.addi", (-20, 21), (3, 4), "constant(%edge)"),
    ("i16", "arith.maxsi", (-3, 4), (-6, 7), "wrap"),
    ("f32", "arith.minimumf", (-2, 15), (-1, 16), "mirror"),
    ("f32", "arith.maximumf", (0, 1), (-12, 13), "clamp"),
]


def program(ty, join, rows, columns, boundary):
    image = f"tensor<?x?x{ty}>"
    is_sum = join == "arith.addi"
    of_sum = WIDER[ty] if is_sum else ty
    widen = "arith.extui" if ty == "i8" else "arith.extsi"
    value = "%wide" if is_sum else "%v"
    widened = f"      %wide = {widen} %v : {ty} to {of_sum}\n" if is_sum else ""
    init = {"arith.addi": "7", "arith.maxsi": "-32768", "arith.minimumf": "0x7F800000", "arith.maximumf": "0xFF800000"}[join]
    return f"""func.func @f(%img: {image} {{weft.name = "img"}}) -> (tensor<?x?x{of_sum}> {{weft.name = "out"}}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : {image}
  %w = tensor.dim %img, %c1 : {image}
  %edge = arith.constant {"0.0" if ty == "f32" else "-5"} : {ty}
  %init = arith.constant {init} : {of_sum}
  %out = pipeline.stage "s" (%y, %x) {{
    %r = pipeline.reduce (%ry, %rx) in [{rows[0]}, {rows[1]}) x [{columns[0]}, {columns[1]}) (%acc = %init : {of_sum}) {{
      %v = pipeline.load %img[%y + %ry, %x + %rx] {boundary} : {image}
{widened}      %s = {join} %acc, {value} : {of_sum}
      pipeline.yield %s : {of_sum}
    }} : {of_sum}
    pipeline.yield %r : {of_sum}
  }} sized(%h, %w) : tensor<?x?x{of_sum}>
  return %out : tensor<?x?x{of_sum}>
}}
"""


def result(source, target):
    out = folder / f"{target}.npy"
    command = ["pipeline-run", source, "--target", target, "--arg", f"img={folder}/img.npy", "--out", f"out={out}"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return np.load(out)


random = np.random.default_rng(3)
for number, kind in enumerate(KINDS):
    ty = kind[0]
    text = program(*kind)
    source = folder / f"{number}.mlir"
    source.write_text(text)
    split = subprocess.run(["pipeline-opt", source, "--partial-sums"], check=True, capture_output=True, text=True).stdout
    assert "pipeline.reduce" not in split and "_part" in split, (kind, split)
    for shape in [(0, 5), (5, 0), (1, 1), (3, 70), (75, 2), (61, 130)]:
        if np.issubdtype(DTYPES[ty], np.floating):
            image = random.choice([0.0, -0.0, np.nan, np.inf, -1.5, 2.25], shape, p=[0.2, 0.2, 0.01, 0.01, 0.29, 0.29]).astype(np.float32)
        else:
            limits = np.iinfo(DTYPES[ty])
            image = random.integers(limits.min, limits.max + 1, shape, DTYPES[ty])
        np.save(folder / "img.npy", image)
        cpu, reference = result(source, "cpu"), result(source, "reference")
        same = (cpu.view(f"u{cpu.itemsize}") == reference.view(f"u{cpu.itemsize}")) | ((cpu != cpu) & (reference != reference))
        assert cpu.shape == reference.shape == shape and same.all(), (kind, shape, np.argwhere(~same)[:3])
print(f"{len(KINDS)} windows agree")
