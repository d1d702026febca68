"""A recursive blur: SciPy, its filter of two coefficients in `f64`."""

import numpy as np
from scipy import signal

from Inputs.harness import main


def blur(a, alpha):
    """Along the last axis, forwards and backwards; the state before a line is its first value."""
    for _ in range(2):
        a, _ = signal.lfilter([alpha], [1, alpha - 1], a, zi=(1 - alpha) * a[..., :1])
        a = a[..., ::-1]
    return a


def program(img, alpha):
    columns = blur(img.astype(np.float64).swapaxes(1, 2), alpha).swapaxes(1, 2)
    return {"blurred": blur(columns, alpha)}


def inputs(random, img=(3, 45, 37)):
    return {"img": random.random(img, np.float32)}


main(program, inputs, numbers={"alpha": 0.2}, tolerance=5e-6)
