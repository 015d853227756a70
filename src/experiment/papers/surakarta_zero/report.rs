//! The report of S4: the comparison with the paper's figure beside ours, the ladder, the learning curve.

use super::SurakartaZeroConfig;
use super::matches::name_after;
use crate::arena::{MatchResult, TournamentResult};
use crate::experiment::agreement::Score;
use crate::experiment::surakarta_matches::{PlayedMatches, UNLEARNED, against};
use crate::games::surakarta::Surakarta;
use crate::record::GameRecord;
use crate::report::matches::{pairings, score_cells, standings};
use crate::report::{Cell, Curves, Document, Series, Table};
use crate::runs::results::Figure;
use crate::runs::zero::{curve_plot, curve_table, learning_lines};
use crate::stats::Wdl;
use crate::train::zero::Point;

/// S4: after 1000 games against after 560, 30 s a move; "wins 60 %" of 100 games, of which it does not say how many were drawn.
const PAPER: Wdl = Wdl::new(60, 0, 40);

/// What a run found.
pub struct Found<'a> {
    /// The learning curve.
    pub curve: &'a [Point],
    /// The comparison with as many games as in S4.
    pub paper: PlayedMatches,
    /// The comparison with more.
    pub long: PlayedMatches,
    /// The matches of the ladder.
    pub ladder: PlayedMatches,
}

impl Found<'_> {
    /// All games.
    pub fn records(&self) -> impl Iterator<Item = &GameRecord<Surakarta>> {
        [&self.paper, &self.long, &self.ladder].into_iter().flat_map(|played| &played.records)
    }

    /// The longer comparison.
    fn longer(&self) -> Option<&MatchResult> {
        self.long.result.pairings.first()
    }
}

/// Everything that there is to read and see.
pub struct Report {
    /// The learning curve.
    pub curve: Table,
    /// The comparison beside S4's.
    pub compared: Table,
    /// The ladder.
    pub standings: Table,
    /// Its pairings.
    pub pairings: Table,
    /// The losses.
    pub losses: Curves,
    /// Scores of the ladder's networks.
    pub rungs: Curves,
    /// What it comes to, in sentences.
    pub verdicts: Vec<String>,
    /// The figures of a sweep.
    pub headline: Vec<Figure>,
}

impl Report {
    /// The report of a run.
    pub fn new(config: &SurakartaZeroConfig, found: &Found<'_>) -> Self {
        let [earlier, later] = config.compared;
        let longer = found.longer().map(|result| Score::of_match(result).value);
        let mut headline: Vec<Figure> =
            longer.map(|score| (format!("score of {later} against {earlier} games"), score)).into_iter().collect();
        let last = config.ladder.last().copied().unwrap_or_default();
        for opponent in UNLEARNED {
            let result = after(&found.ladder.result, last, opponent);
            headline.extend(
                result.map(|one| (format!("score of {last} games against {opponent}"), Score::of_match(one).value)),
            );
        }
        Self {
            curve: curve_table(found.curve),
            compared: compared(config, found),
            standings: standings(&found.ladder.result),
            pairings: pairings(&found.ladder.result.pairings),
            losses: curve_plot(found.curve),
            rungs: rungs(config, &found.ladder.result),
            verdicts: verdicts(config, found, &headline),
            headline,
        }
    }

    /// All tables on one page.
    pub fn page(&self, config: &SurakartaZeroConfig) -> String {
        Document::titled("S4: Surakarta from self-play")
            .points(heading(config))
            .tables([&self.compared, &self.standings, &self.pairings])
            .points(&self.verdicts)
            .picture("scores of the ladder", "ladder.svg")
            .picture("losses", "curve.svg")
            .into_text()
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

fn compared(config: &SurakartaZeroConfig, found: &Found<'_>) -> Table {
    let [earlier, later] = config.compared;
    let caption = format!("The network after {later} games against that after {earlier}; ± 95 %");
    let mut table = Table::new(caption, &["run", "Elo ± 95 %"], &["won", "drawn", "lost", "score %", "± %"]);
    let paper = Score::of_counts(PAPER);
    let counts = [PAPER.wins, PAPER.draws, PAPER.losses].map(Cell::from);
    let score = [paper.value, paper.error].map(|share| Cell::real(100.0 * share, 1));
    table.push(["S4".into(), PAPER.elo().to_string().into()].into_iter().chain(counts).chain(score));
    for result in found.paper.result.pairings.iter().chain(&found.long.result.pairings) {
        let name = format!("ours, {} games", result.wdl.games());
        table.push([name.into(), result.pentanomial.elo().to_string().into()].into_iter().chain(score_cells(result)));
    }
    table
}

/// The match of the network after `games` games against `opponent`.
fn after<'r>(ladder: &'r TournamentResult, games: usize, opponent: &str) -> Option<&'r MatchResult> {
    against(ladder, &name_after(games), opponent)
}

/// The scores of the networks against those that do not learn.
fn rungs(config: &SurakartaZeroConfig, ladder: &TournamentResult) -> Curves {
    let series = |opponent: &str| {
        let scores =
            config.ladder.iter().filter_map(|&games| Some((games, Score::of_match(after(ladder, games, opponent)?))));
        let scores: Vec<(usize, Score)> = scores.collect();
        let points = scores.iter().map(|&(games, score)| (games as f64, 100.0 * score.value)).collect();
        let errors = scores.iter().map(|(_, score)| 100.0 * score.error).collect();
        Series { errors, ..Series::new(opponent, points) }
    };
    Curves {
        title: "Networks from self-play against those that do not learn".to_owned(),
        x_label: "games of self-play".to_owned(),
        y_label: "score, per cent".to_owned(),
        series: UNLEARNED.into_iter().map(series).collect(),
        levels: vec![("equal strength".to_owned(), 50.0)],
        limits: Some((0.0, 100.0)),
    }
}

fn verdicts(config: &SurakartaZeroConfig, found: &Found<'_>, headline: &[Figure]) -> Vec<String> {
    let ours = found.longer().map(|result| verdict(config, result));
    let others = headline.iter().skip(1).map(|(name, score)| format!("{name}: {:.1} %", 100.0 * score));
    ours.into_iter().chain(others).collect()
}

fn verdict(config: &SurakartaZeroConfig, result: &MatchResult) -> String {
    let [earlier, later] = config.compared;
    let Score { value, error } = Score::of_match(result);
    let judged = if value - error > 0.5 {
        "beats"
    } else if value + error < 0.5 {
        "loses to"
    } else {
        "cannot be told from"
    };
    let [score, error] = [value, error].map(|share| 100.0 * share);
    let games = result.wdl.games();
    format!(
        "after {later} games it {judged} itself after {earlier}: {score:.1} ± {error:.1} % of {games} games; S4's 60 of 100 leave 50 to 70 %"
    )
}
