//! The command line.

use clap::{Parser, ValueEnum};
use std::path::{Path, PathBuf};
use weft_tools::{Numerics, Stop};

/// What runs the program.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Target {
    /// Plain loops, compiled without optimisation: what the program means.
    Reference,
    /// Optimised for this machine's CPU.
    Cpu,
    /// The emitted PTX, executed on any machine.
    Simt,
    /// The emitted PTX, on an NVIDIA GPU.
    Cuda,
}

impl Target {
    /// Whether it launches kernels.
    pub fn is_gpu(self) -> bool {
        matches!(self, Target::Simt | Target::Cuda)
    }
}

/// What the SIMT executor looks for.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum SimtChecks {
    /// Races, reads of memory nobody wrote, accesses out of bounds or misaligned, syncs that some thread never reaches.
    All,
    /// Nothing.
    None,
}

/// What u8 and u16 arrays are to arguments of floats.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Integers {
    /// Numbers: 255 is 255.0.
    Values,
    /// Pixels, as those of a picture: the greatest number is 1.0.
    Unit,
}

impl From<Integers> for weft_runtime::Integers {
    fn from(integers: Integers) -> Self {
        match integers {
            Integers::Values => Self::Values,
            Integers::Unit => Self::Unit,
        }
    }
}

/// Run a program on pictures and arrays.
#[derive(Parser)]
#[command(name = "pipeline-run", version = weft_tools::version())]
pub struct Options {
    /// The program, `-` for stdin.
    #[arg(required_unless_present = "measure_cpu")]
    program: Option<PathBuf>,
    /// Measure how fast this machine's memory and caches are, for two seconds, and keep it: code for `host` is made for that from then on. With
    /// FILE, write it there, for `--pipeline-options target=FILE`. [default: weft/cpu.toml in the user's cache]
    #[arg(long, value_name = "FILE.toml", num_args = 0..=1, require_equals = true, conflicts_with = "program")]
    #[expect(clippy::option_option, reason = "the option may have a value")]
    pub measure_cpu: Option<Option<PathBuf>>,
    /// The function to run, where the file has several programs.
    #[arg(long)]
    pub function: Option<String>,
    /// What runs it.
    #[arg(long, value_enum, default_value = "cpu")]
    pub target: Target,
    /// NAME=FILE.png, FILE.jpg, FILE.npy, random or random:SEED for an image, NAME=NUMBER for a number.
    #[arg(long, value_name = "NAME=SOURCE")]
    pub arg: Vec<String>,
    /// Extent of a random image: y=480 for all of them, img.y=480 for one (dimensions are n, c, y, x), or by the name that the program has
    /// for it, such as a parameter of Forma.
    #[arg(long, value_name = "NAME=N")]
    pub dim: Vec<String>,
    /// What u8 and u16 arrays are to arguments of floats.
    #[arg(long, value_enum, value_name = "MEANING")]
    pub integers: Option<Integers>,
    /// NAME=FILE.png|FILE.npy: where a result goes.
    #[arg(long, value_name = "NAME=FILE")]
    pub out: Vec<String>,
    /// NAME=FILE: writes an intermediate stage too.
    #[arg(long, value_name = "NAME=FILE")]
    pub dump_stage: Vec<String>,
    /// Write pictures from the least to the greatest value as black to white, instead of 0 to 1.
    #[arg(long)]
    pub normalize: bool,
    /// Choose schedules for images of the size that the program says (`weft.estimate`), not for those that it is given.
    #[arg(long)]
    pub estimates: bool,
    /// Passes to run on the stages first, for example "fuse{strategy=none}".
    #[arg(long)]
    pub passes: Option<String>,
    #[command(flatten)]
    pub numerics: Numerics,
    /// More options of the target's pipeline, for example "strategy=none".
    #[arg(long, value_name = "OPTIONS")]
    pub pipeline_options: Option<String>,
    /// The chip to compile for, simt and cuda only. [default: sm_90, or the GPU's own]
    #[arg(long)]
    pub chip: Option<String>,
    /// Run the kernels of this PTX file in place of the emitted ones, simt and cuda only.
    #[arg(long, value_name = "FILE")]
    pub ptx: Option<PathBuf>,
    /// What the SIMT executor looks for, simt only. [default: all]
    #[arg(long, value_enum)]
    pub simt_checks: Option<SimtChecks>,
    /// What decides the order of the warps, simt only. [default: 0]
    #[arg(long, value_name = "N")]
    pub simt_seed: Option<u64>,
    /// Instructions of the warps of a block after which a kernel is given up, simt only. [default: 1073741824]
    #[arg(long, value_name = "N")]
    pub simt_max_instructions: Option<u64>,
    /// Say how long each kernel takes on a GPU, by a model, simt only: v100, h100, ... or a target file. Compiles for that GPU.
    #[arg(long, value_name = "TARGET")]
    pub clock: Option<String>,
    /// Run only the blocks that the clock looks at: times, but no results. What runs before a kernel that looks up where to read runs whole.
    #[arg(long, requires = "clock", conflicts_with_all = ["out", "dump_stage", "counters", "bench", "simt_checks"])]
    pub only_timed: bool,
    /// Write what the clock says as a page: an SM over time, and the lines at which warps wait.
    #[arg(long, value_name = "FILE", requires = "clock")]
    pub html: Option<PathBuf>,
    /// Find groups and schedules by measuring for so many seconds, at most (60 where none are said): by the CPU, the GPU, or --clock.
    /// What was found is kept on disk, and used the next time; `--pipeline-options tune=FILE` takes the file.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "60")]
    pub tune: Option<u64>,
    /// The folder that keeps what was found. [default: weft in the user's cache]
    #[arg(long, value_name = "DIR", requires = "tune")]
    pub tune_cache: Option<PathBuf>,
    /// Write all that was tried, how long it took, and what the model says of it, as JSON. What was found before is found again.
    #[arg(long, value_name = "FILE", requires = "tune")]
    pub tune_report: Option<PathBuf>,
    /// Print what each kernel costs, simt only. (JSON has it always.)
    #[arg(long)]
    pub counters: bool,
    /// Compute results window by window, HxW points of the last dimensions each, as --window makes it: the values are those of the whole.
    #[arg(long, value_name = "HxW", conflicts_with_all = ["bench", "tune", "clock", "ptx", "counters", "dump_stage"])]
    pub window: Option<String>,
    /// Run N times, and print the least and the median time.
    #[arg(long, value_name = "N")]
    pub bench: Option<usize>,
    /// Print what the program takes and gives, what must hold of its arguments, and an example that runs; run nothing.
    #[arg(long, conflicts_with_all = ["arg", "dim", "out", "json", "bench"])]
    pub describe: bool,
    /// Print what happened as JSON.
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// The program, where there is something to run.
    pub fn program(&self) -> &Path {
        self.program.as_deref().unwrap_or(Path::new("-"))
    }

    /// Refuses options that mean nothing to the target.
    pub fn check(&self) -> Result<(), Stop> {
        let given = [
            ("--chip", self.chip.is_some(), self.target.is_gpu(), "simt or cuda"),
            ("--ptx", self.ptx.is_some(), self.target.is_gpu(), "simt or cuda"),
            ("--simt-checks", self.simt_checks.is_some(), self.target == Target::Simt, "simt"),
            ("--simt-seed", self.simt_seed.is_some(), self.target == Target::Simt, "simt"),
            ("--simt-max-instructions", self.simt_max_instructions.is_some(), self.target == Target::Simt, "simt"),
            ("--clock", self.clock.is_some(), self.target == Target::Simt, "simt"),
            ("--tune", self.tune.is_some(), self.target != Target::Reference, "cpu, simt or cuda"),
            ("--counters", self.counters, self.target == Target::Simt, "simt"),
            (
                "--pipeline-options",
                self.pipeline_options.is_some(),
                self.target != Target::Reference,
                "cpu, simt or cuda",
            ),
        ];
        if let Some((option, .., target)) = given.into_iter().find(|(_, given, good, _)| *given && !good) {
            return Err(Stop::Because(format!("{option} means nothing to this target, expected --target {target}")));
        }
        if self.tune.is_some() && self.target == Target::Simt && self.clock.is_none() {
            return Err(Stop::Because(
                "--tune: nothing here knows time, expected --clock, --target cpu or cuda".into(),
            ));
        }
        if self.tune.is_some() && self.ptx.is_some() {
            return Err(Stop::Because("--tune: the kernels are given, by --ptx".into()));
        }
        if self.bench == Some(0) {
            return Err(Stop::Because("--bench 0: expected at least one run".into()));
        }
        Ok(())
    }
}
