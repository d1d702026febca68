#![doc = include_str!("../README.md")]

mod diagnostic;
mod dialect;
pub mod ir;
mod pass;
mod pipeline;
mod registration;
pub mod run;
mod sinks;
mod sys;
pub mod tool;

pub use diagnostic::{Diagnostic, Failure, Verdict, one_of};
pub use dialect::{Dialect, Hooks, ValueAttribute};
pub use mlir_sys::MlirDialectRegistry;
pub use pass::{DeclaredValue, OptionDeclaration, OptionReader, OptionValue, Options, Pass, PassContext, Statistic};
pub use pipeline::{Pipeline, Step, Unwritable, pipeline_text, with_options};
pub use registration::Registration;
pub use sinks::{Began, Sinks};
pub use tool::RegistryRef;
