//! Planes of pixels that are computed alike: then vectors are of the pixels' elements as they lie in memory.
//!
//! ```text
//! %r = load %m[0, %y, %x]                   %v = vector.load %m[%i]        16 elements: r g b r g b r ...
//! %g = load %m[1, %y, %x]             ──▶   %w = vector.load %m[%i + 16]                g b r g b r g ...
//! %b = load %m[2, %y, %x]                   %u = vector.load %m[%i + 32]                b r g b r g b ...
//! store f(%r), %o[0, %y, %x]                vector.store f(%v), %o[%j]
//! store f(%g), %o[1, %y, %x]                vector.store f(%w), %o[%j + 16]
//! store f(%b), %o[2, %y, %x]                vector.store f(%u), %o[%j + 32]
//! ```
//!
//! Elsewhere the elements of pixels are taken apart into planes, and put together where they are stored ([`super::pixels`]), which takes as many shuffles as
//! there are vectors, or more. Where what is stored of each plane is the same function of that plane of what is loaded, which element of a pixel a lane
//! has does not matter: that of the same lane is stored.

use super::{super::addresses::step_of_rows, places::plane_of, vectors::may_trap};
use crate::ir::{Key, constant_index, is, key, only_block};
use melior::ir::{Attribute, BlockLike, BlockRef, OperationRef, RegionLike, Value, operation::OperationLike};
use mlir_glue::ir;
use std::collections::{BTreeMap, HashMap};

/// The body of a loop over points.
struct Body<'c, 'a> {
    block: BlockRef<'c, 'a>,
    /// The number of a point.
    number: Value<'c, 'a>,
    /// Whether some lanes are not concerned, of which those of planes are known.
    is_masked: bool,
    /// The planes that values are of, as far as they have been found alike.
    planes: HashMap<Key, i64>,
}

/// Whether all that a loop stores is planes of pixels that are computed alike; with masks nothing else may need one, as look-ups and divisions do.
pub(super) fn are_alike(op: OperationRef, is_masked: bool) -> bool {
    let block = only_block(op);
    let number = block.argument(0).expect("the index of a loop").into();
    let mut body = Body { block, number, is_masked, planes: HashMap::new() };
    body.stores_alike(block).is_some_and(|stores| stores > 0)
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// How many stores a block has, of the body or of a branch that all points take or none does, if all are of planes that are computed alike.
    fn stores_alike(&mut self, block: BlockRef<'c, 'a>) -> Option<usize> {
        let mut count = 0;
        let mut stored: HashMap<Vec<Key>, (i64, BTreeMap<i64, Value>)> = HashMap::new();
        for op in ir::operations(block) {
            let operands: Vec<Value> = op.operands().collect();
            if is(op, "memref.store") {
                let (place, plane) = self.plane(&operands[1..])?;
                operands.last().and_then(|last| self.ends(*last)).filter(|ends| *ends == [false, false])?;
                let (_, planes) = stored.entry(place).or_insert((step_of_rows(operands[1]), BTreeMap::new()));
                let is_first = planes.insert(plane, operands[0]).is_none();
                count += is_first.then_some(1)?;
            } else if is(op, "scf.if") && op.result_count() == 0 && self.is_same_for_all(operands[0]) {
                for inner in op.regions().filter_map(|region| region.first_block()) {
                    count += self.stores_alike(inner)?;
                }
            } else if op.region_count() > 0 || block != self.block && op.result_count() > 0 {
                return None;
            }
        }
        let are_alike = stored.into_values().all(|(channels, planes)| {
            planes.len() as i64 == channels && self.same(&planes.into_values().collect::<Vec<_>>())
        });
        are_alike.then_some(count)
    }

    /// The place of a load of memory and indices, or of a store, but for its plane, and that: `None` where it is not the point's own pixel, or one at the same
    /// distance for all.
    fn plane(&self, place: &[Value<'c, 'a>]) -> Option<(Vec<Key>, i64)> {
        let (memory, indices) = place.split_first()?;
        let of_planes = plane_of(*memory).filter(|_| step_of_rows(*memory) > 1)?;
        let (last, rows) = indices.split_last()?;
        let plane = constant_index(*indices.get(of_planes)?)?;
        self.ends(*last)?;
        let are_rows = of_planes < rows.len() && rows.iter().all(|index| self.is_same_for_all(*index));
        let others = place.iter().enumerate().filter(|(number, _)| *number != of_planes + 1);
        are_rows.then(|| (others.map(|(_, value)| key(*value)).collect(), plane))
    }

    /// Whether the values of all planes, in order, are the same function of their planes.
    fn same(&mut self, values: &[Value<'c, 'a>]) -> bool {
        if values.iter().all(|value| *value == values[0]) {
            return self.is_same_for_all(values[0]);
        }
        let known: Vec<Option<i64>> = values.iter().map(|value| self.planes.get(&key(*value)).copied()).collect();
        if known.iter().any(Option::is_some) {
            return known.into_iter().zip(0..).all(|(known, plane)| known == Some(plane));
        }
        let ops: Option<Vec<OperationRef>> = values.iter().map(|value| self.op_of(*value)).collect();
        let Some(ops) = ops else { return false };
        self.planes.extend(values.iter().map(|value| key(*value)).zip(0..));
        let operands: Vec<Vec<Value>> = ops.iter().map(|op| op.operands().collect()).collect();
        if is(ops[0], "memref.load") && step_of_rows(operands[0][0]) > 1 {
            let places: Option<Vec<(Vec<Key>, i64)>> = operands.iter().map(|operands| self.plane(operands)).collect();
            let channels = step_of_rows(operands[0][0]);
            return ops.iter().all(|op| is(*op, "memref.load"))
                && channels == values.len() as i64
                && places.is_some_and(|places| {
                    places.iter().zip(0..).all(|((place, plane), own)| *place == places[0].0 && *plane == own)
                });
        }
        if self.is_masked && ops.iter().any(|op| is(*op, "memref.load") || may_trap(*op)) {
            return false;
        }
        let attributes = |op: &OperationRef<'c, 'a>| -> BTreeMap<String, Attribute<'c>> {
            op.attributes()
                .map(|(name, value)| (name.as_string_ref().as_str().unwrap_or_default().to_owned(), value))
                .collect()
        };
        let first = attributes(&ops[0]);
        let are_same = ops
            .iter()
            .zip(&operands)
            .all(|(op, own)| is(*op, ir::name_of(ops[0])) && own.len() == operands[0].len() && attributes(op) == first);
        are_same
            && (0..operands[0].len())
                .all(|number| self.same(&operands.iter().map(|own| own[number]).collect::<Vec<_>>()))
    }

    /// Whether a value is the same for all points of the loop.
    fn is_same_for_all(&self, value: Value<'c, 'a>) -> bool {
        value != self.number
            && self.op_of(value).is_none_or(|op| op.operands().all(|operand| self.is_same_for_all(operand)))
    }

    /// Of an index that is the number of the point, or as far from it at all points: whether it is brought above another one, and then below one.
    fn ends(&self, index: Value<'c, 'a>) -> Option<[bool; 2]> {
        if index == self.number {
            return Some([false, false]);
        }
        let op = self.op_of(index)?;
        let (left, right) = (ir::operand(op, 0)?, ir::operand(op, 1)?);
        let swapped = self.ends(right).filter(|_| self.is_same_for_all(left));
        let ends = self.ends(left).filter(|_| self.is_same_for_all(right));
        match (ir::name_of(op), ends, swapped) {
            ("arith.addi", Some(ends), _) | ("arith.addi", _, Some(ends)) | ("arith.subi", Some(ends), _) => Some(ends),
            ("arith.maxsi", Some([false, false]), _) | ("arith.maxsi", _, Some([false, false])) => Some([true, false]),
            ("arith.minsi", Some([least, false]), _) | ("arith.minsi", _, Some([least, false])) => Some([least, true]),
            _ => None,
        }
    }

    /// The op of the body that computes a value.
    fn op_of(&self, value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        ir::defining_op(value).filter(|op| op.block() == Some(self.block))
    }
}
