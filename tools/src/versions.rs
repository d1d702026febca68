//! Versions of a program for images of several sizes: what keeps a GPU busy with a large image leaves it idle with a small one.
//!
//! ```text
//! @blur, its groups and schedules       512²   {stream = "y", tile = [16, 60]}     ──▶  @blur_512     fewer than 512 · 1024 points
//! as chosen for images of            1024²   {stream = "y", tile = [32, 120]}    ──▶  @blur_1024    fewer than 1024 · 2048
//!                                    2048²   {stream = "y", tile = [64, 120]} ┐
//!                                    4096²   {stream = "y", tile = [64, 120]} ┴──▶  @blur
//! ```
//!
//! Sizes that want the same share a version. Which runs is decided by the call, from the extents of the program's largest image.

use crate::{Stop, run_steps, signature::Signature, tune::groups::copy};
use melior::{
    Context,
    ir::{BlockLike, Module, OperationRef, attribute::StringAttribute, operation::OperationMutLike},
};
use mlir_glue::ir;
use weft_dialects::weft::set_estimate;
use weft_passes::{
    analysis::DEFAULT_EXTENT,
    ir::{TakenNames, program, symbol},
    pipelines::{PipelineToPtx, PtxOptions},
};
use weft_runtime::{
    ArgumentType,
    aot::{Program, Version, Versions},
};

/// A module with PTX and host code for the programs of `module`, in a version for each of the sizes, sides of square images, that wants its
/// own. `programs` learn what versions they have.
///
/// # Errors
///
/// What the pipeline refuses.
pub fn compile<'c>(
    context: &'c Context,
    module: &Module<'c>,
    options: &PtxOptions,
    sides: &[u32],
    programs: &mut [Program],
) -> Result<Module<'c>, Stop> {
    let [to_groups, to_ptx] = PipelineToPtx::halves(options)?;
    let mut sides = sides.to_vec();
    sides.sort_unstable();
    sides.dedup();
    let signatures = program::programs(module.as_operation()).into_iter().map(Signature::of);
    let signatures = signatures.collect::<Result<Vec<_>, _>>()?;
    // Where all extents are known, every size wants the same.
    if !signatures.iter().any(|signature| Images::of(signature).are_free()) {
        sides.drain(..sides.len().saturating_sub(1));
    }
    let mut grouped: Vec<(u32, Module)> = Vec::new();
    for side in sides {
        let module = copy(module);
        for func in program::programs(module.as_operation()) {
            Images::of(&Signature::of(func)?).assume(context, func, side);
        }
        run_steps(&module, &to_groups)?;
        grouped.push((side, module));
    }
    let Some((largest, whole)) = grouped.pop() else { return Err(Stop::Because("no size, expected one".into())) };
    let mut names: TakenNames = ir::operations(whole.body()).map(|op| symbol(op).to_owned()).collect();
    for program in programs {
        let name = &program.entry.name;
        let Some(own) = function(&whole, name) else { continue };
        let images = Images::of(&Signature::of(own)?);
        let mut smaller = Vec::new();
        let (mut next_side, mut next) = (largest, text(context, &whole, name, &images));
        for (side, module) in grouped.iter().rev() {
            let Some(func) = function(module, name) else { continue };
            let of_side = text(context, module, name, &images);
            if of_side != next {
                let name = names.like(&format!("{name}_{side}"));
                let version = whole.body().append_operation((*func).clone());
                ir::mutable(version).set_attribute("sym_name", StringAttribute::new(context, &name).into());
                let below = u64::from(*side) * u64::from(next_side) * images.planes as u64;
                smaller.push(Version { name, below });
                next = of_side;
            }
            next_side = *side;
        }
        smaller.reverse();
        program.versions = Versions { argument: images.largest, smaller };
    }
    run_steps(&whole, &to_ptx)?;
    Ok(whole)
}

/// The extents of a program's images, as far as they may be other ones.
struct Images {
    /// For each argument those that models assume, and whether each is free; nothing for a number.
    extents: Vec<Vec<(usize, bool)>>,
    /// The argument with the most points.
    largest: usize,
    /// The product of the extents of the largest that are not free.
    planes: usize,
}

impl Images {
    fn of(signature: &Signature) -> Self {
        let extents: Vec<Vec<(usize, bool)>> = (signature.arguments.iter())
            .map(|argument| {
                let ArgumentType::Tensor(tensor) = &argument.ty else { return Vec::new() };
                let assumed = |d: usize| argument.estimate.as_ref().and_then(|all| all.get(d)).copied();
                let extent = |(d, known): (usize, &Option<usize>)| match known {
                    Some(known) => (*known, false),
                    None => (assumed(d).unwrap_or(DEFAULT_EXTENT as usize).max(1), true),
                };
                tensor.shape.iter().enumerate().map(extent).collect()
            })
            .collect();
        let free = |argument: &usize| points(&extents[*argument], true) as u64;
        // The first of those that are equally large.
        let largest = (0..extents.len()).rev().max_by_key(free).unwrap_or(0);
        let planes = extents.get(largest).map_or(1.0, |largest| points(largest, false)) as usize;
        Self { extents, largest, planes }
    }

    fn are_free(&self) -> bool {
        self.extents.iter().flatten().any(|(_, is_free)| *is_free)
    }

    /// Says of a program's arguments that the free extents of the largest image are those of a square of this side, and of all others
    /// that they are larger or smaller by as much.
    fn assume(&self, context: &Context, func: OperationRef, side: u32) {
        let Some(largest) = self.extents.get(self.largest) else { return };
        let dimensions = largest.iter().filter(|(_, is_free)| *is_free).count().max(1);
        let factor = (f64::from(side).powi(2) / points(largest, true)).powf(1.0 / dimensions as f64);
        for (argument, extents) in self.extents.iter().enumerate().filter(|(_, extents)| !extents.is_empty()) {
            let scaled = extents.iter().map(|(extent, is_free)| match is_free {
                true => ((*extent as f64 * factor).round() as i64).max(1),
                false => *extent as i64,
            });
            set_estimate(context, func, argument, &scaled.collect::<Vec<_>>());
        }
    }
}

/// The product of those extents of an image that are free, or of the others.
fn points(extents: &[(usize, bool)], free: bool) -> f64 {
    extents.iter().filter(|(_, is_free)| *is_free == free).map(|(extent, _)| *extent as f64).product()
}

/// A program of the module.
fn function<'c: 'a, 'a>(module: &'a Module<'c>, name: &str) -> Option<OperationRef<'c, 'a>> {
    program::programs(module.as_operation()).into_iter().find(|func| symbol(*func) == name)
}

/// A program as text, whatever its images were assumed to be.
fn text(context: &Context, module: &Module, name: &str, images: &Images) -> Option<String> {
    let module = copy(module);
    let func = function(&module, name)?;
    images.assume(context, func, 1);
    Some(func.to_string())
}
