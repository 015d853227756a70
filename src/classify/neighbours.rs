//! Nearest neighbours by a distance that adds up over the attributes.

use rayon::prelude::*;

use super::measure::Measure;
use super::nearest::radius;
use super::{ClassifyError, Forecast, Learner, Model, Numbers, observed};
use crate::rough::{Point, Similarity, winner};
use crate::settings::{require, settings};
use crate::table::{Attribute, Code, DecisionTable, TableError, with_codes};

settings! {
    /// Lets the nearest training objects vote, by the heterogeneous Euclidean overlap metric (Wilson & Martinez, *Improved
    /// heterogeneous distance functions*, Journal of Artificial Intelligence Research 6, 1997): the root of the sum over the
    /// attributes of (difference / range of the training objects)² for numbers, and of 1 for other values that differ. Without
    /// numbers that orders objects by the number of attributes in which they differ. A missing value is a value of its own.
    ///
    /// Neighbours are taken distance by distance until they are at least `k` observations. All objects at the last distance
    /// vote, so that the order of rows does not matter; an object of weight w is w observations.
    #[derive(Debug, Clone, Copy)]
    pub struct NearestNeighbours {
        /// The least number of observations that vote, at least 1 and at most all.
        pub k: u64 = 5, in 1..;
        /// Whether numbers are taken for names, which are equal or not.
        pub as_values: bool = false;
    }
}

struct Memory {
    k: u64,
    measures: Vec<Measure>,
    /// How far rounding may move distances because numbers are far from 0.
    slack: f64,
    /// For each attribute of numbers the number of each training object in units of its range.
    numbers: Vec<Vec<Option<f64>>>,
    table: DecisionTable,
    priors: Vec<u64>,
}

impl Learner for NearestNeighbours {
    fn name(&self) -> String {
        "knn".to_owned()
    }

    fn numbers(&self) -> Numbers {
        Numbers::scaled_unless(self.as_values)
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        self.check()?;
        let n_objects = table.total_weight();
        require(self.k <= n_objects, "k", &format!("at most the {n_objects} training objects"), self.k)?;
        let table = observed(table)?.into_owned();
        let measures = Measure::of_all(&table, Similarity::Range, self.as_values)?;
        let points = Measure::points_of_all(&measures, &table, table.attributes())?;
        let numbers = points.into_iter().map(|points| points.into_iter().map(Point::number).collect()).collect();
        let (slack, priors) = (Measure::slack_of_all(&measures), table.decision_weights());
        Ok(Box::new(Memory { k: self.k, measures, slack, numbers, priors, table }))
    }
}

impl Model for Memory {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let points = Measure::points_of_all(&self.measures, &self.table, columns)?;
        let forecast = |distances: &mut Vec<f64>, row: usize| {
            distances.clear();
            distances.resize(self.table.n_objects(), 0.0);
            points.iter().enumerate().for_each(|(at, points)| self.add(at, points[row], distances));
            distances.iter_mut().for_each(|square| *square = square.sqrt());
            self.vote(distances)
        };
        let n_rows = columns.first().map_or(0, Attribute::len);
        Ok((0..n_rows).into_par_iter().map_init(Vec::new, forecast).collect())
    }
}

impl Memory {
    /// Adds to the squared distance of each training object what a point of an attribute is away. A value that no training object
    /// has is as far from one as from another, and adds nothing.
    fn add(&self, attribute: usize, point: Point, squares: &mut [f64]) {
        match point {
            Point::Number(_) => {
                let own = point.number();
                for (square, other) in squares.iter_mut().zip(&self.numbers[attribute]) {
                    *square += match (own, other) {
                        (Some(own), Some(other)) => (own - other).powi(2),
                        (own, other) => f64::from(own.is_some() != other.is_some()),
                    };
                }
            }
            Point::Code(None) => {}
            Point::Code(Some(own)) => with_codes!(self.table.attributes()[attribute].codes(), codes => {
                for (square, code) in squares.iter_mut().zip(codes) {
                    *square += f64::from(code.index() != own as usize);
                }
            }),
        }
    }

    fn vote(&self, distances: &[f64]) -> Forecast {
        let objects = distances.iter().enumerate().map(|(row, &distance)| (distance, self.table.weight(row)));
        let radius = radius(objects.collect(), self.k, self.slack);
        let mut votes = vec![0.0; self.priors.len()];
        for (row, _) in distances.iter().enumerate().filter(|(_, distance)| **distance <= radius) {
            votes[self.table.decision().code(row) as usize] += self.table.weight(row) as f64;
        }
        Forecast { decision: winner(&votes, &self.priors), votes: votes.into(), basis: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Roles, Weights};

    fn votes(k: u64, object: [&str; 3]) -> Vec<f64> {
        let rows = [["0", "0", "0", "x"], ["0", "0", "1", "y"], ["0", "1", "1", "y"], ["1", "1", "1", "x"]];
        let names = ["a", "b", "c"];
        let table = DecisionTable::from_rows(&names, "d", &rows).unwrap().reweighted(&[1, 2, 1, 1]).unwrap();
        let new = DecisionTable::from_rows(&names, "d", &[[object[0], object[1], object[2], "x"]]).unwrap();
        NearestNeighbours { k, ..NearestNeighbours::default() }
            .fit(&table)
            .unwrap()
            .predict(new.attributes())
            .unwrap()
            .remove(0)
            .votes
            .to_vec()
    }

    #[test]
    fn neighbours_vote_by_distance_with_all_ties() {
        assert_eq!(votes(1, ["0", "0", "0"]), [1.0, 0.0]);
        assert_eq!(votes(2, ["0", "0", "0"]), [1.0, 2.0]);
        assert_eq!(votes(4, ["0", "0", "0"]), [1.0, 3.0]);
        assert_eq!(votes(5, ["0", "0", "0"]), [2.0, 3.0]);
        assert_eq!(votes(1, ["9", "9", "9"]), [2.0, 3.0]);
        assert_eq!(votes(1, ["9", "1", "1"]), [1.0, 1.0]);
    }

    /// As numbers, 0.3 - 0.2 is less than 0.2 - 0.1, and so with numbers that are near to each other in a wide range.
    #[test]
    fn rounding_parts_no_objects_at_one_distance() {
        let table = |csv: &str| DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap();
        let nearest = |train: &str, new: &str| {
            let knn = NearestNeighbours { k: 1, ..NearestNeighbours::default() };
            knn.fit(&table(train)).unwrap().predict(table(new).attributes()).unwrap().remove(0)
        };
        let forecast = nearest("a,d\n0,z\n1,x\n3,y\n10,x\n", "a,d\n2,x\n");
        assert_eq!((forecast.decision, forecast.votes.to_vec()), (0, vec![1.0, 1.0, 0.0]));
        let wide = nearest("a,d\n0,z\n1000001,x\n1000003,y\n3000000,x\n", "a,d\n1000002,x\n");
        assert_eq!((wide.decision, wide.votes.to_vec()), (0, vec![1.0, 1.0, 0.0]));
        let far = nearest("a,d\n1000000.0,z\n1000000.1,x\n1000000.3,y\n1000001.0,x\n", "a,d\n1000000.2,x\n");
        assert_eq!((far.decision, far.votes.to_vec()), (0, vec![1.0, 1.0, 0.0]));
    }

    #[test]
    fn objects_that_weigh_nothing_are_no_neighbours() {
        let column = |name: &str, numbers: [i64; 4]| Attribute::from_integers(name, numbers);
        let (a, d) = (column("a", [0, 1, 5, 9]), column("d", [0, 1, 1, 0]));
        let train = DecisionTable::new(vec![a], d, Weights::Counts(vec![0, 1, 2, 4])).unwrap();
        let votes = |k: u64| {
            let model = NearestNeighbours { k, ..NearestNeighbours::default() }.fit(&train).unwrap();
            model.predict(&[Attribute::from_integers("a", [0])]).unwrap().remove(0).votes.to_vec()
        };
        assert_eq!([votes(1), votes(2), votes(7)], [[0.0, 1.0], [0.0, 3.0], [4.0, 3.0]]);
    }

    #[test]
    fn numbers_are_near_in_units_of_their_range() {
        let table = |csv: &str| DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap();
        let train = table("x,y,c,d\n0,100,p,a\n1,500,p,b\n10,200,q,c\n?,300,p,m\n");
        let nearest = |row: &str, as_values: bool| {
            let knn = NearestNeighbours { k: 1, as_values };
            knn.fit(&train)
                .unwrap()
                .predict(table(&format!("x,y,c,d\n{row},a\n")).attributes())
                .unwrap()
                .remove(0)
                .votes
                .to_vec()
        };
        // By the squares 0.0416, 0.6436, 1.9241 and 1.09; the ranges are 10 and 400.
        assert_eq!(nearest("0.4,180,p", false), [1.0, 0.0, 0.0, 0.0]);
        // By 0.8606, 1.2406, 1.0106 and 1.0756: another name is as far as a whole range.
        assert_eq!(nearest("9,190,p", false), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(nearest("9,190,q", false), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(nearest("?,290,p", false), [0.0, 0.0, 0.0, 1.0]);
        // As names, 0.4 and 180 are as far from all.
        assert_eq!(nearest("0.4,180,p", true), [1.0, 1.0, 0.0, 1.0]);
    }
}
