//! Loads of vectors: what lanes read, and how little of it must be read one by one.
//!
//! ```text
//! %m[%y, %x + 1]          lanes side by side      vector.load
//! %m[%y, 2 * %x]          a stretch with gaps     vector.load of all of it, vector.shuffle; of every n-th, halves of halves
//! %m[%y, clamp(%x - 3)]   ends may lie outside    vector.maskedload over what the first lane reads, and the last; of three or more loads
//!                                                 beside each other one pair of these, vector.shuffle
//! %m[%x mod 2, %i]        rows known by lane      vector.load of all between, vector.shuffle: of a table a constant
//! %m[%p, %y, %x]          a plane of few          vector.load of each, arith.select by the bits of %p
//! %m[%y, %x / 8, %i]      short rows              rows in registers, and in each a look-up by %i (`tables.rs`)
//! %m[%y, f(%x)]           near each other         a window of the row, looked up by `f(%x)`, where all lanes lie in one (`windows.rs`)
//! %m[%x, %y]              a column of few         of each lane's row all that loads beside it read, as one number
//! %m[%x, %j + 1]          beside others           each lane's row, transposed (`across.rs`)
//! %m[%i, %j, 1]           beside others           each lane loads all of them as one number (`together.rs`)
//! %m[%i, clamp(%j + 1)]   beside another one      each lane loads both as one number (`pairs.rs`); of four, all (`quads.rs`)
//! %m[%i, %j]              anywhere                vector.gather
//! %p[%c, %y, %x]          planes of pixels        as above, of all planes (`pixels.rs`)
//! ```

use super::super::addresses::{step_of_rows, strides_of};
use super::{
    places::{Place, Row, ends},
    reach::Tap,
    registers::concatenated,
    vectors::{Clamped, Lanes, Steps, Vectors},
};
use crate::ir::{
    Builder, Compare, Emit, Number, bits_of_element, bytes_of_element, constant_index, element_of, key, zero,
};
use melior::ir::{Attribute, OperationRef, Type, Value, ValueLike, operation::OperationLike, r#type::MemRefType};
use weft_dialects::pipeline::static_extents;
use weft_model::{Arith, CACHE_LINE};

/// Planes of which all are loaded, where it is computed which one is asked for.
const MOST_PLANES: i64 = 8;

/// A load may be of so many vectors, of whose elements some are taken.
const MOST_VECTORS: i64 = 4;

/// The same of elements that CPUs do not gather, or of those of them that are a power of two apart.
const MOST_OF_SMALL: i64 = 16;
const MOST_OF_EVERY_NTH: i64 = 8;

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    pub(super) fn load(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Lanes<'c, 'a> {
        let element = op.result(0).expect("a load has a result").r#type();
        let (memory, indices) = operands.split_first().expect("a load has memory");
        let mut at = Vec::new();
        let mut along = None;
        for (d, index) in indices.iter().enumerate() {
            match self.of(*index) {
                Lanes::Same(scalar) => at.push(scalar),
                other if d + 1 == indices.len() => along = Some(other),
                _ => {}
            }
        }
        match (along, self.active) {
            (None, _) if at.len() == indices.len() => Lanes::Same(b.load(*memory, &at, element)),
            (Some(Lanes::Steps(steps)), None) if at.len() + 1 == indices.len() && self.is_stretch(&steps, element) => {
                let part = self.parts.as_ref().and_then(|parts| parts.get(&key(op.result(0).ok()?.into())).copied());
                Lanes::Own(match part {
                    Some(part) => self.load_part(b, &Row { memory: *memory, at, first: steps.first }, &steps, part),
                    None => self.stretch(b, *memory, &at, &steps, self.reach.around(op)),
                })
            }
            (Some(Lanes::Steps(steps)), Some(active)) if at.len() + 1 == indices.len() && steps.are_neighbours() => {
                let nothing = zero(b, self.vector_type(b, element));
                let row = Row { memory: *memory, at, first: steps.first };
                let end = b.arith("addi", active.last, b.index(1));
                Lanes::Own(self.masked_load(b, &row, active.mask, [active.first, end], nothing))
            }
            (Some(Lanes::Clamped(clamped)), _) if at.len() + 1 == indices.len() => {
                // Of pixels that are not taken apart neighbours are so many elements away.
                let step = if self.parts.is_some() { step_of_rows(*memory) } else { 1 };
                Lanes::Own(match self.reach.tap(op, self.lanes / step) {
                    Some(tap) => self.clamped_tap(b, *memory, &at, clamped, tap),
                    None => self.clamped_load(b, *memory, &at, &clamped, self.lanes_of_clamped(b, 0), None),
                })
            }
            _ => {
                let near = match self.active {
                    None => {
                        let few = self.few_rows(b, *memory, indices);
                        few.or_else(|| self.one_of_planes(b, *memory, indices))
                    }
                    Some(_) => None,
                };
                let near = near.or_else(|| self.table(b, *memory, indices, element));
                let near = near.or_else(|| self.one_of_window(b, op, *memory, indices));
                Lanes::Own(near.unwrap_or_else(|| self.anywhere(b, op, *memory, indices)))
            }
        }
    }

    /// A load of which each lane has a place of its own.
    pub(super) fn anywhere(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let near = self.column(b, op, memory, indices);
        let near = near.or_else(|| self.one_of_number(b, op, memory, indices));
        let near = near.or_else(|| self.one_of_few(b, op, memory, indices));
        let near = near.or_else(|| self.one_of_columns(b, op, memory, indices));
        let near = near.or_else(|| self.one_of_four(b, op, memory, indices));
        let near = near.or_else(|| self.one_of_pair(b, op, memory, indices));
        near.unwrap_or_else(|| {
            self.gathers += 1;
            self.gather(b, memory, indices, self.vector_type(b, element_of(memory)))
        })
    }

    /// Asks for the cache lines of a stretch, each once. For elements far apart nothing is asked for.
    pub(super) fn prefetch(&self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>, operands: &[Value<'c, 'a>]) {
        let [memory, row @ .., last] = operands else { return };
        let row: Option<Vec<Value>> = row
            .iter()
            .map(|index| match self.of(*index) {
                Lanes::Same(scalar) => Some(scalar),
                _ => None,
            })
            .collect();
        let (Some(row), Lanes::Steps(steps)) = (row, self.of(*last)) else { return };
        if !self.is_stretch(&steps, element_of(*memory)) {
            return;
        }
        let row = Row { memory: *memory, at: row, first: steps.first };
        let (row, (least, most)) = match row.place(b) {
            Some(place) => {
                let (_, ends) = place.steps(&steps.steps);
                (Row { memory: place.elements, at: Vec::new(), first: place.at }, ends)
            }
            None => (row, ends(&steps.steps)),
        };
        let line = CACHE_LINE / bytes_of_element(element_of(*memory));
        for offset in (least..=most).step_by(line as usize) {
            let at = b.arith("addi", row.first, b.index(offset));
            let attributes: Vec<(&str, Attribute)> = ["isWrite", "localityHint", "isDataCache"]
                .into_iter()
                .filter_map(|name| Some((name, op.attribute(name).ok()?)))
                .collect();
            b.op("memref.prefetch", &[&[row.memory], &row.at[..], &[at]].concat(), &[], &attributes);
        }
    }

    /// Whether the elements of all lanes lie close together.
    fn is_stretch(&self, steps: &Steps<'c, 'a>, element: Type<'c>) -> bool {
        let (least, most) = ends(&steps.steps);
        let vectors = match bytes_of_element(element) {
            1 | 2 => MOST_OF_SMALL,
            _ if power_of_two(&steps.steps).is_some() => MOST_OF_EVERY_NTH,
            _ => MOST_VECTORS,
        };
        most.checked_sub(least).is_some_and(|length| length < vectors * self.lanes)
    }

    /// A load of neighbours, of which some lanes exist, those from the first number to the second: others have what is given for them.
    fn masked_load(
        &self,
        b: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        mask: Value<'c, 'a>,
        ends: [Value<'c, 'a>; 2],
        otherwise: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        if let Some(place) = row.place(b) {
            return match self.parts {
                Some(_) => self.masked_part(b, &place, ends, otherwise),
                None => self.masked_pixels(b, &place, mask, ends, otherwise),
            };
        }
        let operands = [&[row.memory], &row.at[..], &[row.first, mask, otherwise]].concat();
        b.value("vector.maskedload", &operands, otherwise.r#type(), &[])
    }

    /// Loads of all elements between the first and the last, and shuffles. So many elements `around` these may be read, too.
    fn stretch(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        row: &[Value<'c, 'a>],
        steps: &Steps<'c, 'a>,
        around: (i64, i64),
    ) -> Value<'c, 'a> {
        let element = element_of(memory);
        let row = Row { memory, at: row.to_vec(), first: steps.first };
        match row.place(b) {
            Some(place) if steps.are_neighbours() && !place.is_permuted(self.lanes) => self.load_pixels(b, &place),
            Some(place) => {
                let (steps, ends) = place.steps(&steps.steps);
                let row = Row { memory: place.elements, at: Vec::new(), first: place.at };
                self.gaps(b, &row, &steps, ends, self.lanes)
            }
            None if steps.are_neighbours() => {
                let ty = self.vector_type(b, element);
                b.value("vector.load", &[&[memory], &row.at[..], &[row.first]].concat(), ty, &[])
            }
            None => match self.whole_vectors(&steps.steps, around) {
                Some(start) => {
                    let first = b.arith("addi", row.first, b.index(start));
                    self.every_nth(b, &Row { first, ..row }, steps.steps[1] - steps.steps[0], -start)
                }
                None => match one_vector(&steps.steps, around, bytes_of_element(element)) {
                    Some((least, most)) => self.gaps(b, &row, &steps.steps, (least, most), most - least + 1),
                    None => self.gaps(b, &row, &steps.steps, ends(&steps.steps), self.lanes),
                },
            },
        }
    }

    /// Where a stretch of every second element, or fourth, begins so that it is of whole vectors, which begin where those of loads beside it
    /// do: `None` where not so much may be read.
    fn whole_vectors(&self, steps: &[i64], (before, behind): (i64, i64)) -> Option<i64> {
        let step = power_of_two(steps)?;
        // As those of the first load beside it, or, where that is too far, as late as ends with the last.
        let first = before % step;
        let last = step - 1 - behind;
        let start = if last <= first { first } else { last };
        (start <= before && self.lanes.count_ones() == 1).then_some(-start)
    }

    /// Of whole vectors every n-th element, a power of two, from one of the first n on: of each two vectors the even or the odd ones, then of each two of
    /// these. Loads of other elements of the same vectors share half of the shuffles, and so on.
    fn every_nth(&self, b: &Builder<'c, 'a>, row: &Row<'c, 'a>, mut nth: i64, mut first: i64) -> Value<'c, 'a> {
        let element = element_of(row.memory);
        let all = nth * self.lanes;
        let size = all.min(self.register / bytes_of_element(element));
        let load = |at: i64| {
            let at = b.arith("addi", row.first, b.index(at));
            let ty = b.vector_type(size, element);
            b.value("vector.load", &[&[row.memory], &row.at[..], &[at]].concat(), ty, &[])
        };
        let mut vectors: Vec<Value> = (0..all).step_by(size as usize).map(load).collect();
        while vectors.len() > 1 && nth > 1 {
            let every_second =
                |two: &[Value<'c, 'a>]| b.shuffle([two[0], two[1]], (0..size).map(|lane| 2 * lane + first % 2));
            vectors = vectors.chunks_exact(2).map(every_second).collect();
            (nth, first) = (nth / 2, first / 2);
        }
        match vectors[..] {
            [one] if nth > 1 => b.shuffle([one, one], (0..self.lanes).map(|lane| nth * lane + first)),
            _ => concatenated(b, vectors),
        }
    }

    /// Loads of all elements from one step to another, so many at a time at most, and shuffles that take those of the lanes.
    pub(super) fn gaps(
        &self,
        b: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        steps: &[i64],
        (least, most): (i64, i64),
        register: i64,
    ) -> Value<'c, 'a> {
        let element = element_of(row.memory);
        let length = most - least + 1;
        let load = |offset: i64, length: i64| {
            let at = match least + offset {
                0 => row.first,
                offset => b.arith("addi", row.first, b.index(offset)),
            };
            let ty = b.vector_type(length, element);
            b.value("vector.load", &[&[row.memory], &row.at[..], &[at]].concat(), ty, &[])
        };
        // Vectors that a register holds, one behind the other, the last one moved back to end with the last element.
        let size = (1 << length.ilog2()).min(register);
        let mut value: Option<Value> = None;
        let mut done = 0;
        while done < length {
            // Two at a time at first, then one more to what there is.
            let near = done.min(length - size);
            let (left, kept) = match value {
                None => (load(near, size), size),
                Some(value) => (value, self.lanes),
            };
            let offset = if value.is_none() { (near + size).min(length - size) } else { near };
            let right = if offset == near && value.is_none() { left } else { load(offset, size) };
            let lanes = (0i64..).zip(steps).map(|(lane, step)| match (step - least, value) {
                (place, None) if place < near + size => place - near,
                (place, None) => kept + (place - offset).min(size - 1),
                (place, Some(_)) if place >= done && place < offset + size => kept + place - offset,
                (_, Some(_)) => lane,
            });
            value = Some(b.shuffle([left, right], lanes));
            done = offset + size;
        }
        value.expect("a stretch has elements")
    }

    /// A load of a stretch whose ends may lie outside, and are then the nearest element inside. The first lane that may read is `lowest`, the
    /// last one `highest`; they may lie beyond the vector.
    fn clamped_load(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        row: &[Value<'c, 'a>],
        clamped: &Clamped<'c, 'a>,
        [lowest, highest]: [Value<'c, 'a>; 2],
        part_number: Option<i64>,
    ) -> Value<'c, 'a> {
        let element = element_of(memory);
        let ty = self.vector_type(b, element);
        let first = clamped.steps.first;
        let own = Row { memory, at: row.to_vec(), first };
        let part = own.place(b).filter(|_| self.parts.is_some());
        let part = part.map(|place| Place { plane: part_number.or(place.plane), ..place });
        // What the first and the last lane read can be read: a lane that is brought inside reads what one of them does.
        let edge = |lane: Value<'c, 'a>| {
            let first = clamped.bring(b, b.arith("addi", first, lane));
            match &part {
                Some(part) => self.pixel(b, &Row { first, ..own.clone() }, part),
                None => self.broadcast(b, b.load(memory, &[row, &[first]].concat(), element)),
            }
        };
        let first_lanes = |count: Value<'c, 'a>| match &part {
            Some(place) => self.first_of_part(b, place, count),
            None => self.first_lanes(b, count),
        };
        // How many lanes lie below the least index, and how many do not lie above the greatest.
        let (mut from, mut to) = (lowest, b.arith("addi", highest, b.index(1)));
        let mut padding = None;
        if let Some(least) = clamped.least {
            let outside = b.arith("subi", least, first);
            let from_begin = constant_index(lowest).is_some_and(|lowest| lowest <= 0);
            from = if from_begin { outside } else { b.arith("maxsi", lowest, outside) };
            padding = Some((first_lanes(outside), edge(lowest)));
        }
        if let Some(most) = clamped.most {
            let end = b.arith("addi", b.arith("subi", most, first), b.index(1));
            let to_end = constant_index(highest).is_some_and(|highest| highest >= self.lanes - 1);
            to = if to_end { end } else { b.arith("minsi", to, end) };
        }
        let padding = match (padding, clamped.most) {
            (Some((below, left)), Some(_)) => b.select(below, left, edge(highest), ty),
            (Some((_, left)), None) => left,
            (None, _) => edge(highest),
        };
        if let Some(part) = &part {
            return self.masked_part(b, part, [from, to], padding);
        }
        let inside = but_first(b, self.first_lanes(b, to), self.first_lanes(b, from));
        self.masked_load(b, &own, inside, [from, to], padding)
    }

    /// The first lane that reads and, so many elements later, the last one.
    fn lanes_of_clamped(&self, b: &Builder<'c, 'a>, later: i64) -> [Value<'c, 'a>; 2] {
        match self.active {
            Some(active) => [active.first, Emit(b).add(&Number::Value(active.last), &Number::Known(later)).value(b)],
            None => [b.index(0), b.index(self.lanes - 1 + later)],
        }
    }

    /// One of several loads of a stretch whose ends may lie outside: that is two vectors, of which each load takes neighbouring lanes; of pixels that are
    /// not taken apart one more than they have planes, of which it takes lanes of two.
    fn clamped_tap(
        &mut self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        row: &[Value<'c, 'a>],
        clamped: Clamped<'c, 'a>,
        Tap { row: beside, offset, span }: Tap,
    ) -> Value<'c, 'a> {
        let first = Row { memory, at: row.to_vec(), first: clamped.steps.first };
        let part =
            first.place(b).filter(|_| self.parts.is_some()).map(|place| (place.plane.unwrap_or(0), place.channels));
        let vectors = match self.shared.clamped_rows.get(&beside) {
            Some(vectors) => vectors.clone(),
            None => {
                let [lowest, highest] = self.lanes_of_clamped(b, span);
                let load = |passed: i64, part: Option<i64>| {
                    let steps = clamped.steps.moved(b, passed - offset);
                    let ends = [lowest, highest].map(|lane| b.arith("subi", lane, b.index(passed)));
                    self.clamped_load(b, memory, row, &Clamped { steps, ..clamped.clone() }, ends, part)
                };
                let vectors: Vec<Value> = match part {
                    Some((_, channels)) => (0..=channels).map(|part| load(0, Some(part))).collect(),
                    None => [0, self.lanes].map(|passed| load(passed, None)).to_vec(),
                };
                self.shared.clamped_rows.insert(beside, vectors.clone());
                vectors
            }
        };
        let (near, offset) = part.map_or((0, offset), |(plane, channels)| (plane, channels * offset));
        let pair = [vectors[near as usize], vectors[near as usize + 1]];
        b.shuffle(pair, offset..offset + self.lanes)
    }

    /// A load down a column where others read the columns beside it: each lane loads all of them as one number, which the others do, too,
    /// and takes its part. CPUs gather no bytes.
    fn column(
        &self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let element = element_of(memory);
        let (before, behind) = self.reach.around(op);
        let (count, bits) = (before + behind + 1, i64::from(bits_of_element(element)?));
        let is_number = count > 1 && bits % 8 == 0 && [16, 32, 64].contains(&(count * bits));
        if self.active.is_some() || !is_number || step_of_rows(memory) != 1 {
            return None;
        }
        let down = indices.iter().position(|index| !matches!(self.of(*index), Lanes::Same(_)))?;
        let at = indices.iter().enumerate().map(|(d, index)| match self.of(*index) {
            Lanes::Same(scalar) => Some(scalar),
            _ if d == down => Some(*index),
            _ => None,
        });
        let mut at: Vec<Value> = at.collect::<Option<_>>()?;
        let last = at.last_mut().filter(|_| down + 1 < indices.len())?;
        *last = b.arith("addi", *last, b.index(-before));
        let rows: Vec<Value> = match self.of(indices[down]) {
            Lanes::Steps(steps) => {
                steps.steps.iter().map(|step| b.arith("addi", steps.first, b.index(*step))).collect()
            }
            _ => {
                let rows = self.vector(b, indices[down]);
                (0..self.lanes).map(|lane| lane_of(b, rows, lane, b.index_type())).collect()
            }
        };
        let places = rows.into_iter().map(|row| {
            at[down] = row;
            at.clone()
        });
        let all = self.numbers_at(b, memory, count, places.collect());
        let ty = all.r#type();
        let above = b.value("arith.shrui", &[all, b.integer(ty, &[before * bits])], ty, &[]);
        Some(self.lowest(b, above, element))
    }

    /// Of each lane the neighbours that lie at its place and behind, as one number.
    pub(super) fn numbers_at(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        count: i64,
        places: Vec<Vec<Value<'c, 'a>>>,
    ) -> Value<'c, 'a> {
        let neighbours = b.vector_type(count, element_of(memory));
        let number = self.number_of(b, memory, count);
        let lanes = places.into_iter().map(|at| {
            let row = b.value("vector.load", &[&[memory], &at[..]].concat(), neighbours, &[]);
            lane_of(b, b.value("vector.bitcast", &[row], b.vector_type(1, number), &[]), 0, number)
        });
        let lanes: Vec<Value> = lanes.collect();
        b.value("vector.from_elements", &lanes, self.vector_type(b, number), &[])
    }

    /// The type of a number that is so many elements of memory.
    pub(super) fn number_of(&self, b: &Builder<'c, 'a>, memory: Value<'c, 'a>, count: i64) -> Type<'c> {
        b.integer_type(bits_of_element(element_of(memory)).unwrap_or_default() * count as u32)
    }

    /// The first of the elements that numbers are made of.
    pub(super) fn lowest(&self, b: &Builder<'c, 'a>, numbers: Value<'c, 'a>, element: Type<'c>) -> Value<'c, 'a> {
        let bits = b.integer_type(bits_of_element(element).unwrap_or_default());
        let own = b.value("arith.trunci", &[numbers], self.vector_type(b, bits), &[]);
        self.as_elements(b, own, element)
    }

    /// The same bits as elements of this type.
    pub(super) fn as_elements(&self, b: &Builder<'c, 'a>, vector: Value<'c, 'a>, element: Type<'c>) -> Value<'c, 'a> {
        let ty = self.vector_type(b, element);
        if vector.r#type() == ty { vector } else { b.value("vector.bitcast", &[vector], ty, &[]) }
    }

    /// A load of which it is known for each lane how far its element is from the first one's, in rows that lie close together.
    fn few_rows(&self, b: &Builder<'c, 'a>, memory: Value<'c, 'a>, indices: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        let (strides, _) = MemRefType::try_from(memory.r#type()).ok()?.strides_and_offset();
        let mut at = Vec::new();
        let mut all = vec![0i64; self.lanes as usize];
        for (index, stride) in indices.iter().zip(&strides) {
            match self.of(*index) {
                Lanes::Same(scalar) => at.push(scalar),
                Lanes::Steps(steps) => {
                    at.push(steps.first);
                    // MLIR's number for a stride that is not known.
                    if *stride == i64::MIN && steps.steps.iter().any(|step| *step != 0) {
                        return None;
                    }
                    for (all, step) in all.iter_mut().zip(&steps.steps) {
                        *all = all.checked_add(step.saturating_mul(*stride))?;
                    }
                }
                _ => return None,
            }
        }
        let first = at.pop().filter(|_| strides.last() == Some(&1))?;
        let (least, most) = ends(&all);
        let is_near = most.checked_sub(least).is_some_and(|length| length < MOST_VECTORS * self.lanes);
        is_near.then(|| self.gaps(b, &Row { memory, at, first }, &all, (least, most), self.lanes))
    }

    /// A load from a plane of few, which is computed: the same stretch of all of them, and of each lane the plane that it asks for.
    fn one_of_planes(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let (last, before) = indices.split_last()?;
        let Lanes::Steps(steps) = self.of(*last) else { return None };
        let asked = before.iter().position(|index| !matches!(self.of(*index), Lanes::Same(_)))?;
        let planes = extents_of(memory)?.get(asked).copied().flatten().filter(|planes| *planes <= MOST_PLANES)?;
        let row = before.iter().enumerate().map(|(d, index)| match self.of(*index) {
            Lanes::Same(scalar) => Some(scalar),
            _ if d == asked => Some(*index),
            _ => None,
        });
        let mut row: Vec<Value> = row.collect::<Option<_>>()?;
        if !self.is_stretch(&steps, element_of(memory)) {
            return None;
        }
        let number = self.small(b, before[asked]);
        let loads = (0..planes).map(|plane| {
            row[asked] = b.index(plane);
            self.stretch(b, memory, &row, &steps, (0, 0))
        });
        let mut level: Vec<Value> = loads.collect();
        // Pairs by the last bit of the number, pairs of these by the one before: a comparison for a bit.
        let mut bit = 1;
        while level.len() > 1 {
            let ty = number.r#type();
            let is_even = b.value("arith.andi", &[number, b.integer(ty, &[bit])], ty, &[]);
            let is_even = b.value(
                "arith.cmpi",
                &[is_even, b.integer(ty, &[0])],
                self.vector_type(b, b.bool_type()),
                &[("predicate", b.i64_attribute(Compare::Equal as i64))],
            );
            let pairs = level.chunks(2).map(|pair| match pair {
                [even, odd] => b.select(is_even, *even, *odd, even.r#type()),
                _ => pair[0],
            });
            level = pairs.collect();
            bit *= 2;
        }
        level.pop()
    }

    /// Loads at any places, one for each lane.
    pub(super) fn gather(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
        ty: Type<'c>,
    ) -> Value<'c, 'a> {
        if let Some(row) = self.short_row(b, memory, indices) {
            let last = self.vector(b, indices[indices.len() - 1]);
            return self.gather_at(b, row, 1, last, ty);
        }
        let vectors: Vec<Value> = indices.iter().map(|index| self.vector(b, *index)).collect();
        let offset = self.offsets(b, memory, &vectors);
        self.gather_at(b, memory, indices.len(), offset, ty)
    }

    /// The row that all lanes read, where it is so short that a byte tells its bytes apart, as memory of its own: `--look-ups` looks them up.
    fn short_row(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let (_, before) = indices.split_last().filter(|(_, before)| !before.is_empty())?;
        let (strides, _) = MemRefType::try_from(memory.r#type()).ok()?.strides_and_offset();
        let columns = extents_of(memory)?.last().copied().flatten().filter(|columns| *columns <= 256)?;
        if bits_of_element(element_of(memory)) != Some(8) || strides.last() != Some(&1) {
            return None;
        }
        let offsets = before.iter().map(|index| match self.of(*index) {
            Lanes::Same(scalar) => Some(scalar),
            _ => None,
        });
        let offsets: Vec<Value> = offsets.collect::<Option<_>>()?;
        let rank = indices.len();
        let number = |last: i64, other: i64| b.integers(&[vec![other; rank - 1], vec![last]].concat());
        let ty = b.parse_type(&format!("memref<{columns}x{}, strided<[1], offset: ?>>", element_of(memory)));
        let attributes = [
            ("static_offsets", number(0, i64::MIN)),
            ("static_sizes", number(columns, 1)),
            ("static_strides", number(1, 1)),
            ("operandSegmentSizes", b.parse_attribute(&format!("array<i32: 1, {}, 0, 0>", rank - 1))),
        ];
        Some(b.value("memref.subview", &[&[memory], &offsets[..]].concat(), ty, &attributes))
    }

    /// Places in memory as offsets of elements from its first.
    pub(super) fn offsets(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let index_type = self.vector_type(b, b.index_type());
        let (_, strides) = strides_of(b, memory, indices.len());
        let mut offset: Option<Value> = None;
        for (index, stride) in indices.iter().zip(strides) {
            let part = match stride {
                Some(stride) => b.value("arith.muli", &[*index, self.broadcast(b, stride)], index_type, &[]),
                None => *index,
            };
            offset = Some(match offset {
                Some(before) => b.value("arith.addi", &[before, part], index_type, &[]),
                None => part,
            });
        }
        offset.unwrap_or_else(|| self.broadcast(b, b.index(0)))
    }

    /// Loads at such offsets, of memory with so many dimensions.
    pub(super) fn gather_at(
        &self,
        b: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        rank: usize,
        offset: Value<'c, 'a>,
        ty: Type<'c>,
    ) -> Value<'c, 'a> {
        let origin = b.index(0);
        // The last index counts elements that are next to each other.
        let pixels = Place::of(b, memory, &vec![origin; rank]).map(|place| place.elements);
        let (memory, rank) = pixels.map_or((memory, rank), |elements| (elements, 1));
        let mask_type = self.vector_type(b, b.bool_type());
        let mask = self.active.map_or_else(|| b.integer(mask_type, &[1]), |active| active.mask);
        let operands = [vec![memory], vec![origin; rank], vec![offset, mask, zero(b, ty)]].concat();
        b.value("vector.gather", &operands, ty, &[])
    }

    /// A mask of so many lanes, of none for a negative number.
    pub(super) fn first_lanes(&self, b: &Builder<'c, 'a>, count: Value<'c, 'a>) -> Value<'c, 'a> {
        // The comparison is one of 32 bits.
        self.some_lanes(b, b.arith("maxsi", b.arith("minsi", count, b.index(self.lanes)), b.index(0)))
    }

    /// A mask of so many lanes, of 0 to all. Of 32 and 64 lanes it is made of the bits of a number: `vector.create_mask` would compare 32 bits
    /// in each lane, which are two vectors or four.
    pub(super) fn some_lanes(&self, b: &Builder<'c, 'a>, count: Value<'c, 'a>) -> Value<'c, 'a> {
        let ty = self.vector_type(b, b.bool_type());
        if ![32, 64].contains(&self.lanes) {
            return b.value("vector.create_mask", &[count], ty, &[]);
        }
        let number = b.integer_type(64);
        let arith = |name: &str, left, right| b.value(name, &[left, right], number, &[]);
        let known = |value: i64| b.integer(number, &[value]);
        let count = b.value("arith.index_cast", &[count], number, &[]);
        // In two steps: a number cannot be shifted by all of its bits.
        let half = arith("arith.shrui", count, known(1));
        let above = arith("arith.shli", arith("arith.shli", known(-1), half), arith("arith.subi", count, half));
        let bits = arith("arith.xori", above, known(-1));
        let own = b.integer_type(self.lanes as u32);
        let bits = if self.lanes == 64 { bits } else { b.value("arith.trunci", &[bits], own, &[]) };
        let bits = b.value("vector.broadcast", &[bits], b.vector_type(1, own), &[]);
        b.value("vector.bitcast", &[bits], ty, &[])
    }
}

/// The first and the last element of a stretch with some beside it that other loads read, if these are one vector, and without them it would be
/// two; where loads beside it have the same vector, if they can.
fn one_vector(steps: &[i64], (before, behind): (i64, i64), bytes: i64) -> Option<(i64, i64)> {
    let (least, most) = ends(steps);
    let length = most - least + 1;
    let wide = length.cast_unsigned().next_power_of_two().cast_signed();
    if wide == length || wide > before + length + behind || wide * bytes > CACHE_LINE {
        return None;
    }
    let start = if least - before + wide > most { least - before } else { most + behind + 1 - wide };
    (start <= least && start + wide > most).then_some((start, start + wide - 1))
}

/// How far lanes are apart that all are as far, if that is a power of two.
fn power_of_two(steps: &[i64]) -> Option<i64> {
    let step = steps.get(1)?.checked_sub(steps[0]).filter(|step| *step > 1 && step.count_ones() == 1)?;
    steps.iter().zip(0..).all(|(at, lane)| *at == lane * step).then_some(step)
}

/// The extents of memory, as far as they are known.
pub(super) fn extents_of(memory: Value) -> Option<Vec<Option<i64>>> {
    MemRefType::try_from(memory.r#type()).ok().map(static_extents)
}

/// What a vector has in one lane.
pub(super) fn lane_of<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    vector: Value<'c, 'a>,
    lane: i64,
    ty: Type<'c>,
) -> Value<'c, 'a> {
    b.value("vector.extract", &[vector], ty, &[("static_position", b.integers(&[lane]))])
}

/// The lanes of a mask but for the first ones, which another has.
pub(super) fn but_first<'c: 'a, 'a>(b: &Builder<'c, 'a>, until: Value<'c, 'a>, before: Value<'c, 'a>) -> Value<'c, 'a> {
    let ty = before.r#type();
    let not_before = b.value("arith.xori", &[before, b.integer(ty, &[1])], ty, &[]);
    b.value("arith.andi", &[until, not_before], ty, &[])
}
