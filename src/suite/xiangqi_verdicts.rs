//! Verdicts at the end of Xiangqi games: repetition, material, plies without capture, mate.

use std::collections::BTreeMap;

use serde_json::Value;

use super::entry::{ContentError, Entry, all, read_list};
use super::{Document, Report, Settings, is_for};
use crate::game::{End, Game, Notation, Outcome, Side};
use crate::games::xiangqi::Xiangqi;

/// The spellings of a verdict, in the order of [`verdict`].
const VERDICTS: [&str; 4] = ["none", "draw", "red-wins", "black-wins"];
/// What `status` says of a case on which rule books or engines differ.
const DISPUTED: &str = "engine-dependent";

/// Whether the document is an object with `cases`, and for no other game.
pub(super) fn matches(document: &Value) -> bool {
    document["cases"].is_array() && is_for(document, Xiangqi::NAME)
}

/// How a game stands by `end`, as suites spell it: `none` while it goes on.
pub const fn verdict(end: Option<End>) -> &'static str {
    VERDICTS[match end {
        None => 0,
        Some(End { outcome: Outcome::Draw, .. }) => 1,
        Some(End { outcome: Outcome::Win(Side::First), .. }) => 2,
        Some(End { outcome: Outcome::Win(Side::Second), .. }) => 3,
    }]
}

/// A game and what is said of its end.
struct Case<'d> {
    name: String,
    fen: &'d str,
    moves: Vec<&'d str>,
    /// The verdict on which rule book or engines agree.
    expected: Option<&'d str>,
    /// The verdict that this library has chosen where they do not.
    chosen: Option<&'d str>,
    /// By engine.
    verdicts: BTreeMap<&'d str, &'d str>,
}

/// Checks the verdict at the end of each case against the one that is chosen or else agreed; disputed cases without a choice
/// are left out. Notes how many of the agreed verdicts each engine of the document gives.
///
/// # Errors
/// When a case has no position, moves or verdict, or none has a verdict to check: nothing is played before all are read.
pub(super) fn check(document: Document<'_>, settings: Settings<'_>, report: &mut Report) -> Result<(), ContentError> {
    let cases = read_list(document.content, "cases", Case::read)?;
    if cases.iter().all(|case| case.fact().is_none()) {
        return Err(ContentError::nothing("no cases with a verdict that is agreed or chosen"));
    }
    let mut agreement = Agreement::default();
    settings.each("verdicts", &cases, |case| case.check(report, &mut agreement));
    report.notes.extend(agreement.note());
    Ok(())
}

impl<'d> Case<'d> {
    fn read(Entry { name, value }: Entry<'d>) -> Result<Self, ContentError> {
        let name = value["id"].as_str().map_or(name, ToOwned::to_owned);
        let case = Entry { name: format!("case `{name}`"), value };
        let fen = case.text("fen")?;
        let moves = case.read("moves_iccs", "a list of moves", |moves| all(moves, Value::as_str))?;
        let verdict_at = |key| {
            let known = |verdict: &'d Value| verdict.as_str().filter(|text| VERDICTS.contains(text));
            case.optional(key, "one of `none`, `draw`, `red-wins`, `black-wins`", known)
        };
        let [chosen, expected, rule_book] =
            [verdict_at("roughboard")?, verdict_at("expected")?, verdict_at("expected_wxf")?];
        let disputed = value["status"] == DISPUTED;
        let expected = expected.or(rule_book).filter(|_| !disputed);
        if expected.or(chosen).is_none() && !disputed {
            return Err(case.wrong("expected", "a verdict"));
        }
        let verdicts = value["verdicts"].as_object().into_iter().flatten();
        let verdicts = verdicts.filter_map(|(engine, verdict)| Some((engine.as_str(), verdict.as_str()?))).collect();
        Ok(Self { name, fen, moves, expected, chosen, verdicts })
    }

    /// The verdict to check.
    fn fact(&self) -> Option<&'d str> {
        self.chosen.or(self.expected)
    }

    fn check(&self, report: &mut Report, agreement: &mut Agreement<'d>) {
        let Some(fact) = self.fact() else { return };
        let got = self.played();
        match &got {
            Ok(verdict) => report.expect(|| self.name.clone(), &fact, verdict),
            Err(error) => report.fail(self.name.as_str(), "a game that can be played", error.as_str()),
        }
        if let Some(expected) = self.expected {
            agreement.count(expected, got.unwrap_or_default(), &self.verdicts);
        }
    }

    /// The verdict at the end of the moves, or which of position and moves is at fault.
    fn played(&self) -> Result<&'static str, String> {
        let mut game = Xiangqi::from_notation(self.fen).map_err(|error| error.to_string())?;
        for (number, text) in (1..).zip(&self.moves) {
            let mv = game.parse_move(text).map_err(|error| format!("move {number}: {error}"))?;
            game.play(mv);
        }
        Ok(verdict(game.end()))
    }
}

/// How many agreed verdicts this library and each engine give.
#[derive(Default)]
struct Agreement<'d> {
    cases: usize,
    ours: usize,
    /// By engine: verdicts as agreed, verdicts told.
    engines: BTreeMap<&'d str, (usize, usize)>,
}

impl<'d> Agreement<'d> {
    /// Counts a case; cases on which no engine was asked are no comparison.
    fn count(&mut self, expected: &str, ours: &str, verdicts: &BTreeMap<&'d str, &'d str>) {
        if verdicts.is_empty() {
            return;
        }
        self.cases += 1;
        self.ours += usize::from(ours == expected);
        for (engine, verdict) in verdicts {
            let (agreed, told) = self.engines.entry(engine).or_default();
            *agreed += usize::from(*verdict == expected);
            *told += 1;
        }
    }

    fn note(&self) -> Option<String> {
        let engine = |(name, (agreed, told)): (&&str, &(usize, usize))| format!(", {name} {agreed} of {told}");
        let engines: String = self.engines.iter().map(engine).collect();
        (self.cases > 0).then(|| {
            format!("agreement with the expected verdicts: roughboard {} of {}{engines}", self.ours, self.cases)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite;
    use serde_json::json;

    const MATED: &str = "3k5/3PP4/9/9/9/9/9/9/9/4K4 b";
    const ROOK: &str = "3k5/9/9/9/9/9/9/9/R8/4K4 w";

    fn checked(document: &Value) -> Report {
        suite::checked(check, document).unwrap()
    }

    #[test]
    fn a_wrong_verdict_is_reported_and_engines_are_counted() {
        let verdicts = json!({"b": "draw", "a": "red-wins"});
        let report = checked(&json!({"cases": [
            {"id": "mate", "fen": MATED, "moves_iccs": [], "expected": "red-wins", "verdicts": verdicts},
            {"fen": ROOK, "moves_iccs": ["a1a2"], "expected_wxf": "draw", "verdicts": {"b": "draw"}},
        ]}));
        assert_eq!((report.checked, report.passed()), (2, 1));
        assert_eq!(report.failures[0].what, "cases[1]");
        let note = "agreement with the expected verdicts: roughboard 1 of 2, a 1 of 1, b 1 of 2";
        assert_eq!(report.notes, [note]);
    }

    #[test]
    fn a_disputed_case_is_checked_against_the_choice_only() {
        let disputed = json!({"fen": ROOK, "moves_iccs": [], "expected": "draw", "status": "engine-dependent"});
        let mut chosen = disputed.clone();
        chosen["roughboard"] = "none".into();
        chosen["verdicts"] = json!({"a": "draw"});
        let report = checked(&json!({"cases": [disputed, chosen]}));
        assert_eq!((report.checked, report.passed(), report.notes.len()), (1, 1, 0));
        let nothing = suite::checked(check, &json!({"cases": [disputed]})).unwrap_err().to_string();
        assert!(nothing.ends_with("nothing to check"), "{nothing}");
    }

    #[test]
    fn a_game_that_cannot_be_played_fails() {
        let report = checked(&json!({"cases": [
            {"fen": "9/9", "moves_iccs": [], "expected": "none"},
            {"fen": ROOK, "moves_iccs": ["a1a2", "a2a3"], "expected": "none"},
        ]}));
        assert_eq!(report.failures.len(), 2);
        assert!(report.failures[1].got.starts_with("move 2: `a2a3` is illegal"), "{}", report.failures[1].got);
    }

    #[test]
    fn cases_without_facts_are_errors() {
        for (case, words) in [
            (json!({"moves_iccs": [], "expected": "draw"}), "case `cases[0]`: `fen`: expected a text, found null"),
            (
                json!({"id": "x", "fen": ROOK, "expected": "draw"}),
                "`x`: `moves_iccs`: expected a list of moves, found null",
            ),
            (json!({"fen": ROOK, "moves_iccs": [1], "expected": "draw"}), "found [1]"),
            (json!({"fen": ROOK, "moves_iccs": []}), "`expected`: expected a verdict, found null"),
            (json!({"fen": ROOK, "moves_iccs": [], "expected_wxf": "won"}), "`black-wins`, found \"won\""),
        ] {
            let error = suite::checked(check, &json!({"cases": [case]})).unwrap_err().to_string();
            assert!(error.ends_with(words), "{error}");
        }
        let nothing = suite::checked(check, &json!({"cases": []})).unwrap_err().to_string();
        assert!(nothing.ends_with("nothing to check"), "{nothing}");
    }

    #[test]
    fn only_xiangqi_documents_match() {
        assert!(matches(&json!({"cases": []})));
        assert!(!matches(&json!({"game": "connect6", "cases": []})));
        assert!(!matches(&json!({"positions": []})));
    }
}
