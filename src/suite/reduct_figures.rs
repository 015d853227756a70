//! Figures of decision tables that lie in files beside the suite: sizes, dependency, core, all reducts.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value as Json;

use super::entry::{ContentError, Entry, all, shortened};
use super::{Document, Report, Settings};
use crate::observe::Silent;
use crate::rough::{Approximations, Fraction, Notion, Quotient, Reduct, RoughError, difference_sets, minimal_sets};
use crate::table::{AttrIdx, AttrSet, DecisionTable, Roles};

/// The decision column of every table.
const DECISION: &str = "d";
/// What a table's file may end in; the first that is there is taken.
const EXTENSIONS: [&str; 2] = ["parquet", "csv"];
/// |POS| may differ from what a decimal γ states by no more than this.
const TOLERANCE: f64 = 1e-9;

/// Whether `content` has an object of tables.
pub fn matches(content: &Json) -> bool {
    content["tables"].is_object()
}

/// Checks every figure of every table.
///
/// # Errors
/// When there are no tables, a figure is unknown or of a wrong shape (nothing is computed before all are read), the
/// file of a table is missing or invalid, or a table is too large for a figure.
pub fn check(document: Document<'_>, settings: Settings<'_>, report: &mut Report) -> Result<(), ContentError> {
    let tables = document.content["tables"].as_object().into_iter().flatten();
    let tables = tables.map(|(name, table)| Ok((name, figures_of(name, table)?)));
    let tables = tables.collect::<Result<Vec<_>, ContentError>>()?;
    if tables.is_empty() {
        return Err(ContentError::nothing("no tables"));
    }
    settings.observer.begin("tables", tables.len() as u64);
    for (name, figures) in &tables {
        settings.observer.remark(name);
        let facts = Facts::of(name, document.folder)?;
        figures.iter().try_for_each(|(figure, expected)| facts.check(figure, expected, report))?;
        settings.observer.advance(1);
    }
    settings.observer.end();
    Ok(())
}

/// The figures that are whole numbers.
const COUNTS: [&str; 9] =
    ["rows", "distinct", "attrs", "distinct_clauses", "minimal_clauses", "n_reducts", "min", "n_min", "max"];

/// What `entry` states under `figure`.
fn read_figure(entry: &Entry<'_>, figure: &str) -> Result<Expected, ContentError> {
    match figure {
        "gamma" => entry.read(figure, "a number from 0 to 1 or a fraction `[numerator, denominator]`", gamma),
        "core" => entry.read(figure, "a list of attributes' positions", |list| positions(list).map(Expected::Set)),
        "reducts" => entry
            .read(figure, "a list of lists of attributes' positions", |list| all(list, positions).map(Expected::Sets)),
        _ if COUNTS.contains(&figure) => {
            entry.read(figure, "a whole number", |number| number.as_u64().map(Expected::Count))
        }
        _ => Err(ContentError::new(format!("{} has an unknown figure `{figure}`", entry.name))),
    }
}

/// What a figure states.
#[derive(Debug)]
enum Expected {
    Count(u64),
    Share(f64),
    Fraction(Fraction),
    Set(AttrSet),
    Sets(BTreeSet<AttrSet>),
}

fn gamma(value: &Json) -> Option<Expected> {
    if let Some([numerator, denominator]) = value.as_array().map(Vec::as_slice) {
        return Some(Expected::Fraction(Fraction::new(numerator.as_u64()?, denominator.as_u64()?)));
    }
    value.as_f64().filter(|share| (0.0..=1.0).contains(share)).map(Expected::Share)
}

fn positions(value: &Json) -> Option<AttrSet> {
    // A position beyond this is no attribute of any table, and would make a set of its size.
    let position =
        |value: &Json| value.as_u64().filter(|&at| at < u64::from(u16::MAX)).map(|at| AttrIdx::new(at as usize));
    all(value, position)
}

/// The figures that the document states of one table.
fn figures_of<'d>(name: &str, table: &'d Json) -> Result<Vec<(&'d str, Expected)>, ContentError> {
    let entry = Entry { name: format!("table `{name}`"), value: table };
    let figures = table.as_object().filter(|figures| !figures.is_empty());
    let found = || shortened(table);
    let none = || ContentError::new(format!("{}: expected an object with figures, found {}", entry.name, found()));
    let read = |figure: &'d String| Ok((figure.as_str(), read_figure(&entry, figure)?));
    figures.ok_or_else(none)?.keys().map(read).collect()
}

/// A table with what the library says about it; what takes long is computed when it is first asked for.
struct Facts<'n> {
    name: &'n str,
    table: DecisionTable,
    quotient: Quotient,
    reducts: OnceCell<Vec<Reduct>>,
    differences: OnceCell<Vec<u128>>,
}

impl<'n> Facts<'n> {
    fn of(name: &'n str, folder: &Path) -> Result<Self, ContentError> {
        let paths = EXTENSIONS.map(|extension| folder.join(format!("{name}.{extension}")));
        let missing = || {
            let first = paths[0].display();
            ContentError::new(format!("table `{name}`: expected the file `{first}` or one ending in .csv"))
        };
        let path = paths.iter().find(|path| path.exists()).ok_or_else(missing)?;
        let unreadable = |source| ContentError::because(format!("table `{name}` cannot be read"), source);
        let table = DecisionTable::read(path, &Roles::decided_by(DECISION)).map_err(unreadable)?;
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        Ok(Self { name, table, quotient, reducts: OnceCell::new(), differences: OnceCell::new() })
    }

    fn check(&self, figure: &str, expected: &Expected, report: &mut Report) -> Result<(), ContentError> {
        let what = || format!("{}: {figure}", self.name);
        match expected {
            Expected::Count(expected) => report.expect(what, expected, &(self.count(figure)? as u64)),
            Expected::Fraction(expected) => report.expect(what, expected, &self.gamma()),
            Expected::Share(expected) => self.check_share(*expected, report),
            Expected::Set(expected) => report.expect(what, expected, &self.quotient.core()),
            Expected::Sets(expected) => self.check_reducts(expected, report),
        }
        Ok(())
    }

    /// One of [`COUNTS`].
    fn count(&self, figure: &str) -> Result<usize, ContentError> {
        let sizes = || self.reducts().iter().map(Reduct::len);
        Ok(match figure {
            "rows" => self.table.n_objects(),
            "distinct" => self.quotient.n_rows(),
            "attrs" => self.table.n_attributes(),
            "distinct_clauses" => self.differences(figure)?.len(),
            "minimal_clauses" => minimal_sets(self.differences(figure)?).len(),
            "n_reducts" => self.reducts().len(),
            "max" => sizes().max().unwrap_or(0),
            "n_min" => {
                let least = sizes().min().unwrap_or(0);
                sizes().filter(|size| *size == least).count()
            }
            _ => sizes().min().unwrap_or(0),
        })
    }

    fn gamma(&self) -> Fraction {
        Approximations::of(&self.table, &self.table.all_attributes()).gamma()
    }

    /// A decimal γ must state |POS| up to rounding.
    fn check_share(&self, expected: f64, report: &mut Report) {
        let got = self.gamma();
        let stated = expected * got.denominator as f64;
        let holds = (stated - got.numerator as f64).abs() < TOLERANCE;
        let got = if holds { expected.to_string() } else { format!("{got} = {}", got.value()) };
        report.expect(|| format!("{}: gamma", self.name), &expected.to_string(), &got);
    }

    /// Two facts: the reducts are those listed, and each passes the check of a reduct.
    fn check_reducts(&self, expected: &BTreeSet<AttrSet>, report: &mut Report) {
        let got: BTreeSet<AttrSet> = self.reducts().iter().map(|reduct| reduct.attrs().clone()).collect();
        let surplus = |a: &BTreeSet<AttrSet>, b: &BTreeSet<AttrSet>| match a.difference(b).next() {
            None => format!("{} reducts", a.len()),
            Some(first) => format!("{} reducts, {first:?} among them", a.len()),
        };
        let sides = (surplus(expected, &got), surplus(&got, expected));
        report.expect(|| format!("{}: reducts", self.name), &sides.0, &sides.1);
        let wrong = expected.iter().find(|attrs| !self.quotient.is_reduct(attrs));
        report.expect(|| format!("{}: a set listed in reducts that is not a reduct", self.name), &None, &wrong);
    }

    fn reducts(&self) -> &[Reduct] {
        self.reducts.get_or_init(|| self.quotient.all_reducts(usize::MAX, &Silent).found)
    }

    fn differences(&self, figure: &str) -> Result<&[u128], ContentError> {
        computed(&self.differences, || {
            difference_sets(&self.table, Notion::Positive, &Silent).map_err(|source| self.too_large(figure, source))
        })
    }

    fn too_large(&self, figure: &str, source: RoughError) -> ContentError {
        ContentError::because(format!("table `{}` is too large for the figure `{figure}`", self.name), source)
    }
}

/// The content of `cell`, computed if it is not there yet.
fn computed<T, E>(cell: &OnceCell<Vec<T>>, compute: impl FnOnce() -> Result<Vec<T>, E>) -> Result<&[T], E> {
    match cell.get() {
        Some(values) => Ok(values),
        None => compute().map(|values| cell.get_or_init(|| values).as_slice()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use serde_json::json;

    /// The report on a table `t` of three rows, of which `figures` are stated.
    fn checked(figures: Json) -> Result<Report, ContentError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("t.csv"), "a,b,d\n0,0,x\n1,0,y\n1,1,y\n1,1,x\n").unwrap();
        let content = json!({ "tables": { "t": figures } });
        let mut report = Report::default();
        let settings = Settings { max_nodes: 0, observer: &Silent };
        check(Document { content: &content, folder: folder.path() }, settings, &mut report).map(|()| report)
    }

    #[test]
    fn figures_that_hold_pass() {
        let figures = json!({
            "rows": 4, "distinct": 3, "attrs": 2, "gamma": [2, 4], "distinct_clauses": 3, "minimal_clauses": 2,
            "core": [0, 1], "n_reducts": 1, "min": 2, "n_min": 1, "max": 2, "reducts": [[0, 1]],
        });
        let report = checked(figures).unwrap();
        assert_eq!((report.checked, report.failures), (13, vec![]));
        assert_eq!(checked(json!({ "gamma": 0.5 })).unwrap().failures, []);
    }

    #[test]
    fn every_wrong_figure_is_a_failure() {
        for (figure, value, words) in [
            ("rows", json!(5), "rows: expected 5, got 4"),
            ("gamma", json!(0.25), "gamma: expected \"0.25\", got \"2/4 = 0.5\""),
            ("gamma", json!([1, 2]), "got Fraction { numerator: 2, denominator: 4 }"),
            ("core", json!([0]), "core: expected {0}, got {0, 1}"),
            ("distinct_clauses", json!(4), "expected 4, got 3"),
            ("n_min", json!(2), "expected 2, got 1"),
            ("reducts", json!([[0]]), "expected \"1 reducts, {0} among them\", got \"1 reducts, {0, 1} among them\""),
        ] {
            let report = checked(json!({ figure: value })).unwrap();
            let failure = &report.failures[0];
            let line = format!("{}: expected {}, got {}", failure.what, failure.expected, failure.got);
            assert!(line.starts_with(&format!("t: {figure}")) && line.contains(words), "{line}");
        }
        assert_eq!(checked(json!({ "reducts": [[0]] })).unwrap().failures.len(), 2);
    }

    #[test]
    fn what_states_nothing_is_an_error() {
        for (figures, words) in [
            (json!({}), "table `t`: expected an object with figures, found {}"),
            (json!(7), "table `t`: expected an object with figures, found 7"),
            (json!({ "gama": 1 }), "table `t` has an unknown figure `gama`"),
            (json!({ "rows": -1 }), "table `t`: `rows`: expected a whole number, found -1"),
            (json!({ "max": null }), "table `t`: `max`: expected a whole number, found null"),
            (json!({ "gamma": 2 }), "table `t`: `gamma`: expected a number from 0 to 1 or a fraction"),
            (json!({ "core": ["a"] }), "`core`: expected a list of attributes' positions, found [\"a\"]"),
            (json!({ "reducts": [0] }), "`reducts`: expected a list of lists of attributes' positions, found [0]"),
        ] {
            let error = checked(figures).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let content = json!({ "tables": { "nowhere": { "rows": 1 } } });
        let document = Document { content: &content, folder: Path::new("some/folder") };
        let settings = Settings { max_nodes: 0, observer: &Silent };
        let error = check(document, settings, &mut Report::default()).unwrap_err().to_string();
        assert_eq!(error, "table `nowhere`: expected the file `some/folder/nowhere.parquet` or one ending in .csv");
        let nothing = Document { content: &json!({ "tables": {} }), ..document };
        let error = check(nothing, settings, &mut Report::default()).unwrap_err().to_string();
        assert_eq!(error, "it has no tables, so there is nothing to check");
    }
}
