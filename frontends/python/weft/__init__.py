"""Weft compiles image-processing and stencil pipelines.

    import numpy as np, weft

    @weft.program
    def blur(img: weft.f32["h", "w"]):
        y, x = img.axes
        wide = weft.stage("wide", (img.clamp[y, x - 1] + img[y, x] + img.clamp[y, x + 1]) / 3)
        return weft.stage("blurred", (wide.clamp[y - 1, x] + wide[y, x] + wide.clamp[y + 1, x]) / 3)

    blur(np.random.rand(480, 640).astype(np.float32))

A program says what each point of each image is. Stages are fused, tiled and vectorised by the compiler, and run on all cores.
`help(weft.Program)` says what there is to do with one, and `help(weft.stage)`, `weft.scan`, `weft.scatter`, `weft.iterate`, `weft.sum`
and `weft.reduce` what it is made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import CheckError, CompileError, CopyWarning, GpuError, TraceError, WeftError
from ._program import Compiled, Program, Run, Schedule, compile, load, program, schedule
from ._trace import (
    Axis,
    Image,
    Line,
    Value,
    View,
    atan,
    atan2,
    axes,
    axis,
    ceil,
    clip,
    constant,
    cos,
    exp,
    exp2,
    floor,
    hypot,
    iterate,
    log,
    log2,
    max,
    max_over,
    min,
    min_over,
    pow,
    reduce,
    round,
    rsqrt,
    scan,
    scatter,
    sin,
    sqrt,
    stage,
    sum,
    table,
    tanh,
    where,
    window,
)
from ._types import ImageType, Type, f16, f32, f64, i8, i16, i32, i64, index, u8, u16, u32, u64

if TYPE_CHECKING:
    from ._dask import on_dask
    from ._stream import Streamed, stream

__all__ = [
    "Axis",
    "CheckError",
    "CompileError",
    "Compiled",
    "CopyWarning",
    "GpuError",
    "Image",
    "ImageType",
    "Line",
    "Program",
    "Run",
    "Schedule",
    "Streamed",
    "TraceError",
    "Type",
    "Value",
    "View",
    "WeftError",
    "atan",
    "atan2",
    "axes",
    "axis",
    "ceil",
    "clip",
    "compile",
    "constant",
    "cos",
    "exp",
    "exp2",
    "f16",
    "f32",
    "f64",
    "floor",
    "hypot",
    "i8",
    "i16",
    "i32",
    "i64",
    "index",
    "iterate",
    "load",
    "log",
    "log2",
    "max",
    "max_over",
    "min",
    "min_over",
    "on_dask",
    "pow",
    "program",
    "reduce",
    "round",
    "rsqrt",
    "scan",
    "scatter",
    "schedule",
    "sin",
    "sqrt",
    "stage",
    "stream",
    "sum",
    "table",
    "tanh",
    "u8",
    "u16",
    "u32",
    "u64",
    "where",
    "window",
]


def __getattr__(name: str) -> Any:
    """What is for large images is imported when it is asked for: it takes as long as all else."""
    if name == "on_dask":
        from ._dask import on_dask

        return on_dask
    if name in ("stream", "Streamed"):
        from . import _stream

        return getattr(_stream, name)
    raise AttributeError(f"module 'weft' has no attribute {name!r}")
