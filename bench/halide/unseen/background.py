"""A running mean and variance of each point of a camera's frames, and where the frame is far from them: a mask, opened by a cross."""

import cv2
import halide as hl
import numpy as np
from definition import edged, image, number
from kinds import block, sliding, strip, strips, x, y

SIZES = {"frame": (1080, 1920, 3), "mean": (1080, 1920), "variance": (1080, 1920)}
SMALL = {"frame": (277, 391, 3), "mean": (277, 391), "variance": (277, 391)}
NUMBERS = {"rate": 0.05}
TOLERANCE = 1e-5
# A float decides what moves.
UNDECIDED = 1e-4


def inputs(random, frame, mean, variance):
    """A scene with some noise, in which squares and single points move."""
    scene = random.uniform(20, 235, mean).astype(np.float32)
    spread = random.uniform(4, 60, variance).astype(np.float32)
    now = scene + 2 * np.sqrt(spread) * random.standard_normal(mean, np.float32)
    rows, columns = np.mgrid[: mean[0], : mean[1]]
    now = np.where((rows // 50 + columns // 70) % 5 == 0, 255 - now, now)
    colours = now[:, :, None] + random.uniform(-4, 4, frame)
    # The frame is blurred before it is compared.
    grey = cv2.GaussianBlur(scene, (3, 3), 0, borderType=cv2.BORDER_REPLICATE)
    return {"frame": colours.clip(0, 255).astype(np.uint8), "mean": grey, "variance": spread}


def result(frame, mean, variance):
    return [("learned", mean.shape, np.float32), ("spread", mean.shape, np.float32), ("moved", mean.shape, np.uint8)]


def opencv(frame, mean, variance, result):
    learned, spread, moved = result
    grey, soft, mask = (np.empty(mean.shape, np.uint8) for _ in range(3))
    squared, limit = np.empty_like(mean), np.empty_like(mean)
    cross, rate = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)), NUMBERS["rate"]

    def call():
        cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY, grey)
        cv2.GaussianBlur(grey, (3, 3), 0, soft, borderType=cv2.BORDER_REPLICATE)
        cv2.subtract(soft, mean, squared, dtype=cv2.CV_32F)
        cv2.multiply(squared, squared, squared)
        cv2.max(variance, 16, limit)
        cv2.multiply(limit, 6.25, limit)
        cv2.compare(squared, limit, cv2.CMP_LE, mask)
        np.copyto(learned, mean)
        np.copyto(spread, variance)
        cv2.accumulateWeighted(soft, learned, rate, mask)
        cv2.accumulateWeighted(squared, spread, rate, mask)
        cv2.bitwise_not(mask, mask)
        cv2.morphologyEx(mask, cv2.MORPH_OPEN, cross, moved)

    return call


def pipeline(manual):
    frame, rate = image("frame", hl.UInt(8), 3), number("rate")
    mean, variance = image("mean", hl.Float(32), 2), image("variance", hl.Float(32), 2)
    width, height = mean.width(), mean.height()
    grey, lines, soft, moves, eroded, out = map(hl.Func, ["grey", "lines", "soft", "moves", "eroded", "background"])
    # The weights 9798, 19235 and 3735 as high and low bytes: nothing has more than 16 bits.
    pixels = frame if manual else edged(frame)
    red, green, blue = (hl.u16(pixels[channel, x, y]) for channel in range(3))
    high = red * hl.u16(38) + green * hl.u16(75) + blue * hl.u16(14)
    low = red * hl.u16(70) + green * hl.u16(35) + blue * hl.u16(151)
    grey[x, y] = hl.u8((high + (low >> hl.u16(8)) + hl.u16(64)) >> hl.u16(7))
    near = edged(grey, width, height)

    def three(at):
        return at(-1) + at(1) + at(0) * hl.u16(2)

    # Down y, then along x; in "c" the other way round.
    i, j = (1, 0) if manual == "c" else (0, 1)
    lines[x, y] = three(lambda d: hl.u16(near[x + d * i, y + d * j]))
    soft[x, y] = hl.u8((three(lambda d: lines[x + d * j, y + d * i]) + hl.u16(8)) >> hl.u16(4))

    def compared(mean, variance):
        away = hl.f32(soft[x, y]) - mean[x, y]
        squared = away * away
        return away, squared, squared > hl.f32(6.25) * hl.max(variance[x, y], hl.f32(16))

    def cross(of):
        return of[x, y - 1], of[x - 1, y], of[x, y], of[x + 1, y], of[x, y + 1]

    # Beyond the edge is what is never the least, and then what is never the greatest.
    inside = hl.likely((x >= 0) & (x < width) & (y >= 0) & (y < height))
    _, _, far = compared(edged(mean), edged(variance))
    moves[x, y] = hl.select(inside, hl.select(far, hl.u8(255), hl.u8(0)), hl.u8(255))
    eroded[x, y] = hl.select(inside, hl.min(*cross(moves)), hl.u8(0))
    # To compare once more takes less than to keep what was found.
    away, squared, far = compared(mean, variance)
    learned = hl.select(far, mean[x, y], mean[x, y] + rate * away)
    spread = hl.select(far, variance[x, y], variance[x, y] + rate * (squared - variance[x, y]))
    out[x, y] = (learned, spread, hl.max(*cross(eroded)))

    if manual:
        frame.dim(0).set_bounds(0, 3).set_stride(1)
        frame.dim(1).set_stride(3)
    if manual == "a":
        # All rows slide down a strip.
        sliding(out, [grey, near, lines, soft, moves, eroded], 64, height=90, rows=2)
    if manual == "b":
        # What is blurred stays in registers: sums down y slide, those along x are computed where they are needed.
        strips(out, 32, height=90, rows=2)
        for stage in (grey, near, lines, moves, eroded):
            stage.store_at(out, strip).compute_at(out, block).vectorize(stage.args()[0], 64)
    if manual == "c":
        # Grey with its border, a strip at a time; the rest slides down it.
        strips(out, 32, height=36, rows=2)
        for stage in (grey, near):
            stage.compute_at(out, strip).vectorize(stage.args()[0], 64)
        for stage in (lines, soft, moves, eroded):
            stage.store_at(out, strip).compute_at(out, block).vectorize(x, 64)
    return [frame, mean, variance, rate], out
