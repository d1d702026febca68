//! What each point of a scatter brings.

use crate::{
    analysis::{combine_of, domain},
    ir::{Builder, Number},
    lower::{
        Lowering,
        body::{self, Known, Read, Space, Whereabouts},
        scatter::is_in_any_order,
    },
};
use melior::ir::Value;
use mlir_glue::Failure;
use weft_dialects::pipeline::{Combine, Scatter};
use weft_model::Range;

/// Whether the order of updates cannot show, or need not: of products of integers, and of extremes that are NaN if one is, there is none, either, but
/// nothing in the memory of a GPU does these.
pub(super) fn hides_order(scatter: Scatter) -> bool {
    matches!(combine_of(scatter), Combine::Muli | Combine::Minimumf | Combine::Maximumf) || is_in_any_order(scatter)
}

/// The points of a scatter.
pub(super) struct Points<'l, 'c, 'a> {
    pub(super) lowering: &'l Lowering<'c, 'a>,
    pub(super) scatter: Scatter<'c, 'a>,
    /// What the coordinates and the variables run over.
    pub(super) domain: Vec<Range<Number<'c, 'a>>>,
    ends: Vec<Number<'c, 'a>>,
}

impl<'l, 'c: 'a, 'a> Points<'l, 'c, 'a> {
    pub(super) fn of(lowering: &'l Lowering<'c, 'a>, b: &Builder<'c, 'a>, scatter: Scatter<'c, 'a>) -> Self {
        let bounds = domain::bounds(*scatter);
        let domain = domain::needed_bounds(*scatter, &bounds, b);
        Self { lowering, scatter, domain, ends: domain::ends(&bounds) }
    }

    /// What a point brings, and its place.
    ///
    /// # Errors
    ///
    /// Those of the body.
    pub(super) fn evaluate(
        &self,
        b: &Builder<'c, 'a>,
        point: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let mut known = Known::new();
        let read = |b: &Builder<'c, 'a>, read: Read<'c, 'a>| {
            let source = read.load.source();
            let space = Space {
                domain: &self.domain,
                extents: &self.ends,
                source: &self.lowering.extents(source),
                whereabouts: Whereabouts::Domain,
            };
            Ok(body::read_memory(b, &read, self.lowering.buffer(source), &space, &mut known))
        };
        // Only a scan has values before.
        body::evaluate_unit(b, *self.scatter, point, read, |_, previous| previous.start())
    }
}
