//! How the IR of Weft is rewritten: one file a pass, each opening with a picture of its input and its output.
//!
//! ```text
//! level 0  units on tensors      --contract, --expand-math, --unroll-reductions, --exact-division, --fold-zeros,
//!                                --inline-stages, --copy-inputs, --narrow-integers, --time-tile, --infer-bounds
//! level 1  groups of stages      --fuse, --cpu-schedule, --print-footprints
//! level 2  tiles of warps        --warp-tile, --block-tile, --hybrid-register, --shuffle
//! level 3  loops and memory      --convert-pipeline-to-loops     (the reference)
//!                                --cpu-tile, --plan-memory, --large-pages, --merge-loops, --vectorize,
//!                                --order-ops, --cpu-threads, --expand-extremes
//!          kernels               --map-to-gpu, --lower-warp, --merge-kernels, --to-ptx
//! ```

pub mod access;
pub mod analysis;
pub mod block_tile;
pub mod body;
pub mod bounds;
pub mod builder;
pub mod contract;
pub mod convert_pipeline_to_loops;
pub mod copy_inputs;
pub mod cpu_scan;
pub mod cpu_scatter;
pub mod cpu_schedule;
pub mod cpu_threads;
pub mod cpu_tile;
pub mod exact_division;
pub mod expand_extremes;
pub mod expand_math;
pub mod expose;
pub mod fold_zeros;
pub mod fuse;
pub mod hybrid_register;
pub mod infer_bounds;
pub mod inline_stages;
pub mod kernel;
pub mod large_pages;
pub mod llvm;
pub mod lower_warp;
pub mod lowering;
pub mod map_to_gpu;
pub mod merge_kernels;
pub mod merge_loops;
pub mod narrow_integers;
pub mod order_ops;
pub mod pipelines;
pub mod plan_memory;
pub mod print_footprints;
pub mod program;
pub mod saturate;
pub mod scan;
pub mod scatter;
pub mod shuffle;
pub mod tiling;
pub mod time_tile;
pub mod to_ptx;
pub mod unit_kernel;
pub mod unroll_reductions;
pub mod value_range;
pub mod vectorize;
pub mod warp_tile;

use mlir_glue::Registration;

/// Every pass and every named pipeline, in the order of lowering.
pub static REGISTRATIONS: [Registration; 32] = [
    Registration::pass::<contract::Contract>(),
    Registration::pass::<exact_division::ExactDivision>(),
    Registration::pass::<expand_extremes::ExpandExtremes>(),
    Registration::pass::<expand_math::ExpandMath>(),
    Registration::pass::<unroll_reductions::UnrollReductions>(),
    Registration::pass::<fold_zeros::FoldZeros>(),
    Registration::pass::<inline_stages::InlineStages>(),
    Registration::pass::<copy_inputs::CopyInputs>(),
    Registration::pass::<narrow_integers::NarrowIntegers>(),
    Registration::pass::<time_tile::TimeTile>(),
    Registration::pass::<infer_bounds::InferBounds>(),
    Registration::pass::<fuse::Fuse>(),
    Registration::pass::<print_footprints::PrintFootprints>(),
    Registration::pass::<convert_pipeline_to_loops::ConvertPipelineToLoops>(),
    Registration::pass::<cpu_schedule::CpuSchedule>(),
    Registration::pass::<cpu_tile::CpuTile>(),
    Registration::pass::<plan_memory::PlanMemory>(),
    Registration::pass::<vectorize::Vectorize>(),
    Registration::pass::<order_ops::OrderOps>(),
    Registration::pass::<cpu_threads::CpuThreads>(),
    Registration::pass::<map_to_gpu::MapToGpu>(),
    Registration::pass::<warp_tile::WarpTile>(),
    Registration::pass::<block_tile::BlockTile>(),
    Registration::pass::<hybrid_register::HybridRegister>(),
    Registration::pass::<shuffle::Shuffle>(),
    Registration::pass::<large_pages::LargePages>(),
    Registration::pass::<lower_warp::LowerWarp>(),
    Registration::pass::<merge_kernels::MergeKernels>(),
    Registration::pass::<merge_loops::MergeLoops>(),
    Registration::pass::<to_ptx::ToPtx>(),
    Registration::pipeline::<pipelines::PipelineToCpu>(),
    Registration::pipeline::<pipelines::PipelineToPtx>(),
];

/// Makes the passes and pipelines known to MLIR.
pub fn register_passes() {
    REGISTRATIONS.iter().for_each(Registration::register);
}
