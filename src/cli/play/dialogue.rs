//! What is said between the program and the person: the board, moves, commands.

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Context;
use roughboard::arena::{Chance, Decision, Finish, GameInPlay, Player, Seat};
use roughboard::eval::Catalogue;
use roughboard::game::{End, Outcome, Ranks, Side};
use roughboard::record::{DEFAULT_LEVEL, GameRecord, PGN_ENDINGS, write_games};
use roughboard::settings::counted;

use super::super::eval;
use super::super::output::print;
use super::super::targets::{Targets, check_ending};

/// Lines of moves are no longer than this.
const COLUMNS: usize = 100;

/// What the person is called in records.
const PERSON: &str = "you";

const HELP: &str = "\
Type a move, such as those that `moves` lists, or one of these:
  moves      the legal moves
  hint       the move that your opponent would make in your place, and what speaks for it
  undo       take back your last move
  board      show the board again
  flip       turn the board round
  eval       what the position is worth
  why        the same, with reasons
  position   the position as text, for --start
  save FILE  write the game to a new file
  resign     give the game up
  help       this list
  quit       leave
";

/// Who plays.
pub struct Players<G: Catalogue> {
    /// The person's side.
    pub person: Side,
    /// What the opponent is called.
    pub name: String,
    /// Who plays the other side.
    pub opponent: Box<dyn Seat<G>>,
    /// Who gives hints.
    pub adviser: Box<dyn Player<G>>,
    /// The name of the evaluator that says what speaks for a hint.
    pub reasoner: String,
    /// Whether that is not the opponent's own, which has none that could give reasons.
    pub is_borrowed: bool,
    /// The name of the evaluator that is asked about positions.
    pub evaluator: String,
}

/// A game and the talk about it.
pub struct Dialogue<'a, G: Catalogue> {
    game: GameInPlay<G>,
    players: Players<G>,
    record: Option<&'a Path>,
    targets: &'a Targets,
    /// The files that the person had the game saved to.
    saved: Vec<PathBuf>,
    flipped: bool,
}

/// What follows a line.
enum Next {
    /// The next line.
    Listen,
    /// The end of the talk.
    Leave,
}

impl<'a, G: Catalogue> Dialogue<'a, G> {
    /// A talk over `game`; it is written to `record` after each line.
    pub fn new(game: GameInPlay<G>, players: Players<G>, record: Option<&'a Path>, targets: &'a Targets) -> Self {
        let flipped = players.person == Side::Second;
        Self { game, players, record, targets, saved: Vec::new(), flipped }
    }

    /// Plays until the person leaves or says no more.
    pub fn hold(mut self) -> anyhow::Result<()> {
        let (you, other) = (self.name_of(self.players.person), self.name_of(self.players.person.other()));
        print(&format!("You play {you}, {} plays {other}. `help` lists the commands.\n", self.players.name))?;
        self.show_board()?;
        let mut lines = io::stdin().lock().split(b'\n');
        let echoes = !io::stdin().is_terminal();
        self.advance()?;
        self.keep_record()?;
        loop {
            print(&self.prompt())?;
            // The end of the input is as good a way to leave as any.
            let Some(line) = lines.next().transpose().context("cannot read what you type")? else { break };
            // What is no text is no command either, and no reason to lose the game.
            let line = String::from_utf8_lossy(&line);
            if echoes {
                print(&format!("{}\n", line.trim_end()))?;
            }
            let next = self.answer(line.trim())?;
            self.keep_record()?;
            if let Next::Leave = next {
                break;
            }
        }
        print("\n")
    }

    /// Writes the game so far to the file that it is to be kept in, so that leaving by Ctrl-C loses at most one move.
    fn keep_record(&self) -> anyhow::Result<()> {
        self.record.map_or(Ok(()), |path| self.save(path))
    }

    fn prompt(&self) -> String {
        let over = self.game.finish().is_some();
        let who = if over { "game over" } else { self.name_of(self.game.position().side_to_move()) };
        format!("{who}> ")
    }

    const fn name_of(&self, side: Side) -> &'static str {
        G::SIDES[side.index()]
    }

    /// Does what a line says.
    fn answer(&mut self, line: &str) -> anyhow::Result<Next> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (command, rest.trim()) {
            ("", _) => {}
            ("help", "") => print(HELP)?,
            ("board", "") => self.show_board()?,
            ("flip", "") => {
                self.flipped = !self.flipped;
                self.show_board()?;
            }
            ("position", "") => print(&format!("{}\n", self.game.position().notation()))?,
            ("moves", "") => print(&list_of_moves(self.game.position()))?,
            ("undo", "") => self.undo()?,
            ("hint", "") => self.hint()?,
            ("eval", "") => self.judge(false)?,
            ("why", "") => self.judge(true)?,
            ("save", "") => print("`save` needs the name of a file, as in `save game.pgn`.\n")?,
            ("save", file) => self.try_to_save(Path::new(file))?,
            ("resign", "") => self.resign()?,
            ("quit" | "exit", "") => return Ok(Next::Leave),
            _ => self.try_to_move(line)?,
        }
        Ok(Next::Listen)
    }

    fn show_board(&self) -> anyhow::Result<()> {
        let board = self.game.position().diagram(Ranks::FromZero);
        print(&format!("\n{}\n", if self.flipped { turned(&board) } else { board }))
    }

    /// Says so if the game is over, and whether it is.
    fn is_over(&self) -> anyhow::Result<bool> {
        let over = self.game.finish().is_some();
        if over {
            print("The game is over: `undo` takes your last move back, `save FILE` keeps it, `quit` leaves.\n")?;
        }
        Ok(over)
    }

    fn try_to_move(&mut self, text: &str) -> anyhow::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        match self.moves_of(text) {
            Ok(moves) => {
                moves.into_iter().for_each(|mv| self.game.play(Decision::silent(mv)));
                self.show_board()?;
                self.advance()
            }
            Err(error) => print(&format!("{error} (`moves` lists the legal moves, `help` the commands)\n")),
        }
    }

    /// The moves of one turn, with blanks between them where a side makes several, as the two stones of Connect6.
    fn moves_of(&self, text: &str) -> anyhow::Result<Vec<G::Move>> {
        let mut position = self.game.position().clone();
        let whole = match position.parse_move(text) {
            Ok(mv) => return Ok(vec![mv]),
            Err(error) if text.split_whitespace().nth(1).is_none() => return Err(error.into()),
            Err(error) => error,
        };
        let (side, mut moves) = (position.side_to_move(), Vec::new());
        for word in text.split_whitespace() {
            // A move of one word that is not the last has to leave the turn where it is.
            anyhow::ensure!(position.side_to_move() == side && position.end().is_none(), whole);
            let mv = position.parse_move(word)?;
            position.play(mv);
            moves.push(mv);
        }
        Ok(moves)
    }

    /// Lets the opponent move as long as it is its turn, and tells the end of the game.
    fn advance(&mut self) -> anyhow::Result<()> {
        while self.game.finish().is_none() && self.game.position().side_to_move() != self.players.person {
            self.let_opponent_move()?;
        }
        match self.game.finish() {
            Some(finish) => print(&self.announcement(&finish.end)),
            None => Ok(()),
        }
    }

    fn let_opponent_move(&mut self) -> anyhow::Result<()> {
        let Players { opponent, name, .. } = &mut self.players;
        let side = self.game.position().side_to_move();
        let plies = self.game.line().moves.len();
        self.game.step(|position, line, _| opponent.decide(position, line, None));
        if let Some(mv) = self.game.line().moves.get(plies) {
            print(&format!("{} plays {mv}{}\n", G::SIDES[side.index()], told(&self.game.comments()[plies])))?;
            return self.show_board();
        }
        match self.game.finish() {
            Some(Finish { end, failure: Some(detail) }) => {
                print(&format!("{name} cannot go on: {}: {detail}\n", end.reason))
            }
            _ => print(&format!("{name} resigns.\n")),
        }
    }

    fn announcement(&self, End { outcome, reason }: &End) -> String {
        match outcome {
            Outcome::Draw => format!("The game is drawn: {reason}.\n"),
            Outcome::Win(side) if *side == self.players.person => format!("You win: {reason}.\n"),
            Outcome::Win(side) => format!("{} wins: {reason}.\n", self.name_of(*side)),
        }
    }

    fn undo(&mut self) -> anyhow::Result<()> {
        match self.game.take_back(self.players.person) {
            0 => print("There is no move of yours to take back.\n"),
            count => {
                print(&format!("{} taken back.\n", counted(count, "move")))?;
                self.show_board()
            }
        }
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let Players { adviser, person, .. } = &self.players;
        let mut position = self.game.position().clone();
        let adviser = adviser.sit(Chance { seed: 1, game: 0 }, *person);
        let advice = adviser.and_then(|mut adviser| adviser.decide(&mut position, self.game.line(), None));
        match advice {
            Ok(Some(Decision { mv, comment, .. })) => {
                print(&format!("{mv}{}\n{}", told(&comment), self.words_after(mv)))
            }
            Ok(None) => print("Give the game up.\n"),
            Err(error) => print(&format!("No hint: {error}\n")),
        }
    }

    /// What speaks for and against the person after the move `mv`, in lines of their own.
    fn words_after(&self, mv: G::Move) -> String {
        let mut position = self.game.position().clone();
        position.play(mv);
        // An evaluator that finds no words is no reason to go without the move.
        let lines = eval::lines_of(&position, &self.players.reasoner, self.players.person).unwrap_or_default();
        self.source_of_hints().into_iter().chain(lines).map(|line| format!("  {line}\n")).collect()
    }

    /// Whose move and reasons a hint gives, where they are not the opponent's.
    fn source_of_hints(&self) -> Option<String> {
        let Players { name, adviser, reasoner, is_borrowed, .. } = &self.players;
        let whose = if adviser.name() == name { "reasons" } else { "move and reasons" };
        is_borrowed.then(|| format!("{whose} by {reasoner}, as {name} gives none"))
    }

    fn judge(&self, with_reasons: bool) -> anyhow::Result<()> {
        let judged = eval::text_of(self.game.position(), &self.players.evaluator, with_reasons);
        print(&judged.unwrap_or_else(|error| format!("{error:#}\n")))
    }

    fn resign(&mut self) -> anyhow::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        self.game.resign(self.players.person);
        self.advance()
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        Ok(write_games(path, [&self.record_of_game()], DEFAULT_LEVEL)?)
    }

    /// The game so far.
    fn record_of_game(&self) -> GameRecord<G> {
        let line = self.game.line();
        let mut record = GameRecord::new(line.start.clone());
        for side in [Side::First, Side::Second] {
            record.set_player(side, if side == self.players.person { PERSON } else { &self.players.name });
        }
        for (&mv, comment) in line.moves.iter().zip(self.game.comments()) {
            record.push(mv, Some(comment.clone()).filter(|comment| !comment.is_empty()));
        }
        let end = self.game.finish().map(|finish| finish.end);
        record.set_tag("Termination", end.map_or("unfinished", |end| end.reason));
        record.outcome = end.map(|end| end.outcome);
        record
    }

    fn try_to_save(&mut self, path: &Path) -> anyhow::Result<()> {
        match self.save_anew(path) {
            Ok(()) => print(&format!("Written to {}.\n", path.display())),
            Err(error) => print(&format!("{error:#}\n")),
        }
    }

    /// Saves the game to a file that is new, or of this talk.
    fn save_anew(&mut self, path: &Path) -> anyhow::Result<()> {
        check_ending(path, &PGN_ENDINGS)?;
        if !self.saved.iter().any(|saved| saved == path) {
            self.targets.check(&[path])?;
        }
        self.save(path)?;
        self.saved.push(path.to_owned());
        Ok(())
    }
}

/// What a player thought of its move, behind it.
fn told(comment: &str) -> String {
    if comment.is_empty() { String::new() } else { format!("  ({comment})") }
}

/// The legal moves, captures and the like first, in lines.
fn list_of_moves<G: Catalogue>(position: &G) -> String {
    let (mut noisy, mut quiet) = (Vec::new(), Vec::new());
    if position.end().is_none() {
        position.noisy_moves(&mut noisy);
        position.quiet_moves(&mut quiet);
    }
    let mut list = String::new();
    let mut width = 0;
    for word in noisy.iter().map(|mv| format!("{mv}!")).chain(quiet.iter().map(ToString::to_string)) {
        if width + word.len() >= COLUMNS {
            list.push('\n');
            width = 0;
        }
        list.push_str(if width == 0 { "" } else { " " });
        list.push_str(&word);
        width += word.len() + 1;
    }
    if list.is_empty() { "There are none.\n".to_owned() } else { list + "\n" }
}

/// A board, as [`Kit::diagram`](roughboard::game::Kit::diagram) draws it, seen from the other side: rows and points in the opposite order.
fn turned(board: &str) -> String {
    let mut rows: Vec<&str> = board.lines().collect();
    let columns = rows.pop().unwrap_or_default();
    let points = |text: &str| text.split_whitespace().rev().flat_map(|point| [" ", point]).collect::<String>();
    let row = |row: &&str| {
        let (label, rest) = row.trim_start().split_once(' ').unwrap_or((row, ""));
        format!("{label:>2}{}\n", points(rest))
    };
    rows.iter().rev().map(row).collect::<String>() + &format!("  {}\n", points(columns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use roughboard::game::{Game, Kit, Notation};
    use roughboard::games::connect6::Connect6;

    #[test]
    fn boards_are_turned() {
        let mut game = Connect6::of_size(6).unwrap();
        game.play(game.parse_move("b2").unwrap());
        let expected = " 1 . . . . . .\n 2 . . . . X .\n 3 . . . . . .\n 4 . . . . . .\n 5 . . . . . .\n 6 . . . . . .\n   f e d c b a\n";
        assert_eq!(turned(&game.diagram(Ranks::FromZero)), expected);
    }
}
