//! The SIMT executor on small kernels written by hand: arithmetic against Rust's, planted faults, counters, determinism.

use weft_runtime::simt::{Checks, Counters, Error, Fault, GlobalMemory, KernelArg, Launch, Module, Options, launch};

/// A module around a kernel `k` with 64-bit parameters `a`, `b`, … and some registers.
fn module(params: usize, shared: &str, body: &str) -> String {
    let names: Vec<String> = (0..params).map(|index| format!(".param .u64 {}", (b'a' + index as u8) as char)).collect();
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"blur.mlir\"\n{shared}\n.visible .entry k({})\n{{\n\
         .reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<32>;\n.reg .b64 %d<32>;\n{body}\nret;\n}}\n",
        names.join(", ")
    )
}

fn execute(text: &str, block: u32, args: &[u64], memory: &mut GlobalMemory, options: &Options) -> Launch {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let args: Vec<KernelArg> = args.iter().map(|address| KernelArg::Pointer(*address)).collect();
    launch(&module, "k", [1, 1, 1], [block, 1, 1], &args, memory, options).unwrap_or_else(|error| panic!("{error}"))
}

fn words(memory: &GlobalMemory, address: u64, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; count * 4];
    memory.read(address, &mut bytes).expect("it is there");
    bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Runs one instruction on each triple of 32-bit operands in `%r1`, `%r2`, `%r3`; `%r0` is the result.
fn each(instruction: &str, operands: &[[u32; 3]]) -> Vec<u32> {
    let text = module(
        2,
        "",
        &format!(
            "ld.param.u64 %d0, [a];\nld.param.u64 %d1, [b];\nmov.u32 %r9, %tid.x;\nmul.wide.u32 %d2, %r9, 16;\n\
             add.s64 %d0, %d0, %d2;\nmul.wide.u32 %d2, %r9, 4;\nadd.s64 %d1, %d1, %d2;\n\
             ld.global.v4.b32 {{%r1, %r2, %r3, _}}, [%d0];\n{instruction}\nst.global.b32 [%d1], %r0;"
        ),
    );
    let mut memory = GlobalMemory::new();
    let input: Vec<u32> = operands.iter().flat_map(|[a, b, c]| [*a, *b, *c, 0]).collect();
    let from = memory.alloc_with(&bytes(&input));
    let to = memory.alloc(operands.len() * 4);
    let result = execute(&text, operands.len() as u32, &[from, to], &mut memory, &Options::default());
    assert_eq!(result.reports, [], "{instruction}");
    words(&memory, to, operands.len())
}

/// Operands at the edges of integers and floats.
fn edges() -> Vec<[u32; 3]> {
    let values = [
        0,
        1,
        2,
        31,
        32,
        33,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x1234_5678,
        0x3f80_0000,
        0xbfc0_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0001,
        0x0000_0fff,
        0x4b7f_ffff,
        0x3eaa_aaab,
    ];
    let mut operands = Vec::new();
    for (index, a) in values.into_iter().enumerate() {
        for (other, b) in values.into_iter().enumerate() {
            operands.push([a, b, values[(index * 7 + other * 5) % values.len()]]);
        }
    }
    operands
}

fn agree(instruction: &str, expected: impl Fn(u32, u32, u32) -> u32) {
    for some in edges().chunks(320) {
        for (operands, found) in some.iter().zip(each(instruction, some)) {
            let [a, b, c] = *operands;
            let expected = expected(a, b, c);
            assert_eq!(found, expected, "{instruction} of {a:#x}, {b:#x}, {c:#x}: {found:#x}, expected {expected:#x}");
        }
    }
}

#[test]
fn integer_arithmetic() {
    agree("add.s32 %r0, %r1, %r2;", |a, b, _| a.wrapping_add(b));
    agree("sub.s32 %r0, %r1, %r2;", |a, b, _| a.wrapping_sub(b));
    agree("mul.lo.s32 %r0, %r1, %r2;", |a, b, _| a.wrapping_mul(b));
    agree("mul.hi.u32 %r0, %r1, %r2;", |a, b, _| ((u64::from(a) * u64::from(b)) >> 32) as u32);
    agree("mul.hi.s32 %r0, %r1, %r2;", |a, b, _| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32);
    agree("mad.lo.s32 %r0, %r1, %r2, %r3;", |a, b, c| a.wrapping_mul(b).wrapping_add(c));
    agree("div.s32 %r0, %r1, %r2;", |a, b, _| if b == 0 { !0 } else { (a as i32).wrapping_div(b as i32) as u32 });
    agree("rem.u32 %r0, %r1, %r2;", |a, b, _| a.checked_rem(b).unwrap_or(!0));
    agree("min.s32 %r0, %r1, %r2;", |a, b, _| (a as i32).min(b as i32) as u32);
    agree("max.u32 %r0, %r1, %r2;", |a, b, _| a.max(b));
    agree("min.relu.s32 %r0, %r1, %r2;", |a, b, _| (a as i32).min(b as i32).max(0) as u32);
    agree("max.relu.s32 %r0, %r1, %r2;", |a, b, _| (a as i32).max(b as i32).max(0) as u32);
    let halves = |a: u32, b: u32, f: fn(i16, i16) -> i16| {
        u32::from(f(a as i16, b as i16) as u16) | u32::from(f((a >> 16) as i16, (b >> 16) as i16) as u16) << 16
    };
    agree("add.u16x2 %r0, %r1, %r2;", |a, b, _| halves(a, b, i16::wrapping_add));
    agree("max.s16x2 %r0, %r1, %r2;", |a, b, _| halves(a, b, i16::max));
    agree("min.u16x2 %r0, %r1, %r2;", |a, b, _| halves(a, b, |a, b| (a as u16).min(b as u16) as i16));
    agree("min.relu.s16x2 %r0, %r1, %r2;", |a, b, _| halves(a, b, |a, b| a.min(b).max(0)));
    agree("abs.s32 %r0, %r1;", |a, _, _| (a as i32).wrapping_abs() as u32);
    agree("neg.s32 %r0, %r1;", |a, _, _| a.wrapping_neg());
    agree("shl.b32 %r0, %r1, %r2;", |a, b, _| a.checked_shl(b).unwrap_or(0));
    agree("shr.u32 %r0, %r1, %r2;", |a, b, _| a.checked_shr(b).unwrap_or(0));
    agree("shr.s32 %r0, %r1, %r2;", |a, b, _| (a as i32 >> b.min(31)) as u32);
    agree("lop3.b32 %r0, %r1, %r2, %r3, 0xca;", |a, b, c| a & b | !a & c);
    agree("xor.b32 %r0, %r1, %r2;", |a, b, _| a ^ b);
    agree("popc.b32 %r0, %r1;", |a, _, _| a.count_ones());
    agree("clz.b32 %r0, %r1;", |a, _, _| a.leading_zeros());
    agree("brev.b32 %r0, %r1;", |a, _, _| a.reverse_bits());
    agree("prmt.b32 %r0, %r1, %r2, 0x5410;", |a, b, _| a & 0xffff | b << 16);
    agree("shf.l.wrap.b32 %r0, %r1, %r2, 8;", |a, b, _| b << 8 | a >> 24);
    agree("bfe.u32 %r0, %r1, 4, 8;", |a, _, _| a >> 4 & 0xff);
    agree("bfe.s32 %r0, %r1, 28, 8;", |a, _, _| (a as i32 >> 28) as u32);
    agree("bfi.b32 %r0, %r1, %r2, 4, 8;", |a, b, _| b & !0xff0 | (a & 0xff) << 4);
    agree("sad.s32 %r0, %r1, %r2, %r3;", |a, b, c| (a as i32).abs_diff(b as i32).wrapping_add(c));
    agree("mul.wide.s32 %d9, %r1, %r2;\nshr.u64 %d9, %d9, 16;\ncvt.u32.u64 %r0, %d9;", |a, b, _| {
        ((i64::from(a as i32) * i64::from(b as i32)) as u64 >> 16) as u32
    });
    agree("cvt.u16.u32 %h1, %r1;\nadd.s16 %h1, %h1, 5;\ncvt.s32.s16 %r0, %h1;", |a, _, _| {
        i32::from((a as i16).wrapping_add(5)) as u32
    });
    agree("cvt.sat.u8.s32 %r0, %r1;", |a, _, _| (a as i32).clamp(0, 255) as u32);
    agree("mov.b64 %d9, {%r1, %r2};\nmov.b64 {_, %r0}, %d9;", |_, b, _| b);
    agree("add.cc.u32 %r5, %r1, %r2;\naddc.u32 %r0, 0, 0;", |a, b, _| u32::from(a.checked_add(b).is_none()));
}

fn nan(x: f32) -> u32 {
    if x.is_nan() { 0x7fff_ffff } else { x.to_bits() }
}

#[test]
fn float_arithmetic() {
    let f = f32::from_bits;
    agree("add.rn.f32 %r0, %r1, %r2;", |a, b, _| nan(f(a) + f(b)));
    agree("sub.f32 %r0, %r1, %r2;", |a, b, _| nan(f(a) - f(b)));
    agree("mul.rn.f32 %r0, %r1, %r2;", |a, b, _| nan(f(a) * f(b)));
    agree("div.rn.f32 %r0, %r1, %r2;", |a, b, _| nan(f(a) / f(b)));
    agree("fma.rn.f32 %r0, %r1, %r2, %r3;", |a, b, c| nan(f(a).mul_add(f(b), f(c))));
    agree("sqrt.rn.f32 %r0, %r1;", |a, _, _| nan(f(a).sqrt()));
    agree("abs.f32 %r0, %r1;", |a, _, _| a & 0x7fff_ffff);
    agree("neg.f32 %r0, %r1;", |a, _, _| a ^ 0x8000_0000);
    agree("add.ftz.f32 %r0, %r1, 0f00000000;", |a, _, _| if f(a).is_subnormal() { 0 } else { nan(f(a) + 0.0) });
    agree("add.sat.f32 %r0, %r1, 0f00000000;", |a, _, _| if f(a) > 0.0 { f(a).min(1.0).to_bits() } else { 0 });
    agree("min.f32 %r0, %r1, %r2;", |a, b, _| match (f(a).is_nan(), f(b).is_nan()) {
        (true, true) => 0x7fff_ffff,
        (true, _) => b,
        (_, true) => a,
        _ if f(a) == 0.0 && f(b) == 0.0 => a | b,
        _ => f(a).min(f(b)).to_bits(),
    });
    agree("max.NaN.f32 %r0, %r1, %r2;", |a, b, _| match f(a).is_nan() || f(b).is_nan() {
        true => 0x7fff_ffff,
        _ if f(a) == 0.0 && f(b) == 0.0 => a & b,
        _ => f(a).max(f(b)).to_bits(),
    });
    // Directed rounding brackets the nearest.
    for (down, up) in [("add.rm.f32", "add.rp.f32"), ("mul.rm.f32", "mul.rp.f32"), ("div.rm.f32", "div.rp.f32")] {
        let low = each(&format!("{down} %r0, %r1, %r2;"), &edges()[..320]);
        let high = each(&format!("{up} %r0, %r1, %r2;"), &edges()[..320]);
        for ((low, high), [a, b, _]) in low.into_iter().zip(high).zip(edges()) {
            let exact = match &down[..3] {
                "add" => f64::from(f(a)) + f64::from(f(b)),
                "mul" => f64::from(f(a)) * f64::from(f(b)),
                _ => f64::from(f(a)) / f64::from(f(b)),
            };
            if exact.is_finite() {
                assert!(f64::from(f(low)) <= exact && exact <= f64::from(f(high)), "{down} of {a:#x}, {b:#x}");
                assert!(f(low) == f(high) || f(low).next_up() == f(high), "{down} of {a:#x}, {b:#x}");
            }
        }
    }
    agree("cvt.rzi.s32.f32 %r0, %r1;", |a, _, _| f(a) as i32 as u32);
    agree("cvt.rni.s32.f32 %r0, %r1;", |a, _, _| f(a).round_ties_even() as i32 as u32);
    agree("cvt.rmi.f32.f32 %r0, %r1;", |a, _, _| nan(f(a).floor()));
    agree("cvt.rn.f32.s32 %r0, %r1;", |a, _, _| (a as i32 as f32).to_bits());
    agree("cvt.rz.f32.u32 %r0, %r1;", |a, _, _| {
        let near = a as f32;
        (if near as u64 > u64::from(a) { near.next_down() } else { near }).to_bits()
    });
    agree("cvt.rzi.u8.f32 %r0, %r1;", |a, _, _| u32::from(f(a) as u8));
    agree("cvt.f64.f32 %d9, %r1;\nadd.f64 %d9, %d9, 0d3FF0000000000000;\ncvt.rn.f32.f64 %r0, %d9;", |a, _, _| {
        nan((f64::from(f(a)) + 1.0) as f32)
    });
    agree("ex2.approx.f32 %r0, %r1;", |a, _, _| nan(f64::from(f(a)).exp2() as f32));
}

#[test]
fn half_arithmetic() {
    use half::f16;
    let h = |bits: u32| f16::from_bits(bits as u16);
    let canonical = |x: f16| if x.is_nan() { 0x7fff } else { u32::from(x.to_bits()) };
    agree("cvt.rn.f16.f32 %h1, %r1;\nmov.b32 %r0, {%h1, 0};", |a, _, _| canonical(f16::from_f32(f32::from_bits(a))));
    // The sum and the product of two f16 are exact in f64.
    for (op, exact) in [("add", (|a, b| a + b) as fn(f64, f64) -> f64), ("mul", |a, b| a * b)] {
        let text =
            format!("cvt.u16.u32 %h1, %r1;\ncvt.u16.u32 %h2, %r2;\n{op}.rn.f16 %h3, %h1, %h2;\ncvt.u32.u16 %r0, %h3;");
        agree(&text, |a, b, _| canonical(f16::from_f32(exact(h(a).to_f64(), h(b).to_f64()) as f32)));
    }
    agree("cvt.u16.u32 %h1, %r1;\ncvt.f32.f16 %r0, %h1;", |a, _, _| nan(h(a).to_f32()));
}

/// Sums of f32 and f16, and pairs of f32, as LLVM writes them for sm_100 and later.
#[test]
fn mixed_and_paired_arithmetic() {
    let h = |bits: u32| half::f16::from_bits(bits as u16).to_f32();
    let f = f32::from_bits;
    let with_half = |line: &str| format!("cvt.u16.u32 %h1, %r1;\ncvt.u16.u32 %h2, %r2;\n{line}");
    agree(&with_half("add.rn.f32.f16 %r0, %h1, %r2;"), |a, b, _| nan(h(a) + f(b)));
    agree(&with_half("sub.rn.f32.f16 %r0, %h1, %r2;"), |a, b, _| nan(h(a) - f(b)));
    agree(&with_half("fma.rn.f32.f16 %r0, %h1, %h2, %r3;"), |a, b, c| nan(h(a).mul_add(h(b), f(c))));
    let paired = |line: &str, part: u32| {
        let (low, high) = if part == 0 { ("%r0", "_") } else { ("_", "%r0") };
        format!("mov.b64 %d4, {{%r1, %r2}};\nmov.b64 %d5, {{%r2, %r3}};\n{line}\nmov.b64 {{{low}, {high}}}, %d6;")
    };
    agree(&paired("add.rn.f32x2 %d6, %d4, %d5;", 0), |a, b, _| nan(f(a) + f(b)));
    agree(&paired("mul.rn.f32x2 %d6, %d4, %d5;", 1), |_, b, c| nan(f(b) * f(c)));
    agree(&paired("fma.rn.f32x2 %d6, %d4, %d5, %d4;", 1), |_, b, c| nan(f(b).mul_add(f(c), f(b))));
}

#[test]
fn comparisons_and_selection() {
    let f = f32::from_bits;
    agree("setp.lt.s32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;", |a, b, _| u32::from((a as i32) < b as i32));
    agree("setp.hi.u32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;", |a, b, _| u32::from(a > b));
    agree("setp.ltu.f32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;", |a, b, _| {
        u32::from(f(a).is_nan() || f(b).is_nan() || f(a) < f(b))
    });
    agree("setp.ltu.f16x2 %p1|%p2, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;\n@%p2 add.s32 %r0, %r0, 2;", |a, b, _| {
        let half = |bits: u32| half::f16::from_bits(bits as u16);
        let below = |a: u32, b: u32| u32::from(half(a).partial_cmp(&half(b)).is_none_or(std::cmp::Ordering::is_lt));
        below(a, b) + 2 * below(a >> 16, b >> 16)
    });
    agree("setp.ne.f32 %p1, %r1, %r2;\nselp.b32 %r0, 1, 0, %p1;", |a, b, _| {
        u32::from(!f(a).is_nan() && !f(b).is_nan() && f(a) != f(b))
    });
    agree(
        "setp.eq.s32 %p2, %r3, 0;\nsetp.lt.and.s32 %p1|%p3, %r1, %r2, !%p2;\nselp.b32 %r0, 1, 0, %p1;\n@%p3 add.s32 %r0, %r0, 2;",
        |a, b, c| u32::from((a as i32) < b as i32 && c != 0) + 2 * u32::from((a as i32) >= b as i32 && c != 0),
    );
    agree("set.gt.u32.f32 %r0, %r1, %r2;", |a, b, _| if f(a) > f(b) { !0 } else { 0 });
    agree("slct.b32.s32 %r0, %r1, %r2, %r3;", |a, b, c| if c as i32 >= 0 { a } else { b });
}

/// Each lane in `%r1` its own value, `out[lane] = %r0` at the end; one warp.
fn lanes(body: &str) -> (Vec<u32>, Launch) {
    let text = module(
        1,
        "",
        &format!(
            "ld.param.u64 %d1, [a];\nmov.u32 %r9, %tid.x;\nmul.wide.u32 %d2, %r9, 4;\nadd.s64 %d1, %d1, %d2;\n\
             mul.lo.s32 %r1, %r9, 10;\n{body}\nst.global.b32 [%d1], %r0;"
        ),
    );
    let mut memory = GlobalMemory::new();
    let to = memory.alloc(128);
    let result = execute(&text, 32, &[to], &mut memory, &Options::default());
    (words(&memory, to, 32), result)
}

#[test]
fn shuffles_and_votes() {
    let check = |body: &str, expected: &dyn Fn(u32) -> u32| {
        let (found, launch) = lanes(body);
        assert_eq!(found, (0..32).map(expected).collect::<Vec<_>>(), "{body}");
        assert_eq!(launch.reports, [], "{body}");
    };
    check("shfl.sync.down.b32 %r0|%p1, %r1, 1, 31, -1;\n@!%p1 mov.u32 %r0, 7;", &|lane| {
        if lane == 31 { 7 } else { lane * 10 + 10 }
    });
    check("shfl.sync.up.b32 %r0, %r1, 2, 0, -1;", &|lane| if lane < 2 { lane * 10 } else { lane * 10 - 20 });
    check("shfl.sync.bfly.b32 %r0, %r1, 5, 31, -1;", &|lane| (lane ^ 5) * 10);
    check("add.s32 %r2, %r9, 3;\nand.b32 %r2, %r2, 31;\nshfl.sync.idx.b32 %r0, %r1, %r2, 31, -1;", &|lane| {
        (lane + 3) % 32 * 10
    });
    // Segments of 8 lanes.
    check("shfl.sync.down.b32 %r0, %r1, 1, 0x181f, -1;", &|lane| {
        if lane % 8 == 7 { lane * 10 } else { lane * 10 + 10 }
    });
    check("setp.lt.u32 %p1, %r9, 5;\nvote.sync.ballot.b32 %r0, %p1, -1;", &|_| 31);
    check("redux.sync.add.s32 %r0, %r1, -1;", &|_| 4960);
    check("shr.u32 %r2, %r9, 4;\nmatch.any.sync.b32 %r0, %r2, -1;", &|lane| {
        if lane < 16 { 0xffff } else { 0xffff_0000 }
    });
    // The two halves part, and meet again in a shuffle that names all.
    let apart = "setp.lt.u32 %p1, %r9, 16;\n@%p1 bra $L1;\nadd.s32 %r1, %r1, 1;\nbra.uni $L2;\n$L1:\nadd.s32 %r1, %r1, 2;\n$L2:\n\
                 shfl.sync.idx.b32 %r0, %r1, 20, 31, -1;";
    check(apart, &|_| 201);
    // Each half by itself, at another instruction: only the mask tells who waits for whom.
    let halves = "setp.lt.u32 %p1, %r9, 16;\n@%p1 bra $L1;\nshfl.sync.down.b32 %r0, %r1, 1, 31, 0xffff0000;\nbra.uni $L2;\n\
                  $L1:\nshfl.sync.bfly.b32 %r0, %r1, 1, 31, 0xffff;\n$L2:";
    check(halves, &|lane| match lane {
        31 => 310,
        16.. => lane * 10 + 10,
        _ => (lane ^ 1) * 10,
    });
}

#[test]
fn loops_tables_and_unpacking() {
    let (found, launch) = lanes(
        "mov.u32 %r0, 0;\nmov.u32 %r2, 0;\n$L1:\nadd.s32 %r0, %r0, %r2;\nadd.s32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r9;\n@%p1 bra $L1;",
    );
    assert_eq!(found, (0..32).map(|lane| lane * (lane + 1) / 2).collect::<Vec<_>>());
    assert_eq!(launch.reports, []);
    let (found, _) = lanes(
        "and.b32 %r2, %r9, 1;\n$T: .branchtargets $A, $B;\nbrx.idx %r2, $T;\n$A:\nmov.u32 %r0, 5;\nbra $C;\n$B:\nmov.u32 %r0, 6;\n$C:",
    );
    assert_eq!(found, (0..32).map(|lane| 5 + lane % 2).collect::<Vec<_>>());
}

const TILE: &str = ".shared .align 16 .b8 tile[256];";

/// Each thread writes its own slot of `tile` (unless `only` says who), syncs, and reads its right neighbour's.
fn neighbour(guard: &str, sync: &str, step: u32) -> String {
    module(
        1,
        TILE,
        &format!(
            "ld.param.u64 %d1, [a];\nmov.u32 %r9, %tid.x;\nmul.wide.u32 %d2, %r9, 4;\nadd.s64 %d1, %d1, %d2;\n\
             mov.u32 %r3, tile;\nshl.b32 %r4, %r9, 2;\nadd.s32 %r3, %r3, %r4;\nsetp.ne.s32 %p1, %r9, 5;\n\
             .loc 1 12 3\n{guard}st.shared.b32 [%r3], %r9;\n{sync}\nadd.s32 %r5, %r9, {step};\nrem.u32 %r5, %r5, %ntid.x;\n\
             shl.b32 %r5, %r5, 2;\nmov.u32 %r6, tile;\nadd.s32 %r6, %r6, %r5;\n.loc 1 14 7\nld.shared.b32 %r0, [%r6];\n\
             st.global.b32 [%d1], %r0;"
        ),
    )
}

fn reports(text: &str, block: u32) -> Vec<(Fault, String)> {
    let mut memory = GlobalMemory::new();
    let to = memory.alloc(block as usize * 4);
    let result = execute(text, block, &[to], &mut memory, &Options::default());
    result.reports.into_iter().map(|report| (report.fault, report.to_string())).collect()
}

#[test]
fn a_sync_orders_and_its_absence_is_a_race() {
    assert_eq!(reports(&neighbour("", "bar.warp.sync -1;", 1), 32), []);
    assert_eq!(reports(&neighbour("", "bar.sync 0;", 1), 64), []);
    assert_eq!(reports(&neighbour("", "barrier.cta.sync.aligned.all 0;", 1), 64), []);
    // Halves of the warp, each for itself.
    let half = "and.b32 %r7, %r9, 16;\nmov.u32 %r8, 0xffff;\nshl.b32 %r8, %r8, %r7;\nbar.warp.sync %r8;";
    let found = reports(&neighbour("", half, 1), 32);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.contains("(2 times)"), "lanes 15 and 31 cross the halves: {found:?}");

    let found = reports(&neighbour("", "", 1), 32);
    assert_eq!(found[0].0, Fault::Race, "{found:?}");
    assert!(found[0].1.contains("blur.mlir:14:7"), "{found:?}");
    assert!(found[0].1.contains("thread (0, 0, 0)") && found[0].1.contains("thread (1, 0, 0) wrote"), "{found:?}");
    // A shuffle waits for the lanes but orders no memory, and a warp's sync says nothing to other warps.
    assert_eq!(reports(&neighbour("", "shfl.sync.idx.b32 %r7, %r9, 0, 31, -1;", 1), 32)[0].0, Fault::Race);
    // (The warp that comes first also reads what is not written yet.)
    assert!(reports(&neighbour("", "bar.warp.sync -1;", 1), 64).iter().any(|(fault, _)| *fault == Fault::Race));
}

#[test]
fn a_write_after_a_read_needs_a_sync_too() {
    let body = |sync: &str| {
        let first = neighbour("", "bar.warp.sync -1;", 1);
        first.replace(
            "st.global.b32 [%d1], %r0;",
            &format!("{sync}\nst.shared.b32 [%r3], %r0;\nst.global.b32 [%d1], %r0;"),
        )
    };
    assert_eq!(reports(&body("bar.warp.sync -1;"), 32), []);
    let found = reports(&body(""), 32);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.contains("writes shared memory") && found[0].1.contains(" read at line"), "{found:?}");
    // Two writes.
    let both = neighbour("", "st.shared.b32 [tile], %r9;\nbar.warp.sync -1;", 1);
    assert!(reports(&both, 32).iter().any(|(fault, _)| *fault == Fault::Race));
}

#[test]
fn unwritten_memory_is_found() {
    let found = reports(&neighbour("@%p1 ", "bar.warp.sync -1;", 1), 32);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, Fault::Unwritten);
    assert!(found[0].1.contains("thread (4, 0, 0)"), "{found:?}");
    // An output that is read before it is written.
    let (_, launch) = lanes("ld.global.b32 %r0, [%d1];");
    assert_eq!(launch.reports[0].fault, Fault::Unwritten);
    assert_eq!(launch.reports[0].count, 32);
    let local = ".local .align 4 .b8 l[8];\nst.local.b32 [l], %r9;\nld.local.b32 %r0, [l+4];";
    let (_, launch) = lanes(local);
    assert_eq!(launch.reports[0].fault, Fault::Unwritten);
}

#[test]
fn bounds_and_alignment_are_checked() {
    let (_, launch) = lanes("mov.u32 %r0, 1;\nst.global.b32 [%d1+4], %r0;");
    assert_eq!(launch.reports.len(), 1);
    let report = &launch.reports[0];
    assert_eq!((report.fault, report.thread, report.count), (Fault::OutOfBounds, [31, 0, 0], 1));
    assert!(report.message.contains("byte 128 of buffer 0, which has 128"), "{report}");
    let (_, launch) = lanes("mov.u32 %r0, 1;\nld.global.b32 %r2, [%d1+-4];");
    assert!(launch.reports.iter().any(|report| report.message.contains("byte -4 of buffer 0")), "{:?}", launch.reports);
    let (_, launch) = lanes("mov.u32 %r0, 1;\nst.global.v2.b32 [%d1], {%r0, %r0};");
    // Every second lane, but for the last, which is out of bounds already.
    assert!(launch.reports.iter().any(|report| report.fault == Fault::Misaligned && report.count == 15));
    // Beyond one shared variable, though another follows.
    let two = format!("{TILE}\n.shared .align 4 .b8 next[256];");
    let text = module(0, &two, "mov.u32 %r1, next;\nst.shared.b32 [%r1], 1;\nst.shared.b32 [tile+256], 1;");
    let found = execute(&text, 1, &[], &mut GlobalMemory::new(), &Options::default()).reports;
    assert_eq!(found.iter().map(|report| report.fault).collect::<Vec<_>>(), [Fault::OutOfBounds]);
    // No check, no report, and no crash.
    let text = module(0, "", "mov.u64 %d1, 12345;\nld.global.b32 %r1, [%d1];\nst.b32 [%d1], 4;");
    let options = Options { checks: Checks::NONE, ..Options::default() };
    assert_eq!(execute(&text, 32, &[], &mut GlobalMemory::new(), &options).reports, []);
}

/// Other compilers address what a launch gives from 0 on, and declare nothing.
#[test]
fn shared_memory_that_no_kernel_declares_is_checked() {
    let text = module(
        1,
        "",
        "ld.param.u64 %d1, [a];\nmov.u32 %r9, %tid.x;\nshl.b32 %r1, %r9, 2;\nst.shared.b32 [%r1], %r9;\nbar.sync 0;\n\
         xor.b32 %r1, %r1, 124;\nld.shared.b32 %r2, [%r1];\ncvt.u64.u32 %d2, %r1;\nadd.s64 %d1, %d1, %d2;\nst.global.b32 [%d1], %r2;",
    );
    let run = |text: &str, dynamic_shared: u32| {
        let mut memory = GlobalMemory::new();
        let to = memory.alloc(128);
        let options = Options { dynamic_shared, ..Options::default() };
        let launch = execute(text, 32, &[to], &mut memory, &options);
        let faults: Vec<(Fault, u64)> = launch.reports.iter().map(|report| (report.fault, report.count)).collect();
        (words(&memory, to, 32), faults)
    };
    assert_eq!(run(&text, 128), ((0..32).collect(), Vec::new()));
    // Half of it, and none: the rest is beyond, for the store and for the load.
    assert_eq!(run(&text, 64).1, [(Fault::OutOfBounds, 16), (Fault::OutOfBounds, 16)]);
    assert_eq!(run(&text, 0).1, [(Fault::OutOfBounds, 32), (Fault::OutOfBounds, 32)]);
    let race = text.replace("bar.sync 0;\n", "");
    assert!(run(&race, 128).1.iter().all(|(fault, _)| *fault == Fault::Race) && !run(&race, 128).1.is_empty());
    // Beside memory that is declared there is none.
    let declared = text.replace(".visible", &format!("{TILE}\n.visible")).replace("[%r1], %r9", "[tile+512], %r9");
    assert!(run(&declared, 1024).1.iter().any(|(fault, _)| *fault == Fault::OutOfBounds));
}

#[test]
fn divergent_syncs_are_reported() {
    let skip = |sync: &str| format!("setp.eq.s32 %p1, %r9, 7;\nmov.u32 %r0, 0;\n@%p1 ret;\n{sync}");
    for sync in ["bar.sync 0;", "bar.warp.sync -1;", "shfl.sync.idx.b32 %r0, %r1, 0, 31, -1;"] {
        let (_, launch) = lanes(&skip(sync));
        assert_eq!(launch.reports.len(), 1, "{sync}: {:?}", launch.reports);
        assert_eq!(launch.reports[0].fault, Fault::DivergentSync);
        assert!(launch.reports[0].message.contains("thread (7, 0, 0), which has exited"), "{}", launch.reports[0]);
    }
    // One half shuffles, the other waits at the barrier.
    let (_, launch) = lanes(
        "setp.lt.u32 %p1, %r9, 16;\n@%p1 bra $L1;\nbar.sync 0;\nbra $L2;\n$L1:\nshfl.sync.idx.b32 %r0, %r1, 0, 31, -1;\n$L2:",
    );
    assert_eq!(launch.reports.len(), 2, "{:?}", launch.reports);
    // A shuffle that reads a lane outside of its mask, and a mask without the reader.
    let (_, launch) =
        lanes("setp.lt.u32 %p1, %r9, 16;\nmov.u32 %r0, 0;\n@%p1 shfl.sync.idx.b32 %r0, %r1, 20, 31, 0xffff;");
    assert!(launch.reports[0].message.contains("reads lane 20, which takes no part"), "{:?}", launch.reports);
    let (_, launch) = lanes("shfl.sync.idx.b32 %r0, %r1, 3, 31, 0xffff;");
    assert!(launch.reports.iter().any(|report| report.message.contains("does not name the thread itself")));
    // A block that never ends.
    let options = Options { limit: 100_000, ..Options::default() };
    let text = module(0, "", "$L1:\nbra $L1;");
    let found = execute(&text, 32, &[], &mut GlobalMemory::new(), &options).reports;
    assert_eq!(found[0].fault, Fault::Hang);
}

#[test]
fn a_block_without_end_is_the_last_of_its_grid() {
    let options = Options { limit: 100_000, ..Options::default() };
    let module = Module::parse(&module(0, "", "$L1:\nbra $L1;")).expect("it parses");
    let found = launch(&module, "k", [9, 1, 1], [32, 1, 1], &[], &mut GlobalMemory::new(), &options);
    let found = found.expect("it can be launched").reports;
    assert_eq!((found.len(), found[0].fault, found[0].block, found[0].count), (1, Fault::Hang, [0; 3], 1));
}

#[test]
fn a_spinning_lane_lets_others_go_on() {
    // Lane 0 waits for what lane 31 stores; in lock step it would wait for ever.
    let text = module(
        0,
        TILE,
        "st.shared.b32 [tile], 0;\nmov.u32 %r9, %tid.x;\nsetp.eq.s32 %p1, %r9, 31;\n@%p1 bra $L2;\n$L1:\n\
         ld.volatile.shared.b32 %r1, [tile];\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 bra $L1;\nret;\n$L2:\nst.volatile.shared.b32 [tile], 1;",
    );
    let options = Options { checks: Checks::NONE, limit: 1_000_000, ..Options::default() };
    assert_eq!(execute(&text, 32, &[], &mut GlobalMemory::new(), &options).reports, []);
}

fn counters(body: &str) -> Counters {
    let text = module(
        1,
        ".shared .align 16 .b8 tile[16384];",
        &format!("ld.param.u64 %d1, [a];\nmov.u32 %r9, %tid.x;\nmov.u32 %r3, tile;\n{body}"),
    );
    let mut memory = GlobalMemory::new();
    let from = memory.alloc_with(&[0; 8192]);
    let options = Options { checks: Checks { unwritten: false, ..Checks::ALL }, ..Options::default() };
    let result = execute(&text, 32, &[from], &mut memory, &options);
    assert_eq!(result.reports, []);
    result.counters
}

#[test]
fn global_sectors_are_counted() {
    let load = |stride: u32, ty: &str, to: &str| {
        let text = format!("mul.wide.u32 %d2, %r9, {stride};\nadd.s64 %d1, %d1, %d2;\nld.global{ty} {to}, [%d1];");
        counters(&text).global_loads
    };
    let traffic = load(4, ".b32", "%r1");
    assert_eq!((traffic.requests, traffic.sectors, traffic.bytes, traffic.efficiency()), (1, 4, 128, 1.0));
    assert_eq!(load(8, ".b32", "%r1").sectors, 8);
    assert_eq!(load(0, ".b32", "%r1").sectors, 1);
    assert_eq!(load(128, ".b32", "%r1").sectors, 32);
    assert_eq!(load(16, ".v4.b32", "{%r1, %r2, %r4, %r5}").sectors, 16);
    assert_eq!(load(1, ".u8", "%r1").sectors, 1);
}

#[test]
fn shared_passes_are_counted() {
    let load = |stride: u32, ty: &str, to: &str| {
        let text = format!("mul.lo.s32 %r4, %r9, {stride};\nadd.s32 %r3, %r3, %r4;\nld.shared{ty} {to}, [%r3];");
        let counters = counters(&text);
        (counters.shared_passes, counters.shared_conflicts)
    };
    assert_eq!(load(4, ".b32", "%r1"), (1, 0));
    assert_eq!(load(0, ".b32", "%r1"), (1, 0));
    assert_eq!(load(8, ".b32", "%r1"), (2, 1));
    assert_eq!(load(128, ".b32", "%r1"), (32, 31));
    assert_eq!(load(132, ".b32", "%r1"), (1, 0));
    assert_eq!(load(8, ".b64", "%d3"), (2, 0));
    assert_eq!(load(16, ".v4.b32", "{%r1, %r2, %r4, %r5}"), (4, 0));
    assert_eq!(load(32, ".v4.b32", "{%r1, %r2, %r4, %r5}"), (8, 4));
}

#[test]
fn instructions_are_counted_by_kind() {
    let base = counters("");
    let more = counters(
        "add.s32 %r1, %r9, 1;\nadd.f32 %r1, %r1, %r1;\nfma.rn.f32 %r1, %r1, %r1, %r1;\nsetp.eq.s32 %p1, %r9, 0;\n\
         @%p1 mov.u32 %r1, 1;\nshfl.sync.idx.b32 %r1, %r1, 0, 31, -1;\nbar.warp.sync -1;\nbar.sync 0;",
    );
    assert_eq!(more.integer - base.integer, 64);
    assert_eq!(more.float - base.float, 64);
    assert_eq!(more.data - base.data, 1, "only one thread's guard is true");
    assert_eq!((more.shuffle, more.warp_shuffles), (32, 1));
    assert_eq!((more.sync, more.warp_syncs, more.block_syncs), (64, 1, 1));
    assert_eq!(more.warp_instructions - base.warp_instructions, 8);
}

#[test]
fn atomics() {
    let text = module(
        1,
        TILE,
        "ld.param.u64 %d1, [a];\nmov.u32 %r9, %tid.x;\nsetp.eq.s32 %p1, %r9, 0;\n@%p1 st.shared.b32 [tile], 0;\nbar.sync 0;\n\
         atom.shared.add.u32 %r1, [tile], %r9;\nbar.sync 0;\nld.shared.b32 %r2, [tile];\n@%p1 st.global.b32 [%d1], %r2;\n\
         bar.sync 0;\nred.global.max.u32 [%d1+4], %r9;\natom.global.cas.b32 %r3, [%d1+8], 0, %r9;",
    );
    let mut memory = GlobalMemory::new();
    let to = memory.alloc_with(&[0; 12]);
    let result = execute(&text, 256, &[to], &mut memory, &Options::default());
    assert_eq!(result.reports, []);
    let found = words(&memory, to, 3);
    assert_eq!(found[..2], [255 * 128, 255]);
    assert_ne!(found[2], 0);
}

#[test]
fn module_variables_generic_addresses_and_extensions() {
    let text = module(
        1,
        ".global .align 4 .u32 table[3] = {7, 8, 9};\n.shared .align 4 .b8 tile[16];",
        "ld.param.u64 %d1, [a];\nld.global.u32 %r1, [table+4];\nmov.u64 %d2, tile;\ncvta.shared.u64 %d3, %d2;\n\
         st.u32 [%d3+4], %r1;\nld.shared.s8 %r2, [tile+4];\nmov.u32 %r3, 0xfffe;\nst.shared.b16 [tile+8], %r3;\n\
         ld.shared.s16 %r4, [tile+8];\nst.global.v2.u32 [%d1], {%r2, %r4};",
    );
    let mut memory = GlobalMemory::new();
    let to = memory.alloc(8);
    assert_eq!(execute(&text, 1, &[to], &mut memory, &Options::default()).reports, []);
    assert_eq!(words(&memory, to, 2), [8, -2i32 as u32]);
    assert_eq!(memory.unwritten(to, 8).ok(), Some(0));
}

#[test]
fn errors_name_the_instruction_and_the_line() {
    let message = |body: &str| match Module::parse(&module(1, "", body)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(message("wmma.load %r1;"), "PTX line 12: wmma.load: this instruction is not known");
    assert_eq!(message("\nadd.s32.foo %r1, %r1, 1;"), "PTX line 13: add.s32.foo: modifier .foo is not known here");
    assert!(
        message("add.s32 %r1, %d1, 1;").contains("found %d1 (a value of 64 bits), expected a value of up to 32 bits")
    );
    assert!(message("add.s32 %r1, %r99, 1;").contains("register %r99 is not declared"));
    assert!(message("bra $nowhere;").contains("label $nowhere is not in this kernel"));
    assert!(message("call.uni (retval0), __nv_expf, (param0);").contains("a call (__nv_expf) is not supported"));
    assert!(message("add.s32 %r1, %r1 1;").contains("expected ';'"));
    // What would take more memory than there is, or has no end in itself.
    let of_text = |text: &str| Module::parse(text).map_or_else(|error| error.to_string(), |_| "no error".to_owned());
    let too_large = "variable t is too large, expected at most 268435456 bytes of all variables";
    assert!(of_text(".global .b8 t[4294967296][4294967297];").contains(too_large));
    assert!(of_text(".global .b64 s[20000000]; .global .b64 t[20000000];").contains(too_large));
    assert!(
        of_text(".global .align 1048576 .b8 t[4];")
            .contains("found .align 1048576, expected a power of two up to 65536")
    );
    assert!(of_text(&format!(".global .b8 t[4] = {};", "{".repeat(100_000))).contains("line 1"));
    assert!(message(".reg .b32 %x<131072>;").contains("registers, expected at most 131072"));
    assert!(message(&format!("mov.b64 %d1, {};", "{".repeat(100_000))).contains("found '{', expected an operand"));
    assert!(message(".local .b8 t[1048576];").contains("1048576 bytes of local memory, expected at most 524288"));
    assert!(message(".shared .b8 t[2097152];\nmov.u32 %r1, t;").contains("of shared memory, expected at most 1048576"));
    let module = Module::parse(&module(1, "", "")).expect("it is PTX");
    let launch = |name: &str, block: u32, args: &[KernelArg]| {
        let mut memory = GlobalMemory::new();
        match launch(&module, name, [1, 1, 1], [block, 1, 1], args, &mut memory, &Options::default()) {
            Err(Error::Launch { reason }) => reason,
            other => format!("{other:?}"),
        }
    };
    assert_eq!(launch("x", 1, &[]), "found no kernel x, expected one of k");
    assert_eq!(launch("k", 1, &[]), "kernel k: found 0 arguments, expected 1");
    assert_eq!(launch("k", 1, &[KernelArg::U32(1)]), "kernel k, argument 1: found 4 bytes, expected 8");
    assert!(launch("k", 2000, &[KernelArg::U64(1)]).contains("expected 1 to 1024"));
    let options = Options { dynamic_shared: 2 << 20, ..Options::default() };
    let mut memory = GlobalMemory::new();
    let given = weft_runtime::simt::launch(&module, "k", [1; 3], [1; 3], &[KernelArg::U64(1)], &mut memory, &options);
    assert!(
        given.is_err_and(|error| error.to_string() == "found 2097152 bytes of shared memory, expected at most 1048576")
    );
}

#[test]
fn a_seed_decides_everything() {
    // A race on purpose: who wins depends on the order of the warps.
    let text = module(
        1,
        TILE,
        "ld.param.u64 %d1, [a];\nmov.u32 %r9, %tid.x;\nmov.u32 %r2, 0;\n$L1:\nst.shared.b32 [tile], %r9;\nadd.s32 %r2, %r2, 1;\n\
         setp.lt.u32 %p1, %r2, 100;\n@%p1 bra $L1;\nld.shared.b32 %r1, [tile];\nst.global.b32 [%d1], %r1;",
    );
    let run = |seed: u64| {
        let mut memory = GlobalMemory::new();
        let to = memory.alloc(4);
        let options = Options { seed, quantum: 20, ..Options::default() };
        let launch = execute(&text, 256, &[to], &mut memory, &options);
        (words(&memory, to, 1)[0], launch)
    };
    let results: Vec<_> = (0..10).map(run).collect();
    assert_eq!(results, (0..10).map(run).collect::<Vec<_>>());
    assert!(results.iter().any(|result| result.0 != results[0].0), "the order differs between seeds");
}

/// A 3-tap blur as our back end emits it: one thread a point, clamped.
const BLUR: &str = r#"
.version 8.0
.target sm_90
.address_size 64
.visible .entry blur(
	.param .u64 .ptr .global .align 1 blur_param_0,
	.param .u64 .ptr .global .align 1 blur_param_1,
	.param .u32 blur_param_2
)
.reqntid 32, 1, 1
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<20>;
	.reg .b64 	%rd<12>;

	ld.param.b32 	%r2, [blur_param_2];
	add.s32 	%r3, %r2, -1;
	mov.u32 	%r4, %ctaid.x;
	shl.b32 	%r5, %r4, 5;
	mov.u32 	%r6, %tid.x;
	add.s32 	%r1, %r5, %r6;
	setp.gt.s32 	%p1, %r1, %r3;
	@%p1 bra 	$L__BB0_2;
	ld.param.b64 	%rd2, [blur_param_1];
	ld.param.b64 	%rd1, [blur_param_0];
	max.s32 	%r7, %r1, 1;
	add.s32 	%r8, %r7, -1;
	mul.wide.u32 	%rd3, %r8, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.nc.b32 	%r9, [%rd4];
	mul.wide.u32 	%rd5, %r1, 4;
	add.s64 	%rd6, %rd1, %rd5;
	ld.global.nc.b32 	%r10, [%rd6];
	add.s32 	%r11, %r1, 1;
	min.s32 	%r12, %r11, %r3;
	mul.wide.u32 	%rd7, %r12, 4;
	add.s64 	%rd8, %rd1, %rd7;
	ld.global.nc.b32 	%r13, [%rd8];
	add.rn.f32 	%r14, %r9, %r10;
	add.rn.f32 	%r15, %r14, %r13;
	mul.rn.f32 	%r16, %r15, 0f3EAAAAAB;
	add.s64 	%rd9, %rd2, %rd5;
	st.global.b32 	[%rd9], %r16;
$L__BB0_2:
	ret;
}
"#;

#[test]
fn what_the_back_end_emits() {
    let module = Module::parse(BLUR).expect("it is PTX");
    assert_eq!((module.target(), module.required_block("blur")), ("sm_90", Some([32, 1, 1])));
    let input: Vec<f32> = (0..1000).map(|index| (index * 37 % 101) as f32 * 0.3).collect();
    let mut memory = GlobalMemory::new();
    let from = memory.alloc_with(&bytes(&input.iter().map(|x| x.to_bits()).collect::<Vec<_>>()));
    let to = memory.alloc(4000);
    let args = [KernelArg::Pointer(from), KernelArg::Pointer(to), KernelArg::U32(1000)];
    let options = Options::default();
    let launch = launch(&module, "blur", [32, 1, 1], [32, 1, 1], &args, &mut memory, &options).expect("it runs");
    assert_eq!(launch.reports, []);
    for (x, found) in words(&memory, to, 1000).into_iter().enumerate() {
        let at = |x: usize| input[x];
        let sum = at(x.max(1) - 1) + at(x) + at((x + 1).min(999));
        assert_eq!(found, (sum * f32::from_bits(0x3EAA_AAAB)).to_bits(), "at {x}");
    }
}

/// A warp's tile in shared memory, 16 rows of a 3-tap blur in place behind syncs: the load on the checks is as heavy as it gets.
fn tile_kernel() -> String {
    let step = "ld.shared.b32 %r4, [%r3];\nld.shared.b32 %r5, [%r3+4];\nld.shared.b32 %r6, [%r3+8];\nadd.rn.f32 %r4, %r4, %r5;\n\
                fma.rn.f32 %r4, %r6, 0f3F000000, %r4;\nmul.rn.f32 %r4, %r4, 0f3EAAAAAB;\n\
                shfl.sync.down.b32 %r7, %r4, 1, 31, -1;\nadd.rn.f32 %r4, %r4, %r7;\nbar.warp.sync -1;\n\
                st.shared.b32 [%r3+4], %r4;\nbar.warp.sync -1;\n";
    module(
        1,
        ".shared .align 16 .b8 tile[1088];",
        &format!(
            "ld.param.u64 %d1, [a];\nmov.u32 %r9, %tid.x;\nshr.u32 %r1, %r9, 5;\nmul.lo.s32 %r1, %r1, 136;\nand.b32 %r2, %r9, 31;\n\
             shl.b32 %r2, %r2, 2;\nmov.u32 %r3, tile;\nadd.s32 %r3, %r3, %r1;\nadd.s32 %r3, %r3, %r2;\nst.shared.b32 [%r3], 0;\n\
             bar.warp.sync -1;\nst.shared.b32 [%r3+8], 0;\nbar.warp.sync -1;\nmov.u32 %r8, 0;\n$L1:\n{}\nadd.s32 %r8, %r8, 1;\n\
             setp.lt.u32 %p1, %r8, 16;\n@%p1 bra $L1;\nmul.wide.u32 %d2, %r9, 4;\nadd.s64 %d1, %d1, %d2;\nst.global.b32 [%d1], %r4;",
            step.repeat(4)
        ),
    )
}

#[test]
fn a_tile_per_warp_has_no_report() {
    let text = tile_kernel();
    let mut memory = GlobalMemory::new();
    let to = memory.alloc(1024);
    assert_eq!(execute(&text, 256, &[to], &mut memory, &Options::default()).reports, []);
    // Without any one of its syncs it has.
    for (index, (at, sync)) in text.match_indices("bar.warp.sync -1;").enumerate() {
        let broken = format!("{}{}", &text[..at], &text[at + sync.len()..]);
        let found = execute(&broken, 256, &[to], &mut memory, &Options::default()).reports;
        assert!(found.iter().any(|report| report.fault == Fault::Race), "sync {index}: {found:?}");
    }
}

/// Thread instructions a second on one core, with and without checks. Run it in a release build: `--release -- --ignored`.
#[test]
#[ignore = "it measures"]
fn speed() {
    let blur = Module::parse(BLUR).expect("it is PTX");
    let tile = Module::parse(&tile_kernel()).expect("it is PTX");
    let count = 1 << 20;
    let mut memory = GlobalMemory::new();
    let from = memory.alloc_with(&vec![0; count * 4]);
    let to = memory.alloc(count * 4);
    let args = [KernelArg::Pointer(from), KernelArg::Pointer(to), KernelArg::U32(count as u32)];
    for (module, name, grid, block, args) in
        [(&blur, "blur", count as u32 / 32, 32, &args[..]), (&tile, "k", 2000, 256, &args[1..2])]
    {
        for (what, checks) in [("no checks", Checks::NONE), ("all checks", Checks::ALL)] {
            let options = Options { checks, threads: 1, ..Options::default() };
            let best = (0..5)
                .map(|_| {
                    let start = std::time::Instant::now();
                    let launch = launch(module, name, [grid, 1, 1], [block, 1, 1], args, &mut memory, &options);
                    launch.expect("it runs").counters.thread_instructions as f64 / start.elapsed().as_secs_f64()
                })
                .fold(0.0, f64::max);
            println!("{name}, {what}: {:.0} M thread instructions a second on one core", best / 1e6);
        }
    }
}
