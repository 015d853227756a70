//! Positions of Connect6 in which threats decide: wins, defences, and that there is no win.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use super::{Report, Settings};
use crate::game::{Game, Notation};
use crate::games::connect6::threats::{Answer, Found, Limits, Solver, minimal_blocks, threat_count};
use crate::games::connect6::{Connect6, Point};

/// The number of double-threat turns up to which a position without a win must have none.
const MOST_TURNS: u8 = 9;
/// More threats than this are as good as this many.
const ENOUGH: usize = 3;

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
    /// Of the shortest win.
    min_double_threat_moves: Option<u32>,
    /// The first turn of a win.
    one_solution: Option<Vec<String>>,
    /// Every set of the fewest stones that stops all threats of the opponent.
    all_minimal_blocks: Option<Vec<Vec<String>>>,
    #[serde(default)]
    no_vcdt_for_side_to_move: bool,
}

/// Checks the facts of positions: the threats of both sides; where a win is stated, that the solver proves one, of the same
/// length, that the proof holds, and that the stated turn begins a win too; where none is, that there is none; and all
/// defences of the fewest stones. A note says what the solver took. An entry that cannot be read counts as a failure.
pub(super) fn check(positions: &[Value], settings: Settings<'_>, report: &mut Report) {
    let (mut price, mut index) = (Price::default(), 0..);
    settings.each("positions", positions, |value| match (index.next(), read(value)) {
        (_, Ok((entry, game))) => Check { entry: &entry, game: &game, report }.all(&mut price),
        (index, Err(error)) => {
            report.fail(format!("positions[{}]", index.unwrap_or(0)), "a position with its facts", error);
        }
    });
    report.notes.extend(price.note());
}

/// The position of an entry.
///
/// # Errors
/// What is wrong with the entry, in words.
pub fn position(value: &Value) -> Result<Connect6, String> {
    read(value).map(|(_, game)| game)
}

fn read(value: &Value) -> Result<(Entry, Connect6), String> {
    let entry = Entry::deserialize(value).map_err(|error| error.to_string())?;
    let game = Connect6::from_notation(&entry.notation()).map_err(|error| error.to_string())?;
    Ok((entry, game))
}

impl Entry {
    /// The position in the game's notation.
    fn notation(&self) -> String {
        let rows: Vec<_> = self.board_rows_19_to_1.iter().map(|row| row_in_notation(row)).collect();
        format!("{} {} {}", rows.join("/"), self.to_move.to_lowercase(), self.stones_to_place)
    }
}

/// A row of `B`, `W` and `.` with numbers for runs of free points.
fn row_in_notation(row: &str) -> String {
    let runs = row.as_bytes().chunk_by(|a, b| *a == b'.' && *b == b'.');
    let text =
        |run: &[u8]| if run[0] == b'.' { run.len().to_string() } else { String::from_utf8_lossy(run).to_lowercase() };
    runs.map(text).collect()
}

/// The facts of one position.
struct Check<'a> {
    entry: &'a Entry,
    game: &'a Connect6,
    report: &'a mut Report,
}

impl Check<'_> {
    fn all(&mut self, price: &mut Price) {
        self.threats();
        let begin = Instant::now();
        let found = Solver::new().solve(self.game, Limits { turns: MOST_TURNS, nodes: u64::MAX });
        price.add(begin.elapsed(), &found);
        if let Some(turns) = self.entry.min_double_threat_moves {
            self.win(turns, &found.answer);
        }
        if let Some(stones) = &self.entry.one_solution {
            self.solution(stones);
        }
        if self.entry.no_vcdt_for_side_to_move {
            let none = !matches!(found.answer, Answer::Win(_));
            self.expect("no win by continuous double threats", &true, &none);
        }
        if let Some(blocks) = &self.entry.all_minimal_blocks {
            self.blocks(blocks);
        }
    }

    fn expect<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, expected: &T, got: &T) {
        let source = &self.entry.source;
        self.report.expect(|| format!("{source}: {what}"), expected, got);
    }

    fn threats(&mut self) {
        let side = self.game.side_to_move();
        let [own, enemy] = [side, side.other()].map(|side| threat_count(self.game, side).min(ENOUGH));
        let entry = self.entry;
        self.expect(
            "threats of the side to move and of its opponent",
            &(entry.own_threats, entry.enemy_threats),
            &(own, enemy),
        );
    }

    fn win(&mut self, turns: u32, answer: &Answer) {
        let Answer::Win(proof) = answer else {
            return self.report.fail(
                format!("{}: double-threat turns", self.entry.source),
                turns.to_string(),
                "no win",
            );
        };
        self.expect("double-threat turns", &turns, &proof.turns());
        self.expect("the proof holds", &Ok(()), &proof.verify(self.game));
    }

    /// The stated first turn wins.
    fn solution(&mut self, stones: &[String]) {
        let points: Option<Vec<_>> = stones.iter().map(|stone| Point::parse(stone)).collect();
        let limits = Limits { turns: MOST_TURNS, nodes: u64::MAX };
        let proof = points.and_then(|points| Solver::new().prove_turn(self.game, &points, limits));
        let wins = proof.is_some_and(|proof| proof.verify(self.game).is_ok());
        self.expect(&format!("{} wins", stones.join(" ")), &true, &wins);
    }

    fn blocks(&mut self, stated: &[Vec<String>]) {
        let sorted = |mut sets: Vec<Vec<String>>| {
            sets.iter_mut().for_each(|set| set.sort_unstable());
            sets.sort_unstable();
            sets
        };
        let found = minimal_blocks(self.game, self.game.side_to_move().other());
        let fewest = found.first().map_or(0, Vec::len);
        let found = found.iter().filter(|set| set.len() == fewest);
        let found = found.map(|set| set.iter().map(|point| point.name().to_uppercase()).collect()).collect();
        self.expect("defences of the fewest stones", &sorted(stated.to_vec()), &sorted(found));
    }
}

/// What the solver took.
#[derive(Default)]
struct Price {
    times: Vec<Duration>,
    nodes: u64,
    most_nodes: u64,
}

impl Price {
    fn add(&mut self, time: Duration, found: &Found) {
        self.times.push(time);
        self.nodes += found.nodes;
        self.most_nodes = self.most_nodes.max(found.nodes);
    }

    fn note(mut self) -> Option<String> {
        self.times.sort_unstable();
        let largest = self.times.last()?.as_secs_f64() * 1e3;
        let median = self.times[self.times.len() / 2].as_secs_f64() * 1e3;
        let (count, nodes, most) = (self.times.len(), self.nodes, self.most_nodes);
        Some(format!(
            "the solver answered {count} questions of at most {MOST_TURNS} turns in {median:.3} ms each (median; the slowest took \
             {largest:.1} ms), looking at {nodes} positions ({most} at most)"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use serde_json::json;

    fn positions() -> Vec<Value> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/connect6_tests.json");
        let content: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        content["positions"].as_array().unwrap().clone()
    }

    fn report(positions: &[Value]) -> Report {
        let mut report = Report::default();
        check(positions, Settings { max_nodes: u64::MAX, observer: &Silent }, &mut report);
        report
    }

    #[test]
    fn rows_become_notation() {
        let texts = ["...................", "B.....W............", "WB.......B........."].map(row_in_notation);
        assert_eq!(texts, ["19", "b5w12", "wb7b9"]);
    }

    #[test]
    fn all_positions_come_out() {
        let report = report(&positions());
        assert_eq!(report.failures, []);
        assert_eq!(report.checked, 96 + 40 * 3 + 56 + 44);
        assert_eq!(report.notes.len(), 1);
    }

    #[test]
    fn wrong_facts_are_found() {
        let all = positions();
        let of_kind = |kind: &str| all.iter().find(|entry| entry["kind"] == kind).unwrap().clone();
        let mut lost = of_kind("lost_3_threats");
        lost["T_opp_threats"] = json!(2);
        let mut won = of_kind("vcdt");
        (won["min_double_threat_moves"], won["one_solution"]) = (json!(7), json!(["A1", "S19"]));
        let mut block = of_kind("must_defend");
        block["all_minimal_blocks"] = json!([["A1"]]);
        let mut quiet = of_kind("no_vcdt_upto_9");
        quiet["min_double_threat_moves"] = json!(3);
        let broken = json!({"source": "nowhere"});
        let report = report(&[lost, won, block, quiet, broken]);
        assert_eq!(report.failures.len(), 6, "{:?}", report.failures);
        assert!(report.failures[5].got.contains("missing field"), "{:?}", report.failures[5]);
    }
}
