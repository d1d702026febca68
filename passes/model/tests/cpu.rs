//! Sliding tiles against brute force: every point of every tick is computed, and all that it reads must be there.

mod groups;

use groups::{random_group, sampled_group};
use proptest::{prelude::*, strategy::ValueTree};
use std::collections::HashSet;
use weft_model::{
    Bundle, Cpu, CpuPlan, Group, Part, Room, Sliding, Source, TileStride, bundles, choose_cpu, ranked_cpu, resolve,
    sliding, stream_of,
};

/// The rows that a window holds: the row that lies at each place, and the columns that it has.
struct Window {
    rows: Vec<Option<i64>>,
    folded: Option<usize>,
    columns: (i64, i64),
}

impl Window {
    fn of(part: &Part, stream: Option<usize>, kept: i64) -> Self {
        let (extents, folded) = part.window(stream, kept, 4);
        let rows = vec![None; folded.map_or(0, |d| extents[d] as usize)];
        Self { rows, folded, columns: (0, 0) }
    }

    fn has(&self, point: &[i64]) -> bool {
        let has_row = match self.folded {
            Some(d) => self.rows[point[d] as usize % self.rows.len()] == Some(point[d]),
            None => true,
        };
        has_row && (self.columns.0..self.columns.1).contains(&point[1])
    }
}

/// Where a box begins at a tick.
fn base(part: &Part, d: usize, at: &[i64]) -> i64 {
    part.region[d].lo + part.strides[d].step * if part.strides[d].step == 0 { 0 } else { at[part.strides[d].axis] }
}

/// What a tick computes of a stage: its box within the image, less the rows of the tick before, as far as the tile needs it, whose first
/// tick is given. Where there are ticks ahead, the first of them is none that computes all.
fn computed(group: &Group, stage: usize, part: &Part, at: &[i64], (first, ahead): (i64, i64)) -> [(i64, i64); 2] {
    [0, 1].map(|d| {
        let begin = base(part, d, at);
        let (mut from, behind) = (begin.max(0), begin + part.region[d].len());
        let to = behind.min(group.stages[stage].size[d]);
        if part.slides(d, stream_of(group)) {
            let TileStride { axis, step } = part.strides[d];
            let of_tile = part.region[d].lo + step * first;
            // Of a box with gaps to the next one no tick computes what lies in them.
            let new = (behind - step).max(from);
            from = if at[axis] == first && ahead == 0 { from } else { new.max(of_tile) };
        }
        (from.min(to), to)
    })
}

/// Walks down all tiles; returns the points of live-outs that were computed, by stage.
fn walk(group: &Group, tile: &[i64], sliding: &Sliding, bundles: &[Bundle]) -> HashSet<(usize, Vec<i64>)> {
    let stream = stream_of(group);
    let mut counts = [1i64; 2];
    for (stage, part) in group.stages.iter().zip(&sliding.parts).filter(|(stage, _)| stage.is_live_out) {
        for (stride, extent) in part.iter().flat_map(|part| &part.strides).zip(&stage.size) {
            counts[stride.axis] = counts[stride.axis].max((extent + stride.step - 1) / stride.step);
        }
    }
    let ticks = (tile[0] / sliding.tick[0]).max(1);
    let mut stored = HashSet::new();
    let is_kept = |stage| bundles.iter().any(|of| of.members.contains(&stage) && of.is_kept(group, stage));
    for (strip, x) in (0..(counts[0] + ticks - 1) / ticks).flat_map(|s| (0..counts[1]).map(move |x| (s, x))) {
        let mut windows: Vec<Option<Window>> = sliding
            .parts
            .iter()
            .zip(&sliding.kept)
            .map(|(part, kept)| Some(Window::of(part.as_ref()?, stream, *kept)))
            .collect();
        let (first, ahead) = (strip * ticks, sliding.ahead);
        for tick in first - ahead..((strip + 1) * ticks).min(counts[0]) {
            let at = [tick, x];
            for bundle in bundles {
                for number in &bundle.members {
                    let part = sliding.parts[*number].as_ref().expect("a member is needed");
                    if tick != first - ahead && part.sliding(stream).is_none() {
                        continue;
                    }
                    let [rows, columns] = computed(group, *number, part, &at, (first, ahead));
                    for point in (rows.0..rows.1).flat_map(|y| (columns.0..columns.1).map(move |x| vec![y, x])) {
                        check_reads(group, bundle, *number, &point, &windows);
                        // What has a window is copied from there.
                        if group.stages[*number].is_live_out && !is_kept(*number) {
                            stored.insert((*number, point));
                        }
                    }
                }
                // What a bundle computes is there for those behind it.
                for number in &bundle.members {
                    let part = sliding.parts[*number].as_ref().expect("a member is needed");
                    let region = computed(group, *number, part, &at, (first, ahead));
                    let window = windows[*number].as_mut().expect("a window for each part");
                    if let Some(d) = window.folded {
                        let height = window.rows.len();
                        (region[d].0..region[d].1).for_each(|y| window.rows[y as usize % height] = Some(y));
                    }
                    window.columns = if window.folded == Some(1) { (0, i64::MAX) } else { region[1] };
                }
            }
            if tick < first {
                continue;
            }
            // A live-out that others read is copied from its window: its own part must be there.
            for (number, part) in
                sliding.parts.iter().enumerate().filter(|(number, _)| group.stages[*number].is_live_out)
            {
                let (Some(part), Some(window)) = (part, &windows[number]) else { continue };
                let own = |d: usize| {
                    let first = at[part.strides[d].axis] * part.strides[d].step;
                    first..(first + part.strides[d].step).min(group.stages[number].size[d])
                };
                for point in own(0).flat_map(|y| own(1).map(move |x| [y, x])).filter(|_| is_kept(number)) {
                    assert!(window.has(&point), "the share of {number} at {point:?}, tick {at:?}");
                    stored.insert((number, point.to_vec()));
                }
            }
        }
    }
    stored
}

/// All that a point reads of other stages must be in their windows, or be the same point of a stage in its bundle.
fn check_reads(group: &Group, bundle: &Bundle, number: usize, point: &[i64], windows: &[Option<Window>]) {
    for access in &group.stages[number].accesses {
        let Source::Stage(producer, _) = access.source else { continue };
        let size = &group.stages[producer].size;
        let place: Option<Vec<i64>> = access
            .indices
            .iter()
            .zip(size)
            .map(|(index, extent)| resolve(index.eval(point), *extent, access.boundary))
            .collect();
        // Outside of a constant boundary nothing is read.
        let Some(place) = place else { continue };
        if bundle.members.contains(&producer) {
            assert_eq!(place, point, "{number} reads {producer} of its bundle elsewhere");
        } else {
            let window = windows[producer].as_ref().expect("a stage that is read is computed");
            assert!(window.has(&place), "{number} at {point:?} reads {producer} at {place:?}, which is not there");
        }
    }
}

fn check(group: &Group, tile: &[i64]) -> bool {
    let Ok(sliding) = sliding(group, tile) else { return false };
    let bundles = bundles(group, &sliding.parts);
    let mut members: Vec<usize> = bundles.iter().flat_map(|bundle| bundle.members.clone()).collect();
    members.sort_unstable();
    let needed: Vec<usize> = (0..group.stages.len()).filter(|stage| sliding.parts[*stage].is_some()).collect();
    assert_eq!(members, needed, "each stage is in one bundle");
    let stored = walk(group, tile, &sliding, &bundles);
    for (number, stage) in group.stages.iter().enumerate().filter(|(_, stage)| stage.is_live_out) {
        for point in (0..stage.size[0]).flat_map(|y| (0..stage.size[1]).map(move |x| vec![y, x])) {
            assert!(stored.contains(&(number, point.clone())), "{number} at {point:?} was not written");
        }
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever a tick reads, an earlier bundle or tick of its tile has left it there.
    #[test]
    fn what_is_read_is_there(group in random_group(), tile in prop::collection::vec(1i64..=16, 2)) {
        check(&group, &tile);
    }

    #[test]
    fn of_two_resolutions(group in sampled_group(), tile in prop::collection::vec(4i64..=40, 2)) {
        check(&group, &tile);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn ranked_tiles_are_in_order_and_have_the_choice_among_them(group in sampled_group()) {
        let cpu = Cpu::named("zen5").expect("listed");
        let all = ranked_cpu(&group, &cpu);
        prop_assert!(all.windows(2).all(|pair| pair[0].cost.total() <= pair[1].cost.total()));
        for (number, choice) in all.iter().enumerate() {
            prop_assert!(all[..number].iter().all(|other| other.tile != choice.tile), "{:?} twice", choice.tile);
        }
        for choice in [Room::Second, Room::Last].into_iter().filter_map(|room| choose_cpu(&group, &cpu, room).ok()) {
            prop_assert!(all.contains(&choice), "{choice:?} is not among them");
            prop_assert_eq!(CpuPlan::of(&group, &cpu, &choice.tile).expect("a tile").choice, choice);
        }
    }
}

/// Most groups of two resolutions slide, or the properties would say little.
#[test]
fn most_slide() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let slides = (0..100).filter(|_| {
        let group = sampled_group().new_tree(&mut runner).expect("a group").current();
        sliding(&group, &[32, 32]).is_ok()
    });
    let count = slides.count();
    assert!(count >= 50, "{count} of 100 groups slide");
}
