//! Move notations of Xiangqi: what is written is read, and what collections write is understood.

use std::collections::HashSet;

use proptest::prelude::*;
use roughboard::game::playout::random_moves;
use roughboard::game::{Game, MoveError, Notation, Outcome};
use roughboard::games::xiangqi::{Move, MoveNotation, Script, Xiangqi};
use roughboard::observe::Silent;
use roughboard::random::stream;
use roughboard::record::{Account, GameRecord, Policy, read_bytes, read_games, to_pgn_in};

use crate::command::collection;

const TRADITIONAL: MoveNotation = MoveNotation::Chinese(Script::Traditional);
const SIMPLIFIED: MoveNotation = MoveNotation::Chinese(Script::Simplified);

fn position(fen: &str) -> Xiangqi {
    Xiangqi::from_notation(fen).unwrap()
}

fn written(game: &Xiangqi, mv: Move, notation: MoveNotation) -> String {
    let mut text = String::new();
    game.write_move_in(mv, notation, &mut text);
    text
}

/// Every legal move, written in each notation, is read as itself, and no two are written alike.
fn check_all_moves(game: &Xiangqi) {
    let moves = game.moves();
    for notation in MoveNotation::ALL {
        let mut texts = HashSet::new();
        for &mv in &moves {
            let text = written(game, mv, notation);
            assert_eq!(game.read_move_in(&text, notation), Ok(mv), "{text} in {game:?}");
            if notation != MoveNotation::Uci || text.contains("10") {
                assert_eq!(game.parse_move(&text), Ok(mv), "{text} in {game:?}");
            }
            assert!(texts.insert(text.clone()), "{text} is two moves in {game:?}");
        }
    }
}

#[test]
fn every_move_of_random_games_is_written_and_read() {
    for number in 0..40 {
        let mut game = Xiangqi::start();
        random_moves(&mut game, 200, &mut stream(4, "notations", number), &mut |game: &mut Xiangqi| {
            check_all_moves(game);
        });
    }
}

/// Red pawns on one file, on two files and beside others; the same with colours reversed.
const PAWNS: [&str; 7] = [
    "3k5/4P4/4P4/9/4P4/9/9/9/9/4K4 w",
    "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w",
    "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w",
    "3k5/1P5P1/1P5P1/1P7/9/9/9/9/9/4K4 w",
    "3k5/1P5P1/9/1P3P1P1/9/9/9/9/9/4K4 w",
    "4k4/9/9/9/9/p7p/p7p/p8/9/5K3 b",
    "3k5/9/9/9/9/4p4/4p4/4p4/4p4/5K3 b",
];

#[test]
fn tandem_pawns_are_told_apart() {
    for fen in PAWNS {
        check_all_moves(&position(fen));
    }
}

/// Each text is read as the move in the position.
fn expect(fen: &str, texts: &[(&str, &str)]) {
    let game = position(fen);
    for (text, mv) in texts {
        let read = game.parse_move(text).map(|mv| mv.to_string());
        assert_eq!(read.as_deref(), Ok(*mv), "{text} in {fen}");
    }
}

#[test]
fn the_wxf_document_s_tandem_pawns_are_read_and_written() {
    let three = "3k5/6P2/6P2/6P2/9/9/9/9/9/4K4 w";
    expect(three, &[("P+.4", "g8f8"), ("P3.4", "g7f7"), ("P-.4", "g6f6"), ("23=4", "g7f7"), ("33=4", "g6f6")]);
    let five = "3k5/6P2/6P2/6P2/6P2/6P2/9/9/9/4K4 w";
    let names = [("++.4", "g8f8"), ("P+.4", "g7f7"), ("P3.4", "g6f6"), ("P-.4", "g5f5")];
    expect(five, &names);
    let four = "3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w";
    expect(four, &[("++.4", "g8f8"), ("P+.4", "g7f7"), ("P-.4", "g6f6"), ("--.4", "g5f5")]);
    let two_files = "3k5/2P3P2/2P3P2/6P2/9/9/9/9/9/4K4 w";
    let names = [("3+.4", "g8f8"), ("33.4", "g7f7"), ("3-.4", "g6f6"), ("7+.6", "c8d8"), ("7-.6", "c7d7")];
    expect(two_files, &names);
    let game = position(two_files);
    for (text, mv) in names {
        let mv = game.parse_move(mv).unwrap();
        assert_eq!(written(&game, mv, MoveNotation::Wxf), text.replace('.', "="));
    }
}

#[test]
fn chinese_tandem_pawns_are_read_in_every_form() {
    let two_files = "3k5/2P3P2/2P3P2/6P2/9/9/9/9/9/4K4 w";
    for texts in [
        [("前三平四", "g8f8"), ("中三平四", "g7f7"), ("后三平四", "g6f6"), ("前七平六", "c8d8")],
        [("前兵三平四", "g8f8"), ("中兵三平四", "g7f7"), ("後兵三平四", "g6f6"), ("前兵七平六", "c8d8")],
        [("一兵三平四", "g8f8"), ("二兵三平四", "g7f7"), ("三兵三平四", "g6f6"), ("兵七前平六", "c8d8")],
        [("一兵平四", "g8f8"), ("二兵平四", "g7f7"), ("三兵平四", "g6f6"), ("四兵平六", "c8d8")],
        [("前3平4", "g8f8"), ("兵前３平４", "g8f8"), ("前三兵平四", "g8f8"), ("5兵平6", "c7d7")],
    ] {
        expect(two_files, &texts);
    }
    let four = "3k5/9/9/9/9/4p4/4p4/4p4/4p4/5K3 b";
    expect(four, &[("前卒平４", "e1d1"), ("２卒平４", "e2d2"), ("三卒平4", "e3d3"), ("后卒平６", "e4f4")]);
}

#[test]
fn variant_characters_widths_and_orders_are_read() {
    let start = Xiangqi::start();
    for text in
        ["炮二平五", "砲二平五", "包二平五", "炮2平5", "炮２平５", "炮　二　平　五", "C2.5", "C2=5", "c2=5", "H2-E2"]
    {
        assert_eq!(start.parse_move(text).unwrap().to_string(), "h2e2", "{text}");
    }
    for text in ["馬八進七", "马八进七", "傌八進七", "H8+7", "N8+7", "b0c2", "馬8進7"] {
        assert_eq!(start.parse_move(text).unwrap().to_string(), "b0c2", "{text}");
    }
    let reds =
        [("帥五進一", "e0e1"), ("帅五进一", "e0e1"), ("將五進一", "e0e1"), ("仕六进五", "d0e1"), ("士六進五", "d0e1")];
    for (text, mv) in reds.into_iter().chain([("象七進五", "c0e2"), ("相七进五", "c0e2"), ("卒五進一", "e3e4")])
    {
        assert_eq!(start.parse_move(text).unwrap().to_string(), mv, "{text}");
    }
    let rooks = "3k5/9/9/4R4/9/9/4R4/9/9/5K3 w";
    for text in ["前車進一", "車前進一", "前俥进１", "R++1", "+R+1", "a6"] {
        assert_eq!(position(rooks).parse_move(text).is_ok(), text != "a6", "{text}");
    }
}

#[test]
fn advisors_and_elephants_on_one_file_are_told_by_their_direction() {
    let game = "3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w";
    expect(
        game,
        &[("仕六进五", "d0e1"), ("仕六退五", "d2e1"), ("A6-5", "d2e1"), ("前仕退五", "d2e1"), ("后仕进五", "d0e1")],
    );
    expect(game, &[("相七进五", "c0e2"), ("相七退五", "c4e2"), ("前象退五", "c4e2"), ("E+-5", "c4e2")]);
}

#[test]
fn ranks_from_one_are_read_when_asked_for_or_certain() {
    let start = Xiangqi::start();
    assert_eq!(start.read_move_in("h3e3", MoveNotation::Uci).unwrap().to_string(), "h2e2");
    assert_eq!(start.read_move_in("h3-e3", MoveNotation::Uci).unwrap().to_string(), "h2e2");
    assert!(start.parse_move("h3e3").is_err() && start.read_move_in("h0g2", MoveNotation::Uci).is_err());
    let error = start.read_move_in("h2e2", MoveNotation::Uci).unwrap_err().to_string();
    assert_eq!(error, "`h2e2` is illegal: no piece on h1 (in ICCS, with ranks from 0)");
    let mut black = start;
    black.play(black.parse_move("h2e2").unwrap());
    assert_eq!(black.parse_move("h10g8").unwrap().to_string(), "h9g7");
}

#[test]
fn errors_say_what_was_expected_and_found() {
    let start = Xiangqi::start();
    let message = |game: &Xiangqi, text| game.parse_move(text).unwrap_err().to_string();
    assert_eq!(message(&start, "炮三平五"), "`炮三平五` is illegal: no red cannon on file 3");
    assert_eq!(message(&start, "炮二平二"), "`炮二平二` is illegal: no red cannon on file 2 can move so");
    assert_eq!(message(&start, "C2+9"), "`C2+9` is illegal: no red cannon on file 2 can move so");
    assert_eq!(message(&start, "H2+5"), "`H2+5` is illegal: no red horse on file 2 can move so");
    assert_eq!(
        message(&start, "前炮进一"),
        "`前炮进一` is illegal: expected two red cannons or more on one file, found none so"
    );
    assert_eq!(message(&start, "23+1"), "`23+1` is illegal: no such red pawn on file 3", "there is a first one");
    assert_eq!(message(&start, "車九进三"), "`車九进三` is illegal: the rook on a0 cannot go to a3");
    let two = position("3k5/9/9/4R4/9/9/4R4/9/9/5K3 w");
    assert_eq!(message(&two, "車五平四"), "`車五平四` is illegal: it may mean e3f3 or e6f6");
    for text in ["", "炮", "炮二", "炮二平", "炮二平十", "xx", "平二五炮", "h2e22", "前前前前前前", "兵兵兵兵"]
    {
        assert!(matches!(start.parse_move(text), Err(MoveError::Syntax { .. })), "{text}");
    }
}

#[test]
fn of_several_pieces_only_those_count_that_may_move() {
    // The horse on f1 is pinned.
    expect("3k5/9/9/9/5N3/9/9/9/4KN2r/9 w", &[("马四进三", "f5g7"), ("H4+3", "f5g7")]);
}

/// The games as PGN in a notation.
fn pgn(games: &[GameRecord<Xiangqi>], notation: usize) -> String {
    games.iter().map(|game| to_pgn_in(game, notation)).collect::<Vec<_>>().join("\n")
}

fn read(text: &str) -> (Vec<GameRecord<Xiangqi>>, Account) {
    read_bytes("games.pgn", text.as_bytes(), Policy::Drop).unwrap()
}

/// Every notation in PGN and back gives the games again.
fn check_round_trips(games: &[GameRecord<Xiangqi>]) {
    for (notation, name) in MoveNotation::NAMES.iter().enumerate() {
        let text = pgn(games, notation);
        assert!(text.contains(&format!("[Format \"{name}\"]")));
        let (again, account) = read(&text);
        assert_eq!(account.dropped(), [], "{name}");
        assert!(again == games, "{name}");
    }
}

#[test]
fn games_in_any_notation_are_read_as_they_were_written() {
    let made = |number| {
        let (mut game, mut record) = (Xiangqi::start(), GameRecord::new(Xiangqi::start()));
        random_moves(&mut game, 80, &mut stream(4, "games in notations", number), |_| {});
        game.moves_made().for_each(|mv| record.push(mv, None));
        record.outcome = Some(Outcome::Draw);
        game.end().is_none().then_some(record)
    };
    let games: Vec<_> = (0..20).filter_map(made).collect();
    check_round_trips(&games);
    let fen = "[FEN \"3k5/2P3P2/2P3P2/6P2/9/9/9/9/9/5K3 b\"]";
    check_round_trips(&read(&format!("{fen}\n\nd9e9 {{an answer}} g8f8 1-0\n")).0);
}

#[test]
fn expert_games_are_read_as_they_were_written() {
    let Some(file) = collection("xiangqi-expert-8039.pgn.zst") else { return };
    check_round_trips(&read_games(&[file], Policy::Drop, &Silent).unwrap().0);
}

#[test]
fn a_game_with_ranks_from_one_is_read_so_as_a_whole() {
    let moves = |text: &str| read(text).0.remove(0).moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    for format in ["", "[Format \"uci\"]\n", "[Format \"UCI-1-10\"]\n", "[Format \"ICCS\"]\n"] {
        assert_eq!(
            moves(&format!("{format}[Result \"1-0\"]\n\nh3e3 h10g8 h1g3\n")),
            ["h2e2", "h9g7", "h0g2"],
            "{format}"
        );
        assert_eq!(
            moves(&format!("{format}[Result \"1-0\"]\n\nh2e2 h9g7 h0g2\n")),
            ["h2e2", "h9g7", "h0g2"],
            "{format}"
        );
    }
    let (_, account) = read("[Result \"1-0\"]\n\nh2e2 h10g8 h1g3\n");
    assert!(account.dropped()[0].to_string().contains("move 2 (ply 3): `h1g3` is illegal"), "{account:?}");
}

#[test]
fn a_pgn_mixes_notations() {
    let (games, _) = read("[Result \"1-0\"]\n\n1. 炮二平五 馬８進７ 2. H2+3 h9-i9 3. R1=2 1/2-1/2\n");
    assert!(games.is_empty());
    let (games, _) = read("[Result \"1-0\"]\n\n1. 炮二平五 馬８進７ 2. H2+3 i9-h9 3. 车一平二! $1 卒７进1\n");
    let moves: Vec<_> = games[0].moves.iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "g6g5"]);
}

/// Texts that look like moves more often than chance would have it.
fn texts() -> impl Strategy<Value = String> {
    let symbol = prop::sample::select(
        "車马炮兵卒相士帅前中后後进退平一二三四五九123459１５９+-.=RrCcPpHhKaeibn10-　 é".chars().collect::<Vec<_>>(),
    );
    prop_oneof![any::<String>(), prop::collection::vec(symbol, 0..8).prop_map(String::from_iter)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn whatever_is_read_is_legal(text in texts(), which in 0..PAWNS.len()) {
        for game in [Xiangqi::start(), position(PAWNS[which])] {
            for read in [game.parse_move(&text), game.read_move_in(&text, MoveNotation::Uci)].into_iter().flatten() {
                prop_assert!(game.moves().contains(&read));
            }
        }
    }

    #[test]
    fn scripts_are_read_alike(number in 0_u64..1000, plies in 0_usize..120) {
        let mut game = Xiangqi::start();
        random_moves(&mut game, plies, &mut stream(4, "scripts", number), &mut |_: &mut Xiangqi| {});
        for mv in game.moves() {
            let texts = [TRADITIONAL, SIMPLIFIED].map(|notation| written(&game, mv, notation));
            prop_assert_eq!(texts.clone().map(|text| game.parse_move(&text)), [Ok(mv), Ok(mv)]);
        }
    }
}
