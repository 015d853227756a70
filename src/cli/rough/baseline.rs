//! Classifiers beside rules, as the command line names them.

use roughboard::classify::{FuzzyNeighbours, Learner, Logistic, Majority, NearestNeighbours, Riona, Tree};
use roughboard::rough::{Similarity, TNorm};

roughboard::choices! {
    /// A classifier beside rules.
    pub enum Baseline = Majority {
        /// Decision tree by the Gini index.
        Tree,
        /// Multinomial logistic regression on scaled numbers and indicators of other values.
        Logistic,
        /// Nearest neighbours by scaled differences of numbers, and whether other values differ.
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
        /// For knn and logistic: numbers are names, such as codes of categories, and no quantities.
        nominal: bool = false;
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
        let &NeighbourSettings { k, nominal: as_values, similarity, t_norm, k_max } = settings;
        match self {
            Self::Tree => Box::new(Tree),
            Self::Logistic => Box::new(Logistic { as_values }),
            Self::Knn => Box::new(NearestNeighbours { k, as_values }),
            Self::Frnn => Box::new(FuzzyNeighbours { k, similarity, t_norm }),
            Self::Riona => Box::new(Riona { k_max }),
            Self::Majority => Box::new(Majority),
        }
    }

    /// Whether it computes with numbers.
    pub fn computes(self, settings: &NeighbourSettings) -> bool {
        self != Self::Majority && !self.compares_values(settings)
    }

    /// Whether numbers are values like others to it, of which only known ones say something.
    pub const fn compares_values(self, settings: &NeighbourSettings) -> bool {
        matches!(self, Self::Knn | Self::Logistic) && settings.nominal
    }
}
