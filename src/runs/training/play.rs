//! TD(λ) by playing, and TD-Leaf on recorded games.

use std::path::Path;

use super::data::identified;
use super::run::{Initialisation, Learned, carry_out};
use super::{Basis, Data, DataSettings, LearnError};
use crate::eval::{Catalogue, Factory};
use crate::record::GameRecord;
use crate::report::{Cell, Table};
use crate::settings::{SettingError, require};
use crate::train::play::{
    GameLog, LeafLambda, LeafSettings, LearnerGames, Opponent, PlayLambda, PlaySettings, score_of,
};
use crate::train::{Maker, TrainingContext, TrainingPlan, split_games};

/// An evaluator that does not learn, whom the network plays.
pub struct Rival<G: Catalogue> {
    /// Its name without folders, and its SHA-256.
    pub file: (String, String),
    make: Factory<G>,
}

impl<G: Catalogue> Rival<G> {
    /// The opponent of `settings`, if it is not the network itself or a random mover. They call it by its name without folders from
    /// then on: where its file lies is no part of a run.
    ///
    /// # Errors
    /// When it is unknown or its file cannot be read.
    pub fn of(settings: &mut PlaySettings) -> Result<Option<Self>, LearnError> {
        let Opponent::Fixed { evaluator, .. } = &mut settings.opponent else { return Ok(None) };
        let rival = Self { file: identified::<G>(evaluator)?, make: G::evaluator_factory(evaluator)? };
        rival.file.0.clone_into(evaluator);
        Ok(Some(rival))
    }
}

/// What learning by playing gives.
pub struct Player {
    /// The network.
    pub learned: Learned,
    /// How it scored while it learned.
    pub scores: Table,
}

/// Learning by searches takes every position of a game as it is: settings that choose positions, their images or their values are
/// refused.
///
/// # Errors
/// For the first of them.
pub fn check_searched_data(settings: &DataSettings) -> Result<(), SettingError> {
    let selection = &settings.selection;
    let range = "left out when TD(λ) learns by searching";
    for (name, is_set) in [
        ("quiescent_only", selection.quiescent_only),
        ("mirror", selection.mirror),
        ("flip_colours", selection.flip_colours),
    ] {
        require(!is_set, name, range, is_set)?;
    }
    let skip = settings.skip.as_ref().map_or("", |skip| &skip.evaluator);
    require(settings.skip.is_none(), "skip.evaluator", range, skip)
}

/// Trains the network of `beginning` by playing as `settings` say, against the `rival` that [`Rival::of`] makes of them; errors are
/// measured on `data`. The games are written to `games` if that is given. A score is that of the last `window` games.
///
/// # Errors
/// When a setting is out of its range, a file cannot be used, or training runs away.
pub fn learn_by_playing<G: Catalogue>(
    data: &Data,
    mut beginning: Initialisation,
    (settings, rival): (&PlaySettings, Option<Rival<G>>),
    (games, window): (Option<&Path>, usize),
    context: TrainingContext<'_>,
) -> Result<Player, LearnError> {
    settings.check()?;
    check_searched_data(&data.basis.settings)?;
    beginning.about.inputs.extend(rival.as_ref().map(|rival| rival.file.clone()));
    let features = data.features_of::<G>()?;
    let mut log = games.map(GameLog::new);
    let learner_games = LearnerGames {
        settings: settings.clone(),
        seed: data.basis.seed,
        features: &features,
        opponent: rival.as_ref().map(|rival| &rival.make as Maker<'_, G>),
    };
    let mut method = PlayLambda::new(learner_games, log.as_mut());
    let plan = TrainingPlan { passes: 1, parts: settings.measurements(), patience: None };
    let learned = carry_out(&mut method, ("td", "td by playing"), (beginning, data), plan, context)?;
    let scores = score_table(&learned, settings, method.points(), window);
    log.map_or(Ok(()), |log| log.finish(settings.games)).map_err(crate::train::RunError::from)?;
    Ok(Player { learned, scores })
}

/// The score at each measurement: the learner's against another, in self-play the first side's.
fn score_table(learned: &Learned, settings: &PlaySettings, points: &[f32], window: usize) -> Table {
    let who = if settings.opponent == Opponent::Itself { "first_side_score" } else { "learner_score" };
    let parts = learned.curve.len() - 1;
    let rows = learned.curve.iter().enumerate().map(|(part, point)| {
        let games = settings.games * part / parts.max(1);
        let score = score_of(points, games, window).map_or_else(|| Cell::from(""), |score| Cell::real(score, 4));
        [games.into(), point.positions.into(), score, Cell::real(point.held_out_mse, 4)]
    });
    Table::new("Scores", &[], &["games", "positions", who, "held_out_mse"]).with_rows(rows)
}

/// Trains the network of `beginning` by TD-Leaf on those of `records` that `data`, which was made of them, does not hold out.
///
/// # Errors
/// When a setting is out of its range, the checkpoint cannot be used, or training runs away.
pub fn learn_from_leaves<G: Catalogue>(
    (data, records): (&Data, &[GameRecord<G>]),
    beginning: Initialisation,
    settings: &LeafSettings,
    context: TrainingContext<'_>,
) -> Result<Learned, LearnError> {
    settings.check()?;
    check_searched_data(&data.basis.settings)?;
    let Basis { settings: of_data, seed, .. } = &data.basis;
    let (training, _) = split_games(records.len(), of_data.held_out, *seed);
    let games = training.iter().map(|&index| &records[index]).collect();
    let features = data.features_of::<G>()?;
    let mut method = LeafLambda::new(settings.clone(), &features, games);
    let plan = TrainingPlan { passes: settings.passes, parts: of_data.curve_points, patience: None };
    carry_out(&mut method, ("td", "td-leaf"), (beginning, data), plan, context)
}
