//! Rough networks that say the opposite when colours are exchanged.

use std::fs;

use roughboard::eval::network::NetworkEvaluator;
use roughboard::eval::xiangqi::XiangqiFeatures;
use roughboard::eval::{Catalogue, Evaluator};
use roughboard::features::FeatureSet;
use roughboard::game::playout::random_moves;
use roughboard::games::connect6::Connect6;
use roughboard::games::surakarta::Surakarta;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::optimiser::OptimiserKind;
use roughboard::net::rough::{Product, RoughForm, RoughSettings};
use roughboard::net::{CodeRows, Net, Network, RoughNet, store};
use roughboard::observe::Silent;
use roughboard::random::stream;
use roughboard::runs::training::{
    self, Data, DataSettings, Inputs, Knowledge, LearnError, Learned, RoughPlan, RuleOrigin, Training,
};
use roughboard::train::{NoRecord, Schedule, TdSettings, TrainingContext};

use crate::features::records;
use crate::training_runs::{Trainer, kill_after};

fn codes_of<G: Catalogue>(set: &G::Features, position: &G) -> Vec<u8> {
    let mut codes = vec![0; set.n_attributes()];
    set.encode(position, &mut codes);
    codes
}

/// Calls `check` on positions of a random game and the same with colours exchanged.
fn on_images<G: Catalogue>(mut check: impl FnMut(&G, &G)) {
    let exchange = G::EXCHANGE.unwrap();
    random_moves(&mut G::start(), 120, &mut stream(6, "exchange of colours", 0), |position| {
        check(position, &exchange.position(position));
    });
}

fn check_sets<G: Catalogue>(more: &[&str]) {
    for name in G::FEATURES.iter().map(|choice| choice.name).chain(more.iter().copied()) {
        let set = G::features(name).unwrap();
        let exchange = set.exchange().unwrap_or_else(|| panic!("{name} does not tell"));
        on_images::<G>(|position, image| {
            assert_eq!(exchange.applied(&codes_of(&set, position)), codes_of(&set, image), "{name}");
        });
    }
}

#[test]
fn every_feature_set_tells_what_the_exchange_of_colours_makes_of_values() {
    check_sets::<Xiangqi>(&["control+terms", "terms+board91", "board91+piece-square+terms"]);
    check_sets::<Connect6>(&[]);
    check_sets::<Surakarta>(&[]);
}

fn data_of(features: &str) -> Data {
    let settings = DataSettings { features: features.to_owned(), ..DataSettings::from_ply(10, 0.25, 1) };
    Data::new(&records(40), Vec::new(), settings, 7, &Silent).unwrap()
}

fn plan() -> RoughPlan {
    let mut plan = RoughPlan { symmetric: true, ..RoughPlan::default() };
    (plan.rules.number, plan.training.passes) = (12, 1);
    plan
}

fn started(data: &Data, plan: &RoughPlan) -> Result<(training::Initialisation, Training), LearnError> {
    let knowledge = Knowledge::of(data, plan, &Silent)?;
    Ok(plan.start(data, &knowledge))
}

fn learned(data: &Data, (beginning, training): (training::Initialisation, Training)) -> Learned {
    let context = TrainingContext { checkpoint: None, recorder: &mut NoRecord, observer: &Silent };
    training::learn(data, beginning, &training, "rough", context).unwrap()
}

fn rough(net: &Net) -> &RoughNet {
    match net {
        Net::Rough(net) => net,
        _ => panic!("not a rough network"),
    }
}

/// The largest sum of what a network says of a position and of its image, and the largest size of what it says.
fn asymmetry(net: &Net, features: &str) -> (f32, f32) {
    let set = Xiangqi::features(features).unwrap();
    let output = |position: &Xiangqi| net.outputs(CodeRows::new(&codes_of(&set, position), set.n_attributes()))[0];
    let (mut largest, mut size) = (0.0_f32, 0.0_f32);
    on_images::<Xiangqi>(|position, image| {
        largest = largest.max((output(position) + output(image)).abs());
        size = size.max(output(position).abs());
    });
    (largest, size)
}

#[test]
fn networks_say_the_opposite_before_and_after_training() {
    for features in ["terms", "board91", "control"] {
        let data = data_of(features);
        for (product, normalised) in [(Product::Full, false), (Product::Own, false), (Product::Full, true)] {
            let form = RoughSettings { product, normalised, ..RoughSettings::default() };
            let plan = RoughPlan { form, ..plan() };
            let start = started(&data, &plan).unwrap();
            let (before, about) = (start.0.net.clone(), start.0.about.clone());
            assert_eq!((rough(&before).n_rules(), about.rules.len()), (12, 12), "{features}");
            assert_eq!(about.settings["method"]["symmetric"], true);
            let after = learned(&data, start);
            for net in [&before, &after.net] {
                assert!(rough(net).is_symmetric(), "{features} {product:?}");
                let (largest, size) = asymmetry(net, features);
                assert!(largest < 1e-4 && size > 1e-3, "{features} {product:?}: {largest} of {size}");
            }
            assert_ne!(before.parameters(), after.net.parameters());
            let curve = &after.curve;
            assert!(curve.last().unwrap().training_mse < curve[0].training_mse, "{features} {product:?}");
        }
    }
}

/// Twins are rules of the decision table that holds both colours: with equal counts and the opposite decision.
#[test]
fn rules_have_twins() {
    let data = data_of("board91");
    let table = data.symmetric_table().unwrap();
    assert_eq!(table.total_weight(), 2 * data.training.len() as u64);
    assert_eq!(table.decision_weights()[0], table.decision_weights()[2]);
    for origin in [RuleOrigin::Covering, RuleOrigin::Lem2] {
        for per_decision in [true, false] {
            let mut plan = plan();
            (plan.rules.origin, plan.rules.per_decision) = (origin, per_decision);
            let knowledge = Knowledge::of(&data, &plan, &Silent).unwrap();
            let (ones, twins) = knowledge.rules.split_at(6);
            assert_eq!(twins.len(), 6, "{origin:?}");
            for (one, twin) in ones.iter().zip(twins) {
                let counted = roughboard::rough::Rule::counted(&table, twin.conditions.clone(), twin.decision);
                assert_eq!(*twin, counted);
                assert_eq!((one.decision + twin.decision, one.support), (2, twin.support));
                assert!(one.conditions != twin.conditions && one.decision >= twin.decision);
            }
            let drawn = ones.iter().filter(|rule| rule.decision == 1).count();
            assert!(!per_decision || origin == RuleOrigin::Lem2 || drawn == 2, "{drawn}");
        }
    }
}

#[test]
fn every_way_of_stepping_keeps_twins_equal() {
    let data = data_of("terms");
    let descent = |momentum| OptimiserKind::Sgd { momentum };
    for (optimiser, batch, random_start) in [
        (descent(0.0), 1, false),
        (descent(0.0), 64, true),
        (descent(0.9), 64, false),
        (OptimiserKind::Adam, 7, true),
        (OptimiserKind::Adam, 5000, false),
    ] {
        let mut plan = RoughPlan { random_start, ..plan() };
        (plan.training.optimiser, plan.training.batch, plan.training.rate) =
            (optimiser, batch, Schedule::constant(1e-3));
        // Pieces of a batch are added up in several threads.
        let after = learned(&data, started(&data, &plan).unwrap());
        assert!(rough(&after.net).is_symmetric(), "{optimiser:?}, {batch}");
        assert!(asymmetry(&after.net, "terms").0 < 1e-6);
    }
}

/// What plays is symmetric too: the incremental sums in whole numbers of an evaluator.
#[test]
fn evaluators_value_both_colours_alike() {
    let data = data_of("control");
    let after = learned(&data, started(&data, &plan()).unwrap());
    let features = || XiangqiFeatures::from_name("control").unwrap();
    let [mut here, mut there] = [(); 2].map(|()| NetworkEvaluator::new(&after.net, features()));
    on_images::<Xiangqi>(|position, image| {
        // Of the side to move, which is the same in both.
        let difference = here.evaluate(position) - there.evaluate(image);
        assert!(difference.abs() <= 1, "{difference}");
    });
}

#[test]
fn inputs_hold_what_they_become() {
    let data = data_of("board91");
    let named = Inputs::Named(["a0", "e4", "side"].map(str::to_owned).to_vec());
    let plan = RoughPlan { inputs: named, ..plan() };
    let start = started(&data, &plan).unwrap();
    // The opposite corner and the point across the river.
    let names: Vec<&str> = rough(&start.0.net).inputs().iter().map(|&t| data.specs[t].name.as_str()).collect();
    assert_eq!(names, ["a0", "e4", "e5", "i9", "side"]);
    assert!(asymmetry(&learned(&data, start).net, "board91").0 < 1e-6);
}

#[test]
fn what_cannot_be_symmetric_is_refused() {
    let mut data = data_of("board91");
    let literal = RoughSettings { form: RoughForm::Literal, ..RoughSettings::default() };
    let error = RoughPlan { form: literal, ..plan() }.check().unwrap_err().to_string();
    assert!(error.contains("`symmetric` must be left out where `form` is literal"), "{error}");
    let mut odd = plan();
    odd.rules.number = 13;
    let error = odd.check().unwrap_err().to_string();
    assert!(error.contains("`rules.number` must be even") && error.contains("got 13"), "{error}");
    data.exchange = None;
    let error = started(&data, &plan()).map(drop).unwrap_err().to_string();
    assert!(error.contains("the features `board91` do not tell"), "{error}");
}

/// TD(λ) learns from one position after the other and keeps no ties.
#[test]
fn td_leaves_no_network_that_calls_itself_symmetric() {
    let data = data_of("terms");
    let (beginning, _) = started(&data, &plan()).unwrap();
    let td = TdSettings { passes: 1, alpha: Schedule::constant(1e-3), ..TdSettings::default() };
    let after = learned(&data, (beginning, Training::Td(td)));
    assert!(!rough(&after.net).is_symmetric());
}

const SYMMETRIC: [&str; 9] =
    ["rough", "--symmetric", "--rules", "12", "--passes", "3", "--curve-points", "2", "--features"];

fn trained(features: &str) -> Vec<&str> {
    [&SYMMETRIC[..], &[features]].concat()
}

#[test]
fn a_symmetric_run_says_so_and_shows_one_rule_of_each_pair() {
    let trainer = Trainer::new();
    let told = trainer.train(&trained("control"), "run", &[]).ended(0).stdout;
    assert!(told.contains("12 rules over 91 attributes"), "{told}");
    let says = "symmetric: rules 7 to 12 are the twins of 1 to 6, with colours exchanged, and not shown";
    assert!(told.contains(says), "{told}");
    let (run, games) = (trainer.path("run"), trainer.path("games.pgn"));
    let manifest: serde_json::Value = serde_json::from_slice(&trainer.contents("run")["manifest.json"]).unwrap();
    assert_eq!(manifest["settings"]["training"]["symmetric"], true);
    let rules = fs::read_to_string(format!("{run}/diagnosis/rules.csv")).unwrap();
    assert_eq!(rules.lines().count(), 1 + 6, "{rules}");
    let inspect = ["inspect", &run, "--games", &games];
    let text = crate::command::roughboard(&[&inspect[..], &["--diagrams", "12"]].concat()).ended(0).stdout;
    assert!(text.contains(says) && (1..=6).contains(&text.matches(" here, ").count()), "{text}");
    let json = crate::command::roughboard(&[&inspect[..], &["--json"]].concat()).ended(0).json();
    assert_eq!((json["symmetric"].as_bool(), json["omega"].as_array().unwrap().len()), (Some(true), 12));
    assert!(json["sharpest"].as_array().unwrap().iter().all(|factor| factor["rule"].as_u64() <= Some(6)));
    let other = trainer.train(&["rough", "--rules", "12", "--passes", "1"], "other", &[]).ended(0).stdout;
    assert!(!other.contains("symmetric"), "{other}");
}

#[test]
fn options_that_do_not_go_with_symmetric_are_refused() {
    let trainer = Trainer::new();
    let cases: [(&[&str], &str); 3] = [
        (&["--rules", "9"], "`--rules` must be even with `--symmetric`, whose rules come in pairs, got 9"),
        (&["--form", "literal"], "`--symmetric` is not available with `--form literal`: leave one of them out"),
        (&["--flip-colours"], "`--flip-colours` has no effect with `--symmetric`: leave it out"),
    ];
    for (options, part) in cases {
        let error = trainer.train(&[&["rough", "--symmetric"], options].concat(), "refused", &[]).refusal();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_symmetric_run_that_is_killed_ends_with_the_same_bytes() {
    let trainer = Trainer::new();
    let method = trained("control");
    let clock = std::time::Instant::now();
    trainer.train(&method, "whole", &[]).ended(0);
    let took = clock.elapsed();
    for share in [0.5, 0.7, 0.8] {
        kill_after(&trainer.command(&method, "killed", &["--resume"]), took.mul_f64(share));
    }
    trainer.train(&method, "killed", &["--resume"]).ended(0);
    assert!(trainer.contents("killed") == trainer.contents("whole"));
    // On one thread and from a checkpoint that is surely there.
    trainer.leave_checkpoint(&method, "again", &["--resume", "--threads", "1"]);
    trainer.train(&method, "again", &["--resume"]).ended(0);
    assert!(trainer.contents("again") == trainer.contents("whole"));
}

/// Any rough network becomes a symmetric one of twice the rules, a symmetric one stays what it is.
#[test]
fn learning_goes_on_from_a_network_and_its_image() {
    let trainer = Trainer::new();
    let net = |run: &str| store::load(trainer.files.path(run).as_ref()).unwrap();
    let pass = ["--passes", "1"];
    trainer.train(&["rough", "--rules", "9"], "plain", &pass).ended(0);
    let [plain, run] = ["plain", "run"].map(|run| trainer.path(run));
    // So small a step that what is left is what it began with.
    let still = ["--optimiser", "sgd", "--rate", "1e-12", "--final-rate", "1e-12", "--passes", "1"];
    trainer.train(&["rough", "--symmetric", "--init", &plain], "run", &still).ended(0);
    let ((before, _), (after, about)) = (net("plain"), net("run"));
    assert_eq!((rough(&after).n_rules(), rough(&after).is_symmetric(), about.rules.len()), (18, true, 18));
    assert_eq!(about.settings["method"]["network"]["rules"], 18);
    let set = Xiangqi::features("board91").unwrap();
    let argument = |net: &Net, position: &Xiangqi| {
        let codes = codes_of(&set, position);
        f64::from(net.outputs(CodeRows::new(&codes, codes.len()))[0]).atanh()
    };
    on_images::<Xiangqi>(|position, image| {
        let mean = f64::midpoint(argument(&before, position), -argument(&before, image));
        approx::assert_abs_diff_eq!(argument(&after, position), mean, epsilon = 1e-4);
    });
    for more in [&["--symmetric"][..], &[]] {
        let method = [&["rough", "--init", &run], more].concat();
        trainer.train(&method, "more", &[&pass[..], &["--force"]].concat()).ended(0);
        let (more, about) = net("more");
        assert_eq!((rough(&more).n_rules(), rough(&more).is_symmetric()), (18, true));
        assert_eq!(about.settings["method"]["network"]["symmetric"], true);
        assert!(asymmetry(&more, "board91").0 < 1e-6);
    }
    trainer.train(&["td", "--init", &run], "td", &pass).ended(0);
    assert!(!rough(&net("td").0).is_symmetric());
    trainer.train(&["rough", "--rules", "9", "--form", "literal", "--product", "own"], "literal", &pass).ended(0);
    let literal = trainer.path("literal");
    let error = trainer.train(&["rough", "--symmetric", "--init", &literal], "refused", &pass).refusal();
    assert!(error.contains("cannot make `literal` symmetric: expected a network of the default form"), "{error}");
}
