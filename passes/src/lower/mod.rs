//! From tensors to loops and memory, as far as all targets go the same way: signatures and entry checks, bodies at a point, scans
//! and scatters as loops, the reference, and the way out to LLVM IR. Imports [`ir`](crate::ir), [`analysis`](crate::analysis) and
//! [`group`](crate::group).

pub mod body;
mod convert_pipeline_to_loops;
pub mod llvm;
mod loops;
mod lowering;
mod pixels;
pub mod scan;
pub mod scatter;

pub use loops::{Plain, lower_for_cores};
pub use lowering::{Lowering, Memory, memref_type};
pub use pixels::planes_of;

declare_passes! {
    convert_pipeline_to_loops::ConvertPipelineToLoops,
}
