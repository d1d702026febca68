//! Programs that another language recorded while it ran: a trace, as JSON, becomes a program of the builder.
//!
//! ```text
//! Python                                     trace                                                    builder
//!
//! def f(img: weft.f32["h", "w"]):            {"gives": [0], "image": {"name": "img", ...}}            p.image("img", F32, [DYN, DYN])
//!     y, x = img.axes                        {"gives": [3], "axis": "y"} ...                          p.var("y")
//!     return weft.stage(                     {"gives": [6], "op": {"name": "mul", "of": [5, ...]}}    img.at((y, x)) * 2.0
//!         "twice", img[y, x] * 2)            {"gives": [7], "stage": {"name": "twice", ...}}          p.stage("twice", ...)
//! ```
//!
//! A trace is a list of [`Step`]s in the order in which they were written, each with the numbers by which later steps know what it
//! gives, and with its place in the text. Bodies (of reductions, scans and iterates) are lists of steps in a step. What is wrong with a
//! program is found by the builder, which knows the place; what is wrong with a trace itself is a mistake of who wrote it, and is
//! said in the same way.
//!
//! Nothing here depends on Python: any language with JSON can record.

mod replay;
mod step;

use melior::{Context, ir::Module};
use std::fmt;

pub use step::{Step, Trace, VERSION};

/// What the names of files end in that hold a trace.
pub const EXTENSION: &str = "trace";

/// A mistake, and where it was made, if that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file.
    pub file: String,
    /// Line and column, from 1.
    pub place: Option<(u32, u32)>,
    /// What was found and what is expected.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: error: {}", self.file, self.message),
            None => write!(f, "{}: error: {}", self.file, self.message),
        }
    }
}

/// Makes a module of a trace that was read from the file `name`.
///
/// # Errors
///
/// All mistakes, in the order in which they were made.
pub fn compile<'c>(context: &'c Context, name: &str, text: &str) -> Result<Module<'c>, Vec<Mistake>> {
    let wrong = |message: String| vec![Mistake { file: name.to_owned(), place: None, message }];
    let trace: Trace = serde_json::from_str(text).map_err(|error| wrong(format!("no trace: {error}")))?;
    if trace.version != VERSION {
        return Err(wrong(format!("a trace of version {}, expected {VERSION}", trace.version)));
    }
    let pipeline = weft_builder::Pipeline::new(&trace.name);
    replay::replay(&pipeline, &trace).map_err(wrong)?;
    pipeline.finish(context).map_err(|errors| {
        let mistake = |error: &weft_builder::Error| Mistake {
            file: error.source_file().unwrap_or(name).to_owned(),
            place: error.source_place().map(|source| (source.line, source.column)),
            message: error.message().to_owned(),
        };
        errors.0.iter().map(mistake).collect()
    })
}
