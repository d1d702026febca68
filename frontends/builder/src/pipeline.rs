//! Programs and images.

use crate::{
    error::{Origin, Place, Source},
    expr::{Dim, Expr, Indices, Operand, Var, Window},
    graph::{self, Argument, Axis, Check, Entry, Graph, GraphCell, Id, Interval, Iterate, Kind, Node, Op, Stage, Unit},
    types::Type,
};
use std::{collections::HashMap, panic::Location};
use weft_dialects::pipeline::Boundary;

/// An extent that is not known before the program runs.
pub const DYN: i64 = -1;

/// Most dimensions that an image has.
pub(crate) const MAX_RANK: usize = 4;

/// A program that is being written: the images it is given, its stages, its results.
pub struct Pipeline {
    pub(crate) name: String,
    pub(crate) graph: GraphCell,
}

/// An image: an argument of the program or the result of a stage, scan or scatter, with what lies beyond its edge.
#[derive(Clone, Copy)]
pub struct Image<'p> {
    p: &'p Pipeline,
    image: usize,
    boundary: Boundary,
    padding: Option<Id>,
}

impl Pipeline {
    /// An empty program, which becomes the function of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), graph: GraphCell::default() }
    }

    /// An image that the program is given. Extents are numbers or [`DYN`], the last one runs along memory.
    #[track_caller]
    pub fn image(&self, name: &str, ty: Type, extents: impl AsRef<[i64]>) -> Image<'_> {
        let place = Location::caller();
        let extents = extents.as_ref();
        let mut graph = self.graph.borrow_mut();
        if !ty.is_pixel() {
            graph.wrong(place, format!("image \"{name}\" of {ty}, expected floats or integers of 8 to 64 bits"));
        }
        if extents.len() > MAX_RANK {
            graph.wrong(place, format!("image \"{name}\" has rank {}, expected at most {MAX_RANK}", extents.len()));
        }
        if let Some(extent) = extents.iter().find(|extent| **extent < 1 && **extent != DYN) {
            graph.wrong(place, format!("image \"{name}\" has extent {extent}, expected at least 1, or DYN"));
        }
        let image = graph.images.len();
        let extents = extents.iter().enumerate().map(|(dimension, extent)| match *extent {
            DYN => graph.node(Node::Extent { image, dimension }, Type::Index, place),
            extent => graph.index(extent, place),
        });
        let extents = extents.collect();
        let argument = Some(graph.arguments.len());
        graph.arguments.push(Argument::Image { image, estimate: None, extents: None });
        graph.images.push(graph::Image { name: name.to_owned(), ty, extents, argument, scope: None, is_wrong: false });
        Image::of(self, image)
    }

    /// A number that the program is given.
    #[track_caller]
    pub fn number(&self, name: &str, ty: Type) -> Expr<'_> {
        let place = Location::caller();
        if ty == Type::Bool {
            return self.graph.fail(place, format!("number \"{name}\" of bool, expected another type: .ne(0)"));
        }
        let argument = {
            let mut graph = self.graph.borrow_mut();
            graph.arguments.push(Argument::Number { name: name.to_owned(), ty });
            graph.arguments.len() - 1
        };
        self.graph.make(Node::Number { argument }, ty, place)
    }

    /// A constant.
    #[track_caller]
    pub fn constant<'p>(&'p self, ty: Type, value: impl Into<Operand<'p>>) -> Expr<'p> {
        self.graph.typed(value.into(), ty, Location::caller())
    }

    /// A coordinate. Its name is for messages.
    pub fn var(&self, name: &str) -> Var<'_> {
        let mut graph = self.graph.borrow_mut();
        graph.variables.push(name.to_owned());
        Var { graph: &self.graph, variable: graph.variables.len() - 1 }
    }

    /// Several coordinates.
    pub fn vars<const N: usize>(&self, names: [&str; N]) -> [Var<'_>; N] {
        names.map(|name| self.var(name))
    }

    /// A stage: the image whose points have this value.
    #[track_caller]
    pub fn stage<'p>(&'p self, name: &str, shape: impl AsRef<[Dim<'p>]>, value: impl Into<Operand<'p>>) -> Image<'p> {
        let place = Location::caller();
        let value = self.value_at(value.into(), place);
        self.add_stage(Kind::Stage, name, shape.as_ref(), &[value], place)[0]
    }

    /// A stage with several results, which are computed together.
    #[track_caller]
    pub fn stages<'p, const N: usize>(
        &'p self,
        name: &str,
        shape: impl AsRef<[Dim<'p>]>,
        values: [Expr<'p>; N],
    ) -> [Image<'p>; N] {
        let images = self.add_stage(Kind::Stage, name, shape.as_ref(), &values, Location::caller());
        std::array::from_fn(|index| images[index])
    }

    /// A stage with as many results as there are values.
    #[track_caller]
    pub fn stage_list<'p>(
        &'p self,
        name: &str,
        shape: impl AsRef<[Dim<'p>]>,
        values: impl AsRef<[Expr<'p>]>,
    ) -> Vec<Image<'p>> {
        self.add_stage(Kind::Stage, name, shape.as_ref(), values.as_ref(), Location::caller())
    }

    /// Says where in a file of a front end what is made from now on was written. It becomes the location of stages and values,
    /// in place of the line of Rust. The first file is that of the program.
    pub fn locate(&self, file: &str, source: Source) {
        let mut graph = self.graph.borrow_mut();
        let file = graph.files.iter().position(|known| known == file).unwrap_or_else(|| {
            graph.files.push(file.to_owned());
            graph.files.len() - 1
        });
        graph.source = Some(Origin { file, source });
    }

    /// Lets the program be entered only where two numbers of type `Index`, of extents and of other numbers, are equal. The message
    /// says what differs.
    #[track_caller]
    pub fn require_equal(&self, a: Expr<'_>, b: Expr<'_>, message: &str) {
        let place = Location::caller();
        let what = "number that must be equal";
        let numbers =
            [self.graph.number_of_program(what, a.into(), place), self.graph.number_of_program(what, b.into(), place)];
        let mut graph = self.graph.borrow_mut();
        let source = graph.source;
        if numbers[0] != numbers[1] && numbers.iter().all(|id| !graph.is_wrong(*id)) {
            graph.checks.push(Check { numbers, message: message.to_owned(), place, source });
        }
    }

    /// Lets the program be entered only where two images are of one size in these dimensions. Each keeps its own extents; for one that
    /// takes those of the other see [`Image::with_extent`].
    #[track_caller]
    pub fn require_equal_extents(&self, a: Image<'_>, b: Image<'_>, dimensions: impl IntoIterator<Item = usize>) {
        let name = |image: Image| self.graph.borrow().images.get(image.image).map(|image| image.name.clone());
        let (own, other) = (name(a).unwrap_or_default(), name(b).unwrap_or_default());
        for dimension in dimensions {
            let message = format!("\"{own}\" is not as large as \"{other}\" in dimension {dimension}");
            self.require_equal(a.extent(dimension), b.extent(dimension), &message);
        }
    }

    /// A stage, scan or scatter; an image for each value.
    pub(crate) fn add_stage<'p>(
        &'p self,
        kind: Kind,
        name: &str,
        shape: &[Dim<'p>],
        values: &[Expr<'p>],
        place: Place,
    ) -> Vec<Image<'p>> {
        let name = name.to_owned();
        let source = self.graph.borrow().source;
        let mut stage = Stage { name, kind, axes: Vec::new(), values: Vec::new(), images: Vec::new(), place, source };
        // The numbers of another program's coordinates and values mean nothing here.
        let is_foreign = |graph: &GraphCell| !std::ptr::eq(graph, &raw const self.graph);
        if shape.iter().any(|dim| is_foreign(dim.var.graph)) || values.iter().any(|value| is_foreign(value.graph)) {
            let (what, name) = (stage.what(), &stage.name);
            let message = format!("{what} \"{name}\" has a coordinate or value of another program, expected its own");
            return self.wrong_stage(name, values.len(), self.graph.fail(place, message));
        }
        let mut graph = self.graph.borrow_mut();
        stage.axes = shape.iter().map(|dim| Axis { variable: dim.var.variable, extent: dim.extent }).collect();
        stage.values = values.iter().map(|value| value.id).collect();
        check_stage(&mut graph, &stage);
        let extents: Vec<Id> = stage.axes.iter().map(|axis| axis.extent).collect();
        let is_wrong = stage.values.iter().any(|value| graph.is_wrong(*value));
        for (index, value) in values.iter().enumerate() {
            let name = if index == 0 { stage.name.clone() } else { format!("{}#{index}", stage.name) };
            let ty = graph.ty(value.id);
            let scope = graph.scopes.last().copied();
            stage.images.push(graph.images.len());
            graph.images.push(graph::Image { name, ty, extents: extents.clone(), argument: None, scope, is_wrong });
        }
        let images = stage.images.clone();
        graph.units.push(Unit::Stage(stage));
        images.into_iter().map(|image| Image::of(self, image)).collect()
    }

    /// Images that stand for those which a mistake was reported of.
    pub(crate) fn wrong_stage<'p>(&'p self, name: &str, count: usize, wrong: Expr<'p>) -> Vec<Image<'p>> {
        let place = self.graph.borrow().entries[wrong.id].place;
        self.add_stage(Kind::Stage, name, &[], &vec![wrong; count], place)
    }

    /// Makes an image a result of the program.
    #[track_caller]
    pub fn output(&self, name: &str, image: Image<'_>) {
        let mut graph = self.graph.borrow_mut();
        if !std::ptr::eq(image.p, self) {
            graph.wrong(Location::caller(), "an image of another program, expected one of this".into());
        } else if let Some(message) = graph.not_a_result(image.image) {
            graph.wrong(Location::caller(), message);
        } else if graph.results.iter().any(|(other, _)| other == name) {
            graph.wrong(Location::caller(), format!("a second result \"{name}\", expected another name"));
        } else {
            graph.results.push((name.to_owned(), image.image));
        }
    }

    /// Combines the values of an expression over a window, in the order in which loops over the variables would, the last one
    /// innermost. `combine` is given what there is so far and the next value.
    ///
    /// A window of at most 25 points is written out, so that stages see each load; of a larger one [`reduce`](Self::reduce)s
    /// are made, in the same order.
    #[track_caller]
    pub fn fold<'p>(
        &'p self,
        window: impl AsRef<[Window<'p>]>,
        value: Expr<'p>,
        combine: impl Fn(Expr<'p>, Expr<'p>) -> Expr<'p>,
    ) -> Expr<'p> {
        let place = Location::caller();
        let window = window.as_ref();
        match self.points(window, place) {
            Err(wrong) => wrong,
            Ok(points) if points <= MOST_UNROLLED => self.unrolled(window, value, combine, place),
            Ok(_) => {
                // The first point, then what follows it: of its row, of the rows behind, and so on. Each part is a box.
                let at =
                    |window: &[Window<'p>]| window.iter().map(|w| (w.var.variable, self.index(w.lo, place))).collect();
                let mut folded = self.graph.substituted(value, &at(window));
                for (dimension, w) in window.iter().enumerate().rev() {
                    if w.lo + 1 < w.hi {
                        let rest = self.graph.substituted(value, &at(&window[..dimension]));
                        let mut part = window[dimension..].to_vec();
                        part[0].lo += 1;
                        [folded] = self.reduction(&part, [folded], |[so_far]| [combine(so_far, rest)], place);
                    }
                }
                folded
            }
        }
    }

    /// A loop over a window that stays one: what there is so far begins with `init`, and becomes at each point what `next` makes
    /// of it. Points come in the order of loops over the variables, the last one innermost.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("dot");
    /// # let [y, x, k] = p.vars(["y", "x", "k"]);
    /// # let [a, b] = ["a", "b"].map(|name| p.image(name, F32, [64, 64]));
    /// let dot = p.reduce([k.over(0..64)], 0.0, |sum| sum + a.at((y, k)) * b.at((k, x)));
    /// ```
    #[track_caller]
    pub fn reduce<'p>(
        &'p self,
        window: impl AsRef<[Window<'p>]>,
        init: impl Into<Operand<'p>>,
        next: impl Fn(Expr<'p>) -> Expr<'p>,
    ) -> Expr<'p> {
        let [reduced] = self.reduce_all(window.as_ref(), [init.into()], |[so_far]| [next(so_far)], Location::caller());
        reduced
    }

    /// A [`reduce`](Self::reduce) of several values at once, each of which may depend on all of them.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("least");
    /// # let [y, x, k] = p.vars(["y", "x", "k"]);
    /// # let cost = p.image("cost", F32, [64, 8, 8]);
    /// // The least value, and where it is.
    /// let [_, best] = p.reduces([k.over(0..64)], [f64::INFINITY, 0.0], |[low, best]| {
    ///     let own = cost.at((k, y, x));
    ///     [own.min(low), own.lt(low).select(k.value().cast(F32), best)]
    /// });
    /// ```
    #[track_caller]
    pub fn reduces<'p, const N: usize>(
        &'p self,
        window: impl AsRef<[Window<'p>]>,
        inits: [impl Into<Operand<'p>>; N],
        next: impl FnOnce([Expr<'p>; N]) -> [Expr<'p>; N],
    ) -> [Expr<'p>; N] {
        self.reduce_all(window.as_ref(), inits.map(Into::into), next, Location::caller())
    }

    /// A [`reduces`](Self::reduces) of as many values as there are inits.
    #[track_caller]
    pub fn reduce_list<'p>(
        &'p self,
        window: impl AsRef<[Window<'p>]>,
        inits: Vec<Operand<'p>>,
        next: impl FnOnce(Vec<Expr<'p>>) -> Vec<Expr<'p>>,
    ) -> Vec<Expr<'p>> {
        let place = Location::caller();
        let inits: Vec<Expr<'p>> = inits.into_iter().map(|init| self.value_at(init, place)).collect();
        match self.points(window.as_ref(), place) {
            Err(wrong) => vec![wrong; inits.len()],
            Ok(_) => self.reduction_list(window.as_ref(), inits, next, place),
        }
    }

    fn reduce_all<'p, const N: usize>(
        &'p self,
        window: &[Window<'p>],
        inits: [Operand<'p>; N],
        next: impl FnOnce([Expr<'p>; N]) -> [Expr<'p>; N],
        place: Place,
    ) -> [Expr<'p>; N] {
        let inits = inits.map(|init| self.value_at(init, place));
        match self.points(window, place) {
            Err(wrong) => [wrong; N],
            Ok(_) => self.reduction(window, inits, next, place),
        }
    }

    /// The sum of an expression over a window, written out or not as in [`fold`](Self::fold); but one of 12 points or more along one variable is not.
    #[track_caller]
    pub fn sum<'p>(&'p self, window: impl AsRef<[Window<'p>]>, value: Expr<'p>) -> Expr<'p> {
        let place = Location::caller();
        let add = |a: Expr<'p>, b: Expr<'p>| self.graph.binary(Op::Add, a.into(), b.into(), place);
        // The one float that changes no bit of what is added to it.
        let zero = if value.ty().is_float() { Operand::Float(-0.0) } else { Operand::Int(0) };
        self.fold_from(window.as_ref(), |_| self.graph.typed(zero, value.ty(), place), value, add, place)
    }

    /// The largest value of an expression over a window, written out or not as in [`sum`](Self::sum).
    #[track_caller]
    pub fn maximum<'p>(&'p self, window: impl AsRef<[Window<'p>]>, value: Expr<'p>) -> Expr<'p> {
        let place = Location::caller();
        let max = |a: Expr<'p>, b: Expr<'p>| self.graph.binary(Op::Max, a.into(), b.into(), place);
        self.fold_from(window.as_ref(), |first| first, value, max, place)
    }

    /// The smallest value of an expression over a window, written out or not as in [`sum`](Self::sum).
    #[track_caller]
    pub fn minimum<'p>(&'p self, window: impl AsRef<[Window<'p>]>, value: Expr<'p>) -> Expr<'p> {
        let place = Location::caller();
        let min = |a: Expr<'p>, b: Expr<'p>| self.graph.binary(Op::Min, a.into(), b.into(), place);
        self.fold_from(window.as_ref(), |first| first, value, min, place)
    }

    /// A fold for which there is a value that changes none: one reduction will do. `init` is given the first point's value.
    fn fold_from<'p>(
        &'p self,
        window: &[Window<'p>],
        init: impl Fn(Expr<'p>) -> Expr<'p>,
        value: Expr<'p>,
        combine: impl Fn(Expr<'p>, Expr<'p>) -> Expr<'p>,
        place: Place,
    ) -> Expr<'p> {
        match self.points(window, place) {
            Err(wrong) => wrong,
            Ok(points) if points <= MOST_UNROLLED && !is_long(window) => self.unrolled(window, value, combine, place),
            Ok(_) => {
                let first = window.iter().map(|w| (w.var.variable, self.index(w.lo, place))).collect();
                let init = init(self.graph.substituted(value, &first));
                let [reduced] = self.reduction(window, [init], |[so_far]| [combine(so_far, value)], place);
                reduced
            }
        }
    }

    /// Notes a mistake that a front end found, and gives what stands for its value.
    #[track_caller]
    pub fn wrong(&self, message: String) -> Expr<'_> {
        self.graph.fail(Location::caller(), message)
    }

    /// An operation by its name, for front ends: `add`, `sub`, `mul`, `div`, `rem`, `min`, `max`, `and`, `or`, `xor`, `shl`, `shr`,
    /// `neg`, `not`, `abs`, `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `select` and the functions of [`Expr`]. `None` where there is none
    /// that is called so and is of so many values.
    #[track_caller]
    pub fn op<'p>(&'p self, name: &str, of: &[Operand<'p>]) -> Option<Expr<'p>> {
        let place = Location::caller();
        let op = Op::named(name).filter(|op| op.arity() == of.len())?;
        Some(match *of {
            [a] => self.graph.unary(op, self.value_at(a, place), place),
            [a, b] => self.graph.binary(op, a, b, place),
            [condition, yes, no] => self.graph.select(self.value_at(condition, place), yes, no, place),
            _ => return None,
        })
    }

    /// A value of which nothing else says the type: literals are f32 or i32.
    #[track_caller]
    pub fn value<'p>(&'p self, operand: impl Into<Operand<'p>>) -> Expr<'p> {
        self.value_at(operand.into(), Location::caller())
    }

    pub(crate) fn value_at<'p>(&'p self, operand: Operand<'p>, place: Place) -> Expr<'p> {
        let [value] = self.graph.alike([operand], place);
        value
    }

    fn index(&self, value: i64, place: Place) -> Id {
        self.graph.borrow_mut().index(value, place)
    }

    /// How many points a window has, if it is one.
    fn points<'p>(&'p self, window: &[Window<'p>], place: Place) -> Result<i64, Expr<'p>> {
        /// Kernels count with 32 bits.
        const MOST: i64 = i32::MAX as i64;
        let sizes = window.iter().map(|w| w.hi.saturating_sub(w.lo));
        let points = sizes.fold(1i64, |all, size| all.saturating_mul(size.max(0)));
        match () {
            () if !(1..=MOST).contains(&points) => {
                Err(self.graph.fail(place, format!("a window of {points} points, expected 1 to {MOST}")))
            }
            () if !(1..=MAX_RANK).contains(&window.len()) => {
                Err(self.graph.fail(place, format!("a window of {} variables, expected 1 to {MAX_RANK}", window.len())))
            }
            () => Ok(points),
        }
    }

    fn unrolled<'p>(
        &'p self,
        window: &[Window<'p>],
        value: Expr<'p>,
        combine: impl Fn(Expr<'p>, Expr<'p>) -> Expr<'p>,
        place: Place,
    ) -> Expr<'p> {
        let mut point: Vec<i64> = window.iter().map(|w| w.lo).collect();
        let mut folded: Option<Expr<'p>> = None;
        loop {
            let at = window.iter().zip(&point).map(|(w, at)| (w.var.variable, self.index(*at, place))).collect();
            let next = self.graph.substituted(value, &at);
            let so_far = folded.map_or(next, |folded| combine(folded, next));
            folded = Some(so_far);
            let mut dimension = window.len();
            loop {
                let Some(outer) = dimension.checked_sub(1) else { return so_far };
                dimension = outer;
                point[dimension] += 1;
                if point[dimension] < window[dimension].hi {
                    break;
                }
                point[dimension] = window[dimension].lo;
            }
        }
    }

    fn reduction<'p, const N: usize>(
        &'p self,
        window: &[Window<'p>],
        inits: [Expr<'p>; N],
        next: impl FnOnce([Expr<'p>; N]) -> [Expr<'p>; N],
        place: Place,
    ) -> [Expr<'p>; N] {
        let next = |so_far: Vec<Expr<'p>>| next(std::array::from_fn(|index| so_far[index])).to_vec();
        let reduced = self.reduction_list(window, inits.to_vec(), next, place);
        std::array::from_fn(|index| reduced[index])
    }

    /// A reduction with variables of its own, so that those of the caller may be used again. It gives a value for each init.
    fn reduction_list<'p>(
        &'p self,
        window: &[Window<'p>],
        inits: Vec<Expr<'p>>,
        next: impl FnOnce(Vec<Expr<'p>>) -> Vec<Expr<'p>>,
        place: Place,
    ) -> Vec<Expr<'p>> {
        let count = inits.len();
        let accumulators: Vec<usize> = inits.iter().map(|_| self.var("so_far").variable).collect();
        let so_far = accumulators
            .iter()
            .zip(&inits)
            .map(|(accumulator, init)| self.graph.make(Node::Accumulator(*accumulator), init.ty(), place));
        let bodies = next(so_far.collect());
        if bodies.len() != count {
            let message = format!("a reduction of {count} values becomes {}, expected as many", bodies.len());
            return vec![self.graph.fail(place, message); count];
        }
        if inits.iter().chain(&bodies).any(|value| self.graph.is_wrong(value.id)) {
            return vec![self.graph.quietly_wrong(place); count];
        }
        for (init, body) in inits.iter().zip(&bodies) {
            let (ty, becomes) = (init.ty(), body.ty());
            if ty != becomes {
                let message = format!("a reduction of {ty} becomes {becomes}, expected equal types: cast one");
                return vec![self.graph.fail(place, message); count];
            }
        }
        let Some(first) = inits.first() else {
            // There is nothing to return either.
            self.graph.fail(place, "a reduction of no values, expected at least one".into());
            return inits;
        };
        let mut own = HashMap::new();
        let intervals = window.iter().map(|w| {
            let name = self.graph.borrow().variables[w.var.variable].clone();
            let var = self.var(&name);
            own.insert(w.var.variable, var.value().id);
            Interval { variable: var.variable, lo: w.lo, hi: w.hi }
        });
        let window = intervals.collect();
        let bodies = bodies.iter().map(|body| self.graph.substituted(*body, &own).id).collect();
        let ids = inits.iter().map(|init| init.id).collect();
        let reduce = self.graph.make(Node::Reduce { window, accumulators, inits: ids, bodies }, first.ty(), place);
        let part = |(accumulator, init): (usize, &Expr<'p>)| match accumulator {
            0 => reduce,
            _ => self.graph.make(Node::Part { reduce: reduce.id, accumulator }, init.ty(), place),
        };
        inits.iter().enumerate().map(part).collect()
    }

    /// Time steps: `step` makes of the states of one step those of the next, `steps` times. A state keeps its type and extents, and
    /// begins as the image that it stands for, with its boundary mode.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("smooth");
    /// # let x = p.var("x");
    /// let img = p.image("img", F32, [DYN]).clamp();
    /// let steps = p.number("steps", Index);
    /// let [smooth] = p.iterate("smooth", steps, [img], |[u]| {
    ///     [p.stage("step", u.shape([x]), (u.at(x - 1) + u.at(x + 1)) * 0.5)]
    /// });
    /// ```
    #[track_caller]
    pub fn iterate<'p, const N: usize>(
        &'p self,
        name: &str,
        steps: impl Into<Operand<'p>>,
        initial: [Image<'p>; N],
        step: impl FnOnce([Image<'p>; N]) -> [Image<'p>; N],
    ) -> [Image<'p>; N] {
        let place = Location::caller();
        let step = |states: Vec<Image<'p>>| step(std::array::from_fn(|index| states[index])).to_vec();
        let images = self.iterate_all(name, steps.into(), &initial, step, place);
        std::array::from_fn(|index| images[index])
    }

    /// An [`iterate`](Self::iterate) of as many states as there are images.
    #[track_caller]
    pub fn iterate_list<'p>(
        &'p self,
        name: &str,
        steps: impl Into<Operand<'p>>,
        initial: impl AsRef<[Image<'p>]>,
        step: impl FnOnce(Vec<Image<'p>>) -> Vec<Image<'p>>,
    ) -> Vec<Image<'p>> {
        self.iterate_all(name, steps.into(), initial.as_ref(), step, Location::caller())
    }

    fn iterate_all<'p>(
        &'p self,
        name: &str,
        steps: Operand<'p>,
        initial: &[Image<'p>],
        step: impl FnOnce(Vec<Image<'p>>) -> Vec<Image<'p>>,
        place: Place,
    ) -> Vec<Image<'p>> {
        let steps = self.graph.number_of_program("number of steps", steps, place);
        let source = self.graph.borrow().source;
        // Images like those that it begins with.
        let like = |graph: &mut Graph, image: usize| {
            let scope = graph.scopes.last().copied();
            let image = graph::Image { argument: None, scope, ..graph.images[image].clone() };
            graph.images.push(image);
            graph.images.len() - 1
        };
        let (outer, states) = {
            let mut graph = self.graph.borrow_mut();
            for image in initial {
                if let Some(message) = graph.not_a_result(image.image) {
                    graph.wrong(place, format!("iterate \"{name}\" begins with {message}"));
                }
            }
            let count = initial.len();
            if count == 0 || name.is_empty() {
                graph.wrong(
                    place,
                    format!("iterate \"{name}\" of {count} states, expected a name and at least one state"),
                );
            }
            let scope = graph.iterates;
            graph.iterates += 1;
            graph.scopes.push(scope);
            let states = initial.iter().map(|image| Image { image: like(&mut graph, image.image), ..*image });
            let states: Vec<Image<'p>> = states.collect();
            (std::mem::take(&mut graph.units), states)
        };
        let next = step(states.clone());
        if next.len() != initial.len() {
            let message = format!("iterate \"{name}\" becomes {} images, expected {}", next.len(), initial.len());
            self.graph.fail(place, message);
        }
        let mut graph = self.graph.borrow_mut();
        let body = std::mem::replace(&mut graph.units, outer);
        for (number, (state, next)) in states.iter().zip(&next).enumerate() {
            if let Some(message) = graph.not_a_result(next.image) {
                graph.wrong(place, format!("iterate \"{name}\" ends a step with {message}"));
            }
            let shape = |graph: &Graph, image: usize| {
                let image = &graph.images[image];
                let extents = image.extents.iter().map(|id| graph.known_integer(*id));
                let extents = extents.map(|extent| extent.map_or("?x".to_owned(), |extent| format!("{extent}x")));
                format!("{}{}", extents.collect::<String>(), image.ty)
            };
            let (found, expected) = (shape(&graph, next.image), shape(&graph, state.image));
            if found != expected {
                graph.wrong(
                    place,
                    format!("state #{number} of iterate \"{name}\" becomes {found}, expected {expected}"),
                );
            }
        }
        graph.scopes.pop();
        let made = initial.iter().map(|image| Image {
            image: like(&mut graph, image.image),
            boundary: Boundary::None,
            padding: None,
            ..*image
        });
        let images: Vec<Image<'p>> = made.collect();
        let numbers = |images: &[Image<'p>]| images.iter().map(|image| image.image).collect::<Vec<usize>>();
        let [initial, states, next, results] = [initial, &states, &next, &images].map(numbers);
        let name = name.to_owned();
        let iterate = Iterate { name, steps, initial, states, body, next, images: results, place, source };
        graph.units.push(Unit::Iterate(iterate));
        images
    }
}

/// Folds of more points are not written out.
const MOST_UNROLLED: i64 = 25;

/// Sums and extremes of so many points along one variable neither: `--partial-sums` knows what neighbours share of them.
const FEWEST_SHARED: i64 = 12;

/// Whether a window is of one variable, and long.
fn is_long(window: &[Window]) -> bool {
    let mut along = window.iter().map(|w| w.hi - w.lo).filter(|points| *points > 1);
    matches!((along.next(), along.next()), (Some(FEWEST_SHARED..), None))
}

fn check_stage(graph: &mut Graph, stage: &Stage) {
    let fail = |graph: &mut Graph, message: String| {
        graph.wrong(stage.place, format!("{} \"{}\" {message}", stage.what(), stage.name));
    };
    if stage.name.is_empty() {
        fail(graph, "has no name, expected one".into());
    }
    if stage.values.is_empty() {
        fail(graph, "has no value, expected at least one".into());
    }
    let roots = stage.roots();
    // Of a stage whose values are wrong already, nothing more is said.
    if roots.iter().any(|id| graph.is_wrong(*id)) {
        return;
    }
    let axes = &stage.axes;
    if !(1..=MAX_RANK).contains(&axes.len()) {
        fail(graph, format!("has rank {}, expected 1 to {MAX_RANK}", axes.len()));
    }
    let variables: Vec<usize> =
        axes.iter().map(|axis| axis.variable).chain(stage.domain().iter().map(|variable| variable.variable)).collect();
    for (index, variable) in variables.iter().enumerate() {
        if variables[..index].contains(variable) {
            let what = if index < axes.len() { "coordinate" } else { "variable" };
            let variable = graph.variables[*variable].clone();
            fail(graph, format!("has {what} {variable} twice, expected different ones"));
        }
    }
    for value in &stage.values {
        let ty = graph.ty(*value);
        if !ty.is_pixel() {
            fail(graph, format!("has a value of {ty}, expected floats or integers: cast it"));
        }
    }
    let mut free: Vec<usize> = roots.iter().flat_map(|id| graph.entries[*id].free.iter().copied()).collect();
    free.sort_unstable();
    free.dedup();
    for id in graph.reach(&roots) {
        let Entry { node, ty, place, .. } = graph.entries[id].clone();
        match node {
            Node::Load { image, .. } => {
                if let Some(message) = graph.not_here(image) {
                    fail(graph, format!("reads {message}"));
                }
            }
            Node::Previous { line, result, .. } if stage.line() == Some(line) => {
                let expected = graph.ty(stage.values[result]);
                if ty != expected {
                    let message = format!(
                        "previous value of {ty}, expected {expected}, as scan \"{}\" computes: cast one",
                        stage.name
                    );
                    graph.wrong(place, message);
                }
            }
            Node::Previous { line, .. } if free.contains(&line) => {
                free.retain(|variable| *variable != line);
                let scan = graph.variables[line].clone();
                fail(graph, format!("reads previous values of scan \"{scan}\", which only the scan's own body may"));
            }
            _ => {}
        }
    }
    // Places have no coordinate in a body.
    let known: Vec<usize> = stage
        .coordinates()
        .iter()
        .map(|axis| axis.variable)
        .chain(stage.domain().iter().map(|variable| variable.variable))
        .collect();
    for variable in free {
        if !known.contains(&variable) && stage.line() != Some(variable) {
            let names: Vec<&str> = known.iter().map(|variable| graph.variables[*variable].as_str()).collect();
            let what = if stage.scatter().is_some() { "coordinates and variables" } else { "coordinates" };
            let message =
                format!("uses {}, expected its {what} ({}) only", graph.variables[variable], names.join(", "));
            fail(graph, message);
        }
    }
}

impl<'p> Image<'p> {
    /// The image of this number.
    pub(crate) fn of(p: &'p Pipeline, image: usize) -> Self {
        Self { p, image, boundary: Boundary::None, padding: None }
    }

    /// The value at a point. Indices are affine functions of coordinates: sums, products with constants, `/` and `%` by
    /// positive constants. With a boundary mode they may be any values of type `Index`; the point is then gathered.
    #[track_caller]
    pub fn at(self, indices: impl Indices<'p>) -> Expr<'p> {
        let place = Location::caller();
        let indices = indices.operands();
        let indices: Vec<Id> =
            indices.into_iter().map(|index| self.p.graph.typed(index, Type::Index, place).id).collect();
        let mut graph = self.p.graph.borrow_mut();
        let image = graph.images[self.image].clone();
        if image.is_wrong || indices.iter().any(|id| graph.is_wrong(*id)) {
            return Expr { graph: &self.p.graph, id: graph.node(Node::Wrong, Type::F32, place) };
        }
        let message = if indices.len() == image.extents.len() {
            indices.iter().enumerate().find_map(|(position, id)| {
                let ty = graph.ty(*id);
                let name = &image.name;
                if ty != Type::Index {
                    return Some(format!("index #{position} of \"{name}\" is of {ty}, expected an index: cast it"));
                }
                graph.not_affine(*id).filter(|_| self.boundary == Boundary::None).map(|part| {
                    let within = if part == *id { String::new() } else { format!(" in {}", graph.show(*id)) };
                    format!(
                        "index #{position} of \"{name}\" has {}{within}, expected an affine function of coordinates, or a \
                         boundary mode",
                        graph.show(part)
                    )
                })
            })
        } else {
            Some(format!(
                "{} indices of \"{}\", expected {}, one for each dimension",
                indices.len(),
                image.name,
                image.extents.len()
            ))
        };
        let id = match message {
            Some(message) => graph.wrong(place, message),
            None => {
                let load = Node::Load { image: self.image, boundary: self.boundary, indices, padding: self.padding };
                graph.node(load, image.ty, place)
            }
        };
        Expr { graph: &self.p.graph, id }
    }

    /// Whether [`at`](Self::at) takes this index: an affine one, or with a boundary mode any.
    pub fn may_be_read_at(self, index: Expr<'p>) -> bool {
        self.boundary != Boundary::None || self.p.graph.borrow().not_affine(index.id).is_none()
    }

    /// The image with its edge repeated beyond it.
    #[must_use]
    pub fn clamp(self) -> Self {
        Self { boundary: Boundary::Clamp, padding: None, ..self }
    }

    /// The image reflected at its edges, the edge repeated.
    #[must_use]
    pub fn mirror(self) -> Self {
        Self { boundary: Boundary::Mirror, padding: None, ..self }
    }

    /// The image reflected at its edges, the edge not repeated: OpenCV's default.
    #[must_use]
    pub fn reflect101(self) -> Self {
        Self { boundary: Boundary::Reflect101, padding: None, ..self }
    }

    /// The image repeated beyond its edges.
    #[must_use]
    pub fn wrap(self) -> Self {
        Self { boundary: Boundary::Wrap, padding: None, ..self }
    }

    /// The image padded with this value beyond its edges.
    #[must_use]
    #[track_caller]
    pub fn padding(self, value: impl Into<Operand<'p>>) -> Self {
        let place = Location::caller();
        let value = self.p.graph.typed(value.into(), self.ty(), place);
        if value.ty() != self.ty() && !self.p.graph.is_wrong(value.id) {
            self.p
                .graph
                .fail(place, format!("{} outside of an image of {}, expected the same type", value.ty(), self.ty()));
            return self;
        }
        Self { boundary: Boundary::Constant, padding: Some(value.id), ..self }
    }

    /// The image without a value beyond its edges: no index may leave it.
    #[must_use]
    pub fn inside(self) -> Self {
        Self { boundary: Boundary::None, padding: None, ..self }
    }

    /// The type of its points.
    pub fn ty(self) -> Type {
        self.p.graph.borrow().images[self.image].ty
    }

    /// The number of its dimensions.
    pub fn rank(self) -> usize {
        self.p.graph.borrow().images[self.image].extents.len()
    }

    /// The number of points along a dimension, 0 being the outermost.
    #[track_caller]
    pub fn extent(self, dimension: usize) -> Expr<'p> {
        let extent = self.p.graph.borrow().images[self.image].extents.get(dimension).copied();
        match extent {
            Some(id) => Expr { graph: &self.p.graph, id },
            None => self.p.graph.fail(
                Location::caller(),
                format!("extent of dimension {dimension}, expected one below {}, the rank", self.rank()),
            ),
        }
    }

    /// An image that the program is given, of which an extent is this number of the program: one of another image, say. That it is
    /// so is checked when the program is entered; the message says what differs.
    #[must_use]
    #[track_caller]
    pub fn with_extent(self, dimension: usize, extent: Expr<'p>, message: &str) -> Self {
        let own = self.extent(dimension);
        self.p.require_equal(own, extent, message);
        let mut graph = self.p.graph.borrow_mut();
        let fits = graph.ty(extent.id) == Type::Index && graph.images[self.image].argument.is_some();
        if let Some(slot) = graph.images[self.image].extents.get_mut(dimension).filter(|_| fits) {
            *slot = extent.id;
        }
        drop(graph);
        self
    }

    /// The shape of this image with these coordinates, for a stage of the same size.
    #[track_caller]
    pub fn shape<const N: usize>(self, vars: [Var<'p>; N]) -> [Dim<'p>; N] {
        let place = Location::caller();
        if N != self.rank() {
            self.p.graph.fail(place, format!("{N} coordinates, expected {}, the rank", self.rank()));
        }
        let extents = self.p.graph.borrow().images[self.image].extents.clone();
        let mut dimension = 0..;
        vars.map(|var| {
            let extent = dimension.next().and_then(|dimension| extents.get(dimension).copied());
            // With another rank the mistake was reported.
            Dim { var, extent: extent.unwrap_or_else(|| self.p.graph.borrow_mut().index(1, place)) }
        })
    }

    /// Extents that cost models assume.
    #[track_caller]
    pub fn estimate(self, extents: impl AsRef<[i64]>) -> Self {
        self.describe("an estimate", Location::caller(), |argument| {
            if let Argument::Image { estimate, .. } = argument {
                *estimate = Some(extents.as_ref().to_vec());
            }
        })
    }

    /// Names by which tools are told the extents, an empty one where an extent has none.
    #[track_caller]
    pub fn extent_names<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let place = Location::caller();
        if names.len() != self.rank() {
            self.p.graph.fail(place, format!("{} names of extents, expected {}, the rank", names.len(), self.rank()));
            return self;
        }
        self.describe("names of extents", place, |argument| {
            if let Argument::Image { extents, .. } = argument {
                *extents = Some(names);
            }
        })
    }

    /// Says something of an image that the program is given.
    fn describe(self, what: &str, place: &'static Location<'static>, say: impl FnOnce(&mut Argument)) -> Self {
        let mut graph = self.p.graph.borrow_mut();
        match graph.images[self.image].argument {
            Some(argument) => say(&mut graph.arguments[argument]),
            None => {
                graph.wrong(place, format!("{what} of a stage, expected an image that the program is given"));
            }
        }
        drop(graph);
        self
    }
}
