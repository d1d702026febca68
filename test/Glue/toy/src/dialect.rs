use melior::ir::{OperationRef, attribute::IntegerAttribute, operation::OperationLike};
use mlir_glue::{Diagnostic, Dialect, Hooks, MlirDialectRegistry, RegistryRef, Verdict};

unsafe extern "C" {
    fn glueRegisterDialect_toy(registry: MlirDialectRegistry); // the build script generated it
}

static TOY: Dialect =
    Dialect { name: "toy", register: glueRegisterDialect_toy, hooks: &[Hooks { verify, ..Hooks::new("toy.clamp") }] };

pub fn register(registry: RegistryRef) {
    TOY.register(registry);
}

fn verify<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    match bounds(op) {
        Some((lo, hi)) if lo > hi => Err(Diagnostic::on(op, format!("has bounds [{lo}, {hi}], expected lo <= hi"))),
        _ => Ok(()),
    }
}

/// The bounds of a clamp; `None` for any other op.
pub fn bounds(op: OperationRef) -> Option<(i64, i64)> {
    let bound = |name| Some(IntegerAttribute::try_from(op.attribute(name).ok()?).ok()?.value());
    if op.name().as_string_ref().as_str() == Ok("toy.clamp") { Some((bound("lo")?, bound("hi")?)) } else { None }
}
