//! What ends games beside their rules: a cap on their length, the players' own scores, and a clock.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::Clock;
use crate::game::{End, Outcome, Side};
use crate::settings::{above, settings};

/// The usual number of plies after which a game is given up as a draw.
pub const PLY_CAP: usize = 400;

/// The highest ply cap, and the longest wait for scores.
const MAX_PLIES: usize = 10_000;

/// The longest time on a clock, and the longest increment and margin, in milliseconds: a day.
const MAX_CLOCK_MS: u64 = 86_400_000;

settings! {
    /// What ends games beside their rules; part of what a match is.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Adjudication {
        /// Plies after which a game is called a draw, the opening's included.
        pub max_plies: usize = PLY_CAP, in 1..=MAX_PLIES;
        /// When a side is taken to have resigned; never where there is no rule.
        pub resign: Option<ResignRule> = None, as "-";
        /// When a game is called a draw; never where there is no rule.
        pub draw: Option<DrawRule> = None, as "-";
        /// The clock of each side; without one, time is no matter. Games with a clock differ from run to run.
        pub clock: Option<TimeControl> = None, as "-";
    }
}

settings! {
    /// A side has resigned when its own search expects at most −`score` at each of its last `moves` moves.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ResignRule {
        /// An expected result.
        pub score: f64 = 1.0, in above(0.0).up_to(1.0);
        /// How many moves of the side in a row.
        pub moves: usize = 1, in 1..=MAX_PLIES;
        /// Whether the opponent must have expected at least `score` at each of its last `moves` moves too.
        pub two_sided: bool = false, serde(default);
    }
}

settings! {
    /// A game is a draw when the search of either side expected between −`score` and `score` at each of the last `plies` plies.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct DrawRule {
        /// An expected result.
        pub score: f64 = 0.0, in 0.0..1.0;
        /// How many plies in a row.
        pub plies: usize = 1, in 1..=MAX_PLIES;
        /// The first ply of the game that counts, from 1, the opening's included.
        pub from_ply: usize = 0, in ..=MAX_PLIES;
    }
}

settings! {
    /// The clock of each side: time for the whole game, more with every turn. It runs on while one side makes several moves in a
    /// row.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct TimeControl {
        /// Milliseconds at the start.
        pub base_ms: u64 = 1, in 1..=MAX_CLOCK_MS;
        /// Milliseconds that each turn adds.
        pub increment_ms: u64 = 0, in 0..=MAX_CLOCK_MS, serde(default);
        /// By how many milliseconds a side may overstep its time unpunished: what the way of a move costs.
        pub margin_ms: u64 = 0, in 0..=MAX_CLOCK_MS, serde(default);
    }
}

impl TimeControl {
    /// The clocks of both sides when a game begins.
    pub fn at_start(self) -> [Clock; 2] {
        Clocks::set(self).shown()
    }
}

/// Seconds for the game and, behind a +, those that each turn adds, as the tag `TimeControl` has them.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [base, increment] = [self.base_ms, self.increment_ms].map(|milliseconds| milliseconds as f64 / 1000.0);
        if self.increment_ms == 0 { write!(f, "{base}") } else { write!(f, "{base}+{increment}") }
    }
}

/// Why a game that grew too long is a draw.
const CAPPED: &str = "ply cap";
/// Why a side has lost by its own scores.
const RESIGNED_BY_SCORE: &str = "adjudicated: resignation by score";
/// Why a level game is a draw.
const DRAWN_BY_SCORE: &str = "adjudicated: draw by score";

/// Whether a game can have ended so by adjudication.
pub(super) fn is_adjudicated(outcome: Outcome, reason: &str) -> bool {
    match outcome {
        Outcome::Win(_) => reason == RESIGNED_BY_SCORE,
        Outcome::Draw => [CAPPED, DRAWN_BY_SCORE].contains(&reason),
    }
}

impl Adjudication {
    /// The rules of the game and nothing else.
    pub const RULES_ALONE: Self = Self::capped(usize::MAX);

    /// The rules of the game and a cap on its length, nothing else.
    pub const fn capped(max_plies: usize) -> Self {
        Self { max_plies, resign: None, draw: None, clock: None }
    }
}

/// Watches the scores of one game.
#[derive(Debug, Clone)]
pub(super) struct Arbiter {
    orders: Adjudication,
    /// How many moves in a row each side has taken itself to be lost.
    losing: [usize; 2],
    /// How many moves in a row each side has taken itself to have won.
    winning: [usize; 2],
    /// How many plies in a row were level.
    level: usize,
}

impl Arbiter {
    pub const fn of(orders: Adjudication) -> Self {
        Self { orders, losing: [0; 2], winning: [0; 2], level: 0 }
    }

    /// Forgets all scores.
    pub const fn forget(&mut self) {
        *self = Self::of(self.orders);
    }

    /// Takes note of what `mover` expected of its move, the last of `plies`; a move without a score breaks every row.
    pub fn note(&mut self, mover: Side, expected: Option<f64>, plies: usize) {
        let holds = |test: &dyn Fn(f64) -> bool| expected.is_some_and(test);
        let side = mover.index();
        if let Some(ResignRule { score, .. }) = self.orders.resign {
            count_in_row(&mut self.losing[side], holds(&|expected| expected <= -score));
            count_in_row(&mut self.winning[side], holds(&|expected| expected >= score));
        }
        if let Some(DrawRule { score, from_ply, .. }) = self.orders.draw {
            count_in_row(&mut self.level, plies >= from_ply && holds(&|expected| expected.abs() <= score));
        }
    }

    /// The end of a game of so many plies that its rules let go on, if it has come.
    pub fn verdict(&self, plies: usize) -> Option<End> {
        let capped = || (plies >= self.orders.max_plies).then_some(End { outcome: Outcome::Draw, reason: CAPPED });
        self.resignation().or_else(|| self.draw()).or_else(capped)
    }

    fn resignation(&self) -> Option<End> {
        let ResignRule { moves, two_sided, .. } = self.orders.resign?;
        let agrees = |winner: Side| !two_sided || self.winning[winner.index()] >= moves;
        let given_up = |side: &Side| self.losing[side.index()] >= moves && agrees(side.other());
        let loser = [Side::First, Side::Second].into_iter().find(given_up)?;
        Some(End { outcome: Outcome::Win(loser.other()), reason: RESIGNED_BY_SCORE })
    }

    fn draw(&self) -> Option<End> {
        let DrawRule { plies, .. } = self.orders.draw?;
        (self.level >= plies).then_some(End { outcome: Outcome::Draw, reason: DRAWN_BY_SCORE })
    }
}

const fn count_in_row(count: &mut usize, goes_on: bool) {
    *count = if goes_on { *count + 1 } else { 0 };
}

/// The clocks of one game.
#[derive(Debug, Clone)]
pub(super) struct Clocks {
    control: TimeControl,
    remaining: [Duration; 2],
}

impl Clocks {
    pub const fn set(control: TimeControl) -> Self {
        Self { control, remaining: [Duration::from_millis(control.base_ms); 2] }
    }

    /// What the clocks show to the players.
    pub fn shown(&self) -> [Clock; 2] {
        let increment = Duration::from_millis(self.control.increment_ms);
        self.remaining.map(|remaining| Clock { remaining, increment, moves_to_go: None })
    }

    /// Takes the time `spent` on a move from the clock of `side`; says so if there was less.
    pub(crate) fn charge(&mut self, side: Side, spent: Duration) -> Result<(), String> {
        let margin_ms = self.control.margin_ms;
        let remaining = &mut self.remaining[side.index()];
        if spent > *remaining + Duration::from_millis(margin_ms) {
            return Err(format!("the move took {} ms of {} ms", spent.as_millis(), remaining.as_millis()));
        }
        *remaining = remaining.saturating_sub(spent);
        Ok(())
    }

    /// Adds the increment to the clock of `side`, whose turn has ended.
    pub(crate) fn end_turn(&mut self, side: Side) {
        self.remaining[side.index()] += Duration::from_millis(self.control.increment_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESIGN: ResignRule = ResignRule { score: 0.9, moves: 2, two_sided: false };
    const DRAW: DrawRule = DrawRule { score: 0.1, plies: 3, from_ply: 4 };

    /// After how many plies a game with these scores, of the two sides in turn, ends, and how.
    fn ended(orders: Adjudication, scores: &[f64]) -> Option<(usize, End)> {
        let mut arbiter = Arbiter::of(orders);
        let sides = [Side::First, Side::Second].into_iter().cycle();
        (1..).zip(sides).zip(scores).find_map(|((ply, side), &score)| {
            arbiter.note(side, Some(score).filter(|score| !score.is_nan()), ply);
            arbiter.verdict(ply).map(|end| (ply, end))
        })
    }

    fn lost_by(side: Side) -> End {
        End { outcome: Outcome::Win(side.other()), reason: "adjudicated: resignation by score" }
    }

    #[test]
    fn a_side_resigns_when_it_has_been_hopeless_for_long_enough() {
        let orders = Adjudication { resign: Some(RESIGN), ..Adjudication::default() };
        assert_eq!(ended(orders, &[0.0, -0.9, 0.0, -0.95]), Some((4, lost_by(Side::Second))));
        assert_eq!(ended(orders, &[-1.0, -1.0, -0.9]), Some((3, lost_by(Side::First))));
        assert_eq!(ended(orders, &[0.0, -0.9, 0.0, -0.8, 0.0, -0.9]), None, "hope breaks the row");
        assert_eq!(ended(orders, &[0.0, -0.9, 0.0, f64::NAN, 0.0, -0.9]), None, "so does silence");
        assert_eq!(ended(Adjudication::default(), &[-1.0; 50]), None, "by default nobody resigns");
    }

    #[test]
    fn both_sides_may_have_to_agree_on_a_resignation() {
        let orders = Adjudication { resign: Some(ResignRule { two_sided: true, ..RESIGN }), ..Adjudication::default() };
        assert_eq!(ended(orders, &[0.8, -1.0, 0.9, -1.0, 0.9, -1.0]), Some((5, lost_by(Side::Second))));
        assert_eq!(ended(orders, &[-1.0; 50]), None);
    }

    #[test]
    fn a_level_game_is_drawn_from_its_ply_on() {
        let orders = Adjudication { draw: Some(DRAW), ..Adjudication::default() };
        let drawn = End { outcome: Outcome::Draw, reason: "adjudicated: draw by score" };
        assert_eq!(ended(orders, &[0.0, 0.1, -0.1, 0.0, -0.1, 0.1, 0.0]), Some((6, drawn)));
        assert_eq!(ended(orders, &[0.0, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0]), None);
        assert_eq!(ended(orders, &[f64::NAN; 50]), None);
        let at_once = Adjudication { draw: Some(DrawRule { plies: 1, ..DRAW }), ..orders };
        assert_eq!(ended(at_once, &[0.0, 1.0, 0.0, f64::NAN, 0.0]), Some((5, drawn)), "one ply is one side's");
    }

    #[test]
    fn a_long_game_is_capped() {
        let drawn = End { outcome: Outcome::Draw, reason: "ply cap" };
        assert_eq!(ended(Adjudication::capped(5), &[1.0; 9]), Some((5, drawn)));
    }

    #[test]
    fn clocks_run_down_and_gain_their_increment() {
        let ms = Duration::from_millis;
        let mut clocks = Clocks::set(TimeControl { base_ms: 100, increment_ms: 10, margin_ms: 5 });
        let shown = |clocks: &Clocks| clocks.shown().map(|clock| clock.remaining);
        clocks.charge(Side::First, ms(60)).unwrap();
        assert_eq!(shown(&clocks), [ms(40), ms(100)], "a second move may come");
        clocks.end_turn(Side::First);
        assert_eq!(shown(&clocks), [ms(50), ms(100)]);
        clocks.charge(Side::First, ms(55)).unwrap();
        clocks.end_turn(Side::First);
        assert_eq!(shown(&clocks), [ms(10), ms(100)], "the margin is no time to spend");
        assert_eq!(clocks.charge(Side::First, ms(16)), Err("the move took 16 ms of 10 ms".to_owned()));
        assert_eq!(clocks.shown()[1].increment, ms(10));
    }

    #[test]
    fn settings_are_checked_and_written_down_in_full() {
        let all = Adjudication {
            resign: Some(RESIGN),
            draw: Some(DRAW),
            clock: Some(TimeControl { base_ms: 1, increment_ms: 0, margin_ms: 0 }),
            ..Adjudication::default()
        };
        all.check().unwrap();
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Adjudication>(&text).unwrap(), all);
        let with = |resign, draw| Adjudication { resign, draw, ..all };
        for (wrong, message) in [
            (Adjudication::capped(0), "`max_plies` must be in [1, 10000], got 0"),
            (with(Some(ResignRule { score: 0.0, ..RESIGN }), None), "`resign.score` must be in (0, 1], got 0"),
            (with(Some(ResignRule { moves: 0, ..RESIGN }), None), "`resign.moves` must be in [1, 10000], got 0"),
            (with(None, Some(DrawRule { score: 1.0, ..DRAW })), "`draw.score` must be in [0, 1), got 1"),
            (with(None, Some(DrawRule { score: f64::NAN, ..DRAW })), "`draw.score` must be in [0, 1), got NaN"),
        ] {
            assert_eq!(wrong.check().unwrap_err().to_string(), message);
        }
    }
}
