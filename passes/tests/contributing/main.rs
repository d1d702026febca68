//! The pass that `CONTRIBUTING.md` adds, in a crate that looks like this one: it compiles as it stands on the page, is registered
//! by the lines that the page says, and passes the page's test.
//!
//! `docs/fill` writes the page's blocks from these files; where a change breaks them, the page is to be changed, too.

use melior::{Context, diagnostic::DiagnosticSeverity, dialect::DialectRegistry};
use mlir_glue::{
    Registration, Step, pipeline_text,
    run::{parse_module, place, run_pipeline},
    tool,
};
use std::{cell::RefCell, fs, path::Path, rc::Rc};

#[macro_use]
#[path = "../../src/declare.rs"]
mod declare;

mod stage;

// What the page's pass imports of its crate.
use weft_passes::{analysis, ir};

const TEST: &str = include_str!("loads.mlir");
const PASS: &str = include_str!("stage/count_loads.rs");

/// What the test expects: on which line, and what.
fn expected() -> Vec<(usize, &'static str)> {
    let of = |(number, line): (usize, &'static str)| {
        let (_, words) = line.split_once("expected-remark@below {{")?;
        // Lines count from 1, and the next one is meant.
        Some((number + 2, words.strip_suffix("}}")?))
    };
    TEST.lines().enumerate().filter_map(of).collect()
}

/// The options that the first line of the test gives.
fn pipeline() -> String {
    let run = TEST.lines().next().and_then(|line| line.strip_prefix("// RUN: pipeline-opt %s --"));
    let text = run.and_then(|run| run.split_whitespace().next()).expect("a RUN line");
    let (pass, options) = text.split_once('=').expect("an option");
    format!("{pass}{{{options}}}")
}

#[test]
fn the_pass_of_the_walk_does_what_its_test_says() {
    stage::PASSES.iter().for_each(Registration::register);
    let registry = DialectRegistry::new();
    tool::register_upstream((&registry).into());
    weft_dialects::register_dialects((&registry).into());
    let context = Context::new_with_registry(&registry, false);
    let said = Rc::new(RefCell::new(Vec::new()));
    let listener = Rc::clone(&said);
    context.attach_diagnostic_handler(move |diagnostic| {
        let is_remark = matches!(diagnostic.severity(), DiagnosticSeverity::Remark);
        listener.borrow_mut().push((is_remark, place(diagnostic.location()), diagnostic.to_string()));
        true
    });
    let module = parse_module(&context, TEST, "loads.mlir").expect("a module");
    let step = Step::of::<stage::CountLoads>(stage::CountLoadsOptions { at_least: 2 });
    assert_eq!(pipeline_text(&[step]), Ok(pipeline()));
    assert_eq!(run_pipeline(module.as_operation(), &pipeline()), Ok(()));
    let expected = expected();
    assert_eq!(expected.len(), 1);
    let said = said.borrow();
    assert_eq!(said.len(), expected.len(), "{said:?}");
    for ((is_remark, at, words), (line, expected)) in said.iter().zip(expected) {
        assert!(*is_remark && at.starts_with(&format!("loads.mlir:{line}:")), "{at}");
        assert!(words.contains(expected), "{words}");
    }
}

#[test]
fn the_page_has_the_same_text() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("passes is a folder of the repository");
    let page = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("CONTRIBUTING.md");
    for text in [PASS, TEST] {
        assert!(page.contains(text), "not in CONTRIBUTING.md:\n{text}");
    }
    let wing = fs::read_to_string(root.join("passes/src/stage/mod.rs")).expect("the wing");
    assert!(wing.contains("\ndeclare_passes! {\n"), "the wing lists its passes otherwise");
}
