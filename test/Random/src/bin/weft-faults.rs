//! `weft-faults`: plants faults in the kernels of programs, and says which the executor finds.
//!
//! ```text
//! weft-faults examples/harris.mlir examples/blur.mlir           every fault; those that nothing shows are listed
//! weft-faults --every 20 examples/harris.mlir                   every twentieth
//! ```

use clap::Parser;
use std::{path::PathBuf, process::ExitCode};
use weft_random::faults::{Outcome, Tally, survey};
use weft_tools::{Stop, print};

/// Plant faults in the kernels of programs, and say which are found.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Programs on images whose last two extents are dynamic.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Plant one fault of so many.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Images of so many other extents for what the usual ones do not show.
    #[arg(long, default_value_t = 120)]
    more: usize,
}

fn main() -> ExitCode {
    weft_tools::start(all)
}

fn all(options: &Options) -> Result<(), Stop> {
    // Extents of 1 to 45 and 1 to 270, spread evenly by the golden ratio and its square root.
    let part = |number: usize, step: f64, most: f64| 1 + ((number as f64 * step).fract() * most) as usize;
    let others: Vec<[usize; 2]> =
        (0..options.more).map(|n| [part(n, 0.618_034, 45.0), part(n, 0.786_151, 270.0)]).collect();
    let mut sum = Tally::new();
    for path in &options.files {
        let tally = survey(path, &others, options.every, |planted, line| {
            let text = format!(
                "{}:{}: {}: {}  became {}",
                path.display(),
                planted.line + 1,
                planted.class,
                line.trim(),
                planted.text.trim()
            );
            weft_files::complain(format_args!("{}", text.replace('\t', " ")));
        })?;
        for (class, outcomes) in tally {
            for (outcome, count) in outcomes {
                *sum.entry(class).or_default().entry(outcome).or_default() += count;
            }
        }
    }
    print(table(&sum))
}

/// A line for each class, and one for all.
fn table(tally: &Tally) -> String {
    let columns = [Outcome::Refused, Outcome::Differs, Outcome::Reported, Outcome::Late, Outcome::Unseen];
    let mut text =
        "| fault | no PTX | differs | reported | other extents | nothing shows it | found of those that show |\n"
            .to_owned();
    text += "| --- | --: | --: | --: | --: | --: | --: |\n";
    let mut all = [0; 5];
    let row = |name: &str, counts: [usize; 5]| {
        let [refused, differs, reported, late, unseen] = counts;
        let part = 100.0 * (differs + reported) as f64 / (differs + reported + late).max(1) as f64;
        format!("| {name} | {refused} | {differs} | {reported} | {late} | {unseen} | {part:.1} % |\n")
    };
    for (class, outcomes) in tally {
        let counts = columns.map(|outcome| outcomes.get(&outcome).copied().unwrap_or(0));
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        text += &row(class, counts);
    }
    text + &row("all", all)
}
