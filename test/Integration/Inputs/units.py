"""Scans and scatters against NumPy and SciPy: units.py FOLDER. With --write behind it programs are only written, as NAME.mlir.

Each program is written for odd sizes, with extents in its types and without. The reference equals NumPy; the CPU and the SIMT
executor, however groups are tiled, equal the reference to the bit.
"""

import sys
from pathlib import Path

import numpy as np
from everywhere import CPU, WARP, everywhere, tiled
from scipy import signal

SIZES = [(1, 1), (7, 5), (45, 301)]
WAYS = [CPU, WARP, tiled("tiling=block strategy=all"), [*tiled("tiling=none strategy=none"), "--chip", "sm_80"]]


def tensor(dims, element):
    return f"tensor<{''.join(f'{dim}x' for dim in dims)}{element}>"


class Program:
    """The text of a program on one image, of which some extents are `?`."""

    def __init__(self, element, shape, is_dynamic, unsigned=False):
        self.shape, self.is_dynamic, self.unsigned = shape, is_dynamic, unsigned
        self.input = self.image(element)
        self.lines, self.results = [], []
        for dim, name in enumerate("hw"):
            self.lines += [f"%c{dim} = arith.constant {dim} : index"]
            self.lines += [f"%{name} = tensor.dim %img, %c{dim} : {self.input}"]

    def image(self, element, *more):
        return tensor(["?" if self.is_dynamic else dim for dim in self.shape] + list(more), element)

    @property
    def sized(self):
        return "sized(%h, %w)" if self.is_dynamic else ""

    def result(self, name, ty):
        self.results.append((name, ty))

    def text(self):
        unsigned = ", weft.unsigned" if self.unsigned else ""
        types = ", ".join(f'{ty} {{weft.name = "{name}"}}' for name, ty in self.results)
        end = f"return {', '.join('%' + name for name, _ in self.results)} : {', '.join(ty for _, ty in self.results)}"
        return "\n".join([
            f'func.func @f(%img: {self.input} {{weft.name = "img"{unsigned}}}) -> ({types}) {{',
            *self.lines,
            end,
            "}",
        ])


def scan(p, name, source, along, backward, element, body):
    """One scan of `source`; the body has %a (the point), %p (the one before, else %start) and gives %v."""
    image = p.image(element)
    p.lines += [
        f'%{name} = pipeline.scan "{name}" (%y, %x) along {along} {"backward" if backward else ""} {{',
        f"  %a = pipeline.load %{source}[%y, %x] : {image}",
        *body,
        f"  pipeline.yield %v : {element}",
        f"}} {p.sized} : {image}",
    ]


def integral(shape, is_dynamic):
    """A summed-area table."""
    p = Program("f32", shape, is_dynamic)
    p.lines += ["%zero = arith.constant 0.0 : f32"]
    body = ["  %p = pipeline.previous 1 or %zero : f32", "  %v = arith.addf %p, %a : f32"]
    scan(p, "rows", "img", 1, False, "f32", body)
    scan(p, "sums", "rows", 0, False, "f32", body)
    p.result("sums", p.image("f32"))
    img = np.random.default_rng(1).random(shape, np.float32)
    # One sum after another, in f32: to the bit.
    return p, img, {"sums": (img.cumsum(1, np.float32).cumsum(0, np.float32), 0)}


def iir(shape, is_dynamic):
    """A recursive blur: forwards and backwards, along x and y, with two values before."""
    p = Program("f32", shape, is_dynamic)
    p.lines += [f"%k{i} = arith.constant {k} : f32" for i, k in enumerate((0.5, 0.3, 0.2))]
    body = [
        "  %p = pipeline.previous 1 or %a : f32",
        "  %q = pipeline.previous 2 or %p : f32",
        "  %x0 = arith.mulf %a, %k0 : f32",
        "  %x1 = arith.mulf %p, %k1 : f32",
        "  %x2 = arith.mulf %q, %k2 : f32",
        "  %s = arith.addf %x0, %x1 : f32",
        "  %v = arith.addf %s, %x2 : f32",
    ]
    source = "img"
    for name, along, backward in (("right", 1, False), ("left", 1, True), ("down", 0, False), ("up", 0, True)):
        scan(p, name, source, along, backward, "f32", body)
        source = name
    p.result("up", p.image("f32"))
    img = np.random.default_rng(2).random(shape, np.float32)

    def filtered(image, axis, flip):
        image = np.flip(image, axis) if flip else image
        first = np.take(image, [0], axis)
        zi = signal.lfiltic([0.5], [1, -0.3, -0.2], [1, 1])
        zi = zi.reshape([-1 if d == axis else 1 for d in range(2)])
        out = signal.lfilter([0.5], [1, -0.3, -0.2], image, axis, first * zi)[0]
        return np.flip(out, axis) if flip else out

    expected = img.astype(np.float64)
    for axis, flip in ((1, False), (1, True), (0, False), (0, True)):
        expected = filtered(expected, axis, flip)
    return p, img, {"up": (expected, 1e-5)}


def equalize(shape, is_dynamic):
    """The histogram of bytes, and its cumulative sum."""
    p = Program("i8", shape, is_dynamic, unsigned=True)
    h, w = ("%h", "%w") if is_dynamic else shape
    p.lines += [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        f'%hist = pipeline.scatter "hist" () over (%y, %x) in [0, {h}) x [0, {w}) from(%zero : i32) combine "arith.addi" {{',
        f"  %a = pipeline.load %img[%y, %x] : {p.input}",
        "  %bin = arith.index_castui %a : i8 to index",
        "  pipeline.update %one at [%bin] : i32",
        "} : tensor<256xi32>",
        '%cdf = pipeline.scan "cdf" (%x) along 0 {',
        "  %a = pipeline.load %hist[%x] : tensor<256xi32>",
        "  %p = pipeline.previous 1 or %zero : i32",
        "  %v = arith.addi %p, %a : i32",
        "  pipeline.yield %v : i32",
        "} : tensor<256xi32>",
    ]
    p.result("hist", "tensor<256xi32>")
    p.result("cdf", "tensor<256xi32>")
    img = np.random.default_rng(3).integers(0, 256, shape).astype(np.uint8)
    hist = np.bincount(img.ravel(), minlength=256)
    return p, img, {"hist": (hist, 0), "cdf": (hist.cumsum(), 0)}


def grid(shape, is_dynamic):
    """The grid of a bilateral filter: sums of values and counts, by the place and the value."""
    p = Program("f32", shape, is_dynamic)
    small = [-(-extent // 8) for extent in shape]
    ty = tensor((["?", "?"] if is_dynamic else small) + [12], "f32")
    p.lines += [
        "%zero = arith.constant 0.0 : f32",
        "%one = arith.constant 1.0 : f32",
        "%twelve = arith.constant 12.5 : f32",
        "%seven = arith.constant 7 : index",
        "%eight = arith.constant 8 : index",
    ]
    for name in "hw":
        p.lines += [f"%{name}7 = arith.addi %{name}, %seven : index", f"%{name}8 = arith.divui %{name}7, %eight : index"]
    p.lines += [
        '%sum, %count = pipeline.scatter "grid" (%gy, %gx) over (%ry, %rx) in [0, 8) x [0, 8) '
        'from(%zero, %zero : f32, f32) combine "arith.addf" {',
        f"  %a = pipeline.load %img[%gy * 8 + %ry, %gx * 8 + %rx] clamp : {p.input}",
        "  %s = arith.mulf %a, %twelve : f32",
        "  %i = arith.fptosi %s : f32 to i32",
        "  %z = arith.index_cast %i : i32 to index",
        "  pipeline.update %a, %one at [%z] : f32, f32",
        "}" + (" sized(%h8, %w8)" if is_dynamic else "") + f" : {ty}, {ty}",
    ]
    p.result("sum", ty)
    p.result("count", ty)
    img = np.random.default_rng(4).random(shape, np.float32)
    padded = np.pad(img, [(0, 8 * s - n) for s, n in zip(small, shape)], mode="edge")
    blocks = padded.reshape(small[0], 8, small[1], 8).transpose(0, 2, 1, 3)
    z = (blocks * np.float32(12.5)).astype(np.int32)
    at = tuple(np.broadcast_to(i, z.shape) for i in np.ogrid[: small[0], : small[1], :8, :8][:2]) + (z,)
    inside = z < 12
    at = tuple(index[inside] for index in at)
    sums, counts = np.zeros((2, *small, 12), np.float32)
    # In the order of the domain, in f32: to the bit.
    np.add.at(sums, at, blocks[inside])
    np.add.at(counts, at, np.float32(1))
    return p, img, {"sum": (sums, 0), "count": (counts, 0)}


def several(shape, is_dynamic):
    """What else a scatter may be: narrow numbers, extremes, places that are not known, sums in any order, no place at all."""
    p = Program("i16", shape, is_dynamic)
    h, w = ("%h", "%w") if is_dynamic else shape
    p.lines += [
        "%zero = arith.constant 0 : i8",
        "%one = arith.constant 1 : i8",
        "%low = arith.constant -32768 : i16",
        "%none = arith.constant 0.0 : f32",
        f'%odd = pipeline.scatter "odd" () over (%y, %x) in [0, {h}) x [0, {w}) from(%one : i8) combine "arith.addi" {{',
        f"  %a = pipeline.load %img[%y, %x] : {p.input}",
        "  %i = arith.index_cast %a : i16 to index",
        "  pipeline.update %one at [%i] : i8",
        "} : tensor<100xi8>",
        f'%most = pipeline.scatter "most" () over (%y, %x) in [0, {h}) x [0, {w}) from(%low : i16) combine "arith.maxsi" {{',
        f"  %a = pipeline.load %img[%y, %x] : {p.input}",
        "  pipeline.update %a at [%x] : i16",
        "}" + (" sized(%w)" if is_dynamic else "") + f" : {tensor(['?' if is_dynamic else shape[1]], 'i16')}",
        f'%sums = pipeline.scatter "sums" (%y) over (%x) in [0, {w}) from(%none : f32) combine "arith.addf" {{',
        f"  %a = pipeline.load %img[%y, %x] : {p.input}",
        "  %v = arith.sitofp %a : i16 to f32",
        "  pipeline.update %v at [] : f32",
        "}" + (" sized(%h)" if is_dynamic else "") + f" : {tensor(['?' if is_dynamic else shape[0]], 'f32')}",
        f'%any = pipeline.scatter "any" () over (%y, %x) in [0, {h}) x [0, {w}) from(%none : f32) combine "arith.addf" {{',
        f"  %a = pipeline.load %img[%y, %x] : {p.input}",
        # Whole numbers: every order gives the same.
        "  %v = arith.sitofp %a : i16 to f32",
        "  %i = arith.index_cast %a : i16 to index",
        "  pipeline.update %v at [%i] : f32",
        "} reassoc : tensor<100xf32>",
    ]
    p.result("odd", "tensor<100xi8>")
    p.result("most", tensor(["?" if is_dynamic else shape[1]], "i16"))
    p.result("sums", tensor(["?" if is_dynamic else shape[0]], "f32"))
    p.result("any", "tensor<100xf32>")
    img = np.random.default_rng(5).integers(-10, 110, shape).astype(np.int16)
    inside = img[(img >= 0) & (img < 100)]
    counts = np.bincount(inside, minlength=100)
    return p, img, {
        "odd": ((counts + 1).astype(np.uint8).astype(np.int8), 0),
        "most": (img.max(0), 0),
        "sums": (img.sum(1), 0),
        "any": (counts * np.arange(100), 0),
    }


def main(folder):
    folder.mkdir(exist_ok=True)
    for make in (integral, iir, equalize, grid, several):
        for shape in SIZES:
            for is_dynamic in (False, True):
                program, img, expected = make(shape, is_dynamic)
                (folder / "f.mlir").write_text(program.text())
                where = f"{make.__name__} {shape} {'dynamic' if is_dynamic else 'static'}"
                reference = everywhere(folder, folder / "f.mlir", {"img": img}, expected, WAYS)
                for name, (value, tolerance) in expected.items():
                    error = np.abs(reference[name].astype(np.float64) - value).max()
                    if error > tolerance:
                        sys.exit(f"{where}: {name} differs from NumPy by {error}, expected at most {tolerance}")


def write(folder):
    folder.mkdir(exist_ok=True)
    for make in (integral, iir, equalize, grid, several):
        (folder / f"{make.__name__}.mlir").write_text(make(SIZES[-1], True)[0].text())


(write if "--write" in sys.argv else main)(Path(sys.argv[1]))
