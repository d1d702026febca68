//! What there is to choose among, whoever measures: partitions of a program, and the schedules of their groups.
//!
//! ```text
//! strategy ──▶ a copy of the program, in groups ──▶ Partition { g0: {tile ...}, {tile ...}, ...      cheapest by the model first,
//!              (first half of the pipeline)                     g1: {tile ...}, ... }                the model's own before all
//! picks 0, 1 ──▶ a copy of that, g0 with its schedule 0, g1 with its 1  (to the second half)
//! ```

use crate::{Stop, find_program};
use indicatif::{ProgressBar, ProgressStyle};
use melior::{
    Context,
    ir::{Attribute, Module, operation::OperationMutLike},
};
use mlir_glue::{Sinks, Step, ir, pipeline_text, run::run_pipeline_with};
use std::time::Duration;
use weft_dialects::pipeline::Group;
use weft_passes::group::{Candidate, Strategy, TunedGroup};

/// Schedules of a group that are asked for: all that the model knows.
pub const CANDIDATES: i64 = 256;

/// What is tuned, and how long.
pub struct Job<'j, O> {
    /// Where the program is.
    pub context: &'j Context,
    /// The program, as it is before the pipeline.
    pub module: &'j Module<'j>,
    /// The function.
    pub function: &'j str,
    /// The pipeline.
    pub options: &'j O,
    /// Who measures, in words.
    pub by: String,
    /// After this time nothing new is tried.
    pub budget: Duration,
}

/// A group, and what it may be.
pub struct Choices<T> {
    /// Its name.
    pub name: String,
    /// Its stages, by name.
    pub stages: Vec<String>,
    /// The model's own first, then cheapest first.
    pub schedules: Vec<Candidate<T>>,
}

/// A way to group the program's stages.
pub struct Partition<'c, T> {
    /// The program, with these groups.
    pub module: Module<'c>,
    /// The groups that are not written by hand.
    pub groups: Vec<Choices<T>>,
}

impl<'c, T> Partition<'c, T> {
    /// The program, each group with the schedule of its number.
    ///
    /// # Errors
    ///
    /// No such function.
    pub fn with(&self, context: &'c Context, function: &str, picks: &[usize]) -> Result<Module<'c>, Stop> {
        let module = copy(&self.module);
        let func = find_program(&module, Some(function))?;
        for group in ir::walk(func).into_iter().filter_map(Group::of).collect::<Vec<_>>() {
            let number = self.groups.iter().position(|of| of.name == group.name());
            let schedule = number.map(|number| &self.groups[number].schedules[picks[number]]);
            if let Some(schedule) = schedule.and_then(|text| Attribute::parse(context, &text.schedule)) {
                ir::mutable(group.op()).set_attribute("schedule", schedule);
            }
        }
        Ok(module)
    }

    /// These schedules, for a file.
    pub fn tuned(&self, picks: &[usize]) -> Vec<TunedGroup> {
        let group = |(group, pick): (&Choices<T>, &usize)| TunedGroup {
            stages: group.stages.clone(),
            schedule: group.schedules[*pick].schedule.clone(),
        };
        self.groups.iter().zip(picks).map(group).collect()
    }

    fn has_groups_of(&self, other: &Self) -> bool {
        self.groups.iter().map(|group| &group.stages).eq(other.groups.iter().map(|group| &group.stages))
    }
}

/// The partitions that strategies find, the pipeline's own first if there is something to tune in it, each once.
///
/// # Errors
///
/// Those of the pipeline's own strategy, and no others.
pub fn partitions<'c, T>(
    context: &'c Context,
    own: Strategy,
    find: impl Fn(Strategy) -> Result<Option<Partition<'c, T>>, Stop>,
) -> Result<Vec<Partition<'c, T>>, Stop> {
    let others = [Strategy::Dp, Strategy::Segments, Strategy::Greedy, Strategy::All, Strategy::None];
    let mut found: Vec<Partition<T>> = Vec::new();
    for strategy in std::iter::once(own).chain(others.into_iter().filter(|other| *other != own)) {
        // What another strategy cannot do does not matter, where the pipeline's own can.
        let silence = (!found.is_empty()).then(|| Silence::over(context));
        let partition = match (find(strategy), &silence) {
            (Err(stop), None) => return Err(stop),
            (partition, _) => partition.ok().flatten(),
        };
        let Some(partition) = partition else { continue };
        if found.iter().all(|other| !other.has_groups_of(&partition)) {
            found.push(partition);
        }
    }
    Ok(found)
}

/// A program in groups.
pub struct Grouped<'c, R> {
    /// The program.
    pub module: Module<'c>,
    /// What passes report of it.
    pub reports: Vec<R>,
    /// The groups that were made.
    pub made: Vec<Made>,
}

/// A group of a program.
pub struct Made {
    /// Its name.
    pub name: String,
    /// Its schedule, as text.
    pub schedule: String,
    /// Its stages, by name.
    pub stages: Vec<String>,
}

/// Runs a pipeline that makes groups, on a copy of the program.
///
/// # Errors
///
/// A program that the pipeline refuses.
pub fn grouped<'c, O, R: Send + 'static>(job: &Job<'c, O>, to_groups: &[Step]) -> Result<Grouped<'c, R>, Stop> {
    let module = copy(job.module);
    let by_hand = groups_of(&module, job.function)?;
    let text = pipeline_text(to_groups).map_err(|error| error.to_string())?;
    let mut sinks = Sinks::default();
    let reports = sinks.collect::<R>();
    run_pipeline_with(module.as_operation(), &text, &sinks)?;
    let mut made = groups_of(&module, job.function)?;
    made.retain(|group| by_hand.iter().all(|other| other.name != group.name));
    Ok(Grouped { module, reports: reports.try_iter().collect(), made })
}

fn groups_of(module: &Module, function: &str) -> Result<Vec<Made>, Stop> {
    let func = find_program(module, Some(function))?;
    let said = |group: Group| Made {
        name: group.name().to_owned(),
        schedule: group.schedule().map_or_else(|| "{}".to_owned(), |schedule| schedule.to_string()),
        stages: group.stages().iter().map(|stage| stage.name().to_owned()).collect(),
    };
    Ok(ir::walk(func).into_iter().filter_map(Group::of).map(said).collect())
}

/// A copy of a module.
pub fn copy<'c>(module: &Module<'c>) -> Module<'c> {
    Module::from_operation((*module.as_operation()).clone()).expect("a copy of a module is one")
}

/// A bar of seconds, drawn on a terminal only.
pub fn progress(budget: Duration) -> ProgressBar {
    let progress = ProgressBar::new(budget.as_secs());
    progress.set_style(
        ProgressStyle::with_template("tuning {bar:30} {pos}/{len} s, {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    progress
}

/// No diagnostics while it lives.
pub struct Silence<'c> {
    context: &'c Context,
    handler: melior::diagnostic::DiagnosticHandlerId,
}

impl<'c> Silence<'c> {
    /// In this context.
    pub fn over(context: &'c Context) -> Self {
        Self { context, handler: context.attach_diagnostic_handler(|_| true) }
    }
}

impl Drop for Silence<'_> {
    fn drop(&mut self) {
        self.context.detach_diagnostic_handler(self.handler);
    }
}
