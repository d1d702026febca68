//! A warp: 32 threads, each with its own place in the code.
//!
//! **Independent thread scheduling.** A warp runs the *group* of ready threads that are furthest behind (the lowest place), so that branches
//! join again soon, until the group meets another, splits, waits or has used up its turn. A group that spins while others of its warp are
//! ready lets one of them go first after a while.
//!
//! **`.sync`.** A thread that comes to such an instruction waits until every thread that its mask names has come to one of the same kind
//! with the same mask; then all execute it.

use super::access::{Port, local_stride};
use super::alu;
use super::context::Context;
use super::exchange::Meeting;
use super::memory::Allocation;
use super::program::{Inst, Kernel, NONE, Op, WarpSync};
use super::registers::{Registers, lanes, lanes_where};
use super::report::Fault;
use super::shared::WarpClock;
use super::trace::WarpTrace;

/// Instructions after which a spinning group lets others of its warp go first.
const PATIENCE: u64 = 20_000;

/// The barrier of a block at which a thread waits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Barrier {
    pub id: u32,
    /// How many threads it is for; 0 for all.
    pub threads: u32,
}

pub(super) struct Warp {
    pub index: u32,
    pub registers: Registers,
    pub pc: [u32; 32],
    pub exists: u32,
    pub ready: u32,
    pub exited: u32,
    /// Waiting in a `.sync` of the warp, for whom.
    pub waiting: u32,
    pub wanted: [u32; 32],
    /// Waiting at a barrier of the block, and at which.
    pub at_barrier: u32,
    pub barrier: [Barrier; 32],
    local: Allocation,
    clock: WarpClock,
    /// Instructions of the group furthest behind while others were ready.
    streak: u64,
}

/// Threads at the same place, which go on together until a place where others are.
struct Group {
    lanes: u32,
    pc: u32,
    limit: u32,
}

/// One instruction of a group.
#[derive(Clone, Copy)]
struct Step<'k> {
    inst: &'k Inst,
    pc: u32,
    group: u32,
    /// The lanes of the group whose guard is true.
    mask: u32,
}

impl Warp {
    /// A warp with this many threads.
    pub fn new(index: u32, threads: u32, kernel: &Kernel) -> Self {
        Warp {
            index,
            registers: Registers::new(kernel),
            pc: [0; 32],
            exists: u32::MAX >> (32 - threads),
            ready: 0,
            exited: 0,
            waiting: 0,
            wanted: [0; 32],
            at_barrier: 0,
            barrier: [Barrier::default(); 32],
            local: Allocation::new(local_stride(kernel) as usize * 32, None),
            clock: WarpClock::new(),
            streak: 0,
        }
    }

    /// Makes it what the next block finds.
    pub fn reset(&mut self, kernel: &Kernel) {
        self.pc = [0; 32];
        self.ready = self.exists;
        (self.exited, self.waiting, self.at_barrier, self.streak) = (0, 0, 0, 0);
        self.local.clear();
        self.clock.reset();
        self.registers.clear(kernel);
    }

    /// The lanes that wait at a barrier.
    pub fn lanes_at(&self, barrier: Barrier) -> u32 {
        lanes_where(self.at_barrier, |lane| self.barrier[lane] == barrier)
    }

    /// Lets lanes go on behind the barrier at which they wait.
    pub fn pass_barrier(&mut self, mask: u32) {
        for lane in lanes(mask) {
            self.pc[lane] += 1;
        }
        self.at_barrier &= !mask;
        self.ready |= mask;
        self.streak = 0;
    }

    /// The kind of sync at which a waiting lane stands.
    fn sync_of(&self, kernel: &Kernel, lane: usize) -> Option<WarpSync> {
        match kernel.code[self.pc[lane] as usize].op {
            Op::Sync(sync) if self.waiting >> lane & 1 == 1 => Some(sync),
            _ => None,
        }
    }

    /// Whether two lanes wait for each other.
    pub fn meets(&self, kernel: &Kernel, lane: usize, other: usize) -> bool {
        self.wanted[lane] == self.wanted[other]
            && self.sync_of(kernel, other).is_some()
            && self.sync_of(kernel, lane) == self.sync_of(kernel, other)
    }

    /// Runs for a number of instructions, or until no thread is ready.
    pub fn run(&mut self, context: &mut Context<'_>, turn: u64) {
        let mut left = turn;
        while left > 0 && self.ready != 0 && !context.stop {
            let group = self.next_group(context);
            let (before, members) = (left, group.lanes);
            left = self.run_group(context, group, left);
            context.steps += before - left;
            if members != self.ready {
                self.streak += before - left;
            }
        }
    }

    /// The ready threads that run next.
    fn next_group(&mut self, context: &mut Context<'_>) -> Group {
        // The group furthest behind, and where it meets the next one.
        let lead = self.ready.trailing_zeros() as usize;
        let mut group = Group { lanes: 0, pc: self.pc[lead], limit: u32::MAX };
        for lane in lanes(self.ready) {
            let at = self.pc[lane];
            if at < group.pc {
                group = Group { lanes: 0, pc: at, limit: group.pc };
            }
            if at == group.pc {
                group.lanes |= 1 << lane;
            } else {
                group.limit = group.limit.min(at);
            }
        }
        if group.lanes == self.ready {
            self.streak = 0;
        } else if self.streak > PATIENCE {
            // Perhaps it waits for one of the others.
            self.streak = 0;
            let others = self.ready & !group.lanes;
            let lane = (context.random() % u64::from(others.count_ones())) as usize;
            let pc = lanes(others).nth(lane).map_or(group.pc, |lane| self.pc[lane]);
            group = Group { lanes: lanes_where(others, |lane| self.pc[lane] == pc), pc, limit: u32::MAX };
        }
        group
    }

    /// Runs a group until it ends; how many instructions are left of the turn.
    fn run_group(&mut self, context: &mut Context<'_>, group: Group, mut left: u64) -> u64 {
        let kernel = context.job.kernel;
        let Group { lanes: group, mut pc, limit } = group;
        let traced = context.trace.is_some();
        if traced {
            self.note(context, |trace| trace.enter(pc));
        }
        // Each round is one instruction of the group; the place is kept in `pc` and written back when the group ends.
        loop {
            let inst = &kernel.code[pc as usize];
            let mask = if inst.guard == NONE { group } else { group & self.registers.predicate(inst.guard) };
            let step = Step { inst, pc, group, mask };
            left -= 1;
            if traced && inst.op.is_access() {
                self.note(context, WarpTrace::access);
            }
            let executed = &mut context.executed[pc as usize];
            executed.1 += 1;
            executed.0 += u64::from(mask.count_ones());
            // Where the whole group goes; if it does not go as one, each lane's place is written already.
            let next = match inst.op {
                Op::Branch => {
                    executed.0 += u64::from((group & !mask).count_ones());
                    self.branch(step)
                }
                _ if mask == 0 => Some(pc + 1),
                Op::Load(access) => {
                    self.port(step).load(context, access);
                    Some(pc + 1)
                }
                Op::Store(access) => {
                    self.port(step).store(context, access);
                    Some(pc + 1)
                }
                Op::Atomic(access, fold, ty) => {
                    self.port(step).atomic(context, access, fold, ty);
                    Some(pc + 1)
                }
                Op::Sync(_) => self.sync(context, step).then_some(pc + 1),
                Op::Barrier { .. } => {
                    self.wait_at_barrier(step);
                    left = 0;
                    None
                }
                Op::BranchTable => {
                    self.branch_table(kernel, step);
                    None
                }
                Op::Exit => {
                    self.exit(context, step);
                    None
                }
                Op::Trap => {
                    let thread = self.index * 32 + mask.trailing_zeros();
                    context.report(Fault::Trap, thread, pc, |_| "the kernel gave up here".into());
                    context.stop = true;
                    None
                }
                _ => {
                    alu::execute(&mut self.registers, &kernel.lists, inst, mask);
                    Some(pc + 1)
                }
            };
            if traced && next != Some(pc + 1) {
                self.note(context, |trace| {
                    trace.leave(pc + 1);
                    next.into_iter().for_each(|next| trace.enter(next));
                });
            }
            let Some(next) = next else { return left };
            pc = next;
            if left == 0 || pc >= limit {
                if traced {
                    self.note(context, |trace| trace.leave(pc));
                }
                for lane in lanes(group) {
                    self.pc[lane] = pc;
                }
                return left;
            }
        }
    }

    #[cold]
    fn note(&self, context: &mut Context<'_>, what: impl FnOnce(&mut WarpTrace)) {
        if let Some(trace) = context.trace_of(self.index) {
            what(trace);
        }
    }

    /// The way to memory, for one instruction.
    fn port<'w>(&'w mut self, step: Step<'w>) -> Port<'w> {
        let Step { inst, pc, mask, .. } = step;
        let Warp { registers, local, clock, index: warp, .. } = self;
        Port { registers, local, clock, warp: *warp, inst, pc, mask }
    }

    /// Where a group goes; nowhere if it splits.
    #[inline]
    fn branch(&mut self, step: Step<'_>) -> Option<u32> {
        let Step { inst, pc, group, mask } = step;
        if mask == group {
            return Some(inst.d);
        }
        if mask == 0 {
            return Some(pc + 1);
        }
        for lane in lanes(group) {
            self.pc[lane] = if mask >> lane & 1 == 1 { inst.d } else { pc + 1 };
        }
        None
    }

    fn branch_table(&mut self, kernel: &Kernel, step: Step<'_>) {
        let Step { inst, pc, group, mask } = step;
        let table = &kernel.lists[inst.d as usize..][..inst.d2 as usize];
        for lane in lanes(group) {
            let index = self.registers.w[inst.a as usize][lane] as usize;
            let target = table.get(index).copied().unwrap_or(pc + 1);
            self.pc[lane] = if mask >> lane & 1 == 1 { target } else { pc + 1 };
        }
    }

    /// Stays at an instruction with the lanes of its mask; the others of the group go on behind it.
    fn stay(&mut self, step: Step<'_>) {
        for lane in lanes(step.group) {
            self.pc[lane] = step.pc + u32::from(step.mask >> lane & 1 == 0);
        }
        self.ready &= !step.mask;
    }

    fn wait_at_barrier(&mut self, step: Step<'_>) {
        self.stay(step);
        let Inst { a, b, .. } = *step.inst;
        for lane in lanes(step.mask) {
            let threads = if b == NONE { 0 } else { self.registers.w[b as usize][lane] };
            self.barrier[lane] = Barrier { id: self.registers.w[a as usize][lane], threads };
        }
        self.at_barrier |= step.mask;
    }

    fn exit(&mut self, context: &mut Context<'_>, step: Step<'_>) {
        self.stay(step);
        self.exited |= step.mask;
        if self.waiting != 0 && !context.checks().divergence {
            self.release(context);
        }
    }

    /// A `.sync` instruction. True if the group executed it together and goes on as it is.
    fn sync(&mut self, context: &mut Context<'_>, step: Step<'_>) -> bool {
        let Step { inst, pc, group, mask } = step;
        for lane in lanes(group) {
            self.pc[lane] = pc;
        }
        let masks = self.registers.w[inst.e as usize];
        // The mask of a warp that is not full names lanes that are not there.
        for lane in lanes(mask) {
            self.wanted[lane] = masks[lane] & self.exists;
            if self.wanted[lane] >> lane & 1 == 0 {
                if context.checks().divergence {
                    context.report(Fault::DivergentSync, self.index * 32 + lane as u32, pc, |_| {
                        format!("the mask {:#010x} does not name the thread itself", masks[lane])
                    });
                }
                self.wanted[lane] |= 1 << lane;
            }
        }
        if mask == group && lanes(mask).all(|lane| self.wanted[lane] == mask) {
            self.exchange(context, mask);
            return true;
        }
        self.stay(step);
        self.waiting |= mask;
        self.release(context);
        false
    }

    /// Executes every sync for which all have come.
    fn release(&mut self, context: &mut Context<'_>) {
        let mut candidates = self.waiting;
        while candidates != 0 {
            let lane = candidates.trailing_zeros() as usize;
            let met = lanes_where(self.waiting, |other| self.meets(context.job.kernel, lane, other));
            candidates &= !met & !(1 << lane);
            let gone = if context.checks().divergence { 0 } else { self.exited };
            let wanted = self.wanted[lane] & !gone;
            if met & wanted == wanted {
                self.exchange(context, met);
                for lane in lanes(met) {
                    self.pc[lane] += 1;
                }
                self.waiting &= !met;
                self.ready |= met;
                self.streak = 0;
            }
        }
    }

    /// Lanes that have met execute their sync instruction, of one kind but each its own.
    fn exchange(&mut self, context: &mut Context<'_>, mask: u32) {
        let kernel = context.job.kernel;
        let lead = mask.trailing_zeros() as usize;
        let Op::Sync(sync) = kernel.code[self.pc[lead] as usize].op else { return };
        let Warp { registers, pc, index: warp, .. } = self;
        let mut meeting = Meeting::new(kernel, registers, pc, mask);
        match sync {
            WarpSync::Barrier => {
                self.clock.sync(mask, self.exists);
                context.counters.warp_syncs += 1;
            }
            WarpSync::Shuffle(mode) => meeting.shuffle(context, mode, *warp),
            WarpSync::Vote(vote) => meeting.vote(vote),
            WarpSync::MatchAny { wide } => meeting.find_equal(wide, true),
            WarpSync::MatchAll { wide } => meeting.find_equal(wide, false),
            WarpSync::Reduce(fold, ty) => meeting.reduce(fold, ty),
        }
    }
}
