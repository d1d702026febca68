"""Histogram equalization: NumPy, ranks of levels by sorting all points."""

import numpy as np

from Inputs.harness import main


def program(img):
    order = np.sort(img, axis=None)
    levels = np.arange(256)
    # How many points are no brighter than a level, and how many of these are brighter than the darkest one.
    rank = np.searchsorted(order, levels, side="right") - np.count_nonzero(img == order[0])
    others = np.count_nonzero(img != order[0])
    exact = 255 * rank.astype(np.float64) / max(others, 1)
    table = np.floor(exact + 0.5).clip(0).astype(np.uint8)
    return {"equalized": table[img]}


def inputs(random, img=(57, 75)):
    # A few levels only, none at the ends.
    return {"img": (random.normal(90, 15, img).clip(40, 140)).astype(np.uint8)}


main(program, inputs)
