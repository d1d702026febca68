//! The memory that holds what a tile keeps between two ticks.

use super::{
    bundle::Bundle,
    sliding::{Sliding, rows_of_window, stream_of},
    target::CACHE_LINE,
};
use crate::{
    affine::{Part, Range},
    program::Group,
};

/// Lines after which addresses come to a place of the first cache that others of a window have had.
const SAME_PLACE: i64 = 16;

impl Part {
    /// The extents of memory for what a tick needs, of elements of so many bytes, and the dimension along which rows, or planes,
    /// take turns, of which so many are [kept](Sliding::kept). Rows are whole cache lines, so that a vector that is aligned in one row is so in all.
    pub fn window(&self, stream: Option<usize>, kept: i64, bytes: i64) -> (Vec<i64>, Option<usize>) {
        let folded = self.sliding(stream);
        let extent = |(d, range): (usize, &Range<i64>)| match folded {
            Some(folded) if folded == d => rows_of_window(kept),
            _ if d > 0 && d + 1 == self.region.len() => row_of_lines(range.len(), bytes),
            _ => range.len(),
        };
        (self.region.iter().enumerate().map(extent).collect(), folded)
    }
}

/// The elements of a row of a window that has room for so many: whole cache lines, and one more where rows would begin at the
/// same places of a cache.
fn row_of_lines(elements: i64, bytes: i64) -> i64 {
    let lines = elements.saturating_mul(bytes).saturating_add(CACHE_LINE - 1) / CACHE_LINE;
    let lines = if lines % SAME_PLACE == 0 { lines + 1 } else { lines };
    lines * CACHE_LINE / bytes
}

impl Sliding {
    /// Bytes of all windows of a tile; the greatest number there is where they cannot be counted.
    pub fn window_bytes(&self, group: &Group, bundles: &[Bundle]) -> i64 {
        kept(group, bundles).map(|stage| self.bytes_of_window(group, stage)).fold(0, i64::saturating_add)
    }

    /// Bytes of the window of a stage that has one.
    pub fn bytes_of_window(&self, group: &Group, stage: usize) -> i64 {
        let stream = stream_of(group);
        let results = group.stages[stage].bytes.iter();
        let of_result = |part: &Part, bytes: i64| {
            part.window(stream, self.kept[stage], bytes).0.into_iter().fold(bytes, i64::saturating_mul)
        };
        let bytes = |part: &Part| results.clone().map(|bytes| of_result(part, *bytes)).fold(0, i64::saturating_add);
        self.parts[stage].iter().map(bytes).fold(0, i64::saturating_add)
    }
}

/// The stages that have windows.
pub(super) fn kept<'g>(group: &'g Group, bundles: &'g [Bundle]) -> impl Iterator<Item = usize> + 'g {
    bundles.iter().flat_map(|bundle| bundle.members.iter().copied().filter(|stage| bundle.is_kept(group, *stage)))
}
