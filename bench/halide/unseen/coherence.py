"""How much of one direction an image of floats has around each point."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import block, in_registers, sliding, strip, tiles, x, y

SIZES = {"img": (1080, 1920)}
TOLERANCE = 1e-4
# Where the sum of the eigenvalues is next to nothing.
UNDECIDED = 1e-4


def inputs(random, img):
    """Waves that bend, and some noise."""
    rows, columns = np.mgrid[: img[0], : img[1]].astype(np.float32)
    waves = np.sin(0.3 * rows + 12 * np.sin(columns / 150))
    return {"img": (waves + 0.3 * random.standard_normal(img, np.float32)).astype(np.float32)}


def result(img):
    return "coherent", img.shape, np.float32


def five(at):
    return hl.f32(0.0625) * (at(-2) + at(2)) + hl.f32(0.25) * (at(-1) + at(1)) + hl.f32(0.375) * at(0)


def pipeline(manual):
    img = image("img", hl.Float(32), 2)
    size = img.width(), img.height()
    near = edged(img)
    products, lines, out = map(hl.Func, ["products", "lines", "coherent"])
    gx = hl.f32(0.5) * (near[x + 1, y] - near[x - 1, y])
    gy = hl.f32(0.5) * (near[x, y + 1] - near[x, y - 1])
    products[x, y] = (gx * gx, gx * gy, gy * gy)
    around = edged(products, *size)
    # Means along x, then along y; in "c" the other way round.
    i, j = (0, 1) if manual == "c" else (1, 0)
    lines[x, y] = tuple(five(lambda d, n=n: around[x + d * i, y + d * j][n]) for n in range(3))
    a, b, c = (five(lambda d, n=n: lines[x + d * j, y + d * i][n]) for n in range(3))
    apart, total = a - c, a + c
    root = hl.sqrt(apart * apart + hl.f32(4) * (b * b))
    out[x, y] = hl.select(total > hl.f32(0.0000001), root / total, hl.f32(0))

    if manual == "a":
        # All slide down a strip.
        sliding(out, [products, lines], 16, height=54, rows=2)
    if manual == "b":
        # The products of a tile with its border, means along x of it.
        tiles(out, [products, lines], 16, width=256, height=36)
    if manual == "c":
        # Means along y of a block of rows, from products that slide.
        in_registers(out, [lines], 16, height=36, rows=4)
        products.store_at(out, strip).compute_at(out, block).vectorize(x, 16)
    return [img], out
