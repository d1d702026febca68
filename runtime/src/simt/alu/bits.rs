//! Fields of bits, bytes and truth tables.

use super::operands::Operands;
use crate::simt::registers::{map2, map3};

fn extract_bits(a: u64, at: u32, count: u32, width: u32, signed: bool) -> u64 {
    let (at, count) = (at & 0xff, count & 0xff);
    let top = width - 1;
    let sign = signed && count > 0 && a >> (at + count - 1).min(top) & 1 == 1;
    let kept = count.min(width.saturating_sub(at));
    let ones = |n: u32| if n >= 64 { u64::MAX } else { (1 << n) - 1 };
    let value = if kept == 0 { 0 } else { a >> at & ones(kept) };
    if sign { value | ones(width) & !ones(kept) } else { value }
}

fn insert_bits(a: u64, b: u64, at: u32, count: u32, width: u32) -> u64 {
    let (at, count) = (at & 0xff, count & 0xff);
    let kept = count.min(width.saturating_sub(at));
    if kept == 0 {
        return b;
    }
    let ones = if kept >= 64 { u64::MAX } else { (1 << kept) - 1 };
    b & !(ones << at) | (a & ones) << at
}

fn permute_bytes(a: u32, b: u32, selector: u32) -> u32 {
    let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    let pick = |index: u32| {
        let which = selector >> (4 * index);
        let byte = bytes[(which & 7) as usize];
        // Bit 3 asks for copies of the sign.
        if which & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
    };
    u32::from_le_bytes([pick(0), pick(1), pick(2), pick(3)])
}

fn look_up(a: u32, b: u32, c: u32, table: u32) -> u32 {
    (0..8).filter(|row| table >> row & 1 == 1).fold(0, |result, row| {
        let side = |x: u32, bit: u32| if row >> bit & 1 == 1 { x } else { !x };
        result | side(a, 2) & side(b, 1) & side(c, 0)
    })
}

fn funnel_bits(a: u32, b: u32, amount: u32, left: bool, wrap: bool) -> u32 {
    let both = u64::from(b) << 32 | u64::from(a);
    let amount = if wrap { amount & 31 } else { amount.min(32) };
    if left { ((both << amount) >> 32) as u32 } else { (both >> amount) as u32 }
}

fn dot(a: u32, b: u32, c: u32, signed: [bool; 2]) -> u32 {
    let part = |x: u8, signed: bool| if signed { i32::from(x as i8) } else { i32::from(x) };
    let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
    pairs.fold(c, |sum, (x, y)| sum.wrapping_add((part(x, signed[0]) * part(y, signed[1])) as u32))
}

/// `bfe`
pub(super) fn extract(x: &mut Operands<'_>, signed: bool, wide: bool) {
    if wide {
        let (a, at, count) = (x.d(x.inst.a), x.w(x.inst.b), x.w(x.inst.c));
        let values = map3(a, at, count, |a, at, count| extract_bits(a, at, count, 64, signed));
        x.put_d(&values);
    } else {
        x.w3(|a, at, count| extract_bits(u64::from(a), at, count, 32, signed) as u32);
    }
}

/// `bfi`
pub(super) fn insert(x: &mut Operands<'_>, wide: bool) {
    let (a, into) = (x.registers.wide(x.inst.a, wide), x.registers.wide(x.inst.e, wide));
    let width = if wide { 64 } else { 32 };
    let places = map2(x.w(x.inst.b), x.w(x.inst.c), |at, count| (at, count));
    let values = map3(&a, &into, &places, |a, into, (at, count)| insert_bits(a, into, at, count, width));
    x.put_wide(&values, wide);
}

/// `prmt`
pub(super) fn permute(x: &mut Operands<'_>) {
    x.w3(permute_bytes);
}

/// `lop3`
pub(super) fn lop3(x: &mut Operands<'_>) {
    let table = map2(x.w(x.inst.c), x.w(x.inst.e), |c, table| (c, table));
    let values = map3(x.w(x.inst.a), x.w(x.inst.b), &table, |a, b, (c, table)| look_up(a, b, c, table));
    x.put_w(&values);
}

/// `shf`
pub(super) fn funnel(x: &mut Operands<'_>, left: bool, wrap: bool) {
    x.w3(|a, b, n| funnel_bits(a, b, n, left, wrap));
}

/// `dp4a`
pub(super) fn dot4(x: &mut Operands<'_>, signed: [bool; 2]) {
    x.w3(|a, b, c| dot(a, b, c, signed));
}
