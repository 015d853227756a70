//! Concepts beyond the classical ones equal their definitions, spelled out by brute force, on random small tables.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rand::RngExt;
use roughboard::observe::Silent;
use roughboard::random::stream;
use roughboard::rough::{
    ApproximateReduct, Approximations, Candidates, Dynamic, Epsilon, Fraction, Measure, Method, Metric, Notion,
    Precision, Quotient, Relation, Significances, UnderRelation, bireducts, dynamic_reducts,
};
use roughboard::settings::Choices;
use roughboard::table::{AttrSet, Attribute, DecisionTable, Value, Weights};

use crate::small_tables::{self, Around, alike, around, preserves, rows, subsets};

/// A table of up to 14 objects, 1 to 4 attributes of whole numbers or texts with gaps, up to 3 decisions, weights 1 to 4.
fn tables() -> impl Strategy<Value = DecisionTable> {
    let value = |number: i64, text: bool| match (number, text) {
        (4, _) => Value::Missing,
        (number, true) => Value::Text(format!("v{number}")),
        // Unevenly spread, so that some are nearer than others.
        (number, false) => Value::Integer(number * number),
    };
    small_tables::drawn(1..=4, 14, 4, move |n_rows| {
        let column = (any::<bool>(), prop::collection::vec(0..5_i64, n_rows));
        column.prop_map(move |(text, numbers)| numbers.into_iter().map(|number| value(number, text)).collect())
    })
}

fn relations() -> impl Strategy<Value = Relation> {
    let metric = prop::sample::select(vec![Metric::Chebyshev, Metric::Euclidean, Metric::Manhattan]);
    let near =
        (prop::sample::select(vec![0.0_f64, 0.1, 0.3, 0.5, 0.9, 1.0, 1.5]), metric).prop_map(|(radius, metric)| {
            let most = if metric == Metric::Chebyshev { 1.0 } else { f64::INFINITY };
            Relation::neighbourhood(radius.min(most), metric).unwrap()
        });
    prop_oneof![Just(Relation::Indiscernibility), Just(Relation::Tolerance), near]
}

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

fn precisions() -> impl Strategy<Value = Precision> {
    prop::sample::select(vec!["0.51", "0.6", "2/3", "0.75", "0.8", "1"])
        .prop_map(|beta| Precision::new(fraction(beta)).unwrap())
}

/// Objects whose degree of inclusion in a decision passes a test on (meeting, whole).
fn objects(table: &DecisionTable, of: &[Around], decision: u32, test: impl Fn(u64, u64) -> bool) -> Vec<u32> {
    let passes = |&row: &usize| test(of[row].get(&decision).copied().unwrap_or(0), of[row].values().sum());
    rows(table).filter(passes).map(|row| row as u32).collect()
}

fn weight(table: &DecisionTable, rows: &[u32]) -> u64 {
    rows.iter().map(|&row| table.weight(row as usize)).sum()
}

fn minimal(sets: Vec<AttrSet>) -> BTreeSet<AttrSet> {
    let has_smaller = |set: &AttrSet| sets.iter().any(|other| other != set && other.is_subset(set));
    sets.iter().filter(|set| !has_smaller(set)).cloned().collect()
}

/// A measure of approximate reducts, from the definition.
fn measured(table: &DecisionTable, attrs: &AttrSet, measure: Measure) -> u64 {
    let ind = Relation::Indiscernibility;
    let first = |&row: &usize| !(0..row).any(|other| alike(table, ind, attrs, row, other));
    let of_class = |class: Around| match measure {
        Measure::Gamma if class.len() > 1 => 0,
        _ => class.into_values().max().unwrap_or(0),
    };
    rows(table).filter(first).map(|row| of_class(around(table, ind, attrs, row))).sum()
}

/// H(d|attrs) in bits, object by object.
fn entropy(table: &DecisionTable, attrs: &AttrSet) -> f64 {
    let bits = |row: usize| {
        let class = around(table, Relation::Indiscernibility, attrs, row);
        let whole: u64 = class.values().sum();
        table.weight(row) as f64 * (whole as f64 / class[&table.decision().code(row)] as f64).log2()
    };
    rows(table).map(bits).sum::<f64>() / table.total_weight() as f64
}

fn gini(table: &DecisionTable, attrs: &AttrSet) -> f64 {
    let impurity = |row: usize| {
        let class = around(table, Relation::Indiscernibility, attrs, row);
        let whole: u64 = class.values().sum();
        table.weight(row) as f64 * (1.0 - class[&table.decision().code(row)] as f64 / whole as f64)
    };
    rows(table).map(impurity).sum::<f64>() / table.total_weight() as f64
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// Whether `attrs` tells apart all of `objects` that have different decisions.
fn decides(table: &DecisionTable, attrs: &AttrSet, objects: &[u32]) -> bool {
    let pairs = objects.iter().flat_map(|&a| objects.iter().map(move |&b| (a as usize, b as usize)));
    pairs.into_iter().all(|(a, b)| {
        table.decision().code(a) == table.decision().code(b) || !alike(table, Relation::Indiscernibility, attrs, a, b)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn approximations_follow_the_definition(table in tables(), relation in relations(), precision in precisions()) {
        let Fraction { numerator, denominator } = precision.beta();
        for attrs in subsets(&table) {
            let of: Vec<Around> = rows(&table).map(|row| around(&table, relation, &attrs, row)).collect();
            let found = Approximations::by_relation(&table, &attrs, relation, &Silent).unwrap().with_precision(precision);
            let (mut lowers, mut uppers, mut positive) = (0, 0, BTreeSet::new());
            for decision in 0..table.n_decisions() as u32 {
                let lower = objects(&table, &of, decision, |part, whole| part * denominator >= whole * numerator);
                let upper =
                    objects(&table, &of, decision, |part, whole| part * denominator > whole * (denominator - numerator));
                let negative =
                    objects(&table, &of, decision, |part, whole| part * denominator <= whole * (denominator - numerator));
                let boundary: Vec<u32> = upper.iter().copied().filter(|row| !lower.contains(row)).collect();
                let a = found.of_decision(decision);
                prop_assert_eq!((&a.lower, &a.upper, &a.boundary, &a.negative), (&lower, &upper, &boundary, &negative));
                let (inside, meeting) = (weight(&table, &lower), weight(&table, &upper));
                prop_assert_eq!(a.accuracy, Fraction::new(inside, meeting));
                prop_assert_eq!(a.quality, Fraction::new(inside, table.total_weight()));
                (lowers, uppers) = (lowers + inside, uppers + meeting);
                positive.extend(lower);
                for row in rows(&table) {
                    let part = of[row].get(&decision).copied().unwrap_or(0);
                    prop_assert_eq!(found.membership(row, decision), Fraction::new(part, of[row].values().sum()));
                }
            }
            prop_assert_eq!(found.gamma(), Fraction::new(lowers, table.total_weight()));
            prop_assert_eq!(found.accuracy(), Fraction::new(lowers, uppers));
            prop_assert_eq!(found.positive_region(), positive.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn beta_one_and_indiscernibility_are_the_classical_case(table in tables()) {
        for attrs in subsets(&table) {
            let classical = Approximations::of(&table, &attrs);
            let general = Approximations::by_relation(&table, &attrs, Relation::Indiscernibility, &Silent).unwrap();
            let general = general.with_precision(Precision::new(fraction("1.0")).unwrap());
            prop_assert_eq!(general.gamma(), classical.gamma());
            prop_assert_eq!(general.boundary(), classical.boundary());
            for decision in 0..table.n_decisions() as u32 {
                prop_assert_eq!(general.of_decision(decision), classical.of_decision(decision));
            }
        }
    }

    #[test]
    fn reducts_under_a_relation_follow_the_definition(table in tables(), relation in relations()) {
        let all = table.all_attributes();
        let joint = matches!(relation, Relation::Neighbourhood(near) if near.metric() != Metric::Chebyshev);
        for notion in [Notion::Positive, Notion::Generalized, Notion::Information] {
            let preserving: Vec<AttrSet> =
                subsets(&table).into_iter().filter(|attrs| preserves(&table, relation, attrs, notion)).collect();
            let expected = minimal(preserving.clone());
            let core: AttrSet = all.iter().filter(|&attr| expected.iter().all(|set| set.contains(attr))).collect();
            let under = UnderRelation::new(&table, &all, relation, notion, &Silent).unwrap();
            for attrs in subsets(&table) {
                prop_assert_eq!(under.is_superreduct(&attrs), preserving.contains(&attrs), "{:?} {}", &attrs, notion);
            }
            prop_assert_eq!(under.core(&Silent), core.clone());
            prop_assert!(expected.contains(&under.backward_reduct(&Silent)));
            if joint {
                prop_assert!(under.clauses(&Silent).is_err());
                continue;
            }
            let found = UnderRelation::new(&table, &all, relation, notion, &Silent).unwrap().clauses(&Silent).unwrap();
            for attrs in subsets(&table) {
                prop_assert_eq!(found.is_superreduct(&attrs), preserving.contains(&attrs), "{:?} {}", &attrs, notion);
            }
            let reducts = found.all_reducts(usize::MAX);
            prop_assert!(reducts.complete);
            prop_assert_eq!(reducts.found.into_iter().collect::<BTreeSet<_>>(), expected.clone());
            prop_assert!(expected.contains(&found.reduct()));
            prop_assert_eq!(found.core(), core);
        }
        prop_assert!(UnderRelation::new(&table, &all, relation, Notion::Distribution, &Silent).is_err());
    }

    #[test]
    fn significances_follow_the_definition(table in tables()) {
        for attrs in subsets(&table) {
            let gamma = |attrs: &AttrSet| measured(&table, attrs, Measure::Gamma);
            let found = Significances::of(&table, &attrs);
            prop_assert_eq!(found.gamma, Fraction::new(gamma(&attrs), table.total_weight()));
            prop_assert!(same(found.entropy, entropy(&table, &attrs)));
            prop_assert!(same(found.decision_entropy, entropy(&table, &AttrSet::new())));
            prop_assert!(same(found.decision_gini, gini(&table, &AttrSet::new())));
            prop_assert_eq!(found.attributes.iter().map(|s| s.attr).collect::<AttrSet>(), attrs.clone());
            prop_assert!(found.attributes.windows(2).all(|w| w[0].inner.numerator >= w[1].inner.numerator));
            for s in &found.attributes {
                let (without, alone) = (attrs.without(s.attr), [s.attr].into_iter().collect::<AttrSet>());
                let lost = gamma(&attrs) - gamma(&without);
                prop_assert_eq!(s.inner, Fraction::new(lost, table.total_weight()));
                prop_assert_eq!(s.normalised, Fraction::new(lost, gamma(&attrs)));
                prop_assert_eq!(s.in_core, lost > 0);
                prop_assert_eq!(s.outer, Fraction::new(gamma(&alone), table.total_weight()));
                prop_assert!(same(s.entropy_loss, entropy(&table, &without) - entropy(&table, &attrs)));
                prop_assert!(same(s.entropy, entropy(&table, &alone)));
                prop_assert!(same(s.gain, entropy(&table, &AttrSet::new()) - entropy(&table, &alone)));
                prop_assert!(same(s.gini, gini(&table, &alone)));
            }
        }
    }

    #[test]
    fn approximate_reducts_keep_enough_and_are_minimal(
        table in tables(),
        epsilon in prop::sample::select(vec!["0", "0.05", "0.2", "1/3", "0.6", "0.99"]),
    ) {
        let (all, share) = (table.all_attributes(), fraction(epsilon));
        for (measure, method) in [Measure::Gamma, Measure::Majority].into_iter()
            .flat_map(|measure| [(measure, Method::Greedy), (measure, Method::Backward)])
        {
            let whole = measured(&table, &all, measure);
            let enough = |attrs: &AttrSet| {
                measured(&table, attrs, measure) * share.denominator >= whole * (share.denominator - share.numerator)
            };
            let expected = minimal(subsets(&table).into_iter().filter(enough).collect());
            let asked = (Epsilon::new(share).unwrap(), measure);
            let every = ApproximateReduct::all(&table, &all, asked, usize::MAX, &|| false, &Silent);
            prop_assert_eq!((every.found.iter().cloned().collect::<BTreeSet<_>>(), every.complete), (expected.iter().cloned().collect(), true));
            let found = ApproximateReduct::of(&table, &all, Epsilon::new(share).unwrap(), measure, method);
            prop_assert!(expected.contains(&found.attrs), "{:?} {:?} {:?}", measure, method, &found.attrs);
            prop_assert_eq!(found.kept, Fraction::new(measured(&table, &found.attrs, measure), table.total_weight()));
            prop_assert_eq!(found.whole, Fraction::new(whole, table.total_weight()));
            if epsilon == "0" && measure == Measure::Gamma {
                prop_assert!(Quotient::new(&table, &all, Notion::Positive).is_reduct(&found.attrs));
            }
        }
    }

    #[test]
    fn orders_of_attributes_lead_to_reducts(table in tables(), seed in 0..100_u64) {
        for &notion in Notion::ALL {
            let quotient = Quotient::new(&table, &table.all_attributes(), notion);
            let drawn = quotient.permutation_reducts(30, seed, &Silent);
            prop_assert_eq!(drawn.iter().map(|drawn| drawn.times).sum::<usize>(), 30);
            prop_assert!(drawn.windows(2).all(|w| w[0].times >= w[1].times));
            prop_assert!(drawn.iter().all(|drawn| quotient.is_reduct(drawn.found.attrs())));
            let distinct: BTreeSet<_> = drawn.iter().map(|drawn| drawn.found.attrs()).collect();
            prop_assert_eq!(distinct.len(), drawn.len());
        }
    }

    #[test]
    fn bireducts_follow_the_definition(table in tables(), ratio in prop::sample::select(vec![0.1, 1.0, 20.0])) {
        let drawn = bireducts(&table, &table.all_attributes(), 12, ratio, 5, &Silent).unwrap();
        prop_assert_eq!(drawn.iter().map(|drawn| drawn.times).sum::<usize>(), 12);
        for found in drawn.iter().map(|drawn| &drawn.found) {
            prop_assert_eq!(found.weight, weight(&table, &found.objects));
            prop_assert!(decides(&table, &found.attrs, &found.objects));
            prop_assert!(found.attrs.iter().all(|attr| !decides(&table, &found.attrs.without(attr), &found.objects)));
            for other in (0..table.n_objects() as u32).filter(|row| !found.objects.contains(row)) {
                let more = [&found.objects[..], &[other]].concat();
                prop_assert!(!decides(&table, &found.attrs, &more));
            }
        }
    }
}

/// The subtables that the draws of dynamic reducts stand for.
fn subtables(table: &DecisionTable, n: u64, (least, most): (f64, f64), seed: u64) -> Vec<DecisionTable> {
    let draw = |index: u64| {
        let mut rng = stream(seed, "subtables", index);
        let share = rng.random_range(least..=most);
        table.sample((share * table.total_weight() as f64).round() as u64, &mut rng)
    };
    (0..n).map(draw).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn stability_is_the_share_of_subtables_with_the_reduct(table in tables(), seed in 0..100_u64) {
        // Two fifths of a single object are none.
        prop_assume!(table.total_weight() > 1);
        let (all, shares) = (table.all_attributes(), (0.4, 0.8));
        for &notion in Notion::ALL {
            let reducts = |table: &DecisionTable| -> BTreeSet<AttrSet> {
                let all = Quotient::new(table, &all, notion).all_reducts(usize::MAX, &Silent);
                all.found.iter().map(|reduct| reduct.attrs().clone()).collect()
            };
            let of_subtables: Vec<_> = subtables(&table, 6, shares, seed).iter().map(&reducts).collect();
            let (of_table, of_any) = (reducts(&table), of_subtables.iter().flatten().cloned().collect::<BTreeSet<_>>());
            for generalised in [false, true] {
                let mut settings = Dynamic::new(6, shares, Candidates::All(usize::MAX)).unwrap();
                settings.generalised = generalised;
                let found = dynamic_reducts(&table, &all, notion, &settings, seed, &Silent).unwrap();
                let expected = if generalised { &of_table | &of_any } else { of_table.clone() };
                prop_assert_eq!(found.reducts.iter().map(|r| r.attrs.clone()).collect::<BTreeSet<_>>(), expected);
                for reduct in &found.reducts {
                    let times = of_subtables.iter().filter(|of_one| of_one.contains(&reduct.attrs)).count() as u64;
                    prop_assert_eq!(reduct.stability, Fraction::new(times, 6));
                    prop_assert_eq!(reduct.of_table, of_table.contains(&reduct.attrs));
                }
                if generalised {
                    let sampled: Vec<&AttrSet> = of_subtables.iter().flatten().collect();
                    for (attr, share) in found.usage {
                        let using = sampled.iter().filter(|set| set.contains(attr)).count() as u64;
                        prop_assert_eq!(share, Fraction::new(using, sampled.len() as u64));
                    }
                }
            }
        }
    }
}

/// Both attributes are needed of four objects, and never of two.
#[test]
fn no_attribute_is_used_where_no_subtable_has_a_reduct() {
    let rows = [["0", "0", "x"], ["0", "1", "y"], ["1", "0", "y"], ["1", "1", "x"]];
    let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
    let settings = Dynamic::new(8, (0.5, 0.5), Candidates::All(usize::MAX)).unwrap();
    let found = dynamic_reducts(&table, &table.all_attributes(), Notion::Positive, &settings, 1, &Silent).unwrap();
    assert_eq!(found.reducts.iter().map(|reduct| reduct.stability).collect::<Vec<_>>(), [Fraction::new(0, 8)]);
    assert_eq!(found.usage.iter().map(|(_, share)| share.value()).collect::<Vec<_>>(), [0.0, 0.0]);
}

/// The cars of Kryszkiewicz 1998, table 1; `?` is missing.
fn cars() -> DecisionTable {
    let cells = [
        ["high", "high", "full", "low", "good"],
        ["low", "?", "full", "low", "good"],
        ["?", "?", "compact", "low", "poor"],
        ["high", "?", "full", "high", "good"],
        ["?", "?", "full", "high", "excellent"],
        ["low", "high", "full", "?", "good"],
    ];
    let column = |name: &str, at: usize| {
        Attribute::from_values(name, &cells.iter().map(|row| Value::parse(row[at])).collect::<Vec<_>>())
    };
    let names = ["price", "mileage", "size", "speed"];
    let conditions = names.iter().enumerate().map(|(at, name)| column(name, at)).collect();
    DecisionTable::new(conditions, column("d", 4), Weights::Unit).unwrap()
}

#[test]
fn the_incomplete_table_of_kryszkiewicz() {
    let table = cars();
    let all = table.all_attributes();
    let approximations = Approximations::by_relation(&table, &all, Relation::Tolerance, &Silent).unwrap();
    let good = approximations.of_decision(table.decision().code_of(&Value::text("good")).unwrap());
    assert_eq!((good.lower, good.upper), (vec![0, 1], vec![0, 1, 3, 4, 5]));
    assert_eq!(approximations.gamma(), Fraction::new(3, 6));
    let reducts = |notion| {
        let clauses =
            UnderRelation::new(&table, &all, Relation::Tolerance, notion, &Silent).unwrap().clauses(&Silent).unwrap();
        clauses.all_reducts(9).found.iter().map(|attrs| table.names(attrs).join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(reducts(Notion::Generalized), ["size speed"]);
    assert_eq!(reducts(Notion::Information), ["price size speed"]);
}

/// Of x: 9 won, 1 lost; of y: 5 and 5; of z: 2 won, 8 lost.
fn graded() -> DecisionTable {
    let domain = vec![Value::text("x"), Value::text("y"), Value::text("z")];
    let place = Attribute::new("place", domain, roughboard::table::Codes::U8(vec![0, 1, 2])).unwrap();
    let decision = vec![Value::text("lost"), Value::text("won")];
    DecisionTable::from_counts(vec![place], ("d", decision), &[vec![1, 5, 8], vec![9, 5, 2]]).unwrap()
}

#[test]
fn variable_precision_on_a_table_checked_by_hand() {
    let table = graded();
    let at = |beta: &str| {
        let precision = Precision::new(fraction(beta)).unwrap();
        Approximations::of(&table, &table.all_attributes()).with_precision(precision)
    };
    assert_eq!(at("1").gamma(), Fraction::new(0, 30));
    assert_eq!(at("0.9").gamma(), Fraction::new(10, 30));
    assert_eq!(at("0.8").gamma(), Fraction::new(20, 30));
    let won = at("0.8").of_decision(1);
    assert_eq!((won.lower, won.upper, won.negative), (vec![0, 1], vec![0, 1, 2, 3], vec![4, 5]));
    assert_eq!(won.accuracy, Fraction::new(10, 20));
    assert_eq!(at("0.8").accuracy(), Fraction::new(20, 40));
    assert_eq!(at("0.81").of_decision(1).upper, vec![0, 1, 2, 3, 4, 5]);
}

#[test]
fn every_reduct_is_reached_by_some_order() {
    let rows = [["0", "0", "0", "x"], ["1", "1", "0", "y"], ["1", "0", "1", "y"], ["0", "0", "1", "x"]];
    let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
    let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
    let all = quotient.all_reducts(9, &Silent).found;
    let drawn = quotient.permutation_reducts(200, 1, &Silent);
    assert_eq!(drawn.len(), all.len());
}

#[test]
fn a_large_ratio_gives_small_bireducts_and_a_small_one_decides_as_much_as_can_be() {
    let rows: Vec<[String; 3]> =
        (0..40).map(|i: u32| [(i % 5).to_string(), (i / 5).to_string(), (i * i % 3).to_string()]).collect();
    let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
    let of_ratio = |ratio| bireducts(&table, &table.all_attributes(), 20, ratio, 1, &Silent).unwrap();
    assert!(of_ratio(1e9).iter().all(|drawn| drawn.found.attrs.is_empty()));
    assert!(of_ratio(1e-9).iter().all(|drawn| drawn.found.weight == 40 && drawn.found.attrs.len() == 2));
}

#[test]
fn draws_do_not_depend_on_the_number_of_threads() {
    let table = graded();
    let all = table.all_attributes();
    let results = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let quotient = Quotient::new(&table, &all, Notion::Generalized);
            let mut settings = Dynamic::new(9, (0.2, 0.6), Candidates::Permutations(4)).unwrap();
            settings.generalised = true;
            (
                quotient.permutation_reducts(20, 3, &Silent),
                dynamic_reducts(&table, &all, Notion::Generalized, &settings, 3, &Silent).unwrap(),
                bireducts(&table, &all, 20, 2.0, 3, &Silent).unwrap(),
                Significances::of(&table, &all),
            )
        })
    };
    assert_eq!(results(1), results(4));
}

#[test]
fn settings_outside_their_range_are_refused() {
    let table = graded();
    let error = |result: Result<(), roughboard::settings::SettingError>| result.unwrap_err().to_string();
    let radius = error(Relation::neighbourhood(f64::NAN, Metric::Chebyshev).map(|_| ()));
    assert_eq!(radius, "`radius` must be a finite number of at least 0, got NaN");
    let radius = error(Relation::neighbourhood(10.0, Metric::Chebyshev).map(|_| ()));
    assert_eq!(radius, "`radius` must be at most 1, the whole range of an attribute, for `chebyshev`, got 10");
    assert!(Relation::neighbourhood(10.0, Metric::Manhattan).is_ok());
    let ratio = error(bireducts(&table, &table.all_attributes(), 1, 0.0, 1, &Silent).map(|_| ()));
    assert_eq!(ratio, "`ratio` must be a finite number above 0, got 0");
    let shares = error(Dynamic::new(1, (0.9, 0.5), Candidates::All(1)).map(|_| ()));
    assert_eq!(shares, "`shares` must be P,Q with 0 < P ≤ Q ≤ 1, got 0.9,0.5");
    let (all, few) = (table.all_attributes(), Dynamic::new(1, (0.001, 0.002), Candidates::All(1)).unwrap());
    let shares = error(dynamic_reducts(&table, &all, Notion::Positive, &few, 1, &Silent).map(|_| ()));
    let n = table.total_weight();
    assert_eq!(shares, format!("`shares` must be so large that at least one of {n} objects is drawn, got 0.001"));
    let epsilon = error(Epsilon::new(fraction("1")).map(|_| ()));
    assert_eq!(epsilon, "`epsilon` must be in [0, 1), got 1");
}
