//! The matches of an experiment: networks and built-in evaluators through the same search, as one list of pairings.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::contract::{Context, ExperimentError, Incomplete};
use crate::arena::{
    Adjudication, AlphaBetaPlayer, Effort, FinishedMatch, GameRow, JournalPlace, MAX_GAMES, MatchResult, MatchSettings,
    Opening, OpeningSettings, OpeningsError, Player, Tournament, TreePlayer, draw_openings,
};
use crate::disk::sha256;
use crate::eval::{Catalogue, Factory, Network};
use crate::game::BoardGame;
use crate::games::xiangqi::Xiangqi;
use crate::net::store::to_bytes;
use crate::net::{Bits, IntegerNet};
use crate::observe::Together;
use crate::record::GameRecord;
use crate::report::matches::{elo_cell, score_cells};
use crate::report::{Cell, Table};
use crate::runs::file_name;
use crate::runs::training::{DataSettings, Learned};
use crate::search::mcts::single::SearcherSettings;
use crate::search::{Limits, MAX_DEPTH, SearchSettings};
use crate::settings::{SettingError, require, require_in, within};

/// The deepest search of a match in which nothing else limits it.
const DEEPEST: u32 = 20;

/// How the evaluators play each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchConfig {
    /// Games of each match; even, since each opening is played with both colours.
    pub games: usize,
    /// Search depth of both players, in plies.
    pub depth: u32,
    /// Positions that a search may visit at most; absent for no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Simulations of those who play by tree search: networks that say which moves are promising. They know no other limit; absent where none play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u32>,
    /// Plies of each drawn opening.
    pub opening_plies: usize,
    /// Plies after which a game is called a draw.
    pub max_plies: usize,
    /// The search, the same for both players.
    pub search: SearchSettings,
}

impl MatchConfig {
    /// Checks the ranges, for matches of `G` in which nobody plays by tree search.
    ///
    /// # Errors
    /// For the first setting outside its range, or without effect in this game or these matches.
    pub fn check<G: BoardGame>(&self) -> Result<(), SettingError> {
        let simulations = self.simulations;
        let expected = "absent, as nobody plays by tree search";
        require(simulations.is_none(), "simulations", expected, simulations.unwrap_or_default())?;
        self.check_limits()?;
        require(self.opening_plies <= 200, "opening_plies", "in [0, 200]", self.opening_plies)?;
        let plays = self.max_plies > self.opening_plies && self.max_plies <= 10_000;
        require(plays, "max_plies", "above opening_plies and at most 10000", self.max_plies)?;
        within("search", self.search.check().and_then(|()| self.search.check_for::<G>()))
    }

    /// Checks how many games there are, and how far a search goes.
    ///
    /// # Errors
    /// For the first of these settings outside its range.
    pub fn check_limits(&self) -> Result<(), SettingError> {
        check_games("games", MAX_GAMES, self.games)?;
        let deepest = if self.nodes.is_some() { MAX_DEPTH } else { DEEPEST };
        require_in("depth", 1..=deepest, self.depth)?;
        self.limits()?;
        self.effort().map_or(Ok(()), |effort| effort.check(SearcherSettings::default().mcts.selection))
    }

    /// The limits of each search.
    fn limits(&self) -> Result<Limits, SettingError> {
        Limits::to_depth_or_nodes(self.depth, self.nodes)
    }

    /// The limits of those who play by tree search, if any do.
    fn effort(&self) -> Option<Effort> {
        self.simulations.map(|simulations| Effort { simulations: Some(simulations), movetime: None })
    }

    /// How many openings the matches have, and of which length.
    pub fn opening_settings(&self, seed: u64) -> OpeningSettings {
        OpeningSettings { count: self.games / 2, plies: self.opening_plies, seed, at_most: false }
    }

    /// The openings of every match: the initial position first, the others drawn from `records`.
    ///
    /// # Errors
    /// When the records do not give that many.
    pub fn openings<G: BoardGame>(
        &self,
        records: &[GameRecord<G>],
        seed: u64,
    ) -> Result<Vec<Opening<G>>, OpeningsError> {
        draw_openings(records, self.opening_settings(seed))
    }

    /// One line about the matches, for the heading of a report.
    pub fn heading(&self) -> String {
        let Self { games, depth, max_plies, .. } = self;
        let limits = match self.nodes {
            None => format!("at depth {depth}"),
            Some(nodes) if *depth == MAX_DEPTH => format!("of {nodes} positions"),
            Some(nodes) => format!("at depth {depth} and of {nodes} positions at most"),
        };
        format!(
            "matches: alpha-beta {} quiescence {limits} for both, {games} games each, every opening with both colours, \
             draw after {max_plies} plies; errors are 95 % intervals over pairs of games",
            if self.search.quiescence { "with" } else { "without" }
        )
    }
}

/// Who plays.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Competitor<'a> {
    /// A built-in evaluator or a network that comes with the program, by its name.
    Named(&'a str),
    /// A network that was trained.
    Network(&'a Learned),
}

impl<'a> Competitor<'a> {
    /// The name in tables and records.
    pub fn name(self) -> &'a str {
        match self {
            Self::Named(name) => name,
            Self::Network(learned) => &learned.name,
        }
    }

    fn player<G: Catalogue>(self, config: &MatchConfig) -> Result<Box<dyn Player<G>>, ExperimentError> {
        let (search, limits) = (config.search, config.limits()?);
        if let (Self::Named(name), Some(effort)) = (self, config.effort())
            && let Some(network) = G::policy(name)?
        {
            let (name, checksum) = (name.to_owned(), G::checksum(name)?);
            return Ok(Box::new(TreePlayer { name, checksum, network, search: SearcherSettings::default(), effort }));
        }
        Ok(Box::new(match self {
            Self::Named(name) => AlphaBetaPlayer::named(name, search, limits)?,
            Self::Network(Learned { name, net, about, .. }) => {
                let checksum = to_bytes(net, about).map(|bytes| sha256(&bytes)).unwrap_or_default();
                let network = Network::<G>::of(name, IntegerNet::of(net, Bits::ThirtyTwo), about)?;
                let evaluator: Factory<G> = Box::new(move || network.evaluator());
                AlphaBetaPlayer { name: name.clone(), checksum, evaluator, search, limits }
            }
        }))
    }
}

/// Checks that the setting `setting` is a number of games, each opening played with both colours, and at most `most`.
///
/// # Errors
/// When it is odd or out of range.
pub(crate) fn check_games(setting: &str, most: usize, games: usize) -> Result<(), SettingError> {
    let is_even = games.is_multiple_of(2) && (2..=most).contains(&games);
    require(is_even, setting, &format!("an even number in [2, {most}]"), games)
}

/// Checks that all that the setting `setting` names are built-in evaluators of `G`.
///
/// # Errors
/// For the first that is none.
pub(crate) fn check_built_in<'a, G: Catalogue>(
    setting: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<(), ExperimentError> {
    for name in names {
        require(G::identity(name)?.is_some(), setting, "of the built-in evaluators", name)?;
    }
    Ok(())
}

/// Checks that the evaluators that have a say in `data`, which the setting `setting` holds, are built-in ones of `G`.
///
/// # Errors
/// For the first that is none.
pub(crate) fn check_data<G: Catalogue>(setting: &str, data: &DataSettings) -> Result<(), ExperimentError> {
    let teacher = data.teacher.iter().map(|teacher| ("teacher", teacher.evaluator.as_str()));
    let skip = data.skip.iter().map(|skip| ("skip", skip.evaluator.as_str()));
    let check = |(part, name): (&str, &str)| check_built_in::<G>(&format!("{setting}.{part}.evaluator"), [name]);
    teacher.chain(skip).try_for_each(check)
}

/// Checks that the `names` that the setting `setting` says make different names of files.
///
/// # Errors
/// For the first that makes the same as one before it.
pub(crate) fn check_names(setting: &str, names: impl IntoIterator<Item = impl AsRef<str>>) -> Result<(), SettingError> {
    let mut known = Vec::new();
    for name in names {
        let name = name.as_ref();
        let file = file_name(name);
        let expected = "different from all others in letters or digits, not in other characters alone";
        require(!known.contains(&file), setting, expected, name)?;
        known.push(file);
    }
    Ok(())
}

/// All matches of an experiment.
#[derive(Debug)]
pub struct Contest<'a, G: BoardGame = Xiangqi> {
    /// What the records name as the event, before the names of the players.
    pub title: &'a str,
    /// How the matches are played.
    pub config: &'a MatchConfig,
    /// Where their games start.
    pub openings: &'a [Opening<G>],
    /// Who plays whom, in the order of the tables.
    pub pairings: Vec<[Competitor<'a>; 2]>,
}

/// How fast games were played.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pace {
    /// Games of matches that were played from the beginning in this run.
    pub games: usize,
    /// Seconds that they took.
    pub seconds: f64,
}

sums!(Pace { games, seconds });

impl Pace {
    /// As a table of times.
    pub fn table(&self) -> Table {
        let rate = (self.seconds > 0.0).then(|| Cell::real(60.0 * self.games as f64 / self.seconds, 0));
        let row = [self.games.into(), Cell::real(self.seconds, 1), rate.into()];
        Table::new("Pace of the matches", &[], &["games", "seconds", "games a minute"]).with_rows([row])
    }
}

/// What became of several contests that are played one after the other, each as far as its games fall to this part of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Contests {
    /// Games of all contests so far.
    games: usize,
    /// Those of them that are left to other parts.
    missing: usize,
    pace: Pace,
}

impl Contests {
    /// Adds the next contest, and gives its matches; none where games of it are left to other parts, which keeps no later contest
    /// from being played.
    ///
    /// # Errors
    /// When it could not be played.
    pub fn add<G: BoardGame>(
        &mut self,
        played: Result<(Vec<FinishedMatch<G>>, Pace), ExperimentError>,
    ) -> Result<Vec<FinishedMatch<G>>, ExperimentError> {
        let error = match played {
            Ok((matches, pace)) => {
                self.games += matches.iter().map(|one| one.result.rows.len()).sum::<usize>();
                self.pace += pace;
                return Ok(matches);
            }
            Err(error) => error,
        };
        let Incomplete { missing, games } = *error.downcast::<Incomplete>()?;
        self.missing += missing;
        self.games += games;
        Ok(Vec::new())
    }

    /// How fast the games of all contests were played.
    ///
    /// # Errors
    /// [`Incomplete`] when games of any are left to other parts.
    pub const fn pace(self) -> Result<Pace, Incomplete> {
        let Self { games, missing, pace } = self;
        if missing > 0 { Err(Incomplete { missing, games }) } else { Ok(pace) }
    }
}

impl<G: Catalogue> Contest<'_, G> {
    /// Plays all matches; each keeps a journal in the folder of the run, so that an interrupted one can continue. Of a part of a
    /// run only the games of its shard are played, and those that other parts have played are taken over.
    ///
    /// # Errors
    /// When a match cannot be played, and [`Incomplete`] when games are left to other parts.
    pub fn play(&self, context: &Context<'_>) -> Result<(Vec<FinishedMatch<G>>, Pace), ExperimentError> {
        let (mut pace, mut missing) = (Pace::default(), 0);
        let mut matches = Vec::with_capacity(self.pairings.len());
        let observer = Together::new(context.observer, self.pairings.len());
        for pairing in &self.pairings {
            let game = self.game(*pairing)?;
            let name = format!("{}.jsonl", pairing.map(|one| file_name(one.name())).join("-"));
            let journal = context.state(&name);
            let mut parts = context.folder.of_others(context.part.others, &name)?;
            // A part that has not come to this match has no journal of it.
            parts.retain(|part| part.exists());
            let (is_new, begin) = (!journal.exists() && parts.is_empty(), Instant::now());
            let place = JournalPlace { parts: &parts, ..JournalPlace::new(&journal) };
            let played = game.play(context.part.shard, Some(place), &observer)?;
            let seconds = begin.elapsed().as_secs_f64();
            if played.missing() > 0 {
                missing += played.missing();
                continue;
            }
            matches.push(played.finished_match()?);
            if is_new {
                pace.games += self.config.games;
                pace.seconds += seconds;
            }
        }
        let games = self.pairings.len() * self.config.games;
        if missing > 0 { Err(Incomplete { missing, games }.into()) } else { Ok((matches, pace)) }
    }

    fn game(&self, [a, b]: [Competitor<'_>; 2]) -> Result<Tournament<G>, ExperimentError> {
        let settings = MatchSettings {
            games: self.config.games,
            adjudication: Adjudication::capped(self.config.max_plies),
            event: format!("{}: {} - {}", self.title, a.name(), b.name()),
            ..MatchSettings::default()
        };
        let players = vec![a.player(self.config)?, b.player(self.config)?];
        Ok(Tournament::new(players, self.openings.to_vec(), &settings, Vec::new())?)
    }
}

/// All matches, one row each.
pub(crate) fn match_table<G: BoardGame>(caption: impl Into<String>, matches: &[FinishedMatch<G>]) -> Table {
    let names = |result: &MatchResult| result.names.each_ref().map(|name| Cell::from(name.as_str()));
    let rows = matches.iter().map(|FinishedMatch { result, .. }| (names(result), result));
    result_table(caption, (&["a", "b", "Elo of a ± 95 %"], "mean plies"), rows)
}

/// Results of matches behind what each is about. The last of the `names` is the heading of the Elo difference, and `length` that
/// of the mean length.
pub(crate) fn result_table<'r, const N: usize>(
    caption: impl Into<String>,
    (names, length): (&[&str], &str),
    rows: impl IntoIterator<Item = ([Cell; N], &'r MatchResult)>,
) -> Table {
    let rows = rows.into_iter().map(|(names, result)| {
        let (elo, length) = (elo_cell(result.pentanomial.elo()), Cell::real(result.mean_plies, 0));
        names.into_iter().chain([elo]).chain(score_cells(result)).chain([length])
    });
    Table::new(caption, names, &["won", "drawn", "lost", "score %", "± %", length]).with_rows(rows)
}

/// Every game of `matches`, one row each.
pub(crate) fn game_table<G: BoardGame>(matches: &[FinishedMatch<G>]) -> Table {
    let names = ["a", "b", G::SIDES[0], G::SIDES[1], "end"];
    let cells = |[a, b]: &[String; 2], row: &GameRow| {
        let names = [a, b, &row.first, &row.second, &row.reason].map(|name| Cell::from(name.as_str()));
        let nodes = [row.nodes_a.into(), row.nodes_b.into()];
        let game = [row.game.into(), row.opening.into(), i64::from(row.result_a).into(), row.plies.into()];
        names.into_iter().chain(game).chain(nodes)
    };
    let rows = matches.iter().flat_map(|one| one.result.rows.iter().map(move |row| cells(&one.result.names, row)));
    let numbers = ["game", "opening", "result of a", "plies", "nodes a", "nodes b"];
    Table::new("Games", &names, &numbers).with_rows(rows)
}
