//! Rows of registers from memory and to it.
//!
//! ```text
//! a row of %a0 ... %a3, blocked         %row = vector.load %img[%y, %x0]       a vector, where rows are aligned
//!
//!                                       %ok = %lane >= 1 and %x0 < %w          columns of the tile, and of the image
//! warp.write %a to %out          ──▶    scf.if (%y < %h and %ok) { memref.store %a0, %out[%y, %x0] }
//! ```
//!
//! A condition that always holds is not asked, and those of columns are asked once for all rows.

use super::{
    coordinates::Coordinates,
    lanes::{LANES, Lanes},
    register_tile::RegisterTile,
};
use crate::ir::{Builder, Compare, bytes_of_element, is};
use melior::ir::{
    Attribute, BlockLike, OperationRef, ShapedTypeLike, Type, Value, ValueLike, operation::OperationLike,
    r#type::MemRefType,
};
use mlir_glue::ir;
use weft_dialects::warp::{Compute, Layout, Write};

/// Loads and stores of rows.
pub struct RowMemory<'t, 'c, 'a> {
    pub lanes: &'t Lanes<'c, 'a>,
    pub coordinates: &'t Coordinates<'t, 'c, 'a>,
    /// The rows of a loop's iteration; 0 where there is no loop.
    pub unroll: i64,
}

/// The registers of a lane for one row of a tile, in the order of its columns.
pub type Row<'c, 'a> = Vec<Value<'c, 'a>>;

/// Writes of one row with the same conditions.
struct Alike<'r, 'c, 'a> {
    region: Vec<(i64, i64)>,
    is_vector: bool,
    writes: Vec<(Write<'c, 'a>, &'r Row<'c, 'a>)>,
}

impl<'c: 'a, 'a> RowMemory<'_, 'c, 'a> {
    /// A row of an input as one vector, where its rows are aligned and its lanes blocked.
    pub fn load(&self, b: &Builder<'c, 'a>, tile: &RegisterTile<'c, 'a>, row: &[i64]) -> Option<Row<'c, 'a>> {
        let Layout::Blocked(columns) = tile.layout else { return None };
        if columns == 1 || !tile.compute.is_aligned() {
            return None;
        }
        let (memory, indices) = columns_loaded(tile.compute)?;
        let rows: Vec<_> = indices.iter().map(|index| self.coordinate(b, tile, row, *index)).collect();
        let element = MemRefType::try_from(memory.r#type()).ok()?.element();
        let name = self.coordinates.row_name(tile, row);
        let mut registers = Vec::new();
        for (offset, length) in vectors(columns, element) {
            let operands = [vec![memory], rows.clone(), vec![self.coordinates.column(tile, offset)]].concat();
            let alignment = alignment(b, length, element);
            let vector = b.named(&name).value("vector.load", &operands, vector_type(b, length, element), &[alignment]);
            registers.extend((0..length).map(|lane| {
                let b = b.named(&format!("{name}.x{}", tile.column(offset + lane)));
                b.value("vector.extract", &[vector], element, &[("static_position", b.integers(&[lane]))])
            }));
        }
        Some(registers)
    }

    /// What an index that the columns of a row share is in a row.
    fn coordinate(
        &self,
        b: &Builder<'c, 'a>,
        tile: &RegisterTile<'c, 'a>,
        row: &[i64],
        index: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let argument = |d: &usize| tile.compute.body().argument(*d).is_ok_and(|argument| index == argument.into());
        match (0..row.len()).find(argument) {
            Some(d) => self.coordinates.row(b, tile, d, row[d]).value(b),
            None => index,
        }
    }

    /// The coordinates of a point of a row.
    fn point(&self, b: &Builder<'c, 'a>, tile: &RegisterTile<'c, 'a>, row: &[i64], j: i64) -> Vec<Value<'c, 'a>> {
        let rows = row.iter().enumerate().map(|(d, row)| self.coordinates.row(b, tile, d, *row).value(b));
        rows.chain([self.coordinates.column(tile, j)]).collect()
    }

    /// Writes a row of each of the tiles of a compute.
    pub fn store(&self, b: &Builder<'c, 'a>, tile: &RegisterTile<'c, 'a>, row: &[i64], values: &[Row<'c, 'a>]) {
        // What is written alike has the same conditions.
        let mut alike: Vec<Alike> = Vec::new();
        for write in &tile.writes {
            let result = tile.compute.op().results().position(|tile| Value::from(tile) == write.tile()).unwrap_or(0);
            let is_vector = tile.columns > 1 && matches!(tile.layout, Layout::Blocked(_)) && write.is_aligned();
            let (region, write) = (write.region(), (*write, &values[result]));
            match alike.iter_mut().find(|alike| alike.region == region && alike.is_vector == is_vector) {
                Some(alike) => alike.writes.push(write),
                None => alike.push(Alike { region, is_vector, writes: vec![write] }),
            }
        }
        for Alike { region, is_vector, writes } in alike {
            let Some(in_rows) = self.in_rows(b, tile, row, &region) else { continue };
            let count = if is_vector { tile.columns } else { 1 };
            for j in (0..tile.columns).step_by(count as usize) {
                let Some(in_columns) = self.in_columns(tile, j, count, region[tile.rank() - 1]) else { continue };
                let condition = b.named("mask").both(in_rows, in_columns);
                let inner = condition.map_or(*b, |condition| b.if_then(condition));
                for (write, registers) in &writes {
                    match is_vector {
                        true => self.store_vectors(b, &inner, tile, row, (*write, registers)),
                        false => {
                            inner.store(registers[j as usize], write.memory(), &self.point(b, tile, row, j));
                        }
                    }
                }
            }
        }
    }

    /// Writes all columns of a lane.
    fn store_vectors(
        &self,
        b: &Builder<'c, 'a>,
        inner: &Builder<'c, 'a>,
        tile: &RegisterTile<'c, 'a>,
        row: &[i64],
        (write, registers): (Write<'c, 'a>, &Row<'c, 'a>),
    ) {
        let element = registers[0].r#type();
        for (offset, length) in vectors(tile.columns, element) {
            let part = &registers[offset as usize..(offset + length) as usize];
            let name = self.coordinates.row_name(tile, row);
            let vector = inner.named(&name).value("vector.from_elements", part, vector_type(b, length, element), &[]);
            let operands = [vec![vector, write.memory()], self.point(b, tile, row, offset)].concat();
            inner.op("vector.store", &operands, &[], &[alignment(b, length, element)]);
        }
    }

    /// Whether a row is written: `None` never, `Some(None)` always.
    fn in_rows(
        &self,
        b: &Builder<'c, 'a>,
        tile: &RegisterTile<'c, 'a>,
        row: &[i64],
        region: &[(i64, i64)],
    ) -> Option<Option<Value<'c, 'a>>> {
        let iteration = self.coordinates.iteration();
        let is_of_loop = |d: usize| iteration.is_some() && d + 1 == row.len();
        if !row.iter().zip(region).enumerate().all(|(d, (row, (lo, hi)))| is_of_loop(d) || (lo..hi).contains(&row)) {
            return None;
        }
        let mut conditions: Vec<Value> =
            (0..row.len()).filter_map(|d| self.coordinates.row_needed(b, tile, d, row[d])).collect();
        // A live-out that others read is ahead of the row that is written: in the last iteration beyond the tile.
        if let (Some(iteration), Some(y)) = (iteration, row.len().checked_sub(1))
            && row[y] >= self.unroll
        {
            let own = b.named("tile_row").arith("addi", iteration, b.index(row[y]));
            conditions.push(b.named("in_tile").compare(Compare::Less, own, b.index(region[y].1)));
        }
        Some(conditions.into_iter().reduce(|all, here| b.named("mask").logic("andi", all, here)))
    }

    /// Whether columns `j` to `j + count - 1` of the lane are written: `None` never, `Some(None)` always.
    fn in_columns(
        &self,
        tile: &RegisterTile<'c, 'a>,
        j: i64,
        count: i64,
        (lo, hi): (i64, i64),
    ) -> Option<Option<Value<'c, 'a>>> {
        // Lane 0 and lane 31 have the outermost places.
        let (stride, first) = (tile.stride(), tile.column(j));
        let last = first + (LANES - 1) * stride + count - 1;
        if last < lo || first >= hi {
            return None;
        }
        let mut conditions = Vec::new();
        if first < lo {
            conditions.push(self.lanes.at_least((lo - first + stride - 1).div_euclid(stride)));
        }
        if last >= hi {
            conditions.push(self.lanes.below((hi - (first + count - 1) + stride - 1).div_euclid(stride)));
        }
        conditions.extend(self.coordinates.column_needed(tile, j));
        Some(conditions.into_iter().reduce(|all, here| self.lanes.both(all, here)))
    }
}

/// The image, and its indices but the last, of a compute that loads rows of it from column to column and does nothing else.
fn columns_loaded<'c: 'a, 'a>(compute: Compute<'c, 'a>) -> Option<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
    let ops: Vec<OperationRef> = ir::operations(compute.body()).collect();
    let [load, end] = ops[..] else { return None };
    let loaded: Value = load.result(0).ok()?.into();
    if !is(load, "memref.load") || end.operands().any(|result| result != loaded) {
        return None;
    }
    let column: Value = compute.body().argument(compute.rank() - 1).ok()?.into();
    let mut indices: Vec<Value> = load.operands().collect();
    let last = indices.pop()?;
    (last == column && !indices.contains(&column)).then(|| (indices.remove(0), indices))
}

/// The vectors of at most 16 bytes that so many elements make: offset and length.
fn vectors(columns: i64, element: Type) -> Vec<(i64, i64)> {
    let most = (16 / bytes_of_element(element)).min(columns);
    (0..columns).step_by(most as usize).map(|offset| (offset, most.min(columns - offset))).collect()
}

fn vector_type<'c>(b: &Builder<'c, '_>, length: i64, element: Type) -> Type<'c> {
    b.parse_type(&format!("vector<{length}x{element}>"))
}

/// The bytes that a vector of so many elements is aligned to.
fn alignment<'c>(b: &Builder<'c, '_>, length: i64, element: Type) -> (&'static str, Attribute<'c>) {
    ("alignment", b.parse_attribute(&format!("{} : i64", length * bytes_of_element(element))))
}
