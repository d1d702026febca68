//! `--delay-transposes`: pixels that lanes look up are mixed as they lie in memory, and what comes of it is transposed.
//!
//! ```text
//! %r, %g, %b = columns of %p0, %p1, %p2, %p3                 %w0, %w1, %w2, %w3 = %w spread over the rows
//! %s, %h, %c = columns of %q0, %q1, %q2, %q3                 %d0 = arith.subf %q0, %p0
//! %dr = arith.subf %s, %r                                    %m0 = math.fma %d0, %w0, %p0
//! %mr = math.fma %dr, %w, %r                          ──▶    ...
//! %dg = arith.subf %h, %g                                    %m3 = math.fma %d3, %w3, %p3
//! ...                                                        %mr, %mg, %mb = columns of %m0, %m1, %m2, %m3
//! %mb = math.fma %db, %w, %b
//! ```
//!
//! Each lane of a warp or a table of colours loads whole pixels, and channels are vectors: seven shuffles for each corner of a cell. Four pixels are no more vectors
//! than their four channels, so that arithmetic that is alike in all channels is as well done to pixels, with what each lane has for all of its channels,
//! such as a weight, spread over them. Several corners are transposed as one then.
//!
//! That is done up to where corners meet for the last time, and where it has fewer shuffles and operations in all.

use super::fours::{FOUR, column_of, columns, spread};
use crate::ir::{Builder, Key, Kind, bits_of_element, constant_of, is, key};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Value, ValueLike, attribute::DenseElementsAttribute, operation::OperationLike,
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use petgraph::unionfind::UnionFind;
use std::collections::{HashMap, HashSet};

/// The pass.
pub struct DelayTransposes;

const DELAYED: Statistic = Statistic::new(c"delayed", c"Operations on channels that are done to pixels");

impl Pass for DelayTransposes {
    const ARGUMENT: &'static str = "delay-transposes";
    const SUMMARY: &'static str = "Mix pixels that lanes look up before their channels are vectors";
    const DESCRIPTION: &'static str = "\
Where the same arithmetic is done to three or four columns of four rows in each four lanes, as `--vectorize` makes them of pixels at computed places, and takes columns of several rows, \
it is done to the rows, and columns are made of what comes of it, if there are fewer shuffles and operations then. It goes behind `--cse`.";
    const STATISTICS: &'static [Statistic] = &[DELAYED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[mlir_glue::tool::vector()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut blocks: Vec<BlockRef> = Vec::new();
        for op in ir::walk(module).into_iter().filter(|op| is(*op, "vector.shuffle")) {
            let is_column = ir::result(op, 0).and_then(column_of).is_some();
            blocks.extend(op.block().filter(|block| is_column && !blocks.contains(block)));
        }
        for block in blocks {
            let graph = Graph::of(block);
            let parts = graph.parts();
            for part in &parts {
                cx.count(DELAYED, graph.delay(cx, part));
            }
            if !parts.is_empty() {
                graph.erase_unused(block);
            }
        }
        Ok(())
    }
}

/// An operand of what is done to all channels.
#[derive(Clone, Copy)]
enum Operand<'c, 'a> {
    /// The channels themselves, by the number of their node.
    Channels(usize),
    /// The same for all of them.
    Common(Value<'c, 'a>),
}

/// What makes channels: where it is equal, channels belong together.
#[derive(PartialEq, Eq, Hash)]
enum What {
    Columns([Key; FOUR]),
    Op { kind: Kind, operands: Vec<Result<usize, Key>> },
}

/// The channels of pixels, each a vector.
struct Node<'c, 'a> {
    /// The op that makes the first of them: what all are made of stands before it.
    first: OperationRef<'c, 'a>,
    channels: [Option<Value<'c, 'a>>; FOUR],
    made: Made<'c, 'a>,
}

/// Of what.
enum Made<'c, 'a> {
    Columns([Value<'c, 'a>; FOUR]),
    Op(Vec<Operand<'c, 'a>>),
}

impl<'c: 'a, 'a> Node<'c, 'a> {
    /// The nodes that it takes, each once.
    fn takes(&self) -> Vec<usize> {
        let Made::Op(operands) = &self.made else { return Vec::new() };
        let numbers = operands.iter().filter_map(|operand| match operand {
            Operand::Channels(number) => Some(*number),
            Operand::Common(_) => None,
        });
        let mut numbers: Vec<usize> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn present(&self) -> [bool; FOUR] {
        self.channels.map(|channel| channel.is_some())
    }

    fn count(&self) -> usize {
        self.channels.iter().flatten().count()
    }

    /// Shuffles that make these channels.
    fn shuffles(&self) -> usize {
        let pairs = self.present();
        2 * [pairs[0] || pairs[1], pairs[2] || pairs[3]].into_iter().filter(|is_taken| *is_taken).count() + self.count()
    }

    fn users(&self) -> impl Iterator<Item = OperationRef<'c, 'a>> + use<'c, 'a> {
        self.channels.into_iter().flatten().flat_map(|channel| ir::uses(channel).into_iter().map(|(user, _)| user))
    }
}

/// What is done to channels in a block; operands stand before what takes them.
struct Graph<'c, 'a> {
    nodes: Vec<Node<'c, 'a>>,
    /// The node of an op's result, and which channel it is.
    places: HashMap<Key, (usize, usize)>,
}

impl<'c: 'a, 'a> Graph<'c, 'a> {
    fn of(block: BlockRef<'c, 'a>) -> Self {
        let mut graph = Self { nodes: Vec::new(), places: HashMap::new() };
        let mut known: HashMap<What, usize> = HashMap::new();
        for op in ir::operations(block) {
            let Some(result) = ir::result(op, 0).filter(|result| is_of_32_bits(*result)) else { continue };
            let Some((what, made, channel)) = graph.made(op, result) else { continue };
            let number = *known.entry(what).or_insert_with(|| {
                graph.nodes.push(Node { first: op, channels: [None; FOUR], made });
                graph.nodes.len() - 1
            });
            // The same twice is of no use to anybody, and stays what it is.
            let place = &mut graph.nodes[number].channels[channel];
            if place.is_none() {
                *place = Some(result);
                graph.places.insert(key(result), (number, channel));
            }
        }
        graph
    }

    /// How an op makes a channel, and which.
    fn made(&self, op: OperationRef<'c, 'a>, result: Value<'c, 'a>) -> Option<(What, Made<'c, 'a>, usize)> {
        if let Some((rows, channel)) = column_of(result) {
            return Some((What::Columns(rows.map(key)), Made::Columns(rows), channel));
        }
        let name = ir::name_of(op);
        if !name.starts_with("arith.") && !name.starts_with("math.") || op.operand_count() == 0 {
            return None;
        }
        let place_of = |operand: Value| self.places.get(&key(operand)).copied();
        let (_, channel) = op.operands().find_map(place_of)?;
        let operands = op.operands().map(|operand| match place_of(operand) {
            Some((number, own)) => (own == channel).then_some(Operand::Channels(number)),
            None => is_of_32_bits(operand).then_some(Operand::Common(operand)),
        });
        let operands: Vec<Operand> = operands.collect::<Option<_>>()?;
        let keys = operands.iter().map(|operand| match operand {
            Operand::Channels(number) => Ok(*number),
            Operand::Common(value) => Err(key(*value)),
        });
        let what = What::Op { kind: Kind::of(op)?, operands: keys.collect() };
        Some((what, Made::Op(operands), channel))
    }

    /// Nodes that hang together, and whose rows are worth it: each part the numbers of what is done to rows, in order.
    fn parts(&self) -> Vec<Vec<usize>> {
        // Whether all channels are made in the same way.
        let mut is_whole: Vec<bool> = Vec::new();
        let mut joined = UnionFind::new(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            let takes = node.takes();
            let is_like = |from: &usize| is_whole[*from] && self.nodes[*from].present() == node.present();
            is_whole.push(node.count() > 2 && takes.iter().all(is_like));
            if is_whole[number] {
                takes.into_iter().for_each(|from| _ = joined.union(from, number));
            }
        }
        // Up to the last ops that join several.
        let mut is_done = vec![false; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().rev().filter(|(number, _)| is_whole[*number]) {
            let takes = node.takes();
            is_done[number] |= takes.len() > 1;
            if is_done[number] {
                takes.into_iter().for_each(|from| is_done[from] = true);
            }
        }
        let mut parts: Vec<(usize, Vec<usize>)> = Vec::new();
        for number in (0..self.nodes.len()).filter(|number| is_done[*number]) {
            let root = joined.find(number);
            match parts.iter_mut().find(|(other, _)| *other == root) {
                Some((_, part)) => part.push(number),
                None => parts.push((root, vec![number])),
            }
        }
        parts.into_iter().map(|(_, part)| part).filter(|part| self.saves(part) > 0).collect()
    }

    /// Whether others than a part have a use for channels.
    fn is_needed(&self, part: &HashSet<usize>, node: &Node<'c, 'a>) -> bool {
        node.users().any(|user| {
            let place = ir::result(user, 0).and_then(|result| self.places.get(&key(result)));
            place.is_none_or(|(number, _)| !part.contains(number))
        })
    }

    /// Shuffles and operations that there are less where a part is done to rows.
    fn saves(&self, part: &[usize]) -> i64 {
        let all: HashSet<usize> = part.iter().copied().collect();
        let mut common: HashSet<Key> = HashSet::new();
        let mut saved = 0;
        for node in part.iter().map(|number| &self.nodes[*number]) {
            let is_needed = self.is_needed(&all, node);
            match &node.made {
                Made::Columns(_) => saved += if is_needed { 0 } else { node.shuffles() as i64 },
                Made::Op(operands) => {
                    saved -= (FOUR - node.count()) as i64;
                    saved -= if is_needed { node.shuffles() as i64 } else { 0 };
                    common.extend(operands.iter().filter_map(|operand| match operand {
                        Operand::Common(value) if !is_same_in_all(*value) => Some(key(*value)),
                        _ => None,
                    }));
                }
            }
        }
        saved - (FOUR * common.len()) as i64
    }

    /// Does to rows what a part does to channels; returns how many operations these were.
    fn delay(&self, cx: &PassContext<'c>, part: &[usize]) -> usize {
        let all: HashSet<usize> = part.iter().copied().collect();
        let mut rows: HashMap<usize, [Value; FOUR]> = HashMap::new();
        let mut common: HashMap<Key, [Value; FOUR]> = HashMap::new();
        let mut delayed = 0;
        for number in part {
            let node = &self.nodes[*number];
            let operands = match &node.made {
                Made::Columns(of) => {
                    rows.insert(*number, *of);
                    continue;
                }
                Made::Op(operands) => operands,
            };
            let b = Builder::before(cx.context(), node.first).located(node.first.location());
            let operands: Vec<[Value; FOUR]> = operands
                .iter()
                .map(|operand| match operand {
                    Operand::Channels(from) => rows[from],
                    Operand::Common(value) if is_same_in_all(*value) => [*value; FOUR],
                    Operand::Common(value) => *common.entry(key(*value)).or_insert_with(|| spread(&b, *value)),
                })
                .collect();
            let attributes: Vec<(&str, Attribute)> =
                node.first.attributes().map(|(name, value)| (ir::identifier_text(name), value)).collect();
            let ty = ir::result(node.first, 0).expect("a channel is a result").r#type();
            let own = [0, 1, 2, 3].map(|row| {
                let operands: Vec<Value> = operands.iter().map(|rows| rows[row]).collect();
                b.value(ir::name_of(node.first), &operands, ty, &attributes)
            });
            if self.is_needed(&all, node) {
                let channels = node.channels.into_iter().zip(columns(&b, own));
                channels.for_each(|(channel, column)| {
                    channel.into_iter().for_each(|channel| ir::replace_all_uses(channel, column))
                });
            }
            rows.insert(*number, own);
            delayed += node.count();
        }
        delayed
    }

    /// Erases channels, and shuffles, that nobody takes any longer.
    fn erase_unused(&self, block: BlockRef<'c, 'a>) {
        let ops: Vec<OperationRef> = ir::operations(block).collect();
        for op in ops.into_iter().rev() {
            let is_unused = |result: &Value<'c, 'a>| {
                !ir::has_uses(*result) && (is(op, "vector.shuffle") || self.places.contains_key(&key(*result)))
            };
            if ir::result(op, 0).filter(is_unused).is_some() {
                ir::erase(op);
            }
        }
    }
}

/// Whether a value is a row of elements of 32 bits.
fn is_of_32_bits(value: Value) -> bool {
    ir::vector_extents(value.r#type()).is_some_and(|extents| extents.len() == 1)
        && ir::vector_element(value.r#type()).and_then(bits_of_element) == Some(32)
}

/// Whether all lanes are known to have the same.
fn is_same_in_all(value: Value) -> bool {
    let constant = constant_of(value).and_then(|constant| DenseElementsAttribute::try_from(constant).ok());
    constant.is_some_and(|constant| constant.is_splat())
        || ir::defining_op(value).is_some_and(|op| is(op, "vector.broadcast"))
}
