"""Scans along rows that join each point's own value with all before it, on the CPU a vector of points at a time, beside the reference, which
goes from point to point: the same bits. With and without a scan down columns that reads them, a band of rows at a time.

    scan_joined.py FOLDER
"""

import itertools
import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
DTYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f32": np.float32}
OPS = ["addi", "muli", "minsi", "maxsi", "minui", "maxui", "andi", "ori", "xori"]
# Each op with one type of integers, in turn, each type with several; extremes of floats.
KINDS = [*zip(OPS, itertools.cycle(["i8", "i16", "i32", "i64"])), ("addi", "i64"), ("minimumf", "f32"), ("maximumf", "f32")]
WIDTHS = [0, 1, 5, 16, 63, 64, 65, 131]


def program(op, ty, side, is_banded):
    start = "-0.5" if ty == "f32" else "11"
    down = f"""
  %d = pipeline.scan "down" (%y, %x) along 0 {{
    %v = pipeline.load %s[%y, %x] : tensor<?x?x{ty}>
    %p = pipeline.previous 1 or %start : {ty}
    %r = arith.{op} %p, %v : {ty}
    pipeline.yield %r : {ty}
  }} sized(%h, %w) : tensor<?x?x{ty}>"""
    result = "%d" if is_banded else "%s"
    return f"""
func.func @f(%img: tensor<?x?x{ty}> {{weft.name = "img"}}) -> (tensor<?x?x{ty}> {{weft.name = "r"}}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?x{ty}>
  %w = tensor.dim %img, %c1 : tensor<?x?x{ty}>
  %start = arith.constant {start} : {ty}
  %s = pipeline.scan "along" (%y, %x) along 1 {side} {{
    %v = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?x{ty}>
    %p = pipeline.previous 1 or %start : {ty}
    %r = arith.{op} %v, %p : {ty}
    pipeline.yield %r : {ty}
  }} sized(%h, %w) : tensor<?x?x{ty}>{down * is_banded}
  return {result} : tensor<?x?x{ty}>
}}
"""


def result(source, target, *more):
    out = folder / f"{target}.npy"
    command = ["pipeline-run", source, "--target", target, "--arg", f"img={folder}/img.npy", "--out", f"r={out}", *more]
    subprocess.run(command, check=True, capture_output=True)
    return np.load(out)


def image(random, op, ty, shape):
    if ty == "f32":
        # NaN of one kind, zeros of both signs, infinities.
        return random.choice(np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.5, -2.5], np.float32), shape)
    ends = np.iinfo(DTYPES[ty])
    return random.integers(ends.min, ends.max, shape, DTYPES[ty], endpoint=True) | DTYPES[ty](op == "muli")


random = np.random.default_rng(7)
joined = 0
for number, (op, ty) in enumerate(KINDS):
    for side, is_banded in [("", False), ("backward", number % 2 == 1)]:
        source = folder / f"{op}-{ty}{side}.mlir"
        source.write_text(program(op, ty, side, is_banded))
        tiled = ["pipeline-opt", source, "--infer-bounds", "--cpu-tile=target=zen5"]
        joined += "vector.shuffle" in subprocess.run(tiled, check=True, capture_output=True, text=True).stdout
        for shape in [(17, width) for width in WIDTHS[number % 2 :: 2]]:
            np.save(folder / "img.npy", image(random, op, ty, shape))
            expected, found = result(source, "reference"), result(source, "cpu")
            assert found.shape == expected.shape == shape, (op, ty, found.shape)
            assert found.tobytes() == expected.tobytes(), (op, ty, side, shape, np.argwhere(found != expected)[:3])
assert joined == 2 * len(KINDS), joined
print(f"{len(KINDS)} ways to join agree")
