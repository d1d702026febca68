"""A small network on a picture: two layers of 3 x 3, a rectifier behind each, and a layer of 1 x 1."""

from __future__ import annotations

from typing import Annotated

import weft

CHANNELS = 8
Picture = Annotated[weft.Image, weft.f32[3, "h", "w"]]
First = Annotated[weft.Image, weft.f32[CHANNELS, 3, 3, 3]]
Second = Annotated[weft.Image, weft.f32[CHANNELS, CHANNELS, 3, 3]]
Last = Annotated[weft.Image, weft.f32[1, CHANNELS]]


def convolution(name: str, image: weft.Image, weights: weft.Image, inputs: int, outputs: int) -> weft.Image:
    """A layer of 3 x 3, the border zero, and a rectifier: torch.nn.functional.conv2d with padding 1, then relu."""
    (o,) = weft.axes(outputs)
    _, y, x = image.axes
    k, i, j = weft.window(0, inputs), weft.window(-1, 2), weft.window(-1, 2)
    total = weft.sum(weights[o, k, i + 1, j + 1] * image.constant(0)[k, y + i, x + j], k, i, j)
    return weft.stage(name, weft.max(total, 0.0), axes=(o, y, x))


@weft.program
def network(
    img: Picture,
    first: First,
    second: Second,
    last: Last,
) -> weft.Image:
    """What the network makes of a picture, one plane."""
    hidden = convolution("hidden", img, first, 3, CHANNELS)
    deeper = convolution("deeper", hidden, second, CHANNELS, CHANNELS)
    (o,) = weft.axes(1)
    _, y, x = img.axes
    k = weft.window(0, CHANNELS)
    return weft.stage("score", weft.sum(last[o, k] * deeper[k, y, x], k), axes=(o, y, x))
