"""Images on disk, read and written in parts: what `weft.stream` reads from and writes to.

    NAME.npy          rows where they lie in the file                                    read, written
    NAME.tif          strips or tiles, of the largest level (tifffile)                   read; written without compression, rows as in .npy
    NAME.zarr[/PATH]  chunks or shards (zarr 3)                                          read, written
    anything else     with shape, dtype and [slices]: NumPy, h5py, zarr's own            read, written

A sink that is a file is NAME.part until it is whole, and has its name only then.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import math
import mmap
import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import as_array, fits
from ._errors import WeftError
from ._windows import Array, Box, counts, slices

# How many bytes a chunk of a new zarr array has at most.
CHUNK = 1 << 22


class FileError(WeftError, OSError):
    """An image that cannot be read or written: truncated, corrupt, of another type, a disk that is full."""


def library(name: str, what: str) -> Any:
    """A library that is needed for a kind of file, imported when it is."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise WeftError(f"{what}: {name}, which reads and writes it, is not there: pip install {name}") from None


# ---- Sources ---------------------------------------------------------------------------------------------------------


class Source:
    """An image that is read in parts.

    `blocks` is the shape of what is read at once (a tile, a chunk, a shard), `chunks` that of chunks in shards, `working` the bytes that
    reading takes beside the part itself.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    blocks: tuple[int, ...]
    chunks: tuple[int, ...] | None = None
    working = 0

    def read(self, box: Box, buffer: Array) -> Array:
        """The points of a box, in `buffer` (which has its shape) or where they lie."""
        raise NotImplementedError

    def identity(self) -> str | None:
        """What changes where the image does; None where nothing tells."""
        return None

    def close(self) -> None:
        """Closes files."""


class ArraySource(Source):
    """Anything that has shape, dtype and slices."""

    def __init__(self, array: Any, name: str, path: Path | None = None) -> None:
        self._array, self.name, self._path = array, name, path
        self.shape = tuple(int(extent) for extent in array.shape)
        self.dtype = np.dtype(array.dtype)
        self.blocks = blocks_of(array, self.shape)
        self.chunks = array.chunks if getattr(array, "shards", None) else None
        # Chunks are decoded side by side.
        self.working = 0 if isinstance(array, np.ndarray) else 8 * math.prod(self.blocks) * self.dtype.itemsize

    def read(self, box: Box, buffer: Array) -> Array:
        try:
            part = as_array(self._array[slices(box)])
        except Exception as error:
            # Each library has errors of its own for a chunk that it cannot decode.
            raise FileError(f"{self.name}: {describe(box)} cannot be read: {type(error).__name__}: {error}") from error
        if part.shape != buffer.shape:
            raise FileError(f"{self.name}: {describe(box)} has shape {part.shape}, expected {buffer.shape}")
        if fits(part, str(buffer.dtype)):
            return part
        buffer[...] = part
        return buffer

    def identity(self) -> str | None:
        if self._path is not None:
            return identity_of(self._path)
        if isinstance(self._array, np.ndarray):
            return hashlib.sha256(np.ascontiguousarray(self._array).data).hexdigest()
        return None


class RawSource(Source):
    """Rows as they lie in a file, from an offset on."""

    def __init__(self, path: Path, shape: Sequence[int], dtype: np.dtype[Any], offset: int) -> None:
        self.name, self.shape, self.dtype = str(path), tuple(shape), dtype
        self.blocks = (1,) * max(0, len(self.shape) - 1) + self.shape[-1:]
        self._path, self._offset = path, offset
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        expected, found = offset + math.prod(self.shape) * dtype.itemsize, os.fstat(self._file).st_size
        if found < expected:
            self.close()
            raise FileError(f"{path}: has {found} bytes, expected {expected} for {self.shape} of {dtype}: it is truncated")

    def read(self, box: Box, buffer: Array) -> Array:
        if buffer.nbytes and box[1:] == tuple((0, extent) for extent in self.shape[1:]):
            return self._mapped(box, buffer)
        flat = buffer.reshape(-1).view(np.uint8).data
        for at, place, size in runs(self.shape, box, self.dtype.itemsize):
            done = 0
            while done < size:
                more = os.preadv(self._file, [flat[place + done : place + size]], self._offset + at + done)
                if more == 0:
                    raise FileError(f"{self.name}: ends within {describe(box)}: it is truncated")
                done += more
        return buffer

    def _mapped(self, box: Box, buffer: Array) -> Array:
        """Whole rows where the system keeps the file: only these, so that little memory is taken, and read now, not when they are used.

        As with any mapped file, another process that shortens it meanwhile ends this one; what the journal says is done stays done.
        """
        ((at, _, size),) = runs(self.shape, box, self.dtype.itemsize)
        begin = self._offset + at
        aligned = begin // mmap.ALLOCATIONGRANULARITY * mmap.ALLOCATIONGRANULARITY
        if os.fstat(self._file).st_size < begin + size:
            raise FileError(f"{self.name}: ends within {describe(box)}: it is truncated")
        flags = mmap.MAP_SHARED | mmap.MAP_POPULATE
        pages = mmap.mmap(self._file, begin - aligned + size, flags, mmap.PROT_READ, offset=aligned)
        return np.frombuffer(pages, self.dtype, buffer.size, begin - aligned).reshape(buffer.shape)

    def identity(self) -> str | None:
        return identity_of(self._path)

    def close(self) -> None:
        os.close(self._file)


class TiffSource(Source):
    """A level of a TIFF, BigTIFF, OME-TIFF, SVS or GeoTIFF, by strips or tiles."""

    def __init__(self, path: Path, level: int = 0) -> None:
        tifffile = library("tifffile", str(path))
        self.name, self._path = str(path), path
        try:
            self._tiff = tifffile.TiffFile(path)
            series = self._tiff.series[0].levels[level]
            self._page = series.keyframe
            self._pages = list(series.pages)
        except Exception as error:
            # What is cut short within its tags has many errors.
            raise FileError(f"{path}: no TIFF that can be read: {type(error).__name__}: {error}") from None
        self.shape, self.dtype = tuple(series.shape), np.dtype(series.dtype)
        inner = tuple(self._page.shape)
        outer = len(self.shape) - len(inner)
        if self.shape[outer:] != inner or math.prod(self.shape[:outer]) != len(self._pages):
            raise FileError(f"{path}: {len(self._pages)} pages of {inner}, expected as many as {self.shape} has")
        self.blocks = (1,) * (len(self.shape) - len(self._page.chunks)) + tuple(self._page.chunks)
        self.working = 8 * math.prod(self.blocks) * self.dtype.itemsize
        self._outer, self._rank = self.shape[:outer], len(inner)
        self._threads = ThreadPoolExecutor(min(8, os.cpu_count() or 1), "weft-tiff")
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def read(self, box: Box, buffer: Array) -> Array:
        # Segments stand in the order of their places in the whole image, page by page.
        grid = [-(-extent // block) for extent, block in zip(self.shape, self.blocks, strict=True)]
        touched = [range(first // block, -(-(first + count) // block)) for (first, count), block in zip(box, self.blocks, strict=True)]
        cells = [tuple(one[at] for one, at in zip(touched, place, strict=True)) for place in np.ndindex(*map(len, touched))]
        tasks = [self._threads.submit(self._copy, cell, grid, box, buffer) for cell in cells]
        for task in tasks:
            task.result()
        return buffer

    def _copy(self, cell: tuple[int, ...], grid: Sequence[int], box: Box, buffer: Array) -> None:
        """Copies what one segment has of a box."""
        segment = self._segment(*divmod(int(np.ravel_multi_index(cell, grid)), math.prod(grid[len(self._outer) :])))
        target, source = [], []
        for place, block, (first, count), extent in zip(cell, self.blocks, box, self.shape, strict=True):
            begin, end = max(place * block, first), min((place + 1) * block, first + count, extent)
            target.append(slice(begin - first, end - first))
            source.append(slice(begin - place * block, end - place * block))
        buffer[tuple(target)] = self._page.nodata if segment is None else segment[tuple(source)]

    def _segment(self, page: int, index: int) -> Array | None:
        """A strip or tile, in as many dimensions as the image; None where the file leaves it out."""
        frame = self._pages[page]
        if frame is None:
            raise FileError(f"{self.name}: page {page} is not there, expected {len(self._pages)}")
        offset, size = frame.dataoffsets[index], frame.databytecounts[index]
        data = os.pread(self._file, size, offset)
        if len(data) < size:
            raise FileError(f"{self.name}: ends at {offset + len(data)}, within segment {index} of page {page}: it is truncated")
        if not data:
            return None
        try:
            points = self._page.decode(data, index, jpegtables=self._page.jpegtables)[0][0]
        except Exception as error:
            # Each codec has errors of its own.
            where = f"{self.name}: segment {index} of page {page}"
            raise FileError(f"{where} cannot be decoded: {type(error).__name__}: {error}") from error
        # It is of height x width x samples, and samples are the last dimension of the image, or another plane, or none.
        if len(self._page.chunks) == 2:
            points = points[..., 0]
        return np.asarray(points[(None,) * (len(self.shape) - points.ndim)])

    def geo(self) -> list[tuple[int, int, int, Any, bool]]:
        """Its georeference, as tags to write."""
        tags = (self._page.tags.get(code) for code in GEO_TAGS)
        return [(tag.code, tag.dtype.value, tag.count, tag.value, True) for tag in tags if tag is not None]

    def identity(self) -> str | None:
        return identity_of(self._path)

    def close(self) -> None:
        self._threads.shutdown()
        os.close(self._file)
        self._tiff.close()


# Pixel scale, tie points, transformation, keys, their numbers and texts; GDAL's no-data.
GEO_TAGS = (33550, 33922, 34264, 34735, 34736, 34737, 42113)


def runs(shape: Sequence[int], box: Box, size: int) -> Iterator[tuple[int, int, int]]:
    """What of a box lies side by side in an image of rows: the byte in the image, the byte in the box, how many bytes."""
    # Dimensions from here on are whole: their points lie side by side.
    inner = len(shape)
    while inner > 0 and box[inner - 1] == (0, shape[inner - 1]):
        inner -= 1
    steps = [math.prod(shape[d + 1 :]) * size for d in range(len(shape))]
    if inner == 0:
        yield 0, 0, math.prod(shape) * size
        return
    first, count = box[inner - 1]
    length = count * steps[inner - 1]
    outer = box[: inner - 1]
    for number, at in enumerate(np.ndindex(*counts(outer))):
        begin = sum((at[d] + outer[d][0]) * steps[d] for d in range(len(outer)))
        yield begin + first * steps[inner - 1], number * length, length


def describe(box: Box) -> str:
    """A box in an error."""
    return "[" + ", ".join(f"{first}:{first + count}" for first, count in box) + "]"


def identity_of(path: Path) -> str:
    """Names, sizes and times of a file, or of the files of a folder."""
    digest = hashlib.sha256(str(path.resolve()).encode())
    for folder, folders, files in os.walk(path) if path.is_dir() else [(str(path.parent), [], [path.name])]:
        folders.sort()
        for name in sorted(files):
            stat = os.stat(os.path.join(folder, name))
            digest.update(f"{name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def open_source(given: Any, name: str) -> Source:
    """The source of an image: a path, or an array. A level of a TIFF is `slide.svs/1`."""
    if not isinstance(given, (str, os.PathLike)):
        if not hasattr(given, "shape") or not hasattr(given, "dtype"):
            raise TypeError(f"'{name}' is a {type(given).__name__}, expected a path, or an array with shape, dtype and slices")
        return ArraySource(given, name)
    path = Path(given)
    if is_zarr(path):
        zarr = library("zarr", str(path))
        try:
            return ArraySource(zarr.open_array(str(path), mode="r"), str(path), path)
        except Exception as error:
            raise FileError(f"{path}: no zarr array: {error}; a group has arrays below it, such as {path}/0") from None
    level = int(path.name) if path.name.isdigit() and is_tiff(path.parent) and not path.exists() else 0
    path = path.parent if level or (path.name == "0" and is_tiff(path.parent)) else path
    if not path.is_file():
        raise FileError(f"{path}: no such file, expected the image '{name}'")
    if is_tiff(path):
        return TiffSource(path, level)
    if path.suffix.lower() == ".npy":
        return npy_source(path)
    raise WeftError(f"{path}: expected .npy, .tif, .tiff, .svs, or a zarr array, whose path has a part that ends in .zarr")


def npy_source(path: Path) -> Source:
    """A file of NumPy."""
    with open(path, "rb") as file:
        try:
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, is_fortran, dtype = read(file)
        except ValueError as error:
            raise FileError(f"{path}: no .npy: {error}") from None
        offset = file.tell()
    if is_fortran and len(shape) > 1:
        raise FileError(f"{path}: is in Fortran's order, expected rows: np.save(path, np.ascontiguousarray(a))")
    return RawSource(path, shape, dtype, offset)


def is_zarr(path: Path) -> bool:
    """Whether a path names a zarr array."""
    return any(part.endswith(".zarr") for part in path.parts) or (path / "zarr.json").exists() or (path / ".zarray").exists()


def is_tiff(path: Path) -> bool:
    """Whether a path names a TIFF."""
    return path.suffix.lower() in (".tif", ".tiff", ".btf", ".tf8", ".svs", ".ndpi", ".scn")


# ---- Sinks -----------------------------------------------------------------------------------------------------------


class Sink:
    """An image that is written in parts, in any order.

    `blocks` is the shape of what is written at once, `working` the bytes that this takes beside the part.
    """

    name: str
    blocks: tuple[int, ...]
    working = 0
    # Where it lies; None of arrays in memory, which nobody finds again.
    path: Path | None = None

    def can_resume(self) -> bool:
        """Whether an incomplete one is there."""
        return True

    def create(self, resume: bool) -> None:
        """Makes it, incomplete, or opens the incomplete one that is there."""

    def write(self, box: Box, points: Array) -> None:
        """Writes the points of a box."""
        raise NotImplementedError

    def target(self) -> Any:
        """What other processes write to: an array of zarr, or its path."""
        raise NotImplementedError

    def finish(self) -> None:
        """Gives it its name."""

    def discard(self) -> None:
        """Removes what is incomplete, or leaves it for another time to go on."""


class ArraySink(Sink):
    """Anything that takes points in slices."""

    def __init__(self, array: Any, name: str, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
        found = (tuple(array.shape), np.dtype(array.dtype))
        if found != (tuple(shape), dtype):
            raise ValueError(f"{name}: has shape {found[0]} of {found[1]}, expected {tuple(shape)} of {dtype}")
        self.name, self._array = name, array
        self.blocks = blocks_of(array, shape)

    def target(self) -> Any:
        return self._array

    def write(self, box: Box, points: Array) -> None:
        try:
            self._array[slices(box)] = points
        except (OSError, ValueError, RuntimeError) as error:
            raise FileError(f"{self.name}: {describe(box)} cannot be written: {error}") from error


class FileSink(Sink):
    """What has another name until it is whole."""

    def __init__(self, path: Path, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
        self.name, self.path = str(path), path
        self.shape, self.dtype = tuple(shape), dtype
        self.part = path.with_name(f"{path.name}.part")

    def can_resume(self) -> bool:
        return self.part.exists()

    def finish(self) -> None:
        assert self.path is not None
        if self.path.is_dir():
            shutil.rmtree(self.path)
        os.replace(self.part, self.path)


class RawSink(FileSink):
    """Rows behind a header: .npy, and TIFF without compression."""

    def __init__(self, path: Path, shape: Sequence[int], dtype: np.dtype[Any], geo: Sequence[Any] = ()) -> None:
        super().__init__(path, shape, dtype)
        self.blocks = (1,) * max(0, len(self.shape) - 1) + self.shape[-1:]
        self._geo = geo
        self._file: int | None = None
        self._offset = 0

    def create(self, resume: bool) -> None:
        try:
            if not resume:
                self._header()
            self._file = os.open(self.part, os.O_RDWR | os.O_CLOEXEC)
            size = math.prod(self.shape) * self.dtype.itemsize
            if not is_tiff(Path(self.name)):
                self._offset = npy_offset(self.shape, self.dtype)
            else:
                self._offset = tiff_offset(self.part)
            if size:
                # The disk's space is taken now: a disk that is full is found before hours of work.
                os.posix_fallocate(self._file, 0, self._offset + size)
        except OSError as error:
            self.discard()
            with contextlib.suppress(OSError):
                self.part.unlink()
            needed = math.prod(self.shape) * self.dtype.itemsize
            raise FileError(f"{self.name}: cannot be made, {needed} bytes: {error.strerror or error}") from error

    def _header(self) -> None:
        if not is_tiff(Path(self.name)):
            with open(self.part, "wb") as file:
                file.write(npy_header(self.shape, self.dtype))
            return
        tifffile = library("tifffile", self.name)
        is_rgb = len(self.shape) == 3 and self.dtype.kind == "u" and self.dtype.itemsize <= 2
        interleaved, planar = is_rgb and self.shape[-1] in (3, 4), is_rgb and self.shape[0] in (3, 4)
        layout = {"photometric": "rgb" if interleaved or planar else "minisblack"}
        if planar and not interleaved:
            layout["planarconfig"] = "separate"
        row = math.prod(self.shape[1:] if interleaved else self.shape[-1:]) * self.dtype.itemsize
        tifffile.imwrite(
            self.part,
            data=None,
            shape=self.shape,
            dtype=self.dtype,
            bigtiff=math.prod(self.shape) * self.dtype.itemsize > (1 << 32) - (1 << 26),
            rowsperstrip=max(1, (1 << 20) // max(1, row)),
            metadata=None,
            extratags=self._geo,
            **layout,
        )

    def write(self, box: Box, points: Array) -> None:
        assert self._file is not None
        flat = np.ascontiguousarray(points).reshape(-1).view(np.uint8).data
        for at, place, size in runs(self.shape, box, self.dtype.itemsize):
            done = 0
            while done < size:
                try:
                    done += os.pwrite(self._file, flat[place + done : place + size], self._offset + at + done)
                except OSError as error:
                    raise FileError(f"{self.name}: {describe(box)} cannot be written: {error.strerror}") from error

    def finish(self) -> None:
        self.discard()
        super().finish()

    def discard(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


class ZarrSink(FileSink):
    """A zarr array, with the chunks of the source, or of square ones."""

    def __init__(self, path: Path, shape: Sequence[int], dtype: np.dtype[Any], like: Source | None) -> None:
        super().__init__(path, shape, dtype)
        self._zarr = library("zarr", self.name)
        self.blocks = blocks_for(shape, dtype, like)
        # Chunks of a shard are the source's, where they divide it.
        chunks = like.chunks if like is not None and like.blocks == self.blocks else None
        self._layout = {"chunks": self.blocks} if chunks is None else {"chunks": chunks, "shards": self.blocks}
        self.working = 8 * math.prod(self.blocks) * dtype.itemsize
        self._array: Any = None

    def create(self, resume: bool) -> None:
        try:
            if resume:
                self._array = self._zarr.open_array(str(self.part), mode="r+")
                return
            if self.part.exists():
                shutil.rmtree(self.part)
            self._array = self._zarr.create_array(str(self.part), shape=self.shape, dtype=self.dtype, **self._layout)
        except Exception as error:
            raise FileError(f"{self.name}: cannot be made: {type(error).__name__}: {error}") from error

    def target(self) -> Any:
        return str(self.part)

    def write(self, box: Box, points: Array) -> None:
        try:
            self._array[slices(box)] = points
        except Exception as error:
            raise FileError(f"{self.name}: {describe(box)} cannot be written: {type(error).__name__}: {error}") from error


def blocks_of(array: Any, shape: Sequence[int]) -> tuple[int, ...]:
    """What an array is written in at once: shards, chunks, rows."""
    kept = getattr(array, "shards", None) or getattr(array, "chunks", None) or ()
    if len(kept) == len(shape) and all(isinstance(extent, int) for extent in kept):
        return tuple(kept)
    return (1,) * max(0, len(shape) - 1) + tuple(shape[-1:])


def blocks_for(shape: Sequence[int], dtype: np.dtype[Any], like: Source | None) -> tuple[int, ...]:
    """Chunks or shards of a new array: those of the source where they fit, else squares of the last two dimensions."""
    if like is not None and len(like.shape) == len(shape) and math.prod(like.blocks[:-1]) > 1:
        if all(block <= extent for block, extent in zip(like.blocks, shape, strict=True)):
            return like.blocks
    chunks = [max(1, extent if extent <= 16 else min(extent, 1024)) for extent in shape]
    for d in range(len(chunks)):
        # Outer dimensions of volumes first.
        while math.prod(chunks) * dtype.itemsize > CHUNK and chunks[d] > 1:
            chunks[d] = -(-chunks[d] // 2)
    return tuple(chunks)


def npy_header(shape: Sequence[int], dtype: np.dtype[Any]) -> bytes:
    """The bytes before the points of a .npy."""
    import io

    header = io.BytesIO()
    described = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": tuple(shape)}
    np.lib.format.write_array_header_1_0(header, described)
    return header.getvalue()


def npy_offset(shape: Sequence[int], dtype: np.dtype[Any]) -> int:
    """How many they are."""
    return len(npy_header(shape, dtype))


def tiff_offset(path: Path) -> int:
    """Where the points of a TIFF without compression begin."""
    tifffile = library("tifffile", str(path))
    with tifffile.TiffFile(path) as tiff:
        return int(tiff.pages[0].dataoffsets[0])


def open_sink(given: Any, name: str, shape: Sequence[int], dtype: np.dtype[Any], like: Source | None) -> Sink:
    """The sink of a result: a path, or an array. `like` is a source of the same program, whose chunks and georeference it takes."""
    if not isinstance(given, (str, os.PathLike)):
        return ArraySink(given, name, shape, dtype)
    path = Path(os.path.abspath(given))
    if not path.parent.is_dir() and not is_zarr(path.parent):
        raise FileError(f"{path.parent}: no such folder, expected one for {path.name}")
    if is_zarr(path):
        return ZarrSink(path, shape, dtype, like)
    if is_tiff(path):
        geo = like.geo() if isinstance(like, TiffSource) and like.shape == tuple(shape) else []
        return RawSink(path, shape, dtype, geo)
    if path.suffix.lower() == ".npy":
        return RawSink(path, shape, dtype)
    raise WeftError(f"{path}: expected .npy, .tif, .tiff, or a path with a part that ends in .zarr")
