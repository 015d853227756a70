//! The log of played games: what of a conversation becomes a game, and learning from it.

use std::io::Write;
use std::process::{Command, Stdio};

use rand::seq::IndexedRandom;
use roughboard::game::{Game, Notation};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::Silent;
use roughboard::random;
use roughboard::record::{GameRecord, Policy, read_games};

use crate::command::{Files, PROGRAM_NAME, roughboard};
use crate::conversation::Conversation;

/// Red mates by `i1i9` and by nothing else.
const MATE_IN_ONE: &str = "4k4/R8/9/9/9/9/9/9/8R/3K5 w - - 0 1";

/// A session that logs its games to `log.pgn`.
struct Logging {
    files: Files,
    talk: Conversation,
}

impl Logging {
    fn new() -> Self {
        let (files, mut talk) = (Files::new(), Conversation::new());
        talk.session.set_option("GameLog", files.path("log.pgn").to_str().unwrap()).unwrap();
        talk.session.set_option("Hash", "1").unwrap();
        Self { files, talk }
    }

    fn say(&mut self, line: &str) -> String {
        self.talk.say(line)
    }

    /// The move that the engine makes after `moves`.
    fn answer(&mut self, moves: &str) -> String {
        self.say(&format!("position startpos moves {moves}"));
        let said = self.say("go depth 1");
        said.lines().last().unwrap().split(' ').nth(1).unwrap().to_owned()
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.files.path("log.pgn")).unwrap()
    }

    /// The moves and the result of each logged game, as one line.
    fn games(&self) -> Vec<String> {
        let log = self.log();
        let moves = log.split("\n\n").filter(|part| !part.is_empty() && !part.starts_with('['));
        moves.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }
}

#[test]
fn a_game_is_written_when_the_next_begins_or_the_engine_ends() {
    let mut logging = Logging::new();
    let mv = logging.answer("h2e2");
    let second = logging.answer(&format!("h2e2 {mv} h0g2"));
    assert_eq!(logging.log(), "", "the game goes on");
    logging.say("ucinewgame");
    let first = format!("h2e2 {mv} h0g2 {second} *");
    assert_eq!(logging.games(), [first.as_str()]);
    let players = format!("[Red \"?\"]\n[Black \"{PROGRAM_NAME} (rough+endings)\"]\n[Result \"*\"]");
    assert!(logging.log().contains(&players));
    let other = logging.answer("b2e2");
    // Another game, which no command announces; the last move of a game may never be searched.
    let third = logging.answer("c3c4");
    logging.say(&format!("position startpos moves c3c4 {third} h2e2"));
    logging.say("quit");
    assert_eq!(logging.games(), [first, format!("b2e2 {other} *"), format!("c3c4 {third} h2e2 *")]);
}

#[test]
fn results_come_from_the_board_from_proofs_and_from_the_operator() {
    let mut logging = Logging::new();
    logging.say(&format!("position fen {MATE_IN_ONE}"));
    logging.say("go depth 2");
    assert_eq!(logging.games(), ["i1i9 1-0"], "mate on the board is written at once");
    assert!(logging.log().contains("[Termination \"checkmate\"]"));
    assert!(logging.say("result 1-0").contains("no game is being logged"));
    // A mate in two, and the opponent gives up.
    logging.say("position fen 4k4/9/R8/9/9/9/9/9/8R/3K5 w - - 0 1");
    logging.say("go depth 4");
    logging.say("ucinewgame");
    assert!(logging.games()[1].ends_with(" 1-0") && logging.log().contains("[Termination \"forced mate\"]"));
    let mv = logging.answer("h2e2");
    assert!(
        logging
            .say("result won")
            .contains("`result` must be followed by `1-0` (the side that moves first won), `0-1` or `1/2-1/2`")
    );
    assert_eq!(logging.say("result 1/2-1/2"), "");
    assert_eq!(logging.games()[2], format!("h2e2 {mv} 1/2-1/2"));
    logging.say("quit");
    assert_eq!(logging.games().len(), 3, "nothing is written twice");
    let (games, account) = read_games::<Xiangqi>(&[logging.files.path("log.pgn")], Policy::Strict, &Silent).unwrap();
    assert_eq!((games.len(), account.read()), (3, 3));
}

#[test]
fn the_last_move_of_the_opponent_stays_when_a_position_begins_the_next_game() {
    let mut logging = Logging::new();
    let position = "position fen 4k4/9/9/9/P8/9/1r7/9/8r/3K5 w - - 0 1";
    logging.say(position);
    let said = logging.say("go depth 1");
    let mv = said.lines().last().unwrap().split(' ').nth(1).unwrap().to_owned();
    logging.say(&format!("{position} moves {mv} b3b0"));
    logging.say("position startpos");
    logging.say("go depth 1");
    assert_eq!(logging.games(), [format!("{mv} b3b0 0-1")]);
    assert!(logging.log().contains("[Termination \"checkmate\"]"));
}

#[test]
fn analysis_and_pondering_in_vain_are_no_games() {
    let mut logging = Logging::new();
    logging.say("position startpos moves h2e2");
    for go in ["go infinite", "go ponder depth 1"] {
        logging.talk.tell(go);
        assert!(logging.talk.task.is_some());
        logging.talk.tell("stop");
        logging.talk.finish();
    }
    logging.say("position startpos moves b2e2");
    logging.say("quit");
    assert_eq!(logging.log(), "");
}

#[test]
fn ucci_clients_log_too_and_say_what_cannot_be_written() {
    let mut logging = Logging::new();
    logging.say("ucci");
    logging.say("position startpos moves h2e2 h9g7 e2e6");
    let said = logging.say("go depth 1");
    let mv = said.lines().last().unwrap().split(' ').nth(1).unwrap().to_owned();
    // Since the capture only, as clients of UCCI count.
    let mut position = Xiangqi::start();
    for text in ["h2e2", "h9g7", "e2e6"] {
        position.play(position.parse_move(text).unwrap());
    }
    logging.say(&format!("position fen {} moves {mv} h0g2", position.notation()));
    logging.say("setoption newgame");
    assert_eq!(logging.games(), [format!("h2e2 h9g7 e2e6 {mv} h0g2 *")]);
    let said = logging.say("setoption gamelog no/such/folder/log.pgn");
    assert!(said.contains("cannot write the game log `no/such/folder/log.pgn`"), "{said}");
}

#[test]
fn the_program_logs_what_it_is_told_on_its_standard_input() {
    let files = Files::new();
    let log = files.path("log.pgn");
    let option = format!("GameLog={}", log.display());
    let mut engine = Command::new(env!("CARGO_BIN_EXE_roughboard"))
        .args(["engine", "--option", &option, "--option", "Hash=1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let script = "position startpos moves h2e2\ngo depth 1\nstop\nresult 0-1\nquit\n";
    engine.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(engine.wait().unwrap().success());
    let text = std::fs::read_to_string(log).unwrap();
    assert!(text.contains("[Result \"0-1\"]") && text.contains("[Termination \"told by the operator\"]"), "{text}");
}

/// Games are appended as plain text, which would spoil a packed file and be taken for one under its name.
#[test]
fn a_log_that_is_not_plain_pgn_is_refused() {
    let mut logging = Logging::new();
    for name in ["x.pgn.gz", "x.pgn.zst", "x.zip", "x"] {
        let file = logging.files.path(name);
        std::fs::write(&file, "packed").unwrap();
        let said = logging.talk.session.set_option("GameLog", file.to_str().unwrap()).unwrap_err().to_string();
        let expected = "option `GameLog` must be a file whose name ends in `.pgn`, as games are appended unpacked";
        assert!(said.contains(expected) && said.contains(&format!("{name}`")), "{name}: {said}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "packed");
    }
    logging.answer("h2e2");
    logging.say("ucinewgame");
    assert_eq!(logging.games().len(), 1, "the log before goes on");
}

/// Plays `games` games of `plies` plies against a random mover; the operator gives them results in turn, and none to the
/// last, which is broken off early, before anybody is mated.
fn play(logging: &mut Logging, games: u64, plies: usize) {
    for game in 0..games {
        let mut draws = random::stream(1, "log tests", game);
        let (mut position, mut moves) = (Xiangqi::start(), Vec::new());
        let plies = if game + 1 == games { 4 } else { plies };
        while moves.len() < plies && position.end().is_none() {
            let legal = position.moves();
            let drawn = legal.choose(&mut draws).unwrap().to_string();
            for text in [drawn, String::new()] {
                let text = if text.is_empty() { logging.answer(&moves.join(" ")) } else { text };
                position.play(position.parse_move(&text).unwrap());
                moves.push(text);
            }
        }
        match game {
            _ if game + 1 == games => logging.say("ucinewgame"),
            game => logging.say(["result 0-1", "result 1-0", "result 1/2-1/2"][game as usize % 3]),
        };
    }
}

#[test]
fn what_was_played_is_learned_from_and_played_with() {
    let mut logging = Logging::new();
    play(&mut logging, 9, 12);
    let path = |name: &str| logging.files.argument(name);
    let (log, net, next, third) = (path("log.pgn"), path("first"), path("next"), path("third"));
    let train = |more: &[&str]| {
        let base = ["train", "td", "--games", &log, "--passes", "1", "--curve-points", "1", "--skip-plies", "0"];
        roughboard(&[&base[..], more].concat())
    };
    let trained = train(&["--hidden", "4", "--out", &net]).ended(0);
    assert!(trained.stderr.contains("9 games read, 8 kept, dropped: no result 1"), "{}", trained.stderr);
    logging.talk.session.set_option("EvalFile", &net).unwrap();
    play(&mut logging, 5, 8);
    let written = logging.log();
    assert!(written.contains(&format!("[Black \"{PROGRAM_NAME} ({net})\"]")), "{written}");
    train(&["--init", &net, "--out", &next]).ended(0);
    let first_error = |run: &str| {
        let curve = std::fs::read_to_string(format!("{run}/curve.csv")).unwrap();
        curve.lines().nth(1).unwrap().to_owned()
    };
    let weights = |run: &str| std::fs::read(format!("{run}/net.safetensors")).unwrap();
    assert_ne!(weights(&net), weights(&next));
    assert_ne!(first_error(&net), first_error(&next), "learning goes on from what was learned");
    logging.talk.session.set_option("EvalFile", &next).unwrap();
    logging.answer("h2e2");
    let missing = train(&["--init", "no.safetensors", "--out", &third]).refusal();
    assert!(missing.contains("cannot read network `no.safetensors`"), "{missing}");
}

#[test]
fn a_log_that_was_cut_takes_further_games() {
    let mut logging = Logging::new();
    play(&mut logging, 3, 4);
    let whole = logging.log();
    let path = logging.files.path("log.pgn");
    let games = |path| -> Vec<GameRecord<Xiangqi>> { read_games(&[path], Policy::Strict, &Silent).unwrap().0 };
    let before = games(&path);
    assert_eq!(before.len(), 2, "the third has no result");
    for cut in (1..whole.len()).step_by(7) {
        std::fs::write(&path, &whole[..cut]).unwrap();
        logging.answer("h2e2");
        logging.say("result 1-0");
        let after = games(&path);
        let kept = after.len() - 1;
        assert_eq!(&after[..kept], &before[..kept], "cut at {cut}");
        assert_eq!(after[kept].result(), "1-0");
    }
}
