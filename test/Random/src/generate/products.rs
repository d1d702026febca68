//! Sums of products of small integers, as filters on bytes have them: what `--dot-products` looks for, or nearly so.
//!
//! ```text
//! %p = arith.extui %pixel : i8 to i32
//! %w = arith.extsi %weight : i8 to i32         a constant, an image's value at one place or at the point, a comparison, the pixel itself
//! %t = arith.muli %p, %w : i32
//! %s = arith.addi %sum, %t : i32
//! ```

use super::{
    data::{Extent, I8, I16, I32, Line, Mode, Type, Value},
    program::{Program, Size},
};

/// What pixels of a window are multiplied by.
#[derive(Clone, Copy)]
enum Weights {
    Constants,
    Places,
    Points,
    Comparisons,
    Squares,
}

impl Program<'_> {
    /// Such a sum over a window that is written out.
    pub(super) fn products(
        &mut self,
        body: &mut Vec<Line>,
        source: usize,
        extents: &[Extent],
        coordinates: &[&str],
        mode: Mode,
    ) -> Value {
        let rank = extents.len();
        let sizes = match self.size {
            Size::Tiny => [1, self.choices.pick(&[3, 4, 5])],
            _ => [self.choices.pick(&[1, 2, 3]), self.choices.pick(&[3, 4, 5, 2, 1, 7, 9])],
        };
        let starts = sizes.map(|size| self.choices.between(-size, 1));
        let step = self.choices.pick(&[1, 1, 1, 2]);
        let small = self.small(source);
        let extension = self.extension(small);
        let kinds = [
            (40, Weights::Constants),
            (25, Weights::Places),
            (20, Weights::Points),
            (5, Weights::Comparisons),
            (10, Weights::Squares),
        ];
        let kind = self.choices.weighted(&kinds);
        let other = self.choices.pick(&self.visible());
        let of_weights = self.small(other);
        let extension_of_weights = self.extension(of_weights);
        // One sum, or two that are added at the end.
        let mut sums: Vec<Option<Value>> = vec![None; self.choices.pick(&[1, 1, 1, 2])];
        if self.choices.chance(40) {
            sums[0] = Some(self.wide(body, other, extents, coordinates));
        }
        for (row, column) in (0..sizes[0]).flat_map(|row| (0..sizes[1]).map(move |column| (row, column))) {
            // A column twice, and another not at all.
            let column = if self.choices.chance(5) { self.choices.between(0, sizes[1] - 1) } else { column };
            let mut at = vec![0; rank];
            at[rank - 1] += starts[1] + column * step;
            at[rank.saturating_sub(2)] += starts[0] + row;
            let pixel = self.small_load(body, source, (extents, coordinates, &at), mode, small);
            let wide = self.extended(body, extension, &pixel);
            let weight = match kind {
                Weights::Constants => {
                    let weight = self.weight(None);
                    self.number(body, weight as f64, I32)
                }
                Weights::Places => {
                    let indices = self.place(other);
                    let weight = self.load_at(body, other, indices, mode);
                    let weight = self.convert(body, &weight, of_weights);
                    self.extended(body, extension_of_weights, &weight)
                }
                Weights::Points => {
                    let weight = self.small_load(body, other, (extents, coordinates, &at), mode, of_weights);
                    self.extended(body, extension_of_weights, &weight)
                }
                Weights::Comparisons => {
                    let limit = self.number(body, 3.0, small);
                    let compare = format!("arith.cmpi slt, {}, {} : {}", pixel.name, limit.name, small.name());
                    let bit = self.add(body, &compare, small);
                    self.add(body, &format!("arith.{extension_of_weights} {} : i1 to i32", bit.name), I32)
                }
                Weights::Squares => wide.clone(),
            };
            let (a, b) = if self.choices.chance(25) { (&weight, &wide) } else { (&wide, &weight) };
            let mut term = self.binary(body, "muli", a, b);
            let number = self.choices.below(sums.len());
            let op = match self.choices.weighted(&[(88, 0), (3, 1), (3, 2), (3, 3), (3, 4)]) {
                0 => "addi",
                1 => "subi",
                // Of another size than all else.
                2 => {
                    let large = self.number(body, 70_000.0, I32);
                    term = self.binary(body, "muli", &term, &large);
                    "addi"
                }
                // A product that the sum is not alone to use.
                3 => {
                    term = self.binary(body, "addi", &term, &term);
                    "addi"
                }
                _ => {
                    let wide = self.wide(body, other, extents, coordinates);
                    term = self.binary(body, "addi", &wide, &term);
                    "addi"
                }
            };
            sums[number] = Some(match sums[number].take() {
                Some(sum) => self.binary(body, op, &sum, &term),
                None => term,
            });
        }
        let sums: Vec<Value> = sums.into_iter().flatten().collect();
        sums[1..].iter().fold(sums[0].clone(), |total, sum| self.binary(body, "addi", &total, sum))
    }

    /// What a fold over a window multiplies: a pixel, and of a table of weights that at a place.
    pub(super) fn pixel_and_weight(
        &mut self,
        body: &mut Vec<Line>,
        pixel: &Value,
        count: i64,
        place: &str,
    ) -> [Value; 2] {
        let ty = self.choices.pick(&[I8, I16]);
        let numbers: Vec<String> = (0..count).map(|_| self.weight(Some(ty)).to_string()).collect();
        let table_type = format!("tensor<{count}x{}>", ty.name());
        let table = self.define(&format!("arith.constant dense<[{}]> : {table_type}", numbers.join(", ")));
        let weight = self.add(body, &format!("pipeline.load {table}[{place}] : {table_type}"), ty);
        let extensions = [pixel.ty, ty].map(|ty| self.extension(ty));
        [self.extended(body, extensions[0], pixel), self.extended(body, extensions[1], &weight)]
    }

    /// A weight: small, or at the end of a type that `--dot-products` knows, or behind it; of a type alone, one that it has.
    fn weight(&mut self, of: Option<Type>) -> i64 {
        let small = [1, 2, 3, -1, 5, -7];
        let ends: &[i64] = match of {
            Some(I8) => &[127, -128],
            Some(_) => &[127, -128, 255, 128, 32_767, -32_768],
            None => &[127, -128, 255, 128, -129, 256, 32_767, -32_768, 32_768, -32_769, 65_535],
        };
        if self.choices.chance(25) { self.choices.pick(ends) } else { self.choices.pick(&small) }
    }

    /// How small integers of a type are extended; what has 16 bits and no sign is in no dot product.
    fn extension(&mut self, ty: Type) -> &'static str {
        let without_sign = if ty == I8 { 50 } else { 15 };
        self.choices.weighted(&[(100 - without_sign, "extsi"), (without_sign, "extui")])
    }

    /// A small integer in 32 bits; at times the other way than the rest.
    fn extended(&mut self, body: &mut Vec<Line>, extension: &str, value: &Value) -> Value {
        let other = if extension == "extsi" { "extui" } else { "extsi" };
        let extension = if self.choices.chance(4) { other } else { extension };
        self.add(body, &format!("arith.{extension} {} : {} to i32", value.name, value.ty.name()), I32)
    }

    /// The type of an image, if it is a small integer, or a type to which its values are brought.
    fn small(&mut self, image: usize) -> Type {
        match self.images[image].element {
            element @ (I8 | I16) => element,
            _ => self.choices.pick(&[I8, I16]),
        }
    }

    fn small_load(
        &mut self,
        body: &mut Vec<Line>,
        image: usize,
        (extents, coordinates, at): (&[Extent], &[&str], &[i64]),
        mode: Mode,
        ty: Type,
    ) -> Value {
        let value = self.load(body, image, extents, coordinates, at, mode);
        self.convert(body, &value, ty)
    }

    /// What no dot product has: a value at the point, in 32 bits.
    fn wide(&mut self, body: &mut Vec<Line>, image: usize, extents: &[Extent], coordinates: &[&str]) -> Value {
        let value = self.load(body, image, extents, coordinates, &vec![0; extents.len()], Mode::Clamp);
        self.convert(body, &value, I32)
    }
}
