"""Runs a program on pictures: `python -m weft run prog.py --arg img=photo.png --out sharp=out.png`.

    python -m weft run FILE ...         what pipeline-run does with a program of a file of Python, MLIR or Forma
    python -m weft translate FILE ...   what pipeline-translate does with one: --mlir-to-ptx, --emit-library out.so
    python -m weft opt FILE ...         what pipeline-opt does with one: --infer-bounds --fuse --warp-tile
    python -m weft stream FILE ...      a program window by window, on images that memory does not hold: `weft.stream`

Of a file of Python the program is taken that is in it, or the one that `--program NAME` says. Its pictures may be of height x width x
channels: pipeline-run is given arrays then, and Pillow reads and writes the pictures.

    python -m weft stream unsharp.so --arg img=in.tif --arg amount=1.5 --out sharp=out.zarr --memory 1GiB --window 512x512

streams a program of such a file, or of a library that `save(..., windows=True)` wrote.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from . import _compiler
from ._errors import WeftError
from ._program import Compiled, Program, compile, load
from ._stream import human, stream

TOOLS = {"run": "pipeline-run", "translate": "pipeline-translate", "opt": "pipeline-opt"}


def of_python(path: str, name: str | None) -> Program:
    """The program of a file of Python."""
    found = {key: value for key, value in runpy.run_path(path).items() if isinstance(value, Program)}
    if name is not None and name not in found:
        raise WeftError(f"{path}: no program {name}, expected one of {', '.join(found) or 'none'}")
    if name is None and len(found) != 1:
        raise WeftError(f"{path}: programs {', '.join(found) or 'none'}, expected one, or --program with one of them")
    return found[name] if name is not None else next(iter(found.values()))


PICTURES = (".png", ".jpg", ".jpeg")


def with_arrays(program: Program, rest: list[str], folder: Path) -> tuple[list[str], list[tuple[Path, str]]]:
    """The options of pipeline-run with arrays in place of interleaved pictures, and which arrays are to become pictures afterwards."""
    signature = program.compiled().signature
    channels = {one["name"]: one["extents"][2] for key in ("arguments", "results") for one in signature[key] if is_interleaved(one)}
    given, later = list(rest), []
    for at in range(1, len(given)):
        name, _, path = given[at].partition("=")
        if given[at - 1] not in ("--arg", "--out") or name not in channels or not path.lower().endswith(PICTURES):
            continue
        array = folder / f"{at}.npy"
        if given[at - 1] == "--arg":
            mode = {1: "L", 3: "RGB", 4: "RGBA"}[channels[name]]
            np.save(array, np.asarray(pillow().open(path).convert(mode)).reshape(-1, pillow().open(path).width, channels[name]))
        else:
            later.append((array, path))
        given[at] = f"{name}={array}"
    return given, later


def is_interleaved(value: dict[str, Any]) -> bool:
    """Whether an image is one of bytes, height x width x channels."""
    extents = value.get("extents") or []
    return len(extents) == 3 and extents[2] in (1, 3, 4) and extents[0] not in (1, 3, 4) and value["type"] == "u8"


def pillow() -> Any:
    """Pillow's images."""
    try:
        from PIL import Image
    except ImportError:
        raise WeftError("Pillow, which reads pictures of height x width x channels, is not there: pip install pillow") from None
    return Image


def of_file(path: str, name: str | None) -> Program | Compiled:
    """The program of a file of any kind."""
    if path.endswith(".py"):
        return of_python(path, name)
    return compile(Path(path), function=name) if path.endswith((".mlir", ".fm")) else load(path, name)


def number_of(text: str, type: str) -> int | float | bool:
    """A number of the command line, for an argument of this type."""
    try:
        if type == "i1":
            return {"true": True, "false": False}[text]
        return float(text) if type.startswith("f") else int(text)
    except (ValueError, KeyError):
        raise ValueError(f"{text!r} is no number of {type}") from None


def run_stream(path: str, rest: list[str]) -> int:
    """`python -m weft stream`."""
    parser = argparse.ArgumentParser(
        prog="weft stream", description="Runs a program window by window, on images that memory does not hold."
    )
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="an image (a path), or a number")
    parser.add_argument("--out", action="append", default=[], metavar="NAME=PATH", help="where a result goes")
    parser.add_argument("--memory", default="1 GiB", help="what images in flight may take")
    parser.add_argument("--window", metavar="HxW", help="points of a window along the last dimensions; else they are chosen")
    parser.add_argument("--gpus", metavar="N,N", help="GPUs that compute the windows: numbers, or all")
    parser.add_argument("--program", metavar="NAME", help="which, where there are several")
    options = parser.parse_args(rest)
    program = of_file(path, options.program)
    types = {value["name"]: value for value in program.windows().signature["arguments"]}
    pairs = {key: dict(one.partition("=")[::2] for one in getattr(options, key)) for key in ("arg", "out")}
    is_number = {name: name in types and "extents" not in types[name] for name in pairs["arg"]}
    source = {name: number_of(text, types[name]["type"]) if is_number[name] else text for name, text in pairs["arg"].items()}
    if options.window is not None and not all(extent.isdigit() for extent in options.window.split("x")):
        raise ValueError(f"window {options.window!r}, expected points such as 512x512")
    window = tuple(map(int, options.window.split("x"))) if options.window is not None else None
    gpus = options.gpus if options.gpus in (None, "all") else [int(number) for number in options.gpus.split(",")]
    report = stream(program, source, pairs["out"], options.memory, window, gpus=gpus)
    shapes = ", ".join(f"{name} in windows of {' x '.join(map(str, size)) or '1'}" for name, size in report.windows.items())
    moved = human((report.read + report.written) / max(1e-9, report.seconds))
    print(f"{shapes}: {report.count} windows, {report.resumed} of them before, {report.seconds:.3g} s, {moved}/s")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """The exit code of the tool."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) < 2 or given[0] not in (*TOOLS, "stream"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 0 if given in (["-h"], ["--help"]) else 2
    tool, path, *rest = given
    if tool == "stream":
        try:
            return run_stream(path, rest)
        except (WeftError, OSError, ValueError, TypeError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    name = None
    if "--program" in rest:
        at = rest.index("--program")
        name = rest[at + 1] if at + 1 < len(rest) else None
        del rest[at : at + 2]
    try:
        command = _compiler.tool(TOOLS[tool])
        if not path.endswith(".py"):
            os.execv(command, [command, path, *rest])
        program = of_python(path, name)
        text, ending = program.text()
        with _compiler.file_of(text, ending) as file, tempfile.TemporaryDirectory(prefix="weft-") as folder:
            later: list[tuple[Path, str]] = []
            if tool == "run":
                rest, later = with_arrays(program, rest, Path(folder))
            status = os.spawnv(os.P_WAIT, command, [command, file, *rest])
            for array, picture in later if status == 0 else []:
                pixels = np.load(array)
                pillow().fromarray(pixels[..., 0] if pixels.shape[2] == 1 else pixels).save(picture)
            return status
    except (WeftError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
