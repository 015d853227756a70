//! `roughboard suite`: runs files of facts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use roughboard::suite::{self, Report, Settings};
use serde_json::json;

use super::CHECKS_FAILED;
use super::form::{Form, Sheet};
use super::output::{note, print};
use super::session::Session;

#[derive(clap::Args)]
pub struct Args {
    /// Files of facts; docs/formats.md describes their formats
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Leave out perft counts above this number
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    max_nodes: u64,
    #[command(flatten)]
    form: Form,
}

pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let settings = Settings { max_nodes: args.max_nodes, observer: &session.progress };
    let (mut total, mut failures) = (Report::default(), Vec::new());
    for file in &args.files {
        let report = suite::run_file(file, settings)?;
        if args.form.is_for_programs() {
            let failure = |f: &suite::Failure| json!({"file": file.display().to_string(), "what": f.what, "expected": f.expected, "got": f.got});
            failures.extend(report.failures.iter().map(failure));
        } else {
            print_findings(file, &report)?;
        }
        total.append(report);
    }
    if args.form.csv {
        note(&total.notes);
    }
    let (checked, passed) = (total.checked, total.passed());
    let answer = json!({"checked": checked, "passed": passed, "failures": failures, "notes": total.notes});
    let sheet = Sheet::List("/failures", &["file", "what", "expected", "got"]);
    args.form.give(&answer, sheet, &format!("{passed} of {checked} passed\n"))?;
    Ok(if total.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(CHECKS_FAILED) })
}

fn print_findings(file: &Path, report: &Report) -> anyhow::Result<()> {
    let file = file.display();
    let failure = |f: &suite::Failure| format!("{file}: {}: expected {}, got {}\n", f.what, f.expected, f.got);
    let failures: String = report.failures.iter().map(failure).collect();
    let notes: String = report.notes.iter().map(|note| format!("{file}: {note}\n")).collect();
    print(&(failures + &notes))
}
