//! `--extremes-to-llvm`: maxima and minima of floats in kernels, as GPUs have them.
//!
//! ```text
//!                                      %m = llvm.intr.maximum(%a, %b)                              from sm_80 on: max.NaN.f32
//! %m = arith.maximumf %a, %b   ──▶
//!                                      %n = llvm.intr.maxnum(%a, %b)                               before: max.f32,
//!                                      %m = select (cmpf uno, %a, %b), NaN, %n                     and a test for NaN
//! %m = arith.maxnumf %a, 1.0   ──▶     %m = llvm.intr.maxnum(%a, 1.0)                              max.f32
//! ```
//!
//! GPUs order zeros by their sign, as `arith.maximumf` does; `arith-expand` makes comparisons of it, which take them for equal, and are
//! four instructions.

use super::nvptx::Chip;
use crate::ir::{Builder, FloatCompare, compare_floats, is, is_bound, only_block};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, ir, options};

options! {
    /// Options of `--extremes-to-llvm`.
    pub struct ExtremesToLlvmOptions {
        chip: String = "sm_90", "chip", "the GPU to compile for";
    }
}

/// The pass.
pub struct ExtremesToLlvm;

impl Pass for ExtremesToLlvm {
    const ARGUMENT: &'static str = "extremes-to-llvm";
    const SUMMARY: &'static str = "Turn maximumf and minimumf in kernels into what GPUs have";
    const DESCRIPTION: &'static str = "\
Makes of `arith.maximumf` and `arith.minimumf` in GPU modules LLVM's intrinsics: one instruction from sm_80 on, of floats that have it; \
else one that forgets NaN, and a test. `arith.maxnumf` and `arith.minnumf` of a value and a constant are one that forgets NaN.";
    type Options = ExtremesToLlvmOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::llvm()]);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &ExtremesToLlvmOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let chip =
            Chip::named(&options.chip).map_err(|error| Diagnostic::on(module, format!("option 'chip': {error}")))?;
        for kernels in ir::operations(only_block(module)).filter(|op| is(*op, "gpu.module")).collect::<Vec<_>>() {
            for op in ir::walk(kernels) {
                replace(cx, op, chip.has_extremes());
            }
        }
        Ok(())
    }
}

/// Replaces a maximum or a minimum.
fn replace<'c: 'a, 'a>(cx: &PassContext<'c>, op: OperationRef<'c, 'a>, has_extremes: bool) {
    let (with_nan, without) = match ir::name_of(op) {
        "arith.maximumf" => (Some("llvm.intr.maximum"), "llvm.intr.maxnum"),
        "arith.minimumf" => (Some("llvm.intr.minimum"), "llvm.intr.minnum"),
        "arith.maxnumf" if is_bound(op) => (None, "llvm.intr.maxnum"),
        "arith.minnumf" if is_bound(op) => (None, "llvm.intr.minnum"),
        _ => return,
    };
    let (Some(result), Some(left), Some(right)) = (ir::result(op, 0), ir::operand(op, 0), ir::operand(op, 1)) else {
        return;
    };
    let b = Builder::before(cx.context(), op).located(op.location());
    let ty = result.r#type();
    // Those of 64 bits no chip has.
    let is_one = has_extremes && ir::vector_element(ty).unwrap_or(ty).float_width() < 64;
    let flags = ("fastmathFlags", b.parse_attribute("#llvm.fastmath<none>"));
    let of = |name| b.value(name, &[left, right], ty, &[flags]);
    let value: Value = match with_nan {
        None => of(without),
        Some(with_nan) if is_one => of(with_nan),
        Some(_) => {
            let number = of(without);
            let has_nan = compare_floats(&b, FloatCompare::Unordered, left, right);
            b.select(has_nan, b.float(ty, f64::NAN), number, ty)
        }
    };
    ir::replace_all_uses(result, value);
    ir::erase(op);
}
