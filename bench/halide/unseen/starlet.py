"""Floats without noise, by starlets: three blurs whose points lie further and further apart, and what each takes away, shrunk."""

import halide as hl
import numpy as np
from definition import image, number
from kinds import block, sliding, strip, strips, x, y

SIZES = {"sky": (1200, 1600)}
SMALL = {"sky": (331, 391)}
NUMBERS = {"sigma": 0.05}
TOLERANCE = 1e-6
SHARES = [0.8907, 0.2007, 0.0857]


def inputs(random, sky):
    """Stars and noise."""
    stars = random.random(sky, np.float32) ** 200
    return {"sky": (stars + 0.05 * random.standard_normal(sky, np.float32)).astype(np.float32)}


def result(sky):
    return "clean", sky.shape, np.float32


def five(at, apart):
    sides, near = at(-2 * apart) + at(2 * apart), at(-apart) + at(apart)
    return sides * hl.f32(0.0625) + near * hl.f32(0.25) + at(0) * hl.f32(0.375)


def mirrored(source, width, height):
    """The image and its mirror images; nothing outside is read."""
    near = hl.Func("near")

    def inside(place, extent):
        last = extent - 1
        here, above, below = (hl.clamp(there, 0, last) for there in (hl.likely(place), -1 - place, 2 * last + 1 - place))
        return hl.select(place < 0, above, hl.likely(hl.select(place > last, below, hl.likely(here))))

    near[x, y] = source[inside(x, width), inside(y, height)]
    return near


def pipeline(manual):
    sky, sigma = image("sky", hl.Float(32), 2), number("sigma")
    # A mirrored image stays one when it is blurred: no stage but the first has an edge.
    near = mirrored(sky, sky.width(), sky.height())
    scales, lines = [near], []
    for n in range(3):
        line, scale = hl.Func(f"line{n}"), hl.Func(f"scale{n}")
        # Along x first in "b", down y else.
        i, j = (1, 0) if manual == "b" else (0, 1)
        line[x, y] = five(lambda d, f=scales[-1], i=i, j=j: f[x + d * i, y + d * j], 1 << n)
        scale[x, y] = five(lambda d, f=line, i=i, j=j: f[x + d * j, y + d * i], 1 << n)
        lines.append(line)
        scales.append(scale)
    out, total = hl.Func("clean"), scales[-1][x, y]
    for n in reversed(range(3)):
        limit, detail = sigma * hl.f32(3 * SHARES[n]), (scales[n] if n else sky)[x, y] - scales[n + 1][x, y]
        total += detail - hl.clamp(detail, -limit, limit)
    out[x, y] = total

    yi = hl.Var("yi")
    stages = [near, lines[0], scales[1], lines[1], scales[2], lines[2]]
    if manual in ("a", "b"):
        # All rows slide down a strip, four at a time.
        sliding(out, stages, 16, height=300 if manual == "a" else 200, rows=4)
    if manual == "a":
        for stage in stages[1:]:
            stage.split(y, y, yi, 4, hl.TailStrategy.RoundUp).reorder(yi, x, y).unroll(yi)
    if manual == "c":
        # Scale after scale, of the whole image.
        for line, scale in zip(lines, [*scales[1:3], out], strict=True):
            strips(scale if scale is out else scale.compute_root(), 16, height=60, rows=8)
            line.compute_at(scale, block).vectorize(x, 16).split(y, y, yi, 8, hl.TailStrategy.RoundUp).reorder(yi, x, y).unroll(yi)
        near.store_at(scales[1], strip).compute_at(scales[1], block).vectorize(x, 16)
    return [sky, sigma], out
