"""The gallery, each program beside a line of NumPy or SciPy that does the same; OpenCV where it is there."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

try:
    import cv2
except ImportError:
    cv2 = None

FOLDER = Path(__file__).parents[1] / "examples"
DATA = Path(__file__).parents[3] / "examples" / "data"
RANDOM = np.random.default_rng(7)


def module(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


def photo():
    image = pytest.importorskip("PIL.Image")
    return np.asarray(image.open(DATA / "chelsea.png").convert("RGB"))[:121, :203]


def grey(photo):
    return photo @ np.array([0.299, 0.587, 0.114])


def weighted(photo):
    k = np.array([1, 4, 6, 4, 1]) / 16
    rows = ndimage.correlate1d(photo.astype(np.float64), k, axis=1, mode="mirror")
    return ndimage.correlate1d(rows, k, axis=0, mode="mirror")


def lengths(photo):
    plane = grey(photo)
    gx = ndimage.sobel(plane, axis=1, mode="mirror")
    gy = ndimage.sobel(plane, axis=0, mode="mirror")
    return np.hypot(gx, gy)


def shade(photo, strength):
    h, w, _ = photo.shape
    dy, dx = np.arange(h) / h - 0.5, np.arange(w) / w - 0.5
    return photo * (1 - strength * (dy[:, None] ** 2 + dx[None, :] ** 2))[..., None]


MIX = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
REFERENCES = {
    "contrast": lambda p, gain, offset: p * gain + offset,
    "gamma": lambda p: 255 * (p / 255) ** (1 / 2.2),
    "saturation": lambda p, amount: grey(p)[..., None] + amount * (p - grey(p)[..., None]),
    "sepia": lambda p: p @ MIX.T,
    "blur": lambda p: weighted(p),
    "sharpen": lambda p, amount: p + amount * (p - weighted(p)),
    "edges": lambda p: lengths(p),
    "emboss": lambda p: (
        128
        + np.pad(p.astype(int), ((1, 1), (1, 1), (0, 0)), "reflect")[2:, 2:]
        - np.pad(p.astype(int), ((1, 1), (1, 1), (0, 0)), "reflect")[:-2, :-2]
    ),
    "median": lambda p: ndimage.median_filter(p, size=(3, 3, 1), mode="nearest"),
    "vignette": lambda p, strength: shade(p, strength),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_photo_editor(name):
    editor = module("photo_editor")
    picture = photo()
    program, values = editor.FILTERS[name]
    found = program(picture, *values)
    expected = np.clip(np.rint(REFERENCES[name](picture.astype(np.float64), *values)), 0, 255)
    assert found.dtype == np.uint8 and found.shape == expected.shape
    # Floats of 32 bits end on the other side of a half now and then.
    assert np.abs(found - expected).max() <= 1 and np.mean(found != expected) < 0.002


@pytest.mark.skipif(cv2 is None, reason="no OpenCV")
def test_photo_editor_as_opencv():
    editor = module("photo_editor")
    picture = photo()
    k = cv2.getGaussianKernel(5, 0)
    assert np.abs(editor.blur(picture).astype(int) - cv2.sepFilter2D(picture, -1, k, k)).max() <= 1
    assert np.array_equal(editor.median(picture)[1:-1, 1:-1], cv2.medianBlur(picture, 3)[1:-1, 1:-1])


def test_camera_raw():
    camera = module("camera_raw")
    y, x = np.mgrid[0:60, 0:80]
    smooth = np.stack([60 + y, 80 + x, 200 - y - x / 2], axis=-1).astype(np.uint8)
    raw = camera.mosaic(smooth)
    found = camera.develop(raw, 1.0, 1.0)
    # A picture without edges comes back.
    assert found.shape == smooth.shape and np.abs(found[2:-2, 2:-2].astype(int) - smooth[2:-2, 2:-2]).max() <= 2


def test_stereo():
    stereo = module("stereo")
    right = RANDOM.integers(0, 256, (40, 90), dtype=np.uint8)
    left = np.roll(right, 9, axis=1)
    assert (stereo.disparity(left, right)[:, 40:80] == 9).all()


def test_heat():
    heat = module("heat")
    plate = RANDOM.random((30, 41)).astype(np.float32)
    expected = plate
    for frame in heat.movie(plate, 3, steps=5):
        for _ in range(5):
            around = ndimage.correlate(expected, np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], np.float32), mode="nearest")
            expected = expected + np.float32(0.2) * around
        assert np.allclose(frame, expected, atol=1e-5)


def test_microscopy():
    microscopy = module("microscopy")
    cells = RANDOM.integers(0, 4096, (70, 91), dtype=np.uint16)
    size = 2 * microscopy.RADIUS + 1
    window = np.lib.stride_tricks.sliding_window_view(np.pad(cells.astype(np.int64), microscopy.RADIUS, "edge"), (size, size))
    expected = np.maximum(cells - window.sum(axis=(2, 3)) // size**2, 0)
    assert np.array_equal(microscopy.background_removed(cells), expected)


def test_cnn():
    cnn = module("cnn")
    n = cnn.CHANNELS
    img = RANDOM.normal(size=(3, 20, 31)).astype(np.float32)
    first, second = (RANDOM.normal(size=(n, i, 3, 3)).astype(np.float32) for i in (3, n))
    last = RANDOM.normal(size=(1, n)).astype(np.float32)

    def layer(image, weights):
        padded = np.pad(image.astype(np.float64), ((0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
        return np.maximum(np.einsum("cyxij,ocij->oyx", windows, weights), 0)

    expected = np.einsum("kyx,ok->oyx", layer(layer(img, first), second), last)
    assert np.allclose(cnn.network(img, first, second, last), expected, rtol=1e-4, atol=1e-3)
