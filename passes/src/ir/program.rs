//! Programs as functions: which they are, what stands in them, and putting it in order.
//!
//! A program is a `func.func` of one block on tensors: units of work (stages, scans, scatters), groups, and iterates, whose bodies
//! are such blocks again; index arithmetic for extents; a return.
//!
//! ```text
//! %h = tensor.dim %img, %c0                             %h, %h2 first                (hoist_scalars)
//! %a = stage ... sized(%h)                              %a = stage ... sized(%h)
//! %n = tensor.dim %a, %c0                       ──▶     %b = stage ... sized(%h2)
//! %h2 = arith.divui %n, %c2                             what was %n is %h            (resolve_dims)
//! %b = stage ... sized(%h2)
//! ```

use super::{
    builder::{Builder, Key, key},
    number::Number,
    query::{constant_index, dim_of, is, result_number, shape_of, symbol},
    table::is_table,
};
use melior::{
    Context,
    ir::{
        BlockLike, BlockRef, OperationRef, RegionLike, ShapedTypeLike, TypeLike, Value, ValueLike,
        operation::{OperationLike, OperationMutLike},
        r#type::RankedTensorType,
    },
};
use mlir_glue::{Diagnostic, ir};
use std::collections::{HashMap, HashSet, hash_map::Entry};
use weft_dialects::pipeline::{Group, Iterate, Stage, Unit};

/// The functions of a module that hold units of work, or that others may call and that return nothing but what they are given.
pub fn programs<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let is_program = |func: &OperationRef| ir::walk(*func).iter().any(|op| Unit::of(*op).is_some()) || is_copy(*func);
    ir::walk(module).into_iter().filter(|op| is(*op, "func.func")).filter(is_program).collect()
}

/// Whether a function that others may call returns images that are its arguments, or tables, and does nothing else.
fn is_copy(func: OperationRef) -> bool {
    let Ok(block) = entry(func) else { return false };
    let Some(end) = block.terminator().filter(|end| is(*end, "func.return") && end.operand_count() > 0) else {
        return false;
    };
    let is_given = |value: Value| value.r#type().is_ranked_tensor() && ir::defining_op(value).is_none_or(is_table);
    func.attribute("sym_visibility").is_err()
        && end.operands().all(is_given)
        && ir::operations(block).all(|op| op == end || is(op, "arith.constant"))
}

/// The block of a function with stages. Level 0 and 1 have no control flow.
///
/// # Errors
///
/// A function with branches; a `tensor.dim` of a dimension that its image does not have, which MLIR leaves undefined.
pub fn entry<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Result<BlockRef<'c, 'a>, Diagnostic<'c>> {
    let region = func.region(0).ok();
    let block = region.and_then(|region| region.first_block());
    let Some(block) = block.filter(|block| block.next_in_region().is_none()) else {
        let message = format!("@{} has several blocks, expected a program without branches", symbol(func));
        return Err(Diagnostic::on(func, message));
    };
    ir::operations(block).flat_map(ir::walk).filter(|op| is(*op, "tensor.dim")).try_for_each(check_dim)?;
    Ok(block)
}

/// That an image has the dimension whose extent is asked for.
fn check_dim<'c>(op: OperationRef<'c, '_>) -> Result<(), Diagnostic<'c>> {
    let rank = ir::operand(op, 0).and_then(|image| RankedTensorType::try_from(image.r#type()).ok());
    let asked = ir::operand(op, 1).and_then(constant_index);
    let (Some(rank), Some(asked)) = (rank.map(|ty| ty.rank()), asked) else { return Ok(()) };
    if (0..rank as i64).contains(&asked) {
        return Ok(());
    }
    Err(Diagnostic::on(op, format!("asks for dimension {asked}, expected 0 to {}", rank as i64 - 1)))
}

/// The blocks of a program: its own, and those of the iterates in it.
///
/// # Errors
///
/// A function with branches.
pub fn blocks<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Result<Vec<BlockRef<'c, 'a>>, Diagnostic<'c>> {
    let own = entry(func)?;
    Ok(std::iter::once(own).chain(iterates(own).map(Iterate::body)).collect())
}

/// The iterates of a block.
pub fn iterates<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = Iterate<'c, 'a>> {
    ir::operations(block).filter_map(Iterate::of)
}

/// The stage that gives a value, through the live-outs of groups, and which of its results that is.
pub fn result_of<'c, 'a>(value: Value<'c, 'a>) -> Option<(Stage<'c, 'a>, usize)> {
    let (unit, number) = unit_result_of(value)?;
    Some((Stage::of(unit.op())?, number))
}

/// The unit that gives a value, through the live-outs of groups, and which of its results that is.
fn unit_result_of<'c, 'a>(value: Value<'c, 'a>) -> Option<(Unit<'c, 'a>, usize)> {
    let op = ir::defining_op(value)?;
    let number = result_number(value);
    match Group::of(op) {
        Some(group) => unit_result_of(ir::operand(group.terminator()?, number)?),
        None => Some((Unit::of(op)?, number)),
    }
}

/// The stage that gives a value, through the live-outs of groups.
pub fn stage_of<'c, 'a>(value: Value<'c, 'a>) -> Option<Stage<'c, 'a>> {
    result_of(value).map(|(stage, _)| stage)
}

/// The unit that gives a value, through the live-outs of groups.
pub fn unit_of<'c, 'a>(value: Value<'c, 'a>) -> Option<Unit<'c, 'a>> {
    unit_result_of(value).map(|(unit, _)| unit)
}

/// Whether an op is a unit of work, a group or an iterate of them: what a program's block computes images with.
pub fn is_program_op(op: OperationRef) -> bool {
    Unit::of(op).is_some() || Group::of(op).is_some() || Iterate::of(op).is_some()
}

/// The units of a function, in groups or not, producers first.
pub fn units<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Vec<Unit<'c, 'a>> {
    ir::walk(func).into_iter().filter_map(Unit::of).collect()
}

/// What the stage that gives an image yields for it.
pub fn yielded<'c: 'a, 'a>(image: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let stage = ir::defining_op(image).and_then(Stage::of)?;
    ir::operand(stage.terminator()?, result_number(image))
}

/// Replaces `tensor.dim` of units, groups and iterates by the extents that the units were given; what remains asks arguments.
pub fn resolve_dims<'c: 'a, 'a>(context: &'c Context, func: OperationRef<'c, 'a>) {
    for op in ir::walk(func) {
        let Some((image, dimension)) = dim_of(op) else { continue };
        let image = shape_of(image);
        let Some(extent) = unit_of(image).and_then(|unit| unit.extents().get(dimension).copied()) else {
            ir::mutable(op).set_operand(0, image);
            continue;
        };
        let extent = Number::from(extent).value(&Builder::before(context, op));
        ir::replace_all_uses(op.result(0).expect("tensor.dim has a result").into(), extent);
        ir::erase(op);
    }
}

/// Gives each extent of an image in memory one name: a second `tensor.dim` of the same image and dimension goes. What is
/// equal can then be seen to be equal.
pub fn unify_dims<'c: 'a, 'a>(block: BlockRef<'c, 'a>) {
    let mut seen: HashMap<(Key, usize), Value> = HashMap::new();
    for op in ir::operations(block) {
        let Some((image, dimension)) = dim_of(op) else { continue };
        let extent: Value = op.result(0).expect("tensor.dim has a result").into();
        match seen.entry((key(image), dimension)) {
            Entry::Occupied(first) => {
                ir::replace_all_uses(extent, *first.get());
                ir::erase(op);
            }
            Entry::Vacant(first) => _ = first.insert(extent),
        }
    }
}

/// An op that a program computes images with: what becomes kernels together.
#[derive(Clone, Copy)]
pub enum ProgramOp<'c, 'a> {
    /// Stages that share a kernel.
    Group(Group<'c, 'a>),
    /// A unit by itself, that is no stage.
    Unit(Unit<'c, 'a>),
    /// The work of its body, again and again.
    Iterate(Iterate<'c, 'a>),
}

/// The groups that a result of the program depends on, in order.
pub fn live_groups<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Group<'c, 'a>> {
    let group = |op| match op {
        ProgramOp::Group(group) => Some(group),
        ProgramOp::Unit(_) | ProgramOp::Iterate(_) => None,
    };
    live_ops(block).into_iter().filter_map(group).collect()
}

/// The ops that a result of the program depends on, in order. What another one reads is not said to be needed, and need
/// not be there.
pub fn live_ops<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<ProgramOp<'c, 'a>> {
    let mut used: HashSet<Key> =
        block.terminator().into_iter().flat_map(|end| end.operands().map(key).collect::<Vec<_>>()).collect();
    let mut live = Vec::new();
    let ops: Vec<_> = ir::operations(block).collect();
    for op in ops.into_iter().rev().filter(|op| is_program_op(*op)) {
        if op.results().any(|result| used.contains(&key(result.into()))) {
            used.extend(ir::walk(op).into_iter().flat_map(|op| op.operands().map(key).collect::<Vec<_>>()));
            let other = || Iterate::of(op).map(ProgramOp::Iterate).or_else(|| Unit::of(op).map(ProgramOp::Unit));
            live.extend(Group::of(op).map(ProgramOp::Group).or_else(other));
        }
    }
    live.reverse();
    live
}

/// Moves what is no work and no return to the start of the block, out of groups and iterates too, and tables out of the bodies that read
/// them. Extents cannot depend on pixels, so after [`resolve_dims`] nothing that moves uses what stays.
///
/// # Errors
///
/// An op that does use an image.
pub fn hoist_scalars<'c>(block: BlockRef<'c, '_>) -> Result<(), Diagnostic<'c>> {
    let blocks = std::iter::once(block).chain(iterates(block).map(Iterate::body));
    for group in blocks.flat_map(ir::operations).filter_map(Group::of) {
        let inside = ir::operations(group.body()).filter(|op| !is_program_op(*op) && Some(*op) != group.terminator());
        inside.collect::<Vec<_>>().into_iter().for_each(|op| ir::mutable(op).move_before(group.op()));
    }
    for iterate in iterates(block) {
        let inside: Vec<_> = ir::operations(iterate.body()).filter(|op| !is_program_op(*op)).collect();
        for op in inside.into_iter().filter(|op| Some(*op) != iterate.terminator()) {
            if ir::walk(op).iter().any(|op| op.operands().any(|value| Iterate::begins_with(value).is_some())) {
                return Err(Diagnostic::on(op, NO_TENSORS));
            }
            ir::mutable(op).move_before(iterate.op());
        }
    }
    let end = block.terminator();
    let mut ops = ir::operations(block).collect::<Vec<_>>().into_iter();
    let Some(first) = ops.by_ref().find(|op| is_program_op(*op)) else { return Ok(()) };
    let scalars: Vec<_> = ops.filter(|op| !is_program_op(*op) && Some(*op) != end).collect();
    for op in scalars.iter().flat_map(|op| ir::walk(*op)) {
        if op.operands().any(|value| ir::defining_op(value).is_some_and(is_program_op)) {
            return Err(Diagnostic::on(op, NO_TENSORS));
        }
    }
    scalars.into_iter().for_each(|op| ir::mutable(op).move_before(first));
    let bodies = ir::operations(block).filter(|op| is_program_op(*op)).flat_map(ir::walk);
    let tables: Vec<_> = bodies.filter(|op| is_table(*op)).collect();
    tables.into_iter().for_each(|op| ir::mutable(op).move_before(first));
    Ok(())
}

/// What is said of an op that has no place in a program.
pub const NO_TENSORS: &str = "takes or gives a tensor, which in a program only stages, scans, scatters, groups, iterates, loads, return, and tensor.dim with a constant may";

/// Puts the stages of groups back into their block: for a target that computes each stage whole.
pub fn flatten_groups(block: BlockRef) {
    for group in ir::operations(block).filter_map(Group::of) {
        let Some(end) = group.terminator() else { continue };
        for op in ir::operations(group.body()).filter(|op| *op != end) {
            ir::mutable(op).move_before(group.op());
        }
        for (result, value) in group.op().results().zip(end.operands()) {
            ir::replace_all_uses(result.into(), value);
        }
        ir::erase(group.op());
    }
}
