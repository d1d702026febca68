//! `--lower-warp`: what is left of tiles becomes loops over lanes, shared memory, and synchronisation where it is needed.
//!
//! ```text
//! %a = warp.compute "blurx" at (%tile_y, %tile_x) step [8, 256]    scf.for %i = 0 to 10 { scf.for %j = 0 to 8 {
//!     in [-1, 9) x [0, 256) (%y, %x) {                               %offset = %j * 32 + %lane
//!   %v = <body>                                            ──▶       %v = <body at %tile_y * 8 - 1 + %i, %tile_x * 256 + %offset>
//!   warp.yield %v } : <10x256xf32, #warp.shared>                     memref.store %v, %shared[%warp * 2560 + %i * 256 + %offset] } }
//! %b = warp.compute "blury" ... { warp.read %a[...] }              nvvm.bar.warp.sync
//! ```
//!
//! - With `planes_together` the planes of a pixel are written out, innermost, and what does not depend on the plane is there once.
//! - All lanes compute, also those whose offset is beyond the box (they repeat its last point); only stores ask.
//! - A tile that is written back is written where it is computed.
//! - Shared memory is planned once for a kernel: tiles that are not alive together share bytes. A warp's part lies behind
//!   that of the warp before it.
//! - A sync stands where a compute reads what was written since the last one, or writes where others may still read
//!   ([`barriers`](super::barriers)).
//!
//! Register tiles must be gone: `--shuffle` turns them into values.

use super::{
    barriers::{Slot, barriers},
    loads::lower_loads,
    tiles::{
        SPLIT, along, blocks_of, bytes_of, clamp_coordinate, computes_of, copy_name, element_of, extents_of, linear,
        needed_along, origin, resolve_index, resolve_read, uses_coordinate, volume_of,
    },
};
use crate::ir::{
    Builder, Compare, Emit, Key, Number, apply, expressions, is, key, location::name_of_value, only_block,
};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, BlockRef, OperationRef, Value,
        operation::{OperationLike, OperationMutLike},
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::{HashMap, HashSet};
use weft_dialects::{
    pipeline::{Boundary, coordinate_names},
    warp::{Compute, Layout, Read, Stream, TileId, Write, is_sync},
};
use weft_model::{Arith, Expr, Lifetime, MAX_SHARED, constant, dim, place_buffers};

/// The pass.
pub struct LowerWarp;

const SYNCS: Statistic = Statistic::new(c"syncs", c"Synchronisations that were needed");
const SHARED: Statistic = Statistic::new(c"shared-bytes", c"Bytes of shared memory of a block");

impl Pass for LowerWarp {
    const ARGUMENT: &'static str = "lower-warp";
    const SUMMARY: &'static str = "Lower tiles in shared memory to loops over lanes";
    const DESCRIPTION: &'static str = "\
Turns what is left of the dialect `warp` in kernels into `scf`, `memref`, `gpu` and `nvvm`: computes into loops over the \
points of their box, 32 at a time; tiles into shared memory; synchronisation where a compute needs it (`nvvm.bar.warp.sync`, \
or `gpu.barrier` where a tile belongs to a block).";
    const STATISTICS: &'static [Statistic] = &[SYNCS, SHARED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[
            DialectHandle::arith(),
            DialectHandle::gpu(),
            DialectHandle::memref(),
            mlir_glue::tool::nvvm(),
            DialectHandle::scf(),
        ]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let kernels: Vec<_> = ir::walk(module).into_iter().filter(|op| is(*op, "gpu.func")).collect();
        for func in kernels {
            let Some(id) = ir::walk(func).into_iter().find_map(TileId::of) else { continue };
            lower_loads(cx.context(), computes_of(func))?;
            let mut kernel = KernelLowering::new(cx, func, id);
            kernel.lower()?;
            cx.count(SYNCS, kernel.syncs);
            cx.count(SHARED, usize::try_from(kernel.shared).unwrap_or_default());
        }
        Ok(())
    }
}

/// A kernel while it is lowered.
struct KernelLowering<'c, 'a> {
    func: OperationRef<'c, 'a>,
    id: TileId<'c, 'a>,
    b: Builder<'c, 'a>,
    /// The lane's number along each dimension of the grid.
    lanes: Vec<Value<'c, 'a>>,
    /// How many lanes there are along each dimension of the grid.
    counts: Vec<i64>,
    /// The number of the warp in its block; `None` where a tile belongs to the block.
    warp: Option<Value<'c, 'a>>,
    /// How many warps a block has.
    warps: i64,
    /// The memory of shared tiles.
    memory: HashMap<Key, Value<'c, 'a>>,
    slots: HashMap<Key, Slot>,
    /// The first points of boxes, by the tile's number, the step and the box: made at the kernel's head, or before a compute.
    firsts: HashMap<(Option<Key>, Key, i64, i64), Value<'c, 'a>>,
    /// The numbers of the tile.
    ids: Vec<Key>,
    shared: i64,
    syncs: usize,
}

impl<'c: 'a, 'a> KernelLowering<'c, 'a> {
    fn new(cx: &PassContext<'c>, func: OperationRef<'c, 'a>, id: TileId<'c, 'a>) -> Self {
        let b = Builder::before(cx.context(), id.op());
        Self {
            func,
            id,
            b,
            lanes: Vec::new(),
            counts: id.lanes(),
            warp: None,
            warps: id.warps().map_or(1, |warps| warps.into_iter().fold(1, i64::saturating_mul)),
            memory: HashMap::new(),
            slots: HashMap::new(),
            firsts: HashMap::new(),
            ids: Vec::new(),
            shared: 0,
            syncs: 0,
        }
    }

    fn lower(&mut self) -> Result<(), Failure<'c>> {
        let computes = computes_of(self.func);
        for compute in &computes {
            if !matches!(compute.layout(), Some(Layout::Shared | Layout::Lane)) {
                let message =
                    format!("\"{}\" has a tile in registers, expected none: run --shuffle first", compute.name());
                return Err(Diagnostic::on(compute.op(), message).into());
            }
        }
        if let Some(stream) = ir::walk(self.func).into_iter().find_map(Stream::of) {
            return Err(Diagnostic::on(stream.op(), "walks down rows in registers: run --shuffle first").into());
        }
        self.place_threads();
        self.plan_shared(&blocks_of(self.func))?;
        self.synchronise();
        for read in
            ir::walk(self.func).into_iter().filter_map(Read::of).filter(|read| is_outside(*read)).collect::<Vec<_>>()
        {
            self.lower_read(read)?;
        }
        // Readers go before what they read, so that a tile has no use left when it goes.
        for compute in computes.iter().rev() {
            self.lower_compute(*compute)?;
        }
        // What was noted for passes in between: absent where there was nothing to say.
        for note in ["warp.schedule", SPLIT] {
            let _ = ir::mutable(self.func).remove_attribute(note);
        }
        Ok(())
    }

    /// Replaces `warp.tile_id`: threads of a block are one row, warps and lanes are numbered along x first.
    fn place_threads(&mut self) {
        let b = self.b;
        let axis = |name: &str| [("dimension", b.parse_attribute(&format!("#gpu<dim {name}>")))];
        let thread = b.named("thread").value("gpu.thread_id", &[], b.index_type(), &axis("x"));
        let rank = self.counts.len();
        let split = |what: &str, mut rest: Value<'c, 'a>, counts: &[i64]| {
            let mut offsets = Vec::new();
            for (d, count) in counts.iter().enumerate().rev() {
                let b = b.named(&along(what, rank, d));
                // The outermost takes what is left.
                let is_last = counts[..d].iter().all(|count| *count == 1);
                offsets.push(match count {
                    1 => b.index(0),
                    _ if is_last => rest,
                    count => b.arith("remui", rest, b.index(*count)),
                });
                if *count > 1 && !is_last {
                    rest = b.named("rest").arith("divui", rest, b.index(*count));
                }
            }
            offsets.reverse();
            offsets
        };
        let warps = match self.id.warps() {
            Some(warps) => {
                let lane = b.named("lane").arith("remui", thread, b.index(32));
                let warp = b.named("warp").arith("divui", thread, b.index(32));
                self.lanes = split("lane", lane, &self.counts);
                self.warp = Some(warp);
                warps
            }
            None => {
                self.lanes = split("thread", thread, &self.counts);
                vec![1; rank]
            }
        };
        let own = self.warp.map(|warp| split("warp", warp, &warps));
        for (d, name) in ["x", "y", "z"].into_iter().take(rank).enumerate() {
            let d = rank - 1 - d;
            let tile = b.named(&along("tile", rank, d));
            let block = |b: Builder<'c, 'a>| b.value("gpu.block_id", &[], b.index_type(), &axis(name));
            let id = match own.as_ref().filter(|_| warps[d] > 1) {
                Some(own) => {
                    let block = block(b.named(&along("block", rank, d)));
                    let first = b.named(&along("first_tile", rank, d)).arith("muli", block, b.index(warps[d]));
                    tile.arith("addi", first, own[d])
                }
                None => block(tile),
            };
            ir::replace_all_uses(self.id.op().result(d).expect("a result for each dimension").into(), id);
            self.ids.push(key(id));
        }
        // What is made from here on stands behind the tile's number.
        let next = self.id.op().next_in_block().expect("a block has an end");
        self.b = Builder::before(b.context(), next).located(b.location());
        ir::erase(self.id.op());
    }

    /// Gives every shared tile its bytes.
    fn plan_shared(&mut self, blocks: &[BlockRef<'c, 'a>]) -> Result<(), Failure<'c>> {
        let mut total = 0;
        for block in blocks {
            let ops: Vec<OperationRef> = ir::operations(*block).collect();
            let mut tiles = Vec::new();
            let mut lives = Vec::new();
            for (start, op) in ops.iter().enumerate() {
                let Some(compute) = Compute::of(*op).filter(|compute| compute.layout() == Some(Layout::Shared)) else {
                    continue;
                };
                for tile in compute.op().results().map(Value::from) {
                    let reads = |op: &OperationRef<'c, 'a>| {
                        ir::walk(*op).into_iter().filter_map(Read::of).any(|read| read.tile() == tile)
                    };
                    let end = ops.iter().rposition(reads).unwrap_or(start);
                    let bytes = bytes_of(tile);
                    self.check_shared(bytes)?;
                    tiles.push(tile);
                    lives.push(Lifetime { start, end, bytes });
                }
            }
            let (offsets, bytes) = place_buffers(&lives, 16);
            for ((tile, life), offset) in tiles.iter().zip(&lives).zip(offsets) {
                self.slots.insert(key(*tile), Slot { offset, bytes: life.bytes });
            }
            total = total.max(bytes);
        }
        self.shared = total.saturating_mul(self.warps);
        self.check_shared(self.shared)?;
        if self.shared > 0 {
            self.view_shared(total);
        }
        Ok(())
    }

    fn check_shared(&self, bytes: i64) -> Result<(), Diagnostic<'c>> {
        if bytes <= MAX_SHARED {
            return Ok(());
        }
        let message = format!(
            "kernel needs {bytes} bytes of shared memory a block, expected at most {MAX_SHARED}: choose a smaller tile or block"
        );
        Err(Diagnostic::on(self.func, message))
    }

    /// The workgroup's memory as bytes, and each tile as a view of its own.
    fn view_shared(&mut self, per_warp: i64) {
        let b = self.b;
        let bytes = self.shared;
        let body = only_block(self.func);
        let space = "#gpu.address_space<workgroup>";
        let ty = b.parse_type(&format!("memref<{bytes}xi8, {space}>"));
        let buffer: Value = body.add_argument(ty, b.named("shared").location());
        let mut func = ir::mutable(self.func);
        func.set_attribute("workgroup_attributions", b.parse_attribute("1 : i64"));
        func.set_attribute("workgroup_attrib_attrs", b.parse_attribute("[{llvm.align = 16 : i64}]"));
        let start = self.warp.map(|warp| b.named("shared_of_warp").arith("muli", warp, b.index(per_warp)));
        let tiles: Vec<(&str, Value)> = computes_of(self.func)
            .into_iter()
            .flat_map(|compute| compute.op().results().map(|tile| (compute.name(), tile.into())).collect::<Vec<_>>())
            .filter(|(_, tile)| self.slots.contains_key(&key(*tile)))
            .collect();
        for (name, tile) in tiles {
            let slot = self.slots[&key(tile)];
            let at = b.named(&format!("{name}.at"));
            let offset = match start {
                Some(start) => Emit(&at).add(&Number::Value(start), &Number::Known(slot.offset)).value(&b),
                None => b.index(slot.offset),
            };
            let count = volume_of(tile);
            let element = element_of(tile);
            let ty = b.parse_type(&format!("memref<{count}x{element}, {space}>"));
            let view = b.named(&format!("{name}.tile")).value("memref.view", &[buffer, offset], ty, &[]);
            self.memory.insert(key(tile), view);
        }
    }

    /// Puts a sync before each op that needs one, and in place of those that the program has.
    fn synchronise(&mut self) {
        let needed = barriers(only_block(self.func), &self.slots);
        let (said, mut all) = (ir::walk(self.func).into_iter().filter(|op| is_sync(*op)).collect::<Vec<_>>(), needed);
        all.extend(&said);
        self.syncs = all.len();
        // A sync of those who own a tile.
        let b = self.b;
        let mask = (self.warp.is_some() && !all.is_empty())
            .then(|| b.value("arith.constant", &[], b.parse_type("i32"), &[("value", b.parse_attribute("-1 : i32"))]));
        for op in all {
            let here = Builder::before(b.context(), op);
            match mask {
                Some(mask) => here.op("nvvm.bar.warp.sync", &[mask], &[], &[]),
                None => here.op("gpu.barrier", &[], &[], &[]),
            };
        }
        said.into_iter().for_each(ir::erase);
    }

    /// The coordinate of the first point of a compute's box along `d`.
    fn first(&mut self, compute: Compute<'c, 'a>, d: usize) -> Number<'c, 'a> {
        let (at, step, lo) = (compute.at()[d], compute.step()[d], compute.region()[d].0);
        if step == 0 {
            return Number::Known(lo);
        }
        // Of other numbers than the kernel's it is known only that the compute has them.
        let own: Value = compute.op().result(0).expect("a compute has a tile").into();
        let (b, of) = match self.ids.contains(&key(at)) {
            true => (self.b, None),
            false => (Builder::before(self.b.context(), compute.op()), Some(key(own))),
        };
        let rank = compute.rank();
        let first = self.firsts.entry((of, key(at), step, lo)).or_insert_with(|| {
            let start = Number::Value(origin(&b, (at, step), (rank, d)));
            let b = b.named(&along(if lo < 0 { "halo" } else { "first" }, rank, d));
            Emit(&b).add(&start, &Number::Known(lo)).value(&b)
        });
        Number::Value(*first)
    }

    /// The loops of a compute, and in them its body, its stores, and its writes.
    fn lower_compute(&mut self, compute: Compute<'c, 'a>) -> Result<(), Failure<'c>> {
        let op = compute.op();
        let region = compute.region();
        let rank = region.len();
        let firsts: Vec<Number> = (0..rank).map(|d| self.first(compute, d)).collect();
        let mut b = Builder::before(self.b.context(), op);
        // Dimensions of the grid and of the stage end together.
        let lane = |d: usize| (d + self.counts.len()).checked_sub(rank);
        let mut offsets = Vec::new();
        let mut in_box = None;
        // Along dimensions that the stage lacks, one lane stores.
        for d in 0..self.counts.len().saturating_sub(rank) {
            if self.counts[d] > 1 {
                let here = b.named("in_box").compare(Compare::Equal, self.lanes[d], b.index(0));
                in_box = b.named("in_box").both(in_box, Some(here));
            }
        }
        let plane = compute.plane();
        for (d, (lo, hi)) in region.iter().enumerate() {
            if plane == Some(d) {
                offsets.push(Number::Known(0));
                continue;
            }
            let count = lane(d).map_or(1, |d| self.counts[d]);
            let extent = hi - lo;
            let iterations = (extent + count - 1) / count;
            let mut offset = match lane(d).filter(|_| count > 1) {
                Some(d) => Number::Value(self.lanes[d]),
                None => Number::Known(0),
            };
            let name = offset_name(rank, d);
            if iterations > 1 {
                let loops = if count > 1 { b.named("strip") } else { b.named(name) };
                let (inner, iteration) = loops.for_loop(b.index(0), b.index(iterations));
                b = inner;
                let start = Emit(&b.named("first")).mul(&Number::Value(iteration), count);
                offset = Emit(&b.named(name)).add(&start, &offset);
            }
            if extent % count != 0 {
                let here = b.named("in_box").compare(Compare::Less, offset.value(&b), b.index(extent));
                in_box = b.named("in_box").both(in_box, Some(here));
                offset = Emit(&b.named(name)).min(&offset, &Number::Known(extent - 1));
            }
            offsets.push(offset);
        }
        let first = BoxPoint::new(&b, compute, &firsts, offsets);
        let planes = plane.map_or(1, |d| region[d].1 - region[d].0);
        let points: Vec<BoxPoint> = (0..planes)
            .map(|number| match plane.filter(|_| number > 0) {
                Some(d) => first.of_plane(&b, compute, (d, firsts[d]), number),
                None => first.clone(),
            })
            .collect();
        let values = self.body(&b, compute, &points)?;
        let store = in_box.map_or(b, |in_box| b.if_then(in_box));
        for (number, tile) in op.results().map(Value::from).enumerate() {
            let users: Vec<Write> = op
                .block()
                .into_iter()
                .flat_map(|block| ir::operations(block).collect::<Vec<_>>())
                .filter_map(Write::of)
                .filter(|write| write.tile() == tile)
                .collect();
            for (point, values) in points.iter().zip(&values) {
                if let Some(memory) = self.memory.get(&key(tile)) {
                    let index = linear(&store.named("slot"), &point.offsets, &extents_of(tile));
                    store.store(values[number], *memory, &[index]);
                }
                users.iter().for_each(|write| point.write(&store, compute, *write, values[number]));
            }
            users.into_iter().for_each(|write| ir::erase(write.op()));
        }
        ir::erase(op);
        Ok(())
    }

    /// A read by values, outside of a compute: its index is moved inside the tile.
    fn lower_read(&mut self, read: Read<'c, 'a>) -> Result<(), Failure<'c>> {
        let b = Builder::before(self.b.context(), read.op());
        let producer = Compute::giving(read.tile()).expect("verified");
        let exprs = expressions(read.map())
            .ok_or_else(|| Diagnostic::on(read.op(), "divides by a number that is not positive"))?;
        let coordinates = read.coordinates();
        let mut slots = Vec::new();
        for (d, expr) in exprs.iter().enumerate() {
            let (lo, hi) = producer.region()[d];
            let index = apply(expr, &coordinates, &b.named(&along("at", exprs.len(), d)));
            let start = self.first(producer, d).value(&b);
            let b = b.named("place");
            let slot = Number::Value(b.arith("subi", index, start));
            let mut emit = Emit(&b);
            let above = emit.max(&slot, &Number::Known(0));
            slots.push(emit.min(&above, &Number::Known(hi - lo - 1)));
        }
        let index = linear(&b.named("slot"), &slots, &extents_of(read.tile()));
        let name = name_of_value(read.op().result(0).expect("reads have a result").into());
        let value = b.named(name.unwrap_or(producer.name())).load(
            self.memory[&key(read.tile())],
            &[index],
            element_of(read.tile()),
        );
        ir::replace_all_uses(read.op().result(0).expect("reads have a result").into(), value);
        ir::erase(read.op());
        Ok(())
    }

    /// The body at points that differ along the planes alone: what does not depend on them stands there once.
    fn body(
        &mut self,
        b: &Builder<'c, 'a>,
        compute: Compute<'c, 'a>,
        points: &[BoxPoint<'c, 'a>],
    ) -> Result<Vec<Vec<Value<'c, 'a>>>, Failure<'c>> {
        let body = compute.body();
        let end = compute.terminator().ok_or_else(|| Diagnostic::on(compute.op(), "has no warp.yield"))?;
        let argument = |d: usize| -> Value { body.argument(d).expect("a coordinate for each dimension").into() };
        let originals: Vec<_> = ir::operations(body).filter(|op| *op != end).collect();
        let of_plane = compute.plane().map_or_else(Vec::new, |d| depending_on(argument(d), &originals));
        let mut values: HashMap<Key, Value> = HashMap::new();
        let mut all = Vec::new();
        for (number, point) in points.iter().enumerate() {
            for (d, coordinate) in point.inside.iter().enumerate() {
                if let Some(coordinate) = coordinate {
                    values.insert(key(argument(d)), coordinate.value(b));
                }
            }
            let originals: Vec<_> = originals.iter().filter(|op| number == 0 || of_plane.contains(op)).collect();
            let name = |op| b.named(&copy_name(op, compute.name(), ""));
            let clones: Vec<_> = originals.iter().map(|op| name(**op).clone_mapped(**op, &mut values)).collect();
            for (original, clone) in originals.iter().zip(&clones) {
                for (original, clone) in ir::walk(**original).into_iter().zip(ir::walk(*clone)) {
                    let (Some(read), Some(copy)) = (Read::of(original), Read::of(clone)) else { continue };
                    let here = Builder::before(b.context(), clone);
                    let value = self.read(&here, compute, (read, copy), point)?;
                    ir::replace_all_uses(clone.result(0).expect("reads have a result").into(), value);
                    values.insert(key(original.result(0).expect("reads have a result").into()), value);
                    ir::erase(clone);
                }
            }
            all.push(end.operands().map(|value| values.get(&key(value)).copied().unwrap_or(value)).collect());
        }
        Ok(all)
    }

    /// The value of a read.
    fn read(
        &mut self,
        b: &Builder<'c, 'a>,
        reader: Compute<'c, 'a>,
        (read, copy): (Read<'c, 'a>, Read<'c, 'a>),
        point: &BoxPoint<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let producer = Compute::giving(read.tile()).expect("verified");
        let memory = self.memory[&key(read.tile())];
        let padding = copy.padding();
        let resolved = resolve_read(reader, producer, read)?;
        let values = copy.coordinates();
        let values: Vec<Number> = resolved.values.iter().map(|operand| Number::Value(values[*operand])).collect();
        let inside_or = |d: &Option<Number<'c, 'a>>| d.unwrap_or(Number::Known(0));
        let here: Vec<Number> = point.inside.iter().map(inside_or).chain(values.iter().copied()).collect();
        let offsets = [&point.offsets[..], &values].concat();
        // An offset in a box, and where the box begins: that is relative to the tile's first point.
        let starts = reader.region().into_iter().map(|(lo, _)| Some(lo)).chain(values.iter().map(|_| None));
        let starts: Vec<Expr> = starts
            .enumerate()
            .map(|(d, lo)| Expr::Add(Box::new(dim(d)), Box::new(constant(lo.unwrap_or(0)))))
            .collect();
        let extents = producer.extents();
        let mut slots = Vec::new();
        let mut inside = None;
        for (d, (index, local)) in resolved.indices.iter().zip(&resolved.locals).enumerate() {
            let (lo, hi) = producer.region()[d];
            let extent = extents.as_ref().map(|extents| extents[d]);
            // A coordinate over an extent of its own stays inside.
            let stays = match (index, extent, reader.extents()) {
                (Expr::Dim(own), Some(extent), Some(extents)) => extents.get(*own) == Some(&extent),
                _ => false,
            };
            match extent.filter(|_| read.boundary() != Boundary::None && !stays) {
                Some(extent) => {
                    let rank = producer.rank();
                    let index = index.eval_in(&here, &mut Emit(&b.named(&along("at", rank, d)))).value(b);
                    let resolved = resolve_index(b, index, (extent.into(), read.boundary()), (rank, d));
                    let start = self.first(producer, d);
                    let place = b.named("place");
                    let slot = place.arith("subi", resolved.index, start.value(b));
                    // Points that are not used may read anywhere in the tile, but not outside.
                    let mut emit = Emit(&place);
                    let above = emit.max(&Number::Value(slot), &Number::Known(0));
                    slots.push(emit.min(&above, &Number::Known(hi - lo - 1)));
                    inside = b.named("inside").both(inside, resolved.inside);
                }
                None => {
                    let offset = Expr::Add(Box::new(local.substitute(&starts)), Box::new(constant(-lo)));
                    slots.push(offset.simplified().eval_in(&offsets, &mut Emit(&b.named("place"))));
                }
            }
        }
        let index = linear(&b.named("slot"), &slots, &extents_of(read.tile()));
        let element = element_of(read.tile());
        let b = b.named(producer.name());
        let value = b.load(memory, &[index], element);
        Ok(match (inside, padding) {
            (Some(inside), Some(padding)) => b.select(inside, value, padding, element),
            _ => value,
        })
    }
}

/// The ops of a body that a value, or what is computed from it, goes into at any depth.
fn depending_on<'c: 'a, 'a>(value: Value<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> Vec<OperationRef<'c, 'a>> {
    let mut known = HashSet::from([key(value)]);
    let mut all = Vec::new();
    for op in ops {
        if ir::walk(*op).into_iter().any(|op| op.operands().any(|operand| known.contains(&key(operand)))) {
            known.extend(op.results().map(|result| key(result.into())));
            all.push(*op);
        }
    }
    all
}

/// A point of a box.
#[derive(Clone)]
struct BoxPoint<'c, 'a> {
    /// Its offsets in the box.
    offsets: Vec<Number<'c, 'a>>,
    /// Its coordinates, which may lie outside the image.
    coordinates: Vec<Number<'c, 'a>>,
    /// The coordinates that the body gets; `None` of those that it does not use.
    inside: Vec<Option<Number<'c, 'a>>>,
}

impl<'c: 'a, 'a> BoxPoint<'c, 'a> {
    fn new(
        b: &Builder<'c, 'a>,
        compute: Compute<'c, 'a>,
        firsts: &[Number<'c, 'a>],
        offsets: Vec<Number<'c, 'a>>,
    ) -> Self {
        let rank = compute.rank();
        let at = |(d, (first, offset)): (usize, (&Number<'c, 'a>, &Number<'c, 'a>))| {
            Emit(&b.named(coordinate_names(rank).get(d).unwrap_or(&"d"))).add(first, offset)
        };
        let coordinates: Vec<Number> = firsts.iter().zip(&offsets).enumerate().map(at).collect();
        let uses = |(d, coordinate): (usize, &Number<'c, 'a>)| {
            uses_coordinate(compute, d).then(|| clamp_coordinate(b, compute, d, *coordinate))
        };
        let inside = coordinates.iter().enumerate().map(uses).collect();
        Self { offsets, coordinates, inside }
    }

    /// The point of another plane, along `d`.
    fn of_plane(
        &self,
        b: &Builder<'c, 'a>,
        compute: Compute<'c, 'a>,
        (d, first): (usize, Number<'c, 'a>),
        plane: i64,
    ) -> Self {
        let mut point = self.clone();
        point.offsets[d] = Number::Known(plane);
        point.coordinates[d] = Emit(&b.named("plane")).add(&first, &point.offsets[d]);
        point.inside[d] = self.inside[d].map(|_| clamp_coordinate(b, compute, d, point.coordinates[d]));
        point
    }

    /// Stores a value to the image, if the point is one to be written.
    fn write(&self, b: &Builder<'c, 'a>, compute: Compute<'c, 'a>, write: Write<'c, 'a>, value: Value<'c, 'a>) {
        let mut condition = None;
        let b = &b.named("mask");
        let mut require = |here: Value<'c, 'a>| condition = b.both(condition, Some(here));
        for (d, ((from, to), (lo, hi))) in write.region().into_iter().zip(compute.region()).enumerate() {
            if from > lo {
                require(b.compare(Compare::GreaterEqual, self.offsets[d].value(b), b.index(from - lo)));
            }
            if to < hi {
                require(b.compare(Compare::Less, self.offsets[d].value(b), b.index(to - lo)));
            }
        }
        for (d, coordinate) in self.coordinates.iter().enumerate() {
            let Some((first, end)) = needed_along(compute, d) else { continue };
            // A box begins at 0 or behind it.
            if first > compute.region()[d].0.max(0) {
                require(b.compare(Compare::GreaterEqual, coordinate.value(b), b.index(first)));
            }
            require(b.compare(Compare::Less, coordinate.value(b), end.value(b)));
        }
        let b = condition.map_or(*b, |condition| b.if_then(condition));
        let coordinates: Vec<Value> = self.coordinates.iter().map(|coordinate| coordinate.value(&b)).collect();
        b.store(value, write.memory(), &coordinates);
    }
}

/// What the offset along a dimension of a box is called.
fn offset_name(rank: usize, d: usize) -> &'static str {
    match rank - d {
        1 => "column",
        2 => "row",
        3 => "plane",
        _ => "image",
    }
}

/// Whether a read stands outside of all computes.
fn is_outside(read: Read) -> bool {
    std::iter::successors(read.op().parent_operation(), |op| op.parent_operation()).all(|op| Compute::of(op).is_none())
}
