//! `roughboard rough verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::rough::{Certificate, Refutation};
use roughboard::settings::counted;
use serde_json::json;

use super::answer::Answer;
use super::certificate::{CertificateFile, checksum};
use crate::cli::CHECKS_FAILED;

#[derive(clap::Args)]
pub struct Options {
    /// CSV or Parquet file with the table, or the folder of its part files
    table: PathBuf,
    /// The certificate, as `rough reduct --certificate` writes it
    certificate: PathBuf,
    /// The decision column, if not that of the certificate; several together make one decision
    #[arg(long, value_name = "COLUMN")]
    decision: Vec<String>,
    #[command(flatten)]
    answer: Answer,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let document = CertificateFile::read(&options.certificate)?;
    let mut source = document.table.source(&options.table);
    if !options.decision.is_empty() {
        source.decision.clone_from(&options.decision);
    }
    let table = source.read()?;
    document.check_numbers(&table)?;
    let same_file = checksum(&options.table)? == document.table.sha256;
    let certificate = &document.reduct;
    let refutations = certificate.refutations(&table);
    let holds = refutations.is_empty();
    let reasons: Vec<String> = refutations.iter().map(Refutation::to_string).collect();
    let json = || {
        json!({
            "verified": holds, "same_file": same_file, "notion": certificate.notion,
            "reduct": certificate.attributes, "lower_bound": certificate.lower_bound.as_ref().map(|b| b.size),
            "refutations": reasons,
        })
    };
    options.answer.give(json, || {
        let note = format!("note: the table is not the file `{}` that was certified", document.table.file);
        let note = if same_file { String::new() } else { format!("{note}: their SHA-256 differ\n") };
        note + &verdict(certificate, table.n_objects(), &reasons)
    })?;
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::from(CHECKS_FAILED) })
}

/// What makes attributes a reduct.
const HELD: &str = "  no two objects with different labels agree on all of them\n  for each of them, two objects with different \
    labels agree on all others\n";

fn verdict(certificate: &Certificate, n_objects: usize, reasons: &[String]) -> String {
    let size = certificate.attributes.len();
    let (attributes, objects) = (counted(size, "attribute"), counted(n_objects, "object"));
    let claim = format!("{attributes} as a reduct ({}) of {objects}", certificate.notion);
    if !reasons.is_empty() {
        let lines: String = reasons.iter().map(|reason| format!("  {reason}\n")).collect();
        return format!("refuted: {claim}\n{lines}");
    }
    let bound = certificate.lower_bound.as_ref().map_or_else(String::new, |bound| match bound.size {
        least if least == size => "  no reduct has fewer attributes\n".to_owned(),
        least => format!("  no reduct has fewer than {}\n", counted(least, "attribute")),
    });
    format!("verified: {claim}\n{HELD}{bound}")
}
