//! What a trace says, as it stands in JSON.

use serde::Deserialize;

/// The version that this crate reads. It counts up when an older reader would misunderstand.
pub const VERSION: u32 = 1;

/// A number by which steps know what an earlier one gave: a value, a coordinate, an image, the line of a scan.
pub type Id = u32;

/// A program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// [`VERSION`].
    pub version: u32,
    /// What the program is called.
    pub name: String,
    /// The files that places are in.
    pub files: Vec<String>,
    /// In the order in which they were written.
    pub steps: Vec<Step>,
    /// Names and images.
    pub results: Vec<(String, Id)>,
}

/// Something that was written, and where.
#[derive(Debug, Deserialize)]
pub struct Step {
    /// A file by its number, line and column from 1.
    pub at: Option<(usize, u32, u32)>,
    /// What later steps call what it gives.
    #[serde(default)]
    pub gives: Vec<Id>,
    /// What it is.
    #[serde(flatten)]
    pub what: What,
}

/// A value that was made before, or a literal, which takes its type from what stands beside it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operand {
    /// Made before.
    Of(Id),
    /// A literal.
    Int(i64),
    /// A literal.
    Float(f64),
    /// The literal of these bits: NaN and infinities are no numbers of JSON.
    Bits(u64),
}

/// An extent of an argument: a number, or the name by which it is known, the same for all that must be equal.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Extent {
    /// Known.
    Known(i64),
    /// Known at run time.
    Named(String),
}

/// A coordinate of a stage and its extent.
pub type Axis = (Id, Operand);

/// What is written in a step.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// An image that the program is given.
    Image {
        /// What it is called.
        name: String,
        /// The type of its points.
        r#type: String,
        /// Outermost first.
        extents: Vec<Extent>,
        /// Extents that cost models assume.
        estimate: Option<Vec<i64>>,
    },
    /// A number that the program is given.
    Number {
        /// What it is called.
        name: String,
        /// Its type.
        r#type: String,
    },
    /// An image of constants.
    Table {
        /// What it is called.
        name: String,
        /// The type of its points.
        r#type: String,
        /// Outermost first.
        extents: Vec<i64>,
        /// The last dimension fastest.
        values: Vec<Operand>,
    },
    /// A coordinate, or a variable of a window or domain.
    Axis(String),
    /// The extent of an image along a dimension.
    Extent {
        /// Which.
        image: Id,
        /// 0 is the outermost.
        dimension: usize,
    },
    /// A literal of this type.
    Constant {
        /// Its type.
        r#type: String,
        /// Its value.
        value: Operand,
    },
    /// A value of others: `add`, `min`, `exp`, `lt`, `select` ...
    Op {
        /// Which.
        name: String,
        /// Of what.
        of: Vec<Operand>,
    },
    /// A value in another type.
    Cast {
        /// Of what.
        of: Operand,
        /// The other type.
        r#type: String,
        /// The nearest value that the type has, instead of low bits and of zero's side.
        #[serde(default)]
        saturate: bool,
    },
    /// A point of an image.
    Load {
        /// Which.
        image: Id,
        /// What lies beyond its edge; nothing does without one.
        boundary: Option<Boundary>,
        /// An index for each dimension.
        indices: Vec<Operand>,
    },
    /// A sum, maximum or minimum over a window.
    Fold {
        /// Which.
        combine: Fold,
        /// Variables from, to below.
        window: Vec<(Id, i64, i64)>,
        /// Of what.
        value: Operand,
    },
    /// A loop over a window.
    Reduce {
        /// Variables from, to below.
        window: Vec<(Id, i64, i64)>,
        /// What values begin as.
        init: Vec<Operand>,
        /// What the body calls the values so far.
        so_far: Vec<Id>,
        /// The body.
        body: Vec<Step>,
        /// What the values become.
        next: Vec<Operand>,
    },
    /// A stage.
    Stage {
        /// What it is called.
        name: String,
        /// Its coordinates, outermost first.
        axes: Vec<Axis>,
        /// What its points are.
        values: Vec<Operand>,
    },
    /// A stage whose points may read those before them.
    Scan {
        /// What it is called.
        name: String,
        /// Its coordinates, outermost first.
        axes: Vec<Axis>,
        /// Which of them it walks along.
        along: Id,
        /// From its end.
        backward: bool,
        /// What the body calls what there is of each result's line.
        lines: Vec<Id>,
        /// The body.
        body: Vec<Step>,
        /// What its points are.
        values: Vec<Operand>,
    },
    /// What a scan computed so many points before.
    Previous {
        /// Of which result.
        line: Id,
        /// How many.
        distance: i64,
        /// What it is where there is no such point.
        or: Operand,
    },
    /// An image whose places are computed.
    Scatter {
        /// What it is called.
        name: String,
        /// Its coordinates, outermost first.
        axes: Vec<Axis>,
        /// What results begin as.
        init: Vec<Operand>,
        /// Variables from, to below.
        over: Vec<(Id, i64, Operand)>,
        /// How a value is combined with what is there.
        combine: Combine,
        /// Whether sums may be done in any order.
        #[serde(default)]
        reassoc: bool,
        /// Where.
        place: Vec<Operand>,
        /// What.
        values: Vec<Operand>,
    },
    /// Time steps.
    Iterate {
        /// What they are called.
        name: String,
        /// How many.
        count: Operand,
        /// The images that states begin as.
        init: Vec<Id>,
        /// What the body calls the states.
        states: Vec<Id>,
        /// The body.
        body: Vec<Step>,
        /// The images that states become.
        next: Vec<Id>,
    },
}

/// What lies beyond an edge.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Boundary {
    /// The edge's value.
    Clamp,
    /// The image reflected, the edge repeated.
    Mirror,
    /// The image reflected, the edge not repeated.
    Reflect101,
    /// The image again.
    Wrap,
    /// This value.
    Constant(Operand),
}

/// What a window is folded by.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Fold {
    Sum,
    Max,
    Min,
}

/// What updates do.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Combine {
    Add,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
}
