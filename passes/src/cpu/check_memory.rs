//! `--check-memory`: a program runs only where it has got its memory.
//!
//! ```text
//! %a = memref.alloc(%h, %w)                  %a = memref.alloc(%h, %w)
//! omp.parallel { ... %a ... }                %has = address of %a != 0
//! memref.dealloc %a                 ──▶      scf.if %has {
//!                                              omp.parallel { ... %a ... } }
//!                                            memref.dealloc %a
//!                                            scf.if not %has {
//!                                              llvm.call @weft_no_memory("... not enough memory ...") }
//! ```
//!
//! `malloc` gives nothing where there is none, and who writes there ends the process of who called. What was got is freed in
//! any case: nothing may be. Memory of threads is allocated at the start, too (`--thread-windows`).

use super::memory::behind_checks;
use crate::ir::{Builder, Compare, is, only_block, symbol};
use melior::{
    dialect::{DialectHandle, llvm},
    ir::{BlockLike, OperationRef, RegionLike, Value, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, run::place};

/// The pass.
pub struct CheckMemory;

const CHECKED: Statistic = Statistic::new(c"checked", c"Allocations behind which is asked whether there was memory");

/// `void weft_no_memory(const char *message)`: who runs the program tells its caller so. It is no assertion: the arguments were right.
const NO_MEMORY: &str = "weft_no_memory";

impl Pass for CheckMemory {
    const ARGUMENT: &'static str = "check-memory";
    const SUMMARY: &'static str = "Run a program only where it has got its memory";
    const DESCRIPTION: &'static str = "\
Asks behind the `memref.alloc`s of a function whether they gave memory. Without it the work is left out, what was allocated is freed, \
and at the function's end `weft_no_memory` is called, which is the runtime's, with a message. Allocations count that stand at the \
function's start, before anything uses them. A function that returns what it computes behind them is left as it is.";
    const STATISTICS: &'static [Statistic] = &[CHECKED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        let ours = [DialectHandle::arith(), DialectHandle::llvm(), DialectHandle::memref(), DialectHandle::scf()];
        registry.insert(&ours);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let body = only_block(module);
        let funcs: Vec<_> = ir::operations(body).filter(|op| is(*op, "func.func")).collect();
        let messages: Vec<_> = funcs.into_iter().filter_map(|func| check(cx, func)).collect();
        let b = Builder::at_end(cx.context(), body, module.location());
        if !messages.is_empty() && !ir::operations(body).any(|op| symbol(op) == NO_MEMORY) {
            b.declare(NO_MEMORY, &[llvm::r#type::pointer(cx.context(), 0)], llvm::r#type::void(cx.context()));
        }
        messages.iter().for_each(|Message { name, text }| b.text(name, text));
        Ok(())
    }
}

/// What is said where a function has no memory, and the constant that has it.
struct Message {
    name: String,
    text: String,
}

/// Checks the allocations of a function, if it has any.
fn check<'c: 'a, 'a>(cx: &PassContext<'c>, func: OperationRef<'c, 'a>) -> Option<Message> {
    let block = func.region(0).ok().and_then(|region| region.first_block())?;
    // Constants stand before all that is made here.
    let first = ir::operations(block).find(|op| !is(*op, "arith.constant"));
    let (first, end) = (first?, block.terminator()?);
    let ops: Vec<_> = ir::operations(block).skip_while(|op| *op != first).collect();
    let checks = behind_checks(&ops);
    let start = checks + ops[checks..].iter().take_while(|op| is_preparation(**op)).count();
    // What is returned has to be computed in any case.
    if end.operands().filter_map(ir::defining_op).any(|op| ops[start..].contains(&op)) {
        return None;
    }
    let allocs: Vec<_> = ops[checks..start].iter().copied().filter(|op| is(*op, "memref.alloc")).collect();
    let at_end = Builder::before(cx.context(), end).located(func.location());
    let next = *ops.get(start)?;
    let has = has_memory(cx, &allocs, next)?;
    let work = Builder::before(cx.context(), next).located(func.location()).if_then(has);
    let is_theirs = |op: OperationRef<'c, 'a>| {
        let freed = ir::operand(op, 0).and_then(ir::defining_op);
        is(op, "memref.dealloc") && freed.is_some_and(|alloc| allocs.contains(&alloc))
    };
    for op in ops[start..].iter().copied().filter(|op| *op != end) {
        if is_theirs(op) { at_end.move_here(op) } else { work.move_here(op) }
    }
    let without = at_end.if_then(at_end.not(has));
    let name = format!("{NO_MEMORY}_{}", symbol(func));
    let pointer = llvm::r#type::pointer(cx.context(), 0);
    let text = without.value("llvm.mlir.addressof", &[], pointer, &[("global_name", without.symbol_attribute(&name))]);
    without.call_void(NO_MEMORY, &[text]);
    let text = format!("{}: not enough memory for the images between stages", place(func.location()));
    Some(Message { name, text })
}

/// Whether all of these gave memory, asked before an op; `None` where there are none.
fn has_memory<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    allocs: &[OperationRef<'c, 'a>],
    before: OperationRef<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let b = Builder::before(cx.context(), before).located(allocs.first()?.location());
    cx.count(CHECKED, allocs.len());
    let asked = allocs.iter().filter_map(|alloc| ir::result(*alloc, 0)).map(|memory| {
        let address = b.value("memref.extract_aligned_pointer_as_index", &[memory], b.index_type(), &[]);
        b.compare(Compare::NotEqual, address, b.index(0))
    });
    asked.reduce(|all, one| b.logic("andi", all, one))
}

/// Whether an op, with all that it holds, neither reads nor writes memory, nor frees any.
fn is_preparation(op: OperationRef) -> bool {
    const NAMES: [&str; 12] = [
        "llvm.call",
        "memref.alloc",
        "memref.alloca",
        "memref.cast",
        "memref.dim",
        "memref.extract_aligned_pointer_as_index",
        "memref.extract_strided_metadata",
        "memref.subview",
        "memref.transpose",
        "memref.view",
        "scf.if",
        "scf.yield",
    ];
    let is_one = |op: OperationRef| ir::name_of(op).starts_with("arith.") || NAMES.contains(&ir::name_of(op));
    ir::walk(op).into_iter().all(is_one)
}
