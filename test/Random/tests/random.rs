//! Some hundred random programs, the same ones each time; `SEED=n cargo test -p weft-random` runs others.

use weft_random::{Plan, run};

const COUNT: u64 = 500;
/// A generator whose programs are refused tests nothing.
const MOST_REFUSED: f64 = 0.05;

#[test]
fn random_programs_agree() {
    let first = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan { first, count: COUNT, threads: cores, all: false };
    let summary = run(plan, |_| true, |_, _| {});
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    assert_eq!(summary.cases, COUNT);
    assert!(summary.refused_part() <= MOST_REFUSED, "too many programs are refused: {:?}", summary.refused);
}
