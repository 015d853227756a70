//! Textbook decision tables with every figure that follows from them.

mod shape;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value as Json;

use super::entry::{ContentError, Entry};
use super::{Document, Report, Settings};
use crate::observe::Silent;
use crate::rough::{
    Approximations, Condition, Fraction, Notion, Quotient, RoughError, Rule, minimal_certain_rules, smallest_cover,
};
use crate::table::{AttrSet, DecisionTable, TableError, Value};
use shape::{COUNT, shape_of};

/// Whether `document` is an object of tables.
pub fn matches(document: &Json) -> bool {
    let is_table = |entry: &Json| ["attributes", "rows", "decision"].iter().all(|key| entry.get(key).is_some());
    document.as_object().is_some_and(|entries| !entries.is_empty() && entries.values().all(is_table))
}

/// One table of the file. Objects are numbered from 1.
#[derive(Debug, Deserialize)]
struct TableWithFigures {
    attributes: Vec<String>,
    rows: Vec<Vec<String>>,
    decision: Vec<String>,
    #[serde(flatten)]
    figures: BTreeMap<String, Json>,
}

/// Fields that describe a table and are not figures.
const REMARKS: [&str; 3] = ["source", "notes", "published"];

/// Checks every figure of every table of a file, `published` ones included.
///
/// # Errors
/// When the file is not of the format, a table is invalid, or a figure is unknown or of a wrong shape: no figure is
/// left out silently.
pub fn check(document: Document<'_>, _settings: Settings<'_>, report: &mut Report) -> Result<(), ContentError> {
    let format = "it does not list tables with `attributes`, `rows`, `decision` and figures";
    let tables: BTreeMap<String, TableWithFigures> = Deserialize::deserialize(document.content)
        .map_err(|source| ContentError::because(format.to_owned(), source))?;
    for (name, table) in &tables {
        let computed =
            Computed::new(Entry { name: format!("table `{name}`"), value: &document.content[name] }, name, table)?;
        let figures = table.figures.iter().filter(|(figure, _)| !REMARKS.contains(&figure.as_str()));
        for (figure, expected) in figures.filter(|(_, expected)| !expected.is_null()) {
            computed.check(report, figure, expected)?;
        }
        if table.figures.get("n").is_none_or(Json::is_null) {
            return Err(computed.entry.wrong("n", COUNT.words));
        }
        let published = computed.entry.optional("published", "an object of figures", Json::as_object)?;
        for (path, expected) in published.into_iter().flatten() {
            computed.check_published(report, path, expected)?;
        }
    }
    Ok(())
}

/// A table with what the library says about it.
struct Computed<'e> {
    entry: Entry<'e>,
    name: &'e str,
    table: DecisionTable,
    attrs: AttrSet,
}

impl<'e> Computed<'e> {
    fn new(entry: Entry<'e>, name: &'e str, stated: &TableWithFigures) -> Result<Self, ContentError> {
        let invalid = |source| ContentError::because(format!("{} is not a decision table", entry.name), source);
        if stated.rows.len() != stated.decision.len() {
            let (expected, found) = (stated.rows.len(), stated.decision.len());
            return Err(invalid(TableError::Length { column: "decision".to_owned(), expected, found }));
        }
        let row = |(row, decision): (&Vec<String>, &String)| [row.as_slice(), std::slice::from_ref(decision)].concat();
        let rows: Vec<Vec<String>> = stated.rows.iter().zip(&stated.decision).map(row).collect();
        let table = DecisionTable::from_rows(&stated.attributes, "decision", &rows).map_err(invalid)?;
        let attrs = table.all_attributes();
        Ok(Self { entry, name, table, attrs })
    }

    /// Checks a published figure, named by its path: `gamma` or `o['approximations']['yes']['lower']`.
    fn check_published(&self, report: &mut Report, path: &str, expected: &Json) -> Result<(), ContentError> {
        let quoted: Vec<&str> = path.split('\'').skip(1).step_by(2).collect();
        let Some((figure, inner)) = quoted.split_first() else { return self.check(report, path, expected) };
        let nested = inner.iter().rev().fold(expected.clone(), |value, key| serde_json::json!({ (*key): value }));
        self.check(report, figure, &nested)
    }

    fn check(&self, report: &mut Report, figure: &str, expected: &Json) -> Result<(), ContentError> {
        if let Some(shape) = shape_of(figure).filter(|shape| !(shape.fits)(expected)) {
            return Err(self.entry.wrong(figure, shape.words));
        }
        match figure {
            "n" => self.expect(report, figure, expected, &Json::from(self.table.n_objects())),
            "ind_classes" => self.expect(report, figure, &sets(expected), &self.classes()),
            "positive_region" => self.expect(report, figure, expected, &objects(&self.approximate().positive_region())),
            "boundary" => self.expect(report, figure, expected, &objects(&self.approximate().boundary())),
            "gamma" => self.expect(report, figure, expected, &fraction(self.approximate().gamma())),
            "approximations" => self.check_approximations(report, expected),
            "gamma_of_subset" => self.check_subsets(report, expected)?,
            "all_minimal_certain_rules" => {
                self.expect(report, figure, &elements(expected).map(canonical_rule).collect(), &self.rules()?)
            }
            "min_certain_rules" => self.check_cover(report, expected)?,
            _ => self.check_reducts(report, figure, expected)?,
        }
        Ok(())
    }

    fn expect<T: PartialEq + std::fmt::Debug>(&self, report: &mut Report, figure: &str, expected: &T, got: &T) {
        report.expect(|| format!("{}: {figure}", self.name), expected, got);
    }

    fn approximate(&self) -> Approximations<'_> {
        Approximations::of(&self.table, &self.attrs)
    }

    fn classes(&self) -> BTreeSet<String> {
        self.approximate().partition().classes().iter().map(|class| objects(class).to_string()).collect()
    }

    fn check_approximations(&self, report: &mut Report, expected: &Json) {
        let approximations = self.approximate();
        for (decision, parts) in expected.as_object().into_iter().flatten() {
            let code = self.table.decision().code_of(&Value::text(decision));
            let got = code.map(|code| approximations.of_decision(code));
            for (part, expected) in parts.as_object().into_iter().flatten() {
                let got = got.as_ref().map_or(Json::Null, |a| match part.as_str() {
                    "lower" => objects(&a.lower),
                    "upper" => objects(&a.upper),
                    "boundary" => objects(&a.boundary),
                    "accuracy" => fraction(a.accuracy),
                    _ => Json::Null,
                });
                self.expect(report, &format!("approximations of {decision}: {part}"), expected, &got);
            }
        }
    }

    /// |POS_B| of subsets B, named `a+b`; the empty subset is `-`.
    fn check_subsets(&self, report: &mut Report, expected: &Json) -> Result<(), ContentError> {
        for (subset, expected) in expected.as_object().into_iter().flatten() {
            let names: Vec<&str> = if subset == "-" { vec![] } else { subset.split('+').collect() };
            let unknown = |source| {
                let figure = format!("{}: `gamma_of_subset`: `{subset}` is no set of its attributes", self.entry.name);
                ContentError::because(figure, source)
            };
            let attrs = self.table.attributes_called(&names).map_err(unknown)?;
            let positive = Approximations::of(&self.table, &attrs).gamma().numerator;
            self.expect(report, &format!("gamma_of_subset {subset}"), expected, &Json::from(positive));
        }
        Ok(())
    }

    fn check_reducts(&self, report: &mut Report, figure: &str, expected: &Json) -> Result<(), ContentError> {
        let (kind, core) = figure.strip_suffix("_core").map_or((figure, false), |kind| (kind, true));
        let notion = match kind {
            "pos_reducts" => Notion::Positive,
            "generalized_decision_reducts" => Notion::Generalized,
            "distribution_reducts" => Notion::Distribution,
            "information_reducts" => Notion::Information,
            _ => return Err(ContentError::new(format!("{} has an unknown figure `{figure}`", self.entry.name))),
        };
        let quotient = Quotient::new(&self.table, &self.attrs, notion);
        if core {
            self.expect(report, figure, &names(expected), &self.named(&quotient.core()));
            return Ok(());
        }
        let reducts = quotient.all_reducts(usize::MAX, &Silent);
        let found: BTreeSet<_> = reducts.found.iter().map(|reduct| self.named(reduct.attrs())).collect();
        self.expect(report, figure, &elements(expected).map(names).collect(), &found);
        let all_check = reducts.found.iter().all(|reduct| quotient.is_reduct(reduct.attrs()));
        self.expect(report, &format!("{figure}: each passes the check of a reduct"), &true, &all_check);
        Ok(())
    }

    fn check_cover(&self, report: &mut Report, expected: &Json) -> Result<(), ContentError> {
        let cover = smallest_cover(&self.table, &self.certain_rules()?);
        self.expect(report, "min_certain_rules", expected, &Json::from(cover.chosen.len()));
        self.expect(report, "min_certain_rules: proved", &true, &cover.smallest);
        Ok(())
    }

    fn certain_rules(&self) -> Result<Vec<Rule>, ContentError> {
        let rules = minimal_certain_rules(&self.table, &self.attrs, usize::MAX);
        Ok(rules.map_err(|e| self.too_large(e))?.found)
    }

    fn rules(&self) -> Result<BTreeSet<String>, ContentError> {
        Ok(self.certain_rules()?.iter().map(|rule| self.spelled(rule)).collect())
    }

    /// A rule in the format of the file.
    fn spelled(&self, rule: &Rule) -> String {
        let condition = |condition: &Condition| {
            let attribute = self.table.attribute(condition.attr);
            serde_json::json!([attribute.name(), attribute.domain()[condition.first as usize].to_string()])
        };
        let conditions: Vec<Json> = rule.conditions.iter().map(condition).collect();
        canonical_rule(&serde_json::json!({
            "cond": conditions,
            "dec": self.table.decision().domain()[rule.decision as usize].to_string(),
            "match": objects(&rule.objects(&self.table)),
            "support": rule.support,
            "coverage": fraction(rule.coverage()),
        }))
    }

    fn named(&self, attrs: &AttrSet) -> BTreeSet<String> {
        self.table.names(attrs).into_iter().map(str::to_owned).collect()
    }

    fn too_large(&self, source: RoughError) -> ContentError {
        ContentError::because(format!("{} is too large", self.entry.name), source)
    }
}

fn objects(rows: &[u32]) -> Json {
    rows.iter().map(|row| row + 1).collect()
}

fn fraction(fraction: Fraction) -> Json {
    serde_json::json!([fraction.numerator, fraction.denominator])
}

fn elements(list: &Json) -> impl Iterator<Item = &Json> {
    list.as_array().into_iter().flatten()
}

fn sets(list: &Json) -> BTreeSet<String> {
    elements(list).map(ToString::to_string).collect()
}

fn names(list: &Json) -> BTreeSet<String> {
    elements(list).filter_map(Json::as_str).map(str::to_owned).collect()
}

/// A rule as text, its conditions in a fixed order.
fn canonical_rule(rule: &Json) -> String {
    let conditions = sets(&rule["cond"]);
    let rest = ["dec", "match", "support", "coverage"].map(|key| rule[key].to_string());
    format!("{conditions:?} {rest:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::checked;

    fn file(figure: &str, expected: &Json) -> Json {
        serde_json::json!({ "t": {
            "n": 2, "attributes": ["a"], "rows": [["0"], ["1"]], "decision": ["x", "y"], (figure): expected,
        }})
    }

    #[test]
    fn a_wrong_figure_is_a_failure() {
        let report = checked(check, &file("gamma", &serde_json::json!([1, 2]))).unwrap();
        assert_eq!(report.checked, 2);
        assert_eq!(report.failures.len(), 1);
        assert_eq!((report.failures[0].what.as_str(), report.failures[0].got.contains('2')), ("t: gamma", true));
    }

    #[test]
    fn a_figure_of_a_wrong_shape_is_an_error() {
        let object = serde_json::json!([1]);
        for figure in
            ["approximations", "gamma_of_subset", "ind_classes", "gamma", "n", "pos_reducts", "pos_reducts_core"]
        {
            let error = checked(check, &file(figure, &object)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("table `t`: `{figure}`: expected a")), "{error}");
            assert!(error.ends_with("found [1]"), "{error}");
        }
        for (figure, value) in [
            ("approximations", serde_json::json!({"x": {"lowest": [1]}})),
            ("approximations", serde_json::json!({"x": {}})),
            ("all_minimal_certain_rules", serde_json::json!([{"cond": []}])),
            ("positive_region", serde_json::json!("all")),
            ("published", serde_json::json!([])),
            ("n", Json::Null),
        ] {
            let error = checked(check, &file(figure, &value)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("table `t`: `{figure}`: expected a")), "{error}");
        }
    }

    #[test]
    fn an_unknown_figure_is_an_error() {
        let error = checked(check, &file("gama", &serde_json::json!([2, 2]))).unwrap_err();
        assert_eq!(error.to_string(), "table `t` has an unknown figure `gama`");
    }

    #[test]
    fn a_subset_of_unknown_attributes_is_told_with_its_figure() {
        let error = checked(check, &file("gamma_of_subset", &serde_json::json!({"a": 2, "a+z": 2}))).unwrap_err();
        assert_eq!(error.to_string(), "table `t`: `gamma_of_subset`: `a+z` is no set of its attributes");
    }
}
