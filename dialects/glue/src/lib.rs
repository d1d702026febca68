#![doc = include_str!("../README.md")]

mod diagnostic;
mod dialect;
pub mod ir;
mod pass;
pub mod run;
mod sinks;
mod sys;
pub mod tool;

pub use diagnostic::{Diagnostic, Failure, Verdict};
pub use dialect::{Dialect, Hooks, ValueAttribute};
pub use mlir_sys::MlirDialectRegistry;
pub use pass::{
    DeclaredValue, OptionDeclaration, OptionReader, OptionValue, Options, Pass, PassContext, Pipeline, Registration,
    Statistic,
};
pub use sinks::Sinks;
pub use tool::RegistryRef;
