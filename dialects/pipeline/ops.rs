//! Typed views of the ops: what a pass asks an op, in the words of the field.
//!
//! A view is an `OperationRef` whose name was checked. Accessors assume an op that verifies; where a verifier itself
//! uses them, it has checked before what they rely on.

use melior::{
    Context,
    ir::{
        AffineMap, Attribute, Block, BlockLike, BlockRef, Identifier, Location, Operation, OperationRef, Region,
        RegionLike, Type, Value, ValueLike,
        attribute::{
            DenseI32ArrayAttribute, DenseI64ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute,
        },
        operation::{OperationBuilder, OperationLike},
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
            _ => Self::None,
        }
    }

    /// The attribute in IR.
    fn attribute(self, context: &Context) -> Attribute<'_> {
        let case = match self {
            Self::None => 0,
            Self::Clamp => 1,
            Self::Mirror => 2,
            Self::Wrap => 3,
            Self::Constant => 4,
        };
        IntegerAttribute::new(IntegerType::new(context, 32).into(), case).into()
    }

    /// The keyword in IR.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Clamp => "clamp",
            Self::Mirror => "mirror",
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

view!(
    /// A `pipeline.stage`.
    Stage = "pipeline.stage"
);
view!(
    /// A `pipeline.load`.
    Load = "pipeline.load"
);
view!(
    /// A `pipeline.group`.
    Group = "pipeline.group"
);

/// The string attribute `name` of a stage or a group.
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

impl<'c, 'a> Stage<'c, 'a> {
    /// The stage's name.
    pub fn name(self) -> &'c str {
        name_of(self.0)
    }

    /// The block that is evaluated once for each point.
    pub fn body(self) -> BlockRef<'c, 'a> {
        body_of(self.0)
    }

    /// The `pipeline.yield` at the end of the body.
    pub fn terminator(self) -> Option<OperationRef<'c, 'a>> {
        self.body().terminator()
    }

    /// The type of result `index`.
    pub fn image_type(self, index: usize) -> RankedTensorType<'c> {
        tensor_type(self.0.result(index).expect("index of a result").r#type())
    }

    /// The number of dimensions.
    pub fn rank(self) -> usize {
        self.image_type(0).rank()
    }

    /// The extents, outermost dimension first.
    pub fn extents(self) -> Vec<Extent<'c, 'a>> {
        let mut dynamic = self.0.operands();
        static_extents(self.image_type(0))
            .into_iter()
            // The verifier counts the operands.
            .map(|extent| {
                extent.map_or_else(|| Extent::Dynamic(dynamic.next().expect("an operand for each ?")), Extent::Static)
            })
            .collect()
    }

    /// The half-open interval of each dimension that is needed, an end being `None` where it is dynamic; the whole
    /// stage if `--infer-bounds` has not run.
    pub fn needed(self) -> Option<Vec<(Option<i64>, Option<i64>)>> {
        let ends = integers(self.0.attribute("needed").ok()?);
        let end = |value: i64| (value != i64::MIN).then_some(value);
        Some(ends.chunks_exact(2).map(|pair| (end(pair[0]), end(pair[1]))).collect())
    }

    /// A stage around a body that has its coordinates and no op yet; `extents` has a value for each `?` of the images' type.
    pub fn build(
        context: &'c Context,
        name: &str,
        extents: &[Value<'c, '_>],
        images: &[RankedTensorType<'c>],
        location: Location<'c>,
    ) -> Operation<'c> {
        let rank = images.first().map_or(0, |image| image.rank());
        let region = Region::new();
        region.append_block(Block::new(&vec![(Type::index(context), location); rank]));
        let images: Vec<Type> = images.iter().map(|image| (*image).into()).collect();
        OperationBuilder::new(Self::NAME, location)
            .add_attributes(&[(Identifier::new(context, "name"), StringAttribute::new(context, name).into())])
            .add_operands(extents)
            .add_results(&images)
            .add_regions([region])
            .build()
            .expect("no result types to infer")
    }

    /// The attribute for [`needed`](Self::needed).
    pub fn needed_attribute(context: &'c Context, needed: &[(Option<i64>, Option<i64>)]) -> Attribute<'c> {
        let ends: Vec<i64> = needed.iter().flat_map(|&(lo, hi)| [lo, hi]).map(|end| end.unwrap_or(i64::MIN)).collect();
        DenseI64ArrayAttribute::new(context, &ends).into()
    }
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

    /// The coordinates that the map is applied to.
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

    /// The value of points outside, for [`Boundary::Constant`].
    pub fn outside(self) -> Option<Value<'c, 'a>> {
        let index = 1 + segments(self.0)[1];
        if segments(self.0)[2] == 1 { self.0.operand(index).ok() } else { None }
    }

    /// A load of a source at a map's indices; the map has one dimension for each of `coordinates`.
    pub fn build(
        context: &'c Context,
        source: Value<'c, '_>,
        coordinates: &[Value<'c, '_>],
        map: AffineMap<'c>,
        boundary: Boundary,
        outside: Option<Value<'c, '_>>,
        location: Location<'c>,
    ) -> Operation<'c> {
        let operands: Vec<Value> = std::iter::once(source).chain(coordinates.iter().copied()).chain(outside).collect();
        // An op of programs has few operands.
        let segments = [1, coordinates.len() as i32, i32::from(outside.is_some())];
        OperationBuilder::new(Self::NAME, location)
            .add_attributes(&[
                (Identifier::new(context, "map"), ir::affine_map_attribute(map)),
                (Identifier::new(context, "boundary"), boundary.attribute(context)),
                (
                    Identifier::new(context, "operandSegmentSizes"),
                    DenseI32ArrayAttribute::new(context, &segments).into(),
                ),
            ])
            .add_operands(&operands)
            .add_results(&[tensor_type(source.r#type()).element()])
            .build()
            .expect("no result types to infer")
    }

    /// The stage whose body the load is in, at any depth.
    pub fn stage(self) -> Option<Stage<'c, 'a>> {
        std::iter::successors(self.0.parent_operation(), |op| op.parent_operation()).find_map(Stage::of)
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

    /// A group around an empty body, with room for live-outs of these types.
    pub fn build(
        context: &'c Context,
        name: &str,
        schedule: Option<Attribute<'c>>,
        live_outs: &[Type<'c>],
        location: Location<'c>,
    ) -> Operation<'c> {
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let mut attributes = vec![(Identifier::new(context, "name"), StringAttribute::new(context, name).into())];
        attributes.extend(schedule.map(|schedule| (Identifier::new(context, "schedule"), schedule)));
        OperationBuilder::new(Self::NAME, location)
            .add_attributes(&attributes)
            .add_results(live_outs)
            .add_regions([region])
            .build()
            .expect("no result types to infer")
    }

    /// The `pipeline.yield` of a group or stage.
    pub fn build_yield(values: &[Value<'c, '_>], location: Location<'c>) -> Operation<'c> {
        OperationBuilder::new("pipeline.yield", location)
            .add_operands(values)
            .build()
            .expect("no result types to infer")
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

pub(super) fn argument_names(op: OperationRef, _region: usize) -> Vec<String> {
    let rank = body_of(op).argument_count();
    coordinate_names(rank).iter().map(|name| (*name).to_owned()).collect()
}
