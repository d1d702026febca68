//! Sets of stages, as bits.
//!
//! A search makes millions of them, and few pipelines have more than 128 stages: so the first 128 are one integer, within
//! the set, and a vector holds the others. That vector is empty in a small pipeline, and an empty vector owns no memory;
//! it never ends in a zero, so equal sets have equal bits.

use std::fmt;

const BITS: usize = u128::BITS as usize;

/// A set of stages, by number. Any number of stages will do; sets of stages below 128 are the fast ones.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageSet {
    low: u128,
    high: Vec<u128>,
}

impl StageSet {
    /// The empty set.
    pub fn new() -> StageSet {
        StageSet::default()
    }

    /// The stages below `n`.
    pub fn below(n: usize) -> StageSet {
        let word = |i: usize| match n.saturating_sub(i * BITS) {
            0 => 0,
            bits if bits < BITS => (1 << bits) - 1,
            _ => u128::MAX,
        };
        StageSet { low: word(0), high: (1..n.div_ceil(BITS)).map(word).collect() }
    }

    fn words(&self) -> impl Iterator<Item = u128> {
        std::iter::once(self.low).chain(self.high.iter().copied())
    }

    /// Is the stage in?
    pub fn contains(&self, stage: usize) -> bool {
        self.words().nth(stage / BITS).is_some_and(|word| word >> (stage % BITS) & 1 == 1)
    }

    /// Puts a stage in.
    pub fn insert(&mut self, stage: usize) {
        let bit = 1 << (stage % BITS);
        match stage / BITS {
            0 => self.low |= bit,
            word => {
                self.high.resize(self.high.len().max(word), 0);
                self.high[word - 1] |= bit;
            }
        }
    }

    /// Takes a stage out.
    pub fn remove(&mut self, stage: usize) {
        let bit = 1 << (stage % BITS);
        match stage / BITS {
            0 => self.low &= !bit,
            word => {
                if let Some(word) = self.high.get_mut(word - 1) {
                    *word &= !bit;
                }
                self.trim();
            }
        }
    }

    fn trim(&mut self) {
        while self.high.last() == Some(&0) {
            self.high.pop();
        }
    }

    /// The set, and this stage.
    pub fn with(&self, stage: usize) -> StageSet {
        let mut set = self.clone();
        set.insert(stage);
        set
    }

    /// The set, less this stage.
    pub fn without(&self, stage: usize) -> StageSet {
        let mut set = self.clone();
        set.remove(stage);
        set
    }

    /// How many stages are in.
    pub fn len(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    /// Is no stage in?
    pub fn is_empty(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }

    /// The stages that are in, the lowest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words().enumerate().flat_map(|(i, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(i * BITS + bit)
            })
        })
    }

    /// The lowest stage that is in.
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The lowest stage that is not in.
    pub fn first_absent(&self) -> usize {
        let full = self.words().take_while(|&word| word == u128::MAX).count();
        full * BITS + self.words().nth(full).map_or(0, |word| word.trailing_ones() as usize)
    }

    /// Word by word, up to the length of `high`.
    fn zip(&self, other: &StageSet, high: usize, f: impl Fn(u128, u128) -> u128) -> StageSet {
        let word = |set: &StageSet, i| set.high.get(i).copied().unwrap_or(0);
        let high = (0..high).map(|i| f(word(self, i), word(other, i))).collect();
        let mut set = StageSet { low: f(self.low, other.low), high };
        set.trim();
        set
    }

    /// The stages of either set.
    pub fn union(&self, other: &StageSet) -> StageSet {
        self.zip(other, self.high.len().max(other.high.len()), |a, b| a | b)
    }

    /// The stages of both sets.
    pub fn intersection(&self, other: &StageSet) -> StageSet {
        self.zip(other, self.high.len().min(other.high.len()), |a, b| a & b)
    }

    /// The stages of this set that are not in the other.
    pub fn difference(&self, other: &StageSet) -> StageSet {
        self.zip(other, self.high.len(), |a, b| a & !b)
    }

    /// Have the sets a stage in common?
    pub fn intersects(&self, other: &StageSet) -> bool {
        self.words().zip(other.words()).any(|(a, b)| a & b != 0)
    }

    /// Are all its stages in the other set?
    pub fn is_subset(&self, other: &StageSet) -> bool {
        self.high.len() <= other.high.len() && self.words().zip(other.words()).all(|(a, b)| a & !b == 0)
    }
}

impl FromIterator<usize> for StageSet {
    fn from_iter<I: IntoIterator<Item = usize>>(stages: I) -> StageSet {
        let mut set = StageSet::new();
        stages.into_iter().for_each(|stage| set.insert(stage));
        set
    }
}

impl<const N: usize> From<[usize; N]> for StageSet {
    fn from(stages: [usize; N]) -> StageSet {
        stages.into_iter().collect()
    }
}

impl fmt::Debug for StageSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_set_is_a_set(a in prop::collection::btree_set(0usize..400, 0..40), b in prop::collection::btree_set(0usize..200, 0..40)) {
            let of = |stages: &BTreeSet<usize>| stages.iter().copied().collect::<StageSet>();
            let (x, y) = (of(&a), of(&b));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!((x.len(), x.first(), x.is_empty()), (a.len(), a.first().copied(), a.is_empty()));
            prop_assert_eq!(x.union(&y), of(&(&a | &b)));
            prop_assert_eq!(x.intersection(&y), of(&(&a & &b)));
            prop_assert_eq!(x.difference(&y), of(&(&a - &b)));
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert!(x.is_subset(&x.union(&y)) && x.intersection(&y).is_subset(&y));
            for stage in [0, 127, 128, 399, 1000] {
                prop_assert_eq!(x.contains(stage), a.contains(&stage));
                prop_assert_eq!(x.with(stage).without(stage), x.without(stage));
                prop_assert!(x.with(stage).contains(stage) && !x.without(stage).contains(stage));
            }
            for &stage in &a {
                prop_assert_eq!(x.without(stage).with(stage), x.clone());
            }
        }
    }

    #[test]
    fn the_first_stages() {
        for n in [0, 1, 127, 128, 129, 256, 300] {
            let set = StageSet::below(n);
            assert_eq!((set.len(), set.first_absent()), (n, n));
            assert_eq!(set, (0..n).collect());
        }
        assert_eq!(StageSet::from([0, 1, 3]).first_absent(), 2);
    }
}
