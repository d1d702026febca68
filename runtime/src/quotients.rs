//! Quotients by a number whose inverse is known, by multiply-adds: what `--share-divisors` says with a division.
//!
//! ```text
//! @weft.quotient.x16(%a, %b, %i)        a / b in 16 lanes, where i is 1 / b
//!        │ AVX-512
//!        ▼
//! fast:    q = a i, r = a - b q, q + r i      if all a and b are of a usual size, so that no digit of r is lost
//! mixed:   the same, or q                     if others are divided by a usual b and are 0 or infinite, or b is
//! slow:    a / b                              if there is any other
//! ```
//!
//! `a i` is less than one and a half units in the last place away, `r` says how far, and what is rounded in the end is so near to the quotient that it is only rounded
//! otherwise if the quotient is next to the middle between two floats. Such quotients can be counted: for each divisor there are a few numerators, which a test of
//! weft-model's `arithmetic` tries (Markstein, theorem 7, says the same of all).

use inkwell::module::Module;

use crate::error::Result;
use crate::instructions::{join, line, replace, split};

/// Lanes of a register.
const LANES: usize = 16;

/// Exponents of a usual size: quotients of such numbers, and what is left of them, are normal floats.
const LEAST: i32 = -47;
const LARGEST: i32 = 47;

/// What says which lanes are of some classes, and the classes of which the first product is the quotient: zeros, infinities and NaN.
const CLASSES: &str = "llvm.x86.avx512.fpclass.ps.512";
const SPECIAL: u32 = 0x9f;

const FLOATS: &str = "<16 x float>";
const INTEGERS: &str = "<16 x i32>";
const TRUTHS: &str = "<16 x i1>";

/// Puts the operations of an x86-64, by the names that LLVM has for what it has, in the place of the divisions that a module says.
pub(crate) fn define(module: &Module<'_>, features: &[&str]) -> Result<()> {
    replace(module, |name, instruction| {
        let lanes: usize = name.strip_prefix("weft.quotient.x")?.parse().ok()?;
        let is_known =
            features.contains(&"avx512dq") && lanes.is_multiple_of(LANES) && (lanes / LANES).is_power_of_two();
        is_known.then(|| text(instruction, lanes))
    })
}

/// A function of LLVM that divides in parts of a register each, which take one way together: nearly always the first.
fn text(name: &str, lanes: usize) -> String {
    let parts = lanes / LANES;
    let ([mut begin, mut fast, mut test], [mut mixed, mut slow, mut end]) = <([String; 3], [String; 3])>::default();
    let range = bits(LARGEST) - bits(LEAST);
    let (mut most, mut known) = (String::new(), String::new());
    for part in 0..parts {
        let own = |name: &str| format!("%{name}.{part}");
        for operand in ["a", "b", "i"] {
            split(&mut begin, operand, "float", (lanes, LANES), part);
        }
        for operand in ["a", "b"] {
            let of = |name: &str| format!("%{name}.{operand}.{part}");
            let set = |text: &mut String, name: &str, op: &str| line(text, &format!("{} = {op}", of(name)));
            set(&mut begin, "bits", &format!("bitcast {FLOATS} {} to {INTEGERS}", own(operand)));
            set(&mut begin, "size", &format!("and {INTEGERS} {}, splat (i32 {})", of("bits"), i32::MAX));
            set(&mut begin, "above", &format!("sub {INTEGERS} {}, splat (i32 {})", of("size"), bits(LEAST)));
            if most.is_empty() {
                most = of("above");
            } else {
                let both = format!("{INTEGERS} {most}, {INTEGERS} {}", of("above"));
                set(&mut begin, "most", &format!("call {INTEGERS} @llvm.umax.v16i32({both})"));
                most = of("most");
            }
            set(&mut test, "usual", &format!("icmp ule {INTEGERS} {}, splat (i32 {range})", of("above")));
            set(&mut test, "special", &format!("call {TRUTHS} @{CLASSES}({FLOATS} {}, i32 {SPECIAL})", own(operand)));
        }
        let logic = |result: &str, op: &str, one: &str, other: &str| format!("{result} = {op} {TRUTHS} {one}, {other}");
        line(&mut test, &logic(&own("both"), "and", &own("usual.a"), &own("usual.b")));
        line(&mut test, &logic(&own("by.usual"), "and", &own("special.a"), &own("usual.b")));
        line(&mut test, &logic(&own("divided"), "or", &own("both"), &own("by.usual")));
        line(&mut test, &logic(&own("known"), "or", &own("divided"), &own("special.b")));
        if known.is_empty() {
            known = own("known");
        } else {
            line(&mut test, &logic(&own("all"), "and", &known, &own("known")));
            known = own("all");
        }
        multiply_add(&mut fast, "fast", part);
        multiply_add(&mut mixed, "sum", part);
        let of = format!("{TRUTHS} {}, {FLOATS} {}, {FLOATS} {}", own("both"), own("sum"), own("near.sum"));
        line(&mut mixed, &format!("{} = select {of}", own("mixed")));
        line(&mut slow, &format!("{} = fdiv {FLOATS} {}, {}", own("slow"), own("a"), own("b")));
        let ways = ["fast", "mixed", "slow"].map(|way| format!("[ {}, %{way} ]", own(way)));
        line(&mut end, &format!("{} = phi {FLOATS} {}", own("r"), ways.join(", ")));
    }
    let whole = join(&mut end, "float", parts, LANES);
    let ty = format!("<{lanes} x float>");
    format!(
        "define {ty} @{name}({ty} %a, {ty} %b, {ty} %i) alwaysinline {{\n{begin}  \
           %unusual = icmp ugt {INTEGERS} {most}, splat (i32 {range})\n  \
           %lanes.unusual = bitcast {TRUTHS} %unusual to i16\n  \
           %is.fast = icmp eq i16 %lanes.unusual, 0\n  \
           br i1 %is.fast, label %fast, label %test, !prof !0\n\
         fast:\n{fast}  br label %end\n\
         test:\n{test}  \
           %lanes.known = bitcast {TRUTHS} {known} to i16\n  \
           %is.mixed = icmp eq i16 %lanes.known, -1\n  \
           br i1 %is.mixed, label %mixed, label %slow, !prof !0\n\
         mixed:\n{mixed}  br label %end\n\
         slow:\n{slow}  br label %end\n\
         end:\n{end}  ret {ty} {whole}\n}}\n\
         declare {INTEGERS} @llvm.umax.v16i32({INTEGERS}, {INTEGERS})\n\
         declare {TRUTHS} @{CLASSES}({FLOATS}, i32)\n\
         declare {FLOATS} @llvm.fma.v16f32({FLOATS}, {FLOATS}, {FLOATS})\n\
         !0 = !{{!\"branch_weights\", i32 2000, i32 1}}\n"
    )
}

/// The quotients of a part, under a name, and the first product, `near` of that name.
fn multiply_add(text: &mut String, name: &str, part: usize) {
    let own = |name: &str| format!("%{name}.{part}");
    let [near, minus, left] = ["near", "minus", "left"].map(|step| own(&format!("{step}.{name}")));
    let fma =
        |[a, b, c]: [&str; 3]| format!("call {FLOATS} @llvm.fma.v16f32({FLOATS} {a}, {FLOATS} {b}, {FLOATS} {c})");
    let (a, b, inverse) = (own("a"), own("b"), own("i"));
    line(text, &format!("{near} = fmul {FLOATS} {a}, {inverse}"));
    line(text, &format!("{minus} = fneg {FLOATS} {b}"));
    line(text, &format!("{left} = {}", fma([&minus, &near, &a])));
    line(text, &format!("{} = {}", own(name), fma([&left, &inverse, &near])));
}

/// The bits of a power of two.
fn bits(exponent: i32) -> u32 {
    2f32.powi(exponent).to_bits()
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    #[test]
    fn all_lanes_are_divided() {
        if !is_x86_feature_detected!("avx512dq") {
            return;
        }
        let special = [
            0.0,
            1.0,
            3.0,
            255.0,
            1e-7,
            1e13,
            1e15,
            1e-15,
            1e30,
            1e-30,
            1e-40,
            1e38,
            3e38,
            2e-38,
            f32::INFINITY,
            f32::NAN,
            0.1,
            7.0,
            1.5,
            1.9999999,
        ];
        let signed = || special.iter().flat_map(|float| [*float, -float]);
        let pairs = signed().flat_map(|a| signed().map(move |b| [a, b]));
        // All lanes of usual size, with zeros among them, and of any size.
        let random = (0..3 << 12).map(|number: u32| {
            let bits = |salt: u32| number.wrapping_mul(0x9e37_79b1).rotate_left(salt).wrapping_mul(0x85eb_ca6b);
            let usual = |bits: u32| f32::from_bits(bits & 0x807f_ffff | (96 + bits % 64) << 23);
            match number >> 12 {
                0 => [usual(bits(3)), usual(bits(17))],
                1 => [if number.is_multiple_of(3) { 0.0 } else { usual(bits(3)) }, usual(bits(17))],
                _ => [bits(3), bits(17)].map(f32::from_bits),
            }
        });
        let mut all: Vec<[f32; 2]> = pairs.chain(random).collect();
        all.resize(all.len().next_multiple_of(64), [1.0, 3.0]);
        for lanes in [16, 32, 64] {
            let both = 2 * lanes;
            let part = |from: usize| crate::instructions::numbered(from..from + lanes);
            let ty = format!("<{lanes} x float>");
            // Whether a quotient is the one of a division, or both are none.
            let text = super::text("quotient", lanes)
                + &format!(
                    "define <{both} x i8> @f(<{both} x float> %v) {{
                       %a = shufflevector <{both} x float> %v, <{both} x float> poison, <{lanes} x i32> <{}>
                       %b = shufflevector <{both} x float> %v, <{both} x float> poison, <{lanes} x i32> <{}>
                       %i = fdiv {ty} splat (float 1.0), %b
                       %q = call {ty} @quotient({ty} %a, {ty} %b, {ty} %i)
                       %r = fdiv {ty} %a, %b
                       %x = bitcast {ty} %q to <{lanes} x i32>
                       %y = bitcast {ty} %r to <{lanes} x i32>
                       %same = icmp eq <{lanes} x i32> %x, %y
                       %none = fcmp uno {ty} %r, %r
                       %both = fcmp uno {ty} %q, %q
                       %no = and <{lanes} x i1> %none, %both
                       %is = or <{lanes} x i1> %same, %no
                       %byte = zext <{lanes} x i1> %is to <{lanes} x i8>
                       %w = shufflevector <{lanes} x i8> %byte, <{lanes} x i8> %byte, <{both} x i32> <{}>
                       ret <{both} x i8> %w
                     }}\n",
                    part(0),
                    part(lanes),
                    crate::instructions::numbered(0..both),
                );
            let values: Vec<u32> = all
                .chunks_exact(lanes)
                .flat_map(|some| [0, 1].into_iter().flat_map(|side| some.iter().map(move |pair| pair[side].to_bits())))
                .collect();
            let same = crate::instructions::tests::run(&text, both, ["float", "i8"], &values);
            for (number, (pair, same)) in
                all.iter().zip(same.chunks_exact(both).flat_map(|is| &is[..lanes])).enumerate()
            {
                assert_eq!(*same, 1, "{number}: {} / {} in {lanes} lanes", pair[0], pair[1]);
            }
        }
    }
}
