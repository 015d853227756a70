//! Discretisation: each fast method equals its definition on random small tables, and on known data.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use roughboard::observe::Silent;
use roughboard::rough::Approximations;
use roughboard::table::discretize::{Cuts, Discretizer};
use roughboard::table::{AttrIdx, Attribute, DecisionTable, Layout, Roles, Value, Weights};
use serde_json::json;
use tempfile::TempDir;

use crate::command::{Run, roughboard};

pub const IRIS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/iris.csv");
/// Entropies that differ by less are equal.
const TIE: f64 = 1e-9;

/// A table of up to 24 objects, 1 to 3 attributes of up to 9 numbers or none, up to 3 decisions, weights 1 to 3.
fn tables() -> impl Strategy<Value = DecisionTable> {
    (1..=3_usize, 1..=24_usize).prop_flat_map(|(n_attributes, n_rows)| {
        let column = prop::collection::vec(prop::option::weighted(0.9, -4..5_i64), n_rows);
        let decision = prop::collection::vec(0..3_i64, n_rows);
        (prop::collection::vec(column, n_attributes), decision, prop::collection::vec(1..=3_u32, n_rows))
            .prop_map(|(columns, decision, weights)| build(&columns, &decision, weights))
    })
}

/// Whole numbers in the attributes of even number, quarters in the others.
fn build(columns: &[Vec<Option<i64>>], decision: &[i64], weights: Vec<u32>) -> DecisionTable {
    let attribute = |(at, numbers): (usize, &Vec<Option<i64>>)| {
        let value = |number: i64| if at % 2 == 0 { Value::Integer(number) } else { Value::Real(number as f64 / 4.0) };
        let values: Vec<Value> = numbers.iter().map(|number| number.map_or(Value::Missing, value)).collect();
        Attribute::from_values(format!("a{at}"), &values)
    };
    let decision = Attribute::from_integers("d", decision.iter().copied());
    DecisionTable::new(columns.iter().enumerate().map(attribute).collect(), decision, Weights::Counts(weights)).unwrap()
}

fn fit(table: &DecisionTable, method: Discretizer) -> Cuts {
    Cuts::fit(table, &table.all_attributes(), method, &Silent).unwrap()
}

fn number(table: &DecisionTable, attr: AttrIdx, row: usize) -> Option<f64> {
    table.attribute(attr).value(row).as_real()
}

/// The numbers of an attribute with the decisions of their objects, each as often as its weight says, ascending.
fn observations(table: &DecisionTable, attr: AttrIdx) -> Vec<(f64, u32)> {
    let of_row = |row: usize| {
        let times = table.weight(row) as usize;
        number(table, attr, row).map(|x| vec![(x, table.decision().code(row)); times]).unwrap_or_default()
    };
    let mut all: Vec<(f64, u32)> = (0..table.n_objects()).flat_map(of_row).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

/// The middles between neighbouring numbers; exact for the small numbers used here.
fn middles(observations: &[(f64, u32)]) -> Vec<f64> {
    observations.windows(2).filter(|pair| pair[0].0 < pair[1].0).map(|pair| (pair[0].0 + pair[1].0) / 2.0).collect()
}

/// The cuts of each attribute that has numbers, each by itself.
fn one_by_one(table: &DecisionTable, cuts: impl Fn(&[(f64, u32)]) -> Vec<f64>) -> BTreeMap<String, Vec<f64>> {
    let each = table.all_attributes().iter().map(|attr| (attr, observations(table, attr))).collect::<Vec<_>>();
    let with_numbers = each.iter().filter(|(_, observations)| !observations.is_empty());
    with_numbers.map(|(attr, all)| (table.attribute(*attr).name().to_owned(), cuts(all))).collect()
}

fn as_map(cuts: &Cuts) -> BTreeMap<String, Vec<f64>> {
    cuts.iter().map(|(name, cuts)| (name.to_owned(), cuts.to_vec())).collect()
}

fn equal_frequency(observations: &[(f64, u32)], bins: usize) -> Vec<f64> {
    let middles = middles(observations);
    let below = |cut: f64| observations.iter().filter(|(x, _)| *x <= cut).count();
    let nearest = |bin: usize| {
        let distance = |cut: &f64| (below(*cut) * bins).abs_diff(bin * observations.len());
        middles.iter().copied().min_by_key(distance)
    };
    let mut cuts: Vec<f64> = (1..bins).filter_map(nearest).collect();
    cuts.dedup();
    cuts
}

fn entropy(observations: &[(f64, u32)]) -> f64 {
    let mut counts = BTreeMap::<u32, f64>::new();
    observations.iter().for_each(|(_, decision)| *counts.entry(*decision).or_insert(0.0) += 1.0);
    -counts.values().map(|count| count / observations.len() as f64).map(|p| p * p.log2()).sum::<f64>()
}

fn n_decisions(observations: &[(f64, u32)]) -> f64 {
    let mut decisions: Vec<u32> = observations.iter().map(|(_, decision)| *decision).collect();
    decisions.sort_unstable();
    decisions.dedup();
    decisions.len() as f64
}

/// The recursion as Fayyad and Irani state it.
fn mdlp(observations: &[(f64, u32)]) -> Vec<f64> {
    let n = observations.len() as f64;
    let sides = |cut: f64| observations.split_at(observations.partition_point(|(x, _)| *x <= cut));
    let of_cut = |cut: f64| {
        let (left, right) = sides(cut);
        (left.len() as f64 * entropy(left) + right.len() as f64 * entropy(right)) / n
    };
    let mut best: Option<(f64, f64)> = None;
    for cut in middles(observations) {
        if best.is_none_or(|(least, _)| of_cut(cut) < least - TIE) {
            best = Some((of_cut(cut), cut));
        }
    }
    let Some((least, cut)) = best else { return Vec::new() };
    let (left, right) = sides(cut);
    let bits = |side: &[(f64, u32)]| n_decisions(side) * entropy(side);
    let delta = (3_f64.powf(n_decisions(observations)) - 2.0).log2() - (bits(observations) - bits(left) - bits(right));
    if entropy(observations) - least <= ((n - 1.0).log2() + delta) / n {
        return Vec::new();
    }
    [mdlp(left), vec![cut], mdlp(right)].concat()
}

/// A pair of objects with different decisions, and its weight.
type Pair = (usize, usize, u64);

/// The pairs of different decisions that lack values of the same attributes.
fn pairs(table: &DecisionTable) -> Vec<Pair> {
    let has = |attr: AttrIdx, row: usize| number(table, attr, row).is_some();
    let alike = |a: usize, b: usize| table.all_attributes().iter().all(|attr| has(attr, a) == has(attr, b));
    let differ = |a: usize, b: usize| table.decision().code(a) != table.decision().code(b);
    let n = table.n_objects();
    let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    all.filter(|&(a, b)| differ(a, b) && alike(a, b)).map(|(a, b)| (a, b, table.weight(a) * table.weight(b))).collect()
}

/// The MD heuristic on a list of pairs.
fn maximal_discernibility(table: &DecisionTable) -> BTreeMap<String, Vec<f64>> {
    let attrs: Vec<AttrIdx> = table.all_attributes().iter().collect();
    let cuts_of = |&attr: &AttrIdx| middles(&observations(table, attr)).into_iter().map(move |cut| (attr, cut));
    let candidates: Vec<(AttrIdx, f64)> = attrs.iter().flat_map(cuts_of).collect();
    let discerns = |&(attr, cut): &(AttrIdx, f64), &(a, b, _): &Pair| {
        let sides = [a, b].map(|row| number(table, attr, row).map(|x| x <= cut));
        sides[0].is_some() && sides[0] != sides[1]
    };
    let (mut left, mut chosen) = (pairs(table), one_by_one(table, |_| Vec::new()));
    loop {
        let count =
            |cut: &(AttrIdx, f64)| left.iter().filter(|pair| discerns(cut, pair)).map(|pair| pair.2).sum::<u64>();
        let most = candidates.iter().map(count).max().unwrap_or(0);
        let Some(best) = candidates.iter().find(|&cut| most > 0 && count(cut) == most) else { break };
        left.retain(|pair| !discerns(best, pair));
        chosen.get_mut(table.attribute(best.0).name()).unwrap().push(best.1);
    }
    chosen.values_mut().for_each(|cuts| cuts.sort_by(f64::total_cmp));
    chosen
}

/// Whether two objects differ in a condition.
fn discerned(table: &DecisionTable, a: usize, b: usize) -> bool {
    table.attributes().iter().any(|attribute| attribute.code(a) != attribute.code(b))
}

const METHODS: [Discretizer; 4] = [
    Discretizer::EqualWidth { bins: 3 },
    Discretizer::EqualFrequency { bins: 3 },
    Discretizer::Mdlp,
    Discretizer::MaximalDiscernibility,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn equal_width_follows_the_definition(table in tables(), bins in 0..7_u16) {
        let expected = one_by_one(&table, |all| {
            let (low, high) = (all[0].0, all[all.len() - 1].0);
            let cut = |bin: u16| low + (high - low) * f64::from(bin) / f64::from(bins);
            if low < high { (1..bins).map(cut).collect() } else { Vec::new() }
        });
        let found = as_map(&fit(&table, Discretizer::EqualWidth { bins }));
        prop_assert!(found.keys().eq(expected.keys()));
        for (found, expected) in found.values().zip(expected.values()) {
            prop_assert_eq!(found.len(), expected.len());
            prop_assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8), "{:?} {:?}", found, expected);
        }
    }

    #[test]
    fn equal_frequency_follows_the_definition(table in tables(), bins in 0..7_u16) {
        let expected = one_by_one(&table, |all| equal_frequency(all, usize::from(bins)));
        prop_assert_eq!(as_map(&fit(&table, Discretizer::EqualFrequency { bins })), expected);
    }

    #[test]
    fn mdlp_follows_the_definition(table in tables()) {
        prop_assert_eq!(as_map(&fit(&table, Discretizer::Mdlp)), one_by_one(&table, mdlp));
    }

    #[test]
    fn maximal_discernibility_counts_pairs(table in tables()) {
        prop_assert_eq!(as_map(&fit(&table, Discretizer::MaximalDiscernibility)), maximal_discernibility(&table));
    }

    #[test]
    fn maximal_discernibility_loses_no_pair_of_different_decisions(table in tables()) {
        let cut = fit(&table, Discretizer::MaximalDiscernibility).apply(&table).unwrap();
        for a in 0..table.n_objects() {
            for b in (0..a).filter(|&b| table.decision().code(a) != table.decision().code(b)) {
                prop_assert_eq!(discerned(&table, a, b), discerned(&cut, a, b));
            }
        }
        let gamma = |table: &DecisionTable| Approximations::of(table, &table.all_attributes()).gamma();
        prop_assert_eq!(gamma(&cut), gamma(&table));
    }

    #[test]
    fn an_object_of_weight_w_is_w_objects(table in tables()) {
        let rows: Vec<u32> = (0..table.n_objects()).flat_map(|row| vec![row as u32; table.weight(row) as usize]).collect();
        let conditions = table.attributes().iter().map(|a| a.select(&rows)).collect();
        let apart = DecisionTable::new(conditions, table.decision().select(&rows), Weights::Unit).unwrap();
        for method in METHODS {
            prop_assert_eq!(fit(&table, method), fit(&apart, method), "{:?}", method);
        }
    }

    #[test]
    fn every_number_lies_in_its_interval(table in tables()) {
        for method in METHODS {
            let cuts = fit(&table, method);
            let cut = cuts.apply(&table).unwrap();
            for (before, after) in table.attributes().iter().zip(cut.attributes()) {
                for row in 0..table.n_objects() {
                    match (before.value(row).as_real(), after.value(row)) {
                        (Some(x), Value::Interval(interval)) => prop_assert!(interval.contains(x)),
                        (None, Value::Missing) => {}
                        (before, after) => prop_assert!(false, "{:?} became {}", before, after),
                    }
                }
                let n_cuts = cuts.of(before.name()).map_or(0, <[f64]>::len);
                prop_assert!(after.domain().iter().filter(|value| **value != Value::Missing).count() <= n_cuts + 1);
            }
            prop_assert_eq!(&Cuts::from_json(&cuts.to_json()).unwrap(), &cuts);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn intervals_survive_files(table in tables()) {
        let folder = TempDir::new().unwrap();
        let roles = Roles { weight: Some("weight".into()), ..Roles::decided_by("d") };
        for (method, name) in METHODS.into_iter().zip(["t.csv", "t.parquet", "t.tsv", "t.csv"]) {
            let cut = fit(&table, method).apply(&table).unwrap();
            cut.write(&folder.path().join(name), Layout::Objects).unwrap();
            prop_assert_eq!(DecisionTable::read(&folder.path().join(name), &roles).unwrap(), cut);
        }
    }
}

#[test]
fn maximal_discernibility_by_hand() {
    // Seven objects, two attributes, twelve pairs. Of the cuts a 0.9 1.15 1.35 1.5 and b 0.75 1.5 2.5 these discern
    // 3 5 6 3 and 4 6 5: a 1.35 is first. Of the six pairs left, b 1.5 and b 2.5 discern three each; then a 1.15 and
    // b 2.5 two each; the last pair needs a 1.5 or b 2.5.
    let a = [0.8, 1.0, 1.3, 1.4, 1.4, 1.6, 1.3].map(Value::Real);
    let b = [2.0, 0.5, 3.0, 1.0, 2.0, 3.0, 1.0].map(Value::Real);
    let decision = [1, 0, 0, 1, 0, 1, 1].map(Value::Integer);
    let conditions = vec![Attribute::from_values("a", &a), Attribute::from_values("b", &b)];
    let table = DecisionTable::new(conditions, Attribute::from_values("d", &decision), Weights::Unit).unwrap();
    let cuts = fit(&table, Discretizer::MaximalDiscernibility);
    assert_eq!(cuts.of("a"), Some(&[1.15, 1.35, 1.5][..]));
    assert_eq!(cuts.of("b"), Some(&[1.5][..]));
}

/// Whether cuts are the expected ones but for their last digits, in which middles of decimal fractions are not exact.
fn same_cuts(found: &Cuts, expected: &BTreeMap<String, Vec<f64>>) -> bool {
    let close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    found.iter().map(|(name, _)| name).eq(expected.keys())
        && found.iter().all(|(name, cuts)| close(cuts, &expected[name]))
}

#[test]
fn irises_are_cut_as_the_definitions_say() {
    let table = DecisionTable::read(Path::new(IRIS), &Roles::decided_by("species")).unwrap();
    let by_entropy = fit(&table, Discretizer::Mdlp);
    assert!(same_cuts(&by_entropy, &one_by_one(&table, mdlp)), "{by_entropy:?}");
    let expected = [
        ("petal_length", [2.45, 4.75]),
        ("petal_width", [0.8, 1.75]),
        ("sepal_length", [5.55, 6.15]),
        ("sepal_width", [2.95, 3.35]),
    ];
    assert_eq!(as_map(&by_entropy), expected.map(|(name, cuts)| (name.to_owned(), cuts.to_vec())).into());
    let by_pairs = fit(&table, Discretizer::MaximalDiscernibility);
    assert!(same_cuts(&by_pairs, &maximal_discernibility(&table)), "{by_pairs:?}");
    let frequent = fit(&table, Discretizer::EqualFrequency { bins: 4 });
    assert!(same_cuts(&frequent, &one_by_one(&table, |all| equal_frequency(all, 4))), "{frequent:?}");
}

#[test]
fn symbols_pass_through_and_cuts_do_not_depend_on_them() {
    let symbol = Attribute::from_values("s", &["x", "y", "x", "y"].map(Value::text));
    let numbers = Attribute::from_integers("n", [1, 2, 3, 4]);
    let decision = Attribute::from_integers("d", [0, 1, 0, 1]);
    let table = DecisionTable::new(vec![symbol.clone(), numbers], decision, Weights::Unit).unwrap();
    let cuts = fit(&table, Discretizer::MaximalDiscernibility);
    assert_eq!((cuts.of("s"), cuts.of("n")), (None, Some(&[1.5, 2.5, 3.5][..])));
    assert_eq!(cuts.apply(&table).unwrap().attributes()[0], symbol);
}

/// `rough discretize TABLE --decision species OPTIONS…`.
fn discretize(table: &str, options: &[&str]) -> Run {
    roughboard(&[&["rough", "discretize", table, "--decision", "species"], options].concat())
}

fn inside(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn cuts_are_printed_saved_and_applied_again() {
    let folder = TempDir::new().unwrap();
    let [cuts, first, again] = ["cuts.json", "first.parquet", "again.csv"].map(|name| inside(&folder, name));
    let text = discretize(IRIS, &["--method", "mdlp"]).ended(0).stdout;
    assert!(text.starts_with("8 cuts of 4 attributes\n"), "{text}");
    assert!(text.contains("petal_length  2     2.45 4.75\n"), "{text}");
    let printed = discretize(IRIS, &["--method", "mdlp", "--json"]).ended(0);
    assert_eq!(printed.json()["petal_length"], json!([2.45, 4.75]));
    let run = discretize(IRIS, &["--method", "mdlp", "--save-cuts", &cuts, "--out", &first]).ended(0);
    assert!(run.stdout.contains("4 of them cut at 8 points") && run.stdout.contains("gamma 126/150"), "{}", run.stdout);
    assert_eq!(std::fs::read_to_string(&cuts).unwrap(), printed.stdout);
    let report = discretize(IRIS, &["--cuts", &cuts, "--out", &again, "--json"]).ended(0).json();
    assert_eq!((&report["n_cuts"], &report["gamma_fraction"]), (&json!(8), &json!([126, 150])));
    let read = |path: &str| DecisionTable::read(Path::new(path), &Roles::decided_by("species")).unwrap();
    assert_eq!(read(&first), read(&again));
    let values: Vec<String> = read(&first).attributes()[2].domain().iter().map(ToString::to_string).collect();
    assert_eq!(values, ["<= 2.45", "(2.45, 4.75]", "> 4.75"]);
    let rules = roughboard(&["rough", "rules", &first, "--decision", "species", "--from", "minimal"]).ended(0).stdout;
    assert!(rules.contains("IF petal_length <= 2.45 THEN species = setosa (50 of 50"), "{rules}");
}

#[test]
fn every_method_runs_on_irises() {
    for (options, n_cuts) in [
        (&["--method", "width", "--bins", "5"][..], 16),
        (&["--method", "frequency", "--bins", "5"], 16),
        (&["--method", "mdlp"], 8),
        (&["--method", "md"], 7),
        (&["--method", "md", "--only", "petal_length,petal_width"], 0),
    ] {
        let cuts = Cuts::from_json(&discretize(IRIS, &[options, &["--json"]].concat()).ended(0).stdout).unwrap();
        assert!(n_cuts == 0 || cuts.n_cuts() == n_cuts, "{options:?}: {}", cuts.n_cuts());
    }
}

#[test]
fn infinite_numbers_have_no_equal_widths() {
    let folder = TempDir::new().unwrap();
    let table = inside(&folder, "inf.csv");
    let rows: String = (0..20).map(|i| format!("{i},{}\n", ["p", "q"][i / 10])).collect();
    std::fs::write(&table, format!("inc,species\nInf,q\n{rows}-inf,p\n")).unwrap();
    let refusal = "attribute `inc` is infinite in rows 1, 22, expected finite numbers for intervals of equal width; \
        the method frequency takes infinite ones, and --na inf,-inf reads them as missing values";
    let width = ["--method", "width", "--bins", "4"];
    let error = discretize(&table, &width).refusal();
    assert!(error.contains(refusal), "{error}");
    let classify = ["rough", "classify", &table, "--decision", "species", "--discretize", "width", "--bins", "4"];
    let error = roughboard(&classify).refusal();
    assert!(error.contains(refusal), "{error}");
    let cuts = discretize(&table, &[&width[..], &["--na", "inf,-inf", "--json"]].concat()).ended(0).json();
    assert_eq!(cuts["inc"], json!([4.75, 9.5, 14.25]));
    let cuts = discretize(&table, &["--method", "frequency", "--bins", "2", "--json"]).ended(0).json();
    assert_eq!(cuts["inc"], json!([9.5]));
}

#[test]
fn constants_can_be_left_out() {
    let folder = TempDir::new().unwrap();
    let [table, out] = ["golf.csv", "out.csv"].map(|name| inside(&folder, name));
    std::fs::write(&table, "outlook,temperature,humidity,species\nsunny,1,5,no\nsunny,1,6,no\nrainy,1,?,yes\n")
        .unwrap();
    discretize(&table, &["--method", "mdlp", "--out", &out]).ended(0);
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().nth(1), Some("sunny,\"(-inf, inf)\",\"(-inf, inf)\",no"));
    discretize(&table, &["--method", "mdlp", "--out", &out, "--force", "--drop-constant"]).ended(0);
    // Whether a number is there at all still tells objects apart.
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().next(), Some("outlook,humidity,species"));
    discretize(&table, &["--method", "mdlp", "--only", "temperature", "--out", &out, "--force"]).ended(0);
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().nth(1), Some("sunny,\"(-inf, inf)\",5,no"));
}

#[test]
fn discretize_refuses_what_it_cannot_do() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        std::fs::write(inside(&folder, name), text).unwrap();
        inside(&folder, name)
    };
    let table = write("t.csv", "a,s,species\n1,x,0\n2,y,1\n");
    let words = write("w.csv", "s,species\nx,0\ny,1\n");
    let constant = write("c.csv", "a,species\n1,0\n2,0\n");
    let folder_path = folder.path().to_str().unwrap();
    let cases: &[(&str, &[&str], &str)] = &[
        (
            &table,
            &["--method", "md", "--bins", "3"],
            "`--bins` has no effect with `--method md`: leave it out, or use `--method width`",
        ),
        (&table, &["--method", "md", "--only", "s"], "attribute `s` has values of kind text"),
        (&table, &["--method", "md", "--only", "b"], "no attribute column `b`"),
        (&words, &["--method", "md"], "no attribute has numbers to cut; the attributes are s"),
        (&constant, &["--method", "mdlp"], "the decision `species` is `0` for every object"),
        (&table, &["--method", "md", "--out", folder_path], "cannot write"),
        (&table, &["--method", "md", "--out", &inside(&folder, "out.txt")], "expected a name ending in .csv"),
        (&table, &["--cuts", "nowhere.json"], "cannot use `nowhere.json` as cut points: cannot read it"),
    ];
    for (table, options, reason) in cases {
        let error = discretize(table, options).refusal();
        assert!(error.contains(reason), "expected `{reason}`: {error}");
    }
    for (cuts, reason) in [
        ("{\"b\": [1]}", "no attribute column `b`"),
        ("{\"s\": [1]}", "attribute `s` has values of kind text, expected numbers to cut"),
        ("{\"a\": [2, 1]}", "the cut points of `a` must be finite and ascend, found 1 after 2"),
        ("{\"a\": [1, \"x\"]}", "not readable as JSON"),
        ("{\"a\": [1], \"a\": [2]}", "attribute `a` is listed twice"),
        ("", "not readable as JSON"),
    ] {
        let path = write("cuts.json", cuts);
        let error = discretize(&table, &["--cuts", &path]).refusal();
        assert!(error.contains(reason) && error.contains("cuts.json` as cut points"), "expected `{reason}`: {error}");
    }
    let cuts = discretize(&constant, &["--method", "width", "--json"]).ended(0).json();
    assert_eq!(cuts, json!({ "a": [1.2, 1.4, 1.6, 1.8] }));
    discretize(&table, &["--method", "md", "--cuts", "c.json"]).ended(2);
    discretize(&table, &[]).ended(2);
    discretize(&table, &["--method", "width", "--bins", "1"]).ended(2);
    discretize(&table, &["--method", "md", "--drop-constant"]).ended(2);
}

/// What `rough discretize` does with a table whose decision is not named.
fn undecided(table: &str, options: &[&str]) -> Run {
    roughboard(&[&["rough", "discretize", table], options].concat())
}

#[test]
fn new_rows_are_cut_without_a_decision() {
    let folder = TempDir::new().unwrap();
    let [cuts, cut, new, new_cut] =
        ["cuts.json", "cut.csv", "new.csv", "new-cut.csv"].map(|name| inside(&folder, name));
    discretize(IRIS, &["--method", "mdlp", "--save-cuts", &cuts, "--out", &cut]).ended(0);
    // The rows of the irises with a name and without species.
    let without = |line: &str, first: String| format!("{first},{}\n", line.rsplit_once(',').unwrap().0);
    let rows = |path: &str| std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
    let named =
        |(at, line): (usize, &String)| without(line, if at == 0 { "name".to_owned() } else { format!("n{at}") });
    let irises = rows(IRIS);
    std::fs::write(&new, irises.iter().enumerate().map(named).collect::<String>()).unwrap();
    let text = undecided(&new, &["--cuts", &cuts, "--out", &new_cut]).ended(0).stdout;
    assert_eq!(text, format!("150 rows, 5 attributes, 4 of them cut at 8 points: {new_cut}\n"));
    let expected: String = rows(&cut).iter().enumerate().map(named).collect();
    assert_eq!(std::fs::read_to_string(&new_cut).unwrap(), expected);
    let json = undecided(&new, &["--cuts", &cuts, "--out", &new_cut, "--force", "--json"]).ended(0).json();
    assert_eq!((&json["rows"], &json["n_cuts"]), (&json!(150), &json!(8)));
    let error = undecided(&new, &["--cuts", &cuts, "--out", &new_cut, "--force", "--drop-constant"]).ended(2).stderr;
    assert!(error.contains("not provided") && error.contains("--decision <COLUMN>"), "{error}");
    for (option, value) in [("--weight", "name"), ("--missing", "drop")] {
        let error = undecided(&new, &["--cuts", &cuts, option, value]).refusal();
        assert!(error.contains(&format!("`{option}` has no effect with `--cuts` and without `--decision`")), "{error}");
    }
    let lacking = inside(&folder, "lacking.csv");
    std::fs::write(&lacking, "petal_width\n1.5\n").unwrap();
    let error = undecided(&lacking, &["--cuts", &cuts]).refusal();
    assert!(error.contains("lacking.csv") && error.contains("no attribute column `petal_length`"), "{error}");
}

#[test]
fn methods_that_ask_for_no_decision_need_none() {
    let folder = TempDir::new().unwrap();
    let table = inside(&folder, "weighed.csv");
    std::fs::write(&table, "x,n\n1,1\n2,1\n3,6\n4,1\n").unwrap();
    let frequency = ["--method", "frequency", "--bins", "2", "--json"];
    assert_eq!(undecided(&table, &frequency).ended(0).json()["x"], json!([2.5]));
    // By weight most objects are at 3, and the column of weights is none to cut.
    let weighed = undecided(&table, &[&frequency[..], &["--weight", "n"]].concat()).ended(0).json();
    assert_eq!(weighed, json!({ "x": [2.5] }));
    let out = inside(&folder, "cut.csv");
    undecided(&table, &["--method", "width", "--bins", "3", "--weight", "n", "--out", &out]).ended(0);
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().nth(1), Some("<= 2,1"));
    let error = undecided(&table, &["--method", "mdlp"]).refusal();
    assert!(error.contains("`--method mdlp` asks for the decision of each object: name its column with"), "{error}");
}
