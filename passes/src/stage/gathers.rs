//! What stages look up in tables, and how large tables are that are made of these.

use super::place::Place;
use crate::{
    analysis::{Ranges, Sizes, size_of},
    ir::{Key, TakenNames, program},
};
use melior::ir::{OperationRef, ShapedTypeLike, Type, Value, ValueLike, r#type::RankedTensorType};
use mlir_glue::{Diagnostic, Failure, ir};
use std::collections::BTreeSet;
use weft_dialects::pipeline::{Boundary, Load, Stage, static_extents};

/// Points of a stage for each element of a table that is made for it, at least.
const POINTS: i64 = 4;

/// Gathers of a stage from one table of known extents, at the same values, with `clamp`.
pub struct Gathers<'c, 'a> {
    pub stage: Stage<'c, 'a>,
    pub table: Value<'c, 'a>,
    pub extents: Vec<i64>,
    pub element: Type<'c>,
    /// In the order of the body, one at least.
    pub loads: Vec<(OperationRef<'c, 'a>, Place<'c, 'a>)>,
}

impl<'c: 'a, 'a> Gathers<'c, 'a> {
    /// All of a stage's.
    fn of(stage: Stage<'c, 'a>) -> Result<Vec<Self>, Failure<'c>> {
        let mut ranges = Ranges::default();
        let mut all: Vec<Self> = Vec::new();
        for op in ir::operations(stage.body()) {
            let Some(alone) = Self::alone(stage, op, &mut ranges)? else { continue };
            let keys = alone.keys();
            match all.iter_mut().find(|other| other.table == alone.table && other.keys() == keys) {
                Some(other) => other.loads.extend(alone.loads),
                None => all.push(alone),
            }
        }
        Ok(all)
    }

    fn alone(stage: Stage<'c, 'a>, op: OperationRef<'c, 'a>, ranges: &mut Ranges) -> Result<Option<Self>, Failure<'c>> {
        let is_gather = |load: &Load| load.boundary() == Boundary::Clamp && ir::name_of(load.op()) == Load::GATHER;
        let Some(load) = Load::of(op).filter(is_gather) else { return Ok(None) };
        let Ok(ty) = RankedTensorType::try_from(load.source().r#type()) else { return Ok(None) };
        let known = static_extents(ty).into_iter().map(|extent| extent.filter(|extent| *extent > 0));
        let Some(extents) = known.collect() else { return Ok(None) };
        let place = Place::of(stage, load, ranges)?;
        let table = load.source();
        Ok(place.map(|place| Self { stage, table, extents, element: ty.element(), loads: vec![(op, place)] }))
    }

    fn keys(&self) -> Vec<Option<Key>> {
        self.loads[0].1.keys()
    }

    /// What the loads add to the values, each once.
    pub fn offsets(&self) -> BTreeSet<&[i64]> {
        self.loads.iter().map(|(_, place)| &place.offsets[..]).collect()
    }
}

/// Goes through the gathers of stages that stand alone, with the number of elements that a table has at most that is worth making for them.
/// `size` are extents of images that are not known; names of stages are taken from those that are free.
pub fn for_all_gathers<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    size: &str,
    mut visit: impl FnMut(Gathers<'c, 'a>, i64, &mut TakenNames),
) -> Result<(), Failure<'c>> {
    let size = size_of(size).map_err(|message| Failure::from(Diagnostic::on(module, message)))?;
    for func in program::programs(module) {
        let block = program::entry(func)?;
        let sizes = Sizes::of_program(func, block, &size);
        let mut names: TakenNames = program::units(func).iter().map(|unit| unit.name().to_owned()).collect();
        for stage in ir::operations(block).filter_map(Stage::of).collect::<Vec<_>>() {
            let most = sizes.points(stage) / POINTS;
            for gathers in Gathers::of(stage)? {
                visit(gathers, most, &mut names);
            }
        }
    }
    Ok(())
}

/// Elements of a table.
pub fn elements(extents: &[i64]) -> i64 {
    extents.iter().copied().fold(1, i64::saturating_mul)
}
