//! `roughboard train td` with searches: TD(λ) by playing, and TD-Leaf on games of others.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args as ClapArgs;
use roughboard::arena::PLY_CAP;
use roughboard::eval::Catalogue;
use roughboard::record::check_writable;
use roughboard::runs::training::{self, DenseConfig, RunName, TdConfig};
use roughboard::settings::{SettingError, require, within};
use roughboard::train::TdSettings;
use roughboard::train::play::{LeafSettings, LearnFrom, Learning, Lookahead, Opponent, PlaySettings};

use super::common::{Common, finish};
use crate::cli::choice::named;
use crate::cli::output;
use crate::cli::session::Session;

/// Plies that the learner looks ahead, unless something else is asked for.
const DEPTH: u32 = 2;

/// Arguments of `train td` that make it search.
#[derive(ClapArgs)]
#[command(next_help_heading = "Playing and searching")]
pub struct Args {
    /// Play instead of learning from the recorded games, which then only measure the error: self, random, or fixed:EVALUATOR
    #[arg(long, value_name = "OPPONENT", conflicts_with_all = ["passes", "curve_points", "form"])]
    play: Option<Partner>,
    /// The sequence that is learned from: positions as played, or leaves of the learner's searches (TD-Leaf), also from the
    /// positions of recorded games [default: positions]
    #[arg(long, value_parser = named::<LearnFrom>())]
    learn_from: Option<LearnFrom>,
    /// Plies that the learner looks ahead; 1 to 64, or from 0 on recorded games [default: 2]
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Plies of captures and answers to checks that a leaf is followed at most; 0 for none [default: 32, in Connect6 0]
    #[arg(long, value_name = "N")]
    quiescence_plies: Option<u32>,
    /// Candidates of a position that the learner looks at and draws moves at random from; 0 for all moves [default: that of the
    /// game]
    #[arg(long, value_name = "N")]
    width: Option<u32>,
    /// Games to play, 1 to 10000000
    #[arg(long = "games-to-play", id = "training.games", default_value_t = 1000, value_name = "N", requires = "play")]
    games_to_play: usize,
    /// Games played by the same weights, in parallel, before they are learned from, 1 to 10000
    #[arg(long = "batch-games", id = "training.batch", default_value_t = 1, value_name = "N", requires = "play")]
    batch_games: usize,
    /// Chance that the learner makes a move at random, 0 to 1
    #[arg(long, default_value_t = 0.05, value_name = "E", requires = "play")]
    explore: f64,
    /// Plies at the start of each game that are drawn from the moves that the learner would look at, 0 to 200
    #[arg(long, default_value_t = 8, value_name = "N", requires = "play")]
    random_plies: usize,
    /// Plies after which a game is called a draw, at most 10000
    #[arg(long = "max-plies", id = "ply_cap", default_value_t = PLY_CAP, value_name = "N", requires = "play")]
    max_plies: usize,
    /// Search depth of a fixed opponent [default: that of the learner]
    #[arg(long, value_name = "D", requires = "play")]
    opponent_depth: Option<u32>,
    /// Games between two measurements, which are also checkpoints
    #[arg(long, default_value_t = 50, value_name = "N", requires = "play")]
    measure_every: usize,
    /// How many of the last games a score is taken over
    #[arg(long, default_value_t = 100, value_name = "N", requires = "play", value_parser = at_least_one)]
    score_games: usize,
    /// Write the games that are played
    #[arg(long, value_name = "FILE.pgn", requires = "play")]
    save_games: Option<PathBuf>,
}

/// The learner's opponent, as `--play` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Partner {
    Itself,
    Random,
    Fixed(String),
}

impl FromStr for Partner {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("fixed:")) {
            ("self", _) => Ok(Self::Itself),
            ("random", _) => Ok(Self::Random),
            (_, Some(evaluator)) if !evaluator.is_empty() => Ok(Self::Fixed(evaluator.to_owned())),
            _ => Err("expected self, random or fixed:EVALUATOR".to_owned()),
        }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a number from 1".to_owned())
}

/// Where games and leaves come from.
pub enum Source<'a> {
    /// From playing.
    Play(&'a Args, Opponent),
    /// From searches of recorded positions.
    Leaves(Lookahead),
}

impl Args {
    /// What the arguments ask for; `None` for TD(λ) on recorded positions, which needs no search.
    pub fn source<G: Catalogue>(&self) -> anyhow::Result<Option<Source<'_>>> {
        let opponent = self.play.as_ref().map(|partner| self.opponent::<G>(partner)).transpose()?;
        match (opponent, self.learn_from) {
            (Some(opponent), _) => Ok(Some(Source::Play(self, opponent))),
            (None, Some(LearnFrom::Leaves)) => Ok(Some(Source::Leaves(self.lookahead::<G>()))),
            (None, _) => {
                for (name, plies) in
                    [("--depth", self.depth), ("--quiescence-plies", self.quiescence_plies), ("--width", self.width)]
                {
                    let range = "left out unless with `--play` or `--learn-from leaves`";
                    require(plies.is_none(), name, range, plies.unwrap_or_default())?;
                }
                Ok(None)
            }
        }
    }

    fn opponent<G: Catalogue>(&self, partner: &Partner) -> Result<Opponent, SettingError> {
        let is_fixed = matches!(partner, Partner::Fixed(_));
        let depth = self.opponent_depth;
        let range = "left out unless with `--play fixed:EVALUATOR`";
        require(is_fixed || depth.is_none(), "--opponent-depth", range, depth.unwrap_or_default())?;
        Ok(match partner {
            Partner::Itself => Opponent::Itself,
            Partner::Random => Opponent::Random,
            Partner::Fixed(evaluator) => {
                let depth = depth.unwrap_or(self.lookahead::<G>().depth);
                Opponent::Fixed { evaluator: evaluator.clone(), depth }
            }
        })
    }

    fn lookahead<G: Catalogue>(&self) -> Lookahead {
        Lookahead {
            depth: self.depth.unwrap_or(DEPTH),
            quiescence_plies: self.quiescence_plies.unwrap_or_else(Lookahead::usual_quiescence_plies::<G>),
            width: self.width.unwrap_or(G::SEARCH_WIDTH),
        }
    }

    fn settings<G: Catalogue>(&self, opponent: Opponent, learning: Learning) -> PlaySettings {
        PlaySettings {
            opponent,
            games: self.games_to_play,
            batch: self.batch_games,
            lookahead: self.lookahead::<G>(),
            learn_from: self.learn_from.unwrap_or_default(),
            explore: self.explore,
            random_plies: self.random_plies,
            ply_cap: self.max_plies,
            learning,
            measure_every: self.measure_every,
        }
    }

    fn games_file(&self) -> anyhow::Result<Option<&Path>> {
        let Some(path) = &self.save_games else { return Ok(None) };
        let is_pgn = path.extension().is_some_and(|extension| extension == "pgn");
        require(is_pgn, "--save-games", "a file name that ends in .pgn", path.display())?;
        check_writable(path)?;
        Ok(Some(path))
    }
}

/// Runs `train td` with searches: network, learning rate and trace decay are those of `config`.
pub fn train<G: Catalogue>(
    source: Source<'_>,
    config: TdConfig,
    common: &Common,
    session: &Session,
) -> anyhow::Result<()> {
    let TdConfig { network, training: TdSettings { alpha, lambda, update, patience, passes, .. } } = config;
    require(patience.is_none(), "--patience", "left out where TD(λ) searches", patience.unwrap_or_default())?;
    let learning = Learning { alpha, lambda, update };
    match source {
        Source::Play(args, opponent) => {
            let training = args.settings::<G>(opponent, learning);
            within("training", training.check())?;
            play::<G>(args, &DenseConfig { network, training }, common, session)
        }
        Source::Leaves(lookahead) => {
            let skip_plies = common.settings::<G>()?.selection.skip_plies;
            let training = LeafSettings { lookahead, skip_plies, passes, learning };
            training.check()?;
            learn_from_leaves::<G>(&DenseConfig { network, training }, common, session)
        }
    }
}

fn play<G: Catalogue>(
    args: &Args,
    config: &DenseConfig<PlaySettings>,
    common: &Common,
    session: &Session,
) -> anyhow::Result<()> {
    let games = args.games_file()?;
    common.check::<G>()?;
    let data = common.data::<G>(session)?;
    let run = common.open(RunName { method: "td", title: "Learning curve: TD(λ) by playing" }, &data, config)?;
    let start = run.begin(config.initial(&data, "td"), &data)?;
    let player = run.learn_by(&session.progress, |context| {
        training::learn_by_playing::<G>(&data, start, &config.training, (games, args.score_games), context)
    })?;
    let scores = run.write_scores(&player.scores)?;
    output::print(&format!("{}\n", player.scores.to_text()))?;
    finish(&run, &player.learned, &data, scores)
}

fn learn_from_leaves<G: Catalogue>(
    config: &DenseConfig<LeafSettings>,
    common: &Common,
    session: &Session,
) -> anyhow::Result<()> {
    common.check::<G>()?;
    let (data, records) = common.data_and_games::<G>(session)?;
    let run = common.open(RunName { method: "td", title: "Learning curve: TD-Leaf" }, &data, config)?;
    let start = run.begin(config.initial(&data, "td"), &data)?;
    let learned = run.learn_by(&session.progress, |context| {
        training::learn_from_leaves((&data, &records), start, &config.training, context)
    })?;
    finish(&run, &learned, &data, Vec::new())
}
