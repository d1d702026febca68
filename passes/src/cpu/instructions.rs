//! Functions that stand for an instruction, or a few: they say in plain ops what is computed, and who makes machine code puts the instruction in
//! their place where the CPU has one.
//!
//! ```text
//! func.func private @weft.dot4.x16       a dot product (`dots.rs`)
//! func.func private @weft.line32.x16     a stretch of two vectors (`vectorize/lines.rs`)
//! func.func private @weft.look_up256.x64 a look-up in registers (`look_ups.rs`)
//! func.func private @weft.quotient.x64   a quotient by a number whose inverse is known (`share_divisors.rs`)
//! func.func private @weft.scale.x16      floats times powers of two (`scale.rs`)
//! func.func private @weft.to_u8.x64      floats as bytes (`to_unsigned.rs`)
//! func.func private @weft.pack.u8.of16.x64   integers as shorter ones (`packs.rs`)
//! ```

use crate::ir::{Builder, is, one_block, only_block, symbol};
use melior::ir::{
    OperationRef, Type, Value, ValueLike, attribute::TypeAttribute, operation::OperationLike, r#type::FunctionType,
};
use mlir_glue::ir;

/// How their names begin.
pub const DOT: &str = "weft.dot";
pub const LINE: &str = "weft.line";
pub const LOOK_UP: &str = "weft.look_up";
pub const QUOTIENT: &str = "weft.quotient";
pub const SCALE: &str = "weft.scale";
pub const TO_UNSIGNED: &str = "weft.to_u";
pub const PACK: &str = "weft.pack.";

/// Whether an op calls one of them: it computes something, and does nothing else but read what its operands say.
pub fn is_instruction(op: OperationRef) -> bool {
    let callee = op.attribute("callee").ok().filter(|_| is(op, "func.call"));
    callee.is_some_and(|callee| is_name(callee.to_string().trim_matches(['@', '"'])))
}

fn is_name(name: &str) -> bool {
    [DOT, LINE, LOOK_UP, QUOTIENT, SCALE, TO_UNSIGNED, PACK].iter().any(|begin| name.starts_with(begin))
}

/// Whether an op stands in one of them.
pub fn is_in_instruction(op: OperationRef) -> bool {
    let mut around = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    around.any(|op| is(op, "func.func") && is_name(symbol(op)))
}

/// Whether registers are joined, or packed, to vectors of so many lanes: to a power of two.
pub fn are_lanes(lanes: i64) -> bool {
    lanes.count_ones() == 1 && (4..=256).contains(&lanes)
}

/// The module that an op stands in.
pub fn module_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    std::iter::successors(op.parent_operation(), |op| op.parent_operation()).find(|op| is(*op, "builtin.module"))
}

/// The functions of a module.
pub struct Functions<'c, 'a> {
    module: OperationRef<'c, 'a>,
    made: Vec<String>,
}

impl<'c: 'a, 'a> Functions<'c, 'a> {
    /// Those that are there.
    pub fn of(module: OperationRef<'c, 'a>) -> Self {
        let functions = ir::operations(only_block(module)).filter(|op| is(*op, "func.func"));
        Self { module, made: functions.map(|op| symbol(op).to_owned()).filter(|name| is_name(name)).collect() }
    }

    /// Calls one of a name, which is defined by what it gives for its operands.
    pub fn call(
        &mut self,
        b: &Builder<'c, 'a>,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Type<'c>,
        body: impl Fn(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        if !self.made.iter().any(|made| made == name) {
            let types: Vec<Type> = operands.iter().map(|operand| operand.r#type()).collect();
            let b = Builder::at_end(b.context(), only_block(self.module), self.module.location());
            let function = FunctionType::new(b.context(), &types, &[result]);
            let attributes = [
                ("sym_name", b.string_attribute(name)),
                ("function_type", TypeAttribute::new(function.into()).into()),
                ("sym_visibility", b.string_attribute("private")),
                ("passthrough", b.parse_attribute("[\"alwaysinline\"]")),
            ];
            let arguments: Vec<_> = types.into_iter().map(|ty| (ty, b.location())).collect();
            let made = b.op_with_regions("func.func", &[], &[], &attributes, vec![one_block(&arguments)]);
            let block = only_block(made);
            let b = Builder::at_end(b.context(), block, b.location());
            let given = body(&b, &ir::arguments(block).collect::<Vec<_>>());
            b.op("func.return", &[given], &[], &[]);
            self.made.push(name.to_owned());
        }
        b.value("func.call", operands, result, &[("callee", b.symbol_attribute(name))])
    }
}
