//! `--copy-inputs`: images that a stage reads over and over, also beyond their edges, are copied to a window first.
//!
//! ```text
//! %o = stage "conv" (%c, %y, %x) {                          %p = stage "img_copy" (%c, %y, %x) {
//!   reduce (%r, %ry, %rx) in [0, 16) x [0, 3) x [0, 3)        yield load %img[%c, %y, %x] }
//!     ... load %img[%r, %y + %ry - 1, %x + %rx - 1] clamp  ──▶  %o = stage "conv" (%c, %y, %x) {
//! }                                                           reduce ... load %p[%r, %y + %ry - 1, %x + %rx - 1] clamp }
//! ```
//!
//! A copy costs a load and a store for each point, and `--cpu-tile` makes a window of it, some rows in a near cache. There rows go on beyond
//! the edges, so that the stage has no borders, which for a large window is much code and slow. And planes of an image often lie a power of
//! two apart, so that a cache has room for the same row of some planes only; those of a window do not.
//!
//! Pixels that are read at several columns are copied, too: they are shuffled into planes once, and not for each column. Those whose planes are all computed
//! alike stay pixels.

use super::copy::copy;
use crate::{
    analysis::{Sizes, access, model::Whole},
    ir::{Builder, TakenNames, is_inside, program},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockRef, OperationRef, Value, ValueLike,
        operation::{OperationLike, OperationMutLike},
        r#type::RankedTensorType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::{
    pipeline::{Boundary, Load, Stage, static_extents},
    weft,
};
use weft_model::Expr;

/// The pass.
pub struct CopyInputs;

const COPIED: Statistic = Statistic::new(c"copied", c"Images that a stage reads from a copy");

/// How often a stage reads a point of an image that is copied for it, at least.
const READS: i64 = 64;

impl Pass for CopyInputs {
    const ARGUMENT: &'static str = "copy-inputs";
    const SUMMARY: &'static str = "Copy images to windows that a stage reads over and over beyond their edges";
    const DESCRIPTION: &'static str = "\
Where the reduces of a stage read each point of an image argument 64 times or more, and beyond its edges along rows, the stage reads a \
stage instead that is a copy of the image. So do all stages that read an interleaved image at several columns, unless all channels are computed alike and stay interleaved. Stages in groups stay as they are.";
    const STATISTICS: &'static [Statistic] = &[COPIED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            let block = program::entry(func)?;
            let mut names: TakenNames = program::units(func).iter().map(|unit| unit.name().to_owned()).collect();
            let pixels = (0..ir::arguments(block).count()).filter(|number| weft::is_interleaved(func, false, *number));
            let pixels: Vec<usize> = pixels.collect();
            if !pixels.is_empty() {
                let apart = taken_apart(cx, func, block)?;
                for (number, image) in ir::arguments(block).enumerate().filter(|(number, _)| pixels.contains(number)) {
                    let name = weft::name_at(func, false, number).unwrap_or("image");
                    let copied = copy_pixels(cx, &apart, image, || names.like(&format!("{name}_planes")))?;
                    cx.count(COPIED, usize::from(copied));
                }
            }
            for stage in ir::operations(block).filter_map(Stage::of).collect::<Vec<_>>() {
                for (number, image) in ir::arguments(block).enumerate() {
                    let loads = loads_beyond(stage, image)?;
                    if loads.iter().map(|(_, reads)| reads).sum::<i64>() < READS {
                        continue;
                    }
                    let name = weft::name_at(func, false, number).unwrap_or("image");
                    let b = Builder::before(cx.context(), stage.op()).located(stage.op().location());
                    let copy = copy(&b, image, &names.like(&format!("{name}_copy")));
                    loads.iter().for_each(|(load, _)| ir::mutable(load.op()).set_operand(0, copy));
                    cx.count(COPIED, 1);
                }
            }
            program::unify_dims(block);
        }
        Ok(())
    }
}

/// The stages that take pixels apart: all whose planes are not computed alike, of pixels, to pixels.
fn taken_apart<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Result<Vec<Stage<'c, 'a>>, Failure<'c>> {
    program::resolve_dims(cx.context(), func);
    program::hoist_scalars(block)?;
    let whole = Whole::of(block, &Sizes::of_program(func, block, &[]))?;
    let kept: Vec<Stage> = whole.model.kept_pixels().into_iter().map(|number| whole.stages[number]).collect();
    Ok(ir::operations(block).filter_map(Stage::of).filter(|stage| !kept.contains(stage)).collect())
}

/// Makes all of these stages that read pixels at several columns read one copy; whether there are any.
fn copy_pixels<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    stages: &[Stage<'c, 'a>],
    image: Value<'c, 'a>,
    name: impl FnOnce() -> String,
) -> Result<bool, Failure<'c>> {
    let mut copied: Vec<(Stage, Vec<Load>)> = Vec::new();
    for stage in stages.iter().copied() {
        let x = stage.rank() - 1;
        let (mut loads, mut columns, mut is_window) = (Vec::new(), Vec::new(), false);
        for load in ir::walk(stage.op()).into_iter().filter_map(Load::of).filter(|load| load.source() == image) {
            let column = access::indices(load)?.pop();
            if let Some(column) = column.filter(|column| column.dims().contains(&x)) {
                is_window |= column.dims().iter().any(|d| *d > x);
                columns.extend((!columns.contains(&column)).then_some(column));
                loads.push(load);
            }
        }
        if is_window || columns.len() > 1 {
            copied.push((stage, loads));
        }
    }
    let Some((first, _)) = copied.first() else { return Ok(false) };
    let b = Builder::before(cx.context(), first.op()).located(first.op().location());
    let copy = copy(&b, image, &name());
    let loads = copied.into_iter().flat_map(|(_, loads)| loads);
    loads.for_each(|load| ir::mutable(load.op()).set_operand(0, copy));
    Ok(true)
}

/// The loads of a stage's reduces that may leave an image along its rows, and how often they read a point of it.
fn loads_beyond<'c: 'a, 'a>(
    stage: Stage<'c, 'a>,
    image: Value<'c, 'a>,
) -> Result<Vec<(Load<'c, 'a>, i64)>, Failure<'c>> {
    let planes = |extents: &[Option<i64>]| -> Option<i64> {
        let far = extents.len().saturating_sub(2);
        extents[..far].iter().try_fold(1i64, |all, extent| all.checked_mul((*extent)?))
    };
    let Ok(ty) = RankedTensorType::try_from(image.r#type()) else { return Ok(Vec::new()) };
    let (Some(from), Some(to)) = (planes(&static_extents(ty)), planes(&static_extents(stage.image_type(0)))) else {
        return Ok(Vec::new());
    };
    let x = stage.extents().len() - 1;
    let mut loads = Vec::new();
    for load in ir::walk(stage.op()).into_iter().filter_map(Load::of).filter(|load| load.source() == image) {
        let leaves = match load.boundary() {
            Boundary::Clamp | Boundary::Mirror | Boundary::Reflect101 => true,
            // `--cpu-tile` pads windows with values of the whole stage only.
            Boundary::Constant => load.padding().is_some_and(|value| !is_inside(value, stage.op())),
            Boundary::None | Boundary::Wrap => false,
        };
        let indices = access::indices(load)?;
        let times = access::variables(load).iter().map(|variable| Some(variable.range?.len())).product::<Option<i64>>();
        // Of windows that lie apart a point is in fewer.
        let factors = indices.iter().flat_map(|index| index.flatten().terms).filter_map(|(atom, factor)| match atom {
            Expr::Dim(d) if d <= x => Some(factor.saturating_abs()),
            _ => None,
        });
        let apart = factors.fold(1, i64::saturating_mul);
        let follows = indices.last().is_some_and(|index: &Expr| index.dims().contains(&x));
        if let Some(times) = times.filter(|times| *times > 1 && leaves && follows) {
            loads.push((load, times.saturating_mul(to) / from.max(1).saturating_mul(apart)));
        }
    }
    Ok(loads)
}
