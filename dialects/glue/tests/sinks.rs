//! What passes report reaches whoever runs them, and nobody else.

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{OperationRef, operation::OperationLike},
};
use mlir_glue::{
    Diagnostic, Failure, Pass, PassContext, Registration, Sinks, ir,
    run::{RunError, parse_module, run_pipeline, run_pipeline_with},
    tool,
};
use std::{collections::BTreeSet, thread};

/// The name of a function, where that is wanted.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name(String);

struct Tell;

impl Pass for Tell {
    const ARGUMENT: &'static str = "test-tell";
    const SUMMARY: &'static str = "Report the name of a function";
    const ANCHOR: &'static str = "func.func";
    type Options = ();

    fn run<'c>(op: OperationRef<'c, '_>, (): &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let name = op.attribute("sym_name").ok().and_then(ir::text_of).unwrap_or_default();
        if name == "bad" {
            return Err(Diagnostic::on(op, "is bad").into());
        }
        if cx.wants::<Name>() {
            cx.report(Name(name.to_owned()));
        }
        // Nobody wants these.
        cx.report(name.len());
        Ok(())
    }
}

fn context() -> Context {
    let registry = DialectRegistry::new();
    tool::register_upstream((&registry).into());
    // With threads: passes on functions are cloned for them.
    Context::new_with_registry(&registry, true)
}

fn functions(names: impl Iterator<Item = String>) -> String {
    names.map(|name| format!("func.func private @{name}() {{ return }}\n")).collect()
}

fn tell(run: usize) -> (BTreeSet<Name>, BTreeSet<Name>) {
    let context = context();
    let names = || (0..40).map(|number| format!("f{run}_{number}"));
    let module = parse_module(&context, &functions(names()), "test").expect("a module");
    let mut sinks = Sinks::default();
    let reports = sinks.collect::<Name>();
    let ran = run_pipeline_with(module.as_operation(), "func.func(test-tell)", &sinks);
    assert_eq!(ran, Ok(()));
    (reports.try_iter().collect(), names().map(Name).collect())
}

#[test]
fn each_run_has_its_own() {
    Registration::pass::<Tell>().register();
    let runs = (0..4).map(|run| thread::spawn(move || tell(run))).collect::<Vec<_>>();
    for run in runs {
        let (found, expected) = run.join().expect("no panic");
        assert_eq!(found, expected);
    }
}

#[test]
fn a_run_without_sinks_and_one_that_fails() {
    Registration::pass::<Tell>().register();
    let context = context();
    let _handler = context.attach_diagnostic_handler(|_| true);
    let run = |text: &str, pipeline: &str| {
        let module = parse_module(&context, text, "test").expect("a module");
        run_pipeline(module.as_operation(), pipeline)
    };
    let good = functions(["good".to_owned()].into_iter());
    let bad = functions(["bad".to_owned()].into_iter());
    assert_eq!(run(&good, "func.func(test-tell)"), Ok(()));
    assert_eq!(run(&bad, "func.func(test-tell)"), Err(RunError::PassFailed));
    assert!(
        matches!(run(&good, "func.func(test-tel)"), Err(RunError::NoPipeline(message)) if message.contains("test-tel"))
    );
}
