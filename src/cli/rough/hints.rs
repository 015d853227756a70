//! Notes about condition attributes whose values say little when they are compared for equality, as rough sets do.

use roughboard::table::{Attribute, DecisionTable};

use super::text::list;

/// Fewer objects than this may well differ in an attribute that describes them.
const FEW_OBJECTS: usize = 10;
/// More real numbers than this are many.
const MANY_NUMBERS: usize = 20;

/// Notes attributes that look like names of the objects and, if there is a remedy `for_numbers`, real numbers with many values.
pub fn note(table: &DecisionTable, for_numbers: Option<&str>) {
    let names = |looks_so: fn(&Attribute) -> bool| -> Vec<String> {
        let found = table.attributes().iter().filter(|attribute| looks_so(attribute));
        found.map(|attribute| attribute.name().to_owned()).collect()
    };
    let (identifiers, numbers) = (names(is_identifier), names(is_scattered));
    if !identifiers.is_empty() {
        let (listed, ignored) = (quoted(&identifiers), identifiers.join(","));
        eprintln!(
            "note: nearly every object has its own value of {listed}, as of an identifier: try --ignore {ignored}"
        );
    }
    if let (Some(remedy), false) = (for_numbers, numbers.is_empty()) {
        let listed = quoted(&numbers);
        eprintln!(
            "note: real numbers are compared for equality, and each of {listed} has more than {MANY_NUMBERS}: {remedy}"
        );
    }
}

fn quoted(names: &[String]) -> String {
    list(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>(), false)
}

/// Whether nearly every object has a value of its own that is no measurement.
fn is_identifier(attribute: &Attribute) -> bool {
    let is_name = matches!(attribute.kind(), "text" | "integer");
    is_name && attribute.len() >= FEW_OBJECTS && 20 * attribute.n_values() >= 19 * attribute.len()
}

fn is_scattered(attribute: &Attribute) -> bool {
    attribute.kind() == "real" && attribute.n_values() > MANY_NUMBERS
}
