"""Bytes smoothed by the recursive filter of domain transforms: three times along rows and down columns, there and back."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import block, c, lane, strip, x, y

SIZES = {"img": (864, 1152, 3)}
SMALL = {"img": (277, 391, 3)}
NUMBERS = {"sigma_s": 60.0, "sigma_r": 0.4}
# Where the last bits of floats decide how a number is rounded.
UNDECIDED = 1e-4
FILTERS = 3
# Points of a row or a column that are in one vector. Rows come in groups, columns in panels.
LANES = 16
group, panel = hl.Var("group"), hl.Var("panel")


def inputs(random, img):
    """Squares of one colour each, with noise."""
    height, width, _ = img
    colours = random.integers(16, 240, (height // 24 + 1, width // 24 + 1, 3))
    photo = colours.repeat(24, 0).repeat(24, 1)[:height, :width] + random.integers(-15, 16, img)
    return {"img": photo.astype(np.uint8)}


def result(img):
    return "smooth", img.shape, np.uint8


def opencv(img, result):
    return lambda: cv2.edgePreservingFilter(img, result, cv2.RECURS_FILTER, NUMBERS["sigma_s"], NUMBERS["sigma_r"])


def there_and_back(name, source, feedback, squares, extent, copied=False, apart=False):
    """Scans along the second dimension, there and back, and the variables that they run over. What is filtered is copied first or is not, and
    the way back is in place or a stage apart."""
    first, along, *others = source.args()
    there, back = hl.Func(f"{name}_there"), hl.Func(f"{name}_back")

    def at(f, place):
        return f[(first, place, *others)]

    def mixed(here, before, edge):
        a = feedback[(first, edge, *others[1:])]
        for _ in range(squares):
            a = a * a
        return (hl.f32(1) - a) * here + a * before

    if copied:
        i = hl.RDom([(1, extent - 1)], f"{name}_i")
        there[source.args()] = at(source, along)
        there[(first, i, *others)] = mixed(at(there, i), at(there, i - 1), i)
    else:
        i = hl.RDom([(0, extent)], f"{name}_i")
        there[source.args()] = hl.undef(hl.Float(32))
        here = at(source, i)
        there[(first, i, *others)] = hl.select(i > 0, hl.likely(mixed(here, at(there, hl.max(i - 1, 0)), i)), here)
    if apart:
        j = hl.RDom([(0, extent)], f"{name}_j")
        back[source.args()] = hl.undef(hl.Float(32))
        here, before = at(there, extent - 1 - j), hl.min(extent - j, extent - 1)
        back[(first, extent - 1 - j, *others)] = hl.select(j > 0, hl.likely(mixed(here, at(back, before), before)), here)
        return there, back, i.x, j.x
    j = hl.RDom([(1, extent - 1)], f"{name}_j")
    there[(first, extent - 1 - j, *others)] = mixed(at(there, extent - 1 - j), at(there, extent - j), extent - j)
    return there, there, i.x, j.x


def pipeline(manual):
    img, sigma_s, sigma_r = image("img", hl.UInt(8), 3), number("sigma_s"), number("sigma_r")
    width, height = img.dim(1).extent(), img.dim(2).extent()
    planes, of_x, of_y, out = map(hl.Func, ["planes", "of_x", "of_y", "smooth"])
    planes[x, y, c] = edged(img, None, width, height)[c, x, y]

    def feedback(dx, dy):
        r, g, b = (hl.i16(hl.absd(planes[x, y, k], planes[x - dx, y - dy, k])) for k in range(3))
        ratio, rate = sigma_s / (hl.f32(255) * sigma_r), hl.f32(-1.6201852) / sigma_s
        return hl.exp(rate * (hl.f32(1) + ratio * hl.f32(hl.i32(r + g + b))))

    of_x[x, y], of_y[x, y] = feedback(1, 0), feedback(0, 1)
    if manual in ("a", "b"):
        in_panels(manual, planes, of_x, of_y, out, width, height)
    else:
        in_rows(manual, planes, of_x, of_y, out, width, height)
    if manual:
        for buffer in (img, out.output_buffer()):
            buffer.dim(0).set_bounds(0, 3).set_stride(1)
            buffer.dim(1).set_min(0).set_stride(3)
        out.bound(c, 0, 3)
        planes.compute_root().bound(c, 0, 3).split(y, strip, y, 16).reorder(c, x, y, strip).vectorize(x, 32).unroll(c).parallel(strip)
    return [img, sigma_s, sigma_r], out


def in_panels(manual, planes, of_x, of_y, out, width, height):
    """Images between rows and columns are panels of 16 columns, so that what is read of columns lies together."""
    along, down, u = hl.Func("along"), hl.Func("down"), hl.Func("u")
    along[lane, x, group] = of_x[x, group * LANES + lane]
    down[lane, y, panel] = of_y[panel * LANES + lane, y]
    u[lane, y, c, panel] = hl.f32(planes[panel * LANES + lane, y, c])
    xo, xi, yo, yi = hl.Var("xo"), hl.Var("xi"), hl.RVar("yo"), hl.RVar("yi")
    along.compute_root().bound(lane, 0, LANES).split(x, xo, xi, LANES).reorder(lane, xi, xo, group)
    along.vectorize(lane).unroll(xi).parallel(group)
    of_x.compute_at(along, xo).vectorize(x, LANES).unroll(y)
    down.compute_root().bound(lane, 0, LANES).split(y, strip, y, 16).reorder(lane, y, panel, strip).vectorize(lane).parallel(strip)

    for n in range(FILTERS):
        last = n == FILTERS - 1
        turned, rows = hl.Func(f"turned{n}"), hl.Func(f"rows{n}")
        turned[lane, x, c, group] = u[x % LANES, group * LANES + lane, c, x // LANES]
        lines, _, right, left = there_and_back(f"lines{n}", turned, along, n, width)
        rows[lane, y, c, panel] = lines[y % LANES, panel * LANES + lane, c, y // LANES]
        there, back, below, above = there_and_back(f"columns{n}", rows, down, n, height, apart=manual == "a" and not last)
        # Rows of two groups at once, of which blocks of 16x16 are turned by shuffles, and turned again.
        loaded, stored = u.in_(turned), lines.in_(rows)
        for f, groups in ((lines, 2), (turned, 2), (stored, 1)):
            f.bound_extent(lane, LANES).bound_extent(group, groups)
        lines.update(0).split(right, yo, yi, LANES).reorder(lane, c, group, yi, yo).vectorize(lane, LANES).unroll(c).unroll(group)
        lines.update(1).reorder(lane, c, group, left).vectorize(lane, LANES).unroll(c).unroll(group)
        turned.compute_at(lines, yo).bound_extent(x, LANES).vectorize(lane).unroll(x)
        loaded.compute_at(turned, c).bound_extent(panel, 1).bound_extent(y, LANES).vectorize(lane, LANES).unroll(y)
        stored.bound_extent(x, LANES).vectorize(lane).unroll(x)
        rows.bound(lane, 0, LANES)
        if manual == "a":
            # Strips of rows, then panels.
            rows.compute_root().bound(c, 0, 3).split(y, strip, y, 2 * LANES, hl.TailStrategy.RoundUp).split(y, group, y, LANES)
            rows.reorder(lane, y, panel, group, c, strip).vectorize(lane).unroll(y).parallel(strip)
            lines.compute_at(rows, strip)
            stored.compute_at(rows, panel)
            there.bound_extent(lane, LANES).bound_extent(panel, 1)
            there.update(0).reorder(lane, c, below, panel).vectorize(lane, LANES).unroll(c)
            back.update(1 if last else 0).reorder(lane, c, above, panel).vectorize(lane, LANES).unroll(c)
            if last:
                there.compute_at(out, panel)
            else:
                back.compute_root().bound(lane, 0, LANES).bound(c, 0, 3).update(0).parallel(panel)
                there.compute_at(back, panel)
        if manual == "b":
            # Along rows and down from strip to strip, a colour each; then up in place.
            there.compute_root().bound(lane, 0, LANES).bound(c, 0, 3)
            there.update(0).split(below, yo, yi, 2 * LANES).reorder(lane, yi, panel, yo, c).vectorize(lane).parallel(c)
            there.update(1).reorder(lane, c, above, panel).vectorize(lane).unroll(c).parallel(panel)
            rows.compute_at(there, yo).bound_extent(y, 2 * LANES).split(y, group, y, LANES).reorder(lane, y, group, panel, c)
            rows.vectorize(lane).unroll(y)
            lines.compute_at(there, yo)
            stored.compute_at(rows, group)
        u = back

    out[c, x, y] = hl.u8(u[x % LANES, y, c, x // LANES] + hl.f32(0.5))
    out.split(x, panel, x, LANES, hl.TailStrategy.GuardWithIf).vectorize(x).unroll(c)
    if manual == "a":
        out.reorder(c, x, y, panel).parallel(panel)
    if manual == "b":
        out.split(y, strip, y, 16).reorder(c, x, panel, y, strip).parallel(strip)


def in_rows(manual, planes, of_x, of_y, out, width, height):
    """Images between rows and columns have rows."""
    u, down = hl.Func("u"), hl.Func("down")
    u[x, y, c] = hl.f32(planes[x, y, c])
    down[x, y] = of_y[x, y]
    for stage in (of_x, down) if manual else ():
        stage.compute_root().vectorize(x, 16).split(y, strip, y, 16).parallel(strip)
    for n in range(FILTERS):
        last = n == FILTERS - 1
        along, turned, rows = (hl.Func(f"{name}{n}") for name in ("along", "turned", "rows"))
        along[y, x] = of_x[x, y]
        turned[y, x, c] = u[x, y, c]
        lines, _, right, left = there_and_back(f"lines{n}", turned, along, n, width, copied=True)
        rows[x, y, c] = lines[y, x, c]
        apart = manual == "c" and not last
        there, back, below, above = there_and_back(f"columns{n}", rows, down, n, height, copied=not manual, apart=apart)
        if manual == "c":
            # Rows of strips of 16, each of which is a lane; then wide blocks of columns.
            rows.compute_root().bound(c, 0, 3).split(y, strip, y, LANES).split(x, x, lane, LANES).reorder(lane, y, x, c, strip)
            rows.vectorize(lane).unroll(y).parallel(strip)
            for f, loaded in ((along, of_x.in_(along)), (lines, u.in_(turned))):
                f.compute_at(rows, strip).bound_extent(y, LANES).split(x, block, x, LANES).vectorize(y).unroll(x)
                loaded.compute_at(f, block).vectorize(x, LANES).unroll(y)
            for i, r in enumerate((right, left)):
                lines.update(i).reorder(y, c, r).vectorize(y, LANES).unroll(c)
            lines.in_(rows).compute_at(rows, x).vectorize(y, LANES).unroll(x)
            there.update(0).reorder(x, below, c).vectorize(x, 16)
            if last:
                there.update(1).reorder(x, above, c).vectorize(x, 16)
                there.compute_at(out, block)
            else:
                back.compute_root().bound(c, 0, 3).update(0).split(x, block, x, 128).reorder(x, above, c, block).vectorize(x, 16)
                back.update(0).parallel(block)
                there.compute_at(back, c)
        u = back
    out[c, x, y] = hl.u8(u[x, y, c] + hl.f32(0.5))
    if manual == "c":
        out.split(x, block, x, 128).split(x, x, lane, 16).reorder(c, lane, x, y, block).vectorize(lane).unroll(c).parallel(block)
