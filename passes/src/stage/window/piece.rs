//! A piece of a program: some images of it, and the ops that compute them from arguments and from images that are given.

use crate::ir::{Key, is, is_table, key, program, shape_of};
use melior::ir::{
    BlockRef, OperationRef, ShapedTypeLike, TypeLike, Value, ValueLike, operation::OperationLike,
    r#type::RankedTensorType,
};
use mlir_glue::ir;
use std::collections::HashSet;
use weft_dialects::{
    pipeline::{Load, Scatter, Unit},
    weft,
};

/// What the windows of a piece are windows of.
#[derive(Clone, Copy, PartialEq)]
pub enum Over<'c, 'a> {
    /// Of its first image.
    Image(Value<'c, 'a>),
    /// Of the domain of the scatter that computes it: each window gives a part of every sum.
    Domain(Scatter<'c, 'a>),
}

/// Some images of a program, computed by themselves.
#[derive(Clone)]
pub struct Piece<'c, 'a> {
    /// The program.
    pub func: OperationRef<'c, 'a>,
    /// What computes it, if it is not the program's last piece: the name of that.
    pub of: Option<String>,
    /// The images.
    pub images: Vec<Value<'c, 'a>>,
    /// Images of the program that are given, and not computed, with what they are called.
    pub given: Vec<(Value<'c, 'a>, String)>,
    /// What its windows are of; none where no image has a dimension.
    pub over: Option<Over<'c, 'a>>,
}

/// What tells the shape of an image from others: states and results of an iterate have that of what it begins with, and the results of a
/// unit have one.
pub fn shape(image: Value) -> Key {
    let of = shape_of(image);
    let unit = ir::defining_op(of).and_then(Unit::of);
    key(unit.and_then(|unit| ir::result(unit.op(), 0)).unwrap_or(of))
}

/// How many dimensions an image has.
pub fn rank(image: Value) -> usize {
    RankedTensorType::try_from(image.r#type()).map_or(0, |ty| ty.rank())
}

impl<'c: 'a, 'a> Piece<'c, 'a> {
    /// The block of the program.
    pub fn block(&self) -> BlockRef<'c, 'a> {
        crate::ir::only_block(self.func)
    }

    fn is_given(&self, image: Value<'c, 'a>) -> bool {
        self.given.iter().any(|(given, _)| *given == image)
    }

    /// The units and iterates that compute it, producers first.
    pub fn ops(&self) -> Vec<OperationRef<'c, 'a>> {
        let mut used: HashSet<Key> = self.images.iter().map(|image| key(*image)).collect();
        let mut ops = Vec::new();
        let all: Vec<_> = ir::operations(self.block()).filter(|op| program::is_program_op(*op)).collect();
        for op in all.into_iter().rev() {
            let results: Vec<Value> = op.results().map(Value::from).collect();
            if results.iter().any(|result| used.contains(&key(*result)) && !self.is_given(*result)) {
                used.extend(ir::walk(op).into_iter().flat_map(|op| op.operands().map(key).collect::<Vec<_>>()));
                ops.push(op);
            }
        }
        ops.reverse();
        ops
    }

    /// Those units, and those in the iterates.
    pub fn units(&self) -> Vec<Unit<'c, 'a>> {
        self.ops().into_iter().flat_map(ir::walk).filter_map(Unit::of).collect()
    }

    /// The arguments and given images that it reads or gives, tables not among them: arguments by their numbers.
    pub fn reads(&self) -> Vec<(Option<usize>, Value<'c, 'a>)> {
        let ops = self.ops();
        let read = |image: &Value<'c, 'a>| {
            let is_read = |op: &OperationRef<'c, 'a>| {
                ir::walk(*op).iter().any(|op| op.operands().any(|operand| operand == *image) && !is(*op, "tensor.dim"))
            };
            self.images.contains(image)
                && !ops.iter().any(|op| op.results().any(|result| Value::from(result) == *image))
                || ops.iter().any(is_read)
        };
        let arguments = ir::arguments(self.block()).enumerate().map(|(number, value)| (Some(number), value));
        let arguments = arguments.filter(|(_, value)| value.r#type().is_ranked_tensor());
        let given = self.given.iter().map(|(image, _)| (None, *image));
        arguments.chain(given).filter(|(_, image)| read(image)).collect()
    }

    /// What an argument of the program is called.
    pub fn argument_name(&self, number: usize) -> String {
        argument_name(self.func, number)
    }

    /// What an image that it reads is called: an argument, by its number, or one that is given.
    pub fn read_name(&self, argument: Option<usize>, image: Value<'c, 'a>) -> String {
        let given = || self.given.iter().find(|(given, _)| *given == image).map(|(_, name)| name.clone());
        argument.map_or_else(|| given().unwrap_or_default(), |number| self.argument_name(number))
    }

    /// What its image of this number is called: as a result of the program is, or as the piece.
    pub fn image_name(&self, number: usize) -> String {
        match &self.of {
            None => weft::name_at(self.func, true, number).map_or_else(|| format!("out{number}"), str::to_owned),
            Some(of) => given_name(of, number, self.images.len()),
        }
    }
}

/// What an argument of a program is called.
pub fn argument_name(func: OperationRef, number: usize) -> String {
    weft::name_at(func, false, number).map_or_else(|| format!("arg{number}"), str::to_owned)
}

/// What an image is called that a piece computes for others, of so many.
pub fn given_name(piece: &str, number: usize, count: usize) -> String {
    if count == 1 { piece.to_owned() } else { format!("{piece}_{number}") }
}

/// Whether a load reads a table.
pub fn reads_table(load: Load) -> bool {
    ir::defining_op(load.source()).is_some_and(is_table)
}
