//! Nested fusion against brute force: a producer is computed at its consumer's points only if none of its own serves two of them,
//! and, for indices of the common kinds, whenever none does.

use proptest::prelude::*;
use std::collections::HashMap;
use weft_model::{
    Access, Boundary, Expr, Extent, Group, Range, Source, Stage, Work, dim,
    program::{Level, is_reused, level},
};

/// All points of a box that starts at 0.
fn all_points(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![vec![]], |points, extent| {
        points.iter().flat_map(|p| (0..*extent).map(|x| [&p[..], &[x]].concat()).collect::<Vec<_>>()).collect()
    })
}

/// Whether a point of the producer serves two of the consumer.
fn serves_two(reads: &[Vec<Expr>], extents: &[i64]) -> bool {
    let mut reader: HashMap<Vec<i64>, Vec<i64>> = HashMap::new();
    all_points(extents).into_iter().any(|p| {
        reads.iter().any(|read| {
            let at: Vec<i64> = read.iter().map(|index| index.eval(&p)).collect();
            *reader.entry(at).or_insert_with(|| p.clone()) != p
        })
    })
}

fn found(reads: &[Vec<Expr>], extents: &[i64]) -> bool {
    let known: Vec<Extent> = extents.iter().map(|extent| Extent::Known(*extent)).collect();
    let needed: Vec<_> = extents.iter().map(|extent| Range::new(Some(0), Some(extent - 1))).collect();
    is_reused(&reads.iter().map(Vec::as_slice).collect::<Vec<_>>(), &known, &needed)
}

/// An index of two coordinates, of any kind.
fn any_index() -> impl Strategy<Value = Expr> {
    let term = || ((0usize..2), (-2i64..=3), prop_oneof![2 => Just(0), 1 => 2i64..=3, 1 => -3i64..=-2]);
    (prop::collection::vec(term(), 0..3), -3i64..=3).prop_map(|(terms, add)| {
        terms.into_iter().fold(Expr::Const(add), |sum, (d, mul, part)| match part {
            0 => sum + dim(d) * mul,
            by if by > 0 => sum + dim(d).floor_div(by) * mul,
            by => sum + dim(d).modulo(-by) * mul,
        })
    })
}

/// A strided index of one coordinate: its own in each dimension.
fn own_index(d: usize) -> impl Strategy<Value = (i64, Expr)> {
    ((1i64..=3), (0i64..=5)).prop_map(move |(mul, add)| (mul, dim(d) * mul + add))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_is_computed_at_a_point_is_computed_once(
        reads in prop::collection::vec(prop::collection::vec(any_index(), 1..4), 1..4),
        extents in prop::collection::vec(1i64..=6, 2),
    ) {
        // All reads are of one image.
        let rank = reads[0].len();
        let reads: Vec<_> = reads.into_iter().filter(|read| read.len() == rank).collect();
        prop_assert!(!serves_two(&reads, &extents) || found(&reads, &extents), "{reads:?} over {extents:?}");
    }

    /// One stride for all reads, and an image large enough that two that can meet do.
    #[test]
    fn strided_reads_are_known_exactly(
        strides in prop::array::uniform2(1i64..=3),
        offsets in prop::collection::vec(prop::array::uniform2(0i64..=4), 1..5),
        plane in prop::collection::vec(0i64..=2, 5),
    ) {
        let read = |(offset, plane): (&[i64; 2], &i64)| {
            vec![Expr::Const(*plane), dim(0) * strides[0] + offset[0], dim(1) * strides[1] + offset[1]]
        };
        let reads: Vec<_> = offsets.iter().zip(&plane).map(read).collect();
        prop_assert_eq!(found(&reads, &[9, 9]), serves_two(&reads, &[9, 9]), "{:?}", reads);
    }

    #[test]
    fn one_read_that_tells_its_point(first in own_index(0), second in own_index(1), mix in -2i64..=2) {
        let skewed = vec![first.1 + dim(1) * mix, second.1];
        prop_assert!(!found(&[skewed], &[7, 7]));
    }
}

/// What stands in the essay of the module.
#[test]
fn known_cases() {
    let (y, x) = (|| dim(0), || dim(1));
    let gray: Vec<_> = (0..3).map(|c| vec![Expr::Const(c), y(), x()]).collect();
    assert!(!found(&gray, &[64, 64]));
    assert!(!found(&[vec![y(), x() * 2], vec![y(), x() * 2 + 1]], &[64, 64]));
    assert!(found(&[vec![y(), x().floor_div(2)]], &[64, 64]));
    assert!(found(&[vec![y()]], &[64, 64]));
    assert!(!found(&[vec![y()]], &[64, 1]), "a row of one point shares nothing");
    assert!(found(&[vec![y(), x()], vec![y(), x() + 1]], &[64, 64]));
    assert!(!found(&[vec![y(), x()], vec![y(), x() + 64]], &[64, 64]), "halves of an image");
    assert!(!found(&[vec![x(), y()]], &[64, 64]), "transposed");
}

/// The bodies of stages that are computed in one another multiply, up to a bound.
#[test]
fn copies_are_bounded() {
    let stage = |name: &str, reads: &[(Source, i64)]| {
        let extents = vec![Extent::Known(1 << 20)];
        let needed = vec![Range::new(Some(0), Some((1 << 10) - 1))];
        let access = |(source, offset): &(Source, i64)| {
            let of = vec![Extent::Known(1 << 24)];
            Access::new(*source, vec![dim(0) * 4 + *offset], Boundary::None, None, of, (&extents, &needed), Vec::new())
        };
        Stage {
            name: name.into(),
            accesses: reads.iter().map(access).collect(),
            extents: extents.clone(),
            needed: needed.clone(),
            bytes: vec![4],
            widest: 4,
            work: Work::NONE,
            size: vec![1 << 10],
            is_live_out: name == "d",
            has_planes_alike: false,
            inlined_into: None,
        }
    };
    let two = |source: usize| -> Vec<_> { (0..2).map(|offset| (Source::Stage(source, 0), offset)).collect() };
    let stages =
        vec![stage("a", &[(Source::Image(0), 0)]), stage("b", &two(0)), stage("c", &two(1)), stage("d", &two(2))];
    let group = Group::new(stages, vec![4]);
    let into: Vec<_> = group.stages.iter().map(|stage| stage.inlined_into).collect();
    // 2 copies of "c", 4 of "b"; 8 of "a" are too many.
    assert_eq!(into, [None, Some(2), Some(3), None]);
}

/// A stage of these extents that reads other stages, or image 0, at these points.
fn stage(name: &str, size: &[i64], reads: &[(Source, Vec<Expr>)], is_live_out: bool) -> Stage {
    let extents: Vec<Extent> = size.iter().map(|extent| Extent::Known(*extent)).collect();
    let needed: Vec<_> = size.iter().map(|extent| Range::new(Some(0), Some(extent - 1))).collect();
    let access = |(source, indices): &(Source, Vec<Expr>)| {
        let of = vec![Extent::Known(1 << 20); indices.len()];
        Access::new(*source, indices.clone(), Boundary::None, None, of, (&extents, &needed), Vec::new())
    };
    Stage {
        name: name.into(),
        accesses: reads.iter().map(access).collect(),
        extents: extents.clone(),
        needed: needed.clone(),
        bytes: vec![4],
        widest: 4,
        work: Work::NONE,
        size: size.to_vec(),
        is_live_out,
        has_planes_alike: false,
        inlined_into: None,
    }
}

fn pixel() -> Vec<Expr> {
    vec![dim(1), dim(2)]
}

fn levels(reads: &[Vec<Expr>], size: &[i64]) -> Option<Level> {
    level(&reads.iter().map(Vec::as_slice).collect::<Vec<_>>(), &stage("reader", size, &[], true))
}

#[test]
fn what_all_planes_of_a_pixel_share_is_computed_at_the_pixel() {
    let (c, y, x) = (|| dim(0), || dim(1), || dim(2));
    assert_eq!(levels(&[pixel()], &[3, 64, 64]), Some(Level::Pixel));
    assert_eq!(levels(&[vec![c(), y(), x()]], &[3, 64, 64]), Some(Level::Point));
    assert_eq!(levels(&[vec![y(), x() * 2], vec![y(), x() * 2 + 1]], &[3, 64, 64]), Some(Level::Pixel));
    assert_eq!(levels(&[pixel()], &[1, 64, 64]), Some(Level::Point), "one plane");
    assert_eq!(levels(&[pixel()], &[12, 64, 64]), None, "too many planes for a thread");
    assert_eq!(levels(&[vec![y(), x() + c()]], &[3, 64, 64]), None, "planes that move");
    assert_eq!(levels(&[vec![y(), x().floor_div(2)]], &[3, 64, 64]), None, "neighbours share it");
    assert_eq!(levels(&[vec![y()]], &[3, 64, 64]), None, "a row shares it");
    assert_eq!(levels(&[pixel(), vec![y(), x() + 1]], &[3, 64, 64]), None, "neighbours read it, too");
}

/// The camera pipeline's colours: "r" and "g" have two consumers, both computed at the pixels of "curved".
#[test]
fn several_consumers_that_are_computed_in_one_stage() {
    let (image, of) = (Source::Image(0), |stage| Source::Stage(stage, 0));
    let two = || vec![dim(0), dim(1)];
    let size = [64, 64];
    let colours = |red: Vec<Expr>| {
        let stages = vec![
            stage("r", &size, &[(image, two())], false),
            stage("g", &size, &[(image, two())], false),
            stage("red", &size, &[(of(0), two()), (of(1), red)], false),
            stage("green", &size, &[(of(0), two()), (of(1), two())], false),
            stage("curved", &[3, 64, 64], &[(of(2), pixel()), (of(3), pixel())], true),
        ];
        Group::new(stages, vec![4]).with_pixels()
    };
    let into = |group: &Group| group.stages.iter().map(|stage| stage.inlined_into).collect::<Vec<_>>();
    let group = colours(two());
    assert_eq!(into(&group), [Some(3), Some(3), Some(4), Some(4), None]);
    assert_eq!(group.body(4).plane(), Some(0));
    // One load of the image for "r", one for "g": at the same point, so one.
    assert_eq!(group.body(4).reads.len(), 1);
    // Where "red" reads its neighbour, "g" serves two pixels, and has a tile.
    let group = colours(vec![dim(0), dim(1) + 1]);
    assert_eq!(into(&group), [Some(3), None, Some(4), Some(4), None]);
}
