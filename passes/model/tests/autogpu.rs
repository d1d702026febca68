//! Tiles that AutoGPU's model chooses: within their ranges, within limits, and there for every image.

mod groups;

use groups::chain;
use proptest::prelude::*;
use weft_model::{Effort, Rejection, Scope, Target, choose_autogpu, choose_forma, occupancy, plan};

/// T_min and T_max as the paper prints them.
fn range(extent: i64, tiled: usize) -> (i64, i64) {
    let least = if extent >= 64 { 8 } else { 2 };
    let most = match extent {
        1024.. if tiled == 1 => extent / 128,
        1024.. => extent / 32,
        _ => extent / 2,
    };
    (least.min(extent), most.max(least.min(extent)))
}

fn extents() -> impl Strategy<Value = Vec<i64>> {
    let extent = prop_oneof![1i64..=8, 9i64..=200, 1000i64..=5000];
    prop::collection::vec(extent, 1..=4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn tiles_are_in_range_and_fit(
        extents in extents(),
        radii in prop::collection::vec(0i64..=12, 1..=4),
        name in prop::sample::select(Target::names().collect::<Vec<_>>()),
        effort in prop::sample::select(vec![Effort::Quick, Effort::Full]),
    ) {
        let target = Target::named(name).expect("listed");
        let group = chain(&extents, &radii);
        let choice = match choose_autogpu(&group, &target, 1e6, effort, |_| ()) {
            Ok(choice) => choice,
            Err(why) => {
                prop_assert!(radii.len() > 1, "one stage alone always has a kernel: {why}");
                prop_assert!(matches!(why, Rejection::Target(_) | Rejection::Occupancy { .. }), "{why}");
                return Ok(());
            }
        };
        prop_assert_eq!(choice.schedule.scope, Scope::Block);
        let tiled = extents.iter().filter(|extent| **extent >= 64).count();
        for (tile, extent) in choice.plan.tile.iter().zip(&extents) {
            let (least, most) = range(*extent, tiled.max(1));
            // Of a dimension that is not tiled all is in the tile.
            let is_whole = *extent < 64 && tile == extent;
            prop_assert!(is_whole || (least..=most).contains(tile), "{} of {extents:?}", choice.schedule);
        }
        let threads: i64 = choice.plan.mapping.lanes.iter().product();
        let registers = choice.cost.registers as u64;
        let fits = occupancy(&target, threads as u64, registers, choice.plan.shared as u64);
        prop_assert!(fits.is_ok(), "{fits:?}");
        // What is printed is what lowering makes of it.
        let again = plan(&group, &choice.schedule).expect("planned before");
        prop_assert_eq!((&again.tile, &again.mapping, again.shared), (&choice.plan.tile, &choice.plan.mapping, choice.plan.shared));
        // A thread has a point of each stage.
        for part in choice.plan.parts.iter().flatten() {
            for ((range, stride), extent) in part.region.iter().zip(&part.strides).zip(&extents) {
                let lanes = choice.plan.mapping.lanes[stride.axis];
                prop_assert!(lanes == 1 || range.len() <= lanes || radii.len() == 1, "{} of {extent}", choice.schedule);
            }
        }
        prop_assert_eq!(choice.parts.iter().map(|(_, part)| part).sum::<f64>(), choice.cost.total);
    }

    #[test]
    fn formas_tile_is_its_block_and_fits(
        extents in extents(),
        radii in prop::collection::vec(0i64..=12, 1..=4),
        shares_inputs in any::<bool>(),
    ) {
        let target = Target::named("h200").expect("built in");
        let group = chain(&extents, &radii);
        let choice = choose_forma(&group, &target, 1e6, shares_inputs).expect("a chain of small stencils fits");
        prop_assert_eq!(choice.schedule.shares_inputs, !choice.plan.inputs.is_empty());
        let again = plan(&group, &choice.schedule).expect("planned before");
        prop_assert_eq!((&again.tile, again.inputs.len(), again.shared), (&choice.plan.tile, choice.plan.inputs.len(), choice.plan.shared));
        prop_assert_eq!(&choice.schedule.tile, &choice.schedule.block);
        prop_assert_eq!(Some(&choice.plan.tile), choice.schedule.tile.as_ref());
        prop_assert!(choice.plan.tile.iter().product::<i64>() <= 1024 && choice.plan.shared <= 48 * 1024);
    }
}

/// Two stencils of radius 1 on an image of a camera: the block of the final tile is whole warps, and one kernel costs less than two.
#[test]
fn a_merge_that_pays() {
    let target = Target::named("h200").expect("built in");
    let cost = |radii: &[i64], effort| {
        choose_autogpu(&chain(&[2832, 4256], radii), &target, 1e7, effort, |_| ()).expect("fits")
    };
    let both = cost(&[1, 1], Effort::Full);
    assert_eq!(both.plan.mapping.lanes.iter().product::<i64>() % 32, 0);
    let alone = cost(&[1], Effort::Quick).cost.total;
    assert!(cost(&[1, 1], Effort::Quick).cost.total < 2.0 * alone);
    // What is computed again, and loaded for it, costs more than the image between.
    assert!(cost(&[1, 5], Effort::Quick).cost.total > 2.0 * alone);
}
