//! `--inline-stages`: pointwise and cheap stages are computed where they are read.
//!
//! ```text
//! %s = pipeline.stage "square" (%y, %x) {             %o = pipeline.stage "sum" (%y, %x) {
//!   %v = pipeline.load %img[%y, %x]                     %v = pipeline.load %img[%y, %x - 1] clamp
//!   %q = arith.mulf %v, %v                              %q = arith.mulf %v, %v
//!   pipeline.yield %q }                         ──▶     %w = pipeline.load %img[%y, %x + 1] clamp
//! %o = pipeline.stage "sum" (%y, %x) {                  %r = arith.mulf %w, %w
//!   %a = pipeline.load %s[%y, %x - 1] clamp             %t = arith.addf %q, %r
//!   %b = pipeline.load %s[%y, %x + 1] clamp             pipeline.yield %t }
//!   %t = arith.addf %a, %b
//!   pipeline.yield %t }
//! ```
//!
//! Every image that is not stored saves its store, its loads, and a place in shared memory or registers; the price is what
//! is computed several times. Both are known on the stages already, so this is decided before groups are made (the trivial
//! stages of Algorithm 2 of the reuse analysis for CPUs, and of Section 4.1 of AutoGPU: consumed at one point, or cheap).
//!
//! What is inlined gives the same bits: a load is replaced by a clone of the body, in which indices are composed with those
//! of the load. A boundary mode acts on the point of the *stage*, so it is in the way: `clamp(clamp(x) - 1)` is not
//! `clamp(x - 1)`. It can be left out where the index is known to stay inside, and moved to the loads of a stage that reads
//! at its own coordinates only, from images as large as itself ([`compose`]).
//!
//! That is for kernels of GPUs. A CPU has room in its caches, and stages that read each other at their own point share a loop there
//! in any case: what counts is what nobody needs, and what would have to go to memory and come back ([`Policy`]).
//!
//! A program is right or wrong as it was written: what loads that go ask at entry, of extents that are not known now, becomes `cf.assert`
//! ([`Kept`]), as does what is asked of a stage that goes.
//!
//! Stages are gone through backwards, consumers first: how often and where a stage is read is then known in full when it is
//! decided, since all who read it have been decided before (in Harris "det" and "trace" go into "harris", after which that
//! one alone reads the sums before them). It is done twice: first with what costs nothing, so that a stage has the whole of
//! its body when it is asked whether it is cheap.

use crate::{
    analysis::{
        STORED,
        access::{self, Variable},
        boundary,
        bounds::{self, loads},
        cost_of,
        domain::{has_extent, is_own_extent, static_extent},
        entry_checks::EntryChecks,
        repeats_of,
    },
    ir::{Builder, Key, Number, apply, bytes_of_element, dim_of, is, key, numbers, program, result_number, shape_of},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, BlockRef, OperationRef, ShapedTypeLike, Value, ValueLike, operation::OperationLike,
        r#type::RankedTensorType,
    },
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, choice, ir, one_of, options};
use std::{
    cell::RefCell,
    cmp::Ordering,
    collections::{BTreeSet, HashMap, HashSet},
};
use weft_dialects::pipeline::{Boundary, Load, Stage, static_extents};
use weft_model::{Expr, Ints, PLANES, Partly, Range, hull, is_exact, plane_of, range_of, region_read};

choice! {
    /// What a stage that is not inlined costs.
    pub enum Policy {
        /// Registers, or shared memory, which are few: `max-cost` says what is computed again rather.
        Registers = "registers",
        /// A place in caches, and of large images in memory: what is computed at most as often as before, or is cheaper than a store
        /// and loads, is inlined.
        Caches = "caches",
    }
}

options! {
    /// Options of `--inline-stages`.
    pub struct InlineStagesOptions {
        max_cost: i64 = 4, "max-cost", "what inlining a stage may cost a point of it: operations computed again, and points read in addition";
        only: String = "", "only", "inline these stages, separated by commas, whatever it costs, and no others";
        policy: Policy = Policy::Registers, "policy", "what a stage that is not inlined costs: registers, as of a GPU's kernel, or a place in caches";
        explain: bool = false, "explain", "say of each stage that others read whether it was inlined, and why not";
    }
}

/// The pass.
pub struct InlineStages;

const INLINED: Statistic = Statistic::new(c"stages-inlined", c"Stages computed inside of those that read them");
const COMPOSED: Statistic = Statistic::new(c"loads-composed", c"Loads replaced by the body of a stage");

impl Pass for InlineStages {
    const ARGUMENT: &'static str = "inline-stages";
    const SUMMARY: &'static str = "Compute pointwise and cheap stages inside of those that read them";
    const DESCRIPTION: &'static str = "\
Replaces loads of a stage by clones of its body, their indices composed, and erases the stage. No value changes. A stage is \
inlined where that costs at most `max-cost`:

- nothing, if one stage reads it, at one point, and no point of it more than once;
- else `(times - 1) * operations + points`: how many times as often it is computed, times what its body computes, and how \
many more points its consumers read afterwards. Operations count 1, `math.fma` 2, divisions and square roots 8, other \
functions of `math` 32; what is in a reduce counts once for each point of its window, in \
another loop 16 times, and both branches of an `scf.if`. `times` is the points that are computed over those that are \
needed, so that a stage of half the size that reads 2x2 points computes each once, and one of twice the size that reads \
`x floordiv 2` computes each twice in that dimension. Dynamic extents count as 1024.

The default, 4, admits one operation read at four points, and refuses what a warp would rather keep in registers: a product read in a 3x3 \
window (of Harris, 5 instructions a point more) and a separable blur.

A load without a boundary mode, or with one that is known to do nothing, is always composed. `clamp`, `mirror`, `reflect101` and `wrap` move \
to the loads of the stage where these read at its own coordinates from images of the same extent; `constant` only through a \
stage that is a copy. A composed index without a mode must be one of which can be proved, now or at entry, that it stays inside.

Of planes that are chosen by a `pipeline.gather`, as of the levels of a pyramid, at most half of the points may be read: the stage is \
then computed where it is read, at the planes that are. If others keep it, what it is computed from must be read there anyway.

With `policy=caches`, which is for CPUs, a stage that stays costs a place in a cache, or in memory. Inlined is what one stage reads at one \
point, also if it is one for up to four planes, which are computed together; what is not computed again for more than 12 operations a point and \
reads no more points than before; that of which at most half of the points are read, as of planes one of which is chosen by a `pipeline.gather`; and \
into a single consumer what is computed there a second time for little.

Not inlined are results of the program, and what stands in a group, or is read there: groups are written by hand. `only` \
overrules both, and the cost; a stage that is a result is then computed by itself, too.

It goes behind `--contract`, if at all: that would find other products and sums in the joined bodies. What was to be checked at \
entry of stages and loads that are gone, because it depends on dynamic extents, becomes `cf.assert`.";
    const STATISTICS: &'static [Statistic] = &[INLINED, COMPOSED];
    type Options = InlineStagesOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::cf(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &InlineStagesOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        if options.max_cost < 0 {
            let message = format!("option 'max-cost' is {}, expected 0 or more", options.max_cost);
            return Err(Diagnostic::on(module, message).into());
        }
        let funcs = program::programs(module);
        let stages: Vec<_> = funcs.iter().flat_map(|func| stages_of(*func)).collect();
        // Loads that leave their source are wrong, also where nobody would read what they give.
        Failure::check(stages.iter().flat_map(|stage| bounds::check(*stage)).collect())?;
        let only: Vec<&str> = options.only.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        if let Some(unknown) = only.iter().find(|name| stages.iter().all(|stage| stage.name() != **name)) {
            let mut names: Vec<String> = stages.iter().map(|stage| format!("\"{}\"", stage.name())).collect();
            names.dedup();
            let message = format!("option 'only' names \"{unknown}\", which is no stage, expected {}", one_of(&names));
            return Err(Diagnostic::on(module, message).into());
        }
        for func in funcs {
            // Equal extents shall be equal values, and no extent shall be asked of a stage that goes.
            program::resolve_dims(cx.context(), func);
            let block = program::entry(func)?;
            program::unify_dims(block);
            let mut work = Work { cx, kept: Kept::of(cx, func, block)? };
            match () {
                () if !only.is_empty() => inline_named(&mut work, func, &only)?,
                () if options.policy == Policy::Caches => inline_for_caches(&mut work, func, options.explain)?,
                () => inline_cheap(&mut work, func, options)?,
            }
            // Checks stand before what they are for.
            program::hoist_scalars(block)?;
        }
        Ok(())
    }
}

/// What inlining has at hand.
struct Work<'w, 'c, 'a> {
    cx: &'w PassContext<'c>,
    kept: Kept<'c, 'a>,
}

impl<'c: 'a, 'a> Work<'_, 'c, 'a> {
    /// Takes out a stage that was inlined.
    fn erase(&mut self, stage: Stage<'c, 'a>) {
        self.cx.count(INLINED, 1);
        self.kept.stage(stage);
        ir::erase(stage.op());
    }
}

/// Checks at entry of what goes, as far as they are open: the stage may be smaller, or read more, than what its readers read of it.
struct Kept<'c, 'a> {
    checks: EntryChecks<'c, 'a>,
    memory: Memory<'c, 'a>,
}

impl<'c: 'a, 'a> Kept<'c, 'a> {
    fn of(cx: &PassContext<'c>, func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<Self, Failure<'c>> {
        // Numbers of an iterate's body are seen at the end of the function, too.
        program::hoist_scalars(block)?;
        let end = block.terminator().ok_or_else(|| Diagnostic::on(func, "has no return"))?;
        // At the end until all is done, since stages at the start may go.
        let builder = Builder::before(cx.context(), end).located(func.location());
        let asked = ir::operations(block).filter_map(|op| {
            let (image, dimension) = dim_of(op)?;
            Some(((key(image), dimension), op.result(0).ok()?.into()))
        });
        let asked = RefCell::new(asked.collect());
        Ok(Self { checks: EntryChecks::on_tensors(builder), memory: Memory { builder, asked } })
    }

    /// Those of a stage that goes.
    fn stage(&mut self, stage: Stage<'c, 'a>) {
        let Self { checks, memory } = self;
        checks.unit(*stage, &|image| memory.extents(image));
    }

    /// Those of a load of a stage that goes.
    fn load(&mut self, consumer: Stage<'c, 'a>, load: Load<'c, 'a>, stage: Stage<'c, 'a>) {
        let Self { checks, memory } = self;
        checks.not_negative(*stage, &numbers(stage.extents()));
        checks.load(*consumer, load, &|image| memory.extents(image));
    }
}

/// Extents of images, asked of those in memory where nobody has yet.
struct Memory<'c, 'a> {
    builder: Builder<'c, 'a>,
    asked: RefCell<HashMap<(Key, usize), Value<'c, 'a>>>,
}

impl<'c: 'a, 'a> Memory<'c, 'a> {
    fn extents(&self, image: Value<'c, 'a>) -> Vec<Number<'c, 'a>> {
        let image = shape_of(image);
        if let Some(unit) = program::unit_of(image) {
            return numbers(unit.extents());
        }
        let known = RankedTensorType::try_from(image.r#type()).map(static_extents).unwrap_or_default();
        let ask = |dimension: usize| {
            let b = &self.builder;
            let ask = || b.value("tensor.dim", &[image, b.index(dimension as i64)], b.index_type(), &[]);
            Number::Value(*self.asked.borrow_mut().entry((key(image), dimension)).or_insert_with(ask))
        };
        let known = known.into_iter().enumerate();
        known.map(|(dimension, extent)| extent.map_or_else(|| ask(dimension), Number::Known)).collect()
    }
}

/// The stages of a function, producers first.
fn stages_of<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Vec<Stage<'c, 'a>> {
    ir::walk(func).into_iter().filter_map(Stage::of).collect()
}

/// Inlines the stages of these names, consumers first.
fn inline_named<'c: 'a, 'a>(
    work: &mut Work<'_, 'c, 'a>,
    func: OperationRef<'c, 'a>,
    only: &[&str],
) -> Result<(), Failure<'c>> {
    for stage in stages_of(func).into_iter().rev().filter(|stage| only.contains(&stage.name())) {
        let uses = Uses::of(stage);
        if uses.loads.is_empty() {
            let message = format!("\"{}\" is named by option 'only', but no stage reads it", stage.name());
            return Err(Diagnostic::on(stage.op(), message).into());
        }
        for load in &uses.loads {
            compose(*load, stage).map_err(|reason| {
                let reader = load.stage().map_or("", |stage| stage.name());
                let message =
                    format!("of stage \"{reader}\" cannot be replaced by the body of \"{}\": {reason}", stage.name());
                Diagnostic::on(load.op(), message).note(stage.op().location(), "option 'only' names this stage")
            })?;
        }
        inline(work, stage, &uses)?;
    }
    Ok(())
}

/// Inlines what costs no more than is allowed: first what costs nothing.
fn inline_cheap<'c: 'a, 'a>(
    work: &mut Work<'_, 'c, 'a>,
    func: OperationRef<'c, 'a>,
    options: &InlineStagesOptions,
) -> Result<(), Failure<'c>> {
    let sparse = |work: &mut Work<'_, 'c, 'a>| {
        stages_of(func).into_iter().rev().try_for_each(|stage| inline_where_sparse(work, stage, options.explain))
    };
    sparse(work)?;
    let mut left = stages_of(func);
    for limit in [0, options.max_cost] {
        let is_last = limit == options.max_cost;
        let mut kept = Vec::new();
        for stage in left.into_iter().rev() {
            let uses = Uses::of(stage);
            let explain = |what: &str| {
                if options.explain && !uses.loads.is_empty() {
                    Diagnostic::on(stage.op(), format!("\"{}\" {what}", stage.name())).emit_remark();
                }
            };
            match uses.price(stage) {
                Ok(price) if price.total() <= limit as f64 => {
                    explain(&format!("is inlined: {price}"));
                    inline(work, stage, &uses)?;
                }
                Ok(price) => {
                    if is_last {
                        explain(&format!("stays: {price}, expected at most {limit}"));
                    }
                    kept.push(stage);
                }
                Err(reason) => {
                    if is_last {
                        explain(&format!("stays: {reason}"));
                    }
                    kept.push(stage);
                }
            }
        }
        kept.reverse();
        left = kept;
        if is_last {
            break;
        }
    }
    // Now they have the whole of their bodies, and with it what they read anyway.
    sparse(work)
}

/// Inlines a stage where few of its points are chosen at run time, as of the planes of a pyramid one or two. If others keep it, it must be
/// computed from what is read there anyway.
fn inline_where_sparse<'c: 'a, 'a>(
    work: &mut Work<'_, 'c, 'a>,
    stage: Stage<'c, 'a>,
    explains: bool,
) -> Result<(), Failure<'c>> {
    let uses = Uses::of(stage);
    let consumers = uses.consumers().into_iter();
    let is_few = |price: &Price| price.times <= SPARSE && price.times * price.operations <= STORED;
    let price = |consumer, own: &[Load<'c, 'a>]| {
        let is_chosen = own.iter().any(|load| is_gather(*load));
        price_in(consumer, own, stage).ok().filter(|price| is_chosen && is_few(price))
    };
    let prices: Vec<_> = consumers.map(|(consumer, own)| (consumer, price(consumer, &own))).collect();
    let all: Option<f64> = prices.iter().map(|(_, price)| price.as_ref().map(|price| price.times)).sum();
    let goes = !uses.is_live_out && !prices.is_empty() && all.is_some_and(|all| all <= SPARSE);
    inline_where(work, stage, prices, |price| goes || price.points == 0.0, explains)?;
    if goes {
        work.cx.count(COMPOSED, uses.loads.len());
        work.erase(stage);
    }
    Ok(())
}

/// Inlines a stage into those of its consumers that it has a wanted price for.
fn inline_where<'c: 'a, 'a>(
    work: &mut Work<'_, 'c, 'a>,
    stage: Stage<'c, 'a>,
    prices: Vec<(Stage<'c, 'a>, Option<Price>)>,
    is_wanted: impl Fn(&Price) -> bool,
    explains: bool,
) -> Result<(), Failure<'c>> {
    for (consumer, price) in prices {
        let Some(price) = price.filter(&is_wanted) else { continue };
        if explains {
            let message = format!("\"{}\" is inlined into \"{}\": {price}", stage.name(), consumer.name());
            Diagnostic::on(stage.op(), message).emit_remark();
        }
        inline_into(work, consumer, stage)?;
    }
    Ok(())
}

/// Whether an index of a load is computed.
fn is_gather(load: Load) -> bool {
    access::variables(load).iter().any(|variable| variable.range.is_none())
}

/// Inlines what costs no more than an image in memory: see [`Policy::Caches`]. Where a consumer reads few points and others keep the
/// stage, the few are computed a second time.
fn inline_for_caches<'c: 'a, 'a>(
    work: &mut Work<'_, 'c, 'a>,
    func: OperationRef<'c, 'a>,
    explains: bool,
) -> Result<(), Failure<'c>> {
    // Twice: a stage has the whole of its body once what it reads has been decided, too.
    for stage in [(); 2].into_iter().flat_map(|()| stages_of(func).into_iter().rev()) {
        let uses = Uses::of(stage);
        let consumers = uses.consumers().into_iter();
        let price = |consumer, own: &[Load<'c, '_>]| {
            let price = price_in(consumer, own, stage).ok()?;
            Some(Price { times: price.times / planes_together(consumer, own, stage), ..price })
        };
        let prices: Vec<_> = consumers.map(|(consumer, own)| (consumer, price(consumer, &own))).collect();
        // A result is stored, and can as well be loaded.
        if uses.is_live_out || prices.is_empty() {
            continue;
        }
        let times = |price: &Option<Price>| price.as_ref().map_or(f64::INFINITY, |price| price.times);
        let all: f64 = prices.iter().map(|(_, price)| times(price)).sum();
        let is_cheap = match &prices[..] {
            [(_, Some(price))] if price.moves && price.times <= 1.0 => true,
            _ => prices.iter().all(|(_, price)| {
                // A window of products is computed from the factors, which others of its kind read, too.
                let reads_no_more =
                    |price: &Price| price.points == 0.0 && (price.times <= 2.0 || price.operations <= 1.0);
                price.as_ref().is_some_and(|price| reads_no_more(price) && (all - 1.0) * price.operations <= STORED)
            }),
        };
        let goes = is_cheap || all <= SPARSE;
        let is_kept = prices.iter().any(|(_, price)| times(price) > SPARSE);
        let is_conversion = is_conversion(stage);
        let is_wanted = |price: &Price| {
            let is_few = price.times <= SPARSE && price.times * price.operations <= STORED;
            let is_narrow = is_conversion && price.times * price.operations <= CONVERTED;
            goes || (is_kept && price.points == 0.0 && (is_few || is_narrow))
        };
        inline_where(work, stage, prices, is_wanted, explains)?;
        if goes {
            work.erase(stage);
        }
    }
    Ok(())
}

/// The planes of a consumer that all read the same of a producer, where a loop can compute all of them: what is no loop itself is then
/// there once.
fn planes_together(consumer: Stage, loads: &[Load], producer: Stage) -> f64 {
    let Some(plane) = plane_of(consumer.rank()) else { return 1.0 };
    if ir::operations(producer.body()).any(|op| op.region_count() > 0) {
        return 1.0;
    }
    let reads_one =
        |load: &Load| access::indices(*load).is_ok_and(|of| !of.iter().any(|index| index.dims().contains(&plane)));
    let planes = static_extents(consumer.image_type(0))[plane].filter(|planes| (1..=PLANES).contains(planes));
    planes.filter(|_| loads.iter().all(reads_one)).unwrap_or(1) as f64
}

/// The part of a stage's points that is few.
const SPARSE: f64 = 0.5;

/// The same where the image would have to come from memory, and what it is computed from is there anyway.
const CONVERTED: f64 = 24.0;

/// Whether a stage computes its image from arguments whose elements are less than half as wide.
fn is_conversion(stage: Stage) -> bool {
    let bytes =
        |value: Value| RankedTensorType::try_from(value.r#type()).map_or(0, |image| bytes_of_element(image.element()));
    let own: i64 = stage.op().results().map(|result| bytes(result.into())).sum();
    let mut loads = loads(stage);
    loads.all(|load| ir::defining_op(load.source()).is_none() && 2 * bytes(load.source()) < own)
}

// ---- What it costs ----------------------------------------------------------------------------------------------------------

/// Who uses a stage.
struct Uses<'c, 'a> {
    /// Loads of it, in the order of the program.
    loads: Vec<Load<'c, 'a>>,
    /// Whether something else uses it, as its being a result does.
    is_live_out: bool,
}

/// What inlining a stage costs, for each point of it.
struct Price {
    /// How many times as often it is computed.
    times: f64,
    /// The cost of its body.
    operations: f64,
    /// Points that its consumers read afterwards, less those that they read before.
    points: f64,
    /// Whether one stage reads it, at one point, and none of its points twice: then it only moves.
    moves: bool,
}

impl Price {
    fn total(&self) -> f64 {
        if self.moves { 0.0 } else { (self.times - 1.0).max(0.0) * self.operations + self.points.max(0.0) }
    }
}

impl std::fmt::Display for Price {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if self.moves {
            return f.write_str("one stage reads it, at one point");
        }
        let Self { times, operations, points, .. } = self;
        write!(
            f,
            "computed {times:.1} times at {operations} operations, {points} more points read: {:.1}",
            self.total()
        )
    }
}

/// What a load reads: where that is equal, so is the value.
#[derive(Clone, PartialEq, Eq, Hash)]
struct LoadKey {
    source: Key,
    /// In normal form.
    indices: Vec<Expr>,
    /// The values of coordinates behind those of the stage, as far as indices use them.
    variables: Vec<(usize, Key)>,
    boundary: Boundary,
    padding: Option<Key>,
}

impl LoadKey {
    fn of(load: Load) -> Option<Self> {
        let indices: Vec<Expr> = access::indices(load).ok()?.iter().map(Expr::simplified).collect();
        let values: Vec<Value> = access::variables(load).into_iter().map(|variable| variable.value).collect();
        let variables = used(&indices, load.stage().map_or(0, |stage| stage.rank()), &values);
        let padding = load.padding().map(key);
        Some(Self { source: key(load.source()), indices, variables, boundary: load.boundary(), padding })
    }
}

/// Those of the values behind `rank` coordinates that indices use.
fn used(indices: &[Expr], rank: usize, values: &[Value]) -> Vec<(usize, Key)> {
    let dims: BTreeSet<usize> = indices.iter().flat_map(Expr::dims).collect();
    dims.into_iter().filter_map(|d| Some((d, key(*values.get(d.checked_sub(rank)?)?)))).collect()
}

/// Whether a load reads a result of `stage`.
fn reads(load: Load, stage: Stage) -> bool {
    ir::defining_op(load.source()) == Some(stage.op())
}

impl<'c: 'a, 'a> Uses<'c, 'a> {
    fn of(stage: Stage<'c, 'a>) -> Self {
        let op = stage.op();
        let results: HashSet<Key> = op.results().map(|result| key(result.into())).collect();
        let block = op.block();
        let beside = |op| std::iter::successors(Some(op), |op: &OperationRef<'c, 'a>| op.parent_operation());
        let users = op.results().flat_map(|result| ir::uses(result.into()));
        let mut users: Vec<OperationRef> =
            users.filter_map(|(user, _)| beside(user).find(|op| op.block() == block)).collect();
        // In the order of the program, which lists of uses have not.
        users.sort_by(|one, other| match () {
            () if one == other => Ordering::Equal,
            () if one.is_before_in_block(*other) => Ordering::Less,
            () => Ordering::Greater,
        });
        users.dedup();
        let mut uses = Self { loads: Vec::new(), is_live_out: false };
        for op in users.into_iter().flat_map(ir::walk) {
            match Load::of(op) {
                // Scans and scatters read it from memory.
                Some(load) if reads(load, stage) && load.stage().is_some() => uses.loads.push(load),
                _ => uses.is_live_out |= op.operands().any(|value| results.contains(&key(value))),
            }
        }
        uses
    }

    /// The stages that read it, each with its loads.
    fn consumers(&self) -> Vec<(Stage<'c, 'a>, Vec<Load<'c, 'a>>)> {
        let mut all: Vec<(Stage, Vec<Load>)> = Vec::new();
        for load in &self.loads {
            // The verifier admits loads in stages only, and a stage's loads come one after the other.
            let Some(stage) = load.stage() else { continue };
            match all.last_mut() {
                Some((last, loads)) if *last == stage => loads.push(*load),
                _ => all.push((stage, vec![*load])),
            }
        }
        all
    }

    /// What it costs to inline the stage, or why that is impossible or not wanted.
    fn price(&self, stage: Stage<'c, 'a>) -> Result<Price, String> {
        let consumers = self.consumers();
        if self.is_live_out {
            return Err("it is a result, or read by a scan or scatter".into());
        }
        if consumers.is_empty() {
            return Err("no stage reads it".into());
        }
        let mut price = Price { times: 0.0, operations: cost_of(stage), points: 0.0, moves: consumers.len() == 1 };
        for (consumer, own) in &consumers {
            let part = price_in(*consumer, own, stage);
            let is_seldom = part.as_ref().is_ok_and(|part| part.times <= 1.0);
            if let Some(load) = own.iter().find(|load| is_gather(**load) && !is_seldom) {
                return Err(format!("{}, it is read at a computed place", place_of(*load)));
            }
            let part = part?;
            price.moves &= part.moves;
            price.times += part.times;
            price.points += part.points;
        }
        price.moves &= price.times <= 1.0;
        Ok(price)
    }
}

/// Where a load reads, in words.
fn place_of(load: Load) -> String {
    let names = access::names(load);
    let indices = access::indices(load).unwrap_or_default();
    let indices: Vec<_> = indices.iter().map(|index| index.simplified().fmt_with(&names).to_string()).collect();
    format!("where \"{}\" reads it at [{}]", load.stage().map_or("", |stage| stage.name()), indices.join(", "))
}

/// What it costs to inline a stage into one that reads it by these loads, or why that is impossible.
fn price_in<'c: 'a, 'a>(consumer: Stage<'c, 'a>, own: &[Load<'c, 'a>], stage: Stage<'c, 'a>) -> Result<Price, String> {
    let is_grouped = |stage: Stage| stage.op().parent_operation().is_some_and(|op| is(op, "pipeline.group"));
    if is_grouped(stage) || consumer.op().block() != stage.op().block() {
        return Err("a group holds it, or a stage that reads it".into());
    }
    let mut after: HashSet<LoadKey> = HashSet::new();
    let mut before: HashSet<LoadKey> = HashSet::new();
    // Bodies that are computed before any branch, and how many are computed in all.
    let mut unbranched = HashSet::new();
    let mut bodies = 0.0;
    for load in loads(consumer) {
        let Some(load_key) = LoadKey::of(load) else { continue };
        if reads(load, stage) {
            let body_key = (load_key.indices.clone(), load_key.variables.clone(), load_key.boundary);
            if !unbranched.contains(&body_key) {
                bodies += repeats_of(load.op());
            }
            if load.op().block() == Some(consumer.body()) {
                unbranched.insert(body_key);
            }
            let composed = compose(load, stage).map_err(|reason| format!("{}, {reason}", place_of(load)))?;
            after.extend(composed.reads.into_iter().map(|read| read.load_key()));
        } else {
            after.insert(load_key.clone());
        }
        before.insert(load_key);
    }
    Ok(Price {
        times: bodies * share(consumer, own, stage),
        operations: cost_of(stage),
        points: (after.len() as f64 - before.len() as f64).max(0.0),
        moves: bodies == 1.0,
    })
}

/// What dynamic extents count as. Only ratios matter.
const NOMINAL: i64 = 1024;

/// The points of a consumer for each point that it needs of its producer, by all its loads of it: 4 for `floordiv 2` in both
/// dimensions, a quarter for `* 2`.
fn share(consumer: Stage, loads: &[Load], producer: Stage) -> f64 {
    let nominal = |extent: Option<i64>| extent.unwrap_or(NOMINAL).max(1);
    let extents: Vec<i64> = static_extents(consumer.image_type(0)).into_iter().map(nominal).collect();
    let domain: Vec<_> = extents.iter().map(|extent| Range::new(0, extent - 1)).collect();
    let mut needed: Vec<Option<Range<i64>>> = vec![None; producer.rank()];
    for load in loads {
        let boundary = boundary::model_boundary(load.boundary());
        let indices = access::indices(*load).unwrap_or_default();
        let variables = access::variables(*load);
        let windows = variables.iter().map(|variable| variable.range.unwrap_or(Range::new(0, 0)));
        let domain: Vec<_> = domain.iter().copied().chain(windows).collect();
        for ((needed, index), extent) in needed.iter_mut().zip(&indices).zip(static_extents(load.source_type())) {
            let range = match is_computed(index, consumer.rank(), &variables) {
                true => Range::new(0, nominal(extent) - 1),
                false => range_of(index, &domain, &mut Ints),
            };
            let range = extent.and_then(|extent| region_read(range, extent, boundary)).unwrap_or(range);
            *needed = Some(needed.map_or(range, |needed| hull(needed, range)));
        }
    }
    let points: f64 = extents.iter().map(|extent| *extent as f64).product();
    let read: f64 = needed.into_iter().flatten().map(|range| range.len().max(1) as f64).product();
    points / read
}

// ---- What it becomes --------------------------------------------------------------------------------------------------------

/// What a load of a stage is replaced by.
struct Composed<'c, 'a> {
    /// The coordinates of the stage, in those of the consumer and the variables of its load.
    coordinates: Vec<Expr>,
    /// Those variables.
    variables: Vec<Variable<'c, 'a>>,
    /// Each load of the stage, as it becomes; of a copy whose load takes over the padding value, that one alone.
    reads: Vec<Read<'c, 'a>>,
    /// Whether it is such a copy.
    is_copy: bool,
}

/// A load of a stage, as its consumer does it.
struct Read<'c, 'a> {
    load: Load<'c, 'a>,
    /// In the coordinates of the consumer, the variables of its load, and those of this one; in normal form.
    indices: Vec<Expr>,
    /// The rank of the consumer.
    rank: usize,
    /// All variables.
    variables: Vec<Variable<'c, 'a>>,
    /// The load that the boundary mode is taken from: this one, or the consumer's.
    mode: Load<'c, 'a>,
}

impl Read<'_, '_> {
    fn load_key(&self) -> LoadKey {
        let values: Vec<Value> = self.variables.iter().map(|variable| variable.value).collect();
        LoadKey {
            source: key(self.load.source()),
            indices: self.indices.clone(),
            variables: used(&self.indices, self.rank, &values),
            boundary: self.mode.boundary(),
            padding: self.mode.padding().map(key),
        }
    }
}

/// Numbers in indices that are composed lie below, so that no product of two of them overflows.
const LARGEST: i64 = 1 << 31;

/// What the load of a consumer is replaced by, or why that would not be the same.
fn compose<'c: 'a, 'a>(load: Load<'c, 'a>, stage: Stage<'c, 'a>) -> Result<Composed<'c, 'a>, String> {
    let consumer = load.stage().ok_or("it is in no stage")?;
    let known = KnownExtents::of(consumer);
    let extents = numbers(stage.extents());
    let coordinates = indices_of(load)?;
    let variables = access::variables(load);
    let names = access::names(load);
    // Dimensions in which the mode does something.
    let leaves: Vec<usize> = match load.boundary() {
        Boundary::None => Vec::new(),
        _ => (0..extents.len()).filter(|d| !known.stays_inside(&coordinates[*d], extents[*d], &variables)).collect(),
    };
    let is_copy = load.boundary() == Boundary::Constant && !leaves.is_empty();
    let mut own: Vec<Load> = loads(stage).collect();
    if is_copy {
        own = vec![copied(load, stage).ok_or("'constant' moves only to the load of a stage that is a copy")?];
    } else if let Some(d) = leaves.iter().find(|d| is_number(stage, **d)) {
        return Err(format!(
            "index #{d} ({}) may leave it, and it computes with that coordinate",
            coordinates[*d].fmt_with(&names)
        ));
    }
    let mut reads = Vec::new();
    for own in own {
        let old = indices_of(own)?;
        let own_variables = access::variables(own);
        let behind = (0..own_variables.len()).map(|at| Expr::Dim(consumer.rank() + variables.len() + at));
        let by: Vec<Expr> = coordinates.iter().cloned().chain(behind).collect();
        let variables: Vec<Variable> = variables.iter().copied().chain(own_variables).collect();
        let own_names = access::names(own);
        let names: Vec<&String> = names.iter().chain(&own_names[stage.rank()..]).collect();
        let indices: Vec<Expr> = old.iter().map(|index| index.substitute(&by).simplified()).collect();
        if indices.iter().any(|index| largest(index) >= LARGEST) {
            return Err("the composed index has numbers of more than 31 bits".into());
        }
        let moved: Vec<bool> = old.iter().map(|index| index.dims().iter().any(|d| leaves.contains(d))).collect();
        let mode = if moved.contains(&true) || is_copy {
            let keyword = load.boundary().keyword();
            for (t, index) in old.iter().enumerate().filter(|(t, _)| moved[*t]) {
                if !matches!(index, Expr::Dim(d) if has_extent(own, t, extents[*d])) {
                    return Err(format!(
                        "'{keyword}' does not move to index #{t} ({}) of a load of it, expected a coordinate of the source's own extent",
                        index.fmt_with(&own_names)
                    ));
                }
            }
            if is_copy && leaves.iter().any(|d| !old.contains(&Expr::Dim(*d))) {
                return Err("'constant' does not move to a source of fewer dimensions".into());
            }
            // One mode holds for all dimensions: the others must not need their own.
            let is_needless = |t: usize| {
                moved[t] || static_extent(own, t).is_some_and(|n| known.stays_inside(&indices[t], n, &variables))
            };
            let is_same = own.boundary() == load.boundary() && load.boundary() != Boundary::Constant;
            if own.boundary() != Boundary::None && !is_same && !(0..old.len()).all(is_needless) {
                return Err(format!("'{keyword}' does not move to a load of it with '{}'", own.boundary().keyword()));
            }
            load
        } else if own.boundary() == Boundary::None
            && indices.iter().any(|index| is_computed(index, consumer.rank(), &variables))
        {
            // Nothing leaves the source; it is that a gather has a mode.
            load
        } else {
            if own.boundary() == Boundary::None {
                let is_proved = |t: usize| {
                    is_exact(&indices[t])
                        || static_extent(own, t).is_some_and(|n| known.stays_inside(&indices[t], n, &variables))
                };
                if let Some(t) = (0..indices.len()).find(|t| !is_proved(*t)) {
                    return Err(format!(
                        "index #{t} of a load of it becomes {}, which cannot be proved to stay inside",
                        indices[t].fmt_with(&names)
                    ));
                }
            }
            own
        };
        let is_mixed = |index: &Expr| is_computed(index, consumer.rank(), &variables) && !matches!(index, Expr::Dim(_));
        if let Some(t) = indices.iter().position(is_mixed) {
            return Err(format!(
                "index #{t} of a load of it becomes {}, expected a computed value alone",
                indices[t].fmt_with(&names)
            ));
        }
        reads.push(Read { load: own, indices, rank: consumer.rank(), variables, mode });
    }
    Ok(Composed { coordinates, variables, reads, is_copy })
}

/// The indices of a load, if they can be composed.
fn indices_of(load: Load) -> Result<Vec<Expr>, String> {
    let indices = access::indices(load).map_err(|error| error.message().to_owned())?;
    match indices.iter().any(|index| largest(index) >= LARGEST) {
        true => Err("an index has numbers of more than 31 bits".into()),
        false => Ok(indices),
    }
}

/// Whether an index in `rank` coordinates and variables uses a computed one of these.
fn is_computed(index: &Expr, rank: usize, variables: &[Variable]) -> bool {
    let is_computed = |d: usize| d.checked_sub(rank).is_some_and(|at| variables[at].range.is_none());
    index.dims().into_iter().any(is_computed)
}

/// The largest number in an expression.
fn largest(index: &Expr) -> i64 {
    match index {
        Expr::Const(number) => number.saturating_abs(),
        Expr::Dim(_) => 0,
        Expr::Add(a, b) => largest(a).max(largest(b)),
        Expr::Mul(a, number) | Expr::FloorDiv(a, number) | Expr::CeilDiv(a, number) | Expr::Mod(a, number) => {
            largest(a).max(number.saturating_abs())
        }
    }
}

/// What is known of the coordinates of a stage.
struct KnownExtents<'c, 'a> {
    extents: Vec<Number<'c, 'a>>,
    domain: Vec<Range<Option<i64>>>,
}

impl<'c: 'a, 'a> KnownExtents<'c, 'a> {
    fn of(stage: Stage<'c, 'a>) -> Self {
        let extents = numbers(stage.extents());
        let last = |extent: &Number| Some(extent.known()? - 1);
        let domain = extents.iter().map(|extent| Range::new(Some(0), last(extent))).collect();
        Self { extents, domain }
    }

    /// Whether an index is known to stay inside an extent.
    fn stays_inside(&self, index: &Expr, extent: Number<'c, 'a>, variables: &[Variable]) -> bool {
        let domain: Vec<_> = self.domain.iter().copied().chain(variables.iter().map(Variable::known)).collect();
        let range = range_of(index, &domain, &mut Partly);
        let (Some(0..), Some(hi), Number::Known(extent)) = (range.lo, range.hi, extent) else {
            return is_own_extent(index, &self.extents, extent);
        };
        hi < extent
    }
}

/// The load whose value a stage yields as the result that `load` reads, if it does.
fn copied<'c: 'a, 'a>(load: Load<'c, 'a>, stage: Stage<'c, 'a>) -> Option<Load<'c, 'a>> {
    let yielded = ir::operand(stage.terminator()?, result_number(load.source()))?;
    // Computed indices are in the body, and would have to come along.
    ir::defining_op(yielded).and_then(Load::of).filter(|load| access::variables(*load).is_empty())
}

/// Whether a body uses its coordinate `d` for anything but indices of loads.
fn is_number(stage: Stage, d: usize) -> bool {
    let Ok(coordinate) = stage.body().argument(d) else { return false };
    let coordinate: Value = coordinate.into();
    let ops = ir::walk(stage.op());
    ops.into_iter().any(|op| Load::of(op).is_none() && op.operands().any(|value| value == coordinate))
}

// ---- Doing it ---------------------------------------------------------------------------------------------------------------

/// Replaces all loads of a stage, and erases it if then nothing uses it.
fn inline<'c: 'a, 'a>(
    work: &mut Work<'_, 'c, 'a>,
    stage: Stage<'c, 'a>,
    uses: &Uses<'c, 'a>,
) -> Result<(), Failure<'c>> {
    for (consumer, _) in uses.consumers() {
        inline_into(work, consumer, stage)?;
    }
    work.cx.count(COMPOSED, uses.loads.len());
    if stage.op().results().any(|result| ir::has_uses(result.into())) {
        work.cx.count(INLINED, 1);
    } else {
        work.erase(stage);
    }
    Ok(())
}

/// Replaces the loads of `stage` in `consumer`. Points that are equal are computed and read once, except in branches, where
/// what another branch computed is not available.
fn inline_into<'c: 'a, 'a>(
    work: &mut Work<'_, 'c, 'a>,
    consumer: Stage<'c, 'a>,
    stage: Stage<'c, 'a>,
) -> Result<(), Failure<'c>> {
    let mut old: HashSet<_> = ir::operations(consumer.body()).map(|op| op.to_raw().ptr).collect();
    let mut inlining = Inlining { stage, known: HashMap::new() };
    let mut bodies: HashMap<(LoadKey, bool), Vec<Value>> = HashMap::new();
    for load in loads(consumer).collect::<Vec<_>>() {
        let is_nested = load.op().block() != Some(consumer.body());
        let Some(load_key) = LoadKey::of(load) else { continue };
        if !reads(load, stage) {
            // A body that was inlined before it may read the same.
            let value: Value = load.op().result(0).expect("a load has a result").into();
            match inlining.known.get(&load_key) {
                Some(before) => {
                    ir::replace_all_uses(value, *before);
                    old.remove(&load.op().to_raw().ptr);
                    ir::erase(load.op());
                }
                None if is_nested => {}
                None => {
                    inlining.known.insert(load_key, value);
                }
            }
            continue;
        }
        let composed = compose(load, stage).map_err(|reason| Diagnostic::on(load.op(), reason))?;
        work.kept.load(consumer, load, stage);
        let result = result_number(load.source());
        // All results of a point are there at once; a copy gives the one that is read.
        let first = stage.op().result(0).map_or(load_key.source, |result| key(result.into()));
        let body_key =
            (LoadKey { source: if composed.is_copy { load_key.source } else { first }, ..load_key }, composed.is_copy);
        let values = match bodies.get(&body_key) {
            Some(values) => values.clone(),
            None => inlining.body(&Builder::before(work.cx.context(), load.op()), consumer, &composed, is_nested),
        };
        let value = if composed.is_copy { values[0] } else { values[result] };
        if !is_nested {
            bodies.insert(body_key, values);
        }
        ir::replace_all_uses(load.op().result(0).expect("a load has a result").into(), value);
        old.remove(&load.op().to_raw().ptr);
        ir::erase(load.op());
    }
    // Of a stage with several results not all may be wanted.
    let end = consumer.terminator();
    let new = ir::operations(consumer.body()).filter(|op| Some(*op) != end && !old.contains(&op.to_raw().ptr));
    for op in new.collect::<Vec<_>>().into_iter().rev() {
        if !op.results().any(|result| ir::has_uses(result.into())) {
            ir::erase(op);
        }
    }
    Ok(())
}

/// Inlining of one stage into one other.
struct Inlining<'c, 'a> {
    stage: Stage<'c, 'a>,
    /// What has been read already.
    known: HashMap<LoadKey, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Inlining<'c, 'a> {
    /// Clones the body to `b`, and returns what it yields.
    fn body(
        &mut self,
        b: &Builder<'c, 'a>,
        consumer: Stage<'c, 'a>,
        composed: &Composed<'c, 'a>,
        is_nested: bool,
    ) -> Vec<Value<'c, 'a>> {
        let mut values: HashMap<Key, Value> = HashMap::new();
        if let (true, [read]) = (composed.is_copy, &composed.reads[..]) {
            let b = b.located(read.load.op().location());
            let values: Vec<Value> = composed.variables.iter().map(|variable| variable.value).collect();
            return vec![self.read(&b, consumer, read, &values, read.mode.padding(), is_nested)];
        }
        let variables: Vec<Value> = composed.variables.iter().map(|variable| variable.value).collect();
        let coordinates: Vec<Value> = [arguments(consumer), variables.clone()].concat();
        for (d, (argument, index)) in arguments(self.stage).into_iter().zip(&composed.coordinates).enumerate() {
            if is_number(self.stage, d) {
                values.insert(key(argument), apply(index, &coordinates, b));
            }
        }
        let end = self.stage.terminator().expect("a verified stage ends with a yield");
        // What is of this stage stays so, wherever it is computed.
        let b = &b.of_stage(self.stage.name());
        let originals: Vec<_> = ir::operations(self.stage.body()).filter(|op| *op != end).collect();
        let mut reads = composed.reads.iter();
        for original in originals {
            let clone = b.clone_mapped(original, &mut values);
            // A clone and its original have the same shape: they are walked in step.
            let pairs = ir::walk(original).into_iter().zip(ir::walk(clone));
            let pairs = pairs.filter_map(|(original, clone)| Some((original, Load::of(clone)?))).collect::<Vec<_>>();
            for ((original, clone), read) in pairs.into_iter().zip(reads.by_ref()) {
                let here = Builder::before(b.context(), clone.op());
                // The consumer's mode has its value where the consumer has it, the stage's own where the clone has.
                let padding = if read.mode == read.load { clone.padding() } else { read.mode.padding() };
                let is_nested = is_nested || clone.op().block() != Some(consumer.body());
                let variables = [variables.clone(), access::variables_at(read.load, clone.op())].concat();
                let value = self.read(&here, consumer, read, &variables, padding, is_nested);
                ir::replace_all_uses(clone.op().result(0).expect("a load has a result").into(), value);
                values.insert(key(original.result(0).expect("a load has a result").into()), value);
                ir::erase(clone.op());
            }
        }
        end.operands().map(|value| values.get(&key(value)).copied().unwrap_or(value)).collect()
    }

    /// A composed load, or the value of an equal one.
    fn read(
        &mut self,
        b: &Builder<'c, 'a>,
        consumer: Stage<'c, 'a>,
        read: &Read<'c, 'a>,
        variables: &[Value<'c, 'a>],
        padding: Option<Value<'c, 'a>>,
        is_nested: bool,
    ) -> Value<'c, 'a> {
        let variables_used = used(&read.indices, consumer.rank(), variables);
        let load_key = LoadKey { padding: padding.map(key), variables: variables_used, ..read.load_key() };
        if let Some(value) = self.known.get(&load_key) {
            return *value;
        }
        let values = [arguments(consumer), variables.to_vec()].concat();
        let gathers = read.indices.iter().any(|index| is_computed(index, read.rank, &read.variables));
        let value =
            access::build_load(b, gathers, read.load.source(), &read.indices, &values, read.mode.boundary(), padding);
        if !is_nested {
            self.known.insert(load_key, value);
        }
        value
    }
}

/// The coordinates of a stage.
fn arguments<'c: 'a, 'a>(stage: Stage<'c, 'a>) -> Vec<Value<'c, 'a>> {
    (0..stage.rank()).filter_map(|d| Some(stage.body().argument(d).ok()?.into())).collect()
}
