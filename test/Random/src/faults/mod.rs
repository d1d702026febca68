//! Faults planted in PTX: does the executor, on small images, find what is wrong with a kernel?
//!
//! ```text
//! program ─ --pipeline-to-ptx ─▶ PTX ─ a fault in one line ─▶ the executor, on images of several extents
//!                                                             differs, or is reported: found
//!                                                             neither: on many more images; then it is listed
//! ```
//!
//! [`plant`](plant::plant) says which faults there are, [`Subject`] runs them. A fault that no image shows may change nothing: a clamp bound
//! of lanes whose value nobody uses, a comparison whose two sides are never equal.

pub mod plant;

use crate::{
    check::{Case, Data, Expected, Session},
    gpu::{NO_PTX, Stop, run_ptx},
};
use melior::ir::Module;
use mlir_glue::{Step, pipeline_text, run::run_pipeline};
use plant::{Planted, plant};
use std::{collections::BTreeMap, path::Path};
use weft_passes::{
    gpu::ptx_of,
    pipelines::{PipelineToPtx, PtxOptions},
};
use weft_runtime::{ArgumentType, simt::Options};

/// Extents on which each fault is tried, rows and columns: with an inside, aligned and not, tiny.
pub const EXTENTS: [[usize; 2]; 7] = [[41, 203], [40, 256], [16, 128], [9, 61], [5, 32], [2, 7], [1, 1]];

/// Instructions of a block; a kernel has some thousands on such images.
const LIMIT: u64 = 1 << 18;

/// What became of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The executor does not take the text: no fault.
    Refused,
    /// A result is another.
    Differs,
    /// The results are right, but the executor reports something.
    Reported,
    /// Only other extents than [`EXTENTS`] show it.
    Late,
    /// Nothing shows it.
    Unseen,
}

/// How many faults of each class became what.
pub type Tally = BTreeMap<&'static str, BTreeMap<Outcome, usize>>;

/// A program, and what it gives on images of several extents.
pub struct Subject<'s> {
    module: Module<'s>,
    ptx: String,
    usual: Vec<Expected>,
    others: Vec<Expected>,
}

impl<'s> Subject<'s> {
    /// A program of `examples/`. `others` are extents for what [`EXTENTS`] do not show.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    fn new(session: &'s Session, path: &Path, others: &[[usize; 2]]) -> Result<Self, String> {
        let text = weft_files::text(path, "MLIR").map_err(|error| error.to_string())?;
        let name = path.display().to_string();
        let case = |inputs| Case { text: text.clone(), inputs };
        let module = session.parse(&case(Vec::new()), &name).map_err(|failure| failure.to_string())?;
        let entry = session.entry(&module).map_err(|failure| failure.to_string())?;
        let expected = |extents: &[usize; 2]| {
            let inputs = entry.arguments.iter().enumerate().map(|(number, ty)| data(ty, number as u64, extents));
            session.reference(&case(inputs.collect()), &name).map_err(|failure| failure.to_string())
        };
        let usual = EXTENTS.iter().map(expected).collect::<Result<_, _>>()?;
        let others = others.iter().map(expected).collect::<Result<_, _>>()?;
        let pipeline = pipeline_text(&[Step::pipeline::<PipelineToPtx>(&PtxOptions::default())])?;
        run_pipeline(module.as_operation(), &pipeline).map_err(|error| format!("{error}: {}", session.errors()))?;
        let ptx = ptx_of(module.as_operation());
        Ok(Self { module, ptx, usual, others })
    }

    /// What becomes of a fault, and of the text without one, which must be [`Outcome::Unseen`].
    fn outcome(&self, text: &str) -> Outcome {
        let of = |expected: &Expected| self.run(text, expected);
        let first = self.usual.iter().map(of).find(|outcome| *outcome != Outcome::Unseen);
        first.unwrap_or_else(|| match self.others.iter().any(|expected| of(expected) != Outcome::Unseen) {
            true => Outcome::Late,
            false => Outcome::Unseen,
        })
    }

    fn run(&self, text: &str, expected: &Expected) -> Outcome {
        let options = Options { threads: 1, limit: LIMIT, ..Options::default() };
        let Expected { entry, inputs, results } = expected;
        let run = run_ptx(self.module.as_operation(), text, &entry.name, inputs, &expected.shapes(), options);
        match (run, results) {
            (Err(Stop::Failure(NO_PTX, _)), _) => Outcome::Refused,
            (Ok(run), Ok(expected)) => {
                let differs =
                    |(found, expected): (&weft_runtime::Buffer, _)| found.first_difference(expected).is_some();
                match (run.outputs.iter().zip(expected).any(differs), run.reports.is_empty()) {
                    (true, _) => Outcome::Differs,
                    (false, false) => Outcome::Reported,
                    (false, true) => Outcome::Unseen,
                }
            }
            // Extents on which the program itself fails show nothing.
            (Err(Stop::Check(_)), Err(_)) => Outcome::Unseen,
            _ => Outcome::Reported,
        }
    }
}

/// An argument: of the dynamic extents, the last are rows and columns.
fn data(ty: &ArgumentType, seed: u64, extents: &[usize; 2]) -> Data {
    let (shape, is_number) = match ty {
        ArgumentType::Scalar(_) => (Vec::new(), true),
        ArgumentType::Tensor(ty) => {
            let mut left = extents.iter().rev();
            let mut shape: Vec<usize> =
                ty.shape.iter().rev().map(|extent| extent.or_else(|| left.next().copied()).unwrap_or(1)).collect();
            shape.reverse();
            (shape, false)
        }
    };
    Data { shape, seed, special: false, is_number }
}

/// Plants every `step`th fault in the kernels of a program, and counts what becomes of them; `unseen` is told of those that nothing
/// shows.
///
/// # Errors
///
/// A program that cannot be compiled, or that is wrong without any fault.
pub fn survey(
    path: &Path,
    others: &[[usize; 2]],
    step: usize,
    mut unseen: impl FnMut(&Planted, &str),
) -> Result<Tally, String> {
    let session = Session::new();
    let subject = Subject::new(&session, path, others)?;
    if subject.outcome(&subject.ptx) != Outcome::Unseen {
        return Err(format!("{}: its kernels are wrong without any fault", path.display()));
    }
    let lines: Vec<&str> = subject.ptx.lines().collect();
    let mut tally = Tally::new();
    for planted in plant(&lines).iter().step_by(step.max(1)) {
        let text: Vec<&str> = lines
            .iter()
            .enumerate()
            .map(|(place, line)| if place == planted.line { &planted.text } else { *line })
            .collect();
        let outcome = subject.outcome(&text.join("\n"));
        *tally.entry(planted.class).or_default().entry(outcome).or_default() += 1;
        if outcome == Outcome::Unseen {
            unseen(planted, lines[planted.line]);
        }
    }
    Ok(tally)
}
