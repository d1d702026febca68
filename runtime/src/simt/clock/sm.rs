//! An SM: four schedulers, each with its warps and its pipes.
//!
//! Of the warps of a scheduler the one that issued last goes on as long as it can, then the oldest (`Policy::Oldest`). A warp can go on
//! when the registers of its next operation are there and the pipe is free. All that is known when an operation is issued, so a
//! scheduler looks only at cycles in which it can issue: time goes from one to the next.

use super::code::{Code, Way};
use super::memory::Memory;
use super::op::{Kind, MachineOp};
use super::rates::{PIPES, Pipe};
use super::reason::{REASONS, Reason};
use super::timeline::Timeline;
use crate::simt::program::{Kernel, Op};
use crate::simt::trace::{BlockTrace, Goal, Request, Segment, WarpTrace};
use std::collections::VecDeque;
use std::rc::Rc;

/// Never.
pub(super) const NEVER: u64 = u64::MAX >> 1;

/// What all SMs have in common.
pub(super) struct Shape<'k> {
    pub kernel: &'k Kernel,
    pub code: Code,
    pub schedulers: usize,
    /// Warps take turns, instead of one going on.
    pub in_turn: bool,
    /// Quarters of a cycle from one issue of a scheduler to the next.
    pub slot_quarters: u64,
    /// Cycles of a pass over the banks of shared memory, of 32 lanes of a shuffle, and of a line of L1.
    pub pass_time: f64,
    pub shuffle_time: f64,
    pub l1_width: u64,
    pub shared_latency: u64,
    pub l1_latency: u64,
    pub barrier_latency: u64,
    pub misses: u64,
    /// Cycles until a line of instructions comes, and how many lines are kept.
    pub fetch_latency: u64,
    pub instruction_lines: usize,
}

/// What was counted, of one instruction of PTX.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Machine instructions that were issued.
    pub issued: u64,
    /// Cycles that warps waited at it.
    pub waited: [u64; REASONS],
}

/// What was counted, of an SM.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub tallies: Vec<Tally>,
    /// Empty slots by reason.
    pub empty: [u64; REASONS],
    pub issued: u64,
    /// Cycles that the pipes of `f32` were busy.
    pub fma_busy: u64,
    /// Cycles of all warps, from the start of each to its end.
    pub warp_cycles: u64,
}

struct Warp {
    block: usize,
    trace: Rc<BlockTrace>,
    index: usize,
    /// The segments that the stretch has operations of.
    first_segment: usize,
    segment: usize,
    /// The next operation, and where the stretch ends; in which order.
    next: u32,
    end: u32,
    way: Way,
    /// The PTX instruction that follows the stretch.
    pc: u32,
    /// When it can issue, as far as operands go, and what it waits for.
    ready: u64,
    reason: Reason,
    started: u64,
    /// When it issued last.
    last: u64,
    /// When each register is there, times two, plus one if it comes from memory.
    registers: Vec<u64>,
}

impl Warp {
    fn trace(&self) -> &WarpTrace {
        &self.trace.warps[self.index]
    }
}

#[derive(Default)]
struct Scheduler {
    /// Its warps, oldest first; when each can issue as far as operands go, and the pipe that it needs.
    warps: Vec<usize>,
    ready: Vec<u64>,
    pipes: Vec<Pipe>,
    /// The place of the warp that issued last.
    last: usize,
    /// The last cycle that is accounted for, plus one.
    counted: u64,
    free: [u64; PIPES],
    /// When it can issue again, in quarters of a cycle, and when it will.
    slot: u64,
    next: u64,
}

struct Block {
    number: u64,
    started: u64,
    running: usize,
    /// The warps at its barrier, with their schedulers.
    waiting: Vec<(usize, usize)>,
}

/// One SM.
pub(super) struct Sm {
    index: usize,
    schedulers: Vec<Scheduler>,
    warps: Vec<Option<Box<Warp>>>,
    blocks: Vec<Option<Block>>,
    /// When the way to L1 and shared memory is free.
    port: f64,
    /// Sectors on their way, with when they come.
    inflight: VecDeque<(u64, u64)>,
    inflight_sectors: u64,
    /// Register files that no warp has.
    spare: Vec<Vec<u64>>,
    /// Stretches of code that are near by where they begin, the latest last, with their lines.
    near: VecDeque<(u32, usize)>,
    is_near: Vec<bool>,
    near_lines: usize,
    dealt: usize,
    pub counts: Counts,
    /// Of the first SM, which has no fewer blocks than another.
    pub timeline: Option<Timeline>,
    /// Blocks that ended, with when.
    pub ended: Vec<(u64, u64)>,
}

impl Sm {
    /// An empty one.
    pub fn new(index: usize, shape: &Shape<'_>) -> Self {
        Sm {
            index,
            schedulers: (0..shape.schedulers).map(|_| Scheduler { next: NEVER, ..Scheduler::default() }).collect(),
            warps: Vec::new(),
            blocks: Vec::new(),
            port: 0.0,
            inflight: VecDeque::new(),
            inflight_sectors: 0,
            spare: Vec::new(),
            near: VecDeque::new(),
            is_near: vec![false; shape.kernel.code.len()],
            near_lines: 0,
            dealt: 0,
            counts: Counts { tallies: vec![Tally::default(); shape.kernel.code.len()], ..Counts::default() },
            timeline: (index == 0).then(Timeline::new),
            ended: Vec::new(),
        }
    }

    /// Takes a block that can issue from `now` on.
    pub fn start(&mut self, shape: &Shape<'_>, number: u64, trace: BlockTrace, now: u64) {
        let trace = Rc::new(trace);
        let block = Block { number, started: now, running: trace.warps.len(), waiting: Vec::new() };
        let slot = insert(&mut self.blocks, block);
        for index in 0..trace.warps.len() {
            let mut registers = self.spare.pop().unwrap_or_default();
            registers.clear();
            registers.resize(shape.code.register_count as usize, 0);
            let warp = Warp {
                block: slot,
                trace: trace.clone(),
                index,
                first_segment: 0,
                segment: 0,
                next: 0,
                end: 0,
                way: Way::Text,
                pc: 0,
                ready: now,
                reason: Reason::Sync,
                started: now,
                last: now,
                registers,
            };
            let place = insert(&mut self.warps, Box::new(warp));
            let scheduler = self.dealt % self.schedulers.len();
            self.dealt += 1;
            let its = &mut self.schedulers[scheduler];
            its.warps.push(place);
            its.ready.push(now);
            its.pipes.push(Pipe::Control);
            self.advance(shape, scheduler, place, now);
            self.update(scheduler, now);
        }
    }

    /// The next cycle in which something can issue.
    pub fn next(&self) -> u64 {
        self.schedulers.iter().map(|scheduler| scheduler.next).min().unwrap_or(NEVER)
    }

    /// Runs until a cycle.
    pub fn run(&mut self, shape: &Shape<'_>, memory: &mut Memory, until: u64) {
        loop {
            let earliest = (0..self.schedulers.len()).min_by_key(|scheduler| self.schedulers[*scheduler].next);
            let Some(scheduler) = earliest.filter(|scheduler| self.schedulers[*scheduler].next < until) else { return };
            let now = self.schedulers[scheduler].next;
            self.issue(shape, memory, scheduler, now);
            // A block that ended makes room: the next one must not come late.
            if !self.ended.is_empty() {
                return;
            }
        }
    }

    /// Finds the next cycle of a scheduler.
    fn update(&mut self, scheduler: usize, now: u64) {
        let its = &mut self.schedulers[scheduler];
        let when = |(ready, pipe): (&u64, &Pipe)| (*ready).max(its.free[*pipe as usize]);
        its.next = its
            .ready
            .iter()
            .zip(&its.pipes)
            .map(when)
            .min()
            .map_or(NEVER, |next| next.max(now).max(its.slot.div_ceil(4)));
    }

    /// The place of the warp that issues in a cycle.
    fn choose(&self, shape: &Shape<'_>, scheduler: usize, now: u64) -> Option<usize> {
        let its = &self.schedulers[scheduler];
        let can = |place: &usize| its.ready[*place].max(its.free[its.pipes[*place] as usize]) <= now;
        let count = its.warps.len();
        if shape.in_turn {
            return (1..=count).map(|step| its.last.wrapping_add(step) % count).find(can);
        }
        (its.last < count && can(&its.last)).then_some(its.last).or_else(|| (0..count).find(can))
    }

    fn issue(&mut self, shape: &Shape<'_>, memory: &mut Memory, scheduler: usize, now: u64) {
        let Some(turn) = self.choose(shape, scheduler, now) else {
            self.update(scheduler, now + 1);
            return;
        };
        let place = self.schedulers[scheduler].warps[turn];
        let Some(mut warp) = self.warps[place].take() else { return };
        let op = shape.code.ops[warp.way as usize][warp.next as usize];
        self.account(scheduler, &mut warp, &op, now);
        let its = &mut self.schedulers[scheduler];
        its.last = turn;
        // What is left of a cycle counts for the next.
        its.slot = its.slot.max((4 * now).saturating_sub(3)) + shape.slot_quarters;
        its.free[op.rate.pipe as usize] = now + u64::from(op.rate.interval);
        if op.rate.pipe == Pipe::Fma {
            self.counts.fma_busy += u64::from(op.rate.interval);
        }
        let (mut result, mut from_memory) = (now + u64::from(op.rate.latency), 0);
        let mut after = now + 1;
        match op.kind {
            Kind::Access => {
                let arrival = self.access(shape, memory, &warp, &op, now);
                result = result.max(arrival);
                from_memory = 1;
            }
            Kind::Branch => after = result,
            Kind::Plain if op.rate.pipe == Pipe::Memory => {
                let start = self.port.max(now as f64);
                self.port = start + shape.shuffle_time;
                result += start as u64 - now;
                self.hold_memory(now);
            }
            _ => {}
        }
        let first = op.registers as usize + usize::from(op.reads);
        for register in &shape.code.registers[first..first + usize::from(op.writes)] {
            warp.registers[*register as usize] = result << 1 | from_memory;
        }
        warp.next += 1;
        warp.last = now;
        warp.ready = after;
        let at_barrier = op.kind == Kind::Barrier;
        let block = warp.block;
        self.warps[place] = Some(warp);
        if at_barrier {
            self.wait(shape, scheduler, place, block, now);
        } else {
            self.advance(shape, scheduler, place, after);
        }
        self.update(scheduler, now + 1);
    }

    /// Notes an issue, and what was waited for before.
    fn account(&mut self, scheduler: usize, warp: &mut Warp, op: &MachineOp, now: u64) {
        let its = &mut self.schedulers[scheduler];
        let gap = now.saturating_sub(its.counted);
        let reason = if warp.ready < now { Reason::Pipe } else { warp.reason };
        // Of an empty stretch, what was before the warp began belongs to nobody.
        let nobody = warp.started.saturating_sub(its.counted).min(gap);
        self.counts.empty[Reason::NoWarp as usize] += nobody;
        self.counts.empty[reason as usize] += gap - nobody;
        if let Some(timeline) = &mut self.timeline {
            timeline.empty(its.counted, its.counted + nobody, Reason::NoWarp);
            timeline.empty(its.counted + nobody, now, reason);
            timeline.issued(now);
        }
        its.counted = now + 1;
        self.counts.issued += 1;
        let tally = &mut self.counts.tallies[op.pc as usize];
        tally.issued += 1;
        let since = warp.last + 1;
        let operands = warp.ready.saturating_sub(since);
        tally.waited[warp.reason as usize] += operands;
        tally.waited[Reason::Pipe as usize] += now.saturating_sub(warp.ready.max(since));
    }

    /// An access of memory: when its result is there.
    fn access(&mut self, shape: &Shape<'_>, memory: &mut Memory, warp: &Warp, op: &MachineOp, now: u64) -> u64 {
        let trace = warp.trace();
        let accesses = &shape.code.accesses;
        // What was branched around asks for nothing.
        let segments = &trace.segments[warp.first_segment..=warp.segment];
        let segment = segments.iter().find(|segment| (segment.start..segment.end).contains(&op.pc));
        let number =
            segment.map(|segment| segment.requests + accesses[op.pc as usize] - accesses[segment.start as usize]);
        let nothing = Request { goal: Goal::Nothing, passes: 0, first: 0, lines: 0 };
        let request = number.and_then(|number| trace.requests.get(number as usize)).copied().unwrap_or(nothing);
        let lines = &trace.lines[request.first as usize..][..usize::from(request.lines)];
        let start = self.port.max(now as f64);
        let at = start as u64;
        let passes = u64::from(request.passes);
        let result = match request.goal {
            Goal::Nothing => now + shape.shared_latency,
            Goal::Shared => {
                self.port = start + passes as f64 * shape.pass_time;
                self.port as u64 + shape.shared_latency
            }
            Goal::Local => {
                self.port = start + passes as f64;
                self.port as u64 + shape.l1_latency
            }
            Goal::Global => {
                let sectors: u32 = lines.iter().map(|line| (line & 15).count_ones()).sum();
                // Its banks are those of shared memory; of the tags of lines it looks at four a cycle, after a first for all.
                let cycles = (passes * 128 / shape.l1_width).max(lines.len() as u64 / 4 + 1);
                self.port = start + cycles as f64;
                match shape.kernel.code[op.pc as usize].op {
                    Op::Load(_) => {
                        let (done, missed) = memory.load(self.index, at, lines);
                        self.expect(done, missed);
                        done
                    }
                    Op::Store(_) => {
                        let done = memory.store(self.index, at, lines);
                        self.expect(done, u64::from(sectors));
                        now
                    }
                    _ => {
                        let done = memory.update(self.index, at, lines);
                        self.expect(done, u64::from(sectors));
                        done
                    }
                }
            }
        };
        self.hold_memory(now);
        self.hold_misses(shape, now);
        result
    }

    fn expect(&mut self, done: u64, sectors: u64) {
        if sectors > 0 {
            self.inflight.push_back((done, sectors));
            self.inflight_sectors += sectors;
        }
    }

    /// Where the way to memory is far behind, no access is issued.
    fn hold_memory(&mut self, now: u64) {
        /// Cycles of work that wait in front of it.
        const QUEUE: u64 = 16;
        let free = (self.port as u64).saturating_sub(QUEUE);
        if free > now {
            for scheduler in &mut self.schedulers {
                let its = &mut scheduler.free[Pipe::Memory as usize];
                *its = (*its).max(free);
            }
        }
    }

    /// Where too many sectors are on their way, no access is issued before some have come.
    fn hold_misses(&mut self, shape: &Shape<'_>, now: u64) {
        while let Some((_, sectors)) = self.inflight.front().filter(|(done, _)| *done <= now) {
            self.inflight_sectors -= sectors;
            self.inflight.pop_front();
        }
        let mut free = now;
        let mut rest = self.inflight_sectors;
        for (done, sectors) in &self.inflight {
            if rest <= shape.misses {
                break;
            }
            rest -= sectors;
            free = free.max(*done);
        }
        if free > now {
            for scheduler in &mut self.schedulers {
                let its = &mut scheduler.free[Pipe::Memory as usize];
                *its = (*its).max(free);
            }
        }
    }

    /// A warp waits at a barrier of its block.
    fn wait(&mut self, shape: &Shape<'_>, scheduler: usize, place: usize, block: usize, now: u64) {
        self.hold(scheduler, place, NEVER, Pipe::Control);
        if let Some(its) = &mut self.blocks[block] {
            its.waiting.push((scheduler, place));
        }
        self.release(shape, block, now);
    }

    /// Says when a warp can issue, and on which pipe.
    fn hold(&mut self, scheduler: usize, place: usize, ready: u64, pipe: Pipe) {
        let its = &mut self.schedulers[scheduler];
        if let Some(turn) = its.warps.iter().position(|other| *other == place) {
            (its.ready[turn], its.pipes[turn]) = (ready, pipe);
        }
    }

    /// Lets a block go on when all of its warps wait.
    fn release(&mut self, shape: &Shape<'_>, block: usize, now: u64) {
        let Some(its) = &mut self.blocks[block] else { return };
        if its.waiting.is_empty() || its.waiting.len() < its.running {
            return;
        }
        let waiting = std::mem::take(&mut its.waiting);
        for (scheduler, place) in waiting {
            if let Some(warp) = &mut self.warps[place] {
                warp.ready = now + shape.barrier_latency;
            }
            self.advance(shape, scheduler, place, now + shape.barrier_latency);
            if let Some(warp) = &mut self.warps[place]
                && warp.reason != Reason::Memory
            {
                warp.reason = Reason::Sync;
            }
            self.update(scheduler, now + 1);
        }
    }

    /// Goes to the next operation that takes a slot, and finds when it can issue.
    fn advance(&mut self, shape: &Shape<'_>, scheduler: usize, place: usize, from: u64) {
        let Some(mut warp) = self.warps[place].take() else { return };
        loop {
            if warp.next == warp.end && !self.enter(shape, &mut warp) {
                self.finish(shape, scheduler, place, *warp);
                return;
            }
            let op = &shape.code.ops[warp.way as usize][warp.next as usize];
            let registers = &shape.code.registers[op.registers as usize..];
            let (reads, rest) = registers.split_at(usize::from(op.reads));
            let ready = reads.iter().map(|register| warp.registers[*register as usize]).max().unwrap_or(0);
            if op.kind == Kind::Free {
                for register in &rest[..usize::from(op.writes)] {
                    warp.registers[*register as usize] = ready;
                }
                warp.next += 1;
                continue;
            }
            let from = warp.ready.max(from);
            warp.reason = match ready & 1 {
                1 if ready >> 1 > from => Reason::Memory,
                _ => Reason::Dependence,
            };
            warp.ready = from.max(ready >> 1);
            self.hold(scheduler, place, warp.ready, op.rate.pipe);
            self.warps[place] = Some(warp);
            return;
        }
    }

    /// Goes to the next stretch of a warp's way, if there is one.
    fn enter(&mut self, shape: &Shape<'_>, warp: &mut Warp) -> bool {
        let code = &shape.code;
        loop {
            let Some(segment) = warp.trace().segments.get(warp.segment).copied() else { return false };
            let Segment { start, end, .. } = segment;
            let pc = warp.pc.max(start);
            if warp.pc >= end && warp.pc != 0 || start == end {
                warp.segment += 1;
                warp.pc = 0;
                continue;
            }
            warp.first_segment = warp.segment;
            let (whole, merged) = (code.stretch_end[pc as usize], code.merged_end[pc as usize]);
            let through = if merged != 0 { follow(code, warp, pc, merged) } else { None };
            let stop = if let Some(last) = through {
                (warp.way, warp.segment) = (Way::Merged, last);
                merged
            } else if whole != 0 && whole <= end {
                warp.way = Way::Stretch;
                whole
            } else {
                // In the order of the text up to the next stretch.
                warp.way = Way::Text;
                (pc + 1..end).find(|next| code.stretch_end[*next as usize] != 0).unwrap_or(end)
            };
            (warp.next, warp.end) = (code.first[pc as usize], code.first[stop as usize]);
            warp.pc = stop;
            let lines = (warp.end - warp.next).div_ceil(8) as usize;
            if self.fetch(pc, lines, shape.instruction_lines) {
                warp.ready = warp.ready.max(warp.last) + shape.fetch_latency;
            }
            if warp.next != warp.end {
                return true;
            }
        }
    }

    /// Whether a stretch of code has to be brought near.
    fn fetch(&mut self, pc: u32, lines: usize, most: usize) -> bool {
        if std::mem::replace(&mut self.is_near[pc as usize], true) {
            return false;
        }
        self.near.push_back((pc, lines));
        self.near_lines += lines;
        while self.near_lines > most && self.near.len() > 1 {
            if let Some((pc, lines)) = self.near.pop_front() {
                self.is_near[pc as usize] = false;
                self.near_lines -= lines;
            }
        }
        true
    }

    /// A warp has done all.
    fn finish(&mut self, shape: &Shape<'_>, scheduler: usize, place: usize, warp: Warp) {
        let end = warp.last + 1;
        self.counts.warp_cycles += end.saturating_sub(warp.started);
        let its = &mut self.schedulers[scheduler];
        if let Some(turn) = its.warps.iter().position(|other| *other == place) {
            its.warps.remove(turn);
            its.ready.remove(turn);
            its.pipes.remove(turn);
            // The one behind it has moved up.
            its.last = its.last.checked_sub(usize::from(turn <= its.last)).unwrap_or(usize::MAX);
        }
        self.spare.push(warp.registers);
        let Some(block) = &mut self.blocks[warp.block] else { return };
        block.running -= 1;
        if block.running == 0 {
            let (number, started) = (block.number, block.started);
            if let Some(timeline) = &mut self.timeline {
                timeline.blocks.push((number, started, end));
            }
            self.blocks[warp.block] = None;
            self.ended.push((number, end));
        } else {
            self.release(shape, warp.block, warp.last);
        }
    }

    /// When all that was asked of memory is done.
    pub fn quiet(&self) -> u64 {
        self.inflight.iter().map(|(done, _)| *done).max().unwrap_or(0)
    }

    /// The slots that stay empty until the end.
    pub fn close(&mut self, end: u64) {
        for scheduler in &mut self.schedulers {
            self.counts.empty[Reason::NoWarp as usize] += end.saturating_sub(scheduler.counted);
            if let Some(timeline) = &mut self.timeline {
                timeline.empty(scheduler.counted, end, Reason::NoWarp);
            }
        }
    }
}

/// The segment in which a warp that takes or leaves the short branches of a merged stretch comes to its end; none if it goes elsewhere.
fn follow(code: &Code, warp: &Warp, pc: u32, end: u32) -> Option<usize> {
    let segments = &warp.trace().segments;
    let mut last = warp.segment;
    loop {
        let segment = segments[last];
        if segment.end >= end {
            return Some(last);
        }
        let branch = segment.end.checked_sub(1).filter(|branch| *branch >= pc)?;
        let goal = code.skips[branch as usize];
        if goal == 0 || segments.get(last + 1)?.start != goal {
            return None;
        }
        last += 1;
    }
}

/// Puts something where nothing is.
fn insert<T>(places: &mut Vec<Option<T>>, what: T) -> usize {
    match places.iter().position(Option::is_none) {
        Some(place) => {
            places[place] = Some(what);
            place
        }
        None => {
            places.push(Some(what));
            places.len() - 1
        }
    }
}
