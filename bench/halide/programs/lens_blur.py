"""examples/lens_blur.mlir in Halide: depth from a stereo pair, and a blur that grows with the distance from the focus."""

import halide as hl
import numpy as np

from definition import edged, half, image, number, sampled_down, sampled_up

SIZES = {"left": (3, 2560, 1536), "right": (3, 2560, 1536)}
NUMBERS = {"focus": 2.0, "scale": 0.5}
TOLERANCE = 1e-5
# The last bits decide which of two shifts costs least, and then a point and those around it look elsewhere.
UNDECIDED = 1e-3
SHIFTS, LEVELS, SAMPLES = 32, 8, 32
VECTOR, STRIP, SMALL = 16, 32, 4


def inputs(random, left, right):
    """A block before a wall, which the right image has further to the right."""
    _, height, width = left
    wall = random.integers(0, 256, (3, height, width + 2), np.uint8)
    left, right = wall[:, :, 2:].copy(), wall[:, :, :-2].copy()
    y, y_end, x, x_end = height // 5, height * 7 // 10, width // 4, width * 2 // 3
    block = random.integers(0, 256, (3, y_end - y, x_end - x), np.uint8)
    left[:, y:y_end, x:x_end] = right[:, y:y_end, x + 10 : x_end + 10] = block
    return {"left": left, "right": right}


def result(left, right):
    return "blurred", left.shape, np.float32


def pipeline(manual):
    x, y, c = map(hl.Var, "xyc")
    left, right = image("left", hl.UInt(8), 3), image("right", hl.UInt(8), 3)
    focus, scale = number("focus"), number("scale")
    wide, tall = left.width(), left.height()
    sizes = [(wide, tall)]
    for _ in range(1, LEVELS):
        sizes.append((half(sizes[-1][0]), half(sizes[-1][1])))

    # In these images of rank 3 c is the shift. A shift is two points wide: the lesser difference counts.
    near_right = edged(right, wide, tall, None)
    cost = hl.Func("cost")
    value = hl.f32(0)
    for channel in range(3):
        own = hl.i16(left[x, y, channel])
        apart = [hl.absd(own, hl.i16(near_right[x + 2 * c + i, y, channel])) for i in (0, 1)]
        least = hl.f32(hl.min(*apart))
        value += least * least
    cost[x, y, c] = value

    # The variance over the shifts.
    shifts = hl.RDom([(0, SHIFTS)], "shifts")
    moments, confidence = hl.Func("moments"), hl.Func("confidence")
    moments[x, y] = (hl.f32(0), hl.f32(0))
    here = cost[x, y, shifts.x]
    moments[x, y] = (moments[x, y][0] + here * here, moments[x, y][1] + here)
    mean_square, mean = (moments[x, y][i] / float(SHIFTS) for i in (0, 1))
    confidence[x, y] = mean_square - mean * mean
    # Twice, so that it can be scheduled apart: for the pyramid, and for the finest level of the way down.
    weighted, at_point = hl.Func("weighted"), hl.Func("weighted_at_point")
    for f in (weighted, at_point):
        f[x, y, c] = cost[x, y, c] * confidence[x, y]

    four = lambda at, i: (at(i - 1) + at(i + 2) + (at(i) + at(i + 1)) * 3.0) / 8.0
    two = lambda at, i: at(i // 2 + i % 2 * 2 - 1) * 0.25 + at(i // 2) * 0.75

    def smoothed(name, finest, at_point):
        """The levels of the pyramid, of the way down again, and what of each is halved or enlarged along x only."""
        rank = [x, y, c][: finest.dimensions()]
        levels, narrow, up = [finest], [None], {}
        for level in range(1, LEVELS):
            size = sizes[level - 1]
            narrow.append(sampled_down(f"{name}_down{level}", levels[-1], size, 0, four))
            levels.append(sampled_down(f"{name}{level}", narrow[-1], (half(size[0]), size[1]), 1, four))
        pulled = {LEVELS - 1: levels[-1]}
        for level in reversed(range(LEVELS - 1)):
            size, small = sizes[level], sizes[level + 1]
            up[level] = sampled_up(f"{name}_up{level}", pulled[level + 1], small, 0, two)
            large = sampled_up(f"{name}_large{level}", up[level], (size[0], small[1]), 1, two)
            pulled[level] = hl.Func(f"{name}_pull{level}")
            own = levels[level] if level else at_point
            pulled[level][tuple(rank)] = (large[tuple(rank)] + own[tuple(rank)]) * 0.5
        return levels, narrow, pulled, up

    costs, weights = smoothed("cost", weighted, at_point), smoothed("conf", confidence, confidence)

    # The first shift of the least cost.
    depth, radius = hl.Func("depth"), hl.Func("radius")
    least = hl.Func("least")
    own = costs[2][0][x, y, shifts.x] / weights[2][0][x, y]
    least[x, y] = (hl.f32(np.inf), hl.f32(0))
    is_less = own < least[x, y][0]
    least[x, y] = (hl.select(is_less, own, least[x, y][0]), hl.select(is_less, hl.f32(shifts.x), least[x, y][1]))
    depth[x, y] = least[x, y][1]
    radius[x, y] = hl.abs(depth[x, y] - focus) * scale

    # The largest radius of all points that may reach this one.
    reach = hl.RDom([(1 - SHIFTS, 2 * SHIFTS - 1)], "reach")
    worst_y, worst = hl.Func("worst_y"), hl.Func("worst")
    worst_y[x, y] = hl.f32(0)
    worst_y[x, y] = hl.max(worst_y[x, y], edged(radius, wide, tall)[x, y + reach])
    worst[x, y] = hl.f32(0)
    worst[x, y] = hl.max(worst[x, y], edged(worst_y, wide, tall)[x + reach, y])

    # Places in a square around the point, from a hash.
    samples = hl.RDom([(0, SAMPLES)], "samples")
    s = hl.Var("s")
    hashed = hl.u32(y) * hl.u32(1973) + hl.u32(x) * hl.u32(9277) + hl.u32(s) * hl.u32(26699)
    hashed = (hashed ^ (hashed >> 15)) * hl.u32(739982445)
    hashed = hashed ^ (hashed >> 15)
    offset = lambda bits: hl.i32((hl.f32(bits) / 65536.0 - 0.5) * (worst[x, y] * 2.0))
    u, v = offset(hashed & 65535), offset(hashed >> 16)
    at_x, at_y = hl.clamp(x + u, 0, wide - 1), hl.clamp(y + v, 0, tall - 1)
    far = hl.f32(u * u + v * v)
    reaches = lambda radius: far < radius * radius
    is_in_front = depth[at_x, at_y] < depth[x, y]
    counts, sample = hl.Func("counts"), hl.Func("sample")
    counts[x, y, s] = (reaches(radius[x, y]) | is_in_front) & reaches(radius[at_x, at_y])
    # Channel 3 counts.
    color = hl.select(c == 3, 1.0, hl.f32(left[at_x, at_y, hl.min(c, 2)]))
    sample[x, y, c, s] = hl.select(counts[x, y, s], color, 0.0)
    total, out = hl.Func("total"), hl.Func("blurred")
    total[x, y, c] = hl.select(c == 3, 1.0, hl.f32(left[x, y, hl.min(c, 2)]))
    total[x, y, c] += sample[x, y, c, samples]
    out[x, y, c] = total[x, y, c] / total[x, y, 3] * hl.f32(1 / 255)

    if manual == "cpu":
        xi, yo = hl.Var("xi"), hl.Var("yo")
        guard, round_up = hl.TailStrategy.GuardWithIf, hl.TailStrategy.RoundUp
        # Costs of the finest level are 32 images of f32: each of their readers computes them anew.
        confidence.compute_root().split(y, yo, y, STRIP, guard).parallel(yo).vectorize(x, VECTOR, guard)
        moments.compute_at(confidence, yo).vectorize(x, VECTOR, guard)
        moments.update().reorder(x, shifts, y).vectorize(x, VECTOR, guard)

        def strips(f, level):
            f.compute_root().split(y, yo, y, STRIP if level < SMALL else 1024, guard).never_partition([y, yo])
            if f.dimensions() == 3:
                f.reorder(x, y, c, yo)
            if level < SMALL:
                f.parallel(yo)

        for levels, narrow, pulled, up in (costs, weights):
            at = c if levels[0].dimensions() == 3 else yo
            for level in range(1, LEVELS):
                strips(levels[level], level)
                levels[level].vectorize(x, VECTOR, guard)
                narrow[level].store_at(levels[level], at).compute_at(levels[level], y).vectorize(x, VECTOR, guard)
                narrow[level].never_partition([y])
            for level in reversed(range(1, LEVELS - 1)):
                strips(pulled[level], level)
                pulled[level].split(x, x, xi, 2, guard).reorder(xi, x, y).unroll(xi).vectorize(x, VECTOR, guard)
                up[level].store_at(pulled[level], at).compute_at(pulled[level], y)
                up[level].split(x, x, xi, 2, round_up).reorder(xi, x, y).unroll(xi).vectorize(x, VECTOR, round_up)
                up[level].never_partition([y])
        weighted.store_at(costs[0][1], c).compute_at(costs[0][1], y).vectorize(x, VECTOR, guard).never_partition([y])
        # The least of a row, shift by shift; the way down to the finest level is inlined, but for one half of it.
        least.compute_root().split(y, yo, y, STRIP, guard).parallel(yo).vectorize(x, VECTOR, guard)
        update = least.update().split(y, yo, y, STRIP, guard).parallel(yo)
        update.reorder(x, shifts, y, yo).vectorize(x, VECTOR, guard)
        weights[2][0].compute_root().split(y, yo, y, STRIP, guard).parallel(yo).vectorize(x, VECTOR, guard)
        half_way = costs[3][0].compute_at(least, shifts)
        half_way.split(x, x, xi, 2, round_up).reorder(xi, x, y).unroll(xi).vectorize(x, VECTOR, round_up).never_partition([y])
        worst_y.compute_root().split(y, yo, y, STRIP, guard).parallel(yo).vectorize(x, VECTOR, guard)
        worst_y.update().split(y, yo, y, STRIP, guard).parallel(yo).reorder(x, reach, y, yo).vectorize(x, VECTOR, guard)
        depth.compute_root().split(y, yo, y, STRIP, guard).parallel(yo).vectorize(x, VECTOR, guard)
        worst.compute_at(out, y).vectorize(x, VECTOR, guard)
        worst.update().reorder(x, reach, y).vectorize(x, VECTOR, guard)
        # For a vector of points all samples, the sums of three colours and the count in registers.
        out.bound(c, 0, 3).split(y, yo, y, STRIP).split(x, x, xi, VECTOR).reorder(xi, c, x, y, yo)
        out.vectorize(xi).unroll(c).parallel(yo)
        total.compute_at(out, x).vectorize(x, VECTOR).unroll(c)
        total.bound(c, 0, 4)
        total.update().reorder(c, x, samples).vectorize(x, VECTOR).unroll(c)
        counts.compute_at(total, samples).vectorize(x, VECTOR)

    if manual == "gpu":
        # A kernel for each level of each pyramid and of the way down; sums and searches over shifts and samples are a thread's own.
        xi, yi = hl.Var("xi"), hl.Var("yi")

        def tiled(f, level=0):
            f.compute_root().gpu_tile(x, y, xi, yi, *((32, 8) if level < SMALL else (8, 8)))
            if f.dimensions() == 3:
                f.gpu_blocks(c)

        tiled(confidence)
        moments.compute_at(confidence, xi)
        for levels, _, pulled, _ in (costs, weights):
            for level in range(1, LEVELS):
                tiled(levels[level], level)
            for level in reversed(range(1, LEVELS - 1)):
                tiled(pulled[level], level)
        tiled(weights[2][0])
        tiled(depth)
        least.compute_at(depth, xi)
        tiled(worst_y)
        worst_y.update().reorder(reach.x, x, y).gpu_tile(x, y, xi, yi, 32, 8)
        out.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, xi, yi, 32, 8)
        worst.compute_at(out, xi)
        total.compute_at(out, xi).bound(c, 0, 4).unroll(c)
        total.update().reorder(c, samples.x, x, y).unroll(c)
    return [left, right, focus, scale], out
