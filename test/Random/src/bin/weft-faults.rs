//! `weft-faults`: plants faults in the code of programs, and says which our tests find.
//!
//! ```text
//! weft-faults examples/harris.mlir examples/blur.mlir           every fault of their kernels; those that the usual extents do not show are listed
//! weft-faults --cpu --every 20 examples/harris.mlir             every twentieth of its CPU code
//! ```

use clap::Parser;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};
use weft_random::faults::{
    Code, Plan, child,
    outcome::{Tally, add, classes, table},
    survey,
};
use weft_tools::{Stop, print};

/// Plant faults in the code of programs, and say which are found.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Programs on images whose last two extents are dynamic.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Plant one fault of so many.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// In CPU code, not in kernels.
    #[arg(long)]
    cpu: bool,
    /// Images of so many other extents for what the usual ones do not show.
    #[arg(long, default_value_t = 120)]
    more: usize,
}

fn main() -> ExitCode {
    // What this program starts for each text of CPU code.
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, folder, start, end] = &words[..]
        && first == "--child"
        && let (Ok(start), Ok(end)) = (start.parse(), end.parse())
    {
        return match child::run(Path::new(folder), start..end) {
            Ok(outcome) => ExitCode::from(outcome.status()),
            Err(_) => ExitCode::FAILURE,
        };
    }
    weft_tools::start(all)
}

fn all(options: &Options) -> Result<(), Stop> {
    // Extents of 1 to 45 and 1 to 270, spread evenly by the golden ratio and its square root.
    let part = |number: usize, step: f64, most: f64| 1 + ((number as f64 * step).fract() * most) as usize;
    let others: Vec<[usize; 2]> =
        (0..options.more).map(|n| [part(n, 0.618_034, 45.0), part(n, 0.786_151, 270.0)]).collect();
    let code = match options.cpu {
        true => Code::Cpu(std::env::current_exe().map_err(|error| error.to_string())?),
        false => Code::Ptx,
    };
    let plan = Plan { code, every: options.every, others: &others };
    let mut programs = Vec::new();
    for path in &options.files {
        let tally = survey(path, &plan, |outcome, planted, line| {
            let place = format!("{}:{}: {outcome:?}: {}", path.display(), planted.line + 1, planted.class);
            let text = format!("{place}: {}  became {}", line.trim(), planted.text.trim());
            weft_files::complain(format_args!("{}", text.replace(['\t', '\n'], " ")));
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        programs.push((name, tally));
    }
    let mut sum = Tally::new();
    programs.iter().for_each(|(_, tally)| add(&mut sum, tally));
    let mut text = table("fault", classes(&sum).iter().map(|(class, tally)| (*class, tally)));
    if programs.len() > 1 {
        text += "\n";
        text += &table("program", programs.iter().map(|(name, tally)| (name.as_str(), tally)));
    }
    print(text)
}
