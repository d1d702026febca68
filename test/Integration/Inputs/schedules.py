"""Every way to tile the examples gives what the reference gives, to the bit, and the executor has nothing to report.

usage: schedules.py FOLDER EXAMPLES
"""

import concurrent.futures
import filecmp
import os
import subprocess
import sys

FOLDER, EXAMPLES = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {
    "blur": (f"{EXAMPLES}/blur.mlir", "blurred"),
    "unsharp": (f"{EXAMPLES}/unsharp.mlir", "sharp"),
    "harris": (f"{EXAMPLES}/harris.mlir", "harris"),
    "pyramid": (f"{HERE}/pyramid.mlir", "half"),
}
# One point, one row, one column, less than a tile, and multiples of nothing that reach inside tiles too.
SIZES = [(1, 1), (1, 200), (70, 1), (7, 5), (45, 301)]
TILES = [(8, 128), (4, 64)]
BLOCKS = [(4, 32), (8, 16)]


def schedules(rank):
    """Of each schedule: what the tiling option is, and the entries."""

    def text(tile=None, block=None, **rest):
        lead = "1, " * (rank - 2)
        entries = [f"tile = array<i64: {lead}{tile[0]}, {tile[1]}>"] if tile else []
        entries += [f"block = array<i64: {lead}{block[0]}, {block[1]}>"] if block else []
        return ", ".join(entries + [f"{key} = {value}" for key, value in rest.items()])

    for block in BLOCKS:
        yield "block", text(tile=(16, 64), block=block)
    for tile, block in zip(TILES, BLOCKS):
        yield "warp", text(tile=tile, block=block)
    for tile in TILES:
        for fraction in (0.0, 0.25, 0.5, 0.75, 1.0):
            yield "warp", text(tile=tile, fraction=f"{fraction} : f64")
    for layout in ("cyclic", "blocked"):
        for vector in (1, 4):
            yield "warp", text(tile=(16, 128), layout=f'"{layout}"', vector=f"{vector} : i64", stream='"y"')
    yield "warp", text(tile=(8, 128), layout='"blocked"')


def run(program, size, number, options):
    file, result = PROGRAMS[program]
    out = f"{FOLDER}/{program}-{size[0]}x{size[1]}-{number}.npy"
    command = ["pipeline-run", file, "--arg", "img=random:7", "--dim", f"y={size[0]}", "--dim", f"x={size[1]}"]
    command += ["--out", f"{result}={out}", *options]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"{' '.join(command)}\n{ran.stderr}")
    return out, command


def check(program, size):
    expected, _ = run(program, size, "reference", ["--target", "reference"])
    rank = 3 if program == "unsharp" else 2
    count = 0
    for number, (tiling, schedule) in enumerate(schedules(rank)):
        options = ["--target", "simt", "--pipeline-options", f"tiling={tiling} schedule={{{schedule}}}"]
        found, command = run(program, size, number, options)
        if not filecmp.cmp(expected, found, shallow=False):
            sys.exit(f"differs from the reference: {' '.join(command)}")
        count += 1
    return count


os.makedirs(FOLDER, exist_ok=True)
cases = [(program, size) for program in PROGRAMS for size in SIZES]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    total = sum(pool.map(lambda case: check(*case), cases))
print(f"{total} runs agree")
