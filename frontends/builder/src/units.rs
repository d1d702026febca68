//! Scans and scatters: stages whose points have an order. What Halide says by update definitions over an `RDom` is one of them:
//! a point that reads those before it is a scan, a place that the program computes is a scatter's.
//!
//! ```text
//! Halide                                                    here
//!
//! f(x, y) = in(x, 0);                                       let f = p.scan("f", shape, y, |f| {
//! RDom r(1, h - 1);                                             f.previous(1, own) * (1.0 - a) + own * a
//! f(x, r) = f(x, r - 1) * (1 - a) + in(x, r) * a;           });
//!
//! hist(i) = 0;                                              let hist = p.scatter("hist", [i.to(256)], 0)
//! RDom r(0, w, 0, h);                                           .over([y.to(h), x.to(w)])
//! hist(in(r.x, r.y)) += 1;                                      .add(in.at((y, x)).cast(Index), 1);
//! ```

use crate::{
    error::Place,
    expr::{Along, Dim, Expr, Indices, Operand, Span, expected},
    graph::{Domain, Graph, GraphCell, Id, Kind, Node, Op, Scatter as Parts},
    pipeline::{Image, MAX_RANK, Pipeline},
    types::Type,
};
use std::{marker::PhantomData, panic::Location};

// ---- Scans -------------------------------------------------------------------------------------------------------------------

/// What a scan has computed of its line so far, in its own body.
#[derive(Clone, Copy)]
pub struct Line<'p> {
    p: &'p Pipeline,
    line: usize,
    result: usize,
}

impl<'p> Line<'p> {
    /// The scan's own value so many points before this one, in the direction in which it walks; `or` where the line has no such
    /// point. What lies ahead cannot be read.
    #[track_caller]
    pub fn previous(self, distance: i64, or: impl Into<Operand<'p>>) -> Expr<'p> {
        let place = Location::caller();
        let start = self.p.value_at(or.into(), place);
        if distance < 1 {
            let name = self.p.graph.borrow().variables[self.line].clone();
            let message = format!(
                "scan \"{name}\" reads {distance} points before its own, expected at least 1: it has not computed what lies ahead"
            );
            return self.p.graph.fail(place, message);
        }
        if self.p.graph.is_wrong(start.id) {
            return self.p.graph.quietly_wrong(place);
        }
        let node = Node::Previous { line: self.line, result: self.result, distance, start: start.id };
        self.p.graph.make(node, start.ty(), place)
    }
}

impl Pipeline {
    /// A stage whose points may depend on those before them in their line: the points that differ in coordinate `along` alone.
    /// Lines are walked from 0 upwards, or along `y.backward()` from the last point downwards. `value` is given what there is of
    /// the line.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("smooth");
    /// # let [y, x] = p.vars(["y", "x"]);
    /// # let img = p.image("img", F32, [DYN, DYN]);
    /// let own = img.at((y, x));
    /// let down = p.scan("down", img.shape([y, x]), y, |down| down.previous(1, own) * 0.8 + own * 0.2);
    /// let up = p.scan("up", img.shape([y, x]), y.backward(), |up| up.previous(1, 0.0).max(down.at((y, x))));
    /// ```
    #[track_caller]
    pub fn scan<'p>(
        &'p self,
        name: &str,
        shape: impl AsRef<[Dim<'p>]>,
        along: impl Into<Along<'p>>,
        value: impl FnOnce(Line<'p>) -> Expr<'p>,
    ) -> Image<'p> {
        let value = |lines: Vec<Line<'p>>| vec![value(lines[0])];
        self.scan_all(name, shape.as_ref(), along.into(), 1, value, Location::caller())[0]
    }

    /// A scan with several results, each of which may read all of them.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("sums");
    /// # let x = p.var("x");
    /// # let counts = p.image("counts", I32, [256]);
    /// // Sums, and beside each the first one that is not 0.
    /// let [sums, firsts] = p.scans("sums", [x.to(256)], x, |[sum, first]| {
    ///     let sum = sum.previous(1, 0) + counts.at(x);
    ///     let before = first.previous(1, 0);
    ///     [sum, before.eq(0).select(sum, before)]
    /// });
    /// ```
    #[track_caller]
    pub fn scans<'p, const N: usize>(
        &'p self,
        name: &str,
        shape: impl AsRef<[Dim<'p>]>,
        along: impl Into<Along<'p>>,
        values: impl FnOnce([Line<'p>; N]) -> [Expr<'p>; N],
    ) -> [Image<'p>; N] {
        let values = |lines: Vec<Line<'p>>| values(std::array::from_fn(|index| lines[index])).to_vec();
        let images = self.scan_all(name, shape.as_ref(), along.into(), N, values, Location::caller());
        std::array::from_fn(|index| images[index])
    }

    /// A [`scans`](Self::scans) of so many results.
    #[track_caller]
    pub fn scan_list<'p>(
        &'p self,
        name: &str,
        shape: impl AsRef<[Dim<'p>]>,
        along: impl Into<Along<'p>>,
        results: usize,
        values: impl FnOnce(Vec<Line<'p>>) -> Vec<Expr<'p>>,
    ) -> Vec<Image<'p>> {
        self.scan_all(name, shape.as_ref(), along.into(), results, values, Location::caller())
    }

    fn scan_all<'p>(
        &'p self,
        name: &str,
        shape: &[Dim<'p>],
        along: Along<'p>,
        results: usize,
        values: impl FnOnce(Vec<Line<'p>>) -> Vec<Expr<'p>>,
        place: Place,
    ) -> Vec<Image<'p>> {
        let line = self.var(name).variable;
        let values = values((0..results).map(|result| Line { p: self, line, result }).collect());
        if values.len() != results {
            let message = format!("scan \"{name}\" computes {} values, expected {results}", values.len());
            return self.wrong_stage(name, results, self.graph.fail(place, message));
        }
        let is_it =
            |dim: &Dim<'p>| dim.var.variable == along.var.variable && std::ptr::eq(dim.var.graph, along.var.graph);
        match shape.iter().position(is_it) {
            Some(dimension) => {
                let kind = Kind::Scan { line, along: dimension, backward: along.backward };
                self.add_stage(kind, name, shape, &values, place)
            }
            None => {
                let called = |dim: &Dim<'p>| dim.var.graph.borrow().variables[dim.var.variable].clone();
                let names: Vec<String> = shape.iter().map(called).collect();
                let along = along.var.graph.borrow().variables[along.var.variable].clone();
                let names = names.join(", ");
                let message = format!("scan \"{name}\" walks along {along}, expected one of its coordinates ({names})");
                self.wrong_stage(name, results, self.graph.fail(place, message))
            }
        }
    }
}

// ---- Scatters ----------------------------------------------------------------------------------------------------------------

/// What a scatter begins with, before it is said what it goes over. `R` is one image, or an array of them.
#[derive(Clone)]
#[must_use = "a scatter goes over something and updates something: .over([...]).add(...)"]
pub struct Scatter<'p, R> {
    p: &'p Pipeline,
    name: String,
    shape: Vec<Dim<'p>>,
    initial: Vec<Operand<'p>>,
    place: Place,
    results: PhantomData<R>,
}

/// A scatter and the domain that it goes over: what is left to say is which places are updated, and how.
///
/// A place is an index for each dimension. The first indices may be coordinates of the scatter, each at its own dimension: then
/// the update is done at each of their points. The others are places: values of type `Index` that may depend on coordinates, on
/// variables of the domain, and on pixels. If one lies outside of the image, nothing is updated.
#[derive(Clone)]
#[must_use = "a scatter updates something: .add(place, value)"]
pub struct Update<'p, R> {
    scatter: Scatter<'p, R>,
    domain: Vec<Span<'p>>,
    reassoc: bool,
}

impl Pipeline {
    /// An image whose points begin with `initial`, and are then updated at places that are computed, as Halide's update
    /// definitions do.
    ///
    /// ```
    /// # use weft_builder::prelude::*;
    /// # let p = Pipeline::new("histogram");
    /// # let [y, x, level, r] = p.vars(["y", "x", "level", "r"]);
    /// # let img = p.image("img", U8, [DYN, DYN]);
    /// # let (h, w) = (img.extent(0), img.extent(1));
    /// // How often each level occurs.
    /// let histogram = p
    ///     .scatter("histogram", [level.to(256)], 0)
    ///     .over([y.to(h), x.to(w)])
    ///     .add(img.at((y, x)).cast(Index), 1);
    /// // The same for each row of its own: y is a coordinate.
    /// let rows = p
    ///     .scatter("rows", [y.to(h), level.to(256)], 0)
    ///     .over([r.to(w)])
    ///     .add((y, img.at((y, r)).cast(Index)), 1);
    /// ```
    #[track_caller]
    pub fn scatter<'p>(
        &'p self,
        name: &str,
        shape: impl AsRef<[Dim<'p>]>,
        initial: impl Into<Operand<'p>>,
    ) -> Scatter<'p, Image<'p>> {
        let shape = shape.as_ref().to_vec();
        let (name, initial, place) = (name.to_owned(), vec![initial.into()], Location::caller());
        Scatter { p: self, name, shape, initial, place, results: PhantomData }
    }

    /// A scatter with several results, which are updated at one place, each by a value of its own.
    #[track_caller]
    pub fn scatters<'p, const N: usize>(
        &'p self,
        name: &str,
        shape: impl AsRef<[Dim<'p>]>,
        initial: [impl Into<Operand<'p>>; N],
    ) -> Scatter<'p, [Image<'p>; N]> {
        let shape = shape.as_ref().to_vec();
        let (name, initial, place) = (name.to_owned(), initial.map(Into::into).into(), Location::caller());
        Scatter { p: self, name, shape, initial, place, results: PhantomData }
    }

    /// A [`scatters`](Self::scatters) of as many results as there are values to begin with.
    #[track_caller]
    pub fn scatter_list<'p>(
        &'p self,
        name: &str,
        shape: impl AsRef<[Dim<'p>]>,
        initial: Vec<Operand<'p>>,
    ) -> Scatter<'p, Vec<Image<'p>>> {
        let (name, shape, place) = (name.to_owned(), shape.as_ref().to_vec(), Location::caller());
        Scatter { p: self, name, shape, initial, place, results: PhantomData }
    }
}

impl<'p, R> Scatter<'p, R> {
    /// The points that updates are done for, Halide's `RDom`: in the order of loops over the variables, the last one innermost.
    /// `y.to(h)`, `dy.over(-1..2)` or `y.between(1, h)`.
    pub fn over<S: Into<Span<'p>>>(self, domain: impl IntoIterator<Item = S>) -> Update<'p, R> {
        let domain = domain.into_iter().map(Into::into).collect();
        Update { scatter: self, domain, reassoc: false }
    }
}

impl<R> Update<'_, R> {
    /// Lets sums of floats be done in any order: the result may differ in its last bits, from run to run.
    pub fn reassoc(self) -> Self {
        Self { reassoc: true, ..self }
    }
}

macro_rules! updates {
    ($($(#[$meta:meta])* $name:ident = $op:expr;)*) => {
        impl<'p> Update<'p, Image<'p>> {
            $($(#[$meta])*
            #[track_caller]
            pub fn $name(self, place: impl Indices<'p>, value: impl Into<Operand<'p>>) -> Image<'p> {
                self.update($op, place.operands(), vec![value.into()], Location::caller())[0]
            })*
        }

        impl<'p, const N: usize> Update<'p, [Image<'p>; N]> {
            $($(#[$meta])*
            #[track_caller]
            pub fn $name(self, place: impl Indices<'p>, values: [Expr<'p>; N]) -> [Image<'p>; N] {
                let values = values.into_iter().map(Operand::Expr).collect();
                let images = self.update($op, place.operands(), values, Location::caller());
                std::array::from_fn(|index| images[index])
            })*
        }

        impl<'p> Update<'p, Vec<Image<'p>>> {
            $($(#[$meta])*
            #[track_caller]
            pub fn $name(self, place: impl Indices<'p>, values: Vec<Operand<'p>>) -> Vec<Image<'p>> {
                self.update($op, place.operands(), values, Location::caller())
            })*
        }
    };
}

updates! {
    /// Adds to what is there.
    add = Op::Add;
    /// Multiplies what is there.
    mul = Op::Mul;
    /// Leaves the smaller one there; NaN if one is NaN.
    min = Op::Min;
    /// Leaves the larger one there; NaN if one is NaN.
    max = Op::Max;
    /// Leaves the bits there that both have.
    and = Op::And;
    /// Leaves the bits there that one has.
    or = Op::Or;
    /// Flips the bits there that the value has.
    xor = Op::Xor;
}

impl<'p, R> Update<'p, R> {
    fn update(self, combine: Op, indices: Vec<Operand<'p>>, values: Vec<Operand<'p>>, place: Place) -> Vec<Image<'p>> {
        let Scatter { p, name, shape, initial, place: own, .. } = self.scatter;
        let count = values.len();
        let is_foreign = |graph: &GraphCell| !std::ptr::eq(graph, &raw const p.graph);
        if shape.iter().map(|dim| dim.var.graph).chain(self.domain.iter().map(|span| span.var.graph)).any(is_foreign) {
            let message =
                format!("scatter \"{name}\" has a coordinate or variable of another program, expected its own");
            return p.wrong_stage(&name, count, p.graph.fail(own, message));
        }
        if initial.len() != count {
            let message = format!("scatter \"{name}\" begins with {} values and is updated by {count}", initial.len());
            return p.wrong_stage(&name, count, p.graph.fail(own, format!("{message}, expected as many")));
        }
        let pairs: Vec<[Expr<'p>; 2]> =
            initial.into_iter().zip(values).map(|(initial, value)| p.graph.alike([initial, value], place)).collect();
        let indices: Vec<Id> = indices.into_iter().map(|index| p.graph.typed(index, Type::Index, place).id).collect();
        let mut graph = p.graph.borrow_mut();
        let named = pairs.iter().flatten().map(|value| value.id).chain(indices.iter().copied());
        if let Some(wrong) = named.chain(self.domain.iter().map(|span| span.hi)).find(|id| graph.is_wrong(*id)) {
            drop(graph);
            return p.wrong_stage(&name, count, Expr { graph: &p.graph, id: wrong });
        }
        let axes: Vec<usize> = shape.iter().map(|dim| dim.var.variable).collect();
        let types: Vec<[Type; 2]> = pairs.iter().map(|pair| pair.map(|value| graph.ty(value.id))).collect();
        let ids: Vec<Id> = pairs.iter().map(|[initial, _]| initial.id).collect();
        let message = wrong_initial(&graph, &ids)
            .or_else(|| wrong_combine(combine, self.reassoc, &types))
            .or_else(|| wrong_place(&graph, &axes, &indices))
            .or_else(|| wrong_domain(&graph, &self.domain));
        if let Some(message) = message {
            let wrong = graph.wrong(place, format!("scatter \"{name}\" {message}"));
            drop(graph);
            return p.wrong_stage(&name, count, Expr { graph: &p.graph, id: wrong });
        }
        let coordinates = coordinates(&graph, &axes, &indices);
        drop(graph);
        let domain = self.domain.iter().map(|span| Domain { variable: span.var.variable, lo: span.lo, hi: span.hi });
        let parts = Parts {
            coordinates,
            domain: domain.collect(),
            initial: ids,
            combine,
            reassoc: self.reassoc,
            places: indices[coordinates..].to_vec(),
        };
        let values: Vec<Expr<'p>> = pairs.iter().map(|[_, value]| *value).collect();
        p.add_stage(Kind::Scatter(parts), &name, &shape, &values, own)
    }
}

/// How many of the first indices are the coordinates of their dimensions.
fn coordinates(graph: &Graph, axes: &[usize], indices: &[Id]) -> usize {
    let is_own = |(axis, index): &(&usize, &Id)| graph.entries[**index].node == Node::Variable(**axis);
    axes.iter().zip(indices).take_while(is_own).count()
}

/// What is wrong with the values that it begins with, if something is.
fn wrong_initial(graph: &Graph, initial: &[Id]) -> Option<String> {
    initial.iter().find_map(|id| graph.not_a_number(*id)).map(|message| format!("begins with a value: {message}"))
}

/// What is wrong with the types, each of a result and of its updates.
fn wrong_combine(combine: Op, reassoc: bool, types: &[[Type; 2]]) -> Option<String> {
    for (index, [initial, value]) in types.iter().enumerate() {
        if initial != value {
            return Some(format!(
                "begins result #{index} with {initial} and updates it by {value}, expected equal types: cast one"
            ));
        }
    }
    let values = types.iter().map(|[ty, _]| *ty);
    let of_bits = matches!(combine, Op::And | Op::Or | Op::Xor);
    let of_order = matches!(combine, Op::Min | Op::Max);
    let name = combine.name();
    if let Some(ty) = values.clone().find(|ty| of_bits && ty.is_float()) {
        return Some(format!("combines by {name} of {ty}, expected {}", expected(combine)));
    }
    // One op combines all results.
    let kind = |ty: Type| (ty.is_float(), of_order && ty.is_unsigned());
    let [first, _] = types.first()?;
    if let Some(other) = values.clone().find(|ty| kind(*ty) != kind(*first)) {
        let like = if of_order { "floats, integers with a sign, or integers without" } else { "floats or integers" };
        return Some(format!("combines {first} and {other} by {name}, expected all results to be {like}"));
    }
    let sums = combine == Op::Add && first.is_float();
    (reassoc && !sums).then(|| format!("reorders {name} of {first}, expected reassoc of sums of floats only"))
}

/// What is wrong with the place that is updated.
fn wrong_place(graph: &Graph, axes: &[usize], indices: &[Id]) -> Option<String> {
    if indices.len() != axes.len() {
        let (found, rank) = (indices.len(), axes.len());
        return Some(format!("is updated at {found} indices, expected {rank}, one for each dimension"));
    }
    let coordinates = coordinates(graph, axes, indices);
    indices.iter().enumerate().skip(coordinates).find_map(|(position, id)| match graph.entries[*id].node {
        Node::Variable(variable) if axes.contains(&variable) => Some(format!(
            "is updated at {} as index #{position}, expected a place there, or {}: coordinates come first, each at its own \
             dimension",
            graph.variables[variable], graph.variables[axes[coordinates]]
        )),
        _ if graph.ty(*id) != Type::Index => {
            Some(format!("has index #{position} of {}, expected an index: cast it", graph.ty(*id)))
        }
        _ => None,
    })
}

/// What is wrong with the domain.
fn wrong_domain(graph: &Graph, domain: &[Span]) -> Option<String> {
    if !(1..=MAX_RANK).contains(&domain.len()) {
        return Some(format!("goes over {} variables, expected 1 to {MAX_RANK}", domain.len()));
    }
    domain.iter().find_map(|span| {
        let hi = graph.known_integer(span.hi).filter(|hi| *hi < span.lo)?;
        let name = &graph.variables[span.var.variable];
        Some(format!("goes over {name} in [{}, {hi}), which ends before it begins", span.lo))
    })
}
