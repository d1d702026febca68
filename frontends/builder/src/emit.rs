//! From the graph to MLIR.
//!
//! ```text
//! numbers of the program, once       %h = tensor.dim %img, %c1        arith.constant 0.25
//! a stage, in order                  %s = pipeline.stage "s" (%y, %x) { what differs from point to point } sized(%h, %w)
//! ```
//!
//! Only what a result depends on is made. A load that stays inside its image whatever the extents are has no boundary mode.

use crate::{
    error::{Error, Errors, Origin, Place, Source},
    graph::{
        Argument, Check, Domain, Entry, Graph, Id, Interval, Iterate, Kind, Node, Op, Predicate, Stage, Table, Unit,
    },
    pipeline::Pipeline,
    types::Type,
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        AffineExpr, AffineMap, Attribute, Block, BlockLike, BlockRef, Identifier, Location, Module, Operation,
        OperationRef, Region, RegionLike, Type as MlirType, Value,
        attribute::{
            ArrayAttribute, DenseElementsAttribute, DenseI64ArrayAttribute, DictionaryAttribute, FloatAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
        operation::{OperationBuilder, OperationLike, OperationResult},
        r#type::{FunctionType, IntegerType, RankedTensorType},
    },
};
use std::{collections::HashMap, panic};
use weft_dialects::{
    pipeline::{self, Boundary, Combine, Extent, Load, Previous, Reduce, Scan, Scatter, ScatterParts},
    weft,
};

/// A context that knows MLIR's dialects and ours, for whoever has none yet.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    mlir_glue::tool::register_upstream((&registry).into());
    weft_dialects::register_dialects((&registry).into());
    Context::new_with_registry(&registry, false)
}

impl Pipeline {
    /// The program as a module with one function.
    ///
    /// # Errors
    ///
    /// All mistakes, in the order in which they were made; or that the program has no result; or that MLIR's verifier refuses
    /// it, which then has emitted why.
    #[track_caller]
    pub fn finish<'c>(&self, context: &'c Context) -> Result<Module<'c>, Errors> {
        let place = panic::Location::caller();
        let graph = self.graph.borrow();
        let mut errors = graph.errors.clone();
        if graph.results.is_empty() && errors.is_empty() {
            let message = format!("program \"{}\" has no result, expected one: output", self.name);
            errors.push(Error { place, source: None, message });
        }
        if !errors.is_empty() {
            return Err(Errors(errors));
        }
        // A module that is parsed loads what it names; one that is built does not.
        for name in DIALECTS {
            context.get_or_load_dialect(name);
        }
        let location = match graph.files.first() {
            None => Emitter::location(context, place),
            Some(file) => Location::new(context, file, 1, 1),
        };
        let module = Module::new(location);
        emit(context, &graph, &self.name, &module, location);
        if module.as_operation().verify() {
            Ok(module)
        } else {
            let message = format!("program \"{}\" is refused, as the diagnostics say", self.name);
            Err(Errors(vec![Error { place, source: None, message }]))
        }
    }
}

/// What a program is made of.
const DIALECTS: [&str; 7] = ["func", "arith", "math", "tensor", "cf", "pipeline", "weft"];

/// What is known while a function is filled.
struct Emitter<'c, 'a, 'g> {
    context: &'c Context,
    graph: &'g Graph,
    /// The function's block.
    entry: BlockRef<'c, 'a>,
    /// Which nodes differ from point to point.
    varying: Vec<bool>,
    /// The numbers of the program that are there.
    numbers: HashMap<Id, Value<'c, 'a>>,
    images: Vec<Option<Value<'c, 'a>>>,
    /// Which images results depend on.
    needed: Vec<bool>,
}

fn emit<'c>(context: &'c Context, graph: &Graph, name: &str, module: &Module<'c>, location: Location<'c>) {
    let tensor = |image: usize| tensor_type(context, graph, image);
    let inputs: Vec<MlirType> = graph
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Number { ty, .. } => mlir_type(context, *ty),
            Argument::Image { image, .. } => tensor(*image).into(),
        })
        .collect();
    let outputs: Vec<MlirType> = graph.results.iter().map(|(_, image)| tensor(*image).into()).collect();

    let region = Region::new();
    region.append_block(Block::new(&inputs.iter().map(|ty| (*ty, location)).collect::<Vec<_>>()));
    let function = TypeAttribute::new(FunctionType::new(context, &inputs, &outputs).into());
    let attribute = |name: &str, value: Attribute<'c>| (Identifier::new(context, name), value);
    let op = OperationBuilder::new("func.func", location)
        .add_attributes(&[
            attribute("sym_name", StringAttribute::new(context, name).into()),
            attribute("function_type", function.into()),
            attribute("arg_attrs", argument_attributes(context, graph)),
            attribute("res_attrs", result_attributes(context, graph)),
        ])
        .add_regions([region])
        .build()
        .expect("no result types to infer");
    let op = module.body().append_operation(op);
    let mut emitter = Emitter {
        context,
        graph,
        entry: op.region(0).ok().and_then(|region| region.first_block()).expect("built with a block"),
        varying: graph.varying(),
        numbers: HashMap::new(),
        images: vec![None; graph.images.len()],
        needed: needed_images(graph),
    };
    emitter.arguments();
    emitter.tables();
    emitter.checks();
    emitter.units(emitter.entry, &graph.units);
    // What is returned was made: it is an argument, or a stage that a result depends on.
    let returned: Vec<Value> = graph.results.iter().filter_map(|(_, image)| emitter.images[*image]).collect();
    emitter.entry.append_operation(
        OperationBuilder::new("func.return", location)
            .add_operands(&returned)
            .build()
            .expect("no result types to infer"),
    );
}

/// Of each image whether results depend on it. A unit of which no image is needed is left out.
fn needed_images(graph: &Graph) -> Vec<bool> {
    fn walk(graph: &Graph, units: &[Unit], needed: &mut [bool]) {
        for unit in units.iter().rev() {
            if !unit.images().iter().any(|image| needed[*image]) {
                continue;
            }
            match unit {
                Unit::Stage(stage) => {
                    for id in graph.reach(&stage.roots()) {
                        if let Node::Load { image, .. } = graph.entries[id].node {
                            needed[image] = true;
                        }
                    }
                }
                Unit::Iterate(iterate) => {
                    iterate.next.iter().chain(&iterate.initial).for_each(|image| needed[*image] = true);
                    walk(graph, &iterate.body, needed);
                }
            }
        }
    }
    let mut needed = vec![false; graph.images.len()];
    graph.results.iter().for_each(|(_, image)| needed[*image] = true);
    walk(graph, &graph.units, &mut needed);
    needed
}

impl Unit {
    fn images(&self) -> &[usize] {
        match self {
            Self::Stage(stage) => &stage.images,
            Self::Iterate(iterate) => &iterate.images,
        }
    }
}

fn mlir_type(context: &Context, ty: Type) -> MlirType<'_> {
    match ty {
        Type::Index => MlirType::index(context),
        Type::F16 => MlirType::float16(context),
        Type::F32 => MlirType::float32(context),
        Type::F64 => MlirType::float64(context),
        // Integers and `Bool`; signs are not in IR.
        _ => IntegerType::new(context, ty.bits()).into(),
    }
}

fn tensor_type<'c>(context: &'c Context, graph: &Graph, image: usize) -> RankedTensorType<'c> {
    let image = &graph.images[image];
    // What melior takes for a dynamic extent is MLIR's number for it.
    let extents =
        image.extents.iter().map(|id| graph.known_integer(*id).map_or(i64::MIN.cast_unsigned(), i64::cast_unsigned));
    RankedTensorType::new(&extents.collect::<Vec<_>>(), mlir_type(context, image.ty), None)
}

fn dictionary<'c>(context: &'c Context, entries: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
    let entries: Vec<_> = entries.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
    DictionaryAttribute::new(context, &entries).into()
}

fn unit(context: &Context) -> Attribute<'_> {
    Attribute::unit(context)
}

fn argument_attributes<'c>(context: &'c Context, graph: &Graph) -> Attribute<'c> {
    let of = |argument: &Argument| {
        let (name, ty, estimate, extents) = match argument {
            Argument::Number { name, ty } => (name, *ty, None, None),
            Argument::Image { image, estimate, extents } => {
                (&graph.images[*image].name, graph.images[*image].ty, estimate.as_ref(), extents.as_ref())
            }
        };
        let text = |text: &String| StringAttribute::new(context, text).into();
        let mut entries = vec![(weft::NAME, StringAttribute::new(context, name).into())];
        entries.extend(estimate.map(|extents| (weft::ESTIMATE, DenseI64ArrayAttribute::new(context, extents).into())));
        entries.extend(extents.map(|names| {
            (weft::EXTENTS, ArrayAttribute::new(context, &names.iter().map(text).collect::<Vec<_>>()).into())
        }));
        entries.extend(ty.is_unsigned().then(|| (weft::UNSIGNED, unit(context))));
        dictionary(context, &entries)
    };
    ArrayAttribute::new(context, &graph.arguments.iter().map(of).collect::<Vec<_>>()).into()
}

fn result_attributes<'c>(context: &'c Context, graph: &Graph) -> Attribute<'c> {
    let of = |(name, image): &(String, usize)| {
        let mut entries = vec![(weft::NAME, StringAttribute::new(context, name).into())];
        entries.extend(graph.images[*image].ty.is_unsigned().then(|| (weft::UNSIGNED, unit(context))));
        dictionary(context, &entries)
    };
    ArrayAttribute::new(context, &graph.results.iter().map(of).collect::<Vec<_>>()).into()
}

/// Where ops of a body go, and what is there already. The body of a reduction begins as its stage's.
#[derive(Clone)]
struct Body<'c, 'a> {
    block: BlockRef<'c, 'a>,
    values: HashMap<Id, Value<'c, 'a>>,
    /// Coordinates, variables of domains and windows, accumulators.
    variables: HashMap<usize, Value<'c, 'a>>,
    /// How far coordinates go.
    axes: Vec<(usize, Id)>,
    windows: Vec<Interval>,
    /// What a scan's own points before are known by.
    line: Option<usize>,
}

impl<'c: 'a, 'a> Emitter<'c, 'a, '_> {
    fn location(context: &'c Context, place: Place) -> Location<'c> {
        Location::new(context, place.file(), place.line() as usize, place.column() as usize)
    }

    /// The place in a front end's text, else the line of Rust.
    fn location_of(&self, place: Place, source: Option<Origin>) -> Location<'c> {
        match source {
            Some(Origin { file, source: Source { line, column } }) => {
                Location::new(self.context, &self.graph.files[file], line as usize, column as usize)
            }
            None => Self::location(self.context, place),
        }
    }

    /// What must hold when the program is entered, before everything else.
    fn checks(&mut self) {
        for Check { numbers, message, place, source } in &self.graph.checks {
            for id in self.graph.reach(numbers) {
                if !self.numbers.contains_key(&id) {
                    let value = self.number(id);
                    self.numbers.insert(id, value);
                }
            }
            let location = self.location_of(place, *source);
            let operands = numbers.map(|id| self.numbers[&id]);
            let equal = IntegerAttribute::new(mlir_type(self.context, Type::I64), 0).into();
            let holds = self.op(self.entry, "arith.cmpi", &operands, Type::Bool, &[("predicate", equal)], location);
            let message = StringAttribute::new(self.context, message).into();
            let assert = OperationBuilder::new("cf.assert", location)
                .add_operands(&[holds])
                .add_attributes(&[(Identifier::new(self.context, "msg"), message)])
                .build()
                .expect("no result types to infer");
            self.entry.append_operation(assert);
        }
    }

    fn arguments(&mut self) {
        for (index, argument) in self.graph.arguments.iter().enumerate() {
            let value: Value = self.entry.argument(index).expect("one for each argument").into();
            match argument {
                Argument::Image { image, .. } => self.images[*image] = Some(value),
                Argument::Number { ty, .. } => {
                    let node = Node::Number { argument: index };
                    let is_it = |entry: &Entry| entry.node == node && entry.ty == *ty;
                    if let Some(id) = self.graph.entries.iter().position(is_it) {
                        self.numbers.insert(id, value);
                    }
                }
            }
        }
    }

    /// Tables that results depend on. A table is called by its location.
    fn tables(&mut self) {
        for Table { image, values, place, source } in &self.graph.tables {
            if !self.needed[*image] {
                continue;
            }
            let element = mlir_type(self.context, self.graph.images[*image].ty);
            let number = |id: &Id| match self.graph.entries[*id] {
                Entry { node: Node::Constant(bits), ty, .. } if ty.is_float() => {
                    FloatAttribute::new(self.context, element, f64::from_bits(bits)).into()
                }
                Entry { node: Node::Constant(bits), .. } => IntegerAttribute::new(element, bits.cast_signed()).into(),
                _ => unreachable!("a program whose tables are no constants has mistakes"),
            };
            let numbers: Vec<Attribute<'c>> = values.iter().map(number).collect();
            let ty: MlirType = tensor_type(self.context, self.graph, *image).into();
            let elements = DenseElementsAttribute::new(ty, &numbers).expect("a tensor has a shape");
            let location = self.location_of(place, *source);
            let op = OperationBuilder::new(
                "arith.constant",
                Location::name(self.context, &self.graph.images[*image].name, location),
            )
            .add_results(&[ty])
            .add_attributes(&[(Identifier::new(self.context, "value"), elements.into())])
            .build()
            .expect("a result type is given");
            self.images[*image] = Some(result(self.entry.append_operation(op)));
        }
    }

    /// The nodes that some values are computed of, without the affine indices of loads.
    fn values_of(&self, roots: &[Id]) -> Vec<Id> {
        let mut seen = vec![false; self.graph.entries.len()];
        let mut left = roots.to_vec();
        while let Some(id) = left.pop() {
            if std::mem::replace(&mut seen[id], true) {
                continue;
            }
            match &self.graph.entries[id].node {
                Node::Load { indices, padding, .. } => left.extend(self.graph.computed(indices).iter().chain(padding)),
                node => left.extend(node.operands()),
            }
        }
        (0..seen.len()).filter(|id| seen[*id]).collect()
    }

    fn number(&mut self, id: Id) -> Value<'c, 'a> {
        let entry = self.graph.entries[id].clone();
        let location = self.location_of(entry.place, entry.source);
        match entry.node {
            Node::Extent { image, dimension } => {
                let index: Attribute =
                    IntegerAttribute::new(MlirType::index(self.context), i64::try_from(dimension).unwrap_or(0)).into();
                let dimension = self.op(self.entry, "arith.constant", &[], Type::Index, &[("value", index)], location);
                // Images of the program are there from the start.
                let image = self.images[image].expect("an argument");
                self.op(self.entry, "tensor.dim", &[image, dimension], Type::Index, &[], location)
            }
            node => self.compute(self.entry, &node, entry.ty, |operand| self.numbers[&operand], location),
        }
    }

    fn units(&mut self, block: BlockRef<'c, 'a>, units: &[Unit]) {
        for unit in units {
            if unit.images().iter().any(|image| self.needed[*image]) {
                match unit {
                    Unit::Stage(stage) => self.stage(block, stage),
                    Unit::Iterate(iterate) => self.iterate(block, iterate),
                }
            }
        }
    }

    /// The extents of a stage that are numbers of the program.
    fn dynamic(&self, stage: &Stage) -> Vec<Id> {
        self.open(stage.axes.iter().map(|axis| axis.extent))
    }

    /// Those numbers that are no constants.
    fn open(&self, numbers: impl Iterator<Item = Id>) -> Vec<Id> {
        numbers.filter(|id| self.graph.known_integer(*id).is_none()).collect()
    }

    /// Makes the numbers that a unit uses, in the function's block, where they stay for those behind.
    fn numbers(&mut self, unit: &Unit) {
        let used = match unit {
            Unit::Stage(stage) => self.used_by(stage),
            Unit::Iterate(iterate) => vec![iterate.steps],
        };
        for id in self.graph.reach(&used) {
            if !self.numbers.contains_key(&id) {
                let value = self.number(id);
                self.numbers.insert(id, value);
            }
        }
        if let Unit::Iterate(iterate) = unit {
            iterate.body.iter().for_each(|unit| self.numbers(unit));
        }
    }

    /// The numbers that bodies use of a stage, and its operands.
    fn used_by(&self, stage: &Stage) -> Vec<Id> {
        let roots = stage.roots();
        let values = self.values_of(&roots);
        let is_used = |id: &Id| {
            let is_operand_of = |user: &Id| match &self.graph.entries[*user].node {
                Node::Load { indices, padding, .. } => {
                    padding.as_ref() == Some(id) || self.graph.computed(indices).contains(id)
                }
                node => self.varying[*user] && node.operands().contains(id),
            };
            !self.varying[*id] && (roots.contains(id) || values.iter().any(is_operand_of))
        };
        let mut used: Vec<Id> = values.iter().copied().filter(is_used).collect();
        used.extend(self.open(stage.domain().iter().map(|variable| variable.hi)));
        used.extend(stage.scatter().iter().flat_map(|scatter| &scatter.initial));
        used.extend(self.dynamic(stage));
        used
    }

    fn stage(&mut self, block: BlockRef<'c, 'a>, stage: &Stage) {
        self.numbers(&Unit::Stage(stage.clone()));
        let location = self.location_of(stage.place, stage.source);
        let op = block.append_operation(self.stage_op(stage, location));
        let block = op.region(0).ok().and_then(|region| region.first_block()).expect("a stage has a body");
        for (image, result) in stage.images.iter().zip(op.results()) {
            self.images[*image] = Some(result.into());
        }

        let (coordinates, domain) = (stage.coordinates(), stage.domain());
        let variables = coordinates.iter().map(|axis| axis.variable).chain(domain.iter().map(|one| one.variable));
        let argument = |position| block.argument(position).expect("one for each variable").into();
        let variables = variables.enumerate().map(|(position, variable)| (variable, argument(position))).collect();
        let mut body = Body {
            block,
            values: HashMap::new(),
            variables,
            axes: coordinates.iter().map(|axis| (axis.variable, axis.extent)).collect(),
            windows: Vec::new(),
            line: stage.line(),
        };
        for Domain { variable, lo, hi } in domain {
            match self.graph.known_integer(*hi) {
                Some(hi) => body.windows.push(Interval { variable: *variable, lo: *lo, hi }),
                // What begins at 0 goes as far as an image of this extent.
                None if *lo >= 0 => body.axes.push((*variable, *hi)),
                None => {}
            }
        }
        self.fill(&mut body, &stage.roots());
        let known = |ids: &[Id]| ids.iter().map(|id| self.known(&body, *id)).collect::<Vec<Value>>();
        let values = known(&stage.values);
        block.append_operation(match stage.scatter() {
            None => pipeline::Group::build_yield(&values, location),
            Some(scatter) => {
                let places = known(&scatter.places);
                pipeline::Update::build(self.context, &values, &places, location)
            }
        });
    }

    /// A stage, scan or scatter with an empty body.
    fn stage_op(&self, stage: &Stage, location: Location<'c>) -> Operation<'c> {
        let numbers = |ids: &[Id]| ids.iter().map(|id| self.numbers[id]).collect::<Vec<Value>>();
        let extents = numbers(&self.dynamic(stage));
        let types: Vec<RankedTensorType> =
            stage.images.iter().map(|image| tensor_type(self.context, self.graph, *image)).collect();
        let name = &stage.name;
        match &stage.kind {
            Kind::Stage => pipeline::Stage::build(self.context, name, &extents, &types, location),
            Kind::Scan { along, backward, .. } => {
                Scan::build(self.context, name, *along, *backward, &extents, &types, location)
            }
            Kind::Scatter(scatter) => {
                let end = |one: &Domain| match self.graph.known_integer(one.hi) {
                    Some(hi) => Extent::Static(hi),
                    None => Extent::Dynamic(self.numbers[&one.hi]),
                };
                let domain: Vec<(i64, Extent)> = scatter.domain.iter().map(|one| (one.lo, end(one))).collect();
                let combine = arithmetic(scatter.combine, self.graph.ty(stage.values[0]));
                let parts = ScatterParts {
                    name,
                    coordinates: stage.coordinates().len(),
                    domain: &domain,
                    initial: &numbers(&scatter.initial),
                    combine: Combine::named(combine).expect("who scatters may join values so"),
                    reassociable: scatter.reassoc,
                    extents: &extents,
                    images: &types,
                };
                Scatter::build(self.context, parts, location)
            }
        }
    }

    /// Makes what some values are computed of, as far as it depends on what this body knows: the rest is made in the bodies of
    /// reductions.
    fn fill(&self, body: &mut Body<'c, 'a>, roots: &[Id]) {
        for id in self.values_of(roots) {
            let is_known = |variable: &usize| body.variables.contains_key(variable) || body.line == Some(*variable);
            if self.varying[id] && !body.values.contains_key(&id) && self.graph.entries[id].free.iter().all(is_known) {
                let value = self.value(body, id);
                body.values.insert(id, value);
            }
        }
    }

    /// A reduce; its first result.
    fn reduce(
        &self,
        body: &Body<'c, 'a>,
        (window, accumulators): (&[Interval], &[usize]),
        (inits, next): (&[Id], &[Id]),
        location: Location<'c>,
    ) -> Value<'c, 'a> {
        let inits: Vec<Value> = inits.iter().map(|init| self.known(body, *init)).collect();
        let ends: Vec<(i64, i64)> = window.iter().map(|interval| (interval.lo, interval.hi)).collect();
        let op = Reduce::build(self.context, &ends, &inits, location);
        let op = body.block.append_operation(op);
        let block = op.region(0).ok().and_then(|region| region.first_block()).expect("built with a block");
        let mut inner = Body { block, ..body.clone() };
        let numbers = window.iter().map(|interval| interval.variable).chain(accumulators.iter().copied());
        for (position, variable) in numbers.enumerate() {
            inner.variables.insert(variable, block.argument(position).expect("built with it").into());
        }
        inner.windows.extend(window);
        self.fill(&mut inner, next);
        let next: Vec<Value> = next.iter().map(|id| self.known(&inner, *id)).collect();
        block.append_operation(pipeline::Group::build_yield(&next, location));
        op.result(0).expect("one for each accumulator").into()
    }

    fn iterate(&mut self, block: BlockRef<'c, 'a>, iterate: &Iterate) {
        self.numbers(&Unit::Iterate(iterate.clone()));
        let location = self.location_of(iterate.place, iterate.source);
        // Images are made before they are read.
        let image = |emitter: &Self, image: &usize| emitter.images[*image].expect("images come first");
        let initial: Vec<Value> = iterate.initial.iter().map(|id| image(self, id)).collect();
        let steps = self.numbers[&iterate.steps];
        let op = pipeline::Iterate::build(self.context, &iterate.name, steps, &initial, location);
        let op = block.append_operation(op);
        let inner = op.region(0).ok().and_then(|region| region.first_block()).expect("built with a block");
        for (position, state) in iterate.states.iter().enumerate() {
            self.images[*state] = Some(inner.argument(position).expect("one for each state").into());
        }
        self.units(inner, &iterate.body);
        let next: Vec<Value> = iterate.next.iter().map(|id| image(self, id)).collect();
        inner.append_operation(pipeline::Group::build_yield(&next, location));
        for (image, result) in iterate.images.iter().zip(op.results()) {
            self.images[*image] = Some(result.into());
        }
    }

    fn known(&self, body: &Body<'c, 'a>, id: Id) -> Value<'c, 'a> {
        // Nodes are made in the order of the list, operands first, and numbers before bodies.
        *body.values.get(&id).or_else(|| self.numbers.get(&id)).expect("operands come first")
    }

    fn value(&self, body: &Body<'c, 'a>, id: Id) -> Value<'c, 'a> {
        let Entry { node, ty, place, source, .. } = &self.graph.entries[id];
        let location = self.location_of(place, *source);
        match node {
            // A stage uses its own coordinates only, and `fill` leaves the variables of reductions to them.
            Node::Variable(variable) | Node::Accumulator(variable) => body.variables[variable],
            Node::Reduce { window, accumulators, inits, bodies } => {
                self.reduce(body, (window, accumulators), (inits, bodies), location)
            }
            Node::Part { reduce, accumulator } => {
                // A reduce's own value is the first result of its op.
                let first = OperationResult::try_from(self.known(body, *reduce)).expect("the result of a reduce");
                first.owner().result(*accumulator).expect("one for each accumulator").into()
            }
            Node::Previous { result: of, distance, start, .. } => {
                let start = self.known(body, *start);
                let previous = Previous::build(self.context, *distance, *of, start, location);
                result(body.block.append_operation(previous))
            }
            Node::Load { image, boundary, indices, padding } => {
                let inside = self.stays_inside(body, *image, indices);
                let boundary = if inside { Boundary::None } else { *boundary };
                let padding = padding.filter(|_| !inside).map(|id| self.known(body, id));
                // The dimensions of the map: variables, and computed values, which stand alone.
                let mut used = Vec::new();
                let computed = self.graph.computed(indices);
                let indices: Vec<AffineExpr> = indices
                    .iter()
                    .map(|id| match computed.contains(id) {
                        true => AffineExpr::dim(self.context, position(&mut used, self.known(body, *id))),
                        false => self.affine(body, *id, &mut used),
                    })
                    .collect();
                let map = AffineMap::new(self.context, used.len(), 0, &indices);
                let source = self.images[*image].expect("images are made before they are read");
                let build = if computed.is_empty() { Load::build } else { Load::build_gather };
                let load = build(self.context, source, &used, map, boundary, padding, location);
                result(body.block.append_operation(load))
            }
            node => self.compute(body.block, node, *ty, |operand| self.known(body, operand), location),
        }
    }

    /// Whether each index is a coordinate that ends where the image does, a variable of a window inside, or a constant inside.
    fn stays_inside(&self, body: &Body, image: usize, indices: &[Id]) -> bool {
        let extents = &self.graph.images[image].extents;
        indices.iter().zip(extents).all(|(index, extent)| {
            let known = self.graph.known_integer(*extent);
            match self.graph.entries[*index].node {
                Node::Variable(variable) => {
                    let is_within = |w: &Interval| w.variable == variable && w.lo >= 0 && Some(w.hi) <= known;
                    body.axes.contains(&(variable, *extent)) || body.windows.iter().any(is_within)
                }
                Node::Constant(at) => known.is_some_and(|extent| (0..extent).contains(&at.cast_signed())),
                _ => false,
            }
        })
    }

    /// An index; its dimensions are the values in `used`, which grows.
    fn affine(&self, body: &Body<'c, 'a>, id: Id, used: &mut Vec<Value<'c, 'a>>) -> AffineExpr<'c> {
        let constant = |value: i64| AffineExpr::constant(self.context, value);
        match &self.graph.entries[id].node {
            Node::Variable(variable) => AffineExpr::dim(self.context, position(used, body.variables[variable])),
            Node::Constant(value) => constant(value.cast_signed()),
            Node::Op(Op::Neg, operands) => self.affine(body, operands[0], used) * constant(-1),
            Node::Op(op, operands) => {
                let a = self.affine(body, operands[0], used);
                let b = self.affine(body, operands[1], used);
                match op {
                    Op::Sub => a + b * constant(-1),
                    Op::Mul if a.is_constant() => b * a,
                    Op::Mul => a * b,
                    Op::Div => AffineExpr::floor_div(a, b),
                    Op::Rem => AffineExpr::modulo(a, b),
                    // `not_affine` lets no other op pass.
                    _ => a + b,
                }
            }
            // Nor another node.
            _ => constant(0),
        }
    }

    fn op(
        &self,
        block: BlockRef<'c, 'a>,
        name: &str,
        operands: &[Value<'c, 'a>],
        ty: Type,
        attributes: &[(&str, Attribute<'c>)],
        location: Location<'c>,
    ) -> Value<'c, 'a> {
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(self.context, name), *value)).collect();
        let op: Operation = OperationBuilder::new(name, location)
            .add_operands(operands)
            .add_results(&[mlir_type(self.context, ty)])
            .add_attributes(&attributes)
            .build()
            .expect("no result types to infer");
        result(block.append_operation(op))
    }

    fn integer(&self, block: BlockRef<'c, 'a>, ty: Type, value: i64, location: Location<'c>) -> Value<'c, 'a> {
        let value = IntegerAttribute::new(mlir_type(self.context, ty), value).into();
        self.op(block, "arith.constant", &[], ty, &[("value", value)], location)
    }

    /// The exponent of a constant that is a power of two.
    fn power_of_two(&self, id: Id) -> Option<i64> {
        let value = self.graph.known_integer(id).filter(|value| value.count_ones() == 1 && *value > 0)?;
        Some(i64::from(value.trailing_zeros()))
    }

    /// A constant, or an op on values that are there.
    fn compute(
        &self,
        block: BlockRef<'c, 'a>,
        node: &Node,
        ty: Type,
        known: impl Fn(Id) -> Value<'c, 'a>,
        location: Location<'c>,
    ) -> Value<'c, 'a> {
        let (op, ids) = match node {
            Node::Constant(bits) if ty.is_float() => {
                let value = FloatAttribute::new(self.context, mlir_type(self.context, ty), f64::from_bits(*bits));
                return self.op(block, "arith.constant", &[], ty, &[("value", value.into())], location);
            }
            Node::Constant(bits) => return self.integer(block, ty, bits.cast_signed(), location),
            Node::Op(op, ids) => (*op, ids),
            // Loads, extents and variables are made by who calls; a mistake ends `finish`.
            _ => unreachable!("no op on values"),
        };
        let operands: Vec<Value> = ids.iter().map(|id| known(*id)).collect();
        let from = self.graph.ty(ids[0]);
        let plain = |name: &str| self.op(block, name, &operands, ty, &[], location);
        let (float, unsigned) = (from.is_float(), from.is_unsigned() || from == Type::Bool);
        // The op for floats, for integers with a sign, and for those without.
        let pick = |names: [&'static str; 3]| plain(if float { names[0] } else { names[1 + usize::from(unsigned)] });
        match op {
            Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max | Op::And | Op::Or | Op::Xor => plain(arithmetic(op, from)),
            // Both round down, so that a shift and a mask will do for powers of two.
            Op::Div if from == Type::Index => match self.power_of_two(ids[1]) {
                Some(power) => {
                    let power = self.integer(block, ty, power, location);
                    self.op(block, "arith.shrsi", &[operands[0], power], ty, &[], location)
                }
                None => plain("arith.floordivsi"),
            },
            Op::Rem if from == Type::Index && self.power_of_two(ids[1]).is_some() => {
                let mask = self.graph.known_integer(ids[1]).unwrap_or(1) - 1;
                let mask = self.integer(block, ty, mask, location);
                self.op(block, "arith.andi", &[operands[0], mask], ty, &[], location)
            }
            Op::Div => pick(["arith.divf", "arith.divsi", "arith.divui"]),
            Op::Rem if from == Type::Index => {
                let divided = self.op(block, "arith.floordivsi", &operands, ty, &[], location);
                let whole = self.op(block, "arith.muli", &[divided, operands[1]], ty, &[], location);
                self.op(block, "arith.subi", &[operands[0], whole], ty, &[], location)
            }
            Op::Rem => pick(["arith.remf", "arith.remsi", "arith.remui"]),
            Op::Shl => plain("arith.shli"),
            Op::Shr => pick(["", "arith.shrsi", "arith.shrui"]),
            Op::Neg if float => plain("arith.negf"),
            Op::Neg => {
                let zero = self.integer(block, ty, 0, location);
                self.op(block, "arith.subi", &[zero, operands[0]], ty, &[], location)
            }
            Op::Not => {
                let ones = self.integer(block, ty, if ty == Type::Bool { 1 } else { -1 }, location);
                self.op(block, "arith.xori", &[operands[0], ones], ty, &[], location)
            }
            Op::Abs if from == Type::Index => {
                let zero = self.integer(block, ty, 0, location);
                let other = self.op(block, "arith.subi", &[zero, operands[0]], ty, &[], location);
                self.op(block, "arith.maxsi", &[operands[0], other], ty, &[], location)
            }
            Op::Abs => pick(["math.absf", "math.absi", "math.absi"]),
            Op::Compare(predicate) => {
                let case = case_of(predicate, float, unsigned);
                let case = IntegerAttribute::new(mlir_type(self.context, Type::I64), case).into();
                let name = if float { "arith.cmpf" } else { "arith.cmpi" };
                self.op(block, name, &operands, ty, &[("predicate", case)], location)
            }
            Op::Select => plain("arith.select"),
            Op::Math(name) => plain(&format!("math.{name}")),
            Op::Cast => match cast_op(from, ty) {
                Some(name) => plain(name),
                None => operands[0],
            },
        }
    }
}

/// The op of `arith` for what is one op whatever the operands are.
fn arithmetic(op: Op, ty: Type) -> &'static str {
    let [of_float, of_signed, of_unsigned] = match op {
        Op::Add => ["arith.addf", "arith.addi", "arith.addi"],
        Op::Sub => ["arith.subf", "arith.subi", "arith.subi"],
        Op::Mul => ["arith.mulf", "arith.muli", "arith.muli"],
        Op::Min => ["arith.minimumf", "arith.minsi", "arith.minui"],
        Op::Max => ["arith.maximumf", "arith.maxsi", "arith.maxui"],
        Op::And => ["", "arith.andi", "arith.andi"],
        Op::Or => ["", "arith.ori", "arith.ori"],
        Op::Xor => ["", "arith.xori", "arith.xori"],
        _ => unreachable!("who calls knows that it is one of these"),
    };
    match () {
        () if ty.is_float() => of_float,
        () if ty.is_unsigned() || ty == Type::Bool => of_unsigned,
        () => of_signed,
    }
}

/// The number of a predicate in `arith`: floats are compared ordered, but for "not equal".
fn case_of(predicate: Predicate, float: bool, unsigned: bool) -> i64 {
    let [of_float, of_signed, of_unsigned] = match predicate {
        Predicate::Eq => [1, 0, 0],
        Predicate::Ne => [13, 1, 1],
        Predicate::Lt => [4, 2, 6],
        Predicate::Le => [5, 3, 7],
        Predicate::Gt => [2, 4, 8],
        Predicate::Ge => [3, 5, 9],
    };
    match (float, unsigned) {
        (true, _) => of_float,
        (false, false) => of_signed,
        (false, true) => of_unsigned,
    }
}

/// The op that casts; `None` where the bits stay.
fn cast_op(from: Type, to: Type) -> Option<&'static str> {
    let unsigned = from.is_unsigned() || from == Type::Bool;
    Some(match (from.is_float(), to.is_float()) {
        (true, true) if from.bits() < to.bits() => "arith.extf",
        (true, true) => "arith.truncf",
        (true, false) if to.is_unsigned() => "arith.fptoui",
        (true, false) => "arith.fptosi",
        (false, true) if unsigned => "arith.uitofp",
        (false, true) => "arith.sitofp",
        _ if from == Type::Index || to == Type::Index => {
            if unsigned || to.is_unsigned() && from == Type::Index {
                "arith.index_castui"
            } else {
                "arith.index_cast"
            }
        }
        _ if from.bits() == to.bits() => return None,
        _ if from.bits() > to.bits() => "arith.trunci",
        _ if unsigned => "arith.extui",
        _ => "arith.extsi",
    })
}

/// Where a value stands in a list, which grows if it does not.
fn position<'c, 'a>(values: &mut Vec<Value<'c, 'a>>, value: Value<'c, 'a>) -> usize {
    values.iter().position(|other| *other == value).unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    })
}

/// The only result of an op.
fn result<'c, 'a>(op: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    op.result(0).expect("built with one result").into()
}
