//! Perft counts of positions of any game.

use serde_json::Value;

use super::entry::{ContentError, Entry, all, read_list};
use super::{Document, Report, Settings};
use crate::by_game;
use crate::game::perft::perft_parallel;
use crate::game::{BoardGame, SearchHints};
use crate::games::GameName;

/// Whether the document is an object with `positions`, for a known game.
pub fn matches(document: &Value) -> bool {
    document["positions"].is_array() && game_of(document).is_some()
}

/// The game that the document names; the usual one if it names none.
fn game_of(document: &Value) -> Option<GameName> {
    document.get("game").map_or_else(|| Some(GameName::default()), |name| name.as_str()?.parse().ok())
}

/// A position with its counts by depth, from depth 1, and what else is said of its moves.
struct Position<'d> {
    name: String,
    fen: &'d str,
    nodes: Vec<u64>,
    /// The numbers of captures and of other moves.
    captures: Option<u64>,
    quiet: Option<u64>,
}

/// Checks every row: entry `d - 1` of a position's `nodes`, or `perft`, is its count at depth `d`; `captures` and `quiet`, if
/// they are there, are the numbers of moves of these kinds.
///
/// # Errors
/// When there are no positions, all of their counts are above the limit of the settings, or one has no text `fen`, no counts or
/// something else in place of a count: nothing is counted before all are read.
pub fn check(document: Document<'_>, settings: Settings<'_>, report: &mut Report) -> Result<(), ContentError> {
    let positions = read_list(document.content, "positions", Position::read)?;
    if positions.is_empty() {
        return Err(ContentError::nothing("no positions"));
    }
    let game = game_of(document.content).unwrap_or_default();
    let before = report.checked;
    settings.each("perft", &positions, |position| by_game!(game, G => position.check::<G>(settings, report)));
    match report.checked == before {
        true => Err(ContentError::nothing("no count within `max_nodes`")),
        false => Ok(()),
    }
}

impl<'d> Position<'d> {
    fn read(Entry { name, value }: Entry<'d>) -> Result<Self, ContentError> {
        let name = value["id"].as_str().or_else(|| value["name"].as_str()).map_or(name, ToOwned::to_owned);
        let entry = Entry { name: format!("position `{name}`"), value };
        let fen = entry.text("fen")?;
        let key = if value["perft"].is_null() { "nodes" } else { "perft" };
        let counts = |value| all(value, Value::as_u64).filter(|counts: &Vec<u64>| !counts.is_empty());
        let nodes = entry.read(key, "a list of counts that is not empty", counts)?;
        let kind = |key| entry.optional(key, "a count", Value::as_u64);
        let (captures, quiet) = (kind("captures")?, kind("quiet")?);
        Ok(Self { name, fen, nodes, captures, quiet })
    }

    fn check<G: BoardGame>(&self, settings: Settings<'_>, report: &mut Report) {
        let position = match G::from_notation(self.fen) {
            Ok(position) => position,
            Err(error) => return report.fail(self.name.as_str(), "a position", error.to_string()),
        };
        for (depth, expected) in (1..).zip(&self.nodes).filter(|(_, nodes)| **nodes <= settings.max_nodes) {
            report.expect(|| format!("{}, depth {depth}", self.name), expected, &perft_parallel(&position, depth));
        }
        self.check_kinds(&position, report);
    }

    fn check_kinds<G: SearchHints>(&self, position: &G, report: &mut Report) {
        let (mut captures, mut quiet) = (Vec::new(), Vec::new());
        position.noisy_moves(&mut captures);
        position.quiet_moves(&mut quiet);
        for (kind, expected, moves) in [("captures", self.captures, captures), ("quiet moves", self.quiet, quiet)] {
            if let Some(expected) = expected {
                report.expect(|| format!("{}, {kind}", self.name), &expected, &(moves.len() as u64));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};
    use crate::games::connect6::Connect6;
    use crate::games::xiangqi::Xiangqi;
    use crate::observe::Silent;
    use crate::settings::Choices;
    use crate::suite;
    use serde_json::json;

    fn checked(document: &Value) -> Report {
        suite::checked(check, document).unwrap()
    }

    #[test]
    fn a_wrong_count_is_reported_with_its_depth() {
        let start = Xiangqi::start().notation();
        let document = json!({"positions": [{"id": "start", "fen": start, "nodes": [44, 1921, 79666]}]});
        let report = checked(&document);
        assert_eq!(report.checked, 3);
        assert_eq!(report.failures.len(), 1);
        assert_eq!(report.failures[0].what, "start, depth 2");
        assert_eq!((report.failures[0].expected.as_str(), report.failures[0].got.as_str()), ("1921", "1920"));
        let (mut report, few) = (Report::default(), Settings { max_nodes: 100, observer: &Silent });
        check(Document { content: &document, folder: "".as_ref() }, few, &mut report).unwrap();
        assert_eq!(report.checked, 1);
    }

    #[test]
    fn the_game_and_the_names_of_keys_are_those_of_the_document() {
        let start =
            json!({"name": "start", "fen": Connect6::start().notation(), "perft": [361], "captures": 1, "quiet": 361});
        let report = checked(&json!({"game": Connect6::NAME, "positions": [start]}));
        assert_eq!((report.checked, report.failures.len()), (3, 1));
        assert_eq!(report.failures[0].what, "start, captures");
    }

    #[test]
    fn a_position_that_cannot_be_read_fails() {
        let report = checked(&json!({"positions": [{"fen": "9/9", "nodes": [1, 2]}]}));
        assert_eq!((report.checked, report.failures.len()), (1, 1));
        assert_eq!(report.failures[0].what, "positions[0]");
        assert!(report.failures[0].got.contains("at character"));
    }

    #[test]
    fn entries_without_facts_are_errors() {
        let fen = Xiangqi::start().notation();
        for (entry, words) in [
            (json!({"nodes": [44]}), "position `positions[1]`: `fen`: expected a text, found null"),
            (
                json!({"fen": fen, "id": "s"}),
                "position `s`: `nodes`: expected a list of counts that is not empty, found null",
            ),
            (json!({"fen": fen, "nodes": []}), "found []"),
            (json!({"fen": fen, "nodes": [44, "x"]}), "found [44,\"x\"]"),
            (json!({"fen": fen, "nodes": [-1]}), "found [-1]"),
            (json!({"fen": fen, "nodes": [44], "captures": "7"}), "`captures`: expected a count, found \"7\""),
            (json!({"fen": fen, "nodes": [44], "quiet": -1}), "`quiet`: expected a count, found -1"),
        ] {
            let document = json!({"positions": [{"fen": fen, "nodes": [44]}, entry]});
            let error = suite::checked(check, &document).unwrap_err().to_string();
            assert!(error.ends_with(words), "{error}");
        }
        let nothing = suite::checked(check, &json!({"positions": []})).unwrap_err().to_string();
        assert_eq!(nothing, "it has no positions, so there is nothing to check");
    }

    #[test]
    fn documents_of_known_games_match() {
        assert!(matches(&json!({"positions": []})));
        for &game in GameName::ALL {
            assert!(matches(&json!({"game": game.name(), "positions": []})));
        }
        assert!(!matches(&json!({"game": "go", "positions": []})));
        assert!(!matches(&json!({"cases": []})));
        assert!(!matches(&json!([1])));
    }
}
