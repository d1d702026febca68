"""The tutorial runs from its first cell to its last, in a kernel of its own."""

from pathlib import Path

import nbclient
import nbformat


def test_tutorial():
    notebook = nbformat.read(Path(__file__).parents[1] / "examples" / "tutorial.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    said = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert "has elements of float32, expected uint8: .astype(np.uint8)" in said
    assert "/ of u8, expected floats: .to(weft.f32), or // which rounds down" in said
    assert '2 indices of "img", expected 3' in said
