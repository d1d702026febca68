//! What host code works on while it runs.

use std::ffi::{CStr, CString};

use super::device::Device;
use crate::error::{Error, Result};
use crate::simt::signatures;

/// What host code finds when it calls: the device, and what has gone wrong so far. After a failure every call does nothing.
pub(super) struct State {
    pub device: Box<dyn Device>,
    /// Kernels to load in place of the module's own.
    pub ptx: Option<String>,
    pub failure: Option<Error>,
}

impl State {
    /// Loads kernels: the module's own, or those that stand in for them.
    pub fn load(&mut self, own: &CStr) -> Result<usize> {
        let Some(ptx) = &self.ptx else { return self.device.load(own) };
        let signatures =
            |text: &str| signatures(text).map_err(|error| Error::device(format!("the PTX cannot be loaded: {error}")));
        let theirs = signatures(ptx)?;
        // Host code is not changed, so every kernel must still take what it passes.
        for (kernel, expected) in signatures(&own.to_string_lossy())? {
            let show = |sizes: &[u64]| format!("parameters of {} bytes", list(sizes));
            let found = match theirs.iter().find(|(name, _)| *name == kernel) {
                Some((_, sizes)) if *sizes == expected => continue,
                Some((_, sizes)) => show(sizes),
                None => "none of that name".to_owned(),
            };
            let expected = show(&expected);
            return Err(Error::device(format!("kernel {kernel} of the PTX: found {found}, expected {expected}")));
        }
        let text = CString::new(ptx.as_str()).map_err(|_| Error::device("the PTX has a NUL, expected text"))?;
        self.device.load(&text)
    }
}

fn list(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
