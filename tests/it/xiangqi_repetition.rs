//! Verdicts on repetitions: the cases of the rule book, turned and mirrored; the laws that any verdict keeps; and a slow judge
//! that follows `docs/xiangqi-rules.md` on the board matrix, forwards and piece by piece.

use std::collections::{BTreeMap, BTreeSet};

use roughboard::game::playout::random_moves;
use roughboard::game::{End, Game, Notation, Outcome, SearchHints, Side};
use roughboard::games::xiangqi::{Move, Piece, Role, SQUARES, Xiangqi, file_of, rank_of, reference};
use roughboard::random::stream;
use roughboard::suite::xiangqi_verdicts::verdict;
use serde_json::Value;

use crate::book::mirrored_board;

type Board = [u8; SQUARES];

/// A case of the data: a position, the moves made from it, and the verdict at their end.
#[derive(Clone)]
struct Case {
    id: String,
    fen: String,
    moves: Vec<Move>,
    verdict: String,
}

impl Case {
    fn read(case: &Value) -> Option<Self> {
        let verdict = ["roughboard", "expected", "expected_wxf"].iter().find_map(|key| case[key].as_str())?;
        let moves =
            case["moves_iccs"].as_array()?.iter().map(|text| Move::parse(text.as_str()?)).collect::<Option<_>>()?;
        Some(Self {
            id: case["id"].as_str()?.into(),
            fen: case["fen"].as_str()?.into(),
            moves,
            verdict: verdict.into(),
        })
    }

    fn setup(&self) -> Xiangqi {
        Xiangqi::from_notation(&self.fen).unwrap()
    }

    /// The game after the first `plies` moves.
    fn played(&self, plies: usize) -> Xiangqi {
        let mut game = self.setup();
        self.moves[..plies].iter().for_each(|&mv| game.play(game.parse_move(&mv.to_string()).unwrap()));
        game
    }

    /// The length of the cycle that the moves end with, if the case ends with one and it is the same twice.
    fn period(&self) -> Option<usize> {
        let end = self.moves.len();
        let key = |plies| self.played(plies).key();
        let period = (2..end).step_by(2).find(|back| key(end - back) == key(end))?;
        (2 * period <= end && self.moves[end - period..] == self.moves[end - 2 * period..end - period])
            .then_some(period)
    }
}

/// Cycles, among many random ones, whose verdict turns on the move before a chase by loss of protection: whether there was a
/// threat to answer.
const ANSWERS: [(&str, &str, &str); 3] = [
    ("3a5/4kn1N1/7c1/8R/9/9/9/6R2/6r2/5K3 w - - 0 1", "g2f2 f8g6 f2g2 g6f8", "draw"),
    ("1R4n2/5k3/9/2C6/1r7/2N1n1c2/9/3A5/1c2K4/9 w - - 0 1", "c6d6 b5c5 d6c6 c5b5", "red-wins"),
    ("C5n2/4k4/r8/P3P2c1/9/9/5C3/3K5/9/9 w - - 0 1", "f3f9 a7e7 f9f3 e7a7", "draw"),
];

fn cases() -> Vec<Case> {
    let texts = [include_str!("../data/xiangqi_repetition.json"), include_str!("../data/xiangqi_rules.json")];
    let documents = texts.map(|text| serde_json::from_str::<Value>(text).unwrap());
    let of_documents = documents.iter().flat_map(|document| document["cases"].as_array().unwrap());
    let answers = ANSWERS.iter().map(|&(fen, cycle, verdict)| Case {
        id: cycle.into(),
        fen: fen.into(),
        moves: cycle.split(' ').cycle().take(8).map(|mv| Move::parse(mv).unwrap()).collect(),
        verdict: verdict.into(),
    });
    of_documents.map(|case| Case::read(case).unwrap()).chain(answers).collect()
}

fn cycles() -> Vec<(Case, usize)> {
    cases().into_iter().filter_map(|case| case.period().map(|period| (case, period))).collect()
}

/// The case seen in a mirror: files reversed.
fn mirrored(case: &Case) -> Case {
    let mirror = |square| square - file_of(square) + 8 - file_of(square);
    let moves = case.moves.iter().map(|mv| Move::new(mirror(mv.from()), mirror(mv.to()))).collect();
    Case { fen: mirrored_board(&case.fen), moves, ..case.clone() }
}

/// The case with colours exchanged: ranks reversed, the other side to move and to win.
fn turned(case: &Case) -> Case {
    let (board, rest) = case.fen.split_once(' ').unwrap();
    let other_case = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let ranks: Vec<String> = board.split('/').rev().map(|rank| rank.chars().map(other_case).collect()).collect();
    let rest = if rest.starts_with('w') { rest.replacen('w', "b", 1) } else { rest.replacen('b', "w", 1) };
    let turn = |square| (9 - rank_of(square)) * 9 + file_of(square);
    let moves = case.moves.iter().map(|mv| Move::new(turn(mv.from()), turn(mv.to()))).collect();
    let verdict = match case.verdict.as_str() {
        "red-wins" => "black-wins".to_owned(),
        "black-wins" => "red-wins".to_owned(),
        same => same.to_owned(),
    };
    Case { id: case.id.clone(), fen: format!("{} {rest}", ranks.join("/")), moves, verdict }
}

#[test]
fn every_case_is_judged_as_written_from_both_sides_and_in_the_mirror() {
    for case in cases() {
        for (view, case) in [("as it is", case.clone()), ("mirrored", mirrored(&case)), ("turned", turned(&case))] {
            assert_eq!(verdict(case.played(case.moves.len()).end()), case.verdict, "{} {view}", case.id);
        }
    }
}

#[test]
fn the_verdict_is_the_same_wherever_the_cycle_is_entered() {
    let cycles = cycles();
    assert!(cycles.len() > 190, "{}", cycles.len());
    for (case, period) in cycles {
        let mut game = case.played(case.moves.len());
        let end = game.end();
        for &mv in &case.moves[case.moves.len() - period..] {
            game.play(mv);
            assert_eq!(game.end(), end, "{} after {mv}", case.id);
        }
    }
}

#[test]
fn a_cycle_that_has_closed_once_is_judged_as_if_it_went_on() {
    for (case, period) in cycles() {
        let end = case.moves.len();
        let once = case.played(end - period);
        assert_eq!(once.cycle_end(period), case.played(end).end(), "{}", case.id);
        assert_eq!(once.cycle_end(usize::MAX), once.cycle_end(period), "{}", case.id);
        assert_eq!(once.cycle_end(period - 1), None, "{}", case.id);
    }
}

#[test]
fn a_pass_or_a_capture_breaks_the_cycle() {
    let mut game = Xiangqi::start();
    for text in ["h0g2", "h9g7", "g2h0", "g7h9"] {
        assert_eq!(game.cycle_end(usize::MAX), None);
        game.play(game.parse_move(text).unwrap());
    }
    assert_eq!(game.cycle_end(4), Some(End { outcome: Outcome::Draw, reason: "repetition" }));
    assert_eq!(game.cycle_end(3), None);
    let there_and_back = |game: &mut Xiangqi, texts: [&str; 4]| {
        texts.iter().for_each(|text| game.play(game.parse_move(text).unwrap()));
    };
    assert!(game.pass());
    assert!(game.pass());
    assert_eq!(game.cycle_end(usize::MAX), None);
    there_and_back(&mut game, ["b0c2", "b9c7", "c2b0", "c7b9"]);
    assert!(game.cycle_end(usize::MAX).is_some());
    assert_eq!(game.end_by_history(), None, "only two occurrences after the passes");
}

#[test]
fn the_slow_judge_agrees_on_every_case() {
    let mut reasons = BTreeMap::new();
    for (case, period) in cycles() {
        let judged = case.played(case.moves.len()).end().unwrap();
        let cycle = &case.moves[case.moves.len() - period..];
        let start = *case.played(case.moves.len() - period).board();
        let side = case.played(case.moves.len() - period).side_to_move();
        assert_eq!(judged, slow_judge(start, side, cycle), "{}", case.id);
        *reasons.entry(judged.reason).or_insert(0) += 1;
    }
    let told: Vec<_> = reasons.keys().copied().collect();
    let all = ["mutual perpetual chase", "mutual perpetual check", "perpetual chase", "perpetual check", "repetition"];
    assert_eq!(told, all);
}

#[test]
fn the_slow_judge_agrees_on_shuffles_of_random_games() {
    let mut compared = BTreeMap::new();
    for number in 0..48 {
        let mut game = Xiangqi::start();
        let plies = 60 + 5 * number as usize;
        random_moves(&mut game, plies, &mut stream(3, "repetition", number), |_| {});
        compare_shuffles(&game, &mut compared);
    }
    for (reason, least) in [("perpetual check", 5), ("perpetual chase", 40), ("repetition", 300)] {
        assert!(compared.get(reason).is_some_and(|&count| count >= least), "{compared:?}");
    }
}

/// Compares the verdicts on cycles in which each side moves a piece there and back: those that break a rule, and as many
/// that do not.
fn compare_shuffles(game: &Xiangqi, compared: &mut BTreeMap<&'static str, usize>) {
    let (mut seen, mut left_over) = (BTreeMap::<_, usize>::new(), 0);
    for cycle in shuffles(game) {
        let mut repeated = Xiangqi::from_notation(&game.notation()).unwrap();
        cycle.iter().cycle().take(2 * cycle.len()).for_each(|&mv| repeated.play(mv));
        let Some(judged) = repeated.end_by_history().filter(|end| end.reason != "insufficient material") else {
            return;
        };
        let of_this_kind = seen.entry(judged.reason).or_default();
        *of_this_kind += 1;
        left_over += 1;
        // All of a kind are much alike: the first few, and then every hundredth cycle.
        if *of_this_kind <= 6 || left_over % 100 == 0 {
            let slow = slow_judge(*game.board(), game.side_to_move(), &cycle);
            assert_eq!(judged, slow, "{cycle:?} from {}", game.notation());
            *compared.entry(judged.reason).or_default() += 1;
        }
    }
}

fn shuffles(game: &Xiangqi) -> Vec<[Move; 4]> {
    let back = |mv: Move| Move::new(mv.to(), mv.from());
    let quiet = |game: &Xiangqi| {
        let mut moves = Vec::new();
        game.quiet_moves(&mut moves);
        moves
    };
    let mut game = game.clone();
    let mut cycles = Vec::new();
    for first in quiet(&game) {
        game.play(first);
        for second in quiet(&game) {
            let cycle = [first, second, back(first), back(second)];
            if is_playable(&game, &cycle[1..]) {
                cycles.push(cycle);
            }
        }
        game.undo();
    }
    cycles
}

fn is_playable(game: &Xiangqi, moves: &[Move]) -> bool {
    let mut game = game.clone();
    moves.iter().all(|mv| {
        let legal = game.parse_move(&mv.to_string()).is_ok();
        if legal {
            game.play(*mv);
        }
        legal
    })
}

/// A ply of a cycle: the board before it, who moves, and the move.
#[derive(Clone, Copy)]
struct Ply {
    before: Board,
    side: Side,
    mv: Move,
}

/// The slow judge: plays the cycle forwards and follows every piece by the point where it stood at first.
fn slow_judge(start: Board, first: Side, cycle: &[Move]) -> End {
    let mut plies = Vec::new();
    let (mut board, mut side) = (start, first);
    for &mv in cycle {
        plies.push(Ply { before: board, side, mv });
        board = made(&board, mv);
        side = side.other();
    }
    let offences = [Side::First, Side::Second].map(|side| {
        let checks = plies.iter().filter(|ply| ply.side == side).all(gives_check);
        (checks, !always_chased(&plies, side).is_empty())
    });
    let (outcome, reason) = match offences {
        [(true, _), (true, _)] => (Outcome::Draw, "mutual perpetual check"),
        [(true, _), _] => (Outcome::Win(Side::Second), "perpetual check"),
        [_, (true, _)] => (Outcome::Win(Side::First), "perpetual check"),
        [(_, true), (_, true)] => (Outcome::Draw, "mutual perpetual chase"),
        [(_, true), _] => (Outcome::Win(Side::Second), "perpetual chase"),
        [_, (_, true)] => (Outcome::Win(Side::First), "perpetual chase"),
        _ => (Outcome::Draw, "repetition"),
    };
    End { outcome, reason }
}

/// The first points of the pieces that `side` chases with every move.
fn always_chased(plies: &[Ply], side: Side) -> BTreeSet<usize> {
    let mut first_points: [usize; SQUARES] = std::array::from_fn(|square| square);
    let mut always: BTreeSet<usize> = (0..SQUARES).collect();
    for (at, ply) in plies.iter().enumerate() {
        first_points[ply.mv.to()] = first_points[ply.mv.from()];
        if ply.side == side {
            let previous = plies[(at + plies.len() - 1) % plies.len()];
            let answers = reference::in_check(&ply.before, side) || chased(&previous, true).next().is_some();
            let chased: BTreeSet<_> = chased(ply, answers).map(|square| first_points[square]).collect();
            always = always.intersection(&chased).copied().collect();
        }
    }
    always
}

fn made(board: &Board, mv: Move) -> Board {
    let mut after = *board;
    after[mv.to()] = after[mv.from()];
    after[mv.from()] = 0;
    after
}

fn gives_check(ply: &Ply) -> bool {
    reference::in_check(&made(&ply.before, ply.mv), ply.side.other())
}

/// The points, after the ply, of the pieces that it chases; those that only lost their protection not if it `answers` a threat.
fn chased(ply: &Ply, answers: bool) -> impl Iterator<Item = usize> {
    let Ply { before, side, mv } = *ply;
    let after = made(&before, mv);
    let captures = if gives_check(ply) { Vec::new() } else { reference::legal_moves(&after, side) };
    let is_new = move |capture: &Move| {
        let from = if capture.from() == mv.to() { mv.from() } else { capture.from() };
        let earlier = Move::new(from, capture.to());
        let stood = reference::pseudo_legal_moves(&before, side).contains(&earlier)
            && (reference::in_check(&before, side) || reference::legal_moves(&before, side).contains(&earlier));
        let pinned = !unanswered(&after, side, *capture, reference::pseudo_legal_moves);
        !stood || !is_threat(&before, side, earlier) && (pinned || !answers)
    };
    let threats =
        captures.into_iter().filter(move |&capture| is_prey(&after, side, capture) && is_threat(&after, side, capture));
    threats.filter(is_new).map(Move::to)
}

fn role(board: &Board, square: usize) -> Option<Role> {
    Piece::from_code(board[square]).map(Piece::role)
}

/// Whether the move is a capture by a piece that can chase of a piece that can be chased.
fn is_prey(board: &Board, side: Side, mv: Move) -> bool {
    let own_half = if side == Side::First { rank_of(mv.to()) >= 5 } else { rank_of(mv.to()) <= 4 };
    let chaser = !matches!(role(board, mv.from()), Some(Role::King | Role::Pawn));
    chaser
        && match role(board, mv.to()) {
            None | Some(Role::King) => false,
            Some(Role::Pawn) => !own_half,
            Some(_) => true,
        }
}

fn is_threat(board: &Board, side: Side, capture: Move) -> bool {
    use Role::{Advisor, Cannon, Elephant, Horse, Rook};
    let gain = matches!(
        (role(board, capture.from()), role(board, capture.to())),
        (Some(Horse | Cannon), Some(Rook)) | (Some(Advisor | Elephant), Some(Rook | Horse | Cannon))
    );
    gain || unanswered(board, side, capture, reference::legal_moves)
}

/// Whether no move among `moves` takes back, or takes the attacker of a piece of its own role first.
fn unanswered(board: &Board, side: Side, capture: Move, moves: fn(&Board, Side) -> Vec<Move>) -> bool {
    let taken_back = moves(&made(board, capture), side.other()).iter().any(|mv| mv.to() == capture.to());
    let exchange = Move::new(capture.to(), capture.from());
    let offered =
        role(board, capture.from()) == role(board, capture.to()) && moves(board, side.other()).contains(&exchange);
    !taken_back && !offered
}
