"""How far the functions of --expand-math are from the exact ones, and that all targets agree on them.

    accuracy.py FOLDER [--more N] [--every N] [--check FILE.md] [--write FILE.md] [--only NAME ...]

Every function of every type is computed at many arguments: all kinds of floats (by their bits), where the function is neither constant
nor infinite, around its zeros and poles, and at NaN, infinities, zeros and subnormals; of f16, where there is one argument, at all. The
results are compared with NumPy's in a wider type: f64 for f16 and f32, `longdouble` for f64, whose own errors are far below the last
bit of what is measured. The error is in units in the last place (ulp): the distance of neighbouring floats at the exact result. NaN,
infinities and signs of zeros must be right. The reference, the optimised CPU code and (at fewer arguments) the PTX on the SIMT
executor must give the same bits.

Prints a table in Markdown, rounded up. --more N takes so many other arguments besides: not in place of those that are always taken, or
a check of these could find an error that the table, made with more, has not. --every N also takes every N-th of all 2^32 arguments of f32, on the CPU: with 1 that is a proof,
and takes ten minutes a function; an odd N has all endings of bits in it. --write puts the table in the place of the one in a file; --check
compares with it: no error may be larger than what it says.
"""

import argparse
import math
import os
import re
import subprocess
import sys

import numpy as np

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
WIDER = {"f16": np.float64, "f32": np.float64, "f64": np.longdouble}
# Each with an interval where it is neither constant nor infinite, for f16, f32 and f64.
LOG = {"f16": 11.5, "f32": 90.0, "f64": 715.0}
UNARY = {
    "acos": (np.arccos, lambda t: 1.01),
    "asin": (np.arcsin, lambda t: 1.01),
    "atan": (np.arctan, lambda t: 100.0),
    "cbrt": (np.cbrt, lambda t: 100.0),
    "cos": (np.cos, lambda t: 100.0),
    "cosh": (np.cosh, LOG.get),
    "exp": (np.exp, lambda t: LOG[t] * 1.2),
    "exp2": (np.exp2, lambda t: LOG[t] * 1.7),
    "expm1": (np.expm1, LOG.get),
    "log": (np.log, lambda t: 3.0),
    "log10": (np.log10, lambda t: 3.0),
    "log1p": (np.log1p, lambda t: 1.5),
    "log2": (np.log2, lambda t: 3.0),
    "rsqrt": (lambda x: 1 / np.sqrt(x), lambda t: 10.0),
    "sin": (np.sin, lambda t: 100.0),
    "sinh": (np.sinh, LOG.get),
    "tan": (np.tan, lambda t: 100.0),
    "tanh": (np.tanh, lambda t: 22.0),
}
# Arguments that are always taken.
COUNT = 1 << 14
BINARY = {"atan2": np.arctan2, "powf": np.power}
# A power whose exponent the program says is computed in another way; one row has these, which all types hold.
CONSTANTS = "powf by constants"
EXPONENTS = map(float, np.float16([0.5, 2.0, 3.0, 4.0, -1.0, 1 / 2.2, 2.4, 1 / 3, 1.5, -2.5, 3.999, -0.1]))
POWERS = {f"powf {y}": (lambda x, y=y: np.power(x, np.full_like(x, y)), lambda t, y=y: math.exp(min(LOG[t] / abs(y), 80))) for y in EXPONENTS}
UNARY |= POWERS
ROWS = sorted([CONSTANTS, *(set(UNARY) - set(POWERS)), *BINARY])
SPECIAL = [0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 0.25, 10.0, 1e3, 65504.0, 5e-324, 1e-45, 6e-8, 1e-7, 2.0**-126, 2.0**-1022, 3.4028235e38, np.inf]
SPECIAL += [1.7976931348623157e308, 2.0**24 - 1, 2.0**24, 2.0**53 - 1, 2.0**53, np.pi, np.pi / 2, np.pi / 4, 1 - 2.0**-24, 1 + 2.0**-23, 1 - 2.0**-53]
SPECIAL = np.array([sign * value for value in SPECIAL for sign in (1.0, -1.0)] + [np.nan])


def neighbours(x):
    return np.concatenate([x, np.nextafter(x, x.dtype.type(np.inf)), np.nextafter(x, x.dtype.type(-np.inf))])


def any_bits(random, element, count):
    """Random bits: all exponents alike."""
    size = TYPES[element]().itemsize
    return random.integers(0, 256, count * size, dtype=np.uint8).view(TYPES[element])


def arguments(random, element, name, count):
    dtype, most = TYPES[element], UNARY[name][1](element)
    if element == "f16":
        return np.arange(1 << 16, dtype=np.uint16).view(dtype)
    half_turns = (np.arange(1, count // 16 + 1) * (np.pi / 2)).astype(dtype)
    parts = [
        any_bits(random, element, count // 2),
        random.uniform(-most, most, count // 4).astype(dtype),
        random.normal(1, 0.01, count // 16).astype(dtype),
        neighbours(half_turns),
        neighbours(SPECIAL.astype(dtype)),
    ]
    return np.concatenate(parts)


def pairs(random, element, name, count):
    dtype = TYPES[element]
    x, y = np.meshgrid(SPECIAL.astype(dtype), SPECIAL.astype(dtype))
    parts = [(x.ravel(), y.ravel()), (any_bits(random, element, count // 4), any_bits(random, element, count // 4))]
    if name == "powf":
        # Powers that are numbers; and bases near 1, whose logarithms are small.
        for x in [np.abs(any_bits(random, element, count // 2)), random.normal(1, 0.01, count // 4).astype(dtype)]:
            exponent = random.uniform(-LOG[element] * 1.1, LOG[element], x.size)
            parts.append((x, (exponent / np.log(x.astype(np.float64))).astype(dtype)))
        small = random.integers(-20, 20, count // 8)
        parts.append(((random.normal(0, 3, small.size)).astype(dtype), small.astype(dtype)))
    else:
        x = random.normal(0, 1, count // 2).astype(dtype)
        parts.append((x, (x * np.exp2(random.uniform(-12, 12, x.size))).astype(dtype)))
    return tuple(np.concatenate([part[index] for part in parts]) for index in (0, 1))


def errors(found, exact):
    """In ulp; infinite where a result is of another kind than the exact one."""
    dtype, wide = found.dtype.type, exact.dtype.type
    greatest = np.finfo(dtype).max
    last_step = greatest - np.nextafter(greatest, dtype(0))
    rounded = exact.astype(dtype)
    step = np.where(np.abs(rounded) < greatest, np.spacing(np.abs(rounded)), last_step).astype(wide)
    # An infinity is as far as the next float would be, if there were one.
    limit = wide(greatest) + wide(last_step)
    near = lambda x: np.where(np.abs(x) > limit, np.copysign(limit, x), x)
    error = np.abs(near(found.astype(wide)) - near(exact)) / step
    both_nan = np.isnan(found) & np.isnan(exact)
    wrong_sign = ((found == 0) | (exact == 0)) & (np.signbit(found) != np.signbit(exact))
    wrong = (np.isnan(found) != np.isnan(exact)) | wrong_sign | ((exact == 0) & (found != 0)) | (np.isinf(exact) & (found != exact))
    return np.where(both_nan, 0, np.where(wrong, np.inf, error)).astype(np.float64)


def program(name, element):
    ty = f"tensor<?x{element}>"
    inputs = ["x", "y"][: 1 + (name in BINARY)]
    loads = "\n".join(f"    %{i}v = pipeline.load %{i}[%p] : {ty}" for i in inputs)
    signature = ", ".join(f'%{i}: {ty} {{weft.name = "{i}"}}' for i in inputs)
    name, *exponent = name.split()
    constant = "".join(f"    %yv = arith.constant {y} : {element}\n" for y in exponent)
    operands = ", ".join(f"%{i}v" for i in inputs + ["y"] * len(exponent))
    return f"""func.func @f({signature}) -> ({ty} {{weft.name = "r"}}) {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : {ty}
  %r = pipeline.stage "s" (%p) {{
{loads}
{constant}    %v = math.{name} {operands} : {element}
    pipeline.yield %v : {element}
  }} sized(%n) : {ty}
  return %r : {ty}
}}
"""


def run(command):
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"{' '.join(command)}\n{ran.stdout}{ran.stderr}")


def compute(base, inputs, target):
    command = ["pipeline-run", base + ".mlir", "--target", target, f"--out=r={base}.{target}.npy"]
    for name, values in zip("xy", inputs):
        np.save(f"{base}.{name}.npy", values)
        command.append(f"--arg={name}={base}.{name}.npy")
    run(command)
    return np.load(f"{base}.{target}.npy")


def same_bits(a, b):
    return np.all((a.view(f"u{a.itemsize}") == b.view(f"u{b.itemsize}")) | (np.isnan(a) & np.isnan(b)))


def function(name):
    return UNARY[name][0] if name in UNARY else BINARY[name]


def worst(name, element, inputs, found):
    exact = function(name)(*[values.astype(WIDER[element]) for values in inputs])
    error = errors(found, exact)
    place = int(np.argmax(error))
    return error[place], f"{name}({', '.join(repr(values[place]) for values in inputs)}) = {found[place]!r}, exactly {exact[place]!r}"


def measure(folder, name, element, count):
    base = os.path.join(folder, f"{name}-{element}")
    with open(base + ".mlir", "w") as file:
        file.write(program(name, element))
    random = np.random.default_rng(7)
    inputs = (arguments(random, element, name, count),) if name in UNARY else pairs(random, element, name, count)
    found = compute(base, inputs, "cpu")
    if not same_bits(found, compute(base, inputs, "reference")):
        sys.exit(f"{base}.mlir: cpu and reference differ")
    few = tuple(np.concatenate([values[:: max(1, count // 512)], values[-512:]]) for values in inputs)
    if not same_bits(compute(base, few, "simt"), np.concatenate([found[:: max(1, count // 512)], found[-512:]])):
        sys.exit(f"{base}.mlir: PTX and the others differ")
    return worst(name, element, inputs, found)


def measure_every(folder, name, every):
    base = os.path.join(folder, f"{name}-every")
    with open(base + ".mlir", "w") as file:
        file.write(program(name, "f32"))
    step, most = every << 22, (0.0, "")
    for start in range(0, 1 << 32, step):
        bits = np.arange(start, min(start + step, 1 << 32), every, dtype=np.uint64)
        inputs = (bits.astype(np.uint32).view(np.float32),)
        most = max(most, worst(name, "f32", inputs, compute(base, inputs, "cpu")))
    return most


def bounds(path):
    """The rows of a table: a name, and bounds for some types."""
    rows = {}
    for line in open(path):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if name := re.fullmatch(r"`math\.(\w+)`(.*)", cells[0]):
            rows[name[1] + name[2]] = dict(zip(TYPES, [float(cell) for cell in cells[1:4]]))
    return rows


def write(path, table):
    """Replaces the table of functions in a file."""
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(re.sub(r"\| function \|.*\n(\|.*\n)*", lambda _: table, text))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--more", type=int, metavar="N")
    parser.add_argument("--every", type=int, metavar="N")
    parser.add_argument("--check")
    parser.add_argument("--write")
    parser.add_argument("--only", nargs="+", default=ROWS)
    options = parser.parse_args()
    if options.write and options.only != ROWS:
        parser.error("--write takes all functions, not --only some")
    os.makedirs(options.folder, exist_ok=True)
    allowed = bounds(options.check) if options.check else {}
    missing = sorted(set(options.only) - set(allowed)) if options.check else []
    failed = [f"{options.check} says nothing of {name}" for name in missing]
    table = f"| function | {' | '.join(TYPES)} |\n| --- | --- | --- | --- |\n"
    print(table, end="")
    for name in options.only:
        cells = []
        for element in TYPES:
            counts = [COUNT, options.more] if options.more else [COUNT]
            parts = POWERS if name == CONSTANTS else [name]
            error, where = max(measure(options.folder, part, element, count) for part in parts for count in counts)
            if options.every and element == "f32" and name not in BINARY:
                error, where = max((error, where), *(measure_every(options.folder, part, options.every) for part in parts))
            # NumPy's own errors are others on other machines, in the third decimal at most.
            if not error <= allowed.get(name, {}).get(element, 4) + 0.005:
                failed.append(f"{element}: {error:.3f} ulp at {where}")
            # Up, but for what NumPy errs by.
            cells.append(f"{math.ceil(error * 100 - 0.1) / 100:.2f}" if math.isfinite(error) else "wrong")
        function, _, rest = name.partition(" ")
        row = f"| {f'`math.{function}` {rest}'.rstrip()} | {' | '.join(cells)} |\n"
        print(row, end="", flush=True)
        table += row
    if failed:
        sys.exit("\n".join(failed))
    if options.write:
        write(options.write, table)


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main()
