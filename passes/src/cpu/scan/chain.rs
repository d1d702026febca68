//! Scans along the same dimension, for one block of lines after another: side by side, transposed, or joined.

use super::{
    super::{
        addresses::step_of_rows,
        lanes::{lanes, mark_lanes},
        memory::{allocate, free},
        stores::{Flag, is_non_temporal},
    },
    ahead::{self, Ahead},
    joined::{self, Joined, Steps},
    rows::Rows,
};
use crate::{
    analysis::{access, bounds::loads, domain},
    ir::{
        Builder, Compare, Emit, Number, apply, bytes_of_element, element_of, numbers, range_extent, result_number, same,
    },
    lower::{
        Lowering,
        body::{self, Known, Read, Space, Whereabouts},
        lower_for_cores,
        scan::{self, MOST_KEPT, Stretch, along_line, kept, reach},
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

/// A scan, and what its arguments run over.
pub(super) struct Member<'c, 'a> {
    pub(super) scan: Scan<'c, 'a>,
    domain: Vec<Range<Number<'c, 'a>>>,
    ends: Vec<Number<'c, 'a>>,
    /// For each result whether it is read by others than the scans of the chain.
    leaves: Vec<bool>,
}

/// Scans that are done together.
pub(super) struct Chain<'l, 'c, 'a> {
    lowering: &'l Lowering<'c, 'a>,
    pub(super) members: Vec<Member<'c, 'a>>,
    pub(super) along: usize,
    /// The dimension of which lanes are neighbours.
    pub(super) across: usize,
    /// Lanes of a vector.
    pub(super) lanes: i64,
    /// Of a scan along rows how its results follow from those before, where vectors are points of a row.
    pub(super) joined: Option<Vec<Joined<'c, 'a>>>,
}

/// An image of which memory has a part.
#[derive(Clone)]
pub(super) struct Held<'c, 'a> {
    pub(super) image: Value<'c, 'a>,
    pub(super) memory: Value<'c, 'a>,
}

/// What a chain is done for at a time, if that is not all of its lines, or not all of each.
pub(super) struct Band<'c, 'a> {
    /// The dimension of which there is a part.
    pub(super) dimension: usize,
    /// The first coordinate, and that behind the last.
    pub(super) rows: [Value<'c, 'a>; 2],
    /// The same as steps of a scan along the dimension.
    pub(super) steps: [Value<'c, 'a>; 2],
    /// How long a band is, but for the last one.
    pub(super) height: Number<'c, 'a>,
    /// The number of the band, modulo 2.
    pub(super) parity: Value<'c, 'a>,
    /// Images that have memory for a band: row `y` lies at `y - rows[0]`.
    pub(super) held: Vec<Held<'c, 'a>>,
    /// For results of scans along the dimension, memory for what is kept of the bands before: twice, in turn.
    pub(super) before: Vec<Held<'c, 'a>>,
    /// Images that a scan of the band reads.
    pub(super) read: Vec<Value<'c, 'a>>,
    /// The columns that it has, where it has not all.
    pub(super) columns: Option<Columns<'c, 'a>>,
}

/// Some columns, of a thread.
pub(super) struct Columns<'c, 'a> {
    /// The first one, and that behind the last.
    pub(super) range: [Value<'c, 'a>; 2],
    /// The number of this part of the columns.
    pub(super) number: Value<'c, 'a>,
    /// For results of the scan along rows what is before these columns in each row, at the number of the part.
    pub(super) before: Vec<Held<'c, 'a>>,
}

impl<'c: 'a, 'a> Band<'c, 'a> {
    fn memory(&self, image: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.held.iter().find(|held| held.image == image).map(|held| held.memory)
    }

    /// Where a scan along the dimension finds each value that it keeps when it begins, and where it leaves it for the next band.
    fn carried(&self, b: &Builder<'c, 'a>, scan: Scan<'c, 'a>) -> Vec<Carried<'c, 'a>> {
        let next = b.arith("subi", b.index(1), self.parity);
        let mut all = Vec::new();
        for ((result, kept), image) in kept(scan).into_iter().enumerate().zip(scan.op().results()) {
            let Some(held) = self.before.iter().find(|held| held.image == image.into()) else { continue };
            let row = |parity, back| b.arith("addi", b.arith("muli", parity, b.index(kept as i64)), b.index(back));
            let element = scan.image_type(result).element();
            all.extend((0..kept as i64).map(|back| Carried {
                memory: held.memory,
                element,
                rows: [row(self.parity, back), row(next, back)],
            }));
        }
        all
    }
}

/// A value from one band to the next. The two lie apart: vectors of lines may overlap, and begin some lines again.
struct Carried<'c, 'a> {
    memory: Value<'c, 'a>,
    element: Type<'c>,
    /// That with which a band begins, and that for the next one.
    rows: [Value<'c, 'a>; 2],
}

/// Lines of an image, one for each of a block.
#[derive(Clone, PartialEq)]
struct Lines<'c, 'a> {
    image: Value<'c, 'a>,
    /// The indices of a line, of the image's dimensions but the one along it, in coordinates of the scan. The image may have fewer dimensions than the
    /// scan: all planes of colours take the same weights.
    at: Vec<Expr>,
}

/// Lines that memory of a block has.
struct InBlock<'c, 'a> {
    lines: Lines<'c, 'a>,
    memory: Value<'c, 'a>,
}

/// A block of lines.
pub(super) struct Block<'c, 'a> {
    /// Where the code stands.
    pub(super) b: Builder<'c, 'a>,
    /// The coordinates of the first line, 0 along it.
    first: Vec<Value<'c, 'a>>,
    /// Where its lines end.
    end: Value<'c, 'a>,
    held: Vec<InBlock<'c, 'a>>,
}

impl<'c, 'a> Block<'c, 'a> {
    fn memory(&self, lines: &Lines<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.held.iter().find(|held| held.lines == *lines).map(|held| held.memory)
    }
}

/// A line: the coordinates, that along it 0, and its number in the block.
pub(super) struct Line<'c, 'a> {
    first: Vec<Value<'c, 'a>>,
    number: Value<'c, 'a>,
}

impl<'c, 'a> Line<'c, 'a> {
    pub(super) fn point(&self, along: usize, at: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let mut coordinates = self.first.clone();
        coordinates[along] = at;
        coordinates
    }
}

/// A point of the block: the coordinates, and the number of the line in the block.
struct LinePoint<'p, 'c, 'a> {
    coordinates: &'p [Value<'c, 'a>],
    line: Value<'c, 'a>,
}

impl<'l, 'c: 'a, 'a> Chain<'l, 'c, 'a> {
    /// As many of these scans as are done together, from the first one on; none where vectors cannot walk its lines.
    ///
    /// # Errors
    ///
    /// An index that divides by something else than a positive constant.
    pub(super) fn of(
        lowering: &'l Lowering<'c, 'a>,
        scans: &[Scan<'c, 'a>],
        cpu: &Cpu,
    ) -> Result<Option<Self>, Failure<'c>> {
        let Some((first, others)) = scans.split_first() else { return Ok(None) };
        let b = &lowering.builder.located(first.op().location());
        let (along, last) = (first.along(), first.rank() - 1);
        let across = if along == last { last.saturating_sub(1) } else { last };
        let joined = Joined::of(*first).filter(|_| along == last && along > 0 && has_rows(lowering, *first));
        let mut chain = Self { lowering, members: Vec::new(), along, across, lanes: i64::MAX, joined };
        chain.push(b, *first, cpu);
        if chain.joined.is_some() {
            return Ok(Some(chain));
        }
        if !chain.is_vectors(*first)? {
            return Ok(None);
        }
        for next in others {
            if !chain.goes_on(*next)? || !chain.is_vectors(*next)? {
                break;
            }
            chain.push(b, *next, cpu);
        }
        Ok(Some(chain))
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

    /// Whether lines are rows.
    pub(super) fn is_along_rows(&self) -> bool {
        self.along >= self.across
    }

    /// Whether vectors can walk the lines of a scan.
    fn is_vectors(&self, scan: Scan<'c, 'a>) -> Result<bool, Failure<'c>> {
        if !self.is_along_rows() {
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
            if is_computed || (self.lines_of(scan, load)?.is_none() && depends()?) {
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
            if self.is_own(load.source()) && self.lines_of(next, load)? != Some(self.own_lines(load.source())) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an image is one of the chain.
    pub(super) fn is_own(&self, image: Value<'c, 'a>) -> bool {
        let scan = ir::defining_op(image);
        self.members.iter().any(|member| Some(member.scan.op()) == scan)
    }

    /// How far an image goes along each dimension.
    pub(super) fn extents(&self, image: Value<'c, 'a>) -> Vec<Number<'c, 'a>> {
        self.lowering.extents(image)
    }

    pub(super) fn element_of(&self, image: Value<'c, 'a>) -> Type<'c> {
        element_of(self.lowering.buffer(image))
    }

    /// Whether a scan of the chain reads an image.
    pub(super) fn reads(&self, image: Value<'c, 'a>) -> bool {
        self.members.iter().flat_map(|member| loads(*member.scan)).any(|load| load.source() == image)
    }

    /// The images of all scans.
    pub(super) fn results(&self) -> Vec<Value<'c, 'a>> {
        let ops: Vec<OperationRef> = self.members.iter().map(|member| member.scan.op()).collect();
        ops.iter().flat_map(|op| op.results().map(Value::from).collect::<Vec<_>>()).collect()
    }

    /// The dimension that lines run along of an image of so many: the last one, where they are rows, also of images of fewer.
    fn along_of(&self, rank: usize) -> Option<usize> {
        match self.is_along_rows() {
            true => rank.checked_sub(1),
            false => (rank == self.members[0].scan.rank()).then_some(self.along),
        }
    }

    /// The lines of a result of a scan.
    fn own_lines(&self, image: Value<'c, 'a>) -> Lines<'c, 'a> {
        let rank = self.members[0].scan.rank();
        Lines { image, at: (0..rank).filter(|d| *d != self.along).map(Expr::Dim).collect() }
    }

    /// The lines of which a load reads that of the point, at whatever place; `None` if it does not.
    fn lines_of(&self, scan: Scan<'c, 'a>, load: Load<'c, 'a>) -> Result<Option<Lines<'c, 'a>>, Failure<'c>> {
        let (image, mut at) = (load.source(), access::indices(load)?);
        let mut extents = self.lowering.extents(image);
        let Some(along) = self.along_of(at.len()) else { return Ok(None) };
        at.remove(along);
        extents.remove(along);
        let own = domain::bounds(*scan);
        let own_extents: Vec<Number> = own.iter().map(|(_, end)| *end).collect();
        let is_inside = |index: &Expr, extent: Number<'c, 'a>| match (index, extent) {
            (Expr::Const(place), Number::Known(extent)) => (0..extent).contains(place),
            _ => domain::is_own_extent(index, &own_extents, extent),
        };
        let is_of_line = |(index, extent): (&Expr, &Number<'c, 'a>)| {
            let is_other = || index.dims().iter().all(|d| *d < scan.rank() && ![self.across, self.along].contains(d));
            (*index == Expr::Dim(self.across) || is_other())
                && (load.boundary() == Boundary::None || is_inside(index, *extent))
        };
        let lines = Lines { image, at };
        let is_there = match self.is_along_rows() {
            true => lines.at.contains(&Expr::Dim(self.across)),
            false => lines == self.own_lines(image),
        };
        Ok((is_there && lines.at.iter().zip(&extents).all(is_of_line)).then_some(lines))
    }

    /// How long the lines of an image are that the chain reads.
    fn length_of(&self, image: Value<'c, 'a>) -> Number<'c, 'a> {
        let extents = self.lowering.extents(image);
        extents[self.along_of(extents.len()).expect("an image with lines has a dimension along them")]
    }

    /// The loops.
    ///
    /// # Errors
    ///
    /// Those of the bodies.
    pub(super) fn lower(&self, b: &Builder<'c, 'a>, cpu: &Cpu) -> Result<(), Failure<'c>> {
        match self.is_worth_vectors(b, cpu)? {
            Flag::Known(true) => self.vectors(b, cpu, None),
            Flag::Known(false) => self.point_by_point(b),
            Flag::Asked(flag) => {
                let (yes, no) = b.if_else(flag);
                self.vectors(&yes, cpu, None)?;
                self.point_by_point(&no)
            }
        }
    }

    /// The loops of vectors, for all lines or a part.
    ///
    /// # Errors
    ///
    /// Those of the bodies.
    pub(super) fn vectors(
        &self,
        b: &Builder<'c, 'a>,
        cpu: &Cpu,
        band: Option<&Band<'c, 'a>>,
    ) -> Result<(), Failure<'c>> {
        match &self.joined {
            Some(joined) => self.walk_joined(b, joined, band),
            None if self.is_along_rows() => self.transposed(b, cpu, band),
            None => self.side_by_side(b, cpu, band),
        }
    }

    /// The loops where vectors are not worth it.
    ///
    /// # Errors
    ///
    /// Those of the bodies.
    pub(super) fn point_by_point(&self, b: &Builder<'c, 'a>) -> Result<(), Failure<'c>> {
        self.members.iter().try_for_each(|member| lower_for_cores(self.lowering, b, *member.scan))
    }

    /// Lines of a vector, and of a block of transposed ones: two vectors, so that one is computed while the other waits for its values before.
    fn widths(&self) -> [i64; 2] {
        let lanes = self.lanes.min(MOST_LANES);
        [lanes, 2 * lanes]
    }

    /// Lines of a block of rows.
    pub(super) fn width(&self) -> i64 {
        if self.joined.is_some() { joined::ROWS } else { self.widths()[1] }
    }

    /// Whether there are lines for vectors, and memory for a block of them.
    ///
    /// # Errors
    ///
    /// An index that divides by something else than a positive constant.
    pub(super) fn is_worth_vectors(&self, b: &Builder<'c, 'a>, cpu: &Cpu) -> Result<Flag<'c, 'a>, Failure<'c>> {
        if !self.is_along_rows() || self.joined.is_some() {
            return Ok(Flag::Known(true));
        }
        let [lanes, width] = self.widths();
        let sources = self.sources()?.into_iter().map(|lines| lines.image);
        let held: Vec<Value> = sources.chain(self.results()).collect();
        // Memory of the block, in bytes; what the last cache has for a core is enough.
        let bytes = held.iter().fold(Number::Known(0), |all, image| {
            let own = Emit(b).mul(&self.length_of(*image), bytes_of_element(self.element_of(*image)) * width);
            Emit(b).add(&all, &own)
        });
        let lines = range_extent(&self.members[0].domain[self.across], b);
        let most = (cpu.l3 / cpu.cores.max(1)).max(cpu.l2);
        Ok(match (bytes, lines) {
            (Number::Known(bytes), Number::Known(lines)) => Flag::Known(bytes <= most && lines >= lanes / 4),
            _ => {
                let fits = b.compare(Compare::LessEqual, bytes.value(b), b.index(most));
                let are_many = b.compare(Compare::GreaterEqual, lines.value(b), b.index(lanes / 4));
                Flag::Asked(b.logic("andi", fits, are_many))
            }
        })
    }

    /// The lines that are read, of images that no scan of the chain gives.
    fn sources(&self) -> Result<Vec<Lines<'c, 'a>>, Failure<'c>> {
        let mut sources: Vec<Lines> = Vec::new();
        for member in &self.members {
            for load in loads(*member.scan).filter(|load| !self.is_own(load.source())) {
                let lines = self.lines_of(member.scan, load)?;
                sources.extend(lines.filter(|lines| !sources.contains(lines)));
            }
        }
        Ok(sources)
    }

    /// Whether lines that lie apart along a dimension read the same of an image of several: what a block has read is still in the caches for that of the next
    /// plane of colours.
    fn is_shared_by(&self, dimension: usize) -> bool {
        let is_apart = |index: &Expr| !index.dims().contains(&dimension);
        self.members
            .iter()
            .flat_map(|member| loads(*member.scan))
            .any(|load| access::indices(load).is_ok_and(|at| at.len() > 1 && at.iter().all(is_apart)))
    }

    /// Blocks of `width` lines in parallel. The rest is a block as well, or, where they shall be `full`, part of the last one.
    pub(super) fn blocks(
        &self,
        b: &Builder<'c, 'a>,
        domain: &[Range<Number<'c, 'a>>],
        width: Number<'c, 'a>,
        full: bool,
    ) -> Block<'c, 'a> {
        let mut outer: Vec<usize> = (0..domain.len()).filter(|d| *d != self.along).collect();
        outer.sort_by_key(|d| self.is_shared_by(*d));
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
                let blocks = divide(b, padded, width);
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

    fn side_by_side(&self, b: &Builder<'c, 'a>, cpu: &Cpu, band: Option<&Band<'c, 'a>>) -> Result<(), Failure<'c>> {
        let domain = self.domain(b, band);
        let length = band.map_or_else(|| domain::bounds(*self.members[0].scan)[self.along].1, |band| band.height);
        let leaves = self.members.iter().flat_map(|member| &member.leaves);
        // Of a band they have memory already.
        let inner = self.results().into_iter().zip(leaves).filter(|(_, leaves)| !**leaves && band.is_none());
        let inner: Vec<Value> = inner.map(|(image, _)| image).collect();
        let wide = match range_extent(&domain[self.across], b) {
            // At least one vector, if there are lines for it.
            Number::Known(lines) => self.lanes * (lines / self.lanes).clamp(1, VECTORS),
            Number::Value(_) => self.lanes * VECTORS,
        };
        let outs = self.outs(b, cpu, band);

        let mut block = self.blocks(b, &domain, lines_of_block(b, wide, length), true);
        let each = block.b;
        for image in inner {
            let memory = allocate(&each, &[length, Number::Known(wide)], self.element_of(image));
            block.held.push(InBlock { lines: self.own_lines(image), memory });
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
            let line = Line { first: line, number: lane.arith("subi", x, from) };
            self.walk(&lane, &block, member, &line, outs, band)?;
        }
        block.held.iter().for_each(|held| free(&each, held.memory));
        Ok(())
    }

    /// The points of the chain that are done: those of a band, if there is one.
    pub(super) fn domain(&self, b: &Builder<'c, 'a>, band: Option<&Band<'c, 'a>>) -> Vec<Range<Number<'c, 'a>>> {
        let mut domain = self.members[0].domain.clone();
        if let Some(band) = band {
            let last = b.arith("addi", band.rows[1], b.index(-1));
            domain[band.dimension] = Range { lo: Number::Value(band.rows[0]), hi: Number::Value(last) };
            if let (Some(columns), Some(column)) = (&band.columns, domain.last_mut()) {
                let [from, to] = columns.range;
                let last = b.arith("subi", to, b.index(1));
                *column = Range { lo: Number::Value(from), hi: Number::Value(last) };
            }
        }
        domain
    }

    /// Where a point of an image lies, if not in memory of a block.
    fn place(
        &self,
        b: &Builder<'c, 'a>,
        image: Value<'c, 'a>,
        coordinates: &[Value<'c, 'a>],
        band: Option<&Band<'c, 'a>>,
    ) -> (Value<'c, 'a>, Vec<Value<'c, 'a>>) {
        let mut at = coordinates.to_vec();
        let Some((band, memory)) = band.and_then(|band| Some((band, band.memory(image)?))) else {
            return (self.lowering.buffer(image), at);
        };
        at[band.dimension] = b.arith("subi", at[band.dimension], band.rows[0]);
        (memory, at)
    }

    /// For each result of each scan whether it is written with non-temporal stores; never where it is read back soon.
    fn outs(&self, b: &Builder<'c, 'a>, cpu: &Cpu, band: Option<&Band<'c, 'a>>) -> Vec<Vec<Flag<'c, 'a>>> {
        let is_read = |image: Value<'c, 'a>| match band {
            Some(band) => band.read.contains(&image) || band.memory(image).is_some(),
            None => !self.is_along_rows() && self.reads(image),
        };
        let of = |member: &Member<'c, 'a>| {
            let extents = numbers(member.scan.extents());
            let op = member.scan.op();
            let results = op.results().map(Value::from).enumerate();
            let flag = |(result, image): (usize, Value<'c, 'a>)| match is_read(image)
                || reach(member.scan, result, i64::MAX) > MOST_KEPT
            {
                true => Flag::Known(false),
                false => is_non_temporal(b, cpu, &extents, member.scan.image_type(result).element(), false),
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
        line: &Line<'c, 'a>,
        outs: &[Flag<'c, 'a>],
        band: Option<&Band<'c, 'a>>,
    ) -> Result<(), Failure<'c>> {
        let scan = member.scan;
        let extent = domain::bounds(*scan)[self.along].1;
        let images: Vec<Value> = scan.op().results().map(Value::from).collect();
        let far = |b: &Builder<'c, 'a>, previous: Previous<'c, 'a>, at: Value<'c, 'a>| {
            let image = images[previous.result()];
            let Some(memory) = block.memory(&self.own_lines(image)) else {
                let point = line.point(self.along, at);
                return scan::before_in_memory(b, scan, previous, &point, self.lowering.buffer(image), extent);
            };
            let distance = b.index(previous.distance());
            let is_there = b.compare(Compare::GreaterEqual, along_line(b, scan, at, extent), distance);
            let start = previous.start();
            let read = |b: &Builder<'c, 'a>| {
                let back = b.arith(if scan.is_backward() { "addi" } else { "subi" }, at, distance);
                b.load(memory, &[back, line.number], start.r#type())
            };
            b.if_value(is_there, read, start)
        };
        let part = band.filter(|band| band.dimension == self.along);
        let carried = part.map_or_else(Vec::new, |band| band.carried(b, scan));
        let begin =
            |value: &Carried<'c, 'a>| b.load(value.memory, &line.point(self.along, value.rows[0]), value.element);
        let stretch = match part {
            Some(band) => Stretch { steps: band.steps, before: carried.iter().map(begin).collect() },
            None => Stretch::whole(b, scan, extent),
        };
        let ahead = if self.is_along_rows() { Vec::new() } else { Ahead::of(scan)? };
        let is_near = |image| {
            let held = block.held.iter().any(|held| held.lines.image == image);
            held || band.is_some_and(|band| band.memory(image).is_some())
        };
        let last = scan::walk_line(b, scan, extent, stretch, &far, |b, at, before| {
            let coordinates = line.point(self.along, at);
            for ahead in ahead.iter().filter(|ahead| !is_near(ahead.image)) {
                let extents = self.lowering.extents(ahead.image);
                ahead.read(b, scan, self.lowering.buffer(ahead.image), &extents, &coordinates);
            }
            let point = LinePoint { coordinates: &coordinates, line: line.number };
            let values = self.evaluate(b, block, member, &point, before, band)?;
            for ((value, image), out) in values.iter().zip(&images).zip(outs) {
                match block.memory(&self.own_lines(*image)) {
                    Some(memory) => b.store(*value, memory, &[at, line.number]),
                    None => {
                        let (memory, at) = self.place(b, *image, &coordinates, band);
                        let asks = !self.is_along_rows() && !is_near(*image);
                        if let Some(cached) = out.cached(b).filter(|_| asks) {
                            ahead::write(&cached, scan, memory, extent, &at);
                        }
                        out.store(b, *value, memory, &at);
                    }
                }
            }
            Ok(values)
        })?;
        for (value, carried) in last.iter().zip(&carried) {
            b.store(*value, carried.memory, &line.point(self.along, carried.rows[1]));
        }
        Ok(())
    }

    /// The body of a scan at a point. Images that the block holds are read there.
    fn evaluate(
        &self,
        b: &Builder<'c, 'a>,
        block: &Block<'c, 'a>,
        member: &Member<'c, 'a>,
        point: &LinePoint<'_, 'c, 'a>,
        before: scan::Before<'_, 'c, 'a>,
        band: Option<&Band<'c, 'a>>,
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
            let resolved = body::resolve_here(b, &read, &space, &mut known);
            let lines = self.lines_of(member.scan, read.load)?;
            let memory = lines.and_then(|lines| block.memory(&lines));
            let (memory, at) = match memory.zip(self.along_of(resolved.indices.len())) {
                Some((memory, along)) => (memory, vec![resolved.indices[along], point.line]),
                None => self.place(b, source, &resolved.indices, band),
            };
            let value = b.load(memory, &at, read.element());
            Ok(read.or_padding(b, value, resolved.inside))
        };
        body::evaluate_unit(b, *member.scan, point.coordinates, read, before)
    }

    // ---- Lines as lanes -----------------------------------------------------------------------------------------------------

    fn transposed(&self, b: &Builder<'c, 'a>, cpu: &Cpu, band: Option<&Band<'c, 'a>>) -> Result<(), Failure<'c>> {
        let ([lanes, width], sources) = (self.widths(), self.sources()?);
        let outs = self.outs(b, cpu, band);
        let domain = self.domain(b, band);
        let last = domain[self.across].hi.value(b);

        let mut block = self.blocks(b, &domain, Number::Known(width), false);
        let each = block.b;
        for lines in &sources {
            let extents = [self.length_of(lines.image), Number::Known(width)];
            let memory = allocate(&each, &extents, self.element_of(lines.image));
            block.held.push(InBlock { lines: lines.clone(), memory });
        }
        let allocated = self.hold_results(&mut block, width);
        let line = |b: &Builder<'c, 'a>, number: Value<'c, 'a>| {
            let mut line = block.first.clone();
            line[self.across] = b.arith("minsi", b.arith("addi", line[self.across], number), last);
            line
        };
        let transpose = |held: &InBlock<'c, 'a>, non_temporal: Option<Flag<'c, 'a>>| {
            let Lines { image, at } = &held.lines;
            let (b, lane) = each.for_every(each.index(0), each.index(width), lanes);
            let place = |more| {
                let line = line(&b, b.arith("addi", lane, b.index(more)));
                let mut place: Vec<Value> = at.iter().map(|index| apply(index, &line, &b)).collect();
                place.push(b.index(0));
                self.place(&b, *image, &place, band)
            };
            let (memories, lines): (Vec<Value>, Vec<Vec<Value>>) = (0..lanes).map(place).unzip();
            let rows = Rows { memory: memories[0], lines, extent: self.length_of(*image), lane };
            rows.transpose(&b, held.memory, non_temporal);
        };
        block.held[..sources.len()].iter().for_each(|held| transpose(held, None));
        for (member, outs) in self.members.iter().zip(&outs) {
            let b = each.located(member.scan.op().location());
            let (lane, number) = b.for_loop(b.index(0), b.index(width));
            ir::mutable(mark_lanes(number, width, &b)).set_attribute(weft::WIDE, b.unit_attribute());
            let line = Line { first: line(&lane, number), number };
            self.walk(&lane, &block, member, &line, outs, band)?;
        }
        let leaves = self.members.iter().flat_map(|member| &member.leaves);
        let results = outs.into_iter().flatten().zip(&block.held[sources.len()..]);
        for (flag, held) in results.zip(leaves).filter(|(_, leaves)| **leaves).map(|(result, _)| result) {
            transpose(held, Some(flag));
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
                    let of = held.lines.image;
                    !block.held[at + 1..].iter().any(|other| other.memory == held.memory)
                        && self.element_of(of) == element
                        && same(self.length_of(of), extent)
                        && !is_read(of)
                        && !leaves(of)
                        && ir::defining_op(of) != Some(member.scan.op())
                });
                let memory = match free {
                    Some((_, held)) => held.memory,
                    None => {
                        let memory = allocate(&block.b, &[extent, Number::Known(width)], element);
                        allocated.push(memory);
                        memory
                    }
                };
                block.held.push(InBlock { lines: self.own_lines(image), memory });
            }
        }
        allocated
    }

    // ---- Points of a row ----------------------------------------------------------------------------------------------------

    /// The loops of a chain of one scan, for all rows or those of a band.
    ///
    /// # Errors
    ///
    /// Those of the body.
    fn walk_joined(
        &self,
        b: &Builder<'c, 'a>,
        joined: &[Joined<'c, 'a>],
        band: Option<&Band<'c, 'a>>,
    ) -> Result<(), Failure<'c>> {
        let scan = self.members[0].scan;
        let columns = band.and_then(|band| band.columns.as_ref());
        let block = self.blocks(b, &self.domain(b, band), Number::Known(self.width()), false);
        let (b, line) = self.each_line(&block.b.located(scan.op().location()), &block);
        let images = self.results();
        let extent = domain::bounds(*scan)[self.along].1;
        let end = extent.value(&b);
        let [from, to] = columns.map_or([b.index(0), end], |columns| columns.range);
        let (points, at) = b.for_loop(from, to);
        _ = mark_lanes(at, self.lanes, &b);
        let values = self.own_values(&points, &block, &line, joined, at, band)?;
        for (value, image) in values.iter().zip(&images) {
            let (memory, at) = self.place(&points, *image, &line.point(self.along, at), band);
            points.store(*value, memory, &at);
        }
        let steps = if scan.is_backward() { [to, from].map(|at| b.arith("subi", end, at)) } else { [from, to] };
        let row = Steps { steps, lanes: self.lanes, is_backward: scan.is_backward() };
        for (result, (joined, image)) in joined.iter().zip(images).enumerate() {
            let before = columns.map_or(joined.start, |columns| {
                let at = line.point(self.along, columns.number);
                b.load(columns.before[result].memory, &at, joined.start.r#type())
            });
            let place = |b: &Builder<'c, 'a>, step| {
                let at = line.point(self.along, along_line(b, scan, step, extent));
                self.place(b, image, &at, band)
            };
            joined.row(&b, &row, before, place)?;
        }
        Ok(())
    }

    /// A loop over the lines of a block that has memory for none.
    pub(super) fn each_line(&self, b: &Builder<'c, 'a>, block: &Block<'c, 'a>) -> (Builder<'c, 'a>, Line<'c, 'a>) {
        let (inner, number) = b.for_loop(block.first[self.across], block.end);
        let mut first = block.first.clone();
        first[self.across] = number;
        (inner, Line { first, number: b.index(0) })
    }

    /// A point's own values, which are joined with those before.
    ///
    /// # Errors
    ///
    /// Those of the body.
    pub(super) fn own_values(
        &self,
        b: &Builder<'c, 'a>,
        block: &Block<'c, 'a>,
        line: &Line<'c, 'a>,
        joined: &[Joined<'c, 'a>],
        at: Value<'c, 'a>,
        band: Option<&Band<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure<'c>> {
        let coordinates = line.point(self.along, at);
        let nothing = |b: &Builder<'c, 'a>, previous: Previous<'c, 'a>| {
            joined[previous.result()].nothing(b, previous.start().r#type())
        };
        let here = LinePoint { coordinates: &coordinates, line: line.number };
        self.evaluate(b, block, &self.members[0], &here, &nothing, band)
    }
}

/// Whether elements of rows lie beside each other in all images of a scan.
fn has_rows<'c: 'a, 'a>(lowering: &Lowering<'c, 'a>, scan: Scan<'c, 'a>) -> bool {
    scan.op().results().all(|image| step_of_rows(lowering.buffer(image.into())) == 1)
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

/// A quotient of numbers that are not negative.
pub(super) fn divide<'c: 'a, 'a>(b: &Builder<'c, 'a>, number: Number<'c, 'a>, by: Number<'c, 'a>) -> Number<'c, 'a> {
    match by {
        Number::Known(by) => Emit(b).floor_div(&number, by),
        Number::Value(by) => Number::Value(b.arith("divui", number.value(b), by)),
    }
}

/// Whether an image is used by others than these ops.
pub(super) fn is_used_beyond(image: Value, ops: &[OperationRef]) -> bool {
    let Some(op) = ir::defining_op(image) else { return true };
    let top = std::iter::successors(Some(op), |op| op.parent_operation()).last().unwrap_or(op);
    let is_within = |user: &OperationRef| {
        std::iter::successors(Some(*user), |op| op.parent_operation()).any(|op| ops.contains(&op))
    };
    let mut users = ir::walk(top).into_iter().filter(|user| user.operands().any(|operand| operand == image));
    users.any(|user| !is_within(&user))
}
