//! `roughboard rough verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use roughboard::rough::{Certificate, Notion, Partition};
use roughboard::settings::counted;
use roughboard::table::{DecisionTable, TableError};
use serde_json::json;

use super::answer::Answer;
use super::certificate::{CertificateFile, Extent, checksum, unusable};
use super::hints::quoted;
use crate::cli::CHECKS_FAILED;
use crate::cli::form::Sheet;

#[derive(clap::Args)]
pub struct Options {
    /// File with the table (CSV, ARFF or Parquet), or the folder of its part files
    table: PathBuf,
    /// The certificate, as `rough reduct --certificate` writes it
    certificate: PathBuf,
    /// The decision column, if not that of the certificate; several together make one decision
    #[arg(long, value_name = "COLUMN")]
    decision: Vec<String>,
    #[command(flatten)]
    pub answer: Answer,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut document = CertificateFile::read(&options.certificate)?;
    let mut source = document.table.source(&options.table);
    if !options.decision.is_empty() {
        source.decision.clone_from(&options.decision);
    }
    let table = source.read().map_err(|error| flaw(&error, options).unwrap_or(error))?;
    document.check_numbers(&table)?;
    let difference = difference(&document, options, &table)?;
    let same_file = difference.is_none();
    let mut reasons = document.find_objects(&table);
    let certificate = &document.reduct;
    if reasons.is_empty() {
        reasons.extend(certificate.refutations(&table).iter().map(ToString::to_string));
    }
    let holds = reasons.is_empty();
    let json = || {
        json!({
            "verified": holds, "same_file": same_file, "notion": certificate.notion,
            "reduct": certificate.attributes, "lower_bound": certificate.lower_bound.as_ref().map(|b| b.size),
            "refutations": reasons,
        })
    };
    options.answer.give(Sheet::ALL_FIELDS, json, || {
        let note = difference.map_or_else(String::new, |difference| {
            format!("note: the table is not the file `{}` that was certified: {difference}\n", document.table.file)
        });
        note + &verdict(certificate, table.n_objects(), &reasons)
    })?;
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::from(CHECKS_FAILED) })
}

/// What is wrong with the certificate, where `error` came of a column that it names and not of the table, which may be as it should be.
fn flaw(error: &anyhow::Error, options: &Options) -> Option<anyhow::Error> {
    let Some(TableError::File { reason, .. }) = error.downcast_ref() else { return None };
    let (table, is_own_decision) = (options.table.display(), options.decision.is_empty());
    let flaw = match &**reason {
        TableError::MissingColumn { role, column, existing } if is_own_decision || *role != "decision column" => {
            let columns = quoted(existing);
            format!("its {role} `{column}` is not a column of the table `{table}`, expected one of {columns}")
        }
        TableError::TwoRoles(_) if is_own_decision => reason.to_string(),
        _ => return None,
    };
    Some(anyhow!("{}: {flaw}", unusable(&options.certificate)))
}

/// In what the table differs from the one that was certified, if in anything that is told of that.
fn difference(document: &CertificateFile, options: &Options, table: &DecisionTable) -> anyhow::Result<Option<String>> {
    let Some(certified) = document.table.extent else {
        let is_same = Some(checksum(&options.table)?) == document.table.sha256;
        return Ok((!is_same).then(|| "their SHA-256 differ".to_owned()));
    };
    let classes = Partition::by(table, &table.all_attributes()).n_classes() as u64;
    let found = Extent { objects: table.total_weight(), classes };
    let shown = |extent: Extent| format!("{} objects in {} classes", extent.objects, extent.classes);
    Ok((found != certified).then(|| format!("it has {}, the certified table had {}", shown(found), shown(certified))))
}

/// What makes attributes a reduct.
const HELD: &str = "  no two objects with different labels agree on all of them\n  for each of them, two objects with different \
    labels agree on all others\n";

/// What the labels are of which the claims speak.
const fn labels(notion: Notion) -> &'static str {
    match notion {
        Notion::Information => "  label: the class of the object by all attributes\n",
        _ => "  label: the decision, and of objects in the boundary what the notion makes of it\n",
    }
}

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
    format!("verified: {claim}\n{HELD}{}{bound}", labels(certificate.notion))
}
