"""Arrays as people have them: what the fast path of a call does not take as it is.

buffer protocol, right type, last step of one element     the call reads it itself
torch, jax, CuPy on the host (DLPack)                     the same memory, as an array of NumPy
other steps, another byte order, lists, read-only `out`   a copy, and `weft.CopyWarning`, or an error that says what to write
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import CopyWarning


class ElsewhereError(TypeError):
    """An array on a GPU, or of Dask, of which the host's call knows nothing."""


def interface(value: Any) -> Mapping[str, Any] | None:
    """What an array on a GPU says of its memory; of another, `None`."""
    # torch says nothing of a tensor that a gradient is wanted of.
    if getattr(value, "requires_grad", False):
        value = value.detach()
    found: Mapping[str, Any] | None = getattr(value, "__cuda_array_interface__", None)
    return found


def is_lazy(value: Any) -> bool:
    """Whether a value is of Dask."""
    return hasattr(value, "__dask_graph__")


def as_array(given: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """An array of NumPy over the same memory, where that can be had."""
    if isinstance(given, np.ndarray):
        return given
    if interface(given) is not None:
        raise ElsewhereError("it lies in the memory of a GPU, expected one in the host's: .cpu() or .get() copies it")
    if is_lazy(given):
        raise ElsewhereError("it is of Dask, expected one in memory: weft.Program takes both, and gives one of Dask")
    if hasattr(given, "__dlpack__"):
        if getattr(given, "requires_grad", False):
            given = given.detach()
        return np.from_dlpack(given)
    return np.asarray(given)


def fit(program: str, value: dict[str, Any], dtype: str, given: Any, is_result: bool) -> np.ndarray[Any, np.dtype[Any]]:
    """An array that a call takes for `value`, the description of an argument or a result; called from Rust."""
    called = f"{program}: {'result' if is_result else 'argument'} '{value['name']}'"
    extents = value["extents"]
    try:
        array = as_array(given)
    except (TypeError, ValueError, BufferError, RuntimeError) as error:
        kind = ElsewhereError if isinstance(error, ElsewhereError) else TypeError
        raise kind(f"{called} is a {type(given).__name__}, expected an array of {dtype}: {error}") from None
    if array.dtype != np.dtype(dtype) and array.dtype.newbyteorder("=") != np.dtype(dtype):
        cast = f"np.empty(shape, np.{dtype})" if is_result else f".astype(np.{dtype})"
        raise TypeError(f"{called} has elements of {array.dtype}, expected {dtype}: {cast}")
    if array.ndim != len(extents):
        shape = ", ".join("?" if extent is None else str(extent) for extent in extents)
        raise ValueError(f"{called} has shape {array.shape}, expected {len(extents)} dimensions: ({shape})")
    if is_result:
        if not array.flags.writeable:
            raise ValueError(f"{called} is read-only, expected memory to write to")
        if not fits(array, dtype):
            raise ValueError(
                f"{called} has strides {array.strides} and elements of {array.itemsize} bytes, expected points of a row side by side: "
                "an array without out= and then out[...] = it"
            )
        return array
    if fits(array, dtype):
        return array
    warnings.warn(
        f"{called} was copied: strides {array.strides}, elements of {array.dtype.str}; "
        'np.array(a, order="C") makes one that is read where it lies',
        CopyWarning,
        stacklevel=2,
    )
    return np.array(array, dtype=np.dtype(dtype), order="C", copy=True)


def dense(shape: Sequence[int]) -> list[int]:
    """The strides, in points, of an image without gaps."""
    return [math.prod(shape[dimension + 1 :]) for dimension in range(len(shape))]


def fits(array: np.ndarray[Any, np.dtype[Any]], dtype: str) -> bool:
    """Whether a call reads it where it lies."""
    steps = [stride for stride, extent in zip(array.strides, array.shape, strict=True) if extent > 1]
    return (
        array.dtype == np.dtype(dtype)
        and array.dtype.isnative
        and array.flags.aligned
        and all(stride % array.itemsize == 0 for stride in steps)
        and (array.ndim == 0 or array.shape[-1] <= 1 or array.size == 0 or array.strides[-1] == array.itemsize)
    )
