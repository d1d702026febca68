//! Loads of images in computes, as loads of memory at indices that are inside.
//!
//! ```text
//! %v = warp.load %img[%y, %x - 1] clamp       %i = arith.addi %x, %c-1
//!                                      ──▶    %j = arith.maxsi %i, %c0 ; %k = arith.minsi %j, <last column>
//!                                             %v = memref.load %img[%y, %k]
//! ```
//!
//! An index that lies inside by itself is left alone: a coordinate over the very extent of the image, one that the numbers say is
//! inside, or one of a tile whose interior is asked for.

use super::tiles::{along, needed_along, resolve_index};
use crate::ir::{Builder, Emit, Number, apply, constant_index, element_of, expressions, is, same};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, OperationRef, Value, ValueLike, attribute::DenseI64ArrayAttribute, block::BlockArgument,
        operation::OperationLike, r#type::MemRefType,
    },
};
use mlir_glue::{Diagnostic, ir};
use weft_dialects::{
    pipeline::{Boundary, static_extents},
    warp::{Compute, Load},
};
use weft_model::{Access, Arith, Expr, Extent, Ints, Part, Range, Source, TileStride, Variable, range_of};

/// A load as its compute sees it.
pub struct LoadView<'c, 'a> {
    load: Load<'c, 'a>,
    compute: Compute<'c, 'a>,
    /// The indices, as expressions of the compute's coordinates and of the variables behind them.
    indices: Vec<Expr>,
    /// The operands that are no coordinates: variables of loops, with the values that they take, and computed ones.
    variables: Vec<(Value<'c, 'a>, Option<Range<i64>>)>,
    /// The extents of the image.
    extents: Vec<Number<'c, 'a>>,
    /// Boxes that the load reads, if its compute is a part of a tile.
    access: Access,
}

/// The loads of a compute.
///
/// # Errors
///
/// An index that divides by something else than a positive constant.
pub fn loads_of<'c: 'a, 'a>(
    context: &'c Context,
    compute: Compute<'c, 'a>,
) -> Result<Vec<LoadView<'c, 'a>>, Diagnostic<'c>> {
    let b = Builder::before(context, compute.op());
    ir::walk(compute.op()).into_iter().filter_map(Load::of).map(|load| LoadView::of(&b, compute, load)).collect()
}

impl<'c: 'a, 'a> LoadView<'c, 'a> {
    fn of(b: &Builder<'c, 'a>, compute: Compute<'c, 'a>, load: Load<'c, 'a>) -> Result<Self, Diagnostic<'c>> {
        let rank = compute.rank();
        let mut variables: Vec<(Value, Option<Range<i64>>)> = Vec::new();
        let coordinates: Vec<Expr> = load
            .coordinates()
            .into_iter()
            .map(|value| {
                let arguments = (0..rank).filter_map(|d| compute.body().argument(d).ok()).map(Value::from);
                let own = arguments.enumerate().find(|(_, argument)| *argument == value);
                Expr::Dim(own.map_or_else(
                    || {
                        variables.push((value, values_of(value)));
                        rank + variables.len() - 1
                    },
                    |(d, _)| d,
                ))
            })
            .collect();
        let exprs = expressions(load.map())
            .ok_or_else(|| Diagnostic::on(load.op(), "divides by a number that is not positive"))?;
        let indices: Vec<Expr> = exprs.iter().map(|expr| expr.substitute(&coordinates)).collect();
        let asked = variables.iter().enumerate().map(|(number, (_, range))| Variable {
            name: number as u32,
            range: *range,
            known: range.map_or(Range::new(None, None), |range| Range::new(Some(range.lo), Some(range.hi))),
            mirrors: None,
        });
        let access = Access::new(
            Source::Image(0),
            indices.clone(),
            weft_model::Boundary::Clamp,
            None,
            vec![Extent::Known(1); indices.len()],
            (&vec![Extent::Known(1); rank], &vec![Range::new(None, None); rank]),
            asked.collect(),
        );
        Ok(Self { load, compute, extents: extents_of_memory(b, load.memory()), indices, variables, access })
    }

    /// The load.
    pub fn op(&self) -> OperationRef<'c, 'a> {
        self.load.op()
    }

    /// The dimensions of the image.
    pub fn rank(&self) -> usize {
        self.indices.len()
    }

    /// Whether an index has a boundary mode to obey where the box may leave its image.
    pub fn may_leave(&self, d: usize) -> bool {
        self.load.mode(d) != Boundary::None && !self.stays(d)
    }

    /// Whether an index stands alone, and is a computed value.
    fn is_computed(&self, d: usize) -> bool {
        self.access.is_computed(d)
    }

    /// Whether an index lies inside for all coordinates that the body gets.
    fn stays(&self, d: usize) -> bool {
        let Some(own) = self.compute.extents() else { return false };
        let own = own.into_iter().map(Number::from).collect::<Vec<_>>();
        if let Expr::Dim(along) = self.indices[d]
            && own.get(along).is_some_and(|own| same(*own, self.extents[d]))
        {
            return true;
        }
        let along = (0..own.len()).map(|d| match needed_along(self.compute, d) {
            Some((first, end)) => end.known().or(own[d].known()).map(|end| Range::new(first, end - 1)),
            None => None,
        });
        let used = self.indices[d].dims();
        let domain: Option<Vec<Range<i64>>> = along
            .chain(self.variables.iter().map(|(_, range)| *range))
            .enumerate()
            .map(|(place, range)| range.or_else(|| (!used.contains(&place)).then_some(Range::new(0, 0))))
            .collect();
        match (domain, self.extents[d].known()) {
            (Some(domain), Some(extent)) => {
                let range = range_of(&self.indices[d], &domain, &mut Ints);
                range.lo >= 0 && range.hi < extent
            }
            _ => false,
        }
    }

    /// The interval of an index over the compute's box, relative to the tile's first point, and how it moves; with where the image
    /// begins and ends along it. `None` where no comparison of the tile's number could tell.
    pub fn reach(&self, d: usize, strides: &[TileStride]) -> Option<(TileStride, Range<i64>, i64, Number<'c, 'a>)> {
        if self.is_computed(d) {
            return None;
        }
        let region: Vec<Range<i64>> = self.compute.region().iter().map(|(lo, hi)| Range::new(*lo, hi - 1)).collect();
        let part = Part { strides: strides.to_vec(), periodic: vec![false; region.len()], region };
        let (stride, range) = self.access.reads(d, &part)?;
        let (first, end) = self.load.needed().map_or((0, None), |needed| needed[d]);
        Some((stride, range, first, end.map_or(self.extents[d], Number::Known)))
    }

    /// Whether the code of tiles inside needs no boundary mode, but for computed indices.
    pub fn is_decided(&self, strides: &[TileStride]) -> bool {
        (0..self.indices.len()).all(|d| self.is_computed(d) || !self.may_leave(d) || self.reach(d, strides).is_some())
    }

    /// Puts a load of memory in place of it; `is_inside` where it has been found that no index leaves but computed ones. `of` is the
    /// load that says which indices stay inside by themselves: itself, or what it was copied from, whose compute has extents.
    pub fn lower(&self, b: &Builder<'c, 'a>, is_inside: bool, of: &Self) {
        let coordinates: Vec<Value> = (0..self.compute.rank())
            .filter_map(|d| self.compute.body().argument(d).ok())
            .map(Value::from)
            .chain(self.variables.iter().map(|(value, _)| *value))
            .collect();
        let needed = self.load.needed().filter(|_| !is_inside);
        let mut inside = None;
        let mut indices = Vec::new();
        for (d, index) in self.indices.iter().enumerate() {
            let is_plain = if is_inside { !self.is_computed(d) } else { of.stays(d) };
            let mode = if is_plain { Boundary::None } else { self.load.mode(d) };
            let called = |what: &str| b.named(&along(what, self.rank(), d));
            let index = apply(index, &coordinates, &called("at"));
            let resolved = resolve_index(b, index, (self.extents[d], mode), (self.rank(), d));
            inside = b.named("inside").both(inside, resolved.inside);
            indices.push(match &needed {
                None => resolved.index,
                Some(needed) => {
                    let b = &called("needed");
                    let mut emit = Emit(b);
                    let (first, end) = needed[d];
                    let above = emit.max(&Number::Value(resolved.index), &Number::Known(first));
                    end.map_or(above, |end| emit.min(&above, &Number::Known(end - 1))).value(b)
                }
            });
        }
        let element = element_of(self.load.memory());
        let mut value = b.load(self.load.memory(), &indices, element);
        if let (Some(inside), Some(padding)) = (inside, self.load.padding()) {
            value = b.select(inside, value, padding, element);
        }
        ir::replace_all_uses(self.load.op().result(0).expect("a load has a result").into(), value);
        ir::erase(self.load.op());
    }
}

/// Lowers all loads of computes whose tiles may lie anywhere.
///
/// # Errors
///
/// As [`loads_of`].
pub fn lower_loads<'c: 'a, 'a>(
    context: &'c Context,
    computes: impl IntoIterator<Item = Compute<'c, 'a>>,
) -> Result<(), Diagnostic<'c>> {
    for compute in computes {
        for load in loads_of(context, compute)? {
            load.lower(&Builder::before(context, load.op()), false, &load);
        }
    }
    Ok(())
}

/// The length of an image's rows, where a compute loads them from column to column: by the last index alone, as it is.
pub fn row_length_of<'c: 'a, 'a>(compute: Compute<'c, 'a>, load: Load<'c, 'a>) -> Option<Number<'c, 'a>> {
    let column: Value = compute.body().argument(compute.rank() - 1).ok()?.into();
    let column = load.coordinates().iter().position(|coordinate| *coordinate == column)?;
    let indices = expressions(load.map())?;
    let (last, others) = indices.split_last()?;
    if *last != Expr::Dim(column) || others.iter().any(|index| index.dims().contains(&column)) {
        return None;
    }
    // It is asked of views of pointers, whose sizes are there.
    known_extents(load.memory()).into_iter().last()?
}

/// The values of a loop's variable, where they are known.
fn values_of(value: Value) -> Option<Range<i64>> {
    // Of another value `try_from` prints the op.
    let argument = value.is_block_argument().then(|| BlockArgument::try_from(value).ok()).flatten()?;
    let around = argument.owner().parent_operation().filter(|op| is(*op, "scf.for"))?;
    let bound = |number| constant_index(ir::operand(around, number)?);
    let (lo, hi) = (bound(0)?, bound(1)?);
    (argument.argument_number() == 0 && lo < hi).then(|| Range::new(lo, hi - 1))
}

/// The extents of memory: of a view of a pointer, those that it was made with. `None` is what must be asked at run time.
fn known_extents<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Vec<Option<Number<'c, 'a>>> {
    let ty = MemRefType::try_from(memory.r#type()).expect("ODS admits memory only");
    let is_dynamic = |attribute: Attribute<'c>| {
        let numbers = DenseI64ArrayAttribute::try_from(attribute);
        numbers.is_ok_and(|numbers| (0..numbers.len()).any(|at| numbers.element(at) == Ok(i64::MIN)))
    };
    let view = ir::defining_op(memory).filter(|op| is(*op, "memref.reinterpret_cast"));
    let view = view.filter(|op| op.attribute("static_offsets").is_ok_and(|offsets| !is_dynamic(offsets)));
    // The pointer comes first, then the sizes.
    let mut sizes = view.into_iter().flat_map(|op| op.operands().skip(1).collect::<Vec<_>>());
    let extent = |known: Option<i64>| known.map(Number::Known).or_else(|| sizes.next().map(Number::from));
    static_extents(ty).into_iter().map(extent).collect()
}

fn extents_of_memory<'c: 'a, 'a>(b: &Builder<'c, 'a>, memory: Value<'c, 'a>) -> Vec<Number<'c, 'a>> {
    let ask = |dimension: usize| {
        Number::Value(b.value("memref.dim", &[memory, b.index(dimension as i64)], b.index_type(), &[]))
    };
    let extents = known_extents(memory).into_iter().enumerate();
    extents.map(|(dimension, extent)| extent.unwrap_or_else(|| ask(dimension))).collect()
}
