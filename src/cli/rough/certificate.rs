//! Certificates in files: a reduct, what makes it checkable, and which table it is of.

use std::path::Path;

use anyhow::{Context, ensure};
use roughboard::disk;
use roughboard::observe::Silent;
use roughboard::rough::{Certificate, Reduct};
use roughboard::settings::is_zero;
use roughboard::table::{DecimalMark, DecisionTable, table_files};
use serde::{Deserialize, Serialize};

use super::source::{Missing, Source, TableFile, TableView};
use crate::cli::output;
use crate::cli::targets::OutPath;

/// The version of the format.
const FORMAT: u32 = 2;
/// The version whose pairs number the objects that are left instead of the rows of the file.
const OF_OBJECTS: u32 = 1;

/// The options of commands that can certify a reduct.
#[derive(clap::Args)]
pub struct Certifying {
    /// Write a certificate of the reduct to a JSON file, for `rough verify`
    #[arg(long, value_parser = OutPath::file(&[".json"]), value_name = "FILE.json", conflicts_with_all = ["relation", "epsilon"])]
    certificate: Option<OutPath>,
    /// Certify too how many attributes every reduct has at least; may take a minute
    #[arg(long, requires = "certificate")]
    lower_bound: bool,
}

/// The content of a certificate file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateFile {
    roughboard_certificate: u32,
    /// The table.
    pub table: TableReference,
    /// What is claimed of it.
    pub reduct: Certificate,
}

/// A table in a file, and the roles of its columns.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableReference {
    /// The name of the file, without its folder.
    pub file: String,
    /// The SHA-256 of its content; of a folder that of its part files one after another, in the order of their names.
    pub sha256: String,
    /// The decision columns.
    pub decision: Vec<String>,
    /// The column of weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// What `--attributes` named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
    /// What `--ignore` named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// What became of missing values.
    #[serde(default)]
    pub missing: Missing,
    /// What `--na` named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub na: Vec<String>,
    /// The ASCII code of the separator, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separator: Option<u8>,
    /// The decimal mark.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub decimal: DecimalMark,
    /// What `--text` named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// What `--number` named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub number: Vec<String>,
}

impl Certifying {
    /// Refuses the certificate of a table that is in no file, before anything is computed.
    pub fn check_source(&self, source: &Source) -> anyhow::Result<()> {
        self.certificate.as_ref().map_or(Ok(()), |_| check_file(&source.file.path))
    }

    /// Writes the certificate of `reduct`, found in `table`, which was read from `source`; nothing if none is wanted.
    pub fn write(&self, source: &Source, table: &DecisionTable, reduct: &Reduct) -> anyhow::Result<()> {
        let Some(path) = &self.certificate else { return Ok(()) };
        let mut certificate = Certificate::of(table, reduct)?;
        if self.lower_bound {
            let (found, limit) = (table.n_attributes(), 128);
            ensure!(found <= limit, "--lower-bound takes at most {limit} attributes, got {found}");
            certificate = certificate.with_lower_bound(table, &Silent);
        }
        let table = TableReference::of(source)?;
        let document = CertificateFile { roughboard_certificate: FORMAT, table, reduct: certificate };
        let text = serde_json::to_string(&document)? + "\n";
        output::write(path, text)
    }
}

impl TableReference {
    fn of(source: &Source) -> anyhow::Result<Self> {
        let (file, view) = (&source.file, &source.view);
        Ok(Self {
            file: file.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: checksum(&file.path)?,
            decision: source.decision.clone(),
            weight: view.weight.clone(),
            attributes: view.attributes.clone(),
            ignore: view.ignore.clone(),
            missing: view.missing,
            na: file.na.clone(),
            separator: file.separator,
            decimal: file.decimal,
            text: file.text.clone(),
            number: file.number.clone(),
        })
    }

    /// The table in the file `path`, read in the same way.
    pub fn source(&self, path: &Path) -> Source {
        let file = TableFile {
            path: path.to_owned(),
            na: self.na.clone(),
            separator: self.separator,
            decimal: self.decimal,
            text: self.text.clone(),
            number: self.number.clone(),
        };
        let (weight, attributes, ignore) = (self.weight.clone(), self.attributes.clone(), self.ignore.clone());
        let view = TableView { weight, attributes, ignore, missing: self.missing };
        Source { file, decision: self.decision.clone(), view }
    }
}

impl CertificateFile {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let unusable = || format!("cannot use `{}` as a certificate", path.display());
        let text = std::fs::read_to_string(path).with_context(unusable)?;
        let document: Self = serde_json::from_str(&text).with_context(unusable)?;
        let found = document.roughboard_certificate;
        let is_known = [FORMAT, OF_OBJECTS].contains(&found);
        ensure!(is_known, "{}: expected format {FORMAT} or {OF_OBJECTS}, found {found}", unusable());
        Ok(document)
    }

    /// Refuses a certificate whose numbers are not those of the rows of `table`.
    pub fn check_numbers(&self, table: &DecisionTable) -> anyhow::Result<()> {
        let is_by_rows = self.roughboard_certificate != OF_OBJECTS || !table.is_renumbered();
        let what = "which numbers objects, expected numbers of rows, as some rows of the table are no objects";
        ensure!(is_by_rows, "the certificate has format {OF_OBJECTS}, {what}: certify the reduct again");
        Ok(())
    }
}

/// The SHA-256 of a table's file, or of its part files one after another.
pub fn checksum(table: &Path) -> anyhow::Result<String> {
    check_file(table)?;
    disk::sha256_of_files(&table_files(table)?).with_context(|| format!("cannot read `{}`", table.display()))
}

fn check_file(table: &Path) -> anyhow::Result<()> {
    ensure!(table != Path::new("-"), "a certificate is of a table in a file, got standard input");
    Ok(())
}
