//! S4: a network that learns Surakarta from self-play; after 560 games against after 1000, and a ladder of its checkpoints.

use serde::{Deserialize, Serialize};

use crate::arena::{MAX_GAMES, MatchResult, Player, TournamentResult};
use crate::experiment::agreement::{ScoreEstimate, score_curves, score_series};
use crate::experiment::contest::check_games;
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::surakarta_matches::{
    DrawnMatch, MatchPlan, NetworkMatches, PlayedMatches, SelfPlayFolders, UNLEARNED, against, check_start,
};
use crate::game::Game;
use crate::games::surakarta::Surakarta;
use crate::net::residual::{Weights, store};
use crate::report::matches::{elo_cell, pairings, score_cells, standings};
use crate::report::{Cell, Curves, Table};
use crate::runs::zero::{curve_plot, curve_table, learning_lines, speed_table, train_as};
use crate::runs::{Figure, FileError};
use crate::settings::{require, within};
use crate::stats::Wdl;
use crate::train::zero::{LearningPoint, ZeroError, ZeroPlan, ZeroSettings, kept_name};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SurakartaZeroConfig {
    /// Seed of all that is drawn.
    pub seed: u64,
    /// After how many games the two networks of the comparison are taken, different numbers; 560 and 1000 in S4.
    pub compared: [usize; 2],
    /// Games of that match as S4 played it; even.
    pub s4_games: usize,
    /// Games of that match for an error bar; even.
    pub match_games: usize,
    /// After how many games the networks of the ladder are taken, ascending; 0 is the untrained one.
    pub ladder: Vec<usize>,
    /// Games of each pairing of the ladder; even.
    pub ladder_games: usize,
    /// Matches.
    pub matches: MatchPlan,
    /// Self-play and lessons.
    pub training: ZeroSettings,
}

impl SurakartaZeroConfig {
    /// The settings of self-play, with all networks kept that play afterwards.
    fn learning(&self) -> ZeroSettings {
        let mut keep = [&self.compared[..], &self.ladder, &self.training.keep].concat();
        keep.retain(|&games| games > 0);
        keep.sort_unstable();
        keep.dedup();
        ZeroSettings { keep, ..self.training.clone() }
    }
}

impl Experiment for SurakartaZeroConfig {
    const ABOUT: &'static str =
        "S4: Surakarta from self-play with tree search and a residual network; 560 games against 1000";
    const GAME: &'static str = Surakarta::NAME;
    const READS_GAMES: bool = false;

    fn check(&self) -> Result<(), ExperimentError> {
        let Self { s4_games, match_games, ladder_games, .. } = *self;
        for (name, games) in [("s4_games", s4_games), ("match_games", match_games), ("ladder_games", ladder_games)] {
            check_games(name, MAX_GAMES, games)?;
        }
        let [earlier, later] = self.compared;
        let are_known = self.compared.iter().all(|games| (1..=self.training.games).contains(games));
        let found = format!("{:?}", self.compared);
        require(are_known && earlier != later, "compared", "different numbers in [1, training.games]", found)?;
        let ascending = self.ladder.is_sorted_by(|a, b| a < b);
        let are_known = self.ladder.last().is_some_and(|&games| games <= self.training.games);
        let found = format!("{:?}", self.ladder);
        require(ascending && are_known, "ladder", "ascending, none above training.games", found)?;
        within("matches", self.matches.check())?;
        within("training", check_start(&self.training))?;
        Ok(within("training", self.learning().check())?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let (settings, folders) = (self.learning(), SelfPlayFolders::open(context, "training")?);
        let plan = folders.plan(&settings, self.seed);
        let matches = NetworkMatches { plan: &self.matches, training: &settings, seed: self.seed, context };
        let as_in_s4 = matches.drawn("as-in-s4", self.s4_games, 0)?;
        let longer = matches.drawn("longer", self.match_games, 1)?;
        let of_ladder = matches.drawn("ladder", self.ladder_games, 2)?;
        let learned = train_as::<Surakarta>(&plan, (context.observer, &|| false))?;
        let rungs = Rungs { plan: &plan, matches };
        let ladder = self.ladder.iter().map(|&games| rungs.network(games));
        let played = Played {
            paper: rungs.between(self.compared, as_in_s4)?,
            long: rungs.between(self.compared, longer)?,
            ladder: rungs.matches.play_all(ladder, of_ladder)?,
        };
        let findings =
            played.findings(self, &learned.curve).times(speed_table::<Surakarta>(&learned, self.training.network)?);
        let Played { paper, long, ladder } = played;
        let findings = findings.games([paper, long, ladder].into_iter().flat_map(|played| played.records));
        Ok(settings.keep.iter().map(|&games| kept_name(games)).fold(findings, |findings, name| {
            let from = plan.folder.join(&name);
            findings.network(&name, move |to| {
                std::fs::copy(&from, to).map_err(FileError::of("write", to))?;
                Ok(())
            })
        }))
    }
}

/// The networks of a run, and how they play.
struct Rungs<'a> {
    /// The training, in whose folder the networks are.
    plan: &'a ZeroPlan<'a>,
    /// The matches.
    matches: NetworkMatches<'a>,
}

/// What the network after `games` games is called.
fn name_after(games: usize) -> String {
    format!("{games} games")
}

impl Rungs<'_> {
    /// The match of the later of two networks against the earlier.
    fn between(&self, [earlier, later]: [usize; 2], drawn: DrawnMatch) -> Result<PlayedMatches, ExperimentError> {
        self.matches.play(vec![self.network(later)?, self.network(earlier)?], drawn)
    }

    /// Who plays with the network after `games` games.
    fn network(&self, games: usize) -> Result<Box<dyn Player<Surakarta>>, ExperimentError> {
        self.matches.network(&name_after(games), &self.weights(games)?)
    }

    fn weights(&self, games: usize) -> Result<Weights, ZeroError> {
        if games == 0 {
            return self.plan.initial_weights::<Surakarta>();
        }
        Ok(store::load(&self.plan.folder.join(kept_name(games)))?.0)
    }
}

/// S4: after 1000 games against after 560, 30 s a move; "wins 60 %" of 100 games, of which it does not say how many were drawn.
const PAPER: Wdl = Wdl::new(60, 0, 40);

/// The matches of a run.
struct Played {
    /// The comparison with as many games as in S4.
    pub paper: PlayedMatches,
    /// The comparison with more.
    pub long: PlayedMatches,
    /// The matches of the ladder.
    pub ladder: PlayedMatches,
}

impl Played {
    /// The page that shows it all, with the learning curve.
    fn findings(&self, config: &SurakartaZeroConfig, curve: &[LearningPoint]) -> Findings {
        let ladder = &self.ladder.result;
        let headline = self.headline(config);
        Findings::titled("S4: Surakarta from self-play")
            .points(heading(config))
            .table("compared", self.compared(config))
            .table("ladder", standings(ladder))
            .detail("pairings", &pairings(&ladder.pairings))
            .remarks(self.verdicts(config, &headline))
            .picture("ladder", "scores of the ladder", rungs(config, ladder))
            .picture("curve", "losses", curve_plot(curve))
            .data("curve", &curve_table(curve))
            .headline(headline)
    }

    /// The longer comparison.
    fn longer(&self) -> Option<&MatchResult> {
        self.long.result.pairings.first()
    }

    fn headline(&self, config: &SurakartaZeroConfig) -> Vec<Figure> {
        let [earlier, later] = config.compared;
        let figure = |name, result| (name, ScoreEstimate::of_match(result).value);
        let longer = self.longer().map(|result| figure(format!("score of {later} against {earlier} games"), result));
        let last = config.ladder.last().copied().unwrap_or_default();
        let ladder = UNLEARNED.into_iter().filter_map(|opponent| {
            let result = after(&self.ladder.result, last, opponent)?;
            Some(figure(format!("score of {last} games against {opponent}"), result))
        });
        longer.into_iter().chain(ladder).collect()
    }

    fn compared(&self, config: &SurakartaZeroConfig) -> Table {
        let [earlier, later] = config.compared;
        let caption = format!("The network after {later} games against that after {earlier}; ± 95 %");
        let counts = [PAPER.wins, PAPER.draws, PAPER.losses].map(Cell::from);
        let score = ScoreEstimate::of_counts(PAPER).cells(1);
        let paper = ["S4".into(), elo_cell(PAPER.elo())].into_iter().chain(counts).chain(score);
        let ours = self.paper.result.pairings.iter().chain(&self.long.result.pairings).map(|result| {
            let run = format!("ours, {} games", result.wdl.games());
            [run.into(), elo_cell(result.pentanomial.elo())].into_iter().chain(score_cells(result))
        });
        let empty = Table::new(caption, &["run", "Elo ± 95 %"], &["won", "drawn", "lost", "score %", "± %"]);
        empty.with_rows([paper]).with_rows(ours)
    }

    fn verdicts(&self, config: &SurakartaZeroConfig, headline: &[Figure]) -> Vec<String> {
        let ours = self.longer().map(|result| verdict(config, result));
        let others = headline.iter().skip(1).map(|(name, score)| format!("{name}: {:.1} %", 100.0 * score));
        ours.into_iter().chain(others).collect()
    }
}

fn heading(config: &SurakartaZeroConfig) -> Vec<String> {
    let others = [
        config.matches.line(),
        "S4: 256 channels, 1600 simulations a move (PUCT, c = 2); its match 30 s a move, without openings".to_owned(),
        format!("seed {}", config.seed),
    ];
    learning_lines(&config.training).into_iter().chain(others).collect()
}

/// The match of the network after `games` games against `opponent`.
fn after<'r>(ladder: &'r TournamentResult, games: usize, opponent: &str) -> Option<&'r MatchResult> {
    against(ladder, &name_after(games), opponent)
}

/// The scores of the networks against those that do not learn.
fn rungs(config: &SurakartaZeroConfig, ladder: &TournamentResult) -> Curves {
    let series = |opponent: &str| {
        let score = |&games: &usize| Some((games as f64, ScoreEstimate::of_match(after(ladder, games, opponent)?)));
        score_series(opponent, &config.ladder.iter().filter_map(score).collect::<Vec<_>>())
    };
    let title = "Networks from self-play against those that do not learn";
    score_curves(title, "games of self-play", UNLEARNED.into_iter().map(series).collect())
}

fn verdict(config: &SurakartaZeroConfig, result: &MatchResult) -> String {
    let [earlier, later] = config.compared;
    let score = ScoreEstimate::of_match(result);
    format!(
        "after {later} games it {} itself after {earlier}: {score} of {} games; S4's 60 of 100 leave 50 to 70 %",
        score.verdict(),
        result.wdl.games()
    )
}
