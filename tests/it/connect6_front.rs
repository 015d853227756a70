//! Connect6 as a user meets it: engine, matches, evaluation, book, records.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use roughboard::arena::{
    Adjudication, AlphaBetaPlayer, Chance, EnginePlayer, Opening, Player, TimeControl, play_game, random_openings,
};
use roughboard::book::{Book, BookSettings, Builder};
use roughboard::engine::Dialect;
use roughboard::engine::client::{Budget, EngineCommand};
use roughboard::game::{Game, Kit, Notation, Outcome, Side};
use roughboard::games::connect6::{Connect6, Point};
use roughboard::observe::Silent;
use roughboard::record::{Encoding, GameRecord, Policy, ReadSettings, Reason, read_bytes, read_games};
use roughboard::search::Limits;
use roughboard::stats::Wdl;

use crate::command::{Files, collection, roughboard, words};
use crate::conversation::Conversation;
use crate::external_engines;

const CHANCE: Chance = Chance { seed: 1, game: 0 };

fn after(moves: &str) -> Connect6 {
    let mut game = Connect6::start();
    moves.split_whitespace().for_each(|text| game.play(game.parse_move(text).unwrap()));
    game
}

/// A conversation with little memory.
pub fn talk() -> Conversation<Connect6> {
    let mut talk = Conversation::new();
    talk.session.set_option("Hash", "1").unwrap();
    talk
}

/// The move that is made in the position that is set up.
fn go(talk: &mut Conversation<Connect6>, limits: &str) -> Point {
    let said = talk.say(&format!("go {limits}"));
    let best = said.lines().last().unwrap().strip_prefix("bestmove ").unwrap();
    Point::parse(best.split(' ').next().unwrap()).unwrap()
}

#[test]
fn the_engine_is_asked_for_one_stone_at_a_time() {
    let mut talk = talk();
    let hello = talk.say("uci");
    assert!(hello.contains("option name EvalFile type string default tdbp\n") && hello.ends_with("uciok\n"));
    assert!(!hello.contains("UCI_Variant"), "{hello}");
    talk.say("position startpos moves j10");
    let first = go(&mut talk, "depth 1");
    talk.say(&format!("position startpos moves j10 {first}"));
    let second = go(&mut talk, "depth 1");
    assert!(first != second && after(&format!("j10 {first} {second}")).side_to_move() == Side::First);
    let fen = after("j10 k11").notation();
    talk.say(&format!("position fen {fen} moves i11"));
    assert!(talk.say("d").contains(&format!("fen {}\n", after("j10 k11 i11").notation())));
}

#[test]
fn what_cannot_be_done_is_told() {
    let mut talk = talk();
    assert_eq!(talk.say("ucci"), "info string error: `ucci` is a protocol for xiangqi: connect6 is played in UCI\n");
    let taken = talk.say("position startpos moves j10 j10");
    assert_eq!(taken, "info string error: move 2 of `position`: `j10` is illegal: j10 is not free\n");
    assert!(talk.say("position startpos moves h2e2").contains("expected one point such as `j10`"));
    let won = "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/bbbbbb13 w 2";
    talk.say(&format!("position fen {won}"));
    assert_eq!(talk.say("go depth 2"), "info depth 0 score mate 0\nbestmove (none)\n");
    assert!(talk.say("setoption name EvalFile value traditional").contains("error"));
}

#[test]
fn a_win_is_found_and_counted_in_stones() {
    let mut talk = talk();
    let four = "19/19/19/19/19/19/19/19/19/6bbbb9/19/19/19/19/19/4ww4ww7/19/19/19 b 2";
    talk.say(&format!("position fen {four}"));
    let first = go(&mut talk, "depth 2");
    talk.say(&format!("position fen {four} moves {first}"));
    let second = go(&mut talk, "depth 2");
    let mut game = Connect6::from_notation(four).unwrap();
    [first, second].into_iter().for_each(|mv| game.play(mv));
    assert_eq!(game.end().map(|end| end.outcome), Some(Outcome::Win(Side::First)));
}

/// The evaluator in process, with a table of one MiB.
fn in_process(limits: Limits) -> AlphaBetaPlayer<Connect6> {
    external_engines::in_process("static", limits)
}

/// The same behind `roughboard engine`.
fn as_process(budget: Budget) -> EnginePlayer {
    let command = EngineCommand {
        arguments: ["engine", "--game", "connect6"].map(str::to_owned).to_vec(),
        options: [("Hash", "1"), ("EvalFile", "static")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
        patience: Duration::from_secs(60),
        ..EngineCommand::new::<Connect6>(env!("CARGO_BIN_EXE_roughboard"), Dialect::Uci)
    };
    external_engines::engine(command, budget)
}

fn openings() -> Vec<Opening<Connect6>> {
    let settings = roughboard::arena::OpeningSettings { count: 3, plies: 5, seed: 7, at_most: false };
    random_openings(settings, Connect6::OPENING_WIDTH).unwrap()
}

#[test]
fn a_process_plays_the_games_that_its_evaluator_plays_in_process() {
    let orders = Adjudication::capped(30);
    for (limits, budget) in [
        (Limits::to_depth(1).unwrap(), Budget::to_depth(1)),
        (Limits::to_depth(64).unwrap().and_nodes(150).unwrap(), Budget::of_nodes(150)),
    ] {
        let (inside, outside) = (in_process(limits), as_process(budget));
        let opponent = in_process(Limits::to_depth(64).unwrap().and_nodes(100).unwrap());
        for opening in &openings() {
            let [expected, found] = [&inside as &dyn Player<Connect6>, &outside]
                .map(|player| play_game([player, &opponent], opening, &orders, CHANCE));
            assert_eq!((&expected.moves, expected.outcome), (&found.moves, found.outcome));
            assert!(expected.failure.is_none() && found.failure.is_none(), "{found:?}");
            assert!(expected.moves.len() > 8, "a short game tests little: {expected:?}");
        }
    }
}

#[test]
fn clocks_run_in_games_with_processes() {
    let clock = Some(TimeControl { base_ms: 200, increment_ms: 20, margin_ms: 600_000 });
    let orders = Adjudication { clock, ..Adjudication::capped(9) };
    let (inside, outside) = (in_process(Limits::to_depth(2).unwrap()), as_process(Budget::default()));
    let game = play_game([&inside, &outside], &Opening::initial(), &orders, CHANCE);
    assert!(game.failure.is_none() && game.moves.len() == 9, "{game:?}");
}

#[test]
fn random_openings_stay_together() {
    for opening in openings() {
        let mut stones = opening.moves.clone();
        let first = stones.remove(0);
        let far = |point: &Point| point.column().abs_diff(first.column()).max(point.row().abs_diff(first.row()));
        assert!(stones.iter().all(|point| far(point) <= 12), "{:?}", opening.moves);
    }
}

const MATCH: &str = "match --game connect6 static random --depth 1 --games 12 --random-plies 5 --quiet";

/// The bytes of the files of a match's folder.
fn folder_of(path: &Path) -> HashMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(path).unwrap().map(Result::unwrap);
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.map(|name| (name.clone(), std::fs::read(path.join(name)).unwrap())).collect()
}

#[test]
fn a_match_in_parts_is_the_match() {
    let files = Files::new();
    let folder = |name: &str| files.argument(name);
    let play = |more: &[&str], code| roughboard(&[&words(MATCH)[..], more].concat()).ended(code);
    let whole = play(&["--out", &folder("whole"), "--json"], 0).json();
    assert_eq!(whole["pairings"][0]["won"], 12, "{whole}");
    play(&["--out", &folder("one"), "--shard", "1/2"], 3);
    play(&["--out", &folder("two"), "--shard", "2/2"], 3);
    let merge = ["match", "merge", "--game", "connect6", &folder("one"), &folder("two"), "--out", &folder("merged")];
    roughboard(&merge).ended(0);
    assert_eq!(folder_of(&files.path("whole")), folder_of(&files.path("merged")));
    let again = play(&["--out", &folder("whole"), "--resume", "--json"], 0).json();
    assert_eq!(again, whole);
    let games = files.path("whole").join("games.pgn.zst");
    let (records, _) = read_games::<Connect6>(&[&games], Policy::Strict, &Silent).unwrap();
    assert_eq!((records.len(), records[0].player(Side::First)), (12, Some("static")));
    let xiangqi = roughboard(&["match", "merge", &folder("one"), "--out", &folder("no")]).refusal();
    assert!(xiangqi.contains("connect6"), "{xiangqi}");
}

#[test]
fn evaluations_are_explained_line_by_line() {
    let fen = after("j10 k11 i11 j12 j9").notation();
    let arguments = ["eval", "--game", "connect6", "--fen", &fen, "--explain"];
    let json = roughboard(&[&arguments[..], &["--json"]].concat()).ended(0).json();
    let worth = |part: &str| -> i64 {
        let sign = |share: &serde_json::Value| if share["side"] == json["side_to_move"] { 1 } else { -1 };
        json["static"][part]
            .as_array()
            .unwrap()
            .iter()
            .map(|share| sign(share) * share["worth"].as_i64().unwrap())
            .sum()
    };
    let sum = worth("stretches") + worth("segments") + json["static"]["stones_to_come"].as_i64().unwrap();
    assert_eq!(json["value"].as_i64(), Some(sum));
    assert_eq!(json["value_for_black"].as_i64(), Some(-sum), "White is to move");
    let text = roughboard(&arguments).ended(0).stdout;
    assert!(text.contains("column j") && text.contains("Segments, six points in a row"), "{text}");
}

#[test]
fn values_are_printed_edited_and_used() {
    let files = Files::new();
    let printed = roughboard(&["eval", "--game", "connect6", "--print-values"]).ended(0).stdout;
    let value = |name: &str| {
        let fen = after("j10 k11 i11").notation();
        roughboard(&["eval", "--game", "connect6", "--evaluator", name, "--fen", &fen, "--json"]).ended(0).json()
            ["value"]
            .clone()
    };
    let named = |path: &Path| format!("static:{}", path.display());
    assert_eq!(value(&named(&files.write("same.txt", &printed))), value("static"));
    let zeroed = |line: &str| match line.split_once(" = ") {
        Some((name, _)) if !line.starts_with('#') => format!("{name} = 0\n"),
        _ => format!("{line}\n"),
    };
    let zero: String = printed.lines().map(zeroed).collect();
    assert_eq!(value(&named(&files.write("zero.txt", zero))), 0);
    let broken = files.write("broken.txt", printed.replace("L4 = ", "L4: "));
    let error = roughboard(&["eval", "--game", "connect6", "--evaluator", &named(&broken)]).refusal();
    assert!(error.contains("broken.txt") && error.contains("line "), "{error}");
    roughboard(&["eval", "--print-values"]).refusal();
}

/// Records of random games near each other, each also turned by a symmetry of the board.
fn records() -> Vec<GameRecord<Connect6>> {
    let settings = roughboard::arena::OpeningSettings { count: 40, plies: 9, seed: 3, at_most: false };
    let openings = random_openings::<Connect6>(settings, 3).unwrap();
    let outcomes = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];
    let record = |(number, opening): (usize, Opening<Connect6>)| {
        let mut record = GameRecord::new(Connect6::start());
        opening.moves.iter().for_each(|&mv| record.push(mv.image(number % 8), None));
        record.outcome = Some(outcomes[number % 3]);
        record
    };
    openings.into_iter().enumerate().map(record).collect()
}

/// The rows of a position with the stones changed by each symmetry, and the move there: the smallest text of all is the same for
/// all images.
fn canonical(position: &Connect6, mv: Point) -> (String, String) {
    let image = |image: usize| {
        let mut turned = Connect6::start();
        position.moves_made().iter().for_each(|&made| turned.play(made.image(image)));
        (turned.notation(), mv.image(image))
    };
    let images: Vec<_> = (0..8).map(image).collect();
    let least = images.iter().map(|(text, _)| text).min().unwrap().clone();
    let mv = images.iter().filter(|(text, _)| *text == least).map(|(_, mv)| mv).max().unwrap();
    (least, mv.to_string())
}

#[test]
fn a_book_knows_what_a_slow_count_knows_in_every_orientation() {
    let records = records();
    let mut builder = Builder::new(BookSettings { plies: 7, min_games: 1 }).unwrap();
    let mut counts: HashMap<(String, String), Wdl> = HashMap::new();
    for record in &records {
        builder.add(record);
        let mut position = Connect6::start();
        for &mv in record.moves.iter().take(7) {
            let value = record.outcome.unwrap().value_for(position.side_to_move());
            counts.entry(canonical(&position, mv)).or_default().record(value);
            position.play(mv);
        }
    }
    let book = builder.finish(Vec::new());
    assert_eq!(book.len(), counts.len());
    let files = Files::new();
    book.save(&files.path("book.db"), &Silent).unwrap();
    let book = Book::<Connect6>::open(&files.path("book.db")).unwrap();
    for record in &records {
        let mut position = Connect6::start();
        for &mv in record.moves.iter().take(7) {
            let known = book.moves(&position);
            for entry in &known {
                assert_eq!(Some(&entry.wdl), counts.get(&canonical(&position, entry.mv)));
            }
            let is_this = |entry: &Point| canonical(&position, *entry) == canonical(&position, mv);
            assert_eq!(known.iter().filter(|entry| is_this(&entry.mv)).count(), 1, "{mv} once in {position:?}");
            position.play(mv);
        }
    }
}

#[test]
fn books_are_built_shown_and_played_from() {
    let files = Files::new();
    let rows: String = (0..3).map(|number| format!("G{number}\t1-0\tj10 k11 i11 j11 h10 a1 b1 c2 c3\n")).collect();
    let games = files.write("games.tsv", format!("id\tresult\tmoves\n{rows}"));
    let (games, book) = (games.to_str().unwrap(), files.argument("book.db"));
    let built = roughboard(&["book", "--game", "connect6", "build", games, "--out", &book, "--json"]).ended(0).json();
    assert_eq!((built["games"].as_u64(), built["plies"].as_u64()), (Some(3), Some(23)));
    // Black's reply in an image of the games: turned by a quarter.
    let show = ["book", "--game", "connect6", "show", &book, "--moves", "j10,k9,k11", "--json"];
    let shown = roughboard(&show).ended(0).json();
    assert_eq!(shown["moves"][0]["games"], 3, "{shown}");
    let mut talk = talk();
    talk.session.set_option("BookFile", &book).unwrap();
    talk.say("position startpos moves j10 k11 i11");
    assert_eq!(talk.say("go depth 1"), "info string book move\nbestmove j11\n");
    roughboard(&["book", "show", &book]).refusal();
    let database = rows_by_colour(&book);
    assert!(database.is_none_or(|text| text == "5\n4\n"), "five stones of Black, four of White");
}

/// The rows of the views of both colours, where SQLite's command line tool is installed.
fn rows_by_colour(book: &str) -> Option<String> {
    let sql = "SELECT COUNT(*) FROM black; SELECT COUNT(*) FROM white;";
    let output = std::process::Command::new("sqlite3").args([book, sql]).output().ok()?;
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_contradiction_names_the_place_of_the_result() {
    let stones = ["B[a1]", "W[a2a3]", "B[b1c1]", "W[a4a5]", "B[d1e1]", "W[a6a8]", "B[f1]"].join(";");
    let coded = "B(A,1);W(A,2);W(A,3);B(B,1);B(C,1);W(A,4);W(A,5);B(D,1);B(E,1);W(A,6);W(A,8);B(F,1)";
    for (text, place) in [
        (format!("(;RE[W+R];{stones})"), "in RE"),
        (format!("(;{stones};B[resign])"), "by resignation"),
        (format!("{{[C6][one][two][后手胜][2019][CCGC];{coded}}}"), "before the moves"),
    ] {
        let account = read_bytes::<Connect6>("games", text.as_bytes(), Policy::Drop).unwrap().1;
        let told = account.dropped()[0].flaw.to_string();
        assert_eq!(told, format!("result 0-1 {place}, but 1-0 six in a row"), "{text}");
    }
}

const TABLE: &str = "id\tresult\tstones\tmoves\n\
    A1\t1-0\t3\tj10 k11 i11\n\
    A2\t0-1\t3\tj10 k11 k11\n\
    A3\t*\t1\tj10\n\
    A4\t1-0\t2\tj10\n\
    A5\t1-0\t1\tz10\n";

#[test]
fn a_table_of_games_is_accounted_for() {
    let (games, account) = read_bytes::<Connect6>("games.tsv", TABLE.as_bytes(), Policy::Drop).unwrap();
    assert_eq!((games.len(), account.read(), account.kept()), (1, 5, 1));
    assert_eq!(games[0].tag("Id"), Some("A1"));
    let told: Vec<String> = account.dropped().iter().map(ToString::to_string).collect();
    assert_eq!(told[0], "games.tsv: game 2 (line 3), move 1 (ply 3): `k11` is illegal: k11 is not free");
    assert!(told[1].starts_with("games.tsv: game 3 (line 4): no result"), "{}", told[1]);
    assert!(told[2].contains("found 1 moves where 2 are stated"), "{}", told[2]);
    assert!(told[3].contains("`z10` is not a move"), "{}", told[3]);
    let files = Files::new();
    let path = files.file("games.tsv", TABLE);
    let json = roughboard(&["games", "read", "--game", "connect6", &path, "--json"]).ended(1).json();
    assert_eq!((json["read"].as_u64(), json["kept"].as_u64()), (Some(5), Some(1)));
    let strict = roughboard(&["games", "read", "--game", "connect6", "--strict", &path]).refusal();
    assert!(strict.contains("line 3") && strict.contains("k11"), "{strict}");
    let stats = roughboard(&["games", "stats", "--game", "connect6", &path, "--json"]).ended(0).json();
    assert_eq!((stats["black_won"].as_u64(), stats["white_won"].as_u64()), (Some(1), Some(0)));
}

#[test]
fn words_of_colour_tell_whose_stones_won() {
    let told = [("黑胜", Side::First), ("白负", Side::First), ("白方勝", Side::Second), ("黑方负", Side::Second)];
    for (word, winner) in told {
        for (name, text) in [
            ("tag.pgn", format!("[Result \"{word}\"]\n\nj10 k11 i11\n")),
            ("moves.pgn", format!("[Event \"cup\"]\n\n1. j10 k11 i11 {word}\n")),
            ("table.tsv", format!("id\tresult\tmoves\nA1\t{word}\tj10 k11 i11\n")),
        ] {
            let (games, account) = read_bytes::<Connect6>(name, text.as_bytes(), Policy::Drop).unwrap();
            assert_eq!((games.len(), account.read()), (1, 1), "{name}: {word}");
            assert_eq!(games[0].outcome, Some(Outcome::Win(winner)), "{name}: {word}");
        }
    }
}

#[test]
fn a_byte_that_does_not_decode_costs_its_game_in_every_format() {
    let settings = ReadSettings { encoding: Encoding::Utf8, ..ReadSettings::default() };
    for game in ["(;B[j10];W[k11i11]RE[B+])\n", "{[C6][a B][b W][先手胜][t][e];B(J,10);W(K,11);W(I,11)}\n"] {
        let (before, after) = game.as_bytes().split_at(7);
        let text = [game.as_bytes(), before, b"\xff", after, game.as_bytes()].concat();
        let (games, account) = read_bytes::<Connect6>("games.txt", &text, settings).unwrap();
        let lines: Vec<u64> = games.iter().map(|game| game.source.as_ref().unwrap().line).collect();
        assert_eq!((lines, account.read()), (vec![1, 3], 3), "{game}");
        let dropped = &account.dropped()[0];
        assert_eq!((dropped.place.line, dropped.flaw.reason()), (2, Reason::Encoding), "{game}");
    }
}

#[test]
fn games_are_cleaned_and_generated() {
    let files = Files::new();
    let path = |name: &str| files.argument(name);
    let generate =
        ["games", "generate", "--game", "connect6", "self-play", "--depth", "1", "--games", "3", "--max-plies", "25"];
    roughboard(&[&generate[..], &["--random-plies", "5", "--out", &path("games.pgn")]].concat()).ended(0);
    // The same games turned are copies.
    let import =
        ["games", "import", "--game", "connect6", &path("games.pgn"), "--keep", "computer", "--min-plies", "5"];
    let json = roughboard(&[&import[..], &["--out", &path("clean.pgn"), "--json"]].concat()).ended(0).json();
    assert_eq!((json["read"].as_u64(), json["kept"].as_u64()), (Some(3), Some(3)), "{json}");
    let wrong = roughboard(&[&import[..], &["--out", &path("no.pgn"), "--result", "red"]].concat()).refusal();
    assert!(wrong.contains("`--result` must be black, draw or white, got red"), "{wrong}");
}

/// All recorded games load, and every one is accounted for.
#[test]
fn the_collection_of_records_is_read_whole() {
    let Some(path) = collection("connect6-8280.tsv.zst") else { return };
    let (games, account) = read_games::<Connect6>(&[path], Policy::Drop, &Silent).unwrap();
    assert_eq!((account.read(), account.kept()), (8280, 8280), "{:?}", account.dropped().first());
    let black = games.iter().filter(|game| game.outcome == Some(Outcome::Win(Side::First))).count();
    assert_eq!((black, games.len() - black), (4152, 4128));
}
