//! Elements of one row that lanes read near each other, at places that are computed of the columns, as an image is resized.
//!
//! ```text
//! %i = f(%x)                            %base = what the first lane reads, or the last
//! %v = load %m[%y, %i] : i8     ──▶     %v = if (all lanes lie in the 128 bytes from %base on) {
//!                                         gather of these 128 bytes, which --look-ups does in registers
//!                                       } else { as it would be otherwise }
//! ```
//!
//! Which row is read is the same for all lanes, and where in it depends on no pixel: so lanes that are neighbours read near each other, unless the image
//! becomes many times smaller. Each lane would load its own; AVX-512 permutes a window of the row, two registers of it, by one instruction, of bytes with VBMI. Rows that
//! are computed together have the same places: what is asked of them is asked once. Pixels of bytes have a window of four registers, in which all channels are looked
//! up.
//!
//! It is for loops with `weft.permutes`, which says how many bits elements have at least.

use super::{
    super::addresses::{extent_of, strides_of},
    loads::lane_of,
    registers::{concatenated, part},
    vectors::{Lanes, Vectors},
};
use crate::ir::{Builder, Compare, bits_of_element, bytes_of_element, element_of, is, zero};
use melior::ir::{OperationRef, RegionLike, Value, ValueLike, operation::OperationLike, r#type::MemRefType};
use mlir_glue::ir;
use weft_dialects::pipeline::static_extents;

/// Bytes of a register.
const REGISTER: i64 = 64;

/// Lanes that have a window, at most: of images that become half as large two lanes read four elements, and six channels.
const LANES: i64 = 32;

/// Channels of a pixel, at most.
const MOST_CHANNELS: i64 = 4;

/// Ops from a column to a place in a row, at most.
const FARTHEST: u32 = 32;

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// A load at places in a row that depend on the columns alone.
    pub(super) fn one_of_window(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let bits = bits_of_element(element_of(memory)).filter(|bits| [8, 16, 32].contains(bits))?;
        if self.active.is_some() || self.permutes.is_none_or(|least| i64::from(bits) < least) {
            return None;
        }
        let ty = MemRefType::try_from(memory.r#type()).ok()?;
        let ((strides, _), extents) = (ty.strides_and_offset(), static_extents(ty));
        let mut along = (0..indices.len()).filter(|d| !matches!(self.of(indices[*d]), Lanes::Same(_)));
        let (along, other) = (along.next()?, along.next());
        let channels = match indices.len() - along {
            1 => 1,
            2 if bits == 8 => {
                extents.last().copied().flatten().filter(|channels| (2..=MOST_CHANNELS).contains(channels))?
            }
            _ => return None,
        };
        let is_row = other.is_none() && strides.last() == Some(&1) && self.is_of_columns(indices[along], FARTHEST);
        if !is_row || !matches!(self.of(indices[along]), Lanes::Own(_)) {
            return None;
        }
        // What is read of a pixel beside the channel itself.
        let beside = self.reach.row_of(op).filter(|_| channels > 1);
        let (before, behind) = beside.as_ref().map_or((0, 0), |(_, around)| *around);
        let known = beside.as_ref().and_then(|(row, _)| self.shared.windows.get(row));
        if let Some(found) = known {
            return found.get(usize::try_from(before).ok()?).copied();
        }
        let found = self.window(b, op, memory, indices, (along, channels), (before, behind));
        let own = found[usize::try_from(before).ok()?];
        if let Some((row, _)) = beside {
            self.shared.windows.insert(row, found);
        }
        Some(own)
    }

    /// Whether an index depends on the columns, and on what is the same for all lanes, but on nothing that is loaded for each.
    fn is_of_columns(&self, index: Value<'c, 'a>, farthest: u32) -> bool {
        let Some(farthest) = farthest.checked_sub(1) else { return false };
        if !matches!(self.of(index), Lanes::Own(_)) {
            return true;
        }
        ir::defining_op(index).is_some_and(|op| {
            let is_arithmetic = !is(op, "memref.load") && op.regions().all(|region| region.first_block().is_none());
            is_arithmetic && op.operands().all(|operand| self.is_of_columns(operand, farthest))
        })
    }

    /// The elements of a load, and so many before and behind, of a dimension in which elements lie `channels` apart.
    fn window(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
        (along, channels): (usize, i64),
        (before, behind): (i64, i64),
    ) -> Vec<Value<'c, 'a>> {
        let bytes = bytes_of_element(element_of(memory));
        let together = self.lanes.min(if channels == MOST_CHANNELS { LANES / 2 } else { LANES / bytes.min(2) });
        let registers = if bytes == 1 && (channels > 1 || together == LANES) { 4 } else { 2 };
        // Whole pixels.
        let most = registers * REGISTER / bytes / channels;
        let (index_type, int) = (b.index_type(), b.integer_type(32));
        let (numbers, words) = (b.vector_type(together, index_type), b.vector_type(together, int));
        let truths = b.vector_type(together, b.bool_type());
        let extent = extent_of(b, memory, along).value(b);
        let latest = b.arith("subi", extent, b.index(most));

        // The lanes of each window, where it begins, and how far from there each reads: it begins at the first lane or the last, and so early that it
        // ends in the row.
        let all = self.vector(b, indices[along]);
        let mut fits = b.compare(Compare::GreaterEqual, extent, b.index(most));
        // Differences have 32 bits.
        fits = b.logic("andi", fits, b.compare(Compare::LessEqual, extent, b.index(i32::MAX.into())));
        let (offset, strides) = strides_of(b, memory, indices.len());
        if let (true, Some(stride)) = (channels > 1, strides[along]) {
            fits = b.logic("andi", fits, b.compare(Compare::Equal, stride, b.index(channels)));
        }
        let mut parts = Vec::new();
        for start in (0..self.lanes).step_by(together as usize) {
            let places = part(b, all, start, together);
            let [first, last] = [0, together - 1].map(|lane| lane_of(b, places, lane, index_type));
            let base = b.arith("minsi", b.arith("minsi", first, last), latest);
            let bases = b.value("vector.broadcast", &[base], numbers, &[]);
            let steps = b.value("arith.subi", &[places, bases], numbers, &[]);
            let steps = b.value("arith.index_cast", &[steps], words, &[]);
            let below = [("predicate", b.i64_attribute(Compare::Below as i64))];
            let inside = b.value("arith.cmpi", &[steps, b.integer(words, &[most])], truths, &below);
            let mask = b.integer_type(together as u32);
            let inside = lane_of(b, b.value("vector.bitcast", &[inside], b.vector_type(1, mask), &[]), 0, mask);
            fits = b.logic("andi", fits, b.compare(Compare::Equal, inside, b.integer(mask, &[-1])));
            parts.push((base, steps));
        }

        let element = element_of(memory);
        let count = before + 1 + behind;
        let (found, [near, far]) = b.branches(fits, &vec![self.vector_type(b, element); count as usize]);
        let window = near.parse_type(&format!("memref<{}x{element}, strided<[1], offset: ?>>", most * channels));
        let attributes = [
            ("static_offsets", near.integers(&[i64::MIN])),
            ("static_sizes", near.integers(&[most * channels])),
            ("static_strides", near.integers(&[1])),
            ("operandSegmentSizes", near.parse_attribute("array<i32: 1, 1, 0, 0>")),
        ];
        let part_type = near.vector_type(together, element);
        let mut looked_up: Vec<Vec<Value>> = vec![Vec::new(); count as usize];
        for (base, steps) in parts {
            let mut at = offset;
            for (d, (index, stride)) in indices.iter().zip(&strides).enumerate() {
                let index = match self.of(*index) {
                    _ if d == along => base,
                    Lanes::Same(scalar) if d + 1 == indices.len() => near.arith("subi", scalar, near.index(before)),
                    Lanes::Same(scalar) => scalar,
                    _ => continue,
                };
                let part = stride.map_or(index, |stride| near.arith("muli", index, stride));
                at = near.arith("addi", at, part);
            }
            let window = near.value("memref.reinterpret_cast", &[memory, at], window, &attributes);
            let steps = near.value("arith.muli", &[steps, near.integer(words, &[channels])], words, &[]);
            let every = near.integer(truths, &[1]);
            for (found, place) in looked_up.iter_mut().zip(0..) {
                let at = near.value("arith.addi", &[steps, near.integer(words, &[place])], words, &[]);
                let operands = [window, near.index(0), at, every, zero(&near, part_type)];
                found.push(near.value("vector.gather", &operands, part_type, &[]));
            }
        }
        let looked_up: Vec<Value> = looked_up.into_iter().map(|parts| concatenated(&near, parts)).collect();
        near.op("scf.yield", &looked_up, &[], &[]);

        let otherwise = self.without_window(&far, op, memory, indices, (before, behind));
        far.op("scf.yield", &otherwise, &[], &[]);
        found
    }

    /// The same of lanes that lie anywhere. What is made for it is of its branch.
    fn without_window(
        &mut self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
        (before, behind): (i64, i64),
    ) -> Vec<Value<'c, 'a>> {
        let element = element_of(memory);
        let around = std::mem::take(&mut self.shared);
        let found = match self.number_around(b, op, memory, indices) {
            Some((number, _)) => {
                (0..=before + behind).map(|place| self.part_of_number(b, number, place, element)).collect()
            }
            None if before + behind == 0 => vec![self.anywhere(b, op, memory, indices)],
            None => {
                let (last, rows) = indices.split_last().expect("an image has a dimension");
                let at = |place: i64| match self.of(*last) {
                    Lanes::Same(last) => b.arith("addi", last, b.index(place - before)),
                    _ => *last,
                };
                let ty = self.vector_type(b, element);
                (0..=before + behind).map(|place| self.gather(b, memory, &[rows, &[at(place)]].concat(), ty)).collect()
            }
        };
        self.shared = around;
        found
    }
}
