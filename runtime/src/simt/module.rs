//! PTX texts, ready to run.

use std::collections::HashMap;

use super::decode::decode;
use super::error::Error;
use super::memory::module_address;
use super::parser::parse;
use super::program::Kernel;
use super::report::Source;
use super::stages::Stages;
use super::tree::{Entry, Loc};

/// The kernels of a PTX text, and the bytes of each parameter. Their instructions need not be known.
pub fn signatures(text: &str) -> Result<Vec<(String, Vec<u64>)>, Error> {
    let sizes = |entry: &Entry| entry.params.iter().map(|param| param.size).collect();
    Ok(parse(text)?.entries.iter().map(|entry| (entry.name.clone(), sizes(entry))).collect())
}

/// A PTX text, ready to run.
#[derive(Debug)]
pub struct Module {
    target: String,
    pub(super) kernels: Vec<Kernel>,
    /// Size and contents of the global variables.
    pub(super) variables: Vec<(u64, Option<Vec<u8>>)>,
    files: HashMap<u32, String>,
    pub(super) stages: Stages,
    pub(super) text: String,
}

impl Module {
    /// Parses and decodes a text. Every instruction of every kernel must be known.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let tree = parse(text)?;
        let kernels = tree.entries.iter().map(|entry| decode(&tree, entry)).collect::<Result<_, _>>()?;
        let names: Vec<&str> = tree.global_variables().map(|variable| variable.name.as_str()).collect();
        let mut variables = Vec::new();
        for variable in tree.global_variables() {
            let mut bytes = variable.bytes.clone();
            for (place, name, offset) in &variable.symbols {
                let index = names.iter().position(|other| other == name);
                let (Some(index), Some(bytes)) = (index, &mut bytes) else {
                    return Err(Error::launch(format!("variable {}: {name} is not declared", variable.name)));
                };
                let address = module_address(index).wrapping_add(*offset);
                if let Some(target) = bytes.get_mut(*place..place + 8) {
                    target.copy_from_slice(&address.to_le_bytes());
                }
            }
            variables.push((variable.size, bytes));
        }
        let files = tree.files.iter().cloned().collect();
        let (stages, text) = (Stages::of(text), text.to_owned());
        Ok(Module { target: tree.target, kernels, variables, files, stages, text })
    }

    /// The `.target`, for example `sm_90`.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The names of the kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|kernel| kernel.name.as_str())
    }

    /// What is said where it has no kernel of this name.
    pub(crate) fn no_kernel(&self, name: &str) -> String {
        let names: Vec<&str> = self.kernels().collect();
        match names.is_empty() {
            true => format!("found no kernel {name}, there is none"),
            false => format!("found no kernel {name}, expected one of {}", names.join(", ")),
        }
    }

    /// The bytes of each parameter of a kernel.
    pub fn parameters(&self, kernel: &str) -> Option<Vec<u64>> {
        let kernel = self.kernels.iter().find(|other| other.name == kernel)?;
        Some(kernel.params.iter().map(|param| param.size).collect())
    }

    /// The block size that a kernel demands (`.reqntid`), if it does.
    pub fn required_block(&self, kernel: &str) -> Option<[u32; 3]> {
        self.kernels.iter().find(|other| other.name == kernel)?.block
    }

    /// Bytes of shared memory that a kernel declares, without the room that the executor leaves between variables.
    pub fn shared_bytes(&self, kernel: &str) -> Option<u64> {
        let kernel = self.kernels.iter().find(|other| other.name == kernel)?;
        Some(kernel.shared.iter().map(|(_, size)| size).sum())
    }

    /// Where an instruction comes from.
    pub(super) fn source(&self, loc: Option<Loc>) -> Option<Source> {
        let loc = loc?;
        let file = self.files.get(&loc.file).cloned().unwrap_or_else(|| format!("file {}", loc.file));
        Some(Source { file, line: loc.line, column: loc.column })
    }
}
