//! Vectors of several registers: parts of them, and vectors of parts.

use crate::ir::Builder;
use melior::ir::{Type, Value, ValueLike};
use mlir_glue::ir;

fn lanes_of(vector: Value) -> i64 {
    ir::vector_extents(vector.r#type()).map_or(0, |extents| extents[0])
}

fn element_of<'c>(vector: Value<'c, '_>) -> Type<'c> {
    ir::vector_element(vector.r#type()).expect("a vector has elements")
}

/// So many lanes of a vector, from one on.
pub(super) fn part<'c: 'a, 'a>(b: &Builder<'c, 'a>, vector: Value<'c, 'a>, first: i64, count: i64) -> Value<'c, 'a> {
    if lanes_of(vector) == count {
        return vector;
    }
    let mask = b.integers(&(first..first + count).collect::<Vec<_>>());
    b.value("vector.shuffle", &[vector, vector], b.vector_type(count, element_of(vector)), &[("mask", mask)])
}

/// Vectors lane by lane: all of the first lanes, then all of the second. Their number is a power of two.
pub(super) fn interleaved<'c: 'a, 'a>(b: &Builder<'c, 'a>, vectors: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let every_second = |first: usize| vectors.iter().copied().skip(first).step_by(2).collect::<Vec<_>>();
    match vectors {
        [one] => *one,
        _ => {
            let [left, right] = [0, 1].map(|first| interleaved(b, &every_second(first)));
            b.value("vector.interleave", &[left, right], b.vector_type(2 * lanes_of(left), element_of(left)), &[])
        }
    }
}

/// Vectors of as many lanes, one behind the other.
pub(super) fn concatenated<'c: 'a, 'a>(b: &Builder<'c, 'a>, mut parts: Vec<Value<'c, 'a>>) -> Value<'c, 'a> {
    let all: i64 = parts.iter().map(|part| lanes_of(*part)).sum();
    while parts.len() > 1 {
        let is_last = parts.len() == 2;
        let pairs = parts.chunks(2).map(|pair| {
            // The last of an odd number stands beside itself: vectors that are joined have one length.
            let pair = [pair[0], pair[pair.len() - 1]];
            let lanes = if is_last { all } else { 2 * lanes_of(pair[0]) };
            let mask = b.integers(&(0..lanes).collect::<Vec<_>>());
            b.value("vector.shuffle", &pair, b.vector_type(lanes, element_of(pair[0])), &[("mask", mask)])
        });
        parts = pairs.collect();
    }
    parts[0]
}
