use crate::dialect::bounds;
use melior::ir::{OperationRef, operation::OperationLike};
use mlir_glue::{Failure, Pass, PassContext, Registration, Statistic, ir, options};

options! {
    /// Options of `--toy-drop-clamps`.
    pub struct DropOptions {
        width: i64 = 256, "width", "the least width of an interval that hardly clamps";
    }
}

pub struct DropClamps;

const DROPPED: Statistic = Statistic::new(c"dropped", c"Clamps dropped");

impl Pass for DropClamps {
    const ARGUMENT: &'static str = "toy-drop-clamps";
    const SUMMARY: &'static str = "Drop clamps that hardly clamp";
    const STATISTICS: &'static [Statistic] = &[DROPPED];
    type Options = DropOptions;

    fn run<'c>(module: OperationRef<'c, '_>, options: &DropOptions, cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        for op in ir::walk(module) {
            if let Some((lo, hi)) = bounds(op)
                && hi.saturating_sub(lo) >= options.width
                && let (Ok(x), Ok(result)) = (op.operand(0), op.result(0))
            {
                ir::replace_all_uses(result.into(), x);
                ir::erase(op);
                cx.count(DROPPED, 1);
            }
        }
        Ok(())
    }
}

pub fn register() {
    Registration::pass::<DropClamps>().register();
}
