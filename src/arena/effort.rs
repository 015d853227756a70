//! How far a player may think at each move, in words, from what a plan knows of it.

use serde_json::{Value, json};

use super::adjudication::TimeControl;
use crate::engine::Dialect;
use crate::search::MAX_DEPTH;
use crate::settings::counted;

/// `depth 3`, `500 positions`, `depth 5, 50 ms a move`, `400 simulations`, `clock 2+0.02 s`; empty for a player that has no limits, since
/// it does not think. In a game with `turns_of_several` moves `500 positions a turn` and `50 ms a turn` of a search that decides whole
/// turns, as these reach further than limits of each move. Of the limits of an engine that speaks UCCI the last alone, as [`Budget`](crate::engine::client::Budget) sends it.
pub(super) fn effort_text(identity: &Value, clock: Option<TimeControl>, turns_of_several: bool) -> String {
    let Some(player) = identity.as_object().and_then(|kinds| kinds.values().next()) else { return String::new() };
    let number = |names: &[&str]| names.iter().find_map(|name| player.pointer(name)?.as_u64());
    let depth = number(&["/limits/depth", "/depth"]);
    let nodes = number(&["/limits/nodes", "/nodes"]);
    let movetime =
        number(&["/limits/movetime_ms", "/movetime_ms"]).or_else(|| milliseconds(player.pointer("/effort/movetime")?));
    let simulations = number(&["/effort/simulations"]);
    let decides_turns = turns_of_several && player.pointer("/search/whole_turns") == Some(&Value::Bool(true));
    let clock = clock.map(|clock| format!("clock {clock} s"));
    let speaks = |dialect: Dialect| player.get("dialect").is_some_and(|spoken| *spoken == json!(dialect));
    if speaks(Dialect::Contest) {
        // Such an engine is told turns. Without them and without a clock it thinks as long as it likes.
        let turns = depth.map(|turns| format!("depth {turns} in turns"));
        let told: Vec<String> = turns.into_iter().chain(clock).collect();
        return if told.is_empty() { "its own time".to_owned() } else { told.join(", ") };
    }
    let others = [
        nodes.map(|nodes| counted(nodes, "position") + if decides_turns { " a turn" } else { "" }),
        simulations.map(|simulations| counted(simulations, "simulation")),
        movetime.map(|time| format!("{time} ms a {}", if decides_turns { "turn" } else { "move" })),
        clock,
    ];
    let is_all = others.iter().all(Option::is_none);
    // The deepest search is no limit beside another one.
    let depth = depth.filter(|&depth| is_all || depth < MAX_DEPTH.into()).map(|depth| format!("depth {depth}"));
    let limits: Vec<String> = depth.into_iter().chain(others.into_iter().flatten()).collect();
    let first = if speaks(Dialect::Ucci) { limits.len().saturating_sub(1) } else { 0 };
    limits[first..].join(", ")
}

/// A duration as it is written in identities: seconds and nanoseconds.
fn milliseconds(time: &Value) -> Option<u64> {
    Some(time.get("secs")?.as_u64()? * 1000 + time.get("nanos")?.as_u64()? / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_in_words() {
        let told = |identity: Value| effort_text(&identity, None, false);
        assert_eq!(told(json!("random")), "");
        assert_eq!(told(json!({ "evaluator": { "limits": { "depth": 3, "nodes": null } } })), "depth 3");
        assert_eq!(told(json!({ "evaluator": { "limits": { "depth": 64, "nodes": 500 } } })), "500 positions");
        assert_eq!(
            told(json!({ "engine": { "depth": 5, "nodes": null, "movetime_ms": 50 } })),
            "depth 5, 50 ms a move"
        );
        let ucci = |movetime: Option<u64>| json!({ "engine": { "dialect": "ucci", "depth": 2, "nodes": 500, "movetime_ms": movetime } });
        assert_eq!([told(ucci(None)), told(ucci(Some(50)))], ["500 positions", "50 ms a move"]);
        let tree =
            json!({ "tree": { "effort": { "simulations": 400, "movetime": { "secs": 1, "nanos": 5_000_000 } } } });
        assert_eq!(told(tree), "400 simulations, 1005 ms a move");
        let clock = TimeControl { base_ms: 2000, increment_ms: 20, margin_ms: 50 };
        let evaluator = json!({ "evaluator": { "limits": { "depth": 64, "nodes": null } } });
        assert_eq!(effort_text(&evaluator, Some(clock), true), "clock 2+0.02 s");
        assert_eq!(effort_text(&ucci(Some(50)), Some(clock), false), "clock 2+0.02 s");
    }

    #[test]
    fn engines_of_contests_look_turns_ahead_or_go_by_their_own_time() {
        let player = |depth: Option<u64>| json!({ "engine": { "dialect": Dialect::Contest, "depth": depth } });
        let told = |depth| effort_text(&player(depth), None, true);
        assert_eq!([told(Some(2)), told(None)], ["depth 2 in turns", "its own time"]);
        let clock = Some(TimeControl { base_ms: 2000, increment_ms: 20, margin_ms: 50 });
        assert_eq!(effort_text(&player(None), clock, true), "clock 2+0.02 s");
    }

    #[test]
    fn limits_of_a_turn_are_told_from_those_of_a_move() {
        let told = |whole_turns: bool, turns_of_several| {
            let limits = json!({ "depth": 5, "nodes": 500, "movetime_ms": 50 });
            let search = json!({ "whole_turns": whole_turns });
            effort_text(&json!({ "evaluator": { "search": search, "limits": limits } }), None, turns_of_several)
        };
        assert_eq!(told(true, true), "depth 5, 500 positions a turn, 50 ms a turn");
        for (whole_turns, turns_of_several) in [(false, true), (true, false)] {
            assert_eq!(told(whole_turns, turns_of_several), "depth 5, 500 positions, 50 ms a move");
        }
    }
}
