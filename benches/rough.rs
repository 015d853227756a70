//! Rough-set methods on board-like tables: `cargo bench --bench rough`.
//!
//! A table of 100,000 rows is generated. If `ROUGHBOARD_BENCH_TABLES` names a folder with T1.parquet, T2.parquet,
//! T3.parquet (decision `d`), those are measured too. `RAYON_NUM_THREADS=1` gives single-thread figures.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::sync::LazyLock;

use divan::{Bencher, black_box};
use polars::prelude::{Column, DataFrame};
use rand::RngExt;
use roughboard::observe::Silent;
use roughboard::random::stream;
use roughboard::rough::{Approximations, Covering, Notion, Partition, Quotient, covering_rules};
use roughboard::table::{Attribute, Codes, DecisionTable, Roles, Value, Weights};

const ROWS: usize = 100_000;
const SQUARES: usize = 90;
const PIECES: usize = 32;

struct Case {
    name: &'static str,
    table: DecisionTable,
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut cases = vec![Case { name: "generated", table: board_like(ROWS) }];
    if let Some(folder) = std::env::var_os("ROUGHBOARD_BENCH_TABLES").map(PathBuf::from) {
        for name in ["T1", "T2", "T3"] {
            let path = folder.join(name).with_extension("parquet");
            cases.push(Case { name, table: DecisionTable::read(&path, &Roles::decided_by("d")).unwrap() });
        }
    }
    cases
});

fn main() {
    for case in CASES.iter() {
        check(case);
    }
    divan::main();
}

/// The fast methods must agree with the definition before they are timed.
fn check(case: &Case) {
    let attrs = case.table.all_attributes();
    let quotient = Quotient::new(&case.table, &attrs, Notion::Positive);
    let gamma = Approximations::of(&case.table, &attrs).gamma();
    for reduct in [quotient.backward_reduct(), quotient.greedy_reduct()] {
        assert!(quotient.is_reduct(reduct.attrs()));
        assert_eq!(Approximations::of(&case.table, reduct.attrs()).gamma(), gamma);
    }
}

/// Games as random walks of pieces over squares: rows that follow each other are alike, many occur twice.
fn board_like(n_rows: usize) -> DecisionTable {
    let mut rng = stream(1, "board-like", 0);
    let mut columns = vec![Vec::new(); SQUARES + 1];
    let mut decision = Vec::with_capacity(n_rows);
    while decision.len() < n_rows {
        let mut board = [7_u8; SQUARES];
        (0..PIECES).for_each(|piece| board[piece] = (piece % 15) as u8);
        let result = rng.random_range(0..3_u8);
        for ply in 0..60_usize.min(n_rows - decision.len()) {
            let (from, to) = (rng.random_range(0..SQUARES), rng.random_range(0..SQUARES));
            board.swap(from, to);
            board.iter().zip(&mut columns).for_each(|(&piece, column)| column.push(piece));
            columns[SQUARES].push((ply % 2) as u8);
            decision.push(result);
        }
    }
    let numbers = |n: i64| (0..n).map(Value::Integer).collect::<Vec<_>>();
    let attribute =
        |(i, codes): (usize, Vec<u8>)| Attribute::new(format!("a{i}"), numbers(15), Codes::U8(codes)).unwrap();
    let conditions = columns.into_iter().enumerate().map(attribute).collect();
    DecisionTable::new(conditions, Attribute::new("d", numbers(3), Codes::U8(decision)).unwrap(), Weights::Unit)
        .unwrap()
}

fn cases() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|case| case.name)
}

fn table_of(case: &str) -> &'static DecisionTable {
    &CASES.iter().find(|c| c.name == case).unwrap().table
}

fn quotient(case: &str) -> Quotient {
    let table = table_of(case);
    Quotient::new(table, &table.all_attributes(), Notion::Positive)
}

#[divan::bench(args = cases(), sample_count = 5)]
fn partition(bencher: Bencher, case: &str) {
    let table = table_of(case);
    bencher.bench_local(|| Partition::by(black_box(table), &table.all_attributes()).n_classes());
}

#[divan::bench(args = cases(), sample_count = 5)]
fn partition_by_polars(bencher: Bencher, case: &str) {
    let frame = polars_frame(table_of(case));
    let names: Vec<String> = frame.get_column_names().iter().map(ToString::to_string).collect();
    bencher.bench_local(|| black_box(&frame).group_by(&names).unwrap().get_groups().len());
}

fn polars_frame(table: &DecisionTable) -> DataFrame {
    let column = |a: &Attribute| match a.codes() {
        Codes::U8(codes) => Column::new(a.name().into(), codes.as_slice()),
        codes => Column::new(a.name().into(), codes.to_vec()),
    };
    DataFrame::new_infer_height(table.attributes().iter().map(column).collect()).unwrap()
}

#[divan::bench(args = cases(), sample_count = 5)]
fn gamma(bencher: Bencher, case: &str) {
    let table = table_of(case);
    bencher.bench_local(|| Approximations::of(black_box(table), &table.all_attributes()).gamma());
}

#[divan::bench(args = cases(), sample_count = 5)]
fn quotient_of_table(bencher: Bencher, case: &str) {
    bencher.bench_local(|| quotient(black_box(case)).n_rows());
}

#[divan::bench(args = cases(), sample_count = 5)]
fn core(bencher: Bencher, case: &str) {
    let quotient = quotient(case);
    bencher.bench_local(|| black_box(&quotient).core());
}

#[divan::bench(args = cases(), sample_count = 3)]
fn backward_reduct(bencher: Bencher, case: &str) {
    let quotient = quotient(case);
    bencher.bench_local(|| black_box(&quotient).backward_reduct());
}

#[divan::bench(args = cases(), sample_count = 3)]
fn greedy_reduct(bencher: Bencher, case: &str) {
    let quotient = quotient(case);
    bencher.bench_local(|| black_box(&quotient).greedy_reduct());
}

#[divan::bench(args = cases(), sample_count = 1)]
fn sixty_rules(bencher: Bencher, case: &str) {
    let table = table_of(case);
    let settings = Covering::default();
    bencher.bench_local(|| covering_rules(black_box(table), &table.all_attributes(), &settings, &Silent).len());
}
