//! The feature sets: what they say of positions, which positions are learned from, and with which targets.

use rayon::ThreadPoolBuilder;
use roughboard::eval::Catalogue;
use roughboard::eval::xiangqi::{Traditional, XiangqiFeatures};
use roughboard::eval::{Evaluator, SkipTerm};
use roughboard::features::FeatureSet;
use roughboard::game::symmetry::Symmetry;
use roughboard::game::{Game, Outcome, SearchHints, Side};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::Silent;
use roughboard::record::{GameRecord, supplied};
use roughboard::runs::training::{Data, DataSettings, LearnError};
use roughboard::search::{Leaf, Quiescence, expected_result, minimax};
use roughboard::train::{PositionAccount, PositionSelection, PositionSet, Teacher};

/// The first games of those that come with the program.
pub fn records(n: usize) -> Vec<GameRecord<Xiangqi>> {
    let (mut records, _) = supplied::games::<Xiangqi>().unwrap().unwrap();
    records.truncate(n);
    records
}

fn sets() -> Vec<XiangqiFeatures> {
    XiangqiFeatures::NAMES.iter().map(|name| XiangqiFeatures::from_name(name).unwrap()).collect()
}

fn settings() -> DataSettings {
    DataSettings::from_ply(10, 0.25, 1)
}

fn data(n: usize, settings: DataSettings) -> Data {
    Data::new(&records(n), Vec::new(), settings, 7, &Silent).unwrap()
}

fn teacher(depth: u32) -> Option<Teacher> {
    Some(Teacher { evaluator: "traditional".into(), depth })
}

fn codes_of(set: &XiangqiFeatures, position: &Xiangqi) -> Vec<u8> {
    let mut codes = vec![0; set.n_attributes()];
    set.encode(position, &mut codes);
    codes
}

/// Calls `check` on every position of some games.
fn on_positions(games: usize, mut check: impl FnMut(&Xiangqi)) {
    records(games).iter().for_each(|game| game.replay(|position, _| check(position)));
}

#[test]
fn attributes_have_ascending_values_an_input_each_and_names_of_their_own() {
    for set in sets() {
        let specs = set.attributes();
        assert_eq!(specs.len(), set.n_attributes());
        let mut names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), specs.len());
        for spec in &specs {
            // `king-relative` has the most: 132 places and none.
            assert!(
                spec.values.len() <= 133 && spec.values.len() == spec.inputs.len(),
                "{}: {}",
                set.name(),
                spec.name
            );
            assert!(spec.values.windows(2).all(|pair| pair[0] < pair[1]), "{}: {}", set.name(), spec.name);
            assert!(spec.inputs.iter().all(|input| input.abs() <= 1.5), "{}: {}", set.name(), spec.name);
        }
    }
}

#[test]
fn raw_bytes_tell_the_codes_and_codes_are_within_their_attributes() {
    for set in sets() {
        let specs = set.attributes();
        let mut raw = vec![0; set.n_attributes()];
        on_positions(4, |position| {
            let codes = codes_of(&set, position);
            let n_in_memory = set.raw_in_memory(position).len();
            raw[..n_in_memory].copy_from_slice(set.raw_in_memory(position));
            set.write_raw(position, &mut raw[n_in_memory..]);
            for (attribute, (&raw, &code)) in raw.iter().zip(&codes).enumerate() {
                assert_eq!(set.code_of_raw(attribute, raw), code, "{}: {}", set.name(), specs[attribute].name);
                assert!(usize::from(code) < specs[attribute].values.len(), "{}: {}", set.name(), specs[attribute].name);
            }
        });
    }
}

/// Mirroring keeps every term and exchanging colours exchanges what is Red's and Black's, or turns signs.
#[test]
fn terms_see_symmetries_as_they_are() {
    let set = XiangqiFeatures::from_name("terms").unwrap();
    let specs = set.attributes();
    let values = |position: &Xiangqi| -> Vec<i32> {
        codes_of(&set, position).iter().zip(&specs).map(|(&code, spec)| spec.values[usize::from(code)]).collect()
    };
    on_positions(6, |position| {
        let here = values(position);
        assert_eq!(values(&Symmetry::mirror().unwrap().position(position)), here);
        let exchanged = values(&position.exchanged());
        for (attribute, spec) in specs.iter().enumerate() {
            let expected = match spec.name.strip_prefix("red_").map(|rest| format!("black_{rest}")) {
                Some(other) => here[specs.iter().position(|spec| spec.name == other).unwrap()],
                None if spec.name.starts_with("black_") => continue,
                None if spec.name == "phase" => here[attribute],
                None => -here[attribute],
            };
            assert_eq!(exchanged[attribute], expected, "{}: {position:?}", spec.name);
        }
    });
}

#[test]
fn the_terms_of_a_position_are_those_that_the_evaluator_explains() {
    let set = XiangqiFeatures::from_name("terms").unwrap();
    let specs = set.attributes();
    on_positions(4, |position| {
        let codes = codes_of(&set, position);
        for share in Traditional::default().explain(position) {
            let Some(attribute) = specs.iter().position(|spec| spec.name == share.term.name()) else { continue };
            let values = &specs[attribute].values;
            let value = values[usize::from(codes[attribute])];
            let reached =
                |&&value: &&i32| value.signum() * share.lead().signum() >= 0 && value.abs() <= share.lead().abs();
            let expected = values.iter().filter(reached).max_by_key(|value| value.abs());
            assert_eq!(Some(&value), expected, "{}: {}", share.term.name(), share.lead());
        }
    });
}

#[test]
fn only_quiet_positions_are_kept_and_every_drop_is_counted() {
    let selection = PositionSelection { quiescent_only: true, ..PositionSelection::from_ply(10) };
    let chosen = data(8, DataSettings { selection, teacher: teacher(0), ..settings() });
    let mut expected = PositionAccount::default();
    let mut quiescence = Quiescence::new(Xiangqi::evaluator_factory("traditional").unwrap()());
    for record in records(8) {
        let mut position = record.start.clone();
        for &mv in &record.moves {
            let is_opening = position.plies() < 10;
            let in_check = !is_opening && position.in_check();
            let standing = Traditional::default().evaluate(&position);
            let is_noisy = !is_opening && !in_check && quiescence.value(&mut position.clone()) != standing;
            expected.seen += 1;
            expected.opening += usize::from(is_opening);
            expected.in_check += usize::from(in_check);
            expected.not_quiet += usize::from(is_noisy);
            position.play(mv);
        }
    }
    assert_eq!(chosen.training.account() + chosen.held_out.account(), expected);
    assert_eq!(chosen.training.len() + chosen.held_out.len(), expected.kept());
    assert!(expected.in_check > 0 && expected.not_quiet > 0 && expected.kept() > 0, "{expected}");
}

#[test]
fn a_teachers_targets_are_values_of_its_search() {
    let searched = data(4, DataSettings { result_share: 0.0, teacher: teacher(1), ..settings() });
    let mixed = data(4, DataSettings { result_share: 0.25, teacher: teacher(1), ..settings() });
    let set = &searched.training;
    assert_eq!(mixed.training.results(), set.results());
    for ((mixed, value), result) in mixed.training.targets().iter().zip(set.targets()).zip(set.results()) {
        approx::assert_abs_diff_eq!(*mixed, 0.25 * result + 0.75 * value, epsilon = 1e-6);
    }
    assert!(set.targets().iter().all(|value| value.abs() <= 1.0));
    assert_eq!(searched.held_out.targets(), searched.held_out.results(), "errors are those of the results");
    assert_ne!(set.targets(), set.results());
}

#[test]
fn quiescence_alone_gives_nearly_always_the_value_of_plain_quiescence() {
    let mut quiescence = Quiescence::new(Xiangqi::evaluator_factory("traditional").unwrap()());
    let mut differ = 0;
    let mut seen = 0;
    on_positions(1, |position| {
        let mut evaluator = Traditional::default();
        let leaf = Leaf::Quiescence { plies: 4 };
        let reference = minimax(&mut position.clone(), &mut evaluator, 0, leaf).score;
        let value = quiescence.value(&mut position.clone());
        seen += 1;
        differ += usize::from(reference != value);
        assert!(expected_result(quiescence.evaluator(), value).abs() <= 1.0);
        assert_eq!(quiescence.static_value(position), evaluator.evaluate(position));
    });
    // Quiet checks, losing captures and the depth are all that tells them apart.
    assert!(differ * 4 < seen, "{differ} of {seen}");
}

#[test]
fn offsets_are_the_skip_terms_word_for_the_side_that_moves_first() {
    let skip = |scale| Some(SkipTerm { evaluator: "traditional:material".into(), scale });
    let plain = data(4, settings());
    assert_eq!(plain.training.offsets(), None);
    let one = data(4, DataSettings { skip: skip(1.0), ..settings() });
    let half = data(4, DataSettings { skip: skip(0.5), ..settings() });
    let (one, half) = (one.training.offsets().unwrap(), half.training.offsets().unwrap());
    assert_eq!(one.len(), plain.training.len());
    let values = [20, 120, 125, 270, 285, 600];
    for (position, (one, half)) in one.iter().zip(half).enumerate() {
        let leads = plain.training.leads(position);
        let lead: i32 = leads.iter().zip(values).map(|(&lead, value)| i32::from(lead) * value).sum();
        approx::assert_abs_diff_eq!(*one, (lead as f32 / 600.0).clamp(-3.0, 3.0), epsilon = 1e-3);
        approx::assert_abs_diff_eq!(*half, one / 2.0, epsilon = 1e-6);
    }
}

/// What `data` makes of a set-up in which mirroring, exchanging and doing both are told apart.
#[test]
fn copies_follow_their_game_with_their_moves_results_targets_and_offsets() {
    let asked = DataSettings {
        result_share: 0.5,
        teacher: teacher(0),
        skip: Some(SkipTerm { evaluator: "traditional".into(), scale: 1.0 }),
        ..settings()
    };
    let plain = data(8, asked.clone());
    let selection = PositionSelection { mirror: true, flip_colours: true, ..asked.selection };
    let copied = data(8, DataSettings { selection, ..asked });
    assert_eq!(*copied.held_out, *plain.held_out, "held-out games have no copies");
    let (plain, copied) = (&plain.training, &copied.training);
    assert_eq!(copied.games().len(), 4 * plain.games().len());
    assert_eq!(copied.account().copies, 3 * plain.len());
    assert_eq!(copied.account().kept(), plain.len());
    let signs = [1.0, 1.0, -1.0, -1.0];
    for (number, range) in copied.games().iter().enumerate() {
        let (original, sign) = (plain.games()[number / 4].clone(), signs[number % 4]);
        assert_eq!(range.len(), original.len());
        for (here, there) in range.clone().zip(original) {
            assert_eq!(copied.results()[here], sign * plain.results()[there]);
            assert_eq!(copied.targets()[here], sign * plain.targets()[there]);
            assert_eq!(copied.offsets().unwrap()[here], sign * plain.offsets().unwrap()[there]);
        }
    }
    let expected = copies_by_hand(&records(8), &Symmetry::both().unwrap());
    let read = PositionSet::from_records(&expected, &XiangqiFeatures::default(), 10);
    let both = copied.games().iter().skip(3).step_by(4);
    let rows = |set: &PositionSet, range: &std::ops::Range<usize>| {
        (
            set.rows(range.clone()).iter().flatten().copied().collect::<Vec<_>>(),
            set.continuations()[range.clone()].to_vec(),
        )
    };
    let known: Vec<_> = read.games().iter().map(|range| rows(&read, range)).collect();
    for range in both {
        assert!(known.contains(&rows(copied, range)), "not the image of a game");
    }
}

fn copies_by_hand(records: &[GameRecord<Xiangqi>], symmetry: &Symmetry<Xiangqi>) -> Vec<GameRecord<Xiangqi>> {
    let copy = |record: &GameRecord<Xiangqi>| {
        let mut copy = GameRecord::new(symmetry.position(&record.start));
        record.moves.iter().for_each(|&mv| copy.push(symmetry.mv(&record.start, mv), None));
        copy.outcome = Some(Outcome::Draw);
        copy
    };
    records.iter().map(copy).collect()
}

#[test]
fn the_set_does_not_depend_on_the_number_of_threads() {
    let selection = PositionSelection { quiescent_only: true, mirror: true, ..PositionSelection::from_ply(30) };
    let on = |threads| {
        let asked = DataSettings { selection, result_share: 0.5, teacher: teacher(2), ..settings() };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| data(6, asked)).training
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn baselines_are_the_same_whatever_the_features() {
    let of = |features: &str| data(60, DataSettings { features: features.into(), ..settings() }).baselines;
    let expected = of("board91");
    assert_eq!(expected.material_weights.len(), 6);
    for name in XiangqiFeatures::NAMES {
        assert_eq!(of(name), expected, "{name}");
    }
}

#[test]
fn data_with_nothing_left_or_nobody_to_ask_is_refused() {
    let refusal = |settings: DataSettings| -> LearnError {
        Data::new(&records(8), Vec::new(), settings, 7, &Silent).err().unwrap()
    };
    let lonely = refusal(DataSettings { result_share: 0.5, ..settings() }).to_string();
    assert!(lonely.starts_with("`teacher` must be an evaluator"), "{lonely}");
    let unknown = refusal(DataSettings { features: "board92".into(), ..settings() }).to_string();
    assert!(unknown.starts_with("unknown features `board92`: expected one of board91"), "{unknown}");
    let share = refusal(DataSettings { result_share: 1.5, teacher: teacher(0), ..settings() }).to_string();
    assert_eq!(share, "`result_share` must be in [0, 1], got 1.5");
    let skip = Some(SkipTerm { evaluator: "nowhere".into(), scale: 1.0 });
    let skip = refusal(DataSettings { skip, ..settings() }).to_string();
    assert_eq!(skip, "`skip.evaluator` must be a built-in evaluator, got nowhere");
}

#[test]
fn sides_are_told_apart_by_the_last_attribute_of_every_set() {
    for set in sets() {
        on_positions(1, |position| {
            let side = set.attributes().pop().unwrap();
            let code = *codes_of(&set, position).last().unwrap();
            let expected = if position.side_to_move() == Side::First { 1 } else { -1 };
            assert_eq!((side.name.as_str(), side.values[usize::from(code)]), ("side", expected));
        });
    }
}
