//! Retrograde analysis: the exact value of every position of some material, worked back from mate and stalemate.
//!
//! Rules that look at the past (repetition, plies without capture) are left out: a position is drawn when neither side can
//! force mate or stalemate. First every position learns from its captures, which lead to less material solved before; then
//! values spread from the ends of the game, shortest first, along the moves that lead there.

use std::collections::HashMap;

use rayon::prelude::*;

use super::material::Material;
use super::placement::Numbering;
use crate::game::Side;
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::squares::Squares;
use crate::games::xiangqi::tables::{HORSE, PAWN_ATTACKERS, PLACES, horse_leg};
use crate::games::xiangqi::{Move, Piece, Role};

/// The most numbers of placements that are solved: 80 MB of values, and several times as much while they are found.
pub const MOST_PLACEMENTS: usize = 20_000_000;

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// Won in so many plies at best play of both.
    Won(u16),
    /// Neither side can force an end.
    Drawn,
    /// Lost in so many plies; 0 is mate or stalemate.
    Lost(u16),
}

impl Value {
    /// The value for the opponent, one ply before.
    const fn one_ply_before(self) -> Self {
        match self {
            Self::Won(plies) => Self::Lost(plies + 1),
            Self::Drawn => Self::Drawn,
            Self::Lost(plies) => Self::Won(plies + 1),
        }
    }
}

/// A value in two bytes: 0 drawn, n > 0 won in n plies, -1 - n lost in n plies.
const DRAWN: i16 = 0;
/// No position that can occur in a game.
const NONE: i16 = i16::MIN;

const fn coded(value: Value) -> i16 {
    match value {
        Value::Won(plies) => plies as i16,
        Value::Drawn => DRAWN,
        Value::Lost(plies) => -1 - plies as i16,
    }
}

const fn decoded(code: i16) -> Option<Value> {
    Some(match code {
        NONE => return None,
        DRAWN => Value::Drawn,
        1.. => Value::Won(code as u16),
        _ => Value::Lost((-1 - code) as u16),
    })
}

/// The solved positions of one material, and of all that captures lead to.
#[derive(Debug, Default)]
pub struct Solver {
    tables: HashMap<Material, Table>,
}

/// The values of all positions of one material in its canonical form.
#[derive(Debug)]
struct Table {
    numbering: Numbering,
    /// By side to move, then number.
    values: [Vec<i16>; 2],
}

/// Material that is not solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{material}` has too many placements: expected at most {MOST_PLACEMENTS}")]
pub struct TooLarge {
    /// The material.
    pub material: Material,
}

impl Solver {
    /// Nothing solved yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves `material` and everything that captures lead to, as far as it is not solved yet.
    ///
    /// # Errors
    /// When there are more placements than [`MOST_PLACEMENTS`].
    pub fn solve(&mut self, material: Material) -> Result<(), TooLarge> {
        let material = material.canonical();
        if self.tables.contains_key(&material) {
            return Ok(());
        }
        let numbering = Numbering::new(material).filter(|n| n.len() <= MOST_PLACEMENTS).ok_or(TooLarge { material })?;
        material.after_captures().try_for_each(|less| self.solve(less))?;
        let table = Analysis::begin(self, numbering).finish();
        self.tables.insert(material, table);
        Ok(())
    }

    /// Forgets the positions of `material`, to free memory; what was solved with them stays.
    pub fn forget(&mut self, material: Material) {
        self.tables.remove(&material.canonical());
    }

    /// Calls `visit` with each position of solved `material`, in its canonical form, and its value.
    pub(super) fn for_each(&self, material: Material, mut visit: impl FnMut(&Position, Value)) {
        let Some(table) = self.tables.get(&material.canonical()) else { return };
        for side in [Side::First, Side::Second] {
            for (number, &code) in table.values[side.index()].iter().enumerate() {
                if let (Some(value), Some(position)) = (decoded(code), table.numbering.position(number, side)) {
                    visit(&position, value);
                }
            }
        }
    }

    /// The value of a position; `None` if its material is not solved or it cannot occur in a game.
    pub(super) fn value(&self, position: &Position, material: Material) -> Option<Value> {
        let turned;
        let position = if material.is_canonical() {
            position
        } else {
            turned = position.exchanged();
            &turned
        };
        let table = self.tables.get(&material.canonical())?;
        decoded(table.values[position.turn().index()][table.numbering.number(position)?])
    }
}

/// What a position knows before values spread.
#[derive(Clone, Copy)]
struct Start {
    /// Its value, if it is the end of the game or captures decide it.
    value: Option<Value>,
    /// Moves that are not yet known to lose.
    moves: u8,
}

/// Positions by number and side to move.
type Place = (u32, Side);

/// The work on one material.
struct Analysis<'a> {
    solver: &'a Solver,
    table: Table,
    /// By side to move, then number: moves that are not yet known to lose.
    moves: [Vec<u8>; 2],
    /// Positions that have a value of so many plies, unless a shorter one is found.
    due: Vec<Vec<Place>>,
}

impl<'a> Analysis<'a> {
    fn begin(solver: &'a Solver, numbering: Numbering) -> Self {
        let mut due = Vec::new();
        let mut sides = [Side::First, Side::Second].map(|side| start_side(solver, &numbering, side, &mut due));
        let values = std::array::from_fn(|side| std::mem::take(&mut sides[side].0));
        let moves = sides.map(|side| side.1);
        Self { solver, table: Table { numbering, values }, moves, due }
    }

    fn finish(mut self) -> Table {
        let mut plies = 0;
        while plies < self.due.len() {
            for place in std::mem::take(&mut self.due[plies]) {
                self.settle(place, plies as u16);
            }
            plies += 1;
        }
        self.table
    }

    /// Gives a position its value of `plies` and tells the positions before it. An even number of plies is lost: the last
    /// ply is the opponent's.
    fn settle(&mut self, (number, side): Place, plies: u16) {
        let code = &mut self.table.values[side.index()][number as usize];
        if *code != DRAWN {
            return;
        }
        let value = if plies.is_multiple_of(2) { Value::Lost(plies) } else { Value::Won(plies) };
        *code = coded(value);
        let Some(position) = self.table.numbering.position(number as usize, side) else { return };
        for_each_before(&position, |before| {
            let Some(number) = self.table.numbering.number(before) else { return };
            if self.table.values[side.other().index()][number] == DRAWN {
                self.tell(before, (number as u32, side.other()), value.one_ply_before());
            }
        });
    }

    /// A move of this undecided position has the value `by_move`.
    fn tell(&mut self, position: &Position, place: Place, by_move: Value) {
        match by_move {
            Value::Won(plies) => push_due(&mut self.due, plies, place),
            Value::Drawn => {}
            Value::Lost(plies) => {
                let left = &mut self.moves[place.1.index()][place.0 as usize];
                *left -= 1;
                if *left == 0 {
                    // A capture may hold out longer than the move that was decided last.
                    let capture = longest_lost_capture(self.solver, position).unwrap_or(0);
                    push_due(&mut self.due, plies.max(capture), place);
                }
            }
        }
    }
}

fn push_due(due: &mut Vec<Vec<Place>>, plies: u16, place: Place) {
    let plies = usize::from(plies);
    if due.len() <= plies {
        due.resize_with(plies + 1, Vec::new);
    }
    due[plies].push(place);
}

/// Values (none but [`DRAWN`] and [`NONE`] yet) and numbers of moves of all positions with `side` to move.
fn start_side(solver: &Solver, numbering: &Numbering, side: Side, due: &mut Vec<Vec<Place>>) -> (Vec<i16>, Vec<u8>) {
    let starts: Vec<Option<Start>> =
        (0..numbering.len()).into_par_iter().map(|number| start(solver, &numbering.position(number, side)?)).collect();
    for (number, start) in starts.iter().enumerate() {
        if let Some(Value::Won(plies) | Value::Lost(plies)) = start.and_then(|start| start.value) {
            push_due(due, plies, (number as u32, side));
        }
    }
    let value = |start: &Option<Start>| if start.is_some() { DRAWN } else { NONE };
    (starts.iter().map(value).collect(), starts.iter().map(|start| start.map_or(0, |start| start.moves)).collect())
}

/// What a position knows by itself; `None` if the side to move could take the king.
fn start(solver: &Solver, position: &Position) -> Option<Start> {
    let mut passed = *position;
    passed.pass();
    if passed.in_check() {
        return None;
    }
    let (mut moves, mut best, mut longest_loss) = (0, None, 0);
    for_each_move(position, |after, captured| match captured.and_then(|()| solver.after_capture(after)) {
        Some(Value::Won(plies)) => best = Some(best.map_or(plies, |best: u16| best.min(plies))),
        Some(Value::Lost(plies)) => longest_loss = longest_loss.max(plies),
        Some(Value::Drawn) | None => moves += 1,
    });
    let value = match best {
        Some(plies) => Some(Value::Won(plies)),
        None if moves == 0 => Some(Value::Lost(longest_loss)),
        None => None,
    };
    Some(Start { value, moves: moves + u8::from(best.is_some()) })
}

impl Solver {
    /// The value of a capture for the side that made it, given the position after it.
    fn after_capture(&self, after: &Position) -> Option<Value> {
        self.value(after, Material::of_position(after)).map(Value::one_ply_before)
    }
}

/// How many plies the captures of a position hold out at most, all of them losing; `None` without captures.
fn longest_lost_capture(solver: &Solver, position: &Position) -> Option<u16> {
    let mut longest = None;
    for_each_move(position, |after, captured| {
        if let Some(Value::Lost(plies)) = captured.and_then(|()| solver.after_capture(after)) {
            longest = longest.max(Some(plies));
        }
    });
    longest
}

/// Calls `visit` with the position after each legal move and whether that captured something.
fn for_each_move(position: &Position, mut visit: impl FnMut(&Position, Option<()>)) {
    position.visit_legal(Squares::BOARD, |from, targets| {
        targets.for_each(|to| {
            let mut after = *position;
            let captured = after.make(Move::new(from, to));
            visit(&after, (captured != 0).then_some(()));
        });
    });
}

/// Calls `visit` with each position from which a move without capture leads to `position`. Those in which the mover could
/// have taken the king are among them.
fn for_each_before(position: &Position, mut visit: impl FnMut(&Position)) {
    let mover = position.turn().other();
    for to in position.side(mover) {
        let Some(piece) = Piece::from_code(position.board()[to]) else { continue };
        for from in origins(position, piece, to) {
            let mut before = *position;
            before.make(Move::new(to, from));
            visit(&before);
        }
    }
}

/// The empty points from which `piece`, now on `to`, can have come without capture.
fn origins(position: &Position, piece: Piece, to: usize) -> Squares {
    let empty = !position.occupied() & Squares(PLACES[usize::from(piece.code())]);
    match piece.role() {
        Role::Horse => {
            let free = |from: &usize| !position.occupied().contains(horse_leg(*from, to));
            let jumps = Squares(HORSE[to][0]) & empty;
            jumps.into_iter().filter(free).fold(Squares::EMPTY, |set, from| set | Squares::of(from))
        }
        Role::Pawn => Squares(PAWN_ATTACKERS[piece.side().other().index()][to]) & empty,
        // These move back the way they came.
        Role::King | Role::Advisor | Role::Elephant | Role::Rook | Role::Cannon => position.targets(to) & empty,
    }
}
