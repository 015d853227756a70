//! One network that learns by playing, kept at every checkpoint.

use super::{Connect6TdbpConfig, TrainingJob};
use crate::eval::{Catalogue, Factory};
use crate::experiment::contract::{Context, ExperimentError};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::games::connect6::Connect6;
use crate::net::Net;
use crate::net::dense::{ActivationFunction, DenseShape, InputForm};
use crate::net::store::{self, About, FORMAT};
use crate::net::{Coding, DenseNet, Network};
use crate::runs::folder::file_name;
use crate::runs::training::{LearnError, Learned};
use crate::train::play::{LearnerGames, Learning, Opponent, PlayLambda, PlaySettings};
use crate::train::{Maker, Schedule, ScheduleShape, alpha_of_probabilities};

impl TrainingJob<'_> {
    /// What a network is called after `games` games.
    pub fn name(&self, games: usize) -> String {
        let Self { features, seed, alpha, lambda, games: all } = self;
        // In a longer course the network after as many games is another one: its rate has fallen less.
        format!("TD-BP {features} α = {alpha} λ = {lambda} seed {seed} {games} of {all} games")
    }

    /// How its games are played and learned from.
    pub fn settings(&self, config: &Connect6TdbpConfig) -> PlaySettings {
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
/// the state of the run already are read from there, and training goes on from the last of them.
pub fn stages(
    config: &Connect6TdbpConfig,
    job: &TrainingJob<'_>,
    checkpoints: &[usize],
    context: &Context<'_>,
) -> Result<Vec<Learned>, ExperimentError> {
    let features = Connect6::features(job.features)?;
    let opponent = opponent_of(config)?;
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
        if !net.parameters().iter().all(|weight| weight.is_finite()) {
            return Err(LearnError::Diverged { name }.into());
        }
        stages.push(Learned { name, net: net.clone(), about, curve: Vec::new(), n_positions: 0 });
    }
    context.observer.end();
    Ok(stages)
}

/// What makes the fixed opponent of the learner, if it has one.
fn opponent_of(config: &Connect6TdbpConfig) -> Result<Option<Factory<Connect6>>, ExperimentError> {
    let Opponent::Fixed { evaluator, .. } = &config.play.opponent else { return Ok(None) };
    Ok(Some(Connect6::evaluator_factory(evaluator)?))
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
