//! What the models know of a program: its stages, loads and extents as numbers and expressions, and what each point costs.
//!
//! ```text
//! func @f(%img: tensor<?x?xf32> {weft.estimate = array<i64: 4800, 6400>})       Program {
//!   %h = tensor.dim %img, %c0                                                      images: [4 bytes],
//!   %bx = stage "blurx" sized(%h, %w) { loads, arith ops }                ──▶      stages: ["blurx": extents [?0, ?1],
//!   return %bx                                                                       size [4800, 6400], accesses, work] }
//! ```
//!
//! Extents that are not known have names, equal for equal values, and for those that the program checks to be equal before it does any work. Where a cost needs a number, it is computed from the
//! estimates of the arguments; see [`Sizes`].

use super::{
    access::{self, Backwards},
    boundary,
    bounds::loads,
    op_cost::work,
    sizes::Sizes,
};
use crate::ir::{
    Compare, Key, Number, bits_of_element, bytes_of_element, constant_index, dim_of, is, is_inside, key, numbers,
    program, shape_of, widest_bytes,
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, ShapedTypeLike, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, RankedTensorType},
};
use mlir_glue::{Diagnostic, Failure, ir};
use std::collections::HashMap;
use weft_dialects::{
    pipeline::{Iterate, Load, Stage, Unit, static_extents},
    weft,
};
use weft_model::{Extent, Interleaved, Interval, Named, Padding, Program, Range, Source};

/// Names for numbers that are known at run time only: one number, one name, also where it is the program's checks that say that two are one.
#[derive(Default)]
pub struct Names {
    names: HashMap<Unknown, u32>,
    /// Of each name that checks tie to another: what it is of that.
    ties: HashMap<u32, Named>,
}

/// A number that is known at run time only.
#[derive(PartialEq, Eq, Hash)]
enum Unknown {
    /// An extent of an image in memory, however many `tensor.dim`s ask for it, or none.
    Dim(Key, usize),
    /// Any other.
    Value(Key),
}

impl Names {
    /// Names for numbers of the program that an op stands in: `cf.assert` of `arith.cmpi eq` ties what it compares.
    pub fn in_program_of(op: OperationRef) -> Self {
        let mut names = Self::default();
        let func = std::iter::successors(Some(op), |op| op.parent_operation()).find(|op| is(*op, "func.func"));
        let block = func.as_ref().and_then(|func| func.region(0).ok()).and_then(|region| region.first_block());
        for check in block.into_iter().flat_map(ir::operations).filter(|op| is(*op, "cf.assert")) {
            if let Some(condition) = ir::operand(check, 0) {
                names.tie(condition);
            }
        }
        names
    }

    /// Notes what a condition that holds says of numbers.
    fn tie(&mut self, condition: Value) {
        let Some((op, left, right)) =
            ir::defining_op(condition).and_then(|op| Some((op, ir::operand(op, 0)?, ir::operand(op, 1)?)))
        else {
            return;
        };
        match ir::name_of(op) {
            "arith.andi" => [left, right].into_iter().for_each(|condition| self.tie(condition)),
            _ if Compare::of_op(op) == Some(Compare::Equal) => {
                if [left, right].iter().any(|value| constant_index(*value).is_some()) {
                    return;
                }
                let (left, right) = (self.named(left), self.named(right));
                let is_itself = |one: Named| one == Named::new(one.name);
                // Neither is tied to a third, and they are not the same: that makes no circle.
                let are_free = ![left, right].iter().any(|one| self.ties.contains_key(&one.name));
                match (is_itself(left), is_itself(right)) {
                    _ if !are_free || left.name == right.name => {}
                    (true, true) => {
                        _ = self.ties.insert(left.name.max(right.name), Named::new(left.name.min(right.name)))
                    }
                    (true, false) => _ = self.ties.insert(left.name, right),
                    (false, true) => _ = self.ties.insert(right.name, left),
                    (false, false) => {}
                }
            }
            _ => {}
        }
    }

    /// What a name stands for, by all that ties it.
    fn untied(&self, name: u32) -> Named {
        let tied = self.ties.get(&name).and_then(|tie| tie.of(self.untied(tie.name)));
        tied.unwrap_or_else(|| Named::new(name))
    }

    /// The number as the model knows it.
    pub fn extent(&mut self, number: Number) -> Extent {
        match number {
            Number::Known(number) => Extent::Known(number),
            Number::Value(value) => Extent::Named(self.named(value)),
        }
    }

    /// A number, as far as it is another one moved and scaled by constants.
    fn named(&mut self, value: Value) -> Named {
        let moved = ir::defining_op(value).and_then(|op| {
            let (of, by) = (ir::operand(op, 0)?, ir::operand(op, 1)?);
            let (of, by) = match (constant_index(of), constant_index(by)) {
                (None, Some(by)) => (of, by),
                (Some(of), None) if ["arith.addi", "arith.muli"].contains(&ir::name_of(op)) => (by, of),
                _ => return None,
            };
            let named = self.named(of);
            // Extents are not negative, so that all divisions are the same.
            match ir::name_of(op) {
                "arith.addi" => named.plus(by),
                "arith.subi" => named.plus(-by),
                "arith.muli" => named.times(by),
                "arith.shrsi" | "arith.shrui" if (0..32).contains(&by) => named.over(1 << by),
                "arith.divsi" | "arith.divui" | "arith.floordivsi" => named.over(by),
                "arith.ceildivsi" | "arith.ceildivui" => named.plus(by - 1)?.over(by),
                _ => None,
            }
        });
        moved.unwrap_or_else(|| {
            let name = self.of(value);
            self.untied(name)
        })
    }

    fn of(&mut self, value: Value) -> u32 {
        let dim = ir::defining_op(value).and_then(dim_of);
        self.name(dim.map_or(Unknown::Value(key(value)), |(image, dimension)| Unknown::Dim(key(image), dimension)))
    }

    fn name(&mut self, unknown: Unknown) -> u32 {
        let next = self.names.len() as u32;
        *self.names.entry(unknown).or_insert(next)
    }
}

/// A stage as the model sees it; `reads` says what a load reads, and the extents of that. Whether it is a live-out, and what
/// it measures, is for the caller to fill in.
///
/// # Errors
///
/// A load that divides by something else than a positive constant.
pub fn stage<'c: 'a, 'a>(
    stage: Stage<'c, 'a>,
    names: &mut Names,
    mut reads: impl FnMut(Load<'c, 'a>, &mut Names) -> (Source, Vec<Extent>),
) -> Result<weft_model::Stage, Diagnostic<'c>> {
    let extents: Vec<_> = numbers(stage.extents()).into_iter().map(|extent| names.extent(extent)).collect();
    let needed = needed(stage, &extents);
    let mut accesses = Vec::new();
    for load in loads(stage) {
        let (source, of) = reads(load, names);
        let indices = access::indices(load)?;
        let boundary = boundary::model_boundary(load.boundary());
        let padding =
            load.padding().map(|value| Padding { name: names.of(value), is_computed: is_inside(value, stage.op()) });
        let variables = access::variables(load)
            .into_iter()
            .map(|variable| weft_model::Variable {
                name: names.of(variable.value),
                range: variable.range,
                known: variable.known(),
                mirrors: mirrored(variable.value, stage, &extents, names),
            })
            .collect();
        let access = weft_model::Access::new(source, indices, boundary, padding, of, (&extents, &needed), variables);
        accesses.push(access);
    }
    Ok(weft_model::Stage {
        name: stage.name().to_owned(),
        extents,
        needed,
        bytes: (0..stage.op().result_count()).map(|i| bytes_of_element(stage.image_type(i).element())).collect(),
        widest: bytes_of_lanes(stage.op()),
        work: work(stage),
        has_planes_alike: has_planes_alike(stage),
        size: Vec::new(),
        accesses,
        is_live_out: false,
        inlined_into: None,
    })
}

/// Whether a body computes all planes alike ([`weft_model::Stage::has_planes_alike`]).
fn has_planes_alike(stage: Stage) -> bool {
    let coordinates: Vec<Value> = ir::arguments(stage.body()).collect();
    let is_loaded = |coordinate: Value| ir::uses(coordinate).into_iter().all(|(user, _)| Load::of(user).is_some());
    let [.., plane, _, column] = coordinates[..] else { return false };
    let is_flat = ir::walk(stage.op()).into_iter().all(|op| op == stage.op() || op.region_count() == 0);
    is_flat && is_loaded(plane) && is_loaded(column)
}

/// The coordinate that an index is, counted from the other end: `extent - 1 - coordinate`.
fn mirrored(index: Value, stage: Stage, extents: &[Extent], names: &mut Names) -> Option<usize> {
    let Backwards { from, more, coordinate } = access::backwards(index, Some(*stage))?;
    let moved = |extent: Extent, by: i64| match extent {
        Extent::Known(number) => number.checked_add(by).map(Extent::Known),
        Extent::Named(number) => number.plus(by).map(Extent::Named),
    };
    let first = moved(names.extent(from.into()), more)?;
    (first == moved(*extents.get(coordinate)?, -1)?).then_some(coordinate)
}

/// The points of a stage that are needed, as far as they are known.
fn needed(stage: Stage, extents: &[Extent]) -> Vec<Interval> {
    let needed = stage.needed().unwrap_or_else(|| vec![(None, None); extents.len()]);
    let ends = needed.into_iter().zip(extents).map(|((lo, hi), extent)| {
        let whole = weft_model::program::whole(*extent);
        Range::new(lo.or(whole.lo), hi.map(|hi| hi - 1).or(whole.hi))
    });
    ends.collect()
}

/// A program, and its stages in the model's order.
pub struct Whole<'c, 'a> {
    /// The stages, in groups or not.
    pub stages: Vec<Stage<'c, 'a>>,
    /// What the model's numbers of images stand for.
    pub images: Vec<Value<'c, 'a>>,
    /// The model's view of it.
    pub model: Program,
}

impl<'c: 'a, 'a> Whole<'c, 'a> {
    /// That of a program whose extents have been put in order (`resolve_dims`, `hoist_scalars`).
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn of(block: BlockRef<'c, 'a>, sizes: &Sizes) -> Result<Self, Failure<'c>> {
        let stages: Vec<Stage> = ir::operations(block).flat_map(ir::walk).filter_map(Stage::of).collect();
        let first = |stage: &Stage<'c, 'a>| key(stage.op().result(0).expect("a verified stage has a result").into());
        let positions: HashMap<Key, usize> =
            stages.iter().enumerate().map(|(number, stage)| (first(stage), number)).collect();
        let mut names = stages.first().map(|stage| Names::in_program_of(stage.op())).unwrap_or_default();
        let mut images: Vec<Value> = Vec::new();
        let mut model = Program::default();
        for of in &stages {
            let mut seen = stage(*of, &mut names, |load, names| {
                let source = load.source();
                if let Some((producer, result)) = program::result_of(source) {
                    let number = positions[&first(&producer)];
                    let extents = numbers(producer.extents());
                    return (Source::Stage(number, result), extents.into_iter().map(|e| names.extent(e)).collect());
                }
                // Scans, scatters and states of iterates are in memory before a group reads them.
                let shape = shape_of(source);
                if let Some(unit) = program::unit_of(shape) {
                    let extents = numbers(unit.extents()).into_iter().map(|e| names.extent(e)).collect();
                    return (Source::Image(numbered(&mut images, source)), extents);
                }
                let mut unknown = |d| {
                    let name = names.name(Unknown::Dim(key(shape), d));
                    Extent::Named(names.untied(name))
                };
                let extent = |(d, known): (usize, Option<i64>)| known.map_or_else(|| unknown(d), Extent::Known);
                (
                    Source::Image(numbered(&mut images, source)),
                    static_extents(load.source_type()).into_iter().enumerate().map(extent).collect(),
                )
            })?;
            seen.size = numbers(of.extents()).into_iter().map(|extent| sizes.of(extent)).collect();
            model.stages.push(seen);
        }
        model.images = images.iter().map(|image| bytes_of(*image)).collect();
        let returned: Vec<Value> = block.terminator().map(|end| end.operands().collect()).unwrap_or_default();
        let others = ir::operations(block).flat_map(ir::walk).filter(|op| Stage::of(*op).is_none());
        let read = others.flat_map(|op| match (Unit::of(op), Iterate::of(op)) {
            (Some(unit), _) => loads(unit).map(Load::source).collect(),
            (_, Some(iterate)) => iterate.states_and_next(),
            _ => Vec::new(),
        });
        let returned: Vec<Stage> = returned.into_iter().chain(read).filter_map(program::stage_of).collect();
        model.is_result = stages.iter().map(|stage| returned.contains(stage)).collect();
        model.interleaved = interleaved(block, &images, &stages);
        Ok(Self { stages, images, model })
    }

    /// The numbers of stages, of those that are the program's.
    pub fn numbers(&self, stages: &[Stage<'c, 'a>]) -> Vec<usize> {
        stages.iter().filter_map(|stage| self.stages.iter().position(|other| other == stage)).collect()
    }

    /// The names of stages.
    pub fn names(&self, numbers: &[usize]) -> Vec<String> {
        numbers.iter().map(|number| self.stages[*number].name().to_owned()).collect()
    }

    /// What a stage reads: stages by name, images by number.
    pub fn reads(&self, stage: usize) -> Vec<String> {
        let mut reads: Vec<String> = Vec::new();
        for access in &self.model.stages[stage].accesses {
            let name = match access.source {
                Source::Stage(producer, _) => self.stages[producer].name().to_owned(),
                Source::Image(image) => format!("input {image}"),
            };
            if !reads.contains(&name) {
                reads.push(name);
            }
        }
        reads
    }
}

/// Which arguments and results of a program have their channels innermost in memory.
fn interleaved<'c: 'a, 'a>(block: BlockRef<'c, 'a>, images: &[Value<'c, 'a>], stages: &[Stage<'c, 'a>]) -> Interleaved {
    let Some(func) = block.parent_operation() else { return Interleaved::default() };
    let arguments: Vec<Value> = ir::arguments(block).collect();
    let of_image = |image: &Value<'c, 'a>| {
        let number = arguments.iter().position(|argument| argument == image);
        number.is_some_and(|number| weft::is_interleaved(func, false, number))
    };
    let returned: Vec<Value> = block.terminator().map(|end| end.operands().collect()).unwrap_or_default();
    let pixels = (0..returned.len()).filter(|number| weft::is_interleaved(func, true, *number));
    let pixels: Vec<Stage> = pixels.filter_map(|number| program::stage_of(returned[number])).collect();
    Interleaved {
        images: (0..images.len()).filter(|number| of_image(&images[*number])).collect(),
        stages: (0..stages.len()).filter(|number| pixels.contains(&stages[*number])).collect(),
    }
}

/// The number of an image among those that have been seen, of which it may be one from now on.
pub fn numbered<'c, 'a>(images: &mut Vec<Value<'c, 'a>>, image: Value<'c, 'a>) -> usize {
    images.iter().position(|known| *known == image).unwrap_or_else(|| {
        images.push(image);
        images.len() - 1
    })
}

/// Bytes of an element of an image: a tensor, or memory where a program is half lowered.
pub fn bytes_of(image: Value) -> i64 {
    let ty = image.r#type();
    let element = RankedTensorType::try_from(ty).map(|ty| ty.element());
    let element = element.or_else(|_| MemRefType::try_from(ty).map(|ty| ty.element()));
    element.map_or(4, bytes_of_element)
}

/// Bytes of the values that decide how many points a vector holds: the widest, or a half or a quarter of that where most ops compute with no
/// more. The others are then several vectors each, as they would be with fewer points.
fn bytes_of_lanes(stage: OperationRef) -> i64 {
    let widest = widest_bytes(stage);
    let own = |op: &OperationRef| {
        let values = op.operands().chain(op.results().map(Value::from));
        values.filter_map(|value| bits_of_element(value.r#type())).filter(|bits| *bits > 1).max()
    };
    let all: Vec<i64> = ir::walk(stage).iter().filter_map(own).map(|bits| i64::from(bits.div_ceil(8))).collect();
    let are_most = |by: &i64| 2 * all.iter().filter(|bytes| by * **bytes <= widest).count() >= all.len();
    widest / [4, 2].into_iter().find(|by| *by <= widest && are_most(by)).unwrap_or(1)
}
