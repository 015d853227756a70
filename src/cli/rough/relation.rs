//! The options that choose a relation between objects.

use anyhow::bail;
use clap::ValueEnum;
use roughboard::rough::{Metric, Relation};

use super::source::Source;

/// The radius of a neighbourhood unless another is given.
const RADIUS: f64 = 0.1;

/// Which objects are alike.
#[derive(clap::Args)]
pub struct Options {
    /// Which objects are alike
    #[arg(long, value_enum, default_value_t = RelationName::Indiscernibility)]
    relation: RelationName,
    /// For --relation neighbourhood: the largest distance that is near, as a share of each attribute's range
    /// [default: 0.1]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    radius: Option<f64>,
    /// For --relation neighbourhood: how the distances on several attributes make one [default: chebyshev]
    #[arg(long, value_enum)]
    metric: Option<MetricName>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RelationName {
    /// Equal values
    Indiscernibility,
    /// Equal values, and a missing value is like any
    Tolerance,
    /// Near numbers, and equal values of every other kind
    Neighbourhood,
}

#[derive(Clone, Copy, ValueEnum)]
enum MetricName {
    /// The largest distance on an attribute
    Chebyshev,
    /// The root of the sum of squares
    Euclidean,
    /// The sum
    Manhattan,
}

impl Options {
    /// Whether it is not indiscernibility, for objects from `source`.
    pub fn is_other(&self, source: &Source) -> bool {
        self.relation != RelationName::Indiscernibility || source.is_tolerant()
    }

    /// The relation that was chosen for objects from `source`.
    pub fn chosen(&self, source: &Source) -> anyhow::Result<Relation> {
        if self.relation == RelationName::Neighbourhood && source.is_tolerant() {
            bail!("--missing tolerance is a relation of its own and does not go with --relation neighbourhood");
        }
        if self.relation != RelationName::Neighbourhood && (self.radius.is_some() || self.metric.is_some()) {
            bail!("--radius and --metric go with --relation neighbourhood");
        }
        Ok(match self.relation {
            RelationName::Indiscernibility if !source.is_tolerant() => Relation::Indiscernibility,
            RelationName::Indiscernibility | RelationName::Tolerance => Relation::Tolerance,
            RelationName::Neighbourhood => Relation::neighbourhood(
                self.radius.unwrap_or(RADIUS),
                self.metric.map_or(Metric::default(), Into::into),
            )?,
        })
    }
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Self {
        match name {
            MetricName::Chebyshev => Self::Chebyshev,
            MetricName::Euclidean => Self::Euclidean,
            MetricName::Manhattan => Self::Manhattan,
        }
    }
}
