//! `--fold-tables`: loads of constants at places that are known become numbers.
//!
//! ```text
//! %w = arith.constant dense<[1.0, 2.0, 1.0]> : tensor<3xf32>
//! %a = pipeline.load %w[2] : tensor<3xf32>                     ──▶      %a = arith.constant 1.0 : f32
//! %b = pipeline.load %w[5] clamp : tensor<3xf32>                        %b = arith.constant 1.0 : f32
//! ```
//!
//! That is what weights are for: of a window that `--unroll-reductions` has written out, each has its place. Of a table whose elements
//! are all the same every place is known.

use crate::{
    analysis::{access, boundary::model_boundary, bounds},
    ir::{Builder, table_extents, table_of},
};
use melior::{
    dialect::DialectHandle,
    ir::{Attribute, OperationRef, Value, ValueLike, attribute::DenseElementsAttribute},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use weft_dialects::pipeline::{Boundary, Load};
use weft_model::resolve;

/// The pass.
pub struct FoldTables;

const LOADS: Statistic = Statistic::new(c"loads", c"Loads of constants that became numbers");

impl Pass for FoldTables {
    const ARGUMENT: &'static str = "fold-tables";
    const SUMMARY: &'static str = "Make numbers of loads of constants";
    const DESCRIPTION: &'static str = "\
Replaces a load of an `arith.constant` of tensors by the number that it reads, where its indices are constants, or all numbers of the \
table are the same. What reads at an index that varies, as a look-up by a pixel does, stays a load. It goes behind `--unroll-reductions`, \
which makes constants of a window's variables.";
    const STATISTICS: &'static [Statistic] = &[LOADS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for load in ir::walk(module).into_iter().filter_map(Load::of) {
            let Some(elements) = table_of(load.source()).and_then(|it| DenseElementsAttribute::try_from(it).ok())
            else {
                continue;
            };
            let value: Value = load.op().result(0).expect("a load has a result").into();
            let b = Builder::before(cx.context(), load.op());
            match number(load, elements) {
                Some(Number::Element(number)) => ir::replace_all_uses(value, b.constant(value.r#type(), number)),
                Some(Number::Padding(padding)) => ir::replace_all_uses(value, padding),
                None => continue,
            }
            ir::erase(load.op());
            cx.count(LOADS, 1);
        }
        Ok(())
    }
}

/// What a load reads.
enum Number<'c, 'a> {
    Element(Attribute<'c>),
    Padding(Value<'c, 'a>),
}

fn number<'c: 'a, 'a>(load: Load<'c, 'a>, elements: DenseElementsAttribute<'c>) -> Option<Number<'c, 'a>> {
    let extents = table_extents(load.source());
    let mode = model_boundary(load.boundary());
    let places: Option<Vec<i64>> = access::known_indices(load).ok()?.into_iter().collect();
    let Some(places) = places else {
        let is_inside = match load.boundary() {
            Boundary::None => bounds::stay_inside(load) == vec![true; extents.len()],
            Boundary::Constant => false,
            Boundary::Clamp | Boundary::Mirror | Boundary::Reflect101 | Boundary::Wrap => !extents.contains(&0),
        };
        return (is_inside && elements.is_splat()).then(|| Number::Element(elements.splat_value()));
    };
    let inside = |(place, extent): (i64, &i64)| resolve(place, *extent, mode);
    match places.into_iter().zip(&extents).map(inside).collect::<Option<Vec<i64>>>() {
        Some(at) => ir::element_at(elements, &at).map(Number::Element),
        None => load.padding().map(Number::Padding),
    }
}
