"""examples/max_filter.mlir in Halide: the maximum over a disc of radius 26, from maxima of 2, 4, ... 32 points of a column."""

import halide as hl
import numpy as np

from definition import edged, image

SIZES = {"img": (3, 1024, 1920)}
RADIUS = 26
VECTOR, WIDE, STRIP = 16, 128, 128


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "max", img.shape, np.float32


def reach(dx):
    """How far the disc reaches up and down at this distance from its middle."""
    return max(dy for dy in range(RADIUS + 1) if dx * dx + dy * dy < (RADIUS + 0.25) ** 2)


def pipeline(manual):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    img = image("img", hl.Float(32), 3)
    near = edged(img)

    # tall[s] at row y: the maximum of the 2^s rows from y on.
    tall = [near]
    for s in range(1, 6):
        f = hl.Func(f"tall{1 << s}")
        f[x, y, c] = hl.max(tall[-1][x, y, c], tall[-1][x, y + (1 << s - 1), c])
        tall.append(f)

    def column(dx):
        height = 2 * reach(dx) + 1
        s = height.bit_length() - 1
        return hl.max(tall[s][x + dx, y - reach(dx), c], tall[s][x + dx, y + reach(dx) + 1 - (1 << s), c])

    def columns(name, distances):
        f = hl.Func(name)
        first, *rest = map(column, distances)
        for value in rest:
            first = hl.max(first, value)
        f[x, y, c] = first
        return f

    left, middle, right = columns("left", range(-RADIUS, 0)), columns("middle", [0]), columns("right", range(1, RADIUS + 1))
    out = hl.Func("max")
    out[x, y, c] = hl.max(left[x, y, c], middle[x, y, c], right[x, y, c])

    if manual == "cpu":
        # A tile and the columns' maxima around it stay in the second cache.
        xi, strip = hl.Var("xi"), hl.Var("strip")
        out.split(y, strip, y, STRIP).split(x, x, xi, WIDE).reorder(xi, y, x, strip, c).fuse(strip, c, strip).parallel(strip)
        out.vectorize(xi, VECTOR)
        for f in tall[1:]:
            f.compute_at(out, x).vectorize(x, VECTOR)

    if manual == "gpu":
        # A kernel for each height of columns, and one for the disc, of which a thread has some rows.
        row, xi, yi = map(hl.Var, ["row", "xi", "yi"])
        for f in [*tall[1:], out]:
            f.compute_root().split(y, y, row, 2 if f is out else 4).reorder(row, x, y, c).unroll(row)
            f.gpu_tile(x, y, xi, yi, 32, 8).gpu_blocks(c)
    return [img], out
