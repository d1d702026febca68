//! Tables: constants that stages read at a place that is the same for all points, at coordinates, or where a value says; and what could be one,
//! functions of a byte.

use super::{
    data::{Extent, F32, I8, I16, I32, Line, Value, number_text},
    program::Program,
};

impl Program<'_> {
    /// A number of a new table of one or two dimensions.
    pub(super) fn look_up(
        &mut self,
        body: &mut Vec<Line>,
        seen: Option<&Value>,
        extents: &[Extent],
        coordinates: &[&str],
    ) -> Value {
        let hides = self.hides();
        if let Some(seen) = seen.filter(|_| self.choices.chance(if hides { 75 } else { 40 })) {
            return match !hides || self.choices.chance(45) {
                true => self.look_up_byte(body, seen, coordinates),
                false => self.look_up_beside(body, seen, coordinates),
            };
        }
        let element = self.element();
        let rank = self.choices.between(1, 2);
        let sizes: Vec<i64> = (0..rank).map(|_| self.choices.between(1, 9)).collect();
        let columns = sizes[sizes.len() - 1];
        let number = |place: i64| {
            let small = (place * 7 % 11) as f64 - 3.0;
            number_text(if element.is_float() { small / 8.0 } else { small }, element)
        };
        let row = |row: i64| {
            let numbers: Vec<String> = (0..columns).map(|column| number(row * columns + column)).collect();
            format!("[{}]", numbers.join(", "))
        };
        let rows: Vec<String> = (0..sizes.iter().product::<i64>() / columns).map(row).collect();
        let rows = if rank == 1 { rows.concat() } else { format!("[{}]", rows.join(", ")) };
        let shape: String = sizes.iter().map(|size| format!("{size}x")).collect();
        let ty = format!("tensor<{shape}{}>", element.name());
        let table = self.define(&format!("arith.constant dense<{rows}> : {ty}"));

        let (mut op, mut mode) = ("load", self.choices.pick(&["clamp", "mirror", "reflect101", "wrap", ""]));
        let mut indices = Vec::new();
        for size in sizes {
            let which = self.choices.below(coordinates.len());
            let coordinate = coordinates[which];
            indices.push(match (self.choices.below(4), seen) {
                (0, _) => self.choices.between(0, size - 1).to_string(),
                (1, Some(value)) => {
                    let number = self.convert(body, value, I32);
                    let index = self.fresh();
                    body.push(Line::Text(format!("{index} = arith.index_cast {} : i32 to index", number.name)));
                    (op, mode) = ("gather", if mode.is_empty() { "clamp" } else { mode });
                    index
                }
                (2, _) if extents[which].value <= size => format!("%{coordinate}"),
                (3, _) if !mode.is_empty() => format!("%{coordinate} * 2 - 3"),
                _ => format!("%{coordinate} mod {size}"),
            });
        }
        self.add(body, &format!("pipeline.{op} {table}[{}] {mode} : {ty}", indices.join(", ")), element)
    }

    /// A byte of a new table of bytes, of one or more rows: at a byte, or at a number that is brought inside.
    fn look_up_byte(&mut self, body: &mut Vec<Line>, seen: &Value, coordinates: &[&str]) -> Value {
        let columns: usize = self.choices.pick(&[256, 64, 100, 200, 5, 300]);
        let rows = self.choices.pick(&[1, 1, 3]);
        let numbers: Vec<String> = (0..rows * columns).map(|place| (place * 37 % 251).to_string()).collect();
        let rows_text: Vec<String> = numbers.chunks(columns).map(|row| format!("[{}]", row.join(", "))).collect();
        let (text, shape) = match rows {
            1 => (rows_text.concat(), String::new()),
            _ => (format!("[{}]", rows_text.join(", ")), format!("{rows}x")),
        };
        let ty = format!("tensor<{shape}{columns}xi8>");
        let table = self.define(&format!("arith.constant dense<{text}> : {ty}"));
        let kind = if self.choices.chance(60) { I8 } else { I32 };
        let number = self.convert(body, seen, kind);
        let cast = if kind == I8 { "index_castui" } else { "index_cast" };
        let index = self.fresh();
        body.push(Line::Text(format!("{index} = arith.{cast} {} : {} to index", number.name, kind.name())));
        let row = match (rows, self.choices.below(2)) {
            (1, _) => String::new(),
            (_, 0) => "1, ".to_owned(),
            _ => format!("%{} mod {rows}, ", self.choices.pick(coordinates)),
        };
        let mode = self.choices.pick(&["clamp", "clamp", "wrap", "mirror"]);
        self.add(body, &format!("pipeline.gather {table}[{row}{index}] {mode} : {ty}"), I8)
    }

    /// The sum of entries beside each other of a new table, in a row and a column that a value or a coordinate says: what `--pack-tables` makes
    /// words of, or nearly so.
    fn look_up_beside(&mut self, body: &mut Vec<Line>, seen: &Value, coordinates: &[&str]) -> Value {
        if self.choices.chance(30) {
            return self.look_up_pixels(body, seen);
        }
        let element = self.choices.pick(&[I8, I8, I16]);
        let [rows, columns] = [3, 5].map(|most| self.choices.between(1, most));
        let row = |row: i64| {
            let numbers: Vec<String> =
                (0..columns).map(|at| ((row * columns + at) * 37 % 251 - 99).to_string()).collect();
            format!("[{}]", numbers.join(", "))
        };
        let text: Vec<String> = (0..rows).map(row).collect();
        let ty = format!("tensor<{rows}x{columns}x{}>", element.name());
        let table = self.define(&format!("arith.constant dense<[{}]> : {ty}", text.join(", ")));
        let place = self.place_near(body, seen);
        let coordinate = self.choices.pick(coordinates);
        let computed = self.choices.pick(&[[true, false], [false, true], [true, true]]);
        let mut total = self.number(body, 1.0, I32);
        for _ in 0..self.choices.between(2, 5) {
            let indices = computed.map(|is_computed| {
                let by = self.choices.between(-1, 1);
                if is_computed { self.beside(body, &place, by) } else { format!("%{coordinate} * 1 + {by}") }
            });
            let mode = self.choices.pick(&["clamp", "clamp", "clamp", "mirror"]);
            let [row, column] = indices;
            let entry = self.add(body, &format!("pipeline.gather {table}[{row}, {column}] {mode} : {ty}"), element);
            let entry = self.convert(body, &entry, I32);
            total = self.binary(body, "addi", &total, &entry);
            total = self.binary(body, "addi", &total, &total.clone());
        }
        total
    }

    /// An index that a value says, between -8 and 8.
    fn place_near(&mut self, body: &mut Vec<Line>, seen: &Value) -> String {
        let number = self.convert(body, seen, I32);
        // A place beside one that 32 bits just hold is another one in kernels.
        let most = self.number(body, 9.0, I32);
        let number = self.binary(body, "remsi", &number, &most);
        let place = self.fresh();
        body.push(Line::Text(format!("{place} = arith.index_cast {} : i32 to index", number.name)));
        place
    }

    /// An index, and so many more.
    fn beside(&mut self, body: &mut Vec<Line>, place: &str, by: i64) -> String {
        if by == 0 {
            return place.to_owned();
        }
        let by = self.index_constant(by);
        let sum = self.fresh();
        body.push(Line::Text(format!("{sum} = arith.addi {place}, {by} : index")));
        sum
    }

    /// The sum of channels of a new table's pixels, one or two beside each other between which a value says where: what `--pack-pixels` makes vectors of, and
    /// `--delay-transposes` mixes before they are transposed, or nearly so.
    fn look_up_pixels(&mut self, body: &mut Vec<Line>, seen: &Value) -> Value {
        let element = self.choices.pick(&[F32, F32, I32]);
        let [least, more, times] =
            ["sub", "add", "mul"].map(|op| format!("{op}{}", if element == F32 { "f" } else { "i" }));
        let (columns, channels) = (self.choices.between(1, 6), self.choices.between(3, 4));
        let pixel = |at: i64| {
            let numbers = (0..channels).map(|channel| (at * channels + channel) * 37 % 251 - 99);
            let numbers: Vec<String> = numbers.map(|number| number_text(number as f64, element)).collect();
            format!("[{}]", numbers.join(", "))
        };
        let text: Vec<String> = (0..columns).map(pixel).collect();
        let ty = format!("tensor<{columns}x{channels}x{}>", element.name());
        let table = self.define(&format!("arith.constant dense<[{}]> : {ty}", text.join(", ")));
        let place = self.place_near(body, seen);
        let first = self.choices.between(-1, 1);
        let others = self.choices.pick(&[Some(1), Some(1), Some(-1), Some(2), None]);
        let places = [Some(first), others.map(|by| first + by)].map(|by| by.map(|by| self.beside(body, &place, by)));
        let part = self.convert(body, seen, element);
        let mut total = self.number(body, 1.0, element);
        // One channel fewer is no pixel.
        let read = if self.choices.chance(90) { channels } else { 2 };
        for channel in 0..read {
            let [one, other] = places.clone().map(|place| {
                let gather = |place| format!("pipeline.gather {table}[{place}, {channel}] clamp : {ty}");
                place.map(|place| self.add(body, &gather(place), element))
            });
            let one = one.expect("there is a first place");
            let mixed = match other {
                None => one,
                Some(other) => {
                    let apart = self.binary(body, &least, &other, &one);
                    let apart = self.binary(body, &times, &apart, &part);
                    self.binary(body, &more, &one, &apart)
                }
            };
            total = self.binary(body, &more, &total, &mixed);
        }
        total
    }

    /// What takes some operations to compute of a byte, and perhaps of the plane: what `--byte-tables` makes a table of, or nearly so.
    pub(super) fn function_of_byte(
        &mut self,
        body: &mut Vec<Line>,
        byte: &Value,
        extents: &[Extent],
        coordinates: &[&str],
    ) -> Value {
        let extension = self.choices.pick(&["extui", "extsi"]);
        let mut value = self.add(body, &format!("arith.{extension} {} : i8 to i32", byte.name), I32);
        let mut count = 0;
        while count < 3 || count < 9 && self.choices.chance(80) {
            // Seldom the coordinate of a row or a column: of that nothing is a function of a byte alone.
            let plane = extents[0].value <= 4 || self.choices.chance(4);
            let other = match self.choices.chance(15) && plane {
                true => self.add(body, &format!("arith.index_cast %{} : index to i32", coordinates[0]), I32),
                false => {
                    let number = self.choices.pick(&[3.0, 7.0, 255.0, -5.0, 1.0]);
                    self.number(body, number, I32)
                }
            };
            let op = self.choices.pick(&["muli", "addi", "xori", "shrsi", "minsi", "maxsi", "subi", "andi", "remsi"]);
            value = self.binary(body, op, &value, &other);
            count += 1;
        }
        match self.choices.weighted(&[(50, 0), (20, 1), (30, 2)]) {
            0 => self.add(body, &format!("arith.trunci {} : i32 to i8", value.name), I8),
            1 => value,
            _ => {
                let float = self.convert(body, &value, F32);
                self.function(body, &float)
            }
        }
    }
}
