"""Programs: functions of Python that were recorded, and texts, compiled when they are first called.

@weft.program                        call ─▶ record ─▶ trace ─▶ cache, or the compiler ─▶ _runtime.Function ─▶ arrays
def blur(img: weft.f32["h", "w"]):   call ───────────────────────────────────────────────▶ _runtime.Function ─▶ arrays
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import numpy as np

from . import _compiler, _gpu, _runtime, _trace
from ._arrays import ElsewhereError, as_array, is_lazy
from ._errors import CompileError, TraceError, WeftError
from ._types import TYPES, ImageType, Type
from ._windows import Windows, programs_only

LEVELS: dict[str, tuple[str, ...]] = {
    "stages": (),
    "groups": ("--infer-bounds", "--fuse"),
    "warp": ("--infer-bounds", "--fuse", "--warp-tile"),
    "registers": ("--infer-bounds", "--fuse", "--warp-tile", "--split-interior", "--hybrid-register"),
    "shuffles": ("--infer-bounds", "--fuse", "--warp-tile", "--split-interior", "--hybrid-register", "--shuffle"),
    "cpu-groups": ("--infer-bounds", "--cpu-schedule"),
    "cpu-loops": ("--infer-bounds", "--cpu-schedule", "--cpu-tile", "--canonicalize"),
    "cpu-vectors": ("--infer-bounds", "--cpu-schedule", "--cpu-tile", "--vectorize", "--canonicalize", "--cse"),
}


NUMPY_TYPES = {name: type.numpy for name, type in TYPES.items()}


class Compiled:
    """A program that is compiled: called with arrays and numbers, it gives arrays."""

    def __init__(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        _compiler.keep_openmp()
        path = os.path.abspath(path)
        names = programs_only(_runtime.programs(path))
        if name is None:
            if len(names) != 1:
                raise WeftError(f"{path}: programs {', '.join(names) or 'none'}, expected one, or the name of one")
            name = names[0]
        elif name not in names:
            raise WeftError(f"{path}: no program {name}, expected one of {', '.join(names) or 'none'}")
        self._function = _runtime.load(path, name)
        self._is_for_gpu = self._function.signature["cpu"] == "cuda"
        self.path = path

    @property
    def signature(self) -> dict[str, Any]:
        """Its name, and names, types and extents of its arguments and results."""
        return self._function.signature

    def windows(self) -> Windows:
        """The functions that compute windows of its results, of a library that `save(..., windows=True)` wrote; else a WeftError."""
        return Windows(self.path, self._function)

    def __call__(self, *arguments: Any, out: Any = None) -> Any:
        """Runs it: arrays in the order of the arguments give an array, or a tuple of several.

        A program for a GPU takes arrays of the host, which are copied there and back, or arrays on the GPU, as torch and CuPy have them.
        """
        if self._is_for_gpu and (found := _gpu.interfaces(arguments, out)) is not None:
            return _gpu.call(self._function, NUMPY_TYPES, arguments, out, found)
        return self._function(*arguments, out=out)

    def __repr__(self) -> str:
        return f"<{describe(self.signature)}>"


def describe(signature: Mapping[str, Any]) -> str:
    """A signature in one line."""

    def one(value: Mapping[str, Any]) -> str:
        extents = value.get("extents")
        if extents is None:
            return f"{value['name']}: {value['type']}"
        return f"{value['name']}: {value['type']}[{', '.join('?' if extent is None else str(extent) for extent in extents)}]"

    arguments, results = (", ".join(map(one, signature[key])) for key in ("arguments", "results"))
    return f"weft program {signature['name']}({arguments}) -> {results}"


@dataclass(frozen=True)
class Schedule:
    """Stages that share a group, and how it is computed: see `weft.schedule`."""

    stages: tuple[str, ...]
    attributes: tuple[tuple[str, Any], ...]

    def as_json(self) -> dict[str, Any]:
        """As the files of --tune have it."""

        def text(value: Any) -> str:
            if isinstance(value, (tuple, list)):
                return f"array<i64: {', '.join(str(int(one)) for one in value)}>"
            if isinstance(value, bool):
                return str(value).lower()
            if isinstance(value, float):
                return f"{value:e} : f64"
            return f"{value} : i64" if isinstance(value, int) else json.dumps(value)

        attributes = ", ".join(f"{name} = {text(value)}" for name, value in self.attributes)
        return {"stages": list(self.stages), "schedule": f"{{{attributes}}}"}


def schedule(*stages: str, **attributes: Any) -> Schedule:
    """A group by hand, for `@weft.program(schedules=[...])`: `weft.schedule("across", "around", tile=(64, 1024))`.

    `tile` has an extent for each dimension, outermost first; what else a group's schedule may say is in docs/dialects.md. Stages of which
    nothing is said are grouped by the model.
    """
    if not stages or not all(isinstance(one, str) for one in stages):
        raise TypeError(f"a schedule of {stages!r}, expected names of stages")
    return Schedule(stages, tuple(attributes.items()))


class Run:
    """What `Program.run` gives: `results`, and `report`, what the executor says of the run."""

    def __init__(self, results: tuple[Any, ...], report: dict[str, Any], text: str) -> None:
        self.results = results
        self.report = report
        self._text = text

    @property
    def result(self) -> Any:
        """The only result."""
        (only,) = self.results
        return only

    def __repr__(self) -> str:
        return self._text


class Program:
    """A program of stages. Called with arrays and numbers it gives arrays; it is compiled when it is first called.

    | | |
    | --- | --- |
    | `program(photo, 1.5)` | runs it on this machine's CPU, on all cores, without the GIL |
    | `program(photo, 1.5, out=canvas[100:580, 200:840])` | the same, into memory that is there |
    | `program(tensor, 1.5)` | runs it on the GPU that a tensor of torch or an array of CuPy is on, and gives one |
    | `program.run(photo, 1.5, target="simt")` | runs its GPU kernels on any machine, with every access checked |
    | `program.ir("warp")`, `program.ptx("sm_90")` | what it becomes |
    | `program.explain("why.html")` | a page that says why its stages were fused so |
    | `program.tune(photo, 1.5)` | finds groups and tiles by measuring, for calls from then on |
    | `program(dask_array, 1.5)` | gives a lazy array of Dask |
    | `weft.stream(program, "in.tif", "out.zarr", amount=1.5)` | images larger than memory; `weft.on_dask` on many machines |
    | `program.save("program.so")` | a library that needs no compiler: `weft.load`, or C |
    """

    def __init__(
        self,
        name: str,
        source: Callable[[], tuple[bytes, str]],
        parameters: Sequence[str] | None,
        defaults: Mapping[str, Any],
        options: Mapping[str, Any],
        schedules: Sequence[Schedule] = (),
    ) -> None:
        self.name = name
        self._source = source
        self._parameters = parameters
        self._defaults = dict(defaults)
        self._options = dict(options)
        # Groups and schedules that were found or written: a file of --tune.
        self._groups: bytes | None = None
        self._schedules = tuple(schedules)
        self._compiled: Compiled | None = None
        # By chip; those of the CPU have none.
        self._windows: dict[str | None, Windows] = {}
        # For GPUs, by their chips.
        self._on_gpu: dict[str, Compiled] = {}
        self._text: tuple[bytes, str] | None = None
        self._lock = threading.RLock()

    # Calls.

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        compiled = self._compiled
        if compiled is not None and not keywords and len(arguments) == len(self._parameters or ()):
            # That images are not the host's, or not there yet, is found where the first does not fit.
            try:
                return compiled._function(*arguments)
            except ElsewhereError:
                pass
        out = keywords.pop("out", None)
        values = self._bound(arguments, keywords)
        if any(map(is_lazy, values)):
            from . import _dask

            if out is not None:
                raise TypeError(f"{self.name}: out with arrays of Dask, expected none: weft.on_dask writes to files")
            names = [value["name"] for value in self.compiled().signature["arguments"]]
            return _dask.lazy(self.windows(), dict(zip(names, values, strict=True)))
        if (found := _gpu.interfaces(values, out)) is not None:
            compiled = self._compiled_for(self._options.get("chip") or _gpu.chip_of(found))
            return _gpu.call(compiled._function, NUMPY_TYPES, values, out, found)
        return self.compiled()._function(*values, out=out)

    def _compiled_for(self, chip: str) -> Compiled:
        """The program for a GPU, compiled if it was not."""
        with self._lock:
            if chip not in self._on_gpu:
                self._on_gpu[chip] = self._made(chip)
            return self._on_gpu[chip]

    def _bound(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
        if self._parameters is None:
            self._parameters = [value["name"] for value in self.compiled().signature["arguments"]]
        names = self._parameters
        if len(arguments) > len(names):
            raise TypeError(f"{self.name}: {len(arguments)} arguments, expected {len(names)}: {', '.join(names)}")
        values = dict(zip(names, arguments, strict=False))
        for name, value in keywords.items():
            if name not in names:
                raise TypeError(f"{self.name}: no argument '{name}', expected one of {', '.join(names)}, or out")
            if name in values:
                raise TypeError(f"{self.name}: argument '{name}' is given twice")
            values[name] = value
        missing = [name for name in names if name not in values and name not in self._defaults]
        if missing:
            raise TypeError(f"{self.name}: no value for {', '.join(missing)}")
        return [values[name] if name in values else self._defaults[name] for name in names]

    def compiled(self) -> Compiled:
        """The program for this machine's CPU, compiled if it was not."""
        if self._compiled is None:
            with self._lock:
                if self._compiled is None:
                    self._compiled = self._made()
        return self._compiled

    def _made(self, chip: str | None = None, windows: bool = False) -> Compiled:
        """The program for this machine's CPU, or for a GPU, compiled or from the cache."""
        text, ending = self.text()
        if self._groups is None and self._schedules:
            groups = [one.as_json() for one in self._schedules]
            self._groups = json.dumps([{"program": self.name, "target": "host", "groups": groups}]).encode()
        options = self._compiler_options(chip=chip, windows=windows)
        return Compiled(_compiler.library(text, ending, options, self._groups if chip is None else None), self._options.get("function"))

    def windows(self, chip: str | None = None) -> Windows:
        """The functions that compute windows of its results from parts of its images: what `weft.stream` and `weft.on_dask` call.

        `chip`, such as `sm_80`, is for an NVIDIA GPU instead of this machine's CPU.
        """
        with self._lock:
            if chip not in self._windows:
                compiled = self._made(chip, windows=True)
                self._windows[chip] = Windows(compiled.path, compiled._function, self._uncut)
            return self._windows[chip]

    def _uncut(self) -> str:
        """What the compiler says of axes that windows cannot cut."""
        text, ending = self.text()
        with _compiler.file_of(text, ending) as program:
            return "; ".join(_compiler.remarks("pipeline-opt", [program, "--window", "-o", os.devnull], "windows of "))

    def _compiler_options(self, cpu: str = "host", chip: str | None = None, windows: bool = False) -> list[str]:
        options = [f"--cpu={cpu}" if chip is None else f"--chip={chip}"]
        options += [f"--contract={str(bool(self._options.get('contract', True))).lower()}"]
        options += [f"--libm={self._options.get('libm', 'shared')}"]
        if self._options.get("function"):
            options.append(f"--function={self._options['function']}")
        if windows:
            options.append("--windows")
        return options

    # What it is, and what it becomes.

    def text(self) -> tuple[bytes, str]:
        """What the compiler is given, and the ending of the name of a file with it."""
        if self._text is None:
            with self._lock:
                if self._text is None:
                    self._text = self._source()
        return self._text

    def ir(self, level: str = "stages") -> str:
        """The program as MLIR: stages, groups, warp, registers, shuffles (GPUs), cpu-groups, cpu-loops, cpu-vectors (CPUs)."""
        if level not in LEVELS:
            raise ValueError(f"level {level!r}, expected one of {', '.join(LEVELS)}")
        return self._translated("pipeline-opt", LEVELS[level]).decode()

    def ptx(self, chip: str = "sm_90") -> str:
        """Its kernels for an NVIDIA GPU, as text of PTX."""
        return self._translated("pipeline-translate", ("--mlir-to-ptx", f"--chip={chip}")).decode()

    def explain(self, path: str | os.PathLike[str], target: str = "host") -> None:
        """Writes a page that says why its stages were fused so, on a CPU (`host`, `zen5`, `avx2`) or a GPU (`h100`, ...)."""
        Path(path).write_bytes(self._translated("pipeline-translate", ("--to-html", f"--target={target}")))

    def save(
        self,
        path: str | os.PathLike[str],
        cpu: str = "host",
        chip: str | None = None,
        header: str | None = None,
        windows: bool = False,
    ) -> None:
        """Writes a library, for `weft.load` and for C; it needs no compiler, and of LLVM only OpenMP's runtime.

        `cpu` is `host`, or `x86-64-v3` and the like for other machines; `chip`, such as `sm_80`, is for an NVIDIA GPU instead.
        `header` names a file for the header of C. `windows` adds what `weft.stream` and Dask's workers call.
        """
        options = self._compiler_options(cpu, chip, windows)
        if header is not None:
            options.append(f"--emit-header={header}")
        text, ending = self.text()
        groups = None if chip is not None else self._groups
        _compiler.compile_library(text, ending, options, Path(os.path.abspath(path)), groups)

    def _translated(self, tool: str, options: Sequence[str]) -> bytes:
        text, ending = self.text()
        with _compiler.file_of(text, ending) as program:
            try:
                return _compiler.run_tool(tool, [program, *options])
            except CompileError as error:
                raise CompileError(_compiler.explain(str(error))) from None

    def run(self, *arguments: Any, target: str = "simt", clock: str | None = None, options: Sequence[str] = (), **keywords: Any) -> Run:
        """Runs it as `pipeline-run` does, in a process of its own, and tells about it.

        `target` is `simt` (its kernels on any machine: races, accesses outside and reads of what nobody wrote are errors), `cuda`, `cpu`
        or `reference`. `clock`, such as `h100`, says by a model how long kernels take there. `options` are more options of `pipeline-run`.
        """
        command = [f"--target={target}", "--json", *options]
        if clock is not None:
            command.append(f"--clock={clock}")
        return self._run(self._bound(arguments, keywords), command)

    def tune(self, *arguments: Any, seconds: int = 60, **keywords: Any) -> dict[str, Any]:
        """Finds groups and tiles for images like these by measuring, so many seconds at most; calls from then on use them.

        What was found is kept beside the cache, for later processes that tune with images of these sizes. The report has `groups`, with
        their stages and schedules, `us`, the time of a call, and `model_us`, that of the model's own choice.
        """
        values = self._bound(arguments, keywords)
        shapes = [list(as_array(value).shape) for value in values if not isinstance(value, (int, float))]
        text, _ = self.text()
        key = hashlib.sha256(json.dumps(shapes).encode() + text).hexdigest()[:40]
        kept = _compiler.cache_folder() / "tuned" / key
        self._run(values, ["--target=cpu", "--json", f"--tune={seconds}", f"--tune-cache={kept}"])
        files = sorted(kept.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        if not files:
            # No group has a choice.
            return {}
        with self._lock:
            self._groups = files[-1].read_bytes()
            self._compiled = None
            self._windows.clear()
            (entry,) = (one for one in json.loads(self._groups) if one["program"] == self._program_name())
            measured: dict[str, Any] = {**entry.get("measured", {}), "groups": entry["groups"]}
        return measured

    def _program_name(self) -> str:
        return str(self.compiled().signature["name"])

    def _run(self, values: Sequence[Any], command: list[str]) -> Run:
        signature = self.compiled().signature
        text, ending = self.text()
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            for number, (described, value) in enumerate(zip(signature["arguments"], values, strict=True)):
                if "extents" in described:
                    path = os.path.join(folder, f"argument{number}.npy")
                    np.save(path, np.ascontiguousarray(as_array(value)))
                    command += ["--arg", f"{described['name']}={path}"]
                else:
                    command += ["--arg", f"{described['name']}={str(value).lower() if isinstance(value, bool) else value}"]
            paths = [os.path.join(folder, f"result{number}.npy") for number in range(len(signature["results"]))]
            for described, path in zip(signature["results"], paths, strict=True):
                command += ["--out", f"{described['name']}={path}"]
            program = os.path.join(folder, f"program.{ending}")
            Path(program).write_bytes(text)
            try:
                said = _compiler.run_tool("pipeline-run", [program, *command]).decode()
            except CompileError as error:
                raise CompileError(_compiler.explain(str(error))) from None
            return Run(tuple(np.load(path) for path in paths), json.loads(said), said)

    def __repr__(self) -> str:
        if self._compiled is not None:
            return repr(self._compiled)
        return f"<weft program {self.name}, not compiled yet>"

    def _repr_html_(self) -> str:
        """For notebooks: the stages, drawn where Graphviz is installed, and as MLIR."""
        if shutil.which("dot") is None:
            return f"<pre>{_escaped(self.ir())}</pre>"
        drawn = self._translated("pipeline-translate", ("--to-svg",)).decode()
        return drawn[drawn.index("<svg") :]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@overload
def program(function: Callable[..., Any], /) -> Program: ...


@overload
def program(
    *,
    name: str | None = None,
    contract: bool = True,
    libm: str = "shared",
    chip: str | None = None,
    estimate: Mapping[str, int] | None = None,
    schedules: Sequence[Schedule] = (),
) -> Callable[[Callable[..., Any]], Program]: ...


def program(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    contract: bool = True,
    libm: str = "shared",
    chip: str | None = None,
    estimate: Mapping[str, int] | None = None,
    schedules: Sequence[Schedule] = (),
) -> Any:
    """Makes a program of a function, whose arguments say by annotations what they are, and which gives an image, or several.

    `contract=False` rounds each product and each sum by itself; `libm="target"` takes exponentials and their kin from the machine.
    `chip`, such as `sm_80`, is what calls with arrays on a GPU are compiled for, else that GPU itself. `estimate` says extents that are
    usual, such as `{"h": 1080, "w": 1920}`, which tiles are chosen for; `schedules` are groups by hand.
    """
    options = {"contract": contract, "libm": libm, "chip": chip}
    if function is None:
        return lambda function: program_of(function, name, options, estimate or {}, schedules)
    return program_of(function, name, options, estimate or {}, schedules)


def program_of(
    function: Callable[..., Any],
    name: str | None,
    options: Mapping[str, Any],
    estimate: Mapping[str, int],
    schedules: Sequence[Schedule],
) -> Program:
    """A program that a function records when it is first needed."""
    called = name or function.__name__
    try:
        annotations = inspect.get_annotations(function, eval_str=True)
    except NameError as error:
        raise TraceError(f"{called}: {error} in an annotation, expected types such as weft.f32") from None
    parameters = inspect.signature(function).parameters
    types: dict[str, Type | ImageType] = {}
    for parameter in parameters.values():
        annotated = annotations.get(parameter.name)
        # typing.Annotated[NDArray, weft.u8["h", "w"]], for checkers of types.
        for one in (annotated, *getattr(annotated, "__metadata__", ())):
            if isinstance(one, (Type, ImageType)):
                types[parameter.name] = one
        if parameter.name not in types or parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise TraceError(
                f"{called}: argument '{parameter.name}' is annotated by {annotated!r}, expected a type of Weft: weft.f32 for a number, "
                'weft.u8["h", "w", 3] for an image'
            )
        if parameter.name == "out":
            raise TraceError(f"{called}: argument 'out' has the name of what results are written to, expected another")

    def record() -> tuple[bytes, str]:
        return trace_of(function, called, types, estimate), "trace"

    defaults = {p.name: p.default for p in parameters.values() if p.default is not p.empty}
    made: Program = Program(called, record, list(types), defaults, options, schedules)
    made.__doc__ = function.__doc__ or Program.__doc__
    made.__wrapped__ = function  # type: ignore[attr-defined]
    made.__name__ = called  # type: ignore[attr-defined]
    made.__module__ = function.__module__
    return made


def trace_of(function: Callable[..., Any], name: str, types: Mapping[str, Type | ImageType], estimate: Mapping[str, int]) -> bytes:
    """What the function of a program records, as JSON."""
    with _trace.Recorder(name) as recorder:
        arguments = []
        for called, type in types.items():
            assumed = None
            if isinstance(type, ImageType) and any(extent in estimate for extent in type.extents):
                assumed = [estimate.get(extent, 1024) if isinstance(extent, str) else extent for extent in type.extents]
            arguments.append(_trace.argument(called, type, assumed))
        given = function(*arguments)
        results = given if isinstance(given, (tuple, list)) else (given,)
        named = []
        for image in results:
            if not isinstance(image, _trace.Image):
                raise TraceError(f"{name} returns {image!r}, expected an image, which weft.stage makes, or several")
            named.append([image.name, image.id])
        trace = {"version": 1, "name": name, "files": recorder.files, "steps": recorder.steps, "results": named}
    return json.dumps(trace, separators=(",", ":")).encode()


def compile(text: str | os.PathLike[str], language: str | None = None, function: str | None = None, **options: Any) -> Program:
    """A program of a text of MLIR or Forma, or of a file of one: `weft.compile("blur.mlir")`.

    `language` is `mlir` or `forma`; a file's name says it. `function` is the program to take where there are several.
    """
    endings = {"mlir": "mlir", "forma": "fm"}
    if isinstance(text, os.PathLike) or ("\n" not in text and text.endswith((".mlir", ".fm"))):
        path = Path(text)
        content, ending, name = path.read_bytes(), path.suffix[1:], path.stem
    else:
        if language not in endings:
            raise ValueError(f"language {language!r}, expected mlir or forma")
        content, ending, name = str(text).encode(), endings[language], function or "program"
    if ending not in endings.values():
        raise ValueError(f"{text}: expected a file that ends in .mlir or .fm")
    return Program(function or name, lambda: (content, ending), None, {}, {**options, "function": function})


def load(path: str | os.PathLike[str], name: str | None = None) -> Compiled:
    """A program that was saved: no compiler is needed. `name` says which, where the library has several."""
    return Compiled(path, name)
