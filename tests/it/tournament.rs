//! Tournaments of a toy game: who plays whom, identifiers of pairs, shards, journals and what becomes of them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use roughboard::arena::{
    AlphaBetaPlayer, Chance, Decided, Decision, Failure, FinishedGame, JournalError, JournalPlace, JournalSource,
    MatchError, MatchResult, MatchSettings, Opening, OpeningSettings, OpeningsError, Pair, Plan, Played, Player,
    RandomPlayer, Schedule, Seat, Shard, Tournament, TournamentResult, parse_openings, random_openings,
};
use roughboard::engine::Clock;
use roughboard::eval::Score;
use roughboard::game::{BoardGame, Game, Notation, Side};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::Silent;
use roughboard::record::to_pgn;
use roughboard::report::matches;
use roughboard::search::{Limits, SearchSettings};
use roughboard::stats::{Holm, Pentanomial, Sprt, Verdict, Wdl};

use crate::command::without_sums;
use crate::toys::{LineCounter, SmallConnect};

type Toy = Tournament<SmallConnect>;

/// A player that counts lines and likes the centre by `centre`, and looks so far ahead.
fn evaluator_of_depth(centre: Score, depth: u32) -> Box<dyn Player<SmallConnect>> {
    Box::new(AlphaBetaPlayer {
        name: format!("centre {centre}"),
        checksum: centre.to_string(),
        evaluator: Box::new(move || Box::new(LineCounter { centre })),
        search: SearchSettings { transposition_mb: 1, quiescence_plies: 3, ..SearchSettings::default() },
        limits: Limits::to_depth(depth).unwrap(),
    })
}

fn evaluator(centre: Score) -> Box<dyn Player<SmallConnect>> {
    evaluator_of_depth(centre, 1)
}

fn openings(count: usize) -> Vec<Opening<SmallConnect>> {
    random_openings(OpeningSettings { count, plies: 3, seed: 5, at_most: false }, 0).unwrap()
}

/// Four entrants, one of whom moves at random.
fn entrants() -> Vec<Box<dyn Player<SmallConnect>>> {
    vec![evaluator(0), evaluator(4), Box::new(RandomPlayer), evaluator(9)]
}

fn tournament(settings: &MatchSettings) -> Toy {
    Tournament::new(entrants(), openings(settings.games / 2), settings, Vec::new()).unwrap()
}

fn settings(games: usize, schedule: Schedule) -> MatchSettings {
    MatchSettings { games, schedule, ..MatchSettings::default() }
}

fn played<'t>(tournament: &'t Toy, shard: Shard, journal: &Path) -> Played<'t, SmallConnect> {
    tournament.play(shard, Some(JournalPlace::new(journal)), &Silent).unwrap()
}

/// All that was played, as text.
fn bytes(played: &Played<'_, SmallConnect>) -> String {
    let games: Vec<_> = played.records().map(|record| to_pgn(&record.unwrap())).collect();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.jsonl");
    played.write_journal(&journal, |_| Ok::<_, JournalError>(())).unwrap();
    format!("{:?}\n{}\n{}", played.result(), games.join("\n"), fs::read_to_string(journal).unwrap())
}

fn ids(tournament: &Toy) -> Vec<String> {
    tournament.plan().pairs().iter().map(|pair| pair.id.to_string()).collect()
}

#[test]
fn schedules_pair_as_their_names_say() {
    for (schedule, players) in [
        (Schedule::RoundRobin, vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]),
        (Schedule::Gauntlet, vec![[0, 1], [0, 2], [0, 3]]),
        (Schedule::Ladder, vec![[0, 1], [1, 2], [2, 3]]),
    ] {
        let one = tournament(&settings(6, schedule));
        let pairs: Vec<_> = one.plan().pairs().chunks(3).map(|pairs| pairs[0].players).collect();
        assert_eq!(pairs, players);
        assert_eq!(one.plan().games(), 6 * players.len());
        let played = one.play(Shard::WHOLE, None, &Silent).unwrap();
        let result = played.result();
        assert_eq!((played.missing(), result.pairings.len()), (0, players.len()));
        assert!(result.pairings.iter().all(|pairing| pairing.wdl.games() == 6));
        let games: u64 = result.totals().iter().map(|wdl| wdl.games()).sum();
        assert_eq!(games as usize, 2 * one.plan().games());
    }
}

#[test]
fn a_pair_has_the_same_identifier_in_every_schedule_and_no_other_pair_has_it() {
    let [robin, gauntlet, ladder] = [Schedule::RoundRobin, Schedule::Gauntlet, Schedule::Ladder]
        .map(|schedule| ids(&tournament(&settings(10, schedule))).into_iter().collect::<BTreeSet<_>>());
    assert_eq!(robin.len(), 30);
    assert!(gauntlet.is_subset(&robin) && ladder.is_subset(&robin));
    assert_eq!(gauntlet.intersection(&ladder).count(), 5);
    let few = ids(&tournament(&settings(4, Schedule::Gauntlet)));
    assert!(few.iter().all(|id| gauntlet.contains(id)), "more openings add pairs and change none");
    let seeded = ids(&tournament(&MatchSettings { seed: 2, ..settings(10, Schedule::RoundRobin) }));
    assert!(seeded.iter().all(|id| !robin.contains(id)));
}

#[test]
fn openings_that_are_used_again_make_other_pairs() {
    let settings = MatchSettings { reuse_openings: true, ..settings(12, Schedule::Gauntlet) };
    let again = Tournament::new(entrants(), openings(2), &settings, Vec::new()).unwrap();
    assert_eq!(ids(&again).iter().collect::<HashSet<_>>().len(), 18);
    assert_eq!(again.plan().pairs()[..3].iter().map(|pair| pair.opening).collect::<Vec<_>>(), [0, 1, 0]);
}

/// Identifiers are part of the format of journals: a change would make every journal one of another match.
#[test]
fn value_stability_of_identifiers() {
    let one = tournament(&settings(2, Schedule::Ladder));
    assert_eq!(ids(&one), GOLDEN);
}

/// Those of version 0.2.0: another version may play otherwise, so its games are others.
const GOLDEN: [&str; 3] =
    ["17827feeaebe09cde097f766a581163b", "96d21580972c94617c8692320d93e37e", "276eb04e7f30e94f8042501123b79ad9"];

#[test]
fn a_plan_survives_its_text() {
    let one = tournament(&settings(6, Schedule::RoundRobin));
    let again = Plan::<SmallConnect>::parse(&one.plan().to_text()).unwrap();
    assert_eq!((again.fingerprint(), again.to_text()), (one.plan().fingerprint(), one.plan().to_text()));
    assert_eq!(again.pairs(), one.plan().pairs());
    assert!(Plan::<SmallConnect>::parse("{}").is_err());
    assert!(Plan::<Xiangqi>::parse(&one.plan().to_text()).is_err(), "another game");
    for (from, to) in [("\"players\":[0,1]", "\"players\":[0,7]"), ("\"openings\":[0,", "\"openings\":[9,")] {
        let text = one.plan().to_text().replace(from, to);
        assert!(Plan::<SmallConnect>::parse(&text).unwrap_err().to_string().contains("does not hold together"));
    }
}

#[test]
fn shards_divide_the_pairs_and_their_journals_make_one_match() {
    let folder = tempfile::tempdir().unwrap();
    let one = tournament(&settings(8, Schedule::RoundRobin));
    let whole = bytes(&one.play(Shard::WHOLE, None, &Silent).unwrap());
    let journals: Vec<_> = (1..=4).map(|shard| folder.path().join(format!("{shard}.jsonl"))).collect();
    let mut missing = Vec::new();
    for (number, journal) in (1..).zip(&journals) {
        missing.push(played(&one, Shard::new(number, 4).unwrap(), journal).missing());
    }
    assert_eq!(missing.iter().sum::<usize>(), 3 * one.plan().games());
    let fingerprint = one.plan().fingerprint();
    let collect = |order: &[usize]| {
        let sources: Vec<_> = order.iter().map(|&at| JournalSource { path: &journals[at], fingerprint }).collect();
        let (played, repeated) = one.plan().collect(&sources).unwrap();
        (bytes(&played), played.missing(), repeated)
    };
    assert_eq!(collect(&[0, 1, 2, 3]), (whole.clone(), 0, 0));
    assert_eq!(collect(&[2, 0, 3, 1]), (whole.clone(), 0, 0));
    let again = one.plan().games() - missing[2];
    assert_eq!(collect(&[2, 0, 3, 1, 2]), (whole, 0, again));
    assert_eq!(collect(&[0, 1, 3]).1, again);
}

/// A clear win of 30 pairs at most that a test ends.
fn tested(elo1: f64) -> Toy {
    let settings = MatchSettings { sprt: Some(Sprt { elo1, ..Sprt::default() }), ..settings(60, Schedule::RoundRobin) };
    let two = vec![evaluator(4), Box::new(RandomPlayer)];
    Tournament::new(two, openings(30), &settings, Vec::new()).unwrap()
}

#[test]
fn a_sequential_test_ends_the_match_at_one_pair_whatever_the_threads() {
    let one = tested(300.0);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| one.play(Shard::WHOLE, None, &Silent).unwrap())
    };
    let alone = on(1);
    let test = alone.result().test.unwrap();
    assert_eq!((test.run.verdict, test.most, alone.missing()), (Verdict::AcceptH1, 30, 0));
    let pairs = test.run.pairs.count() as usize;
    assert!((2..30).contains(&pairs), "{pairs}");
    assert_eq!(alone.result().pairings[0].pentanomial, test.run.pairs);
    assert_eq!(bytes(&on(3)), bytes(&alone));
    // The games are those of the match without a test, up to the pair that decided, which was needed.
    let all = Tournament::new(
        vec![evaluator(4), Box::new(RandomPlayer)],
        openings(30),
        &settings(60, Schedule::RoundRobin),
        Vec::new(),
    );
    let all = all.unwrap();
    let rows = |played: &Played<'_, SmallConnect>| played.result().pairings.remove(0).rows;
    let whole = rows(&all.play(Shard::WHOLE, None, &Silent).unwrap());
    assert_eq!(rows(&alone), whole[..2 * pairs]);
    let before = whole[..2 * pairs - 2].chunks(2).map(|pair| (pair[0].result_a, pair[1].result_a));
    assert_eq!(test.sprt.verdict(test.sprt.llr(Pentanomial::of_pairs(before))), Verdict::Continue);
}

#[test]
fn a_match_that_a_test_has_ended_begins_no_further_game() {
    let (one, folder) = (tested(300.0), tempfile::tempdir().unwrap());
    let path = folder.path().join("journal.jsonl");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let play = || pool.install(|| one.play(Shard::WHOLE, Some(JournalPlace::new(&path)), &Silent).unwrap());
    let played = play();
    let expected = bytes(&played);
    played.write_journal::<JournalError>(&path, |_| Ok(())).unwrap();
    drop(played);
    let journal = fs::read(&path).unwrap();
    for _ in 0..10 {
        assert_eq!(bytes(&play()), expected);
        assert!(fs::read(&path).unwrap() == journal, "a game was begun");
    }
}

#[test]
fn a_test_without_a_verdict_ends_with_the_games() {
    let one = tested(1.0);
    let played = one.play(Shard::WHOLE, None, &Silent).unwrap();
    let test = played.result().test.unwrap();
    assert_eq!((test.run.verdict, test.run.pairs.count(), played.missing()), (Verdict::Continue, 30, 0));
}

#[test]
fn a_match_with_a_test_is_of_two_in_one_piece() {
    let sprt = Some(Sprt::default());
    let many =
        Tournament::new(entrants(), openings(2), &MatchSettings { sprt, ..settings(4, Schedule::Ladder) }, Vec::new());
    assert_eq!(many.unwrap_err().to_string(), "`sprt` must be a test of two entrants, got 4");
    let repeated = MatchSettings { sprt, reuse_openings: true, ..settings(4, Schedule::Ladder) };
    let two = entrants().into_iter().take(2).collect();
    let error = Tournament::new(two, openings(2), &repeated, Vec::new()).unwrap_err().to_string();
    assert!(error.starts_with("`reuse_openings` must be false with a sequential test"), "{error}");
    let one = tested(300.0);
    let part = one.play(Shard::new(1, 2).unwrap(), None, &Silent).unwrap_err();
    assert_eq!(part.to_string(), "`shard` must be 1/1 with a sequential test, got 1/2");
    let again = Plan::<SmallConnect>::parse(&one.plan().to_text()).unwrap();
    assert_eq!((again.sprt(), again.fingerprint()), (one.plan().sprt(), one.plan().fingerprint()));
    assert!(Plan::union(vec![again.clone(), again.clone()]).is_ok());
    let error = Plan::union(vec![again, tested(200.0).plan().clone()]).unwrap_err().to_string();
    assert!(error.contains("cannot be put together with another match"), "{error}");
}

#[test]
fn another_game_under_the_same_name_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let one = tournament(&settings(2, Schedule::Ladder));
    let journals = ["a.jsonl", "b.jsonl"].map(|name| folder.path().join(name));
    played(&one, Shard::WHOLE, &journals[0]);
    let text = without_sums(&fs::read_to_string(&journals[0]).unwrap());
    let fingerprint = one.plan().fingerprint();
    let sources = journals.each_ref().map(|path| JournalSource { path, fingerprint });
    for (from, to, problem) in [
        ("\"reason\":\"", "\"reason\":\"no ", ", the line says that "),
        ("\"nodes\":[", "\"nodes\":[1", "differs from an earlier record of the same game"),
        ("\"pair\":\"", "\"pair\":\"x", "no such pair in the plan"),
        ("\"game\":1", "\"game\":3", "expected game 1 or 2 of a pair"),
        ("\"game\":2", "\"game\":0", "expected game 1 or 2 of a pair"),
    ] {
        fs::write(&journals[1], text.replacen(from, to, 1)).unwrap();
        let error = one.plan().collect(&sources).unwrap_err().to_string();
        assert!(error.contains("b.jsonl`, line ") && error.contains(problem), "{error}");
    }
    fs::write(&journals[1], &text[..text.len() - 9]).unwrap();
    assert_eq!(one.plan().collect(&sources).unwrap().1, 5, "a torn line is passed over");
    let other = tournament(&settings(4, Schedule::Ladder));
    let error = other.play(Shard::WHOLE, Some(JournalPlace::new(&journals[0])), &Silent).unwrap_err();
    assert!(
        matches!(error, MatchError::Journal(_)) && error.to_string().contains("belongs to another match"),
        "{error}"
    );
}

#[test]
fn plans_that_overlap_are_joined_whatever_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let plans = [settings(4, Schedule::Gauntlet), settings(6, Schedule::Ladder), settings(2, Schedule::RoundRobin)];
    let parts = plans.each_ref().map(tournament);
    let journals = ["a", "b", "c"].map(|name| folder.path().join(name));
    parts.iter().zip(&journals).for_each(|(part, journal)| drop(played(part, Shard::WHOLE, journal)));
    let joined = |order: [usize; 3]| {
        let plan = Plan::union(order.map(|at| parts[at].plan().clone()).into()).unwrap();
        let source = |at: usize| JournalSource { path: &journals[at], fingerprint: parts[at].plan().fingerprint() };
        let (played, repeated) = plan.collect(&order.map(source)).unwrap();
        (plan.to_text(), bytes(&played), played.missing(), repeated)
    };
    let (text, games, missing, repeated) = joined([0, 1, 2]);
    let all: BTreeSet<_> = parts.iter().flat_map(ids).collect();
    assert_eq!(Plan::<SmallConnect>::parse(&text).unwrap().games(), 2 * all.len());
    assert_eq!((missing, repeated), (0, parts.iter().map(|part| part.plan().games()).sum::<usize>() - 2 * all.len()));
    assert_eq!(joined([2, 0, 1]), (text, games, missing, repeated));
    let deeper = vec![evaluator_of_depth(0, 2), evaluator_of_depth(4, 2)];
    let other = Tournament::new(deeper, openings(1), &settings(2, Schedule::Ladder), Vec::new()).unwrap();
    let error = Plan::union(vec![parts[0].plan().clone(), other.plan().clone()]).unwrap_err().to_string();
    assert!(error.contains("differ in entrant `centre "), "{error}");
}

/// Games do not stay in memory: they are read back where they were written, even if another journal has that name now.
#[test]
fn games_are_read_back_from_their_journal_and_a_change_there_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let one = tournament(&settings(4, Schedule::Gauntlet));
    let games = played(&one, Shard::WHOLE, &path);
    let whole = bytes(&games);
    let replaced = path.with_extension("old");
    fs::rename(&path, &replaced).unwrap();
    fs::write(&path, "another").unwrap();
    assert_eq!(bytes(&games), whole);
    let text = fs::read_to_string(&replaced).unwrap();
    fs::write(&replaced, text.replacen("\"result\"", "\"tluser\"", 2)).unwrap();
    let errors: Vec<String> = games.games().filter_map(|game| Some(game.err()?.to_string())).collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("journal.jsonl`, line ") && errors[0].contains("not a record of a game"), "{errors:?}");
    assert_eq!(games.result(), played(&one, Shard::WHOLE, &folder.path().join("again.jsonl")).result());
}

#[test]
fn moves_are_written_as_they_are_played_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let one = tournament(&settings(4, Schedule::Gauntlet));
    let play = || {
        let place = JournalPlace { pause: Duration::ZERO, ..JournalPlace::new(&path) };
        bytes(&one.play(Shard::WHOLE, Some(place), &Silent).unwrap())
    };
    let whole = bytes(&one.play(Shard::WHOLE, None, &Silent).unwrap());
    assert_eq!(play(), whole);
    let text = fs::read_to_string(&path).unwrap();
    let moves = text.lines().filter(|line| line.contains("\"after\"")).count();
    let games = one.play(Shard::WHOLE, None, &Silent).unwrap();
    let plies: usize = games.games().map(|game| game.unwrap().row.plies - 3).sum();
    assert_eq!(moves, plies, "a line a move");
    // A kill in the middle of any line, among them those of games that go on.
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    for end in ends.iter().step_by(7) {
        fs::write(&path, &text[..end - 1]).unwrap();
        assert_eq!(play(), whole, "cut at byte {end}");
    }
}

#[test]
fn openings_of_random_plies_are_different_and_fixed_by_the_seed() {
    let draw = |count, seed| {
        random_openings::<SmallConnect>(OpeningSettings { count, plies: 3, seed, at_most: false }, 0).unwrap()
    };
    let keys = |openings: &[Opening<SmallConnect>]| openings.iter().map(|one| one.position().key()).collect::<Vec<_>>();
    let drawn = draw(30, 1);
    assert_eq!(keys(&drawn).iter().collect::<HashSet<_>>().len(), 30);
    assert!(drawn.iter().all(|opening| opening.moves.len() == 3));
    assert_eq!(keys(&draw(10, 1)), keys(&drawn)[..10]);
    assert_ne!(keys(&draw(30, 2)), keys(&drawn));
    let one = OpeningSettings { count: 17, plies: 1, seed: 1, at_most: false };
    let error = random_openings::<SmallConnect>(one, 0).unwrap_err();
    let origin = "different, unfinished positions after 1 random plies".to_owned();
    assert_eq!(error, OpeningsError::TooFew { wanted: 17, found: 16, origin });
}

#[test]
fn a_list_of_positions_is_read_with_the_place_of_its_mistakes() {
    let start = Xiangqi::start().notation();
    let other = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1";
    let list = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let read = |text: &str| parse_openings::<Xiangqi>(&[list("l.fen", text)]).map(|openings| openings.len());
    assert_eq!(read(&format!("# two\n\n{start} ; the start\n{other}\n")).unwrap(), 2);
    assert_eq!(read(&format!("\u{feff}# two\n{start}\n{other}\n")).unwrap(), 2);
    assert_eq!(read("").unwrap(), 0);
    let error = |text: &str| read(text).unwrap_err().to_string();
    assert!(error(&format!("{start}\nnonsense\n")).starts_with("`l.fen`, line 2: "));
    assert_eq!(error(&format!("{start}\n\n{start}")), "`l.fen`, line 3: the same position as in line 1");
    let again = parse_openings::<Xiangqi>(&[list("a", &start), list("b", &format!("{other}\n{start}"))]).unwrap_err();
    assert_eq!(again.to_string(), "`b`, line 2: the same position as in line 1 of `a`");
    let mated = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1";
    assert!(error(mated).starts_with("`l.fen`, line 1: the game is over in this position"), "{}", error(mated));
}

/// A kind of player that the library does not know: it plays the first legal move.
#[derive(Debug)]
struct FirstMove;

impl<G: BoardGame> Player<G> for FirstMove {
    fn name(&self) -> &str {
        "first move"
    }

    fn identity(&self) -> serde_json::Value {
        "first-move".into()
    }

    fn sit(&self, _chance: Chance, _side: Side) -> Result<Box<dyn Seat<G>>, Failure> {
        Ok(Box::new(Self))
    }
}

impl<G: BoardGame> Seat<G> for FirstMove {
    fn decide(&mut self, position: &mut G, _line: &Opening<G>, _clocks: Option<[Clock; 2]>) -> Decided<G::Move> {
        Ok(position.moves().first().copied().map(Decision::silent))
    }
}

#[test]
fn a_new_kind_of_player_takes_part_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let players: Vec<Box<dyn Player<SmallConnect>>> = vec![Box::new(FirstMove), evaluator(4), Box::new(RandomPlayer)];
    let one = Tournament::new(players, openings(3), &settings(6, Schedule::RoundRobin), Vec::new()).unwrap();
    let journal = folder.path().join("journal.jsonl");
    let whole = bytes(&played(&one, Shard::WHOLE, &journal));
    assert_eq!(bytes(&played(&one, Shard::WHOLE, &journal)), whole, "the journal knows it again");
    assert_eq!(one.plan().names(), ["first move", "centre 4", "random"]);
    let games = one.play(Shard::WHOLE, None, &Silent).unwrap();
    for (record, game) in games.records().zip(games.games()) {
        let (mut position, FinishedGame { row, played, .. }) = (record.unwrap().start, game.unwrap());
        for (ply, &mv) in played.moves.iter().enumerate() {
            let mover = [&row.first, &row.second][position.side_to_move().index()];
            let moves = position.moves();
            assert!(ply < 3 || mover != "first move" || mv == moves[0], "ply {ply} of game {}", row.game);
            position.play(mv);
        }
    }
}

#[test]
fn what_cannot_be_a_tournament_is_refused() {
    let refuse = |entrants: Vec<Box<dyn Player<SmallConnect>>>| {
        let settings = settings(2, Schedule::RoundRobin);
        Tournament::new(entrants, openings(1), &settings, Vec::new()).unwrap_err().to_string()
    };
    assert_eq!(refuse(vec![Box::new(RandomPlayer)]), "`entrants` must be at least two, got 1");
    let twice = refuse(vec![Box::new(RandomPlayer), evaluator(0), Box::new(RandomPlayer)]);
    assert_eq!(twice, "`entrants` must be of different names, got `random` twice");
}

#[test]
fn every_pair_is_in_exactly_one_shard() {
    let one = tournament(&settings(40, Schedule::RoundRobin));
    let pairs: Vec<Pair> = one.plan().pairs().to_vec();
    let folder = tempfile::tempdir().unwrap();
    let games: Vec<usize> = (1..=3)
        .map(|number| {
            let journal = folder.path().join(number.to_string());
            let played = played(&one, Shard::new(number, 3).unwrap(), &journal);
            one.plan().games() - played.missing()
        })
        .collect();
    assert_eq!(games.iter().sum::<usize>(), 2 * pairs.len());
    assert!(games.iter().all(|&games| games > pairs.len() / 3), "lopsided: {games:?}");
}

/// A pairing that came to these games won, drawn and lost.
fn pairing(names: [&str; 2], [wins, draws, losses]: [u64; 3]) -> MatchResult {
    let (names, wdl) = (names.map(str::to_owned), Wdl::new(wins, draws, losses));
    let pentanomial = Pentanomial::default();
    MatchResult {
        names,
        wdl,
        different: wdl,
        pentanomial,
        rows: Vec::new(),
        ends: BTreeMap::new(),
        mean_plies: 0.0,
        nodes: [0, 0],
    }
}

#[test]
fn p_values_do_not_depend_on_who_is_named_first_and_are_never_shown_as_nothing() {
    let of_pairs = |pairs| MatchResult { pentanomial: Pentanomial::new(pairs), ..pairing(["a", "b"], [2, 0, 2]) };
    let tests = matches::tests(&[of_pairs([0, 0, 0, 0, 100]), of_pairs([100, 0, 0, 0, 0])]);
    let [Holm { adjusted: one, .. }, Holm { adjusted: other, .. }] = tests[..] else { panic!("two tests") };
    assert_eq!(one, other);
    assert!(0.0 < one && one < 1e-29, "{one}");
    let shown = matches::pairings(&[of_pairs([0, 0, 0, 0, 100]), of_pairs([0, 0, 9, 0, 0])]).to_text();
    assert!(shown.contains("< 0.001") && shown.contains("1.000"), "{shown}");
}

/// Two whose ratings are 0 but for rounding, whichever way it goes, stand in the order in which they entered.
#[test]
fn rounding_does_not_decide_between_equal_ratings() {
    for (wins, draws, losses) in
        (4..10).flat_map(|wins| (0..3).flat_map(move |draws| (1..4).map(move |losses| (wins, draws, losses))))
    {
        let games = [wins, 0, losses];
        let pairings = vec![
            pairing(["one", "other"], [1, draws, 1]),
            pairing(["strong", "one"], games),
            pairing(["strong", "other"], games),
            pairing(["one", "weak"], games),
            pairing(["other", "weak"], games),
        ];
        let entered = ["one", "other", "strong", "weak"].map(str::to_owned);
        let result = TournamentResult::of(entered.into(), pairings);
        let ranked: Vec<&str> = matches::ranked(&result).iter().map(|place| place.name).collect();
        assert_eq!(ranked, ["strong", "one", "other", "weak"], "{games:?}, {draws} drawn");
    }
}

#[test]
fn standings_without_ratings_say_why() {
    let games = pairing(["a", "c"], [1, 0, 0]);
    let result = TournamentResult::of(["a", "b"].map(str::to_owned).into(), vec![games]);
    let why = "there are no ratings: encounter 1: expected entrants below 2, found 2";
    assert_eq!(matches::unrated(&result).as_deref(), Some(why));
    assert!(matches::standings(&result).to_text().starts_with(&format!("Standings ({why})\n")));
    let rated = TournamentResult::of(["a", "c"].map(str::to_owned).into(), vec![pairing(["a", "c"], [2, 0, 1])]);
    assert_eq!((matches::unrated(&rated), matches::standings(&rated).caption), (None, "Standings".to_owned()));
}
