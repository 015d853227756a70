//! Games that a run makes for itself where it was given none: a game's usual evaluator against itself.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::contract::{Context, ExperimentError, Recorded};
use crate::arena::{Adjudication, AlphaBetaPlayer, Generation, GenerationSettings};
use crate::eval::Catalogue;
use crate::record::GameRecord;
use crate::search::{Limits, SearchSettings};
use crate::settings::within;

/// How games are made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// How many.
    pub games: usize,
    /// Search depth of both sides, in plies, in [1, 64].
    pub depth: u32,
    /// Plies at the start of each game that are drawn from the nearly best moves.
    pub random_plies: usize,
    /// How much worse than the best a drawn move may look, in expected result.
    pub margin: f64,
    /// Plies after which a game is called a draw.
    pub max_plies: usize,
}

impl SelfPlay {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self, seed: u64) -> Result<(), ExperimentError> {
        let checked = Limits::to_depth(self.depth).and_then(|_| self.generation(seed).check());
        // The cap stands here by itself.
        let checked = checked.map_err(|error| error.without("adjudication"));
        Ok(within("self_play", checked)?)
    }

    fn generation(&self, seed: u64) -> GenerationSettings {
        let adjudication = Adjudication { max_plies: self.max_plies, ..Adjudication::default() };
        let Self { games, random_plies, margin, .. } = *self;
        GenerationSettings { games, random_plies, margin, adjudication, seed }
    }

    /// Plays the games; one seed gives the same ones on any number of threads.
    ///
    /// # Errors
    /// When a setting is outside its range.
    pub fn play<G: Catalogue>(&self, context: &Context<'_>, seed: u64) -> Result<Vec<GameRecord<G>>, ExperimentError> {
        let search = SearchSettings { transposition_mb: 1, ..SearchSettings::of_game::<G>() };
        let player = AlphaBetaPlayer::named(G::DEFAULT_EVALUATOR, search, Limits::to_depth(self.depth)?)?;
        let settings = self.generation(seed);
        let generation =
            Generation { event: "roughboard self-play", players: [&player; 2], drawer: Some(&player), settings };
        Ok(generation.play(None, context.observer)?)
    }
}

/// The games that the run was given, or those of `self_play` where it was given none.
///
/// # Errors
/// When a setting is outside its range.
pub(crate) fn games_given_or_made<'a, G: Catalogue + Recorded>(
    context: &Context<'a>,
    self_play: &SelfPlay,
    seed: u64,
) -> Result<Cow<'a, [GameRecord<G>]>, ExperimentError> {
    let given = context.games::<G>(None);
    if given.is_empty() { self_play.play(context, seed).map(Cow::Owned) } else { Ok(Cow::Borrowed(given)) }
}
