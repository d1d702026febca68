//! From the tree to the form that the machine runs: names become indices, modifiers become cases.
//!
//! Each instruction is checked here once (its modifiers, its operands' number and width), so that the machine checks nothing
//! of it again. What is not understood is an error that names the instruction and its line: silently ignoring a modifier
//! could make a wrong kernel look right.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::error::Error;
use super::memory::{LOCAL_WINDOW, SHARED_WINDOW, module_address};
use super::parser::{Entry, Operand, Space, Statement, Tree, Variable, type_size};
use super::program::*;

/// Room left between two shared variables: an access behind the end of one is then out of bounds. A multiple of 128, so that the
/// banks of all variables stay what they would be without it.
const SHARED_GAP: u64 = 128;

type Result<T> = std::result::Result<T, Error>;

/// Decodes one entry. `addresses` are the module's global variables.
pub(super) fn decode(tree: &Tree, entry: &Entry) -> Result<Kernel> {
    let mut decoder = Decoder::new(tree, entry)?;
    for statement in &entry.body {
        decoder.statement(statement)?;
    }
    // Control must not run off the end.
    decoder.push(Op::Exit, Kind::Control);
    decoder.kernel.lines.push(entry.body.last().map_or(entry.line, |last| last.line));
    decoder.kernel.locs.push(None);
    decoder.kernel.opcodes.push("ret".to_owned());
    decoder.kernel.total = decoder.next;
    Ok(decoder.kernel)
}

struct Decoder<'a> {
    registers: HashMap<String, (Class, u32)>,
    symbols: HashMap<&'a str, (Space, u64)>,
    labels: HashMap<&'a str, u32>,
    targets: HashMap<&'a str, &'a [String]>,
    next: [u32; 3],
    w: HashMap<u32, u32>,
    d: HashMap<u64, u32>,
    p: HashMap<bool, u32>,
    specials: HashMap<String, u32>,
    carry: Option<u32>,
    /// How often each name is an operand.
    used: HashMap<&'a str, u32>,
    kernel: Kernel,
}

fn class_of(ty: &str) -> Option<Class> {
    match ty {
        "pred" => Some(Class::P),
        _ => match type_size(ty)? {
            1..=4 => Some(Class::W),
            8 => Some(Class::D),
            _ => None,
        },
    }
}

/// What is left of a statement while it is decoded.
struct Parts<'s> {
    name: &'s str,
    mods: Vec<&'s str>,
    statement: &'s Statement,
}

impl<'s> Parts<'s> {
    fn error(&self, what: impl Into<String>) -> Error {
        Error::instruction(self.statement.line, &self.statement.opcode, what.into())
    }

    fn unknown<T>(&self) -> Result<T> {
        Err(self.error("this instruction is not known"))
    }

    /// Takes a modifier out.
    fn take(&mut self, name: &str) -> bool {
        let found = self.mods.iter().position(|other| *other == name);
        if let Some(index) = found {
            self.mods.remove(index);
        }
        found.is_some()
    }

    fn take_any<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        table.iter().find(|(name, _)| self.take(name)).map(|(_, value)| *value)
    }

    /// Takes the first type.
    fn ty(&mut self) -> Result<&'s str> {
        let index = self.mods.iter().position(|name| *name == "pred" || type_size(name).is_some());
        index.map(|index| self.mods.remove(index)).ok_or_else(|| self.error("found no type"))
    }

    /// Every modifier was understood.
    fn done(&self) -> Result<()> {
        match self.mods.first() {
            None => Ok(()),
            Some(name) => Err(self.error(format!("modifier .{name} is not known here"))),
        }
    }

    fn operands(&self, least: usize, most: usize) -> Result<()> {
        let count = self.statement.operands.len();
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let expected = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        Err(self.error(format!("found {count} operands, expected {expected}")))
    }

    fn operand(&self, index: usize) -> Result<&'s Operand> {
        self.statement.operands.get(index).ok_or_else(|| self.error(format!("found no operand {}", index + 1)))
    }

    fn round(&mut self) -> Option<Round> {
        self.take_any(&[("rn", Round::Near), ("rz", Round::Zero), ("rm", Round::Down), ("rp", Round::Up)])
    }
}

fn width_of(ty: &str) -> Option<Width> {
    match type_size(ty)? {
        2 => Some(Width::W16),
        4 => Some(Width::W32),
        8 => Some(Width::W64),
        _ => None,
    }
}

fn float_of(ty: &str) -> Option<FloatType> {
    match ty {
        "f16" => Some(FloatType::F16),
        "f16x2" => Some(FloatType::F16x2),
        "f32" => Some(FloatType::F32),
        "f64" => Some(FloatType::F64),
        _ => None,
    }
}

fn scalar_of(ty: &str) -> Option<Scalar> {
    Some(match ty {
        "u8" | "b8" => Scalar::U8,
        "u16" | "b16" => Scalar::U16,
        "u32" | "b32" => Scalar::U32,
        "u64" | "b64" => Scalar::U64,
        "s8" => Scalar::S8,
        "s16" => Scalar::S16,
        "s32" => Scalar::S32,
        "s64" => Scalar::S64,
        "f16" => Scalar::F16,
        "bf16" => Scalar::Bf16,
        "f32" => Scalar::F32,
        "f64" => Scalar::F64,
        _ => return None,
    })
}

fn class(width: Width) -> Class {
    if width == Width::W64 { Class::D } else { Class::W }
}

fn float_class(ty: FloatType) -> Class {
    if ty == FloatType::F64 { Class::D } else { Class::W }
}

fn scalar_class(ty: Scalar) -> Class {
    if ty.bits() == 64 { Class::D } else { Class::W }
}

impl<'a> Decoder<'a> {
    fn new(tree: &'a Tree, entry: &'a Entry) -> Result<Self> {
        let mut registers = HashMap::new();
        let mut next = [0u32; 3];
        for (name, count, ty) in &entry.registers {
            let class = class_of(ty)
                .ok_or_else(|| Error::syntax(entry.line, format!("registers of type .{ty} are not supported")))?;
            let names = match count {
                Some(count) => (0..*count).map(|index| format!("{name}{index}")).collect(),
                None => vec![name.clone()],
            };
            for name in names {
                // A nested scope may declare the same name again, with the same type in all code we know.
                if let Some((other, _)) = registers.get(&name)
                    && *other == class
                {
                    continue;
                }
                registers.insert(name, (class, next[class as usize]));
                next[class as usize] += 1;
            }
        }
        let mut kernel = Kernel {
            name: entry.name.clone(),
            code: Vec::with_capacity(entry.body.len() + 1),
            kinds: Vec::new(),
            lines: Vec::new(),
            locs: Vec::new(),
            opcodes: Vec::new(),
            lists: Vec::new(),
            declared: next,
            total: next,
            constants_w: Vec::new(),
            constants_d: Vec::new(),
            constants_p: Vec::new(),
            specials: Vec::new(),
            params: entry.params.clone(),
            param_offsets: Vec::new(),
            param_bytes: 0,
            shared: Vec::new(),
            shared_bytes: 0,
            shared_dynamic: None,
            shared_granule: 16,
            local_bytes: 0,
            block: entry.reqntid,
            block_max: entry.maxntid,
            ordered: false,
        };
        let mut symbols = HashMap::new();
        for param in &entry.params {
            let offset = kernel.param_bytes.next_multiple_of(param.align);
            kernel.param_offsets.push(offset);
            kernel.param_bytes = offset + param.size;
            symbols.insert(param.name.as_str(), (Space::Param, offset));
        }
        let used = used_names(entry);
        let mut packed = 0; // Where the next shared variable would be without gaps.
        let mut gaps = 0;
        let shared = |variable: &&Variable| variable.space == Space::Shared;
        let all =
            || tree.variables.iter().chain(&entry.variables).filter(|variable| used.contains_key(&*variable.name));
        for variable in all().filter(shared).filter(|variable| variable.size > 0) {
            packed = u64::next_multiple_of(packed, variable.align);
            let offset = packed + gaps;
            symbols.insert(&variable.name, (Space::Shared, offset));
            kernel.shared.push((offset, variable.size));
            packed += variable.size;
            gaps += SHARED_GAP.max(variable.align);
        }
        let end = kernel.shared.last().map_or(0, |(offset, size)| offset + size);
        kernel.shared_bytes = end;
        for variable in all().filter(shared).filter(|variable| variable.size == 0) {
            let offset = (packed + gaps).next_multiple_of(variable.align.max(16));
            symbols.insert(&variable.name, (Space::Shared, offset));
            kernel.shared_dynamic = Some(offset);
        }
        for variable in &entry.variables {
            if variable.space == Space::Local {
                let offset = kernel.local_bytes.next_multiple_of(variable.align);
                symbols.insert(&variable.name, (Space::Local, offset));
                kernel.local_bytes = offset + variable.size;
            }
        }
        for (index, variable) in module_variables(tree).enumerate() {
            symbols.insert(&variable.name, (Space::Global, module_address(index)));
        }
        Ok(Self {
            registers,
            symbols,
            labels: entry.labels.iter().map(|(name, place)| (name.as_str(), *place as u32)).collect(),
            targets: entry.targets.iter().map(|(name, list)| (name.as_str(), list.as_slice())).collect(),
            next,
            w: HashMap::new(),
            d: HashMap::new(),
            p: HashMap::new(),
            specials: HashMap::new(),
            carry: None,
            used,
            kernel,
        })
    }

    fn push(&mut self, op: Op, kind: Kind) {
        let inst = Inst { op, guard: NONE, d: NONE, d2: NONE, a: NONE, b: NONE, c: NONE, e: NONE };
        self.kernel.code.push(inst);
        self.kernel.kinds.push(kind);
    }

    fn fresh(&mut self, class: Class) -> u32 {
        self.next[class as usize] += 1;
        self.next[class as usize] - 1
    }

    fn constant(&mut self, class: Class, bits: u64) -> u32 {
        match class {
            Class::W => match self.w.get(&(bits as u32)) {
                Some(index) => *index,
                None => {
                    let index = self.fresh(class);
                    self.kernel.constants_w.push((index, bits as u32));
                    self.w.insert(bits as u32, index);
                    index
                }
            },
            Class::D => match self.d.get(&bits) {
                Some(index) => *index,
                None => {
                    let index = self.fresh(class);
                    self.kernel.constants_d.push((index, bits));
                    self.d.insert(bits, index);
                    index
                }
            },
            Class::P => match self.p.get(&(bits != 0)) {
                Some(index) => *index,
                None => {
                    let index = self.fresh(class);
                    self.kernel.constants_p.push((index, bits != 0));
                    self.p.insert(bits != 0, index);
                    index
                }
            },
        }
    }

    fn special(&mut self, name: &str) -> Option<u32> {
        if let Some(index) = self.specials.get(name) {
            return Some(*index);
        }
        let axis = |name: &str| match name.rsplit_once('.')?.1 {
            "x" => Some(0),
            "y" => Some(1),
            "z" => Some(2),
            _ => None,
        };
        let special = match name {
            "%laneid" => Special::LaneId,
            "%warpid" => Special::WarpId,
            "%nwarpid" => Special::NWarpId,
            "%lanemask_eq" => Special::LaneMask(Ordering::Equal, false),
            "%lanemask_lt" => Special::LaneMask(Ordering::Less, false),
            "%lanemask_le" => Special::LaneMask(Ordering::Less, true),
            "%lanemask_gt" => Special::LaneMask(Ordering::Greater, false),
            "%lanemask_ge" => Special::LaneMask(Ordering::Greater, true),
            "%smid" => Special::Zero,
            "%dynamic_smem_size" => Special::SharedBytes,
            _ if name.starts_with("%tid.") => Special::Tid(axis(name)?),
            _ if name.starts_with("%ntid.") => Special::Ntid(axis(name)?),
            _ if name.starts_with("%ctaid.") => Special::Ctaid(axis(name)?),
            _ if name.starts_with("%nctaid.") => Special::Nctaid(axis(name)?),
            _ => return None,
        };
        let index = self.fresh(Class::W);
        self.kernel.specials.push((index, special));
        self.specials.insert(name.to_owned(), index);
        Some(index)
    }

    fn named(&mut self, parts: &Parts<'_>, name: &str) -> Result<(Class, u32)> {
        if let Some(found) = self.registers.get(name) {
            return Ok(*found);
        }
        if name == "WARP_SZ" {
            return Ok((Class::W, self.constant(Class::W, 32)));
        }
        if let Some(index) = self.special(name) {
            return Ok((Class::W, index));
        }
        if name.starts_with('%') && name.len() > 1 {
            return Err(
                parts.error(format!("register {name} is not declared, nor a special register that is supported"))
            );
        }
        Err(parts.error(format!("{name} is not declared")))
    }

    /// A source operand as a register of a class.
    fn source(&mut self, parts: &Parts<'_>, index: usize, class: Class) -> Result<u32> {
        let operand = parts.operand(index)?;
        self.value(parts, operand, class)
    }

    fn value(&mut self, parts: &Parts<'_>, operand: &Operand, class: Class) -> Result<u32> {
        let narrow = |bits: u64| if class == Class::D { bits } else { u64::from(bits as u32) };
        match operand {
            Operand::Int(bits) if class != Class::P => Ok(self.constant(class, narrow(*bits))),
            Operand::F32(bits) if class == Class::W => Ok(self.constant(class, u64::from(*bits))),
            // A 64-bit literal where 32 bits are wanted is converted, as PTX says.
            Operand::F64(bits) if class == Class::W => {
                Ok(self.constant(class, u64::from((f64::from_bits(*bits) as f32).to_bits())))
            }
            Operand::F64(bits) if class == Class::D => Ok(self.constant(class, *bits)),
            Operand::F32(bits) if class == Class::D => {
                Ok(self.constant(class, f64::from(f32::from_bits(*bits)).to_bits()))
            }
            Operand::Address { base: Some(name), offset } if class != Class::P => match self.symbols.get(name.as_str())
            {
                Some((_, address)) => Ok(self.constant(class, address.wrapping_add(*offset as u64))),
                None => Err(parts.error(format!("{name} is not declared"))),
            },
            Operand::Name(name) => {
                if let Some((_, address)) = self.symbols.get(name.as_str()) {
                    return match class {
                        Class::P => Err(parts.error(format!("found variable {name}, expected a predicate"))),
                        _ => Ok(self.constant(class, *address)),
                    };
                }
                let (found, register) = self.named(parts, name)?;
                if found == class { Ok(register) } else { self.mismatch(parts, name, found, class) }
            }
            _ => Err(parts.error(format!("found an operand of another form than {}", describe(class)))),
        }
    }

    fn mismatch<T>(&self, parts: &Parts<'_>, name: &str, found: Class, class: Class) -> Result<T> {
        Err(parts.error(format!("found {name} ({}), expected {}", describe(found), describe(class))))
    }

    /// A source that may be wider than its type, with its class: `cvt`, `st`.
    fn loose(&mut self, parts: &Parts<'_>, operand: &Operand, class: Class) -> Result<(Class, u32)> {
        match operand {
            Operand::Name(name) if !self.symbols.contains_key(name.as_str()) => match self.named(parts, name)? {
                (Class::P, _) => self.mismatch(parts, name, Class::P, class),
                found => Ok(found),
            },
            _ => Ok((class, self.value(parts, operand, class)?)),
        }
    }

    fn destination(&mut self, parts: &Parts<'_>, index: usize, class: Class) -> Result<u32> {
        match parts.operand(index)? {
            Operand::Name(name) if name == "_" => Ok(self.fresh(class)),
            Operand::Name(name) => match self.registers.get(name) {
                Some((found, register)) if *found == class => Ok(*register),
                Some((found, _)) => self.mismatch(parts, name, *found, class),
                None => Err(parts.error(format!("register {name} is not declared"))),
            },
            _ => Err(parts.error("the destination must be a register")),
        }
    }

    /// `%d` or `%d|%p`.
    fn with_predicate(&mut self, parts: &Parts<'_>, class: Class) -> Result<(u32, u32)> {
        match parts.operand(0)? {
            Operand::Pair(first, second) => {
                let mut registers = [NONE; 2];
                for ((name, class), register) in [(first, class), (second, Class::P)].into_iter().zip(&mut registers) {
                    *register = match self.registers.get(name) {
                        Some((found, register)) if *found == class => *register,
                        Some((found, _)) => return self.mismatch(parts, name, *found, class),
                        None if name == "_" => NONE,
                        None => return Err(parts.error(format!("register {name} is not declared"))),
                    };
                }
                if registers[0] == NONE {
                    registers[0] = self.fresh(class);
                }
                Ok((registers[0], registers[1]))
            }
            _ => Ok((self.destination(parts, 0, class)?, NONE)),
        }
    }

    /// A predicate operand, with the bit that negates it.
    fn predicate(&mut self, parts: &Parts<'_>, operand: &Operand) -> Result<u32> {
        let (name, negated) = match operand {
            Operand::Name(name) => (name, 0),
            Operand::Not(name) => (name, 1),
            Operand::Int(value) => return Ok(self.constant(Class::P, *value) * 2),
            _ => return Err(parts.error("found another operand, expected a predicate")),
        };
        match self.named(parts, name)? {
            (Class::P, register) => Ok(register * 2 + negated),
            (found, _) => self.mismatch(parts, name, found, Class::P),
        }
    }

    fn predicate_at(&mut self, parts: &Parts<'_>, index: usize) -> Result<u32> {
        let operand = parts.operand(index)?;
        self.predicate(parts, operand)
    }

    fn label(&self, parts: &Parts<'_>, name: &str) -> Result<u32> {
        self.labels.get(name).copied().ok_or_else(|| parts.error(format!("label {name} is not in this kernel")))
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<()> {
        let mut pieces = statement.opcode.split('.');
        let name = pieces.next().unwrap_or_default();
        let mut parts = Parts { name, mods: pieces.collect(), statement };
        self.push(Op::Nop, Kind::Data);
        self.kernel.lines.push(statement.line);
        self.kernel.locs.push(statement.loc);
        self.kernel.opcodes.push(statement.opcode.clone());
        let mut inst = Inst { op: Op::Nop, guard: NONE, d: NONE, d2: NONE, a: NONE, b: NONE, c: NONE, e: NONE };
        if let Some((name, negated)) = &statement.guard {
            let operand = if *negated { Operand::Not(name.clone()) } else { Operand::Name(name.clone()) };
            inst.guard = self.predicate(&parts, &operand)?;
        }
        let kind = self.instruction(&mut parts, &mut inst)?;
        parts.done()?;
        if let Some(place) = self.kernel.code.len().checked_sub(1) {
            self.kernel.code[place] = inst;
            self.kernel.kinds[place] = kind;
        }
        Ok(())
    }

    /// Two or three sources of one class behind a destination of that class.
    fn same(&mut self, parts: &Parts<'_>, inst: &mut Inst, class: Class, sources: usize) -> Result<()> {
        parts.operands(sources + 1, sources + 1)?;
        inst.d = self.destination(parts, 0, class)?;
        inst.a = self.source(parts, 1, class)?;
        if sources > 1 {
            inst.b = self.source(parts, 2, class)?;
        }
        if sources > 2 {
            inst.c = self.source(parts, 3, class)?;
        }
        Ok(())
    }

    fn instruction(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        match parts.name {
            "mov" => self.mov(parts, inst),
            "add" | "min" | "max" if parts.mods.iter().any(|name| name.ends_with("16x2") && !name.contains('f')) => {
                self.integer_pair(parts, inst)
            }
            "add" | "sub" | "mul" | "div" | "rem" | "min" | "max" | "neg" | "abs" | "mad" | "fma" | "sqrt" | "rcp"
            | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" | "copysign" | "sad" => self.arithmetic(parts, inst),
            "addc" | "subc" => self.carry(parts, inst, true),
            "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" => self.logic(parts, inst),
            "popc" | "clz" | "brev" | "bfind" => {
                let ty = parts.ty()?;
                let width = width_of(ty).filter(|width| *width != Width::W16);
                let width = width.ok_or_else(|| parts.error(format!("type .{ty} is not possible")))?;
                parts.operands(2, 2)?;
                let (op, result) = match parts.name {
                    "popc" => (Int1::Popc, Class::W),
                    "clz" => (Int1::Clz, Class::W),
                    "brev" => (Int1::Brev, class(width)),
                    _ if ty.starts_with('s') => (Int1::FindS, Class::W),
                    _ => (Int1::FindU, Class::W),
                };
                inst.op = Op::Int1(op, width);
                inst.d = self.destination(parts, 0, result)?;
                inst.a = self.source(parts, 1, class(width))?;
                Ok(Kind::Integer)
            }
            "bfe" | "bfi" => {
                let ty = parts.ty()?;
                let width = width_of(ty).filter(|width| *width != Width::W16);
                let width = width.ok_or_else(|| parts.error(format!("type .{ty} is not possible")))?;
                let wide = width == Width::W64;
                let insert = usize::from(parts.name == "bfi");
                parts.operands(4 + insert, 4 + insert)?;
                inst.op = if insert == 1 { Op::Bfi { wide } } else { Op::Bfe { signed: ty.starts_with('s'), wide } };
                inst.d = self.destination(parts, 0, class(width))?;
                inst.a = self.source(parts, 1, class(width))?;
                if insert == 1 {
                    inst.e = self.source(parts, 2, class(width))?;
                }
                inst.b = self.source(parts, 2 + insert, Class::W)?;
                inst.c = self.source(parts, 3 + insert, Class::W)?;
                Ok(Kind::Integer)
            }
            "prmt" => {
                parts.ty()?;
                inst.op = Op::Prmt;
                self.same(parts, inst, Class::W, 3)?;
                Ok(Kind::Integer)
            }
            "lop3" => {
                parts.ty()?;
                parts.operands(5, 5)?;
                inst.op = Op::Lop3;
                inst.d = self.destination(parts, 0, Class::W)?;
                inst.a = self.source(parts, 1, Class::W)?;
                inst.b = self.source(parts, 2, Class::W)?;
                inst.c = self.source(parts, 3, Class::W)?;
                inst.e = self.source(parts, 4, Class::W)?;
                Ok(Kind::Integer)
            }
            "shf" => {
                let left = parts.take("l");
                if !left && !parts.take("r") {
                    return parts.unknown();
                }
                let wrap = parts.take("wrap");
                if !wrap && !parts.take("clamp") {
                    return parts.unknown();
                }
                parts.ty()?;
                inst.op = Op::Funnel { left, wrap };
                self.same(parts, inst, Class::W, 3)?;
                Ok(Kind::Integer)
            }
            "dp4a" => {
                let first = parts.ty()?;
                let second = parts.ty()?;
                inst.op = Op::Dp4a { signed: [first == "s32", second == "s32"] };
                self.same(parts, inst, Class::W, 3)?;
                Ok(Kind::Integer)
            }
            "testp" => {
                let what = parts.take_any(&[
                    ("finite", TestP::Finite),
                    ("infinite", TestP::Infinite),
                    ("notanumber", TestP::NotANumber),
                    ("number", TestP::Number),
                    ("subnormal", TestP::Subnormal),
                    ("normal", TestP::Normal),
                ]);
                let Some(what) = what else { return parts.unknown() };
                let ty = float_of(parts.ty()?).ok_or_else(|| parts.error("expected a float type"))?;
                parts.operands(2, 2)?;
                inst.op = Op::TestFinite(what, ty);
                inst.d = self.destination(parts, 0, Class::P)?;
                inst.a = self.source(parts, 1, float_class(ty))?;
                Ok(Kind::Float)
            }
            "cvt" => self.cvt(parts, inst),
            "cvta" => {
                let back = parts.take("to");
                let space = parts.take_any(&[
                    ("global", Space::Global),
                    ("shared::cta", Space::Shared),
                    ("shared", Space::Shared),
                    ("local", Space::Local),
                    ("const", Space::Const),
                    ("param", Space::Param),
                ]);
                let Some(space) = space else { return parts.unknown() };
                if space == Space::Param {
                    return Err(parts.error("generic addresses of parameters are not supported"));
                }
                let ty = parts.ty()?;
                if type_size(ty) != Some(8) {
                    return Err(parts.error(format!("found .{ty}, expected .u64")));
                }
                inst.op = if back { Op::FromGeneric(space) } else { Op::ToGeneric(space) };
                self.same(parts, inst, Class::D, 1)?;
                Ok(Kind::Data)
            }
            "setp" | "set" => self.compare(parts, inst),
            "selp" => {
                let class = class_of(parts.ty()?).ok_or_else(|| parts.error("this type is not possible"))?;
                parts.operands(4, 4)?;
                inst.op = match class {
                    Class::W => Op::SelectW,
                    Class::D => Op::SelectD,
                    Class::P => return parts.unknown(),
                };
                inst.d = self.destination(parts, 0, class)?;
                inst.a = self.source(parts, 1, class)?;
                inst.b = self.source(parts, 2, class)?;
                inst.c = self.predicate_at(parts, 3)?;
                Ok(Kind::Data)
            }
            "slct" => {
                parts.take("ftz");
                let class = class_of(parts.ty()?).filter(|class| *class != Class::P);
                let class = class.ok_or_else(|| parts.error("this type is not possible"))?;
                let by = parts.ty()?;
                parts.operands(4, 4)?;
                inst.op = Op::SelectSign { wide: class == Class::D, float: by == "f32" };
                inst.d = self.destination(parts, 0, class)?;
                inst.a = self.source(parts, 1, class)?;
                inst.b = self.source(parts, 2, class)?;
                inst.c = self.source(parts, 3, Class::W)?;
                Ok(Kind::Data)
            }
            "ld" | "ldu" | "st" => self.memory(parts, inst),
            "atom" | "red" => self.atomic(parts, inst),
            "prefetch" | "prefetchu" | "applypriority" | "discard" => {
                parts.mods.clear();
                Ok(Kind::Memory)
            }
            "shfl" | "vote" | "match" | "redux" => self.exchange(parts, inst),
            "activemask" => {
                parts.ty()?;
                parts.operands(1, 1)?;
                inst.op = Op::ActiveMask;
                inst.d = self.destination(parts, 0, Class::W)?;
                Ok(Kind::Data)
            }
            "bar" | "barrier" => self.barrier(parts, inst),
            "membar" | "fence" | "nanosleep" => {
                parts.mods.clear();
                Ok(Kind::Sync)
            }
            "bra" => {
                parts.take("uni");
                parts.operands(1, 1)?;
                let Operand::Name(name) = parts.operand(0)? else {
                    return Err(parts.error("expected a label"));
                };
                inst.op = Op::Branch;
                inst.d = self.label(parts, name)?;
                Ok(Kind::Control)
            }
            "brx" => {
                parts.take("idx");
                parts.take("uni");
                parts.operands(2, 2)?;
                inst.op = Op::BranchTable;
                inst.a = self.source(parts, 0, Class::W)?;
                let Operand::Name(name) = parts.operand(1)? else {
                    return Err(parts.error("expected a list of labels"));
                };
                let Some(targets) = self.targets.get(name.as_str()).copied() else {
                    return Err(parts.error(format!("{name} is not a list of labels")));
                };
                inst.d = self.kernel.lists.len() as u32;
                inst.d2 = targets.len() as u32;
                for target in targets {
                    let place = self.label(parts, target)?;
                    self.kernel.lists.push(place);
                }
                Ok(Kind::Control)
            }
            "ret" | "exit" => {
                parts.take("uni");
                parts.operands(0, 0)?;
                inst.op = Op::Exit;
                Ok(Kind::Control)
            }
            "trap" => {
                inst.op = Op::Trap;
                Ok(Kind::Control)
            }
            _ => parts.unknown(),
        }
    }

    fn mov(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let ty = parts.ty()?;
        parts.operands(2, 2)?;
        let class = class_of(ty).ok_or_else(|| parts.error(format!("type .{ty} is not supported")))?;
        let (to, from) = (parts.operand(0)?, parts.operand(1)?);
        match (to, from) {
            (Operand::Vector(list), other) | (other, Operand::Vector(list)) => {
                let unpack = matches!(to, Operand::Vector(_));
                let bytes = type_size(ty).unwrap_or(0);
                let bits = (bytes * 8 / list.len() as u64) as u8;
                let wide_parts = bits == 64;
                if !matches!(bits, 8 | 16 | 32 | 64) || class == Class::P {
                    return Err(parts.error(format!("found {} parts of .{ty}", list.len())));
                }
                let part_class = if wide_parts { Class::D } else { Class::W };
                let start = self.kernel.lists.len();
                for part in list {
                    let register = match part {
                        Operand::Name(name) if name == "_" && unpack => NONE,
                        part => self.value(parts, part, part_class)?,
                    };
                    self.kernel.lists.push(register);
                }
                let wide = class == Class::D;
                let whole = self.value(parts, other, class)?;
                (inst.d, inst.d2, inst.a) = if unpack {
                    (start as u32, list.len() as u32, whole)
                } else {
                    (whole, list.len() as u32, start as u32)
                };
                inst.op =
                    if unpack { Op::Unpack { bits, wide_parts, wide } } else { Op::Pack { bits, wide_parts, wide } };
            }
            _ => {
                inst.d = self.destination(parts, 0, class)?;
                (inst.op, inst.a) = match class {
                    Class::W => (Op::MovW, self.source(parts, 1, class)?),
                    Class::D => (Op::MovD, self.source(parts, 1, class)?),
                    Class::P => (Op::MovP, self.predicate_at(parts, 1)?),
                };
            }
        }
        Ok(Kind::Data)
    }

    fn arithmetic(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let carry = parts.take("cc");
        if carry {
            parts.mods.push("cc");
            return self.carry(parts, inst, false);
        }
        let index = parts.mods.iter().position(|name| type_size(name).is_some());
        let ty = index.map(|index| parts.mods[index]).ok_or_else(|| parts.error("found no type"))?;
        match float_of(ty) {
            Some(float) => {
                parts.ty()?;
                self.float(parts, inst, float)
            }
            None => self.integer(parts, inst),
        }
    }

    fn float(&mut self, parts: &mut Parts<'a>, inst: &mut Inst, ty: FloatType) -> Result<Kind> {
        let approximate = parts.take("approx") | parts.take("full");
        let round = parts.round();
        let mods = Mods {
            round: round.unwrap_or(Round::Near),
            ftz: parts.take("ftz"),
            sat: parts.take("sat"),
            nan: parts.take("NaN"),
        };
        if mods.round != Round::Near && ty == FloatType::F64 {
            return Err(parts.error("f64 is rounded to nearest only"));
        }
        let unary = |op| (Op::Float1(op, ty, mods), 1);
        let binary = |op| (Op::Float2(op, ty, mods), 2);
        let (op, sources) = match parts.name {
            "add" => binary(Float2::Add),
            "sub" => binary(Float2::Sub),
            "mul" => binary(Float2::Mul),
            "div" => binary(Float2::Div),
            "min" => binary(Float2::Min),
            "max" => binary(Float2::Max),
            "copysign" => binary(Float2::CopySign),
            "neg" => unary(Float1::Neg),
            "abs" => unary(Float1::Abs),
            "sqrt" => unary(Float1::Sqrt),
            "rcp" => unary(Float1::Rcp),
            "rsqrt" => unary(Float1::Rsqrt),
            "ex2" => unary(Float1::Ex2),
            "lg2" => unary(Float1::Lg2),
            "sin" => unary(Float1::Sin),
            "cos" => unary(Float1::Cos),
            "tanh" => unary(Float1::Tanh),
            "fma" | "mad" => (Op::Fma(ty, mods), 3),
            _ => return parts.unknown(),
        };
        let exact = matches!(parts.name, "div" | "sqrt" | "rcp");
        if exact && !approximate && round.is_none() {
            return Err(parts.error("found no rounding, expected .rn, .rz, .rm, .rp or .approx"));
        }
        inst.op = op;
        self.same(parts, inst, float_class(ty), sources)?;
        if matches!(ty, FloatType::F16 | FloatType::F16x2) && matches!(parts.name, "div" | "sqrt" | "rcp" | "copysign")
        {
            return parts.unknown();
        }
        Ok(Kind::Float)
    }

    fn integer(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let (low, high, wide) = (parts.take("lo"), parts.take("hi"), parts.take("wide"));
        let (saturating, relu) = (parts.take("sat"), parts.take("relu"));
        let ty = parts.ty()?;
        let width = width_of(ty).ok_or_else(|| parts.error(format!("type .{ty} is not possible")))?;
        let signed = ty.starts_with('s');
        let pick = |s, u| if signed { s } else { u };
        let product = matches!(parts.name, "mul" | "mad");
        if product && u8::from(low) + u8::from(high) + u8::from(wide) != 1 || !product && (low || high || wide) {
            return parts.unknown();
        }
        if wide {
            if width == Width::W64 {
                return parts.unknown();
            }
            let add = parts.name == "mad";
            let narrow = width == Width::W16;
            let result = if narrow { Class::W } else { Class::D };
            parts.operands(3 + usize::from(add), 3 + usize::from(add))?;
            inst.op = Op::MulWide { signed, wide: !narrow, add };
            inst.d = self.destination(parts, 0, result)?;
            inst.a = self.source(parts, 1, Class::W)?;
            inst.b = self.source(parts, 2, Class::W)?;
            if add {
                inst.c = self.source(parts, 3, result)?;
            }
            return Ok(Kind::Integer);
        }
        let binary = |op| (Op::Int2(op, width), 2);
        let (op, sources) = match parts.name {
            "add" if saturating && ty == "s32" => binary(Int2::AddSatS),
            "sub" if saturating && ty == "s32" => binary(Int2::SubSatS),
            "min" if relu && ty == "s32" => binary(Int2::MinReluS),
            "max" if relu && ty == "s32" => binary(Int2::MaxReluS),
            _ if saturating || relu => return parts.unknown(),
            "add" => binary(Int2::Add),
            "sub" => binary(Int2::Sub),
            "mul" if high => binary(pick(Int2::MulHiS, Int2::MulHiU)),
            "mul" => binary(Int2::Mul),
            "div" => binary(pick(Int2::DivS, Int2::DivU)),
            "rem" => binary(pick(Int2::RemS, Int2::RemU)),
            "min" => binary(pick(Int2::MinS, Int2::MinU)),
            "max" => binary(pick(Int2::MaxS, Int2::MaxU)),
            "neg" => (Op::Int1(Int1::Neg, width), 1),
            "abs" => (Op::Int1(Int1::Abs, width), 1),
            "mad" if high => (Op::Int3(if signed { Int3::MadHiS } else { Int3::MadHiU }, width), 3),
            "mad" => (Op::Int3(Int3::Mad, width), 3),
            "sad" => (Op::Int3(if signed { Int3::SadS } else { Int3::SadU }, width), 3),
            _ => return parts.unknown(),
        };
        inst.op = op;
        self.same(parts, inst, class(width), sources)?;
        Ok(Kind::Integer)
    }

    /// Two integers of 16 bits at once.
    fn integer_pair(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let relu = parts.take("relu");
        let (signed, unsigned) = (parts.take("s16x2"), parts.take("u16x2"));
        inst.op = Op::Int2x2(match parts.name {
            _ if signed == unsigned => return parts.unknown(),
            "min" if relu && signed => Int2::MinReluS,
            "max" if relu && signed => Int2::MaxReluS,
            _ if relu => return parts.unknown(),
            "add" => Int2::Add,
            "min" if signed => Int2::MinS,
            "min" => Int2::MinU,
            "max" if signed => Int2::MaxS,
            _ => Int2::MaxU,
        });
        self.same(parts, inst, Class::W, 2)?;
        Ok(Kind::Integer)
    }

    fn carry(&mut self, parts: &mut Parts<'a>, inst: &mut Inst, input: bool) -> Result<Kind> {
        let output = parts.take("cc");
        let subtract = parts.name.starts_with("sub");
        let width = width_of(parts.ty()?).filter(|width| *width != Width::W16);
        let (Some(width), true) = (width, subtract || parts.name.starts_with("add")) else {
            return parts.unknown();
        };
        let flag = match self.carry {
            Some(flag) => flag,
            None => {
                // The carry is state of a thread that no name reaches: a constant register nobody else has.
                let flag = self.fresh(Class::P);
                self.kernel.constants_p.push((flag, false));
                *self.carry.insert(flag)
            }
        };
        inst.op = Op::Carry(Carry { subtract, input, output, wide: width == Width::W64 });
        self.same(parts, inst, class(width), 2)?;
        inst.c = flag;
        Ok(Kind::Integer)
    }

    fn logic(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let ty = parts.ty()?;
        let op = match parts.name {
            "and" => Some(Int2::And),
            "or" => Some(Int2::Or),
            "xor" => Some(Int2::Xor),
            _ => None,
        };
        if ty == "pred" {
            inst.d = self.destination(parts, 0, Class::P)?;
            inst.a = self.predicate_at(parts, 1)?;
            inst.op = match (op, parts.name) {
                (Some(op), _) => {
                    parts.operands(3, 3)?;
                    inst.b = self.predicate_at(parts, 2)?;
                    Op::Logic(op)
                }
                (None, "not") => {
                    parts.operands(2, 2)?;
                    Op::NotP
                }
                _ => return parts.unknown(),
            };
            return Ok(Kind::Integer);
        }
        let width = width_of(ty).ok_or_else(|| parts.error(format!("type .{ty} is not possible")))?;
        let shift = match parts.name {
            "shl" => Some(Shift::Left),
            "shr" if ty.starts_with('s') => Some(Shift::RightS),
            "shr" => Some(Shift::RightU),
            _ => None,
        };
        match (op, shift) {
            (Some(op), _) => {
                inst.op = Op::Int2(op, width);
                self.same(parts, inst, class(width), 2)?;
            }
            (_, Some(shift)) => {
                parts.operands(3, 3)?;
                inst.op = Op::Shift(shift, width);
                inst.d = self.destination(parts, 0, class(width))?;
                inst.a = self.source(parts, 1, class(width))?;
                inst.b = self.source(parts, 2, Class::W)?;
            }
            _ => {
                inst.op = Op::Int1(if parts.name == "not" { Int1::Not } else { Int1::Cnot }, width);
                self.same(parts, inst, class(width), 1)?;
            }
        }
        Ok(Kind::Integer)
    }

    fn cvt(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let whole =
            parts.take_any(&[("rni", Round::Near), ("rzi", Round::Zero), ("rmi", Round::Down), ("rpi", Round::Up)]);
        let round = parts.round();
        let (ftz, sat) = (parts.take("ftz"), parts.take("sat"));
        let (to, from) = (parts.ty()?, parts.ty()?);
        if let "f16x2" | "bf16x2" = to {
            if from != "f32" || ftz || sat || whole.is_some() {
                return parts.unknown();
            }
            parts.operands(3, 3)?;
            let round = round.ok_or_else(|| parts.error("found no rounding"))?;
            inst.op = Op::ConvertPair { brain: to == "bf16x2", round };
            self.same(parts, inst, Class::W, 2)?;
            return Ok(Kind::Data);
        }
        parts.operands(2, 2)?;
        let (Some(to), Some(from)) = (scalar_of(to), scalar_of(from)) else {
            return parts.unknown();
        };
        let integer_source = !from.is_float();
        if integer_source && to == Scalar::F64 && from.bits() == 64 && round.is_some_and(|round| round != Round::Near) {
            return Err(parts.error("f64 is rounded to nearest only"));
        }
        if from.is_float() && !to.is_float() && whole.is_none() {
            return Err(parts.error("found no rounding, expected .rni, .rzi, .rmi or .rpi"));
        }
        let narrowing = from.is_float() && to.is_float() && to.bits() < from.bits();
        if (integer_source && to.is_float() || narrowing) && round.is_none() {
            return Err(parts.error("found no rounding, expected .rn, .rz, .rm or .rp"));
        }
        let target = match parts.operand(0)? {
            Operand::Name(name) => self.registers.get(name).map(|(class, _)| *class),
            _ => None,
        };
        let target = target.filter(|class| *class != Class::P).unwrap_or(scalar_class(to));
        inst.d = self.destination(parts, 0, target)?;
        let (source, register) = self.loose(parts, parts.operand(1)?, scalar_class(from))?;
        if source == Class::W && from.bits() == 64 || target == Class::W && to.bits() == 64 {
            return Err(parts.error("found a register of 32 bits, expected 64"));
        }
        inst.a = register;
        inst.op = Op::Convert(Conversion {
            from,
            to,
            round: whole.or(round).unwrap_or(Round::Near),
            whole: whole.is_some(),
            ftz,
            sat,
            from_wide: source == Class::D,
            to_wide: target == Class::D,
        });
        Ok(Kind::Data)
    }

    fn compare(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let into_register = parts.name == "set";
        let combine = parts
            .take_any(&[("and", Combine::And), ("or", Combine::Or), ("xor", Combine::Xor)])
            .unwrap_or(Combine::None);
        let unsigned = [("lo", Compare::Lt), ("ls", Compare::Le), ("hi", Compare::Gt), ("hs", Compare::Ge)];
        let (compare, unsigned) = match parts.take_any(&unsigned) {
            Some(compare) => (compare, true),
            None => {
                let compare = parts.take_any(&[
                    ("eq", Compare::Eq),
                    ("ne", Compare::Ne),
                    ("lt", Compare::Lt),
                    ("le", Compare::Le),
                    ("gt", Compare::Gt),
                    ("ge", Compare::Ge),
                    ("equ", Compare::Equ),
                    ("neu", Compare::Neu),
                    ("ltu", Compare::Ltu),
                    ("leu", Compare::Leu),
                    ("gtu", Compare::Gtu),
                    ("geu", Compare::Geu),
                    ("num", Compare::Num),
                    ("nan", Compare::Nan),
                ]);
                let Some(compare) = compare else { return parts.unknown() };
                (compare, false)
            }
        };
        let ftz = parts.take("ftz");
        let result = if into_register { Some(parts.ty()?) } else { None };
        let ty = parts.ty()?;
        let pair = match ty {
            "f16x2" if !into_register => Some(Scalar::F16),
            _ => None,
        };
        let Some(scalar) = pair.or(scalar_of(ty)).filter(|ty| ty.bits() > 8) else {
            return Err(parts.error(format!("type .{ty} is not possible")));
        };
        let scalar = match scalar {
            Scalar::S16 if unsigned => Scalar::U16,
            Scalar::S32 if unsigned => Scalar::U32,
            Scalar::S64 if unsigned => Scalar::U64,
            other => other,
        };
        let combined = usize::from(combine != Combine::None);
        parts.operands(3 + combined, 3 + combined)?;
        let test = Test { compare, ty: scalar, ftz, combine };
        match result {
            Some(result) => {
                if !matches!(result, "u32" | "s32" | "b32" | "f32") {
                    return Err(parts.error(format!("a result of type .{result} is not supported")));
                }
                inst.op = Op::Set(test, result == "f32");
                inst.d = self.destination(parts, 0, Class::W)?;
            }
            None => {
                inst.op = if pair.is_some() { Op::SetP2(test) } else { Op::SetP(test) };
                (inst.d, inst.d2) = self.with_predicate(parts, Class::P)?;
            }
        }
        inst.a = self.source(parts, 1, scalar_class(scalar))?;
        inst.b = self.source(parts, 2, scalar_class(scalar))?;
        if combined == 1 {
            inst.c = self.predicate_at(parts, 3)?;
        }
        Ok(if scalar.is_float() { Kind::Float } else { Kind::Integer })
    }

    /// Which space, and modifiers of order, scope and cache, none of which changes what a value is here.
    fn window(&mut self, parts: &mut Parts<'a>) -> Window {
        for name in ["volatile", "relaxed", "acquire", "release", "acq_rel", "weak", "mmio"] {
            parts.take(name);
        }
        for name in ["cta", "cluster", "gpu", "sys", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "unified"] {
            parts.take(name);
        }
        parts.mods.retain(|name| !name.starts_with("L1::") && !name.starts_with("L2::"));
        let space = parts.take_any(&[
            ("global", Space::Global),
            ("shared", Space::Shared),
            ("shared::cta", Space::Shared),
            ("local", Space::Local),
            ("const", Space::Const),
            ("param", Space::Param),
            ("param::entry", Space::Param),
        ]);
        parts.take("nc");
        space.map_or(Window::Generic, Window::Space)
    }

    /// The address operand: register (and its class) and offset.
    fn address(&mut self, parts: &Parts<'_>, index: usize, window: Window) -> Result<(bool, u32, i64)> {
        let (base, offset) = match parts.operand(index)? {
            Operand::Address { base, offset } => (base.as_deref(), *offset),
            _ => return Err(parts.error("expected an address in brackets")),
        };
        let Some(name) = base else {
            return Ok((true, self.constant(Class::D, 0), offset));
        };
        if let Some((space, address)) = self.symbols.get(name).copied() {
            let address = match (window, space) {
                (Window::Generic, Space::Shared) => SHARED_WINDOW + address,
                (Window::Generic, Space::Local) => LOCAL_WINDOW + address,
                _ => address,
            };
            return Ok((true, self.constant(Class::D, address), offset));
        }
        match self.named(parts, name)? {
            (Class::D, register) => Ok((true, register, offset)),
            (Class::W, register) if window != Window::Generic => Ok((false, register, offset)),
            (found, _) => self.mismatch(parts, name, found, Class::D),
        }
    }

    fn touches_shared(&mut self, window: Window, bytes: u64) {
        if matches!(window, Window::Generic | Window::Space(Space::Shared)) {
            self.kernel.shared_granule = self.kernel.shared_granule.min(bytes as u32);
        }
    }

    fn memory(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let window = self.window(parts);
        let count = parts.take_any(&[("v2", 2u8), ("v4", 4), ("v8", 8)]).unwrap_or(1);
        let ty = parts.ty()?;
        let Some(bytes) = type_size(ty).filter(|bytes| *bytes <= 8) else {
            return Err(parts.error(format!("type .{ty} is not possible")));
        };
        parts.operands(2, 2)?;
        let load = parts.name != "st";
        let (data, place) = if load { (0, 1) } else { (1, 0) };
        if matches!(window, Window::Space(Space::Param | Space::Const)) && !load {
            return Err(parts.error("this space cannot be written"));
        }
        let (wide_address, register, offset) = self.address(parts, place, window)?;
        inst.a = register;
        let operand = parts.operand(data)?;
        let list = match operand {
            Operand::Vector(list) => list.as_slice(),
            other => std::slice::from_ref(other),
        };
        if list.len() != usize::from(count) {
            return Err(parts.error(format!("found {} registers, expected {count}", list.len())));
        }
        let natural = if bytes == 8 { Class::D } else { Class::W };
        let mut registers = Vec::new();
        let mut wide_data = None;
        for part in list {
            if matches!(part, Operand::Name(name) if name == "_") && load {
                registers.push(NONE);
                continue;
            }
            let (class, register) = self.loose(parts, part, wide_data_class(wide_data, natural))?;
            if *wide_data.get_or_insert(class == Class::D) != (class == Class::D) || class == Class::W && bytes == 8 {
                return Err(parts.error("the data registers have the wrong width"));
            }
            if load && !matches!(part, Operand::Name(name) if self.registers.contains_key(name)) {
                return Err(parts.error("the destination must be a register"));
            }
            // LLVM makes one wide load of several, and fills the gaps with registers that nobody reads.
            let is_gap = load && matches!(part, Operand::Name(name) if self.used.get(&**name) == Some(&1));
            registers.push(if is_gap && count > 1 { NONE } else { register });
        }
        let gaps = registers.iter().enumerate().filter(|(_, register)| load && **register == NONE);
        let gaps = gaps.fold(0, |gaps, (element, _)| gaps | 1 << element);
        inst.d = self.kernel.lists.len() as u32;
        inst.d2 = u32::from(count);
        self.kernel.lists.extend(registers);
        self.touches_shared(window, bytes);
        let access = Access {
            window,
            offset,
            bytes: bytes as u8,
            count,
            gaps,
            signed: ty.starts_with('s'),
            wide_address,
            wide_data: wide_data.unwrap_or(natural == Class::D),
        };
        inst.op = if load { Op::Load(access) } else { Op::Store(access) };
        Ok(Kind::Memory)
    }

    fn atomic(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        let window = self.window(parts);
        parts.take("noftz");
        let fold = parts.take_any(&[
            ("add", Fold::Add),
            ("min", Fold::Min),
            ("max", Fold::Max),
            ("and", Fold::And),
            ("or", Fold::Or),
            ("xor", Fold::Xor),
            ("exch", Fold::Exchange),
            ("cas", Fold::CompareAndSwap),
            ("inc", Fold::Inc),
            ("dec", Fold::Dec),
        ]);
        let Some(fold) = fold else { return parts.unknown() };
        let ty = parts.ty()?;
        let Some(scalar) = scalar_of(ty).filter(|scalar| scalar.bits() >= 16 && *scalar != Scalar::Bf16) else {
            return Err(parts.error(format!("type .{ty} is not possible")));
        };
        if scalar.is_float() && !matches!(fold, Fold::Add | Fold::Exchange) {
            return Err(parts.error(format!("type .{ty} is not possible")));
        }
        let returns = usize::from(parts.name == "atom");
        let sources = 1 + usize::from(fold == Fold::CompareAndSwap);
        parts.operands(returns + 1 + sources, returns + 1 + sources)?;
        let class = scalar_class(scalar);
        if returns == 1 {
            inst.d = self.destination(parts, 0, class)?;
        }
        let (wide_address, register, offset) = self.address(parts, returns, window)?;
        inst.a = register;
        inst.b = self.source(parts, returns + 1, class)?;
        if sources == 2 {
            inst.c = self.source(parts, returns + 2, class)?;
        }
        let bytes = u64::from(scalar.bits() / 8);
        self.touches_shared(window, bytes);
        self.kernel.ordered |= window != Window::Space(Space::Shared);
        let access = Access {
            window,
            offset,
            bytes: bytes as u8,
            count: 1,
            gaps: 0,
            signed: false,
            wide_address,
            wide_data: class == Class::D,
        };
        inst.op = Op::Atomic(access, fold, scalar);
        Ok(Kind::Memory)
    }

    fn exchange(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        if !parts.take("sync") {
            return Err(parts.error("without .sync it has no meaning on sm_70 and later"));
        }
        let (sync, kind) = match parts.name {
            "shfl" => {
                let mode = parts.take_any(&[
                    ("up", ShuffleMode::Up),
                    ("down", ShuffleMode::Down),
                    ("bfly", ShuffleMode::Butterfly),
                    ("idx", ShuffleMode::Index),
                ]);
                let Some(mode) = mode else { return parts.unknown() };
                parts.ty()?;
                parts.operands(5, 5)?;
                (inst.d, inst.d2) = self.with_predicate(parts, Class::W)?;
                inst.a = self.source(parts, 1, Class::W)?;
                inst.b = self.source(parts, 2, Class::W)?;
                inst.c = self.source(parts, 3, Class::W)?;
                inst.e = self.source(parts, 4, Class::W)?;
                (WarpSync::Shuffle(mode), Kind::Shuffle)
            }
            "vote" => {
                let vote = parts.take_any(&[
                    ("all", Vote::All),
                    ("any", Vote::Any),
                    ("uni", Vote::Uniform),
                    ("ballot", Vote::Ballot),
                ]);
                let Some(vote) = vote else { return parts.unknown() };
                parts.ty()?;
                parts.operands(3, 3)?;
                inst.d = self.destination(parts, 0, if vote == Vote::Ballot { Class::W } else { Class::P })?;
                inst.a = self.predicate_at(parts, 1)?;
                inst.e = self.source(parts, 2, Class::W)?;
                (WarpSync::Vote(vote), Kind::Shuffle)
            }
            "match" => {
                let all = parts.take("all");
                if !all && !parts.take("any") {
                    return parts.unknown();
                }
                let class = class_of(parts.ty()?).filter(|class| *class != Class::P);
                let class = class.ok_or_else(|| parts.error("this type is not possible"))?;
                parts.operands(3, 3)?;
                (inst.d, inst.d2) = self.with_predicate(parts, Class::W)?;
                inst.a = self.source(parts, 1, class)?;
                inst.e = self.source(parts, 2, Class::W)?;
                let wide = class == Class::D;
                (if all { WarpSync::MatchAll { wide } } else { WarpSync::MatchAny { wide } }, Kind::Shuffle)
            }
            _ => {
                let fold = parts.take_any(&[
                    ("add", Fold::Add),
                    ("min", Fold::Min),
                    ("max", Fold::Max),
                    ("and", Fold::And),
                    ("or", Fold::Or),
                    ("xor", Fold::Xor),
                ]);
                let ty = parts.ty()?;
                let scalar = scalar_of(ty).filter(|ty| matches!(ty, Scalar::S32 | Scalar::U32));
                let (Some(fold), Some(scalar)) = (fold, scalar) else { return parts.unknown() };
                parts.operands(3, 3)?;
                inst.d = self.destination(parts, 0, Class::W)?;
                inst.a = self.source(parts, 1, Class::W)?;
                inst.e = self.source(parts, 2, Class::W)?;
                (WarpSync::Reduce(fold, scalar), Kind::Shuffle)
            }
        };
        inst.op = Op::Sync(sync);
        Ok(kind)
    }

    fn barrier(&mut self, parts: &mut Parts<'a>, inst: &mut Inst) -> Result<Kind> {
        if parts.take("warp") {
            if !parts.take("sync") {
                return parts.unknown();
            }
            parts.operands(1, 1)?;
            inst.op = Op::Sync(WarpSync::Barrier);
            inst.e = self.source(parts, 0, Class::W)?;
            return Ok(Kind::Sync);
        }
        // `bar` is `barrier.cta` with `.aligned`.
        let aligned = parts.take("aligned") || parts.name == "bar";
        parts.take("cta");
        if parts.take("red") {
            let red = parts.take_any(&[("popc", BarRed::Popc), ("and", BarRed::And), ("or", BarRed::Or)]);
            let Some(red) = red else { return parts.unknown() };
            parts.ty()?;
            parts.operands(3, 4)?;
            inst.op = Op::Barrier { aligned, red };
            inst.d = self.destination(parts, 0, if red == BarRed::Popc { Class::W } else { Class::P })?;
            inst.a = self.source(parts, 1, Class::W)?;
            if parts.statement.operands.len() == 4 {
                inst.b = self.source(parts, 2, Class::W)?;
            }
            inst.c = self.predicate_at(parts, parts.statement.operands.len() - 1)?;
            return Ok(Kind::Sync);
        }
        if !parts.take("sync") {
            return parts.unknown();
        }
        parts.take("all");
        parts.operands(1, 2)?;
        inst.op = Op::Barrier { aligned, red: BarRed::None };
        inst.a = self.source(parts, 0, Class::W)?;
        if parts.statement.operands.len() == 2 {
            inst.b = self.source(parts, 1, Class::W)?;
        }
        Ok(Kind::Sync)
    }
}

fn wide_data_class(wide: Option<bool>, natural: Class) -> Class {
    match wide {
        Some(true) => Class::D,
        Some(false) => Class::W,
        None => natural,
    }
}

fn describe(class: Class) -> &'static str {
    match class {
        Class::W => "a value of up to 32 bits",
        Class::D => "a value of 64 bits",
        Class::P => "a predicate",
    }
}

/// The variables of the module that live in global memory, in the order of their addresses.
pub(super) fn module_variables(tree: &Tree) -> impl Iterator<Item = &Variable> {
    tree.variables.iter().filter(|variable| matches!(variable.space, Space::Global | Space::Const))
}

/// Every name that an entry's code uses.
fn used_names(entry: &Entry) -> HashMap<&str, u32> {
    fn names<'o>(operand: &'o Operand, into: &mut HashMap<&'o str, u32>) {
        match operand {
            Operand::Name(name) | Operand::Address { base: Some(name), .. } => {
                *into.entry(name).or_default() += 1;
            }
            Operand::Vector(parts) => parts.iter().for_each(|part| names(part, into)),
            _ => {}
        }
    }
    let mut used = HashMap::new();
    for operand in entry.body.iter().flat_map(|statement| &statement.operands) {
        names(operand, &mut used);
    }
    used
}
