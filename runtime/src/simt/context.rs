//! What the warps of a block share: its shared memory, its random numbers, and what is told of it.

use std::collections::HashMap;

use super::counters::{Counters, flops_of};
use super::memory::GlobalMemory;
use super::module::Module;
use super::options::{Checks, Options};
use super::program::Kernel;
use super::report::{Fault, Report};
use super::shared::Shared;
use super::trace::{BlockTrace, WarpTrace};

/// A launch: what all its blocks share.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub module: &'a Module,
    pub kernel: &'a Kernel,
    pub memory: &'a GlobalMemory,
    /// The bytes of the arguments, as the kernel lays them out.
    pub params: &'a [u8],
    pub options: &'a Options,
    pub grid: [u32; 3],
    /// Threads of a block.
    pub shape: [u32; 3],
}

/// All that the warps of a block share. It goes on from block to block.
pub(super) struct Context<'a> {
    pub job: Job<'a>,
    pub block: [u32; 3],
    pub shared: Shared,
    /// Executions per instruction: by threads, and by groups.
    pub executed: Vec<(u64, u64)>,
    /// What is counted otherwise than by instructions.
    pub counters: Counters,
    /// Instructions of all warps of this block.
    pub steps: u64,
    /// The block is given up.
    pub stop: bool,
    /// What the warps of this block execute, if it is wanted.
    pub trace: Option<BlockTrace>,
    reports: Vec<(u32, Report)>,
    reported: HashMap<(Fault, u32), usize>,
    random: u64,
}

impl<'a> Context<'a> {
    /// That of a launch, before its first block.
    pub fn new(job: Job<'a>) -> Self {
        let kernel = job.kernel;
        let mut shared_bytes = kernel.shared_bytes;
        if let Some(offset) = kernel.shared_dynamic {
            shared_bytes = offset + u64::from(job.options.dynamic_shared);
        }
        let tracked = job.options.checks.races || job.options.checks.unwritten;
        Context {
            job,
            block: [0; 3],
            shared: Shared::new(shared_bytes, kernel.shared_granule, tracked),
            executed: vec![(0, 0); kernel.code.len()],
            counters: Counters::default(),
            reports: Vec::new(),
            reported: HashMap::new(),
            steps: 0,
            random: 0,
            stop: false,
            trace: None,
        }
    }

    /// Begins a block.
    pub fn start(&mut self, index: u64) {
        let [x, y, _] = self.job.grid.map(u64::from);
        self.block = [(index % x) as u32, (index / x % y) as u32, (index / (x * y)) as u32];
        self.random = self.job.options.seed ^ index.wrapping_mul(0xd134_2543_de82_ef95);
        self.steps = 0;
        self.stop = false;
        self.shared.reset();
    }

    /// Ends a block: what went wrong in it, with the instruction's index.
    pub fn finish(&mut self) -> Vec<(u32, Report)> {
        self.reported.clear();
        std::mem::take(&mut self.reports)
    }

    /// What all blocks cost so far.
    pub fn cost(&self) -> Counters {
        let mut counters = self.counters.clone();
        let kernel = self.job.kernel;
        for ((kind, opcode), (threads, groups)) in kernel.kinds.iter().zip(&kernel.opcodes).zip(&self.executed) {
            counters.instructions(*kind, *threads, *groups);
            counters.flops += threads * flops_of(opcode);
        }
        counters
    }

    /// A random number, from the seed and the block.
    pub fn random(&mut self) -> u64 {
        // splitmix64
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.random;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// The place of a thread in its block.
    pub fn thread(&self, index: u32) -> [u32; 3] {
        let [x, y, _] = self.job.shape;
        [index % x, index / x % y, index / (x * y)]
    }

    /// Notes a fault of a thread at an instruction; once, and then how often.
    #[cold]
    pub fn report(&mut self, fault: Fault, thread: u32, place: u32, message: impl FnOnce(&Self) -> String) {
        if let Some(index) = self.reported.get(&(fault, place)) {
            self.reports[*index].1.count += 1;
            return;
        }
        let at = place as usize;
        let report = Report {
            fault,
            block: self.block,
            thread: self.thread(thread),
            line: self.job.kernel.lines[at],
            instruction: self.job.kernel.opcodes[at].clone(),
            source: self.job.module.source(self.job.kernel.locs[at]),
            message: message(self),
            count: 1,
        };
        self.reported.insert((fault, place), self.reports.len());
        self.reports.push((place, report));
    }

    pub fn show_thread(&self, thread: u32) -> String {
        let [x, y, z] = self.thread(thread);
        format!("thread ({x}, {y}, {z})")
    }

    /// Where to note what a warp executes.
    #[inline]
    pub fn trace_of(&mut self, warp: u32) -> Option<&mut WarpTrace> {
        self.trace.as_mut()?.warps.get_mut(warp as usize)
    }

    /// Instructions after which this block is given up.
    pub fn limit(&self) -> u64 {
        let limit = self.job.options.limit;
        if self.trace.is_some() { limit.min(Options::TRACED) } else { limit }
    }

    /// The checks of this launch.
    pub fn checks(&self) -> Checks {
        self.job.options.checks
    }
}
