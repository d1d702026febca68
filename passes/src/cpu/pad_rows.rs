//! `--pad-rows`: planes of an image between stages do not lie where caches confuse them.
//!
//! ```text
//! %a = memref.alloc(%h, %w) : memref<64x?x?xf32>         %n = %w % 256 == 0 ? %w + 16 : %w
//! <%a[%c, %y, %x] for all %c>                    ──▶     %0 = memref.alloc(%h, %n) : memref<64x?x?xf32>
//!                                                        %a = memref.subview %0[0, 0, 0][64, %h, %w][1, 1, 1]
//!                                                        <%a[%c, %y, %x] for all %c>
//! ```
//!
//! A cache finds a line by some bits of its address, and holds few lines for which these are the same: of a layer of 512 × 512
//! floats a point lies 1 MiB behind that of the plane before, so that of 64 planes a second cache of 1 MiB keeps eight. With rows that
//! are a line longer planes are apart by a number with fewer twos in it.
//!
//! Only images of many planes, whose number is known: those are read together. Of a few all caches have room for as many lines.

use super::memory::{self, Bytes};
use crate::ir::{Builder, Compare, Emit, Number, bytes_of_element, is, location::name_of_value, only_block};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, RegionLike, ShapedTypeLike, Value, ValueLike, operation::OperationLike, r#type::MemRefType},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::pipeline::static_extents;
use weft_model::{Arith, CACHE_LINE};

/// The pass.
pub struct PadRows;

const PADDED: Statistic = Statistic::new(c"padded", c"Buffers whose rows are longer, if they are a multiple of 1 KiB");

/// Bytes of which rows are no multiple then.
const APART: i64 = 1024;

/// Planes that are many: more than there are ways of most caches.
const MANY: i64 = 9;

impl Pass for PadRows {
    const ARGUMENT: &'static str = "pad-rows";
    const SUMMARY: &'static str =
        "Make rows of images of many planes a cache line longer where they are a multiple of 1 KiB";
    const DESCRIPTION: &'static str = "\
An allocation in the entry block of a function, of nine planes or more, gets longer rows where its own are a multiple of 1024 bytes, and \
what was allocated becomes a part of it: so the points of all planes do not lie in the same few lines of a cache. Not where more is done \
with memory than loads, stores and casts.";
    const STATISTICS: &'static [Statistic] = &[PADDED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::memref()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in ir::operations(only_block(module)).filter(|op| is(*op, "func.func")) {
            let Some(block) = func.region(0).ok().and_then(|region| region.first_block()) else { continue };
            for alloc in ir::operations(block).filter(|op| is(*op, "memref.alloc")).collect::<Vec<_>>() {
                cx.count(PADDED, usize::from(pad(cx, alloc)));
            }
        }
        Ok(())
    }
}

/// Lets the rows of what an op allocates be longer; false where it stays as it is.
fn pad<'c: 'a, 'a>(cx: &PassContext<'c>, alloc: OperationRef<'c, 'a>) -> bool {
    let Some(memory) = ir::result(alloc, 0) else { return false };
    let Ok(ty) = MemRefType::try_from(memory.r#type()) else { return false };
    let users = ir::uses(memory);
    if Bytes::of_dense(alloc, ty).is_none() || !users.iter().all(|(user, operand)| takes_rows(*user, *operand)) {
        return false;
    }
    let mut dynamic = alloc.operands();
    let extents: Vec<Number> = static_extents(ty)
        .into_iter()
        .filter_map(|extent| extent.map(Number::Known).or_else(|| dynamic.next().map(Number::Value)))
        .collect();
    let b = Builder::before(cx.context(), alloc);
    let Some(columns) = longer(&b, &extents, bytes_of_element(ty.element())) else { return false };
    let padded = [&extents[..extents.len() - 1], &[columns]].concat();
    let all = memory::allocate(&b, &padded, ty.element());
    let b = name_of_value(memory).map_or(b, |name| b.named(name));
    let view = first_points(&b, all, &extents);
    for (user, _) in users {
        match (ir::name_of(user), ir::result(user, 0)) {
            ("memref.dealloc", _) => memory::free(&Builder::before(cx.context(), user), all),
            ("memref.cast", Some(same)) if same.r#type() == view.r#type() => ir::replace_all_uses(same, view),
            _ => continue,
        }
        ir::erase(user);
    }
    ir::replace_all_uses(memory, view);
    ir::erase(alloc);
    true
}

/// Whether an op does with memory what can be done with a part of other memory.
fn takes_rows(user: OperationRef, operand: usize) -> bool {
    match ir::name_of(user) {
        // The address itself may be what is stored.
        "memref.store" => operand > 0,
        "memref.load" | "memref.dim" | "memref.prefetch" | "memref.dealloc" => true,
        "memref.cast" => {
            ir::result(user, 0).and_then(|view| MemRefType::try_from(view.r#type()).ok()).is_some_and(|ty| {
                let (strides, _) = ty.strides_and_offset();
                strides.split_last().is_some_and(|(_, outer)| outer.iter().all(|stride| *stride == i64::MIN))
            })
        }
        _ => false,
    }
}

/// How long rows become of an image of many planes; `None` where they stay as long as they are.
fn longer<'c: 'a, 'a>(b: &Builder<'c, 'a>, extents: &[Number<'c, 'a>], bytes: i64) -> Option<Number<'c, 'a>> {
    let [planes @ .., _, columns] = extents else { return None };
    let planes = planes.iter().try_fold(1, |all: i64, extent| all.checked_mul(extent.known()?));
    if planes.is_none_or(|planes| planes < MANY) || CACHE_LINE % bytes != 0 {
        return None;
    }
    let (line, apart) = (CACHE_LINE / bytes, APART / bytes);
    // A row of no points stays one.
    let mut emit = Emit(b);
    let more = emit.min(columns, &Number::Known(line));
    let longer = emit.add(columns, &more);
    match *columns {
        Number::Known(columns) => (columns % apart == 0).then_some(longer),
        Number::Value(columns) => {
            let rest = b.arith("remui", columns, b.index(apart));
            let is_multiple = b.compare(Compare::Equal, rest, b.index(0));
            Some(Number::Value(b.select(is_multiple, longer.value(b), columns, b.index_type())))
        }
    }
}

/// A view of the first points of memory along each dimension.
fn first_points<'c: 'a, 'a>(b: &Builder<'c, 'a>, memory: Value<'c, 'a>, extents: &[Number<'c, 'a>]) -> Value<'c, 'a> {
    let Ok(ty) = MemRefType::try_from(memory.r#type()) else { return memory };
    let (strides, _) = ty.strides_and_offset();
    let shape: Vec<i64> = extents.iter().map(|extent| extent.known().unwrap_or(i64::MIN)).collect();
    let open: Vec<Value> =
        extents.iter().filter(|extent| extent.known().is_none()).map(|extent| extent.value(b)).collect();
    let all = |number: i64| b.integers(&vec![number; extents.len()]);
    let attributes = [
        ("static_offsets", all(0)),
        ("static_sizes", b.integers(&shape)),
        ("static_strides", all(1)),
        ("operandSegmentSizes", b.parse_attribute(&format!("array<i32: 1, 0, {}, 0>", open.len()))),
    ];
    let view = MemRefType::new(ty.element(), &shape, Some(b.strides(&strides)), None).into();
    b.value("memref.subview", &[&[memory], &open[..]].concat(), view, &attributes)
}
