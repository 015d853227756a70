//! Classifiers beside rules, as the command line names them.

use roughboard::classify::{FuzzyNeighbours, Learner, Logistic, Majority, NearestNeighbours, Riona, Tree};
use roughboard::rough::{Similarity, TNorm};

roughboard::choices! {
    /// A classifier beside rules.
    pub enum Baseline = Majority {
        /// Decision tree by the Gini index.
        Tree,
        /// Multinomial logistic regression on indicators of values.
        Logistic,
        /// Nearest neighbours by Hamming distance.
        Knn,
        /// Fuzzy-rough nearest neighbours: numbers are similar to a degree.
        Frnn,
        /// Local rules of nearest neighbours (RIONA).
        Riona,
        /// The most frequent decision.
        Majority,
    }
}

roughboard::settings! {
    /// How neighbours decide.
    #[derive(Debug)]
    pub struct NeighbourSettings {
        /// For knn and frnn: the number of neighbours.
        k: u64 = 5, in 1..;
        /// For frnn: how similar two numbers are.
        similarity: Similarity = Similarity::Range;
        /// For frnn: how the degrees of several attributes make one.
        t_norm: TNorm = TNorm::Minimum;
        /// For riona: the most neighbours; how many there are is chosen by leaving out training objects.
        k_max: usize = 100, in 1..=10_000;
    }
}

impl Baseline {
    /// The classifier itself.
    pub fn learner(self, settings: &NeighbourSettings) -> Box<dyn Learner> {
        let &NeighbourSettings { k, similarity, t_norm, k_max } = settings;
        match self {
            Self::Tree => Box::new(Tree),
            Self::Logistic => Box::new(Logistic),
            Self::Knn => Box::new(NearestNeighbours { k }),
            Self::Frnn => Box::new(FuzzyNeighbours { k, similarity, t_norm }),
            Self::Riona => Box::new(Riona { k_max }),
            Self::Majority => Box::new(Majority),
        }
    }
}
