//! Threats of Connect6 against the definition, wins against brute force, proofs against flaws, and the command.

use std::collections::{BTreeMap, HashMap};

use rand::RngExt;
use roughboard::game::{Game, Notation, Outcome, Side};
use roughboard::games::connect6::threats::{
    Answer, Flaw, Limits, Proof, Solver, Then, forced_win, minimal_blocks, threat_count,
};
use roughboard::games::connect6::{Connect6, POINTS, Point};
use roughboard::random::{Stream, stream};
use serde_json::json;

use crate::command::{Files, roughboard};

const LIMITS: Limits = Limits { turns: 9, nodes: 100_000 };

/// A board of `size` x `size` whose points hold, at random, so many hundredths of stones of the side to move and of the other;
/// none where a row of six came out.
fn drawn(size: usize, hundredths: [u32; 2], stones_left: u8, stream: &mut Stream) -> Option<Connect6> {
    let rows: Vec<_> = (0..size).map(|_| (0..size).map(|_| letter(hundredths, stream)).collect()).collect();
    of_rows(&rows, stones_left)
}

/// The same on 10 x 10 points around the centre of the whole board.
fn around(stream: &mut Stream) -> Option<Connect6> {
    let free = "1".repeat(19);
    let row = |stream: &mut Stream| (0..10).map(|_| letter([16, 12], stream)).collect::<String>();
    let rows = (0..19)
        .map(|number| if (4..14).contains(&number) { format!("1111{}11111", row(stream)) } else { free.clone() });
    of_rows(&rows.collect::<Vec<_>>(), 2)
}

fn letter(hundredths: [u32; 2], stream: &mut Stream) -> char {
    match stream.random_range(0..100) {
        number if number < hundredths[0] => 'b',
        number if number < hundredths[0] + hundredths[1] => 'w',
        _ => '1',
    }
}

/// The position of rows in which every free point is a `1`, black to move; none where the game is over.
fn of_rows(rows: &[String], stones_left: u8) -> Option<Connect6> {
    let runs = |row: &String| row.split_inclusive(['b', 'w']).map(run).collect::<String>();
    let text = format!("{} b {stones_left}", rows.iter().map(runs).collect::<Vec<_>>().join("/"));
    Connect6::from_notation(&text).ok().filter(|game| game.end().is_none())
}

/// Some ones and perhaps a letter behind them, as a number and the letter.
fn run(ones: &str) -> String {
    let free = ones.matches('1').count();
    let number = if free > 0 { free.to_string() } else { String::new() };
    number + ones.trim_start_matches('1')
}

/// Positions for which `drawn` gave one.
fn positions(name: &str, size: usize, hundredths: [u32; 2], stones_left: u8, tries: u64) -> Vec<Connect6> {
    (0..tries).filter_map(|number| drawn(size, hundredths, stones_left, &mut stream(9, name, number))).collect()
}

fn free_points(game: &Connect6) -> Vec<Point> {
    (0..POINTS).map(Point::new).filter(|&point| game.is_free(point)).collect()
}

/// The free points of each run of six that `side` could fill with two stones, by the definition.
fn threats(game: &Connect6, side: Side) -> Vec<Vec<Point>> {
    let steps = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let corner = 0..game.size();
    let starts = corner.clone().flat_map(|row| corner.clone().filter_map(move |column| Point::at(column, row)));
    starts.flat_map(|start| steps.map(|step| threat(game, side, start, step))).flatten().collect()
}

fn threat(game: &Connect6, side: Side, start: Point, (right, up): (isize, isize)) -> Option<Vec<Point>> {
    let mut free = Vec::new();
    for k in 0..6 {
        let point = Point::at(start.column().checked_add_signed(right * k)?, start.row().checked_add_signed(up * k)?)?;
        match game.stone(point) {
            Some(owner) if owner == side => (),
            None if game.is_free(point) => free.push(point),
            _ => return None,
        }
    }
    (free.len() <= 2).then_some(free)
}

fn stop(threats: &[Vec<Point>], stones: &[Point]) -> bool {
    threats.iter().all(|free| free.iter().any(|point| stones.contains(point)))
}

fn pairs(points: &[Point]) -> impl Iterator<Item = [Point; 2]> + '_ {
    points.iter().enumerate().flat_map(|(at, &a)| points[at + 1..].iter().map(move |&b| [a, b]))
}

/// The fewest double-threat turns, at most `most`, by trying every turn of the attacker and every pair of stones of the defender.
fn by_brute_force(game: &Connect6, most: u32) -> Option<u32> {
    let side = game.side_to_move();
    if threats(game, side).iter().any(|free| free.len() <= usize::from(game.stones_left())) {
        return Some(0);
    }
    (1..=most).find(|&turns| attacks(&mut game.clone(), turns))
}

fn attacks(game: &mut Connect6, turns: u32) -> bool {
    let side = game.side_to_move();
    let free = free_points(game);
    let turn_of = |stones: &[Point], game: &mut Connect6| {
        stones.iter().for_each(|&stone| game.play(stone));
        let wins = threats(game, side.other()).is_empty() && holds(game, turns - 1);
        stones.iter().for_each(|_| game.undo());
        wins
    };
    if game.stones_left() == 1 {
        free.iter().any(|&stone| turn_of(&[stone], game))
    } else {
        pairs(&free).any(|pair| turn_of(&pair, game))
    }
}

/// Whether the side that has moved threatens at least doubly and wins with `turns` more turns against each defence.
fn holds(game: &mut Connect6, turns: u32) -> bool {
    let threats = threats(game, game.side_to_move().other());
    let free = free_points(game);
    if threats.is_empty() || free.iter().any(|&stone| stop(&threats, &[stone])) {
        return false;
    }
    pairs(&free).filter(|pair| stop(&threats, pair)).all(|pair| {
        pair.iter().for_each(|&stone| game.play(stone));
        let wins = turns > 0 && attacks(game, turns);
        pair.iter().for_each(|_| game.undo());
        wins
    })
}

#[test]
fn threats_and_blocks_are_those_of_the_definition() {
    let mut counts = BTreeMap::new();
    for game in positions("blocks", 10, [20, 12], 2, 200) {
        let side = game.side_to_move();
        let threats = threats(&game, side);
        let free = free_points(&game);
        let alone: Vec<_> = free.iter().map(|&stone| vec![stone]).filter(|stone| stop(&threats, stone)).collect();
        let fits = |pair: &[Point; 2]| stop(&threats, pair) && !pair.iter().any(|&stone| stop(&threats, &[stone]));
        let both = pairs(&free).filter(fits).map(|pair| pair.to_vec());
        let blocks: Vec<_> = alone.into_iter().chain(both).collect();
        let expected = if threats.is_empty() { Vec::new() } else { blocks };
        assert_eq!(minimal_blocks(&game, side), expected, "{game:?}");
        let stones = threat_count(&game, side);
        *counts.entry(stones.min(3)).or_insert(0) += 1;
        assert_eq!(threats.is_empty(), stones == 0);
        assert_eq!(expected.first().map_or(0, Vec::len), if stones > 2 { 0 } else { stones }, "{game:?}");
    }
    assert!((0..=3).all(|stones| counts.get(&stones).is_some_and(|&count| count > 5)), "{counts:?}");
}

/// The lengths of wins that the solver finds within two turns, each compared with brute force; 9 for none.
fn compared(games: &[Connect6], most: u8) -> BTreeMap<u32, u32> {
    let mut lengths = BTreeMap::new();
    let mut solver = Solver::new();
    for game in games {
        let found = solver.solve(game, Limits { turns: most, ..LIMITS });
        let turns = match &found.answer {
            Answer::Win(proof) => {
                assert_eq!(proof.verify(game), Ok(()), "{game:?}\n{proof}");
                Some(proof.turns())
            }
            Answer::Unknown(_) => panic!("{game:?}: more than {} positions", LIMITS.nodes),
            Answer::Never | Answer::NotWithin(_) => None,
        };
        assert_eq!(turns, by_brute_force(game, u32::from(most)), "{game:?}");
        *lengths.entry(turns.unwrap_or(9)).or_insert(0) += 1;
    }
    lengths
}

#[test]
fn shortest_wins_are_those_of_brute_force() {
    let lengths = compared(&positions("wins", 7, [22, 5], 2, 50), 2);
    assert!([0, 1, 2, 9].iter().all(|turns| lengths.get(turns).is_some_and(|&count| count > 0)), "{lengths:?}");
    let with_one = compared(&positions("one stone", 7, [26, 6], 1, 80), 2);
    assert!([0, 1, 2, 9].iter().all(|turns| with_one.get(turns).is_some_and(|&count| count > 0)), "{with_one:?}");
    let countered = compared(&positions("counters", 7, [22, 20], 2, 60), 2);
    assert!([0, 1, 9].iter().all(|turns| countered.get(turns).is_some_and(|&count| count > 0)), "{countered:?}");
}

/// The result for the side to move with best play by the rules alone.
fn result(game: &mut Connect6, known: &mut HashMap<u64, i32>) -> i32 {
    let side = game.side_to_move();
    if let Some(end) = game.end() {
        return end.outcome.value_for(side);
    }
    if let Some(&value) = known.get(&game.key()) {
        return value;
    }
    let mut best = -1;
    for stone in free_points(game) {
        game.play(stone);
        let value = result(game, known);
        best = best.max(if game.side_to_move() == side { value } else { -value });
        game.undo();
        if best == 1 {
            break;
        }
    }
    known.insert(game.key(), best);
    best
}

/// No win of the solver is false by the rules alone: every continuation of both sides is played to the end.
#[test]
fn wins_are_wins_by_the_rules() {
    let mut lengths = BTreeMap::new();
    let mut solver = Solver::new();
    for mut game in positions("full play", 6, [40, 20], 2, 2000) {
        if free_points(&game).len() > 12 {
            continue;
        }
        if let Answer::Win(proof) = solver.solve(&game, LIMITS).answer
            && proof.turns() > 0
        {
            assert_eq!(result(&mut game, &mut HashMap::new()), 1, "{game:?}\n{proof}");
            *lengths.entry(proof.turns()).or_insert(0) += 1;
        }
    }
    assert!(lengths.values().sum::<u32>() > 3, "{lengths:?}");
}

/// Positions on the whole board with stones around its centre.
fn around_the_centre(tries: u64) -> Vec<Connect6> {
    (0..tries).filter_map(|number| around(&mut stream(9, "centre", number))).collect()
}

#[test]
fn proofs_hold_and_lines_end_in_six() {
    let mut lengths = BTreeMap::new();
    for game in around_the_centre(150) {
        let Answer::Win(proof) = Solver::new().solve(&game, LIMITS).answer else { continue };
        assert_eq!(proof.verify(&game), Ok(()), "{game:?}\n{proof}");
        *lengths.entry(proof.turns()).or_insert(0) += 1;
        let line = proof.line(&game);
        let mut end = game.clone();
        for &stone in &line {
            assert!(end.end().is_none() && end.is_free(stone), "{game:?}: {line:?}");
            end.play(stone);
        }
        assert_eq!(end.end().map(|end| end.outcome), Some(Outcome::Win(game.side_to_move())), "{game:?}: {line:?}");
        assert_eq!(forced_win(&game, LIMITS.nodes, &mut || true), Some(line));
    }
    assert!(lengths.keys().filter(|&&turns| turns > 1).count() > 1, "{lengths:?}");
}

/// A position that is won in two turns, and its proof.
fn won_in_two() -> (Connect6, Proof) {
    for game in around_the_centre(150) {
        if let Answer::Win(proof) = Solver::new().solve(&game, LIMITS).answer
            && proof.turns() == 2
        {
            return (game, proof);
        }
    }
    panic!("no win in two turns")
}

#[test]
fn flaws_of_proofs_are_found() {
    let (game, proof) = won_in_two();
    let flaw = |change: &dyn Fn(&mut Proof)| {
        let mut changed = proof.clone();
        change(&mut changed);
        changed.verify(&game).unwrap_err()
    };
    assert!(matches!(flaw(&|proof| proof.then = Then::Six), Flaw::Six { claimed: true, .. }));
    assert!(matches!(flaw(&|proof| proof.then = Then::Unstoppable), Flaw::Missing { .. }));
    assert!(matches!(flaw(&|proof| proof.stones.truncate(1)), Flaw::Stones { expected: 2, found: 1, .. }));
    assert!(matches!(flaw(&|proof| proof.stones[1] = proof.stones[0]), Flaw::NotFree { .. }));
    let drop_defence = |proof: &mut Proof| {
        let Then::Defences(defences) = &mut proof.then else { panic!("{proof}") };
        defences.pop();
    };
    let missing = flaw(&drop_defence).to_string();
    assert!(missing.contains("no reply to `"), "{missing}");
    let mut lost = game.clone();
    lost.play(proof.stones[0]);
    assert!(proof.verify(&lost).is_err());
}

/// Drawn positions full of double threats that come to nothing. With the defences in the order in which they are found, the first
/// two take more than 30,000 positions each and the last 20,280; the order of their worth needs 93, 154 and 24.
#[test]
fn many_double_threats_that_come_to_nothing_are_soon_refuted() {
    let positions = [
        "19/19/19/19/4bw3b4w4/12b6/4w1w4w2b4/8b3w6/4wb2w2w2b4/5b1w11/10b8/5w1w1w2www4/6w1w10/5b6b1b4/6w3w2b5/19/19/19/19 b 2",
        "19/19/19/19/7b2w2bb4/12w6/8w1w8/19/19/4b1www1b8/4b1w3ww2w4/8b2w2b4/6b6b5/7w11/4w1wwb5b4/19/19/19/19 b 2",
        "19/19/19/19/8b2w2b4/5w2w3b6/5w1bbw1w7/5w6w6/9bw3w4/4b2b1ww1w6/10b8/6ww3b7/5w1b3b1b5/7b11/5w1w2w2w5/19/19/19/19 b 2",
    ];
    for text in positions {
        let game = Connect6::from_notation(text).unwrap();
        let found = Solver::new().solve(&game, Limits { turns: 20, nodes: 30_000 });
        assert_eq!(found.answer, Answer::Never, "{text}");
        assert!(found.nodes <= 1000, "{text}: {} positions", found.nodes);
    }
}

#[test]
fn without_stones_there_is_nothing_to_win() {
    let mut solver = Solver::new();
    let mut game = Connect6::start();
    assert_eq!(solver.solve(&game, LIMITS).answer, Answer::Never);
    game.play(Point::parse("j10").unwrap());
    assert_eq!(solver.solve(&game, LIMITS).answer, Answer::Never);
    assert_eq!(threat_count(&game, Side::First), 0);
    assert!(minimal_blocks(&game, Side::First).is_empty());
    let won = Connect6::from_notation("19/19/19/19/19/19/19/19/19/3bbbbbb10/19/19/19/19/19/19/19/19/19 w 2").unwrap();
    assert_eq!(solver.solve(&won, LIMITS).answer, Answer::Never);
    let (game, _) = won_in_two();
    let answer = solver.solve(&game, Limits { turns: 9, nodes: 1 }).answer;
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert_eq!(Solver::new().solve(&game, Limits { turns: 1, ..LIMITS }).answer, Answer::NotWithin(1));
}

#[test]
fn a_limit_of_one_position_is_enough_for_a_win_in_one_turn_and_none_is_too_few() {
    // Two threes become two open fours.
    let [above, below] = [3, 10].map(|rows| "19/".repeat(rows));
    let game = Connect6::from_notation(&format!("{above}7bbb9/{above}7bbb9/{below}19 b 2")).unwrap();
    let answer = |nodes| Solver::new().solve(&game, Limits { turns: 9, nodes }).answer;
    assert_eq!(answer(0), Answer::Unknown(0));
    assert!(matches!(answer(1), Answer::Win(_)));
}

#[test]
fn the_command_shows_the_win_and_writes_its_proof() {
    let (game, proof) = won_in_two();
    let files = Files::new();
    let [text, document] = ["proof.txt", "proof.json"].map(|name| files.argument(name));
    let fen = game.notation();
    let said = roughboard(&["threats", "--fen", &fen, "--proof", &text]).ended(0).stdout;
    assert!(said.contains("black wins with ") && said.contains(", 2 double-threat turns\nline "), "{said}");
    assert_eq!(std::fs::read_to_string(text).unwrap(), format!("{fen}\n{proof}"));
    let said = roughboard(&["threats", "--fen", &fen, "--proof", &document, "--json"]).ended(0).json();
    assert_eq!((&said["verdict"], &said["turns"]), (&json!("win"), &json!(2)));
    assert_eq!(said["proof"], serde_json::to_value(&proof).unwrap());
    let written: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(document).unwrap()).unwrap();
    assert_eq!(written["proof"], said["proof"]);
}

#[test]
fn the_command_shows_defences() {
    let fen = "19/19/19/19/19/19/19/19/19/3wbbbb11/19/19/19/19/19/19/19/19/19 w 2";
    let said = roughboard(&["threats", "--fen", fen]).ended(0).stdout;
    assert!(said.contains("black's threats need 1 stone to stop\nstopped by i10, j10\n"), "{said}");
    assert!(said.contains("white has no threats\n") && said.contains("white has no win"), "{said}");
    let said = roughboard(&["threats", "--moves", "j10 k11 i11"]).ended(0).stdout;
    assert!(said.contains("black has no win by continuous double threats"), "{said}");
}

#[test]
fn the_example_of_the_documentation_is_won_by_threats() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/connect6.md")).unwrap();
    let example = page.lines().find_map(|line| line.strip_prefix("roughboard threats --moves \"")).unwrap();
    let moves = example.split('"').next().unwrap();
    let said = roughboard(&["threats", "--moves", moves]).ended(0).stdout;
    assert!(said.contains("white wins with "), "{said}");
}

#[test]
fn the_command_refuses_what_it_cannot_use() {
    let over = "19/19/19/19/19/19/19/19/19/3bbbbbb10/19/19/19/19/19/19/19/19/19 w 2";
    let refusals: [(&[&str], &str); 4] = [
        (&["--fen", "19/19"], "`--fen`: invalid position"),
        (&["--moves", "j10 j10"], "`--moves`: stone 2: `j10` is illegal: j10 is not free"),
        (&["--fen", over], "the game is over: six in a row"),
        (&["--proof", "/nowhere/proof.txt"], "cannot write file `/nowhere/proof.txt`"),
    ];
    for (arguments, expected) in refusals {
        let said = roughboard(&[&["threats"], arguments].concat()).refusal();
        assert!(said.contains(expected), "{said}");
    }
    roughboard(&["threats", "--turns", "0"]).ended(2);
    let files = Files::new();
    let path = files.path("proof.txt");
    let said = roughboard(&["threats", "--proof", path.to_str().unwrap()]).refusal();
    assert!(said.contains("no win to prove") && !path.exists(), "{said}");
}
