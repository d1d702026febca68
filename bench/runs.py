"""Runs of the examples, and of the programs of bench/halide/unseen in Forma, for benchmarks: their arguments, and how long they take, on this CPU or by the clock of a GPU."""

import ast
import json
import math
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What programs that Halide does not have want beside images.
NUMBERS = {"canny": {"low": 40, "high": 100}}


def source(name):
    """The file of a program."""
    example = ROOT / f"examples/{name}.mlir"
    return example if example.exists() else ROOT / f"bench/halide/unseen/{name}.fm"


def text_of(name):
    return source(name).read_text()


def numbers(name):
    """What bench/halide gives a program for its numbers, where it has it."""
    folder = "programs" if source(name).suffix == ".mlir" else "unseen"
    path = ROOT / f"bench/halide/{folder}/{name}.py"
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("NUMBERS = "):
            return ast.literal_eval(line.removeprefix("NUMBERS = "))
    return NUMBERS.get(name, {})


def arguments(name):
    """An argument for each image and number of a program."""
    text = text_of(name)
    if source(name).suffix == ".mlir":
        head = text[text.index("func.func") :]
        head = head[: head.index("->")]
        images = re.findall(r'%\w+: tensor<[^>]*> \{[^}]*weft\.name = "(\w+)"', head)
    else:
        images = re.findall(r"^vector#\d+ \w+ (\w+)\[", text, re.M)
    return [f"{image}=random:{seed}" for seed, image in enumerate(images)] + [f"{number}={value}" for number, value in numbers(name).items()]


def run(path, arguments, dims, *words):
    """What pipeline-run says of a program on random images of these extents, or those that it says; nothing where it fails."""
    command = [ROOT / "target/release/pipeline-run", path, "--json"]
    command += [word for argument in arguments for word in ("--arg", argument)] + [word for dim in dims for word in ("--dim", dim)]
    done = subprocess.run(list(map(str, [*command, *words])), capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def milliseconds(path, arguments, dims, options, runs):
    """The least time of some runs on this CPU, with these options of --pipeline-to-cpu; infinite where it cannot be compiled."""
    said = run(path, arguments, dims, "--bench", runs, "--pipeline-options", options)
    return said["bench"]["min_ms"] if said else math.inf


def kernels(path, arguments, dims, options, clock):
    """What the clock of a GPU says of each kernel, with these options of --pipeline-to-ptx; nothing where it cannot be compiled."""
    said = run(path, arguments, dims, "--target", "simt", "--clock", clock, "--only-timed", "--pipeline-options", options)
    return [kernel["clock"] for kernel in said["kernels"]] if said else None


def least(ways, rounds):
    """The least time of each way, a function, measured in turn."""
    times = [math.inf] * len(ways)
    for _ in range(rounds):
        times = [min(time, way()) for time, way in zip(times, ways)]
    return times


def means(rows):
    """Geometric means of the columns of a table, of the numbers that there are."""
    columns = [[cell for cell in column if math.isfinite(cell)] for column in zip(*rows)]
    return [math.prod(column) ** (1 / len(column)) if column else math.nan for column in columns]
