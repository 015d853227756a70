//! Classes of lines of Connect6, and positions in which threats decide.

use serde_json::Value;

use super::entry::{ContentError, Entry, read_list};
use super::{Document, Report, Settings, is_for};
use crate::game::Game;
use crate::games::connect6::{Connect6, Pattern, Stretch};

/// The keys of the threats after no, one and two more stones.
const THREATS: [&str; 3] = ["T", "max_T_with_1_more", "max_T_with_2_more"];

/// Whether the document is one for Connect6 with `line_patterns`.
pub fn matches(document: &Value) -> bool {
    document["line_patterns"].is_array() && document.get("game").is_some() && is_for(document, Connect6::NAME)
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
pub fn check(document: Document<'_>, settings: Settings<'_>, report: &mut Report) -> Result<(), ContentError> {
    let lines = read_list(document.content, "line_patterns", Line::read)?;
    let positions = document.content["positions"].as_array().map_or(&[][..], Vec::as_slice);
    if lines.is_empty() && positions.is_empty() {
        return Err(ContentError::nothing("neither lines nor positions"));
    }
    lines.iter().for_each(|line| line.check(report));
    super::connect6_positions::check(positions, settings, report);
    Ok(())
}

impl<'d> Line<'d> {
    fn read(entry: Entry<'d>) -> Result<Self, ContentError> {
        let text = entry.text("line")?;
        // What stands at the ends of a line bounds it, stones of the opponent as well as the edge.
        let stretch = Stretch::parse(text.trim_matches('O'));
        let stretch = stretch.ok_or_else(|| entry.wrong("line", "at most 19 `X` and `.`, between `O` or not"))?;
        let pattern = entry.read("class", "the name of a class", |name| Pattern::named(name.as_str()?))?;
        let mut threats = [None; THREATS.len()];
        for (threats, key) in threats.iter_mut().zip(THREATS) {
            *threats = entry.optional(key, "a number or null", Value::as_u64)?;
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
    use crate::suite::checked;

    fn document(line: Value) -> Value {
        json!({"game": "connect6", "line_patterns": [line]})
    }

    #[test]
    fn a_line_has_a_class_and_threats() {
        let line =
            json!({"line": "O.XXXX.O", "class": "L4", "T": 1, "max_T_with_1_more": 2, "max_T_with_2_more": null});
        let report = checked(check, &document(line)).unwrap();
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
            let error = checked(check, &document(line)).unwrap_err().to_string();
            assert!(error.ends_with(words), "{error}");
        }
        let empty = json!({"game": "connect6", "line_patterns": []});
        assert!(matches(&empty) && !matches(&json!({"line_patterns": []})));
        assert!(checked(check, &empty).unwrap_err().to_string().contains("nothing to check"));
    }
}
