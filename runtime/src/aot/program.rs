//! What is compiled for C, and for what.

use serde_json::{Value as Json, json};

use crate::buffer::{Element, TensorType};
use crate::codegen::Cpu;
use crate::entry::{ArgumentType, Entry};

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
    /// What the extents of each argument are called, "" where they have no name; empty where none has.
    pub extents: Vec<Vec<String>>,
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
    /// `weft_f_on_gpu`: calls it on images in the GPU's memory, on the caller's stream.
    OnGpu,
}

/// What functions end in that take an array of pointers: to a buffer for a tensor, to the number for a number, to what is filled. A stream,
/// which is a pointer, stands there itself, last.
pub(super) const PACKED: &str = "_packed";

impl Task {
    /// What there is for a machine. On GPUs it is the GPU's memory that a call allocates.
    pub(super) fn of(machine: Machine<'_>) -> &'static [Self] {
        match machine {
            Machine::Cpu(_) => &[Self::Call, Self::CallIn, Self::Extents, Self::Workspace],
            Machine::Cuda => &[Self::Call, Self::Extents, Self::OnGpu],
        }
    }

    /// Those of them that callers have who learn types at run time.
    pub(super) fn packed(machine: Machine<'_>) -> impl Iterator<Item = Self> {
        Self::of(machine).iter().copied().filter(|task| *task != Self::CallIn)
    }

    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Call => "",
            Self::CallIn => "_in",
            Self::Extents => "_extents",
            Self::Workspace => "_workspace",
            Self::OnGpu => "_on_gpu",
        }
    }

    /// Whether it reads and writes images.
    pub(super) fn has_memory(self) -> bool {
        matches!(self, Self::Call | Self::CallIn | Self::OnGpu)
    }
}

impl Program {
    /// What C calls: a function for each task, the same for callers that learn its types at run time, the error of the last call, and
    /// what the types are.
    pub(super) fn symbols(&self, machine: Machine<'_>) -> impl Iterator<Item = String> {
        let suffixes = Task::of(machine).iter().map(|task| task.suffix().to_owned());
        let packed = Task::packed(machine).map(|task| format!("{}{PACKED}", task.suffix()));
        let suffixes = suffixes.chain(packed).chain(["_error", "_signature"].map(str::to_owned));
        suffixes.map(|suffix| format!("weft_{}{suffix}", self.entry.name))
    }

    /// Its types, as JSON: what `weft_f_signature` gives.
    pub(super) fn signature(&self, machine: Machine<'_>) -> String {
        let names = |argument: usize| self.extents.get(argument).map_or(&[][..], Vec::as_slice);
        let extents = |tensor: &TensorType, names: &[String]| -> Vec<Json> {
            let extent = |(dimension, extent): (usize, &Option<usize>)| match (extent, names.get(dimension)) {
                (Some(extent), _) => json!(extent),
                (None, Some(name)) if !name.is_empty() => json!(name),
                (None, _) => Json::Null,
            };
            tensor.shape.iter().enumerate().map(extent).collect()
        };
        let argument = |(index, (argument, name)): (usize, (&ArgumentType, &String))| match argument {
            ArgumentType::Tensor(tensor) => {
                json!({"name": name, "type": tensor.element.to_string(), "extents": extents(tensor, names(index))})
            }
            ArgumentType::Scalar(kind) => json!({"name": name, "type": Element::new(*kind, false).to_string()}),
        };
        let result = |(tensor, name): (&TensorType, &String)| json!({"name": name, "type": tensor.element.to_string(), "extents": extents(tensor, &[])});
        let (cpu, features) = match machine {
            Machine::Cpu(cpu) => (cpu.to_string(), cpu.features()),
            Machine::Cuda => ("cuda".to_owned(), Vec::new()),
        };
        let entry = &self.entry;
        let signature = json!({
            "interface": INTERFACE,
            "name": entry.name,
            "cpu": cpu,
            "features": features,
            "arguments": entry.arguments.iter().zip(&self.arguments).enumerate().map(argument).collect::<Vec<_>>(),
            "results": entry.results.iter().zip(&self.results).map(result).collect::<Vec<_>>(),
        });
        signature.to_string()
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
