//! Registers as the model estimates them, held against `ptxas`: the examples and some dozens of random programs, under schedules of
//! every way to tile. Without `ptxas` (`test/venv` installs it) nothing is tested, and that is said.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};
use weft_model::gpu;
use weft_random::{
    case_of,
    check::{Case, Data},
    choices::Choices,
    generate::Size,
    kernels::{Wanted, assemble, assembler, compile},
};

/// Chip for which kernels are compiled, and chips for which they are assembled.
const COMPILED: &str = "sm_80";
const ASSEMBLED: [&str; 2] = ["sm_80", "sm_90"];
/// The error that half of the kernels may not exceed.
const MEDIAN: f64 = 0.25;

fn example(path: &str, shape: &[usize]) -> Case {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Case { text, inputs: vec![Data { shape: shape.to_vec(), seed: 1, special: false, is_number: false }] }
}

/// |estimate - real| / real of each kernel of a program, on each chip.
fn errors_of(case: &Case, wanted: &Wanted, chips: &[(&str, PathBuf)]) -> Vec<f64> {
    let mut errors = Vec::new();
    // What has no kernel has no registers.
    let Ok(compiled) = compile(case, wanted, COMPILED, false) else { return errors };
    for (chip, ptxas) in chips {
        let needs = assemble(ptxas, &compiled.ptx, chip).unwrap_or_else(|said| panic!("{wanted:?}: {said}"));
        for seen in &compiled.kernels {
            let Some(need) = needs.get(&seen.symbol()) else { continue };
            let estimate = gpu::estimate(&seen.group, &seen.plan, &seen.schedule).registers;
            errors.push((estimate - need.registers).abs() as f64 / need.registers as f64);
        }
    }
    errors
}

#[test]
fn registers_are_estimated() {
    let chips: Vec<(&str, PathBuf)> = ASSEMBLED.iter().filter_map(|chip| Some((*chip, assembler(chip)?))).collect();
    if chips.is_empty() {
        eprintln!("note: no ptxas, so estimates of registers are not tested");
        return;
    }
    let examples = [
        example("examples/blur.mlir", &[512, 1920]),
        example("examples/unsharp.mlir", &[3, 512, 1920]),
        example("examples/harris.mlir", &[512, 1920]),
    ];
    let mut cases: Vec<(Case, usize)> =
        examples.iter().flat_map(|case| (0..5).map(|way| (case.clone(), way))).collect();
    // Others than those that the coefficients were fitted to.
    cases.extend((1000..1064).map(|seed| (case_of(seed, Size::Large), seed as usize)));
    cases.extend((2000..2020).map(|seed| (case_of(seed, Size::Usual), seed as usize)));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut errors = Vec::new();
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some((case, way)) = cases.get(number)
        {
            errors.extend(errors_of(case, &Wanted::random(*way, &mut Choices::random(number as u64)), &chips));
        }
        errors
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut errors: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a failure has been printed")).collect()
    });
    assert!(errors.len() >= 80, "only {} kernels were made", errors.len());
    errors.sort_by(f64::total_cmp);
    let median = errors[errors.len() / 2];
    println!(
        "{} kernels: median error {median:.3}, 90th percentile {:.3}",
        errors.len(),
        errors[errors.len() * 9 / 10]
    );
    assert!(median <= MEDIAN, "the median error is {median:.3}, expected at most {MEDIAN}");
}
