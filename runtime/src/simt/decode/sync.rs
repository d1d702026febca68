//! What lanes of a warp, or threads of a block, do together.

use super::line::{Line, Result};
use super::types::{class_of, scalar_of};
use crate::simt::program::*;

/// `shfl`
pub(super) fn shuffle(line: &mut Line<'_, '_>) -> Result<Kind> {
    take_sync(line)?;
    let mode = line.take_any(&[
        ("up", ShuffleMode::Up),
        ("down", ShuffleMode::Down),
        ("bfly", ShuffleMode::Butterfly),
        ("idx", ShuffleMode::Index),
    ]);
    let Some(mode) = mode else { return line.unknown() };
    line.ty()?;
    line.operands(5, 5)?;
    (line.inst.d, line.inst.d2) = line.with_predicate(Class::W)?;
    line.inst.a = line.source(1, Class::W)?;
    line.inst.b = line.source(2, Class::W)?;
    line.inst.c = line.source(3, Class::W)?;
    line.inst.e = line.source(4, Class::W)?;
    line.inst.op = Op::Sync(WarpSync::Shuffle(mode));
    Ok(Kind::Shuffle)
}

/// `vote`
pub(super) fn vote(line: &mut Line<'_, '_>) -> Result<Kind> {
    take_sync(line)?;
    let vote =
        line.take_any(&[("all", Vote::All), ("any", Vote::Any), ("uni", Vote::Uniform), ("ballot", Vote::Ballot)]);
    let Some(vote) = vote else { return line.unknown() };
    line.ty()?;
    line.operands(3, 3)?;
    line.inst.d = line.destination(0, if vote == Vote::Ballot { Class::W } else { Class::P })?;
    line.inst.a = line.predicate_at(1)?;
    line.inst.e = line.source(2, Class::W)?;
    line.inst.op = Op::Sync(WarpSync::Vote(vote));
    Ok(Kind::Shuffle)
}

/// `match`
pub(super) fn find_equal(line: &mut Line<'_, '_>) -> Result<Kind> {
    take_sync(line)?;
    let all = line.take("all");
    if !all && !line.take("any") {
        return line.unknown();
    }
    let class = class_of(line.ty()?).filter(|class| *class != Class::P);
    let class = class.ok_or_else(|| line.error("this type is not possible"))?;
    line.operands(3, 3)?;
    (line.inst.d, line.inst.d2) = line.with_predicate(Class::W)?;
    line.inst.a = line.source(1, class)?;
    line.inst.e = line.source(2, Class::W)?;
    let wide = class == Class::D;
    line.inst.op = Op::Sync(if all { WarpSync::MatchAll { wide } } else { WarpSync::MatchAny { wide } });
    Ok(Kind::Shuffle)
}

/// `redux`
pub(super) fn reduce(line: &mut Line<'_, '_>) -> Result<Kind> {
    take_sync(line)?;
    let fold = line.take_any(&[
        ("add", Fold::Add),
        ("min", Fold::Min),
        ("max", Fold::Max),
        ("and", Fold::And),
        ("or", Fold::Or),
        ("xor", Fold::Xor),
    ]);
    let ty = line.ty()?;
    let scalar = scalar_of(ty).filter(|ty| matches!(ty, Scalar::S32 | Scalar::U32));
    let (Some(fold), Some(scalar)) = (fold, scalar) else { return line.unknown() };
    line.operands(3, 3)?;
    line.inst.d = line.destination(0, Class::W)?;
    line.inst.a = line.source(1, Class::W)?;
    line.inst.e = line.source(2, Class::W)?;
    line.inst.op = Op::Sync(WarpSync::Reduce(fold, scalar));
    Ok(Kind::Shuffle)
}

/// Each of these must say `.sync`.
fn take_sync(line: &mut Line<'_, '_>) -> Result<()> {
    if line.take("sync") { Ok(()) } else { Err(line.error("without .sync it has no meaning on sm_70 and later")) }
}

/// `bar` and `barrier`
pub(super) fn barrier(line: &mut Line<'_, '_>) -> Result<Kind> {
    if line.take("warp") {
        if !line.take("sync") {
            return line.unknown();
        }
        line.operands(1, 1)?;
        line.inst.op = Op::Sync(WarpSync::Barrier);
        line.inst.e = line.source(0, Class::W)?;
        return Ok(Kind::Sync);
    }
    // `bar` is `barrier.cta` with `.aligned`.
    let aligned = line.take("aligned") || line.name == "bar";
    line.take("cta");
    if line.take("red") {
        let red = line.take_any(&[("popc", BarRed::Popc), ("and", BarRed::And), ("or", BarRed::Or)]);
        let Some(red) = red else { return line.unknown() };
        line.ty()?;
        line.operands(3, 4)?;
        line.inst.op = Op::Barrier { aligned, red };
        line.inst.d = line.destination(0, if red == BarRed::Popc { Class::W } else { Class::P })?;
        line.inst.a = line.source(1, Class::W)?;
        if line.operand_count() == 4 {
            line.inst.b = line.source(2, Class::W)?;
        }
        line.inst.c = line.predicate_at(line.operand_count() - 1)?;
        return Ok(Kind::Sync);
    }
    if !line.take("sync") {
        return line.unknown();
    }
    line.take("all");
    line.operands(1, 2)?;
    line.inst.op = Op::Barrier { aligned, red: BarRed::None };
    line.inst.a = line.source(0, Class::W)?;
    if line.operand_count() == 2 {
        line.inst.b = line.source(1, Class::W)?;
    }
    Ok(Kind::Sync)
}
