//! The experiments by name: complete, killed and resumed, repeated; their settings printed, changed and swept.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::command::{Files, Run, assert_described, roughboard};

/// All files of results but the times, which are another on every run.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_file());
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    named.filter(|(name, _)| name != "times.md").map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

/// Two seeds, so that there is something to go on with.
fn seeds_of(experiment: &str) -> &'static str {
    match experiment {
        "held-out-error" => "seeds=[1,2]",
        "inclusion-start" => "learning.seeds=[1,2]",
        _ => "seed=1",
    }
}

fn arguments<'a>(experiment: &'a str, out: &'a Path) -> Vec<&'a str> {
    vec!["reproduce", experiment, "--profile", "smoke", "--set", seeds_of(experiment), "--out", out.to_str().unwrap()]
}

/// Runs `experiment` whole, and killed when `is_time` and taken up again.
fn gives_the_same_files_when_killed(experiment: &str, is_time: fn(&Path) -> bool) -> BTreeMap<String, Vec<u8>> {
    let files = Files::new();
    let (whole, killed) = (files.path("whole"), files.path("killed"));
    roughboard(&arguments(experiment, &whole)).ended(0);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_roughboard"))
        .args(arguments(experiment, &killed))
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() && !is_time(&killed) {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
    let resumed = [arguments(experiment, &killed), vec!["--resume"]].concat();
    roughboard(&resumed).ended(0);
    assert_eq!(results(&whole), results(&killed));
    let again = roughboard(&resumed).ended(0).stdout;
    assert!(again.contains("finished before"), "{again}");
    assert_described(&results(&whole));
    results(&whole)
}

/// The files of `experiment`, run whole on one thread.
fn on_one_thread(experiment: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = Files::new();
    let out = folder.path("out");
    roughboard(&[arguments(experiment, &out), vec!["--threads", "1"]].concat()).ended(0);
    results(&out)
}

/// Whether the state for resuming holds a file whose name ends like one of these.
fn has_state(folder: &Path, endings: &[&str]) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let fits = |path: &Path| endings.iter().any(|wanted| path.to_string_lossy().ends_with(wanted));
    let in_work = |path: &Path| fs::read_dir(path).is_ok_and(|files| files.flatten().any(|file| fits(&file.path())));
    entries.flatten().any(|entry| entry.path().is_dir() && in_work(&entry.path()))
}

fn has_repetition(folder: &Path) -> bool {
    has_state(folder, &["-1.json", "-2.json"])
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    String::from_utf8(files[name].clone()).unwrap()
}

#[test]
fn all_methods_are_compared_on_games_held_out() {
    let files = gives_the_same_files_when_killed("held-out-error", has_repetition);
    let errors = text(&files, "errors.csv");
    for method in [
        "constant",
        "material, linear",
        "decision tree, feature table",
        "BP 91-30-1",
        "rough, reduct",
        "TD(λ) 91-100-1",
        "rough, feature table",
    ] {
        assert!(errors.contains(method), "{method} is missing in\n{errors}");
    }
    // The literal form over all inputs is silent: nothing changes from pass to pass.
    let silent = errors.lines().find(|line| line.contains("literal, all inputs")).unwrap();
    let cells: Vec<String> =
        silent.rsplit(',').take(10).map(|cell| format!("{:.4}", cell.parse::<f64>().unwrap())).collect();
    assert!(cells.chunks(2).all(|cell| cell == &cells[..2]), "{silent}");
    assert!(text(&files, "tables.md").contains("2 seeds"));
}

#[test]
fn the_start_and_the_reduction_are_weighed() {
    let files = gives_the_same_files_when_killed("inclusion-start", has_repetition);
    assert!(text(&files, "passes.csv").starts_with("error_level,inclusion_degrees,inclusion_degrees_sd,"));
    let reduction = text(&files, "reduction.csv");
    for way in ["inclusion degrees", "random weights", "reduced games", "reduced objects", "reduced attributes"] {
        assert!(reduction.contains(way), "{way} is missing in\n{reduction}");
    }
}

/// Three readings of one paper, each with its own positions and targets, against two opponents.
#[test]
fn the_readings_of_s1_stand_side_by_side() {
    let files = gives_the_same_files_when_killed("rnn-xiangqi", |folder| has_state(folder, &["jsonl"]));
    let table = text(&files, "table-1.csv");
    // A row for each opponent, reading and number of training games.
    assert_eq!(table.lines().count(), 1 + 2 * 3 * 2, "{table}");
    for start in ["traditional,raw,100,", "traditional:e1,default,200,", "traditional,search,200,"] {
        assert!(table.lines().any(|line| line.starts_with(start)), "{start} is missing in\n{table}");
    }
    // Images are learned from, but not counted as games or positions.
    let reduction = text(&files, "reduction.csv");
    let positions = |reading: &str| -> u64 {
        let line = reduction.lines().find(|line| line.starts_with(&format!("{reading},200,"))).unwrap();
        line.split(',').nth(5).unwrap().parse().unwrap()
    };
    assert!(positions("default") < positions("raw"), "{reduction}");
    assert_eq!(positions("default"), positions("search"), "{reduction}");
    let errors = text(&files, "errors.csv");
    assert!(errors.contains("default TD 200,") && !errors.contains("search TD"), "{errors}");
    let page = text(&files, "tables.md");
    assert!(page.contains("a search by the traditional evaluator, 1 plies deep; features "), "{page}");
}

#[test]
fn readings_and_opponents_must_be_known() {
    let refused = |change: &str, part: &str| {
        let error = roughboard(&["reproduce", "--smoke", "--set", change]).refusal();
        assert!(error.contains(part), "{change}: expected `{part}` in: {error}");
    };
    refused("readings=[\"raw\", \"letter\"]", "`readings` must be of default, raw, search, got letter");
    refused("opponents=[\"nobody.safetensors\"]", "`opponents` must be of the built-in evaluators, got nobody");
    refused(
        "reading.search.data.teacher.evaluator=nobody",
        "`reading.search.data.teacher.evaluator` must be of the built-in evaluators, got nobody",
    );
}

/// Killed in its first match, and on one thread instead of all.
#[test]
fn the_cells_of_td_xiangqi_are_trained_and_played() {
    let files = gives_the_same_files_when_killed("td-xiangqi", |folder| has_state(folder, &["jsonl"]));
    let cells = text(&files, "cells.csv");
    assert_eq!(cells.lines().count(), 1 + 2 * 2, "{cells}");
    for table in ["table-1.csv", "table-2.csv", "hidden-4.csv", "hidden-6.csv"] {
        assert!(text(&files, table).contains("s5_won,s5_drawn,s5_lost"), "{table}");
    }
    assert_eq!(on_one_thread("td-xiangqi"), files, "on one thread");
}

/// Killed in its first iterations, and on one thread instead of all.
#[test]
fn margins_are_tuned_and_tested() {
    let files = gives_the_same_files_when_killed("tune-search", |folder| has_state(folder, &["jsonl"]));
    let path = text(&files, "path.csv");
    assert!(
        path.starts_with("iteration,won,drawn,lost,aspiration,futility,futility_base,history_reduction,"),
        "{path}"
    );
    assert_eq!(path.lines().count(), 1 + 6, "{path}");
    for line in path.lines().skip(1) {
        let games: u64 = line.split(',').skip(1).take(3).map(|cell| cell.parse::<u64>().unwrap()).sum();
        assert_eq!(games, 4, "{line}");
    }
    let margins = text(&files, "margins.csv");
    assert!(margins.contains("\nreduction_scale,8,48,24,"), "{margins}");
    assert!(text(&files, "matches.csv").contains("tuned,start,"));
    let page = text(&files, "tables.md");
    for part in ["margins.reduction_scale=", "SPSA (Spall 1992)", "sequential test of 0 (H0) against 5 (H1) Elo"] {
        assert!(page.contains(part), "{part} is missing in\n{page}");
    }
    assert_eq!(on_one_thread("tune-search"), files, "on one thread");
}

#[test]
fn margins_and_gains_must_be_possible() {
    let refused = |change: &str, part: &str| {
        let error = roughboard(&["reproduce", "tune-search", "--smoke", "--set", change]).refusal();
        assert!(error.contains(part), "{change}: expected `{part}` in: {error}");
    };
    refused("ranges.futilty=[1,20]", "there is no setting `ranges.futilty` (did you mean `futility`?)");
    refused("ranges.late_move_base=[0,10]", "`ranges.late_move_base` must be in [1, 100], got 0");
    refused("ranges.null_move_slope=[25,25]", "`ranges.null_move_slope` must be the least and the greatest value");
    refused("ranges.futility=[16,40]", "`ranges.futility` must be a range around the start, 15, got [16, 40]");
    refused("search.margins.futility=1001", "`search.margins.futility` must be in [0, 1000], got 1001");
    refused("gains.perturbation=0.6", "`gains.perturbation` must be in (0, 0.5], got 0.6");
    refused("games=7", "error: settings of `tune-search`: `games` must be an even number in [2, 10000], got 7");
    refused("iterations=0", "`iterations` must be in [1, 1000000], got 0");
    refused("max_plies=8", "`adjudication.max_plies` must be above `opening_plies`, got 8");
    refused("sprt.elo1=0.0", "`sprt.elo0` must be below `elo1`, got 0 and 0");
    refused("evaluator=nobody", "nobody");
}

/// The figures of the paper stand beside ours where the cells are its own.
#[test]
fn the_papers_figures_stand_beside_ours() {
    let files = Files::new();
    let out = files.path("out");
    let paper = ["--set", "hidden=[30]", "--set", "td.passes=1"];
    roughboard(&[&arguments("td-xiangqi", &out)[..], &paper].concat()).ended(0);
    let files = results(&out);
    assert!(text(&files, "table-4.csv").trim_end().ends_with(",9,20,971,1.9"), "{}", text(&files, "table-4.csv"));
    let page = text(&files, "tables.md");
    for word in ["order of the cells", "size:", "S5 Table 1", "S5 Table 4"] {
        assert!(page.contains(word), "{word} is missing in\n{page}");
    }
}

fn printed(options: &[&str]) -> Run {
    roughboard(&[&["reproduce", "--print-config"], options].concat())
}

#[test]
fn settings_are_printed_changed_and_read_back() {
    let files = Files::new();
    let text = printed(&["td-xiangqi", "--profile", "paper", "--set", "td.lambda=0.5", "--seed", "7"]).ended(0).stdout;
    for line in ["# td-xiangqi", "seed = 7", "lambda = 0.5", "games = 1000", "held_out = 0.052"] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    let config = files.write("settings.toml", &text);
    let again = printed(&["td-xiangqi", "--config", config.to_str().unwrap()]).ended(0).stdout;
    assert_eq!(again, text);
    // Every experiment prints its settings, and several in a row.
    let all = printed(&["evaluation-terms", "mtdf-steps", "td-random-walk", "rnn-xiangqi"]).ended(0).stdout;
    assert_eq!(all.lines().filter(|line| line.starts_with("# ")).count(), 4, "{all}");
}

#[test]
fn wrong_settings_are_named_with_what_would_be_right() {
    let refused = |options: &[&str], parts: &[&str]| {
        let error = printed(options).refusal();
        parts.iter().for_each(|part| assert!(error.contains(part), "{options:?}: expected `{part}` in: {error}"));
    };
    refused(&["td-xiangqi", "--set", "td.lamda=0.5"], &["td.lamda", "`lambda`", "`alpha`", "`passes`"]);
    refused(&["td-xiangqi", "--set", "td.lambda=high"], &["td.lambda", "high", "f64"]);
    refused(&["td-random-walk", "--set", "games=3"], &["games", "`walks`"]);
    refused(
        &["rnn-xiangqi", "--set", "passes=1"],
        &["`reading.default.bp.training.passes`", "`reading.raw.rough_training.passes`"],
    );
    refused(&["mtdf-steps", "--profile", "fast"], &["mtdf-steps", "fast", "quick", "paper"]);
    let out_of_range = roughboard(&["reproduce", "td-xiangqi", "--set", "td.lambda=1.5"]).refusal();
    assert!(out_of_range.contains("[0, 1]") && out_of_range.contains("1.5"), "{out_of_range}");
    // The options `--games` and `--seeds` mean something else.
    for (experiment, change, message) in [
        ("td-xiangqi", "games=3", "settings of `td-xiangqi`: `matches.games` must be an even number in [2, 10000000]"),
        ("held-out-error", "seeds=[]", "settings of `held-out-error`: `seeds` must be 1 to 100 of them, got 0"),
        ("td-xiangqi", "matches.simulations=50", "`matches.simulations` must be absent, as nobody plays by tree"),
        ("connect6-tdbp", "final_games=3", "`final_games` must be an even number in [2, 10000000], got 3"),
        ("connect6-tdbp", "grid.match_games=0", "`grid.match_games` must be an even number in [2, 10000000], got 0"),
        ("surakarta-zero", "ladder_games=3", "`ladder_games` must be an even number in [2, 10000000], got 3"),
        ("surakarta-zero", "matches.search.c_puct=-1", "`matches.search.c_puct` must be "),
        ("surakarta-searches", "match_games=3", "`match_games` must be an even number in [2, 10000000], got 3"),
        ("strength", "matches.games=3", "`matches.games` must be an even number in [2, 10000000], got 3"),
        ("strength", "matches.max_plies=0", "`matches.max_plies` must be above opening_plies and at most 10000, got 0"),
        ("strength", "matches.depth=500", "`matches.depth` must be 2, as `limits` say how far a search goes, got 500"),
        ("strength", "matches.nodes=7", "`matches.nodes` must be absent, as `limits` say how far a search goes, got 7"),
        ("surakarta-strength", "matches.simulations=50", "`matches.simulations` must be absent, as `limits` say how"),
        ("strength", r#"limits=[{name="odd",depth=1,games=3}]"#, "`limits.odd.games` must be an even number in"),
        ("connect6-steps", "self_play.games=0", "of `connect6-steps`: `self_play.games` must be in [1, 10000000]"),
        ("connect6-steps", "self_play.max_plies=0", "`self_play.max_plies` must be in [1, 10000], got 0"),
        ("connect6-steps", "self_play.max_plies=1", "`self_play.max_plies` must be above `random_plies`, got 1"),
        ("mtdf-steps", "step=0", "settings of `mtdf-steps`: `step` must be in [1, 1000000], got 0"),
        ("surakarta-searches", r#"variants={random={selection="puct",simulations=4}}"#, "and not `random`, got random"),
    ] {
        let error = roughboard(&["reproduce", experiment, "--smoke", "--out", "unused", "--set", change]).refusal();
        assert!(error.contains(message), "{error}");
    }
    let simulations = |experiment: &str, number: u32, part: &str| {
        let limits = format!("limits=[{{ name = \"few\", depth = 1, simulations = {number} }}]");
        let error = roughboard(&["reproduce", experiment, "--smoke", "--set", &limits]).refusal();
        assert!(error.contains("limits.few") && error.contains(part), "{error}");
    };
    simulations("strength", 9, "tree search");
    simulations("surakarta-strength", 0, "in [1, 100000000]");
}

/// Wherever the evaluator for comparison stands among the entrants, everybody plays it under every limit.
#[test]
fn the_reference_of_a_ladder_may_be_an_entrant() {
    let files = Files::new();
    let limits = r#"limits=[{ name = "one", depth = 1 }, { name = "two", depth = 2 }]"#;
    for (name, entrants) in [("first", "material,material-captures"), ("last", "material-captures,material")] {
        let (out, entrants) = (files.path(name), format!("entrants=[{entrants}]"));
        let settings = ["--set", &entrants, "--set", "reference=material", "--set", limits, "--set", "matches.games=2"];
        let out = ["--out", out.to_str().unwrap()];
        roughboard(&[&["reproduce", "surakarta-strength", "--smoke"][..], &settings, &out].concat()).ended(0);
    }
    let [first, last] =
        ["first", "last"].map(|name| std::fs::read_to_string(files.path(name).join("headline.csv")).unwrap());
    assert_eq!(first, last);
    assert!(first.contains("material-captures one") && first.contains("material-captures two"), "{first}");
    let matches = std::fs::read_to_string(files.path("first").join("matches.csv")).unwrap();
    let rows: Vec<&str> = matches.lines().collect();
    assert_eq!(rows[0], "limit,a,b,elo,elo_low,elo_high,won,drawn,lost,score,score_error,mean_plies");
    let starts = ["one,material-captures,material,", "two,material-captures,material,"];
    assert!(rows.len() == 3 && rows[1..].iter().zip(starts).all(|(row, start)| row.starts_with(start)), "{matches}");
}

#[test]
fn a_sweep_has_a_folder_for_each_combination_and_a_summary() {
    let files = Files::new();
    let out = files.path("sweep");
    let sweep = |more: &[&str]| {
        let tiny = ["reproduce", "td-random-walk", "--smoke", "--sweep", "walks=2,4", "--seeds", "1..2", "--out"];
        roughboard(&[&tiny[..], &[out.to_str().unwrap()], more].concat()).ended(0).stdout
    };
    let told = sweep(&[]);
    let means = told.split("means over the seeds ± 95 %\n").nth(1).unwrap();
    let rows: Vec<&str> = means.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.contains(" ± ")), "one row for each number of walks: {told}");
    for name in ["walks=2,seed=1", "walks=2,seed=2", "walks=4,seed=1", "walks=4,seed=2"] {
        let config = fs::read_to_string(out.join(name).join("config.toml")).unwrap();
        name.split(',').for_each(|change| assert!(config.contains(&change.replace('=', " = ")), "{name}: {config}"));
        assert!(out.join(name).join("manifest.json").exists());
    }
    let summary = fs::read_to_string(out.join("summary.csv")).unwrap();
    assert_eq!(summary.lines().count(), 5, "{summary}");
    assert!(summary.starts_with("walks,seed,rms_error_lambda_0,"), "{summary}");
    // By hand: Student's t with one degree of freedom has the quantile 12.7062, and the deviation of two is their distance / √2.
    let values: Vec<f64> =
        summary.lines().skip(1).take(2).map(|row| row.split(',').nth(2).unwrap().parse().unwrap()).collect();
    let (mean, half) = ((values[0] + values[1]) / 2.0, 12.706_205 * (values[0] - values[1]).abs() / 2.0);
    assert!(rows[0].contains(&format!("{mean:.4} ± {half:.4}")), "{mean} {half}: {}", rows[0]);
    // Only what is missing is made again.
    fs::remove_file(out.join("walks=4,seed=1").join("tables.md")).unwrap();
    let resumed = sweep(&["--resume"]);
    assert_eq!(resumed.matches("finished before").count(), 3, "{resumed}");
    assert_eq!(fs::read_to_string(out.join("summary.csv")).unwrap(), summary);
}

/// Figures whose names have commas are called the same by runs that are made now and by those that are read from their files.
#[test]
fn a_summary_is_the_same_where_some_of_its_runs_were_finished_before() {
    let files = Files::new();
    let out = files.path("seeds");
    let summary = |more: &[&str]| {
        let steps = ["reproduce", "mtdf-steps", "--smoke", "--seeds", "1..2", "--out", out.to_str().unwrap()];
        roughboard(&[&steps[..], more].concat()).ended(0);
        fs::read_to_string(out.join("summary.csv")).unwrap()
    };
    let whole = summary(&[]);
    fs::remove_file(out.join("seed=2").join("tables.md")).unwrap();
    assert_eq!(summary(&["--resume"]), whole);
}

/// A summary goes on to hold what it has held: it is made of the runs that are named, and of no others.
#[test]
fn a_summary_of_other_runs_is_not_written_over() {
    let files = Files::new();
    let out = files.path("seeds");
    let walk = |more: &[&str]| {
        let tiny = ["reproduce", "td-random-walk", "--smoke", "--set", "walks=2", "--out", out.to_str().unwrap()];
        roughboard(&[&tiny[..], more].concat())
    };
    let seeds = || {
        let summary = fs::read_to_string(out.join("summary.csv")).unwrap();
        summary.lines().skip(1).map(|row| row.split(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    walk(&["--seeds", "1..2"]).ended(0);
    for (more, others) in [
        (&["--seeds", "3..4"][..], "seed=1, seed=2;"),
        (&["--seeds", "1,3"], "seed=2;"),
        (&["--seeds", "1"], "seed=2;"),
        (&["--sweep", "sets=4,5"], "seed=1, seed=2;"),
    ] {
        let error = walk(more).refusal();
        assert!(error.contains(&format!("holds a summary of other runs: {others} name all of them")), "{error}");
    }
    assert_eq!(seeds(), ["1", "2"]);
    assert!(!out.join("seed=3").exists(), "nothing ran");
    walk(&["--seeds", "1..2"]).ended(0);
    walk(&["--seeds", "1..3", "--resume"]).ended(0);
    assert_eq!(seeds(), ["1", "2", "3"]);
    walk(&["--seeds", "4", "--force"]).ended(0);
    assert_eq!(seeds(), ["4"]);
}

#[test]
fn a_value_that_is_given_twice_is_refused() {
    let tiny = ["reproduce", "td-random-walk", "--smoke", "--out", "unused"];
    for (more, message) in [
        (["--seeds", "1,2,1"].as_slice(), "`seed` has the value 1 twice"),
        (&["--sweep", "walks=4,4"], "`walks` has the value 4 twice"),
        (&["--sweep", "walks=2", "--sweep", "walks=4"], "`walks` is varied twice: name all its values in one"),
        (&["--sweep", "seed=1", "--seeds", "3..4"], "`seed` is varied twice"),
        (&["--set", "walks=9", "--sweep", "walks=2,4"], "`walks` is varied, so that `--set walks=…` has no effect"),
        (&["--set", "seed=4", "--seed", "5"], "`--seed` and `--set seed=…` say the same: leave one out"),
    ] {
        let error = roughboard(&[&tiny[..], more].concat()).refusal();
        assert!(error.contains(message), "{error}");
    }
    let walks = ["reproduce", "td-random-walk", "sprt-simulation", "td-random-walk", "--smoke", "--out", "unused"];
    let error = roughboard(&walks).refusal();
    assert!(error.contains("`td-random-walk` is named twice: leave one out"), "{error}");
}

/// `lambda` is `td.lambda` where there is no other, and `seed` the setting that all draws follow from.
#[test]
fn a_setting_is_known_by_all_its_keys() {
    for (experiment, more, message) in [
        ("td-xiangqi", ["--sweep", "lambda=0.1,0.2", "--sweep", "td.lambda=0.3,0.4"], "`td.lambda` is varied twice"),
        (
            "td-xiangqi",
            ["--set", "lambda=0.3", "--sweep", "td.lambda=0.5,0.7"],
            "`td.lambda` is varied, so that `--set lambda=…` has no effect: leave one out",
        ),
        (
            "held-out-error",
            ["--seeds", "1,2", "--set", "split_seed=9"],
            "`seed` is varied, so that `--set split_seed=…` has no effect: leave one out",
        ),
        (
            "held-out-error",
            ["--sweep", "seed=1,2", "--seed", "7"],
            "`seed` is varied, so that `--seed` has no effect: leave one out",
        ),
    ] {
        let tiny = ["reproduce", experiment, "--smoke", "--out", "unused"];
        let error = roughboard(&[&tiny[..], &more].concat()).refusal();
        assert!(error.contains(message), "{error}");
    }
    // There `--seed` says more than that one seed.
    for (experiment, seeds) in [("held-out-error", "seeds = [5"), ("inclusion-start", "seeds = [5")] {
        let both = ["reproduce", experiment, "--smoke", "--seed", "5", "--set", "split_seed=3", "--print-config"];
        let config = roughboard(&both).ended(0).stdout;
        assert!(config.contains("split_seed = 3\n") && config.contains(seeds), "{config}");
    }
}

/// Results are gone on with, and made anew, under their own settings alone, unless that is asked for.
#[test]
fn other_settings_than_those_in_the_folder_are_told() {
    let files = Files::new();
    let out = files.path("walk");
    let walk = |walks: &str, more: &[&str]| {
        let tiny = ["reproduce", "td-random-walk", "--smoke", "--set", walks, "--out", out.to_str().unwrap()];
        roughboard(&[&tiny[..], more].concat())
    };
    walk("walks=2", &[]).ended(0);
    for more in [&["--resume"][..], &[]] {
        let other = walk("walks=3", more).refusal();
        assert!(other.contains("holds another run: walks: 2 before, 3 now; choose another folder"), "{other}");
    }
    walk("walks=2", &[]).ended(0);
    walk("walks=3", &["--force"]).ended(0);
    // As a run that was killed leaves it.
    let state = out.join(".resume-0123456789abcdef");
    fs::create_dir(&state).unwrap();
    fs::write(state.join("identity.json"), r#"{"walks": 5}"#).unwrap();
    for more in [&["--resume"][..], &[]] {
        let other = walk("walks=2", more).refusal();
        assert!(other.contains("holds another run: walks: 5 before, 2 now; "), "{other}");
    }
    walk("walks=2", &["--force"]).ended(0);
    assert!(!state.exists(), "the state of the other run is gone");
}

/// Parts of several runs are whole runs, side by side in one folder.
#[test]
fn runs_over_seeds_are_shared_out() {
    let files = Files::new();
    let [whole, shared] = ["whole", "shared"].map(|name| files.path(name));
    let run = |out: &Path, more: &[&str]| {
        let given = ["reproduce", "td-random-walk", "--profile", "smoke", "--seeds", "1..3", "--out"];
        roughboard(&[&given[..], &[out.to_str().unwrap()], more].concat())
    };
    run(&whole, &[]).ended(0);
    for (shard, n_runs) in [("1/2", 2), ("2/2", 1)] {
        let part = run(&shared, &["--shard", shard]).ended(3).stdout;
        assert!(part.contains(&format!("part {shard} is done, {n_runs} of 3 runs")), "{part}");
        assert!(!shared.join("summary.csv").exists());
    }
    run(&shared, &["--resume"]).ended(0);
    for name in ["summary.csv", "seed=1/tables.md", "seed=2/tables.md", "seed=3/manifest.json"] {
        assert_eq!(fs::read(shared.join(name)).unwrap(), fs::read(whole.join(name)).unwrap(), "{name}");
    }
}

#[test]
fn a_changed_file_of_a_finished_run_is_made_again_with_a_note() {
    let files = Files::new();
    let out = files.path("walk");
    let place = out.display().to_string();
    let tiny = ["reproduce", "td-random-walk", "--smoke", "--set", "walks=2", "--quiet", "--out", &place];
    assert_eq!(roughboard(&tiny).ended(0).stderr, "");
    let made = results(&out);
    assert_eq!(roughboard(&tiny).ended(0).stderr, "", "nothing was changed");
    fs::write(out.join("tables.md"), "edited").unwrap();
    let note = format!("note: in `{place}` `tables.md` had been changed and was made again\n");
    assert_eq!(roughboard(&[&tiny[..], &["--resume"]].concat()).ended(0).stderr, note);
    assert!(results(&out) == made);
    for name in ["headline.csv", "tables.md"] {
        fs::write(out.join(name), "edited").unwrap();
    }
    let note = format!("note: in `{place}` `headline.csv`, `tables.md` had been changed and were made again\n");
    assert_eq!(roughboard(&tiny).ended(0).stderr, note);
    assert!(results(&out) == made);
}

#[test]
fn nobody_is_told_to_go_on_with_another_run() {
    let files = Files::new();
    let out = files.path("run");
    let run = |more: &[&str]| roughboard(&[&arguments("evaluation-terms", &out)[..], more].concat());
    // A part of a run is not finished.
    run(&["--shard", "1/2"]).ended(3);
    let unfinished = run(&[]).refusal();
    let advice = "not finished: go on with it by `roughboard reproduce evaluation-terms ";
    assert!(
        unfinished.contains(advice) && unfinished.contains(" --resume`, or start over with `--force`"),
        "{unfinished}"
    );
    let error = run(&["--set", "max_plies=777"]).refusal();
    assert!(error.contains("holds another run: max_plies: ") && error.contains(", 777 now"), "{error}");
}

#[test]
fn parts_put_together_are_the_whole() {
    let files = Files::new();
    let [whole, one, other] = ["whole", "one", "other"].map(|name| files.path(name));
    let run = |out: &Path, more: &[&str]| roughboard(&[&arguments("evaluation-terms", out)[..], more].concat());
    run(&whole, &[]).ended(0);
    for (out, shard) in [(&one, "1/2"), (&other, "2/2")] {
        let part = run(out, &["--shard", shard]).ended(3).stdout;
        assert!(part.contains(&format!("part {shard} is done")) && part.contains("left to other parts"), "{part}");
    }
    run(&one, &["--parts", other.to_str().unwrap()]).ended(0);
    assert_eq!(results(&one), results(&whole));
    let foreign = run(&other, &["--parts", whole.to_str().unwrap()]).refusal();
    assert!(foreign.contains("holds no part of this run: expected the state `.resume-"), "{foreign}");
    let walk = roughboard(&["reproduce", "td-random-walk", "--smoke", "--shard", "1/2"]).refusal();
    assert!(walk.contains("`td-random-walk` plays no matches that could be divided into parts"), "{walk}");
}

/// The state of the folder goes, whichever run it is of; the games of other parts are taken over.
#[test]
fn parts_are_put_together_in_place_of_another_run_by_force() {
    let files = Files::new();
    let [whole, part, out] = ["whole", "part", "out"].map(|name| files.path(name));
    let run = |out: &Path, more: &[&str]| roughboard(&[&arguments("evaluation-terms", out)[..], more].concat());
    run(&whole, &[]).ended(0);
    run(&part, &["--shard", "1/2"]).ended(3);
    run(&out, &["--shard", "1/2", "--set", "max_plies=777"]).ended(3);
    let forced = ["--parts", part.to_str().unwrap(), "--force"];
    let own = run(&part, &forced).refusal();
    assert!(own.contains("is to be read and written"), "{own}");
    run(&out, &forced).ended(0);
    assert_eq!(results(&out), results(&whole));
}

/// Games under every limit, and not those under the first alone.
#[test]
fn a_part_of_an_experiment_is_a_part_of_all_its_contests() {
    let files = Files::new();
    let [whole, one, other] = ["whole", "one", "other"].map(|name| files.path(name));
    let run = |out: &Path, more: &[&str]| {
        let few = ["--set", "matches.games=4"];
        roughboard(&[&arguments("strength", out)[..], &few, more].concat())
    };
    run(&whole, &[]).ended(0);
    let left = |out: &Path, shard: &str| {
        let part = run(out, &["--shard", shard]).ended(3).stdout;
        // All play all under the first of two limits, and three play one under the second.
        let (told, _) = part.split_once(" of 36 games are left to other parts").unwrap_or_else(|| panic!("{part}"));
        told.rsplit(' ').next().unwrap().parse::<usize>().unwrap()
    };
    assert_eq!(left(&one, "1/2") + left(&other, "2/2"), 36);
    let told = run(&one, &["--parts", other.to_str().unwrap()]).ended(0).stdout;
    let pace = told.split("Pace of the matches\n").nth(1).and_then(|table| table.lines().nth(2)).unwrap();
    assert!(pace.trim_start().starts_with("0 "), "nothing is left to play: {told}");
    assert_eq!(results(&one), results(&whole));
}

#[test]
fn profiles_of_papers_say_which_games_they_use() {
    let files = Files::new();
    let told = |profile: &str| {
        let out = files.path(profile);
        let small =
            ["--set", "positions=2", "--set", "exact_depth=1", "--set", "depth=1", "--out", out.to_str().unwrap()];
        roughboard(&[&["reproduce", "mtdf-steps", "--profile", profile], &small[..]].concat()).ended(0).stderr
    };
    let note = "note: without `--games`, the games of mtdf-steps are the self-play games that come with the program";
    let said = told("paper");
    assert!(said.contains(note), "{said}");
    assert!(!told("smoke").contains("note: without"), "the note is for the papers' own sizes");
}

#[test]
fn results_that_are_kept_get_no_png_and_a_note_says_so() {
    let files = Files::new();
    let out = files.path("walk");
    let walk = |more: &[&str]| {
        let tiny = ["reproduce", "td-random-walk", "--smoke", "--set", "walks=2", "--out", out.to_str().unwrap()];
        roughboard(&[&tiny[..], more].concat()).ended(0).stderr
    };
    let note = "is kept as it is, without PNG";
    walk(&[]);
    assert!(!walk(&["--resume"]).contains(note));
    assert!(walk(&["--resume", "--png"]).contains(note));
    walk(&["--png"]);
    assert!(out.join("figure-3.png").exists());
    assert!(!walk(&["--resume", "--png"]).contains(note));
}

/// Before anything is played or simulated.
#[test]
fn settings_that_would_fail_midway_are_refused() {
    let refused = |experiment: &str, settings: &[&str], message: &str| {
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let command: Vec<&str> =
            ["reproduce", experiment, "--smoke", "--out", "unused"].into_iter().chain(settings).collect();
        let error = roughboard(&command).refusal();
        assert!(error.contains(message), "{error}");
    };
    let limits = r#"limits=[{name="d 1",depth=1},{name="d-1",depth=2}]"#;
    let distinct = "must be different from all others in letters or digits, not in other characters alone, got";
    refused("strength", &[limits], &format!("`limits.name` {distinct} d-1"));
    refused("strength", &["entrants=[material,material]"], &format!("`entrants` {distinct} material"));
    refused("strength", &["entrants=[runs/a,runs-a]"], &format!("`entrants` {distinct} runs-a"));
    refused("strength", &["entrants=[runs/a]", "reference=runs-a"], &format!("`reference` {distinct} runs-a"));
    for (names, found) in [(["Width 3", "width-3"], "width-3"), (["halves", "All games"], "All games")] {
        let one = |name: &str| format!("{{name={name:?},cuts={{frequency=2}},reduct={{majority=0.2}},moves=false}}");
        let granularity = format!("granularity=[{}]", names.map(one).join(","));
        refused("granularity", &[&granularity], &format!("`granularity.name` {distinct} {found}"));
    }
    refused("td-xiangqi", &["matches.search.width=10001"], "`matches.search.width` must be in [0, 10000], got 10001");
    refused("td-xiangqi", &["matches.search.whole_turns=true"], "`matches.search.whole_turns` must be false in a game");
    for hidden in ["[0]", "[30, 30]"] {
        let message = format!("`hidden` must be different numbers in [1, 1024], got {hidden}");
        refused("held-out-error", &[&format!("hidden={hidden}")], &message);
        refused("td-xiangqi", &[&format!("hidden={hidden}")], &message);
    }
    refused("held-out-error", &["one_hot=0"], "`one_hot` must be in [1, 1024], got 0");
    refused("held-out-error", &["held_out=1.0"], "`held_out` must be in (0, 1), got 1");
    refused("inclusion-start", &["held_out=0.0"], "`learning.held_out` must be in (0, 1), got 0");
    refused("surakarta-zero", &["compared=[4,4]"], "`compared` must be different numbers in [1, training.games]");
    let rungs = "`ladder` must be ascending, none above training.games, got [0, 9]";
    refused("surakarta-zero", &["training.games=8", "ladder=[0,9]"], rungs);
    refused("surakarta-zero", &["matches.opening_plies=201"], "`matches.opening_plies` must be in [0, 200], got 201");
    let most = "`matches.simulations` must be in [1, 100000000], got 100000001";
    refused("surakarta-searches", &["matches.simulations=100000001"], most);
    refused("sprt-simulation", &["draws=0.75", "elo0=0.0", "elo1=100.0"], "no pairs at ");
}

/// Repetitions and matches that count twice make error bars too small.
#[test]
fn what_is_twice_in_a_list_is_refused() {
    for (experiment, change, setting, found) in [
        ("held-out-error", "seeds=[1,2,1]", "seeds", "1"),
        ("inclusion-start", "seeds=[3,3]", "learning.seeds", "3"),
        ("connect6-records", "seeds=[1,1]", "seeds", "1"),
        ("connect6-records", "features=[patterns64,patterns64]", "features", "patterns64"),
        ("connect6-tdbp", "features=[patterns64,patterns64]", "features", "patterns64"),
        ("connect6-tdbp", "opponents=[static,static]", "opponents", "static"),
        ("connect6-tdbp", "grid.alphas=[0.3,0.1,0.30]", "grid.alphas", "0.3"),
        ("connect6-tdbp", "grid.lambdas=[0.7,0.7]", "grid.lambdas", "0.7"),
        ("rnn-xiangqi", "readings=[raw,default,raw]", "readings", "raw"),
        ("rnn-xiangqi", "opponents=[traditional,traditional]", "opponents", "traditional"),
        ("td-random-walk", "lambdas=[0.5,0.5]", "lambdas", "0.5"),
        ("td-random-walk", "alphas=[0.1,0.2,0.1]", "alphas", "0.1"),
        ("position-tables", "alphas=[30.0,30.0]", "alphas", "30"),
    ] {
        let error = roughboard(&["reproduce", experiment, "--smoke", "--out", "unused", "--set", change]).refusal();
        assert!(error.contains(&format!("`{setting}` must be all different, got {found} twice")), "{error}");
    }
}

/// Before anything is learned or played, and nothing is kept of it.
#[test]
fn a_lack_of_openings_shows_before_the_work() {
    let files = Files::new();
    let limits = r#"limits=[{name="few",depth=1,games=2},{name="many",depth=1,games=4}]"#;
    for (experiment, settings) in [
        ("surakarta-zero", &["matches.opening_plies=0", "s4_games=4"][..]),
        ("surakarta-searches", &["matches.opening_plies=0", "match_games=4"]),
        ("surakarta-strength", &["matches.opening_plies=0", limits]),
        ("tune-search", &["opening_plies=1", "games=2", "test_games=100"]),
    ] {
        let out = files.path(experiment);
        let settings = settings.iter().flat_map(|setting| ["--set", *setting]);
        let start = ["reproduce", experiment, "--smoke", "--out", out.to_str().unwrap()];
        let error = roughboard(&start.into_iter().chain(settings).collect::<Vec<_>>()).refusal();
        assert!(error.contains("too few openings: expected "), "{error}");
        assert!(!out.exists(), "{experiment} has kept something");
    }
}

/// Weights that are no numbers any more do not move either.
#[test]
fn presentations_that_go_astray_have_not_converged() {
    let files = Files::new();
    let out = files.path("walk");
    let wild = ["reproduce", "td-random-walk", "--smoke", "--set", "small_alpha=0.1", "--out", out.to_str().unwrap()];
    let error = roughboard(&wild).refusal();
    assert!(error.contains("weights still move after 100000 presentations; lower `small_alpha` or "), "{error}");
}

/// S1 keeps 1423 of its first 2000 games.
#[test]
fn games_that_say_nothing_new_under_coarse_knowledge_are_left_out() {
    let files = Files::new();
    let out = files.path("reduced");
    let granularity =
        r#"reading.default.granularity={name="halves",cuts={frequency=2},reduct={majority=0.2},moves=false}"#;
    let settings = [r#"readings=["default"]"#, r#"opponents=["traditional:e1"]"#, "stages=[150]", granularity];
    let settings = settings.into_iter().flat_map(|setting| ["--set", setting]);
    let command = ["reproduce", "rnn-xiangqi", "--smoke", "--out", out.to_str().unwrap()].into_iter().chain(settings);
    roughboard(&command.collect::<Vec<_>>()).ended(0);
    let page = fs::read_to_string(out.join("tables.md")).unwrap();
    assert!(page.contains("halves: majority, ε = 0.2"), "{page}");
    let reduction = fs::read_to_string(out.join("reduction.csv")).unwrap();
    let cells: Vec<&str> = reduction.lines().nth(1).unwrap().split(',').collect();
    let [games, kept]: [usize; 2] = [cells[1], cells[2]].map(|cell| cell.parse().unwrap());
    assert!(kept > 0 && kept < games, "{reduction}");
}

/// What stands above the tables is what was done.
#[test]
fn headings_say_what_the_settings_say() {
    let files = Files::new();
    let page = |experiment: &str, settings: &[&str]| {
        let out = files.path(experiment);
        let settings = settings.iter().flat_map(|setting| ["--set", *setting]);
        let tiny = ["reproduce", experiment, "--smoke", "--out", out.to_str().unwrap()];
        roughboard(&tiny.into_iter().chain(settings).collect::<Vec<_>>()).ended(0);
        fs::read_to_string(out.join("tables.md")).unwrap()
    };
    let terms = page("evaluation-terms", &["search.quiescence=false"]);
    assert!(terms.contains("1 plies deep, without quiescence"), "{terms}");
    let settings = ["hidden=[4]", "td.passes=1", "td.update=move", "td.form=traces", "matches.nodes=1000000"];
    let moves = page("td-xiangqi", &settings);
    assert!(moves.contains("eq. (2) and (3) applied after each move; "), "{moves}");
    assert!(moves.contains("with quiescence at depth 1 and of 1000000 positions at most for both, "), "{moves}");
    let pairs = page("sprt-simulation", &["draws=0.29"]);
    assert!(pairs.contains("pairs: 29 % of the games are drawn"), "{pairs}");
    let walk = page("td-random-walk", &["lambdas=[0.999,0.5]", "alphas=[0.2,0.005]"]);
    assert!(walk.contains("|  0.999 | 0.005 |"), "{walk}");
    let steps = page("mtdf-steps", &["positions=2", "exact_depth=1", "depth=1", "step=300"]);
    assert!(steps.contains("fixed: 300 points further; adaptive: "), "{steps}");
    let fits = page("position-tables", &["alphas=[0.04,30.0]"]);
    assert!(fits.contains("| 0.04 |") && fits.contains("| 30.0 |"), "{fits}");
}
