//! Level 0: rewrites of stages, scans, scatters and iterates, which change what is computed at a point, or where, for all targets
//! alike. Knows nothing of groups. Imports [`ir`](crate::ir) and [`analysis`](crate::analysis).

mod byte_tables;
mod channels_outermost;
mod columns;
mod contract;
mod copy;
mod copy_inputs;
mod copy_results;
mod define_integers;
mod exact_division;
mod expand_math;
mod expose;
mod factor_extremes;
mod fold_tables;
mod fold_zeros;
mod gathers;
mod infer_bounds;
mod inline_stages;
mod join;
mod libm;
mod narrow_integers;
mod order_floats;
mod pack_pixels;
mod pack_tables;
mod partial_sums;
mod place;
mod separate_windows;
mod share_neighbours;
mod split_words;
mod terms;
mod time_tile;
mod unroll_reductions;
mod window;

pub use expose::expose;
pub use inline_stages::Policy;
pub use libm::Libm;

declare_passes! {
    window::Window,
    partial_sums::PartialSums with PartialSumsOptions,
    copy_results::CopyResults,
    define_integers::DefineIntegers,
    contract::Contract,
    expand_math::ExpandMath,
    unroll_reductions::UnrollReductions with UnrollReductionsOptions,
    channels_outermost::ChannelsOutermost,
    fold_tables::FoldTables,
    exact_division::ExactDivision with ExactDivisionOptions,
    fold_zeros::FoldZeros,
    separate_windows::SeparateWindows with SeparateWindowsOptions,
    inline_stages::InlineStages with InlineStagesOptions,
    factor_extremes::FactorExtremes,
    byte_tables::ByteTables with ByteTablesOptions,
    pack_tables::PackTables with PackTablesOptions,
    pack_pixels::PackPixels with PackPixelsOptions,
    share_neighbours::ShareNeighbours,
    order_floats::OrderFloats,
    time_tile::TimeTile with TimeTileOptions,
    copy_inputs::CopyInputs,
    narrow_integers::NarrowIntegers,
    split_words::SplitWords,
    infer_bounds::InferBounds,
}
