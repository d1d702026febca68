//! Making an intermediate stage a result of its program, so that it can be looked at.
//!
//! ```text
//! func @f(...) -> tensor<...> {                     func @f(...) -> (tensor<...>, tensor<...> {weft.name = "a"}) {
//!   %a = stage "a" ...                      ──▶       %a = stage "a" ...
//!   %b = stage "b" ...                                %b = stage "b" ...
//!   return %b                                         return %b, %a
//! ```

use crate::ir::{
    Builder, only_block,
    program::{entry, units},
};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, Identifier, OperationRef, Type, Value, ValueLike,
        attribute::{ArrayAttribute, DictionaryAttribute, TypeAttribute},
        operation::{OperationLike, OperationMutLike},
        r#type::FunctionType,
    },
};
use mlir_glue::{Diagnostic, ir};
use weft_dialects::pipeline::{Group, Unit};

/// Makes every result of the stages called `name` a result of the program too, so that it can be looked at. The results
/// are called `name`, then `name.1` and so on.
///
/// # Errors
///
/// No stage of that name; the message lists those there are.
pub fn expose<'c: 'a, 'a>(context: &'c Context, func: OperationRef<'c, 'a>, name: &str) -> Result<(), Diagnostic<'c>> {
    let stages = units(func);
    let Some(stage) = stages.iter().find(|stage| stage.name() == name) else {
        let names: Vec<_> = stages.iter().map(|stage| stage.name()).collect();
        return Err(Diagnostic::on(func, format!("has no stage \"{name}\", expected one of {}", names.join(", "))));
    };
    let block = entry(func)?;
    let group = stage.op().parent_operation().and_then(Group::of);
    let images: Vec<Value> = match group {
        Some(group) => yield_all(context, group, *stage),
        None => stage.op().results().map(Value::from).collect(),
    };
    let end = block.terminator().ok_or_else(|| Diagnostic::on(func, "has no return"))?;
    let results: Vec<Value> = end.operands().chain(images.iter().copied()).collect();
    ir::mutable(end).set_operands(&results);

    let count = results.len() - images.len();
    let b = Builder::before(context, func);
    let array = func.attribute("res_attrs").ok().and_then(|array| ArrayAttribute::try_from(array).ok());
    let empty: Attribute = DictionaryAttribute::new(context, &[]).into();
    let mut attributes: Vec<Attribute> =
        (0..count).map(|i| array.as_ref().and_then(|array| array.element(i).ok()).unwrap_or(empty)).collect();
    for index in 0..images.len() {
        let name = if index == 0 { name.to_owned() } else { format!("{name}.{index}") };
        let entry = (Identifier::new(context, weft_dialects::weft::NAME), b.string_attribute(&name));
        attributes.push(DictionaryAttribute::new(context, &[entry]).into());
    }
    let inputs: Vec<Type> = ir::arguments(block).map(|argument| argument.r#type()).collect();
    let types: Vec<Type> = results.iter().map(|result| result.r#type()).collect();
    let mut func = ir::mutable(func);
    func.set_attribute("function_type", TypeAttribute::new(FunctionType::new(context, &inputs, &types).into()).into());
    func.set_attribute("res_attrs", ArrayAttribute::new(context, &attributes).into());
    Ok(())
}

/// Adds the results of a stage to the live-outs of its group; returns them as the group gives them.
fn yield_all<'c: 'a, 'a>(context: &'c Context, group: Group<'c, 'a>, stage: Unit<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let end = group.terminator().expect("a verified group");
    let before: Vec<Value> = end.operands().collect();
    let added: Vec<Value> = stage.op().results().map(Value::from).collect();
    let live_outs: Vec<Value> = before.iter().chain(&added).copied().collect();
    let types: Vec<Type> = live_outs.iter().map(|value| value.r#type()).collect();
    let schedule = group.schedule().map(Attribute::from);
    let location = group.op().location();
    let made =
        Builder::before(context, group.op()).insert(Group::build(context, group.name(), schedule, &types, location));
    let new_end = only_block(made).append_operation(Group::build_yield(&live_outs, location));
    for op in ir::operations(group.body()).filter(|op| *op != end) {
        ir::mutable(op).move_before(new_end);
    }
    for (old, new) in group.op().results().zip(made.results()) {
        ir::replace_all_uses(old.into(), new.into());
    }
    ir::erase(group.op());
    made.results().skip(before.len()).map(Value::from).collect()
}
