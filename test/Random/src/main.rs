//! `weft-random`: random programs through every lowering, as many as wanted; or programs in files.
//!
//! ```text
//! weft-random --count 20000                 seeds 0 to 19999, on all cores
//! weft-random --seed 123 --count 1          one of them
//! weft-random --seed 123 --print            its text
//! weft-random --gpu                         kernels run on the GPU that is here
//! weft-random --small                       small ones, many in little time
//! weft-random --tiny --together 20          more still: what is fixed of compiling is done once for 20
//! weft-random --apart                       programs that end the compiler are found, too
//! weft-random case.mlir                     a program that one of them became
//! ```

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use std::{path::PathBuf, process::ExitCode, time::Instant};
use weft_files::complain;
use weft_random::{
    Event, Plan, Summary, case_of,
    check::{VARIANTS, Variant, check},
    file,
    generate::Size,
    gpu::take_gpu,
    run,
};
use weft_tools::{Stop, print};

/// Run random programs through every lowering, and compare to the bit.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Programs to run instead of random ones; a line `// inputs: 37x5 seed 3` in each says what they run on.
    files: Vec<PathBuf>,
    /// The first seed.
    #[arg(long, env = "SEED", default_value_t = 0)]
    seed: u64,
    /// How many.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Programs at once; 0 is one per core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Only these ways down.
    #[arg(long, value_delimiter = ',')]
    variant: Vec<String>,
    /// Print the program of the seed, and run nothing.
    #[arg(long)]
    print: bool,
    /// Go on after a failure, shrink nothing, and list all.
    #[arg(long)]
    all: bool,
    /// Run them in processes of their own: to find and shrink what ends the process, too.
    #[arg(long)]
    apart: bool,
    /// Small programs: of few stages, on few points.
    #[arg(long)]
    small: bool,
    /// Tiny programs: of a stage or two that read little, on few points.
    #[arg(long, conflicts_with = "small")]
    tiny: bool,
    /// So many programs share a module, and so most of what it costs to compile one, and options.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    together: u64,
    /// Take each program down each of the ways, however seldom that is done else.
    #[arg(long, conflicts_with = "apart")]
    each: bool,
    /// Run kernels on the GPU that is here, not on the SIMT executor.
    #[arg(long, conflicts_with = "apart")]
    gpu: bool,
    /// Print each seed as it begins.
    #[arg(long)]
    verbose: bool,
}

impl Options {
    fn size(&self) -> Size {
        match self {
            Self { tiny: true, .. } => Size::Tiny,
            Self { small: true, .. } => Size::Small,
            _ => Size::Usual,
        }
    }
}

fn main() -> ExitCode {
    weft_tools::start(all)
}

fn all(options: &Options) -> Result<(), Stop> {
    let names: Vec<&str> = VARIANTS.iter().map(|variant| variant.name).collect();
    if let Some(unknown) = options.variant.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(Stop::Because(format!("--variant {unknown}: expected one of {}", names.join(", "))));
    }
    let wanted = |variant: &Variant| {
        options.variant.is_empty() || options.variant.iter().any(|name| name.as_str() == variant.name)
    };
    if options.gpu {
        take_gpu().map_err(|error| Stop::Because(error.to_string()))?;
    }
    if options.print {
        return print(file::program(&case_of(options.seed, options.size())));
    }
    for path in &options.files {
        let name = path.display().to_string();
        let text = weft_files::text(path, "MLIR")?;
        let case = file::read(&text).map_err(|error| format!("{name}: {error}"))?;
        let refused = check(&case, &name, wanted).map_err(|failure| format!("{name}: {failure}"))?;
        for (variant, message) in &refused {
            print(format!("{name}: {variant} refuses: {message}\n"))?;
        }
        let run = VARIANTS.iter().filter(|variant| wanted(variant)).count();
        print(format!("{name}: agrees in {} of {run} variants\n", run - refused.len()))?;
    }
    if options.files.is_empty() { many(options, wanted) } else { Ok(()) }
}

fn many(options: &Options, wanted: impl Fn(&Variant) -> bool + Sync) -> Result<(), Stop> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if options.threads == 0 { cores() } else { options.threads };
    let bar = ProgressBar::new(options.count);
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} programs, {per_sec}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let begin = Instant::now();
    let Options { seed: first, count, all, apart, each, together, .. } = *options;
    let plan = Plan { first, count, threads, all, apart, size: options.size(), each, together };
    let summary = run(plan, wanted, |event| match event {
        Event::Begins(seed) if options.verbose => bar.suspend(|| complain(format_args!("SEED={seed}"))),
        Event::Begins(_) => {}
        Event::Fails(failure) => bar.suspend(|| complain(format_args!("error: {failure}"))),
        Event::Ends => bar.inc(1),
    });
    bar.finish_and_clear();
    let Summary { cases, runs, failures, .. } = &summary;
    let seconds = begin.elapsed().as_secs_f64();
    let mut text = format!(
        "{cases} programs, {runs} runs in {seconds:.1} s: {:.1} programs per second\n{:.2} % of the runs refused\n",
        *cases as f64 / seconds,
        100.0 * summary.refused_part()
    );
    text += &summary.refusals();
    print(text)?;
    // They have been told as they came.
    if failures.is_empty() { Ok(()) } else { Err(Stop::Printed) }
}
