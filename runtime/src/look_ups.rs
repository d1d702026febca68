//! Look-ups of bytes as permutations of registers: what `--look-ups` writes out as a gather.
//!
//! ```text
//! @weft.look_up256.x64(%row, %all, %at)        of a row of up to 256 bytes those at 64 places
//!        │ AVX-512 with VBMI
//!        ▼
//! vpermi2b of the first 128 bytes, vpermi2b of the others ── selected by the highest bit of the place
//! ```
//!
//! Of 128 bytes it is one `vpermi2b`, of 64 one `vpermb`. A CPU that has no such instruction gathers.

use inkwell::module::Module;

use crate::error::Result;
use crate::instructions::{join, line, numbered, replace};

/// Bytes of a register.
const REGISTER: usize = 64;

/// How LLVM writes one.
const BYTES: &str = "<64 x i8>";

/// LLVM's intrinsics that permute one register, and two.
const ONE: &str = "llvm.x86.avx512.permvar.qi.512";
const TWO: &str = "llvm.x86.avx512.vpermi2var.qi.512";

/// Bytes of which some are looked up, and how many are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LookUp {
    bytes: usize,
    lanes: usize,
}

impl LookUp {
    /// That of a function, by its name.
    fn of(name: &str) -> Option<Self> {
        let (bytes, lanes) = name.strip_prefix("weft.look_up")?.split_once(".x")?;
        let look_up = Self { bytes: bytes.parse().ok()?, lanes: lanes.parse().ok()? };
        let is_known = [64, 128, 256].contains(&look_up.bytes) && [4, 8, 16, 32, 64, 128, 256].contains(&look_up.lanes);
        is_known.then_some(look_up)
    }

    /// A function of LLVM that permutes the registers of a row. The memory of the row, which it is given, too, it leaves alone.
    fn text(self, name: &str) -> String {
        let Self { bytes, lanes } = self;
        let (row, at) = (format!("<{bytes} x i8>"), format!("<{lanes} x i8>"));
        let mut text = String::new();
        for register in 0..bytes / REGISTER {
            let own = numbered(register * REGISTER..(register + 1) * REGISTER);
            line(&mut text, &format!("%row.{register} = shufflevector {row} %all, {row} poison, <64 x i32> <{own}>"));
        }
        let count = lanes.min(REGISTER);
        for part in 0..lanes / count {
            // Of fewer lanes than a register has the others may be any.
            let own = numbered(part * count..(part + 1) * count) + &", i32 poison".repeat(REGISTER - count);
            line(&mut text, &format!("%at.{part} = shufflevector {at} %at, {at} poison, <64 x i32> <{own}>"));
            self.permute(&mut text, part);
            let lanes = format!("<{count} x i32> <{}>", numbered(0..count));
            line(&mut text, &format!("%r.{part} = shufflevector {BYTES} %found.{part}, {BYTES} poison, {lanes}"));
        }
        let result = join(&mut text, "i8", lanes / count, count);
        let memory = "ptr %allocated, ptr %row, i64 %offset, i64 %size, i64 %stride";
        let declared = match bytes {
            REGISTER => format!("{BYTES} @{ONE}({BYTES}, {BYTES})"),
            _ => format!("{BYTES} @{TWO}({BYTES}, {BYTES}, {BYTES})"),
        };
        format!(
            "define {at} @{name}({memory}, {row} %all, {at} %at) alwaysinline {{\n{text}  ret {at} {result}\n}}\ndeclare {declared}\n"
        )
    }

    /// Looks up the places of one register.
    fn permute(self, text: &mut String, part: usize) {
        let of_two = |text: &mut String, found: &str, first: usize| {
            let operands = format!("{BYTES} %row.{first}, {BYTES} %at.{part}, {BYTES} %row.{}", first + 1);
            line(text, &format!("%{found}.{part} = call {BYTES} @{TWO}({operands})"));
        };
        match self.bytes / REGISTER {
            1 => line(text, &format!("%found.{part} = call {BYTES} @{ONE}({BYTES} %row.0, {BYTES} %at.{part})")),
            2 => of_two(text, "found", 0),
            _ => {
                of_two(text, "low", 0);
                of_two(text, "high", 2);
                line(text, &format!("%is_high.{part} = icmp slt {BYTES} %at.{part}, zeroinitializer"));
                let both = format!("{BYTES} %high.{part}, {BYTES} %low.{part}");
                line(text, &format!("%found.{part} = select <64 x i1> %is_high.{part}, {both}"));
            }
        }
    }
}

/// Puts permutations in the place of the look-ups of a module, where an x86-64, by the names that LLVM has for what it has, has these.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    if !features.contains(&"avx512vbmi") {
        return Ok(());
    }
    replace(module, |name, instruction| Some(LookUp::of(name)?.text(instruction)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_looked_up() {
        assert_eq!(LookUp::of("weft.look_up256.x16"), Some(LookUp { bytes: 256, lanes: 16 }));
        let others = ["weft.look_up100.x16", "weft.look_up64.x12", "weft.look_up64", "look_up64.x16", "weft.look_up.x"];
        assert_eq!(others.map(LookUp::of), [None; 5]);
    }

    #[test]
    fn a_row_is_as_many_registers_as_it_needs() {
        let count = |bytes, what: &str| LookUp { bytes, lanes: 128 }.text("f").matches(what).count();
        assert_eq!([64, 128, 256].map(|bytes| count(bytes, "call ")), [2, 2, 4]);
        assert_eq!([64, 128, 256].map(|bytes| count(bytes, "select ")), [0, 0, 2]);
    }
}
