"""Runs a program on pictures: `python -m weft run prog.py --arg img=photo.png --out sharp=out.png`.

    python -m weft run FILE ...         what pipeline-run does with a program of a file of Python, MLIR or Forma
    python -m weft translate FILE ...   what pipeline-translate does with one: --mlir-to-ptx, --emit-library out.so
    python -m weft opt FILE ...         what pipeline-opt does with one: --infer-bounds --fuse --warp-tile

Of a file of Python the program is taken that is in it, or the one that `--program NAME` says.
"""

from __future__ import annotations

import os
import runpy
import sys

from . import _compiler
from ._errors import WeftError
from ._program import Program

TOOLS = {"run": "pipeline-run", "translate": "pipeline-translate", "opt": "pipeline-opt"}


def of_python(path: str, name: str | None) -> Program:
    """The program of a file of Python."""
    found = {key: value for key, value in runpy.run_path(path).items() if isinstance(value, Program)}
    if name is not None and name not in found:
        raise WeftError(f"{path}: no program {name}, expected one of {', '.join(found) or 'none'}")
    if name is None and len(found) != 1:
        raise WeftError(f"{path}: programs {', '.join(found) or 'none'}, expected one, or --program with one of them")
    return found[name] if name is not None else next(iter(found.values()))


def main(arguments: list[str] | None = None) -> int:
    """The exit code of the tool."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) < 2 or given[0] not in TOOLS:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 0 if given in (["-h"], ["--help"]) else 2
    tool, path, *rest = given
    name = None
    if "--program" in rest:
        at = rest.index("--program")
        name = rest[at + 1] if at + 1 < len(rest) else None
        del rest[at : at + 2]
    try:
        command = _compiler.tool(TOOLS[tool])
        if not path.endswith(".py"):
            os.execv(command, [command, path, *rest])
        text, ending = of_python(path, name).text()
        with _compiler.file_of(text, ending) as file:
            return os.spawnv(os.P_WAIT, command, [command, file, *rest])
    except (WeftError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
