//! Games with engines of other makes: the same as in process where they should be, and the loss of those that misbehave.

use std::time::Duration;

use roughboard::arena::{
    Adjudication, AlphaBetaPlayer, Chance, DrawRule, EnginePlayer, Opening, PlayedGame, Player, RandomPlayer,
    ResignRule, TimeControl, play_game,
};
use roughboard::engine::Dialect;
use roughboard::engine::client::{Budget, EngineCommand};
use roughboard::eval::Catalogue;
use roughboard::game::{Game, Notation, Outcome, Ranks, Side};
use roughboard::games::xiangqi::{Move, Xiangqi};
use roughboard::search::{Limits, SearchSettings};

use crate::engine_match::roughboard;

const CHANCE: Chance = Chance { seed: 1, game: 0 };

/// The evaluator `name` in process, with a table of one MiB.
pub fn in_process<G: Catalogue>(name: &str, limits: Limits) -> AlphaBetaPlayer<G> {
    AlphaBetaPlayer {
        name: name.to_owned(),
        checksum: String::new(),
        evaluator: G::evaluator_factory(name).unwrap(),
        search: SearchSettings { transposition_mb: 1, ..SearchSettings::of_game::<G>() },
        limits,
    }
}

fn of_depth(depth: u32) -> AlphaBetaPlayer<Xiangqi> {
    in_process("traditional", Limits::to_depth(depth).unwrap())
}

pub fn engine(command: EngineCommand, budget: Budget) -> EnginePlayer {
    EnginePlayer { name: "engine".into(), checksum: String::new(), command, budget }
}

/// The evaluator `name` behind `roughboard engine`, with a table of one MiB.
fn as_process(name: &str, (dialect, ranks): (Dialect, Ranks), budget: Budget) -> EnginePlayer {
    let evaluator = if dialect == Dialect::Uci { "EvalFile" } else { "evalapi" };
    let mut command = roughboard(dialect, ranks);
    command.options.push((evaluator.to_owned(), name.to_owned()));
    engine(command, budget)
}

/// The initial position, one after some moves, and one that begins elsewhere.
fn openings() -> [Opening<Xiangqi>; 3] {
    let after = |start: Xiangqi, texts: &str| {
        let mut position = start.clone();
        let moves = texts.split_whitespace().map(|text| {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            mv
        });
        Opening { moves: moves.collect(), start }
    };
    let middle = "2bakab2/9/2n1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/R1BAKAB2 w - - 0 1";
    [
        Opening::initial(),
        after(Xiangqi::start(), "h2e2 h9g7 h0g2 i9h9 b0c2 b9c7"),
        after(Xiangqi::from_notation(middle).unwrap(), "e2e6 g7e6"),
    ]
}

fn play(players: [&dyn Player<Xiangqi>; 2], opening: &Opening<Xiangqi>, plies: usize) -> PlayedGame<Move> {
    play_game(players, opening, &Adjudication::capped(plies), CHANCE)
}

#[test]
fn a_process_plays_the_games_that_its_evaluator_plays_in_process() {
    let nodes = |nodes| (Limits::to_depth(64).unwrap().and_nodes(nodes).unwrap(), Budget::of_nodes(nodes));
    let three = (Limits::to_depth(3).unwrap(), Budget::to_depth(3));
    let opponent = in_process::<Xiangqi>("traditional:e1+e2+e3", Limits::to_depth(64).unwrap().and_nodes(400).unwrap());
    let uci = (Dialect::Uci, Ranks::FromZero);
    for (name, speaking, (limits, budget)) in [
        ("traditional", uci, nodes(500)),
        ("traditional+endings", (Dialect::Ucci, Ranks::FromZero), nodes(700)),
        ("traditional", (Dialect::Uci, Ranks::FromOne), three),
    ] {
        let (inside, outside) = (in_process::<Xiangqi>(name, limits), as_process(name, speaking, budget));
        for opening in &openings() {
            let [expected, found] =
                [&inside as &dyn Player<Xiangqi>, &outside].map(|player| play([player, &opponent], opening, 90));
            assert_same(&expected, &found);
            let [expected, found] =
                [&inside as &dyn Player<Xiangqi>, &outside].map(|player| play([&opponent, player], opening, 90));
            assert_same(&expected, &found);
        }
    }
}

/// Whether two games are the same but for what a player says of its moves.
fn assert_same(one: &PlayedGame<Move>, other: &PlayedGame<Move>) {
    assert_eq!(one.moves, other.moves);
    assert_eq!((one.outcome, &one.reason, &one.failure), (other.outcome, &other.reason, &other.failure));
    assert!(one.moves.len() > 20 && one.failure.is_none(), "a short game tests little: {one:?}");
}

#[test]
fn moves_of_a_process_carry_its_verdict_depth_and_nodes() {
    let uci = (Dialect::Uci, Ranks::FromZero);
    let process = as_process("traditional", uci, Budget::to_depth(2));
    let game = play([&process, &process], &Opening::initial(), 6);
    for comment in &game.comments {
        assert!(comment.starts_with("cp ") && comment.contains("/2 "), "{comment}");
    }
    assert_eq!((game.reason.as_str(), game.outcome), ("ply cap", Outcome::Draw));
}

#[test]
fn scores_end_games_where_that_is_asked_for() {
    let rooks = Opening { start: position("3aka3/9/9/9/9/9/9/9/8R/R2K5 b - - 0 1"), moves: Vec::new() };
    let resign = |moves, two_sided| Adjudication {
        resign: Some(ResignRule { score: 0.5, moves, two_sided }),
        ..Adjudication::capped(60)
    };
    let (sees_it, blind) = (of_depth(1), RandomPlayer);
    let end = |players: [&dyn Player<Xiangqi>; 2], opening: &Opening<Xiangqi>, orders: &Adjudication| {
        let game = play_game(players, opening, orders, CHANCE);
        (game.reason, game.outcome, game.moves.len())
    };
    let given_up = "adjudicated: resignation by score".to_owned();
    let red = Outcome::Win(Side::First);
    assert_eq!(end([&blind, &sees_it], &rooks, &resign(1, false)), (given_up.clone(), red, 1));
    assert_eq!(end([&sees_it, &sees_it], &rooks, &resign(1, true)), (given_up.clone(), red, 2));
    assert_ne!(end([&blind, &sees_it], &rooks, &resign(1, true)).0, given_up, "a random mover agrees to nothing");
    let draw = DrawRule { score: 0.5, plies: 4, from_ply: 3 };
    let orders = Adjudication { draw: Some(draw), ..Adjudication::capped(60) };
    let level = end([&sees_it, &sees_it], &Opening::initial(), &orders);
    assert_eq!(level, ("adjudicated: draw by score".to_owned(), Outcome::Draw, 6));
    let process = as_process("traditional", (Dialect::Uci, Ranks::FromZero), Budget::to_depth(1));
    assert_eq!(end([&process, &process], &Opening::initial(), &orders), level, "of processes the same");
    assert_eq!(end([&process, &process], &rooks, &resign(1, true)), (given_up, red, 2));
}

fn position(fen: &str) -> Xiangqi {
    Xiangqi::from_notation(fen).unwrap()
}

#[test]
fn a_clock_that_lasts_ends_no_game() {
    let orders = Adjudication {
        clock: Some(TimeControl { base_ms: 20, increment_ms: 1, margin_ms: 600_000 }),
        ..Adjudication::capped(8)
    };
    let unlimited = in_process::<Xiangqi>("traditional", Limits::to_depth(64).unwrap());
    let [uci, ucci] = [(Dialect::Uci, Ranks::FromZero), (Dialect::Ucci, Ranks::FromZero)]
        .map(|speaking| as_process("traditional", speaking, Budget::default()));
    let pairs: [[&dyn Player<Xiangqi>; 2]; 2] = [[&unlimited, &uci], [&ucci, &unlimited]];
    for players in pairs {
        let game = play_game(players, &Opening::initial(), &orders, CHANCE);
        assert_eq!((game.reason.as_str(), game.moves.len(), game.failure), ("ply cap", 8, None));
    }
}

/// Engines made of a few words of shell.
#[cfg(unix)]
mod strange {
    use super::*;
    use crate::command::{Files, roughboard};
    use roughboard::observe::Silent;
    use roughboard::record::{Policy, read_games};
    use std::path::Path;
    use std::process::Command;

    /// An engine whose rook goes to and fro, and that does `then` at its third move; `hello` comes first of all.
    fn script(hello: &str, then: &str) -> String {
        format!(
            "{hello}\n\
             n=0\n\
             while read -r word rest; do\n\
             case $word in\n\
             uci) echo id name strange; echo uciok;;\n\
             isready) echo readyok;;\n\
             position) position=$rest;;\n\
             go) n=$((n + 1))\n\
             if [ $n = 1 ]; then\n\
             case $position in *moves*) mv=a9a8; other=a8a9;; *) mv=a0a1; other=a1a0;; esac\n\
             fi\n\
             if [ $n = 3 ]; then {then}; fi\n\
             echo info depth 1 score cp 5 nodes 1\n\
             echo bestmove $mv\n\
             last=$mv; mv=$other; other=$last;;\n\
             quit) exit 0;;\n\
             esac\n\
             done\n"
        )
    }

    fn shell(file: &Path) -> EnginePlayer {
        let times = Duration::from_millis(500);
        let arguments = vec![file.display().to_string()];
        let command = EngineCommand { arguments, longest: times, ..EngineCommand::new::<Xiangqi>("sh", Dialect::Uci) };
        engine(command, Budget::to_depth(1))
    }

    /// A quiet opponent, which takes nothing that the engine needs for its three moves.
    fn opponent() -> AlphaBetaPlayer<Xiangqi> {
        of_depth(1)
    }

    /// The games of such an engine on both sides; it loses both.
    fn lost(engine: &EnginePlayer, plies: [usize; 2]) -> [(String, String); 2] {
        let opponent = opponent();
        let sides: [[&dyn Player<Xiangqi>; 2]; 2] = [[engine, &opponent], [&opponent, engine]];
        let games = sides.map(|sides| play(sides, &Opening::initial(), 40));
        let outcomes = games.each_ref().map(|game| game.outcome);
        assert_eq!(outcomes, [Side::Second, Side::First].map(Outcome::Win), "{games:?}");
        assert_eq!(games.each_ref().map(|game| game.moves.len()), plies);
        assert!(games.iter().all(|game| game.comments.len() == game.moves.len()));
        games.map(|game| (game.reason, game.failure.unwrap()))
    }

    #[test]
    fn an_engine_that_fails_in_its_third_move_loses_and_the_record_says_how() {
        let files = Files::new();
        for (then, reason, failure) in [
            ("echo out of luck >&2; exit 3", "engine crashed", "(exit status: 3)"),
            ("echo out of luck >&2; exit 3", "engine crashed", "; on standard error it said `out of luck`"),
            ("kill -9 $$", "engine crashed", "(signal: 9 (SIGKILL)"),
            ("exec sleep 30", "engine hung", "gave no move within 500.0ms"),
            ("while echo beep; do :; done", "engine hung", "its last line was `beep`"),
            ("head -c 3000000 /dev/zero; echo", "engine talked nonsense", "a line of more than"),
            ("exec cat /dev/zero", "engine talked nonsense", "a line of more than"),
            ("mv=a0a9", "illegal move", "answered `bestmove a0a9`"),
            ("mv=beep", "illegal move", "answered `bestmove beep`"),
            ("mv='(none)'", "illegal move", "where there are legal moves"),
        ] {
            let engine = shell(&files.write("engine.sh", script("", then)));
            for (found, detail) in lost(&engine, [4, 5]) {
                assert_eq!(found, reason, "{then}: {detail}");
                assert!(detail.contains(failure), "{then}: {detail}");
            }
        }
    }

    #[test]
    fn an_engine_that_does_not_get_ready_loses_before_the_game() {
        let files = Files::new();
        let silent = EngineCommand {
            arguments: vec!["-c".into(), "exec sleep 30".into()],
            patience: Duration::from_millis(100),
            ..EngineCommand::new::<Xiangqi>("sh", Dialect::Uci)
        };
        for (broken, failure) in [
            (
                engine(EngineCommand::new::<Xiangqi>("no/such/engine", Dialect::Uci), Budget::default()),
                "`no/such/engine`: No such file",
            ),
            (
                shell(&files.write("engine.sh", script("read hello; exit 1", ""))),
                "ended (exit status: 1) while its uciok",
            ),
            (engine(silent, Budget::default()), "gave no uciok within 100.0ms"),
        ] {
            for (reason, detail) in lost(&broken, [0, 0]) {
                assert_eq!(reason, "engine could not be started");
                assert!(detail.contains(failure), "{detail}");
            }
            let nobody = play([&broken, &broken], &Opening::initial(), 40);
            assert_eq!((nobody.outcome, nobody.reason.as_str()), (Outcome::Draw, "engine could not be started"));
        }
    }

    #[test]
    fn an_engine_that_counts_seconds_is_refused_any_other_time_for_its_moves() {
        let meet = |options: &str, budget: Budget| {
            let script = format!(
                "while read -r word; do case $word in ucci) {options} echo ucciok;; isready) echo readyok;; quit) exit 0;; esac; done"
            );
            let arguments = vec!["-c".to_owned(), script];
            let command = EngineCommand { arguments, ..EngineCommand::new::<Xiangqi>("sh", Dialect::Ucci) };
            EnginePlayer::meet(command, String::new(), budget)
        };
        let of_time = |milliseconds| Budget::of_time(Duration::from_millis(milliseconds));
        for (milliseconds, told) in [(100, "100ms"), (1500, "1.5s")] {
            let error = meet("", of_time(milliseconds)).unwrap_err().to_string();
            let expected = format!("` is told times in whole seconds, so it cannot be given {told} for each move");
            assert!(error.contains(&expected), "{error}");
        }
        meet("", of_time(2000)).unwrap();
        meet("echo option usemillisec type check;", of_time(100)).unwrap();
        // Where there are clocks it hears of these alone.
        meet("", Budget { clocks: Some([roughboard::engine::Clock::default(); 2]), ..of_time(100) }).unwrap();
        let files = Files::new();
        let script = "while read -r word; do case $word in ucci) echo ucciok;; isready) echo readyok;; go*) echo bestmove a0a9;; quit) exit 0;; esac; done";
        let entrant = format!("engine:sh {}@protocol=ucci,movetime=100", files.write("engine.sh", script).display());
        let played = ["match", &entrant, "random", "--games", "2", "--max-plies", "20", "--tc", "5"];
        roughboard(&played).ended(1);
        assert!(roughboard(&played[..7]).refusal().contains("is told times in whole seconds"));
    }

    #[test]
    fn the_game_after_a_failure_begins_with_a_fresh_engine_and_none_is_left_behind() {
        let files = Files::new();
        let (started, failing) = (files.path("started"), files.path("failing"));
        let hello = format!("echo $$ >> {}", started.display());
        let then = format!("if [ -e {} ]; then exec sleep 30; fi", failing.display());
        let (engine, opponent) = (shell(&files.write("engine.sh", script(&hello, &then))), opponent());
        let game = || play([&engine, &opponent], &Opening::initial(), 8);
        let whole = game();
        assert_eq!((whole.reason.as_str(), whole.moves.len()), ("ply cap", 8));
        files.write("failing", "");
        let broken = game();
        assert_eq!((broken.reason.as_str(), &broken.moves[..]), ("engine hung", &whole.moves[..4]));
        std::fs::remove_file(failing).unwrap();
        assert_eq!(game(), whole);
        let processes = std::fs::read_to_string(started).unwrap();
        assert_eq!(processes.lines().count(), 3);
        for process in processes.lines() {
            let alive = Command::new("sh").args(["-c", &format!("kill -0 {process} 2> /dev/null")]).status().unwrap();
            assert!(!alive.success(), "process {process} is left");
        }
    }

    #[test]
    fn a_match_goes_on_to_its_end_whatever_engines_do() {
        let files = Files::new();
        let entrant = |name: &str, then: &str| {
            let file = files.write(&format!("{name}.sh"), script("", then));
            format!("engine:sh {}@name={name},longest_move=0.5", file.display())
        };
        let (crashing, hanging) = (entrant("crashing", "exit 3"), entrant("hanging", "exec sleep 30"));
        let run = files.path("run");
        let common = ["--games", "2", "--depth", "1", "--max-plies", "30", "--quiet", "--out", run.to_str().unwrap()];
        let played = roughboard(&[&["match", "traditional", "random", &crashing, &hanging], &common[..]].concat());
        let failed = played.ended(1).stderr;
        assert!(
            failed.contains("check failed: an entrant failed, first in game ") && failed.contains("engine "),
            "{failed}"
        );
        let (games, _) = read_games::<Xiangqi>(&[run.join("games.pgn.zst")], Policy::Strict, &Silent).unwrap();
        assert_eq!(games.len(), 12);
        let mut failures = 0;
        for game in &games {
            let sides = ["Red", "Black"].map(|side| game.tag(side).unwrap());
            let (reason, failure) = (game.tag("Termination").unwrap(), game.tag("Failure"));
            assert!(game.outcome.is_some());
            if !sides.iter().any(|side| ["crashing", "hanging"].contains(side)) {
                assert!(failure.is_none(), "{sides:?}: {reason}");
            }
            let Some(Outcome::Win(winner)) = game.outcome.filter(|_| failure.is_some()) else { continue };
            let expected = match sides[winner.other().index()] {
                "crashing" => "engine crashed",
                "hanging" => "engine hung",
                other => panic!("{other} failed: {reason}"),
            };
            assert!([expected, "illegal move"].contains(&reason), "{sides:?}: {reason}");
            failures += 1;
        }
        // A random mover may take the rook that they move, after which their moves are illegal, or mate them.
        assert!(failures >= 6, "{failures} of 10 games ended by a failure");
    }

    #[test]
    fn who_oversteps_the_clock_loses() {
        let files = Files::new();
        let slow = shell(&files.write("engine.sh", script("", "sleep 0.3")));
        let clock = TimeControl { base_ms: 20, increment_ms: 250, margin_ms: 0 };
        let orders =
            |margin_ms| Adjudication { clock: Some(TimeControl { margin_ms, ..clock }), ..Adjudication::capped(8) };
        let opponent = RandomPlayer;
        let game = |orders| play_game::<Xiangqi>([&opponent, &slow], &Opening::initial(), &orders, CHANCE);
        assert_eq!(game(orders(60_000)).reason, "ply cap");
        let clock = TimeControl { base_ms: 250, increment_ms: 0, margin_ms: 0 };
        let late = game(Adjudication { clock: Some(clock), ..Adjudication::capped(8) });
        assert_eq!((late.reason.as_str(), late.outcome), ("time forfeit", Outcome::Win(Side::First)));
        assert!(late.failure.unwrap().starts_with("the move took "));
    }
}
