//! What a kernel will need, before it is compiled: registers of a thread, and instructions for a point of the result.
//!
//! A first guess from the tables of `docs/kernels.md`, to tell schedules apart; not yet fitted to what `ptxas` says.

use crate::{
    group::Group,
    plan::{Plan, Scope},
};

/// Registers of a thread, at most those that the kernel's occupancy leaves.
pub fn registers(_: &Group, plan: &Plan, _: Scope) -> i64 {
    (32 + 2 * plan.registers).min(if plan.hybrid > 0 { 168 } else { 128 })
}

/// Instructions of a thread for each point of the result.
pub fn instructions(group: &Group, plan: &Plan, _: Scope) -> f64 {
    let tile: f64 = plan.tile.iter().map(|extent| *extent as f64).product();
    // A read of a register is free, or a shuffle at the edge of a lane; one of shared memory has an address.
    let (read, write) = if plan.strip.is_some() { (0.3, 1.0) } else { (2.0, 4.0) };
    let of = |(stage, part): (&crate::group::Stage, &Option<crate::boxes::Part>)| {
        let points = part.as_ref().map_or(0, |part| part.points());
        points as f64 * (stage.work.instructions() + read * stage.accesses.len() as f64 + write)
    };
    group.stages.iter().zip(&plan.parts).map(of).sum::<f64>() / tile
}
