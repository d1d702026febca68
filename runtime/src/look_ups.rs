//! Look-ups as permutations of registers: what `--look-ups` writes out as a gather.
//!
//! ```text
//! @weft.look_up256.x64(%row, %all, %at)        of a row of up to 256 bytes those at 64 places
//!        │ AVX-512 with VBMI
//!        ▼
//! vpermi2b of the first 128 bytes, vpermi2b of the others ── selected by the highest bit of the place
//! ```
//!
//! Of 128 bytes it is one `vpermi2b`, of 64 one `vpermb`; of elements of 16 or 32 bits, whose type the name ends with, `vpermi2w` and `vpermi2d`, or `vpermw` and `vpermd`.
//!
//! AVX2 looks bytes up in 16 by `vpshufb`, which gives 0 where the place has its highest bit. The row is as many tables, each but the first of 128 bytes as what
//! differs from the one before. The place is lowered by 16 from table to table, as a number with a sign that stays at the least one: so all that is found
//! up to the own table, joined by exclusive or, is what that one has, and behind it nothing is found. That is three instructions a table, for 32 lanes.
//!
//! A CPU that has no such instruction gathers.

use inkwell::module::Module;

use crate::error::Result;
use crate::instructions::{join, line, numbered, permutation_of_two, replace, split};

/// Bits of a register.
const REGISTER: usize = 512;

/// Bytes of a register of AVX2, of a table that it looks up in, and tables of places that are not below 0.
const HALF: usize = 32;
const TABLE: usize = 16;
const TABLES: usize = 8;

/// What looks up in a table, and what lowers places.
const SHUFFLE: &str = "llvm.x86.avx2.pshuf.b";
const LOWER: &str = "llvm.ssub.sat.v32i8";

/// Elements that are permuted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Element {
    bits: usize,
    /// How LLVM calls their type, and permutations of one register of them, and of two.
    ty: &'static str,
    one: &'static str,
    two: &'static str,
    /// What a CPU has that permutes them.
    feature: &'static str,
}

impl Element {
    /// That of a name's end.
    fn of(name: &str) -> Option<Self> {
        let (bits, ty) = match name {
            "i8" => (8, "i8"),
            "i16" => (16, "i16"),
            "f16" => (16, "half"),
            "bf16" => (16, "bfloat"),
            "i32" => (32, "i32"),
            "f32" => (32, "float"),
            _ => return None,
        };
        let one = match bits {
            8 => "llvm.x86.avx512.permvar.qi.512",
            16 => "llvm.x86.avx512.permvar.hi.512",
            _ => "llvm.x86.avx512.permvar.si.512",
        };
        let (two, feature) = permutation_of_two(bits)?;
        Some(Self { bits, ty, one, two, feature })
    }

    /// How many a register has.
    fn register(self) -> usize {
        REGISTER / self.bits
    }

    /// A register of integers.
    fn integers(self) -> String {
        format!("<{} x i{}>", self.register(), self.bits)
    }
}

/// Elements of which some are looked up, and how many are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LookUp {
    elements: usize,
    lanes: usize,
    of: Element,
}

impl LookUp {
    /// That of a function, by its name.
    fn of(name: &str) -> Option<Self> {
        let (elements, rest) = name.strip_prefix("weft.look_up")?.split_once(".x")?;
        let (lanes, of) = rest.split_once('.').unwrap_or((rest, "i8"));
        let look_up = Self { elements: elements.parse().ok()?, lanes: lanes.parse().ok()?, of: Element::of(of)? };
        let registers = if look_up.of.bits == 8 { &[1, 2, 4][..] } else { &[1, 2] };
        let is_held = registers.iter().any(|count| count * look_up.of.register() == look_up.elements);
        (is_held && [4, 8, 16, 32, 64, 128, 256].contains(&look_up.lanes)).then_some(look_up)
    }

    /// A function of LLVM that permutes the registers of a row. The memory of the row, which it is given, too, it leaves alone.
    fn text(self, name: &str) -> String {
        let Self { elements, lanes, of } = self;
        let Element { bits, ty, one, two, .. } = of;
        let (register, integers) = (of.register(), of.integers());
        let (row, at) = (format!("<{elements} x i{bits}>"), format!("<{lanes} x i{bits}>"));
        let mut text = String::new();
        line(&mut text, &format!("%bits = bitcast <{elements} x {ty}> %all to {row}"));
        let any = format!("<{register} x i32>");
        for number in 0..elements / register {
            split(&mut text, "bits", &format!("i{bits}"), (elements, register), number);
        }
        let count = lanes.min(register);
        for part in 0..lanes / count {
            // Of fewer lanes than a register has the others may be any.
            let own = numbered(part * count..(part + 1) * count) + &", i32 poison".repeat(register - count);
            line(&mut text, &format!("%at.{part} = shufflevector {at} %at, {at} poison, {any} <{own}>"));
            self.permute(&mut text, part);
            let lanes = format!("<{count} x i32> <{}>", numbered(0..count));
            line(&mut text, &format!("%r.{part} = shufflevector {integers} %found.{part}, {integers} poison, {lanes}"));
        }
        let found = join(&mut text, &format!("i{bits}"), lanes / count, count);
        let result = format!("<{lanes} x {ty}>");
        line(&mut text, &format!("%result = bitcast {at} {found} to {result}"));
        let memory = "ptr %allocated, ptr %row, i64 %offset, i64 %size, i64 %stride";
        let declared = match elements == register {
            true => format!("{integers} @{one}({integers}, {integers})"),
            false => format!("{integers} @{two}({integers}, {integers}, {integers})"),
        };
        format!(
            "define {result} @{name}({memory}, <{elements} x {ty}> %all, {at} %at) alwaysinline {{\n{text}  ret {result} %result\n}}\ndeclare {declared}\n"
        )
    }

    /// A function of LLVM that looks up in tables of [`TABLE`] bytes.
    fn text_by_tables(self, name: &str) -> String {
        let Self { elements, lanes, .. } = self;
        let (row, at, register) = (format!("<{elements} x i8>"), format!("<{lanes} x i8>"), format!("<{HALF} x i8>"));
        let of_all = |byte: i8| format!("splat (i8 {byte})");
        let mut text = String::new();
        for number in 0..elements / TABLE {
            let own = numbered(number * TABLE..(number + 1) * TABLE);
            let lanes = format!("<{HALF} x i32> <{own}, {own}>");
            line(&mut text, &format!("%table.{number} = shufflevector {row} %all, {row} poison, {lanes}"));
            let before = match number % TABLES {
                0 => of_all(0),
                _ => format!("%table.{}", number - 1),
            };
            line(&mut text, &format!("%more.{number} = xor {register} %table.{number}, {before}"));
        }
        let count = lanes.min(HALF);
        for part in 0..lanes / count {
            let own = numbered(part * count..(part + 1) * count) + &", i32 poison".repeat(HALF - count);
            line(&mut text, &format!("%at.{part} = shufflevector {at} %at, {at} poison, <{HALF} x i32> <{own}>"));
            let mut found = of_all(0);
            for number in 0..elements / TABLE {
                let place = format!("%place.{part}.{number}");
                let lowered = match number % TABLES {
                    // Places of the second half of the row are those that have the highest bit.
                    0 => format!("xor {register} %at.{part}, {}", of_all(if number == 0 { 0 } else { i8::MIN })),
                    _ => format!(
                        "call {register} @{LOWER}({register} %place.{part}.{}, {register} {})",
                        number - 1,
                        of_all(TABLE as i8)
                    ),
                };
                line(&mut text, &format!("{place} = {lowered}"));
                let both = format!("{register} %more.{number}, {register} {place}");
                line(&mut text, &format!("%own.{part}.{number} = call {register} @{SHUFFLE}({both})"));
                line(&mut text, &format!("%found.{part}.{number} = xor {register} {found}, %own.{part}.{number}"));
                found = format!("%found.{part}.{number}");
            }
            let lanes = format!("<{count} x i32> <{}>", numbered(0..count));
            line(&mut text, &format!("%r.{part} = shufflevector {register} {found}, {register} poison, {lanes}"));
        }
        let found = join(&mut text, "i8", lanes / count, count);
        let memory = "ptr %allocated, ptr %row, i64 %offset, i64 %size, i64 %stride";
        format!(
            "define {at} @{name}({memory}, {row} %all, {at} %at) alwaysinline {{\n{text}  ret {at} {found}\n}}\n\
             declare {register} @{LOWER}({register}, {register})\ndeclare {register} @{SHUFFLE}({register}, {register})\n"
        )
    }

    /// Looks up the places of one register.
    fn permute(self, text: &mut String, part: usize) {
        let Element { one, two, .. } = self.of;
        let (integers, lanes) = (self.of.integers(), self.of.register());
        let of_two = |text: &mut String, found: &str, first: usize| {
            let operands = format!("{integers} %bits.{first}, {integers} %at.{part}, {integers} %bits.{}", first + 1);
            line(text, &format!("%{found}.{part} = call {integers} @{two}({operands})"));
        };
        match self.elements / lanes {
            1 => line(
                text,
                &format!("%found.{part} = call {integers} @{one}({integers} %bits.0, {integers} %at.{part})"),
            ),
            2 => of_two(text, "found", 0),
            _ => {
                of_two(text, "low", 0);
                of_two(text, "high", 2);
                line(text, &format!("%is_high.{part} = icmp slt {integers} %at.{part}, zeroinitializer"));
                let both = format!("{integers} %high.{part}, {integers} %low.{part}");
                line(text, &format!("%found.{part} = select <{lanes} x i1> %is_high.{part}, {both}"));
            }
        }
    }
}

/// Puts permutations in the place of the look-ups of a module, where an x86-64, by the names that LLVM has for what it has, has these.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    replace(module, |name, instruction| {
        let look_up = LookUp::of(name)?;
        match look_up.of.bits {
            _ if features.contains(&look_up.of.feature) => Some(look_up.text(instruction)),
            8 if features.contains(&"avx2") => Some(look_up.text_by_tables(instruction)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_looked_up() {
        let of = |name: &str| LookUp::of(name).map(|found| (found.elements, found.lanes, found.of.ty));
        assert_eq!(of("weft.look_up256.x16"), Some((256, 16, "i8")));
        assert_eq!(of("weft.look_up32.x16.f32"), Some((32, 16, "float")));
        assert_eq!(of("weft.look_up64.x8.i16"), Some((64, 8, "i16")));
        let others = ["weft.look_up100.x16", "weft.look_up64.x12", "weft.look_up64", "look_up64.x16", "weft.look_up.x"];
        assert_eq!(others.map(LookUp::of), [None; 5]);
        assert_eq!(["weft.look_up64.x16.f32", "weft.look_up64.x16.f64"].map(LookUp::of), [None; 2]);
    }

    #[test]
    fn a_row_is_as_many_registers_as_it_needs() {
        let count = |name: &str, what: &str| LookUp::of(name).map_or(0, |found| found.text("f").matches(what).count());
        let bytes = ["weft.look_up64.x128", "weft.look_up128.x128", "weft.look_up256.x128"];
        assert_eq!(bytes.map(|name| count(name, "call ")), [2, 2, 4]);
        assert_eq!(bytes.map(|name| count(name, "select ")), [0, 0, 2]);
        let floats = ["weft.look_up16.x32.f32", "weft.look_up32.x32.f32"];
        assert_eq!(floats.map(|name| count(name, "call ")), [2, 2]);
    }

    /// What a row has at each place, by tables: with as many lanes as half a register, a register and two.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn tables_have_what_the_row_has() {
        if !std::is_x86_feature_detected!("avx2") {
            return;
        }
        for (elements, lanes) in [(64, 16), (128, 32), (256, 8), (256, 64)] {
            let row: Vec<u32> = (0..elements).map(|place| (place * 167 + 13) % 256).collect();
            let bytes: Vec<String> = row.iter().map(|byte| format!("i8 {}", *byte as u8 as i8)).collect();
            let name = format!("weft.look_up{elements}.x{lanes}");
            let text = LookUp::of(&name).expect("a name").text_by_tables("look_up");
            let (row_type, at) = (format!("<{elements} x i8>"), format!("<{lanes} x i8>"));
            let memory = "ptr null, ptr null, i64 0, i64 0, i64 0";
            let call = format!("call {at} @look_up({memory}, {row_type} <{}>, {at} %at)", bytes.join(", "));
            let text = format!("{text}define {at} @f({at} %at) {{\n  %r = {call}\n  ret {at} %r\n}}\n");
            let places: Vec<u32> = (0..elements).collect();
            assert_eq!(crate::instructions::tests::run(&text, lanes, ["i8", "i8"], &places), row, "{name}");
        }
    }
}
