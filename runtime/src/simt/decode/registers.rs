//! The numbers of a kernel's registers.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::types::class_of;
use crate::simt::error::Error;
use crate::simt::program::{Class, Kernel, Special};
use crate::simt::tree::Entry;

/// The registers of a kernel while it is decoded: those that it declares, then constants and special registers as they are met, each once.
pub(super) struct RegisterFile {
    declared: HashMap<String, (Class, u32)>,
    /// The next number of each class.
    next: [u32; 3],
    constants: HashMap<(Class, u64), u32>,
    specials: HashMap<Special, u32>,
    carry: Option<u32>,
}

impl RegisterFile {
    /// Those that an entry declares.
    pub fn new(entry: &Entry) -> Result<Self, Error> {
        let mut declared = HashMap::new();
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
                if let Some((other, _)) = declared.get(&name)
                    && *other == class
                {
                    continue;
                }
                declared.insert(name, (class, next[class as usize]));
                next[class as usize] += 1;
            }
        }
        Ok(RegisterFile { declared, next, constants: HashMap::new(), specials: HashMap::new(), carry: None })
    }

    /// How many there are of each class.
    pub fn count(&self) -> [u32; 3] {
        self.next
    }

    /// A declared register.
    pub fn get(&self, name: &str) -> Option<(Class, u32)> {
        self.declared.get(name).copied()
    }

    /// A register that nothing else uses.
    pub fn fresh(&mut self, class: Class) -> u32 {
        self.next[class as usize] += 1;
        self.next[class as usize] - 1
    }

    /// The register that holds a constant, of which only as many bits count as the class has.
    pub fn constant(&mut self, class: Class, bits: u64) -> u32 {
        let bits = match class {
            Class::W => u64::from(bits as u32),
            Class::D => bits,
            Class::P => u64::from(bits != 0),
        };
        if let Some(register) = self.constants.get(&(class, bits)) {
            return *register;
        }
        let register = self.fresh(class);
        self.constants.insert((class, bits), register);
        register
    }

    /// A special register by its name.
    pub fn special(&mut self, name: &str) -> Option<u32> {
        let special = special_of(name)?;
        if let Some(register) = self.specials.get(&special) {
            return Some(*register);
        }
        let register = self.fresh(Class::W);
        self.specials.insert(special, register);
        Some(register)
    }

    /// The carry, state of a thread that no name reaches.
    pub fn carry(&mut self) -> u32 {
        match self.carry {
            Some(flag) => flag,
            None => {
                let flag = self.fresh(Class::P);
                *self.carry.insert(flag)
            }
        }
    }

    /// Tells a kernel what its registers hold at the start.
    pub fn finish(self, kernel: &mut Kernel) {
        kernel.total = self.next;
        for ((class, bits), register) in self.constants {
            match class {
                Class::W => kernel.constants_w.push((register, bits as u32)),
                Class::D => kernel.constants_d.push((register, bits)),
                Class::P => kernel.constants_p.push((register, bits != 0)),
            }
        }
        kernel.constants_p.extend(self.carry.map(|flag| (flag, false)));
        kernel.specials = self.specials.into_iter().map(|(special, register)| (register, special)).collect();
    }
}

/// What a name that begins with `%` stands for.
fn special_of(name: &str) -> Option<Special> {
    let axis = |name: &str| match name.rsplit_once('.')?.1 {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    };
    Some(match name {
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
    })
}
