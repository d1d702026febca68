//! Stages: how many, of what, in which groups, and how large.

use super::{
    data::{Extent, Image, Mode, Stage, Type, Unit},
    program::{Grouping, Program, Size},
};

impl Program<'_> {
    pub(super) fn stages(&mut self) {
        while self.stages.len() < self.size.stages() && self.work < self.size.work() {
            let mark = self.choices.mark();
            let more = self.choices.chance(self.more);
            if !more && !self.stages.is_empty() {
                break;
            }
            // Nobody walks the lines of large images.
            let kind = if self.size == Size::Large { 0 } else { self.choices.weighted(&[(87, 0), (7, 1), (6, 2)]) };
            match kind {
                0 => self.stage(),
                1 => self.unit(),
                _ => self.iterate(),
            }
            self.choices.span_from(mark);
        }
    }

    /// An image that is there: mostly the newest, so that chains grow.
    pub(super) fn source(&mut self) -> usize {
        let visible = self.visible();
        let count = visible.len();
        let back = match self.choices.weighted(&[(60, 0), (20, 1), (20, 2)]) {
            0 => 0,
            1 => 1.min(count - 1),
            _ => self.choices.below(count),
        };
        visible[count - 1 - back]
    }

    /// The images that a stage can read here.
    pub(super) fn visible(&self) -> Vec<usize> {
        let is_visible = |image: &usize| self.images[*image].within.is_none_or(|within| self.within == Some(within));
        (0..self.images.len()).filter(is_visible).collect()
    }

    pub(super) fn stage(&mut self) {
        let group = self.next_group();
        let source = self.source();
        let extents = self.extents(source);
        self.stage_of(group, source, &[], extents, None);
    }

    /// A stage that is mainly about `source`, reads others, too, and whose only result is like an image: its place.
    pub(super) fn stage_like(&mut self, image: usize, source: usize, others: &[usize]) -> usize {
        let group = self.next_group();
        let Image { element, extents, .. } = self.images[image].clone();
        self.stage_of(group, source, others, extents, Some(element));
        self.images.len() - 1
    }

    /// The group of the next stage.
    fn next_group(&mut self) -> Option<usize> {
        if self.grouping == Grouping::Several && !self.stages.is_empty() && self.choices.chance(30) {
            self.groups += 1;
        }
        self.leave_unit();
        self.groups.checked_sub(1)
    }

    /// Begins another group if stages are in this one.
    pub(super) fn begin_group(&mut self) {
        let is_begun = |group| self.stages.iter().any(|stage| stage.group == Some(group));
        if self.groups.checked_sub(1).is_some_and(is_begun) {
            self.groups += 1;
        }
    }

    /// Adds a stage that reads `source` and `others`; `wanted` is what its only result is of.
    fn stage_of(
        &mut self,
        group: Option<usize>,
        source: usize,
        others: &[usize],
        extents: Vec<Extent>,
        wanted: Option<Type>,
    ) {
        let within = self.within;
        let rank = extents.len();
        let coordinates = ["c", "y", "x"][3 - rank..].to_vec();
        let mut body = Vec::new();
        let mut values = self.reads(&mut body, source, &extents, &coordinates);
        for other in others {
            values.push(self.load(&mut body, *other, &extents, &coordinates, &vec![0; rank], Mode::Clamp));
        }
        loop {
            let mark = self.choices.mark();
            if values.len() >= self.size.values() || !self.choices.chance(30) {
                break;
            }
            let other = self.source();
            let offset = self.choices.pick(&[0, 0, 1, -1, 2, -3]);
            let mode = self.mode();
            let at = vec![0; rank.saturating_sub(1)].into_iter().chain([offset]).collect::<Vec<_>>();
            values.push(self.load(&mut body, other, &extents, &coordinates, &at, mode));
            self.choices.span_from(mark);
        }
        if self.choices.chance(10) {
            values.push(self.outer());
        }
        if values.is_empty() || self.choices.chance(8) {
            let value = self.coordinate(&mut body, &coordinates);
            values.push(value);
        }
        let points: i64 = extents.iter().map(|extent| extent.value).product();
        // Nobody computes all points of large images.
        self.work += if self.size == Size::Large { 0 } else { points * (2 + values.len() as i64) };

        let element = match wanted {
            Some(element) => element,
            None if self.choices.chance(60) => values[0].ty,
            None => self.element(),
        };
        let result = self.combine(&mut body, &values, element, &coordinates);
        let mut results = vec![result];
        if wanted.is_none() && self.choices.chance(8) {
            let (value, element) = (self.choices.pick(&values), self.element());
            let second = self.convert(&mut body, &value, element);
            results.push(second);
        }
        let name = format!("s{}", self.stages.len());
        let mut images = Vec::new();
        for (number, value) in results.iter().enumerate() {
            let name = if results.len() == 1 { name.clone() } else { format!("{name}{}", ["a", "b"][number]) };
            images.push(self.images.len());
            let extents = extents.clone();
            self.images.push(Image { name, element: value.ty, extents, group, within, is_read: false });
        }
        let yielded = results.into_iter().map(|value| value.name).collect();
        let unit = Unit::Stage;
        self.stages.push(Stage { name, coordinates, body, yielded, images, group, within, unit });
    }

    /// The extents of a stage that is mainly about `source`.
    pub(super) fn extents(&mut self, source: usize) -> Vec<Extent> {
        let own = self.images[source].extents.clone();
        let rank = own.len();
        let spatial = rank.min(2);
        // Of both spatial dimensions, or of one.
        let kinds = [
            (70, "same"),
            (7, "half"),
            (6, "double"),
            (4, "shrunk"),
            (2, "grown"),
            (5, "fewer"),
            (4, "more"),
            (2, "other"),
        ];
        let kind = self.choices.weighted(&kinds);
        let which = self.choices.below(3);
        let mut extents = own.clone();
        let chosen = |dimension: usize| {
            let from_end = rank - 1 - dimension;
            from_end < spatial && (which == 0 || from_end + 1 == which)
        };
        match kind {
            "half" | "double" | "shrunk" | "grown" => {
                for (dimension, extent) in own.iter().enumerate().filter(|(dimension, _)| chosen(*dimension)) {
                    let points: i64 = extents.iter().map(|extent| extent.value).product();
                    let by = self.choices.between(1, 5);
                    extents[dimension] = match kind {
                        "half" => self.arithmetic(extent, "ceildivsi", 2, (extent.value + 1) / 2),
                        "double" if points < self.size.points() / 2 => {
                            self.arithmetic(extent, "muli", 2, extent.value * 2)
                        }
                        "shrunk" if extent.value > by => self.arithmetic(extent, "subi", by, extent.value - by),
                        "grown" if points < self.size.points() / 2 => {
                            self.arithmetic(extent, "addi", by, extent.value + by)
                        }
                        _ => extent.clone(),
                    };
                }
            }
            "fewer" if rank > 1 => {
                extents.remove(0);
            }
            "more" if rank < 3 && own.iter().map(|extent| extent.value).product::<i64>() < self.size.points() / 4 => {
                let channels = self.choices.between(1, 4);
                extents.insert(0, Extent::fixed(channels));
            }
            "other" => {
                let other = self.choices.pick(&self.visible());
                extents = self.images[other].extents.clone();
            }
            _ => {}
        }
        extents
    }

    pub(super) fn arithmetic(&mut self, extent: &Extent, op: &str, by: i64, value: i64) -> Extent {
        match &extent.name {
            None => Extent::fixed(value),
            Some(name) => {
                let by = self.index_constant(by);
                let name = self.define(&format!("arith.{op} {name}, {by} : index"));
                Extent { value, name: Some(name) }
            }
        }
    }
}
