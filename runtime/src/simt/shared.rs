//! Shared memory of a block, and who touched it when.
//!
//! **Races.** Each cell (the smallest element that the kernel accesses in shared memory) knows its last writer and its readers
//! since. Two accesses of one cell by different threads, at least one of them a write, are ordered if between them lies a
//! barrier of the block or, within one warp, a chain of `bar.warp.sync` that both took part in; else they are a race, whatever
//! order this run gave them. A shuffle orders nothing: PTX gives memory ordering to `bar.warp.sync` and barriers only.
//!
//! Time is two clocks. A block counts *epochs*, one per barrier; epochs go on from block to block, so that nothing needs
//! clearing. A warp counts *ticks*, one per `bar.warp.sync`. For the full mask it is enough to remember the tick; for partial masks each
//! lane keeps a vector clock of its warp. One thing is approximate: a cell keeps one tick for all readers of a warp, the latest,
//! so that after syncs of *parts* of a warp a chain over a third lane may be missed and reported though it is there.
//! A barrier of part of a block counts as one of all, so a race across it may be missed.

use super::memory::Allocation;
use super::program::NONE;

/// The last accesses of a cell.
#[derive(Clone, Copy)]
struct Cell {
    write_epoch: u32,
    write_tick: u32,
    writer: u32,
    write_place: u32,
    read_epoch: u32,
    read_tick: u32,
    /// The lanes of `read_warp` that read.
    read_mask: u32,
    read_place: u32,
    read_warp: u16,
    /// A reader of another warp is known.
    read_many: bool,
    atomic: bool,
}

const FRESH: Cell = Cell {
    write_epoch: 0,
    write_tick: 0,
    writer: NONE,
    write_place: 0,
    read_epoch: 0,
    read_tick: 0,
    read_mask: 0,
    read_place: 0,
    read_warp: 0,
    read_many: false,
    atomic: false,
};

/// The clock of one warp.
#[derive(Clone, Debug)]
pub(super) struct WarpClock {
    tick: u32,
    /// The tick of the last sync of all lanes.
    full: u32,
    /// `seen[l][k]`: what lane k did before this tick is ordered before what lane l does now.
    seen: Box<[[u32; 32]; 32]>,
    partial: bool,
}

impl WarpClock {
    pub fn new() -> Self {
        WarpClock { tick: 1, full: 0, seen: Box::new([[0; 32]; 32]), partial: false }
    }

    pub fn reset(&mut self) {
        (self.tick, self.full) = (1, 0);
        if std::mem::take(&mut self.partial) {
            *self.seen = [[0; 32]; 32];
        }
    }

    /// The lanes of `mask`, out of those that exist, synchronise.
    pub fn sync(&mut self, mask: u32, exists: u32) {
        self.tick += 1;
        if mask & exists == exists {
            self.full = self.tick;
            return;
        }
        self.partial = true;
        let members = || (0..32usize).filter(|lane| mask >> lane & 1 == 1);
        let mut joined = [0; 32];
        for lane in members() {
            for (to, from) in joined.iter_mut().zip(&self.seen[lane]) {
                *to = (*to).max(*from);
            }
        }
        for lane in members() {
            joined[lane] = self.tick;
        }
        for lane in members() {
            self.seen[lane] = joined;
        }
    }

    #[inline]
    fn ordered(&self, other: u32, tick: u32, lane: u32) -> bool {
        tick < self.full || self.partial && tick < self.seen[lane as usize % 32][other as usize % 32]
    }
}

/// Who accesses.
#[derive(Clone, Copy)]
pub(super) struct Actor<'c> {
    pub warp: u32,
    pub lane: u32,
    /// The instruction, by its index.
    pub place: u32,
    pub clock: &'c WarpClock,
}

impl Actor<'_> {
    fn thread(&self) -> u32 {
        self.warp * 32 + self.lane
    }
}

/// A conflicting access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
    pub thread: u32,
    pub place: u32,
    pub wrote: bool,
}

/// What an access found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub unwritten: bool,
    pub conflict: Option<Conflict>,
}

/// Shared memory.
pub(super) struct Shared {
    pub data: Allocation,
    cells: Vec<Cell>,
    granule: u32,
    epoch: u32,
    start: u32,
}

impl Shared {
    pub fn new(bytes: u64, granule: u32, tracked: bool) -> Self {
        let granule = granule.min(8);
        let cells = if tracked { bytes.div_ceil(u64::from(granule)) as usize } else { 0 };
        let data = Allocation::new(bytes as usize, Some(&vec![0; bytes as usize]));
        Shared { data, cells: vec![FRESH; cells], granule, epoch: 1, start: 1 }
    }

    /// Makes it what the next block finds.
    pub fn reset(&mut self) {
        self.data.clear();
        if self.epoch > 1 << 30 {
            self.cells.fill(FRESH);
            self.epoch = 0;
        }
        self.epoch += 1;
        self.start = self.epoch;
    }

    /// All threads passed a barrier.
    pub fn barrier(&mut self) {
        self.epoch += 1;
    }

    fn range(&self, offset: u64, bytes: u32) -> std::ops::Range<usize> {
        let granule = u64::from(self.granule);
        let first = (offset / granule) as usize;
        let last = ((offset + u64::from(bytes)).div_ceil(granule) as usize).min(self.cells.len());
        first.min(last)..last
    }

    /// Notes a read of one element.
    #[inline]
    pub fn read(&mut self, actor: Actor<'_>, offset: u64, bytes: u32) -> Found {
        let mut found = Found::default();
        let (epoch, start, thread) = (self.epoch, self.start, actor.thread());
        let range = self.range(offset, bytes);
        // LLVM loads a word where a byte of it is wanted: what counts is that some of it was written.
        found.unwritten = !range.is_empty();
        for cell in &mut self.cells[range] {
            let is_written = cell.write_epoch >= start;
            found.unwritten &= !is_written;
            if is_written
                && cell.writer != thread
                && cell.write_epoch == epoch
                && !(cell.writer / 32 == actor.warp
                    && actor.clock.ordered(cell.writer % 32, cell.write_tick, actor.lane))
            {
                found.conflict = Some(Conflict { thread: cell.writer, place: cell.write_place, wrote: true });
            }
            cell.note_read(actor, epoch);
        }
        found
    }

    /// Notes a write of one element, or an atomic update.
    #[inline]
    pub fn write(&mut self, actor: Actor<'_>, offset: u64, bytes: u32, atomic: bool) -> Found {
        let mut found = Found::default();
        let (epoch, start, thread) = (self.epoch, self.start, actor.thread());
        let range = self.range(offset, bytes);
        for cell in &mut self.cells[range] {
            if atomic && cell.write_epoch < start {
                found.unwritten = true;
            }
            if cell.write_epoch == epoch
                && cell.writer != thread
                && !(atomic && cell.atomic)
                && !(cell.writer / 32 == actor.warp
                    && actor.clock.ordered(cell.writer % 32, cell.write_tick, actor.lane))
            {
                found.conflict = Some(Conflict { thread: cell.writer, place: cell.write_place, wrote: true });
            }
            if cell.read_epoch == epoch
                && let Some(reader) = cell.reader_against(actor)
            {
                found.conflict = Some(Conflict { thread: reader, place: cell.read_place, wrote: false });
            }
            cell.write_epoch = epoch;
            cell.write_tick = actor.clock.tick;
            cell.writer = thread;
            cell.write_place = actor.place;
            cell.atomic = atomic;
        }
        found
    }
}

impl Cell {
    #[inline]
    fn note_read(&mut self, actor: Actor<'_>, epoch: u32) {
        let bit = 1 << actor.lane;
        if self.read_epoch != epoch {
            self.read_epoch = epoch;
            self.read_warp = actor.warp as u16;
            self.read_mask = bit;
            self.read_many = false;
        } else if u32::from(self.read_warp) != actor.warp {
            // Whoever writes now races with one of two warps.
            self.read_many = true;
        } else if self.read_tick < actor.clock.full {
            self.read_mask = bit;
        } else {
            self.read_mask |= bit;
        }
        if u32::from(self.read_warp) == actor.warp {
            self.read_tick = actor.clock.tick;
        }
        self.read_place = actor.place;
    }

    /// A reader of this epoch that a write of `actor` is not ordered after.
    #[inline]
    fn reader_against(&self, actor: Actor<'_>) -> Option<u32> {
        let base = u32::from(self.read_warp) * 32;
        if u32::from(self.read_warp) != actor.warp {
            return Some(base + self.read_mask.trailing_zeros() % 32);
        }
        if self.read_many {
            // The other reader's name is lost; its warp is not this one.
            return Some(NONE);
        }
        let others = self.read_mask & !(1 << actor.lane);
        if others == 0 || self.read_tick < actor.clock.full {
            return None;
        }
        (0..32)
            .filter(|lane| others >> lane & 1 == 1)
            .find(|lane| !actor.clock.ordered(*lane, self.read_tick, actor.lane))
            .map(|lane| base + lane)
    }
}
