//! Rules that are made for the object in hand, from its neighbourhood.

mod space;

use std::cmp::Ordering;

use rayon::prelude::*;

use self::space::{Local, Space};
use super::nearest::radius;
use super::{ClassifyError, Forecast, Learner, Model, observed};
use crate::rough::{Point, winner};
use crate::settings::settings;
use crate::table::{Attribute, DecisionTable, TableError, reach};

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

/// Neighbours of one decision that lie at one place, seen from the object in hand: their local rules are one.
struct Spot {
    decision: u32,
    cells: Vec<f64>,
    weight: u64,
}

/// The neighbours of one decision.
struct Side {
    decision: u32,
    /// Where they lie.
    cells: Vec<Vec<f64>>,
    /// Which of these places have a consistent local rule, and what the neighbours there weigh.
    consistent: Vec<(usize, u64)>,
}

impl Learner for Riona {
    fn name(&self) -> String {
        "riona".to_owned()
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        self.check()?;
        let fitted = Fitted::of(table)?;
        Ok(Box::new(Fitted { k: fitted.best_k(self.k_max as u64), ..fitted }))
    }
}

impl Model for Fitted {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let points = self.space.points(columns)?;
        let n_rows = columns.first().map_or(0, Attribute::len);
        let forecast = |row: usize| {
            let own: Vec<Point> = points.iter().map(|points| points[row]).collect();
            let mut votes = Vec::new();
            self.grow(&own, None, self.k, |_, voted| votes = voted.to_vec());
            Forecast { decision: winner(&votes, &self.priors), votes: votes.into(), basis: None }
        };
        Ok((0..n_rows).into_par_iter().map(forecast).collect())
    }
}

impl Fitted {
    /// The objects of `table`, with one neighbour.
    fn of(table: &DecisionTable) -> Result<Self, ClassifyError> {
        let table = observed(table)?.merged()?;
        Ok(Self {
            k: 1,
            decisions: table.decision().codes().to_vec(),
            weights: (0..table.n_objects()).map(|object| table.weight(object)).collect(),
            priors: table.decision_weights(),
            space: Space::of(table)?,
        })
    }

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
    fn grow(&self, own: &[Point], without: Option<u32>, k: u64, mut tell: impl FnMut(u64, &[f64])) {
        let local = self.space.around(own);
        let (mut votes, mut sides, mut count) = (vec![0.0; self.priors.len()], Vec::new(), 0);
        let is_as_far = |a: &Neighbour, b: &Neighbour| b.distance <= reach(a.distance, self.space.slack());
        for group in self.neighbours(&local, without, k).chunk_by(is_as_far) {
            for spot in self.spots(&local, group) {
                take_in(spot, &mut sides, &mut votes);
            }
            count += group.iter().map(|neighbour| neighbour.weight).sum::<u64>();
            tell(count, &votes);
        }
    }

    /// Where some neighbours lie. Many are equally far where attributes are no numbers, and most of these lie at a few places.
    fn spots(&self, local: &Local<'_>, neighbours: &[Neighbour]) -> Vec<Spot> {
        let spot = |&Neighbour { object, weight, .. }: &Neighbour| {
            let object = object as usize;
            Spot { decision: self.decisions[object], cells: local.cells(object), weight }
        };
        let mut spots: Vec<Spot> = neighbours.iter().map(spot).collect();
        spots.sort_unstable_by(Spot::order);
        spots.dedup_by(|next, spot| {
            let is_same = Spot::order(next, spot).is_eq();
            spot.weight += if is_same { next.weight } else { 0 };
            is_same
        });
        spots
    }

    /// The nearest training objects, until they are `k`, with all at the last distance; the nearest first.
    fn neighbours(&self, local: &Local<'_>, without: Option<u32>, k: u64) -> Vec<Neighbour> {
        let neighbour = |(object, distance): (u32, f64)| {
            let weight = self.weights[object as usize] - u64::from(without == Some(object));
            Neighbour { distance, object, weight }
        };
        let mut all: Vec<Neighbour> = (0..).zip(local.distances()).map(neighbour).filter(|n| n.weight > 0).collect();
        let distances = all.iter().map(|neighbour| (neighbour.distance, neighbour.weight)).collect();
        let radius = radius(distances, k, self.space.slack());
        all.retain(|neighbour| neighbour.distance <= radius);
        all.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance));
        all
    }
}

impl Spot {
    /// By decision, then by the first cells that differ.
    fn order(&self, other: &Self) -> Ordering {
        let mut of_cells = self.cells.iter().zip(&other.cells).map(|(a, b)| a.total_cmp(b));
        let by_cells = || of_cells.find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        self.decision.cmp(&other.decision).then_with(by_cells)
    }
}

/// Adds new neighbours, which vote if their local rule is consistent, to those that are known, of whom some vote no more.
fn take_in(new: Spot, sides: &mut Vec<Side>, votes: &mut [f64]) {
    let mut is_consistent = true;
    for side in sides.iter_mut().filter(|side| side.decision != new.decision) {
        let cells = &side.cells;
        side.consistent.retain(|&(at, weight)| {
            let is_met = matches(&new.cells, &cells[at]);
            votes[side.decision as usize] -= if is_met { weight as f64 } else { 0.0 };
            !is_met
        });
        is_consistent = is_consistent && !cells.iter().any(|cells| matches(cells, &new.cells));
    }
    let at = sides.iter().position(|side| side.decision == new.decision).unwrap_or_else(|| {
        sides.push(Side { decision: new.decision, cells: Vec::new(), consistent: Vec::new() });
        sides.len() - 1
    });
    let side = &mut sides[at];
    if is_consistent {
        side.consistent.push((side.cells.len(), new.weight));
        votes[new.decision as usize] += new.weight as f64;
    }
    side.cells.push(new.cells);
}

/// Whether an object with these cells matches the local rule of one with those `of_rule`: cell by cell it lies between 0, the
/// object in hand, and that one, rounding aside. A cell of the rule that is not known asks nothing.
fn matches(cells: &[f64], of_rule: &[f64]) -> bool {
    let is_met = |(&cell, &end): (&f64, &f64)| {
        let farthest = reach(end.abs(), 0.0);
        end.is_nan() || if end >= 0.0 { 0.0 <= cell && cell <= farthest } else { -farthest <= cell && cell <= 0.0 }
    };
    cells.iter().zip(of_rule).all(is_met)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::stream;
    use crate::table::{Roles, Weights};

    fn table(csv: &str) -> DecisionTable {
        DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap()
    }

    fn fitted(table: &DecisionTable, k: u64) -> Fitted {
        Fitted { k, ..Fitted::of(table).unwrap() }
    }

    #[test]
    fn a_neighbour_votes_if_no_neighbour_between_says_otherwise() {
        let train = table("a,b,d\n0,0,x\n4,0,y\n8,0,x\n10,10,y\n");
        let votes =
            |k: u64, csv: &str| fitted(&train, k).predict(table(csv).attributes()).unwrap().remove(0).votes.to_vec();
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
        assert_eq!((forecast.decision, forecast.votes.to_vec()), (0, vec![4.0, 0.0]));
        let distances: Vec<f64> = model.space.around(&model.space.place(0)).distances();
        assert_eq!((distances[0], distances[1]), (0.0, 0.0));
        assert!((distances[2] - 4.0 / 3.0).abs() < 1e-12);
    }

    /// Compares the votes of up to `k` neighbours with those by the definition: every neighbour by itself.
    fn assert_each_votes_by_itself(train: &DecisionTable, k: u64) {
        let model = fitted(train, 1);
        for object in (0..model.weights.len()).step_by(9) {
            let own = model.space.place(object);
            let mut told = Vec::new();
            model.grow(&own, None, k, |count, votes| told.push((count, votes.to_vec())));
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
    fn growing_neighbourhoods_vote_as_each_by_itself() {
        let mut csv = "a,b,c,d\n".to_owned();
        for n in 0..70_usize {
            let number = |k: usize, m: usize| (n * n * k + 7 * n) % 101 % m;
            let b = if n % 8 == 3 { "?".to_owned() } else { number(5, 9).to_string() };
            csv += &format!("{},{b},{},{}\n", number(3, 12), ["u", "v", "w"][number(2, 3)], number(11, 3));
        }
        assert_each_votes_by_itself(&table(&csv), 25);
    }

    /// With few values many objects are equally far, and many are equal.
    #[test]
    fn neighbours_that_are_equally_far_vote_as_each_by_itself() {
        for seed in 0..12 {
            let mut stream = stream(seed, "objects that are equally far", 0);
            let mut csv = "a,b,c,d\n".to_owned();
            for _ in 0..80 {
                let [a, b, c, d] = [4, 3, 3, 3_usize].map(|n| stream.random_range(0..n));
                csv += &format!("{},{},{c},{d}\n", ["u", "v", "w", "x"][a], ["p", "q", "?"][b]);
            }
            assert_each_votes_by_itself(&table(&csv), 60);
        }
    }

    /// A name says all of the decision, so that the objects of one decision are equally near and all others equally far.
    #[test]
    fn thousands_of_objects_are_equally_far() {
        let rows: String = (0..2000_usize).map(|n| format!("name {n},{}\n", ["x", "y"][n % 2])).collect();
        let train = table(&format!("a,d\n{rows}"));
        let forecasts = Riona { k_max: 1500 }.fit(&train).unwrap().predict(train.attributes()).unwrap();
        assert!((0..).zip(&forecasts).all(|(n, forecast)| forecast.decision == n % 2));
    }

    /// As numbers, 0.3 - 0.2 is less than 0.2 - 0.1.
    #[test]
    fn rounding_parts_no_objects_at_one_distance() {
        let train = table("a,d\n0,z\n1,x\n3,y\n10,x\n");
        let forecast = fitted(&train, 1).predict(table("a,d\n2,x\n").attributes()).unwrap().remove(0);
        assert_eq!((forecast.decision, forecast.votes.to_vec()), (0, vec![1.0, 1.0, 0.0]));
        let train = table("a,d\n1000000.0,z\n1000000.1,x\n1000000.3,y\n1000001.0,x\n");
        let forecast = fitted(&train, 1).predict(table("a,d\n1000000.2,x\n").attributes()).unwrap().remove(0);
        assert_eq!((forecast.decision, forecast.votes.to_vec()), (0, vec![1.0, 1.0, 0.0]));
    }

    /// By the shares of the decisions, which are thirds, x is as far from w as from u.
    #[test]
    fn rounding_parts_no_values_at_one_distance() {
        assert!(matches(&[0.1 + 0.2], &[0.3]) && matches(&[-0.1 - 0.2], &[-0.3]) && !matches(&[0.3 + 1e-9], &[0.3]));
        let several = [("u,2,x", 6), ("u,6,y", 3), ("x,0,y", 4), ("x,4,y", 2)];
        let single = ["w,2,y", "x,5,x", "x,3,x", "x,4,x"].map(|row| (row, 1));
        let repeated = several.iter().chain(&single).map(|&(row, times)| format!("{row}\n").repeat(times));
        let rows: Vec<String> = repeated.collect();
        let model = Riona { k_max: 20 }.fit(&table(&format!("c,b,d\n{}", rows.concat()))).unwrap();
        let forecast = model.predict(table("c,b,d\nu,0,x\n").attributes()).unwrap().remove(0);
        assert_eq!((forecast.decision, forecast.votes.to_vec()), (0, vec![6.0, 0.0]));
    }

    #[test]
    fn numbers_far_from_0_are_as_exact_as_others() {
        let votes = |offset: i64| {
            let rows = [(0, "x"), (2, "y"), (3, "y"), (7, "x")].map(|(n, d)| format!("{},{d}\n", offset + n));
            let new = table(&format!("a,d\n{},x\n", offset + 1));
            let model = Riona { k_max: 1 }.fit(&table(&format!("a,d\n{}", rows.concat()))).unwrap();
            model.predict(new.attributes()).unwrap().remove(0).votes.to_vec()
        };
        assert_eq!((votes(0), votes(4_000_000_000_000_000)), (vec![1.0, 1.0], vec![1.0, 1.0]));
        let endless = Riona::default().fit(&table("a,d\n-1.7e308,x\n0,y\n1.7e308,x\n"));
        let error = endless.err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error, "the numbers of attribute `a` have a range that is too large for a number of 64 bits");
    }

    #[test]
    fn objects_that_weigh_nothing_are_no_neighbours() {
        let column = |name: &str, numbers: [i64; 4]| Attribute::from_integers(name, numbers);
        let (a, d) = (column("a", [0, 1, 5, 9]), column("d", [0, 1, 1, 0]));
        let train = DecisionTable::new(vec![a], d, Weights::Counts(vec![0, 1, 2, 4])).unwrap();
        let model = Riona { k_max: 7 }.fit(&train).unwrap();
        assert_eq!(model.predict(&[Attribute::from_integers("a", [0])]).unwrap()[0].decision, 1);
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
