//! `--channels-outermost`: images of pixels are computed plane by plane, however they lie in memory.
//!
//! ```text
//! func @f(%img: tensor<?x?x3xi8>) {                    func @f(%img: tensor<3x?x?xi8> {weft.interleaved})
//!     -> tensor<?x?x3xi8>                                  -> (tensor<3x?x?xi8> {weft.interleaved})
//!   %a = stage "a" (%y, %x, %c) {               ──▶      %a = stage "a" (%c, %y, %x) {
//!     load %img[%y, %x - 1, %c] ...                        load %img[%c, %y, %x - 1] ...
//!   } : tensor<?x?x3xi8>                                 } : tensor<3x?x?xi8>
//!   return %a                                            return %a
//! ```
//!
//! Rows are what becomes vectors, and the innermost dimension is what a row runs along: of three channels there is no vector. So stages and scans
//! over pixels get their channels before their rows, and what is read and computed between them lies in planes. What the caller has
//! stays as it is: `weft.interleaved` says of an argument or a result that its channels are innermost in memory. Stages read and
//! write that where it lies; what scans or iterates work on is copied on the way in and out.
//!
//! A stage stays as it is where it reads another image along columns by the coordinate that would run along rows: then its
//! vectors would have to be gathered. So does an argument that no stage reads pixel by pixel.

use super::copy::{MOST_CHANNELS, copy};
use crate::{
    analysis::{access, bounds::loads},
    ir::{Builder, Key, TakenNames, dim_of, is, key, program},
};
use melior::{
    dialect::DialectHandle,
    ir::{
        AffineExpr, AffineMap, BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
        attribute::TypeAttribute,
        operation::{OperationLike, OperationMutLike},
        r#type::{FunctionType, RankedTensorType, ShapedTypeLike},
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashSet;
use weft_dialects::{
    pipeline::{Group, Iterate, Load, Scan, Scatter, Stage, Unit, static_extents},
    weft,
};

/// The pass.
pub struct ChannelsOutermost;

const UNITS: Statistic = Statistic::new(c"units", c"Stages and scans whose channels are computed plane by plane");
const COPIED: Statistic = Statistic::new(c"copied", c"Images that are copied between planes and pixels");

impl Pass for ChannelsOutermost {
    const ARGUMENT: &'static str = "channels-outermost";
    const SUMMARY: &'static str = "Compute images of pixels plane by plane";
    const DESCRIPTION: &'static str = "\
Of stages and scans whose innermost dimension is 1 to 4 channels, and the one before is longer, moves the channels before the rows, so that rows run \
along the image. Arguments and results keep their place in memory: `weft.interleaved` says of those that are in another order there. \
Programs with groups stay as they are.";
    const STATISTICS: &'static [Statistic] = &[UNITS, COPIED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for func in program::programs(module) {
            let block = program::entry(func)?;
            if ir::walk(func).into_iter().any(|op| Group::of(op).is_some()) {
                continue;
            }
            let images = Images::of(func, block)?;
            if !images.planar.is_empty() {
                images.reorder(cx, func, block);
                program::resolve_dims(cx.context(), func);
            }
        }
        Ok(())
    }
}

/// The images of a program whose channels are to stand before their rows.
struct Images {
    planar: HashSet<Key>,
}

impl Images {
    fn of<'c: 'a, 'a>(func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<Self, Failure<'c>> {
        let units: Vec<Unit> =
            program::units(func).into_iter().filter(|unit| Scatter::of(unit.op()).is_none()).collect();
        let iterates: Vec<Iterate> = program::iterates(block).collect();
        let results = |op: OperationRef<'c, 'a>| op.results().map(Value::from).collect::<Vec<_>>();
        let computed = units.iter().map(|unit| unit.op()).chain(iterates.iter().map(|iterate| iterate.op()));
        let all = ir::arguments(block)
            .chain(computed.flat_map(results))
            .chain(iterates.iter().flat_map(|iterate| iterate.states()));
        let mut images = Self { planar: all.filter(|image| is_of_pixels(*image)).map(key).collect() };
        loop {
            let before = images.planar.len();
            for unit in &units {
                if !images.suits(*unit)? {
                    images.keep(*unit);
                }
            }
            for iterate in &iterates {
                images.agree(*iterate);
            }
            if images.planar.len() == before {
                break;
            }
        }
        for argument in ir::arguments(block).filter(|argument| is_of_pixels(*argument)) {
            // What an iterate begins with is in the order of its states, whoever reads it.
            let is_initial = iterates.iter().any(|iterate| iterate.initial().contains(&argument));
            if !is_initial && !images.is_read_by_pixels(func, argument)? {
                images.planar.remove(&key(argument));
            }
        }
        Ok(images)
    }

    fn contains(&self, image: Value) -> bool {
        self.planar.contains(&key(image))
    }

    /// A unit stays as it is.
    fn keep(&mut self, unit: Unit) {
        unit.op().results().for_each(|result| _ = self.planar.remove(&key(result.into())));
    }

    /// The coordinate that runs along the rows of a unit.
    fn along_rows(&self, unit: Unit) -> usize {
        let is_planar = ir::result(unit.op(), 0).is_some_and(|result| self.contains(result));
        unit.body().argument_count() - 1 - usize::from(is_planar)
    }

    /// Whether a unit can be computed plane by plane without a gather of what it reads: of other images, rows are read along rows.
    fn suits<'c: 'a, 'a>(&self, unit: Unit<'c, 'a>) -> Result<bool, Failure<'c>> {
        let x = self.along_rows(unit);
        for load in loads(unit).filter(|load| !self.contains(load.source())) {
            let indices = access::indices(load)?;
            let outer = indices.split_last().map_or(&[][..], |(_, outer)| outer);
            if outer.iter().any(|index| index.dims().contains(&x)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The images that an iterate hands from step to step are in one order.
    fn agree(&mut self, iterate: Iterate) {
        let next: Vec<Value> = iterate.terminator().map(|end| end.operands().collect()).unwrap_or_default();
        for (number, (state, next)) in iterate.states().into_iter().zip(next).enumerate() {
            let initial = iterate.initial()[number];
            let result = ir::result(iterate.op(), number).expect("an iterate gives its states");
            let all = [initial, state, next, result];
            if all.iter().all(|image| self.contains(*image)) {
                continue;
            }
            for image in all {
                match ir::defining_op(image).and_then(Unit::of) {
                    Some(unit) => self.keep(unit),
                    None => _ = self.planar.remove(&key(image)),
                }
            }
        }
    }

    /// Whether stages read an argument pixel by pixel along their rows, and none channel by channel.
    fn is_read_by_pixels<'c: 'a, 'a>(
        &self,
        func: OperationRef<'c, 'a>,
        argument: Value<'c, 'a>,
    ) -> Result<bool, Failure<'c>> {
        let mut is_read = false;
        for unit in program::units(func) {
            let x = self.along_rows(unit);
            for load in loads(unit).filter(|load| load.source() == argument) {
                let indices = access::indices(load)?;
                let [.., column, channel] = &indices[..] else { continue };
                if channel.dims().contains(&x) {
                    return Ok(false);
                }
                let rank = unit.body().argument_count();
                let goes = |d: usize| match d.checked_sub(rank) {
                    None => d == x,
                    // Backwards, in a mirrored image.
                    Some(number) => access::backwards(access::variables(load)[number].value, Some(unit))
                        .is_some_and(|index| index.coordinate == x),
                };
                is_read |= column.dims().into_iter().any(goes);
            }
        }
        Ok(is_read)
    }

    /// Changes the order of all dimensions.
    fn reorder<'c: 'a, 'a>(&self, cx: &PassContext<'c>, func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) {
        let ops = ir::walk(func);
        let units: Vec<Unit> = ops.iter().copied().filter_map(Unit::of).collect();
        for op in &ops {
            if let Some(load) = Load::of(*op).filter(|load| self.contains(load.source())) {
                reorder_map(cx, load);
            }
            if let Some((image, dimension)) = dim_of(*op).filter(|(image, _)| self.contains(*image)) {
                let b = Builder::before(cx.context(), *op);
                let rank = RankedTensorType::try_from(image.r#type()).map_or(0, |ty| ty.rank());
                let place = weft::planar(&(0..rank).collect::<Vec<_>>()).into_iter().position(|d| d == dimension);
                ir::mutable(*op).set_operand(1, b.index(place.map_or(0, |place| place as i64)));
            }
        }
        for unit in &units {
            if ir::result(unit.op(), 0).is_some_and(|result| self.contains(result)) {
                reorder_body(cx, *unit);
                cx.count(UNITS, 1);
            }
        }
        let states = program::iterates(block).flat_map(|iterate| iterate.states());
        let results = ops.iter().flat_map(|op| op.results().map(Value::from).collect::<Vec<_>>());
        let all: Vec<Value> = ir::arguments(block).chain(states).chain(results).collect();
        for image in all.into_iter().filter(|image| self.contains(*image)) {
            image.set_type(planar_type(image));
        }
        let returned: Vec<Value> = block.terminator().map(|end| end.operands().collect()).unwrap_or_default();
        let results = (0..returned.len()).filter(|number| self.contains(returned[*number]));
        let arguments =
            (0..block.argument_count()).filter(|number| argument(block, *number).is_some_and(|a| self.contains(a)));
        self.copy_in(cx, func, block);
        self.copy_out(cx, func, block);
        retype(cx, func, block, &arguments.collect::<Vec<_>>(), &results.collect::<Vec<_>>());
    }

    /// What scans read and iterates begin with lies in planes: of arguments a copy.
    fn copy_in<'c: 'a, 'a>(&self, cx: &PassContext<'c>, func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) {
        let mut names = names_of(func);
        let Some(first) = ir::operations(block).find(|op| program::is_program_op(*op)) else { return };
        for (number, argument) in ir::arguments(block).enumerate().filter(|(_, argument)| self.contains(*argument)) {
            let uses: Vec<_> = ir::uses(argument).into_iter().filter(|(user, _)| !may_read_pixels(*user)).collect();
            let Some((user, _)) = uses.first() else { continue };
            let name = weft::name_at(func, false, number).unwrap_or("image");
            let b = Builder::before(cx.context(), first).located(user.location());
            let planes = copy(&b, argument, &names.like(&format!("{name}_planes")));
            uses.iter().for_each(|(user, operand)| ir::mutable(*user).set_operand(*operand, planes));
            cx.count(COPIED, 1);
        }
    }

    /// What is returned is written to pixels by a stage: by the one that computes it, if only stages read that.
    fn copy_out<'c: 'a, 'a>(&self, cx: &PassContext<'c>, func: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) {
        let mut names = names_of(func);
        let Some(end) = block.terminator() else { return };
        for (number, image) in end.operands().enumerate().filter(|(_, image)| self.contains(*image)) {
            let is_argument = ir::defining_op(image).is_none();
            let is_of_stage = ir::defining_op(image).and_then(Stage::of).is_some();
            if is_argument || is_of_stage && ir::uses(image).into_iter().all(|(user, _)| may_read_pixels(user)) {
                continue;
            }
            let unit = program::unit_of(image).map_or("image", |unit| unit.name());
            let name = weft::name_at(func, true, number).unwrap_or(unit);
            let b = Builder::before(cx.context(), end).located(image.location());
            let pixels = copy(&b, image, &names.like(&format!("{name}_pixels")));
            ir::mutable(end).set_operand(number, pixels);
            cx.count(COPIED, 1);
        }
    }
}

/// The function's type, and what is said of the arguments and results of these numbers.
fn retype<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    func: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    arguments: &[usize],
    results: &[usize],
) {
    let types = |values: Vec<Value<'c, 'a>>| values.iter().map(|value| value.r#type()).collect::<Vec<Type>>();
    let returned = block.terminator().map(|end| end.operands().collect()).unwrap_or_default();
    let ty = FunctionType::new(cx.context(), &types(ir::arguments(block).collect()), &types(returned));
    ir::mutable(func).set_attribute("function_type", TypeAttribute::new(ty.into()).into());
    let unit = Builder::before(cx.context(), func).unit_attribute();
    let all = arguments.iter().map(|number| (false, *number)).chain(results.iter().map(|number| (true, *number)));
    all.for_each(|of| weft::set_attribute(cx.context(), func, of, weft::INTERLEAVED, Some(unit)));
    for number in arguments {
        weft::reorder_extents(cx.context(), func, *number, weft::planar);
    }
}

/// Whether the last dimension of an image can be that of channels, and has a longer one before it.
fn is_of_pixels(image: Value) -> bool {
    let Ok(ty) = RankedTensorType::try_from(image.r#type()) else { return false };
    match static_extents(ty)[..] {
        [_, .., columns, Some(channels)] => {
            (1..=MOST_CHANNELS).contains(&channels) && columns.is_none_or(|columns| columns > MOST_CHANNELS)
        }
        _ => false,
    }
}

/// The type of an image of pixels in planes.
fn planar_type<'c>(image: Value<'c, '_>) -> Type<'c> {
    let ty = RankedTensorType::try_from(image.r#type()).expect("images are tensors");
    // MLIR's number for an extent that a type does not say.
    let extents = static_extents(ty).into_iter().map(|extent| extent.unwrap_or(i64::MIN).cast_unsigned());
    RankedTensorType::new(&weft::planar(&extents.collect::<Vec<_>>()), ty.element(), None).into()
}

/// Whether a user may read pixels where they lie: stages may, and scatters, and what copies memory.
fn may_read_pixels(user: OperationRef) -> bool {
    match Load::of(user) {
        Some(load) => load.unit().is_some_and(|unit| Scan::of(unit.op()).is_none()),
        None => is(user, "func.return") || is(user, "tensor.dim"),
    }
}

/// Changes the order of a load's indices.
fn reorder_map<'c>(cx: &PassContext<'c>, load: Load<'c, '_>) {
    let map = load.map();
    let indices: Vec<AffineExpr> = (0..map.result_count()).filter_map(|d| map.result(d).ok()).collect();
    let map = AffineMap::new(cx.context(), map.dim_count(), map.symbol_count(), &weft::planar(&indices));
    ir::mutable(load.op()).set_attribute("map", ir::affine_map_attribute(map));
}

/// Changes the order of a unit's coordinates, and of what is said of its dimensions.
fn reorder_body<'c: 'a, 'a>(cx: &PassContext<'c>, unit: Unit<'c, 'a>) {
    let coordinates: Vec<Value> = ir::arguments(unit.body()).collect();
    let order = weft::planar(&(0..coordinates.len()).collect::<Vec<_>>());
    let uses: Vec<_> = coordinates.iter().map(|coordinate| ir::uses(*coordinate)).collect();
    for (place, d) in order.iter().enumerate() {
        uses[*d].iter().for_each(|(user, operand)| ir::mutable(*user).set_operand(*operand, coordinates[place]));
    }
    if let Some(needed) = unit.needed() {
        let needed = Stage::needed_attribute(cx.context(), &weft::planar(&needed));
        ir::mutable(unit.op()).set_attribute("needed", needed);
    }
    if let Some(scan) = Scan::of(unit.op()) {
        let along = order.iter().position(|d| *d == scan.along()).unwrap_or(0);
        let along = Builder::before(cx.context(), unit.op()).i64_attribute(along as i64);
        ir::mutable(unit.op()).set_attribute("along", along);
    }
}

fn names_of(func: OperationRef) -> TakenNames {
    program::units(func).iter().map(|unit| unit.name().to_owned()).collect()
}

fn argument<'c: 'a, 'a>(block: BlockRef<'c, 'a>, number: usize) -> Option<Value<'c, 'a>> {
    Some(block.argument(number).ok()?.into())
}
