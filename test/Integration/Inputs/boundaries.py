"""Boundary modes against NumPy, SciPy and OpenCV's rule, to the bit: all numbers are integers or halves, which floats hold.

    boundaries.py FOLDER
"""

import pathlib
import sys

import numpy as np
from scipy import ndimage

from c_library import library
from everywhere import BLOCK, CPU, POINT, WARP, everywhere, tiled

FOLDER = sys.argv[1]

# Ours: NumPy's, SciPy's with its synonyms, OpenCV's.
MODES = {
    "clamp": ("edge", ["nearest"], "REPLICATE"),
    "mirror": ("symmetric", ["reflect", "grid-mirror"], "REFLECT"),
    "reflect101": ("reflect", ["mirror"], "REFLECT_101"),
    "wrap": ("wrap", ["wrap", "grid-wrap"], "WRAP"),
    "constant": ("constant", ["constant", "grid-constant"], "CONSTANT"),
}
PADDING = 0.5
# Beyond any of the images below, several times.
OFFSETS = [-37, -5, -2, -1, 0, 1, 2, 7, 41]
WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9]
# Odd, so that the window has a middle.
REACH = 41
SHAPES = [(1, 1), (1, 2), (2, 3), (3, 2), (4, 5), (9, 33), (40, 70)]


def opencv(index, extent, mode):
    """Where borderInterpolate leads: reflections one after the other."""
    if 0 <= index < extent:
        return index
    if mode == "REPLICATE":
        return min(max(index, 0), extent - 1)
    if mode == "WRAP":
        return index % extent
    if mode == "CONSTANT":
        return -1
    if extent == 1:
        return 0
    skips = mode == "REFLECT_101"
    while not 0 <= index < extent:
        index = -index - 1 + skips if index < 0 else 2 * extent - 1 - index - skips
    return index


# ---- Sums along rows, then columns, and over windows ----------------------------------------------------------------------------


def sums(mode, at):
    """Lines of a body: the sum of weighted loads, each at `at(offset)`."""
    text = constant(mode)
    for number, (offset, weight) in enumerate(zip(OFFSETS, WEIGHTS)):
        text += f"""
    %l{number} = pipeline.load {at(offset)} {written(mode)} : tensor<?x?xf32>
    %w{number} = arith.constant {weight}.0 : f32
    %p{number} = arith.mulf %l{number}, %w{number} : f32"""
        text += f"\n    %s{number} = arith.addf %s{number - 1}, %p{number} : f32" if number else "\n    %s0 = arith.addf %p0, %zero : f32"
    return f"{text}\n    pipeline.yield %s{len(OFFSETS) - 1} : f32"


def written(mode):
    return "constant(%padding)" if mode == "constant" else mode


def constant(mode):
    return f"    %padding = arith.constant {PADDING} : f32" if mode == "constant" else ""


def filters(modes):
    """A program: for each mode the sums along rows, of these along columns, and of a window."""
    results = [f"{mode}_{what}" for mode in modes for what in ("rows", "both", "window")]
    types = ", ".join(f'tensor<?x?xf32> {{weft.name = "{name}"}}' for name in results)
    text = f"""
func.func @filters(%img: tensor<?x?xf32> {{weft.name = "img"}}) -> ({types}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32"""
    for mode in modes:
        text += f"""
  %{mode}_rows = pipeline.stage "{mode}_rows" (%y, %x) {{
{sums(mode, lambda o: f"%img[%y, %x + {o}]")}
  }} sized(%h, %w) : tensor<?x?xf32>
  %{mode}_both = pipeline.stage "{mode}_both" (%y, %x) {{
{sums(mode, lambda o: f"%{mode}_rows[%y + {o}, %x]")}
  }} sized(%h, %w) : tensor<?x?xf32>
  %{mode}_window = pipeline.stage "{mode}_window" (%y, %x) {{
{constant(mode)}
    %sum = pipeline.reduce (%ry, %rx) in [-3, 4) x [-5, 6) (%acc = %zero : f32) {{
      %p = pipeline.load %img[%y + %ry, %x + %rx] {written(mode)} : tensor<?x?xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    }} : f32
    pipeline.yield %sum : f32
  }} sized(%h, %w) : tensor<?x?xf32>"""
    names = ", ".join(f"%{name}" for name in results)
    return f"{text}\n  return {names} : {', '.join(['tensor<?x?xf32>'] * len(results))}\n}}\n", results


def padded_sums(img, axis, mode):
    """By np.pad."""
    around = [(REACH, REACH) if d == axis else (0, 0) for d in range(2)]
    more = {"constant_values": PADDING} if mode == "constant" else {}
    wide = np.pad(img, around, mode=MODES[mode][0], **more)
    take = lambda offset: np.take(wide, np.arange(img.shape[axis]) + REACH + offset, axis)
    return sum(weight * take(offset) for offset, weight in zip(OFFSETS, WEIGHTS))


def correlated(img, axis, mode):
    """By SciPy's correlate1d."""
    kernel = np.zeros(2 * REACH + 1)
    kernel[np.array(OFFSETS) + REACH] = WEIGHTS
    return ndimage.correlate1d(img, kernel, axis, mode=mode, cval=PADDING)


def interpolated(img, axis, mode):
    """By OpenCV's rule."""
    lines = np.moveaxis(img, axis, 0)
    extent = len(lines)
    total = np.zeros_like(lines)
    for offset, weight in zip(OFFSETS, WEIGHTS):
        places = [opencv(index + offset, extent, MODES[mode][2]) for index in range(extent)]
        total += weight * np.array([lines[place] if place >= 0 else np.full_like(lines[0], PADDING) for place in places])
    return np.moveaxis(total, 0, axis)


def same(what, found, expected):
    if not np.array_equal(found, expected.astype(found.dtype)):
        sys.exit(f"{what} differs:\n{found}\nexpected\n{expected}")


def check_filters(random):
    text, results = filters(MODES)
    program = pathlib.Path(FOLDER) / "filters.mlir"
    program.write_text(text)
    for shape in SHAPES:
        img = random.integers(0, 16, shape).astype(np.float32)
        found = everywhere(FOLDER, program, {"img": img}, results, [CPU, WARP, BLOCK, POINT])
        img = img.astype(np.float64)
        for mode, (_, scipys, _) in MODES.items():
            for way in (padded_sums, interpolated):
                rows = way(img, 1, mode)
                same(f"{mode} {shape} {way.__name__}, rows,", found[f"{mode}_rows"], rows)
                same(f"{mode} {shape} {way.__name__}, both,", found[f"{mode}_both"], way(rows, 0, mode))
            for scipy in scipys:
                rows = correlated(img, 1, scipy)
                same(f"{mode} {shape} {scipy}, rows,", found[f"{mode}_rows"], rows)
                same(f"{mode} {shape} {scipy}, both,", found[f"{mode}_both"], correlated(rows, 0, scipy))
                window = ndimage.correlate(img, np.ones((7, 11)), mode=scipy, cval=PADDING)
                same(f"{mode} {shape} {scipy}, window,", found[f"{mode}_window"], window)


# ---- Other ops, and places that are computed ------------------------------------------------------------------------------------

TABLE = [3.0, 1.0, 4.0, 1.0, 5.0]
STEPS = 5


def units(mode, shape):
    """Loads in a scan, a scatter and an iterate, a gather, and a table."""
    h, w = shape or ("?", "?")
    image, sized = f"tensor<{h}x{w}xf32>", "" if shape else " sized(%h, %w)"
    table = ", ".join(f"{value}" for value in TABLE)
    return f"""
func.func @units(%img: {image} {{weft.name = "img"}}, %ys: tensor<{h}x{w}xi32> {{weft.name = "ys"}}, %xs: tensor<{h}x{w}xi32> {{weft.name = "xs"}})
    -> ({image} {{weft.name = "gathered"}}, {image} {{weft.name = "looked_up"}}, {image} {{weft.name = "scanned"}},
        tensor<16xi32> {{weft.name = "counted"}}, {image} {{weft.name = "iterated"}}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant {STEPS} : index
  %h = tensor.dim %img, %c0 : {image}
  %w = tensor.dim %img, %c1 : {image}
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %table = arith.constant dense<[{table}]> : tensor<5xf32>
  %gathered = pipeline.stage "gathered" (%y, %x) {{
    %y32 = pipeline.load %ys[%y, %x] : tensor<{h}x{w}xi32>
    %x32 = pipeline.load %xs[%y, %x] : tensor<{h}x{w}xi32>
    %py = arith.index_cast %y32 : i32 to index
    %px = arith.index_cast %x32 : i32 to index
    %v = pipeline.gather %img[%py, %px] {mode} : {image}
    pipeline.yield %v : f32
  }}{sized} : {image}
  %looked_up = pipeline.stage "looked_up" (%y, %x) {{
    %x32 = pipeline.load %xs[%y, %x] : tensor<{h}x{w}xi32>
    %px = arith.index_cast %x32 : i32 to index
    %a = pipeline.gather %table[%px] {mode} : tensor<5xf32>
    %b = pipeline.load %table[%x * 3 - 17] {mode} : tensor<5xf32>
    %c = pipeline.load %gathered[%y + 3, %x - 2] {mode} : {image}
    %ab = arith.addf %a, %b : f32
    %v = arith.addf %ab, %c : f32
    pipeline.yield %v : f32
  }}{sized} : {image}
  %scanned = pipeline.scan "scanned" (%y, %x) along 1 {{
    %a = pipeline.load %img[%y - 1, %x - 3] {mode} : {image}
    %p = pipeline.previous 1 or %zero : f32
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  }}{sized} : {image}
  %counted = pipeline.scatter "counted" () over (%y, %x) in [0, %h) x [0, %w) from(%none : i32) combine "arith.addi" {{
    %a = pipeline.load %img[%y + 9, %x - 30] {mode} : {image}
    %a32 = arith.fptosi %a : f32 to i32
    %place = arith.index_cast %a32 : i32 to index
    pipeline.update %one at [%place] : i32
  }} : tensor<16xi32>
  %iterated = pipeline.iterate "iterated" %steps (%u = %img : {image}) {{
    %next = pipeline.stage "step" (%y, %x) {{
      %l = pipeline.load %u[%y, %x - 1] {mode} : {image}
      %r = pipeline.load %u[%y + 2, %x + 1] {mode} : {image}
      %s = arith.addf %l, %r : f32
      %v = arith.mulf %s, %half : f32
      pipeline.yield %v : f32
    }}{sized} : {image}
    pipeline.yield %next : {image}
  }}
  return %gathered, %looked_up, %scanned, %counted, %iterated : {image}, {image}, {image}, tensor<16xi32>, {image}
}}
"""


def read(image, places, mode):
    """The image at rows and columns, or wherever `places` are, by OpenCV's rule."""
    rule = np.vectorize(lambda index, extent: opencv(int(index), extent, MODES[mode][2]), otypes=[np.int64])
    # Far outside, reflections one after the other take long: the rule has the period 2n, or 2n - 2.
    period = lambda extent: 2 * extent * max(extent - 1, 1)
    inside = [rule(place % period(extent), extent) for place, extent in zip(places, image.shape)]
    return image[tuple(inside)]


def check_units(random):
    program = pathlib.Path(FOLDER) / "units.mlir"
    count = 0
    for mode in ("mirror", "reflect101"):
        for number, shape in enumerate([(1, 1), (2, 1), (1, 2), (3, 2), (5, 40), (30, 33)]):
            program.write_text(units(mode, shape if number % 2 else None))
            img = random.integers(0, 16, shape).astype(np.float32)
            ys, xs = (random.integers(-60, 60, shape).astype(np.int32) for _ in range(2))
            far = random.random(shape) < 0.3
            ys, xs = (np.where(far, random.integers(-(2**30), 2**30, shape), near).astype(np.int32) for near in (ys, xs))
            names = ["gathered", "looked_up", "scanned", "counted", "iterated"]
            found = everywhere(FOLDER, program, {"img": img, "ys": ys, "xs": xs}, names, [CPU, WARP, BLOCK, POINT])
            y, x = np.mgrid[: shape[0], : shape[1]]
            gathered = read(img, (ys.astype(np.int64), xs.astype(np.int64)), mode)
            table = np.array(TABLE)
            looked_up = read(table, (xs.astype(np.int64),), mode) + read(table, (x * 3 - 17,), mode) + read(gathered, (y + 3, x - 2), mode)
            iterated = img.astype(np.float64)
            for _ in range(STEPS):
                iterated = (read(iterated, (y, x - 1), mode) + read(iterated, (y + 2, x + 1), mode)) * 0.5
            expected = {
                "gathered": gathered,
                "looked_up": looked_up,
                "scanned": np.cumsum(read(img, (y - 1, x - 3), mode), axis=1),
                "counted": np.bincount(read(img, (y + 9, x - 30), mode).astype(int).ravel(), minlength=16),
                "iterated": iterated,
            }
            for name in names:
                same(f"{mode} {shape} {name}", found[name], expected[name])
            count += 1
    return count


# ---- Tiles of every kind ----------------------------------------------------------------------------------------------------------

CHAIN = """
func.func @chain(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %a = pipeline.stage "a" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 2] reflect101 : tensor<?x?xf32>
    %m = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %r = pipeline.load %img[%y, %x + 2] reflect101 : tensor<?x?xf32>
    %s = arith.addf %l, %m : f32
    %v = arith.subf %s, %r : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %t = pipeline.load %a[%y - 3, %x] reflect101 : tensor<?x?xf32>
    %m = pipeline.load %a[%y + 1, %x - 1] reflect101 : tensor<?x?xf32>
    %u = pipeline.load %a[%y + 2, %x + 2] reflect101 : tensor<?x?xf32>
    %s = arith.addf %t, %m : f32
    %v = arith.subf %s, %u : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %t = pipeline.load %b[%y, %x - 3] reflect101 : tensor<?x?xf32>
    %m = pipeline.load %b[%y, %x] : tensor<?x?xf32>
    %u = pipeline.load %b[%y - 1, %x + 1] reflect101 : tensor<?x?xf32>
    %s = arith.addf %t, %m : f32
    %v = arith.addf %s, %u : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
"""


def kinds():
    """Ways with tiles in shared memory, hybrid, and in registers, streamed and not."""
    schedule = lambda entries: tiled(f"strategy=all schedule={{{entries}}}")
    for fraction in ("0.0", "0.5", "1.0"):
        yield schedule(f"tile = array<i64: 8, 64>, fraction = {fraction} : f64")
    for layout in ("cyclic", "blocked"):
        for more in ("", ', vector = 4 : i64, stream = "y"'):
            yield schedule(f'tile = array<i64: 8, 128>, layout = "{layout}"{more}')
    yield tiled("tiling=block strategy=all schedule={tile = array<i64: 16, 64>, block = array<i64: 4, 32>}")
    yield [*CPU, "--pipeline-options", "strategy=all"]


def grouped(tile):
    """The chain as one group, with tiles by hand, which on CPUs are windows whose rows go on beyond the edges."""
    head, stages = CHAIN.split("  %a = ")
    stages, _ = stages.split("  return")
    return f"""{head}  %g = pipeline.group "g0" schedule {{tile = array<i64: {tile}>}} {{
  %a = {stages}
  pipeline.yield %c : tensor<?x?xf32>
  }} : tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}}
"""


def check_kinds(random):
    by_hand = [(grouped(tile), [CPU, WARP]) for tile in ("4, 16", "1, 3", "8, 70")]
    program = pathlib.Path(FOLDER) / "chain.mlir"
    program.write_text(CHAIN)
    chain = library("chain", program, program.with_suffix(""))
    for mode in ("mirror", "reflect101"):
        for shape in [(1, 1), (2, 2), (3, 5), (17, 65), (41, 150)]:
            img = random.integers(-8, 8, shape).astype(np.float32)
            y, x = np.mgrid[: shape[0], : shape[1]]
            at = lambda image, dy, dx: read(image, (y + dy, x + dx), mode)
            a = at(img, 0, -2) + img - at(img, 0, 2)
            b = at(a, -3, 0) + at(a, 1, -1) - at(a, 2, 2)
            expected = at(b, 0, -3) + b + at(b, -1, 1)
            for text, to in by_hand if mode == "mirror" else [(CHAIN, list(kinds())), *by_hand]:
                program.write_text(text.replace("reflect101", mode))
                found = everywhere(FOLDER, program, {"img": img}, ["out"], to)
                same(f"chain {mode} {shape}", found["out"], expected)
            if mode == "reflect101":
                out = np.zeros_like(img)
                if chain(img, out):
                    sys.exit("a library for C fails")
                same(f"chain {mode} {shape} in C", out, expected)


pathlib.Path(FOLDER).mkdir(parents=True, exist_ok=True)
RANDOM = np.random.default_rng(25)
check_kinds(RANDOM)
check_filters(RANDOM)
check_units(RANDOM)
