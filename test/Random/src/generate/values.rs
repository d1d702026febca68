//! What stages make of what they read.

use super::{
    data::{F16, I8, I16, I32, I64, Line, Type, Value},
    program::Program,
};

impl Program<'_> {
    /// A coordinate as a number.
    pub(super) fn coordinate(&mut self, body: &mut Vec<Line>, coordinates: &[&str]) -> Value {
        let coordinate = self.choices.pick(coordinates);
        let ty = self.choices.pick(&[I32, I64, I16]);
        let integer = self.add(body, &format!("arith.index_cast %{coordinate} : index to {}", ty.name()), ty);
        if !self.types[0].is_float() {
            return integer;
        }
        let to = self.types[0];
        let float = self.add(body, &format!("arith.sitofp {} : {} to {}", integer.name, ty.name(), to.name()), to);
        let small = self.number(body, 0.0078125, to);
        self.binary(body, "mulf", &float, &small)
    }

    /// The value of a stage, of what it has read.
    pub(super) fn combine(&mut self, body: &mut Vec<Line>, values: &[Value], ty: Type, coordinates: &[&str]) -> Value {
        let values: Vec<Value> = values.iter().map(|value| self.convert(body, value, ty)).collect();
        // f16 overflows soon.
        let is_sum = self.choices.chance(75) || ty == F16;
        let mut total = values[0].clone();
        if values.len() > 1 && is_sum && ty.is_float() {
            // Different weights: taps that change places show.
            let share = 1.0 / values.len() as f64;
            let weight = self.number(body, share, ty);
            total = self.binary(body, "mulf", &total, &weight);
            for (number, value) in values.iter().enumerate().skip(1) {
                let weight = self.number(body, share * (1.0 + number as f64 / 16.0), ty);
                let part = self.binary(body, "mulf", value, &weight);
                total = self.binary(body, "addf", &total, &part);
            }
        } else if values.len() > 2 && self.hides() && self.choices.chance(25) {
            total = self.extremes(body, &values);
        } else {
            for value in &values[1..] {
                total = self.join(body, &total, value);
            }
        }
        if self.choices.chance(25) {
            total = self.polish(body, &total, coordinates);
        }
        total
    }

    /// The greatest of what is the lesser of the first value and each other one, or the least of what is the greater.
    fn extremes(&mut self, body: &mut Vec<Line>, values: &[Value]) -> Value {
        let (least, greatest) = match values[0].ty.is_float() {
            true => ("minimumf", "maximumf"),
            false => self.choices.pick(&[("minsi", "maxsi"), ("minui", "maxui")]),
        };
        let (inner, outer) = self.choices.pick(&[(least, greatest), (greatest, least)]);
        let parts: Vec<Value> = values[1..].iter().map(|value| self.binary(body, inner, value, &values[0])).collect();
        let mut total = parts[0].clone();
        for part in &parts[1..] {
            total = self.binary(body, outer, &total, part);
        }
        total
    }

    /// One op on two values.
    pub(super) fn join(&mut self, body: &mut Vec<Line>, a: &Value, b: &Value) -> Value {
        let floats = ["addf", "subf", "subf", "addf", "mulf", "maximumf", "minimumf"];
        let integers = ["addi", "subi", "xori", "addi", "subi", "muli", "andi", "maxsi", "minui", "minsi", "maxui"];
        // What divides by 0, leaves the range, shifts by the width or more.
        let integers_at_edges =
            ["divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi", "ceildivui", "shli", "shrsi", "shrui"];
        let branch = self.choices.chance(12);
        if !branch {
            let is_at_edge = self.at_edges && self.choices.chance(30);
            let op = match (a.ty.is_float(), is_at_edge) {
                (true, false) => self.choices.pick(&floats),
                // A kernel knows no remainder of floats.
                (true, true) => "divf",
                (false, false) => self.choices.pick(&integers),
                (false, true) => self.choices.pick(&integers_at_edges),
            };
            return self.binary(body, op, a, b);
        }
        let compare = if a.ty.is_float() {
            let predicates =
                ["olt", "ule", "ugt", "oeq", "ueq", "ogt", "oge", "uge", "ole", "ult", "one", "une", "ord", "uno"];
            format!("cmpf {}", self.choices.pick(&predicates))
        } else {
            let predicates = ["slt", "ugt", "eq", "ne", "sle", "sgt", "sge", "ult", "ule", "uge"];
            format!("cmpi {}", self.choices.pick(&predicates))
        };
        let ty = a.ty.name();
        let condition = self.add(body, &format!("arith.{compare}, {}, {} : {ty}", a.name, b.name), a.ty);
        if self.choices.below(2) == 0 {
            return self.add(body, &format!("arith.select {}, {}, {} : {ty}", condition.name, a.name, b.name), a.ty);
        }
        let name = self.fresh();
        body.push(Line::Text(format!("{name} = scf.if {} -> ({ty}) {{", condition.name)));
        let sum = self.binary(body, if a.ty.is_float() { "addf" } else { "addi" }, a, b);
        body.push(Line::Text(format!("scf.yield {} : {ty}", sum.name)));
        body.push(Line::Text("} else {".to_owned()));
        body.push(Line::Text(format!("scf.yield {} : {ty}", b.name)));
        body.push(Line::Text("}".to_owned()));
        Value { name, ty: a.ty }
    }

    /// One op on one value.
    fn polish(&mut self, body: &mut Vec<Line>, value: &Value, coordinates: &[&str]) -> Value {
        let ty = value.ty;
        if !ty.is_float() {
            let bits = f64::from(ty.bits());
            let least = -(2f64.powf(bits - 1.0));
            let number = match self.at_edges && self.choices.chance(50) {
                true => self.choices.pick(&[0.0, 1.0, -1.0, bits - 1.0, bits, bits + 1.0, least]),
                false => 3.0,
            };
            let number = self.number(body, number, ty);
            let usual = ["addi", "muli", "remui", "shli", "shrsi", "shrui", "floordivsi", "divui", "andi"];
            let others = ["divsi", "remsi", "ceildivsi", "ceildivui"];
            let op = if self.choices.chance(20) { self.choices.pick(&others) } else { self.choices.pick(&usual) };
            // Either may be the divisor.
            let (a, b) = if self.at_edges && self.choices.chance(25) { (&number, value) } else { (value, &number) };
            return self.binary(body, op, a, b);
        }
        match self.choices.below(7) {
            0 => {
                let half = self.number(body, 0.5, ty);
                self.binary(body, "addf", value, &half)
            }
            1 => {
                // An odd integer, an even one, powers of two, numbers of all digits.
                let divisor = self.choices.pick(&[3.0, 3.0, 6.0, 10.0, 0.25, -8.0, 0.7, 1.055, -2.4, 1.983_128]);
                let divisor = self.number(body, divisor, ty);
                self.binary(body, "divf", value, &divisor)
            }
            2 => {
                let at = self.coordinate(body, coordinates);
                let at = self.convert(body, &at, ty);
                self.binary(body, "addf", value, &at)
            }
            3 => {
                // Of a zero of either sign it may give either: with another number it is exact.
                let half = self.number(body, 0.5, ty);
                let op = self.choices.pick(&["minnumf", "maxnumf"]);
                self.binary(body, op, value, &half)
            }
            4 if ty != F16 => {
                let op = self.choices.pick(&["sqrt", "floor", "ceil", "trunc", "round", "roundeven"]);
                let large = self.number(body, 1024.0, ty);
                let large = self.binary(body, "mulf", value, &large);
                let size = self.add(body, &format!("math.absf {} : {}", large.name, ty.name()), ty);
                let value = self.add(body, &format!("math.{op} {} : {}", size.name, ty.name()), ty);
                let small = self.number(body, 0.0009765625, ty);
                self.binary(body, "mulf", &value, &small)
            }
            5 => self.function(body, value),
            _ => self.add(body, &format!("arith.negf {} : {}", value.name, ty.name()), ty),
        }
    }

    /// A function of `--expand-math`, of a value that is brought to where the function is neither infinite nor constant.
    pub(super) fn function(&mut self, body: &mut Vec<Line>, value: &Value) -> Value {
        let ty = value.ty;
        let name = ty.name();
        let any = ["tanh", "atan", "sin", "cos", "tan", "cbrt"];
        let negative = ["exp", "exp2", "expm1"];
        let positive = ["log", "log2", "log10", "log1p", "rsqrt", "powf", "atan2"];
        let at_most_one = ["asin", "acos", "sinh", "cosh"];
        let op = self.choices.pick(&[&any[..], &negative, &positive, &at_most_one].concat());
        if any.contains(&op) {
            return self.add(body, &format!("math.{op} {} : {name}", value.name), ty);
        }
        let size = self.add(body, &format!("math.absf {} : {name}", value.name), ty);
        let half = self.number(body, 0.5, ty);
        let argument = if negative.contains(&op) {
            self.add(body, &format!("arith.negf {} : {name}", size.name), ty)
        } else if positive.contains(&op) {
            self.binary(body, "addf", &size, &half)
        } else {
            let one = self.number(body, 1.0, ty);
            self.binary(body, "minimumf", &size, &one)
        };
        let second = match op {
            "powf" => format!(", {}", half.name),
            "atan2" => format!(", {}", value.name),
            _ => String::new(),
        };
        self.add(body, &format!("math.{op} {}{second} : {name}", argument.name), ty)
    }

    /// The value in another type, scaled such that something of it is left.
    pub(super) fn convert(&mut self, body: &mut Vec<Line>, value: &Value, to: Type) -> Value {
        let from = value.ty;
        if from == to {
            return value.clone();
        }
        let is_wider = to.bits() > from.bits();
        let cast =
            |op: &str, value: &Value| format!("arith.{op} {} : {} to {}", value.name, value.ty.name(), to.name());
        match (from.is_float(), to.is_float()) {
            (true, true) => self.add(body, &cast(if is_wider { "extf" } else { "truncf" }, value), to),
            (true, false) => {
                // Values are about 1.
                let scale = self.number(body, if to == I8 { 50.0 } else { 5000.0 }, from);
                let large = self.binary(body, "mulf", value, &scale);
                let op = self.choices.weighted(&[(85, "fptosi"), (15, "fptoui")]);
                self.add(body, &cast(op, &large), to)
            }
            (false, true) => {
                let op = self.choices.weighted(&[(70, "sitofp"), (30, "uitofp")]);
                let float = self.add(body, &cast(op, value), to);
                // f16 ends at 65504: of wider integers much is infinite there.
                let small = self.number(body, 0.5f64.powi(from.bits().min(24) as i32 - 1), to);
                self.binary(body, "mulf", &float, &small)
            }
            (false, false) => {
                let op = match is_wider {
                    true => self.choices.pick(&["extsi", "extui"]),
                    false => "trunci",
                };
                self.add(body, &cast(op, value), to)
            }
        }
    }
}
