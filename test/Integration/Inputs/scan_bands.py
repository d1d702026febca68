"""Scans along rows and along columns that read each other, a band of rows at a time on the CPU, beside the reference, which does one after
the other: the same bits. The CPU has so small a cache that a band is 32 rows.

    scan_bands.py FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
DTYPES = {"i8": np.uint8, "i32": np.int32, "f32": np.float32, "f64": np.float64}
CPU = """name = "small"
cores = 1
vector = 64
l1 = 8192
l2 = 65536
l3 = 65536
clock = 3.0
bandwidth = 40.0
cache_bandwidth = 80.0
non_temporal = 4096
"""
# What the image has, and the scans: of which one the next reads, at which offset of columns, along which dimension, to which side, how far
# back, and of which type. `-1` is the image. Then the scans that are results.
X, Y = 1, 0
PROGRAMS = [
    # An integral image: sums along x, then along y, of wider integers.
    ("i8", [(-1, 0, X, "", 1, "i32"), (0, 0, Y, "", 1, "i32")], [1]),
    # The other way round, upwards.
    ("i32", [(-1, 0, Y, "backward", 1, "i32"), (0, 0, X, "", 1, "i32")], [1]),
    # There and back along rows, and down, eight rows back.
    ("f32", [(-1, 0, X, "", 1, "f32"), (0, 0, X, "backward", 2, "f32"), (1, 0, Y, "", 8, "f32")], [2]),
    # Two down, of which the second one reads the first, then along rows; the first is a result, too.
    ("f32", [(-1, 0, Y, "", 3, "f32"), (0, 0, Y, "", 1, "f32"), (1, 0, X, "backward", 1, "f32")], [2, 0]),
    # A neighbour of the row is read; rows are a result, too.
    ("f64", [(-1, 0, X, "", 1, "f64"), (0, 3, Y, "backward", 2, "f64")], [1, 0]),
    # Down and up: not a band at a time.
    ("i32", [(-1, 0, X, "", 1, "i32"), (0, 0, Y, "", 1, "i32"), (1, 0, Y, "backward", 1, "i32")], [2]),
    # Farther back than registers keep.
    ("i32", [(-1, 0, X, "", 9, "i32"), (0, 0, Y, "", 9, "i32")], [1]),
    # The image is read beside what the other chain gives.
    ("i32", [(-1, 0, X, "", 1, "i32"), (0, -1, Y, "", 1, "i32"), (1, 0, Y, "", 2, "i32")], [2]),
]


def program(ty, scans, results, rank):
    extents = "x".join("?" * rank)
    sizes = ", ".join(f"%e{d}" for d in range(rank))
    arguments = ", ".join(["%c", "%y", "%x"][3 - rank :])
    lines = [f'func.func @f(%img: tensor<{extents}x{ty}> {{weft.name = "img"}}) -> (']
    of = [(f"%s{scan}", scans[scan][5]) for scan in results]
    lines[0] += ", ".join(f'tensor<{extents}x{ty}> {{weft.name = "r{i}"}}' for i, (_, ty) in enumerate(of)) + ") {"
    for d in range(rank):
        lines += [f"  %c{d} = arith.constant {d} : index", f"  %e{d} = tensor.dim %img, %c{d} : tensor<{extents}x{ty}>"]
    for number, (source, offset, along, side, back, own) in enumerate(scans):
        name, element = ("%img", ty) if source < 0 else (f"%s{source}", scans[source][5])
        column = f"%x + {offset}" if offset >= 0 else f"%x - {-offset}"
        at = ", ".join(["%c", "%y"][3 - rank :] + [column])
        is_float = own[0] == "f"
        lines += [
            f'  %s{number} = pipeline.scan "s{number}" ({arguments}) along {along + rank - 2} {side} {{',
            f"    %v = pipeline.load {name}[{at}] clamp : tensor<{extents}x{element}>",
            f"    %w = arith.extui %v : {element} to {own}" if element != own else f"    %w = arith.{'addf' if is_float else 'addi'} %v, %v : {own}",
            f"    %p = pipeline.previous {back} or %w : {own}",
            f"    %k = arith.constant {'0.4375' if is_float else '3'} : {own}",
            f"    %q = arith.{'mulf' if is_float else 'muli'} %p, %k : {own}",
            f"    %r = arith.{'addf' if is_float else 'subi'} %w, %q : {own}",
            f"    pipeline.yield %r : {own}",
            f"  }} sized({sizes}) : tensor<{extents}x{own}>",
        ]
    names, types = ", ".join(name for name, _ in of), ", ".join(f"tensor<{extents}x{ty}>" for _, ty in of)
    return "\n".join([*lines, f"  return {names} : {types}", "}"])


def results(source, target, count, *more):
    outs = [folder / f"{target}{i}.npy" for i in range(count)]
    command = ["pipeline-run", source, "--target", target, "--arg", f"img={folder}/img.npy", *more]
    command += [word for i, out in enumerate(outs) for word in ("--out", f"r{i}={out}")]
    subprocess.run(command, check=True, capture_output=True)
    return [np.load(out) for out in outs]


def has_bands(text):
    """Whether a loop over threads stands in one that is not."""
    outer = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        outer = [(depth, op) for depth, op in outer if depth < indent]
        if "scf.parallel" in line and outer and "scf.for" in outer[-1][1]:
            return True
        outer.append((indent, line))
    return False


(folder / "small.toml").write_text(CPU)
random = np.random.default_rng(5)
banded = 0
for number, (ty, scans, of) in enumerate(PROGRAMS):
    for rank in (2, 3):
        source = folder / f"{number}-{rank}.mlir"
        source.write_text(program(ty, scans, of, rank))
        tiled = ["pipeline-opt", source, "--infer-bounds", f"--cpu-tile=target={folder}/small.toml"]
        tiled = subprocess.run(tiled, check=True, capture_output=True, text=True).stdout
        banded += has_bands(tiled)
        for shape in [(0, 5), (5, 0), (1, 1), (33, 2), (131, 77)] if rank == 2 else [(3, 70, 21)]:
            if np.issubdtype(DTYPES[ty], np.floating):
                image = random.standard_normal(shape).astype(DTYPES[ty])
            else:
                image = random.integers(0, 200, shape, DTYPES[ty])
            np.save(folder / "img.npy", image.view(np.int8) if ty == "i8" else image)
            expected = results(source, "reference", len(of))
            found = results(source, "cpu", len(of), "--pipeline-options", f"target={folder}/small.toml")
            for one, other in zip(found, expected):
                assert one.shape == other.shape == shape and one.tobytes() == other.tobytes(), (number, shape, np.argwhere(one != other)[:3])
assert banded == 2 * (len(PROGRAMS) - 2), banded
print(f"{len(PROGRAMS)} programs agree")
