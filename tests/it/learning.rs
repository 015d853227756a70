//! From games to networks: data, training, files, evaluators.

use std::path::Path;

use rayon::ThreadPoolBuilder;
use roughboard::eval::network::{NetworkEvaluator, SCORE_UNIT};
use roughboard::eval::{Catalogue, Evaluator};
use roughboard::features::FeatureSet;
use roughboard::features::board91::Board91;
use roughboard::game::{Game, Notation, Side};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::Net;
use roughboard::net::dense::DenseShape;
use roughboard::net::store::{self, StoreError};
use roughboard::net::{CodeRows, Network};
use roughboard::observe::{Observer, Silent};
use roughboard::record::{GameRecord, supplied};
use roughboard::runs::training::{
    self, BpConfig, Data, DataSettings, Initialisation, Inputs, Knowledge, LearnError, Learned, RoughPlan, TdConfig,
    Training,
};
use roughboard::train::redundancy::reduce_games;
use roughboard::train::{
    Checkpoint, CheckpointError, NoRecord, PositionSet, RunError, SupervisedSettings, TdSettings, TrainingContext,
};

use crate::features::records;

fn data_settings(skip_plies: usize) -> DataSettings {
    DataSettings::from_ply(skip_plies, 0.25, 2)
}

fn data(n: usize) -> Data {
    let settings = data_settings(10);
    Data::new(&records(n), supplied::checksum::<Xiangqi>().into_iter().collect(), settings, 7, &Silent).unwrap()
}

fn rough_plan() -> RoughPlan {
    let mut plan = RoughPlan::default();
    (plan.rules.number, plan.training.passes) = (9, 2);
    plan
}

fn td_config() -> TdConfig {
    TdConfig { network: DenseShape::one_layer(6), training: TdSettings { passes: 2, ..TdSettings::default() } }
}

fn bp_config() -> BpConfig {
    let training = SupervisedSettings { passes: 1, ..SupervisedSettings::default() };
    BpConfig { network: DenseShape::one_layer(6), training }
}

fn parameters(learned: &Learned) -> &[f32] {
    learned.net.parameters()
}

fn learn_rough(data: &Data, checkpoint: Option<&Checkpoint>, observer: &dyn Observer) -> Result<Learned, LearnError> {
    let plan = rough_plan();
    let knowledge = Knowledge::of(data, &plan, &Silent)?;
    learn_from(data, plan.start(data, &knowledge), checkpoint, observer)
}

fn learn_from(
    data: &Data,
    (beginning, training): (Initialisation, Training),
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let name = beginning.about.method.clone();
    training::learn(
        data,
        beginning,
        &training,
        &name,
        TrainingContext { checkpoint, recorder: &mut NoRecord, observer },
    )
}

fn learn_bp(data: &Data) -> Learned {
    learn_from(data, bp_config().start(data, Training::Supervised), None, &Silent).unwrap()
}

fn all_methods(data: &Data) -> [Learned; 3] {
    [
        learn_rough(data, None, &Silent).unwrap(),
        learn_bp(data),
        learn_from(data, td_config().start(data, Training::Td), None, &Silent).unwrap(),
    ]
}

#[test]
fn positions_and_splits_lose_nothing() {
    let records = records(40);
    let set = PositionSet::from_records(&records, &Board91, 10);
    let plies: usize = records.iter().map(|record| record.moves.len().saturating_sub(10)).sum();
    assert_eq!((set.len(), set.games().len()), (plies, 40));
    let data = data(40);
    assert_eq!(data.training.len() + data.held_out.len(), plies);
    assert_eq!(data.table().unwrap().total_weight() as usize, data.training.len());
}

#[test]
fn a_repeated_game_is_redundant_and_a_new_one_is_not() {
    let mut games = records(6);
    games.push(games[2].clone());
    let mut prefix = games[4].clone();
    prefix.moves.truncate(20);
    games.push(prefix);
    let set = PositionSet::from_records(&games, &Board91, 0);
    let all: Vec<usize> = (0..91).collect();
    assert_eq!(reduce_games(&set, &all, true).kept, [0, 1, 2, 3, 4, 5]);
    assert_eq!(reduce_games(&set, &[], true).n_classes, {
        let mut moves = set.continuations().to_vec();
        moves.sort_unstable();
        moves.dedup();
        moves.len()
    });
}

#[test]
fn training_gives_the_same_weights_on_any_number_of_threads() {
    let data = data(80);
    let on = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| all_methods(&data))
    };
    for (one, two) in on(1).iter().zip(&on(3)) {
        assert_eq!(parameters(one), parameters(two), "{}", one.name);
        assert_eq!(one.curve, two.curve, "{}", one.name);
    }
}

#[test]
fn training_lowers_the_error_of_every_method() {
    for learned in all_methods(&data(300)) {
        let error = |at: usize| learned.curve[at].training_mse;
        let (first, last) = (error(0), error(learned.curve.len() - 1));
        assert!(last < first, "{}: {first} before, {last} after", learned.name);
    }
}

/// Stops the run by a panic when the first pass is over.
struct KilledAfter {
    passes: std::sync::atomic::AtomicUsize,
}

impl Observer for KilledAfter {
    fn begin(&self, _task: &str, _total: u64) {}
    fn advance(&self, _units: u64) {}
    fn remark(&self, _text: &str) {
        // Two measurements a pass: the third remark is in the middle of the second pass.
        assert!(self.passes.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 2, "killed");
    }
    fn end(&self) {}
}

#[test]
fn a_killed_training_goes_on_to_the_same_bytes() {
    let data = data(60);
    let folder = tempfile::tempdir().unwrap();
    let train = |checkpoint: Option<&Checkpoint>, observer: &dyn Observer| {
        let rough = learn_rough(&data, checkpoint, observer).unwrap();
        store::to_bytes(&rough.net, &rough.about).unwrap()
    };
    let checkpoint = Checkpoint::new(folder.path().join("state"), "this run".into());
    let killed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        train(Some(&checkpoint), &KilledAfter { passes: 0.into() });
    }));
    assert!(killed.is_err() && checkpoint.path().exists());
    let sealed = std::fs::read(checkpoint.path()).unwrap();
    let undisturbed = train(None, &Silent);
    assert_eq!(train(Some(&checkpoint), &Silent), undisturbed);
    // Programs before checksums wrote the same without the 32 bytes of one.
    std::fs::write(checkpoint.path(), &sealed[..sealed.len() - 32]).unwrap();
    assert_eq!(train(Some(&checkpoint), &Silent), undisturbed);
    let other = Checkpoint::new(checkpoint.path().to_owned(), "another run".into());
    let refused = learn_rough(&data, Some(&other), &Silent);
    assert!(matches!(refused, Err(LearnError::Run(RunError::Checkpoint(CheckpointError::OtherRun(_))))));
}

#[test]
fn networks_are_read_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    for learned in all_methods(&data(60)) {
        let path = folder.path().join("net.safetensors");
        learned.save(&path).unwrap();
        assert_eq!(store::load(&path).unwrap(), (learned.net, learned.about));
    }
}

#[test]
fn broken_network_files_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let message = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        store::load(&path).unwrap_err().to_string()
    };
    let learned = learn_bp(&data(60));
    let bytes = store::to_bytes(&learned.net, &learned.about).unwrap();
    assert!(message(&bytes[..bytes.len() / 2]).contains("is not a network file"));
    assert!(message(b"").contains("is not a network file"));
    let mut about = learned.about.clone();
    about.format = 99;
    let wrong = message(&store::to_bytes(&learned.net, &about).unwrap());
    assert!(wrong.contains("expected format 2, found 99"), "{wrong}");
    let text = String::from_utf8_lossy(&bytes);
    let kind = text.find("dense").unwrap();
    let mut other_kind = bytes.clone();
    other_kind[kind..kind + 5].copy_from_slice(b"rough");
    let wrong = message(&other_kind);
    assert!(wrong.contains("its checksum is that of something else"), "{wrong}");
    // A file without a checksum is taken as it is.
    other_kind = crate::command::without_sum(other_kind);
    other_kind[kind..kind + 5].copy_from_slice(b"rough");
    let wrong = message(&other_kind);
    assert!(wrong.contains("tensor `inputs`") && wrong.contains("no such tensor"), "{wrong}");
    other_kind[kind..kind + 5].copy_from_slice(b"guess");
    let wrong = message(&other_kind);
    assert!(wrong.contains("does not hold a network of the kind") && wrong.contains("guess"), "{wrong}");
    assert!(matches!(store::load(Path::new("nowhere")), Err(StoreError::Io { .. })));
}

/// The output of `net` for Red, computed from scratch in floating point.
fn output(net: &Net, position: &Xiangqi) -> f64 {
    let mut codes = vec![0; 91];
    Board91.encode(position, &mut codes);
    let rows = CodeRows::new(&codes, 91);
    let outputs = match net {
        Net::Dense(net) => net.outputs(rows),
        Net::Rough(net) => net.outputs(rows),
        Net::Tree(net) => net.outputs(rows),
    };
    f64::from(outputs[0])
}

#[test]
fn evaluators_follow_the_game_and_agree_with_the_network() {
    let games = records(12);
    for learned in all_methods(&data(60)) {
        let mut following = NetworkEvaluator::<Xiangqi, _>::new(&learned.net, Board91);
        for game in &games {
            game.replay(|position, _| {
                let score = following.evaluate(position);
                let fresh = NetworkEvaluator::<Xiangqi, _>::new(&learned.net, Board91).evaluate(position);
                assert_eq!(score, fresh, "{}: the value must not depend on earlier positions", learned.name);
                let red = following.expected_result(score) * f64::from(position.side_to_move().sign());
                let expected = output(&learned.net, position);
                assert!((red - expected).abs() < 1.5 / f64::from(SCORE_UNIT), "{}: {red} {expected}", learned.name);
            });
        }
    }
}

#[test]
fn the_embedded_games_are_those_that_the_program_plays() {
    use roughboard::arena::{Adjudication, AlphaBetaPlayer, Generation, GenerationSettings};
    use roughboard::search::{Limits, SearchSettings};
    let player = AlphaBetaPlayer {
        name: "traditional".into(),
        checksum: String::new(),
        evaluator: Xiangqi::evaluator_factory("traditional").unwrap(),
        search: SearchSettings { transposition_mb: 1, ..SearchSettings::default() },
        limits: Limits::to_depth(3).unwrap(),
    };
    let settings = GenerationSettings {
        games: 12,
        adjudication: Adjudication::capped(200),
        seed: 1,
        ..GenerationSettings::default()
    };
    let generation =
        Generation { event: "roughboard self-play", players: [&player; 2], drawer: Some(&player), settings };
    let played = generation.play(None, &Silent).unwrap();
    for (played, kept) in played.iter().zip(&records(12)) {
        assert_eq!((&played.moves, played.outcome), (&kept.moves, kept.outcome));
    }
}

#[test]
fn both_sides_win_embedded_games() {
    let (records, account) = supplied::games::<Xiangqi>().unwrap().unwrap();
    assert_eq!(account.read(), account.kept());
    let wins = |side| records.iter().filter(|r| r.outcome == Some(roughboard::game::Outcome::Win(side))).count();
    assert!(records.len() >= 2000 && wins(Side::First) > 500 && wins(Side::Second) > 500);
    assert!(records.iter().all(|record| record.start.notation() == Xiangqi::start().notation()));
}

#[test]
fn a_network_over_a_reduct_has_rules_over_that_reduct_only() {
    let data = data(60);
    let plan = RoughPlan { inputs: Inputs::REDUCT, ..rough_plan() };
    let knowledge = Knowledge::of(&data, &plan, &Silent).unwrap();
    assert!(knowledge.inputs.len() < 91);
    for rule in &knowledge.rules {
        assert!(rule.conditions.iter().all(|condition| knowledge.inputs.contains(condition.attr)));
    }
    let learned = learn_from(&data, plan.start(&data, &knowledge), None, &Silent).unwrap();
    let Net::Rough(net) = &learned.net else { panic!("not a rough network") };
    assert_eq!(net.inputs().len(), knowledge.inputs.len());
    assert!(learned.n_weights() < net.parameters().len());
}

#[test]
fn data_that_cannot_be_learned_from_is_refused() {
    let refusal = |records: &[GameRecord<Xiangqi>], skip_plies| {
        Data::new(records, Vec::new(), data_settings(skip_plies), 7, &Silent).err().unwrap().to_string()
    };
    assert!(
        refusal(&records(8), 1_000_000).starts_with("`skip_plies` must be below the length of the games, got 1000000")
    );
    assert!(refusal(&records(1), 10).contains("too few"));
    let mut drawn = records(8);
    drawn.iter_mut().for_each(|record| record.outcome = Some(roughboard::game::Outcome::Draw));
    assert!(refusal(&drawn, 10).contains("same result"));
}
