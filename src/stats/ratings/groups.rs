//! Which entrants can be compared: the connected groups, and in them the classes within which ratings are finite.

/// Entrants each of whom took points, directly or through others, off every other one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RatingClass {
    /// Ascending.
    pub members: Vec<usize>,
    /// The number of the group of entrants, connected by games, to which the class belongs.
    pub group: usize,
}

/// The classes of `entrants` entrants, by their first members, and the number of groups; `took(i, j)` says whether i took
/// points off j. In other words: the strongly and the weakly connected components of that graph.
pub(super) fn classes(entrants: usize, took: impl Fn(usize, usize) -> bool) -> (Vec<RatingClass>, usize) {
    let above: Vec<Vec<bool>> = (0..entrants).map(|from| reached(entrants, from, &took)).collect();
    let met = |i, j| took(i, j) || took(j, i);
    let mut group_of: Vec<Option<usize>> = vec![None; entrants];
    let mut groups = 0;
    let mut classes = Vec::new();
    for first in 0..entrants {
        let group = *group_of[first].get_or_insert_with(|| {
            groups += 1;
            groups - 1
        });
        let connected = reached(entrants, first, &met);
        (0..entrants).filter(|&other| connected[other]).for_each(|other| group_of[other] = Some(group));
        let members: Vec<usize> = (0..entrants).filter(|&other| above[first][other] && above[other][first]).collect();
        if members.first() == Some(&first) {
            classes.push(RatingClass { members, group });
        }
    }
    (classes, groups)
}

/// Whom `from` reaches along `edge`, itself included.
fn reached(entrants: usize, from: usize, edge: &impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; entrants];
    reached[from] = true;
    let mut open = vec![from];
    while let Some(entrant) = open.pop() {
        for (next, reached) in reached.iter_mut().enumerate() {
            if !*reached && edge(entrant, next) {
                *reached = true;
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_cycles_of_points_and_groups_are_what_games_connect() {
        // 0 > 1 > 2 > 0 is a class; it beats 3, who is alone; 4 and 5 share points; 6 played nobody.
        let edges = [(0, 1), (1, 2), (2, 0), (1, 3), (4, 5), (5, 4)];
        let (classes, groups) = classes(7, |i, j| edges.contains(&(i, j)));
        let found: Vec<(Vec<usize>, usize)> = classes.into_iter().map(|class| (class.members, class.group)).collect();
        assert_eq!(found, [(vec![0, 1, 2], 0), (vec![3], 0), (vec![4, 5], 1), (vec![6], 2)]);
        assert_eq!(groups, 3);
    }
}
