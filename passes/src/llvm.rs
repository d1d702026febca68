//! The way out of MLIR: LLVM IR, and PTX by LLVM's NVPTX back end.
//!
//! ```text
//! llvm dialect ──mlirTranslateModuleToLLVMIR──▶ inkwell Module ──default<O3>──▶ nvptx64 TargetMachine ──▶ PTX text
//! ```
//!
//! Nothing here decides anything: which float may be fused or reassociated is said by flags on the ops.

use crate::program::is;
use inkwell::{
    OptimizationLevel,
    context::Context as LlvmContext,
    module::Module as LlvmModule,
    passes::PassBuilderOptions,
    targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple},
};
use melior::Context;
use melior::ir::{
    Attribute, OperationRef,
    attribute::{ArrayAttribute, DictionaryAttribute},
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::ir;

/// Translates a module in the llvm dialect: a `builtin.module` or a `gpu.module`.
///
/// # Errors
///
/// A line; MLIR has emitted the details as diagnostics.
pub fn translate<'l, 'c>(
    llvm: &'l LlvmContext,
    context: &'c Context,
    module: OperationRef<'c, '_>,
) -> Result<LlvmModule<'l>, String> {
    drop_names(context, module);
    let raw = ir::translate_to_llvm(module, llvm.raw().cast())
        .ok_or("the module cannot be translated to LLVM IR; is everything in it lowered to the llvm dialect?")?;
    // SAFETY: the pointer is a module that was just made in this context, and nobody else owns it.
    Ok(unsafe { LlvmModule::new(raw.cast()) })
}

/// `weft.*` on arguments is for tools; LLVM has no place for it, and MLIR would warn of each.
fn drop_names<'c>(context: &'c Context, module: OperationRef<'c, '_>) {
    for func in ir::walk(module).into_iter().filter(|op| is(*op, "llvm.func")) {
        let Some(array) = func.attribute("arg_attrs").ok().and_then(|array| ArrayAttribute::try_from(array).ok())
        else {
            continue;
        };
        let kept = |entry: Attribute<'c>| {
            let Ok(dictionary) = DictionaryAttribute::try_from(entry) else { return entry };
            let entries: Vec<_> = (0..dictionary.len())
                .filter_map(|index| dictionary.element(index).ok())
                .filter(|(name, _)| !name.as_string_ref().as_str().is_ok_and(|name| name.starts_with("weft.")))
                .collect();
            Attribute::from(DictionaryAttribute::new(context, &entries))
        };
        let entries: Vec<Attribute> =
            (0..array.len()).filter_map(|index| array.element(index).ok()).map(kept).collect();
        ir::mutable(func).set_attribute("arg_attrs", ArrayAttribute::new(context, &entries).into());
    }
}

/// The LLVM IR of a module in the llvm dialect, as text.
///
/// # Errors
///
/// As [`translate`].
pub fn to_llvm_ir<'c>(context: &'c Context, module: OperationRef<'c, '_>) -> Result<String, String> {
    let llvm = LlvmContext::create();
    Ok(translate(&llvm, context, module)?.print_to_string().to_string())
}

/// A GPU to compile for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// `sm_80`, `sm_90`, `sm_90a`, ...
    pub name: String,
    /// Version of PTX, 80 for 8.0.
    pub ptx: u32,
}

impl Chip {
    /// Chips from Turing on, each with the PTX version that knows it; the version must be known here because LLVM ends the
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
}

/// Compiles a `gpu.module` in the llvm dialect to PTX text.
///
/// # Errors
///
/// A line on what LLVM said.
pub fn to_ptx<'c>(context: &'c Context, module: OperationRef<'c, '_>, chip: &Chip) -> Result<String, String> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let llvm = LlvmContext::create();
    let translated = translate(&llvm, context, module)?;
    resolve_math(&translated)?;
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    let target = Target::from_triple(&triple).map_err(|error| error.to_string())?;
    let machine: TargetMachine = target
        .create_target_machine(
            &triple,
            &chip.name,
            &format!("+ptx{}", chip.ptx),
            OptimizationLevel::Aggressive,
            RelocMode::Default,
            CodeModel::Default,
        )
        .ok_or_else(|| format!("LLVM has no NVPTX back end for {}", chip.name))?;
    translated.set_triple(&triple);
    translated.set_data_layout(&machine.get_target_data().get_data_layout());
    translated.run_passes("default<O3>", &machine, PassBuilderOptions::create()).map_err(|error| error.to_string())?;
    let ptx = machine.write_to_memory_buffer(&translated, FileType::Assembly).map_err(|error| error.to_string())?;
    // LLVM ends the buffer with a NUL that is no part of the text.
    Ok(String::from_utf8_lossy(ptx.as_slice()).trim_end_matches('\0').to_owned())
}

/// MLIR makes calls of NVIDIA's `__nv_*` functions of all mathematics. What is one instruction, correctly rounded, becomes
/// LLVM's intrinsic for it; the rest has no code here, and is refused.
fn resolve_math(module: &LlvmModule) -> Result<(), String> {
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
    let declared = module.get_functions().filter(|function| function.count_basic_blocks() == 0);
    for function in declared {
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
        let Some((_, intrinsic)) = INSTRUCTIONS.iter().find(|(known, _)| *known == stem) else {
            return Err(format!("a kernel needs '{stem}' of {ty}, for which there is no PTX yet"));
        };
        // LLVM knows an intrinsic by its name.
        function.as_global_value().set_name(&format!("llvm.{intrinsic}.{ty}"));
    }
    Ok(())
}
