//! `--copy-results`: what is returned as it was given becomes a stage.
//!
//! ```text
//! func @f(%img) {                                   func @f(%img) {
//!   %t = arith.constant dense<[1.0, 2.0]>             %t = arith.constant dense<[1.0, 2.0]>
//!   return %img, %t }                      ──▶        %a = stage "img_copy" (%y, %x) { yield load %img[%y, %x] }
//!                                                     %b = stage "table" (%x) { yield load %t[%x] }
//!                                                     return %a, %b }
//! ```
//!
//! A table has no memory of its own until loads read it, and a program has work. So a table that is a result, or a state of an iterate, is copied
//! by a stage, and an argument that is a result where nothing else is done. Beside other work an argument is copied as memory is.

use super::copy::copy;
use crate::ir::{Builder, TakenNames, is, is_table, program, table_name};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, OperationRef,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::{pipeline::Iterate, weft};

/// The pass.
pub struct CopyResults;

const COPIED: Statistic = Statistic::new(c"copied", c"Tables and arguments that a stage copies");

impl Pass for CopyResults {
    const ARGUMENT: &'static str = "copy-results";
    const SUMMARY: &'static str = "Make stages of what is returned as it was given";
    const DESCRIPTION: &'static str = "\
A table that is a result of a program, or that an iterate begins with or yields, becomes a stage that is a copy of it; so does an argument \
that is a result of a program without work. Beside work, lowerings copy arguments themselves.";
    const STATISTICS: &'static [Statistic] = &[COPIED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            let block = program::entry(func)?;
            let units = program::units(func);
            let mut names: TakenNames = units.iter().map(|unit| unit.name().to_owned()).collect();
            let is_end = |op: &OperationRef<'c, '_>| {
                let is_state = || is(*op, "pipeline.yield") && op.parent_operation().and_then(Iterate::of).is_some();
                Iterate::of(*op).is_some() || Some(*op) == block.terminator() || is_state()
            };
            for user in ir::walk(func).into_iter().filter(is_end).collect::<Vec<_>>() {
                for (number, value) in user.operands().enumerate().collect::<Vec<_>>() {
                    let name = match ir::defining_op(value) {
                        Some(op) if is_table(op) => table_name(value).to_owned(),
                        None if units.is_empty() => {
                            let argument = ir::arguments(block).position(|argument| argument == value);
                            let name = argument.and_then(|number| weft::name_at(func, false, number));
                            format!("{}_copy", name.unwrap_or("image"))
                        }
                        _ => continue,
                    };
                    let b = Builder::before(cx.context(), user).located(user.location());
                    ir::mutable(user).set_operand(number, copy(&b, value, &names.like(&name)));
                    cx.count(COPIED, 1);
                }
            }
        }
        Ok(())
    }
}
