//! `--large-pages`: memory of large images is asked for in large pages.
//!
//! ```text
//!                                             %m = memref.alloc(%h, %w) : memref<?x?xf32>
//! %m = memref.alloc(%h, %w)           ──▶     scf.if %h * %w * 4 >= 4194304 {
//!                                               llvm.call @madvise(page of %m, bytes, MADV_HUGEPAGE) }
//! ```
//!
//! The first touch of a page waits for the system, which clears it; a later one may wait for its address. Of an image of tens of
//! megabytes there are ten thousand pages, or some tens of large ones. Linux gives these to who asks, as NumPy does for its arrays. It is
//! advice: where it is not taken, nothing changes.

use super::memory::Bytes;
use crate::ir::{Builder, Compare, is, only_block, symbol};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, RegionLike, Value, ValueLike, operation::OperationLike, r#type::MemRefType},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};

/// The pass.
pub struct LargePages;

const ADVISED: Statistic = Statistic::new(c"advised", c"Buffers that are asked for in large pages, if they are large");

/// Bytes from which on it is worth a call of the system: two large pages.
const LEAST: i64 = 4 << 20;

/// Bytes of the pages that advice is given for.
const PAGE: i64 = 4096;

/// Linux's number of this advice.
const MADV_HUGEPAGE: i64 = 14;

const MADVISE: &str = "madvise";

impl Pass for LargePages {
    const ARGUMENT: &'static str = "large-pages";
    const SUMMARY: &'static str = "Ask Linux for large pages for the memory of large images";
    const DESCRIPTION: &'static str = "\
Behind each `memref.alloc` in the entry block of a function, calls `madvise(MADV_HUGEPAGE)` for its memory if that has 4 MiB or more.";
    const STATISTICS: &'static [Statistic] = &[ADVISED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::llvm(),
            DialectHandle::memref(),
            DialectHandle::scf(),
        ]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let body = only_block(module);
        let mut advised = 0;
        for func in ir::operations(body).filter(|op| is(*op, "func.func")) {
            let Some(block) = func.region(0).ok().and_then(|region| region.first_block()) else { continue };
            for alloc in ir::operations(block).filter(|op| is(*op, "memref.alloc")).collect::<Vec<_>>() {
                advised += usize::from(advise(cx, alloc));
            }
        }
        cx.count(ADVISED, advised);
        if advised > 0 && !ir::operations(body).any(|op| symbol(op) == MADVISE) {
            let b = Builder::at_end(cx.context(), body, module.location());
            b.declare(MADVISE, &[b.integer_type(64), b.integer_type(64), b.integer_type(32)], b.integer_type(32));
        }
        Ok(())
    }
}

/// Asks for large pages for what an op allocates, if that may be large.
fn advise<'c: 'a, 'a>(cx: &PassContext<'c>, alloc: OperationRef<'c, 'a>) -> bool {
    let Some((memory, next)) = ir::result(alloc, 0).zip(alloc.next_in_block()) else { return false };
    let Ok(ty) = MemRefType::try_from(memory.r#type()) else { return false };
    let Some(bytes) = Bytes::of(alloc, ty).filter(|bytes| bytes.constant().is_none_or(|bytes| bytes >= LEAST)) else {
        return false;
    };
    let b = Builder::before(cx.context(), next).located(alloc.location());
    let bytes = bytes.value(&b);
    let large = b.if_then(b.compare(Compare::GreaterEqual, bytes, b.index(LEAST)));
    let address = large.value("memref.extract_aligned_pointer_as_index", &[memory], large.index_type(), &[]);
    let into = large.arith("andi", address, large.index(PAGE - 1));
    let (page, length) = (large.arith("subi", address, into), large.arith("addi", bytes, into));
    let wide = |value: Value<'c, 'a>| large.value("arith.index_cast", &[value], large.integer_type(64), &[]);
    let int = large.integer_type(32);
    let advice = large.integer(int, &[MADV_HUGEPAGE]);
    large.call(MADVISE, &[wide(page), wide(length), advice], int);
    true
}
