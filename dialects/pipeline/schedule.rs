//! The schedule of a group: how its stages become a kernel.
//!
//! In IR it is a dictionary, so that people can write what they care about and leave the rest to the compiler:
//!
//! ```mlir
//! pipeline.group "g0" schedule {tile = array<i64: 8, 256>, block = array<i64: 4, 32>, stream = "y"} { ... }
//! ```

use super::ops::{integers, text_of};
use melior::ir::{
    Attribute, AttributeLike,
    attribute::{BoolAttribute, DenseI64ArrayAttribute, DictionaryAttribute, FloatAttribute, IntegerAttribute},
};

/// What a schedule says; `None` is left to the compiler.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schedule {
    /// Points of a live-out that a tile covers, outermost dimension first.
    pub tile: Option<Vec<i64>>,
    /// Threads of a block, outermost dimension first.
    pub block: Option<Vec<i64>>,
    /// Part of a tile's storage that lies in registers, 0 to 1.
    pub fraction: Option<f64>,
    /// How registers are spread over lanes: `cyclic` or `blocked`.
    pub layout: Option<String>,
    /// Neighbouring points that a lane handles.
    pub vector: Option<i64>,
    /// Where tiles in shared memory read inputs: `memory`, or `shared`, where they have a tile of each.
    pub inputs: Option<String>,
    /// Who computes a tile: `warp` or `block`; `thread` where there are none.
    pub scope: Option<String>,
    /// Coordinate that a warp walks along.
    pub stream: Option<String>,
    /// Shape of overlapped tiles: `scalene`, `right-rectangle` or `uniform-slope`.
    pub overlap: Option<String>,
    /// Whether what one point of a consumer needs alone is computed there.
    pub nested: Option<bool>,
}

/// What a tile or a block has at most: a kernel counts with 32 bits, also the points around a tile.
const MOST_POINTS: i64 = 1 << 30;

const KEYS: &str = "tile, block, fraction, inputs, layout, vector, scope, stream, overlap or nested";

impl Schedule {
    /// Reads a schedule for images of this rank.
    ///
    /// # Errors
    ///
    /// A message that names the key, what it holds and what is expected.
    pub fn parse(dictionary: DictionaryAttribute, rank: usize) -> Result<Self, String> {
        let mut schedule = Self::default();
        for index in 0..dictionary.len() {
            let Ok((key, value)) = dictionary.element(index) else { continue };
            let key = key.as_string_ref();
            let key = key.as_str().unwrap_or_default();
            match key {
                "tile" => schedule.tile = Some(extents(key, value, rank)?),
                "block" => schedule.block = Some(extents(key, value, rank)?),
                "fraction" => {
                    let fraction = FloatAttribute::try_from(value).map(|value| value.value()).ok();
                    schedule.fraction = Some(
                        fraction
                            .filter(|fraction| (0.0..=1.0).contains(fraction))
                            .ok_or_else(|| wrong(key, value, "a float from 0.0 to 1.0"))?,
                    );
                }
                "inputs" => schedule.inputs = Some(word(key, value, &["memory", "shared"])?),
                "layout" => schedule.layout = Some(word(key, value, &["cyclic", "blocked"])?),
                "vector" => {
                    let lanes =
                        IntegerAttribute::try_from(value).ok().filter(|value| value.r#type().to_string() == "i64");
                    schedule.vector = Some(
                        lanes
                            .map(|value| value.value())
                            .filter(|lanes| [1, 2, 4, 8, 16].contains(lanes))
                            .ok_or_else(|| wrong(key, value, "1, 2, 4, 8 or 16, of type i64"))?,
                    );
                }
                "scope" => schedule.scope = Some(word(key, value, &["warp", "block", "thread"])?),
                "stream" => schedule.stream = Some(word(key, value, super::coordinate_names(rank))?),
                "overlap" => {
                    schedule.overlap = Some(word(key, value, &["scalene", "right-rectangle", "uniform-slope"])?)
                }
                "nested" => {
                    let flag = BoolAttribute::try_from(value).map(|value| value.value()).ok();
                    schedule.nested = Some(flag.ok_or_else(|| wrong(key, value, "true or false"))?);
                }
                _ => return Err(format!("schedule has unknown key '{key}', expected {KEYS}")),
            }
        }
        Ok(schedule)
    }
}

fn wrong(key: &str, value: Attribute, expected: &str) -> String {
    format!("schedule key '{key}' is {value}, expected {expected}")
}

fn extents(key: &str, value: Attribute, rank: usize) -> Result<Vec<i64>, String> {
    let numbers = integers(value);
    let is_list = DenseI64ArrayAttribute::try_from(value).is_ok();
    if !is_list || numbers.len() != rank || numbers.iter().any(|&n| n < 1) {
        return Err(wrong(key, value, &format!("array<i64: ...> of {rank} positive numbers, one for each dimension")));
    }
    let points = numbers.iter().try_fold(1i64, |product, n| product.checked_mul(*n));
    if points.is_none_or(|points| points > MOST_POINTS) {
        return Err(wrong(key, value, &format!("at most {MOST_POINTS} points together")));
    }
    Ok(numbers)
}

fn word(key: &str, value: Attribute, words: &[&str]) -> Result<String, String> {
    text_of(value).filter(|text| words.contains(text)).map(str::to_owned).ok_or_else(|| {
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        wrong(key, value, &quoted.join(" or "))
    })
}
