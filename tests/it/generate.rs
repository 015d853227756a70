//! `games generate`: each way to make games, the same bytes on any number of threads and after a kill, and what is refused.

use std::fs;

use roughboard::game::Outcome;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::Silent;
use roughboard::record::{GameRecord, Policy, read_games};

use crate::command::{Files, PROGRAM_NAME, Run, roughboard, without_sums, words};

const PROGRAM: &str = env!("CARGO_BIN_EXE_roughboard");

/// Runs `games generate` with `arguments`, few and short games, and `out` in `files`.
fn generate(files: &Files, out: &str, arguments: &[&str]) -> Run {
    let out = files.path(out);
    let common = ["--max-plies", "24", "--threads", "2", "--force", "--out", out.to_str().unwrap()];
    roughboard(&[&["games", "generate"], arguments, &common].concat())
}

fn games(files: &Files, out: &str) -> Vec<GameRecord<Xiangqi>> {
    read_games(&[files.path(out)], Policy::Strict, &Silent).unwrap().0
}

/// The names of the sides of each game.
fn sides(games: &[GameRecord<Xiangqi>]) -> Vec<[&str; 2]> {
    games.iter().map(|game| ["Red", "Black"].map(|side| game.tag(side).unwrap())).collect()
}

fn engine() -> String {
    format!("{PROGRAM} engine --option Hash=1")
}

#[test]
fn each_way_makes_games_between_the_right_players() {
    let files = Files::new();
    let engine = engine();
    let itself = |name| vec![[name; 2]; 4];
    let alternating = |a, b| [[a, b], [b, a]].repeat(2);
    for (way, event, expected) in [
        (&["random"][..], "random games", itself("random")),
        (&["random", "--against", "traditional", "--depth", "1"], "random games", alternating("traditional", "random")),
        (
            &["fixed-opponent", "--opponent", "traditional:e1", "--depth", "1", "--opponent-depth", "2"],
            "fixed opponent",
            alternating("traditional", "traditional:e1"),
        ),
        (
            &["fixed-opponent", "--opponent", "traditional", "--nodes", "50", "--opponent-nodes", "90"],
            "fixed opponent",
            alternating("traditional", "traditional (2)"),
        ),
        (&["self-play", "--nodes", "60"], "self-play", itself("traditional")),
        (&["engine", "--engine", &engine, "--depth", "1"], "engine games", itself(PROGRAM_NAME)),
        (
            &["engine", "--engine", &engine, "--nodes", "40", "--opponent", "traditional", "--protocol", "ucci"],
            "engine games",
            alternating(PROGRAM_NAME, "traditional"),
        ),
    ] {
        let run = generate(&files, "games.pgn", &[way, &["--games", "4"]].concat()).ended(0);
        assert!(run.stdout.starts_with("4 games written"), "{}", run.stdout);
        let games = games(&files, "games.pgn");
        assert_eq!(sides(&games), expected, "{way:?}");
        assert!(games.iter().all(|game| game.tag("Event") == Some(&format!("roughboard {event}"))));
        assert!(games.iter().all(|game| game.comments.iter().all(Option::is_none)), "no evaluations were asked for");
        assert!(games.iter().enumerate().all(|(at, game)| games[..at].iter().all(|other| other.moves != game.moves)));
    }
}

#[test]
fn games_without_random_plies_are_no_more_than_differ_or_are_told_to_repeat() {
    let files = Files::new();
    let plain = ["--depth", "1", "--random-plies", "0", "--games"];
    for (way, games) in [(&["self-play"][..], "1"), (&["fixed-opponent", "--opponent", "rough"], "2")] {
        let run = generate(&files, "games.pgn", &[way, &plain, &[games]].concat()).ended(0);
        assert!(!run.stderr.contains("duplicates"), "{}", run.stderr);
    }
    // Nobody knows what an engine of other make does.
    let run =
        generate(&files, "games.pgn", &[&["engine", "--engine", &engine()], &plain[..], &["3"]].concat()).ended(0);
    assert!(run.stderr.contains("note: 2 of 3 games are duplicates, which count each time"), "{}", run.stderr);
}

#[test]
fn bytes_depend_on_neither_threads_nor_interruptions() {
    let files = Files::new();
    let engine = engine();
    let journal = files.path("games.jsonl");
    for (way, cuts) in [
        (&["random", "--games", "6"][..], 8),
        (&["random", "--against", "traditional:e1", "--nodes", "40", "--games", "4", "--evaluations"], 4),
        (&["fixed-opponent", "--opponent", "traditional:e1", "--depth", "1", "--games", "4", "--evaluations"], 4),
        (
            &[
                "engine",
                "--engine",
                &engine,
                "--nodes",
                "30",
                "--games",
                "3",
                "--opponent",
                "traditional:e1",
                "--evaluations",
            ],
            2,
        ),
    ] {
        let run = |out: &str, more: &[&str]| {
            generate(&files, out, &[way, more].concat()).ended(0);
            ["pgn", "pgn.manifest.json"]
                .map(|ending| fs::read_to_string(files.path(out).with_extension(ending)).unwrap())
        };
        let plain = run("games.pgn", &[]);
        let with_journal = ["--journal", journal.to_str().unwrap()];
        assert_eq!(run("games.pgn", &with_journal), plain);
        let whole = fs::read(&journal).unwrap();
        for cut in (1..=cuts).map(|cut| cut * (whole.len() - 1) / cuts) {
            fs::write(&journal, &whole[..cut]).unwrap();
            assert_eq!(run("games.pgn", &with_journal), plain, "{way:?} cut at byte {cut}");
        }
        fs::remove_file(&journal).unwrap();
        let out = files.path("games.pgn");
        let few = ["--max-plies", "24", "--threads", "1"];
        let one_thread = [&few[..], &["--force", "--out", out.to_str().unwrap()]].concat();
        roughboard(&[&["games", "generate"], way, &one_thread].concat()).ended(0);
        assert_eq!(fs::read_to_string(&out).unwrap(), plain[0], "{way:?} on one thread");
    }
}

/// Parts put together are the same bytes as the whole, whichever were killed, and what is missing is played and told.
#[test]
fn parts_of_the_games_make_the_same_bytes_as_all_at_once() {
    let files = Files::new();
    let way = ["self-play", "--games", "7", "--nodes", "40"];
    let read =
        |out: &str| ["pgn", "pgn.manifest.json"].map(|end| fs::read(files.path(out).with_extension(end)).unwrap());
    generate(&files, "games.pgn", &way).ended(0);
    let whole = read("games.pgn");
    fs::remove_file(files.path("games.pgn")).unwrap();
    let parts: Vec<String> =
        (1..=3).map(|part| files.argument(&format!("games.pgn.shard-{part}-of-3.jsonl"))).collect();
    for (part, n_games) in [(1, 3), (2, 2), (3, 2)] {
        let run = generate(&files, "games.pgn", &[&way[..], &["--shard", &format!("{part}/3")]].concat()).ended(3);
        let expected = format!("part {part}/3 is done: {n_games} of 7 games, kept in {}", parts[part - 1]);
        assert!(run.stdout.starts_with(&expected), "{}", run.stdout);
        assert!(!files.path("games.pgn").exists());
    }
    let merge = |parts: &[&str]| generate(&files, "games.pgn", &[&way[..], &["--parts"], parts].concat());
    let all: Vec<&str> = parts.iter().map(String::as_str).collect();
    let run = merge(&all).ended(0);
    assert!(read("games.pgn") == whole && !run.stderr.contains("none of the parts"), "{}", run.stderr);
    let run = merge(&all[..2]).ended(0);
    assert!(run.stderr.contains("2 of 7 games are in none of the parts, and are played now"), "{}", run.stderr);
    assert_eq!(read("games.pgn"), whole);
    let other = generate(&files, "games.pgn", &[&way[..4], &["50", "--parts"], &all].concat()).refusal();
    assert!(
        other.contains("shard-1-of-3.jsonl` is a part of another run: ") && other.contains("40 before, 50 now"),
        "{other}"
    );
    let none = merge(&["none.jsonl"]).refusal();
    assert!(none.contains("cannot read `none.jsonl`"), "{none}");
    let both = generate(&files, "games.pgn", &[&way[..], &["--shard", "1/3", "--parts", all[0]]].concat()).ended(2);
    assert!(both.stderr.contains("cannot be used with"), "{}", both.stderr);
}

/// Two parts that tell different games under one number are refused before anything is written.
#[test]
fn parts_that_contradict_each_other_leave_nothing_behind() {
    let files = Files::new();
    let way = ["self-play", "--games", "2", "--nodes", "20"];
    for part in ["1/2", "2/2"] {
        generate(&files, "games.pgn", &[&way[..], &["--shard", part]].concat()).ended(3);
    }
    let [one, two] = [1, 2].map(|part| files.argument(&format!("games.pgn.shard-{part}-of-2.jsonl")));
    let game = without_sums(&fs::read_to_string(&one).unwrap()).lines().last().unwrap().to_owned();
    let nodes = game.rfind("\"nodes\":[").unwrap() + "\"nodes\":[".len();
    let text = fs::read_to_string(&two).unwrap();
    fs::write(&two, format!("{text}{}1{}\n", &game[..nodes], &game[nodes..])).unwrap();
    let error = generate(&files, "games.pgn", &[&way[..], &["--parts", &one, &two]].concat()).refusal();
    assert!(error.contains("shard-2-of-2.jsonl`, line 3: game 1: differs from an earlier record"), "{error}");
    assert!(!files.path("games.pgn.journal.jsonl").exists());
    fs::write(&two, text).unwrap();
    generate(&files, "games.pgn", &[&way[..], &["--parts", &one, &two]].concat()).ended(0);
}

#[test]
fn a_manifest_says_how_the_games_were_made() {
    let files = Files::new();
    let arguments = ["fixed-opponent", "--opponent", "traditional:e1", "--games", "2", "--seed", "5", "--depth", "1"];
    generate(&files, "games.pgn.zst", &arguments).ended(0);
    let text = fs::read_to_string(files.path("games.pgn.zst.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&manifest["seed"], &manifest["program"]), (&5.into(), &PROGRAM_NAME.into()));
    let [one, other] = [0, 1].map(|at| &manifest["settings"]["contestants"][at]["evaluator"]);
    assert_eq!((&one["name"], &other["name"]), (&"traditional".into(), &"traditional:e1".into()));
    assert_eq!(one["checksum"].as_str().unwrap().len(), 64);
    assert_ne!(one["checksum"], other["checksum"]);
    let written = roughboard::disk::sha256(&fs::read(files.path("games.pgn.zst")).unwrap());
    assert_eq!(manifest["outputs"], serde_json::json!([["games.pgn.zst", written]]));
}

#[test]
fn scores_and_clocks_end_games_where_that_is_asked_for() {
    let files = Files::new();
    generate(&files, "games.pgn", &["self-play", "--depth", "1", "--games", "2", "--draw", "0.99/3/1"]).ended(0);
    for game in &games(&files, "games.pgn") {
        assert_eq!(game.tag("Termination"), Some("adjudicated: draw by score"));
        assert_eq!((game.moves.len(), game.outcome), (8 + 3, Some(Outcome::Draw)));
    }
    let text = fs::read_to_string(files.path("games.pgn.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rule = serde_json::json!({ "score": 0.99, "plies": 3, "from_ply": 1 });
    assert_eq!(manifest["settings"]["settings"]["adjudication"]["draw"], rule);
    let timed = ["self-play", "--games", "1", "--tc", "0.02+0.001", "--time-margin", "600000"];
    generate(&files, "games.pgn", &timed).ended(0);
    let timed = &games(&files, "games.pgn")[0];
    assert_eq!((timed.tag("Termination"), timed.tag("TimeControl")), (Some("ply cap"), Some("0.02+0.001")));
}

#[test]
fn the_journal_is_no_file_that_is_written() {
    let files = Files::new();
    let names = ["games.pgn", "games.pgn.manifest.json"].map(|name| files.path(name).display().to_string());
    for journal in &names {
        let way = ["games", "generate", "random", "--games", "1", "--out", names[0].as_str(), "--journal", journal];
        let error = roughboard(&way).refusal();
        assert!(error.contains("are one file: expected two to write"), "{error}");
    }
}

#[test]
fn an_evaluator_beats_the_random_mover() {
    let files = Files::new();
    let out = files.path("games.pgn");
    let way = ["games", "generate", "random", "--against", "traditional", "--games", "6", "--depth", "2"];
    roughboard(&[&way[..], &["--max-plies", "200", "--out", out.to_str().unwrap()]].concat()).ended(0);
    let won = |(number, game): (usize, &GameRecord<Xiangqi>)| {
        let side = if number % 2 == 0 { roughboard::game::Side::First } else { roughboard::game::Side::Second };
        game.outcome == Some(Outcome::Win(side))
    };
    assert!(games(&files, "games.pgn").iter().enumerate().filter(|&game| won(game)).count() >= 4);
}

#[test]
fn what_cannot_be_done_is_refused_in_one_line() {
    let files = Files::new();
    for (arguments, message) in [
        (&["self-play", "--evaluator", "no.safetensors"][..], "no.safetensors"),
        (&["fixed-opponent", "--opponent", "no.safetensors"], "no.safetensors"),
        (
            &["fixed-opponent", "--opponent", "traditional", "--opponent-depth", "65"],
            "`--depth` must be in [1, 64], got 65",
        ),
        (&["random", "--against", "no.safetensors"], "no.safetensors"),
        (&["random", "--depth", "2"], "`--depth` has no effect without `--against`: leave it out"),
        (&["random", "--resign", "0.9/3"], "`--resign` has no effect without `--against`"),
        (&["random", "--evaluations"], "`--evaluations` has no effect without `--against`"),
        (&["self-play", "--time-margin", "5"], "`--time-margin` has no effect without `--tc`"),
        (&["random", "--games", "0"], "`--games` must be in [1, 10000000], got 0"),
        (&["random", "--max-plies", "10001"], "`--max-plies` must be in [1, 10000], got 10001"),
        (&["self-play", "--resign", "0.9"], "`--resign` must be SCORE/MOVES"),
        (&["self-play", "--resign", "1.1/3"], "`--resign` must be in (0, 1], got 1.1"),
        (&["self-play", "--draw", "0.1/2"], "`--draw` must be SCORE/PLIES/FROM"),
        (&["self-play", "--tc", "fast"], "`--tc` must be SECONDS or SECONDS+INCREMENT"),
        (
            &["self-play", "--tc", "0+1"],
            "`--tc` must be SECONDS or SECONDS+INCREMENT, more than none and at most a day, such as 10+0.1, got 0+1",
        ),
        (&["engine", "--engine", "x", "--patience", "0"], "`--patience` must be in [0.001, 86400], got 0"),
        (&["self-play", "--nodes", "0"], "`--nodes` must be at least 1, got 0"),
        (&["self-play", "--random-plies", "24"], "`--max-plies` must be above `--random-plies`, got 24"),
        (&["self-play", "--random-plies", "0"], "`--random-plies` must be at least 1, or the same game"),
        (&["fixed-opponent", "--opponent", "rough", "--random-plies", "0"], "`--random-plies` must be at least 1, or"),
        (
            &["self-play", "--games", "1", "--depth", "1", "--random-plies", "0", "--margin", "0.7"],
            "`--margin` must be left out, as no plies are drawn at random, got 0.7",
        ),
        (
            &["fixed-opponent", "--opponent", "rough", "--games", "2", "--random-plies", "0", "--margin", "0.1"],
            "`--margin` must be left out, as no plies are drawn at random, got 0.1",
        ),
        (&["engine", "--engine", "x", "--random-plies", "0", "--margin", "0.7"], "`--margin` must be left out, as no"),
        (&["random", "--margin", "0.7"], "`--margin` must be left out, as the games are random from the first ply on"),
        (
            &["engine", "--engine", "x", "--random-plies", "0", "--search", "null_move=false"],
            "`--search` has no effect without `--opponent` and with `--random-plies 0`: leave it out",
        ),
        (&["engine", "--engine", "x", "--random-plies", "0", "--hash", "1"], "`--hash` has no effect without"),
        (
            &["engine", "--engine", "x", "--opponent-depth", "6"],
            "`--opponent-depth` has no effect without `--opponent`",
        ),
        (
            &["engine", "--engine", "x", "--opponent-nodes", "6"],
            "`--opponent-nodes` has no effect without `--opponent`",
        ),
        (&["engine", "--engine", "no/such/engine"], "cannot start the engine `no/such/engine`"),
        (&["engine", "--engine", "x", "--depth", "0"], "`--depth` must be in [1, 64], got 0"),
        (&["engine", "--engine", "x", "--movetime", "0"], "`--movetime` must be in [1, 3600000], got 0"),
        (&["engine", "--engine", "x", "--engine-option", "Hash"], "`--engine-option` must be NAME=VALUE, got Hash"),
    ] {
        let common = ["--out", &files.path("out.pgn").to_string_lossy()].map(str::to_owned);
        let cap = if arguments.contains(&"--max-plies") { &[][..] } else { &["--max-plies", "24"] };
        let common: Vec<&str> = common.iter().map(String::as_str).chain(cap.iter().copied()).collect();
        let refusal = roughboard(&[&["games", "generate"], arguments, &common].concat()).refusal();
        assert!(refusal.contains(message), "{arguments:?}: {refusal}");
    }
    assert_eq!(fs::read_dir(files.folder.path()).unwrap().count(), 0, "a trace is left");
}

#[test]
fn the_help_says_how_many_plies_are_drawn_where_whole_turns_are_told() {
    let help = roughboard(&["games", "generate", "engine", "--help"]).ended(0).stdout;
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("in [0, 200] [default: 8, with `--protocol connect6` 9]"), "{help}");
}

/// Engines made of a few words of shell.
#[cfg(unix)]
mod strange {
    use super::*;

    const GREETING: &str = "read hello; echo id name strange; echo uciok; read ready; echo readyok; read position";

    /// An engine that gives up in the first game and does `then` in the second. Once it is started only to be asked its name.
    fn failing(files: &Files, then: &str) -> String {
        let started = files.path("started");
        let script = format!(
            "echo x >> {started}; {GREETING}; read go; n=$(wc -l < {started}); \
             if [ $n -gt 2 ]; then {then}; else echo 'bestmove (none) resign'; fi; read quit",
            started = started.display()
        );
        format!("sh {}", files.write("engine.sh", script).display())
    }

    /// Also where the games are made from a journal.
    #[test]
    fn too_little_time_is_an_ordinary_loss() {
        let files = Files::new();
        let script = "while read -r line; do case \"$line\" in uci) echo id name slow; echo uciok;; isready) echo readyok;; \
                      go*) sleep 0.3; echo bestmove h2e2;; quit) exit 0;; esac; done";
        let engine = format!("sh {}", files.write("slow.sh", script).display());
        let journal = files.path("games.jsonl").display().to_string();
        let way = ["engine", "--engine", &engine, "--protocol", "uci", "--games", "2", "--random-plies", "0"];
        let hurried = [&way[..], &["--tc", "0.01+0", "--time-margin", "0", "--journal", &journal]].concat();
        generate(&files, "games.pgn", &hurried).ended(0);
        for game in &games(&files, "games.pgn") {
            assert_eq!((game.tag("Termination"), game.moves.len()), (Some("time forfeit"), 0));
        }
        let written = fs::read(files.path("games.pgn")).unwrap();
        generate(&files, "games.pgn", &hurried).ended(0);
        assert_eq!(fs::read(files.path("games.pgn")).unwrap(), written);
    }

    #[test]
    fn an_engine_that_fails_is_named_with_game_and_ply_and_finished_games_are_kept() {
        for (then, reason, message) in [
            ("exit 3", "engine crashed", "ended (exit status: 3) while its move was due"),
            ("echo bestmove a0a9", "illegal move", "answered `bestmove a0a9`"),
            ("echo 'bestmove (none)'", "illegal move", "answered `bestmove (none)`"),
        ] {
            let files = Files::new();
            let (engine, out, journal) = (failing(&files, then), files.path("out.pgn"), files.path("games.jsonl"));
            let [out, journal] = [&out, &journal].map(|path| path.to_str().unwrap());
            let way = ["games", "generate", "engine", "--engine", &engine, "--opponent", "traditional"];
            let common = words("--protocol uci --random-plies 2 --games 2 --threads 1");
            let refusal = roughboard(&[&way[..], &common, &["--out", out, "--journal", journal]].concat()).refusal();
            let start = format!("error: game 2, ply 4: {reason}: the engine `sh");
            assert!(refusal.starts_with(&start) && refusal.contains(message), "{refusal}");
            let kept = fs::read_to_string(journal).unwrap();
            assert!(kept.lines().count() == 2 && kept.contains("\"resignation\""), "{kept}");
        }
    }
}
