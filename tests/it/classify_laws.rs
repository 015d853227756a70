//! Classifiers against their definitions, spelled out by brute force, on random small tables.

use std::collections::BTreeMap;

use proptest::prelude::*;
use roughboard::classify::{
    CrossValidation, Learner, Logistic, Majority, Model, NearestNeighbours, Reduced, RuleLearner, Tree, cross_validate,
    hold_out, stratified_folds,
};
use roughboard::observe::Silent;
use roughboard::rough::{
    Approximations, Basis, Condition, Covering, Method, Notion, Prediction, ReductRules, Rule, RuleClassifier,
    RuleSource, Unmatched, Vote, Voting,
};
use roughboard::settings::Choices;
use roughboard::table::{Attribute, DecisionTable, Value, Weights};

use crate::small_tables;

/// A table of 1 to 24 objects, `n_attributes` attributes with values from 0 to 3, decisions from 0 to 2, weights 1 to 3.
fn tables_of(n_attributes: usize) -> impl Strategy<Value = DecisionTable> {
    small_tables::drawn(n_attributes..=n_attributes, 24, 3, |n_rows| {
        prop::collection::vec((0..4_i64).prop_map(Value::Integer), n_rows)
    })
}

fn tables() -> impl Strategy<Value = DecisionTable> {
    (1..=4_usize).prop_flat_map(tables_of)
}

/// Two tables with the same attributes, whose domains may differ.
fn pairs() -> impl Strategy<Value = (DecisionTable, DecisionTable)> {
    (1..=4_usize).prop_flat_map(|n| (tables_of(n), tables_of(n)))
}

/// The table made anew from the values of its objects, so that its domains hold what occurs and nothing else.
fn compacted(table: &DecisionTable) -> DecisionTable {
    let again = |column: &Attribute| {
        let values: Vec<Value> = (0..column.len()).map(|row| column.value(row).clone()).collect();
        Attribute::from_values(column.name(), &values)
    };
    let conditions = table.attributes().iter().map(again).collect();
    DecisionTable::new(conditions, again(table.decision()), table.weights().clone()).unwrap()
}

fn sources() -> [RuleSource; 5] {
    [
        RuleSource::default(),
        RuleSource::Reduct(ReductRules { count: 3, method: Method::Backward, ..ReductRules::default() }),
        RuleSource::Lem2,
        RuleSource::Minimal { per_class: 3 },
        RuleSource::Inclusion(Covering { n_rules: 6, max_len: 2, min_support: 1 }),
    ]
}

/// How many conditions of `rule` the row meets, value by value.
fn met(rule: &Rule, train: &DecisionTable, test: &DecisionTable, row: usize) -> usize {
    let meets = |condition: &&Condition| {
        let code = condition.code().unwrap() as usize;
        train.attribute(condition.attr).domain()[code] == *test.attribute(condition.attr).value(row)
    };
    rule.conditions.iter().filter(meets).count()
}

/// The prediction by the definition of voting.
fn predicted(rules: &[Rule], train: &DecisionTable, voting: Voting, test: &DecisionTable, row: usize) -> Prediction {
    let share = |rule: &Rule| {
        if rule.conditions.is_empty() { 1.0 } else { met(rule, train, test, row) as f64 / rule.conditions.len() as f64 }
    };
    let largest = rules.iter().map(share).fold(0.0, f64::max);
    let nearest: Vec<&Rule> = rules.iter().filter(|rule| share(rule) == largest && largest > 0.0).collect();
    let mut votes = vec![0.0; train.n_decisions()];
    let mut spoke: Vec<(&Rule, f64)> = Vec::new();
    let basis = match (largest, voting.unmatched) {
        (1.0, _) => Basis::Matching(nearest.len()),
        (l, Unmatched::Nearest) if l > 0.0 => Basis::Nearest(nearest.len()),
        _ => Basis::Majority,
    };
    if basis != Basis::Majority {
        let best = nearest.iter().rev().max_by(|a, b| {
            let by_confidence = (a.support * b.matching).cmp(&(b.support * a.matching));
            by_confidence.then(a.support.cmp(&b.support))
        });
        let voters = if voting.vote == Vote::Best { vec![*best.unwrap()] } else { nearest };
        for rule in voters {
            votes[rule.decision as usize] += largest * voting.vote.weight(rule);
            spoke.push((rule, voting.vote.weight(rule)));
        }
    }
    let decision = elected(&votes, train);
    spoke.retain(|(rule, _)| rule.decision == decision);
    let most = spoke.iter().map(|(_, weight)| *weight).fold(f64::NEG_INFINITY, f64::max);
    let heaviest = spoke.iter().find(|(_, weight)| *weight == most);
    let place = |&(rule, _): &(&Rule, f64)| rules.iter().position(|other| std::ptr::eq(other, rule)).unwrap();
    Prediction { decision, votes: votes.into(), basis, rule: heaviest.map(place) }
}

fn elected(votes: &[f64], train: &DecisionTable) -> u32 {
    // Sums that differ by rounding alone are equal.
    let most = votes.iter().copied().fold(0.0, f64::max);
    let priors = train.decision_weights();
    let mut best = None;
    for code in (0..votes.len()).filter(|&code| votes[code] >= most * (1.0 - 1e-12)) {
        if best.is_none_or(|best: usize| priors[code] > priors[best]) {
            best = Some(code);
        }
    }
    best.unwrap_or(0) as u32
}

/// Forecast values by a fitted model, not codes.
fn forecasts(learner: &dyn Learner, train: &DecisionTable, test: &DecisionTable) -> Vec<Value> {
    let model: Box<dyn Model> = learner.fit(train).unwrap();
    let values = model.predict(test.attributes()).unwrap();
    values.iter().map(|forecast| train.decision().domain()[forecast.decision as usize].clone()).collect()
}

fn learners() -> Vec<Box<dyn Learner>> {
    let mut all: Vec<Box<dyn Learner>> = vec![
        Box::new(Tree),
        Box::new(Majority),
        Box::new(NearestNeighbours { k: 1, ..NearestNeighbours::default() }),
        Box::new(Reduced { notion: Notion::Positive, method: Method::Greedy, learner: Tree }),
    ];
    for source in sources() {
        all.push(Box::new(RuleLearner { source, voting: Voting::default() }));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn votes_are_counted_as_defined((train, test) in pairs()) {
        for (source, vote) in sources().into_iter().flat_map(|source| Vote::ALL.iter().map(move |&vote| (source, vote))) {
            let rules = source.rules(&train, &Silent).unwrap().rules;
            for unmatched in [Unmatched::Majority, Unmatched::Nearest] {
                let voting = Voting { vote, unmatched };
                let classifier = RuleClassifier::new(&train, rules.clone(), voting);
                let predictions = classifier.predict(test.attributes()).unwrap();
                for (row, prediction) in predictions.iter().enumerate() {
                    prop_assert_eq!(prediction, &predicted(&rules, &train, voting, &test, row));
                }
            }
        }
    }

    #[test]
    fn certain_rules_are_right_about_the_positive_region(table in tables()) {
        let positive = Approximations::of(&table, &table.all_attributes()).positive_region();
        for source in &sources()[..3] {
            let rules = source.rules(&table, &Silent).unwrap().rules;
            let classifier = RuleClassifier::new(&table, rules, Voting::default());
            let predictions = classifier.predict(table.attributes()).unwrap();
            for &row in &positive {
                prop_assert_eq!(predictions[row as usize].decision, table.decision().code(row as usize));
                prop_assert!(matches!(predictions[row as usize].basis, Basis::Matching(_)));
            }
        }
    }

    #[test]
    fn a_tree_learns_the_majority_of_each_class_by_heart(table in tables()) {
        let approximations = Approximations::of(&table, &table.all_attributes());
        let model = Tree.fit(&table).unwrap().predict(table.attributes()).unwrap();
        for (row, forecast) in model.iter().enumerate() {
            let class = approximations.partition().class_of(row);
            let mut votes = vec![0.0; table.n_decisions()];
            for &(decision, weight) in approximations.distribution().of_class(class) {
                votes[decision as usize] = weight as f64;
            }
            prop_assert_eq!(forecast.decision, elected(&votes, &table));
        }
    }

    #[test]
    fn neighbours_are_the_nearest_by_definition((train, test) in pairs(), k in 1..9_u64) {
        let k = k.min(train.total_weight());
        let model = NearestNeighbours { k, as_values: true }.fit(&train).unwrap();
        for (row, forecast) in model.predict(test.attributes()).unwrap().iter().enumerate() {
            let distance = |object: usize| {
                let pairs = train.attributes().iter().zip(test.attributes());
                pairs.filter(|(ours, theirs)| ours.value(object) != theirs.value(row)).count()
            };
            let mut by_distance: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            (0..train.n_objects()).for_each(|object| by_distance.entry(distance(object)).or_default().push(object));
            let mut votes = vec![0.0; train.n_decisions()];
            for objects in by_distance.values() {
                if votes.iter().sum::<f64>() < k as f64 {
                    for &object in objects {
                        votes[train.decision().code(object) as usize] += train.weight(object) as f64;
                    }
                }
            }
            prop_assert_eq!(&forecast.votes.to_vec(), &votes);
            prop_assert_eq!(forecast.decision, elected(&votes, &train));
        }
    }

    #[test]
    fn folds_are_a_stratified_partition_of_the_observations(table in tables(), n_folds in 2..6_usize, seed in 0..9_u64) {
        prop_assume!(table.total_weight() >= n_folds as u64);
        let folds = stratified_folds(&table, n_folds, seed, 0).unwrap();
        let mut sums = vec![0_u64; table.n_objects()];
        let (mut sizes, mut of_decisions) = (Vec::new(), vec![Vec::new(); table.n_decisions()]);
        for fold in &folds {
            let tested = table.reweighted(&fold.test_weights(&table)).unwrap();
            sizes.push(tested.total_weight());
            prop_assert_eq!(tested.total_weight() + fold.training_weights(&table).iter().map(|&w| u64::from(w)).sum::<u64>(),
                table.total_weight());
            fold.test.iter().for_each(|&(row, weight)| sums[row as usize] += u64::from(weight));
            tested.decision_weights().into_iter().zip(&mut of_decisions).for_each(|(weight, of)| of.push(weight));
        }
        prop_assert_eq!(sums, (0..table.n_objects()).map(|row| table.weight(row)).collect::<Vec<_>>());
        for spread in of_decisions.iter().chain([&sizes]) {
            prop_assert!(spread.iter().max().unwrap() - spread.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn neither_the_order_of_rows_nor_merging_changes_the_result(table in tables(), seed in 0..9_u64) {
        prop_assume!(table.total_weight() >= 3);
        let rows: Vec<usize> = (0..table.n_objects()).flat_map(|row| vec![row; table.weight(row) as usize]).rev().collect();
        let column = |column: &Attribute| rows.iter().map(|&row| column.value(row).clone()).collect::<Vec<_>>();
        let columns: Vec<Vec<Value>> = table.attributes().iter().map(column).collect();
        let unrolled = small_tables::table(&columns, &column(table.decision()), Weights::Unit);
        let plan = CrossValidation { folds: 3, repeats: 2, seed };
        let learners = learners();
        let learners: Vec<&dyn Learner> = learners.iter().map(AsRef::as_ref).collect();
        let confusions = |table: &DecisionTable| -> Vec<_> {
            let comparison = cross_validate(table, &learners, &plan, false, &Silent).unwrap();
            let of = |outcome: &roughboard::classify::LearnerResults| outcome.folds.iter().map(|f| f.confusion.clone()).collect();
            comparison.outcomes.iter().map(of).collect::<Vec<Vec<_>>>()
        };
        let expected = confusions(&table);
        for other in [&unrolled, &table.merged().unwrap()] {
            for ((ours, theirs), learner) in expected.iter().zip(confusions(other)).zip(&learners) {
                prop_assert_eq!(ours, &theirs, "{}", learner.name());
            }
        }
    }

    #[test]
    fn nothing_but_the_training_objects_of_a_fold_is_learned_from(table in tables(), seed in 0..9_u64) {
        prop_assume!(table.total_weight() >= 3);
        let plan = CrossValidation { folds: 3, repeats: 1, seed };
        let folds = stratified_folds(&table, 3, seed, 0).unwrap();
        for learner in learners() {
            let whole = cross_validate(&table, &[learner.as_ref()], &plan, true, &Silent).unwrap();
            let mut found = Vec::new();
            for fold in &folds {
                let train = compacted(&table.reweighted(&fold.training_weights(&table)).unwrap());
                let test = table.reweighted(&fold.test_weights(&table)).unwrap();
                found.extend(forecasts(learner.as_ref(), &train, &compacted(&test)));
            }
            let expected: Vec<Value> = whole.outcomes[0].judged.iter()
                .map(|judged| whole.classes[judged.forecast.decision as usize].clone()).collect();
            prop_assert_eq!(found, expected, "{}", learner.name());
        }
    }

    #[test]
    fn a_confusion_table_counts_each_forecast((train, test) in pairs()) {
        let comparison = hold_out(&train, &test, &[&Tree], true, &Silent).unwrap();
        let confusion = comparison.outcomes[0].confusion();
        let counts = confusion.counts();
        let forecasts = forecasts(&Tree, &train, &test);
        for (true_at, truth) in comparison.classes.iter().enumerate() {
            for (predicted_at, predicted) in comparison.classes.iter().enumerate() {
                let counted: u64 = (0..test.n_objects())
                    .filter(|&row| test.decision().value(row) == truth && &forecasts[row] == predicted)
                    .map(|row| test.weight(row)).sum();
                prop_assert_eq!(counts[true_at][predicted_at], counted);
            }
        }
        prop_assert_eq!(confusion.total(), test.total_weight());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn regression_gives_probabilities_for_all_tables((train, test) in pairs()) {
        for forecast in Logistic::default().fit(&train).unwrap().predict(test.attributes()).unwrap() {
            let sum: f64 = forecast.votes.iter().sum();
            let single = train.decision_weights().iter().filter(|weight| **weight > 0).count() == 1;
            prop_assert!(single || (sum - 1.0).abs() < 1e-9, "{}", sum);
        }
    }
}
