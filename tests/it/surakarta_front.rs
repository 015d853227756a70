//! Surakarta as a user meets it: engine, matches, evaluation, book, records, tables, training.

use std::path::Path;

use roughboard::eval::Catalogue;
use roughboard::eval::surakarta::Board37;
use roughboard::features::FeatureSet;
use roughboard::game::playout::random_moves;
use roughboard::game::symmetry::Symmetric;
use roughboard::game::{Game, Kit, Ranks};
use roughboard::games::surakarta::Surakarta;
use roughboard::observe::Silent;
use roughboard::random::stream;
use roughboard::record::{Policy, read_games};

use crate::command::{Files, Run, assert_described, contents, roughboard};
use crate::conversation::Conversation;

const GAME: [&str; 2] = ["--game", "surakarta"];

#[test]
fn images_and_exchanged_positions_are_worth_the_same_to_who_moves() {
    for name in ["material", "material-captures"] {
        let mut evaluator = Surakarta::evaluator_factory(name).unwrap()();
        for number in 0..4 {
            let mut game = Surakarta::start();
            random_moves(&mut game, 80, &mut stream(6, "surakarta values", number), |game| {
                let value = evaluator.evaluate(game);
                assert!((0..Surakarta::IMAGES).all(|image| evaluator.evaluate(&game.image(image)) == value));
                assert_eq!(evaluator.evaluate(&game.exchanged()), value, "{game:?}");
            });
        }
    }
    let identities = ["material", "material-captures"].map(|name| Surakarta::identity(name).unwrap().unwrap());
    assert_ne!(identities[0], identities[1]);
    assert_eq!(Surakarta::features("board37").unwrap(), Board37);
    let error = Surakarta::features("board91").unwrap_err().to_string();
    assert_eq!(error, "unknown features `board91`: expected one of board37");
}

#[test]
fn features_tell_positions_apart_and_are_described() {
    let mut codes = [0; 37];
    Board37.encode(&Surakarta::start(), &mut codes);
    assert!(codes[..12].iter().all(|&code| code == 0) && codes[24..36].iter().all(|&code| code == 2));
    assert_eq!((Board37.describe(35, codes[35]).as_str(), codes[36]), ("red piece on f1", 1));
    assert_eq!(Surakarta::start().diagram(Ranks::FromZero).lines().next(), Some(" 6 b b b b b b"));
}

/// The last line that an engine says to these lines.
fn answer(lines: &[&str]) -> String {
    let mut conversation = Conversation::<Surakarta>::new();
    let said: String = lines.iter().map(|line| conversation.say(line)).collect();
    said.lines().last().unwrap().to_owned()
}

#[test]
fn the_engine_plays_under_the_rules_of_the_position() {
    assert!(answer(&["position startpos moves a2a3 f5f4", "go depth 3"]).starts_with("bestmove "));
    // Red takes the last piece, and is in no hurry where the rules leave it time.
    assert_eq!(answer(&["position fen 1b4/r5/6/6/6/r5 r 0 quiet=80", "go depth 3"]), "bestmove a5b6");
    assert_eq!(answer(&["position fen 5b/6/6/6/6/r5 r 0 plies=9 moves a1a2", "d"]).split(' ').next(), Some("key"));
    let refused = answer(&["position fen 5b/6/6/6/6/r5 r 0 plies=x moves a1a2"]);
    assert!(refused.contains("expected for `plies` a number in [0, 100000]"), "{refused}");
}

/// One small collection through every command that takes games.
#[test]
fn generated_games_go_through_all_commands() {
    let files = Files::new();
    let path = |name: &str| files.argument(name);
    let games = path("games.pgn");
    let run = |arguments: &[&str]| roughboard(&[arguments, &GAME].concat()).ended(0);
    let generate = ["games", "generate", "self-play", "--depth", "1", "--games", "12", "--random-plies", "6"];
    run(&[&generate[..], &["--out", &games]].concat());
    let (records, _) = read_games::<Surakarta>(&[&games], Policy::Strict, &Silent).unwrap();
    assert_eq!(records.len(), 12);
    assert!(records.iter().all(|record| record.outcome.is_some() && record.tag("Termination").is_some()));
    let read = run(&["games", "read", &games, "--json"]).json();
    assert_eq!(read["kept"], 12);
    run(&["games", "convert", &games, "--out", &path("converted.pgn.zst")]);
    let import = ["games", "import", &games, "--keep", "computer", "--min-plies", "5", "--json"];
    assert_eq!(run(&[&import[..], &["--out", &path("clean.pgn")]].concat()).json()["kept"], 12);
    run(&["games", "stats", &games, "--out", &path("stats")]);
    assert_described(&contents(Path::new(&path("stats"))));
    run(&["book", "build", &games, "--out", &path("book.db")]);
    let shown = run(&["book", "show", &path("book.db"), "--json"]).json();
    assert!(shown["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{shown}");
    run(&["table", "build", "--games", &games, "--out", &path("table.csv")]);
    let header = std::fs::read_to_string(path("table.csv")).unwrap();
    assert!(
        header.starts_with("a6,b6,c6,") && header.contains(",f1,side,result=-1,result=0,result=1\n"),
        "{header:.300}"
    );
    for (method, options) in [
        ("bp", &["--hidden", "4", "--passes", "1"][..]),
        ("td", &["--hidden", "4", "--play", "self", "--games-to-play", "4", "--depth", "1"]),
    ] {
        let train = ["train", method, "--games", &games, "--out", &path(method)];
        run(&[&train[..], options].concat());
        let value = run(&["eval", "--evaluator", &path(method), "--explain"]).stdout;
        assert!(value.contains("expected result"), "{value}");
    }
    // Games of the evaluator against itself are nearly all drawn.
    let wild = path("wild.pgn");
    run(&["games", "generate", "random", "--games", "12", "--out", &wild]);
    run(&["train", "baseline", "--model", "logistic", "--games", &wild, "--out", &path("baseline")]);
    let bp = path("bp");
    let matched = ["match", "material", "random", &bp, "--games", "2", "--depth", "1", "--random-plies", "4", "--json"];
    let rows = run(&matched).json();
    assert!(rows.is_object() || rows.is_array(), "{rows}");
}

#[test]
fn evaluations_are_explained() {
    let fen = "6/1rb3/1b4/6/6/r5 r";
    let eval = [&["eval", "--fen", fen, "--explain", "--evaluator", "material-captures"], &GAME[..]].concat();
    let text = roughboard(&eval).ended(0).stdout;
    assert!(text.contains("pieces") && text.contains("captures") && text.contains("for red, to move"), "{text}");
    let json = roughboard(&[&eval[..], &["--json"]].concat()).ended(0).json();
    let parts = json["material"].as_array().unwrap();
    let sum: i64 = parts.iter().map(|part| part["difference"].as_i64().unwrap()).sum();
    assert_eq!(json["value_for_red"].as_i64(), Some(sum), "{json}");
}

#[test]
fn the_bench_has_a_signature() {
    let json = roughboard(&[&["bench", "--depth", "3", "--json"], &GAME[..]].concat()).ended(0).json();
    assert_eq!(json["game"], "surakarta");
    assert!(json["signature"].as_u64().is_some_and(|nodes| nodes > 1000), "{json}");
}

/// A small match between players that hardly look ahead, under these rules of the end, into this folder.
fn match_under(rules: &str, folder: &Path) -> Run {
    let settings = ["--games", "4", "--depth", "1", "--random-plies", "3", "--rules", rules];
    let folder = folder.to_str().unwrap();
    roughboard(&[&["match", "random", "material", "--out", folder][..], &settings, &GAME].concat())
}

#[test]
fn matches_are_played_under_rules_that_were_set() {
    let files = Files::new();
    match_under("plies=9,repetitions=2", &files.path("run")).ended(0);
    let games = files.path("run").join("games.pgn.zst");
    let (records, _) = read_games::<Surakarta>(&[&games], Policy::Strict, &Silent).unwrap();
    assert_eq!(records.len(), 4);
    assert!(records.iter().all(|record| record.moves.len() <= 9 && record.start.rules().max_plies == 9));
    let early = match_under("plies=3", &files.path("other")).refusal();
    assert!(early.contains("`--rules`: a game is over before it begins (limit of plies)"), "{early}");
}
