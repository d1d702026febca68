"""Pixels in front of a green screen: RGB becomes RGBA by how far colours are from the screen's, less the green that it sheds."""

import halide as hl
import numpy as np
from definition import image, number
from kinds import c, x, y

SIZES = {"img": (2160, 3840, 3)}
SMALL = {"img": (277, 391, 3)}
NUMBERS = {"similarity": 0.25, "blend": 0.2}
# Alpha is a float that is cut off.
UNDECIDED = 2e-3
SCREEN = [40, 190, 80]


def inputs(random, img):
    # The screen with some noise, and all colours where somebody stands.
    screen = SCREEN + random.integers(-12, 13, img)
    stands = np.abs(np.arange(img[1]) - img[1] / 2)[:, None] < img[1] / 5
    return {"img": np.where(stands, random.integers(0, 256, img), screen).astype(np.uint8)}


def result(img):
    return "cut", (*img.shape[:2], 4), np.uint8


def pipeline(manual):
    img, similarity, blend = image("img", hl.UInt(8), 3), number("similarity"), number("blend")
    planes, alpha, out = hl.Func("planes"), hl.Func("alpha"), hl.Func("cut")
    planes[c, x, y] = img[c, x, y]
    red, green, blue = ((planes if manual == "a" else img)[channel, x, y] for channel in range(3))
    squares = []
    for value, of_screen in zip((red, green, blue), SCREEN, strict=True):
        apart = hl.i16(value) - hl.i16(of_screen)
        squares.append(hl.i32(apart) * hl.i32(apart))
    square = hl.f32(squares[0] + squares[1] + squares[2])
    far = hl.fast_inverse_sqrt(hl.max(square, hl.f32(1))) * square if manual == "b" else hl.sqrt(square)
    # Divisions are by what is the same for all; what is not between 0 and 255 saturates.
    scale, shift = hl.f32(255 / 195075**0.5) / blend, hl.f32(255) * similarity / blend
    alpha[x, y] = hl.u8_sat(hl.i32(far * scale - shift))
    out[c, x, y] = hl.mux(c, [red, hl.min(green, hl.halving_add(red, blue)), blue, alpha[x, y]])

    xi, yi = hl.Var("xi"), hl.Var("yi")
    if manual:
        img.dim(0).set_bounds(0, 3).set_stride(1)
        img.dim(1).set_stride(3)
        out.output_buffer().dim(0).set_bounds(0, 4).set_stride(1)
        out.output_buffer().dim(1).set_stride(4)
        out.bound(c, 0, 4).split(y, y, yi, 16).parallel(y)
        out.split(x, x, xi, 64 if manual == "c" else 32).reorder(c, xi, x, yi, y).unroll(c).vectorize(xi)
    if manual == "a":
        # Channels and alphas of 32 pixels, in registers.
        planes.compute_at(out, x).bound(c, 0, 3).unroll(c).vectorize(x).reorder_storage(x, c, y)
        alpha.compute_at(out, x).vectorize(x)
    if manual == "b":
        # Alphas in a register, by reciprocals of roots.
        alpha.compute_at(out, x).vectorize(x)
    if manual == "c":
        # Alphas of a row.
        alpha.compute_at(out, yi).vectorize(x, 16)
    return [img, similarity, blend], out
