//! The stage graph, drawn: who reads whom, where, and what shares a kernel.
//!
//! ```text
//! img ──[y, x - 1 .. x + 1]──▶ blurx ──▶ blury        stages of a group have one colour
//! ```

use crate::{
    Stop,
    signature::{Argument, Output, Signature},
};
use melior::ir::{BlockLike, OperationRef, ShapedTypeLike, Value, ValueLike, operation::OperationLike};
use petgraph::{
    dot::{Config, Dot},
    graph::{DiGraph, NodeIndex},
};
use std::collections::HashMap;
use weft_dialects::pipeline::{Boundary, Group, Stage, Unit};
use weft_passes::{
    analysis::{access, bounds},
    ir::{Key, key, program},
};

/// What a node stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// An argument of the program.
    Argument(String),
    /// A stage, and the group that it is in; or a scan or scatter.
    Stage(String, Option<usize>),
    /// A result of the program.
    Result(String),
}

/// Builds the graph of a program; edges are labelled with the points that are read.
///
/// # Errors
///
/// A type that no executor knows.
pub fn of<'c: 'a, 'a>(func: OperationRef<'c, 'a>) -> Result<DiGraph<Node, String>, Stop> {
    let Signature { arguments, results } = Signature::of(func)?;
    let mut graph = DiGraph::new();
    let mut nodes = HashMap::new();
    let Ok(block) = program::entry(func) else { return Ok(graph) };
    for (index, Argument { name, .. }) in arguments.iter().enumerate() {
        let Ok(argument) = block.argument(index).map(Value::from) else { continue };
        if argument.r#type().to_string().starts_with("tensor") {
            nodes.insert(key(argument), graph.add_node(Node::Argument(format!("{name}\n{}", argument.r#type()))));
        }
    }
    let mut groups = Vec::new();
    for stage in program::units(func) {
        let group = stage.op().parent_operation().and_then(Group::of).map(|group| {
            let index = groups.iter().position(|known| *known == group);
            index.unwrap_or_else(|| {
                groups.push(group);
                groups.len() - 1
            })
        });
        let kind = if Stage::of(stage.op()).is_some() { String::new() } else { format!("{} ", stage.kind()) };
        let label = format!("{kind}{}\n{}", stage.name(), stage.image_type(0));
        let node = graph.add_node(Node::Stage(label, group));
        for result in stage.op().results() {
            nodes.insert(key(result.into()), node);
        }
        for (source, label) in reads(stage) {
            if let Some(from) = node_of(source, &nodes) {
                graph.add_edge(from, node, label);
            }
        }
    }
    let returned = block.terminator().into_iter().flat_map(|end| end.operands().collect::<Vec<_>>());
    for (value, Output { name, .. }) in returned.zip(results) {
        let node = graph.add_node(Node::Result(name));
        if let Some(from) = node_of(value, &nodes) {
            graph.add_edge(from, node, String::new());
        }
    }
    Ok(graph)
}

fn node_of(value: Value, nodes: &HashMap<Key, NodeIndex>) -> Option<NodeIndex> {
    let direct = nodes.get(&key(value)).copied();
    direct.or_else(|| nodes.get(&key(program::unit_of(value)?.op().result(0).ok()?.into())).copied())
}

/// What a stage reads of one source.
struct Access<'c, 'a> {
    source: Value<'c, 'a>,
    /// For each dimension, the indices that are read.
    indices: Vec<Vec<String>>,
    modes: Vec<&'static str>,
}

/// The sources of a stage, each once, with the indices that are read and the boundary modes.
fn reads<'c: 'a, 'a>(stage: Unit<'c, 'a>) -> Vec<(Value<'c, 'a>, String)> {
    let mut accesses: Vec<Access> = Vec::new();
    for load in bounds::loads(stage) {
        let source = load.source();
        let position = accesses.iter().position(|access| access.source == source).unwrap_or_else(|| {
            accesses.push(Access { source, indices: vec![Vec::new(); load.source_type().rank()], modes: Vec::new() });
            accesses.len() - 1
        });
        let access = &mut accesses[position];
        for (known, index) in access.indices.iter_mut().zip(access::indices(load).unwrap_or_default()) {
            let text = index.fmt_with(&access::names(load)).to_string();
            if !known.contains(&text) {
                known.push(text);
            }
        }
        let mode = load.boundary().keyword();
        if load.boundary() != Boundary::None && !access.modes.contains(&mode) {
            access.modes.push(mode);
        }
    }
    // Long lists say less than their ends.
    let list = |texts: &Vec<String>| match &texts[..] {
        [first, .., last] if texts.len() > 3 => format!("{first} ... {last}"),
        few => few.join(" | "),
    };
    let label = |access: &Access| {
        let indices = access.indices.iter().map(list).collect::<Vec<_>>().join(", ");
        format!("[{indices}] {}", access.modes.join(" ")).trim_end().to_owned()
    };
    accesses.iter().map(|access| (access.source, label(access))).collect()
}

/// The graph in the language of Graphviz.
pub fn to_dot(graph: &DiGraph<Node, String>, name: &str) -> String {
    // Colour-blind safe pastels; groups beyond them start over.
    const COLOURS: [&str; 8] = ["#a6cee3", "#b2df8a", "#fdbf6f", "#cab2d6", "#fb9a99", "#ffff99", "#d9d9d9", "#8dd3c7"];
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let edge = |_, edge: petgraph::graph::EdgeReference<String>| format!("label=\"{}\"", quoted(edge.weight()));
    let node = |_, (_, node): (NodeIndex, &Node)| match node {
        Node::Argument(name) => format!("label=\"{}\" shape=ellipse", quoted(name)),
        Node::Result(name) => format!("label=\"{}\" shape=ellipse style=bold", quoted(name)),
        Node::Stage(name, None) => format!("label=\"{}\" shape=box", quoted(name)),
        Node::Stage(name, Some(group)) => {
            format!(
                "label=\"{}\" shape=box style=filled fillcolor=\"{}\"",
                quoted(name),
                COLOURS[group % COLOURS.len()]
            )
        }
    };
    let config = [Config::EdgeNoLabel, Config::NodeNoLabel, Config::GraphContentOnly];
    let dot = Dot::with_attr_getters(graph, &config, &edge, &node);
    format!(
        "digraph \"{}\" {{\n    node [fontname=\"sans-serif\" fontsize=11]\n    edge [fontname=\"sans-serif\" fontsize=9]\n{dot:?}}}\n",
        quoted(name)
    )
}
