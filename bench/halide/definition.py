"""What the programs in programs/, unseen/ and seen/ are written with.

Each of these is a module with

    SIZES      extents of its images, as NumPy has them: the last dimension is the one that is contiguous
    NUMBERS    the numbers that it takes, where it takes any
    TOLERANCE  how far floats may be from ours, relative to the range of the values; 0 or nothing: equal
    UNDECIDED  the part of the points at which the last bits of floats may decide otherwise; 0 if it is not there
    SMALL      sizes to check results on, where it is not enough that large images become small ones
    scaled     sizes for a result of so many rows and columns, where it is not images that have these
    inputs     arrays of given sizes
    result     name, shape and type of the result for these arrays; a list of these where there are several
    pipeline   the program as Halide has it: its arguments in our order, and its output or a list of these, with a schedule by hand for a
               CPU ("cpu"; in unseen/ and seen/ "a", "b" or "c") or a GPU ("gpu"), or without any (None)
    opencv     where OpenCV has the same operation: a function of the arrays and of the array for the result, or of a list, that runs it

Halide's dimensions are NumPy's from the last one to the first: img[x, y, c].
"""

import halide as hl


def image(name, type, rank):
    return hl.ImageParam(type, rank, name)


def number(name, type=None):
    return hl.Param(type or hl.Float(32), name)


def edged(source, *extents):
    """An image, or with extents (of x, y, ...) a stage, of which the edge is repeated."""
    if not extents:
        return hl.BoundaryConditions.repeat_edge(source)
    ranges = [hl.Range() if extent is None else hl.Range(0, extent) for extent in extents]
    return hl.BoundaryConditions.repeat_edge(source, ranges)


def half(extent):
    """How many points half of an image has."""
    return (extent + 1) // 2


def reader(source, size, dimension, others):
    """Reads an image along a dimension, the edge repeated, at the same place of the others."""
    near = edged(source, *(size[i] if i == dimension else None for i in range(len(others))))
    return lambda place: near[tuple(place if i == dimension else other for i, other in enumerate(others))]


def sampled_down(name, source, size, dimension, value):
    """Every other point along a dimension (0 is x, 1 y) of an image of this size: what `value` says, given a reader and 2i."""
    f, variables = hl.Func(name), [hl.Var(v) for v in "xyc"[: source.dimensions()]]
    f[tuple(variables)] = value(reader(source, [*size, None], dimension, variables), 2 * variables[dimension])
    return f


def sampled_up(name, source, size, dimension, value):
    """More points along a dimension: what `value` says, given a reader of the smaller image, which has this size, and i."""
    f, variables = hl.Func(name), [hl.Var(v) for v in "xyc"[: source.dimensions()]]
    f[tuple(variables)] = value(reader(source, [*size, None], dimension, variables), variables[dimension])
    return f
