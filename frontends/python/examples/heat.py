"""A heat movie: a plate that is warm where a picture is bright, after more and more time steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import weft


@weft.program
def diffuse(plate: weft.f32["h", "w"], steps: weft.index, rate: weft.f32) -> weft.Image:
    """So many time steps; no heat leaves at the edges."""

    def step(u: weft.Image) -> weft.Image:
        y, x = plate.axes
        around = u.clamp[y - 1, x] + u.clamp[y + 1, x] + u.clamp[y, x - 1] + u.clamp[y, x + 1]
        return weft.stage("step", u[y, x] + rate * (around - 4 * u[y, x]))

    y, x = plate.axes
    first = weft.stage("first", plate[y, x])
    return weft.iterate("diffused", steps, step, first)


def movie(plate: np.ndarray, frames: int, steps: int = 10, rate: float = 0.2) -> Iterator[np.ndarray]:
    """The plate, so many frames, each some steps after the one before."""
    for _ in range(frames):
        plate = diffuse(plate, steps, rate)
        yield plate
