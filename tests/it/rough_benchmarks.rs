//! Benchmark tables: every figure of the ground truth, and answers that other tools are known to get wrong.

use std::path::{Path, PathBuf};

use roughboard::observe::Silent;
use roughboard::rough::{Enumeration, Notion, Quotient, Reduct};
use roughboard::suite::{Settings, run_file};
use roughboard::table::{AttrIdx, DecisionTable, Roles};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rough_benchmarks")
}

fn quotient(table: &str) -> Quotient {
    let path = folder().join(format!("{table}.parquet"));
    let table = DecisionTable::read(&path, &Roles::decided_by("d")).unwrap();
    Quotient::new(&table, &table.all_attributes(), Notion::Positive)
}

fn all_reducts(table: &str) -> Enumeration<Reduct> {
    quotient(table).all_reducts(usize::MAX, &Silent)
}

#[test]
fn every_figure_of_the_ground_truth() {
    let settings = Settings { max_nodes: u64::MAX, observer: &Silent };
    let report = run_file(&folder().join("ground_truth.json"), settings).unwrap();
    assert_eq!(report.failures, []);
    assert_eq!(report.checked, 13 * 11 + 12 * 2, "11 figures of each table, and the reducts of all but one");
}

/// Another tool lists 297 sets for this table.
#[test]
fn mushroom_has_292_reducts() {
    let reducts = all_reducts("mushroom");
    assert_eq!((reducts.found.len(), reducts.complete), (292, true));
}

/// Another tool gives a set of 30 attributes for a reduct of this table.
#[test]
fn every_reduct_of_krvskp_has_29_attributes() {
    let sizes: Vec<usize> = all_reducts("krvskp").found.iter().map(Reduct::len).collect();
    assert_eq!(sizes, [29; 4]);
}

/// Another tool counts attribute 1 as part of this core.
#[test]
fn the_core_of_s1_is_4_and_9() {
    let core: Vec<usize> = quotient("S1").core().iter().map(AttrIdx::index).collect();
    assert_eq!(core, [4, 9]);
}
