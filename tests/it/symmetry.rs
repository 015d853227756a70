//! The laws of the symmetries of a game (see the docs of `Symmetric`).

use roughboard::eval::Evaluator;
use roughboard::eval::xiangqi::Traditional;
use roughboard::game::perft::perft;
use roughboard::game::playout::random_moves;
use roughboard::game::symmetry::{MIRROR, Symmetric, Symmetry};
use roughboard::game::{End, Game, Notation, Outcome, SearchHints};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::random::stream;

fn symmetries() -> Vec<Symmetry<Xiangqi>> {
    Symmetry::made_of(true, true)
}

/// Calls `check` on every `step`-th position of random games.
fn on_positions(games: u64, step: usize, check: impl Fn(&Xiangqi)) {
    for number in 0..games {
        let mut game = Xiangqi::start();
        random_moves(&mut game, 200, &mut stream(2, "symmetry", number), |position| {
            if position.plies().is_multiple_of(step) {
                check(position);
            }
        });
    }
}

fn sorted_moves(position: &Xiangqi) -> Vec<<Xiangqi as Game>::Move> {
    let mut moves = position.moves();
    moves.sort_unstable();
    moves
}

#[test]
fn asked_for_nothing_there_is_none_and_for_both_there_are_three() {
    assert_eq!(Symmetry::<Xiangqi>::made_of(false, false).len(), 0);
    let signs = |mirror, exchange| {
        Symmetry::<Xiangqi>::made_of(mirror, exchange).iter().map(Symmetry::sign).collect::<Vec<_>>()
    };
    assert_eq!(signs(true, false), [1.0]);
    assert_eq!(signs(false, true), [-1.0]);
    assert_eq!(signs(true, true), [1.0, -1.0, -1.0]);
}

#[test]
fn an_image_of_an_image_is_the_position_itself_with_its_past() {
    on_positions(10, 7, |position| {
        for symmetry in symmetries() {
            let back = symmetry.position(&symmetry.position(position));
            assert_eq!(back.notation(), position.notation());
            assert_eq!(back.key(), position.key());
            assert!(back.moves_made().eq(position.moves_made()));
        }
    });
}

#[test]
fn moves_keys_checks_and_perft_correspond() {
    on_positions(6, 11, |position| {
        assert_eq!(position.image(MIRROR).key(), position.image_key(MIRROR));
        for symmetry in symmetries() {
            let image = symmetry.position(position);
            let mut expected: Vec<_> = sorted_moves(position).into_iter().map(|mv| symmetry.mv(position, mv)).collect();
            expected.sort_unstable();
            assert_eq!(sorted_moves(&image), expected, "{position:?}");
            assert_eq!(image.in_check(), position.in_check());
            assert_eq!((image.plies(), image.quiet_plies()), (position.plies(), position.quiet_plies()));
            assert_eq!(perft(&mut image.clone(), 2), perft(&mut position.clone(), 2));
        }
    });
}

#[test]
fn the_side_to_move_and_the_winner_change_with_the_colours() {
    let results = |end: Option<End>| end.map(|end| (end.outcome.value() as f32, end.reason));
    let check = |position: &Xiangqi| {
        for symmetry in symmetries() {
            let image = symmetry.position(position);
            let turns = [&image, position].map(|position| position.side_to_move().sign() as f32);
            assert_eq!(turns[0], symmetry.sign() * turns[1]);
            let expected = results(position.end()).map(|(value, reason)| (symmetry.sign() * value, reason));
            assert_eq!(results(image.end()), expected, "{position:?}");
        }
    };
    on_positions(10, 5, check);
    let mut repeated = Xiangqi::from_notation("3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1").unwrap();
    for text in ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9"] {
        repeated.play(repeated.parse_move(text).unwrap());
    }
    assert_eq!(repeated.end().map(|end| end.outcome), Some(Outcome::Win(roughboard::game::Side::Second)));
    check(&repeated);
}

#[test]
fn set_ups_with_black_to_move_keep_their_move_numbers() {
    let text = "3ak4/9/4e4/9/2p6/9/9/9/4A4/R3K4 b - - 7 31";
    let position = Xiangqi::from_notation(text).unwrap();
    assert_eq!(position.exchanged().notation(), "4k3r/4a4/9/9/9/6P2/9/4B4/9/4KA3 w - - 7 31");
    assert_eq!(position.exchanged().exchanged().notation(), position.notation());
    assert_eq!(position.exchanged().side_to_move(), roughboard::game::Side::First);
}

#[test]
fn evaluators_give_images_the_same_value_for_their_side_to_move() {
    on_positions(6, 9, |position| {
        let value = Traditional::default().evaluate(position);
        for symmetry in symmetries() {
            assert_eq!(Traditional::default().evaluate(&symmetry.position(position)), value, "{position:?}");
        }
    });
}
