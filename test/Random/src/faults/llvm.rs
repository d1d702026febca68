//! Which faults there are in LLVM IR, one line each.
//!
//! ```text
//! %9 = icmp slt i64 %7, %8                   comparison: sge       by one: sle       sign: ult       swapped: %8, %7
//! %9 = add i64 %7, 6399                      operation: sub        immediate: 6400, 6398
//! %9 = select i1 %c, i64 %7, i64 %8          dropped select: always %7, always %8    swapped: %8, %7
//! %9 = getelementptr float, ptr %7, i64 %8   offset: one element further, or back
//! ```
//!
//! What is said of alignment, `inbounds`, `nuw` and `nsw` stays: a fault there need not show on any machine. Left alone is also what is not
//! ours: calls of OpenMP, and the structs in which LLVM passes values to its threads.

use super::planted::{Planted, split};

/// All faults of a text, in its order.
pub fn plant(lines: &[&str]) -> Vec<Planted> {
    let mut all = Vec::new();
    for (line, text) in lines.iter().enumerate() {
        let Some(instruction) = Instruction::of(text) else { continue };
        let mut made = Vec::new();
        instruction.words(&mut made);
        instruction.operands(&mut made);
        instruction.memory(&mut made);
        instruction.branch(&mut made);
        all.extend(made.into_iter().map(|(class, text)| {
            let probe = instruction.probe(&text);
            Planted { class, line, text, probe }
        }));
    }
    all
}

/// What probes need beside the code.
pub const PROBED: &str = "@weft_probed = internal global i8 0\n";

/// A class and a line.
type Fault = (&'static str, String);

/// A line in its parts: `%9 = add nsw i64 %7, 1` is `%9`, `add`, and the operands `nsw i64 %7` and `1`.
struct Instruction<'l> {
    line: &'l str,
    result: Option<&'l str>,
    name: &'l str,
    operands: Vec<&'l str>,
}

/// Instructions whose last two operands are of one type, which the first names.
const BINARY: &[&str] = &[
    "add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "and", "or", "xor", "shl", "lshr", "ashr", "fadd", "fsub",
    "fmul", "fdiv", "icmp", "fcmp",
];

/// Those whose operands have an order.
const ORDERED: &[&str] =
    &["sub", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "fsub", "fdiv", "icmp", "fcmp", "select"];

/// Class, instruction, what is replaced, by what.
const WORDS: &[(&str, &str, &str, &str)] = &[
    ("comparison", "icmp", "eq", "ne"),
    ("comparison", "icmp", "ne", "eq"),
    ("comparison", "icmp", "slt", "sge"),
    ("comparison", "icmp", "sge", "slt"),
    ("comparison", "icmp", "sgt", "sle"),
    ("comparison", "icmp", "sle", "sgt"),
    ("comparison", "icmp", "ult", "uge"),
    ("comparison", "icmp", "uge", "ult"),
    ("comparison", "icmp", "ugt", "ule"),
    ("comparison", "icmp", "ule", "ugt"),
    ("comparison", "fcmp", "olt", "oge"),
    ("comparison", "fcmp", "oge", "olt"),
    ("comparison", "fcmp", "ogt", "ole"),
    ("comparison", "fcmp", "ole", "ogt"),
    ("comparison", "fcmp", "oeq", "une"),
    ("comparison by one", "icmp", "slt", "sle"),
    ("comparison by one", "icmp", "sle", "slt"),
    ("comparison by one", "icmp", "sgt", "sge"),
    ("comparison by one", "icmp", "sge", "sgt"),
    ("comparison by one", "icmp", "ult", "ule"),
    ("comparison by one", "icmp", "ule", "ult"),
    ("comparison by one", "icmp", "ugt", "uge"),
    ("comparison by one", "icmp", "uge", "ugt"),
    ("comparison by one", "fcmp", "olt", "ole"),
    ("comparison by one", "fcmp", "ole", "olt"),
    ("comparison by one", "fcmp", "ogt", "oge"),
    ("comparison by one", "fcmp", "oge", "ogt"),
    ("sign", "icmp", "slt", "ult"),
    ("sign", "icmp", "sgt", "ugt"),
    ("sign", "icmp", "sle", "ule"),
    ("sign", "icmp", "sge", "uge"),
    ("sign", "icmp", "ult", "slt"),
    ("sign", "icmp", "ugt", "sgt"),
    ("sign", "sdiv", "sdiv", "udiv"),
    ("sign", "udiv", "udiv", "sdiv"),
    ("sign", "srem", "srem", "urem"),
    ("sign", "urem", "urem", "srem"),
    ("sign", "ashr", "ashr", "lshr"),
    ("sign", "lshr", "lshr", "ashr"),
    ("sign", "sext", "sext", "zext"),
    ("sign", "zext", "zext", "sext"),
    ("sign", "sitofp", "sitofp", "uitofp"),
    ("sign", "uitofp", "uitofp", "sitofp"),
    ("operation", "add", "add", "sub"),
    ("operation", "sub", "sub", "add"),
    ("operation", "mul", "mul", "add"),
    ("operation", "and", "and", "or"),
    ("operation", "or", "or", "and"),
    ("operation", "shl", "shl", "lshr"),
    ("operation", "fadd", "fadd", "fsub"),
    ("operation", "fsub", "fsub", "fadd"),
    ("operation", "fmul", "fmul", "fadd"),
    ("operation", "fdiv", "fdiv", "fmul"),
];

impl<'l> Instruction<'l> {
    fn of(line: &'l str) -> Option<Self> {
        // Instructions stand two further to the right than functions and labels.
        let text = line.strip_prefix("  ")?.split(", !").next()?;
        let (result, text) = match text.split_once(" = ") {
            Some((result, text)) if result.starts_with('%') => (Some(result), text),
            _ => (None, text),
        };
        let is_foreign = ["@__kmpc", ".reloaded", "omp_", "structArg"].iter().any(|word| line.contains(word));
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        (!is_foreign).then(|| Self { line, result, name, operands: split(rest, "{[(<", "}])>") })
    }

    fn with(&self, name: &str, operands: &[String]) -> String {
        let result = self.result.map_or(String::new(), |result| format!("{result} = "));
        format!("  {result}{name} {}", operands.join(", "))
    }

    fn owned(&self) -> Vec<String> {
        self.operands.iter().map(|operand| (*operand).to_owned()).collect()
    }

    fn with_operand(&self, place: usize, operand: String) -> String {
        let mut operands = self.owned();
        operands[place] = operand;
        self.with(self.name, &operands)
    }

    /// Another instruction, or another predicate of a comparison.
    fn words(&self, made: &mut Vec<Fault>) {
        for (class, name, from, to) in WORDS.iter().filter(|(_, name, ..)| *name == self.name) {
            let (first, _) = self.operands.first().and_then(|first| first.split_once(' ')).unwrap_or_default();
            // What a sum may not do says nothing of another operation.
            let operands = || {
                let mut operands = self.owned();
                let kept: Vec<&str> = operands[0].split(' ').filter(|word| !FLAGS.contains(word)).collect();
                operands[0] = kept.join(" ");
                operands
            };
            if from == name {
                made.push((class, self.with(to, &operands())));
            } else if first == *from {
                made.push((class, self.with_operand(0, self.operands[0].replacen(from, to, 1))));
            }
        }
        for (from, to) in [("smin", "smax"), ("smax", "smin"), ("umin", "umax"), ("umax", "umin")] {
            if self.name == "call" && self.line.contains(&format!("@llvm.{from}.")) {
                made.push(("operation", self.line.replacen(&format!("@llvm.{from}."), &format!("@llvm.{to}."), 1)));
            }
        }
    }

    /// Other operands.
    fn operands(&self, made: &mut Vec<Fault>) {
        let (first, last) = match (self.name, self.operands.len()) {
            (name, 2) if BINARY.contains(&name) => (0, 1),
            ("select", 3) => (1, 2),
            ("phi", _) => return self.phi(made),
            ("call", _) if self.line.contains("@llvm.fma.") => return self.arguments(made),
            _ => return,
        };
        for place in [first, last] {
            made.extend(
                constants(self.operands[place])
                    .into_iter()
                    .map(|(class, operand)| (class, self.with_operand(place, operand))),
            );
        }
        if ORDERED.contains(&self.name) {
            let mut operands = self.owned();
            match self.name {
                "select" => operands.swap(1, 2),
                _ => {
                    let (head, value) = self.operands[0].rsplit_once(' ').unwrap_or(("", self.operands[0]));
                    // A constant vector has spaces of its own.
                    if value.starts_with('%') && !self.operands[1].is_empty() {
                        operands[0] = format!("{head} {}", self.operands[1]);
                        operands[1] = value.to_owned();
                    }
                }
            }
            // Of what is or is not the same there is no order.
            let is_symmetric = ["eq ", "ne ", "oeq ", "une "].iter().any(|word| operands[0].starts_with(word));
            if operands != self.owned() && !is_symmetric {
                made.push(("swapped operands", self.with(self.name, &operands)));
            }
        }
        if self.name == "select" {
            let condition = self.operands[0];
            let ty = condition.rsplit_once(' ').map_or(condition, |(ty, _)| ty);
            for always in ["true", "false"] {
                let value = if ty == "i1" { always.to_owned() } else { format!("splat (i1 {always})") };
                made.push(("dropped select", self.with_operand(0, format!("{ty} {value}"))));
            }
        }
    }

    /// Where a loop starts.
    fn phi(&self, made: &mut Vec<Fault>) {
        for (place, operand) in self.operands.iter().enumerate() {
            let Some((head, rest)) = operand.split_once("[ ") else { continue };
            let Some((value, from)) = rest.split_once(", ") else { continue };
            for (class, value) in constants(value) {
                made.push((class, self.with_operand(place, format!("{head}[ {value}, {from}"))));
            }
        }
    }

    /// Factors and summands of a sum of products.
    fn arguments(&self, made: &mut Vec<Fault>) {
        let Some((head, rest)) = self
            .line
            .split_once("fma.")
            .and_then(|(head, rest)| rest.split_once('(').map(|(ty, rest)| (format!("{head}fma.{ty}("), rest)))
        else {
            return;
        };
        let arguments = split(rest.trim_end_matches(')'), "{[(<", "}])>");
        let [a, b, c] = arguments[..] else { return };
        made.push(("swapped operands", format!("{head}{a}, {c}, {b})")));
        for (class, b) in constants(b) {
            made.push((class, format!("{head}{a}, {b}, {c})")));
        }
    }

    /// Other places, stores left out, masks without effect.
    fn memory(&self, made: &mut Vec<Fault>) {
        let nothing = || "  ; nothing".to_owned();
        match (self.name, self.result) {
            ("store", _) => made.push(("dropped store", nothing())),
            ("call", None) if self.line.contains("@llvm.masked.store") => {
                made.push(("dropped store", nothing()));
            }
            ("getelementptr", Some(result)) if self.operands.len() == 3 => {
                let ty = self.operands[0].split(' ').rfind(|word| !FLAGS.contains(word)).unwrap_or("i8");
                let place = self.line.replacen(&format!("{result} = "), "%faulty = ", 1);
                for by in [1, -1] {
                    made.push(("offset", format!("{place}\n  {result} = getelementptr {ty}, ptr %faulty, i64 {by}")));
                }
            }
            _ => {}
        }
        if self.line.contains("@llvm.masked.") {
            // The mask is the only vector of truth values.
            let mask = self.line.split_once(" x i1> %").and_then(|(head, rest)| {
                let end = rest.find([',', ')'])?;
                Some(format!("{head} x i1> splat (i1 true){}", &rest[end..]))
            });
            made.extend(mask.map(|line| ("dropped predicate", line)));
        }
    }

    /// The other way, or always the first.
    fn branch(&self, made: &mut Vec<Fault>) {
        if let ("br", [_, first, second]) = (self.name, &self.operands[..]) {
            made.push(("dropped predicate", self.with_operand(0, "i1 true".to_owned())));
            let operands = [self.operands[0], second, first].map(str::to_owned);
            made.push(("negated predicate", self.with("br", &operands)));
        }
    }

    /// The right line, and a store to nowhere if the fault has another value; where it has none, in any case.
    fn probe(&self, fault: &str) -> String {
        let stop = "  store volatile i8 0, ptr null";
        let (Some(result), Some(ty)) = (self.result, self.ty()) else {
            // Nothing may stand between phis: the block's own end is behind all, but not here to be seen.
            return if self.name == "phi" { fault.to_owned() } else { format!("{stop}\n{}", self.line) };
        };
        let fault = fault.replacen(&format!("{result} = "), "%faulty = ", 1);
        let bits = ty.replace("half", "i16").replace("float", "i32").replace("double", "i64");
        let lanes = ty.strip_prefix('<').and_then(|rest| rest.split(' ').next());
        let any = match lanes {
            Some(lanes) => format!(
                "  %differs = icmp ne {bits} %right, %wrong\n  %mask = bitcast <{lanes} x i1> %differs to i{lanes}\n  \
                 %any = icmp ne i{lanes} %mask, 0"
            ),
            None => format!("  %any = icmp ne {bits} %right, %wrong"),
        };
        format!(
            "{}\n{fault}\n  %right = bitcast {ty} {result} to {bits}\n  %wrong = bitcast {ty} %faulty to {bits}\n{any}\n  \
             %place = select i1 %any, ptr null, ptr @weft_probed\n  store volatile i8 0, ptr %place",
            self.line
        )
    }

    /// The type of the value, if it can be compared.
    fn ty(&self) -> Option<String> {
        let ty = match self.name {
            "icmp" | "fcmp" => {
                let ty = type_of(self.operands[0].split_once(' ')?.1);
                match ty.split_once(" x ") {
                    Some((lanes, _)) => format!("{lanes} x i1>"),
                    None => "i1".to_owned(),
                }
            }
            "select" => type_of(self.operands[1]),
            "call" if self.line.contains("@llvm.fma.") => type_of(self.operands[0]),
            "sext" | "zext" | "sitofp" | "uitofp" => self.operands.last()?.rsplit_once(" to ")?.1.to_owned(),
            name if BINARY.contains(&name) => type_of(self.operands[0]),
            _ => return None,
        };
        (!ty.contains("ptr")).then_some(ty)
    }
}

/// What instructions promise.
const FLAGS: &[&str] = &["nuw", "nsw", "exact", "disjoint", "inbounds", "nusw", "nneg", "samesign"];

/// The type of `nsw i64 %7` or `<16 x float> %7`.
fn type_of(operand: &str) -> String {
    let mut rest = operand;
    while let Some((word, behind)) = rest.split_once(' ').filter(|(word, _)| FLAGS.contains(word)) {
        _ = word;
        rest = behind;
    }
    match rest.strip_prefix('<').and_then(|inside| inside.split_once('>')) {
        Some((inside, _)) => format!("<{inside}>"),
        None => rest.split(' ').next().unwrap_or_default().to_owned(),
    }
}

/// Other numbers at the end of an operand: `i64 3`, `3`, `<16 x i64> splat (i64 3)`, `splat (float 2.5)`.
fn constants(operand: &str) -> Vec<Fault> {
    let (inside, close) = match operand.strip_suffix(')') {
        Some(inside) => (inside, ")"),
        None => (operand, ""),
    };
    let (head, number) = match inside.rsplit_once(' ') {
        Some((head, number)) => (format!("{head} "), number),
        None => (String::new(), inside),
    };
    if let Ok(number) = number.parse::<i64>() {
        // A first operand without a type is one of a float's comparison, never a number.
        return [number.wrapping_add(1), number.wrapping_sub(1)]
            .map(|other| ("immediate", format!("{head}{other}{close}")))
            .into();
    }
    // Decimals are exact, others are the bits of an f64.
    let bits = match number.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if number.contains('.') => number.parse::<f64>().ok().map(f64::to_bits),
        None => None,
    };
    // By an eighth of its power of two, which every type of float has.
    let other = bits.filter(|bits| bits << 1 != 0).map(|bits| format!("{head}0x{:016X}{close}", bits ^ 1 << 49));
    other.map(|operand| ("float constant", operand)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Vec<(&'static str, String)> {
        plant(&[line]).into_iter().map(|planted| (planted.class, planted.text.trim().to_owned())).collect()
    }

    #[test]
    fn lines_are_taken_apart() {
        let made = of("  %9 = icmp slt i64 %7, 16");
        let expected = [
            ("comparison", "%9 = icmp sge i64 %7, 16"),
            ("comparison by one", "%9 = icmp sle i64 %7, 16"),
            ("sign", "%9 = icmp ult i64 %7, 16"),
            ("immediate", "%9 = icmp slt i64 %7, 17"),
            ("immediate", "%9 = icmp slt i64 %7, 15"),
            ("swapped operands", "%9 = icmp slt i64 16, %7"),
        ];
        assert_eq!(made, expected.map(|(class, text)| (class, text.to_owned())));
        let made = of("  %9 = getelementptr inbounds nuw float, ptr %7, i64 %8");
        assert!(made[1].1.ends_with("%9 = getelementptr float, ptr %faulty, i64 -1"), "{made:?}");
        let made = of("  %9 = fmul <8 x float> %7, splat (float 2.000000e+00)");
        assert_eq!(made[1].1, "%9 = fmul <8 x float> %7, splat (float 0x4002000000000000)");
        let made = of("  %9 = phi i64 [ 0, %3 ], [ %7, %8 ]");
        assert_eq!(made[0].1, "%9 = phi i64 [ 1, %3 ], [ %7, %8 ]");
        let made = of("  br i1 %9, label %3, label %4");
        assert_eq!(made[1].1, "br i1 %9, label %4, label %3");
        assert!(of("  call void @__kmpc_barrier(ptr @1, i32 %1)").is_empty() && of("define void @f() {").is_empty());
    }
}
