"""The distance of each point to the nearest one that is 0, in steps along x and y: down, up, right and left, in 32 bits."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import column, lane, strip, x, y

SIZES = {"mask": (2160, 3840)}
FAR = 1000000


def inputs(random, mask):
    return {"mask": (random.random(mask, np.float32) > 0.002).astype(np.uint8)}


def result(mask):
    return "distance", mask.shape, np.int32


def opencv(mask, result):
    # Its distances are floats.
    distances = np.empty(mask.shape, np.float32)
    return lambda: cv2.distanceTransform(mask, cv2.DIST_L1, 3, distances)


def beyond(source, width):
    return hl.BoundaryConditions.constant_exterior(source, FAR, [hl.Range(0, width), hl.Range()])


def doubled(name, source, sign):
    """The least of a point and the 15 beside it, each with its distance: of two, of four, of eight, of all."""
    stages = []
    for step in (1, 2, 4, 8):
        stage = hl.Func(f"{name}{step}")
        stage[x, y] = hl.min(source[x, y], source[x + sign * step, y] + step)
        stages.append(stage)
        source = stage
    return stages


def pipeline(manual):
    mask = image("mask", hl.UInt(8), 2)
    width, height = mask.width(), mask.height()
    columns, tall, out = map(hl.Func, ["columns", "tall", "distance"])
    up = hl.RDom([(1, height - 1)], "up")
    if manual:
        down = hl.RDom([(0, height)], "down")
        columns[x, y] = hl.undef(hl.Int(32))
        above = hl.select(down > 0, hl.likely(columns[x, hl.max(down - 1, 0)]), FAR)
        columns[x, down] = hl.select(mask[x, down] == 0, 0, above + 1)
    else:
        down = hl.RDom([(1, height - 1)], "down")
        columns[x, y] = hl.select(mask[x, y] == 0, 0, FAR + 1)
        columns[x, down] = hl.min(columns[x, down], columns[x, down - 1] + 1)
    columns[x, height - 1 - up] = hl.min(columns[x, height - 1 - up], columns[x, height - up] + 1)
    tall[x, y] = columns[x, y]
    guard = hl.TailStrategy.GuardWithIf
    if manual:
        # Blocks of columns, which the second cache holds.
        tall.compute_root().split(x, column, x, 64).reorder(x, y, column).vectorize(x, 16).parallel(column)
        columns.compute_at(tall, column)
        columns.update(0).reorder(x, down.x).vectorize(x, 16)
        columns.update(1).reorder(x, up.x).vectorize(x, 16)
    if manual == "b":
        # Along rows within vectors, then from vector to vector.
        near = beyond(tall, width)
        groups = (width + 15) // 16
        ahead, behind = hl.Func("ahead"), hl.Func("behind")
        right, left = hl.RDom([(0, 16), (1, groups - 1)], "right"), hl.RDom([(0, 16), (1, groups - 1)], "left")
        before = doubled("before", near, -1)
        ahead[x, y] = before[-1][x, y]
        place = right.x + 16 * right.y
        ahead[place, y] = hl.min(ahead[place, y], ahead[16 * right.y - 1, y] + (right.x + 1))
        after = doubled("after", beyond(ahead, width), 1)
        behind[x, y] = after[-1][x, y]
        place = left.x + 16 * (groups - 1 - left.y)
        behind[place, y] = hl.min(behind[place, y], behind[16 * (groups - left.y), y] + (16 - left.x))
        out[x, y] = behind[x, y]
        out.split(y, strip, y, 16, guard).vectorize(x, 16).parallel(strip)
        for stage, along in ((ahead, right), (behind, left)):
            stage.compute_at(out, y).vectorize(x, 16)
            # What is read is in another vector than what is written.
            stage.update().allow_race_conditions().vectorize(along.x)
        for stage in (near, before[1], after[1]):
            stage.compute_at(out, y).vectorize(stage.args()[0], 16)
        return [mask], out

    rows = hl.Func("rows")
    right, left = hl.RDom([(1, width - 1)], "right"), hl.RDom([(1, width - 1)], "left")
    rows[x, y] = tall[x, y]
    rows[right, y] = hl.min(rows[right, y], rows[right - 1, y] + 1)
    rows[width - 1 - left, y] = hl.min(rows[width - 1 - left, y], rows[width - left, y] + 1)
    out[x, y] = rows[x, y]
    if manual:
        # So many rows at once, of which each is a lane.
        lanes = {"a": 16, "c": 32}[manual]
        out.split(y, strip, y, lanes, guard).split(x, x, lane, 16, guard).reorder(lane, y, x, strip).vectorize(lane).unroll(y)
        out.parallel(strip)
        rows.compute_at(out, strip).reorder_storage(y, x).reorder(y, x).vectorize(y, lanes)
        rows.update(0).reorder(y, right.x).vectorize(y, lanes)
        rows.update(1).reorder(y, left.x).vectorize(y, lanes)
    return [mask], out
