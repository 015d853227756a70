//! What is in a collection: results, lengths, years, players, events, openings, first moves, positions.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::{GameRecord, known};
use crate::game::{Game, Outcome, Side};

/// Games won by the first side, drawn, and won by the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Results {
    /// Won by the first side.
    pub first: u64,
    /// Drawn.
    pub drawn: u64,
    /// Won by the second side.
    pub second: u64,
    /// Without a result.
    pub open: u64,
}

sums!(Results { first, drawn, second, open });

impl Results {
    /// All of them.
    pub const fn games(&self) -> u64 {
        self.first + self.drawn + self.second + self.open
    }

    const fn add(&mut self, outcome: Option<Outcome>) {
        *match outcome {
            Some(Outcome::Win(Side::First)) => &mut self.first,
            Some(Outcome::Draw) => &mut self.drawn,
            Some(Outcome::Win(Side::Second)) => &mut self.second,
            None => &mut self.open,
        } += 1;
    }
}

/// What games add up to. Memory grows with the different players, events and positions (eight bytes and the slack of a
/// hash set for each position), not with the games.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// All results.
    pub results: Results,
    /// Games by their number of plies.
    pub plies: BTreeMap<usize, u64>,
    /// Results by year; `None` for games of unknown date.
    pub years: BTreeMap<Option<u16>, Results>,
    /// The results of each player, as that player sees them: `first` are wins, `second` losses.
    pub players: FxHashMap<String, Results>,
    /// Games by event.
    pub events: FxHashMap<String, Results>,
    /// Games by the code in the tag `ECCO`; games without one are left out.
    pub openings: BTreeMap<String, Results>,
    /// Games by their first move.
    pub first_moves: BTreeMap<String, Results>,
    /// Positions of all games, those before each move and the last.
    pub positions: u64,
    keys: FxHashSet<u64>,
}

impl Statistics {
    /// Counts a game.
    pub fn add<G: Game>(&mut self, game: &GameRecord<G>) {
        let tag = |name| game.tag(name).and_then(known);
        let outcome = game.outcome;
        self.results.add(outcome);
        *self.plies.entry(game.moves.len()).or_default() += 1;
        self.years.entry(game.date().map(|date| date.year)).or_default().add(outcome);
        for side in [Side::First, Side::Second] {
            let Some(player) = game.player(side).and_then(known) else { continue };
            let seen = outcome.map(|outcome| Outcome::of_value(outcome.value_for(side)));
            self.players.entry(player.to_owned()).or_default().add(seen);
        }
        tag("Event").into_iter().for_each(|event| self.events.entry(event.to_owned()).or_default().add(outcome));
        tag("ECCO").into_iter().for_each(|code| self.openings.entry(code.to_owned()).or_default().add(outcome));
        game.moves.first().into_iter().for_each(|mv| self.first_moves.entry(mv.to_string()).or_default().add(outcome));
        game.replay(|position, _| {
            self.positions += 1;
            self.keys.insert(position.key());
        });
    }

    /// Different positions, told apart by 64-bit keys of board and side to move.
    pub fn distinct_positions(&self) -> usize {
        self.keys.len()
    }

    /// The mean number of plies; `None` without games.
    pub fn mean_plies(&self) -> Option<f64> {
        let plies: u64 = self.plies.iter().map(|(&plies, games)| plies as u64 * games).sum();
        (self.results.games() > 0).then(|| plies as f64 / self.results.games() as f64)
    }

    /// The least number of plies that a share of at least `share` of the games does not exceed; `None` without games.
    pub fn plies_quantile(&self, share: f64) -> Option<usize> {
        let wanted = share * self.results.games() as f64;
        let mut below = 0;
        self.plies
            .iter()
            .find(|(_, games)| {
                below += **games;
                below as f64 >= wanted
            })
            .map(|(&plies, _)| plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::xiangqi::Xiangqi;

    fn played(moves: &[&str], tags: &[(&str, &str)], outcome: Option<Outcome>) -> GameRecord<Xiangqi> {
        let mut game = Xiangqi::start();
        let mut record = GameRecord::new(game.clone());
        for text in moves {
            let mv = game.parse_move(text).unwrap();
            game.play(mv);
            record.push(mv, None);
        }
        tags.iter().for_each(|(name, value)| record.set_tag(name, *value));
        record.outcome = outcome;
        record
    }

    #[test]
    fn games_add_up() {
        let mut statistics = Statistics::default();
        let won = Some(Outcome::Win(Side::First));
        statistics.add(&played(&["h2e2", "h9g7"], &[("Red", "甲"), ("Black", "乙"), ("Date", "1990.1.2")], won));
        statistics.add(&played(&["h2e2"], &[("Red", "乙"), ("Black", "甲"), ("ECCO", "C00")], won));
        statistics.add(&played(&["g3g4", "h9g7", "h2e2"], &[("Red", "?")], Some(Outcome::Draw)));
        assert_eq!(statistics.results, Results { first: 2, drawn: 1, second: 0, open: 0 });
        assert_eq!((statistics.mean_plies(), statistics.plies_quantile(0.5)), (Some(2.0), Some(2)));
        assert_eq!(statistics.players["甲"], Results { first: 1, drawn: 0, second: 1, open: 0 });
        assert_eq!(statistics.years[&Some(1990)].games(), 1);
        assert_eq!(statistics.years[&None].games(), 2);
        assert_eq!((statistics.openings.len(), statistics.first_moves["h2e2"].first), (1, 2));
        // 3 + 2 + 4 positions; the start and that after h2e2 are shared.
        assert_eq!((statistics.positions, statistics.distinct_positions()), (9, 6));
    }
}
