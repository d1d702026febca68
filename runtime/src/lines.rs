//! A stretch of two vectors as an instruction: what `--vectorize` writes out through memory.
//!
//! ```text
//! @weft.line32.x16(%before, %own, %k)        the last %k elements of a line of memory, and the first ones of the next
//!        │ AVX-512
//!        ▼
//! vpermi2d
//! ```

use inkwell::module::Module;

use crate::error::Result;
use crate::instructions::{permutation_of_two, replace};

/// Bits of a register.
const REGISTER: usize = 512;

/// Puts the instruction of an x86-64, by the names that LLVM has for what it has, in the place of the memory that a module goes through.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    replace(module, |name, instruction| {
        let (bits, lanes) = name.strip_prefix("weft.line")?.split_once(".x")?;
        let (bits, lanes): (usize, usize) = (bits.parse().ok()?, lanes.parse().ok()?);
        let (intrinsic, feature) = permutation_of_two(bits)?;
        (bits * lanes == REGISTER && features.contains(&feature)).then(|| text(instruction, (bits, lanes), intrinsic))
    })
}

/// A function of LLVM that is the instruction: which elements it takes is computed before the loop.
fn text(name: &str, (bits, lanes): (usize, usize), intrinsic: &str) -> String {
    let (ty, element) = (format!("<{lanes} x i{bits}>"), format!("i{bits}"));
    let numbers: Vec<String> = (lanes..2 * lanes).map(|lane| format!("{element} {lane}")).collect();
    let behind =
        if bits == 64 { "%behind = add i64 %k, 0".to_owned() } else { format!("%behind = trunc i64 %k to {element}") };
    format!(
        "define {ty} @{name}({ty} %before, {ty} %own, i64 %k) alwaysinline {{\n  \
         {behind}\n  \
         %one = insertelement {ty} poison, {element} %behind, i32 0\n  \
         %all = shufflevector {ty} %one, {ty} poison, <{lanes} x i32> zeroinitializer\n  \
         %at = sub {ty} <{}>, %all\n  \
         %r = call {ty} @{intrinsic}({ty} %before, {ty} %at, {ty} %own)\n  \
         ret {ty} %r\n}}\n\
         declare {ty} @{intrinsic}({ty}, {ty}, {ty})\n",
        numbers.join(", ")
    )
}
