//! The stopwatch.
//!
//! A pipeline runs for milliseconds, so one run says little: the first pays for page faults and cold caches, and any may be
//! disturbed by another process. [`measure`] runs a closure a few times unmeasured, then keeps the time of each measured run;
//! what to make of them (the minimum for "what can this code do", the median for "what will a user see") is the reader's
//! choice, so [`Timing`] keeps them all.

use std::time::Instant;

/// The wall-clock times of the measured runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// One entry per run, in the order in which they ran, in milliseconds.
    pub runs_ms: Vec<f64>,
}

impl Timing {
    /// The fastest run in milliseconds; NaN if there was none.
    pub fn min_ms(&self) -> f64 {
        self.runs_ms.iter().copied().fold(f64::NAN, f64::min)
    }

    /// The median run in milliseconds, the mean of the two middle ones if their number is even; NaN if there was none.
    pub fn median_ms(&self) -> f64 {
        let mut sorted = self.runs_ms.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => sorted[n / 2],
            n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
        }
    }

    /// The rate of the median run when a run moves `bytes` bytes, in bytes per second.
    pub fn bytes_per_second(&self, bytes: usize) -> f64 {
        bytes as f64 / (self.median_ms() / 1000.0)
    }
}

/// Runs `run` `warmup` times, then `n` times with the clock on it.
pub fn measure(n: usize, warmup: usize, mut run: impl FnMut()) -> Timing {
    (0..warmup).for_each(|_| run());
    let timed = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1000.0
    };
    Timing { runs_ms: (0..n).map(timed).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn min_median_and_rate() {
        let odd = Timing { runs_ms: vec![4.0, 1.0, 2.0] };
        assert_eq!((odd.min_ms(), odd.median_ms()), (1.0, 2.0));
        assert_eq!(odd.bytes_per_second(2_000_000), 1e9);
        let even = Timing { runs_ms: vec![4.0, 1.0, 2.0, 8.0] };
        assert_eq!((even.min_ms(), even.median_ms()), (1.0, 3.0));
        let none = Timing { runs_ms: vec![] };
        assert!(none.min_ms().is_nan() && none.median_ms().is_nan());
    }

    #[test]
    fn warm_up_runs_are_not_kept() {
        let mut calls = 0;
        let timing = measure(3, 2, || calls += 1);
        assert_eq!((calls, timing.runs_ms.len()), (5, 3));
        assert!(timing.runs_ms.iter().all(|ms| *ms >= 0.0));
    }
}
