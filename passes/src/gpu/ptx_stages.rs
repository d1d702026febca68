//! The stage of each part of PTX text, as a comment beside the line that it is of.
//!
//! ```text
//! .loc 1 17 11                       .loc 1 17 11    // blurx
//! add.rn.f32 %r288, ...        ──▶   add.rn.f32 %r288, ...
//! .loc 1 26 11                       .loc 1 26 11    // blury
//! ```
//!
//! Of an op's location LLVM keeps the position and nothing else, so the stage is looked up by that, in the ops of the kernel. A position
//! that several stages share has the names of all. A comment stands where another stage begins; what is of none is the kernel's.

use crate::ir::{is, location::stage_at, symbol};
use melior::ir::{Location, OperationRef, operation::OperationLike};
use mlir_glue::ir;
use std::collections::{BTreeSet, HashMap};

/// Line and column.
type Position = (usize, usize);

/// PTX of kernels in the llvm dialect with a comment where another stage begins; without lines of a source it has none.
pub fn with_stages(ptx: String, kernels: OperationRef) -> String {
    if !ptx.lines().any(|line| position_in(line).is_some()) {
        return ptx;
    }
    let functions = ir::walk(kernels).into_iter().filter(|op| is(*op, "llvm.func"));
    let functions: HashMap<&str, _> = functions.map(|func| (symbol(func), stages_of(func))).collect();
    let mut text = String::with_capacity(ptx.len() + ptx.len() / 8);
    let (mut kernel, mut last) = ("", String::new());
    for line in ptx.lines() {
        text.push_str(line);
        if let Some((_, name)) = line.split_once(".entry ") {
            kernel = name.trim_end_matches('(');
            last.clear();
        }
        let stages = position_in(line).and_then(|position| functions.get(kernel)?.get(&position));
        if let Some(stages) = stages {
            let names =
                if stages.is_empty() { kernel.to_owned() } else { Vec::from_iter(stages.iter().copied()).join(", ") };
            if names != last {
                text.push_str(&format!("\t// {}", names.escape_debug()));
                last = names;
            }
        }
        text.push('\n');
    }
    text
}

/// The position that a directive `.loc` says; 0 as a line says none.
fn position_in(line: &str) -> Option<Position> {
    let mut numbers = line.strip_prefix("\t.loc\t")?.split_whitespace().skip(1).map(str::parse);
    let position = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (position.0 != 0).then_some(position)
}

/// The stages of each position in a kernel.
fn stages_of<'c>(func: OperationRef<'c, '_>) -> HashMap<Position, BTreeSet<&'c str>> {
    let mut stages: HashMap<Position, BTreeSet<&str>> = HashMap::new();
    for op in ir::walk(func) {
        let location = op.location();
        if let Some(position) = position_of(location) {
            stages.entry(position).or_default().extend(stage_at(location));
        }
    }
    stages
}

/// The first position of a location, which is what LLVM gets.
fn position_of(location: Location) -> Option<Position> {
    if location.is_file_line_col_range() {
        return Some((location.file_line_col_range_start_line(), location.file_line_col_range_start_column()));
    }
    if location.is_name() {
        return position_of(location.name_child_location());
    }
    (location.is_fused() && location.fused_num_locations() > 0)
        .then(|| position_of(location.fused_location(0)))
        .flatten()
}
