//! The dialect `warp`: tiles that one warp owns (level 2).
//!
//! `Warp.td` has the ops' syntax and what it can check by itself, `verify.rs` the rest; the views here ([`Compute`],
//! [`Read`], [`Write`], ...) are how passes read ops, and their functions `build`, of `build.rs`, how they make them. A tile is a
//! tensor, and its [`Layout`] the encoding. Imports the glue, and of `pipeline` what the two dialects share.

mod build;
mod ops;
mod verify;

pub use build::{ComputeParts, LoadParts};
pub use ops::{Compute, Layout, Load, Read, Stream, TileId, Write, is_sync};

use mlir_glue::{Dialect, Hooks, MlirDialectRegistry};

unsafe extern "C" {
    fn glueRegisterDialect_warp(registry: MlirDialectRegistry);
}

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "warp",
    register: glueRegisterDialect_warp,
    hooks: &[
        Hooks { verify: verify::tile_id, result_names: ops::id_names, ..Hooks::new(TileId::NAME) },
        Hooks {
            verify: verify::compute,
            verify_regions: verify::compute_body,
            result_names: ops::result_names,
            argument_names: ops::argument_names,
            ..Hooks::new(Compute::NAME)
        },
        Hooks { verify: verify::read, ..Hooks::new(Read::NAME) },
        Hooks { verify: verify::load, ..Hooks::new(Load::NAME) },
        Hooks { verify: verify::write, ..Hooks::new(Write::NAME) },
        Hooks { verify: verify::stream, ..Hooks::new(Stream::NAME) },
    ],
};
