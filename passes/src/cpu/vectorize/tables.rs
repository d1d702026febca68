//! Rows so short that registers hold them, of which lanes look up columns that each computes.
//!
//! ```text
//!                                              %a, %b = registers of eight columns of %m[%y, 0]
//! %v = load %m[%y, %x / 8, %i]          ──▶    %low = of each lane what %a has at %i
//!      of rows of twelve                       %high = of each lane what %b has at %i - 8
//!                                              %v = select %i < 8, %low, %high
//! ```
//!
//! CPUs have an instruction for it, which LLVM makes of elements that are taken one by one, where the register, the numbers and the result have the same lanes: of
//! several registers each is looked up by itself. Lanes of several rows look up in each of these.

use super::{
    super::addresses::step_of_rows,
    loads::{extents_of, lane_of},
    registers::{concatenated, part},
    vectors::{Lanes, Vectors},
};
use crate::ir::{Builder, Compare, Emit, Number, bytes_of_element, constant_index, zero};
use melior::ir::{Type, Value, ValueLike, operation::OperationLike};
use mlir_glue::ir;
use weft_model::Arith;

/// Rows in registers, in which lanes of one vector look up their values.
const MOST_TABLES: usize = 3;

/// Lanes of registers that CPUs look up in by an instruction, at least.
const WIDE: i64 = 8;

/// Such registers of a row at most.
const MOST_REGISTERS: i64 = 2;

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// A load from short rows at a column that is computed.
    pub(super) fn table(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
        element: Type<'c>,
    ) -> Option<Value<'c, 'a>> {
        let (last, before) = indices.split_last()?;
        // CPUs that permute registers have longer ones.
        let width = self.lanes.min(if self.permutes.is_some() { 2 * WIDE } else { WIDE });
        let most = if width < WIDE { width } else { MOST_REGISTERS * width };
        if self.lanes % width != 0 {
            return None;
        }
        let columns = extents_of(memory)?.last().copied().flatten().filter(|columns| *columns <= most)?;
        if step_of_rows(memory) > 1 {
            return None;
        }
        let is_computed = matches!(self.of(*last), Lanes::Own(_) | Lanes::Clamped(_));
        if !is_computed || self.active.is_some() || bytes_of_element(element) != 4 {
            return None;
        }
        // What each lane adds to the row of the first.
        let mut first = Vec::new();
        let mut places: Vec<Vec<i64>> = vec![Vec::new(); self.lanes as usize];
        for index in before {
            let (scalar, steps) = match self.of(*index) {
                Lanes::Same(scalar) => (scalar, vec![0; places.len()]),
                Lanes::Steps(steps) => (steps.first, steps.steps),
                _ => return None,
            };
            first.push(scalar);
            places.iter_mut().zip(steps).for_each(|(place, step)| place.push(step));
        }
        // Lanes of one row stand side by side: the first lane of each.
        let starts: Vec<usize> =
            (0..places.len()).filter(|lane| *lane == 0 || places[*lane] != places[lane - 1]).collect();
        if starts.len() > MOST_TABLES {
            return None;
        }
        let (ty, register) = (self.vector_type(b, element), b.vector_type(width, element));
        let (mask_type, nothing) = (b.vector_type(width, b.bool_type()), zero(b, register));
        let number = self.small(b, *last);
        let numbers: Vec<Value> =
            (0..self.lanes).step_by(width as usize).map(|at| part(b, number, at, width)).collect();
        let columns = (0..columns).step_by(width as usize).map(|column| {
            let there: Vec<i64> = (0..width).map(|lane| i64::from(column + lane < columns)).collect();
            (column, b.integer(mask_type, &there))
        });
        let columns: Vec<(i64, Value)> = columns.collect();
        let mut result = None;
        for start in starts {
            let at: Vec<Value> = first
                .iter()
                .zip(&places[start])
                .map(|(first, step)| Emit(b).add(&Number::Value(*first), &Number::Known(*step)).value(b))
                .collect();
            let load = |(column, there): &(i64, Value<'c, 'a>)| {
                let operands = [&[memory], &at[..], &[b.index(*column), *there, nothing]].concat();
                (*column, b.value("vector.maskedload", &operands, register, &[]))
            };
            let row: Vec<(i64, Value)> = columns.iter().map(load).collect();
            let found = numbers.iter().map(|number| looked_up(b, &row, *number)).collect::<Option<Vec<_>>>()?;
            let found = concatenated(b, found);
            result = Some(match result {
                None => found,
                Some(before) => {
                    // LLVM must not know which lanes these are: it would look up just those, one by one.
                    let count = b.arith("addi", self.nothing?, b.index(start as i64));
                    b.select(self.first_lanes(b, count), before, found, ty)
                }
            });
        }
        result
    }

    /// An index that is less than the lanes of a vector, in 32 bits. One that was made of 32 bits, and brought between numbers, is so
    /// from there on: LLVM knows lookups by such numbers only.
    pub(super) fn small(&self, b: &Builder<'c, 'a>, index: Value<'c, 'a>) -> Value<'c, 'a> {
        let ty = self.vector_type(b, b.integer_type(32));
        let op = ir::defining_op(index);
        let operands: Vec<Value> = op.iter().flat_map(|op| op.operands()).collect();
        let number = operands.get(1).and_then(|by| constant_index(*by)).and_then(|by| i32::try_from(by).ok());
        match (op.map(ir::name_of), number) {
            (Some("arith.index_cast"), _) if operands[0].r#type().to_string() == "i32" => self.vector(b, operands[0]),
            (Some(name @ ("arith.maxsi" | "arith.minsi")), Some(by)) => {
                b.value(name, &[self.small(b, operands[0]), b.integer(ty, &[by.into()])], ty, &[])
            }
            _ => b.value("arith.index_cast", &[self.vector(b, index)], ty, &[]),
        }
    }
}

/// What each lane finds in a row at its number: registers with the number of their first column, each with as many lanes as there are numbers.
fn looked_up<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    row: &[(i64, Value<'c, 'a>)],
    number: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let (ty, int, dynamic) = (number.r#type(), b.integer_type(32), b.integers(&[i64::MIN]));
    let width = ir::vector_extents(ty)?[0];
    row.iter().fold(None, |before, (column, register)| {
        let element = ir::vector_element(register.r#type())?;
        let limit = b.integer(ty, &[*column]);
        let inside = if *column == 0 { number } else { b.value("arith.subi", &[number, limit], ty, &[]) };
        let find = |lane| {
            let place = b.value("arith.index_castui", &[lane_of(b, inside, lane, int)], b.index_type(), &[]);
            b.value("vector.extract", &[*register, place], element, &[("static_position", dynamic)])
        };
        let found: Vec<Value> = (0..width).map(find).collect();
        let found = b.value("vector.from_elements", &found, register.r#type(), &[]);
        let Some(before) = before else { return Some(found) };
        let predicate = ("predicate", b.i64_attribute(Compare::Less as i64));
        let is_before = b.value("arith.cmpi", &[number, limit], b.vector_type(width, b.bool_type()), &[predicate]);
        Some(b.select(is_before, before, found, register.r#type()))
    })
}
