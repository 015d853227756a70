//! `report`: finished runs of every kind on one page.

use std::fs;

use serde_json::Value;

use super::command::roughboard;
use super::training_runs::Trainer;

#[test]
fn runs_of_every_kind_stand_on_one_page() {
    let trainer = Trainer::new();
    let [walk, game, page] = ["walk", "game", "page.html"].map(|name| trainer.path(name));
    roughboard(&["reproduce", "td-random-walk", "--smoke", "--out", &walk]).ended(0);
    roughboard(&["match", "traditional", "random", "--games", "2", "--depth", "1", "--out", &game]).ended(0);
    for seed in ["1", "2"] {
        let arguments = ["bp", "--hidden", "4", "--passes", "1", "--curve-points", "2"];
        trainer.train(&arguments, &format!("bp-s{seed}"), &["--seed", seed]).ended(0);
    }
    let [one, two] = ["bp-s1", "bp-s2"].map(|name| trainer.path(name));
    let report = |runs: &[&str]| roughboard(&[&["report", "--force"], runs, &["--out", &page]].concat());
    let told = report(&[&walk, &game, &one, &two]).ended(0).stdout;
    assert!(told.contains("3 sections"), "{told}");
    let html = fs::read_to_string(&page).unwrap();
    for part in [
        "td-random-walk</h2>",
        "<th>entrant</th>",
        "<h2>Training</h2>",
        "<td>bp</td>",
        "bp, 2 seeds",
        "manifest.json</summary>",
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    assert!(html.matches("<svg").count() >= 5, "pictures");
    let outside = ["src=\"", "<link", "url(", "@import", " style="].iter().find(|part| html.contains(**part));
    assert_eq!(outside, None);
    assert_eq!(html.matches("<script>").count(), 1, "the page's own script");
    assert_eq!(html.matches("<script").count(), 2, "and the games of the match");
    // The answer stands before everything else.
    let first = html.find("<main>").unwrap();
    for part in
        ["traditional scored more than random", "figures, the lowest is rms error", "error on held-out games at"]
    {
        assert!(html.find(part).is_some_and(|at| at < first), "{part} is not at the top");
    }
    // Files that are not as they were written are named, and what may be left out is told from what may not.
    let words = ["Changed since the run finished", "Removed since the run finished", "Left out of the folder"];
    assert!(words.iter().all(|words| !html.contains(words)), "all files are there");
    fs::write(format!("{walk}/config.toml"), "changed").unwrap();
    fs::write(format!("{walk}/figure-3.svg"), "<svg id=\"forged\"/>").unwrap();
    fs::remove_file(format!("{game}/games.pgn.zst")).unwrap();
    fs::remove_file(format!("{game}/ends.csv")).unwrap();
    let page_of = |run: &str| {
        report(&[run]).ended(0);
        fs::read_to_string(&page).unwrap()
    };
    let (walked, played) = (page_of(&walk), page_of(&game));
    let notes = report(&[&walk, &game]).ended(0).stderr;
    assert!(notes.contains(": files were changed since the run finished: config.toml"), "{notes}");
    assert!(notes.contains(": files were removed since the run finished: ends.csv"), "{notes}");
    assert!(!walked.contains("forged"), "a changed picture is none of the run");
    assert!(walked.contains(words[0]) && walked.contains("<code>config.toml</code>"));
    assert!(words[1..].iter().all(|words| played.contains(words)) && !played.contains(words[0]));
    let left_out = played.split(words[2]).nth(1).unwrap().split("</p>").next().unwrap();
    assert!(left_out.contains("games.pgn.zst") && !left_out.contains("ends.csv"), "{left_out}");
    fs::remove_file(format!("{one}/net.safetensors")).unwrap();
    let note = report(&[&one]).ended(0).stderr;
    assert!(note.contains(": files were removed since the run finished: net.safetensors"), "{note}");
    let error = report(&[trainer.path("nothing").as_str()]).refusal();
    assert!(error.contains("is not the folder of a finished run: it holds no `manifest.json`"), "{error}");
}

/// An error says nothing beside one on other games, nor beside one of another aim.
#[test]
fn errors_on_different_games_are_not_ranked() {
    let trainer = Trainer::new();
    let [other, page] = ["other.pgn", "page.html"].map(|name| trainer.path(name));
    let generate = ["games", "generate", "self-play", "--games", "8", "--depth", "1", "--max-plies", "60"];
    roughboard(&[&generate[..], &["--seed", "2", "--out", &other]].concat()).ended(0);
    let bp = ["bp", "--passes", "1", "--curve-points", "2"];
    let from_teacher = ["--hidden", "4", "--target", "mix", "--result-share", "0.5", "--teacher", "traditional"];
    trainer.train(&bp, "small", &["--hidden", "4"]).ended(0);
    trainer.train(&bp, "large", &["--init", &trainer.path("small")]).ended(0);
    trainer.train(&bp, "more", &["--hidden", "4", "--games", &other]).ended(0);
    trainer.train(&bp, "mixed", &from_teacher).ended(0);
    // The seed says which games are held out.
    trainer.train(&bp, "seeded", &["--hidden", "4", "--seed", "2"]).ended(0);
    let report = |runs: &[&str]| {
        let runs: Vec<String> = runs.iter().map(|run| trainer.path(run)).collect();
        let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
        roughboard(&[&["report", "--force", "--out", &page], &runs[..]].concat()).ended(0);
        fs::read_to_string(&page).unwrap()
    };
    let ranking = "ended with the lowest error on held-out games of 2 ways of learning.";
    let html = report(&["small", "large", "more", "mixed"]);
    assert!(html.contains("Errors on 3 different sets of games or positions") && html.contains(ranking), "{html}");
    assert!(html.contains("<p>Mean squared error on held-out games at the end: more: "), "{html}");
    let html = report(&["large", "seeded"]);
    assert!(html.contains("Errors on 2 different sets of games or positions") && !html.contains(ranking), "{html}");
    let html = report(&["small", "large"]);
    assert!(!html.contains("different sets") && html.contains(ranking), "{html}");
}

/// The games on a page, of its first run.
fn games_of(page: &str) -> Value {
    let html = fs::read_to_string(page).unwrap();
    let data = html.split_once("id=\"games-1\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

#[test]
fn a_page_shows_games_of_a_match_with_boards_evaluations_and_rules() {
    let trainer = Trainer::new();
    let [game, page] = ["game", "page.html"].map(|name| trainer.path(name));
    roughboard(&["match", "traditional", "rough", "--games", "6", "--depth", "1", "--out", &game]).ended(0);
    let report = |games: &str| {
        roughboard(&["report", &game, "--force", "--games", games, "--out", &page]).ended(0);
        fs::read_to_string(&page).unwrap()
    };
    assert!(report("2").contains("2 of 6 games: "));
    let shown = games_of(&page);
    assert_eq!(shown["games"].as_array().unwrap().len(), 2);
    let first = &shown["games"][0];
    assert_eq!(first["start"].as_str().unwrap().len(), 90);
    let plies = first["moves"].as_array().unwrap();
    let (widest, gap) = (first["widest"][0].as_u64().unwrap() as usize, first["widest"][1].as_i64().unwrap());
    let expected = |ply: usize| plies[ply - 1]["v"].as_i64().unwrap();
    assert!((expected(widest) - expected(widest - 1)).abs() - gap <= 1, "both expect something for the first side");
    assert!(shown["games"][1]["widest"][1].as_i64().unwrap() <= gap, "the widest disagreement comes first");
    // The rough network says why.
    let names: Vec<&str> = first["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let n_rules = shown["rules"].as_array().unwrap().len() as u64;
    for ply in plies {
        let is_of_rough = names[ply["s"].as_u64().unwrap() as usize] == "rough";
        assert!(ply["r"].is_array() == is_of_rough && ply["r"][0].as_u64().is_none_or(|rule| rule < n_rules), "{ply}");
    }
    assert!(report("100").contains("All 6 games."));
    assert!(!report("0").contains("data-games=\""), "no games were asked for");
    // So it does with settings of its own, and under another name.
    let named = trainer.path("named");
    roughboard(&["match", "rough@depth=1", "rough@name=R", "--games", "2", "--depth", "1", "--out", &named]).ended(0);
    roughboard(&["report", &named, "--force", "--out", &page]).ended(0);
    let shown = games_of(&page);
    let plies = shown["games"][0]["moves"].as_array().unwrap();
    let speaks = |side: u64| plies.iter().any(|ply| ply["s"] == side && ply["r"].is_array());
    assert!(speaks(0) && speaks(1), "{plies:?}");
}

/// Two matches that are merged have no game between them: a page neither says who is first of all nor puts them on one scale.
#[test]
fn entrants_that_no_games_connect_are_told_of_group_by_group() {
    let trainer = Trainer::new();
    let [one, other, both, page] = ["one", "other", "both", "page.html"].map(|name| trainer.path(name));
    for (run, players) in [(&one, ["traditional", "random"]), (&other, ["rough", "traditional:material"])] {
        roughboard(&[&["match"], &players[..], &["--games", "4", "--depth", "1", "--quiet", "--out", run]].concat())
            .ended(0);
    }
    roughboard(&["match", "merge", &one, &other, "--out", &both]).ended(0);
    let report = || {
        roughboard(&["report", &both, "--force", "--out", &page]).ended(0);
        fs::read_to_string(&page).unwrap()
    };
    let html = report();
    assert!(html.contains(" of 2 entrants of group 1 in 4 games"));
    assert!(!html.contains("first of 4 entrants") && !html.contains("place of 4 entrants"));
    assert!(!html.contains("<h3>Ladder"), "of two there is no ladder");
    let group = |group: u8| {
        let row = |(name, elo): (&str, i32)| format!("{name}{group},{elo},{},{},{group},9,50\n", elo - 40, elo + 40);
        [("a", 90), ("b", 0), ("c", -90)].map(row).concat()
    };
    let head = "entrant,rating,rating_low,rating_high,rating_group,games,score\n";
    fs::write(format!("{both}/standings.csv"), [head, &group(1), &group(2)].concat()).unwrap();
    let html = report();
    for part in
        ["a1 (50.0 % of its points", "of 3 entrants of group 1", "Ladder of group 1</h3>", "Ladder of group 2</h3>"]
    {
        assert!(html.contains(part), "{part}");
    }
}

/// Whoever names a player writes into tables, pictures, records and sentences.
#[test]
fn hostile_names_stay_text() {
    let trainer = Trainer::new();
    let [game, page, entrants] = ["game", "page.html", "entrants.toml"].map(|name| trainer.path(name));
    let names = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>"];
    let text = names.map(|name| format!("[[entrant]]\nplayer = \"traditional\"\nname = '{name}'\n")).concat();
    fs::write(&entrants, text).unwrap();
    roughboard(&["match", "--entrants", &entrants, "--games", "2", "--depth", "1", "--out", &game]).ended(0);
    roughboard(&["report", &game, "--title", "</title><script>alert(3)</script>", "--out", &page]).ended(0);
    let html = fs::read_to_string(&page).unwrap();
    for part in ["<script>alert", "<img", "onerror=\"", "</title><script"] {
        assert!(!html.contains(part), "{part}");
    }
    assert_eq!(html.matches("<script").count(), 2);
    let shown = games_of(&page);
    let mut found: Vec<&str> =
        shown["games"][0]["names"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    found.sort_unstable_by_key(|name| !name.starts_with('<'));
    assert_eq!(found, names);
    let [odd, page] = ["odd", "odd.html"].map(|name| trainer.path(name));
    let players = ["traditional:e1", "traditional@name=|y`\\"];
    roughboard(&[&["match"], &players[..], &["--games", "2", "--depth", "1", "--out", &odd]].concat()).ended(0);
    roughboard(&["report", &odd, "--out", &page]).ended(0);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<li>entrants: |y`\\ is traditional</li>"));
    assert!(html.contains("<li>limits: traditional:e1: depth 1; |y`\\: depth 1</li>"));
}
