//! How large, how deep and how wide a program may be.

/// Most dimensions of an image.
pub(super) const MAX_RANK: u32 = 4;

/// Values that depend on each other deeper than this are refused, through lets and functions.
pub(super) const DEEPEST: u32 = 2000;

/// The smallest index: kernels compute them in 32 bits.
pub(super) const LEAST: i64 = i32::MIN as i64;

/// Operations of a stencil when its functions and small windows are written out.
pub(super) const LARGEST: u64 = 1_000_000;

/// Operations of all stencils as often as they are applied: each application is written out.
pub(super) const LARGEST_PROGRAM: u64 = 10_000_000;

/// Windows of so many points the builder writes out.
pub(super) const UNROLLED: i64 = 25;

/// Whether an image may have so many dimensions.
pub(super) fn is_rank(rank: u32) -> bool {
    (1..=MAX_RANK).contains(&rank)
}
