//! Schedules that `--fuse` chooses, held against the limits of every target: a kernel that is planned can be had.
//!
//! `COUNT=1000 cargo test --release -p weft-random --test limits` looks at a thousand programs.

use mlir_glue::Step;
use std::sync::atomic::{AtomicU64, Ordering};
use weft_model::{Scope, Target, gpu, occupancy};
use weft_passes::{
    gpu::{HybridRegister, HybridRegisterOptions, LowerWarp, Shuffle, SplitInterior, WarpTile},
    group::Strategy,
};
use weft_random::{case_of, generate::Size, kernels::chosen};

/// All that makes a kernel of a group; refuses one that breaks a limit.
fn lower() -> Vec<Step> {
    let hybrid = HybridRegisterOptions::default();
    vec![
        Step::of::<WarpTile>(()),
        Step::of::<SplitInterior>(()),
        Step::of::<HybridRegister>(hybrid),
        Step::of::<Shuffle>(()),
        Step::of::<LowerWarp>(()),
    ]
}

#[test]
fn chosen_schedules_are_within_limits() {
    let count: u64 = std::env::var("COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(60);
    let targets: Vec<Target> = Target::names().filter_map(|name| Target::named(name).ok()).collect();
    let next = AtomicU64::new(0);
    let kernels = AtomicU64::new(0);
    let work = || {
        while let seed = next.fetch_add(1, Ordering::Relaxed)
            && seed < count
        {
            let case = case_of(seed, Size::Usual);
            for (number, target) in targets.iter().enumerate() {
                // Each program is lowered for one of the targets; that takes longer than to choose.
                let lower = if seed as usize % targets.len() == number { lower() } else { Vec::new() };
                let strategy = if seed % 4 == 0 { Strategy::Greedy } else { Strategy::Dp };
                let seen = chosen(&case, strategy, &target.name, lower);
                let seen = seen.unwrap_or_else(|said| panic!("seed {seed}, {}: {said}", target.name));
                for kernel in &seen {
                    let threads: i64 = kernel.plan.mapping.threads(kernel.schedule.scope).iter().product();
                    let registers = gpu::estimate(&kernel.group, &kernel.plan, &kernel.schedule).registers;
                    let place = format!("seed {seed}, {}, {} {}", target.name, kernel.name, kernel.schedule);
                    assert!(threads as u64 <= target.threads_per_block, "{place}: {threads} threads");
                    assert!(registers as u64 <= target.registers_per_thread, "{place}: {registers} registers");
                    assert!(kernel.plan.shared as u64 <= target.shared_per_block, "{place}: {} B", kernel.plan.shared);
                    let fits = occupancy(target, threads as u64, registers as u64, kernel.plan.shared as u64);
                    assert!(fits.as_ref().is_ok_and(|fits| fits.blocks_per_sm > 0), "{place}: {fits:?}");
                    // What is printed is what is made.
                    let tile = kernel.schedule.tile.as_ref().filter(|_| kernel.schedule.scope != Scope::Thread);
                    assert!(tile.is_none_or(|tile| *tile == kernel.plan.tile), "{place}: {:?}", kernel.plan.tile);
                }
                kernels.fetch_add(seen.len() as u64, Ordering::Relaxed);
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().for_each(|thread| thread.join().expect("a failure has been printed"));
    });
    println!("{} kernels of {count} programs for {} targets", kernels.into_inner(), targets.len());
}
