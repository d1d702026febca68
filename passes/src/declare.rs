//! One list of passes: a wing names its passes once, in the order of lowering, and exports and registers them with that.
//!
//! ```text
//! declare_passes! { contract::Contract, time_tile::TimeTile with TimeTileOptions }
//!         │
//!         ▼
//! pub use contract::Contract; ...      pub static PASSES: &[Registration] = &[...];
//! ```
//!
//! `tests/pipelines.rs` holds the order against that in which the named pipelines run the passes.
//!
//! The modules are declared beside it, since rustfmt finds no files behind a macro.

/// Exports the passes of a wing, and makes `PASSES`: their registrations, in this order.
macro_rules! declare_passes {
    ($($module:ident::$pass:ident $(with $options:ident)?),* $(,)?) => {
        $(pub use $module::{$pass $(, $options)?};)*

        /// The passes of this wing, in the order of lowering.
        pub static PASSES: &[mlir_glue::Registration] = &[$(mlir_glue::Registration::pass::<$pass>()),*];
    };
}
