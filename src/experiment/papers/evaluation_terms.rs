//! What each term of the traditional evaluator is worth: matches of evaluators with fewer terms against that with all.
//!
//! Both sides search equally deep, so the figures compare evaluators and not their speed. S3 gives no such figures.

use serde::{Deserialize, Serialize};

use crate::arena::{FinishedMatch, MatchResult};
use crate::eval::Catalogue;
use crate::eval::xiangqi::TRADITIONAL;
use crate::experiment::agreement::ScoreEstimate;
use crate::experiment::contest::{Competitor, Contest, MatchConfig, game_table, result_table};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::games::xiangqi::Xiangqi;
use crate::report::matches::bar;
use crate::report::{Bars, Table};
use crate::search::SearchSettings;

/// The evaluators that play, by their terms: building up, then leaving out.
const REDUCED: [&str; 12] = [
    "material",
    "material+mobility",
    "material+threats",
    "material+coordination+king",
    "material+position",
    "material+position+mobility",
    "all-material",
    "all-position",
    "all-mobility",
    "all-coordination",
    "all-king",
    "all-threats",
];

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluationTermsConfig {
    /// Seed of the draw of openings.
    pub seed: u64,
    /// Games of each match; even, since each opening is played with both colours.
    pub games: usize,
    /// Search depth of both players, in plies.
    pub depth: u32,
    /// Plies of each drawn opening.
    pub opening_plies: usize,
    /// Plies after which a game is called a draw.
    pub max_plies: usize,
    /// The search, the same for both players.
    pub search: SearchSettings,
}

impl EvaluationTermsConfig {
    /// The matches, as they are played.
    fn matches(&self) -> MatchConfig {
        let Self { games, depth, opening_plies, max_plies, search, .. } = *self;
        MatchConfig { games, depth, nodes: None, simulations: None, opening_plies, max_plies, search }
    }

    fn heading(&self) -> [String; 3] {
        let Self { games, depth, opening_plies, max_plies, seed, search } = self;
        let with = if search.quiescence { "with" } else { "without" };
        [
            format!("every evaluator against that with all terms; both search {depth} plies deep, {with} quiescence"),
            format!(
                "{games} games a row, every opening of {opening_plies} plies with both colours, draw after {max_plies} plies; \
                 seed {seed}"
            ),
            "errors are 95 % intervals over pairs of games".to_owned(),
        ]
    }

    /// One row a reduced evaluator.
    fn table(&self, matches: &[FinishedMatch<Xiangqi>]) -> Table {
        let caption = format!("Fewer terms against all terms, depth {}, {} games each", self.depth, self.games);
        let rows = matches.iter().map(|FinishedMatch { result, .. }| ([terms_of(result).into()], result));
        result_table(caption, (&["terms", "Elo ± 95 %"], "mean plies"), rows)
    }
}

impl Experiment for EvaluationTermsConfig {
    const ABOUT: &'static str = "What each term of the traditional evaluator is worth, in matches at equal depth";
    const PLAYS: bool = true;

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(self.matches().check::<Xiangqi>()?)
    }

    fn further_inputs(&self) -> Result<Vec<(String, String)>, ExperimentError> {
        Ok(vec![(TRADITIONAL.to_owned(), Xiangqi::checksum(TRADITIONAL)?)])
    }

    /// Plays every reduced evaluator against that with all terms.
    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let config = self.matches();
        let openings = config.openings::<Xiangqi>(context.games(None), self.seed)?;
        let names = REDUCED.map(|terms| format!("{TRADITIONAL}:{terms}"));
        let pairings = names.iter().map(|name| [Competitor::Named(name), Competitor::Named(TRADITIONAL)]).collect();
        let contest = Contest { title: "evaluation terms", config: &config, openings: &openings, pairings };
        let (matches, pace) = contest.play(context)?;
        let figure = |one: &FinishedMatch<Xiangqi>| {
            (format!("score % {}", terms_of(&one.result)), ScoreEstimate::of_match(&one.result).percent())
        };
        Ok(Findings::titled("What the terms of the traditional evaluator are worth")
            .points(self.heading())
            .table("matches", self.table(&matches))
            .data("games", &game_table(&matches))
            .picture("matches", "results", chart(&matches))
            .headline(matches.iter().map(figure))
            .times([pace.table()]))
    }
}

/// The terms of the reduced evaluator of a match.
fn terms_of(result: &MatchResult) -> &str {
    result.names[0].split_once(':').map_or(result.names[0].as_str(), |(_, terms)| terms)
}

fn chart(matches: &[FinishedMatch<Xiangqi>]) -> Bars {
    let bars = matches.iter().map(|one| bar(terms_of(&one.result), &one.result)).collect();
    Bars { title: "Fewer terms against all terms".to_owned(), bars }
}
