//! The margins of alpha-beta, tuned by SPSA on games of the search against itself, and a sequential test of what came out.
//!
//! Both sides search equally many positions at each move, so a margin is worth what it saves, not what it costs in time.

mod page;
mod spsa;

use std::collections::BTreeMap;
use std::time::Instant;

use rand::RngExt;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use self::spsa::{Gains, Parameter, Spsa};
use crate::arena::{
    Adjudication, AlphaBetaPlayer, FinishedMatch, Journal, JournalPlace, MatchSettings, Opening, OpeningSettings,
    Openings, Player, Shard, Tested, Tournament, random_openings,
};
use crate::eval::Catalogue;
use crate::experiment::contest::{Pace, check_games};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::game::{Game, Kit};
use crate::games::xiangqi::Xiangqi;
use crate::observe::{Observer, Together};
use crate::random::stream;
use crate::search::{Limits, MAX_DEPTH, Margins, SearchSettings};
use crate::settings::{SettingError, Settings, require, require_in, within};
use crate::stats::{Sprt, Wdl};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TuneSearchConfig {
    /// Seed of all draws: directions, rounding, openings.
    pub seed: u64,
    /// The evaluator that both sides use: a built-in one, or a network.
    pub evaluator: String,
    /// Iterations of SPSA, in [1, 1000000].
    pub iterations: u32,
    /// Games of each iteration: even, in [2, 10000].
    pub games: usize,
    /// The most games of the sequential test: even, in [2, 1000000].
    pub test_games: usize,
    /// Positions that each search may visit.
    pub nodes: u64,
    /// Random plies at the start of each pair of games.
    pub opening_plies: usize,
    /// The gains of SPSA.
    gains: Gains,
    /// The margins that are tuned, each with the least and the greatest value that is tried.
    pub ranges: BTreeMap<String, [u32; 2]>,
    /// What ends games beside their rules.
    pub adjudication: Adjudication,
    /// The test of the tuned margins against those of `search`.
    pub sprt: Sprt,
    /// The search of both sides, whose margins are the start.
    pub search: SearchSettings,
}

/// An iteration that was played, as the journal has it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Iteration {
    /// Its number, from 0.
    iteration: u32,
    /// Games that the first point won, drew and lost.
    games: [u64; 3],
}

/// What came of the run.
struct Tuned<'a> {
    spsa: Spsa<'a>,
    /// The results of the first point of each iteration.
    iterations: Vec<Wdl>,
    /// The margins that were settled on, rounded.
    margins: Margins,
    /// The match of the tuned margins against the start, and its test.
    last: (FinishedMatch<Xiangqi>, Option<Tested>),
}

impl Experiment for TuneSearchConfig {
    const ABOUT: &'static str =
        "The margins of alpha-beta tuned by SPSA on self-play, and a sequential test of the result";
    const READS_GAMES: bool = false;
    const KEEPS: Option<&'static str> = Some("finished iterations and games of the last match");

    fn check(&self) -> Result<(), ExperimentError> {
        require_in("iterations", 1..=1_000_000, self.iterations)?;
        for (name, games, most) in [("games", self.games, 10_000), ("test_games", self.test_games, 1_000_000)] {
            check_games(name, most, games)?;
        }
        self.limits()?;
        require(self.opening_plies <= 200, "opening_plies", "in [0, 200]", self.opening_plies)?;
        within("gains", self.gains.check())?;
        within("adjudication", self.check_adjudication())?;
        within("sprt", self.sprt.check())?;
        within("search", self.search.check().and_then(|()| self.search.check_for::<Xiangqi>()))?;
        require(!self.ranges.is_empty(), "ranges", "of at least one margin", "none")?;
        Ok(within("ranges", self.ranges.keys().try_for_each(|name| self.check_range(name)))?)
    }

    fn further_inputs(&self) -> Result<Vec<(String, String)>, ExperimentError> {
        Ok(vec![(self.evaluator.clone(), Xiangqi::checksum(&self.evaluator)?)])
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let parameters = self.parameters();
        // Before the first game, so that a lack of openings shows at once.
        let openings = self.last_openings()?;
        let mut pace = Pace::default();
        let (spsa, iterations) = self.climb(&parameters, context, &mut pace)?;
        let rounded: Vec<u32> = spsa.settled().iter().map(|value| value.round() as u32).collect();
        let margins = self.margins_at(&rounded)?;
        let last = self.test(margins, openings, context)?;
        Ok(page::findings(self, Tuned { spsa, iterations, margins, last }).times([pace.table()]))
    }
}

impl TuneSearchConfig {
    fn limits(&self) -> Result<Limits, SettingError> {
        Limits::to_depth(MAX_DEPTH)?.and_nodes(self.nodes)
    }

    fn check_adjudication(&self) -> Result<(), SettingError> {
        let Adjudication { max_plies, clock, .. } = self.adjudication;
        self.adjudication.check()?;
        require(max_plies > self.opening_plies, "max_plies", "above `opening_plies`", max_plies)?;
        require(clock.is_none(), "clock", "absent: with clocks no run could be repeated", "one")
    }

    /// Checks that there is a margin of this name, that it can have all values of its range, and has one at the start.
    fn check_range(&self, name: &str) -> Result<(), SettingError> {
        let [low, high] = self.ranges[name];
        for value in [low, high] {
            let mut margins = self.search.margins;
            margins.set(name, &value.to_string())?;
            margins.check()?;
        }
        require(low < high, name, "the least and the greatest value, which differ", format!("[{low}, {high}]"))?;
        let start = value_of(&self.search.margins, name);
        require(
            (low..=high).contains(&start),
            name,
            &format!("a range around the start, {start}"),
            format!("[{low}, {high}]"),
        )
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |(name, &[low, high]): (&String, &[u32; 2])| Parameter {
            name: name.clone(),
            low,
            high,
            start: value_of(&self.search.margins, name),
        };
        self.ranges.iter().map(parameter).collect()
    }

    /// The margins of the start with those that are tuned as `point` says.
    fn margins_at(&self, point: &[u32]) -> Result<Margins, SettingError> {
        let mut margins = self.search.margins;
        for (name, value) in self.ranges.keys().zip(point) {
            margins.set(name, &value.to_string())?;
        }
        Ok(margins)
    }

    /// Every iteration of SPSA: those that the journal has are not played again.
    fn climb<'p>(
        &self,
        parameters: &'p [Parameter],
        context: &Context<'_>,
        pace: &mut Pace,
    ) -> Result<(Spsa<'p>, Vec<Wdl>), ExperimentError> {
        let mut spsa = Spsa::new(parameters, self.gains, (self.iterations, self.seed));
        let (mut known, mut results) = (BTreeMap::new(), Vec::new());
        let journal = Journal::open(&context.state("spsa.jsonl"), context.name, |_, line| {
            // The iteration of a line that is none is played again.
            known.extend(line.ok().map(|Iteration { iteration, games }| (iteration, games)));
            Ok(())
        })?;
        let observer = Together::new(context.observer, self.iterations as usize);
        for iteration in 0..self.iterations {
            let trial = spsa.trial();
            let games = match known.remove(&iteration) {
                Some(games) => {
                    Self::pass_over(&observer, self.games);
                    games
                }
                None => {
                    let begin = Instant::now();
                    let games = self.play_iteration(iteration, &trial.points, &observer)?;
                    journal.append(&Iteration { iteration, games })?;
                    pace.games += self.games;
                    pace.seconds += begin.elapsed().as_secs_f64();
                    games
                }
            };
            let [wins, draws, losses] = games;
            spsa.learn(&trial, wins as f64 - losses as f64);
            results.push(Wdl { wins, draws, losses });
        }
        Ok((spsa, results))
    }

    /// Tells of `games` that were played before.
    fn pass_over(observer: &dyn Observer, games: usize) {
        observer.begin("games", games as u64);
        observer.advance(games as u64);
        observer.end();
    }

    /// Games that the first of two points won, drew and lost against the second.
    fn play_iteration(
        &self,
        iteration: u32,
        points: &[Vec<u32>; 2],
        observer: &dyn Observer,
    ) -> Result<[u64; 3], ExperimentError> {
        let [one, other] = points.each_ref().map(|point| self.margins_at(point));
        let players = [("up", one?), ("down", other?)];
        let settings = MatchSettings { games: self.games, ..self.match_settings() };
        let openings = self.openings(self.games, u64::from(iteration) + 1)?;
        let tournament = self.tournament(players, &settings, openings)?;
        let played = tournament.play(Shard::WHOLE, None, observer)?;
        let Wdl { wins, draws, losses } = played.result().totals()[0];
        Ok([wins, draws, losses])
    }

    /// The tuned margins against those of the start, until the test knows or there are no more games.
    fn test(
        &self,
        tuned: Margins,
        openings: Vec<Opening<Xiangqi>>,
        context: &Context<'_>,
    ) -> Result<(FinishedMatch<Xiangqi>, Option<Tested>), ExperimentError> {
        let settings = MatchSettings { games: self.test_games, sprt: Some(self.sprt), ..self.match_settings() };
        let tournament = self.tournament([("tuned", tuned), ("start", self.search.margins)], &settings, openings)?;
        let journal = context.state("test.jsonl");
        let played = tournament.play(Shard::WHOLE, Some(JournalPlace::new(&journal)), context.observer)?;
        Ok((played.finished_match()?, played.result().test))
    }

    fn match_settings(&self) -> MatchSettings {
        MatchSettings { adjudication: self.adjudication, event: "tune-search".to_owned(), ..MatchSettings::default() }
    }

    /// Openings of so many games: those of iterations have the numbers from 1 on.
    fn openings(&self, games: usize, number: u64) -> Openings<Xiangqi> {
        let seed = stream(self.seed, "openings of an iteration", number).random();
        let drawing = OpeningSettings { count: games / 2, plies: self.opening_plies, seed, at_most: false };
        random_openings(drawing, Xiangqi::OPENING_WIDTH)
    }

    /// Openings of the last match, none of which an iteration has.
    fn last_openings(&self) -> Openings<Xiangqi> {
        let key = |opening: &Opening<Xiangqi>| opening.position().key();
        let mut known = FxHashSet::default();
        for number in 1..=u64::from(self.iterations) {
            known.extend(self.openings(self.games, number)?.iter().map(key));
        }
        let mut games = self.test_games;
        loop {
            // The first ones stay the same, however many are drawn.
            let mut others = self.openings(games, 0)?;
            others.retain(|opening| !known.contains(&key(opening)));
            let missing = (self.test_games / 2).saturating_sub(others.len());
            if missing == 0 {
                others.truncate(self.test_games / 2);
                return Ok(others);
            }
            games += 2 * missing;
        }
    }

    /// A match of two searches that differ in their margins.
    fn tournament(
        &self,
        players: [(&str, Margins); 2],
        settings: &MatchSettings,
        openings: Vec<Opening<Xiangqi>>,
    ) -> Result<Tournament<Xiangqi>, ExperimentError> {
        let player = |(name, margins): (&str, Margins)| -> Result<Box<dyn Player<Xiangqi>>, ExperimentError> {
            let search = SearchSettings { margins, ..self.search };
            let player = AlphaBetaPlayer::named(&self.evaluator, search, self.limits()?)?;
            Ok(Box::new(AlphaBetaPlayer { name: name.to_owned(), ..player }))
        };
        let players = players.into_iter().map(player).collect::<Result<_, _>>()?;
        Ok(Tournament::new(players, openings, settings, Vec::new())?)
    }
}

/// The value of the margin `name`; 0 if there is none of this name.
fn value_of(margins: &Margins, name: &str) -> u32 {
    margins.get(name).and_then(|text| text.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::config::{profile, typed};

    /// After one ply there are 44 positions, of which three iterations have up to 30.
    #[test]
    fn the_openings_of_the_last_match_are_in_no_iteration() {
        let smoke = profile("tune-search", include_str!("tune-search.toml"), "smoke").unwrap();
        let smoke: TuneSearchConfig = typed(&smoke).unwrap();
        let config = TuneSearchConfig { iterations: 3, games: 20, test_games: 20, opening_plies: 1, ..smoke };
        let keys = |openings: &[Opening<Xiangqi>]| -> FxHashSet<u64> {
            openings.iter().map(|opening| opening.position().key()).collect()
        };
        let last = keys(&config.last_openings().unwrap());
        assert_eq!(last.len(), 10);
        for number in 1..=3 {
            assert!(last.is_disjoint(&keys(&config.openings(20, number).unwrap())), "{number}");
        }
        let many = TuneSearchConfig { iterations: 40, ..config };
        assert!(many.last_openings().unwrap_err().to_string().starts_with("too few openings: expected "));
    }
}
