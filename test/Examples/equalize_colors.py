"""Histogram equalization of colours: NumPy, ranks of pixels by sorting all of them, in f64."""

import numpy as np

from Inputs.harness import main


def program(img):
    red, green, blue = img.astype(np.float64)
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    level = np.floor(luma)
    new = np.clip(np.searchsorted(np.sort(level, axis=None), level, side="right") * (255 / luma.size), 0, 255)
    cr, cb = (red - luma) * 0.713, (blue - luma) * 0.564
    planes = np.stack([new + cr * 1.4, new - cb * 0.343 - cr * 0.711, new + cb * 1.765])
    return {"rgb": np.clip(planes, 0, 255).astype(np.uint8)}


def inputs(random, img=(3, 57, 75)):
    # No luma that is a whole number: which level that is the last bit of a float decides.
    img = random.normal(110, 40, img).clip(0, 255).astype(np.uint8)
    sum_of_all = 299 * img[0].astype(int) + 587 * img[1].astype(int) + 114 * img[2].astype(int)
    img[2] ^= (sum_of_all % 1000 == 0).astype(np.uint8)
    return {"img": img}


main(program, inputs, tolerance=1)
