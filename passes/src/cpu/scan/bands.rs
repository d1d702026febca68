//! Chains along two dimensions, a band of rows at a time.
//!
//! ```text
//! %r = scan "rows" (%y, %x) along 1 {...}           %m, %p = memref.alloc : 64 x columns, 2 x columns
//!   ... load %img[%y, %x] ...                       for %s = 0 to rows step 64 {
//! %d = scan "down" (%y, %x) along 0 {...}    ──▶      scf.parallel = blocks of 32 rows of the 64 { <"rows", to %m> }
//!   ... load %r[%y, %x] ...                           scf.parallel = blocks of columns {
//!                                                       <"down", of %m; the values before are in one row of %p,
//!                                                        those for the next 64 rows go to the other> } }
//! ```
//!
//! Of the scans one chain runs along the last dimension, the other along the one before, forward or backward: then a row needs the rows before
//! it alone, and what the first chain has done of some rows is still in the caches when the second one reads it. It has memory for a band, not
//! for the image. A scan along the rows leaves the values with which it begins the next band.
//!
//! Where what is before a part of each row can be known first, a thread has some columns of all bands, and threads do not wait for each other
//! ([`parts`](super::parts)).

use super::{
    super::{
        memory::{allocate, free},
        stores::Flag,
    },
    chain::{Band, Chain, Columns, Held, divide, is_used_beyond},
    joined,
    parts::Parts,
};
use crate::{
    analysis::{access, bounds::loads, domain},
    ir::{Builder, Emit, Number, bytes_of_element, product, same},
    lower::{
        Lowering,
        scan::{MOST_KEPT, kept, reach},
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use mlir_glue::Failure;
use weft_dialects::pipeline::{Boundary, Load, Scan};
use weft_model::{Arith, Cpu, Expr};

/// Cores for which a band has a block of rows each: bytes of bands stay numbers of 64 bits, whatever a target file says.
const MOST_CORES: i64 = 1 << 10;

/// Two chains, of which the second one reads the first.
pub(super) struct Bands<'b, 'l, 'c, 'a> {
    lowering: &'l Lowering<'c, 'a>,
    chains: [&'b Chain<'l, 'c, 'a>; 2],
    /// The one along the last dimension, of which a band has some lines.
    lines: &'b Chain<'l, 'c, 'a>,
    /// The one along the dimension before, of which a band has some steps.
    steps: &'b Chain<'l, 'c, 'a>,
}

impl<'b, 'l, 'c: 'a, 'a> Bands<'b, 'l, 'c, 'a> {
    /// Two chains, if they can be done a band of rows at a time.
    ///
    /// # Errors
    ///
    /// An index that divides by something else than a positive constant.
    pub(super) fn of(
        lowering: &'l Lowering<'c, 'a>,
        chains: [&'b Chain<'l, 'c, 'a>; 2],
    ) -> Result<Option<Self>, Failure<'c>> {
        let [first, second] = chains;
        let (lines, steps) = match (first.is_along_rows(), second.is_along_rows()) {
            (true, false) => (first, second),
            (false, true) => (second, first),
            _ => return Ok(None),
        };
        let bands = Self { lowering, chains, lines, steps };
        Ok((bands.share_rows() && bands.go_one_way() && bands.read_own_rows()?).then_some(bands))
    }

    /// Whether the one runs along the rows of the other, of which none is left out.
    fn share_rows(&self) -> bool {
        let [lines, steps] = [self.lines, self.steps].map(|chain| chain.members[0].scan);
        let extents = |scan: Scan<'c, 'a>| domain::bounds(*scan).into_iter().map(|(_, end)| end);
        let is_same = lines.rank() == steps.rank() && extents(lines).zip(extents(steps)).all(|(a, b)| same(a, b));
        let dimension = self.steps.along;
        dimension == self.lines.across && is_same && is_whole(lines, dimension)
    }

    /// Whether a thread can do some columns of both: where those down columns come second, of all columns, and read the other in their own.
    ///
    /// # Errors
    ///
    /// An index that divides by something else than a positive constant.
    fn are_apart(&self) -> Result<bool, Failure<'c>> {
        let [first, second] = self.chains;
        let column = self.lines.along;
        let mut are_own = first.is_along_rows() && is_whole(self.steps.members[0].scan, column);
        for load in
            second.members.iter().flat_map(|member| loads(*member.scan)).filter(|load| first.is_own(load.source()))
        {
            are_own = are_own && access::indices(load)?[column] == Expr::Dim(column);
        }
        Ok(are_own)
    }

    /// Whether all scans along the rows begin at the same end, and keep what they read of the rows before in registers.
    fn go_one_way(&self) -> bool {
        let scans = || self.steps.members.iter().map(|member| member.scan);
        let is_near =
            |scan: Scan| (0..scan.op().result_count()).all(|result| reach(scan, result, i64::MAX) <= MOST_KEPT);
        scans().all(|scan| scan.is_backward() == self.is_backward() && is_near(scan))
    }

    fn is_backward(&self) -> bool {
        self.steps.members[0].scan.is_backward()
    }

    /// Whether the second chain reads the first one, in its own row alone; and scans along the rows each other.
    fn read_own_rows(&self) -> Result<bool, Failure<'c>> {
        let [first, second] = self.chains;
        let dimension = self.steps.along;
        let is_own_row = |scan: Scan<'c, 'a>, load: Load<'c, 'a>| {
            let (index, extent) =
                (access::indices(load)?[dimension].clone(), self.lowering.extents(load.source())[dimension]);
            let is_inside = load.boundary() == Boundary::None || same(extent, domain::bounds(*scan)[dimension].1);
            Ok::<_, Failure>(index == Expr::Dim(dimension) && is_inside)
        };
        let mut reads = false;
        for scan in second.members.iter().map(|member| member.scan) {
            for load in loads(*scan).filter(|load| first.is_own(load.source())) {
                reads = true;
                if !is_own_row(scan, load)? {
                    return Ok(false);
                }
            }
        }
        for scan in self.steps.members.iter().map(|member| member.scan) {
            for load in loads(*scan).filter(|load| self.steps.is_own(load.source())) {
                if !is_own_row(scan, load)? {
                    return Ok(false);
                }
            }
        }
        Ok(reads)
    }

    /// The loops.
    ///
    /// # Errors
    ///
    /// Those of the bodies.
    pub(super) fn lower(&self, b: &Builder<'c, 'a>, cpu: &Cpu) -> Result<(), Failure<'c>> {
        match self.lines.is_worth_vectors(b, cpu)? {
            Flag::Known(true) => self.in_turn(b, cpu),
            Flag::Known(false) => self.apart(b, cpu),
            Flag::Asked(flag) => {
                let (yes, no) = b.if_else(flag);
                self.in_turn(&yes, cpu)?;
                self.apart(&no, cpu)
            }
        }
    }

    /// One chain after the other, where vectors do not walk rows.
    fn apart(&self, b: &Builder<'c, 'a>, cpu: &Cpu) -> Result<(), Failure<'c>> {
        self.chains.iter().try_for_each(|chain| match chain.is_along_rows() {
            true => chain.point_by_point(b),
            false => chain.vectors(b, cpu, None),
        })
    }

    /// A band of both after another.
    fn in_turn(&self, b: &Builder<'c, 'a>, cpu: &Cpu) -> Result<(), Failure<'c>> {
        let parts = match &self.lines.joined {
            Some(joined) if self.are_apart()? => Some(Parts::of(b, self.lines, joined, cpu)?),
            _ => None,
        };
        let dimension = self.steps.along;
        let extent = domain::bounds(*self.steps.members[0].scan)[dimension].1;
        let scans: Vec<OperationRef> =
            self.chains.iter().flat_map(|chain| &chain.members).map(|member| member.scan.op()).collect();
        let images: Vec<Value> = self.chains.iter().flat_map(|chain| chain.results()).collect();
        // What scans of one chain read along the rows has memory of their blocks.
        let is_within = |image: Value<'c, 'a>| self.lines.is_own(image) && !self.steps.reads(image);
        let is_held = |image: &Value<'c, 'a>| !is_used_beyond(*image, &scans) && !is_within(*image);
        let inner: Vec<Value> = images.iter().copied().filter(is_held).collect();
        let height = self.height(b, cpu, extent, parts.as_ref());
        let held = inner.into_iter().map(|image| {
            let mut extents = self.lowering.extents(image);
            extents[dimension] = height;
            Held { image, memory: allocate(b, &extents, self.steps.element_of(image)) }
        });
        let held: Vec<Held> = held.collect();
        let before = self.before(b);
        let (each, columns) = parts.as_ref().map_or((*b, None), |parts| {
            let (each, columns) = parts.parallel(b);
            (each, Some(columns))
        });
        self.walk(&each, cpu, (extent, height), (&held, &before), columns)?;
        held.iter().chain(&before).for_each(|held| free(b, held.memory));
        parts.inspect(|parts| parts.free(b));
        Ok(())
    }

    /// The loop over bands, `height` rows of `extent` each, of all columns or some.
    fn walk(
        &self,
        b: &Builder<'c, 'a>,
        cpu: &Cpu,
        (extent, height): (Number<'c, 'a>, Number<'c, 'a>),
        (held, before): (&[Held<'c, 'a>], &[Held<'c, 'a>]),
        columns: Option<Columns<'c, 'a>>,
    ) -> Result<(), Failure<'c>> {
        let images = self.chains.iter().flat_map(|chain| chain.results());
        let read = images.filter(|image| self.chains.iter().any(|chain| chain.reads(*image)));
        let mut emit = Emit(b);
        let above = emit.add(&height, &Number::Known(-1));
        let bands = divide(b, emit.add(&extent, &above), height);
        let (each, number) = b.for_loop(b.index(0), bands.value(b));
        let parity = each.arith("andi", number, each.index(1));
        let from = each.arith("muli", number, height.value(&each));
        let end = extent.value(&each);
        let to = each.arith("minsi", each.arith("addi", from, height.value(&each)), end);
        let rows = match self.is_backward() {
            true => [to, from].map(|step| each.arith("subi", end, step)),
            false => [from, to],
        };
        let band = Band {
            dimension: self.steps.along,
            rows,
            steps: [from, to],
            height,
            parity,
            held: held.to_vec(),
            before: before.to_vec(),
            read: read.collect(),
            columns,
        };
        self.chains.iter().try_for_each(|chain| chain.vectors(&each, cpu, Some(&band)))
    }

    /// Memory for what scans along the rows carry from one band to the next.
    fn before(&self, b: &Builder<'c, 'a>) -> Vec<Held<'c, 'a>> {
        let mut all = Vec::new();
        for scan in self.steps.members.iter().map(|member| member.scan) {
            for (kept, image) in kept(scan).into_iter().zip(scan.op().results()).filter(|(kept, _)| *kept > 0) {
                let mut extents = self.lowering.extents(image.into());
                extents[self.steps.along] = Number::Known(2 * kept as i64);
                let memory = allocate(b, &extents, self.steps.element_of(image.into()));
                all.push(Held { image: image.into(), memory });
            }
        }
        all
    }

    /// Rows of a band, all at most: a block for each core, and as many more as a quarter of the second cache holds of what the second chain reads of
    /// the first. What comes back from the last cache takes longer than threads wait for each other, twice a band. Where they do not wait, a band
    /// lies closer still.
    fn height(
        &self,
        b: &Builder<'c, 'a>,
        cpu: &Cpu,
        extent: Number<'c, 'a>,
        parts: Option<&Parts<'c, 'a>>,
    ) -> Number<'c, 'a> {
        let [first, second] = self.chains;
        let between = first.results().into_iter().filter(|image| second.reads(*image));
        let cores = cpu.cores.clamp(1, MOST_CORES);
        let (block, room) =
            if parts.is_some() { (joined::ROWS, cpu.l2 / 16) } else { (self.lines.width() * cores, cpu.l2 / 4) };
        let mut emit = Emit(b);
        let bytes = between.fold(Number::Known(0), |all, image| {
            let mut extents = self.lowering.extents(image);
            if let (Some(parts), Some(columns)) = (parts, extents.last_mut()) {
                *columns = Number::Value(parts.width);
            }
            let extents = extents.into_iter().enumerate();
            let others = extents.filter(|(d, _)| *d != self.steps.along).map(|(_, extent)| extent);
            let own = Emit(b).mul(&product(b, others), bytes_of_element(self.steps.element_of(image)));
            Emit(b).add(&all, &own)
        });
        let bytes = emit.mul(&bytes, block);
        let bytes = emit.max(&bytes, &Number::Known(1));
        let blocks = divide(b, Number::Known(room), bytes);
        let blocks = emit.max(&blocks, &Number::Known(1));
        let rows = emit.mul(&blocks, block);
        let all = emit.max(&extent, &Number::Known(1));
        emit.min(&rows, &all)
    }
}

/// Whether all of a dimension is needed of a scan.
fn is_whole(scan: Scan, dimension: usize) -> bool {
    let extent = domain::bounds(*scan)[dimension].1;
    let needed = scan.needed().unwrap_or_default();
    needed
        .get(dimension)
        .is_none_or(|(lo, hi)| lo.is_none_or(|lo| lo == 0) && hi.is_none_or(|hi| same(Number::Known(hi), extent)))
}
