"""A product of matrices: NumPy, in f64."""

import numpy as np

from Inputs.harness import main


def program(a, b):
    return {"c": a.astype(np.float64) @ b}


def inputs(random, a=(37, 256), b=(256, 45)):
    return {"a": random.random(a, np.float32), "b": random.random(b, np.float32) - np.float32(0.5)}


main(program, inputs, tolerance=1e-6)
