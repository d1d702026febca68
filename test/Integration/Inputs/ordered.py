"""Maxima of maxima, and minima of minima, on floats of all kinds, on each target against NumPy's: ordered.py FOLDER"""

import pathlib
import subprocess
import sys

import numpy as np

ROWS, COLUMNS = 37, 203
# What the last stage reads: the image of maxima of so many rows, and how far away.
READ = [(tall, dy, dx) for dx in range(-5, 6) for tall, dy in [(4, -abs(dx)), (8, dx)]]


def program(name, op):
    """Images of the extremes of 2, 4 and 8 rows, and the extreme of many of these."""
    image = f"tensor<{ROWS}x{COLUMNS}xf32>"
    lines = [f'func.func @{name}(%a: {image} {{weft.name = "a"}}) -> ({image} {{weft.name = "found"}}) {{']
    source = "%a"
    for tall in [2, 4, 8]:
        lines += [
            f'  %t{tall} = pipeline.stage "t{tall}" (%y, %x) {{',
            f"    %0 = pipeline.load {source}[%y, %x] : {image}",
            f"    %1 = pipeline.load {source}[%y + {tall // 2}, %x] clamp : {image}",
            f"    %2 = arith.{op} %0, %1 : f32",
            "    pipeline.yield %2 : f32",
            f"  }} : {image}",
        ]
        source = f"%t{tall}"
    lines += ['  %found = pipeline.stage "found" (%y, %x) {']
    for number, (tall, dy, dx) in enumerate(READ):
        lines += [f"    %l{number} = pipeline.load %t{tall}[%y + {dy}, %x + {dx}] clamp : {image}"]
        lines += [f"    %m{number} = arith.{op} %m{number - 1}, %l{number} : f32"] if number > 1 else []
        lines += [f"    %m1 = arith.{op} %l0, %l1 : f32"] if number == 1 else []
    lines += [f"    pipeline.yield %m{len(READ) - 1} : f32", f"  }} : {image}", f"  return %found : {image}", "}"]
    return "\n".join(lines)


def at(image, dy, dx):
    rows, columns = (np.clip(np.arange(n) + d, 0, n - 1) for n, d in zip(image.shape, (dy, dx), strict=True))
    return image[np.ix_(rows, columns)]


def extreme(op, a, b):
    """The greater or the lesser, -0 below 0, NaN where one is."""
    is_most = op == "maximumf"
    found = (np.maximum if is_most else np.minimum)(a, b)
    signs = np.signbit(a) & np.signbit(b) if is_most else np.signbit(a) | np.signbit(b)
    zero = np.where(signs, np.float32(-0.0), np.float32(0.0))
    return np.where((a == 0) & (b == 0), zero, found)


def expected(op, image):
    tall = {1: image}
    for rows in [2, 4, 8]:
        half = tall[rows // 2]
        tall[rows] = extreme(op, half, at(half, rows // 2, 0))
    found, *rest = [at(tall[rows], dy, dx) for rows, dy, dx in READ]
    for other in rest:
        found = extreme(op, found, other)
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir()
    random = np.random.default_rng(7)
    kinds = np.array([0.0, -0.0, np.inf, -np.inf, 1e-45, -1e-45, 1.5, -1.5, 3e38, -3e38], np.float32)
    # Of few kinds in one part, so that all that is seen is a zero, or infinite; numbers without a sign, and with one, in others.
    image = np.concatenate([random.choice(kinds[:2], (12, COLUMNS)), random.choice(kinds, (13, COLUMNS)), random.normal(size=(12, COLUMNS))])
    image = image.astype(np.float32)
    image[15:20] = -np.abs(image[15:20])
    bits = image.view(np.uint32)
    for place, nan in [((3, 50), 0x7FC00000), ((22, 90), 0xFFC00000), ((30, 150), 0xFFFFFFFF), ((33, 20), 0x7F800001)]:
        bits[place] = nan
    np.save(folder / "a.npy", image)
    for name, op in [("most", "maximumf"), ("least", "minimumf")]:
        source, right = folder / f"{name}.mlir", expected(op, image)
        source.write_text(program(name, op))
        for target in ["reference", "cpu", "simt"]:
            result = folder / f"{name}.{target}.npy"
            command = ["pipeline-run", source, "--arg", f"a={folder}/a.npy", "--out", f"found={result}", "--target", target]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            found = np.load(result)
            is_number = ~np.isnan(right)
            assert (np.isnan(found) == ~is_number).all(), (name, target)
            assert (found.view(np.uint32)[is_number] == right.view(np.uint32)[is_number]).all(), (name, target)
        print(f"{name}: {np.isnan(right).sum()} NaN, {(right == 0).sum()} zeros: right")


main()
