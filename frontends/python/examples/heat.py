"""A heat movie: a plate that is warm where a picture is bright, after more and more time steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
import numpy.typing as npt
import weft

Plate = Annotated[weft.Image, weft.f32["h", "w"]]
Steps = Annotated[weft.Value, weft.index]
Number = Annotated[weft.Value, weft.f32]


@weft.program
def diffuse(plate: Plate, steps: Steps, rate: Number) -> weft.Image:
    """So many time steps; no heat leaves at the edges."""

    def step(u: weft.Image) -> weft.Image:
        y, x = plate.axes
        around = u.clamp[y - 1, x] + u.clamp[y + 1, x] + u.clamp[y, x - 1] + u.clamp[y, x + 1]
        return weft.stage("step", u[y, x] + rate * (around - 4 * u[y, x]))

    y, x = plate.axes
    first = weft.stage("first", plate[y, x])
    diffused: weft.Image = weft.iterate("diffused", steps, step, first)
    return diffused


def movie(plate: npt.NDArray[np.float32], frames: int, steps: int = 10, rate: float = 0.2) -> Iterator[npt.NDArray[np.float32]]:
    """The plate, so many frames, each some steps after the one before."""
    for _ in range(frames):
        plate = diffuse(plate, steps, rate)
        yield plate
