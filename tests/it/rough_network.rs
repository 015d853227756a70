//! Rough networks in all their forms, from games to files, evaluators and diagnoses.

use std::path::Path;
use std::sync::OnceLock;

use roughboard::eval::Evaluator;
use roughboard::eval::network::{NetworkEvaluator, SCORE_UNIT};
use roughboard::eval::xiangqi::XiangqiFeatures;
use roughboard::features::FeatureSet;
use roughboard::game::Game;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::rough::{Inclusion, Product, RoughForm, RoughSettings};
use roughboard::net::{CodeRows, Network, RoughNet};
use roughboard::net::{Net, store};
use roughboard::observe::Silent;
use roughboard::record::supplied;
use roughboard::rough::Rule;
use roughboard::runs::training::{
    self, Data, DataSettings, Inputs, Knowledge, LearnError, Learned, Reduction, RoughPlan, RuleConfig, RuleOrigin,
    Training,
};
use roughboard::train::redundancy::merge_objects;
use roughboard::train::rough::diagnosis::{MOST_POSITIONS, diagnose};
use roughboard::train::{NoRecord, Schedule, TdSettings, TrainingContext};

use crate::command::{Files, assert_described, contents, roughboard};
use crate::training_runs::Trainer;

fn data_of(n_games: usize, features: &str) -> Data {
    let settings = DataSettings { features: features.to_owned(), ..DataSettings::from_ply(10, 0.25, 1) };
    let (mut records, _) = supplied::games::<Xiangqi>().unwrap().unwrap();
    records.truncate(n_games);
    Data::new(&records, Vec::new(), settings, 7, &Silent).unwrap()
}

/// The data that most tests use.
fn data() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| data_of(60, "board91"))
}

fn plan() -> RoughPlan {
    let mut plan = RoughPlan::default();
    (plan.rules.number, plan.training.passes) = (9, 1);
    plan
}

fn forms() -> Vec<RoughSettings> {
    let usual = RoughSettings::default();
    let own = RoughSettings { product: Product::Own, ..usual.clone() };
    let literal = RoughSettings { form: RoughForm::Literal, ..usual.clone() };
    vec![
        RoughSettings { normalised: true, ..usual.clone() },
        RoughSettings { tau: 0.01, inclusion: Inclusion::Plain, ..usual },
        RoughSettings { normalised: true, ..own.clone() },
        RoughSettings { inclusion: Inclusion::Plain, ..own.clone() },
        own,
        RoughSettings { product: Product::Own, ..literal.clone() },
        literal,
    ]
}

fn start(data: &Data, plan: &RoughPlan) -> (RoughNet, training::Initialisation, Training) {
    let knowledge = Knowledge::of(data, plan, &Silent).unwrap();
    let (beginning, training) = plan.start(data, &knowledge);
    let Net::Rough(net) = beginning.net.clone() else { panic!("not a rough network") };
    (net, beginning, training)
}

fn trained(data: &Data, plan: &RoughPlan) -> Learned {
    let (_, beginning, training) = start(data, plan);
    let context = TrainingContext { checkpoint: None, recorder: &mut NoRecord, observer: &Silent };
    training::learn(data, beginning, &training, "rough", context).unwrap()
}

fn rules_of(data: &Data, rules: RuleConfig) -> Result<Vec<Rule>, LearnError> {
    let table = data.table()?;
    Ok(Knowledge::over(table.all_attributes(), data, &rules, &Silent)?.rules)
}

#[test]
fn every_form_learns_is_read_back_and_evaluates_as_it_computes() {
    let files = Files::new();
    let moves = supplied::games::<Xiangqi>().unwrap().unwrap().0[5].moves.clone();
    for form in forms() {
        let learned = trained(data(), &RoughPlan { form: form.clone(), ..plan() });
        let file = files.path("net.safetensors");
        learned.save(&file).unwrap();
        let (net, about) = store::load(&file).unwrap();
        assert_eq!((&net, about.rules.len()), (&learned.net, 9), "{form:?}");
        let mut evaluator = NetworkEvaluator::new(&net, XiangqiFeatures::default());
        let (mut position, mut codes) = (Xiangqi::start(), [0; 91]);
        for &mv in &moves {
            position.play(mv);
            XiangqiFeatures::default().encode(&position, &mut codes);
            let score = evaluator.evaluate(&position) * position.side_to_move().sign();
            let y = net.outputs(CodeRows::new(&codes, 91))[0];
            let found = score as f32 / SCORE_UNIT;
            let found = if form.form == RoughForm::Literal { found.clamp(-1.0, 1.0) } else { found.tanh() };
            approx::assert_abs_diff_eq!(found, y, epsilon = 2e-3);
        }
    }
}

#[test]
fn all_forms_but_the_literal_one_with_full_products_learn() {
    for form in forms() {
        let is_idle = form.form == RoughForm::Literal && form.product == Product::Full;
        let plan = RoughPlan { form, ..plan() };
        let (before, ..) = start(data(), &plan);
        let after = trained(data(), &plan);
        assert_eq!(before.parameters() == after.net.parameters(), is_idle, "{:?}", plan.form);
        let (first, last) = (after.curve.first().unwrap(), after.curve.last().unwrap());
        assert!(is_idle || last.training_mse < first.training_mse, "{:?}", plan.form);
    }
}

/// There are empty points in every position, and each is a factor 0.
#[test]
fn the_diagnosis_shows_the_zeros_of_the_literal_form() {
    let literal = RoughSettings { form: RoughForm::Literal, ..RoughSettings::default() };
    let (net, ..) = start(data(), &RoughPlan { form: literal, ..plan() });
    let diagnosis = diagnose(&net, &data().held_out);
    assert_eq!((diagnosis.without_gradient, diagnosis.dead()), (diagnosis.positions, 9));
    assert!(diagnosis.gradient.iter().all(|layer| layer.zero == layer.weights));
    let (usual, ..) = start(data(), &plan());
    let diagnosis = diagnose(&usual, &data().held_out);
    // The rules of a draw begin with ω = 0.
    assert_eq!((diagnosis.without_gradient, diagnosis.dead()), (0, 3));
    assert!(diagnosis.gradient.iter().all(|layer| layer.norm > 0.0 && layer.zero < layer.weights));
}

/// The rules were counted in the table of the same positions.
#[test]
fn the_diagnosis_counts_what_the_rules_match() {
    let data = data_of(100, "board91");
    assert!(data.training.len() < MOST_POSITIONS);
    let knowledge = Knowledge::of(&data, &plan(), &Silent).unwrap();
    let Net::Rough(net) = plan().start(&data, &knowledge).0.net else { panic!("not a rough network") };
    let diagnosis = diagnose(&net, &data.training);
    let matched: Vec<u64> = diagnosis.rules.iter().map(|rule| rule.matched as u64).collect();
    assert_eq!(matched, knowledge.rules.iter().map(|rule| rule.matching).collect::<Vec<_>>());
    assert_eq!(diagnosis.coverage.iter().sum::<usize>(), data.training.len());
    let pairs: usize = diagnosis.coverage.iter().enumerate().map(|(n_rules, positions)| n_rules * positions).sum();
    assert_eq!(pairs as u64, matched.iter().sum::<u64>());
    assert_eq!(diagnosis.seen.iter().sum::<usize>(), 91 * data.training.len());
}

#[test]
fn rules_come_from_where_they_are_asked_of() {
    let table = data().table().unwrap();
    let usual = RuleConfig { number: 12, objects: 400, min_support: 0.02, max_conditions: 2, ..RuleConfig::default() };
    for origin in [RuleOrigin::Covering, RuleOrigin::Lem2, RuleOrigin::Mlem2, RuleOrigin::Exhaustive] {
        let config = RuleConfig { origin, ..usual.clone() };
        let rules = rules_of(data(), config.clone()).unwrap();
        assert!(rules.len() <= 12 && rules.windows(2).all(|pair| pair[0].decision <= pair[1].decision), "{origin:?}");
        for rule in &rules {
            let again = Rule::counted(&table, rule.conditions.clone(), rule.decision);
            assert_eq!((rule.support, rule.matching), (again.support, again.matching), "{origin:?}");
        }
        let at_large = rules_of(data(), RuleConfig { per_decision: false, ..config }).unwrap();
        let value = |rules: &[Rule]| -> f64 {
            rules.iter().map(|rule| rule.coverage().value() * rule.inclusion().value()).sum::<f64>()
                / rules.len() as f64
        };
        assert!(value(&at_large) > value(&rules) - 1e-9, "{origin:?}");
        let (net, ..) = start(data(), &RoughPlan { rules: RuleConfig { origin, ..usual.clone() }, ..plan() });
        assert_eq!(net.n_rules(), rules.len());
    }
}

#[test]
fn an_exhaustive_search_without_end_is_refused() {
    let config = RuleConfig { origin: RuleOrigin::Exhaustive, max_conditions: 8, ..RuleConfig::default() };
    let error = rules_of(data(), config).unwrap_err().to_string();
    assert!(
        error.contains("up to 8 conditions over 91 attributes") && error.contains("`rules.objects` must be lower"),
        "{error}"
    );
}

#[test]
fn inputs_may_be_all_a_reduct_or_a_list() {
    let of = |inputs: &str| {
        let plan = RoughPlan { inputs: inputs.parse().unwrap(), ..plan() };
        Knowledge::of(data(), &plan, &Silent)
    };
    assert_eq!(of("all").unwrap().inputs.len(), 91);
    for method in ["backward", "greedy", "entropy"] {
        assert!(of(&format!("reduct:{method}")).unwrap().inputs.len() < 91);
    }
    let listed = of("e0,d0,f0,e4,e5,side").unwrap();
    let mut names = listed.table.names(&listed.inputs);
    names.sort_unstable();
    assert_eq!(names, ["d0", "e0", "e4", "e5", "f0", "side"]);
    let error = of("e4,z9").err().unwrap();
    assert_eq!(error.to_string(), "cannot choose the inputs of the network");
}

#[test]
fn every_feature_set_makes_rules_and_networks() {
    for (features, origin) in
        [("terms", RuleOrigin::Mlem2), ("terms", RuleOrigin::Covering), ("piece-square", RuleOrigin::Covering)]
    {
        let data = data_of(24, features);
        let rules = RuleConfig { number: 9, origin, objects: 300, ..RuleConfig::default() };
        for form in [RoughSettings::default(), RoughSettings { form: RoughForm::Literal, ..RoughSettings::default() }] {
            let learned = trained(&data, &RoughPlan { rules: rules.clone(), form, ..plan() });
            assert!(learned.about.features.starts_with(features) && learned.curve[1].held_out_mse.is_finite());
            if origin == RuleOrigin::Mlem2 {
                let Net::Rough(net) = &learned.net else { panic!("not a rough network") };
                let conditions = net.shape().rules.iter().flat_map(|rule| &rule.conditions);
                assert!(conditions.into_iter().any(|condition| condition.first < condition.last));
            }
        }
    }
}

/// By the definition: sums over all positions for each class.
#[test]
fn merged_objects_are_classes_and_aim_at_their_means() {
    let attributes = [4, 22, 40, 49, 67, 90];
    let set = &data().training;
    let merged = merge_objects(set, &attributes);
    let key = |row: &[u8]| attributes.map(|attribute| row[attribute]);
    let mut seen = std::collections::BTreeMap::<_, Vec<f32>>::new();
    (0..set.len()).for_each(|at| seen.entry(key(set.row(at))).or_default().push(set.results()[at]));
    assert_eq!((merged.len(), merged.games().len()), (seen.len(), set.games().len()));
    assert!(merged.len() < set.len() / 2);
    for at in 0..merged.len() {
        let results = &seen[&key(merged.row(at))];
        let mean = results.iter().sum::<f32>() / results.len() as f32;
        approx::assert_abs_diff_eq!(merged.targets()[at], mean, epsilon = 1e-5);
        approx::assert_abs_diff_eq!(merged.results()[at], mean, epsilon = 1e-5);
    }
    assert_eq!(merged.games().last().unwrap().end, merged.len());
}

#[test]
fn a_reduction_says_what_it_left_out_and_the_network_is_of_what_is_left() {
    let inputs: Inputs = "e0,e9,d0,f0,e4,side".parse().unwrap();
    let reduction = Reduction { games: true, objects: true };
    let plan = RoughPlan { inputs, reduction, ..plan() };
    let data = data_of(60, "board91");
    let n_positions = data.training.len();
    let (knowledge, data) = Knowledge::reducing(data, &plan, &Silent).unwrap();
    let reduced = knowledge.reduced.unwrap();
    assert_eq!((reduced.attributes, reduced.games, reduced.positions), (6, 45, n_positions));
    assert!(reduced.games_kept <= 45 && reduced.examples < reduced.positions_kept / 2);
    assert_eq!(data.training.len(), reduced.examples);
    // Rules are counted on positions, not on classes.
    assert_eq!(knowledge.table.total_weight(), reduced.positions_kept as u64);
    let (beginning, training) = plan.start(&data, &knowledge);
    assert_eq!(beginning.about.settings["reduced"]["examples"], reduced.examples);
    let context = TrainingContext { checkpoint: None, recorder: &mut NoRecord, observer: &Silent };
    let learned = training::learn(&data, beginning, &training, "rough", context).unwrap();
    assert_eq!(learned.n_positions, reduced.examples);
}

#[test]
fn rough_networks_learn_by_td_too() {
    let td = TdSettings { passes: 1, alpha: Schedule::constant(1e-3), ..TdSettings::default() };
    for product in [Product::Full, Product::Own] {
        let plan = RoughPlan { form: RoughSettings { product, ..RoughSettings::default() }, ..plan() };
        let (before, beginning, _) = start(data(), &plan);
        let context = TrainingContext { checkpoint: None, recorder: &mut NoRecord, observer: &Silent };
        let learned = training::learn(data(), beginning, &Training::Td(td.clone()), "td", context).unwrap();
        assert_ne!(learned.net.parameters(), before.parameters());
    }
}

#[test]
fn a_run_leaves_a_diagnosis_and_inspect_repeats_it() {
    let trainer = Trainer::new();
    let options =
        ["rough", "--rules", "9", "--passes", "1", "--product", "own", "--reduce-games", "--inputs", "reduct"];
    let text = trainer.train(&options, "own", &[]).ended(0).stdout;
    for part in ["reduction under ", "dead rules: ", "positions in which no factor has a gradient", "cosine"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let run = trainer.path("own");
    for file in ["diagnosis.md", "coverage.csv", "gradient.csv", "distance.csv", "sharpest.csv", "rules.csv"] {
        assert!(std::fs::metadata(format!("{run}/diagnosis/{file}")).unwrap().len() > 20, "{file}");
    }
    assert_described(&contents(Path::new(&format!("{run}/diagnosis"))));
    let manifest = std::fs::read_to_string(format!("{run}/manifest.json")).unwrap();
    assert!(manifest.contains("diagnosis/rules.csv") && manifest.contains("diagnosis/initial.safetensors"));
    let games = trainer.files.path("games.pgn");
    let before = format!("{run}/diagnosis/initial.safetensors");
    let inspect = ["inspect", &run, "--before", &before, "--games", games.to_str().unwrap()];
    let json = roughboard(&[&inspect[..], &["--json", "--top", "3"]].concat()).ended(0).json();
    assert_eq!((json["rules"].as_array().unwrap().len(), json["sharpest"].as_array().unwrap().len()), (9, 3));
    assert!(json["distances"][0]["change"].as_f64().unwrap() > 0.0);
    assert!(roughboard(&inspect).ended(0).stdout.contains(" on ") || json["dead"].as_u64() > Some(0));
    let drawn = roughboard(&[&inspect[..], &["--diagrams", "2"]].concat()).ended(0).stdout;
    assert!(drawn.matches(" here, ").count() == 2 && drawn.contains("a b c d e f g h i"), "{drawn}");
    trainer.train(&["bp", "--hidden", "2", "--passes", "1"], "bp", &[]).ended(0);
    let error = roughboard(&["inspect", &trainer.path("bp")]).refusal();
    assert!(error.contains("is a plain network: expected a rough one"), "{error}");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let trainer = Trainer::new();
    let cases: [(&[&str], &str); 9] = [
        (&["--certainty", "0.9"], "`--certainty` has no effect with `--rules-from covering`: leave it out, or use "),
        (&["--rule-objects", "500"], "`--rule-objects` has no effect with `--rules-from covering`"),
        (&["--rules-from", "lem2", "--min-support", "0.5"], "`--min-support` has no effect with `--rules-from lem2`"),
        (
            &["--rules-from", "mlem2", "--max-conditions", "1"],
            "or use `--rules-from covering` or `--rules-from exhaust",
        ),
        (&["--form", "literal", "--tau", "0.5"], "`--tau` must be left out with `--form literal`"),
        (&["--form", "literal", "--normalised"], "`--normalised` must be left out where `--form` is literal"),
        (&["--form", "literal", "--inclusion", "plain"], "`--inclusion` must be left out"),
        (&["--rules-from", "exhaustive", "--max-conditions", "9"], "cells to look at"),
        (&["--inputs", "e4,z9"], "z9"),
    ];
    for (options, part) in cases {
        let error = trainer.train(&[&["rough"], options].concat(), "refused", &["--force"]).refusal();
        assert!(error.contains(part), "{options:?}: {error}");
    }
}
