//! `--plan-memory`: buffers that are never needed at the same time share memory.
//!
//! ```text
//! %a = memref.alloc(%h, %w) : memref<?x?xf32>            %n = %h * %w * 4
//! %b = memref.alloc(%h, %w) : memref<?x?xf32>            %0 = memref.alloc(%n) : memref<?xi8>
//! %c = memref.alloc(%h, %w) : memref<?x?xf32>            %a = memref.view %0[0][%h, %w]
//! scf.parallel { %img ... %a }                  ──▶      %c = memref.view %0[0][%h, %w]
//! scf.parallel { %a ... %b }                             %b = memref.alloc(%h, %w) : memref<?x?xf32>
//! scf.parallel { %b ... %c }                             ...
//! scf.parallel { %c ... %out }                           memref.dealloc %0, %b
//!
//!      %a ██                  %0 ████
//!      %b  ██         ──▶     %b  ██        time ──▶
//!      %c   ██
//! ```
//!
//! A buffer lives from the first op of the function's block that uses it, in itself or in a loop, to the last one. The plan is
//! *greedy by size for shared objects* (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020): the
//! largest buffer goes first, and each goes to a slot where nobody lives while it does, or to a slot of its own. A slot is as large as
//! the largest of its buffers, which is computed at run time where sizes are: so the plan is right whatever they are, and no slot is
//! larger than its buffers together. Which is the larger is guessed from the estimates of the arguments (`weft.estimate`). Of several
//! free slots, one with a buffer of the very same size is best: it surely does not grow.
//!
//! Each slot is an allocation of its own. One for all, with slots at offsets in it, was tried: code and its speed are the same, but
//! `malloc` gives what is large back to the system when it is freed, and a call that used to find most of its memory still there
//! then waits for the pages of all of it: a quarter more time for a pyramid. To begin slots some lines apart, so that equal places in
//! images are not equally far from a page's begin, changed nothing that can be measured.

use super::memory::{self, Bytes};
use crate::{
    analysis::Sizes,
    ir::{Builder, is, only_block},
};
use melior::{
    dialect::DialectHandle,
    ir::{BlockRef, OperationRef, RegionLike, Value, ValueLike, operation::OperationLike, r#type::MemRefType},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::{cmp::Reverse, collections::HashMap, ffi::c_void};

/// The pass.
pub struct PlanMemory;

const SHARED: Statistic = Statistic::new(c"shared", c"Buffers that lie in the memory of another one");

impl Pass for PlanMemory {
    const ARGUMENT: &'static str = "plan-memory";
    const SUMMARY: &'static str = "Let buffers that are never needed at the same time share memory";
    const DESCRIPTION: &'static str = "\
Of the buffers that a function allocates and frees in its entry block, those that are not in use at the same time become views of one \
allocation, which is as large as the largest of them. A buffer whose address goes elsewhere, to a call, a loop's carried values or a \
return, keeps memory of its own.";
    const STATISTICS: &'static [Statistic] = &[SHARED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::memref()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in ir::operations(only_block(module)).filter(|op| is(*op, "func.func")) {
            if let Some(block) = func.region(0).ok().and_then(|region| region.first_block()) {
                plan(cx, func, block);
            }
        }
        Ok(())
    }
}

/// Where the ops of a block stand.
struct Positions(HashMap<*const c_void, usize>);

impl Positions {
    fn of_block(block: BlockRef) -> Self {
        Self(ir::operations(block).map(id).zip(0..).collect())
    }

    /// That of an op; none if it is of another block.
    fn of(&self, op: OperationRef) -> Option<usize> {
        self.0.get(&id(op)).copied()
    }
}

fn id(op: OperationRef) -> *const c_void {
    op.to_raw().ptr.cast_const()
}

/// Whether what stands in an op runs when the op does.
fn is_structured(op: OperationRef) -> bool {
    ["scf.", "affine."].iter().any(|dialect| ir::name_of(op).starts_with(dialect))
}

/// What an op does with memory.
enum Role {
    /// Reads it, writes it, or asks its extents.
    Used,
    /// Gives another view of it, the first result.
    Viewed,
    Freed,
    Unknown,
}

fn role(user: OperationRef, operand: usize) -> Role {
    match ir::name_of(user) {
        "memref.dealloc" => Role::Freed,
        "memref.cast"
        | "memref.subview"
        | "memref.reinterpret_cast"
        | "memref.view"
        | "memref.collapse_shape"
        | "memref.expand_shape"
        | "memref.transpose"
        | "memref.extract_strided_metadata" => Role::Viewed,
        // The address itself may be what is stored.
        "memref.store" if operand == 0 => Role::Unknown,
        "memref.load"
        | "memref.store"
        | "memref.dim"
        | "memref.copy"
        | "memref.prefetch"
        | "memref.atomic_rmw"
        | "memref.generic_atomic_rmw"
        | "affine.load"
        | "affine.store"
        | "vector.load"
        | "vector.store"
        | "vector.maskedload"
        | "vector.maskedstore"
        | "vector.gather"
        | "vector.scatter"
        | "vector.expandload"
        | "vector.compressstore"
        | "vector.transfer_read"
        | "vector.transfer_write" => Role::Used,
        _ => Role::Unknown,
    }
}

/// Memory that is ours to place.
struct Buffer<'c, 'a> {
    alloc: OperationRef<'c, 'a>,
    dealloc: OperationRef<'c, 'a>,
    ty: MemRefType<'c>,
    bytes: Bytes<'c, 'a>,
    estimate: i64,
    /// Positions in the block of the first and the last op that use it, itself or a view of it.
    life: (usize, usize),
    /// That of the first view or use.
    seen: usize,
}

impl<'c: 'a, 'a> Buffer<'c, 'a> {
    /// What an op of the block allocates, if all of its uses are known and one of them frees it.
    fn of(alloc: OperationRef<'c, 'a>, positions: &Positions, sizes: &Sizes) -> Option<Self> {
        let memory = ir::result(alloc, 0).filter(|_| is(alloc, "memref.alloc"))?;
        let ty = MemRefType::try_from(memory.r#type()).ok()?;
        let bytes = Bytes::of_dense(alloc, ty)?;
        let mut dealloc = None;
        let (mut first, mut last, mut seen) = (usize::MAX, 0, usize::MAX);
        let mut views = vec![memory];
        while let Some(view) = views.pop() {
            for (user, operand) in ir::uses(view) {
                // What other ops hold may run at another time.
                let around = |op: &OperationRef<'c, 'a>| op.parent_operation().filter(|op| is_structured(*op));
                let top = std::iter::successors(Some(user), around).last()?;
                let position = positions.of(top)?;
                seen = seen.min(position);
                match role(user, operand) {
                    Role::Freed if view == memory && top == user && dealloc.is_none() => {
                        dealloc = Some(user);
                        continue;
                    }
                    Role::Used => (first, last) = (first.min(position), last.max(position)),
                    Role::Viewed => views.extend(ir::result(user, 0)),
                    Role::Freed | Role::Unknown => return None,
                }
            }
        }
        let estimate = bytes.estimate(sizes);
        Some(Self { alloc, dealloc: dealloc?, ty, bytes, estimate, life: (first, last), seen })
    }

    /// Whether both are in use at some time.
    fn meets(&self, other: &Self) -> bool {
        self.life.0 <= other.life.1 && other.life.0 <= self.life.1
    }
}

/// Lets the buffers of a block share memory.
fn plan<'c: 'a, 'a>(cx: &PassContext<'c>, func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) {
    let positions = Positions::of_block(block);
    let sizes = Sizes::of_program(func, block, &[]);
    let mut buffers: Vec<Buffer> = ir::operations(block).filter_map(|op| Buffer::of(op, &positions, &sizes)).collect();
    // All memory is allocated before the first use or view of any, where the sizes must be known.
    let Some(start) = buffers.iter().map(|buffer| buffer.seen).min() else { return };
    let is_known =
        |extent: &Value| ir::defining_op(*extent).is_none_or(|op| positions.of(op).is_some_and(|at| at < start));
    buffers.retain(|buffer| buffer.bytes.extents.iter().all(is_known));
    let Some(first) = ir::operations(block).nth(start) else { return };

    let b = Builder::before(cx.context(), first);
    for slot in slots(buffers).into_iter().filter(|slot| slot.len() > 1) {
        cx.count(SHARED, slot.len() - 1);
        let b = b.located(slot[0].alloc.location());
        let memory = allocate(&b, Bytes::most(&b, slot.iter().map(|buffer| &buffer.bytes)));
        if let Some(last) = slot.iter().map(|buffer| buffer.dealloc).max_by_key(|op| positions.of(*op)) {
            Builder::before(cx.context(), last).op("memref.dealloc", &[memory], &[], &[]);
        }
        let zero = b.index(0);
        slot.iter().for_each(|buffer| view(&b, buffer, memory, zero));
    }
}

/// Groups of buffers of which no two are in use at the same time, the larger ones first.
fn slots<'c: 'a, 'a>(mut buffers: Vec<Buffer<'c, 'a>>) -> Vec<Vec<Buffer<'c, 'a>>> {
    // Of equal ones the earlier first: then there are as few groups as there can be.
    buffers.sort_by_key(|buffer| (Reverse(buffer.estimate), buffer.life));
    let mut slots: Vec<Vec<Buffer>> = Vec::new();
    for buffer in buffers {
        let free = slots.iter_mut().filter(|slot| !slot.iter().any(|other| other.meets(&buffer)));
        // The last one is the smallest.
        match free.max_by_key(|slot| slot.iter().any(|other| other.bytes.is(&buffer.bytes))) {
            Some(slot) => slot.push(buffer),
            None => slots.push(vec![buffer]),
        }
    }
    slots
}

fn allocate<'c: 'a, 'a>(b: &Builder<'c, 'a>, bytes: Value<'c, 'a>) -> Value<'c, 'a> {
    memory::allocate(b, &[bytes.into()], b.integer_type(8))
}

/// Lets a buffer lie in other memory.
fn view<'c: 'a, 'a>(b: &Builder<'c, 'a>, buffer: &Buffer<'c, 'a>, memory: Value<'c, 'a>, at: Value<'c, 'a>) {
    let Some(own) = ir::result(buffer.alloc, 0) else { return };
    let b = b.located(buffer.alloc.location());
    let operands = [&[memory, at], buffer.bytes.extents.as_slice()].concat();
    let view = b.value("memref.view", &operands, buffer.ty.into(), &[]);
    ir::erase(buffer.dealloc);
    ir::replace_all_uses(own, view);
    ir::erase(buffer.alloc);
}
