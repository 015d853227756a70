//! `train zero`: the files of a run, the same bytes on any number of threads and after kills, its options, and what is refused.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use roughboard::disk::sha256;
use serde_json::Value as Json;

use crate::command::{Files, Mortal, Run, assert_described, contents, roughboard};
use crate::training_runs::kill_after;

/// A run of a second or so with several lessons.
const SMALL: &str = "--games 8 --in-flight 4 --simulations 6 --channels 4 --layers 2 --batch 16 --keep-every 4";
/// Short games.
const START: &str = "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0 quiet=12 plies=40";

/// A small run; its lessons come after every two games and draw each position once, unless `more` says otherwise.
pub fn arguments(run: &Path, more: &[&str]) -> Vec<String> {
    let unless = |other: &str, usual: [&'static str; 2]| if more.contains(&other) { vec![] } else { usual.to_vec() };
    let mut words = vec!["train", "zero", "--out", run.to_str().unwrap(), "--start", START];
    let small: Vec<&str> = SMALL.split(' ').collect();
    small.chunks(2).for_each(|pair| words.extend(unless(pair[0], [pair[0], pair[1]])));
    let is_told = ["--sync-games", "--sync-generation"].iter().any(|option| more.contains(option));
    words.extend(unless("--sync-seconds", ["--sync-games", "2"]).into_iter().filter(|_| !is_told));
    words.extend(unless("--steps-per-game", ["--reuse", "1"]));
    words.into_iter().chain(more.iter().copied()).map(str::to_owned).collect()
}

pub fn train(run: &Path, more: &[&str]) -> Run {
    let arguments = arguments(run, more);
    roughboard(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The games of a run.
pub fn games(run: &Path) -> Vec<Json> {
    games_of(&fs::read_to_string(run.join("games.jsonl")).unwrap())
}

/// The games in lines of JSON.
fn games_of(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_is_a_folder_with_everything_in_it() {
    let files = Files::new();
    let run = files.path("run");
    let text = train(&run, &[]).ended(0).stdout;
    assert!(text.contains("games/hour") && text.contains("mean batch") && text.contains("8 games"), "{text}");
    let found = contents(&run);
    assert_described(&found);
    let expected = [
        "checkpoint.json",
        "curve.csv",
        "curve.svg",
        "events.out.tfevents.roughboard",
        "games.jsonl",
        "learner.safetensors",
        "manifest.json",
        "net-000004.safetensors",
        "net-000008.safetensors",
        "net.safetensors",
        "tables.md",
    ];
    assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    let manifest: Json = serde_json::from_slice(&found["manifest.json"]).unwrap();
    assert_eq!((&manifest["settings"]["method"], &manifest["seed"]), (&"zero".into(), &1.into()));
    for output in manifest["outputs"].as_array().unwrap() {
        assert_eq!(sha256(&found[output[0].as_str().unwrap()]), output[1].as_str().unwrap());
    }
    assert_eq!(manifest["outputs"].as_array().unwrap().len(), expected.len() - 1);
    let curve = String::from_utf8(found["curve.csv"].clone()).unwrap();
    let taken: Vec<&str> = curve.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(taken, ["0", "2", "4", "6", "8"]);
    let page = files.path("page.html");
    let [run_text, page_text] = [&run, &page].map(|path| path.to_str().unwrap());
    roughboard(&["report", run_text, "--out", page_text]).ended(0);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("8 games of self-play") && html.contains("<svg"), "{html}");
    let error = roughboard(&["plot", "curves", run_text, "--out", files.path("a.svg").to_str().unwrap()]).refusal();
    assert!(error.contains("learned from self-play"), "{error}");
    let error = roughboard(&["inspect", run_text]).refusal();
    assert!(error.contains("a residual network of `train zero`"), "{error}");
    let error = train(&run, &[]).refusal();
    assert!(error.contains("finished run") && error.contains("--force"), "{error}");
    train(&run, &["--force", "--seed", "2"]).ended(0);
    assert_ne!(contents(&run)["net.safetensors"], found["net.safetensors"]);
}

#[test]
fn games_are_whole_and_draws_are_draws() {
    let files = Files::new();
    let run = files.path("run");
    train(&run, &[]).ended(0);
    let games = games(&run);
    let mut numbers: Vec<u64> = games.iter().map(|game| game["game"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..8).collect::<Vec<_>>());
    for game in &games {
        let n = game["moves"].as_str().unwrap().split(' ').count();
        assert_eq!([&game["values"], &game["policies"]].map(|list| list.as_array().unwrap().len()), [n; 2]);
        for policy in game["policies"].as_array().unwrap() {
            let parts: u64 =
                policy.as_array().unwrap().iter().skip(1).step_by(2).map(|part| part.as_u64().unwrap()).sum();
            assert!((9_990..=10_010).contains(&parts), "{policy}");
        }
        assert!([-1, 0, 1].contains(&game["result"].as_i64().unwrap()), "{game}");
    }
}

#[test]
fn threads_change_nothing() {
    let files = Files::new();
    let [one, two] = ["1", "2"].map(|threads| {
        let run = files.path(threads);
        train(&run, &["--threads", threads, "--leaves", "2"]).ended(0);
        contents(&run)
    });
    assert!(one == two, "{:?}", one.keys());
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let files = Files::new();
    let (whole, killed) = (files.path("whole"), files.path("killed"));
    const MORE: &[&str] = &["--noise-alpha", "1"];
    let begun = Instant::now();
    train(&whole, MORE).ended(0);
    let took = begun.elapsed();
    let mut moments = Xoshiro256PlusPlus::seed_from_u64(9);
    let is_finished = || killed.join("manifest.json").exists() && !killed.join(".resume").exists();
    for _ in 0..6 {
        if !is_finished() {
            kill_after(
                &arguments(&killed, &[MORE, &["--resume"]].concat()),
                took.mul_f64(0.6 * moments.random::<f64>()),
            );
        }
    }
    if !is_finished() {
        train(&killed, &[MORE, &["--resume"]].concat()).ended(0);
    }
    assert!(contents(&killed) == contents(&whole), "{:?}", contents(&killed).keys());
}

#[test]
fn a_run_stops_at_a_checkpoint_when_asked_and_goes_on_from_it() {
    let files = Files::new();
    let (whole, stopped) = (files.path("whole"), files.path("stopped"));
    train(&whole, &[]).ended(0);
    let text = train(&stopped, &["--minutes", "0"]).ended(3).stdout;
    assert!(text.contains("stopped, 0 of 8 games") && text.contains("--resume"), "{text}");
    assert!(!stopped.join("manifest.json").exists());
    let error = train(&stopped, &["--resume", "--c-puct", "3"]).refusal();
    assert!(error.contains("--c-puct: 1.3 before, 3.0 now"), "{error}");
    // Each part gets further.
    let text = train(&stopped, &["--minutes", "0", "--resume"]).ended(3).stdout;
    assert!(text.contains("stopped, 2 of 8 games"), "{text}");
    train(&stopped, &["--resume"]).ended(0);
    assert!(contents(&stopped) == contents(&whole));
    let told = train(&stopped, &["--resume"]).ended(0).stdout;
    assert!(told.contains("finished before, see"), "{told}");
}

#[test]
fn options_of_search_and_play_do_what_they_say() {
    let files = Files::new();
    let run = files.path("run");
    train(&run, &["--full-share", "0.5", "--fast-simulations", "2"]).ended(0);
    let policies: Vec<Json> =
        games(&run).iter().flat_map(|game| game["policies"].as_array().unwrap().clone()).collect();
    let cheap = policies.iter().filter(|policy| policy.as_array().unwrap().is_empty()).count();
    let share = cheap as f64 / policies.len() as f64;
    assert!((0.3..0.7).contains(&share), "{share}");

    train(&run, &["--force", "--gumbel", "--steps-per-game", "1", "--history", "1"]).ended(0);
    let curve = fs::read_to_string(run.join("curve.csv")).unwrap();
    let steps = curve.lines().last().unwrap().split(',').nth(3).unwrap();
    assert_eq!(steps, "8");

    let resigned = |play_on: &str| {
        train(&run, &["--force", "--resign", "0.01", "--play-on", play_on]).ended(0);
        let games = games(&run);
        let of = |reason: &str| games.iter().filter(|game| game["reason"] == reason).count();
        (of("resignation"), games.iter().filter(|game| !game["gave_up"].is_null()).count())
    };
    assert!(matches!(resigned("0"), (1.., 0)));
    assert!(matches!(resigned("1"), (0, 1..)));
}

#[test]
fn a_run_by_the_clock_ends_too_and_so_does_one_whose_rate_grows_from_nothing() {
    let files = Files::new();
    for options in [["--sync-seconds", "0.05"], ["--warm-up", "0.5"]] {
        let run = files.path(options[0]);
        train(&run, &options).ended(0);
        assert_eq!(games(&run).len(), 8);
        assert!(["net-000004.safetensors", "net-000008.safetensors"].iter().all(|name| run.join(name).exists()));
    }
}

#[test]
fn a_run_by_the_clock_that_is_killed_keeps_the_games_that_had_finished() {
    let files = Files::new();
    let run = files.path("run");
    // A lesson that does not come: only the games themselves are written down.
    let more = ["--sync-seconds", "86400", "--keep-every", "0", "--games", "100000", "--resume"];
    let known = || fs::read_to_string(run.join("games.jsonl")).unwrap_or_default();
    let play_until = |is_time: &dyn Fn() -> bool| kill_when(&arguments(&run, &more), &mut || is_time());
    play_until(&|| known().lines().count() > 3);
    let before = known();
    let whole = &before[..before.rfind('\n').unwrap() + 1];
    play_until(&|| known().len() > before.len() + 1000);
    let after = known();
    assert!(after.starts_with(whole));
    let games = games_of(after.rsplit_once('\n').unwrap().0);
    let numbers: HashSet<u64> = games.iter().map(|game| game["game"].as_u64().unwrap()).collect();
    assert!(numbers.len() == games.len(), "a game was played twice");
}

/// Starts the program and kills it when `is_time`, which must come before it ends by itself.
fn kill_when(arguments: &[String], is_time: &mut dyn FnMut() -> bool) {
    let mut child = Mortal::begin(arguments);
    while !is_time() {
        std::thread::sleep(Duration::from_millis(10));
        assert_eq!(child.0.try_wait().unwrap(), None, "ended by itself");
    }
}

#[test]
fn wrong_options_are_refused_before_anything_is_made() {
    let files = Files::new();
    let run = files.path("run");
    let over = "6/6/6/6/6/rrrrrr b 0";
    for (more, expected) in [
        (&["--keep", "9"][..], "`--keep` must be in"),
        (&["--history", "17"], "`--history` must be"),
        (&["--c-puct", "0"], "`--c-puct` must be"),
        (&["--search", "solve=false,c_puct=3"], "`c_puct` has an option of its own: use `--c-puct`"),
        (&["--search", "selection=gumbel"], "`selection` has an option of its own: use `--gumbel`"),
        (&["--search", "solve=true,solve=false"], "`solve` must be given once, got true and false"),
        (&["--full-share", "1.0", "--fast-simulations", "4"], "`--fast-simulations` has no effect with `--full-share"),
        (&["--full-share", "0.5", "--fast-simulations", "7"], "must be in [1, `--simulations`], got 7"),
        (&["--noise-fraction", "0", "--noise-alpha", "2"], "`--noise-alpha` has no effect with `--noise-fraction 0`"),
        (&["--actors", "1"], "`--actors` has no effect without `--sync-generation`: leave it out"),
        (&["--temperature", "0"], "`--temperature` must be"),
        (&["--minutes", "nan"], "`--minutes` must be"),
        (&["--device", "gpu"], "built without the feature `gpu`"),
    ] {
        let error = train(&run, more).refusal();
        assert!(error.contains(expected), "{error}");
    }
    let text = roughboard(&["train", "zero", "--out", run.to_str().unwrap(), "--start", over]).refusal();
    assert!(text.contains("the game is over"), "{text}");
    assert!(!run.exists());
}

#[test]
fn the_experiment_on_games_goes_through_every_step_and_on_after_a_kill() {
    let text = goes_on_after_a_kill(
        "surakarta-zero",
        &[
            "compared.csv",
            "curve-seed-1.csv",
            "curve-seed-2.csv",
            "curve.svg",
            "ladder.csv",
            "ladder.svg",
            "pairings.csv",
            "tables.md",
        ],
    );
    assert!(text.contains("S4") && text.contains("random"), "{text}");
}

#[test]
fn the_experiment_on_searches_goes_through_every_step_and_on_after_a_kill() {
    let text = goes_on_after_a_kill(
        "surakarta-searches",
        &["draws.svg", "effort.csv", "losses.svg", "pairings.csv", "standings.csv", "tables.md"],
    );
    for search in ["12 simulations a move, 4 in 75 % of searches (PUCT, c = 2)", "(Gumbel selection among 8 moves)"] {
        assert!(text.contains(search), "{text}");
    }
}

/// Runs the smallest profile of an experiment, and once more with a kill in the middle: the same `expected` files come out. What the first
/// run printed.
fn goes_on_after_a_kill(experiment: &str, expected: &[&str]) -> String {
    let files = Files::new();
    let (whole, killed) = (files.path("whole"), files.path("killed"));
    let arguments = |folder: &Path, more: &[&str]| -> Vec<String> {
        let command = ["reproduce", experiment, "--profile", "smoke", "--out", folder.to_str().unwrap()];
        [&command[..], more].concat().into_iter().map(str::to_owned).collect()
    };
    let run = |folder: &Path, more: &[&str]| {
        let arguments = arguments(folder, more);
        roughboard(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).ended(0)
    };
    let begun = Instant::now();
    let text = run(&whole, &[]).stdout;
    kill_after(&arguments(&killed, &[]), begun.elapsed().mul_f64(0.6).max(Duration::from_millis(200)));
    if !killed.join("manifest.json").exists() {
        run(&killed, &["--resume"]);
    }
    let mut files = [contents(&whole), contents(&killed)];
    files.iter_mut().for_each(|files| drop(files.remove("times.md")));
    assert!(files[0] == files[1], "{:?}", files[0].keys());
    let names: Vec<&str> = files[0].keys().map(String::as_str).collect();
    expected.iter().for_each(|name| assert!(names.contains(name), "{names:?}"));
    text
}

#[test]
fn one_process_at_a_time_holds_a_folder_and_foreign_ones_are_left_alone() {
    let files = Files::new();
    let run = files.path("run");
    let endless = ["--games", "100000", "--resume"];
    let mut second = None;
    kill_when(&arguments(&run, &endless), &mut || {
        if run.join(".resume/checkpoint.json").exists() {
            // Were it not refused, it would end with another code.
            second = Some(train(&run, &[&endless[..], &["--minutes", "0"]].concat()));
        }
        second.is_some()
    });
    let error = second.unwrap().refusal();
    assert!(error.contains("another process is using it"), "{error}");

    let foreign = files.path("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.tex"), "").unwrap();
    let to =
        |folder: &Path| roughboard(&["reproduce", "surakarta-searches", "--smoke", "--out", folder.to_str().unwrap()]);
    let error = to(&foreign).refusal();
    assert!(error.contains("it holds `thesis.tex`, not a run of `surakarta-searches`"), "{error}");
    let networks = files.path("networks");
    fs::create_dir_all(networks.join("nets")).unwrap();
    let error = to(&networks).refusal();
    assert!(error.contains("it holds `nets`"), "{error}");
    let other = files.path("other");
    train(&other, &[]).ended(0);
    let error = to(&other).refusal();
    assert!(error.contains("it holds results of `train`"), "{error}");
    let interrupted = files.path("interrupted");
    fs::create_dir(&interrupted).unwrap();
    fs::write(interrupted.join(".lock"), "surakarta-zero").unwrap();
    let error = to(&interrupted).refusal();
    assert!(error.contains("it holds an interrupted run of `surakarta-zero`"), "{error}");
}
