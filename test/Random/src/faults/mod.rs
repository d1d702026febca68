//! Faults planted in the code of a program: do our tests, on small images, find what is wrong with it?
//!
//! ```text
//! program ─┬ --pipeline-to-ptx ─▶ PTX ─────┬ a fault in one line ─▶ the executor, or a process of its own, on images of several extents
//!          └ --pipeline-to-cpu ─▶ LLVM IR ─╯                        differs, or is reported: found
//!                                                                   neither: on more images; then with a probe in place of the fault
//! ```
//!
//! [`ptx`] and [`llvm`] say which faults there are, [`survey`] runs them. A fault that no image shows may change nothing: a clamp bound of
//! lanes whose value nobody uses, a comparison whose two sides are never equal. A probe is the right line, and what stops the program where
//! the fault would give another value: where it goes through, the fault was the same as what is right, on all those images. Of some in
//! kernels [`proofs`] show that they change nothing on any.

pub mod child;
mod llvm;
pub mod outcome;
pub mod planted;
mod proofs;
mod ptx;

use crate::{
    check::{Case, Data, Expected, Session},
    gpu::{Kernels, NO_PTX, Stop},
};
use melior::ir::Module;
use mlir_glue::{Step, pipeline_text, run::run_pipeline};
use outcome::{Outcome, Tally};
use planted::Planted;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use weft_passes::{
    gpu::ptx_of,
    pipelines::{CpuOptions, PipelineToCpu, PipelineToPtx, PtxOptions},
};
use weft_runtime::{ArgumentType, gpu::Simt, simt::Options};

/// Extents on which each fault is tried, rows and columns: with an inside, aligned and not, tiny. A tile has as many as 256 columns, which
/// the threads of a warp take 32 at a time: in each of those groups some image ends, because whether a column is one of the image is asked
/// for each group. What walks down an image takes 32 rows at a time, which some image has several times.
pub const EXTENTS: [[usize; 2]; 14] = [
    [41, 203],
    [40, 256],
    [16, 128],
    [9, 61],
    [5, 32],
    [2, 7],
    [1, 1],
    [3, 75],
    [2, 110],
    [4, 140],
    [3, 180],
    [2, 240],
    [5, 300],
    [131, 5],
];

/// CPU code has larger tiles: more rows than one has, and more columns.
const EXTENTS_OF_TILES: [[usize; 2]; 2] = [[330, 19], [3, 6500]];

/// Instructions of a block; a kernel has some thousands on such images, and those that walk an image more.
const LIMIT: u64 = 1 << 22;

/// What code faults are planted in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Kernels, on the executor.
    Ptx,
    /// LLVM IR, compiled and run by this program, which must be `weft-faults`.
    Cpu(PathBuf),
}

/// Which faults, and on what.
pub struct Plan<'p> {
    /// What code.
    pub code: Code,
    /// Every how many faults one is planted.
    pub every: usize,
    /// Extents for what [`EXTENTS`] do not show.
    pub others: &'p [[usize; 2]],
}

/// A program, and what it gives on images of several extents: the usual ones, then others.
struct Subject<'s> {
    module: Module<'s>,
    text: String,
    trials: Vec<(Case, Expected)>,
    usual: usize,
    /// The program that runs it, and the folder where that finds what it should give.
    child: Option<(PathBuf, TempDir)>,
}

impl<'s> Subject<'s> {
    /// A program of `examples/`.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    fn new(session: &'s Session, path: &Path, plan: &Plan) -> Result<Self, String> {
        let text = weft_files::text(path, "MLIR").map_err(|error| error.to_string())?;
        let name = path.display().to_string();
        let case = |inputs| Case { text: text.clone(), inputs };
        let module = session.parse(&case(Vec::new()), &name).map_err(|failure| failure.to_string())?;
        let entry = session.entry(&module).map_err(|failure| failure.to_string())?;
        let mut trials = Vec::new();
        let mut usual = 0;
        let mut extents = EXTENTS.to_vec();
        if plan.code != Code::Ptx {
            extents.extend(EXTENTS_OF_TILES);
        }
        let most = extents.len();
        for (place, extents) in extents.iter().chain(plan.others).enumerate() {
            // Images of odd seeds are of numbers of all sizes.
            let data = entry.arguments.iter().enumerate();
            let case = case(data.map(|(number, ty)| data_of(ty, (number + place) as u64, extents)).collect());
            let expected = session.reference(&case, &name).map_err(|failure| failure.to_string())?;
            // Extents on which the program itself fails show nothing.
            if expected.results.is_ok() {
                trials.push((case, expected));
                usual += usize::from(place < most);
            }
        }
        let step = match plan.code {
            Code::Ptx => Step::pipeline::<PipelineToPtx>(&PtxOptions::default()),
            Code::Cpu(_) => Step::pipeline::<PipelineToCpu>(&CpuOptions::default()),
        };
        let pipeline = pipeline_text(&[step])?;
        run_pipeline(module.as_operation(), &pipeline).map_err(|error| format!("{error}: {}", session.errors()))?;
        let (text, child) = match &plan.code {
            Code::Ptx => (ptx_of(module.as_operation()), None),
            Code::Cpu(program) => {
                let folder = TempDir::new().map_err(|error| error.to_string())?;
                child::prepare(folder.path(), &trials)?;
                (session.llvm_ir(&module)?, Some((program.clone(), folder)))
            }
        };
        Ok(Self { module, text, trials, usual, child })
    }

    /// All faults.
    fn plant(&self, lines: &[&str]) -> Vec<Planted> {
        if self.child.is_some() { llvm::plant(lines) } else { ptx::plant(lines) }
    }

    /// What becomes of a fault.
    fn outcome(&self, planted: &Planted, lines: &[&str]) -> Result<Outcome, String> {
        let text = planted.in_place(lines, &planted.text);
        match self.run(&text, 0..self.usual)? {
            Outcome::Unseen => {}
            shown => return Ok(shown),
        }
        if self.run(&text, self.usual..self.trials.len())? != Outcome::Unseen {
            return Ok(Outcome::Late);
        }
        let mut text = planted.in_place(lines, &planted.probe);
        if self.child.is_some() {
            text += llvm::PROBED;
        }
        Ok(match self.run(&text, 0..self.trials.len())? {
            Outcome::Unseen => Outcome::Same,
            _ => Outcome::Unseen,
        })
    }

    /// What these trials show of a text.
    fn run(&self, text: &str, trials: std::ops::Range<usize>) -> Result<Outcome, String> {
        if trials.is_empty() {
            return Ok(Outcome::Unseen);
        }
        if let Some((program, folder)) = &self.child {
            return child::outcome(program, folder.path(), text, trials).map_err(|error| error.to_string());
        }
        let of = |(_, expected): &(Case, Expected)| self.execute(text, expected).0;
        Ok(self.trials[trials].iter().map(of).find(|outcome| *outcome != Outcome::Unseen).unwrap_or(Outcome::Unseen))
    }

    /// What the executor makes of it, and what it says.
    fn execute(&self, text: &str, expected: &Expected) -> (Outcome, String) {
        let options = Options { threads: 1, limit: LIMIT, ..Options::default() };
        let Expected { entry, inputs, results } = expected;
        let kernels = Kernels::on(Box::new(Simt::new(options)), self.module.as_operation(), text);
        match kernels.and_then(|mut kernels| kernels.run(&entry.name, inputs, &expected.shapes())) {
            Err(Stop::Failure(NO_PTX, message)) => (Outcome::Refused, message),
            Err(Stop::Failure(_, message) | Stop::Check(message)) => (Outcome::Reported, message),
            Ok(run) => {
                let outcome = Outcome::of(&run.outputs, results.iter().flatten(), &run.reports);
                (outcome, run.reports.first().cloned().unwrap_or_default())
            }
        }
    }
}

/// An argument: of the dynamic extents, the last are rows and columns.
fn data_of(ty: &ArgumentType, seed: u64, extents: &[usize; 2]) -> Data {
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

/// Plants faults in the code of a program, and counts what becomes of them; `unseen` is told of those that the usual extents do not show.
///
/// # Errors
///
/// A program that cannot be compiled, or that is wrong without any fault.
pub fn survey(path: &Path, plan: &Plan, mut unseen: impl FnMut(Outcome, &Planted, &str)) -> Result<Tally, String> {
    let session = Session::new();
    let subject = Subject::new(&session, path, plan)?;
    for (number, trial) in subject.trials.iter().enumerate() {
        let outcome = subject.run(&subject.text, number..number + 1)?;
        if outcome != Outcome::Unseen {
            let shapes: Vec<&[usize]> = trial.0.inputs.iter().map(|data| &data.shape[..]).collect();
            let (path, inner) = (path.display(), plan.code == Code::Ptx);
            let why = if inner { subject.execute(&subject.text, &trial.1).1 } else { String::new() };
            return Err(format!("{path}: without any fault: {outcome:?} on images of {shapes:?} {why}"));
        }
    }
    let lines: Vec<&str> = subject.text.lines().collect();
    let mut tally = Tally::new();
    for planted in subject.plant(&lines).iter().step_by(plan.every.max(1)) {
        let mut outcome = subject.outcome(planted, &lines)?;
        if plan.code == Code::Ptx && proofs::is_proven(&lines, planted) {
            if !matches!(outcome, Outcome::Same | Outcome::Unseen) {
                let text = planted.text.trim();
                return Err(format!("a fault is proven to change nothing, and is found ({outcome:?}): {text}"));
            }
            outcome = Outcome::Proven;
        }
        *tally.entry(planted.class).or_default().entry(outcome).or_default() += 1;
        if matches!(outcome, Outcome::Late | Outcome::Same | Outcome::Unseen) {
            unseen(outcome, planted, lines[planted.line]);
        }
    }
    Ok(tally)
}
