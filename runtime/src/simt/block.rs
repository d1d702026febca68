//! One block at a time: threads in warps, scheduling, memory and synchronisation.
//!
//! **Independent thread scheduling.** Each thread has its own place in the code. A warp runs the *group* of ready threads that are
//! furthest behind (the lowest place), so that branches join again soon, until the group meets another, splits, waits or
//! has used up its turn. A group that spins while others of its warp are ready lets one of them go first after a while.
//!
//! **`.sync`.** A thread that comes to such an instruction waits until every thread that its mask names has come to one of the same kind
//! with the same mask; then all execute it. If no thread of a block can go on, the waiting ones are reported, with who is missing.
//!
//! Which warp goes next, and for how long, is drawn from the seed; a correct kernel gives the same results for all of them.

use std::collections::HashMap;

use super::Module;
use super::alu::{self, D, Registers};
use super::counters::{self, Counters};
use super::float;
use super::machine::Options;
use super::memory::{Allocation, GlobalMemory, LOCAL_WINDOW, SHARED_WINDOW};
use super::parser::Space;
use super::program::*;
use super::report::{Fault, Report};
use super::shared::{Actor, Conflict, Found, Shared, WarpClock};

/// Instructions after which a spinning group lets others of its warp go first.
const PATIENCE: u64 = 20_000;

/// The lanes of a mask, in order.
fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lane)
    })
}

struct Warp {
    index: u32,
    registers: Registers,
    pc: [u32; 32],
    exists: u32,
    ready: u32,
    exited: u32,
    /// Waiting in a `.sync` of the warp, for whom.
    waiting: u32,
    wanted: [u32; 32],
    /// Waiting at a barrier of the block: which, for how many threads.
    at_barrier: u32,
    barrier: [(u32, u32); 32],
    local: Allocation,
    clock: WarpClock,
    /// Instructions of the group furthest behind while others were ready.
    streak: u64,
}

/// A memory that an access goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Global(Option<usize>),
    Shared,
    Local,
}

/// Runs blocks, one after another.
pub(super) struct Runner<'a> {
    warps: Vec<Warp>,
    context: Context<'a>,
}

/// All that the warps of a block share.
struct Context<'a> {
    module: &'a Module,
    kernel: &'a Kernel,
    memory: &'a GlobalMemory,
    params: &'a [u8],
    options: &'a Options,
    grid: [u32; 3],
    shape: [u32; 3],
    block: [u32; 3],
    shared: Shared,
    /// Executions per instruction: by threads, and by groups.
    executed: Vec<(u64, u64)>,
    counters: Counters,
    reports: Vec<(u32, Report)>,
    reported: HashMap<(Fault, u32), usize>,
    steps: u64,
    random: u64,
    stop: bool,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Load,
    Store,
    Atomic,
}

impl Context<'_> {
    fn random(&mut self) -> u64 {
        // splitmix64
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.random;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn thread(&self, index: u32) -> [u32; 3] {
        let [x, y, _] = self.shape;
        [index % x, index / x % y, index / (x * y)]
    }

    #[cold]
    fn report(&mut self, fault: Fault, thread: u32, place: u32, message: impl FnOnce(&Self) -> String) {
        if let Some(index) = self.reported.get(&(fault, place)) {
            self.reports[*index].1.count += 1;
            return;
        }
        let at = place as usize;
        let report = Report {
            fault,
            block: self.block,
            thread: self.thread(thread),
            line: self.kernel.lines[at],
            instruction: self.kernel.opcodes[at].clone(),
            source: self.module.source(self.kernel.locs[at]),
            message: message(self),
            count: 1,
        };
        self.reported.insert((fault, place), self.reports.len());
        self.reports.push((place, report));
    }

    fn show_thread(&self, thread: u32) -> String {
        let [x, y, z] = self.thread(thread);
        format!("thread ({x}, {y}, {z})")
    }

    #[cold]
    fn conflict(&mut self, actor: (u32, u32, u32), does: Does, offset: u64, found: Found) {
        let (thread, place, bytes) = actor;
        if found.unwritten && self.options.checks.unwritten {
            self.report(Fault::Unwritten, thread, place, |_| {
                format!("reads {bytes} bytes of shared memory at {offset}, which nobody wrote")
            });
        }
        if let (Some(Conflict { thread: other, place: there, wrote }), true) =
            (found.conflict, self.options.checks.races)
        {
            self.report(Fault::Race, thread, place, |this| {
                let verb = if does == Does::Load { "reads" } else { "writes" };
                let who = match other {
                    NONE => "a thread of another warp".to_owned(),
                    other => this.show_thread(other),
                };
                let how = if wrote { "wrote" } else { "read" };
                let line = this.kernel.lines[there as usize];
                format!("{verb} shared memory at {offset}, which {who} {how} at line {line} with no sync between")
            });
        }
    }
}

impl<'a> Runner<'a> {
    pub fn new(
        module: &'a Module,
        kernel: &'a Kernel,
        memory: &'a GlobalMemory,
        params: &'a [u8],
        options: &'a Options,
        grid: [u32; 3],
        shape: [u32; 3],
    ) -> Self {
        let threads = shape[0] * shape[1] * shape[2];
        let mut shared_bytes = kernel.shared_bytes;
        if let Some(offset) = kernel.shared_dynamic {
            shared_bytes = offset + u64::from(options.dynamic_shared);
        }
        let tracked = options.checks.races || options.checks.unwritten;
        let context = Context {
            module,
            kernel,
            memory,
            params,
            options,
            grid,
            shape,
            block: [0; 3],
            shared: Shared::new(shared_bytes, kernel.shared_granule, tracked),
            executed: vec![(0, 0); kernel.code.len()],
            counters: Counters::default(),
            reports: Vec::new(),
            reported: HashMap::new(),
            steps: 0,
            random: 0,
            stop: false,
        };
        let warps = (0..threads.div_ceil(32))
            .map(|index| {
                let [w, d, p] = kernel.total.map(|count| count as usize);
                let mut registers = Registers { w: vec![[0; 32]; w], d: vec![[0; 32]; d], p: vec![0; p] };
                for (register, value) in &kernel.constants_w {
                    registers.w[*register as usize] = [*value; 32];
                }
                for (register, value) in &kernel.constants_d {
                    registers.d[*register as usize] = [*value; 32];
                }
                for (register, value) in &kernel.constants_p {
                    registers.p[*register as usize] = u32::from(*value).wrapping_neg();
                }
                let count = (threads - index * 32).min(32);
                Warp {
                    index,
                    registers,
                    pc: [0; 32],
                    exists: u32::MAX >> (32 - count),
                    ready: 0,
                    exited: 0,
                    waiting: 0,
                    wanted: [0; 32],
                    at_barrier: 0,
                    barrier: [(0, 0); 32],
                    local: Allocation::new(local_stride(kernel) as usize * 32, None),
                    clock: WarpClock::new(),
                    streak: 0,
                }
            })
            .collect();
        Runner { warps, context }
    }

    /// What all blocks cost.
    pub fn counters(&self) -> Counters {
        let mut counters = self.context.counters.clone();
        for (kind, (threads, groups)) in self.context.kernel.kinds.iter().zip(&self.context.executed) {
            counters.instructions(*kind, *threads, *groups);
        }
        counters
    }

    /// Runs a block to its end; what went wrong, with the instruction's index.
    pub fn run(&mut self, index: u64) -> Vec<(u32, Report)> {
        self.start(index);
        let mut runnable: Vec<usize> = Vec::new();
        while !self.context.stop {
            runnable.clear();
            runnable.extend((0..self.warps.len()).filter(|warp| self.warps[*warp].ready != 0));
            if runnable.is_empty() {
                if self.release_barriers() {
                    continue;
                }
                self.report_stuck();
                break;
            }
            let chosen = runnable[(self.context.random() % runnable.len() as u64) as usize];
            let turn = 1 + self.context.random() % u64::from(self.context.options.quantum.max(1));
            let warp = &mut self.warps[chosen];
            warp.run(&mut self.context, turn);
            if warp.at_barrier != 0 {
                self.release_barriers();
            }
            if self.context.steps > self.context.options.limit {
                let warp = &self.warps[chosen];
                let lane = (warp.exists & !warp.exited).trailing_zeros() % 32;
                let place = warp.pc[lane as usize];
                let limit = self.context.options.limit;
                self.context.report(Fault::Hang, warp.index * 32 + lane, place, |_| {
                    format!("the block still runs after {limit} instructions of its warps")
                });
                break;
            }
        }
        self.context.reported.clear();
        std::mem::take(&mut self.context.reports)
    }

    fn start(&mut self, index: u64) {
        let context = &mut self.context;
        let [x, y, _] = context.grid.map(u64::from);
        context.block = [(index % x) as u32, (index / x % y) as u32, (index / (x * y)) as u32];
        context.random = context.options.seed ^ index.wrapping_mul(0xd134_2543_de82_ef95);
        context.steps = 0;
        context.stop = false;
        context.shared.reset();
        let [across, down, _] = context.shape;
        let count = self.warps.len() as u32;
        let kernel = context.kernel;
        for warp in &mut self.warps {
            warp.pc = [0; 32];
            warp.ready = warp.exists;
            (warp.exited, warp.waiting, warp.at_barrier, warp.streak) = (0, 0, 0, 0);
            warp.local.clear();
            warp.clock.reset();
            let [w, d, p] = kernel.declared.map(|count| count as usize);
            warp.registers.w[..w].fill([0; 32]);
            warp.registers.d[..d].fill([0; 32]);
            warp.registers.p[..p].fill(0);
            for (register, special) in &kernel.specials {
                let value = |lane: u32| {
                    let thread = warp.index * 32 + lane;
                    let tid = [thread % across, thread / across % down, thread / (across * down)];
                    match special {
                        Special::Tid(axis) => tid[*axis],
                        Special::Ntid(axis) => context.shape[*axis],
                        Special::Ctaid(axis) => context.block[*axis],
                        Special::Nctaid(axis) => context.grid[*axis],
                        Special::LaneId => lane,
                        Special::WarpId => warp.index,
                        Special::NWarpId => count,
                        Special::LaneMask(order, equal) => (0..32)
                            .filter(|other: &u32| other.cmp(&lane) == *order || *equal && *other == lane)
                            .fold(0, |mask, other| mask | 1 << other),
                        Special::Zero => 0,
                        Special::SharedBytes => context.options.dynamic_shared,
                    }
                };
                let mut values = [0; 32];
                for (lane, slot) in values.iter_mut().enumerate() {
                    *slot = value(lane as u32);
                }
                warp.registers.w[*register as usize] = values;
            }
        }
    }

    /// Lets go every barrier at which all have arrived; whether one was.
    fn release_barriers(&mut self) -> bool {
        let mut released = false;
        let mut ids: Vec<(u32, u32)> = Vec::new();
        for warp in &self.warps {
            for lane in lanes(warp.at_barrier) {
                if !ids.contains(&warp.barrier[lane]) {
                    ids.push(warp.barrier[lane]);
                }
            }
        }
        for id in ids {
            let at = |warp: &Warp| {
                lanes(warp.at_barrier)
                    .filter(|lane| warp.barrier[*lane] == id)
                    .fold(0u32, |mask, lane| mask | 1 << lane)
            };
            let arrived: u32 = self.warps.iter().map(|warp| at(warp).count_ones()).sum();
            let all = |warp: &Warp| {
                let gone = if self.context.options.checks.divergence { 0 } else { warp.exited };
                (warp.exists & !gone).count_ones()
            };
            let expected = if id.1 == 0 { self.warps.iter().map(all).sum() } else { id.1 };
            if arrived < expected {
                continue;
            }
            self.reduce(id, &at);
            for warp in &mut self.warps {
                let mask = at(warp);
                if mask == 0 {
                    continue;
                }
                let lead = mask.trailing_zeros() as usize;
                let place = warp.pc[lead];
                let aligned = matches!(self.context.kernel.code[place as usize].op, Op::Barrier { aligned: true, .. });
                if let Some(lane) = lanes(mask).find(|lane| warp.pc[*lane] != place)
                    && aligned
                    && self.context.options.checks.divergence
                {
                    let there = self.context.kernel.lines[warp.pc[lane] as usize];
                    let (lane, lead) = (lane as u32, lead as u32);
                    self.context.report(Fault::DivergentSync, warp.index * 32 + lead, place, |this| {
                        let other = this.show_thread(warp.index * 32 + lane);
                        format!("{other} of the same warp is at the barrier of line {there}; an aligned barrier must be the same one")
                    });
                }
                for lane in lanes(mask) {
                    warp.pc[lane] += 1;
                }
                warp.at_barrier &= !mask;
                warp.ready |= mask;
                warp.streak = 0;
                self.context.counters.block_syncs += 1;
            }
            self.context.shared.barrier();
            released = true;
        }
        released
    }

    /// The result of `bar.red`.
    fn reduce(&mut self, id: (u32, u32), at: &impl Fn(&Warp) -> u32) {
        let inst = |warp: &Warp, lane: usize| self.context.kernel.code[warp.pc[lane] as usize];
        let votes = |warp: &Warp| {
            lanes(at(warp))
                .filter_map(|lane| match inst(warp, lane).op {
                    Op::Barrier { red: BarRed::None, .. } => None,
                    _ => Some(warp.registers.predicate(inst(warp, lane).c) >> lane & 1 == 1),
                })
                .collect::<Vec<bool>>()
        };
        let votes: Vec<bool> = self.warps.iter().flat_map(votes).collect();
        let count = votes.iter().filter(|vote| **vote).count();
        for warp in &mut self.warps {
            let mask = lanes(warp.at_barrier).filter(|lane| warp.barrier[*lane] == id);
            for lane in mask.collect::<Vec<_>>() {
                let inst = self.context.kernel.code[warp.pc[lane] as usize];
                let Op::Barrier { red, .. } = inst.op else { continue };
                let holds = match red {
                    BarRed::None => continue,
                    BarRed::Popc => {
                        warp.registers.w[inst.d as usize][lane] = count as u32;
                        continue;
                    }
                    BarRed::And => count == votes.len(),
                    BarRed::Or => count > 0,
                };
                warp.registers.put_p(inst.d, u32::from(holds).wrapping_neg(), 1 << lane);
            }
        }
    }

    /// Nobody can go on: who waits, and for whom.
    fn report_stuck(&mut self) {
        for index in 0..self.warps.len() {
            let warp = &self.warps[index];
            for lane in lanes(warp.waiting | warp.at_barrier) {
                let (place, thread) = (warp.pc[lane], warp.index * 32 + lane as u32);
                let missing = if warp.waiting >> lane & 1 == 1 {
                    lanes(warp.wanted[lane])
                        .filter(|other| !warp.meets(self.context.kernel, lane, *other))
                        .map(|other| (index, other))
                        .next()
                } else {
                    self.warps.iter().enumerate().find_map(|(other, its)| {
                        lanes(its.exists)
                            .find(|lane2| its.at_barrier >> lane2 & 1 == 0 || its.barrier[*lane2] != warp.barrier[lane])
                            .map(|lane2| (other, lane2))
                    })
                };
                let what = match missing {
                    Some((other, its_lane)) => {
                        let its = &self.warps[other];
                        let who = self.context.show_thread(its.index * 32 + its_lane as u32);
                        let line = self.context.kernel.lines[its.pc[its_lane] as usize];
                        if its.exited >> its_lane & 1 == 1 {
                            format!("waits for {who}, which has exited at line {line}")
                        } else if its.exists >> its_lane & 1 == 0 {
                            format!("waits for lane {its_lane}, which does not exist")
                        } else {
                            format!("waits for {who}, which waits at line {line}")
                        }
                    }
                    None => "waits for more threads than there are".to_owned(),
                };
                self.context.report(Fault::DivergentSync, thread, place, |_| what);
            }
        }
    }
}

impl Warp {
    /// The kind of sync at which a waiting lane stands.
    fn sync_of(&self, kernel: &Kernel, lane: usize) -> Option<WarpSync> {
        match kernel.code[self.pc[lane] as usize].op {
            Op::Sync(sync) if self.waiting >> lane & 1 == 1 => Some(sync),
            _ => None,
        }
    }

    /// Whether two lanes wait for each other.
    fn meets(&self, kernel: &Kernel, lane: usize, other: usize) -> bool {
        self.wanted[lane] == self.wanted[other]
            && self.sync_of(kernel, other).is_some()
            && self.sync_of(kernel, lane) == self.sync_of(kernel, other)
    }

    /// Runs for a number of instructions, or until no thread is ready.
    fn run(&mut self, context: &mut Context<'_>, turn: u64) {
        let kernel = context.kernel;
        let mut left = turn;
        while left > 0 && self.ready != 0 && !context.stop {
            // The group furthest behind, and where it meets the next one.
            let lead = self.ready.trailing_zeros() as usize;
            let (mut pc, mut limit) = (self.pc[lead], u32::MAX);
            let mut group = 0;
            for lane in lanes(self.ready) {
                let at = self.pc[lane];
                if at < pc {
                    limit = pc;
                    pc = at;
                    group = 0;
                }
                if at == pc {
                    group |= 1 << lane;
                } else {
                    limit = limit.min(at);
                }
            }
            if group == self.ready {
                self.streak = 0;
            } else if self.streak > PATIENCE {
                // Perhaps it waits for one of the others.
                self.streak = 0;
                let others = self.ready & !group;
                let lane = (context.random() % u64::from(others.count_ones())) as usize;
                pc = lanes(others).nth(lane).map_or(pc, |lane| self.pc[lane]);
                group = lanes(others).filter(|lane| self.pc[*lane] == pc).fold(0, |mask, lane| mask | 1 << lane);
                limit = u32::MAX;
            }
            let before = left;
            // Each round is one instruction of the group; the place is kept in `pc` and written back when the group ends.
            let end = loop {
                let inst = &kernel.code[pc as usize];
                let mask = if inst.guard == NONE { group } else { group & self.registers.predicate(inst.guard) };
                left -= 1;
                let executed = &mut context.executed[pc as usize];
                executed.1 += 1;
                executed.0 += u64::from(mask.count_ones());
                match inst.op {
                    Op::Branch => {
                        executed.0 += u64::from((group & !mask).count_ones());
                        if mask == group {
                            pc = inst.d;
                        } else if mask == 0 {
                            pc += 1;
                        } else {
                            for lane in lanes(group) {
                                self.pc[lane] = if mask >> lane & 1 == 1 { inst.d } else { pc + 1 };
                            }
                            break None;
                        }
                        if left == 0 || pc >= limit {
                            break Some(pc);
                        }
                        continue;
                    }
                    _ if mask == 0 => {}
                    Op::Load(access) => self.load(context, access, inst, pc, mask),
                    Op::Store(access) => self.store(context, access, inst, pc, mask),
                    Op::Atomic(access, fold, ty) => self.atomic(context, (access, fold, ty), inst, pc, mask),
                    Op::ToGeneric(space) | Op::FromGeneric(space) => {
                        let window = match space {
                            Space::Shared => SHARED_WINDOW,
                            Space::Local => LOCAL_WINDOW,
                            _ => 0,
                        };
                        let to = matches!(inst.op, Op::ToGeneric(_));
                        let values = self.registers.d[inst.a as usize].map(|address| {
                            if to { address.wrapping_add(window) } else { address.wrapping_sub(window) }
                        });
                        self.registers.put_d(inst.d, &values, mask);
                    }
                    Op::ActiveMask => self.registers.put_w(inst.d, &[mask; 32], mask),
                    Op::Sync(_) => {
                        if self.sync(context, inst.e, pc, group, mask) {
                            pc += 1;
                            if left == 0 || pc >= limit {
                                break Some(pc);
                            }
                            continue;
                        }
                        break None;
                    }
                    Op::Barrier { .. } => {
                        for lane in lanes(group) {
                            self.pc[lane] = pc + u32::from(mask >> lane & 1 == 0);
                        }
                        let id = self.registers.w[inst.a as usize];
                        for lane in lanes(mask) {
                            let count = if inst.b == NONE { 0 } else { self.registers.w[inst.b as usize][lane] };
                            self.barrier[lane] = (id[lane], count);
                        }
                        self.at_barrier |= mask;
                        self.ready &= !mask;
                        left = 0;
                        break None;
                    }
                    Op::BranchTable => {
                        let table = &kernel.lists[inst.d as usize..][..inst.d2 as usize];
                        for lane in lanes(group) {
                            let index = self.registers.w[inst.a as usize][lane] as usize;
                            let target = table.get(index).copied().unwrap_or(pc + 1);
                            self.pc[lane] = if mask >> lane & 1 == 1 { target } else { pc + 1 };
                        }
                        break None;
                    }
                    Op::Exit => {
                        for lane in lanes(group) {
                            self.pc[lane] = pc + u32::from(mask >> lane & 1 == 0);
                        }
                        self.exited |= mask;
                        self.ready &= !mask;
                        if self.waiting != 0 && !context.options.checks.divergence {
                            self.release(context);
                        }
                        break None;
                    }
                    Op::Trap => {
                        let lane = mask.trailing_zeros();
                        context.report(Fault::Trap, self.index * 32 + lane, pc, |_| "the kernel gave up here".into());
                        context.stop = true;
                        break None;
                    }
                    _ => {
                        alu::execute(&mut self.registers, &kernel.lists, inst, mask);
                    }
                }
                pc += 1;
                if left == 0 || pc >= limit {
                    break Some(pc);
                }
            };
            if let Some(pc) = end {
                for lane in lanes(group) {
                    self.pc[lane] = pc;
                }
            }
            context.steps += before - left;
            if group != self.ready {
                self.streak += before - left;
            }
        }
    }

    /// A `.sync` instruction. True if the group executed it together and goes on as it is.
    fn sync(&mut self, context: &mut Context<'_>, masks: u32, pc: u32, group: u32, mask: u32) -> bool {
        for lane in lanes(group) {
            self.pc[lane] = pc;
        }
        let masks = self.registers.w[masks as usize];
        // The mask of a warp that is not full names lanes that are not there.
        for lane in lanes(mask) {
            self.wanted[lane] = masks[lane] & self.exists;
            if self.wanted[lane] >> lane & 1 == 0 {
                if context.options.checks.divergence {
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
        for lane in lanes(group & !mask) {
            self.pc[lane] += 1;
        }
        self.waiting |= mask;
        self.ready &= !mask;
        self.release(context);
        false
    }

    /// Executes every sync for which all have come.
    fn release(&mut self, context: &mut Context<'_>) {
        let mut candidates = self.waiting;
        while candidates != 0 {
            let lane = candidates.trailing_zeros() as usize;
            let met = lanes(self.waiting)
                .filter(|other| self.meets(context.kernel, lane, *other))
                .fold(0, |mask: u32, lane| mask | 1 << lane);
            candidates &= !met & !(1 << lane);
            let gone = if context.options.checks.divergence { 0 } else { self.exited };
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
        let kernel = context.kernel;
        let lead = mask.trailing_zeros() as usize;
        let Op::Sync(sync) = kernel.code[self.pc[lead] as usize].op else { return };
        let inst = |warp: &Warp, lane: usize| kernel.code[warp.pc[lane] as usize];
        match sync {
            WarpSync::Barrier => {
                self.clock.sync(mask, self.exists);
                context.counters.warp_syncs += 1;
            }
            WarpSync::Shuffle(mode) => {
                context.counters.warp_shuffles += 1;
                let mut given = [0; 32];
                for lane in lanes(mask) {
                    given[lane] = self.registers.w[inst(self, lane).a as usize][lane];
                }
                for lane in lanes(mask) {
                    let its = inst(self, lane);
                    let (b, c) = (self.registers.w[its.b as usize][lane], self.registers.w[its.c as usize][lane]);
                    let (from, inside) = source_lane(mode, lane as u32, b, c);
                    if mask >> from & 1 == 0 && context.options.checks.divergence {
                        context.report(Fault::DivergentSync, self.index * 32 + lane as u32, self.pc[lane], |_| {
                            format!("reads lane {from}, which takes no part in the shuffle")
                        });
                    }
                    self.registers.w[its.d as usize][lane] = given[from as usize];
                    if its.d2 != NONE {
                        self.registers.put_p(its.d2, u32::from(inside).wrapping_neg(), 1 << lane);
                    }
                }
            }
            WarpSync::Vote(vote) => {
                let yes = lanes(mask)
                    .filter(|lane| self.registers.predicate(inst(self, *lane).a) >> lane & 1 == 1)
                    .fold(0u32, |yes, lane| yes | 1 << lane);
                let holds = match vote {
                    Vote::All => yes == mask,
                    Vote::Any => yes != 0,
                    Vote::Uniform => yes == mask || yes == 0,
                    Vote::Ballot => false,
                };
                for lane in lanes(mask) {
                    let d = inst(self, lane).d;
                    if vote == Vote::Ballot {
                        self.registers.w[d as usize][lane] = yes;
                    } else {
                        self.registers.put_p(d, u32::from(holds).wrapping_neg(), 1 << lane);
                    }
                }
            }
            WarpSync::MatchAny { wide } | WarpSync::MatchAll { wide } => {
                let mut given = [0; 32];
                for lane in lanes(mask) {
                    let a = inst(self, lane).a as usize;
                    given[lane] = if wide { self.registers.d[a][lane] } else { u64::from(self.registers.w[a][lane]) };
                }
                let all = lanes(mask).all(|lane| given[lane] == given[lead]);
                for lane in lanes(mask) {
                    let its = inst(self, lane);
                    let equal = lanes(mask)
                        .filter(|other| given[*other] == given[lane])
                        .fold(0u32, |equal, lane| equal | 1 << lane);
                    let any = matches!(sync, WarpSync::MatchAny { .. });
                    self.registers.w[its.d as usize][lane] = if any || all { equal } else { 0 };
                    if its.d2 != NONE {
                        self.registers.put_p(its.d2, u32::from(all).wrapping_neg(), 1 << lane);
                    }
                }
            }
            WarpSync::Reduce(fold, ty) => {
                let values: Vec<u32> =
                    lanes(mask).map(|lane| self.registers.w[inst(self, lane).a as usize][lane]).collect();
                let result = values
                    .into_iter()
                    .reduce(|a, b| combine(fold, ty, u64::from(a), u64::from(b), 0) as u32)
                    .unwrap_or(0);
                for lane in lanes(mask) {
                    let d = inst(self, lane).d as usize;
                    self.registers.w[d][lane] = result;
                }
            }
        }
    }

    fn addresses(&self, access: Access, inst: &Inst) -> D {
        let offset = access.offset as u64;
        if access.wide_address {
            self.registers.d[inst.a as usize].map(|address| address.wrapping_add(offset))
        } else {
            self.registers.w[inst.a as usize].map(|address| u64::from(address.wrapping_add(offset as u32)))
        }
    }

    /// Splits an access by the memory it goes to, checks and counts it, and calls `transfer` for each part with the memory,
    /// the lanes that may go on, and their places in it.
    fn access(
        &mut self,
        context: &mut Context<'_>,
        (access, does): (Access, Does),
        addresses: D,
        pc: u32,
        mask: u32,
        mut transfer: impl FnMut(&mut Registers, &Allocation, u32, &D),
    ) {
        let total = u64::from(access.bytes) * u64::from(access.count);
        let mut rest = mask;
        while rest != 0 {
            let lead = rest.trailing_zeros() as usize;
            let place = place(access.window, addresses[lead]);
            let same = match access.window {
                Window::Space(Space::Shared | Space::Local) => rest,
                _ => lanes(rest)
                    .filter(|lane| self::place(access.window, addresses[*lane]) == place)
                    .fold(0, |same, lane| same | 1 << lane),
            };
            rest &= !same;
            let mut offsets = [0; 32];
            match place {
                Place::Global(_) => {
                    let traffic = match does {
                        Does::Load => &mut context.counters.global_loads,
                        _ => &mut context.counters.global_stores,
                    };
                    if access.window != Window::Space(Space::Const) {
                        traffic.requests += 1;
                        traffic.sectors += counters::sectors(&addresses, same, total);
                        traffic.bytes += total * u64::from(same.count_ones());
                    }
                    let memory = context.memory;
                    let found = memory.find(addresses[lead]);
                    let Some((slot, allocation, start)) = found else {
                        self.out_of_bounds(context, does, total, &addresses, pc, same, "is in no buffer");
                        transfer(&mut self.registers, &Allocation::new(0, None), 0, &offsets);
                        continue;
                    };
                    let base = addresses[lead].wrapping_sub(start as u64);
                    for (offset, address) in offsets.iter_mut().zip(&addresses) {
                        *offset = address.wrapping_sub(base);
                    }
                    let mut go = within(&offsets, same, total, allocation.size);
                    if go != same {
                        let bad = same & !go;
                        let offset = offsets[bad.trailing_zeros() as usize] as i64;
                        let (buffer, size) = (GlobalMemory::describe(slot), allocation.size);
                        let has = if allocation.freed { "was freed".to_owned() } else { format!("has {size}") };
                        let what = format!("is at byte {offset} of {buffer}, which {has}");
                        self.out_of_bounds(context, does, total, &addresses, pc, bad, &what);
                    }
                    go = self.aligned(context, total, &offsets, pc, go);
                    if does != Does::Store && allocation.has_holes() && context.options.checks.unwritten {
                        self.written(context, allocation, access, &offsets, pc, go, |lane| {
                            format!("{} at byte {}", GlobalMemory::describe(slot), offsets[lane])
                        });
                    }
                    transfer(&mut self.registers, allocation, go, &offsets);
                }
                Place::Shared => {
                    let window = if access.window == Window::Generic { SHARED_WINDOW } else { 0 };
                    for (offset, address) in offsets.iter_mut().zip(&addresses) {
                        *offset = address.wrapping_sub(window);
                    }
                    let (passes, groups) = counters::passes(&offsets, same, total);
                    context.counters.shared_requests += 1;
                    context.counters.shared_passes += passes;
                    context.counters.shared_conflicts += passes - groups;
                    let mut go = within(&offsets, same, total, context.shared.data.size);
                    if context.kernel.shared.len() > 1 || context.kernel.shared_dynamic.is_some() {
                        go = between(context.kernel, &offsets, go, total);
                    }
                    if go != same {
                        let bad = same & !go;
                        let offset = offsets[bad.trailing_zeros() as usize] as i64;
                        let what = format!("is at {offset} in shared memory, in no variable");
                        self.out_of_bounds(context, does, total, &addresses, pc, bad, &what);
                    }
                    go = self.aligned(context, total, &offsets, pc, go);
                    let checks = context.options.checks;
                    if checks.races || checks.unwritten {
                        self.track(context, access, does, &offsets, pc, go);
                    }
                    transfer(&mut self.registers, &context.shared.data, go, &offsets);
                }
                Place::Local => {
                    let window = if access.window == Window::Generic { LOCAL_WINDOW } else { 0 };
                    let (size, stride) = (context.kernel.local_bytes, local_stride(context.kernel));
                    for (offset, address) in offsets.iter_mut().zip(&addresses) {
                        *offset = address.wrapping_sub(window);
                    }
                    context.counters.local_requests += 1;
                    let mut go = within(&offsets, same, total, size);
                    if go != same {
                        let bad = same & !go;
                        let offset = offsets[bad.trailing_zeros() as usize] as i64;
                        let what = format!("is at {offset} of {size} bytes of local memory");
                        self.out_of_bounds(context, does, total, &addresses, pc, bad, &what);
                    }
                    go = self.aligned(context, total, &offsets, pc, go);
                    for (lane, offset) in offsets.iter_mut().enumerate() {
                        *offset = offset.wrapping_add(lane as u64 * stride);
                    }
                    let local = std::mem::replace(&mut self.local, Allocation::new(0, None));
                    if does != Does::Store && context.options.checks.unwritten {
                        self.written(context, &local, access, &offsets, pc, go, |lane| {
                            format!("local memory at {}", offsets[lane] - lane as u64 * stride)
                        });
                    }
                    transfer(&mut self.registers, &local, go, &offsets);
                    self.local = local;
                }
            }
        }
    }

    #[cold]
    #[allow(clippy::too_many_arguments, reason = "it is called where all of them are at hand, and says one sentence")]
    fn out_of_bounds(
        &self,
        context: &mut Context<'_>,
        does: Does,
        total: u64,
        addresses: &D,
        pc: u32,
        bad: u32,
        what: &str,
    ) {
        if !context.options.checks.bounds {
            return;
        }
        let verb = if does == Does::Load { "reads" } else { "writes" };
        for lane in lanes(bad) {
            context.report(Fault::OutOfBounds, self.index * 32 + lane as u32, pc, |_| {
                format!("{verb} {total} bytes at {:#x}, which {what}", addresses[lane])
            });
        }
    }

    /// The lanes whose access is aligned; the others are reported.
    fn aligned(&self, context: &mut Context<'_>, total: u64, offsets: &D, pc: u32, mask: u32) -> u32 {
        let align = total.next_power_of_two() - 1;
        if offsets.iter().fold(0, |or, offset| or | offset) & align == 0 {
            return mask;
        }
        let bad = lanes(mask).filter(|lane| offsets[*lane] & align != 0).fold(0u32, |bad, lane| bad | 1 << lane);
        if context.options.checks.alignment {
            for lane in lanes(bad) {
                context.report(Fault::Misaligned, self.index * 32 + lane as u32, pc, |_| {
                    format!("accesses {total} bytes at an address that is {} beyond a multiple", offsets[lane] & align)
                });
            }
        }
        mask & !bad
    }

    #[allow(clippy::too_many_arguments, reason = "it is called where all of them are at hand, and says one sentence")]
    fn written(
        &self,
        context: &mut Context<'_>,
        allocation: &Allocation,
        access: Access,
        offsets: &D,
        pc: u32,
        mask: u32,
        show: impl Fn(usize) -> String,
    ) {
        let size = u32::from(access.bytes);
        for lane in lanes(mask) {
            let all = (0..u64::from(access.count))
                .filter(|element| access.gaps >> element & 1 == 0)
                .all(|element| allocation.is_written(offsets[lane] + element * u64::from(size), size));
            if !all {
                let total = size * u32::from(access.count);
                context.report(Fault::Unwritten, self.index * 32 + lane as u32, pc, |_| {
                    format!("reads {total} bytes of {}, which nobody wrote", show(lane))
                });
            }
        }
    }

    /// Notes an access of shared memory.
    fn track(&self, context: &mut Context<'_>, access: Access, does: Does, offsets: &D, pc: u32, mask: u32) {
        let bytes = u32::from(access.bytes);
        for element in (0..u64::from(access.count)).filter(|element| access.gaps >> element & 1 == 0) {
            for lane in lanes(mask) {
                let offset = offsets[lane] + element * u64::from(bytes);
                let actor = Actor { warp: self.index, lane: lane as u32, place: pc, clock: &self.clock };
                let found = match does {
                    Does::Load => context.shared.read(actor, offset, bytes),
                    Does::Store => context.shared.write(actor, offset, bytes, false),
                    Does::Atomic => context.shared.write(actor, offset, bytes, true),
                };
                if found.unwritten || found.conflict.is_some() {
                    context.conflict((self.index * 32 + lane as u32, pc, bytes), does, offset, found);
                }
            }
        }
    }

    fn load(&mut self, context: &mut Context<'_>, access: Access, inst: &Inst, pc: u32, mask: u32) {
        let kernel = context.kernel;
        let list = &kernel.lists[inst.d as usize..][..inst.d2 as usize];
        let bytes = u32::from(access.bytes);
        if access.window == Window::Space(Space::Param) {
            let addresses = self.addresses(access, inst);
            for (element, register) in list.iter().enumerate().filter(|(_, register)| **register != NONE) {
                let values = addresses.map(|address| {
                    let at = address.wrapping_add(element as u64 * u64::from(bytes)) as usize;
                    let found = context.params.get(at..at.wrapping_add(bytes as usize)).unwrap_or(&[]);
                    let value = found.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
                    float::extend(value, bytes * 8, access.signed)
                });
                self.registers.put_wide(*register, &values, access.wide_data, mask);
            }
            return;
        }
        let addresses = self.addresses(access, inst);
        // What is refused below reads as zero.
        for register in list.iter().filter(|register| **register != NONE) {
            self.registers.put_wide(*register, &[0; 32], access.wide_data, mask);
        }
        self.access(context, (access, Does::Load), addresses, pc, mask, |registers, memory, go, offsets| {
            for (element, register) in list.iter().enumerate().filter(|(_, register)| **register != NONE) {
                let place = |lane: usize| offsets[lane] + element as u64 * u64::from(bytes);
                if access.wide_data {
                    let target = &mut registers.d[*register as usize];
                    for lane in lanes(go) {
                        target[lane] = float::extend(memory.load(place(lane), bytes), bytes * 8, access.signed);
                    }
                } else {
                    let target = &mut registers.w[*register as usize];
                    if bytes == 4 {
                        for lane in lanes(go) {
                            target[lane] = memory.load(place(lane), 4) as u32;
                        }
                    } else {
                        for lane in lanes(go) {
                            let value = memory.load(place(lane), bytes);
                            target[lane] = float::extend(value, bytes * 8, access.signed) as u32;
                        }
                    }
                }
            }
        });
    }

    fn store(&mut self, context: &mut Context<'_>, access: Access, inst: &Inst, pc: u32, mask: u32) {
        let kernel = context.kernel;
        let list = &kernel.lists[inst.d as usize..][..inst.d2 as usize];
        let bytes = u32::from(access.bytes);
        self.access(
            context,
            (access, Does::Store),
            self.addresses(access, inst),
            pc,
            mask,
            |registers, memory, go, offsets| {
                for (element, register) in list.iter().enumerate() {
                    let place = |lane: usize| offsets[lane] + element as u64 * u64::from(bytes);
                    if access.wide_data {
                        let values = &registers.d[*register as usize];
                        lanes(go).for_each(|lane| memory.store(place(lane), bytes, values[lane]));
                    } else {
                        let values = &registers.w[*register as usize];
                        lanes(go).for_each(|lane| memory.store(place(lane), bytes, u64::from(values[lane])));
                    }
                }
            },
        );
    }

    fn atomic(
        &mut self,
        context: &mut Context<'_>,
        (access, fold, ty): (Access, Fold, Scalar),
        inst: &Inst,
        pc: u32,
        mask: u32,
    ) {
        let bytes = u32::from(access.bytes);
        let (b, c, d) = (inst.b, inst.c, inst.d);
        let wide = access.wide_data;
        self.access(
            context,
            (access, Does::Atomic),
            self.addresses(access, inst),
            pc,
            mask,
            |registers, memory, go, offsets| {
                for lane in lanes(go) {
                    let of = |registers: &Registers, register: u32| match (register, wide) {
                        (NONE, _) => 0,
                        (register, true) => registers.d[register as usize][lane],
                        (register, false) => u64::from(registers.w[register as usize][lane]),
                    };
                    let old = memory.load(offsets[lane], bytes);
                    let new = combine(fold, ty, old, of(registers, b), of(registers, c));
                    memory.store(offsets[lane], bytes, new);
                    if d != NONE {
                        match wide {
                            true => registers.d[d as usize][lane] = old,
                            false => registers.w[d as usize][lane] = old as u32,
                        }
                    }
                }
            },
        );
    }
}

/// Bytes from one lane's local memory to the next one's: what is aligned in one must be in all.
fn local_stride(kernel: &Kernel) -> u64 {
    kernel.local_bytes.next_multiple_of(16)
}

/// The memory that an address belongs to.
fn place(window: Window, address: u64) -> Place {
    let slot = |address: u64| Place::Global(usize::try_from(address >> 36).ok());
    match window {
        Window::Space(Space::Shared) => Place::Shared,
        Window::Space(Space::Local) => Place::Local,
        Window::Space(_) => slot(address),
        Window::Generic if address >= LOCAL_WINDOW => Place::Local,
        Window::Generic if address >= SHARED_WINDOW => Place::Shared,
        Window::Generic => slot(address),
    }
}

/// The lanes whose access lies within a size.
#[inline]
fn within(offsets: &D, mask: u32, total: u64, size: u64) -> u32 {
    let mut inside = 0;
    for (lane, offset) in offsets.iter().enumerate() {
        inside |= u32::from(*offset <= size.wrapping_sub(total)) << lane;
    }
    if size < total { 0 } else { inside & mask }
}

/// The lanes whose access lies within one shared variable.
fn between(kernel: &Kernel, offsets: &D, mask: u32, total: u64) -> u32 {
    let mut inside = 0;
    for lane in lanes(mask) {
        let offset = offsets[lane];
        let dynamic = kernel.shared_dynamic.is_some_and(|start| offset >= start);
        let declared = kernel.shared.iter().any(|(start, size)| offset >= *start && offset + total <= start + size);
        inside |= u32::from(dynamic || declared) << lane;
    }
    inside
}

/// Where a shuffle reads, and whether that is inside of its segment: the PTX ISA's table.
fn source_lane(mode: ShuffleMode, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (amount, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let most = lane & segment | clamp & !segment;
    let least = lane & segment;
    let (from, inside) = match mode {
        ShuffleMode::Up => {
            let from = lane as i32 - amount as i32;
            (from, from >= most as i32)
        }
        ShuffleMode::Down => ((lane + amount) as i32, lane + amount <= most),
        ShuffleMode::Butterfly => ((lane ^ amount) as i32, lane ^ amount <= most),
        ShuffleMode::Index => {
            let from = least | amount & !segment;
            (from as i32, from <= most)
        }
    };
    if inside { (from as u32 & 31, true) } else { (lane, false) }
}

/// The new value of an atomic update, or the sum of two of a reduction.
fn combine(fold: Fold, ty: Scalar, old: u64, b: u64, c: u64) -> u64 {
    let bits = ty.bits();
    let signed = |x: u64| float::extend(x, bits, true) as i64;
    let result = match (fold, ty) {
        (Fold::Add, Scalar::F32) => {
            u64::from(float::canonical32(f32::from_bits(old as u32) + f32::from_bits(b as u32)).to_bits())
        }
        (Fold::Add, Scalar::F64) => (f64::from_bits(old) + f64::from_bits(b)).to_bits(),
        (Fold::Add, Scalar::F16) => u64::from(float::binary16(Float2::Add, Mods::PLAIN, old as u16, b as u16)),
        (Fold::Add, _) => old.wrapping_add(b),
        (Fold::Min, ty) if ty.is_signed() => signed(old).min(signed(b)) as u64,
        (Fold::Max, ty) if ty.is_signed() => signed(old).max(signed(b)) as u64,
        (Fold::Min, _) => old.min(b),
        (Fold::Max, _) => old.max(b),
        (Fold::And, _) => old & b,
        (Fold::Or, _) => old | b,
        (Fold::Xor, _) => old ^ b,
        (Fold::Exchange, _) => b,
        (Fold::CompareAndSwap, _) => {
            if old == b {
                c
            } else {
                old
            }
        }
        (Fold::Inc, _) => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        (Fold::Dec, _) => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
    };
    float::extend(result, bits, false)
}
