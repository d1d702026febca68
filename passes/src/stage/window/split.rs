//! Which pieces a program is computed in.
//!
//! ```text
//! %h = scatter "histogram" over img          piece 1: "histogram", over windows of img, each of which gives a part of the sums
//! %c = scan "sums" reads %h                  piece 2: "table", whole: it depends on no window
//! %t = stage "table" reads %c          ──▶
//! %e = stage "equalized" reads img, %t       piece 3: windows of the result
//! ```
//!
//! What a program gives is one piece, where nothing needs an axis whole that its windows cut. A unit that does so is a piece of its own, whose images are
//! given to what reads them, and so is what does not depend on the window, that it be computed once.

use super::{
    axes::{Axes, unit_shape},
    piece::{Over, Piece, argument_name, given_name, rank, shape},
};
use crate::{
    analysis::joins_in_parts,
    ir::{Key, program, symbol_like},
};
use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use mlir_glue::{Diagnostic, Failure, ir};
use std::collections::HashSet;
use weft_dialects::pipeline::{Iterate, Load, Scan, Scatter, Unit};

/// The pieces of a program with their axes, in the order in which they are computed; the last gives the program's results.
///
/// # Errors
///
/// A load that divides by something else than a positive constant.
pub fn split<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Result<Vec<(Piece<'c, 'a>, Axes<'c, 'a>)>, Failure<'c>> {
    let end = program::entry(func)?.terminator();
    let images: Vec<Value> = end.into_iter().flat_map(|end| end.operands().collect::<Vec<_>>()).collect();
    let mut pieces = Vec::new();
    let mut made = Made { given: Vec::new(), taken: HashSet::new() };
    made.taken.extend((0..program::entry(func)?.argument_count()).map(|number| argument_name(func, number)));
    made.taken.extend(SUFFIXES.map(|suffix| suffix.trim_start_matches('_').to_owned()));
    let over = over(&images);
    of_images(Wanted { func, of: None, images, over }, &mut made, &mut pieces)?;
    Ok(pieces)
}

/// Images that are to be a piece.
struct Wanted<'c, 'a> {
    func: OperationRef<'c, 'a>,
    of: Option<String>,
    images: Vec<Value<'c, 'a>>,
    over: Option<Over<'c, 'a>>,
}

/// What is made already.
struct Made<'c, 'a> {
    /// Images that pieces compute, with what they are called.
    given: Vec<(Value<'c, 'a>, String)>,
    /// Names of arguments, and behind the program's own of functions.
    taken: HashSet<String>,
}

/// What functions of a piece have behind its name.
const SUFFIXES: [&str; 3] = ["_needs", "_begin", "_join"];

impl Made<'_, '_> {
    /// A name for the piece of a unit: no function has it, nor an image.
    fn name(&mut self, unit: Unit) -> String {
        let wanted = symbol_like(unit.name());
        let all = |name: &str| [name.to_owned()].into_iter().chain(SUFFIXES.map(|suffix| format!("{name}{suffix}")));
        let mut tries = std::iter::once(wanted.clone()).chain((1..).map(|number| format!("{wanted}_{number}")));
        // The numbers do not end before the names do.
        let name = tries.find(|name| all(name).all(|name| !self.taken.contains(&name))).unwrap_or(wanted);
        self.taken.extend(all(&name));
        name
    }
}

/// Adds the piece of some images, and before it those that it is given.
fn of_images<'c: 'a, 'a>(
    wanted: Wanted<'c, 'a>,
    made: &mut Made<'c, 'a>,
    pieces: &mut Vec<(Piece<'c, 'a>, Axes<'c, 'a>)>,
) -> Result<(), Failure<'c>> {
    let Wanted { func, of, images, over: window } = wanted;
    loop {
        let others = made.given.iter().filter(|(image, _)| !images.contains(image)).cloned().collect();
        let piece = Piece { func, of: of.clone(), images: images.clone(), given: others, over: window };
        let axes = Axes::of(&piece)?;
        let results = |unit: Unit<'c, 'a>| unit.op().results().map(Value::from).collect::<Vec<_>>();
        let (unit, over) = if let Some(unit) = to_take_out(&piece, &axes) {
            (unit, over(&results(unit)))
        } else if let Some(unit) = fixed(&piece, &axes) {
            // Computed once, whole.
            (unit, None)
        } else {
            report(&piece, &axes);
            pieces.push((piece, axes));
            return Ok(());
        };
        let all = results(unit);
        let name = made.name(unit);
        let named = all.iter().enumerate().map(|(number, image)| (*image, given_name(&name, number, all.len())));
        let named: Vec<_> = named.collect();
        of_images(Wanted { func, of: Some(name), images: all, over }, made, pieces)?;
        made.given.extend(named);
    }
}

/// What the windows of a piece are of: of a scatter that joins in parts, of its domain.
fn over<'c: 'a, 'a>(images: &[Value<'c, 'a>]) -> Option<Over<'c, 'a>> {
    let scatter = images.first().and_then(|image| ir::defining_op(*image)).and_then(Scatter::of);
    let is_of_scatter = |image: &Value<'c, 'a>| ir::defining_op(*image).and_then(Scatter::of) == scatter;
    match scatter.filter(|_| images.iter().all(is_of_scatter)) {
        Some(scatter) if can_be_parts(scatter) => Some(Over::Domain(scatter)),
        _ => images.iter().copied().find(|image| rank(*image) > 0).map(Over::Image),
    }
}

/// Whether a scatter can be computed for parts of its domain.
fn can_be_parts(scatter: Scatter) -> bool {
    let is_of_places = scatter.coordinate_count() == 0 && scatter.rank() > 0;
    is_of_places && joins_in_parts(scatter) && scatter.domain().iter().all(|(first, _)| *first >= 0)
}

/// A unit that needs an axis whole which the windows could cut without it.
fn to_take_out<'c: 'a, 'a>(piece: &Piece<'c, 'a>, axes: &Axes<'c, 'a>) -> Option<Unit<'c, 'a>> {
    let reasons = (0..axes.window.len()).filter_map(|d| axes.reason(d));
    let mut units = reasons.filter_map(|reason| {
        let unit = Unit::of(reason.op).filter(|unit| Scan::of(unit.op()).is_some() || Scatter::of(unit.op()).is_some());
        let source = || Load::of(reason.op).and_then(|load| ir::defining_op(load.source())).and_then(Unit::of);
        unit.or_else(source)
    });
    units.find(|unit| is_apart(piece, *unit))
}

/// Whether a unit is computed in this piece, for others.
fn is_apart<'c: 'a, 'a>(piece: &Piece<'c, 'a>, unit: Unit<'c, 'a>) -> bool {
    let gives = unit.op().results().any(|result| piece.images.contains(&result.into()));
    !gives && piece.ops().contains(&unit.op())
}

/// A unit that depends on no window, and is read by one that does.
fn fixed<'c: 'a, 'a>(piece: &Piece<'c, 'a>, axes: &Axes<'c, 'a>) -> Option<Unit<'c, 'a>> {
    if axes.axes.iter().all(Option::is_none) {
        return None;
    }
    let is_whole = |image: Value<'c, 'a>| (0..rank(image)).all(|d| axes.cut((shape(image), d)).is_none());
    let mut fixed: HashSet<Key> =
        piece.reads().into_iter().map(|(_, image)| image).filter(|image| is_whole(*image)).map(shape).collect();
    let mut last = None;
    for op in piece.ops() {
        let reads = ir::walk(op).into_iter().filter_map(Load::of).map(|load| load.source());
        let is_fixed = reads.into_iter().all(|image| fixed.contains(&shape(image)) || rank(image) == 0)
            && op.results().all(|result| is_whole(result.into()));
        match Unit::of(op) {
            Some(unit) if is_fixed => _ = fixed.insert(unit_shape(unit)),
            _ => {
                let read = ir::walk(op).into_iter().filter_map(Load::of).filter_map(|load| {
                    let unit = ir::defining_op(load.source()).and_then(Unit::of)?;
                    (fixed.contains(&unit_shape(unit)) && is_apart(piece, unit)).then_some(unit)
                });
                last = last.or(read.into_iter().next());
            }
        }
    }
    last
}

/// Says which axes are not cut, and why.
fn report(piece: &Piece, axes: &Axes) {
    for d in 0..axes.window.len() {
        let Some(reason) = axes.reason(d) else { continue };
        let by = Unit::of(reason.op).map(|unit| format!("{} \"{}\" {}", unit.kind(), unit.name(), reason.what));
        let by = by.or_else(|| {
            let unit = Load::of(reason.op)?.unit()?;
            Some(format!("{} \"{}\" {}", unit.kind(), unit.name(), reason.what))
        });
        let by = by.or_else(|| Some(format!("\"{}\" {}", Iterate::of(reason.op)?.name(), reason.what)));
        let by = by.unwrap_or_else(|| format!("it {}", reason.what));
        let of = piece.of.as_deref().map_or_else(|| "the program".to_owned(), |of| format!("\"{of}\""));
        Diagnostic::on(reason.op, format!("windows of {of} are whole along dimension {d}: {by}")).emit_remark();
    }
}
