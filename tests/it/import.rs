//! Cleaning and selection: each step alone and in order, the account, and what the result does not depend on.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rand::RngExt;
use roughboard::game::symmetry::{MIRROR, Symmetric};
use roughboard::game::{Game, Notation, Outcome, Side};
use roughboard::games::connect6::Connect6;
use roughboard::games::surakarta::Surakarta;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::Silent;
use roughboard::random::stream;
use roughboard::record::clean::{Cleaning, Importer, Kept, Reflection, Sample, Step, game_key};
use roughboard::record::{
    Balance, EventClass, FileName, GameRecord, GameSelection, Policy, ReadSettings, Reason, Scrutiny, SourceLocation,
    Stated, TagPattern, for_each_record, read_games, to_pgn,
};
use roughboard::settings::Choices;

use crate::command::{Files, Run, collection, contents, roughboard};
use crate::house::root;

type Record = GameRecord<Xiangqi>;

const RED: Option<Outcome> = Some(Outcome::Win(Side::First));
const BLACK: Option<Outcome> = Some(Outcome::Win(Side::Second));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// A game of random moves, drawn, between named players.
fn game(seed: u64, plies: usize) -> Record {
    let mut position = Xiangqi::start();
    let mut record = GameRecord::new(position.clone());
    let mut random = stream(seed, "test games", 0);
    for _ in 0..plies {
        let mut moves = position.moves();
        moves.retain(|&mv| {
            let mut after = position.clone();
            after.play(mv);
            after.end().is_none()
        });
        let mv = moves[random.random_range(0..moves.len())];
        position.play(mv);
        record.push(mv, None);
    }
    with_result(with_tags(record, &[("Red", "甲"), ("Black", "乙")]), DRAW)
}

#[test]
fn the_first_player_may_be_called_white() {
    let called = |white: &str| {
        let record = game(7, 40);
        let mut renamed = GameRecord::new(record.start.clone());
        record.moves.iter().for_each(|&mv| renamed.push(mv, None));
        with_result(with_tags(renamed, &[("White", white), ("Black", "Karl")]), DRAW)
    };
    assert_eq!(called("Anna").player(Side::First), Some("Anna"));
    let both = with_tags(called("Anna"), &[("Red", "Berta")]);
    assert_eq!(both.player(Side::First), Some("Berta"), "the own tag goes first");
    let unknown = with_tags(called("Anna"), &[("Red", "?")]);
    assert_eq!(unknown.player(Side::First), Some("Anna"), "unless it says nothing");
    let connect6 = GameRecord::new(Connect6::start());
    assert_eq!(connect6.player(Side::First), None, "white moves second there");
}

fn with_tags(mut record: Record, tags: &[(&str, &str)]) -> Record {
    tags.iter().for_each(|(name, value)| record.set_tag(name, *value));
    record
}

fn with_result(mut record: Record, outcome: Option<Outcome>) -> Record {
    record.outcome = outcome;
    record.stated = Stated { in_tag: outcome, ..Stated::default() };
    record
}

fn in_file(mut record: Record, file: &str) -> Record {
    let file = FileName { shown: file.into(), asked: 0 };
    record.source = Some(SourceLocation { document: 0, file, game: 1, line: 1 });
    record
}

fn cut(record: &Record, plies: usize) -> Record {
    let mut short = record.clone();
    short.moves.truncate(plies);
    short.comments.truncate(plies);
    short
}

pub fn mirrored(record: &Record) -> Record {
    let mut image = record.clone();
    image.moves.iter_mut().for_each(|mv| *mv = record.start.image_move(*mv, MIRROR));
    image
}

struct Outcomes {
    kept: Vec<Record>,
    balance: Balance,
    /// File, heading and detail of each record.
    rows: Vec<[String; 3]>,
}

/// Cleans `records`; without a place of their own they are put into files `0`, `1`, …
fn import(records: &[Record], cleaning: &Cleaning) -> Outcomes {
    let files = Files::new();
    let mut importer = Importer::new(cleaning.clone(), Some(Reflection::default()), files.folder.path()).unwrap();
    for (number, record) in records.iter().enumerate() {
        let placed =
            if record.source.is_some() { record.clone() } else { in_file(record.clone(), &number.to_string()) };
        importer.enter(Ok(placed)).unwrap();
    }
    let mut cleaned = importer.finish().unwrap();
    let mut kept = Vec::new();
    cleaned
        .for_each_kept(&Silent, |game: Kept<Xiangqi>| {
            assert_eq!(game.key, game_key(&game.record));
            kept.push(game.record);
            Ok(())
        })
        .unwrap();
    cleaned.write_account(&files.path("account.csv")).unwrap();
    let mut reader = csv::Reader::from_path(files.path("account.csv")).unwrap();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        [row[0].to_owned(), row[3].to_owned(), row[4].to_owned()]
    });
    let outcomes = Outcomes { kept, balance: cleaned.balance().clone(), rows: rows.collect() };
    assert_eq!(std::fs::read_dir(files.folder.path()).unwrap().count(), 1, "something is left on the disk");
    outcomes.check(records.len());
    outcomes
}

impl Outcomes {
    /// The law of the account, in the balance and in the rows.
    fn check(&self, records: usize) {
        assert_eq!(self.balance.read, records as u64);
        assert_eq!(self.balance.kept, self.kept.len() as u64);
        assert_eq!(self.balance.read, self.balance.kept + self.balance.dropped.values().sum::<u64>());
        let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
        self.rows.iter().for_each(|[_, heading, _]| *counted.entry(heading).or_default() += 1);
        let mut expected: BTreeMap<&str, u64> =
            self.balance.dropped.iter().map(|(reason, &count)| (reason.name(), count)).collect();
        if !self.kept.is_empty() {
            expected.insert("kept", self.balance.kept);
        }
        assert_eq!(counted, expected);
    }

    fn headings(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row[1].as_str()).collect()
    }
}

fn headings(records: &[Record], cleaning: &Cleaning) -> Vec<String> {
    import(records, cleaning).headings().into_iter().map(str::to_owned).collect()
}

fn without(step: Step) -> Cleaning {
    Cleaning { off: vec![step], ..Cleaning::default() }
}

const KEPT: &str = "kept";

#[test]
fn plies_without_capture_and_rules_are_part_of_the_start() {
    let usual = game(1, 40);
    let from = |counters: &str| {
        let fen = Xiangqi::start().notation().replace("0 1", counters);
        let mut record = GameRecord::new(Xiangqi::from_notation(&fen).unwrap());
        usual.moves.iter().for_each(|&mv| record.push(mv, None));
        with_result(with_tags(record, &[("Red", "甲"), ("Black", "乙")]), DRAW)
    };
    let records = [usual.clone(), from("0 60"), from("20 1")];
    assert_eq!(headings(&records, &Cleaning::default()), [KEPT, "exact duplicate", "fragment or puzzle"]);
    assert_eq!(headings(&records, &without(Step::Fragments)), [KEPT, "exact duplicate", KEPT]);
    let surakarta = |more: &str| {
        let text = format!("{}{more}", Surakarta::start().notation());
        game_key(&GameRecord::new(Surakarta::from_notation(&text).unwrap()))
    };
    assert_eq!(surakarta(" 0"), surakarta(""));
    assert!(surakarta(" 0 quiet=80") != surakarta("") && surakarta(" 3") != surakarta(" 4"));
}

/// Each step has its heading, and none if it is turned off.
#[test]
fn each_step_drops_what_it_is_for_and_can_be_turned_off() {
    let usual = game(1, 60);
    let started_later = {
        let mut record = GameRecord::new(cut(&usual, 6).last_position());
        game(2, 50).moves.iter().take(0).for_each(|&mv| record.push(mv, None));
        let mut position = record.start.clone();
        for &mv in &usual.moves[6..] {
            position.play(mv);
            record.push(mv, None);
        }
        with_result(record, DRAW)
    };
    let mate = {
        let start = Xiangqi::from_notation("4k4/R8/9/9/9/9/9/9/1R7/3K5 w").unwrap();
        let mut record = GameRecord::new(start.clone());
        record.push(start.parse_move("b1b9").unwrap(), None);
        record
    };
    let any_start = Cleaning { off: vec![Step::Fragments], min_plies: 1, ..Cleaning::default() };
    assert_eq!(headings(&[with_result(mate.clone(), BLACK)], &any_start), ["result contradicts the board"]);
    assert_eq!(import(&[mate], &any_start).kept[0].outcome, RED);
    let contradicting = {
        let mut record = with_result(game(5, 30), RED);
        record.stated.after_moves = BLACK;
        record
    };
    let cases = [
        (Step::Fragments, "fragment or puzzle", started_later),
        (Step::Fragments, "fragment or puzzle", in_file(game(3, 30), "a.tar/Dataset/殺局_殺法_練習題/1.pgn")),
        (Step::Computer, "computer game", in_file(game(3, 30), "Dataset/對局/電腦對局/人機賽/1.pgn")),
        (Step::Computer, "computer game", with_tags(game(3, 30), &[("Event", "2004年人機大戰")])),
        (Step::Computer, "computer game", with_tags(game(3, 30), &[("Event", "World Computer Championship")])),
        (Step::NoResult, "no result", with_result(game(4, 30), None)),
        (Step::AfterMoves, "contradicting results", contradicting),
        (Step::Title, "result contradicts the title", with_tags(game(5, 30), &[("Event", "某杯 李來群(先負)胡榮華")])),
        (Step::Short, "too short", game(6, 9)),
        (Step::Short, "no moves", game(6, 0)),
    ];
    for (step, heading, record) in cases {
        let found = headings(std::slice::from_ref(&record), &Cleaning::default());
        assert_eq!(found, [heading], "{}", to_pgn(&record));
        assert_eq!(headings(&[record], &without(step)), [KEPT], "{}", step.name());
    }
    for folder in ["對局/以開局分類/中炮局/1.pgn", "中局"] {
        assert_eq!(headings(&[in_file(game(3, 30), folder)], &Cleaning::default()), [KEPT], "{folder}");
    }
}

#[test]
fn each_comparison_drops_what_it_is_for_and_can_be_turned_off() {
    let usual = game(1, 60);
    let dated = with_tags(usual.clone(), &[("Date", "1990")]);
    let near = {
        let mut other = cut(&usual, 45);
        let position = other.last_position();
        let mut moves = position.moves();
        moves.retain(|&mv| mv != usual.moves[45]);
        other.push(moves[0], None);
        other
    };
    let cases = [
        (Step::Conflicts, "copies with conflicting results", vec![usual.clone(), with_result(usual.clone(), RED)], 2),
        (Step::Duplicates, "exact duplicate", vec![usual.clone(), usual.clone()], 1),
        (Step::FiledAgain, "filed again with other headers", vec![dated, usual.clone()], 1),
        (Step::Prefixes, "prefix of a longer record", vec![usual.clone(), cut(&usual, 32)], 1),
        (Step::Mirrored, "mirror image of another game", vec![usual.clone(), mirrored(&usual)], 1),
        (Step::Near, "near-duplicate", vec![usual.clone(), near], 1),
    ];
    for (step, heading, records, dropped) in cases {
        let found = import(&records, &Cleaning::default());
        assert_eq!(found.headings().iter().filter(|&&found| found == heading).count(), dropped, "{heading}");
        assert_eq!(found.kept.len(), 2 - dropped);
        assert_eq!(headings(&records, &without(step)), [KEPT, KEPT], "{}", step.name());
    }
}

#[test]
fn one_of_all_images_of_a_game_is_kept() {
    let files = Files::new();
    let cleaning = Cleaning { min_plies: 0, ..Cleaning::default() };
    let mut importer = Importer::new(cleaning, Some(Reflection::default()), files.folder.path()).unwrap();
    let start = Connect6::start();
    for image in 0..Connect6::IMAGES {
        let mut record = GameRecord::new(start.clone());
        for name in ["j10", "k11", "i12"] {
            record.push(start.image_move(start.parse_move(name).unwrap(), image), None);
        }
        record.outcome = DRAW;
        importer.enter(Ok(record)).unwrap();
    }
    let cleaned = importer.finish().unwrap();
    let others = BTreeMap::from([(Reason::MirrorImage, Connect6::IMAGES as u64 - 1)]);
    assert_eq!((cleaned.balance().kept, &cleaned.balance().dropped), (1, &others));
}

#[test]
fn the_account_says_which_copy_is_kept_even_if_that_one_stands_back_later() {
    let longest = game(1, 60);
    let shorter = cut(&longest, 40);
    let complete = with_tags(cut(&longest, 30), &[("Date", "1990"), ("Site", "北京")]);
    let found =
        import(&[cut(&longest, 30), complete, shorter, mirrored(&longest), longest.clone()], &Cleaning::default());
    let expected = ["filed again with other headers", "prefix of a longer record", "prefix of a longer record", KEPT];
    assert_eq!(found.headings()[..4], expected);
    assert_eq!(found.headings()[4], "mirror image of another game");
    for index in [0, 1, 2, 4] {
        assert_eq!(found.rows[index][2], "kept: 3: game 1 (line 1)", "{:?}", found.rows[index]);
    }
    assert_eq!(found.rows[3][2], "");
}

#[test]
fn copies_are_outvoted_by_headers_and_not_by_files() {
    let draw = game(1, 60);
    let won = with_tags(with_result(draw.clone(), RED), &[("Date", "1990")]);
    let again = with_tags(won.clone(), &[("Date", "1990-10")]);
    let found = headings(&[draw.clone(), draw.clone(), draw.clone(), won.clone(), again], &Cleaning::default());
    assert_eq!(found[..3], ["copies with conflicting results"; 3]);
    assert_eq!(found[3..], [KEPT, "filed again with other headers"]);
    let found = headings(&[draw.clone(), draw, won], &Cleaning::default());
    assert_eq!(found, ["copies with conflicting results"; 3]);
}

#[test]
fn headers_are_the_same_in_whatever_order_their_tags_stand() {
    let tags = [("ECCO", "C00"), ("Opening", "中炮")];
    let [one, other] = [tags, [tags[1], tags[0]]].map(|tags| with_tags(game(1, 60), &tags));
    assert_eq!(headings(&[one.clone(), other.clone()], &Cleaning::default()), [KEPT, "exact duplicate"]);
    // Two copies of one header do not outvote another result.
    let won = with_tags(with_result(game(1, 60), RED), &[("Date", "1990")]);
    assert_eq!(headings(&[one, other, won], &Cleaning::default()), ["copies with conflicting results"; 3]);
}

#[test]
fn a_missing_result_is_taken_from_the_title() {
    let untold = with_tags(with_result(game(1, 40), None), &[("Event", "1965年全國個人賽 楊官璘 勝 李義庭")]);
    assert_eq!(import(std::slice::from_ref(&untold), &Cleaning::default()).kept[0].outcome, RED);
    assert_eq!(headings(&[untold], &without(Step::Fill)), ["no result"]);
}

#[test]
fn the_first_fitting_heading_counts() {
    let all_wrong = with_tags(with_result(game(1, 4), None), &[("Event", "人機賽")]);
    let fragment = in_file(all_wrong.clone(), "中局/1.pgn");
    let expected = ["fragment or puzzle", "computer game", "no result", "too short", "not selected: event", KEPT];
    let cleaning = Cleaning {
        selection: GameSelection { events: vec!["杯".to_owned()], ..GameSelection::default() },
        ..Cleaning::default()
    };
    let records = [
        fragment,
        all_wrong,
        with_result(game(1, 4), None),
        game(1, 4),
        game(1, 40),
        with_tags(game(1, 40), &[("Event", "五羊杯")]),
    ];
    assert_eq!(headings(&records, &cleaning), expected);
}

#[test]
fn every_filter_has_its_heading() {
    let record = with_tags(
        game(1, 40),
        &[("Event", "1990年全國象棋團體賽"), ("Date", "1990.4.2"), ("Site", "昆明"), ("Red", "廣東許銀川")],
    );
    let tag = |pattern| vec![TagPattern { name: "Site".to_owned(), pattern: regex::Regex::new(pattern).unwrap() }];
    let yes = GameSelection {
        events: vec!["五羊杯".to_owned(), "團體".to_owned()],
        classes: vec![EventClass::NationalTeam],
        players: vec!["許銀川".to_owned()],
        years: Some(1990..=2004),
        results: vec![Outcome::Draw, Outcome::Win(Side::First)],
        tags: tag("^昆"),
    };
    let selecting = |selection| Cleaning { selection, ..Cleaning::default() };
    assert_eq!(headings(std::slice::from_ref(&record), &selecting(yes.clone())), [KEPT]);
    let no = [
        (GameSelection { events: vec!["五羊杯".to_owned()], ..yes.clone() }, Reason::OtherEvent),
        (
            GameSelection { classes: vec![EventClass::NationalIndividual, EventClass::Wuyang], ..yes.clone() },
            Reason::OtherClass,
        ),
        (GameSelection { players: vec!["呂欽".to_owned()], ..yes.clone() }, Reason::OtherPlayer),
        (GameSelection { years: Some(1991..=2004), ..yes.clone() }, Reason::OtherYear),
        (GameSelection { results: vec![Outcome::Win(Side::Second)], ..yes.clone() }, Reason::OtherResult),
        (GameSelection { tags: tag("京"), ..yes.clone() }, Reason::OtherTag),
    ];
    for (selection, reason) in no {
        assert_eq!(headings(std::slice::from_ref(&record), &selecting(selection)), [reason.name()]);
    }
    // The title tells the year where the tag does not.
    let undated = with_tags(record, &[("Date", "4月2日")]);
    assert_eq!(headings(std::slice::from_ref(&undated), &selecting(yes.clone())), [KEPT]);
    let untold = with_tags(undated, &[("Event", "全國象棋團體賽")]);
    assert_eq!(headings(&[untold], &selecting(yes)), [Reason::UnknownDate.name()]);
}

#[test]
fn a_sample_does_not_depend_on_what_else_there_is() {
    let games: Vec<Record> = (0..60).map(|seed| game(seed, 20)).collect();
    let drawn = |games: &[Record], sample| {
        let cleaning = Cleaning { sample: Some(sample), seed: 7, ..Cleaning::default() };
        import(games, &cleaning).kept.iter().map(to_pgn).collect::<Vec<_>>()
    };
    assert_eq!(drawn(&games, Sample::Games(10)).len(), 10);
    let share = drawn(&games, Sample::Share(0.5));
    assert!((15..45).contains(&share.len()), "{}", share.len());
    let of_half: Vec<String> = drawn(&games[..30], Sample::Share(0.5));
    assert_eq!(of_half[..], share[..of_half.len()]);
}

/// Records with everything that a step looks for.
fn a_collection() -> impl Strategy<Value = Vec<Record>> {
    let tags = prop_oneof![
        Just(vec![]),
        Just(vec![("Date", "1990")]),
        Just(vec![("Event", "某杯 李來群(先勝)胡榮華")]),
        Just(vec![("Event", "人機賽"), ("Site", "北京")]),
    ];
    let outcome = prop_oneof![Just(RED), Just(DRAW), Just(DRAW), Just(BLACK), Just(None)];
    let record = (0..4_u64, 0..60_usize, tags, outcome, any::<bool>(), any::<bool>()).prop_map(
        |(seed, plies, tags, outcome, flip, whole)| {
            let plies = if whole { 60 } else { plies };
            let record = with_result(with_tags(game(seed, plies), &tags), outcome);
            if flip { mirrored(&record) } else { record }
        },
    );
    proptest::collection::vec(record, 0..25)
}

/// What a set of kept games is, whatever copy of each is kept.
fn content(games: &[Record]) -> Vec<(u64, &'static str)> {
    let mut content: Vec<_> = games.iter().map(|game| (game_key(game), game.result())).collect();
    content.sort_unstable();
    content
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// [`import`] checks the law of the account; what is kept is clean.
    #[test]
    fn importing_the_result_again_drops_nothing(records in a_collection()) {
        let once = import(&records, &Cleaning::default());
        let placed: Vec<_> = once.kept.iter().map(|game| with_result(game.clone(), game.outcome)).collect();
        let again = import(&placed, &Cleaning::default());
        prop_assert_eq!(again.balance.dropped, BTreeMap::new());
        prop_assert!(again.kept == once.kept);
    }

    /// The steps before mirror images and near-duplicates, which choose between different games, keep the same games in any
    /// order; the counts under each heading are the same too.
    #[test]
    fn what_is_kept_does_not_depend_on_the_order(records in a_collection(), by in 0..25_usize) {
        let cleaning = Cleaning { off: vec![Step::Mirrored, Step::Near], ..Cleaning::default() };
        let mut turned = records.clone();
        turned.rotate_left(by.min(records.len()));
        turned.reverse();
        let (one, other) = (import(&records, &cleaning), import(&turned, &cleaning));
        prop_assert_eq!(content(&one.kept), content(&other.kept));
        prop_assert_eq!(one.balance, other.balance);
    }

    /// A slow and obvious search for copies and prefixes finds nothing among what is kept.
    #[test]
    fn nothing_that_is_kept_repeats_another(records in a_collection()) {
        let kept = import(&records, &Cleaning { prefix_plies: 0, ..Cleaning::default() }).kept;
        for (index, game) in kept.iter().enumerate() {
            for other in &kept[index + 1..] {
                let (short, long) = if game.moves.len() < other.moves.len() { (game, other) } else { (other, game) };
                prop_assert!(!long.moves.starts_with(&short.moves), "{}\n{}", to_pgn(short), to_pgn(long));
                prop_assert!(mirrored(short).moves != long.moves);
            }
        }
    }
}

#[test]
fn the_command_writes_games_positions_and_account() {
    let files = Files::new();
    let text = |records: &[Record]| records.iter().map(to_pgn).collect::<Vec<_>>().join("\n");
    let usual = game(1, 40);
    let records = [usual.clone(), usual.clone(), game(2, 30), game(3, 5)];
    let input = files.write("raw.pgn", text(&records) + "\n[Result \"1-0\"]\n\nh2e9 1-0\n");
    let path = |name: &str| files.argument(name);
    let run = |out: &str, more: &[&str]| {
        let fixed =
            ["games", "import", input.to_str().unwrap(), "--out", &path(out), "--account", &path("account.csv")];
        roughboard(&[&fixed, more, &["--force"]].concat())
    };
    let printed = run("clean.pgn", &["--positions", &path("positions.csv")]).ended(0).stdout;
    assert!(printed.contains("dropped: exact duplicate") && printed.contains("illegal move"), "{printed}");
    let account = std::fs::read_to_string(path("account.csv")).unwrap();
    let headings: Vec<&str> = account.lines().skip(1).map(|row| row.split(',').nth(3).unwrap()).collect();
    assert_eq!(headings, [KEPT, "exact duplicate", KEPT, "too short", "illegal move"]);
    let positions = std::fs::read_to_string(path("positions.csv")).unwrap();
    assert_eq!(positions.lines().count(), 1 + 41 + 31);
    assert!(positions.starts_with("game,ply,fen,move,side,value\n1,0,rnbakabnr/"), "{positions}");
    let kept = roughboard(&["games", "read", "--strict", &path("clean.pgn"), "--json"]).ended(0).json();
    assert_eq!(kept["kept"], 2);
    let balance = run("clean.csv", &["--json"]).ended(0).json();
    assert_eq!(
        (&balance["read"], &balance["kept"], &balance["dropped"]["exact duplicate"]),
        (&5.into(), &2.into(), &1.into())
    );
    assert_eq!(std::fs::read_to_string(path("clean.csv")).unwrap().lines().count(), 3);
    run("clean.parquet", &[]).ended(0);
    let first = std::fs::read(path("clean.parquet")).unwrap();
    run("clean.parquet", &["--threads", "1"]).ended(0);
    assert!(first.starts_with(b"PAR1") && first == std::fs::read(path("clean.parquet")).unwrap());
    let missing = |name: &str| {
        let info = roughboard(&["rough", "info", &path(name), "--decision", "plies", "--json"]).ended(0).json();
        let attributes = info["attributes"].as_array().unwrap().iter();
        attributes.map(|attribute| attribute["missing"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(missing("clean.parquet"), missing("clean.csv"));
    run("clean.pgn", &["--keep", "duplicates,short", "--max-wrong", "0.2"]).ended(0);
    let failed = run("clean.pgn", &["--keep", "duplicates,short", "--max-wrong", "0.1"]).ended(1).stderr;
    assert!(failed.contains("1 of 5 records are wrong") && failed.contains("0.1"), "{failed}");
    assert_eq!(roughboard(&["games", "read", &path("clean.pgn"), "--json"]).ended(0).json()["kept"], 4);
    let message = run("clean.txt", &[]).refusal();
    assert!(message.contains(".parquet"), "{message}");
    assert!(run("clean.pgn", &["--keep", "everything"]).ended(2).stderr.contains("expected one of fragments"));
    assert_eq!(std::fs::read_dir(files.folder.path()).unwrap().count(), 6, "partial files are left");
}

#[test]
fn the_help_of_selection_holds_what_selects() {
    let help = roughboard(&["games", "import", "--help"]).ended(0).stdout;
    let (others, selection) = help.split_once("\nSelection:\n").unwrap();
    for option in ["--max-wrong <SHARE>", "\n      --json\n", "\n      --csv\n"] {
        assert!(others.contains(option) && !selection.contains(option), "{option}: {help}");
    }
}

#[test]
fn what_changes_nothing_is_refused_or_noted() {
    let files = Files::new();
    let input = files.write("raw.pgn", to_pgn(&with_tags(game(1, 40), &[("Red", "one"), ("Black", "two")])));
    let path = |name: &str| files.argument(name);
    let run = |command: &str, out: &str, more: &[&str]| {
        roughboard(&[&["games", command, input.to_str().unwrap(), "--out", &path(out)], more].concat())
    };
    let refusals: [(&str, &[&str], &str); 5] = [
        ("convert", &["--strict", "--max-wrong", "1"], "`--max-wrong` has no effect with `--strict`: leave it out"),
        (
            "convert",
            &["--level", "22"],
            "out.pgn`: leave it out, or use `--out FILE.pgn.zst` or `--out FILE.pgn.gz` or",
        ),
        ("import", &["--level", "22"], "`--level` has no effect with `--out "),
        (
            "import",
            &["--keep", "near,short", "--min-plies", "9"],
            "`--min-plies` has no effect with `--keep near,short`",
        ),
        ("import", &["--keep", "prefixes", "--prefix-plies", "9"], "`--prefix-plies` has no effect with `--keep"),
    ];
    for (command, more, message) in refusals {
        let error = run(command, "out.pgn", more).refusal();
        assert!(error.contains(message), "{command} {more:?}: {error}");
    }
    for (command, out, level, levels) in [
        ("convert", "out.pgn.gz", "22", "[1, 9] for gzip"),
        ("import", "out.pgn.xz", "10", "[0, 9] for xz"),
        ("import", "out.pgn.zst", "0", "[1, 22] for Zstandard"),
    ] {
        let error = run(command, out, &["--level", level]).refusal();
        assert_eq!(error, format!("error: `--level` must be in {levels}, got {level}\n"));
    }
    run("convert", "out.pgn.zst", &["--level", "3"]).ended(0);
    let notes = run("import", "few.pgn", &["--sample", "500"]).ended(0).stderr;
    assert!(notes.contains("note: `--sample` asks for 500 games, found only 1\n"), "{notes}");
    let notes = run("import", "none.pgn", &["--tag", "Bleck=two"]).ended(1).stderr;
    assert!(notes.contains("note: no game has a tag `Bleck`; there are `Black`, "), "{notes}");
    let values = [("--player", ""), ("--event", " "), ("--tag", "Red="), ("--tag", "=one"), ("--tag", "Result=1-0")];
    for (option, value) in values {
        let error = run("import", "none.pgn", &[option, value]).ended(2).stderr;
        assert!(error.contains("invalid value") && error.contains(": expected "), "{option} {value}: {error}");
    }
    assert!(!files.path("none.pgn").exists());
}

#[test]
fn parts_of_a_split_add_up_and_games_stay_on_their_side() {
    let files = Files::new();
    let games: Vec<Record> = (0..60).map(|seed| game(seed, 20)).collect();
    let text = |games: &[Record]| games.iter().map(to_pgn).collect::<Vec<_>>().join("\n");
    let split = |name: &str, games: &[Record]| {
        let input = files.write(name, text(games));
        let out = files.path(&format!("of-{name}"));
        let arguments =
            ["games", "import", input.to_str().unwrap(), "--out", out.to_str().unwrap(), "--split", "60/40"];
        roughboard(&arguments).ended(0);
        let stem = out.to_str().unwrap().trim_end_matches(".pgn").to_owned();
        ["train", "test"].map(|part| {
            let mut keys = Vec::new();
            let paths = [format!("{stem}.{part}.pgn")];
            for_each_record::<Xiangqi>(&paths, Policy::Strict, &Silent, |game| {
                keys.push(game_key(&game.unwrap()));
                Ok(())
            })
            .unwrap();
            keys
        })
    };
    let [train, test] = split("all.pgn", &games);
    assert_eq!(train.len() + test.len(), 60);
    assert!(train.len() > test.len() && !test.is_empty());
    let [some_train, some_test] = split("some.pgn", &games[..20]);
    assert!(some_train.iter().all(|key| train.contains(key)) && some_test.iter().all(|key| test.contains(key)));
}

/// What was divided or drawn by the hash of the moves stays together when the same hash divides it again.
#[test]
fn shares_that_a_second_draw_by_the_same_seed_cannot_give_are_told() {
    let files = Files::new();
    let games: Vec<String> = (0..400).map(|seed| to_pgn(&game(seed, 20))).collect();
    files.write("all.pgn", games.join("\n"));
    let import = |input: &str, out: &str, more: &[&str]| {
        let [input, out] = [input, out].map(|name| files.argument(name));
        roughboard(&[&["games", "import", &input, "--out", &out], more].concat()).ended(0).stderr
    };
    assert_eq!(import("all.pgn", "half.pgn", &["--split", "50/50"]), "");
    let notes = import("half.train.pgn", "again.pgn", &["--split", "50/50"]);
    assert!(notes.contains("again.test.pgn` got 0 of ") && notes.contains("only with another `--seed`"), "{notes}");
    assert_eq!(import("half.train.pgn", "anew.pgn", &["--split", "50/50", "--seed", "2"]), "");
    assert_eq!(import("all.pgn", "some.pgn", &["--sample", "30%"]), "");
    let notes = import("some.pgn", "fewer.pgn", &["--sample", "30%"]);
    assert!(notes.contains("note: the sample got "), "{notes}");
}

#[test]
fn flaws_of_reading_stand_in_the_account_with_their_reasons() {
    let files = Files::new();
    let input = files.write("raw.pgn", "[Result \"1-0\"]\n\nh2e9 1-0\n\n[Result \"1-0\"]\n\nC2.x 1-0\n");
    let mut importer: Importer<Xiangqi> = Importer::new(Cleaning::default(), None, files.folder.path()).unwrap();
    let settings = ReadSettings { scrutiny: Scrutiny::Moves, ..ReadSettings::default() };
    for_each_record(&[input], settings, &Silent, |record| importer.enter(record)).unwrap();
    let cleaned = importer.finish().unwrap();
    let expected = BTreeMap::from([(Reason::UnreadableMove, 1), (Reason::IllegalMove, 1)]);
    assert_eq!((&cleaned.balance().dropped, cleaned.balance().invalid()), (&expected, 2));
}

#[test]
fn folders_that_lead_to_a_collection_do_not_mark_its_games() {
    let files = Files::new();
    let marked = files.path("computer/puzzles/collection");
    std::fs::create_dir_all(marked.join("電腦")).unwrap();
    for (name, seed) in [("1.pgn", 1), ("電腦/2.pgn", 2)] {
        std::fs::write(marked.join(name), to_pgn(&game(seed, 30))).unwrap();
    }
    let out = files.path("out.pgn").display().to_string();
    let import = |paths: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_roughboard"));
        command.args(["games", "import", "--json", "--force", "--out", &out]).args(paths).current_dir(&marked);
        let output = command.output().unwrap();
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (told["kept"].clone(), told["dropped"].clone())
    };
    let here = import(&["."]);
    assert_eq!(here, (serde_json::json!(1), serde_json::json!({ "computer game": 1 })));
    let [whole, slashed, one, two] =
        ["", "", "1.pgn", "電腦/2.pgn"].map(|name| marked.join(name).display().to_string());
    assert_eq!([import(&[whole.trim_end_matches('/')]), import(&[slashed.as_str()])], [here.clone(), here]);
    let by_name = import(&[one.as_str(), two.as_str()]);
    assert_eq!(by_name, (serde_json::json!(2), serde_json::json!({})));
    assert_eq!(import(&["1.pgn", "電腦/2.pgn"]), by_name);
    assert_eq!(import(&[".."]), import(&[marked.parent().unwrap().to_str().unwrap()]));
}

/// A folder of documents with copies, prefixes and mirror images across them, and with what is no game.
fn messy_folder(files: &Files) -> std::path::PathBuf {
    let folder = files.path("messy");
    std::fs::create_dir(&folder).unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    let games: Vec<Record> = (0..6).map(|seed| game(seed, 60)).collect();
    for at in 0..7_usize {
        let own = [at, (at + 1) % 7].into_iter().filter_map(|at| games.get(at)).map(to_pgn);
        let mut shorter = games[at % 6].clone();
        shorter.moves.truncate(30 + at);
        shorter.comments.truncate(30 + at);
        let other = with_tags(games[(at + 3) % 6].clone(), &[("Event", "elsewhere")]);
        let conflicting = with_result(games[at % 2].clone(), if at < 3 { RED } else { DRAW });
        let others = [shorter, other, conflicting].iter().map(to_pgn).collect::<Vec<_>>();
        write(&format!("{at}.pgn"), own.chain(others).collect::<Vec<_>>().join("\n"));
    }
    write("3-wrong.pgn", "[Result \"1-0\"]\n\nh2e9 1-0\n".to_owned());
    write("4-notes.txt", "no games".to_owned());
    write("5-cut.pgn.gz", "\u{1f}".to_owned());
    folder
}

#[test]
fn parts_of_an_import_make_the_bytes_of_one() {
    let files = Files::new();
    let folder = messy_folder(&files);
    let import = |name: &str, more: &[&str]| {
        let [out, account] = [".pgn", ".csv"].map(|ending| files.path(&(name.to_owned() + ending)));
        let given = ["games", "import", folder.to_str().unwrap(), "--json", "--max-wrong", "1"];
        let [out, account] = [&out, &account].map(|path| path.to_str().unwrap());
        roughboard(&[&given[..], &["--out", out, "--account", account], more].concat())
    };
    let bytes = |name: &str| std::fs::read(files.path(name)).unwrap();
    let whole = import("whole", &[]).ended(0);
    let read = whole.json();
    assert!(read["kept"].as_u64() > Some(0) && read["dropped"].as_object().unwrap().len() > 4, "{read}");
    let part = |number: usize| files.path(&format!("parts.pgn.shard-{number}-of-3.jsonl"));
    for number in 1..=3 {
        let told = import("parts", &["--shard", &format!("{number}/3")]).ended(3).stdout;
        assert!(told.starts_with(&format!("part {number}/3 is done: ")), "{told}");
    }
    assert!(import("parts", &["--shard", "2/3"]).ended(3).stdout.contains("found there"));
    let [first, second, third] = [1, 2, 3].map(|number| part(number).to_str().unwrap().to_owned());
    // The third part is read now.
    for parts in [&[&*third, &*first, &*second][..], &[&*second, &*first]] {
        let put_together = import("parts", &[&["--force", "--parts"][..], parts].concat()).ended(0);
        let [mut one, mut other] = [&whole, &put_together].map(Run::json);
        assert_ne!(one["written"].take(), other["written"].take());
        assert_eq!(one, other);
        assert_eq!((bytes("parts.pgn"), bytes("parts.csv")), (bytes("whole.pgn"), bytes("whole.csv")));
    }
    let refused = |more: &[&str]| import("refused", more).refusal();
    let error = refused(&["--parts", &first, "--min-plies", "20"]);
    assert!(error.contains("it is of another import: min_plies: 10 before, 20 now"), "{error}");
    assert!(refused(&["--parts", &first, &first]).contains("it is part 1 of 3, which is there already"));
    assert!(refused(&["--parts", folder.join("0.pgn").to_str().unwrap()]).contains("it is not the part of an import"));
    let text = std::fs::read_to_string(&first).unwrap();
    let cut = text.lines().take(3).collect::<Vec<_>>().join("\n");
    for changed in [cut + "\n", text.replacen("elsewhere", "anywhere", 1)] {
        std::fs::write(&first, changed).unwrap();
        let error = refused(&["--parts", &first, &second, &third]);
        assert!(error.contains("was changed, or is cut short; delete the file"), "{error}");
    }
    assert!(!files.path("refused.pgn").exists());
}

#[test]
fn parts_are_not_kept_in_a_folder_that_is_read() {
    let files = Files::new();
    let folder = messy_folder(&files);
    let before = contents(&folder);
    let [read, out] = [&folder, &folder.join("x.pgn")].map(|path| path.to_str().unwrap().to_owned());
    let told = format!("`{out}` is in the folder `{read}`, which is read: expected another place");
    for parts in [&[][..], &["--shard", "1/2"], &["--parts", "x.pgn.shard-1-of-2.jsonl"]] {
        let error = roughboard(&[&["games", "import", &read, "--out", &out][..], parts].concat()).refusal();
        assert!(error.contains(&told), "{error}");
    }
    assert_eq!(contents(&folder), before);
}

/// Neither folders of runs, be they there or not, nor those of pages.
#[test]
fn no_run_is_kept_in_a_folder_that_is_read() {
    let files = Files::new();
    let folder = messy_folder(&files);
    let before = contents(&folder);
    let read = folder.to_str().unwrap();
    for place in ["run", "new/run"] {
        let out = folder.join(place).display().to_string();
        let commands: [&[&str]; 3] = [
            &["train", "rough", "--games", read],
            &["match", "traditional", "random", "--openings", read],
            &["games", "stats", read],
        ];
        for command in commands {
            let error = roughboard(&[command, &["--out", &out]].concat()).refusal();
            let told = format!("`{out}` is in the folder `{read}`, which is read: expected another place");
            assert!(error.contains(&told), "{error}");
        }
    }
    assert_eq!(contents(&folder), before);
}

#[test]
fn the_documentation_has_every_heading_and_marks_those_of_wrong_records() {
    let page = std::fs::read_to_string(root().join("docs/games.md")).unwrap();
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let headings: Vec<&str> = cells.flat_map(|cell| cell.split(", ")).collect();
    for reason in Reason::ALL {
        let told = if reason.is_invalid() { format!("{reason} †") } else { reason.to_string() };
        let is_of_filter = reason.name().starts_with("not selected: ") && headings.contains(&"not selected: …");
        assert!(is_of_filter || headings.contains(&told.as_str()), "{told}");
    }
}

/// Others cleaned 8,039 games out of this collection, with rules that are told in outline only.
#[test]
fn the_expert_games_come_out_of_the_raw_collection() {
    let Some(raw) = collection("ccpd-raw-to-2004.tar.zst") else { return };
    let files = Files::new();
    let (out, account) = (files.path("kept.pgn"), files.path("account.csv"));
    let [out_name, account_name, raw_name] = [&out, &account, &raw].map(|path| path.to_str().unwrap());
    let arguments = ["games", "import", raw_name, "--json", "--out", out_name, "--account", account_name];
    let summary = roughboard(&arguments).ended(0).json();
    let dropped: u64 = summary["dropped"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(
        (summary["read"].as_u64(), summary["kept"].as_u64().map(|kept| kept + dropped)),
        (Some(49_718), Some(49_718))
    );
    assert_eq!(csv::Reader::from_path(&account).unwrap().records().count(), 49_718);

    let read = |path: &std::path::Path| read_games::<Xiangqi>(&[path], Policy::Drop, &Silent).unwrap().0;
    let story = |game: &Record| (game.moves.clone(), game.outcome);
    let kept: std::collections::HashSet<_> = read(&out).iter().map(story).collect();
    let expert = read(&raw.with_file_name("xiangqi-expert-8039.pgn.zst"));
    let found = expert.iter().filter(|game| kept.contains(&story(game))).count();
    assert!(found * 100 >= expert.len() * 99, "{found} of {}", expert.len());
}
