//! Ahead-of-time compilation: programs become an object, a shared library, and a C header.
//!
//! ```text
//! LLVM module ── _mlir_ciface_f, _mlir_ciface_f_extents ──┐
//! support.ll ─── checks of buffers, messages ─────────────┼─ linked ─ LLVM's passes ─▶ object ─ cc ─▶ library
//! interface  ─── weft_f, weft_f_extents, weft_f_error ────┤
//! cuda.ll ────── driver, copies, mgpu* (GPUs only) ───────┘
//!          └──────────────────────────────────────────────────────────────▶ header
//! ```
//!
//! **Calling convention.** `weft_f` takes the arguments in order, then the results: a `const weft_buffer *` for a tensor, a number by
//! value, a `weft_buffer *` for memory to write. It checks them, makes a descriptor of each and calls the function that MLIR made, as the
//! JIT does. Nothing is exported but these functions; nothing but the calling thread's own message is ever written, so that any number of
//! threads may call at once.
//!
//! **GPUs.** Then the module is host code that launches kernels, with their PTX as a constant. The C functions are the same: tensors are
//! in the caller's memory, and `weft_f` copies them to the GPU and back. The driver's library is opened by the first call, by name, so that
//! the object links and loads where there is none. What is then written but the thread's own is the driver's functions, its context, and
//! the modules that are loaded, each once and under a lock.
//!
//! **Functions are text.** Each C function is written as LLVM assembly, which reads better than the calls that would build it.

mod header;
mod link;

use std::fmt::Write as _;

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::support::{load_visible_symbols, search_for_address_of_symbol};
use inkwell::targets::{CodeModel, FileType, RelocMode};

use crate::buffer::Kind;
use crate::codegen::{self, Cpu, compile_error};
use crate::entry::{ArgumentType, Entry};
use crate::error::{Error, Result};
use crate::jit::parse_llvm_ir;

pub use header::header;
pub use link::link;

/// The most dimensions that a `weft_buffer` has.
const RANK: usize = 4;

/// A program that C calls.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name and types.
    pub entry: Entry,
    /// What its arguments are called, in messages and in the header.
    pub arguments: Vec<String>,
    /// What its results are called.
    pub results: Vec<String>,
}

/// What a program is compiled for.
#[derive(Clone, Copy, Debug)]
pub enum Machine<'a> {
    /// A CPU: the module is the program.
    Cpu(&'a Cpu),
    /// An NVIDIA GPU: the module is host code that calls MLIR's `mgpu*` functions, and has its kernels as PTX text.
    Cuda,
}

/// Machine code to link.
pub struct Object {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// What it is linked with, as the linker's `-l` names it.
    pub libraries: Vec<&'static str>,
}

/// Compiles programs to an object.
///
/// `build` makes the module, as for [`CpuProgram::new`](crate::CpuProgram::new). The code is position independent.
///
/// # Errors
/// [`Error::Compile`], [`Error::Entry`] for a program that cannot be called from C, [`Error::Symbol`].
pub fn compile(
    programs: &[Program],
    machine: Machine<'_>,
    build: impl for<'c> FnOnce(&'c Context) -> std::result::Result<Module<'c>, String>,
) -> Result<Object> {
    let context = Context::create();
    let module = build(&context).map_err(|reason| compile_error(&reason))?;
    for program in programs {
        check(&module, program)?;
    }
    let any = Cpu::any();
    let cpu = match machine {
        Machine::Cpu(cpu) => cpu,
        // It launches; what takes time is elsewhere.
        Machine::Cuda => &any,
    };
    let target = codegen::target(&module, cpu, OptimizationLevel::Aggressive, RelocMode::PIC, CodeModel::Default)?;
    let interface = parse_llvm_ir(&context, &interface(programs, machine)).map_err(|reason| compile_error(&reason))?;
    interface.set_triple(&module.get_triple());
    interface.set_data_layout(&module.get_data_layout());
    module.link_in_module(interface).map_err(|error| compile_error(&error.to_string()))?;
    let exported: Vec<String> = programs.iter().flat_map(|program| symbols(&program.entry.name)).collect();
    codegen::optimise(&module, &target, cpu, |name| exported.iter().any(|exported| exported == name))?;
    module.verify().map_err(|error| compile_error(&error.to_string()))?;

    let libraries = libraries(&module)?;
    let code = target.write_to_memory_buffer(&module, FileType::Object);
    let code = code.map_err(|error| compile_error(&error.to_string()))?;
    Ok(Object { bytes: code.as_slice().to_vec(), libraries })
}

/// What C calls: the program, its extents, its error.
fn symbols(name: &str) -> [String; 3] {
    [format!("weft_{name}"), format!("weft_{name}_extents"), format!("weft_{name}_error")]
}

/// Whether a name is one that C can have.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Whether C can call a program.
fn check(module: &Module<'_>, program: &Program) -> Result<()> {
    let name = &program.entry.name;
    let wrong =
        |found: String, expected: &str| Err(Error::Entry { name: name.clone(), found, expected: expected.to_owned() });
    if !is_identifier(name) {
        return wrong("a name that C cannot have".into(), "letters, digits and underscores");
    }
    for symbol in symbols(name) {
        if module.get_function(&symbol).is_some() {
            return wrong(format!("a function {symbol} in the module"), "none, that name is for C");
        }
    }
    let defined = module.get_function(&format!("_mlir_ciface_{name}"));
    if defined.is_none_or(|function| function.count_basic_blocks() == 0) {
        return wrong(format!("no definition of _mlir_ciface_{name} in the module"), "one");
    }
    let arguments =
        program.entry.arguments.iter().zip(&program.arguments).filter_map(|(argument, name)| match argument {
            ArgumentType::Tensor(tensor) => Some((tensor, name)),
            ArgumentType::Scalar(_) => None,
        });
    for (tensor, name) in arguments.chain(program.entry.results.iter().zip(&program.results)) {
        if tensor.shape.len() > RANK {
            return wrong(format!("'{name}' of {} dimensions", tensor.shape.len()), "at most 4 for C");
        }
    }
    if is_dynamic(&program.entry) && module.get_function(&format!("_mlir_ciface_{name}_extents")).is_none() {
        return wrong(format!("no function {name}_extents in the module"), "one, as results have dynamic extents");
    }
    Ok(())
}

/// What the object is linked with; the C library is there in any case.
fn libraries(module: &Module<'_>) -> Result<Vec<&'static str>> {
    // LLVM makes calls of mathematics that the module does not show.
    let mut libraries = vec!["m"];
    load_visible_symbols();
    for symbol in codegen::foreign(module) {
        let library = match symbol.as_str() {
            name if name.starts_with("__kmpc_") || name.starts_with("omp_") => Some("omp"),
            // Older C libraries have these apart.
            "dlopen" | "dlsym" | "dlerror" => Some("dl"),
            name if name.starts_with("pthread_") => Some("pthread"),
            _ => None,
        };
        if let Some(library) = library {
            if !libraries.contains(&library) {
                libraries.push(library);
            }
        } else if search_for_address_of_symbol(&symbol).is_none() {
            return Err(Error::Symbol { symbol });
        }
    }
    Ok(libraries)
}

// --- the C functions, as LLVM assembly ---------------------------------------------------------------------------------

/// The kinds of buffers, as messages call them.
const ARGUMENT: &str = "argument";
const RESULT: &str = "result";

/// What goes wrong, as `printf` says it: program, argument or result, its name, then what was found.
const TEXTS: [(&str, &str); 9] = [
    (ARGUMENT, ARGUMENT),
    (RESULT, RESULT),
    ("plain", "%s"),
    ("null", "%s: %s '%s' is NULL, expected a weft_buffer"),
    ("data", "%s: %s '%s' has data NULL, expected memory for its points"),
    ("negative", "%s: %s '%s' has extent %lld in dimension %lld, expected 0 or more"),
    ("extent", "%s: %s '%s' has extent %lld in dimension %lld, expected %lld"),
    ("stride", "%s: %s '%s' has stride %lld in dimension %lld, expected 1"),
    ("overlap", "%s: %s '%s' has stride %lld in dimension %lld, expected at least %lld, the length of a row"),
];

/// What goes wrong with a GPU, and with what.
const CUDA_TEXTS: [(&str, &str); 17] = [
    ("library", "libcuda.so.1"),
    ("driver", "%s: CUDA: found no driver: %s"),
    ("lacks", "%s: CUDA: the driver has no %s, expected a newer driver"),
    ("refused", "%s: CUDA: %s: %s (%s)"),
    ("unknown", "unknown error"),
    ("log", ": %s"),
    ("start", "the driver cannot be started"),
    ("device", "the GPU cannot be opened"),
    ("context", "the GPU cannot be used"),
    ("load", "the kernels cannot be loaded"),
    ("kernel", "kernel %s cannot be used"),
    ("launch", "kernel %s cannot be launched"),
    ("run", "a kernel or a copy failed"),
    ("copy", "%s '%s' cannot be copied"),
    ("move", "an intermediate image cannot be copied"),
    ("memory", "%lld bytes for %s '%s' cannot be allocated"),
    ("scratch", "%lld bytes for an intermediate image cannot be allocated"),
];

/// The functions of the driver that `cuda.ll` calls; the names are those of the library, where a number is the version of the type.
const DRIVER: [&str; 18] = [
    "cuInit",
    "cuDeviceGet",
    "cuDevicePrimaryCtxRetain",
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuModuleLoadDataEx",
    "cuModuleGetFunction",
    "cuFuncSetAttribute",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpy2DAsync_v2",
    "cuLaunchKernel",
    "cuStreamSynchronize",
    "cuGetErrorString",
    "cuGetErrorName",
];

/// A constant text of C.
fn constant(name: &str, text: &str) -> String {
    let bytes: String = text.bytes().fold(String::new(), |mut bytes, byte| {
        let _ = write!(bytes, "\\{byte:02x}");
        bytes
    });
    format!("@{name} = private unnamed_addr constant [{} x i8] c\"{bytes}\\00\"\n", text.len() + 1)
}

/// The module that is linked to the programs: texts, support, and the C functions.
fn interface(programs: &[Program], machine: Machine<'_>) -> String {
    let texts = |texts: &[(&str, &str)]| -> String {
        texts.iter().map(|(name, text)| constant(&format!("text_{name}"), text)).collect()
    };
    let mut module = texts(&TEXTS);
    module.push_str(include_str!("support.ll"));
    if matches!(machine, Machine::Cuda) {
        module.push_str(&texts(&CUDA_TEXTS));
        module.push_str(&driver());
        module.push_str(include_str!("cuda.ll"));
    }
    programs.iter().for_each(|program| module.push_str(&functions(program, machine)));
    module
}

/// A variable `@weft.NAME` for each function of the driver, and the table of names and variables, which ends in a name that is null.
fn driver() -> String {
    let mut module = String::new();
    let mut rows = String::new();
    for name in DRIVER {
        module.push_str(&constant(&format!("name_{name}"), name));
        let _ = writeln!(module, "@weft.{name} = internal global ptr null");
        let _ = write!(rows, "ptr @name_{name}, ptr @weft.{name}, ");
    }
    let words = 2 * DRIVER.len() + 1;
    let _ = writeln!(module, "@weft.functions = internal constant [{words} x ptr] [{rows}ptr null]");
    module
}

/// The type in which C passes a number, and the code for the program's own from it.
fn number(kind: Kind, index: usize) -> (&'static str, &'static str, Option<String>) {
    match kind {
        Kind::F16 => ("i16", "half", Some(format!("%n{index} = bitcast i16 %a{index} to half"))),
        Kind::I1 => ("i8", "i1", Some(format!("%n{index} = icmp ne i8 %a{index}, 0"))),
        Kind::F32 => ("float", "float", None),
        Kind::F64 => ("double", "double", None),
        Kind::I8 => ("i8", "i8", None),
        Kind::I16 => ("i16", "i16", None),
        Kind::I32 => ("i32", "i32", None),
        Kind::I64 => ("i64", "i64", None),
    }
}

/// A C function while it is written.
struct Body {
    /// Memory of the call, which LLVM wants at the start.
    locals: String,
    code: String,
    labels: usize,
}

impl Body {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.code, "  {line}");
    }

    /// Memory of this many words.
    fn local(&mut self, name: &str, words: usize) {
        let _ = writeln!(self.locals, "  {name} = alloca [{words} x i64], align 8");
    }

    /// Goes on where a value is true; else ends with the status.
    fn require(&mut self, condition: &str) {
        let label = self.labels;
        self.labels += 1;
        self.line(&format!("br i1 {condition}, label %good{label}, label %bad"));
        let _ = writeln!(self.code, "good{label}:");
    }

    /// Goes on where no check has failed.
    fn require_status(&mut self) {
        let label = self.labels;
        self.line(&format!("%status{label} = load i32, ptr @weft.status"));
        self.line(&format!("%fine{label} = icmp eq i32 %status{label}, 0"));
        self.require(&format!("%fine{label}"));
    }

    /// Checks the buffer of an argument or a result.
    fn check(&mut self, program: &str, kind: &str, index: usize, rank: usize, expected: &str, memory: bool) {
        let label = self.labels;
        let buffer = if kind == RESULT { "%r" } else { "%a" };
        self.line(&format!(
            "%check{label} = call i1 @weft.check(ptr @{program}.name, ptr @text_{kind}, ptr @{program}.{kind}{index}, \
             ptr {buffer}{index}, i64 {rank}, ptr {expected}, i1 {memory})"
        ));
        self.require(&format!("%check{label}"));
    }

    /// Fills `%extents` with those of all results, one after the other; the program's entry checks come with that.
    fn result_extents(&mut self, entry: &Entry) {
        let total: usize = entry.results.iter().map(|result| result.shape.len()).sum();
        self.local("%extents", total);
        if !is_dynamic(entry) {
            let known = entry.results.iter().flat_map(|result| result.shape.iter().flatten());
            for (word, extent) in known.enumerate() {
                self.line(&format!("%known{word} = getelementptr i64, ptr %extents, i64 {word}"));
                self.line(&format!("store i64 {extent}, ptr %known{word}"));
            }
            return;
        }
        // A descriptor of one dimension: the memory twice, offset, extent, stride.
        self.local("%asked", 5);
        let total = format!("i64 {total}");
        for (word, value) in ["ptr %extents", "ptr %extents", "i64 0", &total, "i64 1"].iter().enumerate() {
            self.line(&format!("%asked{word} = getelementptr i64, ptr %asked, i64 {word}"));
            self.line(&format!("store {value}, ptr %asked{word}"));
        }
        let values: Vec<String> = passed(entry, HOST).into_iter().chain(["ptr %asked".to_owned()]).collect();
        self.line(&format!("call void @_mlir_ciface_{}_extents({})", entry.name, values.join(", ")));
        self.require_status();
    }

    /// Makes a descriptor.
    fn describe(&mut self, descriptor: &str, buffer: &str, rank: usize) {
        self.local(descriptor, 3 + 2 * rank);
        self.line(&format!("call void @weft.describe(ptr {buffer}, i64 {rank}, ptr {descriptor})"));
    }

    /// Calls the program with tensors on the GPU, which are copied there and back, unless something fails before.
    fn call_on_gpu(&mut self, program: &Program) {
        let (entry, name) = (&program.entry, &program.entry.name);
        self.line(&format!("%began = call i1 @weft.begin(ptr @{name}.name)"));
        self.require("%began");
        let tensors = entry.arguments.iter().enumerate().filter_map(|(index, argument)| match argument {
            ArgumentType::Tensor(tensor) => Some((ARGUMENT, "%a", "%g", index, tensor)),
            ArgumentType::Scalar(_) => None,
        });
        let results = entry.results.iter().enumerate().map(|(index, tensor)| (RESULT, "%r", "%place", index, tensor));
        // Each with its descriptor on the GPU, and the operands of what works on both.
        let tensors: Vec<(&str, String, String)> = tensors
            .chain(results)
            .map(|(kind, buffer, descriptor, index, tensor)| {
                let (rank, size) = (tensor.shape.len(), tensor.element.size());
                let descriptor = format!("{descriptor}{index}");
                self.local(&descriptor, 3 + 2 * rank);
                let operands = format!(
                    "ptr {buffer}{index}, i64 {rank}, i64 {size}, ptr {descriptor}, ptr @text_{kind}, ptr @{name}.{kind}{index}"
                );
                (kind, descriptor, operands)
            })
            .collect();
        let copy = |body: &mut Body, wanted: &str| {
            for (_, _, operands) in tensors.iter().filter(|(kind, ..)| *kind == wanted) {
                body.line(&format!("call void @weft.copy({operands})"));
            }
        };
        for (_, _, operands) in &tensors {
            self.line(&format!("call void @weft.place({operands})"));
        }
        copy(self, ARGUMENT);
        self.line("%unready = call i1 @weft.has_failed()");
        self.line("br i1 %unready, label %wait, label %run");
        self.code.push_str("run:\n");
        self.call(entry, DEVICE);
        self.line("br label %wait");
        self.code.push_str("wait:\n");
        // What a kernel made is not looked at before it is known that all went well.
        self.line("call void @weft.wait()");
        copy(self, RESULT);
        self.line("call void @weft.wait()");
        for (_, descriptor, _) in &tensors {
            self.line(&format!("call void @weft.free(ptr {descriptor})"));
        }
        self.line("call void @weft.end()");
    }

    /// Calls the program with descriptors of these names, and `%place0` and so on for results.
    fn call(&mut self, entry: &Entry, descriptors: &str) {
        let places = (0..entry.results.len()).map(|index| format!("ptr %place{index}"));
        let values: Vec<String> = passed(entry, descriptors).into_iter().chain(places).collect();
        self.line(&format!("call void @_mlir_ciface_{}({})", entry.name, values.join(", ")));
    }
}

/// `weft_f`, `weft_f_extents` and `weft_f_error`, with the constants that they need.
fn functions(program: &Program, machine: Machine<'_>) -> String {
    let (entry, name) = (&program.entry, &program.entry.name);
    let mut module = constant(&format!("{name}.name"), name);
    for (index, (argument, called)) in entry.arguments.iter().zip(&program.arguments).enumerate() {
        if let ArgumentType::Tensor(tensor) = argument {
            module.push_str(&constant(&format!("{name}.{ARGUMENT}{index}"), called));
            let extent = |extent: &Option<usize>| extent.map_or("i64 -1".to_owned(), |extent| format!("i64 {extent}"));
            let extents: Vec<String> = tensor.shape.iter().map(extent).collect();
            let (rank, extents) = (extents.len(), extents.join(", "));
            let _ =
                writeln!(module, "@{name}.extents{index} = private unnamed_addr constant [{rank} x i64] [{extents}]");
        }
    }
    for (index, called) in program.results.iter().enumerate() {
        module.push_str(&constant(&format!("{name}.{RESULT}{index}"), called));
    }
    let types = |values: &[String]| -> String {
        let types = values.iter().filter_map(|value| value.split(' ').next());
        types.collect::<Vec<_>>().join(", ")
    };
    let arguments = passed(entry, HOST);
    let places = [&arguments[..], &vec!["ptr".to_owned(); entry.results.len()]].concat();
    let _ = writeln!(module, "declare void @_mlir_ciface_{name}({})", types(&places));
    if is_dynamic(entry) {
        let asked = [&arguments[..], &["ptr".to_owned()]].concat();
        let _ = writeln!(module, "declare void @_mlir_ciface_{name}_extents({})", types(&asked));
    }
    module.push_str(&function(program, machine, true));
    module.push_str(&function(program, machine, false));
    let _ = writeln!(module, "define ptr @weft_{name}_error() {{\n  ret ptr @weft.message\n}}");
    module
}

/// Whether the caller must be told extents.
fn is_dynamic(entry: &Entry) -> bool {
    entry.results.iter().any(|result| result.shape.contains(&None))
}

/// Names of descriptors of arguments, before their number: in the caller's memory, and in the GPU's.
const HOST: &str = "%d";
const DEVICE: &str = "%g";

/// What a program's own functions are passed for its arguments: descriptors, `%d0` of the host, numbers `%a1` or, converted, `%n1`.
fn passed(entry: &Entry, descriptors: &str) -> Vec<String> {
    let value = |(index, argument): (usize, &ArgumentType)| match argument {
        ArgumentType::Tensor(_) => format!("ptr {descriptors}{index}"),
        ArgumentType::Scalar(kind) => {
            let (_, own, conversion) = number(*kind, index);
            format!("{own} %{}{index}", if conversion.is_some() { "n" } else { "a" })
        }
    };
    entry.arguments.iter().enumerate().map(value).collect()
}

/// `weft_f`, which needs the memory of all tensors, or `weft_f_extents`, which needs none.
fn function(program: &Program, machine: Machine<'_>, memory: bool) -> String {
    let entry = &program.entry;
    let name = &entry.name;
    let parameter = |(index, argument): (usize, &ArgumentType)| match argument {
        ArgumentType::Tensor(_) => format!("ptr %a{index}"),
        ArgumentType::Scalar(kind) => format!("{} %a{index}", number(*kind, index).0),
    };
    let mut parameters: Vec<String> = entry.arguments.iter().enumerate().map(parameter).collect();
    parameters.extend((0..entry.results.len()).map(|index| format!("ptr %r{index}")));

    let mut body = Body { locals: String::new(), code: String::new(), labels: 0 };
    body.line("store i32 0, ptr @weft.status");
    for (index, argument) in entry.arguments.iter().enumerate() {
        match argument {
            ArgumentType::Tensor(tensor) => {
                let rank = tensor.shape.len();
                body.check(name, ARGUMENT, index, rank, &format!("@{name}.extents{index}"), memory);
                body.describe(&format!("{HOST}{index}"), &format!("%a{index}"), rank);
            }
            ArgumentType::Scalar(kind) => {
                if let (.., Some(conversion)) = number(*kind, index) {
                    body.line(&conversion);
                }
            }
        }
    }
    body.result_extents(entry);
    let mut first = 0;
    for (index, result) in entry.results.iter().enumerate() {
        let rank = result.shape.len();
        body.line(&format!("%expected{index} = getelementptr i64, ptr %extents, i64 {first}"));
        first += rank;
        if memory {
            body.check(name, RESULT, index, rank, &format!("%expected{index}"), true);
            if matches!(machine, Machine::Cpu(_)) {
                body.describe(&format!("%place{index}"), &format!("%r{index}"), rank);
            }
        } else {
            // Who does not want to know passes NULL.
            body.line(&format!("%unwanted{index} = icmp eq ptr %r{index}, null"));
            body.line(&format!("%bytes{index} = select i1 %unwanted{index}, i64 0, i64 {}", 8 * rank));
            body.line(&format!(
                "call void @llvm.memcpy.p0.p0.i64(ptr %r{index}, ptr %expected{index}, i64 %bytes{index}, i1 false)"
            ));
        }
    }
    match machine {
        Machine::Cpu(_) if memory => body.call(entry, HOST),
        Machine::Cuda if memory => body.call_on_gpu(program),
        _ => {}
    }
    format!(
        "define i32 @weft_{name}{}({}) {{\n{}{}  br label %bad\nbad:\n  %status = load i32, ptr @weft.status\n  ret i32 %status\n}}\n",
        if memory { "" } else { "_extents" },
        parameters.join(", "),
        body.locals,
        body.code,
    )
}
