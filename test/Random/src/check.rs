//! One program through every lowering: all must give what the reference gives, bit for bit, and be reported for nothing.
//!
//! ```text
//!            ╭─ --convert-pipeline-to-loops ─ compiled, not optimised ── the reference
//! program ───┼─ --pipeline-to-cpu ─────────── compiled by O3 ─────────── the same bits?
//!            ╰─ --pipeline-to-ptx ─────────── the SIMT executor ──────── the same bits? no race, no hole, ...?
//! ```
//!
//! All of it happens in this process: a process for each of some thousand programs would cost more than the programs. What a
//! compilation costs whatever it compiles, which is most of it for programs of a few lines, several programs in one module share:
//!
//! ```text
//! func.func @f0 ... ─╮                                  ╭─ @f0 on its inputs ── the same bits?
//! func.func @f1 ... ─┼─ one module, lowered, compiled ──┼─ @f1 ...
//! func.func @f2 ... ─╯                                  ╰─ @f2 ...
//! ```

use crate::{
    choices::Choices,
    gpu::{Kernels, Run, Stop},
    guarded,
};
use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    dialect::DialectRegistry,
    ir::{Module, OperationRef},
};
use mlir_glue::{
    Step, ir, pipeline_text,
    run::{Verify, parse_module, place, run_pipeline, run_pipeline_verifying},
    tool,
};
use std::{
    borrow::Cow,
    cell::RefCell,
    collections::HashMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::{Mutex, Once},
};
use weft_dialects::pipeline::{Load, Stage, static_extents};
use weft_passes::{
    group::{Inputs, Overlap, Strategy},
    ir::{program, symbol},
    lower::llvm,
    pipelines::{Arithmetic, CpuOptions, PipelineToCpu, PipelineToPtx, PtxOptions, Tiling, reference},
    stage::{Contract, InlineStages, InlineStagesOptions, TimeTile, TimeTileOptions, Window},
};
use weft_runtime::{ArgumentType, Buffer, CpuProgram, Element, Entry, Error, Kind, Optimize, Sample};
use weft_tools::{signature::Signature, windows::Windows};

/// A way down.
pub struct Variant {
    /// What it is called here.
    pub name: &'static str,
    /// The passes, for a program, which may be explosive where work grows as a power.
    pub pipeline: fn(case: &Case, explosive: bool) -> Vec<Step>,
    /// What runs the result.
    pub target: Target,
    /// Every how many random programs take it.
    pub every: u64,
    /// Whether the stages are taken out of their groups first, for passes that leave groups as they are.
    pub ungrouped: bool,
    /// Whether it runs in windows, as `--window` makes them.
    pub in_windows: bool,
}

/// What runs a lowered program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// This machine, with LLVM's O3 or without any of its passes.
    Cpu(Optimize),
    /// The SIMT executor. `inlines`: a thread computes all that its point needs, so the work of a chain of stencils grows as a power.
    Simt {
        /// Whether it does.
        inlines: bool,
    },
}

fn cpu(options: CpuOptions) -> Step {
    Step::pipeline::<PipelineToCpu>(&options)
}

fn ptx(options: PtxOptions) -> Step {
    Step::pipeline::<PipelineToPtx>(&options)
}

/// A pipeline behind passes that inline dearer stages than they do by default.
fn inlined(pipeline: Step) -> Vec<Step> {
    let inline = InlineStagesOptions { max_cost: 100, ..InlineStagesOptions::default() };
    vec![Step::of::<Contract>(()), Step::of::<InlineStages>(inline), pipeline]
}

/// A pipeline behind a pass that makes so many steps of each iterate one, whether or not that pays.
fn stepped(steps: i64, pipeline: Step) -> Vec<Step> {
    vec![Step::of::<TimeTile>(TimeTileOptions { steps, ..TimeTileOptions::default() }), pipeline]
}

/// What options are drawn from: the same for a program that has been made smaller, unless its first input was.
fn drawn(case: &Case) -> Choices {
    Choices::random(case.inputs.first().map_or(0, |data| data.seed))
}

/// CPUs that store the smallest image past their caches, which others do with what is too large for a random program.
const PAST_CACHES: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/cpus/past_zen5.toml"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/cpus/past_avx2.toml"),
];

fn any_cpu(case: &Case) -> CpuOptions {
    let mut choices = drawn(case);
    CpuOptions {
        target: choices.pick(&["host", "zen5", "avx2", PAST_CACHES[0], PAST_CACHES[1]]).to_owned(),
        inline: choices.chance(50),
        strategy: choices.pick(&[
            Strategy::Dp,
            Strategy::Greedy,
            Strategy::All,
            Strategy::None,
            Strategy::Segments,
            Strategy::PolyMage,
            Strategy::Sioutas,
        ]),
        tile: choices.weighted(&[(60, ""), (20, "8x32"), (20, "5x64")]).to_owned(),
        overlap: choices.weighted(&[
            (60, Overlap::Scalene),
            (20, Overlap::RightRectangle),
            (20, Overlap::UniformSlope),
        ]),
        size: choices.pick(&["", "64x64", "2160x3840"]).to_owned(),
        vectors: choices.chance(75),
        ..CpuOptions::default()
    }
}

fn any_ptx(case: &Case) -> PtxOptions {
    let mut choices = drawn(case);
    PtxOptions {
        chip: choices.pick(&["sm_90", "sm_70", "sm_80", "sm_120"]).to_owned(),
        inline: choices.chance(70),
        strategy: choices.pick(&[Strategy::Dp, Strategy::Greedy, Strategy::All]),
        tiling: choices.weighted(&[(75, Tiling::Warp), (25, Tiling::Block)]),
        inputs: choices.pick(&[Inputs::Memory, Inputs::Shared]),
        merge: choices.chance(70),
        size: choices.pick(&["", "64x64", "2160x3840"]).to_owned(),
        // The passes of O3 take longer than all of ours; the other variants have them, too.
        level: choices.weighted(&[(75, 0), (25, 3)]),
        fraction: choices.weighted(&[(60, ""), (10, "0.25"), (10, "0.5"), (10, "0.75"), (10, "1.0")]).to_owned(),
        nested: choices.chance(75),
        ..PtxOptions::default()
    }
}

/// Every way down. A lowering that is to be tested gets a line here. (LLVM's O3 for a CPU takes longer than all the rest, and not every
/// program has to show that it is right.)
pub const VARIANTS: &[Variant] = &[
    Variant {
        name: "cpu",
        pipeline: |_, _| vec![cpu(CpuOptions::default())],
        target: Target::Cpu(Optimize::Full),
        every: 4,
        ungrouped: false,
        in_windows: false,
    },
    Variant {
        name: "point",
        pipeline: |_, explosive| {
            let strategy = if explosive { Strategy::None } else { Strategy::Dp };
            vec![ptx(PtxOptions { tiling: Tiling::None, strategy, ..PtxOptions::default() })]
        },
        target: Target::Simt { inlines: true },
        every: 4,
        ungrouped: false,
        in_windows: false,
    },
    Variant {
        name: "warp",
        pipeline: |_, _| vec![ptx(PtxOptions { tiling: Tiling::Warp, ..PtxOptions::default() })],
        target: Target::Simt { inlines: false },
        every: 1,
        ungrouped: false,
        in_windows: false,
    },
    Variant {
        name: "block",
        pipeline: |_, _| vec![ptx(PtxOptions { tiling: Tiling::Block, ..PtxOptions::default() })],
        target: Target::Simt { inlines: false },
        every: 4,
        ungrouped: false,
        in_windows: false,
    },
    // Groups and schedules by cost; without those that the program came with.
    Variant {
        name: "dp",
        pipeline: |_, _| vec![ptx(PtxOptions::default())],
        target: Target::Simt { inlines: false },
        every: 2,
        ungrouped: true,
        in_windows: false,
    },
    Variant {
        name: "greedy",
        pipeline: |_, _| {
            let target = "v100-pact20".to_owned();
            vec![ptx(PtxOptions { strategy: Strategy::Greedy, target, ..PtxOptions::default() })]
        },
        target: Target::Simt { inlines: false },
        every: 4,
        ungrouped: true,
        in_windows: false,
    },
    Variant {
        name: "all",
        pipeline: |_, _| vec![ptx(PtxOptions { strategy: Strategy::All, ..PtxOptions::default() })],
        target: Target::Simt { inlines: false },
        every: 4,
        ungrouped: true,
        in_windows: false,
    },
    // Its tiles with tiles of what they read beside them.
    Variant {
        name: "inputs",
        pipeline: |_, _| {
            let inputs = Inputs::Shared;
            vec![ptx(PtxOptions { strategy: Strategy::All, inputs, ..PtxOptions::default() })]
        },
        target: Target::Simt { inlines: false },
        every: 4,
        ungrouped: true,
        in_windows: false,
    },
    Variant {
        name: "segments",
        pipeline: |_, _| vec![cpu(CpuOptions { strategy: Strategy::Segments, ..CpuOptions::default() })],
        target: Target::Cpu(Optimize::Full),
        every: 4,
        ungrouped: true,
        in_windows: false,
    },
    Variant {
        name: "sioutas",
        pipeline: |_, _| vec![cpu(CpuOptions { strategy: Strategy::Sioutas, ..CpuOptions::default() })],
        target: Target::Cpu(Optimize::Full),
        every: 4,
        ungrouped: true,
        in_windows: false,
    },
    // Two steps of each iterate are one.
    Variant {
        name: "time-tile",
        pipeline: |_, _| stepped(2, ptx(PtxOptions::default())),
        target: Target::Simt { inlines: false },
        every: 4,
        ungrouped: true,
        in_windows: false,
    },
    // Dearer stages than by default, so that more is inlined.
    Variant {
        name: "inline",
        pipeline: |_, _| inlined(cpu(CpuOptions { contract: false, ..CpuOptions::default() })),
        target: Target::Cpu(Optimize::Full),
        every: 4,
        ungrouped: true,
        in_windows: false,
    },
    Variant {
        name: "inline-warp",
        pipeline: |_, _| inlined(ptx(PtxOptions { tiling: Tiling::Warp, contract: false, ..PtxOptions::default() })),
        target: Target::Simt { inlines: false },
        every: 4,
        ungrouped: true,
        in_windows: false,
    },
    // Window by window.
    Variant {
        name: "windows",
        pipeline: |_, _| reference(Arithmetic::default()),
        target: Target::Cpu(Optimize::Reference),
        every: 4,
        ungrouped: true,
        in_windows: true,
    },
    Variant {
        name: "windows-cpu",
        pipeline: |_, _| vec![cpu(CpuOptions::default())],
        target: Target::Cpu(Optimize::Full),
        every: 32,
        ungrouped: true,
        in_windows: true,
    },
    Variant {
        name: "windows-warp",
        pipeline: |_, _| vec![ptx(PtxOptions { tiling: Tiling::Warp, ..PtxOptions::default() })],
        target: Target::Simt { inlines: false },
        every: 16,
        ungrouped: true,
        in_windows: true,
    },
    // Options as they come, for the longest runs: mostly what is ours, without what LLVM makes of it.
    Variant {
        name: "any-cpu",
        pipeline: |case, _| vec![cpu(any_cpu(case))],
        target: Target::Cpu(Optimize::Full),
        every: 8,
        ungrouped: true,
        in_windows: false,
    },
    Variant {
        name: "any-plain",
        pipeline: |case, _| vec![cpu(any_cpu(case))],
        target: Target::Cpu(Optimize::Plain),
        every: 1,
        ungrouped: true,
        in_windows: false,
    },
    Variant {
        name: "any-ptx",
        pipeline: |case, _| stepped(drawn(case).weighted(&[(80, 1), (10, 2), (10, 3)]), ptx(any_ptx(case))),
        target: Target::Simt { inlines: false },
        every: 2,
        ungrouped: false,
        in_windows: false,
    },
];

/// What a lowering may say instead of lowering: parts of messages, each of a limit that a program can honestly meet.
pub const REFUSALS: &[&str] = &[
    // --map-to-gpu: inlining has run away.
    "bodies of producers in one thread",
    // Tiled kernels.
    "bytes of shared memory",
    "registers",
];

/// Windows along each dimension of the longest image, about.
const MOST_WINDOWS: usize = 12;

/// A thread that inlines may compute so many bodies, and a kernel that inlines so many over all of its points.
const MOST_BODIES: u64 = 200;
const MOST_POINTS: u64 = 2_000_000;

/// A program and what it runs on.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// MLIR.
    pub text: String,
    /// What its arguments are, in order.
    pub inputs: Vec<Data>,
}

/// The contents of an argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Its extents; none of a number.
    pub shape: Vec<usize>,
    /// What its numbers are made from: those of `pipeline-run --arg NAME=random:SEED`.
    pub seed: u64,
    /// Whether some are replaced by NaN, infinities, zeros of both signs, subnormals, extremes.
    pub special: bool,
    /// Whether it is a number and no image.
    pub is_number: bool,
}

/// What is wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// With which variant, or `reference`.
    pub variant: &'static str,
    /// In one word, by which a smaller program fails in the same way.
    pub kind: &'static str,
    /// In full.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.variant, self.kind, self.message)
    }
}

/// Variants that refused a program, and why.
pub type Refused = Vec<(&'static str, String)>;

/// Runs the program in every variant that `wanted` has.
///
/// # Errors
///
/// The first variant that does not do what the reference does.
pub fn check(case: &Case, name: &str, wanted: impl Fn(&Variant) -> bool) -> Result<Refused, Failure> {
    check_together(std::slice::from_ref(case), name, wanted)
}

/// The same for several programs, which share modules; options are drawn once for all of them, from the first.
///
/// # Errors
///
/// The first variant that does not do for one of them what the reference does.
pub fn check_together(cases: &[Case], name: &str, wanted: impl Fn(&Variant) -> bool) -> Result<Refused, Failure> {
    let failure = |variant, kind| move |message: String| Failure { variant, kind, message };
    let result = catch_unwind(AssertUnwindSafe(|| {
        // Several are run one by one where something is wrong, and then it is seen behind which pass.
        let verify = if cases.len() > 1 { Verify::Last } else { Verify::Each };
        let session = Session { verify, ..Session::new() };
        let expected = session.references(cases, name)?;
        let mut refused = Vec::new();
        for variant in VARIANTS.iter().filter(|variant| wanted(variant)) {
            match session.variant(cases, name, variant, &expected)? {
                None => {}
                Some(message) => refused.push((variant.name, message)),
            }
        }
        Ok(refused)
    }));
    result.unwrap_or_else(|_| Err(failure("compiler", "panics")("see the message of the panic".into())))
}

/// The text of a module with all of the programs: one is as it is, several are @f0, @f1 and so on.
fn joined(cases: &[Case]) -> Cow<'_, str> {
    match cases {
        [case] => Cow::Borrowed(&case.text),
        cases => {
            let texts = cases.iter().enumerate();
            texts
                .map(|(number, case)| case.text.replacen("func.func @f(", &format!("func.func @f{number}("), 1))
                .collect()
        }
    }
}

/// Whether two programs give the same, by the reference.
///
/// # Errors
///
/// One that cannot be run.
pub fn agree(one: &Case, other: &Case) -> Result<bool, Failure> {
    let session = Session::new();
    let (one, other) = (session.reference(one, "one")?.results, session.reference(other, "other")?.results);
    let (one, other) = match (one, other) {
        (Ok(one), Ok(other)) => (one, other),
        (one, other) => return Ok(one.is_err() == other.is_err()),
    };
    Ok(one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| one.agrees(other)))
}

/// The text of a program that went through some passes, taken out of its groups before.
///
/// # Errors
///
/// One that they refuse.
pub fn lowered(case: &Case, pipeline: &[Step]) -> Result<String, Failure> {
    let session = Session::new();
    let fail = |message: String| Failure { variant: "passes", kind: "refuses", message };
    let module = session.parse(case, "case.mlir")?;
    ungroup(module.as_operation());
    let pipeline = pipeline_text(pipeline).map_err(|error| fail(error.to_string()))?;
    run_pipeline(module.as_operation(), &pipeline).map_err(|error| fail(format!("{error}: {}", session.errors())))?;
    Ok(module.as_operation().to_string())
}

/// A context of MLIR and what it has said.
pub(crate) struct Session {
    context: Context,
    verify: Verify,
    said: Rc<RefCell<Vec<String>>>,
}

impl Session {
    pub(crate) fn new() -> Self {
        static PASSES: Once = Once::new();
        static REGISTRY: Mutex<()> = Mutex::new(());
        PASSES.call_once(|| {
            weft_passes::register_passes();
            melior::utility::register_all_passes();
        });
        // What registers dialects shares tables.
        let context = {
            let _alone = REGISTRY.lock();
            let registry = DialectRegistry::new();
            tool::register_upstream((&registry).into());
            weft_dialects::register_dialects((&registry).into());
            Context::new_with_registry(&registry, false)
        };
        let said = Rc::new(RefCell::new(Vec::new()));
        let listener = Rc::clone(&said);
        context.attach_diagnostic_handler(move |diagnostic| {
            if matches!(diagnostic.severity(), DiagnosticSeverity::Error) {
                listener.borrow_mut().push(text_of(&diagnostic));
            }
            true
        });
        Self { context, said, verify: Verify::Each }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// What has been said since last asked.
    pub(crate) fn errors(&self) -> String {
        self.said.borrow_mut().drain(..).collect::<Vec<_>>().join("; ")
    }

    pub(crate) fn parse(&self, case: &Case, name: &str) -> Result<Module<'_>, Failure> {
        self.parse_all(std::slice::from_ref(case), name)
    }

    fn parse_all(&self, cases: &[Case], name: &str) -> Result<Module<'_>, Failure> {
        parse_module(&self.context, &joined(cases), name).ok_or_else(|| Failure {
            variant: "generator",
            kind: "does not parse",
            message: self.errors(),
        })
    }

    /// A module that has been lowered to the llvm dialect, as LLVM IR.
    pub(crate) fn llvm_ir(&self, module: &Module) -> Result<String, String> {
        llvm::to_llvm_ir(&self.context, module.as_operation())
    }

    /// What the only program of a module takes and gives.
    pub(crate) fn entry(&self, module: &Module) -> Result<Entry, Failure> {
        Ok(self.entries(module, 1)?.remove(0))
    }

    /// What so many programs of a module take and give.
    fn entries(&self, module: &Module, count: usize) -> Result<Vec<Entry>, Failure> {
        let fail = |kind| move |message: String| Failure { variant: "reference", kind, message };
        let programs = program::programs(module.as_operation());
        if programs.len() != count {
            let (found, expected) = (programs.len(), count);
            return Err(fail("is no program")(format!("found {found} functions with stages, expected {expected}")));
        }
        let entry = |func| {
            let signature =
                Signature::of(func).map_err(|_| fail("is no program")("a type that no executor knows".into()))?;
            Ok(Entry {
                name: symbol(func).to_owned(),
                arguments: signature.arguments.iter().map(|argument| argument.ty.clone()).collect(),
                results: signature.results.iter().map(|result| result.ty.clone()).collect(),
            })
        };
        programs.into_iter().map(entry).collect()
    }

    /// The results that all others are compared with.
    pub(crate) fn reference(&self, case: &Case, name: &str) -> Result<Expected, Failure> {
        Ok(self.references(std::slice::from_ref(case), name)?.remove(0))
    }

    /// Those of several programs.
    fn references(&self, cases: &[Case], name: &str) -> Result<Vec<Expected>, Failure> {
        let fail = |kind| move |message: String| Failure { variant: "reference", kind, message };
        let module = self.parse_all(cases, name)?;
        let entries = self.entries(&module, cases.len())?;
        let unknown = |(case, entry): (&Case, Entry)| -> Result<Expected, String> {
            Ok(Expected { inputs: inputs(case, &entry)?, entry, results: Ok(Vec::new()) })
        };
        let expected = cases.iter().zip(entries).map(unknown).collect::<Result<Vec<_>, _>>();
        let mut expected = expected.map_err(fail("has other arguments"))?;
        let runs = self.run_cpu(&module, &reference(Arithmetic::default()), &expected, Optimize::Reference);
        let stopped = |stop| match stop {
            Stop::Check(message) => Ok(Err(message)),
            Stop::Failure(kind, message) => Err(fail(kind)(message)),
        };
        for (expected, run) in expected.iter_mut().zip(runs.or_else(|stop| stopped(stop).map(|_| Vec::new()))?) {
            expected.results = match run {
                Ok(Run { outputs, reports }) if reports.is_empty() => Ok(outputs),
                Ok(Run { reports, .. }) => return Err(fail("is reported")(reports.join("; "))),
                Err(stop) => stopped(stop)?,
            };
        }
        Ok(expected)
    }

    /// Runs a pipeline on a module, and its programs on their inputs.
    fn run_cpu(
        &self,
        module: &Module,
        pipeline: &[Step],
        programs: &[Expected],
        optimize: Optimize,
    ) -> Result<Vec<Result<Run, Stop>>, Stop> {
        let fail = |kind| move |message: String| Stop::Failure(kind, message);
        let pipeline = pipeline_text(pipeline).map_err(|error| fail("refuses")(error.to_string()))?;
        run_pipeline_verifying(module.as_operation(), &pipeline, self.verify)
            .map_err(|error| fail("refuses")(format!("{error}: {}", self.errors())))?;
        let entries: Vec<Entry> = programs.iter().map(|program| program.entry.clone()).collect();
        // SAFETY: the module is what our lowering made of verified programs with these very signatures.
        let code = unsafe {
            CpuProgram::new(&entries, optimize, |llvm| llvm::translate(llvm, &self.context, module.as_operation()))
        };
        let code = code.map_err(|error| fail("does not compile")(error.to_string()))?;
        let run = |Expected { entry, inputs, .. }: &Expected| {
            guarded::run(&code, entry, inputs).map_err(|error| match error {
                Error::Check { message } => Stop::Check(message),
                error => fail("does not run")(error.to_string()),
            })
        };
        Ok(programs.iter().map(run).collect())
    }

    /// Runs a variant's functions for windows of some size, from some window on.
    fn run_windows(&self, module: &Module, case: &Case, variant: &Variant, expected: &Expected) -> Result<Run, Stop> {
        let fail = |kind| move |message: String| Stop::Failure(kind, message);
        let pass = |steps: &[Step]| {
            let text = pipeline_text(steps).map_err(|error| fail("refuses")(error.to_string()))?;
            let said = |error| fail("refuses")(format!("{error}: {}", self.errors()));
            run_pipeline(module.as_operation(), &text).map_err(said)
        };
        // Beside others it has another name.
        let name = self.entry(module).map_err(|failure| fail("has no windows")(failure.message))?.name;
        pass(&[Step::of::<Window>(())])?;
        let windows = Windows::of(module.as_operation(), &name);
        let windows = windows.map_err(|_| fail("has no windows")("expected what --window makes".into()))?;
        pass(&(variant.pipeline)(case, false))?;
        let mut choices = drawn(case);
        // Not so many windows that they take longer than all else.
        let least = case.inputs.iter().flat_map(|data| &data.shape).max().map_or(1, |extent| extent / MOST_WINDOWS);
        let size: Vec<usize> = (0..3).map(|_| choices.pick(&[1, 2, 3, 5, 8, 13, 32, 100]).max(least)).collect();
        let start = choices.pick(&[0, 1, 2, 7]);
        let mut reports = Vec::new();
        let outputs = match variant.target {
            Target::Cpu(optimize) => {
                let entries = windows.entries();
                // SAFETY: the module is what our lowering made of verified programs with these very signatures.
                let program = unsafe {
                    CpuProgram::new(&entries, optimize, |llvm| {
                        llvm::translate(llvm, &self.context, module.as_operation())
                    })
                };
                let program = program.map_err(|error| fail("does not compile")(error.to_string()))?;
                windows.run(&expected.inputs, &size, start, &mut |entry, inputs, _| {
                    let run = guarded::run(&program, entry, inputs).map_err(|error| match error {
                        Error::Check { message } => Stop::Check(message),
                        error => fail("does not run")(error.to_string()),
                    })?;
                    reports.extend(run.reports);
                    Ok(run.outputs)
                })
            }
            Target::Simt { .. } => {
                let mut kernels = Kernels::of(module.as_operation(), start as u64)?;
                windows.run(&expected.inputs, &size, start, &mut |entry, inputs, shapes| {
                    let run = kernels.run(&entry.name, inputs, shapes)?;
                    reports.extend(run.reports);
                    Ok(run.outputs)
                })
            }
        };
        Ok(Run { outputs: outputs?, reports })
    }

    /// Runs a variant and compares. A refusal that is allowed is the message.
    fn variant(
        &self,
        cases: &[Case],
        name: &str,
        variant: &Variant,
        expected: &[Expected],
    ) -> Result<Option<String>, Failure> {
        let fail = |kind| move |message: String| Failure { variant: variant.name, kind, message };
        let parse = |cases: &[Case]| -> Result<Module<'_>, Failure> {
            let module = self.parse_all(cases, name)?;
            if variant.ungrouped {
                ungroup(module.as_operation());
            }
            Ok(module)
        };
        let refusal = |message: &str| REFUSALS.iter().any(|refusal| message.contains(refusal));
        let runs = match variant.target {
            // Each has many functions of its own.
            _ if variant.in_windows => {
                let run = |(case, expected): (&Case, &Expected)| {
                    Ok(self.run_windows(&parse(std::slice::from_ref(case))?, case, variant, expected))
                };
                cases.iter().zip(expected).map(run).collect::<Result<_, Failure>>()?
            }
            Target::Cpu(optimize) => {
                let runs = self.run_cpu(&parse(cases)?, &(variant.pipeline)(&cases[0], false), expected, optimize);
                runs.unwrap_or_else(|stop| vec![Err(stop)])
            }
            Target::Simt { inlines } => {
                let module = parse(cases)?;
                let explosive = inlines && program::programs(module.as_operation()).into_iter().any(is_explosive);
                if explosive {
                    ungroup(module.as_operation());
                }
                let pipeline = pipeline_text(&(variant.pipeline)(&cases[0], explosive));
                let pipeline = pipeline.map_err(|error| fail("refuses")(error.to_string()))?;
                if let Err(error) = run_pipeline_verifying(module.as_operation(), &pipeline, self.verify) {
                    let message = format!("{error}: {}", self.errors());
                    return if refusal(&message) { Ok(Some(message)) } else { Err(fail("refuses")(message)) };
                }
                let seed = expected.iter().flat_map(|expected| &expected.inputs).map(Buffer::len).sum::<usize>();
                match Kernels::of(module.as_operation(), seed as u64) {
                    Ok(mut kernels) => {
                        let run = |expected: &Expected| {
                            kernels.run(&expected.entry.name, &expected.inputs, &expected.shapes())
                        };
                        expected.iter().map(run).collect()
                    }
                    Err(stop) => vec![Err(stop)],
                }
            }
        };
        runs.into_iter().zip(expected).try_for_each(|(run, expected)| {
            compare(run, expected).map_err(|(kind, message)| match cases {
                [_] => fail(kind)(message),
                _ => fail(kind)(format!("@{}: {message}", expected.entry.name)),
            })
        })?;
        Ok(None)
    }
}

/// Compares what a variant gives with what the reference does; what differs is a kind and a message.
fn compare(run: Result<Run, Stop>, expected: &Expected) -> Result<(), (&'static str, String)> {
    let (Run { outputs: found, reports }, expected) = match (run, &expected.results) {
        (Ok(run), Ok(expected)) => (run, expected),
        // The same check, or another of those that fail.
        (Err(Stop::Check(_)), Err(_)) => return Ok(()),
        (Err(Stop::Check(message)), Ok(_)) => return Err(("fails at entry", message)),
        (Err(Stop::Failure(kind, message)), _) => return Err((kind, message)),
        (Ok(_), Err(message)) => return Err(("runs", format!("but the reference says: {message}"))),
    };
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        if let Some(place) = found.first_difference(expected) {
            let mut message = format!("result #{index}: {}", difference(found, expected, place));
            if let Some(report) = reports.first() {
                message += &format!(" (and {report})");
            }
            return Err(("differs", message));
        }
    }
    reports.into_iter().next().map_or(Ok(()), |report| Err(("is reported", report)))
}

/// What a program gives, and of what.
pub(crate) struct Expected {
    pub entry: Entry,
    pub inputs: Vec<Buffer>,
    /// The results, or the check that fails when it is entered.
    pub results: Result<Vec<Buffer>, String>,
}

impl Expected {
    /// Element types and extents of the results; extents that nobody knows, as the program fails, are 1.
    pub fn shapes(&self) -> Vec<(Element, Vec<usize>)> {
        let known = |extents: &[Option<usize>]| extents.iter().map(|extent| extent.unwrap_or(1)).collect();
        match &self.results {
            Ok(results) => results.iter().map(|result| (result.element(), result.shape().to_vec())).collect(),
            Err(_) => self.entry.results.iter().map(|result| (result.element, known(&result.shape))).collect(),
        }
    }
}

fn text_of(diagnostic: &Diagnostic) -> String {
    format!("{}: {diagnostic}", place(diagnostic.location()))
}

/// Whether inlining a program's groups would take too long to compile or to execute here.
fn is_explosive(module: OperationRef) -> bool {
    fn bodies<'c: 'a, 'a>(stage: Stage<'c, 'a>, known: &mut HashMap<String, u64>) -> u64 {
        if let Some(known) = known.get(stage.name()) {
            return *known;
        }
        let mut count = 1u64;
        for load in ir::walk(stage.op()).into_iter().filter_map(Load::of) {
            // Outside of groups everything will share one.
            if let Some(producer) = ir::defining_op(load.source()).and_then(Stage::of) {
                let times: i64 = load.reduces().iter().map(|reduce| reduce.volume()).product();
                count = count.saturating_add(bodies(producer, known).saturating_mul(times as u64));
            }
        }
        known.insert(stage.name().to_owned(), count);
        count
    }
    let mut known = HashMap::new();
    let stages = ir::walk(module).into_iter().filter_map(Stage::of);
    stages.into_iter().any(|stage| {
        let points: u64 = static_extents(stage.image_type(0))
            .iter()
            // A dynamic extent is small, too.
            .map(|extent| extent.map_or(64, |extent| extent as u64))
            .product();
        let bodies = bodies(stage, &mut known);
        bodies > MOST_BODIES || bodies.saturating_mul(points) > MOST_POINTS
    })
}

/// Takes the stages out of their groups.
pub(crate) fn ungroup(module: OperationRef) {
    for block in program::programs(module).into_iter().filter_map(|func| program::blocks(func).ok()).flatten() {
        program::flatten_groups(block);
    }
}

/// The arguments' buffers.
pub(crate) fn inputs(case: &Case, entry: &Entry) -> Result<Vec<Buffer>, String> {
    if case.inputs.len() != entry.arguments.len() {
        return Err(format!("found {} arguments, expected {}", entry.arguments.len(), case.inputs.len()));
    }
    let buffer = |(data, ty): (&Data, &ArgumentType)| match ty {
        ArgumentType::Tensor(ty) if ty.accepts(&data.shape) => Ok(data.buffer(ty.element)),
        ArgumentType::Scalar(kind) if data.is_number => Ok(data.buffer(Element::new(*kind, false))),
        other => Err(format!("found {other}, expected {data:?}")),
    };
    case.inputs.iter().zip(&entry.arguments).map(buffer).collect()
}

impl Data {
    fn buffer(&self, element: Element) -> Buffer {
        let mut buffer = Buffer::random(element, &self.shape, self.seed);
        if self.seed % 2 == 1 {
            match element.kind() {
                Kind::F16 => spread::<half::f16>(&mut buffer),
                Kind::F32 => spread::<f32>(&mut buffer),
                Kind::F64 => spread::<f64>(&mut buffer),
                Kind::I8 => self.narrow::<i8>(&mut buffer),
                Kind::I16 => self.narrow::<i16>(&mut buffer),
                Kind::I32 => self.narrow::<i32>(&mut buffer),
                Kind::I64 | Kind::I1 => {}
            }
        }
        if self.special {
            match element.kind() {
                Kind::F16 => sprinkle(&mut buffer, &SPECIAL.map(half::f16::nearest), self.first()),
                Kind::F32 => sprinkle(&mut buffer, &SPECIAL.map(f32::nearest), self.first()),
                Kind::F64 => sprinkle(&mut buffer, &SPECIAL, self.first()),
                // Extremes, and the width and its neighbours.
                Kind::I8 => sprinkle(&mut buffer, &[i8::MIN, i8::MAX, 0, -1, 7, 8, 9], self.first()),
                Kind::I16 => sprinkle(&mut buffer, &[i16::MIN, i16::MAX, 0, -1, 15, 16, 17], self.first()),
                Kind::I32 => sprinkle(&mut buffer, &[i32::MIN, i32::MAX, 0, -1, 31, 32, 33], self.first()),
                Kind::I64 => sprinkle(&mut buffer, &[i64::MIN, i64::MAX, 0, -1, 63, 64, 65], self.first()),
                Kind::I1 => {}
            }
        }
        buffer
    }

    /// Makes integers few and small: of all levels, a histogram has no darkest one but the first. Some images have one level only.
    fn narrow<T: Sample>(&self, buffer: &mut Buffer) {
        let levels = if self.seed % 8 == 7 { 1.0 } else { 41.0 };
        let darkest = (self.seed.wrapping_mul(13) % 80) as f64;
        for element in buffer.view_mut::<T>().into_iter().flatten() {
            *element = T::nearest(darkest + element.to_f64().abs() % levels);
        }
    }

    /// Where the first special value is. A number is one.
    fn first(&self) -> usize {
        if self.is_number { 0 } else { self.seed as usize % STEP }
    }
}

/// Every so many elements is special.
const STEP: usize = 7;

/// Makes floats smaller, each by a power of two: of multiples of one number, which random floats are, every difference is exact, and hardly
/// any is small. Runs of bright points and of dark ones take turns.
fn spread<T: Sample>(buffer: &mut Buffer) {
    for (number, element) in buffer.view_mut::<T>().into_iter().flatten().enumerate() {
        let dark = if number / 37 % 2 == 1 { 8 } else { 0 };
        let power = dark + number.wrapping_mul(5) / 3 % 8;
        *element = T::nearest(element.to_f64() / f64::from(1u32 << power));
    }
}

/// In every type: what is too large or too small becomes infinite, or zero.
const SPECIAL: [f64; 12] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e300, -1e30, 6e4, 3e-5, -3e-42, 1e-310, -1.0];

/// Replaces some elements.
fn sprinkle<T: Sample>(buffer: &mut Buffer, values: &[T], first: usize) {
    let elements = buffer.view_mut::<T>().into_iter().flatten();
    for (number, element) in elements.skip(first).step_by(STEP).enumerate() {
        *element = values[(number + first) % values.len()];
    }
}

fn difference(found: &Buffer, expected: &Buffer, place: usize) -> String {
    let mut point = Vec::new();
    let mut rest = place;
    for extent in expected.shape().iter().rev() {
        point.insert(0, rest % extent);
        rest /= extent;
    }
    let size = expected.element().size();
    let pairs = found.bytes().chunks(size).zip(expected.bytes().chunks(size));
    let count = pairs.filter(|(found, expected)| found != expected).count();
    format!(
        "at {point:?} found {}, expected {}; {count} of {} points differ",
        number(found, place),
        number(expected, place),
        expected.len()
    )
}

/// An element, and its bits.
fn number(buffer: &Buffer, place: usize) -> String {
    let size = buffer.element().size();
    let bits: String = buffer.bytes()[place * size..][..size].iter().rev().map(|byte| format!("{byte:02x}")).collect();
    fn at<T: Sample>(buffer: &Buffer, place: usize) -> f64 {
        buffer.view::<T>().and_then(|values| values.get(place)).map_or(f64::NAN, |value| value.to_f64())
    }
    let value = match buffer.element().kind() {
        Kind::F16 => at::<half::f16>(buffer, place),
        Kind::F32 => at::<f32>(buffer, place),
        Kind::F64 => at::<f64>(buffer, place),
        Kind::I8 | Kind::I1 => at::<i8>(buffer, place),
        Kind::I16 => at::<i16>(buffer, place),
        Kind::I32 => at::<i32>(buffer, place),
        Kind::I64 => at::<i64>(buffer, place),
    };
    format!("{value} (0x{bits})")
}
