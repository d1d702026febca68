//! Every kind of mistake, with its exact text: `errors.txt` has programs and what is said of them.
//! After a change: `WEFT_BLESS=1 cargo test --release -p weft-forma`.
//!
//! ```text
//! === what the case shows
//! a program
//! ---
//! what is said of it
//! ```

use std::{collections::BTreeSet, path::Path};
use weft_forma::{Diagnostic, Kind};

/// The mistakes of a program, those too that only the builder finds.
fn mistakes(source: &str) -> Vec<Diagnostic> {
    let context = weft_builder::context();
    weft_forma::compile(&context, "case.fm", source).err().unwrap_or_default()
}

#[test]
fn texts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors.txt");
    let cases = std::fs::read_to_string(&path).expect("the cases lie beside this file");
    let mut kinds = BTreeSet::new();
    let mut found = String::new();
    for case in cases.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').expect("a name and a program");
        let (source, _) = rest.split_once("---\n").unwrap_or((rest, ""));
        let mistakes = mistakes(source);
        assert!(!mistakes.is_empty(), "{name}: nothing is wrong with\n{source}");
        kinds.extend(mistakes.iter().map(|mistake| mistake.kind));
        let text = weft_forma::render("case.fm", source, &mistakes, false);
        let text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        found.push_str(&format!("=== {name}\n{source}---\n{text}"));
    }
    if std::env::var_os("WEFT_BLESS").is_some() {
        std::fs::write(&path, &found).expect("the file can be written");
    } else {
        assert_eq!(found, cases, "WEFT_BLESS=1 writes errors.txt anew");
    }
    assert_eq!(kinds, Kind::ALL.iter().copied().collect());
}

#[test]
fn deep_nesting_ends_with_a_message() {
    let parens = format!("x = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(mistakes(&parens)[0].message, "more than 200 open brackets");
    let signs = format!("x = {}1; return x;", "-".repeat(100_000));
    assert_eq!(mistakes(&signs)[0].message, "an expression more than 500 deep");
    let sum = format!("x = 1{}; return x;", " + 1".repeat(100_000));
    assert_eq!(mistakes(&sum)[0].message, "an expression more than 500 deep");
    let mut lets = "stencil f(vector#1 float X) { let a0 = X;".to_owned();
    (1..5000).for_each(|number| lets.push_str(&format!(" let a{number} = a{} + X;", number - 1)));
    lets.push_str(" return a4999; }");
    assert_eq!(mistakes(&lets)[0].message, "a value that depends on 2000 others, one on the other");
    let mut doubling = "function f0(float a) { return a + a; }".to_owned();
    (1..40).for_each(|n| doubling.push_str(&format!("function f{n}(float a) {{ return f{0}(a) + f{0}(a); }}", n - 1)));
    let message = &mistakes(&doubling)[0].message;
    assert!(message.ends_with("has more than 1000000 operations"), "{message}");
}

/// Nor do short programs become long ones, or deep ones piece by piece.
#[test]
fn what_is_written_out_is_limited() {
    let image = "parameter N; vector#1 float a[N];";
    let mut large = "function f0(float a) { return a + a; }".to_owned();
    (1..17).for_each(|n| large.push_str(&format!("function f{n}(float a) {{ return f{0}(a) + f{0}(-a); }}", n - 1)));
    large.push_str(&format!("{image} stencil s(vector#1 float X) {{ return f16(X); }}"));
    (0..1000).for_each(|n| large.push_str(&format!("o{n} = s(a);")));
    large.push_str("return o0;");
    assert_eq!(mistakes(&large)[0].message, "a program of more than 10000000 operations");

    let mut numbers = format!("{image} n0 = N;");
    (1..3000).for_each(|n| numbers.push_str(&format!("n{n} = n{} + 1;", n - 1)));
    numbers.push_str("return a;");
    assert_eq!(mistakes(&numbers)[0].message, "a value that depends on 2000 others, one on the other");

    let windows: String = (0..9).map(|n| format!("sum[a{n}=0..5,b{n}=0..5,c{n}=0..5,d{n}=0..5](")).collect();
    let nested =
        format!("{image} stencil f(vector#1 float X) {{ return {windows}X{}; }} b = f(a); return b;", ")".repeat(9));
    assert_eq!(mistakes(&nested)[0].message, "stencil \"f\" has more than 1000000 operations");

    let compose = format!("{image} b = compose [N] at [x] {{ {} }}; return b;", "[x] = a;".repeat(3000));
    assert_eq!(mistakes(&compose)[0].message, "compose of 3000 parts, expected at most 2000");
}

/// The deepest that is allowed goes through all of the front end, in a thread with little stack.
#[test]
fn what_is_almost_too_deep_compiles() {
    let image = "parameter N; vector#1 float a[N];";
    let mut functions = "function f0(float a) { return a + 1.0; }".to_owned();
    (1..490).for_each(|n| functions.push_str(&format!("function f{n}(float a) {{ return f{}(a) + 1.0; }}", n - 1)));
    functions.push_str(&format!("{image} stencil s(vector#1 float X) {{ return f489(X); }} b = s(a); return b;"));
    let sum = format!("{image} stencil s(vector#1 float X) {{ return X{}; }} b = s(a); return b;", " + X".repeat(498));
    let signs = format!("{image} stencil s(vector#1 float X) {{ return {}X; }} b = s(a); return b;", "-".repeat(498));
    let mut lets = format!("{image} stencil s(vector#1 float X) {{ let a0 = X;");
    (1..990).for_each(|n| lets.push_str(&format!("let a{n} = a{} + X@[{n}];", n - 1)));
    lets.push_str("return a989; } b = s(a); return b;");
    for source in [functions, sum, signs, lets] {
        assert_eq!(mistakes(&source).first().map(ToString::to_string), None);
    }
}
