//! The estimate of a kernel as JSON.

use serde_json::{Map, Value as Json, json};
use weft_runtime::simt::clock::{Estimate, Stalls, Timeline};

/// The estimate of a kernel as JSON.
pub fn estimate_json(estimate: &Estimate) -> Json {
    let lines: Vec<Json> = estimate
        .lines
        .iter()
        .map(|line| {
            let source = line.source.as_ref();
            json!({
                "line": line.line, "instruction": line.instruction, "issued": line.issued, "waits": stalls(&line.waits),
                "stage": line.stage,
                "source": source.map(|source| json!({"file": source.file, "line": source.line, "column": source.column})),
            })
        })
        .collect();
    let sectors = estimate.sectors;
    json!({
        "model": true,
        "target": estimate.target,
        "cycles": estimate.cycles,
        "us": estimate.us,
        "launch_us": estimate.launch_us,
        "registers": estimate.registers,
        "registers_are_estimated": estimate.registers_are_estimated,
        "blocks_per_sm": estimate.blocks_per_sm,
        "limit": estimate.limit,
        "warps": estimate.warps,
        "machine_instructions": estimate.issued,
        "slots": estimate.slots,
        "fma": estimate.fma,
        "flops": estimate.flops,
        "gflops": estimate.gflops(),
        "intensity": estimate.intensity(),
        "roof": {"gflops": estimate.roof.gflops, "bandwidth": estimate.roof.bandwidth},
        "memory_bytes": estimate.memory_bytes,
        "memory": estimate.memory,
        "stalls": stalls(&estimate.stalls),
        "sectors": {
            "l1_hits": sectors.l1_hits, "l2_reads": sectors.l2_reads, "l2_hits": sectors.l2_hits,
            "memory_reads": sectors.memory_reads, "l2_writes": sectors.l2_writes, "memory_writes": sectors.memory_writes,
        },
        "sampled_sms": estimate.sampled_sms,
        "sampled_blocks": estimate.sampled_blocks,
        "timeline": timeline(&estimate.timeline),
        "lines": lines,
    })
}

/// An SM over time: each bin's slots are those that were issued, then the empty ones in the order of `stalls`.
fn timeline(timeline: &Timeline) -> Json {
    json!({"bin": timeline.bin, "slots": timeline.slots, "blocks": timeline.blocks})
}

fn stalls(stalls: &Stalls) -> Json {
    stalls.entries().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect::<Map<_, _>>().into()
}
