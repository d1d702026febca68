"""Scatters whose places are variables of their domain, as sums of rows and columns: the CPU, in vectors and point by point, gives the bits of the reference.

    projections.py FOLDER
"""

import itertools
import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
# Types, how updates are combined, and what places begin with.
KINDS = [("i32", "addi", 5), ("i8", "minui", -1), ("f32", "addf", 0.5), ("f32", "maximumf", -1.0), ("f64", "mulf", 1.0), ("i16", "muli", 3)]
DTYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "f32": np.float32, "f64": np.float64}
SIZES = [(1, 1, 1), (2, 3, 70), (3, 19, 33), (5, 40, 139), (2, 600, 7)]
VARIABLES = ["%z", "%y", "%x"]


def programs(ty, combine, first):
    """A scatter for each choice of variables, in each order, one with a coordinate, and one with two results."""
    image = f"tensor<?x?x?x{ty}>"
    begin = [f"    %v = pipeline.load %img[%z, %y, %x] : {image}"]
    places = [list(some) for count in (1, 2) for some in itertools.permutations(range(3), count)]
    scatters, results = [], []
    for number, place in enumerate(places):
        extents = ", ".join(f"%e{d}" for d in place)
        at = ", ".join(VARIABLES[d] for d in place)
        result = f"tensor<{'x'.join('?' * len(place))}x{ty}>"
        scatters += [
            f'  %s{number} = pipeline.scatter "s{number}" () over (%z, %y, %x) in [0, %e0) x [0, %e1) x [0, %e2) from(%first : {ty}) combine "arith.{combine}" {{',
            *begin,
            f"    pipeline.update %v at [{at}] : {ty}",
            f"  }} sized({extents}) : {result}",
        ]
        results.append((f"%s{number}", result))
    result = f"tensor<?x?x{ty}>"
    scatters += [
        f'  %c = pipeline.scatter "c" (%z) over (%y, %x) in [0, %e1) x [0, %e2) from(%first : {ty}) combine "arith.{combine}" {{',
        *begin,
        f"    pipeline.update %v at [%x] : {ty}",
        f"  }} sized(%e0, %e2) : {result}",
        f'  %r, %q = pipeline.scatter "r" (%z) over (%y, %x) in [0, %e1) x [0, %e2) from(%first, %first : {ty}, {ty}) combine "arith.{combine}" {{',
        f"    %v = pipeline.load %img[%z, %y, %x] : {image}",
        f"    %w = pipeline.load %img[%z, %y, %x + 1] clamp : {image}",
        f"    pipeline.update %v, %w at [%y] : {ty}, {ty}",
        f"  }} sized(%e0, %e1) : {result}, {result}",
    ]
    results += [(name, result) for name in ("%c", "%r", "%q")]
    lines = [f'func.func @f(%img: {image} {{weft.name = "img"}}) -> (']
    lines[0] += ", ".join(f'{ty} {{weft.name = "r{number}"}}' for number, (_, ty) in enumerate(results)) + ") {"
    for d in range(3):
        lines += [f"  %c{d} = arith.constant {d} : index", f"  %e{d} = tensor.dim %img, %c{d} : {image}"]
    lines += [f"  %first = arith.constant {first} : {ty}", *scatters]
    names, types = (", ".join(part) for part in zip(*results))
    return "\n".join([*lines, f"  return {names} : {types}", "}", ""]), len(results)


def main():
    random = np.random.default_rng(11)
    for number, (ty, combine, first) in enumerate(KINDS):
        text, count = programs(ty, combine, first)
        source = folder / f"{number}.mlir"
        source.write_text(text)
        for size in SIZES:
            is_float = ty[0] == "f"
            image = random.random(size) + 0.5 if is_float else random.integers(-100, 100, size)
            image = image.astype(DTYPES[ty])
            if combine == "maximumf":
                image[random.random(size) < 0.01] = np.nan
            np.save(folder / "img.npy", image)
            found = []
            for target, *options in (["reference"], ["cpu"], ["cpu", "--pipeline-options", "vectors=false"]):
                outs = [folder / f"out{result}.npy" for result in range(count)]
                command = ["pipeline-run", source, "--target", target, *options, "--arg", f"img={folder}/img.npy"]
                command += [word for result, out in enumerate(outs) for word in ("--out", f"r{result}={out}")]
                subprocess.run(command, check=True, capture_output=True)
                found.append([np.load(out) for out in outs])
            for others in found[1:]:
                for result, (one, other) in enumerate(zip(found[0], others)):
                    assert one.shape == other.shape and np.array_equal(one, other, equal_nan=is_float), (ty, combine, size, result)
    print(f"{len(KINDS)} programs of {len(SIZES)} sizes agree")


main()
