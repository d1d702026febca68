"""Dark lines of two widths on floats: the greater eigenvalue of the second derivatives of two Gaussians."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import block, lane, sliding, strip, strips, tiles, x, y

SIZES = {"img": (1080, 1920)}
TOLERANCE = 1e-5
THIN = [0.3989435, 0.2419714, 0.0539911, 0.0044319, 0.0001338]
THICK = [0.1994746, 0.1760358, 0.1209875, 0.0647599, 0.0269960, 0.0087643, 0.0022160, 0.0004363, 0.0000669]


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "lines", img.shape, np.float32


def blurred(at, weights):
    total = at(0) * hl.f32(weights[0])
    for i, weight in enumerate(weights[1:], 1):
        total += (at(-i) + at(i)) * hl.f32(weight)
    return total


def pipeline(manual):
    img = image("img", hl.Float(32), 2)
    near, out = edged(img), hl.Func("lines")
    width, height = img.width(), img.height()
    down, both, greater = hl.Func("down"), hl.Func("both"), []
    down[x, y] = tuple(blurred(lambda d: near[x, y + d], weights) for weights in (THIN, THICK))
    both[x, y] = tuple(blurred(lambda d, which=which: down[x + d, y][which], weights) for which, weights in enumerate((THIN, THICK)))
    blur = edged(both, width, height)
    for which in range(2):
        at = {(i, j): blur[x + i, y + j][which] for i in (-1, 0, 1) for j in (-1, 0, 1)}
        twice = at[0, 0] * hl.f32(2)
        xx, yy = at[-1, 0] - twice + at[1, 0], at[0, -1] - twice + at[0, 1]
        xy = hl.f32(0.25) * (at[-1, -1] + at[1, 1] - at[1, -1] - at[-1, 1])
        d = hl.f32(0.5) * (xx - yy)
        greater.append(hl.f32(0.5) * (xx + yy) + hl.sqrt(d * d + xy * xy))
    out[x, y] = hl.max(greater[0], hl.f32(4) * greater[1], hl.f32(0))

    four = hl.Var("four")

    def four_rows(stage):
        """Four rows of a stage at a time, each vector of them together: what they load serves all."""
        stage.split(y, y, four, 4).split(x, x, lane, 16).reorder(lane, four, x, y).vectorize(lane).unroll(four)

    if manual == "a":
        # Both Gaussians slide down a strip; sums along y are of a row.
        sliding(out, [both], 16, height=60, rows=2)
        down.compute_at(both, y).vectorize(x, 16)
        near.store_at(out, strip).compute_at(out, block).vectorize(near.args()[0], 16)
    if manual == "b":
        # The image with its border, a tile at a time, and Gaussians of the tile.
        tiles(out, [near, both], 16, width=256, height=60)
        four_rows(down.compute_at(out, block))
    if manual == "c":
        # The image with its border, then Gaussians, of a strip of rows, four at a time.
        strips(out, 16, height=30, rows=2)
        near.compute_at(out, strip).vectorize(near.args()[0], 16)
        four_rows(both.compute_at(out, strip))
        four_rows(down.compute_at(both, y))
    return [img], out
