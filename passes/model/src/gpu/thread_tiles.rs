//! Kernels whose threads compute several points of a reduce: what a thread has in registers, and loads.
//!
//! ```text
//! c[y, x] = Σk a[y, k] · b[k, x], 8x4 points a thread:      for 8 of k: 64 of a as 16 vectors, 32 of b, 256 products
//! ```
//!
//! A sum waits for what it adds up: of each product two numbers, where a thread has one sum. With 8x4 sums a number that was loaded is used
//! four or eight times, the sums wait for nobody, and stay in registers: the register blocking of every library's product of matrices.

use super::{counts::Counts, target::SM_REGISTERS};
use crate::{
    affine::{Boundary, Ints, Range, range_of},
    program::{Access, Group, Source, Stage},
};

/// How many points of a reduce's window are written out in its loop: of the last variables all, of the one before them some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unroll {
    /// Points at most.
    pub points: i64,
    /// Values of a variable of which some stay for the loop, at most; of one that is alone.
    pub steps: (i64, i64),
}

/// Points of windows that a thread has written out, at most, over all its points of the image.
const WRITTEN: i64 = 1536;

impl Unroll {
    /// Of a thread with so many points, all of which lie inside with what they read, or `beyond`: of weights of 3x3 windows two are
    /// nine vectors; of four ptxas spills some. Where boundary modes take registers, less is written out.
    pub fn of(points: i64, beyond: bool) -> Self {
        match (points, beyond) {
            (1, _) => Self::default(),
            (points, false) => Self { points: (WRITTEN / points).clamp(1, 48), steps: (3, 8) },
            (points, true) => Self { points: (WRITTEN / points).clamp(1, 9), steps: (1, 8) },
        }
    }

    /// Whether a window of so many points has no loop.
    pub fn has_whole(self, points: i64) -> bool {
        (2..=self.points).contains(&points)
    }

    /// How many values of a variable are written out, each with `inner` points of those behind it: all, or some that divide them.
    pub fn steps(self, values: i64, inner: i64) -> i64 {
        if self.has_whole(values.saturating_mul(inner)) {
            return values;
        }
        let most = if inner > 1 { self.steps.0 } else { self.steps.1 }.min(self.points / inner.max(1));
        (1..=most.min(values)).rev().find(|steps| values % steps == 0).unwrap_or(1)
    }

    /// Of each variable of a window how many values are written out.
    fn of_window(self, values: &[i64]) -> Vec<i64> {
        let mut inner = 1i64;
        let mut written: Vec<i64> = values
            .iter()
            .rev()
            .map(|values| {
                let steps = self.steps(*values, inner);
                inner = inner.saturating_mul(*values);
                steps
            })
            .collect();
        written.reverse();
        written
    }
}

/// Warps of an SM that a kernel is compiled for whose threads have so many points: where these are several, a thread has 168 registers.
pub fn wanted_warps_of_threads(points: i64) -> i64 {
    if points == 1 { 16 } else { 12 }
}

/// The stage of a group that threads can compute several points of: it is alone, reads memory, and has a reduce.
pub fn stage_of(group: &Group) -> Option<&Stage> {
    let [stage] = &group.stages[..] else { return None };
    let is_memory = |access: &Access| matches!(access.source, Source::Image(_));
    let reduces = |access: &Access| access.times() > 1.0;
    (stage.extents.len() == group.grid_rank()
        && stage.accesses.iter().all(is_memory)
        && stage.accesses.iter().any(reduces))
    .then_some(stage)
}

/// What a thread loads.
struct Loads {
    /// Instructions, a vector being one.
    instructions: f64,
    /// Values that are in registers at once.
    at_once: f64,
    /// Those of them that came as vectors, which nobody can put off one by one.
    of_vectors: f64,
    /// How often it waits for them.
    waits: f64,
}

/// What a thread with such a tile loads for one load of its stage.
fn loads(access: &Access, tile: &[i64], bytes: i64) -> Loads {
    let points: i64 = tile.iter().product();
    let values: Vec<i64> =
        access.variables.iter().map(|variable| variable.range.map_or(1, |range| range.len())).collect();
    let unroll = Unroll::of(points, false);
    let written = unroll.of_window(&values);
    let trips: f64 = values.iter().zip(&written).map(|(values, written)| *values as f64 / *written as f64).product();
    let each = written.iter().product::<i64>();
    if access.is_gather() {
        let all = (points * each) as f64;
        return Loads { instructions: all * trips, at_once: points as f64, of_vectors: 0.0, waits: trips };
    }
    let last = tile.len() - 1;
    let is_uniform = !(0..access.indices.len()).any(|d| access.uses(d, last));
    // The columns of a thread lie a block apart, and have nothing in common.
    let along = |d: usize| Range::new(0, if d == last { 0 } else { tile[d] - 1 });
    let distinct = |written: &[i64]| {
        let domain: Vec<Range<i64>> =
            (0..tile.len()).map(along).chain(written.iter().map(|steps| Range::new(0, steps - 1))).collect();
        let read = access.indices.iter().map(|index| range_of(index, &domain, &mut Ints).len());
        let columns = if is_uniform { 1 } else { tile[last] };
        read.product::<i64>().min(tile[..last].iter().product::<i64>() * written.iter().product::<i64>()) * columns
    };
    let all = distinct(&written);
    // Neighbours that all lanes read alike are vectors, where they are whole ones.
    let lanes = [16, 8, 4, 2].into_iter().find(|lanes| lanes * bytes <= 16 && each % lanes == 0).filter(|_| is_uniform);
    // Those of the last variables are asked for together.
    let mut together = written.clone();
    if let Some(first) = written.iter().position(|steps| *steps > 1).filter(|first| *first + 1 < written.len()) {
        together[first] = if written[first] < values[first] { 1 } else { written[first] };
    }
    let group = together.iter().product::<i64>();
    let (groups, at_once) = (each as f64 / group as f64, distinct(&together));
    let of_lanes = |lanes: i64| (at_once / group) * ((group + lanes - 1) / lanes * lanes);
    Loads {
        instructions: all as f64 / lanes.unwrap_or(1) as f64 * trips,
        at_once: at_once as f64,
        of_vectors: lanes.map_or(0, of_lanes) as f64,
        waits: trips * groups,
    }
}

/// Whether a thread with such a tile has registers for its sums and for vectors: ptxas can put off loads of which there are too many, but
/// no lane of a vector.
pub fn fits(group: &Group, tile: &[i64]) -> bool {
    let Some(stage) = stage_of(group) else { return false };
    let points: i64 = tile.iter().product();
    let of_access = |access: &Access| match access.source {
        Source::Image(image) => loads(access, tile, group.images[image]).of_vectors,
        Source::Stage(..) => 0.0,
    };
    let vectors: f64 = group.body(0).distinct.iter().map(|access| of_access(&stage.accesses[*access])).sum();
    points as f64 + vectors <= (SM_REGISTERS / (wanted_warps_of_threads(points) * 32)) as f64
}

/// The part of the warps that have points at an edge, where what they read is brought inside.
fn at_edges(stage: &Stage, tile: &[i64], block: &[i64]) -> f64 {
    let last = tile.len() - 1;
    let leaves = |access: &Access, d: usize| {
        let along = (0..access.indices.len()).filter(|index| access.uses(*index, d));
        access.boundary != Boundary::None && along.clone().any(|index| access.leaves[index] != Some((0, 0)))
    };
    let inside = (0..tile.len()).filter(|d| stage.accesses.iter().any(|access| leaves(access, *d))).map(|d| {
        let of_warp = if d == last { block[d] * tile[d] } else { tile[d] };
        let warps = stage.size.get(d).map_or(1.0, |size| (*size as f64 / of_warp as f64).ceil());
        1.0 - (2.0 / warps).min(1.0)
    });
    1.0 - inside.product::<f64>()
}

/// The counts of a kernel whose threads compute such tiles, for a point; `None` where the group has none.
pub fn counts(group: &Group, tile: &[i64], block: &[i64]) -> Option<Counts> {
    let stage = stage_of(group)?;
    let points = tile.iter().product::<i64>() as f64;
    let mut c = Counts {
        threads: 1.0 / points,
        work: stage.work,
        computed: 1.0,
        at_edge: at_edges(stage, tile, block),
        ..Counts::default()
    };
    c.live = stage.work.live as f64;
    c.stores = stage.bytes.len() as f64;
    c.store_bytes = stage.bytes.iter().sum::<i64>() as f64;
    let mut at_once = 0.0;
    for access in group.body(0).distinct.iter().map(|access| &stage.accesses[*access]) {
        let Source::Image(image) = access.source else { continue };
        let of = loads(access, tile, group.images[image]);
        c.loads += of.instructions / points;
        c.loop_loads += of.instructions / points / 2.0;
        c.waits = c.waits.max(of.waits);
        at_once += of.at_once;
    }
    c.waits += 1.0;
    // Beside sums and what is loaded: addresses.
    c.tile_registers = points + at_once + ADDRESSES;
    c.code = points + c.loads;
    Some(c)
}

/// Registers of addresses, bounds and loops.
const ADDRESSES: f64 = 16.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        affine::{Expr, Extent, dim},
        program::Variable,
    };

    /// A stage of `size` that adds up over a window what these loads read, each of an image of its own: indices and extents.
    fn reduce(size: &[i64], window: &[i64], loads: &[(Vec<Expr>, Vec<i64>)]) -> Group {
        let known = |sizes: &[i64]| sizes.iter().map(|size| Extent::Known(*size)).collect::<Vec<_>>();
        let needed: Vec<_> = size.iter().map(|size| Range::new(Some(0), Some(size - 1))).collect();
        let variables: Vec<Variable> = window
            .iter()
            .zip(0..)
            .map(|(values, name)| Variable {
                name,
                range: Some(Range::new(0, values - 1)),
                known: Range::new(Some(0), Some(values - 1)),
                mirrors: None,
            })
            .collect();
        let access = |(image, (indices, extents)): (usize, &(Vec<Expr>, Vec<i64>))| {
            let of = (&known(size)[..], &needed[..]);
            let source = Source::Image(image);
            Access::new(source, indices.clone(), Boundary::Clamp, None, known(extents), of, variables.clone())
        };
        let accesses = loads.iter().enumerate().map(access).collect();
        Group::new(vec![Stage::plain("", size, accesses, true)], vec![4; loads.len()])
    }

    fn product() -> Group {
        let a = (vec![dim(0), dim(2)], vec![1024, 256]);
        let b = (vec![dim(2), dim(1)], vec![256, 1024]);
        reduce(&[1024, 1024], &[256], &[a, b])
    }

    #[test]
    fn of_a_window_the_last_variables_are_written_out() {
        let unroll = Unroll::of(32, false);
        assert_eq!(unroll.of_window(&[256]), [8]);
        assert_eq!(unroll.of_window(&[16, 3, 3]), [2, 3, 3]);
        assert_eq!(unroll.of_window(&[15, 15]), [3, 15]);
        assert_eq!(unroll.of_window(&[7]), [7]);
        // None of 81 points divides, and nine do.
        assert_eq!(unroll.of_window(&[11, 9, 9]), [1, 3, 9]);
        assert_eq!(Unroll::of(32, true).of_window(&[16, 3, 3]), [1, 3, 3]);
        assert_eq!(Unroll::of(1, false).of_window(&[16, 3, 3]), [1, 1, 1]);
    }

    #[test]
    fn points_of_a_product_share_rows_and_columns() {
        let of = |tile: &[i64]| counts(&product(), tile, &[4, 32]).expect("is a reduce");
        // Eight rows by vectors of four, four columns: of 32 products a fifth.
        let c = of(&[8, 4]);
        assert_eq!(c.loads * 32.0, 256.0 * (8.0 / 4.0 + 4.0));
        assert_eq!(c.waits, 256.0 / 8.0 + 1.0);
        assert_eq!(c.tile_registers, 32.0 + 8.0 * (8.0 + 4.0) + ADDRESSES);
        assert!(of(&[4, 4]).loads > c.loads);
        assert!(fits(&product(), &[8, 4]));
        // 64 sums, and eight of each of 16 rows.
        assert!(!fits(&product(), &[16, 4]));
    }

    #[test]
    fn points_of_a_layer_share_weights_and_rows() {
        let weights = (vec![dim(0), dim(3), dim(4), dim(5)], vec![16, 16, 3, 3]);
        let image = (vec![dim(3), dim(1) + dim(4) + -1, dim(2) + dim(5) + -1], vec![16, 512, 512]);
        let layer = reduce(&[16, 512, 512], &[16, 3, 3], &[weights, image]);
        let c = counts(&layer, &[8, 4, 1], &[1, 4, 32]).expect("is a reduce");
        // For two channels: 18 weights of eight planes by vectors of two, six rows of three columns.
        assert_eq!(c.loads * 32.0, 8.0 * (8.0 * 18.0 / 2.0 + 2.0 * 18.0));
        // A channel's window at a time.
        assert_eq!(c.waits, 16.0 + 1.0);
        // Two of 16 warps along columns, of 128 along rows.
        assert_eq!(c.at_edge, 1.0 - 14.0 / 16.0 * 126.0 / 128.0);
    }

    #[test]
    fn what_reads_a_stage_or_has_no_reduce_is_none() {
        assert!(stage_of(&product()).is_some());
        assert!(stage_of(&reduce(&[64, 64], &[], &[(vec![dim(0), dim(1)], vec![64, 64])])).is_none());
        let mut two = product().stages;
        two.extend(product().stages);
        assert!(stage_of(&Group::new(two, vec![4, 4])).is_none());
    }
}
