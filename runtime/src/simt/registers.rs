//! The registers of a warp, a value for each lane, and loops over the lanes.
//!
//! The loops compute all 32 lanes, active or not, and have no condition in them: the common ones become vector code of this machine. A
//! mask says which lanes are written.

use super::program::Kernel;

/// The lanes of a mask, in order.
pub(super) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lane)
    })
}

/// The mask of the lanes of which something is true.
pub(super) fn lanes_where(mask: u32, is: impl Fn(usize) -> bool) -> u32 {
    lanes(mask).filter(|lane| is(*lane)).fold(0, |found, lane| found | 1 << lane)
}

/// A register of up to 32 bits, for all lanes.
pub(super) type W = [u32; 32];
/// A register of 64 bits, for all lanes.
pub(super) type D = [u64; 32];

/// The registers of a warp.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    pub w: Vec<W>,
    pub d: Vec<D>,
    pub p: Vec<u32>,
}

#[inline(always)]
pub(super) fn map1<A: Copy, R: Copy + Default>(a: &[A; 32], f: impl Fn(A) -> R) -> [R; 32] {
    let mut result = [R::default(); 32];
    for (r, a) in result.iter_mut().zip(a) {
        *r = f(*a);
    }
    result
}

#[inline(always)]
pub(super) fn map2<A: Copy, B: Copy, R: Copy + Default>(a: &[A; 32], b: &[B; 32], f: impl Fn(A, B) -> R) -> [R; 32] {
    let mut result = [R::default(); 32];
    for (r, (a, b)) in result.iter_mut().zip(a.iter().zip(b)) {
        *r = f(*a, *b);
    }
    result
}

#[inline(always)]
pub(super) fn map3<A: Copy, B: Copy, C: Copy, R: Copy + Default>(
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
pub(super) fn bits2<A: Copy>(a: &[A; 32], b: &[A; 32], f: impl Fn(A, A) -> bool) -> u32 {
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
    /// Those of a kernel, with its constants.
    pub fn new(kernel: &Kernel) -> Self {
        let [w, d, p] = kernel.total.map(|count| count as usize);
        let mut registers = Registers { w: vec![[0; 32]; w], d: vec![[0; 32]; d], p: vec![0; p] };
        for (register, value) in &kernel.constants_w {
            registers.w[*register as usize] = [*value; 32];
        }
        for (register, value) in &kernel.constants_d {
            registers.d[*register as usize] = [*value; 32];
        }
        for (register, value) in &kernel.constants_p {
            registers.p[*register as usize] = u32::from(*value).wrapping_neg();
        }
        registers
    }

    /// Clears those that the kernel declares.
    pub fn clear(&mut self, kernel: &Kernel) {
        let [w, d, p] = kernel.declared.map(|count| count as usize);
        self.w[..w].fill([0; 32]);
        self.d[..d].fill([0; 32]);
        self.p[..p].fill(0);
    }

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

    /// Zeros, into a register of either width.
    pub fn put_zero(&mut self, register: u32, wide: bool, mask: u32) {
        if wide {
            self.put_d(register, &[0; 32], mask);
        } else {
            self.put_w(register, &[0; 32], mask);
        }
    }

    /// Values that fit a register of either width.
    pub fn put_wide(&mut self, register: u32, values: &D, wide: bool, mask: u32) {
        if wide {
            self.put_d(register, values, mask);
        } else {
            self.put_w(register, &map1(values, |x| x as u32), mask);
        }
    }
}
