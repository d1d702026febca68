//! Which of the loops of a tick ask for which rows of the next one.
//!
//! ```text
//! rows of a tick          0  1  2  3
//! two rows at a time      ?     ?         half of the work: at the first of every two
//! four rows at a time        ?     ?      at what is left
//! ```
//!
//! Memory is to be busy as long as the core is, so loops ask by how long they compute. A loop over fewer rows at a time has the same code for some of
//! them, and so asks at every second row, say, or at all.

/// Of loops that walk the same rows, each so many at a time and with so much work, the rows of those at a time at which each asks: for each row that most of
/// them have at a time one asks. A loop whose rows do not divide those of others asks at none.
pub fn rows_to_ask_at(loops: &[(usize, f64)]) -> Vec<Vec<usize>> {
    let rows = loops.iter().map(|(own, _)| *own).max().unwrap_or(1);
    let all: f64 = loops.iter().map(|(_, work)| work).sum();
    let mut left: Vec<usize> = (0..rows).collect();
    let mut asked = vec![Vec::new(); loops.len()];
    for (asked, (step, work)) in asked.iter_mut().zip(loops) {
        if *step < rows && rows.is_multiple_of(*step) {
            let due = (rows as f64 * work / all / (rows / step) as f64).round() as usize;
            let is_left = |own: &usize| (*own..rows).step_by(*step).all(|row| left.contains(&row));
            *asked = (0..*step).filter(is_left).take(due).collect();
            left.retain(|row| !asked.contains(&(row % step)));
        }
    }
    let tallest = || loops.iter().filter(|(own, _)| *own == rows).map(|(_, work)| work);
    let place = |work: f64| (left.len() as f64 * work / tallest().sum::<f64>()).round() as usize;
    let mut before = 0.0;
    for (asked, (_, work)) in asked.iter_mut().zip(loops).filter(|(_, (own, _))| *own == rows) {
        *asked = left[place(before)..place(before + work)].to_vec();
        before += work;
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::rows_to_ask_at;
    use proptest::prelude::*;

    #[test]
    fn what_computes_longest_asks() {
        assert_eq!(rows_to_ask_at(&[(4, 1.0), (2, 99.0)]), [vec![], vec![0, 1]]);
        assert_eq!(rows_to_ask_at(&[(4, 1.0), (2, 1.0)]), [vec![1, 3], vec![0]]);
        assert_eq!(rows_to_ask_at(&[(4, 1.0), (4, 3.0)]), [vec![0], vec![1, 2, 3]]);
        assert_eq!(rows_to_ask_at(&[(1, 1.0), (4, 9.0)]), [vec![], vec![0, 1, 2, 3]]);
    }

    proptest! {
        /// Each row of a tick is asked for once.
        #[test]
        fn every_row_is_asked_for_once(
            loops in prop::collection::vec((prop::sample::select(vec![1usize, 2, 3, 4, 16]), 1.0..1000.0), 1..8),
        ) {
            let rows = loops.iter().map(|(own, _)| *own).max().unwrap();
            let asked = rows_to_ask_at(&loops);
            let mut all: Vec<usize> = asked
                .iter()
                .zip(&loops)
                .flat_map(|(asked, (step, _))| asked.iter().flat_map(move |own| (*own..rows).step_by(*step)))
                .collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..rows).collect::<Vec<_>>());
        }
    }
}
