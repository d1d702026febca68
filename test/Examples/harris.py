"""Harris corners of a grey image: SciPy, its Sobel and box filters, in f64."""

import numpy as np
from scipy import ndimage

from Inputs.harness import main


def program(img):
    img = img.astype(np.float64)
    dx, dy = (ndimage.sobel(img, axis, mode="nearest") / 12 for axis in (1, 0))
    window = lambda a: ndimage.uniform_filter(a, size=3, mode="nearest") * 9
    xx, xy, yy = window(dx * dx), window(dx * dy), window(dy * dy)
    return {"harris": xx * yy - xy**2 - 0.04 * (xx + yy) ** 2}


def inputs(random, img=(37, 45)):
    return {"img": random.random(img, np.float32)}


main(program, inputs, tolerance=1e-5)
