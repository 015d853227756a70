//! How strong evaluators are: each against one for comparison under several limits of the search, and all against all.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::arena::{FinishedMatch, MatchResult, Opening, OpeningsError, Schedule, TournamentResult, random_openings};
use crate::eval::Catalogue;
use crate::experiment::agreement::ScoreEstimate;
use crate::experiment::contest::{
    Competitor, Contest, Contests, MatchConfig, Pace, check_names, match_table, result_table,
};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings, Recorded};
use crate::report::matches::{bar, standings};
use crate::report::{Bars, Cell, Table};
use crate::settings::{SettingError, require, within};

/// The depth that the settings of the matches state, at which nobody plays.
const UNUSED_DEPTH: u32 = 2;

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub(crate) struct StrengthConfig<G: Catalogue> {
    /// Seed of the draw of openings.
    pub seed: u64,
    /// Who plays: built-in evaluators, networks that come with the program, or paths of networks.
    pub entrants: Vec<String>,
    /// The evaluator that each of them plays under every limit.
    pub reference: String,
    /// The limits, the same for both players of a match, in the order of the tables; under the first, all play all.
    pub limits: Vec<SearchLimit>,
    /// How matches are played; depth, positions and simulations are those of each limit.
    pub matches: MatchConfig,
    #[serde(skip)]
    game: PhantomData<G>,
}

/// The matches under one limit.
type Matches<G> = Vec<FinishedMatch<G>>;

/// How long a search is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchLimit {
    /// The name in tables.
    pub name: String,
    /// Depth, in plies.
    pub depth: u32,
    /// Positions that a search may visit; absent for no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Simulations of those who play by tree search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u32>,
    /// Games of each match, where they are not those of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
}

impl<G: Catalogue + Recorded> Experiment for StrengthConfig<G> {
    const ABOUT: &'static str = "The networks that come with the program, in matches at equal depth and equal effort";
    const GAME: &'static str = G::NAME;
    const READS_GAMES: bool = G::SUPPLIED.is_some();
    const PLAYS: bool = true;

    fn check(&self) -> Result<(), ExperimentError> {
        require(!self.entrants.is_empty(), "entrants", "at least one", "none")?;
        require(!self.limits.is_empty(), "limits", "at least one", "none")?;
        check_names("entrants", &self.entrants)?;
        check_names("reference", self.names())?;
        check_names("limits.name", self.limits.iter().map(|limit| &limit.name))?;
        within("matches", self.check_matches())?;
        for limit in &self.limits {
            within(&format!("limits.{}", limit.name), self.matches_under(limit).check_limits())?;
        }
        self.check_simulations()
    }

    fn further_inputs(&self) -> Result<Vec<(String, String)>, ExperimentError> {
        let names = self.entrants.iter().chain([&self.reference]);
        names.map(|name| Ok((name.clone(), G::checksum(name)?))).collect()
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let (played, pace) = self.play_all(context)?;
        let mut findings = Findings::titled("Strength of evaluators").points(self.heading());
        let (mut headline, mut bars) = (Vec::new(), Vec::new());
        for (at, (limit, matches)) in self.limits.iter().zip(&played).enumerate() {
            let against: Vec<&MatchResult> =
                matches.iter().map(|one| &one.result).filter(|result| result.names[1] == self.reference).collect();
            if at == 0 {
                findings = findings.table("standings", ladder(&self.names(), limit, matches));
            }
            let figure = |result: &&MatchResult| {
                let name = format!("score % {} {}", result.names[0], limit.name);
                (name, ScoreEstimate::of_match(result).percent())
            };
            headline.extend(against.iter().map(figure));
            bars.extend(against.iter().map(|result| bar(format!("{}, {}", result.names[0], limit.name), result)));
            findings = findings.summary(self.table(limit, matches));
        }
        findings = findings.data("matches", &self.all_matches(&played));
        let title = format!("Results against `{}`", self.reference);
        Ok(findings.picture("matches", "results", Bars { title, bars }).headline(headline).times([pace.table()]))
    }
}

impl<G: Catalogue + Recorded> StrengthConfig<G> {
    fn heading(&self) -> [String; 3] {
        let MatchConfig { opening_plies, max_plies, .. } = self.matches;
        let by_simulations = self.limits.iter().any(|limit| limit.simulations.is_some());
        let searches = if by_simulations {
            "networks of policy and value play by tree search, all others by alpha-beta"
        } else {
            "equal searches on both sides"
        };
        [
            format!("every entrant against `{}`; {searches}, seed {}", self.reference, self.seed),
            format!("every opening of {opening_plies} plies with both colours, draw after {max_plies} plies"),
            "errors are 95 % intervals over pairs of games".to_owned(),
        ]
    }

    /// Refuses what each limit says in its place.
    fn check_matches(&self) -> Result<(), SettingError> {
        let MatchConfig { depth, nodes, simulations, .. } = self.matches;
        require(depth == UNUSED_DEPTH, "depth", "2, as `limits` say how far a search goes", depth)?;
        for (name, given) in [("nodes", nodes), ("simulations", simulations.map(u64::from))] {
            let expected = "absent, as `limits` say how far a search goes";
            require(given.is_none(), name, expected, given.unwrap_or_default())?;
        }
        self.matches.check::<G>()
    }

    /// Refuses a limit that nobody who plays would know of.
    fn check_simulations(&self) -> Result<(), ExperimentError> {
        let Some(limit) = self.limits.iter().find(|limit| limit.simulations.is_some()) else { return Ok(()) };
        let play_by_tree = self.names().into_iter().map(|name| Ok(G::policy(&name)?.is_some()));
        let known = play_by_tree.collect::<Result<Vec<_>, ExperimentError>>()?.contains(&true);
        let expected =
            "absent where no entrant says which moves are promising, as networks that play by tree search do";
        let setting = format!("limits.{}.simulations", limit.name);
        Ok(require(known, &setting, expected, limit.simulations.unwrap_or_default())?)
    }

    fn matches_under(&self, limit: &SearchLimit) -> MatchConfig {
        let games = limit.games.unwrap_or(self.matches.games);
        MatchConfig {
            games,
            depth: limit.depth,
            nodes: limit.nodes,
            simulations: limit.simulations,
            ..self.matches.clone()
        }
    }

    /// The entrants, and the evaluator for comparison as the last, whether it is one of them or not.
    fn names(&self) -> Vec<String> {
        let others = self.entrants.iter().filter(|name| **name != self.reference);
        others.chain([&self.reference]).cloned().collect()
    }

    /// The matches under every limit.
    fn play_all(&self, context: &Context<'_>) -> Result<(Vec<Matches<G>>, Pace), ExperimentError> {
        // Before the first game, so that a lack of openings under any limit shows at once.
        let openings = self.limits.iter().map(|limit| self.openings(limit, context));
        let openings = openings.collect::<Result<Vec<_>, _>>()?;
        let mut contests = Contests::default();
        let limits = self.limits.iter().zip(&openings).enumerate();
        let played = limits.map(|(at, (limit, openings))| contests.add(self.play((limit, openings), at == 0, context)));
        let played = played.collect::<Result<Vec<_>, _>>()?;
        Ok((played, contests.pace()?))
    }

    /// Where the games under one limit begin.
    fn openings(&self, limit: &SearchLimit, context: &Context<'_>) -> Result<Vec<Opening<G>>, OpeningsError> {
        let config = self.matches_under(limit);
        if Self::READS_GAMES {
            config.openings(context.games(None), self.seed)
        } else {
            random_openings(config.opening_settings(self.seed), G::OPENING_WIDTH)
        }
    }

    /// The matches under one limit, of all against all or of each against the evaluator for comparison.
    fn play(
        &self,
        (limit, openings): (&SearchLimit, &[Opening<G>]),
        all: bool,
        context: &Context<'_>,
    ) -> Result<(Vec<FinishedMatch<G>>, Pace), ExperimentError> {
        let (config, names) = (self.matches_under(limit), self.names());
        let folder = context.folder.part(&limit.name.replace(' ', "-"))?;
        let pairs = Schedule::RoundRobin.pairings(names.len()).into_iter();
        let played = pairs.filter(|&[_, b]| all || names[b] == self.reference);
        let pairings = played.map(|pair| pair.map(|at| Competitor::Named(&names[at]))).collect();
        let contest = Contest { title: "strength", config: &config, openings, pairings };
        contest.play(&Context { folder: &folder, ..*context })
    }

    fn table(&self, limit: &SearchLimit, matches: &[FinishedMatch<G>]) -> Table {
        let config = self.matches_under(limit);
        match_table(format!("{}, {} games each", limit.name, config.games), matches)
    }

    /// All matches, one row each, with their limits.
    fn all_matches(&self, played: &[Matches<G>]) -> Table {
        let rows = self.limits.iter().zip(played).flat_map(|(limit, matches)| {
            matches.iter().map(|FinishedMatch { result, .. }| {
                let [a, b] = &result.names;
                ([&limit.name, a, b].map(|name| Cell::from(name.as_str())), result)
            })
        });
        result_table("Matches", (&["limit", "a", "b", "Elo of a ± 95 %"], "mean plies"), rows)
    }
}

/// Ratings from all matches under a limit.
fn ladder<G: Catalogue>(names: &[String], limit: &SearchLimit, matches: &[FinishedMatch<G>]) -> Table {
    let pairings = matches.iter().map(|one| one.result.clone()).collect();
    let mut table = standings(&TournamentResult::of(names.to_vec(), pairings));
    table.caption = format!("{}, {}", table.caption, limit.name);
    table
}
