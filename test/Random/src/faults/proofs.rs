//! Faults in PTX that change nothing on any image, by rules whose conditions are checked on the code around.
//!
//! ```text
//! sub.rn.f32 %r9, %r2, %r1;  abs.f32 %r3, %r9;          |a - b| is |b - a|, where nobody else uses the difference
//! setp.lt.u32 %p1, %r4, %r5;  and.b32 %r4, %r6, 31      the sign of what both are less than 2^31
//! cvt.rz.f32.u8 %r7, %rs1                               rounding of what is a float
//! shfl.sync.idx.b32 %r8, %r2, %r4, 30, -1               a clamp above all lanes that are asked
//! mul.rz.f32 %r8, %r1, 0f3EAAAAAB; fma ...              an estimate of a quotient, which is mended
//! @%p5 bra wide; div.u32 ... wide: div.u64 ...          a division by 64 bits where one by 32 would do
//! ```
//!
//! What a register can be is an interval: that of all that is assigned to it, wherever, in its kernel; in circles anything. It says nothing of
//! faults that are found: those by which a rule would hold nevertheless are an error of the rule ([`survey`](super::survey)).

use super::{planted::Planted, ptx::Instruction};

/// Values of 32 bits, without a sign, the last included.
type Interval = (u64, u64);

const ANY: Interval = (0, u32::MAX as u64);

/// The most that has the same value with and without a sign.
const MOST: u64 = i32::MAX as u64;

/// How many assignments one after the other are looked through.
const DEPTH: usize = 24;

/// Whether a fault of these lines changes no result, by one of the rules.
pub fn is_proven(lines: &[&str], planted: &Planted) -> bool {
    let is_head = |line: &&str| line.contains(".entry") || line.contains(".func");
    let start = lines[..planted.line].iter().rposition(is_head).unwrap_or(0);
    let end = lines[planted.line..].iter().position(is_head).map_or(lines.len(), |end| planted.line + end);
    let kernel: Vec<Instruction> = lines[start..end].iter().filter_map(|line| Instruction::of(line)).collect();
    let at = lines[start..planted.line].iter().filter(|line| Instruction::of(line).is_some()).count();
    let (Some(right), faulty) = (kernel.get(at), Instruction::of(&planted.text)) else { return false };
    let code = Code { kernel: &kernel };
    let by_class = match (planted.class, &faulty) {
        ("swapped operands", _) if right.name() == "sub" => code.is_only_absolute(right),
        ("sign", _) => code.has_no_sign(right),
        ("rounding", _) => code.is_exact(right) || code.estimated(right).is_some(),
        ("float constant", Some(faulty)) => code.is_near_a_third(right, faulty),
        ("shuffle clamp", Some(faulty)) => code.is_below(right, faulty),
        _ => false,
    };
    by_class || code.is_either_quotient(at, faulty.as_ref())
}

/// The f32 that PTX writes by its bits.
fn float(text: &str) -> Option<f32> {
    Some(f32::from_bits(u32::from_str_radix(text.strip_prefix("0f")?, 16).ok()?))
}

/// The instructions of a kernel.
struct Code<'c, 'l> {
    kernel: &'c [Instruction<'l>],
}

impl Code<'_, '_> {
    /// Differences of floats that only `abs` uses.
    fn is_only_absolute(&self, sub: &Instruction) -> bool {
        let (Some(result), Some(ty)) = (sub.operands.first(), sub.opcode.rsplit('.').next()) else { return false };
        let absolute = format!("abs.{ty}");
        let (given, used): (Vec<_>, Vec<_>) =
            self.kernel.iter().filter(|one| one.mentions(result)).partition(|one| one.gives(result));
        matches!(ty, "f16" | "f32" | "f64")
            && given.len() == 1
            && used.iter().all(|one| one.opcode == absolute && one.operands[1..] == [*result])
    }

    /// What is the same with and without a sign: of numbers that have their uppermost bit clear.
    fn has_no_sign(&self, one: &Instruction) -> bool {
        let is_small = |operand: &&str| self.interval(operand, DEPTH).1 <= MOST;
        let has_32 = one.opcode.ends_with("s32") || one.opcode.ends_with("u32");
        match (one.name(), one.operands.get(1..)) {
            ("setp" | "min" | "max" | "div" | "rem" | "mul", Some(sources @ [_, _])) if has_32 => {
                sources.iter().all(is_small)
            }
            ("shr", Some([source, _])) if has_32 => is_small(source),
            _ => false,
        }
    }

    /// Conversions of integers that are floats as they are.
    fn is_exact(&self, one: &Instruction) -> bool {
        let parts: Vec<&str> = one.opcode.split('.').collect();
        let ([.., to, from], [_, source]) = (&parts[..], &one.operands[..]) else { return false };
        let is_narrow = matches!(*from, "u8" | "s8" | "u16" | "s16");
        let is_short = matches!(*from, "u32" | "s32") && self.interval(source, DEPTH).1 <= 1 << 24;
        let is_integer = is_narrow || matches!(*from, "u32" | "s32");
        one.name() == "cvt" && (*to == "f64" && is_integer || *to == "f32" && (is_narrow || is_short))
    }

    /// The divisor of a quotient of f32 that a product estimates, and that is mended, as `--exact-division` has it and proves: an estimate that
    /// is off by some places of its last digit is as good as any.
    ///
    /// ```text
    /// mul q, x, 1 / c;  neg n, x;  fma e, q, c, n;  min m, e, greatest;  fma quotient, m, -1 / c, q
    /// ```
    fn estimated(&self, mul: &Instruction) -> Option<f32> {
        let [q, x, _] = mul.operands[..] else { return None };
        let only = |opcode: &str, place: usize, operand: &str| {
            let mut users = self.kernel.iter().filter(|one| one.operands.get(place) == Some(&operand));
            users.next().filter(|one| one.opcode == opcode && users.next().is_none())
        };
        let rest = only("fma.rn.f32", 1, q)?;
        let divisor = float(rest.operands.get(2)?).filter(|c| c % 2.0 == 1.0 && (3.0..4096.0).contains(c))?;
        let minus = self.given(rest.operands.get(3)?).next().filter(|one| one.opcode == "neg.f32")?;
        let bounded = only("min.f32", 1, rest.operands[0])?;
        let mended = only("fma.rn.f32", 1, bounded.operands[0])?;
        let is_one = |register: &str| self.given(register).count() == 1;
        let is_mended = mul.opcode.starts_with("mul.r")
            && mul.opcode.ends_with(".f32")
            && minus.operands.get(1) == Some(&x)
            && float(bounded.operands.get(2)?) == Some(f32::MAX)
            && float(mended.operands.get(2)?) == Some(-1.0 / divisor)
            && mended.operands.get(3) == Some(&q)
            && [q, rest.operands[0], rest.operands[3], bounded.operands[0]].into_iter().all(is_one)
            && self.kernel.iter().filter(|one| one.mentions(q)).count() == 3;
        is_mended.then_some(divisor)
    }

    /// An estimate of a third that is off by an eighth at most: three times that is still counted by a float's digits, and what is
    /// rounded last is off by an eighth of a place, where a midpoint is a sixth away.
    fn is_near_a_third(&self, right: &Instruction, faulty: &Instruction) -> bool {
        let estimate = faulty.operands.get(2).and_then(|text| float(text));
        let is_near = estimate.is_some_and(|estimate| (1.0 - 3.0 * f64::from(estimate)).abs() <= 0.125);
        is_near && self.estimated(right) == Some(3.0)
    }

    /// Shuffles of a lane that both clamps leave.
    fn is_below(&self, right: &Instruction, faulty: &Instruction) -> bool {
        let clamp = |one: &Instruction| one.operands.get(3).and_then(|clamp| clamp.parse::<u64>().ok());
        let (Some(a), Some(b), Some(lane)) = (clamp(right), clamp(faulty), right.operands.get(2)) else { return false };
        right.opcode.contains(".idx.") && self.interval(lane, DEPTH).1 <= a.min(b)
    }

    /// What chooses between a division by 64 bits and one by 32, as LLVM writes it: by 64 is right in any case.
    ///
    /// ```text
    /// or.b64 either, a, b;  and.b64 upper, either, -2^32;  setp.ne.b64 p, upper, 0;  @p bra wide;  bra.uni narrow
    /// wide: div.u64 d, a, b;  bra.uni done      narrow: cvt.u32.u64 y, b;  cvt.u32.u64 x, a;  div.u32 q, x, y;  cvt.u64.u32 d, q
    /// ```
    fn is_either_quotient(&self, at: usize, faulty: Option<&Instruction>) -> bool {
        const SHAPE: [&str; 11] = [
            "or.b64",
            "and.b64",
            "setp.ne.b64",
            "bra",
            "bra.uni",
            "div.u64",
            "bra.uni",
            "cvt.u32.u64",
            "cvt.u32.u64",
            "div.u32",
            "cvt.u64.u32",
        ];
        (0..4usize).filter_map(|place| Some((place, self.kernel.get(at.checked_sub(place)?..)?))).any(
            |(place, code)| {
                let Some(code) = code.get(..SHAPE.len()) else { return false };
                let operand = |one: usize, which: usize| code[one].operands.get(which).copied().unwrap_or_default();
                let (either, upper, wide, a, b) =
                    (operand(0, 0), operand(1, 0), operand(2, 0), operand(5, 1), operand(5, 2));
                let is_shape = code.iter().zip(SHAPE).all(|(one, opcode)| one.opcode == opcode)
                    && code.iter().enumerate().all(|(place, one)| one.guard.is_some() == (place == 3))
                    && code[3].guard == Some(&format!("@{wide}"))
                    && ([operand(0, 1), operand(0, 2)] == [a, b] || [operand(0, 1), operand(0, 2)] == [b, a])
                    && [operand(1, 1), operand(1, 2)] == [either, "-4294967296"]
                    && [operand(2, 1), operand(2, 2)] == [upper, "0"]
                    && [operand(7, 1), operand(8, 1)] == [b, a]
                    && [operand(9, 1), operand(9, 2)] == [operand(8, 0), operand(7, 0)]
                    && [operand(10, 0), operand(10, 1)] == [operand(5, 0), operand(9, 0)];
                // Quotients by 0 have as many ones as bits.
                let is_positive = self.given(b).all(|one| {
                    one.opcode == "max.u64"
                        && one.operands.get(2).is_some_and(|least| least.parse::<i64>().is_ok_and(|n| n > 0))
                });
                let is_own = |name: &&str| self.kernel.iter().filter(|one| one.mentions(name)).count() == 2;
                let goes_wide = match (place, faulty) {
                    // Never equal to what has its lower half clear.
                    (2, Some(faulty)) if faulty.opcode == "setp.ne.b64" => faulty
                        .operands
                        .get(2)
                        .and_then(|text| text.parse::<i64>().ok())
                        .is_some_and(|number| number as u32 != 0),
                    (1, Some(faulty)) if faulty.opcode == "or.b64" => true,
                    // More bits, with all of the upper half.
                    (1, Some(faulty)) if faulty.opcode == "and.b64" => faulty
                        .operands
                        .get(2)
                        .and_then(|text| text.parse::<i64>().ok())
                        .is_some_and(|mask| mask >> 32 == -1),
                    (3, Some(faulty)) => faulty.opcode == "bra" && faulty.guard.is_none(),
                    _ => false,
                };
                is_shape && is_positive && goes_wide && [either, upper, wide].iter().all(is_own)
            },
        )
    }

    /// What gives a register.
    fn given(&self, register: &str) -> impl Iterator<Item = &Instruction<'_>> {
        self.kernel.iter().filter(move |one| one.gives(register))
    }

    /// What an operand of 32 bits can be.
    fn interval(&self, operand: &str, depth: usize) -> Interval {
        if let Ok(number) = operand.parse::<i64>() {
            return match u32::try_from(number) {
                Ok(number) => (number.into(), number.into()),
                Err(_) => ANY,
            };
        }
        match operand {
            "%tid.x" | "%tid.y" => return (0, 1023),
            "%tid.z" => return (0, 63),
            "%laneid" => return (0, 31),
            "%ntid.x" | "%ntid.y" | "%ntid.z" => return (1, 1024),
            "%ctaid.x" | "%nctaid.x" => return (0, MOST),
            "%ctaid.y" | "%ctaid.z" | "%nctaid.y" | "%nctaid.z" => return (0, 65535),
            _ => {}
        }
        let Some(depth) = depth.checked_sub(1).filter(|_| operand.starts_with("%r")) else { return ANY };
        let all = self.given(operand).map(|one| self.result(one, depth));
        all.reduce(|(a, b), (c, d)| (a.min(c), b.max(d))).unwrap_or(ANY)
    }

    /// What an instruction gives.
    fn result(&self, one: &Instruction, depth: usize) -> Interval {
        let of = |place: usize| one.operands.get(place).map_or(ANY, |operand| self.interval(operand, depth));
        // What is more than 32 bits hold is cut off, and can be anything.
        let whole = |lo: u64, hi: Option<u64>| hi.filter(|hi| *hi <= ANY.1).map_or(ANY, |hi| (lo, hi));
        let ones = |hi: u64| (hi + 1).next_power_of_two() - 1;
        match one.opcode {
            "mov.u32" | "mov.b32" if one.operands.len() == 2 => of(1),
            "and.b32" => (0, of(1).1.min(of(2).1)),
            "or.b32" => (of(1).0.max(of(2).0), ones(of(1).1.max(of(2).1))),
            "xor.b32" => (0, ones(of(1).1.max(of(2).1))),
            "add.s32" | "add.u32" => whole(of(1).0 + of(2).0, of(1).1.checked_add(of(2).1)),
            "mul.lo.s32" | "mul.lo.u32" => whole(of(1).0 * of(2).0, of(1).1.checked_mul(of(2).1)),
            "mad.lo.s32" | "mad.lo.u32" => {
                let most = of(1).1.checked_mul(of(2).1).and_then(|product| product.checked_add(of(3).1));
                most.filter(|most| *most <= ANY.1).map_or(ANY, |most| (of(1).0 * of(2).0 + of(3).0, most))
            }
            "shl.b32" => match of(2) {
                (by, same) if by == same && by < 32 => whole(of(1).0 << by, Some(of(1).1 << by)),
                _ => ANY,
            },
            "shr.u32" => match of(2) {
                (by, same) if by == same && by < 32 => (of(1).0 >> by, of(1).1 >> by),
                _ => (0, of(1).1),
            },
            "min.u32" => (of(1).0.min(of(2).0), of(1).1.min(of(2).1)),
            "max.u32" => (of(1).0.max(of(2).0), of(1).1.max(of(2).1)),
            "min.s32" if of(1).1 <= MOST && of(2).1 <= MOST => (of(1).0.min(of(2).0), of(1).1.min(of(2).1)),
            "max.s32" if of(1).1 <= MOST && of(2).1 <= MOST => (of(1).0.max(of(2).0), of(1).1.max(of(2).1)),
            // Of one that is not negative.
            "max.s32" if of(1).1 <= MOST => (of(1).0, MOST),
            "max.s32" if of(2).1 <= MOST => (of(2).0, MOST),
            "selp.b32" => (of(1).0.min(of(2).0), of(1).1.max(of(2).1)),
            "div.u32" if of(2).0 > 0 => (of(1).0 / of(2).1, of(1).1 / of(2).0),
            "rem.u32" if of(2).0 > 0 => (0, of(1).1.min(of(2).1 - 1)),
            "popc.b32" => (0, 32),
            "cvt.u32.u8" => (0, 255),
            "cvt.u32.u16" => (0, 65535),
            load if load.starts_with("ld.") && !one.operands[0].starts_with('{') => match load.rsplit('.').next() {
                Some("b8" | "u8") => (0, 255),
                Some("b16" | "u16") => (0, 65535),
                _ => ANY,
            },
            _ => ANY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ptx::plant;
    use super::*;

    /// The faults of a kernel's lines that are proven, as class and text.
    fn proven(text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let all = plant(&lines).into_iter().filter(|planted| is_proven(&lines, planted));
        all.map(|planted| format!("{}: {}", planted.class, planted.text.replace(['\t', ';'], ""))).collect()
    }

    #[test]
    fn conditions_are_asked() {
        let difference = "sub.rn.f32 \t%r3, %r1, %r2;\nabs.f32 \t%r4, %r3;\n";
        assert_eq!(proven(difference), ["swapped operands: sub.rn.f32 %r3, %r2, %r1"]);
        assert!(proven(&format!("{difference}st.global.b32 \t[%rd1], %r3;")).is_empty());

        let sign = "mov.u32 \t%r1, %tid.x;\nand.b32 \t%r2, %r1, 31;\nsetp.lt.u32 \t%p1, %r2, %r1;\n";
        assert_eq!(proven(sign), ["sign: setp.lt.s32 %p1, %r2, %r1"]);
        assert!(proven(&format!("{sign}add.s32 \t%r1, %r1, -1;")).is_empty(), "a second assignment");
        assert_eq!(proven("cvt.rn.f32.u16 \t%r1, %rs1;"), ["rounding: cvt.rz.f32.u16 %r1, %rs1"]);
        assert!(proven("cvt.rn.f32.u32 \t%r1, %r2;").is_empty());
        let lane = "and.b32 \t%r2, %r1, 30;\nshfl.sync.idx.b32 \t%r3, %r4, %r2, 31, -1;";
        assert_eq!(proven(lane), ["shuffle clamp: shfl.sync.idx.b32 %r3, %r4, %r2, 30, -1"]);
    }

    #[test]
    fn an_estimate_is_mended() {
        let text = "mul.rn.f32 \t%r2, %r1, 0f3EAAAAAB;\nneg.f32 \t%r3, %r1;\nfma.rn.f32 \t%r4, %r2, 0f40400000, %r3;\n\
            min.f32 \t%r5, %r4, 0f7F7FFFFF;\nfma.rn.f32 \t%r6, %r5, 0fBEAAAAAB, %r2;\n";
        let expected = ["rounding: mul.rz.f32 %r2, %r1, 0f3EAAAAAB", "float constant: mul.rn.f32 %r2, %r1, 0f3EBAAAAB"];
        assert_eq!(proven(text), expected);
        assert!(proven(&format!("{text}st.global.b32 \t[%rd1], %r2;")).is_empty(), "who else reads it sees it");
        assert!(proven(&text.replace("0fBEAAAAAB", "0fBEAAAAAA")).is_empty());
        // By five the constant that is planted is too far.
        let five = text.replace("3EAAAAAB", "3E4CCCCD").replace("40400000", "40A00000").replace("BEAAAAAB", "BE4CCCCD");
        assert_eq!(proven(&five), ["rounding: mul.rz.f32 %r2, %r1, 0f3E4CCCCD"]);
    }

    #[test]
    fn a_division_by_64_bits_is_right() {
        let text = "max.u64 \t%rd2, %rd9, 1;\nor.b64 \t%rd3, %rd1, %rd2;\nand.b64 \t%rd4, %rd3, -4294967296;\n\
            setp.ne.b64 \t%p1, %rd4, 0;\n@%p1 bra \t$L1;\nbra.uni \t$L2;\n$L1:\ndiv.u64 \t%rd5, %rd1, %rd2;\nbra.uni \t$L3;\n\
            $L2:\ncvt.u32.u64 \t%r1, %rd2;\ncvt.u32.u64 \t%r2, %rd1;\ndiv.u32 \t%r3, %r2, %r1;\ncvt.u64.u32 \t%rd5, %r3;\n$L3:";
        let expected = [
            "operation: or.b64 %rd4, %rd3, -4294967296",
            "immediate: and.b64 %rd4, %rd3, -4294967295",
            "immediate: setp.ne.b64 %p1, %rd4, 1",
            "immediate: setp.ne.b64 %p1, %rd4, -1",
            "dropped predicate: bra $L1",
        ];
        assert_eq!(proven(text), expected);
        assert!(proven(&text.replace("max.u64 \t%rd2, %rd9, 1", "mov.b64 \t%rd2, %rd9")).is_empty());
    }
}
