"""The compiler, as a process of its own, and the cache of what it made.

    trace or text ── key ──▶ ~/.cache/weft/python/KEY.so     there and whole: it is opened, and no compiler runs
                                   ▲
                                   └── pipeline-translate --emit-library, to a file beside it, then renamed

A process of its own means: no LLVM in this one, which may have others' already (torch, numba, triton); a compile can be interrupted;
threads compile side by side; and whatever the compiler does, Python goes on. A file in the cache ends in a digest of itself, so that one
that was cut short or changed is made anew.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import _runtime
from ._errors import CompileError

FOLDER = Path(__file__).resolve().parent
MARK = b"weft-cache-1\0\0\0\0"


# ---- The tools -------------------------------------------------------------------------------------------------------


@functools.cache
def tool(name: str) -> str:
    """The path of one of Weft's tools: the package's own, or where WEFT_BIN says."""
    folder = os.environ.get("WEFT_BIN")
    path = Path(folder) / name if folder else FOLDER / "bin" / name
    if not os.access(path, os.X_OK):
        raise CompileError(f"{path}: no such tool, expected Weft's {name}; WEFT_BIN names the folder of another build")
    return str(path)


@functools.cache
def version() -> str:
    """What the compiler says of itself, and when it was built: another one makes other code."""
    path = Path(tool("pipeline-translate"))
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}"


@functools.cache
def keep_openmp() -> None:
    """Opens OpenMP's runtime, so that compiled programs find it by its name."""
    for path in (FOLDER / "lib" / "libomp.so.5", Path("/usr/lib/llvm-22/lib/libomp.so.5")):
        if path.exists():
            _runtime.keep_library(str(path))
            return


def run_tool(name: str, arguments: Sequence[str], text: bytes | None = None, progress: bool = False) -> bytes:
    """Runs a tool and gives what it prints; what it says on stderr becomes an exception where it fails.

    Where `progress` is asked for and a person looks on, the tool's own progress is seen.
    """
    command = [tool(name), *arguments]
    is_seen = progress and sys.stderr is not None and hasattr(sys.stderr, "isatty") and sys.stderr.isatty()
    with tempfile.TemporaryFile() as said:
        try:
            done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=None if is_seen else said, check=False)
        except OSError as error:
            raise CompileError(f"{command[0]}: cannot be run: {error}") from None
        said.seek(0)
        message = said.read().decode(errors="replace").strip()
    if done.returncode != 0:
        if not message:
            how = f"was ended by signal {-done.returncode}" if done.returncode < 0 else f"failed ({done.returncode})"
            message = f"{name} {how}"
        raise CompileError(message)
    return done.stdout


def remarks(name: str, arguments: Sequence[str], about: str) -> list[str]:
    """What a tool remarks that begins so."""
    try:
        said = subprocess.run([tool(name), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False).stderr
    except OSError as error:
        raise CompileError(f"{name}: cannot be run: {error}") from None
    found = re.findall(rf": remark: (?:'\S+' op )?({about}.*)", said.decode(errors="replace"))
    return [str(one) for one in found]


def explain(message: str) -> str:
    """A message of the compiler, with the line of Python below each place that it names."""
    lines = []
    for line in message.splitlines():
        lines.append(line)
        match = re.match(r"(.+?):(\d+):(\d+): (?:error|note|remark|warning): ", line)
        if match is None:
            continue
        import linecache

        source = linecache.getline(match[1], int(match[2])).rstrip("\n")
        if source.strip():
            lines += [f"    {source.strip()}", f"    {' ' * max(0, int(match[3]) - 1 - (len(source) - len(source.lstrip())))}^"]
    return "\n".join(lines)


@contextlib.contextmanager
def file_of(text: bytes, ending: str) -> Iterator[str]:
    """A file with a program, for tools."""
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        path = Path(folder) / f"program.{ending}"
        path.write_bytes(text)
        yield str(path)


# ---- The cache -------------------------------------------------------------------------------------------------------

_locks: dict[str, threading.Lock] = {}
_locks_lock = threading.Lock()


def user_cache() -> Path:
    """The folder of the user's cache that all of Weft's tools share."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "weft"


def cache_folder() -> Path:
    """Where compiled programs are kept: WEFT_CACHE_DIR, else in the user's cache."""
    named = os.environ.get("WEFT_CACHE_DIR")
    return Path(named) if named else user_cache() / "python"


def measured_cpu() -> str:
    """What `pipeline-run --measure-cpu` has kept of this machine: code is made for that."""
    try:
        return (user_cache() / "cpu.toml").read_text()
    except (OSError, ValueError):
        return ""


def cache_limit() -> int:
    """The bytes that are kept: WEFT_CACHE_SIZE, else 1 GiB. The programs that were used last stay."""
    named = os.environ.get("WEFT_CACHE_SIZE", "")
    return int(named) if named.isdigit() else 1 << 30


def is_whole(path: Path) -> bool:
    """Whether a file of the cache is what was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return False
    body, tail = content[:-48], content[-48:]
    return tail[:16] == MARK and tail[16:] == hashlib.sha256(body).digest()


def library(text: bytes, ending: str, options: Sequence[str], groups: bytes | None) -> Path:
    """A compiled library of a program: from the cache, else compiled and put there. `groups` is a file of --tune."""
    keep_openmp()
    machine = "" if any(option.startswith("--chip") for option in options) else _runtime.describe_cpu() + measured_cpu()
    what = json.dumps([ending, list(options), version(), machine, (groups or b"").decode()])
    key = hashlib.sha256(what.encode() + b"\0" + text).hexdigest()[:40]
    folder = cache_folder()
    path = folder / f"{key}.so"
    with _locks_lock:
        lock = _locks.setdefault(str(path), threading.Lock())
    with lock:
        if is_whole(path):
            with contextlib.suppress(OSError):
                os.utime(path)
            return path
        folder.mkdir(parents=True, exist_ok=True)
        # Two processes may compile the same: each renames a whole file, and either is right.
        with tempfile.TemporaryDirectory(prefix=".making-", dir=folder) as making:
            made = Path(making) / "program.so"
            compile_library(text, ending, options, made, groups)
            body = made.read_bytes()
            with open(made, "ab") as file:
                file.write(MARK + hashlib.sha256(body).digest())
            os.replace(made, path)
        shrink(folder, path)
        return path


def compile_library(text: bytes, ending: str, options: Sequence[str], path: Path, groups: bytes | None = None) -> None:
    """Compiles a program to a library."""
    with file_of(text, ending) as program:
        options = list(options)
        if groups is not None:
            Path(f"{program}.groups").write_bytes(groups)
            options.append(f"--tune={program}.groups")
        try:
            run_tool("pipeline-translate", [f"--emit-library={path}", *options, program], progress=True)
        except CompileError as error:
            raise CompileError(explain(str(error))) from None


def shrink(folder: Path, but: Path) -> None:
    """Removes what was used longest ago, until the cache has no more than its bytes."""
    entries = []
    for path in folder.glob("*.so"):
        with contextlib.suppress(OSError):
            stat = path.stat()
            entries.append((stat.st_mtime_ns, stat.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= cache_limit():
            break
        if path != but:
            with contextlib.suppress(OSError):
                path.unlink()
                total -= size
