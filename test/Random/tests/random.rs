//! Some hundred random programs, the same ones each time; `SEED=n cargo test -p weft-random` runs others.

use weft_random::{
    Plan, case_of,
    check::{Case, agree},
    run,
};

const COUNT: u64 = 500;
/// A generator whose programs are refused tests nothing.
const MOST_REFUSED: f64 = 0.05;

#[test]
fn random_programs_agree() {
    let first = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan { first, count: COUNT, threads: cores, all: false, apart: false };
    let summary = run(plan, |_| true, |_| {});
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    assert_eq!(summary.cases, COUNT);
    assert!(summary.refused_part() <= MOST_REFUSED, "too many programs are refused: {:?}", summary.refused);
}

/// In what part of some programs a change, where it is one, shows. (Of 1 column all are the same, so it cannot in all.)
/// Of 24 programs the part is off by a tenth either way, as chance has it, of 150 by a 25th.
fn noticed(change: impl Fn(&str) -> String) -> f64 {
    let changed = (0..12000).filter_map(|seed| {
        let (case, _) = case_of(seed);
        let other = Case { text: change(&case.text), ..case.clone() };
        (other != case).then_some((seed, case, other))
    });
    let mut counts = [0, 0];
    for (seed, case, other) in changed.take(150) {
        let same = agree(&case, &other).unwrap_or_else(|failure| panic!("SEED={seed}: {failure}"));
        counts[usize::from(same)] += 1;
    }
    f64::from(counts[0]) / f64::from(counts[0] + counts[1])
}

/// Programs that hide mistakes test nothing: those that a wrong lowering would make are made here, by another program.
#[test]
fn mistakes_show() {
    let first = |text: &str, from: &str, to: &str| text.replacen(from, to, 1);
    for (what, part, least) in [
        // Modes differ at one column alone, which not every program needs; taps at all of them.
        ("mirror is clamp", noticed(|text| first(text, "- 2] mirror", "- 2] clamp")), 0.5),
        ("wrap is mirror", noticed(|text| first(text, "- 1] wrap", "- 1] mirror")), 0.5),
        ("a tap is one too far", noticed(|text| first(text, "%x + 1] clamp", "%x + 2] clamp")), 0.7),
        ("a tap is another", noticed(|text| first(text, "%x - 1] clamp", "%x] clamp")), 0.7),
        ("half is another half", noticed(|text| first(text, "%x floordiv 2] clamp", "%x ceildiv 2] clamp")), 0.6),
    ] {
        println!("{what}: {part:.2}");
        assert!(part >= least, "{what} shows in {part:.2} of the programs, expected {least} at least");
    }
}
