//! Perft counts of Xiangqi positions.

use serde_json::Value;

use super::{Report, Settings};
use crate::game::{Game, perft::perft_parallel};
use crate::games::xiangqi::Xiangqi;

/// Whether the document is an object with `positions`, and for no other game.
#[must_use]
pub fn matches(document: &Value) -> bool {
    let game = document.get("game").map_or(Some(Xiangqi::NAME), Value::as_str);
    document["positions"].is_array() && game == Some(Xiangqi::NAME)
}

/// Checks every row: entry `d - 1` of a position's `nodes` is its count at depth `d`.
pub fn check(document: &Value, settings: Settings<'_>, report: &mut Report) {
    let positions = document["positions"].as_array().map_or(&[][..], Vec::as_slice);
    settings.observer.begin("perft", positions.len() as u64);
    for (index, entry) in positions.iter().enumerate() {
        check_entry(entry, index, settings, report);
        settings.observer.advance(1);
    }
    settings.observer.end();
}

fn check_entry(entry: &Value, index: usize, settings: Settings<'_>, report: &mut Report) {
    let name = entry["id"].as_str().map_or_else(|| format!("positions[{index}]"), ToOwned::to_owned);
    let Some(fen) = entry["fen"].as_str() else {
        return report.fail(name, "a text `fen`", entry["fen"].to_string());
    };
    let position = match Xiangqi::from_notation(fen) {
        Ok(position) => position,
        Err(error) => return report.fail(name, "a position", error.to_string()),
    };
    let Some(nodes) = entry["nodes"].as_array() else {
        return report.fail(name, "a list `nodes` of counts", entry["nodes"].to_string());
    };
    for (depth, expected) in (1..).zip(nodes) {
        match expected.as_u64() {
            None => report.fail(format!("{name}, depth {depth}"), "a count", expected.to_string()),
            Some(expected) if expected > settings.max_nodes => {}
            Some(expected) => {
                report.expect(|| format!("{name}, depth {depth}"), &expected, &perft_parallel(&position, depth));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use serde_json::json;

    const ALL: Settings<'static> = Settings { max_nodes: u64::MAX, observer: &Silent };

    fn checked(document: &Value, settings: Settings<'_>) -> Report {
        let mut report = Report::default();
        check(document, settings, &mut report);
        report
    }

    #[test]
    fn a_wrong_count_is_reported_with_its_depth() {
        let start = Xiangqi::start().notation();
        let document = json!({"positions": [{"id": "start", "fen": start, "nodes": [44, 1921, 79666]}]});
        let report = checked(&document, ALL);
        assert_eq!(report.checked, 3);
        assert_eq!(report.failures.len(), 1);
        assert_eq!(report.failures[0].what, "start, depth 2");
        assert_eq!((report.failures[0].expected.as_str(), report.failures[0].got.as_str()), ("1921", "1920"));
        assert_eq!(checked(&document, Settings { max_nodes: 100, ..ALL }).checked, 1);
    }

    #[test]
    fn entries_that_cannot_be_checked_fail() {
        let document = json!({"positions": [{}, {"fen": "9/9"}, {"fen": Xiangqi::start().notation(), "nodes": ["x"]}]});
        let report = checked(&document, ALL);
        assert_eq!((report.checked, report.failures.len()), (3, 3));
        assert_eq!(report.failures[0].what, "positions[0]");
        assert!(report.failures[1].got.contains("at character"));
        assert_eq!(report.failures[2].what, "positions[2], depth 1");
    }

    #[test]
    fn only_xiangqi_documents_match() {
        assert!(matches(&json!({"positions": []})));
        assert!(matches(&json!({"game": "xiangqi", "positions": []})));
        assert!(!matches(&json!({"game": "surakarta", "positions": []})));
        assert!(!matches(&json!({"cases": []})));
        assert!(!matches(&json!([1])));
    }
}
