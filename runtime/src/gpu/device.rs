//! What a device is asked for, and what it tells of a run.

use std::ffi::{CStr, c_void};

use crate::error::Result;
use crate::simt::{Counters, Report, clock::Estimate};

/// A machine that runs kernels and has memory of its own.
///
/// Work is done in the order in which it is asked for, but perhaps later: what goes wrong may be told by a later call, at the latest by
/// [`Device::end`].
#[allow(unsafe_code)] // It declares an unsafe function, for the implementations to justify.
pub trait Device {
    /// What it is, in a few words.
    fn name(&self) -> &str;

    /// Allocates memory that nobody has written.
    ///
    /// # Errors
    /// All functions here: [`Error::Device`](crate::Error::Device).
    fn alloc(&mut self, bytes: usize) -> Result<u64>;

    /// Allocates memory with these contents.
    fn upload(&mut self, bytes: &[u8]) -> Result<u64>;

    /// Frees memory that [`Device::alloc`] or [`Device::upload`] gave.
    fn free(&mut self, address: u64) -> Result<()>;

    /// Copies memory out, when all is done that was asked for.
    fn download(&mut self, address: u64, bytes: &mut [u8]) -> Result<()>;

    /// Copies memory on the device.
    fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Result<()>;

    /// How many of these bytes nobody has written; 0 where the device does not know.
    fn unwritten(&mut self, address: u64, bytes: usize) -> Result<usize>;

    /// Makes kernels of PTX text; the number of the module.
    fn load(&mut self, ptx: &CStr) -> Result<usize>;

    /// Finds a kernel in a module; its number.
    fn kernel(&mut self, module: usize, name: &str) -> Result<usize>;

    /// Runs a kernel.
    ///
    /// # Safety
    /// Each of `params` points to the value of one parameter of the kernel, of at least its size.
    unsafe fn launch(&mut self, kernel: usize, shape: Shape, params: &mut [*mut c_void]) -> Result<()>;

    /// Whether the next run is only to show what a program launches: then another one follows, and counts.
    fn rehearses(&mut self) -> bool {
        false
    }

    /// Says that a run of a program begins.
    fn begin(&mut self) -> Result<()>;

    /// Waits until all is done; what was launched since [`Device::begin`].
    fn end(&mut self) -> Result<Run>;
}

/// How many threads run a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of shared memory besides those that the kernel declares.
    pub shared: u32,
}

/// What a kernel occupies on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Bytes of local memory of a thread: spills and indexed arrays.
    pub local_bytes: u32,
}

/// One launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launched {
    /// The kernel's name.
    pub kernel: String,
    /// How many threads.
    pub shape: Shape,
    /// How long it took, in milliseconds, by the device's own clock if it has one.
    pub ms: f64,
    /// What it cost, where that is counted.
    pub counters: Option<Counters>,
    /// What it occupies, where that is known.
    pub resources: Option<Resources>,
    /// How long it would take on a GPU, by a model, where that is asked for.
    pub estimate: Option<Estimate>,
    /// What went wrong. Nothing is launched after a kernel with a report.
    pub reports: Vec<Report>,
}

/// One run of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// In order.
    pub launches: Vec<Launched>,
    /// From the first launch to the end of the last, in milliseconds, by the device's own clock if it has one.
    pub ms: f64,
}

impl Run {
    /// Everything that went wrong, with the kernel's name.
    pub fn reports(&self) -> impl Iterator<Item = (&str, &Report)> {
        self.launches.iter().flat_map(|launch| launch.reports.iter().map(|report| (launch.kernel.as_str(), report)))
    }
}
