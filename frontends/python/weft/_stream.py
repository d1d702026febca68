"""`weft.stream`: images that no memory holds, window by window.

    piece by piece:    read window 2   │ compute window 1 │ write window 0        two of each in memory at a time
                       (thread)          (all cores)        (thread)
                                                                └─▶ journal: window 0 is done

    out.npy.part       the sink, until it is whole        out.npy.weft/journal     what is done, and of which program and sources
                                                          out.npy.weft/up.npy      an image between pieces

Windows are as large as the memory allows and no larger than makes sense: whole blocks of sources and sinks, and little beside what
neighbours need, too. After a kill the same call goes on where the journal ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import itertools
import json
import math
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ._errors import WeftError
from ._files import ArraySink, ArraySource, FileError, RawSink, Sink, Source, npy_source, open_sink, open_source
from ._gpus import Gpus
from ._windows import Array, Needs, Piece, Window, Windows, counts, dtype_of, grid_of, slices, steps_of, window_at, windows_of

# A window that takes so many bytes is large enough for its call and its reads not to be felt; a larger one has less halo.
ENOUGH = 8 << 20
# Parts and results that are in memory at once: one is computed with while another is read or written.
IN_FLIGHT = 2


@dataclass
class Streamed:
    """What `weft.stream` did: the shape of windows of each piece, how many there were and were done before, bytes, seconds."""

    windows: dict[str, tuple[int, ...]] = field(default_factory=dict)
    count: int = 0
    resumed: int = 0
    read: int = 0
    written: int = 0
    bytes_in_flight: int = 0
    seconds: float = 0.0


def bytes_of(memory: int | str) -> int:
    """A number of bytes: `1 GiB`, `500MB`, 1073741824."""
    if isinstance(memory, int):
        return memory
    match = re.fullmatch(r"\s*([0-9.]+)\s*([kKMGT]?)(i?)B?\s*", memory)
    if match is None:
        raise ValueError(f"memory {memory!r}, expected a number of bytes such as '1 GiB'")
    base = 1024 if match[3] else 1000
    return int(float(match[1]) * base ** " KMGT".index(match[2].upper() or " "))


# ---- The shape of windows --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """What a window takes: bytes of memory while it is computed and others are in flight, and bytes moved for each byte of the window."""

    memory: int
    moved: float
    parts: int


class Shapes:
    """Chooses the shape of a piece's windows."""

    def __init__(
        self, piece: Piece, numbers: Sequence[Any], blocks: Mapping[str, Sequence[int]], working: int, in_flight: int = IN_FLIGHT
    ) -> None:
        self.piece, self.numbers, self.working, self.in_flight = piece, numbers, working, in_flight
        self.axes = piece.needs(numbers).axes
        self._blocks = blocks

    def cost(self, size: Sequence[int], is_rough: bool = False) -> Cost:
        """What the windows of a shape take, at most, by those at the edges and in the middle; roughly, by the one in the middle."""
        memory, moved, most = 0, 0.0, 0
        grid = grid_of(self.axes, size)
        for at in itertools.product(*({length // 2} if is_rough else {0, length // 2, length - 1} for length in grid)):
            window = window_at(self.axes, size, at)
            needs = self.piece.needs(self.numbers, window)
            parts, results = self.piece.bytes_read(needs), self.piece.bytes_given(needs)
            workspace = 0 if is_rough else self.piece.workspace(self.numbers, window, needs)
            in_flight = self.in_flight * parts + (self.in_flight + self.piece.can_join) * results
            memory = max(memory, in_flight + workspace + self.working)
            points = math.prod(end - first for first, end in window)
            moved = max(moved, (self._touched(needs) + results) / max(1, points) * (1 + ENOUGH / 16 / max(1, parts + results)))
            most = max(most, parts + results)
        return Cost(memory, moved, most)

    def _touched(self, needs: Needs) -> int:
        """The bytes of the parts that are read, in whole blocks of their sources."""
        total = 0
        for name, part in needs.reads.items():
            points = 1
            for (first, count), block, extent in zip(part.box, self._blocks[name], part.extents, strict=True):
                first, end = first // block * block, min(extent, -(-(first + count) // block) * block)
                points *= max(count, end - first)
            total += points * self.piece.type_of(name).itemsize
        return total

    def candidates(self) -> list[tuple[int, ...]]:
        """Shapes to choose from: whole axes, and steps and blocks, doubled until they are whole."""
        first = self.piece.results[0]["name"] if self.piece.results else ""
        blocks = self._blocks.get(f"result {first}", (1,) * len(self.axes))
        choices = []
        for d, (extent, step) in enumerate(self.axes):
            if step == 0 or extent <= 1:
                choices.append([extent])
                continue
            unit = step
            block = blocks[d] if len(blocks) == len(self.axes) else 1
            if block < extent:
                unit = math.lcm(step, block) if math.lcm(step, block) <= 8 * max(step, block) else step
            sizes = {extent, *(size for size in (unit << k for k in range(40)) if size < extent)}
            sizes |= {step} if step < extent else set()
            # Channels and the like stay whole unless nothing fits.
            choices.append([extent] if extent <= 16 else sorted(sizes))
        shapes = list(itertools.product(*choices))
        return shapes if len(shapes) <= 600 else self._slabs(choices)

    def _slabs(self, choices: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """Of many shapes those that are whole within and one unit without some dimension, and those with squares in it."""
        shapes = set()
        for d, sizes in enumerate(choices):
            for size in sizes:
                inner = [one[-1] for one in choices[d + 1 :]]
                shapes.add((*(one[0] for one in choices[:d]), size, *inner))
                shapes.add(tuple(max([one for one in own if one <= size] or own[:1]) for own in choices))
        return sorted(shapes)

    def choose(self, memory: int, why: Callable[[], str]) -> tuple[int, ...]:
        """The smallest shape that moves nearly as few bytes as any that fits; a refusal where none does."""
        costs = {shape: self.cost(shape, is_rough=True) for shape in self.candidates()}
        costs = {shape: cost for shape, cost in costs.items() if cost.memory <= memory}
        while costs:
            least = min(cost.moved for cost in costs.values())
            good = [shape for shape, cost in costs.items() if cost.moved <= 1.05 * least]
            # Of two of one size the one whose rows are whole.
            best = min(good, key=lambda shape: (max(costs[shape].parts, ENOUGH), [-extent for extent in reversed(shape)]))
            if self.cost(best).memory <= memory:
                return best
            del costs[best]
        narrow = tuple(extent if step == 0 or extent <= 1 else min(step, extent) for extent, step in self.axes)
        self.check(narrow, memory, why)
        return narrow

    def check(self, size: Sequence[int], memory: int, why: Callable[[], str]) -> None:
        """Refuses windows that do not fit, with the reason: what the compiler says, or else the axes alone."""
        needed = self.cost(size).memory
        if needed <= memory:
            return
        whole = [str(d) for d, (extent, step) in enumerate(self.axes) if step == 0 and extent > 1]
        reason = why() or (f"windows of {self.piece.title} are whole along dimension {', '.join(whole)}" if whole else "")
        takes = f"a window of {' x '.join(map(str, size)) or 'one point'} takes {human(needed)}"
        expected = f"expected at most {human(memory)}, the memory given"
        raise WeftError(f"{self.piece.title}: {takes}, {expected}{': ' + reason if reason else ''}")


def human(count: float) -> str:
    """Bytes in words."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            break
        count /= 1024
    return f"{count:.4g} {unit}"


# ---- The journal -----------------------------------------------------------------------------------------------------


class Journal:
    """What is done, in a folder beside the first sink that is a file; without one it is forgotten.

    A line for each window, behind its data: one that a kill cut short says nothing. A kill of the process loses nothing. Nothing is synced
    to the disk: where the machine itself stops, the sink may lack what the journal says.
    """

    def __init__(self, sinks: Sequence[Sink], what: dict[str, Any] | None) -> None:
        first = next((sink.path for sink in sinks if sink.path is not None), None)
        self._is_kept = first is not None
        self.folder = first.with_name(f"{first.name}.weft") if first is not None else Path(tempfile.mkdtemp(prefix="weft-"))
        self.folder.mkdir(exist_ok=True)
        self._file = open(self.folder / "journal", "a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise WeftError(f"{first}: another process writes it, {self.folder} is locked") from None
        self._file.seek(0)
        head, *lines = self._file.read().split(b"\n")
        now = json.dumps(what, sort_keys=True).encode() if what is not None else b""
        self.done: set[tuple[str, int]] = set()
        self.note = ""
        if head and head == now and all(sink.can_resume() for sink in sinks):
            for line in lines[:-1]:
                piece, number = line.decode().rsplit(" ", 1)
                self.done.add((piece, int(number)))
        elif head:
            self.note = f"{first}: begins anew: {self._difference(head, what)}"
        self.resumes = bool(self.done)
        if not self.resumes:
            self._file.truncate(0)
            self._file.write(now + b"\n")
        elif lines and lines[-1]:
            # What a kill cut short.
            self._file.truncate(self._file.tell() - len(lines[-1]))
        self._file.flush()

    def _difference(self, head: bytes, what: dict[str, Any] | None) -> str:
        if what is None:
            return "nothing tells whether its sources are the same"
        with contextlib.suppress(ValueError):
            before = json.loads(head)
            others = sorted(key for key in {*before, *what} if before.get(key) != what.get(key))
            return f"another {', '.join(others)}" if others else "what was written is not there"
        return "its journal cannot be read"

    def add(self, piece: str, number: int) -> None:
        """A window is done."""
        try:
            self._file.write(f"{piece} {number}\n".encode())
            self._file.flush()
        except OSError as error:
            raise FileError(f"{self.folder}/journal cannot be written: {error.strerror}") from error

    def close(self, is_done: bool) -> None:
        """Ends it: what is done needs none."""
        self._file.close()
        if is_done or not self._is_kept:
            shutil.rmtree(self.folder, ignore_errors=True)


# ---- Progress --------------------------------------------------------------------------------------------------------


class Progress:
    """A line on the terminal: how much of a piece is done, how fast, how long it still takes."""

    def __init__(self, is_shown: bool | None) -> None:
        self._is_shown = is_shown if is_shown is not None else sys.stderr is not None and sys.stderr.isatty()
        self._shown = self._began = 0.0
        self._before = 0

    def begin(self, done: int) -> None:
        """A piece begins, of which so many windows are done."""
        self._began = time.monotonic()
        self._shown, self._before = 0.0, done

    def show(self, title: str, done: int, total: int, moved: int) -> None:
        """So many windows of so many are done, and so many bytes read and written since it began."""
        now = time.monotonic()
        if not self._is_shown or (now - self._shown < 0.2 and done < total):
            return
        self._shown = now
        seconds = max(1e-3, now - self._began)
        left = int(seconds / max(1, done - self._before) * (total - done))
        line = f"{title}: {100 * done // max(1, total)} %, {human(moved / seconds)}/s, {left // 60}:{left % 60:02} left"
        print(f"\r{line:<70}", end="\n" if done == total else "", file=sys.stderr, flush=True)


# ---- Running ---------------------------------------------------------------------------------------------------------


class Buffers:
    """Memory for parts and results that is used again, so that it is not asked of the system for each window."""

    def __init__(self) -> None:
        self._flat: dict[tuple[str, int], Array] = {}

    def array(self, name: str, slot: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """An array for the image of this name, of the slot."""
        size = math.prod(shape) * dtype.itemsize
        key = (name, slot % IN_FLIGHT)
        if key not in self._flat or self._flat[key].size < size:
            self._flat.pop(key, None)
            self._flat[key] = np.empty(size, np.uint8)
        return self._flat[key][:size].view(dtype).reshape(shape)


# Keeps what a window gave: in sinks, when the future is done, or joined to others.
Keep = Callable[[int, Needs, Sequence[Array]], "Future[None] | None"]


class Runner:
    """Computes pieces."""

    def __init__(self, numbers: Sequence[Any], journal: Journal, progress: Progress, report: Streamed, gpus: Gpus | None = None) -> None:
        self.numbers, self.journal, self.progress, self.report, self.gpus = numbers, journal, progress, report, gpus

    def run(self, piece: Piece, size: Sequence[int], images: Mapping[str, Source], sinks: Sequence[Sink | None]) -> None:
        """Computes a piece, into sinks in the order of its results; None where nobody wants one."""
        axes = piece.needs(self.numbers).axes
        total = math.prod(grid_of(axes, size))
        # What was written to memory is gone with the process that did, and so are sums.
        is_kept = not piece.can_join and all(sink.path is not None for sink in sinks if sink is not None)
        done = {number for name, number in self.journal.done if name == piece.name} if is_kept else set()
        todo = ((number, window) for number, window in enumerate(windows_of(axes, size)) if number not in done)
        self.report.windows[piece.title] = tuple(size)
        self.report.count += total
        self.report.resumed += len(done)
        before, finished = self.report.read + self.report.written, len(done)
        self.progress.begin(finished)
        sums = piece.begin(self.numbers) if piece.can_join else ()
        with ThreadPoolExecutor(1, "weft-reader") as reader, ThreadPoolExecutor(1, "weft-writer") as writer:

            def keep(number: int, needs: Needs, made: Sequence[Array]) -> Future[None] | None:
                nonlocal sums
                if piece.can_join:
                    sums = piece.join(sums, made)
                    return None
                return writer.submit(self._write, piece, number, needs, made, sinks, is_kept)

            run = self._on_gpus(reader, piece, todo, images, keep) if self.gpus else self._here(reader, piece, todo, images, keep)
            for _ in run:
                finished += 1
                self.progress.show(piece.title, finished, total, self.report.read + self.report.written - before)
        for sink, whole in zip(sinks, sums, strict=False):
            if sink is not None:
                sink.write(tuple((0, extent) for extent in whole.shape), whole)

    def _here(
        self, reader: ThreadPoolExecutor, piece: Piece, todo: Iterator[tuple[int, Window]], images: Mapping[str, Source], keep: Keep
    ) -> Iterator[None]:
        """Computes windows on this machine's CPU, whose cores share each."""
        buffers, written = Buffers(), None
        for slot, (number, window, needs, parts) in enumerate(self._ahead(reader, piece, todo, images, buffers)):
            made = piece.call(self.numbers, window, parts, out=self._results(piece, needs, slot, buffers))
            if written is not None:
                written.result()
            written = keep(number, needs, made)
            yield
        if written is not None:
            written.result()

    def _on_gpus(
        self, reader: ThreadPoolExecutor, piece: Piece, todo: Iterator[tuple[int, Window]], images: Mapping[str, Source], keep: Keep
    ) -> Iterator[None]:
        """Computes windows on GPUs, one in each lane. Files are read and written by one thread each, as on the CPU."""
        gpus = self.gpus
        assert gpus is not None
        joined = threading.Lock()

        def compute(number: int, window: Window) -> None:
            lane = gpus.take()
            try:
                needs = piece.needs(self.numbers, window)
                reader.submit(self._fill, piece, needs, images, lane.array).result()
                made = lane.call(piece, self.numbers, window, needs)
                with joined:
                    written = keep(number, needs, made)
                if written is not None:
                    written.result()
            finally:
                gpus.give(lane)

        with ThreadPoolExecutor(gpus.count, "weft-lane") as lanes:
            # No more at once than there are lanes: an error is seen before the next.
            running = {lanes.submit(compute, *one) for one in itertools.islice(todo, gpus.count)}
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for one in done:
                    one.result()
                    yield
                running |= {lanes.submit(compute, *one) for one in itertools.islice(todo, len(done))}

    def skip(self, piece: Piece, size: Sequence[int]) -> None:
        """Passes over a piece that an earlier run computed."""
        total = math.prod(grid_of(piece.needs(self.numbers).axes, size))
        self.report.windows[piece.title] = tuple(size)
        self.report.count += total
        self.report.resumed += total

    def _ahead(
        self,
        reader: ThreadPoolExecutor,
        piece: Piece,
        todo: Iterator[tuple[int, Window]],
        images: Mapping[str, Source],
        buffers: Buffers,
    ) -> Iterator[tuple[int, Window, Needs, dict[str, Array]]]:
        """What windows are computed of, each read while the one before is computed."""
        pending: Future[tuple[int, Window, Needs, dict[str, Array]]] | None = None
        for slot, (number, window) in enumerate(todo):
            following = reader.submit(self._read, piece, slot, number, window, images, buffers)
            if pending is not None:
                yield pending.result()
            pending = following
        if pending is not None:
            yield pending.result()

    def _read(
        self, piece: Piece, slot: int, number: int, window: Window, images: Mapping[str, Source], buffers: Buffers
    ) -> tuple[int, Window, Needs, dict[str, Array]]:
        needs = piece.needs(self.numbers, window)
        return number, window, needs, self._fill(piece, needs, images, lambda name, *of: buffers.array(name, slot, *of), is_copied=False)

    def _fill(
        self, piece: Piece, needs: Needs, images: Mapping[str, Source], array: Callable[..., Array], is_copied: bool = True
    ) -> dict[str, Array]:
        """Reads the parts that a window needs into memory that `array` gives; what lies ready elsewhere stays there, if it may."""
        parts = {}
        for name, part in needs.reads.items():
            source = images[name]
            place = array(name, counts(part.box), source.dtype)
            points = source.read(part.box, place)
            self.report.read += points.nbytes
            native = points.dtype.newbyteorder("=")
            if is_copied and (points is not place or not points.dtype.isnative):
                place = place.view(native)
                place[...] = points
                points = place
            parts[name] = points if points.dtype.isnative else points.astype(native)
        return parts

    def _results(self, piece: Piece, needs: Needs, slot: int, buffers: Buffers) -> tuple[Array, ...]:
        results = zip(piece.results, needs.results, strict=True)
        return tuple(buffers.array(f"result {value['name']}", slot, counts(part.box), dtype_of(value)) for value, part in results)

    def _write(self, piece: Piece, number: int, needs: Needs, made: Sequence[Array], sinks: Sequence[Sink | None], is_kept: bool) -> None:
        for sink, part, image in zip(sinks, needs.results, made, strict=True):
            if sink is not None:
                points = image[slices(part.inside)]
                sink.write(part.place, points)
                self.report.written += points.nbytes
        if is_kept:
            self.journal.add(piece.name, number)


# ---- The call --------------------------------------------------------------------------------------------------------


def stream(
    program: Any,
    source: Any,
    sink: Any,
    memory: int | str = "1 GiB",
    window: Sequence[int] | None = None,
    progress: bool | None = None,
    gpus: str | Sequence[int] | None = None,
    **numbers: Any,
) -> Streamed:
    """Runs a program on images that memory does not hold, window by window; the result has the bits of the whole image's.

    `program` is a `weft.Program`, or one that `weft.load` opened from a library that `save(..., windows=True)` wrote.
    `source` is the image, or a dict of images and numbers by the names of the program's arguments; numbers may be keywords, too. An image
    is a path (.npy, .tif, .svs, a zarr array), or anything with `shape`, `dtype` and slices. `sink` is where the result goes, or a dict by
    the names of results: a path, or an array. Results that a dict does not name are not written.

    `memory` is what images in flight may take, in bytes or as `"1 GiB"`; the interpreter and its libraries come on top. `window` is the
    shape of windows along the last dimensions, in points, instead of one that is chosen. `progress` shows a line on stderr; by default on
    a terminal. `gpus` is "all", or numbers of GPUs: they compute the windows, side by side, and `memory` is what the host pins for them.

    A sink that is a file has its name when it is whole: until then it is NAME.part. Called again after a kill, with the same program,
    sources and sinks, it goes on where it was; after a change it begins anew, and says so on stderr.

    A `weft.WeftError` where no window fits in the memory, an image cannot be read or written; TypeError, ValueError or
    `weft.CheckError` where arguments do not fit the program. Sinks are then incomplete: .part, and no other name.
    """
    began = time.monotonic()
    windows: Windows = program.windows()
    limit = bytes_of(memory)
    with contextlib.ExitStack() as stack:
        images, values = arguments_of(windows, source, {**getattr(program, "_defaults", {}), **numbers})
        sources: dict[str, Source] = {}
        for value in windows.images:
            name = value["name"]
            opened = sources[name] = open_source(images[name], name)
            stack.callback(opened.close)
            if opened.dtype.newbyteorder("=") != dtype_of(value):
                called = f"{windows.signature['name']}: argument '{name}'"
                raise TypeError(f"{called} has elements of {opened.dtype} in {opened.name}, expected {dtype_of(value)}")
        plan = Plan(windows, sources, values, limit, window)
        sinks = plan.open_sinks(sink)
        lanes = Gpus(program, gpus) if gpus is not None else None
        shapes = plan.choose(lanes.count if lanes is not None else IN_FLIGHT)
        report = Streamed(bytes_in_flight=max(plan.memory.values(), default=0))
        journal = Journal(list(sinks.values()), plan.what(shapes, sinks))
        is_done = False
        try:
            if journal.note:
                print(journal.note, file=sys.stderr)
            plan.run(shapes, sinks, journal, Runner(plan.numbers, journal, Progress(progress), report, lanes))
            for one in sinks.values():
                one.finish()
            is_done = True
        except OSError as error:
            if isinstance(error, WeftError):
                raise
            raise FileError(f"{windows.signature['name']}: {error}") from error
        finally:
            for one in sinks.values():
                one.discard()
            journal.close(is_done)
        report.seconds = time.monotonic() - began
        return report


def arguments_of(windows: Windows, source: Any, numbers: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The images and the numbers of a call, by name."""
    called = windows.signature["name"]
    names = {value["name"]: "extents" in value for value in windows.signature["arguments"]}
    images = [name for name, is_image in names.items() if is_image]
    if not isinstance(source, Mapping):
        if len(images) != 1:
            raise TypeError(f"{called}: one source, expected a dict with {', '.join(images) or 'numbers'}")
        source = {images[0]: source}
    given = {**numbers, **source}
    for name in given:
        if name not in names:
            raise TypeError(f"{called}: no argument '{name}', expected one of {', '.join(names)}")
    missing = [name for name in names if name not in given]
    if missing:
        raise TypeError(f"{called}: no value for {', '.join(missing)}")
    return {name: given[name] for name in images}, {name: given[name] for name in names if not names[name]}


def sinks_by_name(called: str, names: Sequence[str], given: Any) -> dict[str, Any]:
    """The sinks of a call, by the names of results."""
    if not isinstance(given, Mapping):
        if len(names) != 1:
            raise TypeError(f"{called}: one sink, expected a dict with some of {', '.join(names)}")
        return {names[0]: given}
    for name in given:
        if name not in names:
            raise TypeError(f"{called}: no result '{name}', expected one of {', '.join(names)}")
    return dict(given)


class Plan:
    """How a program is run on some images: where images between pieces lie, and in which windows each piece is computed."""

    def __init__(
        self, windows: Windows, sources: Mapping[str, Source], values: Mapping[str, Any], limit: int, window: Sequence[int] | None
    ) -> None:
        self.windows, self.sources, self.values, self.limit, self._window = windows, dict(sources), dict(values), limit, window
        self.numbers = windows.numbers({name: source.shape for name, source in sources.items()}, values)
        self.last = windows.pieces[-1]
        # Images between pieces: in memory while they are small beside the limit, else files.
        self.between: dict[str, tuple[tuple[int, ...], np.dtype[Any], bool]] = {}
        held = 0
        for piece in windows.pieces[:-1]:
            for value, part in zip(piece.results, piece.needs(self.numbers).results, strict=True):
                size = math.prod(part.extents) * dtype_of(value).itemsize
                is_held = held + size <= limit // 4 or piece.can_join or not part.extents
                held += size if is_held else 0
                self.between[value["name"]] = (part.extents, dtype_of(value), is_held)
        self.held = held
        self.memory: dict[str, int] = {}
        self.sinks: dict[str, Sink] = {}

    def open_sinks(self, given: Any) -> dict[str, Sink]:
        """The sinks of the program's results, by name."""
        names = [value["name"] for value in self.last.results]
        called = self.windows.signature["name"]
        given = sinks_by_name(called, names, given)
        like = next(iter(self.sources.values()), None)
        for value, part in zip(self.last.results, self.last.needs(self.numbers).results, strict=True):
            if value["name"] in given:
                name = value["name"]
                self.sinks[name] = open_sink(given[name], f"{called}: result '{name}'", part.extents, dtype_of(value), like)
        paths = [str(one.path) for one in self.sinks.values() if one.path is not None]
        taken = [source.name for source in self.sources.values()]
        for path in paths:
            if paths.count(path) > 1 or any(os.path.abspath(one) == path for one in taken):
                raise WeftError(f"{path}: is a sink and another sink or source, expected a file of its own")
        return self.sinks

    def choose(self, in_flight: int) -> dict[str, tuple[int, ...]]:
        """The shape of the windows of each piece, by its name."""
        shapes = {}
        for piece in self.windows.pieces:
            blocks: dict[str, Sequence[int]] = {name: source.blocks for name, source in self.sources.items()}
            working = self.held + sum(source.working for name, source in self.sources.items() if name in piece.reads)
            for name, (shape, _, _) in self.between.items():
                blocks[name] = (1,) * max(0, len(shape) - 1) + shape[-1:]
            if piece is self.last:
                blocks |= {f"result {name}": sink.blocks for name, sink in self.sinks.items()}
                working += sum(sink.working for sink in self.sinks.values())
            chooser = Shapes(piece, self.numbers, blocks, working, in_flight)
            if self._window is None:
                size = chooser.choose(self.limit, self.windows.why)
            else:
                size = trailing(chooser.axes, self._window)
                chooser.check(size, self.limit, self.windows.why)
            self.memory[piece.name] = chooser.cost(size).memory
            shapes[piece.name] = size
        return shapes

    def what(self, shapes: Mapping[str, Sequence[int]], sinks: Mapping[str, Sink]) -> dict[str, Any] | None:
        """What a run that goes on must have in common with the one before; None where a source does not say what it is."""
        identities = {name: source.identity() for name, source in self.sources.items()}
        if None in identities.values():
            return None
        return {
            "program": hashlib.sha256(Path(self.windows.path).read_bytes()).hexdigest(),
            "sources": identities,
            "numbers": {name: str(value) for name, value in self.values.items()},
            "sinks": {name: str(sink.path) for name, sink in sinks.items()},
            "windows": {name: list(size) for name, size in shapes.items()},
        }

    def run(self, shapes: Mapping[str, Sequence[int]], sinks: Mapping[str, Sink], journal: Journal, runner: Runner) -> None:
        """Computes all pieces."""
        for sink in sinks.values():
            sink.create(journal.resumes)
        images: dict[str, Source] = dict(self.sources)
        with contextlib.ExitStack() as stack:
            for piece in self.windows.pieces:
                if piece is self.last:
                    runner.run(piece, shapes[piece.name], images, [sinks.get(value["name"]) for value in piece.results])
                    continue
                files = {value["name"]: journal.folder / f"{value['name']}.npy" for value in piece.results}
                self._between(piece, shapes[piece.name], images, files, journal, runner)
                for name, path in files.items():
                    source = ArraySource(np.load(path), name) if self.between[name][2] else npy_source(path)
                    stack.callback(source.close)
                    images[name] = source

    def _between(
        self,
        piece: Piece,
        size: Sequence[int],
        images: Mapping[str, Source],
        files: Mapping[str, Path],
        journal: Journal,
        runner: Runner,
    ) -> None:
        """Computes a piece that others read, into files of the journal's folder, or what of it an earlier run did not.

        It is whole when the journal says so, and only then do its files get their names: with the names first, a kill between the two
        left a journal of windows that are done in a file that the next run made anew.
        """
        is_begun = any(name == piece.name for name, _ in journal.done)
        is_whole = (f"{piece.name} whole", 0) in journal.done
        sinks: list[Sink] = []
        held: dict[str, Array] = {}
        for name, path in files.items():
            shape, dtype, is_held = self.between[name]
            if is_held:
                held[name] = np.empty(shape, dtype)
                sinks.append(ArraySink(held[name], name, shape, dtype))
            else:
                sinks.append(RawSink(path, shape, dtype))
        if is_whole:
            runner.skip(piece, size)
        else:
            try:
                for sink in sinks:
                    sink.create(is_begun)
                runner.run(piece, size, images, sinks)
                for name, image in held.items():
                    np.save(files[name], image)
                journal.add(f"{piece.name} whole", 0)
            finally:
                for sink in sinks:
                    sink.discard()
        for sink in sinks:
            # An earlier run may have been killed on either side of this.
            if sink.can_resume():
                sink.finish()


def trailing(axes: Sequence[tuple[int, int]], window: Sequence[int]) -> tuple[int, ...]:
    """A shape that was asked for, of the last axes; the others are whole."""
    if any(not isinstance(extent, int) or extent < 1 for extent in window):
        raise ValueError(f"window {tuple(window)}, expected points along the last dimensions, 1 or more")
    own = list(window)[-len(axes) :] if axes else []
    size = [extent for extent, _ in axes[: len(axes) - len(own)]] + own
    return tuple(steps_of(axes, size))
