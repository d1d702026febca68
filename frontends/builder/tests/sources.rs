//! What front ends need: places in a text of their own, lists in place of arrays, and extents that must be equal.

use weft_builder::{Source, prelude::*};

/// The IR of a program, with locations.
fn text(program: impl for<'p> Fn(&'p Pipeline)) -> String {
    use melior::ir::operation::{OperationLike, OperationPrintingFlags};
    let p = Pipeline::new("program");
    program(&p);
    let context = weft_builder::context();
    let module = p.finish(&context).expect("a program without mistakes");
    let flags = OperationPrintingFlags::new().enable_debug_info(true, false);
    module.as_operation().to_string_with_flags(flags).expect("text")
}

#[test]
fn places_in_a_text_are_locations() {
    let text = text(|p| {
        p.locate("a.fm", Source { line: 1, column: 2 });
        let x = p.var("x");
        let img = p.image("img", F32, [8]);
        p.locate("a.fm", Source { line: 3, column: 4 });
        let twice = img.at(x) * 2.0;
        p.locate("a.fm", Source { line: 5, column: 6 });
        p.output("out", p.stage("s", img.shape([x]), twice));
    });
    let line = |what: &str| {
        let line = text.lines().find(|line| line.contains(what)).expect("an op");
        let name = line.rsplit_once("loc(").expect("a location").1.trim_end_matches(')').to_owned();
        text.lines().find(|line| line.starts_with(&format!("{name} ="))).map(str::to_owned).unwrap_or_default()
    };
    assert!(line("arith.mulf").ends_with("loc(\"a.fm\":3:4)"), "{text}");
    assert!(line("pipeline.yield").ends_with("loc(\"a.fm\":5:6)"), "{text}");
}

#[test]
fn places_of_mistakes() {
    let p = Pipeline::new("wrong");
    p.locate("a.fm", Source { line: 7, column: 8 });
    let x = p.var("x");
    let img = p.image("img", F32, [8]);
    p.output("out", p.stage("s", img.shape([x]), img.at((x, x))));
    let errors = p.finish(&weft_builder::context()).expect_err("a mistake").0;
    assert_eq!(errors[0].source_place(), Some(Source { line: 7, column: 8 }));
}

/// The second image has the extent of the first one; that it is so is asserted once, with the words that were given.
#[test]
fn equal_extents() {
    let text = text(|p| {
        let x = p.var("x");
        let a = p.image("a", F32, [DYN]);
        let b = p.image("b", F32, [DYN]).with_extent(0, a.extent(0), "b is not as long as a");
        p.output("out", p.stage("s", a.shape([x]), a.clamp().at(x) + b.clamp().at(x)));
    });
    assert_eq!(text.matches("cf.assert").count(), 1, "{text}");
    assert!(text.contains("b is not as long as a"), "{text}");
    // Both are read where they are.
    assert!(!text.contains(" clamp"), "{text}");
}

/// Images of one size in some dimensions are one assertion for each that is not known, and nothing else.
#[test]
fn equal_sizes() {
    let text = text(|p| {
        let [c, y, x] = p.vars(["c", "y", "x"]);
        let a = p.image("a", F32, [3, DYN, DYN]);
        let mask = p.image("mask", F32, [1, DYN, DYN]);
        p.require_equal_extents(mask, a, 1..3);
        p.output("out", p.stage("s", a.shape([c, y, x]), a.at((c, y, x)) * mask.clamp().at((0, y, x))));
    });
    assert_eq!(text.matches("cf.assert").count(), 2, "{text}");
    assert!(text.contains("\\22mask\\22 is not as large as \\22a\\22 in dimension 2"), "{text}");
    assert!(text.contains("%y, %x] clamp"), "{text}");
}

#[test]
fn lists() {
    let text = text(|p| {
        let x = p.var("x");
        let img = p.image("img", F32, [8]);
        let own = img.at(x);
        let pair = p.stage_list("pair", img.shape([x]), [own, own * 2.0]);
        let next = p.iterate_list("steps", 3, pair, |states| {
            p.stage_list("swap", states[0].shape([x]), [states[1].at(x), states[0].at(x)])
        });
        p.output("a", next[0]);
        p.output("b", next[1]);
    });
    assert!(text.contains("pipeline.iterate \"steps\""), "{text}");
    let p = Pipeline::new("wrong");
    let img = p.image("img", F32, [8]);
    p.iterate_list("steps", 3, [img], |_| Vec::new());
    p.output("a", img);
    let errors = p.finish(&weft_builder::context()).expect_err("a mistake").0;
    assert_eq!(errors[0].message(), "iterate \"steps\" becomes 0 images, expected 1");
}
