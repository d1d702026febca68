//! Places in a program: bytes of its text, and the lines and columns that people count in.

use std::ops::Range;
use weft_builder::Source;

/// Bytes of the source, from the first one to before the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// From where this one begins to where that one ends.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        // `parse` refuses texts that are longer.
        Self { start: range.start as u32, end: range.end as u32 }
    }
}

/// Where lines begin.
pub(crate) struct Lines<'s> {
    source: &'s str,
    starts: Vec<u32>,
}

impl<'s> Lines<'s> {
    pub fn new(source: &'s str) -> Self {
        // `parse` refuses texts of which a place does not fit.
        let behind = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        Self { source, starts: std::iter::once(0).chain(behind).collect() }
    }

    /// Line and column of a byte, from 1.
    pub fn of(&self, at: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= at);
        (line as u32, at - self.starts[line.saturating_sub(1)] + 1)
    }

    /// The byte of a line and column.
    pub fn byte(&self, source: Source) -> u32 {
        let start = self.starts.get(source.line.saturating_sub(1) as usize).copied().unwrap_or(0);
        (start + source.column.saturating_sub(1)).min(self.source.len() as u32)
    }

    /// What is written there.
    pub fn text(&self, span: Span) -> &'s str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}
