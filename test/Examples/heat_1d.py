"""Steps of the heat equation: SciPy, its discrete Laplacian."""

from scipy import ndimage

from Inputs.harness import main


def program(u, steps):
    for _ in range(steps):
        u = u + ndimage.laplace(u, mode="nearest") / 8
    return {"last": u}


def inputs(random):
    return {"u": random.random(1013)}


main(program, inputs, tolerance=1e-14, numbers={"steps": 7})
