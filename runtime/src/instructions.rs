//! Functions that say in plain ops what some CPUs have instructions for, and the instructions in their place.
//!
//! ```text
//! define @weft.dot4.x16(...) { plain }             define @weft.dot4.x16.instruction(...) alwaysinline { ... }
//! call @weft.dot4.x16(...)                  ──▶    call @weft.dot4.x16.instruction(...)
//! ```

use std::{fmt::Write, ops::Range};

use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::values::FunctionValue;

use crate::error::{Result, compile_error};

/// What takes elements of so many bits out of two registers of 512, by its name in LLVM, and what a CPU has that does.
pub(crate) fn permutation_of_two(bits: usize) -> Option<(&'static str, &'static str)> {
    Some(match bits {
        8 => ("llvm.x86.avx512.vpermi2var.qi.512", "avx512vbmi"),
        16 => ("llvm.x86.avx512.vpermi2var.hi.512", "avx512bw"),
        32 => ("llvm.x86.avx512.vpermi2var.d.512", "avx512f"),
        64 => ("llvm.x86.avx512.vpermi2var.q.512", "avx512f"),
        _ => return None,
    })
}

/// Lanes, as a shuffle has them.
pub(crate) fn numbered(lanes: Range<usize>) -> String {
    lanes.map(|lane| format!("i32 {lane}")).collect::<Vec<_>>().join(", ")
}

/// A line of a function.
pub(crate) fn line(text: &mut String, line: &str) {
    writeln!(text, "  {line}").expect("text has room");
}

/// Takes a part of so many lanes of a vector of `all`: of `%x` it is `%x.0`, `%x.1` and on.
pub(crate) fn split(text: &mut String, name: &str, element: &str, (all, lanes): (usize, usize), part: usize) {
    let (vector, own) = (format!("<{all} x {element}>"), numbered(part * lanes..(part + 1) * lanes));
    let shuffle = format!("shufflevector {vector} %{name}, {vector} poison, <{lanes} x i32> <{own}>");
    line(text, &format!("%{name}.{part} = {shuffle}"));
}

/// Joins the results of so many parts, `%r.0` and on, of so many lanes each, and gives the name of the whole.
pub(crate) fn join(text: &mut String, element: &str, parts: usize, mut lanes: usize) -> String {
    let mut names: Vec<String> = (0..parts).map(|part| format!("%r.{part}")).collect();
    // Neighbours are joined until one is left: there is a power of two of them.
    while names.len() > 1 {
        let (ty, order) = (format!("<{lanes} x {element}>"), numbered(0..2 * lanes));
        lanes *= 2;
        let joined = names.chunks(2).map(|two| {
            let name = format!("{}.{lanes}", two[0]);
            let operands = format!("{ty} {}, {ty} {}", two[0], two[1]);
            line(text, &format!("{name} = shufflevector {operands}, <{lanes} x i32> <{order}>"));
            name
        });
        names = joined.collect();
    }
    names.swap_remove(0)
}

/// Adds what LLVM assembly text defines to a module.
pub(crate) fn link(module: &Module<'_>, text: &str) -> Result<()> {
    let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "module.ll");
    let made = module.get_context().create_module_from_ir(text);
    made.and_then(|made| module.link_in_module(made)).map_err(|error| compile_error(&error.to_string()))
}

/// Puts what `text` writes under a name, for a function of a name, in the place of each function that a module defines and `text` knows.
pub(crate) fn replace(module: &Module<'_>, text: impl Fn(&str, &str) -> Option<String>) -> Result<()> {
    let name_of = |function: &FunctionValue<'_>| function.get_name().to_string_lossy().into_owned();
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0).collect::<Vec<_>>() {
        let own = name_of(&function);
        let name = format!("{own}.instruction");
        let Some(text) = text(&own, &name) else { continue };
        link(module, &text)?;
        if let Some(made) = module.get_function(&name) {
            function.replace_all_uses_with(made);
        }
    }
    Ok(())
}

#[cfg(all(test, target_arch = "x86_64"))]
pub(crate) mod tests {
    use std::ffi::c_void;

    use inkwell::OptimizationLevel;
    use inkwell::context::Context;

    use crate::codegen::{Cpu, compile_for};

    /// What a function `@f`, of vectors of so many lanes, makes of 32 bits each: of elements of these bits, or of the low ones, to integers of fewer.
    #[allow(unsafe_code, reason = "machine code is called")]
    pub(crate) fn run(text: &str, lanes: usize, [from, to]: [&str; 2], values: &[u32]) -> Vec<u32> {
        let cast = if from == "float" { "bitcast" } else { "trunc" };
        let cast = match from {
            "i32" => "%v = add <LANES x i32> %x, zeroinitializer".to_owned(),
            _ => format!("%v = {cast} <LANES x i32> %x to <LANES x {from}>"),
        };
        let wrapper = format!(
            "define void @run(ptr %from, ptr %to) {{
               %x = load <LANES x i32>, ptr %from, align 4
               {cast}
               %r = call <LANES x {to}> @f(<LANES x {from}> %v)
               %w = zext <LANES x {to}> %r to <LANES x i32>
               store <LANES x i32> %w, ptr %to, align 4
               ret void
             }}"
        );
        let context = Context::create();
        let module = context.create_module("instructions");
        super::link(&module, &(text.to_owned() + &wrapper.replace("LANES", &lanes.to_string())))
            .expect("the text is right");
        compile_for(&module, &Cpu::host());
        module.verify().expect("it is verified");
        let engine = module.create_jit_execution_engine(OptimizationLevel::Default).expect("an engine");
        let run = engine.get_function_address("run").expect("a function");
        // SAFETY: it is the function above, of two addresses.
        let run: extern "C" fn(*const c_void, *mut c_void) = unsafe { std::mem::transmute(run) };
        let mut results = vec![0; values.len()];
        for (from, to) in values.chunks_exact(lanes).zip(results.chunks_exact_mut(lanes)) {
            run(from.as_ptr().cast(), to.as_mut_ptr().cast());
        }
        results
    }
}
