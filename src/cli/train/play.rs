//! `roughboard train td` with searches: TD(λ) by playing, and TD-Leaf on games of others.

use std::num::NonZeroUsize;

use clap::Args as ClapArgs;
use roughboard::eval::Catalogue;
use roughboard::runs::training::{self, DenseConfig, Rival, RunName, TdConfig};
use roughboard::settings::{require, within};
use roughboard::train::TdSettings;
use roughboard::train::play::{LeafSettings, LearnFrom, Learning, Lookahead, Opponent, PlaySettings};

use super::common::{Common, finish};
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::settings::{Of, usual};
use crate::cli::targets::OutPath;

/// Arguments of `train td` that make it search.
#[derive(ClapArgs)]
#[command(next_help_heading = "Playing and searching")]
#[command(mut_arg("training.lookahead.quiescence_plies", |arg| usual(arg, "32, in Connect6 0")))]
#[command(mut_arg("training.lookahead.width", |arg| usual(arg, "that of the game")))]
pub struct Searching {
    /// Play instead of learning from the recorded games, which then only measure the error: self, random, or fixed:EVALUATOR
    #[arg(long, value_name = "OPPONENT", value_parser = opponent, conflicts_with_all = ["passes", "curve_points", "form"])]
    play: Option<Opponent>,
    #[command(flatten)]
    settings: Of<Playing>,
    /// Search depth of a fixed opponent [default: that of the learner]
    #[arg(long, value_name = "D", requires = "play")]
    opponent_depth: Option<u32>,
    /// How many of the last games a score is taken over
    #[arg(long, default_value = "100", value_name = "N", requires = "play")]
    score_games: NonZeroUsize,
    /// Write the games that are played
    #[arg(long, value_parser = OutPath::file(&[".pgn"]), value_name = "FILE.pgn", requires = "play")]
    save_games: Option<OutPath>,
}

roughboard::settings! {
    /// The settings in the group in which errors name them: other options have the same names.
    #[derive(Debug)]
    struct Playing {
        /// How games are played and learned from.
        training: PlaySettings = PlaySettings::default();
    }
}

/// The learner's opponent, as `--play` names it, without its depth.
fn opponent(text: &str) -> Result<Opponent, String> {
    match (text, text.strip_prefix("fixed:")) {
        ("self", _) => Ok(Opponent::Itself),
        ("random", _) => Ok(Opponent::Random),
        (_, Some(name)) if !name.is_empty() => Ok(Opponent::Fixed { evaluator: name.to_owned(), depth: 0 }),
        _ => Err("expected self, random or fixed:EVALUATOR".to_owned()),
    }
}

/// Where games and leaves come from.
pub enum Source {
    /// From playing, with these settings but for how the network is changed.
    Play(PlaySettings),
    /// From searches of recorded positions.
    Leaves(Lookahead),
}

impl Searching {
    /// What the arguments ask for; `None` for TD(λ) on recorded positions, which needs no search.
    pub fn source<G: Catalogue>(&self) -> anyhow::Result<Option<Source>> {
        let usual = PlaySettings { lookahead: Lookahead::of_game::<G>(), ..PlaySettings::default() };
        let Playing { training: mut settings } = self.settings.onto(Playing { training: usual })?;
        let is_of_search = |path: &str| path.starts_with("training.lookahead.");
        let Some(opponent) = &self.play else {
            let is_of_play = |path: &str| path != "training.learn_from" && !is_of_search(path);
            self.settings.refuse("left out unless `--play` is given", is_of_play)?;
            if settings.learn_from == LearnFrom::Leaves {
                return Ok(Some(Source::Leaves(settings.lookahead)));
            }
            self.settings.refuse("left out unless `--play` or `--learn-from leaves` is given", is_of_search)?;
            return Ok(None);
        };
        settings.opponent = opponent.clone();
        let found = self.opponent_depth;
        if let Opponent::Fixed { depth, .. } = &mut settings.opponent {
            *depth = found.unwrap_or(settings.lookahead.depth);
        } else {
            let range = "left out unless `--play fixed:EVALUATOR` is given";
            require(found.is_none(), "opponent_depth", range, found.unwrap_or_default())?;
        }
        Ok(Some(Source::Play(settings)))
    }

    /// Runs `train td` with searches: network, learning rate and trace decay are those of `config`.
    pub fn train<G: Catalogue>(
        &self,
        source: Source,
        config: TdConfig,
        common: &Common,
        session: &Session,
    ) -> anyhow::Result<()> {
        let TdConfig { network, training: TdSettings { alpha, lambda, update, patience, passes, .. } } = config;
        require(
            patience.is_none(),
            "patience",
            "left out when TD(λ) learns by searching",
            patience.unwrap_or_default(),
        )?;
        let learning = Learning { alpha, lambda, update };
        match source {
            Source::Play(settings) => {
                let training = PlaySettings { learning, ..settings };
                within("training", training.check())?;
                self.play::<G>(DenseConfig { network, training }, common, session)
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
        &self,
        mut config: DenseConfig<PlaySettings>,
        common: &Common,
        session: &Session,
    ) -> anyhow::Result<()> {
        let games = (self.save_games.as_deref(), self.score_games.get());
        let name = RunName { method: "td", title: "Learning curve: TD(λ) by playing" };
        common.run.check_kept::<G>(config.training.opponent.evaluator(), common.start.start())?;
        // Before a run is replaced: its games are removed.
        training::check_searched_data(&common.settings::<G>()?)?;
        let rival = Rival::<G>::of(&mut config.training)?;
        let opponent = rival.as_ref().map(|rival| rival.file.clone());
        let opened = common.open_against::<G>(name, (&config, opponent), session)?;
        let Some((run, data, _)) = opened else { return Ok(()) };
        let start = run.begin(config.initial(&data, "td"), &data)?;
        common.start.remove_replaced(games.0)?;
        let player = run.learn_by(&session.progress, |context| {
            training::learn_by_playing::<G>(&data, start, (&config.training, rival), games, context)
        })?;
        let scores = run.write_scores(&player.scores)?;
        output::print(&format!("{}\n", player.scores.to_text()))?;
        finish(&run, &player.learned, &data, scores)
    }
}

fn learn_from_leaves<G: Catalogue>(
    config: &DenseConfig<LeafSettings>,
    common: &Common,
    session: &Session,
) -> anyhow::Result<()> {
    let name = RunName { method: "td", title: "Learning curve: TD-Leaf" };
    let Some((run, data, records)) = common.open::<G>(name, config, session)? else { return Ok(()) };
    let start = run.begin(config.initial(&data, "td"), &data)?;
    let learned = run.learn_by(&session.progress, |context| {
        training::learn_from_leaves((&data, &records), start, &config.training, context)
    })?;
    finish(&run, &learned, &data, Vec::new())
}
