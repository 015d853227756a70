//! Textbook tables come out figure by figure.

use std::path::Path;

use roughboard::observe::Silent;
use roughboard::suite::{Settings, run_file};

#[test]
fn every_figure_of_the_textbook_tables() {
    let settings = Settings { max_nodes: u64::MAX, observer: &Silent };
    let report = run_file(Path::new("tests/data/rough_tables.json"), settings).unwrap();
    assert_eq!(report.failures, []);
    assert!(report.checked > 250, "only {} figures were checked", report.checked);
}
