//! S1, §3.2 and §3.3: a classifier by rough sets keeps 1423 of 2000 games. How coarse must knowledge be for that, and what does
//! training on fewer games cost?
//!
//! A granularity says into which intervals the condition attributes are cut, which attributes R are kept, and whether equal objects
//! must have the same move played in them. Games that say nothing new under it are left out; a rough network learns from the others,
//! and one from as many games drawn at random, which tells what the choice itself is worth.

use std::time::Instant;

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::grain::{Grain, Granularity};
use crate::arena::MatchResult;
use crate::experiment::agreement::{ScoreEstimate, score_series};
use crate::experiment::contest::{
    Competitor, Contest, MatchConfig, check_built_in, check_data, check_names, match_table,
};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::games::xiangqi::Xiangqi;
use crate::net::rough::RoughSettings;
use crate::random;
use crate::report::{Cell, Curves, Table};
use crate::runs::file_name;
use crate::runs::training::{self, Data, DataSettings, Knowledge, LearnError, Learned, RoughPlan, RuleConfig};
use crate::settings::{require, within};
use crate::table::DecisionTable;
use crate::train::{Checkpoint, NoRecord, SupervisedSettings, TrainingContext};

/// What S1 kept of its first 2000 games (§3.3).
const PAPER_SHARE: f64 = 1423.0 / 2000.0;

/// What the network from all games is called.
const ALL: &str = "all games";

/// What the network from as many games drawn at random is called as the granularity `name` keeps.
fn name_of_drawn(name: &str) -> String {
    format!("{name}, drawn")
}

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GranularityConfig {
    /// Seed of every random draw.
    pub seed: u64,
    /// How many games of the database are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// Training games to choose among, from the first on.
    pub games: usize,
    /// The built-in evaluator that every network plays.
    pub opponent: String,
    /// How games become positions and targets.
    pub data: DataSettings,
    /// Which rules become neurons.
    pub rules: RuleConfig,
    /// The form of the rough network.
    pub rough: RoughSettings,
    /// Its training.
    pub training: SupervisedSettings,
    /// The matches.
    pub matches: MatchConfig,
    /// What is tried, in the order of the tables.
    pub granularity: Vec<Granularity>,
}

/// What one granularity gave.
struct Trial<'a> {
    granularity: &'a Granularity,
    grain: Grain,
    /// Seconds until the games were chosen.
    reducing: f64,
    chosen: Trained,
    /// On as many games drawn at random.
    drawn: Trained,
}

struct Trained {
    network: Learned,
    n_games: usize,
    seconds: f64,
}

impl Trained {
    fn error(&self) -> f64 {
        self.network.curve.last().map_or(f64::NAN, |point| point.held_out_mse)
    }
}

impl Experiment for GranularityConfig {
    const ABOUT: &'static str = "S1: how coarse knowledge must be to leave games out, and what that costs";
    const PLAYS: bool = true;

    fn check(&self) -> Result<(), ExperimentError> {
        require(self.games > 0, "games", "at least 1", 0)?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        within("data", self.data.check())?;
        within("rules", self.rules.check())?;
        within("rough", self.rough.check())?;
        within("training", self.training.check())?;
        within("matches", self.matches.check::<Xiangqi>())?;
        check_built_in::<Xiangqi>("opponent", [self.opponent.as_str()])?;
        check_data::<Xiangqi>("data", &self.data)?;
        require(!self.granularity.is_empty(), "granularity", "at least one", "none")?;
        self.granularity.iter().try_for_each(Granularity::check)?;
        let names = || self.granularity.iter().map(|granularity| granularity.name.clone());
        let drawn = names().map(|name| name_of_drawn(&name));
        Ok(check_names("granularity.name", [ALL.to_owned()].into_iter().chain(names()).chain(drawn))?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let records = context.games::<Xiangqi>(self.max_games);
        let openings = self.matches.openings(records, self.seed)?;
        let data = Data::new(records, context.inputs.to_vec(), self.data.clone(), self.seed, context.observer)?;
        let n_games = self.games.min(data.training.n_played());
        let first: Vec<usize> = (0..n_games).collect();
        let data = data.with_training(data.training.select_played(&first));
        let all = self.trained(ALL, &data, &first, context)?;
        let played = data.with_training(data.training.without_images());
        let table = played.table()?;
        let trial = |granularity| self.trial(granularity, (&data, &played, &table), context);
        let trials = self.granularity.iter().map(trial);
        let trials = trials.collect::<Result<Vec<_>, _>>()?;
        let opponent = Competitor::Named(&self.opponent);
        let networks = trials.iter().flat_map(|trial| [&trial.chosen, &trial.drawn]);
        let pairings =
            [&all].into_iter().chain(networks).map(|one| [Competitor::Network(&one.network), opponent]).collect();
        let contest = Contest { title: "granularity", config: &self.matches, openings: &openings, pairings };
        let (matches, pace) = contest.play(context)?;
        let results: Vec<&MatchResult> = matches.iter().map(|one| &one.result).collect();
        let findings =
            self.findings(context, (&all, &trials), &results).detail("matches", &match_table("Matches", &matches));
        let networks: Vec<Learned> =
            trials.into_iter().map(|trial| trial.chosen.network).chain([all.network]).collect();
        Ok(findings.networks(networks).times([pace.table()]).games(matches.into_iter().flat_map(|one| one.records)))
    }
}

impl GranularityConfig {
    fn trial<'a>(
        &self,
        granularity: &'a Granularity,
        (data, played, table): (&Data, &Data, &DecisionTable),
        context: &Context<'_>,
    ) -> Result<Trial<'a>, ExperimentError> {
        let begin = Instant::now();
        let grain = granularity.grain((played, table), self.seed, context.observer)?;
        let reducing = begin.elapsed().as_secs_f64();
        let mut drawn: Vec<usize> = (0..data.training.n_played()).collect();
        drawn.shuffle(&mut random::stream(self.seed, "games drawn", 0));
        drawn.truncate(grain.kept.len());
        drawn.sort_unstable();
        let name = &granularity.name;
        Ok(Trial {
            chosen: self.trained(name, data, &grain.kept, context)?,
            drawn: self.trained(&name_of_drawn(name), data, &drawn, context)?,
            granularity,
            grain,
            reducing,
        })
    }

    /// The rough network that learns from these games of `data`.
    fn trained(&self, name: &str, data: &Data, games: &[usize], context: &Context<'_>) -> Result<Trained, LearnError> {
        let begin = Instant::now();
        let data = data.with_training(data.training.select_played(games));
        let plan = RoughPlan::new(&self.rules, &self.rough, &self.training);
        let knowledge = Knowledge::of(&data, &plan, context.observer)?;
        let file = context.state(&format!("{}.checkpoint", file_name(name)));
        let checkpoint = Checkpoint::new(file, data.fingerprint(name, &(&plan, games)));
        let observer = context.observer;
        let training = TrainingContext { checkpoint: Some(&checkpoint), recorder: &mut NoRecord, observer };
        let (beginning, method) = plan.start(&data, &knowledge);
        let network = training::learn(&data, beginning, &method, name, training)?;
        Ok(Trained { network, n_games: games.len(), seconds: begin.elapsed().as_secs_f64() })
    }

    /// The results come in the order of the pairings: all games, then what was chosen and what was drawn of each trial.
    fn findings(
        &self,
        context: &Context<'_>,
        (all, trials): (&Trained, &[Trial<'_>]),
        results: &[&MatchResult],
    ) -> Findings {
        let heading = [
            format!("games: {}; the first {} training games; seed {}", context.sources(), all.n_games, self.seed),
            self.matches.heading(),
            "`kept %` is the share of the games; S1 kept 71.2 %. `drawn` is a network from as many games drawn at random".to_owned(),
        ];
        let share = |trial: &Trial<'_>| trial.chosen.n_games as f64 / all.n_games as f64;
        let chosen: Vec<&MatchResult> = results.iter().skip(1).step_by(2).copied().collect();
        let drawn: Vec<&MatchResult> = results.iter().skip(2).step_by(2).copied().collect();
        let nearest = (0..trials.len()).min_by(|&a, &b| {
            (share(&trials[a]) - PAPER_SHARE).abs().total_cmp(&(share(&trials[b]) - PAPER_SHARE).abs())
        });
        let remarks = nearest.map(|at| {
            format!(
                "nearest to S1's 71.2 %: `{}` keeps {:.1} % of the games; the network scores {}, from as many games drawn at random {}, from \
                 all games {}",
                trials[at].granularity.name,
                100.0 * share(&trials[at]),
                ScoreEstimate::of_match(chosen[at]),
                ScoreEstimate::of_match(drawn[at]),
                ScoreEstimate::of_match(results[0]),
            )
        });
        let headline = [
            ("score of all games".to_owned(), ScoreEstimate::of_match(results[0]).value),
            ("share nearest to the paper".to_owned(), nearest.map_or(f64::NAN, |at| share(&trials[at]))),
            ("its score".to_owned(), nearest.map_or(f64::NAN, |at| ScoreEstimate::of_match(chosen[at]).value)),
        ];
        Findings::titled("S1: how coarse knowledge must be to leave games out")
            .points(heading)
            .summary(table(all, trials, results))
            .remarks(remarks.into_iter().collect())
            .picture("strength", "score by the share of games kept", curves(all, trials, results))
            .headline(headline)
            .times([times(all, trials)])
    }
}

fn table(all: &Trained, trials: &[Trial<'_>], results: &[&MatchResult]) -> Table {
    let names = ["granularity", "reduct"];
    let numbers = [
        "attributes",
        "values",
        "classes",
        "γ",
        "games kept",
        "kept %",
        "positions kept",
        "held-out error",
        "of drawn",
        "score %",
        "±",
        "drawn, score %",
        "±",
    ];
    let of_all = [
        Cell::from(ALL),
        Cell::from("–"),
        Cell::Missing,
        Cell::Missing,
        Cell::Missing,
        Cell::Missing,
        all.n_games.into(),
        Cell::real(100.0, 1),
        all.network.n_positions.into(),
        Cell::real(all.error(), 4),
        Cell::Missing,
    ];
    let first = of_all.into_iter().chain(ScoreEstimate::of_match(results[0]).cells(1)).collect::<Vec<Cell>>();
    let rows = trials.iter().zip(results[1..].chunks_exact(2)).map(|(trial, results)| {
        let Trial { granularity, grain, chosen, drawn, .. } = trial;
        let cells = [
            granularity.name.as_str().into(),
            granularity.reduct_text().into(),
            grain.attributes.len().into(),
            grain.n_values.into(),
            grain.n_classes.into(),
            Cell::real(grain.gamma.value(), 3),
            chosen.n_games.into(),
            Cell::real(100.0 * chosen.n_games as f64 / all.n_games as f64, 1),
            chosen.network.n_positions.into(),
            Cell::real(chosen.error(), 4),
            Cell::real(drawn.error(), 4),
        ];
        cells.into_iter().chain(results.iter().flat_map(|result| ScoreEstimate::of_match(result).cells(1))).collect()
    });
    Table::new("Games kept, and the strength of what learned from them", &names, &numbers)
        .with_rows([first].into_iter().chain(rows))
}

fn times(all: &Trained, trials: &[Trial<'_>]) -> Table {
    let row = |name: &str, reducing: f64, chosen: &Trained| {
        let (games, seconds) = (chosen.n_games.into(), Cell::real(chosen.seconds, 2));
        [Cell::from(name), games, Cell::real(reducing, 2), seconds]
    };
    let rows = trials.iter().map(|trial| row(&trial.granularity.name, trial.reducing, &trial.chosen));
    Table::new(
        "Seconds of choosing the games, and of rules and training",
        &["granularity"],
        &["games", "choosing", "training"],
    )
    .with_rows([row(ALL, 0.0, all)].into_iter().chain(rows))
}

/// Scores by the share of games kept: of those chosen, and of as many drawn at random.
fn curves(all: &Trained, trials: &[Trial<'_>], results: &[&MatchResult]) -> Curves {
    let series = |name: &str, offset: usize| {
        let of_all = (all.n_games, results[0]);
        let others =
            trials.iter().zip(results[1..].chunks_exact(2)).map(|(trial, two)| (trial.chosen.n_games, two[offset]));
        let share = |games| 100.0 * games as f64 / all.n_games as f64;
        let scores = others.chain([of_all]).map(|(games, result)| (share(games), ScoreEstimate::of_match(result)));
        let mut scores: Vec<_> = scores.collect();
        scores.sort_by(|a, b| a.0.total_cmp(&b.0));
        score_series(name, &scores)
    };
    let labels = ["games kept, %", "score against the opponent, %"];
    let curves =
        Curves::new("Strength by the share of games kept", labels, vec![series("chosen", 0), series("drawn", 1)]);
    Curves { limits: Some((0.0, 100.0)), ..curves }
}
