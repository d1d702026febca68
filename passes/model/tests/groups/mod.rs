//! Groups for tests: random ones, for properties that all have, and chains of stencils.

#![allow(dead_code)] // Each test takes what it needs.

use proptest::prelude::*;
use weft_model::{Access, Boundary, Expr, Extent, Group, OpClass, Range, Source, Stage, Work, dim, program::whole};

/// A load: source, indices, boundary.
pub type Load = (Source, Vec<Expr>, Boundary);

/// A stage of known extents; the model of what it reads must be there already.
pub fn stage(size: &[i64], loads: Vec<Load>, is_live_out: bool, before: &[Stage], images: &[Vec<i64>]) -> Stage {
    let known = |size: &[i64]| size.iter().map(|extent| Extent::Known(*extent)).collect::<Vec<_>>();
    let extents = known(size);
    let needed: Vec<_> = extents.iter().map(|extent| whole(*extent)).collect();
    let access = |(source, indices, boundary): Load| {
        let of = match source {
            Source::Stage(producer, _) => before[producer].extents.clone(),
            Source::Image(image) => known(&images[image]),
        };
        let with = |boundary| {
            Access::new(source, indices.clone(), boundary, None, of.clone(), (&extents, &needed), Vec::new())
        };
        let access = with(boundary);
        // A load without a boundary mode stays inside.
        let stays = access.leaves.iter().all(|leaves| *leaves == Some((0, 0)));
        if boundary == Boundary::None && !stays { with(Boundary::Clamp) } else { access }
    };
    let accesses = loads.into_iter().map(access).collect();
    Stage {
        name: before.len().to_string(),
        needed,
        bytes: vec![4],
        widest: 4,
        work: Work::default(),
        size: size.to_vec(),
        accesses,
        is_live_out,
        has_planes_alike: false,
        inlined_into: None,
        extents,
    }
}

// ---- Random groups --------------------------------------------------------------------------------------------------------

fn boundary() -> impl Strategy<Value = Boundary> {
    use Boundary::{Clamp, Constant, Mirror, None, Reflect101, Wrap};
    prop::sample::select(vec![None, None, Clamp, Clamp, Mirror, Reflect101, Wrap, Constant])
}

/// `(x * a + b) floordiv c` and others of one coordinate.
fn index(d: usize) -> impl Strategy<Value = Expr> {
    let shift = -3i64..=3;
    prop_oneof![
        4 => shift.clone().prop_map(move |b| dim(d) + b),
        2 => (2i64..=3, shift.clone()).prop_map(move |(a, b)| dim(d) * a + b),
        2 => (2i64..=3, shift.clone(), -1i64..=1).prop_map(move |(c, b, o)| (dim(d) + b).floor_div(c) + o),
        1 => (2i64..=3, shift.clone()).prop_map(move |(c, b)| (dim(d) + b).ceil_div(c)),
        1 => (2i64..=4).prop_map(move |c| dim(d) - dim(d).modulo(c)),
        1 => (2i64..=4).prop_map(move |c| dim(d).modulo(c)),
        1 => (0i64..=5).prop_map(Expr::Const),
        1 => shift.prop_map(move |b| -dim(d) + 9 + b),
    ]
}

/// Groups of up to five stages of rank 2 that read two images and each other.
pub fn random_group() -> impl Strategy<Value = Group> {
    let load = (any::<prop::sample::Index>(), index(0), index(1), any::<bool>(), boundary());
    let stage_of = (1i64..=40, 1i64..=40, prop::collection::vec(load, 1..=3), prop::bool::weighted(0.2));
    let images = prop::collection::vec((1i64..=40, 1i64..=40), 2);
    (prop::collection::vec(stage_of, 1..=5), images).prop_map(|(stages, images)| {
        let images: Vec<_> = images.into_iter().map(|(h, w)| vec![h, w]).collect();
        let mut made: Vec<Stage> = Vec::new();
        let last = stages.len() - 1;
        for (number, (h, w, loads, is_live_out)) in stages.into_iter().enumerate() {
            let loads = loads.into_iter().map(|(source, y, x, is_transposed, boundary)| {
                let source = match source.index(made.len() * 2 + 1) {
                    i if i < made.len() * 2 => Source::Stage(i / 2, 0),
                    _ => Source::Image(number % 2),
                };
                let swap = |e: &Expr| e.substitute(&[dim(1), dim(0)]);
                let indices = if is_transposed && w % 4 == 0 { vec![swap(&y), swap(&x)] } else { vec![y, x] };
                (source, indices, boundary)
            });
            let made_now = stage(&[h, w], loads.collect(), is_live_out || number == last, &made, &images);
            made.push(made_now);
        }
        Group::new(made, vec![4, 4])
    })
}

/// Groups whose stages have two resolutions and read each other in step: most of them can be tiled, and have interior tiles.
pub fn sampled_group() -> impl Strategy<Value = Group> {
    const FINE: i64 = 120;
    use Boundary::{Clamp, Constant, Mirror, Reflect101, Wrap};
    let mode = prop::sample::select(vec![Clamp, Clamp, Mirror, Reflect101, Wrap, Constant]);
    let load = (any::<prop::sample::Index>(), -3i64..=3, -3i64..=3, mode);
    let stage_of = (prop::bool::weighted(0.3), prop::collection::vec(load, 1..=3), prop::bool::weighted(0.2));
    prop::collection::vec(stage_of, 1..=6).prop_map(|stages| {
        let images = vec![vec![FINE, FINE]];
        let mut made: Vec<Stage> = Vec::new();
        let last = stages.len() - 1;
        for (number, (is_half, loads, is_live_out)) in stages.into_iter().enumerate() {
            let size = if is_half { FINE / 2 } else { FINE };
            let loads = loads.into_iter().map(|(source, y, x, boundary)| {
                let (source, of) = match source.index(made.len() * 4 + 1) {
                    i if i < made.len() * 4 => (Source::Stage(i / 4, 0), made[i / 4].size[0]),
                    _ => (Source::Image(0), FINE),
                };
                let index = |d: usize, shift: i64| match of.cmp(&size) {
                    std::cmp::Ordering::Less => (dim(d) + shift).floor_div(2),
                    std::cmp::Ordering::Equal => dim(d) + shift,
                    std::cmp::Ordering::Greater => dim(d) * 2 + shift,
                };
                (source, vec![index(0, y), index(1, x)], boundary)
            });
            let next = stage(&[size, size], loads.collect(), is_live_out || number == last, &made, &images);
            made.push(next);
        }
        Group::new(made, vec![4])
    })
}

/// A chain of stencils, each reading the last at these distances along its last dimension and the one before, scaled.
pub fn chain(extents: &[i64], radii: &[i64]) -> Group {
    let known: Vec<Extent> = extents.iter().map(|extent| Extent::Known(*extent)).collect();
    let needed: Vec<_> = extents.iter().map(|extent| Range::new(Some(0), Some(extent - 1))).collect();
    let rank = extents.len();
    let mut work = Work::NONE;
    work.count(OpClass::F32, 4.0);
    let stage = |(number, radius): (usize, &i64)| {
        let source = if number == 0 { Source::Image(0) } else { Source::Stage(number - 1, 0) };
        let access = |offset: i64| {
            let indices = (0..rank).map(|d| if d + 2 >= rank { dim(d) + offset } else { dim(d) }).collect();
            Access::new(source, indices, Boundary::Clamp, None, known.clone(), (&known, &needed), Vec::new())
        };
        Stage {
            name: format!("s{number}"),
            accesses: vec![access(-radius), access(*radius)],
            extents: known.clone(),
            needed: needed.clone(),
            bytes: vec![4],
            widest: 4,
            work,
            size: extents.to_vec(),
            is_live_out: number + 1 == radii.len(),
            has_planes_alike: false,
            inlined_into: None,
        }
    };
    Group::new(radii.iter().enumerate().map(stage).collect(), vec![4])
}
