//! `match` and `games generate self-play` as a user calls them: openings used again, targets, ranges, duplicates and the journal.

use std::fs;
use std::path::Path;

use crate::command::{self, Files, assert_described, contents, roughboard};

const SELFPLAY: [&str; 10] =
    ["games", "generate", "self-play", "--depth", "1", "--max-plies", "30", "--evaluations", "--threads", "2"];

/// Plays `games` short games into `file`.
fn selfplay(file: &str, games: &str, more: &[&str]) {
    let arguments = [&SELFPLAY[..], &["--games", games, "--out", file], more].concat();
    let text = roughboard(&arguments).ended(0).stdout;
    assert!(text.starts_with(&format!("{games} game")) && text.contains(" written to "), "{text}");
}

/// Asserts that a command is refused with exactly this message.
fn refused(arguments: &[&str], message: &str) {
    assert_eq!(roughboard(arguments).refusal(), format!("error: {message}\n"), "{arguments:?}");
}

const MATCH: [&str; 5] = ["match", "traditional", "traditional", "--depth", "1"];

#[test]
fn few_openings_are_used_again_when_the_user_allows_it() {
    let files = Files::new();
    let (games, out) = (files.argument("games.pgn"), files.argument("match"));
    selfplay(&games, "2", &[]);
    let short = ["--max-plies", "16", "--games", "10", "--openings", &games, "--out", &out];
    let arguments = [&MATCH[..], &short].concat();
    command::refused(&arguments, &["too few openings: expected 5, found 3", "`--reuse-openings` plays them again"]);
    let reused = [&arguments[..], &["--reuse-openings", "--json"]].concat();
    let result = &roughboard(&reused).ended(0).json()["pairings"][0];
    let sum: u64 = ["won", "drawn", "lost"].iter().map(|key| result[key].as_u64().unwrap()).sum();
    assert_eq!(sum, 10);
    assert_described(&contents(Path::new(&out)));
    let openings = csv::Reader::from_path(Path::new(&out).join("games.csv")).unwrap().into_records();
    let openings: Vec<String> = openings.map(|row| row.unwrap()[2].to_owned()).collect();
    assert_eq!(openings, ["1", "1", "2", "2", "3", "3", "1", "1", "2", "2"]);
}

#[test]
fn a_target_that_cannot_be_written_is_refused_before_anything_is_computed() {
    let files = Files::new();
    let games = files.argument("games.pgn");
    selfplay(&games, "1", &[]);
    let (inside, missing) = (files.argument("missing/a.pgn"), files.argument("missing"));
    let here = files.folder.path().to_str().unwrap();
    // So many games that the test would not end if they were played first.
    let long_selfplay = ["games", "generate", "self-play", "--depth", "9", "--games", "10000000", "--out"];
    for command in [&long_selfplay[..], &["games", "convert", &games, "--out"]] {
        let no_folder = format!("cannot write file `{inside}`: `{missing}` is not a folder");
        refused(&[command, &[&inside]].concat(), &no_folder);
        refused(&[command, &[here]].concat(), &format!("cannot write file `{here}`: is a directory"));
    }
    let long_match = [&MATCH[..], &["--games", "10000000", "--reuse-openings", "--out"]].concat();
    for (target, words) in [(games.as_str(), "not a directory"), (here, "it holds `games")] {
        command::refused(&[&long_match[..], &[target]].concat(), &[words]);
    }
    assert_eq!(
        fs::read_dir(files.folder.path()).unwrap().count(),
        2,
        "a trace is left beside the games and their manifest"
    );
}

#[test]
fn numbers_out_of_range_are_refused_under_the_name_of_their_option() {
    let huge = usize::MAX.to_string();
    let files = Files::new();
    let out = files.argument("out.pgn");
    for (option, value, message) in [
        ("--games", "3", "`--games` must be even, as each opening is played with both colours, got 3".to_owned()),
        ("--games", "0", "`--games` must be in [2, 10000000], got 0".to_owned()),
        ("--games", "18446744073709551614", "`--games` must be in [2, 10000000], got 18446744073709551614".to_owned()),
        ("--hash", "100000000", "`--hash` must be in [0, 65536], got 100000000".to_owned()),
        ("--max-plies", "0", "`--max-plies` must be in [1, 10000], got 0".to_owned()),
        ("--max-plies", "10", "`--max-plies` must be above the 10 plies of opening 2, got 10".to_owned()),
        ("--opening-plies", "201", "`--opening-plies` must be in [0, 200], got 201".to_owned()),
        ("--depth", "65", "`--depth` must be in [1, 64], got 65".to_owned()),
        ("--nodes", "0", "`--nodes` must be at least 1, got 0".to_owned()),
    ] {
        let arguments = [&MATCH[..3], &[option, value, "--out", &out]].concat();
        refused(&arguments, &message);
    }
    for (option, value, range) in [
        ("--games", huge.as_str(), "in [1, 10000000]"),
        ("--games", "0", "in [1, 10000000]"),
        ("--random-plies", "201", "in [0, 200]"),
        ("--margin", "inf", "in [0, 2]"),
        ("--margin", "NaN", "in [0, 2]"),
        ("--max-plies", "10001", "in [1, 10000]"),
        ("--max-plies", "8", "above `--random-plies`,"),
        ("--depth", "0", "in [1, 64]"),
    ] {
        let range = if range.ends_with(',') { range.to_owned() } else { format!("{range},") };
        let arguments = ["games", "generate", "self-play", option, value, "--out", &out];
        refused(&arguments, &format!("`{option}` must be {range} got {value}"));
    }
}

#[test]
fn games_told_twice_are_counted_and_kept() {
    let folder = Files::new();
    let (one, other) = (folder.argument("one.pgn"), folder.argument("other.pgn"));
    selfplay(&one, "4", &[]);
    selfplay(&other, "3", &["--seed", "2"]);
    for (files, kept, duplicates) in [(vec![&one], 4, 0), (vec![&one, &other], 7, 0), (vec![&one, &other, &one], 11, 4)]
    {
        let files: Vec<&str> = files.into_iter().map(String::as_str).collect();
        let command = [&["games", "read"], &files[..]].concat();
        let account = roughboard(&[&command[..], &["--json"]].concat()).ended(0).json();
        assert_eq!((&account["kept"], &account["duplicates"]), (&kept.into(), &duplicates.into()));
        let text = roughboard(&command).ended(0).stdout;
        assert!(text.lines().any(|line| line == format!("duplicates  {duplicates} (kept)")), "{text}");
    }
}

#[test]
fn interrupted_selfplay_goes_on_to_the_same_bytes() {
    let files = Files::new();
    let [plain, out, journal] = ["plain.pgn", "out.pgn", "games.jsonl"].map(|name| files.argument(name));
    selfplay(&plain, "6", &[]);
    let expected = fs::read(&plain).unwrap();
    selfplay(&out, "6", &["--journal", &journal]);
    assert_eq!(fs::read(&out).unwrap(), expected, "a journal changes nothing");
    let whole = fs::read(&journal).unwrap();
    assert_eq!(whole.iter().filter(|&&byte| byte == b'\n').count(), 7);
    for cut in [0, 10, whole.len() / 2, whole.len() - 1, whole.len()] {
        fs::write(&journal, &whole[..cut]).unwrap();
        selfplay(&out, "6", &["--journal", &journal, "--force"]);
        assert_eq!(fs::read(&out).unwrap(), expected, "cut at byte {cut}");
        assert_eq!(fs::read(&journal).unwrap().iter().filter(|&&byte| byte == b'\n').count(), 7);
    }
    let other =
        [&SELFPLAY[..], &["--games", "6", "--seed", "9", "--journal", &journal, "--force", "--out", &out]].concat();
    let parts = ["belongs to another match or other games: ", "settings.seed: ", " before, 9 now"];
    command::refused(&other, &parts);
}

/// What a match of few short games prints.
fn told(more: &[&str]) -> String {
    let short = ["--games", "2", "--opening-plies", "4", "--max-plies", "8", "--quiet"];
    roughboard(&[&["match"], more, &short].concat()).ended(0).stdout
}

#[test]
fn the_limits_of_all_players_are_told_and_the_usual_depth_stands_aside() {
    for (options, limits) in [
        (&[][..], "depth 3"),
        (&["--nodes", "90"], "90 positions"),
        (&["--movetime", "2"], "2 ms a move"),
        (&["--tc", "9+0.5"], "clock 9+0.5 s"),
        (&["--depth", "2", "--nodes", "90"], "depth 2, 90 positions"),
    ] {
        let text = told(&[&["traditional", "random"], options].concat());
        assert!(text.starts_with(&format!("limits: traditional: {limits}\n")), "{text}");
        assert!(!text.contains("not equal"), "{text}");
    }
    let uneven = ["traditional@depth=1,name=near", "traditional@nodes=90,name=far"];
    let text = told(&uneven);
    let entrants = "entrants: near is traditional@depth=1; far is traditional@nodes=90\n";
    let limits = "limits: near: depth 1; far: 90 positions\nthe limits are not equal";
    assert!(text.starts_with(&format!("{entrants}{limits}")), "{text}");
    let answer: serde_json::Value = serde_json::from_str(&told(&[&uneven[..], &["--json"]].concat())).unwrap();
    assert_eq!(answer["limits"], serde_json::json!(["depth 1", "90 positions"]));
    assert_eq!(answer["equal_limits"], false);
    let files = Files::new();
    let out = files.argument("run");
    told(&["traditional", "random", "--depth", "1", "--out", &out]);
    for name in ["standings.csv", "tables.md"] {
        let text = fs::read_to_string(Path::new(&out).join(name)).unwrap();
        assert!(text.contains("depth 1"), "{name}: {text}");
    }
}

#[test]
fn of_an_engine_that_takes_one_limit_the_one_that_is_sent_is_told() {
    let engine =
        |protocol: &str| format!("engine:{} engine@name=own,protocol={protocol}", env!("CARGO_BIN_EXE_roughboard"));
    let limits = ["--depth", "2", "--nodes", "90"];
    let text = told(&[&["traditional", &engine("ucci")], &limits[..]].concat());
    let entrant = format!("entrants: own is engine:{} engine@protocol=ucci\n", env!("CARGO_BIN_EXE_roughboard"));
    let expected = "limits: traditional: depth 2, 90 positions; own: 90 positions\nthe limits are not equal";
    assert!(text.starts_with(&format!("{entrant}{expected}")), "{text}");
    let text = told(&[&["traditional", &engine("uci")], &limits[..]].concat());
    assert!(text.contains("depth 2, 90 positions") && !text.contains("not equal"), "{text}");
}

#[test]
fn who_plays_is_told_where_the_names_do_not_say_it() {
    for (entrants, line) in [
        (&["traditional", "traditional@futility=false", "--depth", "1"][..], "limits: "),
        (&["traditional", "traditional"], "entrants: traditional (2) is traditional"),
        (&["traditional@name=a,futility=false,hash=2", "random"], "entrants: a is traditional@hash=2,futility=false"),
        (&["traditional@name=a,simulations=3,c_puct=2", "random"], "entrants: a is traditional@simulations=3,c_puct=2"),
        (
            &["traditional", "random", "--hash", "2", "--search", "futility=false"],
            "entrants: traditional is traditional@transposition_mb=2,futility=false",
        ),
    ] {
        let text = told(entrants);
        assert!(text.starts_with(line), "{entrants:?}: {text}");
    }
    let files = Files::new();
    let run = files.argument("run");
    told(&["traditional@name=a,futility=false", "traditional@name=b", "--depth", "1", "--out", &run]);
    let entrants = "* entrants: a is traditional@futility=false; b is traditional\n";
    assert!(fs::read_to_string(Path::new(&run).join("tables.md")).unwrap().contains(entrants));
    // However it is entered, it is the same match.
    let again = ["traditional@futility=false,depth=1,name=a", "traditional@name=b,depth=1", "--out", &run, "--resume"];
    assert!(told(&again).starts_with("entrants: a is traditional@depth=1,futility=false; b is traditional@depth=1\n"));
    let error = roughboard(&[&["match"], &again[..], &["--games", "4"]].concat()).ended(2).stderr;
    assert!(error.contains("games") && !error.contains("entered_as"), "{error}");
}

#[test]
fn a_limit_that_no_entrant_goes_by_is_refused() {
    let idle = |option: &str| format!("`{option}` has no effect: no entrant goes by it; leave it out");
    for (entrants, option, value) in [
        (&["traditional", "random"][..], "--simulations", "50"),
        (&["traditional@depth=1,name=a", "traditional@depth=2,name=b"], "--depth", "4"),
        (&["traditional@simulations=3", "random"], "--nodes", "9"),
        (&["traditional@simulations=3", "random"], "--movetime", "9"),
        (&["traditional@simulations=3", "random"], "--hash", "9"),
        (&["traditional@simulations=3", "random"], "--search", "null_move=false"),
    ] {
        refused(&[&["match"], entrants, &[option, value]].concat(), &idle(option));
    }
    let message = "`--time-margin` has no effect without `--tc`: leave it out";
    refused(&["match", "traditional", "random", "--time-margin", "5"], message);
}

/// A match without a folder has a journal while it is played.
#[test]
fn moves_are_saved_at_a_pace_without_a_folder_too() {
    let text = told(&["traditional", "random", "--depth", "1", "--journal-moves", "0"]);
    assert!(text.starts_with("limits: traditional: depth 1\n"), "{text}");
}

/// Every kind of place where a search is set. In Connect6, whose turns are two stones, the same is no error.
#[test]
fn whole_turns_are_refused_where_turns_are_one_move() {
    let message = "`whole_turns` must be false in a game whose turns are one move, where it has no effect, got true";
    let solver = "`forced_win_nodes` must be 0 in a game without a solver of wins, got 9";
    refused(&["match", "traditional", "random", "--search", "forced_win_nodes=9"], solver);
    let of_entrant = format!("entrant `traditional`: {message}");
    refused(&["match", "traditional@whole_turns=true", "random"], &of_entrant);
    refused(&["match", "traditional", "random", "--search", "whole_turns=true"], message);
    let generated = ["games", "generate", "fixed-opponent", "--opponent", "material", "--out", "x.pgn"];
    refused(&[&generated[..], &["--opponent-search", "whole_turns=true"]].concat(), message);
    let small =
        ["match", "static@whole_turns=true", "random", "--games", "2", "--random-plies", "3", "--max-plies", "5"];
    roughboard(&[&small[..], &["--game", "connect6"]].concat()).ended(0);
}

#[test]
fn a_position_that_two_lists_have_is_refused() {
    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let files = Files::new();
    let (one, two) = (files.argument("one.fen"), files.argument("two.fen"));
    fs::write(&one, format!("{START}\n")).unwrap();
    fs::write(&two, format!("{}\n{START}\n", START.replace('w', "b"))).unwrap();
    let message = |list: &str, line: u32| format!("`{list}`, line {line}: the same position as in line 1 of `{one}`");
    refused(&[&MATCH[..], &["--games", "6", "--openings", &one, &two]].concat(), &message(&two, 2));
    let again = format!("`{one}`, line 1: the same position as in line 1");
    refused(&[&MATCH[..], &["--games", "4", "--openings", &one, &one]].concat(), &again);
}

#[test]
fn a_test_is_asked_for_once() {
    let error = roughboard(&[&MATCH[..], &["--sprt", "0", "10", "--sprt", "0", "20"]].concat()).ended(2).stderr;
    assert!(error.contains("cannot be used multiple times"), "{error}");
}

#[test]
fn plies_of_openings_that_are_not_drawn_are_refused() {
    for (start, value) in [("--openings", "one.epd"), ("--random-plies", "4")] {
        let with = if start == "--openings" { "--openings one.epd" } else { start };
        let message = format!("`--opening-plies` has no effect with `{with}`: leave it out");
        refused(&["match", "traditional", "random", "--opening-plies", "4", start, value], &message);
    }
}

#[test]
fn what_an_entrant_says_wrongly_of_itself_is_told() {
    let cut = "engine:x@option.Skill";
    let expected = "expected KEY=VALUE after `@`, found `option.Skill`; put an entrant with blanks in quotation marks";
    refused(&["match", "traditional", cut, "Level=-20"], &format!("entrant `{cut}`: {expected}"));
    refused(&["match", "rough@name=", "random"], "entrant `rough`: `name` must not be empty");
    let expected = "entrant `rough`: `name` must be one line without control characters";
    refused(&["match", "rough@name=a\nb", "random"], expected);
    let twice = "traditional@depth=1,killers=false,depth=2";
    refused(&["match", twice, "random"], &format!("entrant `{twice}`: expected `depth` once, found it twice"));
    let switches = "killers=false,killers=true";
    refused(&["match", "rough", "random", "--search", switches], "`killers` must be given once, got false and true");
    let table = ["match", "rough", "random", "--hash", "8", "--search", "transposition_mb=64"];
    refused(&table, "`--hash` must be given once, got 8 and 64");
    refused(
        &["match", "rough@hash=2,transposition_mb=4", "random"],
        "entrant `rough`: `transposition_mb` must be given once, got 2 and 4",
    );
    let error = roughboard(&["match", "traditional@dpeth=5", "random"]).refusal();
    let expected = "error: entrant `traditional`: there is no setting `dpeth` (did you mean `depth`?); \
                    there are name, depth, nodes, movetime, hash, simulations, ";
    assert!(error.starts_with(expected), "{error}");
    let known = "there are name, depth, nodes, movetime, protocol, patience, longest_move, option.NAME";
    let expected = format!("entrant `engine:x`: there is no setting `protcol` (did you mean `protocol`?); {known}");
    refused(&["match", "engine:x@protcol=uci", "random"], &expected);
    let expected = "entrant `engine:x`: hash, simulations and settings of a search are for evaluators and networks; \
                    an engine is set by option.NAME";
    refused(&["match", "engine:x@null_move=false", "random"], expected);
    let expected = "entrant `random` has no settings: it does not search";
    refused(&["match", "random@dpeth=5", "traditional"], expected);
}

#[test]
fn limits_of_time_that_more_games_than_cores_share_are_told_of() {
    let threads = std::thread::available_parallelism().unwrap().get() + 1;
    let [threads, games] = [threads, 2 * threads].map(|number| number.to_string());
    let many = ["--games", &games, "--random-plies", "1", "--reuse-openings", "--max-plies", "2"];
    let is_unfair = |threads: &str, more: &[&str]| {
        let players = ["match", "random", "traditional", "--depth", "1", "--hash", "0", "--threads", threads];
        let errors = roughboard(&[&players, &many[..], more].concat()).ended(0).stderr;
        errors.contains("so time limits are not fair: give at most `--threads ")
    };
    for (threads, more, expected) in [
        (threads.as_str(), &["--tc", "99"][..], true),
        (&threads, &["--movetime", "99"], true),
        (&threads, &[], false),
        ("1", &["--tc", "99"], false),
    ] {
        assert_eq!(is_unfair(threads, more), expected, "{threads} threads, {more:?}");
    }
}

#[test]
fn engines_of_one_program_are_told_apart_by_what_was_said_of_them() {
    let engine = |settings: &str| format!("engine:{} engine@{settings}", env!("CARGO_BIN_EXE_roughboard"));
    let [small, large] = ["option.Hash=1,protocol=uci", "nodes=20,option.Threads=1,option.Hash=2"].map(engine);
    let text = told(&[&small, &large]);
    assert!(text.contains("@Hash=1 - roughboard"), "{text}");
    assert!(text.contains("@nodes=20,Hash=2,Threads=1, 2 games"), "{text}");
}

#[test]
fn a_part_of_a_match_says_of_how_many_games_its_figures_are() {
    let files = Files::new();
    // So small a part that no pair falls into it.
    let part = ["--games", "8", "--random-plies", "2", "--shard", "1/1000000", "--out", &files.argument("run")];
    let players = ["match", "traditional", "random", "--depth", "1"];
    let text = roughboard(&[&players, &part[..]].concat()).ended(3).stdout;
    assert!(text.contains("\ntraditional - random, 0 of 8 games\n"), "{text}");
}

#[test]
fn results_without_spread_have_the_error_of_as_few_games() {
    // Both games of the only pair are called draws: 95 % sure, the score lies between 2.5 and 97.5 %.
    let text = told(&["traditional@nodes=90,name=a", "traditional@nodes=90,name=b"]);
    let error = text.lines().find(|line| line.starts_with("± %")).unwrap();
    assert!(text.contains("pairs by points 0 ½ 1 1½ 2") && error.ends_with(" 47.5"), "{text}");
}

#[test]
fn a_name_that_nobody_has_is_told_with_those_that_are_there() {
    let names = "; there are traditional, rough, bp, td, and networks by the paths of their files";
    for (entrant, advice) in [
        ("traditonal", format!(" (did you mean `traditional`?){names}")),
        ("static", format!("{names}; it is one of connect6: `--game connect6`")),
    ] {
        let expected = format!("there is no evaluator of xiangqi called `{entrant}`, and no such file{advice}");
        refused(&["match", entrant, "random"], &expected);
    }
    #[cfg(unix)]
    {
        let error = roughboard(&["match", "/bin/sh", "random"]).ended(2).stderr;
        assert!(error.ends_with("; if it is an engine, write engine:/bin/sh\n"), "{error}");
    }
    let error = roughboard(&["play", "chess"]).stderr;
    assert!(error.starts_with("error: `chess` is neither a game (xiangqi, "), "{error}");
}

#[test]
fn a_game_without_supplied_games_is_told_how_openings_are_made() {
    for (game, player) in [("surakarta", "material"), ("connect6", "static")] {
        let error = roughboard(&["match", "--game", game, player, "random", "--games", "4"]).ended(2).stderr;
        let expected = format!(
            "no games of {game} come with the program to draw openings from: make openings by `--random-plies`"
        );
        assert!(error.contains(&expected) && !error.contains("`--games`"), "{error}");
    }
}

/// Times stand in the records of games that depend on time, and in no others.
#[test]
fn records_tell_the_time_of_each_move_where_time_decides() {
    let files = Files::new();
    let records = |name: &str, options: &[&str]| {
        let out = files.argument(name);
        let short = ["--games", "2", "--max-plies", "14", "--quiet", "--out", &out];
        roughboard(&[&MATCH[..3], &short, options].concat()).ended(0);
        let games = files.argument(&format!("{name}.pgn"));
        roughboard(&["games", "convert", &format!("{out}/games.pgn.zst"), "--out", &games]);
        fs::read_to_string(games).unwrap()
    };
    let has_times = |text: &str| text.split('}').any(|part| part.ends_with('s') && part.contains(" {"));
    let clocks = records("clocks", &["--depth", "1", "--tc", "30+0.5"]);
    assert!(has_times(&clocks) && clocks.contains("[TimeControl \"30+0.5\"]"), "{clocks}");
    let movetime = records("movetime", &["--movetime", "2"]);
    assert!(has_times(&movetime) && !movetime.contains("TimeControl"), "{movetime}");
    let depth = records("depth", &["--depth", "1"]);
    assert!(!has_times(&depth) && !depth.contains("TimeControl") && depth.contains('{'), "{depth}");
}
