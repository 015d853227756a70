//! Certificates in files: a reduct, what makes it checkable, and which table it is of.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, ensure};
use roughboard::disk;
use roughboard::observe::Silent;
use roughboard::rough::{Certificate, Effort, Reduct};
use roughboard::settings::counted;
use roughboard::table::{AttrIdx, DecisionTable, Value, table_files};
use serde::{Deserialize, Serialize};

use super::source::{Missing, Source, TableFile, TableView};
use crate::cli::output;
use crate::cli::sources::is_stream;
use crate::cli::targets::OutPath;

/// The version of the format.
const FORMAT: u32 = 2;
/// The version whose pairs number descriptions of objects: rows of a table on a cluster have no numbers.
const OF_DESCRIPTIONS: u32 = 3;
/// The version whose pairs number the objects that are left instead of the rows of the file.
const OF_OBJECTS: u32 = 1;

/// The most attributes of a table whose reducts a certificate bounds.
const MOST_BOUNDED: usize = 128;

/// The options of commands that can certify a reduct.
#[derive(clap::Args)]
pub struct Certifying {
    /// Write a certificate of the reduct to a JSON file, for `rough verify`
    #[arg(long, value_parser = OutPath::file(&[".json"]), value_name = "FILE.json", conflicts_with_all = ["relation", "epsilon"])]
    pub certificate: Option<OutPath>,
    /// Also certify how many attributes every reduct has at least; may take a minute. With --minimum seconds are spent on it anyway
    #[arg(long, requires = "certificate")]
    pub lower_bound: bool,
}

/// A reduct to certify.
#[derive(Clone, Copy)]
pub struct Certified<'r> {
    pub reduct: &'r Reduct,
    /// Whether it is proved that none has fewer attributes.
    pub is_minimum: bool,
}

/// The content of a certificate file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateFile {
    roughboard_certificate: u32,
    /// The table.
    pub table: TableReference,
    /// The objects that the pairs number, where rows have no numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub described: Option<Described>,
    /// What is claimed of it.
    pub reduct: Certificate,
}

/// Objects by their values, of which the first has the number 1.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Described {
    /// The names of the attributes.
    pub attributes: Vec<String>,
    /// The values of each object.
    pub objects: Vec<Vec<Value>>,
}

/// How much a table on a cluster holds: what is compared in place of a checksum.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extent {
    /// |U|: the weight of all objects.
    pub objects: u64,
    /// |U/IND(A)|.
    pub classes: u64,
}

/// A table in a file, and the roles of its columns.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableReference {
    /// The name of the file, without its folder.
    pub file: String,
    /// The SHA-256 of its content, unless a cluster has read it; of a folder that of its part files one after another, in the order of
    /// their names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What it holds, if a cluster has read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<Extent>,
    /// The decision columns.
    pub decision: Vec<String>,
    /// Which attributes and objects of it count.
    #[serde(flatten)]
    pub view: TableView,
    /// How it was read.
    #[serde(flatten)]
    reading: TableFile,
}

impl Certifying {
    /// Refuses the certificate of a table that is in no file, before anything is computed.
    pub fn check_source(&self, source: &Source) -> anyhow::Result<()> {
        self.certificate.as_ref().map_or(Ok(()), |_| check_file(&source.file.path))
    }

    /// Refuses a bound for a table with more attributes than one is found for, before a reduct is searched.
    pub fn check_table(&self, table: &DecisionTable) -> anyhow::Result<()> {
        let n = table.n_attributes();
        let is_bounded = n <= MOST_BOUNDED || !self.lower_bound;
        ensure!(is_bounded, "--lower-bound takes at most {MOST_BOUNDED} attributes, got {n}");
        Ok(())
    }

    /// Writes the certificate of `found`, a reduct of `table`, which was read from `source`; nothing if none is wanted.
    pub fn write(&self, source: &Source, table: &DecisionTable, found: Certified<'_>) -> anyhow::Result<()> {
        let Some(path) = &self.certificate else { return Ok(()) };
        let certificate = self.certificate_of(table, found)?;
        let table = TableReference { sha256: Some(checksum(&source.file.path)?), ..TableReference::of(source) };
        CertificateFile { roughboard_certificate: FORMAT, table, described: None, reduct: certificate }.write(path)
    }

    /// The certificate of `found`, a reduct of `table`, with what is wanted in it. That of a minimum proves that, too, if it takes
    /// no more than seconds.
    pub fn certificate_of(&self, table: &DecisionTable, found: Certified<'_>) -> anyhow::Result<Certificate> {
        let Certified { reduct, is_minimum } = found;
        let certificate = Certificate::of(table, reduct)?;
        let (n_attributes, is_asked) = (table.n_attributes(), self.lower_bound);
        let is_small = n_attributes <= MOST_BOUNDED;
        let bounded = match () {
            () if is_asked => certificate.with_lower_bound(table, Effort::Full, &Silent),
            () if is_minimum && is_small => certificate.with_lower_bound(table, Effort::Small, &Silent),
            () => certificate,
        };
        let why = match () {
            () if !is_small => {
                format!("that takes at most {MOST_BOUNDED} attributes, and the table has {n_attributes}")
            }
            () if is_asked => "more takes too long".to_owned(),
            () => "--lower-bound spends more time on it".to_owned(),
        };
        note_open(&bounded, found, &why);
        Ok(bounded)
    }

    /// Writes the certificate of a reduct of a table on a cluster, whose pairs number the objects `described`; nothing if none is
    /// wanted.
    #[cfg(feature = "spark")]
    pub fn write_described(
        &self,
        source: &Source,
        extent: Extent,
        (reduct, described): (Certificate, Described),
    ) -> anyhow::Result<()> {
        let Some(path) = &self.certificate else { return Ok(()) };
        let table = TableReference { extent: Some(extent), ..TableReference::of(source) };
        let (roughboard_certificate, described) = (OF_DESCRIPTIONS, Some(described));
        CertificateFile { roughboard_certificate, table, described, reduct }.write(path)
    }
}

/// Notes that the certificate of a minimum does not prove that it is one.
fn note_open(certificate: &Certificate, Certified { reduct, is_minimum }: Certified<'_>, why: &str) {
    let (least, size) = (certificate.least(), reduct.len());
    if is_minimum && least < size {
        eprintln!(
            "note: that no reduct has fewer than {} is proved, but the certificate proves {least} only: {why}",
            counted(size, "attribute")
        );
    }
}

impl TableReference {
    /// The reference to a table that was read from `source`, as yet without what tells it from others.
    fn of(source: &Source) -> Self {
        let file = source.file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (decision, view, reading) = (source.decision.clone(), source.view.clone(), source.file.clone());
        Self { file, sha256: None, extent: None, decision, view, reading }
    }

    /// The table in the file `path`, read in the same way.
    pub fn source(&self, path: &Path) -> Source {
        let file = TableFile { path: path.to_owned(), ..self.reading.clone() };
        Source { file, decision: self.decision.clone(), view: self.view.clone() }
    }
}

impl CertificateFile {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| unusable(path))?;
        let document: Self = serde_json::from_str(&text).with_context(|| unusable(path))?;
        let found = document.roughboard_certificate;
        let is_known = [FORMAT, OF_OBJECTS, OF_DESCRIPTIONS].contains(&found);
        let expected = format!("{OF_OBJECTS}, {FORMAT} or {OF_DESCRIPTIONS}");
        ensure!(is_known, "{}: expected format {expected}, found {found}", unusable(path));
        let (is_described, is_file) = (document.described.is_some(), document.table.sha256.is_some());
        let is_whole = (found == OF_DESCRIPTIONS) == is_described && is_file != is_described;
        ensure!(is_whole, "{}: expected a checksum, or an extent and descriptions of objects", unusable(path));
        let is_exact = document.table.view.missing != Missing::Tolerance;
        ensure!(is_exact, "{}: expected missing values as `value` or `drop`, found `tolerance`", unusable(path));
        Ok(document)
    }

    fn write(&self, path: &OutPath) -> anyhow::Result<()> {
        output::write(path, serde_json::to_string(self)? + "\n")
    }

    /// Makes the pairs number rows of `table` where they number descriptions of objects; the reasons why some cannot.
    pub fn find_objects(&mut self, table: &DecisionTable) -> Vec<String> {
        let Some(described) = &self.described else { return Vec::new() };
        let rows = match described.rows(table) {
            Ok(rows) => rows,
            Err(reason) => return vec![reason],
        };
        let mut reasons = Vec::new();
        for pair in self.reduct.pairs_mut() {
            for number in [&mut pair.0, &mut pair.1] {
                match rows.get(*number as usize) {
                    Some(Some(row)) => *number = *row,
                    Some(None) => {
                        reasons.push(format!("no object of the table has the values of object {}", *number + 1))
                    }
                    None => reasons.push(format!("object {} is not described", *number + 1)),
                }
            }
        }
        reasons
    }

    /// Refuses a certificate whose numbers are not those of the rows of `table`.
    pub fn check_numbers(&self, table: &DecisionTable) -> anyhow::Result<()> {
        let is_by_rows = self.roughboard_certificate != OF_OBJECTS || !table.is_renumbered();
        let what = "which numbers objects, expected numbers of rows, as some rows of the table are not objects";
        ensure!(is_by_rows, "the certificate has format {OF_OBJECTS}, {what}: certify the reduct again");
        Ok(())
    }
}

impl Described {
    /// The rows of the first objects of `table` that have the values described, where there are any.
    fn rows(&self, table: &DecisionTable) -> Result<Vec<Option<u32>>, String> {
        let column = |name: &String| table.attribute_called(name).ok_or(format!("the table has no attribute `{name}`"));
        let columns: Vec<AttrIdx> = self.attributes.iter().map(column).collect::<Result<_, _>>()?;
        let spelled = |value: &Value| (*value == Value::Missing, value.to_string());
        let places: Vec<HashMap<(bool, String), u32>> =
            columns.iter().map(|attr| table.attribute(*attr).domain().iter().map(spelled).zip(0..).collect()).collect();
        let codes = |values: &Vec<Value>| -> Option<Vec<u32>> {
            let is_whole = values.len() == columns.len();
            let code = |(value, places): (&Value, &HashMap<_, u32>)| places.get(&spelled(value)).copied();
            values.iter().zip(&places).map(code).collect::<Option<_>>().filter(|_| is_whole)
        };
        let wanted: Vec<Option<Vec<u32>>> = self.objects.iter().map(codes).collect();
        let mut found: HashMap<&[u32], Option<u32>> = wanted.iter().flatten().map(|codes| (&codes[..], None)).collect();
        let mut codes = vec![0; columns.len()];
        for object in 0..table.n_objects() {
            codes.iter_mut().zip(&columns).for_each(|(code, attr)| *code = table.attribute(*attr).code(object));
            if let Some(row) = found.get_mut(&codes[..]).filter(|row| row.is_none()) {
                *row = Some(table.row_of(object as u32));
            }
        }
        Ok(wanted.iter().map(|codes| found.get(codes.as_deref()?).copied().flatten()).collect())
    }
}

/// How an error begins that is about the certificate in a file.
pub fn unusable(path: &Path) -> String {
    format!("cannot use `{}` as a certificate", path.display())
}

/// The SHA-256 of a table's file, or of its part files one after another.
pub fn checksum(table: &Path) -> anyhow::Result<String> {
    check_file(table)?;
    disk::sha256_of_files(&table_files(table)?).with_context(|| format!("cannot read `{}`", table.display()))
}

fn check_file(table: &Path) -> anyhow::Result<()> {
    ensure!(!is_stream(table), "a certificate needs a table in a file, got `{}`", table.display());
    Ok(())
}
