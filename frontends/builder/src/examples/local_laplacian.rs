use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "local_laplacian",
    about: "Local Laplacian filter, 100 stages: more local contrast, with the edges as they are. The grey image is remapped about \
            each of 8 intensities (one image of rank 3); the Laplacian pyramid of the result, 8 levels, takes each of its points \
            from the pyramids of the two intensities next to the point's own. Stages: colour as floats, grey, its pyramid (14), \
            the table of the remapping, the 8 remapped images and their pyramid (15), Laplacians (up x, up y, subtract: 21), index and fraction of the \
            intensity at each level (16), the result's Laplacians (8), its pyramid (up x, up y, add: 21), colours, 16-bit output. \
            PolyMage's 99 are not listed in the paper; the table is Halide's.",
    run: "--arg img=chelsea16.npy --arg alpha=0.142857 --arg beta=1 --out out=out.npy",
    program,
};

const LEVELS: usize = 8;
const INTENSITIES: i32 = 8;

fn program<'p>(p: &'p Pipeline) {
    let [c, k, y, x] = p.vars(["c", "k", "y", "x"]);
    let d = p.var("d");
    let img = p.image("img", U16, [3, DYN, DYN]).estimate([3, 2560, 1536]);
    let alpha = p.number("alpha", F32);
    let beta = p.number("beta", F32);
    let (h, w) = (img.extent(1), img.extent(2));
    let steps = f64::from(INTENSITIES - 1);

    let floating = p.stage("floating", [c.to(3), y.to(h), x.to(w)], img.at((c, y, x)).cast(F32) / 65535.0);
    let channel = |c: i32| floating.at((c, y, x));
    let gray = p.stage("gray", [y.to(h), x.to(w)], 0.299 * channel(0) + 0.587 * channel(1) + 0.114 * channel(2));

    // 1 3 3 1 down, 1 3 up.
    let four =
        |at: &dyn Fn(Expr<'p>) -> Expr<'p>, i: Expr<'p>| (at(i - 1) + 3.0 * (at(i) + at(i + 1)) + at(i + 2)) / 8.0;
    let two = |at: &dyn Fn(Expr<'p>) -> Expr<'p>, i: Expr<'p>| 0.25 * at(i / 2 - 1 + i % 2 * 2) + 0.75 * at(i / 2);

    let mut gray_levels = vec![gray];
    for l in 1..LEVELS {
        let narrow = p.down(&format!("gray_downx{l}"), gray_levels[l - 1].clamp(), [y, x], 1, four);
        gray_levels.push(p.down(&format!("gray_down{l}"), narrow.clamp(), [y, x], 0, four));
    }

    let own = gray.at((y, x));
    let level = k.value().cast(F32) / steps;
    let index = (own * (steps * 256.0)).cast(I32).clamp(0, (INTENSITIES - 1) * 256);
    // All differences of an index and an intensity, the smallest first.
    let most = (INTENSITIES - 1) * 256;
    let difference = (d.value().cast(I32) - most).cast(F32) / 256.0;
    let bump = alpha * difference * (-(difference * difference) / 2.0).exp();
    let table = p.stage("remap", [d.to(2 * most + 1)], bump);
    let detail = table.clamp().at((index - k.value().cast(I32) * 256 + most).cast(Index));
    let remapped = beta * (own - level) + level + detail;
    let mut levels = vec![p.stage("remapped", [k.to(INTENSITIES), y.to(h), x.to(w)], remapped)];
    for l in 1..LEVELS {
        let narrow = p.down(&format!("downx{l}"), levels[l - 1].clamp(), [k, y, x], 2, four);
        levels.push(p.down(&format!("down{l}"), narrow.clamp(), [k, y, x], 1, four));
    }

    let up = |name: &str, l: usize, coarser: Image<'p>, vars: &[Var<'p>], finer: Image<'p>| {
        let coarser = coarser.clamp();
        let (wide, large) = (format!("{name}x{l}"), format!("{name}{l}"));
        match *vars {
            [k, y, x] => {
                let [_, to_y, to_x] = finer.shape([k, y, x]);
                let wide = p.up(&wide, coarser, [k, y, x], 2, to_x, two);
                p.up(&large, wide.clamp(), [k, y, x], 1, to_y, two)
            }
            _ => {
                let [to_y, to_x] = finer.shape([y, x]);
                let wide = p.up(&wide, coarser, [y, x], 1, to_x, two);
                p.up(&large, wide.clamp(), [y, x], 0, to_y, two)
            }
        }
    };
    let laplacian = |l: usize| match levels.get(l + 1) {
        Some(coarser) => {
            let large = up("up", l, *coarser, &[k, y, x], levels[l]);
            let value = levels[l].at((k, y, x)) - large.at((k, y, x));
            p.stage(&format!("laplace{l}"), levels[l].shape([k, y, x]), value)
        }
        None => levels[l],
    };
    let laplacians: Vec<Image<'p>> = (0..LEVELS).map(laplacian).collect();

    let choose = |l: usize| {
        let shape = gray_levels[l].shape([y, x]);
        let place = gray_levels[l].at((y, x)) * steps;
        let index = p.stage(&format!("index{l}"), shape, place.cast(I32).clamp(0, INTENSITIES - 2));
        let index_here = index.at((y, x));
        let fraction = p.stage(&format!("fraction{l}"), shape, place - index_here.cast(F32));
        let at = |k: Expr<'p>| laplacians[l].clamp().at((k.cast(Index), y, x));
        let value = at(index_here) * (1.0 - fraction.at((y, x))) + at(index_here + 1) * fraction.at((y, x));
        p.stage(&format!("out_laplace{l}"), shape, value)
    };
    let chosen: Vec<Image<'p>> = (0..LEVELS).map(choose).collect();

    let mut result = chosen[LEVELS - 1];
    for l in (0..LEVELS - 1).rev() {
        let large = up("out_up", l, result, &[y, x], chosen[l]);
        let value = large.at((y, x)) + chosen[l].at((y, x));
        result = p.stage(&format!("out{l}"), chosen[l].shape([y, x]), value);
    }

    // Colours in the proportion that they had.
    let shape = img.shape([c, y, x]);
    let ratio = (floating.at((c, y, x)) + 0.01) / (gray.at((y, x)) + 0.01);
    let color = p.stage("color", shape, result.at((y, x)) * ratio);
    let output = p.stage("output", shape, (color.at((c, y, x)).clamp(0.0, 1.0) * 65535.0).cast(U16));
    p.output("out", output);
}
