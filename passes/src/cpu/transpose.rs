//! Vectors as rows of a table whose columns are wanted.
//!
//! ```text
//! a0 a1 a2 a3     a0 c0 a1 c1     a0 b0 c0 d0
//! b0 b1 b2 b3 ──▶ a2 c2 a3 c3 ──▶ a1 b1 c1 d1      v[i], v[i + n/2] ──▶ v[2 i], v[2 i + 1]
//! c0 c1 c2 c3     b0 d0 b1 d1     a2 b2 c2 d2
//! d0 d1 d2 d3     b2 d2 b3 d3     a3 b3 c3 d3
//!
//! a0 a1           a0 c0 a1 c1     a0 b0 c0 d0
//! b0 b1       ──▶ b0 d0 b1 d1 ──▶ a1 b1 c1 d1      first v[i], v[i + n/2] ──▶ v[i] of twice the lanes
//! c0 c1
//! d0 d1
//! ```

use crate::ir::{Builder, lanes_of_vector};
use melior::ir::Value;

/// The columns of vectors, of which there are as many as each has lanes, or more; both are powers of two. Rounds of interleaving, of as many
/// shuffles each as there are vectors then.
pub fn transpose<'c: 'a, 'a>(b: &Builder<'c, 'a>, rows: Vec<Value<'c, 'a>>) -> Vec<Value<'c, 'a>> {
    let mut vectors = rows;
    let mut lanes = lanes_of_vector(vectors[0]);
    let columns = lanes;
    let pairs = |vectors: &[Value<'c, 'a>]| {
        let half = vectors.len() / 2;
        (0..half).map(|number| [vectors[number], vectors[number + half]]).collect::<Vec<_>>()
    };
    let interleaved = |lanes: std::ops::Range<i64>, all: i64| lanes.flat_map(move |lane| [lane, all + lane]);
    while (vectors.len() as i64) > columns {
        let joined = pairs(&vectors).into_iter();
        vectors = joined.map(|pair| b.shuffle(pair, interleaved(0..lanes, lanes))).collect();
        lanes *= 2;
    }
    let halves = [0..lanes / 2, lanes / 2..lanes];
    for _ in 0..columns.ilog2() {
        let both = pairs(&vectors).into_iter();
        let both = both.flat_map(|pair| halves.clone().map(|half| b.shuffle(pair, interleaved(half, lanes))));
        vectors = both.collect();
    }
    vectors
}
