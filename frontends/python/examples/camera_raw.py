"""From a camera's sensor to a picture: black level, white balance, bilinear demosaicing of a Bayer pattern (RGGB), colour, a curve.

python camera_raw.py photo.png out.png      makes a mosaic of a photograph, and develops it again
"""

from __future__ import annotations

import sys
from typing import Annotated

import numpy as np
import numpy.typing as npt
import weft

BLACK = 64
WHITE = 1023
Raw = Annotated[weft.Image, weft.u16["h", "w"]]
Number = Annotated[weft.Value, weft.f32]


@weft.program
def develop(raw: Raw, red: Number, blue: Number) -> weft.Image:
    """A sensor's numbers, 10 bits each, as a picture of `uint8`."""
    y, x = raw.axes
    is_row, is_column = (y % 2).to(weft.i32) == 1, (x % 2).to(weft.i32) == 1
    level = weft.max(raw[y, x].to(weft.i32) - BLACK, 0).to(weft.f32) / (WHITE - BLACK)
    gain = weft.where(is_row & is_column, blue, weft.where(is_row | is_column, weft.constant(1.0, weft.f32), red))
    flat = weft.stage("balanced", level * gain).reflect101

    own = flat[y, x]
    across = (flat[y, x - 1] + flat[y, x + 1]) / 2
    along = (flat[y - 1, x] + flat[y + 1, x]) / 2
    cross = (across + along) / 2
    corners = (flat[y - 1, x - 1] + flat[y - 1, x + 1] + flat[y + 1, x - 1] + flat[y + 1, x + 1]) / 4
    # Where red lies, where blue does, and greens in rows of red and of blue.
    reds = weft.where(is_row, weft.where(is_column, corners, along), weft.where(is_column, across, own))
    greens = weft.where(is_row, weft.where(is_column, cross, own), weft.where(is_column, own, cross))
    blues = weft.where(is_row, weft.where(is_column, own, across), weft.where(is_column, along, corners))
    rgb = weft.stage("demosaiced", (reds, greens, blues))

    (c,) = weft.axes(3)
    linear = weft.where(c.to(weft.i32) == 0, rgb[0][y, x], weft.where(c.to(weft.i32) == 1, rgb[1][y, x], rgb[2][y, x]))
    curved = weft.pow(weft.clip(linear, 0.0, 1.0), 1 / 2.2)
    return weft.stage("developed", (curved * 255).saturate(weft.u8), axes=(y, x, c))


def mosaic(photo: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """What a sensor would have seen of a picture."""
    linear = (photo / 255.0) ** 2.2 * (WHITE - BLACK) + BLACK
    raw = np.rint(linear[..., 1]).astype(np.uint16)
    raw[0::2, 0::2] = np.rint(linear[0::2, 0::2, 0])
    raw[1::2, 1::2] = np.rint(linear[1::2, 1::2, 2])
    return raw


if __name__ == "__main__":
    from PIL import Image

    photo = np.asarray(Image.open(sys.argv[1]).convert("RGB"))
    Image.fromarray(develop(mosaic(photo), 1.0, 1.0)).save(sys.argv[2])
