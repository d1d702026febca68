"""Look-ups of bytes in short rows: machine code for several CPUs gives what NumPy says."""

import sys
from pathlib import Path

import numpy as np

from c_library import library

# Bytes of a row, and whether a number says where, or a byte.
ROWS_OF = [(256, False), (256, True), (100, True), (50, True)]
# One that permutes bytes, and one that does not. What this machine lacks is left out.
CPUS = {"haswell": "avx2", "znver4": "avx512_vbmi"}
SIZES = [(1, 1), (3, 15), (5, 64), (2, 300)]
ROWS = 3


def program(columns, is_number):
    """Each plane of `out` is looked up in a row of its own."""
    text = f"""func.func @looked_up(%a: tensor<{ROWS}x?x?xi8>, %t: tensor<{ROWS}x{columns}xi8>) -> tensor<{ROWS}x?x?xi8> {{
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %h = tensor.dim %a, %one : tensor<{ROWS}x?x?xi8>
  %b = tensor.dim %a, %two : tensor<{ROWS}x?x?xi8>
  %out = pipeline.stage "out" (%c, %y, %x) {{
    %p = pipeline.load %a[%c, %y, %x] : tensor<{ROWS}x?x?xi8>
"""
    if is_number:
        text += """    %three = arith.constant 3 : i32
    %w = arith.extsi %p : i8 to i32
    %n = arith.muli %w, %three : i32
    %i = arith.index_cast %n : i32 to index
"""
    else:
        text += "    %i = arith.index_castui %p : i8 to index\n"
    return text + f"""    %v = pipeline.gather %t[%c, %i] clamp : tensor<{ROWS}x{columns}xi8>
    pipeline.yield %v : i8
  }} sized(%h, %b) : tensor<{ROWS}x?x?xi8>
  return %out : tensor<{ROWS}x?x?xi8>
}}
"""


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    random = np.random.default_rng(7)
    flags = Path("/proc/cpuinfo").read_text().split()
    cpus = [cpu for cpu, flag in CPUS.items() if flag in flags or flag.replace("_", "") in flags]
    for number, (columns, is_number) in enumerate(ROWS_OF):
        source = folder / f"{number}.mlir"
        source.write_text(program(columns, is_number))
        table = random.integers(-128, 128, (ROWS, columns), np.int8)
        for cpu in cpus:
            looked_up = library("looked_up", source, folder / f"{number}.{cpu}", "--cpu", cpu)
            for size in SIZES:
                image = random.integers(-128, 128, (ROWS, *size), np.int8)
                result = np.zeros_like(image)
                assert looked_up(image, table, result) == 0
                index = 3 * image.astype(int) if is_number else image.view(np.uint8).astype(int)
                index = np.clip(index, 0, columns - 1)
                expected = np.stack([row[plane] for row, plane in zip(table, index)])
                assert (result == expected).all(), (columns, is_number, cpu, size)
    print(f"{len(ROWS_OF)} programs on {len(CPUS)} CPUs agree, {len(CPUS) - len(cpus)} of these left out")


main()
