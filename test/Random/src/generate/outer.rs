//! Numbers outside of stages, which stages use as they use what they load.
//!
//! ```text
//! func.func @f(%a0: tensor<?x37xf32>, %p0: f32)         an argument
//!   %v1 = tensor.dim %a0, 0                             an extent
//!   %v3 = arith.mulf %p0, %v2 : f32                     arithmetic, in which a division by 0 ends the program at entry
//! ```

use super::{
    data::{I64, Type, Value, number_text},
    program::Program,
};
use crate::check::Data;

impl Program<'_> {
    /// A number of one of the program's types.
    pub(super) fn outer(&mut self) -> Value {
        let ty = self.element();
        let mut value = self.outer_number(ty);
        while self.choices.chance(40) {
            let other = self.outer_number(ty);
            let ops: &[&str] = match ty.is_float() {
                true => &["addf", "mulf", "subf", "divf", "maximumf", "minimumf"],
                false => &["addi", "subi", "muli", "xori", "andi", "maxsi", "minui", "maxui"],
            };
            let divisions = ["divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi"];
            let op = match self.at_edges && !ty.is_float() && self.choices.chance(20) {
                true => self.choices.pick(&divisions),
                false => self.choices.pick(ops),
            };
            let name = self.define(&format!("arith.{op} {}, {} : {}", value.name, other.name, ty.name()));
            value = Value { name, ty };
        }
        value
    }

    /// An argument, a constant, an extent.
    fn outer_number(&mut self, ty: Type) -> Value {
        let name = match self.choices.weighted(&[(50, 0), (25, 1), (25, 2)]) {
            0 => return self.argument(ty),
            1 => {
                let number = match ty.is_float() {
                    true => self.choices.pick(&[0.75, -0.25, 0.0, -0.0]),
                    false => self.choices.pick(&[3.0, -5.0, 0.0, -1.0]),
                };
                self.define(&format!("arith.constant {} : {}", number_text(number, ty), ty.name()))
            }
            _ => {
                let image = self.choices.below(self.inputs.len());
                let extents = self.images[image].extents.clone();
                let extent = self.choices.pick(&extents);
                let index = extent.name.unwrap_or_else(|| self.index_constant(extent.value));
                let integer = if ty.is_float() { I64 } else { ty };
                let number = self.define(&format!("arith.index_cast {index} : index to {}", integer.name()));
                match ty.is_float() {
                    true => self.define(&format!("arith.sitofp {number} : i64 to {}", ty.name())),
                    false => number,
                }
            }
        };
        Value { name, ty }
    }

    /// An argument of a type: one that is there, or a new one.
    fn argument(&mut self, ty: Type) -> Value {
        let known: Vec<Value> =
            self.numbers.iter().map(|(value, _)| value.clone()).filter(|value| value.ty == ty).collect();
        if !known.is_empty() && self.choices.chance(50) {
            return self.choices.pick(&known);
        }
        let value = Value { name: format!("%p{}", self.numbers.len()), ty };
        let (seed, special) = (self.choices.below(1000) as u64, self.at_edges && self.choices.chance(60));
        self.numbers.push((value.clone(), Data { shape: Vec::new(), seed, special, is_number: true }));
        value
    }
}
