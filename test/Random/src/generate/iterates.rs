//! Random iterates: states that begin as images of the program, and stages that read them and make the next ones.
//!
//! ```text
//! iterate "t0" 3 (t0p0 = s1, t0p1 = s2)     one state or two
//!   s3  reads t0p1 mirrored                 any stages, scans and scatters; they may read images from outside
//!   s4  reads s3, t0p0; like t0p0           for each state one that has its extents and its type,
//!   yield s4, t0p0                          or the state beside it, which so is a step behind
//! ```
//!
//! The stages of a step are in groups of their own.

use super::{
    data::{Image, Iterate},
    program::Program,
};
use std::fmt::Write;

impl Program<'_> {
    /// Adds an iterate, with its stages and its results.
    pub(super) fn iterate(&mut self) {
        self.begin_group();
        let number = self.iterates.len();
        let name = format!("t{number}");
        let mut initial = vec![self.source()];
        if self.choices.chance(40) {
            let other = self.source();
            initial.push(other);
        }
        let (steps, count) = self.steps(initial[0]);
        let before = self.work;

        let states = self.like(&initial, Some(number), |state| format!("{name}p{state}"));
        for image in initial.iter().chain(&states) {
            self.images[*image].is_read = true;
        }
        let iterate = Iterate { name, steps, initial, states, next: Vec::new(), results: Vec::new() };
        self.iterates.push(iterate);
        self.within = Some(number);
        loop {
            let mark = self.choices.mark();
            if self.stages.len() >= self.size.stages() || !self.choices.chance(45) {
                break;
            }
            if self.choices.chance(10) {
                self.unit()
            } else {
                self.stage()
            }
            self.choices.span_from(mark);
        }
        let next = self.next(number);
        self.within = None;

        self.work = before + (self.work - before) * count;
        let Iterate { name, states, .. } = &self.iterates[number];
        let (name, states) = (name.clone(), states.clone());
        let result = |state| if states.len() == 1 { name.clone() } else { format!("{name}#{state}") };
        let results = self.like(&states, None, result);
        self.iterates[number].next = next;
        self.iterates[number].results = results;
        self.begin_group();
    }

    /// How many steps, and its SSA name; at times it is known only when the program runs.
    fn steps(&mut self, image: usize) -> (String, i64) {
        let extent = self.images[image].extents[0].clone();
        match extent.name.filter(|_| self.choices.chance(30)) {
            Some(name) => {
                let (three, one) = (self.index_constant(3), self.index_constant(1));
                let rest = self.define(&format!("arith.remui {name}, {three} : index"));
                (self.define(&format!("arith.addi {rest}, {one} : index")), extent.value % 3 + 1)
            }
            None => {
                let count = self.choices.pick(&[2, 1, 3, 2, 4, 3, 5, 2, 3, 0]);
                (self.index_constant(count), count)
            }
        }
    }

    /// Images of the types of others.
    fn like(&mut self, others: &[usize], within: Option<usize>, name: impl Fn(usize) -> String) -> Vec<usize> {
        let first = self.images.len();
        for (number, other) in others.iter().enumerate() {
            let Image { element, extents, .. } = self.images[*other].clone();
            self.images.push(Image { name: name(number), element, extents, group: None, within, is_read: false });
        }
        (first..self.images.len()).collect()
    }

    /// What the states are at the next step.
    fn next(&mut self, number: usize) -> Vec<usize> {
        let states = self.iterates[number].states.clone();
        let types: Vec<_> =
            states.iter().map(|state| (self.images[*state].element, &self.images[*state].extents)).collect();
        let are_alike = types.iter().all(|ty| *ty == types[0]);
        // Of both states at least one is new.
        let old =
            if states.len() == 2 && are_alike && self.choices.chance(40) { Some(self.choices.below(2)) } else { None };
        let mut next = Vec::new();
        for (place, state) in states.iter().enumerate() {
            let image = match old {
                Some(old) if old == place => states[1 - place],
                _ => {
                    // Of a state directly, or of what other stages have made of it.
                    let source = if self.choices.chance(50) { self.choices.pick(&states) } else { self.source() };
                    // And of all that nobody has read: it is not seen outside.
                    let is_unread = |image: &usize| {
                        let Image { within, is_read, .. } = self.images[*image];
                        within == Some(number) && !is_read
                    };
                    let unread: Vec<usize> = (0..self.images.len()).filter(is_unread).collect();
                    self.stage_like(*state, source, &unread)
                }
            };
            self.images[image].is_read = true;
            next.push(image);
        }
        next
    }

    /// What stands before the first stage of an iterate.
    pub(super) fn iterate_head(&self, number: usize, name_of: impl Fn(usize) -> String) -> String {
        let Iterate { name, steps, initial, states, .. } = &self.iterates[number];
        let several = if states.len() > 1 { format!(":{}", states.len()) } else { String::new() };
        let mut text = format!("  %{name}{several} = pipeline.iterate \"{name}\" {steps} (");
        for (place, (state, initial)) in states.iter().zip(initial).enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let state = &self.images[*state];
            // Writing to a string does not fail.
            let _ = write!(text, "{comma}%{} = {} : {}", state.name, name_of(*initial), state.ty());
        }
        text + ") {\n"
    }

    /// What stands behind its last stage.
    pub(super) fn iterate_end(&self, number: usize, name_of: impl Fn(usize) -> String) -> String {
        let Iterate { next, .. } = &self.iterates[number];
        let names: Vec<String> = next.iter().map(|image| name_of(*image)).collect();
        let types: Vec<String> = next.iter().map(|image| self.images[*image].ty()).collect();
        format!("    pipeline.yield {} : {}\n  }}\n", names.join(", "), types.join(", "))
    }
}
