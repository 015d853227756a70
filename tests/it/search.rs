//! Alpha-beta against plain minimax, whatever is switched on, and what a search promises beside the value.

use std::time::Duration;

use rand::RngExt;
use roughboard::eval::connect6::StaticEvaluator;
use roughboard::eval::xiangqi::Traditional;
use roughboard::eval::{Evaluator, Score};
use roughboard::game::{BoardGame, Game, Notation, Outcome, SearchHints, Side};
use roughboard::games::connect6::Connect6;
use roughboard::games::xiangqi::{Move, Role, Xiangqi};
use roughboard::random;
use roughboard::search::{
    AlphaBeta, Control, Driver, Iteration, Leaf, Limits, MAX_DEPTH, Margins, SearchResult, SearchSettings, Stopper,
    WIN, breadth_first, mate_distance, minimax, minimax_of_width,
};
use roughboard::settings::{Kind, Setting, Settings};

use crate::toys::{LineCounter, SmallConnect, TicTacToe};

/// Positions met in random games of at most `plies` plies from the start, none of them over.
pub fn random_positions<G: BoardGame>(count: u64, plies: usize) -> Vec<G> {
    random_positions_from(&G::start(), count, plies)
}

/// As [`random_positions`], from `start` on.
fn random_positions_from<G: BoardGame>(start: &G, count: u64, plies: usize) -> Vec<G> {
    let walk = |index| {
        let mut draws = random::stream(1, "search tests", index);
        let mut position = start.clone();
        for _ in 0..draws.random_range(0..=plies) {
            let moves = position.moves();
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

/// Switches that must not change a value, by the bits of `combination`; the driver by the two bits above them.
fn switches(combination: u32, quiescence_plies: u32) -> SearchSettings {
    let on = |bit: u32| combination & (1 << bit) != 0;
    let drivers = [Driver::AlphaBeta, Driver::MtdfZero, Driver::MtdfFixed, Driver::MtdfAdaptive];
    SearchSettings {
        driver: drivers[(combination >> SWITCHES & 3) as usize],
        transposition_mb: usize::from(on(0)),
        quiescence: on(1),
        quiescence_plies,
        table_move_first: on(2),
        noisy_first: on(3),
        killers: on(4),
        history: on(5),
        countermoves: on(6),
        principal_variation: on(7),
        aspiration: on(8),
        mate_distance: on(9),
        ..SearchSettings::bare()
    }
}

const SWITCHES: u32 = 10;

/// All switches off, all on, each alone, each missing, and some at random: with quiescence off and on, under all drivers.
fn many_switches(quiescence_plies: u32) -> Vec<SearchSettings> {
    let all = (1 << SWITCHES) - 1;
    let alone = (0..SWITCHES).flat_map(|bit| [1 << bit, all ^ 1 << bit]);
    let mut draws = random::stream(1, "switches", 0);
    let drawn: Vec<u32> = (0..12).map(|_| draws.random_range(0..=all)).collect();
    let combinations = [0, all].into_iter().chain(alone).chain(drawn).zip((0..4).cycle());
    let ends = [0, all].into_iter().flat_map(|switches| (0..4).map(move |driver| (switches, driver)));
    combinations.chain(ends).map(|(on, driver)| switches(on | driver << SWITCHES, quiescence_plies)).collect()
}

/// All that saves nodes without a change of value, with quiescence.
fn exact(quiescence_plies: u32) -> SearchSettings {
    SearchSettings { quiescence: true, quiescence_plies, ..SearchSettings::exact() }
}

/// Alpha-beta under every setting with `width` finds the value of plain minimax over the same candidates.
fn assert_equal_values_of_width<G: BoardGame>(
    positions: &mut [G],
    evaluator: &mut dyn Evaluator<G>,
    (depth, quiet): (u32, u32),
    width: u32,
) {
    let limits = Limits::to_depth(depth).unwrap();
    let with_width = |settings| AlphaBeta::<G>::new(SearchSettings { width, ..settings });
    let mut searchers: Vec<_> = many_switches(quiet).into_iter().map(with_width).collect();
    for (index, position) in positions.iter_mut().enumerate() {
        let before = (position.notation(), position.key());
        let [still, quiet] = [Leaf::Static, Leaf::Quiescence { plies: quiet }]
            .map(|leaf| minimax_of_width(position, evaluator, depth, leaf, width).score);
        for searcher in searchers.iter_mut().skip(index % 4).step_by(4) {
            let found = searcher.search(position, evaluator, limits);
            let settings = searcher.settings();
            let value = if settings.quiescence { quiet } else { still };
            assert_eq!(found.score, value, "{} {settings:?}", position.notation());
            assert_eq!(before, (position.notation(), position.key()));
        }
    }
}

/// The value of `position` for the side that moved to it, as the root one ply above sees it.
fn seen_from_above<G: BoardGame>(position: &G, mover: Side, value: i32) -> i32 {
    let value = if position.side_to_move() == mover { value } else { -value };
    // A forced end is one ply further away from there.
    if mate_distance(value).is_some() { value - value.signum() } else { value }
}

/// The value of every legal move by minimax, `depth` plies deep with the move itself.
fn rated_by_minimax<G: BoardGame>(
    position: &mut G,
    evaluator: &mut dyn Evaluator<G>,
    depth: u32,
    leaf: Leaf,
) -> Vec<(G::Move, i32)> {
    let mover = position.side_to_move();
    let moves = position.moves();
    let rate = |mv| {
        position.play(mv);
        let value = match position.end_by_history() {
            Some(end) => end.outcome.value_for(position.side_to_move()) * WIN,
            None => minimax(position, evaluator, depth - 1, leaf).score,
        };
        let value = seen_from_above(position, mover, value);
        position.undo();
        (mv, value)
    };
    moves.into_iter().map(rate).collect()
}

/// Alpha-beta under every setting finds minimax's value of each of `positions`, and a move that has it.
pub fn assert_equal_values<G: BoardGame>(
    positions: &mut [G],
    evaluator: &mut dyn Evaluator<G>,
    depth: u32,
    quiet: u32,
) {
    let limits = Limits::to_depth(depth).unwrap();
    let mut searchers: Vec<_> = many_switches(quiet).into_iter().map(AlphaBeta::<G>::new).collect();
    for (index, position) in positions.iter_mut().enumerate() {
        let before = (position.notation(), position.key());
        let [still, quiet] = [Leaf::Static, Leaf::Quiescence { plies: quiet }].map(|leaf| {
            let value = minimax(position, evaluator, depth, leaf).score;
            let rated = rated_by_minimax(position, evaluator, depth, leaf);
            assert_eq!(rated.iter().map(|&(_, value)| value).max(), Some(value), "{}", position.notation());
            let expanded = breadth_first(position, evaluator, depth, leaf);
            assert_eq!(expanded.score, value, "{} breadth first", position.notation());
            (value, rated)
        });
        // A quarter of the settings each, in turn.
        for searcher in searchers.iter_mut().skip(index % 4).step_by(4) {
            let found = searcher.search(position, evaluator, limits);
            let settings = searcher.settings();
            let (value, rated) = if settings.quiescence { &quiet } else { &still };
            assert_eq!(found.score, *value, "{} {settings:?}", position.notation());
            assert!(rated.contains(&(found.best.unwrap(), *value)), "{} {found:?}", position.notation());
            assert_eq!(before, (position.notation(), position.key()));
        }
    }
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
fn alpha_beta_equals_minimax_over_the_same_candidates() {
    for width in [1, 3, 5] {
        let mut positions = random_positions::<SmallConnect>(60, 12);
        assert_equal_values_of_width(&mut positions, &mut LineCounter { centre: 1 }, (3, 3), width);
    }
}

/// Two stones a turn on small boards of the game itself: with all moves and with few, under all drivers.
#[test]
fn alpha_beta_equals_minimax_on_connect6() {
    let mut evaluator = StaticEvaluator::default();
    let positions = |size, count, plies| random_positions_from(&Connect6::of_size(size).unwrap(), count, plies);
    assert_equal_values(&mut positions(6, 16, 24), &mut evaluator, 2, 2);
    for (size, width) in [(6, 4), (7, 6), (8, 5), (9, 3)] {
        assert_equal_values_of_width(&mut positions(size, 20, size * size / 2), &mut evaluator, (4, 4), width);
    }
}

#[test]
fn a_width_beyond_all_moves_leaves_nothing_out() {
    let mut evaluator = LineCounter { centre: 1 };
    for mut position in random_positions::<SmallConnect>(40, 10) {
        let all = minimax(&mut position, &mut evaluator, 3, Leaf::Static).score;
        assert_eq!(minimax_of_width(&mut position, &mut evaluator, 3, Leaf::Static, 16).score, all);
        let rated = AlphaBeta::new(exact(4)).rate_moves(&mut position.clone(), &mut evaluator, 2);
        let settings = SearchSettings { width: 2, ..exact(4) };
        let mut candidates = Vec::new();
        position.candidates(2, &mut candidates);
        let narrow = AlphaBeta::new(settings).rate_moves(&mut position, &mut evaluator, 2);
        assert_eq!(narrow.iter().map(|&(mv, _)| mv).collect::<Vec<_>>(), candidates);
        assert!(rated.len() >= narrow.len());
    }
}

#[test]
fn a_win_that_the_game_itself_proves_is_played_at_once() {
    let limits = Limits::to_depth(3).unwrap();
    let search = |text: &str, forced_win_nodes| {
        let settings = SearchSettings { forced_win_nodes, ..SearchSettings::default() };
        let mut position = TicTacToe::from_notation(text).unwrap();
        AlphaBeta::new(settings).search(&mut position, &mut LineCounter { centre: 0 }, limits)
    };
    let proved = search("xx.oo....", 1);
    assert_eq!((proved.score, proved.nodes, proved.pv.len()), (WIN - 1, 0, 1));
    assert_eq!(proved.best, proved.pv.first().copied());
    assert!(search("xx.oo....", 0).nodes > 0, "nobody asked");
    assert!(search("x...o....", 1).nodes > 0, "there is nothing to prove");
    assert_eq!(search("xxxoo....", 1).best, None);
}

/// Black has three in a row and three in a column: a stone at each makes more threats than two stones stop.
#[test]
fn wins_that_the_threat_solver_proves_are_played_out_to_six() {
    let start = Connect6::from_notation("19/19/19/19/19/19/19/6bbb10/19/9b9/9b9/9b9/19/19/2w1w1w1w1w8/19/19/19/19 b 2");
    let start = start.unwrap();
    let settings = SearchSettings { forced_win_nodes: 10_000, width: 16, ..SearchSettings::default() };
    let limits = Limits::to_depth(2).unwrap();
    let mut evaluator = StaticEvaluator::default();
    let found = AlphaBeta::new(settings).search(&mut start.clone(), &mut evaluator, limits);
    assert_eq!((found.score, found.nodes), (WIN - found.pv.len() as Score, 0), "{found:?}");
    let mut game = start.clone();
    for &stone in &found.pv {
        assert!(game.end().is_none() && game.is_free(stone));
        game.play(stone);
    }
    assert_eq!(game.end().unwrap().outcome, Outcome::Win(Side::First));
    assert_eq!(
        start.forced_win(u64::MAX, &mut || false),
        start.forced_win(10_000, &mut || true),
        "too small to be asked"
    );
}

/// The second stone of a turn is that of the first search, unless depth alone limits it, or the turn went another way.
#[test]
fn a_turn_is_one_decision_where_nodes_limit_it() {
    let usual = SearchSettings { transposition_mb: 1, ..SearchSettings::of_game::<Connect6>() };
    let by_nodes = Limits::to_depth(64).unwrap().and_nodes(2000).unwrap();
    let mut evaluator = StaticEvaluator::default();
    let mut start = Connect6::start();
    start.play(start.parse_move("j10").unwrap());
    let mut both = |settings, limits, other: Option<&str>| {
        let (mut searcher, mut game) = (AlphaBeta::new(settings), start.clone());
        let first = searcher.search(&mut game, &mut evaluator, limits);
        game.play(other.map_or(first.best.unwrap(), |text| game.parse_move(text).unwrap()));
        let second = searcher.search(&mut game, &mut evaluator, limits);
        (first, second)
    };
    let (first, second) = both(usual, by_nodes, None);
    assert!(first.nodes > 1000 && first.depth > 2, "{first:?}");
    assert_eq!((second.best, second.nodes, &second.pv[..]), (first.pv.get(1).copied(), 0, &first.pv[1..]));
    assert_eq!((second.score, second.depth), (first.score, first.depth - 1));
    assert!(both(usual, by_nodes, Some("a1")).1.nodes > 1000, "another position");
    assert!(both(usual, Limits::to_depth(3).unwrap(), None).1.nodes > 0, "a depth is that of a stone");
    assert!(both(SearchSettings { whole_turns: false, ..usual }, by_nodes, None).1.nodes > 1000, "switched off");
}

#[test]
fn a_proof_is_not_asked_for_where_moves_are_left_out() {
    let settings = SearchSettings { forced_win_nodes: 1, ..SearchSettings::default() };
    let mut position = TicTacToe::from_notation("xx.oo....").unwrap();
    let winning = position.parse_move("p2").unwrap();
    let (stopper, mut evaluators) = (Stopper::new(), [Box::new(LineCounter { centre: 0 }) as Box<dyn Evaluator<_>>]);
    let mut control = Control { stopper: &stopper, excluded: &[winning], lines: 1, report: &mut |_| () };
    let limits = Limits::to_depth(2).unwrap();
    let found = AlphaBeta::new(settings).search_with(&mut position, &mut evaluators, limits, &mut control);
    assert!(found.nodes > 0 && found.best != Some(winning));
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
    assert_eq!((fork.score, fork.depth), (0, 9), "nought holds by a side, not by a corner");
    assert_eq!(search("xo.......").score, WIN - 5, "cross forks");
    let won = search("xx.oo....");
    assert_eq!((won.score, won.depth, won.pv.len()), (WIN - 1, 1, 1), "settled at once");
    let over = search("xxxoo....");
    assert_eq!((over.best, over.score, over.depth), (None, -WIN, 0));
}

#[test]
fn the_principal_variation_leads_to_its_value() {
    let limits = Limits::to_depth(4).unwrap();
    let settings = exact(4);
    for mut position in random_positions::<SmallConnect>(60, 8) {
        let mut evaluator = LineCounter { centre: 1 };
        let found = AlphaBeta::new(settings).search(&mut position, &mut evaluator, limits);
        let side = position.side_to_move();
        found.pv.iter().for_each(|&mv| position.play(mv));
        let leaf = minimax(&mut position, &mut evaluator, 0, settings.leaf()).score;
        let leaf = if position.side_to_move() == side { leaf } else { -leaf };
        let distance = mate_distance(leaf).map_or(0, |_| leaf.signum() * found.pv.len() as i32);
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

/// Every margin of the search is read where it matters; settings of all of them are those that results were made with.
#[test]
fn margins_change_the_tree_and_stand_as_they_did() {
    let positions = random_positions::<Xiangqi>(20, 40);
    let nodes = |settings: SearchSettings| -> u64 {
        let settings = SearchSettings { transposition_mb: 1, ..settings };
        let limits = Limits::to_depth(8).unwrap();
        let of =
            |position: &Xiangqi| AlphaBeta::new(settings).search(&mut position.clone(), &mut Material, limits).nodes;
        positions.iter().map(of).sum()
    };
    let usual = SearchSettings::default();
    let total = nodes(usual);
    assert_eq!(nodes(usual.with("margins.futility=15,margins.null_move_base=300").unwrap()), total);
    for setting in Margins::declared() {
        let value: u32 = usual.margins.get(setting.name).unwrap().parse().unwrap();
        let changed = usual.with(&format!("margins.{}={}", setting.name, 2 * value)).unwrap();
        assert_ne!(nodes(changed), total, "{}", setting.name);
    }
    let refused = |list: &str| usual.with(list).unwrap_err().to_string();
    assert_eq!(refused("margins.futility=1001"), "`margins.futility` must be in [0, 1000], got 1001");
    assert!(refused("margins.futilty=3").contains("did you mean `futility`?"));
}

/// Where the last plies change the move, a search that is broken off just before its end has found that move already.
#[test]
fn an_iteration_that_is_broken_off_counts_where_that_is_wanted() {
    let depth = Limits::to_depth(5).unwrap();
    let search = |position: &mut Xiangqi, partial_iterations, limits| {
        let settings = SearchSettings { partial_iterations, transposition_mb: 1, ..SearchSettings::default() };
        AlphaBeta::new(settings).search(position, &mut Material, limits)
    };
    let mut changed = 0;
    for mut position in random_positions::<Xiangqi>(30, 60) {
        let before = search(&mut position, false, Limits::to_depth(4).unwrap());
        let whole = search(&mut position, false, depth);
        assert_eq!(search(&mut position, true, depth), whole, "nothing is broken off");
        if whole.best == before.best || whole.depth < 5 {
            continue;
        }
        changed += 1;
        let almost = depth.and_nodes(whole.nodes - 1).unwrap();
        assert_eq!(search(&mut position, false, almost).best, before.best);
        let found = search(&mut position, true, almost);
        assert_eq!((found.best, found.pv.first().copied(), found.depth), (whole.best, whole.best, 4));
    }
    assert!(changed > 3, "{changed}");
}

/// What an iteration gives that is broken off is no worse at its depth than the move of the one before, in whatever order moves are
/// tried: without a table nothing is remembered of the root.
#[test]
fn an_iteration_that_is_broken_off_is_no_worse_than_the_one_before() {
    let to_depth = |depth| Limits::to_depth(depth).unwrap();
    for (index, mut position) in random_positions::<Xiangqi>(5, 40).into_iter().enumerate() {
        let settings = SearchSettings {
            partial_iterations: true,
            transposition_mb: 0,
            aspiration: index % 2 == 0,
            ..SearchSettings::exact()
        };
        let text = position.notation();
        let rated = AlphaBeta::new(settings).rate_moves(&mut position, &mut Material, 4);
        let value = |found: &SearchResult<Move>| rated.iter().find(|rated| Some(rated.0) == found.best).unwrap().1;
        let mut search = |limits| AlphaBeta::new(settings).search(&mut position, &mut Material, limits);
        let (before, whole) = (search(to_depth(3)), search(to_depth(4)));
        let step = ((whole.nodes - before.nodes) / 8).max(1) as usize;
        for nodes in (before.nodes + 1..whole.nodes).step_by(step) {
            let found = search(to_depth(4).and_nodes(nodes).unwrap());
            assert!(value(&found) >= value(&before), "{text}, {nodes} nodes: {found:?} after {before:?}");
        }
    }
}

#[test]
fn a_mate_is_not_given_up_by_an_iteration_that_is_broken_off() {
    let is_won = |found: &SearchResult<Move>| mate_distance(found.score).is_some_and(|plies| plies > 0);
    let to_depth = |depth| Limits::to_depth(depth).unwrap();
    for transposition_mb in [0, 1] {
        // Without a table no best move is known anywhere: every node would be searched less deep. And the mate begins with a capture,
        // which would be tried first all the same.
        let [internal_reductions, noisy_first] = [transposition_mb > 0; 2];
        let usual = SearchSettings::of_game::<Xiangqi>();
        let settings = SearchSettings { transposition_mb, internal_reductions, noisy_first, ..usual };
        let mut position = Xiangqi::from_notation("9/1R2R1rN1/3r1k3/p1p6/9/4c4/P1P5P/3C5/3KA4/9 w").unwrap();
        let mut search = |limits| AlphaBeta::new(settings).search(&mut position, &mut Traditional::default(), limits);
        let before = (1..=10).map(|depth| search(to_depth(depth))).find(is_won).unwrap();
        let deeper = to_depth(before.depth + 1);
        let whole = search(deeper);
        let step = ((whole.nodes - before.nodes) / 16).max(1) as usize;
        for nodes in (before.nodes + 1..whole.nodes).step_by(step) {
            let found = search(deeper.and_nodes(nodes).unwrap());
            assert!(found.score >= before.score, "{nodes} nodes: {found:?} after {before:?}");
        }
    }
}

#[test]
fn a_clone_forgets_when_told_to_and_leaves_the_other_its_memory() {
    let (limits, position) = (Limits::to_depth(4).unwrap(), SmallConnect::start());
    let search = |searcher: &mut AlphaBeta<SmallConnect>| {
        searcher.search(&mut position.clone(), &mut LineCounter { centre: 1 }, limits)
    };
    let mut searcher = AlphaBeta::new(SearchSettings::default());
    let first = search(&mut searcher);
    let mut clone = searcher.clone();
    clone.clear();
    assert_eq!(search(&mut clone), first);
    assert_ne!(search(&mut searcher).nodes, first.nodes, "the table still helps");
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
    let settings = exact(4);
    let mut evaluator = LineCounter { centre: 1 };
    for mut position in random_positions::<SmallConnect>(50, 10) {
        let found = AlphaBeta::new(settings).rate_moves(&mut position.clone(), &mut evaluator, 2);
        assert_eq!(found, rated_by_minimax(&mut position, &mut evaluator, 2, settings.leaf()));
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

/// Counts pieces by usual values, from the side to move's point of view.
struct Material;

impl Evaluator<Xiangqi> for Material {
    fn evaluate(&mut self, position: &Xiangqi) -> i32 {
        let worth = |role| match role {
            Role::King => 0,
            Role::Rook => 600,
            Role::Cannon => 285,
            Role::Horse => 270,
            Role::Elephant | Role::Advisor => 120,
            Role::Pawn => 20,
        };
        // The points make most values differ, so that a wrong value shows.
        let of = |side| position.pieces_of(side).map(|(square, role)| worth(role) + (square % 7) as i32).sum::<i32>();
        (of(Side::First) - of(Side::Second)) * position.side_to_move().sign()
    }

    fn expected_result(&self, score: i32) -> f64 {
        (f64::from(score) / 600.0).tanh()
    }
}

#[test]
fn alpha_beta_equals_minimax_on_xiangqi() {
    let mut positions = random_positions::<Xiangqi>(220, 120);
    assert_equal_values(&mut positions, &mut Material, 2, 2);
    assert_equal_values(&mut positions[..12], &mut Material, 3, 1);
}

/// Positions that have occurred twice: the third time ends the game, which plain and fast search must see alike.
#[test]
fn alpha_beta_equals_minimax_next_to_repetition() {
    let bare = SearchSettings::bare();
    let with_table = SearchSettings { transposition_mb: 1, table_move_first: true, ..bare };
    let mut ends = 0;
    for mut position in random_positions::<Xiangqi>(20, 30) {
        shuffle_until_almost_repeated(&mut position);
        for depth in 1..=3 {
            let value = minimax(&mut position, &mut Material, depth, bare.leaf()).score;
            for settings in [bare, with_table] {
                let limits = Limits::to_depth(depth).unwrap();
                let found = AlphaBeta::new(settings).search(&mut position, &mut Material, limits);
                assert_eq!(found.score, value, "{} at depth {depth}: {settings:?}", position.notation());
            }
        }
        ends += usize::from(has_repeating_move(&mut position));
    }
    assert!(ends >= 10, "repetition is within reach in {ends} of 20");
}

/// What was found where a repetition was near must not be remembered for the same position with another past.
#[test]
fn values_that_rest_on_a_repetition_are_not_remembered() {
    let settings = SearchSettings { transposition_mb: 1, ..SearchSettings::bare() };
    let mut changed = 0;
    for mut position in random_positions::<Xiangqi>(60, 60) {
        shuffle_until_almost_repeated(&mut position);
        let moves: Vec<_> = position.moves_made().collect();
        position.undo();
        position.undo();
        let mut searcher = AlphaBeta::new(settings);
        searcher.rate_moves(&mut position, &mut Material, 3);
        position.play(moves[moves.len() - 2]);
        let with_past = rated_by_minimax(&mut position, &mut Material, 2, Leaf::Static);
        let mut fresh = Xiangqi::from_notation(&position.notation()).unwrap();
        let without_past = rated_by_minimax(&mut fresh, &mut Material, 2, Leaf::Static);
        changed += usize::from(with_past != without_past);
        assert_eq!(searcher.rate_moves(&mut fresh, &mut Material, 2), without_past, "{}", fresh.notation());
    }
    assert!(changed >= 3, "the past matters in {changed} of 60 positions");
}

/// Moves a piece of each side to and fro until one more move would repeat for the third time.
fn shuffle_until_almost_repeated(position: &mut Xiangqi) {
    let there_and_back = |position: &Xiangqi| {
        let moves = position.moves();
        moves.into_iter().find(|&mv| position.noise_of(mv) == 0)
    };
    let back = |text: &str| format!("{}{}", &text[2..], &text[..2]);
    let Some(first) = there_and_back(position) else { return };
    position.play(first);
    let Some(second) = there_and_back(position) else { return };
    position.play(second);
    let cycle = [back(&first.to_string()), back(&second.to_string()), first.to_string(), second.to_string()];
    for text in cycle.iter().cycle().take(7) {
        let Ok(mv) = position.parse_move(text) else { return };
        position.play(mv);
        if position.end().is_some() {
            position.undo();
            return;
        }
    }
}

fn has_repeating_move(position: &mut Xiangqi) -> bool {
    let moves = position.moves();
    moves.into_iter().any(|mv| {
        position.play(mv);
        let ended = position.end_by_history().is_some();
        position.undo();
        ended
    })
}

#[test]
fn heuristics_save_nodes() {
    let nodes = |settings| {
        let limits = Limits::to_depth(4).unwrap();
        AlphaBeta::new(settings).search(&mut Xiangqi::start(), &mut Material, limits).nodes
    };
    let still = SearchSettings::exact();
    let unordered = SearchSettings { noisy_first: false, killers: false, history: false, ..still };
    assert!(nodes(still) * 2 < nodes(unordered));
    assert!(nodes(unordered) < nodes(SearchSettings::bare()));
}

/// Depth, line, score and first move of a report.
type Reported = (u32, usize, i32, Move);

/// Searches with everything that [`Control`] steers.
fn steered(
    position: &mut Xiangqi,
    settings: SearchSettings,
    threads: usize,
    (limits, lines, excluded): (Limits, usize, &[Move]),
    stopper: &Stopper,
) -> (SearchResult<Move>, Vec<Reported>) {
    let mut reports = Vec::new();
    let mut report = |found: Iteration<'_, Move>| reports.push((found.depth, found.line, found.score, found.pv[0]));
    let mut evaluators: Vec<Box<dyn Evaluator<Xiangqi>>> = (0..threads).map(|_| Box::new(Material) as _).collect();
    let mut control = Control { stopper, excluded, lines, report: &mut report };
    let found = AlphaBeta::new(settings).search_with(position, &mut evaluators, limits, &mut control);
    (found, reports)
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let limits = Limits::to_depth(2).unwrap();
    for mut position in random_positions::<Xiangqi>(12, 60) {
        let settings = exact(2);
        let mut rated = AlphaBeta::new(settings).rate_moves(&mut position.clone(), &mut Material, 2);
        rated.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        let (_, reports) = steered(&mut position, settings, 1, (limits, 3, &[]), &Stopper::new());
        let last: Vec<_> = reports.iter().filter(|report| report.0 == 2).collect();
        assert_eq!(last.len(), rated.len().min(3));
        for (at, &&(_, line, score, mv)) in last.iter().enumerate() {
            assert_eq!((line, score), (at + 1, rated[at].1), "{}", position.notation());
            assert!(rated.contains(&(mv, score)));
            assert!(last[..at].iter().all(|other| other.3 != mv));
        }
        let best = last[0].3;
        let (without, _) = steered(&mut position, settings, 1, (limits, 1, &[best]), &Stopper::new());
        assert_eq!(without.best.map(|mv| mv != best), rated.get(1).map(|_| true));
        assert_eq!(without.best.map(|_| without.score), rated.get(1).map(|&(_, score)| score));
    }
}

#[test]
fn a_stopped_search_gives_the_move_of_its_first_iteration() {
    let (limits, stopper) = (Limits::to_depth(MAX_DEPTH).unwrap(), Stopper::new());
    stopper.stop();
    let (found, _) = steered(&mut Xiangqi::start(), SearchSettings::default(), 2, (limits, 1, &[]), &stopper);
    assert_eq!(found.depth, 1);
    assert!(found.best.is_some());
    let clock = Stopper::new();
    clock.allow(Duration::ZERO, Duration::ZERO);
    let (found, _) = steered(&mut Xiangqi::start(), SearchSettings::default(), 1, (limits, 1, &[]), &clock);
    assert_eq!(found.depth, 1);
}

/// Where Black threatens to complete six, White's first iteration over all stones takes long: with one four, which two stones stop, and
/// with two of them, where every stone that was tried loses.
#[test]
fn a_first_iteration_that_takes_long_is_stopped_too_and_gives_a_move() {
    let one = "19/19/19/2w16/19/19/19/6bbbb9/19/19/19/19/19/19/2w16/19/19/16w2/19 w 2";
    let two = "19/19/19/2w16/19/19/19/6bbbb9/19/19/19/19/19/6bbbb9/2w16/19/19/16w2/19 w 2";
    let (limits, stopper) = (Limits::to_depth(MAX_DEPTH).unwrap(), Stopper::new());
    stopper.stop();
    for text in [one, two] {
        for driver in [Driver::AlphaBeta, Driver::MtdfZero] {
            let usual = SearchSettings::of_game::<Connect6>();
            let settings = SearchSettings { driver, width: 0, forced_win_nodes: 0, ..usual };
            let mut position = Connect6::from_notation(text).unwrap();
            let mut evaluators = [Box::new(StaticEvaluator::default()) as Box<dyn Evaluator<_>>];
            let mut control = Control { stopper: &stopper, excluded: &[], lines: 1, report: &mut |_| () };
            let found = AlphaBeta::new(settings).search_with(&mut position, &mut evaluators, limits, &mut control);
            assert!(position.is_free(found.best.unwrap()), "{found:?}");
            assert_eq!((found.depth, found.best, mate_distance(found.score)), (0, found.pv.first().copied(), None));
            assert!(found.nodes < 10_000, "{found:?}");
        }
    }
}

#[test]
fn threads_that_share_a_table_find_the_mate() {
    let mut position = Xiangqi::from_notation("3k5/R8/9/1R7/9/9/8p/9/9/4K4 w").unwrap();
    let limits = Limits::to_depth(6).unwrap();
    for threads in 1..=4 {
        let settings = SearchSettings::default();
        let (found, _) = steered(&mut position, settings, threads, (limits, 1, &[]), &Stopper::new());
        assert_eq!(found.score, WIN - 1, "{threads} threads");
    }
}

#[test]
fn null_windows_at_the_root_are_counted_under_mtdf_alone() {
    let (mut position, limits) = (Xiangqi::start(), Limits::to_depth(3).unwrap());
    for (driver, least) in [(Driver::AlphaBeta, 0), (Driver::MtdfZero, 3), (Driver::MtdfFixed, 3)] {
        let settings = SearchSettings { driver, ..SearchSettings::default() };
        let found = AlphaBeta::new(settings).search(&mut position, &mut Material, limits).null_windows;
        assert_eq!((found >= least, found > 0), (true, least > 0), "{driver:?}: {found}");
    }
}

/// Each heuristic does something, and all of them together save most of the nodes.
#[test]
fn every_switch_matters() {
    let limits = Limits::to_depth(6).unwrap();
    let mut positions = random_positions::<Xiangqi>(6, 40);
    // Little but repetition is to be done in the first, and red mates in three in the second.
    let more = ["4k4/9/4b4/9/9/9/9/4B4/4A4/R2K5 w", "9/1R2R1rN1/3r1k3/p1p6/9/4c4/P1P5P/3C5/3KA4/9 w"];
    positions.extend(more.map(|fen| Xiangqi::from_notation(fen).unwrap()));
    let mut nodes = |settings: SearchSettings| -> u64 {
        let search = |position: &mut Xiangqi| AlphaBeta::new(settings).search(position, &mut Material, limits).nodes;
        positions.iter_mut().map(search).sum()
    };
    let all = SearchSettings::default();
    let total = nodes(all);
    // Whole turns are of games whose turns are several moves, partial iterations of searches that are broken off; both have tests of their own.
    let is_switch = |setting: &&Setting| {
        matches!(setting.kind, Kind::Flag) && !["whole_turns", "partial_iterations"].contains(&setting.name)
    };
    for setting in SearchSettings::declared().iter().filter(is_switch) {
        let without = all.with(&format!("{}=false", setting.name)).unwrap();
        assert_ne!(nodes(without), total, "{}", setting.name);
    }
    let selective_off = SearchSettings { quiescence: true, quiescence_plies: 32, ..SearchSettings::exact() };
    assert!(total * 5 < nodes(selective_off));
}

/// The behaviour of the search in one number: it changes only when the search is meant to change.
#[test]
fn value_stability_of_the_search() {
    let limits = Limits::to_depth(5).unwrap();
    let found = AlphaBeta::new(SearchSettings::default()).search(&mut Xiangqi::start(), &mut Material, limits);
    assert_eq!((found.nodes, found.score, found.pv.len()), (3_036, -2, 5));
}
