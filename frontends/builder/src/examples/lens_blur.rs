//! Lens blur: how far away each point is, from two pictures, and a blur that grows with the distance from what is in focus.
//!
//! ```text
//! left --+-> cost (shift, y, x) --> pyramid --+-> least --> radius --> worst --+-> samples --> blurred
//! right -+-> confidence (y, x) ---> pyramid --+             (how far a point's light is spread)
//! ```

use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "lens_blur",
    about: "Lens blur of the left image of a stereo pair, after Halide's app: how much the colours differ for each of 32 shifts; \
            these costs, weighted by how sure they are, smoothed by a pyramid of 8 levels; the shift of least cost as depth; and \
            32 samples around each point, of which those count whose blur reaches it. Other than in the app halves are rounded up, \
            and samples are from a hash of their own. `focus` is the shift that stays sharp, 0 to 31, `scale` the growth of the \
            radius with distance from it, 0 to 1.",
    run: RUN,
    program: |p| program(p, Size { shifts: 32, levels: 8, samples: 32 }),
};

pub(super) static SMALL: Example = Example {
    name: "lens_blur",
    about: "Lens blur with 8 shifts instead of 32 and 4 pyramid levels instead of 8: examples/lens_blur.mlir otherwise.",
    run: RUN,
    program: |p| program(p, Size { shifts: 8, levels: 4, samples: 32 }),
};

const RUN: &str = "--arg left=left.png --arg right=right.png --arg focus=2 --arg scale=0.5 --out blurred=blurred.png";

/// How much there is of everything.
#[derive(Clone, Copy)]
struct Size {
    /// Distances of a point's two places that are tried, in steps of two points.
    shifts: i32,
    /// Levels of the pyramids, the image itself being one.
    levels: usize,
    /// Points around each one that may lend it their colour.
    samples: i64,
}

/// Half of an image along its last two dimensions: 1 3 3 1, along rows and along columns.
fn push<'p, const N: usize>(
    p: &'p Pipeline,
    name: &str,
    level: usize,
    image: Image<'p>,
    vars: [Var<'p>; N],
) -> Image<'p> {
    let four =
        |at: &dyn Fn(Expr<'p>) -> Expr<'p>, i: Expr<'p>| (at(i - 1) + at(i + 2) + (at(i) + at(i + 1)) * 3.0) / 8.0;
    let narrow = p.down(&format!("{name}_down{level}"), image.clamp(), vars, N - 1, four);
    p.down(&format!("{name}{level}"), narrow.clamp(), vars, N - 2, four)
}

/// The mean of an image and of a coarser one, made as large again.
fn pull<'p, const N: usize>(
    p: &'p Pipeline,
    name: &str,
    level: usize,
    [coarser, finer]: [Image<'p>; 2],
    vars: [Var<'p>; N],
) -> Image<'p> {
    let two = |image: Image<'p>, dimension: usize| {
        let at = |image: Image<'p>, place: Expr<'p>| {
            let mut point = vars.map(Expr::from);
            point[dimension] = place;
            image.at(point)
        };
        let i = vars[dimension];
        at(image.clamp(), i / 2 + i % 2 * 2 - 1) * 0.25 + at(image, i / 2) * 0.75
    };
    let mut shape = coarser.shape(vars);
    shape[N - 1] = vars[N - 1].to(finer.extent(N - 1));
    let wide = p.stage(&format!("{name}_up{level}"), shape, two(coarser, N - 1));
    let own = finer.at(vars);
    p.stage(&format!("{name}_pull{level}"), finer.shape(vars), (two(wide, N - 2) + own) * 0.5)
}

/// An image that was smoothed by all levels of its pyramid.
fn smoothed<'p, const N: usize>(
    p: &'p Pipeline,
    name: &str,
    levels: usize,
    image: Image<'p>,
    vars: [Var<'p>; N],
) -> Image<'p> {
    let mut pyramid = vec![image];
    for level in 1..levels {
        pyramid.push(push(p, name, level, pyramid[level - 1], vars));
    }
    let mut result = pyramid[levels - 1];
    for level in (0..levels - 1).rev() {
        result = pull(p, name, level, [result, pyramid[level]], vars);
    }
    result
}

fn program<'p>(p: &'p Pipeline, Size { shifts, levels, samples }: Size) {
    let [z, c, y, x, s, r] = p.vars(["z", "c", "y", "x", "s", "r"]);
    let picture = |name: &str| p.image(name, U8, [3, DYN, DYN]).estimate([3, 2560, 1536]);
    let (left, right) = (picture("left"), picture("right"));
    p.require_equal_extents(right, left, 1..3);
    let focus = p.number("focus", F32);
    let scale = p.number("scale", F32);
    let [_, tall, wide] = left.shape([c, y, x]);
    let point = (y, x);
    let all_shifts = [z.over(0..i64::from(shifts))];

    // A shift is two points wide: the lesser difference counts.
    let own = left.at((c, y, x)).cast(F32);
    let difference = |i: i32| (own - right.clamp().at((c, y, x + z * 2 + i)).cast(F32)).abs();
    let least = difference(0).min(difference(1));
    let cost = p.reduce([c.over(0..3)], 0.0, |sum| sum + least * least);
    let cost = p.stage("cost", [z.to(shifts), tall, wide], cost);

    // The variance over the shifts.
    let here = cost.at((z, y, x));
    let [squares, sum] = p.reduces(all_shifts, [0.0, 0.0], |[squares, sum]| [squares + here * here, sum + here]);
    let mean = |sum: Expr<'p>| sum / f64::from(shifts);
    let confidence = p.stage("confidence", [tall, wide], mean(squares) - mean(sum) * mean(sum));
    let weighted = p.stage("cost0", [z.to(shifts), tall, wide], here * confidence.at(point));
    let costs = smoothed(p, "cost", levels, weighted, [z, y, x]);
    let weights = smoothed(p, "conf", levels, confidence, [y, x]);

    // The first shift of the least cost.
    let cost = costs.at((z, y, x)) / weights.at(point);
    let [_, first] = p.reduces(all_shifts, [f64::INFINITY, 0.0], |[low, first]| {
        let is_less = cost.lt(low);
        [is_less.select(cost, low), is_less.select(z.value().cast(F32), first)]
    });
    let depth = p.stage("depth", [tall, wide], first);
    let radius = p.stage("radius", [tall, wide], (depth.at(point) - focus).abs() * scale);

    // The largest radius of all points that may reach this one: none is larger than the distance of two shifts.
    let reach = i64::from(shifts) - 1;
    let largest = |at: Expr<'p>| p.reduce([r.over(-reach..reach + 1)], 0.0, |so_far| so_far.max(at));
    let worst_y = p.stage("worst_y", [tall, wide], largest(radius.clamp().at((y + r, x))));
    let worst = p.stage("worst", [tall, wide], largest(worst_y.clamp().at((y, x + r))));

    // Places in a square around the point, from a hash.
    let hash = y.value().cast(U32) * 1973 + x.value().cast(U32) * 9277 + s.value().cast(U32) * 26699;
    let hash = (hash ^ (hash >> 15)) * 739_982_445;
    let hash = hash ^ (hash >> 15);
    let offset = |bits: Expr<'p>| ((bits.cast(F32) / 65536.0 - 0.5) * (worst.at(point) * 2.0)).cast(I32);
    let (u, v) = (offset(hash & 65535), offset(hash >> 16));
    let there = (y + v.cast(Index), x + u.cast(Index));

    // A sample counts if its own light reaches this point, and it lies in front of it or this point's light reaches as far.
    let far = (u * u + v * v).cast(F32);
    let reaches = |radius: Expr<'p>| far.lt(radius * radius);
    let is_in_front = depth.clamp().at(there).lt(depth.at(point));
    let counts = (reaches(radius.at(point)) | is_in_front) & reaches(radius.clamp().at(there));
    let color = left.clamp().at((c, there.0, there.1)).cast(F32);
    let [sum, count] = p.reduces([s.over(0..samples)], [own, p.constant(F32, 1)], |[sum, count]| {
        [counts.select(sum + color, sum), counts.select(count + 1.0, count)]
    });
    let blurred = p.stage("blurred", [c.to(3), tall, wide], sum / count * (1.0 / 255.0));
    p.output("blurred", blurred);
}
