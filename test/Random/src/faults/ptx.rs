//! Which faults there are: what a compiler gets wrong, in one line of PTX.
//!
//! ```text
//! setp.ge.s32 %p4, %r2, %r155        comparison: gt, lt          sign: u32          swapped: %r155, %r2
//! shfl.sync.up.b32 %r9, %r8, 1, 0    shuffle: down               lane: 2, 0         clamp: 1
//! ld.global.b32 %r1, [%rd1+4]        offset: +8
//! ```

use super::planted::{Planted, split};

/// All faults of a text, in its order.
pub fn plant(lines: &[&str]) -> Vec<Planted> {
    let mut all = Vec::new();
    for (line, text) in lines.iter().enumerate() {
        let Some(instruction) = Instruction::of(text) else { continue };
        let mut made = Vec::new();
        instruction.opcodes(&mut made);
        instruction.operands(&mut made);
        instruction.guards(&mut made);
        all.extend(made.into_iter().map(|(class, text)| {
            let probe = instruction.probe(class, &text);
            Planted { class, line, text, probe }
        }));
    }
    all
}

/// A class and a line.
type Fault = (&'static str, String);

/// A line in its parts.
pub(super) struct Instruction<'l> {
    pub(super) guard: Option<&'l str>,
    pub(super) opcode: &'l str,
    pub(super) operands: Vec<&'l str>,
}

impl<'l> Instruction<'l> {
    pub(super) fn of(line: &'l str) -> Option<Self> {
        let text = line.trim().strip_suffix(';')?;
        let (guard, text) = match text.starts_with('@') {
            true => text.split_once(char::is_whitespace).map(|(guard, text)| (Some(guard), text.trim()))?,
            false => (None, text),
        };
        if text.starts_with('.') || text.contains(':') {
            return None;
        }
        let (opcode, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Some(Self { guard, opcode, operands: split(rest, "{[", "}]") })
    }

    pub(super) fn name(&self) -> &'l str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    /// Whether it names a register.
    pub(super) fn mentions(&self, register: &str) -> bool {
        let words = |text: &str| {
            text.split(|c: char| !c.is_ascii_alphanumeric() && !"%._$".contains(c)).any(|word| word == register)
        };
        self.guard.is_some_and(words) || self.operands.iter().any(|operand| words(operand))
    }

    /// Whether it gives a register a value: one of the first operand, which others only use.
    pub(super) fn gives(&self, register: &str) -> bool {
        let is_use =
            matches!(self.name(), "st" | "bra" | "brx" | "bar" | "barrier" | "red" | "prefetch" | "ret" | "trap");
        let first =
            Self { guard: None, opcode: self.opcode, operands: self.operands.iter().take(1).copied().collect() };
        !is_use && first.mentions(register)
    }

    fn with(&self, guard: Option<&str>, opcode: &str, operands: &[String]) -> String {
        format!("\t{}{opcode} \t{};", guard.map_or(String::new(), |guard| format!("{guard} ")), operands.join(", "))
    }

    fn with_opcode(&self, opcode: &str) -> String {
        let operands: Vec<String> = self.operands.iter().map(|operand| (*operand).to_owned()).collect();
        self.with(self.guard, opcode, &operands)
    }

    fn with_operand(&self, place: usize, operand: &str) -> String {
        let mut operands: Vec<String> = self.operands.iter().map(|operand| (*operand).to_owned()).collect();
        operands[place] = operand.to_owned();
        self.with(self.guard, self.opcode, &operands)
    }

    /// Another instruction.
    fn opcodes(&self, made: &mut Vec<Fault>) {
        let table: &[(&'static str, &[&str], &str, &str)] = &[
            // Class, instructions, what is replaced, by what.
            ("comparison", &["setp"], ".ge", ".lt"),
            ("comparison", &["setp"], ".lt", ".ge"),
            ("comparison", &["setp"], ".gt", ".le"),
            ("comparison", &["setp"], ".le", ".gt"),
            ("comparison", &["setp"], ".eq", ".ne"),
            ("comparison", &["setp"], ".ne", ".eq"),
            ("comparison by one", &["setp"], ".ge", ".gt"),
            ("comparison by one", &["setp"], ".lt", ".le"),
            ("comparison by one", &["setp"], ".gt", ".ge"),
            ("comparison by one", &["setp"], ".le", ".lt"),
            ("sign", &["setp", "min", "max", "shr", "mul", "div", "rem"], ".s32", ".u32"),
            ("sign", &["setp", "min", "max", "shr", "mul", "div", "rem"], ".u32", ".s32"),
            ("shuffle", &["shfl"], ".up", ".down"),
            ("shuffle", &["shfl"], ".down", ".up"),
            ("shuffle", &["shfl"], ".bfly", ".down"),
            ("shuffle", &["shfl"], ".idx", ".up"),
            ("rounding", &["add", "sub", "mul", "fma", "div", "sqrt", "cvt"], ".rn", ".rz"),
            ("rounding", &["cvt"], ".rzi", ".rni"),
            ("rounding", &["cvt"], ".rmi", ".rni"),
            ("rounding", &["cvt"], ".rni", ".rzi"),
            ("operation", &["add"], "add", "sub"),
            ("operation", &["sub"], "sub", "add"),
            ("operation", &["min"], "min", "max"),
            ("operation", &["max"], "max", "min"),
            ("operation", &["and"], "and", "or"),
            ("operation", &["or"], "or", "and"),
            ("operation", &["shl"], "shl.b", "shr.u"),
        ];
        for (class, names, from, to) in table {
            // Of a comparison the whole word counts: .lt is not that of .ltu.
            let whole =
                self.opcode.split_inclusive('.').any(|part| part.trim_end_matches('.') == from.trim_start_matches('.'));
            let is_one = whole || !from.starts_with('.') && self.opcode.starts_with(from);
            // Lower halves of products have no sign.
            let is_same = *class == "sign" && self.opcode.contains(".lo.");
            if names.contains(&self.name()) && is_one && !is_same {
                made.push((class, self.with_opcode(&self.opcode.replacen(from, to, 1))));
            }
        }
        match self.name() {
            "bar" | "barrier" => made.push(("barrier", String::new())),
            "st" => made.push(("dropped store", String::new())),
            _ => {}
        }
    }

    /// Other operands.
    fn operands(&self, made: &mut Vec<Fault>) {
        let name = self.name();
        if name == "shfl" {
            // Destination, value, lane, clamp, who takes part.
            for (place, class) in [(2, "shuffle lane"), (3, "shuffle clamp")] {
                let number = self.operands.get(place).and_then(|text| text.parse::<i64>().ok());
                for other in
                    number.into_iter().flat_map(|number| [number + 1, number - 1]).filter(|n| (0..32).contains(n))
                {
                    made.push((class, self.with_operand(place, &other.to_string())));
                }
            }
            return;
        }
        if matches!(name, "bar" | "barrier" | "bra" | "brx") {
            return;
        }
        for (place, operand) in self.operands.iter().enumerate() {
            if let Some(address) = operand.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                // A parameter is no memory.
                if !self.opcode.contains(".param") {
                    let (base, offset) = address.split_once('+').unwrap_or((address, "0"));
                    let class = if name == "st" { "store offset" } else { "load offset" };
                    let size = if self.opcode.ends_with('8') {
                        1
                    } else if self.opcode.ends_with("16") {
                        2
                    } else {
                        4
                    };
                    for by in [size, -size] {
                        let offset = offset.parse::<i64>().unwrap_or(0) + by;
                        made.push((class, self.with_operand(place, &format!("[{base}+{offset}]"))));
                    }
                }
            } else if let Some(bits) = operand.strip_prefix("0f").and_then(|bits| u32::from_str_radix(bits, 16).ok()) {
                made.push(("float constant", self.with_operand(place, &format!("0f{:08X}", bits ^ 1 << 20))));
            } else if let Ok(number) = operand.parse::<i64>() {
                for other in [number + 1, number - 1] {
                    made.push(("immediate", self.with_operand(place, &other.to_string())));
                }
            }
        }
        // The last two, where their order counts.
        let is_symmetric = self.opcode.contains(".eq.") || self.opcode.contains(".ne.");
        let ordered = matches!(name, "sub" | "div" | "rem" | "setp" | "selp" | "fma" | "mad") && !is_symmetric;
        if let (true, [_, .., _, _, _] | [_, _, _]) = (ordered, &self.operands[..]) {
            let (a, b) = match name {
                "fma" | "mad" => (2, 3),
                _ => (1, 2),
            };
            let mut operands: Vec<String> = self.operands.iter().map(|operand| (*operand).to_owned()).collect();
            if operands.len() > b && operands[a] != operands[b] {
                operands.swap(a, b);
                made.push(("swapped operands", self.with(self.guard, self.opcode, &operands)));
            }
        }
    }

    /// The right instruction, behind one that stops the program if the fault would give another value, or, where none is given, would
    /// do anything else.
    fn probe(&self, class: &str, fault: &str) -> String {
        let right = self.with_opcode(self.opcode);
        let differs = match (class, self.guard) {
            ("dropped predicate", Some(guard)) => format!("\t{} trap;", negated(guard)),
            ("dropped instruction", Some(guard)) => format!("\t{guard} trap;"),
            _ => match (Instruction::of(fault), self.value()) {
                (Some(fault), Some((kind, compare))) => {
                    let mut operands: Vec<String> = fault.operands.iter().map(|text| (*text).to_owned()).collect();
                    let value = std::mem::replace(&mut operands[0], "%faulty".to_owned());
                    let fault = fault.with(fault.guard, fault.opcode, &operands);
                    return format!(
                        "\t{{\n\t.reg .pred %differs;\n\t.reg .{kind} %faulty;\n{fault}\n{right}\n\
                         \t{compare} \t%differs, %faulty, {value};\n\t@%differs trap;\n\t}}"
                    );
                }
                _ => "\ttrap;".to_owned(),
            },
        };
        format!("{differs}\n{right}")
    }

    /// The type of the register that it gives, and what compares two such.
    fn value(&self) -> Option<(&'static str, &'static str)> {
        if self.guard.is_some() || self.name() == "st" {
            return None;
        }
        let kind = self.operands.first()?.trim_end_matches(|digit: char| digit.is_ascii_digit());
        match kind {
            "%p" => Some(("pred", "xor.pred")),
            "%rs" => Some(("b16", "setp.ne.b16")),
            "%r" => Some(("b32", "setp.ne.b32")),
            "%rd" => Some(("b64", "setp.ne.b64")),
            _ => None,
        }
    }

    /// Other predicates.
    fn guards(&self, made: &mut Vec<Fault>) {
        let operands: Vec<String> = self.operands.iter().map(|operand| (*operand).to_owned()).collect();
        if let Some(guard) = self.guard {
            made.push(("dropped predicate", self.with(None, self.opcode, &operands)));
            made.push(("dropped instruction", String::new()));
            made.push(("negated predicate", self.with(Some(&negated(guard)), self.opcode, &operands)));
        }
    }
}

/// The other guard.
fn negated(guard: &str) -> String {
    match guard.strip_prefix("@!") {
        Some(name) => format!("@{name}"),
        None => guard.replacen('@', "@!", 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Vec<(&'static str, String)> {
        plant(&[line]).into_iter().map(|planted| (planted.class, planted.text.replace(['\t', ';'], ""))).collect()
    }

    #[test]
    fn lines_are_taken_apart() {
        let made = of("\tshfl.sync.up.b32 \t%r9, %r8, 1, 0, -1;");
        let expected = [
            ("shuffle", "shfl.sync.down.b32 %r9, %r8, 1, 0, -1"),
            ("shuffle lane", "shfl.sync.up.b32 %r9, %r8, 2, 0, -1"),
            ("shuffle lane", "shfl.sync.up.b32 %r9, %r8, 0, 0, -1"),
            ("shuffle clamp", "shfl.sync.up.b32 %r9, %r8, 1, 1, -1"),
        ];
        assert_eq!(made, expected.map(|(class, text)| (class, text.to_owned())));
        let made = of("\tst.global.v2.b32 \t[%rd1+4], {%r1, %r2};");
        assert_eq!(made[1], ("store offset", "st.global.v2.b32 [%rd1+8], {%r1, %r2}".to_owned()));
        assert!(
            of("$L__BB0_2:").is_empty()
                && of("\t.reg .b32 \t%r<5>;").is_empty()
                && of("\tld.param.b32 \t%r1, [f];").is_empty()
        );
        assert_eq!(of("\t@%p1 bra \t$L;").len(), 3);
        let probe = &plant(&["\tadd.s32 \t%r1, %r2, %r3;"])[0].probe;
        assert!(probe.contains("sub.s32 \t%faulty, %r2, %r3;") && probe.contains("%differs, %faulty, %r1;"), "{probe}");
    }
}
