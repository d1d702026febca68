"""Ten filters of a photo editor, on pictures as they are: `uint8`, height x width x 3.

python photo_editor.py photo.png out/       writes a picture for each
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import weft

Photo = Annotated[weft.Image, weft.u8["h", "w", 3]]
Number = Annotated[weft.Value, weft.f32]
GAUSSIAN = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]


@weft.program
def contrast(img: Photo, gain: Number, offset: Number) -> weft.Image:
    """cv2.convertScaleAbs, but for the sign"""
    y, x, c = img.axes
    return weft.stage("contrast", (img[y, x, c].to(weft.f32) * gain + offset).saturate(weft.u8))


@weft.program
def gamma(img: Photo) -> weft.Image:
    """cv2.LUT"""
    y, x, c = img.axes
    curve = weft.table(np.rint(255 * (np.arange(256) / 255) ** (1 / 2.2)).astype(np.uint8), name="curve")
    return weft.stage("gamma", curve.clamp[img[y, x, c].to(weft.index)])


def luma(img: weft.Image, y: weft.Value, x: weft.Value) -> weft.Value:
    """The brightness of a pixel."""
    red, green, blue = (img[y, x, plane].to(weft.f32) for plane in range(3))
    return 0.299 * red + 0.587 * green + 0.114 * blue


@weft.program
def saturation(img: Photo, amount: Number) -> weft.Image:
    """PIL.ImageEnhance.Color"""
    y, x, c = img.axes
    grey = luma(img, y, x)
    return weft.stage("saturation", (grey + amount * (img[y, x, c].to(weft.f32) - grey)).saturate(weft.u8))


@weft.program
def sepia(img: Photo) -> weft.Image:
    """cv2.transform"""
    y, x, c = img.axes
    mix = weft.table(np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]], np.float32), name="mix")
    red, green, blue = (img[y, x, plane].to(weft.f32) for plane in range(3))
    return weft.stage("sepia", (mix[c, 0] * red + mix[c, 1] * green + mix[c, 2] * blue).saturate(weft.u8))


def gaussian(img: weft.Image) -> weft.Image:
    """Weights 1 4 6 4 1 along rows and columns, the border reflected as OpenCV does."""
    y, x, c = img.axes
    f = weft.stage("f", img[y, x, c].to(weft.f32))
    across = weft.stage("across", sum(w * f.reflect101[y, x + i - 2, c] for i, w in enumerate(GAUSSIAN)))
    return weft.stage("around", sum(w * across.reflect101[y + i - 2, x, c] for i, w in enumerate(GAUSSIAN)))


@weft.program
def blur(img: Photo) -> weft.Image:
    """cv2.GaussianBlur"""
    y, x, c = img.axes
    return weft.stage("blur", gaussian(img)[y, x, c].saturate(weft.u8))


@weft.program
def sharpen(img: Photo, amount: Number) -> weft.Image:
    """cv2.GaussianBlur and cv2.addWeighted"""
    y, x, c = img.axes
    own = img[y, x, c].to(weft.f32)
    return weft.stage("sharpen", (own + amount * (own - gaussian(img)[y, x, c])).saturate(weft.u8))


@weft.program
def edges(img: Photo) -> weft.Image:
    """cv2.Sobel in two directions, and their length"""
    y, x, _ = img.axes
    grey = weft.stage("grey", luma(img, y, x))
    at = grey.reflect101
    gx = sum(w * (at[y + i, x + 1] - at[y + i, x - 1]) for i, w in ((-1, 1), (0, 2), (1, 1)))
    gy = sum(w * (at[y + 1, x + i] - at[y - 1, x + i]) for i, w in ((-1, 1), (0, 2), (1, 1)))
    return weft.stage("edges", weft.sqrt(gx * gx + gy * gy).saturate(weft.u8))


@weft.program
def emboss(img: Photo) -> weft.Image:
    """cv2.filter2D"""
    y, x, c = img.axes
    step = img.reflect101[y + 1, x + 1, c].to(weft.i32) - img.reflect101[y - 1, x - 1, c].to(weft.i32)
    return weft.stage("emboss", (step + 128).saturate(weft.u8))


@weft.program
def median(img: Photo) -> weft.Image:
    """cv2.medianBlur: sorted in columns, then across"""
    y, x, c = img.axes
    at = img.clamp
    a, b, d = at[y - 1, x, c], at[y, x, c], at[y + 1, x, c]
    low, high = weft.min(a, b), weft.max(a, b)
    least, middle, most = weft.stage("columns", (weft.min(low, d), weft.max(low, weft.min(high, d)), weft.max(high, d)))

    def across(image: weft.Image) -> tuple[weft.Value, weft.Value, weft.Value]:
        return image.clamp[y, x - 1, c], image[y, x, c], image.clamp[y, x + 1, c]

    def median_of(p: weft.Value, q: weft.Value, r: weft.Value) -> weft.Value:
        return weft.max(weft.min(p, q), weft.min(weft.max(p, q), r))

    return weft.stage("median", median_of(weft.max(*across(least)), median_of(*across(middle)), weft.min(*across(most))))


@weft.program
def vignette(img: Photo, strength: Number) -> weft.Image:
    """a mask of NumPy, multiplied"""
    y, x, c = img.axes
    h, w, _ = img.extents
    dy = y.to(weft.f32) / h.to(weft.f32) - 0.5
    dx = x.to(weft.f32) / w.to(weft.f32) - 0.5
    shade: weft.Value = 1 - strength * (dx * dx + dy * dy)
    return weft.stage("vignette", (img[y, x, c].to(weft.f32) * shade).saturate(weft.u8))


FILTERS = {
    "contrast": (contrast, (1.4, -30.0)),
    "gamma": (gamma, ()),
    "saturation": (saturation, (1.6,)),
    "sepia": (sepia, ()),
    "blur": (blur, ()),
    "sharpen": (sharpen, (1.5,)),
    "edges": (edges, ()),
    "emboss": (emboss, ()),
    "median": (median, ()),
    "vignette": (vignette, (1.2,)),
}

if __name__ == "__main__":
    from PIL import Image

    photo = np.asarray(Image.open(sys.argv[1]).convert("RGB"))
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (program, values) in FILTERS.items():
        Image.fromarray(program(photo, *values)).save(folder / f"{name}.png")
