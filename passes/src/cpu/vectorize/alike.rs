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
//!
//! **Every second pixel** is shuffled whole: one shuffle or two for a vector, where planes of them are picked element by element.
//!
//! **What planes share.** Where all need one plane, as colours need alpha, each has a copy of the load of its own, in whose part of a pixel that element stands
//! for each: `a a a a a a ...`. It is worth that where little is computed of it.

use super::{super::addresses::step_of_rows, places::plane_of};
use crate::ir::{Builder, Key, Kind, constant_index, is, key, may_trap, only_block};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, Value,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::ir;
use std::collections::{BTreeMap, HashMap, HashSet};
use weft_model::PIXELS_APART;

/// The lanes of a vector, of elements of pixels as they lie.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The number of the vector.
    pub(super) number: i64,
    /// Elements of a pixel.
    of: i64,
    /// Which element of a pixel is loaded for all of them, if not each for itself.
    shared: Option<i64>,
}

impl Part {
    /// How many elements behind the first point's pixel each lane is loaded from, where points are so many pixels apart.
    pub(super) fn elements(self, lanes: i64, step: i64) -> Vec<i64> {
        let first = self.number * lanes;
        let element = |lane: i64| self.of * step * (lane / self.of) + self.shared.unwrap_or(lane % self.of);
        (first..first + lanes).map(element).collect()
    }
}

/// The body of a loop over points.
struct Body<'c, 'a> {
    block: BlockRef<'c, 'a>,
    /// The number of a point.
    number: Value<'c, 'a>,
    /// What differs from point to point.
    varying: HashSet<Key>,
    /// Whether some lanes are not concerned, of which those of planes are known.
    is_masked: bool,
    /// The planes that values are of, as far as they have been found alike.
    planes: HashMap<Key, i64>,
    /// Loads of pixels, each with its part.
    loads: HashMap<Key, Part>,
    /// Loads and stores of all planes.
    tuples: usize,
    /// Operands of each plane's op that are one value.
    shared: Vec<Vec<(OperationRef<'c, 'a>, usize)>>,
}

/// The place of a load or a store of pixels.
#[derive(Clone, PartialEq)]
struct Place {
    /// Memory and indices but for the plane.
    others: Vec<Key>,
    plane: i64,
    channels: i64,
    along: Along,
}

/// An index along a row.
#[derive(Clone, Copy, PartialEq)]
struct Along {
    /// How far it goes from point to point.
    step: i64,
    /// Whether it is brought above another index, and then below one.
    ends: [bool; 2],
}

/// The parts that loads have, if all that a loop stores is planes of pixels that are computed alike; with masks nothing else may need one, as look-ups
/// and divisions do. Makes copies of what planes share.
pub(super) fn parts<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    is_masked: bool,
) -> Option<HashMap<Key, Part>> {
    let body = Body::of(op, is_masked)?;
    if body.shared.is_empty() {
        return Some(body.loads);
    }
    body.copy_shared(b)?;
    Body::of(op, is_masked).filter(|body| body.shared.is_empty()).map(|body| body.loads)
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// That of a loop which stores planes that are computed alike.
    fn of(op: OperationRef<'c, 'a>, is_masked: bool) -> Option<Self> {
        let block = only_block(op);
        let number = block.argument(0).expect("the index of a loop").into();
        let mut varying = HashSet::from([key(number)]);
        for op in ir::operations(block) {
            if op.operands().any(|operand| varying.contains(&key(operand))) {
                varying.extend(op.results().map(|result| key(result.into())));
            }
        }
        let (planes, loads) = (HashMap::new(), HashMap::new());
        let mut body = Self { block, number, varying, is_masked, planes, loads, tuples: 0, shared: Vec::new() };
        body.stores_alike(block)?;
        (body.tuples > 0).then_some(body)
    }

    /// Notes the stores of a block, of the body or of a branch that all points take or none does, if all are of planes that are computed alike.
    fn stores_alike(&mut self, block: BlockRef<'c, 'a>) -> Option<()> {
        let mut stored: HashMap<Vec<Key>, (i64, BTreeMap<i64, OperationRef>)> = HashMap::new();
        for op in ir::operations(block) {
            let operands: Vec<Value> = op.operands().collect();
            if is(op, "memref.store") {
                let place =
                    self.place(&operands[1..]).filter(|place| place.along == Along { step: 1, ends: [false; 2] })?;
                let (_, planes) = stored.entry(place.others).or_insert((place.channels, BTreeMap::new()));
                planes.insert(place.plane, op).is_none().then_some(())?;
            } else if is(op, "scf.if") && op.result_count() == 0 && self.is_same_for_all(operands[0]) {
                op.regions()
                    .filter_map(|region| region.first_block())
                    .try_for_each(|inner| self.stores_alike(inner))?;
            } else if op.region_count() > 0 || block != self.block && op.result_count() > 0 {
                return None;
            }
        }
        self.tuples += stored.len();
        let are_alike = stored.into_values().all(|(channels, planes)| {
            planes.len() as i64 == channels && self.same(planes.into_values().map(|op| (op, 0)).collect())
        });
        are_alike.then_some(())
    }

    /// The place of memory and indices: `None` where it is not that of pixels that lie along a row as points do.
    fn place(&self, place: &[Value<'c, 'a>]) -> Option<Place> {
        let (memory, indices) = place.split_first()?;
        let channels = Some(step_of_rows(*memory)).filter(|channels| *channels > 1)?;
        let of_planes = plane_of(*memory)?;
        let (last, rows) = indices.split_last()?;
        let plane = constant_index(*indices.get(of_planes)?)?;
        let along = self.along(*last)?;
        let are_rows = of_planes < rows.len() && rows.iter().all(|index| self.is_same_for_all(*index));
        let others = place.iter().enumerate().filter(|(number, _)| *number != of_planes + 1);
        are_rows.then(|| Place { others: others.map(|(_, value)| key(*value)).collect(), plane, channels, along })
    }

    /// Whether operands of the ops of all planes, in order, are the same function of their planes, or one value of which little is computed.
    fn same(&mut self, slots: Vec<(OperationRef<'c, 'a>, usize)>) -> bool {
        let values: Option<Vec<Value>> = slots.iter().map(|(op, number)| ir::operand(*op, *number)).collect();
        let Some(values) = values else { return false };
        if values.iter().all(|value| *value == values[0]) {
            let is_same_for_all = self.is_same_for_all(values[0]);
            if !is_same_for_all && !self.is_masked {
                self.shared.push(slots);
            }
            return is_same_for_all || !self.is_masked;
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
            return self.are_parts(&values, &ops, &operands);
        }
        if self.is_masked && ops.iter().any(|op| is(*op, "memref.load") || may_trap(*op)) {
            return false;
        }
        let first = Kind::of(ops[0]);
        let are_same =
            ops.iter().zip(&operands).all(|(op, own)| own.len() == operands[0].len() && Kind::of(*op) == first);
        are_same && (0..operands[0].len()).all(|number| self.same(ops.iter().map(|op| (*op, number)).collect()))
    }

    /// Whether loads of pixels are of all planes, in order, or all of one.
    fn are_parts(
        &mut self,
        values: &[Value<'c, 'a>],
        ops: &[OperationRef<'c, 'a>],
        operands: &[Vec<Value<'c, 'a>>],
    ) -> bool {
        let places: Option<Vec<Place>> = ops
            .iter()
            .zip(operands)
            .map(|(op, operands)| self.place(operands).filter(|_| is(*op, "memref.load")))
            .collect();
        let Some(places) = places else { return false };
        let (first, of) = (&places[0], values.len() as i64);
        let are_own = places.iter().zip(0..).all(|(place, own)| place.plane == own);
        let shared = Some(first.plane).filter(|plane| !are_own && places.iter().all(|place| place.plane == *plane));
        // What has masks or ends is as it lies.
        let is_plain = first.along.step == 1 && are_own;
        let fits = is_plain || !self.is_masked && first.along.ends == [false; 2];
        let parts = (0..).map(|number| Part { number, of, shared });
        self.loads.extend(values.iter().map(|value| key(*value)).zip(parts));
        self.tuples += 1;
        fits && first.channels == of
            && (are_own || shared.is_some())
            && places.iter().all(|place| Place { plane: first.plane, ..place.clone() } == *first)
    }

    /// Whether a value is the same for all points of the loop.
    fn is_same_for_all(&self, value: Value<'c, 'a>) -> bool {
        !self.varying.contains(&key(value))
    }

    /// Where an index goes along a row; `None` where it does so in no such way.
    fn along(&self, index: Value<'c, 'a>) -> Option<Along> {
        if index == self.number {
            return Some(Along { step: 1, ends: [false; 2] });
        }
        let op = self.op_of(index)?;
        let (left, right) = (ir::operand(op, 0)?, ir::operand(op, 1)?);
        let swapped = if self.is_same_for_all(left) { self.along(right) } else { None };
        let along = if self.is_same_for_all(right) { self.along(left) } else { None };
        match (ir::name_of(op), along, swapped) {
            ("arith.addi", Some(along), _) | ("arith.addi", _, Some(along)) | ("arith.subi", Some(along), _) => {
                Some(along)
            }
            ("arith.muli", Some(Along { step: 1, ends: [false, false] }), _) => {
                let step = constant_index(right).filter(|step| (1..=PIXELS_APART).contains(step))?;
                Some(Along { step, ends: [false; 2] })
            }
            ("arith.maxsi", Some(along), _) | ("arith.maxsi", _, Some(along)) => {
                (along.step == 1 && along.ends == [false; 2]).then_some(Along { ends: [true, false], ..along })
            }
            ("arith.minsi", Some(along), _) | ("arith.minsi", _, Some(along)) => {
                (along.step == 1 && !along.ends[1]).then_some(Along { ends: [along.ends[0], true], ..along })
            }
            _ => None,
        }
    }

    /// Gives each plane's ops copies of what they share; `None`, and none, where that is more than what stays as it lies is worth, or no arithmetic of
    /// loads of pixels.
    fn copy_shared(&self, b: &Builder<'c, 'a>) -> Option<()> {
        let mut needed = Vec::new();
        for slots in &self.shared {
            let (op, number) = slots[0];
            self.needed(ir::operand(op, number)?, &mut needed)?;
        }
        let (loads, others): (Vec<OperationRef>, Vec<OperationRef>) =
            needed.iter().partition(|op| is(**op, "memref.load"));
        if loads.len() > self.tuples || others.len() > 2 * self.tuples {
            return None;
        }
        let channels = self.shared[0].len();
        let mut copies: Vec<HashMap<Key, Value>> = vec![HashMap::new(); channels];
        for op in needed {
            let b = Builder::before(b.context(), op).located(op.location());
            copies.iter_mut().for_each(|copies| _ = b.clone_mapped(op, copies));
        }
        for slots in &self.shared {
            for ((op, number), copies) in slots.iter().zip(&copies) {
                let copy = copies.get(&key(ir::operand(*op, *number)?))?;
                ir::mutable(*op).set_operand(*number, *copy);
            }
        }
        Some(())
    }

    /// Adds the ops that a value of points is computed by, each once and behind those that it needs.
    fn needed(&self, value: Value<'c, 'a>, ops: &mut Vec<OperationRef<'c, 'a>>) -> Option<()> {
        if self.is_same_for_all(value) {
            return Some(());
        }
        let op = self.op_of(value)?;
        if ops.contains(&op) {
            return Some(());
        }
        let operands: Vec<Value> = op.operands().collect();
        if is(op, "memref.load") {
            self.place(&operands).filter(|place| place.along.ends == [false; 2])?;
        } else {
            operands.into_iter().try_for_each(|operand| self.needed(operand, ops))?;
        }
        ops.push(op);
        Some(())
    }

    /// The op of the body that computes a value.
    fn op_of(&self, value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        ir::defining_op(value).filter(|op| op.block() == Some(self.block))
    }
}
