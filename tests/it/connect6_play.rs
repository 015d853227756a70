//! Connect6 as a search sees it: candidates, classes of stretches, symmetries and the static evaluation, each against a scan of
//! all runs of six points or all lines.

use std::collections::BTreeSet;

use roughboard::eval::connect6::{StaticEvaluator, Values, default_values_text, handset_values_text, static_evaluator};
use roughboard::eval::{Evaluator, MAX_EVAL};
use roughboard::game::playout::random_moves;
use roughboard::game::symmetry::{MIRROR, Symmetric};
use roughboard::game::{Game, Notation, SearchHints, Side};
use roughboard::games::connect6::{Connect6, N_PATTERNS, POINTS, Point, SIX, SIZE, Stretch, THREAT};
use roughboard::random::stream;

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Every size of board but the largest, a few positions of random games each.
fn on_small_boards(games: u64, check: impl Fn(&Connect6)) {
    for size in SIX..SIZE {
        for number in 0..games {
            let mut game = Connect6::of_size(size).unwrap();
            random_moves(&mut game, POINTS, &mut stream(5, "small boards", number), |game| {
                if game.plies() % 7 < 2 {
                    check(game);
                }
            });
        }
    }
}

/// The points from `first` on in steps of `right` and `up`, up to the edge.
fn ray(first: Point, (right, up): (isize, isize), size: usize) -> impl Iterator<Item = Point> {
    let next = move |point: &Point| {
        let (column, row) = (point.column().checked_add_signed(right)?, point.row().checked_add_signed(up)?);
        Point::at(column, row).filter(|point| point.is_within(size))
    };
    std::iter::successors(Some(first), next)
}

fn points_of(size: usize) -> impl Iterator<Item = Point> {
    (0..POINTS).map(Point::new).filter(move |point| point.is_within(size))
}

/// All runs of six points.
fn runs_of_six(size: usize) -> Vec<Vec<Point>> {
    let starts = points_of(size).flat_map(|point| [(1, 0), (0, 1), (1, 1), (-1, 1)].map(|step| (point, step)));
    let runs = starts.map(|(point, step)| ray(point, step, size).take(SIX).collect::<Vec<_>>());
    runs.filter(|run| run.len() == SIX).collect()
}

fn stones_in(run: &[Point], game: &Connect6, side: Side) -> usize {
    run.iter().filter(|&&point| game.stone(point) == Some(side)).count()
}

/// The stones of `side` in each run that holds none of its opponent.
fn open_runs<'a>(
    runs: &'a [Vec<Point>],
    game: &'a Connect6,
    side: Side,
) -> impl Iterator<Item = (&'a Vec<Point>, usize)> {
    let open = runs.iter().filter(move |run| stones_in(run, game, side.other()) == 0);
    open.map(move |run| (run, stones_in(run, game, side)))
}

/// Whether `side` can fill a run within one turn.
fn threatens(runs: &[Vec<Point>], game: &Connect6, side: Side) -> bool {
    open_runs(runs, game, side).any(|(_, stones)| stones >= THREAT)
}

#[test]
fn boards_of_every_size_are_set_up_written_and_counted() {
    for size in SIX..=SIZE {
        let game = Connect6::of_size(size).unwrap();
        let runs = runs_of_six(size).len();
        assert_eq!((game.size(), game.count_legal_moves()), (size, size * size));
        assert_eq!(game.open_windows(Side::First, 0), runs);
        let again = Connect6::from_notation(&game.notation()).unwrap();
        assert_eq!((again.size(), again.key()), (size, game.key()));
    }
    for size in [0, 5, 20] {
        let error = Connect6::of_size(size).unwrap_err().to_string();
        assert_eq!(error, format!("`size` must be from 6 to 19, got {size}"));
    }
    let outside = Connect6::of_size(9).unwrap().parse_move("j1").unwrap_err().to_string();
    assert_eq!(outside, "`j1` is illegal: j1 is outside the board of 9 x 9 points");
}

#[test]
fn boards_of_different_sizes_have_different_keys() {
    let keys: BTreeSet<u64> = (SIX..=SIZE).map(|size| Connect6::of_size(size).unwrap().key()).collect();
    assert_eq!(keys.len(), SIZE - SIX + 1);
    let mut game = Connect6::of_size(7).unwrap();
    random_moves(&mut game, 9, &mut stream(8, "keys", 0), |_| {});
    for image in 0..Connect6::IMAGES {
        assert_eq!(game.image(image).key(), game.image_key(image), "{image}");
    }
}

#[test]
fn small_boards_are_played_to_their_ends() {
    let mut draws = 0;
    for number in 0..40 {
        let mut game = Connect6::of_size(6).unwrap();
        random_moves(&mut game, POINTS, &mut stream(6, "small boards", number), |_| {});
        let end = game.end().unwrap();
        draws += usize::from(end.reason == "full board");
        assert!(game.candidates_of(SIZE).is_empty());
        if end.reason == "full board" {
            assert!(game.parse_move("a1").unwrap_err().to_string().ends_with("the board is full"));
        }
    }
    assert!(draws > 0, "no game filled the board");
}

trait Candidates {
    fn candidates_of(&self, width: usize) -> Vec<Point>;
}

impl Candidates for Connect6 {
    fn candidates_of(&self, width: usize) -> Vec<Point> {
        let mut candidates = Vec::new();
        self.candidates(width, &mut candidates);
        candidates
    }
}

#[test]
fn counts_kept_move_by_move_are_those_of_a_scan() {
    on_small_boards(1, check_counts);
    let mut game = Connect6::start();
    random_moves(&mut game, 120, &mut stream(7, "small boards", 0), |game| {
        if game.plies().is_multiple_of(17) {
            check_counts(game);
        }
    });
}

/// Classes of stretches and open windows against walks over the board, and what is kept in a copy without a past.
fn check_counts(game: &Connect6) {
    let runs = runs_of_six(game.size());
    let fresh = Connect6::from_notation(&game.notation()).unwrap();
    for side in SIDES {
        let mut counts = [0; SIX + 1];
        open_runs(&runs, game, side).for_each(|(_, stones)| counts[stones] += 1);
        for (stones, count) in counts.into_iter().enumerate() {
            assert_eq!(game.open_windows(side, stones), count, "{stones} in {game:?}");
        }
        assert_eq!(*game.patterns(side), patterns_of_a_scan(game, side), "{game:?}");
        assert_eq!(game.patterns(side), fresh.patterns(side), "{game:?}");
    }
    assert_eq!(game.in_check(), threatens(&runs, game, game.side_to_move().other()), "{game:?}");
}

/// The stretches of `side` by class: each is found from its first point.
fn patterns_of_a_scan(game: &Connect6, side: Side) -> [u16; N_PATTERNS] {
    let mut patterns = [0; N_PATTERNS];
    let free_of_enemy = |point: &Point| game.stone(*point) != Some(side.other());
    for point in points_of(game.size()).filter(free_of_enemy) {
        for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let before = ray(point, (-right, -up), game.size()).nth(1);
            let stretch: Vec<_> = ray(point, (right, up), game.size()).take_while(free_of_enemy).collect();
            if before.is_some_and(|before| free_of_enemy(&before)) || stretch.len() < SIX {
                continue;
            }
            let text: String =
                stretch.iter().map(|&point| if game.stone(point).is_some() { 'X' } else { '.' }).collect();
            patterns[Stretch::parse(&text).unwrap().pattern().index()] += 1;
        }
    }
    patterns
}

/// What is at stake for the side to move.
#[derive(Debug, PartialEq, Eq)]
enum Stake {
    Six,
    Defence,
    Lost,
    Nothing,
}

/// On small boards, full of stones, every way to play out the turn is tried.
#[test]
fn candidates_hold_every_win_and_every_defence() {
    let runs = runs_of_six(7);
    let mut seen = [0; 4];
    for number in 0..400 {
        let mut game = Connect6::of_size(7).unwrap();
        random_moves(&mut game, 12 + number as usize % 20, &mut stream(8, "candidates", number), |_| {});
        if game.end().is_none() {
            seen[check_candidates(&mut game, &runs) as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&seen| seen >= 5), "too few positions of a kind: {seen:?}");
}

fn check_candidates(game: &mut Connect6, runs: &[Vec<Point>]) -> Stake {
    let side = game.side_to_move();
    let candidates: BTreeSet<_> = game.candidates_of(POINTS).into_iter().collect();
    assert!(!candidates.is_empty() && candidates.iter().all(|&point| game.is_free(point)), "{game:?}");
    let wins = turns_after_which(game, |game| open_runs(runs, game, side).any(|(_, stones)| stones == SIX));
    if !wins.is_empty() {
        // Where one stone wins, nothing else is looked at.
        let shortest = wins.iter().map(Vec::len).min();
        let of_use: BTreeSet<_> = wins.into_iter().filter(|turn| Some(turn.len()) == shortest).flatten().collect();
        assert_eq!(candidates, of_use, "{game:?}");
        return Stake::Six;
    }
    if !threatens(runs, game, side.other()) {
        check_near(game, &candidates);
        return Stake::Nothing;
    }
    let saves = turns_after_which(game, |game| !threatens(runs, game, side.other()));
    for turn in &saves {
        assert!(turn.iter().any(|stone| candidates.contains(stone)), "{turn:?} saves {game:?}");
    }
    for &stone in &candidates {
        assert!(saves.is_empty() || saves_with(game, stone, runs), "{stone} is lost in {game:?}");
    }
    if saves.is_empty() { Stake::Lost } else { Stake::Defence }
}

/// Whether a turn that begins with `stone` stops all threats of the opponent.
fn saves_with(game: &mut Connect6, stone: Point, runs: &[Vec<Point>]) -> bool {
    let (side, is_last) = (game.side_to_move(), game.stones_left() == 1);
    let is_safe = |game: &Connect6| !threatens(runs, game, side.other());
    game.play(stone);
    let saves = is_safe(game) || (!is_last && !turns_after_which(game, is_safe).is_empty());
    game.undo();
    saves
}

/// The turns after which `holds`: single stones, and pairs of stones of which neither does alone.
fn turns_after_which(game: &mut Connect6, holds: impl Fn(&Connect6) -> bool) -> Vec<Vec<Point>> {
    let legal = game.moves();
    let alone: Vec<bool> = legal.iter().map(|&stone| after(game, &[stone], &holds)).collect();
    let mut turns: Vec<_> = (0..legal.len()).filter(|&k| alone[k]).map(|k| vec![legal[k]]).collect();
    if game.stones_left() == 2 {
        let pairs = (0..legal.len()).flat_map(|k| (0..k).map(move |j| (j, k)));
        for (j, k) in pairs.filter(|&(j, k)| !alone[j] && !alone[k]) {
            let turn = vec![legal[j], legal[k]];
            if after(game, &turn, &holds) {
                turns.push(turn);
            }
        }
    }
    turns
}

fn after(game: &mut Connect6, turn: &[Point], holds: impl Fn(&Connect6) -> bool) -> bool {
    turn.iter().for_each(|&stone| game.play(stone));
    let held = holds(game);
    turn.iter().for_each(|_| game.undo());
    held
}

/// Where nothing is at stake the candidates are the free points near stones, best first, and fewer are the best of them.
fn check_near(game: &Connect6, candidates: &BTreeSet<Point>) {
    let is_near = |point: Point| {
        points_of(game.size())
            .filter(|&stone| game.stone(stone).is_some())
            .any(|stone| stone.row().abs_diff(point.row()) <= 2 && stone.column().abs_diff(point.column()) <= 2)
    };
    let near: BTreeSet<_> = points_of(game.size()).filter(|&point| game.is_free(point) && is_near(point)).collect();
    assert_eq!(*candidates, near, "{game:?}");
    let all = game.candidates_of(POINTS);
    assert!(all.is_sorted_by_key(|&point| -game.promise_of(point)), "{game:?}");
    for width in [0, 1, 5, 12] {
        assert_eq!(game.candidates_of(width), all[..width.clamp(1, all.len())], "{game:?}");
    }
}

#[test]
fn the_first_candidate_of_an_empty_board_is_its_centre() {
    assert_eq!(Connect6::start().candidates_of(9), [Point::parse("j10").unwrap()]);
    assert_eq!(Connect6::of_size(6).unwrap().candidates_of(9), [Point::parse("d4").unwrap()]);
}

#[test]
fn noisy_moves_fill_a_run_within_the_turn() {
    let runs = runs_of_six(8);
    let mut found = 0;
    for number in 0..60 {
        let mut game = Connect6::of_size(8).unwrap();
        random_moves(&mut game, POINTS, &mut stream(9, "noisy", number), |game| {
            let side = game.side_to_move();
            let mut expected = BTreeSet::new();
            for (run, stones) in open_runs(&runs, game, side) {
                if stones + usize::from(game.stones_left()) >= SIX {
                    expected.extend(run.iter().copied().filter(|&point| game.is_free(point)));
                }
            }
            let mut noisy = Vec::new();
            game.noisy_moves(&mut noisy);
            found += noisy.len();
            assert!(noisy.into_iter().eq(expected), "{game:?}");
        });
    }
    assert!(found > 50, "too few to tell anything: {found}");
}

#[test]
fn images_of_games_have_images_as_moves_keys_and_counts() {
    let mut game = Connect6::start();
    random_moves(&mut game, 90, &mut stream(10, "images", 0), |_| {});
    let moves = game.moves_made().to_vec();
    let mut images = [0; Connect6::IMAGES].map(|_| Connect6::start());
    let mut game = Connect6::start();
    for mv in moves {
        game.play(mv);
        for (number, image) in images.iter_mut().enumerate() {
            image.play(mv.image(number));
            assert_eq!(game.image_key(number), image.key(), "image {number} of {game:?}");
        }
    }
    let distinct: BTreeSet<_> = images.iter().map(Connect6::notation).collect();
    assert_eq!(distinct.len(), Connect6::IMAGES);
    for (number, image) in images.iter().enumerate() {
        assert_eq!(game.image(number).notation(), image.notation());
        assert_eq!(SIDES.map(|side| game.patterns(side)), SIDES.map(|side| image.patterns(side)));
        let moved: BTreeSet<_> = game.candidates_of(POINTS).into_iter().map(|mv| mv.image(number)).collect();
        assert_eq!(image.candidates_of(POINTS).into_iter().collect::<BTreeSet<_>>(), moved);
    }
}

#[test]
fn mirrored_and_exchanged_games_are_worth_the_same_to_who_moves() {
    on_small_boards(1, |game| {
        assert_eq!(game.image(MIRROR).key(), game.image_key(MIRROR));
        assert_eq!(game.image(MIRROR).image(MIRROR).notation(), game.notation());
        let exchanged = game.exchanged();
        assert_eq!((exchanged.plies(), exchanged.stones_left()), (game.plies(), game.stones_left()));
        assert_eq!(exchanged.side_to_move(), game.side_to_move().other());
        assert_eq!((exchanged.exchanged().key(), exchanged.in_check()), (game.key(), game.in_check()));
        for image in [game.image(MIRROR), exchanged] {
            assert_eq!(value(&image), value(game), "{game:?}");
        }
    });
    let game = Connect6::start();
    let mv = game.parse_move("c5").unwrap();
    assert_eq!((mv.image(MIRROR).name(), Connect6::EXCHANGE.unwrap().mv(&game, mv).name()), ("q5", "c5"));
}

fn value(game: &Connect6) -> i32 {
    StaticEvaluator::default().evaluate(game)
}

#[test]
fn an_explanation_adds_up_to_the_value() {
    let values = default_values_text().replace("V = 0", "V = 3").replace("B = 1", "B = -2");
    for evaluator in [StaticEvaluator::default(), StaticEvaluator::new(Values::parse(&values).unwrap())] {
        on_small_boards(1, |game| {
            let explanation = evaluator.explain(game);
            assert_eq!(explanation.value(), evaluator.clone().evaluate(game), "{game:?}");
        });
    }
}

#[test]
fn an_explanation_names_lines_and_ends() {
    let text = "19/19/19/19/19/19/19/19/19/6w2bbb7/19/19/19/19/19/19/19/19/19 b 2";
    let explanation = StaticEvaluator::default().explain(&Connect6::from_notation(text).unwrap());
    let row = explanation.stretches.iter().find(|share| share.line == "row 10").unwrap();
    assert_eq!((row.side, row.content.to_string().as_str()), (Side::First, "..XXX......."));
    assert_eq!((row.ends.map(Point::name), row.pattern.name()), (["h10", "s10"], "L3"));
    let threes = explanation.segments.iter().find(|share| share.side == Side::First && share.stones == 3).unwrap();
    assert_eq!(threes.count, 3);
}

#[test]
fn values_stay_in_range_and_expected_results_are_odd() {
    let six = "bbbbbb13/".to_owned() + &"19/".repeat(17) + "19 w 2";
    let values = default_values_text().replace("A = 1", "A = 1000000");
    let mut evaluator = StaticEvaluator::new(Values::parse(&values).unwrap());
    assert_eq!(evaluator.evaluate(&Connect6::from_notation(&six).unwrap()), -MAX_EVAL);
    let expected = [-MAX_EVAL, -700, 0, 1, 700, MAX_EVAL].map(|score| evaluator.expected_result(score));
    assert!(expected.is_sorted() && expected[0] >= -1.0 && expected[2] == 0.0);
    assert_eq!(expected[1], -expected[4]);
}

#[test]
fn texts_of_values_are_read_and_wrong_ones_refused_where_they_are_wrong() {
    let text = default_values_text();
    assert_eq!(Values::parse(text).unwrap(), Values::default());
    assert_ne!(Values::parse(handset_values_text()).unwrap(), Values::default());
    assert!(static_evaluator("static-handset").unwrap().is_some() && static_evaluator("static-x").unwrap().is_none());
    let worth = Values::parse(&text.replace("V = 0", "  V=-7 # comment")).unwrap().patterns;
    assert_eq!(worth[N_PATTERNS - 1], -7);
    for (text, words) in [
        ("C7 = 5".to_owned(), "line 1: expected one of A, B, C6, DW"),
        ("# x\n\nL5 5".to_owned(), "line 3: expected `NAME = VALUE`, found `L5 5`"),
        ("L5 = 1.5".to_owned(), "line 1: expected a whole number from -1000000 to 1000000, found `1.5`"),
        ("L5 = 1000001".to_owned(), "found `1000001`"),
        ("V = 1\nV = 1".to_owned(), "line 2: expected each name once, found `V` again after line 1"),
        (text.replace("S3 = ", "# S3 = "), "expected a line `S3 = VALUE`, found none"),
        (String::new(), "expected a line `C6 = VALUE`, found none"),
    ] {
        let error = Values::parse(&text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("values.txt");
    std::fs::write(&path, text.replace("V = 0", "V = x")).unwrap();
    let error = static_evaluator(&format!("static:{}", path.display())).unwrap_err();
    let chain: Vec<_> = std::iter::successors(Some(&error as &dyn std::error::Error), |&error| error.source())
        .map(ToString::to_string)
        .collect();
    let chain = chain.join(": ");
    assert!(chain.contains("values.txt") && chain.contains("line ") && chain.ends_with("found `x`"), "{chain}");
    assert!(static_evaluator("static:no such file").is_err());
}
