//! One list of passes: a wing names its passes once, in the order of lowering, and exports and registers them with that.
//!
//! ```text
//! declare_passes! { contract::Contract, expand_math::ExpandMath }
//!         │
//!         ▼
//! pub use contract::Contract; ...      pub static PASSES: &[Registration] = &[...];
//! ```
//!
//! The modules are declared beside it, since rustfmt finds no files behind a macro.

/// Exports the passes of a wing, and makes `PASSES`: their registrations, in this order.
macro_rules! declare_passes {
    ($($module:ident::$pass:ident),* $(,)?) => {
        $(pub use $module::$pass;)*

        /// The passes of this wing, in the order of lowering.
        pub static PASSES: &[mlir_glue::Registration] = &[$(mlir_glue::Registration::pass::<$pass>()),*];
    };
}
