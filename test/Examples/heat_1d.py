"""Steps of the heat equation: SciPy, its discrete Laplacian."""

from scipy import ndimage

from Inputs.harness import main


def program(u, steps):
    for _ in range(steps):
        u = u + ndimage.laplace(u, mode="nearest") / 8
    return {"last": u}


def inputs(random, u=(1013,)):
    return {"u": random.random(u)}


main(program, inputs, tolerance=1e-14, numbers={"steps": 7}, whole={"steps": 1000})
