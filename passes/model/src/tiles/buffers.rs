//! Where buffers lie in a memory that they share: those that are not alive together may lie at the same place.
//!
//! ```text
//! time  0 1 2 3 4        bytes
//! a     #######            ┌───────┐
//! b         #######        │a 0..40│ b 40..60
//! c             ###        │c 0..30│
//! ```

/// When a buffer is alive, and how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// When it is written first.
    pub start: usize,
    /// When it is read last; it is alive then, too.
    pub end: usize,
    /// Its size.
    pub bytes: i64,
}

/// The offset of each buffer, a multiple of `align`, and the bytes of all. Larger buffers choose first, each the lowest offset
/// that is free while it is alive.
pub fn place_buffers(buffers: &[Lifetime], align: i64) -> (Vec<i64>, i64) {
    let up = |n: i64| (n + align - 1) / align * align;
    let mut order: Vec<usize> = (0..buffers.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(buffers[i].bytes), i));
    let mut offsets: Vec<Option<i64>> = vec![None; buffers.len()];
    let mut total = 0;
    let mut taken: Vec<(i64, i64)> = Vec::new();
    for &i in &order {
        let buffer = buffers[i];
        taken.clear();
        taken.extend(
            (0..buffers.len())
                .filter(|&j| buffers[j].start <= buffer.end && buffer.start <= buffers[j].end)
                .filter_map(|j| offsets[j].map(|offset| (offset, offset + up(buffers[j].bytes)))),
        );
        taken.sort_unstable();
        let mut offset = 0;
        for &(from, to) in &taken {
            if offset + buffer.bytes <= from {
                break;
            }
            offset = offset.max(to);
        }
        offsets[i] = Some(offset);
        total = total.max(offset + up(buffer.bytes));
    }
    (offsets.into_iter().flatten().collect(), total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_picture_above() {
        let life = |start, end, bytes| Lifetime { start, end, bytes };
        let (offsets, total) = place_buffers(&[life(0, 3, 40), life(2, 5, 20), life(4, 5, 30)], 1);
        assert_eq!((offsets, total), (vec![0, 40, 0], 60));
    }

    proptest! {
        #[test]
        fn living_buffers_are_apart(all in prop::collection::vec((0usize..20, 0usize..8, 1i64..100), 0..12)) {
            let all: Vec<_> = all.into_iter().map(|(start, len, bytes)| Lifetime { start, end: start + len, bytes }).collect();
            let (offsets, total) = place_buffers(&all, 16);
            for (i, a) in all.iter().enumerate() {
                prop_assert!(offsets[i] % 16 == 0 && offsets[i] + a.bytes <= total);
                for (j, b) in all.iter().enumerate().skip(i + 1) {
                    let together = a.start <= b.end && b.start <= a.end;
                    let apart = offsets[i] + a.bytes <= offsets[j] || offsets[j] + b.bytes <= offsets[i];
                    prop_assert!(!together || apart);
                }
            }
        }
    }
}
