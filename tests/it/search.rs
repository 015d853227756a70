//! Alpha-beta against plain minimax, whatever is switched on, and what a search promises beside the value.

use rand::RngExt;
use roughboard::eval::Evaluator;
use roughboard::game::{Game, Side};
use roughboard::random;
use roughboard::search::{AlphaBeta, Leaf, Limits, SearchSettings, WIN, mate_distance, minimax};

use crate::toys::{LineCounter, SmallConnect, TicTacToe};

/// Positions met in random games of at most `plies` plies from the start, none of them over.
pub fn random_positions<G: Game>(count: u64, plies: usize) -> Vec<G> {
    let walk = |index| {
        let mut draws = random::stream(1, "search tests", index);
        let mut position = G::start();
        for _ in 0..draws.random_range(0..=plies) {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let mv = moves[draws.random_range(0..moves.len())];
            position.play(mv);
            if position.end().is_some() {
                position.undo();
                break;
            }
        }
        position
    };
    (0..count).map(walk).collect()
}

/// Every combination of the switches that must not change a value, with quiescence off and on.
pub fn all_switches(quiescence_plies: u32) -> Vec<SearchSettings> {
    let on = |combination: u32, bit: u32| combination & (1 << bit) != 0;
    (0..64)
        .map(|combination| SearchSettings {
            transposition_mb: usize::from(on(combination, 0)),
            deeper_entries: false,
            quiescence: on(combination, 1),
            quiescence_plies,
            table_move_first: on(combination, 2),
            noisy_first: on(combination, 3),
            killers: on(combination, 4),
            history: on(combination, 5),
        })
        .collect()
}

/// The values of `positions` by minimax, for both kinds of leaf, against alpha-beta's under every setting.
pub fn assert_equal_values<G: Game>(positions: &mut [G], evaluator: &mut dyn Evaluator<G>, depth: u32, quiet: u32) {
    let limits = Limits::to_depth(depth).unwrap();
    let mut searchers: Vec<_> = all_switches(quiet).into_iter().map(AlphaBeta::<G>::new).collect();
    for position in positions {
        let mut expect = |leaf| minimax(position, evaluator, depth, leaf).score;
        let expected = [expect(Leaf::Static), expect(Leaf::Quiescence { plies: quiet })];
        for searcher in &mut searchers {
            let before = (position.notation(), position.key());
            let found = searcher.search(position, evaluator, limits);
            let settings = searcher.settings();
            assert_eq!(found.score, expected[usize::from(settings.quiescence)], "{} {settings:?}", position.notation());
            assert_eq!(before, (position.notation(), position.key()));
            assert_best_move_is_best(position, evaluator, depth, settings.leaf(), found.best.unwrap(), found.score);
        }
    }
}

/// The value of the position after `best`, searched one ply less, is the value of the root.
fn assert_best_move_is_best<G: Game>(
    position: &mut G,
    evaluator: &mut dyn Evaluator<G>,
    depth: u32,
    leaf: Leaf,
    best: G::Move,
    score: i32,
) {
    if depth > 3 {
        return;
    }
    let side = position.side_to_move();
    position.play(best);
    let below = minimax(position, evaluator, depth - 1, leaf).score;
    let below = if position.side_to_move() == side { below } else { -below };
    position.undo();
    // A distance to a forced end counts from its own root.
    let nearer = mate_distance(below).map_or(0, i32::signum);
    assert_eq!(below - nearer, score, "{} {best}", position.notation());
}

#[test]
fn alpha_beta_equals_minimax_on_tic_tac_toe() {
    let mut positions = random_positions::<TicTacToe>(200, 7);
    assert_equal_values(&mut positions, &mut LineCounter { centre: 1 }, 3, 4);
}

#[test]
fn alpha_beta_equals_minimax_where_a_side_moves_twice() {
    let mut positions = random_positions::<SmallConnect>(200, 12);
    let kept = positions.iter().filter(|position| position.plies() % 2 == 1).count();
    assert!((50..150).contains(&kept), "first and second stones of a turn are both there: {kept}");
    assert_equal_values(&mut positions, &mut LineCounter { centre: 1 }, 2, 3);
}

#[test]
fn tic_tac_toe_is_a_draw_and_its_forced_wins_are_found() {
    let limits = Limits::to_depth(9).unwrap();
    let search = |text: &str| {
        let mut position = TicTacToe::from_notation(text).unwrap();
        AlphaBeta::new(SearchSettings::default()).search(&mut position, &mut LineCounter { centre: 0 }, limits)
    };
    assert_eq!(search(".........").score, 0);
    let fork = search("x...o...x");
    assert_eq!((fork.score, fork.depth), (0, 5), "nought holds by a side, not by a corner");
    assert_eq!(search("xo.......").score, WIN - 5, "cross forks");
    let won = search("xx.oo....");
    assert_eq!((won.score, won.depth, won.pv.len()), (WIN - 1, 1, 1), "settled at once");
    let over = search("xxxoo....");
    assert_eq!((over.best, over.score, over.depth), (None, -WIN, 0));
}

#[test]
fn the_principal_variation_leads_to_its_value() {
    let limits = Limits::to_depth(4).unwrap();
    let settings = SearchSettings { deeper_entries: false, ..SearchSettings::default() };
    for mut position in random_positions::<SmallConnect>(60, 8) {
        let mut evaluator = LineCounter { centre: 1 };
        let found = AlphaBeta::new(settings).search(&mut position, &mut evaluator, limits);
        let side = position.side_to_move();
        found.pv.iter().for_each(|&mv| position.play(mv));
        let leaf = minimax(&mut position, &mut evaluator, 0, settings.leaf()).score;
        let leaf = if position.side_to_move() == side { leaf } else { -leaf };
        let distance = mate_distance(leaf).map_or(0, i32::signum) * found.pv.len() as i32;
        assert_eq!(leaf - distance, found.score, "{} {:?}", position.notation(), found.pv);
    }
}

#[test]
fn a_node_limit_keeps_the_last_whole_iteration() {
    let mut position = SmallConnect::start();
    let mut search = |limits| {
        AlphaBeta::new(SearchSettings::default()).search(&mut position, &mut LineCounter { centre: 1 }, limits)
    };
    let whole = search(Limits::to_depth(3).unwrap());
    let limited = search(Limits::to_depth(6).unwrap().and_nodes(whole.nodes + 1).unwrap());
    assert_eq!((limited.best, limited.score, limited.depth), (whole.best, whole.score, 3));
    let starved = search(Limits::to_depth(6).unwrap().and_nodes(1).unwrap());
    assert_eq!(starved.depth, 1);
    assert!(starved.best.is_some());
}

#[test]
fn one_searcher_used_again_forgets_when_told_to() {
    let limits = Limits::to_depth(4).unwrap();
    let mut searcher = AlphaBeta::new(SearchSettings::default());
    let mut search = |position: &SmallConnect, clear: bool| {
        if clear {
            searcher.clear();
        }
        searcher.search(&mut position.clone(), &mut LineCounter { centre: 1 }, limits)
    };
    let position = SmallConnect::start();
    let first = search(&position, false);
    assert_ne!(search(&position, false).nodes, first.nodes, "the table helps the second time");
    assert_eq!(search(&position, true), first);
}

#[test]
fn moves_are_rated_as_minimax_values_them() {
    let settings = SearchSettings { deeper_entries: false, ..SearchSettings::default() };
    let mut evaluator = LineCounter { centre: 1 };
    for mut position in random_positions::<SmallConnect>(50, 10) {
        let side = position.side_to_move();
        for (mv, score) in AlphaBeta::new(settings).rate_moves(&mut position.clone(), &mut evaluator, 2) {
            position.play(mv);
            let below = minimax(&mut position, &mut evaluator, 1, settings.leaf()).score;
            let below = if position.side_to_move() == side { below } else { -below };
            position.undo();
            assert_eq!(score, below - mate_distance(below).map_or(0, i32::signum));
        }
    }
}

#[test]
fn the_toy_moves_as_its_rules_say() {
    let mut position = SmallConnect::start();
    let sides: Vec<_> = (0..6)
        .map(|at| {
            let side = position.side_to_move();
            let mv = position.parse_move(&format!("p{}", at * 3 % 16)).unwrap();
            position.play(mv);
            side
        })
        .collect();
    use Side::{First, Second};
    assert_eq!(sides, [First, Second, Second, First, First, Second]);
}
