//! `--cpu-threads`: parallel loops become OpenMP's.
//!
//! ```text
//! scf.parallel (%s, %t) = (0, 0) to (%n, %m) {          %k = llvm.call @weft_num_threads()
//!   ... }                                               omp.parallel num_threads(%k = min(%k, %n * %m)) {
//!                                                ──▶      omp.wsloop schedule(dynamic = max(%n * %m / (32 * %k), 1)) {
//!                                                           omp.loop_nest (%s, %t) = (0, 0) to (%n, %m) collapse(2) { ... } } }
//! ```
//!
//! Two things are done that `--convert-scf-to-openmp` does not: who runs the program says how many threads there are
//! (`weft_num_threads`), and a thread that is late gets fewer iterations. Each asks for some at a time where there are many: tiles can be as
//! small as a row of a few channels, and threads that ask for one at a time wait for each other.

use super::threads;
use crate::ir::{Builder, constant_index, is_outermost_parallel, one_block, only_block};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, OperationRef, Value,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};

/// The pass.
pub struct CpuThreads;

const LOOPS: Statistic = Statistic::new(c"loops", c"Loops whose iterations are shared among threads");

impl Pass for CpuThreads {
    const ARGUMENT: &'static str = "cpu-threads";
    const SUMMARY: &'static str = "Turn parallel loops into OpenMP's";
    const DESCRIPTION: &'static str = "\
Turns each outermost `scf.parallel` without results into an `omp.parallel` around an `omp.wsloop` with a dynamic schedule. The number \
of threads is what `weft_num_threads` gives, but not more than there are iterations; where there are many, a thread takes several \
at a time.";
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
            threads::declare(cx, module, false);
        }
        for op in loops {
            share(op, cx);
            cx.count(LOOPS, 1);
        }
        Ok(())
    }
}

/// Times that each thread asks for iterations, about.
const CHUNKS: i64 = 32;

/// Replaces a loop.
fn share<'c: 'a, 'a>(op: OperationRef<'c, 'a>, cx: &PassContext<'c>) {
    let b = Builder::before(cx.context(), op);
    let body = only_block(op);
    let operands: Vec<Value> = op.operands().collect();
    let rank = body.argument_count();
    let int = b.integer_type(32);
    let wanted = threads::count(&b);
    let along = |d: usize| {
        let extent = b.arith("subi", operands[rank + d], operands[d]);
        let step = operands[2 * rank + d];
        if constant_index(step) == Some(1) { extent } else { b.arith("ceildivsi", extent, step) }
    };
    let iterations = (0..rank).map(along).reduce(|all, n| b.arith("muli", all, n));
    let threads =
        iterations.map_or(wanted, |iterations| b.arith("maxsi", b.arith("minsi", wanted, iterations), b.index(1)));
    let chunk = iterations.map(|iterations| {
        let times = b.arith("muli", threads, b.index(CHUNKS));
        b.arith("maxsi", b.arith("divsi", iterations, times), b.index(1))
    });
    let threads = b.value("arith.index_cast", &[threads], int, &[]);

    let none: &[Value] = &[];
    let operands_of_parallel = [none, none, none, &[threads], none, none];
    let parallel = b.op_in_groups("omp.parallel", &operands_of_parallel, &[], &[], vec![one_block(&[])]);
    let end = Builder::at_end(b.context(), only_block(parallel), b.location()).op("omp.terminator", &[], &[], &[]);
    let each = Builder::before(b.context(), end).located(b.location());

    let kind = ("schedule_kind", b.parse_attribute("#omp<schedulekind dynamic>"));
    let operands_of_loop = [none, none, none, none, none, none, chunk.as_slice()];
    let shared = each.op_in_groups("omp.wsloop", &operands_of_loop, &[], &[kind], vec![one_block(&[])]);
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
        ir::mutable(inner).move_before(end);
    }
    ir::erase(op);
}
