"""The code on the pages runs, and the mistake that one shows is what is said."""

import re
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
