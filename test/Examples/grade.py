"""Exposure, saturation, contrast and a curve: NumPy, whole images, in f64."""

import numpy as np

from Inputs.harness import main


def program(img, exposure, saturation, contrast, curve):
    exposed = img.astype(np.float64) * exposure
    luma = np.tensordot([0.2126, 0.7152, 0.0722], exposed, 1)
    limited = (((luma + saturation * (exposed - luma)) - 0.18) * contrast + 0.18).clip(0, 1)
    return {"graded": (1 - curve) * limited + curve * np.polyval([-2, 3, 0, 0], limited)}


def inputs(random, img=(3, 37, 45)):
    return {"img": random.random(img, np.float32)}


main(program, inputs, 1e-5, {"exposure": 1.2, "saturation": 1.3, "contrast": 1.1, "curve": 0.5})
