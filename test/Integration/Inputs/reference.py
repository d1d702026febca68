"""Independent references: the same formulas in NumPy and SciPy, sharing no code with Weft.

    reference.py NAME RESULT.npy --img INPUT [--tolerance T]

computes program NAME on INPUT (a .npy file, or a .png as pipeline-run reads it) and compares it with RESULT.npy. Exits with 1
if the largest absolute difference, relative to the range of the expected values, is above the tolerance.
"""

import argparse
import struct
import sys
import zlib

import numpy as np
from scipy import ndimage

# ---- The example programs ---------------------------------------------------------------------------------------------------


def blur(img):
    img = img.astype(np.float64)
    return ndimage.uniform_filter(img, size=3, mode="nearest")


def unsharp(img):
    img = img.astype(np.float64)
    taps = np.array([1, 4, 6, 4, 1]) / 16
    blurred = ndimage.correlate1d(img, taps, axis=1, mode="nearest")
    blurred = ndimage.correlate1d(blurred, taps, axis=2, mode="nearest")
    return np.where(np.abs(img - blurred) < 0.001, img, 4 * img - 3 * blurred)


def harris(img):
    img = img.astype(np.float64)
    ix = ndimage.sobel(img, axis=1, mode="nearest") / 12
    iy = ndimage.sobel(img, axis=0, mode="nearest") / 12
    window = lambda a: ndimage.uniform_filter(a, size=3, mode="nearest") * 9
    xx, xy, yy = window(ix * ix), window(ix * iy), window(iy * iy)
    return xx * yy - xy * xy - 0.04 * (xx + yy) ** 2


# ---- Boundary modes: Inputs/boundary-*.mlir ---------------------------------------------------------------------------------


def boundary(pad):
    """Reads at [y - 2, x + 3] of the image, then [y + 5, x - 7] of that stage, each with the boundary: s(img) + s(stage)."""

    def shift(a, dy, dx):
        n = 16
        padded = pad(a, n)
        return padded[n + dy : n + dy + a.shape[0], n + dx : n + dx + a.shape[1]]

    def program(img):
        first = img + 2 * shift(img, -2, 3)
        return first + shift(first, 5, -7)

    return program


def modes(mode, **more):
    return boundary(lambda a, n: np.pad(a, n, mode=mode, **more))


# ---- Other shapes and types -------------------------------------------------------------------------------------------------


def down(img):
    """2x2 means."""
    h, w = img.shape[0] // 2, img.shape[1] // 2
    return img[: 2 * h, : 2 * w].reshape(h, 2, w, 2).mean(axis=(1, 3), dtype=np.float64)


def up(img):
    """Nearest neighbour."""
    return img.repeat(2, axis=0).repeat(2, axis=1)


def threshold(img):
    """The mean of four neighbours, in integers, where it is above 100."""
    wide = np.pad(img, 1, mode="edge").astype(np.int32)
    total = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    mean = total >> 2
    return np.where(mean > 100, mean, 0).astype(np.uint8)


def gradient(img):
    """Several results of one stage, in f64; the squared length is compared."""
    padded = np.pad(img, 1, mode="symmetric")
    dx = padded[1:-1, 2:] - padded[1:-1, :-2]
    dy = padded[2:, 1:-1] - padded[:-2, 1:-1]
    return dx * dx + dy * dy


def libm(img):
    """Inputs/libm.mlir."""
    img = img.astype(np.float64)
    return np.sin(np.exp(img) ** img) * np.cos(img) + np.tanh(img) - img**3 + 1


def tone(img):
    """Inputs/tone.mlir."""
    linear = img.astype(np.float64) ** 2.2
    padded = np.pad(linear, [(0, 0), (1, 1)], mode="edge")
    taps = [padded[:, :-2], linear, padded[:, 2:]]
    weights = [np.exp(-8 * (tap - linear) ** 2) for tap in taps]
    smooth = sum(weight * tap for weight, tap in zip(weights, taps)) / sum(weights)
    padded = np.pad(smooth, [(1, 1), (0, 0)], mode="symmetric")
    return np.tanh(padded[:-2] + padded[2:])


PROGRAMS = {
    "blur": blur,
    "unsharp": unsharp,
    "harris": harris,
    "clamp": modes("edge"),
    "mirror": modes("symmetric"),
    "wrap": modes("wrap"),
    "constant": modes("constant", constant_values=0.5),
    "down": down,
    "up": up,
    "threshold": threshold,
    "gradient": gradient,
    "libm": libm,
    "tone": tone,
}

# ---- Files --------------------------------------------------------------------------------------------------------------------


def read_png(path):
    """8-bit grey or RGB, not interlaced, as floats from 0 to 1; colour is planar."""
    data = open(path, "rb").read()
    at, compressed = 8, b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and colour in (0, 2) and not interlaced, path
        elif kind == b"IDAT":
            compressed += body
        at += 12 + length
    channels = {0: 1, 2: 3}[colour]
    raw = np.frombuffer(zlib.decompress(compressed), np.uint8).reshape(height, 1 + width * channels)
    image = np.zeros((height, width * channels), np.int32)
    for y in range(height):
        kind, line = raw[y, 0], raw[y, 1:].astype(np.int32)
        above = image[y - 1] if y else np.zeros_like(line)
        for i in range(len(line)) if kind in (1, 3, 4) else ():
            left = image[y, i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            if kind == 1:
                guess = left
            elif kind == 3:
                guess = (left + above[i]) // 2
            else:
                p = left + above[i] - corner
                guess = min((abs(p - left), 0, left), (abs(p - above[i]), 1, above[i]), (abs(p - corner), 2, corner))[2]
            image[y, i] = (line[i] + guess) & 255
        if kind in (0, 2):
            image[y] = (line + (above if kind == 2 else 0)) & 255
    image = image.reshape(height, width, channels).transpose(2, 0, 1) / 255
    return image[0] if channels == 1 else image


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("result")
    parser.add_argument("--img", required=True)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    options = parser.parse_args()
    img = read_png(options.img) if options.img.endswith(".png") else np.load(options.img)
    expected = PROGRAMS[options.program](img)
    found = np.load(options.result)
    if found.shape != expected.shape:
        sys.exit(f"{options.program}: found shape {found.shape}, expected {expected.shape}")
    error = np.abs(found.astype(np.float64) - expected.astype(np.float64)).max()
    error /= float(expected.max()) - float(expected.min()) or 1
    print(f"{options.program}: largest error {error:.3g} of the range, {options.tolerance:g} allowed")
    sys.exit(not error <= options.tolerance)


main()
