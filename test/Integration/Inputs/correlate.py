"""Large windows of loaded weights on the CPU, whose rows share what they load, beside the reference: the same bits, at all sizes.

    correlate.py FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
# Weights as rows x columns, how rows and columns of the image follow those of the result, and what lies beyond the edges.
KINDS = [
    ("float", (15, 15), "x + i - 7, y + j - 7", ""),
    ("float", (9, 3), "x + i - 1, 2 * y + j - 4", ":constant(1.5)"),
    ("int", (11, 5), "x + i - 2, y + j - 5", ":reflect101"),
    ("float", (7, 7), "x + j, y + i + j - 3", ":wrap"),
]


def program(ty, shape, at, border):
    rows, columns = shape
    return f"""stencil correlate(vector#2 {ty} X, vector#2 {ty} K) at [x, y] {{
    return sum[j = 0..{rows - 1}, i = 0..{columns - 1}](X@({at}) * K@(i, j));
}}
parameter W, H;
vector#2 {ty} img[W, H];
vector#2 {ty} kernel[{columns}, {rows}];
out = correlate(img{border}, kernel)[W, H];
return out;
"""


random = np.random.default_rng(5)
for number, (ty, shape, at, border) in enumerate(KINDS):
    source = folder / f"{number}.fm"
    source.write_text(program(ty, shape, at, border))
    for extents in [(1, 1), (2, 90), (40, 3), (37, 141)]:
        results = []
        for name, of in (("img", extents), ("kernel", shape)):
            numbers = random.standard_normal(of) if ty == "float" else random.integers(-1000, 1000, of)
            np.save(folder / f"{name}.npy", numbers.astype(np.float32 if ty == "float" else np.int32))
        for target in ("cpu", "reference"):
            images = [f"--arg={name}={folder}/{name}.npy" for name in ("img", "kernel")]
            command = ["pipeline-run", source, f"--target={target}", *images, f"--out=out={folder}/{target}.npy"]
            subprocess.run(command, check=True, capture_output=True, text=True)
            results.append(np.load(folder / f"{target}.npy"))
        cpu, reference = (result.view(np.uint32) for result in results)
        assert cpu.shape == extents and np.array_equal(cpu, reference), (at, extents, np.argwhere(cpu != reference)[:3])
print(f"{len(KINDS)} windows agree")
