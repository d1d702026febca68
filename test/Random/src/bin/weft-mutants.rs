//! `weft-mutants`: changed IR or Forma through any passes; what ends the process, panics, hangs or takes all memory is told with its seed.
//!
//! ```text
//! weft-mutants --count 100000 examples test/Passes       seeds 0 to 99999, in processes of some hundreds each
//! weft-mutants --seed 123 --print examples test/Passes   the text and the passes of one
//! weft-mutants --forma --count 1000000 examples          texts of Forma, those too that it can say of MLIR
//! ```

use clap::Parser;
use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    time::Duration,
};
use weft_random::mutants::{Language, Outcome, Sources};
use weft_tools::{Stop, print};

/// Run changed IR, or Forma, through any passes.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Folders of texts to change, the same ones for the same seeds.
    folders: Vec<PathBuf>,
    /// Change Forma, not IR.
    #[arg(long)]
    forma: bool,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Print the text and the passes of the first seed, and run nothing.
    #[arg(long)]
    print: bool,
    /// Run all in this process, and print each seed.
    #[arg(long, hide = true)]
    batch: bool,
}

/// Seconds after which a text hangs.
const MOST: u64 = 10;
/// KiB of address space of a process, in which it and LLVM lie, too.
const MEMORY: u64 = 2 << 20;
/// Seeds of a process.
const BATCH: u64 = 500;
/// Lines of a batch: a seed that begins, its text verifies, a panic, what became of all.
const BEGINS: &str = "seed ";
const VERIFIED: &str = "verified";
const PANICS: &str = "panic ";
const ENDS: &str = "counts ";

fn main() -> ExitCode {
    weft_tools::start(all)
}

fn all(options: &Options) -> Result<(), Stop> {
    if options.print {
        let (text, passes) = sources(options)?.mutant(options.seed);
        return print(format!("// pipeline-opt --pass-pipeline='builtin.module({passes})'\n{text}"));
    }
    if options.batch { batch(options) } else { batches(options) }
}

fn sources(options: &Options) -> Result<Sources, String> {
    Sources::read(if options.forma { Language::Forma } else { Language::Mlir }, &options.folders)
}

/// Runs seeds in this process.
fn batch(options: &Options) -> Result<(), Stop> {
    std::panic::set_hook(Box::new(|what| {
        let text = what.to_string().replace('\n', " ");
        let _ = print(format!("{PANICS}{text}\n"));
    }));
    let sources = sources(options)?;
    let mut counts = [0; 3];
    for seed in options.seed..options.seed.saturating_add(options.count) {
        print(format!("{BEGINS}{seed}\n"))?;
        let (text, passes) = sources.mutant(seed);
        let outcome =
            std::panic::catch_unwind(|| sources.try_text(&text, &passes, || _ = print(format!("{VERIFIED}\n"))))
                .unwrap_or(Outcome::Failed);
        counts[outcome as usize] += 1;
    }
    print(format!("{ENDS}{} {} {}\n", counts[0], counts[1], counts[2]))
}

/// What became of one process.
struct Batch {
    /// The last seed that began.
    last: Option<u64>,
    /// Whether its text verified.
    is_verified: bool,
    /// How the process ended, if it did not end well.
    ended: Option<String>,
    counts: Option<[u64; 3]>,
    failures: Vec<String>,
}

/// Runs seeds in processes of their own.
fn batches(options: &Options) -> Result<(), Stop> {
    let end = options.seed.saturating_add(options.count);
    let mut next = options.seed;
    let (mut counts, mut failures, mut apart) = ([0; 3], 0, 0);
    while next < end {
        let count = BATCH.min(end - next);
        let run = |first, count| one(options, first, count).map_err(|error| Stop::Because(error.to_string()));
        let mut done = run(next, count)?;
        if let (Some(ended), Some(last)) = (&done.ended, done.last) {
            // MLIR's parser, which Forma does without, frees what a text that it refuses still uses: then another text pays for it.
            match options.forma || done.is_verified && run(last, 1)?.ended.is_some() {
                true => done.failures.push(format!("seed {last}: {ended}")),
                false => apart += 1,
            }
        }
        for failure in &done.failures {
            weft_files::complain(format_args!("error: {failure}"));
        }
        failures += done.failures.len();
        counts.iter_mut().zip(done.counts.unwrap_or_default()).for_each(|(sum, count)| *sum += count);
        next = match (done.counts, done.last) {
            (Some(_), _) => next + count,
            // What came before the seed that ended it is not counted.
            (None, Some(last)) => last + 1,
            (None, None) => return Err(Stop::Because("a process of this program did not begin".to_owned())),
        };
    }
    let [refused, failed, ran] = counts;
    let all = options.count;
    print(format!(
        "{all} texts: {refused} refused, {failed} verify and a pass refuses them, {ran} went through; MLIR's parser ended {apart}\n"
    ))?;
    if failures == 0 { Ok(()) } else { Err(Stop::Because(format!("{failures} ended the process, panicked or hung"))) }
}

fn one(options: &Options, first: u64, count: u64) -> std::io::Result<Batch> {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {MEMORY} && exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe()?)
        .args(["--batch", "--seed", &first.to_string(), "--count", &count.to_string()])
        .args(options.forma.then_some("--forma"))
        .args(&options.folders)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (send, receive) = channel();
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok) {
            // Who has stopped listening has killed the process.
            let _ = send.send(line);
        }
    });
    let mut batch = Batch { last: None, is_verified: false, ended: None, counts: None, failures: Vec::new() };
    let seed = |last: Option<u64>| last.map_or_else(|| "no seed".to_owned(), |seed| format!("seed {seed}"));
    loop {
        match receive.recv_timeout(Duration::from_secs(MOST)) {
            Ok(line) => {
                if let Some(text) = line.strip_prefix(PANICS) {
                    batch.failures.push(format!("{}: {text}", seed(batch.last)));
                } else if let Some(numbers) = line.strip_prefix(ENDS) {
                    let numbers: Vec<u64> = numbers.split(' ').filter_map(|number| number.parse().ok()).collect();
                    batch.counts = numbers.try_into().ok();
                } else if let Some(number) = line.strip_prefix(BEGINS) {
                    batch.last = number.parse().ok();
                    batch.is_verified = false;
                } else if line == VERIFIED {
                    batch.is_verified = true;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                batch.failures.push(format!("{}: takes more than {MOST} s", seed(batch.last)));
                child.kill()?;
                break;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait()?;
    drop(receive);
    let _ = reader.join();
    if batch.counts.is_none() && !status.success() && batch.failures.is_empty() {
        batch.ended = Some(status.to_string());
    }
    Ok(batch)
}
