//! How records become training data.

use serde::Serialize;

use crate::eval::SkipTerm;
use crate::settings::{Choice, SettingError, require, within};
use crate::train::{PositionSelection, Teacher};

/// How records become training data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DataSettings {
    /// The name of the feature set; empty for the game's default.
    pub features: String,
    /// Which positions are kept, and in which images they are learned from.
    pub selection: PositionSelection,
    /// Share of the game's result in what training aims at, in [0, 1]; the rest is the teacher's value.
    pub result_share: f64,
    /// Judges quietness and gives values; needed for either.
    pub teacher: Option<Teacher>,
    /// What is added to the argument of the network's output.
    pub skip: Option<SkipTerm>,
    /// Share of the games held out, in (0, 1).
    pub held_out: f64,
    /// Measurements of the curve in each pass, in [1, 1000].
    pub curve_points: usize,
}

impl Default for DataSettings {
    /// All positions but those of the opening as the default features of the game describe them, with their results; a quarter of the
    /// games held out.
    fn default() -> Self {
        Self::from_ply(10, 0.25, 4)
    }
}

impl DataSettings {
    /// Positions from ply `skip_plies` on, with a share of the games held out and `curve_points` measurements in each pass.
    pub fn from_ply(skip_plies: usize, held_out: f64, curve_points: usize) -> Self {
        let (features, selection) = (String::new(), PositionSelection::from_ply(skip_plies));
        Self { features, selection, result_share: 1.0, teacher: None, skip: None, held_out, curve_points }
    }

    /// Puts the first of `names`, the default, in the place of no name.
    pub(super) fn name_features(&mut self, names: &[Choice]) {
        if let ("", [default, ..]) = (self.features.as_str(), names) {
            default.name.clone_into(&mut self.features);
        }
    }

    /// Whether a teacher is needed.
    pub fn asks_a_teacher(&self) -> bool {
        self.selection.quiescent_only || self.result_share < 1.0
    }

    /// Checks the ranges, and that there is a teacher if one is needed.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((0.0..=1.0).contains(&self.result_share), "result_share", "in [0, 1]", self.result_share)?;
        require(self.held_out > 0.0 && self.held_out < 1.0, "held_out", "in (0, 1)", self.held_out)?;
        require((1..=1000).contains(&self.curve_points), "curve_points", "in [1, 1000]", self.curve_points)?;
        let has_teacher = self.teacher.is_some() || !self.asks_a_teacher();
        require(has_teacher, "teacher", "an evaluator where quiet positions or their values are asked for", "none")?;
        within("teacher", self.teacher.as_ref().map_or(Ok(()), Teacher::check))?;
        within("skip", self.skip.as_ref().map_or(Ok(()), SkipTerm::check))
    }

    /// The names of the evaluators that have a say.
    pub fn evaluators(&self) -> impl Iterator<Item = &str> {
        let teacher = self.teacher.as_ref().map(|teacher| teacher.evaluator.as_str());
        teacher.into_iter().chain(self.skip.as_ref().map(|skip| skip.evaluator.as_str()))
    }
}
