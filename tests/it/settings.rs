//! Settings that are declared once: what follows from the declaration, and the tables of the documentation.
//!
//! `ROUGHBOARD_UPDATE=1` makes the test write the tables anew.

use std::path::Path;

use roughboard::arena::GenerationSettings;
use roughboard::search::SearchSettings;
use roughboard::search::mcts::MctsSettings;
use roughboard::search::mcts::single::SearcherSettings;
use roughboard::settings::{Kind, Leaf, Settings, leaves};
use serde::{Deserialize, Serialize};

roughboard::choices! {
    /// What is seen first.
    enum Glance = Near {
        /// What is near.
        Near,
        /// What is far away.
        FarAway,
    }
}

roughboard::settings! {
    /// The settings that this test declares. To add one is to add its two lines here.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Sight {
        /// Plies to look ahead.
        depth: u32 = 4, in 1..=64;
        /// What is looked at first.
        glance: Glance = Glance::Near, as "look";
        /// Points to look at.
        points: Vec<usize> = vec![1, 2], in ..=90;
    }
}

roughboard::settings! {
    /// Settings that hold others.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Observer {
        /// How it looks.
        sight: Sight = Sight::default();
        /// Whether it sleeps.
        sleeps: bool = false;
    }
}

#[test]
fn what_is_declared_once_is_known_everywhere() {
    let far = Observer::default().with("sleeps=true,sight.depth=7,sight.glance=far-away").unwrap();
    let file = "sleeps = true\n[sight]\ndepth = 7\nglance = \"far-away\"\n";
    assert_eq!(toml::from_str::<Observer>(file).unwrap(), far);
    assert_eq!(far.sight.get("depth").unwrap(), "7");
    assert_eq!(serde_json::to_string(&far.sight).unwrap(), r#"{"depth":7,"glance":"far-away","points":[1,2]}"#);
    let known: Vec<_> = leaves::<Observer>().into_iter().map(|leaf| (leaf.path, leaf.option)).collect();
    let expected =
        [("sight.depth", "depth"), ("sight.glance", "look"), ("sight.points", "points"), ("sleeps", "sleeps")];
    assert_eq!(known, expected.map(|(path, option)| (path.to_owned(), option.to_owned())));
    assert!(table::<Observer>().contains("| `sight.depth` | 4 | in [1, 64] | Plies to look ahead |\n"));
}

#[test]
fn messages_say_what_was_given_and_what_is_allowed() {
    let refused = |list: &str| Observer::default().with(list).unwrap_err().to_string();
    assert_eq!(refused("sight.depth=0"), "`sight.depth` must be in [1, 64], got 0");
    assert_eq!(refused("sight.depth=x"), "`sight.depth` must be a whole number in [1, 64], got x");
    assert_eq!(refused("sight.glance=up"), "`sight.glance` must be one of near, far-away, got up");
    assert_eq!(refused("sleep=1"), "there is no setting `sleep` (did you mean `sleeps`?); there are sight, sleeps");
    assert_eq!(refused("sleeps"), "expected `name=value`, got `sleeps`");
    assert_eq!(refused("sight.depth=1,sleeps=true,sight.depth=2"), "`sight.depth` must be given once, got 1 and 2");
    let far = Observer { sight: Sight { points: vec![3, 91], ..Sight::default() }, sleeps: false };
    assert_eq!(far.check().unwrap_err().to_string(), "`sight.points` must be at most 90, got 3,91");
}

/// The cap on plies must be above those that are drawn: 5 is below the usual number of these.
#[test]
fn what_is_set_together_fits_together_in_any_order() {
    let set = |list: &str| GenerationSettings::default().with(list);
    let few = set("adjudication.max_plies=5,random_plies=2").unwrap();
    assert_eq!((few.random_plies, few.adjudication.max_plies), (2, 5));
    assert_eq!(set("random_plies=2,adjudication.max_plies=5").unwrap(), few);
    let alone = set("adjudication.max_plies=5").unwrap_err().to_string();
    assert_eq!(alone, "`adjudication.max_plies` must be above `random_plies`, got 5");
    // The first of several is named.
    assert_eq!(set("random_plies=201,games=0").unwrap_err().to_string(), "`random_plies` must be in [0, 200], got 201");
}

/// The settings as a table of Markdown.
fn table<T: Settings + Default>() -> String {
    let values = |leaf: &Leaf| match &leaf.setting.kind {
        Kind::Choice(choices) => {
            choices.iter().map(|choice| format!("`{}`", choice.name)).collect::<Vec<_>>().join(", ")
        }
        _ => leaf.setting.bounds.to_string(),
    };
    let row = |leaf: Leaf| {
        let meaning = leaf.setting.doc.trim().trim_end_matches('.').replace('|', "\\|");
        format!("| `{}` | {} | {} | {meaning} |\n", leaf.path, leaf.default, values(&leaf))
    };
    let head = "| setting | usual | values | meaning |\n|---|---|---|---|\n".to_owned();
    leaves::<T>().into_iter().map(row).fold(head, |text, row| text + &row)
}

#[test]
fn the_tables_of_the_documentation_are_those_of_the_settings() {
    for (file, name, table) in [
        ("search.md", "SearchSettings", table::<SearchSettings>()),
        ("mcts.md", "MctsSettings", table::<MctsSettings>()),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let (begin, end) = (format!("<!-- settings: {name} -->\n"), "<!-- end of settings -->\n");
        let (before, rest) = text.split_once(&begin).unwrap();
        let (found, after) = rest.split_once(end).unwrap();
        if std::env::var_os("ROUGHBOARD_UPDATE").is_some() {
            std::fs::write(&path, format!("{before}{begin}{table}{end}{after}")).unwrap();
        } else {
            assert_eq!(found, table, "{file}: ROUGHBOARD_UPDATE=1 writes the table anew");
        }
    }
}

#[test]
fn defaults_can_be_what_they_are() {
    SearchSettings::default().check().unwrap();
    SearcherSettings::default().check().unwrap();
}
