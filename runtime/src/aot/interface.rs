//! The C functions, as LLVM assembly: text reads better than the calls that would build it.

use std::fmt::Write as _;

use super::program::{INTERFACE, Machine, PACKED, Program, Task, Version, type_number};
use crate::buffer::{Element, Kind, TensorType};
use crate::entry::{ArgumentType, Entry};

/// The kinds of buffers, as messages call them.
const ARGUMENT: &str = "argument";
const RESULT: &str = "result";

/// What goes wrong, as `printf` says it: program, argument or result, its name, then what was found.
const TEXTS: [(&str, &str); 15] = [
    (ARGUMENT, ARGUMENT),
    (RESULT, RESULT),
    ("plain", "%s"),
    ("null", "%s: %s '%s' is NULL, expected a weft_buffer"),
    ("interface", "%s: %s '%s' is a buffer of interface %lld, expected %lld, that of the program's header"),
    ("type", "%s: %s '%s' has elements of %s, expected %s"),
    ("rank", "%s: %s '%s' has rank %lld, expected %lld"),
    ("data", "%s: %s '%s' has data NULL, expected memory for its points"),
    ("negative", "%s: %s '%s' has extent %lld in dimension %lld, expected 0 or more"),
    ("extent", "%s: %s '%s' has extent %lld in dimension %lld, expected %lld"),
    ("stride", "%s: %s '%s' has stride %lld in dimension %lld, expected 1"),
    ("alias", "%s: result '%s' overlaps %s '%s', expected memory of its own"),
    ("private", "%s: the workspace overlaps %s '%s', expected memory of its own"),
    ("workspace", "%s: not enough memory: the workspace has %lld bytes, expected %lld"),
    ("overlap", "%s: %s '%s' has stride %lld in dimension %lld, expected at least %lld, so that no point is two"),
];

/// What goes wrong with a GPU, and with what.
const CUDA_TEXTS: [(&str, &str); 20] = [
    ("library", "libcuda.so.1"),
    ("driver", "%s: CUDA: found no driver: %s"),
    ("lacks", "%s: CUDA: the driver has no %s, expected a newer driver"),
    ("refused", "%s: CUDA: %s: %s (%s)"),
    ("unknown", "unknown error"),
    ("log", ": %s"),
    ("start", "the driver cannot be started"),
    ("device", "the GPU cannot be opened"),
    ("context", "the GPU cannot be used"),
    ("none", "%s: CUDA: this thread has no current context, expected that of the images"),
    ("gap", "%s: %s '%s' has stride %lld in dimension %lld, expected %lld: images on the GPU have no gaps"),
    ("aligned", "%s: %s '%s' has data at 0x%llx, expected a multiple of 16 on the GPU"),
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
const DRIVER: [&str; 19] = [
    "cuInit",
    "cuDeviceGet",
    "cuDevicePrimaryCtxRetain",
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuCtxGetCurrent",
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

/// Those that older drivers lack, and can be done without.
const DRIVER_OPTIONS: [&str; 2] = ["cuMemAllocAsync", "cuMemFreeAsync"];

/// A constant text of C.
fn constant(name: &str, text: &str) -> String {
    let bytes: String = text.bytes().fold(String::new(), |mut bytes, byte| {
        let _ = write!(bytes, "\\{byte:02x}");
        bytes
    });
    format!("@{name} = private unnamed_addr constant [{} x i8] c\"{bytes}\\00\"\n", text.len() + 1)
}

/// The module that is linked to the programs: texts, support, and the C functions.
/// `allocates` tells of the functions that compute programs which of them allocate memory.
pub(super) fn interface(programs: &[Program], machine: Machine<'_>, allocates: &dyn Fn(&str) -> bool) -> String {
    let texts = |texts: &[(&str, &str)]| -> String {
        texts.iter().map(|(name, text)| constant(&format!("text_{name}"), text)).collect()
    };
    let mut module = texts(&TEXTS);
    module.push_str(&types());
    let _ = writeln!(module, "@weft.interface = internal constant i16 {INTERFACE}");
    module.push_str(include_str!("support.ll"));
    match machine {
        Machine::Cpu(_) => module.push_str(include_str!("workspace.ll")),
        Machine::Cuda => {
            module.push_str(&texts(&CUDA_TEXTS));
            module.push_str(&driver());
            module.push_str(include_str!("cuda.ll"));
        }
    }
    programs.iter().for_each(|program| module.push_str(&functions(program, machine, allocates)));
    module
}

/// What types are called: `@weft.types`, by their numbers, 16 letters each, so that they have no addresses to relocate.
fn types() -> String {
    let names = std::iter::once("no weft_type".to_owned()).chain(Element::ALL.map(|element| element.to_string()));
    let names: Vec<String> =
        names.map(|name| format!("[16 x i8] c\"{name}{}\"", "\\00".repeat(16 - name.len()))).collect();
    format!("@weft.types = internal constant [{} x [16 x i8]] [{}]\n", names.len(), names.join(", "))
}

/// A variable `@weft.NAME` for each function of the driver, and tables of names and variables, each of which ends in a name that is null:
/// of functions that must be there, and of others.
fn driver() -> String {
    let mut module = String::new();
    for (table, names) in [("functions", &DRIVER[..]), ("options", &DRIVER_OPTIONS[..])] {
        let mut rows = String::new();
        for name in names {
            module.push_str(&constant(&format!("name_{name}"), name));
            let _ = writeln!(module, "@weft.{name} = internal global ptr null");
            let _ = write!(rows, "ptr @name_{name}, ptr @weft.{name}, ");
        }
        let words = 2 * names.len() + 1;
        let _ = writeln!(module, "@weft.{table} = internal constant [{words} x ptr] [{rows}ptr null]");
    }
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
    fn check(&mut self, program: &str, kind: &str, index: usize, tensor: &TensorType, expected: &str, memory: bool) {
        let label = self.labels;
        let (number, rank) = (type_number(tensor.element), tensor.shape.len());
        let buffer = if kind == RESULT { "%r" } else { "%a" };
        self.line(&format!(
            "%check{label} = call i1 @weft.check(ptr @{program}.name, ptr @text_{kind}, ptr @{program}.{kind}{index}, \
             ptr {buffer}{index}, i16 {number}, i64 {rank}, ptr {expected}, i1 {memory})"
        ));
        self.require(&format!("%check{label}"));
    }

    /// Fills `%extents` with those of all results, one after the other; the program's entry checks come with that.
    fn result_extents(&mut self, program: &Program) {
        let entry = &program.entry;
        let total: usize = entry.results.iter().map(|result| result.shape.len()).sum();
        self.local("%extents", total);
        if !program.is_dynamic() {
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

    /// Checks that the memory of each result is its own: `--vectorize` may compute a point twice, and then reads again what it read before.
    fn check_overlap(&mut self, program: &Program) {
        let name = &program.entry.name;
        for (index, result) in program.entry.results.iter().enumerate() {
            for (kind, number, other) in images(program, index) {
                let label = self.labels;
                self.line(&format!(
                    "%separate{label} = call i1 @weft.separate(ptr @{name}.name, ptr @{name}.{RESULT}{index}, {}, \
                     ptr @text_{kind}, ptr @{name}.{kind}{number}, {})",
                    operands(RESULT, index, result),
                    operands(kind, number, other)
                ));
                self.require(&format!("%separate{label}"));
            }
        }
    }

    /// The same of a workspace.
    fn check_workspace(&mut self, program: &Program) {
        let name = &program.entry.name;
        // As large as a `weft_buffer`.
        self.local("%image", 10);
        self.line("call void @weft.as_image(ptr %workspace, i64 %bytes, ptr %image)");
        for (kind, number, other) in images(program, program.entry.results.len()) {
            let label = self.labels;
            self.line(&format!(
                "%private{label} = call i1 @weft.private(ptr @{name}.name, ptr %image, ptr @text_{kind}, ptr @{name}.{kind}{number}, {})",
                operands(kind, number, other)
            ));
            self.require(&format!("%private{label}"));
        }
    }

    /// Calls the program with tensors on the GPU, which are copied there and back, unless something fails before.
    fn call_on_gpu(&mut self, program: &Program) {
        let name = &program.entry.name;
        self.line(&format!("%began = call i1 @weft.begin(ptr @{name}.name)"));
        self.require("%began");
        // Each with its descriptor on the GPU, and the operands of what works on both.
        let tensors: Vec<(&str, String, String)> = tensors(&program.entry)
            .map(|Tensor { kind, buffer, descriptor, index, tensor }| {
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
        self.call(program, DEVICE, &|_| true);
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

    /// Calls the program with tensors that lie on the GPU, on the caller's stream. Nobody waits.
    fn call_on_stream(&mut self, program: &Program) {
        let name = &program.entry.name;
        for Tensor { kind, buffer, descriptor, index, tensor } in tensors(&program.entry) {
            let (rank, label) = (tensor.shape.len(), self.labels);
            self.local(&format!("{descriptor}{index}"), 3 + 2 * rank);
            self.line(&format!(
                "%lies{label} = call i1 @weft.lies(ptr @{name}.name, ptr @text_{kind}, ptr @{name}.{kind}{index}, ptr {buffer}{index}, \
                 i64 {rank}, ptr {descriptor}{index})"
            ));
            self.require(&format!("%lies{label}"));
        }
        self.line(&format!("%joined = call i1 @weft.join(ptr @{name}.name, ptr %stream)"));
        self.require("%joined");
        self.call(program, DEVICE, &|_| true);
    }

    /// Calls the program, in the version for its images, with descriptors of these names, and `%place0` and so on for results, if that
    /// version is one to call.
    fn call(&mut self, program: &Program, descriptors: &str, is_called: &dyn Fn(&str) -> bool) {
        let entry = &program.entry;
        let places = (0..entry.results.len()).map(|index| format!("ptr %place{index}"));
        let values = passed(entry, descriptors).into_iter().chain(places).collect::<Vec<_>>().join(", ");
        let smaller = &program.versions.smaller;
        if !smaller.is_empty() {
            self.count_points(program);
        }
        let call = |body: &mut Self, name: &str| {
            if is_called(name) {
                body.line(&format!("call void @_mlir_ciface_{name}({values})"));
            }
        };
        for (number, Version { name, below }) in smaller.iter().enumerate() {
            self.line(&format!("%is_small{number} = fcmp olt double %points, {below}.0"));
            self.line(&format!("br i1 %is_small{number}, label %small{number}, label %larger{number}"));
            let _ = writeln!(self.code, "small{number}:");
            call(self, name);
            self.line("br label %called");
            let _ = writeln!(self.code, "larger{number}:");
        }
        call(self, &entry.name);
        if !smaller.is_empty() {
            self.line("br label %called");
            self.code.push_str("called:\n");
        }
    }

    /// Makes `%points`, those of the argument that versions look at: a double, which cannot overflow.
    fn count_points(&mut self, program: &Program) {
        let argument = program.versions.argument;
        let rank = match program.entry.arguments.get(argument) {
            Some(ArgumentType::Tensor(tensor)) => tensor.shape.len(),
            Some(ArgumentType::Scalar(_)) | None => 0,
        };
        let mut points = "1.0".to_owned();
        for dimension in 0..rank {
            // A descriptor begins with the memory twice and the offset.
            let word = 3 + dimension;
            self.line(&format!("%where{dimension} = getelementptr i64, ptr {HOST}{argument}, i64 {word}"));
            self.line(&format!("%extent{dimension} = load i64, ptr %where{dimension}"));
            self.line(&format!("%factor{dimension} = uitofp i64 %extent{dimension} to double"));
            let product = if dimension + 1 == rank { "%points".to_owned() } else { format!("%product{dimension}") };
            self.line(&format!("{product} = fmul double {points}, %factor{dimension}"));
            points = product;
        }
    }
}

/// `weft_f` and what belongs to it, with the constants that they need.
fn functions(program: &Program, machine: Machine<'_>, allocates: &dyn Fn(&str) -> bool) -> String {
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
    for name in program.functions() {
        let _ = writeln!(module, "declare void @_mlir_ciface_{name}({})", types(&places));
    }
    if program.is_dynamic() {
        let asked = [&arguments[..], &["ptr".to_owned()]].concat();
        let _ = writeln!(module, "declare void @_mlir_ciface_{name}_extents({})", types(&asked));
    }
    Task::of(machine).iter().for_each(|task| module.push_str(&function(program, machine, *task, allocates)));
    Task::packed(machine).for_each(|task| module.push_str(&packed(program, task)));
    let _ = writeln!(module, "define ptr @weft_{name}_error() {{\n  ret ptr @weft.message\n}}");
    module.push_str(&constant(&format!("{name}.signature"), &program.signature(machine)));
    let _ = writeln!(module, "define ptr @weft_{name}_signature() {{\n  ret ptr @{name}.signature\n}}");
    module
}

/// A function that takes its parameters from an array of pointers.
fn packed(program: &Program, task: Task) -> String {
    let (entry, called) = (&program.entry, format!("weft_{}{}", program.entry.name, task.suffix()));
    let arguments = entry.arguments.iter().map(|argument| match argument {
        ArgumentType::Tensor(_) => None,
        ArgumentType::Scalar(kind) => Some(number(*kind, 0).0),
    });
    let (mut code, mut values) = (String::new(), Vec::new());
    let buffers = match task {
        Task::Workspace => 1,
        _ => entry.results.len() + usize::from(task == Task::OnGpu),
    };
    for (index, number) in arguments.chain((0..buffers).map(|_| None)).enumerate() {
        let _ = writeln!(code, "  %place{index} = getelementptr ptr, ptr %values, i64 {index}");
        let _ = writeln!(code, "  %pointer{index} = load ptr, ptr %place{index}");
        values.push(match number {
            None => format!("ptr %pointer{index}"),
            Some(ty) => {
                let _ = writeln!(code, "  %number{index} = load {ty}, ptr %pointer{index}");
                format!("{ty} %number{index}")
            }
        });
    }
    let values = values.join(", ");
    format!(
        "define i32 @{called}{PACKED}(ptr %values) {{\n{code}  %status = call i32 @{called}({values})\n  ret i32 %status\n}}\n"
    )
}

/// The arguments that are images, and results before one: kind, number, type.
fn images(program: &Program, results: usize) -> impl Iterator<Item = (&'static str, usize, &TensorType)> {
    let arguments = program.entry.arguments.iter().enumerate().filter_map(|(index, argument)| match argument {
        ArgumentType::Tensor(tensor) => Some((ARGUMENT, index, tensor)),
        ArgumentType::Scalar(_) => None,
    });
    let before = program.entry.results[..results].iter().enumerate();
    arguments.chain(before.map(|(index, tensor)| (RESULT, index, tensor)))
}

/// A buffer, its rank and the bytes of an element, as functions take them.
fn operands(kind: &str, number: usize, tensor: &TensorType) -> String {
    let buffer = if kind == RESULT { "%r" } else { "%a" };
    format!("ptr {buffer}{number}, i64 {}, i64 {}", tensor.shape.len(), tensor.element.size())
}

/// Names of descriptors of arguments, before their number: in the caller's memory, and in the GPU's.
const HOST: &str = "%d";
const DEVICE: &str = "%g";

/// An argument or a result in memory: names of its buffer and its descriptor on the GPU, before their number.
struct Tensor<'a> {
    kind: &'static str,
    buffer: &'static str,
    descriptor: &'static str,
    index: usize,
    tensor: &'a TensorType,
}

/// The tensors among arguments, then results.
fn tensors(entry: &Entry) -> impl Iterator<Item = Tensor<'_>> {
    let arguments = entry.arguments.iter().enumerate().filter_map(|(index, argument)| match argument {
        ArgumentType::Tensor(tensor) => {
            Some(Tensor { kind: ARGUMENT, buffer: "%a", descriptor: DEVICE, index, tensor })
        }
        ArgumentType::Scalar(_) => None,
    });
    let results = entry.results.iter().enumerate();
    arguments.chain(results.map(|(index, tensor)| Tensor {
        kind: RESULT,
        buffer: "%r",
        descriptor: "%place",
        index,
        tensor,
    }))
}

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

/// One of a program's functions.
fn function(program: &Program, machine: Machine<'_>, task: Task, allocates: &dyn Fn(&str) -> bool) -> String {
    let entry = &program.entry;
    let name = &entry.name;
    let parameter = |(index, argument): (usize, &ArgumentType)| match argument {
        ArgumentType::Tensor(_) => format!("ptr %a{index}"),
        ArgumentType::Scalar(kind) => format!("{} %a{index}", number(*kind, index).0),
    };
    let mut parameters: Vec<String> = entry.arguments.iter().enumerate().map(parameter).collect();
    if task != Task::Workspace {
        parameters.extend((0..entry.results.len()).map(|index| format!("ptr %r{index}")));
    }
    match task {
        Task::CallIn => parameters.extend(["ptr %workspace", "i64 %bytes"].map(str::to_owned)),
        Task::Workspace => parameters.push("ptr %bytes".to_owned()),
        Task::OnGpu => parameters.push("ptr %stream".to_owned()),
        Task::Call | Task::Extents => {}
    }

    let mut body = Body { locals: String::new(), code: String::new(), labels: 0 };
    body.line("store i32 0, ptr @weft.status");
    body.line("store i8 0, ptr @weft.message");
    for (index, argument) in entry.arguments.iter().enumerate() {
        match argument {
            ArgumentType::Tensor(tensor) => {
                let rank = tensor.shape.len();
                body.check(name, ARGUMENT, index, tensor, &format!("@{name}.extents{index}"), task.has_memory());
                body.describe(&format!("{HOST}{index}"), &format!("%a{index}"), rank);
            }
            ArgumentType::Scalar(kind) => {
                if let (.., Some(conversion)) = number(*kind, index) {
                    body.line(&conversion);
                }
            }
        }
    }
    body.result_extents(program);
    let mut first = 0;
    for (index, result) in entry.results.iter().enumerate() {
        let rank = result.shape.len();
        body.line(&format!("%expected{index} = getelementptr i64, ptr %extents, i64 {first}"));
        first += rank;
        match task {
            Task::Call | Task::CallIn | Task::OnGpu => {
                body.check(name, RESULT, index, result, &format!("%expected{index}"), true);
                if matches!(machine, Machine::Cpu(_)) {
                    body.describe(&format!("%place{index}"), &format!("%r{index}"), rank);
                }
            }
            Task::Extents => {
                // Who does not want to know passes NULL.
                body.line(&format!("%unwanted{index} = icmp eq ptr %r{index}, null"));
                body.line(&format!("%bytes{index} = select i1 %unwanted{index}, i64 0, i64 {}", 8 * rank));
                body.line(&format!(
                    "call void @llvm.memcpy.p0.p0.i64(ptr %r{index}, ptr %expected{index}, i64 %bytes{index}, i1 false)"
                ));
            }
            Task::Workspace => {
                body.local(&format!("%place{index}"), 3 + 2 * rank);
                body.line(&format!("call void @weft.outline(ptr %expected{index}, i64 {rank}, ptr %place{index})"));
            }
        }
    }
    if task.has_memory() {
        body.check_overlap(program);
    }
    match (task, machine) {
        (Task::Call, Machine::Cpu(_)) => body.call(program, HOST, &|_| true),
        (Task::Call, Machine::Cuda) => body.call_on_gpu(program),
        (Task::OnGpu, _) => body.call_on_stream(program),
        (Task::CallIn, _) => {
            let arguments: Vec<&str> = parameters[..entry.arguments.len()].iter().map(String::as_str).collect();
            let arguments = [&arguments[..], &["ptr %needed"]].concat().join(", ");
            body.local("%needed", 1);
            body.line(&format!("call i32 @weft_{name}{}({arguments})", Task::Workspace.suffix()));
            body.require_status();
            body.line("%wanted = load i64, ptr %needed");
            body.check_workspace(program);
            body.line(&format!(
                "%entered = call i1 @weft.enter(ptr @{name}.name, ptr %workspace, i64 %bytes, i64 %wanted)"
            ));
            body.require("%entered");
            body.call(program, HOST, &|_| true);
            body.line("call void @weft.leave()");
        }
        (Task::Workspace, _) => {
            body.line("call void @weft.count()");
            body.call(program, HOST, allocates);
            body.line("%wanted = call i64 @weft.counted_all()");
            // Checks of the program's own fail in this call, too.
            body.require_status();
            body.line("store i64 %wanted, ptr %bytes");
        }
        (Task::Extents, _) => {}
    }
    format!(
        "define i32 @weft_{name}{}({}) {{\n{}{}  br label %bad\nbad:\n  %status = load i32, ptr @weft.status\n  ret i32 %status\n}}\n",
        task.suffix(),
        parameters.join(", "),
        body.locals,
        body.code,
    )
}
