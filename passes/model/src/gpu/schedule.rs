//! What a group's schedule says, and how it is written in IR.
//!
//! ```text
//! {block = array<i64: 4, 32>, layout = "blocked", stream = "y", tile = array<i64: 32, 128>, vector = 4 : i64}
//! {block = array<i64: 18, 32>, scope = "block", tile = array<i64: 16, 30>}
//! {block = array<i64: 8, 32>, scope = "thread"}
//! {block = array<i64: 4, 32>, scope = "thread", tile = array<i64: 8, 4>}
//! ```

use std::fmt;

/// Who computes a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One warp.
    #[default]
    Warp,
    /// All threads of a block, which then wait for each other.
    Block,
    /// Nobody: each thread computes a point, or a few, and all that it needs.
    Thread,
}

impl Scope {
    /// How schedules call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Warp => "warp",
            Self::Block => "block",
            Self::Thread => "thread",
        }
    }
}

/// How registers are spread over lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Lane i holds columns i, i + 32, ...
    Cyclic,
    /// Lane i holds neighbouring columns.
    Blocked,
}

/// A schedule; `None` is left to the compiler.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    /// Who computes a tile.
    pub scope: Scope,
    /// Points of a live-out that a tile covers, or a thread where there are no tiles; outermost dimension first.
    pub tile: Option<Vec<i64>>,
    /// Threads of a block, outermost dimension first.
    pub block: Option<Vec<i64>>,
    /// Part of a tile's storage that lies in registers, 0 to 1.
    pub fraction: Option<f64>,
    /// How registers are spread over lanes.
    pub layout: Option<Layout>,
    /// Neighbouring points that a lane handles.
    pub vector: Option<i64>,
    /// The dimension that a warp walks along.
    pub stream: Option<usize>,
    /// Whether tiles in shared memory have those of inputs beside them.
    pub shares_inputs: bool,
}

impl Schedule {
    /// The points of a thread, where these are several.
    pub fn thread_tile(&self) -> Option<&[i64]> {
        let tile = self.tile.as_deref().filter(|_| self.scope == Scope::Thread);
        tile.filter(|tile| tile.iter().any(|points| *points > 1))
    }

    /// Whether a warp's tiles are to lie in registers whole: strips.
    pub fn is_strip(&self) -> bool {
        self.scope == Scope::Warp
            && self.fraction.is_none_or(|fraction| fraction >= 0.5)
            && (self.layout == Some(Layout::Blocked) || self.stream.is_some())
    }
}

/// As the attribute of a group.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &Vec<i64>| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let mut entries = Vec::new();
        entries.extend(self.block.as_ref().map(|block| format!("block = array<i64: {}>", list(block))));
        entries.extend(self.fraction.map(|fraction| format!("fraction = {fraction:?}")));
        entries.extend(self.shares_inputs.then(|| "inputs = \"shared\"".to_owned()));
        entries.extend(self.layout.map(|layout| match layout {
            Layout::Cyclic => "layout = \"cyclic\"".to_owned(),
            Layout::Blocked => "layout = \"blocked\"".to_owned(),
        }));
        // A warp is what is meant where nothing is said.
        entries.extend((self.scope != Scope::Warp).then(|| format!("scope = \"{}\"", self.scope.name())));
        let rank = self.tile.as_ref().or(self.block.as_ref()).map_or(2, Vec::len);
        let name = |d: usize| ["x", "y", "c", "n"].get((rank - 1).saturating_sub(d)).copied().unwrap_or("n");
        entries.extend(self.stream.map(|d| format!("stream = \"{}\"", name(d))));
        entries.extend(self.tile.as_ref().map(|tile| format!("tile = array<i64: {}>", list(tile))));
        entries.extend(self.vector.map(|vector| format!("vector = {vector} : i64")));
        write!(f, "{{{}}}", entries.join(", "))
    }
}
