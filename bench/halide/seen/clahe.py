"""Bytes, equalized by what is near: a clipped histogram for each of 8x8 tiles, and each point between four of their curves."""

import cv2
import halide as hl
import numpy as np
from definition import image, number
from kinds import x, y

SIZES = {"img": (2160, 3840)}
SMALL = {"img": (280, 392)}
TILES, LEVELS = 8, 256
# OpenCV's limit of 2.0, for tiles of 270x480 points.
NUMBERS = {"limit": 1012}
# Floats that are rounded to bytes.
UNDECIDED = 1e-3


def inputs(random, img):
    """Hills of light with some noise, as neighbours in photographs are alike."""
    rows, columns = (np.arange(extent, dtype=np.float32) / 150 for extent in img)
    hills = 110 + 50 * np.sin(rows)[:, None] + 30 * np.cos(columns * 0.7 + 1)[None, :]
    return {"img": np.clip(hills + 12 * random.standard_normal(img, np.float32), 0, 255).astype(np.uint8)}


def result(img):
    return "equal", img.shape, np.uint8


def opencv(img, result):
    clahe = cv2.createCLAHE(2.0, (TILES, TILES))
    return lambda: clahe.apply(img, result)


def place(coordinate, extent):
    """Between which two tiles a coordinate lies, the first one's number and 1, and where between them."""
    at = hl.f32(coordinate) / hl.f32(extent) - hl.f32(0.5)
    return hl.clamp(hl.i32(hl.floor(at)) + 1, 0, TILES), at - hl.floor(at)


def pipeline(manual):
    img, limit = image("img", hl.UInt(8), 2), number("limit", hl.Int(32))
    k, i, j, part = map(hl.Var, ["k", "i", "j", "part"])
    counts, above, cumulated, curve = map(hl.Func, ["counts", "above", "cumulated", "curve"])
    columns, rows, out = map(hl.Func, ["columns", "rows", "equal"])
    width, height = img.width() // TILES, img.height() // TILES
    r, levels, later = hl.RDom([(0, width), (0, height)], "r"), hl.RDom([(0, LEVELS)], "l"), hl.RDom([(1, LEVELS - 1)], "m")
    counts[k, i, j] = 0
    counts[hl.i32(img[i * width + r.x, j * height + r.y]), i, j] += 1
    above[i, j] = 0
    above[i, j] += hl.max(counts[levels.x, i, j] - limit, 0)
    cumulated[k, i, j] = hl.min(counts[k, i, j], limit) + above[i, j] // LEVELS
    cumulated[later.x, i, j] += cumulated[later.x - 1, i, j]
    curve[k, i, j] = hl.u8_sat(hl.round(hl.f32(255) * hl.f32(cumulated[k, i, j]) / hl.f32(cumulated[LEVELS - 1, i, j])))

    columns[x], rows[y] = place(x, width), place(y, height)
    cell, a = columns[x][0], columns[x][1]
    line, b = rows[y][0], rows[y][1]
    level = hl.i32(img[x, y])
    first, last = (lambda tile: hl.max(tile - 1, 0)), (lambda tile: hl.min(tile, TILES - 1))

    def mean(one, other, t):
        return one + (other - one) * t

    tables = []
    if manual == "c":
        # Curves between two tiles for each row: a point looks up two numbers.
        between = hl.Func("between")
        between[k, i, y] = mean(hl.f32(curve[k, i, first(line)]), hl.f32(curve[k, i, last(line)]), b)
        value = mean(between[level, first(cell), y], between[level, last(cell), y], a)
    elif manual == "a":
        # The four bytes of a level between four tiles are a word: a point looks up one.
        words = hl.Func("words")
        four = [hl.u32(curve[k, m, n]) for n in (first(j), last(j)) for m in (first(i), last(i))]
        words[k, i, j] = four[0] | (four[1] << hl.u32(8)) | (four[2] << hl.u32(16)) | (four[3] << hl.u32(24))
        word = words[level, cell, line]
        corners = [hl.f32(hl.i32((word >> hl.u32(8 * n)) & hl.u32(255))) for n in range(4)]
        value = mean(mean(*corners[:2], a), mean(*corners[2:], a), b)
        tables = [words]
    else:
        corners = [hl.f32(curve[level, m, n]) for n in (first(line), last(line)) for m in (first(cell), last(cell))]
        value = mean(mean(*corners[:2], a), mean(*corners[2:], a), b)
    out[x, y] = hl.u8_sat(hl.round(value))

    yo = hl.Var("yo")
    if manual:
        # Counters of every fourth column are private ones, so that alike neighbours do not wait for each other.
        outer, inner = hl.RVar("outer"), hl.RVar("inner")
        update = counts.update()
        update.split(r.x, outer, inner, 4)
        private = update.rfactor(inner, part)
        for stage in (counts, above, cumulated, curve, *tables):
            stage.compute_root().vectorize(stage.args()[0], 8 if stage is above else 16)
        for stage in (counts, curve, *tables):
            stage.parallel(j)
        counts.bound(k, 0, LEVELS).bound(i, 0, TILES).bound(j, 0, TILES)
        update.reorder(k, inner, i, j).vectorize(k, 16).parallel(j)
        private.compute_at(counts, i).vectorize(k, 16)
        private.update().reorder(part, outer, r.y, i, j).unroll(part)
        above.update().unscheduled()
        cumulated.update().parallel(j)
        for stage in (columns, rows):
            stage.compute_root().vectorize(stage.args()[0], 16)
        out.split(y, yo, y, 30).parallel(yo).vectorize(x, 32 if manual == "a" else 16)
    if manual == "c":
        between.compute_at(out, y).vectorize(k, 16).bound(i, 0, TILES)
    return [img, limit], out
