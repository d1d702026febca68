"""Six rounds of Zhang and Suen on bytes that are 0 or 1: strokes become thin lines."""

import halide as hl
import numpy as np
from definition import image
from kinds import sliding, strip, strips, x, y

SIZES = {"ink": (1080, 1920)}
ROUNDS = 6
# North first, then clockwise.
AROUND = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


def inputs(random, ink):
    """Waves of strokes that are up to 12 points wide, with holes and specks."""
    rows, columns = np.arange(ink[0])[:, None], np.arange(ink[1])[None, :]
    strokes = np.sin(columns / 9 + 3 * np.sin(rows / 31)) + np.sin(rows / 13 + 2 * np.sin(columns / 57)) > 0.5
    return {"ink": (strokes ^ (random.random(ink) < 0.005)).astype(np.uint8)}


def result(ink):
    return "lines", ink.shape, np.uint8


def total(values):
    while len(values) > 1:
        values = [one + other for one, other in zip(values[::2], values[1::2], strict=True)]
    return values[0]


def step(name, before, is_first):
    around = [before[x + i, y + j] for i, j in AROUND]
    north, east, south, west = around[::2]
    many = total(around)
    # As many black points as do not follow another one begin a piece.
    pieces = many - total([around[n] & around[(n + 1) % 8] for n in range(8)])
    corner = east & south & (north | west) if is_first else north & west & (east | south)
    # Not 0 where a point stays.
    stays = (pieces ^ hl.u8(1)) | corner | hl.saturating_sub(many, hl.u8(6)) | hl.saturating_sub(hl.u8(2), many)
    after = hl.Func(name)
    after[x, y] = hl.min(before[x, y], stays)
    return after


def pipeline(manual):
    ink = image("ink", hl.UInt(8), 2)
    # Points beyond the edge are 0 and stay so: only the image itself has an edge.
    near = hl.BoundaryConditions.constant_exterior(ink, 0)
    steps = [near]
    for n in range(2 * ROUNDS):
        steps.append(step("lines" if n + 1 == 2 * ROUNDS else f"step{n}", steps[-1], n % 2 == 0))
    out = steps[-1]

    if manual == "a":
        # Step after step.
        for stage in steps[1:]:
            strips(stage if stage is out else stage.compute_root(), 64, height=54, rows=3)
        near.compute_at(steps[1], strip).vectorize(near.args()[0], 64)
    yi = hl.Var("yi")
    # All steps slide down a strip in "b", six at a time in "c".
    many, height = {"b": (12, 270), "c": (6, 108)}.get(manual, (13, 0))
    for n in range(many, len(steps), many):
        stages = steps[n - many + 1 : n]
        sliding(steps[n] if steps[n] is out else steps[n].compute_root(), [near] * (n == many) + stages, 64, height=height, rows=2)
        for stage in stages:
            stage.split(y, y, yi, 2, hl.TailStrategy.RoundUp).reorder(yi, x, y).unroll(yi)
    return [ink], out
