//! What a program is while it is written: expressions as a graph without MLIR in it.
//!
//! ```text
//! img.at((y, x - 1)) + img.at((y, x))        #0 y   #1 x   #2 1   #3 #1 - #2
//!                                            #4 img[#0, #3]   #5 img[#0, #1]   #6 #4 + #5
//! ```
//!
//! A node is made once: what is written twice is found in a table and becomes one op. Operands come before what uses them,
//! so the list of nodes is in an order in which they can be computed.

use crate::{
    error::{Error, Origin, Place},
    types::Type,
};
use std::{
    cell::{Ref, RefCell, RefMut},
    collections::HashMap,
};
use weft_dialects::pipeline::Boundary;

/// A node's place in the list.
pub(crate) type Id = usize;

/// What a node computes of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Neg,
    Not,
    Abs,
    Compare(Predicate),
    Select,
    Cast,
    /// An op of the dialect `math` on floats.
    Math(&'static str),
}

/// What two values are compared for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Predicate {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Op {
    /// The operation that front ends call so.
    pub fn named(name: &str) -> Option<Self> {
        /// Functions of one float, and of two.
        const MATH: [&str; 13] =
            ["exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "tanh", "atan", "floor", "ceil", "atan2"];
        Some(match name {
            "add" => Self::Add,
            "sub" => Self::Sub,
            "mul" => Self::Mul,
            "div" => Self::Div,
            "rem" => Self::Rem,
            "min" => Self::Min,
            "max" => Self::Max,
            "and" => Self::And,
            "or" => Self::Or,
            "xor" => Self::Xor,
            "shl" => Self::Shl,
            "shr" => Self::Shr,
            "neg" => Self::Neg,
            "not" => Self::Not,
            "abs" => Self::Abs,
            "eq" => Self::Compare(Predicate::Eq),
            "ne" => Self::Compare(Predicate::Ne),
            "lt" => Self::Compare(Predicate::Lt),
            "le" => Self::Compare(Predicate::Le),
            "gt" => Self::Compare(Predicate::Gt),
            "ge" => Self::Compare(Predicate::Ge),
            "select" => Self::Select,
            "round" => Self::Math("roundeven"),
            "pow" => Self::Math("powf"),
            name => Self::Math(MATH.into_iter().find(|known| *known == name)?),
        })
    }

    /// How many values it is of.
    pub fn arity(self) -> usize {
        match self {
            Self::Neg | Self::Not | Self::Abs | Self::Cast => 1,
            Self::Math("powf" | "atan2") => 2,
            Self::Math(_) => 1,
            Self::Select => 3,
            _ => 2,
        }
    }

    /// As Rust writes it.
    fn sign(self) -> Option<&'static str> {
        Some(match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            _ => return None,
        })
    }

    /// What messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Neg => "-",
            Self::Not => "!",
            Self::Abs => "abs",
            Self::Compare(_) => "a comparison",
            Self::Select => "select",
            Self::Cast => "cast",
            Self::Math(name) => name,
            _ => self.sign().unwrap_or_default(),
        }
    }
}

/// A value of a point, or of the whole program where it depends on no coordinate and no pixel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// Stands for what a mistake would have given, so that it is reported once.
    Wrong,
    /// A coordinate, or a variable of a window.
    Variable(usize),
    /// What a reduction has so far; it is numbered as a variable is.
    Accumulator(usize),
    /// The bits of an f64, or of an i64, as the type says.
    Constant(u64),
    /// A number that the program is given.
    Number { argument: usize },
    /// An extent of an image that the program is given.
    Extent { image: usize, dimension: usize },
    /// A point of an image.
    Load { image: usize, boundary: Boundary, indices: Vec<Id>, padding: Option<Id> },
    /// An op on values.
    Op(Op, Vec<Id>),
    /// A fold over a window: each accumulator begins with its init, and becomes its body's value at each point. Its variables are
    /// its own. What becomes of the first accumulator is the value of the node; the others' are parts of it.
    Reduce { window: Vec<Interval>, accumulators: Vec<usize>, inits: Vec<Id>, bodies: Vec<Id> },
    /// What becomes of another accumulator of a reduce than the first.
    Part { reduce: Id, accumulator: usize },
    /// What a scan has computed so many points before; `line` says which scan, and is numbered as a variable is.
    Previous { line: usize, result: usize, distance: i64, start: Id },
}

/// A variable of a window, and the half-open interval that it runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Interval {
    pub variable: usize,
    pub lo: i64,
    pub hi: i64,
}

impl Node {
    /// The nodes that it is computed of.
    pub fn operands(&self) -> Vec<Id> {
        match self {
            Self::Wrong
            | Self::Variable(_)
            | Self::Accumulator(_)
            | Self::Constant(_)
            | Self::Number { .. }
            | Self::Extent { .. } => Vec::new(),
            Self::Reduce { inits, bodies, .. } => inits.iter().chain(bodies).copied().collect(),
            Self::Part { reduce, .. } => vec![*reduce],
            Self::Previous { start, .. } => vec![*start],
            Self::Load { indices, padding, .. } => indices.iter().chain(padding).copied().collect(),
            Self::Op(_, operands) => operands.clone(),
        }
    }

    /// The same of other operands.
    fn with_operands(&self, operands: Vec<Id>) -> Self {
        match self {
            Self::Load { image, boundary, indices, padding } => {
                let (indices, rest) = operands.split_at(indices.len());
                let padding = padding.and_then(|_| rest.first().copied());
                Self::Load { image: *image, boundary: *boundary, indices: indices.to_vec(), padding }
            }
            Self::Op(op, _) => Self::Op(*op, operands),
            Self::Reduce { window, accumulators, inits, .. } => {
                let (inits, bodies) = operands.split_at(inits.len());
                Self::Reduce {
                    window: window.clone(),
                    accumulators: accumulators.clone(),
                    inits: inits.to_vec(),
                    bodies: bodies.to_vec(),
                }
            }
            Self::Part { accumulator, .. } => Self::Part { reduce: operands[0], accumulator: *accumulator },
            Self::Previous { line, result, distance, .. } => {
                Self::Previous { line: *line, result: *result, distance: *distance, start: operands[0] }
            }
            _ => self.clone(),
        }
    }
}

/// A node, what it gives, and who wrote it first.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub node: Node,
    pub ty: Type,
    pub place: Place,
    pub source: Option<Origin>,
    /// The coordinates, variables, accumulators and lines that it depends on, but for those of reductions in it.
    pub free: Vec<usize>,
}

/// An image: an argument, or a result of a stage.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub name: String,
    pub ty: Type,
    /// Values of type `Index` that depend on no coordinate.
    pub extents: Vec<Id>,
    /// Which argument it is, if it is one.
    pub argument: Option<usize>,
    /// The iterate in whose body it is; `None` outside of all.
    pub scope: Option<usize>,
    /// It stands for what a stage with a mistake would have made: nothing more is said of its points.
    pub is_wrong: bool,
}

/// An argument of the program.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Number { name: String, ty: Type },
    Image { image: usize, estimate: Option<Vec<i64>>, extents: Option<Vec<String>> },
}

/// An image of constants: their nodes.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub image: usize,
    pub values: Vec<Id>,
    pub place: Place,
    pub source: Option<Origin>,
}

/// A coordinate of a stage and how far it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub variable: usize,
    pub extent: Id,
}

/// What computes images.
#[derive(Clone, Debug)]
pub(crate) enum Unit {
    Stage(Stage),
    Iterate(Iterate),
}

/// Time steps. Images are numbers of the list.
#[derive(Clone, Debug)]
pub(crate) struct Iterate {
    pub name: String,
    pub steps: Id,
    pub initial: Vec<usize>,
    pub states: Vec<usize>,
    pub body: Vec<Unit>,
    pub next: Vec<usize>,
    pub images: Vec<usize>,
    pub place: Place,
    pub source: Option<Origin>,
}

/// A stage, or what is one but for the order of its points: a scan, a scatter.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub name: String,
    pub kind: Kind,
    pub axes: Vec<Axis>,
    pub values: Vec<Id>,
    pub images: Vec<usize>,
    pub place: Place,
    pub source: Option<Origin>,
}

/// Numbers of the program that must be equal when it is entered.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub numbers: [Id; 2],
    pub message: String,
    pub place: Place,
    pub source: Option<Origin>,
}

/// What a stage is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Points in any order.
    Stage,
    /// Each line along a dimension in order.
    Scan { line: usize, along: usize, backward: bool },
    /// Values are updates.
    Scatter(Scatter),
}

/// What a scatter has more than a stage.
#[derive(Clone, Debug)]
pub(crate) struct Scatter {
    /// So many leading dimensions are coordinates; the others are places.
    pub coordinates: usize,
    pub domain: Vec<Domain>,
    pub initial: Vec<Id>,
    pub combine: Op,
    pub reassoc: bool,
    pub places: Vec<Id>,
}

/// A variable of a scatter's domain, and the half-open interval that it runs over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Domain {
    pub variable: usize,
    pub lo: i64,
    pub hi: Id,
}

impl Stage {
    /// What messages call it.
    pub fn what(&self) -> &'static str {
        match self.kind {
            Kind::Stage => "stage",
            Kind::Scan { .. } => "scan",
            Kind::Scatter(_) => "scatter",
        }
    }

    /// What its body computes.
    pub fn roots(&self) -> Vec<Id> {
        let places = self.scatter().map_or(&[][..], |scatter| &scatter.places);
        self.values.iter().chain(places).copied().collect()
    }

    /// The dimensions that its body has coordinates for.
    pub fn coordinates(&self) -> &[Axis] {
        &self.axes[..self.scatter().map_or(self.axes.len(), |scatter| scatter.coordinates)]
    }

    /// The variables beside coordinates.
    pub fn domain(&self) -> &[Domain] {
        self.scatter().map_or(&[], |scatter| &scatter.domain)
    }

    /// What its own points before are known by.
    pub fn line(&self) -> Option<usize> {
        match self.kind {
            Kind::Scan { line, .. } => Some(line),
            _ => None,
        }
    }

    pub fn scatter(&self) -> Option<&Scatter> {
        match &self.kind {
            Kind::Scatter(scatter) => Some(scatter),
            _ => None,
        }
    }
}

/// A program.
#[derive(Default)]
pub(crate) struct Graph {
    pub entries: Vec<Entry>,
    known: HashMap<(Node, Type), Id>,
    pub variables: Vec<String>,
    pub images: Vec<Image>,
    pub arguments: Vec<Argument>,
    pub tables: Vec<Table>,
    /// Of the body that is being written.
    pub units: Vec<Unit>,
    /// The iterates whose bodies are being written, the innermost last.
    pub scopes: Vec<usize>,
    /// How many iterates there are.
    pub iterates: usize,
    pub results: Vec<(String, usize)>,
    pub errors: Vec<Error>,
    pub checks: Vec<Check>,
    /// The files of a front end, and where in which of them what is made now was written.
    pub files: Vec<String>,
    pub source: Option<Origin>,
}

/// The program that expressions add to as they are written: they know their graph, not the `Pipeline` that has it.
#[derive(Default)]
pub(crate) struct GraphCell(RefCell<Graph>);

impl GraphCell {
    pub fn borrow(&self) -> Ref<'_, Graph> {
        self.0.borrow()
    }

    pub fn borrow_mut(&self) -> RefMut<'_, Graph> {
        self.0.borrow_mut()
    }
}

impl Graph {
    /// The node, made if it is not there.
    pub fn node(&mut self, node: Node, ty: Type, place: Place) -> Id {
        if let Some(id) = self.known.get(&(node.clone(), ty)) {
            return *id;
        }
        let mut free: Vec<usize> = match &node {
            Node::Variable(variable) | Node::Accumulator(variable) => vec![*variable],
            _ => node.operands().iter().flat_map(|id| self.entries[*id].free.iter().copied()).collect(),
        };
        if let Node::Previous { line, .. } = &node {
            free.push(*line);
        }
        if let Node::Reduce { window, accumulators, .. } = &node {
            free.retain(|id| !accumulators.contains(id) && window.iter().all(|interval| interval.variable != *id));
        }
        free.sort_unstable();
        free.dedup();
        self.known.insert((node.clone(), ty), self.entries.len());
        self.entries.push(Entry { node, ty, place, source: self.source, free });
        self.entries.len() - 1
    }

    /// Notes a mistake, and what stands for its result.
    pub fn wrong(&mut self, place: Place, message: String) -> Id {
        let source = self.source.map(|Origin { file, source }| (self.files[file].clone(), source));
        self.errors.push(Error { place, source, message });
        self.node(Node::Wrong, Type::F32, place)
    }

    pub fn is_wrong(&self, id: Id) -> bool {
        self.entries[id].node == Node::Wrong
    }

    pub fn ty(&self, id: Id) -> Type {
        self.entries[id].ty
    }

    /// A constant index.
    pub fn index(&mut self, value: i64, place: Place) -> Id {
        self.node(Node::Constant(value.cast_unsigned()), Type::Index, place)
    }

    /// The number in a constant that is no float.
    pub fn known_integer(&self, id: Id) -> Option<i64> {
        match self.entries[id] {
            Entry { node: Node::Constant(bits), ty, .. } if !ty.is_float() => Some(bits.cast_signed()),
            _ => None,
        }
    }

    /// An op on operands whose types fit; index arithmetic on constants is done now. Of integers, a division by the constant 0 is
    /// a mistake, which a substitution may make too.
    pub fn op(&mut self, op: Op, operands: Vec<Id>, ty: Type, place: Place) -> Id {
        if operands.iter().any(|id| self.is_wrong(*id)) {
            return self.node(Node::Wrong, Type::F32, place);
        }
        if ty == Type::Index && op != Op::Cast {
            let constants: Option<Vec<i64>> = operands.iter().map(|id| self.known_integer(*id)).collect();
            let folded = constants.and_then(|constants| fold(op, &constants));
            if let Some(value) = folded {
                return self.index(value, place);
            }
        }
        let by_zero = matches!(op, Op::Div | Op::Rem) && self.known_integer(operands[1]) == Some(0);
        let id = self.node(Node::Op(op, operands), ty, place);
        match by_zero {
            true => self.wrong(place, format!("{} divides by 0, expected another divisor", self.show(id))),
            false => id,
        }
    }

    /// The expression with variables replaced.
    pub fn substitute(&mut self, id: Id, values: &HashMap<usize, Id>, done: &mut HashMap<Id, Id>) -> Id {
        if let Some(id) = done.get(&id) {
            return *id;
        }
        // What depends on none of them stays as it is.
        if !self.entries[id].free.iter().any(|variable| values.contains_key(variable)) {
            return id;
        }
        let Entry { node, ty, place, .. } = self.entries[id].clone();
        let new = match node {
            Node::Variable(variable) => values.get(&variable).copied().unwrap_or(id),
            _ => {
                let old = node.operands();
                let operands: Vec<Id> = old.iter().map(|operand| self.substitute(*operand, values, done)).collect();
                match (&node, operands == old) {
                    (_, true) => id,
                    (Node::Op(op, _), _) => self.op(*op, operands, ty, place),
                    _ => self.node(node.with_operands(operands), ty, place),
                }
            }
        };
        done.insert(id, new);
        new
    }

    /// The first part of an index that is no affine function of coordinates.
    pub fn not_affine(&self, id: Id) -> Option<Id> {
        let positive = |id: Id| self.known_integer(id).is_some_and(|divisor| divisor > 0);
        match &self.entries[id].node {
            Node::Variable(_) | Node::Constant(_) => None,
            Node::Op(Op::Add | Op::Sub | Op::Neg, operands) => operands.iter().find_map(|id| self.not_affine(*id)),
            Node::Op(Op::Mul, operands) => match operands[..] {
                [a, b] if self.known_integer(b).is_some() => self.not_affine(a),
                [a, b] if self.known_integer(a).is_some() => self.not_affine(b),
                _ => Some(id),
            },
            Node::Op(Op::Div | Op::Rem, operands) if positive(operands[1]) => self.not_affine(operands[0]),
            _ => Some(id),
        }
    }

    /// The indices of a load that are computed: no affine functions of coordinates.
    pub fn computed(&self, indices: &[Id]) -> Vec<Id> {
        indices.iter().copied().filter(|id| self.not_affine(*id).is_some()).collect()
    }

    /// What is wrong with the use of an image here, if something is: it may be of the body of an iterate that has ended.
    pub fn not_here(&self, image: usize) -> Option<String> {
        let image = &self.images[image];
        let is_here = image.scope.is_none_or(|scope| self.scopes.contains(&scope));
        (!is_here).then(|| {
            format!(
                "image \"{}\" of the body of an iterate, expected one outside of it: a result of iterate",
                image.name
            )
        })
    }

    /// What is wrong with an image as a result, or as what an iterate begins with or becomes, if something is.
    pub fn not_a_result(&self, image: usize) -> Option<String> {
        let is_table = self.tables.iter().any(|table| table.image == image);
        let table = || format!("table \"{}\", expected an image: a stage can copy it", self.images[image].name);
        self.not_here(image).or_else(|| is_table.then(table))
    }

    /// Why a node is no number of the program, if it is none: on which coordinate it depends, or that on a pixel.
    pub fn not_a_number(&self, id: Id) -> Option<String> {
        self.reach(&[id]).into_iter().find_map(|part| match self.entries[part].node {
            Node::Variable(_) | Node::Accumulator(_) => {
                let (whole, part) = (self.show(id), self.show(part));
                Some(format!("{whole} depends on coordinate {part}, expected a function of extents and numbers"))
            }
            Node::Load { .. } | Node::Reduce { .. } | Node::Previous { .. } => {
                Some(format!("{} depends on a pixel, expected a function of extents and numbers", self.show(id)))
            }
            _ => None,
        })
    }

    /// Of each node whether it differs from point to point; the others are numbers of the program.
    pub fn varying(&self) -> Vec<bool> {
        let mut varying: Vec<bool> = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let own = !entry.free.is_empty() || matches!(entry.node, Node::Load { .. } | Node::Reduce { .. });
            varying.push(own || entry.node.operands().iter().any(|id| varying[*id]));
        }
        varying
    }

    /// The nodes that some nodes are computed of, themselves among them, in the order of the list.
    pub fn reach(&self, roots: &[Id]) -> Vec<Id> {
        let mut seen = vec![false; self.entries.len()];
        let mut left = roots.to_vec();
        while let Some(id) = left.pop() {
            if !std::mem::replace(&mut seen[id], true) {
                left.extend(self.entries[id].node.operands());
            }
        }
        (0..seen.len()).filter(|id| seen[*id]).collect()
    }

    /// An expression as it may have been written, not too long.
    pub fn show(&self, id: Id) -> String {
        self.show_within(id, 4)
    }

    fn show_within(&self, id: Id, depth: usize) -> String {
        let entry = &self.entries[id];
        let list = |ids: &[Id]| {
            ids.iter().map(|id| self.show_within(*id, depth.saturating_sub(1))).collect::<Vec<_>>().join(", ")
        };
        match &entry.node {
            Node::Wrong => "?".to_owned(),
            Node::Variable(variable) | Node::Accumulator(variable) => self.variables[*variable].clone(),
            Node::Reduce { bodies, .. } => format!("reduce({})", list(bodies)),
            Node::Part { reduce, .. } => self.show_within(*reduce, depth),
            Node::Previous { line, distance, .. } => format!("{}.previous({distance})", self.variables[*line]),
            Node::Constant(bits) if entry.ty.is_float() => f64::from_bits(*bits).to_string(),
            Node::Constant(bits) => bits.cast_signed().to_string(),
            Node::Number { argument } => match &self.arguments[*argument] {
                Argument::Number { name, .. } => name.clone(),
                Argument::Image { .. } => "?".to_owned(),
            },
            Node::Extent { image, dimension } => format!("{}.extent({dimension})", self.images[*image].name),
            _ if depth == 0 => "...".to_owned(),
            Node::Load { image, indices, .. } => format!("{}.at({})", self.images[*image].name, list(indices)),
            Node::Op(op, operands) => match (op.sign(), &operands[..]) {
                (Some(sign), [a, b]) => {
                    let nested = |id: Id| match &self.entries[id].node {
                        Node::Op(op, _) if op.sign().is_some() => format!("({})", self.show_within(id, depth - 1)),
                        _ => self.show_within(id, depth - 1),
                    };
                    format!("{} {sign} {}", nested(*a), nested(*b))
                }
                _ => format!("{}({})", op.name(), list(operands)),
            },
        }
    }
}

/// Index arithmetic on numbers; divisions round down.
fn fold(op: Op, operands: &[i64]) -> Option<i64> {
    match (op, operands) {
        (Op::Add, [a, b]) => a.checked_add(*b),
        (Op::Sub, [a, b]) => a.checked_sub(*b),
        (Op::Mul, [a, b]) => a.checked_mul(*b),
        (Op::Div, [a, b]) if *b > 0 => Some(a.div_euclid(*b)),
        (Op::Rem, [a, b]) if *b > 0 => Some(a.rem_euclid(*b)),
        (Op::Min, [a, b]) => Some(*a.min(b)),
        (Op::Max, [a, b]) => Some(*a.max(b)),
        (Op::Neg, [a]) => a.checked_neg(),
        _ => None,
    }
}
