//! Classes of lines of Connect6, and positions in which threats decide.

use serde_json::Value;

use super::{Report, Settings, is_for};
use crate::game::Game;
use crate::games::connect6::{Connect6, Pattern, Stretch};

/// The keys of the threats after no, one and two more stones.
const THREATS: [&str; 3] = ["T", "max_T_with_1_more", "max_T_with_2_more"];

/// Whether the document is one for Connect6 with `line_patterns`.
pub fn matches(document: &Value) -> bool {
    document["line_patterns"].is_array() && document.get("game").is_some() && is_for(document, Connect6::NAME)
}

/// Why a document states nothing that can be checked.
#[derive(Debug, thiserror::Error)]
pub enum Connect6TestsError {
    /// There is not a single line and no position.
    #[error("it has neither lines nor positions, so there is nothing to check")]
    NoFacts,
    /// A line lacks what is to be checked, or has it in another shape.
    #[error("line_patterns[{index}]: `{key}`: expected {expected}, found {found}")]
    Line {
        /// The place of the line in the list, from 0.
        index: usize,
        /// The key whose value is at fault.
        key: &'static str,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

/// A line and what is stated of it.
struct Line<'d> {
    text: &'d str,
    stretch: Stretch,
    pattern: Pattern,
    /// In the order of [`THREATS`], as far as they are stated.
    threats: [Option<u64>; THREATS.len()],
}

/// Checks the class of every line and its threats, now and after one and two more stones; then the positions.
///
/// # Errors
/// When there is nothing to check, or a line does not state its facts; all lines are read before any is checked.
pub fn check(document: &Value, settings: Settings<'_>, report: &mut Report) -> Result<(), Connect6TestsError> {
    let list = |key: &str| document[key].as_array().map_or(&[][..], Vec::as_slice);
    let lines = list("line_patterns").iter().enumerate().map(|(index, entry)| Line::read(entry, index));
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    let positions = list("positions");
    if lines.is_empty() && positions.is_empty() {
        return Err(Connect6TestsError::NoFacts);
    }
    lines.iter().for_each(|line| line.check(report));
    super::connect6_positions::check(positions, settings, report);
    Ok(())
}

impl<'d> Line<'d> {
    fn read(entry: &'d Value, index: usize) -> Result<Self, Connect6TestsError> {
        let wrong = |key, expected| Connect6TestsError::Line { index, key, expected, found: entry[key].to_string() };
        let text = entry["line"].as_str().ok_or_else(|| wrong("line", "a text"))?;
        // What stands at the ends of a line bounds it, stones of the opponent as well as the edge.
        let stretch = Stretch::parse(text.trim_matches('O'));
        let stretch = stretch.ok_or_else(|| wrong("line", "at most 19 `X` and `.`, between `O` or not"))?;
        let pattern = entry["class"].as_str().and_then(Pattern::named);
        let pattern = pattern.ok_or_else(|| wrong("class", "the name of a class"))?;
        let mut threats = [None; THREATS.len()];
        for (threats, key) in threats.iter_mut().zip(THREATS) {
            *threats = match &entry[key] {
                Value::Null => None,
                value => Some(value.as_u64().ok_or_else(|| wrong(key, "a number or null"))?),
            };
        }
        Ok(Self { text, stretch, pattern, threats })
    }

    fn check(&self, report: &mut Report) {
        let what = |key: &str| format!("line `{}`: {key}", self.text);
        report.expect(|| what("class"), &self.pattern, &self.stretch.pattern());
        for (more, (stated, key)) in self.threats.into_iter().zip(THREATS).enumerate() {
            if let Some(stated) = stated {
                report.expect(|| what(key), &stated, &(self.stretch.threats_after(more) as u64));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::observe::Silent;

    const ALL: Settings<'static> = Settings { max_nodes: 0, observer: &Silent };

    fn document(line: Value) -> Value {
        json!({"game": "connect6", "line_patterns": [line]})
    }

    #[test]
    fn a_line_has_a_class_and_threats() {
        let line =
            json!({"line": "O.XXXX.O", "class": "L4", "T": 1, "max_T_with_1_more": 2, "max_T_with_2_more": null});
        let mut report = Report::default();
        check(&document(line), ALL, &mut report).unwrap();
        assert_eq!((report.checked, report.passed()), (3, 1));
        assert_eq!(report.failures[0].what, "line `O.XXXX.O`: class");
        assert_eq!((&*report.failures[0].expected, &*report.failures[0].got), ("L4", "D4"));
    }

    #[test]
    fn lines_without_facts_are_errors() {
        for (line, words) in [
            (json!({"class": "V"}), "line_patterns[0]: `line`: expected a text, found null"),
            (
                json!({"line": "XOX", "class": "V"}),
                "expected at most 19 `X` and `.`, between `O` or not, found \"XOX\"",
            ),
            (json!({"line": "X", "class": "L6"}), "`class`: expected the name of a class, found \"L6\""),
            (json!({"line": "X", "class": "V", "T": -1}), "`T`: expected a number or null, found -1"),
        ] {
            let error = check(&document(line), ALL, &mut Report::default()).unwrap_err().to_string();
            assert!(error.ends_with(words), "{error}");
        }
        let empty = json!({"game": "connect6", "line_patterns": []});
        assert!(matches(&empty) && !matches(&json!({"line_patterns": []})));
        assert!(check(&empty, ALL, &mut Report::default()).unwrap_err().to_string().contains("nothing to check"));
    }
}
