//! Questions about a table under a relation between its objects.

use anyhow::bail;
use roughboard::rough::{Metric, Relation};
use roughboard::table::DecisionTable;

use super::answer::Answer;
use super::hints;
use super::source::{Missing, Source};
use crate::cli::settings::named;
use crate::cli::values::real;

/// What there is against numbers with many values.
const REMEDY: &str = "cut them into intervals with `rough discretize`, or take --relation neighbourhood";

roughboard::choices! {
    /// Which objects are alike.
    enum RelationName = Indiscernibility {
        /// Equal values.
        Indiscernibility,
        /// Equal values, and a missing value is like any.
        Tolerance,
        /// Near numbers, and equal values of every other kind.
        Neighbourhood,
    }
}

/// A decision table, and which of its objects are alike.
#[derive(clap::Args)]
pub struct RelatedQuery {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub answer: Answer,
    /// Which objects are alike [default: indiscernibility]
    #[arg(long, value_parser = named::<RelationName>())]
    relation: Option<RelationName>,
    /// For --relation neighbourhood: the largest distance that is near, as a share of each attribute's range
    #[arg(long, value_name = "R", allow_negative_numbers = true, default_value_t = 0.1, value_parser = real)]
    radius: f64,
    /// For --relation neighbourhood: how the distances on several attributes are combined
    #[arg(long, value_parser = named::<Metric>(), default_value_t)]
    metric: Metric,
}

impl RelatedQuery {
    /// Whether it is another relation than indiscernibility.
    pub fn is_other(&self) -> bool {
        self.relation.is_some_and(|name| name != RelationName::Indiscernibility) || self.source.is_tolerant()
    }

    /// Prints what is to be said of the conditions of a table under this relation.
    pub fn note(&self, table: &DecisionTable) {
        hints::note(table, (!self.compares_numbers()).then_some(REMEDY));
        self.note_large(table);
    }

    /// Prints what is to be said of whole numbers, if this relation computes with them.
    pub fn note_large(&self, table: &DecisionTable) {
        if self.compares_numbers() {
            hints::note_large(table);
        }
    }

    /// Whether numbers are alike if they are near.
    fn compares_numbers(&self) -> bool {
        self.relation == Some(RelationName::Neighbourhood)
    }

    /// The relation that was chosen.
    pub fn relation(&self) -> anyhow::Result<Relation> {
        let is_tolerant = self.source.is_tolerant();
        if let Some(name) = self.relation.filter(|name| is_tolerant && *name != RelationName::Tolerance) {
            bail!("--missing tolerance is a relation of its own and cannot be combined with --relation {name}");
        }
        if self.relation == Some(RelationName::Tolerance) && self.source.view.missing == Missing::Drop {
            bail!(
                "--relation tolerance has no effect with --missing drop, which leaves no value missing: leave one of them out"
            );
        }
        let usual = if is_tolerant { RelationName::Tolerance } else { RelationName::default() };
        Ok(match self.relation.unwrap_or(usual) {
            RelationName::Indiscernibility => Relation::Indiscernibility,
            RelationName::Tolerance => Relation::Tolerance,
            RelationName::Neighbourhood => Relation::neighbourhood(self.radius, self.metric)?,
        })
    }
}
