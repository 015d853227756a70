//! Endings: retrograde analysis against the rules and against plain search, and what is claimed against what is exact.

use rand::RngExt;
use roughboard::eval::{Catalogue, Evaluator, Score};
use roughboard::game::{Game, Notation, Outcome, Side};
use roughboard::games::xiangqi::endings::{Ending, Material, Solver, Survey, Value, exact, is_settled, known};
use roughboard::games::xiangqi::{FILES, Piece, RANKS, Role, SQUARES, Xiangqi};
use roughboard::random::{Stream, stream};
use roughboard::search::{AlphaBeta, Leaf, Limits, Quiescence, SearchSettings, WIN, minimax};

use crate::command::roughboard;

const TABLE: &str = include_str!("../../datasets/xiangqi-endings/endings.json");

/// The material that the tests sample: small, and with every role and both kinds of result.
const SAMPLED: [&str; 11] =
    ["KR KAA", "KN KA", "KN KAB", "KP KA", "KP KP", "KC KAA", "KCA KA", "KPA KB", "KN KP", "KC KP", "KA KB"];

/// Knows nothing, so that only ends of the game count.
struct Blank;

impl Evaluator<Xiangqi> for Blank {
    fn evaluate(&mut self, _position: &Xiangqi) -> Score {
        0
    }

    fn expected_result(&self, _score: Score) -> f64 {
        0.0
    }
}

/// The position with these pieces and `turn` to move, if it is one.
fn position(pieces: &[(usize, Piece)], turn: char) -> Option<Xiangqi> {
    let mut board = [None; SQUARES];
    for &(square, piece) in pieces {
        if board[square].replace(piece).is_some() {
            return None;
        }
    }
    let rank = |rank: usize| -> String {
        let points = &board[rank * FILES..][..FILES];
        points.iter().map(|point| point.map_or('1', |piece| piece.letter())).collect()
    };
    let ranks: Vec<String> = (0..RANKS).rev().map(rank).collect();
    Xiangqi::from_notation(&format!("{} {turn}", ranks.join("/"))).ok()
}

/// A point for `piece`: near enough to those where it may stand that random positions are found soon.
fn random_point(piece: Piece, random: &mut Stream) -> usize {
    let back = |rank: usize| if piece.side() == Side::First { rank } else { RANKS - 1 - rank };
    match piece.role() {
        Role::King | Role::Advisor => back(random.random_range(0..3)) * FILES + random.random_range(3..6),
        Role::Elephant => back(2 * random.random_range(0..3)) * FILES + 2 * random.random_range(0..5),
        _ => random.random_range(0..SQUARES),
    }
}

/// A random position of `material`, or of the same with the sides exchanged.
fn random_position(material: Material, random: &mut Stream) -> Xiangqi {
    let material = if random.random() { material } else { material.swapped() };
    loop {
        let pieces: Vec<_> = material.pieces().into_iter().map(|piece| (random_point(piece, random), piece)).collect();
        if let Some(game) = position(&pieces, if random.random() { 'w' } else { 'b' }) {
            return game;
        }
    }
}

/// Calls `check` with random positions of each sampled material and their exact values.
fn sample(per_material: usize, mut check: impl FnMut(&mut Xiangqi, Value, &mut Solver)) {
    for (text, index) in SAMPLED.iter().zip(0..) {
        let (mut solver, mut random) = (Solver::new(), stream(3, "endings", index));
        let mut checked = 0;
        while checked < per_material {
            let mut game = random_position(text.parse().unwrap(), &mut random);
            // Pawns where play cannot have put them have no value.
            if let Some(value) = exact(&game, &mut solver).unwrap() {
                check(&mut game, value, &mut solver);
                checked += 1;
            }
        }
    }
}

/// The value that the values after each move give.
fn value_by_moves(game: &mut Xiangqi, solver: &mut Solver) -> Value {
    let moves = game.moves();
    let (mut won, mut lost, mut drawn) = (None, Some(0), false);
    for mv in moves {
        game.play(mv);
        match exact(game, solver).unwrap().unwrap() {
            Value::Lost(plies) => won = Some(won.map_or(plies + 1, |least: u16| least.min(plies + 1))),
            Value::Won(plies) => lost = lost.max(Some(plies + 1)),
            Value::Drawn => drawn = true,
        }
        game.undo();
    }
    match won {
        Some(plies) => Value::Won(plies),
        None if drawn => Value::Drawn,
        None => Value::Lost(lost.unwrap()),
    }
}

/// With distances that fit at every position, wins and losses are proved by induction, and a drawn position always has a
/// move to another one.
#[test]
fn values_follow_from_the_values_after_each_move() {
    sample(300, |game, value, solver| assert_eq!(value_by_moves(game, solver), value, "{game:?}"));
}

/// Plain search sees an end one ply after it has come.
#[test]
fn plain_search_finds_the_same_ends_at_the_same_depth() {
    const DEPTH: u16 = 4;
    let mut ends = 0;
    sample(100, |game, value, _| {
        let mut score = |depth: u16| minimax(game, &mut Blank, u32::from(depth), Leaf::Static).score;
        let (plies, expected) = match value {
            Value::Won(plies) => (plies, WIN - Score::from(plies)),
            Value::Lost(plies) => (plies, Score::from(plies) - WIN),
            Value::Drawn => (DEPTH, 0),
        };
        if plies >= DEPTH {
            assert_eq!(score(DEPTH), 0, "{value:?}");
            return;
        }
        assert_eq!((score(plies), score(plies + 1)), (0, expected), "{value:?}");
        ends += 1;
    });
    assert!(ends > 20, "{ends}");
}

#[test]
fn what_is_known_is_true() {
    let (mut wins, mut unsettled, mut draws) = (0, 0, 0);
    sample(400, |game, value, _| {
        let side = game.side_to_move();
        match known(game) {
            Some(Ending::Win(winner)) => {
                let expected =
                    if winner == side { matches!(value, Value::Won(_)) } else { matches!(value, Value::Lost(_)) };
                assert!(expected, "{game:?} is {value:?}");
                (wins, unsettled) = (wins + 1, unsettled + usize::from(!is_settled(game)));
            }
            Some(Ending::Draw) => {
                assert!(value == Value::Drawn && is_settled(game), "{game:?} is {value:?}");
                draws += 1;
            }
            Some(Ending::Drawish { scale, .. }) => assert!(scale <= 32),
            None => {}
        }
    });
    assert!(wins > 200 && unsettled > 100 && draws > 200, "{wins} won, {unsettled} not settled, {draws} drawn");
}

#[test]
fn a_share_is_taken_off_the_lead_of_either_side_alike() {
    let mut evaluator = Xiangqi::evaluator_factory("traditional+endings").unwrap()();
    let (mut alike, mut drawish) = (0, 0);
    sample(60, |game, _, _| {
        let exchanged = game.exchanged();
        assert_eq!(evaluator.evaluate(game), evaluator.evaluate(&exchanged), "{game:?}");
        if let Some(Ending::Drawish { strong, .. }) = known(game) {
            drawish += 1;
            alike += usize::from(strong.is_none());
        }
    });
    assert!(alike > 0 && drawish > alike, "{alike} of {drawish}");
    let knights = Xiangqi::from_notation("5k3/9/9/4N4/9/9/9/8n/9/3K5 w").unwrap();
    assert!(matches!(known(&knights), Some(Ending::Drawish { strong: None, .. })), "{:?}", known(&knights));
}

#[test]
fn a_win_too_late_for_the_rule_of_quiet_plies_is_not_claimed() {
    let board = "3k5/9/9/9/9/9/9/9/N8/4K4";
    let game = |quiet: u32| Xiangqi::from_notation(&format!("{board} w - - {quiet} 60")).unwrap();
    assert_eq!(known(&game(0)), Some(Ending::Win(Side::First)));
    for quiet in [119, 65_533, 65_535] {
        assert_eq!(known(&game(quiet)), None, "{quiet}");
    }
    assert_eq!(known(&Xiangqi::start()), None);
}

/// What quiescence was asked before says nothing of the same board under another count of quiet plies.
#[test]
fn quiescence_remembers_no_win_that_would_come_too_late() {
    let mut quiescence = Quiescence::new(Xiangqi::evaluator_factory("traditional+endings").unwrap()());
    let mut value = |quiet: u32| {
        let fen = format!("3k5/9/9/9/9/9/9/9/N8/4K4 w - - {quiet} 60");
        quiescence.value(&mut Xiangqi::from_notation(&fen).unwrap())
    };
    let [early, late] = [0, 119].map(&mut value);
    assert!(early > 100_000 && late < 1000, "{early}, {late}");
    assert_eq!([119, 0].map(value), [late, early]);
}

/// Stalemate, which ends a known win, is not passed over for another known win.
#[test]
fn a_stalemate_that_wins_is_made_at_any_depth() {
    let mut evaluator = Xiangqi::evaluator_factory("traditional+endings").unwrap()();
    for depth in 1..=4 {
        let mut game = Xiangqi::from_notation("4k4/9/9/4N4/9/9/9/9/9/5K3 w").unwrap();
        let mut search = AlphaBeta::new(SearchSettings::of_game::<Xiangqi>());
        let found = search.search(&mut game, &mut *evaluator, Limits::to_depth(depth).unwrap());
        game.play(found.best.unwrap());
        assert_eq!(game.end().map(|end| end.reason), Some("stalemate"), "depth {depth}: {found:?}");
    }
}

/// The side to move wins these, of which `known` says so at every move, and is not content with standing better.
#[test]
fn known_wins_are_won_at_little_depth() {
    let (limits, mut random) = (Limits::to_depth(6).unwrap(), stream(5, "endings", 0));
    for text in ["KR KBB", "KR KBB", "KR KAA", "KN KA"] {
        let is_begin = |game: &Xiangqi| {
            let strong = known(game) == Some(Ending::Win(game.side_to_move()));
            strong && game.count_legal_moves() > 0 && Material::of(game).pieces().len() == text.len() - 1
        };
        let mut game =
            std::iter::repeat_with(|| random_position(text.parse().unwrap(), &mut random)).find(is_begin).unwrap();
        let winner = game.side_to_move();
        let mut players = ["rough+endings", "traditional"].map(|name| {
            let evaluator = Xiangqi::evaluator_factory(name).unwrap()();
            (AlphaBeta::new(SearchSettings::of_game::<Xiangqi>()), evaluator)
        });
        let mut plies = 0;
        while game.end().is_none() && plies < 100 {
            let (search, evaluator) = &mut players[plies % 2];
            let found = search.search(&mut game, &mut **evaluator, limits);
            game.play(found.best.unwrap());
            plies += 1;
        }
        assert_eq!(game.end().map(|end| end.outcome), Some(Outcome::Win(winner)), "{text}: {game:?}");
    }
}

#[test]
fn the_committed_surveys_are_what_the_solver_finds() {
    let document: serde_json::Value = serde_json::from_str(TABLE).unwrap();
    let surveys: Vec<Survey> = serde_json::from_value(document["endings"].clone()).unwrap();
    assert!(surveys.len() > 60);
    for text in ["K K", "KP K", "KN KAA", "KR KAA", "KPA KA", "KC KP"] {
        let found = Survey::of(text.parse().unwrap(), &mut Solver::new()).unwrap();
        assert!(surveys.contains(&found), "{found:?}");
    }
}

#[test]
fn material_is_read_and_written() {
    let material: Material = "KAAR KHE".parse().unwrap();
    assert_eq!((material.to_string(), material.swapped().to_string()), ("KRAA KNB".into(), "KNB KRAA".into()));
    assert_eq!(material.swapped().canonical(), material);
    assert_eq!(Material::of(&Xiangqi::start()).to_string(), "KRRCCNNPPPPPAABB KRRCCNNPPPPPAABB");
    for wrong in ["", "KR", "R K", "KR KX", "KRRR K", "KK K"] {
        assert!(wrong.parse::<Material>().is_err(), "{wrong}");
    }
}

#[test]
fn endings_are_solved_and_shown() {
    let solved = roughboard(&["endings", "solve", "K", "KN", "--json"]).ended(0).json();
    assert_eq!((&solved["material"], &solved["settled"][0]), (&"KN K".into(), &serde_json::json!([4428, 0, 0])));
    let fen = "3k5/9/9/9/9/9/9/9/N8/4K4 w";
    let shown = roughboard(&["endings", "show", "--fen", fen, "--exact", "--json"]).ended(0).json();
    assert_eq!((&shown["known"], &shown["settled"]), (&"red wins".into(), &true.into()));
    assert!(shown["exact"].as_str().unwrap().starts_with("won in "), "{shown}");
    let text = roughboard(&["endings", "solve", "KR", "KAA"]).ended(0).stdout;
    assert!(text.contains("its longest win takes 20 plies"), "{text}");
    for (arguments, part) in [
        (vec!["endings", "solve", "KR", "Q"], "no material: expected a king first"),
        (vec!["endings", "solve", "KRRCC", "KAABB"], "too many placements"),
        (vec!["endings", "show", "--fen", "x"], "invalid position"),
        (vec!["endings", "table", "--out", "no/folder/a.json"], "cannot write"),
    ] {
        let refusal = roughboard(&arguments).refusal();
        assert!(refusal.contains(part), "{arguments:?}: {refusal}");
    }
}
