//! CPUs: groups as tiles in caches, loops over vectors, threads, memory of intermediates. Imports everything to its left
//! ([`ir`](crate::ir), [`analysis`](crate::analysis), [`group`](crate::group), [`lower`](crate::lower)) and nothing of
//! [`gpu`](crate::gpu).

mod addresses;
mod check_memory;
mod cpu_threads;
mod delay_shuffles;
mod delay_transposes;
mod dot_products;
mod dots;
mod expand_divisions;
mod expand_extremes;
mod factor_sums;
mod fours;
mod instructions;
mod interleave;
mod lanes;
mod large_pages;
mod look_ups;
mod memory;
mod merge_loops;
mod narrow_indices;
mod order_ops;
mod packs;
mod pad_rows;
mod plan_memory;
mod scale;
mod scan;
mod scatter;
mod share_divisors;
mod skip_empty;
mod stores;
mod tabulate;
mod thread_windows;
mod threads;
mod tile;
mod to_unsigned;
mod transpose;
mod vectorize;
mod writes;

declare_passes! {
    tile::CpuTile with CpuTileOptions,
    pad_rows::PadRows,
    plan_memory::PlanMemory,
    large_pages::LargePages,
    thread_windows::ThreadWindows,
    merge_loops::MergeLoops,
    vectorize::Vectorize,
    expand_divisions::ExpandDivisions,
    dot_products::DotProducts,
    factor_sums::FactorSums,
    look_ups::LookUps,
    narrow_indices::NarrowIndices,
    share_divisors::ShareDivisors with ShareDivisorsOptions,
    delay_shuffles::DelayShuffles,
    delay_transposes::DelayTransposes,
    tabulate::Tabulate,
    order_ops::OrderOps with OrderOpsOptions,
    cpu_threads::CpuThreads,
    check_memory::CheckMemory,
    skip_empty::SkipEmpty,
    expand_extremes::ExpandExtremes,
}
