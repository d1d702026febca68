//! `--share-neighbours`: what neighbouring points of a stage compute alike is a stage of its own, and computed once.
//!
//! ```text
//! %o = stage "o" (%x) {                                    %w = stage "o_common" (%x) {
//!   %h = load %img[%x]                                       %p = load %img[%x - 1] clamp
//!   %l = load %img[%x - 1] clamp                             %q = load %img[%x] clamp
//!   %r = load %img[%x + 1] clamp                             yield exp((%p - %q) * (%p - %q))
//!   %a = exp((%l - %h) * (%l - %h))                  ──▶   } sized(%n + 1)
//!   %b = exp((%r - %h) * (%r - %h))                        %o = stage "o" (%x) {
//!   yield %a * %l + %b * %r                                  %a = load %w[%x]
//! } sized(%n)                                                %b = load %w[%x + 1]
//!                                                            yield %a * %l + %b * %r } sized(%n)
//! ```
//!
//! How alike two points are does not depend on which of them asks: of the weights of a bilateral filter, of the conductances of a diffusion, half
//! are another point's. Nor does the gradient of a neighbour, which a program writes out that has one stage where it could have two. This is
//! inlining, backwards: `--inline-stages` decides what stages a program has too many, this pass which it lacks.
//!
//! **Forms.** Each value of a body that is computed from loads beside the point has a form, in which these are moved so that the least index
//! along each coordinate is 0, and a base, by how much they were moved. Two values of one form are the same function of their bases. Operands
//! that can be exchanged are sorted. A difference is that of the lesser form and the greater, or the opposite, which its square and
//! its magnitude do not tell.
//!
//! **Flows.** What flows from one point to the next is what flows back, but for its sign. `a - b` and `b - a` differ in more than that: both are 0.0
//! where `a` is `b`. So the new stage has what flows at the magnitude of the difference, and a point gives it the sign of its own:
//!
//! ```text
//!   %d = %there - %here                         %w = stage "o_common": |%p - %q| / (1 + |%p - %q| * |%p - %q|)
//!   %f = %d / (1 + %d * %d)             ──▶     %f = (load %w[%x + 1]) * copysign(1, %there - %here)
//! ```
//!
//! Products and quotients of one difference and of what does not tell its sign are such flows. Sums are not: that of what is opposite is 0.0 both ways.
//!
//! **Edges.** Of a load without a boundary mode that is known to stay inside each mode gives the same: it takes that of the other loads of
//! its image. So the new stage gives at each point, also beside the image, what the old one computed there.

use super::{
    copy::{Longer, grown},
    join::widened_load,
};
use crate::{
    analysis::{
        STORED,
        access::{self, build_load},
        domain, weight_of,
    },
    ir::{Builder, Key, Kind, TakenNames, bytes_of_element, is_inside, key, program},
};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::{BTreeSet, HashMap, HashSet};
use weft_dialects::pipeline::{Boundary, Load, Stage};
use weft_model::Expr;

/// The pass.
pub struct ShareNeighbours;

const SHARED: Statistic = Statistic::new(c"shared", c"Stages of what neighbouring points have in common");
const REPLACED: Statistic = Statistic::new(c"replaced", c"Values that are loaded from these");

/// The part of what a point computes that it has of the rows above and below it, as rows are computed together.
const OF_ROWS: f64 = 0.25;

/// What takes fewer is no dearer than to load it.
const CHEAP: f64 = 4.0;

/// To give a value the sign of a difference.
const SIGN: f64 = 3.0;

/// How far apart those may be that share: rows between them are kept.
const FARTHEST: i64 = 64;

impl Pass for ShareNeighbours {
    const ARGUMENT: &'static str = "share-neighbours";
    const SUMMARY: &'static str = "Compute once what neighbouring points of a stage have in common";
    const DESCRIPTION: &'static str = "\
Finds values in the body of a stage that are the same function of loads around different points, as how alike a point and its neighbour are, \
or but for their sign, as what flows between them, and makes a stage of that function, where more than 12 operations a point are saved. No value changes. It goes behind `--inline-stages`, which would \
else take out what is cheap, and `--unroll-reductions`. Stages in groups stay as they are.";
    const STATISTICS: &'static [Statistic] = &[SHARED, REPLACED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            let mut names: TakenNames = program::units(func).iter().map(|unit| unit.name().to_owned()).collect();
            for block in program::blocks(func)? {
                let mut stages: Vec<Stage> = ir::operations(block).filter_map(Stage::of).collect();
                // A stage that is made may have something in common with itself, and what is left of one with a stage less.
                while let Some(stage) = stages.pop() {
                    let made = share(cx, stage, &mut names)?;
                    if !made.is_empty() {
                        stages.push(stage);
                        stages.extend(made);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Makes the stages that a stage lacks, those that save most; returns them.
fn share<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    stage: Stage<'c, 'a>,
    names: &mut TakenNames,
) -> Result<Vec<Stage<'c, 'a>>, Failure<'c>> {
    let forms = Forms::of(stage)?;
    let mut wanted: Vec<Common> = forms.common();
    wanted.sort_by(|one, other| other.saves.total_cmp(&one.saves));
    // Before anything is replaced, what values are computed by.
    let parts = |common: &Common<'c, 'a>| -> Vec<Key> {
        let parts = common.members.iter().flat_map(|(op, _)| forms.computed_for(*op));
        parts.map(|op| key(value_of(op))).collect()
    };
    let with_parts = |common| {
        let parts = parts(&common);
        (common, parts)
    };
    let wanted: Vec<(Common, Vec<Key>)> = wanted.into_iter().map(with_parts).collect();
    // What is computed elsewhere then, and what is loaded from there.
    let (mut gone, mut loaded): (HashSet<Key>, HashSet<Key>) = Default::default();
    let mut made = Vec::new();
    for (common, parts) in wanted {
        let own: Vec<Key> = common.members.iter().map(|(op, _)| key(value_of(*op))).collect();
        // The others wait until the forms are found anew.
        if own.iter().any(|value| gone.contains(value)) || parts.iter().any(|value| loaded.contains(value)) {
            continue;
        }
        gone.extend(parts);
        loaded.extend(own);
        made.push(forms.make(cx, &common, names));
        cx.count(SHARED, 1);
        cx.count(REPLACED, common.members.len());
    }
    if !made.is_empty() {
        // Users go before what they use.
        for op in forms.ops.iter().rev() {
            if ir::result(*op, 0).is_some_and(|value| forms.of.contains_key(&key(value)) && !ir::has_uses(value)) {
                ir::erase(*op);
            }
        }
    }
    Ok(made)
}

/// What an op takes, in those that a CPU does two of in a cycle. Quotients and roots wait for each other, ten or more cycles a vector.
fn weight(op: OperationRef) -> f64 {
    match ir::name_of(op) {
        "arith.divf" | "math.sqrt" => 2.0 * weight_of(op),
        _ => weight_of(op),
    }
}

/// The result of an op that has a form.
fn value_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    op.result(0).expect("an op with a form has a result").into()
}

/// A coordinate's shift, if the value depends on that coordinate.
type Base = Vec<Option<i64>>;

/// A value as a function of its base.
#[derive(Clone)]
struct Form<'c, 'a> {
    /// Which function.
    id: usize,
    /// Whether it is the opposite of that, but for the sign of a zero.
    is_opposite: bool,
    /// The difference whose sign it has, or the opposite of that sign: with its magnitude it is the same without a sign of its own.
    flows: Option<Value<'c, 'a>>,
    base: Base,
}

/// What tells forms apart.
#[derive(PartialEq, Eq, Hash)]
enum Function {
    /// A value from outside the body.
    Outside(Key),
    /// For each dimension the coordinate, if it has one, and the index beside it.
    Load { source: Key, indices: Vec<(Option<usize>, i64)>, boundary: Boundary, padding: Option<Key> },
    /// Of each operand the form, and how far its base is from the least one.
    Op { kind: Kind, operands: Vec<Operand> },
}

type Operand = (usize, bool, Base);

/// Values of one form.
struct Common<'c, 'a> {
    members: Vec<(OperationRef<'c, 'a>, Base)>,
    /// Of each member the difference whose sign it has, where some have one sign and some the other.
    signs: Option<Vec<Value<'c, 'a>>>,
    /// Operations for each point.
    saves: f64,
}

/// The forms of the values of a body.
struct Forms<'c, 'a> {
    stage: Stage<'c, 'a>,
    /// In their order.
    ops: Vec<OperationRef<'c, 'a>>,
    of: HashMap<Key, Form<'c, 'a>>,
    /// The mode that loads of an image have that have one.
    modes: HashMap<Key, (Boundary, Option<Value<'c, 'a>>)>,
}

impl<'c: 'a, 'a> Forms<'c, 'a> {
    fn of(stage: Stage<'c, 'a>) -> Result<Self, Failure<'c>> {
        let ops: Vec<OperationRef> = ir::operations(stage.body()).collect();
        let mut modes: HashMap<Key, (Boundary, Option<Value>)> = HashMap::new();
        let with_mode = ops.iter().filter_map(|op| Load::of(*op)).filter(|load| load.boundary() != Boundary::None);
        for load in with_mode.filter(|load| load.padding().is_none_or(|padding| !is_inside(padding, stage.op()))) {
            modes.entry(key(load.source())).or_insert((load.boundary(), load.padding()));
        }
        let mut forms = Self { stage, ops, of: HashMap::new(), modes };
        let mut ids: HashMap<Function, usize> = HashMap::new();
        for op in forms.ops.clone() {
            let Some((function, is_opposite, base)) = forms.function(op, &mut ids)? else { continue };
            let flows = forms.flows(op);
            let next = ids.len();
            let id = *ids.entry(function).or_insert(next);
            forms.of.insert(key(value_of(op)), Form { id, is_opposite, flows, base });
        }
        Ok(forms)
    }

    /// What a value is a function of, and at which base.
    fn function(
        &self,
        op: OperationRef<'c, 'a>,
        ids: &mut HashMap<Function, usize>,
    ) -> Result<Option<(Function, bool, Base)>, Failure<'c>> {
        if let Some(load) = Load::of(op) {
            return self.load(load);
        }
        let name = ir::name_of(op);
        let is_pure = op.region_count() == 0 && op.result_count() == 1;
        if !is_pure || !["arith.", "math."].iter().any(|dialect| name.starts_with(dialect)) {
            return Ok(None);
        }
        let mut operands = Vec::new();
        for value in op.operands() {
            let Some(form) = self.operand(value, ids) else { return Ok(None) };
            operands.push(form);
        }
        let base = least(self.stage.rank(), operands.iter().map(|form| &form.base));
        let mut operands: Vec<Operand> =
            operands.into_iter().map(|form| (form.id, form.is_opposite, beside(&form.base, &base))).collect();
        let mut is_opposite = false;
        match name {
            "arith.subf" | "arith.subi" if operands[0] > operands[1] => {
                operands.swap(0, 1);
                is_opposite = true;
            }
            "math.absf" | "math.absi" => operands[0].1 = false,
            _ if name != "arith.subf" && self.flows(op).is_some() => {
                is_opposite = operands.iter().any(|operand| operand.1);
                operands.iter_mut().for_each(|operand| operand.1 = false);
                if name == "arith.mulf" {
                    operands.sort();
                }
            }
            "arith.addf" | "arith.addi" | "arith.andi" | "arith.ori" | "arith.xori" | "arith.maxsi" | "arith.maxui"
            | "arith.minsi" | "arith.minui" | "arith.maximumf" | "arith.minimumf" => operands.sort(),
            "arith.mulf" | "arith.muli" | "math.fma" => {
                operands[..2].sort();
                if operands[0] == operands[1] {
                    operands[..2].iter_mut().for_each(|operand| operand.1 = false);
                }
            }
            _ => {}
        }
        let kind = Kind::of(op);
        Ok(kind.map(|kind| (Function::Op { kind, operands }, is_opposite, base)))
    }

    /// The difference whose sign a value has, or its opposite.
    fn flows(&self, op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let flows = || op.operands().map(|value| self.of.get(&key(value))?.flows).collect::<Vec<_>>();
        match ir::name_of(op) {
            "arith.subf" => Some(value_of(op)),
            "arith.negf" | "arith.extf" | "arith.truncf" => flows()[0],
            "arith.mulf" | "arith.divf" => match flows()[..] {
                [one, None] | [None, one] => one,
                _ => None,
            },
            _ => None,
        }
    }

    /// The form of an operand: of what is computed outside the body it is that value.
    fn operand(&self, value: Value<'c, 'a>, ids: &mut HashMap<Function, usize>) -> Option<Form<'c, 'a>> {
        if is_inside(value, self.stage.op()) {
            return self.of.get(&key(value)).cloned();
        }
        let next = ids.len();
        let id = *ids.entry(Function::Outside(key(value))).or_insert(next);
        Some(Form { id, is_opposite: false, flows: None, base: vec![None; self.stage.rank()] })
    }

    /// That of a load beside the point.
    fn load(&self, load: Load<'c, 'a>) -> Result<Option<(Function, bool, Base)>, Failure<'c>> {
        let mut indices = Vec::new();
        for index in access::indices(load)? {
            let sum = index.flatten();
            let coordinate = match sum.terms.iter().collect::<Vec<_>>()[..] {
                [] => None,
                [(Expr::Dim(d), 1)] if *d < self.stage.rank() => Some(*d),
                _ => return Ok(None),
            };
            if coordinate.is_some() && sum.constant.unsigned_abs() > FARTHEST as u64 {
                return Ok(None);
            }
            indices.push((coordinate, sum.constant));
        }
        let (boundary, padding) = self.mode(load);
        if padding.is_some_and(|padding| is_inside(padding, self.stage.op())) {
            return Ok(None);
        }
        let along = |d| indices.iter().filter(move |(of, _)| *of == Some(d)).map(|(_, by)| *by).min();
        let base: Base = (0..self.stage.rank()).map(along).collect();
        for (coordinate, by) in &mut indices {
            *by -= coordinate.and_then(|d| base[d]).unwrap_or(0);
        }
        let function = Function::Load { source: key(load.source()), indices, boundary, padding: padding.map(key) };
        Ok(Some((function, false, base)))
    }

    /// The mode of a load, or one that gives the same.
    fn mode(&self, load: Load<'c, 'a>) -> (Boundary, Option<Value<'c, 'a>>) {
        let may_take_another = load.boundary() == Boundary::None && domain::stays_inside(load);
        let other = may_take_another.then(|| self.modes.get(&key(load.source()))).flatten();
        other.copied().unwrap_or((load.boundary(), load.padding()))
    }

    /// Values of one form at several bases that are worth a stage.
    fn common(&self) -> Vec<Common<'c, 'a>> {
        let mut places: HashMap<(usize, bool), usize> = HashMap::new();
        let mut all: Vec<Common> = Vec::new();
        for op in &self.ops {
            let Some(form) = ir::result(*op, 0).and_then(|value| self.of.get(&key(value))) else { continue };
            let place = *places.entry((form.id, form.is_opposite && form.flows.is_none())).or_insert(all.len());
            if place == all.len() {
                all.push(Common { members: Vec::new(), signs: None, saves: 0.0 });
            }
            all[place].members.push((*op, form.base.clone()));
        }
        for common in &mut all {
            let forms: Vec<&Form> = common.members.iter().map(|(op, _)| &self.of[&key(value_of(*op))]).collect();
            if forms.iter().any(|form| form.is_opposite != forms[0].is_opposite) {
                common.signs = forms.iter().map(|form| form.flows).collect();
            }
            common.saves = self.saves(common);
        }
        all.retain(|common| common.saves > STORED);
        all
    }

    /// Operations for each point that a stage of these saves.
    fn saves(&self, common: &Common<'c, 'a>) -> f64 {
        let bases: BTreeSet<&Base> = common.members.iter().map(|(_, base)| base).collect();
        if bases.len() < 2 || spread(self.stage.rank(), &common.members).iter().any(|(lo, hi)| hi - lo > FARTHEST) {
            return 0.0;
        }
        let columns: BTreeSet<Option<i64>> = bases.iter().map(|base| base.last().copied().flatten()).collect();
        // An element is converted as it is loaded.
        let is_conversion = |op: &OperationRef<'c, 'a>| widened_load(value_of(*op)).is_some();
        let body = self.computed_for(common.members[0].0).into_iter();
        let cost: f64 = body.filter(|op| !is_conversion(op)).map(weight).sum();
        if cost < CHEAP {
            return 0.0;
        }
        if common.signs.is_some() {
            // Rows that are computed together have nothing in common either, if the signs differ.
            return cost * (bases.len() - 1) as f64 - SIGN * common.members.len() as f64;
        }
        cost * ((columns.len() - 1) as f64 + (bases.len() - columns.len()) as f64 * OF_ROWS)
    }

    /// What a value is computed by, in the order of the body, the value's own op last.
    fn computed_for(&self, op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
        let mut needed: HashSet<Key> = HashSet::from([key(value_of(op))]);
        let mut found = Vec::new();
        for op in self.ops.iter().rev() {
            if ir::result(*op, 0).is_some_and(|value| needed.contains(&key(value))) {
                needed.extend(op.operands().map(key));
                found.push(*op);
            }
        }
        found.reverse();
        found
    }

    /// The stage of what these have in common, which they are loaded from.
    fn make(&self, cx: &PassContext<'c>, common: &Common<'c, 'a>, names: &mut TakenNames) -> Stage<'c, 'a> {
        let spread = spread(self.stage.rank(), &common.members);
        let (op, own) = &common.members[0];
        let outside = Builder::before(cx.context(), self.stage.op()).located(op.location());
        let longer: Vec<Longer> = (0..).zip(&spread).map(|(d, (lo, hi))| Longer::by(d, hi - lo)).collect();
        let name = names.like(&format!("{}_common", self.stage.name()));
        // The first point of the new stage is where the least base is.
        let moved: Vec<i64> = spread.iter().zip(own).map(|((lo, _), base)| lo - base.unwrap_or(0)).collect();
        let unsigned = common.signs.as_ref().map(|signs| signs[0]);
        let image = grown(&outside, &name, self.stage, &longer, value_of(*op).r#type(), |b, at| {
            self.clone_of(b, *op, unsigned, &moved, at)
        });
        let coordinates: Vec<Value> = ir::arguments(self.stage.body()).collect();
        for (number, (op, base)) in common.members.iter().enumerate() {
            let b = Builder::before(cx.context(), *op).located(op.location());
            let by = base.iter().zip(&spread).map(|(base, (lo, _))| base.unwrap_or(0) - lo);
            let indices: Vec<Expr> = by.enumerate().map(|(d, by)| (Expr::Dim(d) + by).simplified()).collect();
            let mut value = build_load(&b, false, image, &indices, &coordinates, Boundary::None, None);
            if let Some(signs) = &common.signs {
                value = with_sign(&b, value, signs[number]);
            }
            ir::replace_all_uses(value_of(*op), value);
        }
        program::stage_of(image).expect("made one")
    }

    /// What a value is at a point that is moved by so much along each coordinate; computed from the magnitude of `unsigned`.
    fn clone_of(
        &self,
        b: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        unsigned: Option<Value<'c, 'a>>,
        moved: &[i64],
        at: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let mut values: HashMap<Key, Value> = HashMap::new();
        let coordinates: Vec<Expr> = moved.iter().enumerate().map(|(d, by)| Expr::Dim(d) + *by).collect();
        for op in self.computed_for(op) {
            let Some(load) = Load::of(op) else {
                let b = b.located(op.location());
                b.clone_mapped(op, &mut values);
                if unsigned == Some(value_of(op)) {
                    let difference = values[&key(value_of(op))];
                    values.insert(key(value_of(op)), b.value("math.absf", &[difference], difference.r#type(), &[]));
                }
                continue;
            };
            let indices = access::indices(load).unwrap_or_default();
            let indices: Vec<Expr> = indices.iter().map(|index| index.substitute(&coordinates).simplified()).collect();
            let (boundary, padding) = self.mode(load);
            let value = build_load(&b.located(op.location()), false, load.source(), &indices, at, boundary, padding);
            values.insert(key(value_of(op)), value);
        }
        values[&key(value_of(op))]
    }
}

/// A value with the sign of a difference, or, if it has one, the opposite: a product with 1 or -1, of its type.
fn with_sign<'c: 'a, 'a>(b: &Builder<'c, 'a>, value: Value<'c, 'a>, difference: Value<'c, 'a>) -> Value<'c, 'a> {
    let (ty, own) = (value.r#type(), difference.r#type());
    let sign = b.value("math.copysign", &[b.float(own, 1.0), difference], own, &[]);
    let sign = match (bytes_of_element(ty), bytes_of_element(own)) {
        (wide, narrow) if wide > narrow => b.value("arith.extf", &[sign], ty, &[]),
        (narrow, wide) if narrow < wide => b.value("arith.truncf", &[sign], ty, &[]),
        _ => sign,
    };
    b.value("arith.mulf", &[value, sign], ty, &[])
}

/// The least and the greatest base along each coordinate.
fn spread(rank: usize, members: &[(OperationRef, Base)]) -> Vec<(i64, i64)> {
    let along = |d: usize| {
        let bases = || members.iter().filter_map(move |(_, base)| base[d]);
        (bases().min().unwrap_or(0), bases().max().unwrap_or(0))
    };
    (0..rank).map(along).collect()
}

/// The least base along each coordinate, of those that have one.
fn least<'f>(rank: usize, bases: impl Iterator<Item = &'f Base> + Clone) -> Base {
    (0..rank).map(|d| bases.clone().filter_map(|base| base[d]).min()).collect()
}

/// How far a base is from another.
fn beside(base: &Base, from: &Base) -> Base {
    base.iter().zip(from).map(|(base, from)| Some((*base)? - (*from)?)).collect()
}
