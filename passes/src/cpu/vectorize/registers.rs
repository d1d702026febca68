//! Vectors of several registers: parts of them, and vectors of parts.

use crate::ir::{Builder, element_of_vector, lanes_of_vector};
use melior::ir::Value;

/// So many lanes of a vector, from one on.
pub(super) fn part<'c: 'a, 'a>(b: &Builder<'c, 'a>, vector: Value<'c, 'a>, first: i64, count: i64) -> Value<'c, 'a> {
    if lanes_of_vector(vector) == count { vector } else { b.shuffle([vector, vector], first..first + count) }
}

/// Vectors lane by lane: all of the first lanes, then all of the second. Their number is a power of two.
pub(super) fn interleaved<'c: 'a, 'a>(b: &Builder<'c, 'a>, vectors: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let every_second = |first: usize| vectors.iter().copied().skip(first).step_by(2).collect::<Vec<_>>();
    match vectors {
        [one] => *one,
        _ => {
            let [left, right] = [0, 1].map(|first| interleaved(b, &every_second(first)));
            let ty = b.vector_type(2 * lanes_of_vector(left), element_of_vector(left));
            b.value("vector.interleave", &[left, right], ty, &[])
        }
    }
}

/// Vectors of as many lanes, one behind the other.
pub(super) fn concatenated<'c: 'a, 'a>(b: &Builder<'c, 'a>, mut parts: Vec<Value<'c, 'a>>) -> Value<'c, 'a> {
    let all: i64 = parts.iter().map(|part| lanes_of_vector(*part)).sum();
    while parts.len() > 1 {
        let is_last = parts.len() == 2;
        let pairs = parts.chunks(2).map(|pair| {
            // The last of an odd number stands beside itself: vectors that are joined have one length.
            let pair = [pair[0], pair[pair.len() - 1]];
            b.shuffle(pair, 0..if is_last { all } else { 2 * lanes_of_vector(pair[0]) })
        });
        parts = pairs.collect();
    }
    parts[0]
}
