//! `report`: finished runs of every kind on one page.

use std::fs;

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
    for part in
        ["td-random-walk</h2>", "<th>entrant</th>", "<h2>Training</h2>", "bp, 2 seeds", "manifest.json</summary>"]
    {
        assert!(html.contains(part), "{part} is missing");
    }
    assert!(html.matches("<svg").count() >= 5, "pictures");
    let outside = ["src=", "<link", "<script", "url(http"].iter().find(|part| html.contains(**part));
    assert_eq!(outside, None);
    // Files that are not as they were written are named, and what may be left out is told from what may not.
    let words = ["Changed since the run finished", "Removed since the run finished", "Left out of the folder"];
    assert!(words.iter().all(|words| !html.contains(words)), "all files are there");
    fs::write(format!("{walk}/config.toml"), "changed").unwrap();
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
