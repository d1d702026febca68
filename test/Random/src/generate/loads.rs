//! What stages read, and where.

use super::{
    data::{Extent, F32, I8, I16, I32, Index, Line, Mode, Value, number_text},
    program::{Program, Size},
};

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
    Permuted,
    Place,
    Nothing,
    Gather,
    Window,
    Rectangle,
    Products,
    Ratio,
}

impl Program<'_> {
    pub(super) fn mode(&mut self) -> Mode {
        self.choices.weighted(&[
            (20, Mode::None),
            (28, Mode::Clamp),
            (12, Mode::Mirror),
            (12, Mode::Reflect101),
            (14, Mode::Wrap),
            (14, Mode::Constant),
        ])
    }

    /// Whether much may be read that hides mistakes of other loads: not in programs of the usual size.
    pub(super) fn hides(&self) -> bool {
        matches!(self.size, Size::Tiny | Size::Small)
    }

    /// What a stage reads of its main source.
    pub(super) fn reads(
        &mut self,
        body: &mut Vec<Line>,
        source: usize,
        extents: &[Extent],
        coordinates: &[&str],
    ) -> Vec<Value> {
        use Pattern::*;
        let products = match self.images[source].element {
            _ if self.size == Size::Large => 0,
            _ if self.size == Size::Tiny => 8,
            I8 | I16 => 50,
            _ => 24,
        };
        let mut pattern = self.choices.weighted(&[
            (14, Point),
            (22, AlongX),
            (18, AlongY),
            (12, Box),
            (10, OneSided),
            (5, Far),
            (4, Leading),
            (5, Strange),
            (3, Permuted),
            (4, Place),
            (3, Nothing),
            (4, Gather),
            // Estimates are fitted to programs on large images.
            (if self.size == Size::Large { 5 } else { 8 }, Window),
            (if self.size == Size::Large { 0 } else { 8 }, Rectangle),
            (products, Products),
            (if self.hides() { 6 } else { 0 }, Ratio),
        ]);
        let rank = extents.len();
        let leading = self.images[source].extents.len() > rank;
        if leading && !matches!(pattern, Nothing | Place | Gather | Window | Rectangle | Products | Ratio) {
            pattern = Leading;
        }
        let mode = self.mode();
        // At times each load has a mode of its own.
        let is_mixed = self.choices.chance(25);
        let taps = match pattern {
            Point | Leading | Strange | Permuted | Place | Gather | Window | Rectangle | Products | Ratio => {
                vec![vec![]]
            }
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
        let most = self.size.values();
        let mut values = Vec::new();
        for tap in taps.into_iter().take(most) {
            let mark = self.choices.mark();
            let at = self.moved(tap, rank);
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
                Permuted => {
                    let indices = self.permuted(source, extents, coordinates);
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
                Rectangle => values.push(self.rectangle(body, source, extents, coordinates, mode)),
                Products => values.push(self.products(body, source, extents, coordinates, mode)),
                Ratio => values.extend(self.ratio(body, source, extents, coordinates, mode)),
                _ => values.push(self.load(body, source, extents, coordinates, &at, mode)),
            }
            self.choices.span_from(mark);
        }
        if self.choices.chance(if self.hides() { 30 } else { 10 }) {
            let mark = self.choices.mark();
            let seen = values.first().cloned();
            values.push(self.look_up(body, seen.as_ref(), extents, coordinates));
            self.choices.span_from(mark);
        }
        let bytes: Vec<usize> = self.visible().into_iter().filter(|image| self.images[*image].element == I8).collect();
        if !bytes.is_empty() && self.hides() && self.choices.chance(50) {
            let mark = self.choices.mark();
            let from = self.choices.pick(&bytes);
            let byte = self.load(body, from, extents, coordinates, &vec![0; rank], Mode::Clamp);
            values.push(self.function_of_byte(body, &byte, extents, coordinates));
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
        let of_coordinates = !coordinates.is_empty() && self.size != Size::Large;
        let name = match self.choices.weighted(&[(50, 0), (25, 1), (25, 2)]) {
            1 if of_coordinates => self.backwards(body, source, extents, coordinates),
            2 if of_coordinates => self.resampled(body, coordinates),
            _ => {
                let from = self.choices.pick(&self.visible());
                let value = self.load(body, from, extents, coordinates, &at, Mode::Clamp);
                let number = self.convert(body, &value, I32);
                let most = self.choices.pick(&[3, 7, 40]);
                let most = self.add(body, &format!("arith.constant {most} : i32"), I32);
                let number = self.binary(body, "remsi", &number, &most);
                let name = self.fresh();
                body.push(Line::Text(format!("{name} = arith.index_cast {} : i32 to index", number.name)));
                name
            }
        };
        let mut indices = self.indices(source, extents, coordinates, &at, None);
        let rank = indices.len();
        let which = self.choices.below(rank + 1);
        for (dimension, index) in indices.iter_mut().enumerate() {
            // One of them, or all.
            if which == dimension || which == rank {
                *index = Index { text: name.clone(), range: None };
            }
        }
        let mode = if mode == Mode::None { Mode::Clamp } else { mode };
        let channels = self.images[source].extents.last().map_or(0, |extent| extent.value);
        if (2..=4).contains(&channels) && rank > 1 && self.choices.chance(50) {
            // All of a pixel.
            let mut total: Option<Value> = None;
            for channel in 0..channels {
                if let Some(last) = indices.last_mut() {
                    *last = Index { text: channel.to_string(), range: Some((channel, channel)) };
                }
                let own = self.read_at(body, "gather", source, indices.clone(), mode);
                let op = if own.ty.is_float() { "maximumf" } else { "addi" };
                total = Some(match total {
                    Some(total) => self.binary(body, op, &total, &own),
                    None => own,
                });
            }
            return total.expect("two channels at least");
        }
        self.read_at(body, "gather", source, indices, mode)
    }

    /// A coordinate counted from the end of the stage or of what it reads, or from beside it.
    fn backwards(&mut self, body: &mut Vec<Line>, source: usize, extents: &[Extent], coordinates: &[&str]) -> String {
        let d = self.choices.below(coordinates.len());
        let of_source = self.images[source].extents.clone();
        let extent = match extents.get(d).filter(|_| of_source.is_empty() || self.choices.chance(60)) {
            Some(own) => own.clone(),
            None => self.choices.pick(&of_source),
        };
        let less = self.choices.pick(&[1, 1, 1, 1, 0, 2, -3]);
        let from = match extent.name {
            Some(name) => {
                let less = self.index_constant(less);
                self.define(&format!("arith.subi {name}, {less} : index"))
            }
            None => self.index_constant(extent.value - less),
        };
        let name = self.fresh();
        body.push(Line::Text(format!("{name} = arith.subi {from}, %{} : index", coordinates[d])));
        name
    }

    /// A coordinate as images are resized by: a multiple of it, rounded down.
    fn resampled(&mut self, body: &mut Vec<Line>, coordinates: &[&str]) -> String {
        let coordinate = self.choices.pick(coordinates);
        let scale = self.choices.pick(&["0.75", "1.5", "0.3125", "2.5", "-1.25", "9.0"]);
        let start = self.choices.pick(&["0.0", "-0.5", "3.25", "60.0"]);
        let mut add = |program: &mut Self, op: String, ty| program.add(body, &op, ty).name;
        let number = add(self, format!("arith.index_cast %{coordinate} : index to i32"), I32);
        let number = add(self, format!("arith.sitofp {number} : i32 to f32"), F32);
        let scale = add(self, format!("arith.constant {scale} : f32"), F32);
        let start = add(self, format!("arith.constant {start} : f32"), F32);
        let number = add(self, format!("arith.mulf {number}, {scale} : f32"), F32);
        let number = add(self, format!("arith.addf {number}, {start} : f32"), F32);
        let number = add(self, format!("math.floor {number} : f32"), F32);
        let number = add(self, format!("arith.fptosi {number} : f32 to i32"), I32);
        let name = self.fresh();
        body.push(Line::Text(format!("{name} = arith.index_cast {number} : i32 to index")));
        name
    }

    /// Two neighbours along a row of another size, and perhaps where between them a point lies.
    fn ratio(
        &mut self,
        body: &mut Vec<Line>,
        source: usize,
        extents: &[Extent],
        coordinates: &[&str],
        mode: Mode,
    ) -> Vec<Value> {
        let (Some(x), Some(extent)) = (coordinates.last(), extents.last()) else { return Vec::new() };
        let factor = self.choices.pick(&[1, 2, 4, 1, 2, 3, 6, 8]);
        let divisor = self.choices.pick(&[3, 3, 6, 2, 4, 6, 5, 8]);
        let start = self.choices.between(-4, 4);
        let at = |x: i64| (x * factor + start).div_euclid(divisor);
        let mode = if mode == Mode::None { Mode::Clamp } else { mode };
        let mut values = Vec::new();
        for tap in [0, 1] {
            let mut indices = self.indices(source, extents, coordinates, &vec![0; extents.len()], None);
            if let Some(last) = indices.last_mut() {
                let text = format!("(%{x} * {factor} + {start}) floordiv {divisor} + {tap}");
                *last = Index { text, range: Some((at(0) + tap, at(extent.value - 1) + tap)) };
            }
            values.push(self.load_at(body, source, indices, mode));
        }
        if self.choices.chance(50) {
            let numbers = [factor, start, divisor].map(|number| self.index_constant(number));
            let mut op = |name: &str, left: &str, right: &str| {
                let result = self.fresh();
                body.push(Line::Text(format!("{result} = arith.{name} {left}, {right} : index")));
                result
            };
            let product = op("muli", &format!("%{x}"), &numbers[0]);
            let sum = op("addi", &product, &numbers[1]);
            let quotient = op("floordivsi", &sum, &numbers[2]);
            let before = op("muli", &quotient, &numbers[2]);
            let rest = op("subi", &sum, &before);
            values.push(self.add(body, &format!("arith.index_cast {rest} : index to i32"), I32));
        }
        values
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
        // Along rows of which each column has its own: products with a transposed matrix, statistics of channels.
        let is_across = rank > 1 && self.size != Size::Large && self.choices.chance(35);
        let along = match () {
            () if self.is_volume && rank == 3 && !is_across && self.choices.chance(50) => 3,
            () if rank > 1 && !is_across && self.choices.chance(60) => 2,
            () => 1,
        };
        // Windows that lie apart, side by side or not.
        let is_apart = along == 2 && !is_across && self.choices.chance(50);
        // Nothing but the points themselves, and many of them: what neighbours share.
        let is_plain = self.size != Size::Large && self.choices.chance(if is_apart { 70 } else { 30 });
        let row = self.images[source].extents.last().map_or(1, |extent| extent.value.max(1));
        let sizes: Vec<i64> = (0..along)
            .map(|_| match (is_plain, along) {
                _ if is_apart => self.choices.pick(&[4, 5, 8]),
                _ if is_across => self.choices.pick(&[row, row.min(21), row.min(16), row.min(5), 9]),
                (true, 3) => self.choices.pick(&[3, 2, 5]),
                (false, 3) => self.choices.pick(&[2, 3, 1]),
                (true, 2) => self.choices.pick(&[7, 5, 13]),
                (true, _) => self.choices.pick(&[13, 16, 40]),
                (false, 2) => self.choices.pick(&[2, 3, 1, 5, 7]),
                (false, _) => self.choices.pick(&[3, 2, 1, 9, 40]),
            })
            .collect();
        let start = |program: &mut Self, size: i64| match is_across {
            true => program.choices.pick(&[0, 0, 0, 1, -2]),
            false => program.choices.between(-size, 1),
        };
        let starts: Vec<i64> = sizes.iter().map(|size| start(self, *size)).collect();
        let points: i64 = sizes.iter().product();
        let all: i64 = extents.iter().map(|extent| extent.value).product();
        self.work += if self.size == Size::Large { 0 } else { all * points };
        let step = if is_plain || is_across || is_apart { 1 } else { self.choices.pick(&[1, 1, 2]) };
        let apart = if is_apart { self.choices.pick(&[2, 4, sizes[1]]) } else { 1 };
        let variables: Vec<String> = (0..along).map(|_| self.fresh()).collect();

        let element = self.images[source].element;
        // Of small integers sums of products, whose weights are a table along the last dimension.
        let is_wide = !is_plain && self.size != Size::Large && matches!(element, I8 | I16) && self.choices.chance(70);
        let ty = if is_wide { I32 } else { element };
        let zero = self.number(body, 0.0, ty);
        let weight = self.number(body, if ty.is_float() { 1.0 / points as f64 } else { 3.0 }, ty);
        let is_pair = !is_plain && self.choices.chance(30);
        let plain = match (ty.is_float(), self.choices.below(3)) {
            (true, _) => self.choices.pick(&["maximumf", "minimumf"]),
            (false, 0) => self.choices.pick(&["maxsi", "minsi", "maxui", "minui"]),
            (false, _) => "addi",
        };
        let first =
            if is_pair { Some(self.load(body, source, extents, coordinates, &vec![0; rank], mode)) } else { None };
        let (sum, most, result) = (self.fresh(), self.fresh(), self.fresh());
        let intervals: Vec<String> =
            starts.iter().zip(&sizes).map(|(start, size)| format!("[{start}, {})", start + size)).collect();
        let mut carried = vec![format!("{sum} = {} : {}", zero.name, ty.name())];
        carried.extend(first.iter().map(|first| format!("{most} = {} : {}", first.name, element.name())));
        let several = if is_pair { ":2" } else { "" };
        body.push(Line::Text(format!(
            "{result}{several} = pipeline.reduce ({}) in {} ({}) {{",
            variables.join(", "),
            intervals.join(" x "),
            carried.join(", ")
        )));
        let mut indices = self.indices(source, extents, coordinates, &vec![0; rank], None);
        let count = indices.len();
        if let ([.., below, last], true) = (&mut indices[..], is_across) {
            let column = extents[rank - 1].value - 1;
            *below = Index { text: format!("%{}", coordinates[rank - 1]), range: Some((0, column)) };
            *last = Index { text: "0".to_owned(), range: Some((0, 0)) };
        }
        for ((variable, start), (back, size)) in variables.iter().zip(&starts).zip(sizes.iter().enumerate()) {
            // The last variable goes along the last dimension.
            let Some(dimension) = (count + back).checked_sub(along) else { continue };
            let index = &mut indices[dimension];
            if apart > 1 {
                index.text = format!("({}) * {apart}", index.text);
                index.range = index.range.map(|(lo, hi)| (lo * apart, hi * apart));
            }
            let times = if step == 1 { String::new() } else { format!(" * {step}") };
            index.text = format!("{} + {variable}{times}", index.text);
            index.range = index.range.map(|(lo, hi)| (lo + start * step, hi + (start + size - 1) * step));
        }
        let read = match self.choices.chance(12) {
            true => self.gather(body, source, extents, coordinates, mode),
            false => self.load_at(body, source, indices, mode),
        };
        let op = if ty.is_float() { "mulf" } else { "muli" };
        let part = if is_plain {
            read.clone()
        } else if is_wide {
            let (size, start) = (sizes[along - 1], starts[along - 1]);
            let place = plus(&variables[along - 1], -start);
            let [pixel, weight] = self.pixel_and_weight(body, &read, size, &place);
            self.binary(body, op, &pixel, &weight)
        } else {
            self.binary(body, op, &read, &weight)
        };
        let join = match (is_plain, ty.is_float()) {
            (true, _) => plain,
            (false, true) => "addf",
            (false, false) => "addi",
        };
        let next = self.binary(body, join, &Value { name: sum, ty }, &part);
        let mut yielded = vec![next];
        if is_pair {
            let op = if ty.is_float() { "maximumf" } else { "maxsi" };
            yielded.push(self.binary(body, op, &Value { name: most, ty: element }, &read));
        }
        let names: Vec<&str> = yielded.iter().map(|value| value.name.as_str()).collect();
        let types = yielded.iter().map(|value| value.ty.name()).collect::<Vec<_>>().join(", ");
        body.push(Line::Text(format!("pipeline.yield {} : {types}", names.join(", "))));
        body.push(Line::Text(format!("}} : {types}")));
        match is_pair {
            true => {
                (0..).zip(yielded).map(|(n, Value { ty, .. })| Value { name: format!("{result}#{n}"), ty }).collect()
            }
            false => vec![Value { name: result, ty }],
        }
    }

    /// A window that is written out: its extreme, or of integers a sum whose weights are a column times a row, or nearly so.
    fn rectangle(
        &mut self,
        body: &mut Vec<Line>,
        source: usize,
        extents: &[Extent],
        coordinates: &[&str],
        mode: Mode,
    ) -> Value {
        let rank = extents.len();
        let element = self.images[source].element;
        let is_sum = !element.is_float() && self.choices.chance(65);
        let is_wide = is_sum && element.bits() < 32 && self.choices.chance(50);
        let extension = self.choices.pick(&["extsi", "extui"]);
        let ty = if is_wide { I32 } else { element };
        let op = match (is_sum, element.is_float()) {
            (true, _) => "addi",
            (false, true) => self.choices.pick(&["maximumf", "minimumf"]),
            (false, false) => self.choices.pick(&["maxsi", "minsi", "maxui", "minui"]),
        };
        let sizes = [0, 1].map(|_| self.choices.between(2, 4));
        let starts = sizes.map(|size| self.choices.between(-size, 1));
        let step = self.choices.pick(&[1, 1, 2]);
        let weights = sizes.map(|size| (0..size).map(|_| self.choices.pick(&[1, 2, 3, -1, 5])).collect::<Vec<_>>());
        let odd = if self.choices.chance(20) { Some(self.choices.below(4)) } else { None };
        let mut total: Option<Value> = None;
        // Of a volume a box of two planes at times, or rows of each plane as rows.
        let (planes, outer) = match self.is_volume && rank == 3 {
            true => self.choices.pick(&[(1, 1), (1, 0), (2, 1)]),
            false => (1, rank.saturating_sub(2)),
        };
        let rows = (0..planes).flat_map(|plane| (0..sizes[0]).map(move |row| (plane, row)));
        let points = rows.flat_map(|(plane, row)| (0..sizes[1]).map(move |column| (plane, row, column)));
        for (place, (plane, row, column)) in points.enumerate() {
            // Of a program of one dimension both go along it.
            let mut at = vec![0; rank];
            at[rank - 1] += starts[1] + column * step;
            at[outer] += starts[0] + row;
            at[0] += plane;
            let indices = self.indices(source, extents, coordinates, &at, Some(0));
            let mut term = self.load_at(body, source, indices, mode);
            if is_wide {
                let text = format!("arith.{extension} {} : {} to {}", term.name, element.name(), ty.name());
                term = self.add(body, &text, ty);
            }
            let weight = weights[0][row as usize] * weights[1][column as usize] + i64::from(odd == Some(place));
            if is_sum && weight != 1 {
                let weight = self.number(body, weight as f64, ty);
                term = self.binary(body, "muli", &term, &weight);
            }
            total = Some(match total {
                Some(total) => self.binary(body, op, &total, &term),
                None => term,
            });
        }
        total.expect("two rows at least")
    }

    /// Where a tap, which is said from x outwards, reads: of pixels in its own channel, of volumes in other planes at times.
    fn moved(&mut self, tap: Vec<i64>, rank: usize) -> Vec<i64> {
        let of_channel = self.has_pixels.then_some(0);
        let mut at: Vec<i64> = of_channel.into_iter().chain(tap).chain([0, 0, 0]).take(rank).collect();
        at.reverse();
        if let ([plane, row, _], true) = (&mut at[..], self.is_volume) {
            match self.choices.below(3) {
                0 => {}
                1 => std::mem::swap(plane, row),
                _ => *plane = self.choices.between(-2, 2),
            }
        }
        at
    }

    /// Taps along x (0) or y (1): of a symmetric or lopsided stencil.
    fn line(&mut self, axis: usize) -> Vec<Vec<i64>> {
        let (left, right) = (self.choices.between(0, 3), self.choices.between(0, 3));
        let step = self.choices.pick(&[1, 1, 1, 2]);
        (-left..=right).map(|offset| [vec![0; axis], vec![offset * step]].concat()).collect()
    }

    pub(super) fn load(
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

    /// The coordinates as they are, in any order: transposed, a diagonal, one row for all, one column for all.
    fn permuted(&mut self, source: usize, extents: &[Extent], coordinates: &[&str]) -> Vec<Index> {
        let place = self.place(source);
        let mut index = |place: Index| match self.choices.below(4) {
            0 => place,
            _ => {
                let d = self.choices.below(coordinates.len());
                Index { text: format!("%{}", coordinates[d]), range: Some((0, extents[d].value - 1)) }
            }
        };
        place.into_iter().map(&mut index).collect()
    }

    /// One place, whatever the point is.
    pub(super) fn place(&mut self, source: usize) -> Vec<Index> {
        let sizes: Vec<i64> = self.images[source].extents.iter().map(|extent| extent.value).collect();
        sizes
            .into_iter()
            .map(|size| {
                let place = self.choices.between(0, size - 1);
                Index { text: place.to_string(), range: Some((place, place)) }
            })
            .collect()
    }

    /// A load, at times in a branch. Without a mode only where the compiler can see, or check at entry, that it stays inside; and seldom where
    /// that check fails, so that the program is refused.
    pub(super) fn load_at(&mut self, body: &mut Vec<Line>, source: usize, indices: Vec<Index>, mode: Mode) -> Value {
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
        let all = |is_right: fn(i64, &Extent) -> bool| {
            let mut each = indices.iter().zip(&image.extents);
            each.all(|(index, extent)| index.range.is_some_and(|(lo, hi)| lo >= 0 && is_right(hi, extent)))
        };
        let is_inside = all(|hi, extent| hi < extent.value);
        let is_open = all(|hi, extent| hi < extent.value || extent.name.is_some());
        let (ty, element) = (image.ty(), image.element);
        // A division by a dynamic extent in a branch: LLVM 22's loop vectoriser makes of it a masked load from a poison address where the first
        // lane does not take the branch, and a crash on the CPU.
        let divides = matches!(mode, Mode::Mirror | Mode::Reflect101 | Mode::Wrap)
            && image.extents.iter().any(|extent| extent.name.is_some());
        let mode = match mode {
            Mode::None if is_inside || (is_open && self.choices.chance(8)) => String::new(),
            Mode::None | Mode::Clamp => " clamp".to_owned(),
            Mode::Mirror => " mirror".to_owned(),
            Mode::Reflect101 => " reflect101".to_owned(),
            Mode::Wrap => " wrap".to_owned(),
            Mode::Constant => {
                let number = self.choices.pick(&[0.0, 0.625, -3.0]);
                let padding =
                    self.define(&format!("arith.constant {} : {}", number_text(number, element), element.name()));
                format!(" constant({padding})")
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
}

/// ` + 3`, ` - 3`, nothing.
fn plus(text: &str, offset: i64) -> String {
    match offset {
        0 => text.to_owned(),
        offset if offset < 0 => format!("{text} - {}", -offset),
        offset => format!("{text} + {offset}"),
    }
}
