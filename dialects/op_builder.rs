//! What the builders of ops share: attributes by kind, groups of operands with their sizes, a body.

use melior::{
    Context,
    ir::{
        AffineMap, Attribute, Block, Identifier, Location, Operation, Region, RegionLike, ShapedTypeLike, Type, Value,
        ValueLike,
        attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute, StringAttribute},
        operation::OperationBuilder,
        r#type::{IntegerType, RankedTensorType},
    },
};
use mlir_glue::ir;

/// An op that is being put together.
pub(crate) struct OpBuilder<'c> {
    context: &'c Context,
    location: Location<'c>,
    op: OperationBuilder<'c>,
}

impl<'c> OpBuilder<'c> {
    pub(crate) fn new(context: &'c Context, name: &str, location: Location<'c>) -> Self {
        Self { context, location, op: OperationBuilder::new(name, location) }
    }

    pub(crate) fn attribute(self, name: &str, value: Attribute<'c>) -> Self {
        let attribute = (Identifier::new(self.context, name), value);
        Self { op: self.op.add_attributes(&[attribute]), ..self }
    }

    pub(crate) fn text(self, name: &str, value: &str) -> Self {
        let value = StringAttribute::new(self.context, value).into();
        self.attribute(name, value)
    }

    /// A number of type i64.
    pub(crate) fn number(self, name: &str, value: i64) -> Self {
        let value = IntegerAttribute::new(IntegerType::new(self.context, 64).into(), value).into();
        self.attribute(name, value)
    }

    /// An `array<i64: ...>`.
    pub(crate) fn numbers(self, name: &str, values: &[i64]) -> Self {
        let values = DenseI64ArrayAttribute::new(self.context, values).into();
        self.attribute(name, values)
    }

    /// Half-open intervals, as lo, hi, lo, hi, ...
    pub(crate) fn intervals(self, name: &str, values: &[(i64, i64)]) -> Self {
        let ends: Vec<i64> = values.iter().flat_map(|(lo, hi)| [*lo, *hi]).collect();
        self.numbers(name, &ends)
    }

    /// A unit attribute, where `is_set`.
    pub(crate) fn flag(self, name: &str, is_set: bool) -> Self {
        let unit = Attribute::unit(self.context);
        if is_set { self.attribute(name, unit) } else { self }
    }

    pub(crate) fn operands(self, values: &[Value<'c, '_>]) -> Self {
        Self { op: self.op.add_operands(values), ..self }
    }

    /// The operands of an op that keeps the sizes of their groups.
    pub(crate) fn operand_groups(self, groups: &[&[Value<'c, '_>]]) -> Self {
        // An op has few operands.
        let sizes: Vec<i32> = groups.iter().map(|group| group.len() as i32).collect();
        let sizes = DenseI32ArrayAttribute::new(self.context, &sizes).into();
        groups.iter().fold(self.attribute("operandSegmentSizes", sizes), |op, group| op.operands(group))
    }

    /// What a read of an image or tile has: the source, indices, a boundary mode and a padding value; and the element that
    /// it gives.
    pub(crate) fn read(
        self,
        source: Value<'c, '_>,
        coordinates: &[Value<'c, '_>],
        map: AffineMap<'c>,
        boundary: Attribute<'c>,
        padding: Option<Value<'c, '_>>,
    ) -> Self {
        let element = RankedTensorType::try_from(source.r#type()).expect("ODS admits ranked tensors only").element();
        self.attribute("map", ir::affine_map_attribute(map))
            .attribute("boundary", boundary)
            .operand_groups(&[&[source], coordinates, padding.as_slice()])
            .results(&[element])
    }

    pub(crate) fn results(self, types: &[Type<'c>]) -> Self {
        Self { op: self.op.add_results(types), ..self }
    }

    /// A region of one block with these arguments.
    pub(crate) fn body(self, arguments: &[Type<'c>]) -> Self {
        let arguments: Vec<_> = arguments.iter().map(|ty| (*ty, self.location)).collect();
        let region = Region::new();
        region.append_block(Block::new(&arguments));
        Self { op: self.op.add_regions([region]), ..self }
    }

    /// A region of one block with so many coordinates.
    pub(crate) fn body_of_indices(self, count: usize) -> Self {
        let arguments = vec![Type::index(self.context); count];
        self.body(&arguments)
    }

    pub(crate) fn build(self) -> Operation<'c> {
        self.op.build().expect("result types are given, so none is inferred")
    }
}
