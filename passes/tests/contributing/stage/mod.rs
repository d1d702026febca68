//! The wing `stage` with the pass of the walk, and with no other.

mod count_loads;

declare_passes! {
    count_loads::CountLoads with CountLoadsOptions,
}
