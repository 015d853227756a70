//! S2: TD-BP by self-play on Connect6 (§3), against static evaluations at equal depth and width.
//!
//! Three questions: how the score grows with the games of self-play, which α and λ are best (S2 §3.5 found 0.3 and 0.7), and whether
//! the learned evaluation beats static ones in a match of its own, with openings that no choice was made by.

mod report;

use serde::{Deserialize, Serialize};

use crate::arena::{FinishedMatch, MAX_GAMES, Opening, random_openings};
use crate::eval::Catalogue;
use crate::experiment::contest::{Competitor, Contest, Contests, MatchConfig, Pace, check_built_in, check_games};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::methods::check_different;
use crate::experiment::seeds::Seeds;
use crate::features::FeatureSet;
use crate::game::Game;
use crate::games::connect6::Connect6;
use crate::net::dense::{ActivationFunction, DenseShape, InputForm};
use crate::net::store::{self, About, FORMAT};
use crate::net::{Coding, DenseNet, Net, Network, are_weights};
use crate::runs::file_name;
use crate::runs::training::{LearnError, Learned};
use crate::settings::{require, require_in, within};
use crate::train::play::{LearnFrom, LearnerGames, Learning, Lookahead, Opponent, PlayLambda, PlaySettings};
use crate::train::{Maker, Schedule, ScheduleShape, UpdateTime, alpha_of_probabilities};

/// Out of how many candidates each stone of an opening is drawn.
const OPENING_WIDTH: u32 = 24;

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Connect6TdbpConfig {
    /// Seed of initial weights, games and openings.
    pub seed: u64,
    /// Training runs of each curve, with this seed and those that follow it, in [1, 20].
    pub seeds: usize,
    /// Whom the networks play: built-in evaluators, in [1, 10]; those of the grid play the first.
    pub opponents: Vec<String>,
    /// What the networks of the curves see of a position.
    pub features: Vec<String>,
    /// Hidden neurons, in [1, 1024].
    pub hidden: usize,
    /// α of S2's eq. (7), in probabilities, in (0, 1].
    pub alpha: f64,
    /// α at the end of the training; that of the beginning if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_alpha: Option<f64>,
    /// λ of S2's eq. (7), in [0, 1].
    pub lambda: f64,
    /// After how many games of self-play the networks of the curves play, ascending, each at most 1,000,000.
    pub checkpoints: Vec<usize>,
    /// How the games to learn from are played.
    pub play: PlayConfig,
    /// The grid of α and λ.
    pub grid: GridConfig,
    /// Games of the matches at the end; even.
    pub final_games: usize,
    /// The matches of the curves.
    pub matches: MatchConfig,
}

/// How the games to learn from are played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayConfig {
    /// Who plays the learner.
    pub opponent: Opponent,
    /// How far the learner looks ahead.
    pub lookahead: Lookahead,
    /// Games that are played by the same weights before they are learned from.
    pub batch: usize,
    /// What is learned from.
    pub learn_from: LearnFrom,
    /// The chance that the learner makes a move at random.
    pub explore: f64,
    /// Stones at the start of each game that are drawn.
    pub random_plies: usize,
    /// Stones after which a game is a draw.
    pub max_plies: usize,
    /// When the weights move.
    pub update: UpdateTime,
}

/// The grid of α and λ: one network a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GridConfig {
    /// What the networks see of a position.
    pub features: String,
    /// The learning rates, in probabilities.
    pub alphas: Vec<f64>,
    /// The trace decays.
    pub lambdas: Vec<f64>,
    /// Games of self-play that each network learns from.
    pub games: usize,
    /// Games of each match; even.
    pub match_games: usize,
}

impl Connect6TdbpConfig {
    /// Those of each curve.
    const fn seeds(&self) -> Seeds {
        Seeds { first: self.seed, n: self.seeds }
    }

    /// The matches with another number of games.
    fn matches_of(&self, games: usize) -> MatchConfig {
        MatchConfig { games, ..self.matches.clone() }
    }

    /// What the networks of the curves learn: by features, then by seed.
    fn curves(&self) -> impl Iterator<Item = TrainingJob<'_>> {
        self.features.iter().flat_map(move |features| {
            self.seeds().iter().map(move |seed| TrainingJob {
                features,
                seed,
                alpha: self.alpha,
                lambda: self.lambda,
                games: self.last(),
            })
        })
    }

    /// What the networks of the grid learn: by α, then by λ.
    fn cells(&self) -> impl Iterator<Item = TrainingJob<'_>> {
        let GridConfig { features, alphas, lambdas, games, .. } = &self.grid;
        let cell = move |(alpha, lambda)| TrainingJob { features, seed: self.seed, alpha, lambda, games: *games };
        alphas.iter().flat_map(move |&alpha| lambdas.iter().map(move |&lambda| (alpha, lambda))).map(cell)
    }

    fn last(&self) -> usize {
        self.checkpoints.last().copied().unwrap_or_default()
    }

    /// Openings of stones drawn from promising ones, all different; those of number 1 are for the matches at the end.
    fn openings(&self, games: usize, number: u64) -> Result<Vec<Opening<Connect6>>, ExperimentError> {
        let seed = self.seed.wrapping_mul(2).wrapping_add(number);
        Ok(random_openings(self.matches_of(games).opening_settings(seed), OPENING_WIDTH)?)
    }

    /// Each of `networks` against each of `opponents`.
    fn play(
        &self,
        context: &Context<'_>,
        title: &str,
        (networks, opponents): (Vec<&Learned>, &[String]),
        (games, openings): (usize, &[Opening<Connect6>]),
    ) -> Result<(Vec<FinishedMatch<Connect6>>, Pace), ExperimentError> {
        let against = |one| opponents.iter().map(move |name| [Competitor::Network(one), Competitor::Named(name)]);
        let pairings = networks.into_iter().flat_map(against).collect();
        let config = self.matches_of(games);
        let openings = &openings[..(games / 2).min(openings.len())];
        // Journals are named after the players, who are the same in the curves and at the end.
        let folder = context.folder.part(title)?;
        let title = format!("TD-BP, {title}");
        let contest = Contest { title: &title, config: &config, openings, pairings };
        contest.play(&Context { folder: &folder, ..*context })
    }
}

/// What one network learns by.
#[derive(Clone, Copy)]
struct TrainingJob<'a> {
    features: &'a str,
    seed: u64,
    /// In probabilities.
    alpha: f64,
    lambda: f64,
    games: usize,
}

impl Experiment for Connect6TdbpConfig {
    const ABOUT: &'static str = "S2: TD-BP by self-play on Connect6 against static evaluations; its grid of α and λ";
    const GAME: &'static str = Connect6::NAME;
    const READS_GAMES: bool = false;
    const PLAYS: bool = true;

    fn check(&self) -> Result<(), ExperimentError> {
        check_built_in::<Connect6>("opponents", self.opponents.iter().map(String::as_str))?;
        for features in self.features.iter().chain([&self.grid.features]) {
            Connect6::features(features)?;
        }
        self.seeds().check()?;
        require_in("hidden", 1..=1024, self.hidden)?;
        let ascending = self.checkpoints.is_sorted_by(|a, b| a < b);
        let in_range = self.checkpoints.last().is_some_and(|last| (1..=1_000_000).contains(last));
        let found = format!("{:?}", self.checkpoints);
        require(ascending && in_range, "checkpoints", "ascending, the last in [1, 1000000]", found)?;
        require(!self.features.is_empty(), "features", "at least one", "none")?;
        require((1..=10).contains(&self.opponents.len()), "opponents", "1 to 10 of them", self.opponents.len())?;
        require_in("grid.games", 1..=1_000_000, self.grid.games)?;
        let cells = self.grid.alphas.len() * self.grid.lambdas.len();
        require((1..=100).contains(&cells), "grid", "1 to 100 cells", cells)?;
        check_different("features", &self.features)?;
        check_different("opponents", &self.opponents)?;
        check_different("grid.alphas", &self.grid.alphas)?;
        check_different("grid.lambdas", &self.grid.lambdas)?;
        within("matches", self.matches.check::<Connect6>())?;
        check_games("final_games", MAX_GAMES, self.final_games)?;
        check_games("grid.match_games", MAX_GAMES, self.grid.match_games)?;
        Ok(self.curves().chain(self.cells()).try_for_each(|job| job.settings(self).check())?)
    }

    fn further_inputs(&self) -> Result<Vec<(String, String)>, ExperimentError> {
        let names = self.opponents.iter().map(String::as_str).chain(self.play.opponent.evaluator());
        names.map(|name| Ok((name.to_owned(), Connect6::checksum(name)?))).collect()
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let openings = self.openings(self.matches.games.max(self.grid.match_games), 0)?;
        let last_openings = self.openings(self.final_games, 1)?;
        let learn = |job: TrainingJob<'_>, checkpoints: &[usize]| stages(self, &job, checkpoints, context);
        let curves = self.curves().map(|job| learn(job, &self.checkpoints)).collect::<Result<Vec<_>, _>>()?;
        let cells = self.cells().map(|job| learn(job, &[self.grid.games])).collect::<Result<Vec<_>, _>>()?;
        let (of_curves, cells) = (curves.iter().flatten(), cells.into_iter().flatten().collect::<Vec<Learned>>());
        let last = curves.iter().step_by(self.seeds).filter_map(|stages| stages.last());
        let mut contests = Contests::default();
        let mut play = |title, players, games| contests.add(self.play(context, title, players, games));
        let by_games = play("curve", (of_curves.clone().collect(), &self.opponents), (self.matches.games, &openings))?;
        let by_cell = play("grid", (cells.iter().collect(), &self.opponents[..1]), (self.grid.match_games, &openings))?;
        let at_the_end = play("final", (last.collect(), &self.opponents), (self.final_games, &last_openings))?;
        let pace = contests.pace()?;
        let findings = report::findings(self, [&by_games, &by_cell, &at_the_end]).times([pace.table()]);
        Ok(findings
            .networks(curves.into_iter().flatten().chain(cells))
            .games(at_the_end.into_iter().flat_map(|one| one.records)))
    }
}

impl TrainingJob<'_> {
    /// What a network is called after `games` games.
    fn name(&self, games: usize) -> String {
        let Self { features, seed, alpha, lambda, games: all } = self;
        // In a longer course the network after as many games is another one: its rate has fallen less.
        format!("TD-BP {features} α = {alpha} λ = {lambda} seed {seed} {games} of {all} games")
    }

    /// How its games are played and learned from.
    fn settings(&self, config: &Connect6TdbpConfig) -> PlaySettings {
        let play = &config.play;
        let last = config.final_alpha.filter(|_| self.alpha == config.alpha).unwrap_or(self.alpha);
        let alpha = Schedule {
            last: alpha_of_probabilities(last),
            shape: ScheduleShape::Exponential,
            ..Schedule::constant(alpha_of_probabilities(self.alpha))
        };
        PlaySettings {
            opponent: play.opponent.clone(),
            games: self.games,
            batch: play.batch,
            lookahead: play.lookahead,
            learn_from: play.learn_from,
            explore: play.explore,
            random_plies: play.random_plies,
            ply_cap: play.max_plies,
            learning: Learning { alpha, lambda: self.lambda, update: play.update },
            measure_every: self.games,
        }
    }
}

/// The network of `job` after each number of games of `checkpoints`, the last of which is that of the job. Those that are in
/// the state of the run already are read from there, and training continues from the last of them.
fn stages(
    config: &Connect6TdbpConfig,
    job: &TrainingJob<'_>,
    checkpoints: &[usize],
    context: &Context<'_>,
) -> Result<Vec<Learned>, ExperimentError> {
    let features = Connect6::features(job.features)?;
    let opponent = config.play.opponent.evaluator().map(Connect6::evaluator_factory).transpose()?;
    let settings = job.settings(config);
    let games = LearnerGames {
        settings: settings.clone(),
        seed: job.seed,
        features: &features,
        opponent: opponent.as_ref().map(|make| make as Maker<'_, Connect6>),
    };
    let mut method = PlayLambda::new(games, None);
    let mut net = initial(config, &features, job.seed);
    let mut stages = Vec::with_capacity(checkpoints.len());
    let mut played = 0;
    context.observer.begin(&job.name(job.games), job.games as u64);
    for &games in checkpoints {
        let name = job.name(games);
        let path = context.state(&format!("{}.safetensors", file_name(&name)));
        let about = about(&features, &settings, games, job.seed);
        match store::load(&path) {
            Ok((known, found)) if found == about => net = known,
            _ => {
                method.learn_games(&mut net, played..games, |_| ())?;
                store::save(&path, &net, &about)?;
            }
        }
        context.observer.advance((games - played) as u64);
        played = games;
        if !are_weights(net.parameters()) {
            return Err(LearnError::Diverged { name }.into());
        }
        stages.push(Learned { name, net: net.clone(), about, curve: Vec::new(), kept: None, n_positions: 0 });
    }
    context.observer.end();
    Ok(stages)
}

/// The untrained network of S2: one input a value, sigmoids.
fn initial(config: &Connect6TdbpConfig, features: &impl FeatureSet<Connect6>, seed: u64) -> Net {
    let coding = Coding::new(&features.attributes().into_iter().map(|spec| spec.inputs).collect::<Vec<_>>());
    let shape =
        DenseShape { hidden: vec![config.hidden], activation: ActivationFunction::Sigmoid, inputs: InputForm::OneHot };
    Net::Dense(DenseNet::random(coding, shape, seed, "dense-initial-weights"))
}

fn about(features: &impl FeatureSet<Connect6>, settings: &PlaySettings, games: usize, seed: u64) -> About {
    About {
        format: FORMAT,
        game: Connect6::NAME.to_owned(),
        features: features.name().to_owned(),
        method: "td".to_owned(),
        settings: serde_json::json!({ "seed": seed, "games": games, "method": settings }),
        inputs: Vec::new(),
        rules: Vec::new(),
    }
}
