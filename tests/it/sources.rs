//! Where games come from: folders, archives, packed files, encodings, formats; and what damage to them costs.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use encoding_rs::{BIG5, GB18030};
use roughboard::disk::FileError;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::Silent;
use roughboard::record::{
    Account, Encoding, GameRecord, Policy, ReadSettings, Reason, RecordError, checksum, for_each_game, read_bytes,
    read_games,
};
use roughboard::settings::Choices;
use zip::write::SimpleFileOptions;

use crate::command::{Files, collection, roughboard};

type Games = Vec<GameRecord<Xiangqi>>;

const GAME: &str = "[Event \"cup\"]\n[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n";

/// A game whose tags are Chinese, as either script has them.
const CHINESE: [&str; 2] = [
    "[Event \"全國象棋個人賽\"]\n[Red \"楊官璘\"]\n[Black \"胡榮華\"]\n[Site \"上海、第５輪\"]\n[Result \"1-0\"]\n\nh2e2 {炮二平五} h9g7 {馬８進７} 1-0\n",
    "[Event \"全国象棋个人赛\"]\n[Red \"杨官璘\"]\n[Black \"胡荣华\"]\n[Site \"上海、第５轮\"]\n[Result \"1-0\"]\n\nh2e2 {炮二平五} h9g7 {马８进７} 1-0\n",
];

fn read(name: &str, bytes: &[u8]) -> (Games, Account) {
    read_with(name, bytes, Policy::Drop.into())
}

fn read_with(name: &str, bytes: &[u8], settings: ReadSettings) -> (Games, Account) {
    let (games, account) = read_bytes(name, bytes, settings).unwrap();
    assert_eq!(account.read(), games.len() as u64 + account.dropped().len() as u64);
    (games, account)
}

fn read_path(path: &Path) -> (Games, Account) {
    read_games(&[path], Policy::Drop, &Silent).unwrap()
}

fn places(games: &Games) -> Vec<&str> {
    games.iter().map(|game| &*game.source.as_ref().unwrap().file.shown).collect()
}

fn reasons(account: &Account) -> Vec<Reason> {
    account.dropped().iter().map(|dropped| dropped.flaw.reason()).collect()
}

fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut out = liblzma::write::XzEncoder::new(Vec::new(), 6);
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

#[test]
fn every_packing_and_nesting_gives_the_same_games() {
    let game = GAME.as_bytes();
    let tar = tar_of(&[("a/one.pgn", game), ("a/two.pgn.gz", &gz(game)), ("b/three.pgn", game)]);
    let zip = zip_of(&[("a/one.pgn", game), ("a/two.pgn.xz", &xz(game)), ("b/inner.tar", &tar_of(&[("3.pgn", game)]))]);
    let cases = [
        ("x.tar", tar.clone()),
        ("x.tar.gz", gz(&tar)),
        ("x.tgz", gz(&tar)),
        ("x.tar.zst", zst(&tar)),
        ("x.tar.xz", xz(&tar)),
        ("no-ending", zst(&tar)),
        ("x.zip", zip.clone()),
        ("x.tar", tar_of(&[("x.zip", &zip)])),
        ("x.zip.gz", gz(&zip)),
    ];
    for (name, bytes) in cases {
        let (games, account) = read(name, &bytes);
        assert_eq!((games.len(), account.dropped().len()), (3, 0), "{name}: {account:?}");
        let folder = Files::new();
        let path = folder.write(name, &bytes);
        assert_eq!(read_path(&path).0.len(), 3, "{name} as a file");
    }
    let (games, _) = read("x.tar.zst", &zst(&tar));
    assert_eq!(places(&games), ["x.tar.zst/a/one.pgn", "x.tar.zst/a/two.pgn.gz", "x.tar.zst/b/three.pgn"]);
    assert!(games.iter().all(|game| game.source.as_ref().unwrap().game == 1));
}

#[test]
fn nesting_is_bounded() {
    let mut bytes = GAME.as_bytes().to_vec();
    for _ in 0..6 {
        bytes = gz(&bytes);
    }
    let (games, account) = read("x.pgn.gz", &bytes);
    assert!(games.is_empty());
    assert_eq!(reasons(&account), [Reason::Unreadable]);
}

#[test]
fn a_folder_is_read_in_the_order_of_its_names_and_everything_in_it_is_accounted_for() {
    let files = Files::new();
    for (name, bytes) in [
        ("b.pgn", GAME.as_bytes()),
        ("a/z.pgn", GAME.as_bytes()),
        ("a/README.md", b"# Games of a cup\n\nSee the files.\n"),
        ("a/picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("a/nothing.pgn", b""),
        ("a/x.pgn/inside.pgn", GAME.as_bytes()),
        ("c.pgn.gz", b"\x1f\x8b\x08damaged"),
        ("Z.cbl", b"CCBridgeLibrary\0................"),
    ] {
        let path = files.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("/nowhere/at/all", files.path("dangling.pgn")).unwrap();
    let (games, account) = read_path(files.folder.path());
    let names: Vec<&str> = places(&games).into_iter().map(|place| place.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["inside.pgn", "z.pgn", "b.pgn"]);
    let mut counted = account.by_reason();
    let links = u64::from(cfg!(unix));
    assert_eq!(counted.remove(&Reason::NotGames), Some(3 + links), "{account:?}");
    assert_eq!(counted.remove(&Reason::Unreadable), Some(1));
    assert_eq!(counted.remove(&Reason::UnsupportedFormat), Some(1));
    assert!(counted.is_empty());
    assert_eq!(account.read(), 8 + links);
    let sum = checksum(files.folder.path()).unwrap();
    fs::write(files.path("b.pgn"), GAME.replace("cup", "cap")).unwrap();
    assert_ne!(sum, checksum(files.folder.path()).unwrap());
}

#[test]
fn a_path_that_does_not_exist_is_an_error_after_the_games_before_it() {
    let files = Files::new();
    let good = files.write("a.pgn", GAME);
    let mut count = 0;
    let outcome = for_each_game::<Xiangqi>(&[good, files.path("missing")], Policy::Drop, &Silent, |_| count += 1);
    let is_unopened = matches!(outcome, Err(RecordError::File(FileError { action: "open game file", .. })));
    assert!(is_unopened && count == 1);
}

#[test]
fn batches_cross_documents_and_count_games_by_document() {
    let three = [GAME, GAME, GAME].join("\n");
    let names: Vec<String> = (0..1500).map(|index| format!("{index:05}.pgn")).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), three.as_bytes())).collect();
    let (games, account) = read("x.tar", &tar_of(&members));
    assert_eq!(account.kept(), 4500);
    for (index, game) in games.iter().enumerate() {
        let place = game.source.as_ref().unwrap();
        let expected = (format!("x.tar/{}", names[index / 3]), index as u64 % 3 + 1);
        assert_eq!((place.file.shown.to_string(), place.game), expected);
    }
}

#[test]
fn encodings_are_found_and_give_the_same_games() {
    let utf16 = |text: &str, little: bool, mark: bool| -> Vec<u8> {
        let mark = if mark { "\u{feff}" } else { "" };
        let units = format!("{mark}{text}").encode_utf16().collect::<Vec<_>>();
        units.into_iter().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    };
    for text in CHINESE {
        let (expected, _) = read("utf-8.pgn", text.as_bytes());
        assert_eq!(expected.len(), 1);
        let mut cases = vec![
            ("utf-8", text.as_bytes().to_vec()),
            ("utf-8", format!("\u{feff}{text}").into_bytes()),
            ("gb18030", GB18030.encode(text).0.into_owned()),
            ("utf-16le", utf16(text, true, false)),
            ("utf-16be", utf16(text, false, false)),
            ("utf-16", utf16(text, true, true)),
            ("utf-16", utf16(text, false, true)),
        ];
        let (big5, _, failed) = BIG5.encode(text);
        if !failed {
            cases.push(("big5", big5.into_owned()));
        }
        for (name, bytes) in cases {
            for encoding in ["auto", name] {
                let settings = ReadSettings { encoding: encoding.parse().unwrap(), ..ReadSettings::default() };
                let (games, account) = read_with("x.pgn", &bytes, settings);
                assert!(games == expected, "{name} read as {encoding}: {games:?} {account:?}");
            }
        }
    }
}

#[test]
fn a_guessed_encoding_is_told() {
    let files = Files::new();
    let notes = |encoding: &[&str]| {
        let folder = files.argument("games");
        roughboard(&[&["games", "read", &folder, "--quiet"], encoding].concat()).ended(0).stderr
    };
    fs::create_dir(files.path("games")).unwrap();
    fs::write(files.path("games/0.pgn"), CHINESE[1]).unwrap();
    assert_eq!(notes(&[]), "");
    for name in ["1.pgn", "2.pgn"] {
        fs::write(files.path("games").join(name), &*GB18030.encode(CHINESE[1]).0).unwrap();
    }
    let told = notes(&[]);
    let expected = "1.pgn and 1 document like it: read as gb18030, a guess that names and comments depend on";
    assert!(told.starts_with("note: ") && told.contains(expected), "{told}");
    fs::remove_file(files.path("games/0.pgn")).unwrap();
    assert_eq!(notes(&["--encoding", "gb18030"]), "");
}

#[test]
fn second_bytes_that_look_like_brackets_do_not_split_games() {
    // In Big5 these characters end in the bytes of `[`, `\`, `]`, `{`, `|`, `}`.
    let text = CHINESE[0].replace("楊官璘", "功許閱育四廿洪蹋廄悴");
    let (bytes, _, failed) = BIG5.encode(&text);
    assert!(!failed && bytes.windows(2).any(|pair| pair[0] >= 0x80 && b"[\\]{}".contains(&pair[1])));
    let (games, account) = read("x.pgn", &bytes);
    assert_eq!(games.first().and_then(|game| game.tag("Red")), Some("功許閱育四廿洪蹋廄悴"), "{account:?}");
}

#[test]
fn a_wrong_encoding_costs_games_and_nothing_else() {
    let bytes = BIG5.encode(CHINESE[0]).0.into_owned();
    let settings = ReadSettings { encoding: Encoding::Utf8, ..ReadSettings::default() };
    let (games, account) = read_with("x.pgn", &bytes, settings);
    assert!(games.is_empty() && account.dropped()[0].place.line == 1);
    assert_eq!(reasons(&account), [Reason::Encoding]);
    for &encoding in Encoding::ALL {
        assert_eq!(read_with("x.pgn", &bytes, ReadSettings { encoding, ..settings }).1.read(), 1, "{encoding}");
    }
    // A byte that does not decode is found in its line.
    let mut damaged = [BIG5.encode(CHINESE[0]).0.into_owned(), b"\n".to_vec(), bytes].concat();
    let at = damaged.windows(4).position(|window| window == b"Site").unwrap() + 6;
    damaged[at] = 0xff;
    let (games, account) = read("x.pgn", &damaged);
    assert_eq!((games.len(), reasons(&account)), (1, vec![Reason::Encoding]));
    assert_eq!(account.dropped()[0].place.line, 4);
}

#[test]
fn truncated_input_gives_what_it_has_and_one_entry_for_the_rest() {
    let members: Vec<(String, String)> =
        (0..4).map(|index| (format!("{index}.pgn"), GAME.replace("cup", &format!("cup {index}")))).collect();
    let members: Vec<(&str, &[u8])> = members.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let (tar, zip) = (tar_of(&members), zip_of(&members));
    for (name, bytes) in [("x.tar.zst", zst(&tar)), ("x.tar.gz", gz(&tar)), ("x.tar.xz", xz(&tar)), ("x.zip", zip)] {
        for length in (0..bytes.len()).step_by(7) {
            let (games, account) = read(name, &bytes[..length]);
            let failures = reasons(&account).iter().filter(|reason| **reason == Reason::Unreadable).count();
            assert!(failures == 1 || (length < 4 && failures <= 1), "{name} cut to {length}: {account:?}");
            assert!(games.len() <= 4);
            let strict = read_bytes::<Xiangqi>(name, &bytes[..length], Policy::Strict);
            assert!(strict.is_err() || length < 4, "{name} cut to {length}");
        }
    }
    for length in (0..tar.len()).step_by(7) {
        let (games, account) = read("x.tar", &tar[..length]);
        assert!(games.len() + account.dropped().len() <= 5, "cut to {length}: {account:?}");
    }
    let cut = &tar[..512 * 2 + 512 + 20];
    let error = read_bytes::<Xiangqi>("x.tar", cut, Policy::Strict).unwrap_err();
    assert!(matches!(&error, RecordError::Truncated { file, .. } if file == "x.tar/1.pgn"), "{error}");
}

#[test]
fn a_damaged_member_costs_that_member_only() {
    let mut packed = gz(GAME.as_bytes());
    let middle = packed.len() / 2;
    packed[middle] ^= 0x55;
    let game = GAME.as_bytes();
    for archive in [tar_of, zip_of] {
        let bytes = archive(&[("1.pgn", game), ("2.pgn.gz", &packed), ("3.pgn", game)]);
        let (games, account) = read("x", &bytes);
        assert_eq!(places(&games), ["x/1.pgn", "x/3.pgn"], "{account:?}");
        assert_eq!((account.dropped().len(), &*account.dropped()[0].place.file.shown), (1, "x/2.pgn.gz"));
    }
    // The checksum of a member of a zip archive.
    let mut bytes = zip_of(&[("1.pgn", game), ("2.pgn", game)]);
    let name = bytes.windows(5).position(|window| window == b"1.pgn").unwrap();
    bytes[name + 8] ^= 0xff;
    let (games, account) = read("x.zip", &bytes);
    assert_eq!((places(&games), account.invalid()), (vec!["x.zip/2.pgn"], 1), "{account:?}");
}

#[test]
fn names_of_members_are_decoded() {
    let name = BIG5.encode("對局/大師對局.pgn").0.into_owned();
    let mut header = tar::Header::new_old();
    header.as_old_mut().name[..name.len()].copy_from_slice(&name);
    header.set_size(GAME.len() as u64);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(GAME.bytes());
    bytes.resize(bytes.len().next_multiple_of(512) + 1024, 0);
    assert_eq!(places(&read("x.tar", &bytes).0), ["x.tar/對局/大師對局.pgn"]);
    let odd = tar_of(&[("a b/.hidden", GAME.as_bytes()), ("\u{1f600}.PGN", GAME.as_bytes())]);
    assert_eq!(read("x.tar", &odd).0.len(), 2);
}

#[test]
fn bombs_are_cut() {
    let settings = ReadSettings { max_unpacked: 100_000, ..ReadSettings::default() };
    // The second game may go on where the input is cut.
    let large = format!("{GAME}\n{GAME}\n{}", " ".repeat(1_000_000));
    let game = GAME.as_bytes();
    let cases = [
        ("x.pgn.zst", zst(large.as_bytes())),
        ("x.pgn.gz", gz(large.as_bytes())),
        ("x.zip", zip_of(&[("1.pgn", large.as_bytes()), ("2.pgn", game)])),
        ("x.tar", tar_of(&[("1.pgn.xz", &xz(large.as_bytes())), ("2.pgn", game)])),
    ];
    for (name, bytes) in cases {
        let (_, account) = read_with(name, &bytes, settings);
        let dropped = account.dropped().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(
            dropped.iter().any(|text| text.contains("unpacks to more than 100000 bytes: a bomb?")),
            "{name}: {dropped:?}"
        );
        assert_eq!(account.kept(), if name.ends_with("zst") || name.ends_with("gz") { 1 } else { 2 }, "{name}");
    }
    // 200 MB of zeros in a few hundred bytes.
    let mut packed = zstd::Encoder::new(Vec::new(), 3).unwrap();
    std::io::copy(&mut std::io::repeat(b' ').take(200 << 20), &mut packed).unwrap();
    let (_, account) = read("x.pgn.zst", &packed.finish().unwrap());
    assert!(account.dropped()[0].to_string().contains("more than 1000 times its size"), "{account:?}");
}

/// A line of 64 MB goes through the reader in pieces; only its game is lost.
#[test]
fn an_endless_line_costs_one_game() {
    let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
    packed.write_all(GAME.as_bytes()).unwrap();
    packed.write_all(b"\n[Event \"endless\"]\n\n").unwrap();
    // Not too regular, so that it is not taken for a bomb.
    let mut state = 1_u32;
    for _ in 0..1000 {
        let piece: Vec<u8> = (0..64_000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                b'a' + (state >> 24) as u8 % 26
            })
            .collect();
        packed.write_all(&piece).unwrap();
    }
    packed.write_all(format!("\n\n{GAME}").as_bytes()).unwrap();
    let (games, account) = read("x.pgn.zst", &packed.finish().unwrap());
    assert_eq!((games.len(), reasons(&account)), (2, vec![Reason::TooLong]));
}

#[test]
fn dhtmlxq_is_found_within_a_page_in_any_encoding() {
    let page = "<html><body>[DhtmlXQ]\n[DhtmlXQ_red]胡荣华[/DhtmlXQ_red]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
        [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]</body></html>";
    for bytes in [page.as_bytes().to_vec(), GB18030.encode(page).0.into_owned()] {
        let (games, account) = read("page.html", &bytes);
        assert_eq!(games.len(), 1, "{account:?}");
        assert_eq!((games[0].tag("Red"), games[0].result()), (Some("胡荣华"), "1-0"));
        assert_eq!(games[0].moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
    }
}

/// Neither for a checksum nor for a look at what game it holds.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_opened_again() {
    let files = Files::new();
    let pipe = files.path("pipe");
    crate::command::make_pipe(&pipe);
    for (text, code) in [(GAME.to_owned(), 0), (GAME.replace("h9g7", "h9e9"), 2)] {
        let path = pipe.clone();
        let writer = std::thread::spawn(move || fs::write(path, text));
        let [games, out] = [&pipe, &files.path("book.db")].map(|path| path.to_str().unwrap().to_owned());
        roughboard(&["book", "build", &games, "--out", &out, "--force"]).ended(code);
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn the_commands_take_folders_archives_and_encodings() {
    let files = Files::new();
    fs::create_dir(files.path("games")).unwrap();
    files.write("games/a.zip", zip_of(&[("1.pgn", &BIG5.encode(CHINESE[0]).0), ("LICENSE", b"Free.")]));
    files.write("games/b.pgn", GAME);
    let folder = files.argument("games");
    let account = roughboard(&["games", "read", "--json", &folder]).ended(0).json();
    assert_eq!(
        (&account["read"], &account["kept"], &account["dropped"]["not games"]),
        (&3.into(), &2.into(), &1.into())
    );
    let account = roughboard(&["games", "read", "--json", "--encoding", "utf-8", &folder]).ended(1).json();
    assert_eq!(account["dropped"]["encoding"], 1);
    assert!(
        roughboard(&["games", "read", "--encoding", "latin", &folder]).ended(2).stderr.contains("expected one of auto")
    );
}

#[test]
fn every_file_of_the_raw_collection_is_read() {
    let Some(path) = collection("ccpd-raw-to-2004.tar.zst") else { return };
    let (_, account) = read_path(&path);
    let counts = account.by_reason();
    assert_eq!(account.read(), 49_718);
    assert_eq!(counts.get(&Reason::NotGames), Some(&2), "README and LICENSE");
    for reason in [Reason::Encoding, Reason::Unreadable, Reason::Syntax, Reason::TooLong] {
        assert_eq!(counts.get(&reason), None, "{reason}");
    }
}

#[test]
fn what_is_piped_in_is_taken_for_games_whatever_it_begins_with() {
    let text = "x".repeat(2 << 20) + "\n\n" + GAME;
    let (games, account) = read("-", text.as_bytes());
    assert_eq!((games.len(), reasons(&account)), (1, vec![Reason::TooLong]));
    let (games, account) = read("notes.txt", text.as_bytes());
    assert_eq!((games.len(), reasons(&account)), (0, vec![Reason::NotGames]));
}

/// Every command that reads games says so: here three that read them in three ways.
#[test]
fn a_plain_file_that_is_cut_in_its_last_game_is_told_of() {
    let files = Files::new();
    let cut = files.write("cut.pgn", GAME.to_owned() + "\n" + GAME.trim_end().trim_end_matches("1-0"));
    let whole = files.write("whole.pgn", GAME.replace("h0g2 1-0", "h0g2").repeat(2));
    let out = |name: &str| files.path(name).display().to_string();
    let note = format!(
        "note: {}: game 2 (line 6): the last game has no result after its moves, which the other games have: is the file cut short?\n",
        cut.display()
    );
    for (path, note) in [(&cut, &*note), (&whole, "")] {
        let path = path.to_str().unwrap();
        let read = roughboard(&["games", "read", "--quiet", path]).ended(0);
        assert_eq!(read.stderr, note);
        assert_eq!(roughboard(&["games", "read", path, "--json"]).ended(0).json()["kept"], 2);
        let import = roughboard(&["games", "import", path, "--out", &out("clean.pgn"), "--force"]);
        assert_eq!(import.stderr.contains("is the file cut short?"), !note.is_empty(), "{}", import.stderr);
        let table = roughboard(&["table", "build", "--games", path, "--out", &out("table.csv"), "--force"]);
        assert_eq!(table.stderr.contains("is the file cut short?"), !note.is_empty(), "{}", table.stderr);
    }
}

#[test]
fn an_invalid_game_leads_to_the_option_that_leaves_it_out_where_there_is_one() {
    let files = Files::new();
    let games = files.write("bad.pgn", format!("{GAME}\n{}", GAME.replace("h9g7", "Che3")));
    let games = games.to_str().unwrap();
    let run =
        |arguments: &[&str]| roughboard(&[arguments, &["--out", files.path("out.parquet").to_str().unwrap()]].concat());
    let refused = run(&["table", "build", "--games", games]).ended(2).stderr;
    assert!(refused.starts_with("error: invalid game (`--drop-invalid` leaves such games out): "), "{refused}");
    let refused = run(&["match", "traditional", "random", "--openings", games]).ended(2).stderr;
    assert!(refused.starts_with("error: ") && !refused.contains("--drop-invalid"), "{refused}");
    assert!(!run(&["table", "build", "--games", games, "--drop-invalid"]).ended(0).stderr.contains("--drop-invalid"));
}
