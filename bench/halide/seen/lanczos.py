"""Two thirds of bytes by Lanczos' window of three, along x, then along y, in 32 bits."""

import halide as hl
import numpy as np
from definition import edged, image
from kinds import strip, x, y

SIZES = {"img": (2160, 3840)}
WEIGHTS = [36, 272, -1480, 1837, 10407, 6660, -1149, -465, 266]


def inputs(random, img):
    return {"img": random.integers(0, 256, img, np.uint8)}


def result(img):
    height, width = img.shape
    return "smaller", (height * 2 // 3, width * 2 // 3), np.uint8


def nine(is_odd, at, wide):
    """What nine points around the third one of a group are for its first or second result, between 0 and 255."""
    weights, begin = (WEIGHTS[::-1], -2) if is_odd else (WEIGHTS, -4)
    products = [wide(at(begin + i)) * wide(weight) for i, weight in enumerate(weights)]
    if wide is hl.f32:
        # Sums have less than 24 bits.
        total = sum(products[1:], products[0])
        return hl.clamp(hl.floor(total * hl.f32(1 / 16384) + hl.f32(0.5)), hl.f32(0), hl.f32(255))
    pairs = [p + q for p, q in zip(products[::2], products[1::2], strict=False)]
    return hl.u8_sat((sum(pairs, products[8]) + 8192) >> 14)


def pipeline(manual):
    img = image("img", hl.UInt(8), 2)
    near = edged(img)
    thirds, halves, out = hl.Func("thirds"), [hl.Func("even"), hl.Func("odd")], hl.Func("smaller")
    k, part = hl.Var("k"), hl.Var("part")
    # Every third point, and every other result: so that those of one kind lie together.
    wide, kept = (hl.f32, hl.f32) if manual == "c" else (hl.i32, hl.i16)
    thirds[k, y, part] = kept(near[3 * k + part, y])
    for is_odd, side in enumerate(halves):
        side[k, y] = kept(nine(is_odd, lambda d: thirds[k + d // 3, y, d % 3], wide))
    results = [[nine(is_odd, lambda d, side=side: side[x // 2, y // 2 * 3 + d], wide) for is_odd in (0, 1)] for side in halves]
    out[x, y] = hl.u8(hl.select(x % 2 == 0, *(hl.select(y % 2 == 0, *pair) for pair in results)))

    xi, yi, which = map(hl.Var, ["xi", "yi", "which"])
    guard = hl.TailStrategy.GuardWithIf
    if manual:
        # 2x2 points at once, from three rows.
        for d in (0, 1):
            out.output_buffer().dim(d).set_min(0)
        out.split(y, strip, y, 96, guard).split(y, y, yi, 2, guard).split(x, x, which, 2, guard)
        out.split(x, x, xi, 16 if manual == "c" else 32, guard)
        out.reorder(which, xi, yi, x, y, strip).unroll(which).vectorize(xi).unroll(yi).parallel(strip)
        for stage in (thirds, *halves):
            stage.store_at(out, strip).compute_at(out, y).vectorize(k, 16 if manual == "c" else 32)
        thirds.bound(part, 0, 3).reorder_storage(k, part, y).reorder(part, k, y).unroll(part)
    if manual == "b":
        # The image with its border, a strip at a time.
        near.compute_at(out, strip).vectorize(near.args()[0], 64)
    if manual == "c":
        # The same in floats, with the thirds of a few rows.
        near.compute_at(out, strip).vectorize(near.args()[0], 64)
        thirds.compute_at(halves[0], y)
        halves[1].compute_with(halves[0], y)
    return [img], out
