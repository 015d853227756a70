//! Answers as CSV: the table of every command, with its header where it is empty, or a row of fields. Tables in CSV that are not
//! as they usually are.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;

use crate::command::{Files, Run, roughboard};

const TABLE: &str = "size,colour,decision\n1,red,yes\n1,red,no\n2,red,yes\n2,blue,no\n";

/// The lines that `roughboard` prints.
fn lines(arguments: &[&str]) -> Vec<String> {
    roughboard(arguments).ended(0).stdout.lines().map(str::to_owned).collect()
}

#[test]
fn answers_that_are_tables_are_printed_as_csv() {
    let files = Files::new();
    let table = files.write("table.csv", TABLE);
    let rough = |command: &str| lines(&["rough", command, table.to_str().unwrap(), "--decision", "decision", "--csv"]);
    let significance = rough("significance");
    assert!(significance[0].starts_with("attribute,core,"), "{significance:?}");
    assert_eq!(significance.len(), 3);
    let classes = rough("classes");
    assert_eq!(classes[0], "size,objects,decisions_no,decisions_yes,values_colour,values_size");
    assert_eq!((classes.len(), &classes[2][..]), (4, "1,[3],0,1,red,2"));
    assert!(rough("approx")[0].contains("lower") && rough("approx").len() == 3, "{:?}", rough("approx"));
    assert_eq!(rough("info")[0], "name,kind,values,missing,codes,domain");
    let stats = lines(&["match", "stats", "--wdl", "22", "26", "12", "--csv"]);
    assert!(stats.len() == 2 && stats[0].starts_with("won,drawn,lost,score,"), "{stats:?}");
    assert!(stats[1].starts_with("22,26,12,58.333"), "{stats:?}");
    let perft = lines(&["perft", "--depth", "2", "--csv"]);
    assert_eq!((perft[0].as_str(), &perft[2][..7]), ("depth,nodes,seconds", "2,1920,"));
    assert!(lines(&["match", "plan", "--elo", "20", "--csv"])[0].contains("games_error_bar"));
    // The columns of a match are those of the file in its folder.
    let play = ["match", "random", "traditional", "--games", "2", "--depth", "1"];
    let out = files.path("match");
    let printed = lines(&[&play[..], &["--csv", "--out", out.to_str().unwrap()]].concat());
    let kept = std::fs::read_to_string(out.join("pairings.csv")).unwrap();
    assert_eq!(printed, kept.lines().collect::<Vec<_>>());
}

#[test]
fn the_command_says_which_table_is_printed() {
    let files = Files::new();
    let table = files.write("table.csv", TABLE);
    let table = table.to_str().unwrap();
    let rough = |options: &[&str]| {
        let [command, rest @ ..] = options else { panic!("a command") };
        lines(&[&["rough", command, table, "--decision", "decision", "--csv"], rest].concat())
    };
    assert_eq!(rough(&["core"]), ["core,notion", "\"[\"\"size\"\",\"\"colour\"\"]\",positive"]);
    assert_eq!(rough(&["reducts"]), ["attributes", "\"[\"\"size\"\",\"\"colour\"\"]\""]);
    assert_eq!(rough(&["reducts", "--count"]), ["size,reducts", "2,1"]);
    assert!(rough(&["reduct"])[0].contains("gamma") && rough(&["reduct"]).len() == 2);
    assert_eq!(rough(&["fuzzy", "--reduct"]).len(), 2);
    assert_eq!(rough(&["matrix", "--object", "all"])[0], "object,decision,function,reducts,complete");
    assert_eq!(rough(&["matrix", "--object", "all"]).len(), 5);
    let cut = ["discretize", "--method", "width", "--bins", "2"];
    assert_eq!(rough(&cut), ["attribute,cuts", "size,[1.5]"]);
    let out = files.path("cut.csv");
    assert_eq!(rough(&[&cut[..], &["--out", out.to_str().unwrap()]].concat()), ["attribute,cuts", "size,[1.5]"]);
    assert_eq!(lines(&["perft", "--depth", "1", "--divide", "--csv"]).len(), 45);
    let refused = |rest: &[&str]| roughboard(&[&["rough", "classes", table, "--decision", "decision"], rest].concat());
    let error = refused(&["--csv", "--out", files.path("x.json").to_str().unwrap()]).refusal();
    assert!(error.contains("`--csv` needs a name for `--out` that ends in .csv"), "{error}");
    let error = refused(&["--json", "--out", files.path("x.csv").to_str().unwrap()]).refusal();
    assert!(error.contains("`--json` needs a name for `--out` that ends in .json"), "{error}");
    assert!(refused(&["--csv", "--json"]).ended(2).stderr.contains("cannot be used with"));
}

#[test]
fn an_empty_table_has_the_header_of_a_full_one() {
    let files = Files::new();
    let games = files.path("games.pgn");
    let games = games.to_str().unwrap();
    roughboard(&["games", "generate", "random", "--games", "4", "--out", games]).ended(0);
    assert_eq!(lines(&["games", "read", games, "--csv"]), ["account,games", "read,4", "kept,4"]);
    let broken = files.write("broken.pgn", "[Result \"*\"]\n\n1. a0a9 *\n");
    let dropped = roughboard(&["games", "read", broken.to_str().unwrap(), "--csv"]).ended(1).stdout;
    assert_eq!(dropped, "account,games\nread,1\nkept,0\ndropped: illegal move,1\n");

    let book = files.path("book.db");
    let book = book.to_str().unwrap();
    let built = lines(&["book", "build", games, "--min-games", "1", "--out", book, "--csv"]);
    assert!(built.len() == 2 && built[0].contains("positions"), "{built:?}");
    let header = "move,games,share_percent,won,drawn,lost,score,score_low,score_high";
    let known = lines(&["book", "show", book, "--csv"]);
    assert!(known.len() > 1 && known[0] == header, "{known:?}");
    assert_eq!(lines(&["book", "show", book, "--fen", "5k3/9/9/9/9/9/9/9/9/3RK4 w", "--csv"]), [header]);

    let facts = roughboard(&["suite", "tests/data/match_statistics.json", "--csv"]).ended(0).stdout;
    assert_eq!(facts, "file,what,expected,got\n");
}

#[test]
fn answers_about_games_and_networks_are_rows_and_fields() {
    let eval = lines(&["eval", "--csv"]);
    assert!(
        eval.len() == 2 && eval[0].starts_with("centipawns,evaluator,expected_result,fen,side_to_move,value"),
        "{eval:?}"
    );
    let reasons = lines(&["eval", "--explain", "--csv"]);
    assert!(reasons[0].starts_with("term,") && reasons.len() > 5, "{reasons:?}");
    let parts = lines(&["eval", "--evaluator", "rough", "--explain", "--csv"]);
    assert_eq!(parts[0], "what,change");
    let rules = lines(&["inspect", "rough", "--csv"]);
    assert_eq!(rules[0].split(',').take(4).collect::<Vec<_>>(), ["words", "state", "rule", "matched"]);
    let ending = lines(&["endings", "solve", "KR", "K", "--csv"]);
    assert!(ending.len() == 7 && ending[0].starts_with("positions,all,won,drawn,lost"), "{ending:?}");
    assert_eq!(lines(&["endings", "show", "--fen", "5k3/9/9/9/9/9/9/9/9/3RK4 w", "--csv"]).len(), 2);
    let threats = lines(&["threats", "--csv"]);
    assert_eq!(
        (threats.len(), threats[0].as_str()),
        (2, "position,verdict,turns,threats,enemy_threats,blocks,line,nodes")
    );
    let files = Files::new();
    let games = files.path("games.pgn");
    let [games, clean] = [games.to_str().unwrap(), files.path("clean.pgn").to_str().unwrap()].map(str::to_owned);
    roughboard(&["games", "generate", "random", "--games", "4", "--out", &games]).ended(0);
    let imported = lines(&["games", "import", &games, "--out", &clean, "--csv"]);
    assert_eq!(imported[..2], ["account,records", "read,4"]);
    let stats = lines(&["games", "stats", &games, "--csv"]);
    assert!(stats.len() == 2 && stats[0].contains("median_plies"), "{stats:?}");
}

/// Commands that give no answer but what they write, or talk: a run in a folder with its tables as CSV, files, a program for engines.
const WITHOUT_ANSWERS: &str = "engine, games generate random, games generate fixed-opponent, games generate self-play, games generate engine, \
    endings table, table build, train rough, train bp, train td, train baseline, train tables, train iterate, train zero, plot curves, \
    export onnx, play, report, reproduce, completions, man";

/// A question for every command that answers, with the files that it needs. `{}` is the folder, and `_w` a blank and a `w`.
const QUESTIONS: &str = "bench --depth 1
perft --depth 1
suite tests/data/match_statistics.json
games read {}/games.pgn
games convert {}/games.pgn --out {}/converted.pgn --force
games import {}/games.pgn --out {}/clean.pgn --force
games stats {}/games.pgn
games mates {}/mates.pgn --moves 1 --out {}/mates.json --force
book build {}/games.pgn --out {}/book.db --force
book show {}/book.db
book info {}/book.db
book build {}/mates.pgn --out {}/other.db --force
book merge {}/book.db {}/other.db --out {}/both.db --force
endings solve KR K
endings show --fen 5k3/9/9/9/9/9/9/9/9/3RK4_w
threats
rough info {}/t.csv
rough discretize {}/t.csv --decision d --method width --bins 2
rough complete {}/t.csv --decision d --method frequent
rough classes {}/t.csv --decision d
rough approx {}/t.csv --decision d
rough fuzzy {}/t.csv --decision d
rough dominance {}/t.csv --decision d --gain a --order no,yes --missing drop
rough significance {}/t.csv --decision d
rough matrix {}/t.csv --decision d
rough core {}/t.csv --decision d
rough reduct {}/t.csv --decision d
rough reducts {}/t.csv --decision d
rough rules {}/t.csv --decision d
rough predict {}/t.csv {}/t.csv --decision d --classifier knn
rough verify {}/t.csv {}/certificate.json
rough classify {}/t.csv --decision d --folds 2
eval
quantise rough --bits 16 --out {}/rough16.safetensors --force
inspect rough
match random traditional --depth 1 --games 2 --max-plies 12
match merge {}/match --out {}/all --force
match plan --elo 20
match stats --wdl 22 26 12
doctor";

#[test]
fn every_command_that_answers_answers_in_json_and_csv() {
    let pages = fs::read_to_string("docs/commands.md").unwrap();
    let mut commands = BTreeSet::new();
    for page in pages.split("\n## roughboard ").skip(1) {
        let name = page.lines().next().unwrap();
        if !pages.contains(&format!("\n## roughboard {name} ")) {
            commands.insert(name);
        }
    }
    let files = Files::new();
    let folder = files.folder.path().to_str().unwrap();
    let games = format!("{folder}/games.pgn");
    files.write("t.csv", "a,d\n1,no\n2,yes\n1,no\n2,yes\n,no\n3,yes\n");
    roughboard(&["games", "generate", "random", "--games", "4", "--out", &games]).ended(0);
    let won = ["--against", "traditional", "--depth", "1", "--out", &format!("{folder}/mates.pgn")];
    roughboard(&[&["games", "generate", "random", "--games", "4"], &won[..]].concat()).ended(0);
    let played = ["match", "random", "traditional", "--depth", "1", "--games", "2", "--max-plies", "12", "--out"];
    roughboard(&[&played[..], &[&format!("{folder}/match")]].concat()).ended(0);
    let certificate = format!("{folder}/certificate.json");
    roughboard(&["rough", "reduct", &format!("{folder}/t.csv"), "--decision", "d", "--certificate", &certificate])
        .ended(0);
    let asked: BTreeSet<&str> =
        QUESTIONS.lines().filter_map(|line| commands.iter().find(|name| is_of(line, name)).copied()).collect();
    let silent: BTreeSet<&str> = WITHOUT_ANSWERS.split(", ").collect();
    let known: BTreeSet<&str> = asked.union(&silent).copied().collect();
    assert_eq!(known, commands, "a command is in neither list");
    for question in QUESTIONS.lines() {
        let question = question.replace("{}", folder);
        let words: Vec<String> = question.split(' ').map(|word| word.replace("_w", " w")).collect();
        let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        roughboard(&[&arguments[..], &["--json"]].concat()).ended(0).json();
        let text = roughboard(&[&arguments[..], &["--csv"]].concat()).ended(0).stdout;
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let names: BTreeSet<String> = rows.headers().unwrap().iter().map(str::to_owned).collect();
        assert!(!names.is_empty() && names.iter().all(|name| !name.is_empty()), "{question}: {text}");
        assert_eq!(names.len(), rows.headers().unwrap().len(), "{question}: {text}");
        // Rows of another length are errors.
        assert!(rows.records().all(|row| row.is_ok()), "{question}: {text}");
    }
}

/// Whether a line asks the command called `name`.
fn is_of(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// What `rough info` says of the table in a file with these contents.
fn info(contents: &[u8], options: &[&str]) -> Run {
    let files = Files::new();
    let table = files.write("t.csv", contents);
    roughboard(&[&["rough", "info", table.to_str().unwrap(), "--json"], options].concat())
}

#[test]
fn decimal_numbers_that_become_one_real_number_are_told() {
    let notes = |[first, second]: [&str; 2]| {
        let contents = format!("v,d\n{first},p\n{second},q\n1.5,q\n");
        info(contents.as_bytes(), &[]).ended(0).json()["notes"].clone()
    };
    for [first, second] in [
        ["1700000000.1234567", "1700000000.1234568"],
        ["0", "1e-400"],
        ["0.12345678901234567891", "0.12345678901234567892"],
        ["1234567890123456.7e3", "1234567890123456.71e3"],
    ] {
        let note = format!("column `v`: `{second}`, line 3, and `{first}` are one real number of 64 bits");
        assert_eq!(notes([first, second]), json!([format!("{note}; --text v keeps them apart")]));
    }
    // One number in two spellings, and numbers that stay apart.
    for pair in [
        ["1700000000.12345670", "1700000000.1234567"],
        ["1700000000123.4567e-3", "1700000000.1234567"],
        ["0", "-0.00e5"],
        ["0.1", "0.10000000000000001"],
        ["0.30000000000000004", "0.3"],
    ] {
        assert_eq!(notes(pair), json!([]), "{pair:?}");
    }
}

#[test]
fn whole_numbers_beyond_64_bits_that_become_one_real_number_are_told() {
    let notes = |second: &str| {
        let contents = format!("v,d\n99999999999999999999,p\n{second},q\n1.5,q\n");
        info(contents.as_bytes(), &[]).ended(0).json()["notes"].clone()
    };
    let note = "column `v`: `99999999999999999998`, line 3, and `99999999999999999999` are one real number of 64 bits";
    assert_eq!(notes("99999999999999999998"), json!([format!("{note}; --text v keeps them apart")]));
    // One number in two spellings, two numbers that stay apart, and numbers of other signs.
    for second in ["+99999999999999999999", "99999999999999900000", "-99999999999999999998"] {
        assert_eq!(notes(second), json!([]), "{second}");
    }
}

#[test]
fn a_header_that_is_not_utf_8_is_told_with_its_line() {
    for (contents, line) in
        [(&b"\n\na\xff,b\n1,2\n"[..], 3), (b"sep=,\r\n\r\na\xff,b\r\n1,2\r\n", 3), (b"a\xff,b\n1,2\n", 1)]
    {
        let error = info(contents, &[]).refusal();
        assert!(error.contains(&format!("CSV: line {line} is not UTF-8")), "{error}");
    }
}

#[test]
fn a_column_may_be_called_like_the_first_word_of_arff() {
    for header in ["@relation_type,d", "@relation,d"] {
        let json = info(format!("{header}\n1,p\n2,q\n").as_bytes(), &[]).ended(0).json();
        assert_eq!(json["attributes"].as_array().map(Vec::len), Some(2), "{header}");
    }
    for arff in ["@relation r\n", "% A comment\n@RELATION\tr\n", "@relation\n"] {
        assert!(info(arff.as_bytes(), &[]).refusal().contains("CSV: it holds ARFF"), "{arff}");
    }
}

#[test]
fn a_column_has_one_role() {
    let table = b"a,d\n1,p\n2,q\n";
    for options in [["--decision", "d", "--decision", "d"], ["--decision", "d", "--weight", "d"]] {
        let error = info(table, &options).refusal();
        assert!(error.contains("column `d` is given two roles, expected it once among decision and weight"), "{error}");
    }
    let listed = info(table, &["--decision", "a,d", "--decision", "a"]).refusal();
    assert!(listed.contains("column `a` is given two roles"), "{listed}");
}

/// Whole numbers stay apart as values; where they are computed with they are real numbers, which is told.
#[test]
fn whole_numbers_that_are_one_real_number_are_told_where_they_are_computed_with() {
    let files = Files::new();
    let large = ["9007199254740992", "9007199254740993"];
    let told = |large: [&str; 2], rest: &[&str]| {
        let table = format!("id,x,d\n{},1,a\n{},2,b\n3,1,a\n4,2,b\n", large[0], large[1]);
        let table = files.write("large.csv", table).display().to_string();
        let [command, rest @ ..] = rest else { panic!("a command") };
        let run = roughboard(&[&["rough", command, &table], rest].concat()).ended(0);
        run.stderr.lines().filter(|line| line.contains("one real number")).count()
    };
    let decided: [&[&str]; 9] = [
        &["discretize", "--method", "width", "--bins", "2", "--ignore", "d"],
        &["discretize", "--method", "mdlp", "--decision", "d"],
        &["fuzzy", "--decision", "d"],
        &["classes", "--decision", "d", "--relation", "neighbourhood", "--radius", "0.1"],
        &["approx", "--decision", "d", "--relation", "neighbourhood", "--radius", "0.1"],
        &["reduct", "--decision", "d", "--relation", "neighbourhood", "--radius", "0.1"],
        &["rules", "--decision", "d", "--from", "mlem2"],
        &["classify", "--decision", "d", "--folds", "2", "--discretize", "mdlp"],
        &["classify", "--decision", "d", "--folds", "2", "--baseline", "knn", "--k", "1"],
    ];
    for command in decided {
        assert_eq!(told(large, command), 1, "{command:?}");
        assert_eq!(told(["9007199254740992", "9007199254740994"], command), 0, "{command:?}");
        assert_eq!(told(large, &[command, &["--text", "id"]].concat()), 0, "{command:?}");
    }
    for command in ["approx", "reduct"] {
        assert_eq!(told(large, &[command, "--decision", "d"]), 0, "{command}");
    }
}
