//! All SMs, or a few that stand for all: blocks are dealt to them, and time goes on until the last has ended.
//!
//! **Sampling.** Where a grid has more work than the clock's budget, some of the SMs run, with their share of the bandwidth of L2 and
//! memory, and their share of the blocks: neighbours from the middle of the grid, so that what blocks find of each other in L2 stays as it
//! is. The cycles of the sample are those of the grid, times what rounding to whole blocks leaves out.

use super::code::code;
use super::memory::{Memory, Sectors};
use super::rates::Rates;
use super::reason::Reason;
use super::report::{Estimate, Line, Roof, Stalls};
use super::settings::{Clock, Order};
use super::sm::{Counts, NEVER, Shape, Sm, Tally};
use super::timeline::Timeline;
use crate::simt::error::Error;
use crate::simt::memory::GlobalMemory;
use crate::simt::module::Module;
use crate::simt::program::{Kernel, Op};
use crate::simt::trace::BlockTrace;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use weft_model::occupancy;

/// Bytes of a line.
const LINE: u64 = 128;

/// Cycles that an SM may be ahead of another.
const SLACK: u64 = 16;

/// Quarters of a cycle that a scheduler takes for an instruction in the simulator that [`Order::Text`] is for: it has two units that
/// collect operands, each some three or four cycles at an instruction.
const COLLECTORS: u64 = 7;

/// A launch, as the clock sees it.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u64,
    /// Bytes of shared memory of a block.
    pub shared: u64,
}

/// A clock that is set for a launch.
pub struct Prepared<'k> {
    clock: &'k Clock,
    shape: Shape<'k>,
    grid: Grid,
    registers: u64,
    blocks_per_sm: u64,
    limit: String,
    l1: u64,
}

/// The SMs and the blocks that run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub sms: u64,
    pub first: u64,
    pub blocks: u64,
    /// Lines that blocks before it left in L2, and the part of them that were written.
    pub left: u64,
    pub written: f64,
}

/// Sets a clock for a launch.
pub fn prepare<'k>(clock: &'k Clock, kernel: &'k Kernel, grid: Grid) -> Result<Prepared<'k>, Error> {
    let target = &clock.target;
    let timing = &target.timing;
    // As many blocks must fit as the kernel says, whole warps in each partition; a warp's registers come in units.
    let threads = grid.threads.next_multiple_of(32 * target.warp_granularity);
    let blocks = kernel.min_blocks.map_or(1, u64::from).max(1);
    let unit = target.register_unit / 32;
    let most = (target.registers_per_sm / (threads * blocks) / unit * unit).min(target.registers_per_thread);
    let most = kernel.max_registers.map_or(most, |said| most.min(u64::from(said))).max(16);
    let code = code(kernel, &Rates::new(target), clock.order, most);
    let registers = clock.registers.unwrap_or(code.needed);
    let held = occupancy(target, grid.threads, registers, grid.shared)
        .map_err(|error| Error::launch(format!("kernel {}: {error}", kernel.name)))?;
    // L1 has what shared memory leaves, in the sizes that the driver knows.
    let shared = held.blocks_per_sm * (grid.shared + target.shared_reserved);
    let l1 = match timing.l1_is_shared {
        true => timing.l1 - carve_out(shared).min(target.shared_per_sm),
        false => timing.l1,
    };
    let text = clock.order == Order::Text;
    let shape = Shape {
        kernel,
        code,
        schedulers: target.warp_granularity as usize,
        in_turn: text,
        slot_quarters: if text { COLLECTORS } else { 4 },
        pass_time: 32.0 / target.throughput.shared,
        shuffle_time: if text { 0.0 } else { 32.0 / target.throughput.shuffle },
        l1_width: timing.l1_width,
        shared_latency: timing.shared_latency,
        l1_latency: timing.l1_latency,
        barrier_latency: timing.barrier_latency,
        misses: timing.misses,
        fetch_latency: if text { 0 } else { timing.fetch_latency },
        instruction_lines: (timing.instruction_cache / 128) as usize,
    };
    let (blocks_per_sm, limit) = (held.blocks_per_sm, format!("{:?}", held.limit).to_lowercase());
    Ok(Prepared { clock, shape, grid, registers, blocks_per_sm, limit, l1: l1.max(16 << 10) })
}

/// The sizes of shared memory that drivers give an SM.
fn carve_out(bytes: u64) -> u64 {
    const KIB: [u64; 10] = [0, 8, 16, 32, 64, 96, 100, 132, 164, 228];
    KIB.iter().map(|size| size * 1024).find(|size| *size >= bytes).unwrap_or(bytes)
}

impl Prepared<'_> {
    /// What runs, if the blocks are like one.
    pub fn sample(&self, probe: &BlockTrace, memory: &GlobalMemory) -> Sample {
        let (sms, blocks) = (self.clock.target.sms, self.grid.blocks);
        let work = self.work_of(probe).max(1) * blocks;
        let all = Sample { sms, first: 0, blocks, left: 0, written: 0.0 };
        // Blocks of a few waves begin and end together, and those at the edges of an image count: all run, unless that takes long.
        let waves = if work > 4 * self.clock.budget { 2 * sms } else { 3 * sms * self.blocks_per_sm };
        if work <= self.clock.budget || blocks <= waves {
            return all;
        }
        let few = (sms * self.clock.budget / work).max(1);
        let count = (blocks * few).div_ceil(sms);
        // No more waves than the budget allows, but some.
        let waves = (few * self.blocks_per_sm * 4).max(count * self.clock.budget / work.max(1) * sms / few);
        let count = count.min(waves).min(blocks);
        let first = (blocks - count) / 2;
        let (lines, written) = self.lines_of(probe, memory);
        let left = lines * first / blocks;
        Sample { sms: few, first, blocks: count, left, written: written as f64 / lines.max(1) as f64 }
    }

    /// Lines of memory that all blocks touch, if they are like one, and those that they write: of an allocation as many as it has, at
    /// most, since neighbours touch some of the same.
    fn lines_of(&self, trace: &BlockTrace, memory: &GlobalMemory) -> (u64, u64) {
        let (mut touched, mut written) = (HashSet::new(), HashSet::new());
        for warp in &trace.warps {
            for segment in &warp.segments {
                for pc in segment.start..segment.end {
                    let accesses = &self.shape.code.accesses;
                    if accesses[pc as usize + 1] == accesses[pc as usize] {
                        continue;
                    }
                    let number = segment.requests + accesses[pc as usize] - accesses[segment.start as usize];
                    let Some(request) = warp.requests.get(number as usize) else { continue };
                    let lines = &warp.lines[request.first as usize..][..usize::from(request.lines)];
                    touched.extend(lines.iter().map(|line| line >> 4));
                    if !matches!(self.shape.kernel.code[pc as usize].op, Op::Load(_)) {
                        written.extend(lines.iter().map(|line| line >> 4));
                    }
                }
            }
        }
        let of_grid = |lines: HashSet<u64>| {
            let mut of_allocations: HashMap<usize, (u64, u64)> = HashMap::new();
            for (number, allocation, _) in lines.iter().filter_map(|line| memory.find(line * LINE)) {
                of_allocations.entry(number).or_insert((0, allocation.size.div_ceil(LINE))).0 += 1;
            }
            of_allocations.values().map(|(of_block, all)| (of_block * self.grid.blocks).min(*all)).sum::<u64>()
        };
        (of_grid(touched), of_grid(written))
    }

    /// Machine instructions of a block's warps.
    fn work_of(&self, trace: &BlockTrace) -> u64 {
        let first = &self.shape.code.first;
        let segments = trace.warps.iter().flat_map(|warp| &warp.segments);
        segments.map(|segment| u64::from(first[segment.end as usize] - first[segment.start as usize])).sum()
    }

    /// Runs a sample. `trace` runs a block and says what it executed; how many operations on floats those were, who runs them counts.
    pub fn run(&self, module: &Module, sample: &Sample, mut trace: impl FnMut(u64) -> BlockTrace) -> Estimate {
        let target = &self.clock.target;
        let mut memory = Memory::new(target, sample.sms, self.l1);
        memory.age(sample.left, sample.written);
        let mut sms: Vec<Sm> = (0..sample.sms as usize).map(|index| Sm::new(index, &self.shape)).collect();
        let mut pending: VecDeque<u64> = (sample.first..sample.first + sample.blocks).collect();
        let (start, interval) = match self.clock.order {
            Order::Text => (0, 0.0),
            _ => (target.timing.block_start, target.timing.block_interval),
        };
        // Of a sample each SM starts blocks as often as if all were there.
        let interval = interval * target.sms as f64 / sample.sms as f64;
        let mut free = 0f64;
        let mut begin = |when: u64| {
            let at = free.max(when as f64);
            free = at + interval;
            at as u64 + start
        };
        // One to each, then again, as long as they have room.
        'deal: for round in 0..self.blocks_per_sm {
            for sm in &mut sms {
                let Some(block) = pending.pop_front() else { break 'deal };
                sm.start(&self.shape, block, trace(block), begin(round));
            }
        }
        let mut queue: BinaryHeap<Reverse<(u64, usize)>> =
            sms.iter().enumerate().map(|(index, sm)| Reverse((sm.next(), index))).collect();
        let mut end = 0;
        while let Some(Reverse((now, index))) = queue.pop() {
            if now >= NEVER {
                continue;
            }
            let sm = &mut sms[index];
            sm.run(&self.shape, &mut memory, now + SLACK);
            for (_, when) in std::mem::take(&mut sm.ended) {
                end = end.max(when);
                if let Some(block) = pending.pop_front() {
                    sm.start(&self.shape, block, trace(block), begin(when));
                }
            }
            queue.push(Reverse((sm.next(), index)));
        }
        let end = sms.iter().map(Sm::quiet).max().unwrap_or(0).max(end);
        sms.iter_mut().for_each(|sm| sm.close(end));
        self.estimate(module, sample, end, &sms, memory.sectors)
    }

    fn estimate(&self, module: &Module, sample: &Sample, end: u64, sms: &[Sm], sectors: Sectors) -> Estimate {
        let target = &self.clock.target;
        let share = sample.blocks as f64 / self.grid.blocks as f64;
        // Of an SM's blocks those that ran.
        let of_sm = share * target.sms as f64 / sample.sms as f64;
        let cycles = end as f64 / of_sm;
        let total = |of: &dyn Fn(&Counts) -> u64| sms.iter().map(|sm| of(&sm.counts)).sum::<u64>() as f64;
        let sm_cycles = (end * sample.sms) as f64;
        let slots = sm_cycles * self.shape.schedulers as f64;
        let stalls = Stalls::new(|reason| total(&|counts| counts.empty[reason as usize]) / slots.max(1.0));
        let moved = 32.0 * (sectors.memory_reads + sectors.memory_writes) as f64 / share;
        let us = cycles / (target.clock * 1e3);
        Estimate {
            target: target.name.clone(),
            cycles: cycles.round() as u64,
            us,
            launch_us: target.timing.launched(us),
            registers: self.registers,
            registers_are_estimated: self.clock.registers.is_none(),
            blocks_per_sm: self.blocks_per_sm,
            limit: self.limit.clone(),
            warps: total(&|counts| counts.warp_cycles) / sm_cycles.max(1.0),
            code: self.shape.code.issued,
            issued: (total(&|counts| counts.issued) / share).round() as u64,
            slots: total(&|counts| counts.issued) / slots.max(1.0),
            fma: total(&|counts| counts.fma_busy) / slots.max(1.0),
            // Whoever runs the blocks counts them.
            flops: 0,
            memory_bytes: moved.round() as u64,
            memory: if us > 0.0 { moved / (us * target.bandwidth * 1e3) } else { 0.0 },
            roof: Roof::of(target),
            sectors,
            stalls,
            is_sampled: sample.blocks < self.grid.blocks,
            sampled_sms: sample.sms,
            sampled_blocks: sample.blocks,
            timeline: sms.iter().find_map(|sm| sm.timeline.clone()).unwrap_or_else(Timeline::new),
            lines: self.lines(module, sms, share),
        }
    }

    fn lines(&self, module: &Module, sms: &[Sm], share: f64) -> Vec<Line> {
        let kernel = self.shape.kernel;
        let texts: Vec<&str> = module.text.lines().collect();
        let line = |pc: usize| {
            let tallies = || sms.iter().map(move |sm| sm.counts.tallies[pc]);
            let scaled = |count: u64| count as f64 / share;
            let sum = |of: &dyn Fn(Tally) -> u64| scaled(tallies().map(of).sum());
            let issued = sum(&|tally| tally.issued);
            let waits = Stalls::new(|reason: Reason| sum(&|tally| tally.waited[reason as usize]));
            (issued > 0.0).then(|| Line {
                line: kernel.lines[pc],
                instruction: kernel.opcodes[pc].clone(),
                text: texts.get(kernel.lines[pc] as usize - 1).map_or_else(String::new, |text| text.trim().to_owned()),
                source: module.source(kernel.locs[pc]),
                stage: module.stages.at(kernel.lines[pc]).map(str::to_owned),
                issued,
                waits,
            })
        };
        (0..kernel.code.len()).filter_map(line).collect()
    }
}
