//! The named pipelines, held against the list of passes: it is in the order of lowering, and no pass stands in it that no pipeline runs.

use mlir_glue::{Pipeline, Step};
use weft_passes::{
    pipelines::{Arithmetic, CpuOptions, PipelineToCpu, PipelineToPtx, PtxOptions, Tiling, reference},
    registrations,
    stage::Libm,
};

/// Passes that are for people to run, and the one that makes more programs of a program.
const IN_NO_PIPELINE: [&str; 2] = ["window", "print-footprints"];

/// Our passes, as they are registered.
fn registered() -> Vec<&'static str> {
    registrations().filter(|registration| !registration.is_pipeline).map(|registration| registration.argument).collect()
}

/// Every pipeline, with the options that add passes, and those that choose between them.
fn pipelines() -> Vec<Vec<Step>> {
    let numerics = [(true, Libm::Shared), (false, Libm::Target)];
    let cpu = numerics.iter().flat_map(|&(contract, libm)| {
        [true, false].map(|inline| CpuOptions { contract, libm, inline, vectors: contract, ..CpuOptions::default() })
    });
    let tilings = [Tiling::Warp, Tiling::Block, Tiling::None];
    let ptx = numerics.iter().flat_map(|&(contract, libm)| {
        tilings.map(|tiling| {
            let (time_tile, on) = (if contract { 4 } else { 1 }, contract);
            PtxOptions { tiling, time_tile, inline: on, merge: on, lines: on, contract, libm, ..PtxOptions::default() }
        })
    });
    let reference = numerics.map(|(contract, libm)| reference(Arithmetic { contract, libm }));
    cpu.map(|options| PipelineToCpu::expand(&options).expect("all of these are valid"))
        .chain(ptx.map(|options| PipelineToPtx::expand(&options).expect("all of these are valid")))
        .chain(reference)
        .collect()
}

/// Our passes of a pipeline, in the order in which they run.
fn ours(steps: &[Step]) -> Vec<&'static str> {
    let registered = registered();
    steps.iter().flat_map(Step::arguments).filter(|argument| registered.contains(argument)).collect()
}

#[test]
fn passes_are_registered_in_the_order_of_lowering() {
    let registered = registered();
    for steps in pipelines() {
        let mut ours = ours(&steps);
        ours.dedup();
        let places = ours.iter().map(|pass| registered.iter().position(|other| other == pass));
        assert!(places.is_sorted_by(|a, b| a < b), "runs {ours:?}, registered are {registered:?}");
    }
}

#[test]
fn every_pass_is_in_a_pipeline() {
    let run: Vec<&str> = pipelines().iter().flat_map(|steps| ours(steps)).collect();
    let idle: Vec<&str> = registered().into_iter().filter(|pass| !run.contains(pass)).collect();
    assert_eq!(idle, IN_NO_PIPELINE, "passes in no pipeline: add a step, or name them in IN_NO_PIPELINE");
}

#[test]
fn fuse_is_the_last_step_before_kernels() {
    let [to_groups, _] = PipelineToPtx::halves(&PtxOptions::default()).expect("the default is valid");
    assert_eq!(to_groups.last().map(Step::arguments), Some(vec!["fuse"]));
}
