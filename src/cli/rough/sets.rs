//! Sets of objects, such as classes and neighbourhoods, with their decisions.

use roughboard::table::{DecisionTable, Value, csv_text};

use super::text::key;

/// Decision values with their weights.
pub fn decisions<'t>(table: &'t DecisionTable, entries: &[(u32, u64)]) -> Vec<(&'t Value, u64)> {
    entries.iter().map(|&(code, weight)| (&table.decision().domain()[code as usize], weight)).collect()
}

/// CSV with a line for each of some sets of objects: the cells of the first columns, the weight of each decision in the
/// set, also where that is 0, and the cells of the last columns. Lines are written one by one and no cells are kept, as
/// there may be as many decisions as sets.
pub fn by_decision<'d>(
    table: &DecisionTable,
    is_decided: bool,
    (first, last): (&[&str], &[String]),
    lines: impl Iterator<Item = (Vec<String>, &'d [(u32, u64)], Vec<String>)>,
) -> String {
    let names: Vec<String> =
        table.decision().domain().iter().map(|value| format!("decisions_{}", key(value))).collect();
    let mut codes: Vec<usize> = if is_decided { (0..names.len()).collect() } else { Vec::new() };
    codes.sort_by_key(|&code| &names[code]);
    let decisions = codes.iter().map(|&code| names[code].as_str());
    let header: Vec<&str> = first.iter().copied().chain(decisions).chain(last.iter().map(String::as_str)).collect();
    let mut weights = vec![0_u64; names.len()];
    let cells = |(first, found, last): (Vec<String>, &[(u32, u64)], Vec<String>)| {
        found.iter().for_each(|&(code, weight)| weights[code as usize] = weight);
        let counts = codes.iter().map(|&code| weights[code].to_string());
        let cells: Vec<String> = first.into_iter().chain(counts).chain(last).collect();
        found.iter().for_each(|&(code, _)| weights[code as usize] = 0);
        cells
    };
    csv_text(header, lines.map(cells))
}
