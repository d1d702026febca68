//! Vectors lane by lane in one: what shares a lane of a dot product, beside each other.
//!
//! ```text
//! %r = vector.shuffle %pixels, %pixels [0, 3, 6, ...]
//! %g = vector.shuffle %pixels, %pixels [1, 4, 7, ...]     ──▶     vector.shuffle %pixels, %pixels [0, 1, 1, 2, 3, 4, 4, 5, ...]
//! %b = vector.shuffle %pixels, %pixels [2, 5, 8, ...]             of %r, %g, %g and %b
//!
//! %r, %g, %b, each loaded                                 ──▶     %rg = vector.interleave %r, %g
//!                                                                 %bb = vector.interleave %b, %b
//!                                                                 vector.interleave %rg, %bb     both as halves of twice the bits
//! ```
//!
//! What was shuffled apart is taken from where it came from, if few vectors meet in each register of the result: so planes of interleaved
//! pixels that are only multiplied are never taken apart. A CPU shuffles two registers at a time; of more, LLVM makes single elements.

use crate::ir::{Builder, bits_of_element, element_of_vector, is, key, lanes_of_vector};
use melior::ir::{Value, ValueLike, attribute::DenseI64ArrayAttribute, operation::OperationLike};
use mlir_glue::ir;

/// How many shuffles of shuffles are looked through.
const MOST_NESTED: u32 = 4;

/// Bytes of the widest registers, of which one shuffle takes two.
const REGISTER: i64 = 64;

/// Two or four vectors of integers of one type, lane by lane: twice or four times as many lanes.
pub fn interleave<'c: 'a, 'a>(b: &Builder<'c, 'a>, vectors: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let all: Vec<Vec<Element>> = vectors.iter().map(|vector| origins(*vector)).collect();
    let lanes = lanes_of_vector(vectors[0]);
    let elements = (0..lanes as usize).flat_map(|lane| all.iter().map(move |vector| vector[lane]));
    if let Some(joined) = at_once(b, &elements.collect::<Vec<_>>()) {
        return joined;
    }
    let (left, right) = match *vectors {
        [left, right] => (left, right),
        // Pairs of neighbours are elements of twice the bits.
        _ => {
            let [left, right] = [0, 2].map(|first| interleave(b, &vectors[first..first + 2]));
            let wide = b.vector_type(lanes, b.integer_type(2 * bits_of_lane(vectors[0])));
            let [left, right] = [left, right].map(|pairs| b.value("vector.bitcast", &[pairs], wide, &[]));
            let ty = b.vector_type(4 * lanes, element_of_vector(vectors[0]));
            return b.value("vector.bitcast", &[interleave(b, &[left, right])], ty, &[]);
        }
    };
    let ty = b.vector_type(2 * lanes, element_of_vector(left));
    b.value("vector.interleave", &[left, right], ty, &[])
}

/// An element of a vector.
type Element<'c, 'a> = (Value<'c, 'a>, i64);

/// Where each element of a vector comes from, if shuffles have brought it here.
fn origins<'c: 'a, 'a>(vector: Value<'c, 'a>) -> Vec<Element<'c, 'a>> {
    (0..lanes_of_vector(vector)).map(|lane| origin(vector, lane, MOST_NESTED).unwrap_or((vector, lane))).collect()
}

/// Where a lane's element comes from, if a shuffle has taken it from another vector.
fn origin<'c: 'a, 'a>(vector: Value<'c, 'a>, lane: i64, levels: u32) -> Option<Element<'c, 'a>> {
    let op = ir::defining_op(vector).filter(|op| levels > 0 && is(*op, "vector.shuffle"))?;
    let mask = DenseI64ArrayAttribute::try_from(op.attribute("mask").ok()?).ok()?;
    // Below 0 it is of no vector.
    let place = mask.element(lane as usize).ok().filter(|place| *place >= 0)?;
    let (left, right) = (ir::operand(op, 0)?, ir::operand(op, 1)?);
    let behind = place - lanes_of_vector(left);
    let (from, place) = if behind >= 0 { (right, behind) } else { (left, place) };
    Some(origin(from, place, levels - 1).unwrap_or((from, place)))
}

/// Elements in their order, by one shuffle of up to four vectors, if each register of the result has those of two at most.
fn at_once<'c: 'a, 'a>(b: &Builder<'c, 'a>, elements: &[Element<'c, 'a>]) -> Option<Value<'c, 'a>> {
    let mut sources: Vec<Value> = Vec::new();
    let mut numbers: Vec<(i64, i64)> = Vec::new();
    for (source, place) in elements {
        let known = sources.iter().position(|other| key(*other) == key(*source));
        numbers.push((known.unwrap_or(sources.len()) as i64, *place));
        if known.is_none() {
            sources.push(*source);
        }
        if sources.len() > 4 || source.r#type() != sources[0].r#type() {
            return None;
        }
    }
    let (lanes, bytes) = (lanes_of_vector(sources[0]), i64::from(bits_of_lane(sources[0])) / 8);
    // Registers of the sources, not vectors, which may have several.
    let register = |(source, place): &(i64, i64)| (*source, place * bytes / REGISTER);
    let meet = |part: &[(i64, i64)]| {
        let mut registers: Vec<_> = part.iter().map(register).collect();
        registers.sort_unstable();
        registers.dedup();
        registers.len()
    };
    if numbers.chunks((REGISTER / bytes) as usize).any(|part| meet(part) > 2) {
        return None;
    }
    let mask = numbers.iter().map(|(source, place)| source * lanes + place);
    let number = |source: usize| sources[source.min(sources.len() - 1)];
    if sources.len() <= 2 {
        return Some(b.shuffle([number(0), number(1)], mask));
    }
    // The vectors of a shuffle have one length.
    let [left, right] = [0, 2].map(|first| b.shuffle([number(first), number(first + 1)], 0..2 * lanes));
    Some(b.shuffle([left, right], mask))
}

fn bits_of_lane(vector: Value) -> u32 {
    bits_of_element(element_of_vector(vector)).unwrap_or(8)
}
