//! Integers as shorter ones, by the instructions of x86 that pack two registers to one: what `--vectorize` leaves as truncations.
//!
//! ```text
//! @weft.pack.u8.of16.x64(%x)        the nearest bytes to the integers of 64 lanes
//!        │ AVX-512
//!        ▼
//! vpackuswb ── vpermq
//! ```
//!
//! Packing brings what it packs between the ends of the shorter integers; where the low bits are wanted the others are cleared before. It takes from each 128 bits of
//! both registers, so the order is restored in the end. Shorter registers LLVM packs itself.

use inkwell::module::Module;

use crate::error::Result;
use crate::instructions::{join, line, replace, split};

/// LLVM's intrinsics for registers of one width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Packs {
    /// Bits of a register.
    pub(crate) register: usize,
    /// From 32 bits to 16, with a sign and without.
    halves: [&'static str; 2],
    /// From 16 bits to 8.
    bytes: [&'static str; 2],
}

pub(crate) const WIDE: Packs = Packs {
    register: 512,
    halves: ["llvm.x86.avx512.packssdw.512", "llvm.x86.avx512.packusdw.512"],
    bytes: ["llvm.x86.avx512.packsswb.512", "llvm.x86.avx512.packuswb.512"],
};

pub(crate) const HALF: Packs = Packs {
    register: 256,
    halves: ["llvm.x86.avx2.packssdw", "llvm.x86.avx2.packusdw"],
    bytes: ["llvm.x86.avx2.packsswb", "llvm.x86.avx2.packuswb"],
};

pub(crate) const SHORT: Packs = Packs {
    register: 128,
    halves: ["llvm.x86.sse2.packssdw.128", "llvm.x86.sse41.packusdw"],
    bytes: ["llvm.x86.sse2.packsswb.128", "llvm.x86.sse2.packuswb.128"],
};

/// From how many bits to how many, and whether what comes has no sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) is_natural: bool,
}

impl Packs {
    /// The intrinsics of a step, one after the other, and what bits each begins with.
    fn of(&self, Step { from, to, is_natural }: Step) -> Vec<(&'static str, usize)> {
        let natural = usize::from(is_natural);
        match (from, to) {
            (32, 16) => vec![(self.halves[natural], 32)],
            // Halves have a sign for the bytes to see.
            (32, _) => vec![(self.halves[0], 32), (self.bytes[natural], 16)],
            _ => vec![(self.bytes[natural], 16)],
        }
    }

    fn vector(&self, bits: usize) -> String {
        format!("<{} x i{bits}>", self.register / bits)
    }

    /// Says of a step's intrinsics what they are.
    pub(crate) fn declared(&self, step: Step) -> String {
        let of = |(name, bits): (&str, usize)| {
            let from = self.vector(bits);
            format!("declare {} @{name}({from}, {from})\n", self.vector(bits / 2))
        };
        self.of(step).into_iter().map(of).collect()
    }

    /// Packs so many registers, `%w.` and a number, to one or a part of one: `%r.` and the number of the group.
    pub(crate) fn pack(&self, text: &mut String, group: usize, together: usize, step: Step) {
        let Step { from, to, .. } = step;
        // What there is of, where it is less than a register, more than once.
        let mut parts: Vec<String> =
            (0..from / to).map(|part| format!("%w.{}", group * together + part % together)).collect();
        for (name, bits) in self.of(step) {
            let (ty, short) = (self.vector(bits), self.vector(bits / 2));
            let packed = parts.chunks(2).enumerate().map(|(pair, two)| {
                let packed = format!("%p.{group}.{bits}.{pair}");
                line(text, &format!("{packed} = call {short} @{name}({ty} {}, {ty} {})", two[0], two[1]));
                packed
            });
            parts = packed.collect();
        }
        // The lanes of a part in 128 bits are a word, in each 128 bits those of one part behind the other.
        let (of_chunk, chunks) = (from / to, self.register / 128);
        let (word, words) = (128 / of_chunk, of_chunk * chunks);
        let order: Vec<String> = (0..together)
            .flat_map(|part| (0..chunks).map(move |chunk| format!("i32 {}", chunk * of_chunk + part)))
            .collect();
        let (ty, count) = (format!("<{words} x i{word}>"), order.len());
        line(text, &format!("%words.{group} = bitcast {} {} to {ty}", self.vector(to), parts[0]));
        let shuffle = format!("shufflevector {ty} %words.{group}, {ty} poison, <{count} x i32> <{}>", order.join(", "));
        line(text, &format!("%order.{group} = {shuffle}"));
        let lanes = together * self.register / from;
        line(text, &format!("%r.{group} = bitcast <{count} x i{word}> %order.{group} to <{lanes} x i{to}>"));
    }
}

/// A truncation in each lane.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Truncation {
    step: Step,
    /// Whether the low bits are wanted, of what is not between the ends.
    is_low: bool,
    lanes: usize,
}

impl Truncation {
    /// That of a function, by its name.
    fn of(name: &str) -> Option<Self> {
        let (to, rest) = name.strip_prefix("weft.pack.")?.split_once(".of")?;
        let (from, lanes) = rest.split_once(".x")?;
        let (is_low, is_natural, to) = match (to.strip_prefix("low"), to.strip_prefix('u'), to.strip_prefix('s')) {
            (Some(to), ..) => (true, true, to),
            (_, Some(to), _) => (false, true, to),
            (.., Some(to)) => (false, false, to),
            _ => return None,
        };
        let step = Step { from: from.parse().ok()?, to: to.parse().ok()?, is_natural };
        let lanes: usize = lanes.parse().ok()?;
        let is_known = [(32, 16), (32, 8), (16, 8)].contains(&(step.from, step.to)) && lanes.is_power_of_two();
        (is_known && lanes <= 256 && lanes * step.from > WIDE.register).then_some(Self { step, is_low, lanes })
    }

    /// A function of LLVM that truncates.
    fn text(self, name: &str) -> String {
        let Self { step, is_low, lanes: all } = self;
        let Step { from, to, .. } = step;
        let mut text = String::new();
        let (parts, lanes) = (all * from / WIDE.register, WIDE.register / from);
        let vector = format!("<{all} x i{from}>");
        let argument = if is_low { "x" } else { "w" };
        if is_low {
            line(&mut text, &format!("%w = and {vector} %x, splat (i{from} {})", (1u32 << to) - 1));
        }
        (0..parts).for_each(|part| split(&mut text, "w", &format!("i{from}"), (all, lanes), part));
        let together = parts.min(from / to);
        (0..parts / together).for_each(|group| WIDE.pack(&mut text, group, together, step));
        let result = join(&mut text, &format!("i{to}"), parts / together, together * lanes);
        let short = format!("<{all} x i{to}>");
        let declared = WIDE.declared(step);
        format!(
            "define {short} @{name}({vector} %{argument}) alwaysinline {{\n{text}  ret {short} {result}\n}}\n{declared}"
        )
    }
}

/// Puts the instructions of an x86-64, by the names that LLVM has for what it has, in the place of the truncations that a module writes out.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    replace(module, |name, instruction| {
        let truncation = Truncation::of(name).filter(|_| features.contains(&"avx512bw"))?;
        Some(truncation.text(instruction))
    })
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::instructions::tests::run;

    #[test]
    fn names_say_what_is_kept() {
        let of = |name: &str| Truncation::of(name).map(|found| (found.step, found.is_low, found.lanes));
        let step = |from, to, is_natural| Step { from, to, is_natural };
        assert_eq!(of("weft.pack.low8.of16.x64"), Some((step(16, 8, true), true, 64)));
        assert_eq!(of("weft.pack.s16.of32.x32"), Some((step(32, 16, false), false, 32)));
        // One register, no power of two, and nothing to pack.
        let others = [
            "weft.pack.u8.of16.x32",
            "weft.pack.u8.of16.x96",
            "weft.pack.u16.of16.x64",
            "weft.pack.8.of16.x64",
            "weft.pack.u8",
        ];
        assert_eq!(others.map(of), [None; 5]);
    }

    #[test]
    fn all_lanes_are_packed() {
        if !is_x86_feature_detected!("avx512bw") {
            return;
        }
        let near = [0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, i32::MAX, i32::MIN];
        let mut values: Vec<i32> =
            near.iter().flat_map(|end| [*end, end.wrapping_add(1), end.wrapping_neg()]).collect();
        values.extend((0..1024 - values.len() as i32).map(|number| number.wrapping_mul(0x9e37_79b1_u32 as i32)));
        let bits: Vec<u32> = values.iter().map(|value| value.cast_unsigned()).collect();
        for (from, to) in [(16, 8), (32, 8), (32, 16)] {
            for (kind, lanes) in ["low", "u", "s"].into_iter().flat_map(|kind| [32, 64, 128].map(|lanes| (kind, lanes)))
            {
                let name = format!("weft.pack.{kind}{to}.of{from}.x{lanes}");
                let Some(truncation) = Truncation::of(&name) else { continue };
                let expected: Vec<u32> = values
                    .iter()
                    .map(|value| if from == 16 { i32::from(*value as i16) } else { *value })
                    .map(|value| match kind {
                        "low" => value,
                        "u" => value.clamp(0, (1 << to) - 1),
                        _ => value.clamp(-1 << (to - 1), (1 << (to - 1)) - 1),
                    })
                    .map(|value| value.cast_unsigned() & ((1 << to) - 1))
                    .collect();
                let types = [format!("i{from}"), format!("i{to}")];
                let found = run(&truncation.text("f"), lanes, [&types[0], &types[1]], &bits);
                assert_eq!(found, expected, "{name}");
            }
        }
    }
}
