//! Programs that launch kernels: their host code runs here, their memory and their kernels are a [`Device`]'s.
//!
//! ```text
//! pipeline-run            this module                       compiled host code             a device
//!   img.png  ──upload──▶  DeviceBuffer ── descriptor ─▶  @f(img, out):
//!                                                            checks of extents
//!                                                            mgpuMemAlloc(bytes)    ──▶  alloc
//!                                                            mgpuLaunchKernel(...)  ──▶  launch
//!   out.png  ◀─download─  DeviceBuffer                       mgpuMemFree(address)   ──▶  free
//! ```
//!
//! Host code passes addresses of the device on and never reads what is there, so a device may use any numbers it likes: [`Simt`]
//! gives addresses of the SIMT executor's own memory, [`Cuda`] those of the driver. What host code calls is MLIR's interface to
//! GPU runtimes (`mgpu*`, in `calls`).
//!
//! The wing imports what all executors share (`entry`, `jit`) and the `simt` wing. In it, `program` is what callers see, `calls` what host
//! code sees, `state` what both work on; a device knows of none of them.

mod calls;
mod cuda;
mod device;
mod program;
mod simt;
mod state;

pub use cuda::Cuda;
pub use device::{Device, Launched, Resources, Run, Shape};
pub use program::{DeviceBuffer, GpuArgument, GpuProgram};
pub use simt::Simt;
