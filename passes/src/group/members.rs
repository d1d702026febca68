//! A group as the model sees it: each stage and load of the IR beside the model's ([`weft_model::Group`]), by the same numbers.

use super::{
    live_outs::{live_outs, producer_of},
    schedule::as_scheduled,
};
use crate::{
    analysis::model::{self, Names},
    ir::{Number, numbers, result_number},
};
use melior::ir::Value;
use mlir_glue::Failure;
use weft_dialects::pipeline::{self, Load};
use weft_model::Source;

/// A load of a stage.
pub struct MemberAccess<'c, 'a> {
    /// The load.
    pub load: Load<'c, 'a>,
    /// The extents of what it reads.
    pub extents: Vec<Number<'c, 'a>>,
}

/// A stage of a group.
pub struct Member<'c, 'a> {
    /// The stage.
    pub stage: pipeline::Stage<'c, 'a>,
    /// Its extents.
    pub extents: Vec<Number<'c, 'a>>,
    /// Its loads.
    pub accesses: Vec<MemberAccess<'c, 'a>>,
}

/// The stages of a group, producers before consumers, and the model's view of them: the same stages and loads by the same
/// numbers.
pub struct Members<'c, 'a> {
    /// The stages.
    pub stages: Vec<Member<'c, 'a>>,
    /// The images in memory that they read, by the model's number.
    pub images: Vec<Value<'c, 'a>>,
    /// The model's view.
    pub model: weft_model::Group,
}

impl<'c: 'a, 'a> Members<'c, 'a> {
    /// Those of a group; `extents` gives the extents of images that are no stage of it.
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn of(
        group: pipeline::Group<'c, 'a>,
        extents: impl Fn(Value<'c, 'a>) -> Vec<Number<'c, 'a>>,
    ) -> Result<Self, Failure<'c>> {
        let stages = group.stages();
        let outs = live_outs(group);
        let mut names = Names::in_program_of(group.op());
        let mut images: Vec<Value> = Vec::new();
        let mut members = Vec::new();
        let mut models = Vec::new();
        for stage in &stages {
            let mut accesses = Vec::new();
            let mut model = model::stage(*stage, &mut names, |load, names| {
                let producer = producer_of(group, load.source());
                let source = match producer {
                    Some(producer) => numbers(producer.extents()),
                    None => extents(load.source()),
                };
                let of = source.iter().map(|extent| names.extent(*extent)).collect();
                accesses.push(MemberAccess { load, extents: source });
                match producer.and_then(|producer| stages.iter().position(|stage| *stage == producer)) {
                    Some(number) => (Source::Stage(number, result_number(load.source())), of),
                    None => (Source::Image(model::numbered(&mut images, load.source())), of),
                }
            })?;
            model.is_live_out = outs.contains(stage);
            members.push(Member { stage: *stage, extents: numbers(stage.extents()), accesses });
            models.push(model);
        }
        let bytes = images.iter().map(|image| model::bytes_of(*image)).collect();
        let model = as_scheduled(weft_model::Group::new(models, bytes), group.schedule());
        Ok(Self { stages: members, images, model })
    }
}
