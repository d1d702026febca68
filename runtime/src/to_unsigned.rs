//! Floats as integers of 8 and 16 bits without a sign, by the instructions of x86: what `--vectorize` writes out as steps of all lanes.
//!
//! ```text
//! @weft.to_u8.nearest.x64(%x)        the nearest bytes to the floats of 64 lanes, 0 of NaN
//!        │ AVX-512
//!        ▼
//! 4 vminps ── 4 vcvtps2dq ── 2 vpackssdw ── vpackuswb ── vpermd
//! ```
//!
//! A conversion rounds, and makes the least integer of what is none, NaN and what is too large; which is why the latter is brought to the greatest before. Packing
//! brings what is left between the ends of the narrower integers. It takes from each 128 bits of both registers, so the order is restored in the end.

use inkwell::module::Module;

use crate::error::Result;
use crate::instructions::{join, line, replace, split};
use crate::packs::{self, Packs, Step};

/// The instructions for vectors of one width.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Instructions {
    /// Lanes of 32 bits.
    lanes: usize,
    /// LLVM's intrinsics that round, and that cut off, and what they take besides the floats.
    nearest: &'static str,
    cut: &'static str,
    operands: &'static str,
    types: &'static str,
    /// Those that pack the integers.
    packs: Packs,
}

const WIDE: Instructions = Instructions {
    lanes: 16,
    nearest: "llvm.x86.avx512.mask.cvtps2dq.512",
    cut: "llvm.x86.avx512.mask.cvttps2dq.512",
    operands: ", <16 x i32> zeroinitializer, i16 -1, i32 4",
    types: ", <16 x i32>, i16, i32",
    packs: packs::WIDE,
};

const HALF: Instructions = Instructions {
    lanes: 8,
    nearest: "llvm.x86.avx.cvt.ps2dq.256",
    cut: "llvm.x86.avx.cvtt.ps2dq.256",
    operands: "",
    types: "",
    packs: packs::HALF,
};

const SHORT: Instructions = Instructions {
    lanes: 4,
    nearest: "llvm.x86.sse2.cvtps2dq",
    cut: "llvm.x86.sse2.cvttps2dq",
    operands: "",
    types: "",
    packs: packs::SHORT,
};

impl Instructions {
    /// The widest of a CPU that has these, by LLVM's names, for a conversion.
    fn of(features: &[&str], conversion: Conversion) -> Option<Self> {
        let has = |feature: &str| features.contains(&feature);
        // Bytes are packed by what every x86-64 has.
        let all = [
            has("avx512bw").then_some(WIDE),
            has("avx2").then_some(HALF),
            (conversion.bits == 8 || has("sse4.1")).then_some(SHORT),
        ];
        all.into_iter().flatten().find(|instructions| instructions.lanes <= conversion.lanes)
    }

    /// A function of LLVM that converts, in parts as wide as the instructions.
    fn text(&self, name: &str, conversion: Conversion) -> String {
        let Conversion { bits, lanes: all, is_nearest, is_inside } = conversion;
        let lanes = self.lanes;
        let (floats, integers) = (format!("<{lanes} x float>"), format!("<{lanes} x i32>"));
        let convert = if is_nearest { self.nearest } else { self.cut };
        let mut text = String::new();
        let parts = all / lanes;
        for part in 0..parts {
            split(&mut text, "x", "float", (all, lanes), part);
            let mut value = format!("%x.{part}");
            if !is_inside {
                // As `minps` has it: NaN is not above the greatest, and stays.
                let most = format!("splat (float {:e})", 2f64.powi(bits) - 1.0);
                line(&mut text, &format!("%is.{part} = fcmp olt {floats} {most}, %x.{part}"));
                let of = format!("<{lanes} x i1> %is.{part}, {floats} {most}, {floats} %x.{part}");
                line(&mut text, &format!("%least.{part} = select {of}"));
                value = format!("%least.{part}");
            }
            line(&mut text, &format!("%w.{part} = call {integers} @{convert}({floats} {value}{})", self.operands));
        }
        // Registers that become one, or as many as there are.
        let together = parts.min(32 / bits as usize);
        let step = Step { from: 32, to: bits as usize, is_natural: true };
        // AVX-512 takes the low bits of one at once.
        let is_alone = together == 1 && *self == WIDE && bits == 8;
        for group in 0..parts / together {
            match is_alone {
                true => self.take(&mut text, conversion),
                false => self.packs.pack(&mut text, group, together, step),
            }
        }
        let result = join(&mut text, &format!("i{bits}"), parts / together, together * lanes);
        let (from, to) = (format!("<{all} x float>"), format!("<{all} x i{bits}>"));
        let declared = format!("declare {integers} @{convert}({floats}{})\n", self.types) + &self.packs.declared(step);
        format!("define {to} @{name}({from} %x) alwaysinline {{\n{text}  ret {to} {result}\n}}\n{declared}")
    }

    /// Takes the low bits of the only part.
    fn take(&self, text: &mut String, conversion: Conversion) {
        let integers = format!("<{} x i32>", self.lanes);
        let mut last = "%w.0";
        if !conversion.is_inside {
            line(text, &format!("%is.above = icmp sgt {integers} %w.0, zeroinitializer"));
            let of = format!("<{} x i1> %is.above, {integers} %w.0, {integers} zeroinitializer", self.lanes);
            line(text, &format!("%above = select {of}"));
            last = "%above";
        }
        line(text, &format!("%r.0 = trunc {integers} {last} to <{} x i{}>", self.lanes, conversion.bits));
    }
}

/// A conversion in each lane.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Conversion {
    /// Of the integers.
    bits: i32,
    lanes: usize,
    is_nearest: bool,
    /// Whether all floats are numbers that become integers of so many bits.
    is_inside: bool,
}

impl Conversion {
    /// That of a function, by its name.
    fn of(name: &str) -> Option<Self> {
        let (kind, lanes) = name.strip_prefix("weft.to_u")?.split_once(".x")?;
        let (bits, kind) = kind.split_once('.').unwrap_or((kind, ""));
        let (is_nearest, is_inside) = match kind {
            "" => (false, false),
            "nearest" => (true, false),
            "inside" => (false, true),
            "nearest.inside" => (true, true),
            _ => return None,
        };
        let conversion = Self { bits: bits.parse().ok()?, lanes: lanes.parse().ok()?, is_nearest, is_inside };
        let is_known = [8, 16].contains(&conversion.bits) && conversion.lanes.is_power_of_two();
        (is_known && (4..=256).contains(&conversion.lanes)).then_some(conversion)
    }
}

/// Puts the instructions of an x86-64, by the names that LLVM has for what it has, in the place of the conversions that a module writes out.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    replace(module, |name, instruction| {
        let conversion = Conversion::of(name)?;
        Some(Instructions::of(features, conversion)?.text(instruction, conversion))
    })
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::instructions::tests::run;

    #[test]
    fn names_say_how_it_is_converted() {
        let of =
            |name: &str| Conversion::of(name).map(|found| (found.bits, found.lanes, found.is_nearest, found.is_inside));
        assert_eq!(of("weft.to_u8.x64"), Some((8, 64, false, false)));
        assert_eq!(of("weft.to_u16.nearest.x4"), Some((16, 4, true, false)));
        assert_eq!(of("weft.to_u8.nearest.inside.x16"), Some((8, 16, true, true)));
        let others = ["weft.to_u32.x16", "weft.to_u8.x12", "weft.to_u8", "weft.to_u8.near.x16", "weft.to_u8.x2"];
        assert_eq!(others.map(of), [None; 5]);
    }

    #[test]
    fn instructions_are_those_that_a_cpu_has() {
        let of = |features: &[&str], name| Instructions::of(features, Conversion::of(name)?).map(|found| found.lanes);
        assert_eq!(of(&["avx2", "avx512bw"], "weft.to_u8.x64"), Some(16));
        assert_eq!(of(&["avx2", "avx512bw"], "weft.to_u8.x8"), Some(8));
        assert_eq!([of(&[], "weft.to_u8.x8"), of(&[], "weft.to_u16.x8")], [Some(4), None]);
    }

    /// What the instructions make of floats, one by one.
    fn converted(instructions: Instructions, name: &str, floats: &[f32]) -> Vec<u32> {
        let conversion = Conversion::of(name).expect("a name of a conversion");
        let to = format!("i{}", conversion.bits);
        let bits: Vec<u32> = floats.iter().map(|float| float.to_bits()).collect();
        run(&instructions.text("f", conversion), conversion.lanes, ["float", &to], &bits)
    }

    #[test]
    fn all_lanes_saturate() {
        let mut floats =
            vec![0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-40];
        for end in
            [0.0, 1.0, 7.0, 254.0, 255.0, 256.0, 32767.0, 65534.0, 65535.0, 65536.0, 2e9, 2147483648.0, 4294967296.0]
        {
            floats.extend([0.0, 0.25, 0.5, 0.75, 1.0].iter().flat_map(|more| [end + more, end - more, -end - more]));
        }
        floats.resize(floats.len().next_multiple_of(256), 77.5);
        let inside = |most: f32| (0..1024).map(|number| (number as f32 * 0.37) % most).collect::<Vec<f32>>();
        let widths = [
            (SHORT, is_x86_feature_detected!("sse4.1")),
            (HALF, is_x86_feature_detected!("avx2")),
            (WIDE, is_x86_feature_detected!("avx512bw")),
        ];
        let lanes = [4, 8, 16, 32, 64, 128];
        for (instructions, _) in widths.into_iter().filter(|(_, has)| *has) {
            for lanes in lanes.into_iter().filter(|lanes| *lanes >= instructions.lanes) {
                for (bits, kind) in [8, 16]
                    .into_iter()
                    .flat_map(|bits| ["", ".nearest", ".inside", ".nearest.inside"].map(|kind| (bits, kind)))
                {
                    let floats =
                        if kind.ends_with("inside") { inside(f32::powi(2.0, bits) - 1.0) } else { floats.clone() };
                    let name = format!("weft.to_u{bits}{kind}.x{lanes}");
                    let expected: Vec<u32> = floats
                        .iter()
                        .map(|float| if kind.starts_with(".nearest") { float.round_ties_even() } else { *float })
                        .map(|float| if bits == 8 { (float as u8).into() } else { (float as u16).into() })
                        .collect();
                    assert_eq!(
                        converted(instructions, &name, &floats),
                        expected,
                        "{name} by {} lanes",
                        instructions.lanes
                    );
                }
            }
        }
    }
}
