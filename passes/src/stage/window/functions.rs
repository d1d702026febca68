//! The functions that `--window` makes of a piece: what computes a window of it, and what says which parts of images that takes.

use super::{
    axes::{Axes, Dim},
    checks::check_loads,
    cuts::{Cut, Cuts, Given, difference},
    parts::Parts,
    piece::{Over, Piece, rank, shape},
};
use crate::{
    analysis::combine_of,
    ir::{Builder, Compare, Emit, Key, Number, TakenNames, key, one_block, only_block, result_number, symbol, tidy},
    stage::copy::{extents_of, load_at, pointwise, unknown},
};
use melior::ir::{
    BlockLike, BlockRef, Type, TypeLike, Value, ValueLike,
    attribute::{Attribute, TypeAttribute},
    operation::OperationLike,
    r#type::{FunctionType, RankedTensorType},
};
use mlir_glue::{Failure, PassContext, ir};
use std::collections::HashMap;
use weft_dialects::weft;
use weft_model::Arith;

/// A parameter or result of a function that is made.
struct Slot<'c> {
    name: String,
    ty: Type<'c>,
    /// What else is said of it.
    said: Vec<(&'static str, Attribute<'c>)>,
}

/// What a parameter is.
#[derive(Clone, Copy)]
enum Parameter<'c, 'a> {
    /// A part of an image: of an argument of the program, by its number, or of one that another piece computes.
    Image(Option<usize>, Value<'c, 'a>),
    /// A number of the program.
    Scalar(usize, Value<'c, 'a>),
    /// An extent of a whole image.
    Extent(usize, usize),
    /// Where the window begins, and where it ends.
    First(usize),
    End(usize),
    /// Sums of some of a scatter's domain, and of others.
    Left(usize),
    Right(usize),
}

impl Parameter<'_, '_> {
    fn is_of_window(self) -> bool {
        matches!(self, Self::First(_) | Self::End(_))
    }
}

/// What is said of arguments and results of a program beside their names.
const SAID: [&str; 4] = [weft::UNSIGNED, weft::ESTIMATE, weft::EXTENTS, weft::INTERLEAVED];

/// Makes functions of one piece.
pub struct Functions<'c, 'a, 'p> {
    cx: &'p PassContext<'c>,
    piece: &'p Piece<'c, 'a>,
    axes: &'p Axes<'c, 'a>,
}

impl<'c: 'a, 'a, 'p> Functions<'c, 'a, 'p> {
    /// For a piece and its axes.
    pub fn new(cx: &'p PassContext<'c>, piece: &'p Piece<'c, 'a>, axes: &'p Axes<'c, 'a>) -> Self {
        Self { cx, piece, axes }
    }

    /// What the functions of the piece are called, with what is theirs behind it.
    pub fn name(&self, what: &str) -> String {
        let program = symbol(self.piece.func);
        let of = self.piece.of.as_ref().map_or_else(String::new, |of| format!("_{of}"));
        format!("{program}_window{of}{what}")
    }

    /// The function that computes a window.
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn window(&self) -> Result<(), Failure<'c>> {
        let parameters = self.parameters(true);
        let results: Vec<Slot> = (0..self.piece.images.len()).map(|number| self.result(number)).collect();
        let (block, given) = self.function(&self.name(""), &parameters, &results);
        let b = self.builder(block);
        let mut cuts = Cuts::new(&b, self.piece, self.axes, given);
        self.check_window(&b, &cuts);
        check_loads(&b, self.piece, &cuts)?;
        self.take_parts(&b, &mut cuts, &parameters, block);
        let mut parts = Parts::new(self.piece, self.axes, cuts);
        parts.make(&b)?;
        let images: Vec<Value> = self.piece.images.iter().map(|image| parts.value(*image)).collect();
        b.op("func.return", &images, &[], &[]);
        tidy(block);
        Ok(())
    }

    /// The function that says what a window takes, a row for each dimension: of each image that is read its extent, and of the part the first
    /// point and the count; of each that is given the same, and of the window in the part the first point and the count. The last says of
    /// what windows are windows of the extent, and at which multiples they begin best; 0 where they are whole.
    ///
    /// # Errors
    ///
    /// A load that divides by something else than a positive constant.
    pub fn needs(&self) -> Result<(), Failure<'c>> {
        let parameters = self.parameters(false);
        let i64 = Type::parse(self.cx.context(), "i64").expect("a type of MLIR's own");
        let table =
            |rows: usize, columns: usize| RankedTensorType::new(&[rows as u64, columns as u64], i64, None).into();
        let reads: Vec<_> = self.piece.reads().into_iter().filter(|(_, image)| rank(*image) > 0).collect();
        let gives: Vec<_> =
            (0..self.piece.images.len()).filter(|number| rank(self.piece.images[*number]) > 0).collect();
        let mut names = TakenNames::default();
        let mut slots = Vec::new();
        for (argument, image) in &reads {
            let name = names.like(&self.piece.read_name(*argument, *image));
            slots.push(Slot { name, ty: table(rank(*image), 3), said: Vec::new() });
        }
        for number in &gives {
            let name = names.like(&self.piece.image_name(*number));
            slots.push(Slot { name, ty: table(rank(self.piece.images[*number]), 5), said: Vec::new() });
        }
        if !self.axes.window.is_empty() {
            slots.push(Slot { name: names.like("window"), ty: table(self.axes.window.len(), 2), said: Vec::new() });
        }
        let (block, given) = self.function(&self.name("_needs"), &parameters, &slots);
        let b = self.builder(block);
        let cuts = Cuts::new(&b, self.piece, self.axes, given);
        self.check_window(&b, &cuts);
        check_loads(&b, self.piece, &cuts)?;
        let mut tables: Vec<Vec<Vec<Number>>> = Vec::new();
        for (_, image) in &reads {
            let row = |d: usize| {
                let dim = (shape(*image), d);
                let part = cuts.parts[&dim];
                vec![cuts.whole[&dim], part.first, part.count]
            };
            tables.push((0..rank(*image)).map(row).collect());
        }
        for number in &gives {
            let image = self.piece.images[*number];
            let row = |d: usize| {
                let dim = (shape(image), d);
                let part = cuts.parts[&dim];
                let (first, count) = self.inside(&b, &cuts, dim, part);
                vec![cuts.whole[&dim], part.first, part.count, first, count]
            };
            tables.push((0..rank(image)).map(row).collect());
        }
        if !self.axes.window.is_empty() {
            let steps = self.axes.axes.iter().map(|axis| axis.as_ref().map_or(0, |axis| axis.step));
            let rows = self.axes.window.iter().zip(steps).map(|(dim, step)| vec![cuts.whole[dim], Number::Known(step)]);
            tables.push(rows.collect());
        }
        let made = slots.iter().zip(&tables).map(|(slot, numbers)| table_stage(&b, &slot.name, slot.ty, numbers));
        let made: Vec<Value> = made.collect();
        b.op("func.return", &made, &[], &[]);
        tidy(block);
        Ok(())
    }

    /// Of a scatter whose windows are parts of its domain: what joins two of its sums, and what all of them begin with.
    pub fn join(&self) {
        let Some(Over::Domain(scatter)) = self.piece.over else { return };
        let combine = combine_of(scatter);
        let results: Vec<Slot> = (0..self.piece.images.len()).map(|number| self.result(number)).collect();
        let begin: Vec<_> = self.parameters(false).into_iter().filter(|of| !of.is_of_window()).collect();
        let (block, given) = self.function(&self.name("_begin"), &begin, &results);
        let b = self.builder(block);
        let cuts = Cuts::whole(&b, self.piece, given);
        let initial = scatter.initial();
        let of_image = |image: &Value<'c, 'a>| cuts.number(Number::Value(initial[result_number(*image)]));
        let initial: Vec<Number> = self.piece.images.iter().map(of_image).collect();
        let extents: Vec<Number> = (0..scatter.rank()).map(|d| cuts.whole[&(shape(self.piece.images[0]), d)]).collect();
        let made = results.iter().zip(&initial).map(|(slot, value)| {
            let extents: Vec<Value> = unknown(slot.ty).into_iter().map(|d| extents[d].value(&b)).collect();
            pointwise(&b, &slot.name, slot.ty, &extents, |_, _| value.value(&b))
        });
        let made: Vec<Value> = made.collect();
        b.op("func.return", &made, &[], &[]);
        tidy(block);

        let sides: Vec<Parameter> =
            (0..results.len()).flat_map(|image| [Parameter::Left(image), Parameter::Right(image)]).collect();
        let (block, _) = self.function(&self.name("_join"), &sides, &results);
        let b = self.builder(block);
        let values: Vec<Value> = ir::arguments(block).collect();
        let made = results.iter().zip(values.chunks_exact(2)).map(|(slot, sides)| {
            pointwise(&b, &slot.name, slot.ty, &extents_of(&b, sides[0]), |b, coordinates| {
                let [left, right] = [0, 1].map(|side| load_at(b, sides[side], coordinates));
                b.value(combine.name(), &[left, right], left.r#type(), &[])
            })
        });
        let made: Vec<Value> = made.collect();
        b.op("func.return", &made, &[], &[]);
        tidy(block);
    }

    /// Where the window lies in an image that is given: its first point, from the part's first, and how many.
    fn inside(
        &self,
        b: &Builder<'c, 'a>,
        cuts: &Cuts<'c, 'a>,
        dim: Dim,
        part: Cut<'c, 'a>,
    ) -> (Number<'c, 'a>, Number<'c, 'a>) {
        let Some((axis, scale)) = self.axes.cut(dim) else { return (Number::Known(0), part.count) };
        if let Some(Over::Domain(_)) = self.piece.over {
            return (Number::Known(0), part.count);
        }
        let mut emit = Emit(b);
        let whole = cuts.whole[&dim];
        let of_window = cuts.whole[&self.axes.window[axis]];
        let (first, end) = cuts.window[axis];
        if dim == self.axes.window[axis] {
            let count = b.arith("subi", end, first);
            return (difference(b, Number::Value(first), part.first), Number::Value(count));
        }
        let mut at = |number: Value<'c, 'a>| {
            let scaled = emit.mul(&Number::Value(number), scale.num);
            let scaled = emit.add(&scaled, &Number::Known(scale.den - 1));
            let scaled = emit.floor_div(&scaled, scale.den);
            emit.min(&scaled, &whole)
        };
        let (from, to) = (at(first), at(end));
        // The last window has what is left, which may be a point more or less than the scale says.
        let is_last = b.compare(Compare::Equal, end, of_window.value(b));
        let to = Number::Value(b.select(is_last, whole.value(b), to.value(b), b.index_type()));
        (difference(b, from, part.first), difference(b, to, from))
    }

    fn builder(&self, block: BlockRef<'c, 'a>) -> Builder<'c, 'a> {
        Builder::at_end(self.cx.context(), block, self.piece.func.location())
    }

    fn parameters(&self, with_images: bool) -> Vec<Parameter<'c, 'a>> {
        let reads = self.piece.reads();
        let mut parameters = Vec::new();
        let arguments: Vec<Value> = ir::arguments(self.piece.block()).collect();
        for (number, argument) in arguments.iter().enumerate() {
            if !argument.r#type().is_ranked_tensor() {
                parameters.push(Parameter::Scalar(number, *argument));
            } else if with_images && reads.iter().any(|(of, _)| *of == Some(number)) {
                parameters.push(Parameter::Image(Some(number), *argument));
            }
        }
        let given = reads.iter().filter(|(of, _)| with_images && of.is_none());
        parameters.extend(given.map(|(_, image)| Parameter::Image(None, *image)));
        for (number, argument) in arguments.iter().enumerate() {
            parameters.extend(unknown(argument.r#type()).into_iter().map(|d| Parameter::Extent(number, d)));
        }
        parameters.extend((0..self.axes.window.len()).flat_map(|d| [Parameter::First(d), Parameter::End(d)]));
        parameters
    }

    fn slot(&self, parameter: Parameter<'c, 'a>, names: &mut TakenNames) -> Slot<'c> {
        let index = Type::index(self.cx.context());
        let of_argument = |number: usize| {
            let own = weft::attributes_of(self.piece.func, false, number);
            let said = SAID.into_iter().filter_map(|name| Some((name, own?.element_by_name(name)?)));
            said.collect::<Vec<_>>()
        };
        match parameter {
            Parameter::Image(argument, image) => Slot {
                name: self.piece.read_name(argument, image),
                ty: self.axes.part_type(image),
                said: argument.map_or_else(Vec::new, of_argument),
            },
            Parameter::Scalar(number, value) => {
                Slot { name: self.piece.argument_name(number), ty: value.r#type(), said: of_argument(number) }
            }
            Parameter::Extent(number, d) => {
                let name = format!("{}_extent{d}", self.piece.argument_name(number));
                Slot { name: names.like(&name), ty: index, said: Vec::new() }
            }
            Parameter::First(d) => Slot { name: names.like(&format!("first{d}")), ty: index, said: Vec::new() },
            Parameter::End(d) => Slot { name: names.like(&format!("end{d}")), ty: index, said: Vec::new() },
            Parameter::Left(image) => {
                Slot { name: names.like(&format!("{}_a", self.piece.image_name(image))), ..self.result(image) }
            }
            Parameter::Right(image) => {
                Slot { name: names.like(&format!("{}_b", self.piece.image_name(image))), ..self.result(image) }
            }
        }
    }

    fn result(&self, number: usize) -> Slot<'c> {
        let own = self.piece.of.is_none().then(|| weft::attributes_of(self.piece.func, true, number)).flatten();
        let said = [weft::UNSIGNED, weft::INTERLEAVED].into_iter();
        let said = said.filter_map(|name| Some((name, own?.element_by_name(name)?))).collect();
        Slot { name: self.piece.image_name(number), ty: self.axes.part_type(self.piece.images[number]), said }
    }

    /// Makes a function at the end of the module.
    fn function(
        &self,
        name: &str,
        parameters: &[Parameter<'c, 'a>],
        results: &[Slot<'c>],
    ) -> (BlockRef<'c, 'a>, Given<'c, 'a>) {
        let context = self.cx.context();
        let func = self.piece.func;
        let mut names: TakenNames =
            (0..self.piece.block().argument_count()).map(|number| self.piece.argument_name(number)).collect();
        let slots: Vec<Slot> = parameters.iter().map(|parameter| self.slot(*parameter, &mut names)).collect();
        let types = |slots: &[Slot<'c>]| slots.iter().map(|slot| slot.ty).collect::<Vec<_>>();
        let ty = FunctionType::new(context, &types(&slots), &types(results));
        let module = func.block().expect("a program stands in a module");
        let b = Builder::at_end(context, module, func.location());
        let attributes =
            [("sym_name", b.string_attribute(name)), ("function_type", TypeAttribute::new(ty.into()).into())];
        let arguments: Vec<_> = types(&slots).into_iter().map(|ty| (ty, func.location())).collect();
        let made = b.op_with_regions("func.func", &[], &[], &attributes, vec![one_block(&arguments)]);
        for (is_result, slots) in [(false, &slots[..]), (true, results)] {
            for (number, slot) in slots.iter().enumerate() {
                let named = [(weft::NAME, b.string_attribute(&slot.name))];
                for (attribute, value) in named.into_iter().chain(slot.said.iter().copied()) {
                    weft::set_attribute(context, made, (is_result, number), attribute, Some(value));
                }
            }
        }
        let block = only_block(made);
        let mut given = Given { values: HashMap::new(), extents: HashMap::new(), window: Vec::new() };
        let mut firsts = Vec::new();
        for (parameter, value) in parameters.iter().zip(ir::arguments(block)) {
            match parameter {
                Parameter::Image(_, image) => _ = given.values.insert(key(*image), value),
                Parameter::Scalar(_, old) => _ = given.values.insert(key(*old), value),
                Parameter::Extent(number, d) => _ = given.extents.insert((*number, *d), value),
                Parameter::First(_) => firsts.push(value),
                Parameter::End(d) => given.window.push((firsts[*d], value)),
                Parameter::Left(_) | Parameter::Right(_) => {}
            }
        }
        (block, given)
    }

    /// A window lies inside.
    fn check_window(&self, b: &Builder<'c, 'a>, cuts: &Cuts<'c, 'a>) {
        for (d, (first, end)) in cuts.window.iter().copied().enumerate() {
            let whole = cuts.whole[&self.axes.window[d]].value(b);
            let from = b.compare(Compare::GreaterEqual, first, b.index(0));
            let to = b.compare(Compare::LessEqual, end, whole);
            let order = b.compare(Compare::LessEqual, first, end);
            let is_window = b.logic("andi", b.logic("andi", from, to), order);
            let message = format!("first{d} and end{d} are no window");
            b.op("cf.assert", &[is_window], &[], &[("msg", b.string_attribute(&message))]);
        }
    }

    /// The parts that are given have the extents that [`needs`](Self::needs) says. What is as long as one of them has its length.
    fn take_parts(
        &self,
        b: &Builder<'c, 'a>,
        cuts: &mut Cuts<'c, 'a>,
        parameters: &[Parameter<'c, 'a>],
        block: BlockRef<'c, 'a>,
    ) {
        let values: Vec<Value> = ir::arguments(block).collect();
        let mut lengths: HashMap<Result<i64, Key>, Number> = HashMap::new();
        for (parameter, part) in parameters.iter().zip(values) {
            let Parameter::Image(argument, image) = parameter else { continue };
            for d in unknown(part.r#type()) {
                let count = cuts.parts[&(shape(*image), d)].count;
                let found = b.value("tensor.dim", &[part, b.index(d as i64)], b.index_type(), &[]);
                let is_right = b.compare(Compare::Equal, found, count.value(b));
                let name = self.piece.read_name(*argument, *image);
                let message = format!("'{name}' is another part than the window needs along dimension {d}");
                b.op("cf.assert", &[is_right], &[], &[("msg", b.string_attribute(&message))]);
                lengths.entry(count.id()).or_insert(Number::Value(found));
            }
        }
        for part in cuts.parts.values_mut() {
            part.count = lengths.get(&part.count.id()).copied().unwrap_or(part.count);
        }
    }
}

/// A stage that gives numbers, row by row.
fn table_stage<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    name: &str,
    ty: Type<'c>,
    rows: &[Vec<Number<'c, 'a>>],
) -> Value<'c, 'a> {
    // From the last number back: each stands where its place is asked for, before those that stand behind it.
    let choose = |inner: &Builder<'c, 'a>, numbers: Vec<Value<'c, 'a>>, at: Value<'c, 'a>| {
        let numbered: Vec<(usize, Value)> = numbers.into_iter().enumerate().collect();
        let (last, others) = numbered.split_last().expect("a table has rows and columns");
        others.iter().rev().fold(last.1, |rest, (place, number)| {
            let is_here = inner.compare(Compare::Equal, at, inner.index(*place as i64));
            inner.select(is_here, *number, rest, inner.index_type())
        })
    };
    pointwise(b, name, ty, &[], |inner, coordinates| {
        let row = |row: &Vec<Number<'c, 'a>>| {
            choose(inner, row.iter().map(|number| number.value(b)).collect(), coordinates[1])
        };
        let number = choose(inner, rows.iter().map(row).collect(), coordinates[0]);
        inner.value("arith.index_cast", &[number], inner.integer_type(64), &[])
    })
}
