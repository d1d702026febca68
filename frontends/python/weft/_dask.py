"""Programs on Dask: a task for whole chunks of a result, which reads exactly what they need.

    program(x)  -> a lazy array     weft.on_dask(program, "in.zarr", "out.zarr")

    key "job"                        the compiled library's bytes, once a worker; numbers; where images are
    key ("f", 3, 7)                  run(job, window, chunks of images that the window reads)
    key ("sums", level, n)           partial results, eight joined to one
    key "done"                       the sink gets its name

A worker needs this package and no compiler: it keeps the library in its cache, by the digest of its bytes. A task that is run again, on
whichever worker, writes the same bytes to the same chunks, so Dask's own retries are enough. A piece waits for those chunks of the piece
before it that it reads, and for no others.
"""

from __future__ import annotations

import bisect
import functools
import hashlib
import itertools
import math
import os
import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from . import _compiler, _runtime
from ._arrays import is_lazy
from ._errors import WeftError
from ._files import ArraySink, FileError, Source, ZarrSink, describe, is_zarr, library, open_sink, open_source
from ._stream import Shapes, arguments_of, bytes_of, sinks_by_name
from ._windows import Array, Box, Given, Needs, Piece, Window, Windows, counts, dtype_of, grid_of, slices, steps_of, window_at

# Partial results that one task joins, and tasks that one waits for.
JOINED, WAITED = 8, 64
# Windows of several chunks leave so many tasks.
TASKS = 128
# An image between pieces of so many bytes is passed from task to task; a larger one is a file.
SMALL = 32 << 20

Cuts = tuple[tuple[int, ...], ...]


# ---- On workers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    """What all tasks of a piece have in common.

    An image is where it is read from (a path or an array), or, where tasks are given its chunks, the places where these begin and end.
    `targets` are zarr arrays that results are written to; without them a task gives its results.
    """

    digest: str
    library: bytes = field(repr=False)
    program: str
    piece: str
    numbers: tuple[Any, ...]
    sources: Mapping[str, Any]
    cuts: Mapping[str, Cuts]
    targets: tuple[Any, ...] | None = None

    def opened(self) -> Piece:
        """The piece, loaded."""
        return {piece.name: piece for piece in loaded(self.digest, self).pieces}[self.piece]

    def __hash__(self) -> int:
        return hash((self.digest, self.piece))


def source_of(given: Any, name: str) -> Source:
    """A source: an array, or a path with what tells this file from another of that name."""
    where, identity = given
    return file_of(where, identity, name) if isinstance(where, str) else open_source(where, name)


@functools.lru_cache(8)
def file_of(path: str, identity: str | None, name: str) -> Source:
    """A file that a process keeps open."""
    source = open_source(path, name)
    if identity is not None and source.identity() != identity:
        raise FileError(f"{path}: is another file than when the work began")
    return source


_loaded: dict[str, Windows] = {}
_loading = threading.Lock()
_running = threading.Lock()


def loaded(digest: str, job: Job) -> Windows:
    """The library of a job: from the cache, else put there from the job's bytes."""
    with _loading:
        if digest not in _loaded:
            folder = _compiler.cache_folder() / "shipped"
            path = folder / f"{digest}.so"
            if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                folder.mkdir(parents=True, exist_ok=True)
                with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
                    file.write(job.library)
                os.replace(file.name, path)
            _compiler.keep_openmp()
            _loaded[digest] = Windows(str(path), _runtime.load(str(path), job.program))
        return _loaded[digest]


def cells(cuts: Cuts, box: Box) -> list[tuple[int, ...]]:
    """The chunks that have points of a box."""
    touched = []
    for marks, (first, count) in zip(cuts, box, strict=True):
        touched.append(range(bisect.bisect_right(marks, first) - 1, bisect.bisect_left(marks, first + count) if count else 0))
    return list(itertools.product(*touched))


def assembled(cuts: Cuts, box: Box, chunks: Sequence[Array], dtype: np.dtype[Any]) -> Array:
    """The points of a box, from the chunks that have some of them."""
    places = cells(cuts, box)
    if len(places) == 1:
        place = zip(box, cuts, places[0], strict=True)
        return np.asarray(chunks[0])[slices(tuple((first - marks[at], count) for (first, count), marks, at in place))]
    points = np.empty(counts(box), dtype)
    for cell, chunk in zip(places, chunks, strict=True):
        target, source = [], []
        for (first, count), marks, at in zip(box, cuts, cell, strict=True):
            begin, end = max(first, marks[at]), min(first + count, marks[at + 1])
            target.append(slice(begin - first, end - first))
            source.append(slice(begin - marks[at], end - marks[at]))
        points[tuple(target)] = np.asarray(chunk)[tuple(source)]
    return points


def run(job: Job, window: Window, chunks: Sequence[Any]) -> Any:
    """Computes a window: gives its results, or writes them and gives None. Called by Dask."""
    piece = job.opened()
    needs = piece.needs(job.numbers, window)
    parts, rest = {}, iter(chunks)
    for name, part in needs.reads.items():
        dtype = piece.type_of(name)
        if name in job.cuts:
            own = [next(rest) for _ in cells(job.cuts[name], part.box)]
        if name in job.sources:
            source = source_of(job.sources[name], name)
            parts[name] = source.read(part.box, np.empty(counts(part.box), source.dtype)).astype(dtype, copy=False)
        else:
            parts[name] = assembled(job.cuts[name], part.box, own, dtype)
    # Dask says by OMP_NUM_THREADS that its tasks are to take one core each; where it does not, a call takes all, one call at a time.
    if "OMP_NUM_THREADS" in os.environ:
        os.environ.setdefault("WEFT_NUM_THREADS", os.environ["OMP_NUM_THREADS"])
        made = piece.call(job.numbers, window, parts)
    else:
        with _running:
            made = piece.call(job.numbers, window, parts)
    if piece.can_join:
        return made
    results = tuple(image[slices(part.inside)] for image, part in zip(made, needs.results, strict=True))
    if job.targets is None:
        results = tuple(np.ascontiguousarray(image) for image in results)
        return results[0] if len(results) == 1 else results
    for target, part, image in zip(job.targets, needs.results, results, strict=True):
        if target is not None:
            write(target, part, image)
    return None


def write(target: Any, part: Given, image: Array) -> None:
    """Writes a window to a zarr array, whole chunks of it."""
    array = library("zarr", target).open_array(target, mode="r+") if isinstance(target, str) else target
    try:
        array[slices(part.place)] = image
    except Exception as error:
        raise FileError(f"{target}: {describe(part.place)} cannot be written: {type(error).__name__}: {error}") from error


def joined(job: Job, partial: Sequence[tuple[Array, ...]], is_last: bool) -> tuple[Array, ...]:
    """Partial results as one; the last one has what they begin with, once. Called by Dask."""
    piece = job.opened()
    return functools.reduce(piece.join, [piece.begin(job.numbers), *partial] if is_last else partial)


def item(results: Sequence[Array], number: int) -> Array:
    """One of several results. Called by Dask."""
    return results[number]


def all_of(*_: Any) -> None:
    """What waits for tasks that wrote. Called by Dask."""


def store(target: Any, image: Array) -> None:
    """Writes a whole image. Called by Dask."""
    box = tuple((0, extent) for extent in image.shape)
    write(target, Given(image.shape, box, box), image)


def named(parts: Sequence[str], folder: str | None, _: Any) -> list[str]:
    """Gives sinks their names, which a task that is run again finds given. Called by Dask."""
    names = [part.removesuffix(".part") for part in parts]
    for part, name in zip(parts, names, strict=True):
        if os.path.exists(part):
            if os.path.isdir(name):
                shutil.rmtree(name)
            os.replace(part, name)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    return names


# ---- Graphs ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chunked:
    """An image whose chunks are tasks: where chunks begin and end, and their keys."""

    name: str
    cuts: Cuts
    keys: Mapping[tuple[int, ...], Any]


class Graph:
    """Tasks of a program, piece by piece."""

    def __init__(self, windows: Windows, numbers: Sequence[Any], sources: Mapping[str, Any], chunked: Mapping[str, Chunked]) -> None:
        self.windows, self.numbers = windows, tuple(numbers)
        self.sources, self.chunked = dict(sources), dict(chunked)
        self.tasks: dict[Any, Any] = {}
        self._spec = library("dask._task_spec", "a graph")
        self._bytes = Path(windows.path).read_bytes()
        self._digest = hashlib.sha256(self._bytes).hexdigest()
        known = [self._digest, self.numbers, {name: one.name for name, one in self.chunked.items()}]
        self.token = library("dask.base", "a graph").tokenize(*known, self.sources)

    def add(self, key: Any, function: Any, *arguments: Any) -> Any:
        """A task; arguments that are keys are wrapped by `ref`."""
        self.tasks[key] = self._spec.Task(key, function, *arguments)
        return self._spec.TaskRef(key)

    def ref(self, key: Any) -> Any:
        """What stands for the result of a task."""
        return self._spec.TaskRef(key)

    def refs(self, keys: Sequence[Any]) -> Any:
        """What stands for the results of several."""
        return self._spec.List(*map(self._spec.TaskRef, keys))

    def piece(self, piece: Piece, intervals: Sequence[Sequence[tuple[int, int]]], targets: Sequence[Any] | None = None) -> list[Chunked]:
        """The tasks of a piece, for windows of these intervals along each axis; its results, or what wrote them."""
        name = f"{piece.name}-{self.token}"
        read = {image: self.chunked[image] for image in piece.reads if image in self.chunked}
        job = Job(
            self._digest,
            self._bytes,
            self.windows.signature["name"],
            piece.name,
            self.numbers,
            {image: self.sources[image] for image in piece.reads if image in self.sources},
            {image: one.cuts for image, one in read.items()},
            tuple(targets) if targets is not None else None,
        )
        job_key = f"job-{name}"
        self.tasks[job_key] = self._spec.DataNode(job_key, job)
        made: list[tuple[Any, Needs]] = []
        for at in itertools.product(*(range(len(one)) for one in intervals)):
            window = tuple(one[place] for one, place in zip(intervals, at, strict=True))
            needs = piece.needs(self.numbers, window)
            chunks = [one.keys[cell] for image, one in read.items() for cell in cells(one.cuts, needs.reads[image].box)]
            key = (f"run-{name}", *at)
            self.add(key, run, self.ref(job_key), window, self.refs(chunks))
            made.append((key, needs))
        if piece.can_join:
            return self._joined(piece, name, job_key, [key for key, _ in made])
        return [self._result(piece, name, number, made, targets is None) for number in range(len(piece.results))]

    def _joined(self, piece: Piece, name: str, job_key: str, partial: list[Any]) -> list[Chunked]:
        """A tree that joins partial results."""
        for level in itertools.count():
            groups = [partial[at : at + JOINED] for at in range(0, len(partial), JOINED)]
            partial = []
            for number, group in enumerate(groups):
                key = (f"join-{name}", level, number)
                self.add(key, joined, self.ref(job_key), self.refs(group), len(groups) == 1)
                partial.append(key)
            if len(partial) == 1:
                break
        images = []
        for number, part in enumerate(piece.needs(self.numbers).results):
            own = f"{piece.results[number]['name']}-{name}"
            place = (0,) * len(part.extents)
            self.add((own, *place), item, self.ref(partial[0]), number)
            images.append(Chunked(own, tuple((0, extent) for extent in part.extents), {place: (own, *place)}))
        return images

    def _result(self, piece: Piece, name: str, number: int, made: Sequence[tuple[Any, Needs]], is_given: bool) -> Chunked:
        """Chunks of a result, each with the task that makes it."""
        extents = made[0][1].results[number].extents
        places = [(key, needs.results[number].place) for key, needs in made]
        places = [(key, place) for key, place in places if all(count > 0 for _, count in place)]
        cuts = tuple(tuple(sorted({place[d][0] for _, place in places} | {0, extent})) for d, extent in enumerate(extents))
        # A task of one result gives it, one of several a tuple.
        is_item = is_given and len(piece.results) > 1
        own = f"{piece.results[number]['name']}-{name}" if is_item else f"run-{name}"
        keys: dict[tuple[int, ...], Any] = {}
        for key, place in places:
            cell = tuple(bisect.bisect_left(marks, first) for marks, (first, _) in zip(cuts, place, strict=True))
            keys[cell] = (own, *cell) if is_item else key
            if is_item:
                self.add((own, *cell), item, self.ref(key), number)
        return Chunked(own, cuts, keys)


def intervals_of(axes: Sequence[tuple[int, int]], chunks: Sequence[Sequence[int]]) -> list[list[tuple[int, int]]]:
    """The windows along each axis for such chunks: one where the axis is whole."""
    made = []
    for (extent, step), own in zip(axes, chunks, strict=True):
        marks = [0, extent] if step == 0 else [0, *itertools.accumulate(own)]
        made.append([(marks[at], marks[at + 1]) for at in range(len(marks) - 1)] or [(0, 0)])
    return made


def regular(extent: int, size: int) -> tuple[int, ...]:
    """An axis in chunks of one size, but for the last."""
    size = max(1, min(size, extent))
    return (size,) * (extent // size) + ((extent % size,) if extent % size else ()) or (0,)


def windows_along(axes: Sequence[tuple[int, int]], size: Sequence[int]) -> list[list[tuple[int, int]]]:
    """The windows along each axis that have one size."""
    return intervals_of(axes, [regular(extent, count) for (extent, _), count in zip(axes, size, strict=True)])


def chunks_like(axes: Sequence[tuple[int, int]], images: Sequence[Any]) -> list[tuple[int, ...]]:
    """Chunks of a result: those of an array of its shape, else of the first array of its rank, as much larger as the result is."""
    shape = tuple(extent for extent, _ in axes)
    for image in images:
        if image.shape == shape:
            return list(image.chunks)
    own = [1 << 10 if extent > 16 else extent for extent in shape]
    for image in images:
        if image.ndim == len(shape):
            own = [
                -(-max(chunks) * extent // max(1, whole)) for chunks, extent, whole in zip(image.chunks, shape, image.shape, strict=True)
            ]
            break
    return [regular(extent, -(-size // max(1, step)) * max(1, step)) for (extent, step), size in zip(axes, own, strict=True)]


def lazy(windows: Windows, values: Mapping[str, Any]) -> Any:
    """The results of a program as arrays of Dask, of which at least one image is one."""
    da = library("dask.array", windows.signature["name"])
    images = {value["name"]: values[value["name"]] for value in windows.images}
    for value in windows.images:
        image = images[value["name"]]
        called = f"{windows.signature['name']}: argument '{value['name']}'"
        if is_lazy(image) and any(math.isnan(extent) for extent in image.shape):
            raise ValueError(f"{called} has chunks of unknown size, expected known ones: x.compute_chunk_sizes()")
        if not is_lazy(image):
            images[value["name"]] = image = np.asarray(image)
        if image.dtype != dtype_of(value):
            raise TypeError(f"{called} has elements of {image.dtype}, expected {dtype_of(value)}: .astype({str(dtype_of(value))!r})")
    numbers = windows.numbers({name: tuple(map(int, image.shape)) for name, image in images.items()}, values)
    arrays = {name: image for name, image in images.items() if is_lazy(image)}
    chunked = {}
    for name, image in arrays.items():
        cuts = tuple((0, *itertools.accumulate(own)) for own in image.chunks)
        keys = {cell: (image.name, *cell) for cell in itertools.product(*(range(len(own)) for own in image.chunks))}
        chunked[name] = Chunked(image.name, cuts, keys)
    graph = Graph(windows, numbers, {name: (image, None) for name, image in images.items() if name not in arrays}, chunked)
    results: list[Chunked] = []
    for piece in windows.pieces:
        axes = piece.needs(numbers).axes
        results = graph.piece(piece, intervals_of(axes, chunks_like(axes, list(arrays.values()))))
        if piece is not windows.pieces[-1]:
            graph.chunked |= {value["name"]: one for value, one in zip(piece.results, results, strict=True)}
    made = []
    for value, one in zip(windows.pieces[-1].results, results, strict=True):
        layer = library("dask.highlevelgraph", "a graph").HighLevelGraph.from_collections(one.name, graph.tasks, list(arrays.values()))
        chunks = tuple(tuple(b - a for a, b in itertools.pairwise(marks)) for marks in one.cuts)
        made.append(da.Array(layer, one.name, chunks, dtype=dtype_of(value)))
    return made[0] if len(made) == 1 else tuple(made)


# ---- From zarr to zarr -----------------------------------------------------------------------------------------------


class Stored:
    """A program whose images are files: what its tasks are."""

    def __init__(
        self, windows: Windows, images: Mapping[str, Any], opened: Mapping[str, Source], values: Mapping[str, Any], memory: int
    ) -> None:
        self.windows, self.opened, self.memory = windows, opened, memory
        for value in windows.images:
            source = opened[value["name"]]
            if source.dtype != dtype_of(value):
                called = f"{windows.signature['name']}: argument '{value['name']}'"
                raise TypeError(f"{called} has elements of {source.dtype} in {source.name}, expected {dtype_of(value)}")
        self.numbers = windows.numbers({name: source.shape for name, source in opened.items()}, values)
        # With what tells one file from another of its name: workers keep files open.
        paths = {name: isinstance(given, (str, os.PathLike)) for name, given in images.items()}
        given = {name: os.path.abspath(image) if paths[name] else image for name, image in images.items()}
        self.tasks = Graph(windows, self.numbers, {name: (image, opened[name].identity()) for name, image in given.items()}, {})

    def graph(self, sink: Any) -> Any:
        """The work as something that Dask computes."""
        sinks = self._sinks(sink)
        files = [one for one in sinks.values() if isinstance(one, ZarrSink)]
        folder = Path(f"{files[0].path}.weft") if files else None
        for piece in self.windows.pieces[:-1]:
            about = piece.needs(self.numbers)
            size = self._chosen(piece)
            intervals = windows_along(about.axes, size)
            whole = piece.bytes_whole(about)
            targets = None
            # Dask passes on what is small; else it is a zarr array beside the sink.
            if whole > SMALL and not piece.can_join and folder is not None:
                targets = [self._between(folder, piece, number, size) for number in range(len(piece.results))]
            made = self.tasks.piece(piece, intervals, targets)
            for number, (value, one) in enumerate(zip(piece.results, made, strict=True)):
                self.tasks.chunked[value["name"]] = one
                if targets is not None:
                    self.tasks.sources[value["name"]] = (targets[number], None)
        wrote = self._last(self.windows.pieces[-1], sinks)
        for file in files:
            file.create(resume=False)
        return self._finished(wrote, [str(one.part) for one in files], folder)

    def _sinks(self, given: Any) -> dict[str, Any]:
        """The sinks of results, by name: `ZarrSink` for paths, arrays of zarr as they are."""
        last = self.windows.pieces[-1]
        called = self.windows.signature["name"]
        names = [value["name"] for value in last.results]
        given = sinks_by_name(called, names, given)
        like = next(iter(self.opened.values()), None)
        sinks = {}
        for value, part in zip(last.results, last.needs(self.numbers).results, strict=True):
            if value["name"] not in given:
                continue
            one = given[value["name"]]
            if isinstance(one, (str, os.PathLike)):
                if not is_zarr(Path(one)):
                    raise WeftError(f"{one}: expected zarr, which many processes may write: a path with a part that ends in .zarr")
                sinks[value["name"]] = open_sink(one, called, part.extents, dtype_of(value), like)
            else:
                sinks[value["name"]] = ArraySink(one, f"{called}: result '{value['name']}'", part.extents, dtype_of(value))
        return sinks

    def _blocks(self) -> dict[str, Sequence[int]]:
        blocks: dict[str, Sequence[int]] = {name: source.blocks for name, source in self.opened.items()}
        for name, one in self.tasks.chunked.items():
            blocks[name] = [max(b - a for a, b in itertools.pairwise(marks)) for marks in one.cuts]
        return blocks

    def _shapes(self, piece: Piece, sinks: Mapping[str, Any]) -> Shapes:
        working = sum(source.working for name, source in self.opened.items() if name in piece.reads)
        working += sum(sink.working for sink in sinks.values())
        return Shapes(piece, self.numbers, self._blocks(), working)

    def _chosen(self, piece: Piece) -> tuple[int, ...]:
        """Windows of a piece that others read."""
        return self._shapes(piece, {}).choose(self.memory, self.windows.why)

    def _between(self, folder: Path, piece: Piece, number: int, size: Sequence[int]) -> str:
        """Makes a zarr array for an image between pieces: a chunk of it is what a window gives, so that no two tasks write one."""
        value, part = piece.results[number], piece.needs(self.numbers).results[number]
        first = piece.needs(self.numbers, window_at(piece.needs(self.numbers).axes, size, (0,) * piece.rank)).results[number]
        path = str(folder / f"{value['name']}.zarr")
        chunks = tuple(max(1, count) for _, count in first.place)
        library("zarr", path).create_array(path, shape=part.extents, dtype=dtype_of(value), chunks=chunks, overwrite=True)
        return path

    def _last(self, piece: Piece, sinks: Mapping[str, Any]) -> list[Any]:
        """The tasks that write the results."""
        targets = [sinks[value["name"]].target() if value["name"] in sinks else None for value in piece.results]
        axes = piece.needs(self.numbers).axes
        if piece.can_join:
            made = self.tasks.piece(piece, windows_along(axes, self._chosen(piece)))
            wrote = []
            for one, target in zip(made, targets, strict=True):
                if target is not None:
                    (key,) = one.keys.values()
                    wrote.append(f"store-{one.name}")
                    self.tasks.add(wrote[-1], store, target, self.tasks.ref(key))
            return wrote
        # A window is some chunks or shards of the first result; those of others must not share theirs.
        first = piece.results[0]["name"]
        shapes = self._shapes(piece, sinks)
        is_blocked = first in sinks and len(sinks[first].blocks) == len(axes)
        size = self._grown(shapes, sinks[first].blocks) if is_blocked else self._chosen(piece)
        shapes.check(size, self.memory, self.windows.why)
        made = self.tasks.piece(piece, windows_along(axes, size), targets)
        for value, one in zip(piece.results, made, strict=True):
            self._check(value["name"], one, sinks)
        return sorted({key for one in made for key in one.keys.values()})

    def _grown(self, shapes: Shapes, blocks: Sequence[int]) -> tuple[int, ...]:
        """Windows of whole chunks: more of them while enough tasks are left, and less is read twice by a tenth."""
        size = tuple(steps_of(shapes.axes, blocks))
        while True:
            larger = [tuple(steps_of(shapes.axes, [2 * one if at == d else one for at, one in enumerate(size)])) for d in range(len(size))]
            larger = [one for one in larger if one != size and math.prod(grid_of(shapes.axes, one)) >= TASKS]
            least = min(larger, key=lambda one: shapes.cost(one, is_rough=True).moved, default=size)
            gain = shapes.cost(size, is_rough=True).moved / max(1e-9, shapes.cost(least, is_rough=True).moved)
            if least == size or gain < 1.05 or shapes.cost(least).memory > self.memory:
                return size
            size = least

    def _check(self, name: str, made: Chunked, sinks: Mapping[str, Any]) -> None:
        """Windows end where chunks of a sink do."""
        for marks, block in zip(made.cuts, sinks[name].blocks if name in sinks else (), strict=name in sinks):
            bad = [mark for mark in marks[:-1] if mark % block]
            if bad:
                begins = f"a window of '{name}' begins at {bad[0]}, expected multiples of its chunks' {block}"
                raise WeftError(f"{sinks[name].name}: {begins}: give an array with other chunks")

    def _finished(self, wrote: Sequence[Any], parts: Sequence[str], folder: Path | None) -> Any:
        """What waits for all, in a tree, and gives sinks their names."""
        keys = list(wrote)
        for level in itertools.count():
            if len(keys) <= WAITED:
                break
            groups = [keys[at : at + WAITED] for at in range(0, len(keys), WAITED)]
            keys = [(f"wait-{self.tasks.token}", level, number) for number in range(len(groups))]
            for key, group in zip(keys, groups, strict=True):
                self.tasks.add(key, all_of, self.tasks.refs(group))
        done = f"done-{self.tasks.token}"
        self.tasks.add(done, named, list(parts), str(folder) if folder is not None else None, self.tasks.refs(keys))
        delayed = library("dask.delayed", "a graph")
        graph = library("dask.highlevelgraph", "a graph").HighLevelGraph.from_collections(done, self.tasks.tasks, [])
        return delayed.Delayed(done, graph)


def on_dask(
    program: Any,
    source: Any,
    sink: Any,
    memory: int | str = "1 GiB",
    compute: bool = True,
    retries: int = 3,
    **numbers: Any,
) -> Any:
    """Runs a program on Dask's workers, from files to zarr: each task reads exactly what some whole chunks or shards of the result need.

    `program`, `source` and numbers are those of `weft.stream`; files are on a disk that all workers see. `sink` is the path of a zarr array
    or an array of zarr, or a dict of them by the names of results. Chunks of a new array are those of the first source.

    The work runs on the client that there is, else in this process. `memory` is what one task may take: tasks have more than one chunk
    where neighbours would read much of each other's, and many tasks are left. `compute=False` gives what
    computes it, for `client.compute(it, retries=3)`; `retries` is how often a task is run again whose worker was lost or that failed.

    A sink that is a path has its name when it is whole: until then it is NAME.part. Errors are those of `weft.stream`.
    """
    windows: Windows = program.windows()
    images, values = arguments_of(windows, source, {**getattr(program, "_defaults", {}), **numbers})
    opened = {name: open_source(given, name) for name, given in images.items()}
    try:
        finish = Stored(windows, images, opened, values, bytes_of(memory)).graph(sink)
    finally:
        for one in opened.values():
            one.close()
    return finish.compute(retries=retries) if compute else finish
