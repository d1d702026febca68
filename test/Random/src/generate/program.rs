//! A program as it grows: what there is of it, and its lines.

use super::data::{Extent, F16, F32, F64, I8, I16, I32, I64, Image, Iterate, Line, Stage, Type, Value, number_text};
use crate::{check::Data, choices::Choices};

/// How large programs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// A stage or two that read little.
    Tiny,
    /// Few stages on few points: many of them in little time.
    Small,
    /// Most are short, some have a dozen stages.
    Usual,
    /// Images have an inside: some hundreds of rows and columns.
    Large,
}

impl Size {
    /// Points of an image, at most.
    pub(super) fn points(self) -> i64 {
        match self {
            Self::Tiny => 600,
            Self::Small => 2_000,
            Self::Usual => 12_000,
            Self::Large => 1 << 22,
        }
    }

    /// Stages of a program, at most.
    pub(super) fn stages(self) -> usize {
        match self {
            Self::Tiny => 2,
            Self::Small => 3,
            Self::Usual | Self::Large => 12,
        }
    }

    /// Values that a stage combines, at most.
    pub(super) fn values(self) -> usize {
        if self == Self::Tiny { 3 } else { 12 }
    }

    /// Points of a program's stages times what they read, at most.
    pub(super) fn work(self) -> i64 {
        match self {
            Self::Tiny => 10_000,
            Self::Small => 60_000,
            Self::Usual | Self::Large => 600_000,
        }
    }
}

/// Where the stages of a program are.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Grouping {
    /// In none: `--fuse` decides.
    None,
    /// In one, with a schedule.
    One,
    /// In several.
    Several,
}

/// What there is of a program, and the choices that make it.
pub(super) struct Program<'a> {
    pub choices: &'a mut Choices,
    /// The element types that it has, the usual one first.
    pub types: Vec<Type>,
    /// Whether extents of its inputs are dynamic.
    is_dynamic: bool,
    /// Whether neighbours are pixels, whose channels are innermost.
    pub has_pixels: bool,
    /// Whether its images have many planes, of which stages read several as they do of rows.
    pub is_volume: bool,
    pub size: Size,
    pub grouping: Grouping,
    pub groups: usize,
    pub head: Vec<String>,
    pub images: Vec<Image>,
    pub stages: Vec<Stage>,
    pub iterates: Vec<Iterate>,
    /// The iterate that stages are added to.
    pub within: Option<usize>,
    pub inputs: Vec<Data>,
    /// Arguments that are numbers, behind the images, and what they are.
    pub numbers: Vec<(Value, Data)>,
    /// In how many cases of a hundred another stage follows.
    pub more: usize,
    /// Whether it has what programs seldom have and hides mistakes: NaN, divisions by what may be 0, extents of 0.
    pub at_edges: bool,
    pub work: i64,
    pub count: usize,
}

impl<'a> Program<'a> {
    pub(super) fn new(choices: &'a mut Choices, size: Size) -> Self {
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
        // Most programs are short, and so cheap.
        let more = choices.weighted(&[(70, 45), (22, 75), (8, 90)]);
        let at_edges = choices.chance(25);
        let mut program = Self {
            choices,
            types,
            is_dynamic,
            has_pixels: false,
            is_volume: false,
            size,
            grouping,
            groups,
            head: Vec::new(),
            images: Vec::new(),
            stages: Vec::new(),
            iterates: Vec::new(),
            within: None,
            inputs: Vec::new(),
            numbers: Vec::new(),
            more,
            at_edges,
            work: 0,
            count: 0,
        };
        let shape = program.shape();
        program.has_pixels = matches!(shape[..], [_, _, 2..=4]) && program.choices.chance(60);
        program.is_volume =
            matches!(shape[..], [planes, _, columns] if planes > 4 && columns > 4) && !program.has_pixels;
        program.input(&shape);
        program.second_input(&shape);
        program
    }

    /// Extents of an image: tiny, a row, a column, smaller than a tile, larger than some tiles, primes, a row or column of thousands; a multiple
    /// of nothing.
    fn shape(&mut self) -> Vec<i64> {
        let c = &mut *self.choices;
        let sizes = [(14, 0), (2, 1), (5, 2), (5, 3), (38, 4), (18, 5), (18, 6), (5, 7), (2, 8)];
        let (height, width) = match c.weighted(&sizes) {
            0 => (c.between(1, 8), c.between(1, 8)),
            1 => (1, 1),
            2 => (1, c.between(1, 150)),
            3 => (c.between(1, 150), 1),
            4 => (c.between(5, 40), c.between(9, 100)),
            5 => (c.between(2, 20), c.between(90, 150)),
            6 => (c.between(60, 150), c.between(5, 40)),
            7 => (c.pick(&[2, 3, 7, 17, 31]), c.pick(&[2, 31, 61, 127, 257])),
            _ if c.chance(25) => (c.between(1000, 4100), c.between(1, 2)),
            _ => (c.between(1, 2), c.between(1000, 4100)),
        };
        let (height, width) = match self.size {
            Size::Tiny | Size::Small => (height.min(self.size.points() / width).max(1), width),
            Size::Usual => (height, width),
            Size::Large => (400 + 2 * height, 600 + 4 * width),
        };
        let most = self.size.points();
        match c.weighted(&[(57, 2), (10, 1), (13, 3), (12, 4), (8, 5)]) {
            1 if self.size == Size::Large => vec![16 * width],
            1 => vec![width],
            3 => vec![c.between(1, 4), height, (most / 4 / height).min(width).max(1)],
            5 => {
                let (planes, height) = (c.between(5, 24), height.min(20));
                vec![planes, height, (most / planes / height).min(width).max(1)]
            }
            // Channels innermost: pixels.
            4 => vec![height, (most / 4 / height).min(width).max(1), c.between(1, 4)],
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
        // Where it shows only at entry: an image of no point.
        if self.at_edges
            && self.size != Size::Large
            && self.choices.chance(8)
            && let Some(extent) = image.extents.iter_mut().find(|extent| extent.name.is_some())
        {
            extent.value = 0;
        }
        let seed = self.choices.below(1000) as u64;
        let special = self.at_edges && self.choices.chance(60);
        let shape = image.extents.iter().map(|extent| extent.value as usize).collect();
        self.inputs.push(Data { shape, seed, special, is_number: false });
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

    pub(super) fn element(&mut self) -> Type {
        self.choices.pick(&self.types)
    }

    pub(super) fn fresh(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    /// An op before the stages.
    pub(super) fn define(&mut self, text: &str) -> String {
        let name = self.fresh();
        self.head.push(format!("{name} = {text}"));
        name
    }

    pub(super) fn index_constant(&mut self, value: i64) -> String {
        self.define(&format!("arith.constant {value} : index"))
    }

    /// An op of a body.
    pub(super) fn add(&mut self, body: &mut Vec<Line>, text: &str, ty: Type) -> Value {
        let name = self.fresh();
        body.push(Line::Text(format!("{name} = {text}")));
        Value { name, ty }
    }

    pub(super) fn binary(&mut self, body: &mut Vec<Line>, op: &str, a: &Value, b: &Value) -> Value {
        self.add(body, &format!("arith.{op} {}, {} : {}", a.name, b.name, a.ty.name()), a.ty)
    }

    /// A number in a body; of an integer type its whole part.
    pub(super) fn number(&mut self, body: &mut Vec<Line>, number: f64, ty: Type) -> Value {
        let text = number_text(number, ty);
        self.add(body, &format!("arith.constant {text} : {}", ty.name()), ty)
    }
}
