//! Where a generator gets its decisions from, and how what it made becomes smaller.
//!
//! A generator asks for numbers: so many stages, this mode, that offset. All that it asked for is one list, and the list is the
//! program. So nothing has to know how to take a program apart: a shorter list, or one with lesser numbers, is a smaller program, and
//! as valid as any, because the same generator made it.
//!
//! ```text
//! seed ──▶ 3 0 1│1 4 0 2│1 0 7 1│0    ──▶  a program of two stages that fails
//!                ╰stage─╯╰stage─╯           delete a stage: 3 0 1│1 0 7 1│0      fails still? keep it
//!                                           zeros:          0 0 1│1 0 7 1│0      fails still? keep it
//!                                           lesser numbers: 0 0 1│1 0 3 1│0      passes: put it back
//! ```
//!
//! For this the least number must be the simplest choice, and what comes as a list must ask "one more?" before each, so that one can
//! be cut out. (The idea is that of Python's Hypothesis.)

use std::ops::Range;

/// The decisions of one run of a generator.
pub struct Choices {
    source: Source,
    made: Vec<u32>,
    spans: Vec<Range<usize>>,
}

enum Source {
    Random(u64),
    /// Numbers of an earlier run; where they end, zeros.
    Given(Vec<u32>),
}

impl Choices {
    /// Random ones: the same for the same seed, on every machine.
    pub fn random(seed: u64) -> Self {
        // Neighbouring seeds are what people use: the first number mixes them up.
        let mut state = seed;
        let state = splitmix64(&mut state);
        Self { source: Source::Random(state), made: Vec::new(), spans: Vec::new() }
    }

    /// Those of an earlier run.
    pub fn given(numbers: &[u32]) -> Self {
        Self { source: Source::Given(numbers.to_vec()), made: Vec::new(), spans: Vec::new() }
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n.max(1);
        let number = match &mut self.source {
            // The bias of a remainder by a small number is nothing here.
            Source::Random(state) => (splitmix64(state) >> 32) as usize % n,
            Source::Given(numbers) => numbers.get(self.made.len()).map_or(0, |number| *number as usize).min(n - 1),
        };
        self.made.push(number as u32);
        number
    }

    /// A number from `lo` to `hi`; `lo` is the simplest.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as usize) as i64
    }

    /// True in so many cases of a hundred; false is simpler.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    /// One of these; the first is the simplest.
    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// One of these, each as often as its weight says.
    pub fn weighted<T: Clone>(&mut self, of: &[(usize, T)]) -> T {
        let mut number = self.below(of.iter().map(|(weight, _)| weight).sum());
        for (weight, item) in of {
            match number.checked_sub(*weight) {
                Some(rest) => number = rest,
                None => return item.clone(),
            }
        }
        unreachable!("the number is less than the sum of the weights")
    }

    /// Where the generator is: the start of decisions that can be cut out together, see [`Self::span_from`].
    pub fn mark(&self) -> usize {
        self.made.len()
    }

    /// The decisions since `mark` can be cut out together.
    pub fn span_from(&mut self, mark: usize) {
        self.spans.push(mark..self.made.len());
    }

    /// What was decided, and the parts of it that belong together.
    pub fn finish(self) -> Decisions {
        Decisions { numbers: self.made, spans: self.spans }
    }
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What a generator decided.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// The numbers, in order.
    pub numbers: Vec<u32>,
    /// Those that belong together.
    pub spans: Vec<Range<usize>>,
}

impl Decisions {
    /// Fewer decisions are simpler, then lesser ones.
    fn is_simpler_than(&self, other: &Self) -> bool {
        (self.numbers.len(), &self.numbers) < (other.numbers.len(), &other.numbers)
    }
}

/// The simplest decisions that still fail, as far as a number of tries leads. `fails` runs the generator on numbers, and gives what it then
/// decided if the result fails (a generator may ask for fewer or more).
pub fn shrink(from: Decisions, tries: usize, mut fails: impl FnMut(&[u32]) -> Option<Decisions>) -> Decisions {
    let mut best = from;
    let mut left = tries;
    // Tries `numbers`; whether they became the best.
    let mut attempt = |best: &mut Decisions, numbers: Vec<u32>, left: &mut usize| {
        if *left == 0 || numbers == best.numbers {
            return false;
        }
        *left -= 1;
        match fails(&numbers).filter(|found| found.is_simpler_than(best)) {
            Some(found) => {
                *best = found;
                true
            }
            None => false,
        }
    };
    loop {
        let before = best.numbers.clone();
        // Large parts first. After a success the spans are others, and the same place of the list is another span.
        for change in [without, zeroed] {
            let mut place = 0;
            loop {
                let mut spans = best.spans.clone();
                spans.sort_by_key(|span| std::cmp::Reverse(span.len()));
                let Some(span) = spans.get(place) else { break };
                let numbers = change(&best.numbers, span);
                if !attempt(&mut best, numbers, &mut left) {
                    place += 1;
                }
            }
        }
        let mut place = 0;
        while place < best.numbers.len() {
            let number = best.numbers[place];
            for lesser in [0, number / 2, number.saturating_sub(1)] {
                if lesser < number {
                    let mut numbers = best.numbers.clone();
                    numbers[place] = lesser;
                    if attempt(&mut best, numbers, &mut left) {
                        break;
                    }
                }
            }
            place += 1;
        }
        if left == 0 || best.numbers == before {
            return best;
        }
    }
}

fn without(numbers: &[u32], span: &Range<usize>) -> Vec<u32> {
    [&numbers[..span.start], &numbers[span.end..]].concat()
}

fn zeroed(numbers: &[u32], span: &Range<usize>) -> Vec<u32> {
    let mut numbers = numbers.to_vec();
    numbers[span.clone()].fill(0);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of numbers below 100.
    fn list(choices: &mut Choices) -> Vec<usize> {
        let mut numbers = Vec::new();
        loop {
            let mark = choices.mark();
            if !choices.chance(80) {
                return numbers;
            }
            numbers.push(choices.below(100));
            choices.span_from(mark);
        }
    }

    #[test]
    fn the_same_seed_makes_the_same() {
        assert_eq!(list(&mut Choices::random(7)), list(&mut Choices::random(7)));
    }

    #[test]
    fn shrinking_finds_the_smallest() {
        let fails = |choices: &mut Choices| list(choices).iter().any(|number| *number >= 40);
        for seed in 0..50 {
            let mut choices = Choices::random(seed);
            if !fails(&mut choices) {
                continue;
            }
            let least = shrink(choices.finish(), 1000, |numbers| {
                let mut choices = Choices::given(numbers);
                fails(&mut choices).then(|| choices.finish())
            });
            assert_eq!(list(&mut Choices::given(&least.numbers)), [40], "seed {seed}");
        }
    }
}
