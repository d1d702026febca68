"""Twelve operations as people write them in Python: with Weft, OpenCV, SciPy or scikit-image, and Numba where that is natural.

Each is a function of a picture that takes no other argument; `operations()` gives them by name. All compute the same to a level or two,
which `run` checks before it measures.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import weft

sys.path.insert(0, str(Path(__file__).parents[2] / "frontends" / "python" / "examples"))
import heat as heat_movie
import photo_editor as editor

try:
    import cv2
except ImportError:
    cv2 = None
try:
    from scipy import ndimage
except ImportError:
    ndimage = None
try:
    import numba
except ImportError:
    numba = None

CURVE = np.rint(255 * (np.arange(256) / 255) ** (1 / 2.2)).astype(np.uint8)
SEPIA = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]], np.float32)
KERNEL = np.array([1, 4, 6, 4, 1], np.float32) / 16
GREY = np.array([0.299, 0.587, 0.114], np.float32)


@weft.program
def grey(img: weft.u8["h", "w", 3]):
    y, x, _ = img.axes
    return weft.stage("grey", editor.luma(img, y, x).saturate(weft.u8))


@weft.program
def threshold(img: weft.u8["h", "w", 3]):
    y, x, c = img.axes
    return weft.stage("threshold", weft.where(img[y, x, c] > 127, weft.constant(255, weft.u8), 0))


@weft.program
def half(img: weft.u8["h", "w", 3]):
    h, w, _ = img.extents
    y, x, c = weft.axes(h // 2, w // 2, 3)
    total = sum(img[2 * y + i, 2 * x + j, c].to(weft.i32) for i in range(2) for j in range(2))
    return weft.stage("half", ((total + 2) >> 2).to(weft.u8))


@weft.program
def add(img: weft.u8["h", "w", 3]):
    y, x, c = img.axes
    return weft.stage("add", (img[y, x, c].to(weft.i32) * 3 // 4 + 40).saturate(weft.u8))


@weft.program
def erode(img: weft.u8["h", "w", 3]):
    y, x, c = img.axes
    rows = weft.stage("rows", weft.min(*(img.clamp[y, x + i, c] for i in range(-2, 3))))
    return weft.stage("eroded", weft.min(*(rows.clamp[y + i, x, c] for i in range(-2, 3))))


def smooth(img):
    """The same with OpenCV."""
    return cv2.sepFilter2D(img, -1, KERNEL, KERNEL)


def lengths(img):
    """The same with OpenCV."""
    plane = cv2.transform(img, GREY[None]).astype(np.float32)
    gx, gy = cv2.Sobel(plane, cv2.CV_32F, 1, 0), cv2.Sobel(plane, cv2.CV_32F, 0, 1)
    return cv2.convertScaleAbs(cv2.magnitude(gx, gy))


def scipy_smooth(img):
    """The same with SciPy."""
    rows = ndimage.correlate1d(img, KERNEL, axis=1, mode="mirror", output=np.float32)
    return np.clip(np.rint(ndimage.correlate1d(rows, KERNEL, axis=0, mode="mirror")), 0, 255).astype(np.uint8)


def numba_functions():
    """Loops that Numba compiles, on all cores."""

    @numba.njit(parallel=True, fastmath=False)
    def grey(img):
        h, w, _ = img.shape
        out = np.empty((h, w), np.uint8)
        for y in numba.prange(h):
            for x in range(w):
                out[y, x] = np.uint8(
                    np.rint(np.float32(0.299) * img[y, x, 0] + np.float32(0.587) * img[y, x, 1] + np.float32(0.114) * img[y, x, 2])
                )
        return out

    @numba.njit(parallel=True)
    def threshold(img):
        h, w, d = img.shape
        out = np.empty((h, w, d), np.uint8)
        for y in numba.prange(h):
            for x in range(w):
                for c in range(d):
                    out[y, x, c] = 255 if img[y, x, c] > 127 else 0
        return out

    @numba.njit(parallel=True)
    def half(img):
        h, w, d = img.shape[0] // 2, img.shape[1] // 2, img.shape[2]
        out = np.empty((h, w, d), np.uint8)
        for y in numba.prange(h):
            for x in range(w):
                for c in range(d):
                    total = np.int32(img[2 * y, 2 * x, c]) + img[2 * y, 2 * x + 1, c] + img[2 * y + 1, 2 * x, c]
                    out[y, x, c] = (total + img[2 * y + 1, 2 * x + 1, c] + 2) >> 2
        return out

    @numba.njit(parallel=True)
    def diffuse(plate):
        h, w = plate.shape
        one, other = plate.copy(), np.empty_like(plate)
        for _ in range(20):
            for y in numba.prange(h):
                up, down = max(y - 1, 0), min(y + 1, h - 1)
                for x in range(w):
                    left, right = max(x - 1, 0), min(x + 1, w - 1)
                    around = one[up, x] + one[down, x] + one[y, left] + one[y, right]
                    other[y, x] = one[y, x] + np.float32(0.2) * (around - np.float32(4) * one[y, x])
            one, other = other, one
        return one

    return {"grey": grey, "threshold": threshold, "half": half, "heat, 20 steps": diffuse}


def operations(photo, plate):
    """By name: the picture, and the function of each who can."""
    others = numba_functions() if numba else {}
    found = {
        "blur 5x5": (photo, editor.blur, smooth, scipy_smooth),
        "sharpen": (photo, lambda a: editor.sharpen(a, 1.5), lambda a: cv2.addWeighted(a, 2.5, smooth(a), -1.5, 0), None),
        "edges": (photo, editor.edges, lengths, None),
        "median 3x3": (photo, editor.median, lambda a: cv2.medianBlur(a, 3), lambda a: ndimage.median_filter(a, size=(3, 3, 1), mode="nearest")),
        "erode 5x5": (
            photo,
            erode,
            lambda a: cv2.erode(a, np.ones((5, 5), np.uint8), borderType=cv2.BORDER_REPLICATE),
            lambda a: ndimage.grey_erosion(a, size=(5, 5, 1), mode="nearest"),
        ),
        "gamma": (photo, editor.gamma, lambda a: cv2.LUT(a, CURVE), lambda a: CURVE[a]),
        "sepia": (photo, editor.sepia, lambda a: cv2.transform(a, SEPIA), lambda a: np.clip(np.rint(a @ SEPIA.T), 0, 255).astype(np.uint8)),
        "grey": (photo, grey, lambda a: cv2.cvtColor(a, cv2.COLOR_RGB2GRAY), lambda a: np.rint(a @ GREY).astype(np.uint8)),
        "threshold": (photo, threshold, lambda a: cv2.threshold(a, 127, 255, cv2.THRESH_BINARY)[1], lambda a: np.where(a > 127, np.uint8(255), np.uint8(0))),
        "half": (photo, half, lambda a: cv2.resize(a, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), None),
        "vignette": (photo, lambda a: editor.vignette(a, 1.2), None, None),
        "heat, 20 steps": (plate, lambda a: heat_movie.diffuse(a, 20, 0.2), None, None),
    }
    return {name: (image, {"Weft": ours, "OpenCV": cv and cv2 and cv, "SciPy": sp and ndimage and sp, "Numba": others.get(name)}) for name, (image, ours, cv, sp) in found.items()}
