//! Dot products as instructions: what `--dot-products` writes out in plain arithmetic, LLVM does not find again.
//!
//! ```text
//! @weft.dot4.x32(%sum, %a, %b)       four products of bytes in each of 32 lanes
//!        │ AVX-512 with VNNI
//!        ▼
//! halves of 16 lanes ── vpdpbusd ──▶ joined        (without VNNI two vpmaddwd, of even and of odd bytes)
//! ```
//!
//! A CPU that has no such instruction keeps the arithmetic. The functions are small, and inlined.

use inkwell::module::Module;

use crate::error::Result;
use crate::instructions::{join, line, replace, split};

/// The instructions for vectors of one width.
struct Instructions {
    /// Lanes of 32 bits.
    lanes: usize,
    /// LLVM's intrinsic that adds two products of halves in each lane.
    pairs: &'static str,
    /// That which adds four products of bytes to a sum.
    fours: Option<&'static str>,
}

impl Instructions {
    /// The widest of a CPU that has these, by LLVM's names, for vectors of so many lanes at most.
    fn of(features: &[&str], most: usize) -> Option<Self> {
        let has = |feature: &str| features.contains(&feature);
        let wide = has("avx512bw").then(|| Self {
            lanes: 16,
            pairs: "llvm.x86.avx512.pmaddw.d.512",
            fours: has("avx512vnni").then_some("llvm.x86.avx512.vpdpbusd.512"),
        });
        let has_short = has("avxvnni") || (has("avx512vnni") && has("avx512vl"));
        let half = has("avx2").then(|| Self {
            lanes: 8,
            pairs: "llvm.x86.avx2.pmadd.wd",
            fours: has_short.then_some("llvm.x86.avx512.vpdpbusd.256"),
        });
        // What every CPU of x86-64 has.
        let short = Self {
            lanes: 4,
            pairs: "llvm.x86.sse2.pmadd.wd",
            fours: has_short.then_some("llvm.x86.avx512.vpdpbusd.128"),
        };
        let mut all = [wide, half, Some(short)].into_iter().flatten();
        all.find(|instructions| instructions.lanes <= most)
    }

    /// A function of LLVM that is a dot product, in parts as wide as the instructions.
    fn text(&self, name: &str, dot: Dot) -> String {
        let (lanes, all) = (self.lanes, dot.lanes);
        let mut text = String::new();
        for part in 0..all / lanes {
            for operand in ["sum", "a", "b"] {
                split(&mut text, operand, "i32", (all, lanes), part);
            }
            match (dot.pairs, self.fours) {
                (4, Some(fours)) => self.fours(&mut text, part, fours),
                (4, None) => self.fours_as_pairs(&mut text, part),
                _ => self.pairs(&mut text, part),
            }
        }
        let result = join(&mut text, "i32", all / lanes, lanes);
        let (vector, ty, bytes, halves) = (format!("<{all} x i32>"), self.words(), self.bytes(), self.halves());
        let declared = match (dot.pairs, self.fours) {
            (4, Some(fours)) => format!("declare {ty} @{fours}({ty}, {bytes}, {bytes})"),
            _ => format!("declare {ty} @{}({halves}, {halves})", self.pairs),
        };
        format!(
            "define {vector} @{name}({vector} %sum, {vector} %a, {vector} %b) alwaysinline {{\n{text}  ret {vector} {result}\n}}\n{declared}\n"
        )
    }

    fn words(&self) -> String {
        format!("<{} x i32>", self.lanes)
    }

    fn halves(&self) -> String {
        format!("<{} x i16>", 2 * self.lanes)
    }

    fn bytes(&self) -> String {
        format!("<{} x i8>", 4 * self.lanes)
    }

    /// Four products of bytes, by the instruction for them.
    fn fours(&self, text: &mut String, part: usize, fours: &str) {
        let (ty, bytes) = (self.words(), self.bytes());
        self.cast(text, part, &bytes);
        let operands = format!("{ty} %sum.{part}, {bytes} %a.{part}.cast, {bytes} %b.{part}.cast");
        line(text, &format!("%r.{part} = call {ty} @{fours}({operands})"));
    }

    /// Four products of bytes as two of halves, of the even and of the odd bytes.
    fn fours_as_pairs(&self, text: &mut String, part: usize) {
        let (ty, halves, eight) = (self.words(), self.halves(), "splat (i16 8)");
        self.cast(text, part, &halves);
        line(text, &format!("%a.{part}.even = and {halves} %a.{part}.cast, splat (i16 255)"));
        line(text, &format!("%a.{part}.odd = lshr {halves} %a.{part}.cast, {eight}"));
        line(text, &format!("%b.{part}.up = shl {halves} %b.{part}.cast, {eight}"));
        line(text, &format!("%b.{part}.even = ashr {halves} %b.{part}.up, {eight}"));
        line(text, &format!("%b.{part}.odd = ashr {halves} %b.{part}.cast, {eight}"));
        for bytes in ["even", "odd"] {
            let operands = format!("{halves} %a.{part}.{bytes}, {halves} %b.{part}.{bytes}");
            line(text, &format!("%dot.{part}.{bytes} = call {ty} @{}({operands})", self.pairs));
        }
        line(text, &format!("%dot.{part} = add {ty} %dot.{part}.even, %dot.{part}.odd"));
        self.add(text, part);
    }

    /// Two products of halves.
    fn pairs(&self, text: &mut String, part: usize) {
        let (ty, halves) = (self.words(), self.halves());
        self.cast(text, part, &halves);
        let operands = format!("{halves} %a.{part}.cast, {halves} %b.{part}.cast");
        line(text, &format!("%dot.{part} = call {ty} @{}({operands})", self.pairs));
        self.add(text, part);
    }

    /// Both factors as vectors of what is multiplied.
    fn cast(&self, text: &mut String, part: usize, to: &str) {
        for operand in ["a", "b"] {
            line(text, &format!("%{operand}.{part}.cast = bitcast {} %{operand}.{part} to {to}", self.words()));
        }
    }

    /// Adds the products to the sum.
    fn add(&self, text: &mut String, part: usize) {
        line(text, &format!("%r.{part} = add {} %sum.{part}, %dot.{part}", self.words()));
    }
}

/// A dot product in each lane: of four pairs of bytes, or of two of halves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dot {
    pairs: usize,
    lanes: usize,
}

impl Dot {
    /// That of a function, by its name.
    fn of(name: &str) -> Option<Self> {
        let (pairs, lanes) = name.strip_prefix("weft.dot")?.split_once(".x")?;
        let dot = Self { pairs: pairs.parse().ok()?, lanes: lanes.parse().ok()? };
        ([2, 4].contains(&dot.pairs) && [4, 8, 16, 32, 64].contains(&dot.lanes)).then_some(dot)
    }
}

/// Puts the instructions of an x86-64, by the names that LLVM has for what it has, in the place of the dot products that a module computes by
/// plain arithmetic.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    replace(module, |name, instruction| {
        let dot = Dot::of(name)?;
        Some(Instructions::of(features, dot.lanes)?.text(instruction, dot))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_computed() {
        assert_eq!(Dot::of("weft.dot4.x16"), Some(Dot { pairs: 4, lanes: 16 }));
        assert_eq!(["weft.dot3.x16", "weft.dot4.x12", "weft.dot4", "dot4.x16", "weft.dotx.x"].map(Dot::of), [None; 5]);
    }

    #[test]
    fn instructions_are_those_that_a_cpu_has() {
        let of = |features: &[&str], lanes| {
            Instructions::of(features, lanes).map(|found| (found.lanes, found.fours.is_some()))
        };
        let vnni = ["avx2", "avx512bw", "avx512vl", "avx512vnni"];
        assert_eq!(of(&vnni, 64), Some((16, true)));
        assert_eq!(of(&vnni, 8), Some((8, true)));
        assert_eq!(of(&["avx2", "avx512bw", "avx512vl"], 16), Some((16, false)));
        assert_eq!(of(&["avx2"], 16), Some((8, false)));
        assert_eq!(of(&[], 8), Some((4, false)));
        assert_eq!(of(&[], 2), None);
    }
}
