"""3x3 convolutions of 8 planes of bytes to 16, with weights of 8 bits, bias, and a shift."""

import halide as hl
import numpy as np
from definition import image
from kinds import c, x, y

SIZES = {"img": (8, 512, 512), "weights": (16, 8, 3, 3), "bias": (16,)}
SMALL = {"img": (8, 67, 91), "weights": (16, 8, 3, 3), "bias": (16,)}
FROM, TO = 8, 16


def inputs(random, img, weights, bias):
    return {
        "img": random.integers(0, 256, img, np.uint8),
        "weights": random.integers(-128, 128, weights, np.int8),
        "bias": random.integers(-1000, 1000, bias, np.int32),
    }


def result(img, weights, bias):
    return "out", (weights.shape[0], *img.shape[1:]), np.uint8


def pipeline(manual):
    img, weights, bias = image("img", hl.UInt(8), 3), image("weights", hl.Int(8), 4), image("bias", hl.Int(32), 1)
    near = hl.BoundaryConditions.repeat_edge(img, [hl.Range(0, img.width()), hl.Range(0, img.height()), hl.Range()])
    wide, total, out = hl.Func("wide"), hl.Func("total"), hl.Func("out")
    r = hl.RDom([(0, 3), (0, 3), (0, FROM)], "r")
    # 16 bits, so that products are of 16 bits with sums of 32.
    wide[x, y, c] = hl.i16(near[x, y, c])
    total[x, y, c] = bias[c] + 128
    total[x, y, c] += hl.i32(wide[x + r.x - 1, y + r.y - 1, r.z]) * hl.i32(hl.i16(weights[r.x, r.y, r.z, c]))
    out[x, y, c] = hl.u8_sat(total[x, y, c] >> 8)

    xi, ci, yo = hl.Var("xi"), hl.Var("ci"), hl.Var("yo")

    def blocks(columns, channels, height):
        """So many sums in registers; a strip of the image in 16 bits, with its border."""
        out.split(y, yo, y, height).split(c, c, ci, channels).split(x, x, xi, columns)
        out.reorder(xi, ci, c, x, y, yo).vectorize(xi, 16).unroll(xi).unroll(ci).parallel(yo)
        total.compute_at(out, c).vectorize(x, 16).unroll(x).unroll(c)
        total.update().reorder(x, c, r.x, r.y, r.z).vectorize(x, 16).unroll(x).unroll(c).unroll(r.x)
        wide.compute_at(out, yo).vectorize(x, 32)

    if manual:
        for i, extent in enumerate((3, 3, FROM, TO)):
            weights.dim(i).set_bounds(0, extent)
        bias.dim(0).set_bounds(0, TO)
        img.dim(2).set_bounds(0, FROM)
        out.bound(c, 0, TO)
    if manual == "a":
        blocks(48, 8, 16)
    if manual == "b":
        blocks(64, 4, 32)
    if manual == "c":
        # Dot products of four channels: these lie together in what is made of a strip, and in the weights.
        packed, by_four, fours = hl.Func("packed"), hl.Func("by_four"), hl.Func("fours")
        k, q, i, j = map(hl.Var, "kqij")
        packed[k, x, y, q] = near[x, y, 4 * q + k]
        by_four[k, i, j, q, c] = weights[i, j, 4 * q + k, c]
        s = hl.RDom([(0, 4), (0, 3), (0, 3), (0, FROM // 4)], "s")
        fours[x, y, c] = bias[c] + 128
        pixel, weight = packed[s.x, x + s.y - 1, y + s.z - 1, s.w], by_four[s.x, s.y, s.z, s.w, c]
        fours[x, y, c] += hl.i32(pixel) * hl.i32(weight)
        out = hl.Func("out")
        out[x, y, c] = hl.u8_sat(fours[x, y, c] >> 8)
        out.bound(c, 0, TO).split(y, yo, y, 16).split(c, c, ci, 8).split(x, x, xi, 32)
        out.reorder(xi, ci, c, x, y, yo).vectorize(xi, 16).unroll(xi).unroll(ci).parallel(yo)
        by_four.compute_root().reorder(k, q, i, j, c)
        packed.compute_at(out, yo).bound(k, 0, 4).reorder(k, x, y, q).unroll(k).vectorize(x, 32)
        fours.compute_at(out, c).vectorize(x, 16).unroll(x).unroll(c)
        fours.update().reorder(s.x, x, c, s.y, s.z, s.w).atomic().vectorize(s.x).vectorize(x, 16).unroll(x).unroll(c).unroll(s.y)
    return [img, weights, bias], out
