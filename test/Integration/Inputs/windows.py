"""Examples window by window: the bits of the whole image.

    windows.py TARGET HxW EXTENT FILE.mlir ...

Each program runs as `pipeline-run --describe` says, on images of EXTENT and EXTENT + 35 points, whole and in windows of HxW points.
"""

import re
import shlex
import subprocess
import sys

import numpy as np

target, window, extent, *files = sys.argv[1:]


def run(command: list[str]) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


for file in files:
    said = run(["pipeline-run", file, "--describe"]).strip().splitlines()[-1]
    command = shlex.split(said)
    results = {}
    for at, word in enumerate(command):
        if match := re.fullmatch(r"(\w)=(\d+)", word) if command[at - 1] == "--dim" else None:
            # What ties rows of one image to columns of another takes squares.
            more = 0 if "matmul" in file else 35
            sides = {"y": int(extent), "x": int(extent) + more, "c": 7, "n": 3}
            command[at] = f"{match[1]}={sides[match[1]]}"
        if command[at - 1] == "--out":
            name = word.split("=")[0]
            results[name] = at
        if word == "steps=1":
            command[at] = "steps=5"
    bits = []
    for how, options in (("whole", []), ("windows", [f"--window={window}"])):
        for name, at in results.items():
            command[at] = f"{name}={how}-{name}.npy"
        run([*command, f"--target={target}", *options])
        bits.append({name: np.load(f"{how}-{name}.npy") for name in results})
    for name in results:
        whole, windows = bits[0][name], bits[1][name]
        assert whole.dtype == windows.dtype and whole.shape == windows.shape, (file, whole.shape, windows.shape)
        differ = np.flatnonzero((whole.view(np.uint8) != windows.view(np.uint8)).reshape(-1))
        assert differ.size == 0, f"{file}: {name} differs in {differ.size} bytes, first {differ[:3]}"
    print(f"{file.split('/')[-1]}: {sum(whole.size for whole in bits[0].values())} points")
