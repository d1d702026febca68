//! PTX by LLVM's NVPTX back end.
//!
//! ```text
//! llvm dialect ──translate──▶ inkwell Module ──default<O3>──▶ nvptx64 TargetMachine ──▶ PTX text
//!                                               ╰─ few passes ─▶ without its own ──╯
//! ```
//!
//! Few passes ([`Effort::Little`]) make slower kernels in a fifth of the time.
//!
//! Of large modules in parts, side by side ([`parts`](super::parts)).

use super::parts::{join, parts};
use crate::lower::llvm::{Errors, translate};
use inkwell::{
    IntPredicate, OptimizationLevel,
    builder::BuilderError,
    context::Context as LlvmContext,
    memory_buffer::MemoryBuffer,
    module::{Linkage, Module as LlvmModule},
    passes::PassBuilderOptions,
    targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple},
    values::FunctionValue,
};
use melior::{Context, ir::OperationRef};
use std::{
    collections::HashSet,
    ffi::CString,
    panic::resume_unwind,
    path::{Path, PathBuf},
};

/// A GPU to compile for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// `sm_80`, `sm_90`, `sm_90a`, ...
    pub name: String,
    /// Version of PTX, 80 for 8.0.
    pub ptx: u32,
}

impl Chip {
    /// Chips from Volta on, each with the PTX version that knows it; the version must be known here because LLVM ends the
    /// process where a chip is newer than the PTX asked for.
    const KNOWN: [(&'static str, u32); 12] = [
        ("sm_70", 60),
        ("sm_72", 61),
        ("sm_75", 63),
        ("sm_80", 70),
        ("sm_86", 71),
        ("sm_87", 74),
        ("sm_89", 78),
        ("sm_90", 78),
        ("sm_90a", 80),
        ("sm_100", 86),
        ("sm_103", 88),
        ("sm_120", 87),
    ];

    /// The chip of this name, with PTX 8.0 or what it needs beyond.
    ///
    /// # Errors
    ///
    /// A line that names the chips that are known.
    pub fn named(name: &str) -> Result<Self, String> {
        match Self::KNOWN.iter().find(|(known, _)| *known == name) {
            Some((_, ptx)) => Ok(Self { name: name.to_owned(), ptx: (*ptx).max(80) }),
            None => {
                let known: Vec<&str> = Self::KNOWN.iter().map(|(known, _)| *known).collect();
                Err(format!("unknown chip '{name}', expected one of {}", known.join(", ")))
            }
        }
    }

    /// Whether it has a maximum that is NaN where an operand is, of floats of 16 and 32 bits.
    pub fn has_extremes(&self) -> bool {
        let digits = self.name.trim_start_matches("sm_").trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        digits.parse().is_ok_and(|number: u32| number >= 80)
    }
}

/// How much LLVM does for a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// What `default<O3>` and its NVPTX back end do.
    Full,
    /// What makes short code of the many values of a tile, and no more.
    Little,
}

impl Effort {
    fn passes(self) -> &'static str {
        match self {
            Self::Full => "default<O3>",
            // The rest works on loops, and on what these leave to share. (Without the last two the text is longer, and takes longer to write.)
            Self::Little => {
                "always-inline,globaldce,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)"
            }
        }
    }
}

/// Where the mathematics of a kernel comes from that is no instruction with a right result.
#[derive(Debug, Clone, Default)]
pub struct Math {
    /// From NVIDIA's libdevice: the path of the bitcode.
    pub libdevice: Option<PathBuf>,
    /// From instructions with an approximate result.
    pub approximate: bool,
}

/// Compiles a `gpu.module` in the llvm dialect to PTX text.
///
/// # Errors
///
/// A line on what LLVM said, or on a function that the kernels need and that nobody has.
pub fn to_ptx<'c>(
    context: &'c Context,
    module: OperationRef<'c, '_>,
    chip: &Chip,
    math: &Math,
    effort: Effort,
) -> Result<String, String> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let llvm = LlvmContext::create();
    let translated = translate(&llvm, context, module)?;
    let machine = machine_of(chip, effort)?;
    translated.set_triple(&machine.get_triple());
    translated.set_data_layout(&machine.get_target_data().get_data_layout());
    let has_more = resolve_math(&llvm, &translated, chip, math)?;
    // Functions besides kernels, and what is said of lines, would be in each part.
    let is_divisible = !has_more && translated.get_functions().all(|function| function.get_subprogram().is_none());
    let parts = parts(module);
    if parts.len() == 1 || !is_divisible {
        return text_of(&translated, &machine, effort.passes());
    }
    let bitcode = translated.write_bitcode_to_memory();
    let bitcode = bitcode.as_slice();
    let compiled: Result<Vec<String>, String> = std::thread::scope(|scope| {
        let threads = parts.iter().map(|part| scope.spawn(|| text_of_part(bitcode, part, chip, effort)));
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    compiled.map(join)
}

/// The PTX of some kernels of a module.
fn text_of_part(bitcode: &[u8], kernels: &HashSet<&str>, chip: &Chip, effort: Effort) -> Result<String, String> {
    let llvm = LlvmContext::create();
    let bitcode = MemoryBuffer::create_from_memory_range_copy(bitcode, "kernels");
    let module = LlvmModule::parse_bitcode_from_buffer(&bitcode, &llvm).map_err(|error| error.to_string())?;
    // What nobody outside can call is dropped.
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        if function.get_name().to_str().is_ok_and(|name| !kernels.contains(name)) {
            function.set_linkage(Linkage::Internal);
        }
    }
    text_of(&module, &machine_of(chip, effort)?, &format!("globaldce,{}", effort.passes()))
}

fn text_of(module: &LlvmModule, machine: &TargetMachine, passes: &str) -> Result<String, String> {
    let errors = Errors::of(module);
    module.run_passes(passes, machine, PassBuilderOptions::create()).map_err(|error| error.to_string())?;
    let ptx = machine.write_to_memory_buffer(module, FileType::Assembly).map_err(|error| error.to_string())?;
    if let Some(error) = errors.first() {
        return Err(error);
    }
    // LLVM ends the buffer with a NUL that is no part of the text.
    Ok(String::from_utf8_lossy(ptx.as_slice()).trim_end_matches('\0').to_owned())
}

fn machine_of(chip: &Chip, effort: Effort) -> Result<TargetMachine, String> {
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    let target = Target::from_triple(&triple).map_err(|error| error.to_string())?;
    let features = format!("+ptx{}", chip.ptx);
    let optimised = match effort {
        Effort::Full => OptimizationLevel::Default,
        Effort::Little => OptimizationLevel::None,
    };
    target
        .create_target_machine(&triple, &chip.name, &features, optimised, RelocMode::Default, CodeModel::Default)
        .ok_or_else(|| format!("LLVM has no NVPTX back end for {}", chip.name))
}

/// MLIR makes calls of NVIDIA's `__nv_*` functions of all mathematics. What is one instruction, correctly rounded, becomes
/// LLVM's intrinsic for it; the rest is linked from where `math` says, or refused.
/// Returns whether functions were added.
fn resolve_math<'l>(llvm: &'l LlvmContext, module: &LlvmModule<'l>, chip: &Chip, math: &Math) -> Result<bool, String> {
    let (library, is_approximate) = match &math.libdevice {
        Some(path) => (Some(libdevice(llvm, path)?), false),
        None if math.approximate => (Some(approximate(llvm)?), true),
        None => (None, false),
    };
    const INSTRUCTIONS: [(&str, &str); 10] = [
        ("sqrt", "sqrt"),
        ("fabs", "fabs"),
        ("floor", "floor"),
        ("ceil", "ceil"),
        ("trunc", "trunc"),
        ("rint", "rint"),
        ("nearbyint", "nearbyint"),
        ("round", "round"),
        ("fma", "fma"),
        ("copysign", "copysign"),
    ];
    let is_declared = |function: &FunctionValue| function.count_basic_blocks() == 0;
    let is_in_library = |name: &str| {
        library.as_ref().and_then(|library| library.get_function(name)).is_some_and(|function| !is_declared(&function))
    };
    let (mut is_linked, mut is_defined) = (false, false);
    for function in module.get_functions().filter(is_declared) {
        let name = function.get_name().to_string_lossy().into_owned();
        let Some(math) = name.strip_prefix("__nv_") else {
            if name.starts_with("llvm.") {
                continue;
            }
            return Err(format!("a kernel calls '{name}', which is not defined"));
        };
        let (stem, ty) = match (math, math.strip_suffix('f')) {
            ("abs", _) => ("abs", "i32"),
            ("llabs", _) => ("abs", "i64"),
            (_, Some(stem)) => (stem, "f32"),
            (math, None) => (math, "f64"),
        };
        // LLVM's own takes a second operand, so that a new name would not do.
        if matches!(math, "abs" | "llabs") {
            define_abs(llvm, function).map_err(|error| error.to_string())?;
            is_defined = true;
            continue;
        }
        // LLVM knows an intrinsic by its name.
        if let Some((_, intrinsic)) = INSTRUCTIONS.iter().find(|(known, _)| *known == stem) {
            function.as_global_value().set_name(&format!("llvm.{intrinsic}.{ty}"));
            continue;
        }
        // What `afn` on an op asks for, where there is but one.
        let plain = math.strip_prefix("fast_").map(|math| format!("__nv_{math}"));
        let Some(found) = [Some(name.clone()), plain].into_iter().flatten().find(|name| is_in_library(name)) else {
            let instead = if library.is_some() { ", expected libm=shared, or a libdevice that has it" } else { " yet" };
            return Err(format!("a kernel needs '{stem}' of {ty}, for which there is no PTX{instead}"));
        };
        // LLVM would end the process over an instruction that the chip has not.
        if stem == "tanh" && is_approximate && ["sm_70", "sm_72"].contains(&chip.name.as_str()) {
            return Err(format!("a kernel needs 'tanh' of f32, for which {} has no instruction", chip.name));
        }
        match module.get_function(&found) {
            Some(same) if same != function => function.replace_all_uses_with(same),
            _ => function.as_global_value().set_name(&found),
        }
        is_linked = true;
    }
    if let Some(library) = library.filter(|_| is_linked) {
        link(module, library)?;
    }
    Ok(is_linked || is_defined)
}

/// Gives the absolute value of an integer a body.
fn define_abs<'l>(llvm: &'l LlvmContext, function: FunctionValue<'l>) -> Result<(), BuilderError> {
    let Some(value) = function.get_first_param().map(|value| value.into_int_value()) else { return Ok(()) };
    let b = llvm.create_builder();
    b.position_at_end(llvm.append_basic_block(function, ""));
    let negative = b.build_int_compare(IntPredicate::SLT, value, value.get_type().const_zero(), "")?;
    let other = b.build_int_neg(value, "")?;
    let result = b.build_select(negative, other, value, "")?;
    b.build_return(Some(&result))?;
    function.set_linkage(Linkage::Internal);
    Ok(())
}

/// Adds the functions of a library, for no one outside: those that no kernel calls are then dropped.
fn link<'l>(module: &LlvmModule<'l>, library: LlvmModule<'l>) -> Result<(), String> {
    let own: HashSet<CString> = module
        .get_functions()
        .filter(|function| function.count_basic_blocks() > 0)
        .map(|function| function.get_name().to_owned())
        .collect();
    library.set_triple(&module.get_triple());
    library.set_data_layout(&module.get_data_layout());
    module.link_in_module(library).map_err(|error| error.to_string())?;
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        if !own.contains(function.get_name()) {
            function.set_linkage(Linkage::Internal);
        }
    }
    Ok(())
}

/// The functions that are approximate instructions, or few of them.
fn approximate(llvm: &LlvmContext) -> Result<LlvmModule<'_>, String> {
    let text = MemoryBuffer::create_from_memory_range_copy(include_bytes!("approximate.ll"), "approximate.ll");
    llvm.create_module_from_ir(text).map_err(|error| error.to_string())
}

/// NVIDIA's bitcode, from a file.
fn libdevice<'l>(llvm: &'l LlvmContext, path: &Path) -> Result<LlvmModule<'l>, String> {
    let name = path.display();
    let bytes =
        weft_files::bytes(path, weft_files::DATA).map_err(|error| format!("{name}: cannot be read: {error}"))?;
    // LLVM would end the process over something else.
    if !bytes.starts_with(b"BC\xC0\xDE") {
        return Err(format!("{name}: is not LLVM bitcode, expected NVIDIA's libdevice"));
    }
    let buffer = MemoryBuffer::create_from_memory_range_copy(&bytes, &name.to_string());
    LlvmModule::parse_bitcode_from_buffer(&buffer, llvm).map_err(|error| format!("{name}: {}", error.to_string_lossy()))
}
