//! `roughboard rough fuzzy`.

use roughboard::rough::{FuzzyApproximations, FuzzyReduct, FuzzyRoughSets, FuzzySettings};
use roughboard::table::{DecisionTable, Value, csv_text};
use serde_json::{Map, Value as Json, json};

use super::text::{key, listing, names, sizes, table as columns};
use super::{TableQuery, hints};
use crate::cli::form::Sheet;
use crate::cli::session::Session;
use crate::cli::settings::Of;
use crate::cli::values::real;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    pub query: TableQuery,
    #[command(flatten)]
    settings: Of<FuzzySettings>,
    /// Find a reduct instead: QuickReduct by the degree of dependency, without the attributes that turned out to be superfluous
    #[arg(long)]
    reduct: bool,
    /// For --reduct: the share of the dependency on all attributes that must be kept, in (0, 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 1.0, value_parser = real)]
    share: f64,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let settings = options.settings.read()?;
    let TableQuery { source, answer } = &options.query;
    let table = source.read_decided_exact()?;
    hints::note(&table, None);
    hints::note_large(&table);
    let sets = FuzzyRoughSets::new(&table, settings)?;
    if options.reduct {
        let share = options.share;
        let reduct = sets.reduct(share, &session.progress)?;
        let (json, text) = (|| reduct_json(&table, &reduct, share, settings), || reduct_text(&table, &reduct, share));
        return answer.give(Sheet::ALL_FIELDS, json, text);
    }
    let shown = Shown { table: &table, found: &sets.approximations(&table.all_attributes(), &session.progress) };
    answer.give(Sheet::Made(&|| shown.csv()), || shown.json(settings), || shown.text(settings, answer.is_in_full()))
}

fn reduct_json(table: &DecisionTable, reduct: &FuzzyReduct, share: f64, settings: FuzzySettings) -> Json {
    let name = |attr| table.attribute(attr).name();
    let step = |&(attr, gamma): &(_, f64)| json!({ "attribute": name(attr), "gamma": gamma });
    json!({
        "settings": settings, "reduct": table.names(&reduct.attrs), "size": reduct.attrs.len(),
        "n_attributes": table.n_attributes(), "gamma": reduct.gamma, "gamma_of_all": reduct.whole, "share": share,
        "steps": reduct.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn reduct_text(table: &DecisionTable, reduct: &FuzzyReduct, share: f64) -> String {
    let (size, n_attributes) = (reduct.attrs.len(), table.n_attributes());
    let of_share = if share == 1.0 { String::new() } else { format!("share {share}, ") };
    let label = format!("fuzzy reduct ({of_share}{size} of {n_attributes} attributes)");
    let gammas = format!("gamma {:.6}, of all attributes {:.6}", reduct.gamma, reduct.whole);
    let line = |&(attr, gamma): &(_, f64)| vec![table.attribute(attr).name().to_owned(), format!("{gamma:.6}")];
    let steps: Vec<_> = reduct.steps.iter().map(line).collect();
    format!("{label}\n  {}\n{gammas}\n\n{}", names(table, &reduct.attrs, true), columns(&["chosen", "gamma"], &steps))
}

/// Approximations to a degree.
struct Shown<'a> {
    table: &'a DecisionTable,
    found: &'a FuzzyApproximations<'a>,
}

impl Shown<'_> {
    fn decisions(&self) -> impl Iterator<Item = (u32, &Value)> {
        (0..).zip(self.table.decision().domain())
    }

    fn row(&self, object: usize) -> u32 {
        self.table.row_of(object as u32) + 1
    }

    /// The sums of the degrees of a lower and an upper approximation, in weights.
    fn sizes(&self, decision: u32) -> [f64; 2] {
        let sum = |degree: &dyn Fn(usize) -> f64| {
            (0..self.table.n_objects()).map(|object| degree(object) * self.table.weight(object) as f64).sum()
        };
        [sum(&|object| self.found.lower(object, decision)), sum(&|object| self.found.upper(object, decision))]
    }

    fn json(&self, settings: FuzzySettings) -> Json {
        let decision = |(code, value): (u32, &Value)| {
            let [lower, upper] = self.sizes(code);
            json!({ "value": value, "lower": lower, "upper": upper })
        };
        let object = |object: usize| {
            let by_decision = |degree: &dyn Fn(u32) -> f64| -> Map<String, Json> {
                self.decisions().map(|(code, value)| (key(value), degree(code).into())).collect()
            };
            json!({
                "object": self.row(object), "decision": self.table.decision().value(object),
                "positive": self.found.positive(object),
                "lower": by_decision(&|code| self.found.lower(object, code)),
                "upper": by_decision(&|code| self.found.upper(object, code)),
            })
        };
        json!({
            "settings": settings, "gamma": self.found.gamma(), "n_objects": self.table.n_objects(),
            "total_weight": self.table.total_weight(), "decisions": self.decisions().map(decision).collect::<Vec<_>>(),
            "objects": (0..self.table.n_objects()).map(object).collect::<Vec<_>>(),
        })
    }

    /// A line for each object with its degrees.
    fn csv(&self) -> String {
        let named = |what: &str| self.decisions().map(|(_, value)| format!("{what}={value}")).collect::<Vec<_>>();
        let first = ["object", "decision", "positive"].map(str::to_owned).to_vec();
        let lines = (0..self.table.n_objects()).map(|object| self.cells(object, |degree| degree.to_string()));
        csv_text([first, named("lower"), named("upper")].concat(), lines)
    }

    /// The row of an object, its decision, and its degrees: of the positive region, of all lower, and of all upper approximations.
    fn cells(&self, object: usize, shown: impl Fn(f64) -> String) -> Vec<String> {
        let lower = self.decisions().map(|(code, _)| self.found.lower(object, code));
        let upper = self.decisions().map(|(code, _)| self.found.upper(object, code));
        let degrees = std::iter::once(self.found.positive(object)).chain(lower).chain(upper).map(shown);
        let decision = self.table.decision().value(object).to_string();
        [self.row(object).to_string(), decision].into_iter().chain(degrees).collect()
    }

    fn text(&self, settings: FuzzySettings, all: bool) -> String {
        let line = |(code, value): (u32, &Value)| {
            let [lower, upper] = self.sizes(code);
            let accuracy = if upper > 0.0 { lower / upper } else { 1.0 };
            let figures = [lower, upper, accuracy].map(|figure| format!("{figure:.4}"));
            [vec![value.to_string()], figures.to_vec()].concat()
        };
        let lines: Vec<_> = self.decisions().map(line).collect();
        let decisions = columns(&[self.table.decision().name(), "|lower|", "|upper|", "accuracy"], &lines);
        let named = |what: &str| self.decisions().map(|(_, value)| format!("{what} {value}")).collect::<Vec<_>>();
        let header =
            [["object", "decision", "positive"].map(str::to_owned).to_vec(), named("lower"), named("upper")].concat();
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let objects = (0..self.table.n_objects()).map(|object| self.cells(object, |degree| format!("{degree:.4}")));
        let FuzzySettings { similarity, t_norm, implicator } = settings;
        let relation = format!("similarity {similarity}, t-norm {t_norm}, implicator {implicator}");
        let gamma = self.found.gamma();
        let heading = format!("{}, {relation}\n\ngamma  {gamma:.6}", sizes(self.table));
        format!("{heading}\n\n{decisions}\n{}", listing(&header, objects, "objects", all))
    }
}
