//! From the tree to the form that the machine runs: names become indices, modifiers become cases.
//!
//! Each instruction is checked here once (its modifiers, its operands' number and width), so that the machine checks nothing
//! of it again. What is not understood is an error that names the instruction and its line: silently ignoring a modifier
//! could make a wrong kernel look right.
//!
//! Each family of instructions is a file of functions on a [`Line`], and [`instruction`] is the table of them. The wing imports the tree
//! (`tree`), the form (`program`) and the map of `memory`.

mod bits;
mod compare;
mod control;
mod data;
mod floats;
mod integer;
mod line;
mod memory;
mod registers;
mod scope;
mod sync;
mod types;

use super::program::{Inst, Kernel, Kind, Op};
use super::tree::{Entry, Tree, type_size};
use line::{Line, Result};
use registers::RegisterFile;
use scope::Scope;
use types::float_of;

/// Decodes one entry.
pub(super) fn decode(tree: &Tree, entry: &Entry) -> Result<Kernel> {
    let mut registers = RegisterFile::new(entry)?;
    let mut kernel = Kernel {
        name: entry.name.clone(),
        declared: registers.count(),
        params: entry.params.clone(),
        shared_granule: 16,
        block: entry.reqntid,
        block_max: entry.maxntid,
        min_blocks: entry.minnctapersm,
        max_registers: entry.maxnreg,
        ..Kernel::default()
    };
    let scope = Scope::new(tree, entry, &mut kernel);
    scope::within_limits(&kernel, entry)?;
    for statement in &entry.body {
        let mut line = Line::new(statement, &scope, &mut registers, &mut kernel)?;
        let kind = instruction(&mut line)?;
        line.done()?;
        let inst = line.inst;
        kernel.push(inst, kind, statement.line, statement.loc, &statement.opcode);
    }
    // Control must not run off the end.
    let end = entry.body.last().map_or(entry.line, |last| last.line);
    kernel.push(Inst::new(Op::Exit), Kind::Control, end, None, "ret");
    registers.finish(&mut kernel);
    Ok(kernel)
}

/// Decodes what is behind the guard.
fn instruction(line: &mut Line<'_, '_>) -> Result<Kind> {
    match line.name {
        "mov" => data::mov(line),
        "cvt" => data::cvt(line),
        "cvta" => data::cvta(line),
        "activemask" => data::active_mask(line),
        "add" | "min" | "max" if line.mods.iter().any(|name| name.ends_with("16x2") && !name.contains('f')) => {
            integer::pair(line)
        }
        "add" | "sub" | "mul" | "div" | "rem" | "min" | "max" | "neg" | "abs" | "mad" | "fma" | "sqrt" | "rcp"
        | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" | "copysign" | "sad" => arithmetic(line),
        "addc" | "subc" => integer::carry(line, true),
        "dp4a" => integer::dot4(line),
        "testp" => floats::test(line),
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" => bits::logic(line),
        "popc" | "clz" | "brev" | "bfind" => bits::count(line),
        "bfe" | "bfi" => bits::field(line),
        "prmt" => bits::permute(line),
        "lop3" => bits::lop3(line),
        "shf" => bits::funnel(line),
        "setp" | "set" => compare::compare(line),
        "selp" => compare::select(line),
        "slct" => compare::select_sign(line),
        "ld" | "ldu" | "st" => memory::memory(line),
        "atom" | "red" => memory::atomic(line),
        "prefetch" | "prefetchu" | "applypriority" | "discard" => Ok(nothing(line, Kind::Memory)),
        "shfl" => sync::shuffle(line),
        "vote" => sync::vote(line),
        "match" => sync::find_equal(line),
        "redux" => sync::reduce(line),
        "bar" | "barrier" => sync::barrier(line),
        "membar" | "fence" | "nanosleep" => Ok(nothing(line, Kind::Sync)),
        "bra" => control::branch(line),
        "brx" => control::branch_table(line),
        "ret" | "exit" => control::exit(line),
        "trap" => control::trap(line),
        _ => line.unknown(),
    }
}

/// What changes no value, whatever its modifiers say.
fn nothing(line: &mut Line<'_, '_>, kind: Kind) -> Kind {
    line.mods.clear();
    kind
}

/// What is one name for integers and floats.
fn arithmetic(line: &mut Line<'_, '_>) -> Result<Kind> {
    if line.mods.contains(&"cc") {
        return integer::carry(line, false);
    }
    let ty = line.mods.iter().copied().find(|name| type_size(name).is_some());
    match float_of(ty.ok_or_else(|| line.error("found no type"))?) {
        Some(ty) => {
            line.ty()?;
            floats::arithmetic(line, ty)
        }
        None => integer::arithmetic(line),
    }
}
