//! What there is to register, passes and named pipelines alike, and the reference of them.

use crate::{
    pass::{DeclaredValue, OptionDeclaration, Options, Pass, Statistic, register_pass},
    pipeline::{Pipeline, register_pipeline},
};

/// A pass or a pipeline that can be registered, and what the reference says of it.
pub struct Registration {
    /// Its argument.
    pub argument: &'static str,
    /// Whether it is a named pipeline.
    pub is_pipeline: bool,
    /// One line.
    pub summary: &'static str,
    /// Paragraphs.
    pub description: &'static str,
    /// Its options.
    pub options: fn() -> Vec<OptionDeclaration>,
    /// Names and help of its statistics.
    pub statistics: &'static [Statistic],
    register: fn(),
}

impl Registration {
    /// A pass.
    pub const fn pass<P: Pass>() -> Self {
        Self {
            argument: P::ARGUMENT,
            is_pipeline: false,
            summary: P::SUMMARY,
            description: P::DESCRIPTION,
            options: P::Options::declared,
            statistics: P::STATISTICS,
            register: register_pass::<P>,
        }
    }

    /// A pipeline.
    pub const fn pipeline<P: Pipeline>() -> Self {
        Self {
            argument: P::ARGUMENT,
            is_pipeline: true,
            summary: P::SUMMARY,
            description: P::DESCRIPTION,
            options: P::Options::declared,
            statistics: &[],
            register: register_pipeline::<P>,
        }
    }

    /// Makes it known to MLIR's pass registry. A second registration of the same argument changes nothing.
    pub fn register(&self) {
        (self.register)();
    }

    /// The ODS record of a pass, from which `mlir-tblgen --gen-pass-doc` writes the reference.
    pub fn to_tablegen(&self) -> String {
        let record: String = self.argument.split('-').map(capitalised).collect();
        let mut text =
            format!("def {record} : Pass<\"{}\"> {{\n  let summary = \"{}\";\n", self.argument, self.summary);
        text += &format!("  let description = [{{\n{}\n  }}];\n", self.description.trim());
        let options: Vec<String> = (self.options)().iter().map(option_record).collect();
        if !options.is_empty() {
            text += &format!("  let options = [{}];\n", options.join(",\n    "));
        }
        let statistics: Vec<String> = self
            .statistics
            .iter()
            .map(|s| format!("Statistic<\"s\", \"{}\", \"{}\">", s.name.to_string_lossy(), s.help.to_string_lossy()))
            .collect();
        if !statistics.is_empty() {
            text += &format!("  let statistics = [{}];\n", statistics.join(",\n    "));
        }
        text + "}\n"
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

/// The ODS record of an option.
fn option_record(option: &OptionDeclaration) -> String {
    let written = option.value.written();
    let (kind, default) = match &option.value {
        DeclaredValue::Bool(_) => ("bool", written),
        DeclaredValue::Int(_) => ("int64_t", written),
        DeclaredValue::String(_) => ("std::string", format!("\\\"{written}\\\"")),
        DeclaredValue::Choice(..) => ("enum", written),
    };
    let help = option.help_text();
    format!("Option<\"o\", \"{}\", \"{kind}\", /*default=*/\"{default}\", \"{help}\">", option.name)
}
