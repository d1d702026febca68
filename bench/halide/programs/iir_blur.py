"""examples/iir_blur.mlir in Halide: a recursive blur, four scans. A line begins with its own first value."""

import halide as hl
import numpy as np

from definition import image, number

SIZES = {"img": (3, 2560, 1536)}
NUMBERS = {"alpha": 0.2}
TOLERANCE = 5e-6
VECTOR, WIDE, LINES = 16, 128, 16


def inputs(random, img):
    return {"img": random.random(img, np.float32)}


def result(img):
    return "blurred", img.shape, np.float32


def pipeline(manual):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    img, alpha = image("img", hl.Float(32), 3), number("alpha")

    def there_and_back(name, source, extent):
        """Along the second dimension."""
        f = hl.Func(name)
        f[x, y, c] = source[x, y, c]
        there = hl.RDom([(1, extent - 1)], f"{name}_there")
        f[x, there, c] = f[x, there - 1, c] * (1.0 - alpha) + f[x, there, c] * alpha
        # The last value is mixed with itself.
        back = extent - 1 - there
        f[x, back, c] = f[x, back + 1, c] * (1.0 - alpha) + f[x, back, c] * alpha
        return f, there.x

    def transposed(name, source):
        f = hl.Func(name)
        f[x, y, c] = source[y, x, c]
        return f

    down_up, r0 = there_and_back("down_up", img, img.height())
    columns = transposed("columns", down_up)
    right_left, r1 = there_and_back("right_left", columns, img.width())
    out = transposed("blurred", right_left)

    if manual == "cpu":
        xi, yi, xo, yo, block = map(hl.Var, ["xi", "yi", "xo", "yo", "block"])
        # Down and up a block of columns.
        down_up.compute_root()
        for stage, r in [(down_up, None), (down_up.update(0), r0), (down_up.update(1), r0)]:
            stage.split(x, xo, xi, WIDE)
            if r is None:
                stage.reorder(xi, y, xo, c)
            else:
                stage.reorder(xi, r, xo, c)
            stage.vectorize(xi, VECTOR).fuse(xo, c, xo).parallel(xo)
        # Along a block of rows, of which each is a lane: they are transposed on their way in and out.
        out.split(y, yo, yi, LINES).reorder(yi, x, yo, c).fuse(yo, c, block).parallel(block)
        out.split(x, xo, xi, VECTOR).reorder(xi, yi, xo, block).vectorize(xi).unroll(yi)
        right_left.compute_at(out, block).vectorize(x)
        for i in range(2):
            right_left.update(i).reorder(x, r1, c).vectorize(x)

    if manual == "gpu":
        # Down and up, a thread a column; then, transposed, a thread a row. Lines are long and few: what begins them is a kernel of its own.
        xi, yi = hl.Var("xi"), hl.Var("yi")
        for f, r in [(down_up, r0), (right_left, r1)]:
            f.compute_root().gpu_tile(x, y, xi, yi, 32, 8).gpu_blocks(c)
            for i in range(2):
                f.update(i).reorder(r, x, c).gpu_tile(x, xi, 32).gpu_blocks(c)
        out.gpu_tile(x, y, xi, yi, 32, 8).gpu_blocks(c)
    return [img, alpha], out
