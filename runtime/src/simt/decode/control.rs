//! Jumps and exits.

use super::line::{Line, Result};
use crate::simt::program::*;
use crate::simt::tree::Operand;

/// `bra`
pub(super) fn branch(line: &mut Line<'_, '_>) -> Result<Kind> {
    line.take("uni");
    line.operands(1, 1)?;
    let Operand::Name(name) = line.operand(0)? else {
        return Err(line.error("expected a label"));
    };
    line.inst.op = Op::Branch;
    line.inst.d = line.label(name)?;
    Ok(Kind::Control)
}

/// `brx`
pub(super) fn branch_table(line: &mut Line<'_, '_>) -> Result<Kind> {
    line.take("idx");
    line.take("uni");
    line.operands(2, 2)?;
    line.inst.op = Op::BranchTable;
    line.inst.a = line.source(0, Class::W)?;
    let Operand::Name(name) = line.operand(1)? else {
        return Err(line.error("expected a list of labels"));
    };
    let Some(targets) = line.scope.targets.get(name.as_str()).copied() else {
        return Err(line.error(format!("{name} is not a list of labels")));
    };
    line.inst.d = line.kernel.lists.len() as u32;
    line.inst.d2 = targets.len() as u32;
    for target in targets {
        let place = line.label(target)?;
        line.kernel.lists.push(place);
    }
    Ok(Kind::Control)
}

/// `ret` and `exit`
pub(super) fn exit(line: &mut Line<'_, '_>) -> Result<Kind> {
    line.take("uni");
    line.operands(0, 0)?;
    line.inst.op = Op::Exit;
    Ok(Kind::Control)
}

/// `trap`
pub(super) fn trap(line: &mut Line<'_, '_>) -> Result<Kind> {
    line.inst.op = Op::Trap;
    Ok(Kind::Control)
}
