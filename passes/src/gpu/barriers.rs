//! Where the lanes of a kernel of tiles must wait for each other.
//!
//! ```text
//! %a = warp.compute ... : <..., #warp.shared>              writes bytes 0 .. 4224
//!                                                          ── barrier: reads what was written ──
//! %b = warp.compute ... { warp.read %a } : <..., shared>   reads 0 .. 4224, writes 4224 .. 8320
//!                                                          ── barrier: reads what was written ──
//! %c = warp.compute ... { warp.read %b } : <..., shared>   reads 4224 .. 8320, writes 0 .. 4096: the barrier before it also stands
//!                                                          behind the last read of %a, whose bytes these were
//! ```
//!
//! **What must hold.** Lanes run at their own pace, also those of one warp. Two accesses of shared memory, by different lanes, to
//! bytes that overlap, one of them a write, are ordered only if both lanes pass a barrier between them. An *op* here is a compute
//! (it reads tiles, and writes its own) or a read beside computes. Within an op nothing needs order: what it reads is alive while
//! it writes, so that its own bytes are others; and each of its points is stored by one lane.
//!
//! **Whose barrier.** Where a tile belongs to a warp, each warp has a part of shared memory of its own, so that lanes of different
//! warps never meet in a byte, and the barrier of a warp orders all that do. Where a tile belongs to a block, all its threads do.
//!
//! **That all reach it.** A barrier stands beside computes, never inside one. What is around computes (`scf.if`, `scf.for`) asks for
//! the tile's number, which is the same for all who own the tile: they take the same branch, as many times. An op that has
//! no compute inside may be one that lanes disagree about: it is an op like a read, and a barrier stands before it.
//!
//! **The derived barriers suffice.** The walk knows, at each op, a superset of the accesses that some path to it makes behind its last
//! barrier (*pending*). It puts a barrier before an op that conflicts with one of them. Take two accesses in conflict, and a path
//! from one to the other: either a barrier is on the path, or the first is pending at the second, which then has its barrier.
//! Pending is a superset: along a block by construction; behind a branch it is the union of both ends; in a loop it begins as a set
//! that contains what comes from before the loop *and* what the loop's own end leaves. That set is found by adding, from what
//! comes from before on, what an iteration leaves until nothing new is left, which ends, as there are finitely many tiles.
//!
//! **None is superfluous** in code without loops. A barrier is put only before an op that conflicts with an access behind the last one, so
//! without it these two have none between them; and as each stands as late as it can, no placement needs fewer (intervals
//! from an access to its conflict, stabbed at the first right end). Bytes decide, not lanes: that a lane reads only what
//! it wrote itself is not asked, since such a tile needs no shared memory (`#warp.lane`). A barrier in a loop is one that some iteration
//! needs; the first may not.

use crate::ir::{Key, is, key};
use melior::ir::{BlockRef, OperationRef, RegionLike, operation::OperationLike};
use mlir_glue::ir;
use std::collections::{BTreeSet, HashMap};
use weft_dialects::warp::{Compute, Read, is_sync};

/// Where a shared tile lies: bytes from the start of its owner's part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    pub offset: i64,
    pub bytes: i64,
}

impl Slot {
    fn overlaps(self, other: Self) -> bool {
        self.offset < other.offset + other.bytes && other.offset < self.offset + self.bytes
    }
}

/// Accesses: of an op, or of all since the last barrier.
#[derive(Clone, Default)]
struct Accesses {
    read: BTreeSet<Slot>,
    written: BTreeSet<Slot>,
}

impl Accesses {
    fn of(op: OperationRef, slots: &HashMap<Key, Slot>) -> Self {
        let slot = |tile| slots.get(&key(tile)).copied();
        let reads = ir::walk(op).into_iter().filter_map(Read::of);
        let written = Compute::of(op).into_iter().flat_map(|_| op.results());
        Self {
            read: reads.filter_map(|read| slot(read.tile())).collect(),
            written: written.filter_map(|tile| slot(tile.into())).collect(),
        }
    }

    /// Whether a lane that makes these must wait for those that make the others.
    fn conflicts(&self, before: &Self) -> bool {
        let meets = |a: &BTreeSet<Slot>, b: &BTreeSet<Slot>| a.iter().any(|a| b.iter().any(|b| a.overlaps(*b)));
        meets(&self.read, &before.written)
            || meets(&self.written, &before.read)
            || meets(&self.written, &before.written)
    }

    fn add(&mut self, other: &Self) {
        self.read.extend(&other.read);
        self.written.extend(&other.written);
    }

    fn contains(&self, other: &Self) -> bool {
        self.read.is_superset(&other.read) && self.written.is_superset(&other.written)
    }
}

/// The ops of a kernel that need a barrier before them, given where its tiles lie. A `warp.sync` that is there counts as one.
pub fn barriers<'c: 'a, 'a>(body: BlockRef<'c, 'a>, slots: &HashMap<Key, Slot>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    walk(body, slots, Accesses::default(), &mut found);
    found
}

/// Walks a block; returns what is pending at its end.
fn walk<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    slots: &HashMap<Key, Slot>,
    mut pending: Accesses,
    found: &mut Vec<OperationRef<'c, 'a>>,
) -> Accesses {
    for op in ir::operations(block) {
        if is_sync(op) {
            pending = Accesses::default();
            continue;
        }
        let has_computes = ir::walk(op).into_iter().any(|inner| Compute::of(inner).is_some() || is_sync(inner));
        if has_computes && Compute::of(op).is_none() {
            let bodies: Vec<BlockRef> = op.regions().filter_map(|region| region.first_block()).collect();
            let is_loop = is(op, "scf.for");
            // A loop may have no iteration, and a branch no code.
            let mut behind =
                if is_loop || bodies.len() < op.region_count() { pending.clone() } else { Accesses::default() };
            for body in bodies {
                let mut start = pending.clone();
                loop {
                    let mut inside = Vec::new();
                    let end = walk(body, slots, start.clone(), &mut inside);
                    if !is_loop || start.contains(&end) {
                        found.extend(inside);
                        behind.add(&end);
                        break;
                    }
                    start.add(&end);
                }
            }
            pending = behind;
            continue;
        }
        let accesses = Accesses::of(op, slots);
        if accesses.conflicts(&pending) {
            found.push(op);
            pending = Accesses::default();
        }
        pending.add(&accesses);
    }
    pending
}
