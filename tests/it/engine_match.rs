//! Engines as processes: games between two of them, and what becomes of those that misbehave.

use std::time::Duration;

use crate::command::PROGRAM_NAME;
use roughboard::engine::client::{Budget, Client, ClientError, EngineCommand, Verdict};
use roughboard::engine::{Clock, Dialect};
use roughboard::game::line::Line;
use roughboard::game::{Game, Notation, Ranks};
use roughboard::games::xiangqi::{Move, Xiangqi};

/// This program as an engine, with a table of one MiB.
pub fn roughboard(dialect: Dialect, ranks: Ranks) -> EngineCommand {
    let (small, of_uci) = (("hashsize", "Hash"), dialect == Dialect::Uci);
    let hash = if of_uci { small.1 } else { small.0 };
    EngineCommand {
        arguments: vec!["engine".to_owned()],
        ranks,
        options: vec![(hash.to_owned(), "1".to_owned())],
        patience: Duration::from_secs(60),
        ..EngineCommand::new::<Xiangqi>(env!("CARGO_BIN_EXE_roughboard"), dialect)
    }
}

/// The game that two engines play from `start`, up to its end or `plies`. That every move is legal the client sees to.
fn played(players: &mut [Client; 2], start: &Xiangqi, budget: &Budget, plies: usize) -> Vec<Move> {
    let (mut position, mut line) = (start.clone(), Line { start: start.clone(), moves: Vec::new() });
    while position.end().is_none() && line.moves.len() < plies {
        let player = &mut players[position.side_to_move().index()];
        let reply = player.play(&line, budget).unwrap();
        let mv = reply.mv.expect("a position that is not over has moves");
        assert!(reply.depth.is_some() && reply.nodes.is_some() && reply.verdict.is_some(), "{reply:?}");
        position.play(mv);
        line.moves.push(mv);
    }
    line.moves
}

#[test]
fn an_engine_that_speaks_uci_plays_one_that_speaks_ucci() {
    let mut players = [(Dialect::Uci, Ranks::FromZero), (Dialect::Ucci, Ranks::FromZero)]
        .map(|(dialect, ranks)| Client::start(roughboard(dialect, ranks)).unwrap());
    assert_eq!(players[1].name(), Some(PROGRAM_NAME));
    let first = played(&mut players, &Xiangqi::start(), &Budget::to_depth(2), 60);
    assert!(first.len() >= 20, "{first:?}");
    players.iter_mut().for_each(|player| player.new_game().unwrap());
    let second = played(&mut players, &Xiangqi::start(), &Budget::to_depth(2), 60);
    assert_eq!(first, second, "nothing is left of the game before");
}

#[test]
fn all_dialects_and_limits_lead_to_legal_moves() {
    let mut players = [(Dialect::Uci, Ranks::FromOne), (Dialect::Ucci, Ranks::FromZero)]
        .map(|(dialect, ranks)| Client::start(roughboard(dialect, ranks)).unwrap());
    let second = Duration::from_secs(1);
    let clock = Clock { remaining: second, increment: second / 100, moves_to_go: None };
    let budgets = [
        Budget::of_nodes(300),
        Budget::of_time(second / 50),
        Budget { clocks: Some([clock, Clock { moves_to_go: Some(9), ..clock }]), ..Budget::default() },
    ];
    for budget in budgets {
        assert_eq!(played(&mut players, &Xiangqi::start(), &budget, 4).len(), 4);
    }
}

#[test]
fn a_game_that_is_over_has_no_move_to_answer_with() {
    let start = Xiangqi::from_notation("4k4/R8/9/9/9/9/9/9/8R/3K5 w - - 0 1").unwrap();
    for (dialect, mate) in [(Dialect::Uci, Verdict::Mate(1)), (Dialect::Ucci, Verdict::Centipawns(29_999))] {
        let mut player = Client::start(roughboard(dialect, Ranks::FromZero)).unwrap();
        let reply = player.play(&Line { start: start.clone(), moves: Vec::new() }, &Budget::to_depth(3)).unwrap();
        assert_eq!(reply.verdict, Some(mate));
        let mate = reply.mv.unwrap();
        assert_eq!(mate.to_string(), "i1i9");
        assert_eq!(
            player.play(&Line { start: start.clone(), moves: vec![mate] }, &Budget::to_depth(3)).unwrap().mv,
            None
        );
    }
}

#[test]
fn a_program_that_does_not_exist_cannot_be_started() {
    let error = Client::start(EngineCommand::new::<Xiangqi>("no/such/engine", Dialect::Uci)).err().unwrap();
    assert!(matches!(error, ClientError::Start { .. }), "{error}");
    assert_eq!(error.to_string(), "cannot start the engine `no/such/engine`");
    let error = Client::start(EngineCommand::new::<Xiangqi>("no-such-engine", Dialect::Uci)).err().unwrap().to_string();
    let expected =
        "the engine `no-such-engine`: no folder of the PATH has such a program; install it, or give its path";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn what_an_engine_speaks_is_found_by_talking_to_it() {
    let command = roughboard(Dialect::Uci, Ranks::FromZero).detected::<Xiangqi>().unwrap();
    // It says to have the variant, whose moves count ranks from 1.
    assert_eq!((command.dialect, command.ranks, command.variant), (Dialect::Uci, Ranks::FromOne, Some("xiangqi")));
    let mut players = [command.clone(), command].map(|command| Client::start(command).unwrap());
    assert_eq!(played(&mut players, &Xiangqi::start(), &Budget::to_depth(1), 10).len(), 10);
}

/// An engine of both protocols that starts slowly is greeted in both, and must not be left in the one while it is spoken to in the other.
#[cfg(unix)]
#[test]
fn a_slow_engine_of_both_protocols_is_spoken_to_in_the_one_it_expects() {
    let EngineCommand { program, arguments, .. } = roughboard(Dialect::Uci, Ranks::FromZero);
    let script = format!("sleep 2; exec {} {}", program.display(), arguments.join(" "));
    let options = vec![("EvalFile".to_owned(), "no/such/network".to_owned())];
    let command = EngineCommand {
        arguments: vec!["-c".to_owned(), script],
        options,
        patience: Duration::from_secs(60),
        ..EngineCommand::new::<Xiangqi>("sh", Dialect::Uci)
    };
    let error = command.detected::<Xiangqi>().unwrap_err();
    assert!(matches!(error, ClientError::Refused { .. }), "{error}");
}

#[test]
fn an_option_that_an_engine_does_not_have_is_refused() {
    let command = roughboard(Dialect::Uci, Ranks::FromZero);
    let options = vec![("Hahs".to_owned(), "3".to_owned())];
    let error = Client::start(EngineCommand { options, ..command }).err().unwrap().to_string();
    assert!(error.contains("has no option `Hahs` (did you mean `Hash`?); it has "), "{error}");
}

#[test]
fn an_option_of_two_lines_is_not_sent() {
    let command = roughboard(Dialect::Uci, Ranks::FromZero);
    let options = vec![("Hash".to_owned(), "1\nquit".to_owned())];
    let error = Client::start(EngineCommand { options, ..command }).err().unwrap();
    assert!(matches!(error, ClientError::Option(_)), "{error}");
}

#[test]
fn an_engine_that_cannot_do_as_its_options_say_is_refused_in_its_words() {
    for (dialect, name) in [(Dialect::Uci, "EvalFile"), (Dialect::Ucci, "evalapi")] {
        let options = vec![(name.to_owned(), "no/such/network".to_owned())];
        let command = EngineCommand { options, ..roughboard(dialect, Ranks::FromZero) };
        let words = format!("cannot play as it was told to: option `{name}`: cannot read network `no/such/network`");
        let detected = (dialect == Dialect::Uci).then(|| command.clone().detected::<Xiangqi>().unwrap_err());
        for error in detected.into_iter().chain([Client::start(command).err().unwrap()]) {
            assert!(matches!(error, ClientError::Refused { .. }) && error.to_string().contains(&words), "{error}");
        }
    }
    let good = vec![("EvalFile".to_owned(), "traditional".to_owned())];
    Client::start(EngineCommand { options: good, ..roughboard(Dialect::Uci, Ranks::FromZero) }).unwrap();
}

/// Engines made of a few words of shell.
#[cfg(unix)]
mod strange {
    use super::*;

    const GREETING: &str =
        "read hello; echo id name strange; echo uciok; read ready; echo readyok; read position; read go";

    /// What comes of asking an engine for a move that does `then` when it should answer.
    fn asked(script: &str) -> Result<(), ClientError> {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        let times = Duration::from_millis(400);
        let patience = Duration::from_secs(20);
        let command =
            EngineCommand { arguments, longest: times, patience, ..EngineCommand::new::<Xiangqi>("sh", Dialect::Uci) };
        let mut client = Client::start(command)?;
        client.play(&Line::<Xiangqi>::initial(), &Budget::to_depth(1)).map(drop)
    }

    fn error_of(then: &str) -> ClientError {
        asked(&format!("{GREETING}; {then}")).expect_err(then)
    }

    #[test]
    fn one_that_speaks_another_protocol_is_found_out() {
        let answers = |hello: &str, mv: &str| {
            let case = format!(
                "{hello}) echo {hello}ok;; isready) echo readyok;; go*) echo bestmove {mv};; quit) exit;; *) ;;"
            );
            let arguments = vec!["-c".to_owned(), format!("while read line; do case \"$line\" in {case} esac; done")];
            let command = EngineCommand { arguments, ..EngineCommand::new::<Xiangqi>("sh", Dialect::Uci) };
            let found = command.detected::<Xiangqi>().unwrap();
            assert_eq!(found.variant, None);
            (found.dialect, found.ranks)
        };
        assert_eq!(answers("ucci", "h2e2"), (Dialect::Ucci, Ranks::FromZero));
        assert_eq!(answers("uci", "h2e2"), (Dialect::Uci, Ranks::FromZero));
        assert_eq!(answers("uci", "h3e3"), (Dialect::Uci, Ranks::FromOne));
        let leaving = "read line; [ \"$line\" = ucci ] && echo ucciok";
        let arguments = vec!["-c".to_owned(), leaving.to_owned()];
        let command = EngineCommand { arguments, ..EngineCommand::new::<Xiangqi>("sh", Dialect::Uci) };
        let error = command.detected::<Xiangqi>().unwrap_err().to_string();
        assert!(error.contains("while its readyok was due"), "greeted in UCCI, it answers: {error}");
        // No legal move at all: that is for its games to tell.
        assert_eq!(answers("uci", "a1i9"), (Dialect::Uci, Ranks::FromZero));
    }

    #[test]
    fn one_that_ends_has_crashed() {
        let error = error_of("echo info string goodbye; exit 3");
        assert!(matches!(error, ClientError::Crashed { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("exit status: 3") && text.contains("info string goodbye"), "{text}");
        assert!(matches!(asked("exit 0"), Err(ClientError::Crashed { .. })), "before it was ready");
    }

    #[test]
    fn one_that_says_nothing_hangs() {
        let error = error_of("exec sleep 30");
        assert!(matches!(error, ClientError::Hung { .. }), "{error:?}");
        let error = error.to_string();
        assert!(error.starts_with("the engine `sh -c "), "{error}");
        assert!(error.ends_with("` gave no move within 400.0ms; its last line was `readyok`"), "{error}");
    }

    #[test]
    fn one_that_makes_no_legal_move_is_told_so() {
        for (answer, reason) in [
            ("bestmove e4e5", "is not a move"),
            ("bestmove a0a9", "cannot go to a9"),
            ("bestmove 漢字", "is not a move"),
            ("bestmove h9g7", "it is red's turn"),
        ] {
            let error = error_of(&format!("echo {answer}; read quit"));
            assert!(matches!(error, ClientError::Move { .. }), "{answer}: {error:?}");
            let text = error.to_string();
            assert!(text.contains(answer) && (text.contains(reason) || text.contains("no piece on e4")), "{text}");
        }
    }

    #[test]
    fn one_that_talks_without_end_hangs_and_one_that_writes_a_line_without_end_talks_nonsense() {
        let error = error_of("while echo info string still thinking; do :; done");
        assert!(matches!(error, ClientError::Hung { .. }), "{error:?}");
        let error = error_of("head -c 3000000 /dev/zero; echo; read quit");
        assert!(matches!(error, ClientError::Garbage { .. }), "{error:?}");
    }

    #[test]
    fn one_that_tells_of_an_error_before_it_is_ready_is_refused_and_of_other_things_is_not() {
        let says = |line: &str| {
            let ready = format!("echo {line}; echo readyok");
            asked(&format!("read hello; echo uciok; read ready; {ready}; read position; read go; echo bestmove h2e2"))
        };
        let error = says("info string error: no such book").unwrap_err();
        assert_eq!(error.to_string(), "the engine `sh -c …` cannot play as it was told to: no such book");
        for harmless in ["info string errors are rare", "info string 2 errors: none", "error: not of the protocol"] {
            says(harmless).unwrap();
        }
    }

    #[test]
    fn one_that_says_other_things_first_is_heard_out() {
        let said = "echo; printf 'caf\\351\\n'; echo bestmoves are rare; echo info depth x; echo bestmove h2e2 ponder zzz; read quit";
        asked(&format!("{GREETING}; {said}")).unwrap();
    }
}
