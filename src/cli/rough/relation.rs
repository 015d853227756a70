//! The options that choose a relation between objects.

use anyhow::bail;
use clap::ValueEnum;
use roughboard::rough::{Metric, Relation};

use super::source::Source;
use crate::cli::choice::named;

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
    #[arg(long, value_parser = named::<Metric>())]
    metric: Option<Metric>,
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
            RelationName::Neighbourhood => {
                Relation::neighbourhood(self.radius.unwrap_or(RADIUS), self.metric.unwrap_or_default())?
            }
        })
    }
}
