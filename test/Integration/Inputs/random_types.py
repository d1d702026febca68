"""Random programs of all element types, ranks and sizes: what random_programs.py (f32 images of one size) does not reach.

    random_types.py FOLDER COUNT [--seed N] [--ptxas PATH]

Stages have one to three dimensions and extents of their own, so that one reads another at another resolution; they have one or
two results, of any element type; indices mix coordinates. Each program runs on the reference and on the CPU, grouped and not, and
must, without contraction, equal an interpreter of the same graph in NumPy; with contraction and without, the CPU must equal the
reference to the bit. With ptxas, its PTX must assemble.
"""

import argparse
import os
import shutil
import subprocess
import sys

import numpy as np

FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
INTEGERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
TYPES = {**FLOATS, **INTEGERS}
MODES = ["clamp", "mirror", "wrap", "constant", ""]
COORDINATES = ["c", "y", "x"]
RUNS = [("reference", None), ("cpu", None), ("cpu", "fuse{strategy=none}")]


def unsigned(array):
    return array.view(array.dtype.str.replace("i", "u"))


def as_unsigned(operation):
    return lambda a, b: operation(unsigned(a), unsigned(b)).view(a.dtype)


# One rounding, or none, in every operation: NumPy and the hardware agree to the bit. (But for the sign of a zero, which nothing
# here tells apart: there is a division by constants only.)
FLOAT_OPS = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.maximumf": np.maximum,
    "arith.minnumf": np.fmin,
}
INTEGER_OPS = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.xori": np.bitwise_xor,
    "arith.maxsi": np.maximum,
    "arith.minui": as_unsigned(np.minimum),
}
COMPARES = {
    "arith.cmpf olt": np.less,
    "arith.cmpf ule": lambda a, b: ~(a > b),
    "arith.cmpi slt": np.less,
    "arith.cmpi ugt": lambda a, b: unsigned(a) > unsigned(b),
}


def resolve(index, extent, mode):
    if mode == "wrap":
        return index % extent
    if mode == "mirror":
        place = index % (2 * extent)
        return np.minimum(place, 2 * extent - 1 - place)
    return np.clip(index, 0, extent - 1)  # clamp; constant, which is replaced where it is outside; no mode, which never is


class Image:
    """The values of an image, and which of its extents the type says."""

    def __init__(self, name, values, dynamic):
        self.name, self.values, self.dynamic = name, values, dynamic
        self.element = next(name for name, dtype in TYPES.items() if dtype == values.dtype.type)

    def type(self):
        extents = ["?" if dynamic else str(extent) for extent, dynamic in zip(self.values.shape, self.dynamic)]
        return f"tensor<{'x'.join([*extents, self.element])}>"


class Program:
    """A random program: its text, its inputs, and the values of its results."""

    def __init__(self, random):
        self.random, self.count = random, 0
        self.head, self.stages = [], []
        self.images, self.extents = [], []  # extents: dynamic ones, as (SSA name, value)
        self.inputs = [self.input(number) for number in range(random.integers(1, 3))]
        made = [image for number in range(random.integers(1, 6)) for image in self.stage(number)]
        self.results = [image for image in made[:-1] if self.chance(0.2)] + made[-1:]

    def pick(self, choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, part):
        return self.random.random() < part

    def new(self):
        self.count += 1
        return f"%v{self.count}"

    def define(self, lines, text):
        name = self.new()
        lines.append(f"{name} = {text}")
        return name

    def text(self):
        arguments = ", ".join(f'%{i.name}: {i.type()} {{weft.name = "{i.name}"}}' for i in self.inputs)
        types = ", ".join(image.type() for image in self.results)
        names = ", ".join(f"%{image.name}" for image in self.results)
        head = "".join(f"  {line}\n" for line in self.head)
        return f"func.func @f({arguments}) -> ({types}) {{\n{head}{''.join(self.stages)}  return {names} : {types}\n}}\n"

    # ---- Images -----------------------------------------------------------------------------------------------------------

    def input(self, number):
        dtype = TYPES[self.pick(list(TYPES))]
        shape = [self.pick([1, 2, 3, 5, 8, 19]) for _ in range(self.pick([1, 2, 2, 3]))]
        if dtype in FLOATS.values():
            # At times beyond what a small integer holds.
            values = ((self.random.random(shape) * 4 - 2) * self.pick([1, 1000])).astype(dtype)
            if self.chance(0.5):
                values.reshape(-1)[::3] = self.pick([np.nan, np.nan, np.inf, -np.inf])
        else:
            limits = np.iinfo(dtype)
            values = self.random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
        image = Image(f"a{number}", values, [self.chance(0.6) for _ in shape])
        for dimension, dynamic in enumerate(image.dynamic):
            if dynamic:
                at = self.define(self.head, f"arith.constant {dimension} : index")
                extent = self.define(self.head, f"tensor.dim %{image.name}, {at} : {image.type()}")
                self.extents.append((extent, shape[dimension]))
        self.images.append(image)
        return image

    def extent(self):
        """An extent of a stage, and its name if it is dynamic: fixed, that of an input, half of it, twice it."""
        if not self.extents or self.chance(0.4):
            return self.pick([1, 2, 5, 12]), None
        name, value = self.pick(self.extents)
        operation, other, value = self.pick(
            [("", 0, value), ("ceildivsi", 2, -(-value // 2)), ("muli", 2, min(value * 2, 40)), ("addi", 3, value + 3)]
        )
        if operation == "muli":
            most = self.define(self.head, "arith.constant 40 : index")
            other = self.define(self.head, f"arith.constant {other} : index")
            double = self.define(self.head, f"arith.muli {name}, {other} : index")
            name = self.define(self.head, f"arith.minsi {double}, {most} : index")
        elif operation:
            other = self.define(self.head, f"arith.constant {other} : index")
            name = self.define(self.head, f"arith.{operation} {name}, {other} : index")
        return value, name

    # ---- Stages -----------------------------------------------------------------------------------------------------------

    def stage(self, number):
        extents = [self.extent() for _ in range(self.pick([1, 2, 2, 3]))]
        shape = tuple(value for value, _ in extents)
        names = COORDINATES[-len(shape) :]
        point = dict(zip(names, np.indices(shape)))
        body = []
        values = [self.load(body, point, shape) for _ in range(self.random.integers(1, 5))]
        results = [self.expression(body, values) for _ in range(self.pick([1, 1, 1, 2]))]
        dynamic = [name is not None for _, name in extents]
        suffixes = [""] if len(results) == 1 else ["a", "b"]
        images = [Image(f"s{number}{suffix}", value, dynamic) for suffix, (_, value) in zip(suffixes, results)]
        self.images += images

        sized = [name for _, name in extents if name]
        self.stages.append(
            f"  {', '.join('%' + i.name for i in images)} = pipeline.stage \"s{number}\" ({', '.join('%' + n for n in names)}) {{\n"
            + "".join(f"    {line}\n" for line in body)
            + f"    pipeline.yield {', '.join(name for name, _ in results)} : {', '.join(i.element for i in images)}\n"
            + f"  }}{' sized(' + ', '.join(sized) + ')' if sized else ''} : {', '.join(i.type() for i in images)}\n"
        )
        return images

    def index(self, point):
        """An affine function of the point: its text and its values."""
        a, b = (self.pick(list(point)) for _ in "ab")
        p, q = point[a], point[b]
        k, offset = int(self.random.integers(2, 5)), int(self.random.integers(-9, 10))
        text, value = self.pick(
            [
                (f"%{a}", p),
                (f"%{a}", p),
                (f"%{a} * {k}", p * k),
                (f"(%{a} + 7) floordiv {k}", (p + 7) // k),
                (f"(%{a} - 5) floordiv {k}", (p - 5) // k),
                (f"(%{a} - 5) ceildiv {k}", -((5 - p) // k)),
                (f"(%{a} * 3 - 4) mod {k}", (p * 3 - 4) % k),
                (f"-%{a}", -p),
                (f"%{a} + %{b}", p + q),
                (f"(%{a} - %{b}) mod {k}", (p - q) % k),
                ("3", np.full_like(p, 3)),
            ]
        )
        return (f"{text} {'-' if offset < 0 else '+'} {abs(offset)}" if offset else text), value + offset

    def inside(self, point, extent):
        """An index that stays in the source, such that the compiler can see it."""
        for name, values in point.items():
            for text, value in [(f"%{name} + 1", values + 1), (f"%{name}", values), (f"%{name} floordiv 2", values // 2)]:
                if value.max() < extent and self.chance(0.7):
                    return text, value
        return "0", np.zeros_like(next(iter(point.values())))

    def load(self, body, point, shape):
        source = self.pick(self.images[-2:] if self.chance(0.6) else self.images)
        mode = self.pick(MODES)
        extents = source.values.shape
        indices = [self.index(point) if mode else self.inside(point, extent) for extent in extents]
        places = [np.broadcast_to(value, shape) for _, value in indices]
        value = source.values[tuple(resolve(i, n, mode) for i, n in zip(places, extents))]
        if mode == "constant":
            outside = np.any([(i < 0) | (i >= n) for i, n in zip(places, extents)], axis=0)
            value = np.where(outside, value.dtype.type(5), value)
            mode = f"constant({self.constant(self.head, 5, source.element)})"
        subscript = ", ".join(text for text, _ in indices)
        name = self.define(body, f"pipeline.load %{source.name}[{subscript}] {mode} : {source.type()}")
        return name, source.element, value

    # ---- Values -----------------------------------------------------------------------------------------------------------

    def constant(self, lines, value, element):
        return self.define(lines, f"arith.constant {float(value) if element in FLOATS else value} : {element}")

    def expression(self, body, values):
        """Combines the values in one element type."""
        to = self.pick(list(TYPES)) if self.chance(0.4) else values[0][1]
        name, value = self.convert(body, *values[0], to)
        for other in values[1:]:
            name, value = self.combine(body, to, (name, value), self.convert(body, *other, to))
        if to in INTEGERS and self.chance(0.3):
            k = self.constant(body, 3, to)
            operation, value = self.pick(
                [
                    ("floordivsi", value // 3),
                    ("remui", (unsigned(value) % unsigned(value).dtype.type(3)).view(value.dtype)),
                    ("shrsi", value >> value.dtype.type(3)),
                    ("shrui", (unsigned(value) >> unsigned(value).dtype.type(3)).view(value.dtype)),
                ]
            )
            name = self.define(body, f"arith.{operation} {name}, {k} : {to}")
        if to in FLOATS and self.chance(0.3):
            k = self.constant(body, 3, to)
            name, value = self.define(body, f"arith.divf {name}, {k} : {to}"), value / value.dtype.type(3)
        return name, np.ascontiguousarray(value)

    def convert(self, body, name, element, value, to):
        value = np.ascontiguousarray(value)
        if element == to:
            return name, value
        wider = int(to[1:]) > int(element[1:])
        if element in FLOATS and to in FLOATS:
            operation, result = "extf" if wider else "truncf", value.astype(TYPES[to])
        elif element in FLOATS:
            # It saturates, and NaN is 0. In f64, an i64's greatest value is not representable: what is not below is the greatest.
            low, high = np.iinfo(TYPES[to]).min, np.iinfo(TYPES[to]).max
            wide = value.astype(np.float64)
            within = (wide >= low) & (wide < float(high) + (int(to[1:]) < 64))
            result = np.where(within, wide, 0).astype(TYPES[to])
            result = np.where(within | np.isnan(wide), result, np.where(wide < 0, low, high)).astype(TYPES[to])
            operation = "fptosi"
        elif to in FLOATS:
            operation, numbers = self.pick([("sitofp", value), ("uitofp", unsigned(value))])
            result = numbers.astype(TYPES[to])
        elif wider:
            operation, numbers = self.pick([("extsi", value), ("extui", unsigned(value))])
            result = numbers.astype(TYPES[to])
        else:
            operation, result = "trunci", value.astype(TYPES[to])
        return self.define(body, f"arith.{operation} {name} : {element} to {to}"), result

    def combine(self, body, element, left, right):
        (a, x), (b, y) = left, right
        kind = "cmpf" if element in FLOATS else "cmpi"
        if self.chance(0.15):
            compare = self.pick([name for name in COMPARES if kind in name])
            condition = self.define(body, f"{compare}, {a}, {b} : {element}")
            value = np.where(COMPARES[compare](x, y), x, y)
            if self.chance(0.5):
                return self.define(body, f"arith.select {condition}, {a}, {b} : {element}"), value
            name = self.define(body, f"scf.if {condition} -> ({element}) {{")
            body += [f"  scf.yield {a} : {element}", "} else {", f"  scf.yield {b} : {element}", "}"]
            return name, value
        operations = FLOAT_OPS if element in FLOATS else INTEGER_OPS
        operation = self.pick(list(operations))
        return self.define(body, f"{operation} {a}, {b} : {element}"), operations[operation](x, y)


# ---- Running --------------------------------------------------------------------------------------------------------------


def same_bits(a, b):
    same = a.view(f"u{a.itemsize}") == b.view(f"u{b.itemsize}")
    return bool(np.all(same | (np.isnan(a) & np.isnan(b)) if a.dtype.kind == "f" else same))


def run(command):
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"{' '.join(command)}\n{ran.stdout}{ran.stderr}")


def check(base, program, ptxas):
    file = base + ".mlir"
    with open(file, "w") as text:
        text.write(program.text())
    for image in program.inputs:
        np.save(f"{base}.{image.name}.npy", image.values)
    for contract in ["false", "true"]:
        check_targets(base, program, contract)
    if ptxas:
        run(["pipeline-translate", "--mlir-to-ptx", file, "-o", base + ".ptx"])
        run([ptxas, "-arch=sm_90", base + ".ptx", "-o", base + ".cubin"])


def check_targets(base, program, contract):
    file, reference = base + ".mlir", None
    for target, passes in RUNS:
        command = ["pipeline-run", file, "--target", target, f"--contract={contract}"]
        command += [f"--arg={image.name}={base}.{image.name}.npy" for image in program.inputs]
        command += [f"--out=out{i}={base}.out{i}.npy" for i in range(len(program.results))]
        run(command + ([f"--passes={passes}"] if passes else []))
        found = [np.load(f"{base}.out{i}.npy") for i in range(len(program.results))]
        reference = reference or found
        for image, values, first in zip(program.results, found, reference):
            expected = image.values
            numbers = values.dtype == expected.dtype and values.shape == expected.shape
            if contract == "false":
                numbers = numbers and np.array_equal(values, expected, equal_nan=values.dtype.kind == "f")
            if not numbers or not same_bits(values, first):
                what = "the reference" if numbers else "NumPy"
                sys.exit(f"{' '.join(command)}\n%{image.name} differs from {what}\n{values}\n{expected}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ptxas", type=shutil.which, help="None is had: PTX is not assembled")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for number in range(options.count):
        program = Program(np.random.default_rng([options.seed, number]))
        check(os.path.join(options.folder, str(number)), program, options.ptxas)
    print(f"{options.count} programs agree, {'and assemble' if options.ptxas else 'not assembled'}")


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main()
