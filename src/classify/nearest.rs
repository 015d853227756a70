//! Which objects are the nearest.

use std::cmp::Ordering;

use crate::table::reach;

/// Those of some objects, each with its distance and its weight, that come first in an `order` of distances: as many as weigh `k`,
/// at least 1, together; all if they weigh less. Each weighs 1 or more.
pub fn first(mut objects: Vec<(f64, u64)>, k: u64, order: impl Fn(&f64, &f64) -> Ordering) -> Vec<(f64, u64)> {
    let by_distance = |a: &(f64, u64), b: &(f64, u64)| order(&a.0, &b.0);
    // No more than k objects are needed.
    let most = usize::try_from(k).unwrap_or(usize::MAX);
    if objects.len() > most {
        objects.select_nth_unstable_by(most - 1, by_distance);
        objects.truncate(most);
    }
    objects.sort_unstable_by(by_distance);
    let mut counted = 0;
    let last = objects.iter().position(|(_, weight)| {
        counted += weight;
        counted >= k
    });
    objects.truncate(last.map_or(objects.len(), |last| last + 1));
    objects
}

/// The distance within which the nearest of some objects, each with its distance and its weight, weigh `k` together: all objects at
/// the last distance are within it, though rounding may tell them apart, by `slack` where numbers are far from 0.
pub fn radius(objects: Vec<(f64, u64)>, k: u64, slack: f64) -> f64 {
    reach(first(objects, k, f64::total_cmp).last().map_or(0.0, |last| last.0), slack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_as_many_as_make_k_by_weight() {
        let objects = || vec![(0.9, 1), (0.1, 2), (0.4, 1), (0.5, 7)];
        let nearest = |k| first(objects(), k, f64::total_cmp);
        assert_eq!(nearest(2), [(0.1, 2)]);
        assert_eq!(nearest(4), [(0.1, 2), (0.4, 1), (0.5, 7)]);
        assert_eq!(nearest(99).len(), 4);
        assert_eq!(first(objects(), 2, |a, b| b.total_cmp(a)), [(0.9, 1), (0.5, 7)]);
        assert_eq!([radius(objects(), 3, 0.0), radius(objects(), 99, 1e-9)], [reach(0.4, 0.0), reach(0.9, 1e-9)]);
        assert_eq!((radius(Vec::new(), 1, 0.0), first(Vec::new(), 1, f64::total_cmp)), (reach(0.0, 0.0), vec![]));
    }
}
