//! Searches of self-play compared by what is learned from them: PUCT, Gumbel selection, playout cap randomisation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arena::{MAX_GAMES, TournamentResult};
use crate::experiment::agreement::ScoreEstimate;
use crate::experiment::contest::check_games;
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::surakarta_matches::{
    MatchPlan, NetworkMatches, SelfPlayFolders, UNLEARNED, against, check_start,
};
use crate::game::Game;
use crate::games::surakarta::Surakarta;
use crate::net::residual::store::save;
use crate::report::matches::{pairings, standings};
use crate::report::{Cell, Curves, Series, Table};
use crate::runs::Figure;
use crate::runs::zero::{curve_table, games_line, lessons_line, network_line, search_words, train_as};
use crate::search::mcts::{MctsSettings, Selection};
use crate::settings::{require, within};
use crate::train::zero::{LearningPoint, PlayoutCap, SelfPlayFigures, ZeroReport, ZeroSettings};

/// How one network plays itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// How moves are selected.
    pub selection: Selection,
    /// Simulations of each full search.
    pub simulations: u32,
    /// Cheap searches between full ones, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playout_cap: Option<PlayoutCap>,
}

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SurakartaSearchesConfig {
    /// Seed of all that is drawn.
    pub seed: u64,
    /// Games of each pairing of the networks that come out; even.
    pub match_games: usize,
    /// Matches, in which all networks search alike.
    pub matches: MatchPlan,
    /// Self-play and lessons, as far as they are common to all.
    pub training: ZeroSettings,
    /// What differs, by name.
    pub variants: BTreeMap<String, Variant>,
}

impl Variant {
    /// All settings of its self-play.
    fn settings(&self, common: &ZeroSettings) -> ZeroSettings {
        let &Self { selection, simulations, playout_cap } = self;
        let search = MctsSettings { selection, ..common.search };
        ZeroSettings { simulations, playout_cap, search, ..common.clone() }
    }
}

impl Experiment for SurakartaSearchesConfig {
    const ABOUT: &'static str =
        "Self-play by PUCT, by Gumbel selection, with and without playout caps: what networks learn from each";
    const GAME: &'static str = Surakarta::NAME;
    const READS_GAMES: bool = false;

    fn check(&self) -> Result<(), ExperimentError> {
        check_games("match_games", MAX_GAMES, self.match_games)?;
        require(!self.variants.is_empty(), "variants", "at least one", 0)?;
        let is_name = |name: &&String| {
            let is_plain = name.chars().all(|one| one.is_ascii_alphanumeric() || "-_".contains(one));
            !name.is_empty() && is_plain && !UNLEARNED.contains(&name.as_str())
        };
        let wrong = self.variants.keys().find(|name| !is_name(name));
        let names = format!("named by letters, digits, - and _, and not `{}`", UNLEARNED[0]);
        require(wrong.is_none(), "variants", &names, wrong.map_or("", String::as_str))?;
        within("matches", self.matches.check())?;
        within("training", check_start(&self.training))?;
        Ok(self.variants.values().try_for_each(|variant| variant.settings(&self.training).check())?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let matches = NetworkMatches { plan: &self.matches, training: &self.training, seed: self.seed, context };
        let drawn = matches.drawn("all", self.match_games, 0)?;
        let learned = self.variants.iter().map(|(name, variant)| {
            let (settings, folders) = (variant.settings(&self.training), SelfPlayFolders::open(context, name)?);
            context.observer.remark(name);
            let report = train_as::<Surakarta>(&folders.plan(&settings, self.seed), (context.observer, &|| false))?;
            Ok(LearnedVariant { name, settings, report })
        });
        let learned = learned.collect::<Result<Vec<_>, ExperimentError>>()?;
        let networks = learned.iter().map(|one| matches.network(one.name, &one.report.weights));
        // Everybody against everybody, those that do not learn among them.
        let played = matches.play_all(networks, drawn)?;
        let result = &played.result;
        let [draws, losses] = curves(&learned);
        let headline = headline(&learned, result);
        let findings = Findings::titled("Searches of self-play: Surakarta")
            .points(self.heading())
            .table("effort", effort(&learned))
            .table("standings", standings(result))
            .detail("pairings", &pairings(&result.pairings))
            .picture("draws", "draws", draws)
            .picture("losses", "losses", losses)
            .games(played.records)
            .headline(headline);
        Ok(learned.into_iter().fold(findings, LearnedVariant::keep))
    }
}

/// A variant and what it has learned.
struct LearnedVariant<'a> {
    name: &'a str,
    settings: ZeroSettings,
    report: ZeroReport,
}

impl LearnedVariant<'_> {
    /// Adds its learning curve and its network.
    fn keep(findings: Findings, Self { name, settings, report }: Self) -> Findings {
        let (weights, about) = (report.weights, settings.about::<Surakarta>());
        findings
            .data(&format!("curve-{name}"), &curve_table(&report.curve))
            .network(&format!("{name}.safetensors"), move |path| Ok(save(path, &weights, &about)?))
    }
}

impl SurakartaSearchesConfig {
    fn heading(&self) -> [String; 5] {
        let training = &self.training;
        let seed = format!("seed {}", self.seed);
        [network_line(training), games_line(training), lessons_line(training), self.matches.line(), seed]
    }
}

/// What each variant has cost, and what its games were like.
fn effort(learned: &[LearnedVariant<'_>]) -> Table {
    let numbers = ["moves", "simulations", "a move", "draws %", "plies", "policy loss", "value loss"];
    let rows = learned.iter().map(|LearnedVariant { name, settings, report: ZeroReport { curve, .. } }| {
        let [moves, simulations] =
            [|point: &LearningPoint| point.play.moves, |point: &LearningPoint| point.play.simulations]
                .map(|count| curve.iter().map(count).sum::<u64>());
        let with_games: Vec<&LearningPoint> = curve.iter().filter(|point| point.play.games > 0).collect();
        let late = &with_games[with_games.len() - with_games.len().div_ceil(4)..];
        let ended: f64 = late.iter().map(|point| point.play.games as f64).sum();
        let of_games = |value: fn(&SelfPlayFigures) -> Option<f64>| {
            late.iter().filter_map(|point| Some(point.play.games as f64 * value(&point.play)?)).sum::<f64>() / ended
        };
        let loss = |number: usize| mean(late.iter().filter_map(|point| point.losses.map(|losses| losses[number])));
        let [draws, plies] = [100.0 * of_games(|play| play.draws), of_games(|play| play.mean_plies)];
        let means = [simulations as f64 / moves as f64, draws, plies].map(|mean| Cell::real(mean, 1));
        let names = [Cell::from(*name), search_words(settings).into(), moves.into(), simulations.into()];
        names.into_iter().chain(means).chain([0, 1].map(|number| Cell::real(loss(number), 3)))
    });
    let caption = "Self-play; draws, plies and losses over the last quarter of the lessons";
    Table::new(caption, &["variant", "search"], &numbers).with_rows(rows)
}

/// What is compared of runs of a sweep: how each variant does against those that do not learn.
fn headline(learned: &[LearnedVariant<'_>], played: &TournamentResult) -> Vec<Figure> {
    let score = |name: &str, opponent: &str| {
        let result = against(played, name, opponent)?;
        Some((format!("score of {name} against {opponent}"), ScoreEstimate::of_match(result).value))
    };
    let of = |one: &LearnedVariant<'_>| UNLEARNED.map(|opponent| score(one.name, opponent));
    learned.iter().flat_map(of).flatten().collect()
}

/// The share of drawn games, and the loss of the policy, while the variants learn.
fn curves(learned: &[LearnedVariant<'_>]) -> [Curves; 2] {
    let draw = |title: &str, y_label: &str, value: fn(&LearningPoint) -> Option<f64>| {
        let point = |point: &LearningPoint| Some((point.games as f64, value(point)?));
        let series =
            |one: &LearnedVariant<'_>| Series::new(one.name, one.report.curve.iter().filter_map(point).collect());
        Curves::new(title, ["games of self-play", y_label], learned.iter().map(series).collect())
    };
    let draws = draw("Drawn games of self-play", "per cent", |point| point.play.draws.map(|share| 100.0 * share));
    let losses = draw("Loss of the policy", "cross entropy, nats", |point| point.losses.map(|losses| losses[0]));
    [Curves { limits: Some((0.0, 100.0)), ..draws }, losses]
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}
