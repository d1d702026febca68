"""The cache: two writers, one that is killed, entries that were cut short or changed, other options, its bound; and threads."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import weft

PROGRAM = """
import numpy as np, weft
@weft.program
def sums(a: weft.f32["n"]):
    (x,) = a.axes
    return weft.stage("b", a.clamp[x - 1] + a[x] * 3)
"""
RUN = PROGRAM + "print(sums(np.arange(5, dtype=np.float32)).tolist())\n"
EXPECTED = "[0.0, 3.0, 7.0, 11.0, 15.0]"


def process(text, folder, **environment):
    environment = {**os.environ, "WEFT_CACHE_DIR": str(folder), **environment}
    path = folder.parent / f"program{abs(hash(text))}.py"
    # Of several processes with one program, one may read it already.
    if not path.exists():
        path.write_text(text)
    return subprocess.Popen([sys.executable, str(path)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(text, folder, **environment):
    done = process(text, folder, **environment)
    out, error = done.communicate(timeout=120)
    assert done.returncode == 0, error
    return out.strip()


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "cache"
    made.mkdir()
    return made


def entries(folder):
    return sorted(folder.glob("*.so"))


def test_a_second_process_compiles_nothing(folder):
    assert result(RUN, folder) == EXPECTED
    (entry,) = entries(folder)
    inode = entry.stat().st_ino
    # Without the compiler's process there is no other way.
    blocked = "import subprocess\nsubprocess.run = None\n" + PROGRAM
    path = folder.parent / "again.py"
    path.write_text(RUN)
    assert result(RUN, folder) == EXPECTED
    assert entries(folder) == [entry] and entry.stat().st_ino == inode
    assert "LLVM" not in result(blocked + "print(open('/proc/self/maps').read())\n", folder)


def test_two_writers(folder):
    both = [process(RUN, folder) for _ in range(4)]
    assert [one.communicate(timeout=120) for one in both] == [(EXPECTED + "\n", "")] * 4
    assert len(entries(folder)) == 1
    assert not list(folder.glob(".making-*"))


def test_a_writer_that_is_killed(folder):
    killed = process(RUN, folder)
    deadline = time.monotonic() + 60
    while not list(folder.glob(".making-*")) and time.monotonic() < deadline and killed.poll() is None:
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert result(RUN, folder) == EXPECTED


def cut(content):
    return content[: len(content) // 2]


def changed(content):
    return content[:2000] + bytes([content[2000] ^ 1]) + content[2001:]


def empty(content):
    return b""


def foreign(content):
    return b"not a library"


@pytest.mark.parametrize("change", [cut, changed, empty, foreign])
def test_entries_that_are_not_whole_are_made_anew(folder, change):
    assert result(RUN, folder) == EXPECTED
    (entry,) = entries(folder)
    content = entry.read_bytes()
    entry.write_bytes(change(content))
    assert result(RUN, folder) == EXPECTED
    assert entry.read_bytes()[-48:-32] == content[-48:-32] and len(entry.read_bytes()) == len(content)


def test_an_entry_that_is_a_folder_is_an_error(folder):
    assert result(RUN, folder) == EXPECTED
    (entry,) = entries(folder)
    entry.unlink()
    entry.mkdir()
    (entry / "file").write_text("")
    failed = process(RUN, folder)
    _, error = failed.communicate(timeout=120)
    assert failed.returncode != 0 and str(entry) in error


def test_other_options_and_other_cpus_are_other_programs(folder, monkeypatch):
    monkeypatch.setenv("WEFT_CACHE_DIR", str(folder))

    def made(**options):
        @weft.program(name="sums", **options)
        def sums(a: weft.f32["n"], b: weft.f32["n"]):
            (x,) = a.axes
            return weft.stage("c", a[x] * b[x] + 1)

        return sums.compiled().path

    first = made()
    assert made() == first
    assert made(contract=False) != first
    assert made(libm="target") != first
    from weft import _runtime

    real = _runtime.describe_cpu()
    monkeypatch.setattr("weft._runtime.describe_cpu", lambda: real + " and more")
    assert made() != first


def test_the_cache_is_bounded(folder, monkeypatch):
    monkeypatch.setenv("WEFT_CACHE_DIR", str(folder))
    monkeypatch.setenv("WEFT_CACHE_SIZE", "1")
    programs = []
    for number in range(3):

        @weft.program(name=f"number{number}")
        def add(a: weft.f32["n"]):
            (x,) = a.axes
            return weft.stage("c", a[x] + number)  # noqa: B023

        assert add(np.zeros(2, np.float32)).tolist() == [number] * 2
        programs.append(add)
    assert len(entries(folder)) == 1
    # What was removed and is open goes on.
    assert programs[0](np.zeros(2, np.float32)).tolist() == [0, 0]


def test_threads(tmp_path):
    @weft.program
    def add(a: weft.f32["n"], by: weft.f32):
        (x,) = a.axes
        return weft.stage("c", a[x] + by)

    a = np.arange(100, dtype=np.float32)
    wrong = []

    def call(number):
        for _ in range(1000):
            if not np.array_equal(add(a, number), a + number):
                wrong.append(number)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong


def test_fork(tmp_path):
    @weft.program
    def blur(a: weft.f32["h", "w"]):
        y, x = a.axes
        return weft.stage("c", a.clamp[y - 1, x] + a.clamp[y + 1, x])

    a = np.random.default_rng(3).normal(size=(600, 700)).astype(np.float32)
    expected = blur(a)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(blur(a), expected) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert np.array_equal(blur(a), expected)


def test_the_compiler_is_named_when_it_is_not_there(folder):
    failed = process(RUN, folder, WEFT_BIN="/nowhere")
    _, error = failed.communicate(timeout=60)
    assert failed.returncode != 0 and "/nowhere/pipeline-translate: no such tool" in error


def test_import_takes_no_compiler():
    text = "import sys, weft; print([name for name in sys.modules if name.startswith('weft')]); print(open('/proc/self/maps').read())"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, cwd=Path(__file__).parent)
    assert "LLVM" not in done.stdout and "MLIR" not in done.stdout and "libomp" not in done.stdout


def test_a_second_interpreter_is_refused():
    """In words, and not by a crash."""
    text = """
import warnings
warnings.simplefilter("ignore")
import weft
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
other = interpreters.create()
try:
    said = interpreters.run_string(other, "import weft")
except Exception as error:
    said = error
print(said)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", text], capture_output=True, text=True, check=True)
    assert "cannot load module" in done.stdout
