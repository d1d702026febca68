//! Groups and schedules that were found by measuring, as a file: `pipeline-run --tune` writes it, `--fuse="tune=FILE"` makes
//! them, or `--cpu-schedule="tune=FILE"`.
//!
//! ```text
//! [{"program": "blur", "target": "v100",
//!   "groups": [{"stages": ["blurx", "blury"],                       %g0 = pipeline.group "g0" schedule {...} {
//!               "schedule": "{block = array<i64: 4, 32>, ...}"}]    ──▶  %0 = pipeline.stage "blurx" ...
//! }]                                                                     %1 = pipeline.stage "blury" ... }
//! ```
//!
//! The schedules are attributes as a group has them, so that one can read them, commit them, and put them into a program by hand.

use super::grouping::Made;
use crate::analysis::model::Whole;
use melior::{Context, ir::Attribute, ir::attribute::DictionaryAttribute};
use mlir_glue::one_of;
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, path::Path};
use weft_dialects::pipeline::Stage;
use weft_model::Access;

/// The groups of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// The function.
    pub program: String,
    /// The GPU or the CPU for which they were found.
    pub target: String,
    /// In the order in which they run; groups that are written by hand are not among them.
    pub groups: Vec<TunedGroup>,
    /// What was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// A group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedGroup {
    /// Its stages, by name.
    pub stages: Vec<String>,
    /// Its schedule, as its attribute says it.
    pub schedule: String,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// By whom.
    pub by: String,
    /// Microseconds of these groups.
    pub us: f64,
    /// Microseconds of those that the model of costs chooses.
    pub model_us: f64,
    /// Programs that were compiled and run.
    pub tried: usize,
}

impl Tuned {
    /// Those of a file, for a program of this name.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is no such file, or has no such program.
    pub fn read(file: &str, program: &str) -> Result<Self, String> {
        let text = weft_files::text(Path::new(file), "JSON")?;
        let all: Vec<Self> = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
        let names: Vec<String> = all.iter().map(|tuned| format!("@{}", tuned.program)).collect();
        let found = all.into_iter().find(|tuned| tuned.program == program);
        found.ok_or_else(|| match names.is_empty() {
            true => format!("{file}: no program, expected @{program}"),
            false => format!("{file}: no program @{program}, expected {}", one_of(&names)),
        })
    }

    /// The groups of a run of stages.
    ///
    /// # Errors
    ///
    /// Groups that are not those of the run: a stage in none, or that is not there; one that reads what a later one computes; a
    /// schedule that is none.
    pub fn made<'c, 'a>(
        &self,
        context: &'c Context,
        whole: &Whole<'c, 'a>,
        run: &[Stage<'c, 'a>],
    ) -> Result<Made<'c, 'a>, String> {
        let named = |name: &str| run.iter().position(|stage| stage.name() == name);
        // The first group that each stage is in, by number.
        let mut group_of: HashMap<usize, usize> = HashMap::new();
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut made = Vec::new();
        for (number, group) in self.groups.iter().enumerate() {
            let mut members: Vec<usize> = group.stages.iter().filter_map(|name| named(name)).collect();
            if members.is_empty() {
                continue;
            }
            if members.len() < group.stages.len() {
                let missing = group.stages.iter().find(|name| named(name).is_none()).map_or("?", String::as_str);
                return Err(format!("has a group of {}, but there is no stage \"{missing}\" beside them", list(group)));
            }
            members.sort_unstable();
            if let Some(twice) = members.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(format!("has stage \"{}\" twice in a group", run[twice[0]].name()));
            }
            for member in &members {
                group_of.entry(*member).or_insert(number);
            }
            let schedule = Attribute::parse(context, &group.schedule)
                .and_then(|schedule| DictionaryAttribute::try_from(schedule).ok())
                .ok_or_else(|| format!("has schedule '{}', expected a dictionary of attributes", group.schedule))?;
            made.push((members.iter().map(|member| run[*member]).collect(), Some(schedule)));
            groups.push((number, members));
        }
        if let Some(alone) = (0..run.len()).find(|member| !group_of.contains_key(member)) {
            return Err(format!("has no group with stage \"{}\"", run[alone].name()));
        }
        let place = |stage: &Stage<'c, 'a>| whole.stages.iter().position(|other| other == stage);
        let places: Vec<usize> = run.iter().filter_map(place).collect();
        for (number, reader) in
            groups.iter().flat_map(|(number, members)| members.iter().map(move |member| (number, member)))
        {
            let reads = whole.model.stages[places[*reader]].accesses.iter().filter_map(Access::producer);
            let mut in_run = reads.filter_map(|read| places.iter().position(|place| *place == read));
            if let Some(late) = in_run.find(|producer| group_of[producer] > *number) {
                return Err(format!(
                    "has \"{}\" in a group before that of \"{}\", which it reads",
                    run[*reader].name(),
                    run[late].name()
                ));
            }
        }
        Ok(made)
    }
}

/// The stages of a group, for messages.
fn list(group: &TunedGroup) -> String {
    group.stages.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
