//! What `go` asks for.

use std::str::SplitWhitespace;
use std::time::Duration;

use super::Dialect;
use super::clock::{Allowance, Clock};
use super::refusal::Refusal;
use crate::game::Side;
use crate::search::{Limits, MAX_DEPTH};
use crate::settings::SettingError;

/// The longest time that is told apart from a longer one: a thousand days.
const LONGEST: Duration = Duration::from_secs(86_400_000);

/// What `go` asks for, seen from the side to move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Think on the opponent's time: the clock does not run yet.
    pub ponder: bool,
    /// Search until stopped.
    pub infinite: bool,
    /// Plies; 0, which is UCCI's alone, asks for the static value only.
    pub depth: Option<u32>,
    /// Within how many plies a win is asked for; then `depth` is as many.
    pub mate: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// For this move.
    pub movetime: Option<Duration>,
    /// Of the side to move.
    pub clock: Option<Clock>,
    /// The moves to choose from, as texts; all if there are none.
    pub only: Vec<String>,
    /// Words that mean nothing here.
    pub ignored: Vec<String>,
}

/// How to read the words of `go`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub dialect: Dialect,
    /// The unit of UCCI's times.
    pub milliseconds: bool,
    /// The side to move.
    pub side: Side,
    /// How UCI calls the clocks of the side that moves first and of the other.
    pub clocks: [char; 2],
    /// How many plies count as one move in the distance of a mate.
    pub plies_of_mate_move: u32,
}

impl Go {
    /// Reads what follows the word `go`. Words that mean nothing are kept aside, as UCI demands.
    pub fn parse(words: &str, reading: Reading) -> Result<Self, Refusal> {
        let (go, clock) = (Self::default(), Clock::default());
        let mut reader = Reader { words: words.split_whitespace(), reading, go, remaining: None, clock };
        while let Some(word) = reader.words.next() {
            reader.read(word)?;
        }
        let Reader { mut go, remaining, clock, .. } = reader;
        let moves_to_go = clock.moves_to_go.filter(|&moves| moves > 0);
        go.clock = remaining.map(|remaining| Clock { remaining, moves_to_go, ..clock });
        Ok(go)
    }

    /// The limits that are no time; a depth is brought into its range.
    pub fn limits(&self) -> Result<Limits, SettingError> {
        let depth = self.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        Limits::to_depth_or_nodes(depth, self.nodes)
    }

    /// The time that the move may take, if that is limited. `overhead` is taken off clocks, on which a late answer loses the game, and
    /// not off a time for this move: players that are told the same time are to think equally long.
    pub fn allowance(&self, overhead: Duration) -> Option<Allowance> {
        let clock = self.clock.filter(|_| !self.infinite).map(|clock| clock.allowance(overhead));
        let movetime = self.movetime.filter(|_| !self.infinite).map(Allowance::all_of);
        clock.into_iter().chain(movetime).reduce(Allowance::min)
    }

    /// Whether nothing but `stop` ends the search.
    pub(crate) const fn is_endless(&self) -> bool {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some() || self.clock.is_some();
        self.infinite || !limited
    }
}

struct Reader<'a> {
    words: SplitWhitespace<'a>,
    reading: Reading,
    go: Go,
    /// What is left of the time of the side to move, and the rest of its clock.
    remaining: Option<Duration>,
    clock: Clock,
}

impl Reader<'_> {
    fn read(&mut self, word: &str) -> Result<(), Refusal> {
        match word {
            "ponder" => self.go.ponder = true,
            "infinite" => self.go.infinite = true,
            "depth" => self.depth()?,
            "nodes" => self.go.nodes = Some(self.at_least_one(word, "a number of positions from 1 on")?),
            "movestogo" => self.clock.moves_to_go = Some(self.number(word, "a number of moves")?),
            _ => match self.reading.dialect {
                Dialect::Uci | Dialect::Contest => self.read_uci(word)?,
                Dialect::Ucci => self.read_ucci(word)?,
            },
        }
        Ok(())
    }

    fn read_uci(&mut self, word: &str) -> Result<(), Refusal> {
        match word {
            "wtime" | "btime" | "winc" | "binc" => {
                let time = self.time(word)?;
                let is_own = word.starts_with(self.reading.clocks[self.reading.side.index()]);
                match word.ends_with("time") {
                    true if is_own => self.remaining = Some(time),
                    false if is_own => self.clock.increment = time,
                    _ => {}
                }
            }
            "movetime" => {
                let units = self.number(word, "a time from 0 on")?;
                self.go.movetime = Some(self.time_of(units));
            }
            // Where a mate in n moves ends after 2n - 1 plies, one more shows that there is no answer.
            "mate" => {
                let moves: u32 = self.at_least_one(word, "a number of moves from 1 on")?;
                self.go.mate = Some(moves.saturating_mul(self.reading.plies_of_mate_move));
                self.go.depth = self.go.mate;
            }
            "searchmoves" => self.only(),
            _ => self.go.ignored.push(word.to_owned()),
        }
        Ok(())
    }

    fn read_ucci(&mut self, word: &str) -> Result<(), Refusal> {
        match word {
            "time" => self.remaining = Some(self.time(word)?),
            "increment" => self.clock.increment = self.time(word)?,
            "opptime" | "oppincrement" => drop(self.time(word)?),
            "oppmovestogo" => drop(self.number::<u32>(word, "a number of moves")?),
            "draw" => {}
            _ => self.go.ignored.push(word.to_owned()),
        }
        Ok(())
    }

    /// UCCI also says `depth infinite`.
    fn depth(&mut self) -> Result<(), Refusal> {
        if self.words.clone().next() == Some("infinite") {
            return Ok(());
        }
        self.go.depth = Some(match self.reading.dialect {
            Dialect::Ucci => self.number("depth", "a number of plies")?,
            Dialect::Uci | Dialect::Contest => self.at_least_one("depth", "a number of plies from 1 on")?,
        });
        Ok(())
    }

    /// The moves up to the next word that is none.
    fn only(&mut self) {
        let is_move = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.ends_with(|c: char| c.is_ascii_digit())
        };
        while let Some(word) = self.words.clone().next().filter(|word| is_move(word)) {
            self.go.only.push(word.to_owned());
            self.words.next();
        }
    }

    /// A time; one below zero, of a clock that has run out, is none at all.
    fn time(&mut self, word: &str) -> Result<Duration, Refusal> {
        let units = u64::try_from(self.number::<i64>(word, "a time")?).unwrap_or(0);
        Ok(self.time_of(units))
    }

    /// So many `units` of time.
    fn time_of(&self, units: u64) -> Duration {
        let seconds = self.reading.dialect == Dialect::Ucci && !self.reading.milliseconds;
        let time = if seconds { Duration::from_secs(units) } else { Duration::from_millis(units) };
        time.min(LONGEST)
    }

    fn at_least_one<T: std::str::FromStr + Default + PartialEq>(
        &mut self,
        word: &str,
        expected: &'static str,
    ) -> Result<T, Refusal> {
        let number = self.number(word, expected)?;
        let zero = || Refusal::form(format!("`{word}` of `go`"), expected, "0");
        if number == T::default() { Err(zero()) } else { Ok(number) }
    }

    fn number<T: std::str::FromStr>(&mut self, word: &str, expected: &'static str) -> Result<T, Refusal> {
        let found = self.words.next().unwrap_or("");
        found.parse().map_err(|_| Refusal::form(format!("`{word}` of `go`"), expected, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UCI: Reading = Reading {
        dialect: Dialect::Uci,
        milliseconds: true,
        side: Side::Second,
        clocks: ['w', 'b'],
        plies_of_mate_move: 2,
    };
    const UCCI: Reading = Reading { dialect: Dialect::Ucci, milliseconds: false, ..UCI };

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Option<Clock> {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        Some(Clock { remaining, increment, moves_to_go })
    }

    #[test]
    fn uci_gives_both_clocks_and_ours_counts() {
        let words = "ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 7 depth 9 nodes 99";
        let go = Go::parse(words, UCI).unwrap();
        let expected =
            Go { ponder: true, depth: Some(9), nodes: Some(99), clock: clock(2000, 20, Some(7)), ..Go::default() };
        assert_eq!(go, expected);
        let limits = go.limits().unwrap();
        assert_eq!((limits.depth(), limits.nodes()), (9, Some(99)));
        assert_eq!(Go::parse("btime -5", UCI).unwrap().clock, clock(0, 0, None));
        assert_eq!(Go::parse("wtime 5", UCI).unwrap().clock, None);
        let black_first = Reading { clocks: ['b', 'w'], plies_of_mate_move: 1, ..UCI };
        let go = Go::parse("wtime 1000 btime 2000 mate 5", black_first).unwrap();
        assert_eq!((go.clock, go.depth), (clock(1000, 0, None), Some(5)), "White is second here");
    }

    #[test]
    fn ucci_gives_our_clock_in_seconds_unless_told_otherwise() {
        let words = "draw time 300 increment 2 opptime 299 oppincrement 2 oppmovestogo 4";
        assert_eq!(Go::parse(words, UCCI).unwrap(), Go::parse("time 300 increment 2", UCCI).unwrap());
        assert_eq!(Go::parse(words, UCCI).unwrap().clock, clock(300_000, 2_000, None));
        let milliseconds = Reading { milliseconds: true, ..UCCI };
        assert_eq!(Go::parse("time 300 movestogo 0", milliseconds).unwrap().clock, clock(300, 0, None));
        let endless = Go::parse("depth infinite", UCCI).unwrap();
        assert!(endless.infinite && endless.is_endless());
    }

    #[test]
    fn numbers_out_of_range_are_brought_into_it() {
        let limits = |words| Go::parse(words, UCI).unwrap().limits().unwrap();
        assert_eq!((limits("depth 100").depth(), limits("mate 3").depth()), (MAX_DEPTH, 6));
        assert_eq!(Go::parse("movetime 9223372036854775807", UCI).unwrap().movetime, Some(LONGEST));
    }

    #[test]
    fn what_is_no_number_is_refused_and_what_is_no_word_set_aside() {
        let bad = "depth; depth x; depth -1; depth 0; depth 4294967296; nodes 1.5; nodes 0; movetime; movetime -5; wtime one; mate ?; mate 0";
        for bad in bad.split("; ") {
            assert!(Go::parse(bad, UCI).is_err(), "{bad}");
        }
        assert_eq!(Go::parse("depth 0", UCCI).unwrap().depth, Some(0), "the static value");
        let go = Go::parse("fast searchmoves h2e2 a10a9 depth 3 please", UCI).unwrap();
        assert_eq!((go.only, go.depth), (vec!["h2e2".to_owned(), "a10a9".to_owned()], Some(3)));
        assert_eq!(go.ignored, ["fast", "please"]);
    }

    #[test]
    fn a_search_without_a_limit_is_endless() {
        let endless = |words| Go::parse(words, UCI).unwrap().is_endless();
        assert!(endless("") && endless("infinite") && endless("ponder") && endless("searchmoves h2e2"));
        assert!(!endless("depth 3") && !endless("movetime 1") && !endless("btime 1"));
        assert_eq!(Go::parse("infinite movetime 1", UCI).unwrap().allowance(Duration::ZERO), None);
    }

    #[test]
    fn the_overhead_is_taken_off_clocks_alone() {
        let hard =
            |words| Go::parse(words, UCI).unwrap().allowance(Duration::from_millis(30)).unwrap().hard.as_millis();
        assert_eq!((hard("movetime 50"), hard("btime 50 movestogo 1")), (50, 25));
        assert_eq!(hard("movetime 50 btime 1030 movestogo 1"), 50);
    }
}
