//! What a launch cost, in the units that hardware counts.
//!
//! **Instructions** are counted per thread, where the guard is true (a branch counts for every thread that evaluates it), and per
//! warp, which is what an issue slot costs. **Global** memory moves in sectors of 32 bytes: a request is one instruction of one warp,
//! and costs the distinct sectors that its threads touch. **Shared** memory has 32 banks of 4 bytes: a request is split into
//! groups of 32, 16 or 8 lanes for elements of up to 4, 8 or 16 bytes, and each group takes as many passes as its busiest bank
//! has distinct words. A conflict is a pass beyond the first of a group.

use super::program::Kind;

/// Counts of one kind of access to global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Instructions, each for a warp.
    pub requests: u64,
    /// 32-byte pieces moved.
    pub sectors: u64,
    /// Bytes that threads asked for.
    pub bytes: u64,
}

impl Traffic {
    /// Bytes asked for over bytes moved; above 1 where threads share what is moved, and 1 if nothing is.
    pub fn efficiency(&self) -> f64 {
        if self.sectors == 0 { 1.0 } else { self.bytes as f64 / (32 * self.sectors) as f64 }
    }

    fn add(&mut self, other: &Traffic) {
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.bytes += other.bytes;
    }
}

/// What a launch cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Instructions times the threads that executed them.
    pub thread_instructions: u64,
    /// Instructions times the groups of threads that executed them together.
    pub warp_instructions: u64,
    /// Thread instructions on integers and predicates, comparisons included.
    pub integer: u64,
    /// Thread instructions on floats, comparisons included.
    pub float: u64,
    /// Operations on floats: sums, products, quotients, roots and the like, a fused multiply-add two of them.
    pub flops: u64,
    /// Thread instructions that move, select or convert.
    pub data: u64,
    /// Thread instructions that access memory.
    pub memory: u64,
    /// Branches and exits.
    pub control: u64,
    /// Thread instructions that exchange values between lanes: `shfl`, `vote`, `match`, `redux`.
    pub shuffle: u64,
    /// Barriers and fences.
    pub sync: u64,
    /// Loads from global memory.
    pub global_loads: Traffic,
    /// Stores and atomics to global memory.
    pub global_stores: Traffic,
    /// Accesses of shared memory, per warp.
    pub shared_requests: u64,
    /// Passes over the banks that they took.
    pub shared_passes: u64,
    /// Passes that conflicts between banks added.
    pub shared_conflicts: u64,
    /// Accesses of local memory, per warp: spills and indexed arrays.
    pub local_requests: u64,
    /// Shuffles, per warp.
    pub warp_shuffles: u64,
    /// `bar.warp.sync`, per warp.
    pub warp_syncs: u64,
    /// Barriers of a block, per warp.
    pub block_syncs: u64,
}

impl Counters {
    /// Names and values, for a table or for JSON.
    pub fn entries(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("thread_instructions", self.thread_instructions),
            ("warp_instructions", self.warp_instructions),
            ("integer", self.integer),
            ("float", self.float),
            ("flops", self.flops),
            ("data", self.data),
            ("memory", self.memory),
            ("control", self.control),
            ("shuffle", self.shuffle),
            ("sync", self.sync),
            ("global_load_requests", self.global_loads.requests),
            ("global_load_sectors", self.global_loads.sectors),
            ("global_load_bytes", self.global_loads.bytes),
            ("global_store_requests", self.global_stores.requests),
            ("global_store_sectors", self.global_stores.sectors),
            ("global_store_bytes", self.global_stores.bytes),
            ("shared_requests", self.shared_requests),
            ("shared_passes", self.shared_passes),
            ("shared_conflicts", self.shared_conflicts),
            ("local_requests", self.local_requests),
            ("warp_shuffles", self.warp_shuffles),
            ("warp_syncs", self.warp_syncs),
            ("block_syncs", self.block_syncs),
        ]
    }

    pub(super) fn add(&mut self, other: &Counters) {
        self.global_loads.add(&other.global_loads);
        self.global_stores.add(&other.global_stores);
        for (to, from) in [
            (&mut self.thread_instructions, other.thread_instructions),
            (&mut self.warp_instructions, other.warp_instructions),
            (&mut self.integer, other.integer),
            (&mut self.float, other.float),
            (&mut self.flops, other.flops),
            (&mut self.data, other.data),
            (&mut self.memory, other.memory),
            (&mut self.control, other.control),
            (&mut self.shuffle, other.shuffle),
            (&mut self.sync, other.sync),
            (&mut self.shared_requests, other.shared_requests),
            (&mut self.shared_passes, other.shared_passes),
            (&mut self.shared_conflicts, other.shared_conflicts),
            (&mut self.local_requests, other.local_requests),
            (&mut self.warp_shuffles, other.warp_shuffles),
            (&mut self.warp_syncs, other.warp_syncs),
            (&mut self.block_syncs, other.block_syncs),
        ] {
            *to += from;
        }
    }

    pub(super) fn instructions(&mut self, kind: Kind, threads: u64, warps: u64) {
        self.thread_instructions += threads;
        self.warp_instructions += warps;
        *match kind {
            Kind::Integer => &mut self.integer,
            Kind::Float => &mut self.float,
            Kind::Data => &mut self.data,
            Kind::Memory => &mut self.memory,
            Kind::Control => &mut self.control,
            Kind::Shuffle => &mut self.shuffle,
            Kind::Sync => &mut self.sync,
        } += threads;
    }
}

/// Operations on floats that a thread does by an instruction: of a comparison, an extreme, a conversion none.
pub(super) fn flops_of(opcode: &str) -> u64 {
    let each = match opcode.split('.').next() {
        Some("fma" | "mad") => 2,
        Some("add" | "sub" | "mul" | "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh") => 1,
        _ => 0,
    };
    match opcode.rsplit('.').next() {
        Some("f32" | "f64" | "f16" | "bf16") => each,
        Some("f32x2" | "f16x2" | "bf16x2") => 2 * each,
        _ => 0,
    }
}

/// Distinct 32-byte sectors of the accesses of the lanes in `mask`, each `bytes` long.
pub(super) fn sectors(addresses: &[u64; 32], mask: u32, bytes: u64) -> u64 {
    let mut seen = [0u64; 64];
    let (mut count, mut greatest) = (0, 0);
    let mut add = |sector: u64| {
        // Neighbouring lanes mostly share a sector or go on to the next one.
        let known = count > 0 && sector <= greatest && (seen[count - 1] == sector || seen[..count].contains(&sector));
        if !known {
            seen[count] = sector;
            count += 1;
            greatest = greatest.max(sector);
        }
    };
    for (lane, address) in addresses.iter().enumerate() {
        if mask >> lane & 1 == 1 {
            add(address / 32);
            let last = (address + bytes - 1) / 32;
            if last != address / 32 {
                add(last);
            }
        }
    }
    count as u64
}

/// Passes of a shared access, and the groups it was split into.
pub(super) fn passes(addresses: &[u64; 32], mask: u32, bytes: u64) -> (u64, u64) {
    let group = match bytes {
        0..=4 => 32,
        8 => 16,
        _ => 8,
    };
    let words = bytes.div_ceil(4);
    let (mut passes, mut groups) = (0, 0);
    for start in (0..32).step_by(group) {
        let lanes = if group == 32 { mask } else { mask >> start & ((1 << group) - 1) };
        if lanes == 0 {
            continue;
        }
        groups += 1;
        // Words in a row, one after another, are the common case and have no conflict.
        let first = addresses[start];
        let members = &addresses[start..start + group];
        if lanes.count_ones() as usize == group
            && members.iter().enumerate().all(|(lane, address)| *address == first + lane as u64 * bytes)
        {
            passes += 1;
            continue;
        }
        let mut seen = [0u64; 64];
        let mut count = 0;
        let mut load = [0u8; 32];
        for (lane, address) in members.iter().enumerate() {
            if lanes >> lane & 1 == 1 {
                for word in address / 4..address / 4 + words {
                    if !seen[..count].contains(&word) {
                        seen[count] = word;
                        count += 1;
                        load[(word % 32) as usize] += 1;
                    }
                }
            }
        }
        passes += u64::from(load.iter().copied().max().unwrap_or(1));
    }
    (passes, groups)
}
