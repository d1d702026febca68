//! Kernels of threads that share nothing with others: what a thread computes for its points, of which it has one or a few.
//!
//! ```text
//! blury[y, x] = blurx[y - 1, x] + blurx[y, x] + blurx[y + 1, x]          a point: 1 blury, 3 blurx, 9 loads of img
//! blurx[y, x] = img[y, x - 1] + img[y, x] + img[y, x + 1]                two rows: 2 blury, 4 blurx, 12 loads
//! ```
//!
//! Small images, of coarse levels above all, have too few tiles for a GPU: a warp walks down its rows while most SMs are idle. There
//! a thread that computes again what its neighbours do, and waits for memory once, is done sooner. A thread that has all planes of a
//! point loads but once what they read alike, as the opacity of colours.

use super::counts::Counts;
use crate::{
    affine::{Boundary, Expr, Extent, dim},
    program::{Access, Group, Source},
};
use std::{
    cell::LazyCell,
    collections::{HashMap, HashSet},
};

/// Bodies of stages that a thread computes at most: all are written out.
const MOST_BODIES: f64 = 64.0;

/// Points that a thread loads at most: all are written out.
const MOST_LOADS: f64 = 96.0;

/// What a thread computes and loads.
pub struct PerThread {
    /// How often the body of each stage.
    bodies: Vec<f64>,
    /// How many points of images.
    loads: f64,
    /// How many addresses are computed for them: planes that are numbers, and columns beside each other, have one.
    addresses: f64,
    /// Indices that are brought inside an image.
    indices: f64,
}

/// What a thread needs for `points` (along each dimension so many) of the only live-out of a group; `None` where there are several
/// live-outs, where a stage of the group is read at a computed index (lanes have nothing in common there), and where it is too much.
///
/// It is followed as the lowering does it: points are the same where their indices are, as expressions of the same coordinates, and what a
/// boundary mode has moved is a coordinate of which no more is known.
pub fn per_thread(group: &Group, points: &[i64]) -> Option<PerThread> {
    let live_outs: Vec<usize> = (0..group.stages.len()).filter(|stage| group.stages[*stage].is_live_out).collect();
    let [live_out] = live_outs[..] else { return None };
    let extents = &group.stages[live_out].extents;
    if extents.len() != points.len() {
        return None;
    }
    let mut thread = Thread {
        group,
        needs: PerThread { bodies: vec![0.0; group.stages.len()], loads: 0.0, addresses: 0.0, indices: 0.0 },
        values: HashMap::new(),
        next: 0,
        points: HashSet::new(),
        addresses: HashSet::new(),
    };
    // Of a dimension of which a thread has all the coordinates are numbers.
    let firsts: Vec<Option<usize>> = extents
        .iter()
        .zip(points)
        .map(|(extent, points)| {
            let is_whole = matches!(extent, Extent::Known(extent) if extent <= points);
            (!is_whole).then(|| thread.fresh())
        })
        .collect();
    let all: i64 = points.iter().product();
    (0..all).try_for_each(|number| {
        let mut rest = number;
        let mut at: Vec<Coordinate> = points
            .iter()
            .zip(&firsts)
            .rev()
            .map(|(points, first)| {
                let offset = rest % points;
                rest /= points;
                first.map_or(Coordinate::Known(offset), |first| Coordinate::Value(first, offset))
            })
            .collect();
        at.reverse();
        thread.compute(live_out, &at, 1.0)
    })?;
    Some(thread.needs)
}

/// A coordinate of a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Coordinate {
    /// A number.
    Known(i64),
    /// A value, with something added to it.
    Value(usize, i64),
}

/// What an index is computed from: the expression, and the values of its dimensions; where it is brought inside, what it is brought inside of.
type Index = (Expr, Vec<usize>, Option<(Extent, Boundary)>);

/// A thread, while it is followed.
struct Thread<'g> {
    group: &'g Group,
    needs: PerThread,
    /// Indices that there are, by number.
    values: HashMap<Index, usize>,
    /// The last number.
    next: usize,
    /// Points that there are, of stages and of images.
    points: HashSet<(Source, Vec<Coordinate>)>,
    /// Addresses that there are.
    addresses: HashSet<(Source, Vec<Coordinate>)>,
}

impl Thread<'_> {
    /// A value that is like no other.
    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// Computes a stage at a point so many times, with all that it reads; `None` if that is too much.
    fn compute(&mut self, stage: usize, at: &[Coordinate], times: f64) -> Option<()> {
        self.needs.bodies[stage] += times;
        if self.needs.bodies.iter().sum::<f64>() > MOST_BODIES {
            return None;
        }
        let group = self.group;
        let of = &group.stages[stage];
        for access in group.body(stage).distinct.iter().map(|access| &of.accesses[*access]) {
            let by = LazyCell::new(|| {
                let coordinates = at.iter().enumerate().map(|(d, coordinate)| match coordinate {
                    Coordinate::Known(number) => Expr::Const(*number),
                    Coordinate::Value(_, offset) => dim(d) + *offset,
                });
                coordinates.chain((0..access.variables.len()).map(|variable| dim(at.len() + variable))).collect()
            });
            let point: Vec<_> = (0..access.indices.len()).map(|d| self.index(access, d, at, &by)).collect();
            let source = match access.source {
                Source::Stage(producer, _) => Source::Stage(producer, 0),
                image @ Source::Image(_) => image,
            };
            let times = times * access.times();
            // What is computed is another value at each point, though it has one name.
            let is_new = self.points.insert((source, point.clone())) || access.is_gather();
            match (source, is_new) {
                (_, false) => {}
                (Source::Stage(..), true) if access.is_gather() => return None,
                (Source::Stage(producer, _), true) => self.compute(producer, &point, times)?,
                (Source::Image(_), true) => {
                    self.needs.loads += times;
                    if self.addresses.insert((source, address(point))) {
                        self.needs.addresses += times;
                    }
                    if self.needs.loads > MOST_LOADS {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// Where a load of a stage at a point reads, along a dimension of its source; `by` stands for the stage's coordinates and what is
    /// behind them.
    fn index<F: FnOnce() -> Vec<Expr>>(
        &mut self,
        access: &Access,
        d: usize,
        at: &[Coordinate],
        by: &LazyCell<Vec<Expr>, F>,
    ) -> Coordinate {
        let mode = access.mode(d);
        // Most are a coordinate and a number, and need no arithmetic of expressions.
        let near = access.neighbour(d).map(|(own, by)| match at[own] {
            Coordinate::Known(number) => (Coordinate::Known(number.saturating_add(by)), own),
            Coordinate::Value(value, offset) => (Coordinate::Value(value, offset.saturating_add(by)), own),
        });
        let (index, values) = match near {
            Some((found, _)) if mode == Boundary::None => return found,
            Some((Coordinate::Known(number), _)) => (Expr::Const(number), Vec::new()),
            Some((Coordinate::Value(value, offset), own)) => (dim(own) + offset, vec![value]),
            None => {
                let index = access.indices[d].substitute(by).simplified();
                let values: Vec<usize> = index
                    .dims()
                    .into_iter()
                    .map(|d| match at.get(d) {
                        Some(Coordinate::Value(value, _)) => *value,
                        // A variable, by its name.
                        _ => usize::MAX - access.variables[d - at.len()].name as usize,
                    })
                    .collect();
                if mode == Boundary::None
                    && let Some(known) = moved(&index, &values)
                {
                    return known;
                }
                (index, values)
            }
        };
        let inside = (mode != Boundary::None).then_some((access.extents[d], mode));
        let is_brought = inside.is_some();
        let of = (index, values, inside);
        let value = self.values.get(&of).copied().unwrap_or_else(|| {
            self.needs.indices += if is_brought { 1.0 } else { 0.0 };
            let value = self.fresh();
            self.values.insert(of, value);
            value
        });
        Coordinate::Value(value, 0)
    }
}

/// What is computed for the address of a point: the rest is in the load.
fn address(mut point: Vec<Coordinate>) -> Vec<Coordinate> {
    for coordinate in &mut point {
        if let Coordinate::Known(number) = coordinate {
            *number = 0;
        }
    }
    if let Some(Coordinate::Value(_, offset)) = point.last_mut() {
        *offset = 0;
    }
    point
}

/// An index that is a number, or a value with something added.
fn moved(index: &Expr, values: &[usize]) -> Option<Coordinate> {
    let sum = index.flatten();
    let mut terms = sum.terms.iter();
    match (terms.next(), terms.next()) {
        (None, _) => Some(Coordinate::Known(sum.constant)),
        (Some((Expr::Dim(_), 1)), None) => Some(Coordinate::Value(values[0], sum.constant)),
        _ => None,
    }
}

/// The counts of a kernel whose threads have `points`, for a point.
pub fn counts(group: &Group, points: &[i64]) -> Counts {
    let mut c = Counts { at_edge: 1.0, ..Counts::default() };
    let Some(PerThread { bodies, loads, addresses, indices }) = per_thread(group, points) else { return c };
    let points = points.iter().product::<i64>() as f64;
    for (stage, times) in group.stages.iter().zip(&bodies) {
        c.work = c.work + stage.work * (*times / points);
        c.live = c.live.max(stage.work.live as f64);
        if stage.is_live_out {
            c.stores += stage.bytes.len() as f64;
            c.store_bytes += stage.bytes.iter().sum::<i64>() as f64;
        }
    }
    c.threads = 1.0 / points;
    c.computed = bodies.iter().sum::<f64>() / points;
    c.loads = loads / points;
    c.loop_loads = addresses / points;
    c.lines = indices / points;
    c.made = c.computed;
    // They are asked for first, all of them.
    c.tile_registers = points + loads;
    c.code = points * (c.work.instructions() + c.loads + c.lines);
    c
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{affine::Range, program::Stage};

    /// A stage of one dimension that reads at these offsets, of what is as large.
    fn stage(source: Source, reads: &[i64], boundary: Boundary, is_live_out: bool) -> Stage {
        let extents = vec![Extent::Known(4096)];
        let needed = [Range::new(Some(0), Some(4095))];
        let access = |offset: &i64| {
            let of = (&extents[..], &needed[..]);
            Access::new(source, vec![dim(0) + *offset], boundary, None, extents.clone(), of, Vec::new())
        };
        Stage::plain("", &[4096], reads.iter().map(access).collect(), is_live_out)
    }

    fn near(reads: i64) -> Vec<i64> {
        (-reads..=reads).collect()
    }

    /// Three stages of three points each.
    fn chain(boundary: Boundary) -> Group {
        let of = |stage| Source::Stage(stage, 0);
        let image = Source::Image(0);
        let stages = [(image, false), (of(0), false), (of(1), true)];
        let stages = stages.map(|(source, is_live_out)| stage(source, &near(1), boundary, is_live_out));
        Group::new(stages.into(), vec![4])
    }

    #[test]
    fn a_point_is_computed_once_however_often_it_is_read() {
        let group = chain(Boundary::None);
        let point = per_thread(&group, &[1]).expect("is small");
        assert_eq!(point.bodies, [5.0, 3.0, 1.0]);
        assert_eq!(point.loads, 7.0);
        assert_eq!(point.indices, 0.0);
        let two = per_thread(&group, &[2]).expect("is small");
        assert_eq!(two.bodies, [6.0, 4.0, 2.0]);
        assert_eq!(two.loads, 8.0);
        assert_eq!(two.addresses, 1.0);
        assert_eq!(counts(&group, &[2]).loads, 4.0);
    }

    #[test]
    fn of_a_coordinate_that_was_moved_nobody_knows_the_neighbour() {
        let point = per_thread(&chain(Boundary::Clamp), &[1]).expect("is small");
        // The reader's own coordinate is never moved.
        assert_eq!(point.bodies, [7.0, 3.0, 1.0]);
        assert_eq!(point.loads, 15.0);
        assert_eq!(point.indices, 2.0 + 4.0 + 8.0);
    }

    #[test]
    fn planes_that_a_thread_has_all_of_are_numbers() {
        let size = [4i64, 64, 64];
        let extents: Vec<Extent> = size.map(Extent::Known).into();
        let needed = size.map(|size| Range::new(Some(0), Some(size - 1)));
        let access = |plane: Expr| {
            let of = (&extents[..], &needed[..]);
            Access::new(
                Source::Image(0),
                vec![plane, dim(1), dim(2)],
                Boundary::None,
                None,
                extents.clone(),
                of,
                Vec::new(),
            )
        };
        let colours = Stage::plain("", &size, vec![access(dim(0)), access(Expr::Const(3))], true);
        let group = Group::new(vec![colours], vec![1]);
        assert_eq!(per_thread(&group, &[1, 1, 1]).expect("is small").loads, 2.0);
        let all = per_thread(&group, &[4, 1, 1]).expect("is small");
        assert_eq!((all.loads, all.addresses), (4.0, 1.0));
    }

    #[test]
    fn what_is_too_much_for_a_thread_is_none() {
        let of = |stage| Source::Stage(stage, 0);
        let two = |reach| {
            let of_image = stage(Source::Image(0), &near(reach), Boundary::None, false);
            vec![of_image, stage(of(0), &near(reach), Boundary::None, true)]
        };
        assert!(per_thread(&Group::new(two(20), vec![4]), &[1]).is_some());
        assert!(per_thread(&Group::new(two(20), vec![4]), &[64]).is_none());
        assert!(per_thread(&Group::new(two(40), vec![4]), &[1]).is_none());
        let mut both = two(1);
        both[0].is_live_out = true;
        assert!(per_thread(&Group::new(both, vec![4]), &[1]).is_none());
    }
}
