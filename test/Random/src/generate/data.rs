//! What a program consists of.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
}

pub(super) use Type::{F16, F32, F64, I8, I16, I32, I64};

impl Type {
    pub fn name(self) -> &'static str {
        match self {
            F16 => "f16",
            F32 => "f32",
            F64 => "f64",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, F16 | F32 | F64)
    }

    pub fn bits(self) -> u32 {
        match self {
            I8 => 8,
            F16 | I16 => 16,
            F32 | I32 => 32,
            F64 | I64 => 64,
        }
    }
}

/// An extent, and its SSA name if it is dynamic.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Extent {
    pub value: i64,
    pub name: Option<String>,
}

impl Extent {
    pub fn fixed(value: i64) -> Self {
        Self { value, name: None }
    }
}

/// An argument, or a result of a stage.
#[derive(Clone)]
pub(super) struct Image {
    pub name: String,
    pub element: Type,
    pub extents: Vec<Extent>,
    /// The group that it is made in.
    pub group: Option<usize>,
    /// The iterate that it is a state of, or made in: it is not seen outside.
    pub within: Option<usize>,
    pub is_read: bool,
}

impl Image {
    pub fn ty(&self) -> String {
        let extents = self.extents.iter().map(|extent| match extent.name {
            Some(_) => "?x".to_owned(),
            None => format!("{}x", extent.value),
        });
        format!("tensor<{}{}>", extents.collect::<String>(), self.element.name())
    }
}

/// A line of a body. What an image is called depends on who reads it: `%s0` in its own group, `%g0#1` outside.
pub(super) enum Line {
    Text(String),
    Load { name: String, op: &'static str, image: usize, subscript: String },
}

pub(super) struct Stage {
    pub name: String,
    pub coordinates: Vec<&'static str>,
    pub body: Vec<Line>,
    pub yielded: Vec<String>,
    pub images: Vec<usize>,
    pub group: Option<usize>,
    pub within: Option<usize>,
    pub unit: Unit,
}

/// What kind of unit a stage of the program is, and what only that has.
pub(super) enum Unit {
    Stage,
    Scan { along: usize, is_backward: bool },
    Scatter { coordinates: Vec<&'static str>, domain: String, from: String, combine: &'static str, places: Vec<String> },
}

impl Unit {
    /// The op's name, and what stands between the unit's name and its body. `arguments` are those that are called y and x.
    pub fn syntax(&self, arguments: &str) -> (&'static str, String) {
        match self {
            Self::Stage => ("stage", format!("({arguments})")),
            Self::Scan { along, is_backward } => {
                ("scan", format!("({arguments}) along {along}{}", if *is_backward { " backward" } else { "" }))
            }
            Self::Scatter { coordinates, domain, from, combine, .. } => {
                let coordinates: Vec<String> = coordinates.iter().map(|name| format!("%{name}")).collect();
                let tail = format!(
                    "({}) over ({arguments}) in {domain} from({from}) combine \"arith.{combine}\"",
                    coordinates.join(", ")
                );
                ("scatter", tail)
            }
        }
    }

    /// What the body ends with, without its types.
    pub fn end(&self, values: &[String]) -> String {
        match self {
            Self::Scatter { places, .. } => format!("update {} at [{}]", values.join(", "), places.join(", ")),
            _ => format!("yield {}", values.join(", ")),
        }
    }
}

/// Time steps, and the images that they are about.
pub(super) struct Iterate {
    pub name: String,
    /// How many: an SSA name.
    pub steps: String,
    pub initial: Vec<usize>,
    pub states: Vec<usize>,
    pub next: Vec<usize>,
    pub results: Vec<usize>,
}

impl Iterate {
    /// Whether an image is used other than by stages.
    pub fn uses(&self, image: usize) -> bool {
        self.initial.contains(&image) || self.next.contains(&image)
    }
}

/// An SSA value in a body.
#[derive(Clone)]
pub(super) struct Value {
    pub name: String,
    pub ty: Type,
}

/// An index along one dimension: its text, and its values where it is a function of one coordinate.
#[derive(Clone)]
pub(super) struct Index {
    pub text: String,
    pub range: Option<(i64, i64)>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    None,
    Clamp,
    Mirror,
    Reflect101,
    Wrap,
    Constant,
}

/// A number as MLIR has it; of an integer type its whole part.
pub(super) fn number_text(number: f64, ty: Type) -> String {
    if ty.is_float() { format!("{number:?}") } else { format!("{}", number as i64) }
}
