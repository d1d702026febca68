//! Scans for the cores of a CPU: blocks of lines, of which a vector walks some at a time.
//!
//! ```text
//! %d = scan "down" (%y, %x) along 0 {...}              scf.parallel (%b) = blocks of columns {
//!   ... load %img[%y, %x] ...                            %m = memref.alloc : rows x 64
//! %u = scan "up" (%y, %x) along 0 backward {...}  ──▶    for 64 lanes: <down the columns of %img, to %m>
//!   ... load %d[%y, %x] ...                              for 64 lanes: <up %m, to the image of "up"> }
//!
//! %r = scan "right" (%y, %x) along 1 {...}             scf.parallel (%b) = blocks of 32 rows {
//!   ... load %img[%y, %x] ...                            %t, %m = memref.alloc : columns x 32
//! %l = scan "left" (%y, %x) along 1 backward {...}       <rows of %img, transposed, to %t>
//!   ... load %r[%y, %x] ...                       ──▶    for 32 lanes: <down %t, to %m>
//!                                                        for 32 lanes: <up %m, to %t>
//!                                                        <%t, transposed, to rows of the image of "left"> }
//! ```
//!
//! A lane walks its line as a loop that carries the values before; `--vectorize` makes vectors of lanes.
//!
//! **Chains.** Scans along the same dimension, the later of which read the earlier ones only in their own line, are done for one
//! block of lines after another. What nobody else reads lives in memory of the block, which a thread has once and which is small
//! enough for its second cache.
//!
//! **Side by side.** Where lines do not run along the last dimension, neighbours in memory are neighbouring lines, and four vectors of
//! them are walked at once. The last ones are moved back to end with the block, and the last block takes what is left of the lines.
//!
//! **Transposed.** Where they do, a vector is a column of some lines. Each image that is read in the own line is transposed on its
//! way in, so many lines and columns at once as a vector has lanes, by rounds of interleaving in registers:
//!
//! ```text
//! a0 a1 a2 a3     a0 c0 a1 c1     a0 b0 c0 d0
//! b0 b1 b2 b3 ──▶ a2 c2 a3 c3 ──▶ a1 b1 c1 d1      v[i], v[i + n/2] ──▶ v[2 i], v[2 i + 1]
//! c0 c1 c2 c3     b0 d0 b1 d1     a2 b2 c2 d2
//! d0 d1 d2 d3     b2 d2 b3 d3     a3 b3 c3 d3
//! ```
//!
//! Two vectors are walked at once. At the last lines, lanes that have none do the last one again. Scans that read what depends
//! on their line in another way, and lines that are too few or too long for such memory, are walked point by point.

use super::{
    addresses::element_number,
    lanes::{lanes, mark_lanes},
    memory::{allocate, free},
    stores::{Flag, is_non_temporal},
};
use crate::{
    analysis::{access, bounds::loads, domain},
    ir::{
        Builder, Compare, Emit, Number, bytes_of_element, element_of, numbers, program::ProgramOp, range_extent,
        result_number, same,
    },
    lower::{
        Lowering,
        body::{self, Known, Read, Space, Whereabouts},
        lower_for_cores,
        scan::{self, MOST_KEPT, along_line, reach},
    },
};
use melior::ir::{
    OperationRef, ShapedTypeLike, Type, Value, ValueLike,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Failure, ir};
use weft_dialects::{
    pipeline::{Boundary, Load, Previous, Scan},
    weft,
};
use weft_model::{Arith, Cpu, Expr, Range};

/// Points of an iteration of the parallel loop, about: beside them it costs nothing to start an iteration.
const POINTS: i64 = 1 << 14;

/// Vectors of lines side by side that are walked together: memory is read in longer stretches, and each has time to wait for its
/// values before. What is between two scans of four of them still fits the second cache; of wider blocks it would not.
const VECTORS: i64 = 4;

/// Lines that are walked together as lanes at most: transposing more takes more registers than there are.
const MOST_LANES: i64 = 16;

/// Lowers the scans that the ops begin with, as far as they are done together; returns how many.
///
/// # Errors
///
/// Those of their bodies.
pub fn lower<'c: 'a, 'a>(
    lowering: &Lowering<'c, 'a>,
    ops: &[ProgramOp<'c, 'a>],
    cpu: &Cpu,
) -> Result<usize, Failure<'c>> {
    let scan = |op: &ProgramOp<'c, 'a>| match op {
        ProgramOp::Unit(unit) => Scan::of(unit.op()),
        _ => None,
    };
    let Some(first) = ops.first().and_then(scan) else { return Ok(0) };
    let b = lowering.builder.located(first.op().location());
    let mut chain = Chain::new(lowering, &b, first, cpu)?;
    if !chain.is_vectors(first)? {
        lower_for_cores(lowering, &b, *first)?;
        return Ok(1);
    }
    for next in ops.iter().skip(1).map_while(scan) {
        if !chain.goes_on(next)? || !chain.is_vectors(next)? {
            break;
        }
        chain.push(&b, next, cpu);
    }
    chain.lower(&b, cpu)?;
    Ok(chain.members.len())
}

/// A scan, and what its arguments run over.
struct Member<'c, 'a> {
    scan: Scan<'c, 'a>,
    domain: Vec<Range<Number<'c, 'a>>>,
    ends: Vec<Number<'c, 'a>>,
    /// For each result whether it is read by others than the scans of the chain.
    leaves: Vec<bool>,
}

/// Scans that are done together.
struct Chain<'l, 'c, 'a> {
    lowering: &'l Lowering<'c, 'a>,
    members: Vec<Member<'c, 'a>>,
    along: usize,
    /// The dimension of which lanes are neighbours.
    across: usize,
    /// Lanes of a vector.
    lanes: i64,
}

/// Where an image lies for a block of lines: by the coordinate along them, and the line.
struct Held<'c, 'a> {
    image: Value<'c, 'a>,
    memory: Value<'c, 'a>,
}

/// A block of lines.
struct Block<'c, 'a> {
    /// Where the code stands.
    b: Builder<'c, 'a>,
    /// The coordinates of the first line, 0 along it.
    first: Vec<Value<'c, 'a>>,
    /// Where its lines end.
    end: Value<'c, 'a>,
    held: Vec<Held<'c, 'a>>,
}

impl<'c, 'a> Block<'c, 'a> {
    fn memory(&self, image: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.held.iter().find(|held| held.image == image).map(|held| held.memory)
    }
}

/// A point of the block: the coordinates, and the number of the line in the block.
struct LinePoint<'p, 'c, 'a> {
    coordinates: &'p [Value<'c, 'a>],
    line: Value<'c, 'a>,
}

impl<'l, 'c: 'a, 'a> Chain<'l, 'c, 'a> {
    fn new(
        lowering: &'l Lowering<'c, 'a>,
        b: &Builder<'c, 'a>,
        first: Scan<'c, 'a>,
        cpu: &Cpu,
    ) -> Result<Self, Failure<'c>> {
        let (along, last) = (first.along(), first.rank() - 1);
        let across = if along == last { last.saturating_sub(1) } else { last };
        let mut chain = Self { lowering, members: Vec::new(), along, across, lanes: i64::MAX };
        chain.push(b, first, cpu);
        Ok(chain)
    }

    fn push(&mut self, b: &Builder<'c, 'a>, scan: Scan<'c, 'a>, cpu: &Cpu) {
        let bounds = domain::bounds(*scan);
        let (domain, ends) = (domain::needed_bounds(*scan, &bounds, b), domain::ends(&bounds));
        self.members.push(Member { scan, domain, ends, leaves: Vec::new() });
        self.lanes = self.lanes.min(lanes(scan.op(), cpu));
        let scans: Vec<OperationRef> = self.members.iter().map(|member| member.scan.op()).collect();
        for member in &mut self.members {
            let op = member.scan.op();
            member.leaves = op.results().map(|image| is_used_beyond(image.into(), &scans)).collect();
        }
    }

    fn is_transposed(&self) -> bool {
        self.along >= self.across
    }

    /// Whether vectors can walk the lines of a scan.
    fn is_vectors(&self, scan: Scan<'c, 'a>) -> Result<bool, Failure<'c>> {
        if !self.is_transposed() {
            return Ok(true);
        }
        // The number of lanes that are transposed is a power of two.
        if scan.rank() < 2 || self.lanes < 2 || self.lanes.count_ones() != 1 {
            return Ok(false);
        }
        for load in loads(*scan) {
            let variables = access::variables(load);
            let is_computed = variables.iter().any(|variable| variable.range.is_none());
            let depends =
                || Ok::<_, Failure>(access::indices(load)?.iter().any(|index| index.dims().contains(&self.across)));
            if is_computed || (!self.is_own_line(scan, load)? && depends()?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a scan can be done for a block of lines when those of the chain have been.
    fn goes_on(&self, next: Scan<'c, 'a>) -> Result<bool, Failure<'c>> {
        let first = &self.members[0];
        let (bounds, own) = (domain::bounds(*next), domain::bounds(*first.scan));
        let extents = |bounds: &[(i64, Number<'c, 'a>)]| bounds.iter().map(|(_, end)| *end).collect::<Vec<_>>();
        let is_same = next.along() == self.along
            && bounds.len() == own.len()
            && extents(&bounds).into_iter().zip(extents(&own)).all(|(a, b)| same(a, b))
            && next.needed() == first.scan.needed();
        if !is_same {
            return Ok(false);
        }
        for load in loads(*next) {
            if self.is_own(load.source()) && !self.is_own_line(next, load)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an image is one of the chain.
    fn is_own(&self, image: Value<'c, 'a>) -> bool {
        let scan = ir::defining_op(image);
        self.members.iter().any(|member| Some(member.scan.op()) == scan)
    }

    fn element_of(&self, image: Value<'c, 'a>) -> Type<'c> {
        element_of(self.lowering.buffer(image))
    }

    /// The images of all scans.
    fn results(&self) -> Vec<Value<'c, 'a>> {
        let ops: Vec<OperationRef> = self.members.iter().map(|member| member.scan.op()).collect();
        ops.iter().flat_map(|op| op.results().map(Value::from).collect::<Vec<_>>()).collect()
    }

    /// Whether a load reads the line of the point, at whatever place.
    fn is_own_line(&self, scan: Scan<'c, 'a>, load: Load<'c, 'a>) -> Result<bool, Failure<'c>> {
        let (indices, extents) = (access::indices(load)?, self.lowering.extents(load.source()));
        let own = domain::bounds(*scan);
        Ok(indices.len() == scan.rank()
            && indices.iter().zip(&extents).enumerate().filter(|(d, _)| *d != self.along).all(
                |(d, (index, extent))| {
                    *index == Expr::Dim(d) && (load.boundary() == Boundary::None || same(*extent, own[d].1))
                },
            ))
    }

    /// The loops.
    fn lower(&self, b: &Builder<'c, 'a>, cpu: &Cpu) -> Result<(), Failure<'c>> {
        if !self.is_transposed() {
            return self.side_by_side(b, cpu);
        }
        let lanes = self.lanes.min(MOST_LANES);
        // Two vectors, so that one is computed while the other waits for its values before.
        let width = 2 * lanes;
        let sources = self.sources()?;
        let extent_of = |image: Value<'c, 'a>| self.lowering.extents(image)[self.along];
        let held: Vec<Value> = sources.iter().copied().chain(self.results()).collect();
        // Memory of the block, in bytes; what the last cache has for a core is enough.
        let bytes = held.iter().fold(Number::Known(0), |all, image| {
            let own = Emit(b).mul(&extent_of(*image), bytes_of_element(self.element_of(*image)) * width);
            Emit(b).add(&all, &own)
        });
        let lines = range_extent(&self.members[0].domain[self.across], b);
        let most = (cpu.l3 / cpu.cores.max(1)).max(cpu.l2);
        let is_worth = match (bytes, lines) {
            (Number::Known(bytes), Number::Known(lines)) => Flag::Known(bytes <= most && lines >= lanes / 4),
            _ => {
                let fits = b.compare(Compare::LessEqual, bytes.value(b), b.index(most));
                let are_many = b.compare(Compare::GreaterEqual, lines.value(b), b.index(lanes / 4));
                Flag::Asked(b.logic("andi", fits, are_many))
            }
        };
        let point_by_point = |b: &Builder<'c, 'a>| {
            self.members.iter().try_for_each(|member| lower_for_cores(self.lowering, b, *member.scan))
        };
        match is_worth {
            Flag::Known(true) => self.transposed(b, [lanes, width], &sources, cpu),
            Flag::Known(false) => point_by_point(b),
            Flag::Asked(flag) => {
                let (yes, no) = b.if_else(flag);
                self.transposed(&yes, [lanes, width], &sources, cpu)?;
                point_by_point(&no)
            }
        }
    }

    /// The images that are read in the own line and that no scan of the chain gives.
    fn sources(&self) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let mut sources: Vec<Value> = Vec::new();
        for member in &self.members {
            for load in loads(*member.scan) {
                let source = load.source();
                if !self.is_own(source) && !sources.contains(&source) && self.is_own_line(member.scan, load)? {
                    sources.push(source);
                }
            }
        }
        Ok(sources)
    }

    /// Blocks of `width` lines in parallel. The rest is a block as well, or, where they shall be `full`, part of the last one.
    fn blocks(&self, b: &Builder<'c, 'a>, width: Number<'c, 'a>, full: bool) -> Block<'c, 'a> {
        let domain = &self.members[0].domain;
        let outer: Vec<usize> = (0..domain.len()).filter(|d| *d != self.along).collect();
        let mut emit = Emit(b);
        let counts: Vec<Number> = outer
            .iter()
            .map(|d| {
                let lines = range_extent(&domain[*d], b);
                if *d != self.across {
                    return lines;
                }
                let more = if full { Number::Known(0) } else { emit.add(&width, &Number::Known(-1)) };
                let padded = emit.add(&lines, &more);
                let blocks = match width {
                    Number::Known(width) => emit.floor_div(&padded, width),
                    Number::Value(width) => Number::Value(b.arith("divui", padded.value(b), width)),
                };
                if full { emit.max(&blocks, &Number::Known(1)) } else { blocks }
            })
            .collect();
        let (each, numbers) = b.parallel(&counts.iter().map(|count| count.value(b)).collect::<Vec<_>>());
        let mut emit = Emit(&each);
        let mut first = vec![each.index(0); domain.len()];
        let mut end = each.index(0);
        for ((d, number), count) in outer.into_iter().zip(numbers).zip(counts) {
            if d != self.across {
                first[d] = emit.add(&Number::Value(number), &domain[d].lo).value(&each);
                continue;
            }
            let scaled = match width {
                Number::Known(width) => emit.mul(&Number::Value(number), width),
                Number::Value(width) => Number::Value(each.arith("muli", number, width)),
            };
            let begin = emit.add(&scaled, &domain[d].lo);
            let last = emit.add(&count, &Number::Known(-1)).value(&each);
            let is_last = each.compare(Compare::Equal, number, last);
            let behind = emit.add(&domain[d].hi, &Number::Known(1)).value(&each);
            let next = emit.add(&begin, &width).value(&each);
            first[d] = begin.value(&each);
            end = each.select(is_last, behind, next, each.index_type());
        }
        Block { b: each, first, end, held: Vec::new() }
    }

    // ---- Lines side by side -------------------------------------------------------------------------------------------------

    fn side_by_side(&self, b: &Builder<'c, 'a>, cpu: &Cpu) -> Result<(), Failure<'c>> {
        let first = &self.members[0];
        let extent = domain::bounds(*first.scan)[self.along].1;
        let leaves = self.members.iter().flat_map(|member| &member.leaves);
        let inner: Vec<Value> =
            self.results().into_iter().zip(leaves).filter(|(_, leaves)| !**leaves).map(|(image, _)| image).collect();
        let wide = match range_extent(&first.domain[self.across], b) {
            // At least one vector, if there are lines for it.
            Number::Known(lines) => self.lanes * (lines / self.lanes).clamp(1, VECTORS),
            Number::Value(_) => self.lanes * VECTORS,
        };
        let outs = self.outs(b, cpu);

        let mut block = self.blocks(b, lines_of_block(b, wide, extent), true);
        let each = block.b;
        for image in inner {
            let memory = allocate(&each, &[extent, Number::Known(wide)], self.element_of(image));
            block.held.push(Held { image, memory });
        }
        // As many lines as vectors have room for, the last ones moved back to end with the block.
        let (begin, end) = (block.first[self.across], block.end);
        let (some, from) = each.for_every(begin, end, wide);
        let back = some.arith("minsi", from, some.arith("subi", end, some.index(wide)));
        let from = some.arith("maxsi", back, begin);
        let to = some.arith("minsi", some.arith("addi", from, some.index(wide)), end);
        for (member, outs) in self.members.iter().zip(&outs) {
            let b = some.located(member.scan.op().location());
            let (lane, x) = b.for_loop(from, to);
            mark_lanes(x, wide, &b);
            let mut line = block.first.clone();
            line[self.across] = x;
            let number = lane.arith("subi", x, from);
            self.walk(&lane, &block, member, &line, number, outs)?;
        }
        block.held.iter().for_each(|held| free(&each, held.memory));
        Ok(())
    }

    /// For each result of each scan whether it is written with non-temporal stores; never where the chain reads it back.
    fn outs(&self, b: &Builder<'c, 'a>, cpu: &Cpu) -> Vec<Vec<Flag<'c, 'a>>> {
        let is_read = |image: Value| {
            !self.is_transposed()
                && self.members.iter().flat_map(|member| loads(*member.scan)).any(|load| load.source() == image)
        };
        let of = |member: &Member<'c, 'a>| {
            let extents = numbers(member.scan.extents());
            let op = member.scan.op();
            let results = op.results().map(Value::from).enumerate();
            let flag = |(result, image): (usize, Value<'c, 'a>)| match is_read(image)
                || reach(member.scan, result, i64::MAX) > MOST_KEPT
            {
                true => Flag::Known(false),
                false => is_non_temporal(b, cpu, &extents, member.scan.image_type(result).element()),
            };
            results.map(flag).collect()
        };
        self.members.iter().map(of).collect()
    }

    /// A scan along one line of the block. Its values go to the memory of the block, or to where `outs` says.
    fn walk(
        &self,
        b: &Builder<'c, 'a>,
        block: &Block<'c, 'a>,
        member: &Member<'c, 'a>,
        line: &[Value<'c, 'a>],
        number: Value<'c, 'a>,
        outs: &[Flag<'c, 'a>],
    ) -> Result<(), Failure<'c>> {
        let scan = member.scan;
        let extent = domain::bounds(*scan)[self.along].1;
        let images: Vec<Value> = scan.op().results().map(Value::from).collect();
        let point = |at: Value<'c, 'a>| {
            let mut coordinates = line.to_vec();
            coordinates[self.along] = at;
            coordinates
        };
        let far = |b: &Builder<'c, 'a>, previous: Previous<'c, 'a>, at: Value<'c, 'a>| {
            let image = images[previous.result()];
            let Some(memory) = block.memory(image) else {
                return scan::before_in_memory(b, scan, previous, &point(at), self.lowering.buffer(image), extent);
            };
            let distance = b.index(previous.distance());
            let is_there = b.compare(Compare::GreaterEqual, along_line(b, scan, at, extent), distance);
            let start = previous.start();
            let read = |b: &Builder<'c, 'a>| {
                let back = b.arith(if scan.is_backward() { "addi" } else { "subi" }, at, distance);
                b.load(memory, &[back, number], start.r#type())
            };
            b.if_value(is_there, read, start)
        };
        scan::walk_line(b, scan, extent, &far, |b, at, before| {
            let coordinates = point(at);
            let point = LinePoint { coordinates: &coordinates, line: number };
            let values = self.evaluate(b, block, member, &point, before)?;
            for ((value, image), out) in values.iter().zip(&images).zip(outs) {
                match block.memory(*image) {
                    Some(memory) => b.store(*value, memory, &[at, number]),
                    None => out.store(b, *value, self.lowering.buffer(*image), &coordinates),
                }
            }
            Ok(values)
        })
    }

    /// The body of a scan at a point. Images that the block holds are read there.
    fn evaluate(
        &self,
        b: &Builder<'c, 'a>,
        block: &Block<'c, 'a>,
        member: &Member<'c, 'a>,
        point: &LinePoint<'_, 'c, 'a>,
        before: scan::Before<'_, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let mut known = Known::new();
        let read = |b: &Builder<'c, 'a>, read: Read<'c, 'a>| {
            let source = read.load.source();
            let space = Space {
                domain: &member.domain,
                extents: &member.ends,
                source: &self.lowering.extents(source),
                whereabouts: Whereabouts::Domain,
            };
            match block.memory(source) {
                Some(memory) if self.is_own_line(member.scan, read.load)? => {
                    let resolved = body::resolve_here(b, &read, &space, &mut known);
                    let value = b.load(memory, &[resolved.indices[self.along], point.line], read.element());
                    Ok(read.or_padding(b, value, resolved.inside))
                }
                _ => Ok(body::read_memory(b, &read, self.lowering.buffer(source), &space, &mut known)),
            }
        };
        body::evaluate_unit(b, *member.scan, point.coordinates, read, before)
    }

    // ---- Lines as lanes -----------------------------------------------------------------------------------------------------

    fn transposed(
        &self,
        b: &Builder<'c, 'a>,
        [lanes, width]: [i64; 2],
        sources: &[Value<'c, 'a>],
        cpu: &Cpu,
    ) -> Result<(), Failure<'c>> {
        let first = &self.members[0];
        let outs = self.outs(b, cpu);
        let extent_of = |image: Value<'c, 'a>| self.lowering.extents(image)[self.along];
        let last = first.domain[self.across].hi.value(b);

        let mut block = self.blocks(b, Number::Known(width), false);
        let each = block.b;
        for image in sources {
            let memory = allocate(&each, &[extent_of(*image), Number::Known(width)], self.element_of(*image));
            block.held.push(Held { image: *image, memory });
        }
        let allocated = self.hold_results(&mut block, width);
        let line = |b: &Builder<'c, 'a>, number: Value<'c, 'a>| {
            let mut line = block.first.clone();
            line[self.across] = b.arith("minsi", b.arith("addi", line[self.across], number), last);
            line
        };
        let transpose = |image: Value<'c, 'a>, columns: Value<'c, 'a>, non_temporal: Option<Flag<'c, 'a>>| {
            let (b, lane) = each.for_every(each.index(0), each.index(width), lanes);
            let lines = (0..lanes).map(|more| line(&b, b.arith("addi", lane, b.index(more)))).collect();
            let (memory, extent) = (self.lowering.buffer(image), extent_of(image));
            Rows { memory, lines, extent, lane }.transpose(&b, columns, non_temporal);
        };
        sources.iter().zip(&block.held).for_each(|(image, held)| transpose(*image, held.memory, None));
        for (member, outs) in self.members.iter().zip(&outs) {
            let b = each.located(member.scan.op().location());
            let (lane, number) = b.for_loop(b.index(0), b.index(width));
            ir::mutable(mark_lanes(number, width, &b)).set_attribute(weft::WIDE, b.unit_attribute());
            let line = line(&lane, number);
            self.walk(&lane, &block, member, &line, number, outs)?;
        }
        let leaves = self.members.iter().flat_map(|member| &member.leaves);
        let results = self.results().into_iter().zip(outs.into_iter().flatten()).zip(&block.held[sources.len()..]);
        for ((image, flag), held) in results.zip(leaves).filter(|(_, leaves)| **leaves).map(|(result, _)| result) {
            transpose(image, held.memory, Some(flag));
        }
        let sources = block.held[..sources.len()].iter().map(|held| held.memory);
        sources.chain(allocated).for_each(|memory| free(&each, memory));
        Ok(())
    }

    /// Memory of the block for the results of all scans: that of an image which is not read any more, or what is allocated here and
    /// given back.
    fn hold_results(&self, block: &mut Block<'c, 'a>, width: i64) -> Vec<Value<'c, 'a>> {
        let extent = domain::bounds(*self.members[0].scan)[self.along].1;
        let mut allocated = Vec::new();
        for (number, member) in self.members.iter().enumerate() {
            let is_read = |image: Value| {
                self.members[number..].iter().flat_map(|member| loads(*member.scan)).any(|load| load.source() == image)
            };
            let leaves = |image: Value| {
                let scan = ir::defining_op(image);
                let of = self.members.iter().find(|member| Some(member.scan.op()) == scan);
                of.is_some_and(|member| member.leaves[result_number(image)])
            };
            for image in member.scan.op().results().map(Value::from).collect::<Vec<_>>() {
                let element = self.element_of(image);
                // Of several images that lie in one memory the last one counts.
                let free = block.held.iter().enumerate().find(|(at, held)| {
                    !block.held[at + 1..].iter().any(|other| other.memory == held.memory)
                        && self.element_of(held.image) == element
                        && same(self.lowering.extents(held.image)[self.along], extent)
                        && !is_read(held.image)
                        && !leaves(held.image)
                        && ir::defining_op(held.image) != Some(member.scan.op())
                });
                let memory = match free {
                    Some((_, held)) => held.memory,
                    None => {
                        let memory = allocate(&block.b, &[extent, Number::Known(width)], element);
                        allocated.push(memory);
                        memory
                    }
                };
                block.held.push(Held { image, memory });
            }
        }
        allocated
    }
}

/// Lines of an image that runs along its last dimension.
struct Rows<'c, 'a> {
    memory: Value<'c, 'a>,
    /// The coordinates of each, 0 along it.
    lines: Vec<Vec<Value<'c, 'a>>>,
    extent: Number<'c, 'a>,
    /// The lane of the first one.
    lane: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Rows<'c, 'a> {
    /// Copies the lines to the columns of `columns`, or, where `non_temporal` says how, those to the lines.
    fn transpose(&self, b: &Builder<'c, 'a>, columns: Value<'c, 'a>, non_temporal: Option<Flag<'c, 'a>>) {
        let width = self.lines.len() as i64;
        let element = element_of(self.memory);
        let is_whole = match non_temporal {
            Some(Flag::Known(true)) => Some(self.are_whole(b)),
            Some(Flag::Asked(flag)) => Some(b.logic("andi", flag, self.are_whole(b))),
            _ => None,
        };
        let extent = self.extent.value(b);
        let (wide, narrow) = match self.extent {
            Number::Known(extent) => ((extent >= width).then_some(*b), (extent < width).then_some(*b)),
            Number::Value(_) => {
                let (wide, narrow) = b.if_else(b.compare(Compare::GreaterEqual, extent, b.index(width)));
                (Some(wide), Some(narrow))
            }
        };
        if let Some(b) = wide {
            let (b, from) = b.for_every(b.index(0), extent, width);
            // The last ones are moved back to end with the line.
            let at = b.arith("minsi", from, b.arith("subi", extent, b.index(width)));
            let ty = b.vector_type(width, element);
            let places: Vec<Vec<Value>> =
                (0..width).map(|more| vec![b.arith("addi", at, b.index(more)), self.lane]).collect();
            let lines: Vec<Vec<Value>> = self.lines.iter().map(|line| self.place(line, at)).collect();
            let (memory, from, (other, to)) = match non_temporal {
                None => (self.memory, &lines, (columns, &places)),
                Some(_) => (columns, &places, (self.memory, &lines)),
            };
            let load = |at: &Vec<Value<'c, 'a>>| b.value("vector.load", &[&[memory], &at[..]].concat(), ty, &[]);
            let vectors = transpose(&b, from.iter().map(load).collect(), ty);
            let store = |b: &Builder<'c, 'a>, attributes: &[(&str, _)]| {
                for (vector, at) in vectors.iter().zip(to) {
                    b.op("vector.store", &[&[*vector, other], &at[..]].concat(), &[], attributes);
                }
            };
            match is_whole {
                None => store(&b, &[]),
                Some(is_whole) => {
                    let rest = b.arith("andi", at, b.index(width - 1));
                    let is_whole = b.logic("andi", is_whole, b.compare(Compare::Equal, rest, b.index(0)));
                    let (non_temporal, cached) = b.if_else(is_whole);
                    let bytes = width * bytes_of_element(element);
                    let aligned = ("alignment", b.i64_attribute(bytes));
                    store(&non_temporal, &[("nontemporal", b.bool_attribute(true)), aligned]);
                    store(&cached, &[]);
                }
            }
        }
        if let Some(b) = narrow {
            let (b, at) = b.for_loop(b.index(0), extent);
            for (number, line) in self.lines.iter().enumerate() {
                let (line, place) = (self.place(line, at), [at, b.arith("addi", self.lane, b.index(number as i64))]);
                match non_temporal {
                    None => b.store(b.load(self.memory, &line, element), columns, &place),
                    Some(_) => b.store(b.load(columns, &place, element), self.memory, &line),
                }
            }
        }
    }

    fn place(&self, line: &[Value<'c, 'a>], at: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let (_, outer) = line.split_last().expect("a line has a dimension");
        [outer, &[at]].concat()
    }

    /// Whether all lines begin with a vector that can be stored by a non-temporal store.
    fn are_whole(&self, b: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let numbers = self.lines.iter().map(|line| element_number(b, self.memory, line));
        let all = numbers.reduce(|all, number| b.arith("ori", all, number)).unwrap_or_else(|| b.index(0));
        let rest = b.arith("andi", all, b.index(self.lines.len() as i64 - 1));
        b.compare(Compare::Equal, rest, b.index(0))
    }
}

/// Vectors of as many lanes as there are vectors, transposed.
fn transpose<'c: 'a, 'a>(b: &Builder<'c, 'a>, mut vectors: Vec<Value<'c, 'a>>, ty: Type<'c>) -> Vec<Value<'c, 'a>> {
    let count = vectors.len() as i64;
    let half = vectors.len() / 2;
    let interleaved = |from: i64| (from..from + count / 2).flat_map(|lane| [lane, count + lane]).collect::<Vec<_>>();
    let masks = [interleaved(0), interleaved(count / 2)].map(|mask| b.integers(&mask));
    for _ in 0..count.ilog2() {
        let pairs = (0..half).map(|number| [vectors[number], vectors[number + half]]);
        let both = pairs.flat_map(|pair| masks.map(|mask| b.value("vector.shuffle", &pair, ty, &[("mask", mask)])));
        vectors = both.collect();
    }
    vectors
}

/// How many lines are an iteration of the parallel loop, a multiple of `wide`: some of [`POINTS`].
fn lines_of_block<'c: 'a, 'a>(b: &Builder<'c, 'a>, wide: i64, extent: Number<'c, 'a>) -> Number<'c, 'a> {
    let mut emit = Emit(b);
    let vectors = match extent {
        Number::Known(extent) => Number::Known(POINTS / wide / extent.max(1)),
        Number::Value(extent) => {
            Number::Value(b.arith("divui", b.index(POINTS / wide), b.arith("maxsi", extent, b.index(1))))
        }
    };
    let vectors = emit.max(&vectors, &Number::Known(1));
    emit.mul(&vectors, wide)
}

/// Whether an image is used by others than these ops.
fn is_used_beyond(image: Value, ops: &[OperationRef]) -> bool {
    let Some(op) = ir::defining_op(image) else { return true };
    let top = std::iter::successors(Some(op), |op| op.parent_operation()).last().unwrap_or(op);
    let is_within = |user: &OperationRef| {
        std::iter::successors(Some(*user), |op| op.parent_operation()).any(|op| ops.contains(&op))
    };
    let mut users = ir::walk(top).into_iter().filter(|user| user.operands().any(|operand| operand == image));
    users.any(|user| !is_within(&user))
}
