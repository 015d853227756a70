//! The report of S4: the comparison with the paper's figure beside ours, the ladder, the learning curve.

use super::SurakartaZeroConfig;
use super::matches::name_after;
use crate::arena::{MatchResult, TournamentResult};
use crate::experiment::agreement::{ScoreEstimate, score_curves, score_series};
use crate::experiment::contract::Findings;
use crate::experiment::surakarta_matches::{PlayedMatches, UNLEARNED, against};
use crate::report::matches::{pairings, score_cells, standings};
use crate::report::{Cell, Curves, Table};
use crate::runs::results::Figure;
use crate::runs::zero::{curve_plot, curve_table, learning_lines};
use crate::stats::Wdl;
use crate::train::zero::LearningPoint;

/// S4: after 1000 games against after 560, 30 s a move; "wins 60 %" of 100 games, of which it does not say how many were drawn.
const PAPER: Wdl = Wdl::new(60, 0, 40);

/// The matches of a run.
pub struct Played {
    /// The comparison with as many games as in S4.
    pub paper: PlayedMatches,
    /// The comparison with more.
    pub long: PlayedMatches,
    /// The matches of the ladder.
    pub ladder: PlayedMatches,
}

impl Played {
    /// The page that shows it all, with the learning curve.
    pub fn findings(&self, config: &SurakartaZeroConfig, curve: &[LearningPoint]) -> Findings {
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
        let paper = ["S4".into(), PAPER.elo().to_string().into()].into_iter().chain(counts).chain(score);
        let ours = self.paper.result.pairings.iter().chain(&self.long.result.pairings).map(|result| {
            let run = format!("ours, {} games", result.wdl.games());
            [run.into(), result.pentanomial.elo().to_string().into()].into_iter().chain(score_cells(result))
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
    let curves = score_curves(title, "games of self-play", UNLEARNED.into_iter().map(series).collect());
    Curves { limits: Some((0.0, 100.0)), ..curves }
}

fn verdict(config: &SurakartaZeroConfig, result: &MatchResult) -> String {
    let [earlier, later] = config.compared;
    let score = ScoreEstimate::of_match(result);
    format!(
        "after {later} games it {} itself after {earlier}: {:.1} ± {:.1} % of {} games; S4's 60 of 100 leave 50 to 70 %",
        score.verdict(),
        score.percent(),
        100.0 * score.error,
        result.wdl.games()
    )
}
