use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "max_filter",
    about: "The maximum over a disc of radius 26 about each point, 9 stages. Five images hold the maxima of 2, 4, 8, 16 and 32 \
            points of a column; two of these, overlapping, make a column of any height, and the disc is 53 columns: those to \
            the left, the one in the middle, those to the right, and the larger of the three. Halide's app is the same in one \
            image of rank 4 that an update fills and in a table of heights; the paper's 9 stages are not listed. The columns' \
            images begin 26 rows above the first one, so that a column that begins there is that of the repeated edge.",
    run: "--arg img=examples/data/chelsea.png --out max=max.png",
    program,
};

const RADIUS: i32 = 26;

/// How far the disc reaches up and down at this distance from its middle.
fn reach(dx: i32) -> i32 {
    let is_inside = |dy: i32| f64::from(dx * dx + dy * dy) < (f64::from(RADIUS) + 0.25).powi(2);
    (0..=RADIUS).rev().find(|dy| is_inside(*dy)).unwrap_or(0)
}

fn program<'p>(p: &'p Pipeline) {
    let [c, y, x] = p.vars(["c", "y", "x"]);
    let img = p.image("img", F32, [3, DYN, DYN]).estimate([3, 1024, 1920]).clamp();
    let (h, w) = (img.extent(1), img.extent(2));
    let padded = [c.to(3), y.to(h + 2 * RADIUS), x.to(w)];

    // tall[s] at row y is the maximum of the 2^(s + 1) rows of the image from y - 26 on.
    let mut tall: Vec<Image<'p>> = Vec::new();
    for s in 0..5 {
        let half = 1 << s;
        let value = match tall.last() {
            None => img.at((c, y - RADIUS, x)).max(img.at((c, y - RADIUS + half, x))),
            Some(lower) => lower.at((c, y, x)).max(lower.at((c, y + half, x))),
        };
        tall.push(p.stage(&format!("tall{}", 2 * half), padded, value).clamp());
    }
    let column = |dx: i32| {
        let height = 2 * reach(dx) + 1;
        let s = height.ilog2();
        let from = y + (RADIUS - reach(dx));
        match s.checked_sub(1) {
            None => img.at((c, y, x + dx)),
            Some(image) => {
                let image = tall[image as usize];
                image.at((c, from, x + dx)).max(image.at((c, from + (height - (1 << s)), x + dx)))
            }
        }
    };
    let columns = |name, from: i32, to: i32| {
        let value = (from + 1..to).fold(column(from), |most, dx| most.max(column(dx)));
        p.stage(name, img.shape([c, y, x]), value)
    };
    let left = columns("left", -RADIUS, 0);
    let middle = columns("middle", 0, 1);
    let right = columns("right", 1, RADIUS + 1);
    let point = (c, y, x);
    let max = p.stage("max", img.shape([c, y, x]), left.at(point).max(middle.at(point)).max(right.at(point)));
    p.output("max", max);
}
