//! What the body of a stage loads and costs, with the stages that are computed in it.
//!
//! Every schedule of a group asks for it again; a group finds it once ([`Group::body`](super::Group::body)).

use super::{
    reuse::points_read,
    stage::{Access, Source, Stage},
    work::Work,
};
use crate::affine::{Boundary, Expr, dim, offset_along};

/// A stage's body in code.
#[derive(Clone, Debug)]
pub struct Body {
    /// The distinct loads, those of stages that are computed in it among them.
    pub reads: Vec<Read>,
    /// The work of a point, with that of the stages that are computed in it, each as often as it is read at another point.
    pub work: Work,
    /// The stage's own loads that differ, by number: what is read twice is loaded once.
    pub distinct: Vec<usize>,
}

/// A load of a stage as its own body and those of the stages computed in it have it, in the stage's coordinates.
#[derive(Clone, Debug)]
pub struct Read {
    /// What it reads.
    pub source: Source,
    indices: Vec<Expr>,
    boundary: Boundary,
    /// The stage that it stands in.
    pub stage: usize,
    /// The load of that stage.
    pub access: Access,
}

impl Read {
    /// The index of the column; a tensor of no dimensions has none.
    pub fn column(&self) -> Option<&Expr> {
        self.indices.last()
    }

    /// How far the row is from coordinate `y`, if it goes along it.
    pub fn row_offset(&self, y: usize) -> Option<i64> {
        let row = self.indices.len().checked_sub(2)?;
        offset_along(&self.indices[row], y)
    }

    /// All indices but the column, and the row's offset along `y` taken out: equal for reads of rows that move together.
    pub fn rows(&self, y: Option<usize>) -> Vec<Expr> {
        let mut rows = self.indices.split_last().map_or(&[][..], |(_, rows)| rows).to_vec();
        if let (Some(_), Some(last)) = (y.and_then(|y| self.row_offset(y)), rows.last_mut()) {
            *last = Expr::Const(0);
        }
        rows
    }
}

impl Body {
    pub(super) fn of(stages: &[Stage], stage: usize) -> Self {
        Self { reads: reads(stages, stage), work: work(stages, stage), distinct: distinct(&stages[stage].accesses) }
    }
}

fn reads(stages: &[Stage], stage: usize) -> Vec<Read> {
    fn gather(stages: &[Stage], stage: usize, through: &[Expr], all: &mut Vec<Read>) {
        for access in &stages[stage].accesses {
            let indices = access.named(through);
            match access.producer().filter(|producer| stages[*producer].inlined_into.is_some()) {
                Some(producer) => gather(stages, producer, &indices, all),
                None => {
                    let is_known = |other: &Read| {
                        (other.source, other.boundary) == (access.source, access.boundary) && other.indices == indices
                    };
                    if !all.iter().any(is_known) {
                        let (source, boundary) = (access.source, access.boundary);
                        all.push(Read { source, indices, boundary, stage, access: access.clone() });
                    }
                }
            }
        }
    }
    let mut all = Vec::new();
    let own: Vec<Expr> = (0..stages[stage].extents.len()).map(dim).collect();
    gather(stages, stage, &own, &mut all);
    all
}

fn work(stages: &[Stage], stage: usize) -> Work {
    let inlined = (0..stage).filter(|other| stages[*other].inlined_into == Some(stage));
    let times = |other| points_read(&stages[stage], other).len() as f64;
    inlined.fold(stages[stage].work, |all, other| all + work(stages, other) * times(other))
}

fn distinct(accesses: &[Access]) -> Vec<usize> {
    let is_first = |number: &usize| {
        let access = &accesses[*number];
        !accesses[..*number].iter().any(|other| other.source == access.source && other.is_where(access))
    };
    (0..accesses.len()).filter(is_first).collect()
}
