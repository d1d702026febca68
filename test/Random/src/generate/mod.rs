//! Random programs: stages that read each other in every way that a program can, and schedules for them.
//!
//! ```text
//!   a0 ──▶ s0 ──▶ s1 ────▶ s3 ──▶        what s1 reads: s0, at (y, x - 2), (y, x), (y, x + 3), mirrored
//!            ╰──▶ s2 (half) ──╯          s2: ceildiv 2 of the extents; s3 reads it at x floordiv 2
//!   g0 schedule {tile, block, ...}       the group that they are in, or none
//!   t0: steps in which s4 ─▶ s5 ─▶ s4    an iterate, whose states stages read and make
//! ```
//!
//! Programs are made such that mistakes show. Values stay finite and apart (weighted sums, weights of at most 1), for a NaN equals every
//! other; two stencils follow each other, since a wrong boundary of what is between images hides in one; images are odd and tiny, for
//! there everything is an edge.
//!
//! Of several choices the first is the simplest (see [`crate::choices`]).

mod iterates;
mod units;

use crate::{
    check::{Case, Data},
    choices::Choices,
};
use std::fmt::Write;

/// Points of an image, at most.
const MOST_POINTS: i64 = 12_000;
/// Points of a program's stages times what they read, at most.
const MOST_WORK: i64 = 600_000;
const MOST_STAGES: usize = 12;

/// The program that these choices make.
pub fn generate(choices: &mut Choices) -> Case {
    generate_of(choices, false)
}

/// The same on images that have an inside: some hundreds of rows and columns.
pub fn generate_large(choices: &mut Choices) -> Case {
    generate_of(choices, true)
}

fn generate_of(choices: &mut Choices, is_large: bool) -> Case {
    let mut program = Program::new(choices, is_large);
    program.stages();
    program.finish()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
}

use Type::{F16, F32, F64, I8, I16, I32, I64};

impl Type {
    fn name(self) -> &'static str {
        match self {
            F16 => "f16",
            F32 => "f32",
            F64 => "f64",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
        }
    }

    fn is_float(self) -> bool {
        matches!(self, F16 | F32 | F64)
    }

    fn bits(self) -> u32 {
        match self {
            I8 => 8,
            F16 | I16 => 16,
            F32 | I32 => 32,
            F64 | I64 => 64,
        }
    }
}

/// An extent, and its SSA name if it is dynamic.
#[derive(Clone, Debug, PartialEq)]
struct Extent {
    value: i64,
    name: Option<String>,
}

impl Extent {
    fn fixed(value: i64) -> Self {
        Self { value, name: None }
    }
}

/// An argument, or a result of a stage.
#[derive(Clone)]
struct Image {
    name: String,
    element: Type,
    extents: Vec<Extent>,
    /// The group that it is made in.
    group: Option<usize>,
    /// The iterate that it is a state of, or made in: it is not seen outside.
    within: Option<usize>,
    is_read: bool,
}

impl Image {
    fn ty(&self) -> String {
        let extents = self.extents.iter().map(|extent| match extent.name {
            Some(_) => "?x".to_owned(),
            None => format!("{}x", extent.value),
        });
        format!("tensor<{}{}>", extents.collect::<String>(), self.element.name())
    }
}

/// A line of a body. What an image is called depends on who reads it: `%s0` in its own group, `%g0#1` outside.
enum Line {
    Text(String),
    Load { name: String, op: &'static str, image: usize, subscript: String },
}

struct Stage {
    name: String,
    coordinates: Vec<&'static str>,
    body: Vec<Line>,
    yielded: Vec<String>,
    images: Vec<usize>,
    group: Option<usize>,
    within: Option<usize>,
    unit: units::Unit,
}

/// An SSA value in a body.
#[derive(Clone)]
struct Value {
    name: String,
    ty: Type,
}

/// Where the stages of a program are.
#[derive(Clone, Copy, PartialEq)]
enum Grouping {
    /// In none: `--fuse` decides.
    None,
    /// In one, with a schedule.
    One,
    /// In several.
    Several,
}

struct Program<'a> {
    choices: &'a mut Choices,
    /// The element types that it has, the usual one first.
    types: Vec<Type>,
    /// Whether extents of its inputs are dynamic.
    is_dynamic: bool,
    /// Whether images have an inside.
    is_large: bool,
    /// Points of an image, at most.
    most_points: i64,
    grouping: Grouping,
    groups: usize,
    head: Vec<String>,
    images: Vec<Image>,
    stages: Vec<Stage>,
    iterates: Vec<iterates::Iterate>,
    /// The iterate that stages are added to.
    within: Option<usize>,
    inputs: Vec<Data>,
    work: i64,
    count: usize,
}

/// An index along one dimension: its text, and its values where it is a function of one coordinate.
struct Index {
    text: String,
    range: Option<(i64, i64)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    None,
    Clamp,
    Mirror,
    Wrap,
    Constant,
}

/// What a stage reads of the image that it is mainly about.
#[derive(Clone, Copy, PartialEq)]
enum Pattern {
    Point,
    AlongX,
    AlongY,
    Box,
    OneSided,
    Far,
    Leading,
    Strange,
    Place,
    Nothing,
    Gather,
    Window,
}

impl<'a> Program<'a> {
    fn new(choices: &'a mut Choices, is_large: bool) -> Self {
        let other = [F16, F64, I8, I16, I32, I64];
        let types = match choices.weighted(&[(50, 0), (10, 1), (15, 2), (15, 3), (10, 4)]) {
            0 => vec![F32],
            1 => vec![choices.pick(&other)],
            2 => vec![F32, choices.pick(&other)],
            // As programs on bytes are written: 32 bits, so as not to overflow.
            4 => vec![I8, I16, I32, I32],
            _ => vec![F32, F16, F64, I8, I16, I32, I64],
        };
        let is_dynamic = choices.chance(35);
        let grouping = choices.weighted(&[(20, Grouping::None), (60, Grouping::One), (20, Grouping::Several)]);
        let groups = usize::from(grouping != Grouping::None);
        let mut program = Self {
            choices,
            types,
            is_dynamic,
            is_large,
            most_points: if is_large { 1 << 22 } else { MOST_POINTS },
            grouping,
            groups,
            head: Vec::new(),
            images: Vec::new(),
            stages: Vec::new(),
            iterates: Vec::new(),
            within: None,
            inputs: Vec::new(),
            work: 0,
            count: 0,
        };
        let shape = program.shape();
        program.input(&shape);
        program.second_input(&shape);
        program
    }

    // ---- Inputs -----------------------------------------------------------------------------------------------------

    /// Extents of an image: tiny, a row, a column, smaller than a tile, larger than some tiles; a multiple of nothing.
    fn shape(&mut self) -> Vec<i64> {
        let c = &mut *self.choices;
        let sizes = [(14, 0), (2, 1), (5, 2), (5, 3), (38, 4), (18, 5), (18, 6)];
        let (height, width) = match c.weighted(&sizes) {
            0 => (c.between(1, 8), c.between(1, 8)),
            1 => (1, 1),
            2 => (1, c.between(1, 150)),
            3 => (c.between(1, 150), 1),
            4 => (c.between(5, 40), c.between(9, 100)),
            5 => (c.between(2, 20), c.between(90, 150)),
            _ => (c.between(60, 150), c.between(5, 40)),
        };
        let (height, width) = if self.is_large { (400 + 2 * height, 600 + 4 * width) } else { (height, width) };
        let most = self.most_points;
        match c.weighted(&[(72, 2), (10, 1), (18, 3)]) {
            1 if self.is_large => vec![16 * width],
            1 => vec![width],
            3 => vec![c.between(1, 4), height, (most / 4 / height).min(width).max(1)],
            _ => vec![height, width],
        }
    }

    fn input(&mut self, shape: &[i64]) {
        let name = format!("a{}", self.images.len());
        let element = self.element();
        let mut image = Image {
            name,
            element,
            extents: shape.iter().map(|extent| Extent::fixed(*extent)).collect(),
            group: None,
            within: None,
            is_read: true,
        };
        for extent in &mut image.extents {
            if self.is_dynamic && self.choices.chance(70) {
                extent.name = Some(String::new());
            }
        }
        let ty = image.ty();
        for dimension in 0..image.extents.len() {
            if image.extents[dimension].name.is_some() {
                let index = self.index_constant(dimension as i64);
                let name = self.define(&format!("tensor.dim %{}, {index} : {ty}", image.name));
                image.extents[dimension].name = Some(name);
            }
        }
        let seed = self.choices.below(1000) as u64;
        let special = self.choices.chance(10);
        self.inputs.push(Data { shape: shape.iter().map(|extent| *extent as usize).collect(), seed, special });
        self.images.push(image);
    }

    /// Another input at times: of the same extents, half of them, or its own.
    fn second_input(&mut self, shape: &[i64]) {
        if !self.choices.chance(30) {
            return;
        }
        let shape = match self.choices.below(3) {
            0 => shape.to_vec(),
            1 => shape.iter().map(|extent| (extent + 1) / 2).collect(),
            _ => self.shape(),
        };
        self.input(&shape);
    }

    fn element(&mut self) -> Type {
        self.choices.pick(&self.types)
    }

    // ---- Lines ------------------------------------------------------------------------------------------------------

    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    /// An op before the stages.
    fn define(&mut self, text: &str) -> String {
        let name = self.fresh();
        self.head.push(format!("{name} = {text}"));
        name
    }

    fn index_constant(&mut self, value: i64) -> String {
        self.define(&format!("arith.constant {value} : index"))
    }

    /// An op of a body.
    fn add(&mut self, body: &mut Vec<Line>, text: &str, ty: Type) -> Value {
        let name = self.fresh();
        body.push(Line::Text(format!("{name} = {text}")));
        Value { name, ty }
    }

    fn binary(&mut self, body: &mut Vec<Line>, op: &str, a: &Value, b: &Value) -> Value {
        self.add(body, &format!("arith.{op} {}, {} : {}", a.name, b.name, a.ty.name()), a.ty)
    }

    /// A number in a body; of an integer type its whole part.
    fn number(&mut self, body: &mut Vec<Line>, number: f64, ty: Type) -> Value {
        let text = number_text(number, ty);
        self.add(body, &format!("arith.constant {text} : {}", ty.name()), ty)
    }

    // ---- Stages -----------------------------------------------------------------------------------------------------

    fn stages(&mut self) {
        while self.stages.len() < MOST_STAGES && self.work < MOST_WORK {
            let mark = self.choices.mark();
            let more = self.choices.chance(85);
            if !more && !self.stages.is_empty() {
                break;
            }
            // Nobody walks the lines of large images.
            let kind = if self.is_large { 0 } else { self.choices.weighted(&[(87, 0), (7, 1), (6, 2)]) };
            match kind {
                0 => self.stage(),
                1 => self.unit(),
                _ => self.iterate(),
            }
            self.choices.span_from(mark);
        }
    }

    /// An image that is there: mostly the newest, so that chains grow.
    fn source(&mut self) -> usize {
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
    fn visible(&self) -> Vec<usize> {
        let is_visible = |image: &usize| self.images[*image].within.is_none_or(|within| self.within == Some(within));
        (0..self.images.len()).filter(is_visible).collect()
    }

    fn stage(&mut self) {
        let group = self.next_group();
        let source = self.source();
        let extents = self.extents(source);
        self.stage_of(group, source, &[], extents, None);
    }

    /// A stage that is mainly about `source`, reads others, too, and whose only result is like an image: its place.
    fn stage_like(&mut self, image: usize, source: usize, others: &[usize]) -> usize {
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
    fn begin_group(&mut self) {
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
            if values.len() >= 12 || !self.choices.chance(30) {
                break;
            }
            let other = self.source();
            let offset = self.choices.pick(&[0, 0, 1, -1, 2, -3]);
            let mode = self.mode();
            let at = vec![0; rank.saturating_sub(1)].into_iter().chain([offset]).collect::<Vec<_>>();
            values.push(self.load(&mut body, other, &extents, &coordinates, &at, mode));
            self.choices.span_from(mark);
        }
        if values.is_empty() || self.choices.chance(8) {
            let value = self.coordinate(&mut body, &coordinates);
            values.push(value);
        }
        let points: i64 = extents.iter().map(|extent| extent.value).product();
        // Nobody computes all points of large images.
        self.work += if self.is_large { 0 } else { points * (2 + values.len() as i64) };

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
        let unit = units::Unit::Stage;
        self.stages.push(Stage { name, coordinates, body, yielded, images, group, within, unit });
    }

    /// The extents of a stage that is mainly about `source`.
    fn extents(&mut self, source: usize) -> Vec<Extent> {
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
                        "double" if points < self.most_points / 2 => {
                            self.arithmetic(extent, "muli", 2, extent.value * 2)
                        }
                        "shrunk" if extent.value > by => self.arithmetic(extent, "subi", by, extent.value - by),
                        "grown" if points < self.most_points / 2 => {
                            self.arithmetic(extent, "addi", by, extent.value + by)
                        }
                        _ => extent.clone(),
                    };
                }
            }
            "fewer" if rank > 1 => {
                extents.remove(0);
            }
            "more" if rank < 3 && own.iter().map(|extent| extent.value).product::<i64>() < self.most_points / 4 => {
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

    fn arithmetic(&mut self, extent: &Extent, op: &str, by: i64, value: i64) -> Extent {
        match &extent.name {
            None => Extent::fixed(value),
            Some(name) => {
                let by = self.index_constant(by);
                let name = self.define(&format!("arith.{op} {name}, {by} : index"));
                Extent { value, name: Some(name) }
            }
        }
    }

    // ---- Loads ------------------------------------------------------------------------------------------------------

    fn mode(&mut self) -> Mode {
        self.choices.weighted(&[
            (20, Mode::None),
            (32, Mode::Clamp),
            (20, Mode::Mirror),
            (14, Mode::Wrap),
            (14, Mode::Constant),
        ])
    }

    /// What a stage reads of its main source.
    fn reads(&mut self, body: &mut Vec<Line>, source: usize, extents: &[Extent], coordinates: &[&str]) -> Vec<Value> {
        use Pattern::*;
        let mut pattern = self.choices.weighted(&[
            (14, Point),
            (22, AlongX),
            (18, AlongY),
            (12, Box),
            (10, OneSided),
            (5, Far),
            (4, Leading),
            (8, Strange),
            (4, Place),
            (3, Nothing),
            (4, Gather),
            (5, Window),
        ]);
        let rank = extents.len();
        let leading = self.images[source].extents.len() > rank;
        if leading && !matches!(pattern, Nothing | Place | Gather | Window) {
            pattern = Leading;
        }
        let mode = self.mode();
        // At times each load has a mode of its own.
        let is_mixed = self.choices.chance(25);
        let taps = match pattern {
            Point | Leading | Strange | Place | Gather | Window => vec![vec![]],
            Nothing => Vec::new(),
            AlongX => self.line(0),
            AlongY => self.line(1),
            Box => {
                let all = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)];
                let count = self.choices.pick(&[5, 9, 3]);
                all[..count].iter().map(|(y, x)| vec![*x, *y]).collect()
            }
            OneSided => {
                let sign = self.choices.pick(&[-1, 1]);
                let mut taps = Vec::new();
                while taps.is_empty() || taps.len() < 5 && self.choices.chance(50) {
                    taps.push(vec![sign * self.choices.between(0, 7), sign * self.choices.between(0, 3)]);
                }
                taps
            }
            Far => {
                let reach = self.choices.between(8, 45);
                let tap = |reach| if rank > 1 && self.choices.below(2) == 1 { vec![0, reach] } else { vec![reach] };
                [-reach, reach].map(tap).to_vec()
            }
        };
        let mut values = Vec::new();
        for tap in taps {
            let mark = self.choices.mark();
            // Taps are said from x outwards.
            let mut at: Vec<i64> = tap.iter().copied().chain([0, 0, 0]).take(rank).collect();
            at.reverse();
            let mode = if is_mixed { self.mode() } else { mode };
            match pattern {
                Leading => {
                    let channels = self.images[source].extents[0].value;
                    for channel in 0..channels.min(4) {
                        let indices = self.indices(source, extents, coordinates, &at, Some(channel));
                        values.push(self.load_at(body, source, indices, mode));
                    }
                }
                Strange => {
                    let indices = self.strange(source, extents, coordinates);
                    values.push(self.load_at(body, source, indices, mode));
                }
                Place => {
                    // Beside something that is not the same everywhere.
                    let indices = self.place(source);
                    values.push(self.load_at(body, source, indices, mode));
                    let input = self.choices.below(self.inputs.len());
                    values.push(self.load(body, input, extents, coordinates, &at, mode));
                }
                Gather => values.push(self.gather(body, source, extents, coordinates, mode)),
                Window => values.extend(self.window(body, source, extents, coordinates, mode)),
                _ => values.push(self.load(body, source, extents, coordinates, &at, mode)),
            }
            self.choices.span_from(mark);
        }
        values
    }

    /// A value at a place that another value says, inside the image or outside.
    fn gather(
        &mut self,
        body: &mut Vec<Line>,
        source: usize,
        extents: &[Extent],
        coordinates: &[&str],
        mode: Mode,
    ) -> Value {
        let at = vec![0; extents.len()];
        let from = self.choices.pick(&self.visible());
        let value = self.load(body, from, extents, coordinates, &at, Mode::Clamp);
        let number = self.convert(body, &value, I32);
        let most = self.choices.pick(&[3, 7, 40]);
        let most = self.add(body, &format!("arith.constant {most} : i32"), I32);
        let number = self.binary(body, "remsi", &number, &most);
        let name = self.fresh();
        body.push(Line::Text(format!("{name} = arith.index_cast {} : i32 to index", number.name)));
        let mut indices = self.indices(source, extents, coordinates, &at, None);
        let rank = indices.len();
        let which = self.choices.below(rank + 1);
        for (dimension, index) in indices.iter_mut().enumerate() {
            // One of them, or all.
            if which == dimension || which == rank {
                *index = Index { text: name.clone(), range: None };
            }
        }
        self.read_at(body, "gather", source, indices, if mode == Mode::None { Mode::Clamp } else { mode })
    }

    /// A fold over a window, small enough to be written out or not.
    fn window(
        &mut self,
        body: &mut Vec<Line>,
        source: usize,
        extents: &[Extent],
        coordinates: &[&str],
        mode: Mode,
    ) -> Vec<Value> {
        let rank = extents.len();
        let along = if rank > 1 && self.choices.chance(60) { 2 } else { 1 };
        let sizes: Vec<i64> = (0..along)
            .map(|_| self.choices.pick(if along == 2 { &[2, 3, 1, 5, 7] } else { &[3, 2, 1, 9, 40] }))
            .collect();
        let starts: Vec<i64> = sizes.iter().map(|size| self.choices.between(-size, 1)).collect();
        let points: i64 = sizes.iter().product();
        let all: i64 = extents.iter().map(|extent| extent.value).product();
        self.work += if self.is_large { 0 } else { all * points };
        let step = self.choices.pick(&[1, 1, 2]);
        let variables: Vec<String> = (0..along).map(|_| self.fresh()).collect();

        let ty = self.images[source].element;
        let zero = self.number(body, 0.0, ty);
        let weight = self.number(body, if ty.is_float() { 1.0 / points as f64 } else { 3.0 }, ty);
        let is_pair = self.choices.chance(30);
        let first =
            if is_pair { Some(self.load(body, source, extents, coordinates, &vec![0; rank], mode)) } else { None };
        let (sum, most, result) = (self.fresh(), self.fresh(), self.fresh());
        let intervals: Vec<String> =
            starts.iter().zip(&sizes).map(|(start, size)| format!("[{start}, {})", start + size)).collect();
        let mut carried = vec![format!("{sum} = {} : {}", zero.name, ty.name())];
        carried.extend(first.iter().map(|first| format!("{most} = {} : {}", first.name, ty.name())));
        let several = if is_pair { ":2" } else { "" };
        body.push(Line::Text(format!(
            "{result}{several} = pipeline.reduce ({}) in {} ({}) {{",
            variables.join(", "),
            intervals.join(" x "),
            carried.join(", ")
        )));
        let mut indices = self.indices(source, extents, coordinates, &vec![0; rank], None);
        let count = indices.len();
        for ((variable, start), (back, size)) in variables.iter().zip(&starts).zip(sizes.iter().enumerate()) {
            // The last variable goes along the last dimension.
            let Some(dimension) = (count + back).checked_sub(along) else { continue };
            let index = &mut indices[dimension];
            let times = if step == 1 { String::new() } else { format!(" * {step}") };
            index.text = format!("{} + {variable}{times}", index.text);
            index.range = index.range.map(|(lo, hi)| (lo + start * step, hi + (start + size - 1) * step));
        }
        let read = match self.choices.chance(12) {
            true => self.gather(body, source, extents, coordinates, mode),
            false => self.load_at(body, source, indices, mode),
        };
        let (op, join) = if ty.is_float() { ("mulf", "addf") } else { ("muli", "addi") };
        let part = self.binary(body, op, &read, &weight);
        let next = self.binary(body, join, &Value { name: sum, ty }, &part);
        let mut yielded = vec![next];
        if is_pair {
            let op = if ty.is_float() { "maximumf" } else { "maxsi" };
            yielded.push(self.binary(body, op, &Value { name: most, ty }, &read));
        }
        let names: Vec<&str> = yielded.iter().map(|value| value.name.as_str()).collect();
        let types = vec![ty.name(); yielded.len()].join(", ");
        body.push(Line::Text(format!("pipeline.yield {} : {types}", names.join(", "))));
        body.push(Line::Text(format!("}} : {types}")));
        match is_pair {
            true => (0..2).map(|number| Value { name: format!("{result}#{number}"), ty }).collect(),
            false => vec![Value { name: result, ty }],
        }
    }

    /// Taps along x (0) or y (1): of a symmetric or lopsided stencil.
    fn line(&mut self, axis: usize) -> Vec<Vec<i64>> {
        let (left, right) = (self.choices.between(0, 3), self.choices.between(0, 3));
        let step = self.choices.pick(&[1, 1, 1, 2]);
        (-left..=right).map(|offset| [vec![0; axis], vec![offset * step]].concat()).collect()
    }

    fn load(
        &mut self,
        body: &mut Vec<Line>,
        source: usize,
        extents: &[Extent],
        coordinates: &[&str],
        at: &[i64],
        mode: Mode,
    ) -> Value {
        let indices = self.indices(source, extents, coordinates, at, None);
        self.load_at(body, source, indices, mode)
    }

    /// Indices for the point of a stage in an image, moved by `at`. The image may have another resolution, and other leading
    /// dimensions: `channel` says where in them.
    fn indices(
        &mut self,
        source: usize,
        extents: &[Extent],
        coordinates: &[&str],
        at: &[i64],
        channel: Option<i64>,
    ) -> Vec<Index> {
        let sizes: Vec<i64> = self.images[source].extents.iter().map(|extent| extent.value).collect();
        let (rank, source_rank) = (extents.len(), sizes.len());
        (0..source_rank)
            .map(|dimension| {
                let size = sizes[dimension];
                // Dimensions are matched from the last.
                match (dimension + rank).checked_sub(source_rank) {
                    Some(own) => {
                        let (extent, name, offset) = (extents[own].value, coordinates[own], at[own]);
                        let (text, scale): (_, fn(i64) -> i64) = match () {
                            () if size == extent => (format!("%{name}"), |i| i),
                            () if size == (extent + 1) / 2 => (format!("%{name} floordiv 2"), |i| i.div_euclid(2)),
                            () if extent == (size + 1) / 2 => (format!("%{name} * 2"), |i| i * 2),
                            () => (format!("%{name}"), |i| i),
                        };
                        Index {
                            text: plus(&text, offset),
                            range: Some((scale(0) + offset, scale(extent - 1) + offset)),
                        }
                    }
                    None => {
                        let channel = channel.unwrap_or_else(|| self.choices.between(0, size - 1));
                        Index { text: channel.to_string(), range: Some((channel, channel)) }
                    }
                }
            })
            .collect()
    }

    /// Indices that are no stencil's.
    fn strange(&mut self, source: usize, extents: &[Extent], coordinates: &[&str]) -> Vec<Index> {
        (0..self.images[source].extents.len())
            .map(|_| {
                let c = &mut *self.choices;
                let which = c.below(coordinates.len());
                let (a, last) = (coordinates[which], extents[which].value - 1);
                let b = c.pick(coordinates);
                let (k, offset) = (c.between(2, 4), c.between(-9, 9));
                let ends = |f: &dyn Fn(i64) -> i64| {
                    let values = (0..=last).map(f);
                    Some((values.clone().min().unwrap_or(0) + offset, values.max().unwrap_or(0) + offset))
                };
                let (text, range) = match c.below(10) {
                    0 => (format!("%{a}"), ends(&|i| i)),
                    1 => (format!("%{a} * {k}"), ends(&|i| i * k)),
                    2 => (format!("(%{a} + 7) floordiv {k}"), ends(&|i| (i + 7).div_euclid(k))),
                    3 => (format!("(%{a} - 5) floordiv {k}"), ends(&|i| (i - 5).div_euclid(k))),
                    4 => (format!("(%{a} - 5) ceildiv {k}"), ends(&|i| -(5 - i).div_euclid(k))),
                    5 => (format!("(%{a} * 3 - 4) mod {k}"), ends(&|i| (i * 3 - 4).rem_euclid(k))),
                    6 => (format!("%{a} * -1"), ends(&|i| -i)),
                    7 => (format!("{last} - %{a}"), ends(&|i| last - i)),
                    8 => (format!("%{a} + %{b}"), None),
                    _ => (format!("(%{a} - %{b}) mod {k}"), None),
                };
                Index { text: plus(&text, offset), range }
            })
            .collect()
    }

    /// One place, whatever the point is.
    fn place(&mut self, source: usize) -> Vec<Index> {
        let sizes: Vec<i64> = self.images[source].extents.iter().map(|extent| extent.value).collect();
        sizes
            .into_iter()
            .map(|size| {
                let place = self.choices.between(0, size - 1);
                Index { text: place.to_string(), range: Some((place, place)) }
            })
            .collect()
    }

    /// A load, at times in a branch. Without a mode only where the compiler can see, or check at entry, that it stays inside.
    fn load_at(&mut self, body: &mut Vec<Line>, source: usize, indices: Vec<Index>, mode: Mode) -> Value {
        self.read_at(body, "load", source, indices, mode)
    }

    /// The same of a load or a gather.
    fn read_at(
        &mut self,
        body: &mut Vec<Line>,
        op: &'static str,
        source: usize,
        indices: Vec<Index>,
        mode: Mode,
    ) -> Value {
        let image = &self.images[source];
        let is_inside = indices
            .iter()
            .zip(&image.extents)
            .all(|(index, extent)| index.range.is_some_and(|(lo, hi)| lo >= 0 && hi < extent.value));
        let (ty, element) = (image.ty(), image.element);
        // A division by a dynamic extent in a branch: LLVM 22's loop vectoriser makes of it a masked load from a poison address where the first
        // lane does not take the branch, and a crash on the CPU.
        let divides =
            matches!(mode, Mode::Mirror | Mode::Wrap) && image.extents.iter().any(|extent| extent.name.is_some());
        let mode = match mode {
            Mode::None if is_inside => String::new(),
            Mode::None | Mode::Clamp => " clamp".to_owned(),
            Mode::Mirror => " mirror".to_owned(),
            Mode::Wrap => " wrap".to_owned(),
            Mode::Constant => {
                let number = self.choices.pick(&[0.0, 0.625, -3.0]);
                let outside =
                    self.define(&format!("arith.constant {} : {}", number_text(number, element), element.name()));
                format!(" constant({outside})")
            }
        };
        self.images[source].is_read = true;
        let texts: Vec<String> = indices.into_iter().map(|index| index.text).collect();
        let subscript = format!("[{}]{mode} : {ty}", texts.join(", "));
        let name = self.fresh();
        let load = Line::Load { name: name.clone(), op, image: source, subscript };
        if divides || !self.choices.chance(3) {
            body.push(load);
            return Value { name, ty: element };
        }
        // Where the first coordinate is odd, so that neighbouring threads take different ways.
        let integer = self.fresh();
        body.push(Line::Text(format!("{integer} = arith.index_cast %x : index to i32")));
        let bit = self.add(body, &format!("arith.trunci {integer} : i32 to i1"), I8);
        let value = self.fresh();
        body.push(Line::Text(format!("{value} = scf.if {} -> ({}) {{", bit.name, element.name())));
        body.push(load);
        body.push(Line::Text(format!("scf.yield {name} : {}", element.name())));
        body.push(Line::Text("} else {".to_owned()));
        let other = self.number(body, 0.375, element);
        body.push(Line::Text(format!("scf.yield {} : {}", other.name, element.name())));
        body.push(Line::Text("}".to_owned()));
        Value { name: value, ty: element }
    }

    // ---- Values -----------------------------------------------------------------------------------------------------

    /// A coordinate as a number.
    fn coordinate(&mut self, body: &mut Vec<Line>, coordinates: &[&str]) -> Value {
        let coordinate = self.choices.pick(coordinates);
        let ty = self.choices.pick(&[I32, I64, I16]);
        let integer = self.add(body, &format!("arith.index_cast %{coordinate} : index to {}", ty.name()), ty);
        if !self.types[0].is_float() {
            return integer;
        }
        let to = self.types[0];
        let float = self.add(body, &format!("arith.sitofp {} : {} to {}", integer.name, ty.name(), to.name()), to);
        let small = self.number(body, 0.0078125, to);
        self.binary(body, "mulf", &float, &small)
    }

    /// The value of a stage, of what it has read.
    fn combine(&mut self, body: &mut Vec<Line>, values: &[Value], ty: Type, coordinates: &[&str]) -> Value {
        let values: Vec<Value> = values.iter().map(|value| self.convert(body, value, ty)).collect();
        // f16 overflows soon.
        let is_sum = self.choices.chance(75) || ty == F16;
        let mut total = values[0].clone();
        if values.len() > 1 && is_sum && ty.is_float() {
            // Different weights: taps that change places show.
            let share = 1.0 / values.len() as f64;
            let weight = self.number(body, share, ty);
            total = self.binary(body, "mulf", &total, &weight);
            for (number, value) in values.iter().enumerate().skip(1) {
                let weight = self.number(body, share * (1.0 + number as f64 / 16.0), ty);
                let part = self.binary(body, "mulf", value, &weight);
                total = self.binary(body, "addf", &total, &part);
            }
        } else {
            for value in &values[1..] {
                total = self.join(body, &total, value);
            }
        }
        if self.choices.chance(25) {
            total = self.polish(body, &total, coordinates);
        }
        total
    }

    /// One op on two values.
    fn join(&mut self, body: &mut Vec<Line>, a: &Value, b: &Value) -> Value {
        let floats = ["addf", "subf", "subf", "addf", "mulf", "maximumf", "minimumf"];
        let integers = ["addi", "subi", "xori", "addi", "subi", "muli", "andi", "maxsi", "minui", "minsi", "maxui"];
        let branch = self.choices.chance(12);
        if !branch {
            let op = if a.ty.is_float() { self.choices.pick(&floats) } else { self.choices.pick(&integers) };
            return self.binary(body, op, a, b);
        }
        let compare = if a.ty.is_float() {
            self.choices.pick(&["cmpf olt", "cmpf ule", "cmpf ugt"])
        } else {
            self.choices.pick(&["cmpi slt", "cmpi ugt"])
        };
        let ty = a.ty.name();
        let condition = self.add(body, &format!("arith.{compare}, {}, {} : {ty}", a.name, b.name), a.ty);
        if self.choices.below(2) == 0 {
            return self.add(body, &format!("arith.select {}, {}, {} : {ty}", condition.name, a.name, b.name), a.ty);
        }
        let name = self.fresh();
        body.push(Line::Text(format!("{name} = scf.if {} -> ({ty}) {{", condition.name)));
        let sum = self.binary(body, if a.ty.is_float() { "addf" } else { "addi" }, a, b);
        body.push(Line::Text(format!("scf.yield {} : {ty}", sum.name)));
        body.push(Line::Text("} else {".to_owned()));
        body.push(Line::Text(format!("scf.yield {} : {ty}", b.name)));
        body.push(Line::Text("}".to_owned()));
        Value { name, ty: a.ty }
    }

    /// One op on one value.
    fn polish(&mut self, body: &mut Vec<Line>, value: &Value, coordinates: &[&str]) -> Value {
        let ty = value.ty;
        if !ty.is_float() {
            let three = self.number(body, 3.0, ty);
            let op =
                self.choices.pick(&["addi", "muli", "remui", "shli", "shrsi", "shrui", "floordivsi", "divui", "andi"]);
            return self.binary(body, op, value, &three);
        }
        match self.choices.below(7) {
            0 => {
                let half = self.number(body, 0.5, ty);
                self.binary(body, "addf", value, &half)
            }
            1 => {
                let three = self.number(body, 3.0, ty);
                self.binary(body, "divf", value, &three)
            }
            2 => {
                let at = self.coordinate(body, coordinates);
                let at = self.convert(body, &at, ty);
                self.binary(body, "addf", value, &at)
            }
            3 => {
                // Of a zero of either sign it may give either: with another number it is exact.
                let half = self.number(body, 0.5, ty);
                let op = self.choices.pick(&["minnumf", "maxnumf"]);
                self.binary(body, op, value, &half)
            }
            4 if ty != F16 => {
                let op = self.choices.pick(&["sqrt", "floor", "ceil"]);
                let large = self.number(body, 1024.0, ty);
                let large = self.binary(body, "mulf", value, &large);
                let size = self.add(body, &format!("math.absf {} : {}", large.name, ty.name()), ty);
                let value = self.add(body, &format!("math.{op} {} : {}", size.name, ty.name()), ty);
                let small = self.number(body, 0.0009765625, ty);
                self.binary(body, "mulf", &value, &small)
            }
            5 => self.function(body, value),
            _ => self.add(body, &format!("arith.negf {} : {}", value.name, ty.name()), ty),
        }
    }

    /// A function of `--expand-math`, of a value that is brought to where the function is neither infinite nor constant.
    fn function(&mut self, body: &mut Vec<Line>, value: &Value) -> Value {
        let ty = value.ty;
        let name = ty.name();
        let any = ["tanh", "atan", "sin", "cos", "tan", "cbrt"];
        let negative = ["exp", "exp2", "expm1"];
        let positive = ["log", "log2", "log10", "log1p", "rsqrt", "powf", "atan2"];
        let at_most_one = ["asin", "acos", "sinh", "cosh"];
        let op = self.choices.pick(&[&any[..], &negative, &positive, &at_most_one].concat());
        if any.contains(&op) {
            return self.add(body, &format!("math.{op} {} : {name}", value.name), ty);
        }
        let size = self.add(body, &format!("math.absf {} : {name}", value.name), ty);
        let half = self.number(body, 0.5, ty);
        let argument = if negative.contains(&op) {
            self.add(body, &format!("arith.negf {} : {name}", size.name), ty)
        } else if positive.contains(&op) {
            self.binary(body, "addf", &size, &half)
        } else {
            let one = self.number(body, 1.0, ty);
            self.binary(body, "minimumf", &size, &one)
        };
        let second = match op {
            "powf" => format!(", {}", half.name),
            "atan2" => format!(", {}", value.name),
            _ => String::new(),
        };
        self.add(body, &format!("math.{op} {}{second} : {name}", argument.name), ty)
    }

    /// The value in another type, scaled such that something of it is left.
    fn convert(&mut self, body: &mut Vec<Line>, value: &Value, to: Type) -> Value {
        let from = value.ty;
        if from == to {
            return value.clone();
        }
        let is_wider = to.bits() > from.bits();
        let cast =
            |op: &str, value: &Value| format!("arith.{op} {} : {} to {}", value.name, value.ty.name(), to.name());
        match (from.is_float(), to.is_float()) {
            (true, true) => self.add(body, &cast(if is_wider { "extf" } else { "truncf" }, value), to),
            (true, false) => {
                // Values are about 1.
                let scale = self.number(body, if to == I8 { 50.0 } else { 5000.0 }, from);
                let large = self.binary(body, "mulf", value, &scale);
                let op = self.choices.weighted(&[(85, "fptosi"), (15, "fptoui")]);
                self.add(body, &cast(op, &large), to)
            }
            (false, true) => {
                let op = self.choices.weighted(&[(70, "sitofp"), (30, "uitofp")]);
                let float = self.add(body, &cast(op, value), to);
                // f16 ends at 65504: of wider integers much is infinite there.
                let small = self.number(body, 0.5f64.powi(from.bits().min(24) as i32 - 1), to);
                self.binary(body, "mulf", &float, &small)
            }
            (false, false) => {
                let op = match is_wider {
                    true => self.choices.pick(&["extsi", "extui"]),
                    false => "trunci",
                };
                self.add(body, &cast(op, value), to)
            }
        }
    }

    // ---- The text ---------------------------------------------------------------------------------------------------

    fn finish(mut self) -> Case {
        let results = self.results();
        let live_outs: Vec<Vec<usize>> = (0..self.groups).map(|group| self.live_outs(group, &results)).collect();
        let schedules: Vec<String> = live_outs.iter().map(|live_outs| self.schedule(live_outs)).collect();

        let mut text = String::new();
        let types =
            |images: &[usize]| images.iter().map(|image| self.images[*image].ty()).collect::<Vec<_>>().join(", ");
        let arguments: Vec<String> =
            self.images[..self.inputs.len()].iter().map(|image| format!("%{}: {}", image.name, image.ty())).collect();
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
        if ranks.iter().all(|other| *other == rank) {
            if c.chance(70) {
                let wide = c.chance(75);
                let x = if wide { c.pick(&[32, 64, 96, 128, 256]) } else { c.pick(&[4, 8, 16, 24]) };
                let y = c.pick(&[4, 1, 2, 3, 5, 8, 16]);
                entries.push(format!("tile = {}", list(&[1, y, x])));
            }
            if c.chance(60) {
                let block =
                    c.pick(&[[1, 4, 32], [1, 1, 32], [1, 8, 32], [1, 8, 16], [1, 2, 64], [1, 1, 128], [1, 16, 16]]);
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
        if c.chance(20) {
            entries.push(format!("overlap = \"{}\"", c.pick(&["scalene", "right-rectangle"])));
        }
        if entries.is_empty() { String::new() } else { format!(" schedule {{{}}}", entries.join(", ")) }
    }
}

/// A number as MLIR has it; of an integer type its whole part.
fn number_text(number: f64, ty: Type) -> String {
    if ty.is_float() { format!("{number:?}") } else { format!("{}", number as i64) }
}

/// ` + 3`, ` - 3`, nothing.
fn plus(text: &str, offset: i64) -> String {
    match offset {
        0 => text.to_owned(),
        offset if offset < 0 => format!("{text} - {}", -offset),
        offset => format!("{text} + {offset}"),
    }
}
