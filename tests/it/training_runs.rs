//! The folders of training runs: what is in them, which are refused, and that a killed run loses nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use roughboard::disk::sha256;
use serde_json::Value as Json;

use crate::command::{Files, Mortal, Run, assert_described, contents, roughboard, roughboard_told};

/// A little work for each method: a few passes, so that there are checkpoints to be killed between.
pub const METHODS: [&[&str]; 3] = [
    &["rough", "--rules", "9", "--passes", "3", "--batch", "512", "--curve-points", "2"],
    &["bp", "--hidden", "8", "--passes", "4", "--curve-points", "3"],
    &["td", "--hidden", "4", "--passes", "3", "--curve-points", "2"],
];

/// A few games of Xiangqi and a place for runs.
pub struct Trainer {
    pub files: Files,
    pub games: String,
}

impl Trainer {
    /// With games of a player against itself.
    pub fn new() -> Self {
        Self::of_games(&["self-play", "--depth", "1", "--max-plies", "60"])
    }

    /// With games that most often are won by the better player.
    pub fn of_uneven_games() -> Self {
        Self::of_games(&["random", "--against", "traditional", "--depth", "1", "--seed", "3"])
    }

    fn of_games(generate: &[&str]) -> Self {
        let files = Files::new();
        let games = files.argument("games.pgn");
        roughboard(&[&["games", "generate"], generate, &["--games", "24", "--out", &games]].concat()).ended(0);
        Self { files, games }
    }

    pub fn path(&self, run: &str) -> String {
        self.files.argument(run)
    }

    pub fn command(&self, method: &[&str], run: &str, more: &[&str]) -> Vec<String> {
        let files = ["--games", &self.games, "--out", &self.path(run)];
        [&["train"], method, &files, more].concat().into_iter().map(str::to_owned).collect()
    }

    pub fn train(&self, method: &[&str], run: &str, more: &[&str]) -> Run {
        let command = self.command(method, run, more);
        roughboard(&command.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// What the folder of a run holds by name.
    pub fn contents(&self, run: &str) -> BTreeMap<String, Vec<u8>> {
        contents(&self.files.path(run))
    }

    /// Begins a training and kills it, again and again and each time a little later, until it has left a checkpoint.
    pub fn leave_checkpoint(&self, method: &[&str], run: &str, more: &[&str]) {
        let first = Duration::from_millis(20);
        let mut time = first;
        while !self.files.path(&format!("{run}/.resume/checkpoint")).exists() {
            kill_after(&self.command(method, run, more), time);
            time = time.mul_f64(1.3);
            if self.files.path(&format!("{run}/manifest.json")).exists() {
                fs::remove_dir_all(self.files.path(run)).unwrap();
                time = first;
            }
        }
    }
}

#[test]
fn a_network_that_learning_goes_on_from_keeps_its_kind_and_its_form() {
    let trainer = Trainer::new();
    let pass = ["--passes", "1"];
    let rules = |run: Run| run.stdout.lines().find(|line| line.contains(" rules over ")).unwrap().to_owned();
    let made = rules(trainer.train(&METHODS[0][..3], "rough", &pass).ended(0));
    trainer.train(&METHODS[1][..3], "bp", &pass).ended(0);
    let [rough, bp] = ["rough", "bp"].map(|run| trainer.path(run));
    let refusals: [(&[&str], &str); 5] = [
        (&["bp", "--init", &rough], "by `bp`: expected a plain network or a decision tree, found a rough network"),
        (&["rough", "--init", &bp], "by `rough`: expected a rough network, found a plain network"),
        (&["bp", "--init", &bp, "--hidden", "7"], "`--hidden` has no effect with `--init`: leave it out"),
        (&["rough", "--init", &rough, "--rules", "7"], "`--rules` has no effect with `--init`: leave it out"),
        (
            &["rough", "--init", &rough, "--inputs", "reduct"],
            "`--inputs` must be left out with `--init` unless `--reduce-games` or `--reduce-objects` is given",
        ),
    ];
    for (method, message) in refusals {
        let error = trainer.train(method, "refused", &[]).refusal();
        assert!(error.contains(message), "{method:?}: {error}");
    }
    let training = |run: &str| {
        let manifest: Json = serde_json::from_slice(&trainer.contents(run)["manifest.json"]).unwrap();
        manifest["settings"]["training"].clone()
    };
    trainer.train(&["bp", "--init", &bp], "more", &pass).ended(0);
    assert_eq!(training("more")["network"], training("bp")["network"]);
    assert!(training("more")["network"].to_string().contains('8'));
    assert_eq!(rules(trainer.train(&["rough", "--init", &rough], "rougher", &pass).ended(0)), made);
    let rougher = training("rougher");
    assert!(made.starts_with(&format!("{} rules ", rougher["network"]["rules"])) && rougher["rules"].is_null());
    assert!(rougher["inputs"].is_null(), "they are those of the network");
    let reducing = ["rough", "--init", &rough, "--inputs", "reduct", "--reduce-games"];
    trainer.train(&reducing, "reduced", &pass).ended(0);
    assert_eq!(training("reduced")["inputs"], "reduct:backward");
    trainer.train(&["td", "--init", &rough], "mixed", &pass).ended(0);
    assert_eq!(training("mixed")["network"]["kind"], "rough");
}

#[test]
fn copies_of_games_and_rules_that_are_not_there_are_noted() {
    let trainer = Trainer::new();
    let games = trainer.path("games.pgn");
    let run = trainer.path("twice");
    let learn = ["train", "rough", "--games", &games, &games, "--out", &run, "--passes", "1", "--rules", "10000"];
    let notes = roughboard(&learn).ended(0).stderr;
    let copies = " of 48 games are duplicates, which count each time";
    let straddle = format!("{copies} and may be held out and learned from at once; `games import` keeps one of each");
    assert!(notes.contains(&straddle), "{notes}");
    assert!(notes.contains(" rules of the 10000 that `--rules` asks for: no more were found within "), "{notes}");
    let table = ["table", "build", "--games", &games, &games, "--out", &trainer.path("twice.csv")];
    let notes = roughboard(&table).ended(0).stderr;
    assert!(notes.contains(&format!("{copies}; ")), "nothing is held out: {notes}");
    let text = roughboard(&["games", "stats", &games, &games]).ended(0).stdout;
    let first = text.lines().next().unwrap();
    let count = first.strip_prefix("read 48, used 48, duplicates among these ").and_then(|n| n.parse::<u64>().ok());
    assert!(count.is_some_and(|count| count >= 24), "{first}");
}

/// Going on from a network with other games held out measures errors on games that it has learned from.
#[test]
fn games_that_the_network_has_seen_are_not_held_out_in_silence() {
    let trainer = Trainer::new();
    let bp = |run: &str, more: &[&str]| {
        let tiny = ["bp", "--passes", "1", "--curve-points", "1"];
        trainer.train(&[&tiny[..], more].concat(), run, &[]).ended(0).stderr
    };
    bp("first", &["--hidden", "4", "--seed", "1"]);
    let first = trainer.path("first");
    let on = |run: &str, more: &[&str]| bp(run, &[&["--init", &first], more].concat());
    let learned = |how: &str| format!("note: `first` learned from some of these games {how}, so games held out here");
    let other = on("other", &["--seed", "3"]);
    assert!(other.contains(&learned("with seed 1")) && other.contains(": keep seed 1, or hold out"), "{other}");
    let more = on("more", &["--seed", "1", "--held-out", "0.5"]);
    assert!(more.contains(&learned("with 0.25 of them held out")), "{more}");
    for (run, seed) in [("same", &["--seed", "1"][..]), ("less", &["--seed", "1", "--held-out", "0.125"])] {
        let notes = on(run, seed);
        assert!(!notes.contains("learned from some"), "{notes}");
    }
    let next = trainer.path("same");
    let third = bp("third", &["--init", &next, "--seed", "1"]);
    assert!(!third.contains("learned from some"), "its file names the network before it, which is no game: {third}");
}

#[test]
fn a_run_is_a_folder_with_everything_in_it() {
    let trainer = Trainer::new();
    for method in METHODS {
        let run = format!("runs/{}", method[0]);
        let text = trainer.train(method, &run, &["--png", "--seed", "3"]).ended(0).stdout;
        assert!(text.contains("held-out mse of a constant") && text.contains("net.safetensors"), "{text}");
        let files = trainer.contents(&run);
        assert_described(&files);
        let expected = ["curve.csv", "curve.png", "curve.svg", "events.out.tfevents.roughboard", "net.safetensors"];
        // What is found out about a rough network lies in a folder of its own.
        let is_own = |name: &&str| !name.starts_with("diagnosis");
        let names: Vec<&str> = files.keys().map(String::as_str).filter(is_own).collect();
        assert_eq!(names, [&expected[..4], &["manifest.json"], &expected[4..]].concat());
        let manifest: Json = serde_json::from_slice(&files["manifest.json"]).unwrap();
        let outputs = expected.map(|name| serde_json::json!([name, sha256(&files[name])]));
        let written = manifest["outputs"].as_array().unwrap().iter();
        let written: Vec<Json> = written.filter(|output| is_own(&output[0].as_str().unwrap())).cloned().collect();
        assert_eq!(written.len(), outputs.len());
        assert!(outputs.iter().all(|output| written.contains(output)));
        assert_eq!(manifest["inputs"][0][0], "games.pgn");
        assert_eq!((&manifest["seed"], &manifest["settings"]["method"]), (&3.into(), &method[0].into()));
        assert!(manifest["settings"]["training"].is_object() && manifest["settings"]["data"].is_object());
        let text = roughboard(&["eval", "--evaluator", &trainer.path(&run), "--json"]).ended(0);
        let file = trainer.path(&format!("{run}/net.safetensors"));
        assert_eq!(text.json()["value"], roughboard(&["eval", "--evaluator", &file, "--json"]).json()["value"]);
    }
}

/// Of a network only the last part of its path is kept, which may be what a built-in one is called.
#[test]
fn manifests_tell_files_from_what_is_built_in() {
    let trainer = Trainer::new();
    let small = ["bp", "--passes", "1", "--curve-points", "2"];
    trainer.train(&small, "td", &["--hidden", "2"]).ended(0);
    let file = trainer.path("td");
    for (run, teacher, name) in [("own", file.as_str(), "./td"), ("supplied", "td", "td")] {
        let taught = ["--init", &file, "--target", "mix", "--result-share", "0.5", "--teacher", teacher];
        trainer.train(&small, run, &taught).ended(0);
        let manifest: Json = serde_json::from_slice(&trainer.contents(run)["manifest.json"]).unwrap();
        let settings = &manifest["settings"];
        assert_eq!(settings["data"]["teacher"]["evaluator"], name);
        assert_eq!(manifest["inputs"][1][0], name);
        assert_eq!(settings["init"], "./td");
    }
}

#[test]
fn folders_that_hold_something_are_refused() {
    let trainer = Trainer::new();
    let td = METHODS[2];
    trainer.train(td, "run", &[]).ended(0);
    let finished = trainer.contents("run");
    let error = trainer.train(td, "run", &[]).refusal();
    assert!(error.contains("holds a finished run") && error.contains("--force"), "{error}");
    let told = trainer.train(td, "run", &["--resume", "--png"]).ended(0).stdout;
    assert!(told.contains("finished before, see") && told.ends_with("; nothing was written\n"), "{told}");
    let error = trainer.train(td, "run", &["--resume", "--alpha", "0.02"]).refusal();
    assert!(error.contains("holds another run: ") && error.contains("before, 0.02 now"), "{error}");
    assert_eq!(trainer.contents("run"), finished);
    fs::create_dir(trainer.files.path("run/.resume")).unwrap();
    let error = trainer.train(td, "run", &[]).refusal();
    assert!(error.contains("not finished") && error.contains("go on with it by `roughboard train td "), "{error}");
    assert!(error.contains(" --resume`"), "{error}");
    trainer.train(td, "run", &["--resume"]).ended(0);
    assert_eq!(trainer.contents("run"), finished);
    // More games, or fewer, make another run.
    let (games, other) = (trainer.path("games.pgn"), trainer.path("other.pgn"));
    let generate =
        ["games", "generate", "self-play", "--games", "8", "--depth", "1", "--max-plies", "60", "--seed", "2"];
    roughboard(&[&generate[..], &["--out", &other]].concat()).ended(0);
    let on = |run: &str, files: &[&str], more: &[&str]| {
        let out = trainer.path(run);
        roughboard(&[&["train"], td, &["--games"], files, &["--out", &out], more].concat())
    };
    let error = on("run", &[&games, &other], &["--resume"]).refusal();
    assert!(error.contains("holds another run: inputs: 1 entries before, 2 entries now"), "{error}");
    on("both", &[&games, &other], &[]).ended(0);
    for files in [&[games.as_str()][..], &[&other, &games]] {
        let error = on("both", files, &["--resume"]).refusal();
        assert!(error.contains("holds another run: inputs"), "{error}");
    }
    // A finished run without its network, or with another in its place, is none.
    for damage in [None, Some("garbage")] {
        let net = trainer.files.path("run/net.safetensors");
        damage.map_or_else(|| fs::remove_file(&net), |text| fs::write(&net, text)).unwrap();
        let error = trainer.train(td, "run", &["--resume"]).refusal();
        assert!(error.contains("missing or were changed: net.safetensors; choose another folder"), "{error}");
    }
    trainer.train(td, "run", &["--force", "--alpha", "0.02"]).ended(0);
    assert_ne!(trainer.contents("run")["net.safetensors"], finished["net.safetensors"]);

    fs::create_dir(trainer.files.path("other")).unwrap();
    fs::write(trainer.files.path("other/thesis.tex"), "all of it").unwrap();
    for more in [&[][..], &["--resume"], &["--force"]] {
        let error = trainer.train(td, "other", more).refusal();
        assert!(error.contains("thesis.tex") && error.contains("choose another folder"), "{error}");
    }
    let both = trainer.train(td, "run", &["--resume", "--force"]).ended(2).stderr;
    assert!(both.contains("cannot be used with"), "{both}");
}

/// Its file can still be named.
#[test]
fn a_folder_does_not_stand_for_a_network_that_its_run_did_not_write() {
    let trainer = Trainer::new();
    for run in ["run", "other"] {
        let seed = if run == "run" { "1" } else { "2" };
        trainer.train(&["bp", "--hidden", "3", "--passes", "1"], run, &["--seed", seed]).ended(0);
    }
    let [run, net, other] = ["run", "run/net.safetensors", "other/net.safetensors"].map(|name| trainer.path(name));
    let match_of =
        |net: &str| roughboard(&["match", net, "random", "--depth", "1", "--games", "2", "--max-plies", "12"]);
    match_of(&run).ended(0);
    fs::copy(&other, &net).unwrap();
    let stated =
        format!("`{net}` is not the network that the run in its folder wrote: `manifest.json` states SHA-256 ");
    for refused in [
        match_of(&run),
        roughboard(&["eval", "--evaluator", &run]),
        roughboard(&["export", "onnx", &run, "--out", &trainer.path("net.onnx")]),
        roughboard(&["engine", "--evaluator", &run]),
        trainer.train(&["bp"], "again", &["--init", &run]),
    ] {
        let error = refused.refusal();
        assert!(error.contains(&stated) && error.contains("; name the file itself to use it all the same"), "{error}");
    }
    match_of(&net).ended(0);
}

#[test]
fn a_run_that_fails_at_its_inputs_leaves_the_folder_as_it_was() {
    let trainer = Trainer::new();
    let pass = ["--passes", "1"];
    trainer.train(&["bp", "--features", "piece-square"], "other", &pass).ended(0);
    trainer.train(&["bp"], "run", &pass).ended(0);
    let finished = trainer.contents("run");
    for (run, more) in [("new/run", &[][..]), ("run", &["--force"])] {
        let other = trainer.path("other");
        let unfit = [&pass[..], &["--init", &other], more].concat();
        let error = trainer.train(&["bp"], run, &unfit).refusal();
        assert!(
            error.contains("expected a network over the attributes `board91`, found one over `piece-square@"),
            "{error}"
        );
    }
    assert!(!trainer.files.path("new").exists());
    assert_eq!(trainer.contents("run"), finished);
    trainer.train(&["bp"], "run", &["--passes", "2", "--force"]).ended(0);
    assert!(trainer.contents("run").keys().eq(finished.keys()), "{:?}", trainer.contents("run").keys());
}

#[test]
fn an_unfinished_run_with_other_settings_is_refused() {
    let trainer = Trainer::new();
    let bp = METHODS[1];
    trainer.train(bp, "whole", &[]).ended(0);
    trainer.leave_checkpoint(bp, "run", &["--resume"]);
    let error = trainer.train(bp, "run", &["--resume", "--rate", "0.01"]).refusal();
    assert!(error.contains("--rate: ") && error.contains(" before, 0.01 now; choose another"), "{error}");
    // A state of older programs does not say what it depends on.
    fs::remove_file(trainer.files.path("run/.resume/identity.json")).unwrap();
    let error = trainer.train(bp, "run", &["--resume", "--rate", "0.01"]).refusal();
    assert!(error.contains("other settings or games"), "{error}");
    trainer.train(bp, "run", &["--force", "--rate", "0.01"]).ended(0);
    assert_ne!(trainer.contents("run")["curve.csv"], trainer.contents("whole")["curve.csv"]);
}

#[test]
fn step_sizes_and_layers_without_effect_are_refused() {
    let trainer = Trainer::new();
    let refused = |method: &[&str], message: &str| {
        let error = trainer.train(method, "refused", &[]).refusal();
        assert!(error.contains(message), "{method:?}: {error}");
    };
    let constant = "has no effect with `--schedule constant`: leave it out";
    refused(&["bp", "--schedule", "constant", "--final-rate", "0.1"], &format!("`--final-rate` {constant}"));
    refused(&["rough", "--schedule", "constant", "--final-rate", "0.1"], &format!("`--final-rate` {constant}"));
    refused(&["td", "--schedule", "constant", "--final-alpha", "0.1"], &format!("`--final-alpha` {constant}"));
    let cosine = "`--schedule` must be constant unless `--final-alpha` is given, got cosine";
    refused(&["td", "--schedule", "cosine"], cosine);
    refused(&["bp", "--hidden", "none", "--activation", "relu"], "`--activation` has no effect with `--hidden none`");
    refused(&["td", "--learn-from", "leaves", "--by-errors"], "`--by-errors` has no effect with `--learn-from leaves`");
    let linear = ["td", "--hidden", "none", "--schedule", "linear", "--alpha", "0.001", "--final-alpha", "0.0001"];
    trainer.train(&linear, "linear", &["--passes", "1"]).ended(0);
    trainer.train(&["td", "--hidden", "none", "--schedule", "constant"], "constant", &["--passes", "1"]).ended(0);
}

/// Starts the program and kills it, unless it ends before.
pub fn kill_after(command: &[String], time: Duration) {
    let _child = Mortal::begin(command);
    std::thread::sleep(time);
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let trainer = Trainer::new();
    let mut moments = Xoshiro256PlusPlus::seed_from_u64(5);
    for method in METHODS {
        let clock = std::time::Instant::now();
        trainer.train(method, "whole", &["--force"]).ended(0);
        let took = clock.elapsed();
        let whole = trainer.contents("whole");
        for _ in 0..3 {
            kill_after(&trainer.command(method, "killed", &["--resume"]), took.mul_f64(moments.random::<f64>()));
            check_whole_files(&trainer.files.path("killed"));
        }
        if !trainer.files.path("killed/manifest.json").exists() || trainer.files.path("killed/.resume").exists() {
            trainer.train(method, "killed", &["--resume"]).ended(0);
        }
        assert!(trainer.contents("killed") == whole, "{method:?}: {:?}", trainer.contents("killed").keys());
        fs::remove_dir_all(trainer.files.path("killed")).unwrap();
    }
}

/// Checks that every file of an interrupted run that is there is whole.
fn check_whole_files(run: &Path) {
    if let Ok(curve) = fs::read_to_string(run.join("curve.csv")) {
        assert!(curve.ends_with('\n') && curve.lines().all(|line| line.split(',').count() == 5), "{curve}");
    }
    if let Ok(svg) = fs::read_to_string(run.join("curve.svg")) {
        assert!(svg.trim_end().ends_with("</svg>"));
    }
    if let Ok(manifest) = fs::read(run.join("manifest.json")) {
        let manifest: Json = serde_json::from_slice(&manifest).unwrap();
        for output in manifest["outputs"].as_array().unwrap() {
            let file = fs::read(run.join(output[0].as_str().unwrap())).unwrap();
            assert_eq!(sha256(&file), output[1].as_str().unwrap());
        }
    }
}

/// What learns by playing depends on whom it plays.
#[test]
fn a_finished_run_is_not_that_of_another_opponent() {
    let trainer = Trainer::new();
    for (run, hidden) in [("a", "2"), ("b", "3")] {
        trainer.train(&["bp", "--hidden", hidden, "--passes", "1"], run, &[]).ended(0);
    }
    let opponent = trainer.path("opponent.safetensors");
    let take = |run: &str| fs::copy(trainer.files.path(run).join("net.safetensors"), &opponent).unwrap();
    let play = format!("fixed:{opponent}");
    let td = ["td", "--hidden", "2", "--play", &play, "--games-to-play", "4"];
    take("a");
    trainer.train(&td, "run", &[]).ended(0);
    assert!(trainer.train(&td, "run", &["--resume"]).ended(0).stdout.contains("finished before"));
    take("b");
    let error = trainer.train(&td, "run", &["--resume"]).refusal();
    assert!(error.contains(" before, ") && error.contains(" now"), "{error}");
}

/// Where its file lies is no part of a run, nor of the games.
#[test]
fn an_opponent_is_the_same_wherever_its_file_lies() {
    let trainer = Trainer::new();
    trainer.train(&["bp", "--hidden", "2", "--passes", "1"], "a", &[]).ended(0);
    fs::create_dir(trainer.files.path("elsewhere")).unwrap();
    let played = |run: &str, opponent: &str| {
        let opponent = trainer.path(opponent);
        fs::copy(trainer.files.path("a/net.safetensors"), &opponent).unwrap();
        let (play, saved) = (format!("fixed:{opponent}"), trainer.path(&format!("{run}.pgn")));
        let td = ["td", "--hidden", "2", "--depth", "1", "--play", &play, "--games-to-play", "4"];
        trainer.train(&td, run, &["--save-games", &saved]).ended(0);
        (trainer.contents(run), fs::read_to_string(saved).unwrap())
    };
    let here = played("here", "opponent.safetensors");
    assert!(here == played("there", "elsewhere/opponent.safetensors"));
    assert!(here.1.contains(" \"opponent.safetensors\"]"), "{}", here.1);
}

/// What came through a pipe is gone: by its games one run is told from the other.
#[test]
fn games_from_a_pipe_are_not_taken_for_others_of_their_number() {
    let trainer = Trainer::new();
    let [games, other, converted] = ["games.pgn", "other.pgn", "converted.pgn"].map(|name| trainer.path(name));
    let generate = ["games", "generate", "self-play", "--games", "24", "--depth", "1", "--max-plies", "60"];
    roughboard(&[&generate[..], &["--seed", "2", "--out", &other]].concat()).ended(0);
    let on = |games: &str, more: &[&str]| {
        let run = trainer.path("run");
        let learn = ["train", "bp", "--games", "-", "--hidden", "2", "--passes", "1", "--out", &run];
        roughboard_told(&[&learn[..], more].concat(), &fs::read_to_string(games).unwrap())
    };
    on(&games, &[]).ended(0);
    roughboard(&["games", "convert", &games, "--out", &converted]).ended(0);
    let manifest: Json = serde_json::from_slice(&trainer.contents("run")["manifest.json"]).unwrap();
    assert_eq!(manifest["inputs"], serde_json::json!([["-", sha256(&fs::read(converted).unwrap())]]));
    assert!(on(&games, &["--resume"]).ended(0).stdout.contains("finished before"));
    let error = on(&other, &["--resume"]).refusal();
    assert!(error.contains("holds another run: inputs.1.-: "), "{error}");
}

#[test]
fn games_are_left_out_with_their_images() {
    let trainer = Trainer::new();
    let reduction = |more: &[&str]| {
        let rough = ["rough", "--rules", "9", "--passes", "1", "--features", "terms", "--reduce-games", "--force"];
        let told = trainer.train(&rough, "run", more).ended(0).stdout;
        let line = told.lines().find(|line| line.starts_with("reduction under ")).unwrap().to_owned();
        line.split(": ").nth(1).unwrap().split(';').next().unwrap().to_owned()
    };
    let (played, mirrored) = (reduction(&[]), reduction(&["--mirror"]));
    assert!(played.starts_with("18 games, "), "{played}");
    assert_eq!(played.split(',').next(), mirrored.split(',').next(), "{mirrored}");
}

/// What a command reads it never writes, not even with `--force`.
#[test]
fn a_run_does_not_replace_a_network_that_it_reads() {
    let trainer = Trainer::new();
    trainer.train(&["bp", "--hidden", "none", "--passes", "1"], "run", &[]).ended(0);
    let (before, folder, file) = (trainer.contents("run"), trainer.path("run"), trainer.path("run/net.safetensors"));
    let rival = format!("fixed:{folder}");
    for (method, more) in [
        ("bp", &["--init", &file][..]),
        ("bp", &["--quiescent", "--teacher", &folder]),
        ("td", &["--play", &rival, "--depth", "1"]),
        ("baseline", &["--model", "logistic", "--quiescent", "--teacher", &folder]),
    ] {
        let error = trainer.train(&[method], "run", &[more, &["--force"]].concat()).refusal();
        assert!(error.contains(" is read, and `--force` replaces the run in "), "{error}");
    }
    assert_eq!(trainer.contents("run"), before);
}
