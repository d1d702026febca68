//! Typed views of the ops: what a pass asks an op, in the words of the field.
//!
//! A view is an `OperationRef` whose name was checked. Accessors assume an op that verifies; where a verifier itself
//! uses them, it has checked before what they rely on.

use super::combine::Combine;
use melior::{
    Context,
    ir::{
        AffineMap, Attribute, BlockLike, BlockRef, OperationRef, RegionLike, Type, Value, ValueLike,
        attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute, DictionaryAttribute, IntegerAttribute},
        block::BlockArgument,
        operation::{OperationLike, OperationResult},
        r#type::{DimSize, IntegerType, RankedTensorType, ShapedTypeLike},
    },
};
use mlir_glue::ir;

/// What a load gives where its index lies outside the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// The index must lie inside.
    None,
    /// The nearest point of the edge.
    Clamp,
    /// The image reflected at its edges, the edge repeated.
    Mirror,
    /// The image reflected at its edges, the edge not repeated.
    Reflect101,
    /// The image repeated.
    Wrap,
    /// A given value.
    Constant,
}

impl Boundary {
    /// The mode of this number in IR's enum.
    pub(crate) fn of_case(case: i64) -> Self {
        match case {
            1 => Self::Clamp,
            2 => Self::Mirror,
            3 => Self::Wrap,
            4 => Self::Constant,
            5 => Self::Reflect101,
            _ => Self::None,
        }
    }

    /// The attribute in IR.
    pub(crate) fn attribute(self, context: &Context) -> Attribute<'_> {
        let case = match self {
            Self::None => 0,
            Self::Clamp => 1,
            Self::Mirror => 2,
            Self::Reflect101 => 5,
            Self::Wrap => 3,
            Self::Constant => 4,
        };
        IntegerAttribute::new(IntegerType::new(context, 32).into(), case).into()
    }

    /// The mode of a keyword.
    pub(crate) fn of_keyword(keyword: &str) -> Option<Self> {
        let all = [Self::None, Self::Clamp, Self::Mirror, Self::Reflect101, Self::Wrap, Self::Constant];
        all.into_iter().find(|mode| mode.keyword() == keyword)
    }

    /// The keyword in IR.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Clamp => "clamp",
            Self::Mirror => "mirror",
            Self::Reflect101 => "reflect101",
            Self::Wrap => "wrap",
            Self::Constant => "constant",
        }
    }
}

/// The extent of one dimension of a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent<'c, 'a> {
    /// Known from the type.
    Static(i64),
    /// An operand of the stage, of type `index`.
    Dynamic(Value<'c, 'a>),
}

/// What the coordinates of an image of this rank are called: the last one runs along the contiguous dimension.
pub fn coordinate_names(rank: usize) -> &'static [&'static str] {
    const NAMES: [&str; 4] = ["n", "c", "y", "x"];
    &NAMES[NAMES.len().saturating_sub(rank)..]
}

/// A unit of work: an op that computes images from what it loads, by a body that is evaluated at points: a stage, a scan or a
/// scatter. Passes that ask no more than that take units, so that all three are treated alike.
///
/// ```text
///            arguments of the body             the leading dimensions of its images, then the variables of a scatter
/// stage      (%y, %x)                          [y, x]
/// scan       (%y, %x) along 0                  [y, x]
/// scatter    (%y, %x) over (%ry, %rx)          [y, x, places...]
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Unit<'c, 'a>(OperationRef<'c, 'a>);

/// A view of one kind of unit: all that a unit has, and more.
macro_rules! unit_view {
    ($(#[$meta:meta])* $view:ident = $name:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq)]
        pub struct $view<'c, 'a>(Unit<'c, 'a>);

        impl<'c, 'a> $view<'c, 'a> {
            /// The op's name in IR.
            pub const NAME: &'static str = $name;

            /// Views an op, if it is one.
            pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
                (op.name().as_string_ref().as_str() == Ok($name)).then_some(Self(Unit(op)))
            }
        }

        impl<'c, 'a> std::ops::Deref for $view<'c, 'a> {
            type Target = Unit<'c, 'a>;
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl<'c, 'a> From<$view<'c, 'a>> for Unit<'c, 'a> {
            fn from(view: $view<'c, 'a>) -> Self {
                view.0
            }
        }
    };
}

unit_view!(
    /// A `pipeline.stage`.
    Stage = "pipeline.stage"
);
unit_view!(
    /// A `pipeline.scan`.
    Scan = "pipeline.scan"
);
unit_view!(
    /// A `pipeline.scatter`.
    Scatter = "pipeline.scatter"
);
view!(
    /// A `pipeline.previous`.
    Previous = "pipeline.previous"
);
view!(
    /// A `pipeline.update`.
    Update = "pipeline.update"
);
view!(
    /// A `pipeline.reduce`.
    Reduce = "pipeline.reduce"
);

/// A `pipeline.load` or a `pipeline.gather`: what reads an image.
#[derive(Clone, Copy, PartialEq)]
pub struct Load<'c, 'a>(OperationRef<'c, 'a>);

impl<'c, 'a> Load<'c, 'a> {
    /// The op's name in IR, where all indices are affine.
    pub const NAME: &'static str = "pipeline.load";
    /// The op's name in IR, where an index may be computed.
    pub const GATHER: &'static str = "pipeline.gather";

    /// Views an op, if it is one.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let name = op.name();
        matches!(name.as_string_ref().as_str(), Ok(Self::NAME | Self::GATHER)).then_some(Self(op))
    }

    /// The op.
    pub fn op(self) -> OperationRef<'c, 'a> {
        self.0
    }
}

view!(
    /// A `pipeline.group`.
    Group = "pipeline.group"
);

view!(
    /// A `pipeline.iterate`.
    Iterate = "pipeline.iterate"
);

/// The string attribute `name` of a stage, a group or an iterate.
pub(crate) fn name_of<'c>(op: OperationRef<'c, '_>) -> &'c str {
    op.attribute("name").ok().and_then(text_of).unwrap_or_default()
}

/// The text of a string attribute; `None` where there is none, or it is empty.
pub(crate) fn text_of(attribute: Attribute<'_>) -> Option<&str> {
    ir::text_of(attribute).filter(|text| !text.is_empty())
}

/// The only block of an op with one region. ODS checks that there is one.
pub(crate) fn body_of<'c, 'a>(op: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
    op.region(0).ok().and_then(|region| region.first_block()).expect("SingleBlock")
}

impl<'c, 'a> Unit<'c, 'a> {
    /// Views an op, if it is a unit of work.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let names = [Stage::NAME, Scan::NAME, Scatter::NAME];
        op.name().as_string_ref().as_str().is_ok_and(|name| names.contains(&name)).then_some(Self(op))
    }

    /// The op.
    pub fn op(self) -> OperationRef<'c, 'a> {
        self.0
    }

    /// What messages call it: `stage`, `scan` or `scatter`.
    pub fn kind(self) -> &'static str {
        match () {
            () if Scan::of(self.0).is_some() => "scan",
            () if Scatter::of(self.0).is_some() => "scatter",
            () => "stage",
        }
    }

    /// Its name.
    pub fn name(self) -> &'c str {
        name_of(self.0)
    }

    /// The block that is evaluated at points.
    pub fn body(self) -> BlockRef<'c, 'a> {
        body_of(self.0)
    }

    /// The `pipeline.yield` or `pipeline.update` at the end of the body.
    pub fn terminator(self) -> Option<OperationRef<'c, 'a>> {
        self.body().terminator()
    }

    /// The type of result `index`.
    pub fn image_type(self, index: usize) -> RankedTensorType<'c> {
        tensor_type(self.0.result(index).expect("index of a result").r#type())
    }

    /// The number of dimensions of its images.
    pub fn rank(self) -> usize {
        self.image_type(0).rank()
    }

    /// How many dimensions of its images are coordinates of the body: all but the places of a scatter.
    pub fn coordinate_count(self) -> usize {
        let variables = Scatter::of(self.0)
            .and_then(|_| self.0.attribute("domain").ok())
            .map_or(0, |domain| integers(domain).len() / 2);
        self.body().argument_count().saturating_sub(variables)
    }

    /// The extents of its images, outermost dimension first.
    pub fn extents(self) -> Vec<Extent<'c, 'a>> {
        let before = Scatter::of(self.0).map_or(0, |_| segments(self.0)[..2].iter().sum());
        with_operands(static_extents(self.image_type(0)), self.0.operands().skip(before))
    }

    /// Where each argument of the body begins, and where it ends: half-open.
    pub fn bounds(self) -> Vec<(i64, Extent<'c, 'a>)> {
        let coordinates = self.extents().into_iter().take(self.coordinate_count()).map(|extent| (0, extent));
        coordinates.chain(Scatter::of(self.0).into_iter().flat_map(Scatter::domain)).collect()
    }

    /// What the arguments of the body are called: the variables of a scatter with an `r` before.
    pub fn argument_names(self) -> Vec<&'static str> {
        const VARIABLES: [&str; 4] = ["rn", "rc", "ry", "rx"];
        let count = self.coordinate_count();
        let variables = self.body().argument_count().saturating_sub(count);
        let variables = &VARIABLES[VARIABLES.len().saturating_sub(variables)..];
        coordinate_names(count).iter().chain(variables).copied().collect()
    }

    /// The half-open interval of each dimension that is needed, an end being `None` where it is dynamic; all of it if
    /// `--infer-bounds` has not run.
    pub fn needed(self) -> Option<Vec<(Option<i64>, Option<i64>)>> {
        let ends = integers(self.0.attribute("needed").ok()?);
        let end = |value: i64| (value != i64::MIN).then_some(value);
        Some(ends.chunks_exact(2).map(|pair| (end(pair[0]), end(pair[1]))).collect())
    }

    /// Whether a dimension must be computed whole, whatever is needed of it: the one that a scan walks along, and the places
    /// of a scatter.
    pub fn is_whole(self, dimension: usize) -> bool {
        Scan::of(self.0).is_some_and(|scan| scan.along() == dimension) || dimension >= self.coordinate_count()
    }
}

impl Scan<'_, '_> {
    /// The dimension that it walks along.
    pub fn along(self) -> usize {
        // The verifier checks that it is one.
        usize::try_from(integer(self.op(), "along")).unwrap_or(0)
    }

    /// Whether it begins at the last point.
    pub fn is_backward(self) -> bool {
        self.op().has_attribute("backward")
    }
}

impl<'c, 'a> Previous<'c, 'a> {
    /// The value where there is no such point.
    pub fn start(self) -> Value<'c, 'a> {
        self.0.operand(0).expect("ODS says one operand")
    }

    /// How many points before.
    pub fn distance(self) -> i64 {
        integer(self.0, "distance")
    }

    /// The result of the scan that is read.
    pub fn result(self) -> usize {
        usize::try_from(integer(self.0, "of")).unwrap_or(usize::MAX)
    }
}

impl<'c, 'a> Scatter<'c, 'a> {
    /// The half-open interval of each variable of the domain.
    pub fn domain(self) -> Vec<(i64, Extent<'c, 'a>)> {
        let intervals = self.op().attribute("domain").map_or(Vec::new(), integers);
        let ends = intervals.chunks_exact(2).map(|pair| (pair[1] != i64::MIN).then_some(pair[1])).collect();
        let ends = with_operands(ends, self.op().operands().take(segments(self.op())[0]));
        intervals.chunks_exact(2).map(|pair| pair[0]).zip(ends).collect()
    }

    /// What all places of each result begin with.
    pub fn initial(self) -> Vec<Value<'c, 'a>> {
        let [ends, initial, _] = segments(self.op());
        self.op().operands().skip(ends).take(initial).collect()
    }

    /// The op that joins what is there and what comes; `None` of one that is not verified.
    pub fn combine(self) -> Option<Combine> {
        Combine::named(self.combine_name())
    }

    /// The name of that op, as it stands there.
    pub(super) fn combine_name(self) -> &'c str {
        self.op().attribute("combine").ok().and_then(text_of).unwrap_or_default()
    }

    /// Whether sums of floats may be done in any order.
    pub fn is_reassociable(self) -> bool {
        self.op().has_attribute("reassoc")
    }
}

/// Extents of which those that are `None` are operands, in order.
fn with_operands<'c, 'a>(
    known: Vec<Option<i64>>,
    mut operands: impl Iterator<Item = Value<'c, 'a>>,
) -> Vec<Extent<'c, 'a>> {
    let extent = |known: Option<i64>| match known {
        Some(extent) => Extent::Static(extent),
        // The verifier counts the operands.
        None => Extent::Dynamic(operands.next().expect("an operand for each dynamic extent")),
    };
    known.into_iter().map(extent).collect()
}

/// An integer attribute; 0 where there is none.
fn integer(op: OperationRef, name: &str) -> i64 {
    op.attribute(name).ok().and_then(|value| IntegerAttribute::try_from(value).ok()).map_or(0, |value| value.value())
}

impl<'c, 'a> Load<'c, 'a> {
    /// The image that is read.
    pub fn source(self) -> Value<'c, 'a> {
        self.0.operand(0).expect("a load has a source")
    }

    /// The type of the source.
    pub fn source_type(self) -> RankedTensorType<'c> {
        tensor_type(self.source().r#type())
    }

    /// What the map is applied to: coordinates, variables of reduces, and of a gather computed values.
    pub fn coordinates(self) -> Vec<Value<'c, 'a>> {
        let count = segments(self.0)[1];
        self.0.operands().skip(1).take(count).collect()
    }

    /// From coordinates to indices of the source.
    pub fn map(self) -> AffineMap<'c> {
        let map = self.0.attribute("map").expect("a load has a map");
        ir::affine_map_of(map).expect("ODS checks that it is an affine map")
    }

    /// What an index outside gives.
    pub fn boundary(self) -> Boundary {
        let case = self.0.attribute("boundary").ok().and_then(|case| IntegerAttribute::try_from(case).ok());
        Boundary::of_case(case.map_or(0, |case| case.value()))
    }

    /// The padding value, for [`Boundary::Constant`].
    pub fn padding(self) -> Option<Value<'c, 'a>> {
        let index = 1 + segments(self.0)[1];
        if segments(self.0)[2] == 1 { ir::operand(self.0, index) } else { None }
    }

    /// The unit whose body the load is in, at any depth.
    pub fn unit(self) -> Option<Unit<'c, 'a>> {
        std::iter::successors(self.0.parent_operation(), |op| op.parent_operation()).find_map(Unit::of)
    }

    /// The stage whose body the load is in, at any depth; `None` in other units.
    pub fn stage(self) -> Option<Stage<'c, 'a>> {
        std::iter::successors(self.0.parent_operation(), |op| op.parent_operation()).find_map(Stage::of)
    }

    /// The reduces around the load, outermost first.
    pub fn reduces(self) -> Vec<Reduce<'c, 'a>> {
        let mut reduces = reduces_around(self.0);
        reduces.reverse();
        reduces
    }
}

/// The reduces around an op of a body, innermost first.
pub fn reduces_around<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Reduce<'c, 'a>> {
    let parents = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    parents.take_while(|op| Unit::of(*op).is_none()).filter_map(Reduce::of).collect()
}

impl<'c, 'a> Reduce<'c, 'a> {
    /// The half-open interval of each variable.
    pub fn window(self) -> Vec<(i64, i64)> {
        let ends = self.0.attribute("window").map(integers).unwrap_or_default();
        ends.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// How many points the window has.
    pub fn volume(self) -> i64 {
        self.window().iter().fold(1, |points: i64, (lo, hi)| points.saturating_mul(hi.saturating_sub(*lo).max(0)))
    }

    /// What the accumulators begin with.
    pub fn inits(self) -> Vec<Value<'c, 'a>> {
        self.0.operands().collect()
    }

    /// The block that is evaluated for each point.
    pub fn body(self) -> BlockRef<'c, 'a> {
        body_of(self.0)
    }

    /// The `pipeline.yield` at the end of the body.
    pub fn terminator(self) -> Option<OperationRef<'c, 'a>> {
        self.body().terminator()
    }

    /// The variables, as the body has them.
    pub fn variables(self) -> Vec<Value<'c, 'a>> {
        (0..self.window().len()).filter_map(|i| Some(self.body().argument(i).ok()?.into())).collect()
    }

    /// The accumulators, as the body has them.
    pub fn accumulators(self) -> Vec<Value<'c, 'a>> {
        ir::arguments(self.body()).skip(self.window().len()).collect()
    }
}

impl<'c, 'a> Group<'c, 'a> {
    /// The group's name.
    pub fn name(self) -> &'c str {
        name_of(self.0)
    }

    /// The block with the stages.
    pub fn body(self) -> BlockRef<'c, 'a> {
        body_of(self.0)
    }

    /// The `pipeline.yield` at the end of the body, whose operands are the live-outs.
    pub fn terminator(self) -> Option<OperationRef<'c, 'a>> {
        self.body().terminator()
    }

    /// The stages, producers before consumers.
    pub fn stages(self) -> Vec<Stage<'c, 'a>> {
        ir::operations(self.body()).filter_map(Stage::of).collect()
    }

    /// The schedule, as written.
    pub fn schedule(self) -> Option<DictionaryAttribute<'c>> {
        self.0.attribute("schedule").ok().and_then(|schedule| DictionaryAttribute::try_from(schedule).ok())
    }
}

impl<'c, 'a> Iterate<'c, 'a> {
    /// The name.
    pub fn name(self) -> &'c str {
        name_of(self.0)
    }

    /// The number of steps, of type `index`.
    pub fn steps(self) -> Value<'c, 'a> {
        self.0.operand(0).expect("ODS checks that there is one")
    }

    /// The images that it begins with.
    pub fn initial(self) -> Vec<Value<'c, 'a>> {
        self.0.operands().skip(1).collect()
    }

    /// The program of a step.
    pub fn body(self) -> BlockRef<'c, 'a> {
        body_of(self.0)
    }

    /// The states at the start of a step: the arguments of the body.
    pub fn states(self) -> Vec<Value<'c, 'a>> {
        ir::arguments(self.body()).collect()
    }

    /// The `pipeline.yield` at the end of the body, whose operands are the next states.
    pub fn terminator(self) -> Option<OperationRef<'c, 'a>> {
        self.body().terminator()
    }

    /// The images that it keeps from step to step: those that it begins with, and those that a step ends with.
    pub fn states_and_next(self) -> Vec<Value<'c, 'a>> {
        let next = self.terminator().into_iter().flat_map(|end| end.operands().collect::<Vec<_>>());
        self.initial().into_iter().chain(next).collect()
    }

    /// The image that a state or a result of an iterate begins with; it has the same extents. `None` for any other value.
    pub fn begins_with(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let (iterate, number) = match OperationResult::try_from(value) {
            Ok(result) if value.is_operation_result() => (ir::defining_op(value)?, result.result_number()),
            _ => {
                let number = BlockArgument::try_from(value).ok()?.argument_number();
                (ir::block_of(value)?.parent_operation()?, number)
            }
        };
        Self::of(iterate)?.initial().get(number).copied()
    }
}

/// The extents of a tensor or memref type, `None` where dynamic.
pub fn static_extents<'c>(ty: impl ShapedTypeLike<'c>) -> Vec<Option<i64>> {
    (0..ty.rank())
        .map(|i| match ty.dim_size(i) {
            Ok(DimSize::Static(extent)) => i64::try_from(extent).ok(),
            _ => None,
        })
        .collect()
}

/// How many operands each of an op's three operand groups has.
pub(crate) fn segments(op: OperationRef) -> [usize; 3] {
    let sizes = op.attribute("operandSegmentSizes").ok();
    let sizes = sizes.and_then(|sizes| DenseI32ArrayAttribute::try_from(sizes).ok());
    [0, 1, 2].map(|i| sizes.as_ref().and_then(|sizes| sizes.element(i).ok()).unwrap_or(0) as usize)
}

fn tensor_type(ty: Type<'_>) -> RankedTensorType<'_> {
    RankedTensorType::try_from(ty).expect("ODS admits ranked tensors only")
}

/// The numbers of an `array<i64: ...>`.
pub(crate) fn integers(attribute: Attribute) -> Vec<i64> {
    let Ok(array) = DenseI64ArrayAttribute::try_from(attribute) else { return Vec::new() };
    (0..array.len()).filter_map(|i| array.element(i).ok()).collect()
}

/// Results are called after their stage or group, as far as its name can be an SSA name.
pub(crate) fn names_of_results(op: OperationRef) -> Vec<String> {
    let name: String = name_of(op).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    // `%0` to `%9` are the printer's own.
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { vec![name] } else { Vec::new() }
}

/// Variables of a reduce are called as coordinates are, with an r before; accumulators `acc`.
pub(super) fn variable_names(op: OperationRef, _region: usize) -> Vec<String> {
    let variables = reduction_names(Reduce::of(op).map_or(0, |reduce| reduce.window().len()));
    let others = body_of(op).argument_count().saturating_sub(variables.len());
    variables.into_iter().chain((0..others).map(|_| "acc".to_owned())).collect()
}

/// What the variables of a reduce over so many dimensions are called.
pub fn reduction_names(rank: usize) -> Vec<String> {
    coordinate_names(rank).iter().map(|name| format!("r{name}")).collect()
}

pub(super) fn argument_names(op: OperationRef, _region: usize) -> Vec<String> {
    // This is asked while an op is printed that may not verify.
    let names = Unit::of(op).map(Unit::argument_names).unwrap_or_default();
    names.into_iter().map(str::to_owned).collect()
}
