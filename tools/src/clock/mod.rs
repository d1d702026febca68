//! What the clock says of kernels: as text, as JSON, as a page.

mod json;
mod page;

pub use json::estimate_json;
pub use page::{Clocked, write_page};

use crate::Stop;
use std::{collections::BTreeMap, path::Path};
use weft_model::Target;
use weft_runtime::simt::clock::{Clock, Estimate, Line};

/// The clock of a GPU: the name of a built-in target, or the path of a target file (`.toml`).
pub fn clock(name: &str) -> Result<Clock, Stop> {
    let target = match Path::new(name).extension().is_some_and(|extension| extension == "toml") {
        true => {
            let text = weft_files::text(Path::new(name), "TOML")?;
            Target::from_toml(&text).map_err(|error| format!("{name}: {error}"))?
        }
        false => Target::named(name).map_err(|error| format!("--clock {name}: {error}"))?,
    };
    Ok(Clock::new(target))
}

/// The estimate of a kernel as text.
pub fn text(kernel: &str, estimate: &Estimate) -> String {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let registers = match estimate.registers_are_estimated {
        true => format!("about {}", estimate.registers),
        false => estimate.registers.to_string(),
    };
    let stalls =
        estimate.stalls.entries().map(|(name, share)| format!("{} {}", name.replace('_', " "), percent(share)));
    let mut lines = vec![
        format!("kernel {kernel} on {} (a model: no GPU was asked)", estimate.target),
        format!(
            "  time        {} cycles, {:.1} us, and {:.1} us for its launch",
            estimate.cycles, estimate.us, estimate.launch_us
        ),
        format!(
            "  residency   {:.1} warps an SM in flight; {} blocks fit ({}), {registers} registers",
            estimate.warps, estimate.blocks_per_sm, estimate.limit
        ),
        format!("  memory      {} of the bandwidth, {} bytes", percent(estimate.memory), estimate.memory_bytes),
        format!("  f32         {} of the units' cycles", percent(estimate.fma)),
        format!("  slots       issued {}, {}", percent(estimate.slots), stalls.join(", ")),
    ];
    if let Some(intensity) = estimate.intensity() {
        let (done, roof) = (estimate.gflops(), estimate.roof.at(intensity));
        lines.push(format!(
            "  roof        {intensity:.2} operations on floats a byte of memory, {done:.0} GFLOP/s, {} of what is possible with them",
            percent(done / roof)
        ));
    }
    if let Some(sample) = sample(estimate) {
        lines.push(sample);
    }
    let of_stage = |line: &Line| line.stage.clone();
    let of_source = |line: &Line| line.source.as_ref().map(|source| format!("{}:{}", source.file, source.line));
    for (what, parts) in [("stage", parts(estimate, of_stage)), ("line of the program", parts(estimate, of_source))] {
        if !parts.is_empty() {
            lines.push(format!("  cycles      of warps, by {what}"));
            lines.extend(parts);
        }
    }
    lines.join("\n")
}

fn sample(estimate: &Estimate) -> Option<String> {
    let (sms, blocks) = (estimate.sampled_sms, estimate.sampled_blocks);
    estimate.is_sampled.then(|| format!("  sample      {blocks} blocks on {sms} SMs stand for all"))
}

/// The places of a kernel that take warps longest: issuing, and waiting for what comes from memory or for anything else.
fn parts(estimate: &Estimate, place: impl Fn(&Line) -> Option<String>) -> Vec<String> {
    let mut parts: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    let mut all = 0.0;
    for line in &estimate.lines {
        let Some(place) = place(line) else { continue };
        let part = parts.entry(place).or_default();
        // An issue takes its warp a cycle.
        let cycles = line.issued + line.waits.total();
        part.0 += cycles;
        part.1 += line.waits.memory;
        all += cycles;
    }
    let mut parts: Vec<_> = parts.into_iter().collect();
    parts.sort_by(|(_, one), (_, other)| other.0.total_cmp(&one.0));
    let said = |(place, (cycles, memory)): &(String, (f64, f64))| {
        format!("  {:>10.1}%  {place} (memory {:.1}%)", 100.0 * cycles / all, 100.0 * memory / all)
    };
    parts.iter().take(8).map(said).collect()
}
