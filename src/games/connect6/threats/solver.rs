//! The solver: what a caller asks, and the first turn, which may have one stone only.

use super::super::Connect6;
use super::super::point::Point;
use super::attacks::{Attack, Attacks};
use super::cover::{Level, Threat, level, pairs};
use super::field::{Field, Kind, Role};
use super::proof::{Defence, Proof, Then};
use super::search::{OutOfNodes, Search, Verdict};
use super::table::{NEVER, Table};
use crate::game::{Game, Outcome, SearchHints, Side};

/// The most double-threat turns that can be asked for.
pub const MAX_TURNS: u8 = 100;

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most double-threat turns of a win; 0 finds only six in a row at once. Values above [`MAX_TURNS`] are as that.
    pub turns: u8,
    /// The most positions to look at.
    pub nodes: u64,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The side to move wins, with the fewest double-threat turns that do.
    Win(Proof),
    /// It does not win by continuous double threats, however many.
    Never,
    /// It does not win with so many double-threat turns or fewer: all that were asked for.
    NotWithin(u8),
    /// The limit of positions was reached; it does not win with so many turns or fewer.
    Unknown(u8),
}

/// An answer and its price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The answer.
    pub answer: Answer,
    /// Positions looked at before it was known.
    pub nodes: u64,
}

/// A solver, with its memory: what it learnt from one question speeds up the next.
pub struct Solver {
    attacks: Attacks,
    table: Table,
    list: Vec<Attack>,
    threats: Vec<Threat>,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// A solver that knows nothing yet.
    pub fn new() -> Self {
        Self { attacks: Attacks::new(), table: Table::new(), list: Vec::new(), threats: Vec::new() }
    }

    /// Looks for a victory of the side to move by continuous double threats. A game that is over has none.
    pub fn solve(&mut self, game: &Connect6, limits: Limits) -> Found {
        self.solve_while(game, limits, &mut || true)
    }

    /// As [`Solver::solve`], and ends as at its limit when `go_on`, asked now and then, says no.
    pub(crate) fn solve_while(&mut self, game: &Connect6, limits: Limits, go_on: &mut dyn FnMut() -> bool) -> Found {
        if game.end().is_some() {
            return Found { answer: Answer::Never, nodes: 0 };
        }
        let stones = usize::from(game.stones_left());
        let mut search = self.search_for(game, game.side_to_move(), limits, go_on);
        if let Some(six) = search.field.six(stones) {
            return Found { answer: Answer::Win(Proof { stones: points(six), then: Then::Six }), nodes: 0 };
        }
        let answer = search.deepen(stones, limits.turns.min(MAX_TURNS));
        Found { answer, nodes: search.nodes }
    }

    /// The proof that the turn of the side to move which places `stones`, all that it has left, begins a victory by continuous
    /// double threats; `None` where it does not within `limits`, or is not legal.
    pub fn prove_turn(&mut self, game: &Connect6, stones: &[Point], limits: Limits) -> Option<Proof> {
        let mut after = game.clone();
        for &stone in stones {
            if after.side_to_move() != game.side_to_move() || after.move_in_slot(stone.index()).is_none() {
                return None;
            }
            after.play(stone);
        }
        let stones = stones.to_vec();
        match after.end() {
            Some(end) => {
                (end.outcome == Outcome::Win(game.side_to_move())).then_some(Proof { stones, then: Then::Six })
            }
            None if after.side_to_move() == game.side_to_move() => None,
            None => self
                .search_for(&after, game.side_to_move(), limits, &mut || true)
                .after(stones, limits.turns.min(MAX_TURNS)),
        }
    }

    fn search_for<'s>(
        &'s mut self,
        game: &Connect6,
        attacker: Side,
        limits: Limits,
        go_on: &'s mut dyn FnMut() -> bool,
    ) -> Search<'s> {
        self.list.clear();
        Search {
            field: Field::new(game, attacker),
            nodes: 0,
            limit: limits.nodes,
            go_on,
            attacks: &mut self.attacks,
            table: &mut self.table,
            list: &mut self.list,
            threats: &mut self.threats,
        }
    }
}

/// The points of a threat.
fn points(Threat([first, second]): Threat) -> Vec<Point> {
    let mut points = vec![point(first), point(second)];
    points.dedup();
    points
}

const fn point(index: u16) -> Point {
    Point::new(index as usize)
}

impl Search<'_> {
    /// Asks for one turn, two turns, and so on.
    fn deepen(&mut self, stones: usize, most: u8) -> Answer {
        let mut refuted = 0;
        while refuted < most {
            let field = self.field.clone();
            let proof = if stones == 2 { self.with_two(refuted + 1) } else { self.with_one(refuted + 1) };
            match proof {
                Ok(Ok(proof)) => return Answer::Win(proof),
                Ok(Err(NEVER)) => return Answer::Never,
                Ok(Err(turns)) => refuted = turns,
                Err(OutOfNodes) => return Answer::Unknown(refuted),
            }
            self.field = field;
        }
        Answer::NotWithin(refuted)
    }

    /// A proof with at most `turns` turns from a whole turn, or the turns that are refuted.
    fn with_two(&mut self, turns: u8) -> Result<Result<Proof, u8>, OutOfNodes> {
        Ok(match self.attack(turns)? {
            Verdict::Refuted(turns) => Err(turns),
            Verdict::Win => Ok(self.proved(turns)?),
        })
    }

    /// As [`Search::with_two`], with one stone left in the turn: every free point is tried.
    fn with_one(&mut self, turns: u8) -> Result<Result<Proof, u8>, OutOfNodes> {
        let mut refuted = NEVER;
        for stone in self.field.free().collect::<Vec<_>>() {
            self.field.place(stone, Role::Attacker);
            if self.is_double_threat() {
                match self.answers(turns - 1)? {
                    Verdict::Win => return Ok(Ok(self.proof_of(vec![point(stone)], turns)?)),
                    Verdict::Refuted(turns) => refuted = refuted.min(turns.saturating_add(1)),
                }
            }
            self.field.remove(stone, Role::Attacker);
        }
        Ok(Err(refuted))
    }

    fn is_double_threat(&mut self) -> bool {
        self.field.threats(Role::Attacker, self.threats);
        level(self.threats) >= Level::Double && !self.field.has(Kind::Counter)
    }

    /// The shortest proof of at most `turns` turns that begins with `stones`, which are on the board.
    fn after(&mut self, stones: Vec<Point>, turns: u8) -> Option<Proof> {
        let mut refuted = 0;
        while self.is_double_threat() && refuted < turns {
            let field = self.field.clone();
            match self.answers(refuted).ok()? {
                Verdict::Win => return self.proof_of(stones, refuted + 1).ok(),
                Verdict::Refuted(turns) => refuted = turns.saturating_add(1),
            }
            self.field = field;
        }
        None
    }

    /// The proof of a win with at most `turns` turns that is known to be there. The limit of positions is lifted for it.
    fn proved(&mut self, turns: u8) -> Result<Proof, OutOfNodes> {
        self.limit = u64::MAX;
        let mut least = 1;
        while least < turns && self.attack(least)? != Verdict::Win {
            least += 1;
        }
        self.attack(least)?;
        let stones = self.table.get(self.field.key()).best;
        self.place(stones, Role::Attacker);
        let proof = self.proof_of(stones.map(point).to_vec(), least)?;
        self.remove(stones, Role::Attacker);
        Ok(proof)
    }

    /// The proof that goes on after the attacker's stones, which are on the board.
    fn proof_of(&mut self, stones: Vec<Point>, turns: u8) -> Result<Proof, OutOfNodes> {
        self.limit = u64::MAX;
        self.field.threats(Role::Attacker, self.threats);
        if level(self.threats) == Level::Triple {
            return Ok(Proof { stones, then: Then::Unstoppable });
        }
        let mut defences = pairs(self.threats);
        let answer = |&mut defence: &mut [u16; 2]| {
            self.place(defence, Role::Defender);
            let reply = self.proved(turns - 1)?;
            self.remove(defence, Role::Defender);
            Ok(Defence { stones: defence.map(point), reply })
        };
        let defences = defences.as_mut_slice().iter_mut().map(answer).collect::<Result<_, OutOfNodes>>()?;
        Ok(Proof { stones, then: Then::Defences(defences) })
    }
}
