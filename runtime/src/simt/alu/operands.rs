//! The operands of one instruction, and the ways to compute a result from them in all lanes.

use crate::simt::float;
use crate::simt::program::Inst;
use crate::simt::registers::{D, Registers, W, map1, map2, map3};

/// The registers of a warp, the instruction that says which of them are operands, and the lanes that write.
///
/// The functions that compute are named by what they take, and write to the instruction's `d`: `w` is 32 bits, `d` is 64, `h` the lower
/// half of 32, `f` an f32; a number says how many operands of that kind, `a` first.
pub(super) struct Operands<'r> {
    pub registers: &'r mut Registers,
    pub inst: &'r Inst,
    pub mask: u32,
}

impl Operands<'_> {
    /// A register of 32 bits, for all lanes.
    #[inline(always)]
    pub fn w(&self, register: u32) -> &W {
        &self.registers.w[register as usize]
    }

    /// A register of 64 bits, for all lanes.
    #[inline(always)]
    pub fn d(&self, register: u32) -> &D {
        &self.registers.d[register as usize]
    }

    #[inline(always)]
    pub fn put_w(&mut self, values: &W) {
        self.registers.put_w(self.inst.d, values, self.mask);
    }

    #[inline(always)]
    pub fn put_d(&mut self, values: &D) {
        self.registers.put_d(self.inst.d, values, self.mask);
    }

    #[inline(always)]
    pub fn put_p(&mut self, values: u32) {
        self.registers.put_p(self.inst.d, values, self.mask);
    }

    pub fn put_wide(&mut self, values: &D, wide: bool) {
        self.registers.put_wide(self.inst.d, values, wide, self.mask);
    }

    #[inline(always)]
    pub fn w1(&mut self, f: impl Fn(u32) -> u32) {
        self.put_w(&map1(self.w(self.inst.a), f));
    }

    #[inline(always)]
    pub fn w2(&mut self, f: impl Fn(u32, u32) -> u32) {
        self.put_w(&map2(self.w(self.inst.a), self.w(self.inst.b), f));
    }

    #[inline(always)]
    pub fn w3(&mut self, f: impl Fn(u32, u32, u32) -> u32) {
        self.put_w(&map3(self.w(self.inst.a), self.w(self.inst.b), self.w(self.inst.c), f));
    }

    #[inline(always)]
    pub fn d1(&mut self, f: impl Fn(u64) -> u64) {
        self.put_d(&map1(self.d(self.inst.a), f));
    }

    #[inline(always)]
    pub fn d2(&mut self, f: impl Fn(u64, u64) -> u64) {
        self.put_d(&map2(self.d(self.inst.a), self.d(self.inst.b), f));
    }

    #[inline(always)]
    pub fn d3(&mut self, f: impl Fn(u64, u64, u64) -> u64) {
        self.put_d(&map3(self.d(self.inst.a), self.d(self.inst.b), self.d(self.inst.c), f));
    }

    /// 64 bits in, 32 out.
    #[inline(always)]
    pub fn d1w(&mut self, f: impl Fn(u64) -> u32) {
        self.put_w(&map1(self.d(self.inst.a), f));
    }

    /// 64 bits and 32, such as an amount to shift by.
    #[inline(always)]
    pub fn dw2(&mut self, f: impl Fn(u64, u32) -> u64) {
        self.put_d(&map2(self.d(self.inst.a), self.w(self.inst.b), f));
    }

    #[inline(always)]
    pub fn h1(&mut self, f: impl Fn(u16) -> u16) {
        self.w1(|a| u32::from(f(a as u16)));
    }

    #[inline(always)]
    pub fn h2(&mut self, f: impl Fn(u16, u16) -> u16) {
        self.w2(|a, b| u32::from(f(a as u16, b as u16)));
    }

    #[inline(always)]
    pub fn h3(&mut self, f: impl Fn(u16, u16, u16) -> u16) {
        self.w3(|a, b, c| u32::from(f(a as u16, b as u16, c as u16)));
    }

    /// 16 bits in, 32 out.
    #[inline(always)]
    pub fn h1w(&mut self, f: impl Fn(u16) -> u32) {
        self.w1(|a| f(a as u16));
    }

    /// 16 bits and 32, such as an amount to shift by.
    #[inline(always)]
    pub fn hw2(&mut self, f: impl Fn(u16, u32) -> u16) {
        self.w2(|a, n| u32::from(f(a as u16, n)));
    }

    /// Both halves of 32 bits, each for itself.
    #[inline(always)]
    pub fn x2(&mut self, f: impl Fn(u16, u16) -> u16) {
        self.w2(|a, b| u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16);
    }

    /// A NaN that comes out is the one that devices make.
    #[inline(always)]
    pub fn f2(&mut self, f: impl Fn(f32, f32) -> f32) {
        self.w2(|a, b| float::canonical32(f(f32::from_bits(a), f32::from_bits(b))).to_bits());
    }
}
