//! Four elements of each lane beside each other, and transposed: vectors of the first of all lanes, of the second, and so on.
//!
//! ```text
//! row 0:  a0 b0 c0 d0 | a4 b4 c4 d4        a0 a1 b0 b1 | a4 a5 b4 b5        a0 a1 a2 a3 | a4 a5 a6 a7
//! row 1:  a1 b1 c1 d1 | a5 b5 c5 d5   ──▶  a2 a3 b2 b3 | a6 a7 b6 b7   ──▶  b0 b1 b2 b3 | b4 b5 b6 b7
//! row 2:  a2 b2 c2 d2 | a6 b6 c6 d6        c0 c1 d0 d1 | c4 c5 d4 d5        c0 c1 c2 c3 | c4 c5 c6 c7
//! row 3:  a3 b3 c3 d3 | a7 b7 c7 d7        c2 c3 d2 d3 | c6 c7 d6 d7        d0 d1 d2 d3 | d4 d5 d6 d7
//! ```
//!
//! Each shuffle stays within four lanes, as those of CPUs without AVX-512 do: lanes 0, 4, 8, ... are in row 0, lanes 1, 5, 9, ... in row 1.

use crate::ir::{Builder, is, lanes_of_vector};
use melior::ir::{Value, ValueLike, attribute::DenseI64ArrayAttribute, operation::OperationLike};
use mlir_glue::ir;

/// Elements of a lane, and rows.
pub const FOUR: usize = 4;

/// What four lanes of a shuffle have, of those of its left operand, and of its right one, counted on: of rows, and of what comes of these.
const OF_ROWS: [[i64; FOUR]; 2] = [[0, 4, 1, 5], [2, 6, 3, 7]];
const OF_PAIRS: [[i64; FOUR]; 2] = [[0, 1, 4, 5], [2, 3, 6, 7]];

/// The mask of a shuffle of vectors of so many lanes that does the same in each four.
fn in_fours(lanes: i64, places: [i64; FOUR]) -> Vec<i64> {
    let of_four = |start: i64| places.map(|place| start + place % 4 + place / 4 * lanes);
    (0..lanes).step_by(FOUR).flat_map(of_four).collect()
}

/// Vectors of the first elements of all lanes, of the second, and so on.
pub fn columns<'c: 'a, 'a>(b: &Builder<'c, 'a>, rows: [Value<'c, 'a>; FOUR]) -> [Value<'c, 'a>; FOUR] {
    let lanes = lanes_of_vector(rows[0]);
    let join = |left, right, places| b.shuffle([left, right], in_fours(lanes, places));
    let [[a, b], [c, d]] = OF_ROWS.map(|places| [join(rows[0], rows[1], places), join(rows[2], rows[3], places)]);
    let [[first, second], [third, fourth]] =
        [[a, b], [c, d]].map(|[left, right]| OF_PAIRS.map(|places| join(left, right, places)));
    [first, second, third, fourth]
}

/// The rows of which a vector is a column, and which.
pub fn column_of<'c: 'a, 'a>(vector: Value<'c, 'a>) -> Option<([Value<'c, 'a>; FOUR], usize)> {
    let (high, [left, right]) = joined(vector, OF_PAIRS)?;
    let (pair, [first, second]) = joined(left, OF_ROWS)?;
    let (other, [third, fourth]) = joined(right, OF_ROWS)?;
    (pair == other).then_some(([first, second, third, fourth], 2 * pair + high))
}

/// Which of two masks a shuffle has, and what it joins.
fn joined<'c: 'a, 'a>(vector: Value<'c, 'a>, masks: [[i64; FOUR]; 2]) -> Option<(usize, [Value<'c, 'a>; 2])> {
    let op = ir::defining_op(vector).filter(|op| is(*op, "vector.shuffle"))?;
    let operands = [ir::operand(op, 0)?, ir::operand(op, 1)?];
    let lanes = lanes_of_vector(vector);
    let are_rows = lanes % FOUR as i64 == 0 && operands.iter().all(|operand| operand.r#type() == vector.r#type());
    let mask = DenseI64ArrayAttribute::try_from(op.attribute("mask").ok()?).ok().filter(|_| are_rows)?;
    let mask: Vec<i64> = (0..mask.len()).map(|place| mask.element(place)).collect::<Result<_, _>>().ok()?;
    Some((masks.iter().position(|places| in_fours(lanes, *places) == mask)?, operands))
}

/// What a vector has in the lanes of each row, four times.
pub fn spread<'c: 'a, 'a>(b: &Builder<'c, 'a>, vector: Value<'c, 'a>) -> [Value<'c, 'a>; FOUR] {
    [0, 1, 2, 3].map(|row| b.shuffle([vector, vector], in_fours(lanes_of_vector(vector), [row; FOUR])))
}
