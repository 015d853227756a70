//! Time of the threat solver on the positions of `tests/data/connect6_tests.json`, each answer checked: the median, the
//! slowest and all together, the fastest of several rounds for each position.
//!
//! Where the variable `ROUGHBOARD_DATA` names a folder with `connect6-8280.tsv.zst`, also how many positions of those games
//! it proves: the last turns of the winner, every one of which was played as a whole turn.
#![allow(missing_docs, clippy::expect_used)]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use roughboard::game::{Game, Notation};
use roughboard::games::connect6::Connect6;
use roughboard::games::connect6::threats::{Answer, Limits, Solver};
use roughboard::suite::connect6_positions::position;
use serde_json::Value;

const LIMITS: Limits = Limits { turns: 9, nodes: u64::MAX };

/// A position and the double-threat turns of its shortest win.
struct Case {
    game: Connect6,
    turns: Option<u64>,
}

fn main() {
    let rounds = if std::env::args().any(|argument| argument == "--bench") { 20 } else { 1 };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/connect6_tests.json");
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the suite")).expect("JSON");
    let cases: Vec<_> = document["positions"].as_array().expect("positions").iter().map(case).collect();
    println!("| positions | median | slowest | all | positions looked at | a second |");
    println!("|---|---|---|---|---|---|");
    report("with a win", cases.iter().filter(|case| case.turns.is_some()), rounds);
    report("without", cases.iter().filter(|case| case.turns.is_none()), rounds);
    report("all", cases.iter(), rounds);
    match std::env::var_os("ROUGHBOARD_DATA") {
        Some(folder) => {
            recorded(&PathBuf::from(folder).join("connect6-8280.tsv.zst"), if rounds > 1 { 8 } else { 800 })
        }
        None => println!("\nskipped: ROUGHBOARD_DATA does not name the folder of the recorded games"),
    }
}

fn case(entry: &Value) -> Case {
    Case { game: position(entry).expect("a position"), turns: entry["min_double_threat_moves"].as_u64() }
}

/// The time of one question to a fresh solver, and the positions that it looks at.
fn time(case: &Case) -> (Duration, u64) {
    let begin = Instant::now();
    let found = Solver::new().solve(black_box(&case.game), LIMITS);
    let time = begin.elapsed();
    let turns = if let Answer::Win(proof) = &found.answer { Some(u64::from(proof.turns())) } else { None };
    assert_eq!(turns, case.turns, "{:?}", case.game);
    (time, found.nodes)
}

fn report<'a>(name: &str, cases: impl Iterator<Item = &'a Case>, rounds: usize) {
    let fastest = |case| (0..rounds).map(|_| time(case)).min().expect("a round");
    let (mut times, nodes): (Vec<_>, Vec<_>) = cases.map(fastest).unzip();
    times.sort_unstable();
    let (count, nodes) = (times.len(), nodes.iter().sum::<u64>());
    let all: Duration = times.iter().sum();
    let [median, slowest] = [times[count / 2], times[count - 1]].map(|time| time.as_secs_f64() * 1e3);
    let (total, speed) = (all.as_secs_f64() * 1e3, nodes as f64 / all.as_secs_f64());
    println!("| {name} ({count}) | {median:.3} ms | {slowest:.2} ms | {total:.1} ms | {nodes} | {speed:.0} |");
}

/// Answers by turns before the winner's last one.
#[derive(Default)]
struct Answers {
    won: u32,
    none: u32,
    unknown: u32,
    times: Vec<Duration>,
}

/// Asks for the last six turns of the winner of every `step`-th game.
fn recorded(path: &std::path::Path, step: usize) {
    const MOST: u64 = 100_000;
    let text = zstd::decode_all(std::fs::File::open(path).expect("the games")).expect("zstd");
    let text = String::from_utf8(text).expect("UTF-8");
    let mut answers: [Answers; 6] = Default::default();
    for line in text.lines().skip(1).step_by(step) {
        let stones: Vec<_> = line.rsplit('\t').next().expect("moves").split(' ').collect();
        for (turn, answers) in answers.iter_mut().enumerate() {
            // A whole turn begins after an odd number of stones; the winner has every other one.
            let Some(before) = ((stones.len() - 2) | 1).checked_sub(4 * turn).filter(|&before| before > 1) else {
                continue;
            };
            ask(&stones[..before], MOST, answers);
        }
    }
    println!("\n| winner's turn, from the last | positions | won | no win | open after {MOST} | median | slowest |");
    println!("|---|---|---|---|---|---|---|");
    for (turn, mut answers) in (1..).zip(answers) {
        answers.times.sort_unstable();
        let count = answers.times.len();
        let [median, slowest] =
            [answers.times[count / 2], answers.times[count - 1]].map(|time| time.as_secs_f64() * 1e3);
        let Answers { won, none, unknown, .. } = answers;
        println!("| {turn} | {count} | {won} | {none} | {unknown} | {median:.3} ms | {slowest:.1} ms |");
    }
}

fn ask(stones: &[&str], nodes: u64, answers: &mut Answers) {
    let mut game = Connect6::start();
    stones.iter().for_each(|stone| game.play(game.parse_move(stone).expect("a stone")));
    let begin = Instant::now();
    let found = Solver::new().solve(&game, Limits { turns: 20, nodes });
    answers.times.push(begin.elapsed());
    let count = match found.answer {
        Answer::Win(_) => &mut answers.won,
        Answer::Never | Answer::NotWithin(_) => &mut answers.none,
        Answer::Unknown(_) => &mut answers.unknown,
    };
    *count += 1;
}
