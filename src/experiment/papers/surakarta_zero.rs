//! S4: a network that learns Surakarta from self-play; after 560 games against after 1000, and a ladder of its checkpoints.

use serde::{Deserialize, Serialize};

use crate::arena::{MAX_GAMES, MatchResult, Player};
use crate::disk::copy_file;
use crate::experiment::agreement::{ScoreEstimate, score_curves, score_series_of_seeds};
use crate::experiment::contest::check_games;
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::seeds::Seeds;
use crate::experiment::surakarta_matches::{
    DrawnMatch, MatchPlan, NetworkMatches, PlayedMatches, SelfPlayFolders, UNLEARNED, against, check_start,
};
use crate::game::Game;
use crate::games::surakarta::Surakarta;
use crate::net::residual::{Weights, store};
use crate::record::GameRecord;
use crate::report::matches::{elo_cell, pairings, score_cells, standings};
use crate::report::{Cell, Curves, Table};
use crate::runs::zero::{curve_plot, curve_table, learning_lines, speed_table, train_as};
use crate::runs::{Figure, file_name, mean_and_sd};
use crate::settings::{require, within};
use crate::stats::Wdl;
use crate::train::zero::{LearningPoint, ZeroError, ZeroPlan, ZeroReport, ZeroSettings, kept_name};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SurakartaZeroConfig {
    /// Seed of all that is drawn.
    pub seed: u64,
    /// Networks that learn, with this seed and those that follow it, in [1, 20].
    pub seeds: usize,
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
    const fn seeds(&self) -> Seeds {
        Seeds { first: self.seed, n: self.seeds }
    }

    /// All matches: each network against its own earlier one, and all of them on the ladder.
    fn played<'a>(
        &'a self,
        runs: &[Run<'_>],
        drawn: Vec<[DrawnMatch; 2]>,
        (matches, ladder): (NetworkMatches<'_>, DrawnMatch),
    ) -> Result<Played<'a>, ExperimentError> {
        let compare = |(run, [as_in_s4, longer]): (&Run<'_>, [DrawnMatch; 2])| {
            Ok([run.compared(as_in_s4)?, run.compared(longer)?])
        };
        let compared = runs.iter().zip(drawn).map(compare).collect::<Result<Vec<_>, ExperimentError>>()?;
        let on_ladder = runs.iter().flat_map(|run| self.ladder.iter().map(|&games| run.network(games)));
        Ok(Played { config: self, compared, ladder: matches.play_all(on_ladder, ladder)? })
    }

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
        self.seeds().check()?;
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
        let (seeds, settings) = (self.seeds(), self.learning());
        let open = |seed| SelfPlayFolders::open(context, &file_name(&seeds.name("training", seed)));
        let folders = seeds.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let matches = |seed| NetworkMatches { plan: &self.matches, training: &settings, seed, context };
        let runs = seeds.iter().zip(&folders).map(|(seed, folders)| {
            let (plan, matches) = (folders.plan(&settings, seed), matches(seed));
            Run { config: self, plan, matches }
        });
        let runs: Vec<Run<'_>> = runs.collect();
        // All openings are drawn before anything is learned.
        let drawn = runs.iter().map(Run::drawn).collect::<Result<Vec<_>, _>>()?;
        let ladder = matches(self.seed).drawn("ladder", self.ladder_games, 2)?;
        let learn = |run: &Run<'_>| Ok(train_as::<Surakarta>(&run.plan, (context.observer, &|| false))?);
        let learned = runs.iter().map(learn).collect::<Result<Vec<ZeroReport>, ExperimentError>>()?;
        let speed = |(seed, one): (_, &ZeroReport)| speed_table(&seeds.name("Speed", seed), &one.speed);
        let speeds: Vec<_> = seeds.iter().zip(&learned).filter_map(speed).collect();
        let played = self.played(&runs, drawn, (matches(self.seed), ladder))?;
        let curves: Vec<&[LearningPoint]> = learned.iter().map(|one| &one.curve[..]).collect();
        let findings = played.findings(&curves).times(speeds).games(played.into_records());
        Ok(runs.iter().fold(findings, |findings, run| run.keep(&settings.keep, findings)))
    }
}

/// The learning of one seed, and how its networks play.
struct Run<'a> {
    config: &'a SurakartaZeroConfig,
    /// The training, in whose folder the networks are.
    plan: ZeroPlan<'a>,
    /// The matches.
    matches: NetworkMatches<'a>,
}

impl Run<'_> {
    /// `name`, with the seed of this run if there are others.
    fn name(&self, name: &str) -> String {
        self.config.seeds().name(name, self.matches.seed)
    }

    /// The comparison with as many games as in S4, and with more.
    fn drawn(&self) -> Result<[DrawnMatch; 2], ExperimentError> {
        let SurakartaZeroConfig { s4_games, match_games, .. } = *self.config;
        let as_in_s4 = self.matches.drawn(self.name("as-in-s4"), s4_games, 0)?;
        Ok([as_in_s4, self.matches.drawn(self.name("longer"), match_games, 1)?])
    }

    /// The match of the later of the two compared networks against the earlier.
    fn compared(&self, drawn: DrawnMatch) -> Result<PlayedMatches, ExperimentError> {
        let [earlier, later] = self.config.compared;
        self.matches.play(vec![self.network(later)?, self.network(earlier)?], drawn)
    }

    /// Who plays with the network after `games` games.
    fn network(&self, games: usize) -> Result<Box<dyn Player<Surakarta>>, ExperimentError> {
        self.matches.network(&self.name(&name_after(games)), &self.weights(games)?)
    }

    fn weights(&self, games: usize) -> Result<Weights, ZeroError> {
        if games == 0 {
            return self.plan.initial_weights::<Surakarta>();
        }
        Ok(store::load(&self.plan.folder.join(kept_name(games)))?.0)
    }

    /// Adds the networks after each of these numbers of games.
    fn keep(&self, games: &[usize], findings: Findings) -> Findings {
        let seed = self.matches.seed;
        games.iter().map(|&games| kept_name(games)).fold(findings, |findings, name| {
            let from = self.plan.folder.join(&name);
            let name = if self.config.seeds().are_several() { format!("seed-{seed}-{name}") } else { name };
            findings.network(&name, move |to| Ok(copy_file(&from, to)?))
        })
    }
}

/// What the network after `games` games is called.
fn name_after(games: usize) -> String {
    format!("{games} games")
}

/// S4: after 1000 games against after 560, 30 s a move; "wins 60 %" of 100 games, of which it does not say how many were drawn.
const PAPER: Wdl = Wdl::new(60, 0, 40);

/// The matches of a run.
struct Played<'a> {
    config: &'a SurakartaZeroConfig,
    /// The comparisons of each seed: with as many games as in S4, and with more.
    compared: Vec<[PlayedMatches; 2]>,
    /// The matches of the ladder.
    ladder: PlayedMatches,
}

impl Played<'_> {
    /// The page that shows it all, with the learning curve of each seed.
    fn findings(&self, curves: &[&[LearningPoint]]) -> Findings {
        let seeds = self.config.seeds();
        let ladder = &self.ladder.result;
        let headline = self.headline();
        let findings = Findings::titled("S4: Surakarta from self-play")
            .points(heading(self.config))
            .table("compared", self.compared())
            .table("ladder", standings(ladder))
            .detail("pairings", &pairings(&ladder.pairings))
            .remarks(self.verdicts(&headline))
            .picture("ladder", "scores of the ladder", self.rungs())
            .picture("curve", "losses", curve_plot(curves))
            .headline(headline);
        let name = |seed| file_name(&seeds.name("curve", seed));
        let curves = seeds.iter().zip(curves);
        curves.fold(findings, |findings, (seed, curve)| findings.data(&name(seed), &curve_table(curve)))
    }

    fn into_records(self) -> impl Iterator<Item = GameRecord<Surakarta>> {
        self.compared.into_iter().flatten().chain([self.ladder]).flat_map(|played| played.records)
    }

    /// The longer comparison of each seed.
    fn longer(&self) -> impl Iterator<Item = (u64, &MatchResult)> {
        let longer = self.compared.iter().filter_map(|[_, longer]| longer.result.pairings.first());
        self.config.seeds().iter().zip(longer)
    }

    /// The means over the seeds.
    fn headline(&self) -> Vec<Figure> {
        let [earlier, later] = self.config.compared;
        let mean = |scores: Vec<f64>| (!scores.is_empty()).then(|| mean_and_sd(&scores).0);
        let longer = mean(self.longer().map(|(_, result)| ScoreEstimate::of_match(result).value).collect());
        let longer = longer.map(|score| (format!("score of {later} against {earlier} games"), score));
        let last = self.config.ladder.last().copied().unwrap_or_default();
        let ladder = UNLEARNED.into_iter().filter_map(|opponent| {
            let score = mean(self.scores(last, opponent).map(|score| score.value).collect())?;
            Some((format!("score of {last} games against {opponent}"), score))
        });
        longer.into_iter().chain(ladder).collect()
    }

    fn compared(&self) -> Table {
        let seeds = self.config.seeds();
        let [earlier, later] = self.config.compared;
        let caption = format!("The network after {later} games against that after {earlier}; ± 95 %");
        let counts = [PAPER.wins, PAPER.draws, PAPER.losses].map(Cell::from);
        let score = ScoreEstimate::of_counts(PAPER).cells(1);
        let paper = ["S4".into(), elo_cell(PAPER.elo())].into_iter().chain(counts).chain(score);
        let ours = seeds.iter().zip(&self.compared).flat_map(|(seed, played)| {
            played.iter().flat_map(|played| &played.result.pairings).map(move |result| {
                let run = seeds.name(&format!("ours, {} games", result.wdl.games()), seed);
                [run.into(), elo_cell(result.pentanomial.elo())].into_iter().chain(score_cells(result))
            })
        });
        let empty = Table::new(caption, &["run", "Elo ± 95 %"], &["won", "drawn", "lost", "score %", "± %"]);
        empty.with_rows([paper]).with_rows(ours)
    }

    fn verdicts(&self, headline: &[Figure]) -> Vec<String> {
        let ours = self.longer().map(|(seed, result)| self.verdict(seed, result));
        let mean = if self.config.seeds().are_several() { ", mean over the seeds" } else { "" };
        let told = |(name, score): &Figure| format!("{name}: {:.1} %{mean}", 100.0 * score);
        ours.chain(headline.iter().skip(1).map(told)).collect()
    }

    fn verdict(&self, seed: u64, result: &MatchResult) -> String {
        let [earlier, later] = self.config.compared;
        let score = ScoreEstimate::of_match(result);
        let seed = if self.config.seeds().are_several() { format!("seed {seed}: ") } else { String::new() };
        format!(
            "{seed}after {later} games it {} itself after {earlier}: {score} of {} games; S4's 60 of 100 leave 50 to 70 %",
            score.verdict(),
            result.wdl.games()
        )
    }

    /// How the network of each seed after `games` games does against `opponent`.
    fn scores(&self, games: usize, opponent: &str) -> impl Iterator<Item = ScoreEstimate> {
        let seeds = self.config.seeds();
        let names = seeds.iter().map(move |seed| seeds.name(&name_after(games), seed));
        names.filter_map(move |name| Some(ScoreEstimate::of_match(against(&self.ladder.result, &name, opponent)?)))
    }

    /// The scores of the networks against those that do not learn: with the error of the match, or the means over the seeds.
    fn rungs(&self) -> Curves {
        let series = |opponent: &str| {
            let scores = |&games: &usize| (games as f64, self.scores(games, opponent).collect());
            score_series_of_seeds(opponent, &self.config.ladder.iter().map(scores).collect::<Vec<_>>())
        };
        let title = "Networks from self-play against those that do not learn";
        score_curves(title, "games of self-play", UNLEARNED.into_iter().map(series).collect())
    }
}

fn heading(config: &SurakartaZeroConfig) -> Vec<String> {
    let others = [
        config.matches.line(),
        "S4: 256 channels, 1600 simulations a move (PUCT, c = 2); its match 30 s a move, without openings".to_owned(),
        config.seeds().line(),
    ];
    learning_lines(&config.training).into_iter().chain(others).collect()
}
