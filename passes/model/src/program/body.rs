//! What the body of a stage loads and costs, with the stages that are computed in it.
//!
//! Every schedule of a group asks for it again; a group finds it once ([`Group::body`](super::Group::body)).

use super::{
    reuse::plane_of_pixels,
    stage::{Access, Source, Stage},
    work::Work,
};
use crate::affine::{Boundary, Expr, Part, dim, offset_along};

/// A stage's body in code.
#[derive(Clone, Debug)]
pub struct Body {
    /// The distinct loads, those of stages that are computed in it among them.
    pub reads: Vec<Read>,
    /// The work of each point, with that of the stages that are computed there, each as often as it is read at another point.
    work: Work,
    /// The work of each pixel, for all of its planes.
    of_pixel: Work,
    /// The dimension of planes, where something is computed once for all of a pixel's.
    plane: Option<usize>,
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
    /// Whether all planes of a pixel have it in common.
    is_of_pixel: bool,
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
        let own: Vec<Expr> = (0..stages[stage].extents.len()).map(dim).collect();
        // The bodies that stand in the code, each with its point.
        let mut bodies = vec![(stage, own)];
        let mut reads: Vec<Read> = Vec::new();
        let mut next = 0;
        while let Some((stage, point)) = bodies.get(next).cloned() {
            for access in &stages[stage].accesses {
                let indices = access.named(&point);
                match access.producer().filter(|producer| stages[*producer].inlined_into.is_some()) {
                    Some(producer) => {
                        let body = (producer, indices.iter().map(Expr::simplified).collect());
                        if !bodies.contains(&body) {
                            bodies.push(body);
                        }
                    }
                    None => {
                        let (source, boundary) = (access.source, access.boundary);
                        let is_known = |other: &Read| {
                            (other.source, other.boundary) == (source, boundary) && other.indices == indices
                        };
                        if !reads.iter().any(is_known) {
                            reads.push(Read {
                                source,
                                indices,
                                boundary,
                                stage,
                                access: access.clone(),
                                is_of_pixel: false,
                            });
                        }
                    }
                }
            }
            next += 1;
        }
        let is_of = |indices: &[Expr], plane: usize| indices.iter().any(|index| index.dims().contains(&plane));
        let plane = plane_of_pixels(&stages[stage].extents);
        let plane = plane.filter(|plane| bodies[1..].iter().any(|(_, point)| !is_of(point, *plane)));
        for read in &mut reads {
            // A loop of a stage that is computed at the pixel stands there whole.
            let is_inside = read.access.is_plain() || read.stage != stage;
            read.is_of_pixel = is_inside && plane.is_some_and(|plane| !is_of(&read.indices, plane));
        }
        let (mut work, mut of_pixel) = (Work::NONE, Work::NONE);
        for (stage, point) in &bodies {
            let all = if plane.is_some_and(|plane| !is_of(point, plane)) { &mut of_pixel } else { &mut work };
            *all = *all + stages[*stage].work;
        }
        Self { reads, work, of_pixel, plane, distinct: distinct(&stages[stage].accesses) }
    }

    /// The dimension of planes, where a thread computes all of a pixel's, and some of what they need once.
    pub fn plane(&self) -> Option<usize> {
        self.plane
    }

    /// The part of a read that a point of a box does: one over the planes of a pixel that have it in common.
    pub fn share(&self, read: &Read, part: &Part) -> f64 {
        if read.is_of_pixel { 1.0 / self.planes(part) } else { 1.0 }
    }

    /// The work of a point of a box.
    pub fn work(&self, part: &Part) -> Work {
        self.work + self.of_pixel * (1.0 / self.planes(part))
    }

    fn planes(&self, part: &Part) -> f64 {
        self.plane.map_or(1.0, |plane| part.region[plane].len() as f64)
    }
}

fn distinct(accesses: &[Access]) -> Vec<usize> {
    let is_first = |number: &usize| {
        let access = &accesses[*number];
        !accesses[..*number].iter().any(|other| other.source == access.source && other.is_where(access))
    };
    (0..accesses.len()).filter(is_first).collect()
}
