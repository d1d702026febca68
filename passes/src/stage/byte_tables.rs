//! `--byte-tables`: what takes long to compute of a byte is computed once for each of the 256, and looked up.
//!
//! ```text
//!                                                   %t = stage "o_table" (%i) {
//! %o = stage "o" (%y, %x) {                           %b = trunci (index_cast %i) : i8
//!   %b = load %img[%y, %x] : i8                       yield f(%b) } : tensor<256xf32>
//!   %v = f(%b)                               ──▶    %o = stage "o" (%y, %x) {
//!   ... %v }                                          %b = load %img[%y, %x] : i8
//!                                                     %v = gather %t[%b]
//!                                                     ... %v }
//! ```
//!
//! A gamma, a decoded colour, a gain with a curve behind it: such a function has as many values as a byte, and an image has millions of points. It is
//! found in any body, wherever the byte is loaded: what is computed of one loaded byte, of constants, of numbers of the program, of what images of known
//! extents have at places that are computed from these, and of the plane, of which there are few: then the table has a row for each. Its entries are computed by the ops that
//! the body had, so that no bit changes.
//!
//! **Worth.** A look-up of bytes is a few instructions for 64 points where the CPU permutes bytes (`--look-ups`); else, and of wider numbers, it is a load for each
//! lane. The function must take some operations more than that, and an image have many times as many points as the table has entries. How
//! many it has is estimated, where it is not known.

use super::copy::pointwise;
use crate::{
    analysis::{
        Ranges, Sizes,
        access::{self, build_load},
        cpu_of, size_of, weight_of,
    },
    ir::{Builder, Key, TakenNames, bits_of_element, erase_unused, is_inside, key, program},
};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Boundary, Extent, Load, Stage, static_extents};
use weft_model::{Cpu, Expr};

options! {
    /// Options of `--byte-tables`.
    pub struct ByteTablesOptions {
        target: String = "host", "target", "the CPU that look-ups are for: host, zen3, zen4, zen5, emerald_rapids, cascade_lake, avx2, sse, cortex_a15 or FILE.toml";
        size: String = "", "size", "extents of images that are not known, for costs";
    }
}

/// The pass.
pub struct ByteTables;

const TABLES: Statistic = Statistic::new(c"tables", c"Tables of a function of a byte");
const LOOK_UPS: Statistic = Statistic::new(c"look-ups", c"Values that are looked up in these");

/// Entries of a row: as many as a byte has values.
const ENTRIES: i64 = 256;

/// Planes that have a row each, at most.
const MOST_PLANES: i64 = 4;

/// Points of an image for each entry of a table, at least: a table is computed before all else, and by one thread.
const POINTS: i64 = 16;

/// Operations for a point that a look-up of bytes is worth, where the CPU permutes them, and where it does not; of wider numbers.
const PERMUTED: f64 = 2.0;
const LOADED: f64 = 32.0;

/// Operations for a point that are saved, at least.
const SAVED: f64 = 4.0;

impl Pass for ByteTables {
    const ARGUMENT: &'static str = "byte-tables";
    const SUMMARY: &'static str = "Look up what takes long to compute of a byte";
    const DESCRIPTION: &'static str = "\
Finds values in the bodies of stages that are a function of one loaded byte, and of what is the same for all points of a plane, makes a stage of the function's 256 \
values, of up to four planes, and gathers from that, where the function takes more operations than a look-up does on `target`, and the image has many more points \
than the table. No value changes. It goes behind `--inline-stages`. Stages in groups and in iterates stay as they are.";
    const STATISTICS: &'static [Statistic] = &[TABLES, LOOK_UPS];
    type Options = ByteTablesOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &ByteTablesOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let cpu = cpu_of(module, &options.target)?;
        let size = size_of(&options.size).map_err(|message| Diagnostic::on(module, message))?;
        for func in program::programs(module) {
            let block = program::entry(func)?;
            let sizes = Sizes::of_program(func, block, &size);
            let mut names: TakenNames = program::units(func).iter().map(|unit| unit.name().to_owned()).collect();
            let mut tables: Vec<Stage> = Vec::new();
            for stage in ir::operations(block).filter_map(Stage::of).collect::<Vec<_>>() {
                let body = Body::of(stage)?;
                let points = sizes.points(stage);
                let functions = body.functions(&cpu, points)?;
                for function in &functions {
                    let count = tables.len();
                    body.look_up(cx, function, &mut names, &mut tables)?;
                    cx.count(TABLES, tables.len() - count);
                    cx.count(LOOK_UPS, 1);
                }
                if !functions.is_empty() {
                    erase_unused(body.ops.into_iter());
                }
            }
        }
        Ok(())
    }
}

/// What a value depends on, beside what is the same everywhere: that it is known is all there is of most.
#[derive(Clone, Copy, Default, PartialEq)]
struct Depends<'c, 'a> {
    /// A byte that was loaded.
    byte: Option<Value<'c, 'a>>,
    /// A coordinate of few values.
    plane: Option<usize>,
}

impl<'c: 'a, 'a> Depends<'c, 'a> {
    /// What depends on both; `None` where that is more than one byte and one plane.
    fn and(self, other: Self) -> Option<Self> {
        fn one<T: PartialEq>(one: Option<T>, other: Option<T>) -> Option<Option<T>> {
            if one.is_some() && other.is_some() && one != other { None } else { Some(one.or(other)) }
        }
        Some(Self { byte: one(self.byte, other.byte)?, plane: one(self.plane, other.plane)? })
    }
}

/// A value that is a function of a byte, and perhaps of a plane.
struct Function<'c, 'a> {
    op: OperationRef<'c, 'a>,
    byte: Value<'c, 'a>,
    plane: Option<usize>,
    /// What it is computed by, in order.
    ops: Vec<OperationRef<'c, 'a>>,
}

/// The body of a stage.
struct Body<'c, 'a> {
    stage: Stage<'c, 'a>,
    /// Ops of one result without regions, in order.
    ops: Vec<OperationRef<'c, 'a>>,
    /// What values depend on that depend on one byte at most.
    depends: HashMap<Key, Depends<'c, 'a>>,
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    fn of(stage: Stage<'c, 'a>) -> Result<Self, Failure<'c>> {
        let mut depends = HashMap::new();
        for (d, (coordinate, extent)) in ir::arguments(stage.body()).zip(stage.extents()).enumerate() {
            if matches!(extent, Extent::Static(extent) if extent <= MOST_PLANES) {
                depends.insert(key(coordinate), Depends { plane: Some(d), ..Depends::default() });
            }
        }
        let is_value = |op: &OperationRef| op.result_count() == 1 && op.region_count() == 0;
        let ops = ir::walk(stage.op()).into_iter().filter(is_value).collect();
        let mut body = Self { stage, ops, depends };
        for op in body.ops.clone() {
            if let Some(depends) = body.depends_of(op)? {
                body.depends.insert(key(value_of(op)), depends);
            }
        }
        Ok(body)
    }

    /// What the value of an op depends on; `None` where that is more than a byte.
    fn depends_of(&self, op: OperationRef<'c, 'a>) -> Result<Option<Depends<'c, 'a>>, Failure<'c>> {
        let Some(load) = Load::of(op) else {
            let name = ir::name_of(op);
            let is_pure = ["arith.", "math."].iter().any(|dialect| name.starts_with(dialect));
            let computes = is_pure || name == "llvm.call_intrinsic";
            return Ok(if computes { self.depends_on(op.operands()) } else { None });
        };
        let read: Vec<Value> = self.values_of(load)?.into_iter().chain(load.padding()).collect();
        let own = Depends { byte: Some(value_of(op)), plane: None };
        let is_byte = value_of(op).r#type().is_integer() && bits_of_element(value_of(op).r#type()) == Some(8);
        let place = self.depends_on(read.into_iter()).filter(|_| has_points(load));
        Ok(place.or(is_byte.then_some(own)))
    }

    /// Coordinates and other values that the indices of a load are computed from.
    fn values_of(&self, load: Load<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let all = self.values_by_number(load);
        let mut used: Vec<usize> = access::indices(load)?.iter().flat_map(|index| index.dims()).collect();
        used.sort_unstable();
        used.dedup();
        Ok(used.into_iter().filter_map(|number| all.get(number).copied()).collect())
    }

    /// What the expressions of a load's indices number.
    fn values_by_number(&self, load: Load<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let variables = access::variables(load).into_iter().map(|variable| variable.value);
        ir::arguments(self.stage.body()).chain(variables).collect()
    }

    fn depends_on(&self, mut values: impl Iterator<Item = Value<'c, 'a>>) -> Option<Depends<'c, 'a>> {
        values.try_fold(Depends::default(), |all, value| match is_inside(value, self.stage.op()) {
            true => all.and(*self.depends.get(&key(value))?),
            false => Some(all),
        })
    }

    /// The functions of a byte that are worth a table. What is computed last is looked at first: what it is computed by then needs no table.
    fn functions(&self, cpu: &Cpu, points: i64) -> Result<Vec<Function<'c, 'a>>, Failure<'c>> {
        let mut ranges = Ranges::default();
        let mut gone: HashSet<Key> = HashSet::new();
        let mut found = Vec::new();
        for op in self.ops.iter().rev() {
            let Some(function) = self.function(*op).filter(|_| !gone.contains(&key(value_of(*op)))) else { continue };
            let alone = self.needed_by_it_alone(&function);
            let rows = self.rows(&function).unwrap_or(1);
            let looked_up = look_up(function.op, cpu, &mut ranges);
            let (mut saved, mut of_planes) = (0.0, 0.0);
            for op in &alone {
                let cost = self.cost(*op, cpu, &mut ranges);
                saved += cost;
                of_planes += if self.plane_of(value_of(*op)).is_some() { cost } else { 0.0 };
            }
            // What planes have in common is looked up once for all of them: a row for each must save more than it is to look up for each.
            let is_worth_rows = function.plane.is_none()
                || rows as f64 * of_planes > (rows - 1) as f64 * looked_up
                || self.is_of_plane(function.byte)?;
            if points >= POINTS * ENTRIES * rows && saved - looked_up >= SAVED && is_worth_rows {
                gone.extend(alone.into_iter().map(|op| key(value_of(op))));
                found.push(function);
            }
        }
        Ok(found)
    }

    fn plane_of(&self, value: Value<'c, 'a>) -> Option<usize> {
        self.depends.get(&key(value)).and_then(|depends| depends.plane)
    }

    /// Whether planes may load a byte of their own.
    fn is_of_plane(&self, byte: Value<'c, 'a>) -> Result<bool, Failure<'c>> {
        let Some(load) = ir::defining_op(byte).and_then(Load::of) else { return Ok(false) };
        let is_of_points = |value: &Value| value.is_block_argument() && self.plane_of(*value).is_none();
        Ok(!self.values_of(load)?.iter().all(is_of_points))
    }

    fn function(&self, op: OperationRef<'c, 'a>) -> Option<Function<'c, 'a>> {
        let value = value_of(op);
        let Depends { byte, plane } = *self.depends.get(&key(value))?;
        let (byte, ty) = (byte.filter(|byte| *byte != value)?, value.r#type());
        let is_element = ty.is_integer() || ty.is_float();
        if !is_element || bits_of_element(ty).is_none_or(|bits| bits < 8) {
            return None;
        }
        let mut needed: HashSet<Key> = HashSet::from([key(value)]);
        let mut ops = Vec::new();
        for op in self.ops.iter().rev().filter(|op| value_of(**op) != byte) {
            if needed.contains(&key(value_of(*op))) {
                needed.extend(op.operands().map(key));
                ops.push(*op);
            }
        }
        ops.reverse();
        Some(Function { op, byte, plane, ops })
    }

    /// The ops of a function that nobody else needs.
    fn needed_by_it_alone(&self, function: &Function<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
        let mut alone: HashSet<Key> = HashSet::from([key(value_of(function.op))]);
        let mut ops = vec![function.op];
        for op in function.ops.iter().rev().filter(|op| **op != function.op) {
            let is_alone = |user| ir::result(user, 0).is_some_and(|value| alone.contains(&key(value)));
            if ir::uses(value_of(*op)).into_iter().all(|(user, _)| is_alone(user)) {
                alone.insert(key(value_of(*op)));
                ops.push(*op);
            }
        }
        ops
    }

    /// Operations for a point: what differs from plane to plane alone is computed before the points are.
    fn cost(&self, op: OperationRef<'c, 'a>, cpu: &Cpu, ranges: &mut Ranges) -> f64 {
        match self.depends.get(&key(value_of(op))).is_some_and(|depends| depends.byte.is_some()) {
            true if is_load(op) => look_up(op, cpu, ranges),
            true => weight_of(op),
            false => 0.0,
        }
    }

    /// Rows of a function's table.
    fn rows(&self, function: &Function<'c, 'a>) -> Option<i64> {
        match self.stage.extents()[function.plane?] {
            Extent::Static(rows) => Some(rows),
            Extent::Dynamic(_) => None,
        }
    }

    /// Looks a function up in a table, which is made unless there is one.
    fn look_up(
        &self,
        cx: &PassContext<'c>,
        function: &Function<'c, 'a>,
        names: &mut TakenNames,
        tables: &mut Vec<Stage<'c, 'a>>,
    ) -> Result<(), Failure<'c>> {
        let value = value_of(function.op);
        let made = self.table(cx, function, names)?;
        let is_same = |table: &&Stage<'c, 'a>| {
            let types = [table.op(), made.op()].map(|op| value_of(op).r#type());
            types[0] == types[1] && ir::have_equal_regions(table.op(), made.op())
        };
        let table = match tables.iter().find(is_same) {
            Some(table) => {
                ir::erase(made.op());
                *table
            }
            None => {
                tables.push(made);
                made
            }
        };
        let b = Builder::before(cx.context(), function.op).located(function.op.location());
        let index = b.value("arith.index_castui", &[function.byte], b.index_type(), &[]);
        let coordinates = ir::arguments(self.stage.body());
        let values: Vec<Value> = coordinates.chain([index]).collect();
        let indices: Vec<Expr> = function.plane.into_iter().chain([values.len() - 1]).map(Expr::Dim).collect();
        let found = build_load(&b, true, value_of(table.op()), &indices, &values, Boundary::Clamp, None);
        ir::replace_all_uses(value, found);
        Ok(())
    }

    /// The stage of a function's values.
    fn table(
        &self,
        cx: &PassContext<'c>,
        function: &Function<'c, 'a>,
        names: &mut TakenNames,
    ) -> Result<Stage<'c, 'a>, Failure<'c>> {
        let b = Builder::before(cx.context(), self.stage.op()).located(function.op.location());
        let name = names.like(&format!("{}_table", self.stage.name()));
        let shape: Vec<u64> = self.rows(function).into_iter().chain([ENTRIES]).map(i64::cast_unsigned).collect();
        let ty = RankedTensorType::new(&shape, value_of(function.op).r#type(), None).into();
        let mut result = Ok(());
        let image = pointwise(&b, &name, ty, &[], |b, at| {
            let byte = b.index_in_bits(at[at.len() - 1], b.integer_type(8));
            let mut values = HashMap::from([(key(function.byte), byte)]);
            let plane = function.plane.and_then(|plane| ir::arguments(self.stage.body()).nth(plane));
            values.extend(plane.map(|plane| (key(plane), at[0])));
            for op in &function.ops {
                let b = b.located(op.location());
                match Load::of(*op) {
                    Some(load) => match self.copy_load(&b, load, &values) {
                        Ok(copy) => _ = values.insert(key(value_of(*op)), copy),
                        Err(failure) => result = Err(failure),
                    },
                    None => _ = b.clone_mapped(*op, &mut values),
                }
            }
            values.get(&key(value_of(function.op))).copied().unwrap_or(byte)
        });
        result.map(|()| program::stage_of(image).expect("made one"))
    }

    /// A load in the body of a table, whose place is computed from values there.
    fn copy_load(
        &self,
        b: &Builder<'c, 'a>,
        load: Load<'c, 'a>,
        values: &HashMap<Key, Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Failure<'c>> {
        let there = |value: Value<'c, 'a>| values.get(&key(value)).copied().unwrap_or(value);
        let by_number: Vec<Value> = self.values_by_number(load).into_iter().map(there).collect();
        let indices = access::indices(load)?;
        let gathers = ir::name_of(load.op()) == Load::GATHER;
        let padding = load.padding().map(there);
        Ok(build_load(b, gathers, load.source(), &indices, &by_number, load.boundary(), padding))
    }
}

/// Whether what a load reads has points: the stage of a table has some where an image may have none.
fn has_points(load: Load) -> bool {
    let extents = RankedTensorType::try_from(load.source().r#type()).map(static_extents).unwrap_or_default();
    extents.into_iter().all(|extent| extent.is_some_and(|extent| extent > 0))
}

/// Operations for a point that it is to look a value up, of bytes if it fits one: `--narrow-integers` keeps it in as few bits.
fn look_up(op: OperationRef, cpu: &Cpu, ranges: &mut Ranges) -> f64 {
    let value = value_of(op);
    let range = ranges.of(value);
    let fits = |lo, hi| range.lo.is_some_and(|least| least >= lo) && range.hi.is_some_and(|most| most <= hi);
    let is_byte =
        bits_of_element(value.r#type()) == Some(8) || value.r#type().is_integer() && (fits(0, 255) || fits(-128, 127));
    if is_byte && cpu.permutes_bytes { PERMUTED } else { LOADED }
}

fn is_load(op: OperationRef) -> bool {
    Load::of(op).is_some()
}

/// The result of an op that has one.
fn value_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    op.result(0).expect("an op of one result").into()
}
