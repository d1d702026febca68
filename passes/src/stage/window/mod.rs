//! `--window`: beside each program, functions that compute a window of its results from parts of its images.
//!
//! ```text
//! func @f(%img: tensor<?x?xf32>) -> tensor<?x?xf32>           img, and a window of the result
//!   %a = stage "a" (%y, %x) {                            ┌───────────────────────┐ 0
//!     load %img[%y - 1, %x] clamp ...                    │    ┌ ─ ─ ─ ─ ┐        │ %first0 - 1, rounded down to a step
//!     load %img[%y + 1, %x] clamp ...                    │    ┌─────────┐        │ %first0
//!   } sized(%h, %w)                                      │    │ window  │        │
//!   return %a                                            │    └─────────┘        │ %end0
//!                                                        │    └ ─ ─ ─ ─ ┘        │ %end0 + 1
//!          │                                             └───────────────────────┘ %img_extent0
//!          ▼
//! func @f_window(%img: tensor<?x?xf32>, %img_extent0, %img_extent1, %first0, %end0, %first1, %end1) -> tensor<?x?xf32>
//!   %a = stage "a" (%y, %x) {                            the same stage, of as many rows as the part of img has
//!     load %img[%y - 1, %x] clamp ...
//!     load %img[%y + 1, %x] clamp ...
//!   } sized(%count0, %count1)
//! func @f_window_needs(the same without images) -> (tensor<2x3xi64> {"img"}, tensor<2x5xi64> {"out0"}, tensor<2x2xi64> {"window"})
//! ```
//!
//! A part begins at one place in all images (times their [scale](axes)), farther before the window than anything that the window needs. Where that is
//! the image's own edge, a boundary mode finds the edge where it belongs; elsewhere what it makes of the part's edge is in points that the window does
//! not need. So no index changes, nor any pass behind this one: only what bodies compute of coordinates and extents is that of the whole image.
//!
//! `@f_window_needs` says of each image that is read its extent along each dimension, and which part that is, as first point and count; of each result the same,
//! and where the window lies in the part; and of each dimension of the window its extent and the step at which windows begin best, 0 where the window must be whole.
//!
//! Where a unit needs an axis whole that its readers could cut (a histogram, a scan), the program becomes several [pieces](mod@split), each with windows of
//! its own: `@f_window_NAME` gives that unit's images, which `@f_window` is given.

mod axes;
mod checks;
mod cuts;
mod functions;
mod parts;
mod piece;
mod split;

use crate::ir::{is, program, symbol};
use functions::Functions;
use melior::{dialect::DialectHandle, ir::OperationRef};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use split::split;
use std::collections::HashSet;
use weft_dialects::pipeline::Group;

/// The pass.
pub struct Window;

/// The functions of windows that are there already, and the programs that they are of.
fn made(module: OperationRef) -> HashSet<String> {
    let names: HashSet<String> =
        ir::walk(module).into_iter().filter(|op| is(*op, "func.func")).map(|func| symbol(func).to_owned()).collect();
    let pieces = names.iter().filter(|name| names.contains(&format!("{name}_needs")) && name.contains("_window"));
    let of_piece = |name: &String| {
        let programs = name.match_indices("_window").map(|(at, _)| name[..at].to_owned()).collect::<Vec<_>>();
        ["", "_needs", "_begin", "_join"].map(|suffix| format!("{name}{suffix}")).into_iter().chain(programs)
    };
    pieces.flat_map(of_piece).collect()
}

const PIECES: Statistic = Statistic::new(c"pieces", c"Pieces of programs that have functions for their windows");

impl Pass for Window {
    const ARGUMENT: &'static str = "window";
    const SUMMARY: &'static str = "Make functions that compute a window of a program from parts of its images";
    const DESCRIPTION: &'static str = "\
For images that no memory holds, or that many machines share: `@f_window` computes a window of the results of `@f`, and `@f_window_needs` says which parts \
of the arguments that takes. Values are those of the whole images, to the bit. A remark says which axes cannot be cut, and why. Runs on programs without groups.";
    const STATISTICS: &'static [Statistic] = &[PIECES];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::cf(), DialectHandle::tensor(), DialectHandle::func()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let made = made(module);
        for func in program::programs(module).into_iter().filter(|func| !made.contains(symbol(*func))) {
            program::entry(func)?;
            if let Some(group) = ir::walk(func).into_iter().find(|op| Group::of(*op).is_some()) {
                return Err(Diagnostic::on(
                    group,
                    "is a group, expected a program without: --window comes before --fuse",
                )
                .into());
            }
            for (piece, axes) in split(func)? {
                let functions = Functions::new(cx, &piece, &axes);
                functions.window()?;
                functions.needs()?;
                functions.join();
                cx.count(PIECES, 1);
            }
        }
        Ok(())
    }
}
