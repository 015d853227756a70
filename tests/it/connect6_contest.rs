//! The protocol of contests in Connect6, from both sides.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use roughboard::arena::{
    Adjudication, AlphaBetaPlayer, Chance, EnginePlayer, JournalPlace, MatchSettings, Opening, OpeningSettings,
    PlayedGame, Shard, Tournament, play_game, random_openings,
};
use roughboard::engine::Dialect;
use roughboard::engine::client::{Budget, EngineCommand};
use roughboard::game::Kit;
use roughboard::games::connect6::{Connect6, Point};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::observe::Silent;
use roughboard::search::{Limits, SearchSettings};

use crate::command::{Files, PROGRAM_NAME, roughboard, roughboard_told};
use crate::connect6_front::talk;
use crate::conversation::Conversation;

const CHANCE: Chance = Chance { seed: 1, game: 0 };

/// The letters of the turn that is answered with.
fn turn(said: &str) -> String {
    let answers: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("move ")).collect();
    assert_eq!(answers.len(), 1, "{said}");
    answers[0].to_owned()
}

#[test]
fn the_engine_plays_whole_turns_under_a_contest() {
    let mut talk = talk();
    assert_eq!(talk.say("name"), format!("name {PROGRAM_NAME}\n"));
    assert_eq!(["depth 1", "vcf", "unvcf", "help"].map(|line| talk.say(line)), ["", "", "", ""]);
    assert_eq!(talk.say("new black"), "move JJ\n");
    assert_eq!(turn(&talk.say("move KKII")).len(), 4);
    let shown = talk.say("print");
    assert_eq!([shown.matches(" X").count(), shown.matches(" O").count()], [3, 2], "{shown}");
    assert_eq!(talk.say("new white"), "");
    assert_eq!(turn(&talk.say("move JJ")).len(), 4);
    assert!(talk.say("print").contains(" b 2\n"), "it is black's turn");
}

#[test]
fn a_position_can_be_told_and_a_win_is_a_turn() {
    let mut talk = talk();
    for line in ["new white", "black JJ", "white AABA", "black SSRS", "white CADA", "black QSOS"] {
        assert_eq!(talk.say(line), "", "{line}");
    }
    let answer = turn(&talk.say("next"));
    assert!(["EAFA", "FAEA"].contains(&answer.as_str()), "{answer}");
    assert_eq!(talk.say("next"), "the game is over: six in a row\n");
}

#[test]
fn a_log_that_cannot_be_written_is_told_and_the_engine_plays_on() {
    let (files, mut talk) = (Files::new(), talk());
    let folder = files.path("logs");
    fs::create_dir(&folder).unwrap();
    talk.session.set_option("GameLog", folder.join("log.pgn").to_str().unwrap()).unwrap();
    assert_eq!(talk.say("new black"), "move JJ\n");
    fs::remove_dir_all(&folder).unwrap();
    let said = talk.say("new black");
    assert!(said.contains("cannot write the game log") && said.ends_with("move JJ\n"), "{said}");
}

#[test]
fn what_a_contest_cannot_mean_is_told_and_changes_nothing() {
    let mut talk = talk();
    talk.say("new white");
    for (line, error) in [
        ("white AABB", "`white`: it is black's turn"),
        ("move JJKK", "`move` must be followed by one point, as the turn has one stone, got `JJKK`"),
        ("move J10", "`move` must be followed by one or two points such as `JJ` and `JJKK`, got `J10`"),
        ("move TA", "move 1 of `move`: `t1` is not a move: expected one point such as `j10`"),
        ("new red", "`new` must be followed by `black` or `white`, got `red`"),
        ("depth 0", "`depth` must be followed by a number of turns, at least 1, got `0`"),
    ] {
        assert_eq!(talk.say(line), format!("error: {error}\n"));
    }
    talk.say("black JJ");
    assert!(talk.say("white KK").contains("two points, as the turn has two stones"));
    assert!(talk.say("white KKKK").contains("move 2 of `white`: `k11` is illegal"));
    assert!(talk.say("print").contains(" w 2\n"), "nothing was changed");
    let mut xiangqi = Conversation::<Xiangqi>::new();
    assert_eq!(xiangqi.say("name"), "info string error: unknown command `name`\n");
}

#[test]
fn commands_wait_until_the_turn_is_made() {
    let input = "name\ndepth 1\nnew black\nmove KKII\nquit\n";
    let run = roughboard_told(&["engine", "--game", "connect6", "--option", "Turn Time=200"], input);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[..2], [&format!("name {PROGRAM_NAME}"), "move JJ"]);
    assert!(lines.len() == 3 && lines[2].starts_with("move ") && lines[2].len() == 9, "{run:?}");
}

#[test]
fn a_client_that_says_uci_is_answered_in_uci_whatever_it_says() {
    let mut talk = talk();
    assert!(talk.say("uci").ends_with("uciok\n"));
    for word in ["help", "print", "name", "move"] {
        assert_eq!(talk.say(&format!("{word} JJ")), format!("info string error: unknown command `{word}`\n"));
    }
    assert!(talk.say("go nodes 200").contains("bestmove j10"));
}

#[test]
fn a_contest_knows_no_go_until_uci_is_said() {
    let mut talk = talk();
    talk.say("name");
    for go in ["go infinite", "go depth 1"] {
        assert!(talk.say(go).starts_with("error: `go`: contests ask for a turn by `next` or `move`"));
    }
    assert!(talk.say("uci").ends_with("uciok\n"));
    assert!(talk.say("go depth 1").contains("bestmove j10"));
}

#[test]
fn a_turn_that_is_thought_about_can_be_cut_short() {
    let mut talk = talk();
    talk.session.set_option("Turn Time", "3600000").unwrap();
    talk.say("new white");
    assert!(!talk.session.holds_back("move JJ"));
    assert_eq!(talk.tell("move JJ"), "");
    assert_eq!(
        ["print", "help", "stop", "quit", "exit"].map(|line| talk.session.holds_back(line)),
        [true, true, false, false, false]
    );
    assert_eq!(talk.tell("stop"), "");
    assert_eq!(turn(&talk.finish()).len(), 4);
}

#[test]
fn whoever_leaves_a_contest_does_not_wait_for_the_turn() {
    let begun = Instant::now();
    for end in ["stop\nquit\n", "quit\n", "exit\n", ""] {
        let arguments = ["engine", "--game", "connect6", "--option", "Turn Time=900000"];
        let run = roughboard_told(&arguments, &format!("new white\nmove JJ\n{end}")).ended(0);
        assert_eq!(turn(&run.stdout).len(), 4, "{run:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(600));
}

fn in_process(depth: u32) -> AlphaBetaPlayer<Connect6> {
    let search = SearchSettings { transposition_mb: 1, ..SearchSettings::of_game::<Connect6>() };
    AlphaBetaPlayer::named("static", search, Limits::to_depth(depth).unwrap()).unwrap()
}

/// An engine that speaks the protocol: the program with these arguments.
fn engine(program: &str, arguments: &[&str], budget: Budget) -> EnginePlayer {
    let command = EngineCommand {
        arguments: arguments.iter().map(|&text| text.to_owned()).collect(),
        patience: Duration::from_secs(60),
        ..EngineCommand::new::<Connect6>(program, Dialect::Contest)
    };
    EnginePlayer::meet(command, String::new(), budget).unwrap()
}

/// A stand-in that notes what it is told in the file of its first argument, chatters, and answers with these turns one after the other.
fn stand_in(files: &Files, turns: &str, budget: Budget) -> EnginePlayer {
    let script = format!(
        "echo 'On help for the engine'\nset -- \"$1\" {turns}\nwhile read line; do\necho \"$line\" >> \"$1\"\ncase \"$line\" in\n\
         name) echo 'name Stand-in';;\ndepth*) echo 'Set the search depth.'; echo;;\nnew\\ black) echo 'move JJ';;\n\
         next|move*) echo 'Searching 1/9'; echo \"move $2\"; log=$1; shift 2; set -- \"$log\" \"$@\";;\nquit) exit;;\nesac\ndone\n"
    );
    let script = files.write("stand-in.sh", script);
    engine("/bin/sh", &[script.to_str().unwrap(), files.path("told").to_str().unwrap()], budget)
}

/// What the stand-in was told in its last game.
fn told(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let begin = lines.iter().rposition(|line| line == "name").unwrap();
    lines[begin + 1..].to_vec()
}

/// Points as the protocol writes them.
fn letters(points: &[Point]) -> String {
    let letter = |at: usize| char::from(b'A' + at as u8);
    points.iter().flat_map(|point| [letter(point.column()), letter(point.row())]).collect()
}

fn names(game: &PlayedGame<Point>) -> Vec<String> {
    game.moves.iter().map(ToString::to_string).collect()
}

#[test]
fn an_engine_is_told_turns_and_believed_in_turns() {
    let files = Files::new();
    let (black, white) = (stand_in(&files, "AACA EAGA", Budget::to_depth(4)), in_process(1));
    assert_eq!(black.name, "Stand-in");
    let game = play_game([&black, &white], &Opening::initial(), &Adjudication::capped(9), CHANCE);
    assert_eq!((&game.failure, game.moves.len()), (&None, 9));
    assert_eq!((names(&game)[0].as_str(), &names(&game)[3..5]), ("j10", &["a1".to_owned(), "c1".to_owned()][..]));
    let replies = [&game.moves[1..3], &game.moves[5..7]].map(|turn| format!("move {}", letters(turn)));
    let expected = ["depth 4", "new black", &replies[0], &replies[1], "quit"];
    assert_eq!(told(&files.path("told")), expected);
}

#[test]
fn an_opening_is_told_stone_by_stone_of_its_sides() {
    let files = Files::new();
    let engine = stand_in(&files, "AACA EAGA", Budget::default());
    let openings = OpeningSettings { count: 1, plies: 5, seed: 3, at_most: false };
    let opening = &random_openings::<Connect6>(openings, Connect6::OPENING_WIDTH).unwrap()[0];
    let game = play_game([&in_process(1), &engine], opening, &Adjudication::capped(11), CHANCE);
    assert_eq!(game.failure, None);
    let said = |word: &str, stones: std::ops::Range<usize>| format!("{word} {}", letters(&game.moves[stones]));
    let told = told(&files.path("told"));
    let expected = [said("black", 0..1), said("white", 1..3), said("black", 3..5)];
    assert_eq!(told[..5], [&["new white".to_owned()][..], &expected, &["next".to_owned()]].concat());
    assert_eq!(told[5], said("move", 7..9));
    // Black's first stone alone is a turn of its own.
    let game = play_game([&in_process(1), &engine], &Opening::initial(), &Adjudication::capped(5), CHANCE);
    assert_eq!(game.failure, None);
    assert_eq!(self::told(&files.path("told")), ["new white", "move JJ", "quit"]);
}

#[test]
fn wrong_turns_lose() {
    for (turn, problem) in [
        ("AA", "`AA` is not a move: expected two points, as the turn has two stones"),
        ("JJAA", "`j10` is illegal: j10 is not free"),
        ("AAAA", "`a1` is illegal: a1 is not free"),
        ("A1", "`A1` is not a move: expected one or two points such as `JJ` and `JJKK`"),
    ] {
        let files = Files::new();
        let engine = stand_in(&files, turn, Budget::default());
        let game = play_game([&in_process(1), &engine], &Opening::initial(), &Adjudication::capped(5), CHANCE);
        assert_eq!(game.reason, "illegal move");
        assert!(game.failure.as_deref().is_some_and(|failure| failure.contains(problem)), "{game:?}");
    }
}

#[test]
fn positions_that_the_protocol_cannot_tell_are_refused() {
    let files = Files::new();
    let engine = stand_in(&files, "AACA", Budget::default());
    let openings = OpeningSettings { count: 1, plies: 2, seed: 3, at_most: false };
    let opening = &random_openings::<Connect6>(openings, Connect6::OPENING_WIDTH).unwrap()[0];
    let game = play_game([&in_process(1), &engine], opening, &Adjudication::capped(5), CHANCE);
    assert_eq!(game.reason, "position beyond the protocol", "{game:?}");
}

#[test]
fn the_program_plays_itself_under_a_contest() {
    let arguments = ["engine", "--game", "connect6", "--option", "Hash=1", "--option", "Turn Time=40"];
    let process = engine(env!("CARGO_BIN_EXE_roughboard"), &arguments, Budget::to_depth(2));
    let settings = OpeningSettings { count: 2, plies: 5, seed: 7, at_most: false };
    for opening in random_openings::<Connect6>(settings, Connect6::OPENING_WIDTH).unwrap() {
        for players in
            [[&process as &dyn roughboard::arena::Player<Connect6>, &in_process(2)], [&in_process(2), &process]]
        {
            let game = play_game(players, &opening, &Adjudication::capped(60), CHANCE);
            assert_eq!(game.failure, None);
            assert!(game.moves.len() > 8, "a short game tests little: {game:?}");
        }
    }
}

#[test]
fn games_are_made_with_engines_of_contests() {
    let files = Files::new();
    let own = format!("{} engine --game connect6", env!("CARGO_BIN_EXE_roughboard"));
    let out = files.path("games.pgn").display().to_string();
    let common = ["games", "generate", "engine", "--game", "connect6", "--protocol", "connect6", "--engine", &own];
    let short = ["--games", "1", "--depth", "1", "--patience", "60", "--max-plies", "12", "--out", &out];
    roughboard(&[&common[..], &short].concat()).ended(0);
    let refusal = roughboard(&[&common[..], &short, &["--random-plies", "8", "--force"]].concat()).refusal();
    assert!(refusal.contains("`--random-plies` must be 0 or odd with `--protocol connect6`"), "{refusal}");
}

#[test]
fn matches_take_engines_of_contests() {
    let own = format!(
        "engine:{} engine --game connect6@name=own,protocol=connect6,patience=60",
        env!("CARGO_BIN_EXE_roughboard")
    );
    let common =
        ["match", "--game", "connect6", "--games", "2", "--random-plies", "5", "--max-plies", "9", "--depth", "1"];
    let json = roughboard(&[&common[..], &[&own, "random", "--json"]].concat()).ended(0).json();
    assert_eq!((&json["pairings"][0]["drawn"], &json["limits"][0]), (&2.into(), &"depth 1 in turns".into()), "{json}");
    let uneven = roughboard(&[&common[..], &[&own, "static", "--json"]].concat()).ended(0).json();
    assert_eq!(uneven["equal_limits"], false, "a turn is two stones: {uneven}");
    for (setting, expected) in [
        ("nodes=5", "nodes and movetime have no effect on an engine of the protocol connect6"),
        ("option.Hash=1", "it has none, as its protocol knows no options"),
    ] {
        let refused = roughboard(&[&common[..], &[&format!("{own},{setting}"), "random"]].concat());
        assert!(refused.code != 0 && refused.stderr.contains(expected), "{refused:?}");
    }
    let other = roughboard(&["match", "--game", "surakarta", "engine:x@protocol=connect6", "random"]);
    assert!(other.code != 0 && other.stderr.contains("engines of surakarta are asked in UCI"), "{other:?}");
}

#[test]
fn a_match_is_resumed_only_between_turns() {
    let files = Files::new();
    let path = files.path("journal.jsonl");
    let arguments = ["engine", "--game", "connect6", "--option", "Hash=1", "--option", "Turn Time=40"];
    // It is told no depth, so that it thinks by its own clock and no two games are alike.
    let own = engine(env!("CARGO_BIN_EXE_roughboard"), &arguments, Budget::default());
    let settings = MatchSettings { games: 2, adjudication: Adjudication::capped(9), ..MatchSettings::default() };
    let players = vec![Box::new(own) as Box<dyn roughboard::arena::Player<Connect6>>, Box::new(in_process(1))];
    let tournament = Tournament::new(players, vec![Opening::initial()], &settings, Vec::new()).unwrap();
    let play = || {
        let place = JournalPlace { pause: Duration::ZERO, ..JournalPlace::new(&path) };
        let played = tournament.play(Shard::WHOLE, Some(place), &Silent).unwrap();
        assert_eq!((played.first_failure(), played.missing()), (None, 0));
        fs::read_to_string(&path).unwrap()
    };
    let of_first = |text: &str| -> Vec<String> {
        let is_move = |line: &&str| line.contains("\"game\":1,") && line.contains("\"after\":");
        text.lines().filter(is_move).map(|line| format!("{line}\n")).collect()
    };
    let whole = play();
    let head = whole.split_inclusive('\n').next().unwrap();
    for stones in 1..=6 {
        fs::write(&path, head.to_owned() + &of_first(&whole)[..stones].concat()).unwrap();
        let beginnings = of_first(&play()).iter().filter(|line| line.contains("\"after\":0,")).count();
        // Black's first stone is a turn, and then every two are.
        assert_eq!(beginnings, if stones % 2 == 1 { 1 } else { 2 }, "{stones}");
    }
}

#[test]
fn limits_of_a_turn_and_of_a_stone_are_not_equal() {
    let common =
        ["match", "--game", "connect6", "--games", "2", "--random-plies", "5", "--max-plies", "9", "--nodes", "40"];
    let told = |other: &str| roughboard(&[&common[..], &["static", other, "--json"]].concat()).ended(0).json();
    let json = told("static@whole_turns=false,name=stones");
    let limits = serde_json::json!(["40 positions a turn", "40 positions"]);
    assert_eq!((&json["limits"], &json["equal_limits"]), (&limits, &false.into()));
    assert_eq!(told("static-handset")["equal_limits"], true);
}
