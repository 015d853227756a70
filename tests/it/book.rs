//! Opening books against a slow count of the same games.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rand::RngExt;
use roughboard::book::{Book, BookChoice, BookError, BookSettings, Builder, merge};
use roughboard::disk::FileError;
use roughboard::game::playout::random_moves;
use roughboard::game::symmetry::{MIRROR, Symmetric};
use roughboard::game::{BoardGame, Game, Notation, Outcome, SearchHints, Side};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::Silent;
use roughboard::random::{Stream, stream};
use roughboard::record::GameRecord;
use roughboard::stats::Wdl;

use crate::command::Files;
use crate::import::mirrored;
use crate::toys::{TicTacToe, played};

type Record = GameRecord<Xiangqi>;

/// A toy without images: every position stands for itself.
impl Symmetric for TicTacToe {}

/// A game of random moves, few different ones near the start so that games meet, with a random result.
fn random_game<G: BoardGame>(random: &mut Stream) -> GameRecord<G> {
    let mut record = GameRecord::new(G::start());
    let mut position = G::start();
    for ply in 0..random.random_range(0..60) {
        let moves = position.moves();
        let choices = if ply < 12 { moves.len().min(3) } else { moves.len() };
        if choices == 0 || position.end().is_some() {
            break;
        }
        let mv = moves[random.random_range(0..choices)];
        record.push(mv, None);
        position.play(mv);
    }
    record.outcome = [None, Some(Outcome::Draw), Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second))]
        [random.random_range(0..4)];
    record
}

fn random_games<G: BoardGame>(count: usize, index: u64) -> Vec<GameRecord<G>> {
    let mut random = stream(5, "book games", index);
    (0..count).map(|_| random_game(&mut random)).collect()
}

fn book_of<G: SearchHints + Symmetric>(games: &[GameRecord<G>], settings: BookSettings) -> Book<G> {
    let mut builder = Builder::new(settings).unwrap();
    games.iter().for_each(|game| builder.add(game));
    builder.finish(Vec::new())
}

fn bytes_of<G: SearchHints + Symmetric>(book: &Book<G>) -> Vec<u8> {
    let files = Files::new();
    book.save(&files.path("a.db"), &Silent).unwrap();
    assert_eq!(std::fs::read_dir(files.folder.path()).unwrap().count(), 1, "a partial file is left");
    std::fs::read(files.path("a.db")).unwrap()
}

/// The board and side to move of a FEN without its counters.
fn board_of(game: &Xiangqi) -> String {
    game.notation().split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The notation of a position with left and right exchanged.
pub fn mirrored_board(board: &str) -> String {
    let (ranks, turn) = board.split_once(' ').unwrap();
    let ranks: Vec<String> = ranks.split('/').map(|rank| rank.chars().rev().collect()).collect();
    format!("{} {turn}", ranks.join("/"))
}

/// Counts by the text of the position: of the position as it stood, and of its mirror image with the move mirrored.
type Counts = HashMap<(String, String), Wdl>;

fn slow_count(games: &[Record], plies: usize) -> Counts {
    let mut counts = Counts::new();
    for game in games.iter().filter(|game| game.outcome.is_some()) {
        let mut seen = HashSet::new();
        let mut position = game.start.clone();
        for &mv in game.moves.iter().take(plies) {
            let board = board_of(&position);
            let images = [
                (board.clone(), mv.to_string()),
                (mirrored_board(&board), position.image_move(mv, MIRROR).to_string()),
            ];
            for image in images {
                if seen.insert(image.clone()) {
                    let value = game.outcome.unwrap().value_for(position.side_to_move());
                    counts.entry(image).or_default().record(value);
                }
            }
            position.play(mv);
        }
    }
    counts
}

/// The moves of a position in the slow count; one of two that are mirror images in a position that is its own.
fn slow_moves(counts: &Counts, position: &Xiangqi) -> Vec<(String, Wdl)> {
    let board = board_of(position);
    let mut moves = position.moves();
    if board == mirrored_board(&board) {
        moves.retain(|&mv| mv >= position.image_move(mv, MIRROR));
    }
    moves.sort();
    let known = |mv: &_| Some((format!("{mv}"), *counts.get(&(board.clone(), format!("{mv}")))?));
    moves.iter().filter_map(known).collect()
}

#[test]
fn the_mirror_image_keeps_its_laws() {
    for number in 0..20 {
        let (mut game, mut image) = (Xiangqi::start(), Xiangqi::start());
        random_moves(&mut game, 120, &mut stream(2, "mirror", number), |_| {});
        for mv in game.moves_made().collect::<Vec<_>>() {
            let mirrored = game.image_move(mv, MIRROR);
            assert_eq!(image.image_move(mirrored, MIRROR), mv);
            assert_eq!(image.parse_move(&mirrored.to_string()), Ok(mirrored));
            image.play(mirrored);
        }
        assert_eq!((game.image_key(MIRROR), image.image_key(MIRROR)), (image.key(), game.key()));
    }
}

#[test]
fn the_book_is_the_slow_count() {
    let games = random_games(300, 0);
    let settings = BookSettings { plies: 25, min_games: 1 };
    let (book, counts) = (book_of(&games, settings), slow_count(&games, 25));
    let mut positions = 0;
    for game in &games {
        let image = mirrored(game);
        for game in [game, &image] {
            game.replay(|position, _| {
                let mut moves: Vec<_> =
                    book.moves(position).iter().map(|known| (known.mv.to_string(), known.wdl)).collect();
                assert!(moves.is_sorted_by_key(|(_, wdl)| std::cmp::Reverse(wdl.games())));
                moves.sort_by_key(|(mv, _)| position.parse_move(mv).unwrap());
                assert_eq!(moves, slow_moves(&counts, position), "{position:?}");
                positions += usize::from(!moves.is_empty());
            });
        }
    }
    assert!(positions > 2_000);
    assert_eq!(book.meta().games, games.iter().filter(|game| game.outcome.is_some()).count() as u64);
}

#[test]
fn a_game_without_symmetry_has_books_too() {
    let games = random_games::<TicTacToe>(100, 0);
    let book = book_of(&games, BookSettings::default());
    let mut position = TicTacToe::start();
    let known = book.moves(&position);
    let wins = games.iter().filter(|game| !game.moves.is_empty() && game.outcome == Some(Outcome::Win(Side::First)));
    assert_eq!(known.iter().map(|known| known.wdl.wins).sum::<u64>(), wins.count() as u64);
    position.play(known[0].mv);
    assert!(!book.moves(&position).is_empty());
}

#[test]
fn transpositions_and_mirror_images_meet() {
    let mut record = Record::new(Xiangqi::start());
    for mv in played::<Xiangqi>("h2e2 h9g7 b0c2 b9c7 a0b0").moves_made() {
        record.push(mv, None);
    }
    record.outcome = Some(Outcome::Win(Side::First));
    let book = book_of(&[record], BookSettings::default());
    for (path, expected) in [
        ("h2e2 h9g7 b0c2 b9c7", "a0b0"),
        ("b0c2 b9c7 h2e2 h9g7", "a0b0"),
        ("b2e2 b9c7 h0g2 h9g7", "i0h0"),
        ("h0g2 h9g7 b2e2 b9c7", "i0h0"),
    ] {
        let moves = book.moves(&played::<Xiangqi>(path));
        assert_eq!(moves.iter().map(|known| known.mv.to_string()).collect::<Vec<_>>(), [expected], "{path}");
        assert_eq!(moves[0].wdl, Wdl::new(1, 0, 0));
    }
    // The initial position is its own mirror image, and one move stands for both.
    assert_eq!(book.moves(&Xiangqi::start()).iter().map(|known| known.mv.to_string()).collect::<Vec<_>>(), ["h2e2"]);
    assert!(book.moves(&played::<Xiangqi>("a3a4")).is_empty());
}

#[test]
fn bytes_depend_on_the_games_alone() {
    let games = random_games(200, 1);
    let bytes = bytes_of(&book_of(&games, BookSettings::default()));
    let mut reversed = games.clone();
    reversed.reverse();
    assert!(bytes == bytes_of(&book_of(&reversed, BookSettings::default())));
    let images: Vec<_> = games.iter().map(mirrored).collect();
    assert!(bytes == bytes_of(&book_of(&images, BookSettings::default())));
    assert!(bytes != bytes_of(&book_of(&games[1..], BookSettings::default())));
}

#[test]
fn a_saved_book_is_the_book() {
    let files = Files::new();
    let book = book_of(&random_games::<Xiangqi>(400, 2), BookSettings::default());
    book.save(&files.path("a.db"), &Silent).unwrap();
    let opened = Book::<Xiangqi>::open(&files.path("a.db")).unwrap();
    assert_eq!((opened.len(), opened.positions(), opened.meta()), (book.len(), book.positions(), book.meta()));
    assert!(book.len() > 5_000);
    assert!(bytes_of(&opened) == bytes_of(&book));
}

#[test]
fn merging_two_halves_gives_the_whole() {
    let games = random_games(300, 3);
    let [a, b, whole] =
        [&games[..120], &games[120..], &games[..]].map(|games| book_of::<Xiangqi>(games, BookSettings::default()));
    assert!(bytes_of(&merge(&a, &b).unwrap()) == bytes_of(&whole));
    assert!(bytes_of(&merge(&b, &a).unwrap()) == bytes_of(&whole));
}

#[test]
fn rare_moves_are_left_out() {
    let games = random_games::<Xiangqi>(300, 4);
    let [all, frequent] = [1, 5].map(|min_games| book_of(&games, BookSettings { plies: 20, min_games }));
    let at_least = |least| all.moves(&Xiangqi::start()).into_iter().filter(move |known| known.wdl.games() >= least);
    assert_eq!(frequent.moves(&Xiangqi::start()), at_least(5).collect::<Vec<_>>());
    assert!(frequent.len() < all.len() / 4);
}

#[test]
fn choices_follow_results_and_counts() {
    let mut builder = Builder::new(BookSettings::default()).unwrap();
    let mut add = |mv: &str, wdl: Wdl| {
        let mut record = Record::new(Xiangqi::start());
        record.push(record.start.parse_move(mv).unwrap(), None);
        let outcomes = [
            (Outcome::Win(Side::First), wdl.wins),
            (Outcome::Draw, wdl.draws),
            (Outcome::Win(Side::Second), wdl.losses),
        ];
        for (outcome, count) in outcomes {
            record.outcome = Some(outcome);
            (0..count).for_each(|_| builder.add(&record));
        }
    };
    add("h2e2", Wdl::new(40, 20, 40));
    add("c0e2", Wdl::new(30, 0, 0));
    add("g3g4", Wdl::new(2, 0, 0));
    let book = builder.finish(Vec::new());
    let mut random = stream(1, "book", 0);
    let best = book.choose(&Xiangqi::start(), BookChoice::Best, &mut random).unwrap();
    assert_eq!(best.to_string(), "g0e2", "the mirror image of c0e2, which stands for both");
    let mut drawn = HashMap::new();
    for _ in 0..13_200 {
        let mv = book.choose(&Xiangqi::start(), BookChoice::Weighted, &mut random).unwrap();
        *drawn.entry(mv.to_string()).or_insert(0) += 1_i64;
    }
    for (mv, expected) in [("h2e2", 10_000), ("g0e2", 3_000), ("g3g4", 200)] {
        assert!((drawn[mv] - expected).abs() < 250, "{mv}: {drawn:?}");
    }
    let mut elsewhere = Xiangqi::start();
    elsewhere.play(elsewhere.parse_move("a3a4").unwrap());
    assert_eq!(book.choose(&elsewhere, BookChoice::Best, &mut random), None);
    assert_eq!(book.choose(&elsewhere, BookChoice::Weighted, &mut random), None);
}

#[test]
fn what_is_no_book_is_refused() {
    let files = Files::new();
    let path = files.path("a.db");
    book_of(&random_games::<Xiangqi>(20, 6), BookSettings::default()).save(&path, &Silent).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        files.write("changed.db", bytes)
    };
    let open = |path: &Path| Book::<Xiangqi>::open(path).map(drop).unwrap_err();
    assert!(matches!(open(&files.path("missing.db")), BookError::File(FileError { action: "read book", .. })));
    assert!(matches!(open(&files.write("a.txt", "no book")), BookError::Damaged(..)));
    assert!(matches!(open(&files.write("cut.db", &bytes[..bytes.len() / 2])), BookError::Damaged(..)));
    assert!(matches!(open(&changed(71, 0)), BookError::NotABook { .. }));
    assert!(matches!(open(&changed(63, 4)), BookError::Schema { found: 4, .. }));
    assert!(matches!(Book::<TicTacToe>::open(&path).map(drop).unwrap_err(), BookError::OtherGame(..)));
    let nowhere = files.path("no/such/folder.db");
    let unwritten = Book::<Xiangqi>::open(&path).unwrap().save(&nowhere, &Silent).unwrap_err();
    assert!(matches!(unwritten, BookError::File(FileError { action: "write book", .. })));
    assert!(Builder::<Xiangqi>::new(BookSettings { plies: 0, min_games: 1 }).is_err());
}
