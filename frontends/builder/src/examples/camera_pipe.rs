use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "camera_pipe",
    about: "The camera pipeline of the Frankencamera, 32 stages: from the 10 bits of a Bayer sensor (rows GRGR, BGBG) to 8-bit \
            colours. Hot pixels are limited to their neighbours of the same colour; the four colour planes are taken apart (4); \
            green at red and blue along the smaller difference (2), red and blue at green (4) and at each other (2) corrected by \
            the second derivative of green; planes are put together again along x (6) and along y (3); a matrix for the light's \
            temperature, between one at 3200 K and one at 7000 K, corrects red, green and blue (3); a table of gamma and contrast, and its values (2); an \
            unsharp mask of 1 2 1 blurs (4), and the part that no edge has touched (1). It is Halide's app, which moves the \
            origin first.",
    run: "--arg raw=raw.npy --arg kelvin=3700 --arg gamma=2 --arg contrast=50 --arg sharpen=1 --arg black=25 --arg white=1023 \
          --out rgb=rgb.png",
    program,
};

/// Colour matrices of the sensor, the last column in levels of 10 bits: at 3200 K and at 7000 K.
const MATRICES: [[[f64; 4]; 3]; 2] = [
    [[1.6697, -0.2693, -0.4004, -42.4346], [-0.3576, 1.0615, 1.5949, -37.1158], [-0.2175, -1.8751, 6.9640, -26.6970]],
    [[2.2997, -0.4478, 0.1706, -39.0923], [-0.3826, 1.5906, -0.2080, -25.4311], [-0.0888, -0.7344, 2.2832, -20.0826]],
];

/// The mean of two values, halves upwards.
fn mean<'p>(a: Expr<'p>, b: Expr<'p>) -> Expr<'p> {
    (a + b + 1) >> 1
}

fn program<'p>(p: &'p Pipeline) {
    let [c, y, x] = p.vars(["c", "y", "x"]);
    let v = p.var("v");
    let raw = p.image("raw", U16, [DYN, DYN]).estimate([1968, 2592]);
    let kelvin = p.number("kelvin", F32);
    let gamma = p.number("gamma", F32);
    let contrast = p.number("contrast", F32);
    let sharpen = p.number("sharpen", F32);
    let black = p.number("black", I32);
    let white = p.number("white", I32);

    // Half the size: a plane of one colour. Whole: both rows and columns of each pair.
    let (rows, columns) = (raw.extent(0) / 2, raw.extent(1) / 2);
    let whole = [y.to(rows * 2), x.to(columns * 2)];
    let plane = [y.to(rows), x.to(columns)];

    let at = |dy: i32, dx: i32| raw.clamp().at((y + dy, x + dx)).cast(I32);
    let around = [at(-2, 0), at(2, 0), at(0, -2), at(0, 2)];
    let [first, rest @ ..] = around;
    let (least, most) = rest.iter().fold((first, first), |(least, most), v| (least.min(*v), most.max(*v)));
    let denoised = p.stage("denoised", whole, at(0, 0).clamp(least, most));

    let take = |name, dy: i32, dx: i32| p.stage(name, plane, denoised.at((y * 2 + dy, x * 2 + dx)));
    let (g_gr, r_r, b_b, g_gb) = (take("g_gr", 0, 0), take("r_r", 0, 1), take("b_b", 1, 0), take("g_gb", 1, 1));
    // A colour's value at a place of the plane that is dy rows and dx columns away.
    let at = |image: Image<'p>, dy: i32, dx: i32| image.clamp().at((y + dy, x + dx));
    let mean_of = |image, (ay, ax): (i32, i32), (by, bx): (i32, i32)| mean(at(image, ay, ax), at(image, by, bx));
    let apart = |image, (ay, ax): (i32, i32), (by, bx): (i32, i32)| at(image, ay, ax).distance(at(image, by, bx));

    // Green where there is red or blue: from two rows or from two columns, whichever differ less.
    let green = |name, (vertical, dy): (Image<'p>, i32), (horizontal, dx): (Image<'p>, i32)| {
        let of_rows = (mean_of(vertical, (dy, 0), (0, 0)), apart(vertical, (dy, 0), (0, 0)));
        let of_columns = (mean_of(horizontal, (0, dx), (0, 0)), apart(horizontal, (0, dx), (0, 0)));
        p.stage(name, plane, of_columns.1.lt(of_rows.1).select(of_columns.0, of_rows.0))
    };
    let g_r = green("g_r", (g_gb, -1), (g_gr, 1));
    let g_b = green("g_b", (g_gr, 1), (g_gb, -1));

    // A colour between two of its places, and what green says that this is off by.
    let between = |own: Image<'p>, colour, green, a, b| at(own, 0, 0) - mean_of(green, a, b) + mean_of(colour, a, b);
    let r_gr = p.stage("r_gr", plane, between(g_gr, r_r, g_r, (0, -1), (0, 0)));
    let b_gr = p.stage("b_gr", plane, between(g_gr, b_b, g_b, (0, 0), (-1, 0)));
    let r_gb = p.stage("r_gb", plane, between(g_gb, r_r, g_r, (0, 0), (1, 0)));
    let b_gb = p.stage("b_gb", plane, between(g_gb, b_b, g_b, (0, 0), (0, 1)));
    let diagonal = |name, own, colour, green, [a, b, c, d]: [(i32, i32); 4]| {
        let smaller = apart(colour, a, b).lt(apart(colour, c, d));
        p.stage(name, plane, smaller.select(between(own, colour, green, a, b), between(own, colour, green, c, d)))
    };
    let r_b = diagonal("r_b", g_b, r_r, g_r, [(0, 0), (1, -1), (0, -1), (1, 0)]);
    let b_r = diagonal("b_r", g_r, b_b, g_b, [(0, 0), (-1, 1), (0, 1), (-1, 0)]);

    let colour = |name: &str, [gr, r, b, gb]: [Image<'p>; 4]| {
        let row = |suffix: &str, even: Image<'p>, odd: Image<'p>| {
            let value = (x % 2).eq(0).select(even.at((y, x / 2)), odd.at((y, x / 2)));
            p.stage(&format!("{name}_{suffix}"), [y.to(rows), x.to(columns * 2)], value)
        };
        let (even, odd) = (row("even", gr, r), row("odd", b, gb));
        p.stage(name, whole, (y % 2).eq(0).select(even.at((y / 2, x)), odd.at((y / 2, x))))
    };
    let red = colour("r", [r_gr, r_r, r_b, r_gb]);
    let green = colour("g", [g_gr, g_r, g_b, g_gb]);
    let blue = colour("b", [b_gr, b_r, b_b, b_gb]);

    // Numbers of the program: the matrix, with 8 bits behind the point.
    let warm = (1.0 / kelvin - 1.0 / 3200.0) / (1.0 / 7000.0 - 1.0 / 3200.0);
    let corrected = [0, 1, 2].map(|channel: usize| {
        let entry = |i: usize| {
            let [at_3200, at_7000] = MATRICES.map(|matrix| matrix[channel][i]);
            ((at_3200 * (1.0 - warm) + at_7000 * warm) * 256.0).cast(I32)
        };
        let value =
            [red, green, blue].iter().enumerate().fold(entry(3), |sum, (i, image)| sum + entry(i) * image.at((y, x)));
        p.stage(["red", "green", "blue"][channel], whole, value >> 8)
    });

    let [tall, wide] = whole;
    let colours = [c.to(3), tall, wide];
    let [r, g, b] = corrected.map(|image| image.at((y, x)));
    let level = c.value().eq(0).select(r, c.value().eq(1).select(g, b));
    // Gamma and contrast of each level of 10 bits: powers for 1024 points instead of for all.
    let linear = ((v.value().cast(I32) - black).cast(F32) / (white - black).cast(F32)).clamp(0.0, 1.0);
    let value = linear.pow(1.0 / gamma);
    let b = 2.0 - (contrast / 100.0).exp2();
    let a = 2.0 - b * 2.0;
    let rest = 1.0 - value;
    let steeper = value.gt(0.5).select(1.0 - (a * rest * rest + b * rest), a * value * value + b * value);
    let curve = p.stage("curve", [v.to(1024)], (steeper * 255.0 + 0.5).clamp(0.0, 255.0).cast(U8));
    let curved = p.stage("curved", colours, curve.clamp().at(level.cast(Index)));

    let wide = |image: Image<'p>, dy: i32, dx: i32| image.clamp().at((c, y + dy, x + dx)).cast(I32);
    let blur = |before, own, after| mean(mean(before, after), own).cast(U8);
    let blury = blur(wide(curved, -1, 0), wide(curved, 0, 0), wide(curved, 1, 0));
    let blury = p.stage("unsharp_y", colours, blury);
    let blurred = blur(wide(blury, 0, -1), wide(blury, 0, 0), wide(blury, 0, 1));
    let blurred = p.stage("unsharp", colours, blurred);
    let mask = p.stage("mask", colours, (wide(curved, 0, 0) - wide(blurred, 0, 0)).cast(I16));
    let strength = (sharpen * 32.0).clamp(0.0, 255.0).cast(I32);
    let sharp = wide(curved, 0, 0) + ((wide(mask, 0, 0) * strength) >> 5);
    let sharpened = p.stage("sharpened", colours, sharp.saturate(U8));

    let rgb = [c.to(3), y.to(rows * 2 - 24), x.to(columns * 2 - 32)];
    p.output("rgb", p.stage("rgb", rgb, sharpened.at((c, y + 12, x + 16))));
}
