//! Files of strangers: networks, books, folders of runs and archives may be read, and do nothing: `docs/reliability.md`.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;

use crate::book_cli::small_book;
use crate::command::{Files, contents, make_pipe, roughboard};

/// A finished run with a picture, made by this program.
fn finished_run() -> (Files, String) {
    let files = Files::new();
    let run = files.path("run").display().to_string();
    roughboard(&["reproduce", "td-random-walk", "--smoke", "--quiet", "--out", &run]).ended(0);
    (files, run)
}

/// Lets the manifest of `run` list `name` with the checksum that it has.
fn list(run: &str, name: &str) {
    let path = Path::new(run).join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let sum = roughboard::disk::sha256_of_file(&Path::new(run).join(name)).unwrap_or_default();
    let outputs = manifest["outputs"].as_array_mut().unwrap();
    outputs.retain(|listed| listed[0] != name);
    outputs.push(serde_json::json!([name, sum]));
    fs::write(path, manifest.to_string()).unwrap();
}

#[test]
fn a_manifest_names_files_of_its_folder_alone() {
    let (files, run) = finished_run();
    let page = files.path("page.html").display().to_string();
    files.write("secret.svg", "<svg></svg>");
    let outside = files.path("secret.svg").display().to_string();
    let manifest = fs::read(Path::new(&run).join("manifest.json")).unwrap();
    for name in ["../secret.svg", "nets/../../secret.svg", outside.as_str()] {
        list(&run, name);
        let error = roughboard(&["report", &run, "--out", &page]).refusal();
        assert!(
            error.contains("manifest.json`: it lists `") && error.contains("which is not in its folder"),
            "{error}"
        );
        fs::write(Path::new(&run).join("manifest.json"), &manifest).unwrap();
    }
    assert!(!Path::new(&page).exists());
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_a_run_are_not_shown() {
    let (files, run) = finished_run();
    let page = files.path("page.html").display().to_string();
    let secret = files.write("secret.txt", "the password");
    let text = Path::new(&run).join("tables.md");
    fs::remove_file(&text).unwrap();
    std::os::unix::fs::symlink(&secret, &text).unwrap();
    list(&run, "tables.md");
    let error = roughboard(&["report", &run, "--out", &page]).refusal();
    assert!(error.contains("tables.md` is a link that leads out of the folder of the run"), "{error}");
    // A device has no end: it is not read at all.
    fs::remove_file(&text).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &text).unwrap();
    let again = ["reproduce", "td-random-walk", "--smoke", "--quiet", "--resume", "--out", &run];
    roughboard(&again).ended(0);
    assert!(!text.is_symlink(), "the run was made again, and the link is not written through");
}

/// A pipe that nobody writes to has no end: it is not opened.
#[cfg(unix)]
#[test]
fn pipes_in_a_run_are_not_read() {
    let (files, run) = finished_run();
    let page = files.path("page.html").display().to_string();
    for name in ["tables.md", "manifest.json", "diagnosis/rules.csv"] {
        let path = Path::new(&run).join(name);
        let before = fs::read(&path).ok();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::remove_file(&path).unwrap_or_default();
        make_pipe(&path);
        let error = roughboard(&["report", &run, "--out", &page]).refusal();
        assert!(error.contains(&format!("{name}` is neither a file nor a folder")), "{error}");
        fs::remove_file(&path).unwrap();
        before.map_or(Ok(()), |bytes| fs::write(&path, bytes)).unwrap();
    }
    roughboard(&["report", &run, "--out", &page]).ended(0);
}

#[test]
fn pictures_and_names_of_a_run_add_nothing_to_the_page_but_drawings_and_text() {
    let (files, run) = finished_run();
    let page = files.path("page.html").display().to_string();
    let (picture, text) = (Path::new(&run).join("figure-3.svg"), Path::new(&run).join("tables.md"));
    let plain = fs::read_to_string(&picture).unwrap();
    fs::write(
        &text,
        fs::read_to_string(&text).unwrap() + "\n\n<img src=x onerror=alert(1)> [here](javascript:alert(1))\n",
    )
    .unwrap();
    list(&run, "tables.md");
    for (inside, shown) in [
        ("", true),
        ("<script>alert(1)</script>", false),
        ("<a href=\"https://example.org\"><text>x</text></a>", false),
        ("</svg><meta http-equiv=\"refresh\" content=\"0;url=https://example.org\"><svg>", false),
    ] {
        fs::write(&picture, plain.replace("</svg>", &format!("{inside}</svg>"))).unwrap();
        list(&run, "figure-3.svg");
        roughboard(&["report", &run, "--force", "--out", &page]).ended(0);
        let html = fs::read_to_string(&page).unwrap();
        assert_eq!(html.contains("<code>figure-3.svg</code> is not shown: it holds more than a drawing"), !shown);
        assert!(!html.contains("example.org") && !html.contains("<script>alert") && !html.contains("<img"), "{inside}");
        assert!(!html.contains("javascript:"), "links lead nowhere");
        assert!(html.contains("content=\"default-src 'none'; "), "the policy of the page");
    }
}

#[test]
fn names_of_players_are_text_on_a_page() {
    let files = Files::new();
    let [run, page] = ["run", "page.html"].map(|name| files.path(name).display().to_string());
    let name = "<b onclick=alert(1)>x</b>";
    let entrant = format!("traditional@name={name}");
    let played = roughboard(&["match", &entrant, "random", "--games", "2", "--depth", "1", "--quiet", "--out", &run]);
    played.ended(0);
    roughboard(&["report", &run, "--out", &page]).ended(0);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("&lt;b onclick=alert(1)&gt;") && !html.contains("<b onclick"), "{html}");
}

/// A view stands where a table should, and would never end; triggers are never asked.
#[test]
fn books_compute_nothing() {
    let (files, book) = small_book();
    let shown = roughboard(&["book", "show", &book]).ended(0).stdout;
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS key, 0 AS side, i AS move, 1 AS games, \
                   1 AS wins, 0 AS draws, 0 AS losses FROM n";
    for (table, statement) in [
        ("moves", format!("CREATE VIEW moves AS {endless}")),
        // Names of tables mean the same in capital letters.
        ("moves", format!("CREATE VIEW Moves AS {endless}")),
        ("meta", "CREATE VIEW meta AS SELECT 'game' AS name, 'xiangqi' AS value".to_owned()),
        ("inputs", "CREATE TABLE inputs (sha256 TEXT, name TEXT AS (upper('x')))".to_owned()),
    ] {
        let copy = files.path("copy.db");
        fs::copy(&book, &copy).unwrap();
        let database = Connection::open(&copy).unwrap();
        database.execute_batch(&format!("DROP TABLE {table}; {statement}")).unwrap();
        drop(database);
        let error = roughboard(&["book", "show", copy.to_str().unwrap()]).refusal();
        assert!(error.contains("copy.db`: it has views, virtual tables or computed columns"), "{error}");
    }
    let database = Connection::open(&book).unwrap();
    database.execute_batch("CREATE TRIGGER t AFTER INSERT ON moves BEGIN DELETE FROM moves; END").unwrap();
    drop(database);
    assert_eq!(roughboard(&["book", "show", &book]).ended(0).stdout, shown);
}

/// Games are read from archives without unpacking any member to the disk, whatever its name.
#[test]
fn members_of_archives_are_written_nowhere() {
    let files = Files::new();
    let mut archive = tar::Builder::new(Vec::new());
    for name in ["../../escaped.pgn", "/tmp/escaped.pgn", "inside.pgn"] {
        let text = b"[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n";
        let mut header = tar::Header::new_gnu();
        // `set_path` would refuse it.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, &text[..]).unwrap();
    }
    let folder = files.path("deep/deeper");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("games.tar");
    fs::write(&path, archive.into_inner().unwrap()).unwrap();
    let read = roughboard(&["games", "read", path.to_str().unwrap()]).ended(0).stdout;
    assert!(read.contains('3'), "{read}");
    assert_eq!(contents(&folder).len(), 1);
    assert_eq!(contents(files.folder.path()).len(), 1);
    assert!(!Path::new("/tmp/escaped.pgn").exists());
}
