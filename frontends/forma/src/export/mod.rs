//! Level 0 to Forma, for programs that Forma can say.
//!
//! ```text
//! %b = pipeline.stage "b" (%y, %x) {                    stencil b_(vector#2 float img) at [x, y] {
//!   %0 = pipeline.load %img[%y, %x - 1] clamp    ──▶        return img@[-1, 0] * 0.5;
//!   %1 = arith.mulf %0, %cst                            }
//!   pipeline.yield %1                                   b = b_(img:clamped)[img_x, img_y];
//! ```
//!
//! A value that is used once becomes part of the expression that uses it, another one a `let`; a few ops deep, a `let` too. IR does not
//! say which integers have no sign; ops do. So a value has a sign unless it is of an image without, and is cast where an op says otherwise:
//! between types of one width that changes no bit.
//!
//! Not said are reduces but those that find a place, sums in any order, groups, branches, and units of which only a part is needed.
//!
//! `terms`, `names`, `indices`, `assertions` and `arithmetic` make text of one thing; `exporter` and `body` hold what is written so far;
//! the others write a part of the program each, and import these alone. From outside the wing come types, names, and what checks and
//! lays out the text; from below the dialect and the glue.

mod arguments;
mod arithmetic;
mod assertions;
mod body;
mod exporter;
mod indices;
mod iterate;
mod loads;
mod names;
mod places;
mod program;
mod scans;
mod scatters;
mod tables;
mod terms;
mod units;

pub use program::export;
