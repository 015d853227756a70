//! Searches of self-play compared by what is learned from them: PUCT, Gumbel selection, playout cap randomisation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arena::{Player, TournamentResult};
use crate::experiment::agreement::Score;
use crate::experiment::contract::{Context, Experiment};
use crate::experiment::error::ExperimentError;
use crate::experiment::surakarta_matches::{
    MatchPlan, Matches, PlayedMatches, UNLEARNED, against, check_start, unlearned,
};
use crate::game::Game;
use crate::games::surakarta::Surakarta;
use crate::net::residual::store::save;
use crate::report::matches::{pairings, standings};
use crate::report::{Cell, Curves, Document, Series, Table};
use crate::runs::folder::RunFolder;
use crate::runs::results::{Figure, Outcome, Results, ResultsError};
use crate::runs::zero::{curve_table, games_line, lessons_line, network_line, search_words, train_as};
use crate::search::mcts::{MctsSettings, Selection};
use crate::settings::{SettingError, require};
use crate::train::zero::{Plan, Play, PlayoutCap, Point, Report, ZeroSettings};

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
pub struct SurakartaSearchesConfig {
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

impl SurakartaSearchesConfig {
    fn check_ranges(&self) -> Result<(), SettingError> {
        let games = self.match_games;
        require(games > 0 && games.is_multiple_of(2), "match_games", "an even number above 0", games)?;
        require(!self.variants.is_empty(), "variants", "at least one", 0)?;
        let is_name = |name: &&String| {
            let is_plain = name.chars().all(|one| one.is_ascii_alphanumeric() || "-_".contains(one));
            !name.is_empty() && is_plain && !UNLEARNED.contains(&name.as_str())
        };
        let wrong = self.variants.keys().find(|name| !is_name(name));
        require(wrong.is_none(), "variants", "named by letters, digits, - and _", wrong.map_or("", String::as_str))?;
        self.matches.check()?;
        check_start(&self.training)?;
        self.variants.values().try_for_each(|variant| variant.settings(&self.training).check())
    }
}

impl Experiment for SurakartaSearchesConfig {
    const NAME: &'static str = "surakarta-searches";
    const ABOUT: &'static str =
        "Self-play by PUCT, by Gumbel selection, with and without playout caps: what networks learn from each";
    const SETTINGS: &'static str = include_str!("surakarta-searches.toml");
    const GAME: &'static str = Surakarta::NAME;
    const READS_GAMES: bool = false;

    fn seed_mut(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(self.check_ranges()?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, ExperimentError> {
        self.check()?;
        let folder = context.open(self, &[])?;
        let learned = self.variants.iter().map(|(name, variant)| {
            let report = self.learn(&folder, context, (name, variant))?;
            Ok((name.as_str(), *variant, report))
        });
        let learned = Learned(learned.collect::<Result<_, ExperimentError>>()?);
        let played = self.play(&folder, context, &learned)?;
        self.write(Results::new(&folder), context, (&learned, &played))
    }
}

/// What the variants have learned, by name.
struct Learned<'a>(Vec<(&'a str, Variant, Report)>);

impl SurakartaSearchesConfig {
    /// The self-play of one variant.
    fn learn(
        &self,
        folder: &RunFolder,
        context: &Context<'_>,
        (name, variant): (&str, &Variant),
    ) -> Result<Report, ExperimentError> {
        let games = folder.part(name)?;
        let state = games.part("state")?;
        let settings = variant.settings(&self.training);
        let plan = Plan { settings: &settings, seed: self.seed, folder: &games.work, state: &state.work };
        context.observer.remark(name);
        Ok(train_as::<Surakarta>(&plan, (context.observer, &|| false))?)
    }

    /// Everybody against everybody, those that do not learn among them.
    fn play(
        &self,
        folder: &RunFolder,
        context: &Context<'_>,
        learned: &Learned<'_>,
    ) -> Result<PlayedMatches, ExperimentError> {
        let matches = Matches {
            experiment: Self::NAME,
            plan: &self.matches,
            training: &self.training,
            seed: self.seed,
            work: &folder.work,
            observer: context.observer,
        };
        let networks = learned.0.iter().map(|(name, _, report)| matches.network(name, &report.weights));
        let mut players: Vec<Box<dyn Player<Surakarta>>> = networks.collect::<Result<_, _>>()?;
        players.extend(unlearned()?);
        matches.play(players, ("all", self.match_games, 0))
    }

    fn write(
        &self,
        mut results: Results<'_>,
        context: &Context<'_>,
        (learned, played): (&Learned<'_>, &PlayedMatches),
    ) -> Result<Outcome, ExperimentError> {
        let PlayedMatches { result, records } = played;
        let (effort, standings, pairings) = (self.effort(learned), standings(result), pairings(&result.pairings));
        results.page(&self.page([&effort, &standings, &pairings]))?;
        for (name, table) in [("effort", &effort), ("standings", &standings), ("pairings", &pairings)] {
            results.csv(name, table)?;
        }
        let [draws, losses] = learned.curves();
        results.picture("draws", context.png, |path| draws.render(path))?;
        results.picture("losses", context.png, |path| losses.render(path))?;
        results.games(records)?;
        for (name, variant, report) in &learned.0 {
            results.csv(&format!("curve-{name}"), &curve_table(&report.curve))?;
            let about = variant.settings(&self.training).about::<Surakarta>();
            results.network(&format!("{name}.safetensors"), |path| {
                save(path, &report.weights, &about).map_err(ResultsError::from)
            })?;
        }
        results.show([&effort, &standings]);
        results.headline(learned.headline(result))?;
        Ok(results.close(self, self.manifest(&[]))?)
    }

    /// What each variant has cost, and what its games were like.
    fn effort(&self, learned: &Learned<'_>) -> Table {
        let numbers = ["moves", "simulations", "a move", "draws %", "plies", "policy loss", "value loss"];
        let mut table = Table::new(
            "Self-play; draws, plies and losses over the last quarter of the lessons",
            &["variant", "search"],
            &numbers,
        );
        for (name, variant, Report { curve, .. }) in &learned.0 {
            let [moves, simulations] = [|point: &Point| point.play.moves, |point: &Point| point.play.simulations]
                .map(|count| curve.iter().map(count).sum::<u64>());
            let with_games: Vec<&Point> = curve.iter().filter(|point| point.play.games > 0).collect();
            let late = &with_games[with_games.len() - with_games.len().div_ceil(4)..];
            let ended: f64 = late.iter().map(|point| point.play.games as f64).sum();
            let of_games = |value: fn(&Play) -> f64| {
                late.iter().map(|point| point.play.games as f64 * value(&point.play)).sum::<f64>() / ended
            };
            let loss = |number: usize| mean(late.iter().filter_map(|point| point.losses.map(|losses| losses[number])));
            table.push([
                (*name).into(),
                search_words(&variant.settings(&self.training)).into(),
                moves.into(),
                simulations.into(),
                Cell::real(simulations as f64 / moves as f64, 1),
                Cell::real(100.0 * of_games(|play| play.draws), 1),
                Cell::real(of_games(|play| play.mean_plies), 1),
                Cell::real(loss(0), 3),
                Cell::real(loss(1), 3),
            ]);
        }
        table
    }

    fn page(&self, tables: [&Table; 3]) -> String {
        let (training, seed) = (&self.training, format!("seed {}", self.seed));
        let lines = [network_line(training), games_line(training), lessons_line(training), self.matches.line(), seed];
        Document::titled("Searches of self-play: Surakarta")
            .points(lines)
            .tables(tables)
            .picture("draws", "draws.svg")
            .picture("losses", "losses.svg")
            .into_text()
    }
}

impl Learned<'_> {
    /// What is compared of runs of a sweep: how each variant does against those that do not learn.
    fn headline(&self, played: &TournamentResult) -> Vec<Figure> {
        let score = |name: &str, opponent: &str| {
            let result = against(played, name, opponent)?;
            Some((format!("score of {name} against {opponent}"), Score::of_match(result).value))
        };
        let of = |(name, ..): &(&str, Variant, Report)| UNLEARNED.map(|opponent| score(name, opponent));
        self.0.iter().flat_map(of).flatten().collect()
    }

    /// The share of drawn games, and the loss of the policy, while the variants learn.
    fn curves(&self) -> [Curves; 2] {
        let draw = |title: &str, y_label: &str, value: &dyn Fn(&Point) -> Option<f64>, limits| {
            let points = |curve: &[Point]| {
                curve.iter().filter_map(|point| Some((point.games as f64, value(point)?))).collect::<Vec<_>>()
            };
            Curves {
                title: title.to_owned(),
                x_label: "games of self-play".to_owned(),
                y_label: y_label.to_owned(),
                series: self.0.iter().map(|(name, _, report)| Series::new(*name, points(&report.curve))).collect(),
                limits,
                ..Curves::default()
            }
        };
        [
            draw(
                "Drawn games of self-play",
                "per cent",
                &|point| (point.play.games > 0).then_some(100.0 * point.play.draws),
                Some((0.0, 100.0)),
            ),
            draw("Loss of the policy", "cross entropy, nats", &|point| point.losses.map(|losses| losses[0]), None),
        ]
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}
