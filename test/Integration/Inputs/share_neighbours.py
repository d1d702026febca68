"""Stages that --share-neighbours splits, on the CPU, beside the reference, which does not: the same bits, at all sizes down to none.

    share_neighbours.py FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np
from everywhere import CPU, everywhere

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
DTYPES = {"i16": np.int16, "f32": np.float32}
OPPOSITES = [(-1, 0), (1, 0), (0, -2), (0, 2), (-1, 2), (1, -2)]
AROUND = [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)]
# The type of the image, what is asked of two points, which points, and what lies beyond the edge.
KINDS = [
    ("f32", "weight", OPPOSITES, "clamp"),
    ("f32", "weight", OPPOSITES, "constant(%edge)"),
    ("f32", "flow", OPPOSITES, "clamp"),
    ("f32", "flow", OPPOSITES[:2], "constant(%edge)"),
    ("f32", "apart", AROUND, "reflect101"),
    ("i16", "weight", OPPOSITES, "wrap"),
    ("i16", "apart", AROUND, "mirror"),
]
# Of %a and %b, a value %r; of two points each the other's, or of a point and the one below it.
FUNCTIONS = {
    ("f32", "weight"): ["%d = arith.subf %a, %b", "%s = arith.mulf %d, %d", "%t = arith.addf %s, %one", "%q = arith.divf %one, %t", "%r = math.sqrt %q"],
    ("f32", "flow"): ["%d = arith.subf %a, %b", "%s = arith.mulf %d, %d", "%t = arith.addf %s, %one", "%q = arith.divf %d, %t", "%r = arith.negf %q"],
    ("f32", "apart"): ["%d = arith.subf %a, %b", "%s = math.absf %d", "%q = math.sqrt %s", "%r = arith.maximumf %q, %b"],
    ("i16", "weight"): ["%d = arith.subi %b, %a", "%s = arith.muli %d, %d", "%t = arith.ori %s, %one", "%q = arith.divui %a, %t", "%u = arith.divui %b, %t", "%r = arith.addi %q, %u"],
    ("i16", "apart"): ["%d = arith.subi %a, %b", "%s = math.absi %d", "%t = arith.ori %s, %one", "%r = arith.remsi %a, %t"],
}


def program(ty, function, points, boundary):
    """Each point's value by its number: %a3."""
    image = f"tensor<?x?x{ty}>"
    lines = [] if function == "apart" else [f"%here = pipeline.load %img[%y, %x] : {image}"]
    for number, (y, x) in enumerate(points):
        lines.append(f"%a{number} = pipeline.load %img[%y + {y}, %x + {x}] {boundary} : {image}")
        if function == "apart":
            lines.append(f"%b{number} = pipeline.load %img[%y + {y + 1}, %x + {x}] {boundary} : {image}")
        for line in FUNCTIONS[ty, function]:
            for name in "abdsqrtu":
                line = line.replace(f"%{name} ", f"%{name}{number} ").replace(f"%{name},", f"%{name}{number},")
                line = line if not line.endswith(f"%{name}") else f"{line}{number}"
            lines.append(f"{line.replace('%b' + str(number), '%here') if function != 'apart' else line} : {ty}")
    add = "arith.addf" if ty == "f32" else "arith.addi"
    total = "%r0"
    for number in range(1, len(points)):
        lines.append(f"%total{number} = {add} {total}, %r{number} : {ty}")
        total = f"%total{number}"
    body = "\n    ".join(lines)
    number = "1.0" if ty == "f32" else "1"
    return f"""func.func @f(%img: {image} {{weft.name = "img"}}) -> ({image} {{weft.name = "out"}}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : {image}
  %w = tensor.dim %img, %c1 : {image}
  %edge = arith.constant {number} : {ty}
  %one = arith.constant {number} : {ty}
  %out = pipeline.stage "s" (%y, %x) {{
    {body}
    pipeline.yield {total} : {ty}
  }} sized(%h, %w) : {image}
  return %out : {image}
}}
"""


random = np.random.default_rng(4)
for number, kind in enumerate(KINDS):
    dtype = DTYPES[kind[0]]
    source = folder / f"{number}.mlir"
    source.write_text(program(*kind))
    split = subprocess.run(["pipeline-opt", source, "--share-neighbours"], check=True, capture_output=True, text=True).stdout
    assert "s_common" in split, (kind, split)
    for shape in [(0, 5), (5, 0), (1, 1), (1, 40), (37, 2), (33, 75)]:
        if np.issubdtype(dtype, np.floating):
            image = random.choice([0.0, -0.0, 3e-39, 1e30, -1.5, 2.25], shape).astype(dtype)
        else:
            image = random.choice([0, 1, -1, 7, -32768, 32767], shape).astype(dtype)
        everywhere(folder, source, {"img": image}, ["out"], [CPU])
print(f"{len(KINDS)} stages agree")
