//! A trace, written again with the builder.

use crate::step::{Axis, Boundary, Combine, Extent, Fold, Id, Operand, Step, Trace, What};
use std::{
    cell::RefCell,
    collections::{HashMap, hash_map::Entry},
};
use weft_builder::{DYN, Dim, Expr, Image, Line, Operand as Built, Pipeline, Source, Type, Var, Window};

/// Writes the program of a trace.
///
/// # Errors
///
/// What is wrong with the trace itself, in one line. Mistakes of the program are noted by the builder.
pub fn replay(p: &Pipeline, trace: &Trace) -> Result<(), String> {
    let replay = Replay { p, trace, made: RefCell::default(), extents: RefCell::default() };
    replay.steps(&trace.steps)?;
    for (name, image) in &trace.results {
        p.output(name, replay.image(*image)?);
    }
    Ok(())
}

/// What a step gave.
#[derive(Clone, Copy)]
enum Made<'p> {
    Value(Expr<'p>),
    Axis(Var<'p>),
    Image(Image<'p>),
    Line(Line<'p>),
}

impl Made<'_> {
    fn what(&self) -> &'static str {
        match self {
            Self::Value(_) => "a value",
            Self::Axis(_) => "a coordinate",
            Self::Image(_) => "an image",
            Self::Line(_) => "the line of a scan",
        }
    }
}

struct Replay<'p, 't> {
    p: &'p Pipeline,
    trace: &'t Trace,
    made: RefCell<HashMap<Id, Made<'p>>>,
    /// Extents of arguments by their names, and of which argument they are.
    extents: RefCell<HashMap<String, (Expr<'p>, String)>>,
}

/// The parts of a trace that are wrong are found in closures that the builder calls, which have no errors: the first is kept.
type Found = RefCell<Result<(), String>>;

impl<'p> Replay<'p, '_> {
    fn steps(&self, steps: &[Step]) -> Result<(), String> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&self, step: &Step) -> Result<(), String> {
        self.locate(step)?;
        let p = self.p;
        match &step.what {
            What::Image { name, r#type, extents, estimate } => {
                let known = |extent: &Extent| if let Extent::Known(extent) = extent { *extent } else { DYN };
                let mut image = p.image(name, ty(r#type)?, extents.iter().map(known).collect::<Vec<_>>());
                if extents.iter().any(|extent| matches!(extent, Extent::Named(_))) {
                    let called =
                        |extent: &Extent| if let Extent::Named(name) = extent { name.clone() } else { String::new() };
                    image = image.extent_names(extents.iter().map(called));
                }
                for (dimension, extent) in extents.iter().enumerate() {
                    let Extent::Named(extent) = extent else { continue };
                    image = self.named_extent(image, name, dimension, extent);
                }
                if let Some(estimate) = estimate {
                    image = image.estimate(estimate);
                }
                self.give(step, [Made::Image(image)])
            }
            What::Number { name, r#type } => self.give(step, [Made::Value(p.number(name, ty(r#type)?))]),
            What::Table { name, r#type, extents, values } => {
                let values = self.operands(values)?;
                self.give(step, [Made::Image(p.table(name, ty(r#type)?, extents, values))])
            }
            What::Axis(name) => self.give(step, [Made::Axis(p.var(name))]),
            What::Extent { image, dimension } => self.give(step, [Made::Value(self.image(*image)?.extent(*dimension))]),
            What::Constant { r#type, value } => {
                self.give(step, [Made::Value(p.constant(ty(r#type)?, self.operand(*value)?))])
            }
            What::Op { name, of } => {
                let operands = self.operands(of)?;
                let value = self.quotient(name, &operands).or_else(|| p.op(name, &operands));
                let unknown = || format!("operation {name} of {} values, expected one that there is", of.len());
                self.give(step, [Made::Value(value.ok_or_else(unknown)?)])
            }
            What::Cast { of, r#type, saturate } => {
                let (value, to) = (self.value(*of)?, ty(r#type)?);
                self.give(step, [Made::Value(if *saturate { value.saturate(to) } else { value.cast(to) })])
            }
            What::Load { image, boundary, indices } => {
                let image = self.bounded(self.image(*image)?, *boundary)?;
                self.give(step, [Made::Value(image.at(self.operands(indices)?))])
            }
            What::Fold { combine, window, value } => {
                let (window, value) = (self.window(window)?, self.value(*value)?);
                let folded = match combine {
                    Fold::Sum => p.sum(window, value),
                    Fold::Max => p.maximum(window, value),
                    Fold::Min => p.minimum(window, value),
                };
                self.give(step, [Made::Value(folded)])
            }
            What::Reduce { window, init, so_far, body, next } => {
                let found = Found::new(Ok(()));
                let reduced = p.reduce_list(self.window(window)?, self.operands(init)?, |values| {
                    let made = values.into_iter().map(Made::Value).collect();
                    self.body(&found, so_far, made, body, || next.iter().map(|value| self.value(*value)).collect())
                });
                found.into_inner()?;
                self.locate(step)?;
                self.give(step, reduced.into_iter().map(Made::Value))
            }
            What::Stage { name, axes, values } => {
                let values = values.iter().map(|value| self.value(*value)).collect::<Result<Vec<_>, _>>()?;
                let images = p.stage_list(name, self.axes(axes)?, values);
                self.give(step, images.into_iter().map(Made::Image))
            }
            What::Scan { name, axes, along, backward, lines, body, values } => {
                let found = Found::new(Ok(()));
                let along = self.axis(*along)?;
                let along = if *backward { along.backward() } else { along.forward() };
                let images = p.scan_list(name, self.axes(axes)?, along, lines.len(), |made| {
                    let made = made.into_iter().map(Made::Line).collect();
                    let values = || values.iter().map(|value| self.value(*value)).collect();
                    let values = self.body(&found, lines, made, body, values);
                    // The scan itself, not the last line of its body.
                    drop(self.locate(step));
                    values
                });
                found.into_inner()?;
                self.give(step, images.into_iter().map(Made::Image))
            }
            What::Previous { line, distance, or } => match self.made(*line)? {
                Made::Line(line) => self.give(step, [Made::Value(line.previous(*distance, self.operand(*or)?))]),
                other => Err(format!("#{line} is {}, expected the line of a scan", other.what())),
            },
            What::Scatter { name, axes, init, over, combine, reassoc, place, values } => {
                let spans = over.iter().map(|(var, lo, hi)| Ok(self.axis(*var)?.between(*lo, self.operand(*hi)?)));
                let spans = spans.collect::<Result<Vec<_>, String>>()?;
                let scatter = p.scatter_list(name, self.axes(axes)?, self.operands(init)?).over(spans);
                let update = if *reassoc { scatter.reassoc() } else { scatter };
                let (place, values) = (self.operands(place)?, self.operands(values)?);
                let images = match combine {
                    Combine::Add => update.add(place, values),
                    Combine::Mul => update.mul(place, values),
                    Combine::Min => update.min(place, values),
                    Combine::Max => update.max(place, values),
                    Combine::And => update.and(place, values),
                    Combine::Or => update.or(place, values),
                    Combine::Xor => update.xor(place, values),
                };
                self.give(step, images.into_iter().map(Made::Image))
            }
            What::Iterate { name, count, init, states, body, next } => {
                let found = Found::new(Ok(()));
                let init = init.iter().map(|image| self.image(*image)).collect::<Result<Vec<_>, _>>()?;
                let images = p.iterate_list(name, self.operand(*count)?, init, |made| {
                    let made = made.into_iter().map(Made::Image).collect();
                    let next = || next.iter().map(|image| self.image(*image)).collect();
                    let next = self.body(&found, states, made, body, next);
                    drop(self.locate(step));
                    next
                });
                found.into_inner()?;
                self.give(step, images.into_iter().map(Made::Image))
            }
        }
    }

    /// Says where in the text what comes now was written.
    fn locate(&self, step: &Step) -> Result<(), String> {
        let Some((file, line, column)) = step.at else { return Ok(()) };
        let name =
            self.trace.files.get(file).ok_or_else(|| format!("file {file}, expected one of those of the trace"))?;
        self.p.locate(name, Source { line, column });
        Ok(())
    }

    /// Replays a body, of which `made` is given by the builder, and then makes what it ends with. Where the trace is wrong it ends
    /// with nothing, and `found` says why.
    fn body<T>(
        &self,
        found: &Found,
        ids: &[Id],
        made: Vec<Made<'p>>,
        body: &[Step],
        ends_with: impl FnOnce() -> Result<Vec<T>, String>,
    ) -> Vec<T> {
        let ended = self.add(ids, made).and_then(|()| self.steps(body)).and_then(|()| ends_with());
        ended.unwrap_or_else(|message| {
            *found.borrow_mut() = Err(message);
            Vec::new()
        })
    }

    /// The first argument that has an extent of this name says how much it is; that of each other must be equal.
    fn named_extent(&self, image: Image<'p>, argument: &str, dimension: usize, name: &str) -> Image<'p> {
        match self.extents.borrow_mut().entry(name.to_owned()) {
            Entry::Occupied(known) => {
                let (extent, first) = known.get();
                image.with_extent(
                    dimension,
                    *extent,
                    &format!("\"{argument}\" has another extent {name} than \"{first}\" (dimension {dimension})"),
                )
            }
            Entry::Vacant(slot) => {
                slot.insert((image.extent(dimension), argument.to_owned()));
                image
            }
        }
    }

    fn bounded(&self, image: Image<'p>, boundary: Option<Boundary>) -> Result<Image<'p>, String> {
        Ok(match boundary {
            None => image,
            Some(Boundary::Clamp) => image.clamp(),
            Some(Boundary::Mirror) => image.mirror(),
            Some(Boundary::Reflect101) => image.reflect101(),
            Some(Boundary::Wrap) => image.wrap(),
            Some(Boundary::Constant(value)) => image.padding(self.operand(value)?),
        })
    }

    /// Quotients as Python has them: `/` of floats, and `//` and `%`, which round down.
    fn quotient(&self, name: &str, of: &[Built<'p>]) -> Option<Expr<'p>> {
        let p = self.p;
        let &[a, b] = of else { return None };
        if !["truediv", "floordiv", "mod"].contains(&name) {
            return None;
        }
        let op = |name: &str, a: Built<'p>, b: Built<'p>| p.op(name, &[a, b]);
        // The type of both, or a mistake that says that they have two.
        let ty = op("sub", a, b)?.ty();
        match name {
            "truediv" if ty.is_float() => op("div", a, b),
            "truediv" => Some(p.wrong(format!("/ of {ty}, expected floats: .to(weft.f32), or // which rounds down"))),
            "floordiv" if ty.is_float() => Some(op("div", a, b)?.floor()),
            "mod" if ty.is_float() => op("sub", a, op("mul", op("div", a, b)?.floor().into(), b)?.into()),
            // An index is divided downwards, and what has no sign is not below 0.
            "floordiv" if ty == Type::Index || ty.is_unsigned() => op("div", a, b),
            "mod" if ty == Type::Index || ty.is_unsigned() => op("rem", a, b),
            "floordiv" | "mod" => {
                let (quotient, rest) = (op("div", a, b)?, op("rem", a, b)?);
                let is_apart = rest.lt(0).ne(op("lt", b, 0.into())?) & rest.ne(0);
                Some(match name {
                    "mod" => is_apart.select(op("add", rest.into(), b)?, rest),
                    _ => is_apart.select(quotient - 1, quotient),
                })
            }
            _ => None,
        }
    }

    /// Names for what steps of a body or of the program gave.
    fn give(&self, step: &Step, made: impl IntoIterator<Item = Made<'p>>) -> Result<(), String> {
        self.add(&step.gives, made.into_iter().collect())
    }

    fn add(&self, ids: &[Id], made: Vec<Made<'p>>) -> Result<(), String> {
        if ids.len() != made.len() {
            return Err(format!("a step gives {} things, expected {} names", made.len(), ids.len()));
        }
        let mut known = self.made.borrow_mut();
        for (id, made) in ids.iter().zip(made) {
            if known.insert(*id, made).is_some() {
                return Err(format!("#{id} is given twice, expected another name"));
            }
        }
        Ok(())
    }

    fn made(&self, id: Id) -> Result<Made<'p>, String> {
        self.made
            .borrow()
            .get(&id)
            .copied()
            .ok_or_else(|| format!("#{id}, expected something that an earlier step gave"))
    }

    fn image(&self, id: Id) -> Result<Image<'p>, String> {
        match self.made(id)? {
            Made::Image(image) => Ok(image),
            other => Err(format!("#{id} is {}, expected an image", other.what())),
        }
    }

    fn axis(&self, id: Id) -> Result<Var<'p>, String> {
        match self.made(id)? {
            Made::Axis(axis) => Ok(axis),
            other => Err(format!("#{id} is {}, expected a coordinate", other.what())),
        }
    }

    fn axes(&self, axes: &[Axis]) -> Result<Vec<Dim<'p>>, String> {
        axes.iter().map(|(axis, extent)| Ok(self.axis(*axis)?.to(self.operand(*extent)?))).collect()
    }

    fn window(&self, window: &[(Id, i64, i64)]) -> Result<Vec<Window<'p>>, String> {
        window.iter().map(|(variable, lo, hi)| Ok(self.axis(*variable)?.over(*lo..*hi))).collect()
    }

    fn operand(&self, operand: Operand) -> Result<Built<'p>, String> {
        Ok(match operand {
            Operand::Int(value) => value.into(),
            Operand::Float(value) => value.into(),
            Operand::Bits(bits) => f64::from_bits(bits).into(),
            Operand::Of(id) => match self.made(id)? {
                Made::Value(value) => value.into(),
                Made::Axis(axis) => axis.into(),
                other => return Err(format!("#{id} is {}, expected a value", other.what())),
            },
        })
    }

    fn operands(&self, operands: &[Operand]) -> Result<Vec<Built<'p>>, String> {
        operands.iter().map(|operand| self.operand(*operand)).collect()
    }

    /// A value; a literal with nothing beside it is f32 or i32.
    fn value(&self, operand: Operand) -> Result<Expr<'p>, String> {
        Ok(self.p.value(self.operand(operand)?))
    }
}

fn ty(name: &str) -> Result<Type, String> {
    name.parse().map_err(|()| format!("type {name}, expected one of {}", Type::ALL.map(|ty| ty.to_string()).join(", ")))
}
