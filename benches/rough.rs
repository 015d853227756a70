//! Rough-set methods on large and on classical tables: `cargo bench --bench rough`.
//!
//! CPU seconds of one thread, the median of several runs; every answer is checked before it counts.
//! `benches/peers/compare.py` measures other programs beside the command.
//!
//! * `ROUGHBOARD_BENCH_TABLES` names a folder with T1, T2, T3 and the classical tables as Parquet files with the
//!   decision `d`. Without it the classical tables of `tests/data/rough_benchmarks` are measured, and a generated one.
//! * `ROUGHBOARD_BENCH_OUT` names a folder for the figures as `measured.csv` and `measured.md`.
//! * `ROUGHBOARD_BENCH_COPIES=10` also measures ten copies of T3 put together, on 1, 2, 4, … threads.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use rand::RngExt;
use rand::seq::SliceRandom;
use roughboard::observe::Silent;
use roughboard::random::stream;
use roughboard::rough::{Method, Notion, Partition, Quotient, Reduct};
use roughboard::table::{Attribute, Codes, DecisionTable, Roles, Value, Weights};

const LARGE: [&str; 3] = ["T1", "T2", "T3"];
const CLASSICAL: [&str; 13] = [
    "S1",
    "S2",
    "S3",
    "car",
    "dermatology",
    "krvskp",
    "letter",
    "lymph",
    "mushroom",
    "nursery",
    "soybean",
    "vote",
    "zoo",
];
/// Tells a child process what to measure.
const PART: &str = "ROUGHBOARD_BENCH_PART";
/// Seconds that the proof of a minimum may take.
const PROOF_SECONDS: f64 = 20.0;

fn main() {
    match std::env::var(PART) {
        Ok(part) => measure(&part),
        Err(_) => conduct(),
    }
}

/// Measures every part in a process of its own, whose threads are set from outside, and collects the lines.
fn conduct() {
    let mut lines = vec![["table", "task", "threads", "cpu_s", "wall_s", "answer"].map(str::to_owned).to_vec()];
    let mut parts = vec![("methods".to_owned(), 1), ("memory".to_owned(), 1)];
    if copies() > 1 {
        let cores = std::thread::available_parallelism().unwrap().get();
        let threads = std::iter::successors(Some(1), |n| Some(n * 2)).take_while(|&n| n <= cores);
        parts.extend(threads.map(|n| ("copies".to_owned(), n)));
    }
    for (part, threads) in parts {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(PART, part).env("RAYON_NUM_THREADS", threads.to_string()).env("POLARS_MAX_THREADS", "1");
        let output = command.stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        lines.extend(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()));
    }
    report(&lines);
}

/// Prints the figures, and writes them where that is asked for.
fn report(lines: &[Vec<String>]) {
    let mut markdown = String::from("CPU and wall seconds, medians; made by `cargo bench --bench rough`.\n\n");
    for (i, line) in lines.iter().enumerate() {
        writeln!(markdown, "| {} |", line.join(" | ")).unwrap();
        if i == 0 {
            markdown += "|---|---|---:|---:|---:|---|\n";
        }
    }
    println!("{markdown}");
    if let Some(folder) = std::env::var_os("ROUGHBOARD_BENCH_OUT").map(PathBuf::from) {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("measured.md"), markdown).unwrap();
        let mut csv = csv::Writer::from_path(folder.join("measured.csv")).unwrap();
        lines.iter().for_each(|line| csv.write_record(line).unwrap());
        csv.flush().unwrap();
    }
}

fn measure(part: &str) {
    match part {
        "methods" => {
            tables(&LARGE).iter().for_each(|(name, table)| methods(name, table));
            tables(&CLASSICAL).iter().for_each(|(name, table)| all_reducts(name, table));
            tables(&CLASSICAL).iter().for_each(|(name, table)| minimum(name, table));
        }
        "memory" => memory(),
        _ => copied(),
    }
}

/// One figure as a line for the parent process.
fn line(table: &str, task: &str, (cpu, wall): (f64, f64), answer: &str) {
    let threads = std::env::var("RAYON_NUM_THREADS").unwrap();
    println!("{table}\t{task}\t{threads}\t{cpu:.4}\t{wall:.4}\t{answer}");
    eprintln!("{table:12} {task:24} {threads:2} threads {cpu:8.4} s CPU {wall:8.4} s  {answer}");
}

/// Runs `task` often enough, and gives its last answer and the medians of CPU and wall seconds.
fn timed<T>(mut task: impl FnMut() -> T) -> (T, (f64, f64)) {
    let (mut cpu, mut wall, all) = (Vec::new(), Vec::new(), Instant::now());
    loop {
        let (start, clock) = (cpu_seconds(), Instant::now());
        let answer = task();
        cpu.push(cpu_seconds() - start);
        wall.push(clock.elapsed().as_secs_f64());
        if cpu.len() >= 15 || (cpu.len() >= 3 && all.elapsed().as_secs_f64() > 3.0) {
            return (answer, (median(cpu), median(wall)));
        }
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// What all threads of this process have computed so far; where the system does not tell, the time of day.
fn cpu_seconds() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return START.elapsed().as_secs_f64() };
    let of_thread = |path: PathBuf| -> Option<u64> {
        std::fs::read_to_string(path.join("schedstat")).ok()?.split(' ').next()?.parse().ok()
    };
    threads.filter_map(|thread| of_thread(thread.ok()?.path())).sum::<u64>() as f64 / 1e9
}

fn methods(name: &str, table: &DecisionTable) {
    let all = table.all_attributes();
    let (n_classes, time) = timed(|| Partition::by(table, &all).n_classes());
    line(name, "partition", time, &format!("{n_classes} classes"));
    let (gamma, time) = timed(|| Partition::by(table, &all).gamma(table));
    line(name, "partition and gamma", time, &format!("{:.6}", gamma.value()));
    let (quotient, time) = timed(|| Quotient::new(table, &all, Notion::Positive));
    line(name, "distinct labelled rows", time, &format!("{} rows", quotient.n_rows()));
    let (core, time) = timed(|| quotient.core());
    line(name, "core", time, &format!("{} attributes", core.len()));
    let check = |task: &str, (reduct, time): (Reduct, _)| {
        assert!(quotient.is_reduct(reduct.attrs()));
        assert_eq!(Partition::by(table, reduct.attrs()).gamma(table), gamma);
        line(name, task, time, &format!("{} attributes", reduct.len()));
    };
    for (task, method) in [("reduct, backward", Method::Backward), ("reduct, greedy", Method::Greedy)] {
        check(task, timed(|| quotient.reduct(method)));
    }
    check("reduct, hitting set", timed(|| quotient.hitting_set_reduct()));
    check("reduct, short", timed(|| quotient.reduct(Method::Short)));
    if table.n_objects() <= 100_000 {
        minimum(name, table);
    }
}

fn all_reducts(name: &str, table: &DecisionTable) {
    let enumerate = || {
        let quotient = Quotient::new(table, &table.all_attributes(), Notion::Positive);
        quotient.all_reducts(usize::MAX, &Silent).found.len()
    };
    let (count, time) = timed(enumerate);
    line(name, "all reducts", time, &format!("{count} reducts"));
}

fn minimum(name: &str, table: &DecisionTable) {
    let prove = || {
        let quotient = Quotient::new(table, &table.all_attributes(), Notion::Positive);
        let start = Instant::now();
        quotient.minimum_reduct(&|| start.elapsed().as_secs_f64() > PROOF_SECONDS, &Silent)
    };
    let (minimum, time) = if LARGE.contains(&name) {
        let (cpu, clock) = (cpu_seconds(), Instant::now());
        let minimum = prove();
        (minimum, (cpu_seconds() - cpu, clock.elapsed().as_secs_f64()))
    } else {
        timed(prove)
    };
    let (size, bound) = (minimum.reduct.len(), minimum.lower_bound);
    let proof =
        if minimum.is_proved() { format!("{size}, proved") } else { format!("{size}, at least {bound} proved") };
    line(name, "minimum", time, &proof);
}

/// The peak memory of reading the largest table and finding a reduct.
fn memory() {
    for (name, table) in tables(&LARGE[2..]) {
        let size = Quotient::new(&table, &table.all_attributes(), Notion::Positive).reduct(Method::Backward).len();
        line(&name, "peak memory", (0.0, 0.0), &format!("{}, reading and a reduct of {size}", peak_memory()));
    }
}

/// The most memory that this process has held so far.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim().to_owned()
}

fn copied() {
    for (name, table) in tables(&LARGE[2..]) {
        let table = copies_of(&table, copies());
        let name = format!("{} x {name}", copies());
        let all = table.all_attributes();
        let (n_classes, time) = timed(|| Partition::by(&table, &all).n_classes());
        line(&name, "partition", time, &format!("{n_classes} classes"));
        let quotient = Quotient::new(&table, &all, Notion::Positive);
        drop(table);
        let (core, time) = timed(|| quotient.core());
        line(&name, "core", time, &format!("{} attributes", core.len()));
        let (reduct, time) = timed(|| quotient.backward_reduct());
        assert!(quotient.is_reduct(reduct.attrs()));
        line(&name, "reduct, backward", time, &format!("{} attributes", reduct.len()));
        line(&name, "peak memory", (0.0, 0.0), &format!("{}, building the copies included", peak_memory()));
    }
}

fn copies() -> usize {
    std::env::var("ROUGHBOARD_BENCH_COPIES").map_or(1, |n| n.parse().unwrap())
}

/// The table `n` times over; in each copy but the first all attributes except the last change places at random.
fn copies_of(table: &DecisionTable, n: usize) -> DecisionTable {
    let n_squares = table.n_attributes() - 1;
    let places: Vec<Vec<usize>> = (0..n as u64)
        .map(|copy| {
            let mut places: Vec<usize> = (0..n_squares).collect();
            if copy > 0 {
                places.shuffle(&mut stream(1, "copies", copy));
            }
            places.push(n_squares);
            places
        })
        .collect();
    let values: std::collections::BTreeSet<&Value> = table.attributes().iter().flat_map(Attribute::domain).collect();
    let domain: Vec<Value> = values.into_iter().cloned().collect();
    let recoded: Vec<Vec<u8>> = table.attributes().iter().map(|a| recode(a, &domain)).collect();
    let column = |at: usize| {
        let codes = places.iter().flat_map(|places| recoded[places[at]].iter().copied()).collect();
        Attribute::new(format!("a{at}"), domain.clone(), Codes::U8(codes)).unwrap()
    };
    let decision = table.decision();
    let codes = Codes::narrow(decision.codes().to_vec().repeat(n), decision.n_values());
    let decision = Attribute::new("d", decision.domain().to_vec(), codes).unwrap();
    DecisionTable::new((0..=n_squares).map(column).collect(), decision, Weights::Unit).unwrap()
}

fn recode(attribute: &Attribute, domain: &[Value]) -> Vec<u8> {
    let code = |value: &Value| domain.binary_search(value).unwrap() as u8;
    let by_code: Vec<u8> = attribute.domain().iter().map(code).collect();
    attribute.codes().to_vec().into_iter().map(|c| by_code[c as usize]).collect()
}

/// Those of the named tables that there are; a generated one in place of the large ones if there are none.
fn tables(names: &[&str]) -> Vec<(String, DecisionTable)> {
    let given = std::env::var_os("ROUGHBOARD_BENCH_TABLES").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rough_benchmarks"));
    let paths = names.iter().map(|&name| (name, folder.join(name).with_extension("parquet")));
    let there = paths.filter(|(_, path)| path.exists());
    let read = |path: &Path| DecisionTable::read(path, &Roles::decided_by("d")).unwrap();
    let found: Vec<_> = there.map(|(name, path)| (name.to_owned(), read(&path))).collect();
    if found.is_empty() { vec![("generated".to_owned(), board_like(100_000))] } else { found }
}

/// Games as random walks of pieces over squares: rows that follow each other are alike, many occur twice.
fn board_like(n_rows: usize) -> DecisionTable {
    const SQUARES: usize = 90;
    let mut rng = stream(1, "board-like", 0);
    let mut columns = vec![Vec::new(); SQUARES + 1];
    let mut decision = Vec::with_capacity(n_rows);
    while decision.len() < n_rows {
        let mut board = [7_u8; SQUARES];
        (0..32).for_each(|piece| board[piece] = (piece % 15) as u8);
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
