//! The order of a stretch of code: what the longest chain waits for comes first, as long as there are registers.
//!
//! Loads have the longest chains behind them, so they move to the top as far as their addresses allow. An operation stays behind those
//! that it needs, and accesses behind those that may be of the same memory; loads of memory that nobody writes (`ld.global.nc`) move freely.

use super::live::Set;
use super::op::{Kind, MachineOp};
use crate::simt::program::{self, Kernel, Window};
use crate::simt::tree::Space;
use std::collections::{BTreeSet, HashMap};

/// What is ordered.
pub(super) struct Stretch<'c> {
    pub kernel: &'c Kernel,
    pub ops: &'c [MachineOp],
    pub registers: &'c [u32],
    pub live_out: Set,
    /// 32-bit registers that there are.
    pub room: u64,
}

/// Cycles that the compiler supposes for a load from memory.
const LOAD: u64 = 200;
/// And from shared memory.
const SHARED_LOAD: u64 = 30;

/// What an operation does to the order of others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    None,
    /// Behind stores to its memory, in front of later ones.
    Load(bool),
    Store(bool),
    /// Among its like.
    Exchange,
    /// Behind all, in front of all.
    All,
}

/// The operations that must come later.
struct Graph {
    /// With the cycles between.
    later: Vec<Vec<(usize, u64)>>,
    waits_for: Vec<usize>,
}

impl Graph {
    fn edge(&mut self, from: usize, to: usize, cycles: u64) {
        if from != to {
            self.later[from].push((to, cycles));
            self.waits_for[to] += 1;
        }
    }
}

impl Stretch<'_> {
    fn reads(&self, op: &MachineOp) -> &[u32] {
        &self.registers[op.registers as usize..][..usize::from(op.reads)]
    }

    fn writes(&self, op: &MachineOp) -> &[u32] {
        &self.registers[op.registers as usize + usize::from(op.reads)..][..usize::from(op.writes)]
    }

    fn order(&self, op: &MachineOp) -> Order {
        let is_shared = |access: program::Access| access.window == Window::Space(Space::Shared);
        match (op.kind, self.kernel.code[op.pc as usize].op) {
            (Kind::Branch | Kind::Barrier, _) => Order::All,
            (Kind::Access, program::Op::Load(access)) => {
                let constant = access.window == Window::Space(Space::Const)
                    || self.kernel.opcodes[op.pc as usize].split('.').any(|part| part == "nc");
                if constant { Order::None } else { Order::Load(is_shared(access)) }
            }
            (Kind::Access, program::Op::Store(access) | program::Op::Atomic(access, ..)) => {
                Order::Store(is_shared(access))
            }
            (Kind::Plain, program::Op::Sync(program::WarpSync::Barrier)) => Order::All,
            (Kind::Plain, program::Op::Sync(_)) => Order::Exchange,
            _ => Order::None,
        }
    }

    fn latency(&self, op: &MachineOp) -> u64 {
        match (op.kind, self.order(op)) {
            (Kind::Access, Order::Load(true)) => SHARED_LOAD,
            (Kind::Access, _) => LOAD,
            _ => u64::from(op.rate.latency),
        }
    }

    fn graph(&self) -> Graph {
        let count = self.ops.len();
        let mut graph = Graph { later: vec![Vec::new(); count], waits_for: vec![0; count] };
        let mut writer: HashMap<u32, usize> = HashMap::new();
        let mut readers: HashMap<u32, Vec<usize>> = HashMap::new();
        // Of memory, shared memory: the latest store, and loads since.
        let mut stored = [None; 2];
        let mut loaded = [Vec::new(), Vec::new()];
        let (mut exchanged, mut all) = (None, None);
        for (index, op) in self.ops.iter().enumerate() {
            for read in self.reads(op) {
                if let Some(from) = writer.get(read) {
                    graph.edge(*from, index, self.latency(&self.ops[*from]));
                }
                readers.entry(*read).or_default().push(index);
            }
            for write in self.writes(op) {
                for from in readers.remove(write).unwrap_or_default() {
                    graph.edge(from, index, 0);
                }
                if let Some(from) = writer.insert(*write, index) {
                    graph.edge(from, index, 1);
                }
            }
            let order = self.order(op);
            match order {
                Order::None => {}
                Order::Exchange => {
                    exchanged.into_iter().for_each(|from| graph.edge(from, index, 1));
                    exchanged = Some(index);
                }
                Order::Load(shared) => {
                    stored[usize::from(shared)].into_iter().for_each(|from| graph.edge(from, index, 1));
                    loaded[usize::from(shared)].push(index);
                }
                Order::Store(shared) => {
                    let shared = usize::from(shared);
                    loaded[shared].drain(..).for_each(|from| graph.edge(from, index, 1));
                    stored[shared].replace(index).into_iter().for_each(|from| graph.edge(from, index, 1));
                }
                Order::All => {
                    let from = all.map_or(0, |all| all);
                    (from..index).for_each(|from| graph.edge(from, index, 1));
                    all = Some(index);
                }
            }
            if order != Order::All {
                all.into_iter().for_each(|from| graph.edge(from, index, 1));
            }
        }
        graph
    }
}

/// The operations of a stretch in the order in which they are issued, and the 32-bit registers that are live at once.
pub(super) fn schedule(stretch: &Stretch<'_>, weight: &impl Fn(u32) -> u64) -> (Vec<usize>, u64) {
    let count = stretch.ops.len();
    let mut graph = stretch.graph();
    // How long it takes from each to the end.
    let mut path = vec![0; count];
    for index in (0..count).rev() {
        path[index] = graph.later[index].iter().map(|(to, cycles)| path[*to] + cycles).max().unwrap_or(0);
    }
    // Reads that are left of each register, and one more of those that live on.
    let mut left: HashMap<u32, u64> = HashMap::new();
    for register in stretch.ops.iter().flat_map(|op| stretch.reads(op)) {
        *left.entry(*register).or_default() += 1;
    }
    stretch.live_out.iter().for_each(|register| *left.entry(register).or_default() += 1);
    let mut defined: BTreeSet<u32> = BTreeSet::new();
    for op in stretch.ops.iter().rev() {
        stretch.writes(op).iter().for_each(|write| _ = defined.remove(write));
        defined.extend(stretch.reads(op));
    }
    defined.extend(
        stretch.live_out.iter().filter(|register| !stretch.ops.iter().any(|op| stretch.writes(op).contains(register))),
    );
    let mut live: u64 = defined.iter().map(|register| weight(*register)).sum();

    let mut peak = live;
    let mut order = Vec::with_capacity(count);
    let mut earliest = vec![0; count];
    // By when they can go, and those that can go by how long the rest takes, and by their place.
    let mut waiting: BTreeSet<(u64, usize)> = BTreeSet::new();
    let mut ready: BTreeSet<(u64, std::cmp::Reverse<usize>)> = BTreeSet::new();
    waiting.extend((0..count).filter(|index| graph.waits_for[*index] == 0).map(|index| (0, index)));
    let mut now = 0;
    while order.len() < count {
        while let Some((when, index)) = waiting.first().copied().filter(|(when, _)| *when <= now) {
            waiting.remove(&(when, index));
            ready.insert((path[index], std::cmp::Reverse(index)));
        }
        let crowded = live > stretch.room;
        let chosen = match crowded {
            // In the order of the text registers are free soonest.
            true => ready.iter().map(|(_, index)| index.0).chain(waiting.iter().map(|(_, index)| *index)).min(),
            false => ready.last().map(|(_, index)| index.0),
        };
        let Some(index) = chosen else {
            let Some((when, _)) = waiting.first() else { break };
            now = *when;
            continue;
        };
        ready.remove(&(path[index], std::cmp::Reverse(index)));
        waiting.remove(&(earliest[index], index));
        order.push(index);
        let op = &stretch.ops[index];
        for read in stretch.reads(op) {
            if let Some(uses) = left.get_mut(read) {
                *uses -= 1;
                if *uses == 0 && defined.remove(read) {
                    live -= weight(*read);
                }
            }
        }
        for write in stretch.writes(op) {
            if left.get(write).is_some_and(|uses| *uses > 0) && defined.insert(*write) {
                live += weight(*write);
            }
        }
        peak = peak.max(live);
        for (to, cycles) in std::mem::take(&mut graph.later[index]) {
            earliest[to] = earliest[to].max(now + cycles);
            graph.waits_for[to] -= 1;
            if graph.waits_for[to] == 0 {
                waiting.insert((earliest[to], to));
            }
        }
        now += u64::from(op.kind != Kind::Free);
    }
    (order, peak)
}
