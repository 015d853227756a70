//! `match` as a user and a scheduler call it: killed and resumed, split into shards and merged, with engines, from lists of positions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rand::RngExt;
use roughboard::book::Book;
use roughboard::game::Game;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::random::stream;

use crate::command::{Files, assert_described, contents, roughboard, without_sums, words};

const PROGRAM: &str = env!("CARGO_BIN_EXE_roughboard");

#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let [one, other] = [one, other].map(contents);
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{name} differs");
    }
}

/// Three entrants, quick games; the games of every run of it are the same.
static SHORT: LazyLock<Vec<&str>> = LazyLock::new(|| {
    words("match traditional traditional:material random --games 8 --depth 1 --max-plies 40 --random-plies 4 --seed 3")
});

/// A clear win, which a sequential test ends.
static TESTED: LazyLock<Vec<&str>> = LazyLock::new(|| {
    words("match traditional random --sprt 0 400 --games 40 --depth 1 --random-plies 4 --max-plies=200")
});

/// [`SHORT`] with so many games.
fn with_games(games: &'static str) -> Vec<&'static str> {
    SHORT.iter().map(|&word| if word == "8" { games } else { word }).collect()
}

/// A file with two openings.
fn two_openings(files: &Files) -> String {
    let [pieces, own] = ["rnbakabnr/9/1c5c1/p1p1p1p1p/9/9", "P1P1P1P1P"];
    let list = format!("{pieces}/{own}/1C5C1/9/RNBAKABNR w - - 0 1\n{pieces}/{own}/1C2C4/9/RNBAKABNR b - - 1 1\n");
    files.write("openings.fen", list).display().to_string()
}

fn play(arguments: &[&str], out: &Path, code: i32) -> String {
    roughboard(&[arguments, &["--quiet", "--out", out.to_str().unwrap()]].concat()).ended(code).stdout
}

/// How many kills; the environment can ask for more.
fn kills() -> u32 {
    std::env::var("ROUGHBOARD_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

/// Starts the match and ends it the hard way after `time`; whether it had ended before.
fn killed(arguments: &[&str], out: &Path, time: Duration) -> bool {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).args(["--quiet", "--resume", "--out"]).arg(out);
    let mut child: Child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(time);
    let ended = child.try_wait().unwrap().is_some();
    // SIGKILL; a process that is gone already does not mind.
    let _ = child.kill();
    child.wait().unwrap();
    ended
}

#[test]
fn kills_at_random_moments_leave_no_trace() {
    let files = Files::new();
    let engine = format!("engine:{PROGRAM} engine@depth=1,option.Hash=1");
    let arguments = [&SHORT[..], &["--journal-moves", "0", "--threads", "2"]].concat();
    let with_engine = [&["match", &engine][..], &arguments[1..]].concat();
    let with_test = [&TESTED[..], &["--journal-moves", "0", "--threads", "2"]].concat();
    for arguments in [&arguments, &with_engine, &with_test] {
        let [whole, cut] = ["whole", "cut"].map(|name| files.path(&format!("{name}-{}", arguments.len())));
        let begun = Instant::now();
        let text = play(arguments, &whole, 0);
        let time = begun.elapsed();
        let mut draws = stream(std::process::id().into(), "moments", 0);
        let early =
            (0..kills()).filter(|_| !killed(arguments, &cut, time.mul_f64(draws.random_range(0.0..0.5)))).count();
        assert!(early > 0, "no run was killed before its end");
        let resumed = play(&[&arguments[..], &["--resume"]].concat(), &cut, 0);
        assert_eq!(resumed.replace("cut-", "whole-"), text);
        assert_same(&whole, &cut);
        let again = play(&[&arguments[..], &["--resume"]].concat(), &cut, 0);
        assert_eq!(again, resumed, "a complete match is told again");
    }
}

#[test]
fn a_sequential_test_ends_a_match_early_and_says_so() {
    let files = Files::new();
    let [alone, three] = ["alone", "three"].map(|name| files.path(name));
    let text = play(&[&TESTED[..], &["--threads", "1"]].concat(), &alone, 0);
    play(&[&TESTED[..], &["--threads", "3"]].concat(), &three, 0);
    assert_same(&alone, &three);
    assert_described(&contents(&alone));
    let read = |name: &str| fs::read_to_string(alone.join(name)).unwrap();
    let mut rows = csv::Reader::from_path(alone.join("sprt.csv")).unwrap().into_deserialize::<Vec<String>>();
    let row = rows.next().unwrap().unwrap();
    let pairs: usize = row[6].parse().unwrap();
    assert_eq!((row[0].as_str(), row[7].as_str()), ("accept H1", "20"));
    assert!((2..20).contains(&pairs), "{pairs}");
    assert_eq!(read("games.csv").lines().count(), 1 + 2 * pairs);
    assert_eq!(read("journal.jsonl").lines().count(), 1 + 2 * pairs);
    let told = format!(
        "sequential test of 0 (H0) against 400 (H1) Elo, alpha 0.05, beta 0.05: accept H1 after {pairs} of at most 20 pairs"
    );
    assert!(text.contains(&told) && read("tables.md").contains(&told), "{text}");
    let length = format!("{} of at most 40 games of 2 entrants, every opening with both colours", 2 * pairs);
    assert!(read("tables.md").contains(&length), "{}", read("tables.md"));
    let manifest: serde_json::Value = serde_json::from_str(&read("manifest.json")).unwrap();
    assert_eq!(manifest["settings"]["sprt"]["elo1"], 400.0);
    // Without a folder the same pairs are played, and all games are in one file.
    let games = files.path("games.pgn");
    let more = ["--json", "--quiet", "--pgn", games.to_str().unwrap()];
    let test = &roughboard(&[&TESTED[..], &more].concat()).ended(0).json()["sprt"];
    assert_eq!((&test["pairs"], &test["verdict"]), (&pairs.into(), &"accept H1".into()));
    assert_eq!((&test["scale"], &test["upper_bound"].to_string()[..5]), (&"logistic".into(), "2.944"));
    assert_eq!(fs::read_to_string(&games).unwrap().matches("[Result ").count(), 2 * pairs);
    let refused = roughboard(&[&TESTED[..], &more].concat()).refusal();
    assert!(refused.contains("games.pgn` exists"), "{refused}");
    roughboard(&[&TESTED[..], &more, &["--force"]].concat()).ended(0);
}

#[test]
fn a_test_without_a_verdict_plays_all_games() {
    let files = Files::new();
    let arguments = [&SHORT[..2], &SHORT[1..2], &SHORT[4..], &["--sprt", "0", "5"]].concat();
    let text = play(&arguments, &files.path("run"), 0);
    assert!(text.contains("no verdict after 4 of at most 4 pairs"), "{text}");
    let page = fs::read_to_string(files.path("run").join("tables.md")).unwrap();
    assert!(page.contains("* 8 games of 2 entrants, every opening with both colours"), "{page}");
    for (more, message) in [
        (&["random", "--sprt", "0", "5"][..], "`--sprt` must be a test of two entrants, got 3"),
        (&["--sprt", "0", "5", "--shard", "1/2", "--out", "x"], "cannot be used with"),
        (&["--sprt", "5", "0"], "`elo0` must be below `elo1`, got 5 and 0"),
        (&["--alpha", "0.1"], "`--alpha` has no effect without `--sprt`"),
    ] {
        let error = roughboard(&[&arguments[..arguments.len() - 3], more].concat()).ended(2).stderr;
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn openings_are_drawn_from_a_book() {
    let files = Files::new();
    let [games, book] = ["games.pgn", "book.db"].map(|name| files.argument(name));
    roughboard(&["games", "generate", "random", "--games", "30", "--max-plies", "8", "--out", &games]).ended(0);
    roughboard(&["book", "build", &games, "--out", &book]).ended(0);
    let arguments = words("match traditional random --depth 1 --max-plies 12 --opening-plies 3");
    let arguments = [&arguments[..], &["--openings", &book]].concat();
    let out = files.path("run");
    play(&[&arguments[..], &["--games", "8"]].concat(), &out, 0);
    let plan: serde_json::Value = serde_json::from_slice(&fs::read(out.join("plan.json")).unwrap()).unwrap();
    let book = Book::<Xiangqi>::open(Path::new(&book)).unwrap();
    let openings = plan["openings"].as_array().unwrap();
    assert_eq!((openings.len(), plan["sources"][0][0].as_str()), (4, Some("book.db")));
    for opening in openings {
        let moves: Vec<&str> = opening["moves"].as_str().unwrap().split(' ').collect();
        let mut position = Xiangqi::start();
        for played in &moves {
            let known = book.moves(&position).into_iter().find(|known| known.mv.to_string() == *played);
            position.play(known.unwrap_or_else(|| panic!("{played} of {moves:?} is not in the book")).mv);
        }
        assert_eq!(moves.len(), 3);
    }
    let error = roughboard(&[&arguments[..], &["--games", "2000"]].concat()).refusal();
    assert!(error.contains("too few openings: expected 1000") && error.contains("of the book"), "{error}");
    let error = roughboard(&[&arguments[..], &[&games]].concat()).refusal();
    assert!(error.contains("one book without other files"), "{error}");
}

#[test]
fn shards_merged_are_one_run_byte_for_byte() {
    let files = Files::new();
    let whole = files.path("whole");
    play(&SHORT, &whole, 0);
    let shards: Vec<PathBuf> = (1..=4).map(|number| files.path(&format!("shard-{number}"))).collect();
    for (number, shard) in (1..).zip(&shards) {
        let text = play(&[&SHORT[..], &["--shard", &format!("{number}/4")]].concat(), shard, 3);
        assert!(text.contains("games are missing"), "{text}");
    }
    let merge = |order: &[usize], out: &Path, code| {
        let folders = order.iter().map(|&at| shards[at].to_str().unwrap());
        play(&["match", "merge"].into_iter().chain(folders).collect::<Vec<_>>(), out, code)
    };
    for (name, order) in [("a", vec![0, 1, 2, 3]), ("b", vec![3, 1, 0, 2, 1])] {
        let merged = files.path(name);
        let text = merge(&order, &merged, 0);
        assert_eq!(text.contains(" 0 games in more than one"), order.len() == 4, "{text}");
        assert_same(&whole, &merged);
    }
    let part = files.path("part");
    assert!(merge(&[0, 2], &part, 3).contains("incomplete"));
    assert_eq!(contents(&part).len(), 2, "plan and journal, no results");
    // Merging knows no `--resume`.
    let [one, out] = [&shards[0], &part].map(|path| path.to_str().unwrap());
    let error = roughboard(&["match", "merge", one, "--out", out]).refusal();
    assert!(error.contains("is not finished: choose another folder, or replace it with `--force`"), "{error}");
    let empty = play(&[&SHORT[..], &["--shard", "1000000/1000000"]].concat(), &files.path("empty"), 3);
    assert!(empty.contains("0.0") && !empty.contains("-0.0") && !empty.contains("1.000"), "{empty}");
    // The rest is played where the parts were put together.
    play(&[&SHORT[..], &["--resume"]].concat(), &part, 0);
    assert_same(&whole, &part);
}

#[test]
fn games_of_other_seeds_that_repeat_each_other_are_told_of_when_merged() {
    let files = Files::new();
    let list = two_openings(&files);
    let merged = |name: &str, opponent: &str| {
        let runs = ["1", "2"].map(|seed| files.path(&format!("{name}-{seed}")));
        for (seed, run) in ["1", "2"].into_iter().zip(&runs) {
            let short = ["--openings", &list, "--games", "4", "--depth", "1", "--max-plies", "40", "--seed", seed];
            play(&[&["match", "traditional", opponent], &short[..]].concat(), run, 0);
        }
        let [one, other] = runs.each_ref().map(|path| path.to_str().unwrap());
        let out = files.path(name).display().to_string();
        let merge = ["match", "merge", one, other, "--out", &out, "--force"];
        let json = roughboard(&[&merge[..], &["--json"]].concat()).ended(0).stdout;
        let repeats = serde_json::from_str::<serde_json::Value>(&json).unwrap()["repeats"].as_u64().unwrap();
        (roughboard(&merge).ended(0), repeats)
    };
    let remark = "4 of 8 games repeat others move by move, with the same players: they add no evidence, so intervals, Elo, ratings and \
                  p-values count each pair of games once\n";
    let (run, repeats) = merged("decided", "traditional:material");
    assert_eq!((run.stderr, repeats), (format!("note: {remark}"), 4));
    assert!(fs::read_to_string(files.path("decided").join("tables.md")).unwrap().contains(remark.trim_end()));
    assert!(run.stdout.contains(&format!(" 0 games in more than one of them\n{remark}")), "{}", run.stdout);
    assert!(run.stdout.starts_with("limits: ") && !run.stdout.contains("1 folders"), "{}", run.stdout);
    let manifest = fs::read_to_string(files.path("decided").join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let seeds = &manifest["settings"]["seeds"];
    assert!([[1, 2], [2, 1]].iter().any(|both| *seeds == serde_json::json!(both)), "{seeds}");
    let (run, repeats) = merged("drawn", "random");
    assert_eq!((run.stderr.as_str(), repeats), ("", 0));
}

/// Two openings leave two different pairs of games, however often they are played.
#[test]
fn games_that_repeat_each_other_count_once_where_errors_and_verdicts_come_from() {
    let files = Files::new();
    let list = two_openings(&files);
    let run = |games: &str| {
        let out = files.path(games).display().to_string();
        let short = [
            "match",
            "rough@name=Mine",
            "traditional:material@name=Other",
            "--openings",
            &list,
            "--games",
            games,
            "--depth",
            "1",
        ];
        let told =
            roughboard(&[&short[..], &["--reuse-openings", "--quiet", "--json", "--out", &out]].concat()).ended(0);
        (told.json(), told.stderr)
    };
    let ((few, quiet), (many, noted)) = (run("4"), run("40"));
    let remark = "36 of 40 games repeat others move by move, with the same players: they add no evidence";
    assert!(quiet.is_empty() && noted.contains(&format!("note: {remark}")), "{quiet}{noted}");
    assert_eq!((&few["repeats"], &many["repeats"]), (&0.into(), &36.into()));
    let (few, many) = (&few["pairings"][0], &many["pairings"][0]);
    assert_eq!((&many["games"], &many["repeats"]), (&40.into(), &36.into()));
    for figure in ["elo", "elo_low", "elo_high", "elo_kind", "score_error", "los", "p_holm", "pentanomial"] {
        assert_eq!(few[figure], many[figure], "{figure}");
    }
    assert_eq!(many["won"].as_u64(), few["won"].as_u64().map(|won| 10 * won));
    let [folder, page] = [files.path("40"), files.path("page.html")].map(|path| path.display().to_string());
    let told = roughboard(&["report", &folder, "--out", &page]).ended(0).stdout;
    assert!(told.contains("(1 section, "), "{told}");
    let tables = fs::read_to_string(files.path("40").join("tables.md")).unwrap();
    assert!(tables.contains(remark) && tables.contains("of ratings over single games"), "{tables}");
    let html = fs::read_to_string(&page).unwrap();
    for part in [
        "36 of the 40 games repeat others and add no evidence, which leaves 4 different games. These are too few games",
        remark,
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains(" beat "), "no verdict");
}

/// Whoever won all games bounds the rating of the other, and has none.
#[test]
fn an_entrant_without_a_rating_is_not_called_rated() {
    let files = Files::new();
    let text = play(&words("match traditional random --games 2 --depth 1 --json"), &files.path("run"), 0);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let first = &json["standings"][0];
    assert!(first["rating"].is_null() && first["rating_kind"] == "open", "{first}");
}

#[test]
fn entrants_stand_in_the_order_of_their_ratings_wherever_they_are_listed() {
    let files = Files::new();
    // In a ladder the third meets the random mover, and the second, which is stronger, the first.
    let run = files.path("ladder");
    let ladder = ["match", "rough@name=first,depth=2", "rough@name=second", "td@name=third", "random"];
    let options = words("--schedule ladder --games 40 --depth 1 --random-plies 4 --max-plies 120 --json");
    let json: serde_json::Value = serde_json::from_str(&play(&[&ladder[..], &options].concat(), &run, 0)).unwrap();
    let standings = json["standings"].as_array().unwrap();
    let heights: Vec<f64> = standings
        .iter()
        .map(|place| match place["rating_kind"].as_str().unwrap() {
            "rated" => place["rating"].as_f64().unwrap(),
            "above" => f64::INFINITY,
            "below" => f64::NEG_INFINITY,
            kind => panic!("{kind}: {place}"),
        })
        .collect();
    assert!(heights.is_sorted_by(|one, other| one >= other), "{heights:?}");
    let scores: Vec<f64> = standings.iter().map(|place| place["score"].as_f64().unwrap()).collect();
    assert!(!scores.is_sorted_by(|one, other| one >= other), "the order of the scores is another: {scores:?}");
    let names: Vec<&str> = standings.iter().map(|place| place["entrant"].as_str().unwrap()).collect();
    for file in ["standings.csv", "crosstable.csv"] {
        let mut reader = csv::Reader::from_path(run.join(file)).unwrap();
        let column = reader.headers().unwrap().iter().position(|name| name == "entrant").unwrap();
        let listed: Vec<String> = reader.records().map(|row| row.unwrap()[column].to_owned()).collect();
        assert_eq!(listed, names, "{file}");
    }
    let page = files.path("page.html").display().to_string();
    roughboard(&["report", run.to_str().unwrap(), "--out", &page]).ended(0);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("came first of 4 entrants in 120 games"), "all games, not those of the first");
}

#[test]
fn two_entrants_are_one_pairing_whoever_is_named_first() {
    let files = Files::new();
    let runs = [("1", ["traditional", "random"]), ("2", ["random", "traditional"])].map(|(seed, players)| {
        let short = ["--games", "4", "--depth", "1", "--max-plies", "60", "--seed", seed];
        play(&[&["match"], &players[..], &short[..]].concat(), &files.path(seed), 0);
        files.path(seed)
    });
    let merged = files.path("merged");
    play(&["match", "merge", runs[0].to_str().unwrap(), runs[1].to_str().unwrap()], &merged, 0);
    // Won, drawn and lost by the first one named.
    let wdl = |run: &Path| -> Vec<[u64; 3]> {
        let mut pairings = csv::Reader::from_path(run.join("pairings.csv")).unwrap();
        pairings.records().map(|row| [10, 11, 12].map(|at| row.as_ref().unwrap()[at].parse().unwrap())).collect()
    };
    let ([one, other], all) = (runs.each_ref().map(|run| wdl(run)[0]), wdl(&merged));
    let of_traditional = [one[0] + other[2], one[1] + other[1], one[2] + other[0]];
    // Which of them is named first depends on the order of the plans.
    let text = fs::read_to_string(merged.join("pairings.csv")).unwrap();
    let is_first = text.lines().nth(1).unwrap().starts_with("traditional,");
    let [won, drawn, lost] = of_traditional;
    assert_eq!(all, [if is_first { of_traditional } else { [lost, drawn, won] }]);
}

#[test]
fn merging_refuses_conflicts_and_what_is_no_match() {
    let files = Files::new();
    let [one, other, out] = ["one", "other", "out"].map(|name| files.path(name));
    play(&SHORT, &one, 0);
    fs::create_dir(&other).unwrap();
    fs::copy(one.join("plan.json"), other.join("plan.json")).unwrap();
    let journal = without_sums(&fs::read_to_string(one.join("journal.jsonl")).unwrap());
    fs::write(other.join("journal.jsonl"), journal.replacen("\"nodes\":[", "\"nodes\":[7", 1)).unwrap();
    let merge = |folders: &[&Path]| {
        let folders = folders.iter().map(|folder| folder.to_str().unwrap());
        let arguments: Vec<_> =
            ["match", "merge"].into_iter().chain(folders).chain(["--out", out.to_str().unwrap()]).collect();
        roughboard(&arguments).refusal()
    };
    let error = merge(&[&one, &other]);
    assert!(error.contains("line 2: pair ") && error.contains("differs from an earlier record"), "{error}");
    assert!(merge(&[&one, files.folder.path()]).contains("plan.json"));
    assert!(merge(&[&one, &out]).contains("plan.json"));
    assert!(!out.exists(), "nothing is left of what was refused");
    assert!(merge(&[&one, &one, &files.path("none")]).contains("none"));
    // The folder that does not fit the first one, and the rule that differs.
    let drawn = files.path("drawn");
    play(&[&SHORT[..], &["--draw", "0.05/6/40"]].concat(), &drawn, 0);
    let error = merge(&[&one, &one, &drawn]);
    let expected = format!("`{}`: the plans do not fit together: they differ in when a game is", drawn.display());
    assert!(error.contains(&expected), "{error}");
}

#[test]
fn a_finished_match_whose_journal_was_changed_is_neither_resumed_nor_merged() {
    let files = Files::new();
    let [run, merged] = ["run", "merged"].map(|name| files.path(name));
    play(&SHORT, &run, 0);
    let journal = fs::read_to_string(run.join("journal.jsonl")).unwrap();
    fs::write(run.join("journal.jsonl"), journal.replacen("\"nodes\":[", "\"nodes\":[7", 1)).unwrap();
    let before = contents(&run);
    let [folder, out] = [&run, &merged].map(|path| path.to_str().unwrap());
    let resumed = [&SHORT[..], &["--resume", "--out", folder]].concat();
    for arguments in [&resumed[..], &["match", "merge", folder, "--out", out]] {
        let error = roughboard(arguments).refusal();
        assert!(error.contains("journal.jsonl` was changed since the run finished"), "{error}");
    }
    assert!(contents(&run) == before && !merged.exists());
}

#[test]
fn a_folder_is_only_overwritten_when_asked_and_only_resumed_by_its_own_match() {
    let files = Files::new();
    let run = files.path("run");
    play(&SHORT, &run, 0);
    let to_run = |more: &[&str]| roughboard(&[&SHORT[..], more, &["--out", run.to_str().unwrap()]].concat());
    assert!(to_run(&[]).refusal().contains("holds a finished run"));
    let error = to_run(&["--resume", "--nodes", "9"]).refusal();
    assert!(error.contains("holds another run: ") && error.contains("nodes: none before, 9 now"), "{error}");
    let longer = with_games("12");
    let error = roughboard(&[&longer[..], &["--resume", "--out", run.to_str().unwrap()]].concat()).refusal();
    assert!(error.contains("holds another run: games: 24 before, 36 now; choose another folder"), "{error}");
    fs::remove_file(run.join("manifest.json")).unwrap();
    let error = to_run(&[]).refusal();
    assert!(error.contains("holds a run that is not finished: go on with it by `roughboard match "), "{error}");
    let before = contents(&run);
    to_run(&["--force", "--nodes", "9"]).ended(0);
    assert_ne!(before["plan.json"], contents(&run)["plan.json"]);
    let precious = files.path("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("thesis.txt"), "").unwrap();
    let error = roughboard(&[&SHORT[..], &["--force", "--out", precious.to_str().unwrap()]].concat()).refusal();
    assert!(error.contains("it holds `thesis.txt`"), "{error}");
}

#[test]
fn a_match_that_goes_on_replaces_no_file_of_records_but_its_own() {
    let files = Files::new();
    let [run, games] = ["run", "games.pgn"].map(|name| files.path(name));
    let written = || fs::read_to_string(&games).unwrap();
    let to_run = |more: &[&str]| {
        let places = ["--quiet", "--out", run.to_str().unwrap(), "--pgn", games.to_str().unwrap()];
        roughboard(&[&SHORT[..], &places, more].concat())
    };
    fs::write(&games, "precious").unwrap();
    let error = to_run(&["--resume"]).refusal();
    assert!(error.contains("games.pgn` exists: expected a new file"), "{error}");
    fs::remove_file(&games).unwrap();
    to_run(&["--resume"]).ended(0);
    let whole = written();
    to_run(&["--resume"]).ended(0);
    assert_eq!(written(), whole);
    fs::write(&games, "precious").unwrap();
    let error = to_run(&["--resume"]).ended(2).stderr;
    assert!(error.contains("games.pgn`: a file with another content is there: expected a new file"), "{error}");
    fs::remove_file(run.join("manifest.json")).unwrap();
    let error = to_run(&["--resume"]).refusal();
    assert!(error.contains("games.pgn` exists, and this run has not written it"), "{error}");
    assert_eq!(written(), "precious");
    to_run(&["--force"]).ended(0);
    assert_eq!(written(), whole);
}

/// Whose the file is shows before a game of the second part is played.
#[test]
fn a_part_replaces_no_records_of_another_part() {
    let files = Files::new();
    let [run, games] = ["run", "games.pgn"].map(|name| files.path(name));
    let part = |number: &str| {
        let places = ["--quiet", "--resume", "--out", run.to_str().unwrap(), "--pgn", games.to_str().unwrap()];
        roughboard(&[&SHORT[..], &places, &["--shard", number]].concat())
    };
    part("1/2").ended(3);
    part("1/2").ended(3);
    let written = || [&run.join("journal.jsonl"), &games].map(|file| fs::read(file).unwrap());
    let before = written();
    let error = part("2/2").refusal();
    assert!(error.contains("games.pgn` exists, and this run has not written it: expected a new file"), "{error}");
    assert!(written() == before);
}

/// Ctrl-C says what is kept and how to go on, and the command that it names does.
#[cfg(unix)]
#[test]
fn ctrl_c_tells_how_to_go_on() {
    let files = Files::new();
    let run = files.path("run");
    let long = with_games("1800");
    let arguments = [&long[..], &["--out", run.to_str().unwrap()]].concat();
    let mut command = Command::new(PROGRAM);
    let child = command.args(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let has_games = || fs::read_to_string(run.join("journal.jsonl")).is_ok_and(|text| text.lines().count() > 3);
    while !has_games() {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("stopped: games that ended are kept in `"), "{told}");
    let command = |after: &str| -> Vec<String> {
        let line = told.split(&format!("{after}: `roughboard ")).nth(1).unwrap().split('`').next().unwrap();
        line.split(' ').map(str::to_owned).collect()
    };
    let run_again = |words: &[String]| roughboard(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let error =
        roughboard(&["report", run.to_str().unwrap(), "--out", files.path("page.html").to_str().unwrap()]).refusal();
    assert!(error.contains("not finished, which has no page") && !error.contains("-so-far"), "{error}");
    let so_far = run_again(&command("for the tables so far")).ended(3).stdout;
    assert!(so_far.contains("Standings") && so_far.contains("games are missing"), "{so_far}");
    let again = command("to go on");
    assert_eq!(again.last().unwrap(), "--resume");
    run_again(&again).ended(0);
    assert!(run.join("manifest.json").exists());
}

/// A game whose other half is missing is in no table, and is told of.
#[test]
fn half_a_pair_is_told_of() {
    let files = Files::new();
    let run = files.path("run");
    play(&SHORT, &run, 0);
    let journal = fs::read_to_string(run.join("journal.jsonl")).unwrap();
    fs::remove_file(run.join("manifest.json")).unwrap();
    // The line of the match, and those of three games of the first pairing.
    let lines: Vec<&str> = journal.lines().take(4).collect();
    fs::write(run.join("journal.jsonl"), lines.join("\n") + "\n").unwrap();
    let out = files.path("out").display().to_string();
    let merge = ["match", "merge", run.to_str().unwrap(), "--out", &out, "--force"];
    let text = roughboard(&merge).ended(3).stdout;
    let expected = "1 folder, 0 games in more than one of them\nincomplete: 21 of 24 games are missing; 1 game that ended waits for the other of \
                    its pair, and is in no table\n";
    assert!(text.contains(expected), "{text}");
    let json = roughboard(&[&merge[..], &["--json"]].concat()).ended(3).json();
    assert_eq!((&json["halves"], &json["pairings"][0]["games"]), (&1.into(), &2.into()));
    let none = serde_json::Value::Null;
    for figure in ["p_holm", "mean_plies", "elo", "los", "score", "score_error"] {
        assert_eq!(json["pairings"][2][figure], none, "{figure}: nobody played");
    }
    assert_eq!(json["pairings"][2]["elo_kind"], "none");
}

#[test]
fn a_damaged_line_of_a_journal_is_left_out_and_its_game_played_again() {
    let files = Files::new();
    let run = files.path("run");
    let part = [&SHORT[..], &["--shard", "1/2"]].concat();
    play(&part, &run, 3);
    let journal = run.join("journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<&str> = whole.lines().collect();
    lines[2] = &lines[2][..lines[2].len() / 2];
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    let [run_text, merged] = [&run, &files.path("merged")].map(|path| path.display().to_string());
    let error = roughboard(&["match", "merge", &run_text, "--out", &merged]).refusal();
    let expected = "line 3: not a record of a game; the run that writes it leaves the line out when it goes on, and plays its game again";
    assert!(error.contains(expected), "{error}");
    let resumed = roughboard(&[&part[..], &["--quiet", "--out", &run_text, "--resume"]].concat()).ended(3);
    let expected = format!(
        "note: journal `{}`: line 3 is not a record of a game and is left out: its game is played again, unless another line tells of it\n",
        journal.display()
    );
    assert_eq!(resumed.stderr, expected);
    assert!(fs::read_to_string(&journal).unwrap() == whole, "the same game was played again");
}

#[test]
fn an_engine_that_fails_loses_and_the_match_goes_on() {
    let files = Files::new();
    let broken =
        files.write("broken", "#!/bin/sh\nread hello\necho uciok\nread ready\necho readyok\nread position\nexit 3\n");
    let mut permissions = fs::metadata(&broken).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs::set_permissions(&broken, permissions).unwrap();
    let engine = format!("engine:{}@name=broken", broken.display());
    let run = files.path("run");
    let arguments =
        ["match", &engine, "random", "traditional", "--schedule", "gauntlet", "--games", "4", "--depth", "1"];
    let text = play(&[&arguments[..], &["--json"]].concat(), &run, 1);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    for pairing in json["pairings"].as_array().unwrap() {
        assert_eq!((&pairing["lost"], &pairing["won"]), (&4.into(), &0.into()), "{pairing}");
    }
    let games = fs::read_to_string(run.join("games.csv")).unwrap();
    assert!(games.contains("engine crashed"), "{games}");
}

#[test]
fn positions_come_from_lists_and_entrants_from_files() {
    let files = Files::new();
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let list = files.write("openings.fen", format!("# one\n{start}\n"));
    let bad = files.write("bad.epd", format!("{start}\n4k4/9/9 w\n"));
    let entrants = files.write(
        "entrants.toml",
        "[[entrant]]\nplayer = \"traditional\"\nname = \"A\"\n[[entrant]]\nplayer = \"traditional\"\ndepth = 2\n",
    );
    let [list, bad, entrants] = [&list, &bad, &entrants].map(|path| path.to_str().unwrap());
    let short =
        ["match", "--entrants", entrants, "--games", "2", "--depth", "1", "--max-plies", "9", "--json", "--openings"];
    let json = roughboard(&[&short[..], &[list]].concat()).ended(0).json();
    assert_eq!(json["entrants"], serde_json::json!(["A", "traditional"]));
    let error = roughboard(&[&short[..], &[bad]].concat()).refusal();
    assert!(error.contains("bad.epd`, line 2: "), "{error}");
    let error = roughboard(&["match", "traditional@depth=x", "random"]).refusal();
    assert!(error.contains("entrant `traditional@depth=x`: `depth` must be a whole number, got x"), "{error}");
    let error = roughboard(&["match", "traditional@colour=red", "random"]).refusal();
    assert!(error.contains("colour"), "{error}");
    for (lines, expected) in [
        ("colour = 1", "colour"),
        ("", "wrong.toml`: expected two entrants, here and on the command line, found 1"),
        (
            "[[entrant]]\nplayer = \"nobody\"",
            "wrong.toml`, entrant 2: there is no evaluator of xiangqi called `nobody`",
        ),
        ("search = \"null_move=maybe\"", "wrong.toml`, entrant 1: entrant `traditional`: `null_move` must be"),
    ] {
        let wrong = files.write("wrong.toml", format!("[[entrant]]\nplayer = \"traditional\"\n{lines}\n"));
        let error = roughboard(&["match", "--entrants", wrong.to_str().unwrap()]).refusal();
        assert!(error.contains("wrong.toml") && error.contains(expected), "{error}");
    }
}

/// Runs a shell script as a scheduler would, with the program in the path, and small numbers in place of its own.
pub fn scheduled(script: &str, folder: &Path, variables: &[(&str, &str)]) -> std::process::Output {
    let path = format!(
        "{}:{}:{}",
        folder.display(),
        Path::new(PROGRAM).parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut command = Command::new("bash");
    command.args(["-c", script]).current_dir(env!("CARGO_MANIFEST_DIR")).env("PATH", path);
    command.envs([("GAMES", "4"), ("DEPTH", "1"), ("SHARDS", "2"), ("ENTRANTS", "docs/cluster/entrants.toml")]);
    for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

pub fn job_file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cluster").join(name)).unwrap()
}

/// The shell scripts in a file of Kubernetes: the lines of the block that is the last argument of each command.
pub fn scripts_of_pods(name: &str) -> Vec<String> {
    let script = |block: &str| {
        let lines = block.lines().map_while(|line| line.strip_prefix("              "));
        lines.collect::<Vec<_>>().join("\n")
    };
    job_file(name).split("            - |\n").skip(1).map(script).collect()
}

/// What GNU parallel is asked to do here: the command with `{}` replaced by each word after `:::`.
const STAND_IN: &str = r#"#!/bin/bash
command=(); while [ "$1" != ":::" ]; do command+=("$1"); shift; done; shift
while [ "${command[0]}" != roughboard ]; do command=("${command[@]:1}"); done
for word in "$@"; do "${command[@]//\{\}/$word}" & done
wait
"#;

/// Puts the stand-in where [`scheduled`] finds it.
pub fn stand_in_for_parallel(files: &Files) {
    let stand_in = files.write("parallel", STAND_IN);
    let mut permissions = fs::metadata(&stand_in).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs::set_permissions(&stand_in, permissions).unwrap();
}

#[test]
fn the_job_files_of_schedulers_do_what_they_say() {
    let files = Files::new();
    stand_in_for_parallel(&files);
    let run = |name: &str| files.argument(name);
    let done = |script: &str, variables: &[(&str, &str)]| {
        let output = scheduled(script, files.folder.path(), variables);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let (slurm, pods) = (run("slurm"), run("pods"));
    for (task, index) in [("2", "1"), ("1", "0")] {
        done(&job_file("match.slurm"), &[("RUN", &slurm), ("SLURM_ARRAY_TASK_ID", task), ("SLURM_CPUS_PER_TASK", "1")]);
        done(&scripts_of_pods("kubernetes.yaml")[0], &[("RUN", &pods), ("JOB_COMPLETION_INDEX", index)]);
    }
    let parallel = run("parallel-run");
    done(&job_file("parallel.sh"), &[("RUN", &parallel)]);
    for run in [&slurm, &pods] {
        done(&format!("roughboard match merge {run}/shard-* --out {run}/all"), &[]);
        assert_same(&Path::new(run).join("all"), &Path::new(&parallel).join("all"));
    }
    let outside =
        scheduled(&job_file("match.slurm"), files.folder.path(), &[("RUN", &slurm), ("SLURM_ARRAY_TASK_ID", "3")]);
    assert_eq!(outside.status.code(), Some(2), "a task beyond the last shard");
}
