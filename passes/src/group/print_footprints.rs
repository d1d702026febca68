//! `--print-footprints`: what one tile of each group computes of every stage, and what PolyMage would.
//!
//! ```text
//! unsharp, no groups, tile=8x512    ──▶   the IR as it was, and on the error stream:
//!
//!   // @unsharp: tile 3x8x512 scalene, 1x354x9 tiles, first interior (0, 1, 1)
//!   //   stage    first interior tile               largest  redundant  uniform-slope
//!   //   blurx    [0, 3) x [8, 16) x [510, 1026)    3x8x516       0.8%        3x8x518
//!   //   ...
//!   //   (img)    [0, 3) x [6, 18) x [510, 1026)   3x12x516
//! ```
//!
//! Images that the group reads are in parentheses. The boxes are those of [`weft_model::tiles`]; a stage that would be
//! inlined is listed as any other. Like MLIR's own printing passes (`--print-op-stats`), this one writes to the error stream,
//! so that the IR can still be piped on.

use super::{schedule::schedule_of, strategy::Overlap};
use crate::{
    analysis::{Sizes, bounds::loads, extents_of, model::Whole},
    ir::{program, symbol},
};
use melior::{
    dialect::DialectHandle,
    ir::{BlockLike, BlockRef, OperationRef, RegionLike, block::BlockArgument, operation::OperationLike},
};
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, RegistryRef, ir, options};
use std::{fmt::Write as _, io::Write as _};
use weft_dialects::{
    pipeline::{Group, Stage},
    weft,
};
use weft_model::{
    Range, Scope, Shape, Source, aligned_tile,
    tiles::{MAX_TILE, Tiling},
};

options! {
    /// Options of `--print-footprints`.
    pub struct PrintFootprintsOptions {
        tile: String = "", "tile", "a tile of the last live-out, for example 8x512; leading dimensions that it leaves out are whole. Default: the schedule's, or one that often does";
        shape: Overlap = Overlap::Scalene, "shape", "the shape of a tile: exact, exact with its right side kept, or PolyMage's of one slope";
        size: String = "", "size", "extents of images that say nothing of theirs, for example 2832x4256";
    }
}

/// The pass.
pub struct PrintFootprints;

impl Pass for PrintFootprints {
    const ARGUMENT: &'static str = "print-footprints";
    const SUMMARY: &'static str = "Print what a tile of each group computes of every stage";
    const DESCRIPTION: &'static str = "\
Prints to the error stream, for each group: of every stage the box that the first interior tile computes, the greatest \
extents over all tiles, the points of that box that other tiles compute as well, in percent of the tile's own, and beside \
it the extents in PolyMage's shape; then the same of the images that the group reads. Stages outside groups count as one. \
Extents that are known at run time only are taken from `weft.estimate`, or from `size`. The IR stays as it is.

`shape=scalene` lets both sides of a tile grow by exactly what is read. `right-rectangle` shifts the iteration space of \
producers so that only the left side grows. `uniform-slope` bounds all stages by one slope on either side, the steepest.";
    type Options = PrintFootprintsOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &PrintFootprintsOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let printing = Printing {
            tile: option_of(module, "tile", &options.tile)?,
            shape: options.shape,
            size: option_of(module, "size", &options.size)?.unwrap_or_default(),
        };
        let mut text = String::new();
        for func in program::programs(module) {
            printing.program(func, cx, &mut text)?;
        }
        // Whoever closed the stream does not want to know.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        Ok(())
    }
}

/// The extents of an option, such as `8x512`; `None` where it is not given.
fn option_of<'c>(module: OperationRef<'c, '_>, option: &str, text: &str) -> Result<Option<Vec<i64>>, Diagnostic<'c>> {
    if text.is_empty() {
        return Ok(None);
    }
    let extents = extents_of(text).filter(|extents| extents.iter().all(|extent| *extent <= MAX_TILE));
    extents.map(Some).ok_or_else(|| {
        let expected = format!("expected extents from 1 to {MAX_TILE} with x between them, such as 8x512");
        Diagnostic::on(module, format!("option '{option}' is '{text}', {expected}"))
    })
}

/// Stages that are tiled together: a group, or those of a function that are in none.
struct Together<'c, 'a> {
    title: String,
    group: Option<Group<'c, 'a>>,
    /// By number in the program.
    stages: Vec<usize>,
}

struct Printing {
    tile: Option<Vec<i64>>,
    shape: Overlap,
    size: Vec<i64>,
}

impl Printing {
    fn program<'c>(
        &self,
        func: OperationRef<'c, '_>,
        cx: &PassContext<'c>,
        out: &mut String,
    ) -> Result<(), Failure<'c>> {
        program::entry(func)?;
        // Extents are put in order on a copy: who prints does not rewrite.
        let copy = (*func).clone();
        let region = copy.region(0).ok();
        let inside = region.and_then(|region| region.first_block());
        let Some(copied) = inside.as_ref().and_then(|block| block.parent_operation()) else { return Ok(()) };
        let block = program::entry(copied)?;
        program::resolve_dims(cx.context(), copied);
        program::hoist_scalars(block)?;
        let whole = Whole::of(block, &Sizes::of_program(copied, block, &self.size))?;
        for block in program::blocks(copied)? {
            for together in together(block, &whole, symbol(func)) {
                self.group(&whole, &together, func, out)?;
            }
        }
        Ok(())
    }

    fn group<'c>(
        &self,
        whole: &Whole,
        together: &Together,
        func: OperationRef<'c, '_>,
        out: &mut String,
    ) -> Result<(), Diagnostic<'c>> {
        let model = whole.model.group(&together.stages);
        let tile = self.tile.clone().unwrap_or_else(|| {
            let schedule = together.group.and_then(|group| schedule_of(group, model.grid_rank(), Scope::Warp).tile);
            aligned_tile(&model, schedule.as_deref())
        });
        let wrong = |error| Diagnostic::on(func, format!("{}: tile {} {error}", together.title, by(&tile)));
        let tiling = Tiling::new(&model, &tile, self.shape.shape()).map_err(wrong)?;
        let uniform = Tiling::new(&model, &tile, Shape::UniformSlope).map_err(wrong)?.largest();
        let images = images(whole, &together.stages, func);
        table(&together.title, self.shape, &model, &tiling, &uniform.stages, &images, out);
        Ok(())
    }
}

/// The names of the images that stages read of others, in the model's order: that of the first loads.
fn images(whole: &Whole, stages: &[usize], func: OperationRef) -> Vec<String> {
    let mut seen: Vec<Source> = Vec::new();
    let mut names = Vec::new();
    for &number in stages {
        for (access, load) in whole.model.stages[number].accesses.iter().zip(loads(whole.stages[number])) {
            if access.producer().is_some_and(|producer| stages.contains(&producer)) || seen.contains(&access.source) {
                continue;
            }
            seen.push(access.source);
            names.push(match (access.source, BlockArgument::try_from(load.source())) {
                (Source::Stage(producer, _), _) => whole.model.stages[producer].name.clone(),
                (_, Ok(argument)) => argument_name(func, argument.argument_number()),
                (Source::Image(image), Err(_)) => program::unit_of(load.source())
                    .map_or_else(|| format!("image {image}"), |unit| unit.name().to_owned()),
            });
        }
    }
    names
}

/// What an argument is called, or else its number.
fn argument_name(func: OperationRef, number: usize) -> String {
    weft::name_at(func, false, number).map_or_else(|| format!("argument {number}"), str::to_owned)
}

/// The groups of a block, and the stages between them.
fn together<'c: 'a, 'a>(block: BlockRef<'c, 'a>, whole: &Whole<'c, 'a>, func: &str) -> Vec<Together<'c, 'a>> {
    let number = |stage: &Stage| whole.stages.iter().position(|other| other.op() == stage.op());
    let loose = || Together { title: format!("@{func}"), group: None, stages: Vec::new() };
    let mut all = vec![loose()];
    for op in ir::operations(block) {
        if let Some(group) = Group::of(op) {
            let stages = group.stages().iter().filter_map(number).collect();
            all.push(Together { title: format!("@{func} group \"{}\"", group.name()), group: Some(group), stages });
            all.push(loose());
        } else if let (Some(stage), Some(last)) = (Stage::of(op), all.last_mut()) {
            last.stages.extend(number(&stage));
        } else if program::is_program_op(op) {
            all.push(loose());
        }
    }
    all.retain(|together| !together.stages.is_empty());
    all
}

fn table(
    title: &str,
    shape: Overlap,
    model: &weft_model::Group,
    tiling: &Tiling,
    uniform: &[Option<Vec<i64>>],
    images: &[String],
    out: &mut String,
) {
    let (first, largest) = (tiling.first_interior(), tiling.largest());
    let footprint = tiling.footprint(&first);
    let extents = |extents: &Option<Vec<i64>>| extents.as_deref().map_or("-".to_owned(), by);
    let row = |name: String, region: &Option<Vec<Range<i64>>>, most: &Option<Vec<i64>>, rest: [String; 2]| {
        let [redundant, uniform] = rest;
        [name, region.as_deref().map_or("-".to_owned(), boxed), extents(most), redundant, uniform]
    };
    let mut rows = vec![["stage", "first interior tile", "largest", "redundant", "uniform-slope"].map(str::to_owned)];
    for (s, stage) in model.stages.iter().enumerate() {
        let (points, share) = (footprint.volume(s) as f64, tiling.share_volume(s));
        let redundant = format!("{:.1}%", ((points - share) / share).max(0.0) * 100.0);
        let rest = [redundant, extents(&uniform[s])];
        rows.push(row(stage.name.clone(), &footprint.stages[s], &largest.stages[s], rest));
    }
    for ((name, region), most) in images.iter().zip(&footprint.images).zip(&largest.images) {
        rows.push(row(format!("({name})"), region, most, Default::default()));
    }

    let numbers = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let (tile, counts, first) = (by(tiling.tile()), by(tiling.counts()), numbers(&first));
    // Writing to a string does not fail.
    let shape = shape.word();
    let _ = writeln!(out, "// {title}: tile {tile} {shape}, {counts} tiles, first interior ({first})");
    let widths: [usize; 5] = std::array::from_fn(|c| rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0));
    for row in rows {
        let mut line = String::from("//   ");
        for (c, (cell, width)) in row.iter().zip(widths).enumerate() {
            let space = if c == 0 { "" } else { "  " };
            // Words to the left, numbers to the right.
            let _ = match c {
                0 | 1 => write!(line, "{space}{cell:<width$}"),
                _ => write!(line, "{space}{cell:>width$}"),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// `8x512`
fn by(extents: &[i64]) -> String {
    extents.iter().map(i64::to_string).collect::<Vec<_>>().join("x")
}

/// `[0, 8) x [-2, 514)`, as `--infer-bounds` writes them.
fn boxed(region: &[Range<i64>]) -> String {
    region.iter().map(|range| format!("[{}, {})", range.lo, range.hi + 1)).collect::<Vec<_>>().join(" x ")
}
