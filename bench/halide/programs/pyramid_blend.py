"""examples/pyramid_blend.mlir in Halide: two images become one along a mask, four levels, each of which repeats its own edge."""

import halide as hl
import numpy as np

from definition import half, image, sampled_down, sampled_up

SIZES = {"a": (3, 2160, 3840), "b": (3, 2160, 3840), "mask": (1, 2160, 3840)}
TOLERANCE = 1e-6
LEVELS = 4


def inputs(random, a, b, mask):
    return {"a": random.random(a, np.float32), "b": random.random(b, np.float32), "mask": random.random(mask, np.float32)}


def result(a, b, mask):
    return "blended", a.shape, np.float32


def pipeline(manual):
    x, y, c = map(hl.Var, "xyc")
    a, b, mask = (image(name, hl.Float(32), 3) for name in ["a", "b", "mask"])
    sizes = [(a.width(), a.height())]
    for _ in range(1, LEVELS):
        sizes.append((half(sizes[-1][0]), half(sizes[-1][1])))

    binomial = lambda at, i: (at(i - 2) + at(i + 2) + (at(i - 1) + at(i + 1)) * 4.0 + at(i) * 6.0) / 16.0

    def between(at, i):
        even = (at(i // 2 - 1) + at(i // 2) * 6.0 + at(i // 2 + 1)) / 8.0
        return hl.select(i % 2 == 0, even, (at(i // 2) + at(i // 2 + 1)) / 2.0)

    def pyramid(name, source):
        levels = [source]
        for level in range(1, LEVELS):
            wide, tall = sizes[level - 1]
            narrow = sampled_down(f"{name}_downx{level}", levels[-1], (wide, tall), 0, binomial)
            levels.append(sampled_down(f"{name}_down{level}", narrow, (half(wide), tall), 1, binomial))
        return levels

    def enlarged(name, source, level):
        """To the size of a level, from the next one."""
        (wide, _), small = sizes[level], sizes[level + 1]
        along_x = sampled_up(f"{name}_upx{level}", source, small, 0, between)
        return sampled_up(f"{name}_up{level}", along_x, (wide, small[1]), 1, between)

    pyramids = {name: pyramid(name, source) for name, source in [("a", a), ("b", b), ("mask", mask)]}

    def laplacian(name, level):
        f, levels = hl.Func(f"{name}_laplace{level}"), pyramids[name]
        large = enlarged(name, levels[level + 1], level) if level < LEVELS - 1 else None
        f[x, y, c] = levels[level][x, y, c] - large[x, y, c] if large else levels[level][x, y, c]
        return f

    blended = []
    for level in range(LEVELS):
        f, part = hl.Func(f"blend{level}"), pyramids["mask"][level][x, y, 0]
        f[x, y, c] = laplacian("a", level)[x, y, c] * part + laplacian("b", level)[x, y, c] * (1.0 - part)
        blended.append(f)
    results = {LEVELS - 1: blended[-1]}
    for level in reversed(range(LEVELS - 1)):
        results[level] = hl.Func(f"out{level}")
        results[level][x, y, c] = enlarged("out", results[level + 1], level)[x, y, c] + blended[level][x, y, c]
    out = hl.Func("blended")
    out[x, y, c] = hl.clamp(results[0][x, y, c], 0.0, 1.0)

    if manual == "gpu":
        # A kernel a level; what is halved or enlarged along x only is computed where it is read.
        xi, yi = hl.Var("xi"), hl.Var("yi")
        levels = [pyramids[name][level] for level in range(1, LEVELS) for name in pyramids]
        for f in [*levels, *(results[level] for level in reversed(range(1, LEVELS))), out]:
            f.compute_root().gpu_tile(x, y, xi, yi, 32, 8).gpu_blocks(c)
    return [a, b, mask], out
