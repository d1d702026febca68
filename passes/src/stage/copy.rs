//! A stage that is a copy of an image: of one that is returned as it was given, or that others read from a window.

use crate::ir::Builder;
use melior::ir::{AffineExpr, AffineMap, Value, ValueLike, r#type::RankedTensorType};
use mlir_glue::ir;
use weft_dialects::pipeline::{Boundary, Group, Load, Stage, static_extents};

/// A stage that is a copy of an image.
pub fn copy<'c: 'a, 'a>(b: &Builder<'c, 'a>, image: Value<'c, 'a>, name: &str) -> Value<'c, 'a> {
    let ty = RankedTensorType::try_from(image.r#type()).expect("stages read tensors");
    let unknown = (0i64..).zip(static_extents(ty)).filter(|(_, extent)| extent.is_none());
    let extents: Vec<Value> =
        unknown.map(|(d, _)| b.value("tensor.dim", &[image, b.index(d)], b.index_type(), &[])).collect();
    let made = b.insert(Stage::build(b.context(), name, &extents, &[ty], b.location()));
    let stage = Stage::of(made).expect("made one");
    let inner = Builder::at_end(b.context(), stage.body(), b.location());
    let coordinates: Vec<Value> = ir::arguments(stage.body()).collect();
    let indices: Vec<AffineExpr> = (0..coordinates.len()).map(|d| AffineExpr::dim(b.context(), d)).collect();
    let map = AffineMap::new(b.context(), coordinates.len(), 0, &indices);
    let value = inner.insert(Load::build(b.context(), image, &coordinates, map, Boundary::None, None, b.location()));
    let value = value.result(0).expect("a load has a result").into();
    inner.insert(Group::build_yield(&[value], b.location()));
    made.result(0).expect("a stage has a result").into()
}
