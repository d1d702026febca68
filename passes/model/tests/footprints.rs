//! Exact footprints against brute force: every point of every consumer's box read through `resolve`, every tile of the grid.
//! And the tables of "Flextended Tiles" on the groups that are short enough to be written down here.

mod groups;

use groups::{random_group, sampled_group, stage};
use proptest::prelude::*;
use weft_model::{
    Boundary, Extent, Group, Range, Shape, Source, Stage, boxes, dim, resolve,
    tiles::{Footprint, TileError, Tiling, footprint, largest},
};

type Region = Vec<Range<i64>>;

// ---- Brute force ----------------------------------------------------------------------------------------------------------

fn points(region: &[Range<i64>]) -> Vec<Vec<i64>> {
    region.iter().fold(vec![vec![]], |heads, range| {
        let longer = |head: &Vec<i64>| (range.lo..=range.hi).map(|x| [&head[..], &[x]].concat()).collect::<Vec<_>>();
        heads.iter().flat_map(longer).collect()
    })
}

fn add(region: &mut Option<Region>, point: &[i64]) {
    match region {
        None => *region = Some(point.iter().map(|x| Range::new(*x, *x)).collect()),
        Some(region) => region.iter_mut().zip(point).for_each(|(range, x)| {
            *range = Range::new(range.lo.min(*x), range.hi.max(*x));
        }),
    }
}

/// What the points of the boxes read, one by one; boxes of the live-outs begin with their shares.
fn brute_force(group: &Group, shares: &[Option<Region>], image_sizes: &[Vec<i64>]) -> Footprint {
    let mut stages = shares.to_vec();
    let mut images = vec![None; group.images.len()];
    for s in (0..stages.len()).rev() {
        let all = stages[s].as_deref().map(points).unwrap_or_default();
        for access in &group.stages[s].accesses {
            let (region, size) = match access.source {
                Source::Stage(producer, _) => (&mut stages[producer], &group.stages[producer].size),
                Source::Image(image) => (&mut images[image], &image_sizes[image]),
            };
            // As code is made: read at clamped coordinates, then select.
            let mode = if access.boundary == Boundary::Constant { Boundary::Clamp } else { access.boundary };
            // Indices that are passed over, as by `x * 2`, count as read: what is folded is an interval.
            let mut passed: Option<Region> = None;
            for point in &all {
                let at: Vec<_> = access.indices.iter().map(|index| index.eval(point)).collect();
                add(&mut passed, &at);
            }
            let read = passed.iter().flatten().zip(size).map(|(range, size)| {
                let at = (range.lo..=range.hi).filter_map(|index| resolve(index, *size, mode));
                at.filter(|at| (0..*size).contains(at)).collect::<Vec<_>>()
            });
            let read: Vec<_> = read.collect();
            if !read.is_empty() && read.iter().all(|at| !at.is_empty()) {
                let end = |last: bool| read.iter().map(move |at| if last { at.iter().max() } else { at.iter().min() });
                for last in [false, true] {
                    let corner: Vec<i64> = end(last).map(|at| *at.expect("it is not empty")).collect();
                    add(region, &corner);
                }
            }
        }
    }
    Footprint { stages, images }
}

fn sizes_of_images(group: &Group) -> Vec<Vec<i64>> {
    let mut sizes = vec![vec![1, 1]; group.images.len()];
    for access in group.stages.iter().flat_map(|stage| &stage.accesses) {
        if let Source::Image(image) = access.source {
            let known = |extent: &Extent| if let Extent::Known(extent) = extent { *extent } else { 0 };
            sizes[image] = access.extents.iter().map(known).collect();
        }
    }
    sizes
}

/// Every tile's number.
fn numbers(counts: &[i64]) -> Vec<Vec<i64>> {
    points(&counts.iter().map(|count| Range::new(0, count - 1)).collect::<Vec<_>>())
}

/// The share of each live-out in each tile.
fn shares(tiling: &Tiling, group: &Group) -> Vec<Vec<Option<Region>>> {
    let of_live_outs = |number: &Vec<i64>| {
        let all = tiling.shares(number);
        all.into_iter().zip(&group.stages).map(|(share, stage)| share.filter(|_| stage.is_live_out)).collect()
    };
    numbers(tiling.counts()).iter().map(of_live_outs).collect()
}

fn extents(region: &Option<Region>) -> Option<Vec<i64>> {
    region.as_ref().map(|region| region.iter().map(Range::len).collect())
}

/// The greatest extents of stages and images, as they are found and over all tiles.
fn largest_and_brute_force(group: &Group, tile: &[i64], shape: Shape) -> [Vec<Option<Vec<i64>>>; 2] {
    let tiling = Tiling::new(group, tile, shape).expect("rank 2");
    let got = tiling.largest();
    let mut all: Vec<Option<Vec<i64>>> = vec![None; group.stages.len() + group.images.len()];
    for number in numbers(tiling.counts()) {
        let footprint = tiling.footprint(&number);
        for (most, region) in all.iter_mut().zip(footprint.stages.iter().chain(&footprint.images)) {
            if let Some(extents) = extents(region) {
                let most = most.get_or_insert_with(|| vec![0; extents.len()]);
                most.iter_mut().zip(extents).for_each(|(most, extent)| *most = (*most).max(extent));
            }
        }
    }
    [[got.stages, got.images].concat(), all]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn boxes_are_exact(group in random_group(), tile in prop::collection::vec(1i64..=12, 0..=2)) {
        let tiling = Tiling::new(&group, &tile, Shape::Scalene).expect("rank 2 at most");
        let images = sizes_of_images(&group);
        for (number, shares) in numbers(tiling.counts()).iter().zip(shares(&tiling, &group)) {
            prop_assert_eq!(tiling.footprint(number), brute_force(&group, &shares, &images), "tile {:?}", number);
        }
    }

    #[test]
    fn shares_are_a_partition(group in random_group(), tile in prop::collection::vec(1i64..=12, 2)) {
        let tiling = Tiling::new(&group, &tile, Shape::Scalene).expect("rank 2");
        let all = shares(&tiling, &group);
        for (s, stage) in group.stages.iter().enumerate().filter(|(_, stage)| stage.is_live_out) {
            let mut seen: Vec<_> = all.iter().filter_map(|shares| shares[s].as_deref()).flat_map(points).collect();
            seen.sort();
            seen.dedup();
            prop_assert_eq!(seen, points(&stage.size.iter().map(|n| Range::new(0, n - 1)).collect::<Vec<_>>()));
        }
    }

    #[test]
    fn largest_is_the_greatest_of_all_tiles(group in random_group(), tile in prop::collection::vec(1i64..=6, 2)) {
        for shape in [Shape::Scalene, Shape::RightRectangle] {
            let [got, want] = largest_and_brute_force(&group, &tile, shape);
            prop_assert_eq!(got, want, "{:?}", shape);
        }
    }

    #[test]
    fn largest_of_sampled_groups(group in sampled_group(), tile in prop::collection::vec(7i64..=40, 2)) {
        for shape in [Shape::Scalene, Shape::RightRectangle] {
            let [got, want] = largest_and_brute_force(&group, &tile, shape);
            prop_assert_eq!(got, want, "{:?}", shape);
        }
    }

    /// A right rectangle holds what a scalene tile holds, and all tiles but those at an edge end where the share does, moved
    /// by one constant.
    #[test]
    fn right_rectangles_hold_scalene_tiles(group in random_group(), tile in prop::collection::vec(1i64..=12, 2)) {
        let scalene = Tiling::new(&group, &tile, Shape::Scalene).expect("rank 2");
        let right = Tiling::new(&group, &tile, Shape::RightRectangle).expect("rank 2");
        for number in numbers(scalene.counts()) {
            for (exact, right) in scalene.footprint(&number).stages.iter().zip(&right.footprint(&number).stages) {
                prop_assert!(holds(right, exact), "tile {:?}: {:?} lacks some of {:?}", number, right, exact);
            }
        }
    }

    /// What kernels compute of a stage in an interior tile holds what they must, in every shape.
    #[test]
    fn kernels_hold_interior_tiles(
        group in sampled_group(),
        multiples in prop::collection::vec(2i64..=8, 2),
        shape in prop::sample::select(vec![Shape::Scalene, Shape::RightRectangle, Shape::UniformSlope]),
    ) {
        let tile: Vec<i64> = multiples.iter().map(|m| m * 4).collect();
        let mut group = group;
        group.shape = shape;
        let Ok(parts) = boxes(&group, &tile) else { return Ok(()) };
        // Between slopes a live-out has its share alone, where PolyMage keeps memory for as much of it as of the others.
        let exact = if shape == Shape::UniformSlope { Shape::Scalene } else { shape };
        let tiling = Tiling::new(&group, &tile, exact).expect("rank 2");
        for number in numbers(tiling.counts()).into_iter().filter(|number| tiling.is_interior(number)) {
            for (part, exact) in parts.iter().zip(tiling.footprint(&number).stages) {
                let part = part.as_ref().map(|part| {
                    let place = |(stride, range): (&weft_model::TileStride, &Range<i64>)| {
                        let start = stride.step * number[stride.axis];
                        Range::new(start + range.lo, start + range.hi)
                    };
                    part.strides.iter().zip(&part.region).map(place).collect::<Region>()
                });
                prop_assert!(holds(&part, &exact), "tile {:?}: {:?} lacks some of {:?}", number, part, exact);
            }
        }
    }
}

fn holds(outer: &Option<Region>, inner: &Option<Region>) -> bool {
    match (outer, inner) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(outer), Some(inner)) => outer.iter().zip(inner).all(|(o, i)| o.lo <= i.lo && i.hi <= o.hi),
    }
}

// ---- By hand --------------------------------------------------------------------------------------------------------------

/// A chain that reads `taps` of `sizes`, the last one live-out.
fn chain(size: i64, reaches: &[(i64, i64)]) -> Group {
    let images = vec![vec![size]];
    let mut stages: Vec<Stage> = Vec::new();
    for (number, (left, right)) in reaches.iter().enumerate() {
        let source = if number == 0 { Source::Image(0) } else { Source::Stage(number - 1, 0) };
        let loads = [*left, *right].map(|reach| (source, vec![dim(0) + reach], Boundary::Clamp)).to_vec();
        let next = stage(&[size], loads, number + 1 == reaches.len(), &stages, &images);
        stages.push(next);
    }
    Group::new(stages, vec![4])
}

fn of_stages(group: &Group, tile: &[i64], shape: Shape) -> Vec<i64> {
    let largest = Tiling::new(group, tile, shape).expect("a tile of rank 1").largest();
    largest.stages.into_iter().map(|extents| extents.expect("each stage is read")[0]).collect()
}

/// The example of the paper's figures 3, 8 and 10: three points to either side of A, or six to its left.
#[test]
fn the_papers_example() {
    let group = chain(1000, &[(0, 0), (-1, 1), (-2, 2)]);
    assert_eq!(of_stages(&group, &[32], Shape::Scalene), [38, 36, 32]);
    assert_eq!(of_stages(&group, &[32], Shape::RightRectangle), [38, 36, 32]);
    // Widths 2/1 and 3/2 on either side: slope 2 over a height of 2.
    assert_eq!(of_stages(&group, &[32], Shape::UniformSlope), [40, 40, 40]);
    let exact = footprint(&group, &[32], &[2]).expect("rank 1");
    assert_eq!(exact.stages[0], Some(vec![Range::new(61, 98)]));
}

/// What is read on the left only is computed up to the tile's own end all the same.
#[test]
fn right_rectangles_keep_their_right_side() {
    let group = chain(1000, &[(0, 0), (-3, -1), (0, 0)]);
    assert_eq!(of_stages(&group, &[32], Shape::Scalene), [34, 32, 32]);
    assert_eq!(of_stages(&group, &[32], Shape::RightRectangle), [35, 32, 32]);
}

/// Unsharp mask, Table 7.
#[test]
fn unsharp() {
    let group = chain(4256, &[(0, 0), (-2, 2), (0, 0), (0, 0)]);
    assert_eq!(of_stages(&group, &[512], Shape::Scalene), [516, 512, 512, 512]);
    assert_eq!(of_stages(&group, &[512], Shape::UniformSlope), [518, 518, 518, 518]);
}

/// The same for an image of any size, at once: up-sampling of a tile that is no multiple of two.
#[test]
fn time_does_not_depend_on_the_image() {
    for size in [1000, 1 << 40] {
        let up = |stages: &[Stage], size: i64, is_live_out: bool, images: &[Vec<i64>]| {
            let source = if stages.is_empty() { Source::Image(0) } else { Source::Stage(stages.len() - 1, 0) };
            let loads = [0, 1, 2].map(|o| (source, vec![dim(0).floor_div(2) + o], Boundary::Mirror)).to_vec();
            stage(&[size], loads, is_live_out, stages, images)
        };
        let images = vec![vec![size / 4]];
        let mut stages = vec![up(&[], size / 2, false, &images)];
        stages.push(up(&stages, size, true, &images));
        let group = Group::new(stages, vec![4]);
        let largest = largest(&group, &[7]).expect("rank 1");
        assert_eq!(largest.stages, [Some(vec![6]), Some(vec![7])]);
        assert_eq!(largest.images, [Some(vec![6])]);
    }
}

#[test]
fn tiles_that_do_not_fit() {
    let group = chain(100, &[(0, 0)]);
    assert_eq!(largest(&group, &[8, 8]), Err(TileError::Rank { found: 2, most: 1 }));
    assert_eq!(largest(&group, &[0]), Err(TileError::Extent(0)));
    assert_eq!(
        TileError::Rank { found: 2, most: 1 }.to_string(),
        "has 2 extents, expected at most 1, the rank of the live-outs"
    );
    let whole = largest(&group, &[]).expect("the whole");
    assert_eq!(whole.stages, [Some(vec![100])]);
}
