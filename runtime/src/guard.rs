//! Memory that shows who leaves it: in front of a tensor and behind it lies a page that nobody may touch.
//!
//! ```text
//! Side::End:    │ no access │ 0xFF ... 0xFF │ the tensor │ 0xFF, less than 64 │ no access │
//! Side::Begin:  │ no access │ the tensor │ 0xFF ... 0xFF │ no access │
//! ```
//!
//! A read or write far outside ends the process; a write nearby leaves its mark on the margins, and a read nearby finds NaN, or -1.
//! Memory that the code itself allocates ([`allocate`]) has only 0xFF in it, so that what nobody has written is NaN, too.

#![allow(unsafe_code)] // It takes away rights to pages of its own.

use std::ffi::{c_int, c_void};

use crate::buffer::{ALIGNMENT, Buffer};

/// A multiple of the size of a page, wherever this runs.
const PAGE: usize = 1 << 16;

/// What the margins hold.
const MARGIN: u8 = 0xFF;

unsafe extern "C" {
    fn mprotect(address: *mut c_void, len: usize, rights: c_int) -> c_int;
}

const NONE: c_int = 0;
const READ_AND_WRITE: c_int = 3;

/// Where the parts of an allocation lie: the first page without rights, and the one behind.
struct Pages {
    storage: Vec<u8>,
    first: usize,
    last: usize,
}

impl Pages {
    /// Pages around `len` bytes, which end where the last one begins.
    fn around(len: usize) -> Pages {
        let storage = vec![MARGIN; len.next_multiple_of(PAGE) + 3 * PAGE];
        let first = storage.as_ptr().align_offset(PAGE);
        let last = first + PAGE + len.next_multiple_of(PAGE);
        Pages { storage, first, last }
    }

    /// Sets the rights to a page of an allocation.
    fn set(storage: &[u8], page: usize, rights: c_int) {
        // SAFETY: the page lies inside the allocation, at a multiple of the size of a page; nobody reads it, and before it is freed it
        // has its rights again. Where the system refuses there is only less to find.
        unsafe { mprotect(storage[page..page + PAGE].as_ptr().cast_mut().cast(), PAGE, rights) };
    }
}

/// Which end of a tensor is near a page that nobody may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its first element.
    Begin,
    /// Its last one, up to the alignment of tensors.
    End,
}

/// A tensor between pages that nobody may touch.
pub struct Guarded {
    buffer: Buffer,
    first: usize,
    last: usize,
    start: usize,
}

impl Guarded {
    /// A copy.
    pub fn of(buffer: &Buffer, side: Side) -> Guarded {
        let len = buffer.byte_size().next_multiple_of(ALIGNMENT);
        let Pages { mut storage, first, last } = Pages::around(len);
        let start = match side {
            Side::Begin => first + PAGE,
            Side::End => last - len,
        };
        storage[start..][..buffer.byte_size()].copy_from_slice(buffer.bytes());
        let guarded = Buffer::placed(buffer.element(), buffer.shape(), storage, start);
        [first, last].iter().for_each(|page| Pages::set(guarded.storage(), *page, NONE));
        Guarded { buffer: guarded, first, last, start }
    }

    /// The tensor.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The tensor, to be written.
    pub fn buffer_mut(&mut self) -> &mut Buffer {
        &mut self.buffer
    }

    /// Whether nobody has written beside it.
    pub fn is_intact(&self) -> bool {
        let storage = self.buffer.storage();
        let end = self.start + self.buffer.byte_size();
        let margins = storage[self.first + PAGE..self.start].iter().chain(&storage[end..self.last]);
        margins.into_iter().all(|byte| *byte == MARGIN)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        [self.first, self.last].iter().for_each(|page| Pages::set(self.buffer.storage(), *page, READ_AND_WRITE));
    }
}

/// `malloc` for code that is watched: as above, and never freed, so that a late read is not one of somebody else's memory.
pub(crate) extern "C" fn allocate(len: usize) -> *mut u8 {
    let len = len.next_multiple_of(ALIGNMENT);
    let Pages { storage, first, last } = Pages::around(len);
    [first, last].iter().for_each(|page| Pages::set(&storage, *page, NONE));
    storage.leak()[last - len..].as_mut_ptr()
}

/// `free` for such memory.
pub(crate) extern "C" fn keep(_: *mut u8) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_on_the_margins_are_seen() {
        for (count, side) in [(1usize, Side::End), (17, Side::Begin), (100_000, Side::End), (100_000, Side::Begin)] {
            let buffer = Buffer::from_slice(&[count], &vec![2.5f32; count]);
            let mut guarded = Guarded::of(&buffer, side);
            assert!(guarded.is_intact() && guarded.buffer().first_difference(&buffer).is_none());
            guarded.buffer_mut().bytes_mut()[0] = 0;
            assert!(guarded.is_intact(), "the tensor itself may be written");
            let bytes = guarded.buffer_mut().bytes_mut();
            let beside = match side {
                Side::Begin => bytes.as_mut_ptr().wrapping_add(bytes.len()),
                Side::End => bytes.as_mut_ptr().wrapping_sub(1),
            };
            // SAFETY: the margin belongs to the allocation, and has all rights.
            unsafe { *beside = 0 };
            assert!(!guarded.is_intact());
        }
    }
}
