//! Which positions of a game are kept, and what evaluators say of them.

use serde::{Deserialize, Serialize};

use super::PositionAccount;
use crate::eval::{Evaluator, skip_argument};
use crate::game::SearchHints;
use crate::record::GameRecord;
use crate::search::{AlphaBeta, Limits, Quiescence, SearchSettings, expected_result};

/// MiB of the table of the teacher's search, which is cleared for every game.
const TABLE_MB: usize = 1;

/// The positions kept of one game.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Judged {
    /// Their plies.
    pub plies: Vec<usize>,
    /// The teacher's values for the side that moves first, in [-1, 1]; empty if targets need none.
    pub values: Vec<f32>,
    /// What the skip term adds; empty if there is none.
    pub offsets: Vec<f32>,
    pub account: PositionAccount,
}

/// The evaluators of one thread.
pub(super) struct Judge<G: SearchHints> {
    pub skip_plies: usize,
    /// Says what is quiet, if only that is kept.
    pub filter: Option<Quiescence<G>>,
    /// Says what positions are worth, if targets need it.
    pub teacher: Option<TeacherValues<G>>,
    pub skip: Option<(Box<dyn Evaluator<G>>, f32)>,
}

/// How the teacher comes to its values.
pub(super) enum TeacherValues<G: SearchHints> {
    Quiescence(Box<Quiescence<G>>),
    Search(Box<AlphaBeta<G>>, Box<dyn Evaluator<G>>, Limits),
}

impl<G: SearchHints> TeacherValues<G> {
    pub fn new(evaluator: Box<dyn Evaluator<G>>, limits: Option<Limits>) -> Self {
        // With the width of its game: where every move can answer a threat, a search of all of them does not come to an end.
        let settings = SearchSettings { transposition_mb: TABLE_MB, ..SearchSettings::of_game::<G>() };
        match limits {
            None => Self::Quiescence(Box::new(Quiescence::new(evaluator))),
            Some(limits) => Self::Search(Box::new(AlphaBeta::new(settings)), evaluator, limits),
        }
    }

    /// Makes the values of the next game independent of those of the last.
    fn forget(&mut self) {
        if let Self::Search(search, ..) = self {
            search.clear();
        }
    }

    /// The value of `position` for the side that moves first, in [-1, 1].
    fn value(&mut self, position: &mut G) -> f32 {
        let expected = match self {
            Self::Quiescence(quiescence) => {
                let score = quiescence.value(position);
                expected_result(quiescence.evaluator(), score)
            }
            Self::Search(search, evaluator, limits) => {
                let score = search.search(position, &mut **evaluator, *limits).score;
                expected_result(&**evaluator, score)
            }
        };
        position.side_to_move().sign() as f32 * expected as f32
    }
}

impl<G: SearchHints> Judge<G> {
    /// Goes through the positions in which the moves of `record` were made.
    pub fn judge(&mut self, record: &GameRecord<G>) -> Judged {
        let opening = self.skip_plies.min(record.moves.len());
        let account = PositionAccount { seen: record.moves.len(), opening, ..PositionAccount::default() };
        let mut judged = Judged { account, ..Judged::default() };
        if self.filter.is_none() && self.teacher.is_none() && self.skip.is_none() {
            judged.plies = (opening..record.moves.len()).collect();
            return judged;
        }
        self.teacher.iter_mut().for_each(TeacherValues::forget);
        let mut position = record.start.clone();
        for (ply, &mv) in record.moves.iter().enumerate() {
            if ply >= opening && self.is_kept(&mut position, &mut judged.account) {
                self.note(&mut position, ply, &mut judged);
            }
            position.play(mv);
        }
        judged
    }

    /// Whether a position is quiet, if only such are kept; counts it if it is not.
    fn is_kept(&mut self, position: &mut G, account: &mut PositionAccount) -> bool {
        let Some(filter) = &mut self.filter else { return true };
        if position.in_check() {
            account.in_check += 1;
            return false;
        }
        let is_quiet = filter.value(position) == filter.static_value(position);
        account.not_quiet += usize::from(!is_quiet);
        is_quiet
    }

    /// Keeps the position of this ply.
    fn note(&mut self, position: &mut G, ply: usize, judged: &mut Judged) {
        judged.plies.push(ply);
        judged.values.extend(self.teacher.as_mut().map(|teacher| teacher.value(position)));
        let skip = self.skip.as_mut();
        judged.offsets.extend(skip.map(|(evaluator, scale)| *scale * skip_argument(&mut **evaluator, position)));
    }
}
