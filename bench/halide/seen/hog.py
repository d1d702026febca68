"""Histograms of the directions of gradients of bytes, of cells of 8x8 points."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import x, y

SIZES = {"img": (1080, 1920)}
COSINES = [64, 60, 49, 32, 11, -11, -32, -49, -60]
SINES = [0, 22, 41, 55, 63, 63, 55, 41, 22]


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    return "cells", (img.shape[0] // 8, img.shape[1] // 8, 9), np.int32


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    gradients, columns, out = map(hl.Func, ["gradients", "columns", "cells"])
    o = hl.Var("o")
    gx = hl.i16(near[x + 1, y]) - hl.i16(near[x - 1, y])
    gy = hl.i16(near[x, y + 1]) - hl.i16(near[x, y - 1])
    direction, length = hl.u8(0), hl.u16(hl.abs(gx * hl.i16(64)))
    for place in range(1, 9):
        along = hl.u16(hl.abs(gx * hl.i16(COSINES[place]) + gy * hl.i16(SINES[place])))
        direction = hl.select(along > length, hl.u8(place), direction)
        length = hl.max(along, length)
    gradients[x, y] = (direction, length)
    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual == "b":
        # A sum for each direction of each column of a cell; x is that of the image.
        down = hl.RDom([(0, 8)])
        at = gradients[x, 8 * y + down]
        columns[x, o, y] = hl.u32(0)
        columns[x, o, y] += hl.u32(hl.select(at[0] == hl.u8(o), at[1], hl.u16(0)))
        out[o, x, y] = hl.i32(sum((columns[8 * x + i, o, y] for i in range(1, 8)), columns[8 * x, o, y]))
    else:
        # Each point is added where it belongs.
        cell = hl.RDom([(0, 8), (0, 8)])
        at = gradients[8 * x + cell.x, 8 * y + cell.y]
        out[o, x, y] = 0
        out[hl.clamp(hl.i32(at[0]), 0, 8), x, y] += hl.i32(at[1])

    if manual:
        out.bound(o, 0, 9)
        out.output_buffer().dim(0).set_bounds(0, 9).set_stride(1)
        out.output_buffer().dim(1).set_stride(9)
    if manual == "a":
        # Gradients of eight rows, then their histograms.
        out.vectorize(o).parallel(y)
        out.update().reorder(cell.x, cell.y, x, y).unroll(cell.x).parallel(y)
        gradients.compute_at(out, y).vectorize(x, 32)
        out.compute_root()
    if manual == "b":
        out.split(x, x, xi, 8).reorder(xi, o, x, y).vectorize(xi).unroll(o).parallel(y)
        gradients.compute_at(out, x).vectorize(x, 32)
        columns.compute_at(out, x).vectorize(x, 32).unroll(o)
        columns.update().reorder(x, o, down, y).vectorize(x, 32).unroll(o)
    if manual == "c":
        # Gradients of the image first, in strips, each of whose rows reads the border of its own.
        gradients.compute_root().split(y, y, yi, 24).vectorize(x, 32).parallel(y)
        out.vectorize(o).parallel(y)
        out.update().reorder(cell.x, cell.y, x, y).unroll(cell.x).parallel(y)
    return [img], out
