"""Times the operations of `operations.py` in turn and prints a table: `PYTHONPATH=... python bench/python/run.py [HEIGHT WIDTH] [--write docs/python.md]`.

A row: milliseconds of Weft, the median of its runs, and how many times as long each other takes, the median of ratios of runs next to
each other. Then what a call costs, what a first call costs, and a process that finds its programs compiled.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import weft
from operations import operations

RUNS = 9
LIBRARIES = ("OpenCV", "SciPy", "Numba")


def timed(function, image):
    # Other libraries' threads spin for a while; the first run meets them, and is not counted.
    function(image)
    begin = time.perf_counter()
    function(image)
    return time.perf_counter() - begin


def row(name, image, who):
    expected = who["Weft"](image)
    for other, function in who.items():
        if function is not None:
            apart = np.abs(expected.astype(float) - function(image).astype(float))
            # A rounding at a half, borders of a median, fixed point, a grey of 8 bits before its slopes: a few levels.
            assert np.median(apart) <= 1 and np.mean(apart > 5) < 0.01, (name, other, apart.max())
    times = {other: [] for other, function in who.items() if function is not None}
    for _ in range(RUNS):
        for other in times:
            times[other].append(timed(who[other], image))
    ours = times["Weft"]
    cells = [f"{statistics.median(ours) * 1e3:.2f}"]
    ratios = {}
    for other in LIBRARIES:
        if other in times:
            ratios[other] = statistics.median(b / a for a, b in zip(ours, times[other], strict=True))
        cells.append(f"{ratios[other]:.2f}" if other in ratios else "")
    return cells, ratios


def cpu():
    info = Path("/proc/cpuinfo").read_text()
    found = {line.split(":")[0].strip(): line.split(":")[1].strip() for line in info.splitlines() if ":" in line}
    return f"{found.get('model name', platform.machine())}, family {found.get('cpu family')}, model {found.get('model')}"


def overhead():
    @weft.program
    def tiny(a: weft.f32["n"]):
        (x,) = a.axes
        return weft.stage("b", a[x] * 2 + 1)

    a = np.zeros(16, np.float32)
    tiny(a)
    least = float("inf")
    for _ in range(20):
        begin = time.perf_counter()
        for _ in range(5000):
            tiny(a)
        least = min(least, (time.perf_counter() - begin) / 5000)
    return least * 1e6


def processes():
    text = """
import time, sys
import numpy as np
begin = time.perf_counter()
import weft
imported = time.perf_counter()
sys.path.insert(0, {folder!r})
import photo_editor as editor
photo = np.zeros((300, 400, 3), np.uint8)
first = time.perf_counter()
editor.sharpen(photo, 1.5)
end = time.perf_counter()
print((imported - begin) * 1e3, (end - first) * 1e3, (end - begin) * 1e3)
"""
    folder = str(Path(__file__).parents[2] / "frontends" / "python" / "examples")
    import os

    with tempfile.TemporaryDirectory() as cache:
        runs = []
        for _ in range(6):
            done = subprocess.run(
                [sys.executable, "-c", text.format(folder=folder)],
                env={**os.environ, "WEFT_CACHE_DIR": cache},
                capture_output=True,
                text=True,
                check=True,
            )
            runs.append([float(word) for word in done.stdout.split()])
    cold, warm = runs[0], [statistics.median(column) for column in zip(*runs[1:], strict=True)]
    return cold, warm


def main():
    arguments = [one for one in sys.argv[1:] if one.isdigit()]
    height, width = (int(one) for one in arguments) if len(arguments) == 2 else (1080, 1920)
    random = np.random.default_rng(1)
    y, x = np.mgrid[0:height, 0:width]
    smooth = np.stack([(np.sin(x / (40 + 9 * c)) + np.cos(y / (31 + 7 * c))) * 50 + 128 for c in range(3)], axis=-1)
    photo = np.clip(smooth + random.normal(scale=6, size=smooth.shape), 0, 255).astype(np.uint8)
    plate = random.random((height, width)).astype(np.float32)
    lines = [
        f"{cpu()}; {height} x {width} x 3, `uint8` (heat: one plane of `float32`); milliseconds, and how many times as long others take.",
        "",
        f"| operation | Weft, ms | {' | '.join(LIBRARIES)} |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    every = {other: [] for other in LIBRARIES}
    for name, (image, who) in operations(photo, plate).items():
        cells, ratios = row(name, image, who)
        lines.append(f"| {name} | {' | '.join(cells)} |")
        for other, ratio in ratios.items():
            every[other].append(ratio)
    means = [f"{statistics.geometric_mean(ratios):.2f}" if ratios else "" for ratios in every.values()]
    lines.append(f"| geometric mean | | {' | '.join(means)} |")
    (import_cold, first, _), (import_warm, warm, both) = processes()
    lines += [
        "",
        f"A call of a program on 16 numbers takes {overhead():.1f} us. `import weft` takes {import_warm:.0f} ms over NumPy's own import. The first "
        f"call of `sharpen` takes {first:.0f} ms where it is compiled ({import_cold:.0f} ms of import apart), and {warm:.0f} ms in a later process; "
        f"import and first call are then {both:.0f} ms.",
    ]
    text = "\n".join(lines)
    print(text)
    if "--write" in sys.argv:
        page = Path(sys.argv[sys.argv.index("--write") + 1])
        begin, end = "<!-- bench/python/run.py -->\n", "<!-- end -->"
        content = page.read_text()
        head, tail = content.split(begin)[0], content.split(begin)[1].split(end, 1)[1]
        page.write_text(f"{head}{begin}{text}\n{end}{tail}")


if __name__ == "__main__":
    main()
