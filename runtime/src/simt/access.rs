//! Loads, stores and atomics of a warp: each is split by the memory that its lanes go to, checked, counted, and done.

use super::context::Context;
use super::counters;
use super::float;
use super::fold::combine;
use super::memory::{Allocation, GlobalMemory, LOCAL_WINDOW, SHARED_WINDOW};
use super::program::{Access, Fold, Inst, Kernel, NONE, Scalar, Window};
use super::registers::{D, Registers, lanes, lanes_where};
use super::report::Fault;
use super::shared::{Actor, Conflict, Found, WarpClock};
use super::tree::Space;

/// Bytes from one lane's local memory to the next one's: what is aligned in one must be in all.
pub(super) fn local_stride(kernel: &Kernel) -> u64 {
    kernel.local_bytes.next_multiple_of(16)
}

/// An instruction that accesses memory, and what it needs of its warp.
pub(super) struct Port<'w> {
    pub registers: &'w mut Registers,
    pub local: &'w Allocation,
    pub clock: &'w WarpClock,
    /// The number of the warp.
    pub warp: u32,
    pub inst: &'w Inst,
    /// Where the instruction stands.
    pub pc: u32,
    /// The lanes that execute it.
    pub mask: u32,
}

impl<'w> Port<'w> {
    /// The request that the instruction makes, apart from the registers that it fills or empties.
    fn request(self, access: Access, does: Does) -> (Request<'w>, &'w mut Registers) {
        let Port { registers, local, clock, warp, inst, pc, mask } = self;
        let addresses = addresses(registers, access, inst);
        let total = u64::from(access.bytes) * u64::from(access.count);
        (Request { access, does, total, addresses, local, clock, warp, pc, mask }, registers)
    }

    pub fn load(self, context: &mut Context<'_>, access: Access) {
        if access.window == Window::Space(Space::Param) {
            return self.load_param(context, access);
        }
        let (inst, mask) = (self.inst, self.mask);
        let list = &context.job.kernel.lists[inst.d as usize..][..inst.d2 as usize];
        let bytes = u32::from(access.bytes);
        let (request, registers) = self.request(access, Does::Load);
        // What is refused below reads as zero.
        for register in list.iter().filter(|register| **register != NONE) {
            registers.put_zero(*register, access.wide_data, mask);
        }
        request.carry_out(context, |memory, go, offsets| {
            for (element, register) in list.iter().enumerate().filter(|(_, register)| **register != NONE) {
                let offset = |lane: usize| offsets[lane] + element as u64 * u64::from(bytes);
                if access.wide_data {
                    let target = &mut registers.d[*register as usize];
                    for lane in lanes(go) {
                        target[lane] = float::extend(memory.load(offset(lane), bytes), bytes * 8, access.signed);
                    }
                } else {
                    let target = &mut registers.w[*register as usize];
                    if bytes == 4 {
                        for lane in lanes(go) {
                            target[lane] = memory.load(offset(lane), 4) as u32;
                        }
                    } else {
                        for lane in lanes(go) {
                            let value = memory.load(offset(lane), bytes);
                            target[lane] = float::extend(value, bytes * 8, access.signed) as u32;
                        }
                    }
                }
            }
        });
    }

    /// Parameters are no memory of the machine: nothing is checked or counted.
    fn load_param(self, context: &Context<'_>, access: Access) {
        let list = &context.job.kernel.lists[self.inst.d as usize..][..self.inst.d2 as usize];
        let bytes = u32::from(access.bytes);
        let addresses = addresses(self.registers, access, self.inst);
        for (element, register) in list.iter().enumerate().filter(|(_, register)| **register != NONE) {
            let values = addresses.map(|address| {
                let at = address.wrapping_add(element as u64 * u64::from(bytes)) as usize;
                let found = context.job.params.get(at..at.wrapping_add(bytes as usize)).unwrap_or(&[]);
                let value = found.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
                float::extend(value, bytes * 8, access.signed)
            });
            self.registers.put_wide(*register, &values, access.wide_data, self.mask);
        }
    }

    pub fn store(self, context: &mut Context<'_>, access: Access) {
        let list = &context.job.kernel.lists[self.inst.d as usize..][..self.inst.d2 as usize];
        let bytes = u32::from(access.bytes);
        let (request, registers) = self.request(access, Does::Store);
        request.carry_out(context, |memory, go, offsets| {
            for (element, register) in list.iter().enumerate() {
                let offset = |lane: usize| offsets[lane] + element as u64 * u64::from(bytes);
                if access.wide_data {
                    let values = &registers.d[*register as usize];
                    lanes(go).for_each(|lane| memory.store(offset(lane), bytes, values[lane]));
                } else {
                    let values = &registers.w[*register as usize];
                    lanes(go).for_each(|lane| memory.store(offset(lane), bytes, u64::from(values[lane])));
                }
            }
        });
    }

    pub fn atomic(self, context: &mut Context<'_>, access: Access, fold: Fold, ty: Scalar) {
        let bytes = u32::from(access.bytes);
        let Inst { b, c, d, .. } = *self.inst;
        let wide = access.wide_data;
        let (request, registers) = self.request(access, Does::Atomic);
        request.carry_out(context, |memory, go, offsets| {
            for lane in lanes(go) {
                let of = |registers: &Registers, register: u32| match (register, wide) {
                    (NONE, _) => 0,
                    (register, true) => registers.d[register as usize][lane],
                    (register, false) => u64::from(registers.w[register as usize][lane]),
                };
                let old = memory.load(offsets[lane], bytes);
                let new = combine(fold, ty, old, of(registers, b), of(registers, c));
                memory.store(offsets[lane], bytes, new);
                if d != NONE {
                    match wide {
                        true => registers.d[d as usize][lane] = old,
                        false => registers.w[d as usize][lane] = old as u32,
                    }
                }
            }
        });
    }
}

fn addresses(registers: &Registers, access: Access, inst: &Inst) -> D {
    let offset = access.offset as u64;
    if access.wide_address {
        registers.d[inst.a as usize].map(|address| address.wrapping_add(offset))
    } else {
        registers.w[inst.a as usize].map(|address| u64::from(address.wrapping_add(offset as u32)))
    }
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Load,
    Store,
    Atomic,
}

/// A memory that an access goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AddressSpace {
    Global(Option<usize>),
    Shared,
    Local,
}

/// What the lanes of a warp ask of memory.
struct Request<'w> {
    access: Access,
    does: Does,
    /// Bytes of all elements of a lane.
    total: u64,
    addresses: D,
    local: &'w Allocation,
    clock: &'w WarpClock,
    warp: u32,
    pc: u32,
    mask: u32,
}

impl Request<'_> {
    /// Splits the request by the memory that lanes go to, checks and counts it, and calls `transfer` for each part with the memory,
    /// the lanes that may go on, and their offsets in it.
    fn carry_out(&self, context: &mut Context<'_>, mut transfer: impl FnMut(&Allocation, u32, &D)) {
        let window = self.access.window;
        let mut rest = self.mask;
        while rest != 0 {
            let lead = self.addresses[rest.trailing_zeros() as usize];
            let space = address_space(window, lead);
            let same = match window {
                Window::Space(Space::Shared | Space::Local) => rest,
                _ => lanes_where(rest, |lane| self::address_space(window, self.addresses[lane]) == space),
            };
            rest &= !same;
            match space {
                AddressSpace::Global(_) => self.global(context, lead, same, &mut transfer),
                AddressSpace::Shared => self.shared(context, same, &mut transfer),
                AddressSpace::Local => self.local(context, same, &mut transfer),
            }
        }
    }

    /// The lanes whose addresses are in the slot of `lead`.
    fn global(&self, context: &mut Context<'_>, lead: u64, same: u32, transfer: &mut impl FnMut(&Allocation, u32, &D)) {
        let traffic = match self.does {
            Does::Load => &mut context.counters.global_loads,
            _ => &mut context.counters.global_stores,
        };
        if self.access.window != Window::Space(Space::Const) {
            traffic.requests += 1;
            traffic.sectors += counters::sectors(&self.addresses, same, self.total);
            traffic.bytes += self.total * u64::from(same.count_ones());
            if let Some(trace) = context.trace_of(self.warp) {
                trace.global(&self.addresses, same, self.total);
            }
        }
        let memory = context.job.memory;
        let Some((slot, allocation, start)) = memory.find(lead) else {
            return self.out_of_bounds(context, same, || "is in no buffer".to_owned());
        };
        let offsets = self.offsets(lead.wrapping_sub(start as u64));
        let mut go = within(&offsets, same, self.total, allocation.size);
        if go != same {
            let bad = same & !go;
            self.out_of_bounds(context, bad, || {
                let offset = offsets[bad.trailing_zeros() as usize] as i64;
                let (buffer, size) = (GlobalMemory::describe(slot), allocation.size);
                let has = if allocation.freed { "was freed".to_owned() } else { format!("has {size}") };
                format!("is at byte {offset} of {buffer}, which {has}")
            });
        }
        go = self.aligned(context, &offsets, go);
        if self.does != Does::Store && allocation.has_holes() && context.checks().unwritten {
            self.check_written(context, allocation, &offsets, go, |lane| {
                format!("{} at byte {}", GlobalMemory::describe(slot), offsets[lane])
            });
        }
        transfer(allocation, go, &offsets);
    }

    fn shared(&self, context: &mut Context<'_>, same: u32, transfer: &mut impl FnMut(&Allocation, u32, &D)) {
        let offsets = self.offsets(if self.access.window == Window::Generic { SHARED_WINDOW } else { 0 });
        let (passes, groups) = counters::passes(&offsets, same, self.total);
        context.counters.shared_requests += 1;
        context.counters.shared_passes += passes;
        context.counters.shared_conflicts += passes - groups;
        if let Some(trace) = context.trace_of(self.warp) {
            trace.shared(passes);
        }
        let kernel = context.job.kernel;
        let mut go = within(&offsets, same, self.total, context.shared.data.size);
        if kernel.shared.len() > 1 || kernel.shared_dynamic.is_some() {
            go = between(kernel, &offsets, go, self.total);
        }
        if go != same {
            let bad = same & !go;
            self.out_of_bounds(context, bad, || {
                let offset = offsets[bad.trailing_zeros() as usize] as i64;
                format!("is at {offset} in shared memory, in no variable")
            });
        }
        go = self.aligned(context, &offsets, go);
        let checks = context.checks();
        if checks.races || checks.unwritten {
            self.track(context, &offsets, go);
        }
        transfer(&context.shared.data, go, &offsets);
    }

    fn local(&self, context: &mut Context<'_>, same: u32, transfer: &mut impl FnMut(&Allocation, u32, &D)) {
        let (size, stride) = (context.job.kernel.local_bytes, local_stride(context.job.kernel));
        let mut offsets = self.offsets(if self.access.window == Window::Generic { LOCAL_WINDOW } else { 0 });
        context.counters.local_requests += 1;
        if let Some(trace) = context.trace_of(self.warp) {
            trace.local(self.total);
        }
        let mut go = within(&offsets, same, self.total, size);
        if go != same {
            let bad = same & !go;
            self.out_of_bounds(context, bad, || {
                let offset = offsets[bad.trailing_zeros() as usize] as i64;
                format!("is at {offset} of {size} bytes of local memory")
            });
        }
        go = self.aligned(context, &offsets, go);
        for (lane, offset) in offsets.iter_mut().enumerate() {
            *offset = offset.wrapping_add(lane as u64 * stride);
        }
        if self.does != Does::Store && context.checks().unwritten {
            self.check_written(context, self.local, &offsets, go, |lane| {
                format!("local memory at {}", offsets[lane] - lane as u64 * stride)
            });
        }
        transfer(self.local, go, &offsets);
    }

    /// The offsets of all lanes from where a memory begins.
    fn offsets(&self, start: u64) -> D {
        self.addresses.map(|address| address.wrapping_sub(start))
    }

    fn report(
        &self,
        context: &mut Context<'_>,
        fault: Fault,
        lane: usize,
        message: impl FnOnce(&Context<'_>) -> String,
    ) {
        context.report(fault, self.warp * 32 + lane as u32, self.pc, message);
    }

    #[cold]
    fn out_of_bounds(&self, context: &mut Context<'_>, bad: u32, what: impl FnOnce() -> String) {
        if !context.checks().bounds {
            return;
        }
        let (verb, total, what) = (self.verb(), self.total, what());
        for lane in lanes(bad) {
            self.report(context, Fault::OutOfBounds, lane, |_| {
                format!("{verb} {total} bytes at {:#x}, which {what}", self.addresses[lane])
            });
        }
    }

    fn verb(&self) -> &'static str {
        if self.does == Does::Load { "reads" } else { "writes" }
    }

    /// The lanes whose access is aligned; the others are reported.
    fn aligned(&self, context: &mut Context<'_>, offsets: &D, mask: u32) -> u32 {
        let align = self.total.next_power_of_two() - 1;
        if offsets.iter().fold(0, |or, offset| or | offset) & align == 0 {
            return mask;
        }
        let bad = lanes_where(mask, |lane| offsets[lane] & align != 0);
        if context.checks().alignment {
            let total = self.total;
            for lane in lanes(bad) {
                self.report(context, Fault::Misaligned, lane, |_| {
                    format!("accesses {total} bytes at an address that is {} beyond a multiple", offsets[lane] & align)
                });
            }
        }
        mask & !bad
    }

    /// The offsets, from a lane's own, of the elements that are used.
    fn elements(&self) -> impl Iterator<Item = u64> {
        let access = self.access;
        let used = (0..u64::from(access.count)).filter(move |element| access.gaps >> element & 1 == 0);
        used.map(move |element| element * u64::from(access.bytes))
    }

    /// Reports the lanes that read what nobody has written.
    fn check_written(
        &self,
        context: &mut Context<'_>,
        allocation: &Allocation,
        offsets: &D,
        mask: u32,
        show: impl Fn(usize) -> String,
    ) {
        let size = u32::from(self.access.bytes);
        for lane in lanes(mask) {
            if !self.elements().all(|element| allocation.is_written(offsets[lane] + element, size)) {
                let total = self.total;
                self.report(context, Fault::Unwritten, lane, |_| {
                    format!("reads {total} bytes of {}, which nobody wrote", show(lane))
                });
            }
        }
    }

    /// Notes an access of shared memory.
    fn track(&self, context: &mut Context<'_>, offsets: &D, mask: u32) {
        let bytes = u32::from(self.access.bytes);
        for element in self.elements() {
            for lane in lanes(mask) {
                let offset = offsets[lane] + element;
                let actor = Actor { warp: self.warp, lane: lane as u32, place: self.pc, clock: self.clock };
                let found = match self.does {
                    Does::Load => context.shared.read(actor, offset, bytes),
                    Does::Store => context.shared.write(actor, offset, bytes, false),
                    Does::Atomic => context.shared.write(actor, offset, bytes, true),
                };
                if found.unwritten || found.conflict.is_some() {
                    self.conflict(context, lane, offset, found);
                }
            }
        }
    }

    #[cold]
    fn conflict(&self, context: &mut Context<'_>, lane: usize, offset: u64, found: Found) {
        let checks = context.checks();
        if found.unwritten && checks.unwritten {
            let bytes = self.access.bytes;
            self.report(context, Fault::Unwritten, lane, |_| {
                format!("reads {bytes} bytes of shared memory at {offset}, which nobody wrote")
            });
        }
        if let (Some(Conflict { thread: other, place: there, wrote }), true) = (found.conflict, checks.races) {
            self.report(context, Fault::Race, lane, |context| {
                let who = match other {
                    NONE => "a thread of another warp".to_owned(),
                    other => context.show_thread(other),
                };
                let how = if wrote { "wrote" } else { "read" };
                let (verb, line) = (self.verb(), context.job.kernel.lines[there as usize]);
                format!("{verb} shared memory at {offset}, which {who} {how} at line {line} with no sync between")
            });
        }
    }
}

/// The memory that an address belongs to.
fn address_space(window: Window, address: u64) -> AddressSpace {
    let slot = |address: u64| AddressSpace::Global(usize::try_from(address >> 36).ok());
    match window {
        Window::Space(Space::Shared) => AddressSpace::Shared,
        Window::Space(Space::Local) => AddressSpace::Local,
        Window::Space(_) => slot(address),
        Window::Generic if address >= LOCAL_WINDOW => AddressSpace::Local,
        Window::Generic if address >= SHARED_WINDOW => AddressSpace::Shared,
        Window::Generic => slot(address),
    }
}

/// The lanes whose access lies within a size.
#[inline]
fn within(offsets: &D, mask: u32, total: u64, size: u64) -> u32 {
    let mut inside = 0;
    for (lane, offset) in offsets.iter().enumerate() {
        inside |= u32::from(*offset <= size.wrapping_sub(total)) << lane;
    }
    if size < total { 0 } else { inside & mask }
}

/// The lanes whose access lies within one shared variable.
fn between(kernel: &Kernel, offsets: &D, mask: u32, total: u64) -> u32 {
    let mut inside = 0;
    for lane in lanes(mask) {
        let offset = offsets[lane];
        let dynamic = kernel.shared_dynamic.is_some_and(|start| offset >= start);
        let declared = kernel.shared.iter().any(|(start, size)| offset >= *start && offset + total <= start + size);
        inside |= u32::from(dynamic || declared) << lane;
    }
    inside
}
