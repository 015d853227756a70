//! `book` as a user calls it.

use std::process::Command;

use crate::command::{Files, assert_stdout_described, roughboard};

const GAMES: &str = "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n\n[Result \"1/2-1/2\"]\n\nb2e2 b9c7 1/2-1/2\n";

/// A book of two games that are mirror images as far as they go, and the folder it lies in.
pub fn small_book() -> (Files, String) {
    let files = Files::new();
    let games = files.write("games.pgn", GAMES);
    let book = files.argument("book.db");
    let built = roughboard(&["book", "build", games.to_str().unwrap(), "--out", &book, "--json"]).ended(0).json();
    assert_eq!((&built["games"], &built["positions"], &built["moves"]), (&2.into(), &3.into(), &3.into()));
    assert_eq!(built["inputs"][0]["name"], "games.pgn");
    (files, book)
}

#[test]
fn a_book_shows_what_was_played() {
    let (_files, book) = small_book();
    let start = roughboard(&["book", "show", &book, "--json"]).ended(0).json();
    assert_eq!((&start["games"], &start["moves"][0]["move"]), (&2.into(), &"h2e2".into()));
    assert_eq!(start["moves"][0]["score"], 0.75);
    let text = roughboard(&["book", "show", &book, "--moves", "b2e2,b9c7"]).ended(0).stdout;
    assert!(text.lines().nth(3).unwrap().starts_with("b0c2      1    100.0  100.0"), "{text}");
    let unknown = roughboard(&["book", "show", &book, "--moves", "a3a4", "--json"]).ended(0).json();
    assert_eq!((&unknown["games"], unknown["moves"].as_array().unwrap().len()), (&0.into(), 0));
    let sheet = roughboard(&["book", "show", &book, "--csv"]).ended(0).stdout;
    assert_stdout_described(&sheet);
    assert!(sheet.lines().nth(1).unwrap().starts_with("h2e2,2,100,1,1,0,75,"), "scores in per cent: {sheet}");
    let info = roughboard(&["book", "info", &book]).ended(0).stdout;
    assert!(info.contains("games.pgn") && info.contains("xiangqi"), "{info}");
}

#[test]
fn merged_books_add_up_unless_they_share_games() {
    let (files, book) = small_book();
    let more = files.write("more.pgn", GAMES.replace("h0g2", "i0i1"));
    let (other, out) = (files.path("other.db"), files.path("out.db"));
    let [other, out] = [&other, &out].map(|path| path.to_str().unwrap());
    roughboard(&["book", "build", more.to_str().unwrap(), "--out", other]).ended(0);
    let merged = roughboard(&["book", "merge", &book, other, "--out", out, "--json"]).ended(0);
    assert!(merged.stderr.starts_with("note: games that are in both books and count twice: 1;"), "{}", merged.stderr);
    let merged = merged.json();
    assert_eq!((&merged["games"], &merged["moves"]), (&4.into(), &4.into()));
    assert_eq!(merged["different_games"], 3);
    let refusal = roughboard(&["book", "merge", &book, out, "--out", other, "--force"]).refusal();
    assert!(refusal.contains("both books count the games of `games.pgn`"), "{refusal}");
}

/// What is gone stands among the inputs by the games that came of it.
#[cfg(unix)]
#[test]
fn a_book_is_built_of_what_comes_through_pipes() {
    let files = Files::new();
    files.write("a.pgn", GAMES);
    files.write("b.pgn", GAMES.replace("h0g2", "i0i1"));
    let program = env!("CARGO_BIN_EXE_roughboard");
    let script = format!("'{program}' book build <(cat a.pgn) <(cat b.pgn) --out book.db --json");
    let output = Command::new("bash").args(["-c", &script]).current_dir(files.folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let built: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = files.path("all.pgn");
    let [a, b, out] = [files.path("a.pgn"), files.path("b.pgn"), all.clone()].map(|path| path.display().to_string());
    roughboard(&["games", "convert", &a, &b, "--out", &out]).ended(0);
    let sum = roughboard::disk::sha256(&std::fs::read(all).unwrap());
    let inputs = serde_json::json!([{ "name": "-", "sha256": sum }]);
    assert_eq!((&built["games"], &built["inputs"]), (&4.into(), &inputs));
}

/// Whatever its packing, comments, tags and results are, and on whichever side of the board it is played.
#[test]
fn a_book_whose_games_all_stand_in_the_other_is_refused() {
    let (files, book) = small_book();
    let path = |name: &str| files.argument(name);
    roughboard(&["games", "convert", &path("games.pgn"), "--out", &path("packed.pgn.gz")]).ended(0);
    files.write("comment.pgn", GAMES.replace("h9g7", "h9g7 {good}"));
    files.write("mirrored.pgn", "[Result \"0-1\"]\n\nh2e2 h9g7 0-1\n");
    for name in ["packed.pgn.gz", "comment.pgn", "mirrored.pgn"] {
        roughboard(&["book", "build", &path(name), "--out", &path("other.db"), "--force"]).ended(0);
        let number = if name == "mirrored.pgn" { 1 } else { 2 };
        for books in [[&book, &path("other.db")], [&path("other.db"), &book]] {
            let refusal = roughboard(&["book", "merge", books[0], books[1], "--out", &path("out.db")]).refusal();
            let expected = format!("error: one book holds all games of the other ({number}): they would count twice\n");
            assert_eq!(refusal, expected, "{name}");
        }
    }
}

#[test]
fn an_older_book_is_read_and_merged_with_a_note() {
    let (files, book) = small_book();
    let [more, other, out] = ["more.pgn", "other.db", "out.db"].map(|name| files.argument(name));
    files.write("more.pgn", GAMES.replace("h0g2", "i0i1"));
    roughboard(&["book", "build", &more, "--out", &other]).ended(0);
    // As books were before they kept their games and a checksum.
    let database = rusqlite::Connection::open(&book).unwrap();
    database
        .execute_batch("DROP TABLE games; DELETE FROM meta WHERE name = 'sha256'; PRAGMA user_version = 2")
        .unwrap();
    drop(database);
    assert!(roughboard(&["book", "info", &book, "--json"]).ended(0).json()["different_games"].is_null());
    let merged = roughboard(&["book", "merge", &other, &book, "--out", &out, "--json"]).ended(0);
    let note = format!(
        "note: `{book}` does not say which games it counts, so games in both books may count twice: build it again\n"
    );
    assert_eq!((&merged.json()["games"], merged.stderr), (&4.into(), note));
    // Nor does the merged book.
    assert!(roughboard(&["book", "info", &out, "--json"]).ended(0).json()["different_games"].is_null());
}

#[test]
fn wrong_input_is_refused_in_one_line() {
    let (files, book) = small_book();
    let text = files.write("a.txt", "text");
    let text = text.to_str().unwrap();
    let games = files.argument("games.pgn");
    for (arguments, part) in [
        (vec!["book", "show", "missing.db"], "cannot read book `missing.db`"),
        (vec!["book", "info", text], "file is not a database"),
        (vec!["book", "show", &book, "--fen", "x"], "invalid position"),
        (vec!["book", "show", &book, "--moves", "h2e2,h2e2"], "`--moves`, move 2: `h2e2` is illegal"),
        (
            vec!["book", "build", &games, &games, "--out", &book, "--force"],
            "`games.pgn` holds the games of a file named before it",
        ),
        (vec!["book", "build", "--out", "book.pgn"], "expected a name ending in .db, .sqlite or .sqlite3"),
        (vec!["book", "build", "--out", "no/folder/a.db"], "cannot write"),
        (vec!["book", "build", "--out", &book, "--force", "--plies", "0"], "`--plies` must be in [1, 1000], got 0"),
        (vec!["book", "build", text, "--out", &book, "--force"], "a.txt"),
        (vec!["book", "build", "--out", &book], "book.db` exists: expected a new file; `--force` replaces it"),
    ] {
        let refusal = roughboard(&arguments).refusal();
        assert!(refusal.contains(part), "{arguments:?}: {refusal}");
    }
    // What was there before stays.
    roughboard(&["book", "info", &book]).ended(0);
}

/// SQLite itself agrees with what was written, where its command line tool is installed.
#[test]
fn sqlite_reads_the_book() {
    let files = Files::new();
    let book = files.path("book.db");
    let built =
        roughboard(&["book", "build", "--plies", "20", "--out", book.to_str().unwrap(), "--json"]).ended(0).json();
    let sql = "PRAGMA integrity_check; SELECT COUNT(*), COUNT(DISTINCT key) FROM moves; SELECT name FROM inputs;";
    let Ok(output) = Command::new("sqlite3").arg(&book).arg(sql).output() else {
        eprintln!("skipped: no command `sqlite3`");
        return;
    };
    let expected = format!("ok\n{}|{}\ndatasets/xiangqi-selfplay/games.pgn.zst\n", built["moves"], built["positions"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}
