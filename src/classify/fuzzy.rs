//! Fuzzy-rough nearest neighbours.

use rayon::prelude::*;

use super::measure::Measure;
use super::nearest::first;
use super::{ClassifyError, Forecast, Learner, Model, observed};
use crate::rough::{Alike, Similarity, TNorm, winner};
use crate::settings::settings;
use crate::table::{Attribute, DecisionTable, TableError};

settings! {
    /// Forecasts the decision to whose lower and upper approximation an object belongs most (FRNN; Jensen & Cornelis,
    /// *Fuzzy-rough nearest neighbour classification and prediction*, Theoretical Computer Science 412, 2011).
    ///
    /// The approximations are averages with ordered weights (Cornelis, Verbiest & Jensen, *Ordered weighted average based
    /// fuzzy rough sets*, RSKT 2010): of the `k` nearest objects the nearest weighs k, the next k - 1, and so on. With one
    /// neighbour these are the infimum and the supremum of the classical ones, which forecast what the nearest object of
    /// all decided. An object of weight w is w neighbours.
    #[derive(Debug, Clone, Copy)]
    pub struct FuzzyNeighbours {
        /// The number of neighbours that make an approximation: those of the decision, and those of all others.
        pub k: u64 = 5, in 1..;
        /// How similar two numbers are.
        pub similarity: Similarity = Similarity::Range;
        /// How the degrees of several attributes are combined.
        pub t_norm: TNorm = TNorm::Minimum;
    }
}

struct Memory {
    k: u64,
    measures: Vec<Measure>,
    alike: Alike,
    table: DecisionTable,
    priors: Vec<u64>,
}

impl Learner for FuzzyNeighbours {
    fn name(&self) -> String {
        "frnn".to_owned()
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        self.check()?;
        let table = observed(table)?.into_owned();
        let objects: Vec<u32> = (0..table.n_objects() as u32).collect();
        Ok(Box::new(Memory {
            k: self.k,
            measures: Measure::of_all(&table, self.similarity, false)?,
            alike: Alike::new(&table, &objects, self.similarity, self.t_norm)?,
            priors: table.decision_weights(),
            table,
        }))
    }
}

impl Model for Memory {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let points = Measure::points_of_all(&self.measures, &self.table, columns)?;
        let n_rows = points.first().map_or(0, Vec::len);
        let forecast = |degrees: &mut Vec<f64>, row: usize| {
            degrees.clear();
            degrees.resize(self.table.n_objects(), 1.0);
            points.iter().enumerate().for_each(|(at, points)| self.alike.join(at, points[row], 0, degrees));
            self.vote(degrees)
        };
        Ok((0..n_rows).into_par_iter().map_init(Vec::new, forecast).collect())
    }
}

impl Memory {
    /// The mean of the lower and the upper approximation of each decision, for an object that is similar to the training
    /// objects to these degrees.
    fn vote(&self, degrees: &[f64]) -> Forecast {
        let mut by_decision = vec![Vec::new(); self.priors.len()];
        for (object, &degree) in degrees.iter().enumerate() {
            by_decision[self.table.decision().code(object) as usize].push((degree, self.table.weight(object)));
        }
        let nearest: Vec<Vec<(f64, u64)>> = by_decision.into_iter().map(|all| nearest(all, self.k)).collect();
        let vote = |decision: usize| {
            let others = nearest.iter().enumerate().filter(|(other, _)| *other != decision);
            let others = others.flat_map(|(_, nearest)| nearest).copied().collect();
            let (upper, against) =
                (average(&nearest[decision], self.k), average(&self::nearest(others, self.k), self.k));
            (1.0 - against).midpoint(upper)
        };
        let votes: Vec<f64> = (0..self.priors.len()).map(vote).collect();
        Forecast { decision: winner(&votes, &self.priors), votes: votes.into(), basis: None }
    }
}

/// The largest degrees first, as many as make `k` neighbours.
fn nearest(degrees: Vec<(f64, u64)>, k: u64) -> Vec<(f64, u64)> {
    first(degrees, k, |a, b| b.total_cmp(a))
}

/// The average of the `k` largest of descending degrees, of which the first weighs k, the next k - 1, and so on; of all if there are
/// fewer; 0 of none.
fn average(degrees: &[(f64, u64)], k: u64) -> f64 {
    let total: u64 = degrees.iter().map(|(_, weight)| weight).sum();
    let k = k.min(total);
    let (mut sum, mut rest) = (0.0, k);
    for &(degree, weight) in degrees {
        let taken = weight.min(rest);
        // rest + (rest - 1) + … of as many as are taken.
        sum += degree * (triangle(rest) - triangle(rest - taken));
        rest -= taken;
    }
    if k == 0 { 0.0 } else { sum / triangle(k) }
}

/// 1 + 2 + … + n.
fn triangle(n: u64) -> f64 {
    let n = n as f64;
    n * (n + 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Roles, Weights};

    fn table(csv: &str) -> DecisionTable {
        DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap()
    }

    #[test]
    fn averages_weigh_the_nearest_most() {
        assert_eq!(average(&[(1.0, 1), (0.5, 1), (0.25, 1)], 2), (2.0 + 0.5) / 3.0);
        assert_eq!(average(&[(1.0, 3), (0.5, 1)], 4), (4.0 + 3.0 + 2.0 + 0.5) / 10.0);
        assert_eq!((average(&[(0.5, 1)], 9), average(&[], 3)), (0.5, 0.0));
        assert_eq!(nearest(vec![(0.1, 1), (0.9, 2), (0.4, 1)], 3), [(0.9, 2), (0.4, 1)]);
    }

    #[test]
    fn one_neighbour_gives_the_classical_approximations() {
        let train = table("a,c,d\n0,x,no\n4,x,no\n10,x,yes\n6,y,yes\n");
        let new = table("a,c,d\n3,x,no\n9,x,no\n5,y,no\n5,z,no\n?,x,no\n");
        let frnn = FuzzyNeighbours { k: 1, ..FuzzyNeighbours::default() };
        let forecasts = frnn.fit(&train).unwrap().predict(new.attributes()).unwrap();
        let close = |votes: &[f64], expected: [f64; 2]| votes.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        // The nearest are alike to 0.9 (no) and 0.3 (yes); 0.5 and 0.9; 0 and 0.9; none; none.
        for (forecast, expected) in forecasts.iter().zip([[0.8, 0.2], [0.3, 0.7], [0.05, 0.95], [0.5, 0.5], [0.5, 0.5]])
        {
            assert!(close(&forecast.votes.to_vec(), expected), "{:?} {expected:?}", forecast.votes);
        }
        assert_eq!(forecasts.iter().map(|f| f.decision).collect::<Vec<_>>()[..3], [0, 1, 1]);
    }

    #[test]
    fn objects_that_weigh_nothing_are_no_neighbours() {
        let rows = table("a,d\n0,no\n0,yes\n2,no\n7,yes\n10,yes\n");
        let (columns, decision, weights) = (rows.attributes().to_vec(), rows.decision().clone(), vec![0, 0, 1, 1, 1]);
        let weightless = DecisionTable::new(columns, decision, Weights::Counts(weights.clone())).unwrap();
        let frnn = FuzzyNeighbours { k: 1, ..FuzzyNeighbours::default() };
        let forecasts = |train: &DecisionTable| frnn.fit(train).unwrap().predict(rows.attributes()).unwrap();
        let found = forecasts(&weightless);
        assert_eq!(found, forecasts(&rows.reweighted(&weights).unwrap()));
        assert_eq!(found.iter().map(|forecast| forecast.decision).collect::<Vec<_>>(), [0, 0, 0, 1, 1]);
    }

    #[test]
    fn an_object_of_weight_two_is_two_objects() {
        let twice = table("a,d\n0,no\n0,no\n7,yes\n10,yes\n2,no\n");
        let weighted = table("a,d\n0,no\n7,yes\n10,yes\n2,no\n").reweighted(&[2, 1, 1, 1]).unwrap();
        let new = table("a,d\n1,no\n4,no\n5,no\n");
        for similarity in [Similarity::Range, Similarity::Triangular, Similarity::Gaussian] {
            let frnn = FuzzyNeighbours { k: 3, similarity, ..FuzzyNeighbours::default() };
            let votes = |table: &DecisionTable| -> Vec<f64> {
                let forecasts = frnn.fit(table).unwrap().predict(new.attributes()).unwrap();
                forecasts.into_iter().flat_map(|forecast| forecast.votes.to_vec()).collect()
            };
            assert!(votes(&twice).iter().zip(votes(&weighted)).all(|(a, b)| (a - b).abs() < 1e-12), "{similarity}");
        }
    }
}
