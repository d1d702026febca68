//! `ptx-run`: runs a kernel of a PTX file on the SIMT executor, on any machine.
//!
//! ```text
//! ptx-run blur.ptx blur_0 --grid 8,60 --block 32,8 photo.npy zeros:f32:480x256=blurred.npy u32:480 u32:256
//! ```
//!
//! Each argument is one of the kernel's parameters: a buffer from an NPY file, a buffer of zeros, or a number. A buffer that
//! is written to a file at the end counts as one that nobody has written when the kernel starts, and is written only if the kernel
//! filled it and nothing was reported.
//!
//! ```text
//! ptx-run --trace FOLDER
//! ```
//!
//! runs all that a program asked of a driver that wrote it down ([`weft_tools::replay`]): of any compiler, with its own launches.

use clap::Parser;
use serde_json::{Map, Value as Json, json};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};
use weft_files::complain;
use weft_runtime::{
    Buffer, Element, Scale,
    simt::{
        Checks, Fault, GlobalMemory, KernelArg, Launch, Module, Options as Machine,
        clock::{Clock, Order},
        launch,
    },
};
use weft_tools::{
    Stop,
    clock::{self, Clocked},
    replay::{Replayed, replay},
    start,
};

/// Execute PTX, and report races, bad accesses and what the kernel costs.
#[derive(Parser)]
#[command(name = "ptx-run", version = weft_tools::version())]
struct Options {
    /// The PTX text.
    #[arg(required_unless_present = "trace")]
    file: Option<PathBuf>,
    /// The kernel to run.
    #[arg(required_unless_present = "trace")]
    kernel: Option<String>,
    /// Blocks: X, X,Y or X,Y,Z.
    #[arg(long, value_parser = extents, required_unless_present = "trace")]
    grid: Option<[u32; 3]>,
    /// Threads of a block.
    #[arg(long, value_parser = extents, required_unless_present = "trace")]
    block: Option<[u32; 3]>,
    /// In place of one kernel: all that a program did, as written down in this folder. What it copied back is then in FOLDER/outN.bin.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["file", "kernel", "grid", "block", "shared", "bench"])]
    trace: Option<PathBuf>,
    /// Look for nothing, only run.
    #[arg(long)]
    no_check: bool,
    /// What decides the order of the warps.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Blocks that run at once; 0 is one per core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Bytes of shared memory that the launch gives: of `extern .shared`, or, to a kernel that declares none, from address 0 on.
    #[arg(long, default_value_t = 0)]
    shared: u32,
    /// Say how long it takes on a GPU, by a model: v100, h100, ... or a target file.
    #[arg(long, value_name = "TARGET")]
    clock: Option<String>,
    /// Write what the clock says as a page: an SM over time, and the lines at which warps wait.
    #[arg(long, value_name = "FILE", requires = "clock")]
    html: Option<PathBuf>,
    /// Registers of a thread, as ptxas says them; without it an estimate, for the clock.
    #[arg(long, value_name = "N", requires = "clock")]
    registers: Option<u64>,
    /// One machine instruction for each of PTX, in the order of the text, as a cycle-level simulator has it.
    #[arg(long, requires = "clock")]
    text_order: bool,
    /// Machine instructions after which the clock takes a sample of the blocks.
    #[arg(long, value_name = "N", requires = "clock")]
    budget: Option<u64>,
    /// Run N times, and print the best speed.
    #[arg(long, value_name = "N")]
    bench: Option<usize>,
    /// Instructions of the warps of a block after which a kernel is given up.
    #[arg(long, value_name = "N", default_value_t = Machine::LIMIT)]
    max_instructions: u64,
    /// Print what happened as JSON.
    #[arg(long)]
    json: bool,
    /// FILE.npy, zeros:TYPE:EXTENTS[=FILE.npy], or TYPE:NUMBER.
    #[arg(allow_hyphen_values = true)]
    args: Vec<String>,
}

fn extents(text: &str) -> Result<[u32; 3], String> {
    let mut extents = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > 3 {
        return Err("expected at most three extents".to_owned());
    }
    for (extent, part) in extents.iter_mut().zip(parts) {
        *extent = part.parse().map_err(|_| format!("found {part}, expected a number"))?;
    }
    Ok(extents)
}

fn main() -> ExitCode {
    start(run)
}

/// A buffer to write at the end.
struct Output {
    address: u64,
    buffer: Buffer,
    path: PathBuf,
}

/// A launch by its name and shape, for what is said of it.
struct Shape<'a> {
    kernel: &'a str,
    grid: [u32; 3],
    block: [u32; 3],
}

fn run(options: &Options) -> Result<(), Stop> {
    let clock = options.clock.as_deref().map(|name| clock_of(options, name)).transpose()?;
    let machine = Machine {
        clock,
        seed: options.seed,
        checks: if options.no_check { Checks::NONE } else { Checks::ALL },
        threads: options.threads,
        dynamic_shared: options.shared,
        limit: options.max_instructions,
        ..Machine::default()
    };
    if let Some(folder) = &options.trace {
        return run_trace(options, folder, &machine);
    }
    let (Some(file), Some(kernel), Some(grid), Some(block)) =
        (&options.file, &options.kernel, options.grid, options.block)
    else {
        return Err(Stop::Because("expected a file, a kernel, --grid and --block, or --trace".to_owned()));
    };
    let shape = Shape { kernel, grid, block };
    let path = file.display();
    let text = weft_files::text(file, "PTX")?;
    let module = Module::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    let mut memory = GlobalMemory::new();
    let mut outputs = Vec::new();
    let args =
        options.args.iter().map(|arg| argument(arg, &mut memory, &mut outputs)).collect::<Result<Vec<_>, _>>()?;
    let mut once = || -> Result<(Launch, f64), Stop> {
        let start = Instant::now();
        let result =
            launch(&module, kernel, grid, block, &args, &mut memory, &machine).map_err(|error| error.to_string())?;
        Ok((result, start.elapsed().as_secs_f64()))
    };
    let (result, mut seconds) = once()?;
    for _ in 1..options.bench.unwrap_or(1) {
        seconds = seconds.min(once()?.1);
    }
    for output in &mut outputs {
        memory.read(output.address, output.buffer.bytes_mut()).map_err(|error| error.to_string())?;
    }
    let unwritten = if options.no_check { Vec::new() } else { unwritten(&memory, &outputs)? };
    if unwritten.is_empty() && result.reports.is_empty() {
        let files: Vec<_> = outputs.iter().map(|output| (&output.path, &output.buffer)).collect();
        weft_runtime::store_all(&files, Scale::Unit)?;
    }
    if options.json {
        weft_tools::print(format!("{}\n", json(options, &shape, &result, seconds)))?;
    } else {
        print(options, kernel, &result, seconds)?;
    }
    write_page(options, std::iter::once((&shape, &result)))?;
    unwritten.iter().for_each(complain);
    given_up(options, kernel, &result)?;
    if result.reports.is_empty() && unwritten.is_empty() { Ok(()) } else { Err(Stop::Printed) }
}

/// All launches of a trace.
fn run_trace(options: &Options, folder: &Path, machine: &Machine) -> Result<(), Stop> {
    let mut replayed = replay(folder, machine)?;
    for Replayed { kernel, grid, block, launch, seconds } in &replayed.launches {
        if options.json {
            continue;
        }
        let show = |[x, y, z]: [u32; 3]| format!("{x}x{y}x{z}");
        weft_tools::print(format!("{kernel}: {} blocks of {} threads\n", show(*grid), show(*block)))?;
        print(options, kernel, launch, *seconds)?;
    }
    if options.json {
        let launches: Vec<Json> = replayed
            .launches
            .iter()
            .map(|Replayed { kernel, grid, block, launch, seconds }| {
                json(options, &Shape { kernel, grid: *grid, block: *block }, launch, *seconds)
            })
            .collect();
        weft_tools::print(format!("{}\n", json!({"launches": launches, "unwritten": replayed.unwritten})))?;
    }
    let shapes: Vec<Shape> = replayed
        .launches
        .iter()
        .map(|Replayed { kernel, grid, block, .. }| Shape { kernel, grid: *grid, block: *block })
        .collect();
    write_page(options, shapes.iter().zip(replayed.launches.iter().map(|replayed| &replayed.launch)))?;
    replayed.unwritten.drain(..).for_each(complain);
    for Replayed { kernel, launch, .. } in &replayed.launches {
        given_up(options, kernel, launch)?;
    }
    let reported = replayed.launches.iter().any(|replayed| !replayed.launch.reports.is_empty());
    if reported || !replayed.complete { Err(Stop::Printed) } else { Ok(()) }
}

/// Whether a kernel came to its end.
fn given_up(options: &Options, kernel: &str, result: &Launch) -> Result<(), Stop> {
    if result.reports.iter().all(|report| report.fault != Fault::Hang) {
        return Ok(());
    }
    // The clock has a limit of its own, which is no option.
    let most =
        if options.clock.is_some() { options.max_instructions.min(Machine::TRACED) } else { options.max_instructions };
    let more =
        if most < options.max_instructions { "the clock follows no more" } else { "--max-instructions allows more" };
    Err(Stop::Because(format!("kernel {kernel} is given up after {most} instructions of a block's warps; {more}")))
}

/// The page of the clock, if there is to be one.
fn write_page<'l>(options: &Options, launches: impl Iterator<Item = (&'l Shape<'l>, &'l Launch)>) -> Result<(), Stop> {
    let Some(file) = &options.html else { return Ok(()) };
    let clocked = launches.filter_map(|(shape, launch)| {
        let estimate = launch.estimate.as_ref()?;
        Some(Clocked { kernel: shape.kernel, grid: shape.grid, block: shape.block, estimate })
    });
    clock::write_page(&clocked.collect::<Vec<_>>(), file)
}

/// The clock that the options set.
fn clock_of(options: &Options, name: &str) -> Result<Clock, Stop> {
    let clock = clock::clock(name)?;
    Ok(Clock {
        registers: options.registers,
        order: if options.text_order { Order::Text } else { Order::Compiled },
        budget: options.budget.unwrap_or(clock.budget),
        ..clock
    })
}

/// A line for each output with bytes that the kernel left as they were.
fn unwritten(memory: &GlobalMemory, outputs: &[Output]) -> Result<Vec<String>, Stop> {
    let mut lines = Vec::new();
    for output in outputs {
        let size = output.buffer.byte_size();
        let bytes = memory.unwritten(output.address, size).map_err(|error| error.to_string())?;
        if bytes > 0 {
            lines.push(format!("{}: nobody wrote {bytes} of its {size} bytes", output.path.display()));
        }
    }
    Ok(lines)
}

fn print(options: &Options, kernel: &str, result: &Launch, seconds: f64) -> Result<(), Stop> {
    result.reports.iter().for_each(complain);
    let counters = result.counters.entries().into_iter().filter(|(_, value)| *value > 0);
    let mut lines: Vec<String> = counters.map(|(name, value)| format!("{name:24}{value:>16}")).collect();
    let efficiencies = [
        ("global_load_efficiency", result.counters.global_loads.efficiency()),
        ("global_store_efficiency", result.counters.global_stores.efficiency()),
    ];
    lines.extend(efficiencies.map(|(name, share)| format!("{name:24}{:>15.1}%", 100.0 * share)));
    lines.extend(result.estimate.as_ref().map(|estimate| clock::text(kernel, estimate)));
    if options.bench.is_some() {
        let rate = result.counters.thread_instructions as f64 / seconds;
        lines.push(format!("{:24}{:>13.1} ms", "time", seconds * 1e3));
        lines.push(format!("{:24}{:>9.1} M per s", "thread instructions", rate / 1e6));
    }
    weft_tools::print(lines.into_iter().map(|line| line + "\n").collect::<String>())
}

fn json(options: &Options, shape: &Shape, result: &Launch, seconds: f64) -> Json {
    let rate = result.counters.thread_instructions as f64 / seconds;
    let mut counters: Map<String, Json> =
        result.counters.entries().into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    counters.insert("global_load_efficiency".to_owned(), result.counters.global_loads.efficiency().into());
    counters.insert("global_store_efficiency".to_owned(), result.counters.global_stores.efficiency().into());
    let reports: Vec<Json> = result
        .reports
        .iter()
        .map(|report| {
            let source = report
                .source
                .as_ref()
                .map(|source| json!({"file": source.file, "line": source.line, "column": source.column}));
            json!({
                "fault": report.fault.name(), "block": report.block, "thread": report.thread, "line": report.line,
                "instruction": report.instruction, "source": source, "message": report.message, "count": report.count,
            })
        })
        .collect();
    json!({
        "kernel": shape.kernel, "grid": shape.grid, "block": shape.block, "seed": options.seed,
        "counters": counters, "clock": result.estimate.as_ref().map(clock::estimate_json), "reports": reports,
        "ms": seconds * 1e3, "thread_instructions_per_second": rate,
    })
}

fn argument(text: &str, memory: &mut GlobalMemory, outputs: &mut Vec<Output>) -> Result<KernelArg, Stop> {
    if let Some(rest) = text.strip_prefix("zeros:") {
        let (what, path) = rest.split_once('=').map_or((rest, None), |(what, path)| (what, Some(path)));
        let wrong = || format!("argument {text}: expected zeros:TYPE:EXTENTS[=FILE.npy]");
        let (element, shape) = what.split_once(':').ok_or_else(wrong)?;
        let element: Element = element.parse().map_err(|error| format!("argument {text}: {error}"))?;
        let shape = shape.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>().map_err(|_| wrong())?;
        let unfit = || format!("argument {text}: does not fit into memory");
        let buffer = Buffer::try_zeros(element, &shape).ok_or_else(unfit)?;
        // The executor has it a second time.
        if !GlobalMemory::fits(buffer.byte_size()) {
            return Err(Stop::Because(unfit()));
        }
        let Some(path) = path else {
            return Ok(KernelArg::Pointer(memory.alloc_with(buffer.bytes())));
        };
        if Path::new(path).extension().is_none_or(|extension| extension != "npy") {
            return Err(Stop::Because(format!("{path}: found another file, expected FILE.npy")));
        }
        let address = memory.alloc(buffer.byte_size());
        outputs.push(Output { address, buffer, path: PathBuf::from(path) });
        return Ok(KernelArg::Pointer(address));
    }
    if text.ends_with(".npy") {
        // The kernel's parameter is a bare pointer, so the file decides.
        let (element, extents) = weft_runtime::npy_type(text)?;
        let buffer = weft_runtime::read_npy(text, element, &vec![None; extents.len()], None)?.0;
        return Ok(KernelArg::Pointer(memory.alloc_with(buffer.bytes())));
    }
    let number = text.split_once(':').and_then(|(ty, number)| {
        Some(match ty {
            "u8" => KernelArg::U8(number.parse().ok()?),
            "i8" => KernelArg::U8(number.parse::<i8>().ok()? as u8),
            "u16" => KernelArg::U16(number.parse().ok()?),
            "i16" => KernelArg::U16(number.parse::<i16>().ok()? as u16),
            "u32" => KernelArg::U32(number.parse().ok()?),
            "i32" => KernelArg::U32(number.parse::<i32>().ok()? as u32),
            "u64" => KernelArg::U64(number.parse().ok()?),
            "i64" => KernelArg::U64(number.parse::<i64>().ok()? as u64),
            "f32" => KernelArg::F32(number.parse().ok()?),
            "f64" => KernelArg::F64(number.parse().ok()?),
            _ => return None,
        })
    });
    number.ok_or_else(|| {
        Stop::Because(format!("argument {text}: expected FILE.npy, zeros:TYPE:EXTENTS[=FILE.npy] or TYPE:NUMBER"))
    })
}
