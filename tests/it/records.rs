//! Game records: what is read, what is dropped and why, and that nothing is lost on the way out and in.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use roughboard::disk::FileError;
use roughboard::game::{Game, Notation, Outcome, Side};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::{Observer, Silent};
use roughboard::record::{
    Account, DEFAULT_LEVEL, Duplicates, Flaw, GameRecord, Policy, Reason, RecordError, check_writable, read_bytes,
    read_games, to_pgn, write_games,
};

use crate::command::{collection, roughboard};

type Games = Vec<GameRecord<Xiangqi>>;

const GAME: &str = "[Event \"cup\"]\n[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n";

fn read(text: &str) -> (Games, Account) {
    let (games, account) = read_bytes("games.pgn", text.as_bytes(), Policy::Drop).unwrap();
    let dropped: u64 = account.by_reason().values().sum();
    assert_eq!(account.read(), account.kept() + dropped);
    assert_eq!(account.kept(), games.len() as u64);
    (games, account)
}

fn only_flaw(text: &str) -> Flaw {
    let (games, account) = read(text);
    assert!(games.is_empty() && account.read() == 1, "{account:?}");
    account.dropped()[0].flaw.clone()
}

/// `count` good games, but the `bad`-th (from 1) has an illegal second move.
fn with_illegal_move(count: usize, bad: usize) -> String {
    let game = |n| if n == bad { GAME.replace("h9g7", "h9e9") } else { GAME.to_owned() };
    (1..=count).map(game).collect::<Vec<_>>().join("\n")
}

pub fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn all_spellings_of_a_move_are_read() {
    for text in ["h2e2 h9g7", "H2-E2 H9-G7", "1. h2e2 h9g7", "1.H2-E2! {good} (1. b2e2 $1) 1... H9-G7", "1 h2e2 h9g7"] {
        let (games, _) = read(&format!("[Result \"0-1\"]\n\n{text}\n"));
        assert_eq!(games[0].moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["h2e2", "h9g7"], "{text}");
        assert_eq!(games[0].outcome, Some(Outcome::Win(Side::Second)));
    }
}

#[test]
fn byte_order_marks_and_carriage_returns_are_passed_over() {
    let (games, account) = read(&format!("\u{feff}{}", format!("{GAME}\n{GAME}").replace('\n', "\r\n")));
    assert_eq!((games.len(), account.dropped().len()), (2, 0));
    assert_eq!(games[0].tag("Event"), Some("cup"));
    let lines: Vec<u64> = games.iter().map(|game| game.source.as_ref().unwrap().line).collect();
    assert_eq!(lines, [1, 6]);
}

#[test]
fn the_result_comes_from_the_tag_or_from_the_end_of_the_moves() {
    for text in ["[Result \"1-0\"]\n\nh2e2\n", "[Event \"\"]\n\nh2e2 1-0\n", "[Result \"*\"]\n\nh2e2 1-0\n"] {
        assert_eq!(read(text).0[0].outcome, Some(Outcome::Win(Side::First)), "{text}");
    }
}

#[test]
fn words_of_colour_are_those_of_the_sides() {
    for (words, winner) in [("红胜 红方勝 白胜 黑负", Side::First), ("黑胜 黑方勝 红负 白負", Side::Second)]
    {
        for word in words.split(' ') {
            let texts = [format!("[Result \"{word}\"]\n\nh2e2\n"), format!("[Event \"\"]\n\nh2e2 {word}\n")];
            for text in texts {
                assert_eq!(read(&text).0[0].outcome, Some(Outcome::Win(winner)), "{text}");
            }
        }
    }
}

#[test]
fn an_escaped_line_among_the_tags_belongs_to_the_game() {
    let (games, account) = read("[Event \"x\"]\n% note {\n[Red \"a\"]\n[Result \"1-0\"]\n\nh2e2 h9g7 1-0\n");
    assert_eq!((games.len(), account.read()), (1, 1), "{account:?}");
    assert_eq!(["Event", "Red"].map(|name| games[0].tag(name)), [Some("x"), Some("a")]);
}

#[test]
fn of_a_tag_that_is_there_twice_the_last_counts() {
    let headers = "[Event \"a\"]\n[Result \"1-0\"]\n\n[Date \"1990\"]\n[Event \"b\"]\n[Result \"0-1\"]\n";
    let (games, account) = read(&format!("{headers}\nh2e2 h9g7 0-1\n"));
    assert_eq!(account.kept(), 1, "{account:?}");
    assert_eq!((games[0].tag("Event"), games[0].outcome), (Some("b"), Some(Outcome::Win(Side::Second))));
}

#[test]
fn every_kind_of_flaw_has_its_own_heading() {
    let fen = "[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 x\"]";
    let cases = [
        ("[Event \"x\"]\n\nh2e2 {open\n".to_owned(), Reason::Syntax),
        ("[Event x]\n\nh2e2 *\n".to_owned(), Reason::Syntax),
        ("[Result \"won\"]\n\nh2e2 *\n".to_owned(), Reason::Syntax),
        (format!("{fen}\n\ne0e1 1-0\n"), Reason::BadPosition),
        ("[Result \"1-0\"]\n\nh2e2 z2z5\n".to_owned(), Reason::UnreadableMove),
        ("[Result \"1-0\"]\n\nh2e9\n".to_owned(), Reason::IllegalMove),
        ("[Result \"1-0\"]\n\nh2e2 0-1\n".to_owned(), Reason::ContradictingResult),
        ("[Result \"1-0\"]\n\n".to_owned(), Reason::NoMoves),
        ("[Result \"*\"]\n\nh2e2 *\n".to_owned(), Reason::NoResult),
        ("[Event \"x\"]\n\nh2e2\n".to_owned(), Reason::NoResult),
    ];
    for (text, reason) in cases {
        assert_eq!(only_flaw(&text).reason(), reason, "{text}");
    }
}

#[test]
fn a_result_against_the_mate_on_the_board_is_a_contradiction() {
    // Two rooks mate on the last ranks.
    let mate = "[FEN \"4k4/R8/9/9/9/9/9/9/1R7/3K5 w\"]\n\nb1b9";
    assert_eq!(read(&format!("{mate} 1-0\n")).0.len(), 1);
    let flaw = only_flaw(&format!("{mate} 0-1\n"));
    assert_eq!(flaw.reason(), Reason::ContradictingBoard);
    assert!(flaw.to_string().starts_with("result 0-1 after the moves, but 1-0 "), "{flaw}");
}

#[test]
fn strict_reading_names_file_game_line_and_move() {
    let text = with_illegal_move(20, 17);
    let error = read_bytes::<Xiangqi>("games.pgn", text.as_bytes(), Policy::Strict).unwrap_err().to_string();
    let start = "games.pgn: game 17 (line 84), move 1 (ply 2): `h9e9` is illegal: ";
    assert!(error.starts_with(start) && error.len() > start.len(), "{error}");
    // A game without a result is no mistake.
    let unfinished = "[Result \"*\"]\n\nh2e2 *\n";
    let (_, account) = read_bytes::<Xiangqi>("games.pgn", unfinished.as_bytes(), Policy::Strict).unwrap();
    assert_eq!(account.dropped().len(), 1);
}

#[test]
fn dropping_costs_the_bad_game_only() {
    let (games, account) = read(&with_illegal_move(20, 17));
    assert_eq!((games.len(), account.invalid()), (19, 1));
    assert_eq!((account.dropped()[0].place.game, account.dropped()[0].place.line), (17, 84));
    let numbers: Vec<u64> = games.iter().map(|game| game.source.as_ref().unwrap().game).collect();
    assert_eq!(numbers, (1..=20).filter(|&n| n != 17).collect::<Vec<_>>());
}

#[test]
fn what_cannot_be_unpacked_stands_in_the_account_with_its_first_line() {
    let (_, account) = read_bytes::<Xiangqi>("bad.pgn.gz", b"\x1f\x8b\x08damaged", Policy::Drop).unwrap();
    assert_eq!(account.by_reason().get(&Reason::Unreadable), Some(&1), "{account:?}");
    let place = &account.dropped()[0].place;
    assert_eq!((place.game, place.line), (1, 1));
}

#[test]
fn batches_do_not_change_order_or_numbers() {
    let (games, account) = read(&with_illegal_move(2500, 1800));
    assert_eq!((account.read(), account.kept()), (2500, 2499));
    assert_eq!(account.dropped()[0].place.game, 1800);
    assert!(games.windows(2).all(|pair| pair[0].source.as_ref().unwrap().game < pair[1].source.as_ref().unwrap().game));
}

#[test]
fn moves_of_games_with_comments_are_numbered_by_turns_of_the_first_side() {
    let (games, _) = read(GAME);
    let text = to_pgn(&games[0]);
    assert!(text.contains("\nh2e2 h9g7 h0g2 1-0\n"), "{text}");
    let (mut games, _) = read(GAME);
    games[0].comments[0] = Some("usual".to_owned());
    let text = to_pgn(&games[0]);
    assert!(text.contains("\n1. h2e2 {usual} h9g7 2. h0g2 1-0\n"), "{text}");
    let start = games[0].start.notation().replace(" w", " b");
    let (games, _) = read(&format!("[FEN \"{start}\"]\n\nh9g7 {{solid}} h2e2 1-0\n"));
    let text = to_pgn(&games[0]);
    assert!(text.contains("\n1... h9g7 {solid} 2. h2e2 1-0\n") && text.contains("[FEN \""), "{text}");
}

#[test]
fn packed_files_are_the_same_bytes_every_time_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (games, _) = read(&with_illegal_move(40, 3));
    for name in ["a.pgn", "a.pgn.gz", "a.pgn.zst"] {
        let path = folder.path().join(name);
        write_games(&path, &games, DEFAULT_LEVEL).unwrap();
        let first = fs::read(&path).unwrap();
        write_games(&path, &games, DEFAULT_LEVEL).unwrap();
        assert_eq!(first, fs::read(&path).unwrap(), "{name}");
        let (again, account) = read_games::<Xiangqi>(&[&path], Policy::Strict, &Silent).unwrap();
        assert!(again == games && account.kept() == 39, "{name}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a partial file is left");
        fs::remove_file(path).unwrap();
    }
}

fn is_unwritten(error: &RecordError) -> bool {
    matches!(error, RecordError::File(FileError { action: "write file", .. }))
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("a.pgn");
    let error = write_games(&path, &read(GAME).0, DEFAULT_LEVEL).unwrap_err();
    assert!(is_unwritten(&error) && !path.exists());
}

#[test]
fn a_target_is_checked_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    check_writable(&path).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(folder.path().join("a.pgn.partial"), "of another run").unwrap();
    check_writable(&path).unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("a.pgn.partial")).unwrap(), "of another run");
    let error = check_writable(&folder.path().join("missing/a.pgn")).unwrap_err();
    assert!(matches!(error, RecordError::NoFolder { .. }), "{error}");
    let error = check_writable(folder.path()).unwrap_err();
    assert!(is_unwritten(&error), "{error}");
}

#[test]
fn duplicates_are_games_with_the_same_start_and_moves() {
    let other_start = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKAB1R w\"]";
    let texts = [
        GAME.to_owned(),
        GAME.replace("h0g2", "b0c2"),
        GAME.replace("cup", "another cup").replace("h9g7", "h9g7 {same}"),
        GAME.replace(" h0g2", ""),
        "[Result \"1-0\"]\n\nh2e2 1-0\n".to_owned(),
        format!("{other_start}\n[Result \"1-0\"]\n\nh2e2 1-0\n"),
        GAME.to_owned(),
    ];
    let (games, _) = read(&texts.join("\n"));
    let mut duplicates = Duplicates::default();
    let known: Vec<bool> = games.iter().map(|game| duplicates.add(game)).collect();
    assert_eq!(known, [false, false, true, false, false, false, true]);
    assert_eq!(duplicates.count(), 2);
}

/// Counts what is reported.
#[derive(Default)]
struct Counter {
    total: AtomicU64,
    done: AtomicU64,
}

impl Observer for Counter {
    fn begin(&self, _task: &str, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }
    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }
    fn remark(&self, _text: &str) {}
    fn end(&self) {}
}

#[test]
fn progress_adds_up_to_the_size_of_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.pgn", "b.pgn.zst"].map(|name| folder.path().join(name));
    for path in &paths {
        write_games(path, &read(&with_illegal_move(100, 0)).0, 3).unwrap();
    }
    let counter = Counter::default();
    let (games, _) = read_games::<Xiangqi>(&paths, Policy::Drop, &counter).unwrap();
    assert_eq!(games.len(), 200);
    assert_eq!(counter.done.into_inner(), counter.total.into_inner());
}

/// Comments as the reader gives them: words between single blanks. Some hold what PGN gives a meaning to.
fn comment() -> impl Strategy<Value = Option<String>> {
    let word = prop_oneof!["[a-z%;(){\\[\\]\"\\\\$]{1,12}", "[車馬炮+0-9.]{1,6}", Just("}".to_owned())];
    proptest::option::of(proptest::collection::vec(word, 1..12).prop_map(|words| words.join(" ")))
}

prop_compose! {
    fn a_record()(
        choices in proptest::collection::vec((any::<prop::sample::Index>(), comment()), 1..60),
        skip in 0..12_usize,
        prologue in comment(),
        tags in proptest::collection::vec(("[A-Z][A-Za-z0-9_]{2,8}|Event|Black|Date", "[^\\p{C}]{0,20}"), 0..8),
        outcome in prop_oneof![Just(Outcome::Draw), Just(Outcome::Win(Side::First)), Just(Outcome::Win(Side::Second))],
    ) -> GameRecord<Xiangqi> {
        let mut game = Xiangqi::start();
        let mut record = GameRecord::new(game.clone());
        for (ply, (choice, comment)) in choices.into_iter().enumerate() {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let mv = *choice.get(&moves);
            game.play(mv);
            if ply < skip {
                record.start = Xiangqi::from_notation(&game.notation()).unwrap();
            } else {
                record.push(mv, comment);
            }
        }
        let mated = game.end().filter(|_| game.end_by_history().is_none());
        record.outcome = Some(mated.map_or(outcome, |end| end.outcome));
        record.prologue = prologue;
        for (name, value) in tags {
            record.set_tag(&name, value);
        }
        record
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read_back(records in proptest::collection::vec(a_record(), 1..4)) {
        let records: Vec<_> = records.into_iter().filter(|record| !record.moves.is_empty()).collect();
        // A file without games has an entry of its own in the account.
        prop_assume!(!records.is_empty());
        let text = records.iter().map(to_pgn).collect::<Vec<_>>().join("\n");
        let (again, account) = read_bytes::<Xiangqi>("x.pgn", text.as_bytes(), Policy::Drop).unwrap();
        prop_assert!(account.dropped().is_empty(), "{:?}\n{text}", account.dropped());
        prop_assert!(again == records, "{text}");
        prop_assert_eq!(again.iter().map(to_pgn).collect::<Vec<_>>().join("\n"), text);
    }

    #[test]
    fn no_text_makes_the_reader_fail(text in "[\\[\\]{}();\"%$.*a-i0-9 \\n\\\\-]{0,200}|\\PC{0,100}") {
        read(&text);
    }

    #[test]
    fn no_damage_makes_the_reader_fail(at in 0..GAME.len(), byte in any::<u8>()) {
        let mut bytes = [GAME, GAME].join("\n").into_bytes();
        bytes[at] = byte;
        let (games, account) = read_bytes::<Xiangqi>("x.pgn", &bytes, Policy::Drop).unwrap();
        prop_assert_eq!(account.read(), games.len() as u64 + account.dropped().len() as u64);
        prop_assert!(!games.is_empty(), "the undamaged game is lost");
    }
}

#[test]
fn the_command_prints_the_account_and_says_by_its_code_whether_games_were_invalid() {
    let folder = tempfile::tempdir().unwrap();
    let good = file(folder.path(), "good.pgn", GAME);
    let text = roughboard(&["games", "read", &good]).ended(0).stdout;
    assert!(text.contains("red won 1, drawn 0, black won 0"), "{text}");
    let bad = file(folder.path(), "bad.pgn", with_illegal_move(20, 17));
    let text = roughboard(&["games", "read", &bad]).ended(1).stdout;
    assert!(text.contains("dropped: illegal move") && text.contains("game 17 (line 84)"), "{text}");
    let account = roughboard(&["games", "read", &bad, "--json"]).ended(1).json();
    assert_eq!((&account["read"], &account["kept"]), (&20.into(), &19.into()));
    assert_eq!((&account["dropped"]["illegal move"], &account["drops"][0]["game"]), (&1.into(), &17.into()));
}

#[test]
fn the_command_converts_what_it_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let input = file(folder.path(), "in.pgn", with_illegal_move(20, 17));
    let output = folder.path().join("out.pgn.zst").to_str().unwrap().to_owned();
    roughboard(&["games", "convert", &input, "--out", &output]).ended(0);
    let strict = ["games", "convert", &input, "--out", &output, "--force", "--max-wrong", "0"];
    assert!(roughboard(&strict).ended(1).stderr.contains("1 of 20 records are wrong"));
    assert!(roughboard(&["games", "read", "--strict", &output]).ended(0).stdout.contains("19"));
}

/// 0.29 · 100 is a little less than 29 in numbers of this kind.
#[test]
fn the_share_of_wrong_records_that_is_borne_is_met_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let game = |n| if n < 29 { GAME.replace("h9g7", "h9e9") } else { GAME.to_owned() };
    let input = file(folder.path(), "in.pgn", (0..100).map(game).collect::<Vec<_>>().join("\n"));
    roughboard(&["games", "read", &input, "--max-wrong", "0.29"]).ended(0);
    let error = roughboard(&["games", "read", &input, "--max-wrong", "0.28"]).ended(1).stderr;
    assert!(error.contains("29 of 100 records are wrong; `--max-wrong` allows a share of 0.28"), "{error}");
}

#[test]
fn bad_input_gives_one_clear_line_and_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let folder_path = folder.path();
    let bad_fen = "[FEN \"4k4/9/9 w\"]\n[Result \"1-0\"]\n\nh2e2 1-0\n";
    let packed = folder_path.join("whole.pgn.zst");
    write_games(&packed, &read(&with_illegal_move(3000, 0)).0, 3).unwrap();
    let bytes = fs::read(&packed).unwrap();
    let missing = folder_path.join("missing.pgn").to_str().unwrap().to_owned();
    let cases = [
        (missing, vec!["cannot open game file", "missing.pgn"]),
        (file(folder_path, "cut.pgn.zst", &bytes[..bytes.len() / 2]), vec!["cut.pgn.zst", "is cut short", "game "]),
        (file(folder_path, "empty.pgn.zst", ""), vec!["is cut short"]),
        (file(folder_path, "false.pgn.gz", GAME), vec!["cannot read game file", "false.pgn.gz"]),
        (file(folder_path, "bad.pgn", with_illegal_move(20, 17)), vec!["game 17 (line 84)", "`h9e9` is illegal"]),
        (file(folder_path, "fen.pgn", bad_fen), vec!["game 1 (line 1)", "tag FEN", "expected", "found"]),
    ];
    for (path, words) in cases {
        let message = roughboard(&["games", "read", "--strict", &path]).refusal();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
}

#[test]
fn the_expert_games_read_as_their_tags_say() {
    let Some(path) = collection("xiangqi-expert-8039.pgn.zst") else { return };
    let (games, account) = read_games::<Xiangqi>(&[&path], Policy::Strict, &Silent).unwrap();
    assert_eq!((account.read(), account.kept(), games.len()), (8039, 8039, 8039));
    let text = String::from_utf8(zstd::decode_all(fs::File::open(&path).unwrap()).unwrap()).unwrap();
    for result in ["1-0", "1/2-1/2", "0-1"] {
        let tags = text.matches(&format!("[Result \"{result}\"]")).count();
        assert_eq!(games.iter().filter(|game| game.result() == result).count(), tags, "{result}");
    }
    let text = games.iter().map(to_pgn).collect::<Vec<_>>().join("\n");
    let (again, _) = read_bytes::<Xiangqi>("again.pgn", text.as_bytes(), Policy::Strict).unwrap();
    assert!(again == games, "the expert games do not survive a round trip");
}
