//! How coarse the knowledge is under which games say nothing new (S1, §3.2): cuts of the attributes, the attributes kept, and what counts
//! as the same object.

use serde::{Deserialize, Serialize};

use crate::experiment::contract::ExperimentError;
use crate::observe::Observer;
use crate::rough::{
    ApproximateReduct, Approximations, Epsilon, Fraction, Measure, Method, Notion, Partition, Reduct, bireducts,
};
use crate::runs::training::Data;
use crate::settings::{SettingError, require};
use crate::table::discretize::{Cuts, Discretizer};
use crate::table::{AttrSet, DecisionTable};
use crate::train::redundancy::reduce_games;

/// Bireducts that are drawn; the one of the most objects is taken.
const DRAWS: u64 = 20;

/// One granularity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Granularity {
    /// The name in tables.
    pub name: String,
    /// How the values of an attribute are cut into intervals; absent for as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<CutMethod>,
    /// Which attributes are kept.
    pub reduct: ReductChoice,
    /// Whether positions in which different moves were played count as different.
    pub moves: bool,
}

/// A way of cutting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutMethod {
    /// So many intervals of equal width.
    Width(u16),
    /// So many intervals of equal weight.
    Frequency(u16),
    /// By least entropy and description length.
    Mdlp,
    /// By the MD heuristic.
    Md,
}

/// Which attributes are kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReductChoice {
    /// All.
    All,
    /// A reduct of this notion.
    Exact(Notion),
    /// As few as keep all but this share of the positive region, in [0, 1).
    Gamma(f64),
    /// As few as keep all but this share of the objects with the heaviest decision of their class, in [0, 1).
    Majority(f64),
    /// Those of the bireduct of the most objects; attributes are drawn so much sooner than objects.
    Bireduct(f64),
}

/// What a granularity makes of games.
pub(crate) struct Grain {
    /// The attributes kept.
    pub attributes: Vec<usize>,
    /// Values of all attributes kept.
    pub n_values: usize,
    /// Classes of objects under the attributes kept.
    pub n_classes: usize,
    /// γ of the attributes kept.
    pub gamma: Fraction,
    /// The games that say something new.
    pub kept: Vec<usize>,
    /// Games of which no position is used: neither kept nor redundant.
    pub without_positions: usize,
}

impl Default for Granularity {
    /// S1's letter: a reduct of the values as they are, and equal moves.
    fn default() -> Self {
        let reduct = ReductChoice::Exact(Notion::Positive);
        Self { name: "values as they are".to_owned(), cuts: None, reduct, moves: true }
    }
}

impl Granularity {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require(!self.name.is_empty(), "granularity.name", "a text", "none")?;
        if let Some(CutMethod::Width(bins) | CutMethod::Frequency(bins)) = self.cuts {
            require(bins >= 1, "granularity.cuts", "at least 1 interval", bins)?;
        }
        match self.reduct {
            ReductChoice::Gamma(share) | ReductChoice::Majority(share) => {
                require((0.0..1.0).contains(&share), "granularity.reduct", "a share in [0, 1)", share)
            }
            ReductChoice::Bireduct(ratio) => {
                require(ratio.is_finite() && ratio > 0.0, "granularity.reduct", "a finite ratio above 0", ratio)
            }
            ReductChoice::All | ReductChoice::Exact(_) => Ok(()),
        }
    }

    /// The choice of attributes in words, for a table.
    pub fn reduct_text(&self) -> String {
        let kind = match self.reduct {
            ReductChoice::All => "all attributes".to_owned(),
            ReductChoice::Exact(notion) => format!("reduct, {notion}"),
            ReductChoice::Gamma(share) => format!("γ, ε = {share}"),
            ReductChoice::Majority(share) => format!("majority, ε = {share}"),
            ReductChoice::Bireduct(ratio) => format!("bireduct, ratio {ratio}"),
        };
        kind + if self.moves { ", with moves" } else { "" }
    }

    /// Whether it is the one that S1 states.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Cuts, reduces, and goes through the training games of `played`, which have no images, in their order; `table` is their decision
    /// table.
    pub(crate) fn grain(
        &self,
        (played, table): (&Data, &DecisionTable),
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Grain, ExperimentError> {
        let fit = |method: CutMethod| Cuts::fit(table, &table.all_attributes(), method.into(), observer);
        let cuts = self.cuts.map(fit).transpose()?;
        let cut = cuts.as_ref().map(|cuts| cuts.apply(table)).transpose()?;
        let coarse = cut.as_ref().unwrap_or(table);
        let kept = self.attributes(coarse, seed, observer)?;
        let attributes: Vec<usize> = kept.iter().map(|attr| attr.index()).collect();
        let recoded = cuts.as_ref().map(|cuts| played.training.recoded(&code_maps(played, cuts)));
        let reduction = reduce_games(recoded.as_ref().unwrap_or(&played.training), &attributes, self.moves);
        Ok(Grain {
            n_values: kept.iter().map(|attr| coarse.attribute(attr).domain().len()).sum(),
            n_classes: Partition::by(coarse, &kept).n_classes(),
            gamma: Approximations::of(coarse, &kept).gamma(),
            kept: reduction.kept,
            without_positions: reduction.too_short,
            attributes,
        })
    }

    fn attributes(&self, table: &DecisionTable, seed: u64, observer: &dyn Observer) -> Result<AttrSet, SettingError> {
        let all = table.all_attributes();
        let approximate = |share: f64, measure: Measure| {
            let epsilon = Epsilon::new(Fraction::new((share * 1e6).round() as u64, 1_000_000))?;
            Ok(ApproximateReduct::of(table, &all, epsilon, measure, Method::Greedy).attrs)
        };
        match self.reduct {
            ReductChoice::All => Ok(all),
            ReductChoice::Exact(notion) => Ok(Reduct::of(table, notion, Method::Backward).attrs().clone()),
            ReductChoice::Gamma(share) => approximate(share, Measure::Gamma),
            ReductChoice::Majority(share) => approximate(share, Measure::Majority),
            ReductChoice::Bireduct(ratio) => {
                let drawn = bireducts(table, &all, DRAWS, ratio, seed, observer)?;
                let best = drawn.into_iter().max_by_key(|drawn| drawn.found.weight);
                Ok(best.map(|drawn| drawn.found.attrs).unwrap_or_default())
            }
        }
    }
}

impl From<CutMethod> for Discretizer {
    fn from(method: CutMethod) -> Self {
        match method {
            CutMethod::Width(bins) => Self::EqualWidth { bins },
            CutMethod::Frequency(bins) => Self::EqualFrequency { bins },
            CutMethod::Mdlp => Self::Mdlp,
            CutMethod::Md => Self::MaximalDiscernibility,
        }
    }
}

/// By attribute and value code, the interval that the value lies in.
fn code_maps(data: &Data, cuts: &Cuts) -> Vec<Vec<u8>> {
    let interval = |cuts: &[f64], value: i32| cuts.iter().filter(|&&cut| cut < f64::from(value)).count() as u8;
    let map = |spec: &crate::features::AttributeSpec| match cuts.of(&spec.name) {
        Some(cuts) => spec.values.iter().map(|&value| interval(cuts, value)).collect(),
        None => (0..=u8::MAX).take(spec.values.len()).collect(),
    };
    data.specs.iter().map(map).collect()
}
