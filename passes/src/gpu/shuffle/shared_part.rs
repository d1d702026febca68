//! The part of hybrid tiles that stays in shared memory, as computes of its own.
//!
//! ```text
//! %a = warp.compute "blurx" ... in [-1, 9) x [0, 258)              %s = warp.compute "blurx" ... in [-1, 9) x [0, 130) { the same body }
//!      { ... } : <10x258xf32, #warp.hybrid<130>>            ──▶         : <10x130xf32, #warp.shared>
//! warp.write %a to %out ... [0, 8) x [0, 256)                      warp.write %s to %out ... [0, 8) x [0, 130)
//! ```
//!
//! It reads the shared parts of other tiles: what a consumer needs of a producer lies in the same columns, or left of them.

use super::register_tile::RegisterTile;
use crate::gpu::tiles::{retype, set_box};
use crate::ir::Builder;
use melior::ir::{
    OperationRef, Value,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Diagnostic, ir};
use weft_dialects::warp::{Compute, Layout, Read};

/// The shared parts of tiles, by their numbers.
#[derive(Default)]
pub struct SharedParts<'c, 'a>(Vec<Option<Compute<'c, 'a>>>);

impl<'c: 'a, 'a> SharedParts<'c, 'a> {
    /// Builds the computes and their writes.
    ///
    /// # Errors
    ///
    /// A tile that has a shared part and reads one that has none.
    pub fn build(b: &Builder<'c, 'a>, tiles: &[RegisterTile<'c, 'a>]) -> Result<Self, Diagnostic<'c>> {
        let mut parts = Self(Vec::new());
        for tile in tiles {
            let part = match tile.layout {
                Layout::Hybrid(columns) if columns > 0 => Some(parts.of(b, tiles, tile, columns)?),
                _ => None,
            };
            parts.0.push(part);
        }
        Ok(parts)
    }

    /// The shared part of the tile that a read is of.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn tile(
        &self,
        on: OperationRef<'c, 'a>,
        producer: usize,
        result: usize,
    ) -> Result<Value<'c, 'a>, Diagnostic<'c>> {
        let part = self.0.get(producer).copied().flatten();
        let part = part.ok_or_else(|| Diagnostic::on(on, "reads left of a tile that has no shared part"))?;
        Ok(part.op().result(result).expect("a clone has the same results").into())
    }

    /// The shared part of one tile: its first columns.
    fn of(
        &self,
        b: &Builder<'c, 'a>,
        tiles: &[RegisterTile<'c, 'a>],
        tile: &RegisterTile<'c, 'a>,
        columns: i64,
    ) -> Result<Compute<'c, 'a>, Diagnostic<'c>> {
        let original = tile.compute.op();
        let clone = b.insert((*original).clone());
        let mut region = tile.region.clone();
        if let Some(last) = region.last_mut() {
            last.1 = last.0 + columns;
        }
        set_box(b, clone, &region);
        let is_read = tiles.iter().any(|reader| reader.reads().any(|read| read.producer == tile.number));
        let part = Compute::of(clone).expect("a clone of a compute");
        retype(b, part, if is_read { Layout::Shared } else { Layout::Lane });
        // Clones are walked in step with their originals.
        for (original, cloned) in ir::walk(original).into_iter().zip(ir::walk(clone)) {
            let Some(read) = Read::of(original).map(|read| tile.read_of(read)) else { continue };
            ir::mutable(cloned).set_operand(0, self.tile(original, read.producer, read.result)?);
        }
        for write in &tile.writes {
            let mut written = write.region();
            if let (Some(written), Some(part)) = (written.last_mut(), region.last()) {
                *written = (written.0.max(part.0), written.1.min(part.1));
                if written.0 >= written.1 {
                    continue;
                }
            }
            let result = original.results().position(|tile| Value::from(tile) == write.tile()).unwrap_or(0);
            let copy = b.insert((*write.op()).clone());
            ir::mutable(copy).set_operand(0, clone.result(result).expect("a clone has the same results").into());
            set_box(b, copy, &written);
        }
        Ok(part)
    }
}
