//! Kernels of the examples and of random programs, each as the models see it and as it turned out: a line of JSON a kernel.
//!
//! ```text
//! calibrate 160            the examples, and 160 random programs, each under a schedule of every way to tile
//! calibrate 160 counts     the same as the models see them, without compiling: seconds
//! ```
//!
//! `bench/calibrate` runs this, fits the coefficients of `weft_model::gpu::estimate`, and says how good they are.

use serde_json::{Map, Value, json};
use std::path::Path;
use weft_model::{Scope, gpu};
use weft_random::{
    case_of,
    check::{Case, Data},
    choices::Choices,
    generate::Size,
    kernels::{Seen, Wanted, assemble, assembler, compile, look},
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Programs and the extents of their image.
const EXAMPLES: [(&str, &str, &[usize]); 4] = [
    ("blur", "examples/blur.mlir", &[512, 1920]),
    ("unsharp", "examples/unsharp.mlir", &[3, 512, 1920]),
    ("harris", "examples/harris.mlir", &[512, 1920]),
    ("pyramid", "test/Integration/Inputs/pyramid.mlir", &[512, 1920]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(160);
    let show = match std::env::args().nth(2) {
        Some(_) => count_kernels,
        None => measure,
    };
    for (name, path, shape) in EXAMPLES {
        let text = std::fs::read_to_string(Path::new(ROOT).join(path))?;
        let case =
            Case { text, inputs: vec![Data { shape: shape.to_vec(), seed: 1, special: false, is_number: false }] };
        for way in 0..18 {
            show(name, &case, &Wanted::random(way, &mut Choices::random(1000 + way as u64)), true, true);
        }
    }
    for seed in 0..count {
        // Tiny images are all edge: what is inside is counted on others.
        let is_large = seed % 3 != 2;
        let case = case_of(seed, if is_large { Size::Large } else { Size::Usual });
        for way in 0..6 {
            let wanted = Wanted::random(way as usize, &mut Choices::random(seed * 6 + way));
            show(&seed.to_string(), &case, &wanted, is_large, seed % 6 == 0);
        }
    }
    Ok(())
}

/// The kernels of a program, as the models see them.
fn count_kernels(name: &str, case: &Case, wanted: &Wanted, _: bool, _: bool) {
    for seen in look(case, wanted).unwrap_or_default() {
        println!("{}", line(name, &seen));
    }
}

/// The same with what they need, and `run` with what they cost; `all_chips` asks for older chips, too.
fn measure(name: &str, case: &Case, wanted: &Wanted, run: bool, all_chips: bool) {
    let compiled = match compile(case, wanted, "sm_80", run) {
        Ok(compiled) => compiled,
        Err(error) => return eprintln!("{name} {wanted:?}: {error}"),
    };
    let mut needs = Vec::new();
    let mut need = |chip: &'static str, ptx: &str| {
        let Some(ptxas) = assembler(chip) else { return };
        match assemble(&ptxas, ptx, chip) {
            Ok(kernels) => needs.push((chip, kernels)),
            Err(error) => eprintln!("{name} {chip} {wanted:?}: {error}"),
        }
    };
    need("sm_80", &compiled.ptx);
    need("sm_90", &compiled.ptx);
    if let Some(old) = all_chips.then(|| compile(case, wanted, "sm_70", false).ok()).flatten() {
        for chip in ["sm_61", "sm_70", "sm_75"] {
            need(chip, &old.ptx.replace(".target sm_70", &format!(".target {chip}")));
        }
    }
    for seen in &compiled.kernels {
        let Seen { schedule, plan, .. } = seen;
        let kernel = seen.symbol();
        let mut line = line(name, seen);
        for (chip, kernels) in &needs {
            if let Some(need) = kernels.get(&kernel) {
                line[*chip] = json!([need.registers, need.spills]);
            }
        }
        if let Some(cost) = compiled.costs.iter().find(|cost| cost.kernel == kernel) {
            let warps = if schedule.scope == Scope::Warp { plan.mapping.all_warps() } else { 1 };
            let points = (plan.tile.iter().product::<i64>() * warps) as f64;
            line["cost"] =
                cost.counters.entries().into_iter().map(|(k, v)| (k.to_owned(), json!(v as f64 / points))).collect();
            line["grid"] = json!(cost.grid);
        }
        println!("{line}");
    }
}

/// What the model says.
fn line(name: &str, seen: &Seen) -> Value {
    let Seen { group, schedule, plan, .. } = seen;
    let counts: Map<String, Value> = gpu::counts(group, plan, schedule)
        .entries()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    let gpu::Estimate { registers, instructions, .. } = gpu::estimate(group, plan, schedule);
    json!({
        "program": name,
        "kernel": seen.symbol(),
        "storage": gpu::StorageKind::of(plan, schedule).name(),
        "schedule": schedule.to_string(),
        "counts": counts,
        "cap": gpu::most_registers(plan, schedule),
        "registers": registers,
        "instructions": instructions.of_ptx(),
        "counted": instructions.of_ptx() - instructions.rest,
    })
}
