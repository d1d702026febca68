"""One level of JPEG 2000's reversible wavelets, of bytes, as four bands of 16 bits."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import sliding, strip, strips, x, y

SIZES = {"img": (2160, 3840)}
SMALL = {"img": (278, 390)}


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    half = img.shape[0] // 2, img.shape[1] // 2
    return [(band, half, np.int16) for band in ("ll", "hl", "lh", "hh")]


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    width, last = img.width() // 2, img.height() - 2
    even, high, rows, down, out = map(hl.Func, ["even", "high", "rows", "down", "bands"])
    # No row outside is read, as far as strips slide.
    inside = hl.clamp(y, 0, img.height() - 1)
    even[x, y] = hl.i16(img[2 * x, inside]) - hl.i16(128)
    # What is reflected at the right is the last even column, and at the left the first high value: both are edges that are repeated.
    next_even = edged(even, width, None)
    high[x, y] = hl.i16(img[2 * x + 1, inside]) - hl.i16(128) - ((even[x, y] + next_even[x + 1, y]) >> hl.i16(1))
    before = edged(high, width, None)
    rows[x, y] = (even[x, y] + ((before[x - 1, y] + high[x, y] + hl.i16(2)) >> hl.i16(2)), high[x, y])
    above, here, below = (rows[x, place] for place in (2 * y, 2 * y + 1, hl.min(2 * y + 2, last)))
    down[x, y] = tuple(here[k] - ((above[k] + below[k]) >> hl.i16(1)) for k in range(2))
    low = [rows[x, 2 * y][k] + ((down[x, hl.max(y - 1, 0)][k] + down[x, y][k] + hl.i16(2)) >> hl.i16(2)) for k in range(2)]
    out[x, y] = (*low, down[x, y][0], down[x, y][1])

    if manual == "a":
        # Rows, and what is high along y, slide down a strip.
        sliding(out, [high, rows, down], 32, height=36, rows=4)
    if manual == "b":
        # Rows slide; what is high along y is computed where it is needed.
        sliding(out, [even, high, rows], 32, height=36, rows=4)
    if manual == "c":
        # Rows of a strip, then its columns: no more than that stays in the second cache.
        strips(out, 32, height=20, rows=4)
        rows.compute_at(out, strip).vectorize(x, 32)
        high.compute_at(rows, y).vectorize(x, 32)
        even.compute_at(rows, y).vectorize(x, 32)
    return [img], out
