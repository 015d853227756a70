//! How a run of self-play goes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::arena::{Adjudication, ResignRule};
use crate::game::Planes;
use crate::game::PositionError;
use crate::net::optimiser::OptimiserKind;
use crate::net::residual::store::About;
use crate::net::residual::{Device, Shape};
use crate::search::mcts::MctsSettings;
use crate::settings::{SettingError, Value, above, composite, is_zero, require, require_in, settings};
use crate::train::Schedule;

/// The most games of one run, and the most of a few other things.
const MANY: usize = 10_000_000;
/// Searches in a row that must be without hope before a side resigns.
const HOPELESS: usize = 2;

settings! {
    /// A share of cheap searches between full ones (playout cap randomisation; D. Wu, *Accelerating self-play learning in Go*, 2019, §3.1).
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct PlayoutCap {
        /// Share of searches that are full; the others are cheap and give no examples (playout cap randomisation).
        pub full_share: f64 = 0.25, in above(0.0).up_to(1.0);
        /// Simulations of a cheap search, which has no noise at the root.
        pub fast_simulations: u32 = 50, in 1..;
    }
}

settings! {
    /// When a side gives up.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Resignation {
        /// Give up when the search expects no more than minus this twice in a row: the certainty of losing.
        pub certainty: f64 = 0.95, in above(0.0).below(1.0), as "resign";
        /// Share of games in which nobody gives up, to count wrong resignations.
        pub play_on: f64 = 0.1, in 0.0..=1.0;
    }
}

/// When the weights that games are played with change, and the next lesson begins.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sync {
    /// After each so many finished games: the same seed gives the same bytes.
    Games(usize),
    /// After each so many games, every one of which is played by one network from its first move to its last: the same seed gives the
    /// same bytes, however many processes play them.
    Generation(usize),
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

settings! {
    /// What a lesson is.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct LessonSettings {
        /// Newest positions that are learned from.
        pub pool: usize = 100_000, in 1..=1 << 30;
        /// Positions of a step.
        pub batch: usize = 256, in 1..=65_536;
        /// How much is learned from new games.
        pub pace: Pace = Pace::Reuse(4.0);
        /// Step size, over all games of the run.
        pub rate: Schedule = Schedule::exponential(1e-3, 1e-3);
        /// How a gradient becomes a step.
        pub optimiser: OptimiserKind = OptimiserKind::Adam;
        /// Weight of the squared weights in the loss.
        pub l2: f64 = 1e-4, in 0.0..=1.0;
        /// Learn positions as they are, not in one of their images at random.
        pub images: bool = true, as "no-images=false";
        /// Share of the search's value in the value that is learned, beside the result of the game; 0 in S4.
        pub search_share: f64 = 0.0, in 0.0..=1.0;
    }
}

settings! {
    /// What can be chosen of the network, and where it is computed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct NetworkSettings {
        /// Channels of each convolution.
        pub channels: usize = 64;
        /// 3 x 3 convolutions.
        pub layers: usize = 6;
        /// Earlier positions that the network sees.
        pub history: usize = 0, in 0..=16;
        /// Where the network plays and learns. On a device other than the processor the last bits of a result may differ.
        pub device: Device = Device::Cpu, serde(default, skip_serializing_if = "is_zero");
    }
}

settings! {
    /// Settings of a run of self-play.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ZeroSettings {
        /// Position that games begin at, with its end rules [default: the initial position].
        pub start: String = String::new(), serde(default, skip_serializing_if = "String::is_empty");
        /// Games to play.
        pub games: usize = 1000, in 1..=MANY;
        /// Games played at the same time.
        pub in_flight: usize = 128, in 1..=65_536;
        /// Positions that one game may wait for at a time; more than one with virtual loss.
        pub leaves: u32 = 1, in 1..=1024;
        /// Simulations of a search.
        pub simulations: u32 = 200, in 1..;
        /// Temperature of the first plies: moves are drawn by visits^(1/temperature).
        pub temperature: f64 = 1.0, in above(0.0).up_to(100.0);
        /// Plies with that temperature; 0 for all.
        pub temperature_plies: usize = 0;
        /// Temperature after those plies; 0 takes the move with the most visits.
        pub late_temperature: f64 = 0.1, in 0.0..=100.0;
        /// Cheap searches between full ones, if any.
        pub playout_cap: Option<PlayoutCap> = None, serde(default, skip_serializing_if = "Option::is_none");
        /// When sides give up, if ever.
        pub resignation: Option<Resignation> = None, serde(default, skip_serializing_if = "Option::is_none");
        /// Show the network positions as they are, not in an image chosen by their key.
        pub symmetries: bool = true, as "no-symmetries=false";
        /// Evaluations remembered between two changes of the weights; 0 for none.
        pub cache: usize = 1 << 18, in ..=1 << 30;
        /// When the weights change.
        pub sync: Sync = Sync::Games(16);
        /// Keep the network after each so many games; 0 for none.
        pub keep_every: usize = 0, serde(default);
        /// Keep the networks after these numbers of games.
        pub keep: Vec<usize> = Vec::new(), serde(default);
        /// The search.
        pub search: MctsSettings = MctsSettings::default();
        /// The network.
        pub network: NetworkSettings = NetworkSettings::default();
        /// How it learns.
        pub lessons: LessonSettings = LessonSettings::default();
    }
    and check_together
}

composite!(Sync, Pace);

impl ZeroSettings {
    fn check_together(&self) -> Result<(), SettingError> {
        let fast = self.playout_cap.map_or(0, |cap| cap.fast_simulations);
        require(fast <= self.simulations, "playout_cap.fast_simulations", "in [1, `simulations`]", fast)?;
        self.search.selection.check_simulations(Some(self.simulations))?;
        let are_kept = self.keep.iter().all(|games| (1..=self.games).contains(games));
        require(are_kept, "keep", "in [1, `games`]", self.keep.show())?;
        // What is in the cache decides which of several leaves come first, and depends on the games beside.
        let is_alone = !self.is_by_generation() || self.leaves == 1 || self.cache == 0;
        require(is_alone, "leaves", "1 where `sync` is by generation, or `cache` is 0", self.leaves)
    }

    /// Whether every game is played by one network.
    pub const fn is_by_generation(&self) -> bool {
        matches!(self.sync, Sync::Generation(_))
    }

    /// The games that are played by one network after the first `begun`; none after the last. Of runs by generation.
    pub(super) fn generation(&self, begun: usize) -> Range<usize> {
        begun..self.next_lesson(begun).unwrap_or(begun)
    }

    /// Why a run of `before` games that goes on to these is not the same as one that had so many from the start; nothing if it is.
    pub fn breaks_at(&self, before: usize) -> Vec<&'static str> {
        let ends = std::iter::successors(Some(0), |&games| self.next_lesson(games).filter(|&next| next <= before));
        let is_whole = ends.take_while(|&games| games < before).last().and_then(|last| self.next_lesson(last));
        let reasons = [
            (
                !self.is_by_generation(),
                "other games would have been in flight at its end, as `sync` is not by generation",
            ),
            (self.is_by_generation() && is_whole != Some(before), "its last generation has fewer games"),
            (!self.lessons.rate.is_steady(), "the step size follows the share of the games that are played"),
        ];
        reasons.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect()
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
    pub fn shape<G: Planes>(&self) -> Shape {
        let NetworkSettings { channels, layers, history, .. } = self.network;
        let [rows, columns] = G::SHAPE;
        Shape { channels, layers, ..Shape::new(rows, columns, G::n_planes(history)) }
    }

    /// What files say of networks for positions of `G`, but for how they were trained.
    pub fn about<G: Planes>(&self) -> About {
        About { game: G::NAME.to_owned(), history: self.network.history, ..About::default() }
    }

    /// The temperature of the move after `ply` plies.
    pub(crate) fn temperature_at(&self, ply: usize) -> f64 {
        let is_early = self.temperature_plies == 0 || ply < self.temperature_plies;
        if is_early { self.temperature } else { self.late_temperature }
    }

    /// Whether a network is kept that has learned from `games` games.
    pub fn is_kept(&self, games: usize) -> bool {
        let is_regular = self.keep_every > 0 && games.is_multiple_of(self.keep_every);
        games > 0 && (is_regular || self.keep.contains(&games))
    }

    /// How many games the next lesson ends with, if `taught` were taken before: games beyond it wait. Without such a number lessons
    /// take what there is, but never past [`ZeroSettings::next_kept`].
    pub(crate) fn next_lesson(&self, taught: usize) -> Option<usize> {
        let (Sync::Games(each) | Sync::Generation(each)) = self.sync else { return None };
        Some(self.next_kept(taught).min((taught / each + 1) * each))
    }

    /// The first number of games above `taught` for which a network is kept; that of all games, if there is none.
    pub(crate) fn next_kept(&self, taught: usize) -> usize {
        let regular = (self.keep_every > 0).then(|| (taught / self.keep_every + 1) * self.keep_every);
        let kept = self.keep.iter().copied().filter(|&games| games > taught);
        kept.chain(regular).fold(self.games, usize::min)
    }
}

impl Sync {
    fn check(self) -> Result<(), SettingError> {
        match self {
            Self::Games(games) => require_in("games", 1..=MANY, games),
            Self::Generation(games) => require_in("generation", 1..=MANY, games),
            Self::Seconds(s) => require(s > 0.0 && s <= 86_400.0, "seconds", "in (0, 86400]", s),
        }
    }
}

impl Default for Sync {
    fn default() -> Self {
        Self::Games(16)
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::Reuse(4.0)
    }
}

impl Pace {
    fn check(self) -> Result<(), SettingError> {
        let (name, pace) = match self {
            Self::Reuse(reuse) => ("reuse", reuse),
            Self::StepsPerGame(steps) => ("steps_per_game", steps),
        };
        require_in(name, 0.0..=10_000.0, pace)
    }
}

impl LessonSettings {
    /// The steps that are due after `games` games with `positions` examples in all, those of all lessons before included.
    pub(crate) fn steps_due(&self, games: usize, positions: u64) -> u64 {
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
        assert!(refused(ZeroSettings { resignation, ..default() }).contains("`resignation.certainty`"));
        let playout_cap = |fast_simulations| Some(PlayoutCap { full_share: 0.5, fast_simulations });
        let capped = |fast| ZeroSettings { playout_cap: playout_cap(fast), simulations: 8, ..default() };
        assert!(capped(8).check().is_ok());
        assert!(refused(capped(9)).contains("`playout_cap.fast_simulations` must be in [1, `simulations`], got 9"));
        assert!(refused(ZeroSettings { sync: Sync::Seconds(0.0), ..default() }).contains("`sync.seconds`"));
        let generation = |games| ZeroSettings { sync: Sync::Generation(games), ..default() };
        assert!(refused(generation(0)).contains("`sync.generation`"));
        assert!(refused(ZeroSettings { leaves: 2, ..generation(8) }).contains("`leaves`"));
        assert!(ZeroSettings { leaves: 2, cache: 0, ..generation(8) }.check().is_ok());
    }

    #[test]
    fn a_run_by_generations_goes_on_as_if_it_had_been_longer_from_the_start() {
        let settings =
            ZeroSettings { games: 100, sync: Sync::Generation(16), keep: vec![40], ..ZeroSettings::default() };
        let whole = [16, 32, 40, 48, 96].map(|before| settings.breaks_at(before));
        assert!(whole.iter().all(Vec::is_empty), "{whole:?}");
        assert_eq!(settings.breaks_at(50), ["its last generation has fewer games"]);
        let mut falling = ZeroSettings { sync: Sync::Games(16), ..settings };
        falling.lessons.rate.last = 1e-4;
        assert_eq!(falling.breaks_at(48).len(), 2, "{:?}", falling.breaks_at(48));
    }
}
