//! The tile of a group that is given, as Forma has it (paper 003, section 2.1): `strategy=all`.
//!
//! A block computes a tile, a thread one point of it, so tile and block are the same; it begins with as many threads as a block has, and is
//! halved until the shared memory is enough (section 2.1.1).
//!
//! ```text
//! 32 x 32 ──▶ 16 x 32 ──▶ 16 x 16 ──▶ ...        the longest dimension, of equal ones the outermost
//! ```
//!
//! The paper has tiles of inputs in shared memory, too. Here that is an option: caches keep what is read from memory.

use super::{
    choose::{Choice, evaluate},
    cost::Rejection,
    input::shared_inputs,
    plan::{Hybrid, Refusal, shared_bytes},
    schedule::{Schedule, Scope},
    target::{MAX_THREADS, Target},
};
use crate::{
    program::Group,
    tiles::{aligned_tile, boxes},
};

/// The schedule of a tile of so many dimensions before any halving.
pub fn forma_schedule(rank: usize, shares_inputs: bool) -> Schedule {
    let tile = if rank == 1 { vec![MAX_THREADS] } else { [vec![1; rank - 2], vec![32, 32]].concat() };
    Schedule { scope: Scope::Block, block: Some(tile.clone()), tile: Some(tile), shares_inputs, ..Schedule::default() }
}

/// The schedule of a group, and what that comes to; `shares_inputs` is whether inputs have tiles in shared memory, where there is room.
///
/// # Errors
///
/// Where there are no boxes, or none that fit.
pub fn choose_forma(group: &Group, target: &Target, largest: f64, shares_inputs: bool) -> Result<Choice, Rejection> {
    match fitting(group, target, shares_inputs) {
        Err(_) if shares_inputs => choose_forma(group, target, largest, false),
        tile => {
            let tile = tile?;
            let schedule = forma_schedule(tile.len(), shares_inputs);
            evaluate(group, &Schedule { block: Some(tile.clone()), tile: Some(tile), ..schedule }, target, largest)
        }
    }
}

/// The tile, halved until it fits.
fn fitting(group: &Group, target: &Target, shares_inputs: bool) -> Result<Vec<i64>, Rejection> {
    let threads = MAX_THREADS.min(target.threads_per_block as i64);
    let most = target.most_shared();
    let mut tile = aligned_tile(group, forma_schedule(group.grid_rank(), shares_inputs).tile.as_deref());
    // Dimensions that cannot be smaller: at some scales only certain tiles are on the grid.
    let mut is_least = vec![false; tile.len()];
    loop {
        let parts = boxes(group, &tile).map_err(|cut| Rejection::Plan(Refusal::Cut(cut)))?;
        let inputs = if shares_inputs { shared_inputs(group, &parts) } else { Vec::new() };
        let bytes = shared_bytes(group, &parts, &inputs, Hybrid::default());
        if bytes <= most && tile.iter().product::<i64>() <= threads {
            return Ok(tile);
        }
        let longest = (0..tile.len()).rev().filter(|d| !is_least[*d]).max_by_key(|d| tile[*d]);
        let d = longest.ok_or(Rejection::Plan(Refusal::Shared { bytes, most }))?;
        let mut halved = tile.clone();
        halved[d] = (tile[d] / 2).max(1);
        let halved = aligned_tile(group, Some(&halved));
        if halved[d] < tile[d] {
            tile = halved;
        } else {
            is_least[d] = true;
        }
    }
}
