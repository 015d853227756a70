//! `roughboard rough discretize`: numbers to intervals.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use roughboard::rough::{Approximations, Fraction};
use roughboard::settings::counted;
use roughboard::table::discretize::{Cuts, Discretizer};
use roughboard::table::{AttrIdx, AttrSet, Attribute, DecisionTable, Layout, TABLE_ENDINGS, Value};
use serde_json::json;

use super::hints;
use super::source::{
    self, Missing, SHOWN_REMARKS, Source, check_attributes, check_idle, listed_attributes, note_remarks, remarks,
    write_columns,
};
use super::text::{fraction, list, table as columns};
use crate::cli::form::{Form, Sheet};
use crate::cli::output::{print, write};
use crate::cli::session::Session;
use crate::cli::settings::named;
use crate::cli::targets::OutPath;

#[derive(clap::Args)]
#[command(mut_args(source::exact_undecided))]
pub struct Options {
    #[command(flatten)]
    source: Source,
    /// How cut points are chosen
    #[arg(long, value_parser = named::<MethodName>(), required_unless_present = "cuts", conflicts_with = "cuts")]
    method: Option<MethodName>,
    #[command(flatten)]
    cutting: Cutting,
    /// Apply the cut points of this file instead of choosing some
    #[arg(long, value_name = "FILE")]
    cuts: Option<PathBuf>,
    /// Write the cut points to this file, as --cuts reads them
    #[arg(long, value_parser = OutPath::file(&[".json"]), value_name = "FILE.json", conflicts_with = "cuts")]
    save_cuts: Option<OutPath>,
    /// Table of intervals to write, .csv, .tsv or .parquet; without it the cut points are printed
    #[arg(long, value_parser = OutPath::file(TABLE_ENDINGS), value_name = "FILE")]
    out: Option<OutPath>,
    /// Leave attributes with a single value out of the written table; a missing value is one
    #[arg(long, requires_all = ["out", "decision"])]
    drop_constant: bool,
    #[command(flatten)]
    form: Form,
    /// Print long lists in full
    #[arg(long)]
    all: bool,
}

/// What is cut, and into how many intervals.
#[derive(clap::Args)]
pub struct Cutting {
    /// For the methods width and frequency: the number of intervals
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..))]
    bins: u16,
    /// Cut these attributes only; the others stay as they are
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    only: Vec<String>,
}

roughboard::choices! {
    /// How cut points are chosen.
    pub enum MethodName = Width {
        /// Intervals of equal width.
        Width,
        /// Intervals with equally many objects.
        Frequency,
        /// Each attribute by entropy and minimal description length (Fayyad and Irani).
        Mdlp,
        /// All attributes together by maximal discernibility (Nguyen and Skowron).
        Md,
    }
}

/// What CSV has of the answer: the cut points of each attribute.
const SHEET: Sheet<'_> = Sheet::List("/cuts", &["attribute", "cuts"]);

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    if !options.source.is_decided() {
        return options.cut_columns(session);
    }
    let (table, cuts) = match &options.cuts {
        Some(path) => (options.source.read_exact()?, Cuts::load(path)?),
        None => options.fit(session)?,
    };
    note_large(&table, &cuts);
    // Cuts that do not fit the table are an error even where only the cuts are asked for.
    let applied = cuts.apply(&table);
    let discretized = match &options.cuts {
        None => applied?,
        Some(path) => applied.with_context(|| format!("cannot use `{}` as cut points", path.display()))?,
    };
    hints::note(&discretized, None);
    if options.cuts.is_some() {
        note_outside(table.attributes(), discretized.attributes());
    }
    if let Some(path) = &options.save_cuts {
        write(path, cuts.to_json())?;
    }
    match &options.out {
        Some(path) => options.write(path, &cuts, &table, discretized),
        None => options.give_cuts(&cuts, &table),
    }
}

/// Notes whole numbers that are one real number, of attributes that are cut.
fn note_large(table: &DecisionTable, cuts: &Cuts) {
    hints::note_large_of(table.attributes().iter().filter(|attribute| cuts.of(attribute.name()).is_some()));
}

/// Notes attributes whose values all lie on one side of all cut points, as where they are measured in another unit.
pub fn note_outside(table: &[Attribute], discretized: &[Attribute]) {
    let is_outside = |attribute: &Attribute| match attribute.domain() {
        [Value::Interval(only)] | [Value::Interval(only), Value::Missing] => {
            only.low().is_finite() != only.high().is_finite()
        }
        _ => false,
    };
    let pairs = table.iter().zip(discretized);
    let outside = pairs.filter(|(before, after)| before.kind() != "interval" && is_outside(after));
    let names: Vec<String> = outside.map(|(_, after)| format!("`{}`", after.name())).collect();
    if !names.is_empty() {
        eprintln!("note: all values lie outside the cut points of {}: is the unit the same?", list(&names, false));
    }
}

impl Options {
    /// The table and the cut points that the chosen method finds in it.
    fn fit(&self, session: &Session) -> anyhow::Result<(DecisionTable, Cuts)> {
        let asks = matches!(self.method, Some(MethodName::Mdlp | MethodName::Md));
        let table = if asks { self.source.read_decided_exact()? } else { self.source.read_exact()? };
        let cuts = self.fit_to(&table, session)?;
        Ok((table, cuts))
    }

    fn fit_to(&self, table: &DecisionTable, session: &Session) -> anyhow::Result<Cuts> {
        let Some(method) = self.method else { bail!("expected --method or --cuts") };
        let method = self.cutting.discretizer(method);
        let attrs = self.cutting.attributes(table, method)?;
        Ok(Cuts::fit(table, &attrs, method, &session.progress)?)
    }

    /// Cuts the columns of a table without a decision; all rows and columns stay.
    fn cut_columns(&self, session: &Session) -> anyhow::Result<()> {
        let (source, path) = (&self.source, &self.source.file.path);
        source.view.check_exact()?;
        if self.cuts.is_some() {
            // Weights and complete rows have a part in the choice of cut points only.
            let idle = [("weight", source.view.weight.is_some()), ("missing", source.view.missing == Missing::Drop)];
            check_idle(&idle, "with `--cuts` and without `--decision`")?;
        }
        if let Some(method) = self.method.filter(|method| matches!(method, MethodName::Mdlp | MethodName::Md)) {
            source.require_decision(&format!("`--method {method}`"))?;
        }
        let columns = source.view.read(path, &[], source.file.reading())?;
        note_remarks(&remarks(&columns, &[]), SHOWN_REMARKS);
        let (table, left_out) = source.view.keep(source.view.objects(columns.clone(), &[], path)?, path)?;
        if let Some(account) = source.view.account((table.n_rows(), table.total_weight()), left_out) {
            eprintln!("note: where cut points are chosen, {account}; all rows are cut");
        }
        let cuts = match &self.cuts {
            Some(path) => Cuts::load(path)?,
            None => self.fit_to(&table, session)?,
        };
        note_large(&table, &cuts);
        let names: Vec<String> = cuts.iter().map(|(name, _)| name.to_owned()).collect();
        check_attributes(&names, &columns).map_err(|error| error.in_file(path))?;
        let cut = cuts.apply_to(columns.columns()).map_err(|error| error.in_file(path))?;
        let from_file = self.cuts.is_some();
        if from_file {
            note_outside(columns.columns(), &cut);
        }
        if let Some(path) = &self.save_cuts {
            write(path, cuts.to_json())?;
        }
        let Some(out) = &self.out else { return self.give_cuts(&cuts, &table) };
        write_columns(out, &cut)?;
        let (n_rows, n_attributes) = (columns.n_rows(), cut.len());
        let json = json!({ "rows": n_rows, "attributes": n_attributes, "cuts": cuts, "n_cuts": cuts.n_cuts() });
        self.form.give_line(&json, SHEET, &account(out, &cuts, n_rows, n_attributes))
    }

    /// Gives the cut points, which go to no table.
    fn give_cuts(&self, cuts: &Cuts, table: &DecisionTable) -> anyhow::Result<()> {
        if self.form.json {
            return print(&cuts.to_json());
        }
        self.form.give_line(&json!({ "cuts": cuts }), SHEET, &cuts_text(table, cuts, self.all))
    }

    fn write(&self, path: &Path, cuts: &Cuts, table: &DecisionTable, discretized: DecisionTable) -> anyhow::Result<()> {
        let gamma = |table: &DecisionTable| Approximations::of(table, &table.all_attributes()).gamma();
        let (before, after) = (gamma(table), gamma(&discretized));
        let mut written = discretized;
        if self.drop_constant {
            let attrs = written.all_attributes();
            let varying: AttrSet = attrs.iter().filter(|&attr| written.attribute(attr).n_values() > 1).collect();
            ensure!(!varying.is_empty(), "every attribute has a single value, so --drop-constant leaves none");
            written = written.select(&varying)?;
        }
        written.write(path, Layout::Objects)?;
        self.source.note_written(path, &written);
        let json = json!({
            "rows": written.n_objects(), "attributes": written.n_attributes(), "cuts": cuts, "n_cuts": cuts.n_cuts(),
            "gamma": after.value(), "gamma_fraction": fraction(after), "gamma_before": before.value(),
        });
        let shown = |gamma: Fraction| format!("{gamma} = {:.6}", gamma.value());
        let account = account(path, cuts, written.n_objects(), written.n_attributes());
        let text = format!("{account}gamma {}, before {}\n", shown(after), shown(before));
        self.form.give_line(&json, SHEET, &text)
    }
}

/// What was written to `path`.
fn account(path: &Path, cuts: &Cuts, n_rows: usize, n_attributes: usize) -> String {
    let cut = cuts.iter().filter(|(_, cuts)| !cuts.is_empty()).count();
    let uncut: Vec<String> = cuts.iter().filter(|(_, cuts)| cuts.is_empty()).map(|(name, _)| name.to_owned()).collect();
    let uncut = match uncut.as_slice() {
        [] => String::new(),
        names => format!("without a cut point: {}\n", hints::quoted(names)),
    };
    let [rows, attributes, points] =
        [(n_rows, "row"), (n_attributes, "attribute"), (cuts.n_cuts(), "point")].map(|(n, thing)| counted(n, thing));
    format!("{rows}, {attributes}, {cut} of them cut at {points}: {}\n{uncut}", path.display())
}

impl Cutting {
    /// The method, with its number of intervals.
    pub fn discretizer(&self, method: MethodName) -> Discretizer {
        let bins = self.bins;
        match method {
            MethodName::Width => Discretizer::EqualWidth { bins },
            MethodName::Frequency => Discretizer::EqualFrequency { bins },
            MethodName::Mdlp => Discretizer::Mdlp,
            MethodName::Md => Discretizer::MaximalDiscernibility,
        }
    }

    /// The attributes to cut by `method`, which takes their numbers.
    pub fn attributes(&self, table: &DecisionTable, method: Discretizer) -> anyhow::Result<AttrSet> {
        let attrs = self.numeric(table)?;
        let remedy = "the method frequency takes infinite ones, and --na inf,-inf reads them as missing values";
        method.check(table, &attrs).map_err(|error| anyhow!("{error}; {remedy}"))?;
        Ok(attrs)
    }

    /// The attributes to cut: those that were named, or all with numbers.
    fn numeric(&self, table: &DecisionTable) -> anyhow::Result<AttrSet> {
        let is_numeric = |attr: AttrIdx| table.attribute(attr).is_numeric();
        let wanted = if self.only.is_empty() {
            table.all_attributes().iter().filter(|&attr| is_numeric(attr)).collect()
        } else {
            listed_attributes(table, &self.only)?
        };
        if let Some(attr) = wanted.iter().find(|&attr| !is_numeric(attr)) {
            let attribute = table.attribute(attr);
            bail!("attribute `{}` has values of kind {}, expected numbers to cut", attribute.name(), attribute.kind());
        }
        if wanted.is_empty() {
            bail!(
                "no attribute has numbers to cut; the attributes are {}",
                list(&table.names(&table.all_attributes()), false)
            );
        }
        Ok(wanted)
    }
}

/// The cut points, in the order of the table's attributes.
fn cuts_text(table: &DecisionTable, cuts: &Cuts, all: bool) -> String {
    let line = |name: &str| {
        let points = cuts.of(name)?;
        let listed = if points.is_empty() { "-".to_owned() } else { list(points, all) };
        Some(vec![name.to_owned(), points.len().to_string(), listed])
    };
    let lines: Vec<_> = table.attributes().iter().filter_map(|attribute| line(attribute.name())).collect();
    let [points, attributes] =
        [(cuts.n_cuts(), "cut"), (lines.len(), "attribute")].map(|(number, thing)| counted(number, thing));
    format!("{points} of {attributes}\n\n{}", columns(&["attribute", "cuts", "at"], &lines))
}
