//! `--thread-windows`: windows of tiles are allocated once, for all threads and loops.
//!
//! ```text
//!                                             %threads = llvm.call @weft_num_threads()
//!                                             %windows = memref.alloc(%threads * 8192) : memref<?xi8>
//! scf.parallel (%t) = 0 to %n {               scf.parallel (%t) = 0 to %n {
//!   %w = memref.alloc()                         %thread = llvm.call @omp_get_thread_num()
//!        : memref<4x512xf32>           ──▶      %w = memref.view %windows[%thread * 8192] : memref<4x512xf32>
//!   ... }                                       ... }
//! scf.parallel (%t) = 0 to %m {               scf.parallel (%t) = 0 to %m {
//!   %v = memref.alloc()                         %thread = llvm.call @omp_get_thread_num()
//!        : memref<2x512xf32>                    %v = memref.view %windows[%thread * 8192] : memref<2x512xf32>
//!   ... }                                       ... }
//!                                             memref.dealloc %windows
//!
//!      thread        0          1          2
//!      %windows  ██████████ ██████████ ██████████   %w, then %v
//! ```
//!
//! Loops come one after the other, so that the largest window of each may lie where the largest of any other does, the second
//! largest where the second largest does, and so on: what a loop leaves in a cache is what the next one writes to. A call allocates
//! as often as its loop with the most windows has windows, before it computes anything, whatever tiles and threads there are.
//!
//! Windows of one loop are not parts of one allocation: that they do not overlap is then something that LLVM does not know.

use super::{
    memory::{self, Bytes},
    threads,
};
use crate::{
    analysis::Sizes,
    ir::{Builder, Key, Number, constant_index, is, is_made_once, is_outermost_parallel, key, only_block},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, OperationRef, RegionLike, Value, ValueLike,
        operation::{OperationLike, OperationMutLike},
        r#type::MemRefType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::{cmp::Reverse, collections::HashSet};
use weft_model::CACHE_LINE;

/// The pass.
pub struct ThreadWindows;

const WINDOWS: Statistic = Statistic::new(c"windows", c"Allocations in loops that became parts of one before them");

/// Bytes of the largest window, but for extents that are known at run time alone. With as many threads as there can be their number is
/// still one of 64 bits.
const LARGEST: i64 = 1 << 40;

impl Pass for ThreadWindows {
    const ARGUMENT: &'static str = "thread-windows";
    const SUMMARY: &'static str = "Allocate windows once, for all threads and loops";
    const DESCRIPTION: &'static str = "\
What an iteration of an outermost `scf.parallel` allocates and frees, of extents that are known at the function's start, becomes the \
thread's part of memory that is allocated there, and is used again by the loops that follow. A function of several blocks is left as it is.";
    const STATISTICS: &'static [Statistic] = &[WINDOWS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::llvm(), DialectHandle::memref()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut found = 0;
        for func in ir::operations(only_block(module)).filter(|op| is(*op, "func.func")) {
            found += allocate(cx, func);
        }
        cx.count(WINDOWS, found);
        if found > 0 {
            threads::declare(cx, module, true);
        }
        Ok(())
    }
}

/// Memory that an iteration allocates and frees.
struct Window<'c, 'a> {
    alloc: OperationRef<'c, 'a>,
    dealloc: OperationRef<'c, 'a>,
    ty: MemRefType<'c>,
    bytes: Bytes<'c, 'a>,
}

impl<'c: 'a, 'a> Window<'c, 'a> {
    /// What an op allocates, if its extents are known early.
    fn of(alloc: OperationRef<'c, 'a>, early: &mut Early<'c, 'a>) -> Option<Self> {
        let memory = ir::result(alloc, 0).filter(|_| is(alloc, "memref.alloc"))?;
        let ty = MemRefType::try_from(memory.r#type()).ok()?;
        let bytes = Bytes::of_dense(alloc, ty)?;
        let users = ir::uses(memory).into_iter().map(|(user, _)| user);
        let freed: Vec<_> = users.filter(|user| is(*user, "memref.dealloc")).collect();
        let [dealloc] = freed[..] else { return None };
        let is_whole = dealloc.parent_operation() == alloc.parent_operation();
        let is_ours = is_whole && bytes.known <= LARGEST && alloc.operands().all(|extent| early.has(extent));
        is_ours.then_some(Self { alloc, dealloc, ty, bytes })
    }

    /// Lets it be a thread's part of memory.
    fn lie_in(&self, cx: &PassContext<'c>, slot: &Slot<'c, 'a>, thread: Value<'c, 'a>) {
        let Some(own) = ir::result(self.alloc, 0) else { return };
        let b = Builder::before(cx.context(), self.alloc).located(self.alloc.location());
        let at = b.arith("muli", thread, slot.bytes);
        let extents: Vec<Value> = self.alloc.operands().collect();
        let view = b.value("memref.view", &[&[slot.memory, at], extents.as_slice()].concat(), self.ty.into(), &[]);
        ir::erase(self.dealloc);
        ir::replace_all_uses(own, view);
        ir::erase(self.alloc);
    }
}

/// What is known before the op where all windows are allocated.
struct Early<'c, 'a> {
    first: OperationRef<'c, 'a>,
    known: HashSet<Key>,
}

impl<'c: 'a, 'a> Early<'c, 'a> {
    /// Whether a value is, or can be: arithmetic of such values is moved there.
    fn has(&mut self, value: Value<'c, 'a>) -> bool {
        if self.known.contains(&key(value)) {
            return true;
        }
        let op = ir::defining_op(value)
            .filter(|op| is_made_once(ir::name_of(*op)) && op.parent_operation() == self.first.parent_operation());
        let Some(op) = op.filter(|op| op.operands().all(|operand| self.has(operand))) else { return false };
        match op.next_in_block().filter(|_| op == self.first) {
            // It is where it has to be.
            Some(next) => self.first = next,
            None => {
                ir::mutable(op).move_before(self.first);
            }
        }
        // All of its results: an op that is moved again would come behind those that use it.
        self.known.extend(op.results().map(|result| key(result.into())));
        true
    }
}

/// Memory of all threads.
struct Slot<'c, 'a> {
    memory: Value<'c, 'a>,
    /// Those of a thread, in whole lines: no two threads write to one.
    bytes: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Slot<'c, 'a> {
    /// Memory for any of some windows in each thread.
    fn for_any<'b>(
        b: &Builder<'c, 'a>,
        threads: Value<'c, 'a>,
        windows: impl Iterator<Item = &'b Window<'c, 'a>> + Clone,
    ) -> Self
    where
        'c: 'b,
        'a: 'b,
    {
        let most = Bytes::most(b, windows.map(|window| &window.bytes));
        let bytes = match constant_index(most) {
            Some(most) => b.index((most + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE),
            None => b.arith("andi", b.arith("addi", most, b.index(CACHE_LINE - 1)), b.index(-CACHE_LINE)),
        };
        let all = b.arith("muli", threads, bytes);
        Self { memory: memory::allocate(&b.named("windows"), &[Number::Value(all)], b.integer_type(8)), bytes }
    }
}

/// Allocates the windows of a function's loops before them, and says how many these are.
fn allocate<'c: 'a, 'a>(cx: &PassContext<'c>, func: OperationRef<'c, 'a>) -> usize {
    let block = func.region(0).ok().and_then(|region| region.first_block());
    let Some(block) = block.filter(|block| block.next_in_region().is_none()) else { return 0 };
    let ops: Vec<_> = ir::operations(block).collect();
    let checks = memory::behind_checks(&ops);
    let start = checks + ops[checks..].iter().take_while(|op| is(**op, "arith.constant")).count();
    let (Some(first), Some(end)) = (ops.get(start), block.terminator()) else { return 0 };

    let known = ops[..start].iter().flat_map(|op| op.results().map(|value| key(value.into())));
    let mut early = Early { first: *first, known: known.chain(ir::arguments(block).map(key)).collect() };
    let sizes = Sizes::of_program(func, block, &[]);
    let mut loops = Vec::new();
    for op in ir::walk(func).into_iter().filter(|op| is_outermost_parallel(*op)) {
        let body: Vec<_> = ir::operations(only_block(op)).collect();
        let windows = body.iter().filter_map(|op| Window::of(*op, &mut early));
        let mut windows: Vec<Window> = windows.collect();
        windows.sort_by_key(|window| Reverse(window.bytes.estimate(&sizes)));
        loops.extend((!windows.is_empty()).then(|| (body[0], windows)));
    }
    let Some(slots) = loops.iter().map(|(_, windows)| windows.len()).max() else { return 0 };

    let b = Builder::before(cx.context(), early.first).located(func.location());
    let at_end = Builder::before(cx.context(), end).located(func.location());
    let threads = threads::count(&b);
    let slots = (0..slots).map(|slot| {
        let windows = loops.iter().filter_map(|(_, windows)| windows.get(slot));
        let slot = Slot::for_any(&b, threads, windows);
        memory::free(&at_end, slot.memory);
        slot
    });
    let slots: Vec<Slot> = slots.collect();
    for (first, windows) in &loops {
        let thread = threads::number(&Builder::before(cx.context(), *first).located(first.location()));
        windows.iter().zip(&slots).for_each(|(window, slot)| window.lie_in(cx, slot, thread));
    }
    loops.iter().map(|(_, windows)| windows.len()).sum()
}
