//! Questions about tables that a cluster reads.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail, ensure};
use roughboard::rough::{
    Approximations, Asking, Certificate, Method, Notion, Pair, Partition, Precision, Quotient, Relation, Witness,
};
use roughboard::spark::{Engine, EngineError, RemoteColumn, RemoteFile, RemoteTable, RemoteView, ValuesApart};
use roughboard::table::{AttrSet, Codes, DecisionTable, Roles, Value, joined_names};

use super::certificate::{Certified, Described, Extent};
use super::engine::Fetching;
use super::info::{ColumnFacts, Facts, code_type, shown_domain};
use super::reduct::{Found, note_backward};
use super::source::{Missing, Source, TableView, split_names};
use super::{approx, core, hints, info, reduct};
use crate::cli::output::note;
use crate::cli::session::Session;

/// The table at `path` as `view` has it.
fn open<'e>(
    engine: &'e Engine<'e>,
    path: &Path,
    decision: &[String],
    view: &TableView,
) -> anyhow::Result<RemoteTable<'e>> {
    ensure!(
        view.missing != Missing::Tolerance,
        "`--missing tolerance` needs the rows at hand, expected `value` or `drop` with --engine"
    );
    let unusable = || format!("cannot use `{}`", path.display());
    let file = RemoteFile::open(engine, path.to_str().with_context(unusable)?)?;
    let existing = file.names();
    view.check_conditions(decision, &existing)?;
    let view = RemoteView {
        roles: Roles { decision: split_names(decision, &existing), weight: view.weight.clone() },
        attributes: joined_names(&view.attributes, &existing),
        ignored: joined_names(&view.ignore, &existing),
        drops_missing: view.missing == Missing::Drop,
    };
    let table = file.decide(&view).map_err(|error| match &error {
        EngineError::UnsupportedTypes(columns) => {
            let refused: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
            anyhow!("{}: {error}; leave them out with --ignore {}", unusable(), hints::argument(&refused))
        }
        EngineError::Roles(_) => anyhow!("{}: {error}", unusable()),
        _ => error.into(),
    })?;
    Ok(table)
}

/// Refuses a condition without a value, which says nothing.
fn check_values(table: &RemoteTable<'_>) -> anyhow::Result<()> {
    if let Some(name) = table.without_values() {
        let (path, what) = (table.path(), format!("attribute `{name}` has no value in any object"));
        bail!("cannot use `{path}`: {what}; leave it out with --ignore, or choose others with --attributes");
    }
    Ok(())
}

/// What was left out of a table, in words; none if nothing was.
fn account(table: &RemoteTable<'_>, view: &TableView) -> Option<String> {
    let dropped = table.left_out();
    view.account((table.n_kept_rows() as usize, table.total_weight()), dropped)
}

/// Refuses a decision that is always the same.
fn check_decided(table: &RemoteTable<'_>) -> anyhow::Result<()> {
    if let Some(value) = table.constant_decision()? {
        let (path, name) = (table.path(), table.decision());
        bail!("cannot use `{path}`: the decision `{name}` is `{value}` for every object, expected different values");
    }
    Ok(())
}

pub fn info(options: &info::Options, engine: &str, session: &Session) -> anyhow::Result<()> {
    let engine = Engine::connect(engine, &session.progress)?;
    let Source { file, decision, view } = &options.source;
    view.check_columns(decision)?;
    let table = open(&engine, &file.path, decision, view)?;
    let columns: Vec<ColumnFacts> = table.columns()?.iter().map(facts).collect();
    if decision.is_empty() {
        table.check_unchanged()?;
        return options.list(table.n_rows(), &[], &columns);
    }
    let summary = table.summary()?;
    table.check_unchanged()?;
    let gamma = Approximations::of(&summary.table, &summary.table.all_attributes()).gamma();
    let dropped = table.left_out();
    let facts = Facts {
        n_rows: table.n_rows(),
        // With others it is not told how many of the rows were left out for want of the decision.
        n_undecided: (view.missing == Missing::Value).then_some(dropped.rows as u64),
        n_classes: summary.n_classes,
        n_distinct: summary.n_distinct,
        gamma,
        dropped,
        account: account(&table, view),
        table: &summary.table,
        columns,
    };
    options.tell(&facts, &[])
}

fn facts(column: &RemoteColumn) -> ColumnFacts {
    let extremes = column.extremes.as_ref().map(|(least, greatest)| (least, greatest));
    let n_codes = column.n_values + u64::from(column.n_missing > 0);
    ColumnFacts {
        name: column.name.clone(),
        kind: extremes.map_or(Value::Missing.kind(), |(least, _)| least.kind()),
        n_values: column.n_values,
        n_missing: column.n_missing,
        codes: code_type(Codes::bits_of(n_codes as usize)),
        domain: shown_domain(extremes),
    }
}

pub fn approx(options: &approx::Options, engine: &str, session: &Session) -> anyhow::Result<()> {
    let precision = options.beta.map_or(Ok(Precision::EXACT), Precision::new)?;
    let (source, answer) = (&options.related.source, &options.related.answer);
    let engine = Engine::connect(engine, &session.progress)?;
    let remote = open(&engine, &source.file.path, &source.decision, &source.view)?;
    check_values(&remote)?;
    note(account(&remote, &source.view));
    check_decided(&remote)?;
    let summary = remote.summary()?;
    remote.check_unchanged()?;
    let table = &summary.table;
    let approximations = Approximations::of(table, &table.all_attributes()).with_precision(precision);
    let shown = approx::Shown {
        table,
        approximations: &approximations,
        concepts: approx::concepts(table, options.concept.as_deref())?,
        relation: Relation::Indiscernibility,
        beta: precision.beta(),
        n_objects: remote.n_objects(),
        n_attributes: remote.n_attributes(),
        n_classes: summary.n_classes,
        members: approx::Members::Weighed,
    };
    shown.give(answer)
}

/// A table that reducts are asked of.
fn open_for_reducts<'e>(
    engine: &'e Engine<'e>,
    reducing: &super::reducing::Reducing,
) -> anyhow::Result<RemoteTable<'e>> {
    let source = &reducing.related.source;
    source.require_decision("`--engine`")?;
    let table = open(engine, &source.file.path, &source.decision, &source.view)?;
    check_values(&table)?;
    note(account(&table, &source.view));
    if reducing.notion()? != Notion::Information {
        check_decided(&table)?;
    }
    Ok(table)
}

/// The distinct rows, if they are few enough.
fn fetched(remote: &RemoteTable<'_>, fetching: &Fetching) -> anyhow::Result<Option<DecisionTable>> {
    let table = remote.fetch(fetching.fetch)?;
    if table.is_some() {
        remote.check_unchanged()?;
    }
    Ok(table)
}

pub fn core(options: &core::Options, engine: &str, session: &Session) -> anyhow::Result<()> {
    let engine = Engine::connect(engine, &session.progress)?;
    let (reducing, notion) = (&options.reducing, options.reducing.notion()?);
    let remote = open_for_reducts(&engine, reducing)?;
    let core = if let Some(table) = fetched(&remote, &options.fetching)? {
        Quotient::new(&table, &table.all_attributes(), notion).core()
    } else {
        let core = Asking::new(remote.labelled(notion)?, remote.all_attributes()).core()?;
        remote.check_unchanged()?;
        core
    };
    core::give(notion, &remote.names(&core), remote.n_attributes(), reducing.answer())
}

pub fn reduct(options: &reduct::Options, engine: &str, session: &Session) -> anyhow::Result<ExitCode> {
    let engine = Engine::connect(engine, &session.progress)?;
    let (reducing, notion) = (&options.reducing, options.reducing.notion()?);
    let remote = open_for_reducts(&engine, reducing)?;
    if let Some(table) = fetched(&remote, &options.fetching)? {
        let certify = |table: &DecisionTable, found: Certified<'_>| certify_fetched(options, table, found);
        return reduct::at_hand(options, table, &certify, session);
    }
    let is_backward = options.method.is_none_or(|method| method == Method::Backward);
    let remedy = "take --method backward, or fetch more rows with --fetch";
    ensure!(is_backward && !options.minimum, "the distinct rows have more values than are fetched: {remedy}");
    ensure!(!options.certifying.lower_bound, "--lower-bound needs the rows at hand: fetch more with --fetch");
    let labelled = remote.labelled(notion)?;
    let order = labelled.backward_order()?;
    let mut asking = Asking::new(labelled, remote.all_attributes());
    let attrs = asking.reduct_by_order(&order)?;
    let mut labelled = asking.into_source();
    let (kept, whole) = (labelled.gamma(&attrs)?, labelled.gamma_of_all());
    if options.certifying.certificate.is_some() {
        let proof = described(&remote, notion, &attrs, labelled.witnesses(&attrs)?);
        let extent = Extent { objects: remote.total_weight(), classes: labelled.n_classes() };
        remote.check_unchanged()?;
        options.certifying.write_described(&reducing.related.source, extent, proof)?;
    } else {
        remote.check_unchanged()?;
    }
    if options.method.is_none() {
        note_backward();
    }
    let (reduct, n_attributes) = (remote.names(&attrs), remote.n_attributes());
    let tried = &[(Method::Backward, attrs.len())];
    Found { notion, reduct, n_attributes, kept, whole, least: None, tried, is_decided: true }
        .give(reducing.answer())?;
    Ok(ExitCode::SUCCESS)
}

/// The certificate of a reduct, from two objects for each of its attributes.
fn described(
    remote: &RemoteTable<'_>,
    notion: Notion,
    attrs: &AttrSet,
    witnesses: Vec<ValuesApart>,
) -> (Certificate, Described) {
    let owned = |attrs: &AttrSet| remote.names(attrs).into_iter().map(str::to_owned).collect::<Vec<String>>();
    let mut described = Described { attributes: owned(&remote.all_attributes()), objects: Vec::new() };
    let witness = |(attr, objects): ValuesApart| {
        let first = described.objects.len() as u32;
        described.objects.extend(objects);
        Witness { attribute: owned(&[attr].into_iter().collect()).remove(0), objects: Pair(first, first + 1) }
    };
    let witnesses = witnesses.into_iter().map(witness).collect();
    (Certificate { notion, attributes: owned(attrs), witnesses, lower_bound: None }, described)
}

/// Writes the certificate of a reduct of rows that were fetched, which have no numbers elsewhere.
fn certify_fetched(options: &reduct::Options, table: &DecisionTable, found: Certified<'_>) -> anyhow::Result<()> {
    let mut certificate = options.certifying.certificate_of(table, found)?;
    let attributes = table.attributes().iter().map(|attribute| attribute.name().to_owned()).collect();
    let mut described = Described { attributes, objects: Vec::new() };
    for number in certificate.pairs_mut().flat_map(|pair| [&mut pair.0, &mut pair.1]) {
        let object = table.object_of_row(*number).unwrap_or_default() as usize;
        *number = described.objects.len() as u32;
        described.objects.push(table.attributes().iter().map(|attribute| attribute.value(object).clone()).collect());
    }
    let classes = Partition::by(table, &table.all_attributes()).n_classes() as u64;
    let extent = Extent { objects: table.total_weight(), classes };
    options.certifying.write_described(&options.reducing.related.source, extent, (certificate, described))
}
