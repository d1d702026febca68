//! Where a window cuts the images of a piece, as numbers of the function that is made.
//!
//! ```text
//! first of the axis  = (min(first of the window, what the smallest image still has) - before) rounded down to a step, at least 0
//! first of an image  = first of the axis * scale
//! end of an image    = min(extent of the whole image, (last of the window + behind) * scale + 1)
//! ```
//!
//! All images of an axis begin at one place, so that indices stay what they are. All end at one place, too: what has the same extent in whole
//! images has the same in parts.

use super::{
    axes::{Axes, Axis, Dim, Reach, VARIABLES, unit_shape},
    piece::{Piece, shape},
};
use crate::ir::{Builder, Compare, Emit, Key, Number, dim_of, is, is_table, key, numbers, program, shape_of};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType};
use mlir_glue::ir;
use std::collections::HashMap;
use weft_dialects::pipeline::{Iterate, Scatter, Unit, static_extents};
use weft_model::{Arith, affine::Ratio, gcd};

/// A half-open interval of a whole image.
#[derive(Clone, Copy)]
pub struct Cut<'c, 'a> {
    /// The first point.
    pub first: Number<'c, 'a>,
    /// How many points.
    pub count: Number<'c, 'a>,
}

/// The numbers that a function of a window is given: those of the program, its whole images' extents, and the window.
pub struct Given<'c, 'a> {
    /// The program's numbers, as this function has them.
    pub values: HashMap<Key, Value<'c, 'a>>,
    /// Extents of the program's arguments that are not known: argument, dimension.
    pub extents: HashMap<(usize, usize), Value<'c, 'a>>,
    /// First point and end of each dimension of the window.
    pub window: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
}

/// The cuts of a piece.
pub struct Cuts<'c, 'a> {
    /// What each value of the program is here.
    pub values: HashMap<Key, Value<'c, 'a>>,
    /// Extents of whole images, and ends of domains.
    pub whole: HashMap<Dim, Number<'c, 'a>>,
    /// First point and end of each dimension of the window.
    pub window: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    /// The parts.
    pub parts: HashMap<Dim, Cut<'c, 'a>>,
}

impl<'c: 'a, 'a> Cuts<'c, 'a> {
    /// Computes them. The builder stands in the function that is made.
    pub fn new(b: &Builder<'c, 'a>, piece: &Piece<'c, 'a>, axes: &Axes<'c, 'a>, given: Given<'c, 'a>) -> Self {
        let mut cuts = Self::whole(b, piece, given);
        let dims = cuts.dims(piece);
        let steps: Vec<Number> = piece
            .ops()
            .into_iter()
            .filter_map(Iterate::of)
            .map(|iterate| {
                let steps = cuts.number(Number::Value(iterate.steps()));
                let mut emit = Emit(b);
                let others = emit.add(&steps, &Number::Known(-1));
                emit.max(&others, &Number::Known(0))
            })
            .collect();
        let ends: Vec<Option<Ends>> =
            (0..axes.window.len()).map(|d| cuts.ends(b, piece, axes, d, (&dims, &steps))).collect();
        let mut parts: HashMap<(usize, Ratio, Result<i64, Key>), Cut> = HashMap::new();
        for dim in dims {
            let whole = cuts.whole[&dim];
            let part = match axes.cut(dim).and_then(|(axis, scale)| Some((axis, scale, ends[axis]?))) {
                None => Cut { first: Number::Known(0), count: whole },
                Some((axis, scale, ends)) => {
                    *parts.entry((axis, scale, whole.id())).or_insert_with(|| part(b, axis, scale, ends, whole))
                }
            };
            cuts.parts.insert(dim, part);
        }
        cuts
    }

    /// Those of the whole: where there is no window.
    pub fn whole(b: &Builder<'c, 'a>, piece: &Piece<'c, 'a>, given: Given<'c, 'a>) -> Self {
        let Given { values, extents, window } = given;
        let mut cuts = Self { values, whole: HashMap::new(), window, parts: HashMap::new() };
        cuts.scalars(b, piece, &extents);
        cuts
    }

    /// A number of the program, as it is here.
    pub fn number(&self, number: Number<'c, 'a>) -> Number<'c, 'a> {
        match number {
            Number::Value(value) => Number::Value(self.value(value)),
            known => known,
        }
    }

    /// What a value of the program is here.
    pub fn value(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.values.get(&key(value)).copied().unwrap_or(value)
    }

    /// What a program computes of numbers, with the extents of whole images.
    fn scalars(
        &mut self,
        b: &Builder<'c, 'a>,
        piece: &Piece<'c, 'a>,
        extents: &HashMap<(usize, usize), Value<'c, 'a>>,
    ) {
        for (number, argument) in ir::arguments(piece.block()).enumerate() {
            let Ok(ty) = RankedTensorType::try_from(argument.r#type()) else { continue };
            for (d, known) in static_extents(ty).into_iter().enumerate() {
                let extent = known.map_or_else(|| Number::Value(extents[&(number, d)]), Number::Known);
                self.whole.insert((key(argument), d), extent);
            }
        }
        for op in ir::operations(piece.block()) {
            match Iterate::of(op) {
                Some(iterate) => ir::operations(iterate.body()).for_each(|op| self.scalar(b, op)),
                None => self.scalar(b, op),
            }
        }
    }

    fn scalar(&mut self, b: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) {
        let is_end = is(op, "func.return") || is(op, "pipeline.yield");
        if let Some(unit) = Unit::of(op) {
            for (d, extent) in numbers(unit.extents()).into_iter().enumerate() {
                self.whole.insert((unit_shape(unit), d), self.number(extent));
            }
            for (d, (_, end)) in Scatter::of(op).into_iter().flat_map(Scatter::domain).enumerate() {
                self.whole.insert((unit_shape(unit), VARIABLES + d), self.number(Number::from(end)));
            }
        } else if let Some((image, dimension)) = dim_of(op) {
            let table = ir::defining_op(shape_of(image)).is_some_and(is_table);
            let known = RankedTensorType::try_from(image.r#type()).ok().and_then(|ty| static_extents(ty)[dimension]);
            let extent = match known.filter(|_| table) {
                Some(known) => Number::Known(known),
                None => self.whole[&(shape(image), dimension)],
            };
            let extent = extent.value(b);
            self.values.insert(key(op.result(0).expect("tensor.dim has a result").into()), extent);
        } else if !program::is_program_op(op) && !is_end {
            b.located(op.location()).clone_mapped(op, &mut self.values);
        }
    }

    /// Where the parts of an axis that is cut begin and end.
    fn ends(
        &self,
        b: &Builder<'c, 'a>,
        piece: &Piece<'c, 'a>,
        axes: &Axes<'c, 'a>,
        axis: usize,
        (dims, steps): (&[Dim], &[Number<'c, 'a>]),
    ) -> Option<Ends<'c, 'a>> {
        let Axis { step, before, behind } = axes.axes[axis].as_ref()?;
        let (first, end) = self.window[axis];
        let of_axis = |dim: &Dim| axes.cut(*dim).filter(|(number, _)| *number == axis);
        let all: Vec<(Ratio, Number)> =
            dims.iter().filter_map(|dim| Some((of_axis(dim)?.1, self.whole[dim]))).collect();

        let named = b.named(&format!("first{axis}"));
        let mut emit = Emit(&named);
        let first = Number::Value(first);
        let first = smallest(&all, &mut emit).map_or(first, |last| emit.min(&first, &last));
        let (before, parts) = reach(&mut emit, before, steps);
        let first = emit.mul(&first, parts);
        let first = difference(&named, first, before);
        let first = emit.floor_div(&first, parts);
        let first = emit.max(&first, &Number::Known(0));
        let first = emit.floor_div(&first, *step);
        let first = emit.mul(&first, *step);

        let named = b.named(&format!("last{axis}"));
        let mut emit = Emit(&named);
        let last = emit.add(&Number::Value(end), &Number::Known(-1));
        let last = self.last(&named, piece, axes, axis, last);
        let (behind, parts) = reach(&mut emit, behind, steps);
        let last = emit.mul(&last, parts);
        Some(Ends { first, last: emit.add(&last, &behind), parts })
    }

    /// The last point of a window along an axis: of the last window that of the longest image, which has what is left.
    fn last(
        &self,
        b: &Builder<'c, 'a>,
        piece: &Piece<'c, 'a>,
        axes: &Axes<'c, 'a>,
        axis: usize,
        last: Number<'c, 'a>,
    ) -> Number<'c, 'a> {
        let own = self.whole[&axes.window[axis]];
        let mut emit = Emit(b);
        let own_last = emit.add(&own, &Number::Known(-1));
        let mut longest = own_last;
        for image in piece.images.iter().map(|image| shape(*image)) {
            for (dim, whole) in (0..VARIABLES).filter_map(|d| Some(((image, d), *self.whole.get(&(image, d))?))) {
                let Some((_, scale)) = axes.cut(dim).filter(|(cut, _)| *cut == axis) else { continue };
                if scale == Ratio::ONE && whole.id() == own.id() {
                    continue;
                }
                let length = length_on_axis(&mut emit, scale, whole);
                let end = emit.add(&length, &Number::Known(-1));
                longest = emit.max(&longest, &end);
            }
        }
        if longest.id() == own_last.id() {
            return last;
        }
        let is_last = b.compare(Compare::Equal, last.value(b), own_last.value(b));
        Number::Value(b.select(is_last, longest.value(b), last.value(b), b.index_type()))
    }

    /// All dimensions of images of a piece, once.
    fn dims(&self, piece: &Piece<'c, 'a>) -> Vec<Dim> {
        let read = piece.reads().into_iter().map(|(_, image)| shape(image));
        let mut shapes: Vec<Key> = Vec::new();
        for shape in read.chain(piece.units().into_iter().map(unit_shape)) {
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        let dims = shapes.into_iter().flat_map(|shape| (0..2 * VARIABLES).map(move |d| (shape, d)));
        dims.filter(|dim| self.whole.contains_key(dim)).collect()
    }
}

/// Where the parts of an axis begin and end, in points of the window.
#[derive(Clone, Copy)]
struct Ends<'c, 'a> {
    first: Number<'c, 'a>,
    /// The last point that is needed, in so many parts of a point.
    last: Number<'c, 'a>,
    parts: i64,
}

/// A reach, as a number of so many parts of a point.
fn reach<'c: 'a, 'a>(emit: &mut Emit<'_, 'c, 'a>, reach: &Reach, steps: &[Number<'c, 'a>]) -> (Number<'c, 'a>, i64) {
    let all = reach.steps.iter().map(|(_, each)| each.den).chain([reach.fixed.den]);
    // Scales and what indices divide by are small numbers; where not, whole points do.
    let parts = all.fold(1i64, |parts, den| (parts / gcd(parts, den)).saturating_mul(den));
    let parts = if parts > MAX_PARTS { 1 } else { parts };
    let whole = |number: Ratio| number.times(Ratio::whole(parts)).map_or(i64::from(i32::MAX), Ratio::ceil);
    let sum = reach.steps.iter().fold(Number::Known(whole(reach.fixed)), |sum, (iterate, each)| {
        let steps = emit.mul(&steps[*iterate], whole(*each));
        emit.add(&sum, &steps)
    });
    (sum, parts)
}

/// Parts of a point in which reaches are counted, at most.
const MAX_PARTS: i64 = 1 << 20;

/// How far an image reaches along an axis, in points of that, rounded up.
fn length_on_axis<'c: 'a, 'a>(emit: &mut Emit<'_, 'c, 'a>, scale: Ratio, whole: Number<'c, 'a>) -> Number<'c, 'a> {
    let length = emit.mul(&whole, scale.den);
    let length = emit.add(&length, &Number::Known(scale.num - 1));
    emit.floor_div(&length, scale.num)
}

/// The last point at which all images of an axis still have one, whatever is read of the longer ones by reflection; none where all are of
/// one length.
fn smallest<'c: 'a, 'a>(all: &[(Ratio, Number<'c, 'a>)], emit: &mut Emit<'_, 'c, 'a>) -> Option<Number<'c, 'a>> {
    let mut ends: Vec<(Ratio, Number)> = Vec::new();
    for (scale, whole) in all {
        if !ends.iter().any(|(other, extent)| other == scale && extent.id() == whole.id()) {
            ends.push((*scale, *whole));
        }
    }
    if ends.len() < 2 {
        return None;
    }
    let last_on_axis = |emit: &mut Emit<'_, 'c, 'a>, scale: Ratio, whole| {
        let last = emit.add(&whole, &Number::Known(-1));
        let last = emit.mul(&last, scale.den);
        emit.floor_div(&last, scale.num)
    };
    let (scale, whole) = ends[0];
    let (mut least, mut most) = (last_on_axis(emit, scale, whole), length_on_axis(emit, scale, whole));
    for (scale, whole) in &ends[1..] {
        let (last, length) = (last_on_axis(emit, *scale, *whole), length_on_axis(emit, *scale, *whole));
        (least, most) = (emit.min(&least, &last), emit.max(&most, &length));
    }
    let twice = emit.mul(&least, 2);
    Some(difference(emit.0, twice, most))
}

/// The part of an image along an axis.
fn part<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    axis: usize,
    scale: Ratio,
    ends: Ends<'c, 'a>,
    whole: Number<'c, 'a>,
) -> Cut<'c, 'a> {
    let named = b.named(&format!("first{axis}"));
    let mut emit = Emit(&named);
    let first = emit.mul(&ends.first, scale.num);
    let first = emit.floor_div(&first, scale.den);
    let named = b.named(&format!("count{axis}"));
    let mut emit = Emit(&named);
    let of_parts = Ratio::new(scale.num.into(), i128::from(scale.den) * i128::from(ends.parts)).unwrap_or(scale);
    let last = emit.mul(&ends.last, of_parts.num);
    let last = emit.floor_div(&last, of_parts.den);
    let end = emit.add(&last, &Number::Known(1));
    let end = emit.min(&end, &whole);
    Cut { first, count: difference(&named, end, first) }
}

/// `a - b`
pub fn difference<'c: 'a, 'a>(b: &Builder<'c, 'a>, from: Number<'c, 'a>, less: Number<'c, 'a>) -> Number<'c, 'a> {
    match (from, less) {
        (from, Number::Known(less)) => Emit(b).add(&from, &Number::Known(-less)),
        (from, less) => Number::Value(b.arith("subi", from.value(b), less.value(b))),
    }
}
