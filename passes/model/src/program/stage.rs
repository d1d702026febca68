//! Stages of a group without their IR: extents, loads, element sizes. What tiling, costs and fusion reason about.
//!
//! ```text
//! pipeline.group "g0" {                            Group { images: [%img],
//!   %a = stage "blurx" (%y, %x) {                          stages: [
//!     load %img[%y, %x - 1] clamp : tensor<?x?xf32>          "blurx": extents [?0, ?1], loads image 0 at (y, x - 1), clamp,
//!     ...                                                            which leaves it by 1 below and by 0 above
//!   %b = stage "blury" ...                                   "blury": ..., a live-out ] }
//! ```
//!
//! Extents may be unknown; then each is a number that has a name, moved and scaled ([`Extent`]). That is what decides whether
//! `x + 1` leaves an image, and how far.
//!
//! An index may depend on more than coordinates: on the variables of reduces around the load, which run over windows, and in a
//! gather on a computed value, of which nothing is known. They are coordinates behind those of the stage ([`Variable`]). The box
//! that a load reads is exact for a window; of a dimension with a computed index it is the whole.

use super::work::Work;
use crate::affine::{
    Boundary, Expr, Extent, Form, Interval, Part, Partly, Range, Recurring, Sum, TileStride, beyond, hull,
    indices_read, least, localise, offset_along, range_of, reach,
};
use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

/// What a load reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A result of a stage of the group.
    Stage(usize, usize),
    /// An image in memory.
    Image(usize),
}

/// What an index depends on beside the coordinates of its stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Equal for equal values.
    pub name: u32,
    /// The values that a reduce gives it; `None` of a value that is computed.
    pub range: Option<Range<i64>>,
    /// What is known of its values.
    pub known: Interval,
    /// The coordinate of the stage that it is, counted from the other end: `extent - 1 - coordinate`.
    pub mirrors: Option<usize>,
}

/// The value of a load outside of what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// Equal for equal values.
    pub name: u32,
    /// Whether the stage computes it: then nobody has it who loads for the stage.
    pub is_computed: bool,
}

/// A load of a stage. Copies share what it says ([`Reading`]): searches make groups by the thousand.
#[derive(Clone, Debug)]
pub struct Access {
    /// What it reads.
    pub source: Source,
    reading: Arc<Reading>,
}

impl Deref for Access {
    type Target = Reading;
    fn deref(&self) -> &Reading {
        &self.reading
    }
}

/// Where in the code of the stage that reads it a producer is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Once for all planes of a pixel.
    Pixel,
    /// For each point.
    Point,
}

/// What a load says of where it reads.
#[derive(Debug)]
pub struct Reading {
    /// Its indices, as expressions of the stage's coordinates and of the variables behind them.
    pub indices: Vec<Expr>,
    /// The variables of all reduces around it, and the values that it computes indices from.
    pub variables: Vec<Variable>,
    /// Dimensions of the stage that it is in: the first variable has this number.
    pub rank: usize,
    /// What it yields outside.
    pub boundary: Boundary,
    /// The padding value, for [`Boundary::Constant`].
    pub padding: Option<Padding>,
    /// The extents of what it reads.
    pub extents: Vec<Extent>,
    /// How far each index leaves what it reads, below and above, over the whole stage; `None` where that is not known.
    pub leaves: Vec<Option<(i64, i64)>>,
    forms: Vec<Option<Form>>,
    /// Of an index of coordinates that has no form.
    recurring: Vec<Option<Recurring>>,
    /// Of an index that is coordinates and a sum of variables: the index where that sum is least, and greatest, and how far it
    /// leaves there.
    ends: Vec<Option<[End; 2]>>,
    /// Which indices are computed values.
    computed: Vec<bool>,
    /// Which of these are a coordinate that is counted from the other end.
    mirrored: Vec<Option<usize>>,
    /// What divides its indices: a tile that is a multiple of it is read at whole numbers of it.
    pub divisor: i64,
    /// Of the first load of a producer: the level at which the stage may compute it, and at how many points it reads it.
    pub(super) alone: OnceLock<Option<(Level, usize)>>,
    /// Of the first load of a stage: [`Stage::outermost`].
    outermost: OnceLock<Vec<usize>>,
}

/// An index at one end of a window.
#[derive(Debug, PartialEq)]
struct End {
    index: Expr,
    form: Option<Form>,
    /// How far it leaves what it reads.
    leaves: Option<(i64, i64)>,
}

impl End {
    /// How it moves with the tile, and what it reads of a part.
    fn reads(&self, part: &Part) -> Option<(TileStride, Range<i64>)> {
        match self.form {
            Some(form) => form.reads(&part.strides, &part.region),
            None => {
                let local = localise(&self.index, &part.strides)?;
                Some((local.stride, indices_read(&local.index, &part.region)))
            }
        }
    }
}

impl Access {
    /// A load in a stage of these extents, of which `needed` is needed, with these variables.
    pub fn new(
        source: Source,
        indices: Vec<Expr>,
        boundary: Boundary,
        padding: Option<Padding>,
        extents: Vec<Extent>,
        (stage, needed): (&[Extent], &[Interval]),
        variables: Vec<Variable>,
    ) -> Self {
        let rank = stage.len();
        let domain: Vec<Interval> =
            needed.iter().copied().chain(variables.iter().map(|variable| variable.known)).collect();
        let mirrored = |index: &Expr| match index {
            Expr::Dim(d) => d.checked_sub(rank).and_then(|number| variables.get(number)?.mirrors),
            _ => None,
        };
        let mirrored: Vec<Option<usize>> = indices.iter().map(mirrored).collect();
        let leaves = |((index, extent), mirrored): ((&Expr, &Extent), &Option<usize>)| match mirrored {
            Some(d) if stage[*d] == *extent => Some((0, 0)),
            _ => leaves(index, &domain, stage, *extent),
        };
        let leaves = indices.iter().zip(&extents).zip(&mirrored).map(leaves).collect();
        // The short answers are for coordinates only.
        let form = |index: &Expr| Form::of(index).filter(|_| index.dims().into_iter().all(|d| d < rank));
        let forms: Vec<Option<Form>> = indices.iter().map(form).collect();
        let recurring = |(index, form): (&Expr, &Option<Form>)| {
            Recurring::of(index).filter(|_| form.is_none() && index.dims().into_iter().all(|d| d < rank))
        };
        let recurring = indices.iter().zip(&forms).map(recurring).collect();
        let is_computed = |d: usize| {
            let behind = d.checked_sub(rank).and_then(|number| variables.get(number));
            behind.is_some_and(|variable| variable.range.is_none())
        };
        let end = |(index, extent): (&Expr, &Extent)| {
            // A computed value is not taken to have all the values between.
            let ends = ends(index, &domain, rank).filter(|_| !index.dims().into_iter().any(is_computed))?;
            Some(ends.map(|index| {
                let leaves = self::leaves(&index, &domain, stage, *extent);
                End { form: Form::of(&index), index, leaves }
            }))
        };
        let ends = indices.iter().zip(&extents).map(end).collect();
        let computed = indices.iter().map(|index| index.dims().into_iter().any(is_computed)).collect();
        let divisor = indices.iter().map(Expr::divisor).max().unwrap_or(1);
        let reading = Reading {
            indices,
            variables,
            rank,
            boundary,
            padding,
            extents,
            leaves,
            forms,
            recurring,
            ends,
            computed,
            mirrored,
            divisor,
            alone: OnceLock::new(),
            outermost: OnceLock::new(),
        };
        Self { source, reading: Arc::new(reading) }
    }

    /// [`Self::reads`] with the points that the boundary mode of the dimension leads to, and how far it leads. A window is as
    /// exact as its loads one by one would be: where the least offset stays and the greatest leaves, the mode brings back only the
    /// latter. `None` too where nobody knows how far it leads.
    pub fn leads(&self, dimension: usize, part: &Part) -> Option<(TileStride, Range<i64>, i64)> {
        let (stride, read) = self.reads(dimension, part)?;
        let mode = self.mode(dimension);
        if self.is_computed(dimension) || matches!(mode, Boundary::None | Boundary::Wrap) {
            return Some((stride, read, 0));
        }
        let with_mode = |read: Range<i64>, leaves: Option<(i64, i64)>| {
            let (below, above) = leaves?;
            let (down, up) = reach(mode, below, above);
            Some((Range::new(read.lo - down, read.hi + up), down.max(up)))
        };
        let Some(ends) = &self.ends[dimension] else {
            let (read, far) = with_mode(read, self.leaves[dimension])?;
            return Some((stride, read, far));
        };
        let mut all: Option<(Range<i64>, i64)> = None;
        for end in ends {
            let (read, far) = with_mode(end.reads(part)?.1, end.leaves)?;
            all = Some(all.map_or((read, far), |(before, most)| (hull(before, read), most.max(far))));
        }
        all.map(|(read, far)| (stride, read, far))
    }

    /// Whether both read alike, of whatever. All else that is known of a load follows from this.
    pub(super) fn reads_alike(&self, other: &Self) -> bool {
        let said = |access: &Self| (access.rank, access.boundary, access.padding);
        said(self) == said(other)
            && (&self.indices, &self.variables, &self.extents, &self.leaves, &self.ends)
                == (&other.indices, &other.variables, &other.extents, &other.leaves, &other.ends)
    }

    /// Whether its indices are functions of coordinates alone, and it is done once for a point.
    pub fn is_plain(&self) -> bool {
        self.variables.is_empty()
    }

    /// How often it is done for a point of its stage: the points of the windows around it.
    pub fn times(&self) -> f64 {
        self.variables.iter().filter_map(|variable| variable.range).map(|range| range.len() as f64).product()
    }

    /// Whether an index is a computed value.
    pub fn is_computed(&self, dimension: usize) -> bool {
        self.computed[dimension]
    }

    /// Whether some index is.
    pub fn is_gather(&self) -> bool {
        self.computed.contains(&true)
    }

    /// Whether neighbours read anywhere: a row or a column is computed, and not only a plane, which is mostly that of their neighbours.
    pub fn is_scattered(&self) -> bool {
        self.computed.iter().rev().take(2).any(|computed| *computed)
    }

    /// The indices, in coordinates `through` of another stage, and variables by name: equal for equal points. No stage has as many
    /// dimensions as the number of the first variable.
    pub fn named(&self, through: &[Expr]) -> Vec<Expr> {
        const FIRST: usize = 1 << 16;
        let variables = self.variables.iter().map(|variable| Expr::Dim(FIRST + variable.name as usize));
        let by: Vec<Expr> = through.iter().cloned().chain(variables).collect();
        self.indices.iter().map(|index| index.substitute(&by)).collect()
    }

    /// Whether another load of the same stage has the same indices.
    pub fn is_where(&self, other: &Access) -> bool {
        if self.variables == other.variables {
            return self.indices == other.indices;
        }
        let own: Vec<Expr> = (0..self.rank).map(Expr::Dim).collect();
        self.named(&own) == other.named(&own)
    }

    /// A box of the stage, and the windows of the variables behind it. Of a computed value any number stands there.
    pub fn with_windows(&self, region: &[Range<i64>]) -> Vec<Range<i64>> {
        let windows = self.variables.iter().map(|variable| variable.range.unwrap_or(Range::new(0, 0)));
        region.iter().copied().chain(windows).collect()
    }

    /// How dimensions move with the tile, and the variables behind them, which do not.
    fn with_fixed(&self, strides: &[TileStride]) -> Vec<TileStride> {
        let fixed = self.variables.iter().map(|_| TileStride { axis: 0, step: 0 });
        strides.iter().copied().chain(fixed).collect()
    }

    /// All of a dimension, where its extent is known.
    fn whole(&self, dimension: usize) -> Option<Range<i64>> {
        match self.extents[dimension] {
            Extent::Known(extent) => Some(Range::new(0, extent - 1)),
            Extent::Named(_) => None,
        }
    }

    /// How an index moves with the tile, and what it reads of a part; `None` where that is not affine in the
    /// tile's number along one dimension of the grid. Of a computed index it is the whole dimension, if its extent is known.
    pub fn reads(&self, dimension: usize, part: &Part) -> Option<(TileStride, Range<i64>)> {
        match self.forms[dimension] {
            Some(form) => form.reads(&part.strides, &part.region),
            None if self.is_computed(dimension) => Some((TileStride { axis: 0, step: 0 }, self.whole(dimension)?)),
            None => match &self.ends[dimension] {
                Some([least, greatest]) => {
                    let ((stride, low), (_, high)) = (least.reads(part)?, greatest.reads(part)?);
                    Some((stride, hull(low, high)))
                }
                None => {
                    let recurring = self.recurring[dimension].as_ref();
                    recurring.and_then(|index| index.reads(&part.strides, &part.region)).or_else(|| {
                        let local = localise(&self.indices[dimension], &self.with_fixed(&part.strides))?;
                        Some((local.stride, indices_read(&local.index, &self.with_windows(&part.region))))
                    })
                }
            },
        }
    }

    /// What an index reads of a part at the first point of all windows.
    pub fn reads_first(&self, dimension: usize, part: &Part) -> Option<Range<i64>> {
        if self.is_plain() || self.is_computed(dimension) {
            return self.reads(dimension, part).map(|(_, range)| range);
        }
        let local = localise(&self.indices[dimension], &self.with_fixed(&part.strides))?;
        let mut region = self.with_windows(&part.region);
        region[part.region.len()..].iter_mut().for_each(|range| range.hi = range.lo);
        Some(indices_read(&local.index, &region))
    }

    /// How an index moves with the tile, for a stage that moves so.
    pub fn tile_stride(&self, dimension: usize, stage: &[TileStride]) -> Option<TileStride> {
        match self.forms[dimension] {
            Some(Form { mul: 0, .. }) => Some(TileStride { axis: 0, step: 0 }),
            Some(Form { dim, mul, div, .. }) => {
                let TileStride { axis, step } = *stage.get(dim)?;
                (mul * step % div == 0).then_some(TileStride { axis, step: mul * step / div })
            }
            None if self.is_computed(dimension) => self.whole(dimension).map(|_| TileStride { axis: 0, step: 0 }),
            None => {
                let recurring = self.recurring[dimension].as_ref();
                recurring
                    .and_then(|index| index.tile_stride(stage))
                    .or_else(|| localise(&self.indices[dimension], &self.with_fixed(stage)).map(|local| local.stride))
            }
        }
    }

    /// Whether another load of the stage moves as this one does, and in one direction of a dimension reaches as far, a boundary mode
    /// included.
    fn is_inside(&self, other: &Access, dimension: usize, up: bool) -> bool {
        let form = |access: &Access, d: usize| access.forms[d].map(|form| Form { add: 0, ..form });
        let moves = |d: usize| self.forms[d].is_some() && form(self, d) == form(other, d);
        let is_alike = self.source == other.source
            && self.boundary == other.boundary
            && self.boundary != Boundary::Wrap
            && self.is_plain()
            && other.is_plain()
            && (0..self.indices.len()).all(moves);
        let reaches = |access: &Access| {
            let (below, above) = access.leaves[dimension]?;
            let (down, up) = reach(access.mode(dimension), below, above);
            Some((access.forms[dimension]?.add, down, up))
        };
        is_alike
            && reaches(self).zip(reaches(other)).is_some_and(
                |((add, back, on), (other, other_back, other_on))| match up {
                    true => add <= other && on <= other_on,
                    false => add >= other && back <= other_back,
                },
            )
    }

    /// The coordinate and the constant of an index that is their sum.
    pub fn neighbour(&self, dimension: usize) -> Option<(usize, i64)> {
        self.forms[dimension].and_then(|form| Some((form.dim, form.offset()?)))
    }

    /// The offset of an index that is coordinate `d` and a constant.
    pub fn offset_along(&self, dimension: usize, d: usize) -> Option<i64> {
        match self.forms[dimension] {
            Some(form) => (form.dim == d && form.mul == 1 && form.div == 1).then_some(form.add),
            None => offset_along(&self.indices[dimension], d),
        }
    }

    /// Whether lanes, each at another coordinate `d`, get what they read along a dimension by few shuffles.
    pub fn is_shuffled(&self, dimension: usize, d: usize) -> bool {
        self.forms[dimension].is_some_and(|form| form.dim == d && form.is_shuffled())
    }

    /// Whether an index depends on coordinate `d`.
    pub fn uses(&self, dimension: usize, d: usize) -> bool {
        match self.forms[dimension] {
            Some(form) => form.mul != 0 && form.dim == d,
            None => self.mirrored[dimension] == Some(d) || self.indices[dimension].dims().contains(&d),
        }
    }

    /// Whether its indices are functions of coordinates, forward or backward.
    pub fn follows_coordinates(&self) -> bool {
        self.variables.iter().all(|variable| variable.mirrors.is_some())
    }

    /// Whether points side by side read rows of their own, at a place along these that is known or a variable of a reduce goes along element by element.
    pub fn runs_across(&self) -> bool {
        let (Some(column), Some((last, rows))) = (self.rank.checked_sub(1), self.indices.split_last()) else {
            return false;
        };
        let goes = |d: usize| offset_along(last, d).is_some() && self.variables[d - self.rank].range.is_some();
        let is_known = last.dims().is_empty();
        (0..rows.len()).any(|row| self.uses(row, column))
            && (is_known || (self.rank..self.rank + self.variables.len()).any(goes))
    }

    /// Whether some index depends on coordinate `d`: else all points along it read the same.
    pub fn depends_on(&self, d: usize) -> bool {
        (0..self.indices.len()).any(|dimension| self.uses(dimension, d))
    }

    /// The index where its variables make it least, and where greatest; twice the same where it has none. `None` where such
    /// an index has no [`Form`].
    pub fn extremes(&self, dimension: usize) -> Option<[Form; 2]> {
        match &self.ends[dimension] {
            Some([least, greatest]) => Some([least.form?, greatest.form?]),
            None => self.forms[dimension].map(|form| [form, form]),
        }
    }

    /// The boundary mode that an index needs: none where it stays inside.
    pub fn mode(&self, dimension: usize) -> Boundary {
        if self.leaves[dimension] == Some((0, 0)) { Boundary::None } else { self.boundary }
    }

    /// Whether all indices stay inside.
    pub fn stays(&self) -> bool {
        self.leaves.iter().all(|leaves| *leaves == Some((0, 0))) || self.boundary == Boundary::None
    }

    /// The stage that it reads, by number.
    pub fn producer(&self) -> Option<usize> {
        match self.source {
            Source::Stage(stage, _) => Some(stage),
            Source::Image(_) => None,
        }
    }
}

/// A stage of a group.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Its extents.
    pub extents: Vec<Extent>,
    /// The points of it that are needed, as far as they are known.
    pub needed: Vec<Interval>,
    /// Bytes of an element of each result.
    pub bytes: Vec<i64>,
    /// Bytes of the widest value that its body computes, of which a vector has fewest.
    pub widest: i64,
    /// What a point of it costs.
    pub work: Work,
    /// Whether its body computes all planes alike: they, and columns, are in the indices of loads alone, and nothing is done on a condition or several
    /// times.
    pub has_planes_alike: bool,
    /// Its extents as far as they matter for costs: those that are not known, estimated.
    pub size: Vec<i64>,
    /// Its loads.
    pub accesses: Vec<Access>,
    /// Whether a result of it leaves the group.
    pub is_live_out: bool,
    /// Its last consumer, where it is computed in that one's code, at the point or at the pixel ([`level`](super::level)), which in turn
    /// may be computed in another's. [`Group::new`](super::Group::new) sees to it.
    pub inlined_into: Option<usize>,
}

#[cfg(test)]
impl Stage {
    /// A stage of so many numbers of four bytes, which costs nothing.
    pub(crate) fn plain(name: &str, size: &[i64], accesses: Vec<Access>, is_live_out: bool) -> Self {
        let extents: Vec<Extent> = size.iter().map(|extent| Extent::Known(*extent)).collect();
        Self {
            name: name.into(),
            needed: extents.iter().map(|extent| whole(*extent)).collect(),
            extents,
            bytes: vec![4],
            widest: 4,
            work: Work::NONE,
            size: size.to_vec(),
            accesses,
            is_live_out,
            has_planes_alike: false,
            inlined_into: None,
        }
    }
}

impl Stage {
    /// How many points it has.
    pub fn points(&self) -> f64 {
        self.size.iter().map(|extent| *extent as f64).product()
    }

    /// Loads, by number, that together read as far as all: of a window the corners, not what lies between. The answer is the same in
    /// every group.
    pub fn outermost(&self) -> &[usize] {
        let Some(first) = self.accesses.first() else { return &[] };
        first.outermost.get_or_init(|| {
            let mut kept: Vec<usize> = Vec::new();
            for number in 0..self.accesses.len() {
                let access = &self.accesses[number];
                // In each direction another one, of those kept or still to come, reaches as far; of two that do both the first is kept.
                let others =
                    || kept.iter().copied().chain(number + 1..self.accesses.len()).map(|other| &self.accesses[other]);
                let is_between = (0..access.indices.len())
                    .all(|d| [false, true].into_iter().all(|up| others().any(|other| access.is_inside(other, d, up))));
                if !is_between || access.indices.is_empty() {
                    kept.push(number);
                }
            }
            // Who asks for what first is told the same as if all were asked.
            let first = |access: &Access| self.accesses.iter().position(|other| other.source == access.source);
            kept.sort_by_key(|number| first(&self.accesses[*number]));
            kept
        })
    }
}

/// How far an index leaves `[0, source)`, below and above, where its coordinates run over `domain` in a stage of these
/// extents. The domain may have more behind the stage's coordinates: variables.
pub fn leaves(index: &Expr, domain: &[Interval], extents: &[Extent], source: Extent) -> Option<(i64, i64)> {
    let range = range_of(index, domain, &mut Partly);
    let above = match (range.hi, source) {
        (Some(hi), Extent::Known(extent)) => hi - (extent - 1),
        (None, Extent::Known(_)) => return None,
        (_, Extent::Named(source)) => beyond(index, domain, extents, source)?,
    };
    // Either may know more: exact ranges of what is bounded, or slopes of what is not.
    let lo = range.lo.max(least(index, domain))?;
    Some(((-lo).max(0), above.max(0)))
}

/// An index that is a function of coordinates, those before `rank`, and a sum of variables, with that sum at its least and at its
/// greatest; `None` where there is no variable, or a division of one.
fn ends(index: &Expr, domain: &[Interval], rank: usize) -> Option<[Expr; 2]> {
    let mut own = index.flatten();
    let variables: Vec<usize> = index.dims().into_iter().filter(|d| *d >= rank).collect();
    let (mut least, mut greatest) = (own.constant, own.constant);
    for variable in &variables {
        let factor = own.terms.remove(&Expr::Dim(*variable))?;
        let (lo, hi) = (domain[*variable].lo?.checked_mul(factor)?, domain[*variable].hi?.checked_mul(factor)?);
        least = least.checked_add(lo.min(hi))?;
        greatest = greatest.checked_add(lo.max(hi))?;
    }
    let is_mixed = own.terms.keys().any(|atom| atom.dims().into_iter().any(|d| d >= rank));
    (!variables.is_empty() && !is_mixed)
        .then(|| [least, greatest].map(|constant| Sum { terms: own.terms.clone(), constant }.to_expr()))
}

/// `[lo, hi]` of a whole dimension, as far as it is known.
pub fn whole(extent: Extent) -> Interval {
    match extent {
        Extent::Known(extent) => Range::new(Some(0), Some(extent - 1)),
        Extent::Named(_) => Range::new(Some(0), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::{Named, dim};

    /// A load in a 9-point window of a stage as large as its source.
    fn window(index: Expr, boundary: Boundary, extent: Extent) -> Access {
        let needed = [whole(extent)];
        let known = Range::new(Some(-4), Some(4));
        let variable = Variable { name: 0, range: Some(Range::new(-4, 4)), known, mirrors: None };
        Access::new(
            Source::Stage(0, 0),
            vec![index],
            boundary,
            None,
            vec![extent],
            (&[extent], &needed),
            vec![variable],
        )
    }

    fn part() -> Part {
        Part { strides: vec![TileStride { axis: 0, step: 8 }], region: vec![Range::new(0, 7)], periodic: vec![false] }
    }

    #[test]
    fn windows_are_as_exact_as_their_loads() {
        for extent in [Extent::Known(64), Extent::Named(Named::new(3))] {
            let reads = |index: Expr, boundary: Boundary| window(index, boundary, extent).leads(0, &part());
            let at = TileStride { axis: 0, step: 8 };
            assert_eq!(reads(dim(0) + dim(1), Boundary::Clamp), Some((at, Range::new(-4, 11), 4)));
            assert_eq!(reads(dim(0) - dim(1), Boundary::Clamp), Some((at, Range::new(-4, 11), 4)));
            assert_eq!(reads(dim(0) + dim(1), Boundary::Wrap), Some((at, Range::new(-4, 11), 0)));
            // Four rows beyond the edge are those before it, in reverse.
            assert_eq!(reads(dim(0) + dim(1), Boundary::Mirror), Some((at, Range::new(-4, 11), 7)));
            assert_eq!(reads(dim(0) + dim(1), Boundary::Reflect101), Some((at, Range::new(-4, 11), 8)));
            assert_eq!(window(dim(0) + dim(1), Boundary::Clamp, extent).leaves, [Some((4, 4))]);
        }
    }

    /// Each load of the window alone, and all of them: one by one is what unrolling makes.
    #[test]
    fn as_the_loads_one_by_one() {
        for boundary in [Boundary::Clamp, Boundary::Mirror, Boundary::Reflect101, Boundary::Constant] {
            for factor in [1, 2, -3] {
                let extent = Extent::Known(64);
                let all = window(dim(0) + dim(1) * factor, boundary, extent).leads(0, &part());
                let alone = (-4..=4).map(|w| {
                    let needed = [whole(extent)];
                    let index = vec![dim(0) + w * factor];
                    let of = (&[extent][..], &needed[..]);
                    let access = Access::new(Source::Stage(0, 0), index, boundary, None, vec![extent], of, Vec::new());
                    access.leads(0, &part()).map(|(_, read, _)| read)
                });
                let hulled = alone.reduce(|a, b| Some(hull(a?, b?))).flatten();
                assert_eq!(all.map(|(_, read, _)| read), hulled, "{boundary:?} {factor}");
            }
        }
    }

    #[test]
    fn corners_read_as_far_as_a_window() {
        let extents = vec![Extent::Known(64); 2];
        let needed: Vec<Interval> = extents.iter().map(|extent| whole(*extent)).collect();
        let outermost = |offsets: &[(i64, i64)], boundary: Boundary| {
            let access = |(y, x): &(i64, i64)| {
                let indices = vec![dim(0) + *y, dim(1) + *x];
                let of = (&extents[..], &needed[..]);
                Access::new(Source::Image(0), indices, boundary, None, extents.clone(), of, Vec::new())
            };
            let stage = Stage::plain("a", &[64; 2], offsets.iter().map(access).collect(), true);
            stage.outermost().to_vec()
        };
        let window: Vec<(i64, i64)> = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (y, x))).collect();
        assert_eq!(outermost(&window, Boundary::Clamp), [2, 6]);
        assert_eq!(outermost(&window, Boundary::Wrap), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(outermost(&[(0, -1), (-1, 0), (0, 0), (0, 1), (1, 0), (0, 1)], Boundary::Clamp), [0, 1, 4, 5]);
    }

    #[test]
    fn a_mirrored_coordinate_stays_inside_of_its_own_extent() {
        let own = Extent::Named(Named::new(1));
        let of = |extent: Extent, index: Expr| {
            let variable = Variable { name: 0, range: None, known: Range::new(None, None), mirrors: Some(0) };
            let needed = [whole(own)];
            let of = (&[own][..], &needed[..]);
            Access::new(Source::Image(0), vec![index], Boundary::Clamp, None, vec![extent], of, vec![variable])
        };
        let mirrored = of(own, dim(1));
        assert!(mirrored.stays() && mirrored.mode(0) == Boundary::None);
        assert!(mirrored.follows_coordinates() && mirrored.uses(0, 0) && mirrored.is_gather());
        // Of another extent it may leave, and from beside its place.
        assert!(!of(Extent::Named(Named::new(2)), dim(1)).stays());
        let beside = of(own, dim(1) + 1);
        assert!(!beside.stays() && !beside.uses(0, 0));
    }

    #[test]
    fn a_computed_index_needs_all() {
        let of_known = |known: Interval, extent: Extent| {
            let variable = Variable { name: 0, range: None, known, mirrors: None };
            let stage = [Extent::Known(64)];
            let needed = [whole(stage[0])];
            let of = (&stage[..], &needed[..]);
            Access::new(Source::Stage(0, 0), vec![dim(1)], Boundary::Wrap, None, vec![extent], of, vec![variable])
        };
        let of = |extent: Extent| of_known(Range::new(None, None), extent);
        let gather = of(Extent::Known(12));
        assert!(gather.is_computed(0) && gather.is_gather() && !gather.is_plain() && !gather.stays());
        assert_eq!(gather.leads(0, &part()), Some((TileStride { axis: 0, step: 0 }, Range::new(0, 11), 0)));
        assert_eq!(of(Extent::Named(Named::new(7))).leads(0, &part()), None);
        // Nor is less needed where it is known to stay inside.
        let inside = of_known(Range::new(Some(2), Some(5)), Extent::Known(12));
        assert!(inside.stays() && inside.mode(0) == Boundary::None);
        assert_eq!(inside.leads(0, &part()), gather.leads(0, &part()));
    }
}
