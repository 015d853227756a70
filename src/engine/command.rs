//! One line of a protocol as a command.

use super::Dialect;
use super::refusal::Refusal;
use super::stones::StoneCommand;
use crate::game::{Outcome, Side};

/// A command; what follows its word is as far apart as it can be without a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// An empty line, or one that asks for nothing here.
    Nothing,
    /// Speak this protocol, and say who you are.
    Speak(Dialect),
    IsReady,
    NewGame,
    SetOption {
        name: &'a str,
        value: &'a str,
    },
    Position {
        /// The FEN; `None` for the initial position.
        fen: Option<String>,
        moves: Vec<&'a str>,
    },
    BanMoves(Vec<&'a str>),
    Go(&'a str),
    Stop,
    PonderHit,
    Show,
    Eval,
    Probe,
    /// One of the protocol of contests in Connect6.
    Stones(StoneCommand<'a>),
    /// How the game that is logged ended.
    Result(Outcome),
    Quit,
}

impl<'a> Command<'a> {
    /// Reads a line.
    pub fn parse(line: &'a str, dialect: Dialect) -> Result<Self, Refusal> {
        let (word, rest) = first_word(line);
        if dialect == Dialect::Contest
            && let Some(command) = StoneCommand::parse(word, rest)?
        {
            return Ok(Self::Stones(command));
        }
        let command = match (word, dialect) {
            ("", _) | ("debug" | "register", Dialect::Uci) => Self::Nothing,
            ("uci", _) => Self::Speak(Dialect::Uci),
            ("ucci", _) => Self::Speak(Dialect::Ucci),
            ("isready", _) => Self::IsReady,
            ("ucinewgame", _) => Self::NewGame,
            ("setoption", Dialect::Uci | Dialect::Contest) => uci_option(rest)?,
            ("setoption", Dialect::Ucci) => ucci_option(rest)?,
            ("position", _) => position(rest)?,
            ("fen", _) => position(line)?,
            ("banmoves", Dialect::Ucci) => Self::BanMoves(rest.split_whitespace().collect()),
            ("go", _) => Self::Go(rest),
            ("stop", _) => Self::Stop,
            ("ponderhit", _) => Self::PonderHit,
            ("d", _) => Self::Show,
            ("eval", _) => Self::Eval,
            ("probe", Dialect::Ucci) => Self::Probe,
            ("result", _) => Self::Result(result(rest)?),
            ("quit", _) => Self::Quit,
            _ => return Err(Refusal::Unknown(word.to_owned())),
        };
        Ok(command)
    }
}

/// The first word of a line.
pub(super) fn word_of(line: &str) -> &str {
    first_word(line).0
}

/// The first word of a text, and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// `name N [value V]`; both may hold spaces.
fn uci_option(rest: &str) -> Result<Command<'_>, Refusal> {
    let form = || Refusal::form("`setoption`", "`name N [value V]`", rest);
    let ("name", rest) = first_word(rest) else { return Err(form()) };
    let (name, value) = rest.split_once(" value").map_or((rest, ""), |(name, value)| (name, value));
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() { Err(form()) } else { Ok(Command::SetOption { name, value }) }
}

/// `N [V]`; the name is one word.
fn ucci_option(rest: &str) -> Result<Command<'_>, Refusal> {
    match first_word(rest) {
        ("", _) => Err(Refusal::form("`setoption`", "a name", rest)),
        (name, value) => Ok(Command::SetOption { name, value }),
    }
}

/// `startpos [moves …]` or `fen F [moves …]`.
fn position(rest: &str) -> Result<Command<'_>, Refusal> {
    let mut words = rest.split_whitespace();
    let kind = words.next();
    let setup: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let fen = match kind {
        Some("startpos") if setup.is_empty() => None,
        Some("fen") if !setup.is_empty() => Some(setup.join(" ")),
        _ => return Err(Refusal::form("`position`", "`startpos` or `fen FEN`, and perhaps `moves …`", rest)),
    };
    Ok(Command::Position { fen, moves: words.collect() })
}

/// A result as PGN writes it.
fn result(rest: &str) -> Result<Outcome, Refusal> {
    match rest.trim_end() {
        "1-0" => Ok(Outcome::Win(Side::First)),
        "0-1" => Ok(Outcome::Win(Side::Second)),
        "1/2-1/2" => Ok(Outcome::Draw),
        found => {
            let expected = "`1-0` (the side that moves first won), `0-1` or `1/2-1/2`";
            Err(Refusal::form("`result`", expected, found))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(line: &str) -> Command<'_> {
        Command::parse(line, Dialect::Uci).unwrap()
    }

    #[test]
    fn options_are_named_as_each_protocol_does() {
        let option = |name, value| Command::SetOption { name, value };
        assert_eq!(uci("setoption name Clear Hash"), option("Clear Hash", ""));
        assert_eq!(uci("  setoption  name Hash  value 64 "), option("Hash", "64"));
        assert_eq!(uci("setoption name EvalFile value a  b.net"), option("EvalFile", "a  b.net"));
        let ucci = Command::parse("setoption evalapi a  b.net", Dialect::Ucci).unwrap();
        assert_eq!(ucci, option("evalapi", "a  b.net"));
        assert!(Command::parse("setoption Hash 64", Dialect::Uci).is_err());
        assert!(Command::parse("setoption", Dialect::Ucci).is_err());
    }

    #[test]
    fn positions_are_read_in_all_forms() {
        let position = |fen: Option<&str>, moves: &[&'static str]| Command::Position {
            fen: fen.map(str::to_owned),
            moves: moves.to_vec(),
        };
        assert_eq!(uci("position startpos"), position(None, &[]));
        assert_eq!(uci("position startpos moves h2e2\th9g7"), position(None, &["h2e2", "h9g7"]));
        assert_eq!(uci("position fen 9/9 w  - - moves a0a1"), position(Some("9/9 w - -"), &["a0a1"]));
        assert_eq!(uci("fen 9/9 w moves a0a1"), position(Some("9/9 w"), &["a0a1"]));
        for bad in ["position", "position fen", "position fen moves a0a1", "position 9/9 w", "position startpos a0a1"] {
            assert!(Command::parse(bad, Dialect::Uci).is_err(), "{bad}");
        }
    }

    #[test]
    fn commands_of_ucci_are_unknown_to_uci() {
        for line in ["banmoves h2e2", "probe fen 9/9"] {
            assert!(Command::parse(line, Dialect::Uci).is_err() && Command::parse(line, Dialect::Ucci).is_ok());
        }
        assert_eq!(uci(" \t"), Command::Nothing);
        assert_eq!(uci("go  depth 3"), Command::Go("depth 3"));
    }
}
