//! Programs of Weft, written in Rust the way Halide's are written in C++: names for stages, arithmetic for their points.
//!
//! ```
//! use weft_builder::prelude::*;
//!
//! let p = Pipeline::new("blur");
//! let [y, x] = p.vars(["y", "x"]);
//! let img = p.image("img", F32, [DYN, DYN]).estimate([4800, 6400]).clamp();
//! let shape = img.shape([y, x]);
//! let blurx = p.stage("blurx", shape, (img.at((y, x - 1)) + img.at((y, x)) + img.at((y, x + 1))) / 3.0).clamp();
//! let blury = p.stage("blury", shape, (blurx.at((y - 1, x)) + blurx.at((y, x)) + blurx.at((y + 1, x))) / 3.0);
//! p.output("blurred", blury);
//!
//! let context = weft_builder::context();
//! let module = p.finish(&context).expect("a program without mistakes");
//! assert!(module.as_operation().to_string().contains("pipeline.load %blurx[%y - 1, %x] clamp"));
//! ```
//!
//! | | |
//! | --- | --- |
//! | [`Pipeline`] | a program: [`image`](Pipeline::image) and [`number`](Pipeline::number) are its arguments, [`stage`](Pipeline::stage) adds a stage, [`output`](Pipeline::output) a result |
//! | | [`sum`](Pipeline::sum), [`fold`](Pipeline::fold) and [`reduce`](Pipeline::reduce) go over a window, [`reduces`](Pipeline::reduces) with several values, [`iterate`](Pipeline::iterate) over time steps |
//! | | [`scan`](Pipeline::scan) adds a stage that walks along a coordinate, [`scatter`](Pipeline::scatter) one that updates places, as Halide's update definitions do |
//! | [`Image`] | an argument or a stage; [`at`](Image::at) is a point of it, at a computed place where it has a boundary mode, [`clamp`](Image::clamp) and others say what is beyond the edge |
//! | [`Expr`] | a value: operators, `min`, `select`, `cast`, `exp`, ... |
//! | [`Var`] | a coordinate: `x.to(w)` is a dimension of a stage, `dx.over(-1..2)` one of a window, `r.between(1, h)` one of a scatter's domain |
//!
//! Nothing here panics on a wrong program. Mistakes (unequal types, an index that is not affine, a wrong rank) are noted with
//! the line of Rust that made them, and [`finish`](Pipeline::finish) returns all of them. Until then no MLIR is made: `finish`
//! makes ops, each with its line of Rust as location, so that what a pass says points there too.
//!
//! A front end that makes a program of text says with [`Pipeline::locate`] where in the text it is; that is then the location of
//! what it makes.
//!
//! Loops, functions and closures of Rust stand in for a macro language: a pyramid is a `for` over levels, see
//! [`sample`] and [`examples`].

mod emit;
mod error;
pub mod examples;
mod expr;
mod graph;
mod pipeline;
pub mod sample;
mod tables;
mod types;
mod units;

pub use emit::context;
pub use error::{Error, Errors, Source};
pub use expr::{Along, Dim, Expr, Indices, Operand, Span, Var, Window, select};
pub use pipeline::{DYN, Image, Pipeline};
pub use types::Type;
pub use units::{Line, Scatter, Update};

/// What a program needs to be written.
pub mod prelude {
    pub use crate::{
        Along, DYN, Dim, Expr, Image, Pipeline,
        Type::{self, *},
        Var, Window, select,
    };
}
