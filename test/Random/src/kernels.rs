//! Kernels of a program as the model sees them before they are compiled, and as `ptxas` and the SIMT executor see them after.
//!
//! ```text
//! program, wanted schedule ── groups, plans ──────────▶ features, estimates        what a schedule is judged by
//!                          ╰─ kernels ── PTX ─ ptxas ─▶ registers of a thread      what it turns out to be
//!                                           ╰─ SIMT ──▶ instructions of a block inside all images
//! ```
//!
//! The coefficients of [`weft_model::gpu::estimate`] are fitted to this (`bench/calibrate`), and a test holds them against it.

use crate::{
    check::{Case, Session, inputs, ungroup},
    choices::Choices,
    gpu::{Cost, run_middle},
};
use melior::ir::{OperationRef, operation::OperationMutLike};
use mlir_glue::{Failure, Pass, PassContext, Registration, RegistryRef, Step, ir, pipeline_text, run::run_pipeline};
use std::{
    cell::RefCell,
    collections::HashMap,
    io::{self, Seek, Write},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Once,
};
use weft_dialects::pipeline::Group;
use weft_model::{Layout, Plan, Schedule, Scope, plan};
use weft_passes::{
    analysis::{Sizes, model::Whole},
    gpu::ptx_of,
    group::{Fuse, FuseOptions, Strategy, group_stages, make_tileable, schedule_of},
    ir::{Builder, program, symbol, symbol_like},
    pipelines::{PipelineToPtx, PtxOptions},
    stage::{Contract, InferBounds},
};

/// How a program is to be tiled; the schedule is for images of two dimensions, and is made to fit others.
#[derive(Clone, Debug)]
pub struct Wanted(pub Schedule);

impl Wanted {
    /// A schedule of this number of ways: blocks' tiles, warps' tiles, hybrid ones, strips, streams, points, in turn.
    pub fn random(way: usize, choices: &mut Choices) -> Self {
        let y = choices.pick(&[8, 8, 4, 16, 32, 2]);
        let x = choices.pick(&[128, 128, 64, 32, 256]);
        let tile = Some(vec![y, x]);
        let block = choices.pick(&[None, None, Some(vec![1, 32]), Some(vec![8, 32]), Some(vec![2, 64])]);
        let vector = choices.pick(&[None, Some(1), Some(2), Some(4)]);
        let none = Schedule::default();
        Self(match way % 6 {
            0 => {
                let block = choices.pick(&[vec![8, 32], vec![4, 32], vec![16, 16]]);
                Schedule { scope: Scope::Block, tile: Some(vec![y, x.min(64)]), block: Some(block), ..none }
            }
            1 => Schedule { tile, block, ..none },
            2 => Schedule { tile, block, fraction: Some(choices.pick(&[0.5, 1.0, 0.25, 0.75])), ..none },
            3 => Schedule { tile, block, vector, layout: Some(Layout::Blocked), ..none },
            4 => {
                let tile = Some(vec![choices.pick(&[32, 16, 64]), x.max(64)]);
                let layout = Some(choices.pick(&[Layout::Blocked, Layout::Cyclic]));
                Schedule { tile, block, vector, layout, stream: Some(0), ..none }
            }
            _ => {
                let tile = choices.pick(&[None, Some(vec![2, 1]), Some(vec![4, 1])]);
                Schedule { scope: Scope::Thread, tile, block: Some(choices.pick(&[vec![8, 32], vec![4, 32]])), ..none }
            }
        })
    }

    /// The schedule for images of this rank.
    fn for_rank(&self, rank: usize) -> Schedule {
        let fit = |numbers: &Option<Vec<i64>>| {
            numbers.as_ref().map(|numbers| match rank {
                1 => vec![numbers[0] * numbers[1]],
                _ => [vec![1; rank - 2], numbers.clone()].concat(),
            })
        };
        let stream = self.0.stream.filter(|_| rank > 1).map(|_| rank - 2);
        Schedule { tile: fit(&self.0.tile), block: fit(&self.0.block), stream, ..self.0.clone() }
    }
}

/// A kernel as the model sees it.
pub struct Seen {
    /// Its name, as the group's.
    pub name: String,
    /// The group.
    pub group: weft_model::Group,
    /// Its schedule.
    pub schedule: Schedule,
    /// Its shape.
    pub plan: Plan,
}

impl Seen {
    /// Its name in PTX.
    pub fn symbol(&self) -> String {
        symbol_like(&self.name)
    }
}

/// A compiled program.
pub struct Compiled {
    /// The kernels, in the order of the PTX.
    pub kernels: Vec<Seen>,
    /// The text.
    pub ptx: String,
    /// What the middle block of each kernel costs, where that was asked for.
    pub costs: Vec<Cost>,
}

thread_local! {
    static WANTED: RefCell<Option<Wanted>> = const { RefCell::new(None) };
    static SEEN: RefCell<Vec<Seen>> = const { RefCell::new(Vec::new()) };
}

/// Gives all groups the wanted schedule, if one is wanted, splits them as the kernels' makers will, and notes their plans.
struct NotePlans;

impl Pass for NotePlans {
    const ARGUMENT: &'static str = "weft-note-plans";
    const SUMMARY: &'static str = "Note the plans of groups";
    type Options = ();

    fn dialects(registry: RegistryRef) {
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let wanted = WANTED.with_borrow(Clone::clone);
        for func in program::programs(module) {
            group_stages(cx, func, Strategy::None, None)?;
            let block = program::entry(func)?;
            program::unify_dims(block);
            for is_split in [false, true] {
                for group in ir::operations(block).filter_map(Group::of) {
                    // Those that a split has left without one are of another rank.
                    let Some(wanted) = wanted.as_ref().filter(|_| !is_split || group.schedule().is_none()) else {
                        continue;
                    };
                    let rank = group.stages().last().map_or(2, |stage| stage.rank());
                    let schedule = wanted.for_rank(rank).to_string();
                    let schedule = Builder::before(cx.context(), group.op()).parse_attribute(&schedule);
                    ir::mutable(group.op()).set_attribute("schedule", schedule);
                }
                make_tileable(cx, block, Scope::Warp)?;
            }
            let whole = Whole::of(block, &Sizes::of_program(func, block, &[]))?;
            for group in program::live_groups(block) {
                let place = |stage| whole.stages.iter().position(|other| *other == stage);
                let members: Vec<usize> = group.stages().into_iter().filter_map(place).collect();
                let model = whole.model.group(&members);
                let schedule = schedule_of(group, model.grid_rank(), Scope::Warp);
                let Ok(plan) = plan(&model, &schedule) else { continue };
                let name = format!("{}_{}", symbol(func), group.name());
                SEEN.with_borrow_mut(|seen| {
                    seen.push(Seen { name, group: model, schedule, plan });
                });
            }
        }
        Ok(())
    }
}

/// The kernels of a program as the model sees them; nothing is compiled.
///
/// # Errors
///
/// What was said of it.
pub fn look(case: &Case, wanted: &Wanted) -> Result<Vec<Seen>, String> {
    let session = Session::new();
    let module = session.parse(case, "case").map_err(|failure| failure.to_string())?;
    run_noting(&session, module.as_operation(), Some(wanted), &noted(fuse_all(), Vec::new()))
}

/// The kernels of a program, without the groups that it came with, as a strategy of `--fuse` chooses them for a target; after
/// `lower`, passes that they must survive.
///
/// # Errors
///
/// What was said of it.
pub fn chosen(case: &Case, strategy: Strategy, target: &str, lower: Vec<Step>) -> Result<Vec<Seen>, String> {
    let session = Session::new();
    let module = session.parse(case, "case").map_err(|failure| failure.to_string())?;
    ungroup(module.as_operation());
    let options = FuseOptions { strategy, target: target.to_owned(), ..FuseOptions::default() };
    run_noting(&session, module.as_operation(), None, &noted(Step::of::<Fuse>(options), lower))
}

/// Everything in one group, without a schedule.
fn fuse_all() -> Step {
    Step::of::<Fuse>(FuseOptions { strategy: Strategy::All, ..FuseOptions::default() })
}

/// Passes that note the plans of the groups that are made, then others.
fn noted(fuse: Step, lower: Vec<Step>) -> Vec<Step> {
    let mut steps = vec![Step::of::<Contract>(()), Step::of::<InferBounds>(()), fuse, Step::of::<NotePlans>(())];
    steps.extend(lower);
    steps
}

/// Runs a pipeline with `weft-note-plans` in it.
fn run_noting(
    session: &Session,
    module: OperationRef,
    wanted: Option<&Wanted>,
    pipeline: &[Step],
) -> Result<Vec<Seen>, String> {
    static NOTE: Registration = Registration::pass::<NotePlans>();
    static ONCE: Once = Once::new();
    ONCE.call_once(|| NOTE.register());
    WANTED.set(wanted.cloned());
    SEEN.take();
    let pipeline = pipeline_text(pipeline)?;
    run_pipeline(module, &pipeline).map_err(|error| format!("{error}: {}", session.errors()))?;
    Ok(SEEN.take())
}

/// Compiles a program for a chip; `costs` asks for the middle blocks' costs.
///
/// # Errors
///
/// What was said of it.
pub fn compile(case: &Case, wanted: &Wanted, chip: &str, costs: bool) -> Result<Compiled, String> {
    let session = Session::new();
    let module = session.parse(case, "case").map_err(|failure| failure.to_string())?;
    let entry = session.entry(&module).map_err(|failure| failure.to_string())?;
    let options = PtxOptions { chip: chip.to_owned(), inline: false, merge: false, ..PtxOptions::default() };
    let [mut pipeline, to_ptx] = PipelineToPtx::halves(&options)?;
    // The schedules are those that are wanted, not chosen ones.
    pipeline.pop();
    pipeline.extend([fuse_all(), Step::of::<NotePlans>(())]);
    pipeline.extend(to_ptx);
    let kernels = run_noting(&session, module.as_operation(), Some(wanted), &pipeline)?;
    let costs = match costs {
        true => run_middle(module.as_operation(), &entry.name, &inputs(case, &entry)?, entry.results.len())?,
        false => Vec::new(),
    };
    Ok(Compiled { kernels, ptx: ptx_of(module.as_operation()), costs })
}

/// What `ptxas` says of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Assembled {
    /// Registers of a thread.
    pub registers: i64,
    /// Bytes that are spilt to memory and read back.
    pub spills: i64,
}

/// The assemblers that `test/venv` has installed: CUDA 13's, for chips from sm_75 on, and CUDA 12's, for those before.
pub fn assembler(chip: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.join(".venv/lib");
    let folder = if matches!(chip, "sm_60" | "sm_61" | "sm_70" | "sm_72") { "cuda_nvcc" } else { "cu13" };
    let pythons = std::fs::read_dir(root).ok()?.filter_map(Result::ok);
    let paths = pythons.map(|python| python.path().join("site-packages/nvidia").join(folder).join("bin/ptxas"));
    paths.into_iter().find(|path| path.exists())
}

/// Assembles PTX; kernels by name.
///
/// # Errors
///
/// What `ptxas` said.
pub fn assemble(ptxas: &Path, ptx: &str, chip: &str) -> Result<HashMap<String, Assembled>, String> {
    // A file, not a pipe: what does not read to the end says why.
    let run = || -> io::Result<Output> {
        let mut input = tempfile::tempfile()?;
        input.write_all(ptx.as_bytes())?;
        input.rewind()?;
        Command::new(ptxas).args(["-v", "-arch", chip, "-o", "/dev/null", "/dev/stdin"]).stdin(input).output()
    };
    let output = run().map_err(|error| format!("{}: {error}", ptxas.display()))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(said);
    }
    let mut kernels = HashMap::new();
    let mut now = String::new();
    let number_before =
        |line: &str, word: &str| -> Option<i64> { line.split(word).next()?.split_whitespace().last()?.parse().ok() };
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            now = rest.split('\'').next().unwrap_or_default().to_owned();
        }
        let of: &mut Assembled = kernels.entry(now.clone()).or_default();
        if line.contains(" registers") {
            of.registers = number_before(line, " registers").unwrap_or(0);
        }
        if line.contains("bytes spill stores") {
            of.spills = number_before(line, " bytes spill stores").unwrap_or(0);
        }
    }
    kernels.remove("");
    Ok(kernels)
}
