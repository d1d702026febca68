//! Scans and scatters: what is written in Rust is what stands in IR. Mistakes are in `mistakes.rs`.

use weft_builder::{Update, prelude::*};

/// The text of a program without mistakes.
fn text(program: impl for<'p> Fn(&'p Pipeline)) -> String {
    let p = Pipeline::new("right");
    program(&p);
    let context = weft_builder::context();
    match p.finish(&context) {
        Ok(module) => module.as_operation().to_string(),
        Err(errors) => panic!("{errors}"),
    }
}

/// That these lines are in a text, in this order.
fn has_lines(text: &str, lines: &[&str]) {
    let mut left = text.lines().map(str::trim);
    for line in lines {
        assert!(left.any(|found| found == *line), "{line} in {text}");
    }
}

#[test]
fn scans_there_and_back() {
    let text = text(|p| {
        let [c, y, x] = p.vars(["c", "y", "x"]);
        let img = p.image("img", F32, [3, DYN, DYN]);
        let own = img.at((c, y, x));
        let down = p.scan("down", img.shape([c, y, x]), y, |down| down.previous(1, own) + own);
        let back =
            p.scan("back", img.shape([c, y, x]), x.backward(), |back| back.previous(2, 0.0).max(down.at((c, y, x))));
        p.output("out", back);
    });
    has_lines(
        &text,
        &[
            "%down = pipeline.scan \"down\" (%c, %y, %x) along 1 {",
            "%0 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xf32>",
            "%1 = pipeline.previous 1 or %0 : f32",
            "} sized(%dim, %dim_0) : tensor<3x?x?xf32>",
            "%back = pipeline.scan \"back\" (%c, %y, %x) along 2 backward {",
            "%0 = pipeline.previous 2 or %cst : f32",
        ],
    );
}

/// Each result reads both; within a reduction too.
#[test]
fn a_scan_of_several_results() {
    let text = text(|p| {
        let [x, k] = p.vars(["x", "k"]);
        let counts = p.image("counts", I32, [256]);
        let [sums, firsts] = p.scans("sums", [x.to(256)], x, |[sum, first]| {
            let both = sum.previous(1, 0) + first.previous(1, 0);
            let around = p.reduce([k.over(0..40)], 0, |so_far| so_far + counts.clamp().at(x + k) * sum.previous(3, 7));
            [both, around]
        });
        p.output("sums", sums);
        p.output("firsts", firsts);
    });
    has_lines(
        &text,
        &[
            "%sums:2 = pipeline.scan \"sums\" (%x) along 0 {",
            "%0 = pipeline.previous 1 or %c0_i32 : i32",
            "%1 = pipeline.previous 1 of 1 or %c0_i32 : i32",
            "%3 = pipeline.previous 3 or %c7_i32 : i32",
            "} : tensor<256xi32>, tensor<256xi32>",
        ],
    );
    assert_eq!(text.matches("pipeline.previous 3").count(), 1, "{text}");
}

/// What a scan's body makes on the way stands before the scan.
#[test]
fn a_stage_within_a_scan() {
    let text = text(|p| {
        let x = p.var("x");
        let img = p.image("img", F32, [8]);
        let scan = p.scan("scan", [x.to(8)], x, |line| {
            let twice = p.stage("twice", [x.to(8)], img.at(x) * 2.0);
            line.previous(1, 0.0) + twice.at(x)
        });
        p.output("out", scan);
    });
    assert!(text.find("pipeline.stage \"twice\"") < text.find("pipeline.scan \"scan\""), "{text}");
}

#[test]
fn a_histogram() {
    let text = text(|p| {
        let [y, x, level] = p.vars(["y", "x", "level"]);
        let img = p.image("img", U8, [DYN, DYN]);
        let (h, w) = (img.extent(0), img.extent(1));
        let histogram = p
            .scatter("histogram", [level.to(256)], 0)
            .over([y.between(1, h), x.between(0, w)])
            .add(img.at((y, x)).cast(Index), 1);
        p.output("out", histogram);
    });
    has_lines(
        &text,
        &[
            "%histogram = pipeline.scatter \"histogram\" () over (%ry, %rx) in [1, %dim) x [0, %dim_0) from(%c0_i32 : i32) combine \"arith.addi\" {",
            // Inside, whatever the extents are: no mode.
            "%0 = pipeline.load %arg0[%ry, %rx] : tensor<?x?xi8>",
            "%1 = arith.index_castui %0 : i8 to index",
            "pipeline.update %c1_i32 at [%1] : i32",
            "} : tensor<256xi32>",
        ],
    );
}

/// The first indices are coordinates where they are those of their dimensions; two results, dynamic extents, any order.
#[test]
fn a_grid() {
    let text = text(|p| {
        let [y, x, z, dy, dx] = p.vars(["y", "x", "z", "dy", "dx"]);
        let img = p.image("img", F32, [DYN, DYN]).clamp();
        let [tall, wide] = [0, 1].map(|dimension| img.extent(dimension) / 8 + 1);
        let value = img.at((y * 8 + dy, x * 8 + dx));
        let [sum, count] = p
            .scatters("grid", [y.to(tall), x.to(wide), z.to(12)], [0.0, 0.0])
            .over([dy.over(-4..4), dx.over(-4..4)])
            .reassoc()
            .add((y, x, (value * 10.0).cast(Index)), [value, p.constant(F32, 1)]);
        p.output("sum", sum);
        p.output("count", count);
    });
    for part in [
        "pipeline.scatter \"grid\" (%y, %x) over (%ry, %rx) in [-4, 4) x [-4, 4) from(",
        "combine \"arith.addf\" {",
        "pipeline.load %arg0[%y * 8 + %ry, %x * 8 + %rx] clamp : tensor<?x?xf32>",
        "pipeline.update %4, %cst_3 at [%7] : f32, f32",
        ") : tensor<?x?x12xf32>, tensor<?x?x12xf32>",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(text.contains("} reassoc sized("), "{text}");
}

/// A scatter without places is a reduction whose window ends at a number of the program. Literals take their types from each other.
#[test]
fn a_sum_over_a_row() {
    let text = text(|p| {
        let [y, x] = p.vars(["y", "x"]);
        let img = p.image("img", U16, [DYN, DYN]);
        let (h, w) = (img.extent(0), img.extent(1));
        p.output("out", p.scatter("most", [y.to(h)], 0).over([x.to(w)]).max(y, img.at((y, x))));
    });
    has_lines(
        &text,
        &[
            "%most = pipeline.scatter \"most\" (%x) over (%rx) in [0, %dim_0) from(%c0_i16 : i16) combine \"arith.maxui\" {",
            "pipeline.update %0 at [] : i16",
        ],
    );
}

/// The op that combines images of this type by this update.
fn combine(ty: Type, update: impl for<'p> Fn(Update<'p, Image<'p>>, Expr<'p>) -> Image<'p>) -> String {
    let text = text(|p| {
        let [i, x] = p.vars(["i", "x"]);
        let img = p.image("img", ty, [64]);
        p.output("out", update(p.scatter("s", [i.to(64)], 1).over([x.to(64)]), img.at(x)));
    });
    text.split("combine \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
}

#[test]
fn combines_are_of_the_type() {
    assert_eq!(combine(F16, |s, v| s.add([0], v)), "arith.addf");
    assert_eq!(combine(U8, |s, v| s.add([0], v)), "arith.addi");
    assert_eq!(combine(F64, |s, v| s.mul([0], v)), "arith.mulf");
    assert_eq!(combine(I64, |s, v| s.mul([0], v)), "arith.muli");
    assert_eq!(combine(F32, |s, v| s.min([0], v)), "arith.minimumf");
    assert_eq!(combine(I32, |s, v| s.min([0], v)), "arith.minsi");
    assert_eq!(combine(U16, |s, v| s.min([0], v)), "arith.minui");
    assert_eq!(combine(F32, |s, v| s.max([0], v)), "arith.maximumf");
    assert_eq!(combine(I8, |s, v| s.max([0], v)), "arith.maxsi");
    assert_eq!(combine(U64, |s, v| s.max([0], v)), "arith.maxui");
    assert_eq!(combine(I32, |s, v| s.and([0], v)), "arith.andi");
    assert_eq!(combine(U32, |s, v| s.or([0], v)), "arith.ori");
    assert_eq!(combine(I16, |s, v| s.xor([0], v)), "arith.xori");
}
