//! The clock on small kernels written by hand, whose time one can work out.

use weft_model::{Target, occupancy};
use weft_runtime::simt::{
    GlobalMemory, KernelArg, Module, Options,
    clock::{Clock, Estimate, Order},
    launch,
};

/// A kernel `k` with a pointer `a` in `%d0` and one `b` in `%d1`, of a thread's own number in `%r0`.
fn kernel(shared: &str, body: &str) -> Module {
    let text = format!(
        ".version 8.0\n.target sm_70\n.address_size 64\n{shared}\n.visible .entry k(.param .u64 a, .param .u64 b)\n{{\n\
         .reg .pred %p<9>;\n.reg .b32 %r<64>;\n.reg .b64 %d<32>;\nld.param.u64 %d0, [a];\nld.param.u64 %d1, [b];\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.s32 %r0, %r2, %r3, %r1;\n\
         {body}\nret;\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn target(name: &str) -> Target {
    Target::named(name).expect("a built-in target")
}

/// Runs it on buffers of a word for each thread.
fn time(module: &Module, clock: Clock, grid: u32, block: u32) -> Estimate {
    let mut memory = GlobalMemory::new();
    let bytes = vec![0; grid as usize * block as usize * 4 + 4096];
    let args = [KernelArg::Pointer(memory.alloc_with(&bytes)), KernelArg::Pointer(memory.alloc_with(&bytes))];
    let options = Options { clock: Some(clock), ..Options::default() };
    let launch = launch(module, "k", [grid, 1, 1], [block, 1, 1], &args, &mut memory, &options);
    let launch = launch.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(launch.reports, []);
    launch.estimate.expect("a clock was set")
}

/// The cycles that `count` repetitions of a text add to as many fewer: what is around them drops out.
fn added(name: &str, block: u32, count: usize, text: impl Fn(usize) -> String) -> f64 {
    let cycles = |count: usize| {
        let body: Vec<String> = (0..count).map(&text).collect();
        // What nobody reads would still be executed: there is no compiler here.
        time(&kernel("", &body.join("\n")), Clock::new(target(name)), 1, block).cycles as f64
    };
    (cycles(3 * count) - cycles(count)) / (2 * count) as f64
}

#[test]
fn a_chain_takes_its_latency() {
    let chain = |_| "fma.rn.f32 %r9, %r9, %r9, %r9;".to_owned();
    for name in ["v100", "a100", "h100", "gtx1080ti"] {
        let latency = target(name).timing.alu_latency as f64;
        assert_eq!(added(name, 32, 100, chain), latency, "{name}");
        // Other warps fill the gaps.
        assert_eq!(added(name, 128, 100, chain), latency, "{name}");
    }
}

#[test]
fn independent_instructions_take_their_pipe() {
    let independent = |index: usize| format!("fma.rn.f32 %r{}, %r0, %r0, %r0;", 10 + index % 32);
    // 16 lanes of a scheduler: two cycles for a warp; 32: one.
    assert_eq!(added("v100", 32, 128, independent), 2.0);
    assert_eq!(added("h100", 32, 128, independent), 1.0);
    // Two warps share a scheduler when there are eight.
    assert_eq!(added("v100", 256, 128, independent), 4.0);
    // Integers have a pipe of their own: both together are bound by the slots.
    let mixed = |index: usize| {
        let register = 10 + index % 32;
        match index % 2 {
            0 => format!("fma.rn.f32 %r{register}, %r0, %r0, %r0;"),
            _ => format!("xor.b32 %r{register}, %r0, %r0;"),
        }
    };
    assert_eq!(added("v100", 32, 128, mixed), 1.0);
}

#[test]
fn a_correct_quotient_costs_many_instructions() {
    let of = |text: &'static str| added("v100", 32, 50, move |_| text.to_owned());
    let product = of("mul.rn.f32 %r9, %r9, %r9;");
    let constant = of("div.rn.f32 %r9, %r9, 0f40400000;");
    let variable = of("div.rn.f32 %r9, %r9, %r8;");
    assert!(constant > 4.0 * product && variable > constant, "{product} {constant} {variable}");
    assert_eq!(of("mov.b32 %r9, %r9;"), 0.0);
}

/// Each thread copies a word.
const COPY: &str = "mul.wide.u32 %d2, %r0, 4;\nadd.s64 %d3, %d0, %d2;\nadd.s64 %d4, %d1, %d2;\n\
                    ld.global.b32 %r9, [%d3];\nst.global.b32 [%d4], %r9;";

#[test]
fn a_copy_reaches_the_bandwidth_with_enough_warps_only() {
    let copy = kernel("", COPY);
    // Far more than L2 holds.
    let mut small = target("v100");
    (small.sms, small.bandwidth, small.l2, small.timing.channels) = (8, 89.8, 1 << 18, 4);
    let many = time(&copy, Clock { budget: u64::MAX, ..Clock::new(small.clone()) }, 4096, 256);
    assert!(many.memory > 0.8 * small.timing.dram_efficiency, "{}", many.memory);
    assert!(many.stalls.memory > many.slots);
    let one = time(&copy, Clock::new(small), 1, 32);
    assert!(one.memory < 0.02, "{}", one.memory);
    // Two trips, nothing else: there and back for the load, and there for the store.
    assert!((400..1200).contains(&one.cycles), "{}", one.cycles);
}

#[test]
fn loads_are_issued_before_what_waits_for_them() {
    let load = |index: usize| {
        let (at, loaded, sum) = (index * 4096 * 32, 30 + index, 10 + index);
        format!("ld.global.nc.b32 %r{loaded}, [%d3+{at}];\nadd.s32 %r{sum}, %r{sum}, %r{loaded};\n")
    };
    let loads: String = (0..8).map(load).collect();
    let body = format!("mul.wide.u32 %d2, %r0, 4;\nadd.s64 %d3, %d0, %d2;\n{loads}");
    let module = kernel("", &body);
    let clock = Clock::new(target("v100"));
    let bytes = |order| {
        let mut memory = GlobalMemory::new();
        let a = KernelArg::Pointer(memory.alloc_with(&vec![0; 8 * 4096 * 32]));
        let options = Options { clock: Some(Clock { order, ..clock.clone() }), ..Options::default() };
        let args = [a.clone(), a];
        let launch = launch(&module, "k", [1, 1, 1], [32, 1, 1], &args, &mut memory, &options).expect("it runs");
        launch.estimate.expect("a clock was set").cycles
    };
    let (compiled, text) = (bytes(Order::Compiled), bytes(Order::Text));
    // One after the other they are eight trips to memory; together, one and a bit.
    assert!(text > 4 * compiled, "{text} {compiled}");
}

#[test]
fn conflicts_between_banks_cost_passes() {
    let of = |stride: u32| {
        let body = format!("mul.lo.s32 %r4, %r1, {};\nmov.b32 %r5, s;\nadd.s32 %r4, %r4, %r5;\n", 4 * stride);
        let loads = |count: usize| {
            let load = "st.shared.b32 [%r4], %r1;\n";
            let module = kernel(".shared .align 4 .b8 s[4096];", &format!("{body}{}", load.repeat(count)));
            time(&module, Clock::new(target("v100")), 1, 32).cycles as f64
        };
        (loads(200) - loads(100)) / 100.0
    };
    assert_eq!(of(32), 32.0);
    assert_eq!(of(2), 2.0);
    assert!(of(1) <= 2.0);
}

#[test]
fn a_barrier_waits_for_the_slowest() {
    let slow = "fma.rn.f32 %r9, %r9, %r9, %r9;\n".repeat(500);
    let body = format!("setp.gt.u32 %p1, %r1, 31;\n@%p1 bra $join;\n{slow}$join:\nbar.sync 0;");
    let estimate = time(&kernel("", &body), Clock::new(target("v100")), 1, 128);
    assert!(estimate.cycles > 2000);
    let waits: f64 = estimate.lines.iter().map(|line| line.waits.sync).sum();
    // Three warps wait for the fourth.
    assert!(waits > 3.0 * 1900.0, "{waits}");
}

#[test]
fn what_fits_is_in_flight() {
    let copy = kernel(".shared .align 4 .b8 s[16384];", &format!("mov.b32 %r5, s;\n{COPY}"));
    for registers in [32, 64, 128] {
        let clock = Clock { registers: Some(registers), ..Clock::new(target("v100")) };
        let estimate = time(&copy, clock, 1000, 256);
        let expected = occupancy(&target("v100"), 256, registers, 16384).expect("it fits");
        assert_eq!(estimate.blocks_per_sm, expected.blocks_per_sm);
        assert!(estimate.warps <= expected.warps_per_sm as f64);
        assert!(!estimate.registers_are_estimated);
    }
}

#[test]
fn the_same_twice() {
    let copy = kernel("", COPY);
    let clock = || Clock { budget: 10_000, ..Clock::new(target("v100")) };
    assert_eq!(time(&copy, clock(), 3000, 128), time(&copy, clock(), 3000, 128));
}

#[test]
fn more_sms_are_never_slower() {
    let work = format!("{COPY}\n{}", "fma.rn.f32 %r9, %r9, %r9, %r9;\n".repeat(40));
    let module = kernel("", &work);
    let cycles = |sms: u64| {
        let target = Target { sms, ..target("v100") };
        time(&module, Clock { budget: u64::MAX, ..Clock::new(target) }, 700, 128).cycles as f64
    };
    let mut before = f64::INFINITY;
    for sms in [5, 10, 20, 40, 80] {
        let now = cycles(sms);
        assert!(now <= 1.02 * before, "{sms}: {now} after {before}");
        before = now;
    }
}

#[test]
fn a_sample_stands_for_all() {
    let work = format!("{COPY}\n{}", "fma.rn.f32 %r9, %r9, %r9, %r9;\n".repeat(20));
    let module = kernel("", &work);
    let of = |budget: u64| time(&module, Clock { budget, ..Clock::new(target("v100")) }, 20_000, 128);
    let (all, sample) = (of(u64::MAX), of(300_000));
    assert!(!all.is_sampled && sample.is_sampled);
    let ratio = sample.cycles as f64 / all.cycles as f64;
    assert!((0.85..1.15).contains(&ratio), "{} for {}", sample.cycles, all.cycles);
}

#[test]
fn a_sample_begins_with_what_blocks_before_it_wrote() {
    // Each block reads what the next three read, too: of all that the grid touches it writes half, of what the block touches a fifth.
    let ahead =
        ["ld.global.b32 %r10, [%d3+512];", "ld.global.b32 %r11, [%d3+1024];", "ld.global.b32 %r12, [%d3+1536];"];
    let module = kernel("", &format!("{COPY}\n{}", ahead.join("\n")));
    let of = |budget: u64| time(&module, Clock { budget, ..Clock::new(target("v100")) }, 100_000, 128);
    let (all, sample) = (of(u64::MAX), of(1_000_000));
    assert!(!all.is_sampled && sample.is_sampled);
    let ratio = sample.memory_bytes as f64 / all.memory_bytes as f64;
    assert!((0.95..1.05).contains(&ratio), "{} for {}", sample.memory_bytes, all.memory_bytes);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let module = kernel("", COPY);
    let mut memory = GlobalMemory::new();
    let a = KernelArg::Pointer(memory.alloc_with(&[0; 4096]));
    let clock = Clock { registers: Some(300), ..Clock::new(target("v100")) };
    let options = Options { clock: Some(clock), ..Options::default() };
    let error = launch(&module, "k", [1, 1, 1], [32, 1, 1], &[a.clone(), a], &mut memory, &options);
    let error = error.expect_err("there are no 300 registers").to_string();
    assert!(error.contains("it has 300 registers a thread, expected 0 to 255"), "{error}");
}
