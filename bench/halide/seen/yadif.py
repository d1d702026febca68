"""A frame of interlaced video as a whole one, by the three frames around it."""

import halide as hl
import numpy as np
from definition import image
from kinds import reflected, x, y

SIZES = {"before": (2160, 3840), "now": (2160, 3840), "after": (2160, 3840)}
SMALL = {"before": (278, 391), "now": (278, 391), "after": (278, 391)}
DIRECTIONS = [0, -1, -2, 1, 2]


def inputs(random, **sizes):
    # A scene that moves little, so that limits matter.
    scene = random.integers(0, 256, sizes["now"])
    return {name: np.clip(scene + random.integers(-20, 21, size), 0, 255).astype(np.uint8) for name, size in sizes.items()}


def result(before, now, after):
    return "whole", now.shape, np.uint8


def pipeline(manual):
    before, now, after = images = [image(name, hl.UInt(8), 2) for name in ("before", "now", "after")]
    width, height = now.width(), now.height()
    rows, apart, between, out = hl.Func("rows"), hl.Func("apart"), hl.Func("between"), hl.Func("whole")
    # Rows of the first field, which are the even ones.
    near = reflected(now, width, height)
    rows[x, y] = near[x, 2 * y]

    # Row y of these is row 2y + 1 of the frame.
    def differ(d, i):
        """How far the points of a direction are apart."""
        return hl.absd(rows[x + i + d, y], rows[x + i - d, y + 1])

    if manual == "b":
        each = [[differ(d, i) for i in (-1, 0, 1)] for d in DIRECTIONS]
    else:
        apart[x, y] = tuple(differ(d, 0) for d in DIRECTIONS)
        each = [[apart[x + i, y][k] for i in (-1, 0, 1)] for k in range(5)]
    score, left, far_left, right, far_right = (hl.u16(a) + hl.u16(b) + hl.u16(c) for a, b, c in each)
    # Straight down wins unless another direction is better by two.
    score = hl.saturating_sub(score, hl.u16(1))
    is_left = left < score
    is_far_left = is_left & (far_left < left)
    best = hl.select(is_far_left, far_left, is_left, left, score)
    is_right = right < best
    is_far_right = is_right & (far_right < right)
    ends = [[rows[x + d, y] for d in DIRECTIONS], [rows[x - d, y + 1] for d in DIRECTIONS]]
    first, second = (hl.select(is_far_right, e[4], is_right, e[3], is_far_left, e[2], is_left, e[1], e[0])[0] for e in ends)
    spatial = hl.halving_add(first, second)

    def at(frame, j):
        """A row that is j below, reflected at the edge."""
        row = 2 * y + 1 + j
        return frame[x, hl.clamp(hl.select(row < 0, -row, row >= height, 2 * height - 2 - row, row), 0, height - 1)]

    # Differences in which only what is positive counts are bytes, too.
    above, below, middle = at(now, -1), at(now, 1), hl.halving_add(at(before, 0), at(now, 0))
    moved = [hl.halving_add(hl.absd(at(frame, -1), above), hl.absd(at(frame, 1), below)) for frame in (before, after)]
    upper, lower = (hl.halving_add(at(before, j), at(now, j)) for j in (-2, 2))
    more, less = hl.saturating_sub, lambda a, b: hl.saturating_sub(b, a)
    limits = [hl.min(over(middle, below), over(middle, above), hl.max(over(upper, above), over(lower, below))) for over in (more, less)]
    limit = hl.max(hl.absd(at(before, 0), at(now, 0)) >> hl.u8(1), *moved, *limits)
    between[x, y] = hl.clamp(spatial, hl.saturating_sub(middle, limit), hl.saturating_add(middle, limit))
    out[x, y] = hl.select(y % 2 == 0, now[x, y], between[x, y // 2])

    strip, parity, lane, block = map(hl.Var, ["strip", "parity", "lane", "block"])
    if manual:
        # Two rows at a time, the first of which is copied.
        out.output_buffer().dim(1).set_min(0)
        out.split(y, y, parity, 2, hl.TailStrategy.RoundUp).split(y, strip, y, 12 if manual == "c" else 36).parallel(strip)
    if manual == "a":
        # Rows with their border slide down a strip; differences are of a part of a row.
        out.split(x, block, x, 384).split(x, x, lane, 64).reorder(lane, parity, x, block, y, strip).vectorize(lane).unroll(parity)
        rows.store_at(out, strip).compute_at(out, y).vectorize(x, 64)
        apart.compute_at(out, block).vectorize(x, 64)
        between.compute_at(out, x).vectorize(x, 64)
    if manual == "b":
        # All in registers but rows with their border, which slide.
        out.split(x, x, lane, 64).reorder(lane, parity, x, y, strip).vectorize(lane).unroll(parity)
        rows.store_at(out, strip).compute_at(out, y).vectorize(x, 64)
        between.compute_at(out, x).vectorize(x, 64)
    if manual == "c":
        # Rows of a strip with their border, then tiles of differences.
        out.split(x, block, x, 384).split(x, x, lane, 64).reorder(lane, parity, x, y, block, strip).vectorize(lane).unroll(parity)
        rows.compute_at(out, strip).vectorize(x, 64)
        apart.compute_at(out, block).vectorize(x, 64)
        between.compute_at(out, x).vectorize(x, 64)
    return images, out
