//! Global memory of the machine.
//!
//! Each allocation owns a slot of 2^36 bytes of the address space and lies in the middle of it, so that finding an address'
//! allocation is a shift, and an address that runs out of a buffer at either end is recognised as *that buffer's*, by how much.
//! Nothing stands behind the rest of a slot. Memory is words of atomics (blocks run in parallel, and a kernel may have
//! races that must not become Rust's), and each word has a mask of the bytes that somebody has written.
//!
//! Shared and local memory have windows of the generic address space above all slots.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use super::error::Error;

const SLOT_BITS: u32 = 36;
const MIDDLE: u64 = 1 << (SLOT_BITS - 1);
/// Slots of a module's own variables.
const MODULE_SLOT: usize = 1 << 18;
/// Where generic addresses of shared memory begin.
pub(super) const SHARED_WINDOW: u64 = 1 << 56;
/// Where generic addresses of local memory begin.
pub(super) const LOCAL_WINDOW: u64 = 1 << 57;

/// The address of a module's variable.
pub(super) fn module_address(index: usize) -> u64 {
    slot_address(MODULE_SLOT + index)
}

fn slot_address(slot: usize) -> u64 {
    ((slot as u64 + 1) << SLOT_BITS) + MIDDLE
}

/// Bytes at one address, possibly not written yet.
#[derive(Debug)]
pub(super) struct Allocation {
    pub size: u64,
    words: Vec<AtomicU32>,
    /// Four bits per word; empty if all is written.
    written: Vec<AtomicU8>,
    /// It was an allocation once.
    pub freed: bool,
}

impl Allocation {
    pub fn new(size: usize, bytes: Option<&[u8]>) -> Self {
        let count = size.div_ceil(4);
        let words = match bytes {
            Some(bytes) => bytes.chunks(4).map(|chunk| AtomicU32::new(word(chunk))).collect(),
            None => (0..count).map(|_| AtomicU32::new(0)).collect(),
        };
        let written = if bytes.is_some() { Vec::new() } else { (0..count).map(|_| AtomicU8::new(0)).collect() };
        Allocation { size: size as u64, words, written, freed: false }
    }

    /// Zeros, and unwritten again if it began so.
    pub fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
        self.written.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    /// Whether reads need to ask [`Self::is_written`].
    pub fn has_holes(&self) -> bool {
        !self.written.is_empty()
    }

    /// Reads up to 8 bytes, naturally aligned and in range. Out of range reads 0.
    #[inline]
    pub fn load(&self, offset: u64, bytes: u32) -> u64 {
        let index = (offset / 4) as usize;
        let Some(word) = self.words.get(index) else { return 0 };
        let low = word.load(Relaxed);
        match bytes {
            4 => u64::from(low),
            8 => {
                let high = self.words.get(index + 1).map_or(0, |word| word.load(Relaxed));
                u64::from(low) | u64::from(high) << 32
            }
            _ => {
                let part = low >> (8 * (offset % 4));
                u64::from(if bytes == 1 { part & 0xff } else { part & 0xffff })
            }
        }
    }

    /// Whether every one of these bytes has been written.
    #[inline]
    pub fn is_written(&self, offset: u64, bytes: u32) -> bool {
        if self.written.is_empty() {
            return true;
        }
        let index = (offset / 4) as usize;
        let has = |index: usize, mask: u8| self.written.get(index).is_none_or(|word| word.load(Relaxed) & mask == mask);
        match bytes {
            4 => has(index, 15),
            8 => has(index, 15) && has(index + 1, 15),
            _ => has(index, ((1 << bytes) - 1) << (offset % 4)),
        }
    }

    /// Writes up to 8 bytes, naturally aligned and in range. Out of range is ignored.
    #[inline]
    pub fn store(&self, offset: u64, bytes: u32, value: u64) {
        let index = (offset / 4) as usize;
        let Some(word) = self.words.get(index) else { return };
        match bytes {
            4 => word.store(value as u32, Relaxed),
            8 => {
                word.store(value as u32, Relaxed);
                if let Some(word) = self.words.get(index + 1) {
                    word.store((value >> 32) as u32, Relaxed);
                }
            }
            _ => {
                // A neighbour in the same word may be written by another block at this moment.
                let shift = 8 * (offset % 4);
                let mask = (if bytes == 1 { 0xffu32 } else { 0xffff }) << shift;
                let part = (value as u32) << shift & mask;
                let _ = word.fetch_update(Relaxed, Relaxed, |old| Some(old & !mask | part));
            }
        }
        if !self.written.is_empty() {
            let mark = |index: usize, mask: u8| {
                if let Some(word) = self.written.get(index) {
                    if mask == 15 {
                        word.store(15, Relaxed);
                    } else {
                        word.fetch_or(mask, Relaxed);
                    }
                }
            };
            match bytes {
                4 => mark(index, 15),
                8 => {
                    mark(index, 15);
                    mark(index + 1, 15);
                }
                _ => mark(index, ((1 << bytes) - 1) << (offset % 4)),
            }
        }
    }
}

/// The offset and the size of each piece of a range: words where they are aligned, bytes at both ends.
fn steps(offset: u64, bytes: u64) -> impl Iterator<Item = (u64, usize)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start == bytes {
            return None;
        }
        let step = if (offset + start).is_multiple_of(4) && bytes - start >= 4 { 4 } else { 1 };
        start += step;
        Some((start - step, step as usize))
    })
}

fn word(chunk: &[u8]) -> u32 {
    let mut bytes = [0; 4];
    bytes[..chunk.len()].copy_from_slice(chunk);
    u32::from_le_bytes(bytes)
}

/// The memory that kernels get pointers to. It outlives a launch.
#[derive(Debug, Default)]
pub struct GlobalMemory {
    user: Vec<Allocation>,
    module: Vec<Allocation>,
}

impl GlobalMemory {
    /// Bytes of the largest allocation.
    pub const LARGEST: usize = MIDDLE as usize;

    /// Whether there is memory for an allocation; [`alloc`](Self::alloc) takes it for granted.
    pub fn fits(bytes: usize) -> bool {
        // Four bits of each word say what is written.
        bytes <= Self::LARGEST && Vec::<u8>::new().try_reserve_exact(bytes + bytes / 4).is_ok()
    }

    /// Memory without an allocation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allocates memory that nobody has written (it reads as zeros, and reading it is reported). Its address is a multiple of
    /// any alignment.
    pub fn alloc(&mut self, bytes: usize) -> u64 {
        self.user.push(Allocation::new(bytes, None));
        slot_address(self.user.len() - 1)
    }

    /// Allocates memory with these contents.
    pub fn alloc_with(&mut self, bytes: &[u8]) -> u64 {
        self.user.push(Allocation::new(bytes.len(), Some(bytes)));
        slot_address(self.user.len() - 1)
    }

    /// Frees an allocation: accesses of it are out of bounds from now on.
    pub fn free(&mut self, address: u64) -> Result<(), Error> {
        let slot = self.find(address).filter(|(_, _, offset)| *offset == 0).map(|(slot, _, _)| slot);
        let Some(place) = slot.and_then(|slot| self.user.get_mut(slot)) else {
            return Err(Error::launch(format!(
                "address {address:#x}: found no allocated memory there, expected some to free"
            )));
        };
        *place = Allocation { freed: true, ..Allocation::new(0, None) };
        // Slots are taken again, or a long series of runs would use them up.
        while self.user.last().is_some_and(|last| last.freed) {
            self.user.pop();
        }
        Ok(())
    }

    /// Copies bytes in.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        let (allocation, offset) = self.range(address, bytes.len())?;
        for (start, step) in steps(offset, bytes.len() as u64) {
            let mut value = [0; 8];
            value[..step].copy_from_slice(&bytes[start as usize..][..step]);
            allocation.store(offset + start, step as u32, u64::from_le_bytes(value));
        }
        Ok(())
    }

    /// Copies bytes out.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Error> {
        let (allocation, offset) = self.range(address, bytes.len())?;
        for (start, step) in steps(offset, bytes.len() as u64) {
            let value = allocation.load(offset + start, step as u32).to_le_bytes();
            bytes[start as usize..][..step].copy_from_slice(&value[..step]);
        }
        Ok(())
    }

    /// Copies bytes to another place. What nobody has written at the source is left as it is.
    pub fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Result<(), Error> {
        let (source, from) = self.range(from, bytes)?;
        let (target, to) = self.range(to, bytes)?;
        let piece = |start: u64, step: usize| {
            let written = source.is_written(from + start, step as u32);
            if written {
                target.store(to + start, step as u32, source.load(from + start, step as u32));
            }
            written
        };
        for (start, step) in steps(from, bytes as u64) {
            // Words of one are no words of the other if they are aligned differently.
            if !(to ^ from).is_multiple_of(4) || !piece(start, step) {
                for byte in start..start + step as u64 {
                    piece(byte, 1);
                }
            }
        }
        Ok(())
    }

    /// How many of these bytes nobody has written.
    pub fn unwritten(&self, address: u64, bytes: usize) -> Result<usize, Error> {
        let (allocation, offset) = self.range(address, bytes)?;
        Ok((0..bytes as u64).filter(|index| !allocation.is_written(offset + index, 1)).count())
    }

    fn range(&self, address: u64, bytes: usize) -> Result<(&Allocation, u64), Error> {
        let inside = self
            .find(address)
            .filter(|(_, allocation, offset)| *offset >= 0 && *offset as u64 + bytes as u64 <= allocation.size);
        match inside {
            Some((_, allocation, offset)) => Ok((allocation, offset as u64)),
            None => {
                Err(Error::launch(format!("address {address:#x}: found no {bytes} bytes of allocated memory there")))
            }
        }
    }

    /// The number of the allocation to which an address belongs, and the offset from its start.
    pub fn place(&self, address: u64) -> Option<(usize, i64)> {
        self.find(address).map(|(slot, _, offset)| (slot, offset))
    }

    /// The allocation in whose slot an address lies, its number, and the offset from its start.
    #[inline]
    pub(super) fn find(&self, address: u64) -> Option<(usize, &Allocation, i64)> {
        let slot = ((address >> SLOT_BITS) as usize).wrapping_sub(1);
        let offset = (address & ((1 << SLOT_BITS) - 1)) as i64 - MIDDLE as i64;
        let allocation = match self.user.get(slot) {
            None => self.module.get(slot.wrapping_sub(MODULE_SLOT))?,
            some => some?,
        };
        Some((slot, allocation, offset))
    }

    /// Makes the variables of a module, for one launch.
    pub(super) fn set_module(&mut self, variables: &[(u64, Option<Vec<u8>>)]) {
        // `.global` memory without an initialiser is zero, not unwritten: PTX says so.
        self.module = variables
            .iter()
            .map(|(size, bytes)| match bytes {
                Some(bytes) => Allocation::new(bytes.len(), Some(bytes)),
                None => Allocation::new(*size as usize, Some(&vec![0; *size as usize])),
            })
            .collect();
    }

    /// How a report calls a slot.
    pub(super) fn describe(slot: usize) -> String {
        match slot.checked_sub(MODULE_SLOT) {
            Some(index) => format!("module variable {index}"),
            None => format!("buffer {slot}"),
        }
    }
}
