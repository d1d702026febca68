//! Shrinks a program while a test finds it interesting: what `pipeline-reduce` does.
//!
//! ```text
//! text ──▶ module ── one reduction ──▶ module ──verified──▶ smaller text ──▶ test: interesting? ──▶ the text from now on
//!   ▲                                                                                                      │
//!   └──────────────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Stages of a program are made of each other, so that one cannot just be left out: what an op gives is replaced by something that it is
//! made of, and the op goes with all that was there for it alone. Kinds of reductions take turns until none is left that keeps the
//! program interesting. None knows what a stage is: they are for IR of every level. (`mlir-reduce` leaves out what nobody uses, and
//! crashes on regions that use values from outside, as bodies of stages do.)

mod kinds;

use crate::Stop;
use kinds::{Kind, smaller_extents};
use melior::{
    Context,
    ir::{Module, operation::OperationLike},
};
use mlir_glue::{ir, run};
use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// What became of a program.
#[derive(Debug)]
pub struct Reduced {
    /// The program that is left.
    pub text: String,
    /// The number of ops before and after.
    pub ops: (usize, usize),
    /// Whether anything was left out.
    pub is_smaller: bool,
    /// How often the test was run on a smaller program.
    pub tests: usize,
}

/// Shrinks a program as long as `test` exits with 1 when it is given the file (as tests of `mlir-reduce` do).
///
/// # Errors
///
/// A test that cannot be run, or that does not find the program interesting.
pub fn reduce(context: &Context, text: String, test: &Path) -> Result<Reduced, Stop> {
    let (before, whole) = (size(context, &text), text.clone());
    let mut reducer = Reducer { context, test, text, tests: 0 };
    let found = match reducer.exit_code(&reducer.text, Stdio::inherit())? {
        Some(1) => None,
        Some(code) => Some(format!("exits with {code}")),
        None => Some("is ended by a signal".to_owned()),
    };
    if let Some(found) = found {
        let message =
            format!("{} {found} for the whole program, expected 1, which says that it is interesting", test.display());
        return Err(Stop::Because(message));
    }
    loop {
        let text = reducer.text.clone();
        for kind in Kind::ALL {
            reducer.sweep(|module, number| kind.apply(context, module, number))?;
        }
        reducer.extents()?;
        if reducer.text == text {
            break;
        }
    }
    let after = size(context, &reducer.text);
    let is_smaller = reducer.text != whole;
    Ok(Reduced { text: reducer.text, ops: (before, after), is_smaller, tests: reducer.tests })
}

fn size(context: &Context, text: &str) -> usize {
    run::parse_module(context, text, "reduced").map_or(0, |module| ir::walk(module.as_operation()).len())
}

struct Reducer<'c, 'a> {
    context: &'c Context,
    test: &'a Path,
    text: String,
    tests: usize,
}

impl Reducer<'_, '_> {
    /// Tries all reductions of a kind, which counts them anew after each that was made.
    fn sweep(&mut self, reduction: impl Fn(&Module, usize) -> Option<bool>) -> Result<(), Stop> {
        let mut number = 0;
        loop {
            let Some(module) = run::parse_module(self.context, &self.text, "reduced") else { return Ok(()) };
            let Some(is_made) = reduction(&module, number) else { return Ok(()) };
            let is_kept = is_made && module.as_operation().verify() && self.keep(&module)?;
            number += usize::from(!is_kept);
        }
    }

    /// Tries smaller extents, in the types of the program's text: what does not fit together then is no program.
    fn extents(&mut self) -> Result<(), Stop> {
        let mut number = 0;
        while let Some(text) = smaller_extents(&self.text, number) {
            let module = run::parse_module(self.context, &text, "reduced");
            let is_kept = match &module {
                Some(module) => self.keep(module)?,
                None => false,
            };
            number += usize::from(!is_kept);
        }
        Ok(())
    }

    /// Goes on with a smaller program, if it is still interesting.
    fn keep(&mut self, module: &Module) -> Result<bool, Stop> {
        let text = text_of(module);
        if text == self.text {
            return Ok(false);
        }
        self.tests += 1;
        let is_interesting = self.exit_code(&text, Stdio::null())? == Some(1);
        if is_interesting {
            self.text = text;
        }
        Ok(is_interesting)
    }

    /// What the test says of a program; nothing if a signal ended it.
    fn exit_code(&self, text: &str, stderr: Stdio) -> Result<Option<i32>, Stop> {
        let broken = |error: std::io::Error| format!("a file for the test: {error}");
        let mut file = tempfile::Builder::new().suffix(".mlir").tempfile().map_err(broken)?;
        file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(broken)?;
        let mut test = Command::new(self.test);
        test.arg(file.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        let status = test.status().map_err(|error| format!("{} cannot be run: {error}", self.test.display()))?;
        Ok(status.code())
    }
}

/// A module as it is written to files.
pub fn text_of(module: &Module) -> String {
    format!("{}\n", module.as_operation().to_string().trim_end())
}
