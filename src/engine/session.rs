//! The state machine between a client and the search.

mod stones;

use std::io::{self, Write};
use std::sync::Arc;

use super::Dialect;
use super::clock::Allowance;
use super::command::{Command, word_of};
use super::go::{Go, Reading};
use super::info::{Style, nothing_found};
use super::options::{Effect, Options};
use super::refusal::{Refusal, on_one_line};
use super::stones::is_word;
use super::task::{Answer, Job, Task};
use crate::PROGRAM;
use crate::eval::Catalogue;
use crate::game::line::Line;
use crate::search::{SearchResult, Stopper, expected_result};

/// One conversation with a client, in UCI until it says `ucci`, or a word of the protocol of contests in Connect6
/// before `uci`.
///
/// It is fed with lines and writes its answers; what has to be searched it hands out as a [`Task`], whose [`Answer`] it must be
/// given. In between it takes further lines, as far as it is not [waiting](Session::is_waiting) and does not
/// [hold them back](Session::holds_back). Whatever it is fed with, each
/// accepted `go` is answered by exactly one `bestmove` or `nobestmove`, and a command that cannot be carried out by one line
/// that says why.
///
/// ```
/// use roughboard::engine::{Searcher, Session};
/// use roughboard::games::xiangqi::Xiangqi;
/// let (mut session, mut searcher, mut out) = (Session::<Xiangqi>::new().unwrap(), Searcher::default(), Vec::new());
/// assert!(session.receive("position startpos moves h2e2", &mut out).unwrap().is_none());
/// let task = session.receive("go depth 2", &mut out).unwrap().unwrap();
/// let answer = searcher.perform(task, &mut |_| ());
/// session.answered(answer, &mut out).unwrap();
/// assert!(String::from_utf8(out).unwrap().starts_with("bestmove "));
/// ```
pub struct Session<G: Catalogue> {
    dialect: Dialect,
    /// Whether the client has named its protocol, which no other word changes then.
    is_named: bool,
    options: Options<G>,
    position: G,
    /// How the client described `position`.
    line: Line<G>,
    /// Moves that may not be made in `position`.
    banned: Vec<G::Move>,
    /// How many turns a search looks ahead, if the protocol of contests has said so.
    turns_ahead: Option<u32>,
    /// Whether the next task begins with forgetting.
    forget: bool,
    activity: Activity<G::Move>,
    over: bool,
    /// What is to be written.
    said: String,
}

/// What the session is doing.
enum Activity<M> {
    Idle,
    /// A task without a search is being done.
    Preparing,
    Searching(Running<M>),
}

/// A search from `go` to its answer.
struct Running<M> {
    stopper: Arc<Stopper>,
    style: Style,
    /// Whether the answer has to wait for `stop` or `ponderhit`.
    held: bool,
    /// What begins at `ponderhit`: the time for the move, if that is limited.
    pondering: Option<Ponder>,
    stopping: bool,
    found: Option<SearchResult<M>>,
    /// Whether the answer will be a move of a game: the search is no analysis.
    plays: bool,
    /// Whether all legal moves are considered.
    considers_all: bool,
}

#[derive(Clone, Copy)]
struct Ponder {
    allowance: Option<Allowance>,
    /// Whether the answer has to wait for `stop` even then.
    endless: bool,
}

impl<G: Catalogue> Session<G> {
    /// A session in the initial position with all options at their defaults.
    ///
    /// # Errors
    /// When the built-in evaluator cannot be had.
    pub fn new() -> Result<Self, Refusal> {
        Ok(Self {
            dialect: Dialect::Uci,
            is_named: false,
            options: Options::new()?,
            position: G::start(),
            line: Line::initial(),
            banned: Vec::new(),
            turns_ahead: None,
            forget: false,
            activity: Activity::Idle,
            over: false,
            said: String::new(),
        })
    }

    /// Sets the option that UCI calls `name`, before the client says anything.
    ///
    /// # Errors
    /// When there is no such option, or it cannot take the value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        self.options.set(Dialect::Uci, name, value).map(drop)
    }

    /// Takes one line from the client, and answers to `out` as far as it can at once. A task must be done, and its answer
    /// given to [`Session::answered`].
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn receive(&mut self, line: &str, out: &mut impl Write) -> io::Result<Option<Task<G>>> {
        if G::PROTOCOL.speaks_stones && !self.is_named && self.is_idle() && is_word(word_of(line)) {
            self.dialect = Dialect::Contest;
        }
        let outcome = Command::parse(line, self.dialect).and_then(|command| self.execute(command));
        let task = outcome.unwrap_or_else(|refusal| {
            self.report(&refusal);
            None
        });
        self.write(out)?;
        Ok(task)
    }

    /// Tells the client that something it sent was no command at all.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn refuse(&mut self, refusal: &Refusal, out: &mut impl Write) -> io::Result<()> {
        self.report(refusal);
        self.write(out)
    }

    /// Takes what came of the last task.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn answered(&mut self, answer: Answer<G::Move>, out: &mut impl Write) -> io::Result<()> {
        match (answer, &self.activity) {
            (Answer::Found(found), _) => self.answer(found),
            (Answer::Ready, Activity::Preparing) => {
                self.activity = Activity::Idle;
                self.say("readyok\n");
            }
            _ => {}
        }
        self.say_bye();
        self.write(out)
    }

    /// The client has gone: a search is stopped, and the session is over once that has ended.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn close(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.quit();
        self.write(out)
    }

    /// Whether no line may be given to it before the answer to the last task: a search has been told to stop, or the engine
    /// makes ready.
    pub const fn is_waiting(&self) -> bool {
        match &self.activity {
            Activity::Idle => false,
            Activity::Preparing => true,
            Activity::Searching(running) => running.stopping,
        }
    }

    /// Whether `line` has to wait for the answer to a search that runs: the protocol of contests has words for nothing but its end
    /// then.
    pub fn holds_back(&self, line: &str) -> bool {
        let is_thinking = self.dialect == Dialect::Contest && !self.is_idle();
        is_thinking && !matches!(word_of(line), "stop" | "quit" | "exit")
    }

    /// Whether nothing is left to do after `quit` or [`Session::close`].
    pub const fn is_over(&self) -> bool {
        self.over && matches!(self.activity, Activity::Idle)
    }

    fn execute(&mut self, command: Command<'_>) -> Result<Option<Task<G>>, Refusal> {
        match command {
            Command::Nothing => {}
            Command::Speak(dialect) => self.speak(dialect)?,
            Command::IsReady => return Ok(self.make_ready()),
            Command::NewGame => self.new_game()?,
            Command::SetOption { name, value } => self.set(name, value)?,
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves)?,
            Command::BanMoves(moves) => self.ban(&moves)?,
            Command::Go(words) => return self.go(words),
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Show => self.show(),
            Command::Eval => self.evaluate(),
            // The table belongs to the search, which does not show it.
            Command::Probe => self.say("pophash\n"),
            Command::Stones(command) => return self.obey(command),
            Command::Result(outcome) => {
                self.require_idle("result")?;
                self.options.log.result(outcome)?;
            }
            Command::Quit => self.quit(),
        }
        Ok(None)
    }

    fn speak(&mut self, dialect: Dialect) -> Result<(), Refusal> {
        self.require_idle(if dialect == Dialect::Uci { "uci" } else { "ucci" })?;
        if dialect == Dialect::Ucci && !G::PROTOCOL.speaks_ucci {
            return Err(Refusal::Dialect(G::NAME));
        }
        (self.dialect, self.is_named) = (dialect, true);
        let end = dialect.answer();
        let options = self.options.announcement(dialect);
        self.say(&format!("id name {PROGRAM}\nid author the roughboard developers\n{options}{end}\n"));
        Ok(())
    }

    /// The task that makes everything ready, such as the table; a running search is proof enough that it is.
    fn make_ready(&mut self) -> Option<Task<G>> {
        if !self.is_idle() {
            self.say("readyok\n");
            return None;
        }
        self.activity = Activity::Preparing;
        Some(self.task(None))
    }

    fn new_game(&mut self) -> Result<(), Refusal> {
        self.require_idle("ucinewgame")?;
        self.forget = true;
        self.close_log();
        self.set_position(None, &[])
    }

    /// Writes the game that is logged. A log that cannot be written is told, and is no reason not to go on.
    fn close_log(&mut self) {
        if let Err(refusal) = self.options.log.close() {
            self.report(&refusal);
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        self.require_idle("setoption")?;
        match self.options.set(self.dialect, name, value) {
            // UCCI lets clients set what was never announced.
            Err(Refusal::NoOption(_)) if self.dialect == Dialect::Ucci => {}
            outcome => {
                let forget = outcome? == Effect::Forget;
                self.forget |= forget;
                // In UCCI this is how a new game is announced.
                if forget && self.dialect == Dialect::Ucci {
                    self.close_log();
                }
            }
        }
        Ok(())
    }

    /// Sets up a position; on an error the one before stays.
    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), Refusal> {
        self.require_idle("position")?;
        let start = fen.map_or_else(|| Ok(G::start()), G::from_notation)?;
        let (mut position, mut played) = (start.clone(), Vec::new());
        for (index, text) in moves.iter().enumerate() {
            let mv = self.read_move(&position, "position", index, text)?;
            position.play(mv);
            played.push(mv);
        }
        (self.position, self.banned) = (position, Vec::new());
        self.line = Line { start, moves: played };
        self.options.log.set_position(&self.line);
        Ok(())
    }

    fn ban(&mut self, moves: &[&str]) -> Result<(), Refusal> {
        self.require_idle("banmoves")?;
        self.banned = self.read_moves("banmoves", moves)?;
        Ok(())
    }

    fn go(&mut self, words: &str) -> Result<Option<Task<G>>, Refusal> {
        self.require_idle("go")?;
        if self.dialect == Dialect::Contest {
            let missing = "contests ask for a turn by `next` or `move`; send `uci` first to speak UCI";
            return Err(Refusal::Missing { command: "go", missing });
        }
        let go = Go::parse(words, self.reading())?;
        self.start(&go)
    }

    /// Begins what `go` asks for.
    fn start(&mut self, go: &Go) -> Result<Option<Task<G>>, Refusal> {
        let (excluded, limits) = (self.excluded(go)?, go.limits()?);
        if !go.ignored.is_empty() {
            self.note(&format!("`go` does not know `{}`", go.ignored.join(" ")));
        }
        let considers_all = excluded.is_empty() && self.options.setup.search.width == 0;
        let stopper = self.begin(go, considers_all);
        if self.has_nothing_to_search(go, &excluded) {
            self.answer_at_once(go);
            return Ok(None);
        }
        if let Some(pv) = self.book_line(go, &excluded) {
            self.note("book move");
            self.answer(SearchResult { best: pv.first().copied(), pv, ..nothing_found(&self.position) });
            return Ok(None);
        }
        let (position, lines, style) = (self.position.clone(), self.options.lines, self.style());
        let whole_turn = self.dialect == Dialect::Contest;
        let mate = go.mate;
        let job = Job { position, limits, mate, excluded, lines, whole_turn, stopper, style };
        Ok(Some(self.task(Some(job))))
    }

    /// Starts the clock, unless it has to wait for `ponderhit`, and notes that a search runs.
    fn begin(&mut self, go: &Go, considers_all: bool) -> Arc<Stopper> {
        let (stopper, style) = (Arc::new(Stopper::new()), self.style());
        let allowance = go.allowance(self.options.overhead);
        // UCCI lets an infinite search end by itself.
        let endless = self.dialect == Dialect::Uci && go.is_endless();
        let pondering = go.ponder.then_some(Ponder { allowance, endless });
        if let (None, Some(allowance)) = (pondering, allowance) {
            allowance.begin(&stopper);
        }
        let held = go.ponder || endless;
        let plays = !go.is_endless();
        if go.ponder || !plays {
            self.options.log.drop_position();
        }
        let (stopping, found, kept) = (false, None, Arc::clone(&stopper));
        let running = Running { stopper: kept, style, held, pondering, stopping, found, plays, considers_all };
        self.activity = Activity::Searching(running);
        stopper
    }

    fn has_nothing_to_search(&self, go: &Go, excluded: &[G::Move]) -> bool {
        let static_only = self.dialect == Dialect::Ucci && go.depth == Some(0);
        static_only || excluded.len() == self.position.count_legal_moves()
    }

    /// Answers without a search: there is no move to choose, or only the static value is wanted.
    fn answer_at_once(&mut self, go: &Go) {
        let mut nothing = nothing_found(&self.position);
        if go.depth == Some(0) && self.position.count_legal_moves() > 0 {
            nothing.score = (self.options.setup.evaluator)().evaluate(&self.position);
        }
        self.say(&self.style().static_score(nothing.score));
        self.answer(nothing);
    }

    /// What the opening book plays, a move or the whole turn that is asked for; nothing when the client wants to see a search.
    fn book_line(&self, go: &Go, excluded: &[G::Move]) -> Option<Vec<G::Move>> {
        if go.ponder || go.is_endless() || !go.only.is_empty() {
            return None;
        }
        let (mut position, mut line) = (self.position.clone(), Vec::new());
        loop {
            let mv = self.options.book.choose(&position, excluded)?;
            position.play(mv);
            line.push(mv);
            let goes_on = position.side_to_move() == self.position.side_to_move() && position.end().is_none();
            if self.dialect != Dialect::Contest || !goes_on {
                return Some(line);
            }
        }
    }

    /// The legal moves that are banned, or are not among those to choose from.
    fn excluded(&self, go: &Go) -> Result<Vec<G::Move>, Refusal> {
        let words: Vec<&str> = go.only.iter().map(String::as_str).collect();
        let only = self.read_moves("go searchmoves", &words)?;
        let mut excluded = self.position.moves();
        excluded.retain(|mv| self.banned.contains(mv) || !(only.is_empty() || only.contains(mv)));
        Ok(excluded)
    }

    fn stop(&mut self) -> Result<(), Refusal> {
        if self.is_idle() {
            return Err(Refusal::Missing { command: "stop", missing: "no search is running" });
        }
        self.stop_search();
        Ok(())
    }

    /// Stops the search that runs, if one does.
    pub(super) fn stop_search(&mut self) {
        if let Activity::Searching(running) = &mut self.activity {
            running.stopper.stop();
            (running.held, running.stopping) = (false, true);
            self.answer_when_ready();
        }
    }

    /// The clock starts; what was found meanwhile is the answer.
    fn ponder_hit(&mut self) -> Result<(), Refusal> {
        let missing = Refusal::Missing { command: "ponderhit", missing: "no search is pondering" };
        let Activity::Searching(running) = &mut self.activity else { return Err(missing) };
        let Some(Ponder { allowance, endless }) = running.pondering.take() else { return Err(missing) };
        if let Some(allowance) = allowance {
            allowance.begin(&running.stopper);
        }
        running.held = endless;
        self.answer_when_ready();
        Ok(())
    }

    /// Takes note of what the running search `found`, and gives the answer if it need not wait.
    fn answer(&mut self, found: SearchResult<G::Move>) {
        if let Activity::Searching(running) = &mut self.activity {
            running.found = Some(found);
        }
        self.answer_when_ready();
    }

    /// Gives the answer to `go` if it is there and need not wait.
    fn answer_when_ready(&mut self) {
        if !matches!(self.activity, Activity::Searching(Running { held: false, found: Some(_), .. })) {
            return;
        }
        let Activity::Searching(running) = std::mem::replace(&mut self.activity, Activity::Idle) else { return };
        let Some(found) = &running.found else { return };
        if self.dialect == Dialect::Contest {
            return self.answer_turn(&running, found);
        }
        self.say(&running.style.best(found));
        // A client that has gone, or that thought on the opponent's time in vain, makes no such move.
        if running.plays && running.pondering.is_none() && !self.over {
            self.log(found, running.considers_all);
        }
    }

    /// Notes the answer to `go` as a move of the game that is logged.
    fn log(&mut self, found: &SearchResult<G::Move>, considers_all: bool) {
        let Options { log, evaluator_name, .. } = &mut self.options;
        if let Err(refusal) = log.answered(&self.line, found, (considers_all, evaluator_name)) {
            self.report(&refusal);
        }
    }

    fn quit(&mut self) {
        self.over = true;
        self.stop_search();
        self.close_log();
        self.say_bye();
    }

    fn say_bye(&mut self) {
        if self.is_over() && self.dialect == Dialect::Ucci {
            self.say("bye\n");
        }
    }

    fn show(&mut self) {
        let drawn = self.position.diagram(self.options.ranks);
        let text = format!("{drawn}fen {}\nkey {:016x}\n", self.position.notation(), self.position.key());
        self.say(&text);
    }

    fn evaluate(&mut self) {
        let mut evaluator = (self.options.setup.evaluator)();
        let score = evaluator.evaluate(&self.position);
        let side = G::SIDES[self.position.side_to_move().index()];
        let (centipawns, expected) = (self.options.scale.centipawns(score), expected_result(&*evaluator, score));
        self.say(&format!("eval {centipawns:+} centipawns for {side}, expected result {expected:+.3}\n"));
    }

    /// The legal moves that `texts` name in the position that is set up.
    fn read_moves(&self, command: &'static str, texts: &[&str]) -> Result<Vec<G::Move>, Refusal> {
        texts.iter().enumerate().map(|(index, text)| self.read_move(&self.position, command, index, text)).collect()
    }

    fn read_move(&self, position: &G, command: &'static str, index: usize, text: &str) -> Result<G::Move, Refusal> {
        let mv = self.options.ranks.read(position, text);
        mv.map_err(|source| Refusal::Move { command, number: index + 1, source })
    }

    fn task(&mut self, job: Option<Job<G>>) -> Task<G> {
        Task { setup: self.options.setup.clone(), forget: std::mem::take(&mut self.forget), job }
    }

    const fn is_idle(&self) -> bool {
        matches!(self.activity, Activity::Idle)
    }

    fn require_idle(&self, command: &'static str) -> Result<(), Refusal> {
        if self.is_idle() { Ok(()) } else { Err(Refusal::Busy(command)) }
    }

    fn style(&self) -> Style {
        let Options { ranks, scale, .. } = self.options;
        Style { dialect: self.dialect, ranks, scale, plies_of_mate_move: G::PROTOCOL.plies_of_mate_move }
    }

    fn reading(&self) -> Reading {
        Reading {
            dialect: self.dialect,
            milliseconds: self.options.milliseconds,
            side: self.position.side_to_move(),
            clocks: G::PROTOCOL.clocks,
            plies_of_mate_move: G::PROTOCOL.plies_of_mate_move as u32,
        }
    }

    fn report(&mut self, refusal: &Refusal) {
        let causes = std::iter::successors(std::error::Error::source(refusal), |cause| cause.source());
        let why: String = causes.map(|cause| format!(": {cause}")).collect();
        self.note(&format!("error: {refusal}{why}"));
    }

    fn note(&mut self, text: &str) {
        self.say(&self.style().message(&on_one_line(text)));
    }

    fn say(&mut self, text: &str) {
        self.said += text;
    }

    fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let said = std::mem::take(&mut self.said);
        if said.is_empty() { Ok(()) } else { out.write_all(said.as_bytes()).and_then(|()| out.flush()) }
    }
}
