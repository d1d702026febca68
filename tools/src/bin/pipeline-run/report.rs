//! What a run says at its end: a line for each result and each kernel, or all of it as JSON.

use crate::{
    arguments::{Input, Origin},
    job::{Finished, Job, Kernels},
};
use serde_json::{Map, Value as Json, json};
use std::{collections::BTreeMap, path::Path};
use weft_runtime::{Buffer, Changes, Element, Timing, gpu::Launched};
use weft_tools::{
    Stop, changes_json,
    clock::{self, Clocked},
};

/// A file that a result was written to, and what was changed on the way, by the name of the result.
pub type Written<'a> = BTreeMap<&'a str, (&'a Path, Changes)>;

/// What happened.
pub fn json(job: &Job, origins: &[Origin], finished: &Finished, written: &Written) -> Json {
    let Job { signature, inputs, .. } = job;
    let arguments = signature.arguments.iter().zip(*inputs).zip(origins).map(|((argument, input), origin)| {
        let mut said = json!({ "name": argument.name, "conversions": changes_json(&origin.changes) });
        match input {
            Input::Image(buffer) => {
                said["type"] = json!(buffer.element().to_string());
                said["shape"] = json!(buffer.shape());
                said["file"] = json!(origin.file.as_ref().map(|path| path.display().to_string()));
            }
            Input::Number(number) => {
                said["type"] = json!(Element::new(number.kind(), false).to_string());
                // JSON has no NaN.
                let text = number.to_string();
                said["value"] = text.parse().map_or_else(|_| json!(text), Json::Number);
            }
        }
        said
    });
    let arguments: Vec<Json> = arguments.collect();
    let results: Vec<Json> = signature
        .results
        .iter()
        .zip(&finished.results)
        .map(|(output, buffer)| {
            let range = buffer.min_max();
            let file = written.get(output.name.as_str());
            json!({
                "name": output.name,
                "type": buffer.element().to_string(),
                "shape": buffer.shape(),
                "min": range.map(|range| range.0),
                "max": range.map(|range| range.1),
                "file": file.map(|(path, _)| path.display().to_string()),
                "conversions": file.map_or_else(|| json!({}), |(_, changes)| changes_json(changes)),
            })
        })
        .collect();
    let mut report = json!({ "arguments": arguments, "results": results, "compile_ms": finished.compile_ms });
    if let Some(timing) = &finished.timing {
        // What a run must move at least: what it reads and what it writes.
        let bytes = inputs.iter().map(Input::bytes).chain(finished.results.iter().map(Buffer::byte_size)).sum();
        report["bench"] = json!({
            "min_ms": timing.min_ms(),
            "median_ms": timing.median_ms(),
            "bytes": bytes,
            "bytes_per_second": timing.bytes_per_second(bytes),
        });
    }
    if let Some(gpu) = &finished.gpu {
        report["device"] = json!(gpu.device);
        report["chip"] = json!(gpu.chip);
        report["points"] = json!(gpu.points);
        report["faults"] = json!(gpu.faults);
        report["kernels"] = kernels(gpu);
    }
    report
}

/// What each launch of a run cost. Every run launches the same.
fn kernels(gpu: &Kernels) -> Json {
    let Some((first, rest)) = gpu.runs.split_first() else { return json!([]) };
    let kernel = |(index, launch): (usize, &Launched)| {
        // The first of the others warms up.
        let timed = if rest.is_empty() { &gpu.runs[..] } else { &rest[1..] };
        let runs_ms = timed.iter().filter_map(|run| Some(run.launches.get(index)?.ms)).collect();
        let timing = Timing { runs_ms };
        let mut kernel = json!({
            "name": launch.kernel,
            "grid": launch.shape.grid,
            "block": launch.shape.block,
            "min_ms": timing.min_ms(),
            "median_ms": timing.median_ms(),
        });
        if let Some(counters) = &launch.counters {
            let points = gpu.points.max(1) as f64;
            let all = |of: &dyn Fn(u64) -> Json| -> Json {
                counters
                    .entries()
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), of(value)))
                    .collect::<Map<_, _>>()
                    .into()
            };
            kernel["counters"] = all(&|value| json!(value));
            kernel["per_point"] = all(&|value| json!(value as f64 / points));
            let seconds = timing.min_ms() / 1e3;
            kernel["thread_instructions_per_second"] = json!(counters.thread_instructions as f64 / seconds);
        }
        if let Some(estimate) = &launch.estimate {
            kernel["clock"] = clock::estimate_json(estimate);
        }
        if let Some(resources) = &launch.resources {
            kernel["registers"] = json!(resources.registers);
            kernel["shared_bytes"] = json!(resources.shared_bytes);
            kernel["local_bytes"] = json!(resources.local_bytes);
        }
        kernel
    };
    first.launches.iter().enumerate().map(kernel).collect()
}

/// The report for people.
pub fn text(report: &Json, counters: bool) -> String {
    let list = |value: &Json| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let number = |value: &Json| value.as_f64().unwrap_or_default();
    let mut lines = Vec::new();
    for result in list(&report["results"]) {
        let shape: Vec<String> = list(&result["shape"]).iter().map(Json::to_string).collect();
        let file = if result["file"].is_null() { String::new() } else { format!(" -> {}", text(&result["file"])) };
        let range = match (&result["min"], &result["max"]) {
            (Json::Null, _) => "with no finite value".to_owned(),
            (min, max) => format!("from {min} to {max}"),
        };
        lines.push(format!("{}: {}x{} {range}{file}", text(&result["name"]), shape.join("x"), text(&result["type"])));
    }
    if let Some(bench) = report.get("bench") {
        lines.push(format!(
            "min {:.3} ms, median {:.3} ms, {:.2} GB/s",
            number(&bench["min_ms"]),
            number(&bench["median_ms"]),
            number(&bench["bytes_per_second"]) / 1e9
        ));
        for kernel in list(&report["kernels"]) {
            lines.push(format!(
                "kernel {}: min {:.3} ms, median {:.3} ms",
                text(&kernel["name"]),
                number(&kernel["min_ms"]),
                number(&kernel["median_ms"])
            ));
        }
    }
    if counters {
        let kernels = list(&report["kernels"]);
        let width =
            kernels.iter().map(|kernel| text(&kernel["name"]).len()).chain(["per point".len()]).max().unwrap_or(0);
        let titles = COLUMNS.iter().map(|(title, ..)| format!("  {title:>12}"));
        lines.push(format!("{:width$}{}", "per point", titles.collect::<String>()));
        for kernel in kernels {
            let cell = |(title, key, factor): &(&str, &str, f64)| {
                format!("  {:>1$.3}", number(&kernel["per_point"][key]) * factor, title.len().max(12))
            };
            let cells: String = COLUMNS.iter().map(cell).collect();
            lines.push(format!("{:width$}{cells}", text(&kernel["name"])));
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// What the clock says of each kernel of a run, and of all.
pub fn clock_text(gpu: &Kernels) -> String {
    let Some(run) = gpu.runs.first() else { return String::new() };
    let mut text = String::new();
    let mut total = (0.0, 0.0);
    for launch in &run.launches {
        if let Some(estimate) = &launch.estimate {
            text += &(clock::text(&launch.kernel, estimate) + "\n");
            total = (total.0 + estimate.us, total.1 + estimate.launch_us);
        }
    }
    if run.launches.len() > 1 {
        let (all, launches) = total;
        text += &format!("all kernels: {all:.1} us, and {launches:.1} us for launches (a model: no GPU was asked)\n");
    }
    text
}

/// The page of what the clock says.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_page(gpu: &Kernels, file: &Path) -> Result<(), Stop> {
    let launches = gpu.runs.first().map(|run| &run.launches[..]).unwrap_or_default();
    let clocked = launches.iter().filter_map(|launch| {
        let (grid, block) = (launch.shape.grid, launch.shape.block);
        Some(Clocked { kernel: &launch.kernel, grid, block, estimate: launch.estimate.as_ref()? })
    });
    clock::write_page(&clocked.collect::<Vec<_>>(), file)
}

/// Columns of the table of counters: title, counter, unit.
const COLUMNS: [(&str, &str, f64); 7] = [
    ("instructions", "thread_instructions", 1.0),
    ("float", "float", 1.0),
    ("bytes loaded", "global_load_sectors", 32.0),
    ("bytes stored", "global_store_sectors", 32.0),
    ("shared", "shared_passes", 1.0),
    ("conflicts", "shared_conflicts", 1.0),
    ("shuffles", "warp_shuffles", 1.0),
];
