"""Elements of rows at multiples of the column, on the CPU, which looks them up in windows of a row, beside NumPy: made larger, smaller, many times
smaller, and turned round, of rows that are shorter than a window and longer, planar and of pixels.

    resampled.py FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
COLUMNS = 200
# Channels of a pixel, or none, and elements.
KINDS = [(0, "i8"), (2, "i8"), (3, "i8"), (4, "i8"), (0, "i16"), (0, "f32"), (3, "f32")]
DTYPES = {"i8": np.uint8, "i16": np.uint16, "f32": np.float32}
# Columns of the image, how far apart the columns are that are read, and the first of them.
CASES = [(120, 0.5, -3.0), (320, 1.5, 0.25), (330, -1.5, 301.0), (1000, 5.0, -0.5), (5000, 23.0, 7.0), (1, 1.0, 0.0)]


def program(channels, ty):
    """Each point is the sum of the one at its place and the one beside that."""
    pixels = f"x{channels}" if channels else ""
    image, result = f"tensor<?x?{pixels}x{ty}>", f"tensor<?x{COLUMNS}{pixels}x{ty}>"
    coordinates, channel = ("%y, %x, %c", ", %c") if channels else ("%y, %x", "")
    return f"""func.func @f(%img: {image} {{weft.name = "img"}}, %scale: f32 {{weft.name = "scale"}}, %start: f32 {{weft.name = "start"}})
    -> ({result} {{weft.name = "out"}}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : {image}
  %out = pipeline.stage "out" ({coordinates}) {{
    %column = arith.index_cast %x : index to i32
    %number = arith.sitofp %column : i32 to f32
    %scaled = arith.mulf %number, %scale : f32
    %moved = arith.addf %scaled, %start : f32
    %floor = math.floor %moved : f32
    %whole = arith.fptosi %floor : f32 to i32
    %at = arith.index_cast %whole : i32 to index
    %beside = arith.addi %at, %c1 : index
    %a = pipeline.gather %img[%y, %at{channel}] clamp : {image}
    %b = pipeline.gather %img[%y, %beside{channel}] clamp : {image}
    %sum = arith.add{"f" if ty == "f32" else "i"} %a, %b : {ty}
    pipeline.yield %sum : {ty}
  }} sized(%h) : {result}
  return %out : {result}
}}
"""


# Columns of the image, and `(x * mul - less) floordiv by`: factors that no vector is a multiple of.
RATIOS = [(150, 4, 1, 6), (70, 1, 0, 3), (160, 5, 3, 7), (40, 1, 2, 5), (9000, 301, 40, 7), (3, -1, -199, 9)]


def ratio(ty, mul, less, by):
    """Each point is the one at the place that a ratio says."""
    image, result = f"tensor<?x?x{ty}>", f"tensor<?x{COLUMNS}x{ty}>"
    return f"""func.func @f(%img: {image} {{weft.name = "img"}}) -> ({result} {{weft.name = "out"}}) {{
  %c0 = arith.constant 0 : index
  %h = tensor.dim %img, %c0 : {image}
  %out = pipeline.stage "out" (%y, %x) {{
    %a = pipeline.load %img[%y, (%x * {mul} - {less}) floordiv {by}] clamp : {image}
    pipeline.yield %a : {ty}
  }} sized(%h) : {result}
  return %out : {result}
}}
"""


random = np.random.default_rng(5)
for ty in ["i8", "f32"]:
    for columns, mul, less, by in RATIOS:
        source = folder / f"{ty}-{mul}-{by}.mlir"
        source.write_text(ratio(ty, mul, less, by))
        image = random.integers(0, 256, (3, columns)).astype(DTYPES[ty])
        np.save(folder / "img.npy", image)
        run = ["pipeline-run", source, "--target", "cpu", "--arg", f"img={folder}/img.npy"]
        subprocess.run([*run, "--out", f"out={folder}/out.npy"], check=True, stdout=subprocess.DEVNULL)
        at = np.clip((np.arange(COLUMNS) * mul - less) // by, 0, columns - 1)
        found = np.load(folder / "out.npy").view(DTYPES[ty])
        assert np.array_equal(found, image[:, at]), (ty, columns, mul, less, by)
for channels, ty in KINDS:
    source = folder / f"{channels}-{ty}.mlir"
    source.write_text(program(channels, ty))
    for columns, scale, start in CASES:
        shape = (3, columns, channels) if channels else (3, columns)
        image = random.integers(0, 256, shape).astype(DTYPES[ty])
        np.save(folder / "img.npy", image)
        run = ["pipeline-run", source, "--target", "cpu", "--arg", f"img={folder}/img.npy", "--arg", f"scale={scale}"]
        run += [f"--arg=start={start}", "--out", f"out={folder}/out.npy"]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        at = np.floor(np.arange(COLUMNS, dtype=np.float32) * np.float32(scale) + np.float32(start)).astype(int)
        one, other = (image[:, np.clip(at + more, 0, columns - 1)] for more in (0, 1))
        found = np.load(folder / "out.npy").view(DTYPES[ty])
        assert np.array_equal(found, one + other), (channels, ty, columns, scale, start)
