//! Speed of reading games on one thread: PGN text in memory, in each notation, to games whose every move was found legal.
#![allow(missing_docs, clippy::expect_used)]

use std::path::Path;

use divan::counter::ItemsCount;
use roughboard::games::xiangqi::{MoveNotation, Xiangqi};
use roughboard::observe::Silent;
use roughboard::record::{GameRecord, Policy, read_bytes, read_games, to_pgn_in};

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first use of the pool");
    divan::main();
}

/// The expert games, if `ROUGHBOARD_DATA` tells where they are; else the self-play games of this repository.
fn games() -> Vec<GameRecord<Xiangqi>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/xiangqi-selfplay/games.pgn.zst");
    let expert = |folder| Path::new(&folder).join("xiangqi-expert-8039.pgn.zst");
    let file = std::env::var("ROUGHBOARD_DATA").map_or(own, expert);
    let mut games = read_games(&[file], Policy::Drop, &Silent).expect("a file of games").0;
    games.truncate(8192);
    games
}

/// Games a second.
#[divan::bench(args = MoveNotation::NAMES, sample_count = 10, sample_size = 1)]
fn read(bencher: divan::Bencher, name: &str) {
    let games = games();
    let notation = MoveNotation::NAMES.iter().position(|known| *known == name).expect("a notation");
    let text = games.iter().map(|game| to_pgn_in(game, notation)).collect::<Vec<_>>().join("\n");
    let read =
        || read_bytes::<Xiangqi>("games.pgn", divan::black_box(text.as_bytes()), Policy::Strict).expect("games").0;
    assert!(read() == games, "{name}");
    bencher.counter(ItemsCount::new(games.len())).bench_local(|| assert_eq!(read().len(), games.len()));
}
