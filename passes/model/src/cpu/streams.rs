//! How many streams of memory a loop along a row walks.
//!
//! ```text
//! (a[y, x] + b[y, x]) / 2       two              img[0, y, x] + img[1, y, x]        two: planes lie far apart
//! a[y, x] + a[y + 1, x]         one: rows come again, from a cache
//! ```

use crate::{
    affine::{Expr, Extent, Form},
    program::{Source, Stage},
};

/// Streams of memory that a core sees coming, and loads ahead.
pub const STREAMS: f64 = 16.0;

/// At how many addresses far apart a point of a stage reads an image: planes of it. Rows that are read come again, from a cache.
pub fn streams(stage: &Stage, image: usize) -> f64 {
    let mut planes: Vec<&[Expr]> = Vec::new();
    let mut streams = 0.0;
    let mut most = f64::INFINITY;
    for access in stage.accesses.iter().filter(|access| access.source == Source::Image(image)) {
        let far = &access.indices[..access.indices.len().saturating_sub(2)];
        let along = |d: usize| match access.extents[d] {
            Extent::Known(extent) => extent as f64,
            Extent::Named(_) => f64::INFINITY,
        };
        most = (0..far.len()).map(along).product::<f64>().max(1.0);
        if !planes.contains(&far) {
            // Which plane is asked for is computed for each point: all of them are read.
            let along = |d: usize| match access.is_computed(d) && along(d).is_finite() {
                true => along(d),
                false => access.extremes(d).map_or(1, between) as f64,
            };
            streams += (0..far.len()).map(along).product::<f64>();
            planes.push(far);
        }
    }
    streams.min(most)
}

/// How many values an index has for one point of its stage.
pub fn between([least, greatest]: [Form; 2]) -> i64 {
    greatest.add - least.add + 1
}
