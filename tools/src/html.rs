//! Why a program was fused as it was, as one page: the stage graph, and for each group its tiles to scale, what its cost is made
//! of, what else was thought of, its IR, and its PTX or loops.
//!
//! ```text
//! program ──▶ graph of stages ──────────────────────────────────────────────┐
//!    └─ to groups ──▶ report of --fuse or --cpu-schedule, groups' IR ───────┼──▶ JSON ──▶ page.html  (page.css, page.js draw it)
//!          └─ to kernels ──▶ PTX, or parallel loops of the CPU ─────────────┘
//! ```
//!
//! GPUs and CPUs differ in their pipelines, in what there is to say of the machine, and in where the code of a group is found.
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
use melior::ir::{Module, OperationRef, operation::OperationLike};
use mlir_glue::{Sinks, Step, ir, pipeline_text, run::run_pipeline_with};
use petgraph::{
    graph::DiGraph,
    visit::{EdgeRef, IntoNodeReferences},
};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use weft_dialects::pipeline::{Group, Stage};
use weft_model::{Cost, Cpu, Target};
use weft_passes::{
    gpu::ptx_of,
    group::{CpuTerms, Report, Strategy},
    ir::{is_outermost_parallel, symbol, symbol_like},
    pipelines::{CpuOptions, PipelineToCpu, PipelineToPtx, PtxOptions},
};

const THEME: &str = include_str!("html/theme.css");
const ELEMENTS: &str = include_str!("html/elements.js");
const FRAME: &str = include_str!("html/frame.html");
const PAGE: Page = Page {
    title: "Weft",
    body: include_str!("html/page.html"),
    style: include_str!("html/page.css"),
    script: concat!(include_str!("html/machines.js"), "\n", include_str!("html/page.js")),
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

/// Candidates of each group that the page lists.
pub const CANDIDATES: i64 = 12;

/// What a program is compiled for.
pub enum Machine {
    /// A GPU: to PTX.
    Gpu(PtxOptions),
    /// A CPU: to loops.
    Cpu(CpuOptions),
}

impl Machine {
    /// The pipelines to groups, and from there to code; what there is to say of the machine; and the strategy.
    fn plan(&self) -> Result<([Vec<Step>; 2], Json, Strategy), String> {
        match self {
            Self::Gpu(options) => {
                let target = Target::named(&options.target).map_err(|error| error.to_string())?;
                let facts = json!({
                    "name": target.name,
                    "kind": "gpu",
                    "chip": options.chip,
                    "sms": target.sms,
                    "warps_per_sm": target.warps_per_sm,
                    "registers_per_thread": target.registers_per_thread,
                    "shared_per_block": target.shared_per_block,
                });
                Ok((PipelineToPtx::halves(options)?, facts, options.strategy))
            }
            Self::Cpu(options) => {
                let cpu = Cpu::named(&options.target).map_err(|error| error.to_string())?;
                let facts = json!({
                    "name": cpu.name,
                    "kind": "cpu",
                    "cores": cpu.cores,
                    "vector": cpu.vector,
                    "l2": cpu.l2,
                    "l3": cpu.l3,
                    "non_temporal": cpu.non_temporal,
                });
                Ok((PipelineToCpu::loops(options)?, facts, options.strategy))
            }
        }
    }

    /// Runs the pipeline to groups; why they are as they are.
    fn to_groups(&self, module: &Module, steps: &[Step], program: &str) -> Result<Json, Stop> {
        match self {
            Self::Gpu(_) => report::<Cost>(module, steps, program),
            Self::Cpu(_) => report::<CpuTerms>(module, steps, program),
        }
    }

    /// The code of each group, when all is lowered: names and texts.
    fn code(&self, module: &Module, program: &str, groups: &[Fused]) -> Vec<Vec<(String, String)>> {
        let mut code = vec![Vec::new(); groups.len()];
        match self {
            Self::Gpu(_) => {
                let ptx = ptx_of(module.as_operation());
                let names: Vec<String> =
                    groups.iter().map(|group| symbol_like(&format!("{program}_{}", group.name))).collect();
                for (entry, text) in kernels(&ptx) {
                    if let Some(number) = group_of(entry, &names) {
                        code[number].push((entry.to_owned(), text.to_owned()));
                    }
                }
            }
            Self::Cpu(_) => {
                let body = ir::operations(module.body()).filter(|op| symbol(*op) == program).flat_map(ir::walk);
                for op in body.filter(|op| is_outermost_parallel(*op)) {
                    if let Some(number) = written_in(op, groups) {
                        let name = format!("loop {}", code[number].len());
                        code[number].push((name, op.to_string()));
                    }
                }
            }
        }
        code
    }
}

/// The page of a program, which is lowered on the way.
///
/// # Errors
///
/// No program of this name, or several and no name; what the passes refuse.
pub fn page(module: &Module, function: Option<&str>, machine: &Machine) -> Result<String, Stop> {
    let func = find_program(module, function)?;
    let name = symbol(func).to_owned();
    // As it is written: stages that are inlined before groups are made shall be seen.
    let graph = graph_json(&graph::of(func)?);

    let ([to_groups, to_code], target, strategy) = machine.plan()?;
    let report = machine.to_groups(module, &to_groups, &name)?;
    let groups = groups_of(find_program(module, Some(&name))?);
    run_steps(module, &to_code)?;
    let code = machine.code(module, &name, &groups);
    let group = |(group, code): (&Fused, Vec<(String, String)>)| {
        let kernels: Vec<Json> = code.into_iter().map(|(name, text)| json!({"name": name, "text": text})).collect();
        json!({"name": group.name, "stages": group.stages, "ir": group.ir, "kernels": kernels})
    };
    let groups: Vec<Json> = groups.iter().zip(code).map(group).collect();
    Ok(PAGE.fill(&json!({
        "program": name,
        "strategy": strategy.word(),
        "target": target,
        "graph": graph,
        "groups": groups,
        "report": report,
    })))
}

/// Runs the passes up to groups; why they are as they are.
fn report<T: Serialize + Send + 'static>(module: &Module, steps: &[Step], program: &str) -> Result<Json, Stop> {
    let mut sinks = Sinks::default();
    let reports = sinks.collect::<Report<T>>();
    let text = pipeline_text(steps).map_err(|error| error.to_string())?;
    run_pipeline_with(module.as_operation(), &text, &sinks)?;
    Ok(json!(reports.try_iter().find(|report| report.program == program)))
}

/// Where an op is written, whatever it is called.
fn place(op: OperationRef) -> String {
    let location = op.location().to_string();
    location.rsplit('(').next().unwrap_or_default().trim_end_matches(')').to_owned()
}

/// The group whose stages an op's ops are from, by where they are written; most of them, as others are of no stage in particular.
fn written_in(op: OperationRef, groups: &[Fused]) -> Option<usize> {
    let mut votes = vec![0; groups.len()];
    for op in ir::walk(op) {
        let place = place(op);
        votes
            .iter_mut()
            .zip(groups)
            .filter(|(_, group)| group.places.contains(&place))
            .for_each(|(votes, _)| *votes += 1);
    }
    let most = *votes.iter().max()?;
    votes.iter().position(|votes| *votes == most && most > 0)
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
    /// Where its ops are written.
    places: HashSet<String>,
}

fn groups_of(func: OperationRef) -> Vec<Fused> {
    let groups = ir::walk(func).into_iter().filter_map(Group::of);
    groups
        .map(|group| Fused {
            name: group.name().to_owned(),
            stages: group.stages().iter().map(|stage: &Stage| stage.name().to_owned()).collect(),
            ir: group.op().to_string(),
            places: ir::walk(group.op()).into_iter().map(place).collect(),
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
