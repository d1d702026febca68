"""All programs of examples/, compiled from their text, against the reference executor, to the bit."""

import os
from pathlib import Path

import numpy as np
import pytest
import weft

EXAMPLES = Path(os.environ.get("WEFT_EXAMPLES", Path(__file__).parents[3] / "examples"))
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.mlir"))
# Layers take long by the reference.
SMALL = {"vdsr": 12, "lens_blur": 24, "conv_layer": 12, "nl_means": 20}


def arguments(signature, side):
    """Random images, of one size where a program ties them."""
    random = np.random.default_rng(5)
    sizes = {}
    for value in signature["arguments"]:
        if "extents" not in value:
            yield 3 if value["type"].startswith(("i", "u")) else 0.5
            continue
        named = enumerate(value["extents"])
        shape = [extent if isinstance(extent, int) else sizes.setdefault(extent or number, side) for number, extent in named]
        dtype = getattr(weft, value["type"]).numpy
        if dtype.startswith("float"):
            yield random.random(shape).astype(dtype)
        else:
            yield random.integers(0, 200, shape).astype(dtype)


@pytest.mark.parametrize("name", NAMES)
def test_example(name):
    program = weft.compile(EXAMPLES / f"{name}.mlir")
    values = list(arguments(program.compiled().signature, SMALL.get(name, 40)))
    found = program(*values)
    found = found if isinstance(found, tuple) else (found,)
    for one, other in zip(found, program.run(*values, target="reference").results, strict=True):
        assert one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
