//! `--cpu-threads`: parallel loops become OpenMP's.
//!
//! ```text
//! scf.parallel (%s, %t) = (0, 0) to (%n, %m) {          %k = llvm.call @weft_num_threads()
//!   %w = memref.alloc() : memref<4x512xf32>             omp.parallel num_threads(min(%k, %n * %m)) {
//!   ...                                          ──▶      %w = memref.alloc() : memref<4x512xf32>
//!   memref.dealloc %w }                                   omp.wsloop schedule(dynamic) {
//!                                                           omp.loop_nest (%s, %t) = (0, 0) to (%n, %m) collapse(2) { ... } }
//!                                                         memref.dealloc %w }
//! ```
//!
//! Three things are done that `--convert-scf-to-openmp` does not: who runs the program says how many threads there are
//! (`weft_num_threads`), a thread that is late gets fewer iterations, and windows are allocated once a thread, not once a tile.

use crate::ir::{Builder, Key, is, is_outermost_parallel, key, one_block, only_block, symbol};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, OperationRef, Value,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashSet;

/// The pass.
pub struct CpuThreads;

const LOOPS: Statistic = Statistic::new(c"loops", c"Loops whose iterations are shared among threads");

/// Gives the number of threads: an `i32`, at least 1. Who compiles the module defines it.
const NUM_THREADS: &str = "weft_num_threads";

impl Pass for CpuThreads {
    const ARGUMENT: &'static str = "cpu-threads";
    const SUMMARY: &'static str = "Turn parallel loops into OpenMP's, with memory for each thread";
    const DESCRIPTION: &'static str = "\
Turns each outermost `scf.parallel` without results into an `omp.parallel` around an `omp.wsloop` with a dynamic schedule. The number \
of threads is what `weft_num_threads` gives, but not more than there are iterations. Memory that an iteration allocates, of extents that do not depend on the iteration, \
is allocated once for a thread.";
    const STATISTICS: &'static [Statistic] = &[LOOPS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::llvm(),
            DialectHandle::memref(),
            mlir_glue::tool::omp(),
        ]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let loops: Vec<_> = ir::walk(module).into_iter().filter(|op| is_outermost_parallel(*op)).collect();
        if !loops.is_empty() {
            declare(module, cx);
        }
        for op in loops {
            share(op, cx);
            cx.count(LOOPS, 1);
        }
        Ok(())
    }
}

/// Declares the function that gives the number of threads.
fn declare<'c: 'a, 'a>(module: OperationRef<'c, 'a>, cx: &PassContext<'c>) {
    let body = only_block(module);
    if ir::operations(body).any(|op| symbol(op) == NUM_THREADS) {
        return;
    }
    let b = Builder::at_end(cx.context(), body, module.location());
    b.declare(NUM_THREADS, &[], b.integer_type(32));
}

/// Replaces a loop.
fn share<'c: 'a, 'a>(op: OperationRef<'c, 'a>, cx: &PassContext<'c>) {
    let b = Builder::before(cx.context(), op);
    let body = only_block(op);
    let operands: Vec<Value> = op.operands().collect();
    let rank = body.argument_count();
    let int = b.integer_type(32);
    let threads = b.call(NUM_THREADS, &[], int);
    let wanted = b.value("arith.index_cast", &[threads], b.index_type(), &[]);
    // Steps of our loops are 1; of others' there are at most as many iterations.
    let iterations =
        (0..rank).map(|d| b.arith("subi", operands[rank + d], operands[d])).reduce(|all, n| b.arith("muli", all, n));
    let threads =
        iterations.map_or(wanted, |iterations| b.arith("maxsi", b.arith("minsi", wanted, iterations), b.index(1)));
    let threads = b.value("arith.index_cast", &[threads], int, &[]);

    let none: &[Value] = &[];
    let operands_of_parallel = [none, none, none, &[threads], none, none];
    let parallel = b.op_in_groups("omp.parallel", &operands_of_parallel, &[], &[], vec![one_block(&[])]);
    let end = Builder::at_end(b.context(), only_block(parallel), b.location()).op("omp.terminator", &[], &[], &[]);
    let each = Builder::before(b.context(), end).located(b.location());

    let inside: HashSet<Key> =
        ir::operations(body).flat_map(|op| op.results().map(|value| key(value.into())).collect::<Vec<_>>()).collect();
    let indices: HashSet<Key> =
        (0..rank).filter_map(|index| body.argument(index).ok()).map(|index| key(index.into())).collect();
    let is_known = |op: &OperationRef<'c, 'a>| {
        !op.operands().any(|extent| inside.contains(&key(extent)) || indices.contains(&key(extent)))
    };
    let own: Vec<_> = ir::operations(body).filter(|op| is(*op, "memref.alloc") && is_known(op)).collect();
    for alloc in &own {
        each.move_here(*alloc);
    }
    let kind = ("schedule_kind", b.parse_attribute("#omp<schedulekind dynamic>"));
    let shared = each.op_in_groups("omp.wsloop", &[none; 7], &[], &[kind], vec![one_block(&[])]);
    let inside = Builder::at_end(b.context(), only_block(shared), b.location());
    let region = one_block(&vec![(b.index_type(), b.location()); rank]);
    // All loops together: of the outer ones alone there may be fewer iterations than threads.
    // A loop has few dimensions.
    let collapse = ("collapse_num_loops", b.i64_attribute(rank as i64));
    let nest = inside.op_with_regions("omp.loop_nest", &operands, &[], &[collapse], vec![region]);
    let iteration = only_block(nest);
    for index in 0..rank {
        let argument = |block: melior::ir::BlockRef<'c, 'a>| -> Value<'c, 'a> {
            block.argument(index).expect("an index for each loop").into()
        };
        ir::replace_all_uses(argument(body), argument(iteration));
    }
    let end = Builder::at_end(b.context(), iteration, b.location()).op("omp.yield", &[], &[], &[]);
    let last = body.terminator();
    for inner in ir::operations(body).filter(|inner| Some(*inner) != last).collect::<Vec<_>>() {
        let is_own = is(inner, "memref.dealloc")
            && ir::operand(inner, 0).and_then(ir::defining_op).is_some_and(|alloc| own.contains(&alloc));
        if is_own {
            each.move_here(inner);
        } else {
            ir::mutable(inner).move_before(end);
        }
    }
    ir::erase(op);
}
