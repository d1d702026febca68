//! The schedule attribute of a group as the model's [`Schedule`].

use weft_dialects::pipeline;
use weft_model::{Schedule, Scope};

/// The schedule of a group, as far as it fits images of this rank; `scope` is who computes its tiles where it does not say.
pub fn schedule_of(group: pipeline::Group, rank: usize, scope: Scope) -> Schedule {
    let of = group.schedule().and_then(|schedule| pipeline::Schedule::parse(schedule, rank).ok()).unwrap_or_default();
    Schedule {
        scope: match of.scope.as_deref() {
            Some("block") => Scope::Block,
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
        stream: of.stream.and_then(|name| pipeline::coordinate_names(rank).iter().position(|other| *other == name)),
    }
}
