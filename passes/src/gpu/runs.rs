//! Runs: what the points of a reduce that are written out in its loop load of neighbours in memory, by vectors.
//!
//! ```text
//! scf.for %k = 0 to 256 step 4 {                      scf.for %k = 0 to 256 step 4 {
//!   memref.load %a[%y, %k]                              %row = vector.load %a[%y, %k] : vector<4xf32>
//!   memref.load %a[%y, %k + 1]              ──▶         vector.extract %row[0]
//!   memref.load %a[%y, %k + 2] ...                      vector.extract %row[1] ...
//! ```
//!
//! A weight that all lanes read is one address, and takes a load as long as 128 bytes do. A run may go through rows: the 3x3 weights of two
//! channels are 18 neighbours. Images begin at multiples of 16 bytes, so a run is aligned where its distance from there is known to be a
//! multiple of a vector.

use crate::{
    analysis::access,
    ir::{Builder, Key, Number, apply, bits_of_element, key},
    lower::body::{Read, ResolvedIndices},
};
use melior::ir::Value;
use weft_model::{Expr, Sum, gcd};

/// Bytes that a thread loads at once, at most.
const VECTOR_BYTES: i64 = 16;

/// The vector that a load is a lane of.
pub struct RunVector<'c, 'a> {
    /// How many elements it has.
    pub lanes: i64,
    /// Which of them is loaded.
    pub lane: i64,
    /// What tells it from other vectors of the same memory.
    pub id: VectorId,
    /// Where it begins: of each dimension the index, and what is taken from the last one.
    indices: Vec<Index<'c, 'a>>,
}

/// What tells vectors of a memory apart: distances from its start, and what these are functions of.
pub type VectorId = (Expr, Vec<Key>);

enum Index<'c, 'a> {
    /// As it was resolved.
    Value(Value<'c, 'a>),
    /// An expression of the coordinates.
    Expr(Expr),
}

impl<'c: 'a, 'a> RunVector<'c, 'a> {
    /// The vector of a load; `None` where it is in none. `source` are the extents of the memory.
    pub fn of(read: &Read<'c, 'a>, resolved: &ResolvedIndices<'c, 'a>, source: &[Number<'c, 'a>]) -> Option<Self> {
        let bits = bits_of_element(read.element())?;
        if bits < 8 || read.written.iter().flatten().all(|written| written.count == 1) {
            return None;
        }
        let most = VECTOR_BYTES * 8 / i64::from(bits);
        let lengths = std::iter::successors(Some(most), |lanes| Some(lanes / 2)).take_while(|lanes| *lanes > 1);
        let run = Run::of(read, resolved, source)?;
        let lanes = { lengths }.find(|lanes| run.is_whole(read, *lanes))?;
        let lane = run.now.constant.rem_euclid(lanes);
        let mut first = run.now.clone();
        first.constant -= lane;
        let first = first.to_expr();
        let outer = resolved.indices[..run.outer].iter().map(|index| key(*index));
        let used = first.dims().into_iter().map(|d| key(read.coordinates[d]));
        let id = (first, outer.chain(used).collect());
        let mut indices: Vec<Index> = resolved.indices[..run.outer].iter().copied().map(Index::Value).collect();
        indices.extend(read.indices[run.outer..].iter().cloned().map(Index::Expr));
        if let Some(Index::Expr(last)) = indices.last_mut() {
            *last = (last.clone() + -lane).simplified();
        }
        Some(Self { lanes, lane, id, indices })
    }

    /// Code that loads it.
    pub fn load(&self, b: &Builder<'c, 'a>, read: &Read<'c, 'a>, memory: Value<'c, 'a>) -> Value<'c, 'a> {
        let element = read.element();
        let indices = self.indices.iter().map(|index| match index {
            Index::Value(value) => *value,
            Index::Expr(expr) => apply(expr, &read.coordinates, b),
        });
        let operands: Vec<Value> = [memory].into_iter().chain(indices).collect();
        let bytes = self.lanes * i64::from(bits_of_element(element).unwrap_or(8)) / 8;
        let alignment = ("alignment", b.i64_attribute(bytes));
        b.value("vector.load", &operands, b.vector_type(self.lanes, element), &[alignment])
    }

    /// Code for the lane that the load reads.
    pub fn extract(&self, b: &Builder<'c, 'a>, read: &Read<'c, 'a>, vector: Value<'c, 'a>) -> Value<'c, 'a> {
        b.value("vector.extract", &[vector], read.element(), &[("static_position", b.integers(&[self.lane]))])
    }
}

/// The elements that the points that are written out in a loop load.
struct Run {
    /// Dimensions in front of those that a run goes through.
    outer: usize,
    /// What the distance of their rows is a multiple of.
    of_outer: i64,
    /// Distance of this load's element, along the others.
    now: Sum,
    /// How much it is further for the next value of each variable.
    steps: Vec<i64>,
}

impl Run {
    fn of<'c: 'a, 'a>(
        read: &Read<'c, 'a>,
        resolved: &ResolvedIndices<'c, 'a>,
        source: &[Number<'c, 'a>],
    ) -> Option<Self> {
        let mut strides: Vec<i64> = Vec::new();
        let mut stride = 1i64;
        for (stays, extent) in resolved.stays.iter().zip(source).rev() {
            if !stays {
                break;
            }
            strides.insert(0, stride);
            let Number::Known(extent) = extent else { break };
            stride = stride.checked_mul(*extent)?;
        }
        let outer = source.len() - strides.len();
        // Behind a dimension whose extent nobody knows lies a multiple of what those behind it have.
        let distance = |indices: &[Expr]| {
            let terms = indices[outer..].iter().zip(&strides).map(|(index, stride)| index.clone() * *stride);
            terms.fold(Expr::Const(0), |sum, term| sum + term).flatten()
        };
        let rank = read.rank();
        let whole = distance(&access::indices(read.load).ok()?);
        let steps = (0..read.windows.len()).map(|variable| {
            let of_variable = |atom: &Expr| atom.dims().contains(&(rank + variable));
            let is_plain = whole.terms.keys().all(|atom| !of_variable(atom) || *atom == Expr::Dim(rank + variable));
            is_plain.then(|| whole.terms.get(&Expr::Dim(rank + variable)).copied().unwrap_or(0))
        });
        let steps: Option<Vec<i64>> = steps.collect();
        Some(Self { outer, of_outer: stride, now: distance(&read.indices), steps: steps? })
    }

    /// Whether it is so many elements, some times, without a gap, and begins at a multiple of so many.
    fn is_whole(&self, read: &Read, lanes: i64) -> bool {
        let written =
            read.written.iter().zip(&self.steps).filter_map(|(written, step)| Some((written.as_ref()?, *step)));
        let mut along: Vec<_> = written.filter(|(written, step)| written.count > 1 && *step != 0).collect();
        along.sort_by_key(|(_, step)| *step);
        let mut elements = 1i64;
        let mut start = self.now.constant;
        for (written, step) in along {
            if step != elements {
                return false;
            }
            elements = elements.saturating_mul(written.count);
            start -= step * written.at;
        }
        let rank = read.rank();
        let multiple = |atom: &Expr| match atom {
            Expr::Dim(d) if *d >= rank => read.written[d - rank].map_or(1, |written| written.multiple),
            _ => 1,
        };
        let of_terms = self.now.terms.iter().map(|(atom, times)| times.saturating_mul(multiple(atom)));
        let outer = if self.outer > 0 { self.of_outer } else { 0 };
        elements > 1 && elements % lanes == 0 && of_terms.chain([start, outer]).fold(0, gcd) % lanes == 0
    }
}
