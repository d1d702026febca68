"""Halide's part of bench/halide-gpu/run, in a process of its own: compiles a program for a GPU, and runs it once.

    record.py PROGRAM SCHEDULE CAPABILITY SMS SHARED FOLDER

FOLDER has the images, a file each. Under the recording driver the call is written down.
"""

import importlib
import pathlib
import sys

HALIDE = pathlib.Path(__file__).resolve().parents[1] / "halide"
sys.path[:0] = [str(HALIDE), str(HALIDE / "programs")]

import halide as hl
import numpy as np

from theirs import load, ranges

# Kilobytes of shared memory that a block may have without asking for more.
BLOCK_SHARED = 48
# What the autoschedulers are told of a GPU: its SMs; and where one asks, what an SM has.
PARAMETERS = {
    "Li2018": lambda sms, shared: {"parallelism": sms},
    "Anderson2021": lambda sms, shared: {
        "parallelism": sms,
        "shared_memory_limit_kb": str(BLOCK_SHARED),
        "shared_memory_sm_limit_kb": shared,
        "active_block_limit": "32",
        "active_warp_limit": "64",
    },
}


def compiled(module, schedule, target, sms, shared, arrays, numbers, shape):
    """The program as something to call."""
    arguments, output = module.pipeline("gpu" if schedule == "manual" else None)
    pipeline = hl.Pipeline(output)
    if schedule != "manual":
        load(schedule)
        known = iter([*(array.shape for array in arrays), *numbers])
        for argument in arguments:
            if isinstance(argument, hl.ImageParam):
                argument.set_estimates(ranges(next(known)))
            else:
                argument.set_estimate(next(known))
        output.set_estimates(ranges(shape))
        pipeline.apply_autoscheduler(target, hl.AutoschedulerParams(schedule, PARAMETERS[schedule](sms, shared)))
    return pipeline.compile_to_callable(arguments, target)


def main(name, schedule, capability, sms, shared, folder):
    module = importlib.import_module(name)
    arrays = {image: np.load(f"{folder}/{image}.npy") for image in module.SIZES}
    numbers = list(getattr(module, "NUMBERS", {}).values())
    _, shape, dtype = module.result(**arrays)
    target = hl.Target(f"host-cuda-cuda_capability_{capability}-no_asserts-no_bounds_query")
    call = compiled(module, schedule, target, sms, shared, arrays.values(), numbers, shape)
    images = [hl.Buffer(array) for array in arrays.values()]
    result = hl.Buffer(np.zeros(shape, dtype))
    for image in images:
        image.set_host_dirty()
    # Nothing is copied to where the result comes, so that it shows what nobody writes.
    result.set_host_dirty(False)
    call(*images, *numbers, result)
    result.copy_to_host()


main(*sys.argv[1:])
