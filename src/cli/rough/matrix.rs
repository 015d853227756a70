//! `roughboard rough matrix`.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use anyhow::anyhow;
use roughboard::rough::{DiscernibilityFunction, DiscernibilityMatrix, Notion};
use roughboard::table::{AttrSet, DecisionTable, Value, csv_text};
use serde_json::{Value as Json, json};

use super::TableQuery;
use super::source;
use super::text::{listed_lines, listing, rest, shown, table as columns};
use crate::cli::form::Sheet;
use crate::cli::settings::named;

/// What stands for all objects.
const ALL: &str = "all";

#[derive(clap::Args)]
#[command(mut_args(source::undecided))]
pub struct Options {
    #[command(flatten)]
    pub query: TableQuery,
    /// Which objects must be told apart: those that this notion of decision tells apart; information takes all that
    /// differ [default: positive; without --decision information]
    #[arg(long, value_parser = named::<Notion>())]
    notion: Option<Notion>,
    /// The functions and reducts of these objects instead, by their rows, from 1; all takes every object
    #[arg(long, value_name = "ROW,…", value_delimiter = ',')]
    object: Vec<String>,
    /// Stop after this many reducts, of each function
    #[arg(long, default_value = "1000", value_name = "N")]
    limit: NonZeroUsize,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let source = &options.query.source;
    source.view.check_exact()?;
    let notion = source.notion(options.notion)?;
    let table = if notion == Notion::Information { source.read() } else { source.read_decided() }?;
    let matrix = DiscernibilityMatrix::of(&table, notion)?;
    let asked = Asked { options, notion, table, matrix };
    if options.object.is_empty() { asked.whole() } else { asked.objects() }
}

/// A matrix and what is asked about it.
struct Asked<'o> {
    options: &'o Options,
    notion: Notion,
    table: DecisionTable,
    matrix: DiscernibilityMatrix,
}

impl Asked<'_> {
    /// Gives the matrix with the function of the whole table.
    fn whole(&self) -> anyhow::Result<()> {
        let answer = &self.options.query.answer;
        // CSV has the entries only, and does without the function.
        let function = LazyCell::new(|| {
            let function = self.matrix.function(self.options.limit.get());
            answer.note_limit("reducts", function.reducts.complete);
            function
        });
        let json = || {
            let pair = |(a, b, attrs): (usize, usize, AttrSet)| json!({ "objects": [self.row(a), self.row(b)], "attributes": self.table.names(&attrs) });
            let mut json = self.function_json(&function);
            json["notion"] = json!(self.notion);
            json["n_objects"] = self.matrix.n_objects().into();
            json["entries"] = self.entries().map(pair).collect();
            json
        };
        let text = || self.matrix_text(answer.is_in_full()) + &self.function_text(&function);
        answer.give(Sheet::Made(&|| self.csv()), json, text)
    }

    /// Gives the functions of the objects that are asked about.
    fn objects(&self) -> anyhow::Result<()> {
        let answer = &self.options.query.answer;
        let objects = self.named_objects()?;
        let limit = self.options.limit.get();
        let functions: Vec<_> = objects.iter().map(|&at| (at, self.matrix.function_of(at, limit))).collect();
        answer.note_limit("reducts", functions.iter().all(|(_, function)| function.reducts.complete));
        let json = || {
            let object = |(at, function): &(usize, DiscernibilityFunction)| {
                let mut json = self.function_json(function);
                json["object"] = self.row(*at).into();
                json["decision"] = self.decision(*at).map_or(Json::Null, |value| json!(value));
                json
            };
            json!({ "notion": self.notion, "objects": functions.iter().map(object).collect::<Vec<_>>() })
        };
        let text = || {
            let name = if self.is_decided() { self.table.decision().name() } else { "decision" };
            let header = ["object", name, "function", "reducts"];
            let line = |(at, function): &(usize, DiscernibilityFunction)| {
                let reducts: Vec<String> = function.reducts.found.iter().map(|set| self.braced(set)).collect();
                let more = if function.reducts.complete { "" } else { " …" };
                let decision = self.decision(*at).map_or("-".to_owned(), Value::to_string);
                vec![self.row(*at).to_string(), decision, self.conjunction(function), reducts.join(" ") + more]
            };
            let listed = listing(&header, functions.iter().map(line), "objects", answer.is_in_full());
            format!("object-related reducts ({})\n\n{listed}", self.notion)
        };
        let columns = ["object", "decision", "function", "reducts", "complete"];
        answer.give(Sheet::List("/objects", &columns), json, text)
    }

    fn is_decided(&self) -> bool {
        self.options.query.source.is_decided()
    }

    /// The decision of an object, if there is one.
    fn decision(&self, object: usize) -> Option<&Value> {
        self.is_decided().then(|| self.table.decision().value(object))
    }

    fn row(&self, object: usize) -> u32 {
        self.table.row_of(object as u32) + 1
    }

    fn named_objects(&self) -> anyhow::Result<Vec<usize>> {
        if matches!(self.options.object.as_slice(), [only] if only == ALL) {
            return Ok((0..self.matrix.n_objects()).collect());
        }
        // A row of counts stands for an object of each decision.
        let mut of_row: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        (0..self.matrix.n_objects()).for_each(|object| of_row.entry(self.row(object)).or_default().push(object));
        let mut named = Vec::new();
        for name in &self.options.object {
            let row = name.parse::<u32>().ok();
            let rows = self.row(self.matrix.n_objects() - 1);
            let left_out = row.filter(|row| (1..rows).contains(row)).map_or("", |_| ", which is left out of the table");
            let unknown = || anyhow!("expected rows of objects, 1 to {rows}, or `{ALL}`, found `{name}`{left_out}");
            named.extend(row.and_then(|row| of_row.get(&row)).ok_or_else(unknown)?);
        }
        Ok(named)
    }

    /// The entries below the diagonal.
    fn entries(&self) -> impl Iterator<Item = (usize, usize, AttrSet)> {
        let pairs = (0..self.matrix.n_objects()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.filter_map(|(a, b)| self.matrix.entry(a, b).map(|attrs| (a, b, attrs)))
    }

    /// A line for each attribute that tells two objects apart.
    fn csv(&self) -> String {
        let lines = self.entries().flat_map(|(a, b, attrs)| {
            let [a, b] = [a, b].map(|object| self.row(object).to_string());
            self.table.names(&attrs).into_iter().map(move |name| [a.clone(), b.clone(), name.to_owned()])
        });
        csv_text(["object", "other", "attribute"], lines)
    }

    fn function_json(&self, function: &DiscernibilityFunction) -> Json {
        let named = |sets: &[AttrSet]| sets.iter().map(|set| Json::from(self.table.names(set))).collect::<Vec<_>>();
        let (clauses, reducts) = (named(&function.clauses), named(&function.reducts.found));
        json!({ "function": clauses, "reducts": reducts, "complete": function.reducts.complete })
    }

    /// The matrix below its diagonal, of the first objects unless all are shown.
    fn matrix_text(&self, all: bool) -> String {
        let shown = shown(self.matrix.n_objects(), all);
        let rows: Vec<String> = (0..shown).map(|object| self.row(object).to_string()).collect();
        let cell = |a: usize, b: usize| match self.matrix.entry(a, b) {
            _ if b >= a => String::new(),
            None => "-".to_owned(),
            Some(attrs) => self.table.names(&attrs).join(","),
        };
        let line = |a: usize| [vec![rows[a].clone()], (0..shown).map(|b| cell(a, b)).collect()].concat();
        let header: Vec<&str> = std::iter::once("").chain(rows.iter().map(String::as_str)).collect();
        let lines: Vec<Vec<String>> = (0..shown).map(line).collect();
        let rest = rest(self.matrix.n_objects() - shown, "objects");
        format!("discernibility matrix ({})\n{}{rest}\n", self.notion, columns(&header, &lines))
    }

    fn function_text(&self, function: &DiscernibilityFunction) -> String {
        let reducts = &function.reducts;
        let (count, more) = (reducts.found.len(), if reducts.complete { "" } else { ", there may be more" });
        let lines = reducts.found.iter().map(|set| format!("  {}\n", self.braced(set)));
        let listed = listed_lines(lines, "reducts", self.options.query.answer.is_in_full());
        format!("discernibility function\n  {}\nreducts ({count}{more})\n{listed}", self.conjunction(function))
    }

    /// The clauses of a function in words.
    fn conjunction(&self, function: &DiscernibilityFunction) -> String {
        let clause = |set: &AttrSet| {
            let names = self.table.names(set).join(" OR ");
            if set.len() > 1 && function.clauses.len() > 1 { format!("({names})") } else { names }
        };
        let clauses: Vec<String> = function.clauses.iter().map(clause).collect();
        if clauses.is_empty() { "true".to_owned() } else { clauses.join(" AND ") }
    }

    fn braced(&self, attrs: &AttrSet) -> String {
        format!("{{{}}}", self.table.names(attrs).join(", "))
    }
}
