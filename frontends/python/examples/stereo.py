"""How far points of two pictures lie apart: for each the shift whose window of 7 x 7 differs least (cv2.StereoBM)."""

from __future__ import annotations

from typing import Annotated

import weft

Grey = Annotated[weft.Image, weft.u8["h", "w"]]


@weft.program
def disparity(left: Grey, right: Grey) -> weft.Image:
    """The shift, 0 to 31, of each point."""
    y, x = left.axes
    (d,) = weft.axes(32)
    apart = weft.stage("apart", abs(left[y, x].to(weft.i32) - right.clamp[y, x - d].to(weft.i32)), axes=(d, y, x))
    i, j = weft.window(-3, 4), weft.window(-3, 4)
    across = weft.stage("across", weft.sum(apart.clamp[d, y, x + j], j), axes=(d, y, x))
    cost = weft.stage("cost", weft.sum(across.clamp[d, y + i, x], i), axes=(d, y, x))
    shift = weft.window(0, 32)
    _, best = weft.reduce(
        lambda least, best: (
            weft.min(least, cost[shift, y, x]),
            weft.where(cost[shift, y, x] < least, shift.to(weft.i32), best),
        ),
        (weft.constant(2**30, weft.i32), weft.constant(0, weft.i32)),
        shift,
    )
    shifted: weft.Value = best.to(weft.u8)
    return weft.stage("disparity", shifted)
