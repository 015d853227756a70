//! What is kept of work that was told to end, and that own files notice what became of them: `docs/reliability.md`.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::book_cli::small_book;
use crate::command::{Files, Mortal, contents, make_pipe, names_in, roughboard};
use crate::training_runs::Trainer;

const PROGRAM: &str = env!("CARGO_BIN_EXE_roughboard");

const LONG_MATCH: &str = "match traditional random --games 6000 --depth 2 --max-plies 30 --quiet --threads 1";

/// Begins the command `words` in `folder`, waits until `is_due`, sends it `signal` and gives what it ends with.
#[cfg(unix)]
fn ended_by(signal: &str, words: &str, folder: &Path, is_due: impl Fn() -> bool) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(words.split(' ')).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Mortal(command.spawn().unwrap());
    while !is_due() {
        assert!(child.0.try_wait().unwrap().is_none(), "{words} ended before it was told to");
        std::thread::sleep(Duration::from_millis(2));
    }
    tell(&child, signal);
    let status = child.0.wait().unwrap();
    let read = |stream: &mut dyn Read| {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        bytes
    };
    let stdout = read(child.0.stdout.as_mut().unwrap());
    Output { status, stdout, stderr: read(child.0.stderr.as_mut().unwrap()) }
}

#[cfg(unix)]
fn tell(child: &Mortal, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.0.id().to_string()]).status().unwrap().success());
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// A scheduler sends SIGTERM, a terminal that goes away SIGHUP: both are told from a crash, and say how to go on.
#[cfg(unix)]
#[test]
fn every_signal_that_ends_a_run_is_answered_with_last_words() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let files = Files::new();
        let journal = files.path("run/journal.jsonl");
        let ended = ended_by(signal, &format!("{LONG_MATCH} --out run"), files.folder.path(), || lines(&journal) > 2);
        let told = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(code), "{told}");
        assert!(told.contains("stopped: games that ended are kept in `run`; to go on: `roughboard match "), "{told}");
    }
}

/// Commands that keep nothing, and those that have not come to what they keep: here they wait for an input.
#[cfg(unix)]
#[test]
fn commands_that_have_kept_nothing_say_so_when_they_are_ended() {
    let files = Files::new();
    for name in ["pipe.safetensors", "pipe.toml", "pipe.pgn"] {
        make_pipe(&files.path(name));
    }
    for words in [
        "quantise pipe.safetensors --bits 16 --out small.safetensors",
        "inspect pipe.safetensors",
        "match --entrants pipe.toml",
        "train bp --games pipe.pgn --out run",
    ] {
        let since = std::time::Instant::now();
        let ended = ended_by("-TERM", words, files.folder.path(), || since.elapsed() > Duration::from_secs(1));
        let told = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(143), "{words}: {told}");
        let expected = "stopped: nothing was kept to continue from: the same command starts from the beginning";
        assert!(told.contains(expected), "{words}: {told}");
    }
}

/// Its folder says which run it is of, so that it begins again by `--resume`.
#[cfg(unix)]
#[test]
fn an_experiment_that_keeps_nothing_on_the_way_says_so() {
    let files = Files::new();
    let words = "reproduce sprt-simulation --set tests=10000000 --quiet --out run";
    let run = files.path("run");
    let ended = ended_by("-INT", words, files.folder.path(), || run.exists());
    let told = String::from_utf8(ended.stderr).unwrap();
    let expected = format!("stopped: nothing was kept to continue from; to start again: `roughboard {words} --resume`");
    assert!(ended.status.code() == Some(130) && told.contains(&expected), "{told}");
}

/// A table of `n` pairs of attributes, of which a reduct takes one each.
fn table_of_pairs(n: usize) -> String {
    let row = |set: Option<usize>| {
        let values: String = (0..2 * n).map(|at| if set == Some(at / 2) { "1," } else { "0," }).collect();
        format!("{values}{}\n", set.is_some())
    };
    let header: String = (0..2 * n).map(|at| format!("a{at},")).collect();
    format!("{header}d\n{}", std::iter::once(None).chain((0..n).map(Some)).map(row).collect::<String>())
}

/// Begins a search for reducts in `folder`, tells it to stop when its answer begins to appear, and takes the rest of it when it has heard.
#[cfg(unix)]
fn told_while_it_answers(options: &str, folder: &Path) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(["rough", "reducts", "pairs.csv", "--decision", "d"]).args(options.split(' ')).current_dir(folder);
    let mut child = Mortal(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let mut answer = child.0.stdout.take().unwrap();
    let mut stdout = vec![0];
    answer.read_exact(&mut stdout).unwrap();
    tell(&child, "-INT");
    let mut heard = BufReader::new(child.0.stderr.take().unwrap());
    let mut stderr = String::new();
    while !stderr.contains("ending the search") {
        assert!(heard.read_line(&mut stderr).unwrap() > 0, "{stderr}");
    }
    answer.read_to_end(&mut stdout).unwrap();
    heard.read_to_string(&mut stderr).unwrap();
    Output { status: child.0.wait().unwrap(), stdout, stderr: stderr.into() }
}

/// The answer is longer than a pipe holds, so that the program waits in the midst of it. The search is over when the answer begins, but
/// where reducts are printed as they are found.
#[cfg(unix)]
#[test]
fn a_search_for_reducts_that_is_told_to_stop_says_whether_its_answer_is_complete() {
    let files = Files::new();
    files.write("pairs.csv", table_of_pairs(12));
    let whole = told_while_it_answers("--json", files.folder.path());
    let json: serde_json::Value = serde_json::from_slice(&whole.stdout).unwrap();
    assert_eq!((whole.status.code(), &json["count"], &json["complete"]), (Some(0), &4096.into(), &true.into()));
    files.write("pairs.csv", table_of_pairs(60));
    let part = told_while_it_answers("--stream", files.folder.path());
    let text = String::from_utf8(part.stderr).unwrap();
    assert_eq!(part.status.code(), Some(3));
    assert!(text.ends_with(" reducts (positive, a limit was reached, there may be more)\n"), "{text}");
}

/// A baseline has no `--resume`.
#[cfg(unix)]
#[test]
fn last_words_name_options_that_the_command_has() {
    let files = Files::new();
    let games = files.path("games.pgn").display().to_string();
    roughboard(&["games", "generate", "random", "--games", "300", "--max-plies", "100", "--quiet", "--out", &games])
        .ended(0);
    let words = "train baseline --model logistic --one-hot --games games.pgn --quiescent --judgements kept.jsonl --quiet --out run";
    let kept = files.path("kept.jsonl");
    let ended = ended_by("-TERM", words, files.folder.path(), || lines(&kept) > 1);
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("kept in `kept.jsonl`; to go on: `roughboard train baseline "), "{told}");
    assert!(!told.contains("--resume"), "{told}");
}

/// A command that has no `--resume` finds the file to write there again.
#[cfg(unix)]
#[test]
fn last_words_repeat_that_a_file_may_be_replaced() {
    let files = Files::new();
    files.write("old.pgn", "old");
    let words =
        "games generate self-play --games 6000 --depth 2 --max-plies 30 --threads 1 --quiet --out old.pgn --force";
    let journal = files.path("old.pgn.journal.jsonl");
    let ended = ended_by("-TERM", words, files.folder.path(), || lines(&journal) > 2);
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains(&format!("to go on: `roughboard {words}`")), "{told}");
    assert_eq!(fs::read_to_string(files.path("old.pgn")).unwrap(), "old");
}

/// What `nohup` starts lives on when the terminal goes away.
#[cfg(unix)]
#[test]
fn a_signal_that_the_starter_ignores_is_ignored() {
    let files = Files::new();
    let script = format!("trap '' HUP; exec '{PROGRAM}' {} --out run", LONG_MATCH.replace("6000", "8"));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(files.folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = Mortal(command.spawn().unwrap());
    while lines(&files.path("run/journal.jsonl")) < 2 {
        std::thread::sleep(Duration::from_millis(2));
    }
    tell(&child, "-HUP");
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_match_without_a_folder_keeps_its_games_until_it_is_over() {
    let files = Files::new();
    let few = LONG_MATCH.replace("6000", "40");
    let run =
        |words: &str| Command::new(PROGRAM).args(words.split(' ')).current_dir(files.folder.path()).output().unwrap();
    let whole = run(&format!("{few} --json"));
    assert!(contents(files.folder.path()).is_empty(), "nothing is left of a match that is over");
    let journal = || names_in(files.folder.path()).into_iter().find(|name| name.ends_with(".journal.jsonl"));
    let has_games = || journal().is_some_and(|name| lines(&files.path(&name)) > 3);
    let ended = ended_by("-TERM", &format!("{few} --json"), files.folder.path(), has_games);
    let (told, name) = (String::from_utf8(ended.stderr).unwrap(), journal().unwrap());
    let expected = format!("stopped: games that ended are kept in `{name}`; to go on: `roughboard {few} --json`");
    assert!(ended.status.code() == Some(143) && told.contains(&expected), "{told}");
    let again = run(&format!("{few} --json"));
    let note = String::from_utf8(again.stderr).unwrap();
    assert!(note.contains(&format!(" games are taken from `{name}`, where an earlier run left them")), "{note}");
    assert_eq!(String::from_utf8(again.stdout), String::from_utf8(whole.stdout));
    assert!(contents(files.folder.path()).is_empty());
}

/// The games are there until all that was asked for is written.
#[cfg(unix)]
#[test]
fn a_match_whose_games_cannot_be_written_in_the_end_keeps_them() {
    let files = Files::new();
    let few = format!("{} --pgn games.pgn", LONG_MATCH.replace("6000", "200"));
    let mut command = Command::new(PROGRAM);
    command.args(few.split(' ')).current_dir(files.folder.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = Mortal(command.spawn().unwrap());
    let journal = || names_in(files.folder.path()).into_iter().find(|name| name.ends_with(".journal.jsonl"));
    while journal().is_none_or(|name| lines(&files.path(&name)) < 3) {
        assert!(child.0.try_wait().unwrap().is_none(), "it ended before its file was made impossible");
        std::thread::sleep(Duration::from_millis(2));
    }
    tell(&child, "-STOP");
    fs::create_dir(files.path("games.pgn.partial")).unwrap();
    tell(&child, "-CONT");
    let mut told = String::new();
    child.0.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    let name = journal().unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(2), "{told}");
    assert!(
        told.contains("games.pgn") && told.contains(&format!("note: games that ended are kept in `{name}`")),
        "{told}"
    );
    fs::remove_dir(files.path("games.pgn.partial")).unwrap();
    let again = Command::new(PROGRAM).args(few.split(' ')).current_dir(files.folder.path()).output().unwrap();
    let note = String::from_utf8(again.stderr).unwrap();
    assert!(note.contains(&format!("note: 200 games are taken from `{name}`")), "{note}");
    assert_eq!(names_in(files.folder.path()), ["games.pgn"]);
}

/// And until the answer is given, too.
#[cfg(target_os = "linux")]
#[test]
fn a_match_whose_answer_cannot_be_told_keeps_its_games() {
    let files = Files::new();
    let few = LONG_MATCH.replace("6000", "20");
    let run = |out: Stdio| {
        Command::new(PROGRAM).args(few.split(' ')).current_dir(files.folder.path()).stdout(out).output().unwrap()
    };
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (ended, names) = (run(full.into()), || names_in(files.folder.path()));
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{told}");
    let [name] = &names()[..] else { panic!("{told}: {:?}", names()) };
    assert!(told.contains(&format!("games that ended are kept in `{name}`")), "{told}");
    let note = String::from_utf8(run(Stdio::null()).stderr).unwrap();
    assert!(note.contains(&format!("note: 20 games are taken from `{name}`")), "{note}");
    assert!(names().is_empty());
}

/// The searches of the teacher are most of the work of such a training, and are there before its folder is.
#[cfg(unix)]
#[test]
fn searches_for_targets_are_kept_without_being_asked() {
    let trainer = Trainer::of_uneven_games();
    let words = "train bp --games games.pgn --hidden 2 --passes 1 --target search --teacher-depth 3 --quiet --threads 1 --out run";
    let (folder, kept) = (trainer.files.folder.path(), trainer.files.path("run.judgements.partial"));
    let ended = ended_by("-TERM", words, folder, || lines(&kept) > 3);
    let told = String::from_utf8(ended.stderr).unwrap();
    let expected =
        "stopped: what the teacher said of games is kept in `run.judgements.partial`; to go on: `roughboard train bp ";
    assert!(told.contains(expected) && told.contains(" --resume`"), "{told}");
    let before = fs::read_to_string(&kept).unwrap();
    let again = ended_by("-KILL", &format!("{words} --resume"), folder, || lines(&kept) > before.lines().count());
    assert_eq!(again.status.code(), None);
    assert!(fs::read_to_string(&kept).unwrap().starts_with(&before), "what was judged is not judged again");
    let run = |words: &str| Command::new(PROGRAM).args(words.split(' ')).current_dir(folder).output().unwrap();
    assert_eq!(run(&format!("{words} --resume")).status.code(), Some(0));
    assert!(!kept.exists());
    assert_eq!(run(&words.replace("--out run", "--out whole")).status.code(), Some(0));
    assert!(contents(&trainer.files.path("run")) == contents(&trainer.files.path("whole")));
}

/// Ctrl-C ends a long search as time does: what was found is the answer.
#[cfg(unix)]
#[test]
fn a_search_for_reducts_that_is_told_to_stop_gives_what_it_has_found() {
    let files = Files::new();
    // An object of the one decision, and thirty of the other, each told from it by two attributes of its own: 2³⁰ reducts.
    let row = |object: usize| {
        let cells: Vec<&str> = (0..60).map(|attribute| if attribute / 2 + 1 == object { "1" } else { "0" }).collect();
        format!("{},{}\n", cells.join(","), if object == 0 { "x" } else { "y" })
    };
    let head: Vec<String> = (0..60).map(|number| format!("a{number}")).collect();
    files.write("t.csv", format!("{},d\n{}", head.join(","), (0..=30).map(row).collect::<String>()));
    let since = std::time::Instant::now();
    let ended =
        ended_by("-INT", "rough reducts t.csv --decision d --limit 100000000 --count", files.folder.path(), || {
            since.elapsed() > Duration::from_millis(1500)
        });
    let (found, told) = (String::from_utf8(ended.stdout).unwrap(), String::from_utf8(ended.stderr).unwrap());
    assert_eq!(ended.status.code(), Some(3), "{told}");
    assert!(told.contains("ending the search with what it has found"), "{told}");
    assert!(found.contains("a limit was reached, there may be more"), "{found}");
}

/// Changes one bit of `path` after another, a `step` of bits apart, and runs `arguments` on each: the answer is the same, or one line
/// of refusal that names `name`. How often it was refused.
fn refusals_of_changed_bits(path: &Path, step: usize, arguments: &[&str], name: &str) -> usize {
    let whole = fs::read(path).unwrap();
    let expected = roughboard(arguments).ended(0).stdout;
    let mut refused = 0;
    for bit in (0..8 * whole.len()).step_by(step) {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(path, changed).unwrap();
        let run = roughboard(arguments);
        if run.code == 0 {
            assert_eq!(run.stdout, expected, "bit {bit}");
        } else {
            let error = run.refusal();
            assert!(error.contains(name), "bit {bit}: {error}");
            refused += 1;
        }
    }
    fs::write(path, whole).unwrap();
    refused
}

#[test]
fn a_bit_that_changes_in_a_network_or_a_book_changes_no_answer() {
    let trainer = Trainer::of_uneven_games();
    trainer.train(&["bp"], "run", &["--hidden", "2", "--passes", "1", "--curve-points", "1"]).ended(0);
    let [file, small] = ["run/net", "small"].map(|name| trainer.files.path(&format!("{name}.safetensors")));
    let [file, small] = [&file, &small].map(|path| path.to_str().unwrap());
    roughboard(&["quantise", file, "--bits", "16", "--out", small]).ended(0);
    for net in [file, small] {
        let step = 8 * fs::metadata(net).unwrap().len() as usize / 30 + 1;
        let refused =
            refusals_of_changed_bits(Path::new(net), step, &["eval", "--evaluator", net, "--json"], ".safetensors");
        assert!(refused > 25, "{refused} of 30");
    }
    let (_files, book) = small_book();
    refusals_of_changed_bits(Path::new(&book), 2411, &["book", "show", &book, "--json"], "book.db");
    // A count, of which any number could be right.
    let database = rusqlite::Connection::open(&book).unwrap();
    database.execute_batch("UPDATE moves SET wins = wins + 1, games = games + 1").unwrap();
    drop(database);
    let error = roughboard(&["book", "info", &book]).refusal();
    assert!(error.contains("book.db`: it was changed or damaged since it was written"), "{error}");
}

#[test]
fn a_bit_that_changes_in_a_journal_costs_its_game_and_nothing_else() {
    let files = Files::new();
    let [whole, out, journal] =
        ["whole.pgn", "out.pgn", "games.jsonl"].map(|name| files.path(name).display().to_string());
    let way = "games generate self-play --games 6 --depth 1 --max-plies 12 --quiet --threads 1 --force --out";
    let make = |out: &str| {
        let more = ["--journal", &journal];
        roughboard(&way.split(' ').chain([out]).chain(more).collect::<Vec<_>>())
    };
    make(&whole).ended(0);
    let text = fs::read(&journal).unwrap();
    let ends: Vec<usize> = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at).collect();
    for (line, part) in ends.windows(2).enumerate() {
        // A digit of the nodes, a move, a letter of a comment: whatever stands there.
        let at = part[0] + 1 + (part[1] - part[0]) * (line + 1) / 7;
        let mut changed = text.clone();
        changed[at] ^= 1;
        fs::write(&journal, changed).unwrap();
        let told = make(&out).ended(0).stderr;
        let expected = format!("line {} is not a record of a game and is left out", line + 2);
        assert!(told.contains(&expected), "{told}");
        assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    }
}

#[test]
fn a_bit_that_changes_in_a_state_is_noticed() {
    let trainer = Trainer::of_uneven_games();
    let run = trainer.files.path("run");
    let options = ["--hidden", "2", "--passes", "400", "--curve-points", "4", "--threads", "1"];
    let words = ["train", "bp", "--games", &trainer.games, "--out", run.to_str().unwrap()];
    let state = run.join(".resume/checkpoint");
    {
        let _killed = Mortal::begin(&words.iter().chain(&options).map(|&word| word.to_owned()).collect::<Vec<_>>());
        while !state.exists() {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    let mut bytes = fs::read(&state).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&state, bytes).unwrap();
    let error = trainer.train(&["bp"], "run", &[&options[..], &["--resume"]].concat()).ended(2).stderr;
    let expected = "checkpoint` is broken: it was changed or damaged since it was written";
    assert!(error.contains(expected), "{error}");
}
