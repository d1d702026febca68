//! What runs kernels, the SIMT executor or the GPU, and programs on it.
//!
//! ```text
//! pipeline-to-ptx{chip=sm_90 ...}        func.func @f { gpu.launch_func ... }, gpu.binary @f_kernels "PTX"
//!   launches_to_llvm (MLIR's own passes) llvm.func @f { call @mgpuLaunchKernel ... }
//!   GpuProgram                           on a device that is the SIMT executor or the GPU, with the arguments placed there
//! ```

use crate::{
    arguments::Input,
    job::Job,
    options::{SimtChecks, Target},
};
use melior::ir::Module;
use std::cell::RefCell;
use weft_model::Target as GpuTarget;
use weft_passes::{gpu::Chip, lower::llvm, pipelines::launches_to_llvm};
use weft_runtime::{
    Device, DeviceBuffer, Entry, GpuArgument, GpuProgram, Scalar,
    gpu::{Cuda, Simt},
    simt,
};
use weft_tools::Stop;

/// An argument, where the device has it.
pub enum Placed {
    Image(DeviceBuffer),
    Number(Scalar),
}

impl Placed {
    /// As a call takes it.
    pub fn argument(&self) -> GpuArgument<'_> {
        match self {
            Placed::Image(buffer) => GpuArgument::Tensor(buffer),
            Placed::Number(number) => GpuArgument::Scalar(*number),
        }
    }
}

/// The arguments, where the program has them.
pub fn place(job: &Job, program: &GpuProgram) -> Result<Vec<Placed>, Stop> {
    let place = |input: &Input| {
        Ok(match input {
            Input::Image(buffer) => Placed::Image(program.upload(buffer)?),
            Input::Number(number) => Placed::Number(*number),
        })
    };
    job.inputs.iter().map(place).collect()
}

/// What runs kernels, and what they are compiled for.
pub struct Machine {
    /// In words.
    pub name: String,
    /// The GPU, opened already, for the first program.
    gpu: RefCell<Option<Cuda>>,
    is_cuda: bool,
    simt: simt::Options,
    /// What kernels are compiled for.
    pub chip: String,
    /// Kernels that stand in for those of the program.
    ptx: Option<String>,
}

impl Machine {
    /// That of the options.
    pub fn of(job: &Job) -> Result<Self, Stop> {
        let options = job.options;
        let ptx = options.ptx.as_ref().map(|path| weft_files::text(path, "PTX")).transpose()?;
        let clock = options.clock.as_deref().map(weft_tools::clock::clock).transpose()?;
        let is_cuda = options.target == Target::Cuda;
        let gpu = is_cuda.then(Cuda::open).transpose()?;
        let chip = match (&options.chip, &gpu) {
            (Some(chip), _) => chip.clone(),
            (None, Some(gpu)) => newest_chip(gpu.capability())?,
            (None, None) => {
                let own = clock.as_ref().map(|clock| clock.target.chip()).filter(|chip| Chip::named(chip).is_ok());
                own.unwrap_or_else(|| "sm_90".into())
            }
        };
        Chip::named(&chip)?;
        let checks = match options.simt_checks {
            Some(SimtChecks::None) => simt::Checks::NONE,
            _ if options.only_timed => simt::Checks::NONE,
            _ => simt::Checks::ALL,
        };
        let name = match (&gpu, &clock) {
            (Some(gpu), _) => gpu.name().to_owned(),
            (None, Some(clock)) => format!("the clock of {}", clock.target.name),
            (None, None) => "the executor".to_owned(),
        };
        let seed = options.simt_seed.unwrap_or(0);
        let limit = options.simt_max_instructions.unwrap_or(simt::Options::LIMIT);
        let simt =
            simt::Options { seed, checks, limit, clock, only_timed: options.only_timed, ..simt::Options::default() };
        Ok(Self { name, gpu: RefCell::new(gpu), is_cuda, simt, chip, ptx })
    }

    /// The GPU that costs are for: that of the clock, where passes know it by name.
    pub fn target(&self) -> String {
        let name = self.simt.clock.as_ref().map(|clock| clock.target.name.clone());
        name.filter(|name| GpuTarget::named(name).is_ok()).unwrap_or_default()
    }

    /// This machine, to measure on: what is wrong with a kernel, the run of what was found shall say.
    pub fn unchecked(&self) -> Self {
        let simt = simt::Options { checks: simt::Checks::NONE, only_timed: true, ..self.simt.clone() };
        let (name, chip) = (self.name.clone(), self.chip.clone());
        Self { name, gpu: RefCell::new(None), is_cuda: self.is_cuda, simt, chip, ptx: None }
    }

    /// A program whose kernels are lowered, with its host code compiled.
    pub fn program(&self, job: &Job, module: &Module) -> Result<GpuProgram, Stop> {
        self.functions(job, module, std::slice::from_ref(&job.entry))
    }

    /// The same, of which several functions are called.
    pub fn functions(&self, job: &Job, module: &Module, entries: &[Entry]) -> Result<GpuProgram, Stop> {
        weft_tools::compile(module, &launches_to_llvm())?;
        let device: Box<dyn Device> = match self.gpu.take() {
            Some(gpu) => Box::new(gpu),
            None if self.is_cuda => Box::new(Cuda::open()?),
            None => Box::new(Simt::new(self.simt.clone())),
        };
        let host = module.as_operation();
        // SAFETY: the module is what our lowering made of a verified program with this very signature: it only passes tensors on,
        // and launches its kernels with their parameters. Kernels that stand in for them are checked to have the same.
        let program = unsafe {
            GpuProgram::new(device, entries, self.ptx.clone(), |llvm| llvm::translate(llvm, job.context, host))
        }?;
        Ok(program)
    }
}

/// The newest chip that we can compile for and that the GPU runs: PTX for an older one runs on it too.
fn newest_chip((major, minor): (u32, u32)) -> Result<String, Stop> {
    let found =
        (0..=10 * major + minor).rev().map(|number| format!("sm_{number}")).find(|name| Chip::named(name).is_ok());
    found.ok_or_else(|| Stop::Because(format!("the GPU is an sm_{major}{minor}, expected sm_70 or newer")))
}
