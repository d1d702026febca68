"""An image of floats moved back along a flow, by cubic curves through 4x4 points."""

import halide as hl
import numpy as np
from definition import image
from kinds import strips, x, y

SIZES = {"img": (864, 1152), "flow": (864, 1152, 2)}
SMALL = {"img": (277, 391), "flow": (277, 391, 2)}
# A place among a thousand points has 14 bits behind the point.
TOLERANCE = 3e-4


def inputs(random, img, flow):
    rows, columns = np.mgrid[: img[0], : img[1]].astype(np.float32)
    smooth = np.stack([9 * np.sin(rows / 70 + columns / 50), 7 * np.cos(rows / 40 - columns / 90)], -1)
    return {"img": random.random(img, np.float32), "flow": smooth + 0.25 * random.random(flow, np.float32)}


def result(img, flow):
    return "moved", img.shape, np.float32


def near_to(t):
    return (hl.f32(1.25) * t - hl.f32(2.25)) * t * t + hl.f32(1)


def far_from(t):
    return ((hl.f32(-0.75) * t + hl.f32(3.75)) * t - hl.f32(6)) * t + hl.f32(3)


def weights(t):
    return far_from(t + hl.f32(1)), near_to(t), near_to(hl.f32(1) - t), far_from(hl.f32(2) - t)


def weighted(factors, values):
    a, b, c, d = (factor * value for factor, value in zip(factors, values, strict=True))
    return a + b + c + d


def pipeline(manual):
    img, flow = image("img", hl.Float(32), 2), image("flow", hl.Float(32), 3)
    padded, place, factors, sums, out = map(hl.Func, ["padded", "place", "factors", "sums", "moved"])
    u = hl.Var("u")
    sx, sy = hl.f32(x) + flow[0, x, y], hl.f32(y) + flow[1, x, y]
    fx, fy = hl.floor(sx), hl.floor(sy)
    along, down = weights(sx - fx), weights(sy - fy)
    i, j = hl.i32(fx), hl.i32(fy)
    width, height = img.width(), img.height()
    # A copy with a border, so that a place is brought inside once.
    padded[x, y] = img[hl.clamp(x, 0, width - 1), hl.clamp(y, 0, height - 1)]
    place[x, y] = (hl.clamp(i, -3, width + 1), hl.clamp(j, -3, height + 1))
    factors[u, x, y] = hl.mux(u, [*down])
    left, top = place[x, y][0], place[x, y][1]
    if manual == "c":
        # Four neighbours are one vector, of which one row after another is added up.
        sums[u, x, y] = weighted([factors[k, x, y] for k in range(4)], [padded[left + u - 1, top + v] for v in range(-1, 3)])
        out[x, y] = weighted(along, [sums[k, x, y] for k in range(4)])
    elif manual == "b":
        out[x, y] = weighted(down, [weighted(along, [padded[left + u, top + v] for u in range(-1, 3)]) for v in range(-1, 3)])
    else:
        columns = [hl.clamp(i + u, 0, width - 1) for u in range(-1, 3)]
        rows = [hl.clamp(j + v, 0, height - 1) for v in range(-1, 3)]
        out[x, y] = weighted(down, [weighted(along, [img[column, row] for column in columns]) for row in rows])

    xo, yo = hl.Var("xo"), hl.Var("yo")
    if manual:
        flow.dim(0).set_bounds(0, 2).set_stride(1)
        flow.dim(1).set_stride(2)
    if manual in ("b", "c"):
        padded.compute_root().vectorize(x, 16).parallel(y, 32)
    if manual == "a":
        strips(out, 16, height=16)
    if manual == "b":
        # Tiles, so that what is read lies together.
        out.tile(x, y, xo, yo, x, y, 64, 16).vectorize(x, 8).parallel(yo)
    if manual == "c":
        strips(out, 32, height=16)
        place.compute_at(out, x).vectorize(x, 32)
        factors.compute_at(out, x).bound(u, 0, 4).reorder_storage(x, u, y).unroll(u).vectorize(x, 32)
        sums.compute_at(out, x).bound(u, 0, 4).vectorize(u).unroll(x)
    return [img, flow], out
