//! Builders of the ops, beside their views: what a pass or a front end gives of an op, in types; what IR wants besides
//! (names of attributes, sizes of groups of operands, blocks with their arguments) is written here. An op comes detached,
//! with a body that has its arguments and no op yet.

use super::{
    combine::Combine,
    ops::{Boundary, Extent, Group, Iterate, Load, Previous, Reduce, Scan, Scatter, Stage, Update},
    schedule::Schedule,
};
use crate::op_builder::OpBuilder;
use melior::{
    Context,
    ir::{
        AffineMap, Attribute, Identifier, Location, Operation, Type, Value, ValueLike,
        attribute::{
            BoolAttribute, DenseI64ArrayAttribute, DictionaryAttribute, FloatAttribute, IntegerAttribute,
            StringAttribute,
        },
        operation::OperationBuilder,
        r#type::{IntegerType, RankedTensorType, ShapedTypeLike},
    },
};

impl<'c> Stage<'c, '_> {
    /// A stage; `extents` has a value for each `?` of the images' type.
    pub fn build(
        context: &'c Context,
        name: &str,
        extents: &[Value<'c, '_>],
        images: &[RankedTensorType<'c>],
        location: Location<'c>,
    ) -> Operation<'c> {
        OpBuilder::new(context, Self::NAME, location)
            .text("name", name)
            .operands(extents)
            .results(&types_of(images))
            .body_of_indices(rank_of(images))
            .build()
    }

    /// The attribute for [`needed`](super::Unit::needed), of any unit.
    pub fn needed_attribute(context: &'c Context, needed: &[(Option<i64>, Option<i64>)]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(context, &needed_ends(needed)).into()
    }
}

impl<'c> Scan<'c, '_> {
    /// A scan along a dimension, from its last point where `backward`; `extents` as of a stage.
    pub fn build(
        context: &'c Context,
        name: &str,
        along: usize,
        backward: bool,
        extents: &[Value<'c, '_>],
        images: &[RankedTensorType<'c>],
        location: Location<'c>,
    ) -> Operation<'c> {
        OpBuilder::new(context, Self::NAME, location)
            .text("name", name)
            // A rank is small.
            .number("along", along as i64)
            .flag("backward", backward)
            .operands(extents)
            .results(&types_of(images))
            .body_of_indices(rank_of(images))
            .build()
    }
}

impl<'c> Previous<'c, '_> {
    /// The value of result `result` of the scan around, `distance` points before; `start` where there is none.
    pub fn build(
        context: &'c Context,
        distance: i64,
        result: usize,
        start: Value<'c, '_>,
        location: Location<'c>,
    ) -> Operation<'c> {
        OpBuilder::new(context, Self::NAME, location)
            .number("distance", distance)
            // A scan has few results.
            .number("of", result as i64)
            .operands(&[start])
            .results(&[start.r#type()])
            .build()
    }
}

/// What a scatter is built of.
#[derive(Debug, Clone, Copy)]
pub struct ScatterParts<'c, 'a, 'p> {
    /// Its name.
    pub name: &'p str,
    /// How many of the images' dimensions are coordinates; the others are places.
    pub coordinates: usize,
    /// The half-open interval of each variable of the domain.
    pub domain: &'p [(i64, Extent<'c, 'a>)],
    /// What all places of each result begin with.
    pub initial: &'p [Value<'c, 'a>],
    /// The op that joins what is there and what comes.
    pub combine: Combine,
    /// Whether sums of floats may be done in any order.
    pub reassociable: bool,
    /// A value for each `?` of the images' type.
    pub extents: &'p [Value<'c, 'a>],
    /// The types of the results.
    pub images: &'p [RankedTensorType<'c>],
}

impl<'c> Scatter<'c, '_> {
    /// A scatter, whose body has the coordinates and then the variables.
    pub fn build(context: &'c Context, parts: ScatterParts<'c, '_, '_>, location: Location<'c>) -> Operation<'c> {
        let mut ends = Vec::new();
        let mut intervals = Vec::new();
        for (lo, end) in parts.domain {
            let hi = match end {
                Extent::Static(hi) => *hi,
                Extent::Dynamic(value) => {
                    ends.push(*value);
                    i64::MIN
                }
            };
            intervals.push((*lo, hi));
        }
        OpBuilder::new(context, Self::NAME, location)
            .text("name", parts.name)
            .intervals("domain", &intervals)
            .text("combine", parts.combine.name())
            .flag("reassoc", parts.reassociable)
            .operand_groups(&[&ends, parts.initial, parts.extents])
            .results(&types_of(parts.images))
            .body_of_indices(parts.coordinates + parts.domain.len())
            .build()
    }
}

impl<'c> Update<'c, '_> {
    /// The end of a scatter's body: a value for each result, and the place.
    pub fn build(
        context: &'c Context,
        values: &[Value<'c, '_>],
        places: &[Value<'c, '_>],
        location: Location<'c>,
    ) -> Operation<'c> {
        OpBuilder::new(context, Self::NAME, location).operand_groups(&[values, places]).build()
    }
}

impl<'c> Load<'c, '_> {
    /// A load of a source at a map's indices; the map has one dimension for each of `coordinates`.
    pub fn build(
        context: &'c Context,
        source: Value<'c, '_>,
        coordinates: &[Value<'c, '_>],
        map: AffineMap<'c>,
        boundary: Boundary,
        padding: Option<Value<'c, '_>>,
        location: Location<'c>,
    ) -> Operation<'c> {
        let op = OpBuilder::new(context, Self::NAME, location);
        op.read(source, coordinates, map, boundary.attribute(context), padding).build()
    }

    /// A gather: as [`build`](Self::build), but `coordinates` has computed values too, each of which is an index alone.
    pub fn build_gather(
        context: &'c Context,
        source: Value<'c, '_>,
        coordinates: &[Value<'c, '_>],
        map: AffineMap<'c>,
        boundary: Boundary,
        padding: Option<Value<'c, '_>>,
        location: Location<'c>,
    ) -> Operation<'c> {
        let op = OpBuilder::new(context, Self::GATHER, location);
        op.read(source, coordinates, map, boundary.attribute(context), padding).build()
    }
}

impl<'c> Reduce<'c, '_> {
    /// A reduce over a window of half-open intervals; its body has the variables and then the accumulators.
    pub fn build(
        context: &'c Context,
        window: &[(i64, i64)],
        inits: &[Value<'c, '_>],
        location: Location<'c>,
    ) -> Operation<'c> {
        let types: Vec<Type> = inits.iter().map(|init| init.r#type()).collect();
        let variables = vec![Type::index(context); window.len()];
        OpBuilder::new(context, Self::NAME, location)
            .intervals("window", window)
            .operands(inits)
            .results(&types)
            .body(&[variables, types.clone()].concat())
            .build()
    }
}

impl<'c> Group<'c, '_> {
    /// A group with room for live-outs of these types.
    pub fn build(
        context: &'c Context,
        name: &str,
        schedule: Option<Attribute<'c>>,
        live_outs: &[Type<'c>],
        location: Location<'c>,
    ) -> Operation<'c> {
        let op = OpBuilder::new(context, Self::NAME, location).text("name", name);
        let op = match schedule {
            Some(schedule) => op.attribute("schedule", schedule),
            None => op,
        };
        op.results(live_outs).body(&[]).build()
    }

    /// The `pipeline.yield` at the end of a body: of a stage, a scan, a reduce, a group or an iterate.
    pub fn build_yield(values: &[Value<'c, '_>], location: Location<'c>) -> Operation<'c> {
        OperationBuilder::new("pipeline.yield", location)
            .add_operands(values)
            .build()
            .expect("no result types to infer")
    }
}

impl<'c> Iterate<'c, '_> {
    /// An iterate; its body has the states.
    pub fn build(
        context: &'c Context,
        name: &str,
        steps: Value<'c, '_>,
        initial: &[Value<'c, '_>],
        location: Location<'c>,
    ) -> Operation<'c> {
        let types: Vec<Type> = initial.iter().map(|image| image.r#type()).collect();
        OpBuilder::new(context, Self::NAME, location)
            .text("name", name)
            .operands(&[steps])
            .operands(initial)
            .results(&types)
            .body(&types)
            .build()
    }
}

impl Schedule {
    /// The attribute that says it.
    pub fn attribute<'c>(&self, context: &'c Context) -> DictionaryAttribute<'c> {
        let numbers = |numbers: &Vec<i64>| DenseI64ArrayAttribute::new(context, numbers).into();
        let word = |word: &String| StringAttribute::new(context, word).into();
        let entries: [(&str, Option<Attribute<'c>>); 10] = [
            ("tile", self.tile.as_ref().map(numbers)),
            ("block", self.block.as_ref().map(numbers)),
            (
                "fraction",
                self.fraction.map(|fraction| FloatAttribute::new(context, Type::float64(context), fraction).into()),
            ),
            ("inputs", self.inputs.as_ref().map(word)),
            ("layout", self.layout.as_ref().map(word)),
            (
                "vector",
                self.vector.map(|lanes| IntegerAttribute::new(IntegerType::new(context, 64).into(), lanes).into()),
            ),
            ("scope", self.scope.as_ref().map(word)),
            ("stream", self.stream.as_ref().map(word)),
            ("overlap", self.overlap.as_ref().map(word)),
            ("nested", self.nested.map(|nested| BoolAttribute::new(context, nested).into())),
        ];
        let entries = entries.into_iter().filter_map(|(key, value)| Some((Identifier::new(context, key), value?)));
        DictionaryAttribute::new(context, &entries.collect::<Vec<_>>())
    }
}

/// Intervals with open ends, as attributes hold them.
pub(crate) fn needed_ends(needed: &[(Option<i64>, Option<i64>)]) -> Vec<i64> {
    needed.iter().flat_map(|(lo, hi)| [lo, hi]).map(|end| end.unwrap_or(i64::MIN)).collect()
}

fn types_of<'c>(images: &[RankedTensorType<'c>]) -> Vec<Type<'c>> {
    images.iter().map(|image| (*image).into()).collect()
}

/// The dimensions of the images of a unit, which are alike.
fn rank_of(images: &[RankedTensorType]) -> usize {
    images.first().map_or(0, |image| image.rank())
}
