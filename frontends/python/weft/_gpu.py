"""Arrays in a GPU's memory: those of torch, CuPy and Numba, and whatever else has `__cuda_array_interface__`.

program(tensor) ─▶ address, extents, strides, stream ─▶ weft_f_on_gpu_packed on that stream ─▶ a tensor, of the library of the first image

Nothing is copied to the host or from there, and nobody waits: kernels are behind what is on the stream, as they are in these libraries.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ._arrays import dense, interface
from ._runtime import Function, gpu_of

# What the compiler knows, oldest first: code for one runs on all that are newer.
CHIPS = (70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 120)
# The default stream, which torch calls 0.
DEFAULT_STREAM = 1


def interfaces(values: Sequence[Any], out: Any) -> list[Mapping[str, Any] | None] | None:
    """What each array of a call says of its memory, arguments before results; None where none is on a GPU.

    A call asks once: torch takes microseconds to say it.
    """
    found = [interface(value) for value in (*values, *(out if isinstance(out, tuple) else (out,)))]
    return found if any(one is not None for one in found) else None


def chip_of(found: Sequence[Mapping[str, Any] | None]) -> str:
    """The newest chip that the compiler knows and the GPU of these arrays runs."""
    _, capability = gpu_of(next(filter(None, map(address_of, found)), 0))
    known = [chip for chip in CHIPS if chip <= capability]
    return f"sm_{known[-1] if known else capability}"


def address_of(found: Mapping[str, Any] | None) -> int:
    """The address of an array that has points; else 0."""
    return int(found["data"][0] or 0) if found is not None else 0


def image_of(
    called: str, described: Mapping[str, Any], dtype: str, value: Any, found: Mapping[str, Any] | None, is_result: bool
) -> tuple[int, list[int], list[int]]:
    """Address, extents and strides of an array that says this of its memory, as a call takes it."""
    if found is None:
        raise TypeError(f"{called} is a {type(value).__name__} in the host's memory, expected all images on the GPU, as others are")
    has = np.dtype(found["typestr"])
    if has != np.dtype(dtype):
        raise TypeError(f"{called} has elements of {has}, expected {dtype}")
    shape = [int(extent) for extent in found["shape"]]
    if len(shape) != len(described["extents"]):
        extents = ", ".join("?" if extent is None else str(extent) for extent in described["extents"])
        raise ValueError(f"{called} has shape {tuple(shape)}, expected {len(described['extents'])} dimensions: ({extents})")
    address, is_read_only = found["data"]
    if found.get("mask") is not None:
        raise TypeError(f"{called} has a mask, expected an array without")
    if is_result and is_read_only:
        raise ValueError(f"{called} is read-only, expected memory to write to")
    expected = tuple(one * has.itemsize for one in dense(shape))
    steps = found.get("strides") or expected
    # Along a dimension of one point there is no step.
    if 0 not in shape and any(extent > 1 and step != one for extent, step, one in zip(shape, steps, expected, strict=True)):
        raise ValueError(f"{called} has strides {tuple(steps)}, expected {expected}: images on the GPU have no gaps")
    return int(address or 0), shape, dense(shape)


def torch_of(value: Any) -> Any:
    """torch, if an array is a tensor of it."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(value, torch.Tensor) else None


def stream_of(program: str, images: Sequence[tuple[Any, Mapping[str, Any] | None]]) -> int:
    """The stream on which arrays are ready: the one that torch works on, or that the interface names."""
    streams = {}
    for value, found in images:
        torch = torch_of(value)
        named = torch.cuda.current_stream(value.device).cuda_stream if torch is not None else (found or {}).get("stream")
        if named is not None:
            streams[int(named) or DEFAULT_STREAM] = type(value).__module__
    if len(streams) > 1:
        both = " and ".join(f"{stream:#x} ({module})" for stream, module in streams.items())
        raise ValueError(f"{program}: images on the streams {both}, expected one stream")
    return next(iter(streams), DEFAULT_STREAM)


def allocator(program: str, like: Any, stream: int, number: int) -> Callable[[list[int], str], Any]:
    """What makes new arrays, of the library of `like`, for work on a stream."""
    torch = torch_of(like)
    if torch is not None:
        return lambda shape, dtype: torch.empty(tuple(shape), dtype=getattr(torch, dtype), device=like.device)
    try:
        cupy: Any = importlib.import_module("cupy")
    except ImportError:
        raise TypeError(f"{program}: nothing to make results with, expected CuPy, or out= with arrays") from None

    def empty(shape: list[int], dtype: str) -> Any:
        with cupy.cuda.Device(number), cupy.cuda.ExternalStream(stream):
            return cupy.empty(tuple(shape), dtype=dtype)

    return empty


def call(function: Function, dtypes: Mapping[str, str], values: Sequence[Any], out: Any, found: Sequence[Mapping[str, Any] | None]) -> Any:
    """Runs a program that was compiled for a GPU on arrays there, of which `interfaces` has found this."""
    signature = function.signature
    name, arguments, results = signature["name"], signature["arguments"], signature["results"]
    outs = [None] * len(results) if out is None else list(out) if isinstance(out, tuple) else [out]
    if len(values) != len(arguments):
        raise TypeError(f"{name}: {len(values)} arguments, expected {len(arguments)}: {', '.join(one['name'] for one in arguments)}")
    if len(outs) != len(results):
        raise ValueError(f"{name}: out has {len(outs)} arrays, expected {len(results)}")

    def image(described: Mapping[str, Any], value: Any, has: Mapping[str, Any] | None, is_result: bool) -> tuple[int, list[int], list[int]]:
        called = f"{name}: {'result' if is_result else 'argument'} '{described['name']}'"
        return image_of(called, described, dtypes[described["type"]], value, has, is_result)

    of_arguments, of_results = found[: len(values)], [*found[len(values) :], *[None] * len(outs)][: len(outs)]
    pairs = list(zip(arguments, values, of_arguments, strict=True))
    given = [image(described, value, has, False) if "extents" in described else value for described, value, has in pairs]
    images = [(value, has) for described, value, has in pairs if "extents" in described]
    images += [(value, has) for value, has in zip(outs, of_results, strict=True) if value is not None]
    addresses = [address for address in (address_of(has) for _, has in images) if address]
    numbers = {gpu_of(address)[0] for address in addresses or [0]}
    if len(numbers) > 1:
        raise ValueError(f"{name}: images on the GPUs {' and '.join(map(str, sorted(numbers)))}, expected one GPU")
    (number,) = numbers
    stream = stream_of(name, images)
    if any(one is None for one in outs):
        empty = allocator(name, images[0][0], stream, number)
        extents = function.extents(given)
        for index, described in enumerate(results):
            if outs[index] is None:
                outs[index] = empty(extents[index], dtypes[described["type"]])
                of_results[index] = interface(outs[index])
    written = [image(described, value, has, True) for described, value, has in zip(results, outs, of_results, strict=True)]
    function.on_gpu([*given, *written], stream, number)
    return outs[0] if len(outs) == 1 else tuple(outs)
