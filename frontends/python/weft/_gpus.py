"""Windows on the GPUs of a machine: each GPU has two lanes, and a window goes through one.

    lane 0 of GPU 0   upload │ kernels          │ download │ upload ...        a lane's own work is in order;
    lane 1 of GPU 0            upload │ kernels          │ download ...        copies of one run beside kernels of the other,
    lane 0 of GPU 1   upload │ kernels          │ download │ upload ...        and GPUs beside each other

A window's parts are read into pinned memory of its lane, so that the GPU copies by itself. What a window needs, and what joins partial
results, the host computes.
"""

from __future__ import annotations

import math
import queue
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _runtime
from ._arrays import dense
from ._errors import GpuError
from ._windows import Array, Needs, Piece, Window, Windows, counts, dtype_of

LANES = 2


class Lane:
    """A stream of a GPU, with memory for the parts of one window."""

    def __init__(self, number: int, windows: Windows) -> None:
        self._lane = _runtime.Lane(number)
        self._pieces = {piece.name: piece for piece in windows.pieces}
        self._mirrors: dict[str, tuple[_runtime.Mirror, Array]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Pinned memory for the image of this name."""
        size = max(1, math.prod(shape) * dtype.itemsize)
        known = self._mirrors.get(name)
        if known is None or known[1].size < size:
            self._mirrors.pop(name, None)
            mirror = _runtime.Mirror(self._lane.number, size)
            known = self._mirrors[name] = (mirror, np.frombuffer(memoryview(mirror), np.uint8))
        return known[1][: math.prod(shape) * dtype.itemsize].view(dtype).reshape(shape)

    def _value(self, name: str, shape: tuple[int, ...]) -> tuple[int, list[int], list[int]]:
        """An image as a call on the GPU takes it: address, extents, strides."""
        return self._mirrors[name][0].address, list(shape), dense(shape)

    def call(self, piece: Piece, numbers: Sequence[Any], window: Window, needs: Needs) -> tuple[Array, ...]:
        """The parts of a piece's results, for parts of images that lie in the lane's memory already, under their names."""
        parts = {}
        for name, part in needs.reads.items():
            shape = counts(part.box)
            self._lane.upload(self._mirrors[name][0], math.prod(shape) * piece.type_of(name).itemsize)
            parts[name] = self._value(name, shape)
        results, made = [], []
        for value, given in zip(piece.results, needs.results, strict=True):
            made.append(self.array(f"result {value['name']}", counts(given.box), dtype_of(value)))
            results.append(self._value(f"result {value['name']}", counts(given.box)))
        self._pieces[piece.name].call_on_gpu(numbers, window, parts, results, self._lane.stream, self._lane.number)
        for value, array in zip(piece.results, made, strict=True):
            self._lane.download(self._mirrors[f"result {value['name']}"][0], array.nbytes)
        self._lane.wait()
        return tuple(made)


class Gpus:
    """The lanes of some GPUs, of which a window takes one that is free."""

    def __init__(self, program: Any, wanted: str | Sequence[int]) -> None:
        chips = _runtime.gpus()
        numbers = list(range(len(chips))) if isinstance(wanted, str) else list(wanted)
        if isinstance(wanted, str) and wanted != "all":
            raise ValueError(f"gpus {wanted!r}, expected 'all' or a list of numbers")
        unknown = [number for number in numbers if number not in range(len(chips))]
        if unknown or not numbers:
            raise GpuError(f"GPU {unknown[0] if unknown else wanted}, expected some of the {len(chips)} that are here: 0, 1, ..., or 'all'")
        self._free: queue.Queue[Lane] = queue.Queue()
        windows = {chip: program.windows(chip=f"sm_{chip}") for chip in {chips[number] for number in numbers}}
        # One of each GPU first.
        lanes = [Lane(number, windows[chips[number]]) for _ in range(LANES) for number in numbers]
        self.count = len(lanes)
        for lane in lanes:
            self._free.put(lane)

    def take(self) -> Lane:
        """A lane that is free; waits for one."""
        return self._free.get()

    def give(self, lane: Lane) -> None:
        """A lane is free again."""
        self._free.put(lane)
