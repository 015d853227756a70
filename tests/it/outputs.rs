//! What commands write: never over what is there or what they read, unless that is asked for; whole files in known formats; exit
//! codes; and games that are not lost.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::command::{Files, contents, roughboard};

/// Commands that write, each up to the path: none of them has anything to work on but a table, so that all are refused before their
/// work or for lack of it.
const WRITERS: [(&str, &str); 35] = [
    ("rough info TABLE --out", "x.txt"),
    ("rough classes TABLE --decision species --out", "x.json"),
    ("rough approx TABLE --decision species --out", "x.txt"),
    ("rough significance TABLE --decision species --out", "x.txt"),
    ("rough core TABLE --decision species --out", "x.txt"),
    ("rough reduct TABLE --decision species --out", "x.json"),
    ("rough reduct TABLE --decision species --certificate", "x.json"),
    ("rough reducts TABLE --decision species --out", "x.json"),
    ("rough rules TABLE --decision species --out", "x.csv"),
    ("rough predict missing.json TABLE --out", "x.csv"),
    ("rough verify TABLE missing.json --out", "x.txt"),
    ("rough classify TABLE --decision species --predictions", "x.csv"),
    ("rough classify TABLE --decision species --out", "x.txt"),
    ("rough classify TABLE --decision species --save", "x.json"),
    ("rough discretize TABLE --decision species --method md --out", "x.parquet"),
    ("rough discretize TABLE --decision species --method md --save-cuts", "x.json"),
    ("games convert missing.pgn --out", "x.pgn.zst"),
    ("games import missing.pgn --out", "x.pgn"),
    ("games import missing.pgn --out new.pgn --positions", "x.parquet"),
    ("games import missing.pgn --out new.pgn --account", "x.csv"),
    ("games mates missing.pgn --out", "x.json"),
    ("games generate random --games 10000000 --out", "x.pgn.gz"),
    ("games generate self-play --games 10000000 --out", "x.pgn"),
    ("table build --games missing.pgn --out", "x.tsv"),
    ("book build missing.pgn --out", "x.db"),
    ("book merge missing.db missing.db --out", "x.db"),
    ("endings table --out", "x.json"),
    ("threats --proof", "x.txt"),
    ("train tables --games missing.pgn --out", "x.json"),
    ("train td --games missing.pgn --play self --out run --save-games", "x.pgn"),
    ("quantise missing --bits 8 --out", "x.safetensors"),
    ("export onnx missing --out", "x.onnx"),
    ("plot curves missing --out", "x.svg"),
    ("report missing --out", "x.html"),
    ("play surakarta --record", "x.pgn"),
];

const TABLE: &str = "a,b,species\n1,5,x\n2,6,y\n3,5,x\n4,6,x\n";

/// The words of a command, `TABLE` standing for `table`, and the path behind them.
fn words<'a>(command: &'a str, table: &'a str, path: &'a str) -> Vec<&'a str> {
    command.split(' ').map(|word| if word == "TABLE" { table } else { word }).chain([path]).collect()
}

#[test]
fn no_command_writes_over_a_file() {
    let files = Files::new();
    let table = files.write("table.csv", TABLE);
    for (command, name) in WRITERS {
        let path = files.write(name, "precious");
        let error = roughboard(&words(command, table.to_str().unwrap(), path.to_str().unwrap())).refusal();
        let expected = format!("`{}` exists: expected a new file; `--force` replaces it", path.display());
        assert!(error.contains(&expected), "{command}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious", "{command}");
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(contents(files.folder.path()).len(), 1, "a trace is left");
}

#[test]
fn endings_that_stand_for_nothing_are_refused_with_those_that_do() {
    let files = Files::new();
    let table = files.write("table.csv", TABLE);
    for (command, _) in WRITERS {
        let path = files.path("x.docx");
        let error = roughboard(&words(command, table.to_str().unwrap(), path.to_str().unwrap())).refusal();
        assert!(error.contains("x.docx`: expected a name ending in ."), "{command}: {error}");
        let error = roughboard(&words(command, table.to_str().unwrap(), "-")).refusal();
        let expected = "cannot write `-`: expected the name of a file, not standard output";
        assert!(error.contains(expected), "{command}: {error}");
    }
    let path = files.argument("games.csv");
    let error = roughboard(&["games", "convert", "missing.pgn", "--out", &path]).refusal();
    assert!(error.contains("expected a name ending in .pgn, .pgn.gz, .pgn.zst or .pgn.xz"), "{error}");
}

/// The commands below `command`, by the help of each.
fn commands(command: &[String]) -> Vec<Vec<String>> {
    let help = help(command);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.map(|line| line.split_whitespace().next().unwrap()).filter(|name| *name != "help");
    let below: Vec<_> = names.flat_map(|name| commands(&[command, &[name.to_owned()]].concat())).collect();
    if below.is_empty() { vec![command.to_vec()] } else { below }
}

fn help(command: &[String]) -> String {
    let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    roughboard(&words).ended(0).stdout
}

#[test]
fn every_command_that_writes_takes_force() {
    let all = commands(&[]);
    assert!(all.len() > 40, "{}", all.len());
    for command in all {
        let help = help(&command);
        assert!(!help.contains("--out ") || help.contains("--force"), "{command:?}");
    }
}

#[test]
fn what_is_read_is_never_written() {
    let files = Files::new();
    let table = files.write("table.csv", TABLE);
    fs::create_dir(files.path("sub")).unwrap();
    let spelled = files.path("sub/../table.csv");
    let mut names = vec![table.clone(), spelled];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&table, files.path("link.csv")).unwrap();
        fs::hard_link(&table, files.path("hard.csv")).unwrap();
        names.extend(["link.csv", "hard.csv"].map(|name| files.path(name)));
    }
    let refused = |arguments: &[&str], words: &str| {
        let error = roughboard(&[arguments, &["--force"]].concat()).refusal();
        assert!(error.contains(words), "{arguments:?}: {error}");
        assert_eq!(fs::read_to_string(&table).unwrap(), TABLE);
    };
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let source = text(&table);
    let discretize = ["rough", "discretize", &source, "--decision", "species", "--method", "md"];
    for name in &names {
        refused(&[&discretize[..], &["--out", &text(name)]].concat(), "is to be read and written");
    }
    // One of several inputs, a file in a folder that is read, and two outputs of one name.
    let games = files.write("games.pgn", "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n");
    let (games, folder) = (text(&games), text(files.folder.path()));
    refused(&["games", "convert", "missing.pgn", &games, "--out", &games], "is to be read and written");
    for out in [&games, &text(&files.path("other.pgn"))] {
        refused(&["games", "convert", &folder, "--out", out], "is in the folder");
    }
    let new = text(&files.path("new.csv"));
    let import = ["games", "import", &games, "--out", &new, "--account", &new];
    refused(&import, "are one file: expected two to write");
    assert!(!Path::new(&new).exists() && fs::read(&games).unwrap().starts_with(b"[Result"));
}

#[test]
fn nothing_new_is_written_into_a_folder_that_is_read() {
    let files = Files::new();
    let folder = files.path("parts");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("1.csv"), TABLE).unwrap();
    let read = folder.to_str().unwrap();
    for (command, name) in [
        ("rough discretize TABLE --decision species --method md --out", "2.csv"),
        ("rough discretize TABLE --decision species --method md --save-cuts", "2.json"),
        ("rough approx TABLE --decision species --csv --out", "o.csv"),
        ("rough reduct TABLE --decision species --certificate", "c.json"),
    ] {
        let error = roughboard(&words(command, read, folder.join(name).to_str().unwrap())).refusal();
        assert!(error.contains(&format!("is in the folder `{read}`, which is read")), "{command}: {error}");
    }
    assert_eq!(contents(&folder).len(), 1);
}

#[test]
fn force_replaces_files_and_folders_of_files_stay_apart() {
    let files = Files::new();
    let table = files.file("table.csv", TABLE);
    let out = files.write("x.csv", "old");
    let discretize = ["rough", "discretize", &table, "--decision", "species", "--method", "md", "--out"];
    roughboard(&[&discretize[..], &[out.to_str().unwrap(), "--force"]].concat()).ended(0);
    assert!(fs::read_to_string(&out).unwrap().starts_with("a,b,species\n"));
    let games = files.file("games.pgn", "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n");
    let folder = files.argument("stats");
    let stats = ["games", "stats", &games, "--out", &folder];
    roughboard(&stats).ended(0);
    assert!(roughboard(&stats).refusal().contains("is not empty: expected a new folder"));
    roughboard(&[&stats[..], &["--force"]].concat()).ended(0);
}

#[test]
fn an_import_that_is_accounted_for_is_done_and_one_without_games_is_not() {
    let files = Files::new();
    let good = "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n\n";
    let mixed = files.file("mixed.pgn", &(good.repeat(3) + "[Result \"1-0\"]\n\nh2e9 1-0\n"));
    let connect6 =
        files.file("connect6.tsv", "id\tresult\tmoves\nA\t1-0\tj10 k11 i11 j11 h10\nB\t0-1\tj10 k9 k11 a1 a2\n");
    let readme = files.file("readme.md", "# No games\n\nWords alone.\n");
    let out = files.argument("out.pgn");
    let import = ["games", "import", &mixed, "--min-plies", "1", "--out", &out, "--force"];
    let cases: [(Vec<&str>, i32, &str); 9] = [
        (import.to_vec(), 0, ""),
        ([&import[..], &["--max-wrong", "0"]].concat(), 1, "1 of 4 records are wrong"),
        (vec!["games", "convert", &mixed, "--out", &out, "--force"], 0, ""),
        (vec!["games", "read", &mixed], 1, "1 of 4 records are wrong"),
        (vec!["games", "read", "--max-wrong", "0.25", &mixed], 0, ""),
        (vec!["games", "read", &readme], 1, "check failed: no game of xiangqi was found\n"),
        (vec!["games", "read", &connect6], 1, "there are games of connect6: read them with `--game connect6`"),
        (vec!["games", "read", "--game", "connect6", &connect6], 0, ""),
        (vec!["games", "read", "--strict", &mixed], 2, "h2e9"),
    ];
    for (arguments, code, words) in cases {
        let errors = roughboard(&arguments).ended(code).stderr;
        assert!(errors.contains(words) && (code > 0 || !errors.contains("check failed")), "{arguments:?}: {errors}");
    }
    let run = files.argument("run");
    let error = roughboard(&["train", "bp", "--games", &connect6, "--out", &run]).refusal();
    assert!(error.contains("`--game` must be connect6 for these games, got xiangqi"), "{error}");
    let tables = files.argument("x.json");
    let error = roughboard(&["train", "tables", "--games", &connect6, "--out", &tables]).refusal();
    assert!(error.contains("these are games of connect6, and the command takes those of xiangqi"), "{error}");
}

#[test]
fn packed_games_that_are_cut_short_make_no_file_of_games_unless_they_are_borne() {
    let files = Files::new();
    let path = |name: &str| files.argument(name);
    let (whole, cut, out) = (
        files.write("whole.pgn", "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n\n".repeat(3000)),
        path("cut.pgn.gz"),
        path("out.pgn"),
    );
    roughboard(&["games", "convert", whole.to_str().unwrap(), "--out", &path("whole.pgn.gz")]).ended(0);
    let bytes = fs::read(path("whole.pgn.gz")).unwrap();
    files.write("cut.pgn.gz", &bytes[..bytes.len() / 2]);
    let read = roughboard(&["games", "read", "--json", &cut]).ended(1);
    let kept = read.json()["kept"].as_u64().unwrap();
    assert!((1..3000).contains(&kept), "{kept}");
    let told = format!(
        "not read to the end: `{cut}` after record {kept} (it is cut short); records before that point count, those after it are lost"
    );
    assert_eq!(read.stderr, format!("check failed: {told}\n"));
    let stats = roughboard(&["games", "stats", &cut, "--out", &path("stats")]).ended(1).stderr;
    assert!(stats.ends_with(&format!("check failed: {told}\n")), "{stats}");
    assert!(fs::read_to_string(path("stats/overview.csv")).unwrap().contains("\nfiles not read to their end,1\n"));
    let error = format!("error: not read to the end: `{cut}` after record {kept} (it is cut short)\n");
    let mates = ["games", "mates", &cut, "--moves", "1", "--out", &path("mates.json")];
    assert_eq!(roughboard(&mates).refusal(), error);
    let build = ["table", "build", "--games", &cut, "--drop-invalid", "--out", &path("table.csv")];
    assert_eq!(roughboard(&build).refusal(), error);
    let strict = roughboard(&["table", "build", "--games", &cut, "--out", &path("table.csv")]).refusal();
    assert!(!strict.contains("--drop-invalid"), "{strict}");
    assert!(!files.path("mates.json").exists() && !files.path("table.csv").exists());
    let import = ["games", "import", &cut, "--out", &out, "--keep", "duplicates,short"];
    for command in [&["games", "convert", &cut, "--out", &out][..], &import] {
        files.write("out.pgn", "old");
        let run = roughboard(&[command, &["--force"]].concat()).ended(1);
        assert!(
            run.stderr.starts_with(&format!("check failed: {told}; no file of games is written")),
            "{}",
            run.stderr
        );
        assert!(!run.stdout.contains("written"), "{}", run.stdout);
        assert_eq!(fs::read_to_string(&out).unwrap(), "old");
        let run = roughboard(&[command, &["--force", "--max-wrong", "0.5"]].concat()).ended(0);
        assert_eq!(run.stderr, format!("note: {told}\n"));
        assert_eq!(roughboard(&["games", "read", &out, "--json"]).ended(0).json()["kept"], kept);
    }
}

#[test]
fn the_tables_of_stats_tell_how_many_games_are_there_again() {
    let files = Files::new();
    let game = "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n\n";
    let games = files.write("games.pgn", game.repeat(2) + "[Result \"1-0\"]\n\nh2e9 1-0\n");
    let folder = files.argument("stats");
    let stats = roughboard(&["games", "stats", games.to_str().unwrap(), "--out", &folder]).ended(0);
    let note = "note: 1 of 2 games is a duplicate, which counts each time; `games import` keeps one of each\n";
    assert_eq!(stats.stderr, note);
    let expected = [
        "figure,value",
        "records read,3",
        "files not read to their end,0",
        "dropped: illegal move,1",
        "games,2",
        "duplicates among these,1",
    ];
    let overview = fs::read_to_string(files.path("stats/overview.csv")).unwrap();
    assert_eq!(overview.lines().take(6).collect::<Vec<_>>(), expected);
    assert!(fs::read_to_string(files.path("stats/overview.md")).unwrap().contains("duplicates among these"));
}

#[test]
fn stats_tell_why_games_are_not_among_those_that_they_count() {
    let files = Files::new();
    let games = "[Result \"1-0\"]\n\nh2e2 1-0\n\n[Result \"*\"]\n\nh2e2 *\n\n[Result \"*\"]\n\nh2e2 h9g7 *\n";
    let games = files.file("games.pgn", games);
    let stats = roughboard(&["games", "stats", &games, "--json"]).ended(0).json();
    assert_eq!(stats["dropped"], json!({"no result": 2}));
    assert_eq!((stats["games"].as_u64(), stats["no_result"].as_u64()), (Some(1), Some(2)));
    let text = roughboard(&["games", "stats", &games]).ended(0).stdout;
    let dropped = text.lines().find_map(|line| line.strip_prefix("dropped: no result")).map(str::trim);
    assert_eq!(dropped, Some("2"), "{text}");
}

/// However many games the odd file holds, and wherever it stands.
#[test]
fn a_file_of_another_game_among_many_is_named() {
    let files = Files::new();
    let folder = files.path("games");
    fs::create_dir(&folder).unwrap();
    let odd = folder.join("b.tsv");
    fs::write(&odd, "result\tmoves\n".to_owned() + &"1-0\tj10 k11 i11 j11 h10\n".repeat(30)).unwrap();
    let good = "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n\n";
    let [folder, odd] = [&folder, &odd].map(|path| path.to_str().unwrap());
    for (name, number) in [("c.pgn", 1), ("a.pgn", 30)] {
        fs::write(files.path("games").join(name), good.repeat(number)).unwrap();
        for command in [&["table", "build", "--games"][..], &["train", "bp", "--games"], &["book", "build"]] {
            let out = files.path(if command[0] == "train" { "run" } else { "x.db" });
            let out = if command[0] == "table" { files.path("x.csv") } else { out };
            let error = roughboard(&[command, &[folder, "--out", out.to_str().unwrap()]].concat()).refusal();
            let expected = format!(
                "error: `{odd}` holds games of connect6, the other files games of xiangqi: name files of one game only: {odd}: game 1 (line 2), "
            );
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}

#[test]
fn where_no_game_is_kept_an_old_file_stays() {
    let files = Files::new();
    let open = files.file("open.pgn", "[Event \"none\"]\n\nh2e2 h9g7 h0g2 *\n");
    let connect6 = files.file("connect6.tsv", "id\tresult\tmoves\nA\t1-0\tj10 k11 i11 j11 h10\n");
    let old = files.file("old.pgn", "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n");
    for (command, input) in [("convert", &open), ("import", &open), ("convert", &connect6), ("import", &connect6)] {
        let run = roughboard(&["games", command, input, "--out", &old, "--force"]).ended(1);
        assert!(run.stderr.starts_with("check failed: no game "), "{command} {input}: {}", run.stderr);
        assert!(!run.stdout.contains("written"), "{command} {input}: {}", run.stdout);
        assert!(fs::read_to_string(&old).unwrap().contains("h9g7"), "{command} {input}");
    }
    let run = roughboard(&["games", "read", &open]).ended(1);
    assert_eq!(run.stderr, "check failed: no game was kept of 1 records\n");
}

#[test]
fn the_help_and_the_table_have_the_same_exit_codes() {
    let table = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/exit-codes.md")).unwrap();
    let help = help(&[]);
    let lines = help.lines().skip_while(|line| *line != "Exit codes:").filter_map(|line| line.trim().split_once("  "));
    let codes: Vec<(&str, &str)> = lines.filter(|(code, _)| code.parse::<u8>().is_ok()).collect();
    assert_eq!(codes.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["0", "1", "2", "3"]);
    for (code, meaning) in codes {
        let row = format!("| {code} | {}", meaning.split(':').next().unwrap());
        assert!(table.contains(&row), "{row}");
    }
    assert_eq!(table.matches("\n| ").count(), 1 + 4, "a head and a row each");
}

/// Where files can be no longer than a few kilobytes, as on a disk that is full.
#[cfg(unix)]
#[test]
fn games_that_were_played_are_kept_until_they_are_written() {
    let files = Files::new();
    let path = |name: &str| files.argument(name);
    let generate = "games generate random --games 60 --max-plies 30 --quiet --threads 1 --out";
    let arguments = |out: &str| generate.split(' ').map(str::to_owned).chain([path(out)]).collect::<Vec<_>>();
    let run = |out: &str| roughboard(&arguments(out).iter().map(String::as_str).collect::<Vec<_>>());
    run("whole.pgn").ended(0);
    assert_eq!(contents(files.folder.path()).len(), 2, "games and manifest; no journal is left");
    // `sh` counts the limit in 512 bytes, others in 1024: either is less than the journal needs.
    let script = "ulimit -f 8; trap '' XFSZ; exec \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_roughboard")]).args(arguments("out.pgn"));
    let cut = command.output().unwrap();
    let errors = String::from_utf8(cut.stderr).unwrap();
    let journal = path("out.pgn.journal.jsonl");
    let expected = format!("the games played so far are kept in `{journal}`: the same command goes on with them");
    assert!(cut.status.code() == Some(2) && errors.contains(&expected), "{errors}");
    // A line that the limit cut off is none.
    let kept = fs::read_to_string(&journal).unwrap().matches('\n').count();
    assert!(kept > 2 && !Path::new(&path("out.pgn")).exists(), "{kept}");
    let again = run("out.pgn").ended(0);
    assert!(again.stderr.contains(&format!("{} games are taken from `{journal}`", kept - 1)), "{}", again.stderr);
    assert_eq!(fs::read(path("out.pgn")).unwrap(), fs::read(path("whole.pgn")).unwrap());
    assert!(!Path::new(&journal).exists());
}

/// Other systems do not take such names.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_names_like_others() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let files = Files::new();
    let games = files.write("games.pgn", "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n");
    let run = |words: &str, last: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_roughboard"));
        let output = command.args(words.split(' ')).arg(last).current_dir(files.folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let path = |name: &[u8]| files.folder.path().join(OsStr::from_bytes(name));
    let (packed, folder) = (path(b"x\xff.pgn.zst"), path(b"x\xff"));
    run(&format!("games convert {} --out", games.display()), &packed);
    assert!(fs::read(&packed).unwrap().starts_with(&[0x28, 0xb5, 0x2f, 0xfd]), "it is packed as its name says");
    run("match traditional random --games 2 --depth 1 --max-plies 12 --quiet --out", &folder);
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_error_that_is_full_changes_neither_answer_nor_code() {
    let files = Files::new();
    let table = files.write("table.csv", "a;d\n1;x\n2;y\n");
    let on_full = |path: &Path| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let program = env!("CARGO_BIN_EXE_roughboard");
        Command::new(program).args(["rough", "info"]).arg(path).stderr(full).output().unwrap()
    };
    assert_eq!(on_full(&files.path("nowhere.csv")).status.code(), Some(2));
    // A note would say that semicolons separate the cells.
    let noted = on_full(&table);
    assert_eq!(noted.status.code(), Some(0));
    assert!(noted.stdout.starts_with(b"2 rows, 2 columns"));
}
