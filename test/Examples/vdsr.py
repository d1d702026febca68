"""VDSR: NumPy, shifted slices of padded arrays and a product of matrices, in f64."""

import numpy as np

from Inputs.harness import main

LAYERS = 20


def program(img, **layers):
    image = img.astype(np.float64)
    height, width = img.shape[1:]
    for layer in range(LAYERS):
        weights, bias = layers[f"w{layer}"].astype(np.float64), layers[f"b{layer}"]
        padded = np.pad(image, ((0, 0), (1, 1), (1, 1)))
        shifted = [padded[:, dy : dy + height, dx : dx + width] for dy in range(3) for dx in range(3)]
        image = np.einsum("tfs,sfyx->tyx", weights.reshape(*weights.shape[:2], 9), shifted, optimize=True) + bias[:, None, None]
        if layer + 1 < LAYERS:
            image = np.maximum(image, 0)
    return {"sharp": image + img}


def inputs(random, img=(1, 19, 23), w1=(5, 5, 3, 3)):
    channels = [1] + [w1[0]] * (LAYERS - 1) + [1]
    arrays = {"img": random.random(img, np.float32)}
    for layer, (before, after) in enumerate(zip(channels, channels[1:])):
        # As He et al. initialise: values stay about as large from layer to layer.
        scale = np.float32(np.sqrt(2 / (9 * before)))
        arrays[f"w{layer}"] = random.standard_normal((after, before, 3, 3), np.float32) * scale
        arrays[f"b{layer}"] = random.standard_normal(after, np.float32) * np.float32(0.1)
    return arrays


main(program, inputs, tolerance=1e-5)
