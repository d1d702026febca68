"""Windows of a program: its pieces, what a window of each takes, and calls of them. `weft.stream` and `weft.on_dask` stand on it.

    f_window_histogram   over windows of img ─ join ─▶ "histogram"       pieces, in the order in which they are computed
    f_window_table       over one window ────────────▶ "table"
    f_window             over windows ───────────────▶ the results

    needs(window):  img       extents of the whole, and the part that the window reads        ┌ part ───────────┐
                    result    the part that the call gives, and where the window lies in it   │   ┌ window ┐    │

The compiler makes these functions (`pipeline-translate --windows`). A box is (first, count) for each dimension, outermost first; a window
is (first, end).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _runtime
from ._arrays import dense
from ._errors import WeftError
from ._types import TYPES

Array = np.ndarray[Any, np.dtype[Any]]
Box = tuple[tuple[int, int], ...]
Window = tuple[tuple[int, int], ...]


def slices(box: Box) -> tuple[slice, ...]:
    """A box as NumPy takes it."""
    return tuple(slice(first, first + count) for first, count in box)


def counts(box: Box) -> tuple[int, ...]:
    """The shape of a box."""
    return tuple(count for _, count in box)


def dtype_of(value: Mapping[str, Any]) -> np.dtype[Any]:
    """NumPy's type of the points of an argument or a result."""
    return np.dtype(bool if value["type"] == "i1" else TYPES[value["type"]].numpy)


@dataclass(frozen=True)
class Part:
    """A part of an image: of one with these extents."""

    extents: tuple[int, ...]
    box: Box


@dataclass(frozen=True)
class Given(Part):
    """What a call gives of a result: a part with the window inside, a box that counts from the part's first point."""

    inside: Box

    @property
    def place(self) -> Box:
        """Where the window lies in the whole result."""
        return tuple((first + inner, count) for (first, _), (inner, count) in zip(self.box, self.inside, strict=True))


@dataclass(frozen=True)
class Needs:
    """What a window takes: parts of images by their names, parts of results, and the axes of windows as (extent, step)."""

    reads: Mapping[str, Part]
    results: tuple[Given, ...]
    axes: tuple[tuple[int, int], ...]


class Piece:
    """Some images of a program, computed window by window."""

    def __init__(self, path: str, name: str, title: str, names: Sequence[str]) -> None:
        self.name, self.title = name, title
        self._function = _runtime.load(path, name)
        self._needs = _runtime.load(path, f"{name}_needs")
        self._begin = _runtime.load(path, f"{name}_begin") if f"{name}_begin" in names else None
        self._join = _runtime.load(path, f"{name}_join") if f"{name}_join" in names else None
        signature = self._function.signature
        self.arguments: list[dict[str, Any]] = signature["arguments"]
        self.results: list[dict[str, Any]] = signature["results"]
        self.reads = [value["name"] for value in self.arguments if "extents" in value]
        self._types = {value["name"]: dtype_of(value) for value in self.arguments if "extents" in value}
        self._flat = {value["name"] for value in self.arguments if value.get("extents") == []}
        tables = self._needs.signature["results"]
        # The table of the axes is there where there are more tables than images that have one.
        have = sum(value.get("extents") != [] for value in self.results) + len(self.reads) - len(self._flat)
        self.rank: int = tables[-1]["extents"][0] if len(tables) > have else 0

    @property
    def can_join(self) -> bool:
        """Whether windows give partial results of the whole extents, to be joined in any order."""
        return self._join is not None

    def needs(self, numbers: Sequence[Any], window: Window | None = None) -> Needs:
        """What a window takes, for the numbers of `Windows.numbers`; without a window the extents and axes alone mean something."""
        ends = [end for pair in (window if window is not None else ((0, 0),) * self.rank) for end in pair]
        made = self._needs(*numbers, *ends)
        tables = iter([table.tolist() for table in (made if isinstance(made, tuple) else (made,))])
        reads = {}
        for name in self.reads:
            rows = [] if name in self._flat else next(tables)
            reads[name] = Part(tuple(row[0] for row in rows), tuple((row[1], row[2]) for row in rows))
        results = []
        for value in self.results:
            rows = next(tables) if value["extents"] else []
            extents, box = tuple(row[0] for row in rows), tuple((row[1], row[2]) for row in rows)
            results.append(Given(extents, box, tuple((row[3], row[4]) for row in rows)))
        axes = tuple((row[0], row[1]) for row in next(tables)) if self.rank else ()
        return Needs(reads, tuple(results), axes)

    def _values(self, numbers: Sequence[Any], window: Window, parts: Mapping[str, Any]) -> list[Any]:
        others = iter([*numbers, *(end for pair in window for end in pair)])
        return [parts[value["name"]] if "extents" in value else next(others) for value in self.arguments]

    def call(self, numbers: Sequence[Any], window: Window, parts: Mapping[str, Any], out: Any = None) -> tuple[Array, ...]:
        """The parts of the results, for parts of the images that are as `needs` says."""
        return as_tuple(self._function(*self._values(numbers, window, parts), out=out))

    def call_on_gpu(
        self, numbers: Sequence[Any], window: Window, parts: Mapping[str, Any], results: Sequence[Any], stream: int, number: int
    ) -> None:
        """The same on a GPU, behind what its stream does: images are (address, extents, strides) there."""
        self._function.on_gpu([*self._values(numbers, window, parts), *results], stream, number)

    def workspace(self, numbers: Sequence[Any], window: Window, needs: Needs) -> int:
        """The bytes that a call takes beside its images."""
        parts = {}
        for name, part in needs.reads.items():
            shape = counts(part.box)
            parts[name] = (0, list(shape), dense(shape))
        return self._function.workspace(self._values(numbers, window, parts))

    def bytes_read(self, needs: Needs) -> int:
        """The bytes of the parts that a window reads."""
        return sum(math.prod(counts(part.box)) * self._types[name].itemsize for name, part in needs.reads.items())

    def bytes_given(self, needs: Needs) -> int:
        """The bytes of the parts that a call gives."""
        return sum(math.prod(counts(part.box)) * dtype_of(value).itemsize for value, part in zip(self.results, needs.results, strict=True))

    def bytes_whole(self, needs: Needs) -> int:
        """The bytes of its whole results."""
        return sum(math.prod(part.extents) * dtype_of(value).itemsize for value, part in zip(self.results, needs.results, strict=True))

    def type_of(self, name: str) -> np.dtype[Any]:
        """The type of the points of an image that it reads."""
        return self._types[name]

    def begin(self, numbers: Sequence[Any]) -> tuple[Array, ...]:
        """What partial results are joined to."""
        assert self._begin is not None
        return as_tuple(self._begin(*numbers))

    def join(self, one: Sequence[Array], other: Sequence[Array]) -> tuple[Array, ...]:
        """Two partial results as one."""
        assert self._join is not None
        return as_tuple(self._join(*(image for pair in zip(one, other, strict=True) for image in pair)))

    def __repr__(self) -> str:
        what = "partial results of " if self.can_join else ""
        return f"<{self.name}: {what}{', '.join(value['name'] for value in self.results)} of {', '.join(self.reads) or 'nothing'}>"


def as_tuple(made: Any) -> tuple[Array, ...]:
    """What a call gives, as a tuple where it is one array, too."""
    return made if isinstance(made, tuple) else (made,)


def programs_only(names: Sequence[str]) -> list[str]:
    """Of the names in a library those of programs: without what was made for windows."""
    made = [f"{name}_window" for name in names if f"{name}_window_needs" in names]
    return [name for name in names if not any(name == one or name.startswith(f"{one}_") for one in made)]


class Windows:
    """A program's pieces, in the order in which they are computed: the last gives the program's results.

    `why()` is what the compiler says of axes that windows cannot cut.
    """

    def __init__(self, path: str, program: Any, why: Callable[[], str] = lambda: "") -> None:
        self.path, self.why = path, why
        self.signature: dict[str, Any] = program.signature
        self._extents = program.extents
        names = _runtime.programs(path)
        base = f"{self.signature['name']}_window"
        if f"{base}_needs" not in names:
            raise WeftError(f"{path}: no windows of {self.signature['name']}, expected a library that save(..., windows=True) wrote")
        mine = [name for name in names if (name == base or name.startswith(f"{base}_")) and f"{name}_needs" in names]
        pieces = [Piece(path, name, name[len(base) + 1 :] or self.signature["name"], names) for name in mine]
        self.pieces: list[Piece] = []
        # In a library names stand in the order of letters: what a piece reads is computed before it.
        known = {value["name"] for value in self.signature["arguments"]}
        waiting = [piece for piece in pieces if piece.name != base]
        while waiting:
            ready = [piece for piece in waiting if known.issuperset(piece.reads)]
            if not ready:
                raise WeftError(f"{path}: {waiting[0].name} reads {', '.join(set(waiting[0].reads) - known)}, which no piece gives")
            self.pieces += ready
            known.update(value["name"] for piece in ready for value in piece.results)
            waiting = [piece for piece in waiting if piece not in ready]
        self.pieces += [piece for piece in pieces if piece.name == base]

    @property
    def images(self) -> list[dict[str, Any]]:
        """The program's arguments that are images."""
        return [value for value in self.signature["arguments"] if "extents" in value]

    @property
    def scalars(self) -> list[dict[str, Any]]:
        """The program's arguments that are numbers."""
        return [value for value in self.signature["arguments"] if "extents" not in value]

    def numbers(self, shapes: Mapping[str, Sequence[int]], values: Mapping[str, Any]) -> list[Any]:
        """What all functions of pieces are given, for images of these shapes: the program's numbers, then the extents that no type says.

        Images that the program refuses are a `weft.CheckError` or a `ValueError`.
        """
        self.result_shapes(shapes, values)
        numbers = [values[value["name"]] for value in self.scalars]
        for value in self.images:
            known = zip(value["extents"], shapes[value["name"]], strict=True)
            numbers += [extent for wanted, extent in known if not isinstance(wanted, int)]
        return numbers

    def result_shapes(self, shapes: Mapping[str, Sequence[int]], values: Mapping[str, Any]) -> list[list[int]]:
        """The shapes of the program's results."""
        given: list[Any] = []
        for value in self.signature["arguments"]:
            if "extents" not in value:
                given.append(values[value["name"]])
                continue
            shape = list(shapes[value["name"]])
            if len(shape) != len(value["extents"]):
                expected = ", ".join("?" if extent is None else str(extent) for extent in value["extents"])
                called = f"{self.signature['name']}: argument '{value['name']}'"
                raise ValueError(f"{called} has shape {tuple(shape)}, expected {len(value['extents'])} dimensions: ({expected})")
            given.append((0, shape, dense(shape)))
        extents: list[list[int]] = self._extents(given)
        return extents

    def __repr__(self) -> str:
        return f"<windows of {self.signature['name']}: {', '.join(piece.title for piece in self.pieces)}>"


def steps_of(axes: Sequence[tuple[int, int]], size: Sequence[int]) -> list[int]:
    """How many points of each axis (extent, step) a window of this size has: all where the step is 0."""
    return [max(1, extent if step == 0 else min(count, extent)) for (extent, step), count in zip(axes, size, strict=True)]


def grid_of(axes: Sequence[tuple[int, int]], size: Sequence[int]) -> list[int]:
    """How many windows there are along each axis."""
    return [max(1, -(-extent // count)) for (extent, _), count in zip(axes, steps_of(axes, size), strict=True)]


def window_at(axes: Sequence[tuple[int, int]], size: Sequence[int], at: Sequence[int]) -> Window:
    """The window at a place of that grid."""
    own = zip(axes, steps_of(axes, size), at, strict=True)
    return tuple((place * count, min(place * count + count, extent)) for (extent, _), count, place in own)


def windows_of(axes: Sequence[tuple[int, int]], size: Sequence[int]) -> Iterator[Window]:
    """The windows of such axes, row by row."""
    return (window_at(axes, size, at) for at in itertools.product(*map(range, grid_of(axes, size))))
