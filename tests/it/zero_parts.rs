//! `train zero` by generations: actors and a learner over one folder, runs that go on to more games, and that start from a network.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use roughboard::net::residual::store::load;
use serde_json::Value as Json;

use crate::command::{Files, Mortal, Run, contents};
use crate::tournament_cli::{job_file, scheduled, scripts_of_pods, stand_in_for_parallel};
use crate::zero::{arguments, games, train};

/// Generations of 3, 1, 2 and 2 games: networks are kept after every four.
const BY_GENERATION: &[&str] = &["--sync-generation", "3"];

/// Options of a run by generations, and `more`.
fn by_generation<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [BY_GENERATION, more].concat()
}

/// A run by generations in one process.
fn whole(files: &Files) -> PathBuf {
    let run = files.path("whole");
    train(&run, BY_GENERATION).ended(0);
    run
}

fn actor(run: &Path, part: &str) -> Mortal {
    Mortal::begin(&arguments(run, &by_generation(&["--shard", part])))
}

/// Waits until something has happened, which must be soon.
#[track_caller]
fn await_moment(what: &str, has_come: impl Fn() -> bool) {
    let begun = Instant::now();
    while !has_come() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what} did not come");
        thread::sleep(Duration::from_millis(10));
    }
}

/// The code with which an actor ends by itself.
fn end_of(mut actor: Mortal) -> Option<i32> {
    actor.0.wait().unwrap().code()
}

/// A learner that expects two actors and stops, as there are none.
fn left_by_a_learner() -> (Files, PathBuf) {
    let files = Files::new();
    let run = files.path("run");
    let text = train(&run, &by_generation(&["--actors", "2", "--minutes", "0"])).ended(3).stdout;
    assert!(text.contains("stopped, 0 of 8 games"), "{text}");
    (files, run)
}

/// A run that goes on has the bytes of one process.
#[track_caller]
fn assert_whole(files: &Files, run: &Path) {
    assert!(contents(run) == contents(&whole(files)), "{:?}", contents(run).keys());
}

#[test]
fn actors_and_a_learner_make_the_bytes_of_one_process_whoever_is_killed() {
    let files = Files::new();
    let (whole, run) = (whole(&files), files.path("run"));
    let learner = by_generation(&["--actors", "2", "--resume"]);
    let killed = [actor(&run, "1/2"), Mortal::begin(&arguments(&run, &learner))];
    let first = run.join(".resume/games/0.json");
    await_moment("the first game", || first.exists());
    drop(killed);
    let kept = fs::read(&first).unwrap();
    let actors = ["1/2", "2/2"].map(|part| actor(&run, part));
    train(&run, &learner).ended(0);
    assert_eq!(actors.map(end_of), [Some(3); 2]);
    assert!(contents(&run) == contents(&whole), "{:?}", contents(&run).keys());
    assert!(fs::read(run.join("games.jsonl")).unwrap().starts_with(&kept), "a game was played again");
    let numbers: Vec<u64> = games(&run).iter().map(|game| game["game"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..8).collect::<Vec<_>>());
    let lessons: Vec<u64> = games(&run).iter().map(|game| game["lessons"][0].as_u64().unwrap()).collect();
    assert_eq!(lessons, [0, 0, 0, 0, 1, 1, 2, 2], "networks are one lesson old");
    let told = train(&run, &by_generation(&["--shard", "2/2"])).ended(3).stdout;
    assert!(told.contains("part 2/2: 0 games played, the run needs no more games from it"), "{told}");
}

#[test]
fn a_learner_without_actors_plays_what_is_missing() {
    let (files, run) = left_by_a_learner();
    // The second game of three: the others fall to the part that nobody plays.
    let second = actor(&run, "2/2");
    await_moment("the second game", || run.join(".resume/games/1.json").exists());
    drop(second);
    train(&run, &by_generation(&["--resume", "--threads", "1"])).ended(0);
    assert_whole(&files, &run);
}

#[test]
fn an_actor_of_another_run_or_part_is_refused() {
    let (files, run) = left_by_a_learner();
    let refused = |more: &[&str]| train(&run, &by_generation(more)).refusal();
    let error = refused(&["--shard", "1/2", "--c-puct", "3"]);
    assert!(error.contains("holds another run: --c-puct: 1.3 before, 3.0 now"), "{error}");
    let _learner = Mortal::begin(&arguments(&run, &by_generation(&["--actors", "2", "--resume"])));
    let error = refused(&["--shard", "1/3"]);
    assert!(error.contains("expects 2 parts, found one of 3"), "{error}");
    assert!(refused(&["--shard", "3/2"]).contains("`--shard` must be I/N with I in [1, N], got 3/2"));
    assert!(refused(&["--actors", "0"]).contains("`--actors` must be in [1, 1000000], got 0"));
    assert!(refused(&["--leaves", "2"]).contains("`--leaves` must be 1"));
    let error = train(&files.path("new"), &["--shard", "1/2"]).refusal();
    assert!(error.contains("`--shard` has no effect without `--sync-generation`"), "{error}");

    let _first = actor(&run, "1/2");
    await_moment("the first game", || run.join(".resume/games/0.json").exists());
    let error = refused(&["--shard", "1/2"]);
    assert!(error.contains("part 1/2 is played by another process"), "{error}");

    let (alone, many) = (files.path("alone"), ["--games", "1000000"]);
    let _alone = Mortal::begin(&arguments(&alone, &by_generation(&many)));
    await_moment("a run", || alone.join(".resume").exists());
    let error = train(&alone, &by_generation(&[&many[..], &["--shard", "1/2"]].concat())).refusal();
    assert!(error.contains("plays all games itself"), "{error}");
}

#[test]
fn actors_wait_for_a_learner_that_is_to_come_whatever_another_has_left() {
    let (files, run) = left_by_a_learner();
    let mark = run.join(".resume/learner.lock");
    fs::remove_file(&mark).unwrap();
    let actors = ["1/3", "2/3", "3/3"].map(|part| actor(&run, part));
    await_moment("a look for a learner", || mark.exists());
    train(&run, &by_generation(&["--actors", "3", "--resume"])).ended(0);
    assert_eq!(actors.map(end_of), [Some(3); 3]);
    assert_whole(&files, &run);
}

#[test]
fn a_game_that_cannot_be_is_told_by_its_file() {
    let (files, run) = left_by_a_learner();
    let place = run.join(".resume/games");
    fs::create_dir(&place).unwrap();
    for number in 0..3 {
        fs::write(place.join(format!("{number}.json")), "{}").unwrap();
    }
    let error = train(&run, &by_generation(&["--resume"])).refusal();
    assert!(error.contains("0.json") && error.contains("delete the file, and the game is played again"), "{error}");
    fs::remove_dir_all(&place).unwrap();
    train(&run, &by_generation(&["--resume"])).ended(0);
    assert_whole(&files, &run);
}

/// A run of four games, and then what becomes of it with eight and `more`.
fn extended(files: &Files, name: &str, more: &[&str], then: &[&str]) -> Run {
    let run = files.path(name);
    train(&run, &[more, &["--games", "4"]].concat()).ended(0);
    train(&run, &[more, &["--resume"], then].concat())
}

#[test]
fn a_finished_run_goes_on_to_more_games_as_if_it_had_them_from_the_start() {
    let files = Files::new();
    extended(&files, "run", BY_GENERATION, &[]).ended(0);
    assert_whole(&files, &files.path("run"));
    let error = train(&files.path("run"), &by_generation(&["--resume", "--games", "4"])).refusal();
    assert!(error.contains("--games: 8 before, 4 now"), "{error}");
    let error = extended(&files, "other", BY_GENERATION, &["--c-puct", "3"]).refusal();
    assert!(error.contains("--c-puct: 1.3 before, 3.0 now"), "{error}");
}

#[test]
fn a_run_that_would_differ_goes_on_only_when_asked() {
    let files = Files::new();
    for (name, more, reason) in [
        ("games", &["--sync-games", "2"][..], "other games would have been in flight at its end"),
        ("rate", &["--sync-generation", "2", "--final-rate", "0.0001"], "the step size follows"),
    ] {
        let error = extended(&files, name, more, &[]).refusal();
        assert!(error.contains("a finished run of 4 games") && error.contains(reason), "{error}");
        assert!(error.contains("continue it all the same with `--extend`"), "{error}");
        train(&files.path(name), &[more, &["--resume", "--extend"]].concat()).ended(0);
        assert_eq!(games(&files.path(name)).len(), 8);
    }
    let net = files.path("games/net.safetensors").display().to_string();
    let error = train(&files.path("games"), &["--force", "--init", &net]).refusal();
    assert!(error.contains(" is read, and `--force` replaces the run in "), "{error}");
    let error = train(&files.path("games"), &["--sync-games", "2", "--force", "--extend"]).refusal();
    assert!(error.contains("`--extend` has no effect without `--resume`: leave it out"), "{error}");
}

#[test]
fn a_run_starts_from_a_network_of_its_own_form() {
    let files = Files::new();
    let (first, second) = (whole(&files), files.path("second"));
    let from = first.to_str().unwrap();
    // Without a step the weights stay what they were.
    let more = ["--init", from, "--steps-per-game", "0"];
    train(&second, &more).ended(0);
    let [before, after] = [&first, &second].map(|run| load(run).unwrap().0);
    assert_eq!(before.flat(), after.flat());
    let manifest: Json = serde_json::from_slice(&contents(&second)["manifest.json"]).unwrap();
    assert_eq!(manifest["inputs"][0][0], "whole");
    assert!(train(&second, &[&more[..], &["--resume"]].concat()).ended(0).stdout.contains("finished before"));
    let error = train(&second, &["--steps-per-game", "0", "--resume"]).refusal();
    assert!(error.contains("holds another run: --init: "), "{error}");
    let error = train(&files.path("third"), &["--init", from, "--history", "1"]).refusal();
    assert!(error.contains("a history of 1, 32 channels") && !files.path("third").exists(), "{error}");
}

#[test]
fn the_job_files_of_schedulers_play_and_learn() {
    let files = Files::new();
    stand_in_for_parallel(&files);
    let run = |name: &str| files.argument(name);
    let small = [("GENERATION", "2"), ("SIMULATIONS", "2"), ("OPTIONS", "--channels 2 --layers 1 --batch 4 --pool 64")];
    let done = |script: &str, more: &[(&str, &str)]| {
        let output = scheduled(script, files.folder.path(), &[&small[..], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let (slurm, pods, parallel) = (run("slurm"), run("pods"), run("parallel-run"));
    let scripts = scripts_of_pods("zero-kubernetes.yaml");
    thread::scope(|scope| {
        for task in ["0", "1", "2"] {
            let (slurm, done) = (&slurm, &done);
            scope.spawn(move || done(&job_file("zero.slurm"), &[("RUN", slurm), ("SLURM_ARRAY_TASK_ID", task)]));
        }
    });
    thread::scope(|scope| {
        for (script, index) in [(0, "0"), (0, "1"), (1, "")] {
            let (pods, done, script) = (&pods, &done, &scripts[script]);
            scope.spawn(move || done(script, &[("RUN", pods), ("JOB_COMPLETION_INDEX", index)]));
        }
    });
    done(&job_file("zero-parallel.sh"), &[("RUN", &parallel)]);
    let [slurm, pods, parallel] = [slurm, pods, parallel].map(|run| contents(Path::new(&run)));
    assert!(slurm == pods && pods == parallel, "{:?}", slurm.keys());
}
