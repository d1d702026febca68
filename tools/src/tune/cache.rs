//! What was tuned before, on disk: a file for each program, extents, target and compiler.
//!
//! ```text
//! ~/.cache/weft/blur-5d1c0f6e29ab7c34.json      as `--fuse="tune=FILE"` takes it
//! ```
//!
//! A file appears whole or not at all, so that two who tune the same at once do each other no harm: the later stays. The oldest go
//! when there are too many.

use crate::Stop;
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};
use weft_model::user_cache;
use weft_passes::group::Tuned;

/// Files that are kept.
const MOST: usize = 1024;

/// What schedules depend on.
#[derive(Hash)]
pub struct Key<'k> {
    /// The program's text, as it is before the pipeline.
    pub program: &'k str,
    /// The pipeline's options as text.
    pub pipeline: &'k str,
    /// Who measures.
    pub by: &'k str,
    /// Extents of the images, in order.
    pub extents: &'k [Vec<usize>],
}

impl Key<'_> {
    /// A number that stands for it. Extents count by halves of an octave: what is good for 1000 rows is for 1080.
    fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.program, self.pipeline, self.by).hash(&mut hasher);
        for image in self.extents {
            let class = |extent: &usize| (2.0 * (*extent as f64).log2()).round() as i64;
            image.iter().map(class).collect::<Vec<_>>().hash(&mut hasher);
        }
        // A compiler that was built again may choose otherwise.
        env!("CARGO_PKG_VERSION").hash(&mut hasher);
        let built = std::env::current_exe().and_then(fs::metadata);
        built.and_then(|of| Ok((of.len(), of.modified()?))).ok().hash(&mut hasher);
        hasher.finish()
    }
}

/// A folder of such files.
pub struct Cache(PathBuf);

impl Cache {
    /// In this folder; else in the user's, where there is one.
    ///
    /// # Errors
    ///
    /// No folder, and no user's.
    pub fn new(folder: Option<&Path>) -> Result<Self, Stop> {
        let folder = folder.map(Path::to_path_buf).or_else(user_cache);
        folder
            .map(Self)
            .ok_or_else(|| Stop::Because("neither XDG_CACHE_HOME nor HOME is set, expected --tune-cache".into()))
    }

    /// The file of a program.
    pub fn file(&self, function: &str, key: &Key) -> PathBuf {
        let name: String = function.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(64).collect();
        self.0.join(format!("{name}-{:016x}.json", key.number()))
    }

    /// Writes such a file.
    ///
    /// # Errors
    ///
    /// A folder or a file that cannot be written.
    pub fn write(&self, file: &Path, tuned: &Tuned) -> Result<(), Stop> {
        let failed = |error: std::io::Error| Stop::Because(format!("{}: {error}", file.display()));
        let text = serde_json::to_string_pretty(&[tuned]).map_err(|error| error.to_string())?;
        fs::create_dir_all(&self.0).map_err(failed)?;
        crate::write(file, text + "\n")?;
        self.shrink();
        Ok(())
    }

    /// Removes the oldest of too many. Somebody else may be at it, too: what cannot be removed is left.
    fn shrink(&self) {
        let Ok(entries) = fs::read_dir(&self.0) else { return };
        let mut files: Vec<_> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "json"))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let many = files.len().saturating_sub(MOST);
        files.into_iter().take(many).for_each(|(_, file)| drop(fs::remove_file(file)));
    }
}
