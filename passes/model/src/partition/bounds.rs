//! What a search may spend.

/// What [`dp`](super::dp()) may spend. The bounds limit what is looked at, not what is a partition: a group of `greedy`'s may be larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Groups to evaluate. Those of [`none`](super::none()), [`greedy`](super::greedy()) and [`all`](super::all()) are among them, and
    /// are always evaluated; and those of [`segments`](super::segments()), for which an eighth of them is a bound of its own.
    pub evaluations: usize,
    /// States to go on from. One search for the best walk takes half of them at the most, equally many of each size, and
    /// none begins when all are spent.
    pub states: usize,
    /// Stages in a group.
    pub group_size: usize,
}

impl Bounds {
    /// Bounds under which a search takes less than a second for a hundred stages, if a cost takes 200 microseconds. On programs
    /// of up to 99 stages three times as many evaluations found no better partition. Of longer ones each stage still has its
    /// neighbours looked at, and no more than that: a cost of a long chain takes ten times as long, and five evaluations a stage, of 1,000 stages,
    /// found the groups that these find. Larger groups than any that was ever best cost as much time as they have stages.
    pub fn for_stages(stages: usize) -> Bounds {
        let evaluations = (stages * 30).min(2300).max(stages * 2).min(stages * stages * 4).max(512);
        Bounds { evaluations, states: 50_000, group_size: 64 }
    }
}
