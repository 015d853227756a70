//! The checks that look at one record alone.

use super::title::outcome_in_title;
use super::{Cleaning, Step};
use crate::game::{Game, Notation, Outcome, Side};
use crate::record::account::{Flaw, Reason};
use crate::record::entry::{FileName, GameRecord};
use crate::record::result;

impl Cleaning {
    /// Checks a record that was read with [`Scrutiny::Moves`](crate::record::Scrutiny::Moves), and fills in its result where only
    /// the board or the title tells it.
    ///
    /// # Errors
    /// The first flaw, in the order of [`Step`]; last what [`GameSelection::check`](crate::record::GameSelection::check) finds.
    pub fn check<G: Notation>(&self, record: &mut GameRecord<G>) -> Result<(), Flaw> {
        self.unless_off(Step::Fragments, || self.is_whole(record))?;
        self.unless_off(Step::Computer, || self.is_human(record))?;
        let last = record.last_position();
        let titled = titled(record);
        if self.takes(Step::Fill) {
            let on_board = result::on_board(&last).map(|(outcome, _)| outcome);
            record.outcome = record.outcome.or(on_board).or(titled);
        }
        self.unless_off(Step::NoResult, || record.outcome.map(|_| ()).ok_or(Flaw::NoResult))?;
        self.unless_off(Step::AfterMoves, || result::agrees_after_moves(record))?;
        self.unless_off(Step::Title, || {
            titled.map_or(Ok(()), |outcome| result::agrees(record, outcome, Reason::ContradictingTitle, "in the title"))
        })?;
        self.unless_off(Step::Board, || result::agrees_with_board(record, &last))?;
        self.unless_off(Step::Short, || self.is_long_enough(record.moves.len()))?;
        self.selection.check(record)
    }

    fn unless_off(&self, step: Step, check: impl FnOnce() -> Result<(), Flaw>) -> Result<(), Flaw> {
        if self.takes(step) { check() } else { Ok(()) }
    }

    fn is_whole<G: Notation>(&self, record: &GameRecord<G>) -> Result<(), Flaw> {
        if record.start.key() != G::start().key() || !record.start.conditions().is_empty() {
            return unless_found(Reason::Fragment, Some(format!("start position `{}`", record.start.notation())));
        }
        let begins = |part: &str| self.fragment_folders.iter().any(|word| part.starts_with(word));
        let of_fragments = |folder: &&str| folder.split(['_', '-', ' ', '、']).any(begins);
        unless_found(Reason::Fragment, folder_of(record, of_fragments))
    }

    fn is_human<G: Notation>(&self, record: &GameRecord<G>) -> Result<(), Flaw> {
        let of_programs = |text: &&str| self.computer_words.iter().any(|word| text.contains(word));
        let tagged = || {
            let told = |name: &str| record.tag(name).filter(of_programs).map(|value| format!("{name} `{value}`"));
            ["Event", "Red", "Black", "White"].into_iter().find_map(told)
        };
        unless_found(Reason::Computer, folder_of(record, of_programs).or_else(tagged))
    }

    fn is_long_enough(&self, plies: usize) -> Result<(), Flaw> {
        match plies {
            0 => Err(Flaw::NoMoves),
            _ if plies >= self.min_plies => Ok(()),
            _ => Err(Flaw::Other(Reason::Short, format!("expected at least {} plies, found {plies}", self.min_plies))),
        }
    }
}

/// The result in the title.
fn titled<G: Notation>(record: &GameRecord<G>) -> Option<Outcome> {
    let player = |side| record.player(side).unwrap_or_default();
    let (title, black) = (record.tag("Event").unwrap_or_default(), result::black_side::<G>());
    outcome_in_title(title, [Side::First, Side::Second].map(player), black)
}

/// The flaw that something was found, if it was.
fn unless_found(reason: Reason, found: Option<String>) -> Result<(), Flaw> {
    found.map_or(Ok(()), |found| Err(Flaw::Other(reason, found)))
}

/// The first of the folders in which the file of a record lies, archives among them, that `is_one` picks. Those that lead to what was asked
/// for do not count.
fn folder_of<G: Game>(record: &GameRecord<G>, is_one: impl Fn(&&str) -> bool) -> Option<String> {
    let FileName { shown, asked } = &record.source.as_ref()?.file;
    let file = shown.get(*asked..)?;
    let folder = file.rfind(['/', '\\']).map_or("", |at| &file[..at]);
    folder.split(['/', '\\']).find(is_one).map(|folder| format!("folder `{folder}`"))
}
