//! Where vectors lie in memory: along a row, or in memory of pixels, whose planes are interleaved.

use super::super::addresses::{step_of_rows, strides_of};
use crate::ir::{Builder, Key, bytes_of_element, constant_index, element_of};
use melior::ir::{Value, ValueLike, r#type::MemRefType};
use std::collections::{HashMap, HashSet};
use weft_model::CACHE_LINE;

/// Where a vector begins.
#[derive(Clone)]
pub(super) struct Row<'c, 'a> {
    pub(super) memory: Value<'c, 'a>,
    /// The indices but for the last.
    pub(super) at: Vec<Value<'c, 'a>>,
    /// The last one, of the first lane.
    pub(super) first: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Row<'c, 'a> {
    /// The same in memory of pixels; `None` in other.
    pub(super) fn place(&self, b: &Builder<'c, 'a>) -> Option<Place<'c, 'a>> {
        Place::of(b, self.memory, &[&self.at[..], &[self.first]].concat())
    }
}

/// A place in memory of pixels.
#[derive(Clone)]
pub(super) struct Place<'c, 'a> {
    /// All of the memory, element by element.
    pub(super) elements: Value<'c, 'a>,
    /// Elements before this one; where the plane is known, before the pixel.
    pub(super) at: Value<'c, 'a>,
    pub(super) plane: Option<i64>,
    /// Elements of a pixel.
    pub(super) channels: i64,
}

/// Stores to some planes of pixels, which wait for those to the others.
pub(super) struct Waiting<'c, 'a> {
    pub(super) memory: Key,
    /// The indices but for that of the plane.
    pub(super) indices: Vec<Key>,
    pub(super) is_non_temporal: bool,
    /// Each with its plane's number.
    pub(super) stores: Vec<(i64, Place<'c, 'a>, Value<'c, 'a>)>,
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    /// The place of an index; `None` in memory that is not of pixels.
    pub(super) fn of(b: &Builder<'c, 'a>, memory: Value<'c, 'a>, indices: &[Value<'c, 'a>]) -> Option<Self> {
        let channels = step_of_rows(memory);
        if channels == 1 {
            return None;
        }
        let of_planes = plane_of(memory);
        let plane = of_planes.and_then(|d| constant_index(indices[d]));
        let (offset, strides) = strides_of(b, memory, indices.len());
        let mut at = offset;
        for (d, (index, stride)) in indices.iter().zip(strides).enumerate() {
            if plane.is_some() && Some(d) == of_planes {
                continue;
            }
            let part = stride.map_or(*index, |stride| b.arith("muli", *index, stride));
            at = b.arith("addi", at, part);
        }
        let unknown = [i64::MIN];
        let ty = MemRefType::new(element_of(memory), &unknown, None, None).into();
        // Nobody asks how many elements there are.
        let attributes = [
            ("static_offsets", b.integers(&[0])),
            ("static_sizes", b.integers(&unknown)),
            ("static_strides", b.integers(&[1])),
            ("operandSegmentSizes", b.parse_attribute("array<i32: 1, 0, 1, 0>")),
        ];
        let elements = b.value("memref.reinterpret_cast", &[memory, b.index(i64::MAX)], ty, &attributes);
        Some(Self { elements, at, plane, channels })
    }

    /// Whether vectors of so many lanes are best permuted two by two.
    pub(super) fn is_permuted(&self, lanes: i64) -> bool {
        self.plane.is_some() && self.channels == 3 && lanes * bytes_of_element(element_of(self.elements)) == CACHE_LINE
    }

    /// The elements of all pixels that lanes read, as steps from the first one's: those that are asked for, and the first and the last
    /// that may be read.
    pub(super) fn steps(&self, lanes: &[i64]) -> (Vec<i64>, (i64, i64)) {
        let own = self.plane.unwrap_or(0);
        let steps: Vec<i64> = lanes.iter().map(|step| self.channels * step + own).collect();
        let (least, most) = ends(&steps);
        (steps, (least - own, most - own + self.plane.map_or(0, |_| self.channels - 1)))
    }
}

/// The dimension of planes: that whose neighbours are neighbours in memory.
pub(super) fn plane_of(memory: Value) -> Option<usize> {
    let (strides, _) = MemRefType::try_from(memory.r#type()).ok()?.strides_and_offset();
    strides.iter().position(|stride| *stride == 1)
}

/// The least and the greatest of what lanes add.
pub(super) fn ends(steps: &[i64]) -> (i64, i64) {
    (steps.iter().copied().min().unwrap_or(0), steps.iter().copied().max().unwrap_or(0))
}

/// Two neighbours of a row in each lane.
#[derive(Clone, Copy)]
pub(super) struct Pair<'c, 'a> {
    /// The two as one number, the first in the lower bits.
    pub(super) number: Value<'c, 'a>,
    /// The column of the first.
    pub(super) first: Value<'c, 'a>,
}

/// Iterations of a reduce that are done at a time, in the making.
#[derive(Default)]
pub(super) struct Across<'c, 'a> {
    /// The loads of the reduce that may be transposed, by their results.
    pub(super) loads: HashSet<Key>,
    /// What each loads in all of these iterations.
    pub(super) loaded: HashMap<Key, Vec<Value<'c, 'a>>>,
    /// Iterations behind that at whose place the rows begin.
    pub(super) number: i64,
    /// Elements of each row.
    pub(super) columns: i64,
    /// Images of which the next rows are asked for.
    pub(super) asked: HashSet<Key>,
}
