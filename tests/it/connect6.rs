//! Connect6: the rules against a scan of all lines, position and record texts, and real games.

use roughboard::game::playout::random_moves;
use roughboard::game::{Game, Notation, Outcome, SearchHints, Side};
use roughboard::games::connect6::{Connect6, POINTS, Point, SIZE};
use roughboard::random::{Stream, stream};

use crate::command::{collection, roughboard};
use crate::records::file;

fn play(text: &str) -> Connect6 {
    let mut game = Connect6::start();
    for stone in text.split_whitespace() {
        game.play(game.parse_move(stone).unwrap_or_else(|error| panic!("{error} in {game:?}")));
    }
    game
}

/// The length of the longest row of `side`, found by walking from every point in every direction.
fn longest_row(game: &Connect6, side: Side) -> usize {
    let owned = |column: isize, row: isize| {
        let point = usize::try_from(column).ok().zip(usize::try_from(row).ok()).and_then(|(c, r)| Point::at(c, r));
        point.is_some_and(|point| game.stone(point) == Some(side))
    };
    let size = SIZE as isize;
    let starts = (0..size).flat_map(|column| (0..size).map(move |row| (column, row)));
    let rays = starts.flat_map(|start| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|step| (start, step)));
    rays.map(|((column, row), (right, up))| (0..size).take_while(|k| owned(column + k * right, row + k * up)).count())
        .max()
        .unwrap()
}

/// The free points that would give `side` six in a row, found by walking both ways from each.
fn winning_points(game: &Connect6, side: Side) -> Vec<Point> {
    let own = |point: Point, right: isize, up: isize| {
        let along = |k: usize| {
            let [column, row] =
                [(point.column(), right), (point.row(), up)].map(|(at, step)| at.checked_add_signed(step * k as isize));
            Point::at(column?, row?).filter(|&point| game.stone(point) == Some(side))
        };
        (1..SIZE).map_while(along).count()
    };
    let wins = |&point: &Point| {
        let row = |(right, up)| own(point, right, up) + own(point, -right, -up) + 1;
        [(1, 0), (0, 1), (1, 1), (1, -1)].map(row).into_iter().any(|stones| stones >= 6)
    };
    (0..POINTS).map(Point::new).filter(|&point| game.stone(point).is_none()).filter(wins).collect()
}

/// Random games in which each side has a corner of its own, so that rows come about, checked against the scan.
#[test]
fn six_in_a_row_is_what_a_scan_of_all_lines_finds() {
    let mut ends = 0;
    for number in 0..12 {
        let mut game = Connect6::start();
        let mut stream = stream(3, "connect6", number);
        while game.end().is_none() && game.plies() < 80 {
            check_against_scan(&game);
            let mv = near_own_corner(&game, &mut stream);
            game.play(mv);
        }
        ends += usize::from(game.end().is_some());
        for side in [Side::First, Side::Second] {
            let won = game.end().is_some_and(|end| end.outcome == Outcome::Win(side));
            assert_eq!(won, longest_row(&game, side) >= 6, "{game:?}");
            assert_eq!(game.six(side).is_some(), won);
        }
    }
    assert!(ends > 6, "too few games were won to tell anything: {ends}");
}

/// A random point among 7 x 7 that the opponent keeps away from, or anywhere when the one drawn there is taken.
fn near_own_corner(game: &Connect6, stream: &mut Stream) -> Point {
    let mut one = game.clone();
    random_moves(&mut one, 1, stream, |_| {});
    let drawn = one.moves_made()[game.plies()];
    let corner = 12 * game.side_to_move().index();
    let near = Point::at(corner + drawn.column() % 7, corner + drawn.row() % 7).unwrap();
    if game.stone(near).is_none() { near } else { drawn }
}

fn check_against_scan(game: &Connect6) {
    let mut noisy = Vec::new();
    game.noisy_moves(&mut noisy);
    noisy.retain(|&mv| game.noise_of(mv) == 2);
    assert_eq!(noisy, winning_points(game, game.side_to_move()), "{game:?}");
    if !winning_points(game, game.side_to_move().other()).is_empty() {
        assert!(game.in_check(), "{game:?}");
    }
}

#[test]
fn turns_are_one_stone_then_two_and_two() {
    let mut game = Connect6::start();
    let mut sides = String::new();
    for name in ["a1", "c1", "e1", "g1", "i1", "k1", "m1", "o1"] {
        sides.push(if game.side_to_move() == Side::First { 'B' } else { 'W' });
        game.play(game.parse_move(name).unwrap());
    }
    assert_eq!(sides, "BWWBBWWB");
    assert_eq!(game.notation().rsplit('/').next(), Some("b1w1w1b1b1w1w1b4 b 1"));
}

#[test]
fn the_key_knows_the_stones_left() {
    let rows = "19/".repeat(18) + "19";
    let keys =
        ["b 1", "b 2", "w 1", "w 2"].map(|turn| Connect6::from_notation(&format!("{rows} {turn}")).unwrap().key());
    assert_eq!(std::collections::HashSet::from(keys).len(), 4);
    // The order of the stones of a turn does not matter.
    assert_eq!(play("j10 k11 i11").key(), play("j10 i11 k11").key());
}

#[test]
fn seven_in_a_row_wins_and_nothing_follows() {
    let game = play("a1 a10 c12 b1 c1 e14 g16 e1 f1 i18 k5 g1 s19 m7 o9 d1");
    assert_eq!(game.end().map(|end| end.outcome), Some(Outcome::Win(Side::First)));
    assert_eq!(game.count_legal_moves(), 0);
    assert!(game.parse_move("j10").unwrap_err().to_string().contains("black has won"));
    assert!(play("j10").parse_move("j10").unwrap_err().to_string().contains("j10 is not free"));
}

#[test]
fn a_full_board_is_a_draw() {
    // No line of this pattern has more than two equal stones in a row.
    let stone = |row: usize, column: usize| if (column + 2 * row) % 4 < 2 { 'b' } else { 'w' };
    let rows: Vec<String> = (0..SIZE).map(|row| (0..SIZE).map(|column| stone(row, column)).collect()).collect();
    let full = Connect6::from_notation(&format!("{} w 2", rows.join("/"))).unwrap();
    assert_eq!(full.end().map(|end| (end.outcome, end.reason)), Some((Outcome::Draw, "full board")));
    assert_eq!(full.count_legal_moves(), 0);
}

#[test]
fn bad_positions_are_refused_where_they_are_wrong() {
    let rows = "19/".repeat(18) + "19";
    let six = "bbbbbb7wwwwww/".to_owned() + &"19/".repeat(17) + "19 b 2";
    for (text, words) in [
        (rows.clone(), "the side to move, `b` or `w`, found the end"),
        (format!("{rows} r 1"), "the side to move, `b` or `w`, found `r`"),
        (format!("{rows} b 3"), "the stones left in the turn, `1` or `2`, found `3`"),
        (format!("{rows} b 1 x"), "at character 62: expected the end, found `x`"),
        (rows.replacen("19", "20", 1), "at character 1: expected 19 more points of row 19, found `20`"),
        (rows.replacen("19", "18", 1), "at character 3: expected 1 more points of row 19, found `/`"),
        ("19/19".to_owned(), "at character 1: expected 6 to 19 rows with `/` between them, found 2"),
        ("6/6/6/6/6/6 b".to_owned(), "the stones left in the turn, `1` or `2`, found the end"),
        ("6/6/6/7/6/6 b 1".to_owned(), "at character 7: expected 6 more points of row 3, found `7`"),
        (six, "six in a row of one side at most"),
    ] {
        let error = Connect6::from_notation(&text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn the_commands_know_the_game() {
    let document = roughboard(&["perft", "--game", "connect6", "--depth", "2", "--json"]).ended(0).json();
    assert_eq!((&document["counts"][0]["nodes"], &document["counts"][1]["nodes"]), (&361.into(), &(361 * 360).into()));
    let refusal = roughboard(&["perft", "--game", "connect6", "--generator", "scan", "--depth", "1"]).refusal();
    assert_eq!(refusal, "error: `--generator` needs `--game xiangqi`\n");
    let folder = tempfile::tempdir().unwrap();
    let games =
        file(folder.path(), "games.pgn", "[Result \"1-0\"]\n\nj10 k11 i11 a1 1-0\n\n[Result \"0-1\"]\n\nj10 j10 0-1\n");
    let text = roughboard(&["games", "read", "--game", "connect6", &games]).ended(1).stdout;
    assert!(text.contains("black won 1, drawn 0, white won 0") && text.contains("`j10` is illegal"), "{text}");
}

#[test]
fn every_real_game_ends_with_its_last_stone() {
    let Some(path) = collection("connect6-8280.tsv.zst") else { return };
    let text = String::from_utf8(zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap()).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("id\tresult\tstones\tends_in_six\tmoves"));
    let mut games = 0;
    for line in lines {
        let [id, result, stones, _, moves] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let mut game = Connect6::start();
        for stone in moves.split(' ') {
            assert_eq!(game.end(), None, "{id} goes on after its end");
            game.play(game.parse_move(stone).unwrap_or_else(|error| panic!("{id}: {error}")));
        }
        assert_eq!(game.plies().to_string(), stones, "{id}");
        let winner = if result == "1-0" { Side::First } else { Side::Second };
        assert_eq!(
            game.end().map(|end| (end.outcome, end.reason)),
            Some((Outcome::Win(winner), "six in a row")),
            "{id}"
        );
        games += 1;
    }
    assert_eq!(games, 8280);
}
