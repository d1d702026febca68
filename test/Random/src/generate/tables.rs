//! Tables: constants that stages read at a place that is the same for all points, at coordinates, or where a value says.

use super::{
    data::{Extent, I32, Line, Value, number_text},
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
}
