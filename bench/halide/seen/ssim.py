"""How alike two images of floats are at each point: SSIM, by means, variances and covariances under a Gaussian of 11x11 points."""

import cv2
import halide as hl
import numpy as np
from definition import image
from kinds import block, column, lane, reflected, row, strip, strips, x, y

SIZES = {name: (1080, 1920) for name in "ab"}
# Variances are differences of numbers that may be nearly the same.
TOLERANCE = 5e-4
WEIGHTS = [0.26601172, 0.21300554, 0.10936069, 0.03600077, 0.00759876, 0.00102838]


def inputs(random, a, b):
    """Hills of light with some noise, and the same with more noise, in sixteen levels."""
    rows, columns = (np.arange(extent, dtype=np.float32) / 150 for extent in a)
    hills = 0.45 + 0.2 * np.sin(rows)[:, None] + 0.15 * np.cos(columns * 0.7 + 1)[None, :]
    first, second = (np.clip(hills + 0.05 * random.standard_normal(shape, np.float32), 0, 1) for shape in (a, b))
    second = np.round(16 * (first + second) / 2) / 16
    return {"a": first.astype(np.float32), "b": second.astype(np.float32)}


def result(a, b):
    return "alike", a.shape, np.float32


def opencv(a, b, result):
    """As its tutorial on similarity measurement has it."""

    def call():
        first, second = (cv2.GaussianBlur(img, (11, 11), 1.5) for img in (a, b))
        squares = cv2.GaussianBlur(cv2.add(cv2.multiply(a, a), cv2.multiply(b, b)), (11, 11), 1.5)
        product = cv2.GaussianBlur(cv2.multiply(a, b), (11, 11), 1.5)
        means, mean_squares = cv2.multiply(first, second), cv2.add(cv2.multiply(first, first), cv2.multiply(second, second))
        covariance, variances = cv2.subtract(product, means), cv2.subtract(squares, mean_squares)
        above = cv2.multiply(cv2.addWeighted(means, 2, means, 0, 0.0001), cv2.addWeighted(covariance, 2, covariance, 0, 0.0009))
        return cv2.divide(above, cv2.multiply(cv2.add(mean_squares, 0.0001), cv2.add(variances, 0.0009)), result)

    return call


def blurred(at):
    total = at(0) * hl.f32(WEIGHTS[0])
    for i, weight in enumerate(WEIGHTS[1:], 1):
        total += (at(-i) + at(i)) * hl.f32(weight)
    return total


def pipeline(manual):
    images = [image(name, hl.Float(32), 2) for name in "ab"]
    width, height = images[0].width(), images[0].height()
    a, b = (reflected(img, width, height) for img in images)
    parts, first, out = map(hl.Func, ["parts", "first", "alike"])
    parts[x, y] = (a[x, y], b[x, y], a[x, y] * a[x, y] + b[x, y] * b[x, y], a[x, y] * b[x, y])
    # Down y, then along x; in "c" the other way round.
    i, j = (1, 0) if manual == "c" else (0, 1)
    first[x, y] = tuple(blurred(lambda d, n=n: parts[x + d * i, y + d * j][n]) for n in range(4))
    mean_a, mean_b, squares, product = (blurred(lambda d, n=n: first[x + d * j, y + d * i][n]) for n in range(4))
    means, mean_squares = mean_a * mean_b, mean_a * mean_a + mean_b * mean_b
    above = (hl.f32(2) * means + hl.f32(0.0001)) * (hl.f32(2) * (product - means) + hl.f32(0.0009))
    out[x, y] = above / ((mean_squares + hl.f32(0.0001)) * (squares - mean_squares + hl.f32(0.0009)))

    def four_rows(stage):
        """Four rows of a stage at a time, each vector of them together: what they load serves all."""
        stage.split(y, y, row, 4).split(x, x, lane, 16).reorder(lane, row, x, y).vectorize(lane).unroll(row)
        return stage

    near = [(stage, stage.args()[0]) for stage in (a, b)]
    if manual == "a":
        # The images with their borders slide down a strip; sums along y are of four rows.
        strips(out, 8, height=135, rows=4, columns=2)
        for stage, along in near:
            stage.store_at(out, strip).compute_at(out, block).vectorize(along, 16)
        four_rows(first.compute_at(out, block))
    if manual == "b":
        # The images with their borders, a tile at a time.
        out.split(y, strip, y, 60).split(x, block, x, 128)
        four_rows(out).reorder(lane, row, x, y, block, strip).parallel(strip)
        for stage, along in near:
            stage.compute_at(out, block).vectorize(along, 16)
        four_rows(first.compute_at(out, y))
    if manual == "c":
        # Sums along x slide down a strip; the images with their borders are of a row.
        strips(out, 16, height=135, rows=4)
        first.store_at(out, strip).compute_at(out, block)
        first.split(x, x, lane, 16).split(lane, column, lane, 8).reorder(lane, column, x, y).vectorize(lane).unroll(column)
        for stage, along in near:
            stage.compute_at(first, y).vectorize(along, 16)
    return images, out
