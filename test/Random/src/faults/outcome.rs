//! What becomes of faults, counted by class, as a table.

use std::{collections::BTreeMap, fmt::Write};
use weft_runtime::Buffer;

/// What became of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The text is not taken: no fault.
    Refused,
    /// A result is another.
    Differs,
    /// The results are right, but something is reported; or the program is stopped, crashes, does not end, or writes beside an image.
    Reported,
    /// Only other extents than the usual ones show it.
    Late,
    /// Nothing shows it, and nothing can: a rule holds, whose conditions the code around keeps.
    Proven,
    /// Nothing shows it, and wherever it was run, it gave what is right: the instruction has the same value, or never runs.
    Same,
    /// Nothing shows it, though the instruction gives another value: nobody uses it, or it comes to the same.
    Unseen,
}

impl Outcome {
    /// What a run shows that gave these results and reports.
    pub fn of<'b>(found: &[Buffer], right: impl IntoIterator<Item = &'b Buffer>, reports: &[String]) -> Outcome {
        match (found.iter().zip(right).all(|(found, right)| found.agrees(right)), reports) {
            (false, _) => Outcome::Differs,
            (true, []) => Outcome::Unseen,
            (true, _) => Outcome::Reported,
        }
    }

    const ALL: [Outcome; 7] = [
        Outcome::Refused,
        Outcome::Differs,
        Outcome::Reported,
        Outcome::Late,
        Outcome::Proven,
        Outcome::Same,
        Outcome::Unseen,
    ];

    /// Whether the usual extents show it.
    pub fn is_found(self) -> bool {
        matches!(self, Outcome::Differs | Outcome::Reported)
    }

    /// The status with which a process says it.
    pub fn status(self) -> u8 {
        // Not 0, 1 and 101, with which any process ends.
        40 + self as u8
    }

    /// What a status says.
    pub fn of_status(status: i32) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| i32::from(outcome.status()) == status)
    }
}

/// How many faults of each class became what.
pub type Tally = BTreeMap<&'static str, BTreeMap<Outcome, usize>>;

/// Adds one tally to another.
pub fn add(sum: &mut Tally, tally: &Tally) {
    for (class, outcomes) in tally {
        for (outcome, count) in outcomes {
            *sum.entry(class).or_default().entry(*outcome).or_default() += count;
        }
    }
}

/// How many of all have these outcomes.
pub fn count(tally: &Tally, wanted: impl Fn(Outcome) -> bool) -> usize {
    tally.values().flatten().filter(|(outcome, _)| wanted(**outcome)).map(|(_, count)| count).sum()
}

/// A line for each tally, whose rows are named, and one for all.
pub fn table<'t>(what: &str, rows: impl IntoIterator<Item = (&'t str, &'t Tally)>) -> String {
    let mut text =
        format!("| {what} | no code | differs | reported | other extents | proven | same value | unseen | found |\n");
    text += "| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n";
    let mut sum = Tally::new();
    let mut row = |name: &str, tally: &Tally| {
        let [refused, differs, reported, late, proven, same, unseen] =
            Outcome::ALL.map(|outcome| count(tally, |found| found == outcome));
        let found = differs + reported;
        // Of none, no part is found.
        let part = match found + late {
            0 => "–".to_owned(),
            shown => format!("{:.1} %", 100.0 * found as f64 / shown as f64),
        };
        // A string takes all that is written.
        let _ = writeln!(
            text,
            "| {name} | {refused} | {differs} | {reported} | {late} | {proven} | {same} | {unseen} | {part} |"
        );
    };
    for (name, tally) in rows {
        row(name, tally);
        add(&mut sum, tally);
    }
    row("all", &sum);
    text
}

/// The rows of a tally: its classes.
pub fn classes(tally: &Tally) -> Vec<(&'static str, Tally)> {
    tally.iter().map(|(class, outcomes)| (*class, Tally::from([(*class, outcomes.clone())]))).collect()
}
