//! How fast an SM is: for each unit of work its pipe, how long it holds that, and when its result is there.

use weft_model::Target;

/// What a machine instruction does, as far as time is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    F32,
    F16,
    F64,
    Int,
    Product,
    Shift,
    Compare,
    Convert,
    Convert64,
    Special,
    Shuffle,
    Memory,
    Branch,
    Barrier,
}

impl Unit {
    const ALL: [Unit; 14] = [
        Unit::F32,
        Unit::F16,
        Unit::F64,
        Unit::Int,
        Unit::Product,
        Unit::Shift,
        Unit::Compare,
        Unit::Convert,
        Unit::Convert64,
        Unit::Special,
        Unit::Shuffle,
        Unit::Memory,
        Unit::Branch,
        Unit::Barrier,
    ];
}

/// What units of work share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pipe {
    Fma,
    Alu,
    Special,
    F64,
    Memory,
    Control,
}

/// Pipes of a scheduler.
pub(super) const PIPES: usize = 6;

/// Time of one unit of work, in cycles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub pipe: Pipe,
    /// Until the pipe takes another.
    pub interval: u32,
    /// Until the result can be used; of accesses, what comes besides memory.
    pub latency: u32,
}

/// The rates of a GPU.
#[derive(Clone, Debug)]
pub(super) struct Rates([Rate; 14]);

impl Rates {
    /// Those of a target.
    pub fn new(target: &Target) -> Self {
        let (timing, rate) = (&target.timing, &target.throughput);
        let schedulers = target.warp_granularity as f64;
        let interval = |lanes: f64| (32.0 * schedulers / lanes).round().max(1.0) as u32;
        let of = |unit: Unit| {
            let (pipe, interval, latency) = match unit {
                Unit::F32 => (Pipe::Fma, interval(rate.f32), timing.alu_latency),
                Unit::F16 => (Pipe::Fma, interval(rate.f16), timing.product_latency),
                Unit::F64 => (Pipe::F64, interval(rate.f64), timing.f64_latency),
                Unit::Int => (Pipe::Alu, interval(rate.i32), timing.alu_latency),
                Unit::Product => (Pipe::Fma, interval(rate.i32_mul), timing.product_latency),
                Unit::Shift => (Pipe::Alu, interval(rate.shift), timing.alu_latency),
                Unit::Compare => (Pipe::Alu, interval(rate.compare), timing.alu_latency),
                Unit::Convert => (Pipe::Special, interval(rate.convert), timing.special_latency),
                Unit::Convert64 => (Pipe::Special, interval(rate.convert64), timing.special_latency),
                Unit::Special => (Pipe::Special, interval(rate.special), timing.special_latency),
                Unit::Shuffle => (Pipe::Memory, 2, timing.shuffle_latency),
                Unit::Memory => (Pipe::Memory, 2, 0),
                Unit::Branch => (Pipe::Control, 1, timing.branch_latency),
                Unit::Barrier => (Pipe::Control, 1, timing.barrier_latency),
            };
            Rate { pipe, interval, latency: latency as u32 }
        };
        Rates(Unit::ALL.map(of))
    }

    /// That of a unit.
    pub fn of(&self, unit: Unit) -> Rate {
        self.0[unit as usize]
    }
}
