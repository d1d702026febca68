//! What the clock says of kernels, as one page: an SM over time, and stages, lines of the program and PTX by what warps wait for there.
//!
//! All drawing is the page's own script; here are the data, and the text of the files that instructions come from.

use super::json::estimate_json;
use crate::{Stop, html::Page};
use serde_json::{Map, Value as Json, json};
use std::{collections::BTreeSet, path::Path};
use weft_runtime::simt::clock::Estimate;

const PAGE: Page = Page {
    title: "Weft: clock",
    body: include_str!("page/page.html"),
    style: include_str!("page/page.css"),
    script: include_str!("page/page.js"),
};

/// A launch that the clock has looked at.
pub struct Clocked<'e> {
    /// The kernel's name.
    pub kernel: &'e str,
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// What the clock says.
    pub estimate: &'e Estimate,
}

/// Writes the page of all launches, in order.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_page(launches: &[Clocked], file: &Path) -> Result<(), Stop> {
    crate::write(file, page(launches))
}

fn page(launches: &[Clocked]) -> String {
    let sources = launches.iter().flat_map(|launch| &launch.estimate.lines).filter_map(|line| line.source.as_ref());
    let files: BTreeSet<&str> = sources.map(|source| source.file.as_str()).collect();
    // A file that is not there any more has lines without text. (PTX can name anything: a pipe would be waited for.)
    let texts = files.into_iter().filter(|file| Path::new(file).is_file()).filter_map(|file| {
        let text = weft_files::text(Path::new(file), "a program").ok()?;
        Some((file.to_owned(), text.lines().collect::<Vec<_>>().into()))
    });
    let kernel = |launch: &Clocked| {
        let mut clock = estimate_json(launch.estimate);
        for (line, of) in clock["lines"].as_array_mut().into_iter().flatten().zip(&launch.estimate.lines) {
            line["text"] = json!(of.text);
        }
        json!({"name": launch.kernel, "grid": launch.grid, "block": launch.block, "clock": clock})
    };
    let kernels: Vec<Json> = launches.iter().map(kernel).collect();
    PAGE.fill(&json!({"kernels": kernels, "sources": texts.collect::<Map<_, _>>()}))
}
