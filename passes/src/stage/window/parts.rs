//! The units of a piece, computing parts: bodies as they are, at coordinates from 0 on.
//!
//! ```text
//! %a = stage "a" (%y, %x) {                           %a = stage "a" (%y, %x) {
//!   load %img[%y, %x - 1] clamp                         load %img[%y, %x - 1] clamp           the part's edge, where it is the image's
//!   load %row[%x]                              ──▶      load %row[%x] clamp                   nobody needs what is read beyond it
//!   %i = arith.index_cast %y                            %y_whole = arith.addi %y, %first0
//!                                                       %i = arith.index_cast %y_whole
//! } sized(%h, %w)                                     } sized(%count0, %count1)
//! ```

use super::{
    axes::{Axes, Index, VARIABLES, coordinate, unit_shape},
    cuts::Cuts,
    piece::{Over, Piece, shape},
};
use crate::{
    analysis::{access, bounds::loads, combine_of, identity},
    ir::{Builder, Compare, Emit, Number, apply, key, same},
    stage::copy::unknown,
};
use melior::ir::{
    OperationRef, ShapedTypeLike, Value,
    operation::{OperationLike, OperationMutLike},
    r#type::RankedTensorType,
};
use mlir_glue::{Failure, ir};
use weft_dialects::pipeline::{Boundary, Extent, Group, Iterate, Load, Scan, Scatter, ScatterParts, Stage, Unit};
use weft_model::{Arith, Expr};

/// Makes the units of a piece.
pub struct Parts<'c, 'a, 'p> {
    piece: &'p Piece<'c, 'a>,
    axes: &'p Axes<'c, 'a>,
    cuts: Cuts<'c, 'a>,
}

impl<'c: 'a, 'a, 'p> Parts<'c, 'a, 'p> {
    /// For a piece that is cut so.
    pub fn new(piece: &'p Piece<'c, 'a>, axes: &'p Axes<'c, 'a>, cuts: Cuts<'c, 'a>) -> Self {
        Self { piece, axes, cuts }
    }

    /// What an image or a number of the program is in the function that is made.
    pub fn value(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.cuts.value(value)
    }

    /// Makes all of them.
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn make(&mut self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        for op in self.piece.ops() {
            let b = b.located(op.location());
            match (Unit::of(op), Iterate::of(op)) {
                (Some(unit), _) => self.unit(&b, unit)?,
                (_, Some(iterate)) => self.iterate(&b, iterate)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn iterate(&mut self, b: &Builder<'c, 'a>, iterate: Iterate<'c, 'a>) -> Result<(), Failure<'c>> {
        let initial: Vec<Value> = iterate.initial().into_iter().map(|image| self.value(image)).collect();
        let made =
            b.insert(Iterate::build(b.context(), iterate.name(), self.value(iterate.steps()), &initial, b.location()));
        let made = Iterate::of(made).expect("made one");
        let inner = Builder::at_end(b.context(), made.body(), b.location());
        self.cuts.values.extend(iterate.states().into_iter().map(key).zip(made.states()));
        for unit in ir::operations(iterate.body()).filter_map(Unit::of) {
            self.unit(&inner.located(unit.op().location()), unit)?;
        }
        let next: Vec<Value> =
            iterate.terminator().into_iter().flat_map(|end| end.operands().collect::<Vec<_>>()).collect();
        let next: Vec<Value> = next.into_iter().map(|image| self.value(image)).collect();
        inner.insert(Group::build_yield(&next, b.location()));
        self.cuts
            .values
            .extend(iterate.op().results().map(|result| key(result.into())).zip(made.op().results().map(Value::from)));
        Ok(())
    }

    /// The part of a unit, empty.
    fn shell(&self, b: &Builder<'c, 'a>, unit: Unit<'c, 'a>) -> OperationRef<'c, 'a> {
        let images: Vec<RankedTensorType> = unit
            .op()
            .results()
            .map(|result| RankedTensorType::try_from(self.axes.part_type(result.into())).expect("images are tensors"))
            .collect();
        let extent = |d| self.cuts.parts[&(unit_shape(unit), d)].count.value(b);
        let extents: Vec<Value> = unknown(images[0].into()).into_iter().map(extent).collect();
        let op = unit.op();
        b.insert(match (Scan::of(op), Scatter::of(op)) {
            (Some(scan), _) => {
                Scan::build(b.context(), unit.name(), scan.along(), scan.is_backward(), &extents, &images, b.location())
            }
            (_, Some(scatter)) => {
                let domain: Vec<(i64, Extent)> =
                    (0..scatter.domain().len()).map(|d| self.domain(b, scatter, d)).collect();
                let initial: Vec<Value> = match self.piece.over {
                    Some(Over::Domain(over)) if over == scatter => {
                        images.iter().map(|image| identity(b, combine_of(scatter), image.element())).collect()
                    }
                    _ => scatter.initial().into_iter().map(|value| self.value(value)).collect(),
                };
                let parts = ScatterParts {
                    name: unit.name(),
                    coordinates: unit.coordinate_count(),
                    domain: &domain,
                    initial: &initial,
                    combine: combine_of(scatter),
                    reassociable: scatter.is_reassociable(),
                    extents: &extents,
                    images: &images,
                };
                Scatter::build(b.context(), parts, b.location())
            }
            _ => Stage::build(b.context(), unit.name(), &extents, &images, b.location()),
        })
    }

    /// The interval of a variable of a scatter's domain.
    fn domain(&self, b: &Builder<'c, 'a>, scatter: Scatter<'c, 'a>, variable: usize) -> (i64, Extent<'c, 'a>) {
        let (first, end) = scatter.domain()[variable];
        let dim = (unit_shape(scatter.into()), VARIABLES + variable);
        match (self.axes.cut(dim), end) {
            (Some(_), _) => (0, Extent::Dynamic(self.cuts.parts[&dim].count.value(b))),
            (None, Extent::Dynamic(end)) => (first, Extent::Dynamic(self.value(end))),
            (None, end) => (first, end),
        }
    }

    fn unit(&mut self, b: &Builder<'c, 'a>, unit: Unit<'c, 'a>) -> Result<(), Failure<'c>> {
        let op = self.shell(b, unit);
        let made = Unit::of(op).expect("made one");
        let inner = Builder::at_end(b.context(), made.body(), b.location());
        let coordinates: Vec<Value> = ir::arguments(made.body()).collect();
        self.cuts.values.extend(ir::arguments(unit.body()).map(key).zip(coordinates.iter().copied()));
        for op in ir::operations(unit.body()) {
            inner.located(op.location()).clone_mapped(op, &mut self.cuts.values);
        }
        self.cuts
            .values
            .extend(unit.op().results().map(|result| key(result.into())).zip(op.results().map(Value::from)));
        let whole = self.whole_coordinates(b, &coordinates, unit, made);
        for (old, new) in loads(unit).zip(loads(made).collect::<Vec<_>>()) {
            self.load(b, old, new, &whole)?;
        }
        self.drop_others(b, unit, made, &whole);
        for (d, coordinate) in coordinates.iter().enumerate().filter(|(d, coordinate)| whole[*d] != **coordinate) {
            let added = ir::defining_op(whole[d]);
            for (user, operand) in ir::uses(*coordinate) {
                if Load::of(user).is_none() && Some(user) != added {
                    ir::mutable(user).set_operand(operand, whole[d]);
                }
            }
            if let Some(added) = added.filter(|_| !ir::has_uses(whole[d])) {
                ir::erase(added);
            }
        }
        Ok(())
    }

    /// The coordinates of whole images, computed at the head of a body.
    fn whole_coordinates(
        &self,
        b: &Builder<'c, 'a>,
        coordinates: &[Value<'c, 'a>],
        unit: Unit<'c, 'a>,
        made: Unit<'c, 'a>,
    ) -> Vec<Value<'c, 'a>> {
        let first = ir::operations(made.body()).next().expect("a body has an end");
        let names = unit.argument_names();
        let whole = |(d, value): (usize, &Value<'c, 'a>)| {
            let dim = (unit_shape(unit), coordinate(unit, d));
            match self.axes.cut(dim) {
                None => *value,
                Some(_) => {
                    let b = Builder::before(b.context(), first).named(&format!("{}_whole", names[d]));
                    Emit(&b).add(&Number::Value(*value), &self.cuts.parts[&dim].first).value(&b)
                }
            }
        };
        coordinates.iter().enumerate().map(whole).collect()
    }

    /// Makes a load read a part: at the same indices where the source is cut with the coordinates, else at those of whole images.
    fn load(
        &self,
        b: &Builder<'c, 'a>,
        old: Load<'c, 'a>,
        new: Load<'c, 'a>,
        whole: &[Value<'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        let unit = old.unit().expect("a load is in a unit");
        let source = shape(old.source());
        let b = Builder::before(b.context(), new.op());
        let is_cut = |d: &usize| self.axes.cut((unit_shape(unit), coordinate(unit, *d))).is_some();
        let indices = access::indices(old)?;
        let mut is_gather = new.op().name().as_string_ref().as_str() == Ok(Load::GATHER);
        let mut is_inside = true;
        let own: Vec<Value> = ir::arguments(new.unit().expect("a load is in a unit").body()).collect();
        let variables = access::variables_at(old, new.op());
        let mut values: Vec<Value> = own.into_iter().chain(variables.iter().copied()).collect();
        let wholes: Vec<Value> = whole.iter().copied().chain(variables).collect();
        let mut made = Vec::new();
        for (k, (expr, index)) in indices.iter().zip(Index::all(old)?).enumerate() {
            let dim = (source, k);
            if self.axes.cut(dim).is_some() {
                let part = self.cuts.parts[&dim].count;
                let of_unit = |d: usize| self.cuts.parts[&(unit_shape(unit), coordinate(unit, d))].count;
                is_inside &= matches!(expr, Expr::Dim(d) if *d < whole.len() && same(of_unit(*d), part));
                made.push(expr.clone());
            } else if index.coordinates.iter().any(is_cut) {
                // A computed index stands alone.
                made.push(Expr::Dim(values.len()));
                values.push(apply(expr, &wholes, &b));
                (is_gather, is_inside) = (true, false);
            } else {
                made.push(expr.clone());
            }
        }
        if is_inside && made == indices {
            return Ok(());
        }
        // What lies beyond a part's edge that is not the image's is read for nobody.
        let boundary = if new.boundary() == Boundary::None { Boundary::Clamp } else { new.boundary() };
        let read = access::build_load(&b, is_gather, new.source(), &made, &values, boundary, new.padding());
        ir::replace_all_uses(ir::result(new.op(), 0).expect("a load gives a value"), read);
        ir::erase(new.op());
        Ok(())
    }

    /// Points of a scatter's part that do not lie in the window update nothing.
    fn drop_others(&self, b: &Builder<'c, 'a>, unit: Unit<'c, 'a>, made: Unit<'c, 'a>, whole: &[Value<'c, 'a>]) {
        let Some(Over::Domain(scatter)) = self.piece.over else { return };
        if scatter.op() != unit.op() {
            return;
        }
        let Some(end) = made.terminator() else { return };
        let b = Builder::before(b.context(), end);
        let mut inside = None;
        for (d, whole) in whole[unit.coordinate_count()..].iter().enumerate() {
            let Some((axis, _)) = self.axes.cut((unit_shape(unit), VARIABLES + d)) else { continue };
            let (first, end) = self.cuts.window[axis];
            let begin = Emit(&b).max(&Number::Value(first), &Number::Known(scatter.domain()[d].0)).value(&b);
            let is_in =
                b.logic("andi", b.compare(Compare::GreaterEqual, *whole, begin), b.compare(Compare::Less, *whole, end));
            inside = b.both(inside, Some(is_in));
        }
        let Some(inside) = inside else { return };
        // The first place follows the values.
        let place = unit.op().result_count();
        let Some(at) = ir::operand(end, place) else { return };
        ir::mutable(end).set_operand(place, b.select(inside, at, b.index(-1), b.index_type()));
    }
}
