//! Why a program was fused as it was, as one page: the stage graph, and for each group its tiles to scale, what its cost is made
//! of, what was rejected, its IR and its PTX.
//!
//! ```text
//! program ──▶ graph of stages ─────────────────────────┐
//!    └─ to groups ──▶ report of --fuse, groups' IR ────┼──▶ JSON ──▶ page.html  (page.css, page.js draw it)
//!          └─ to kernels ──▶ PTX ──────────────────────┘
//! ```
//!
//! Here data are only collected; all drawing is the page's own script. The page is a file that can be sent to somebody: it asks
//! for nothing from anywhere.
//!
//! The page of the [clock](crate::clock) is filled here, too, and looks alike: `frame.html`, `theme.css` and
//! `elements.js` are of both.

use crate::{
    Stop, find_program,
    graph::{self, Node},
    group_of, run_steps,
};
use melior::ir::{Module, OperationRef};
use mlir_glue::{Sinks, ir, pipeline_text, run::run_pipeline_with};
use petgraph::{
    graph::DiGraph,
    visit::{EdgeRef, IntoNodeReferences},
};
use serde_json::{Value as Json, json};
use weft_dialects::pipeline::{Group, Stage};
use weft_model::Target;
use weft_passes::{
    gpu::ptx_of,
    group::Report,
    ir::{symbol, symbol_like},
    pipelines::{PipelineToPtx, PtxOptions},
};

const THEME: &str = include_str!("html/theme.css");
const ELEMENTS: &str = include_str!("html/elements.js");
const FRAME: &str = include_str!("html/frame.html");
const PAGE: Page = Page {
    title: "Weft",
    body: include_str!("html/page.html"),
    style: include_str!("html/page.css"),
    script: include_str!("html/page.js"),
};

/// A page before it has data.
pub(crate) struct Page {
    /// What a browser calls it.
    pub title: &'static str,
    /// Its elements.
    pub body: &'static str,
    /// Its style beside the theme.
    pub style: &'static str,
    /// What draws it.
    pub script: &'static str,
}

/// The page of a program, which is lowered to PTX on the way; `options` name the target.
///
/// # Errors
///
/// No program of this name, or several and no name; what the passes refuse.
pub fn page(module: &Module, function: Option<&str>, options: &PtxOptions) -> Result<String, Stop> {
    let func = find_program(module, function)?;
    let name = symbol(func).to_owned();
    // As it is written: stages that are inlined before groups are made shall be seen.
    let graph = graph_json(&graph::of(func)?);

    let target = Target::named(&options.target).map_err(|error| error.to_string())?;
    let [to_groups, to_kernels] = PipelineToPtx::halves(options)?;
    let mut sinks = Sinks::default();
    let reports = sinks.collect::<Report>();
    let text = pipeline_text(&to_groups).map_err(|error| error.to_string())?;
    run_pipeline_with(module.as_operation(), &text, &sinks)?;
    let report = reports.try_iter().find(|report| report.program == name);
    let groups = groups_of(find_program(module, Some(&name))?);
    run_steps(module, &to_kernels)?;
    let ptx = ptx_of(module.as_operation());
    let names: Vec<String> = groups.iter().map(|group| symbol_like(&format!("{name}_{}", group.name))).collect();
    let groups: Vec<Json> = groups
        .iter()
        .enumerate()
        .map(|(number, group)| {
            let kernels: Vec<Json> = kernels(&ptx)
                .filter(|(entry, _)| group_of(entry, &names) == Some(number))
                .map(|(entry, text)| json!({"name": entry, "text": text}))
                .collect();
            json!({"name": group.name, "stages": group.stages, "ir": group.ir, "kernels": kernels})
        })
        .collect();
    Ok(PAGE.fill(&json!({
        "program": name,
        "strategy": options.strategy.word(),
        "target": {
            "name": target.name,
            "chip": options.chip,
            "sms": target.sms,
            "warps_per_sm": target.warps_per_sm,
            "registers_per_thread": target.registers_per_thread,
            "shared_per_block": target.shared_per_block,
        },
        "graph": graph,
        "groups": groups,
        "report": report,
    })))
}

impl Page {
    /// The frame with everything in it. Data come last: what they say is not looked through for more places to fill.
    pub(crate) fn fill(&self, data: &Json) -> String {
        // In JSON, `<` stands in strings alone; without it no text can end the element that it is in, or begin a comment.
        let island = data.to_string().replace('<', "\\u003c");
        FRAME
            .replace("{{title}}", self.title)
            .replace("{{body}}", self.body)
            .replace("{{style}}", &format!("{THEME}\n{}", self.style))
            .replace("{{script}}", &format!("{ELEMENTS}\n{}", self.script))
            .replace("{{data}}", &island)
    }
}

fn graph_json(graph: &DiGraph<Node, String>) -> Json {
    let node = |node: &Node| {
        let (kind, label) = match node {
            Node::Argument(label) => ("input", label),
            Node::Stage(label, _) => ("stage", label),
            Node::Result(label) => ("result", label),
        };
        // The type is the last line; a name may have lines of its own.
        let (name, ty) =
            if kind == "result" { (&label[..], "") } else { label.rsplit_once('\n').unwrap_or((label, "")) };
        json!({"kind": kind, "name": name, "type": ty})
    };
    let nodes: Vec<Json> = graph.node_references().map(|(_, weight)| node(weight)).collect();
    let edges: Vec<Json> = graph
        .edge_references()
        .map(|edge| json!({"from": edge.source().index(), "to": edge.target().index(), "reads": edge.weight()}))
        .collect();
    json!({"nodes": nodes, "edges": edges})
}

/// A group as `--fuse` has left it.
struct Fused {
    name: String,
    stages: Vec<String>,
    ir: String,
}

fn groups_of(func: OperationRef) -> Vec<Fused> {
    let groups = ir::walk(func).into_iter().filter_map(Group::of);
    groups
        .map(|group| Fused {
            name: group.name().to_owned(),
            stages: group.stages().iter().map(|stage: &Stage| stage.name().to_owned()).collect(),
            ir: group.op().to_string(),
        })
        .collect()
}

/// The kernels of a PTX text: names, and texts from the entry up to the next one.
fn kernels(ptx: &str) -> impl Iterator<Item = (&str, &str)> {
    const ENTRY: &str = ".visible .entry ";
    let starts: Vec<usize> = ptx.match_indices(ENTRY).map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([ptx.len()]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(start, end)| {
        let text = ptx[start..end].trim_end();
        (text[ENTRY.len()..].split('(').next().unwrap_or_default().trim(), text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_user_ends_no_element_and_fills_no_place() {
        let page = PAGE.fill(&json!({"program": "</script><!-- {{style}}"}));
        assert_eq!(page.matches("</script>").count(), FRAME.matches("</script>").count());
        assert!(page.contains(r#"{"program":"\u003c/script>\u003c!-- {{style}}"}"#));
    }

    #[test]
    fn kernels_are_found_by_their_entries() {
        let ptx = ".version 8.0\n.visible .entry f_g1(\n)\n{\n}\n\n.visible .entry f_g10_a(\n)\n{\n}\n";
        let found: Vec<_> = kernels(ptx).collect();
        assert_eq!(
            found,
            [("f_g1", ".visible .entry f_g1(\n)\n{\n}"), ("f_g10_a", ".visible .entry f_g10_a(\n)\n{\n}")]
        );
    }
}
