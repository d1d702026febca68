//! Random scans and scatters: bodies like a stage's, and what is their own.
//!
//! ```text
//! scan "s1" (%y, %x) along 1 backward         a stage's loads, then values before, at weights that sums survive
//! scatter "s2" () over (%y, %x)               a stage's body over its domain, its value taken apart to a bin
//! scatter "s3" (%gy, %gx) over (%y, %x)       a block of points of an image for each point
//! ```
//!
//! They are in no group, so a group ends before them and another begins behind.

use super::{
    data::{Extent, I8, I16, I32, I64, Image, Index, Line, Mode, Stage, Type, Unit, Value, number_text},
    program::Program,
};

impl Program<'_> {
    /// A scan or a scatter.
    pub(super) fn unit(&mut self) {
        match self.choices.weighted(&[(50, 0), (25, 1), (25, 2)]) {
            0 => self.scan(),
            1 => self.histogram(),
            _ => self.grid(),
        }
    }

    /// Begins another group if the last stage was in none but should have been.
    pub(super) fn leave_unit(&mut self) {
        if self.stages.last().is_some_and(|stage| !matches!(stage.unit, Unit::Stage)) {
            self.begin_group();
        }
    }

    /// Adds a unit whose results are these values, and its images.
    pub(super) fn push(
        &mut self,
        coordinates: Vec<&'static str>,
        body: Vec<Line>,
        results: Vec<Value>,
        extents: &[Extent],
        unit: Unit,
    ) {
        let name = format!("s{}", self.stages.len());
        let mut images = Vec::new();
        for (number, value) in results.iter().enumerate() {
            let name = if results.len() == 1 { name.clone() } else { format!("{name}{}", ["a", "b"][number]) };
            images.push(self.images.len());
            let extents = extents.to_vec();
            let within = self.within;
            self.images.push(Image { name, element: value.ty, extents, group: None, within, is_read: false });
        }
        let yielded = results.into_iter().map(|value| value.name).collect();
        self.stages.push(Stage { name, coordinates, body, yielded, images, group: None, within: self.within, unit });
    }

    fn scan(&mut self) {
        let source = self.source();
        let extents = self.extents(source);
        let rank = extents.len();
        let coordinates = ["c", "y", "x"][3 - rank..].to_vec();
        let mut body = Vec::new();
        let mut values = self.reads(&mut body, source, &extents, &coordinates);
        if values.is_empty() {
            values.push(self.coordinate(&mut body, &coordinates));
        }
        let points: i64 = extents.iter().map(|extent| extent.value).product();
        self.work += points * (3 + values.len() as i64);
        let element = if self.choices.chance(60) { values[0].ty } else { self.element() };
        let along = rank - 1 - self.choices.below(rank);
        let is_backward = self.choices.chance(50);
        let count = if self.choices.chance(15) { 2 } else { 1 };

        let mut total = self.combine(&mut body, &values, element, &coordinates);
        let begun = total.clone();
        loop {
            // Of all results the type is one, so that any may read any.
            let of = self.choices.below(count);
            let distance = self.choices.pick(&[1, 1, 2, 3, 5, 9]);
            let start = if self.choices.chance(50) { begun.clone() } else { self.number(&mut body, 0.75, element) };
            let text = format!("pipeline.previous {distance} of {of} or {} : {}", start.name, element.name());
            let before = self.add(&mut body, &text, element);
            total = if element.is_float() {
                let weight = self.number(&mut body, 0.4375, element);
                let part = self.binary(&mut body, "mulf", &before, &weight);
                self.binary(&mut body, "addf", &total, &part)
            } else {
                let op = self.choices.pick(&["addi", "subi", "xori", "maxsi", "minui"]);
                self.binary(&mut body, op, &total, &before)
            };
            if !self.choices.chance(30) {
                break;
            }
        }
        let results = if count == 2 { vec![total, begun] } else { vec![total] };
        self.push(coordinates, body, results, &extents, Unit::Scan { along, is_backward });
    }

    /// Without coordinates: a stage's body at every point of an image, and a place for each value.
    fn histogram(&mut self) {
        let source = self.source();
        let domain = self.images[source].extents.clone();
        let variables = ["c", "y", "x"][3 - domain.len()..].to_vec();
        let mut body = Vec::new();
        let mut values = self.reads(&mut body, source, &domain, &variables);
        if values.is_empty() {
            values.push(self.coordinate(&mut body, &variables));
        }
        let points: i64 = domain.iter().map(|extent| extent.value).product();
        self.work += points * (6 + values.len() as i64);
        // That of all points, or of those of a row, as sums of images and rows have.
        let place = match self.choices.weighted(&[(60, 0), (25, 1), (15, 2)]) {
            0 => self.bin(&mut body, &values[0]),
            1 => {
                let place = self.choices.pick(&[0, 0, 3, -1]);
                self.index_constant(place)
            }
            _ => format!("%{}", variables[0]),
        };
        let mut extents = vec![Extent::fixed(self.choices.between(1, 20))];
        let mut places = vec![place];
        if self.choices.chance(20) {
            // A variable is a place as good as any, and its extent may be dynamic.
            let dimension = self.choices.below(domain.len());
            extents.push(domain[dimension].clone());
            places.push(format!("%{}", variables[dimension]));
        }
        self.scatter(body, &values, (vec![], variables, &domain), &extents, places);
    }

    /// A block of points of an image for each point.
    fn grid(&mut self) {
        let source = self.source();
        let own = self.images[source].extents.clone();
        let rank = own.len().min(2);
        let own = own[own.len() - rank..].to_vec();
        let mut extents: Vec<Extent> =
            own.iter().map(|extent| self.arithmetic(extent, "ceildivsi", 2, (extent.value + 1) / 2)).collect();
        let coordinates = ["gy", "gx"][2 - rank..].to_vec();
        let variables = ["y", "x"][2 - rank..].to_vec();
        let domain: Vec<Extent> = (0..rank).map(|_| Extent::fixed(self.choices.between(2, 3))).collect();
        let (offset, mode) = (self.choices.between(0, 2), self.mode());
        let mut indices: Vec<Index> = coordinates
            .iter()
            .zip(&variables)
            .map(|(at, by)| Index { text: format!("%{at} * 2 + %{by} - {offset}"), range: None })
            .collect();
        while indices.len() < self.images[source].extents.len() {
            indices.insert(0, Index { text: "0".to_owned(), range: Some((0, 0)) });
        }
        let mode = if mode == Mode::None { Mode::Clamp } else { mode };
        let mut body = Vec::new();
        let values = vec![self.load_at(&mut body, source, indices, mode)];
        let points: i64 = own.iter().map(|extent| extent.value).product();
        self.work += points * 20;
        let mut places = Vec::new();
        if rank < 3 && self.choices.chance(75) {
            places.push(self.bin(&mut body, &values[0]));
            let count = self.choices.between(1, 20);
            extents.push(match self.choices.chance(15) {
                // As many as there are columns: known when the program runs.
                true if own[rank - 1].value <= 20 => own[rank - 1].clone(),
                _ => Extent::fixed(count),
            });
        }
        self.scatter(body, &values, (coordinates, variables, &domain), &extents, places);
    }

    /// A small number of a value, at times negative, as a place.
    fn bin(&mut self, body: &mut Vec<Line>, value: &Value) -> String {
        let number = self.convert(body, value, I32);
        let mask = self.number(body, 15.0, I32);
        let bin = self.binary(body, "andi", &number, &mask);
        let two = self.number(body, 2.0, I32);
        let bin = self.binary(body, "subi", &bin, &two);
        self.add(body, &format!("arith.index_cast {} : i32 to index", bin.name), I32).name
    }

    fn scatter(
        &mut self,
        mut body: Vec<Line>,
        values: &[Value],
        (coordinates, variables, domain): (Vec<&'static str>, Vec<&'static str>, &[Extent]),
        extents: &[Extent],
        places: Vec<String>,
    ) {
        let element = if self.choices.chance(50) { values[0].ty } else { self.choices.pick(&[I32, I8, I16, I64]) };
        let value = self.combine(&mut body, values, element, &variables);
        let mut results = vec![value];
        if self.choices.chance(15) {
            let again = self.convert(&mut body, &values[0], element);
            results.push(again);
        }
        let combine = match element.is_float() {
            true => self.choices.pick(&["addf", "maximumf", "minimumf", "mulf"]),
            false => self.choices.pick(&["addi", "xori", "maxsi", "minsi", "maxui", "minui", "andi", "ori", "muli"]),
        };
        let from: Vec<String> = results.iter().map(|result| self.start(result.ty)).collect();
        let types: Vec<&str> = results.iter().map(|result| result.ty.name()).collect();
        let from = format!("{} : {}", from.join(", "), types.join(", "));
        let end = |extent: &Extent| extent.name.clone().unwrap_or_else(|| extent.value.to_string());
        let domain: Vec<String> = domain.iter().map(|extent| format!("[0, {})", end(extent))).collect();
        let unit = Unit::Scatter { coordinates, domain: domain.join(" x "), from, combine, places };
        self.push(variables, body, results, extents, unit);
    }

    /// What a place begins with.
    fn start(&mut self, ty: Type) -> String {
        let number = self.choices.pick(&[0.0, 1.0, -3.0]);
        self.define(&format!("arith.constant {} : {}", number_text(number, ty), ty.name()))
    }
}
