//! `--infer-bounds`: what of each unit of work is needed, and whether every load stays inside.
//!
//! Results of the program are needed whole. From there the pass goes backwards: the footprint of a consumer's needed
//! region, through each load and its boundary mode, is what is needed of the producer; several consumers need the hull.
//!
//! ```text
//! %a = pipeline.stage "a" (%y, %x) {...} : tensor<16x20xf32>        } in [0, 16) x [1, 19) : tensor<16x20xf32>
//! %b = pipeline.stage "b" (%y, %x) {                         ──▶
//!   pipeline.load %a[%y, %x + 1], %a[%y, %x + 2]                    } in [0, 16) x [0, 17) : tensor<16x17xf32>
//! } : tensor<16x17xf32>
//! ```
//!
//! On the way every load is checked to stay inside its source (see [`crate::analysis::bounds`]).

use crate::{
    analysis::{
        access, boundary,
        bounds::{self, loads},
    },
    ir::{Key, is, key, program},
};
use melior::ir::{
    BlockRef, OperationRef, Value,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Failure, Pass, PassContext, Statistic, ir};
use std::collections::HashMap;
use weft_dialects::pipeline::{Extent, Group, Iterate, Stage, Unit, static_extents};
use weft_model::{Interval, Partly, Range, range_of, region_read};

/// The pass.
pub struct InferBounds;

const PROVED: Statistic =
    Statistic::new(c"indices-proved", c"Indices of loads without a boundary proved to stay inside");

const NARROWED: Statistic = Statistic::new(c"stages-narrowed", c"Stages of which less than the whole is needed");

impl Pass for InferBounds {
    const ARGUMENT: &'static str = "infer-bounds";
    const SUMMARY: &'static str =
        "Find the region of every stage that its consumers need, and check that loads stay inside";
    const DESCRIPTION: &'static str = "\
Writes `in [lo, hi) x ...` on every stage: the hull of what its consumers read, after boundary modes; the results of the \
program are needed whole. A load without a boundary mode whose index leaves its source is an error that names the index, \
what it covers and the extent. Dimensions with dynamic extents count as needed whole and are checked when the program is \
entered.";
    const STATISTICS: &'static [Statistic] = &[PROVED, NARROWED];
    type Options = ();

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut errors = Vec::new();
        for func in program::programs(module) {
            let stages = program::units(func);
            for stage in &stages {
                errors.extend(bounds::check(*stage));
            }
            cx.count(PROVED, stages.iter().map(|stage| bounds::proved(*stage)).sum());
            let mut needs = Needs::default();
            needs.of_block(program::entry(func)?);
            for stage in stages {
                if let Some(needed) = needs.annotate(stage, cx) {
                    cx.count(NARROWED, usize::from(needed));
                }
            }
        }
        Failure::check(errors)
    }
}

/// What is needed of each tensor: an inclusive interval for each dimension, `None` where dynamic and so whole.
#[derive(Default)]
struct Needs(HashMap<Key, Vec<Option<Range<i64>>>>);

impl Needs {
    /// Goes through a block backwards: consumers before producers.
    fn of_block(&mut self, block: BlockRef) {
        for op in ir::operations(block).collect::<Vec<_>>().into_iter().rev() {
            if let Some(group) = Group::of(op) {
                let live_outs: Vec<Value> = group.terminator().map(|end| end.operands().collect()).unwrap_or_default();
                for (result, live_out) in op.results().zip(live_outs) {
                    if let Some(needed) = self.0.get(&key(result.into())).cloned() {
                        self.add(live_out, needed);
                    }
                }
                self.of_group(group);
            } else if let Some(unit) = Unit::of(op) {
                self.of_unit(unit);
            } else if let Some(iterate) = Iterate::of(op) {
                // Any step may be the last one, and any step reads what the one before gave: states are needed whole.
                self.of_block(iterate.body());
                iterate.initial().into_iter().for_each(|image| self.add_whole(image));
            } else if !is(op, "tensor.dim") {
                for value in op.operands() {
                    self.add_whole(value);
                }
            }
        }
    }

    fn of_group(&mut self, group: Group) {
        for stage in group.stages().into_iter().rev() {
            self.of_unit(*stage);
        }
    }

    fn add_whole(&mut self, value: Value) {
        if let Some(stage) = program::unit_of(value) {
            let whole =
                static_extents(stage.image_type(0)).into_iter().map(|n| n.map(|n| Range::new(0, n - 1))).collect();
            self.add(value, whole);
        }
    }

    fn add(&mut self, value: Value, needed: Vec<Option<Range<i64>>>) {
        let entry = self.0.entry(key(value)).or_insert_with(|| needed.clone());
        for (old, new) in entry.iter_mut().zip(needed) {
            *old = match (*old, new) {
                (Some(old), Some(new)) => Some(weft_model::hull(old, new)),
                _ => None,
            };
        }
    }

    /// What must be computed of a unit for all its results together.
    fn of_results(&self, stage: Unit) -> Option<Vec<Option<Range<i64>>>> {
        let mut all = Self::default();
        let first = ir::result(stage.op(), 0)?;
        for result in stage.op().results() {
            if let Some(needed) = self.0.get(&key(result.into())) {
                all.add(first, needed.clone());
            }
        }
        let mut needed = all.0.remove(&key(first))?;
        for (dimension, extent) in static_extents(stage.image_type(0)).into_iter().enumerate() {
            if stage.is_whole(dimension) {
                needed[dimension] = extent.map(|extent| Range::new(0, extent - 1));
            }
        }
        Some(needed)
    }

    /// Passes on what a unit needs to those it reads.
    fn of_unit(&mut self, stage: Unit) {
        let Some(needed) = self.of_results(stage) else { return };
        let mut domain: Vec<Interval> = needed
            .iter()
            .take(stage.coordinate_count())
            .map(|range| Range::new(range.map_or(Some(0), |range| Some(range.lo)), range.map(|range| range.hi)))
            .collect();
        // The variables of a scatter are walked whole.
        let known = |end| match end {
            Extent::Static(end) => Some(end - 1),
            Extent::Dynamic(_) => None,
        };
        let variables = stage.bounds().into_iter().skip(stage.coordinate_count());
        domain.extend(variables.map(|(start, end)| Range::new(Some(start), known(end))));
        for load in loads(stage) {
            let Ok(indices) = access::indices(load) else { continue };
            let boundary = boundary::model_boundary(load.boundary());
            let domain = access::with_variables(&domain, load);
            let read = indices.iter().zip(static_extents(load.source_type())).map(|(index, extent)| {
                let extent = extent?;
                let range = range_of(index, &domain, &mut Partly);
                match (range.lo, range.hi) {
                    (Some(lo), Some(hi)) => region_read(Range::new(lo, hi), extent, boundary),
                    _ => Some(Range::new(0, extent - 1)),
                }
            });
            self.add(load.source(), read.collect());
        }
    }

    /// Writes the attribute; whether the stage became narrower, or `None` if nobody needs it.
    fn annotate<'c>(&self, stage: Unit<'c, '_>, cx: &PassContext<'c>) -> Option<bool> {
        let needed = self.of_results(stage)?;
        let extents = stage.extents();
        let mut is_narrower = false;
        let ends: Vec<(Option<i64>, Option<i64>)> = needed
            .iter()
            .zip(extents)
            .map(|(range, extent)| match (range, extent) {
                (Some(range), Extent::Static(extent)) => {
                    // A load that leaves its source was reported; its footprint must still make a valid attribute.
                    let (lo, hi) = (range.lo.clamp(0, extent), (range.hi + 1).clamp(0, extent));
                    is_narrower |= hi - lo < extent;
                    (Some(lo), Some(hi.max(lo)))
                }
                (None, Extent::Static(extent)) => (Some(0), Some(extent)),
                (_, Extent::Dynamic(_)) => (Some(0), None),
            })
            .collect();
        ir::mutable(stage.op()).set_attribute("needed", Stage::needed_attribute(cx.context(), &ends));
        Some(is_narrower)
    }
}
