//! Scans: points that read those before them.
//!
//! ```text
//! pipeline.scan "sums" (%y, %x) along 0                          scan[float own] sums_of(vector#2 float img) {
//!   %p = pipeline.previous 1 or %zero                  ──▶           return (own@[0, -1] or 0.0) + img;
//! ```

use super::{
    body::{Body, Head},
    exporter::Exporter,
    terms::{PREFIX, Term},
};
use crate::ast::type_name;
use weft_dialects::pipeline::{Previous, Scan};

impl Exporter {
    /// What a scan begins with.
    pub(super) fn scan(&self, scan: Scan, body: &mut Body) -> Result<Head, String> {
        self.own_results(*scan, body, false)?;
        let own: Vec<String> = body.own.iter().map(|own| format!("{} {}", type_name(own.ty), own.text)).collect();
        let (rank, along) = (scan.rank(), scan.along());
        let forma = (rank, rank - 1 - along.min(rank - 1), scan.is_backward());
        body.line = Some(forma);
        Ok(Head { word: format!("scan[{}]", own.join(", ")), ..Head::default() })
    }

    /// A point before this one.
    pub(super) fn previous<'c: 'a, 'a>(&self, previous: Previous<'c, 'a>, body: &mut Body) -> Result<Term, String> {
        body.give(self, previous.start());
        let start = self.find(&body.terms, previous.start()).cloned().ok_or("a value from nowhere")?;
        let own = body.own.get(previous.result()).cloned().ok_or("a result that a scan has not")?;
        let (rank, along, backward) = body.line.ok_or("a line of no scan")?;
        let step = if backward { previous.distance() } else { -previous.distance() };
        let offset = |dimension| if dimension == along { step.to_string() } else { "0".to_owned() };
        let offsets = (0..rank).map(offset).collect::<Vec<_>>().join(", ");
        let start_text = match (start.is_literal, start.ty == own.ty) {
            (true, _) if !(own.ty.is_unsigned() && start.text.starts_with('-')) => start.text.clone(),
            (false, true) => start.within(PREFIX),
            _ => start.cast(own.ty),
        };
        let text = format!("{}@[{offsets}] or {start_text}", own.text);
        Ok(Term { depth: start.depth + 1, binds: 0, ..Term::primary(text, own.ty) })
    }
}
