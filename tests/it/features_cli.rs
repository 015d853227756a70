//! `train … --features … --target …` and `table build --features` as a user runs them.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::command::{Run, contents, roughboard, without_sum};
use crate::training_runs::Trainer;

const FEATURES: [&str; 7] = ["board91", "piece-square", "terms", "control", "king-relative", "signs", "board91+terms"];

/// The network that a training called `name` writes.
fn net(trainer: &Trainer, name: &str) -> PathBuf {
    trainer.files.path(name).join("net.safetensors")
}

/// Trains for one pass.
fn train(trainer: &Trainer, method: &str, name: &str, more: &[&str]) -> Run {
    let size = if method == "rough" { ["--rules", "6"] } else { ["--hidden", "4"] };
    trainer.train(&[method], name, &[&size[..], &["--passes", "1"], more].concat())
}

#[test]
fn networks_on_every_feature_set_train_and_evaluate() {
    let trainer = Trainer::of_uneven_games();
    for features in FEATURES {
        for method in ["bp", "td", "rough"] {
            let name = format!("{features}-{method}");
            let run = train(&trainer, method, &name, &["--features", features]).ended(0);
            assert!(run.stdout.starts_with(&format!("features {features}")), "{}", run.stdout);
            let net = net(&trainer, &name);
            roughboard(&["eval", "--evaluator", net.to_str().unwrap()]).ended(0);
        }
    }
}

/// What stands before `word` in the account of the training positions.
fn counted(run: &Run, word: &str) -> usize {
    let line = run.stdout.lines().find(|line| line.starts_with("training: ")).unwrap();
    let before = line.split(word).next().unwrap().trim();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn options_change_the_positions_as_they_say() {
    let trainer = Trainer::of_uneven_games();
    let plain = train(&trainer, "bp", "plain", &[]).ended(0);
    let seen = counted(&plain, "positions seen");
    assert_eq!((counted(&plain, "in check"), counted(&plain, "not quiet"), counted(&plain, "copies")), (0, 0, 0));
    assert_eq!(seen, counted(&plain, "kept") + counted(&plain, "of the opening"));

    let quiet = train(&trainer, "bp", "quiet", &["--quiescent"]).ended(0);
    assert_eq!((counted(&quiet, "positions seen"), counted(&quiet, "copies")), (seen, 0));
    let dropped = ["of the opening", "in check", "not quiet"].map(|word| counted(&quiet, word));
    assert!(dropped.iter().all(|&n| n > 0) && counted(&quiet, "kept") + dropped.iter().sum::<usize>() == seen);

    let copied = train(&trainer, "bp", "copied", &["--mirror", "--flip-colours"]).ended(0);
    assert_eq!(counted(&copied, "copies"), 3 * counted(&copied, "kept"));

    let weights = |name: &str| std::fs::read(net(&trainer, name)).unwrap();
    for (name, options) in [
        ("search", &["--target", "search"][..]),
        ("mix", &["--target", "mix", "--result-share", "0.4", "--teacher-depth", "1"]),
        ("skip", &["--skip-term", "traditional", "--skip-scale", "0.5"]),
    ] {
        let run = train(&trainer, "bp", name, options).ended(0);
        assert_eq!(counted(&run, "kept"), counted(&plain, "kept"), "{name}");
        assert_ne!(weights(name), weights("plain"), "{name}");
    }
}

#[test]
fn a_network_can_teach_the_next() {
    let trainer = Trainer::of_uneven_games();
    train(&trainer, "bp", "first", &["--features", "terms"]).ended(0);
    let first = trainer.files.path("first");
    train(&trainer, "bp", "second", &["--target", "search", "--teacher", first.to_str().unwrap()]).ended(0);
    let about = String::from_utf8_lossy(&std::fs::read(net(&trainer, "second")).unwrap()).into_owned();
    assert!(about.contains("[\\\"first\\\","), "the teacher is listed among the inputs");
    // Whatever plays can teach.
    let quantised = trainer.files.path("first16.safetensors");
    let [from, to] = [&first, &quantised].map(|path| path.to_str().unwrap());
    roughboard(&["quantise", from, "--bits", "16", "--out", to]).ended(0);
    train(&trainer, "bp", "third", &["--target", "search", "--teacher", to]).ended(0);
    let about = String::from_utf8_lossy(&std::fs::read(net(&trainer, "third")).unwrap()).into_owned();
    assert!(about.contains("[\\\"first16.safetensors\\\","), "{}", &about[..2000.min(about.len())]);
}

/// Where the file of a teacher lies says nothing of it.
#[test]
fn a_teacher_is_the_same_wherever_its_file_lies() {
    let trainer = Trainer::of_uneven_games();
    train(&trainer, "bp", "first", &[]).ended(0);
    let [first, copy] = ["first", "elsewhere/first"].map(|name| trainer.files.path(name));
    std::fs::create_dir_all(&copy).unwrap();
    contents(&first).into_iter().for_each(|(name, bytes)| std::fs::write(copy.join(name), bytes).unwrap());
    let taught = |name: &str, teacher: &Path, more: &[&str]| {
        let options = ["--target", "search", "--teacher", teacher.to_str().unwrap()];
        train(&trainer, "bp", name, &[&options[..], more].concat()).ended(0)
    };
    taught("here", &first, &[]);
    taught("there", &copy, &[]);
    assert!(contents(&trainer.files.path("here")) == contents(&trainer.files.path("there")));
    let again = taught("here", &trainer.files.path("./first"), &["--resume"]);
    assert!(again.stdout.contains("finished before"), "{}", again.stdout);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let trainer = Trainer::of_uneven_games();
    let refusal = |method: &str, options: &[&str]| train(&trainer, method, "none", options).refusal();
    let cases: [(&str, &[&str], &str); 9] = [
        ("bp", &["--teacher", "traditional"], "`--teacher` must be left out unless `--quiescent`"),
        (
            "bp",
            &["--quiescent", "--teacher-depth", "2"],
            "`--teacher-depth` must be left out unless `--target search` or",
        ),
        ("bp", &["--result-share", "0.5"], "`--result-share` must be left out unless `--target mix` is given"),
        ("bp", &["--target", "mix", "--result-share", "1.5"], "`--result-share` must be in [0, 1], got 1.5"),
        ("bp", &["--target", "search", "--teacher-depth", "65"], "`--teacher-depth` must be in [0, 64], got 65"),
        ("bp", &["--skip-term", "traditional", "--skip-scale", "0"], "`--skip-scale` must be in (0, 10], got 0"),
        ("td", &["--target", "search"], "`--target` must be `result` for TD(λ), got search"),
        ("bp", &["--target", "search", "--teacher", "nowhere"], "nowhere"),
        ("bp", &["--features", "board91+board91"], "`--features` must be sets that differ, got board91+board91"),
    ];
    for (method, options, expected) in cases {
        let error = refusal(method, options);
        assert!(error.contains(expected), "{options:?}: {error}");
    }
    train(&trainer, "bp", "none", &["--features", "board92"]).ended(2);
    train(&trainer, "bp", "none", &["--skip-scale", "1"]).ended(2);
}

/// The value for Red of a position in which Black lacks a rook.
fn value_for_red(net: &str) -> i64 {
    let fen = "1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    roughboard(&["eval", "--evaluator", net, "--fen", fen, "--json"]).ended(0).json()["value_for_red"].as_i64().unwrap()
}

#[test]
fn a_network_plays_with_the_skip_term_it_was_trained_with() {
    let trainer = Trainer::of_uneven_games();
    train(&trainer, "bp", "skip", &["--skip-term", "traditional", "--skip-scale", "2"]).ended(0);
    let net = net(&trainer, "skip");
    let with = value_for_red(net.to_str().unwrap());
    let bytes = without_sum(std::fs::read(&net).unwrap());
    let replace = |from: &[u8], to: &[u8]| {
        let mut bytes = bytes.clone();
        let at = bytes.windows(from.len()).rposition(|window| window == from).unwrap();
        bytes[at..at + from.len()].copy_from_slice(to);
        std::fs::write(&net, bytes).unwrap();
        net.to_str().unwrap()
    };
    // Arguments are in units of 2000 points; a rook is an argument of 1.
    let without = value_for_red(replace(b"\"skip\\\":{", b"\"skap\\\":{"));
    let added = 2 * 2000 * value_for_red("traditional") / 600;
    assert!((with - without - added).abs() <= 8, "{with} {without} {added}");
    let other = replace(b"\"evaluator\\\":\\\"traditional", b"\"evaluator\\\":\\\"traditionel");
    let error = roughboard(&["eval", "--evaluator", other]).refusal();
    assert!(error.contains("expected a skip term of a built-in evaluator"), "{error}");
}

/// Without the term it would say only what the term misses.
#[test]
fn learning_goes_on_beside_the_skip_term_it_began_with() {
    let trainer = Trainer::of_uneven_games();
    let skip = ["--skip-term", "traditional", "--skip-scale", "2"];
    train(&trainer, "bp", "beside", &skip).ended(0);
    train(&trainer, "bp", "alone", &[]).ended(0);
    let on = |method: &str, start: &str, more: &[&str]| {
        let start = trainer.files.path(start);
        trainer.train(&[method], "more", &[&["--init", start.to_str().unwrap()][..], more].concat())
    };
    let beside =
        "cannot go on from `beside`, which learned beside the skip term `traditional` times 2: expected the same";
    let alone = "cannot go on from `alone`, which learned beside no skip term: expected the same";
    let cases: [(&str, &str, &[&str], String); 5] = [
        ("bp", "beside", &[], format!("{beside}, found no skip term")),
        ("bp", "beside", &skip[..2], format!("{beside}, found the skip term `traditional` times 1")),
        ("td", "beside", &["--play", "self"], format!("{beside}, found no skip term")),
        ("td", "beside", &["--learn-from", "leaves"], format!("{beside}, found no skip term")),
        ("bp", "alone", &skip, format!("{alone}, found the skip term `traditional` times 2")),
    ];
    for (method, start, more, expected) in cases {
        let error = on(method, start, more).refusal();
        assert!(error.contains(&expected), "{method} {more:?}: {error}");
    }
    on("bp", "beside", &[&skip[..], &["--passes", "1"]].concat()).ended(0);
}

#[test]
fn a_network_of_other_tables_is_refused() {
    let trainer = Trainer::of_uneven_games();
    train(&trainer, "bp", "net", &["--features", "terms"]).ended(0);
    let net = net(&trainer, "net");
    let mut bytes = without_sum(std::fs::read(&net).unwrap());
    let at = bytes.windows(6).position(|window| window == b"terms@").unwrap() + 6;
    bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
    std::fs::write(&net, bytes).unwrap();
    let error = roughboard(&["eval", "--evaluator", net.to_str().unwrap()]).refusal();
    assert!(error.contains("expected xiangqi with one of `board91`, `piece-square@"), "{error}");
}

#[test]
fn tables_are_built_of_every_feature_set() {
    let trainer = Trainer::of_uneven_games();
    for (features, attributes) in FEATURES.into_iter().zip([91, 91, 25]) {
        let (games, table) = (&trainer.games, trainer.files.path("table.csv"));
        let table = table.to_str().unwrap();
        let build = ["table", "build", "--games", games, "--features", features, "--force", "--out", table];
        let run = roughboard(&build).ended(0);
        assert!(run.stdout.contains(&format!("{attributes} attributes")), "{}", run.stdout);
        roughboard(&["rough", "info", table]).ended(0);
    }
}

/// What the teacher said is taken from the file, and gives the same network as asking again.
#[test]
fn judgements_are_kept_and_taken_up() {
    let trainer = Trainer::of_uneven_games();
    let kept = trainer.files.path("judgements.jsonl");
    let options = ["--target", "search", "--teacher-depth", "2", "--quiescent"];
    let keeping = [&options[..], &["--judgements", kept.to_str().unwrap()]].concat();
    train(&trainer, "bp", "asked", &options).ended(0);
    train(&trainer, "bp", "first", &keeping).ended(0);
    let lines = std::fs::read_to_string(&kept).unwrap();
    // A header, and one line for each game.
    assert_eq!(lines.lines().count(), 25);
    // A torn line and a missing one are made again.
    let half: String = lines.lines().take(12).map(|line| format!("{line}\n")).collect();
    std::fs::write(&kept, half + &lines.lines().nth(12).unwrap()[..20]).unwrap();
    train(&trainer, "bp", "second", &keeping).ended(0);
    let both = [lines, std::fs::read_to_string(&kept).unwrap()].map(|text| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    });
    assert_eq!(both[0], both[1]);
    let weights = |name: &str| std::fs::read(net(&trainer, name)).unwrap();
    assert!(weights("asked") == weights("first") && weights("first") == weights("second"));
    let others = ["--judgements", kept.to_str().unwrap(), "--quiescent"];
    let error = train(&trainer, "bp", "other", &others).refusal();
    assert!(error.contains("holds other judgements: teacher.depth: 2 before, 0 now; name another file"), "{error}");
    let error = train(&trainer, "bp", "other", &[&keeping[..], &["--teacher", "traditional:e1"]].concat()).refusal();
    assert!(
        error.contains("teacher: traditional (SHA-256 ") && error.contains("before, traditional:e1 (SHA"),
        "{error}"
    );
    let idle = train(&trainer, "bp", "idle", &["--judgements", kept.to_str().unwrap()]).refusal();
    assert!(idle.contains("`--judgements` must be left out"), "{idle}");
}

/// What a finished run was made of tells that it is finished: its teacher searches no game again.
#[test]
fn a_finished_run_is_not_judged_again() {
    let trainer = Trainer::of_uneven_games();
    let options = ["--target", "search", "--teacher-depth", "1"];
    train(&trainer, "bp", "run", &options).ended(0);
    let kept = trainer.files.path("judgements.jsonl");
    let again = [&options[..], &["--resume", "--judgements", kept.to_str().unwrap()]].concat();
    let told = train(&trainer, "bp", "run", &again).ended(0).stdout;
    assert!(told.contains("finished before") && !told.contains("training: "), "{told}");
    assert!(!kept.exists());
}

/// What a run with other settings has left beside the folder is in the way until somebody says that it may go.
#[test]
fn judgements_that_nobody_named_are_put_away_by_force() {
    let trainer = Trainer::of_uneven_games();
    let spare = trainer.files.path("run.judgements.partial");
    let half =
        ["--target", "search", "--teacher-depth", "2", "--judgements", spare.to_str().unwrap(), "--shard", "1/2"];
    train(&trainer, "bp", "run", &half).ended(3);
    let options = ["--target", "search", "--teacher-depth", "1"];
    let error = train(&trainer, "bp", "run", &options).refusal();
    assert!(error.contains("other judgements: teacher.depth: 2 before, 1 now") && spare.exists(), "{error}");
    assert!(error.contains("start over with `--force`"), "{error}");
    train(&trainer, "bp", "run", &[&options[..], &["--force"]].concat()).ended(0);
    assert!(!spare.exists());
    // A file that was named stays what it is.
    train(&trainer, "bp", "other", &half).ended(3);
    let named = ["--judgements", spare.to_str().unwrap(), "--force"];
    let error = train(&trainer, "bp", "run", &[&options[..], &named].concat()).refusal();
    assert!(error.contains("name another file") && !error.contains("--force") && spare.exists(), "{error}");
}

#[test]
fn folders_for_judgements_are_not_made() {
    let trainer = Trainer::of_uneven_games();
    let path = trainer.files.path("mistyped/judgements.jsonl");
    let options = ["--target", "search", "--teacher-depth", "1", "--judgements", path.to_str().unwrap()];
    let error = train(&trainer, "bp", "run", &options).refusal();
    assert!(error.contains("mistyped/judgements.jsonl`") && !path.parent().unwrap().exists(), "{error}");
}

/// Parts of the games that were judged apart give the same network as all judged at once.
#[test]
fn judgements_of_parts_are_put_together() {
    let trainer = Trainer::of_uneven_games();
    let path = |name: &str| trainer.files.argument(name);
    let options = ["--target", "search", "--teacher-depth", "2", "--quiescent"];
    train(&trainer, "bp", "whole", &options).ended(0);
    let parts = [1, 2].map(|part| path(&format!("part-{part}.jsonl")));
    for (part, kept) in parts.iter().enumerate() {
        let shard = format!("{}/2", part + 1);
        let run = train(&trainer, "bp", "net", &[&options[..], &["--judgements", kept, "--shard", &shard]].concat());
        let run = run.ended(3);
        assert!(run.stdout.contains(&format!("part {shard} of 24 games is judged")), "{}", run.stdout);
        assert!(!trainer.files.path("net").join("net.safetensors").exists());
    }
    let lines = |path: &str| std::fs::read_to_string(path).unwrap().lines().count() - 1;
    let each: Vec<usize> = parts.iter().map(|part| lines(part)).collect();
    assert!(each.iter().sum::<usize>() == 24 && each.iter().all(|&n| n > 0), "{each:?}");
    let all = path("all.jsonl");
    let gather = [&options[..], &["--judgements", &all, "--parts", &parts[0], &parts[1]]].concat();
    train(&trainer, "bp", "net", &gather).ended(0);
    assert_eq!(lines(&all), 24);
    let weights = |name: &str| std::fs::read(net(&trainer, name)).unwrap();
    assert!(weights("net") == weights("whole"));
    // Parts that judge one game in two ways are refused, and nothing is written.
    let texts = parts.each_ref().map(|part| std::fs::read_to_string(part).unwrap());
    let [mut game, other] = texts.each_ref().map(|text| -> Json { text.lines().last().unwrap().parse().unwrap() });
    game["judged"] = other["judged"].clone();
    game.as_object_mut().unwrap().remove("sum");
    std::fs::write(&parts[1], format!("{}{game}\n", texts[1])).unwrap();
    std::fs::remove_file(&all).unwrap();
    let error = train(&trainer, "bp", "net", &[&gather[..], &["--force"]].concat()).refusal();
    assert!(error.contains("differs from an earlier record") && !Path::new(&all).exists(), "{error}");
    let alone = train(&trainer, "bp", "net", &[&options[..], &["--shard", "1/2"]].concat()).ended(2);
    assert!(alone.stderr.contains("--judgements"), "{}", alone.stderr);
}
