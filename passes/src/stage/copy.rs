//! Stages that compute a point of what they give from that point of images: copies of an image that is returned as it was given or that others
//! read from a window, and sums of two.

use crate::{analysis::access::build_load, ir::Builder};
use melior::ir::{OperationRef, Type, Value, ValueLike, r#type::RankedTensorType};
use mlir_glue::ir;
use weft_dialects::pipeline::{Boundary, Extent, Group, Stage, static_extents};
use weft_model::Expr;

/// A stage that is a copy of an image.
pub fn copy<'c: 'a, 'a>(b: &Builder<'c, 'a>, image: Value<'c, 'a>, name: &str) -> Value<'c, 'a> {
    pointwise(b, name, image.r#type(), &extents_of(b, image), |b, coordinates| load_at(b, image, coordinates))
}

/// A stage that gives what `value` gives at its coordinates; `extents` has a value for each [unknown] one.
pub fn pointwise<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    name: &str,
    ty: Type<'c>,
    extents: &[Value<'c, 'a>],
    value: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Value<'c, 'a>,
) -> Value<'c, 'a> {
    let image = RankedTensorType::try_from(ty).expect("stages give tensors");
    let made: OperationRef = b.insert(Stage::build(b.context(), name, extents, &[image], b.location()));
    let stage = Stage::of(made).expect("made one");
    let inner = Builder::at_end(b.context(), stage.body(), b.location());
    let value = value(&inner, &ir::arguments(stage.body()).collect::<Vec<_>>());
    inner.insert(Group::build_yield(&[value], b.location()));
    made.result(0).expect("a stage has a result").into()
}

/// Channels of a pixel at most.
pub const MOST_CHANNELS: i64 = 4;

/// Whether a coordinate of a stage goes along its rows: of points, or of pixels whose channels lie inside.
pub fn is_of_row(stage: Stage, coordinate: usize) -> bool {
    let inner = stage.extents().into_iter().skip(coordinate + 1).map(|extent| match extent {
        Extent::Static(points) => points,
        Extent::Dynamic(_) => i64::MAX,
    });
    inner.fold(1, i64::saturating_mul) <= MOST_CHANNELS
}

/// A coordinate along which a stage has so many points for each of another one, and so many more, if that has any.
#[derive(Clone, Copy)]
pub struct Longer {
    pub coordinate: usize,
    pub times: i64,
    pub more: i64,
}

impl Longer {
    /// So many more.
    pub fn by(coordinate: usize, more: i64) -> Self {
        Self { coordinate, times: 1, more }
    }
}

/// A stage of the points of another one, and of more along some coordinates, that gives what `value` gives at its own.
pub fn grown<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    name: &str,
    stage: Stage<'c, 'a>,
    longer: &[Longer],
    element: Type<'c>,
    value: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Value<'c, 'a>,
) -> Value<'c, 'a> {
    let mut dynamic = Vec::new();
    let shape = (0..)
        .zip(stage.extents())
        .map(|(d, extent)| {
            let own = longer.iter().find(|longer| longer.coordinate == d);
            let (times, more) = own.map_or((1, 0), |longer| (longer.times, longer.more));
            match extent {
                Extent::Static(0) => Some(0),
                Extent::Static(extent) => Some(extent.saturating_mul(times).saturating_add(more)),
                Extent::Dynamic(extent) => {
                    let whole = if times == 1 { extent } else { b.arith("muli", extent, b.index(times)) };
                    // None, where the stage has none.
                    let all = || {
                        let some = b.arith("minsi", extent, b.index(1));
                        b.arith("addi", whole, b.arith("muli", some, b.index(more)))
                    };
                    dynamic.push(if more == 0 { whole } else { all() });
                    None
                }
            }
        })
        .collect();
    pointwise(b, name, image_type(shape, element), &dynamic, value)
}

/// The type of an image of such extents, `None` where they are not known.
pub fn image_type(extents: Vec<Option<i64>>, element: Type) -> Type {
    // How MLIR says that an extent is not known.
    let known = |extent: Option<i64>| extent.map_or(i64::MIN as u64, |extent| extent as u64);
    let extents: Vec<u64> = extents.into_iter().map(known).collect();
    RankedTensorType::new(&extents, element, None).into()
}

/// A load of an image at the coordinates themselves.
pub fn load_at<'c: 'a, 'a>(b: &Builder<'c, 'a>, image: Value<'c, 'a>, coordinates: &[Value<'c, 'a>]) -> Value<'c, 'a> {
    let indices: Vec<Expr> = (0..coordinates.len()).map(Expr::Dim).collect();
    build_load(b, false, image, &indices, coordinates, Boundary::None, None)
}

/// The extents of an image that its type does not say.
pub fn extents_of<'c: 'a, 'a>(b: &Builder<'c, 'a>, image: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let extent = |d| b.value("tensor.dim", &[image, b.index(d as i64)], b.index_type(), &[]);
    unknown(image.r#type()).into_iter().map(extent).collect()
}

/// The dimensions of a tensor whose extent its type does not say.
pub fn unknown(ty: Type) -> Vec<usize> {
    let extents = RankedTensorType::try_from(ty).map(static_extents).unwrap_or_default();
    (0..extents.len()).filter(|d| extents[*d].is_none()).collect()
}
