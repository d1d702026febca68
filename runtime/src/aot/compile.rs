//! From the module of a program to an object: the C functions are linked to it, and LLVM compiles both.

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::support::{load_visible_symbols, search_for_address_of_symbol};
use inkwell::targets::{CodeModel, FileType, RelocMode};
use inkwell::values::{AnyValueEnum, BasicValue};
use std::collections::HashSet;

use super::interface::interface;
use super::link::Object;
use super::program::{Machine, Program, is_identifier};
use crate::codegen::{self, Cpu};
use crate::entry::ArgumentType;
use crate::error::{Error, Result, compile_error};
use crate::jit::parse_llvm_ir;

/// The most dimensions that a `weft_buffer` has.
const RANK: usize = 4;

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
        check(&module, program, machine)?;
    }
    let any = Cpu::any();
    let cpu = match machine {
        Machine::Cpu(cpu) => cpu,
        // It launches; what takes time is elsewhere.
        Machine::Cuda => &any,
    };
    let target = codegen::target(&module, cpu, OptimizationLevel::Aggressive, RelocMode::PIC, CodeModel::Default)?;
    let allocating = allocating(&module);
    if matches!(machine, Machine::Cpu(_)) {
        rename_memory(&module);
    }
    let interface = interface(programs, machine, &|name| allocating.contains(name));
    let interface = parse_llvm_ir(&context, &interface).map_err(|reason| compile_error(&reason))?;
    interface.set_triple(&module.get_triple());
    interface.set_data_layout(&module.get_data_layout());
    module.link_in_module(interface).map_err(|error| compile_error(&error.to_string()))?;
    let exported: Vec<String> = programs.iter().flat_map(|program| program.symbols(machine)).collect();
    codegen::compile_for(&module, cpu);
    codegen::optimise(&module, cpu, &target, |name| exported.iter().any(|exported| exported == name))?;
    module.verify().map_err(|error| compile_error(&error.to_string()))?;

    let libraries = libraries(&module)?;
    let code = target.write_to_memory_buffer(&module, FileType::Object);
    let code = code.map_err(|error| compile_error(&error.to_string()))?;
    Ok(Object { bytes: code.as_slice().to_vec(), libraries, is_foreign: cpu.is_foreign() })
}

/// Whether C can call a program.
fn check(module: &Module<'_>, program: &Program, machine: Machine<'_>) -> Result<()> {
    let name = &program.entry.name;
    let wrong =
        |found: String, expected: &str| Err(Error::Entry { name: name.clone(), found, expected: expected.to_owned() });
    if !is_identifier(name) {
        return wrong("a name that C cannot have".into(), "letters, digits and underscores");
    }
    // What the header calls something else: `weft_buffer`, `weft_2d`.
    if ["buffer", "type", "status"].contains(&name.as_str()) {
        return wrong("a name that the header uses".into(), "another");
    }
    for symbol in program.symbols(machine) {
        if module.get_function(&symbol).is_some() {
            return wrong(format!("a function {symbol} in the module"), "none, that name is for C");
        }
    }
    for name in program.functions() {
        let defined = module.get_function(&format!("_mlir_ciface_{name}"));
        if defined.is_none_or(|function| function.count_basic_blocks() == 0) {
            return wrong(format!("no definition of _mlir_ciface_{name} in the module"), "one");
        }
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
    if program.is_dynamic() && module.get_function(&format!("_mlir_ciface_{name}_extents")).is_none() {
        return wrong(format!("no function {name}_extents in the module"), "one, as results have dynamic extents");
    }
    Ok(())
}

/// The functions that call `malloc` themselves: what `--check-memory` guards.
fn allocating(module: &Module<'_>) -> HashSet<String> {
    let malloc = module.get_function("malloc").map(|malloc| malloc.as_global_value().as_pointer_value());
    let uses = std::iter::successors(malloc.and_then(|malloc| malloc.get_first_use()), |usage| usage.get_next_use());
    let callers = uses.filter_map(|usage| match usage.get_user() {
        AnyValueEnum::InstructionValue(call) => call.get_parent()?.get_parent(),
        AnyValueEnum::PointerValue(result) => result.as_instruction()?.get_parent()?.get_parent(),
        _ => None,
    });
    callers.map(codegen::name_of).collect()
}

/// Lets programs allocate where their callers want it (workspace.ll).
fn rename_memory(module: &Module<'_>) {
    for (name, ours) in [("malloc", "weft.allocate"), ("free", "weft.free")] {
        if let Some(function) = module.get_function(name) {
            function.as_global_value().set_name(ours);
        }
    }
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
