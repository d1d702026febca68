//! The dialect `pipeline`: stages, scans and scatters (level 0), and groups of stages (level 1).
//!
//! `Pipeline.td` has the ops' syntax (`Syntax.cpp` what ODS has no words for) and what it can check by itself, `verify.rs` the
//! rest; the views here ([`Unit`], [`Stage`], [`Load`], [`Reduce`], [`Group`], [`Iterate`], [`Schedule`]) are how passes read
//! ops, and their functions `build`, of `build.rs`, how they make them. Imports the glue.

mod build;
mod combine;
mod ops;
mod schedule;
mod units;
mod verify;

pub use build::ScatterParts;
pub use combine::Combine;
pub use ops::{
    Boundary, Extent, Group, Iterate, Load, Previous, Reduce, Scan, Scatter, Stage, Unit, Update, coordinate_names,
    reduces_around, reduction_names, static_extents,
};
pub use schedule::Schedule;

pub(crate) use build::needed_ends;
pub(crate) use ops::{body_of, integers, name_of, names_of_results, segments, text_of};

use mlir_glue::{Dialect, Hooks, MlirDialectRegistry};

unsafe extern "C" {
    fn glueRegisterDialect_pipeline(registry: MlirDialectRegistry);
}

/// The dialect.
pub static DIALECT: Dialect = Dialect {
    name: "pipeline",
    register: glueRegisterDialect_pipeline,
    hooks: &[
        Hooks {
            verify: verify::stage,
            verify_regions: verify::stage_body,
            result_names: ops::names_of_results,
            argument_names: ops::argument_names,
            ..Hooks::new(Stage::NAME)
        },
        Hooks {
            verify: units::scan,
            verify_regions: units::scan_body,
            result_names: ops::names_of_results,
            argument_names: ops::argument_names,
            ..Hooks::new(Scan::NAME)
        },
        Hooks { verify: units::previous, ..Hooks::new(Previous::NAME) },
        Hooks {
            verify: units::scatter,
            verify_regions: units::scatter_body,
            result_names: ops::names_of_results,
            argument_names: ops::argument_names,
            ..Hooks::new(Scatter::NAME)
        },
        Hooks { verify: verify::load, ..Hooks::new(Load::NAME) },
        Hooks { verify: verify::load, ..Hooks::new(Load::GATHER) },
        Hooks {
            verify: verify::reduce,
            verify_regions: verify::reduce_body,
            argument_names: ops::variable_names,
            ..Hooks::new(Reduce::NAME)
        },
        Hooks {
            verify: verify::group,
            verify_regions: verify::group_body,
            result_names: ops::names_of_results,
            ..Hooks::new(Group::NAME)
        },
        Hooks {
            verify: verify::iterate,
            verify_regions: verify::iterate_body,
            result_names: ops::names_of_results,
            ..Hooks::new(Iterate::NAME)
        },
    ],
};
