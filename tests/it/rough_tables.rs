//! Textbook tables come out figure by figure.

use roughboard::suite::rough_tables;

#[test]
fn every_figure_of_the_textbook_tables() {
    let text = std::fs::read_to_string("tests/data/rough_tables.json").unwrap();
    let report = rough_tables::check(&serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(report.failures, []);
    assert!(report.checked > 250, "only {} figures were checked", report.checked);
}
