"""Windows of small integers times weights, summed in 32 bits: machine code for several CPUs gives what NumPy says."""

import itertools
import sys
from pathlib import Path

import numpy as np

from c_library import library

PLANES, FROM = 4, 2
# Windows, and whether weights are numbers of the program.
SHAPES = [((3, 3), False), ((1, 5), True)]
KINDS = [("uint8", "int8"), ("int8", "int8"), ("uint8", "uint8"), ("int16", "int16")]
# Instructions that multiply bytes, such that multiply halves, in vectors of three widths. What this machine lacks is left out.
CPUS = {"x86-64": "sse2", "haswell": "avx2", "skylake-avx512": "avx512bw", "znver4": "avx512_vnni", "host": "sse2"}
SIZES = [(1, 1), (3, 15), (5, 16), (6, 70), (9, 131)]


def element(kind):
    return f"i{np.dtype(kind).itemsize * 8}"


def program(pixels, weights, window, known):
    """`out` is the sum over planes and a window of pixels times weights; these are an argument, or numbers of the program."""
    rows, columns = window
    of, by = element(pixels), element(weights)
    extend = ["arith.extui" if kind.startswith("u") else "arith.extsi" for kind in (pixels, weights)]
    unsigned = ["{weft.unsigned}" if kind.startswith("u") else "" for kind in (pixels, weights)]
    table = f"{PLANES}x{FROM}x{rows}x{columns}x{by}"
    given = "" if known is not None else f", %w: tensor<{table}> {unsigned[1]}"
    text = f"func.func @sums(%a: tensor<{FROM}x?x?x{of}> {unsigned[0]}{given}) -> tensor<{PLANES}x?x?xi32> {{\n"
    if known is not None:
        text += f"  %w = arith.constant dense<{known.tolist()}> : tensor<{table}>\n"
    return text + f"""  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %h = tensor.dim %a, %one : tensor<{FROM}x?x?x{of}>
  %b = tensor.dim %a, %two : tensor<{FROM}x?x?x{of}>
  %out = pipeline.stage "out" (%c, %y, %x) {{
    %sum = pipeline.reduce (%k, %j, %i) in [0, {FROM}) x [0, {rows}) x [0, {columns}) (%acc = %zero : i32) {{
      %p = pipeline.load %a[%k, %y + %j - {rows // 2}, %x + %i - {columns // 2}] clamp : tensor<{FROM}x?x?x{of}>
      %q = pipeline.load %w[%c, %k, %j, %i] : tensor<{table}>
      %pw = {extend[0]} %p : {of} to i32
      %qw = {extend[1]} %q : {by} to i32
      %product = arith.muli %pw, %qw : i32
      %next = arith.addi %acc, %product : i32
      pipeline.yield %next : i32
    }} : i32
    pipeline.yield %sum : i32
  }} sized(%h, %b) : tensor<{PLANES}x?x?xi32>
  return %out : tensor<{PLANES}x?x?xi32>
}}
"""


def random_of(random, kind, shape):
    """Half of all numbers lie at the ends of their type."""
    ends = np.iinfo(kind)
    values = random.integers(ends.min, ends.max + 1, shape)
    edges = random.choice([ends.min, ends.max], shape)
    return np.where(random.random(shape) < 0.5, values, edges).astype(kind)


def expected(image, weights):
    rows, columns = weights.shape[2:]
    padded = np.pad(image.astype(np.int64), [(0, 0), (rows // 2,) * 2, (columns // 2,) * 2], mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (rows, columns), axis=(1, 2))
    sums = np.einsum("kyxji,ckji->cyx", windows, weights.astype(np.int64))
    return sums.astype(np.uint64).astype(np.uint32).view(np.int32)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    random = np.random.default_rng(7)
    flags = Path("/proc/cpuinfo").read_text().split()
    cpus = [cpu for cpu, flag in CPUS.items() if flag in flags]
    count = 0
    for (pixels, weights), (window, is_known) in itertools.product(KINDS, SHAPES):
        table = random_of(random, weights, (PLANES, FROM, *window))
        source = folder / f"{count}.mlir"
        # MLIR's constants of integers have no sign: bytes above 127 are written as what they are with one.
        source.write_text(program(pixels, weights, window, table.view(f"int{table.itemsize * 8}") if is_known else None))
        for cpu in cpus:
            sums = library("sums", source, folder / f"{count}.{cpu}", "--cpu", cpu)
            for size in SIZES:
                image = random_of(random, pixels, (FROM, *size))
                result = np.zeros((PLANES, *size), np.int32)
                arrays = [image, result] if is_known else [image, table, result]
                assert sums(*arrays) == 0
                assert (result == expected(image, table)).all(), (pixels, weights, window, is_known, cpu, size)
        count += 1
    print(f"{count} programs on {len(CPUS)} CPUs agree, {len(CPUS) - len(cpus)} of these left out")


main()
