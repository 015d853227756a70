//! How records become training data.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::eval::SkipTerm;
use crate::settings::{Choice, SettingError, above, require, settings};
use crate::train::{PositionSelection, Teacher};

settings! {
    /// How records become training data: by default all positions but those of the opening as the default features of the game
    /// describe them, with their results; a quarter of the games held out.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct DataSettings {
        /// The name of the feature set; empty for the game's default.
        pub features: String = String::new(), as "-";
        /// Which positions are kept, and in which images they are learned from.
        pub selection: PositionSelection = PositionSelection::from_ply(10);
        /// Share of the game's result in what training aims at; the rest is the teacher's value.
        pub result_share: f64 = 1.0, in 0.0..=1.0;
        /// Judges quietness and gives values; needed for either.
        pub teacher: Option<Teacher> = None;
        /// What is added to the argument of the network's output.
        pub skip: Option<SkipTerm> = None;
        /// Share of the games held out to measure the error.
        pub held_out: f64 = 0.25, in above(0.0).below(1.0);
        /// Measurements of the error in each pass.
        pub curve_points: usize = 4, in 1..=1000, as "-";
    }
    and check_teacher
}

impl DataSettings {
    /// Positions from ply `skip_plies` on, with a share of the games held out and `curve_points` measurements in each pass.
    pub fn from_ply(skip_plies: usize, held_out: f64, curve_points: usize) -> Self {
        Self { selection: PositionSelection::from_ply(skip_plies), held_out, curve_points, ..Self::default() }
    }

    /// Puts the first of `names`, the default, in the place of no name.
    pub(super) fn name_features(&mut self, names: &[Choice]) {
        if let ("", [default, ..]) = (self.features.as_str(), names) {
            default.name.clone_into(&mut self.features);
        }
    }

    /// Whether a teacher is needed.
    fn asks_a_teacher(&self) -> bool {
        self.selection.quiescent_only || self.result_share < 1.0
    }

    fn check_teacher(&self) -> Result<(), SettingError> {
        let has_teacher = self.teacher.is_some() || !self.asks_a_teacher();
        require(has_teacher, "teacher", "an evaluator, as quiet positions or their values are asked for", "none")
    }

    /// The same with evaluators named without their folders, which say nothing of them.
    pub(super) fn without_folders(&self) -> Self {
        let mut settings = self.clone();
        let (teacher, skip) = (&mut settings.teacher, &mut settings.skip);
        let names = teacher.iter_mut().map(|teacher| &mut teacher.evaluator);
        for name in names.chain(skip.iter_mut().map(|skip| &mut skip.evaluator)) {
            *name = name_without_folders(name);
        }
        settings
    }

    /// The names of the evaluators that have a say.
    pub fn evaluators(&self) -> impl Iterator<Item = &str> {
        let teacher = self.teacher.as_ref().map(|teacher| teacher.evaluator.as_str());
        teacher.into_iter().chain(self.skip.as_ref().map(|skip| skip.evaluator.as_str()))
    }
}

/// The name of an evaluator without the folders of its file, if it is in one.
pub(super) fn name_without_folders(evaluator: &str) -> String {
    Path::new(evaluator).file_name().unwrap_or_default().to_string_lossy().into_owned()
}
