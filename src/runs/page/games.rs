//! The games of a run that tell most, made ready for a page.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

use super::boards::board;
use super::rules::Speakers;
use super::tables::RunFiles;
use crate::arena::expected_of;
use crate::by_game;
use crate::eval::Catalogue;
use crate::game::{Game, Kit, Outcome, PieceLook, Side};
use crate::games::GameName;
use crate::observe::Silent;
use crate::record::{GameRecord, Policy, RecordError, count_first, for_each_game};
use crate::report::html::{Games, Piece, Ply, ShownGame};
use crate::runs::matches::PLAN;
use crate::runs::results::GAMES;
use crate::settings::Choices;

/// Records that tell which game they are of.
const LOOKED_AT: u64 = 4;

/// Up to `limit` games of the run with these `files`; `None` if it has none, or they are left out of the folder.
///
/// # Errors
/// When they cannot be read.
pub fn of_run(files: RunFiles<'_>, limit: usize) -> Result<Option<Games>, RecordError> {
    let Some(path) = files.path(GAMES).filter(|path| limit > 0 && path.exists()) else { return Ok(None) };
    let is_of =
        |game: &&GameName| by_game!(**game, G => count_first::<G>(&[&path], Policy::Drop, LOOKED_AT, |_| true))[0] > 0;
    let Some(game) = GameName::ALL.iter().find(is_of) else { return Ok(None) };
    let plan = files.path(PLAN);
    by_game!(*game, G => chosen::<G>(&path, plan.as_deref(), limit)).map(Some)
}

/// Games of the file `path`, with what those say of positions who played by the match's `plan`.
fn chosen<G: Catalogue>(path: &Path, plan: Option<&Path>, limit: usize) -> Result<Games, RecordError> {
    let mut choice = Choice::<G> { limit, total: 0, kinds: BTreeMap::new() };
    for_each_game(&[path], Policy::Drop, &Silent, |record| choice.offer(record))?;
    let pieces = G::looks().into_iter().map(piece).collect();
    let mut games = Games { sides: G::SIDES, pieces, total: choice.total, ..Games::default() };
    let speakers = Speakers::of_match(plan);
    for candidate in choice.taken() {
        let Some(mut game) = shown(&candidate) else { continue };
        let rules = speakers.rules(&candidate.record, &game.names, &mut games);
        game.moves.iter_mut().zip(rules).for_each(|(ply, rule)| ply.rule = rule);
        games.games.push(game);
    }
    Ok(games)
}

fn piece(PieceLook { letter, side, label, glyph, name }: PieceLook) -> Piece {
    Piece { letter, side: side.index(), labels: [label, glyph], name }
}

/// A game that may be shown.
struct Candidate<G: Game> {
    /// Its number in the file, from 1.
    number: u64,
    /// How far the players' expectations are apart where they are most.
    gap: f64,
    record: GameRecord<G>,
}

impl<G: Game> Candidate<G> {
    /// Who disagrees more comes first; of equal games the earlier one.
    fn order(&self, other: &Self) -> Ordering {
        other.gap.total_cmp(&self.gap).then(self.number.cmp(&other.number))
    }
}

/// Who played whom, in alphabetical order, and the result for the first of them.
type KindOfGame = ([String; 2], Option<i32>);

/// Of each kind of games those with the widest disagreement.
struct Choice<G: Game> {
    limit: usize,
    total: usize,
    kinds: BTreeMap<KindOfGame, Vec<Candidate<G>>>,
}

impl<G: Game> Choice<G> {
    fn offer(&mut self, record: GameRecord<G>) {
        self.total += 1;
        let gap = widest(&expectations(&record)).map_or(-1.0, |(_, gap)| gap);
        let kind = self.kinds.entry(kind_of(&record)).or_default();
        // Records before it that cannot be read are in the file all the same.
        let number = record.source.as_ref().map_or(self.total as u64, |place| place.game);
        let candidate = Candidate { number, gap, record };
        let at = kind.partition_point(|known| known.order(&candidate).is_lt());
        if at < self.limit {
            kind.insert(at, candidate);
            kind.truncate(self.limit);
        }
    }

    /// The best of every kind, then the second ones, until there are enough; those with the widest disagreement first.
    fn taken(self) -> Vec<Candidate<G>> {
        let ranked = self.kinds.into_values().flat_map(|kind| kind.into_iter().enumerate());
        let mut ranked: Vec<(usize, Candidate<G>)> = ranked.collect();
        ranked.sort_by(|(rank, one), (other_rank, other)| rank.cmp(other_rank).then_with(|| one.order(other)));
        ranked.truncate(self.limit);
        ranked.sort_by(|(_, one), (_, other)| one.order(other));
        ranked.into_iter().map(|(_, candidate)| candidate).collect()
    }
}

fn names_of<G: Game>(record: &GameRecord<G>) -> [String; 2] {
    [Side::First, Side::Second].map(|side| record.player(side).unwrap_or("?").to_owned())
}

fn kind_of<G: Game>(record: &GameRecord<G>) -> KindOfGame {
    let [first, second] = names_of(record);
    let value = record.outcome.map(Outcome::value);
    if first <= second { ([first, second], value) } else { ([second, first], value.map(|value| -value)) }
}

/// Who made each move, and which result the mover expected for the first side.
fn expectations<G: Game>(record: &GameRecord<G>) -> Vec<(Side, Option<f64>)> {
    let mut sides = Vec::with_capacity(record.moves.len());
    record.replay(|game, mv| sides.extend(mv.map(|_| game.side_to_move())));
    let expected = |(side, comment): (Side, &Option<String>)| {
        let expected = comment.as_deref().and_then(expected_of);
        (side, expected.map(|expected| expected * f64::from(side.sign())))
    };
    sides.into_iter().zip(&record.comments).map(expected).collect()
}

/// The ply, from 1, at which the mover differs most from what the other side expected last, and by how much.
fn widest(expectations: &[(Side, Option<f64>)]) -> Option<(usize, f64)> {
    let mut last = [None; 2];
    let mut widest: Option<(usize, f64)> = None;
    for (ply, (side, expected)) in (1..).zip(expectations) {
        let Some(expected) = expected else { continue };
        last[side.index()] = Some(*expected);
        let Some(other) = last[side.other().index()] else { continue };
        let gap = (expected - other).abs();
        if widest.is_none_or(|(_, known)| gap > known) {
            widest = Some((ply, gap));
        }
    }
    widest
}

/// A game as the page needs it; `None` if its board cannot be drawn.
fn shown<G: Kit>(Candidate { number, record, .. }: &Candidate<G>) -> Option<ShownGame> {
    let expectations = expectations(record);
    let grid = record.start.grid()?;
    let mut boards = Vec::with_capacity(record.moves.len() + 1);
    record.replay(|game, _| boards.extend(game.grid().map(|grid| grid.letters)));
    let plies = record.moves.iter().zip(&record.comments).zip(&expectations).zip(boards.windows(2));
    let moves = plies.map(|(((mv, comment), (side, expected)), boards)| Ply {
        text: mv.to_string(),
        side: side.index(),
        changes: changes(&boards[0], &boards[1]),
        expected: expected.map(thousandths),
        comment: comment.clone().unwrap_or_default(),
        rule: None,
    });
    Some(ShownGame {
        number: *number,
        names: names_of(record),
        result: record.result(),
        end: record.tag("Termination").unwrap_or_default().to_owned(),
        board: board(&grid),
        start: grid.letters.iter().collect(),
        moves: moves.collect(),
        widest: widest(&expectations).map(|(ply, gap)| (ply, thousandths(gap))),
    })
}

fn thousandths(value: f64) -> i32 {
    (1000.0 * value).round() as i32
}

fn changes(before: &[char], after: &[char]) -> Vec<(usize, char)> {
    let differ = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    differ.map(|(point, (_, letter))| (point, *letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::connect6::Connect6;
    use crate::games::surakarta::Surakarta;
    use crate::games::xiangqi::Xiangqi;
    use crate::record::to_pgn;

    #[test]
    fn games_have_the_numbers_that_they_have_in_the_file() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("games.pgn");
        let game = to_pgn(&record::<Surakarta>(["a", "b"], Outcome::Draw, &[("a2a3", ""), ("a5a4", "")]));
        let broken = game.replace("a5a4", "a9a9");
        assert!(broken != game, "{game}");
        std::fs::write(&path, [game.as_str(), &broken, &game].join("\n")).unwrap();
        let games = chosen::<Surakarta>(&path, None, 9).unwrap();
        assert_eq!((games.games.iter().map(|game| game.number).collect::<Vec<_>>(), games.total), (vec![1, 3], 2));
    }

    fn record<G: Notation>(names: [&str; 2], outcome: Outcome, moves: &[(&str, &str)]) -> GameRecord<G> {
        let mut record = GameRecord::new(G::start());
        let mut game = G::start();
        for (side, name) in [Side::First, Side::Second].into_iter().zip(names) {
            record.set_player(side, name);
        }
        for (mv, comment) in moves {
            let mv = game.parse_move(mv).unwrap();
            game.play(mv);
            record.push(mv, Some((*comment).to_owned()));
        }
        record.outcome = Some(outcome);
        record
    }

    /// What the page's script does: changes made one after the other give the board of the rules.
    fn assert_boards_follow<G: Kit>(moves: &[(&str, &str)]) -> ShownGame {
        let record = record::<G>(["a", "b"], Outcome::Draw, moves);
        let last = record.last_position().grid().unwrap();
        let game = shown(&Candidate { number: 1, gap: 0.0, record }).unwrap();
        let mut letters: Vec<char> = game.start.chars().collect();
        for (point, letter) in game.moves.iter().flat_map(|ply| &ply.changes) {
            letters[*point] = *letter;
        }
        assert_eq!(letters, last.letters);
        assert!(letters.iter().all(|letter| *letter == '.' || G::looks().iter().any(|look| look.letter == *letter)));
        game
    }

    #[test]
    fn boards_follow_the_moves_of_every_game() {
        let game = assert_boards_follow::<Xiangqi>(&[("h2e2", "+0.1/1 1"), ("h9g7", "+0.3/1 1"), ("e2e6", "x")]);
        assert_eq!(game.moves[2].changes, [(31, 'C'), (67, '.')]);
        assert_eq!((game.moves[1].expected, game.moves[2].expected, game.widest), (Some(-300), None, Some((2, 400))));
        assert_eq!([&game.board.labels[0][0], &game.board.labels[1][0], &game.board.labels[1][9]], ["a", "9", "0"]);
        let game = assert_boards_follow::<Connect6>(&[("j10", ""), ("a1", ""), ("s19", "")]);
        assert_eq!(game.moves.iter().map(|ply| ply.side).collect::<Vec<_>>(), [0, 1, 1]);
        assert_eq!((game.start.len(), game.board.size), (361, [19, 19]));
        assert_boards_follow::<Surakarta>(&[("a2a3", ""), ("a5a4", "")]);
    }

    #[test]
    fn of_each_kind_of_game_those_with_the_widest_disagreement_are_taken() {
        let mut choice = Choice::<Surakarta> { limit: 3, total: 0, kinds: BTreeMap::new() };
        let won = Outcome::Win(Side::First);
        let game = |names: [&str; 2], outcome, [one, other]: [&str; 2]| {
            record::<Surakarta>(names, outcome, &[("a2a3", one), ("a5a4", other)])
        };
        choice.offer(game(["a", "b"], won, ["+0.1/1 1", "-0.1/1 1"]));
        choice.offer(game(["a", "b"], won, ["+0.9/1 1", "+0.9/1 1"]));
        choice.offer(game(["b", "a"], Outcome::Win(Side::Second), ["+0.5/1 1", "+0.5/1 1"]));
        choice.offer(game(["b", "a"], won, ["+0.0/1 1", "+0.0/1 1"]));
        choice.offer(game(["a", "b"], Outcome::Draw, ["", ""]));
        assert_eq!(choice.taken().iter().map(|one| one.number).collect::<Vec<_>>(), [2, 4, 5]);
    }
}
