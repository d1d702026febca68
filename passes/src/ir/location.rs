//! What a location says besides a position: the name that a value prints under, and the stage that an op is of.
//!
//! ```text
//! loc("blurx.row1"(fused<@blurx>["blur.mlir":17:11]))      %blurx.row1, of stage "blurx", at blur.mlir:17:11
//! ```
//!
//! A name is one op's, and is not handed on; a stage is handed on to all that is built for an op. Positions stay what they were,
//! for diagnostics and for `.loc` in PTX.

use melior::{
    Context,
    ir::{Location, Value, ValueLike, attribute::FlatSymbolRefAttribute},
};
use mlir_glue::ir;
use weft_dialects::pipeline::coordinate_names;

/// The location, with a name for what stands there in place of the one that it has.
pub fn named<'c>(context: &'c Context, name: &str, location: Location<'c>) -> Location<'c> {
    Location::name(context, name, unnamed(location))
}

/// The location without a name.
pub fn unnamed(mut location: Location) -> Location {
    while location.is_name() {
        location = location.name_child_location();
    }
    location
}

/// The location without a name, of something that belongs to a stage, and to no other.
pub fn of_stage<'c>(context: &'c Context, stage: &str, location: Location<'c>) -> Location<'c> {
    let mut position = unnamed(location);
    while ir::fused_symbol(position).is_some() && position.fused_num_locations() > 0 {
        position = position.fused_location(0);
    }
    Location::fused(context, &[position], FlatSymbolRefAttribute::new(context, stage).into())
}

/// The name that a location gives.
pub fn name_at<'c>(location: Location<'c>) -> Option<&'c str> {
    location.is_name().then(|| ir::identifier_text(location.name_value()))
}

/// The stage that a location is of.
pub fn stage_at<'c>(location: Location<'c>) -> Option<&'c str> {
    ir::fused_symbol(unnamed(location))
}

/// The name that the location of a value gives it.
pub fn name_of_value<'c>(value: Value<'c, '_>) -> Option<&'c str> {
    name_at(value.location())
}

/// What an extent of an image is called: `img_h`, `img_w`, and before them `img_c` and `img_n`.
pub fn extent_name(image: &str, rank: usize, d: usize) -> String {
    let extent = match coordinate_names(rank).get(d) {
        Some(&"y") => "h",
        Some(&"x") => "w",
        Some(other) => other,
        None => "extent",
    };
    format!("{image}_{extent}")
}
