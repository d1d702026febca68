//! What the IR of Weft means: the dialects, their verifiers, and typed views and builders of their ops.
//!
//! | dialect | level | ops |
//! | --- | --- | --- |
//! | [`pipeline`] | 0, the algorithm; 1, grouped | `stage`, `scan`, `scatter`, `iterate`, `load`, `gather`, `reduce`, `previous`, `yield`, `update`, `group` |
//! | [`warp`] | 2, tiled | `tile_id`, `compute`, `read`, `yield`, `write`, `stream`, `sync` |
//! | [`weft`] | | none: attributes on the arguments and results of programs |
//!
//! This crate knows nothing of passes.

use mlir_glue::{Dialect, RegistryRef};

/// A view of an op: an `OperationRef` whose name was checked.
macro_rules! view {
    ($(#[$meta:meta])* $view:ident = $name:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq)]
        pub struct $view<'c, 'a>(melior::ir::OperationRef<'c, 'a>);

        impl<'c, 'a> $view<'c, 'a> {
            /// The op's name in IR.
            pub const NAME: &'static str = $name;

            /// Views an op, if it is one.
            pub fn of(op: melior::ir::OperationRef<'c, 'a>) -> Option<Self> {
                (melior::ir::operation::OperationLike::name(&op).as_string_ref().as_str() == Ok($name)).then_some(Self(op))
            }

            /// The op.
            pub fn op(self) -> melior::ir::OperationRef<'c, 'a> {
                self.0
            }
        }
    };
}
mod op_builder;
pub mod pipeline;
pub mod warp;
pub mod weft;

/// Every dialect of Weft.
pub static DIALECTS: [&Dialect; 3] = [&pipeline::DIALECT, &warp::DIALECT, &weft::DIALECT];

/// Makes the dialects of Weft known to a registry.
pub fn register_dialects(registry: RegistryRef) {
    DIALECTS.iter().for_each(|dialect| dialect.register(registry));
}
