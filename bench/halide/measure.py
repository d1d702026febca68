"""A program in one process: all sides on the same arrays, in turn.

Runs in the virtual environment, with Halide and NumPy.
"""

import ctypes
import importlib
import statistics
import sys
import time

import numpy as np
from agree import difference
from ours import Library, run
from suites import HERE
from theirs import Compiled

# Bytes that a copy reads; much more than caches hold.
COPIED = 128 << 20
COPIES = ["streamed", "plain"]
# Seconds that a turn takes at least, if it is more than one call, and that the threads of the one before have to fall asleep.
TURN, PAUSE = 0.02, 0.003
# Seconds of calls before a turn. A last cache of hundreds of MiB is full of what the side before has written, and its lines are written back
# at the cost of whoever comes next: behind the copies a program of 4 ms took twice as long for three calls.
WARM = 0.03
# Seconds above which a call is not made twice.
LONG = 0.5


def aligned(shape, dtype):
    """An array that begins at a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.empty(size + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    return memory[begin : begin + size].view(dtype).reshape(shape)


def small(module):
    """Odd extents for images, the same ones for what is small already; a module may say its own."""

    def of(shape):
        return shape if min(shape[-2:]) < 100 else (*shape[:-2], 277, 391)

    return getattr(module, "SMALL", {image: of(shape) for image, shape in module.SIZES.items()})


def sized(module, side):
    """Images of so many rows and columns; what is small stays so."""

    def of(shape):
        return shape if min(shape[-2:]) < 100 else (*shape[:-2], side, side)

    return {image: of(shape) for image, shape in module.SIZES.items()}


def results(module, arrays):
    """Name, shape and type of each result."""
    found = module.result(**arrays)
    return found if isinstance(found, list) else [found]


class Bench:
    """A program in this process."""

    def __init__(self, suite, name, threads, is_small=False, side=None):
        sys.path[:0] = [str(HERE), str(suite.folder)]
        self.name, self.threads, self.source = name, threads, suite.source(name)
        self.module = importlib.import_module(name)
        self.sizes = small(self.module) if is_small else sized(self.module, side) if side else self.module.SIZES
        self.numbers = getattr(self.module, "NUMBERS", {})
        arrays = self.module.inputs(np.random.default_rng(20), **self.sizes)
        self.arrays = {}
        for image, array in arrays.items():
            self.arrays[image] = aligned(array.shape, array.dtype)
            self.arrays[image][...] = array
        self.names, self.shapes, self.dtypes = zip(*results(self.module, self.arrays), strict=True)
        self.calls, self.results, self.notes, self.compile_seconds = {}, {}, {}, {}

    def outputs(self):
        """Arrays for the results."""
        return [aligned(shape, dtype) for shape, dtype in zip(self.shapes, self.dtypes, strict=True)]

    def add(self, side, make):
        """A side that takes turns; where it cannot be had, a note says why."""
        outputs = self.outputs()
        start = time.perf_counter()
        try:
            call = make().bind(self.arrays, self.numbers, outputs)
            self.compile_seconds[side] = time.perf_counter() - start
            call()
        except Exception as error:
            self.notes[side] = f"{type(error).__name__}: {error}".strip()
            return
        self.calls[side], self.results[side] = call, outputs

    def add_theirs(self, names):
        shapes = [array.shape for array in self.arrays.values()]
        for schedule in names:
            self.add(schedule, lambda name=schedule: Compiled(self.module, name, shapes, self.numbers.values(), self.shapes, self.threads))

    def add_ours(self, before=None):
        """Our side, and that of the tools of another folder."""
        self.add("ours", lambda: Library(self.source, self.sizes))
        if before:
            self.add("before", lambda: Library(self.source, self.sizes, before))

    def compare(self, expected):
        """The results of each side with the expected ones; of several the worst counts."""
        found = {}
        for side, outputs in self.results.items():
            each = [difference(self.module, *pair) for pair in zip(outputs, expected, strict=True)]
            error, off = (max(values[i] for values in each) for i in (0, 1))
            agrees = all(agrees for _, _, agrees in each)
            found[side] = {"error": error, "off": off, "agrees": agrees}
            if not agrees:
                self.notes[side] = f"the result is not the same: largest difference {error:.3g}, {off:.2g} of the points"
                self.calls.pop(side)
        return found

    def add_others(self, copy):
        if opencv := getattr(self.module, "opencv", None):
            import cv2

            cv2.setNumThreads(self.threads)
            outputs = self.outputs()
            self.calls["opencv"] = opencv(**self.arrays, result=outputs if len(outputs) > 1 else outputs[0])
        library = ctypes.CDLL(copy)
        source, to = aligned((COPIED,), np.uint8), aligned((COPIED,), np.uint8)
        source[:], to[:] = 1, 0
        pointers = ctypes.c_void_p(source.ctypes.data), ctypes.c_void_p(to.ctypes.data)
        for kind, way in enumerate(COPIES):
            self.calls[f"copy_{way}"] = lambda kind=kind: library.copy(*pointers, ctypes.c_int64(COPIED), self.threads, kind)

    def turns(self, rounds):
        """Median seconds of a call of each side. The order is another one in each round, so that no side always follows the same one."""
        clock = time.perf_counter
        permutation = np.random.default_rng(20).permutation
        slow, repeats, times = {}, {}, {side: [] for side in self.calls}
        for side, call in self.calls.items():
            call()
            start = clock()
            call()
            slow[side] = clock() - start
            repeats[side] = max(1, min(20, int(TURN / slow[side])))
        for _ in range(rounds):
            for side in permutation(list(self.calls)):
                call = self.calls[side]
                time.sleep(PAUSE)
                # Wakes the threads, and brings the program's own data into the caches: for what is long they do not matter.
                start = clock()
                while slow[side] < LONG and clock() - start < WARM:
                    call()
                start = clock()
                for _ in range(repeats[side]):
                    call()
                times[side].append((clock() - start) / repeats[side])
        return {side: statistics.median(values) for side, values in times.items()}


def timed(suite, options):
    """A program with a number of threads, as JSON."""
    bench = Bench(suite, options.child, options.threads[0], side=options.side)
    if not options.only_halide:
        bench.add_ours(options.before)
    bench.add_theirs(options.schedules)
    first = next(iter(bench.results), None)
    compared = bench.compare(bench.results[first]) if first else {}
    bench.add_others(options.copy)
    seconds = bench.turns(options.rounds)
    ours = seconds.get("ours")
    moved = sum(array.nbytes for array in [*bench.arrays.values(), *bench.results[first]]) if first else 0
    return {
        "program": bench.name,
        "threads": bench.threads,
        "size": "x".join(map(str, next(iter(bench.sizes.values())))),
        "ms": {side: 1e3 * value for side, value in seconds.items()},
        "ratios": {side: value / ours for side, value in seconds.items()} if ours else {},
        "compulsory_bytes": moved,
        "copy_bytes_per_second": 2 * COPIED / min(seconds[f"copy_{way}"] for way in COPIES),
        "compile_seconds": bench.compile_seconds,
        "compared": compared,
        "notes": bench.notes,
    }


def checked(suite, options):
    """The results on small images, as JSON."""
    bench = Bench(suite, options.child, options.threads[0], is_small=True)
    bench.add_theirs(options.schedules)
    expected = run(bench.source, bench.arrays, bench.numbers, bench.names)
    for array, shape, dtype in zip(expected, bench.shapes, bench.dtypes, strict=True):
        assert array.shape == tuple(shape) and array.dtype == np.dtype(dtype), (array.shape, array.dtype)
    return {"program": bench.name, "compared": bench.compare(expected), "notes": bench.notes}
