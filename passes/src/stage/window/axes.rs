//! The axes of a program: dimensions of its images that a window cuts together.
//!
//! A stage that reads `[2 * y + k, x]` of another says that the other's rows go with its own, two to one. Dimensions that are tied so are an
//! axis, each with its scale; a window cuts an axis at one place, and so each image at that place times its scale. Then no index
//! changes: what was `2 * y + k` in whole images is `2 * y + k` in the parts of them.
//!
//! ```text
//! "fine"[y, x]  reads "img"[y, x - 1]            axis 0: fine.y at 1, img.y at 1, half.y at 1/2, img.y ...
//! "half"[y, x]  reads "fine"[2 * y + 1, x]  ──▶  axis 1: fine.x at 1, img.x at 1, half.x at 1
//! ```
//!
//! What ties in no such way makes an axis that stays whole, and is remembered as the reason: a scan needs its line from the beginning, a
//! scatter all points of its domain, a gather whatever place it computes.

use super::piece::{Over, Piece, rank, reads_table, shape};
use crate::{
    analysis::{access, bounds::loads},
    ir::{Key, Number},
};
use melior::ir::{
    OperationRef, ShapedTypeLike, Type, Value, ValueLike, operation::OperationLike, r#type::RankedTensorType,
};
use mlir_glue::{Failure, ir};
use std::collections::{HashMap, HashSet};
use weft_dialects::pipeline::{Boundary, Extent, Iterate, Load, Scan, Scatter, Unit, static_extents};
use weft_model::{Expr, affine::Ratio, gcd, tiles::Line};

/// A dimension of the images of one shape, or behind [`VARIABLES`] a variable of a scatter's domain.
pub type Dim = (Key, usize);

/// Where the variables of a scatter's domain are among its dimensions.
pub const VARIABLES: usize = 8;

/// An axis of fewer points is not cut: channels, bins.
const SHORT: i64 = 16;

/// A coordinate of fewer points may be an offset.
const FEW: i64 = 64;

/// Windows begin at multiples of fewer points than this.
const MAX_STEP: i64 = 1 << 20;

/// Why an axis stays whole.
#[derive(Clone, Copy)]
pub struct Reason<'c, 'a> {
    /// The op that needs it whole.
    pub op: OperationRef<'c, 'a>,
    /// What it does.
    pub what: &'static str,
}

/// How an index of a load goes along a coordinate of its unit.
pub struct Index {
    /// The coordinate, and points of the source to one of it; none where it goes along none, or along several.
    pub along: Option<(usize, Ratio)>,
    /// Where else it may lie: offsets, in points of the source.
    pub low: Ratio,
    pub high: Ratio,
    /// The coordinates in it.
    pub coordinates: Vec<usize>,
    /// Those that are read as offsets: of few points, beside a longer one.
    pub offsets: Vec<usize>,
    /// It means the same where each of them is moved by a multiple of this.
    pub period: i64,
}

impl Index {
    /// Those of a load, one for each dimension of its source.
    pub fn all<'c: 'a, 'a>(load: Load<'c, 'a>) -> Result<Vec<Self>, Failure<'c>> {
        let bounds = load.unit().map(Unit::bounds).unwrap_or_default();
        let rank = bounds.len();
        let variables = access::variables(load);
        let of = |expr: &Expr| {
            let mut line = Line::around(expr);
            for (number, variable) in variables.iter().enumerate() {
                let known = variable.known();
                line = match (line, known.lo.zip(known.hi)) {
                    (Some(line), Some((lo, hi))) => line.within(rank + number, lo, hi),
                    (line, _) => line,
                };
            }
            let coordinates: Vec<usize> = expr.dims().into_iter().filter(|dim| *dim < rank).collect();
            let offsets = offsets(&bounds, line.as_ref());
            line = offsets.iter().fold(line, |line, (d, lo, hi)| line?.within(*d, *lo, *hi));
            let offsets = offsets.into_iter().map(|(d, ..)| d).collect();
            let along = line.as_ref().and_then(Line::along).filter(|(d, slope)| *d < rank && slope.num > 0);
            let (low, high) = line.map_or((Ratio::ZERO, Ratio::ZERO), |line| (line.low, line.high));
            Self { along, low, high, coordinates, offsets, period: period(expr) }
        };
        Ok(access::indices(load)?.iter().map(of).collect())
    }
}

/// Of the coordinates that an index goes along all but the longest, if they have few points: first and last.
fn offsets(bounds: &[(i64, Extent)], line: Option<&Line>) -> Vec<(usize, i64, i64)> {
    let slopes = line.into_iter().flat_map(|line| line.slopes.keys().copied()).filter(|d| *d < bounds.len());
    let known = |d: usize| match bounds[d] {
        (first, Extent::Static(end)) => Some((first, end - 1)),
        (_, Extent::Dynamic(_)) => None,
    };
    let length = |d: usize| known(d).map_or(i64::MAX, |(first, last)| last.saturating_sub(first));
    let mut along: Vec<usize> = slopes.collect();
    along.sort_by_key(|d| length(*d));
    along.pop();
    let few = along.iter().filter_map(|d| known(*d).map(|(first, last)| (*d, first, last)));
    let few: Vec<_> = few.filter(|(d, ..)| length(*d) < FEW).collect();
    if few.len() == along.len() { few } else { Vec::new() }
}

/// The product of what an expression divides by: it is the same function of a coordinate that is moved by a multiple of that.
fn period(expr: &Expr) -> i64 {
    match expr {
        Expr::Const(_) | Expr::Dim(_) => 1,
        Expr::Add(a, b) => period(a).saturating_mul(period(b)),
        Expr::Mul(e, _) => period(e),
        Expr::FloorDiv(e, c) | Expr::CeilDiv(e, c) | Expr::Mod(e, c) => period(e).saturating_mul(*c),
    }
}

/// How far beyond a window something is needed, in points of an axis: a number, and for each iterate as much again for every step but
/// the first.
#[derive(Clone, PartialEq)]
pub struct Reach {
    pub fixed: Ratio,
    pub steps: Vec<(usize, Ratio)>,
}

impl Reach {
    fn none() -> Self {
        Self { fixed: Ratio::ZERO, steps: Vec::new() }
    }

    fn plus(mut self, more: Ratio) -> Self {
        self.fixed = sum(self.fixed, more);
        self
    }

    /// For each step of iterate `number` but one as much again as `each`, which a step reaches.
    fn repeated(mut self, number: usize, each: &Self) -> Self {
        match self.steps.iter_mut().find(|(other, _)| *other == number) {
            Some((_, have)) => *have = sum(*have, each.fixed),
            None => self.steps.push((number, each.fixed)),
        }
        self
    }

    fn max(mut self, other: &Self) -> Self {
        self.fixed = self.fixed.max(other.fixed);
        for (number, reach) in &other.steps {
            match self.steps.iter_mut().find(|(have, _)| have == number) {
                Some((_, have)) => *have = have.max(*reach),
                None => self.steps.push((*number, *reach)),
            }
        }
        self
    }
}

/// A sum of reaches: where no number holds it, farther than any image.
fn sum(a: Ratio, b: Ratio) -> Ratio {
    a.plus(b).unwrap_or(Ratio::whole(i64::from(i32::MAX)))
}

/// An axis that a window cuts.
pub struct Axis {
    /// Where windows begin: multiples of this, in points of what they are windows of.
    pub step: i64,
    /// How far before a window, and behind it, images are needed.
    pub before: Reach,
    pub behind: Reach,
}

/// The axes of a piece.
pub struct Axes<'c, 'a> {
    /// The dimension that another is tied to, and points of it to one of that.
    ties: HashMap<Dim, (Dim, Ratio)>,
    whole: HashMap<Dim, Reason<'c, 'a>>,
    periods: Vec<(Dim, i64)>,
    /// What windows are windows of: its dimensions.
    pub window: Vec<Dim>,
    /// Which of them are not worth a cut.
    is_short: Vec<bool>,
    /// The axis of each of them, if it is cut.
    pub axes: Vec<Option<Axis>>,
}

impl<'c: 'a, 'a> Axes<'c, 'a> {
    /// Those of a piece.
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn of(piece: &Piece<'c, 'a>) -> Result<Self, Failure<'c>> {
        let (window, extents) = window_of(piece);
        let mut axes = Self {
            ties: HashMap::new(),
            whole: HashMap::new(),
            periods: Vec::new(),
            is_short: extents.iter().map(|extent| extent.is_some_and(|extent| extent < SHORT)).collect(),
            window,
            axes: Vec::new(),
        };
        let over = match piece.over {
            Some(Over::Domain(scatter)) => Some(scatter),
            _ => None,
        };
        for unit in piece.units() {
            axes.tie_unit(unit, over)?;
        }
        for iterate in piece.ops().into_iter().filter_map(Iterate::of) {
            axes.tie_states(iterate);
        }
        axes.keep_diagonals(piece.func);
        axes.axes = (0..axes.window.len()).map(|d| axes.axis(d)).collect();
        let reaches = Reaches::of(piece, &axes)?;
        for (d, (before, behind)) in reaches.farthest(&axes, reaches.0.keys()).into_iter().enumerate() {
            if let Some(axis) = &mut axes.axes[d] {
                (axis.before, axis.behind) = (before, behind);
            }
        }
        Ok(axes)
    }

    /// The axis that a dimension is of, among those of the window, and points of it to one of the window, if it is cut.
    pub fn cut(&self, dim: Dim) -> Option<(usize, Ratio)> {
        let (root, scale) = self.find(dim);
        if self.whole.contains_key(&root) {
            return None;
        }
        let number = self.window.iter().position(|own| self.find(*own).0 == root)?;
        if self.axes.get(number).is_some_and(Option::is_none) {
            return None;
        }
        Some((number, scale.over(self.find(self.window[number]).1)?))
    }

    /// Why a dimension of the window is not cut that has points enough for it.
    pub fn reason(&self, dimension: usize) -> Option<Reason<'c, 'a>> {
        if self.axes[dimension].is_some() || self.is_short[dimension] {
            return None;
        }
        self.whole.get(&self.find(self.window[dimension]).0).copied()
    }

    /// The type of a part of an image: what is cut has any extent.
    pub fn part_type(&self, image: Value<'c, 'a>) -> Type<'c> {
        let Ok(ty) = RankedTensorType::try_from(image.r#type()) else { return image.r#type() };
        let extent = |(d, known): (usize, Option<i64>)| match known {
            Some(known) if self.cut((shape(image), d)).is_none() => known.cast_unsigned(),
            // MLIR's number for an extent that a type does not say.
            _ => i64::MIN.cast_unsigned(),
        };
        let extents: Vec<u64> = static_extents(ty).into_iter().enumerate().map(extent).collect();
        RankedTensorType::new(&extents, ty.element(), None).into()
    }

    fn find(&self, dim: Dim) -> (Dim, Ratio) {
        let (mut root, mut scale) = (dim, Ratio::ONE);
        while let Some((next, by)) = self.ties.get(&root) {
            (root, scale) = (*next, scale.times(*by).unwrap_or(Ratio::ZERO));
        }
        (root, scale)
    }

    fn keep(&mut self, dim: Dim, reason: Reason<'c, 'a>) {
        let root = self.find(dim).0;
        self.whole.entry(root).or_insert(reason);
    }

    /// A dimension has `slope` points to one of another.
    fn tie(&mut self, dim: Dim, slope: Ratio, other: Dim, by: OperationRef<'c, 'a>) {
        let ((root, scale), (other, of)) = (self.find(dim), self.find(other));
        let Some(wanted) = of.times(slope).and_then(|wanted| wanted.over(scale)) else {
            return self.keep(dim, Reason { op: by, what: "scales by what no number holds" });
        };
        if root == other {
            if wanted != Ratio::ONE {
                self.keep(dim, Reason { op: by, what: "reads at a scale at which others do not" });
            }
            return;
        }
        self.ties.insert(root, (other, wanted));
        if let Some(reason) = self.whole.remove(&root) {
            self.whole.entry(other).or_insert(reason);
        }
    }

    fn tie_unit(&mut self, unit: Unit<'c, 'a>, over: Option<Scatter<'c, 'a>>) -> Result<(), Failure<'c>> {
        let own = unit_shape(unit);
        let op = unit.op();
        if let Some(scan) = Scan::of(op) {
            self.keep((own, scan.along()), Reason { op, what: "needs its lines from their beginning" });
        }
        let coordinates = unit.coordinate_count();
        for d in coordinates..unit.rank() {
            self.keep((own, d), Reason { op, what: "updates whatever place it computes" });
        }
        if let Some(scatter) = Scatter::of(op).filter(|scatter| Some(*scatter) != over) {
            for d in 0..scatter.domain().len() {
                self.keep((own, VARIABLES + d), Reason { op, what: "needs every point of its domain" });
            }
        }
        for load in loads(unit) {
            let source = shape(load.source());
            for (k, index) in Index::all(load)?.iter().enumerate() {
                let dim = (source, k);
                let reason = |what| Reason { op: load.op(), what };
                if reads_table(load) {
                    self.keep(dim, reason("reads a table"));
                    continue;
                }
                match index.along {
                    _ if load.boundary() == Boundary::Wrap => {
                        self.keep(dim, reason("reads around from the other edge"))
                    }
                    Some((d, slope)) => {
                        let own_dim = |d| (own, coordinate(unit, d));
                        for offset in &index.offsets {
                            self.keep(own_dim(*offset), reason("reads along it beside a longer one"));
                        }
                        self.tie(dim, slope, own_dim(d), load.op());
                        let periods = index.coordinates.iter().map(|d| (own_dim(*d), index.period));
                        self.periods.extend(periods);
                    }
                    None if index.coordinates.is_empty() => {
                        self.keep(dim, reason("reads the same place for all points, or a computed one"))
                    }
                    None => self.keep(dim, reason("reads along several coordinates, or backwards")),
                }
            }
        }
        Ok(())
    }

    fn tie_states(&mut self, iterate: Iterate<'c, 'a>) {
        let next: Vec<Value> = iterate.terminator().map(|end| end.operands().collect()).unwrap_or_default();
        // A state has one reach in all its images: states that read each other are of one axis anyway.
        for (state, next) in iterate.states().into_iter().zip(next) {
            for d in 0..rank(state) {
                self.tie((shape(next), d), Ratio::ONE, (shape(state), d), iterate.op());
            }
        }
    }

    /// Every dimension that is tied to another, and those of the window.
    fn dims(&self) -> HashSet<Dim> {
        let tied = self.ties.iter().flat_map(|(dim, (other, _))| [*dim, *other]);
        tied.chain(self.window.iter().copied()).collect()
    }

    /// Two dimensions of one image along one axis would make a window a diagonal.
    fn keep_diagonals(&mut self, func: OperationRef<'c, 'a>) {
        let mut seen: HashSet<(Key, Dim)> = HashSet::new();
        let twice: Vec<Dim> = self.dims().into_iter().filter(|dim| !seen.insert((dim.0, self.find(*dim).0))).collect();
        for dim in twice {
            self.keep(dim, Reason { op: func, what: "reads an image along its rows and along its columns" });
        }
    }

    /// The axis of a dimension of the window.
    fn axis(&self, dimension: usize) -> Option<Axis> {
        let of_axis = |dim: Dim| self.cut(dim).filter(|(number, _)| *number == dimension).map(|(_, scale)| scale);
        self.cut(self.window[dimension]).filter(|_| !self.is_short[dimension])?;
        let whole = self.dims().into_iter().map(|dim| (dim, 1));
        let mut step = 1i64;
        for (dim, period) in whole.chain(self.periods.iter().copied()) {
            let Some(scale) = of_axis(dim) else { continue };
            let by = Ratio::new(i128::from(scale.num), i128::from(scale.den) * i128::from(period))?.den;
            step = (step / gcd(step, by)).checked_mul(by).filter(|step| *step <= MAX_STEP)?;
        }
        Some(Axis { step, before: Reach::none(), behind: Reach::none() })
    }
}

/// The dimensions of what windows are windows of, and their extents where they are known.
fn window_of(piece: &Piece) -> (Vec<Dim>, Vec<Option<i64>>) {
    match piece.over {
        None => (Vec::new(), Vec::new()),
        Some(Over::Image(image)) => {
            let extents = RankedTensorType::try_from(image.r#type()).map(static_extents).unwrap_or_default();
            ((0..extents.len()).map(|d| (shape(image), d)).collect(), extents)
        }
        Some(Over::Domain(scatter)) => {
            let ends: Vec<_> = scatter.domain().into_iter().map(|(_, end)| Number::from(end).known()).collect();
            ((0..ends.len()).map(|d| (unit_shape(scatter.into()), VARIABLES + d)).collect(), ends)
        }
    }
}

/// The shape of what a unit gives.
pub fn unit_shape(unit: Unit) -> Key {
    shape(ir::result(unit.op(), 0).expect("a unit gives an image"))
}

/// The number among a unit's dimensions of an argument of its body.
pub fn coordinate(unit: Unit, argument: usize) -> usize {
    let count = unit.coordinate_count();
    argument.checked_sub(count).map_or(argument, |variable| VARIABLES + variable)
}

/// How far beyond a window dimensions are needed, before it and behind.
#[derive(Clone, Default)]
struct Reaches(HashMap<Dim, (Reach, Reach)>);

impl Reaches {
    fn of<'c: 'a, 'a>(piece: &Piece<'c, 'a>, axes: &Axes<'c, 'a>) -> Result<Self, Failure<'c>> {
        let mut reaches = Self::default();
        for image in &piece.images {
            for d in 0..rank(*image) {
                let dim = (shape(*image), d);
                // Of an image of another scale the last point before the window's end may lie behind the window's last point.
                let behind = axes.cut(dim).is_some_and(|(_, scale)| scale != Ratio::ONE);
                let behind = if behind { Reach { fixed: Ratio::ONE, steps: Vec::new() } } else { Reach::none() };
                reaches.add(dim, (Reach::none(), behind));
            }
        }
        let ops = piece.ops();
        let iterates: Vec<Iterate> = ops.iter().copied().filter_map(Iterate::of).collect();
        for op in ops.into_iter().rev() {
            match (Unit::of(op), Iterate::of(op)) {
                (Some(unit), _) => reaches.through_unit(unit, axes)?,
                (_, Some(iterate)) => {
                    let number = iterates.iter().position(|other| *other == iterate).unwrap_or_default();
                    reaches.through_iterate(iterate, number, axes)?;
                }
                _ => {}
            }
        }
        Ok(reaches)
    }

    fn get(&self, dim: Dim) -> (Reach, Reach) {
        self.0.get(&dim).cloned().unwrap_or((Reach::none(), Reach::none()))
    }

    fn add(&mut self, dim: Dim, (before, behind): (Reach, Reach)) {
        let have = self.get(dim);
        self.0.insert(dim, (have.0.max(&before), have.1.max(&behind)));
    }

    fn through_unit<'c: 'a, 'a>(&mut self, unit: Unit<'c, 'a>, axes: &Axes<'c, 'a>) -> Result<(), Failure<'c>> {
        for load in loads(unit) {
            let is_mirrored = matches!(load.boundary(), Boundary::Mirror | Boundary::Reflect101);
            for (k, index) in Index::all(load)?.iter().enumerate() {
                let dim = (shape(load.source()), k);
                let (Some((d, _)), Some((_, scale))) = (index.along, axes.cut(dim)) else { continue };
                let Some((low, high)) = index.low.over(scale).zip(index.high.over(scale)) else { continue };
                let (mut before, mut behind) = (low.negated().max(Ratio::ZERO), high.max(Ratio::ZERO));
                if is_mirrored {
                    (before, behind) = (before.max(behind), before.max(behind));
                }
                let own = self.get((unit_shape(unit), coordinate(unit, d)));
                self.add(dim, (own.0.plus(before), own.1.plus(behind)));
            }
        }
        Ok(())
    }

    /// A step reaches so far, and all of them together that often. What reads a state reads along with all others.
    fn through_iterate<'c: 'a, 'a>(
        &mut self,
        iterate: Iterate<'c, 'a>,
        number: usize,
        axes: &Axes<'c, 'a>,
    ) -> Result<(), Failure<'c>> {
        let next: Vec<Value> = iterate.terminator().map(|end| end.operands().collect()).unwrap_or_default();
        let dims = |images: &[Value]| -> Vec<Dim> {
            images.iter().flat_map(|image| (0..rank(*image)).map(|d| (shape(*image), d))).collect()
        };
        let (states, next) = (dims(&iterate.states()), dims(&next));
        let units: Vec<Unit> = ir::operations(iterate.body()).filter_map(Unit::of).collect();
        let mut step = Self::default();
        for unit in units.iter().rev() {
            step.through_unit(*unit, axes)?;
        }
        let (of_step, of_results) = (step.farthest(axes, &states), self.farthest(axes, &states));
        for dim in next {
            let Some((axis, _)) = axes.cut(dim) else { continue };
            let (before, behind) = of_results[axis].clone();
            let (each_before, each_behind) = &of_step[axis];
            self.add(dim, (before.repeated(number, each_before), behind.repeated(number, each_behind)));
        }
        for unit in units.iter().rev() {
            self.through_unit(*unit, axes)?;
        }
        Ok(())
    }

    /// Of each axis, over its dimensions among these.
    fn farthest<'d>(&self, axes: &Axes, dims: impl IntoIterator<Item = &'d Dim>) -> Vec<(Reach, Reach)> {
        let mut farthest = vec![(Reach::none(), Reach::none()); axes.window.len()];
        for dim in dims {
            if let Some((axis, _)) = axes.cut(*dim) {
                let ((before, behind), (own_before, own_behind)) = (farthest[axis].clone(), self.get(*dim));
                farthest[axis] = (before.max(&own_before), behind.max(&own_behind));
            }
        }
        farthest
    }
}
