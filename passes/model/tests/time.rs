//! How long kernels take by the model, and the schedules that it orders by that.

mod groups;

use groups::{chain, sampled_group, stage};
use proptest::prelude::*;
use weft_model::{Allowed, Boundary, Effort, Group, Schedule, Source, Target, choose, dim, evaluate, ranked};

fn largest(group: &Group) -> f64 {
    let points = |size: &Vec<i64>| size.iter().map(|extent| *extent as f64).product::<f64>();
    group.stages.iter().map(|stage| points(&stage.size)).fold(1.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn ranked_schedules_are_in_order_and_begin_with_the_choice(group in sampled_group()) {
        let target = Target::named("v100").expect("listed");
        let all = ranked(&group, &target, largest(&group));
        prop_assert!(all.windows(2).all(|pair| pair[0].cost.total <= pair[1].cost.total));
        for (number, choice) in all.iter().enumerate() {
            prop_assert!(all[..number].iter().all(|other| other.schedule != choice.schedule), "{} twice", choice.schedule);
        }
        match choose(&group, &target, largest(&group), Effort::Full, &Allowed::ALL, |_| ()) {
            Ok(choice) => prop_assert_eq!(&all[0].schedule, &choice.schedule),
            Err(_) => prop_assert!(all.is_empty()),
        }
    }

    #[test]
    fn a_kernel_takes_as_long_as_its_longest_part_and_no_longer_than_all(group in sampled_group()) {
        let target = Target::named("h100").expect("listed");
        for choice in ranked(&group, &target, largest(&group)) {
            let time = choice.cost.time;
            let parts = [time.moving, time.issuing, time.waiting, time.serving];
            let (most, sum) = (parts.iter().copied().fold(0.0, f64::max), parts.iter().sum::<f64>());
            prop_assert!(most <= time.cycles && time.cycles <= sum + 2000.0, "{time:?}");
            prop_assert!(time.rounds >= 1.0 && time.traffic.read >= 0.0 && time.traffic.halo >= 0.0, "{time:?}");
        }
    }

    #[test]
    fn more_rows_take_no_less_time(rows in 64i64..4000, columns in 64i64..4000, radius in 0i64..4) {
        let target = Target::named("v100").expect("listed");
        let [small, large] = [rows, 2 * rows].map(|rows| chain(&[rows, columns], &[radius, radius]));
        for choice in ranked(&small, &target, largest(&small)) {
            let of_large = evaluate(&large, &choice.schedule, &target, largest(&large)).expect("fits as well");
            let [one, other] = [&choice.cost.time, &of_large.cost.time].map(|time| time.cycles);
            prop_assert!(one <= other, "{}: {one} cycles, twice the rows {other}", choice.schedule);
        }
    }
}

/// Three planes that all read one image: from memory once each, where L2 has forgotten it in between.
#[test]
fn what_l2_does_not_hold_is_read_for_each_plane() {
    let target = Target::named("v100").expect("listed");
    let schedule = Schedule { tile: Some(vec![1, 8, 128]), block: Some(vec![1, 4, 32]), ..Schedule::default() };
    let times_read = |side: i64, schedule: &Schedule| {
        let image = vec![side, side];
        let loads = vec![(Source::Image(0), vec![dim(1), dim(2)], Boundary::None)];
        let out = stage(&[3, side, side], loads, true, &[], std::slice::from_ref(&image));
        let group = Group::new(vec![out], vec![4]);
        let choice = evaluate(&group, schedule, &target, largest(&group)).expect("fits");
        choice.cost.time.traffic.read / (4 * side * side) as f64
    };
    assert_eq!(times_read(512, &schedule), 1.0);
    assert_eq!(times_read(4096, &schedule), 3.0);
    assert_eq!(times_read(4096, &Schedule { tile: Some(vec![3, 8, 128]), ..schedule }), 1.0);
}

/// Few rows in a tile where the image is small: every SM has some.
#[test]
fn small_images_have_small_tiles() {
    let target = Target::named("v100").expect("listed");
    let rows = |side: i64| {
        let group = chain(&[side, side], &[1, 1]);
        let choice = choose(&group, &target, largest(&group), Effort::Full, &Allowed::ALL, |_| ()).expect("fits");
        assert!(
            side < 512 || choice.cost.blocks >= target.sms as i64,
            "{}: {} blocks",
            choice.schedule,
            choice.cost.blocks
        );
        choice.plan.tile[0] * choice.plan.tile[1]
    };
    assert!(rows(512) < rows(8192));
}
