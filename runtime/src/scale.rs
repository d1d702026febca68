//! Floats times powers of two as an instruction: what `--vectorize` writes out as two products.
//!
//! ```text
//! @weft.scale.x16(%x, %n)        x * 2^n, in 16 lanes
//!        │ AVX-512
//!        ▼
//! vscalefps
//! ```

use inkwell::module::Module;

use crate::error::Result;
use crate::instructions::replace;

/// Lanes of the instruction.
const LANES: &str = "16";

/// Puts the instruction of an x86-64, by the names that LLVM has for what it has, in the place of the products that a module computes.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    replace(module, |name, instruction| {
        let is_known = name.strip_prefix("weft.scale.x") == Some(LANES) && features.contains(&"avx512f");
        is_known.then(|| text(instruction))
    })
}

/// A function of LLVM that is the instruction: all lanes, and rounded as is usual.
fn text(name: &str) -> String {
    let (ty, intrinsic) = (format!("<{LANES} x float>"), "llvm.x86.avx512.mask.scalef.ps.512");
    format!(
        "define {ty} @{name}({ty} %x, {ty} %n) alwaysinline {{\n  \
         %r = call {ty} @{intrinsic}({ty} %x, {ty} %n, {ty} zeroinitializer, i16 -1, i32 4)\n  \
         ret {ty} %r\n}}\n\
         declare {ty} @{intrinsic}({ty}, {ty}, {ty}, i16, i32)\n"
    )
}
