//! Changed texts: whatever verifies must survive any passes in any order, refused or not, and in bounded time and memory.
//!
//! ```text
//! examples, inputs of tests, random programs ─ other numbers, types, modes, operands, lines ─▶ verifies? ─▶ a pass, twice, some, a pipeline
//! ```
//!
//! Texts are [IR](Language::Mlir) or [Forma](forma), which `words` tells apart in pieces. What ends the process ends that of a batch,
//! which has said which seed it was at: see `weft-mutants`.

mod forma;
mod mlir;
mod words;

use crate::choices::Choices;
pub use mlir::Outcome;
use std::path::{Path, PathBuf};
pub use words::Language;
use words::changed;

/// Texts to change: of IR one for each part of a file that tests split.
pub struct Sources {
    language: Language,
    texts: Vec<String>,
}

impl Sources {
    /// Every file of the language below these folders; for Forma also what it can say of the MLIR there.
    ///
    /// # Errors
    ///
    /// What cannot be read.
    pub fn read(language: Language, folders: &[PathBuf]) -> Result<Self, String> {
        // What tests say in comments is for them.
        let split = files(folders, "mlir")?.into_iter();
        let split = split.flat_map(|text| text.split("// -----").map(without_comments).collect::<Vec<_>>());
        let texts = match language {
            Language::Mlir => split.collect(),
            Language::Forma => {
                let whole = files(folders, weft_tools::FORMA)?;
                split.filter_map(|text| forma::exported(&text)).chain(whole).collect()
            }
        };
        Ok(Self { language, texts })
    }

    /// The text of a seed, changed, and the passes to run.
    pub fn mutant(&self, seed: u64) -> (String, String) {
        let mut choices = Choices::random(seed);
        let text = match self.language {
            Language::Mlir => mlir::drawn(&self.texts, &mut choices),
            Language::Forma => forma::drawn(&self.texts, &mut choices),
        };
        let text = changed(&text, self.language, &mut choices);
        // What passes do is tried with IR; here one text in ten meets them, as they take longer than all before.
        let is_short = self.language == Language::Forma && !choices.chance(10);
        (text, if is_short { String::new() } else { mlir::passes(&mut choices) })
    }

    /// Tries a text; what is said is thrown away, and `verified` called where it has verified.
    pub fn try_text(&self, text: &str, passes: &str, verified: impl FnOnce()) -> Outcome {
        match self.language {
            Language::Mlir => mlir::try_text(text, passes, verified),
            Language::Forma => forma::try_text(text, passes, verified),
        }
    }
}

/// The text of every file below these folders that is called so, in the order of their names.
fn files(folders: &[PathBuf], extension: &str) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for folder in folders {
        collect(folder, extension, &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    files.sort();
    let read = |file: &PathBuf| std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()));
    files.iter().map(read).collect()
}

fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, extension, files)?;
        } else if path.extension().is_some_and(|of| of == extension) {
            files.push(path);
        }
    }
    Ok(())
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}
