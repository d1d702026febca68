"""Cells without their background: what is left of an image above the mean of a wide window, by sums that run along rows and columns."""

from __future__ import annotations

from typing import Annotated

import weft

RADIUS = 15
Raw = Annotated[weft.Image, weft.u16["h", "w"]]


@weft.program
def background_removed(img: Raw) -> weft.Image:
    """How far each point is above the mean of 31 x 31 around it, the edge repeated; 0 where it is not."""
    y, x = img.axes
    h, w = img.extents
    # The sums before each point, one more than there are points: a window's is a difference of two.
    padded_h, padded_w = h + 2 * RADIUS, w + 2 * RADIUS
    py, px = weft.axes(padded_h, padded_w)
    own = weft.stage("own", img.clamp[py - RADIUS, px - RADIUS].to(weft.i64))
    none = weft.constant(0, weft.i64)
    rows = weft.scan("rows", lambda s: s.previous(1, none) + own[py, px], along=px)
    table = weft.scan("table", lambda s: s.previous(1, none) + rows[py, px], along=py)
    at = table.constant(0)
    total = at[y + 2 * RADIUS, x + 2 * RADIUS] - at[y - 1, x + 2 * RADIUS] - at[y + 2 * RADIUS, x - 1] + at[y - 1, x - 1]
    mean = total // (2 * RADIUS + 1) ** 2
    return weft.stage("foreground", weft.max(img[y, x].to(weft.i64) - mean, 0).to(weft.u16))
