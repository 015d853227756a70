//! The laws that every game keeps (see the docs of `Game`), checked on the positions of random games.

use std::collections::HashSet;

use proptest::prelude::*;
use rand::RngExt;
use rand::seq::IndexedRandom;
use roughboard::game::perft::perft;
use roughboard::game::playout::random_moves;
use roughboard::game::{BoardGame, End, Game, MoveError, Outcome, Side};
use roughboard::games::connect6::Connect6;
use roughboard::games::surakarta::Surakarta;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::random::stream;
use roughboard::record::{GameRecord, Policy, read_bytes, to_pgn};

#[path = "../../examples/tic_tac_toe.rs"]
mod tic_tac_toe;

#[test]
fn xiangqi_keeps_the_laws() {
    check_laws::<Xiangqi>(40);
}

#[test]
fn a_game_of_two_stones_a_turn_keeps_the_laws() {
    check_laws::<crate::toys::SmallConnect>(40);
}

#[test]
fn connect6_keeps_the_laws() {
    check_laws::<Connect6>(1);
}

#[test]
fn surakarta_keeps_the_laws() {
    check_laws::<Surakarta>(40);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_text_makes_reading_fail(text in "[0-9bw/ ]{0,60}|[0-9rb/ ]{0,40}|[a-f1-6x-]{0,6}|\\PC{0,40}") {
        reads_safely::<Xiangqi>(&text);
        reads_safely::<Connect6>(&text);
        reads_safely::<Surakarta>(&text);
    }
}

fn reads_safely<G: BoardGame>(text: &str) {
    let _ = G::from_notation(text);
    let _ = G::start().parse_move(text);
}

/// The example of docs/adding-a-game.md.
#[test]
fn the_game_of_the_documentation_keeps_the_laws_and_is_learned() {
    check_laws::<tic_tac_toe::TicTacToe>(40);
    check_records::<tic_tac_toe::TicTacToe>();
    // All games of nine moves: 46,080 draws and 81,792 wins with the last one.
    assert_eq!(perft(&mut tic_tac_toe::TicTacToe::start(), 9), 127_872);
    let positions = tic_tac_toe::positions().unwrap();
    let table = tic_tac_toe::table(&positions).unwrap();
    assert_eq!(table.total_weight(), positions.len() as u64);
    let learned = tic_tac_toe::learned(&positions).unwrap();
    assert!(learned.wins > 2 * learned.losses, "{learned}");
    tic_tac_toe::main().unwrap();
}

#[test]
fn records_of_every_game_read_back() {
    check_records::<Xiangqi>();
    check_records::<Connect6>();
    check_records::<Surakarta>();
}

/// Records of random games of up to 150 plies are the same once they have been written and read.
fn check_records<G: BoardGame>() {
    for number in 0..64 {
        let draws = &mut stream(2, "game records", number);
        let (mut game, mut record) = (G::start(), GameRecord::new(G::start()));
        for _ in 0..draws.random_range(1..150) {
            let Some(&mv) = game.moves().choose(draws).filter(|_| game.end_by_history().is_none()) else { break };
            game.play(mv);
            record.push(mv, None);
        }
        record.outcome = Some(game.end().map_or(Outcome::Draw, |end| end.outcome));
        let text = to_pgn(&record);
        let (games, account) = read_bytes::<G>("x.pgn", text.as_bytes(), Policy::Drop).unwrap();
        assert!(account.dropped().is_empty() && games == [record], "{text}");
    }
}

/// Checks the laws of a game on seeded random games from its initial position.
fn check_laws<G: BoardGame>(games: u64) {
    for number in 0..games {
        let mut game = G::start();
        random_moves(&mut game, 250, &mut stream(1, "game laws", number), check_position);
        check_position(&mut game);
    }
    check_no_end_without_moves_is_missed::<G>();
}

fn check_position<G: BoardGame>(game: &mut G) {
    let moves = game.moves();
    check_moves(game, &moves);
    check_stages(game, &moves);
    check_fresh_copy(game, &moves);
    check_play_and_undo(game, &moves);
    check_pass(game);
}

fn check_moves<G: BoardGame>(game: &G, moves: &[G::Move]) {
    let distinct: HashSet<_> = moves.iter().copied().collect();
    assert_eq!(distinct.len(), moves.len(), "a move twice in {game:?}");
    assert_eq!(game.count_legal_moves(), moves.len(), "{game:?}");
    let slots: HashSet<_> = moves.iter().map(|&mv| G::move_slot(mv)).collect();
    assert!(slots.iter().all(|&slot| slot < G::MOVE_SLOTS), "{game:?}");
    let mut noisy = Vec::new();
    game.noisy_moves(&mut noisy);
    let noisy: HashSet<_> = noisy.into_iter().collect();
    assert!(noisy.is_subset(&distinct), "{game:?}");
    for &mv in moves {
        assert_eq!(game.noise_of(mv) != 0, noisy.contains(&mv), "{mv} in {game:?}");
        assert_eq!(game.parse_move(&mv.to_string()), Ok(mv), "{game:?}");
    }
    assert!(matches!(game.parse_move("no move"), Err(MoveError::Syntax { .. })));
}

/// What is generated apart is what its definition picks from the legal moves.
fn check_stages<G: BoardGame>(game: &G, moves: &[G::Move]) {
    let stage = |list: &dyn Fn(&mut Vec<G::Move>)| {
        let mut stage = Vec::new();
        list(&mut stage);
        stage.sort_unstable();
        stage
    };
    let sorted = |mut moves: Vec<G::Move>| {
        moves.sort_unstable();
        moves
    };
    let (noisy, quiet) = (stage(&|out| game.noisy_moves(out)), stage(&|out| game.quiet_moves(out)));
    assert_eq!(sorted([noisy, quiet.clone()].concat()), sorted(moves.to_vec()), "{game:?}");
    let checks = quiet.into_iter().filter(|&mv| leaves_in_check(game, mv));
    assert_eq!(stage(&|out| game.quiet_checks(out)), checks.collect::<Vec<_>>(), "{game:?}");
    for &mv in moves {
        assert_eq!(game.gives_check(mv), leaves_in_check(game, mv), "{mv} in {game:?}");
        assert_eq!(game.move_in_slot(G::move_slot(mv)), Some(mv), "{game:?}");
    }
}

fn leaves_in_check<G: BoardGame>(game: &G, mv: G::Move) -> bool {
    let mut after = game.clone();
    after.play(mv);
    after.in_check()
}

/// What follows from board and side to move alone is the same for a copy that has no past.
fn check_fresh_copy<G: BoardGame>(game: &G, moves: &[G::Move]) {
    let fresh = G::from_notation(&game.notation()).unwrap();
    assert_eq!(fresh.notation(), game.notation());
    assert_eq!(fresh.key(), game.key(), "{game:?}");
    assert_eq!(fresh.side_to_move(), game.side_to_move());
    assert_eq!(fresh.in_check(), game.in_check());
    assert_eq!(fresh.moves(), moves, "order of moves in {game:?}");
    assert_eq!(fresh.plies(), 0);
}

/// Everything that can be asked of a game.
#[derive(Debug, PartialEq)]
struct Observed<M> {
    notation: String,
    key: u64,
    side: Side,
    plies: usize,
    in_check: bool,
    moves: Vec<M>,
    ends: [Option<End>; 2],
}

fn observe<G: BoardGame>(game: &G) -> Observed<G::Move> {
    Observed {
        notation: game.notation(),
        key: game.key(),
        side: game.side_to_move(),
        plies: game.plies(),
        in_check: game.in_check(),
        moves: game.moves(),
        ends: [game.end(), game.end_by_history()],
    }
}

fn check_play_and_undo<G: BoardGame>(game: &mut G, moves: &[G::Move]) {
    let before = observe(game);
    let mut keys = HashSet::from([game.key()]);
    for &mv in moves {
        game.play(mv);
        assert!(keys.insert(game.key()), "two positions with one key after {mv}");
        assert_eq!(game.plies(), before.plies + 1);
        game.undo();
        assert_eq!(observe(game), before, "after {mv} and back");
    }
}

fn check_pass<G: BoardGame>(game: &mut G) {
    let before = observe(game);
    if !game.pass() {
        return assert_eq!(observe(game), before, "a pass that was refused");
    }
    assert!(!before.in_check, "a pass in check: {before:?}");
    assert_eq!(game.side_to_move(), before.side.other());
    assert_ne!(game.key(), before.key);
    game.undo();
    assert_eq!(observe(game), before, "after a pass and back");
}

fn check_no_end_without_moves_is_missed<G: BoardGame>() {
    for number in 0..200 {
        let mut game = G::start();
        random_moves(&mut game, 400, &mut stream(2, "game laws", number), |game| assert_eq!(game.end(), None));
        assert!(game.end().is_some() || game.plies() == 400, "{game:?}");
        assert_eq!(game.count_legal_moves() == 0, game.end().is_some() && game.end_by_history() != game.end());
    }
}
