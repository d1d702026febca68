//! The clock beside a cycle-level simulator: how far apart they are, on kernels of two compilers, and that it stays so.
//!
//! `simulator/reference.json` has the cycles of GPGPU-Sim 4.2 on a quarter of a V100, and those of the clock when the table was made; where a
//! kernel's PTX lies beside it, the clock runs again. Every second run was not looked at when the latencies were fitted (`held_out`).

use serde_json::Value as Json;
use std::{collections::BTreeMap, fs, path::Path};
use weft_model::Target;
use weft_runtime::simt::{
    GlobalMemory, KernelArg, Module, Options,
    clock::{Clock, Order},
    launch,
};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simulator").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows() -> Vec<Json> {
    let table: Json = serde_json::from_str(&read("reference.json")).expect("JSON");
    table.as_array().expect("a list of runs").clone()
}

fn number(value: &Json) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("found {value}, expected a number"))
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_else(|| panic!("found {value}, expected text"))
}

fn triple(value: &Json) -> [u32; 3] {
    [0, 1, 2].map(|axis| number(&value[axis]) as u32)
}

/// The cycles of a recorded kernel under the clock.
fn run(recorded: &Json) -> u64 {
    let target = Target::from_toml(&read("v100-quarter.toml")).unwrap_or_else(|error| panic!("{error}"));
    let module = Module::parse(&read(text(&recorded["file"]))).unwrap_or_else(|error| panic!("{error}"));
    let mut memory = GlobalMemory::new();
    let argument = |argument: &Json| match argument["buffer"].as_u64() {
        Some(bytes) => KernelArg::Pointer(memory.alloc_with(&vec![0; bytes as usize])),
        None => {
            let bytes = number(&argument["value"]).to_le_bytes();
            KernelArg::Bytes(bytes[..number(&argument["bytes"]) as usize].to_vec())
        }
    };
    let arguments: Vec<KernelArg> = recorded["arguments"].as_array().expect("a list").iter().map(argument).collect();
    let clock = Clock {
        registers: Some(number(&recorded["registers"])),
        order: Order::Text,
        budget: u64::MAX,
        ..Clock::new(target)
    };
    let options = Options { clock: Some(clock), ..Options::default() };
    let (grid, block) = (triple(&recorded["grid"]), triple(&recorded["block"]));
    let launch = launch(&module, text(&recorded["kernel"]), grid, block, &arguments, &mut memory, &options);
    launch.unwrap_or_else(|error| panic!("{error}")).estimate.expect("nothing is wrong with it").cycles
}

/// Ranks of values, the mean of theirs for equal ones: within a twentieth, which is about what the clock is off.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let less = values.iter().filter(|other| **other < 0.95 * value).count() as f64;
        let equal = values.iter().filter(|other| (0.95 * value..=value / 0.95).contains(other)).count() as f64;
        less + (equal - 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (a, b) = (mean(one), mean(other));
    let product =
        |x: &[f64], a: f64, y: &[f64], b: f64| -> f64 { x.iter().zip(y).map(|(x, y)| (x - a) * (y - b)).sum() };
    product(one, a, other, b) / (product(one, a, one, a) * product(other, b, other, b)).sqrt()
}

fn pairs<T: Copy>(values: impl Iterator<Item = T> + Clone) -> impl Iterator<Item = (T, T)> {
    values.clone().enumerate().flat_map(move |(number, one)| values.clone().take(number).map(move |other| (one, other)))
}

#[test]
fn recorded_kernels_take_what_the_table_says() {
    let rows = rows();
    let recorded: Vec<&Json> = rows.iter().filter(|row| !row["recorded"].is_null()).collect();
    assert!(recorded.len() >= 5);
    for row in recorded {
        let cycles = run(&row["recorded"]) as f64;
        let what = format!("{} {}: {cycles} cycles, {} in the table", row["program"], row["schedule"], row["clock"]);
        assert!((cycles / number(&row["clock"]) as f64 - 1.0).abs() < 0.02, "{what}");
        let ratio = cycles / number(&row["simulated"]) as f64;
        assert!((0.8..1.25).contains(&ratio), "{what}, {} simulated", row["simulated"]);
    }
}

#[test]
fn the_half_that_was_not_fitted_is_near() {
    let held = rows().into_iter().filter(|row| row["held_out"] == true);
    let ratio = |row: Json| number(&row["clock"]) as f64 / number(&row["simulated"]) as f64;
    let mut errors: Vec<f64> = held.map(ratio).map(|ratio| ratio.max(1.0 / ratio) - 1.0).collect();
    errors.sort_by(f64::total_cmp);
    assert!(errors.len() >= 40);
    assert!(errors[errors.len() / 2] < 0.25, "{errors:?}");
}

#[test]
fn schedules_of_a_program_have_the_same_order() {
    let mut programs: BTreeMap<(String, String), (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for row in rows() {
        let key = (text(&row["program"]).to_owned(), text(&row["size"]).to_owned());
        let (simulated, clock) = programs.entry(key).or_default();
        simulated.push(number(&row["simulated"]) as f64);
        clock.push(number(&row["clock"]) as f64);
    }
    for (program, (simulated, clock)) in programs.iter().filter(|(_, (runs, _))| runs.len() >= 3) {
        let found = correlation(&ranks(simulated), &ranks(clock));
        assert!(found >= 0.9, "{program:?}: {found}; {simulated:?} {clock:?}");
        for ((one, of_one), (other, of_other)) in pairs(simulated.iter().zip(clock)) {
            let is_apart = one.max(*other) > 1.1 * one.min(*other);
            assert!(!is_apart || (one > other) == (of_one > of_other), "{program:?}: {one} and {other} cycles");
        }
    }
}
