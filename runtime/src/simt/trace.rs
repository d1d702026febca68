//! What a block executed, for the clock: where each of its warps went, and what each access asked of memory.
//!
//! ```text
//! segments   instructions 0..14, 3..14, 14..20     one for each stretch that a group of lanes ran through without a jump
//! requests   one for each access of a stretch, in order: lines of 128 bytes and their sectors, or passes over the banks
//! ```

use super::{counters::passes, registers::lanes};

/// Instructions one after another, executed by some lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub start: u32,
    pub end: u32,
    /// Where its requests begin in those of the warp.
    pub requests: u32,
}

/// What an access goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Nowhere: no lane takes part.
    Nothing,
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
    /// Local memory.
    Local,
}

/// What one access of a warp asks of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub goal: Goal,
    /// Passes over the banks of shared memory, or of L1.
    pub passes: u16,
    /// Where its lines begin in those of the warp, and how many they are.
    pub first: u32,
    pub lines: u16,
}

/// A line of 128 bytes with the sectors that are asked for: its address, divided by 8, and four bits.
pub(super) fn line(address: u64, sectors: u64) -> u64 {
    (address / 128 * 16) | sectors
}

/// What a warp executed.
#[derive(Clone, Debug, Default)]
pub(super) struct WarpTrace {
    pub segments: Vec<Segment>,
    pub requests: Vec<Request>,
    pub lines: Vec<u64>,
}

impl WarpTrace {
    /// A group of lanes goes on at an instruction.
    pub fn enter(&mut self, pc: u32) {
        if self.segments.last().is_none_or(|last| last.end != pc) {
            self.segments.push(Segment { start: pc, end: pc, requests: self.requests.len() as u32 });
        }
    }

    /// A group has executed all instructions up to this one, and jumps or stops.
    pub fn leave(&mut self, pc: u32) {
        if let Some(last) = self.segments.last_mut() {
            last.end = pc;
        }
    }

    /// An access, of which nothing is known yet.
    pub fn access(&mut self) {
        let first = self.lines.len() as u32;
        self.requests.push(Request { goal: Goal::Nothing, passes: 0, first, lines: 0 });
    }

    /// The latest access goes to global memory, through the banks of L1.
    pub fn global(&mut self, addresses: &[u64; 32], mask: u32, bytes: u64) {
        let Some(request) = self.requests.last_mut() else { return };
        request.goal = Goal::Global;
        request.passes += passes(addresses, mask, bytes).0 as u16;
        let first = request.first as usize;
        for lane in lanes(mask) {
            let (start, last) = (addresses[lane], addresses[lane] + bytes - 1);
            for sector in start / 32..=last / 32 {
                let (tag, bit) = (line(sector * 32, 0), 1 << (sector % 4));
                // Neighbouring lanes mostly ask for the same line.
                match self.lines[first..].iter_mut().rev().find(|line| **line & !15 == tag) {
                    Some(line) => *line |= bit,
                    None => self.lines.push(tag | bit),
                }
            }
        }
        request.lines = (self.lines.len() - first) as u16;
    }

    /// The latest access passes so often over the banks of shared memory.
    pub fn shared(&mut self, passes: u64) {
        if let Some(request) = self.requests.last_mut() {
            request.goal = Goal::Shared;
            request.passes += passes as u16;
        }
    }

    /// The latest access goes to local memory, where lanes lie side by side.
    pub fn local(&mut self, bytes: u64) {
        if let Some(request) = self.requests.last_mut() {
            request.goal = Goal::Local;
            request.passes = bytes.div_ceil(4) as u16;
        }
    }
}

/// What a block executed.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockTrace {
    pub warps: Vec<WarpTrace>,
}
