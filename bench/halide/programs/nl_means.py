"""examples/nl_means.mlir in Halide: non-local means, 7x7 patches, 7x7 offsets."""

import halide as hl
import numpy as np

from definition import edged, image, number

SIZES = {"img": (3, 2560, 1536)}
NUMBERS = {"sigma": 0.12}
TOLERANCE = 1e-5
SIDE = 7
VECTOR, WIDE, STRIP = 16, 128, 32


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "means", img.shape, np.float32


def pipeline(manual):
    x, y, c, dx, dy = map(hl.Var, ["x", "y", "c", "dx", "dy"])
    img, sigma = image("img", hl.Float(32), 3), number("sigma")
    near = edged(img, img.width(), img.height(), None)
    half = SIDE // 2
    colors, patch = hl.RDom([(0, 3)], "colors"), hl.RDom([(-half, SIDE)], "patch")
    offsets = hl.RDom([(-half, SIDE), (-half, SIDE)], "offsets")

    distance, columns, rows, weight = map(hl.Func, ["distance", "columns", "rows", "weight"])
    squares = [near[x, y, i] - near[x + dx, y + dy, i] for i in range(3)]
    distance[x, y, dx, dy] = squares[0] * squares[0] + squares[1] * squares[1] + squares[2] * squares[2]
    window = lambda at: sum([at(d) for d in range(-half + 1, half + 1)], at(-half))
    columns[x, y, dx, dy] = window(lambda d: distance[x, y + d, dx, dy])
    rows[x, y, dx, dy] = window(lambda d: columns[x + d, y, dx, dy])
    weight[x, y, dx, dy] = hl.exp(rows[x, y, dx, dy] * (-1.0 / (sigma * sigma * float(SIDE * SIDE))))

    # k = 3: the sum of the weights.
    k = hl.Var("k")
    weighted, out = hl.Func("weighted"), hl.Func("means")
    own = weight[x, y, offsets.x, offsets.y]
    weighted[x, y, k] = hl.f32(0)
    weighted[x, y, k] += own * hl.select(k == 3, 1.0, near[x + offsets.x, y + offsets.y, hl.min(k, 2)])
    out[x, y, c] = hl.clamp(weighted[x, y, c] / weighted[x, y, 3], 0.0, 1.0)

    if manual == "cpu":
        # For each offset the weights of a tile, while its sums are in the first cache.
        xi, yi = hl.Var("xi"), hl.Var("yi")
        out.bound(c, 0, 3).tile(x, y, xi, yi, WIDE, STRIP).reorder(xi, yi, c, x, y).vectorize(xi, VECTOR).parallel(y)
        weighted.compute_at(out, x).vectorize(x, VECTOR)
        weighted.update().reorder(k, x, y, offsets.x, offsets.y).vectorize(x, VECTOR).unroll(k)
        # The part of the image around a tile, with its border, so that no loop below has to look for the edge.
        near.compute_at(out, x).vectorize(near.args()[0], VECTOR)
        distance.store_at(weighted, offsets.x).compute_at(weighted, y).vectorize(x, VECTOR)
        columns.compute_at(weighted, y).vectorize(x, VECTOR)
        weight.compute_at(weighted, x).vectorize(x, VECTOR)

    if manual == "gpu":
        # For each offset a block has the distances of its tile in shared memory, then their sums down columns; a thread adds up a point.
        xi, yi = hl.Var("xi"), hl.Var("yi")
        out.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, xi, yi, 32, 8)
        weighted.compute_at(out, x).bound(k, 0, 4).reorder(k, x, y).unroll(k).gpu_threads(x, y)
        weighted.update().reorder(k, x, y, offsets.x, offsets.y).unroll(k).gpu_threads(x, y)
        for f in (distance, columns):
            f.compute_at(weighted, offsets.x).gpu_threads(x, y)
    return [img, sigma], out
