//! `--tune`: groups and schedules that were found by measuring, now or before.
//!
//! ```text
//! program, options, extents, who measures, compiler ──▶ ~/.cache/weft/blur-5d1c0f6e29ab7c34.json
//!                                                       there: it is used; else found, said on stderr, and written
//! ```

use crate::{arguments::Input, job::Job};
use serde_json::{Value as Json, json};
use std::{fmt::Debug, path::PathBuf, time::Duration};
use weft_files::complain;
use weft_passes::group::Tuned;
use weft_tools::{
    Stop,
    tune::{
        cache::{Cache, Key},
        groups,
    },
};

/// The file with what is to be made of a program: that of an earlier run, else what `find` gives is written to it. `None` where there
/// is nothing to find.
pub fn file<O: Debug>(
    job: &Job,
    (by, pipeline, seconds): (String, &O, u64),
    find: impl for<'j> FnOnce(&groups::Job<'j, O>) -> Result<Option<(Tuned, Json)>, Stop>,
) -> Result<Option<PathBuf>, Stop> {
    let cache = Cache::new(job.options.tune_cache.as_deref())?;
    let extents: Vec<Vec<usize>> = job.inputs.iter().map(Input::extents).collect();
    let program = job.module.as_operation().to_string();
    let key = Key { program: &program, pipeline: &format!("{pipeline:?}"), by: &by, extents: &extents };
    let file = cache.file(&job.entry.name, &key);
    // Who wants to see what is tried wants it tried.
    if file.exists() && job.options.tune_report.is_none() {
        return Ok(Some(file));
    }
    let module = groups::copy(job.module);
    let (context, function, budget) = (job.context, &job.entry.name, Duration::from_secs(seconds));
    let wanted = groups::Job { context, module: &module, function, options: pipeline, by, budget };
    let found = find(&wanted)?;
    if let Some(path) = &job.options.tune_report {
        let nothing = json!({"program": function, "by": wanted.by, "partitions": []});
        let report = found.as_ref().map_or(&nothing, |(_, report)| report);
        weft_tools::write(path, format!("{report:#}\n"))?;
    }
    let Some((found, _)) = found else {
        complain("tuned: nothing, since no group has a choice");
        return Ok(None);
    };
    cache.write(&file, &found)?;
    if let Some(measured) = &found.measured {
        complain(format_args!(
            "tuned: {:.1} us, {:.1} us as the model has it, {} tried, by {}; {}",
            measured.us,
            measured.model_us,
            measured.tried,
            measured.by,
            file.display()
        ));
    }
    Ok(Some(file))
}
