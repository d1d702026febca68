//! One SM over time: what became of its slots, and when each of its blocks ran.
//!
//! ```text
//! bin      0        1        2        3                a bin is so many cycles; where they get too many, two become one
//! issued   ▂▂       ▆▆       ▆▆       ▂▂
//! memory   ▆▆       ▂▂       ▂▂       ▂▂               slots of four schedulers
//! blocks   [---- 0 ----]     [------- 80 ----]
//!              [---- 1 ------------]
//! ```

use super::reason::{REASONS, Reason};

/// Bins, at most.
const MOST: usize = 256;

/// What became of slots: issued, or empty for one of the [reasons](super::Stalls).
const KINDS: usize = REASONS + 1;

/// An SM over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Cycles of a bin.
    pub bin: u64,
    /// Slots of each bin: issued; then those that stayed empty, by reason as [`Stalls::entries`](super::Stalls::entries) has them.
    pub slots: Vec<[u64; KINDS]>,
    /// Blocks: their number in the grid, the cycle at which they began, that at which they ended.
    pub blocks: Vec<(u64, u64, u64)>,
}

impl Timeline {
    pub(super) fn new() -> Self {
        Self { bin: 1, slots: Vec::new(), blocks: Vec::new() }
    }

    /// A slot in which something was issued.
    pub(super) fn issued(&mut self, now: u64) {
        self.add(now, now + 1, 0);
    }

    /// Empty slots of a scheduler from one cycle up to another.
    pub(super) fn empty(&mut self, from: u64, to: u64, reason: Reason) {
        self.add(from, to, 1 + reason as usize);
    }

    fn add(&mut self, from: u64, to: u64, kind: usize) {
        if from >= to {
            return;
        }
        while ((to - 1) / self.bin) as usize >= MOST {
            self.halve();
        }
        let last = ((to - 1) / self.bin) as usize;
        if self.slots.len() <= last {
            self.slots.resize(last + 1, [0; KINDS]);
        }
        for number in (from / self.bin) as usize..=last {
            let begin = number as u64 * self.bin;
            self.slots[number][kind] += to.min(begin + self.bin) - from.max(begin);
        }
    }

    /// Makes bins twice as long.
    fn halve(&mut self) {
        self.bin *= 2;
        let sum = |pair: &[[u64; KINDS]]| {
            let mut sum = pair[0];
            pair[1..].iter().for_each(|other| sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += other));
            sum
        };
        self.slots = self.slots.chunks(2).map(sum).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Reason, Timeline};

    #[test]
    fn bins_grow_and_lose_no_slot() {
        let mut timeline = Timeline::new();
        for now in 0..1000 {
            timeline.issued(2 * now);
            timeline.empty(2 * now + 1, 2 * now + 2, Reason::Memory);
        }
        assert!(timeline.slots.len() <= MOST && timeline.bin == 8);
        assert!(timeline.slots.iter().all(|slots| slots[..3] == [4, 4, 0]), "{timeline:?}");
        // Longer than all before.
        timeline.empty(2000, 9000, Reason::NoWarp);
        let total: u64 = timeline.slots.iter().flatten().sum();
        assert_eq!((total, timeline.bin), (9000, 64));
    }
}
