//! Xiangqi moves in several notations: each is read, and each is written.

use serde_json::Value;

use super::{Report, Settings, is_for};
use crate::game::{Game, Notation};
use crate::games::xiangqi::{Move, MoveNotation, Script, Xiangqi};

/// The keys of a move's texts and their notations. The first names the move.
const TEXTS: [(&str, MoveNotation); 5] = [
    ("iccs", MoveNotation::Iccs),
    ("uci_fairy", MoveNotation::Uci),
    ("wxf", MoveNotation::Wxf),
    ("chinese", MoveNotation::Chinese(Script::Simplified)),
    ("chinese_traditional", MoveNotation::Chinese(Script::Traditional)),
];

/// Whether the document is an object with `moves`, and for no other game.
pub fn matches(document: &Value) -> bool {
    document["moves"].is_array() && is_for(document, Xiangqi::NAME)
}

/// Why a document of moves states nothing that can be checked.
#[derive(Debug, thiserror::Error)]
pub enum NotationError {
    /// No move has a text in a second notation.
    #[error("it has no moves in two notations, so there is nothing to check")]
    NoFacts,
    /// A move lacks what is to be checked, or has it in another shape.
    #[error("moves[{index}]: `{key}`: expected {expected}, found {found}")]
    Entry {
        /// The place of the move in the list, from 0.
        index: usize,
        /// The key whose value is at fault.
        key: &'static str,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

/// A move and its texts.
struct Entry<'d> {
    position: Xiangqi,
    mv: Move,
    /// Key, notation and text.
    texts: Vec<(&'static str, MoveNotation, &'d str)>,
}

/// Checks for each text of each move that reading it gives the move, and that writing the move gives the text.
///
/// # Errors
/// When a move has no position or is not legal there, a text is none, or no move has two texts. All are read before any is
/// checked.
pub fn check(document: &Value, settings: Settings<'_>, report: &mut Report) -> Result<(), NotationError> {
    let entries = document["moves"].as_array().map_or(&[][..], Vec::as_slice);
    let entries = entries.iter().enumerate().map(|(index, entry)| Entry::read(entry, index));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    if entries.iter().all(|entry| entry.texts.len() < 2) {
        return Err(NotationError::NoFacts);
    }
    settings.observer.begin("moves", entries.len() as u64);
    for (index, entry) in entries.iter().enumerate() {
        entry.check(index, report);
        settings.observer.advance(1);
    }
    settings.observer.end();
    Ok(())
}

impl<'d> Entry<'d> {
    fn read(entry: &'d Value, index: usize) -> Result<Self, NotationError> {
        let wrong = |key, expected| NotationError::Entry { index, key, expected, found: entry[key].to_string() };
        let fen = entry["fen"].as_str().ok_or_else(|| wrong("fen", "a text"))?;
        let position = Xiangqi::from_notation(fen).map_err(|_| wrong("fen", "a position"))?;
        let text_in = |&(key, notation): &(&'static str, MoveNotation)| match &entry[key] {
            Value::Null => None,
            Value::String(text) => Some(Ok((key, notation, text.as_str()))),
            _ => Some(Err(wrong(key, "a text"))),
        };
        let texts = TEXTS.iter().filter_map(text_in).collect::<Result<Vec<_>, _>>()?;
        let (key, notation) = TEXTS[0];
        let mv = entry[key].as_str().and_then(|text| position.read_move_in(text, notation).ok());
        let mv = mv.ok_or_else(|| wrong(key, "a legal move"))?;
        Ok(Self { position, mv, texts })
    }

    fn check(&self, index: usize, report: &mut Report) {
        for &(key, notation, text) in &self.texts {
            let what = |doing| move || format!("moves[{index}] ({}): {doing} `{key}`", self.mv);
            let read = self.position.read_move_in(text, notation).map_err(|error| error.to_string());
            report.expect(what("reading"), &Ok(self.mv), &read);
            let mut written = String::new();
            self.position.write_move_in(self.mv, notation, &mut written);
            report.expect(what("writing"), &text, &written.as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::observe::Silent;

    const ALL: Settings<'static> = Settings { max_nodes: 0, observer: &Silent };

    fn start() -> String {
        Xiangqi::start().notation()
    }

    #[test]
    fn each_text_is_a_fact_of_reading_and_one_of_writing() {
        let entry = json!({"fen": start(), "iccs": "h2e2", "uci_fairy": "h3e3", "wxf": "C2=5", "chinese": "炮二平六"});
        let mut report = Report::default();
        check(&json!({"moves": [entry]}), ALL, &mut report).unwrap();
        assert_eq!((report.checked, report.passed()), (8, 6));
        assert_eq!(report.failures[1].what, "moves[0] (h2e2): writing `chinese`");
        assert_eq!((&*report.failures[1].expected, &*report.failures[1].got), ("\"炮二平六\"", "\"炮二平五\""));
    }

    #[test]
    fn moves_without_facts_are_errors() {
        for (entry, words) in [
            (json!({"iccs": "h2e2"}), "moves[0]: `fen`: expected a text, found null"),
            (json!({"fen": "x", "iccs": "h2e2"}), "`fen`: expected a position, found \"x\""),
            (json!({"fen": start(), "wxf": "C2=5"}), "`iccs`: expected a legal move, found null"),
            (json!({"fen": start(), "iccs": "h2h3", "wxf": 5}), "`wxf`: expected a text, found 5"),
            (json!({"fen": start(), "iccs": "h2h3"}), "nothing to check"),
        ] {
            let error = check(&json!({"moves": [entry]}), ALL, &mut Report::default()).unwrap_err().to_string();
            assert!(error.ends_with(words), "{error}");
        }
    }

    #[test]
    fn only_xiangqi_documents_match() {
        assert!(matches(&json!({"moves": []})));
        assert!(!matches(&json!({"game": "connect6", "moves": []})));
        assert!(!matches(&json!({"cases": []})));
    }
}
