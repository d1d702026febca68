"""examples/local_laplacian.mlir in Halide: local Laplacian filter, 8 levels, 8 intensities, each level repeats its own edge."""

import halide as hl
import numpy as np

from definition import half, image, number, sampled_down, sampled_up

SIZES = {"img": (3, 2560, 1536)}
NUMBERS = {"alpha": 0.142857, "beta": 1.0}
# 16-bit values: the last step of a sum of floats may take one to its neighbour, which intensity is the nearest one may too.
TOLERANCE = 2
UNDECIDED = 1e-4
LEVELS, INTENSITIES = 8, 8
VECTOR, STRIP, SMALL = 16, 16, 4


def inputs(random, img):
    smooth = np.cumsum(np.cumsum(random.standard_normal(img), 1), 2)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min()) * 0.9 + random.random(smooth.shape) * 0.1
    return {"img": (smooth * 65535).astype(np.uint16)}


def result(img):
    return "out", img.shape, np.uint16


def pipeline(manual):
    x, y, c, d = map(hl.Var, "xycd")
    img, alpha, beta = image("img", hl.UInt(16), 3), number("alpha"), number("beta")
    steps, most = INTENSITIES - 1, (INTENSITIES - 1) * 256
    sizes = [(img.width(), img.height())]
    for _ in range(1, LEVELS):
        sizes.append((half(sizes[-1][0]), half(sizes[-1][1])))

    floating, gray = hl.Func("floating"), [hl.Func("gray0")]
    floating[x, y, c] = hl.f32(img[x, y, c]) / 65535.0
    gray[0][x, y] = hl.f32(0.299) * floating[x, y, 0] + hl.f32(0.587) * floating[x, y, 1] + hl.f32(0.114) * floating[x, y, 2]

    four = lambda at, i: (at(i - 1) + 3.0 * (at(i) + at(i + 1)) + at(i + 2)) / 8.0
    two = lambda at, i: 0.25 * at(i // 2 - 1 + i % 2 * 2) + 0.75 * at(i // 2)

    def pyramid(name, levels):
        """Fills a list that has the finest level; returns what is halved along x only."""
        narrow = [None]
        for level in range(1, LEVELS):
            wide, tall = sizes[level - 1]
            narrow.append(sampled_down(f"{name}_downx{level}", levels[-1], (wide, tall), 0, four))
            levels.append(sampled_down(f"{name}{level}", narrow[-1], (half(wide), tall), 1, four))
        return narrow

    def enlarged(name, source, level):
        """To the size of a level, from the next one; and what is enlarged along x only."""
        (wide, _), small = sizes[level], sizes[level + 1]
        along_x = sampled_up(f"{name}x{level}", source, small, 0, two)
        return sampled_up(f"{name}{level}", along_x, (wide, small[1]), 1, two), along_x

    gray_narrow = pyramid("gray", gray)
    table = hl.Func("remap")
    difference = hl.f32(d - most) / 256.0
    table[d] = alpha * difference * hl.exp(-(difference * difference) / 2.0)
    own = gray[0][x, y]
    level_of = hl.f32(c) / float(steps)
    index = hl.clamp(hl.i32(own * float(most)), 0, most)
    # Twice, so that it can be scheduled apart: for the pyramid, and at the two intensities of each point of the finest level.
    remapped, at_point = [hl.Func("remapped0")], hl.Func("remapped")
    for f in (remapped[0], at_point):
        f[x, y, c] = beta * (own - level_of) + level_of + table[hl.clamp(index - c * 256 + most, 0, 2 * most)]
    narrow = pyramid("remapped", remapped)

    laplacian, up = [], []
    for level in range(LEVELS):
        f = hl.Func(f"laplace{level}")
        if level < LEVELS - 1:
            large, along_x = enlarged("up", remapped[level + 1], level)
            up.append(along_x)
            f[x, y, c] = (remapped[level] if level else at_point)[x, y, c] - large[x, y, c]
        else:
            f[x, y, c] = remapped[level][x, y, c]
        laplacian.append(f)

    chosen = []
    for level in range(LEVELS):
        f = hl.Func(f"out_laplace{level}")
        place = gray[level][x, y] * float(steps)
        index = hl.clamp(hl.i32(place), 0, INTENSITIES - 2)
        fraction = place - hl.f32(index)
        f[x, y] = laplacian[level][x, y, index] * (1.0 - fraction) + laplacian[level][x, y, index + 1] * fraction
        chosen.append(f)

    results, out_up = {LEVELS - 1: chosen[-1]}, {}
    for level in reversed(range(LEVELS - 1)):
        large, out_up[level] = enlarged("out_up", results[level + 1], level)
        results[level] = hl.Func(f"out{level}")
        results[level][x, y] = large[x, y] + chosen[level][x, y]

    out = hl.Func("out")
    color = results[0][x, y] * ((floating[x, y, c] + hl.f32(0.01)) / (gray[0][x, y] + hl.f32(0.01)))
    out[x, y, c] = hl.u16(hl.clamp(color, 0.0, 1.0) * 65535.0)

    if manual == "cpu":
        xi, yo = hl.Var("xi"), hl.Var("yo")
        guard, round_up = hl.TailStrategy.GuardWithIf, hl.TailStrategy.RoundUp
        table.compute_root().vectorize(d, VECTOR, guard)
        gray[0].compute_root().split(y, yo, y, STRIP, guard).parallel(yo).vectorize(x, VECTOR, guard)

        def strips(f, level, rank):
            f.compute_root().split(y, yo, y, STRIP if level < SMALL else 1024, guard).never_partition([y, yo])
            if rank == 3:
                f.reorder(x, y, c, yo)
            if level < SMALL:
                f.parallel(yo)

        for level in range(1, LEVELS):
            for f, before, rank in [(gray[level], gray_narrow[level], 2), (remapped[level], narrow[level], 3)]:
                strips(f, level, rank)
                f.vectorize(x, VECTOR, guard)
                # Rows slide: each is halved along x once in a strip.
                before.store_at(f, c if rank == 3 else yo).compute_at(f, y).vectorize(x, VECTOR, guard).never_partition([y])
        remapped[0].store_at(remapped[1], c).compute_at(remapped[1], y).vectorize(x, VECTOR, guard).never_partition([y])
        for level in reversed(range(LEVELS - 1)):
            f = results[level]
            strips(f, level, 2)
            f.split(x, x, xi, 2, guard).reorder(xi, x, y).unroll(xi).vectorize(x, VECTOR, guard)
            out_up[level].store_at(f, yo).compute_at(f, y)
            out_up[level].split(x, x, xi, 2, round_up).reorder(xi, x, y).unroll(xi).vectorize(x, VECTOR, round_up)
            out_up[level].never_partition([y])
            # Two of the eight are chosen at each point; all of a row are enlarged.
            up[level].store_at(f, yo).compute_at(f, y).bound(c, 0, INTENSITIES)
            up[level].split(x, x, xi, 2, round_up).reorder(xi, x, y, c).unroll(xi).vectorize(x, VECTOR, round_up)
            up[level].never_partition([y])
        chosen[-1].compute_root()
        out.bound(c, 0, 3).split(y, yo, y, STRIP).reorder(x, c, y, yo).parallel(yo).vectorize(x, VECTOR)

    if manual == "gpu":
        # A kernel for each level of each pyramid; what is halved or enlarged along x only is computed where it is read.
        xi, yi, di = map(hl.Var, ["xi", "yi", "di"])
        table.compute_root().gpu_tile(d, di, 32)
        gray[0].compute_root().gpu_tile(x, y, xi, yi, 32, 8)
        for level in range(1, LEVELS):
            wide, tall = (32, 8) if level < SMALL else (8, 8)
            gray[level].compute_root().gpu_tile(x, y, xi, yi, wide, tall)
            remapped[level].compute_root().reorder(c, x, y).gpu_tile(x, y, xi, yi, wide, tall)
        for level in range(1, LEVELS):
            results[level].compute_root().gpu_tile(x, y, xi, yi, *((32, 8) if level < SMALL else (8, 8)))
        out.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, xi, yi, 32, 8)
        results[0].compute_at(out, xi)
    return [img, alpha, beta], out
