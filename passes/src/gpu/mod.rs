//! GPUs: kernels and their launches, level 2 (tiles that a warp owns, in shared memory or in registers), and PTX. Imports
//! everything to its left ([`ir`](crate::ir), [`analysis`](crate::analysis), [`group`](crate::group),
//! [`lower`](crate::lower)) and nothing of [`cpu`](crate::cpu).

mod barriers;
mod block_tile;
mod condition;
mod extremes;
mod grid;
mod hybrid_register;
mod kernel;
mod load_ahead;
mod loads;
mod loads_first;
mod lower_warp;
mod map_to_gpu;
mod merge_kernels;
mod nvptx;
mod outside;
mod parts;
mod point_kernel;
mod ptx_stages;
mod runs;
mod scan;
mod scatter;
mod shuffle;
mod split_interior;
mod tile_kernel;
mod tiles;
mod to_ptx;
mod unit_kernels;
mod warp_tile;

pub use nvptx::Chip;
pub use to_ptx::ptx_of;

declare_passes! {
    map_to_gpu::MapToGpu,
    warp_tile::WarpTile,
    block_tile::BlockTile,
    split_interior::SplitInterior,
    hybrid_register::HybridRegister with HybridRegisterOptions,
    shuffle::Shuffle,
    lower_warp::LowerWarp,
    load_ahead::LoadAhead with LoadAheadOptions,
    merge_kernels::MergeKernels,
    extremes::ExtremesToLlvm with ExtremesToLlvmOptions,
    to_ptx::ToPtx with ToPtxOptions,
}
