//! The instructions that touch registers only, for all lanes of a warp at once.
//!
//! Every one is computed for all 32 lanes, active or not (no operation here can fault), and written where the mask says. So the loops
//! have no condition in them and the common ones become vector code of this machine.

use super::float;
use super::program::*;

/// A register of up to 32 bits, for all lanes.
pub(super) type W = [u32; 32];
/// A register of 64 bits, for all lanes.
pub(super) type D = [u64; 32];

/// The registers of a warp.
#[derive(Clone, Debug, Default)]
pub(super) struct Registers {
    pub w: Vec<W>,
    pub d: Vec<D>,
    pub p: Vec<u32>,
}

#[inline(always)]
fn map1<A: Copy, R: Copy + Default>(a: &[A; 32], f: impl Fn(A) -> R) -> [R; 32] {
    let mut result = [R::default(); 32];
    for (r, a) in result.iter_mut().zip(a) {
        *r = f(*a);
    }
    result
}

#[inline(always)]
fn map2<A: Copy, B: Copy, R: Copy + Default>(a: &[A; 32], b: &[B; 32], f: impl Fn(A, B) -> R) -> [R; 32] {
    let mut result = [R::default(); 32];
    for (r, (a, b)) in result.iter_mut().zip(a.iter().zip(b)) {
        *r = f(*a, *b);
    }
    result
}

#[inline(always)]
fn map3<A: Copy, B: Copy, C: Copy, R: Copy + Default>(
    a: &[A; 32],
    b: &[B; 32],
    c: &[C; 32],
    f: impl Fn(A, B, C) -> R,
) -> [R; 32] {
    let mut result = [R::default(); 32];
    for (r, ((a, b), c)) in result.iter_mut().zip(a.iter().zip(b).zip(c)) {
        *r = f(*a, *b, *c);
    }
    result
}

/// One bit per lane.
#[inline(always)]
fn bits2<A: Copy>(a: &[A; 32], b: &[A; 32], f: impl Fn(A, A) -> bool) -> u32 {
    let mut result = 0;
    for (lane, (a, b)) in a.iter().zip(b).enumerate() {
        result |= u32::from(f(*a, *b)) << lane;
    }
    result
}

/// Writes the lanes of a mask.
#[inline(always)]
pub(super) fn put<T: Copy>(register: &mut [T; 32], values: &[T; 32], mask: u32) {
    if mask == u32::MAX {
        *register = *values;
    } else {
        for (lane, (r, v)) in register.iter_mut().zip(values).enumerate() {
            *r = if mask >> lane & 1 == 1 { *v } else { *r };
        }
    }
}

impl Registers {
    /// A predicate operand, one bit per lane.
    #[inline(always)]
    pub fn predicate(&self, operand: u32) -> u32 {
        self.p[(operand >> 1) as usize] ^ (operand & 1).wrapping_neg()
    }

    #[inline(always)]
    pub fn put_w(&mut self, register: u32, values: &W, mask: u32) {
        put(&mut self.w[register as usize], values, mask);
    }

    #[inline(always)]
    pub fn put_d(&mut self, register: u32, values: &D, mask: u32) {
        put(&mut self.d[register as usize], values, mask);
    }

    #[inline(always)]
    pub fn put_p(&mut self, register: u32, values: u32, mask: u32) {
        let register = &mut self.p[register as usize];
        *register = *register & !mask | values & mask;
    }

    /// A register of either width as 64 bits.
    pub fn wide(&self, register: u32, wide: bool) -> D {
        if wide { self.d[register as usize] } else { map1(&self.w[register as usize], u64::from) }
    }

    pub fn put_wide(&mut self, register: u32, values: &D, wide: bool, mask: u32) {
        if wide {
            self.put_d(register, values, mask);
        } else {
            self.put_w(register, &map1(values, |x| x as u32), mask);
        }
    }
}

/// The integer operations of one width; `$ctx` says how registers of it are read and written.
macro_rules! int2 {
    ($op:expr, $u:ty, $s:ty, $uu:ty, $ss:ty, $run:ident) => {
        match $op {
            Int2::Add => $run!(|a: $u, b: $u| a.wrapping_add(b)),
            Int2::Sub => $run!(|a: $u, b: $u| a.wrapping_sub(b)),
            Int2::Mul => $run!(|a: $u, b: $u| a.wrapping_mul(b)),
            Int2::MulHiS => {
                $run!(|a: $u, b: $u| (((a as $s as $ss) * (b as $s as $ss)) >> <$u>::BITS) as $u)
            }
            Int2::MulHiU => $run!(|a: $u, b: $u| (((a as $uu) * (b as $uu)) >> <$u>::BITS) as $u),
            // Division by zero is unspecified; all ones is what devices answer.
            Int2::DivS => {
                $run!(|a: $u, b: $u| if b == 0 { <$u>::MAX } else { (a as $s).wrapping_div(b as $s) as $u })
            }
            Int2::DivU => $run!(|a: $u, b: $u| a.checked_div(b).unwrap_or(<$u>::MAX)),
            Int2::RemS => {
                $run!(|a: $u, b: $u| if b == 0 { <$u>::MAX } else { (a as $s).wrapping_rem(b as $s) as $u })
            }
            Int2::RemU => $run!(|a: $u, b: $u| a.checked_rem(b).unwrap_or(<$u>::MAX)),
            Int2::MinS => $run!(|a: $u, b: $u| (a as $s).min(b as $s) as $u),
            Int2::MinU => $run!(|a: $u, b: $u| a.min(b)),
            Int2::MaxS => $run!(|a: $u, b: $u| (a as $s).max(b as $s) as $u),
            Int2::MaxU => $run!(|a: $u, b: $u| a.max(b)),
            Int2::And => $run!(|a: $u, b: $u| a & b),
            Int2::Or => $run!(|a: $u, b: $u| a | b),
            Int2::Xor => $run!(|a: $u, b: $u| a ^ b),
            Int2::AddSatS => $run!(|a: $u, b: $u| (a as $s).saturating_add(b as $s) as $u),
            Int2::SubSatS => $run!(|a: $u, b: $u| (a as $s).saturating_sub(b as $s) as $u),
            Int2::MinReluS => $run!(|a: $u, b: $u| (a as $s).min(b as $s).max(0) as $u),
            Int2::MaxReluS => $run!(|a: $u, b: $u| (a as $s).max(b as $s).max(0) as $u),
        }
    };
}

macro_rules! shift {
    ($op:expr, $u:ty, $s:ty, $run:ident) => {
        match $op {
            // Amounts beyond the width shift everything out.
            Shift::Left => $run!(|a: $u, n: u32| a.checked_shl(n).unwrap_or(0)),
            Shift::RightU => $run!(|a: $u, n: u32| a.checked_shr(n).unwrap_or(0)),
            Shift::RightS => $run!(|a: $u, n: u32| ((a as $s) >> n.min(<$u>::BITS - 1)) as $u),
        }
    };
}

macro_rules! int3 {
    ($op:expr, $u:ty, $s:ty, $uu:ty, $ss:ty, $run:ident) => {
        match $op {
            Int3::Mad => $run!(|a: $u, b: $u, c: $u| a.wrapping_mul(b).wrapping_add(c)),
            Int3::MadHiS => $run!(|a: $u, b: $u, c: $u| {
                ((((a as $s as $ss) * (b as $s as $ss)) >> <$u>::BITS) as $u).wrapping_add(c)
            }),
            Int3::MadHiU => {
                $run!(|a: $u, b: $u, c: $u| { ((((a as $uu) * (b as $uu)) >> <$u>::BITS) as $u).wrapping_add(c) })
            }
            Int3::SadS => $run!(|a: $u, b: $u, c: $u| (a as $s).abs_diff(b as $s).wrapping_add(c)),
            Int3::SadU => $run!(|a: $u, b: $u, c: $u| a.abs_diff(b).wrapping_add(c)),
        }
    };
}

macro_rules! int1 {
    ($op:expr, $u:ty, $s:ty, $run:ident, $count:ident) => {
        match $op {
            Int1::Neg => $run!(|a: $u| a.wrapping_neg()),
            Int1::Not => $run!(|a: $u| !a),
            Int1::Abs => $run!(|a: $u| (a as $s).wrapping_abs() as $u),
            Int1::Cnot => $run!(|a: $u| <$u>::from(a == 0)),
            Int1::Brev => $run!(|a: $u| a.reverse_bits()),
            Int1::Popc => $count!(|a: $u| a.count_ones()),
            Int1::Clz => $count!(|a: $u| a.leading_zeros()),
            Int1::FindU => $count!(|a: $u| a.checked_ilog2().unwrap_or(u32::MAX)),
            Int1::FindS => {
                $count!(|a: $u| (if (a as $s) < 0 { !a } else { a }).checked_ilog2().unwrap_or(u32::MAX))
            }
        }
    };
}

fn extract(a: u64, at: u32, count: u32, width: u32, signed: bool) -> u64 {
    let (at, count) = (at & 0xff, count & 0xff);
    let top = width - 1;
    let sign = signed && count > 0 && a >> (at + count - 1).min(top) & 1 == 1;
    let kept = count.min(width.saturating_sub(at));
    let ones = |n: u32| if n >= 64 { u64::MAX } else { (1 << n) - 1 };
    let value = if kept == 0 { 0 } else { a >> at & ones(kept) };
    if sign { value | ones(width) & !ones(kept) } else { value }
}

fn insert(a: u64, b: u64, at: u32, count: u32, width: u32) -> u64 {
    let (at, count) = (at & 0xff, count & 0xff);
    let kept = count.min(width.saturating_sub(at));
    if kept == 0 {
        return b;
    }
    let ones = if kept >= 64 { u64::MAX } else { (1 << kept) - 1 };
    b & !(ones << at) | (a & ones) << at
}

fn permute(a: u32, b: u32, selector: u32) -> u32 {
    let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    let pick = |index: u32| {
        let which = selector >> (4 * index);
        let byte = bytes[(which & 7) as usize];
        // Bit 3 asks for copies of the sign.
        if which & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
    };
    u32::from_le_bytes([pick(0), pick(1), pick(2), pick(3)])
}

fn lop3(a: u32, b: u32, c: u32, table: u32) -> u32 {
    (0..8).filter(|row| table >> row & 1 == 1).fold(0, |result, row| {
        let side = |x: u32, bit: u32| if row >> bit & 1 == 1 { x } else { !x };
        result | side(a, 2) & side(b, 1) & side(c, 0)
    })
}

fn funnel(a: u32, b: u32, amount: u32, left: bool, wrap: bool) -> u32 {
    let both = u64::from(b) << 32 | u64::from(a);
    let amount = if wrap { amount & 31 } else { amount.min(32) };
    if left { ((both << amount) >> 32) as u32 } else { (both >> amount) as u32 }
}

fn dot(a: u32, b: u32, c: u32, signed: [bool; 2]) -> u32 {
    let part = |x: u8, signed: bool| if signed { i32::from(x as i8) } else { i32::from(x) };
    let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
    pairs.fold(c, |sum, (x, y)| sum.wrapping_add((part(x, signed[0]) * part(y, signed[1])) as u32))
}

fn order<T: PartialOrd>(compare: Compare, a: T, b: T) -> bool {
    match compare {
        Compare::Eq | Compare::Equ => a == b,
        Compare::Ne | Compare::Neu => a != b,
        Compare::Lt | Compare::Ltu => a < b,
        Compare::Le | Compare::Leu => a <= b,
        Compare::Gt | Compare::Gtu => a > b,
        Compare::Ge | Compare::Geu => a >= b,
        Compare::Num => true,
        Compare::Nan => false,
    }
}

/// The lanes where a comparison holds.
fn compare(r: &Registers, inst: &Inst, test: Test) -> u32 {
    let Test { compare, ty, ftz, .. } = test;
    let (a, b) = (inst.a as usize, inst.b as usize);
    macro_rules! ordered {
        ($file:ident, $cast:expr) => {{
            let cast = $cast;
            let (a, b) = (&r.$file[a], &r.$file[b]);
            // One loop per comparison, so that each is vector code.
            match compare {
                Compare::Eq | Compare::Equ => bits2(a, b, |a, b| cast(a) == cast(b)),
                Compare::Ne | Compare::Neu => bits2(a, b, |a, b| cast(a) != cast(b)),
                Compare::Lt => bits2(a, b, |a, b| cast(a) < cast(b)),
                Compare::Le => bits2(a, b, |a, b| cast(a) <= cast(b)),
                Compare::Gt => bits2(a, b, |a, b| cast(a) > cast(b)),
                Compare::Ge => bits2(a, b, |a, b| cast(a) >= cast(b)),
                other => bits2(a, b, |a, b| order(other, cast(a), cast(b))),
            }
        }};
    }
    match ty {
        Scalar::U8 | Scalar::U16 => ordered!(w, |x: u32| x as u16),
        Scalar::S8 | Scalar::S16 => ordered!(w, |x: u32| x as i16),
        Scalar::U32 => ordered!(w, |x: u32| x),
        Scalar::S32 => ordered!(w, |x: u32| x as i32),
        Scalar::U64 => ordered!(d, |x: u64| x),
        Scalar::S64 => ordered!(d, |x: u64| x as i64),
        Scalar::F32 if !ftz && matches!(compare, Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge) => {
            ordered!(w, f32::from_bits)
        }
        Scalar::F64 => bits2(&r.d[a], &r.d[b], |a, b| float::compare(compare, f64::from_bits(a), f64::from_bits(b))),
        ty => bits2(&r.w[a], &r.w[b], |a, b| {
            float::compare(compare, float::value(ty, u64::from(a), ftz), float::value(ty, u64::from(b), ftz))
        }),
    }
}

fn combine(r: &Registers, inst: &Inst, how: Combine, found: u32) -> u32 {
    match how {
        Combine::None => found,
        Combine::And => found & r.predicate(inst.c),
        Combine::Or => found | r.predicate(inst.c),
        Combine::Xor => found ^ r.predicate(inst.c),
    }
}

/// Executes an instruction that only touches registers. Whether it is one.
#[inline]
pub(super) fn execute(r: &mut Registers, lists: &[u32], inst: &Inst, mask: u32) -> bool {
    let Inst { d, a, b, c, .. } = *inst;
    let (ai, bi, ci) = (a as usize, b as usize, c as usize);
    macro_rules! w1 {
        ($f:expr) => {{
            let values = map1(&r.w[ai], $f);
            r.put_w(d, &values, mask)
        }};
    }
    macro_rules! w2 {
        ($f:expr) => {{
            let values = map2(&r.w[ai], &r.w[bi], $f);
            r.put_w(d, &values, mask)
        }};
    }
    macro_rules! w3 {
        ($f:expr) => {{
            let values = map3(&r.w[ai], &r.w[bi], &r.w[ci], $f);
            r.put_w(d, &values, mask)
        }};
    }
    macro_rules! d1 {
        ($f:expr) => {{
            let values = map1(&r.d[ai], $f);
            r.put_d(d, &values, mask)
        }};
    }
    macro_rules! d2 {
        ($f:expr) => {{
            let values = map2(&r.d[ai], &r.d[bi], $f);
            r.put_d(d, &values, mask)
        }};
    }
    macro_rules! d3 {
        ($f:expr) => {{
            let values = map3(&r.d[ai], &r.d[bi], &r.d[ci], $f);
            r.put_d(d, &values, mask)
        }};
    }
    // 64 bits in, 32 out.
    macro_rules! d1w {
        ($f:expr) => {{
            let values = map1(&r.d[ai], $f);
            r.put_w(d, &values, mask)
        }};
    }
    macro_rules! shift_d {
        ($f:expr) => {{
            let values = map2(&r.d[ai], &r.w[bi], $f);
            r.put_d(d, &values, mask)
        }};
    }
    // 16 bits in the low half of a word.
    macro_rules! h1 {
        ($f:expr) => {
            w1!(|a: u32| u32::from($f(a as u16)))
        };
    }
    macro_rules! x2 {
        ($f:expr) => {{
            let f = $f;
            w2!(|a: u32, b: u32| u32::from(f(a as u16, b as u16))
                | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16)
        }};
    }
    macro_rules! h2 {
        ($f:expr) => {
            w2!(|a: u32, b: u32| u32::from($f(a as u16, b as u16)))
        };
    }
    macro_rules! h3 {
        ($f:expr) => {
            w3!(|a: u32, b: u32, c: u32| u32::from($f(a as u16, b as u16, c as u16)))
        };
    }
    macro_rules! shift_h {
        ($f:expr) => {
            w2!(|a: u32, n: u32| u32::from($f(a as u16, n)))
        };
    }
    macro_rules! h1w {
        ($f:expr) => {
            w1!(|a: u32| $f(a as u16))
        };
    }
    macro_rules! f2 {
        ($f:expr) => {
            w2!(|a: u32, b: u32| float::canonical32($f(f32::from_bits(a), f32::from_bits(b))).to_bits())
        };
    }
    match inst.op {
        Op::Nop => {}
        Op::MovW => {
            let values = r.w[ai];
            r.put_w(d, &values, mask);
        }
        Op::MovD => {
            let values = r.d[ai];
            r.put_d(d, &values, mask);
        }
        Op::MovP => {
            let values = r.predicate(a);
            r.put_p(d, values, mask);
        }
        Op::Pack { bits, wide_parts, wide } => {
            let mut values = [0; 32];
            for (index, part) in lists[ai..][..inst.d2 as usize].iter().enumerate() {
                let part = r.wide(*part, wide_parts);
                let ones = u64::MAX >> (64 - bits);
                for (value, part) in values.iter_mut().zip(&part) {
                    *value |= (part & ones) << (usize::from(bits) * index);
                }
            }
            r.put_wide(d, &values, wide, mask);
        }
        Op::Unpack { bits, wide_parts, wide } => {
            let whole = r.wide(a, wide);
            let ones = u64::MAX >> (64 - bits);
            for (index, part) in lists[d as usize..][..inst.d2 as usize].iter().enumerate() {
                if *part != NONE {
                    let values = map1(&whole, |x| x >> (usize::from(bits) * index) & ones);
                    r.put_wide(*part, &values, wide_parts, mask);
                }
            }
        }
        Op::Int1(op, Width::W32) => int1!(op, u32, i32, w1, w1),
        Op::Int1(op, Width::W64) => int1!(op, u64, i64, d1, d1w),
        Op::Int1(op, Width::W16) => int1!(op, u16, i16, h1, h1w),
        Op::Int2(op, Width::W32) => int2!(op, u32, i32, u64, i64, w2),
        Op::Int2(op, Width::W64) => int2!(op, u64, i64, u128, i128, d2),
        Op::Int2(op, Width::W16) => int2!(op, u16, i16, u32, i32, h2),
        Op::Int2x2(op) => int2!(op, u16, i16, u32, i32, x2),
        Op::Shift(op, Width::W32) => shift!(op, u32, i32, w2),
        Op::Shift(op, Width::W64) => shift!(op, u64, i64, shift_d),
        Op::Shift(op, Width::W16) => shift!(op, u16, i16, shift_h),
        Op::Int3(op, Width::W32) => int3!(op, u32, i32, u64, i64, w3),
        Op::Int3(op, Width::W64) => int3!(op, u64, i64, u128, i128, d3),
        Op::Int3(op, Width::W16) => int3!(op, u16, i16, u32, i32, h3),
        Op::MulWide { signed, wide: true, add } => {
            let mut values = if signed {
                map2(&r.w[ai], &r.w[bi], |a, b| (i64::from(a as i32) * i64::from(b as i32)) as u64)
            } else {
                map2(&r.w[ai], &r.w[bi], |a, b| u64::from(a) * u64::from(b))
            };
            if add {
                values = map2(&values, &r.d[ci], u64::wrapping_add);
            }
            r.put_d(d, &values, mask);
        }
        Op::MulWide { signed, wide: false, add } => {
            let mut values = if signed {
                map2(&r.w[ai], &r.w[bi], |a, b| (i32::from(a as i16) * i32::from(b as i16)) as u32)
            } else {
                map2(&r.w[ai], &r.w[bi], |a, b| (a & 0xffff) * (b & 0xffff))
            };
            if add {
                values = map2(&values, &r.w[ci], u32::wrapping_add);
            }
            r.put_w(d, &values, mask);
        }
        Op::Carry { subtract, input, output, wide } => {
            let (a, b) = (r.wide(a, wide), r.wide(b, wide));
            let carry = if input { r.p[ci] } else { 0 };
            let mut values = [0; 32];
            let mut carries = 0;
            for (lane, (value, (a, b))) in values.iter_mut().zip(a.iter().zip(&b)).enumerate() {
                let (a, b, carry) = (u128::from(*a), u128::from(*b), u128::from(carry >> lane & 1));
                let exact = if subtract { a.wrapping_sub(b).wrapping_sub(carry) } else { a + b + carry };
                *value = exact as u64;
                carries |= ((exact >> if wide { 64 } else { 32 } & 1) as u32) << lane;
            }
            r.put_wide(d, &values, wide, mask);
            if output {
                r.put_p(c, carries, mask);
            }
        }
        Op::Bfe { signed, wide: false } => {
            w3!(|a: u32, at, count| extract(u64::from(a), at, count, 32, signed) as u32)
        }
        Op::Bfe { signed, wide: true } => {
            let values = map3(&r.d[ai], &r.w[bi], &r.w[ci], |a, at, count| extract(a, at, count, 64, signed));
            r.put_d(d, &values, mask);
        }
        Op::Bfi { wide } => {
            let (a, into) = (r.wide(a, wide), r.wide(inst.e, wide));
            let width = if wide { 64 } else { 32 };
            let places = map2(&r.w[bi], &r.w[ci], |at, count| (at, count));
            let values = map3(&a, &into, &places, |a, into, (at, count)| insert(a, into, at, count, width));
            r.put_wide(d, &values, wide, mask);
        }
        Op::Prmt => w3!(permute),
        Op::Lop3 => {
            let table = map2(&r.w[ci], &r.w[inst.e as usize], |c, table| (c, table));
            let values = map3(&r.w[ai], &r.w[bi], &table, |a, b, (c, table)| lop3(a, b, c, table));
            r.put_w(d, &values, mask);
        }
        Op::Funnel { left, wrap } => w3!(|a, b, n| funnel(a, b, n, left, wrap)),
        Op::Dp4a { signed } => w3!(|a, b, c| dot(a, b, c, signed)),
        Op::Logic(op) => {
            let (a, b) = (r.predicate(a), r.predicate(b));
            let values = match op {
                Int2::And => a & b,
                Int2::Or => a | b,
                _ => a ^ b,
            };
            r.put_p(d, values, mask);
        }
        Op::NotP => {
            let values = !r.predicate(a);
            r.put_p(d, values, mask);
        }
        Op::Float2(Float2::Add, FloatType::F32, Mods::PLAIN) => f2!(|a: f32, b: f32| a + b),
        Op::Float2(Float2::Sub, FloatType::F32, Mods::PLAIN) => f2!(|a: f32, b: f32| a - b),
        Op::Float2(Float2::Mul, FloatType::F32, Mods::PLAIN) => f2!(|a: f32, b: f32| a * b),
        Op::Float2(Float2::Div, FloatType::F32, Mods::PLAIN) => f2!(|a: f32, b: f32| a / b),
        Op::Fma(FloatType::F32, Mods::PLAIN) => {
            w3!(|a, b, c| float::fma32_plain(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)).to_bits())
        }
        Op::Float1(op, FloatType::F32, mods) => {
            w1!(|a| float::unary32(op, mods, f32::from_bits(a)).to_bits())
        }
        Op::Float1(op, FloatType::F64, _) => d1!(|a| float::unary64(op, f64::from_bits(a)).to_bits()),
        Op::Float1(op, FloatType::F16, mods) => h1!(|a| float::unary16(op, mods, a)),
        Op::Float1(op, FloatType::F16x2, mods) => {
            w1!(|a| float::halves(a, 0, 0, |a, _, _| float::unary16(op, mods, a)))
        }
        Op::Float2(op, FloatType::F32, mods) => {
            w2!(|a, b| float::binary32(op, mods, f32::from_bits(a), f32::from_bits(b)).to_bits())
        }
        Op::Float2(op, FloatType::F64, mods) => {
            d2!(|a, b| float::binary64(op, mods, f64::from_bits(a), f64::from_bits(b)).to_bits())
        }
        Op::Float2(op, FloatType::F16, mods) => h2!(|a, b| float::binary16(op, mods, a, b)),
        Op::Float2(op, FloatType::F16x2, mods) => {
            w2!(|a, b| float::halves(a, b, 0, |a, b, _| float::binary16(op, mods, a, b)))
        }
        Op::Fma(FloatType::F32, mods) => {
            w3!(|a, b, c| float::fma32(mods, f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)).to_bits())
        }
        Op::Fma(FloatType::F64, mods) => d3!(|a, b, c| {
            let result = f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c));
            (if mods.sat { float::saturate(result) } else { result }).to_bits()
        }),
        Op::Fma(FloatType::F16, mods) => h3!(|a, b, c| float::fma16(mods, a, b, c)),
        Op::Fma(FloatType::F16x2, mods) => {
            w3!(|a, b, c| float::halves(a, b, c, |a, b, c| float::fma16(mods, a, b, c)))
        }
        Op::TestFinite(what, ty) => {
            let bits = r.wide(a, ty == FloatType::F64);
            let values = bits2(&bits, &bits, |x, _| float::test(what, ty, x));
            r.put_p(d, values, mask);
        }
        Op::Convert(how) => convert(r, inst, how, mask),
        Op::ConvertPair { brain, round } => w2!(|a, b| {
            let half = |x: u32| {
                let x = f64::from(f32::from_bits(x));
                if brain { float::to_bf16(x, round) } else { float::to_f16(x, round).to_bits() }
            };
            // The first operand becomes the upper half.
            u32::from(half(a)) << 16 | u32::from(half(b))
        }),
        Op::SetP(test) => {
            let found = compare(r, inst, test);
            let second = combine(r, inst, test.combine, !found);
            let first = combine(r, inst, test.combine, found);
            if inst.d2 != NONE {
                r.put_p(inst.d2, second, mask);
            }
            if d != NONE {
                r.put_p(d, first, mask);
            }
        }
        Op::SetP2(test) => {
            let half = |bits: u32, shift: u32| float::value(test.ty, u64::from(bits >> shift), test.ftz);
            let found =
                |shift| bits2(&r.w[ai], &r.w[bi], |a, b| float::compare(test.compare, half(a, shift), half(b, shift)));
            let (low, high) = (found(0), found(16));
            let (low, high) = (combine(r, inst, test.combine, low), combine(r, inst, test.combine, high));
            r.put_p(d, low, mask);
            if inst.d2 != NONE {
                r.put_p(inst.d2, high, mask);
            }
        }
        Op::Set(test, float) => {
            let found = combine(r, inst, test.combine, compare(r, inst, test));
            let one = if float { 1f32.to_bits() } else { u32::MAX };
            let mut values = [0; 32];
            for (lane, value) in values.iter_mut().enumerate() {
                *value = if found >> lane & 1 == 1 { one } else { 0 };
            }
            r.put_w(d, &values, mask);
        }
        Op::SelectW => {
            let take = r.predicate(c);
            let mut values = r.w[bi];
            put(&mut values, &r.w[ai], take);
            r.put_w(d, &values, mask);
        }
        Op::SelectD => {
            let take = r.predicate(c);
            let mut values = r.d[bi];
            put(&mut values, &r.d[ai], take);
            r.put_d(d, &values, mask);
        }
        Op::SelectSign { wide, float } => {
            let (x, y) = (r.wide(a, wide), r.wide(b, wide));
            let values = map3(&x, &y, &r.w[ci], |x, y, c| {
                let first = if float { f32::from_bits(c) >= 0.0 } else { c as i32 >= 0 };
                if first { x } else { y }
            });
            r.put_wide(d, &values, wide, mask);
        }
        _ => return false,
    }
    true
}

fn convert(r: &mut Registers, inst: &Inst, how: Conversion, mask: u32) {
    let (a, d) = (inst.a as usize, inst.d);
    let Conversion { from, to, round, ftz, sat, from_wide, to_wide, .. } = how;
    // The conversions of index arithmetic and of pictures, as vector code.
    match (from, to) {
        (Scalar::U32, Scalar::U64 | Scalar::S64) if !from_wide && !sat => {
            let values = map1(&r.w[a], u64::from);
            return r.put_d(d, &values, mask);
        }
        (Scalar::S32, Scalar::S64 | Scalar::U64) if !from_wide && !sat => {
            let values = map1(&r.w[a], |x| x as i32 as i64 as u64);
            return r.put_d(d, &values, mask);
        }
        (Scalar::U64 | Scalar::S64, Scalar::U32 | Scalar::S32) if !to_wide && !sat => {
            let values = map1(&r.d[a], |x| x as u32);
            return r.put_w(d, &values, mask);
        }
        (Scalar::S32, Scalar::F32) if !from_wide && !to_wide && round == Round::Near && !sat => {
            let values = map1(&r.w[a], |x| (x as i32 as f32).to_bits());
            return r.put_w(d, &values, mask);
        }
        (Scalar::U32, Scalar::F32) if !from_wide && !to_wide && round == Round::Near && !sat => {
            let values = map1(&r.w[a], |x| (x as f32).to_bits());
            return r.put_w(d, &values, mask);
        }
        (Scalar::F32, Scalar::S32) if !from_wide && !to_wide && round == Round::Zero && !ftz => {
            let values = map1(&r.w[a], |x| f32::from_bits(x) as i32 as u32);
            return r.put_w(d, &values, mask);
        }
        _ => {}
    }
    let values = map1(&r.wide(inst.a, from_wide), |x| float::convert(how, x));
    r.put_wide(d, &values, to_wide, mask);
}
