//! What is behind the load/store units: an L1 for each SM, the slices of L2, the channels of memory.
//!
//! ```text
//! SM ── L1 ──▶ port ──▶ slice of L2 ──▶ channel of memory          each is busy for the bytes that it moves, and has a latency
//!    ◀───────────────────────────────
//! ```
//!
//! When an access is issued, all that it waits for is known: each part on the way takes it as soon as it has done what came before. So
//! the time of the answer is computed at once, and nothing needs to be told later.

use super::cache::{Cache, hash};
use weft_model::Target;

/// Sectors that went where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sectors {
    /// Loaded, and found in L1.
    pub l1_hits: u64,
    /// Asked of L2.
    pub l2_reads: u64,
    /// And found there.
    pub l2_hits: u64,
    /// Read from memory.
    pub memory_reads: u64,
    /// Written to L2.
    pub l2_writes: u64,
    /// Written to memory, so far as L2 had no room.
    pub memory_writes: u64,
}

/// The parts of a GPU, or of a share of it.
pub(super) struct Memory {
    l1: Vec<Cache>,
    l2: Cache,
    /// When each is free.
    ports: Vec<f64>,
    slices: Vec<f64>,
    channels: Vec<f64>,
    /// Cycles for a sector.
    port_time: f64,
    slice_time: f64,
    channel_time: f64,
    /// Cycles on the way.
    l1_latency: u64,
    to_l2: u64,
    to_channel: u64,
    back: u64,
    pub sectors: Sectors,
}

/// Sectors that a channel takes before it must write them.
const WRITE_BUFFER: f64 = 64.0;

impl Memory {
    /// The share that so many SMs of a GPU have, each with so much L1.
    pub fn new(target: &Target, sms: u64, l1: u64) -> Self {
        let timing = &target.timing;
        let share = sms as f64 / target.sms as f64;
        let channels = ((timing.channels as f64 * share).round() as usize).max(1);
        // As many for each channel, or one would have more to do than another.
        let slices = channels * (timing.l2_slices as f64 / timing.channels as f64).round().max(1.0) as usize;
        let slice_width = timing.l2_slice_width * timing.l2_slices as f64 * share / slices as f64;
        let bytes_a_cycle = target.bandwidth / target.clock * timing.dram_efficiency * share;
        let between = timing.l2_latency - timing.l1_latency;
        let behind = timing.dram_latency - timing.l2_latency;
        Memory {
            l1: (0..sms).map(|_| Cache::new(l1)).collect(),
            // Not a share of it: what one block leaves there the next finds, whatever the number of SMs.
            l2: Cache::new(target.l2),
            ports: vec![0.0; sms as usize],
            slices: vec![0.0; slices],
            channels: vec![0.0; channels],
            port_time: 32.0 / timing.port_width as f64,
            slice_time: 32.0 / slice_width,
            channel_time: 32.0 * channels as f64 / bytes_a_cycle,
            l1_latency: timing.l1_latency,
            to_l2: between / 2,
            to_channel: behind / 2,
            back: between - between / 2,
            sectors: Sectors::default(),
        }
    }

    /// Fills L2 as blocks that ran before would have left it: see [`Cache::age`].
    pub fn age(&mut self, lines: u64, written: f64) {
        self.l2.age(lines, written);
    }

    /// A load of lines; when it has all, and the sectors that L1 lacked.
    pub fn load(&mut self, sm: usize, now: u64, lines: &[u64]) -> (u64, u64) {
        let (mut done, mut missed) = (now + self.l1_latency, 0);
        for line in lines {
            let (number, sectors) = (line >> 4, (line & 15) as u8);
            let found = self.l1[sm].look(number, sectors);
            self.sectors.l1_hits += u64::from(found.hits.count_ones());
            if found.hits != 0 {
                done = done.max(found.ready);
            }
            let missing = sectors & !found.hits;
            if missing != 0 {
                missed += u64::from(missing.count_ones());
                let arrival = self.read_l2(sm, now, number, missing);
                self.l1[sm].arrives(found.place, arrival);
                done = done.max(arrival);
            }
        }
        (done, missed)
    }

    /// Sectors of a line, from L2: when they are in L1.
    fn read_l2(&mut self, sm: usize, now: u64, line: u64, sectors: u8) -> u64 {
        let count = f64::from(sectors.count_ones());
        self.sectors.l2_reads += u64::from(sectors.count_ones());
        let (slice, channel) = self.place(line);
        let sent = take(&mut self.ports[sm], now as f64, count * self.port_time);
        let start = take(&mut self.slices[slice], sent + self.to_l2 as f64, count * self.slice_time);
        let found = self.l2.look(line, sectors);
        self.evict(channel, start, found.evicted);
        self.sectors.l2_hits += u64::from(found.hits.count_ones());
        let mut ready = start as u64;
        if found.hits != 0 {
            ready = ready.max(found.ready);
        }
        let missing = (sectors & !found.hits).count_ones();
        if missing != 0 {
            self.sectors.memory_reads += u64::from(missing);
            let time = f64::from(missing) * self.channel_time;
            let begun = take(&mut self.channels[channel], start + self.to_channel as f64, time);
            ready = ready.max((begun + time) as u64 + self.to_channel);
            self.l2.arrives(found.place, ready);
        }
        ready + self.back + self.l1_latency
    }

    /// A store of lines, which goes to L2; when that has it.
    pub fn store(&mut self, sm: usize, now: u64, lines: &[u64]) -> u64 {
        let mut done = now;
        for line in lines {
            let (number, sectors) = (line >> 4, (line & 15) as u8);
            let count = f64::from(sectors.count_ones());
            self.sectors.l2_writes += u64::from(sectors.count_ones());
            let (slice, channel) = self.place(number);
            let sent = take(&mut self.ports[sm], now as f64, count * self.port_time);
            let start = take(&mut self.slices[slice], sent + self.to_l2 as f64, count * self.slice_time);
            let found = self.l2.look(number, sectors);
            self.l2.write(found.place, sectors);
            self.evict(channel, start, found.evicted);
            // Where memory is behind with its writes, new ones wait.
            let behind = self.channels[channel] - WRITE_BUFFER * self.channel_time;
            done = done.max(start.max(behind) as u64);
        }
        done
    }

    /// An update of lines in L2; when the old values are back.
    pub fn update(&mut self, sm: usize, now: u64, lines: &[u64]) -> u64 {
        let read = |memory: &mut Self, line: &u64| memory.read_l2(sm, now, line >> 4, (line & 15) as u8);
        let done = lines.iter().map(|line| read(self, line)).max().unwrap_or(now);
        for line in lines {
            let (slice, _) = self.place(line >> 4);
            self.slices[slice] += 1.0;
        }
        done + 1
    }

    fn place(&self, line: u64) -> (usize, usize) {
        let slice = (hash(line) >> 8) as usize % self.slices.len();
        (slice, slice * self.channels.len() / self.slices.len())
    }

    fn evict(&mut self, channel: usize, now: f64, sectors: u32) {
        if sectors != 0 {
            self.sectors.memory_writes += u64::from(sectors);
            take(&mut self.channels[channel], now, f64::from(sectors) * self.channel_time);
        }
    }
}

/// Takes a part for a time, from `now` on or when it is free; when that begins.
fn take(free: &mut f64, now: f64, time: f64) -> f64 {
    let start = free.max(now);
    *free = start + time;
    start
}
