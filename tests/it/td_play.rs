//! TD(λ) by playing and TD-Leaf: in the library on small games, and on the command line.

use std::fs;
use std::time::Duration;

use roughboard::features::board91::Board91;
use roughboard::features::{AttributeSpec, FeatureSet};
use roughboard::game::playout::random_moves;
use roughboard::game::{BoardGame, Game, Outcome, Side};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::Net;
use roughboard::net::dense::DenseShape;
use roughboard::net::{Coding, DenseNet, Network};
use roughboard::observe::Silent;
use roughboard::random;
use roughboard::record::{GameRecord, ReadSettings, read_games};
use roughboard::train::play::{
    LeafLambda, LeafSettings, LearnFrom, LearnerGames, Learning, Lookahead, Opponent, PlayLambda, PlaySettings,
    score_of,
};
use roughboard::train::{Method, PositionSet, Schedule, Share, TdLambda, TdSettings, UpdateForm, UpdateTime};

use crate::command::{assert_described, words};
use crate::toys::TicTacToe;
use crate::training_runs::{Trainer, kill_after};

/// Each point as it is: empty, of the first or of the second side.
#[derive(Clone)]
struct Points;

impl FeatureSet<TicTacToe> for Points {
    fn name(&self) -> &str {
        "points"
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        (0..10).map(|at| AttributeSpec::of_values(format!("p{at}"), &[-1, 0, 1])).collect()
    }

    fn encode(&self, position: &TicTacToe, codes: &mut [u8]) {
        let stone = |side: Option<Side>| (side.map_or(0, Side::sign) + 1) as u8;
        codes.iter_mut().zip(position.points()).for_each(|(code, point)| *code = stone(point));
        codes[9] = stone(Some(position.side_to_move()));
    }
}

fn net_for<G: BoardGame, F: FeatureSet<G>>(features: &F, hidden: usize) -> Net {
    let coding = Coding::new(&features.attributes().iter().map(|spec| spec.inputs.clone()).collect::<Vec<_>>());
    Net::Dense(DenseNet::random(coding, DenseShape::one_layer(hidden), 1, "test"))
}

fn learning(alpha: f64, update: UpdateTime) -> Learning {
    Learning { alpha: Schedule::constant(alpha), lambda: 0.6, update }
}

fn settings(opponent: Opponent, games: usize) -> PlaySettings {
    PlaySettings {
        opponent,
        games,
        batch: 1,
        lookahead: Lookahead { depth: 1, quiescence_plies: 0, width: 0 },
        learn_from: LearnFrom::Positions,
        explore: 0.1,
        random_plies: 0,
        ply_cap: 50,
        learning: learning(0.05, UpdateTime::Game),
        measure_every: games,
    }
}

/// The learner's points in its games, and the network they made.
fn played(settings: PlaySettings) -> (Vec<f32>, Net) {
    let mut net = net_for::<TicTacToe, _>(&Points, 20);
    let table = LearnerGames::<TicTacToe, _> { settings, seed: 1, features: &Points, opponent: None };
    let mut method = PlayLambda::new(table, None);
    method.train_share(&mut net, Share::whole(&PositionSet::default(), &Silent)).unwrap();
    (method.points().to_vec(), net)
}

/// Beside a learner that learns next to nothing, over the same number of games.
#[test]
fn a_learner_gets_better_at_beating_a_random_mover() {
    for (learn_from, depth, update) in [
        (LearnFrom::Positions, 1, UpdateTime::Game),
        (LearnFrom::Positions, 1, UpdateTime::Move),
        (LearnFrom::Leaves, 2, UpdateTime::Game),
    ] {
        let base = settings(Opponent::Random, 6000);
        let lookahead = Lookahead { depth, quiescence_plies: 0, width: 0 };
        let score = |alpha| {
            let learning = learning(alpha, update);
            let (points, _) = played(PlaySettings { learn_from, lookahead, learning, ..base.clone() });
            score_of(&points, 6000, 2000).unwrap()
        };
        let (trained, untrained) = (score(0.1), score(1e-9));
        assert!(trained > untrained + 0.05, "{learn_from:?} {update:?}: {untrained} untrained, {trained} trained");
    }
}

#[test]
fn batches_change_the_games_and_threads_do_not() {
    let run = |batch, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| played(PlaySettings { batch, ..settings(Opponent::Itself, 60) }))
    };
    assert_eq!(run(8, 1), run(8, 3));
    assert_ne!(run(8, 1), run(1, 1));
}

/// Without a search a leaf is the position itself, and TD-Leaf is TD(λ).
#[test]
fn leaves_of_no_search_are_the_positions() {
    let record = |seed| {
        let mut record = GameRecord::new(Xiangqi::start());
        let (mut position, mut path) = (Xiangqi::start(), Vec::new());
        random_moves(&mut position, 40, &mut random::stream(seed, "test", 0), |position| path.push(position.clone()));
        for pair in path.windows(2) {
            let moves = pair[0].moves();
            let after = |mv| {
                let mut next = pair[0].clone();
                next.play(mv);
                next.key()
            };
            record.push(moves.into_iter().find(|&mv| after(mv) == pair[1].key()).unwrap(), None);
        }
        record.outcome =
            Some([Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)][seed as usize % 3]);
        record
    };
    let records: Vec<GameRecord<Xiangqi>> = (0..4).map(record).collect();
    let set = PositionSet::from_records(&records, &Board91, 6);
    for update in [UpdateTime::Game, UpdateTime::Move] {
        let (mut by_positions, mut by_leaves) =
            (net_for::<Xiangqi, _>(&Board91, 6), net_for::<Xiangqi, _>(&Board91, 6));
        let untrained = by_leaves.parameters().to_vec();
        let Learning { alpha, lambda, .. } = learning(0.01, update);
        let form = if update == UpdateTime::Game { UpdateForm::Errors } else { UpdateForm::Traces };
        TdLambda::new(TdSettings { passes: 1, alpha, lambda, update, form, patience: None })
            .train_share(&mut by_positions, Share::whole(&set, &Silent))
            .unwrap();
        let none = Lookahead { depth: 0, quiescence_plies: 0, width: 0 };
        let leaves = LeafSettings { lookahead: none, skip_plies: 6, passes: 1, learning: learning(0.01, update) };
        LeafLambda::new(leaves, &Board91, records.iter().collect())
            .train_share(&mut by_leaves, Share::whole(&set, &Silent))
            .unwrap();
        assert_eq!(by_positions.parameters(), by_leaves.parameters());
        assert_ne!(by_leaves.parameters(), untrained);
        let deeper = Lookahead { depth: 1, quiescence_plies: 0, width: 0 };
        let leaves = LeafSettings { lookahead: deeper, skip_plies: 6, passes: 1, learning: learning(0.01, update) };
        let mut by_search = net_for::<Xiangqi, _>(&Board91, 6);
        LeafLambda::new(leaves, &Board91, records.iter().collect())
            .train_share(&mut by_search, Share::whole(&set, &Silent))
            .unwrap();
        assert_ne!(by_search.parameters(), by_leaves.parameters());
    }
}

/// A little playing on the command line.
const PLAY: &str = "td --play self --depth 1 --hidden 4 --games-to-play 8 --measure-every 2 --max-plies 40 --seed=3";

#[test]
fn a_run_that_plays_is_killed_and_goes_on_to_the_same_bytes() {
    let trainer = Trainer::new();
    let saved = |run: &str| trainer.path(&format!("{run}.pgn"));
    let clock = std::time::Instant::now();
    let text = trainer.train(&words(PLAY), "whole", &["--save-games", &saved("whole")]).ended(0).stdout;
    let took = clock.elapsed();
    assert!(text.contains("first_side_score"), "{text}");
    let whole = trainer.contents("whole");
    assert_described(&whole);
    assert!(whole.contains_key("scores.csv") && whole.contains_key("net.safetensors"));
    let command = trainer.command(&words(PLAY), "killed", &["--resume", "--save-games", &saved("killed")]);
    for share in [0.3, 0.5, 0.7] {
        kill_after(&command, Duration::from_secs_f64(took.as_secs_f64() * share));
        if trainer.files.path("killed/manifest.json").exists() {
            fs::remove_dir_all(trainer.files.path("killed")).unwrap();
            fs::remove_file(saved("killed")).unwrap();
        }
    }
    trainer.train(&words(PLAY), "killed", &["--resume", "--save-games", &saved("killed")]).ended(0);
    assert_eq!(trainer.contents("killed"), whole);
    assert_eq!(fs::read(saved("killed")).unwrap(), fs::read(saved("whole")).unwrap());
    // A file that the run has not written stays, unless the run replaces another.
    let other = trainer.path("other.pgn");
    fs::write(&other, "precious").unwrap();
    let into_other = |more: &str| trainer.train(&words(PLAY), "new", &[more, "--save-games", &other]);
    assert!(into_other("--resume").refusal().contains("other.pgn` exists: expected a new file"));
    fs::create_dir(trainer.files.path("new")).unwrap();
    let error = into_other("--resume").ended(2).stderr;
    assert!(error.contains("other.pgn` exists, and this run has not written it"), "{error}");
    let mirrored = trainer.train(&words(PLAY), "new", &["--force", "--mirror", "--save-games", &other]);
    assert!(mirrored.refusal().contains("left out when TD(λ) learns by searching"));
    assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
    into_other("--force").ended(0);
    assert_eq!(fs::read(&other).unwrap(), fs::read(saved("whole")).unwrap());
    let (games, _) = read_games::<Xiangqi>(&[saved("whole")], ReadSettings::default(), &Silent).unwrap();
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| game.moves.len() <= 40 && game.tag("Red") == Some("learner")));
}

#[test]
fn opponents_and_leaves_are_had_on_the_command_line() {
    let trainer = Trainer::new();
    let fixed = words("td --play fixed:traditional:e1 --opponent-depth 1 --learn-from leaves --games-to-play 2");
    let small = ["--hidden", "4", "--max-plies", "30", "--batch-games", "2"];
    let text = trainer.train(&fixed, "fixed", &small).ended(0).stdout;
    assert!(text.contains("learner_score"), "{text}");
    let manifest = String::from_utf8(trainer.contents("fixed")["manifest.json"].clone()).unwrap();
    assert!(manifest.contains("traditional:e1") && manifest.contains("scores.csv"), "{manifest}");
    let leaves = ["td", "--learn-from", "leaves", "--depth", "1", "--quiescence-plies", "4", "--hidden", "4"];
    trainer.train(&leaves, "leaves", &["--passes", "1"]).ended(0);
    assert!(!trainer.contents("leaves").contains_key("scores.csv"));
    let random = ["td", "--play", "random", "--depth", "1", "--games-to-play", "1", "--max-plies", "20"];
    trainer.train(&random, "random", &["--init", &trainer.path("leaves"), "--update", "move"]).ended(0);
}

#[test]
fn settings_outside_their_range_are_refused() {
    let trainer = Trainer::new();
    for (options, message) in [
        (&["--play", "self", "--games-to-play", "0"][..], "`--games-to-play` must be in [1, 10000000], got 0"),
        (&["--play", "self", "--explore", "1.5"], "`--explore` must be in [0, 1], got 1.5"),
        (&["--play", "self", "--depth", "0"], "`--depth` must be in [1, 64], got 0"),
        (&["--play", "self", "--max-plies", "8"], "`--max-plies` must be above `--random-plies`, got 8"),
        (&["--play", "self", "--batch-games", "0"], "`--batch-games` must be in [1, 10000], got 0"),
        (
            &["--play", "self", "--random-plies", "0", "--explore", "0", "--batch-games", "2"],
            "`--random-plies` must be at least 1 where `--explore` is 0, or a batch would hold the same game",
        ),
        (&["--play", "self", "--opponent-depth", "2"], "`--opponent-depth` must be left out unless"),
        (&["--play", "self", "--mirror"], "`--mirror` must be left out when TD(λ) learns by searching"),
        (&["--play", "self", "--skip-term", "traditional"], "TD(λ) learns by searching, got traditional"),
        (
            &["--play", "self", "--save-games", "games.txt"],
            "cannot tell the format of `games.txt`: expected a name ending in .pgn",
        ),
        (&["--play", "fixed:nothing.safetensors"], "nothing.safetensors"),
        (&["--depth", "2"], "`--depth` must be left out unless `--play` or `--learn-from leaves` is given, got 2"),
        (&["--learn-from", "leaves", "--depth", "65"], "`--depth` must be in [0, 64], got 65"),
        (&["--passes", "2", "--save-games", "x.pgn"], "`--save-games` has no effect without `--play`: leave it out"),
        (&["--curve-points", "2", "--score-games", "9"], "`--score-games` has no effect without `--play`"),
        (&["--by-errors", "--opponent-depth", "2"], "`--opponent-depth` has no effect without `--play`"),
    ] {
        let error = trainer.train(&[&["td"], options].concat(), "run", &["--force"]).refusal();
        assert!(error.contains(message), "{options:?}: {error}");
    }
    for options in [&["--play", "nobody"][..], &["--explore", "0.1"], &["--play", "self", "--passes", "2"]] {
        trainer.train(&[&["td"], options].concat(), "run", &[]).ended(2);
    }
}
