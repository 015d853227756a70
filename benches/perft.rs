//! Speed of move generation, in move paths per second: three kinds of position, several ways to count, and a classical
//! mailbox generator as the yardstick. Every count is checked.
//!
//! The ways take turns, round by round, and the fastest round counts; a pass takes milliseconds, so that some rounds are
//! left alone even on a busy machine. Without `--bench` (as `cargo test --benches` calls it) there is a single round.
#![allow(missing_docs, clippy::expect_used)]

#[path = "perft/mailbox.rs"]
mod mailbox;

use std::hint::black_box;
use std::time::{Duration, Instant};

use mailbox::{Mailbox, Tables};
use roughboard::game::perft::{MoveSource, perft_by};
use roughboard::game::{Game, Notation, SearchHints};
use roughboard::games::xiangqi::{Generator, Move, Xiangqi};

/// A position, a depth and the number of paths of that depth.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    fen: &'static str,
    depth: usize,
    nodes: u64,
}

const CASES: [Case; 3] = [
    Case {
        name: "start",
        fen: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        depth: 3,
        nodes: 79_666,
    },
    Case {
        name: "middle game",
        fen: "1rbaka1r1/9/2n1b1nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/2C1C1N2/Rc7/1NBAKAB2 w",
        depth: 3,
        nodes: 57_578,
    },
    Case { name: "endgame", fen: "5k3/1C7/4c2RC/p1p6/9/2P6/4r4/B4A3/9/3A1Kc2 b", depth: 3, nodes: 67_938 },
];

/// Counts the paths of a case.
type Count<'a> = Box<dyn FnMut(Case) -> u64 + 'a>;

fn main() {
    let rounds = if std::env::args().any(|argument| argument == "--bench") { 500 } else { 1 };
    println!("processor: {}\n", processor());
    println!("| position | way | million paths/s | times the yardstick |");
    println!("|---|---|---|---|");
    let tables = Tables::new();
    for case in CASES {
        compare(case, &mut ways(&tables), rounds);
    }
    println!("\n| position | question | ns each |");
    println!("|---|---|---|");
    for case in CASES {
        ask(case, rounds);
    }
}

/// Model and clock as Linux states them.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let of = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split(": ").nth(1)).unwrap_or("unknown").to_owned()
    };
    format!("{}, {} MHz", of("model name"), of("cpu MHz"))
}

/// Every way to count, the yardstick first.
fn ways(tables: &Tables) -> Vec<(&'static str, Count<'_>)> {
    let mut lists = vec![Vec::new(); 8];
    let yardstick = move |case: Case| Mailbox::new(tables, case.fen).paths(&mut lists[..case.depth]);
    vec![
        ("yardstick: mailbox, every leaf made", Box::new(yardstick)),
        ("tables, every leaf made", walking(Generator::Tables, true)),
        ("templates, every leaf made", walking(Generator::Templates, true)),
        ("tables, legal lists", walking(Generator::Tables, false)),
        ("templates, legal lists", walking(Generator::Templates, false)),
        ("tables, counting", Box::new(|case| perft_by(&Generator::Tables, &mut game(case), case.depth as u32))),
    ]
}

fn game(case: Case) -> Xiangqi {
    Xiangqi::from_notation(case.fen).expect("a position")
}

fn walking(generator: Generator, make_leaves: bool) -> Count<'static> {
    let mut lists = vec![Vec::new(); 8];
    Box::new(move |case| walk(generator, &mut game(case), &mut lists[..case.depth], make_leaves))
}

/// Perft by lists at every ply; the moves of the last ply are made only on demand.
fn walk(generator: Generator, game: &mut Xiangqi, lists: &mut [Vec<Move>], make_leaves: bool) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else { return 1 };
    moves.clear();
    generator.list(game, moves);
    if deeper.is_empty() && !make_leaves {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for &mv in moves.iter() {
        game.play(mv);
        nodes += walk(generator, game, deeper, make_leaves);
        game.undo();
    }
    nodes
}

fn compare(case: Case, ways: &mut [(&'static str, Count<'_>)], rounds: usize) {
    let mut fastest = vec![Duration::MAX; ways.len()];
    for _ in 0..rounds {
        for ((_, count), fastest) in ways.iter_mut().zip(&mut fastest) {
            let started = Instant::now();
            assert_eq!(count(black_box(case)), case.nodes);
            *fastest = started.elapsed().min(*fastest);
        }
    }
    let speed = |duration: Duration| case.nodes as f64 / duration.as_secs_f64() / 1e6;
    for ((way, _), &duration) in ways.iter().zip(&fastest) {
        let ratio = speed(duration) / speed(fastest[0]);
        println!("| {} | {way} | {:.1} | {ratio:.2} |", case.name, speed(duration));
    }
}

/// Times single questions, each asked of all positions two plies after `case`. The sum of the answers is checked against a
/// first pass.
fn ask(case: Case, rounds: usize) {
    let games = two_plies_on(&game(case));
    let lists: Vec<Vec<Move>> = games.iter().map(|game| listed(|out| game.legal_moves(out))).collect();
    let captures: Vec<Vec<Move>> = games.iter().map(|game| listed(|out| game.noisy_moves(out))).collect();
    let mut buffer = Vec::with_capacity(128);
    let mut listing = |list: &dyn Fn(&Xiangqi, &mut Vec<Move>)| {
        let lengths = games.iter().map(|game| {
            buffer.clear();
            list(game, &mut buffer);
            buffer.len()
        });
        lengths.sum::<usize>()
    };
    let each_move = |lists: &[Vec<Move>], holds: &dyn Fn(&Xiangqi, Move) -> bool| {
        let of = |(game, moves): (&Xiangqi, &Vec<Move>)| moves.iter().filter(|&&mv| holds(game, mv)).count();
        games.iter().zip(lists).map(of).sum::<usize>()
    };
    let moves = |lists: &[Vec<Move>]| lists.iter().map(Vec::len).sum::<usize>();
    let report = |question: &str, asked: usize, answer: &mut dyn FnMut() -> usize| {
        let expected = answer();
        let mut fastest = Duration::MAX;
        for _ in 0..rounds {
            let started = Instant::now();
            assert_eq!(black_box(&mut *answer)(), expected);
            fastest = started.elapsed().min(fastest);
        }
        println!("| {} | {question} | {:.1} |", case.name, fastest.as_secs_f64() * 1e9 / asked.max(1) as f64);
    };
    report("in check?", games.len(), &mut || games.iter().filter(|game| black_box(*game).in_check()).count());
    report("captures", games.len(), &mut || listing(&|game, out| game.noisy_moves(out)));
    report("quiet moves", games.len(), &mut || listing(&|game, out| game.quiet_moves(out)));
    report("quiet checks", games.len(), &mut || listing(&|game, out| game.quiet_checks(out)));
    report("does a move give check?", moves(&lists), &mut || each_move(&lists, &|game, mv| game.gives_check(mv)));
    let legal = |game: &Xiangqi, mv| game.move_in_slot(Xiangqi::move_slot(mv)).is_some();
    report("is a move legal?", moves(&lists), &mut || each_move(&lists, &legal));
    report("is a capture even?", moves(&captures), &mut || each_move(&captures, &|game, mv| game.see_at_least(mv, 0)));
}

fn listed(list: impl Fn(&mut Vec<Move>)) -> Vec<Move> {
    let mut moves = Vec::new();
    list(&mut moves);
    moves
}

fn two_plies_on(start: &Xiangqi) -> Vec<Xiangqi> {
    let after = |game: &Xiangqi| {
        let children = listed(|out| game.legal_moves(out)).into_iter().map(|mv| {
            let mut child = game.clone();
            child.play(mv);
            child
        });
        children.collect::<Vec<_>>()
    };
    after(start).iter().flat_map(after).collect()
}
