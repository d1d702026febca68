//! Windows of points that are joined by steps: along rows and then down columns, or by blocks that neighbours share.
//!
//! ```text
//! 1 2 1       1                       63 points in a row      seven sums of nine
//! 2 4 2   =   2  times  1 2 1
//! 1 2 1       1
//! ```

use crate::affine::gcd;
use std::{collections::BTreeMap, ops::Range};

/// A sum of more terms is no longer written out.
pub const MOST_TERMS: i64 = 32;

/// Weights by offset.
pub type Weights<T> = Vec<(T, i64)>;

/// The weights of rows and of columns whose products a matrix is, if there are such; at least two of each.
pub fn column_times_row<R: Clone>(matrix: &BTreeMap<R, BTreeMap<i64, i64>>) -> Option<(Weights<R>, Weights<i64>)> {
    let first = matrix.values().next().filter(|first| first.len() > 1 && matrix.len() > 1)?;
    let divisor = first.values().fold(0, |divisor, weight| gcd(divisor, weight.checked_abs().unwrap_or(1)));
    let of_columns: Weights<i64> = first.iter().map(|(offset, weight)| (*offset, weight / divisor)).collect();
    let of_rows = matrix.iter().map(|(offset, row)| {
        let (_, least) = of_columns[0];
        let times = row.values().next()?.checked_div(least)?;
        let is_multiple = row.len() == of_columns.len()
            && of_columns.iter().all(|(column, weight)| row.get(column) == weight.checked_mul(times).as_ref());
        is_multiple.then(|| (offset.clone(), times))
    });
    Some((of_rows.collect::<Option<_>>()?, of_columns))
}

/// A run of points as partial sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Points of one.
    pub size: i64,
    /// Where those begin that are joined.
    pub starts: Vec<i64>,
    /// Points that are joined by themselves.
    pub rest: Range<i64>,
}

/// The partial sums of so many points that take the fewest operations. Where a point may be joined twice, as in extremes, the last block may overlap the one
/// before. `None` if more than [`MOST_TERMS`] would be joined, whatever their size, or of fewer than four points.
pub fn blocks(count: i64, may_overlap: bool) -> Option<Blocks> {
    let of_size = |size: i64| {
        let whole = count / size;
        let mut starts: Vec<i64> = (0..whole).map(|block| block * size).collect();
        let mut rest = whole * size..count;
        if may_overlap && !rest.is_empty() {
            starts.push(count - size);
            rest = 0..0;
        }
        Blocks { size, starts, rest }
    };
    let terms = |blocks: &Blocks| blocks.starts.len() as i64 + blocks.rest.end - blocks.rest.start;
    (2..=MOST_TERMS.min(count / 2))
        .map(of_size)
        .filter(|blocks| terms(blocks) <= MOST_TERMS)
        .min_by_key(|blocks| (blocks.size + terms(blocks), terms(blocks)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix<const N: usize, const M: usize>(rows: [[i64; N]; M]) -> BTreeMap<i64, BTreeMap<i64, i64>> {
        let row = |row: [i64; N]| (0..).zip(row).filter(|(_, weight)| *weight != 0).collect();
        (0..).zip(rows.map(row)).filter(|(_, row): &(i64, BTreeMap<_, _>)| !row.is_empty()).collect()
    }

    #[test]
    fn products_of_a_column_and_a_row_are_found() {
        let sobel = column_times_row(&matrix([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]));
        assert_eq!(sobel, Some((vec![(0, 1), (1, 2), (2, 1)], vec![(0, -1), (2, 1)])));
        let even = column_times_row(&matrix([[4, 8], [-2, -4]]));
        assert_eq!(even, Some((vec![(0, 4), (1, -2)], vec![(0, 1), (1, 2)])));
        assert_eq!(column_times_row(&matrix([[3, 2], [4, 6]])), None);
        assert_eq!(column_times_row(&matrix([[1, 1, 0], [1, 1, 1]])), None);
        assert_eq!(column_times_row(&matrix([[0, 1, 0], [1, 4, 1], [0, 1, 0]])), None);
        assert_eq!(column_times_row(&matrix([[1, 2, 1]])), None);
        assert_eq!(column_times_row(&matrix([[i64::MIN, 1], [1, 1]])), None);
        assert_eq!(column_times_row(&matrix([[-1, 1], [i64::MIN, 1]])), None);
    }

    #[test]
    fn every_point_of_a_sum_is_counted_once() {
        for count in 2..=1000 {
            let Some(Blocks { size, starts, rest }) = blocks(count, false) else { continue };
            let counted: Vec<i64> = starts.iter().flat_map(|start| *start..start + size).chain(rest).collect();
            assert_eq!(counted, (0..count).collect::<Vec<_>>());
        }
        let sevenths = (0..7).map(|block| 9 * block).collect();
        assert_eq!(blocks(63, false), Some(Blocks { size: 9, starts: sevenths, rest: 63..63 }));
    }

    #[test]
    fn every_point_of_an_extreme_is_counted() {
        for count in 2..=1000 {
            let Some(Blocks { size, starts, rest }) = blocks(count, true) else { continue };
            assert!(rest.is_empty() && starts.last().map(|start| start + size) == Some(count));
            assert!(starts.windows(2).all(|pair| pair[1] - pair[0] <= size));
        }
    }

    #[test]
    fn endless_windows_stay() {
        assert!(blocks(3, false).is_none() && blocks(5000, false).is_none());
    }
}
