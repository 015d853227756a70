//! Openings, games, matches with their journal, and games that are made, on a toy game.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use roughboard::arena::{
    Adjudication, AlphaBetaPlayer, FinishedMatch, Generation, GenerationSettings, JournalPlace, MatchError,
    MatchSettings, Opening, OpeningSettings, OpeningsError, Player, Shard, Tournament, draw_openings,
};
use roughboard::eval::Score;
use roughboard::game::playout::random_moves;
use roughboard::game::{Game, Notation};
use roughboard::observe::Silent;
use roughboard::random;
use roughboard::record::{GameRecord, to_pgn};
use roughboard::search::{Limits, SearchSettings};

use crate::command::without_sums;
use crate::toys::{LineCounter, SmallConnect};

/// A player that counts lines and likes the centre by `centre`.
fn player(name: &str, centre: Score) -> AlphaBetaPlayer<SmallConnect> {
    AlphaBetaPlayer {
        name: name.to_owned(),
        checksum: format!("centre {centre}"),
        evaluator: Box::new(move || Box::new(LineCounter { centre })),
        search: SearchSettings { transposition_mb: 1, quiescence_plies: 3, ..SearchSettings::default() },
        limits: Limits::to_depth(1).unwrap(),
    }
}

fn boxed(name: &str, centre: Score) -> Box<dyn Player<SmallConnect>> {
    Box::new(player(name, centre))
}

/// Whole games of random moves.
fn database(games: u64) -> Vec<GameRecord<SmallConnect>> {
    let record = |number| {
        let mut position = SmallConnect::start();
        let mut record = GameRecord::new(SmallConnect::start());
        random_moves(&mut position, 16, &mut random::stream(1, "arena tests", number), |_| ());
        let mut replayed = SmallConnect::start();
        while replayed.notation() != position.notation() {
            let mv = position.move_made(replayed.plies());
            record.push(mv, None);
            replayed.play(mv);
        }
        record
    };
    (0..games).map(record).collect()
}

fn openings(count: usize) -> Vec<Opening<SmallConnect>> {
    draw_openings(&database(60), OpeningSettings { count, plies: 4, seed: 5, at_most: false }).unwrap()
}

fn match_of(
    players: [Box<dyn Player<SmallConnect>>; 2],
    openings: Vec<Opening<SmallConnect>>,
    settings: &MatchSettings,
) -> Result<Tournament<SmallConnect>, MatchError> {
    Tournament::new(players.into(), openings, settings, Vec::new())
}

fn a_match([a, b]: [AlphaBetaPlayer<SmallConnect>; 2], games: usize) -> Tournament<SmallConnect> {
    let settings = MatchSettings { games, ..MatchSettings::default() };
    match_of([Box::new(a), Box::new(b)], openings(games / 2), &settings).unwrap()
}

fn play(game: &Tournament<SmallConnect>, journal: Option<&Path>) -> Result<FinishedMatch<SmallConnect>, MatchError> {
    Ok(game.play(Shard::WHOLE, journal.map(JournalPlace::new), &Silent)?.finished_match()?)
}

/// All that a match gives, as text.
fn bytes(finished: &FinishedMatch<SmallConnect>) -> String {
    let games: Vec<_> = finished.records.iter().map(to_pgn).collect();
    format!("{:?}\n{}", finished.result, games.join("\n"))
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads() {
    let play = || play(&a_match([player("a", 0), player("b", 4)], 30), None).unwrap();
    let [one, two] = [1, 2].map(|threads| on_threads(threads, play));
    assert_eq!(bytes(&one), bytes(&two));
    let result = one.result;
    assert_eq!((result.rows.len(), result.wdl.games(), result.pentanomial.count()), (30, 30, 15));
    assert_eq!(result.ends.values().sum::<u64>(), 30);
    assert!(result.wdl.wins > 0 && result.wdl.losses > 0, "a lopsided toy tests little: {:?}", result.wdl);
    assert_eq!(result.nodes[0], result.rows.iter().map(|row| row.nodes_a).sum::<u64>());
}

#[test]
fn each_opening_is_played_with_both_colours() {
    let finished = play(&a_match([player("a", 0), player("b", 4)], 8), None).unwrap();
    for (pair, rows) in finished.result.rows.chunks(2).enumerate() {
        assert_eq!([&rows[0].first, &rows[0].second], ["a", "b"]);
        assert_eq!([&rows[1].first, &rows[1].second], ["b", "a"]);
        assert_eq!([rows[0].opening, rows[1].opening], [pair + 1; 2]);
    }
    let given = openings(4);
    for (game, record) in finished.records.iter().enumerate() {
        let opening = &given[game / 2];
        assert_eq!(record.moves[..opening.moves.len()], opening.moves);
        let first = ["a", "b"][game % 2];
        assert_eq!((record.tag("Cross"), record.tag("Round")), (Some(first), Some((game + 1).to_string().as_str())));
        assert_eq!(record.tag("Opening"), Some((game / 2 + 1).to_string().as_str()));
    }
}

#[test]
fn every_played_move_says_what_its_player_thought() {
    let finished = play(&a_match([player("a", 0), player("b", 4)], 4), None).unwrap();
    for (record, row) in finished.records.iter().zip(&finished.result.rows) {
        let given = if row.opening == 1 { 0 } else { 4 };
        assert!(record.comments[..given].iter().all(Option::is_none));
        let mut nodes = 0;
        for comment in &record.comments[given..] {
            let comment = comment.as_deref().unwrap();
            let (expected, rest) = comment.split_once('/').unwrap();
            let (depth, visited) = rest.split_once(' ').unwrap();
            assert!(expected.starts_with(['+', '-']) && (-1.0..=1.0).contains(&expected.parse::<f64>().unwrap()));
            assert_eq!(depth, "1");
            nodes += visited.parse::<u64>().unwrap();
        }
        assert_eq!(nodes, row.nodes_a + row.nodes_b);
    }
}

#[test]
fn records_end_as_the_rules_say() {
    let finished = play(&a_match([player("a", 0), player("b", 4)], 10), None).unwrap();
    for record in &finished.records {
        let mut position = record.start.clone();
        record.moves.iter().for_each(|&mv| position.play(mv));
        let end = position.end().unwrap();
        assert_eq!((record.outcome, record.tag("Termination")), (Some(end.outcome), Some(end.reason)));
    }
}

#[test]
fn swapping_the_players_mirrors_the_result() {
    let play = |players| play(&a_match(players, 30), None).unwrap().result;
    let there = play([player("a", 0), player("b", 4)]);
    let back = play([player("b", 4), player("a", 0)]);
    assert_eq!((there.wdl, there.pentanomial), (back.wdl.swapped(), back.pentanomial.swapped()));
    assert_eq!((there.nodes, &there.ends), ([back.nodes[1], back.nodes[0]], &back.ends));
    for (pair, mirrored) in there.rows.chunks(2).zip(back.rows.chunks(2)) {
        assert_eq!(pair[0].result_a, -mirrored[1].result_a);
        assert_eq!(pair[0].plies, mirrored[1].plies);
    }
}

#[test]
fn a_long_game_is_capped() {
    let settings = MatchSettings { games: 6, adjudication: Adjudication::capped(6), ..MatchSettings::default() };
    let capped = match_of([boxed("a", 0), boxed("b", 4)], openings(3), &settings).unwrap();
    let result = play(&capped, None).unwrap().result;
    assert!(result.rows.iter().all(|row| row.plies <= 6));
    let capped = result.rows.iter().filter(|row| row.reason == "ply cap");
    assert!(capped.clone().all(|row| (row.result_a, row.plies) == (0, 6)));
    assert!(capped.count() >= 2);
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    let refuse = |games, openings, names: [&str; 2], ply_cap| {
        let adjudication = Adjudication::capped(ply_cap);
        let settings = MatchSettings { games, adjudication, ..MatchSettings::default() };
        match_of(names.map(|name| boxed(name, 0)), openings, &settings).unwrap_err()
    };
    let names = ["a", "b"];
    assert!(matches!(refuse(7, openings(4), names, 400), MatchError::Setting(_)));
    assert!(matches!(refuse(0, openings(4), names, 400), MatchError::Setting(_)));
    let few = refuse(10, openings(4), names, 400);
    assert!(few.to_string().starts_with("10 games need 5 openings, found 4"), "{few}");
    let capped = refuse(4, openings(2), names, 4).to_string();
    assert_eq!(capped, "`max_plies` must be above the 4 plies of opening 2, got 4");
    let twice = refuse(2, openings(1), ["a", "a"], 400).to_string();
    assert_eq!(twice, "`entrants` must be of different names, got `a` twice");
}

#[test]
fn openings_are_used_again_only_when_allowed() {
    let settings = MatchSettings { games: 6, reuse_openings: true, ..MatchSettings::default() };
    let again = match_of([boxed("a", 0), boxed("b", 4)], openings(2), &settings).unwrap();
    let rows = play(&again, None).unwrap().result.rows;
    assert_eq!(rows.iter().map(|row| row.opening).collect::<Vec<_>>(), [1, 1, 2, 2, 1, 1]);
}

/// A match of eight games whose players count the evaluators that they are asked for: one for each game.
fn counted_match(count: &Arc<AtomicUsize>) -> Tournament<SmallConnect> {
    let mut a = player("a", 0);
    let count = Arc::clone(count);
    a.evaluator = Box::new(move || {
        count.fetch_add(1, Ordering::Relaxed);
        Box::new(LineCounter { centre: 0 })
    });
    a_match([a, player("b", 4)], 8)
}

#[test]
fn a_match_killed_at_any_byte_resumes_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let count = Arc::new(AtomicUsize::new(0));
    let games = counted_match(&count);
    let play = || {
        count.store(0, Ordering::Relaxed);
        let finished = play(&games, Some(&path)).unwrap();
        (bytes(&finished), count.load(Ordering::Relaxed))
    };
    let (whole, played) = play();
    assert_eq!(played, 8);
    let journal = fs::read(&path).unwrap();
    assert_eq!(play(), (whole.clone(), 0), "nothing is left to play");
    assert_eq!(fs::read(&path).unwrap(), journal);
    let lines: Vec<_> = journal.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at).collect();
    assert_eq!(lines.len(), 9);
    // Every byte of the fourth game, and each end of a line.
    for cut in (lines[3]..=lines[4] + 1).chain(lines.iter().map(|newline| newline + 1)).chain([0, 1]) {
        fs::write(&path, &journal[..cut]).unwrap();
        let kept = lines.iter().filter(|&&newline| newline < cut).count().saturating_sub(1);
        assert_eq!(play(), (whole.clone(), 8 - kept), "cut at byte {cut}");
    }
}

#[test]
fn a_journal_serves_its_own_match_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let play = |b, path: &Path| play(&a_match([player("a", 0), b], 2), Some(path));
    play(player("b", 4), &path).unwrap();
    let error = play(player("b", 5), &path).unwrap_err().to_string();
    assert!(error.contains("belongs to another match"), "{error}");
    let deeper = AlphaBetaPlayer { limits: Limits::to_depth(2).unwrap(), ..player("b", 4) };
    assert!(play(deeper, &path).is_err());
    let text = without_sums(&fs::read_to_string(&path).unwrap());
    for (from, to, problem) in [
        ("\"game\":2", "\"game\":3", "game 3: expected game 1 or 2 of a pair"),
        ("\"pair\":\"", "\"pair\":\"0", "no such pair in the plan"),
        ("\"moves\":\"p", "\"moves\":\"q", "move 1: `q"),
        ("\"comments\":[", "\"comments\":[\"\",", "comments, found"),
    ] {
        fs::write(&path, text.replace(from, to)).unwrap();
        let error = play(player("b", 4), &path).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn one_game_told_twice_in_a_journal_must_agree() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let play = || play(&a_match([player("a", 0), player("b", 4)], 2), Some(&path));
    let first = bytes(&play().unwrap());
    let text = without_sums(&fs::read_to_string(&path).unwrap());
    let last = text.lines().last().unwrap();
    fs::write(&path, format!("{text}{last}\n")).unwrap();
    assert_eq!(bytes(&play().unwrap()), first);
    let other = last.replace("\"nodes\":[", "\"nodes\":[1");
    fs::write(&path, format!("{text}{other}\n")).unwrap();
    let error = play().unwrap_err().to_string();
    assert!(error.contains("line 4") && error.contains("differs from an earlier record"), "{error}");
}

#[test]
fn openings_are_different_unfinished_and_fixed_by_the_seed() {
    let games = database(60);
    let draw = |count, seed| draw_openings(&games, OpeningSettings { count, plies: 4, seed, at_most: false }).unwrap();
    let notations = |openings: &[Opening<SmallConnect>]| {
        openings.iter().map(|opening| opening.position().notation()).collect::<Vec<_>>()
    };
    let drawn = draw(40, 5);
    assert_eq!(notations(&drawn).iter().collect::<HashSet<_>>().len(), 40);
    assert!(drawn.iter().all(|opening| opening.position().end().is_none()));
    assert_eq!((drawn[0].moves.len(), drawn[1].moves.len()), (0, 4));
    assert_eq!(notations(&draw(40, 5)), notations(&drawn));
    assert_ne!(notations(&draw(40, 6)), notations(&drawn));
    assert_eq!(notations(&draw(10, 5)), notations(&drawn)[..10], "more openings begin with the same ones");
}

/// The very openings of one seed: a change of the random streams would not go unnoticed.
#[test]
fn value_stability_of_openings() {
    let shown: Vec<_> = openings(4).iter().map(|opening| opening.position().notation()).collect();
    assert_eq!(shown, ["................", "o.....oxx.......", ".xo...x........o", "o......x...o.x.."]);
}

#[test]
fn a_database_that_is_too_small_says_what_it_gave() {
    let mut games = database(5);
    games.extend(database(5));
    let draw =
        |count, plies| draw_openings(&games, OpeningSettings { count, plies, seed: 1, at_most: false }).unwrap_err();
    let origin =
        |plies| format!("the initial position and the different, unfinished positions after {plies} plies of 10 games");
    assert_eq!(draw(20, 4), OpeningsError::TooFew { wanted: 20, found: 6, origin: origin(4) });
    assert_eq!(draw(2, 99), OpeningsError::TooFew { wanted: 2, found: 1, origin: origin(99) });
    assert_eq!(draw(0, 4).to_string(), "`count` must be at least 1, got 0");
}

/// Games of a player against itself.
fn self_play(settings: GenerationSettings) -> Vec<GameRecord<SmallConnect>> {
    let player = player("a", 1);
    let generation =
        Generation { event: "roughboard self-play", players: [&player; 2], drawer: Some(&player), settings };
    generation.play(None, &Silent).unwrap()
}

#[test]
fn self_play_is_varied_and_the_same_on_any_number_of_threads() {
    let settings = GenerationSettings { games: 40, random_plies: 4, margin: 0.5, ..GenerationSettings::default() };
    let [one, two] = [1, 2].map(|threads| on_threads(threads, || self_play(settings)));
    let texts: Vec<_> = one.iter().map(to_pgn).collect();
    assert_eq!(texts, two.iter().map(to_pgn).collect::<Vec<_>>());
    let distinct: HashSet<_> = one.iter().map(|record| record.moves.clone()).collect();
    assert!(distinct.len() > 30, "{} different games of 40", distinct.len());
    for (number, record) in one.iter().enumerate() {
        assert_eq!(record.tag("Round"), Some((number + 1).to_string().as_str()));
        assert!(record.comments[..4].iter().all(Option::is_none));
        assert!(record.comments[4..].iter().all(Option::is_some));
    }
}

#[test]
fn self_play_without_random_plies_repeats_one_game() {
    let settings = GenerationSettings { games: 3, random_plies: 0, ..GenerationSettings::default() };
    let games = self_play(settings);
    assert!(games.iter().all(|game| game.moves == games[0].moves && game.outcome == games[0].outcome));
    assert!(games[0].outcome.is_some());
}
