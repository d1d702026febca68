//! Loads and stores of pixels: memory in which the planes of an image are interleaved.
//!
//! ```text
//! %p: memref<3x?x?xi8, strided<[1, ?, 3]>>         %m: memref<?xi8>, all of it          %i = %y * stride + 3 * %x
//!
//! %r = load %p[0, %y, %x]                          %v = vector.load %m[%i] : vector<48xi8>
//! %g = load %p[1, %y, %x]                   ──▶    %r, %g, %b = vector.shuffle %v [0, 3, 6 ...], [1, 4, 7 ...], [2, 5, 8 ...]
//! %b = load %p[2, %y, %x]
//!
//! store %r, %p[0, %y, %x]                          %v = vector.shuffle %r, %g, %b [0, 16, 32, 1, 17, 33 ...]
//! store %g, %p[1, %y, %x]                   ──▶    vector.store %v, %m[%i]
//! store %b, %p[2, %y, %x]
//! ```
//!
//! A load reads whole pixels, from the first of the first lane's to the last of the last lane's, so that the loads of all planes are one,
//! and nothing is read beyond the image. Stores wait for those of the other planes. LLVM knows such shuffles, and makes of them what
//! fits the machine; but for three planes of vectors of 64 bytes, which are best permuted two by two, and for stores that are non-temporal,
//! which it forgets. Where the plane is not known, or some are not computed here, elements are stored one by one.

use super::{
    alike::Part,
    loads::{but_first, lane_of},
    places::{Place, Row, Waiting, ends, plane_of},
    vectors::{Steps, Vectors},
};
use crate::ir::{Builder, Emit, Key, Number, bits_of_element, bytes_of_element, element_of, key, zero};
use melior::ir::{Attribute, Value, ValueLike};
use weft_model::{Arith, CACHE_LINE};

/// A lane of a shuffle that nobody reads.
const POISON: i64 = -1;

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// The planes of neighbouring pixels, of which some lanes exist: those from `from` to `to`.
    pub(super) fn masked_pixels(
        &self,
        b: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        mask: Value<'c, 'a>,
        [from, to]: [Value<'c, 'a>; 2],
        otherwise: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let channels = b.index(place.channels);
        let of_last = place.plane.map_or(place.channels - 1, |_| 0);
        let length = self.lanes * place.channels - of_last;
        let mask_type = b.vector_type(length, b.bool_type());
        let until = |end: Value<'c, 'a>| b.value("vector.create_mask", &[end], mask_type, &[]);
        let end = b.arith("maxsi", b.arith("subi", b.arith("muli", to, channels), b.index(of_last)), b.index(0));
        let wide_mask = but_first(b, until(end), until(b.arith("muli", from, channels)));
        let element = element_of(place.elements);
        let ty = b.vector_type(length, element);
        let nothing = zero(b, ty);
        let operands = [place.elements, place.at, wide_mask, nothing];
        let wide = b.value("vector.maskedload", &operands, ty, &[]);
        let own = self.plane_of_pixels(b, place, wide);
        b.select(mask, own, otherwise, otherwise.r#type())
    }

    /// One plane of a vector of pixels.
    pub(super) fn plane_of_pixels(
        &self,
        b: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        pixels: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let lanes = (0..self.lanes).map(|lane| lane * place.channels + place.plane.unwrap_or(0));
        b.shuffle([pixels, pixels], lanes)
    }

    /// A vector of pixels that begins at a place.
    pub(super) fn load_pixels(&self, b: &Builder<'c, 'a>, place: &Place<'c, 'a>) -> Value<'c, 'a> {
        let of_last = place.plane.map_or(place.channels - 1, |_| 0);
        let ty = b.vector_type(self.lanes * place.channels - of_last, element_of(place.elements));
        let pixels = b.value("vector.load", &[place.elements, place.at], ty, &[]);
        self.plane_of_pixels(b, place, pixels)
    }

    /// Of planes that are computed alike, elements of pixels as they lie, or those of other memory that these need.
    pub(super) fn load_part(
        &self,
        b: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        steps: &Steps<'c, 'a>,
        part: Part,
    ) -> Value<'c, 'a> {
        let place = row.place(b).expect("a part is one of pixels");
        let elements = part.elements(self.lanes, steps.steps.get(1).map_or(1, |next| next - steps.steps[0]));
        let row = Row { memory: place.elements, at: Vec::new(), first: place.at };
        if elements.windows(2).any(|pair| pair[1] != pair[0] + 1) {
            // Of the vector that the plane itself is of, where it has all.
            let own = (part.number * self.lanes, (part.number + 1) * self.lanes - 1);
            let (least, most) = ends(&elements);
            let is_own = own.0 <= least && most <= own.1;
            return self.gaps(b, &row, &elements, if is_own { own } else { (least, most) }, self.lanes);
        }
        let at = Emit(b).add(&Number::Value(place.at), &Number::Known(elements[0])).value(b);
        b.value("vector.load", &[place.elements, at], self.vector_type(b, element_of(place.elements)), &[])
    }

    /// The same of some pixels, from one number to another; the other elements are given.
    pub(super) fn masked_part(
        &self,
        b: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        ends: [Value<'c, 'a>; 2],
        otherwise: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let at = self.part(b, place, place.plane.unwrap_or(0));
        let operands = [place.elements, at, self.some_of_part(b, place, ends), otherwise];
        b.value("vector.maskedload", &operands, otherwise.r#type(), &[])
    }

    /// The elements of one pixel over and over, as they lie in the part of a plane.
    pub(super) fn pixel(&self, b: &Builder<'c, 'a>, row: &Row<'c, 'a>, part: &Place<'c, 'a>) -> Value<'c, 'a> {
        let element = element_of(part.elements);
        let at = row.place(b).map_or(part.at, |place| place.at);
        let pixel = b.value("vector.load", &[part.elements, at], b.vector_type(part.channels, element), &[]);
        let first = part.plane.unwrap_or(0) * self.lanes;
        let places = (first..first + self.lanes).map(|element| element % part.channels);
        let ty = self.vector_type(b, element);
        let bits = i64::from(bits_of_element(element).unwrap_or_default());
        // As one number it is in all lanes at once, of which each takes its part; of a short vector LLVM would insert element by element.
        let room = part.channels.cast_unsigned().next_power_of_two().cast_signed();
        if room * bits > 64 || self.lanes % room != 0 {
            return b.shuffle([pixel, pixel], places);
        }
        let number = b.integer_type((room * bits) as u32);
        let own = (0..room).map(|place| if place < part.channels { place } else { POISON });
        let own = b.shuffle([pixel, pixel], own);
        let own = lane_of(b, b.value("vector.bitcast", &[own], b.vector_type(1, number), &[]), 0, number);
        let all = b.value("vector.broadcast", &[own], b.vector_type(self.lanes / room, number), &[]);
        let all = b.value("vector.bitcast", &[all], ty, &[]);
        b.shuffle([all, all], places.zip(0..).map(|(place, lane)| lane / room * room + place))
    }

    /// The lanes of a plane's part that are elements of the first pixels, of so many.
    pub(super) fn first_of_part(
        &self,
        b: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        count: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let before = place.plane.unwrap_or(0) * self.lanes;
        let elements = b.arith("muli", count, b.index(place.channels));
        self.first_lanes(b, Emit(b).add(&Number::Value(elements), &Number::Known(-before)).value(b))
    }

    /// Those of the pixels from one number to another.
    fn some_of_part(
        &self,
        b: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        [from, to]: [Value<'c, 'a>; 2],
    ) -> Value<'c, 'a> {
        let [before, until] = [from, to].map(|end| self.first_of_part(b, place, end));
        but_first(b, until, before)
    }

    /// Where the elements of this number begin, of which there are as many as lanes.
    fn part(&self, b: &Builder<'c, 'a>, place: &Place<'c, 'a>, part: i64) -> Value<'c, 'a> {
        Emit(b).add(&Number::Value(place.at), &Number::Known(part * self.lanes)).value(b)
    }

    /// A store to a plane of pixels; `column` is the first lane's.
    pub(super) fn store_pixels(
        &mut self,
        b: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        Row { memory, at, first }: &Row<'c, 'a>,
        place: Place<'c, 'a>,
        is_non_temporal: bool,
    ) {
        let Some(plane) = place.plane else {
            return self.store_apart(b, value, &place);
        };
        let of_planes = plane_of(*memory);
        let others = at.iter().enumerate().filter(|(d, _)| Some(*d) != of_planes).map(|(_, index)| key(*index));
        let indices: Vec<Key> = others.chain([key(*first)]).collect();
        let is_same = |waiting: &Waiting| waiting.memory == key(*memory) && waiting.indices == indices;
        let number = self.waiting.iter().position(is_same).unwrap_or_else(|| {
            let (memory, indices) = (key(*memory), indices.clone());
            self.waiting.push(Waiting { memory, indices, is_non_temporal, stores: Vec::new() });
            self.waiting.len() - 1
        });
        let (channels, stores) = (place.channels, &mut self.waiting[number].stores);
        stores.push((plane, place, value));
        let all: Option<Vec<Value>> =
            (0..channels).map(|plane| Some(stores.iter().find(|(other, ..)| *other == plane)?.2)).collect();
        if let Some(all) = all {
            let Waiting { is_non_temporal, stores, .. } = self.waiting.swap_remove(number);
            self.store_all(b, &stores[0].1, &all, is_non_temporal);
        }
    }

    /// Stores that have waited for others in vain.
    pub(super) fn store_rest(&mut self, b: &Builder<'c, 'a>) {
        for (_, place, value) in std::mem::take(&mut self.waiting).into_iter().flat_map(|waiting| waiting.stores) {
            self.store_apart(b, value, &place);
        }
    }

    /// All planes of some pixels.
    fn store_all(&self, b: &Builder<'c, 'a>, place: &Place<'c, 'a>, planes: &[Value<'c, 'a>], is_non_temporal: bool) {
        let (lanes, channels) = (self.lanes, place.channels);
        // One vector behind the other.
        let store_parts = |b: &Builder<'c, 'a>, attributes: &[(&str, Attribute<'c>)]| {
            for (own, part) in planes.iter().zip(0..) {
                let at = self.part(b, place, part);
                let own = if self.parts.is_some() { *own } else { self.part_of_pixels(b, planes, part) };
                b.op("vector.store", &[own, place.elements, at], &[], attributes);
            }
        };
        let store = |b: &Builder<'c, 'a>| match self.parts.is_some() || place.is_permuted(lanes) {
            true => store_parts(b, &[]),
            false => _ = b.op("vector.store", &[self.pixels_of(b, planes), place.elements, place.at], &[], &[]),
        };
        if let (Some(active), Some(_)) = (self.active, &self.parts) {
            let ends = [active.first, b.arith("addi", active.last, b.index(1))];
            for (own, plane) in planes.iter().zip(0..) {
                let of_plane = Place { plane: Some(plane), ..place.clone() };
                let (at, mask) = (self.part(b, place, plane), self.some_of_part(b, &of_plane, ends));
                b.op("vector.maskedstore", &[place.elements, at, mask, *own], &[], &[]);
            }
            return;
        }
        if let Some(active) = self.active {
            let channels = b.index(channels);
            let mask_type = b.vector_type(place.channels * lanes, b.bool_type());
            let until = |end| b.value("vector.create_mask", &[b.arith("muli", end, channels)], mask_type, &[]);
            let before = until(active.first);
            let end = until(b.arith("addi", active.last, b.index(1)));
            let mask = b.value("arith.xori", &[end, before], mask_type, &[]);
            let pixels = self.pixels_of(b, planes);
            b.op("vector.maskedstore", &[place.elements, place.at, mask, pixels], &[], &[]);
            return;
        }
        let element = element_of(place.elements);
        let bytes = lanes * bytes_of_element(element);
        if !is_non_temporal || lanes.count_ones() != 1 {
            store(b);
            return;
        }
        // Vectors that are parts of cache lines, or lines, one behind the other, so that lines are filled before another one is begun.
        let address = b.value("memref.extract_aligned_pointer_as_index", &[place.elements], b.index_type(), &[]);
        let number = b.arith("addi", b.arith("divui", address, b.index(bytes_of_element(element))), place.at);
        let (past, through) = b.if_else(self.is_past_caches(b, number, bytes, bytes_of_element(element)));
        let attributes: [(&str, Attribute); 2] =
            [("nontemporal", b.bool_attribute(true)), ("alignment", b.i64_attribute(bytes.min(CACHE_LINE)))];
        store_parts(&past, &attributes);
        store(&through);
    }

    /// The pixels of all planes as one vector.
    fn pixels_of(&self, b: &Builder<'c, 'a>, planes: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        let (lanes, channels) = (self.lanes, planes.len() as i64);
        // Two vectors, each of two planes, or of one and nothing: those of a shuffle have one length.
        let pair = |planes: &[Value<'c, 'a>]| {
            let other = planes.last().copied().unwrap_or(planes[0]);
            let nothing = planes.len() == 1;
            let lane = |lane: i64| if nothing && lane >= lanes { POISON } else { lane };
            b.shuffle([planes[0], other], (0..2 * lanes).map(lane))
        };
        // There are two planes at least.
        let (left, right) = planes.split_at(2);
        let left = pair(left);
        let right = if right.is_empty() { left } else { pair(right) };
        b.shuffle([left, right], (0..lanes).flat_map(|lane| (0..channels).map(move |plane| plane * lanes + lane)))
    }

    /// As many elements of pixels as there are lanes, the ones of this number; or of phases, which lie as planes of pixels do.
    pub(super) fn part_of_pixels(&self, b: &Builder<'c, 'a>, planes: &[Value<'c, 'a>], part: i64) -> Value<'c, 'a> {
        let channels = planes.len() as i64;
        // The planes before, and one more.
        let joined = |before: Value<'c, 'a>, (plane, own): (i64, Value<'c, 'a>)| {
            let lane = |lane: i64| {
                let element = part * self.lanes + lane;
                match (element % channels, element / channels) {
                    (of, pixel) if of == plane => self.lanes + pixel,
                    (0, pixel) if plane == 1 => pixel,
                    (of, _) if of < plane => lane,
                    _ => POISON,
                }
            };
            b.shuffle([before, own], (0..self.lanes).map(lane))
        };
        (1..).zip(planes[1..].iter().copied()).fold(planes[0], joined)
    }

    /// One plane, element by element.
    fn store_apart(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, place: &Place<'c, 'a>) {
        let (steps, _) = place.steps(&(0..self.lanes).collect::<Vec<_>>());
        let index_type = self.vector_type(b, b.index_type());
        let mask_type = self.vector_type(b, b.bool_type());
        let mask = self.active.map_or_else(|| b.integer(mask_type, &[1]), |active| active.mask);
        let operands = [place.elements, place.at, b.integer(index_type, &steps), mask, value];
        b.op("vector.scatter", &operands, &[], &[]);
    }
}
