//! How many blocks an SM holds at once, by CUDA's rules of allocation.
//!
//! A block needs places for its warps, registers, shared memory, and a place for itself. What runs out first is the limit:
//!
//! ```text
//! h200, blocks of 128 threads, 70 registers a thread, 10240 bytes of shared memory
//!   warps      4 of 64 a block                                               16 blocks
//!   registers  70 x 32 = 2240, given as 2304; 16384 / 2304 = 7 warps
//!              a partition, 28 of 4 partitions                                7 blocks   <- the limit: 28 of 64 warps
//!   shared     10240 + 1024 = 11264 of 233472                                20 blocks
//!   blocks                                                                   32 blocks
//! ```
//!
//! Rules: NVIDIA's occupancy calculator; limits of each compute capability: CUDA C++ Programming Guide. Shared memory is what an SM
//! has where L1 leaves it the most, which the driver gives to kernels that profit from it.

use super::target::Target;

/// Blocks of a kernel on an SM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occupancy {
    /// Blocks that an SM holds at once, at least one.
    pub blocks_per_sm: u64,
    /// Their warps.
    pub warps_per_sm: u64,
    /// The part of the warps an SM can hold, in (0, 1].
    pub fraction: f64,
    /// What keeps one more block out; where several do, the first in the order of [`Limit`].
    pub limit: Limit,
}

/// What an SM runs out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Limit {
    /// Places for warps, thus for threads.
    Warps,
    /// Places for blocks.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

/// Why not even one block fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no block fits on {target}: it has {asked} {what}, expected {least} to {most}")]
pub struct DoesNotFit {
    /// What there is not enough of.
    pub limit: Limit,
    /// The name of the target.
    pub target: String,
    /// What is counted.
    pub what: &'static str,
    /// What the block needs, as CUDA counts it.
    pub asked: u64,
    /// What it needs at least: a thread.
    pub least: u64,
    /// What a block can have.
    pub most: u64,
}

/// How many blocks an SM holds, of so many threads, 32-bit registers for each thread, and bytes of shared memory for each block.
///
/// Shared memory may go up to [`Target::shared_per_block_opt_in`]; that kernels declare theirs statically is another limit.
pub fn occupancy(
    target: &Target,
    threads_per_block: u64,
    registers_per_thread: u64,
    shared_bytes_per_block: u64,
) -> Result<Occupancy, DoesNotFit> {
    let fits = |limit, what, asked, least, most| match (least..=most).contains(&asked) {
        true => Ok(()),
        false => Err(DoesNotFit { limit, target: target.name.clone(), what, asked, least, most }),
    };
    // What is asked for is checked before it is multiplied: no input overflows.
    fits(Limit::Warps, "threads", threads_per_block, 1, target.threads_per_block)?;
    fits(Limit::Registers, "registers a thread", registers_per_thread, 0, target.registers_per_thread)?;
    let shared_most = target.shared_per_block_opt_in;
    fits(Limit::Shared, "bytes of shared memory", shared_bytes_per_block, 0, shared_most)?;

    let warps = threads_per_block.div_ceil(target.warp_size);
    let warp_registers = (registers_per_thread * target.warp_size).next_multiple_of(target.register_unit);
    // The check of a launch supposes that each partition takes as many of the block's warps as any.
    let block_registers = warps.next_multiple_of(target.warp_granularity) * warp_registers;
    fits(Limit::Registers, "registers (in whole partitions)", block_registers, 0, target.registers_per_block)?;
    let partition_registers = target.registers_per_sm / target.warp_granularity;
    let by_registers = match warp_registers {
        0 => u64::MAX,
        some => partition_registers / some * target.warp_granularity / warps,
    };
    // The calculator rounds what the block and the system have together, and holds that against the limit of both.
    let shared = (shared_bytes_per_block + target.shared_reserved).next_multiple_of(target.shared_granularity);
    let shared_most = shared_most + target.shared_reserved;
    fits(Limit::Shared, "bytes of shared memory (with the system's, rounded)", shared, 0, shared_most)?;
    let by_shared = target.shared_per_sm.checked_div(shared).unwrap_or(u64::MAX);

    let limits = [
        (target.warps_per_sm / warps, Limit::Warps),
        (target.blocks_per_sm, Limit::Blocks),
        (by_registers, Limit::Registers),
        (by_shared, Limit::Shared),
    ];
    let (blocks_per_sm, limit) =
        limits.into_iter().fold(limits[0], |least, next| if next.0 < least.0 { next } else { least });
    let warps_per_sm = blocks_per_sm * warps;
    let fraction = warps_per_sm as f64 / target.warps_per_sm as f64;
    Ok(Occupancy { blocks_per_sm, warps_per_sm, fraction, limit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn named(name: &str) -> Target {
        Target::named(name).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Worked out by hand from the published rules, and the same as NVIDIA's calculator.
    #[test]
    fn known_values() {
        use Limit::*;
        let cases = [
            // target, threads, registers, shared; blocks, warps, limit
            ("gtx1080ti", 256, 32, 0, 8, 64, Warps),
            ("gtx1080ti", 32, 16, 0, 32, 32, Blocks),
            ("gtx1080ti", 256, 37, 0, 6, 48, Registers), // 1184 as 1280; 12 warps a partition
            ("gtx1080ti", 128, 32, 8192, 12, 48, Shared),
            ("gtx1080ti", 128, 32, 8193, 11, 44, Shared), // as 8448
            ("gtx1080ti", 1024, 64, 0, 1, 32, Registers),
            ("gtx1080ti", 192, 255, 0, 1, 6, Registers), // 8160 as 8192; 2 warps a partition
            ("gtx1080ti", 64, 32, 49152, 2, 4, Shared),
            ("gtx1080ti-pact20", 32, 16, 0, 16, 16, Blocks),
            ("gtx1080ti-pact20", 256, 256, 0, 1, 8, Registers),
            ("v100", 256, 64, 0, 4, 32, Registers),
            ("v100", 96, 48, 0, 13, 39, Registers), // 40 warps, of which 39 are whole blocks
            ("v100", 512, 24, 0, 4, 64, Warps),
            ("v100", 33, 32, 0, 32, 64, Warps), // 2 warps, though one has a single thread
            ("v100", 64, 32, 49152, 2, 4, Shared),
            ("v100", 64, 32, 98304, 1, 2, Shared),
            ("rtx2080ti", 256, 32, 0, 4, 32, Warps),
            ("rtx2080ti", 32, 32, 0, 16, 16, Blocks),
            ("rtx2080ti", 128, 64, 0, 8, 32, Warps),
            ("rtx2080ti", 128, 72, 0, 7, 28, Registers),
            ("rtx2080ti", 128, 32, 16384, 4, 16, Shared),
            ("rtx2080ti", 64, 32, 65536, 1, 2, Shared),
            ("rtx2080ti", 1024, 64, 0, 1, 32, Warps),
            ("a100", 256, 32, 0, 8, 64, Warps),
            ("a100", 128, 32, 9472, 16, 64, Warps), // 10496 with the system's, of which 16 are all there is
            ("a100", 128, 32, 9473, 15, 60, Shared),
            ("a100", 128, 32, 10240, 14, 56, Shared),
            ("a100", 320, 40, 0, 4, 40, Registers),
            ("a100", 128, 32, 166912, 1, 4, Shared),
            ("h100", 128, 70, 10240, 7, 28, Registers), // the picture above
            ("h200", 128, 70, 10240, 7, 28, Registers),
            ("h200", 128, 48, 20480, 10, 40, Registers), // 10 by shared memory, too
            ("h200", 256, 36, 8704, 6, 48, Registers),
            ("h200", 64, 96, 41600, 5, 10, Shared),
            ("h200", 64, 168, 25216, 6, 12, Registers),
            ("h200", 128, 32, 57344, 4, 16, Shared), // 58368, of which 4 are all 228 KiB
            ("h200", 32, 80, 0, 24, 24, Registers),  // 25 warps' registers, but not in whole partitions
            ("h200", 768, 80, 0, 1, 24, Registers),
            ("h200", 1024, 0, 0, 2, 64, Warps),
            ("h200", 128, 32, 232448, 1, 4, Shared),
        ];
        for (name, threads, registers, shared, blocks, warps, limit) in cases {
            let target = named(name);
            let fraction = warps as f64 / target.warps_per_sm as f64;
            let expected = Occupancy { blocks_per_sm: blocks, warps_per_sm: warps, fraction, limit };
            let found = occupancy(&target, threads, registers, shared);
            assert_eq!(found, Ok(expected), "{name}, {threads} threads, {registers} registers, {shared} bytes");
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let cases = [
            ("h200", 0, 32, 0, Limit::Warps, "0 threads, expected 1 to 1024"),
            ("h200", 1025, 32, 0, Limit::Warps, "1025 threads, expected 1 to 1024"),
            ("h200", 32, 256, 0, Limit::Registers, "256 registers a thread, expected 0 to 255"),
            // 65 x 32 = 2080, given as 2304, for 32 warps.
            ("h200", 1024, 65, 0, Limit::Registers, "73728 registers (in whole partitions), expected 0 to 65536"),
            // 25 warps of 2560 would be 64000, but the check counts 28.
            ("h200", 800, 80, 0, Limit::Registers, "71680 registers (in whole partitions), expected 0 to 65536"),
            ("h200", 32, 32, 232449, Limit::Shared, "232449 bytes of shared memory, expected 0 to 232448"),
            ("gtx1080ti", 32, 32, 49153, Limit::Shared, "49153 bytes of shared memory, expected 0 to 49152"),
            (
                "rtx2080ti",
                32,
                32,
                u64::MAX,
                Limit::Shared,
                "18446744073709551615 bytes of shared memory, expected 0 to 65536",
            ),
        ];
        for (name, threads, registers, shared, limit, message) in cases {
            let error = occupancy(&named(name), threads, registers, shared).expect_err(message);
            assert_eq!(error.limit, limit);
            assert_eq!(error.to_string(), format!("no block fits on {name}: it has {message}"));
        }
        // A limit that is no multiple of what is given out.
        let mut odd = named("v100");
        odd.shared_per_block_opt_in = 1000;
        let error = occupancy(&odd, 32, 32, 900).expect_err("1024 are more than 1000");
        assert_eq!((error.limit, error.asked, error.most), (Limit::Shared, 1024, 1000));
    }

    /// `bench/kernels` has CUDA's rule in three lines, for sm_90 and blocks of whole partitions.
    #[test]
    fn agrees_with_the_table_of_kernels() {
        let h200 = named("h200");
        let script = |registers: u64, shared: u64, warps: u64| {
            let by_registers = 65536 / ((registers * 32).div_ceil(256) * 256) / warps;
            by_registers.min(228 * 1024 / (shared + 1024)).min(32).min(64 / warps)
        };
        for warps in (4..=16).step_by(4) {
            for registers in 16..=128 {
                for shared in (0..=48 * 1024).step_by(512) {
                    let blocks = occupancy(&h200, warps * 32, registers, shared).map(|found| found.blocks_per_sm);
                    assert_eq!(blocks, Ok(script(registers, shared, warps)));
                }
            }
        }
    }

    /// Do so many blocks fit? By putting them there: each warp goes to the partition with the most registers left.
    fn hold(target: &Target, blocks: u64, threads: u64, registers: u64, shared: u64, limit: Limit) -> bool {
        let warps = blocks * threads.div_ceil(target.warp_size);
        match limit {
            Limit::Warps => warps <= target.warps_per_sm,
            Limit::Blocks => blocks <= target.blocks_per_sm,
            Limit::Registers => {
                let each = (registers * target.warp_size).div_ceil(target.register_unit) * target.register_unit;
                let mut left =
                    vec![target.registers_per_sm / target.warp_granularity; target.warp_granularity as usize];
                (0..warps).all(|_| {
                    let most = left.iter_mut().max().expect("a partition");
                    most.checked_sub(each).map(|rest| *most = rest).is_some()
                })
            }
            Limit::Shared => {
                let each = (shared + target.shared_reserved).div_ceil(target.shared_granularity);
                blocks * each * target.shared_granularity <= target.shared_per_sm
            }
        }
    }

    fn any_target() -> impl Strategy<Value = Target> {
        prop::sample::select(Target::names().map(named).collect::<Vec<_>>())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn as_many_as_fit(
            target in any_target(), threads in 1u64..=1024, registers in 0u64..=255, part in 0.0..1.0f64, small in any::<bool>()
        ) {
            let most = if small { 16384 } else { target.shared_per_block_opt_in };
            let shared = (part * most as f64) as u64;
            if let Ok(found) = occupancy(&target, threads, registers, shared) {
                let hold = |blocks, limit| hold(&target, blocks, threads, registers, shared, limit);
                for limit in [Limit::Warps, Limit::Blocks, Limit::Registers, Limit::Shared] {
                    prop_assert!(hold(found.blocks_per_sm, limit), "{limit:?} of {found:?}");
                }
                prop_assert!(!hold(found.blocks_per_sm + 1, found.limit), "one more than {found:?}");
                prop_assert!(found.blocks_per_sm > 0 && found.fraction > 0.0 && found.fraction <= 1.0);
                prop_assert_eq!(found.warps_per_sm, found.blocks_per_sm * threads.div_ceil(32));
            } else {
                // What does not fit is a block of too many registers: the rest is in range.
                let warps = threads.div_ceil(32).div_ceil(4) * 4;
                prop_assert!(warps * (registers * 32) + warps * 255 > 65536);
            }
        }

        #[test]
        fn more_never_raises_it(
            target in any_target(), threads in 1u64..=1024,
            registers in 0u64..=260, more_registers in 0u64..=64, shared in 0u64..=240_000, more_shared in 0u64..=40_000
        ) {
            let blocks = |registers, shared| occupancy(&target, threads, registers, shared).map_or(0, |found| found.blocks_per_sm);
            let least = blocks(registers, shared);
            prop_assert!(blocks(registers + more_registers, shared) <= least);
            prop_assert!(blocks(registers, shared + more_shared) <= least);
        }

        #[test]
        fn nothing_overflows(target in any_target(), threads: u64, registers: u64, shared: u64) {
            prop_assert!(occupancy(&target, threads, registers, shared).is_err() || threads <= 1024);
        }
    }
}
