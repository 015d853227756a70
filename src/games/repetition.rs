//! Where in its past a position occurred before.

/// Plies of the shortest cycle: each side moves a piece there and back.
const SHORTEST_CYCLE: usize = 4;

/// How many plies ago the position with this `key` occurred before, latest first, within the last `reach` plies of `past`.
/// `key_of` a ply is the key of the position in which it was made.
#[inline]
pub fn occurrences<P>(key: u64, reach: usize, past: &[P], key_of: impl Fn(&P) -> u64) -> impl Iterator<Item = usize> {
    let reach = reach.min(past.len());
    (SHORTEST_CYCLE..=reach).step_by(2).filter(move |plies_ago| key_of(&past[past.len() - plies_ago]) == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_four_plies_and_more_are_seen_with_the_same_side_to_move() {
        let found = |reach, past: &[u64]| occurrences(7, reach, past, |&key| key).collect::<Vec<_>>();
        assert_eq!(found(9, &[7, 0, 7, 0, 7, 0, 7, 7]), [4, 6, 8]);
        assert_eq!(found(7, &[7, 0, 7, 0, 7, 0, 7, 7]), [4, 6]);
        assert_eq!(found(9, &[7, 0, 0, 0, 0]), [0_usize; 0]);
        assert_eq!(found(3, &[7, 0, 0, 0]), [0_usize; 0]);
        assert_eq!(found(4, &[7, 0, 0, 0]), [4]);
    }
}
