//! The traditional evaluator against a plain reading of its terms, its symmetries, and what a fit writes.

use std::collections::BTreeMap;

use proptest::prelude::*;
use roughboard::eval::xiangqi::{
    MOBILITY_VALUES, Parameters, Sign, Term, Terms, Traditional, weights_from_json, weights_to_json,
};
use roughboard::eval::{Catalogue, Evaluator};
use roughboard::game::playout::random_moves;
use roughboard::game::{Game, Notation, Side};
use roughboard::games::xiangqi::PIECE_VALUES;
use roughboard::games::xiangqi::{Piece, Role, Xiangqi};
use roughboard::random;
use roughboard::record::supplied;
use roughboard::runs::position_tables::{self, FitSettings};

use crate::book::mirrored_board;

/// A point as file and rank, each from 0.
type Point = (i32, i32);

/// A board that is asked point by point.
struct Board {
    cells: Vec<Option<Piece>>,
    turn: Side,
}

fn orthogonal() -> [Point; 4] {
    [(0, 1), (0, -1), (1, 0), (-1, 0)]
}

fn diagonal() -> [Point; 4] {
    [(1, 1), (1, -1), (-1, 1), (-1, -1)]
}

/// The rank as `side` counts it, its back rank being 0.
fn rank_for(side: Side, (_, rank): Point) -> i32 {
    if side == Side::First { rank } else { 9 - rank }
}

fn in_palace(side: Side, point: Point) -> bool {
    (3..=5).contains(&point.0) && (0..=2).contains(&rank_for(side, point))
}

fn is_across(side: Side, point: Point) -> bool {
    rank_for(side, point) >= 5
}

impl Board {
    fn of(position: &Xiangqi) -> Self {
        let cells = (0..90).map(|square| position.piece_at(square)).collect();
        Self { cells, turn: position.side_to_move() }
    }

    fn exists((file, rank): Point) -> bool {
        (0..9).contains(&file) && (0..10).contains(&rank)
    }

    fn at(&self, point: Point) -> Option<Piece> {
        if Self::exists(point) { self.cells[(point.1 * 9 + point.0) as usize] } else { None }
    }

    fn pieces(&self, side: Side) -> Vec<(Role, Point)> {
        let points = (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)));
        let own = |point| self.at(point).filter(|piece| piece.side() == side).map(|piece| (piece.role(), point));
        points.filter_map(own).collect()
    }

    fn of_role(&self, side: Side, role: Role) -> Vec<Point> {
        self.pieces(side).into_iter().filter(|one| one.0 == role).map(|one| one.1).collect()
    }

    /// How many pieces stand between two points of a line; `None` if they share none.
    fn between(&self, a: Point, b: Point) -> Option<Vec<Piece>> {
        if a == b || (a.0 != b.0 && a.1 != b.1) {
            return None;
        }
        let step = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
        let points = std::iter::successors(Some((a.0 + step.0, a.1 + step.1)), |p| Some((p.0 + step.0, p.1 + step.1)));
        Some(points.take_while(|&p| p != b).filter_map(|p| self.at(p)).collect())
    }

    /// Where the piece on `from` could go if all others could be captured.
    fn reach(&self, from: Point) -> Vec<Point> {
        let piece = self.at(from).unwrap();
        let side = piece.side();
        let plus = |step: Point, times: i32| (from.0 + step.0 * times, from.1 + step.1 * times);
        let points: Vec<Point> = match piece.role() {
            Role::King => orthogonal().map(|step| plus(step, 1)).into_iter().filter(|&p| in_palace(side, p)).collect(),
            Role::Advisor => diagonal().map(|step| plus(step, 1)).into_iter().filter(|&p| in_palace(side, p)).collect(),
            Role::Elephant => {
                let free = diagonal().into_iter().filter(|&step| self.at(plus(step, 1)).is_none());
                free.map(|step| plus(step, 2)).filter(|&p| !is_across(side, p)).collect()
            }
            Role::Horse => {
                let free = orthogonal().into_iter().filter(|&step| self.at(plus(step, 1)).is_none());
                let forks = |step: Point| {
                    let end = plus(step, 2);
                    [(end.0 + step.1, end.1 + step.0), (end.0 - step.1, end.1 - step.0)]
                };
                free.flat_map(forks).collect()
            }
            Role::Rook => orthogonal().into_iter().flat_map(|step| self.ride(from, step, false)).collect(),
            Role::Cannon => orthogonal().into_iter().flat_map(|step| self.ride(from, step, true)).collect(),
            Role::Pawn => {
                let ahead = (0, side.sign());
                let sideways = if is_across(side, from) { &[(1, 0), (-1, 0)][..] } else { &[] };
                [ahead].iter().chain(sideways).map(|&step| plus(step, 1)).collect()
            }
        };
        points.into_iter().filter(|&p| Self::exists(p)).collect()
    }

    /// The empty points in one direction, and the first piece there, or the second for one that leaps.
    fn ride(&self, from: Point, step: Point, leaps: bool) -> Vec<Point> {
        let mut points = Vec::new();
        let mut met = 0;
        let mut at = (from.0 + step.0, from.1 + step.1);
        while Self::exists(at) && met < 2 {
            let filled = self.at(at).is_some();
            met += i32::from(filled);
            if (!filled && met == 0) || (filled && met == 1 + i32::from(leaps)) {
                points.push(at);
            }
            at = (at.0 + step.0, at.1 + step.1);
        }
        points
    }

    /// The roles of the pieces of `side` that attack or protect `target`.
    fn attackers(&self, side: Side, target: Point) -> Vec<Role> {
        let reaches = |from: Point, role: Role| {
            // Cannons take, and kings are counted, only where something stands.
            let needs_piece = matches!(role, Role::Cannon | Role::King);
            self.reach(from).contains(&target) && (!needs_piece || self.at(target).is_some())
        };
        self.pieces(side).into_iter().filter(|&(role, from)| reaches(from, role)).map(|one| one.0).collect()
    }

    /// The signs of coordination and king of `side`.
    fn signs(&self, side: Side) -> BTreeMap<&'static str, usize> {
        let them = side.other();
        let own = |role| self.of_role(side, role);
        let count = |side, role| self.of_role(side, role).len();
        let linked = |role| own(role).into_iter().filter(|&p| self.attackers(side, p).contains(&role)).count();
        let king = self.of_role(them, Role::King)[0];
        let crossed: Vec<Point> = own(Role::Pawn).into_iter().filter(|&p| is_across(side, p)).collect();
        let on_palace = |role| {
            let reached = own(role).into_iter().flat_map(|from| self.reach(from));
            reached.filter(|&p| in_palace(them, p)).count()
        };
        let (rooks, horses, cannons) = (count(side, Role::Rook), count(side, Role::Horse), count(side, Role::Cannon));
        let missing = |role| 2 - count(them, role);
        let raised = rank_for(them, king) as usize;
        let palace_file = |rook: &Point| {
            (3..=5).contains(&rook.0) && self.reach(*rook).iter().any(|p| p.0 == rook.0 && in_palace(them, *p))
        };
        let bottom = |p: &&Point| rank_for(them, **p) == 0 && raised == 0 && !in_palace(them, **p);
        let behind =
            |p: Point, n: usize| self.between(king, p).is_some_and(|pieces| pieces.len() == n) && p.0 == king.0;
        let across = |wing: std::ops::RangeInclusive<i32>| {
            let is_one = |(role, p): &(Role, Point)| {
                matches!(role, Role::Rook | Role::Horse | Role::Cannon | Role::Pawn)
                    && is_across(side, *p)
                    && wing.contains(&p.0)
            };
            self.pieces(side).iter().filter(|one| is_one(one)).count()
        };
        BTreeMap::from([
            ("pawns hand in hand", crossed.iter().filter(|p| crossed.contains(&(p.0 + 1, p.1))).count()),
            ("linked horses", linked(Role::Horse)),
            ("cannon behind cannon", linked(Role::Cannon)),
            ("twin rooks", linked(Role::Rook)),
            ("rook on palace file", own(Role::Rook).iter().filter(|rook| palace_file(rook)).count()),
            ("pinned pieces", self.pins(side, king)),
            ("hollow cannon", own(Role::Cannon).into_iter().filter(|&p| behind(p, 0)).count()),
            ("central cannon", own(Role::Cannon).into_iter().filter(|&p| p.0 == 4 && behind(p, 2)).count()),
            ("bottom cannon", own(Role::Cannon).iter().filter(bottom).count()),
            ("pieces massed on a wing", across(0..=3).max(across(5..=8)).saturating_sub(2)),
            ("rooks, advisors missing", rooks * missing(Role::Advisor)),
            ("horses, advisors missing", horses * missing(Role::Advisor)),
            ("cannons, elephants missing", cannons * missing(Role::Elephant)),
            ("king raised", (rooks + horses + cannons) * raised),
            ("palace reached by rooks", on_palace(Role::Rook)),
            ("palace reached by horses", on_palace(Role::Horse)),
            ("palace reached by cannons", on_palace(Role::Cannon)),
            ("palace reached by pawns", on_palace(Role::Pawn)),
            ("king without a step", usize::from(!self.has_step(them, king))),
        ])
    }

    /// Rooks with one piece and cannons with two between them and `king`, a heavy one of the king's side among these.
    fn pins(&self, side: Side, king: Point) -> usize {
        let is_heavy =
            |piece: &Piece| piece.side() != side && matches!(piece.role(), Role::Rook | Role::Horse | Role::Cannon);
        let is_pin = |role: Role, from: Point| {
            let wanted = if role == Role::Rook { 1 } else { 2 };
            let is_line = matches!(role, Role::Rook | Role::Cannon);
            is_line
                && self.between(king, from).is_some_and(|pieces| pieces.len() == wanted && pieces.iter().any(is_heavy))
        };
        self.pieces(side).into_iter().filter(|&(role, from)| is_pin(role, from)).count()
    }

    /// Whether the king of `side` could step where no own piece stands and the opponent does not attack.
    fn has_step(&self, side: Side, king: Point) -> bool {
        let is_free = |&p: &Point| {
            self.at(p).is_none_or(|piece| piece.side() != side) && self.attackers(side.other(), p).is_empty()
        };
        self.reach(king).iter().any(is_free)
    }

    /// The signs of threats of `side`.
    fn threats(&self, side: Side) -> BTreeMap<String, usize> {
        let them = side.other();
        let suffix = if self.turn == side { "" } else { ", waiting" };
        let mut counts = BTreeMap::new();
        let mut add = |name: String| *counts.entry(name).or_default() += 1;
        for (role, p) in self.pieces(them).into_iter().filter(|one| one.0 != Role::King) {
            let attackers = self.attackers(side, p);
            let is_guarded = !self.attackers(them, p).is_empty();
            let lesser: &[Role] = match role {
                Role::Rook => &[Role::Pawn, Role::Advisor, Role::Elephant, Role::Horse, Role::Cannon],
                Role::Horse | Role::Cannon => &[Role::Pawn, Role::Advisor, Role::Elephant],
                _ => &[],
            };
            if is_guarded && attackers.iter().any(|attacker| lesser.contains(attacker)) {
                add(format!("attacked by lesser{suffix}"));
            }
            if !is_guarded && !attackers.is_empty() {
                add(format!("loose {}s{suffix}", role.name()));
            }
        }
        for (role, p) in self.pieces(side) {
            let is_counted =
                matches!(role, Role::Rook | Role::Horse | Role::Cannon) || (role == Role::Pawn && is_across(side, p));
            if is_counted && !self.attackers(side, p).is_empty() {
                add(format!("guarded {}s", role.name()));
            }
        }
        counts
    }

    /// e1, e2 and e3 of `side`.
    fn placed(&self, side: Side, parameters: &Parameters) -> [i32; 3] {
        let mut sums = [0; 3];
        for (role, p) in self.pieces(side) {
            let open = self.reach(p).into_iter().filter(|&to| self.at(to).is_none_or(|piece| piece.side() != side));
            sums[0] += PIECE_VALUES[role as usize];
            sums[1] += parameters.tables.points(role as usize, side, (p.1 * 9 + p.0) as usize);
            sums[2] += MOBILITY_VALUES[role as usize] * open.count() as i32;
        }
        sums
    }
}

fn assert_equals_plain_reading(position: &Xiangqi) {
    let (board, parameters) = (Board::of(position), Parameters::fitted());
    let shares = Traditional::default().explain(position);
    let counts = Traditional::signs(position);
    for side in [Side::First, Side::Second] {
        let of = |index: usize| if side == Side::First { shares[index].red } else { shares[index].black };
        assert_eq!([0, 1, 2].map(of), board.placed(side, &parameters), "{position:?}");
        let (signs, threats) = (board.signs(side), board.threats(side));
        let mut worth = [0; 6];
        for &sign in Sign::ALL {
            let found = counts[side.index()].get(sign);
            let plain = signs.get(sign.name()).or_else(|| threats.get(sign.name())).copied().unwrap_or(0);
            assert_eq!(found as usize, plain, "{} of {side:?} in {position:?}", sign.name());
            worth[sign.term() as usize] += i32::from(parameters.weights.get(sign)) * plain as i32;
        }
        assert_eq!([3, 4, 5].map(of), [worth[3], worth[4], worth[5]], "{position:?}");
    }
    let sum: i32 = shares.iter().map(|share| share.lead()).sum();
    assert_eq!(Traditional::default().evaluate(position), position.side_to_move().sign() * sum);
}

#[test]
fn the_plain_reading_knows_every_sign() {
    let board = Board::of(&Xiangqi::start());
    let named = board.signs(Side::First).len();
    assert_eq!(named, Sign::ALL.iter().filter(|sign| sign.term() != Term::Threats).count());
}

#[test]
fn the_initial_position_is_even() {
    let shares = Traditional::default().explain(&Xiangqi::start());
    // Threats depend on the turn; but nothing is loose here, and the cannons attack horses that rooks protect.
    assert!(shares.iter().all(|share| share.lead() == 0), "{shares:?}");
}

#[test]
fn evaluation_equals_a_plain_reading_of_real_games() {
    let (records, _) = supplied::games::<Xiangqi>().unwrap().unwrap();
    let mut ply = 0;
    records.iter().step_by(400).for_each(|record| {
        record.replay(|position, _| {
            ply += 1;
            if ply % 3 == 0 {
                assert_equals_plain_reading(position);
            }
        });
    });
}

/// The position after some random moves.
fn scattered(seed: u64, plies: usize) -> Xiangqi {
    let mut position = Xiangqi::start();
    random_moves(&mut position, plies, &mut random::stream(seed, "evaluation", 0), |_| {});
    position
}

/// The position turned by half a circle with the colours, and the turn, exchanged.
fn turned(position: &Xiangqi) -> Xiangqi {
    let notation = position.notation();
    let mut fields = notation.split(' ');
    let swap = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let board: String = fields.next().unwrap().chars().rev().map(swap).collect();
    let turn = if fields.next() == Some("w") { 'b' } else { 'w' };
    Xiangqi::from_notation(&format!("{board} {turn}")).unwrap()
}

/// The position with left and right exchanged.
fn mirrored(position: &Xiangqi) -> Xiangqi {
    Xiangqi::from_notation(&mirrored_board(&position.notation())).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn evaluation_equals_a_plain_reading_of_random_positions(seed: u64, plies in 0_usize..300) {
        assert_equals_plain_reading(&scattered(seed, plies));
    }

    #[test]
    fn colours_and_wings_are_treated_alike_by_every_term(seed: u64, plies in 0_usize..300) {
        let position = scattered(seed, plies);
        let evaluator = Traditional::default();
        let (shares, others, mirror) =
            (evaluator.explain(&position), evaluator.explain(&turned(&position)), evaluator.explain(&mirrored(&position)));
        for ((share, turned), mirrored) in shares.iter().zip(others).zip(&mirror) {
            prop_assert_eq!((share.red, share.black), (turned.black, turned.red), "{:?} in {:?}", share.term, position);
            prop_assert_eq!(share, mirrored, "{:?}", position);
        }
    }

    #[test]
    fn terms_add_up_and_can_be_left_out(seed: u64, plies in 0_usize..200, bits in 0_u8..64) {
        let position = scattered(seed, plies);
        let chosen: Vec<Term> = Term::ALL.into_iter().filter(|&term| bits >> term as u8 & 1 == 1).collect();
        let all = Traditional::default().explain(&position);
        let sum: i32 = all.iter().filter(|share| chosen.contains(&share.term)).map(|share| share.lead()).sum();
        let mut evaluator = Traditional::new(Terms::of(&chosen), &Parameters::fitted());
        prop_assert_eq!(evaluator.evaluate(&position), position.side_to_move().sign() * sum);
    }
}

#[test]
fn evaluators_are_told_apart_by_their_terms() {
    let text = |name: &str| Xiangqi::identity(name).unwrap();
    assert_ne!(text("traditional"), text("traditional:e1"));
    assert_eq!(text("traditional"), text("traditional:e1+e2+e3+e4+e5"));
    assert_eq!(text("traditional.net"), None);
    let mut material = Xiangqi::evaluator_factory("traditional:material").unwrap()();
    let position = Xiangqi::from_notation("4k4/9/9/9/9/9/9/9/7R1/3K5 b").unwrap();
    assert_eq!(material.evaluate(&position), -600);
    let error = Xiangqi::evaluator_factory("traditional:e1+e9").err().unwrap();
    assert_eq!(error.to_string(), "evaluator `traditional:e1+e9`");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.starts_with("unknown term `e9` in `e1+e9`: expected `material` (e1), `position` (e2)"), "{cause}");
}

#[test]
fn a_fit_finds_that_pieces_are_worth_something_and_writes_what_it_can_read() {
    let (records, _) = supplied::games::<Xiangqi>().unwrap().unwrap();
    let settings = FitSettings { step: 12, max_iterations: 20, ..FitSettings::default() };
    let fitted = position_tables::fit(&records[..150], &settings).unwrap();
    assert!(fitted.material[3] > fitted.material[5] && fitted.material[5] > 0.0, "{:?}", fitted.material);
    let weights = &fitted.parameters.weights;
    assert_eq!(weights_from_json(&weights_to_json(weights)).unwrap(), *weights);
    let loss = |terms| position_tables::log_loss(&records[..150], &settings, terms, &fitted.parameters).unwrap();
    assert!(loss(Terms::ALL) < loss(Terms::of(&[Term::Material])) && loss(Terms::of(&[Term::Material])) < 0.693);
}

#[test]
fn a_fit_leaves_terms_out() {
    let (records, _) = supplied::games::<Xiangqi>().unwrap().unwrap();
    let terms: Terms = "e1+e2".parse().unwrap();
    let settings = FitSettings { step: 20, max_iterations: 5, terms, ..FitSettings::default() };
    let weights = position_tables::fit(&records[..100], &settings).unwrap().parameters.weights;
    let is_fixed = |sign: &&Sign| **sign != Sign::HandInHand;
    assert!(Sign::ALL.iter().filter(is_fixed).all(|&sign| weights.get(sign) == 0));
}
