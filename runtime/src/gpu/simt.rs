//! The SIMT executor as a device: runs the kernels' PTX text on any machine, checks every access, and counts.
//!
//! ```text
//! addresses      of the executor's own memory, such as 0x1800000000: no place of this process
//! unwritten      known byte by byte, also across kernels: what kernel A forgot, kernel B is told when it reads it
//! after a report no kernel is launched any more; what it would find is a consequence
//! ```

#![allow(unsafe_code)] // It reads arguments through pointers; the block says why it is sound.

use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::time::Instant;

use super::device::{Device, Launched, Run, Shape};
use crate::error::{Error, Result};
use crate::simt::clock::{Estimate, follows_data};
use crate::simt::{GlobalMemory, KernelArg, Module, Options, launch};

/// What launches have in common that take the same time.
#[derive(PartialEq, Eq, Hash)]
struct Alike {
    kernel: usize,
    shape: Shape,
    /// The bytes of each argument; of an address, where it lies in which allocation, by the argument that had it first.
    args: Vec<(Vec<u8>, Option<usize>)>,
}

/// The SIMT executor with its memory.
pub struct Simt {
    options: Options,
    memory: GlobalMemory,
    modules: Vec<Module>,
    /// Whether launches are only counted, to know beforehand which of them must run whole.
    is_rehearsal: bool,
    /// The launches of a run that must run whole, where else only times are wanted: those before the last whose time depends on data.
    whole: usize,
    /// What the clock said of launches, where nothing else is wanted of them.
    timed: HashMap<Alike, Option<Estimate>>,
    /// Module and name, and whether what it loads decides how long it takes.
    kernels: Vec<(usize, String, bool)>,
    run: Run,
    start: Instant,
}

impl Simt {
    /// A machine that looks for what `options` say.
    pub fn new(options: Options) -> Simt {
        let memory = GlobalMemory::new();
        Simt {
            options,
            memory,
            modules: Vec::new(),
            is_rehearsal: false,
            whole: 0,
            timed: HashMap::new(),
            kernels: Vec::new(),
            run: Run::default(),
            start: Instant::now(),
        }
    }
}

impl Simt {
    fn alike(&self, kernel: usize, shape: Shape, args: &[KernelArg]) -> Alike {
        let mut owners: Vec<usize> = Vec::new();
        let mut of_arg = |arg: &KernelArg| {
            let bytes = arg.bytes();
            let address = <[u8; 8]>::try_from(&bytes[..]).map(u64::from_le_bytes).ok();
            let Some((owner, offset)) = address.and_then(|address| self.memory.place(address)) else {
                return (bytes, None);
            };
            let first = owners.iter().position(|other| *other == owner).unwrap_or_else(|| {
                owners.push(owner);
                owners.len() - 1
            });
            (offset.to_le_bytes().to_vec(), Some(first))
        };
        Alike { kernel, shape, args: args.iter().map(&mut of_arg).collect() }
    }
}

fn error(error: crate::simt::Error) -> Error {
    Error::device(format!("SIMT executor: {error}"))
}

impl Device for Simt {
    fn name(&self) -> &str {
        "SIMT executor"
    }

    fn alloc(&mut self, bytes: usize) -> Result<u64> {
        if !GlobalMemory::fits(bytes) {
            return Err(Error::device(format!("SIMT executor: {bytes} bytes do not fit into memory")));
        }
        Ok(self.memory.alloc(bytes))
    }

    fn upload(&mut self, bytes: &[u8]) -> Result<u64> {
        if !GlobalMemory::fits(bytes.len()) {
            return Err(Error::device(format!("SIMT executor: {} bytes do not fit into memory", bytes.len())));
        }
        Ok(self.memory.alloc_with(bytes))
    }

    fn free(&mut self, address: u64) -> Result<()> {
        self.memory.free(address).map_err(error)
    }

    fn download(&mut self, address: u64, bytes: &mut [u8]) -> Result<()> {
        self.memory.read(address, bytes).map_err(error)
    }

    fn copy(&mut self, to: u64, from: u64, bytes: usize) -> Result<()> {
        self.memory.copy(to, from, bytes).map_err(error)
    }

    fn unwritten(&mut self, address: u64, bytes: usize) -> Result<usize> {
        self.memory.unwritten(address, bytes).map_err(error)
    }

    fn load(&mut self, ptx: &CStr) -> Result<usize> {
        let module = Module::parse(&ptx.to_string_lossy()).map_err(error)?;
        self.modules.push(module);
        Ok(self.modules.len() - 1)
    }

    fn kernel(&mut self, module: usize, name: &str) -> Result<usize> {
        let loaded = self.modules.get(module).ok_or_else(|| Error::device("SIMT executor: found no such module"))?;
        if !loaded.kernels().any(|kernel| kernel == name) {
            return Err(Error::device(format!("SIMT executor: {}", loaded.no_kernel(name))));
        }
        let found = self.kernels.iter().position(|(other, its, _)| *other == module && its == name);
        Ok(found.unwrap_or_else(|| {
            let follows = self.options.only_timed && follows_data(&self.modules[module], name);
            self.kernels.push((module, name.to_owned(), follows));
            self.kernels.len() - 1
        }))
    }

    unsafe fn launch(&mut self, kernel: usize, shape: Shape, params: &mut [*mut c_void]) -> Result<()> {
        if self.run.launches.last().is_some_and(|last| !last.reports.is_empty()) {
            return Ok(());
        }
        let Some((module, name, follows)) = self
            .kernels
            .get(kernel)
            .and_then(|(module, name, follows)| Some((self.modules.get(*module)?, name, *follows)))
        else {
            return Err(Error::device("SIMT executor: found no such kernel"));
        };
        let sizes = module.parameters(name).unwrap_or_default();
        if sizes.len() != params.len() {
            let (found, expected) = (params.len(), sizes.len());
            return Err(Error::device(format!("kernel {name}: found {found} arguments, expected {expected}")));
        }
        let value = |(param, size): (&*mut c_void, &u64)| {
            // SAFETY: by this function's contract the pointer is to a value of at least this size. Bytes have no alignment.
            let bytes = unsafe { std::slice::from_raw_parts(param.cast::<u8>(), *size as usize) };
            KernelArg::Bytes(bytes.to_vec())
        };
        let args: Vec<KernelArg> = params.iter().zip(&sizes).map(value).collect();
        let only_timed = self.options.only_timed && self.run.launches.len() >= self.whole;
        let options = Options { dynamic_shared: shape.shared, only_timed, ..self.options.clone() };
        let mut launched = Launched {
            kernel: name.clone(),
            shape,
            ms: 0.0,
            counters: None,
            resources: None,
            estimate: None,
            reports: Vec::new(),
        };
        if self.is_rehearsal {
            if follows {
                self.whole = self.run.launches.len();
            }
            self.run.launches.push(launched);
            return Ok(());
        }
        let alike = (only_timed && !follows).then(|| self.alike(kernel, shape, &args));
        if let Some(known) = alike.as_ref().and_then(|alike| self.timed.get(alike)) {
            launched.estimate.clone_from(known);
            self.run.launches.push(launched);
            return Ok(());
        }
        let start = Instant::now();
        let result = launch(module, name, shape.grid, shape.block, &args, &mut self.memory, &options).map_err(error)?;
        launched.ms = start.elapsed().as_secs_f64() * 1e3;
        (launched.estimate, launched.reports) = (result.estimate, result.reports);
        match alike {
            Some(alike) => drop(self.timed.insert(alike, launched.estimate.clone())),
            None => launched.counters = Some(result.counters).filter(|_| !only_timed),
        }
        self.run.launches.push(launched);
        Ok(())
    }

    fn rehearses(&mut self) -> bool {
        (self.is_rehearsal, self.whole) = (self.options.only_timed, 0);
        self.is_rehearsal
    }

    fn begin(&mut self) -> Result<()> {
        self.run = Run::default();
        self.start = Instant::now();
        Ok(())
    }

    fn end(&mut self) -> Result<Run> {
        self.is_rehearsal = false;
        self.run.ms = self.start.elapsed().as_secs_f64() * 1e3;
        Ok(std::mem::take(&mut self.run))
    }
}
