//! Nearest neighbours by the number of attributes in which objects differ.

use rayon::prelude::*;

use super::{ClassifyError, Forecast, Learner, Model};
use crate::rough::winner;
use crate::settings::{require, settings};
use crate::table::{Attribute, Code, DecisionTable, Encoded, Encoder, TableError, with_codes};

settings! {
    /// Lets the nearest training objects vote, by Hamming distance: the number of attributes with different values, which
    /// is the distance that makes sense for values without order.
    ///
    /// Neighbours are taken distance by distance until they are at least `k` observations. All objects at the last distance
    /// vote, so that the order of rows does not matter; an object of weight w is w observations.
    #[derive(Debug, Clone, Copy)]
    pub struct NearestNeighbours {
        /// The least number of observations that vote, at least 1 and at most all.
        pub k: u64 = 5, in 1..;
    }
}

struct Memory {
    k: u64,
    encoder: Encoder,
    table: DecisionTable,
    priors: Vec<u64>,
}

impl Learner for NearestNeighbours {
    fn name(&self) -> String {
        "knn".to_owned()
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        self.check()?;
        let n_objects = table.total_weight();
        require(self.k <= n_objects, "k", &format!("at most the {n_objects} training objects"), self.k)?;
        let encoder = Encoder::of(table.attributes());
        Ok(Box::new(Memory { k: self.k, encoder, table: table.clone(), priors: table.decision_weights() }))
    }
}

impl Model for Memory {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let encoded = self.encoder.encode(columns)?;
        let forecast = |distances: &mut Vec<u32>, row| {
            self.measure(&encoded, row, distances);
            self.vote(distances)
        };
        Ok((0..encoded.n_rows).into_par_iter().map_init(Vec::new, forecast).collect())
    }
}

impl Memory {
    /// The distance of each training object to the row `row`, less the number of values that no training object has:
    /// those are as far from one as from another.
    fn measure(&self, encoded: &Encoded<'_>, row: usize, distances: &mut Vec<u32>) {
        distances.clear();
        distances.resize(self.table.n_objects(), 0);
        for (column, attribute) in encoded.columns.iter().zip(self.table.attributes()) {
            let Some(own) = column.place(row).code() else { continue };
            with_codes!(attribute.codes(), codes => {
                for (distance, code) in distances.iter_mut().zip(codes) {
                    *distance += u32::from(code.index() != own as usize);
                }
            });
        }
    }

    fn vote(&self, distances: &[u32]) -> Forecast {
        let mut at_distance = vec![0_u64; self.table.n_attributes() + 1];
        for (row, &distance) in distances.iter().enumerate() {
            at_distance[distance as usize] += self.table.weight(row);
        }
        let mut counted = 0;
        let enough = |weight: &u64| {
            counted += weight;
            counted >= self.k
        };
        let radius = at_distance.iter().position(enough).unwrap_or(at_distance.len()) as u32;
        let mut votes = vec![0.0; self.priors.len()];
        for (row, _) in distances.iter().enumerate().filter(|(_, distance)| **distance <= radius) {
            votes[self.table.decision().code(row) as usize] += self.table.weight(row) as f64;
        }
        Forecast { decision: winner(&votes, &self.priors), votes, basis: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn votes(k: u64, object: [&str; 3]) -> Vec<f64> {
        let rows = [["0", "0", "0", "x"], ["0", "0", "1", "y"], ["0", "1", "1", "y"], ["1", "1", "1", "x"]];
        let names = ["a", "b", "c"];
        let table = DecisionTable::from_rows(&names, "d", &rows).unwrap().reweighted(&[1, 2, 1, 1]).unwrap();
        let new = DecisionTable::from_rows(&names, "d", &[[object[0], object[1], object[2], "x"]]).unwrap();
        NearestNeighbours { k }.fit(&table).unwrap().predict(new.attributes()).unwrap().remove(0).votes
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
}
