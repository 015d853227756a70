//! Conversations with the engine: scripted in each dialect, at random, and while it searches.

use std::io::Read;

use proptest::prelude::*;
use roughboard::engine::{Answer, Session, serve};
use roughboard::games::connect6::Connect6;
use roughboard::games::xiangqi::Xiangqi;

use crate::book_cli::small_book;
use crate::command::{Files, PROGRAM_NAME, roughboard, roughboard_told};
use crate::conversation::Conversation;

/// Red mates by `i1i9` and by nothing else.
const MATE_IN_ONE: &str = "4k4/R8/9/9/9/9/9/9/8R/3K5 w - - 0 1";

/// A conversation as text: what was said to the engine after `>`, and what it answered.
fn script(lines: &[&str]) -> String {
    let mut conversation = Conversation::<Xiangqi>::new();
    lines.iter().map(|line| format!("> {line}\n{}", masked(&conversation.say(line)))).collect()
}

/// `said` without what differs from run to run and from one search to a better one: measured numbers, all reports of a search but
/// the last, and the switches of the search among the options.
fn masked(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    let is_report = |line: &&str| line.starts_with("info depth") || line.starts_with("info time");
    let last = lines.iter().rposition(is_report);
    let kept =
        lines.iter().enumerate().filter(|&(at, line)| (!is_report(line) || Some(at) == last) && !is_switch(line));
    kept.map(|(_, line)| masked_line(line) + "\n").collect()
}

/// Whether `line` announces an option that the settings of the search made: they are spelled as fields.
fn is_switch(line: &str) -> bool {
    let fixed = ["usemillisec", "hashsize", "threads", "ponder", "moveoverhead", "evalapi", "newgame"]
        .map(|name| format!("option {name} "));
    let ours = line.strip_prefix("option name ").map(|rest| rest.starts_with(char::is_uppercase));
    line.starts_with("option ") && !ours.unwrap_or_else(|| fixed.iter().any(|start| line.starts_with(start)))
}

fn masked_line(line: &str) -> String {
    let mut mask = false;
    let mut word = |word: &str| {
        let shown = if mask { "#".to_owned() } else { word.to_owned() };
        mask = ["seldepth", "nodes", "nps", "time", "hashfull"].contains(&word);
        shown
    };
    line.split(' ').map(&mut word).collect::<Vec<_>>().join(" ")
}

#[test]
fn uci_is_spoken_as_interfaces_for_xiangqi_expect() {
    let fen = format!("position fen {MATE_IN_ONE}");
    let mated = format!("fen {MATE_IN_ONE} moves i1i9");
    let said = script(&[
        "uci",
        "setoption name Hash value 1",
        "isready",
        "ucinewgame",
        &fen,
        "d",
        "eval",
        "go depth 3",
        "go searchmoves i1i9 depth 1",
        &mated,
        "go depth 3",
        "quit",
    ]);
    let expected = format!(
        "> uci
id name {PROGRAM_NAME}
id author the roughboard developers
option name Hash type spin default 16 min 0 max 65536
option name Threads type spin default 1 min 1 max 256
option name MultiPV type spin default 1 min 1 max 128
option name Ponder type check default false
option name Move Overhead type spin default 30 min 0 max 10000
option name EvalFile type string default rough+endings
option name OwnBook type check default true
option name BookFile type string default <empty>
option name BookWeighted type check default false
option name BookSeed type spin default 1 min 0 max 2147483647
option name GameLog type string default <empty>
option name Clear Hash type button
option name UCI_Variant type combo default iccs var iccs var xiangqi
uciok
> setoption name Hash value 1
> isready
readyok
> ucinewgame
> {fen}
> d
 9 . . . . k . . . .
 8 R . . . . . . . .
 7 . . . . . . . . .
 6 . . . . . . . . .
 5 . . . . . . . . .
 4 . . . . . . . . .
 3 . . . . . . . . .
 2 . . . . . . . . .
 1 . . . . . . . . R
 0 . . . K . . . . .
   a b c d e f g h i
fen {MATE_IN_ONE}
key KEY
> eval
EVAL
> go depth 3
info depth 1 seldepth # multipv 1 score mate 1 nodes # nps # time # hashfull # pv i1i9
bestmove i1i9
> go searchmoves i1i9 depth 1
info depth 1 seldepth # multipv 1 score mate 1 nodes # nps # time # hashfull # pv i1i9
bestmove i1i9
> {mated}
> go depth 3
info depth 0 score mate 0
bestmove (none)
> quit
"
    );
    assert_eq!(without_values(&said), expected);
}

/// `said` without the value of an evaluation and the number of a key.
fn without_values(said: &str) -> String {
    let hidden = |line: &str| match line.split(' ').next() {
        Some("eval") => "EVAL\n".to_owned(),
        Some("key") => "key KEY\n".to_owned(),
        _ => line.to_owned() + "\n",
    };
    said.lines().map(hidden).collect()
}

#[test]
fn a_book_move_is_made_without_a_search() {
    let (_files, book) = small_book();
    let mut conversation = Conversation::<Xiangqi>::new();
    conversation.say(&format!("setoption name BookFile value {book}"));
    conversation.say("position startpos");
    assert_eq!(conversation.say("go depth 2"), "info string book move\nbestmove h2e2\n");
    let searched = |said: String| said.contains("info depth 1 ");
    assert!(
        searched(conversation.say("go searchmoves a3a4 depth 1")),
        "an interface that chooses moves wants a search"
    );
    conversation.say("setoption name OwnBook value false");
    assert!(searched(conversation.say("go depth 1")));
    conversation.say("setoption name OwnBook value true");
    conversation.say("position startpos moves a3a4");
    assert!(searched(conversation.say("go depth 1")), "unknown to the book");
    assert!(conversation.say("setoption name BookFile value no/such.db").contains("cannot read book `no/such.db`"));
    conversation.say("setoption name BookFile value <empty>");
    conversation.say("position startpos");
    assert!(searched(conversation.say("go depth 1")));
}

#[test]
fn a_client_of_many_variants_counts_ranks_from_one() {
    let said = script(&[
        "uci",
        "setoption name UCI_Variant value xiangqi",
        "position startpos moves h3e3 h10g8 h1g3",
        "go searchmoves i10h10 depth 1",
        "position startpos moves h3e3 h10g8 h0g2",
    ]);
    let said = said.split_once("uciok\n").unwrap().1;
    let pv = said.split_once(" pv ").unwrap().1.split_once('\n').unwrap();
    assert!(pv.0.starts_with("i10h10") && pv.1.starts_with("bestmove i10h10"), "{said}");
    let error = "info string error: move 3 of `position`: `h0g2` is not a move: expected a move with ranks from 1 to 10, such as `h3e3`";
    assert!(said.ends_with(&format!("{error}\n")), "{said}");
}

#[test]
fn ucci_is_spoken_as_its_third_version_says() {
    let fen = format!("position fen {MATE_IN_ONE}");
    let mated = format!("position fen {MATE_IN_ONE} moves i1i9");
    let said = script(&[
        "ucci",
        "setoption usemillisec true",
        "setoption batch true",
        "setoption hashsize 1",
        "isready",
        &fen,
        "go depth 3",
        "go time 5000 movestogo 1",
        &mated,
        "go depth 3",
        "probe startpos",
        "ucinewgame",
        "banmoves i1i9",
        "nonsense",
        "quit",
    ]);
    let expected = format!(
        "> ucci
id name {PROGRAM_NAME}
id author the roughboard developers
option usemillisec type check default false
option hashsize type spin min 0 max 65536 default 16
option threads type spin min 0 max 256 default 1
option ponder type check default false
option moveoverhead type spin min 0 max 10000 default 30
option evalapi type string default rough+endings
option newgame type button
ucciok
> setoption usemillisec true
> setoption batch true
> setoption hashsize 1
> isready
readyok
> {fen}
> go depth 3
info depth 1 score 29999 pv i1i9
bestmove i1i9
> go time 5000 movestogo 1
info depth 1 score 29999 pv i1i9
bestmove i1i9
> {mated}
> go depth 3
info depth 0 score -30000
nobestmove
> probe startpos
pophash
> ucinewgame
> banmoves i1i9
info message error: move 1 of `banmoves`: `i1i9` is illegal: no piece on i1
> nonsense
info message error: unknown command `nonsense`
> quit
bye
"
    );
    assert_eq!(said, expected);
}

#[test]
fn banned_moves_are_not_made_until_the_next_position() {
    let mut conversation = Conversation::<Xiangqi>::new();
    conversation.say("ucci");
    let fen = format!("position fen {MATE_IN_ONE}");
    conversation.say(&fen);
    conversation.say("banmoves i1i9");
    assert!(!conversation.say("go depth 1").contains("bestmove i1i9"));
    conversation.say(&fen);
    assert!(conversation.say("go depth 1").contains("bestmove i1i9"));
    conversation.say("position fen 3k5/9/9/9/9/9/9/9/9/5K3 w");
    conversation.say("banmoves f0f1 f0e0");
    assert_eq!(conversation.say("go time 1 increment 0"), "info depth 0 score 0\nnobestmove\n");
}

#[test]
fn ucci_is_told_the_static_value_at_depth_zero() {
    let mut conversation = Conversation::<Xiangqi>::new();
    conversation.say("ucci");
    conversation.say("setoption evalapi traditional");
    assert_eq!(conversation.say("go depth 0"), "info depth 0 score 0\nnobestmove\n");
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let mut conversation = Conversation::<Xiangqi>::new();
    conversation.say("position startpos moves h2e2");
    let before = conversation.say("d");
    for (line, error) in [
        ("hello", "unknown command `hello`"),
        ("stop", "`stop`: no search is running"),
        ("ponderhit", "`ponderhit`: no search is pondering"),
        ("go depth many", "`depth` of `go` must be followed by a number of plies from 1 on, got `many`"),
        (
            "go searchmoves a0a9",
            "move 1 of `go searchmoves`: `a0a9` is illegal: the rook on a0 is red's, and it is black's turn",
        ),
        ("setoption Hash 3", "`setoption` must be followed by `name N [value V]`, got `Hash 3`"),
        ("setoption name Hash value lots", "option `Hash` must be a whole number in [0, 65536], got `lots`"),
        ("position", "`position` must be followed by `startpos` or `fen FEN`, and perhaps `moves …`, got ``"),
        (
            "position fen 9/9",
            "invalid position `9/9`: at character 4: expected `/` after the 9 points of rank 8, found the end",
        ),
        (
            "position startpos moves h2e2 e2e9",
            "move 2 of `position`: `e2e9` is illegal: the cannon on e2 is red's, and it is black's turn",
        ),
        ("fen", "`position` must be followed by `startpos` or `fen FEN`, and perhaps `moves …`, got `fen`"),
        ("\u{1b}[2J\u{0}", "unknown command `\\u{1b}[2J\\u{0}`"),
    ] {
        assert_eq!(conversation.say(line), format!("info string error: {error}\n"), "{line}");
        assert_eq!(conversation.say("d"), before, "{line}");
    }
}

#[test]
fn a_search_that_runs_can_be_asked_and_stopped() {
    let mut conversation = Conversation::<Xiangqi>::new();
    assert_eq!(conversation.tell("go infinite"), "");
    assert_eq!(conversation.tell("isready"), "readyok\n");
    for (line, command) in
        [("go depth 1", "go"), ("position startpos", "position"), ("ucinewgame", "ucinewgame"), ("ucci", "ucci")]
    {
        let error = format!("info string error: `{command}` must wait until the search has ended: send `stop` first\n");
        assert_eq!(conversation.tell(line), error);
    }
    assert!(conversation.tell("d").contains("fen "));
    assert!(!conversation.session.is_waiting());
    assert_eq!(conversation.tell("stop"), "");
    assert!(conversation.session.is_waiting());
    assert_eq!(conversation.finish().matches("bestmove").count(), 1);
    assert!(!conversation.session.is_waiting());
}

#[test]
fn a_pondering_search_waits_for_the_opponent() {
    let mut conversation = Conversation::<Xiangqi>::new();
    conversation.tell("go ponder depth 1");
    assert!(!conversation.finish().contains("bestmove"), "before the opponent moved");
    assert!(conversation.tell("ponderhit").starts_with("bestmove "));
    conversation.tell("go ponder wtime 1000 btime 1000");
    conversation.tell("ponderhit");
    assert!(conversation.finish().contains("bestmove "), "the clock runs from then on");
    conversation.tell("go ponder depth 1");
    conversation.finish();
    assert!(conversation.tell("stop").starts_with("bestmove "), "the opponent moved otherwise");
}

/// What is said after the last `word` of what was said.
fn last_after<'s>(said: &'s str, word: &str) -> &'s str {
    let rest = &said[said.rfind(word).unwrap() + word.len()..];
    rest.split_whitespace().next().unwrap()
}

#[test]
fn the_move_is_that_of_the_last_line_that_was_told() {
    for nodes in [700, 3000, 9000, 20_000] {
        let said = Conversation::<Xiangqi>::new().say(&format!("go nodes {nodes}"));
        assert_eq!(last_after(&said, " pv "), last_after(&said, "bestmove "), "{said}");
    }
}

#[test]
fn the_positions_of_all_threads_count() {
    let mut conversation = Conversation::<Xiangqi>::new();
    conversation.say("setoption name Threads value 4");
    let said = conversation.say("go nodes 100000");
    let nodes: u64 = last_after(&said, " nodes ").parse().unwrap();
    assert!((1000..180_000).contains(&nodes), "{said}");
}

#[test]
fn settings_without_effect_are_not_announced() {
    let said = Conversation::<Xiangqi>::new().say("uci");
    assert!(
        said.contains(" null_move ") && !said.contains("whole_turns") && !said.contains("forced_win_nodes"),
        "{said}"
    );
    let said = Conversation::<Connect6>::new().say("uci");
    assert!(said.contains(" whole_turns ") && said.contains(" forced_win_nodes "), "{said}");
}

#[test]
fn an_infinite_search_answers_only_when_it_is_stopped() {
    let mut conversation = Conversation::<Xiangqi>::new();
    conversation.tell(&format!("fen {MATE_IN_ONE}"));
    conversation.tell("go infinite");
    assert!(conversation.finish().contains("mate 1"), "it ends by itself");
    assert_eq!(conversation.tell("stop"), "bestmove i1i9\n");
    conversation.tell(&format!("fen {MATE_IN_ONE} moves i1i9"));
    assert_eq!(conversation.say("go infinite"), "info depth 0 score mate 0\n");
    assert_eq!(conversation.tell("stop"), "bestmove (none)\n");
}

#[test]
fn every_kind_of_time_limit_ends_a_search() {
    let mut conversation = Conversation::<Xiangqi>::new();
    for limit in [
        "movetime 40",
        "wtime 300 btime 1",
        "wtime 300 winc 5 movestogo 1",
        "wtime -7",
        "movetime 0",
        "nodes 500",
        "mate 1",
    ] {
        assert_eq!(conversation.say(&format!("go {limit}")).matches("bestmove ").count(), 1, "{limit}");
    }
    conversation.say("ucci");
    for limit in ["time 1 increment 0 opptime 1", "draw time 0 movestogo 3", "nodes 500"] {
        assert_eq!(conversation.say(&format!("go {limit}")).matches("bestmove ").count(), 1, "{limit}");
    }
}

#[test]
fn a_time_for_a_move_is_used_whole_whatever_the_overhead() {
    let mut conversation = Conversation::<Xiangqi>::new();
    conversation.say("setoption name Move Overhead value 10000");
    let begin = std::time::Instant::now();
    conversation.say("go movetime 150");
    assert!(begin.elapsed() >= std::time::Duration::from_millis(150), "{:?}", begin.elapsed());
}

#[test]
fn limits_that_leave_nothing_to_search_are_refused() {
    let mut conversation = Conversation::<Xiangqi>::new();
    for (limit, expected) in [
        ("movetime -5", "must be followed by a time from 0 on, got `-5`"),
        ("depth 0", "must be followed by a number of plies from 1 on, got `0`"),
        ("nodes 0", "must be followed by a number of positions from 1 on, got `0`"),
        ("mate 0", "must be followed by a number of moves from 1 on, got `0`"),
    ] {
        let said = conversation.say(&format!("go {limit}"));
        assert!(said.starts_with("info string error: ") && said.contains(expected), "{limit}: {said}");
    }
}

#[test]
fn a_line_is_never_said_to_be_shorter_than_the_depth() {
    let mut conversation = Conversation::<Xiangqi>::new();
    // What the first search knows is not followed again by the second.
    let said = conversation.say("go depth 4") + &conversation.say("go depth 4 searchmoves h2e2");
    let number = |line: &str, word: &str| -> u32 {
        line.split_once(&format!(" {word} ")).unwrap().1.split(' ').next().unwrap().parse().unwrap()
    };
    let reports: Vec<&str> = said.lines().filter(|line| line.starts_with("info depth")).collect();
    assert!(reports.len() >= 8, "{said}");
    assert!(reports.iter().all(|line| number(line, "seldepth") >= number(line, "depth")), "{said}");
}

/// Search that prunes sees the material that Black can win, and not these mates.
#[test]
fn a_mate_that_is_asked_for_is_found() {
    for (fen, moves) in
        [("2bak4/4a4/8b/3r5/4p4/9/9/9/4K4/9 b - - 1 49", 2), ("3ak4/4a4/4b4/9/p7n/9/9/5r3/4K4/9 b - - 1 58", 3)]
    {
        let mut conversation = Conversation::<Xiangqi>::new();
        conversation.say(&format!("position fen {fen}"));
        let said = conversation.say(&format!("go mate {moves}"));
        assert!(said.contains(&format!(" score mate {moves} ")), "{said}");
        assert_eq!(said.matches("bestmove").count(), 1, "{said}");
    }
}

/// A process that may have 2 GB of addresses.
#[cfg(target_os = "linux")]
#[test]
fn a_hash_table_that_memory_has_no_room_for_is_refused() {
    let limited = |input: &str| {
        let script = format!("{input} | (ulimit -v 2000000; exec \"$0\" engine)");
        let mut command = std::process::Command::new("sh");
        let output = command.args(["-c", &script, env!("CARGO_BIN_EXE_roughboard")]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = limited("printf 'setoption name Hash value 4096\\ngo depth 2\\nquit\\n'");
    let expected = "option `Hash` must be a number of MiB that the memory of this machine has room for, got `4096`";
    assert!(said.contains(expected) && said.contains("bestmove "), "{said}");
}

#[test]
fn what_was_learned_is_forgotten_for_a_new_game_only() {
    let mut conversation = Conversation::<Xiangqi>::new();
    let mut nodes = |before: &str| {
        conversation.say(before);
        let said = conversation.say("go depth 3");
        said.rsplit_once(" nodes ").unwrap().1.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let first = nodes("ucinewgame");
    assert_ne!(nodes(""), first, "the second search knows the first");
    assert_eq!(nodes("ucinewgame"), first);
    assert_eq!(nodes("setoption name Clear Hash"), first);
}

/// What the engine answers to `input`, all of which is there at once, without the reports of its searches.
fn served(input: impl Read + Send + 'static) -> Vec<String> {
    let mut out = Vec::new();
    serve(Session::<Xiangqi>::new().unwrap(), input, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().filter(|line| !line.starts_with("info depth")).map(str::to_owned).collect()
}

/// The first word of each line.
fn first_words(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| line.split(' ').next().unwrap()).collect()
}

#[test]
fn commands_are_read_while_a_search_runs_and_in_order() {
    let answers =
        served(&b"go infinite\nisready\nstop\nisready\ngo infinite\nstop\nposition startpos\ngo depth 1\nquit\n"[..]);
    assert_eq!(first_words(&answers), ["readyok", "bestmove", "readyok", "bestmove", "bestmove"]);
}

#[test]
fn the_end_of_the_input_stops_the_search_and_the_engine() {
    assert_eq!(first_words(&served(&b"go infinite"[..])), ["bestmove"]);
    assert_eq!(first_words(&served(&b"go ponder movetime 1\n"[..])), ["bestmove"]);
    assert_eq!(
        first_words(&served(&b"ucci\nisready\ngo infinite\nquit\nisready\n"[..]))[..]
            .iter()
            .rev()
            .take(2)
            .collect::<Vec<_>>(),
        [&"bye", &"bestmove"]
    );
    assert!(served(&b""[..]).is_empty());
}

#[test]
fn lines_that_are_no_text_are_survived() {
    let mut input = vec![0xFF, 0xFE, b'\n'];
    input.extend(std::iter::repeat_n(b'x', 3 << 20));
    input.extend(b"\nisready\nquit\n");
    let answers = served(std::io::Cursor::new(input));
    let too_long = "info string error: line of more than 524288 bytes";
    assert_eq!(answers, ["info string error: unknown command `\u{FFFD}\u{FFFD}`", too_long, "readyok"]);
}

/// Parts of lines, sensible and not.
const PARTS: [&str; 44] = [
    "uci",
    "ucci",
    "isready",
    "ucinewgame",
    "setoption",
    "name",
    "value",
    "Hash",
    "hashsize",
    "Clear Hash",
    "MultiPV",
    "killers",
    "usemillisec",
    "UCI_Variant",
    "xiangqi",
    "true",
    "position",
    "startpos",
    "fen",
    "moves",
    "h2e2",
    "h3e3",
    "a10a9",
    "h9g7",
    "4k4/9/9/9/9/9/9/9/9/3K5 w",
    "go",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "movetime",
    "wtime",
    "searchmoves",
    "time",
    "stop",
    "ponderhit",
    "banmoves",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "d",
    "eval",
    "probe",
];

/// Lines that are commands.
const LINES: [&str; 12] = [
    "go infinite",
    "go depth 1",
    "go ponder depth 1",
    "stop",
    "ponderhit",
    "position startpos moves h2e2",
    "isready",
    "ucci",
    "uci",
    "setoption name Hash value 1",
    "go nodes 20",
    "position fen 4k4/R8/9/9/9/9/9/9/8R/3K5 w moves i1i9",
];

fn any_line() -> impl Strategy<Value = String> {
    let parts = proptest::collection::vec(proptest::sample::select(&PARTS[..]), 0..6).prop_map(|parts| parts.join(" "));
    prop_oneof![4 => proptest::sample::select(&LINES[..]).prop_map(str::to_owned), 4 => parts, 1 => ".{0,40}"]
}

/// A large table takes longer to make than all else.
fn wants_a_large_table(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.contains("hash") && lower.chars().filter(char::is_ascii_digit).count() > 2
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn whatever_it_is_told_each_accepted_go_is_answered_once(lines in proptest::collection::vec((any_line(), any::<bool>()), 0..40)) {
        let mut conversation = Conversation::<Xiangqi>::new();
        conversation.tell("setoption name Hash value 1");
        let mut accepted = 0;
        for (line, finishes) in lines.iter().filter(|(line, _)| !wants_a_large_table(line)) {
            let said = conversation.tell(line);
            accepted += usize::from(line.split_whitespace().next() == Some("go") && !said.contains(" error: "));
            if conversation.session.is_waiting() || *finishes {
                // Otherwise a search without a limit would not end.
                if conversation.task.is_some() && !conversation.session.is_waiting() {
                    conversation.tell("stop");
                }
                conversation.finish();
            }
        }
        conversation.session.close(&mut conversation.said).unwrap();
        conversation.finish();
        prop_assert!(conversation.session.is_over());
        let said = String::from_utf8(conversation.said).unwrap();
        let answers = said.lines().filter(|line| line.starts_with("bestmove") || *line == "nobestmove").count();
        prop_assert_eq!(answers, accepted, "{:?}\n{}", lines, said);
    }
}

#[test]
fn answers_that_were_not_asked_for_are_passed_over() {
    let mut out = Vec::new();
    Session::<Xiangqi>::new().unwrap().answered(Answer::Ready, &mut out).unwrap();
    assert!(out.is_empty());
}

#[test]
fn options_can_be_set_on_the_command_line() {
    let files = Files::new();
    let missing = files.path("missing.safetensors");
    let error = roughboard(&["engine", "--evaluator", missing.to_str().unwrap()]).refusal();
    assert!(error.starts_with("error: option `EvalFile`: "), "{error}");
    let error = roughboard(&["engine", "--evaluator", "static"]).refusal();
    assert_eq!(error.matches("there is no evaluator").count(), 1, "{error}");
    assert!(error.ends_with("; it is one of connect6: `--game connect6`\n"), "{error}");
    let error = roughboard(&["engine", "--option", "Hash"]).refusal();
    assert_eq!(error, "error: `--option` must be NAME=VALUE, got Hash\n");
    let error = roughboard(&["engine", "--option", "Hash=-1"]).refusal();
    assert_eq!(error, "error: option `Hash` must be a whole number in [0, 65536], got `-1`\n");
    let given = ["engine", "--seed", "7", "--threads", "3", "--option", "Threads=2"];
    let said = roughboard_told(&given, "uci\nquit\n").ended(0).stdout;
    assert!(said.contains("option name BookSeed type spin default 7 "), "{said}");
    assert!(said.contains("option name Threads type spin default 2 "), "{said}");
    let said = roughboard_told(&given[..5], "uci\nquit\n").ended(0).stdout;
    assert!(said.contains("option name Threads type spin default 3 "), "{said}");
    let error = roughboard(&["engine", "--seed", "99999999999"]).refusal();
    assert!(error.starts_with("error: option `BookSeed` must be a whole number in [0, 2147483647]"), "{error}");
}

#[test]
fn the_bench_visits_the_same_positions_each_time() {
    let run = || roughboard(&["bench", "--depth", "2", "--hash", "1", "--json"]).ended(0).json();
    let (first, second) = (run(), run());
    assert_eq!(first["positions"], second["positions"]);
    assert_eq!(first["signature"], second["signature"]);
    let rows = first["positions"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    let nodes: u64 = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
    assert_eq!(first["signature"], nodes);
    let text = roughboard(&["bench", "--depth", "2", "--hash", "1"]).ended(0).stdout;
    assert!(text.contains(&format!("\nsignature {nodes}\n")), "{text}");
    let error = roughboard(&["bench", "--depth", "65"]).refusal();
    assert_eq!(error, "error: `--depth` must be in [1, 64], got 65\n");
}
