//! `roughboard play`: a person in the terminal against a player of matches.

use std::fs;

use roughboard::game::Notation;
use roughboard::games::surakarta::Surakarta;
use roughboard::observe::Silent;
use roughboard::record::{GameRecord, Policy, read_games};

use crate::command::{Files, Run, roughboard, roughboard_told};

/// What was said when the person typed `lines`.
fn talk(arguments: &[&str], lines: &[&str]) -> Run {
    roughboard_told(&[&["play"], arguments].concat(), &lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

fn said(arguments: &[&str], lines: &[&str]) -> String {
    talk(arguments, lines).ended(0).stdout
}

fn contains(text: &str, words: &[&str]) {
    for words in words {
        assert!(text.contains(words), "no `{words}` in: {text}");
    }
}

/// The text of a game that was kept before its end.
fn unfinished(path: &std::path::Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    contains(&text, &["[Result \"*\"]", "[Termination \"unfinished\"]"]);
    text
}

fn recorded(path: &std::path::Path) -> GameRecord<Surakarta> {
    let (mut games, account) = read_games::<Surakarta>(&[path], Policy::Strict, &Silent).unwrap();
    assert!(account.dropped().is_empty());
    games.pop().unwrap()
}

#[test]
fn a_game_is_played_to_its_end() {
    let files = Files::new();
    let path = files.path("game.pgn");
    // Black has one piece left, and Red can take it.
    let start = "1b4/r5/6/6/6/r5 r";
    let arguments = ["surakarta", "material", "--start", start, "--depth", "2", "--record", path.to_str().unwrap()];
    let text = said(&arguments, &["moves", "a5xb6", "a1a2", "undo", "board", "a5b6", "quit"]);
    contains(
        &text,
        &[
            "You play red, material plays black.",
            " 6 . b . . . .\n",
            "red> moves\na5b6! ",
            "You win: all pieces captured.\n",
            "game over> a1a2\nThe game is over",
            "1 move taken back.\n",
        ],
    );
    assert_eq!(text.matches("You win: all pieces captured.").count(), 2, "{text}");
    let record = recorded(&path);
    assert_eq!((record.result(), record.moves.len(), record.start.notation().as_str()), ("1-0", 1, start));
    assert_eq!(record.tags().len(), 3);
    let tags = ["Red", "Black", "Termination"].map(|name| record.tag(name).unwrap());
    assert_eq!(tags, ["you", "material", "all pieces captured"]);
}

#[test]
fn the_opponent_answers_and_every_command_is_understood() {
    let files = Files::new();
    let saved = files.path("saved.pgn");
    let save = format!("save {}", saved.display());
    let old = files.write("old.pgn", "precious");
    let over = format!("save {}", old.display());
    let lines = [
        "help",
        "hint",
        "eval",
        "why",
        "position",
        "flip",
        "undo",
        "a2a3",
        "undo",
        "",
        "a2a4",
        "a2a3 b5b4",
        "xyzzy",
        "save",
        &save,
        "save /nowhere/x.pgn",
        &over,
        "a2a3",
        &save,
        "resign",
        "hint",
        "undo",
        "quit",
        "a1a2",
    ];
    let text = said(&["--game", "surakarta", "--depth", "1"], &lines);
    contains(
        &text,
        &[
            "resign     give the game up",
            "expected result, -1 to 1",
            "What is counted",
            "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r\n",
            "   f e d c b a\n",
            "There is no move of yours to take back.",
            "2 moves taken back.",
            "`a2a4` is illegal: a4 is not next to a2 (`moves` lists the legal moves, `help` the commands)",
            "`xyzzy` is not a move",
            "`save` needs the name of a file",
            "/nowhere",
            "old.pgn` exists: expected a new file",
            "black wins: resignation.",
            "The game is over",
        ],
    );
    assert!(text.contains("black plays "), "{text}");
    assert_eq!(fs::read_to_string(&old).unwrap(), "precious");
    assert!(!text.contains("> a1a2"), "nothing is read after `quit`: {text}");
    contains(&unfinished(&saved), &["[Red \"you\"]", "\n\n1. a2a3 "]);
}

#[test]
fn the_end_of_the_input_keeps_the_game() {
    let files = Files::new();
    let path = files.path("game.pgn");
    let arguments = ["surakarta", "random", "--side", "black", "--record", path.to_str().unwrap()];
    let text = said(&arguments, &[]);
    contains(&text, &["You play black, random plays red.", "   f e d c b a\n", "red plays "]);
    contains(&unfinished(&path), &["[Red \"random\"]", "[Black \"you\"]"]);
    // Beside a random opponent the depth is that of hints.
    said(&["surakarta", "random", "--depth", "1"], &["hint", "quit"]);
}

#[test]
fn games_end_by_rules_that_were_set() {
    let files = Files::new();
    let path = files.path("game.pgn");
    let arguments = ["surakarta", "random", "--rules", "plies=2", "--record", path.to_str().unwrap()];
    let text = said(&arguments, &["a2a3", "b2b3"]);
    contains(&text, &["The game is drawn: limit of plies.", "game over> b2b3\nThe game is over"]);
    let record = recorded(&path);
    assert_eq!((record.result(), record.start.rules().max_plies), ("1/2-1/2", 2));
}

#[test]
fn every_game_can_be_played() {
    let text = said(&["connect6", "--depth", "1"], &["j10", "undo", "quit"]);
    contains(&text, &["You play black, tdbp plays white.", "white plays ", "3 moves taken back."]);
    let text = said(&["surakarta", "--simulations", "8", "--movetime", "5000"], &["a2a3", "quit"]);
    contains(&text, &["You play red, zero plays black.", "black plays "]);
    let text = said(&["surakarta", "--depth", "1"], &["quit"]);
    contains(&text, &["You play red, material plays black."]);
    let text = said(&["traditional", "--depth", "1", "--movetime", "50"], &["h2e2", "why"]);
    contains(&text, &["You play red, traditional plays black.", "black plays ", "mobility"]);
}

#[test]
fn what_cannot_be_played_is_refused() {
    for (arguments, words) in [
        (&["surakarta", "nobody"][..], "nobody"),
        (&["chess", "material"], "expected a game before `material`, found `chess`"),
        (&["surakarta", "--side", "white"], "`--side` must be `first` or `red`, `second` or `black`, got `white`"),
        (&["surakarta", "--rules", "quiet=x"], "`--rules`: `quiet` must be a number of plies"),
        (&["xiangqi", "--rules", "quiet=3"], "`--rules`: xiangqi has one set of rules"),
        (&["surakarta", "--start", "6/6"], "`--start`: invalid position"),
        (&["surakarta", "--record", "/nowhere/x.pgn"], "/nowhere"),
        (&["surakarta", "--evaluator", "nobody"], "nobody"),
        (&["surakarta", "material", "--simulations", "5"], "`--simulations` has no effect: no entrant goes by it"),
        (&["surakarta", "zero@simulations=5", "--simulations", "5"], "`--simulations` has no effect"),
        (&["surakarta", "material@depth=2", "--movetime", "9"], "`--movetime` has no effect: no entrant goes by it"),
        (&["connect6", "--game", "surakarta", "x"], "`--game` names another game than `connect6`"),
    ] {
        let error = roughboard(&[&["play"], arguments].concat()).refusal();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn two_stones_come_on_one_line() {
    let start = format!("{}9b9{} w 2", "19/".repeat(9), "/19".repeat(9));
    let arguments = ["connect6", "random", "--start", &start, "--side", "second"];
    let text = said(&arguments, &["k11 i11", "quit"]);
    assert!(text.contains("black plays ") && !text.contains("is not a move"), "{text}");
    for wrong in ["k11 k11", "k11 i11 a1", "k11 zz"] {
        let text = said(&arguments, &[wrong, "quit"]);
        assert!(!text.contains("black plays ") && text.contains("`moves` lists"), "{wrong}: {text}");
    }
}

/// Rules of a rough network, what matters to another one, and terms of the built-in evaluators.
#[test]
fn hints_say_what_speaks_for_them() {
    let hint = |arguments: &[&str]| said(&[arguments, &["--depth", "1"]].concat(), &["hint", "quit"]);
    let rough = hint(&[]);
    contains(&rough, &["\n  for red: rule ", " %): ", " → result = ", "\n  against red: rule "]);
    contains(&hint(&["td"]), &["\n  what matters most to red: "]);
    contains(&hint(&["traditional", "--side", "black"]), &["\n  largest terms for black: ", "position "]);
    contains(&hint(&["connect6", "static"]), &["\n  largest terms for black: "]);
    contains(&hint(&["connect6"]), &["\n  what matters most to black: "]);
    // Beside an opponent without words the evaluator of the game has them.
    let by_another = "\n  move and reasons by traditional, as random gives none\n  largest terms for red: ";
    contains(&hint(&["xiangqi", "random"]), &[by_another]);
    let engine = concat!("engine:", env!("CARGO_BIN_EXE_roughboard"), " engine");
    contains(
        &hint(&["xiangqi", engine]),
        &["\n  reasons by traditional, as roughboard ", "\n  largest terms for red: "],
    );
    assert!(!rough.contains("reasons by"), "{rough}");
}
