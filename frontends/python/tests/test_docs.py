"""The code on the pages runs, and the mistake that one shows is what is said."""

import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import weft

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("page", ["docs/python.md", "frontends/python/README.md"])
def test_blocks_run(page, tmp_path):
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)):
        path = tmp_path / f"block{number}.py"
        path.write_text(block)
        made = {"__name__": f"block{number}"}
        exec(compile(block, str(path), "exec"), made)
        assert made["sharp"].shape == made["photo"].shape
        assert np.abs(made["sharp"].astype(int) - made["photo"]).max() > 0


def test_the_mistake(tmp_path, monkeypatch):
    page = (ROOT / "docs/python.md").read_text()
    shown = re.search(r"<!-- mistake -->\n```\n(.*?)```", page, re.S)[1]
    text = (
        "import weft\n@weft.program\ndef f(img: weft.u8['h', 'w']):\n"
        '    return weft.stage("f", img[img.axes] + img[img.axes].to(weft.f32))\n'
    )
    (tmp_path / "prog.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    made = {}
    exec(compile(text, "prog.py", "exec"), made)
    with pytest.raises(weft.CompileError) as caught:
        made["f"].compiled()
    assert str(caught.value).strip() == shown.strip()


def cost(name, size, side=20480):
    """Points that are read for each point of a window of an example, in the middle of an image."""
    windows = weft.compile(ROOT / f"examples/{name}.mlir").windows()
    piece = windows.pieces[-1]
    shapes = {value["name"]: [extent or side for extent in value["extents"]] for value in windows.images}
    numbers = windows.numbers(shapes, {value["name"]: 3 for value in windows.scalars})
    axes = piece.needs(numbers).axes
    outer = [(0, extent) for extent, _ in axes[:-2]]
    firsts = [extent // 2 // count * count if count < extent else 0 for (extent, _), count in zip(axes[-2:], size, strict=True)]
    inner = [(first, min(first + count, extent)) for first, (extent, _), count in zip(firsts, axes[-2:], size, strict=True)]
    part = piece.needs(numbers, (*outer, *inner)).reads[piece.reads[0]]
    share = math.prod(end - first for first, end in (*outer, *inner)) / math.prod(extent for extent, _ in axes)
    return math.prod(count for _, count in part.box) / (math.prod(part.extents) * share)


NAMES = "unsharp heat_2d nl_means camera_pipe canny bilateral_grid pyramid_blend local_laplacian interpolate".split()


def test_what_windows_cost():
    page = (ROOT / "docs/large-images.md").read_text()
    sizes = [(256, 256), (512, 512), (1024, 1024), (2048, 2048), (256, 20480)]
    rows = []
    for name in NAMES:
        rows.append(f"| `{name}` | {' | '.join(f'{cost(name, size):.2f}' for size in sizes)} |")
    shown = re.search(r"<!-- windows -->\n.*?\n.*?\n(.*?)<!-- end -->", page, re.S)[1]
    assert shown.splitlines() == rows, "\n".join(rows)


def test_large_images(tmp_path, monkeypatch):
    for package in ("dask.array", "tifffile", "imagecodecs", "zarr"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    text = "".join(re.findall(r"```python\n(.*?)```", (ROOT / "docs/large-images.md").read_text(), re.S))
    (tmp_path / "page.py").write_text(text)
    exec(compile(text, str(tmp_path / "page.py"), "exec"), {"__name__": "page"})
    command = re.search(r"```\npython -m weft (stream .*?)```", (ROOT / "docs/large-images.md").read_text(), re.S)[1]
    (tmp_path / "stained.py").write_text(text[: text.index("def tiles")])
    before = {path: (tmp_path / path).stat().st_mtime_ns for path in ("sharp.zarr", "small.tif")}
    done = subprocess.run([sys.executable, "-m", "weft", *command.split()], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert all((tmp_path / path).stat().st_mtime_ns > time for path, time in before.items())
