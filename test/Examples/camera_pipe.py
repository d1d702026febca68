"""The camera pipeline: NumPy, on the sensor's own grid, neighbours by shifts."""

import numpy as np

from Inputs.harness import main

AT_3200 = np.array(
    [[1.6697, -0.2693, -0.4004, -42.4346], [-0.3576, 1.0615, 1.5949, -37.1158], [-0.2175, -1.8751, 6.9640, -26.6970]]
)
AT_7000 = np.array(
    [[2.2997, -0.4478, 0.1706, -39.0923], [-0.3826, 1.5906, -0.2080, -25.4311], [-0.0888, -0.7344, 2.2832, -20.0826]]
)


def shift(a, dy, dx):
    """a[y + dy, x + dx]; what comes round the edge is cut off in the end."""
    return np.roll(a, (-dy, -dx), (-2, -1))


def mean(a, b):
    return (a + b + 1) // 2


def program(raw, kelvin, gamma, contrast, sharpen, black, white):
    raw = raw[: raw.shape[0] // 2 * 2, : raw.shape[1] // 2 * 2].astype(np.int64)
    around = [shift(raw, *d) for d in ((-2, 0), (2, 0), (0, -2), (0, 2))]
    raw = np.clip(raw, np.min(around, 0), np.max(around, 0))

    y, x = np.indices(raw.shape)
    at_gr, at_r = (y % 2 == 0) & (x % 2 == 0), (y % 2 == 0) & (x % 2 == 1)
    at_b, at_gb = (y % 2 == 1) & (x % 2 == 0), (y % 2 == 1) & (x % 2 == 1)

    # Green everywhere: at red and blue both neighbours along a line are green.
    up, down, left, right = (shift(raw, *d) for d in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    rows_less = np.abs(left - right) < np.abs(up - down)
    green = np.where(at_gr | at_gb, raw, np.where(rows_less, mean(left, right), mean(up, down)))

    def between(a, b):
        """The mosaic's mean at two places, corrected by green."""
        return green - mean(shift(green, *a), shift(green, *b)) + mean(shift(raw, *a), shift(raw, *b))

    def differ(a, b):
        return np.abs(shift(raw, *a) - shift(raw, *b))

    along_x, along_y = between((0, -1), (0, 1)), between((-1, 0), (1, 0))
    # The two diagonals: / first.
    rising, falling = ((1, -1), (-1, 1)), ((-1, -1), (1, 1))
    diagonal = np.where(differ(*rising) < differ(*falling), between(*rising), between(*falling))
    red = np.where(at_r, raw, np.where(at_gr, along_x, np.where(at_gb, along_y, diagonal)))
    blue = np.where(at_b, raw, np.where(at_gb, along_x, np.where(at_gr, along_y, diagonal)))

    warm = (1 / kelvin - 1 / 3200) / (1 / 7000 - 1 / 3200)
    matrix = ((AT_3200 * (1 - warm) + AT_7000 * warm) * 256).astype(np.int64)
    rgb = (np.einsum("ij,jyx->iyx", matrix[:, :3], np.stack([red, green, blue])) + matrix[:, 3:, None]) // 256

    levels = np.clip((np.arange(1024) - black) / (white - black), 0, 1) ** (1 / gamma)
    b = 2 - 2 ** (contrast / 100)
    a = 2 - 2 * b
    curve = np.where(levels > 0.5, 1 - (a * (1 - levels) ** 2 + b * (1 - levels)), a * levels**2 + b * levels)
    curve = np.clip(curve * 255 + 0.5, 0, 255).astype(np.int64)
    curved = curve[np.clip(rgb, 0, 1023)]

    blur = mean(mean(shift(curved, -1, 0), shift(curved, 1, 0)), curved)
    blur = mean(mean(shift(blur, 0, -1), shift(blur, 0, 1)), blur)
    strength = int(min(max(sharpen * 32, 0), 255))
    sharp = np.clip(curved + (curved - blur) * strength // 32, 0, 255)
    return {"rgb": sharp[:, 12:-12, 16:-16].astype(np.uint8)}


def inputs(random, raw=(77, 95)):
    smooth = np.cumsum(np.cumsum(random.standard_normal(raw), 0), 1)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min())
    return {"raw": (smooth * 800 + random.random(smooth.shape) * 200).astype(np.uint16)}


main(
    program,
    inputs,
    numbers={"kelvin": 3700.0, "gamma": 2.0, "contrast": 50.0, "sharpen": 1.0, "black": 25, "white": 1023},
)
