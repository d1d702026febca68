//! What leaves a group: the results that something outside uses, and the stages that give them.

use crate::ir::program;
use melior::ir::{Value, operation::OperationLike};
use mlir_glue::ir;
use weft_dialects::pipeline::{Group, Stage};

/// What a group yields that somebody uses: its result, and the stage's.
pub fn used<'c: 'a, 'a>(group: Group<'c, 'a>) -> impl Iterator<Item = (Value<'c, 'a>, Value<'c, 'a>)> {
    let end = group.terminator().expect("a verified group");
    let results = group.op().results().map(Value::from).collect::<Vec<_>>();
    results.into_iter().zip(end.operands().collect::<Vec<_>>()).filter(|(result, _)| ir::has_uses(*result))
}

/// The stages of a group with results that leave it and are used, each once.
pub fn live_outs<'c: 'a, 'a>(group: Group<'c, 'a>) -> Vec<Stage<'c, 'a>> {
    let mut stages: Vec<Stage> = Vec::new();
    for (_, value) in used(group) {
        let stage = program::stage_of(value).expect("live-outs are stages of the group");
        if !stages.contains(&stage) {
            stages.push(stage);
        }
    }
    stages
}

/// The results of a stage that leave its group and are used: the number of each, and the result of the group.
pub fn results_of<'c: 'a, 'a>(group: Group<'c, 'a>, stage: Stage<'c, 'a>) -> Vec<(usize, Value<'c, 'a>)> {
    let mut results = Vec::new();
    for (live_out, value) in used(group) {
        let index = stage.op().results().position(|result| Value::from(result) == value);
        results.extend(index.map(|index| (index, live_out)));
    }
    results
}

/// The stage of a group that gives a tensor.
pub fn producer_of<'c: 'a, 'a>(group: Group<'c, 'a>, tensor: Value<'c, 'a>) -> Option<Stage<'c, 'a>> {
    ir::defining_op(tensor).and_then(Stage::of).filter(|stage| stage.op().block() == Some(group.body()))
}
