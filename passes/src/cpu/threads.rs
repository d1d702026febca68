//! What code asks of the threads that run it.

use crate::ir::{Builder, only_block, symbol};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use mlir_glue::{PassContext, ir};

/// Gives the number of threads: an `i32`, at least 1, always the same one. Who compiles the module defines it.
const NUM_THREADS: &str = "weft_num_threads";

/// OpenMP's number of the thread that asks: an `i32`, below that of threads.
const THREAD_NUM: &str = "omp_get_thread_num";

/// How many threads there are at most.
pub fn count<'c: 'a, 'a>(b: &Builder<'c, 'a>) -> Value<'c, 'a> {
    ask(b, NUM_THREADS)
}

/// Which of them this is.
pub fn number<'c: 'a, 'a>(b: &Builder<'c, 'a>) -> Value<'c, 'a> {
    ask(b, THREAD_NUM)
}

/// Declares [`count`] and, for who wants it, [`number`] in a module that has them not.
pub fn declare<'c: 'a, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>, numbers: bool) {
    let body = only_block(module);
    for name in [Some(NUM_THREADS), numbers.then_some(THREAD_NUM)].into_iter().flatten() {
        if !ir::operations(body).any(|op| symbol(op) == name) {
            let b = Builder::at_end(cx.context(), body, module.location());
            b.declare(name, &[], b.integer_type(32));
        }
    }
}

fn ask<'c: 'a, 'a>(b: &Builder<'c, 'a>, what: &str) -> Value<'c, 'a> {
    let answer = b.call(what, &[], b.integer_type(32));
    b.value("arith.index_cast", &[answer], b.index_type(), &[])
}
