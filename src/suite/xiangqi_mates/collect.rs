//! Draws forced wins from the ends of recorded games.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{Mate, MateSearch, names};
use crate::game::{Game, Notation, Outcome};
use crate::games::xiangqi::Xiangqi;
use crate::observe::Observer;
use crate::record::GameRecord;

/// Games that are looked at together, on all threads.
const BATCH: usize = 64;

/// What to draw.
#[derive(Debug, Clone, Copy)]
pub struct Quota {
    /// The longest win, in moves of the winner.
    pub most_moves: u32,
    /// How many positions of each length are wanted.
    pub each: usize,
}

/// The positions drawn, and an account of what was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Collected {
    /// One position a game at most, in the order of the games.
    #[serde(skip)]
    pub positions: Vec<Mate>,
    /// Games looked at.
    pub games: usize,
    /// Those of them that somebody won.
    pub decided: usize,
    /// Positions near their ends, the winner to move.
    pub looked_at: usize,
    /// Those in which the winner could force the win, by its length; entry 0 is for wins in one move.
    pub forced: Vec<usize>,
    /// Forced wins that were met before, in an earlier game or the same.
    pub repeated: usize,
    /// Others of a game that had given its position already.
    pub of_same_game: usize,
    /// Others of a length of which no more were wanted.
    pub unwanted: usize,
}

/// Draws from each game the position farthest from its end in which the winner, to move, can force the win in so many moves
/// as are still wanted. Positions are taken without their past, as the suite will state them.
///
/// Stops when nothing more is wanted. The result does not depend on the number of threads.
pub fn collect(games: &[GameRecord<Xiangqi>], quota: Quota, observer: &dyn Observer) -> Collected {
    let mut drawing = Drawing::new(quota);
    observer.begin("looking for forced wins", games.len() as u64);
    for batch in games.chunks(BATCH) {
        let looked_at: Vec<_> = batch.par_iter().map(|game| forced_wins(game, quota.most_moves)).collect();
        for (game, found) in batch.iter().zip(looked_at) {
            drawing.enter(game, found);
        }
        observer.advance(batch.len() as u64);
        if drawing.is_full() {
            break;
        }
    }
    observer.end();
    drawing.collected
}

/// A position with a forced win.
struct Found {
    key: u64,
    fen: String,
    mate_in: u32,
    best: Vec<String>,
    /// Plies made in the game before it.
    ply: usize,
}

/// What the end of one game gave.
struct EndOfGame {
    looked_at: usize,
    /// Farthest from the end first.
    found: Vec<Found>,
}

/// Looks at the last `most` positions in which the winner made a move; `None` for a game that nobody won.
fn forced_wins(game: &GameRecord<Xiangqi>, most: u32) -> Option<EndOfGame> {
    let Some(Outcome::Win(winner)) = game.outcome else { return None };
    // If the loser made the last move, the winner is to move a ply farther from the end.
    let of_loser = usize::from(game.last_position().side_to_move() == winner);
    let (plies, mut ply) = (game.moves.len(), 0);
    let mut end = EndOfGame { looked_at: 0, found: Vec::new() };
    let mut search = MateSearch::default();
    game.replay(|position, mv| {
        if mv.is_some() && position.side_to_move() == winner && ply + 2 * most as usize + of_loser > plies {
            end.looked_at += 1;
            end.found.extend(forced_win(position, most, ply, &mut search));
        }
        ply += 1;
    });
    Some(end)
}

fn forced_win(position: &Xiangqi, most: u32, ply: usize, search: &mut MateSearch<Xiangqi>) -> Option<Found> {
    let fen = position.notation();
    let mut without_past = Xiangqi::from_notation(&fen).ok()?;
    let win = search.forced_win(&mut without_past, most)?;
    Some(Found { key: position.key(), fen, mate_in: win.moves, best: names(&win.best), ply })
}

/// A collection under way.
struct Drawing {
    quota: Quota,
    collected: Collected,
    keys: FxHashSet<u64>,
    /// Positions drawn, by length.
    drawn: Vec<usize>,
}

impl Drawing {
    fn new(quota: Quota) -> Self {
        let lengths = quota.most_moves as usize;
        let collected = Collected { forced: vec![0; lengths], ..Collected::default() };
        Self { quota, collected, keys: FxHashSet::default(), drawn: vec![0; lengths] }
    }

    fn is_full(&self) -> bool {
        self.drawn.iter().all(|&drawn| drawn >= self.quota.each)
    }

    /// Puts a game on the account and draws from it.
    fn enter(&mut self, game: &GameRecord<Xiangqi>, end: Option<EndOfGame>) {
        self.collected.games += 1;
        let Some(EndOfGame { looked_at, found }) = end else { return };
        self.collected.decided += 1;
        self.collected.looked_at += looked_at;
        let mut drawn = false;
        for found in found {
            let length = found.mate_in as usize - 1;
            self.collected.forced[length] += 1;
            if !self.keys.insert(found.key) {
                self.collected.repeated += 1;
            } else if drawn {
                self.collected.of_same_game += 1;
            } else if self.drawn[length] >= self.quota.each {
                self.collected.unwanted += 1;
            } else {
                self.draw(game, found);
                drawn = true;
            }
        }
    }

    fn draw(&mut self, game: &GameRecord<Xiangqi>, found: Found) {
        let length = &mut self.drawn[found.mate_in as usize - 1];
        *length += 1;
        let game = match &game.source {
            Some(place) => format!("{}: game {}", place.file.shown, place.game),
            None => format!("game {}", self.collected.games),
        };
        self.collected.positions.push(Mate {
            id: format!("mate in {}, {length}", found.mate_in),
            fen: found.fen,
            mate_in: found.mate_in,
            best: found.best,
            source: format!("{game}, ply {}", found.ply),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::observe::Silent;
    use crate::record::{FileName, SourceLocation};

    /// A game in which Red, to move, mates with the rook on b6.
    fn game(moves: &[&str]) -> GameRecord<Xiangqi> {
        let mut position = Xiangqi::from_notation("3k5/R8/9/1R7/9/9/8p/9/9/4K4 w").unwrap();
        let mut record = GameRecord::new(position.clone());
        for text in moves {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            record.push(mv, None);
        }
        record.outcome = position.end().map(|end| end.outcome);
        record
    }

    #[test]
    fn as_many_positions_are_looked_at_whoever_moved_last() {
        let looked_at = |game: &GameRecord<Xiangqi>, most| forced_wins(game, most).unwrap().looked_at;
        let mated = game(&["e0e1", "i3i2", "b6b9"]);
        let mut given_up = game(&["e0e1", "i3i2", "e1e0", "i2i1"]);
        given_up.outcome = Some(Outcome::Win(Side::First));
        for most in [1, 2] {
            assert_eq!([looked_at(&mated, most), looked_at(&given_up, most)], [most as usize; 2]);
        }
    }

    #[test]
    fn positions_are_distinct_and_counted() {
        let mut games = [game(&["b6b9"]), game(&["b6b9"]), game(&["a8a7"]), game(&["e0e1", "i3i2", "b6b9"])];
        let file = FileName { shown: "b.pgn".into(), ..FileName::default() };
        games[3].source = Some(SourceLocation { file, game: 2, ..SourceLocation::default() });
        let collected = collect(&games, Quota { most_moves: 2, each: 9 }, &Silent);
        let written = collected.positions.len();
        assert_eq!(collected.repeated + collected.of_same_game + collected.unwanted + written, 4);
        let none = collect(&games, Quota { most_moves: 2, each: 0 }, &Silent);
        assert_eq!((none.positions.len(), none.repeated, none.unwanted), (0, 2, 2));
        let Collected { positions, games, decided, looked_at, forced, repeated, .. } = collected;
        assert_eq!((games, decided, looked_at, forced, repeated), (4, 3, 4, vec![4, 0], 2));
        let sources: Vec<_> = positions.iter().map(|mate| mate.source.as_str()).collect();
        assert_eq!(sources, ["game 1, ply 0", "b.pgn: game 2, ply 2"]);
        assert_eq!((positions[0].mate_in, positions[0].best.join(" ")), (1, "b6d6 b6b9".to_owned()));
    }
}
