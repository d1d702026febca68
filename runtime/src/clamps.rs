//! Clamped indices stay where they are computed, before the loop that reads at them.
//!
//! ```text
//! %x = call i64 @llvm.smin.i64(i64 %column, i64 %last)      %clamp = call i64 @llvm.smin.i64(i64 %column, i64 %last)
//! br label %loop                                            %x = freeze i64 %clamp
//!                                                      ──▶  br label %loop
//! loop:                                                     loop:
//!   ... load at %row + %x - 1, at %row + %x, ...              ... load at %row + %x - 1, at %row + %x, ...
//! ```
//!
//! Loop strength reduction, of LLVM's code generator, sees through minima and maxima, and makes each address of a loop anew from all that it is a sum of. What
//! does not change in the loop is hoisted again from machine code, but for minima and maxima: these go by flags, which one place alone can have. So a 3x3
//! layer had more instructions for the same twelve clamps than it had of its own. Through a freeze LSR does not see; it is no instruction.

use inkwell::basic_block::BasicBlock;
use inkwell::module::{Linkage, Module};
use inkwell::values::{BasicValue, InstructionOpcode, InstructionValue, IntValue};

use crate::checks::callee;
use crate::error::{Result, compile_error};
use crate::instructions::link;

/// What computes a clamp.
const CLAMPS: [&str; 4] = ["llvm.smin.i64", "llvm.smax.i64", "llvm.umin.i64", "llvm.umax.i64"];

/// A freeze as a function: inkwell builds none.
const FREEZE: &str = "weft.freeze";

/// Freezes the clamps of indices in a module, by calls of a function that is to be inlined; whether there are any. It goes behind all passes: they would see that some freezes are none.
pub(crate) fn freeze(module: &Module<'_>) -> Result<bool> {
    let is_clamp = |op: &InstructionValue| {
        callee(*op).is_some_and(|function| function.get_name().to_str().is_ok_and(|name| CLAMPS.contains(&name)))
    };
    // Where a loop begins that keeps sums in registers, a reduce: elsewhere addresses are used once or twice.
    let is_carried = |block: BasicBlock| {
        let phis = block.get_instructions().take_while(|op| op.get_opcode() == InstructionOpcode::Phi);
        phis.into_iter().any(|phi| phi.get_type().is_vector_type())
    };
    let is_before_reduce = |block: &BasicBlock| {
        let end = block.get_terminator();
        end.is_some_and(|end| end.get_operands().flatten().filter_map(|operand| operand.block()).any(is_carried))
    };
    let blocks = module.get_functions().flat_map(|function| function.get_basic_blocks());
    let blocks = blocks.filter(is_before_reduce);
    let clamps: Vec<InstructionValue> = blocks.flat_map(|block| block.get_instructions()).filter(is_clamp).collect();
    if clamps.is_empty() {
        return Ok(false);
    }
    let text =
        format!("define i64 @{FREEZE}(i64 %clamp) alwaysinline {{\n  %x = freeze i64 %clamp\n  ret i64 %x\n}}\n");
    link(module, &text)?;
    let Some(freeze) = module.get_function(FREEZE) else { return Err(compile_error("a function was lost")) };
    // It was linked from outside; now nobody else can call it, and it is dropped.
    freeze.set_linkage(Linkage::Internal);
    let builder = module.get_context().create_builder();
    for clamp in clamps {
        builder.position_before(&clamp);
        let again = clamp.explicit_clone();
        builder.insert_instruction(&again, None);
        let value = IntValue::try_from(again).map_err(|()| compile_error("a clamp is no index"))?;
        let call =
            builder.build_call(freeze, &[value.into()], "").map_err(|error| compile_error(&error.to_string()))?;
        if let Some(frozen) = call.try_as_basic_value().basic().and_then(|value| value.as_instruction_value()) {
            clamp.replace_all_uses_with(&frozen);
        }
        clamp.erase_from_basic_block();
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use inkwell::context::Context;

    use crate::instructions::link;

    /// How many freezes a function has behind its clamp, where a loop begins whose accumulator is of a type.
    fn freezes(accumulator: &str) -> usize {
        let text = format!(
            "define void @row(ptr %image, i64 %column, i64 %last, {accumulator} %zero) {{
               %x = call i64 @llvm.smin.i64(i64 %column, i64 %last)
               br label %loop
             loop:
               %k = phi i64 [ 0, %0 ], [ %next, %loop ]
               %sum = phi {accumulator} [ %zero, %0 ], [ %more, %loop ]
               %place = mul i64 %k, 528
               %index = add i64 %place, %x
               %address = getelementptr float, ptr %image, i64 %index
               %point = load {accumulator}, ptr %address, align 4
               %more = fadd {accumulator} %sum, %point
               %next = add i64 %k, 1
               %goes_on = icmp ult i64 %next, 16
               br i1 %goes_on, label %loop, label %done
             done:
               store {accumulator} %more, ptr %image, align 4
               ret void
             }}
             declare i64 @llvm.smin.i64(i64, i64)"
        );
        let context = Context::create();
        let module = context.create_module("row");
        link(&module, &text).expect("the text is right");
        super::freeze(&module).expect("it has a clamp, or none");
        module.verify().expect("it stays verified");
        module.to_string().matches(" = call i64 @weft.freeze(i64 ").count()
    }

    #[test]
    fn a_clamp_before_a_reduce_of_vectors_is_frozen() {
        assert_eq!(freezes("<16 x float>"), 1);
        assert_eq!(freezes("float"), 0);
    }
}
