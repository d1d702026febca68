//! `--look-ups`: lanes that gather from a short row look its elements up in registers.
//!
//! ```text
//! for %x ... {                                              %all = vector.load %t[0] : vector<256xi8>
//!   %v = vector.load %img[%x] : vector<64xi8>               for %x ... {
//!   %i = index_castui %v : vector<64xindex>          ──▶      %v = vector.load %img[%x] : vector<64xi8>
//!   %g = vector.gather %t[0][%i] : memref<256xi8>             %g = call @weft.look_up256.x64(%t, %all, %v)
//!   ... %g }                                                  ... %g }
//! ```
//!
//! CPUs gather no bytes: each lane has an address to take out of a vector, a load, and a byte to put into one. AVX-512 with VBMI permutes the 128
//! bytes of two registers by the low seven bits of each lane. Of 256 bytes, in four registers, a vector of 64 lanes is two permutations and a selection by the
//! highest bit of the index: three instructions for what is two hundred else. Any AVX-512 permutes the elements of two registers where these have 16 bits, 64 of them, or
//! 32 bits, of which there are 32.
//!
//! **Indices** become numbers of as many bits as an element. What was one is one; what was brought between two numbers as an index of 64 bits is so in the bits that it was made of.
//! What lies outside of the row nobody reads, so that the bits above do not matter.
//!
//! **Registers** are loaded before the outermost loop in which nobody writes the row. LLVM would leave the loads inside: it does not know that an image which
//! is stored is other memory. Such a loop may have no iteration: a row that is chosen is then any one of those that there are.
//!
//! **Functions.** `@weft.look_up256.x64` gathers as before, and leaves the registers alone: who makes machine code puts the permutations in its place where
//! the CPU has them, and a CPU without them has lost nothing.

use super::{
    dots::number_of,
    instructions::{Functions, LOOK_UP, is_in_instruction},
    writes::{base, written},
};
use crate::ir::{
    Builder, Key, bits_of_element, constant_index, element_of, element_of_vector, is, is_inside, key, width_of_integer,
    zero,
};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, OperationRef, ShapedTypeLike, Type, TypeLike, Value, ValueLike, attribute::DenseI64ArrayAttribute,
        operation::OperationLike, r#type::MemRefType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::{
    collections::{HashMap, HashSet},
    ffi::c_void,
};
use weft_dialects::pipeline::static_extents;

/// The pass.
pub struct LookUps;

const LOOK_UPS: Statistic = Statistic::new(c"look-ups", c"Gathers that became look-ups in registers");

/// Bits of a register.
const REGISTER: i64 = 512;

/// Elements of a row, at most: of bytes a byte tells them apart, of wider ones two registers hold them.
fn most(bits: u32) -> i64 {
    if bits == 8 { 256 } else { 2 * REGISTER / i64::from(bits) }
}

/// Lanes of a vector, at most.
const MOST_LANES: i64 = 256;

impl Pass for LookUps {
    const ARGUMENT: &'static str = "look-ups";
    const SUMMARY: &'static str = "Look up in registers what lanes gather from a short row";
    const DESCRIPTION: &'static str = "\
A `vector.gather` from a row of at most 256 bytes, 64 elements of 16 bits or 32 of 32 bits, whose length is known, becomes a call of a function that this pass writes \
out, and for which AVX-512 has a few instructions, of bytes with VBMI. The row is loaded before the loops that do not write it, and indices become as short as elements. \
It goes behind `--vectorize`.";
    const STATISTICS: &'static [Statistic] = &[LOOK_UPS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::func(),
            DialectHandle::memref(),
            mlir_glue::tool::vector(),
        ]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut functions = Functions::of(module);
        let mut loops = Loops::default();
        for look_up in ir::walk(module).into_iter().filter_map(LookUp::of).collect::<Vec<_>>() {
            look_up.replace(cx, &mut functions, &mut loops);
            cx.count(LOOK_UPS, 1);
        }
        Ok(())
    }
}

/// A row as memory of any length, and as a vector.
type Registers<'c, 'a> = (Value<'c, 'a>, Value<'c, 'a>);

/// What is known of loops, each by its address.
#[derive(Default)]
struct Loops<'c, 'a> {
    /// What one writes, as far as that was asked; `None` where it is not known.
    written: HashMap<*const c_void, Option<HashSet<Key>>>,
    /// Rows that were loaded before one, or before the gather itself.
    loaded: HashMap<(*const c_void, Key), Registers<'c, 'a>>,
}

impl<'c: 'a, 'a> Loops<'c, 'a> {
    /// Whether what stands in a loop, or a branch, does not write memory.
    fn leaves(&mut self, op: OperationRef<'c, 'a>, memory: Value<'c, 'a>) -> bool {
        let written = self.written.entry(address(op)).or_insert_with(|| written(op));
        written.as_ref().is_some_and(|written| !written.contains(&key(base(memory))))
    }
}

fn address(op: OperationRef) -> *const c_void {
    op.to_raw().ptr.cast_const()
}

/// A gather from a short row.
struct LookUp<'c, 'a> {
    gather: OperationRef<'c, 'a>,
    row: Value<'c, 'a>,
    indices: Value<'c, 'a>,
    /// Elements of the row, and bits of each.
    elements: i64,
    bits: u32,
    lanes: i64,
}

impl<'c: 'a, 'a> LookUp<'c, 'a> {
    fn of(gather: OperationRef<'c, 'a>) -> Option<Self> {
        if !is(gather, "vector.gather") || is_in_instruction(gather) {
            return None;
        }
        let [row, first, indices] = [0, 1, 2].map(|operand| ir::operand(gather, operand));
        let (row, indices) = (row?, indices?);
        let ty = MemRefType::try_from(row.r#type()).ok()?;
        let bits = bits_of_element(ty.element()).filter(|bits| [8, 16, 32].contains(bits))?;
        let is_row = ty.strides_and_offset().0 == [1];
        let &[Some(elements)] = &static_extents(ty)[..] else { return None };
        let &[lanes] = &ir::vector_extents(ir::result(gather, 0)?.r#type())?[..] else { return None };
        // Of one rank there is one index before the vector of them.
        let is_begin = constant_index(first?) == Some(0);
        let is_known = is_row && is_begin && (1..=most(bits)).contains(&elements);
        let is_vector = lanes.count_ones() == 1 && (4..=MOST_LANES).contains(&lanes);
        (is_known && is_vector).then_some(Self { gather, row, indices, elements, bits, lanes })
    }

    fn replace(&self, cx: &PassContext<'c>, functions: &mut Functions<'c, 'a>, loops: &mut Loops<'c, 'a>) {
        let b = Builder::before(cx.context(), self.gather).located(self.gather.location());
        let [mask, otherwise] = [3, 4].map(|operand| ir::operand(self.gather, operand).expect("a gather has a mask"));
        let result = ir::result(self.gather, 0).expect("a gather has a result");
        let (row, all) = self.registers(cx, loops);
        let numbers = b.vector_type(self.lanes, b.integer_type(self.bits));
        let mut at = short(&b, self.indices, numbers, MOST_NESTED);
        if !is_every(mask) && self.elements < 1 << self.bits {
            // Of a lane that does not gather the index can be any, and the first element of the row is one.
            at = b.select(mask, at, zero(&b, numbers), numbers);
        }
        let ty = result.r#type();
        let of = if self.bits == 8 { String::new() } else { format!(".{}", element_of(self.row)) };
        let name = format!("{LOOK_UP}{}.x{}{of}", self.held(), self.lanes);
        let found = functions.call(&b, &name, &[row, all, at], ty, |b, operands| {
            let index = b.vector_type(self.lanes, b.index_type());
            let indices = b.value("arith.index_castui", &[operands[2]], index, &[]);
            let every = b.integer(b.vector_type(self.lanes, b.bool_type()), &[1]);
            b.value("vector.gather", &[operands[0], b.index(0), indices, every, zero(b, ty)], ty, &[])
        });
        let found = if is_every(mask) { found } else { b.select(mask, found, otherwise, ty) };
        ir::replace_all_uses(result, found);
        ir::erase(self.gather);
    }

    /// Elements of the registers that hold the row: one, two or four.
    fn held(&self) -> i64 {
        self.elements.max(REGISTER / i64::from(self.bits)).cast_unsigned().next_power_of_two().cast_signed()
    }

    /// The row as memory of any length, and as a vector, loaded before the outermost loop that does not write it.
    fn registers(&self, cx: &PassContext<'c>, loops: &mut Loops<'c, 'a>) -> Registers<'c, 'a> {
        let mut before = self.gather;
        while let Some(around) = before.parent_operation().filter(|op| is(*op, "scf.for") || is(*op, "scf.if"))
            && self.is_had_before(around)
            && loops.leaves(around, self.row)
        {
            before = around;
        }
        let place = (address(before), key(self.row));
        if let Some(loaded) = loops.loaded.get(&place) {
            return *loaded;
        }
        let b = Builder::before(cx.context(), before).located(self.gather.location());
        let row = match self.part().filter(|_| before != self.gather) {
            Some((part, rows)) => inside(&b, part, &rows),
            None => self.row,
        };
        let held = self.held();
        let element = element_of(self.row);
        let ty = b.vector_type(held, element);
        let all = match self.elements == held {
            true => b.value("vector.load", &[row, b.index(0)], ty, &[]),
            false => {
                let lanes: Vec<i64> = (0..held).map(|lane| i64::from(lane < self.elements)).collect();
                let there = b.integer(b.vector_type(held, b.bool_type()), &lanes);
                b.value("vector.maskedload", &[row, b.index(0), there, zero(&b, ty)], ty, &[])
            }
        };
        let any = b.parse_type(&format!("memref<?x{element}, strided<[1], offset: ?>>"));
        let registers = (b.value("memref.cast", &[row], any, &[]), all);
        loops.loaded.insert(place, registers);
        registers
    }

    /// The op that makes the row a part of other memory, if it has one, and how many there are of what it chooses one of.
    fn part(&self) -> Option<(OperationRef<'c, 'a>, Vec<i64>)> {
        let part = ir::defining_op(self.row).filter(|op| is(*op, "memref.subview"))?;
        let extents = static_extents(MemRefType::try_from(ir::operand(part, 0)?.r#type()).ok()?);
        let offsets = DenseI64ArrayAttribute::try_from(part.attribute("static_offsets").ok()?).ok()?;
        // How MLIR says that an offset is an operand.
        let is_chosen = |d: &usize| offsets.element(*d).is_ok_and(|offset| offset == i64::MIN);
        let rows = (0..extents.len()).filter(is_chosen).map(|d| extents[d].filter(|rows| *rows > 0));
        let rows: Vec<i64> = rows.collect::<Option<_>>()?;
        (part.operand_count() == 1 + rows.len()).then_some((part, rows))
    }

    /// Whether the row is to be had before a loop, whether or not that has an iteration.
    fn is_had_before(&self, around: OperationRef<'c, 'a>) -> bool {
        let is_before = |value: Value<'c, 'a>| !is_inside(value, around);
        match ir::defining_op(self.row).map(ir::name_of) {
            Some("memref.subview") => self.part().is_some_and(|(part, _)| part.operands().all(is_before)),
            Some("memref.reinterpret_cast") => false,
            _ => is_before(self.row),
        }
    }
}

/// The same part of memory where what it is chosen by is inside, and any part of it where it is not: there nobody looks anything up.
fn inside<'c: 'a, 'a>(b: &Builder<'c, 'a>, part: OperationRef<'c, 'a>, rows: &[i64]) -> Value<'c, 'a> {
    let mut operands: Vec<Value> = part.operands().collect();
    for (offset, rows) in operands[1..].iter_mut().zip(rows) {
        *offset = b.arith("maxsi", b.arith("minsi", *offset, b.index(rows - 1)), b.index(0));
    }
    let attributes: Vec<(&str, Attribute)> =
        ["static_offsets", "static_sizes", "static_strides", "operandSegmentSizes"]
            .into_iter()
            .filter_map(|name| Some((name, part.attribute(name).ok()?)))
            .collect();
    b.value("memref.subview", &operands, part.result(0).expect("a part is a result").r#type(), &attributes)
}

/// How deep it is looked for what an index was made of: `--vectorize` brings it between two numbers, once or twice.
const MOST_NESTED: u32 = 8;

/// The low bits of integers, or of indices, as a vector of such shorter ones.
fn short<'c: 'a, 'a>(b: &Builder<'c, 'a>, index: Value<'c, 'a>, ty: Type<'c>, levels: u32) -> Value<'c, 'a> {
    let bits = ir::vector_element(ty).map_or(0, width_of_integer);
    let op = ir::defining_op(index);
    let part = op.and_then(|op| ir::operand(op, 0)).filter(|_| levels > 0);
    match (op.map(ir::name_of), part) {
        // Bits that are left out are all that tells these from one another, but where there were fewer.
        (Some("arith.index_castui" | "arith.extui"), Some(part)) if bits_of(part) < bits => {
            b.value("arith.extui", &[part], ty, &[])
        }
        (Some("arith.index_cast" | "arith.extsi"), Some(part)) if bits_of(part) < bits => {
            b.value("arith.extsi", &[part], ty, &[])
        }
        (Some("arith.index_castui" | "arith.index_cast" | "arith.extui" | "arith.extsi"), Some(part)) => {
            short(b, part, ty, levels - 1)
        }
        _ if bits_of(index) == bits => index,
        _ => match word(b, index, levels) {
            Some(word) if bits == 32 => word,
            Some(word) => b.value("arith.trunci", &[word], ty, &[]),
            None if bits_of(index) < bits => b.value("arith.extsi", &[index], ty, &[]),
            None if element_of_vector(index).is_integer() => b.value("arith.trunci", &[index], ty, &[]),
            None => b.value("arith.index_cast", &[index], ty, &[]),
        },
    }
}

/// An index that was made of 32 bits or fewer, and brought between numbers, as one of 32 bits.
fn word<'c: 'a, 'a>(b: &Builder<'c, 'a>, index: Value<'c, 'a>, levels: u32) -> Option<Value<'c, 'a>> {
    let op = ir::defining_op(index).filter(|_| levels > 0)?;
    let part = ir::operand(op, 0)?;
    let ty = b.vector_type(ir::vector_extents(index.r#type())?[0], b.integer_type(32));
    match (ir::name_of(op), bits_of(part)) {
        ("arith.index_cast", 32) => Some(part),
        ("arith.index_cast", 1..32) => Some(b.value("arith.extsi", &[part], ty, &[])),
        ("arith.index_castui", 1..32) => Some(b.value("arith.extui", &[part], ty, &[])),
        (name @ ("arith.maxsi" | "arith.minsi"), _) if index.r#type() == part.r#type() => {
            let end = number_of(ir::operand(op, 1)?).filter(|end| i32::try_from(*end).is_ok())?;
            let part = word(b, part, levels - 1)?;
            Some(b.value(name, &[part, b.integer(ty, &[end])], ty, &[]))
        }
        _ => None,
    }
}

/// Bits of what a vector has in a lane.
fn bits_of(vector: Value) -> u32 {
    width_of_integer(element_of_vector(vector))
}

/// Whether all lanes of a mask are set.
fn is_every(mask: Value) -> bool {
    number_of(mask).is_some_and(|lane| lane != 0)
}
