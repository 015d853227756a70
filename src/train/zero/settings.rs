//! How a run of self-play goes.

use serde::{Deserialize, Serialize};

use crate::arena::{Adjudication, ResignRule};
use crate::features::planes::Planes;
use crate::game::PositionError;
use crate::net::optimiser::OptimiserKind;
use crate::net::residual::store::About;
use crate::net::residual::{Device, Shape};
use crate::search::mcts::MctsSettings;
use crate::settings::{SettingError, is_zero, require, within};
use crate::train::Schedule;

/// The most games of one run, and the most of a few other things.
const MANY: usize = 10_000_000;
/// Searches in a row that must be without hope before a side resigns.
const HOPELESS: usize = 2;

/// A share of cheap searches between full ones (playout cap randomisation; D. Wu, *Accelerating self-play learning in Go*, 2019, §3.1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutCap {
    /// The chance of a full search, in (0, 1].
    pub full_share: f64,
    /// Simulations of the others, at least 1. They have no noise at the root and are no examples.
    pub fast_simulations: u32,
}

/// When a side gives up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// A side resigns when its search expects no more than minus this, twice in a row; in (0, 1).
    pub certainty: f64,
    /// The share of games in which nobody resigns, so that wrong resignations can be counted; in [0, 1].
    pub play_on: f64,
}

/// When the weights that games are played with change, and the next lesson begins.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sync {
    /// After each so many finished games: the same seed gives the same bytes.
    Games(usize),
    /// After so many seconds and one game at least: no run is like another.
    Seconds(f64),
}

/// How much is learned from new games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// So many draws for each new position, on average.
    Reuse(f64),
    /// So many steps for each finished game; 1 in S4.
    StepsPerGame(f64),
}

/// What a lesson is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonSettings {
    /// The newest positions that are drawn from, at least 1.
    pub pool: usize,
    /// Positions of a step, in [1, 65536].
    pub batch: usize,
    /// How much is learned from new games.
    pub pace: Pace,
    /// Step size, over all games of the run.
    pub rate: Schedule,
    /// How a gradient becomes a step.
    pub optimiser: OptimiserKind,
    /// The weight c of c·|θ|² in the loss, in [0, 1].
    pub l2: f64,
    /// Whether positions are learned in one of their images at random.
    pub images: bool,
    /// The share of the search's value in the value that is learned, beside the result; in [0, 1], 0 in S4.
    pub search_share: f64,
}

/// What can be chosen of the network, and where it is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkSettings {
    /// Channels of each convolution.
    pub channels: usize,
    /// 3×3 convolutions.
    pub layers: usize,
    /// Earlier positions in the planes, in [0, 16].
    pub history: usize,
    /// Where it plays and learns. On another device than the processor the last bits of a result may be others.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub device: Device,
}

/// Settings of a run of self-play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZeroSettings {
    /// The position that games begin at, in the game's notation, end rules included; empty for the initial position.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// Games, in [1, 10000000].
    pub games: usize,
    /// Games that are played at the same time, in [1, 65536].
    pub in_flight: usize,
    /// Positions that one game may wait for at a time, in [1, 1024]: more than one with virtual loss.
    pub leaves: u32,
    /// Simulations of a full search, at least 1.
    pub simulations: u32,
    /// Moves are drawn by visits^(1/temperature) in the first plies; in (0, 100].
    pub temperature: f64,
    /// How many plies these are; 0 for all.
    pub temperature_plies: usize,
    /// The temperature after them, in [0, 100]; 0 takes the move with most visits.
    pub late_temperature: f64,
    /// Cheap searches between full ones, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playout_cap: Option<PlayoutCap>,
    /// When sides give up, if ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resignation: Option<Resignation>,
    /// Whether self-play sees each position in an image that is chosen by its key.
    pub symmetries: bool,
    /// Evaluations that are remembered between two changes of the weights.
    pub cache: usize,
    /// When the weights change.
    pub sync: Sync,
    /// Networks are kept after each so many games; 0 for none but those of `keep` and the last.
    #[serde(default)]
    pub keep_every: usize,
    /// Networks are kept after these numbers of games too.
    #[serde(default)]
    pub keep: Vec<usize>,
    /// The search.
    pub search: MctsSettings,
    /// The network.
    pub network: NetworkSettings,
    /// Lessons.
    pub lessons: LessonSettings,
}

impl Default for ZeroSettings {
    fn default() -> Self {
        Self {
            start: String::new(),
            games: 1000,
            in_flight: 128,
            leaves: 1,
            simulations: 200,
            temperature: 1.0,
            temperature_plies: 0,
            late_temperature: 0.1,
            playout_cap: None,
            resignation: None,
            symmetries: true,
            cache: 1 << 18,
            sync: Sync::Games(16),
            keep_every: 0,
            keep: Vec::new(),
            search: MctsSettings::default(),
            network: NetworkSettings { channels: 64, layers: 6, history: 0, device: Device::Cpu },
            lessons: LessonSettings {
                pool: 100_000,
                batch: 256,
                pace: Pace::Reuse(4.0),
                rate: Schedule::constant(1e-3),
                optimiser: OptimiserKind::Adam,
                l2: 1e-4,
                images: true,
                search_share: 0.0,
            },
        }
    }
}

impl ZeroSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((1..=MANY).contains(&self.games), "games", "in [1, 10000000]", self.games)?;
        require((1..=65_536).contains(&self.in_flight), "in_flight", "in [1, 65536]", self.in_flight)?;
        require((1..=1024).contains(&self.leaves), "leaves", "in [1, 1024]", self.leaves)?;
        require(self.simulations > 0, "simulations", "at least 1", self.simulations)?;
        let temperature = self.temperature;
        require(temperature > 0.0 && temperature <= 100.0, "temperature", "in (0, 100]", temperature)?;
        let late = self.late_temperature;
        require((0.0..=100.0).contains(&late), "late_temperature", "in [0, 100]", late)?;
        require(self.cache <= 1 << 30, "cache", "at most 1073741824", self.cache)?;
        require(self.network.history <= 16, "history", "in [0, 16]", self.network.history)?;
        let kept = self.keep.iter().all(|games| (1..=self.games).contains(games));
        require(kept, "keep", "in [1, `games`]", format!("{:?}", self.keep))?;
        self.playout_cap.map_or(Ok(()), PlayoutCap::check)?;
        self.resignation.map_or(Ok(()), Resignation::check)?;
        self.sync.check()?;
        self.search.check()?;
        self.lessons.check()
    }

    /// The position that games begin at.
    ///
    /// # Errors
    /// When [`ZeroSettings::start`] is none.
    pub fn start<G: Planes>(&self) -> Result<G, PositionError> {
        if self.start.is_empty() { Ok(G::start()) } else { G::from_notation(&self.start) }
    }

    /// What ends games beside their rules.
    pub(super) fn adjudication(&self) -> Adjudication {
        let rule = |rule: Resignation| ResignRule { score: rule.certainty, moves: HOPELESS, two_sided: false };
        Adjudication { resign: self.resignation.map(rule), ..Adjudication::RULES_ALONE }
    }

    /// The shape of the network for positions of `G`.
    #[must_use]
    pub fn shape<G: Planes>(&self) -> Shape {
        let NetworkSettings { channels, layers, history, .. } = self.network;
        let [rows, columns] = G::SHAPE;
        Shape { channels, layers, ..Shape::new(rows, columns, G::n_planes(history)) }
    }

    /// What files say of networks for positions of `G`, but for how they were trained.
    #[must_use]
    pub fn about<G: Planes>(&self) -> About {
        About { game: G::NAME.to_owned(), history: self.network.history, ..About::default() }
    }

    /// The temperature of the move after `ply` plies.
    #[must_use]
    pub fn temperature_at(&self, ply: usize) -> f64 {
        let is_early = self.temperature_plies == 0 || ply < self.temperature_plies;
        if is_early { self.temperature } else { self.late_temperature }
    }

    /// Whether a network is kept that has learned from `games` games.
    #[must_use]
    pub fn is_kept(&self, games: usize) -> bool {
        let is_regular = self.keep_every > 0 && games.is_multiple_of(self.keep_every);
        games > 0 && (is_regular || self.keep.contains(&games))
    }

    /// How many games the next lesson ends with, if `taught` were taken before: games beyond it wait. Without such a number lessons
    /// take what there is, but never past [`ZeroSettings::next_kept`].
    #[must_use]
    pub fn next_lesson(&self, taught: usize) -> Option<usize> {
        let Sync::Games(each) = self.sync else { return None };
        Some(self.next_kept(taught).min((taught / each + 1) * each))
    }

    /// The first number of games above `taught` for which a network is kept; that of all games, if there is none.
    #[must_use]
    pub fn next_kept(&self, taught: usize) -> usize {
        let regular = (self.keep_every > 0).then(|| (taught / self.keep_every + 1) * self.keep_every);
        let kept = self.keep.iter().copied().filter(|&games| games > taught);
        kept.chain(regular).fold(self.games, usize::min)
    }
}

impl PlayoutCap {
    fn check(self) -> Result<(), SettingError> {
        let share = self.full_share;
        require(share > 0.0 && share <= 1.0, "full_share", "in (0, 1]", share)?;
        require(self.fast_simulations > 0, "fast_simulations", "at least 1", self.fast_simulations)
    }
}

impl Resignation {
    fn check(self) -> Result<(), SettingError> {
        let Self { certainty, play_on } = self;
        require(certainty > 0.0 && certainty < 1.0, "certainty", "in (0, 1)", certainty)?;
        require((0.0..=1.0).contains(&play_on), "play_on", "in [0, 1]", play_on)
    }
}

impl Sync {
    fn check(self) -> Result<(), SettingError> {
        match self {
            Self::Games(games) => require((1..=MANY).contains(&games), "sync.games", "in [1, 10000000]", games),
            Self::Seconds(s) => require(s > 0.0 && s <= 86_400.0, "sync.seconds", "in (0, 86400]", s),
        }
    }
}

impl LessonSettings {
    fn check(&self) -> Result<(), SettingError> {
        require((1..=1 << 30).contains(&self.pool), "pool", "in [1, 1073741824]", self.pool)?;
        require((1..=65_536).contains(&self.batch), "batch", "in [1, 65536]", self.batch)?;
        let (name, pace) = match self.pace {
            Pace::Reuse(reuse) => ("reuse", reuse),
            Pace::StepsPerGame(steps) => ("steps_per_game", steps),
        };
        require((0.0..=10_000.0).contains(&pace), name, "in [0, 10000]", pace)?;
        require((0.0..=1.0).contains(&self.l2), "l2", "in [0, 1]", self.l2)?;
        require((0.0..=1.0).contains(&self.search_share), "search_share", "in [0, 1]", self.search_share)?;
        self.optimiser.check()?;
        within("rate", self.rate.check())
    }

    /// The steps that are due after `games` games with `positions` examples in all, those of all lessons before included.
    #[must_use]
    pub fn steps_due(&self, games: usize, positions: u64) -> u64 {
        match self.pace {
            Pace::Reuse(reuse) => (reuse * positions as f64 / self.batch as f64) as u64,
            Pace::StepsPerGame(steps) => (steps * games as f64) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_end_where_networks_are_kept() {
        let settings = ZeroSettings {
            games: 100,
            sync: Sync::Games(16),
            keep: vec![56, 100],
            keep_every: 40,
            ..ZeroSettings::default()
        };
        let ends: Vec<usize> =
            std::iter::successors(Some(0), |&at| settings.next_lesson(at).filter(|&next| at < 100 && next <= 100))
                .collect();
        assert_eq!(ends, [0, 16, 32, 40, 48, 56, 64, 80, 96, 100]);
        let kept: Vec<usize> = ends.into_iter().filter(|&games| settings.is_kept(games)).collect();
        assert_eq!(kept, [40, 56, 80, 100]);
    }

    #[test]
    fn steps_follow_positions_or_games() {
        let mut lessons = ZeroSettings::default().lessons;
        assert_eq!(lessons.steps_due(10, 6400), 100);
        lessons.pace = Pace::StepsPerGame(1.0);
        assert_eq!(lessons.steps_due(10, 6400), 10);
    }

    #[test]
    fn wrong_settings_are_named() {
        let default = ZeroSettings::default;
        assert!(default().check().is_ok());
        let refused = |settings: ZeroSettings| settings.check().unwrap_err().to_string();
        assert!(refused(ZeroSettings { keep: vec![0], ..default() }).contains("`keep`"));
        assert!(refused(ZeroSettings { temperature: 0.0, ..default() }).contains("`temperature`"));
        let resignation = Some(Resignation { certainty: 1.0, play_on: 0.1 });
        assert!(refused(ZeroSettings { resignation, ..default() }).contains("`certainty`"));
        assert!(refused(ZeroSettings { sync: Sync::Seconds(0.0), ..default() }).contains("`sync.seconds`"));
    }
}
