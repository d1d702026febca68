//! Scatters: one owner a point of the coordinates; or, where the order cannot show, many threads and atomics.
//!
//! ```text
//! %g = scatter "g" (%y, %x) over (%r) in [0, 8)      owner of (%y, %x), in registers, shared memory, or the image itself:
//!     from(%zero) combine "arith.addf" {               for each place: %zero
//!   ... ; update %v at [%z] }                          for %r = 0 to 8: the place %z becomes addf there, %v
//!   : tensor<?x?x12xf32>
//!
//! %h = scatter "h" () over (%y, %x) in ...           kernel h_begin:  every place of the image: %zero
//!     from(%zero) combine "arith.addi" {        ──▶  kernel h:  a block's own places in shared memory: 0
//!   ... ; update %one at [%bin] }                               its part of the domain, 256 threads: atomic add there
//!   : tensor<256xi32>                                           atomic add of each of its places into the image
//! ```
//!
//! The owner folds the domain in the order that the program says, so floats have one result. Its places lie in the image, or,
//! where a block of owners has room, in shared memory: place by place, so that lanes never meet in a bank. Without places there is
//! one value, in a register.
//!
//! Sums, extremes and bits of integers are the same in every order, and sums of floats may be done in any where the program says
//! `reassoc`. Then a scatter of few coordinates is walked by many blocks, each with places of its own as far as they fit,
//! merged at the end. 8 and 16 bits have no atomics: they are 32 bits wide in shared memory, and a single block does all.

use super::{
    grid::{blocks, evaluate, point, sources, thread},
    kernel::{KernelBuilder, Kernels},
};
use crate::{
    analysis::{
        combine_of,
        domain::{self, ends, needed_bounds},
        identity,
    },
    ir::{
        Axis, Builder, Compare, Emit, Number, block_id, count, grid_dim, location::of_stage, numbers, only_block,
        thread_id,
    },
    lower::{
        Lowering,
        scatter::{combine, elements, if_inside, is_in_any_order, kind, places, width},
    },
};
use melior::ir::{
    Attribute, BlockLike, Identifier, Type, TypeLike, Value, ValueLike,
    attribute::{ArrayAttribute, DictionaryAttribute},
    operation::{OperationLike, OperationMutLike},
    r#type::MemRefType,
};
use mlir_glue::{Failure, ir};
use weft_dialects::pipeline::{Combine, Extent, Scatter};
use weft_model::{Arith, Range};

/// Owners of a block.
const OWNERS: i64 = 64;

/// Shared memory that a block of owners takes at most: some blocks shall fit an SM.
const OWNED_BYTES: i64 = 32 << 10;

/// Threads of a block that walks part of a domain, and of one that walks all of it.
const WALKERS: i64 = 256;

const ALL_WALKERS: i64 = 1024;

/// Points of a domain that a thread walks at least, before there are more blocks.
const WALK: i64 = 16;

/// Blocks that share a domain at most: each has all places to merge.
const MOST_BLOCKS: i64 = 512;

/// Points that a thread asks for before it puts the first of them: no load of a kernel moves past an atomic.
const AT_ONCE: i64 = 8;

/// Operations of a body that is written out so often, at most.
const MOST_OPERATIONS: usize = 48;

/// Shared memory of a block, without asking for more.
const SHARED_BYTES: i64 = 48 << 10;

/// Coordinates of a scatter that is walked by many: each has blocks of its own.
const MOST_COORDINATES: i64 = 64;

/// Makes the kernels of a scatter, and launches them; returns how many.
///
/// # Errors
///
/// Those of [`evaluate`].
pub fn lower<'c: 'a, 'a>(
    lowering: &Lowering<'c, 'a>,
    kernels: &mut Kernels<'c, 'a>,
    name: &str,
    scatter: Scatter<'c, 'a>,
) -> Result<usize, Failure<'c>> {
    let how = Atomics::of(scatter);
    if how == Atomics::Many {
        begin(lowering, kernels, &format!("{name}_begin"), scatter);
    }
    let images: Vec<Value> = scatter.op().results().map(Value::from).collect();
    let location = of_stage(lowering.builder.context(), scatter.name(), scatter.op().location());
    let mut kernel = KernelBuilder::new(lowering, kernels, name, location, &sources(*scatter), &images);
    let bounds = kernel.bounds_of(*scatter);
    let memory = images.iter().map(|image| kernel.memory(*image)).collect();
    let extents = kernel.extents_of(*scatter);
    let b = kernel.head;
    let fold = Fold {
        scatter,
        coordinates: scatter.coordinate_count(),
        extents,
        domain: needed_bounds(*scatter, &bounds, &b),
        ends: ends(&bounds),
        bounds,
        memory,
        shared: Vec::new(),
    };
    match how {
        Atomics::None => fold.owners(kernel, &b)?,
        Atomics::One => fold.walkers(kernel, &b, ALL_WALKERS, true)?,
        Atomics::Many => fold.walkers(kernel, &b, WALKERS, false)?,
    }
    Ok(if how == Atomics::Many { 2 } else { 1 })
}

/// Whether, and how, threads share places.
#[derive(Clone, Copy, PartialEq)]
enum Atomics {
    /// Each place has an owner.
    None,
    /// The threads of one block for each point of the coordinates.
    One,
    /// Many blocks for each point of the coordinates.
    Many,
}

impl Atomics {
    fn of(scatter: Scatter) -> Self {
        let count = scatter.coordinate_count();
        let coordinates = scatter.extents().into_iter().take(count).try_fold(1, |all: i64, extent| match extent {
            Extent::Static(extent) => Some(all.saturating_mul(extent)),
            Extent::Dynamic(_) => None,
        });
        let is_few = coordinates.is_some_and(|points| points <= MOST_COORDINATES);
        // For a small domain the coordinates alone give enough owners.
        let walked = scatter.domain().into_iter().try_fold(1, |all: i64, (start, end)| match end {
            Extent::Static(end) => Some(all.saturating_mul(end - start)),
            Extent::Dynamic(_) => None,
        });
        let is_long = count == 0 || walked.is_none_or(|points| points > WALKERS);
        let types = elements(scatter);
        if !is_few || !is_long || !is_in_any_order(scatter) {
            Self::None
        } else if types.iter().all(|ty| width(*ty) >= 32) {
            Self::Many
        } else if shared_places(scatter).is_some() {
            Self::One
        } else {
            Self::None
        }
    }
}

/// How many places there are at a point of the coordinates, if that is known and a block can have them in shared memory.
fn shared_places(scatter: Scatter) -> Option<i64> {
    let places = places(scatter)?;
    let bytes: i64 = elements(scatter).into_iter().map(|ty| width(ty).max(32) / 8).sum();
    (places.saturating_mul(bytes) <= SHARED_BYTES).then_some(places)
}

/// The kernel that begins all places of the images: one thread a place.
fn begin<'c: 'a, 'a>(lowering: &Lowering<'c, 'a>, kernels: &mut Kernels<'c, 'a>, name: &str, scatter: Scatter<'c, 'a>) {
    let op = scatter.op();
    let images: Vec<Value> = op.results().map(Value::from).collect();
    let location = of_stage(lowering.builder.context(), scatter.name(), op.location());
    let mut kernel = KernelBuilder::new(lowering, kernels, name, location, &[], &images);
    let b = kernel.head;
    let all = |extents: Vec<Number<'c, 'a>>, b: &Builder<'c, 'a>| {
        let bounds: Vec<_> = extents.into_iter().map(|extent| (0, extent)).collect();
        domain::closed(&bounds, &mut Emit(b))
    };
    let domain = all(kernel.extents_of(*scatter), &b);
    let number = thread(&b, WALKERS);
    let own = b.if_then(b.compare(Compare::Below, number, count(&b, &domain).value(&b)));
    let place = point(&own, number, &domain);
    for (value, image) in scatter.initial().into_iter().zip(&images) {
        own.store(value, kernel.memory(*image), &place);
    }
    let b = lowering.builder.located(op.location());
    let domain = all(numbers(scatter.extents()), &b);
    kernel.launch(&blocks(&b, count(&b, &domain), WALKERS), [WALKERS, 1, 1]);
}

/// The kernel that walks the domain, in the making.
struct Fold<'c, 'a> {
    scatter: Scatter<'c, 'a>,
    /// How many of the arguments of the body are coordinates.
    coordinates: usize,
    /// The extents of the images.
    extents: Vec<Number<'c, 'a>>,
    /// Where the arguments of the body begin and end, and what they run over.
    bounds: Vec<(i64, Number<'c, 'a>)>,
    domain: Vec<Range<Number<'c, 'a>>>,
    ends: Vec<Number<'c, 'a>>,
    /// The images.
    memory: Vec<Value<'c, 'a>>,
    /// Shared memory for each result, as long as it has no argument of the kernel: a `memref.alloca` in its stead.
    shared: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Fold<'c, 'a> {
    /// The extents of the places.
    fn places(&self) -> &[Number<'c, 'a>] {
        &self.extents[self.coordinates..]
    }

    /// Loops over all places: a builder inside, and the place.
    fn each_place(&self, b: &Builder<'c, 'a>) -> (Builder<'c, 'a>, Vec<Value<'c, 'a>>) {
        let (mut b, mut place) = (*b, Vec::new());
        for extent in self.places() {
            let (inner, index) = b.for_loop(b.index(0), extent.value(&b));
            place.push(index);
            b = inner;
        }
        (b, place)
    }

    /// The number of a place, the last dimension fastest.
    fn number(&self, b: &Builder<'c, 'a>, place: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        let mut number = Number::Known(0);
        for (place, extent) in place.iter().zip(self.places()) {
            let before = match *extent {
                Number::Known(extent) => Emit(b).mul(&number, extent),
                Number::Value(extent) => Number::Value(b.arith("muli", number.value(b), extent)),
            };
            number = Emit(b).add(&before, &Number::Value(*place));
        }
        number.value(b)
    }

    /// Shared memory of so many numbers of a type.
    fn take_shared(&mut self, b: &Builder<'c, 'a>, numbers: i64, ty: Type<'c>) {
        let space = b.parse_attribute("#gpu.address_space<workgroup>");
        let ty = MemRefType::contiguous(ty, &[numbers], Some(space)).into();
        let memory = b.op_in_groups("memref.alloca", &[&[], &[]], &[ty], &[], Vec::new());
        self.shared.push(memory.result(0).expect("made with a result").into());
    }

    /// Launches the kernel, and gives it its shared memory, whose arguments stand behind all others.
    fn launch(&self, mut kernel: KernelBuilder<'_, 'c, 'a>, grid: &[Number<'c, 'a>; 3], threads: i64) {
        kernel.launch(grid, [threads, 1, 1]);
        if self.shared.is_empty() {
            return;
        }
        let b = kernel.head;
        let body = only_block(kernel.func);
        for stand_in in &self.shared {
            let memory: Value = body.add_argument(stand_in.r#type(), b.named("shared").location());
            ir::replace_all_uses(*stand_in, memory);
            ir::erase(ir::defining_op(*stand_in).expect("an alloca"));
        }
        let aligned = (Identifier::new(b.context(), "llvm.align"), b.i64_attribute(16));
        let aligned: Attribute = DictionaryAttribute::new(b.context(), &[aligned]).into();
        let aligned = ArrayAttribute::new(b.context(), &vec![aligned; self.shared.len()]);
        let mut func = ir::mutable(kernel.func);
        // A scatter has few results.
        func.set_attribute("workgroup_attributions", b.i64_attribute(self.shared.len() as i64));
        func.set_attribute("workgroup_attrib_attrs", aligned.into());
    }

    // ---- One owner a point of the coordinates ---------------------------------------------------------------------------

    fn owners(mut self, mut kernel: KernelBuilder<'_, 'c, 'a>, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        let own = self.domain[..self.coordinates].to_vec();
        let number = thread(b, OWNERS);
        let bytes: i64 = elements(self.scatter).into_iter().map(|ty| width(ty) / 8).sum();
        let fits = places(self.scatter)
            .filter(|places| !self.places().is_empty() && places.saturating_mul(bytes * OWNERS) <= OWNED_BYTES);
        for ty in elements(self.scatter) {
            if let Some(places) = fits {
                self.take_shared(b, places * OWNERS, ty);
            }
        }
        let b = b.if_then(b.compare(Compare::Below, number, count(b, &own).value(b)));
        let lane = thread_id(&b, Axis::X);
        let owner = Owner { lane, coordinates: point(&b, number, &own) };
        let initial = self.scatter.initial();
        if self.places().is_empty() {
            let values = self.walk(&mut kernel, &b, &owner, owner.coordinates.clone(), &initial)?;
            for (value, memory) in values.iter().zip(&self.memory) {
                b.store(*value, *memory, &owner.coordinates);
            }
        } else {
            let (begin, place) = self.each_place(&b);
            for (value, (memory, at)) in initial.iter().zip(self.owned(&begin, &owner, &place)) {
                begin.store(*value, memory, &at);
            }
            self.walk(&mut kernel, &b, &owner, owner.coordinates.clone(), &[])?;
            if !self.shared.is_empty() {
                let (end, place) = self.each_place(&b);
                let at: Vec<Value> = owner.coordinates.iter().chain(&place).copied().collect();
                let owned = self.owned(&end, &owner, &place);
                for ((from, there), (to, ty)) in owned.into_iter().zip(self.memory.iter().zip(elements(self.scatter))) {
                    end.store(end.load(from, &there, ty), *to, &at);
                }
            }
        }
        let b = kernel.lowering.builder.located(self.scatter.op().location());
        let bounds = domain::bounds(*self.scatter);
        let own = needed_bounds(*self.scatter, &bounds, &b);
        let grid = blocks(&b, count(&b, &own[..self.coordinates]), OWNERS);
        self.launch(kernel, &grid, OWNERS);
        Ok(())
    }

    /// Where a place of an owner lies, for each result.
    fn owned(
        &self,
        b: &Builder<'c, 'a>,
        owner: &Owner<'c, 'a>,
        place: &[Value<'c, 'a>],
    ) -> Vec<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
        if self.shared.is_empty() {
            let at: Vec<Value> = owner.coordinates.iter().chain(place).copied().collect();
            return self.memory.iter().map(|memory| (*memory, at.clone())).collect();
        }
        let row = b.arith("muli", self.number(b, place), b.index(OWNERS));
        let at = b.arith("addi", row, owner.lane);
        self.shared.iter().map(|memory| (*memory, vec![at])).collect()
    }

    /// Loops over the rest of the domain, and the update inside. What is carried are the values, where there are no places.
    fn walk(
        &self,
        kernel: &mut KernelBuilder<'_, 'c, 'a>,
        b: &Builder<'c, 'a>,
        owner: &Owner<'c, 'a>,
        arguments: Vec<Value<'c, 'a>>,
        carried: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        if let Some((start, end)) = self.bounds.get(arguments.len()) {
            return b.for_carrying([b.index(*start), end.value(b), b.index(1)], carried, |b, index, carried| {
                let arguments = arguments.iter().copied().chain([index]).collect();
                self.walk(kernel, b, owner, arguments, carried)
            });
        }
        let (values, place) = self.update(kernel, b, &arguments)?;
        if self.places().is_empty() {
            return Ok(carried
                .iter()
                .zip(values)
                .map(|(there, value)| combine(b, self.scatter, *there, value))
                .collect());
        }
        let b = if_inside(b, &place, self.places());
        for (value, (memory, at)) in values.into_iter().zip(self.owned(&b, owner, &place)) {
            let there = b.load(memory, &at, value.r#type());
            b.store(combine(&b, self.scatter, there, value), memory, &at);
        }
        Ok(Vec::new())
    }

    /// The values and the place of an update.
    fn update(
        &self,
        kernel: &mut KernelBuilder<'_, 'c, 'a>,
        b: &Builder<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) -> Result<(Vec<Value<'c, 'a>>, Vec<Value<'c, 'a>>), Failure<'c>> {
        // Only a scan has values before.
        let all =
            evaluate(kernel, b, *self.scatter, arguments, (&self.domain, &self.ends), |_, previous| previous.start())?;
        let (values, place) = all.split_at(self.memory.len());
        Ok((values.to_vec(), place.to_vec()))
    }

    // ---- Many threads -----------------------------------------------------------------------------------------------------

    /// Blocks of `threads`: the grid's x is the part of the domain, y the point of the coordinates. One block `alone` does all
    /// of the domain, and stores what it has; several merge.
    fn walkers(
        mut self,
        mut kernel: KernelBuilder<'_, 'c, 'a>,
        b: &Builder<'c, 'a>,
        threads: i64,
        alone: bool,
    ) -> Result<(), Failure<'c>> {
        let own = shared_places(self.scatter);
        let types = elements(self.scatter);
        let i32_type = b.integer_type(32);
        let wide: Vec<Type> = types.iter().map(|ty| if width(*ty) < 32 { i32_type } else { *ty }).collect();
        if let Some(places) = own {
            wide.iter().for_each(|ty| self.take_shared(b, places, *ty));
        }
        let coordinates = point(b, block_id(b, Axis::Y), &self.domain[..self.coordinates]);
        let lane = thread_id(b, Axis::X);
        if let Some(places) = own {
            let (mine, place) = b.for_every(lane, b.index(places), threads);
            for (result, ty) in wide.iter().enumerate() {
                let first = match alone {
                    true => self.widened(&mine, self.scatter.initial()[result], *ty),
                    false => identity(&mine, combine_of(self.scatter), *ty),
                };
                mine.store(first, self.shared[result], &[place]);
            }
            b.op("gpu.barrier", &[], &[], &[]);
        }

        let variables = self.domain[self.coordinates..].to_vec();
        let total = count(b, &variables).value(b);
        let stride = b.arith("muli", grid_dim(b, Axis::X), b.index(threads));
        let arguments_of = |b: &Builder<'c, 'a>, number: Value<'c, 'a>| -> Vec<Value<'c, 'a>> {
            coordinates.iter().copied().chain(point(b, number, &variables)).collect()
        };
        let put = |scatter: &Self, b: &Builder<'c, 'a>, values: Vec<Value<'c, 'a>>, place: &[Value<'c, 'a>]| {
            let inside = if_inside(b, place, scatter.places());
            for (result, value) in values.into_iter().enumerate() {
                if own.is_some() {
                    let value = scatter.widened(&inside, value, wide[result]);
                    let at = scatter.number(&inside, place);
                    scatter.atomic(&inside, value, scatter.shared[result], &[at]);
                } else {
                    let at: Vec<Value> = coordinates.iter().chain(place).copied().collect();
                    scatter.atomic(&inside, value, scatter.memory[result], &at);
                }
            }
        };

        // The whole grid walks the points: first as long as all threads have several.
        let mut done = b.index(0);
        if ir::walk(self.scatter.op()).len() <= MOST_OPERATIONS {
            let chunk = b.arith("muli", stride, b.index(AT_ONCE));
            let chunks = b.arith("divui", total, chunk);
            let (walk, number) = b.for_loop(done, chunks);
            let first = walk.arith("addi", walk.arith("muli", number, chunk), thread(&walk, threads));
            let mut found = Vec::new();
            let mut number = first;
            for at in 0..AT_ONCE {
                if at > 0 {
                    number = walk.arith("addi", number, stride);
                }
                found.push(self.update(&mut kernel, &walk, &arguments_of(&walk, number))?);
            }
            for (values, place) in found {
                put(&self, &walk, values, &place);
            }
            done = b.arith("muli", chunks, b.index(AT_ONCE));
        }
        // Then one in an iteration: a sum of 32 bits, which in the last may need all of them.
        let padded = b.arith("subi", b.arith("addi", total, stride), b.index(1));
        let (walk, number) = b.for_loop(done, b.arith("divui", padded, stride));
        let number = walk.arith("addi", walk.arith("muli", number, stride), thread(&walk, threads));
        let walk = walk.if_then(walk.compare(Compare::Below, number, total));
        let (values, place) = self.update(&mut kernel, &walk, &arguments_of(&walk, number))?;
        put(&self, &walk, values, &place);

        if let Some(places) = own {
            b.op("gpu.barrier", &[], &[], &[]);
            let (mine, place) = b.for_every(lane, b.index(places), threads);
            let extents: Vec<_> = self.places().iter().map(|extent| (0, *extent)).collect();
            let at = point(&mine, place, &domain::closed(&extents, &mut Emit(&mine)));
            let at: Vec<Value> = coordinates.into_iter().chain(at).collect();
            for (result, ty) in types.iter().enumerate() {
                let value = mine.load(self.shared[result], &[place], wide[result]);
                if alone {
                    let value = match wide[result] == *ty {
                        true => value,
                        false => mine.value("arith.trunci", &[value], *ty, &[]),
                    };
                    mine.store(value, self.memory[result], &at);
                } else if ty.is_integer() {
                    // Most blocks see few of the places.
                    let nothing = identity(&mine, combine_of(self.scatter), *ty);
                    let b = mine.if_then(mine.compare(Compare::NotEqual, value, nothing));
                    self.atomic(&b, value, self.memory[result], &at);
                } else {
                    self.atomic(&mine, value, self.memory[result], &at);
                }
            }
        }

        let b = kernel.lowering.builder.located(self.scatter.op().location());
        let bounds = domain::bounds(*self.scatter);
        let all = needed_bounds(*self.scatter, &bounds, &b);
        let parts = match alone {
            true => Number::Known(1),
            false => {
                let mut emit = Emit(&b);
                let [parts, ..] = blocks(&b, count(&b, &all[self.coordinates..]), threads * WALK);
                let parts = emit.min(&parts, &Number::Known(MOST_BLOCKS));
                emit.max(&parts, &Number::Known(1))
            }
        };
        let grid = [parts, count(&b, &all[..self.coordinates]), Number::Known(1)];
        self.launch(kernel, &grid, threads);
        Ok(())
    }

    /// A number of 8 or 16 bits in 32, such that combining it means the same.
    fn widened(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, ty: Type<'c>) -> Value<'c, 'a> {
        if value.r#type() == ty {
            return value;
        }
        let is_signed = matches!(combine_of(self.scatter), Combine::Minsi | Combine::Maxsi);
        b.value(if is_signed { "arith.extsi" } else { "arith.extui" }, &[value], ty, &[])
    }

    /// Combines a value into memory that others combine into.
    fn atomic(&self, b: &Builder<'c, 'a>, value: Value<'c, 'a>, memory: Value<'c, 'a>, at: &[Value<'c, 'a>]) {
        let kind = kind(self.scatter, value.r#type()).expect("asked before");
        let kind = b.i64_attribute(kind);
        let operands: Vec<Value> = [value, memory].into_iter().chain(at.iter().copied()).collect();
        b.op("memref.atomic_rmw", &operands, &[value.r#type()], &[("kind", kind)]);
    }
}

/// A thread that owns a point of the coordinates.
struct Owner<'c, 'a> {
    /// Its number in the block.
    lane: Value<'c, 'a>,
    coordinates: Vec<Value<'c, 'a>>,
}
