"""Random programs: stages that read others at random places with random boundaries and sampling, in MLIR and in NumPy.

    random_programs.py FOLDER COUNT [SEED]

Each program runs on the reference, on the CPU, and as PTX on the SIMT executor (with no report), and all must equal an
interpreter of the same graph in NumPy, bit for bit: without contraction, where every operation is one rounding in float32 here
and there, and with it, where a product that is followed by a sum is rounded once with it.
"""

import os
import subprocess
import sys

import numpy as np

MODES = ["clamp", "mirror", "wrap", "constant"]


def resolve(index, extent, mode):
    if mode == "clamp":
        return np.clip(index, 0, extent - 1)
    if mode == "wrap":
        return index % extent
    if mode == "mirror":
        place = index % (2 * extent)
        return np.minimum(place, 2 * extent - 1 - place)
    return np.clip(index, 0, extent - 1)  # constant: replaced where outside


def fma(a, b, c):
    """a * b + c in float32, rounded once. In float64 the product is exact, and the sum is rounded to odd, which leaves to
    the second rounding what it must know."""
    product, c = a.astype(np.float64) * b, c.astype(np.float64)
    near = product + c
    part = near - product
    rest = (product - (near - part)) + (c - part)
    even = near.view(np.int64) & 1 == 0
    return np.where((rest != 0) & even & np.isfinite(near), np.nextafter(near, np.copysign(np.inf, rest)), near).astype(np.float32)


OPS = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "subf from": lambda a, b: b - a,
}
# The same of a product of `a` and `b`, and `c`.
FUSED = {
    "addf": fma,
    "subf": lambda a, b, c: fma(a, b, -c),
    "subf from": lambda a, b, c: fma(-a, b, c),
}


class Index:
    """An affine function of one coordinate: its text, and its values."""

    def __init__(self, random, coordinate):
        offset = int(random.integers(-4, 5))
        scale = random.choice(["", "", "", " * 2", " floordiv 2", " ceildiv 3", " mod 3"])
        sign = "-" if offset < 0 else "+"
        self.text = f"%{coordinate}{scale} {sign} {abs(offset)}" if offset else f"%{coordinate}{scale}"
        self.values = lambda i: {
            "": i,
            " * 2": i * 2,
            " floordiv 2": i // 2,
            " ceildiv 3": -(-i // 3),
            " mod 3": i % 3,
        }[scale] + offset


class Load:
    def __init__(self, random, source):
        self.source, self.mode = source, MODES[random.integers(len(MODES))]
        self.index = [Index(random, c) for c in "yx"]

    def text(self, name, ty):
        mode = "constant(%padding)" if self.mode == "constant" else self.mode
        return f"    {name} = pipeline.load %{self.source}[{self.index[0].text}, {self.index[1].text}] {mode} : {ty}"

    def values(self, images, shape):
        image = images[self.source]
        at = [index.values(np.arange(n)) for index, n in zip(self.index, shape)]
        inside = [resolve(i, n, self.mode) for i, n in zip(at, image.shape)]
        read = image[np.ix_(*inside)]
        if self.mode == "constant":
            outside = [(i < 0) | (i >= n) for i, n in zip(at, image.shape)]
            read = np.where(outside[0][:, None] | outside[1][None, :], np.float32(0.25), read)
        return read


def program(random, static, shape):
    """The text of a program of 2 to 6 stages, and a function that computes its results."""
    ty = f"tensor<{shape[0]}x{shape[1]}xf32>" if static else "tensor<?x?xf32>"
    sized = "" if static else " sized(%h, %w)"
    stages = []
    for number in range(random.integers(2, 7)):
        sources = ["img"] + [name for name, *_ in stages]
        # Mostly the newest, so that chains grow.
        pick = lambda: sources[-1] if random.random() < 0.6 else sources[random.integers(len(sources))]
        loads = [Load(random, pick()) for _ in range(random.integers(1, 7))]
        stages.append((f"s{number}", loads, [random.choice(list(OPS)) for _ in loads[1:]]))
    results = [name for name, *_ in stages if random.random() < 0.2 or name == stages[-1][0]]

    text = [f"func.func @f(%img: {ty} {{weft.name = \"img\"}}) -> ({', '.join([ty] * len(results))}) {{"]
    text += ["  %padding = arith.constant 0.25 : f32"]
    if not static:
        text += ["  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index"]
        text += [f"  %h = tensor.dim %img, %c0 : {ty}", f"  %w = tensor.dim %img, %c1 : {ty}"]
    for name, loads, ops in stages:
        text.append(f'  %{name} = pipeline.stage "{name}" (%y, %x) {{')
        text += [load.text(f"%l{i}", ty) for i, load in enumerate(loads)]
        last = "%l0"
        for i, op in enumerate(ops):
            operands = f"%l{i + 1}, {last}" if op == "subf from" else f"{last}, %l{i + 1}"
            text.append(f"    %v{i} = arith.{op.split()[0]} {operands} : f32")
            last = f"%v{i}"
        text += [f"    pipeline.yield {last} : f32", f"  }}{sized} : {ty}"]
    text += [f"  return {', '.join('%' + r for r in results)} : {', '.join([ty] * len(results))}", "}"]

    def compute(img, contract):
        images = {"img": img}
        for name, loads, ops in stages:
            value, factors = loads[0].values(images, img.shape), None
            for op, load in zip(ops, loads[1:]):
                other = load.values(images, img.shape)
                if contract and factors and op in FUSED:
                    value, factors = FUSED[op](*factors, other), None
                else:
                    value, factors = OPS[op](value, other), (value, other) if op == "mulf" else None
            images[name] = value.astype(np.float32)
        return [images[name] for name in results]

    return "\n".join(text) + "\n", compute


RUNS = [("reference", None), ("cpu", None), ("cpu", "fuse{strategy=none}"), ("simt", None), ("simt", "fuse{strategy=none}")]


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    os.makedirs(folder, exist_ok=True)
    contracted = 0
    for number in range(count):
        random = np.random.default_rng([seed, number])
        shape = tuple(int(n) for n in random.choice([1, 2, 3, 5, 8, 17, 40], 2))
        text, compute = program(random, random.random() < 0.5, shape)
        base = os.path.join(folder, str(number))
        with open(base + ".mlir", "w") as file:
            file.write(text)
        img = random.random(shape, dtype=np.float32)
        np.save(base + ".npy", img)
        rounded_apart = compute(img, False)
        rounded_once = compute(img, True)
        contracted += any(not np.array_equal(a, b, equal_nan=True) for a, b in zip(rounded_apart, rounded_once))
        for contract, expected in [("false", rounded_apart), ("true", rounded_once)]:
            check(base, img, expected, contract)
    print(f"{count} programs agree, {contracted} of which contraction changes")


def check(base, img, expected, contract):
    for target, passes in RUNS:
        command = ["pipeline-run", base + ".mlir", "--target", target, "--arg", f"img={base}.npy", f"--contract={contract}"]
        command += [f"--out=out{i}={base}.out{i}.npy" for i in range(len(expected))]
        command += [f"--passes={passes}"] if passes else []
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(f"{' '.join(command)}\n{ran.stderr}")
        for i, image in enumerate(expected):
            found = np.load(f"{base}.out{i}.npy")
            if not np.array_equal(found, image, equal_nan=True):
                sys.exit(f"{' '.join(command)}\nresult {i} differs\n{found}\n{image}")


main()
