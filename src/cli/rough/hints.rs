//! Notes about attributes whose values say little when they are compared for equality, as rough sets do.

use roughboard::rough::{Condition, Rule};
use roughboard::table::{Attribute, DecisionTable, Value, counted_value};

use super::text::list;
use crate::cli::{folder, output};

/// Fewer objects than this may well differ in an attribute that describes them.
pub const FEW_OBJECTS: usize = 10;
/// More numbers than this are many.
const MANY_NUMBERS: usize = 20;
/// Whole numbers of which so few objects or fewer share one, in the mean, are measurements.
const FEW_SHARE: usize = 10;

/// Prints the [`notes`] about the conditions of a table.
pub fn note(table: &DecisionTable, for_numbers: Option<&str>) {
    output::note(notes(table.attributes(), table.n_rows(), for_numbers));
}

/// What is to be said of attributes of so many rows that look like names of the objects and, if there is a remedy `for_numbers`, of
/// numbers with many values.
pub fn notes(attributes: &[Attribute], n_rows: usize, for_numbers: Option<&str>) -> Vec<String> {
    let names = |looks_so: &dyn Fn(&Attribute) -> bool| -> Vec<String> {
        attributes.iter().filter(|attribute| looks_so(attribute)).map(|attribute| attribute.name().to_owned()).collect()
    };
    let indices = names(&|attribute| is_index(attribute.name()));
    let identifiers = names(&|attribute| !is_index(attribute.name()) && is_identifier(attribute, n_rows));
    let is_measured = |attribute: &Attribute| is_scattered(attribute, n_rows) && !is_identifier(attribute, n_rows);
    let numbers = names(&is_measured);
    let mut notes = Vec::new();
    if !indices.is_empty() {
        let (listed, ignored) = (quoted(&indices), argument(&indices));
        notes.push(format!("{listed} is named like the index of a data frame: try --ignore {ignored}"));
    }
    if !identifiers.is_empty() {
        let (listed, ignored) = (quoted(&identifiers), argument(&identifiers));
        notes.push(format!(
            "nearly every object has its own value of {listed}, as of an identifier: try --ignore {ignored}"
        ));
    }
    if let (Some(remedy), false) = (for_numbers, numbers.is_empty()) {
        let listed = quoted(&numbers);
        notes.push(format!(
            "numbers are compared for equality, and each of {listed} has more than {MANY_NUMBERS}: {remedy}"
        ));
    }
    notes
}

/// Prints what is to be said of whole numbers that are to be computed with.
pub fn note_large(table: &DecisionTable) {
    note_large_of(table.attributes().iter());
}

/// As [`note_large`], of these attributes.
pub fn note_large_of<'a>(attributes: impl Iterator<Item = &'a Attribute>) {
    output::note(of_large(attributes));
}

/// What is to be said of different whole numbers that are one real number.
fn of_large<'a>(attributes: impl Iterator<Item = &'a Attribute>) -> Option<String> {
    let is_one = |pair: &&[Value]| matches!(pair, [Value::Integer(a), Value::Integer(b)] if *a as f64 == *b as f64);
    let pairs = attributes.filter_map(|attribute| {
        // The values stand in their order.
        let pair = attribute.domain().windows(2).find(is_one)?;
        Some((attribute.name(), pair))
    });
    let pairs: Vec<(&str, &[Value])> = pairs.collect();
    let (_, first) = pairs.first()?;
    let names: Vec<String> = pairs.iter().map(|(name, _)| (*name).to_owned()).collect();
    Some(format!(
        "different whole numbers of {} are one real number of 64 bits, such as `{}` and `{}`, and are computed with as such: \
         --text {} keeps them apart",
        quoted(&names),
        first[0],
        first[1],
        argument(&names)
    ))
}

/// What is to be said of conditions by which, where a missing value is a value, hardly more is told than whether they are missing.
pub fn of_halves(table: &DecisionTable) -> Option<String> {
    let halves = table.attributes().iter().filter(|attribute| has_one_value_and_none(attribute));
    let halves: Vec<String> = halves.map(|attribute| attribute.name().to_owned()).collect();
    let (listed, ignored) = (quoted(&halves), argument(&halves));
    (!halves.is_empty()).then(|| {
        format!(
            "a missing value is a value of its own, and there is only one other in {listed}: try --ignore {ignored}, or \
             --missing drop"
        )
    })
}

/// What is to be said of numbers to be completed by the most frequent one, which is only the least of them where hardly any repeats.
pub fn of_frequent(table: &DecisionTable) -> Option<String> {
    let is_concerned = |attribute: &&Attribute| attribute.n_missing() > 0 && is_scattered(attribute, table.n_rows());
    let names: Vec<String> =
        table.attributes().iter().filter(is_concerned).map(|attribute| attribute.name().to_owned()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "numbers of {} hardly repeat, so that the most frequent one says little: try --method mean or median",
            quoted(&names)
        )
    })
}

/// What is to be said if conditions are named like counts of a decision that is a column itself, or the decision is
/// named like one of several counts.
pub fn of_counts(table: &DecisionTable) -> Option<String> {
    let decision = table.decision().name();
    let counts = counts_of(decision, table);
    if !counts.is_empty() {
        let (listed, ignored) = (quoted(&counts), argument(&counts));
        return Some(format!(
            "the decision is the column `{decision}`, and {listed}, named like counts of it, are conditions: try --ignore {ignored}"
        ));
    }
    let (counted, _) = decision.split_once('=')?;
    let others = counts_of(counted, table);
    let (listed, whole) = (quoted(&others), argument(&[counted.to_owned()]));
    (!others.is_empty()).then(|| {
        format!("the decision `{decision}` is named like a count of `{counted}`, and so are the conditions {listed}: try --decision {whole}")
    })
}

/// The conditions that are named like counts of `decision`.
fn counts_of(decision: &str, table: &DecisionTable) -> Vec<String> {
    table.attributes().iter().map(Attribute::name).filter(|name| is_count(name, decision)).map(str::to_owned).collect()
}

/// Whether a column of this name may hold counts of a value of `decision`.
pub fn is_count(name: &str, decision: &str) -> bool {
    counted_value(name, decision).is_some()
}

/// What is to be said of rules that ask for missing values.
pub fn of_missing(rules: &[Rule], table: &DecisionTable) -> Option<String> {
    let asks = |condition: &&Condition| {
        let domain = table.attribute(condition.attr).domain();
        condition.code().is_some_and(|code| domain[code as usize] == Value::Missing)
    };
    let asking: Vec<&Condition> = rules.iter().filter_map(|rule| rule.conditions.iter().find(asks)).collect();
    let first = table.attribute(asking.first()?.attr).name();
    let ask = if asking.len() == 1 { "rule asks" } else { "rules ask" };
    Some(format!(
        "{} {ask} for a missing value, such as `{first} = ?`, which is a value of its own here: `rough complete` fills in \
         values, and `--missing drop` leaves such objects out",
        asking.len()
    ))
}

/// What is to be said of a decision of so many objects that is a measurement or a number of the object, so that hardly two objects share
/// one.
pub fn of_decision(decision: &Attribute, objects: usize) -> Option<String> {
    let is_number = match decision.kind() {
        "real" => is_scattered(decision, objects),
        // Whole numbers may be names of classes.
        kind => kind == "integer" && is_identifier(decision, objects),
    };
    let (name, values) = (decision.name(), decision.n_values());
    is_number.then(|| {
        let what = format!("the decision `{name}` is {}, with {values} values for {objects} objects", decision.kind());
        format!("{what}: cut it into intervals first, with `rough discretize --only` and another decision")
    })
}

pub fn quoted(names: &[String]) -> String {
    list(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>(), false)
}

/// Names as an argument of the command line.
pub fn argument(names: &[String]) -> String {
    folder::quoted(&names.join(","))
}

/// Whether pandas calls the index of a data frame so in files.
fn is_index(name: &str) -> bool {
    name.is_empty() || name.starts_with("__index_level_") || name.starts_with("Unnamed: ")
}

/// Whether nearly every object has a value of its own that is no measurement.
fn is_identifier(attribute: &Attribute, n_rows: usize) -> bool {
    let is_name = matches!(attribute.kind(), "text" | "integer");
    is_name && n_rows >= FEW_OBJECTS && 20 * attribute.n_values() >= 19 * n_rows
}

/// Whether the values are numbers that measure something, so that hardly any is equal to another.
fn is_scattered(attribute: &Attribute, n_rows: usize) -> bool {
    let n_values = attribute.n_values();
    match attribute.kind() {
        "real" => n_values > MANY_NUMBERS,
        "integer" => n_values > MANY_NUMBERS && FEW_SHARE * n_values >= n_rows,
        _ => false,
    }
}

/// Whether all that can be told by an attribute is whether it is missing.
fn has_one_value_and_none(attribute: &Attribute) -> bool {
    attribute.n_values() == 2 && attribute.domain().contains(&Value::Missing)
}
