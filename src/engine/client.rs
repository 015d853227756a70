//! The other end of the protocols: an engine of any make as a process that is asked for moves.
//!
//! No engine is trusted: whatever is waited for has a time limit, moves are checked, and one that crashes, hangs or talks
//! nonsense is an error that says so, never a panic and never a wait without end.

mod announced;
mod budget;
mod detect;
mod error;
mod process;
mod reply;
mod stones;

pub use budget::Budget;
pub use error::ClientError;
pub use reply::{Reply, Verdict};

use std::path::PathBuf;
use std::time::Duration;

use self::announced::Announced;
use self::process::{Process, Wait};
use self::stones::Told;
use super::Dialect;
use super::refusal::on_one_line;
use crate::eval::Catalogue;
use crate::game::line::{Line, played};
use crate::game::{BoardGame, MoveError, Ranks};

/// How to start an engine and what to say to it first.
#[derive(Debug, Clone)]
pub struct EngineCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder that it runs in; that of this program if there is none.
    pub folder: Option<PathBuf>,
    /// What it speaks.
    pub dialect: Dialect,
    /// How it names ranks. [`Ranks::FromOne`] is announced to it as `UCI_Variant xiangqi`.
    pub ranks: Ranks,
    /// What it is told to be its `UCI_Variant`, if it has to be told and it does not follow from the ranks.
    pub variant: Option<&'static str>,
    /// By which letters UCI calls the clocks of the side that moves first and of the other ([`Protocol::clocks`](crate::game::Protocol::clocks)).
    pub clocks: [char; 2],
    /// Options to set, in order, by the names that its protocol gives them.
    pub options: Vec<(String, String)>,
    /// How long it may take to get ready, and to answer beyond the time that it was given.
    pub patience: Duration,
    /// How long one move may take that has no time limit.
    pub longest: Duration,
}

impl EngineCommand {
    /// `program` for the game `G`, without arguments and options, with ten seconds of patience and ten minutes at most for a move.
    pub fn new<G: Catalogue>(program: impl Into<PathBuf>, dialect: Dialect) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            folder: None,
            dialect,
            ranks: Ranks::FromZero,
            variant: None,
            clocks: G::PROTOCOL.clocks,
            options: Vec::new(),
            patience: Duration::from_secs(10),
            longest: Duration::from_secs(600),
        }
    }
}

/// An engine that runs. It is told to quit, and ended if it does not, when this value is dropped.
pub struct Client {
    command: EngineCommand,
    process: Process,
    announced: Announced,
    /// What an engine has been told that keeps the board itself.
    told: Told,
}

impl Client {
    /// Starts an engine, greets it, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// When it cannot be started, ends, does not get ready in time, or tells of an error before it is ready.
    pub fn start(command: EngineCommand) -> Result<Self, ClientError> {
        let mut client = Self::launch(command)?;
        client.greet()?;
        client.set_up()?;
        Ok(client)
    }

    /// Starts an engine, to which nothing is said yet.
    fn launch(command: EngineCommand) -> Result<Self, ClientError> {
        Ok(Self { process: Process::start(&command)?, command, announced: Announced::default(), told: Told::default() })
    }

    /// What the engine calls itself.
    pub fn name(&self) -> Option<&str> {
        self.announced.name.as_deref()
    }

    /// Tells the engine that a new game begins, and waits until it is ready.
    ///
    /// # Errors
    /// When it ends or does not answer in time.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        match self.command.dialect {
            Dialect::Uci => self.process.send("ucinewgame"),
            Dialect::Ucci if self.announced.has("newgame") => self.process.send("setoption newgame"),
            Dialect::Ucci => {}
            Dialect::Contest => {
                self.told = Told::default();
                return Ok(());
            }
        }
        self.heard_until_ready().map(drop)
    }

    /// Asks for a move in the position that `line` leads to.
    ///
    /// # Errors
    /// When the engine ends, does not answer in time, or answers with something that is no legal move.
    pub fn play<G: BoardGame>(&mut self, line: &Line<G>, budget: &Budget) -> Result<Reply<G::Move>, ClientError> {
        if self.command.dialect == Dialect::Contest {
            return self.play_stone(line, budget);
        }
        let position = line.position();
        let (reply, answer) = self.answer(line, budget)?;
        self.legal(&position, reply, &answer)
    }

    /// The answer to the position that `line` leads to, and the line that it ended with.
    fn answer<G: BoardGame>(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
    ) -> Result<(Reply<String>, String), ClientError> {
        let side = line.position().side_to_move();
        self.process.send(&self.position_line(line));
        self.process.send(&budget.go_line(
            self.command.dialect,
            side,
            (self.command.clocks, self.counts_milliseconds()),
        ));
        let patience =
            budget.time(self.command.dialect, side).map_or(self.command.longest, |time| time + self.command.patience);
        let wait = Wait::begin(patience, "move");
        let mut reply = Reply::default();
        loop {
            let line = self.process.receive(&wait)?;
            if reply.take(&line) {
                return Ok((reply, line));
            }
        }
    }

    /// The error of an engine whose last answer held no move, in a `position` that has legal ones.
    pub(crate) fn gave_no_move<G: BoardGame>(&self, position: &G) -> ClientError {
        let (program, line) = (self.process.program().to_owned(), self.process.last_line());
        ClientError::NoMove { program, line, position: position.notation() }
    }

    /// The answer `line` is no move in `position`.
    fn not_a_move<G: BoardGame>(&self, position: &G, line: String, problem: MoveError) -> ClientError {
        let program = self.process.program().to_owned();
        ClientError::Move { program, line, position: position.notation(), problem }
    }

    fn greet(&mut self) -> Result<(), ClientError> {
        if self.command.dialect == Dialect::Contest {
            return self.greet_by_name();
        }
        self.process.send(self.command.dialect.greeting());
        let dialect = self.hear(&[self.command.dialect], self.command.patience)?;
        self.command.dialect = dialect;
        Ok(())
    }

    /// Hears what the engine says of itself until it is done, and in which of the `dialects` that it was greeted in.
    fn hear(&mut self, dialects: &[Dialect], patience: Duration) -> Result<Dialect, ClientError> {
        let wait = Wait::begin(patience, dialects[0].answer());
        loop {
            let line = self.process.receive(&wait)?;
            if let Some(&dialect) = dialects.iter().find(|dialect| line.trim() == dialect.answer()) {
                return Ok(dialect);
            }
            self.announced.take(&line);
        }
    }

    /// Whether it counts time in milliseconds: in UCCI only if it says so.
    fn counts_milliseconds(&self) -> bool {
        self.command.dialect == Dialect::Uci || self.announced.has("usemillisec")
    }

    /// Refuses a time for each move that cannot be told: an engine of UCCI that counts seconds hears whole ones only. A rounded time would
    /// be another one than its opponent has.
    ///
    /// # Errors
    /// When there is such a time in `budget`.
    pub(crate) fn check_time(&self, budget: &Budget) -> Result<(), ClientError> {
        let counts_seconds = self.command.dialect == Dialect::Ucci && !self.counts_milliseconds();
        let movetime = budget.told_movetime(self.command.dialect);
        match movetime.filter(|time| counts_seconds && time.subsec_nanos() != 0) {
            Some(movetime) => Err(ClientError::WholeSeconds { program: self.process.program().to_owned(), movetime }),
            None => Ok(()),
        }
    }

    /// Sets its options and waits until it is ready; what it calls an error on the way refuses it.
    fn set_up(&mut self) -> Result<(), ClientError> {
        if self.command.dialect == Dialect::Contest {
            return self.refuse_options();
        }
        self.configure()?;
        match self.heard_until_ready()? {
            Some(words) => Err(ClientError::Refused { program: self.process.program().to_owned(), words }),
            None => Ok(()),
        }
    }

    fn configure(&mut self) -> Result<(), ClientError> {
        let of_ranks = (self.command.ranks == Ranks::FromOne).then_some("xiangqi");
        if let Some(variant) = self.command.variant.or(of_ranks) {
            self.process.send(&format!("setoption name UCI_Variant value {variant}"));
        }
        if self.command.dialect == Dialect::Ucci && self.counts_milliseconds() {
            self.process.send("setoption usemillisec true");
        }
        for (name, value) in &self.command.options {
            if [name, value].iter().any(|text| text.contains(['\n', '\r'])) {
                return Err(ClientError::Option(name.clone()));
            }
            self.announced.check(name, value, self.process.program())?;
            let line = match self.command.dialect {
                Dialect::Uci if value.is_empty() => format!("setoption name {name}"),
                Dialect::Uci => format!("setoption name {name} value {value}"),
                Dialect::Ucci | Dialect::Contest => format!("setoption {name} {value}"),
            };
            self.process.send(line.trim_end());
        }
        Ok(())
    }

    /// Waits until it is ready; the first error that it tells of on the way, in its words.
    fn heard_until_ready(&mut self) -> Result<Option<String>, ClientError> {
        self.process.send("isready");
        let wait = Wait::begin(self.command.patience, "readyok");
        let mut error = None;
        loop {
            let line = self.process.receive(&wait)?;
            if line.trim() == "readyok" {
                return Ok(error);
            }
            error = error.or_else(|| error_in(&line));
        }
    }

    fn position_line<G: BoardGame>(&self, Line { start, moves }: &Line<G>) -> String {
        let word = if moves.is_empty() { "" } else { " moves" };
        let mut line = format!("position fen {}{word}", start.notation());
        for mv in moves {
            line.push(' ');
            self.command.ranks.write(mv, &mut line);
        }
        line
    }

    /// `reply`, which ended with `line`, with the moves that it names in `position`.
    fn legal<G: BoardGame>(
        &self,
        position: &G,
        reply: Reply<String>,
        line: &str,
    ) -> Result<Reply<G::Move>, ClientError> {
        let mv = reply.mv.as_deref().map(|text| self.read_move(position, text)).transpose();
        let mv = mv.map_err(|problem| self.not_a_move(position, line.to_owned(), problem))?;
        let ponder = mv.zip(reply.ponder.as_deref());
        let ponder = ponder.and_then(|(mv, text)| self.read_move(&played(position, &[mv]), text).ok());
        Ok(reply.with_moves(mv, ponder))
    }

    fn read_move<G: BoardGame>(&self, position: &G, text: &str) -> Result<G::Move, MoveError> {
        self.command.ranks.read(position, text)
    }
}

/// What a line calls an error, in either protocol's form, fit to be shown.
fn error_in(line: &str) -> Option<String> {
    let said = ["info string ", "info message "].iter().find_map(|head| line.trim().strip_prefix(head))?;
    said.trim_start().strip_prefix("error:").map(|words| on_one_line(words.trim()))
}
