"""Two neighbours at places that are computed, or four, as linear and cubic interpolation read them, on the CPU, which loads all at once, beside
the reference, which does not: the same bits, at all sizes from one column on, wherever the places lie.

    pairs.py FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
DTYPES = {"i8": np.int8, "i16": np.int16, "f16": np.float16, "f32": np.float32, "i64": np.int64}
# The type of the image, columns from the place on, what lies beyond the edge, and whether CPUs load all at once.
KINDS = [
    ("i8", (0, 1), "clamp", True),
    ("i8", (0, -1), "constant(%edge)", True),
    ("i16", (5, 4), "clamp", True),
    ("f16", (-1, 0), "constant(%edge)", True),
    ("f32", (0, 1), "clamp", True),
    ("i64", (0, 1), "clamp", False),
    ("i8", (0, 2), "clamp", False),
    ("i8", (0, 1), "wrap", False),
    ("f32", (-1, 0, 1, 2), "clamp", True),
    ("i8", (2, 1, 0, -1), "constant(%edge)", True),
    ("f16", (0, 1, 2, 3), "clamp", True),
    ("i64", (0, 1, 2, 3), "clamp", False),
    ("f32", (0, 1, 2, 4), "clamp", False),
]


def program(ty, columns, boundary):
    image = f"tensor<?x?x{ty}>"
    edge = "-1.5" if ty[0] == "f" else "-5"
    lines = [
        f'func.func @f(%img: {image} {{weft.name = "img"}}, %at: tensor<?x?xi32> {{weft.name = "at"}})',
        f'    -> (tensor<?x?x{ty}> {{weft.name = "r0"}}, tensor<?x?x{ty}> {{weft.name = "r1"}}, tensor<?x?x{ty}> {{weft.name = "r2"}}) {{',
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %h = tensor.dim %at, %c0 : tensor<?x?xi32>",
        "  %w = tensor.dim %at, %c1 : tensor<?x?xi32>",
        f"  %edge = arith.constant {edge} : {ty}",
        '  %out:3 = pipeline.stage "s" (%y, %x) {',
        "    %place = pipeline.load %at[%y, %x] : tensor<?x?xi32>",
        "    %j = arith.index_cast %place : i32 to index",
        "    %hundred = arith.constant 100 : index",
        "    %i = arith.floordivsi %j, %hundred : index",
    ]
    for number, column in enumerate(columns):
        lines += [
            f"    %k{number} = arith.constant {column} : index",
            f"    %j{number} = arith.addi %j, %k{number} : index",
            f"    %v{number} = pipeline.gather %img[%i, %j{number}] {boundary} : {image}",
        ]
    # Another row, whose neighbours are others.
    lines.append("    %below = arith.addi %i, %c1 : index")
    lines += [f"    %b{number} = pipeline.gather %img[%below, %j{number}] {boundary} : {image}" for number in range(len(columns))]
    rest, below = "%v1", "%b0"
    kind = "f" if ty[0] == "f" else "i"
    for number in range(1, len(columns)):
        lines.append(f"    %s{number} = arith.add{kind} {below}, %b{number} : {ty}")
        below = f"%s{number}"
    for number in range(2, len(columns)):
        lines.append(f"    %d{number} = arith.sub{kind} {rest}, %v{number} : {ty}")
        rest = f"%d{number}"
    lines += [
        f"    pipeline.yield %v0, {rest}, {below} : {ty}, {ty}, {ty}",
        f"  }} sized(%h, %w) : tensor<?x?x{ty}>, tensor<?x?x{ty}>, tensor<?x?x{ty}>",
        "  return %out#0, %out#1, %out#2 : " + ", ".join(3 * [f"tensor<?x?x{ty}>"]),
        "}",
    ]
    return "\n".join(lines)


def results(source, target):
    outs = [folder / f"{target}{i}.npy" for i in range(3)]
    command = ["pipeline-run", source, "--target", target, "--arg", f"img={folder}/img.npy", "--arg", f"at={folder}/at.npy"]
    command += [word for i, out in enumerate(outs) for word in ("--out", f"r{i}={out}")]
    subprocess.run(command, check=True, capture_output=True)
    return [np.load(out) for out in outs]


random = np.random.default_rng(7)
for number, (ty, columns, boundary, are_together) in enumerate(KINDS):
    source = folder / f"{number}.mlir"
    source.write_text(program(ty, columns, boundary))
    lowered = ["pipeline-opt", source, "--cpu-tile=target=zen4", "--canonicalize", "--cse", "--vectorize"]
    lowered = subprocess.run(lowered, check=True, capture_output=True, text=True).stdout
    assert (f"vector<{len(columns)}x{ty}>" in lowered) == are_together, (ty, columns, boundary, lowered)
    for shape in [(1, 1), (1, 7), (9, 1), (2, 2), (41, 67)]:
        image = random.integers(-100, 100, shape).astype(DTYPES[ty])
        at = random.integers(-300, shape[0] * 100 + 300, (13, 83)).astype(np.int32)
        at[0, :4] = [2**31 - 1, -(2**31), 2**31 - 2, 0]
        np.save(folder / "img.npy", image)
        np.save(folder / "at.npy", at)
        for one, other in zip(results(source, "cpu"), results(source, "reference")):
            assert one.shape == at.shape and one.tobytes() == other.tobytes(), (number, shape, np.argwhere(one != other)[:3])
print(f"{len(KINDS)} kinds of neighbours agree")
