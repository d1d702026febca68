"""Kinds of schedules by hand, for images whose rows are x and whose columns are y; `c`, where there is one, is for planes.

A strip is some rows, and strips are computed in parallel. Stages in front of the result slide down a strip, so that each row is computed
once; or stay in registers, a vector wide and some rows high; or are computed anew for each tile.
"""

import halide as hl

x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
strip, block, row, lane, column = map(hl.Var, ["strip", "block", "row", "lane", "column"])


def strips(out, vector, height=32, rows=1, columns=1):
    """Blocks of so many rows and vectors, unrolled, in strips."""
    planes = [v for v in out.args() if v.name() == "c"]
    out.split(y, strip, y, height).split(y, block, row, rows)
    out.split(x, x, lane, vector * columns).split(lane, column, lane, vector)
    out.reorder(lane, column, row, x, block, strip, *planes).vectorize(lane).unroll(column).unroll(row)
    if planes:
        out.fuse(strip, c, strip)
    return out.parallel(strip)


def sliding(out, stages, vector, height=32, rows=1, columns=1):
    """Rows of the stages are kept down a strip."""
    strips(out, vector, height, rows, columns)
    for stage in stages:
        stage.store_at(out, strip).compute_at(out, block).vectorize(stage.args()[0], vector)


def in_registers(out, stages, vector, height=32, rows=4, columns=1):
    """The stages are computed for each block of the result."""
    strips(out, vector, height, rows, columns)
    for stage in stages:
        stage.compute_at(out, x).vectorize(stage.args()[0], vector).unroll(stage.args()[0]).unroll(stage.args()[1])


def tiles(out, stages, vector, width=256, height=32):
    """The stages are computed for each tile."""
    planes = [v for v in out.args() if v.name() == "c"]
    out.split(y, strip, y, height).split(x, block, x, width).reorder(x, y, block, strip, *planes).vectorize(x, vector)
    if planes:
        out.fuse(strip, c, strip)
    out.parallel(strip)
    for stage in stages:
        stage.compute_at(out, block).vectorize(stage.args()[0], vector)


def reflected(source, width, height):
    """A source whose edge is reflected, not repeated. Whatever the schedule, nothing outside is read, which is not so of Halide's own."""
    near = hl.Func(f"{source.name()}_near")

    def inside(place, extent):
        last = extent - 1
        here, above, below = (hl.clamp(there, 0, last) for there in (hl.likely(place), -place, 2 * last - place))
        return hl.select(place < 0, above, hl.likely(hl.select(place > last, below, hl.likely(here))))

    others = [hl.Var(f"o{i}") for i in range(source.dimensions() - 2)]
    near[(x, y, *others)] = source[(inside(x, width), inside(y, height), *others)]
    return near
