//! Self-play of Surakarta in an experiment, and matches of the networks among each other and against players that do not learn.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::contract::{Context, ExperimentError};
use crate::arena::{
    AlphaBetaPlayer, Effort, JournalPlace, MatchResult, MatchSettings, Opening, OpeningSettings, Player, RandomPlayer,
    Shard, Tournament, TournamentResult, TreePlayer, random_openings,
};
use crate::eval::ResidualEvaluator;
use crate::game::Game;
use crate::games::surakarta::Surakarta;
use crate::net::residual::Weights;
use crate::record::GameRecord;
use crate::runs::{FileError, RunFolder, file_name};
use crate::search::mcts::MctsSettings;
use crate::search::mcts::single::SearcherSettings;
use crate::search::{Limits, SearchSettings};
use crate::settings::{SettingError, require, require_in, within};
use crate::train::zero::{ZeroError, ZeroPlan, ZeroSettings};

/// The evaluator that networks play, a ply deep and without quiescence.
const MATERIAL: &str = "material";
/// The players that do not learn: a random mover, and the count of pieces a ply deep.
pub(crate) const UNLEARNED: [&str; 2] = ["random", "material, depth 1"];

/// How matches are played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchPlan {
    /// Simulations of each search, in [1, 100000000].
    pub simulations: u32,
    /// The temperature of the moves of networks, in [0, 100]; 0.1 in S4.
    pub temperature: f64,
    /// Plies at the start of each pair of games that are drawn evenly, in [0, 200].
    pub opening_plies: usize,
    /// The search.
    pub search: MctsSettings,
}

impl MatchPlan {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        self.effort().check(self.search.selection)?;
        let temperature = self.temperature;
        require_in("temperature", 0.0..=100.0, temperature)?;
        require(self.opening_plies <= 200, "opening_plies", "in [0, 200]", self.opening_plies)?;
        within("search", self.search.check())
    }

    /// The limits of each search.
    const fn effort(&self) -> Effort {
        Effort { simulations: Some(self.simulations), movetime: None }
    }

    /// In a few words, for readers.
    pub fn line(&self) -> String {
        format!(
            "matches: {} simulations a move, temperature {}, {} random plies, each opening with both colours",
            self.simulations, self.temperature, self.opening_plies
        )
    }
}

/// Checks that self-play of `training` begins at the initial board, from which the openings of matches are drawn.
///
/// # Errors
/// When it begins elsewhere, or at the end of a game.
pub(crate) fn check_start(training: &ZeroSettings) -> Result<(), SettingError> {
    let start = training.start::<Surakarta>();
    let is_usual = start.is_ok_and(|start| start.key() == Surakarta::start().key() && start.end().is_none());
    require(is_usual, "start", "the initial board, with any rules of the end", &training.start)
}

/// The parts of a run's state that self-play keeps its games and its checkpoints in.
pub(crate) struct SelfPlayFolders {
    games: RunFolder,
    state: RunFolder,
}

impl SelfPlayFolders {
    /// Those called `name`.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn open(context: &Context<'_>, name: &str) -> Result<Self, FileError> {
        let games = context.folder.part(name)?;
        Ok(Self { state: games.part("state")?, games })
    }

    /// Self-play by `settings` in these folders.
    pub fn plan<'a>(&'a self, settings: &'a ZeroSettings, seed: u64) -> ZeroPlan<'a> {
        ZeroPlan { settings, seed, init: None, actors: None, folder: &self.games.work, state: &self.state.work }
    }
}

/// What the matches of an experiment are played with.
pub(crate) struct NetworkMatches<'a> {
    /// How they are played.
    pub plan: &'a MatchPlan,
    /// How the networks have learned: where games begin, and which positions networks see.
    pub training: &'a ZeroSettings,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// The run, in whose state journals are kept.
    pub context: &'a Context<'a>,
}

/// A match whose openings are drawn, and which is yet to be played.
pub(crate) struct DrawnMatch {
    /// What its records and its journal are named after.
    title: String,
    /// Tells its openings and all else that is drawn from those of other matches.
    number: u64,
    /// Each for two games.
    openings: Vec<Opening<Surakarta>>,
}

impl NetworkMatches<'_> {
    /// A match of so many `games`, on openings of that `number`. It is drawn before the networks learn, so that a lack of openings shows at
    /// once.
    ///
    /// # Errors
    /// When there are too few openings.
    pub fn drawn(&self, title: impl Into<String>, games: usize, number: u64) -> Result<DrawnMatch, ExperimentError> {
        Ok(DrawnMatch { title: title.into(), number, openings: self.openings(games, number)? })
    }

    /// The player called `name` with the network `weights`.
    ///
    /// # Errors
    /// When the weights do not fit the game.
    pub fn network(&self, name: &str, weights: &Weights) -> Result<Box<dyn Player<Surakarta>>, ExperimentError> {
        let &MatchPlan { temperature, search: mcts, .. } = self.plan;
        let history = self.training.network.history;
        Ok(Box::new(TreePlayer {
            name: name.to_owned(),
            checksum: weights.sha256(),
            network: Arc::new(ResidualEvaluator::<Surakarta>::new(weights, history, true)?),
            search: SearcherSettings { mcts, temperature, ..SearcherSettings::default() },
            effort: self.plan.effort(),
        }))
    }

    /// All games between `players`; those that were played before this run was interrupted are in a journal.
    ///
    /// # Errors
    /// When the match cannot be played.
    pub fn play(
        &self,
        players: Vec<Box<dyn Player<Surakarta>>>,
        DrawnMatch { title, number, openings }: DrawnMatch,
    ) -> Result<PlayedMatches, ExperimentError> {
        let settings = MatchSettings {
            games: 2 * openings.len(),
            seed: self.seed.wrapping_add(number),
            event: format!("{}, {title}", self.context.name),
            ..MatchSettings::default()
        };
        let tournament = Tournament::new(players, openings, &settings, Vec::new())?;
        let (journal, observer) = (self.context.state(&format!("{}.jsonl", file_name(&title))), self.context.observer);
        observer.remark(&title);
        let played = tournament.play(Shard::WHOLE, Some(JournalPlace::new(&journal)), observer)?;
        Ok(PlayedMatches { result: played.result(), records: played.records().collect::<Result<_, _>>()? })
    }

    /// As [`Self::play`], `networks` and those that do not learn, everybody against everybody.
    ///
    /// # Errors
    /// Those of a network; when the match cannot be played.
    pub fn play_all(
        &self,
        networks: impl Iterator<Item = Result<Box<dyn Player<Surakarta>>, ExperimentError>>,
        drawn: DrawnMatch,
    ) -> Result<PlayedMatches, ExperimentError> {
        let material = AlphaBetaPlayer::named(MATERIAL, SearchSettings::exact(), Limits::to_depth(1)?)?;
        let material = AlphaBetaPlayer { name: UNLEARNED[1].to_owned(), ..material };
        let unlearned: [Box<dyn Player<Surakarta>>; 2] = [Box::new(RandomPlayer), Box::new(material)];
        self.play(networks.chain(unlearned.map(Ok)).collect::<Result<_, _>>()?, drawn)
    }

    /// Random openings, all different; those of another number are others.
    fn openings(&self, games: usize, number: u64) -> Result<Vec<Opening<Surakarta>>, ExperimentError> {
        let seed = self.seed.wrapping_mul(3).wrapping_add(number);
        let plies = self.plan.opening_plies;
        let mut openings = random_openings(OpeningSettings { count: games / 2, plies, seed, at_most: false }, 0)?;
        let start: Surakarta = self.training.start().map_err(ZeroError::from)?;
        openings.iter_mut().for_each(|opening| opening.start = start.clone());
        Ok(openings)
    }
}

/// Matches that were played.
pub(crate) struct PlayedMatches {
    /// The figures.
    pub result: TournamentResult,
    /// The games.
    pub records: Vec<GameRecord<Surakarta>>,
}

/// The match of `player` against `opponent`, from the side of `player`, if they met in this order.
pub fn against<'r>(result: &'r TournamentResult, player: &str, opponent: &str) -> Option<&'r MatchResult> {
    result.pairings.iter().find(|one| one.names[0] == player && one.names[1] == opponent)
}
