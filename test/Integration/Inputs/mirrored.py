"""Images that are read from their ends, as flips and turns are, on every target, beside NumPy's.

    mirrored.py FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
DTYPES = {"i8": np.int8, "i32": np.int32, "f32": np.float32}
# Where each coordinate reads, "-" for from the end, and the same of an array.
TURNS = {
    "flip": (["y", "-x"], lambda image: image[:, ::-1]),
    "turn": (["-y", "-x"], lambda image: image[::-1, ::-1]),
    "quarter": (["-x", "y"], lambda image: np.swapaxes(image[::-1], 0, 1)),
    "back": (["x", "-y"], lambda image: np.swapaxes(image[:, ::-1], 0, 1)),
}
SIZES = [(1, 1), (3, 5), (70, 131)]
# What a turn is of: elements, and channels of pixels or none.
KINDS = {"flip": [("i8", 0), ("f32", 0), ("i8", 3), ("i32", 4)], "turn": [("i8", 3)], "quarter": [("i8", 0), ("f32", 0)], "back": [("i8", 3)]}


def program(ty, places, channels):
    """A stage that reads rows and columns where `places` say."""
    image = f"tensor<?x?x{f'{channels}x' if channels else ''}{ty}>"
    coordinates = "%y, %x, %c" if channels else "%y, %x"
    lines = [
        f'func.func @f(%img: {image} {{weft.name = "img"}}) -> ({image} {{weft.name = "out"}}) {{',
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        f"  %h = tensor.dim %img, %c0 : {image}",
        f"  %w = tensor.dim %img, %c1 : {image}",
        "  %row = arith.subi %h, %c1 : index",
        "  %column = arith.subi %w, %c1 : index",
        f'  %out = pipeline.stage "out" ({coordinates}) {{',
    ]
    indices = []
    for dimension, place in zip(["row", "column"], places):
        indices.append(f"%{place.strip('-')}")
        if place.startswith("-"):
            lines.append(f"    %from_{dimension} = arith.subi %{dimension}, {indices[-1]} : index")
            indices[-1] = f"%from_{dimension}"
    indices += ["%c"] if channels else []
    extents = "%h, %w" if "y" in places[0] else "%w, %h"
    return "\n".join(
        lines
        + [
            f"    %v = pipeline.gather %img[{', '.join(indices)}] clamp : {image}",
            f"    pipeline.yield %v : {ty}",
            f"  }} sized({extents}) : {image}",
            f"  return %out : {image}",
            "}",
        ]
    )


random = np.random.default_rng(11)
for name, (places, turned) in TURNS.items():
    for ty, channels in KINDS[name]:
        source = folder / f"{name}-{ty}-{channels}.mlir"
        source.write_text(program(ty, places, channels))
        for size in SIZES:
            shape = (*size, channels) if channels else size
            image = random.integers(-128, 128, shape).astype(DTYPES[ty])
            np.save(folder / "img.npy", image)
            for target in ["cpu", "simt"] if size == SIZES[1] else ["cpu"]:
                run = ["pipeline-run", source, "--target", target, "--arg", f"img={folder}/img.npy"]
                subprocess.run([*run, "--out", f"out={folder}/out.npy"], check=True, stdout=subprocess.DEVNULL)
                found = np.load(folder / "out.npy")
                assert np.array_equal(found, turned(image)), (name, ty, channels, size, target)
