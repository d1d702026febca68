//! `--count-loads`: how often each stage reads an image.
//!
//! ```text
//! %a = pipeline.stage "a" (%y, %x) {
//!   %l = pipeline.load %img[%y, %x - 1] clamp      ──▶      remark: "a" makes 2 loads
//!   %r = pipeline.load %img[%y, %x + 1] clamp
//! ```
//!
//! A load in a reduce counts once, whatever the window.

use crate::{analysis::bounds::loads, ir::program};
use melior::ir::OperationRef;
use mlir_glue::{Diagnostic, Failure, Pass, PassContext, Statistic, options};

options! {
    /// Options of `--count-loads`.
    pub struct CountLoadsOptions {
        at_least: i64 = 0, "at-least", "say nothing of stages with fewer loads";
    }
}

/// The pass.
pub struct CountLoads;

const LOADS: Statistic = Statistic::new(c"loads", c"Loads of all stages");

impl Pass for CountLoads {
    const ARGUMENT: &'static str = "count-loads";
    const SUMMARY: &'static str = "Say how often each stage reads an image";
    const STATISTICS: &'static [Statistic] = &[LOADS];
    type Options = CountLoadsOptions;

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &CountLoadsOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        if options.at_least < 0 {
            let message = format!("option 'at-least' is {}, expected 0 or more", options.at_least);
            return Err(Diagnostic::on(module, message).into());
        }
        for unit in program::programs(module).into_iter().flat_map(program::units) {
            let count = loads(unit).count();
            cx.count(LOADS, count);
            if count as i64 >= options.at_least {
                Diagnostic::on(unit.op(), format!("\"{}\" makes {count} loads", unit.name())).emit_remark();
            }
        }
        Ok(())
    }
}
