//! Mistakes are returned by `finish`, each with the line of Rust that made it, and nothing panics.

use weft_builder::prelude::*;

/// The messages of a program, and the line of each, counted from the line of the call.
fn mistakes(program: impl for<'p> Fn(&'p Pipeline)) -> Vec<(String, u32)> {
    let p = Pipeline::new("wrong");
    program(&p);
    let context = weft_builder::context();
    let errors = p.finish(&context).err().map(|errors| errors.0).unwrap_or_default();
    errors.iter().map(|error| (error.message().to_owned(), error.place().line())).collect()
}

/// The only message, which must be of a line of this file.
fn mistake(program: impl for<'p> Fn(&'p Pipeline)) -> String {
    let found = mistakes(program);
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].0.clone()
}

/// Makes a program of one stage.
fn stage<'p>(p: &'p Pipeline, value: impl Fn(Image<'p>, Var<'p>, Var<'p>) -> Expr<'p>) {
    let [y, x] = p.vars(["y", "x"]);
    let img = p.image("img", F32, [DYN, DYN]);
    p.output("out", p.stage("s", img.shape([y, x]), value(img, y, x)));
}

#[test]
fn place_of_a_mistake() {
    let line = line!();
    let found = mistakes(|p| {
        stage(p, |img, y, x| {
            let fine = img.at((y, x));
            fine + img.at((y, x, 1))
        });
    });
    assert_eq!(found, [("3 indices of \"img\", expected 2, one for each dimension".to_owned(), line + 4)]);
}

#[test]
fn types() {
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, x)) + x));
    assert_eq!(message, "+ of f32 and index, expected equal types: cast one");
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, x)).lt(0.5) + img.at((y, x)).lt(1.0)));
    assert_eq!(message, "+ of bool, expected numbers");
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, x)) & 1));
    assert_eq!(message, "& of f32, expected integers or bools");
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, x)).cast(U8) + 256));
    assert_eq!(message, "literal 256 beside u8, expected 0 to 255");
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, x)).cast(U8) * 0.5));
    assert_eq!(message, "literal 0.5 beside u8, expected an integer");
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, x)).select(1.0, 2.0)));
    assert_eq!(message, "select by f32, expected a bool");
    let message = mistake(|p| stage(p, |_, _, x| x % 2));
    assert_eq!(message, "stage \"s\" has a value of index, expected floats or integers: cast it");
}

/// Of integers; floats divide by anything. Wherever it stands: in an affine index, a computed one, a value, an extent.
#[test]
fn divisions_by_zero() {
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, x % 0))));
    assert_eq!(message, "x % 0 divides by 0, expected another divisor");
    let message = mistake(|p| stage(p, |img, y, x| img.clamp().at((y, x % 0))));
    assert_eq!(message, "x % 0 divides by 0, expected another divisor");
    let message = mistake(|p| stage(p, |img, y, x| img.clamp().at((y, x * y / 0))));
    assert_eq!(message, "(x * y) / 0 divides by 0, expected another divisor");
    let message = mistake(|p| stage(p, |img, y, x| (img.at((y, x)).cast(U8) / 0).cast(F32)));
    assert_eq!(message, "cast(img.at(y, x)) / 0 divides by 0, expected another divisor");
    let message = mistake(|p| {
        let x = p.var("x");
        p.output("out", p.stage("s", [x.to(p.number("n", Index) % 0)], 1.0));
    });
    assert_eq!(message, "n % 0 divides by 0, expected another divisor");
    // A window that is written out begins with 0.
    let message = mistake(|p| {
        let k = p.var("k");
        stage(p, |img, y, x| p.sum([k.over(0..2)], img.clamp().at((y, x / k))));
    });
    assert_eq!(message, "x / 0 divides by 0, expected another divisor");
    assert!(mistakes(|p| stage(p, |img, y, x| img.at((y, x)) / 0.0)).is_empty());
}

#[test]
fn indices() {
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, x * y + 1))));
    assert_eq!(
        message,
        "index #1 of \"img\" has x * y in (x * y) + 1, expected an affine function of coordinates, or a boundary mode"
    );
    let message = mistake(|p| stage(p, |img, y, x| img.at((y, img.extent(1) - 1 - x))));
    assert_eq!(
        message,
        "index #1 of \"img\" has img.extent(1) in (img.extent(1) - 1) - x, expected an affine function of coordinates, or a boundary mode"
    );
    let message = mistake(|p| stage(p, |img, y, x| img.at((img.at((y, x)), x))));
    assert_eq!(message, "index #0 of \"img\" is of f32, expected an index: cast it");
}

#[test]
fn stages() {
    let message = mistake(|p| {
        let z = p.var("z");
        stage(p, |img, y, _| img.at((y, z)));
    });
    assert_eq!(message, "stage \"s\" uses z, expected its coordinates (y, x) only");
    let message = mistake(|p| {
        let x = p.var("x");
        let img = p.image("img", F32, [DYN]);
        p.output("out", p.stage("s", [x.to(img.extent(0)), x.to(2)], img.at(x)));
    });
    assert_eq!(message, "stage \"s\" has coordinate x twice, expected different ones");
    let message = mistake(|p| {
        let x = p.var("x");
        let img = p.image("img", I32, [DYN]);
        p.output("out", p.stage("s", [x.to(img.at([0]).cast(Index))], img.at(x)));
    });
    assert_eq!(message, "extent cast(img.at(0)) depends on a pixel, expected a function of extents and numbers");
    let message = mistake(|p| {
        let x = p.var("x");
        let img = p.image("img", I32, [DYN]);
        p.output("out", p.stage("s", [x.to(img.extent(3))], img.at(x)));
    });
    assert_eq!(message, "extent of dimension 3, expected one below 1, the rank");
    assert_eq!(mistake(|_| {}), "program \"wrong\" has no result, expected one: output");
}

#[test]
fn another_program() {
    let other = Pipeline::new("other");
    let z = other.var("z");
    let theirs = other.image("theirs", F32, [DYN]).at(z);
    let message = mistake(|p| {
        let x = p.var("x");
        p.output("out", p.stage("s", [x.to(3)], p.image("img", F32, [DYN]).at(x) + theirs));
    });
    assert_eq!(message, "a value of another program, expected one of this");
    let message = mistake(|p| p.output("out", p.stage("s", [z.to(3)], p.constant(F32, 1.0))));
    assert_eq!(message, "stage \"s\" has a coordinate or value of another program, expected its own");
    let message = mistake(|p| {
        let x = p.var("x");
        let [out] = p.stages("s", [x.to(3)], [theirs]);
        p.output("out", out);
    });
    assert_eq!(message, "stage \"s\" has a coordinate or value of another program, expected its own");
}

#[test]
fn windows() {
    let message = mistake(|p| {
        let dx = p.var("dx");
        stage(p, |img, y, x| p.sum([dx.over(2..2)], img.at((y, x + dx))));
    });
    assert_eq!(message, "a window of 0 points, expected 1 to 2147483647");
}

#[test]
fn samples() {
    let message = mistake(|p| {
        let [y, x] = p.vars(["y", "x"]);
        p.output("out", p.down("half", p.image("img", F32, [8, 8]).clamp(), [y, x], 2, |at, x| at(x)));
    });
    assert_eq!(message, "dimension 2, expected one below 2, the rank");
    let message = mistake(|p| {
        let [y, x] = p.vars(["y", "x"]);
        p.output("out", p.up("twice", p.image("img", F32, [8, 8]).clamp(), [y, x], 2, x.to(16), |at, x| at(x / 2)));
    });
    assert_eq!(message, "dimension 2, expected one below 2, the rank");
}

#[test]
fn reductions() {
    let message = mistake(|p| {
        let dx = p.var("dx");
        stage(p, |img, y, x| p.reduce([dx.over(0..9)], 0, |sum| img.at((y, x + dx)).max(sum.cast(F32))));
    });
    assert_eq!(message, "a reduction of i32 becomes f32, expected equal types: cast one");
    let message = mistake(|p| {
        let [dy, dx] = p.vars(["dy", "dx"]);
        stage(p, |img, y, x| p.sum([dx.over(0..30)], img.clamp().at((y + dy, x + dx))));
    });
    assert_eq!(message, "stage \"s\" uses dy, expected its coordinates (y, x) only");
}

/// Several values of one loop: an op with as many results, of which those stay that are used.
#[test]
fn reductions_of_several_values() {
    let p = Pipeline::new("several");
    let [y, x, i, j] = p.vars(["y", "x", "i", "j"]);
    let img = p.image("img", F32, [64, 64]).clamp();
    let inits = [p.constant(F32, f64::INFINITY), p.constant(I32, 0)];
    let [_, at] = p.reduces([i.over(0..9)], inits, |[low, at]| {
        // A loop in the loop, over both.
        let [sum, _] =
            p.reduces([j.over(0..9)], [low, low], |[sum, last]| [sum + last, img.at((y + i, x + j))].map(|v| v * low));
        [sum.min(low), sum.lt(low).select(i.value().cast(I32), at)]
    });
    p.output("out", p.stage("s", [y.to(64), x.to(64)], at));
    let context = weft_builder::context();
    let text = p.finish(&context).expect("a right program").as_operation().to_string();
    for part in ["pipeline.yield %0#1 : i32", "} : f32, i32", "} : f32, f32"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let message = mistake(|p| {
        let k = p.var("k");
        stage(p, |img, y, x| {
            let [value, _] =
                p.reduces([k.over(0..9)], [p.constant(F32, 0), p.constant(I32, 0)], |[sum, last]| [last, sum]);
            img.at((y, x)) + value
        });
    });
    assert_eq!(message, "a reduction of f32 becomes i32, expected equal types: cast one");
    let message = mistake(|p| {
        let [] = p.reduces([p.var("k").over(0..9)], [0.0; 0], |[]| []);
        stage(p, |img, y, x| img.at((y, x)));
    });
    assert_eq!(message, "a reduction of no values, expected at least one");
}

#[test]
fn scans() {
    let scan = |value: fn(weft_builder::Line, Expr) -> Option<Type>| {
        mistake(|p| {
            let x = p.var("x");
            let img = p.image("img", F32, [8]);
            let scan = p.scan("sums", [x.to(8)], x, |line| {
                let ty = value(line, img.at(x));
                ty.map_or(img.at(x), |ty| img.at(x).cast(ty))
            });
            p.output("out", scan);
        })
    };
    let ahead = "points before its own, expected at least 1: it has not computed what lies ahead";
    assert_eq!(scan(|line, own| (line.previous(0, own), None).1), format!("scan \"sums\" reads 0 {ahead}"));
    assert_eq!(scan(|line, own| (line.previous(-1, own), None).1), format!("scan \"sums\" reads -1 {ahead}"));
    // A literal that nothing beside it has a type for is f32 or i32.
    let line = line!();
    let found = mistakes(|p| {
        let x = p.var("x");
        let img = p.image("img", U8, [8]);
        let scan = p.scan("sums", [x.to(8)], x, |line| line.previous(1, 0).cast(U8) + img.at(x));
        p.output("out", scan);
    });
    let message = "previous value of i32, expected u8, as scan \"sums\" computes: cast one";
    assert_eq!(found, [(message.to_owned(), line + 4)]);
    let message = mistake(|p| {
        let [x, y] = p.vars(["x", "y"]);
        p.output("out", p.scan("sums", [x.to(8)], y, |line| line.previous(1, 0.0)));
    });
    assert_eq!(message, "scan \"sums\" walks along y, expected one of its coordinates (x)");
    let message = mistake(|p| {
        let [x, y] = p.vars(["x", "y"]);
        let img = p.image("img", F32, [8]);
        p.output("out", p.scan("sums", [x.to(8)], x, |line| line.previous(1, img.at(y))));
    });
    assert_eq!(message, "scan \"sums\" uses y, expected its coordinates (x) only");
    // Outside of the body it has no meaning: not in another stage, not in another scan, not in an extent.
    let only = "reads previous values of scan \"sums\", which only the scan's own body may";
    let leaked = |program: fn(&Pipeline, weft_builder::Line)| {
        mistake(|p| {
            let x = p.var("x");
            let scan = p.scan("sums", [x.to(8)], x, |line| {
                program(p, line);
                line.previous(1, 0.0)
            });
            p.output("out", scan);
        })
    };
    let message = leaked(|p, line| {
        p.stage("s", [p.var("x").to(8)], line.previous(1, 0.0));
    });
    assert_eq!(message, format!("stage \"s\" {only}"));
    let message = leaked(|p, line| {
        let x = p.var("x");
        p.scan("inner", [x.to(8)], x, |inner| inner.previous(1, line.previous(1, 0.0)));
    });
    assert_eq!(message, format!("scan \"inner\" {only}"));
    let message = leaked(|p, line| {
        p.var("x").to(line.previous(1, 0).cast(Index));
    });
    assert_eq!(message, "extent cast(sums.previous(1)) depends on a pixel, expected a function of extents and numbers");
    let other = Pipeline::new("other");
    let theirs = other.var("theirs");
    let message = mistake(|p| p.output("out", p.scan("sums", [theirs.to(8)], theirs, |line| line.previous(1, 0.0))));
    assert_eq!(message, "scan \"sums\" has a coordinate or value of another program, expected its own");
    let message = mistake(|p| {
        let x = p.var("x");
        p.output("out", p.scan("sums", [x.to(8)], theirs, |line| line.previous(1, 0.0)));
    });
    assert_eq!(message, "scan \"sums\" walks along theirs, expected one of its coordinates (x)");
}

/// What is said of a scatter of f32 into 8 x 8 points that goes over x and is otherwise as told.
fn scatter(write: impl for<'p> Fn(weft_builder::Update<'p, Image<'p>>, Expr<'p>, [Var<'p>; 3]) -> Image<'p>) -> String {
    let message = mistake(|p| {
        let [i, j, x] = p.vars(["i", "j", "x"]);
        let own = p.image("img", F32, [8]).at(x);
        let update = p.scatter("s", [i.to(8), j.to(8)], 0.0).over([x.to(8)]);
        p.output("out", write(update, own, [i, j, x]));
    });
    message.strip_prefix("scatter \"s\" ").unwrap_or(&message).to_owned()
}

#[test]
fn scatters() {
    let message = scatter(|s, own, [i, _, _]| s.add(i, own));
    assert_eq!(message, "is updated at 1 indices, expected 2, one for each dimension");
    let message = scatter(|s, own, [i, _, _]| s.add((i, own), own));
    assert_eq!(message, "has index #1 of f32, expected an index: cast it");
    let coordinates = "coordinates come first, each at its own dimension";
    let message = scatter(|s, own, [i, j, _]| s.add((j, i), own));
    assert_eq!(message, format!("is updated at j as index #0, expected a place there, or i: {coordinates}"));
    let message = scatter(|s, own, [_, j, x]| s.add((x, j), own));
    assert_eq!(message, format!("is updated at j as index #1, expected a place there, or i: {coordinates}"));
    // A dimension of places has no coordinate.
    let message = scatter(|s, own, [i, j, x]| s.add((i, x + j), own));
    assert_eq!(message, "uses j, expected its coordinates and variables (i, x) only");
    let message = scatter(|s, own, [i, _, x]| s.add((i, x), own.cast(I32)));
    assert_eq!(message, "literal 0.0 beside i32, expected an integer");
    let message = scatter(|s, own, [i, _, x]| s.xor((i, x), own));
    assert_eq!(message, "combines by ^ of f32, expected integers or bools");
    let message = scatter(|s, own, [i, _, x]| s.reassoc().max((i, x), own));
    assert_eq!(message, "reorders max of f32, expected reassoc of sums of floats only");
    // What is wrong already is reported once.
    let message = scatter(|s, own, [i, _, x]| s.add((i, x), own + x));
    assert_eq!(message, "+ of f32 and index, expected equal types: cast one");
}

#[test]
fn scatters_of_several_results() {
    let several = |first: Type, second: Type, max: bool| {
        mistake(|p| {
            let [i, x] = p.vars(["i", "x"]);
            let update = p.scatters("s", [i.to(8)], [p.constant(first, 0), p.constant(second, 0)]).over([x.to(8)]);
            let values = [p.constant(first, 1), p.constant(second, 1)];
            let [out, _] = if max { update.max(x, values) } else { update.add(x, values) };
            p.output("out", out);
        })
    };
    assert_eq!(
        several(I32, F32, false),
        "scatter \"s\" combines i32 and f32 by +, expected all results to be floats or integers"
    );
    assert_eq!(
        several(I32, U32, true),
        "scatter \"s\" combines i32 and u32 by max, expected all results to be floats, integers with a sign, or integers without"
    );
    assert_eq!(
        mistake(|p| {
            let [i, x] = p.vars(["i", "x"]);
            let update = p.scatters("s", [i.to(8)], [p.constant(F32, 0), p.constant(I32, 0)]).over([x.to(8)]);
            let [out, _] = update.add(x, [p.constant(F32, 1), p.constant(F32, 1)]);
            p.output("out", out);
        }),
        "scatter \"s\" begins result #1 with i32 and updates it by f32, expected equal types: cast one"
    );
    let message = mistake(|p| {
        let [i, x] = p.vars(["i", "x"]);
        let [] = p.scatters("s", [i.to(8)], [0.0; 0]).over([x.to(8)]).add(x, []);
        p.output("out", p.image("img", F32, [8]));
    });
    assert_eq!(message, "scatter \"s\" has no value, expected at least one");
}

#[test]
fn what_scatters_begin_with_and_go_over() {
    let domain = |lo: i64, hi: i64, twice: bool| {
        mistake(|p| {
            let [i, x] = p.vars(["i", "x"]);
            let one = x.between(lo, hi);
            let update = p.scatter("s", [i.to(8)], 0).over(if twice { vec![one, one] } else { vec![one] });
            p.output("out", update.add(x, 1));
        })
    };
    assert_eq!(domain(3, 2, false), "scatter \"s\" goes over x in [3, 2), which ends before it begins");
    assert_eq!(domain(3, 4, true), "scatter \"s\" has variable x twice, expected different ones");
    let message = mistake(|p| {
        let i = p.var("i");
        p.output("out", p.scatter("s", [i.to(8)], 0).over(Vec::<weft_builder::Span>::new()).add([0], 1));
    });
    assert_eq!(message, "scatter \"s\" goes over 0 variables, expected 1 to 4");
    let message = mistake(|p| {
        let [i, x] = p.vars(["i", "x"]);
        let img = p.image("img", I32, [8]);
        p.output("out", p.scatter("s", [i.to(8)], img.at(i)).over([x.to(8)]).add(i, 1));
    });
    assert_eq!(
        message,
        "scatter \"s\" begins with a value: img.at(i) depends on coordinate i, expected a function of extents and numbers"
    );
    let message = mistake(|p| {
        let [i, x] = p.vars(["i", "x"]);
        let img = p.image("img", I32, [8]);
        p.output("out", p.scatter("s", [i.to(8)], 0).over([x.between(0, img.at([0]).cast(Index))]).add(i, 1));
    });
    assert_eq!(
        message,
        "end of an interval cast(img.at(0)) depends on a pixel, expected a function of extents and numbers"
    );
    let other = Pipeline::new("other");
    let theirs = other.var("theirs");
    let message = mistake(|p| {
        let i = p.var("i");
        p.output("out", p.scatter("s", [i.to(8)], 0).over([theirs.to(8)]).add(i, 1));
    });
    assert_eq!(message, "scatter \"s\" has a coordinate or variable of another program, expected its own");
}

#[test]
fn iterates() {
    let program = |p: &Pipeline, becomes: Type, extent: i64| {
        let x = p.var("x");
        let img = p.image("img", F32, [8]);
        let [last] =
            p.iterate("steps", 3, [img], |[u]| [p.stage("step", [x.to(extent)], u.clamp().at(x + 1).cast(becomes))]);
        p.output("out", last);
    };
    assert_eq!(mistake(|p| program(p, I32, 8)), "state #0 of iterate \"steps\" becomes 8xi32, expected 8xf32");
    assert_eq!(mistake(|p| program(p, F32, 7)), "state #0 of iterate \"steps\" becomes 7xf32, expected 8xf32");
    let message = mistake(|p| {
        let x = p.var("x");
        let img = p.image("img", F32, [8]);
        let [last] = p.iterate("steps", -1, [img], |[u]| [u]);
        p.output("out", p.stage("s", last.shape([x]), last.at(x)));
    });
    assert_eq!(message, "number of steps -1, expected at least 0");
    // What was made in a step is gone behind it.
    let found = mistakes(|p| {
        let x = p.var("x");
        let img = p.image("img", F32, [8]);
        let mut inside = img;
        p.iterate("steps", 2, [img], |[u]| {
            inside = p.stage("step", u.shape([x]), u.at(x) * 0.5);
            [inside]
        });
        p.output("out", p.stage("s", img.shape([x]), inside.at(x)));
        p.output("step", inside);
    });
    let messages: Vec<&str> = found.iter().map(|(message, _)| message.as_str()).collect();
    let what = "image \"step\" of the body of an iterate, expected one outside of it: a result of iterate";
    assert_eq!(messages, [format!("stage \"s\" reads {what}").as_str(), what]);
}

/// A large window is a loop, in the order in which a small one is written out.
#[test]
fn large_windows_are_reductions() {
    let p = Pipeline::new("large");
    let [y, x, dy, dx] = p.vars(["y", "x", "dy", "dx"]);
    let img = p.image("img", F32, [64, 64]).clamp();
    let value = img.at((y + dy, x + dx));
    let sum = |size: i64| p.sum([dy.over(0..size), dx.over(0..size)], value);
    let rest = p.fold([dy.over(0..6), dx.over(1..6)], value, |a, b| a * 0.5 + b);
    let [small, large, rest] = p.stages("s", img.shape([y, x]), [sum(5), sum(6), rest]);
    p.output("small", small);
    p.output("large", large);
    p.output("rest", rest);
    let context = weft_builder::context();
    let text = p.finish(&context).expect("a right program").as_operation().to_string();
    for op in [
        // What is added to this keeps its sign.
        "arith.constant -0.000000e+00",
        "(%ry, %rx) in [0, 6) x [0, 6) (%acc = %cst",
        // The first point, its row, and the rows behind.
        "(%rx) in [2, 6) (",
        "(%ry, %rx) in [1, 6) x [1, 6) (",
    ] {
        assert!(text.contains(op), "{op} in {text}");
    }
    assert_eq!(text.matches("pipeline.reduce").count(), 3, "{text}");
}

/// What does not depend on a reduction's variables is made outside, once.
#[test]
fn nested_reductions_and_gathers() {
    let p = Pipeline::new("nested");
    let [y, x, i, j] = p.vars(["y", "x", "i", "j"]);
    let img = p.image("img", F32, [64, 64]);
    let table = p.image("table", F32, [32]).reflect101();
    let own = table.at((img.at((y, x)) * 32.0).cast(Index));
    let inner = p.sum([j.over(0..32)], table.at(i) * table.at(j) * own);
    let outer = p.reduce([i.over(0..32)], own, |so_far| so_far + inner);
    p.output("out", p.stage("s", img.shape([y, x]), outer));
    let context = weft_builder::context();
    let text = p.finish(&context).expect("a right program").as_operation().to_string();
    assert_eq!(text.matches("pipeline.gather").count(), 1, "{text}");
    assert!(text.find("pipeline.gather") < text.find("pipeline.reduce"), "{text}");
    // Variables that stay inside need no mode.
    assert_eq!(text.matches("] : tensor<32xf32>").count(), 2, "{text}");
    assert!(text.contains("] reflect101 : tensor<32xf32>"), "{text}");
}

#[test]
fn several_are_all_returned() {
    let found = mistakes(|p| {
        stage(p, |img, y, x| {
            let wrong = img.at((y, x)) + img.at(y);
            // What uses a wrong value is not reported again.
            (wrong * 2.0 + img.at((y, x)).cast(U8)).max(wrong) | 1
        });
        p.image("one", Bool, [3]);
    });
    let messages: Vec<&str> = found.iter().map(|(message, _)| message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "1 indices of \"img\", expected 2, one for each dimension",
            "image \"one\" of bool, expected floats or integers of 8 to 64 bits"
        ]
    );
}

#[test]
fn equal_expressions_are_one_op() {
    let p = Pipeline::new("shared");
    let [y, x] = p.vars(["y", "x"]);
    let img = p.image("img", U8, [8, 8]).mirror();
    let twice = |shift: i32| img.at((y, x + shift)).widen() * img.at((y, x + shift)).widen();
    let [low, high] = p.stages("s", img.shape([y, x]), [twice(1), (twice(1) + twice(1)).saturate(U8)]);
    p.output("low", low);
    p.output("high", high);
    let context = weft_builder::context();
    let text = p.finish(&context).expect("a right program").as_operation().to_string();
    for (op, count) in [("pipeline.load", 1), ("arith.extui", 1), ("arith.muli", 1), ("arith.minui", 1)] {
        assert_eq!(text.matches(op).count(), count, "{op} in {text}");
    }
    assert!(text.contains("tensor<8x8xi16> {weft.name = \"low\", weft.unsigned}"), "{text}");
    // 0 to 255 and never negative: no maximum is taken.
    assert!(!text.contains("arith.maxui"), "{text}");
}

#[test]
fn a_load_that_stays_inside_has_no_mode() {
    let p = Pipeline::new("inside");
    let [y, x] = p.vars(["y", "x"]);
    let img = p.image("img", F32, [3, DYN, DYN]).clamp();
    let (h, w) = (img.extent(1), img.extent(2));
    let value = img.at((2, y, x)) + img.at((3, y, x)) + img.at((0, x, y)) + img.padding(1.0).at((0, y, x + 1));
    p.output("out", p.stage("s", [y.to(h), x.to(w)], value));
    let context = weft_builder::context();
    let text = p.finish(&context).expect("a right program").as_operation().to_string();
    for load in ["[2, %y, %x] :", "[3, %y, %x] clamp :", "[0, %x, %y] clamp :", "[0, %y, %x + 1] constant("] {
        assert!(text.contains(load), "{load} in {text}");
    }
}

#[test]
fn what_is_said_of_images_that_are_no_arguments() {
    let message = mistake(|p| {
        let [y, x] = p.vars(["y", "x"]);
        let img = p.image("img", F32, [DYN, DYN]);
        p.output("out", p.stage("s", img.shape([y, x]), img.at((y, x))).estimate([8, 8]));
    });
    assert_eq!(message, "an estimate of a stage, expected an image that the program is given");
    let message = mistake(|p| {
        let [y, x] = p.vars(["y", "x"]);
        let img = p.image("img", F32, [DYN, DYN]);
        p.output("out", p.stage("s", img.shape([y, x]), img.at((y, x))).extent_names(["h", "w"]));
    });
    assert_eq!(message, "names of extents of a stage, expected an image that the program is given");
    let message = mistake(|p| {
        let [y, x] = p.vars(["y", "x"]);
        let img = p.image("img", F32, [DYN, DYN]).extent_names(["h"]);
        p.output("out", p.stage("s", img.shape([y, x]), img.at((y, x))));
    });
    assert_eq!(message, "1 names of extents, expected 2, the rank");
}

#[test]
fn tables() {
    let table = |extents: &'static [i64], values: &'static [f64]| {
        mistake(move |p| {
            let [x] = p.vars(["x"]);
            let w = p.table("w", F32, extents, values.iter().copied());
            p.output("out", p.stage("s", [x.to(2)], w.at((x,))));
        })
    };
    assert_eq!(table(&[3], &[1.0, 2.0]), "table \"w\" of [3] has 2 values, expected one for each");
    assert_eq!(table(&[0], &[]), "table \"w\" of [0] has 0 values, expected one for each");
    let message = mistake(|p| p.output("w", p.table("w", F32, [1], [1])));
    assert_eq!(message, "table \"w\", expected an image: a stage can copy it");
    let message = mistake(|p| {
        let [x] = p.vars(["x"]);
        let w = p.table("w", U8, [2], [1, 256]);
        p.output("out", p.stage("s", [x.to(2)], w.at((x,))));
    });
    assert_eq!(message, "literal 256 beside u8, expected 0 to 255");
}
