//! What is compiled for C, and for what.

use crate::buffer::Element;
use crate::codegen::Cpu;
use crate::entry::Entry;

/// What the header and the functions agree on: `weft_buffer`, codes, what is passed. It counts up when a caller that was compiled
/// before could no longer call; buffers carry it, so that such a call is refused.
pub(super) const INTERFACE: u16 = 2;

/// The number of a type in a `weft_buffer`; none is 0, which a buffer has that was not filled.
pub(super) fn type_number(element: Element) -> usize {
    // It lists every element type.
    1 + Element::ALL.iter().position(|other| *other == element).unwrap_or(Element::ALL.len())
}

/// A program that C calls.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name and types.
    pub entry: Entry,
    /// What its arguments are called, in messages and in the header.
    pub arguments: Vec<String>,
    /// What its results are called.
    pub results: Vec<String>,
    /// Functions that run instead of its own where images are smaller.
    pub versions: Versions,
}

/// Versions of a program for smaller images: each has the type of the program, and gives the same bits.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    /// The argument, by number, whose points say which of them runs: a tensor.
    pub argument: usize,
    /// Smallest first.
    pub smaller: Vec<Version>,
}

/// A version of a program.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its function in the module.
    pub name: String,
    /// It runs where the argument has fewer points.
    pub below: u64,
}

/// What a program is compiled for.
#[derive(Clone, Copy, Debug)]
pub enum Machine<'a> {
    /// A CPU: the module is the program.
    Cpu(&'a Cpu),
    /// An NVIDIA GPU: the module is host code that calls MLIR's `mgpu*` functions, and has its kernels as PTX text.
    Cuda,
}

/// What a C function does with a program.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Task {
    /// `weft_f`: calls it.
    Call,
    /// `weft_f_in`: calls it with the caller's memory.
    CallIn,
    /// `weft_f_extents`: tells those of results.
    Extents,
    /// `weft_f_workspace`: tells the bytes that a call allocates.
    Workspace,
}

impl Task {
    /// What there is for a machine. On GPUs it is the GPU's memory that a call allocates.
    pub(super) fn of(machine: Machine<'_>) -> &'static [Self] {
        match machine {
            Machine::Cpu(_) => &[Self::Call, Self::CallIn, Self::Extents, Self::Workspace],
            Machine::Cuda => &[Self::Call, Self::Extents],
        }
    }

    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Call => "",
            Self::CallIn => "_in",
            Self::Extents => "_extents",
            Self::Workspace => "_workspace",
        }
    }

    /// Whether it reads and writes images.
    pub(super) fn has_memory(self) -> bool {
        matches!(self, Self::Call | Self::CallIn)
    }
}

impl Program {
    /// What C calls: a function for each task, and the error of the last one.
    pub(super) fn symbols(&self, machine: Machine<'_>) -> impl Iterator<Item = String> {
        let suffixes = Task::of(machine).iter().map(|task| task.suffix()).chain(["_error"]);
        suffixes.map(|suffix| format!("weft_{}{suffix}", self.entry.name))
    }

    /// The functions of the module that compute it: its own, then the versions.
    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        let versions = self.versions.smaller.iter().map(|version| version.name.as_str());
        std::iter::once(self.entry.name.as_str()).chain(versions)
    }

    /// Whether the caller must be told extents.
    pub(super) fn is_dynamic(&self) -> bool {
        self.entry.results.iter().any(|result| result.shape.contains(&None))
    }
}

/// Whether a name is one that C can have.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
