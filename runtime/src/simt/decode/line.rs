//! One statement while it is decoded.

use super::registers::RegisterFile;
use super::scope::Scope;
use super::types::describe;
use crate::simt::error::Error;
use crate::simt::program::{Class, Inst, Kernel, NONE, Op, Round};
use crate::simt::tree::{Operand, Statement, type_size};

pub(super) type Result<T> = std::result::Result<T, Error>;

/// A statement: what is left of its modifiers, the instruction that it becomes, and what its operands can mean.
pub(super) struct Line<'d, 'a> {
    /// The opcode without its modifiers.
    pub name: &'a str,
    pub mods: Vec<&'a str>,
    pub inst: Inst,
    statement: &'a Statement,
    pub scope: &'d Scope<'a>,
    pub registers: &'d mut RegisterFile,
    pub kernel: &'d mut Kernel,
}

impl<'d, 'a> Line<'d, 'a> {
    /// A statement of which only the guard is decoded.
    pub fn new(
        statement: &'a Statement,
        scope: &'d Scope<'a>,
        registers: &'d mut RegisterFile,
        kernel: &'d mut Kernel,
    ) -> Result<Self> {
        let mut pieces = statement.opcode.split('.');
        let name = pieces.next().unwrap_or_default();
        let inst = Inst::new(Op::Nop);
        let mut line = Line { name, mods: pieces.collect(), inst, statement, scope, registers, kernel };
        if let Some((name, negated)) = &statement.guard {
            let operand = if *negated { Operand::Not(name.clone()) } else { Operand::Name(name.clone()) };
            line.inst.guard = line.predicate(&operand)?;
        }
        Ok(line)
    }

    /// How many operands there are.
    pub fn operand_count(&self) -> usize {
        self.statement.operands.len()
    }

    /// An error of this instruction.
    pub fn error(&self, what: impl Into<String>) -> Error {
        Error::instruction(self.statement.line, &self.statement.opcode, what.into())
    }

    /// The instruction is none of ours.
    pub fn unknown<T>(&self) -> Result<T> {
        Err(self.error("this instruction is not known"))
    }

    /// Takes a modifier out.
    pub fn take(&mut self, name: &str) -> bool {
        let found = self.mods.iter().position(|other| *other == name);
        if let Some(index) = found {
            self.mods.remove(index);
        }
        found.is_some()
    }

    /// Takes the first modifier of a table out.
    pub fn take_any<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        table.iter().find(|(name, _)| self.take(name)).map(|(_, value)| *value)
    }

    /// Takes the first type.
    pub fn ty(&mut self) -> Result<&'a str> {
        let index = self.mods.iter().position(|name| *name == "pred" || type_size(name).is_some());
        index.map(|index| self.mods.remove(index)).ok_or_else(|| self.error("found no type"))
    }

    /// Checks that every modifier was understood.
    pub fn done(&self) -> Result<()> {
        match self.mods.first() {
            None => Ok(()),
            Some(name) => Err(self.error(format!("modifier .{name} is not known here"))),
        }
    }

    /// Checks how many operands there are.
    pub fn operands(&self, least: usize, most: usize) -> Result<()> {
        let count = self.statement.operands.len();
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let expected = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        Err(self.error(format!("found {count} operands, expected {expected}")))
    }

    /// An operand as it is written.
    pub fn operand(&self, index: usize) -> Result<&'a Operand> {
        self.statement.operands.get(index).ok_or_else(|| self.error(format!("found no operand {}", index + 1)))
    }

    /// Takes the rounding out.
    pub fn round(&mut self) -> Option<Round> {
        self.take_any(&[("rn", Round::Near), ("rz", Round::Zero), ("rm", Round::Down), ("rp", Round::Up)])
    }
    /// A source operand as a register of a class.
    pub fn source(&mut self, index: usize, class: Class) -> Result<u32> {
        let operand = self.operand(index)?;
        self.value(operand, class)
    }

    /// An operand as a register of a class.
    pub fn value(&mut self, operand: &Operand, class: Class) -> Result<u32> {
        match operand {
            Operand::Int(bits) if class != Class::P => Ok(self.registers.constant(class, *bits)),
            Operand::F32(bits) if class == Class::W => Ok(self.registers.constant(class, u64::from(*bits))),
            // A 64-bit literal where 32 bits are wanted is converted, as PTX says.
            Operand::F64(bits) if class == Class::W => {
                Ok(self.registers.constant(class, u64::from((f64::from_bits(*bits) as f32).to_bits())))
            }
            Operand::F64(bits) if class == Class::D => Ok(self.registers.constant(class, *bits)),
            Operand::F32(bits) if class == Class::D => {
                Ok(self.registers.constant(class, f64::from(f32::from_bits(*bits)).to_bits()))
            }
            Operand::Address { base: Some(name), offset } if class != Class::P => {
                match self.scope.symbols.get(name.as_str()) {
                    Some((_, address)) => Ok(self.registers.constant(class, address.wrapping_add(*offset as u64))),
                    None => Err(self.error(format!("{name} is not declared"))),
                }
            }
            Operand::Name(name) => {
                if let Some((_, address)) = self.scope.symbols.get(name.as_str()) {
                    return match class {
                        Class::P => Err(self.error(format!("found variable {name}, expected a predicate"))),
                        _ => Ok(self.registers.constant(class, *address)),
                    };
                }
                let (found, register) = self.named(name)?;
                if found == class { Ok(register) } else { self.mismatch(name, found, class) }
            }
            _ => Err(self.error(format!("found an operand of another form than {}", describe(class)))),
        }
    }

    /// An operand of the wrong class.
    pub fn mismatch<T>(&self, name: &str, found: Class, class: Class) -> Result<T> {
        Err(self.error(format!("found {name} ({}), expected {}", describe(found), describe(class))))
    }

    /// A source that may be wider than its type, with its class: `cvt`, `st`.
    pub fn loose(&mut self, operand: &Operand, class: Class) -> Result<(Class, u32)> {
        match operand {
            Operand::Name(name) if !self.scope.symbols.contains_key(name.as_str()) => match self.named(name)? {
                (Class::P, _) => self.mismatch(name, Class::P, class),
                found => Ok(found),
            },
            _ => Ok((class, self.value(operand, class)?)),
        }
    }

    /// The register that an operand names, to be written.
    pub fn destination(&mut self, index: usize, class: Class) -> Result<u32> {
        match self.operand(index)? {
            Operand::Name(name) if name == "_" => Ok(self.registers.fresh(class)),
            Operand::Name(name) => match self.registers.get(name) {
                Some((found, register)) if found == class => Ok(register),
                Some((found, _)) => self.mismatch(name, found, class),
                None => Err(self.error(format!("register {name} is not declared"))),
            },
            _ => Err(self.error("the destination must be a register")),
        }
    }

    /// `%d` or `%d|%p`.
    pub fn with_predicate(&mut self, class: Class) -> Result<(u32, u32)> {
        match self.operand(0)? {
            Operand::Pair(first, second) => {
                let mut registers = [NONE; 2];
                for ((name, class), register) in [(first, class), (second, Class::P)].into_iter().zip(&mut registers) {
                    *register = match self.registers.get(name) {
                        Some((found, register)) if found == class => register,
                        Some((found, _)) => return self.mismatch(name, found, class),
                        None if name == "_" => NONE,
                        None => return Err(self.error(format!("register {name} is not declared"))),
                    };
                }
                if registers[0] == NONE {
                    registers[0] = self.registers.fresh(class);
                }
                Ok((registers[0], registers[1]))
            }
            _ => Ok((self.destination(0, class)?, NONE)),
        }
    }

    /// A predicate operand, with the bit that negates it.
    pub fn predicate(&mut self, operand: &Operand) -> Result<u32> {
        let (name, negated) = match operand {
            Operand::Name(name) => (name, 0),
            Operand::Not(name) => (name, 1),
            Operand::Int(value) => return Ok(self.registers.constant(Class::P, *value) * 2),
            _ => return Err(self.error("found another operand, expected a predicate")),
        };
        match self.named(name)? {
            (Class::P, register) => Ok(register * 2 + negated),
            (found, _) => self.mismatch(name, found, Class::P),
        }
    }

    /// A predicate operand, by its place.
    pub fn predicate_at(&mut self, index: usize) -> Result<u32> {
        let operand = self.operand(index)?;
        self.predicate(operand)
    }

    /// The place of a label.
    pub fn label(&self, name: &str) -> Result<u32> {
        self.scope.labels.get(name).copied().ok_or_else(|| self.error(format!("label {name} is not in this kernel")))
    }

    /// The register of a name, declared or not.
    pub fn named(&mut self, name: &str) -> Result<(Class, u32)> {
        if let Some(found) = self.registers.get(name) {
            return Ok(found);
        }
        if name == "WARP_SZ" {
            return Ok((Class::W, self.registers.constant(Class::W, 32)));
        }
        if let Some(index) = self.registers.special(name) {
            return Ok((Class::W, index));
        }
        if name.starts_with('%') && name.len() > 1 {
            return Err(
                self.error(format!("register {name} is not declared, nor a special register that is supported"))
            );
        }
        Err(self.error(format!("{name} is not declared")))
    }

    /// Two or three sources of one class behind a destination of that class.
    pub fn same(&mut self, class: Class, sources: usize) -> Result<()> {
        self.operands(sources + 1, sources + 1)?;
        self.inst.d = self.destination(0, class)?;
        self.inst.a = self.source(1, class)?;
        if sources > 1 {
            self.inst.b = self.source(2, class)?;
        }
        if sources > 2 {
            self.inst.c = self.source(3, class)?;
        }
        Ok(())
    }
}
