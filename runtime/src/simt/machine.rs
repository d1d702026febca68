//! Launches: arguments are checked against the kernel's parameters, and the blocks of the grid are shared out to the cores.
//!
//! Blocks are independent of each other, as CUDA demands, so which core runs which, and when, changes nothing: each block
//! has its own random numbers, from the seed and its index, and its reports are sorted by block afterwards. The exception is a kernel
//! with atomics on global memory, where the order shows (a float sum): its blocks run one after another. A block that has no end is the
//! last that is begun: all of a grid would take their limit of instructions each.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::block::Runner;
use super::clock::{self, Clock, Estimate};
use super::context::Job;
use super::counters::Counters;
use super::error::Error;
use super::memory::GlobalMemory;
use super::module::Module;
use super::options::Options;
use super::program::{Kernel, MOST_SHARED, NONE};
use super::report::{Fault, Report};
use super::trace::BlockTrace;

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum KernelArg {
    /// An address that [`GlobalMemory::alloc`] gave.
    Pointer(u64),
    /// 8 bits of any meaning.
    U8(u8),
    /// 16 bits of any meaning.
    U16(u16),
    /// 32 bits, an integer.
    U32(u32),
    /// 64 bits, an integer.
    U64(u64),
    /// 32 bits, a float.
    F32(f32),
    /// 64 bits, a float.
    F64(f64),
    /// A structure.
    Bytes(Vec<u8>),
}

impl KernelArg {
    /// As it lies in memory.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            KernelArg::Pointer(value) | KernelArg::U64(value) => value.to_le_bytes().to_vec(),
            KernelArg::U8(value) => vec![*value],
            KernelArg::U16(value) => value.to_le_bytes().to_vec(),
            KernelArg::U32(value) => value.to_le_bytes().to_vec(),
            KernelArg::F32(value) => value.to_le_bytes().to_vec(),
            KernelArg::F64(value) => value.to_le_bytes().to_vec(),
            KernelArg::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// What a launch did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// What it cost: the blocks that ran.
    pub counters: Counters,
    /// What went wrong.
    pub reports: Vec<Report>,
    /// How long it takes on a GPU, if a clock was set and all blocks ran.
    pub estimate: Option<Estimate>,
}

/// Executes a kernel over a grid of blocks.
pub fn launch(
    module: &Module,
    kernel: &str,
    grid: [u32; 3],
    block: [u32; 3],
    args: &[KernelArg],
    memory: &mut GlobalMemory,
    options: &Options,
) -> Result<Launch, Error> {
    let Some(kernel) = module.kernels.iter().find(|other| other.name == kernel) else {
        return Err(Error::launch(module.no_kernel(kernel)));
    };
    let params = parameters(kernel, args)?;
    shape(kernel, grid, block)?;
    if u64::from(options.dynamic_shared) > MOST_SHARED {
        let found = options.dynamic_shared;
        return Err(Error::launch(format!("found {found} bytes of shared memory, expected at most {MOST_SHARED}")));
    }
    memory.set_module(&module.variables);
    let blocks: u64 = grid.iter().map(|extent| u64::from(*extent)).product();
    let cores = match options.threads {
        _ if kernel.ordered => 1,
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let cores = cores.min(usize::try_from(blocks).unwrap_or(usize::MAX)).max(1);

    // Blocks are numbered along x first.
    let only = options.middle.then(|| {
        let [x, y, z] = grid.map(|blocks| u64::from(blocks / 2));
        x + u64::from(grid[0]) * (y + u64::from(grid[1]) * z)
    });
    let (first, blocks) = only.map_or((0, blocks), |only| (only, blocks.min(only + 1)));
    let job = Job { module, kernel, memory, params: &params, options, grid, shape: block };
    let mut timed = Timed::default();
    if let (Some(clock), None) = (&options.clock, only) {
        timed = time(job, clock, blocks)?;
    }
    let is_over = options.only_timed && timed.estimate.is_some() || timed.hangs();
    let (done, estimate) = (timed.done, timed.estimate);
    let next = AtomicU64::new(if is_over { blocks } else { first });
    let results = Mutex::new((timed.counters, timed.found));
    let work = || {
        let mut runner = Runner::new(job);
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= blocks {
                break;
            }
            if done.get(index as usize).copied().unwrap_or(false) {
                continue;
            }
            let reports = runner.run(index);
            if hangs(&reports) {
                next.store(blocks, Ordering::Relaxed);
            }
            if !reports.is_empty() {
                found.push((index, reports));
            }
        }
        if let Ok(mut results) = results.lock() {
            results.0.add(&runner.counters());
            results.1.append(&mut found);
        }
    };
    if cores == 1 {
        work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(work);
            }
        });
    }
    let (counters, found) = results.into_inner().map_err(|_| Error::launch("a thread of the machine failed".into()))?;
    let reports = merge(found);
    let estimate = estimate.filter(|_| reports.is_empty());
    Ok(Launch { counters, reports, estimate })
}

/// Blocks that ran under a clock, and what came of it.
#[derive(Default)]
struct Timed {
    counters: Counters,
    found: Vec<(u64, Vec<(u32, Report)>)>,
    /// By block, whether it ran.
    done: Vec<bool>,
    estimate: Option<Estimate>,
}

impl Timed {
    fn hangs(&self) -> bool {
        self.found.iter().any(|(_, reports)| hangs(reports))
    }
}

fn hangs(reports: &[(u32, Report)]) -> bool {
    reports.iter().any(|(_, report)| report.fault == Fault::Hang)
}

/// Runs some of the blocks, or all, under a clock.
fn time(job: Job<'_>, clock: &Clock, blocks: u64) -> Result<Timed, Error> {
    let kernel = job.kernel;
    let shared = match kernel.shared_dynamic {
        Some(offset) => offset + u64::from(job.options.dynamic_shared),
        None => kernel.shared.iter().map(|(_, size)| size).sum(),
    };
    let threads = job.shape.iter().map(|extent| u64::from(*extent)).product();
    let prepared = clock::prepare(clock, kernel, clock::Grid { blocks, threads, shared })?;
    let mut timed = Timed { done: vec![false; blocks as usize], ..Timed::default() };
    let mut runner = Runner::new(job);
    let mut run = |timed: &mut Timed, block: u64| {
        if timed.hangs() {
            return BlockTrace::default();
        }
        let (reports, trace) = runner.run_traced(block);
        timed.done[block as usize] = true;
        if !reports.is_empty() {
            timed.found.push((block, reports));
        }
        trace
    };
    // Where the order of blocks shows, it must stay: what ran before it was dealt to an SM is kept.
    let probe = if kernel.ordered { 0 } else { blocks / 2 };
    let mut kept = HashMap::from([(probe, run(&mut timed, probe))]);
    let sample = prepared.sample(&kept[&probe], job.memory);
    if kernel.ordered {
        for block in 1..sample.first + sample.blocks {
            let trace = run(&mut timed, block);
            if block >= sample.first {
                kept.insert(block, trace);
            }
        }
    }
    let estimate = prepared.run(job.module, &sample, |block| match kept.remove(&block) {
        Some(trace) => trace,
        None => run(&mut timed, block),
    });
    timed.counters = runner.counters();
    let ran = timed.done.iter().filter(|done| **done).count() as f64;
    let flops = (timed.counters.flops as f64 * blocks as f64 / ran).round() as u64;
    timed.estimate = Some(Estimate { flops, ..estimate });
    Ok(timed)
}

fn parameters(kernel: &Kernel, args: &[KernelArg]) -> Result<Vec<u8>, Error> {
    if args.len() != kernel.params.len() {
        let (found, expected) = (args.len(), kernel.params.len());
        return Err(Error::launch(format!("kernel {}: found {found} arguments, expected {expected}", kernel.name)));
    }
    let mut params = vec![0; kernel.param_bytes as usize];
    for (index, (arg, (param, offset))) in args.iter().zip(kernel.params.iter().zip(&kernel.param_offsets)).enumerate()
    {
        let bytes = arg.bytes();
        if bytes.len() as u64 != param.size {
            return Err(Error::launch(format!(
                "kernel {}, argument {}: found {} bytes, expected {}",
                kernel.name,
                index + 1,
                bytes.len(),
                param.size
            )));
        }
        params[*offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(params)
}

fn shape(kernel: &Kernel, grid: [u32; 3], block: [u32; 3]) -> Result<(), Error> {
    let name = &kernel.name;
    let show = |[x, y, z]: [u32; 3]| format!("{x}x{y}x{z}");
    let threads: u64 = block.iter().map(|extent| u64::from(*extent)).product();
    if threads == 0 || threads > 1024 {
        return Err(Error::launch(format!("kernel {name}: found a block of {threads} threads, expected 1 to 1024")));
    }
    if grid.contains(&0) {
        return Err(Error::launch(format!("kernel {name}: found a grid of {}, expected a block at least", show(grid))));
    }
    if grid[1].max(grid[2]) > 65535 || grid[0] > i32::MAX as u32 {
        let found = show(grid);
        return Err(Error::launch(format!(
            "kernel {name}: found a grid of {found}, expected at most 2147483647x65535x65535"
        )));
    }
    if block[2] > 64 {
        let found = show(block);
        return Err(Error::launch(format!("kernel {name}: found a block of {found}, expected at most 1024x1024x64")));
    }
    if let Some(wanted) = kernel.block
        && wanted != block
    {
        let (found, expected) = (show(block), show(wanted));
        return Err(Error::launch(format!("kernel {name}: found a block of {found}, expected {expected} (.reqntid)")));
    }
    let most = kernel.block_max.map_or(u64::MAX, |most| most.iter().map(|extent| u64::from(*extent)).product());
    if threads > most {
        return Err(Error::launch(format!(
            "kernel {name}: found a block of {threads} threads, expected at most {most} (.maxntid)"
        )));
    }
    Ok(())
}

/// One report per fault and instruction, the first block's, with the count of all.
fn merge(mut found: Vec<(u64, Vec<(u32, Report)>)>) -> Vec<Report> {
    found.sort_by_key(|(block, _)| *block);
    // Which blocks others had begun by then is chance.
    let last = found.iter().position(|(_, reports)| hangs(reports));
    found.truncate(last.map_or(found.len(), |last| last + 1));
    let mut places: HashMap<(Fault, u32), usize> = HashMap::new();
    let mut reports: Vec<Report> = Vec::new();
    for (place, report) in found.into_iter().flat_map(|(_, reports)| reports) {
        debug_assert_ne!(place, NONE);
        match places.get(&(report.fault, place)) {
            Some(index) => reports[*index].count += report.count,
            None => {
                places.insert((report.fault, place), reports.len());
                reports.push(report);
            }
        }
    }
    reports
}
