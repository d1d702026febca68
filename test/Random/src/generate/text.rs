//! The text of a program: its results, its groups and their schedules.

use super::{
    data::{Image, Line, Stage},
    program::Program,
};
use crate::check::Case;
use std::fmt::Write;

impl Program<'_> {
    pub(super) fn finish(mut self) -> Case {
        let results = self.results();
        let live_outs: Vec<Vec<usize>> = (0..self.groups).map(|group| self.live_outs(group, &results)).collect();
        let schedules: Vec<String> = live_outs.iter().map(|live_outs| self.schedule(live_outs)).collect();

        let mut text = String::new();
        let types =
            |images: &[usize]| images.iter().map(|image| self.images[*image].ty()).collect::<Vec<_>>().join(", ");
        let images = self.images[..self.inputs.len()].iter().map(|image| format!("%{}: {}", image.name, image.ty()));
        let numbers = self.numbers.iter().map(|(value, _)| format!("{}: {}", value.name, value.ty.name()));
        let arguments: Vec<String> = images.chain(numbers).collect();
        text += &format!("func.func @f({}) -> ({}) {{\n", arguments.join(", "), types(&results));
        for line in &self.head {
            text += &format!("  {line}\n");
        }
        let mut open = None;
        let outside = |image: usize| self.reference(image, None, &live_outs);
        for (number, stage) in self.stages.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| &self.stages[before]);
            let next = self.stages.get(number + 1);
            if let Some(within) = stage.within.filter(|_| before.is_none_or(|before| before.within != stage.within)) {
                text += &self.iterate_head(within, outside);
            }
            let margin = if stage.within.is_some() { "    " } else { "  " };
            if let Some(group) = stage.group
                && open != Some(group)
            {
                let count = live_outs[group].len();
                let several = if count > 1 { format!(":{count}") } else { String::new() };
                text += &format!("{margin}%g{group}{several} = pipeline.group \"g{group}\"{} {{\n", schedules[group]);
                open = Some(group);
            }
            text += &self.stage_text(stage, &live_outs);
            if let Some(group) = stage.group.filter(|_| next.is_none_or(|next| next.group != stage.group)) {
                let names: Vec<String> =
                    live_outs[group].iter().map(|image| format!("%{}", self.images[*image].name)).collect();
                let types = types(&live_outs[group]);
                let names = names.join(", ");
                text += &format!("{margin}  pipeline.yield {names} : {types}\n{margin}}} : {types}\n");
            }
            if let Some(within) = stage.within.filter(|_| next.is_none_or(|next| next.within != stage.within)) {
                text += &self.iterate_end(within, outside);
            }
        }
        let names: Vec<String> = results.iter().map(|image| self.reference(*image, None, &live_outs)).collect();
        text += &format!("  return {} : {}\n}}\n", names.join(", "), types(&results));
        self.inputs.extend(self.numbers.into_iter().map(|(_, data)| data));
        Case { text, inputs: self.inputs }
    }

    /// What the program returns: what nobody reads, and some of what is read inside too.
    fn results(&mut self) -> Vec<usize> {
        let mut results = Vec::new();
        for image in (self.inputs.len()..self.images.len()).filter(|image| self.images[*image].within.is_none()) {
            if self.choices.chance(15) || !self.images[image].is_read {
                results.push(image);
            }
        }
        // At times an input, or a result twice.
        if self.choices.chance(4) {
            results.push(self.choices.below(self.inputs.len()));
        }
        if self.choices.chance(4) {
            results.push(self.choices.pick(&results));
        }
        results
    }

    /// What a group's stages make that anything outside it uses.
    fn live_outs(&self, group: usize, results: &[usize]) -> Vec<usize> {
        let is_read = |image: usize| {
            // A group yields what nobody reads, too.
            if !self.images[image].is_read || self.iterates.iter().any(|iterate| iterate.uses(image)) {
                return true;
            }
            let others = self.stages.iter().filter(|stage| stage.group != Some(group));
            others
                .flat_map(|stage| &stage.body)
                .any(|line| matches!(line, Line::Load { image: read, .. } if *read == image))
        };
        let own = (0..self.images.len()).filter(|image| self.images[*image].group == Some(group));
        own.filter(|image| results.contains(image) || is_read(*image)).collect()
    }

    /// What an image is called in `group`, or outside of all.
    fn reference(&self, image: usize, group: Option<usize>, live_outs: &[Vec<usize>]) -> String {
        let Image { name, group: home, .. } = &self.images[image];
        match home {
            Some(home) if group != Some(*home) => match live_outs[*home].iter().position(|other| *other == image) {
                Some(number) if live_outs[*home].len() > 1 => format!("%g{home}#{number}"),
                _ => format!("%g{home}"),
            },
            _ => format!("%{name}"),
        }
    }

    fn stage_text(&self, stage: &Stage, live_outs: &[Vec<usize>]) -> String {
        let margin = "  ".repeat(1 + usize::from(stage.within.is_some()) + usize::from(stage.group.is_some()));
        let list = |names: &[&str]| names.iter().map(|name| format!("%{name}")).collect::<Vec<_>>().join(", ");
        let images: Vec<&Image> = stage.images.iter().map(|image| &self.images[*image]).collect();
        let names: Vec<&str> = images.iter().map(|image| image.name.as_str()).collect();
        let types: Vec<String> = images.iter().map(|image| image.ty()).collect();
        let elements: Vec<&str> = images.iter().map(|image| image.element.name()).collect();
        let (op, tail) = stage.unit.syntax(&list(&stage.coordinates));
        let mut text = format!("{margin}{} = pipeline.{op} \"{}\" {tail} {{\n", list(&names), stage.name);
        for line in &stage.body {
            // Writing to a string does not fail.
            let _ = match line {
                Line::Text(line) => writeln!(text, "{margin}  {line}"),
                Line::Load { name, op, image, subscript } => {
                    let image = self.reference(*image, stage.group, live_outs);
                    writeln!(text, "{margin}  {name} = pipeline.{op} {image}{subscript}")
                }
            };
        }
        let end = stage.unit.end(&stage.yielded);
        let _ = writeln!(text, "{margin}  pipeline.{end} : {}", elements.join(", "));
        let sized: Vec<&str> = images[0].extents.iter().filter_map(|extent| extent.name.as_deref()).collect();
        let sized = if sized.is_empty() { String::new() } else { format!(" sized({})", sized.join(", ")) };
        let _ = writeln!(text, "{margin}}}{sized} : {}", types.join(", "));
        text
    }

    /// A schedule for a group; none is the simplest.
    fn schedule(&mut self, live_outs: &[usize]) -> String {
        let ranks: Vec<usize> = live_outs.iter().map(|image| self.images[*image].extents.len()).collect();
        // A group that scans and scatters have left nothing for is not written.
        let Some(&rank) = ranks.first() else { return String::new() };
        let c = &mut *self.choices;
        let mut entries = Vec::new();
        let list = |numbers: &[i64]| {
            let texts: Vec<String> = numbers[numbers.len() - rank..].iter().map(i64::to_string).collect();
            format!("array<i64: {}>", texts.join(", "))
        };
        // Numbers are for images of one rank.
        let of_threads = c.chance(14);
        // Lanes in rows and columns, whose tiles go to registers whole.
        if rank > 1 && ranks.iter().all(|other| *other == rank) && c.chance(20) {
            let block = c.pick(&[[1, 2, 16], [1, 8, 8], [1, 4, 16], [1, 16, 4], [1, 32, 1]]);
            let tile = [1, c.pick(&[4, 2, 3, 8, 1]), c.pick(&[16, 32, 8, 24, 5])];
            entries.extend(c.chance(80).then(|| format!("tile = {}", list(&tile))));
            entries.extend(c.chance(50).then(|| "inputs = \"shared\"".to_owned()));
            entries.extend([format!("block = {}", list(&block)), "fraction = 1.0 : f64".to_owned()]);
            return format!(" schedule {{{}}}", entries.join(", "));
        }
        if ranks.iter().all(|other| *other == rank) {
            if of_threads {
                let points = [c.pick(&[1, 2, 4, 3]), c.pick(&[1, 2, 4, 5, 8]), c.pick(&[1, 2, 3, 4])];
                entries.extend(c.chance(70).then(|| format!("tile = {}", list(&points))));
            } else if c.chance(70) {
                let (y, x) = match c.weighted(&[(68, 0), (22, 1), (10, 2)]) {
                    0 => (c.pick(&[4, 1, 2, 3, 5, 8, 16]), c.pick(&[32, 64, 96, 128, 256])),
                    1 => (c.pick(&[4, 1, 2, 3, 5, 8, 16]), c.pick(&[4, 8, 16, 24])),
                    // Of a point, of primes, of more than the image.
                    _ => (c.pick(&[1, 2, 7, 31, 64, 200]), c.pick(&[1, 2, 7, 31, 33, 127, 1024])),
                };
                entries.push(format!("tile = {}", list(&[1, y, x])));
            }
            if c.chance(60) {
                let usual = [[1, 4, 32], [1, 1, 32], [1, 8, 32], [1, 8, 16], [1, 2, 64], [1, 1, 128], [1, 16, 16]];
                let extreme = [[1, 32, 32], [1, 1, 1024], [1, 32, 1]];
                let block = if c.chance(10) { c.pick(&extreme) } else { c.pick(&usual) };
                entries.push(format!("block = {}", list(&block)));
            }
            if rank > 1 && c.chance(40) {
                entries.push("stream = \"y\"".to_owned());
            }
        }
        if c.chance(60) {
            entries.push(format!("fraction = {:?} : f64", c.pick(&[0.0, 1.0, 0.5, 0.25, 0.75])));
        }
        if c.chance(60) {
            entries.push(format!("layout = \"{}\"", c.pick(&["cyclic", "blocked"])));
        }
        if c.chance(50) {
            entries.push(format!("vector = {} : i64", c.pick(&[1, 2, 4])));
        }
        if of_threads {
            entries.push("scope = \"thread\"".to_owned());
        }
        if c.chance(20) {
            entries.push(format!("overlap = \"{}\"", c.pick(&["scalene", "right-rectangle", "uniform-slope"])));
        }
        if c.chance(20) {
            entries.push("nested = false".to_owned());
        }
        if c.chance(30) {
            entries.push("inputs = \"shared\"".to_owned());
        }
        if entries.is_empty() { String::new() } else { format!(" schedule {{{}}}", entries.join(", ")) }
    }
}
