"""What JPEG keeps of bytes: cosine transforms of 8x8 points along x and y, divided by a table of steps, as numbers of 16 bits."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import block, row, strip, x, y

SIZES = {"img": (2160, 3840)}
SMALL = {"img": (277, 389)}
# A value near a half is rounded either way.
TOLERANCE = 1
SIDE = 8
STEPS = """16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62
18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 98 112 100 103 99"""


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "coded", img.shape, np.int16


def cosines():
    """Rows of weights, one for each frequency."""
    frequency, place = np.mgrid[:SIDE, :SIDE]
    weights = np.cos((2 * place + 1) * frequency * np.pi / (2 * SIDE)) / 2
    weights[0] /= np.sqrt(2)
    return weights


def constants(name, table):
    return hl.Buffer(np.ascontiguousarray(table, np.float32), name)


def total(values):
    return sum(values[1:], values[0])


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    weights, steps = cosines(), np.array(STEPS.split(), np.float32).reshape(SIDE, SIDE)
    # The weights of a place are one vector, of all frequencies.
    turned, shares = constants("turned", weights.T), constants("shares", 1 / steps)
    first, second, out = hl.Func("first"), hl.Func("second"), hl.Func("coded")
    u, v, i, j = map(hl.Var, "uvij")

    def centred(at_x, at_y):
        return hl.f32(hl.i16(near[at_x, at_y]) - hl.i16(128))

    def frequency(k, at):
        """All eight products, or, as weights are symmetric, four of sums or differences."""
        if manual == "c":
            return total([at(p) * hl.f32(float(weights[k][p])) for p in range(8)])
        sides = [at(p) + at(7 - p) if k % 2 == 0 else at(p) - at(7 - p) for p in range(4)]
        return total([side * hl.f32(float(weights[k][p])) for p, side in enumerate(sides)])

    if manual:
        # Down y first, by frequency: all of one frequency are vectors along x. Then blocks along x, a vector of frequencies each.
        first[x, v, j] = hl.mux(v, [frequency(k, lambda p: centred(x, SIDE * j + p)) for k in range(SIDE)])
        second[u, i, v, j] = total([turned[u, p] * first[SIDE * i + p, v, j] for p in range(SIDE)])
        value = hl.round(second[x % SIDE, x // SIDE, y % SIDE, y // SIDE] * shares[x % SIDE, y % SIDE])
        out[x, y] = hl.i16(hl.i32(value))
    else:
        place = hl.RDom([(0, SIDE)], "place")
        first[x, y] = hl.sum(turned[x % SIDE, place] * centred(x // SIDE * SIDE + place, y))
        second[x, y] = hl.sum(turned[y % SIDE, place] * first[x, y // SIDE * SIDE + place])
        out[x, y] = hl.i16_sat(hl.round(second[x, y] * shares[x % SIDE, y % SIDE]))

    xi, xo = hl.Var("xi"), hl.Var("xo")
    guard = hl.TailStrategy.GuardWithIf
    if manual:
        # A few blocks at a time, from eight rows of the image with their border.
        for d in (0, 1):
            out.output_buffer().dim(d).set_min(0)
        out.split(y, strip, y, 32, guard).split(y, block, row, SIDE, guard).split(x, xo, x, 32, guard).split(x, x, xi, SIDE, guard)
        out.reorder(xi, x, row, xo, block, strip).vectorize(xi).unroll(x).unroll(row).parallel(strip)
        near.compute_at(out, block).vectorize(near.args()[0], 64)
        first.compute_at(out, xo).reorder(v, x, j).unroll(v).vectorize(x, 16).unroll(x)
    if manual == "b":
        second.compute_at(out, xo).reorder(u, i, v, j).vectorize(u).unroll(i).unroll(v)
    return [img], out
