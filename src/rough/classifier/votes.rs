//! The votes for each decision.

use std::sync::Arc;

/// What speaks for each decision, by code: of thousands of decisions only those are kept that something speaks for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Votes {
    n_decisions: usize,
    /// The code of each decision that something speaks for, with that, ascending. Clones share it.
    given: Arc<[(u32, f64)]>,
}

impl From<Vec<f64>> for Votes {
    /// The votes for each decision, by code.
    fn from(votes: Vec<f64>) -> Self {
        let n_decisions = votes.len();
        let given = (0..).zip(votes).filter(|(_, votes)| *votes != 0.0);
        Self { n_decisions, given: given.collect() }
    }
}

impl Votes {
    /// What speaks for the decision with this code; 0 if there is none.
    pub fn of(&self, decision: u32) -> f64 {
        let place = self.given.binary_search_by_key(&decision, |&(code, _)| code);
        place.map_or(0.0, |at| self.given[at].1)
    }

    /// What speaks for each decision, by code.
    pub fn iter(&self) -> impl Iterator<Item = &f64> {
        let mut given = self.given.iter().peekable();
        let votes = move |code: u32| given.next_if(|given| given.0 == code).map_or(&0.0, |given| &given.1);
        (0..self.n_decisions as u32).map(votes)
    }

    /// The same as a list.
    pub fn to_vec(&self) -> Vec<f64> {
        self.iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_decisions_those_are_kept_that_something_speaks_for() {
        let mut all = vec![0.0; 100_000];
        (all[7], all[99_998]) = (2.0, 0.5);
        let votes = Votes::from(all.clone());
        assert_eq!(votes.given.len(), 2);
        assert_eq!([0, 7, 8, 99_998, 99_999, 100_000].map(|code| votes.of(code)), [0.0, 2.0, 0.0, 0.5, 0.0, 0.0]);
        assert_eq!((votes.to_vec(), votes.iter().sum::<f64>()), (all, 2.5));
        assert_eq!((Votes::from(vec![]), Votes::default().to_vec()), (Votes::default(), vec![]));
    }
}
