//! Ahead-of-time compilation for CPUs: programs become an object, a shared library, and a C header.
//!
//! ```text
//! LLVM module ── _mlir_ciface_f, _mlir_ciface_f_extents ──┐
//! support.ll ─── checks of buffers, messages ─────────────┼─ linked ─ default<O3> ─▶ object ─ cc ─▶ library
//! interface  ─── weft_f, weft_f_extents, weft_f_error ────┘
//!          └──────────────────────────────────────────────────────────────▶ header
//! ```
//!
//! **Calling convention.** `weft_f` takes the arguments in order, then the results: a `const weft_buffer *` for a tensor, a number by
//! value, a `weft_buffer *` for memory to write. It checks them, makes a descriptor of each and calls the function that MLIR made, as the
//! JIT does. Nothing is exported but these functions; nothing but the calling thread's own message is ever written, so that any number of
//! threads may call at once.
//!
//! **Functions are text.** Each C function is written as LLVM assembly, which reads better than the calls that would build it.
//!
//! A program for another device would be the same, with a host module that launches: only `build` and the libraries differ.

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
    cpu: &Cpu,
    build: impl for<'c> FnOnce(&'c Context) -> std::result::Result<Module<'c>, String>,
) -> Result<Object> {
    let context = Context::create();
    let module = build(&context).map_err(|reason| compile_error(&reason))?;
    for program in programs {
        check(&module, program)?;
    }
    let machine = codegen::target(&module, cpu, OptimizationLevel::Aggressive, RelocMode::PIC, CodeModel::Default)?;
    let interface = parse_llvm_ir(&context, &interface(programs)).map_err(|reason| compile_error(&reason))?;
    interface.set_triple(&module.get_triple());
    interface.set_data_layout(&module.get_data_layout());
    module.link_in_module(interface).map_err(|error| compile_error(&error.to_string()))?;
    let exported: Vec<String> = programs.iter().flat_map(|program| symbols(&program.entry.name)).collect();
    codegen::optimise(&module, &machine, cpu, |name| exported.iter().any(|exported| exported == name))?;
    module.verify().map_err(|error| compile_error(&error.to_string()))?;

    let libraries = libraries(&module)?;
    let code = machine.write_to_memory_buffer(&module, FileType::Object);
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
        if symbol.starts_with("__kmpc_") || symbol.starts_with("omp_") {
            if !libraries.contains(&"omp") {
                libraries.push("omp");
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

/// A constant text of C.
fn constant(name: &str, text: &str) -> String {
    let bytes: String = text.bytes().fold(String::new(), |mut bytes, byte| {
        let _ = write!(bytes, "\\{byte:02x}");
        bytes
    });
    format!("@{name} = private unnamed_addr constant [{} x i8] c\"{bytes}\\00\"\n", text.len() + 1)
}

/// The module that is linked to the programs: texts, support, and the C functions.
fn interface(programs: &[Program]) -> String {
    let texts = TEXTS.iter().map(|(name, text)| constant(&format!("text_{name}"), text));
    let mut module: String = texts.collect();
    module.push_str(include_str!("support.ll"));
    programs.iter().for_each(|program| module.push_str(&functions(program)));
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
        let values: Vec<String> = passed(entry).into_iter().chain(["ptr %asked".to_owned()]).collect();
        self.line(&format!("call void @_mlir_ciface_{}_extents({})", entry.name, values.join(", ")));
        self.require_status();
    }

    /// Makes a descriptor.
    fn describe(&mut self, descriptor: &str, buffer: &str, rank: usize) {
        self.local(descriptor, 3 + 2 * rank);
        self.line(&format!("call void @weft.describe(ptr {buffer}, i64 {rank}, ptr {descriptor})"));
    }
}

/// `weft_f`, `weft_f_extents` and `weft_f_error`, with the constants that they need.
fn functions(program: &Program) -> String {
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
    let arguments = passed(entry);
    let places = [&arguments[..], &vec!["ptr".to_owned(); entry.results.len()]].concat();
    let _ = writeln!(module, "declare void @_mlir_ciface_{name}({})", types(&places));
    if is_dynamic(entry) {
        let asked = [&arguments[..], &["ptr".to_owned()]].concat();
        let _ = writeln!(module, "declare void @_mlir_ciface_{name}_extents({})", types(&asked));
    }
    module.push_str(&function(entry, true));
    module.push_str(&function(entry, false));
    let _ = writeln!(module, "define ptr @weft_{name}_error() {{\n  ret ptr @weft.message\n}}");
    module
}

/// Whether the caller must be told extents.
fn is_dynamic(entry: &Entry) -> bool {
    entry.results.iter().any(|result| result.shape.contains(&None))
}

/// What a program's own functions are passed for its arguments: descriptors `%d0`, numbers `%a1` or, converted, `%n1`.
fn passed(entry: &Entry) -> Vec<String> {
    let value = |(index, argument): (usize, &ArgumentType)| match argument {
        ArgumentType::Tensor(_) => format!("ptr %d{index}"),
        ArgumentType::Scalar(kind) => {
            let (_, own, conversion) = number(*kind, index);
            format!("{own} %{}{index}", if conversion.is_some() { "n" } else { "a" })
        }
    };
    entry.arguments.iter().enumerate().map(value).collect()
}

/// `weft_f`, which needs the memory of all tensors, or `weft_f_extents`, which needs none.
fn function(entry: &Entry, memory: bool) -> String {
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
                body.describe(&format!("%d{index}"), &format!("%a{index}"), rank);
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
            body.describe(&format!("%place{index}"), &format!("%r{index}"), rank);
        } else {
            // Who does not want to know passes NULL.
            body.line(&format!("%unwanted{index} = icmp eq ptr %r{index}, null"));
            body.line(&format!("%bytes{index} = select i1 %unwanted{index}, i64 0, i64 {}", 8 * rank));
            body.line(&format!(
                "call void @llvm.memcpy.p0.p0.i64(ptr %r{index}, ptr %expected{index}, i64 %bytes{index}, i1 false)"
            ));
        }
    }
    if memory {
        let places = (0..entry.results.len()).map(|index| format!("ptr %place{index}"));
        let values: Vec<String> = passed(entry).into_iter().chain(places).collect();
        body.line(&format!("call void @_mlir_ciface_{name}({})", values.join(", ")));
    }
    format!(
        "define i32 @weft_{name}{}({}) {{\n{}{}  br label %bad\nbad:\n  %status = load i32, ptr @weft.status\n  ret i32 %status\n}}\n",
        if memory { "" } else { "_extents" },
        parameters.join(", "),
        body.locals,
        body.code,
    )
}
