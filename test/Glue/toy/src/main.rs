use melior::dialect::DialectRegistry;
use mlir_glue::tool;
use std::process::ExitCode;

fn main() -> ExitCode {
    let registry = DialectRegistry::new();
    tool::register_upstream((&registry).into());
    toy::dialect::register((&registry).into());
    toy::pass::register();
    ExitCode::from(tool::opt_main("Toy optimizer driver\n", (&registry).into(), std::env::args_os()) as u8)
}
