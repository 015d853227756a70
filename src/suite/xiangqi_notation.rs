//! Xiangqi moves in several notations: each is read, and each is written.

use serde_json::Value;

use super::entry::{ContentError, Entry, read_list};
use super::{Document, Report, Settings, is_for};
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

/// A move and its texts.
struct Texts<'d> {
    /// The place in the list.
    name: String,
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
pub fn check(document: Document<'_>, settings: Settings<'_>, report: &mut Report) -> Result<(), ContentError> {
    let moves = read_list(document.content, "moves", Texts::read)?;
    if moves.iter().all(|mv| mv.texts.len() < 2) {
        return Err(ContentError::nothing("no moves in two notations"));
    }
    settings.each("moves", &moves, |mv| mv.check(report));
    Ok(())
}

impl<'d> Texts<'d> {
    fn read(entry: Entry<'d>) -> Result<Self, ContentError> {
        let position = Xiangqi::from_notation(entry.text("fen")?).map_err(|_| entry.wrong("fen", "a position"))?;
        let text_in = |&(key, notation): &(&'static str, MoveNotation)| {
            let text = entry.optional(key, "a text", Value::as_str).transpose()?;
            Some(text.map(|text| (key, notation, text)))
        };
        let texts = TEXTS.iter().filter_map(text_in).collect::<Result<Vec<_>, _>>()?;
        let (key, notation) = TEXTS[0];
        let mv = entry.read(key, "a legal move", |text| position.read_move_in(text.as_str()?, notation).ok())?;
        Ok(Self { name: entry.name, position, mv, texts })
    }

    fn check(&self, report: &mut Report) {
        for &(key, notation, text) in &self.texts {
            let what = |doing| move || format!("{} ({}): {doing} `{key}`", self.name, self.mv);
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
    use crate::suite::checked;

    fn start() -> String {
        Xiangqi::start().notation()
    }

    #[test]
    fn each_text_is_a_fact_of_reading_and_one_of_writing() {
        let entry = json!({"fen": start(), "iccs": "h2e2", "uci_fairy": "h3e3", "wxf": "C2=5", "chinese": "炮二平六"});
        let report = checked(check, &json!({"moves": [entry]})).unwrap();
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
            let error = checked(check, &json!({"moves": [entry]})).unwrap_err().to_string();
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
