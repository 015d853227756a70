//! Rules that are made for the object in hand, from its neighbourhood.

mod space;

use rayon::prelude::*;

use self::space::{Local, Place, Space};
use super::{ClassifyError, Forecast, Learner, Model};
use crate::rough::winner;
use crate::settings::settings;
use crate::table::{Attribute, DecisionTable, TableError};

settings! {
    /// Lets the nearest training objects vote whose local rule is consistent (RIONA; Góra & Wojna, *RIONA: a new classification
    /// system combining rule induction and instance-based learning*, Fundamenta Informaticae 51, 2002).
    ///
    /// The local rule of a training object asks that numbers lie between those of the object in hand and its own, and that other
    /// values are no farther from that in hand than its own. It is consistent if all neighbours that match it have its
    /// decision. Distances are sums over the attributes: of |a - b| / range for numbers, and of the differences between the
    /// shares of the decisions among the training objects with either value (the simple value difference metric). All objects
    /// at the last distance are neighbours, and an object of weight w is w of them.
    #[derive(Debug, Clone, Copy)]
    pub struct Riona {
        /// The most neighbours; the number with which most training objects are forecast rightly by the others is taken, the
        /// least of several.
        pub k_max: usize = 100, in 1..=10_000;
    }
}

struct Fitted {
    k: u64,
    space: Space,
    decisions: Vec<u32>,
    weights: Vec<u64>,
    priors: Vec<u64>,
}

/// A training object as a neighbour.
#[derive(Clone, Copy)]
struct Neighbour {
    distance: f64,
    object: u32,
    weight: u64,
}

impl Learner for Riona {
    fn name(&self) -> String {
        "riona".to_owned()
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        self.check()?;
        let table = table.merged()?;
        let n_objects = table.n_objects();
        let mut fitted = Fitted {
            k: 1,
            space: Space::of(&table),
            decisions: table.decision().codes().to_vec(),
            weights: (0..n_objects).map(|object| table.weight(object)).collect(),
            priors: table.decision_weights(),
        };
        fitted.k = fitted.best_k(self.k_max as u64);
        Ok(Box::new(fitted))
    }
}

impl Model for Fitted {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let places = self.space.places(columns)?;
        let n_rows = columns.first().map_or(0, Attribute::len);
        let forecast = |row: usize| {
            let own: Vec<Place> = places.iter().map(|places| places[row]).collect();
            let mut votes = Vec::new();
            self.grow(&own, None, self.k, |_, voted| votes = voted.to_vec());
            Forecast { decision: winner(&votes, &self.priors), votes, basis: None }
        };
        Ok((0..n_rows).into_par_iter().map(forecast).collect())
    }
}

impl Fitted {
    /// The least number of neighbours, at most `k_max`, with which the most training objects are forecast rightly by the others.
    fn best_k(&self, k_max: u64) -> u64 {
        let right_of = |object: usize| {
            let own = self.space.place(object);
            let (mut right, mut begin) = (vec![0_u64; k_max as usize + 1], 1);
            self.grow(&own, Some(object as u32), k_max, |n_neighbours, votes| {
                let end = n_neighbours.min(k_max);
                let is_right = winner(votes, &self.priors) == self.decisions[object];
                (begin..=end).for_each(|k| right[k as usize] += self.weights[object] * u64::from(is_right));
                begin = end + 1;
            });
            // More neighbours than there are forecast what all of them do.
            let last = right[begin as usize - 1];
            right[begin as usize..].fill(last);
            right
        };
        let add = |mut sums: Vec<u64>, more: Vec<u64>| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            sums
        };
        let none = || vec![0; k_max as usize + 1];
        let right = (0..self.weights.len()).into_par_iter().map(right_of).reduce(none, add);
        (1..=k_max).reduce(|best, k| if right[k as usize] > right[best as usize] { k } else { best }).unwrap_or(1)
    }

    /// Takes in the neighbours of an object distance by distance until they are `k`, and tells after each distance how many they
    /// are and how they vote. One copy of the training object `without` is none.
    fn grow(&self, own: &[Place], without: Option<u32>, k: u64, mut tell: impl FnMut(u64, &[f64])) {
        let local = self.space.around(own);
        let neighbours = self.neighbours(&local, without, k);
        let cells: Vec<Vec<f64>> = neighbours.iter().map(|neighbour| local.cells(neighbour.object as usize)).collect();
        let decision = |at: usize| self.decisions[neighbours[at].object as usize] as usize;
        let (mut votes, mut is_consistent) = (vec![0.0; self.priors.len()], vec![true; neighbours.len()]);
        let (mut count, mut at) = (0, 0);
        for group in neighbours.chunk_by(|a, b| a.distance == b.distance) {
            for new in at..at + group.len() {
                for old in 0..new {
                    if decision(old) == decision(new) {
                        continue;
                    }
                    if is_consistent[old] && matches(&cells[new], &cells[old]) {
                        is_consistent[old] = false;
                        votes[decision(old)] -= neighbours[old].weight as f64;
                    }
                    is_consistent[new] = is_consistent[new] && !matches(&cells[old], &cells[new]);
                }
                votes[decision(new)] += if is_consistent[new] { neighbours[new].weight as f64 } else { 0.0 };
                count += neighbours[new].weight;
            }
            at += group.len();
            tell(count, &votes);
        }
    }

    /// The nearest training objects, until they are `k`, with all at the last distance; the nearest first.
    fn neighbours(&self, local: &Local<'_>, without: Option<u32>, k: u64) -> Vec<Neighbour> {
        let neighbour = |(object, distance): (u32, f64)| {
            let weight = self.weights[object as usize] - u64::from(without == Some(object));
            Neighbour { distance, object, weight }
        };
        let mut all: Vec<Neighbour> = (0..).zip(local.distances()).map(neighbour).filter(|n| n.weight > 0).collect();
        let ascending = |a: &Neighbour, b: &Neighbour| a.distance.total_cmp(&b.distance).then(a.object.cmp(&b.object));
        let most = usize::try_from(k).unwrap_or(usize::MAX);
        if all.len() > most {
            // Each weighs 1 or more, so the k-th is not nearer than the last that is needed.
            let farthest = all.select_nth_unstable_by(most - 1, ascending).1.distance;
            all.retain(|neighbour| neighbour.distance <= farthest);
        }
        all.sort_unstable_by(ascending);
        let mut count = 0;
        let enough = all.iter().find(|neighbour| {
            count += neighbour.weight;
            count >= k
        });
        let farthest = enough.map_or(f64::INFINITY, |neighbour| neighbour.distance);
        all.retain(|neighbour| neighbour.distance <= farthest);
        all
    }
}

/// Whether an object with these cells matches the local rule of one with those `of_rule`: cell by cell it lies between 0, the
/// object in hand, and that one. A cell of the rule that is not known asks nothing.
fn matches(cells: &[f64], of_rule: &[f64]) -> bool {
    let is_met = |(&cell, &end): (&f64, &f64)| {
        end.is_nan() || if end >= 0.0 { 0.0 <= cell && cell <= end } else { end <= cell && cell <= 0.0 }
    };
    cells.iter().zip(of_rule).all(is_met)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Roles;

    fn table(csv: &str) -> DecisionTable {
        DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap()
    }

    fn fitted(table: &DecisionTable, k: u64) -> Fitted {
        let table = table.merged().unwrap();
        Fitted {
            k,
            space: Space::of(&table),
            decisions: table.decision().codes().to_vec(),
            weights: (0..table.n_objects()).map(|object| table.weight(object)).collect(),
            priors: table.decision_weights(),
        }
    }

    #[test]
    fn a_neighbour_votes_if_no_neighbour_between_says_otherwise() {
        let train = table("a,b,d\n0,0,x\n4,0,y\n8,0,x\n10,10,y\n");
        let votes = |k: u64, csv: &str| fitted(&train, k).predict(table(csv).attributes()).unwrap().remove(0).votes;
        let new = "a,b,d\n5,0,x\n";
        assert_eq!(votes(1, new), [0.0, 1.0]);
        // 8 lies on the other side of 5 than 4; 0 lies behind 4, which decides otherwise.
        assert_eq!(votes(2, new), [1.0, 1.0]);
        assert_eq!(votes(3, new), [1.0, 1.0]);
        // Between 5 and 10 on a there is 8, which matches the rule of the last one: 0 <= b <= 10.
        assert_eq!(votes(4, new), [1.0, 1.0]);
        // Of 9, 9 the nearest lies alone on its side, and so does 8, 0; 8, 0 lies before 4, 0, and that before 0, 0.
        assert_eq!((votes(1, "a,b,d\n9,9,x\n"), votes(4, "a,b,d\n9,9,x\n")), (vec![0.0, 1.0], vec![1.0, 1.0]));
    }

    #[test]
    fn values_are_near_that_say_the_same_of_the_decision() {
        let train = table("c,d\nu,x\nu,x\nv,x\nv,x\nw,y\nw,y\nw,x\n");
        // u and v say the same, and w a third of it: |1 - 1/3| + |0 - 2/3|.
        let model = fitted(&train, 4);
        let forecast = model.predict(table("c,d\nu,x\n").attributes()).unwrap().remove(0);
        assert_eq!((forecast.decision, forecast.votes), (0, vec![4.0, 0.0]));
        let distances: Vec<f64> = model.space.around(&model.space.place(0)).distances();
        assert_eq!((distances[0], distances[1]), (0.0, 0.0));
        assert!((distances[2] - 4.0 / 3.0).abs() < 1e-12);
    }

    /// The votes by the definition: every neighbour by itself.
    #[test]
    fn growing_neighbourhoods_vote_as_each_by_itself() {
        let mut csv = "a,b,c,d\n".to_owned();
        for n in 0..70_usize {
            let number = |k: usize, m: usize| (n * n * k + 7 * n) % 101 % m;
            let b = if n % 8 == 3 { "?".to_owned() } else { number(5, 9).to_string() };
            csv += &format!("{},{b},{},{}\n", number(3, 12), ["u", "v", "w"][number(2, 3)], number(11, 3));
        }
        let train = table(&csv);
        let model = fitted(&train, 1);
        for object in (0..70).step_by(9) {
            let own = model.space.place(object % model.weights.len());
            let mut told = Vec::new();
            model.grow(&own, None, 25, |count, votes| told.push((count, votes.to_vec())));
            for (count, votes) in told {
                let local = model.space.around(&own);
                let near = model.neighbours(&local, None, count);
                let mut expected = vec![0.0; 3];
                for one in &near {
                    let (rule, decision) = (local.cells(one.object as usize), model.decisions[one.object as usize]);
                    let agrees = |other: &Neighbour| {
                        model.decisions[other.object as usize] == decision
                            || !matches(&local.cells(other.object as usize), &rule)
                    };
                    expected[decision as usize] += if near.iter().all(agrees) { one.weight as f64 } else { 0.0 };
                }
                assert_eq!((near.iter().map(|n| n.weight).sum::<u64>(), votes), (count, expected));
            }
        }
    }

    #[test]
    fn the_number_of_neighbours_is_the_best_for_the_training_objects() {
        // Each object's nearest other one decides otherwise, and of the three nearest two decide as it does.
        let train = table("a,d\n0,x\n1,y\n2,x\n3,x\n100,y\n101,x\n102,y\n103,y\n");
        let model = fitted(&train, 1);
        let rightly = |k: u64| {
            let is_right = |object: &u32| {
                let mut votes = Vec::new();
                model.grow(&model.space.place(*object as usize), Some(*object), k, |_, voted| votes = voted.to_vec());
                winner(&votes, &model.priors) == model.decisions[*object as usize]
            };
            (0..model.weights.len() as u32).filter(is_right).count()
        };
        let best = (1..=7).rev().max_by_key(|&k| rightly(k)).unwrap();
        assert_eq!(model.best_k(7), best);
        assert_eq!(model.best_k(50), best);
    }
}
