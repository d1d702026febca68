"""Runs a program in several ways: all must give the bits of the reference.

    found = everywhere(folder, "blur.mlir", {"img": image, "n": 3}, ["out"], WAYS)      {"out": what the reference gives}
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def tiled(options):
    """A way: kernels on the SIMT executor, made with these options of --pipeline-to-ptx."""
    return ["--target", "simt", "--pipeline-options", options]


def stepped(steps, way):
    """A way, with so many time steps of each iterate made one first, whether or not that pays."""
    return ["--passes", f"time-tile{{steps={steps}}}", *way]


CPU = ["--target", "cpu"]
WARP = ["--target", "simt"]
BLOCK = tiled("tiling=block")
POINT = tiled("tiling=none")


def everywhere(folder, program, arguments, names, ways, function=None):
    """What the reference gives by name, for images and numbers by name; ends the process where a way fails, or gives other bits."""
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as own:
        command = ["pipeline-run", str(program), "--estimates"]
        command += ["--function", function] if function else []
        for name, value in arguments.items():
            if isinstance(value, np.ndarray):
                np.save(f"{own}/{name}.npy", value)
                value = f"{own}/{name}.npy"
            command += ["--arg", f"{name}={value}"]
        for name in names:
            command += ["--out", f"{name}={own}/out-{name}.npy"]

        def run(way):
            done = subprocess.run(command + way, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f"{' '.join(command + way)}:\n{done.stderr}")
            return {name: np.load(f"{own}/out-{name}.npy") for name in names}

        reference = run(["--target", "reference"])
        for way in ways:
            for name, found in run(way).items():
                if found.tobytes() != reference[name].tobytes():
                    shapes = [value.shape for value in arguments.values() if isinstance(value, np.ndarray)]
                    sys.exit(f"{program} {function or ''} {shapes}: '{name}' differs from the reference: {' '.join(way)}")
        return reference
