//! Machine code in this process: MCJIT compiles an LLVM module, whose functions are called with descriptors and numbers.
//!
//! ```text
//! LLVM module ─▶ wrappers ─▶ LLVM's passes ─▶ MCJIT ─▶ weft_packed_f(array of pointers) ─▶ _mlir_ciface_f(...)
//!                 │                                    a check that fails ─▶ `failed` here;  mgpu* ─▶ `gpu`
//!                 └ checks: puts(message); abort() ──▶ weft.failed(message); return
//! ```
//!
//! **Calling convention.** A program's function NAME is the symbol `_mlir_ciface_NAME` (what MLIR makes of
//! `llvm.emit_c_interface`). Its parameters are the arguments in order, a pointer to a [`MemRef`] for a tensor and the value
//! itself for a number, and then for each result a pointer to the descriptor of memory that the *caller* allocated. It
//! returns nothing. Who does not know the extents of the results asks `_mlir_ciface_NAME_extents` first: same arguments, then
//! one descriptor of a `memref<Nxindex>`, which it fills with the extents of all results, one after the other.
//!
//! **Packing.** Rust cannot call a function whose parameter list it learns at run time. So beside each function a
//! wrapper `void weft_packed_NAME(ptr args)` is built, in LLVM IR, that takes an array of pointers, one per parameter,
//! loads the numbers through theirs and passes the descriptors' on. All functions then have one type.
//!
//! **Optimisation changes no result.** [`Optimize::Full`] compiles for this very CPU; nothing it does may change a bit of
//! a float. LLVM reassociates or contracts only what carries fast-math flags, and its code generators fuse a multiply and an add
//! into an `fma` only if both carry `contract` (the default `FPOpFusion::Standard` also fuses `llvm.fmuladd`, which
//! MLIR never emits). `tests/cpu.rs` holds it to that on a machine that has `fma`. So a module that must agree with the
//! reference carries no `contract` or `reassoc` here, and no call of the mathematical library that LLVM knows
//! a shortcut for (`llvm.pow(x, 2.0)` becomes `x * x`, which the C library's `pow` rounds otherwise).
//!
//! **Entry checks.** A failed `cf.assert` is lowered to `puts(message)` and `abort()`; [`checks`](crate::checks) makes it a report and a
//! return. Checks run before anything is written or allocated, so returning is all there is to do. Here the report goes to a place
//! of the calling thread, and the call gives it as an [`Error::Check`].

#![allow(unsafe_code)] // It calls machine code; each block says why it is sound.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::path::Path;
use std::sync::Once;

use inkwell::context::Context;
use inkwell::execution_engine::ExecutionEngine;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::support::{load_library_permanently, load_visible_symbols, search_for_address_of_symbol};
use inkwell::targets::{CodeModel, FileType, RelocMode, TargetMachine};
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, FunctionValue};
use inkwell::{AddressSpace, OptimizationLevel};

use crate::buffer::{Buffer, Element, Kind, MemRef};
use crate::checks::{FAILED, NO_MEMORY};
use crate::codegen::{self, Cpu, name_of};
use crate::entry::{ArgumentType, Entry, Scalar};
use crate::error::{Error, Result, compile_error, one_line};

/// How much is done to make the machine code fast. All give the same results, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimize {
    /// No pass over the IR, nothing in code generation, and only the instructions that every CPU of this kind has: what the
    /// program says, translated.
    Reference,
    /// No pass over the IR, nothing in code generation, but for the CPU that this process runs on: vectors that are made for it need not be
    /// taken apart.
    Plain,
    /// LLVM's passes, for the CPU that this process runs on.
    Full,
}

/// A wrapper: the addresses of the parameters, one per parameter of the function that it calls.
type Packed = unsafe extern "C" fn(*const *const u8);

/// A function in machine code.
pub(crate) struct Compiled {
    pub entry: Entry,
    run: Packed,
    /// Absent if the module has no such function, as when all results are static.
    extents: Option<Packed>,
}

/// What the array of a packed call points to.
pub(crate) enum Parameter<'a> {
    Descriptor(MemRef<'a>),
    Word(u64),
}

impl From<Scalar> for Parameter<'_> {
    fn from(scalar: Scalar) -> Self {
        Parameter::Word(scalar.word())
    }
}

/// A function of this process that the module may call: its symbol and its address.
pub(crate) type Symbol = (&'static str, usize);

/// A module compiled to machine code for this process.
pub(crate) struct Jit {
    functions: HashMap<String, Compiled>,
    // Dropped in this order: the engine, which owns the module and the machine code, before the context that the module lives in.
    engine: ExecutionEngine<'static>,
    _context: Box<Context>,
}

impl Jit {
    /// Compiles the module that `build` makes.
    ///
    /// # Safety
    /// Machine code is trusted. For arguments of the types that `entries` declares, the module's functions must be defined, keep
    /// inside the memory that the descriptors describe, write only to results, and follow the calling convention above. The
    /// functions of `symbols` must have the types with which the module declares them.
    pub unsafe fn new(
        entries: &[Entry],
        optimize: Optimize,
        symbols: &[Symbol],
        build: impl for<'c> FnOnce(&'c Context) -> std::result::Result<Module<'c>, String>,
    ) -> Result<Jit> {
        let context = Box::new(Context::create());
        // SAFETY: the box is not moved out of, not handed out, and dropped after the engine, the only thing with this
        // lifetime that outlives this function (see the order of the fields). On the way out of an error, `module`
        // and `engine` are declared after `context` and so dropped before it.
        let borrowed: &'static Context = unsafe { &*std::ptr::from_ref(&*context) };
        let module = build(borrowed).map_err(|reason| compile_error(&reason))?;

        for entry in entries {
            add_wrappers(borrowed, &module, entry)?;
        }
        prepare(&module, optimize)?;
        let mut handlers = [FAILED, NO_MEMORY].map(|name| (name, failed as *const () as usize)).to_vec();
        handlers.extend(symbols);
        resolve_symbols(&module, &handlers)?;
        let level = codegen_level(optimize);
        let engine = module.create_jit_execution_engine(level).map_err(|e| compile_error(&e.to_string()))?;
        for (name, address) in handlers {
            if let Some(function) = module.get_function(name) {
                engine.add_global_mapping(&function, address);
            }
        }

        let mut functions = HashMap::new();
        for entry in entries {
            let address = |name: String| -> Option<Packed> {
                let address = engine.get_function_address(&packed(&name)).ok()?;
                // SAFETY: the symbol is the wrapper that `add_wrappers` made, whose type this is; the engine keeps the
                // code mapped until it is dropped, and the pointer is used only through `&self`.
                Some(unsafe { std::mem::transmute::<usize, Packed>(address) })
            };
            let Some(run) = address(entry.name.clone()) else {
                return Err(compile_error(&format!("no machine code was made for {}", entry.name)));
            };
            let has_extents = module.get_function(&packed(&extents_name(entry))).is_some();
            let extents = if has_extents { address(extents_name(entry)) } else { None };
            functions.insert(entry.name.clone(), Compiled { entry: entry.clone(), run, extents });
        }
        Ok(Jit { functions, engine, _context: context })
    }

    /// Runs what the module wants run before its functions (`llvm.global_ctors`).
    pub fn run_constructors(&self) {
        self.engine.run_static_constructors();
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Result<&Compiled> {
        self.functions.get(name).ok_or_else(|| {
            let mut names: Vec<&str> = self.functions.keys().map(String::as_str).collect();
            names.sort_unstable();
            let found = "no such function".to_owned();
            Error::Call { name: name.to_owned(), found, expected: format!("one of: {}", names.join(", ")) }
        })
    }
}

impl Compiled {
    /// Calls the function.
    ///
    /// # Safety
    /// The parameters are those of the entry: its arguments, then a place for each result, each of its type. Descriptors describe
    /// memory that is there, and that of a result overlaps no other.
    ///
    /// # Errors
    /// [`Error::Check`]; then nothing was written.
    pub unsafe fn call(&self, parameters: Vec<Parameter<'_>>) -> Result<()> {
        // SAFETY: by this function's own contract; `Jit::new`'s caller vouches for what the function does with such.
        unsafe { invoke(self.run, parameters) }
    }

    /// The extents that the results will have for these arguments.
    ///
    /// # Safety
    /// The parameters are the arguments of the entry, each of its type.
    ///
    /// # Errors
    /// [`Error::Call`] if a result is dynamic and the module has no function that computes extents, or it computes some that
    /// the result's type excludes; [`Error::Check`].
    pub unsafe fn result_shapes(&self, parameters: Vec<Parameter<'_>>) -> Result<Vec<Vec<usize>>> {
        let entry = &self.entry;
        let call_error = |found: String, expected: String| Error::Call { name: entry.name.clone(), found, expected };
        let fixed: Option<Vec<Vec<usize>>> = entry.results.iter().map(|r| r.shape.iter().copied().collect()).collect();
        if let Some(fixed) = fixed {
            return Ok(fixed);
        }
        let Some(extents) = self.extents else {
            let found = "a result with dynamic extents".to_owned();
            return Err(call_error(found, format!("a function {} that computes them", extents_name(entry))));
        };
        let count = entry.results.iter().map(|result| result.shape.len()).sum();
        let mut filled = Buffer::zeros(Element::I64, &[count]);
        let mut parameters: Vec<Parameter<'_>> = parameters;
        parameters.push(Parameter::Descriptor(filled.memref_mut()));
        // SAFETY: by this function's own contract; the only tensor written is `filled`, which is ours and has one element
        // per extent.
        unsafe { invoke(extents, parameters) }?;

        // The buffer was made as i64 a few lines above.
        let mut filled = filled.view::<i64>().expect("i64 elements").iter();
        let mut shapes = Vec::new();
        for result in &entry.results {
            let extents: Vec<i64> = filled.by_ref().take(result.shape.len()).copied().collect();
            let shape: Vec<usize> = extents.iter().filter_map(|extent| usize::try_from(*extent).ok()).collect();
            let computed =
                || format!("computed extents {}", extents.iter().map(i64::to_string).collect::<Vec<_>>().join("x"));
            if !result.accepts(&shape) {
                return Err(call_error(computed(), format!("a result of {result}")));
            }
            if !Buffer::fits(result.element, &shape) {
                return Err(call_error(computed(), format!("a result of {result} that fits into memory")));
            }
            shapes.push(shape);
        }
        Ok(shapes)
    }
}

/// # Safety
/// `function` must be the wrapper of a function that takes these parameters and, given them, touches only the memory that
/// they describe.
unsafe fn invoke(function: Packed, parameters: Vec<Parameter<'_>>) -> Result<()> {
    let pointer = |parameter: &Parameter<'_>| match parameter {
        Parameter::Descriptor(memref) => memref.as_ptr().cast::<u8>(),
        Parameter::Word(word) => std::ptr::from_ref(word).cast::<u8>(),
    };
    let pointers: Vec<*const u8> = parameters.iter().map(pointer).collect();
    // SAFETY: by this function's own contract; the pointed-to parameters live until its end.
    unsafe { function(pointers.as_ptr()) };
    FAILURE.take().map_or(Ok(()), |message| Err(Error::Check { message }))
}

/// What [`emit`] makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// LLVM assembly, after the passes.
    LlvmIr,
    /// Assembly of this machine.
    Assembly,
}

/// The text of what [`CpuProgram`](crate::CpuProgram) would run, to look at. It changes the module as compiling does.
///
/// # Errors
/// [`Error::Compile`].
pub fn emit(module: &Module<'_>, optimize: Optimize, form: Form) -> Result<String> {
    let machine = prepare(module, optimize)?;
    match form {
        Form::LlvmIr => Ok(module.print_to_string().to_string()),
        Form::Assembly => {
            let text = machine.write_to_memory_buffer(module, FileType::Assembly);
            let text = text.map_err(|error| compile_error(&error.to_string()))?;
            let bytes = text.as_slice();
            // LLVM counts a final NUL in the buffer.
            Ok(String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned())
        }
    }
}

/// Parses LLVM assembly text.
///
/// # Errors
/// LLVM's diagnostic, on one line.
pub fn parse_llvm_ir<'c>(context: &'c Context, text: &str) -> std::result::Result<Module<'c>, String> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "module.ll");
    context.create_module_from_ir(buffer).map_err(|error| one_line(&error.to_string()))
}

fn codegen_level(optimize: Optimize) -> OptimizationLevel {
    match optimize {
        // Up to an image of a megapixel, and for random programs by far, more time goes to compiling than to running.
        Optimize::Reference | Optimize::Plain => OptimizationLevel::None,
        Optimize::Full => OptimizationLevel::Aggressive,
    }
}

/// Verifies, targets and optimises the module.
fn prepare(module: &Module<'_>, optimize: Optimize) -> Result<TargetMachine> {
    let cpu = match optimize {
        Optimize::Reference => Cpu::any(),
        Optimize::Plain | Optimize::Full => Cpu::host(),
    };
    let machine = codegen::target(module, &cpu, codegen_level(optimize), RelocMode::Default, CodeModel::JITDefault)?;
    if optimize != Optimize::Reference {
        codegen::compile_for(module, &cpu);
    }
    if optimize == Optimize::Full {
        // Only wrappers are called from outside.
        let all = !has_wrapper(module);
        codegen::optimise(module, &cpu, &machine, |name| all || name.starts_with(PACKED))?;
    }
    Ok(machine)
}

fn has_wrapper(module: &Module<'_>) -> bool {
    module.get_functions().any(|function| name_of(function).starts_with(PACKED))
}

// --- wrappers -----------------------------------------------------------------------------------------------------

const PACKED: &str = "weft_packed_";

fn packed(name: &str) -> String {
    format!("{PACKED}{name}")
}

fn extents_name(entry: &Entry) -> String {
    format!("{}_extents", entry.name)
}

/// Adds the wrapper of a function, and of the one for its extents if there is one.
fn add_wrappers<'c>(context: &'c Context, module: &Module<'c>, entry: &Entry) -> Result<()> {
    let ciface = |name: &str| module.get_function(&format!("_mlir_ciface_{name}"));
    let defined = ciface(&entry.name).filter(|function| function.count_basic_blocks() > 0);
    let Some(function) = defined else {
        return Err(Error::Entry {
            name: entry.name.clone(),
            found: format!("no definition of _mlir_ciface_{} in the module", entry.name),
            expected: "one".to_owned(),
        });
    };
    let argument = |argument: &ArgumentType| match argument {
        ArgumentType::Tensor(_) => "ptr".to_owned(),
        ArgumentType::Scalar(kind) => llvm_type(*kind).to_owned(),
    };
    let arguments: Vec<String> = entry.arguments.iter().map(argument).collect();
    let results = vec!["ptr".to_owned(); entry.results.len()];
    add_wrapper(context, module, &entry.name, function, &[&arguments[..], &results].concat())?;
    if let Some(function) = ciface(&extents_name(entry)).filter(|function| function.count_basic_blocks() > 0) {
        add_wrapper(context, module, &extents_name(entry), function, &[&arguments[..], &["ptr".to_owned()]].concat())?;
    }
    Ok(())
}

fn llvm_type(kind: Kind) -> &'static str {
    match kind {
        Kind::F16 => "half",
        Kind::F32 => "float",
        Kind::F64 => "double",
        Kind::I1 => "i1",
        Kind::I8 => "i8",
        Kind::I16 => "i16",
        Kind::I32 => "i32",
        Kind::I64 => "i64",
    }
}

fn add_wrapper<'c>(
    context: &'c Context,
    module: &Module<'c>,
    name: &str,
    function: FunctionValue<'c>,
    expected: &[String],
) -> Result<()> {
    let kinds = function.get_type().get_param_types();
    let found: Vec<String> = kinds.iter().map(|kind| kind.print_to_string().to_string()).collect();
    if found != expected || function.get_type().get_return_type().is_some() {
        let result =
            function.get_type().get_return_type().map_or("void".to_owned(), |t| t.print_to_string().to_string());
        return Err(Error::Entry {
            name: name.to_owned(),
            found: format!("{result} ({}) in the module", found.join(", ")),
            expected: format!("void ({})", expected.join(", ")),
        });
    }

    let pointer = context.ptr_type(AddressSpace::default());
    let wrapper_type = context.void_type().fn_type(&[BasicMetadataTypeEnum::from(pointer)], false);
    let wrapper = module.add_function(&packed(name), wrapper_type, None);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(wrapper, "entry"));
    // The function was just given one pointer parameter.
    let array = wrapper.get_nth_param(0).expect("the parameter").into_pointer_value();
    let broken = |error: inkwell::builder::BuilderError| compile_error(&error.to_string());

    let mut arguments: Vec<BasicMetadataValueEnum<'c>> = Vec::new();
    for (index, kind) in kinds.iter().enumerate() {
        let index = context.i64_type().const_int(index as u64, false);
        // SAFETY: the array that `invoke` passes has one element per parameter.
        let place = unsafe { builder.build_in_bounds_gep(pointer, array, &[index], "place") }.map_err(broken)?;
        let address = builder.build_load(pointer, place, "address").map_err(broken)?.into_pointer_value();
        // The types were compared with the entry's above, so each is a pointer or one of the numbers.
        let kind: BasicTypeEnum<'c> = (*kind).try_into().map_err(|()| compile_error("a parameter without a value"))?;
        let value = if kind.is_pointer_type() {
            address.into()
        } else {
            builder.build_load(kind, address, "value").map_err(broken)?
        };
        arguments.push(value.into());
    }
    builder.build_call(function, &arguments, "").map_err(broken)?;
    builder.build_return(None).map_err(broken)?;
    Ok(())
}

// --- what the compiled code calls ----------------------------------------------------------------------------------

/// Where functions may come from that are not in this process yet: OpenMP's runtime (`__kmpc_fork_call`), and MLIR's
/// support for copies between layouts (`memrefCopy`). Loaded when a module needs one, so that others do without.
const LIBRARIES: [&str; 2] = ["libomp.so.5", "libmlir_c_runner_utils.so.22.1"];
pub(crate) const LIBRARY_FOLDER: &str = "/usr/lib/llvm-22/lib";

/// Sees that every function that the module calls exists, because MCJIT ends the process over one that does not.
fn resolve_symbols(module: &Module<'_>, known: &[Symbol]) -> Result<()> {
    static PROCESS: Once = Once::new();
    PROCESS.call_once(load_visible_symbols);
    for symbol in codegen::foreign(module) {
        if known.iter().any(|(name, _)| *name == symbol) {
            continue;
        }
        let mut libraries = LIBRARIES.iter();
        while search_for_address_of_symbol(&symbol).is_none() {
            let Some(library) = libraries.next() else { return Err(Error::Symbol { symbol }) };
            // By the system's search path, else beside LLVM; one that is absent leaves the symbol unresolved.
            if load_library_permanently(Path::new(library)).is_err() {
                let _ = load_library_permanently(&Path::new(LIBRARY_FOLDER).join(library));
            }
        }
    }
    Ok(())
}

thread_local! {
    /// The message of the first check that failed in the call that runs.
    static FAILURE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What a check calls when it fails.
extern "C" fn failed(message: *const c_char) {
    // SAFETY: compiled code passes the address of a constant that ends in NUL, as for `puts`.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    FAILURE.with_borrow_mut(|failure| _ = failure.get_or_insert_with(|| one_line(&message)));
}
