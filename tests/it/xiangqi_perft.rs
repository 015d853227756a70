//! Every row of the perft suite: 6.2 thousand million move paths.

use std::path::Path;

use roughboard::observe::Silent;
use roughboard::suite::{Settings, run_file};

#[test]
fn every_perft_row_comes_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/xiangqi_perft.json");
    let report = run_file(&path, Settings { max_nodes: u64::MAX, observer: &Silent }).unwrap();
    assert_eq!(report.failures, []);
    assert_eq!(report.checked, 111);
}
