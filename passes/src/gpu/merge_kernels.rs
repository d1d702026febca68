//! `--merge-kernels`: kernels that do the same become one.
//!
//! ```text
//! gpu.module @f_kernels {                                     gpu.module @f_kernels {
//!   gpu.func @f_g0(%src, %dst) kernel { ... }                   gpu.func @f_g0(%src, %dst) kernel { ... }
//!   gpu.func @f_g1(%src, %dst) kernel { the same } }    ──▶   }
//! gpu.launch_func @f_kernels::@f_g0 ... args(%img, %a)        gpu.launch_func @f_kernels::@f_g0 ... args(%img, %a)
//! gpu.launch_func @f_kernels::@f_g1 ... args(%a, %b)          gpu.launch_func @f_kernels::@f_g0 ... args(%a, %b)
//! ```
//!
//! A kernel gets its images, their extents and its numbers as arguments, so the levels of a pyramid, the links of a chain and
//! the layers of a network often come to the same code, which is then compiled once. Nothing is launched less often.

use crate::ir::{is, symbol};
use melior::ir::{
    Attribute, OperationRef,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashMap;

/// The pass.
pub struct MergeKernels;

const MERGED: Statistic = Statistic::new(c"merged", c"Kernels that were the same as another");

impl Pass for MergeKernels {
    const ARGUMENT: &'static str = "merge-kernels";
    const SUMMARY: &'static str = "Make one kernel of those that do the same";
    const DESCRIPTION: &'static str = "\
Of the kernels of a `gpu.module` that differ in nothing but name and locations the first is kept, and is launched wherever another \
one was.";
    const STATISTICS: &'static [Statistic] = &[MERGED];
    type Options = ();

    fn dialects(_: RegistryRef) {}

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let all = ir::walk(module);
        let named = |name: &str| all.iter().copied().filter(move |op| is(*op, name)).collect::<Vec<_>>();
        // Which kernel is launched in place of one that goes.
        let mut instead: HashMap<Attribute, Attribute> = HashMap::new();
        let mut gone: Vec<OperationRef> = Vec::new();
        for kernels in named("gpu.module") {
            let inside = |func| ir::nested_symbol(cx.context(), symbol(kernels), symbol(func));
            let mut kept: Vec<OperationRef> = Vec::new();
            for func in named("gpu.func").into_iter().filter(|op| op.parent_operation() == Some(kernels)) {
                match kept.iter().find(|other| are_same(**other, func)) {
                    Some(other) => {
                        instead.insert(inside(func), inside(*other));
                        gone.push(func);
                    }
                    None => kept.push(func),
                }
            }
        }
        for launch in named("gpu.launch_func") {
            let kernel = launch.attribute("kernel").ok();
            if let Some(other) = kernel.and_then(|kernel| instead.get(&kernel)) {
                ir::mutable(launch).set_attribute("kernel", *other);
            }
        }
        cx.count(MERGED, gone.len());
        gone.into_iter().for_each(ir::erase);
        Ok(())
    }
}

/// Whether two kernels differ in name and locations only.
fn are_same(a: OperationRef, b: OperationRef) -> bool {
    let attributes = |op: OperationRef| {
        let named = op.attributes().filter(|(name, _)| name.as_string_ref().as_str() != Ok("sym_name"));
        named.map(|(_, attribute)| attribute.to_string()).collect::<Vec<_>>()
    };
    attributes(a) == attributes(b) && ir::have_equal_regions(a, b)
}
