//! The schedule attribute of a group as the model's [`Schedule`].

use super::strategy::Overlap;
use melior::ir::attribute::DictionaryAttribute;
use weft_dialects::pipeline;
use weft_model::{Group, Schedule, Scope, Shape};

/// The schedule of a group, as [`schedule_in_model`] has it.
pub fn schedule_of(group: pipeline::Group, rank: usize, scope: Scope) -> Schedule {
    schedule_in_model(group.schedule(), rank, scope)
}

/// A schedule, as far as it fits images of this rank; `scope` is who computes its tiles where it does not say.
pub fn schedule_in_model(schedule: Option<DictionaryAttribute>, rank: usize, scope: Scope) -> Schedule {
    let of = schedule.and_then(|schedule| pipeline::Schedule::parse(schedule, rank).ok()).unwrap_or_default();
    Schedule {
        scope: match of.scope.as_deref() {
            Some("block") => Scope::Block,
            Some("thread") => Scope::Thread,
            Some(_) => Scope::Warp,
            None => scope,
        },
        tile: of.tile,
        block: of.block,
        fraction: of.fraction,
        layout: of.layout.map(|layout| match layout.as_str() {
            "blocked" => weft_model::Layout::Blocked,
            _ => weft_model::Layout::Cyclic,
        }),
        vector: of.vector,
        shares_inputs: of.inputs.as_deref() == Some("shared"),
        stream: of.stream.and_then(|name| pipeline::coordinate_names(rank).iter().position(|other| *other == name)),
    }
}

/// The fraction of an option; none where it says nothing.
///
/// # Errors
///
/// What is no number from 0 to 1.
pub fn fraction_of(text: &str) -> Result<Option<f64>, String> {
    match text.parse::<f64>() {
        _ if text.is_empty() => Ok(None),
        Ok(fraction) if (0.0..=1.0).contains(&fraction) => Ok(Some(fraction)),
        _ => Err(format!("option 'fraction' is '{text}', expected a number from 0.0 to 1.0")),
    }
}

/// A group as its schedule wants it: the shape of its tiles, and which stages have any.
pub fn as_scheduled(group: Group, schedule: Option<DictionaryAttribute>) -> Group {
    let rank = group.grid_rank();
    let of = schedule.and_then(|schedule| pipeline::Schedule::parse(schedule, rank).ok()).unwrap_or_default();
    let mut group = match (of.nested, of.scope.as_deref()) {
        (Some(false), _) => group.flat(),
        (_, Some("block")) => group.with_pixels(),
        _ => group,
    };
    let overlap = of.overlap.and_then(|word| word.parse().ok());
    group.shape = overlap.map_or(Shape::Scalene, Overlap::shape);
    group
}

/// A schedule of the model as a group says it.
pub fn schedule_in_ir(schedule: &Schedule, nested: bool) -> pipeline::Schedule {
    let rank = schedule.tile.as_ref().or(schedule.block.as_ref()).map_or(2, Vec::len);
    pipeline::Schedule {
        // A warp is what is meant where nothing is said.
        scope: (schedule.scope != Scope::Warp).then(|| schedule.scope.name().to_owned()),
        tile: schedule.tile.clone(),
        block: schedule.block.clone(),
        fraction: schedule.fraction,
        inputs: schedule.shares_inputs.then(|| "shared".to_owned()),
        layout: schedule.layout.map(|layout| match layout {
            weft_model::Layout::Cyclic => "cyclic".to_owned(),
            weft_model::Layout::Blocked => "blocked".to_owned(),
        }),
        vector: schedule.vector,
        stream: schedule.stream.and_then(|d| pipeline::coordinate_names(rank).get(d)).map(|&name| name.to_owned()),
        overlap: None,
        nested: (!nested).then_some(false),
    }
}
