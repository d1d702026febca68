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

use std::fmt::Write;

use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::values::FunctionValue;

use crate::error::{Error, Result, one_line};

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
        let is_x86 = cfg!(target_arch = "x86_64");
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
        let all = [wide, half, Some(short)].into_iter().flatten();
        all.filter(|_| is_x86).find(|instructions| instructions.lanes <= most)
    }

    /// A function of LLVM that is a dot product, in parts as wide as the instructions.
    fn text(&self, name: &str, dot: Dot) -> String {
        let Self { lanes, pairs, fours } = self;
        let all = dot.lanes;
        let (ty, bytes, halves) =
            (format!("<{lanes} x i32>"), format!("<{} x i8>", 4 * lanes), format!("<{} x i16>", 2 * lanes));
        let mut text = String::new();
        let mut parts = Vec::new();
        for part in 0..all / lanes {
            let own: Vec<String> = (part * lanes..(part + 1) * lanes).map(|lane| format!("i32 {lane}")).collect();
            for operand in ["sum", "a", "b"] {
                line(
                    &mut text,
                    &format!(
                        "%{operand}.{part} = shufflevector <{all} x i32> %{operand}, <{all} x i32> poison, <{lanes} x i32> <{}>",
                        own.join(", ")
                    ),
                );
            }
            let cast = |text: &mut String, operand: &str, to: &str| {
                line(text, &format!("%{operand}.{part}.cast = bitcast {ty} %{operand}.{part} to {to}"));
            };
            match (dot.pairs, fours) {
                (4, Some(fours)) => {
                    ["a", "b"].iter().for_each(|operand| cast(&mut text, operand, &bytes));
                    line(
                        &mut text,
                        &format!(
                            "%r.{part} = call {ty} @{fours}({ty} %sum.{part}, {bytes} %a.{part}.cast, {bytes} %b.{part}.cast)"
                        ),
                    );
                }
                (4, None) => {
                    ["a", "b"].iter().for_each(|operand| cast(&mut text, operand, &halves));
                    let eight = "splat (i16 8)";
                    line(&mut text, &format!("%a.{part}.even = and {halves} %a.{part}.cast, splat (i16 255)"));
                    line(&mut text, &format!("%a.{part}.odd = lshr {halves} %a.{part}.cast, {eight}"));
                    line(&mut text, &format!("%b.{part}.up = shl {halves} %b.{part}.cast, {eight}"));
                    line(&mut text, &format!("%b.{part}.even = ashr {halves} %b.{part}.up, {eight}"));
                    line(&mut text, &format!("%b.{part}.odd = ashr {halves} %b.{part}.cast, {eight}"));
                    for bytes in ["even", "odd"] {
                        line(
                            &mut text,
                            &format!(
                                "%dot.{part}.{bytes} = call {ty} @{pairs}({halves} %a.{part}.{bytes}, {halves} %b.{part}.{bytes})"
                            ),
                        );
                    }
                    line(&mut text, &format!("%dot.{part} = add {ty} %dot.{part}.even, %dot.{part}.odd"));
                    line(&mut text, &format!("%r.{part} = add {ty} %sum.{part}, %dot.{part}"));
                }
                _ => {
                    ["a", "b"].iter().for_each(|operand| cast(&mut text, operand, &halves));
                    line(
                        &mut text,
                        &format!("%dot.{part} = call {ty} @{pairs}({halves} %a.{part}.cast, {halves} %b.{part}.cast)"),
                    );
                    line(&mut text, &format!("%r.{part} = add {ty} %sum.{part}, %dot.{part}"));
                }
            }
            parts.push((format!("%r.{part}"), *lanes));
        }
        // Neighbours are joined until one is left: there is a power of two of them.
        while parts.len() > 1 {
            let joined = parts.chunks(2).map(|two| {
                let ((left, lanes), (right, _)) = (&two[0], &two[1]);
                let name = format!("{left}.{}", 2 * lanes);
                let order: Vec<String> = (0..2 * lanes).map(|lane| format!("i32 {lane}")).collect();
                let order = order.join(", ");
                line(
                    &mut text,
                    &format!(
                        "{name} = shufflevector <{lanes} x i32> {left}, <{lanes} x i32> {right}, <{} x i32> <{order}>",
                        2 * lanes
                    ),
                );
                (name, 2 * lanes)
            });
            parts = joined.collect();
        }
        let vector = format!("<{all} x i32>");
        let declared = match (dot.pairs, fours) {
            (4, Some(fours)) => format!("declare {ty} @{fours}({ty}, {bytes}, {bytes})"),
            _ => format!("declare {ty} @{pairs}({halves}, {halves})"),
        };
        let result = &parts[0].0;
        format!(
            "define {vector} @{name}({vector} %sum, {vector} %a, {vector} %b) alwaysinline {{\n{text}  ret {vector} {result}\n}}\n{declared}\n"
        )
    }
}

/// A line of a function.
fn line(text: &mut String, line: &str) {
    writeln!(text, "  {line}").expect("text has room");
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

/// Puts the instructions of a CPU, by the names that LLVM has for what it has, in the place of the dot products that a module computes by
/// plain arithmetic.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    let name_of = |function: &FunctionValue<'_>| function.get_name().to_string_lossy().into_owned();
    let dots = module.get_functions().filter_map(|function| Some((function, Dot::of(&name_of(&function))?)));
    for (function, dot) in dots.filter(|(function, _)| function.count_basic_blocks() > 0).collect::<Vec<_>>() {
        let Some(instructions) = Instructions::of(features, dot.lanes) else { continue };
        let name = format!("{}.instruction", name_of(&function));
        let text = instructions.text(&name, dot);
        let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "dot_products.ll");
        let made = module.get_context().create_module_from_ir(text).and_then(|made| module.link_in_module(made));
        made.map_err(|error| Error::Compile { reason: one_line(&error.to_string()) })?;
        if let Some(made) = module.get_function(&name) {
            function.replace_all_uses_with(made);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_computed() {
        assert_eq!(Dot::of("weft.dot4.x16"), Some(Dot { pairs: 4, lanes: 16 }));
        assert_eq!(["weft.dot3.x16", "weft.dot4.x12", "weft.dot4", "dot4.x16", "weft.dotx.x"].map(Dot::of), [None; 5]);
    }

    #[cfg(target_arch = "x86_64")]
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
