//! How far an engine may think.

use std::fmt::Write as _;
use std::time::Duration;

use crate::engine::{Clock, Dialect};
use crate::game::Side;

/// How far an engine may think at one move; what is given first is reached first. Nothing at all is one second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clocks of [`Side::First`] and [`Side::Second`]; of a player, as they stand when a game begins.
    pub clocks: Option<[Clock; 2]>,
}

impl Budget {
    /// A search of `depth` plies.
    pub fn to_depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of `nodes` positions.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// `time` for the move.
    pub fn of_time(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }

    /// The time that an engine has for the move of `side`, if time is what limits it.
    pub(super) fn time(&self, dialect: Dialect, side: Side) -> Option<Duration> {
        let clock = self.clocks.map(|clocks| clocks[side.index()].remaining);
        self.told_movetime(dialect).into_iter().chain(clock).min()
    }

    /// The time for the move that an engine hears of: in UCCI it hears of the clock alone, where there is one.
    pub(super) fn told_movetime(&self, dialect: Dialect) -> Option<Duration> {
        self.movetime().filter(|_| dialect != Dialect::Ucci || self.clocks.is_none())
    }

    /// The time for the move; a second where nothing is limited.
    fn movetime(&self) -> Option<Duration> {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.clocks.is_some();
        self.movetime.or((!limited).then_some(Duration::from_secs(1)))
    }

    /// The command that starts the search of `side`; `clocks` are the letters of UCI's clocks, and UCCI's times are in seconds
    /// or `milliseconds`. UCCI takes one limit only: of a clock, a time, a number of positions and
    /// a depth the first that is given. Its time for one move is a clock that is set anew after that move.
    pub(super) fn go_line(&self, dialect: Dialect, side: Side, (clocks, milliseconds): ([char; 2], bool)) -> String {
        match dialect {
            Dialect::Uci | Dialect::Contest => self.uci_line(side, clocks),
            Dialect::Ucci => self.ucci_line(side, milliseconds),
        }
    }

    fn uci_line(&self, side: Side, letters: [char; 2]) -> String {
        let mut line = "go".to_owned();
        let mut add = |word: &str, value: Option<u128>| {
            if let Some(value) = value {
                let _ = write!(line, " {word} {value}");
            }
        };
        let [first, second] = self.clocks.map_or([None; 2], |clocks| clocks.map(Some));
        let clocks = [(letters[0], first), (letters[1], second)];
        let in_ms = |time: Option<Duration>| time.map(|time| time.as_millis());
        for (letter, clock) in clocks {
            add(&format!("{letter}time"), in_ms(clock.map(|clock| clock.remaining)));
        }
        for (letter, clock) in clocks {
            add(&format!("{letter}inc"), in_ms(clock.map(|clock| clock.increment)));
        }
        add("movestogo", self.clocks.and_then(|clocks| clocks[side.index()].moves_to_go).map(u128::from));
        add("movetime", in_ms(self.movetime()));
        add("nodes", self.nodes.map(u128::from));
        add("depth", self.depth.map(u128::from));
        line
    }

    fn ucci_line(&self, side: Side, milliseconds: bool) -> String {
        match (self.clocks, self.movetime(), self.nodes, self.depth) {
            (Some(clocks), ..) => {
                let [own, other] = [clocks[side.index()], clocks[side.other().index()]];
                clock_words("time", ["increment", "movestogo"], own, milliseconds)
                    + &clock_words("opptime", ["oppincrement", "oppmovestogo"], other, milliseconds)
            }
            (None, Some(time), ..) => format!(" time {} movestogo 1", time_left(time, milliseconds)),
            (None, None, Some(nodes), _) => format!(" nodes {nodes}"),
            (None, None, None, depth) => format!(" depth {}", depth.unwrap_or(1)),
        }
        .replacen(' ', "go ", 1)
    }
}

/// ` time T increment I` or ` time T movestogo M`: UCCI knows no clock with both.
fn clock_words(time: &str, words: [&str; 2], clock: Clock, milliseconds: bool) -> String {
    let rest = match clock.moves_to_go {
        Some(moves) => format!("{} {moves}", words[1]),
        None => format!("{} {}", words[0], whole_units(clock.increment, milliseconds)),
    };
    format!(" {time} {} {rest}", time_left(clock.remaining, milliseconds))
}

/// The whole milliseconds or seconds of `time`: an engine must not count on more than there is.
fn whole_units(time: Duration, milliseconds: bool) -> u128 {
    if milliseconds { time.as_millis() } else { u128::from(time.as_secs()) }
}

/// The same of a time to think in, which is a second at least where seconds are counted: with none an engine has lost.
fn time_left(time: Duration, milliseconds: bool) -> u128 {
    whole_units(time, milliseconds).max(u128::from(!milliseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_is_told_in_its_own_words() {
        let line = |budget: Budget, dialect| budget.go_line(dialect, Side::Second, (['w', 'b'], true));
        let both = |budget| [line(budget, Dialect::Uci), line(budget, Dialect::Ucci)];
        assert_eq!(both(Budget::to_depth(5)), ["go depth 5", "go depth 5"]);
        assert_eq!(both(Budget::of_nodes(5)), ["go nodes 5", "go nodes 5"]);
        let second = Duration::from_secs(1);
        assert_eq!(both(Budget::of_time(2 * second)), ["go movetime 2000", "go time 2000 movestogo 1"]);
        assert_eq!(both(Budget::default()), ["go movetime 1000", "go time 1000 movestogo 1"]);
        let clock = |seconds| Clock { remaining: seconds * second, increment: second, moves_to_go: None };
        let clocks = Budget { clocks: Some([clock(60), clock(50)]), ..Budget::default() };
        assert_eq!(line(clocks, Dialect::Uci), "go wtime 60000 btime 50000 winc 1000 binc 1000");
        let black_first = clocks.go_line(Dialect::Uci, Side::First, (['b', 'w'], true));
        assert_eq!(black_first, "go btime 60000 wtime 50000 binc 1000 winc 1000");
        assert_eq!(line(clocks, Dialect::Ucci), "go time 50000 increment 1000 opptime 60000 oppincrement 1000");
        let seconds = clocks.go_line(Dialect::Ucci, Side::First, (['w', 'b'], false));
        assert_eq!(seconds, "go time 60 increment 1 opptime 50 oppincrement 1");
        let short = Clock { remaining: second / 4, increment: second / 10, moves_to_go: None };
        let short = Budget { clocks: Some([short; 2]), ..Budget::default() };
        assert_eq!(line(short, Dialect::Ucci), "go time 250 increment 100 opptime 250 oppincrement 100");
        let seconds = short.go_line(Dialect::Ucci, Side::First, (['w', 'b'], false));
        assert_eq!(seconds, "go time 1 increment 0 opptime 1 oppincrement 0");
        let time = |budget: Budget, dialect| budget.time(dialect, Side::First);
        assert_eq!((time(clocks, Dialect::Uci), time(Budget::to_depth(5), Dialect::Uci)), (Some(60 * second), None));
        let both = Budget { movetime: Some(second), ..clocks };
        assert_eq!((time(both, Dialect::Uci), time(both, Dialect::Ucci)), (Some(second), Some(60 * second)));
    }
}
