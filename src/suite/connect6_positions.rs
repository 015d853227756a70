//! Positions of Connect6 with what threats decide in them: wins, defences, and that there is no win.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use super::{Report, Settings};
use crate::game::Game;
use crate::games::connect6::threats::{Answer, Limits, Proof, Solver, minimal_blocks, threat_count};
use crate::games::connect6::{Connect6, Point};

/// The number of double-threat turns up to which positions without a win are searched.
const MOST_TURNS: u8 = 9;

/// A position and its facts.
#[derive(Debug, Deserialize)]
struct Entry {
    source: String,
    board_rows_19_to_1: Vec<String>,
    to_move: String,
    stones_to_place: u8,
    #[serde(rename = "T_self_threats")]
    own_threats: usize,
    #[serde(rename = "T_opp_threats")]
    enemy_threats: usize,
    kind: Kind,
    min_double_threat_moves: Option<u32>,
    one_solution: Option<Vec<String>>,
    all_minimal_blocks: Option<Vec<Vec<String>>>,
    #[serde(default)]
    no_vcdt_for_side_to_move: bool,
}

/// What a position is an example of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    WinNow,
    Vcdt,
    MustDefend,
    #[serde(rename = "lost_3_threats")]
    Lost,
    #[serde(rename = "no_vcdt_upto_9")]
    NoVcdt,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proto() {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/connect6_tests.json")).unwrap();
        let content: Value = serde_json::from_str(&text).unwrap();
        let most: u8 = std::env::var("TURNS").map_or(6, |t| t.parse().unwrap());
        let nodes: u64 = std::env::var("NODES").map_or(100000, |t| t.parse().unwrap());
        for value in content["positions"].as_array().unwrap() {
            let entry = Entry::deserialize(value).unwrap();
            let rows = entry.board_rows_19_to_1.iter().map(|row| row.to_lowercase().replace('.', "1")).collect::<Vec<_>>();
            let rows: Vec<String> = rows.iter().map(|row| {
                let mut out = String::new(); let mut run = 0;
                for c in row.chars() { if c == '1' { run += 1 } else { if run > 0 { out += &run.to_string(); run = 0 } out.push(c) } }
                if run > 0 { out += &run.to_string() }
                out
            }).collect();
            let fen = format!("{} {} {}", rows.join("/"), entry.to_move.to_lowercase(), entry.stones_to_place);
            let game = Connect6::from_notation(&fen).unwrap();
            let mut solver = Solver::new();
            let begin = Instant::now();
            let found = solver.solve(&game, Limits { turns: most, nodes });
            let time = begin.elapsed();
            let (text, verified) = match &found.answer {
                Answer::Win(proof) => (format!("win {} {:?} size {}", proof.turns(), proof.stones, proof.size()), format!("{:?}", proof.verify(&game))),
                other => (format!("{other:?}"), String::new()),
            };
            println!("{:?} {:?} {:?} T {} {} / {} {} | {} {} nodes {:?} {}", entry.kind, entry.min_double_threat_moves, entry.one_solution, entry.own_threats, entry.enemy_threats,
                threat_count(&game, game.side_to_move()), threat_count(&game, game.side_to_move().other()), text, found.nodes, time, verified);
            if let Some(blocks) = &entry.all_minimal_blocks {
                let a: BTreeSet<BTreeSet<String>> = blocks.iter().map(|b| b.iter().map(|s| s.to_lowercase()).collect()).collect();
                let b: BTreeSet<BTreeSet<String>> = minimal_blocks(&game, game.side_to_move().other()).iter().map(|b| b.iter().map(|s| s.to_string()).collect()).collect();
                if a != b { println!("BLOCKS {a:?} {b:?}"); }
            }
        }
    }
}
