"""How often a level of bytes stands beside another in four directions, of 32 levels, symmetric and as parts of all."""

import halide as hl
import numpy as np
from definition import image
from kinds import x, y

SIZES = {"img": (2160, 3840)}
TOLERANCE = 1e-6
LEVELS = 32
DIRECTIONS = [(1, 0), (1, 1), (0, 1), (-1, 1)]


def inputs(random, img):
    """Hills of light with some noise, as neighbours in photographs are alike."""
    rows, columns = (np.arange(extent, dtype=np.float32) / 150 for extent in img)
    hills = 110 + 50 * np.sin(rows)[:, None] + 30 * np.cos(columns * 0.7 + 1)[None, :]
    return {"img": np.clip(hills + 12 * random.standard_normal(img, np.float32), 0, 255).astype(np.uint8)}


def result(img):
    return "glcm", (4, LEVELS, LEVELS), np.float32


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    i, j, d, u, w = map(hl.Var, ["i", "j", "d", "u", "w"])
    levels, counts, out = map(hl.Func, ["levels", "counts", "glcm"])
    width, height = img.width(), img.height()
    r = hl.RDom([(0, width - 2), (0, height - 1)], "r")
    levels[x, y] = img[x, y] >> hl.u8(3)

    def level(dx, dy):
        return hl.unsafe_promise_clamped(hl.i32(levels[r.x + 1 + dx, r.y + dy]), 0, LEVELS - 1)

    counts[j, i, d] = 0
    counts[hl.mux(d, [level(*direction) for direction in DIRECTIONS]), level(0, 0), d] += 1
    out[j, i, d] = hl.f32(counts[j, i, d] + counts[i, j, d]) / hl.f32(2 * (width - 2) * (height - 1))

    if manual:
        out.bound(j, 0, LEVELS).bound(i, 0, LEVELS).bound(d, 0, 4).vectorize(j, 16)
        counts.compute_root().bound(d, 0, 4).vectorize(j, 16)
        # Strips count apart, all directions at once, and neighbours, so that alike ones do not wait for each other.
        strip, row, lane = hl.RVar("strip"), hl.RVar("row"), hl.RVar("lane")
        update = counts.update().split(r.y, strip, row, 108)
        if manual == "b":
            partial, lanes = update.rfactor(strip, u), []
        else:
            update.split(r.x, r.x, lane, 4 if manual == "c" else 2)
            partial, lanes = update.rfactor([(strip, u), (lane, w)]), [w]
        partial.compute_root().vectorize(j, 16).parallel(u)
        partial.update().reorder(d, *lanes, r.x, row, u).unroll(d).parallel(u)
        for v in lanes:
            partial.update().unroll(v)
        counts.update().vectorize(j, 16)
    if manual == "a":
        # Two neighbours; levels are those of two rows. Matrices are no multiple of 4096 bytes apart.
        partial.align_storage(j, 40)
        levels.store_at(partial, u).compute_at(partial, row).vectorize(x, 64)
    if manual == "b":
        # One at a time, right from the image.
        partial.align_storage(j, 40)
    if manual == "c":
        # Four neighbours, of which the counts for all directions lie side by side.
        partial.reorder_storage(d, w, j, i, u)
        levels.store_at(partial, u).compute_at(partial, row).vectorize(x, 64)
    return [img], out
