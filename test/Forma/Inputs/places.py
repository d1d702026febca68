"""Places of the least and greatest values against NumPy, of images with equal values, NaN and infinities: the first one counts."""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(1)
height, width = 9, 40
img = random.integers(-3, 4, (height, width)).astype(np.float32)
img[2] = np.inf
img[3] = np.nan
img[4, ::2] = np.nan
data = random.integers(0, 256, (height, width), np.uint8)
data[1] = 255
np.save(folder / "img.npy", img)
np.save(folder / "bytes.npy", data)

first = [next((int(np.argmax(row == np.nanmin(row))) for _ in [0] if not np.isnan(row).all()), 0) for row in img]
offsets = [(dy, dx) for dy in range(-2, 3) for dx in range(-3, 4)]
squares = np.stack([np.roll(img, (-dy, -dx), (0, 1)) ** 2 for dy, dx in offsets])
filled = np.where(np.isnan(squares), -np.inf, squares)
at = filled.argmax(0)
up, right = (np.array([offset[axis] for offset in offsets])[at] for axis in (0, 1))
mirrored = np.pad(data, ((0, 0), (1, 2)), "symmetric")
near = np.stack([mirrored[:, k : k + width] for k in range(4)])
wanted = {"first": first, "up": up, "right": right, "bright": filled.max(0), "dark": near.min(0), "where": near.argmin(0)}

program = pathlib.Path(__file__).parent / "places.fm"
for target in ["reference", "cpu", "simt"]:
    command = ["pipeline-run", program, "--target", target]
    command += [f"--arg={name}={folder / name}.npy" for name in ("img", "bytes")]
    command += [f"--out={name}={folder / name}.out.npy" for name in wanted]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for name, value in wanted.items():
        np.testing.assert_array_equal(np.load(folder / f"{name}.out.npy"), value, f"{target}: {name}")
print(f"{len(wanted)} results agree")
