//! What ODS cannot say of an op. Every message has its line in `test/Dialect/Warp/invalid.mlir`.

use super::ops::{Compute, Layout, Load, Read, Stream, TileId, Write, tile_extents};
use crate::pipeline::Boundary;
use melior::ir::{
    BlockLike, OperationRef, ShapedTypeLike, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, RankedTensorType},
};
use mlir_glue::{Diagnostic, Verdict, ir};

/// The lanes of a warp.
const WARP: i64 = 32;

pub(super) fn tile_id<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(id) = TileId::of(op) else { return Ok(()) };
    let rank = op.result_count();
    if !(1..=3).contains(&rank) {
        return fail(format!("has {rank} results, expected 1 to 3, as a grid has dimensions"));
    }
    let lanes = id.lanes();
    for (what, numbers) in [("warps", id.warps().unwrap_or_else(|| vec![1; rank])), ("lanes", lanes.clone())] {
        if numbers.len() != rank || numbers.iter().any(|number| *number < 1) {
            return fail(format!("'{what}' is {numbers:?}, expected {rank} positive numbers, one for each result"));
        }
    }
    let all: i64 = lanes.iter().product();
    match id.warps() {
        Some(_) if all != WARP => fail(format!("'lanes' has {all} lanes, expected the {WARP} of a warp")),
        Some(warps) if warps.iter().product::<i64>() * WARP > 1024 => {
            fail(format!("'warps' has {} warps, expected at most 32 in a block", warps.iter().product::<i64>()))
        }
        None if all > 1024 => fail(format!("'lanes' has {all} threads, expected at most 1024 in a block")),
        _ => Ok(()),
    }
}

pub(super) fn compute<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(compute) = Compute::of(op) else { return Ok(()) };
    let rank = compute.rank();
    let region = compute.region();
    let counts = [
        ("numbers in 'at'", compute.at().len()),
        ("intervals in 'in'", region.len()),
        ("extents in 'of'", compute.extents().map_or(rank, |extents| extents.len())),
        ("intervals in 'needed'", compute.needed().map_or(rank, |needed| needed.len())),
        ("coordinates", compute.body().argument_count()),
    ];
    for (what, count) in counts {
        if count != rank {
            return fail(format!("has {count} {what}, expected {rank}, as many as in 'step'"));
        }
    }
    if let Some((lo, hi)) = region.iter().find(|(lo, hi)| lo >= hi) {
        return fail(format!("computes no point of [{lo}, {hi}), expected some"));
    }
    if compute.op().has_attribute("planes_together") && rank < 3 {
        return fail(format!("has 'planes_together' and {rank} dimensions, expected planes before rows and columns"));
    }
    if let Some(dimension) = compute.wrap().into_iter().find(|dimension| *dimension >= rank) {
        return fail(format!("'wrap' names dimension {dimension}, expected less than {rank}"));
    }
    if compute.extents().is_none() && (compute.needed().is_some() || !compute.wrap().is_empty()) {
        return fail("has 'needed' or 'wrap' without extents, expected 'of'".into());
    }
    if op.result_count() == 0 {
        return fail("gives no tile, expected one for each value of the stage".into());
    }
    let extents: Vec<i64> = region.iter().map(|(lo, hi)| hi - lo).collect();
    for tile in op.results().map(|tile| tile.r#type()) {
        let Ok(ty) = RankedTensorType::try_from(tile) else { continue };
        if tile_extents(ty) != Some(extents.clone()) {
            return fail(format!("gives '{tile}', expected the extents {extents:?} of its box"));
        }
        let Some(layout) = Layout::of_type(ty) else {
            return fail(format!("gives '{tile}', expected a tile with an encoding, for example #warp.shared"));
        };
        let columns = *extents.last().unwrap_or(&1);
        let holds = match layout {
            Layout::Shared | Layout::Lane => true,
            Layout::Cyclic(count) | Layout::Blocked(count) => columns == count * WARP,
            Layout::Grid(rows, columns) => {
                if rows < 1 || columns < 1 || rows.checked_mul(columns) != Some(WARP) {
                    return fail(format!("gives '{tile}' in {rows} x {columns} lanes, expected the {WARP} of a warp"));
                }
                if extents.len() < 2 {
                    return fail(format!("gives '{tile}', which has no rows for its rows of lanes"));
                }
                true
            }
            Layout::Hybrid(count) => 0 <= count && count < columns && (columns - count) % WARP == 0,
        };
        if !holds {
            return fail(format!("gives '{tile}', whose {columns} columns the lanes of a warp cannot hold so"));
        }
        if Some(layout) != compute.layout() {
            return fail(format!("gives '{tile}', expected the layout of the first tile"));
        }
    }
    Ok(())
}

pub(super) fn compute_body<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(compute) = Compute::of(op) else { return Ok(()) };
    let end = compute.terminator().filter(|end| ir::name_of(*end) == "warp.yield");
    let Some(end) = end else {
        return Err(Diagnostic::on(op, "body does not end with warp.yield"));
    };
    let elements: Vec<Type> = op
        .results()
        .filter_map(|tile| RankedTensorType::try_from(tile.r#type()).ok().map(|tile| tile.element()))
        .collect();
    let found: Vec<Type> = end.operands().map(|value| value.r#type()).collect();
    if found != elements {
        let list = |types: &[Type]| types.iter().map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ");
        return Err(Diagnostic::on(end, format!("gives ({}), expected ({})", list(&found), list(&elements))));
    }
    Ok(())
}

pub(super) fn read<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(read) = Read::of(op) else { return Ok(()) };
    let reader = std::iter::successors(op.parent_operation(), |op| op.parent_operation()).find_map(Compute::of);
    let Some(producer) = Compute::giving(read.tile()) else {
        return fail("reads a tile that is not the result of a warp.compute".into());
    };
    if producer.op().block() != reader.map_or(op, Compute::op).block() {
        return fail("reads a tile of another block, expected one beside it".into());
    }
    if producer.layout() == Some(Layout::Lane) {
        return fail("reads a tile with #warp.lane, whose values no other lane can see".into());
    }
    let map = read.map();
    if map.result_count() != producer.rank() {
        return fail(format!(
            "has {} indices, expected {}, one for each dimension of \"{}\"",
            map.result_count(),
            producer.rank(),
            producer.name()
        ));
    }
    let Some(reader) = reader else {
        return match read.boundary() {
            Boundary::None => Ok(()),
            mode => fail(format!("has boundary '{}' outside of a warp.compute, expected none", mode.keyword())),
        };
    };
    for (index, coordinate) in read.coordinates().iter().enumerate() {
        // Computed in the body, or the variable of a loop in it, which is a constant where the loop has one iteration.
        if ir::defining_op(*coordinate).is_some_and(|op| ir::name_of(op) == "arith.constant") {
            continue;
        }
        let block = ir::block_of(*coordinate);
        let parents =
            std::iter::successors(block.and_then(|block| block.parent_operation()), |op| op.parent_operation());
        if parents.into_iter().all(|op| op != reader.op()) {
            return fail(format!(
                "index operand #{index} is not a coordinate of \"{}\", nor computed in it",
                reader.name()
            ));
        }
    }
    match (read.boundary(), read.padding()) {
        (Boundary::Constant, None) => fail("boundary 'constant' has no value, expected one, as in constant(%v)".into()),
        (Boundary::None, None) => Ok(()),
        (_, None) | (Boundary::Constant, Some(_)) if producer.extents().is_none() => fail(format!(
            "has boundary '{}', expected extents of \"{}\" to bring indices inside of",
            read.boundary().keyword(),
            producer.name()
        )),
        (_, None) | (Boundary::Constant, Some(_)) => Ok(()),
        (boundary, Some(_)) => {
            fail(format!("boundary '{}' has a value in parentheses, expected none", boundary.keyword()))
        }
    }
}

pub(super) fn load<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(load) = Load::of(op) else { return Ok(()) };
    let rank = MemRefType::try_from(load.memory().r#type()).map_or(0, |memory| memory.rank());
    let indices = load.map().result_count();
    if indices != rank {
        return fail(format!("has {indices} indices, expected {rank}, one for each dimension of the memory"));
    }
    if let Some(needed) = load.needed().filter(|needed| needed.len() != rank) {
        return fail(format!("has {} intervals in 'needed', expected {rank}", needed.len()));
    }
    let reader = std::iter::successors(op.parent_operation(), |op| op.parent_operation()).find_map(Compute::of);
    if reader.is_none() {
        return fail("stands outside of a warp.compute, expected in one".into());
    }
    let modes = load.modes();
    if let (true, boundary) = (op.has_attribute("modes"), load.boundary())
        && boundary != Boundary::None
    {
        return fail(format!("has 'modes' and boundary '{}', expected one of them", boundary.keyword()));
    }
    if modes.len() != rank || modes.contains(&None) {
        return fail(format!("has 'modes' other than {rank} of none, clamp, mirror, reflect101, wrap and constant"));
    }
    match (modes.contains(&Some(Boundary::Constant)), load.padding()) {
        (true, None) => fail("boundary 'constant' has no value, expected one, as in constant(%v)".into()),
        (false, Some(_)) => fail("has a value in parentheses, and no boundary 'constant'".into()),
        _ => Ok(()),
    }
}

pub(super) fn write<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let fail = |message: String| Err(Diagnostic::on(op, message));
    let Some(write) = Write::of(op) else { return Ok(()) };
    let Some(compute) = Compute::giving(write.tile()) else {
        return fail("writes a tile that is not the result of a warp.compute".into());
    };
    if compute.op().block() != op.block() {
        return fail("writes a tile of another block, expected one beside it".into());
    }
    let (region, computed) = (write.region(), compute.region());
    let inside = region.len() == computed.len()
        && region.iter().zip(&computed).all(|((lo, hi), (from, to))| from <= lo && lo < hi && hi <= to);
    if !inside {
        return fail(format!("writes {}, expected some of the computed {}", text(&region), text(&computed)));
    }
    let memory = MemRefType::try_from(write.memory().r#type()).ok();
    let element = element_of(write.tile());
    match memory {
        Some(memory) if memory.rank() == region.len() && Some(memory.element()) == element => Ok(()),
        _ => fail(format!(
            "writes to '{}', expected memory of {} dimensions and the tile's elements",
            write.memory().r#type(),
            region.len()
        )),
    }
}

fn element_of<'c>(tile: Value<'c, '_>) -> Option<Type<'c>> {
    RankedTensorType::try_from(tile.r#type()).ok().map(|tile| tile.element())
}

fn text(region: &[(i64, i64)]) -> String {
    region.iter().map(|(lo, hi)| format!("[{lo}, {hi})")).collect::<Vec<_>>().join(" x ")
}

pub(super) fn stream<'c>(op: OperationRef<'c, '_>) -> Verdict<'c> {
    let Some(stream) = Stream::of(op) else { return Ok(()) };
    if stream.unroll() < 1 {
        return Err(Diagnostic::on(op, format!("'unroll' is {}, expected a positive number", stream.unroll())));
    }
    match ir::operations(stream.body()).find(|op| Compute::of(*op).is_none() && Write::of(*op).is_none()) {
        Some(other) => Err(Diagnostic::on(other, "is in a warp.stream, expected computes and writes only")),
        None => Ok(()),
    }
}
