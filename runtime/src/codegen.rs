//! LLVM's passes and code generator for CPUs, as the JIT and the ahead-of-time compiler use them.
//!
//! ```text
//! module ─ checks return ─ verified ─ targeted ─ passes (`PASSES`), what nobody calls is dropped ─ clamps frozen, constants kept ─▶ TargetMachine
//! ```

use std::fmt;

use inkwell::OptimizationLevel;
use inkwell::attributes::AttributeLoc;
use inkwell::module::{Linkage, Module};
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use inkwell::values::{BasicValue, FunctionValue};

use crate::checks;
use crate::clamps;
use crate::constants;
use crate::dot_products;
use crate::error::{Result, compile_error};
use crate::instructions;
use crate::lines;
use crate::look_ups;
use crate::packs;
use crate::quotients;
use crate::scale;
use crate::to_unsigned;

/// A CPU to compile for: its instructions, and what is fast on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// The machine, as LLVM writes it, where it is no machine like this one.
    triple: Option<&'static str>,
    name: String,
    /// What it has or lacks beside what its name says, as LLVM writes it: `+avx2,-avx512f`.
    features: String,
}

/// CPUs of AArch64 that have a name here, on any machine that compiles.
const AARCH64: &[&str] = &["cortex-a53", "cortex-a72", "neoverse-n1", "neoverse-n2", "neoverse-v1", "neoverse-v2"];

/// The machine that such a CPU is in, where another one compiles.
const AARCH64_LINUX: &str = "aarch64-unknown-linux-gnu";

impl Cpu {
    /// The CPUs of x86-64 that have a name here. (LLVM takes an unknown name for the oldest CPU, and only warns.)
    #[cfg(target_arch = "x86_64")]
    const KNOWN: &[&str] = &[
        "x86-64",
        "x86-64-v2",
        "x86-64-v3",
        "x86-64-v4",
        "haswell",
        "skylake",
        "skylake-avx512",
        "icelake-server",
        "sapphirerapids",
        "znver2",
        "znver3",
        "znver4",
        "znver5",
    ];
    /// No other architecture has been tried. (Those of AArch64 are known everywhere.)
    #[cfg(not(target_arch = "x86_64"))]
    const KNOWN: &[&str] = &["generic"];

    /// The CPU that this process runs on.
    pub fn host() -> Cpu {
        Cpu {
            triple: None,
            name: TargetMachine::get_host_cpu_name().to_string(),
            features: TargetMachine::get_host_cpu_features().to_string(),
        }
    }

    /// What every CPU of this architecture has.
    pub(crate) fn any() -> Cpu {
        Cpu { triple: None, name: String::new(), features: String::new() }
    }

    /// Whether it is of another architecture than this machine's: nothing of this machine can be linked with its code.
    pub fn is_foreign(&self) -> bool {
        self.triple.is_some()
    }

    /// Whether it has the instructions of x86-64.
    pub(crate) fn is_x86(&self) -> bool {
        cfg!(target_arch = "x86_64") && !self.is_foreign()
    }

    /// Instructions that its code may have, by LLVM's names, as far as they are known: those of the machine that compiles, or of the level
    /// of x86-64 that the name says.
    pub(crate) fn features(&self) -> Vec<&str> {
        const V2: &str = "cx16,popcnt,sahf,sse3,ssse3,sse4.1,sse4.2";
        const V3: &str = "avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe";
        const V4: &str = "avx512bw,avx512cd,avx512dq,avx512f,avx512vl";
        const ICE_LAKE: &str = "avx512vbmi,avx512vnni";
        if !self.features.is_empty() {
            return self.features.split(',').filter_map(|feature| feature.strip_prefix('+')).collect();
        }
        let levels: &[&str] = match self.name.as_str() {
            "x86-64-v2" => &[V2],
            "x86-64-v3" | "haswell" | "skylake" | "znver2" | "znver3" => &[V2, V3],
            "x86-64-v4" | "skylake-avx512" => &[V2, V3, V4],
            "icelake-server" | "sapphirerapids" | "znver4" | "znver5" => &[V2, V3, V4, ICE_LAKE],
            _ => &[],
        };
        levels.iter().flat_map(|level| level.split(',')).collect()
    }

    /// The CPU of this name: `host`, or LLVM's name of one.
    ///
    /// # Errors
    /// A line that lists the names.
    pub fn named(name: &str) -> std::result::Result<Cpu, String> {
        match name {
            "host" => Ok(Cpu::host()),
            name if Cpu::KNOWN.contains(&name) => {
                Ok(Cpu { triple: None, name: name.to_owned(), features: String::new() })
            }
            name if AARCH64.contains(&name) => {
                let triple = (!cfg!(target_arch = "aarch64")).then_some(AARCH64_LINUX);
                Ok(Cpu { triple, name: name.to_owned(), features: String::new() })
            }
            name => {
                let known = [Cpu::KNOWN, AARCH64].concat().join(", ");
                Err(format!("unknown CPU '{name}', expected host or one of {known}"))
            }
        }
    }
}

/// The version of the LLVM that makes machine code.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Makes a module one for this CPU: checks return, and what LLVM must know of the target is said.
pub(crate) fn target(
    module: &Module<'_>,
    cpu: &Cpu,
    level: OptimizationLevel,
    place: RelocMode,
    model: CodeModel,
) -> Result<TargetMachine> {
    checks::return_from(module)?;
    add_threads(module)?;
    if cpu.is_x86() {
        dot_products::define(module, &cpu.features())?;
        lines::define(module, &cpu.features())?;
        look_ups::define(module, &cpu.features())?;
        packs::define(module, &cpu.features())?;
        quotients::define(module, &cpu.features())?;
        scale::define(module, &cpu.features())?;
        to_unsigned::define(module, &cpu.features())?;
    }
    module.verify().map_err(|error| compile_error(&error.to_string()))?;

    let triple = match cpu.triple {
        Some(triple) => {
            Target::initialize_aarch64(&InitializationConfig::default());
            TargetTriple::create(triple)
        }
        None => {
            Target::initialize_native(&InitializationConfig::default()).map_err(|error| compile_error(&error))?;
            TargetMachine::get_default_triple()
        }
    };
    let target = Target::from_triple(&triple).map_err(|error| compile_error(&error.to_string()))?;
    let machine = target
        .create_target_machine(&triple, &cpu.name, &cpu.features, level, place, model)
        .ok_or_else(|| compile_error("LLVM has no code generator for this machine"))?;
    module.set_triple(&triple);
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    Ok(machine)
}

/// `int32_t weft_num_threads(void)`: how many threads a program uses. Parallel code declares it.
const NUM_THREADS: &str = "weft_num_threads";

/// Defines [`NUM_THREADS`] where the module declares it.
fn add_threads(module: &Module<'_>) -> Result<()> {
    if module.get_function(NUM_THREADS).is_none_or(|function| function.count_basic_blocks() > 0) {
        return Ok(());
    }
    instructions::link(module, include_str!("threads.ll"))
}

/// What is left to do for LLVM: loops over points are vectors already (`--vectorize`), and what they share is computed before
/// them. The passes of `default<O3>` take three times as long, and make longer code that is no faster.
const PASSES: &str = "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>),cgscc(inline),\
    function(loop-simplify,lcssa,loop-mssa(loop-rotate,licm),gvn,instcombine<no-verify-fixpoint>,simplifycfg,adce),\
    globaldce";

/// Says in each function for which CPU it is: MCJIT has a target machine of its own, for a generic one.
pub(crate) fn compile_for(module: &Module<'_>, cpu: &Cpu) {
    let context = module.get_context();
    let attributes = [
        context.create_string_attribute("target-cpu", &cpu.name),
        context.create_string_attribute("target-features", &cpu.features),
    ];
    for function in defined(module) {
        for attribute in attributes {
            function.add_attribute(AttributeLoc::Function, attribute);
        }
    }
}

/// Runs LLVM's passes, and what its code generator needs. Functions that are not `called` from outside may be inlined and then dropped.
pub(crate) fn optimise(
    module: &Module<'_>,
    cpu: &Cpu,
    machine: &TargetMachine,
    called: impl Fn(&str) -> bool,
) -> Result<()> {
    for function in defined(module).filter(|function| !called(&name_of(*function))) {
        function.set_linkage(Linkage::Internal);
    }
    let run = |passes: &str| {
        let done = module.run_passes(passes, machine, PassBuilderOptions::create());
        done.map_err(|error| compile_error(&error.to_string()))
    };
    run(PASSES)?;
    if clamps::freeze(module)? {
        run("always-inline,globaldce")?;
    }
    if cpu.is_x86() { constants::keep(module, &cpu.features()) } else { Ok(()) }
}

fn defined<'c>(module: &Module<'c>) -> impl Iterator<Item = FunctionValue<'c>> {
    module.get_functions().filter(|function| function.count_basic_blocks() > 0)
}

pub(crate) fn name_of(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

/// The functions that a module calls and does not have.
pub(crate) fn foreign(module: &Module<'_>) -> Vec<String> {
    let declared = module.get_functions().filter(|function| function.count_basic_blocks() == 0);
    let used = declared.filter(|function| function.as_global_value().as_pointer_value().get_first_use().is_some());
    used.map(name_of).filter(|name| !name.starts_with("llvm.")).collect()
}
