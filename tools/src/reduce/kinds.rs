//! The reductions: each is a number among those of its kind, in the order of an op's place from the end.

use melior::{
    Context,
    ir::{
        Attribute, BlockLike, BlockRef, Module, OperationRef, RegionLike, Type, TypeLike, Value, ValueLike,
        attribute::{
            ArrayAttribute, DenseI64ArrayAttribute, DictionaryAttribute, FloatAttribute, IntegerAttribute,
            TypeAttribute,
        },
        operation::{OperationBuilder, OperationLike, OperationMutLike},
        r#type::FunctionType,
    },
};
use mlir_glue::ir;
use std::collections::BTreeSet;
use weft_passes::ir::{is, is_inside};

/// What may be done to a program. Each makes it smaller, so that there is an end.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// An op that nobody uses goes: a function, a store, a stage that is left over.
    Erase,
    /// A function gives one result less.
    Result,
    /// A function gives what a result of it is made of.
    Source,
    /// What an op gives is one of the values that it is made of: a stage is its source, a sum one of its terms, a loop what it begins with.
    Operand,
    /// An image that a function makes is one that it is given.
    Given,
    /// A number in a body is 0.
    Zero,
    /// A window, or a domain, has one point in a dimension, or half of its points.
    Window,
    /// A function does not take what it does not use.
    Argument,
    /// An op has an attribute less: a schedule, what is said of arguments.
    Attribute,
}

impl Kind {
    /// All kinds: those that may take most away come first.
    pub const ALL: [Self; 9] = [
        Self::Erase,
        Self::Result,
        Self::Source,
        Self::Operand,
        Self::Given,
        Self::Zero,
        Self::Window,
        Self::Argument,
        Self::Attribute,
    ];

    /// Makes reduction `number` of this kind. `None` if there are not so many, and false if it cannot be made.
    pub fn apply(self, context: &Context, module: &Module, number: usize) -> Option<bool> {
        let all = ir::walk(module.as_operation());
        // Users before what they use; not the module.
        let ops = || all[1..].iter().rev().copied();
        match self {
            Self::Erase => {
                let op = ops().filter(|op| !is_terminator(*op) && !is_used(*op)).nth(number)?;
                erase_unused(op);
                Some(true)
            }
            Self::Result => {
                let of = |func: OperationRef<'_, '_>| (0..returned(func).map_or(0, |end| end.operand_count())).len();
                let (func, result) = nth(ops().filter(|op| is(*op, "func.func")), number, of)?;
                Some(drop_result(context, func, result).is_some())
            }
            Self::Source => {
                let of = |func: OperationRef<'_, '_>| sources(func).len();
                let (func, choice) = nth(ops().filter(|op| is(*op, "func.func")), number, of)?;
                let (result, source) = sources(func)[choice];
                Some(return_source(context, func, result, source).is_some())
            }
            Self::Operand => {
                let of = |op: OperationRef<'_, '_>| replacements(op).len();
                let (op, choice) = nth(ops(), number, of)?;
                let (result, by) = replacements(op)[choice];
                ir::replace_all_uses(result, by);
                erase_unused(op);
                Some(true)
            }
            Self::Given => {
                let of = |op: OperationRef<'_, '_>| images(op).len();
                let (op, choice) = nth(ops(), number, of)?;
                Some(make_argument(context, op, images(op)[choice]).is_some())
            }
            Self::Zero => {
                let is_number = |op: &OperationRef<'_, '_>| {
                    op.result_count() == 1
                        && !is(*op, "arith.constant")
                        && ir::result(*op, 0)
                            .is_some_and(|value| ir::has_uses(value) && zero(context, value.r#type()).is_some())
                };
                let op = ops().filter(is_number).nth(number)?;
                Some(make_zero(context, op).is_some())
            }
            Self::Window => {
                let of = |op: OperationRef<'_, '_>| narrower(op).len();
                let (op, choice) = nth(ops(), number, of)?;
                let (name, bounds) = narrower(op).swap_remove(choice);
                ir::mutable(op).set_attribute(name, DenseI64ArrayAttribute::new(context, &bounds).into());
                Some(true)
            }
            Self::Argument => {
                let of = |func: OperationRef<'_, '_>| unused_arguments(func).len();
                let (func, choice) = nth(ops().filter(|op| is(*op, "func.func")), number, of)?;
                Some(drop_argument(context, func, unused_arguments(func)[choice]).is_some())
            }
            Self::Attribute => {
                let (op, choice) = nth(ops(), number, |op| spare_attributes(op).len())?;
                Some(ir::mutable(op).remove_attribute(&spare_attributes(op)[choice]).is_ok())
            }
        }
    }
}

/// The op that has choice `number` of all, and which of its own that is.
fn nth<'c, 'a>(
    ops: impl Iterator<Item = OperationRef<'c, 'a>>,
    mut number: usize,
    choices: impl Fn(OperationRef<'c, 'a>) -> usize,
) -> Option<(OperationRef<'c, 'a>, usize)> {
    for op in ops {
        let own = choices(op);
        if number < own {
            return Some((op, number));
        }
        number -= own;
    }
    None
}

fn is_terminator(op: OperationRef) -> bool {
    op.block().and_then(|block| block.terminator()) == Some(op)
}

fn is_used(op: OperationRef) -> bool {
    op.results().any(|result| ir::has_uses(result.into()))
}

// ---- Values ------------------------------------------------------------------------------------------------------------------

/// The values from outside that an op is made of, in its regions too, each once.
fn made_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut seen = BTreeSet::new();
    let values = ir::walk(op).into_iter().flat_map(|inner| inner.operands().collect::<Vec<_>>());
    values.filter(|value| !is_inside(*value, op) && seen.insert(value.to_raw().ptr.addr())).collect()
}

/// Results that are used, and values of the same type that the op is made of.
fn replacements<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, Value<'c, 'a>)> {
    let results: Vec<Value> = op.results().map(Value::from).filter(|result| ir::has_uses(*result)).collect();
    if results.is_empty() {
        return Vec::new();
    }
    let values = made_of(op);
    let same = |result: Value<'c, 'a>| {
        let values = values.iter().filter(move |value| value.r#type() == result.r#type());
        values.map(move |value| (result, *value))
    };
    results.into_iter().flat_map(same).collect()
}

/// Erases an op, if nobody uses it, and then what was there for it alone.
fn erase_unused(op: OperationRef) {
    erase_all_unused(vec![op]);
}

fn erase_all_unused(mut waiting: Vec<OperationRef>) {
    let mut erased = BTreeSet::new();
    while let Some(op) = waiting.pop() {
        let number = op.to_raw().ptr.addr();
        // One that is gone already is not looked at.
        if !erased.contains(&number) && !is_used(op) {
            waiting.extend(made_of(op).into_iter().filter_map(ir::defining_op));
            erased.insert(number);
            ir::erase(op);
        }
    }
}

/// The number 0, of types of numbers.
fn zero<'c>(context: &'c Context, ty: Type<'c>) -> Option<Attribute<'c>> {
    if ty.is_float() {
        Some(FloatAttribute::new(context, ty, 0.0).into())
    } else if ty.is_integer() || ty.is_index() {
        Some(IntegerAttribute::new(ty, 0).into())
    } else {
        None
    }
}

fn make_zero(context: &Context, op: OperationRef) -> Option<()> {
    let value = ir::result(op, 0)?;
    let constant = OperationBuilder::new("arith.constant", op.location())
        .add_attributes(&[(melior::ir::Identifier::new(context, "value"), zero(context, value.r#type())?)])
        .add_results(&[value.r#type()])
        .build()
        .ok()?;
    let constant = op.block()?.insert_operation_before(op, constant);
    ir::replace_all_uses(value, ir::result(constant, 0)?);
    erase_unused(op);
    Some(())
}

/// The attributes without which an op is one all the same. (MLIR does not verify that the others are there, but prints them.)
fn spare_attributes(op: OperationRef) -> Vec<String> {
    let names = op.attributes().filter_map(|(name, _)| name.as_string_ref().as_str().ok().map(str::to_owned));
    let is_spare =
        |name: &String| name.contains('.') || ["arg_attrs", "res_attrs", "schedule"].contains(&name.as_str());
    names.filter(is_spare).collect()
}

// ---- Windows -----------------------------------------------------------------------------------------------------------------

/// The windows of an op (`window` of a reduce, `domain` of a scatter: lo, hi, lo, hi, ...), narrower in one dimension.
fn narrower(op: OperationRef) -> Vec<(&'static str, Vec<i64>)> {
    let mut found = Vec::new();
    for name in ["window", "domain"] {
        let Some(array) = op.attribute(name).ok().and_then(|array| DenseI64ArrayAttribute::try_from(array).ok()) else {
            continue;
        };
        let bounds: Vec<i64> = (0..array.len()).filter_map(|index| array.element(index).ok()).collect();
        for at in (0..bounds.len().saturating_sub(1)).step_by(2) {
            let points = bounds[at + 1].saturating_sub(bounds[at]);
            let fewer = [1, points / 2].into_iter().filter(|fewer| (1..points).contains(fewer));
            found.extend(fewer.map(|fewer| {
                let mut narrow = bounds.clone();
                narrow[at + 1] = narrow[at] + fewer;
                (name, narrow)
            }));
        }
    }
    found
}

// ---- Functions ---------------------------------------------------------------------------------------------------------------

fn body<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    func.region(0).ok()?.first_block()
}

fn returned<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    body(func)?.terminator().filter(|end| is(*end, "func.return"))
}

/// The last one first: the numbers of others stay when it goes.
fn unused_arguments(func: OperationRef) -> Vec<usize> {
    let Some(block) = body(func) else { return Vec::new() };
    let unused = ir::arguments(block).enumerate().filter(|(_, argument)| !ir::has_uses(*argument));
    let mut unused: Vec<usize> = unused.map(|(index, _)| index).collect();
    unused.reverse();
    unused
}

/// Gives a function the type that its body has.
fn retype(context: &Context, func: OperationRef) -> Option<()> {
    let block = body(func)?;
    let inputs: Vec<Type> = ir::arguments(block).map(|argument| argument.r#type()).collect();
    let results: Vec<Type> = returned(func)?.operands().map(|value| value.r#type()).collect();
    let ty = TypeAttribute::new(FunctionType::new(context, &inputs, &results).into());
    ir::mutable(func).set_attribute("function_type", ty.into());
    Some(())
}

/// Changes what is said of arguments (`arg_attrs`) or results (`res_attrs`): a dictionary for each.
fn describe<'c>(
    context: &'c Context,
    func: OperationRef<'c, '_>,
    name: &str,
    change: impl FnOnce(&mut Vec<Attribute<'c>>),
) {
    if let Some(all) = func.attribute(name).ok().and_then(|all| ArrayAttribute::try_from(all).ok()) {
        let mut list = (0..all.len()).filter_map(|index| all.element(index).ok()).collect();
        change(&mut list);
        ir::mutable(func).set_attribute(name, ArrayAttribute::new(context, &list).into());
    }
}

/// Lets a function return these values, and erases what was there for others alone.
fn make_return(context: &Context, func: OperationRef, values: &[Value]) -> Option<()> {
    let end = returned(func)?;
    let before: Vec<OperationRef> = end.operands().filter_map(ir::defining_op).collect();
    let new = OperationBuilder::new("func.return", end.location()).add_operands(values).build().ok()?;
    end.block()?.insert_operation_before(end, new);
    ir::erase(end);
    erase_all_unused(before);
    retype(context, func)
}

fn drop_result(context: &Context, func: OperationRef, dropped: usize) -> Option<()> {
    let mut values: Vec<Value> = returned(func)?.operands().collect();
    values.remove(dropped);
    describe(context, func, "res_attrs", |list| {
        list.remove(dropped);
    });
    make_return(context, func, &values)
}

/// The results of a function, by number, and the images that they are made of.
fn sources<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Vec<(usize, Value<'c, 'a>)> {
    let results = returned(func).into_iter().flat_map(|end| end.operands().enumerate().collect::<Vec<_>>());
    let of = |(number, value)| {
        let values = ir::defining_op(value).map(made_of).unwrap_or_default();
        values.into_iter().filter(|value| value.r#type().is_ranked_tensor()).map(move |value| (number, value))
    };
    results.flat_map(of).collect()
}

fn return_source<'c>(
    context: &'c Context,
    func: OperationRef<'c, '_>,
    number: usize,
    source: Value<'c, '_>,
) -> Option<()> {
    let mut values: Vec<Value> = returned(func)?.operands().collect();
    values[number] = source;
    // What was said of the result was of its type.
    describe(context, func, "res_attrs", |list| list[number] = DictionaryAttribute::new(context, &[]).into());
    make_return(context, func, &values)
}

/// The images that an op of a function's own block gives.
fn images<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let is_of_function = op.parent_operation().is_some_and(|func| is(func, "func.func"));
    let results =
        op.results().map(Value::from).filter(|result| result.r#type().is_ranked_tensor() && ir::has_uses(*result));
    results.filter(|_| is_of_function).collect()
}

fn make_argument<'c>(context: &'c Context, op: OperationRef<'c, '_>, image: Value<'c, '_>) -> Option<()> {
    let func = op.parent_operation()?;
    let argument = body(func)?.add_argument(image.r#type(), op.location());
    ir::replace_all_uses(image, argument);
    erase_unused(op);
    describe(context, func, "arg_attrs", |list| list.push(DictionaryAttribute::new(context, &[]).into()));
    retype(context, func)
}

fn drop_argument(context: &Context, func: OperationRef, dropped: usize) -> Option<()> {
    ir::erase_argument(body(func)?, dropped);
    describe(context, func, "arg_attrs", |list| {
        list.remove(dropped);
    });
    retype(context, func)
}

// ---- Extents -----------------------------------------------------------------------------------------------------------------

/// The text with an extent smaller wherever it stands in types: each one to 1, to 2, to 4, ...
pub fn smaller_extents(text: &str, number: usize) -> Option<String> {
    let mut all: Vec<u64> = extents(text).map(|(_, extent)| extent).collect();
    all.sort_unstable();
    all.dedup();
    let powers = |extent: u64| (0..u64::BITS).map(|bit| 1u64 << bit).take_while(move |power| *power < extent);
    let (old, new) = all.into_iter().rev().flat_map(|old| powers(old).map(move |new| (old, new))).nth(number)?;
    let mut changed = String::with_capacity(text.len());
    let mut from = 0;
    for (at, extent) in extents(text).filter(|(_, extent)| *extent == old) {
        changed.push_str(&text[from..at]);
        changed.push_str(&new.to_string());
        from = at + extent.to_string().len();
    }
    changed.push_str(&text[from..]);
    Some(changed)
}

/// The extents in types of tensors and memrefs, and where they stand.
fn extents(text: &str) -> impl Iterator<Item = (usize, u64)> {
    let types = ["tensor<", "memref<"].into_iter().flat_map(|kind| text.match_indices(kind));
    let mut starts: Vec<usize> = types.map(|(at, kind)| at + kind.len()).collect();
    starts.sort_unstable();
    starts.into_iter().flat_map(move |start| {
        let mut found = Vec::new();
        let mut at = start;
        // Extents end with an x: `480x?xf32`.
        while let Some((extent, _)) = text[at..].split_once('x') {
            match extent.parse() {
                Ok(number) if extent.bytes().all(|byte| byte.is_ascii_digit()) => found.push((at, number)),
                _ if extent == "?" => {}
                _ => break,
            }
            at += extent.len() + 1;
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::smaller_extents;

    #[test]
    fn extents_are_those_of_types() {
        let text = "tensor<6x?x3xf32> 6 memref<6xi8, strided<[6]>> tensor<?xindex> tensor<f32>";
        let all: Vec<String> = (0..).map_while(|number| smaller_extents(text, number)).collect();
        let with = |six, three| {
            format!("tensor<{six}x?x{three}xf32> 6 memref<{six}xi8, strided<[6]>> tensor<?xindex> tensor<f32>")
        };
        assert_eq!(all, [with(1, 3), with(2, 3), with(4, 3), with(6, 1), with(6, 2)]);
    }
}
