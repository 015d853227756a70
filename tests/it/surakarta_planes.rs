//! The symmetries of Surakarta, and its positions as planes.

use std::collections::{BTreeMap, BTreeSet};

use roughboard::game::Planes;
use roughboard::game::playout::random_moves;
use roughboard::game::symmetry::{MIRROR, Symmetric, Symmetry};
use roughboard::game::{End, Game, Notation};
use roughboard::games::surakarta::{CIRCUITS, Move, POINTS, Surakarta, image_point, parse_point};
use roughboard::random::stream;

use crate::toys::played;

const HISTORIES: [usize; 3] = [0, 1, 4];

/// Calls `check` on every `step`-th position of random games.
fn on_positions(games: u64, step: usize, mut check: impl FnMut(&Surakarta)) {
    for number in 0..games {
        let mut game = Surakarta::start();
        random_moves(&mut game, 200, &mut stream(3, "surakarta images", number), |position| {
            if position.plies().is_multiple_of(step) {
                check(position);
            }
        });
    }
}

fn moves_of(position: &Surakarta) -> BTreeSet<Move> {
    let moves = position.moves();
    moves.into_iter().collect()
}

fn planes(position: &Surakarta, history: usize, image: usize) -> Vec<f32> {
    let mut planes = vec![7.0; Surakarta::n_planes(history) * POINTS];
    position.write_planes(history, image, &mut planes);
    planes
}

#[test]
fn images_have_images_as_moves_keys_and_ends() {
    on_positions(10, 7, |game| {
        let mut notations = BTreeSet::new();
        for number in 0..Surakarta::IMAGES {
            let image = game.image(number);
            assert_eq!(image.key(), game.image_key(number), "image {number} of {game:?}");
            let moved = moves_of(game).into_iter().map(|mv| mv.image(number)).collect();
            assert_eq!(moves_of(&image), moved, "image {number} of {game:?}");
            assert_eq!(
                (image.end(), image.plies(), image.quiet_plies()),
                (game.end(), game.plies(), game.quiet_plies())
            );
            notations.insert(image.notation());
        }
        assert!(game.plies() < 20 || notations.len() == Surakarta::IMAGES, "{game:?}");
    });
    assert_eq!(image_point(parse_point("a6").unwrap(), 1), parse_point("f6").unwrap(), "image 1 has left for right");
}

/// Every two symmetries make a third one, and each is undone by one.
#[test]
fn the_images_form_a_group() {
    let all: Vec<Vec<usize>> =
        (0..Surakarta::IMAGES).map(|image| (0..POINTS).map(|point| image_point(point, image)).collect()).collect();
    assert!(all[0].iter().copied().eq(0..POINTS));
    for first in &all {
        let followed: BTreeSet<Vec<usize>> =
            all.iter().map(|second| first.iter().map(|&point| second[point]).collect()).collect();
        assert_eq!(followed, all.iter().cloned().collect());
    }
}

#[test]
fn mirrored_and_exchanged_games_correspond() {
    let results = |end: Option<End>| end.map(|end| (end.outcome.value() as f32, end.reason));
    on_positions(6, 11, |game| {
        assert_eq!(game.image(MIRROR).key(), game.image_key(MIRROR));
        for symmetry in Symmetry::<Surakarta>::made_of(true, true) {
            let image = symmetry.position(game);
            assert_eq!(symmetry.position(&image).notation(), game.notation());
            assert_eq!(moves_of(&image), moves_of(game).into_iter().map(|mv| symmetry.mv(game, mv)).collect());
            let turns = [&image, game].map(|position| position.side_to_move().sign() as f32);
            assert_eq!(turns[0], symmetry.sign() * turns[1]);
            let expected = results(game.end()).map(|(value, reason)| (symmetry.sign() * value, reason));
            assert_eq!(results(image.end()), expected, "{game:?}");
        }
    });
    let start = Surakarta::start();
    assert_eq!(start.exchanged().notation(), "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr b");
}

#[test]
fn planes_of_an_image_are_the_planes_of_the_imaged_position() {
    on_positions(8, 9, |game| {
        for history in HISTORIES {
            for image in 0..Surakarta::IMAGES {
                let written = planes(game, history, image);
                assert_eq!(written, planes(&game.image(image), history, 0), "image {image} of {game:?}");
                for (plane, imaged) in planes(game, history, 0).chunks(POINTS).zip(written.chunks(POINTS)) {
                    assert!((0..POINTS).all(|point| plane[point] == imaged[image_point(point, image)]));
                }
            }
        }
    });
}

/// The planes of each kind, by a plain look at the game.
#[test]
fn every_plane_says_what_it_should() {
    let mut game = Surakarta::start();
    let mut earlier = vec![game.clone()];
    random_moves(&mut game, 60, &mut stream(4, "surakarta planes", 0), |_| {});
    for mv in game.moves_made() {
        let mut next = earlier.last().unwrap().clone();
        next.play(mv);
        earlier.push(next);
    }
    for (ply, game) in earlier.iter().enumerate() {
        for history in HISTORIES {
            let us = game.side_to_move();
            let mut expected: Vec<Vec<bool>> = Vec::new();
            for back in 0..=history {
                for side in [us, us.other()] {
                    let then = ply.checked_sub(back).map(|ply| &earlier[ply]);
                    expected.push((0..POINTS).map(|p| then.is_some_and(|g| g.piece_at(p) == Some(side))).collect());
                }
            }
            expected.extend(CIRCUITS.map(|circuit| (0..POINTS).map(|p| circuit.contains(p)).collect()));
            let last = game.moves_made().last();
            expected.push((0..POINTS).map(|p| last.is_some_and(|mv| mv.from() == p)).collect());
            expected.push((0..POINTS).map(|p| last.is_some_and(|mv| mv.to() == p)).collect());
            expected.push(vec![us.index() == 0; POINTS]);
            let written = planes(game, history, 0);
            assert_eq!(written.len(), expected.len() * POINTS);
            for (number, (plane, expected)) in written.chunks(POINTS).zip(&expected).enumerate() {
                let expected: Vec<f32> = expected.iter().map(|&is| f32::from(is)).collect();
                assert_eq!(plane, expected, "plane {number} with history {history} of {game:?}");
            }
        }
    }
}

#[test]
fn circuits_have_twenty_points_each_and_no_corner() {
    let [large, small] = CIRCUITS;
    assert_eq!((large.len(), small.len()), (20, 20));
    for name in ["a1", "a6", "f1", "f6"] {
        assert!(!(large | small).contains(parse_point(name).unwrap()), "{name}");
    }
    let [on_large, on_small] = ["c1", "b1"].map(|name| parse_point(name).unwrap());
    assert!(large.contains(on_large) && !small.contains(on_large));
    assert!(small.contains(on_small) && !large.contains(on_small));
}

#[test]
fn keys_differ_where_planes_differ() {
    for history in HISTORIES {
        let mut seen: BTreeMap<u64, Vec<f32>> = BTreeMap::new();
        let mut positions = 0;
        on_positions(30, 1, |game| {
            let planes = planes(game, history, 0);
            let known = seen.entry(game.planes_key(history)).or_insert_with(|| planes.clone());
            assert_eq!(*known, planes, "{game:?}");
            positions += 1;
        });
        assert!(seen.len() > 1000 && seen.len() <= positions, "{}", seen.len());
    }
}

/// A position that was set up has no past, so it has a key of its own: its last move is not known.
#[test]
fn the_past_counts_only_as_far_as_planes_show_it() {
    let one: Surakarta = played("a2a3 f5f4 b2b3 e5e4");
    let other: Surakarta = played("b2b3 f5f4 a2a3 e5e4");
    assert_eq!(one.planes_key(0), other.planes_key(0));
    assert_eq!(planes(&one, 1, 0), planes(&other, 1, 0));
    assert_eq!(one.planes_key(1), other.planes_key(1));
    assert_ne!(one.planes_key(2), other.planes_key(2));
    assert_ne!(planes(&one, 2, 0), planes(&other, 2, 0));
    let set_up = Surakarta::from_notation(&one.notation()).unwrap();
    assert_ne!(set_up.planes_key(0), one.planes_key(0));
}
