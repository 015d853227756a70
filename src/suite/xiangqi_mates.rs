//! Forced wins in Xiangqi: drawn from the ends of games, proved by [`MateSearch`], found again by the playing search.

mod collect;

pub use collect::{Collected, Quota, collect};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entry::{ContentError, Entry, read_list};
use super::{Document, Report, Settings};
use crate::eval::xiangqi::Traditional;
use crate::game::{Game, Notation};
use crate::games::xiangqi::Xiangqi;
use crate::search::{AlphaBeta, ForcedWin, Limits, MateSearch, SearchSettings, mate_distance};

/// The longest win, in moves of the winner, that a suite may state: a proof takes some fortyfold with each.
pub const MOST_MOVES: u32 = 5;

/// Plies that the playing search may look beyond the end of the shortest win: it passes over what looks worse than what it has.
const MARGIN: u32 = 10;

/// A position in which the side to move can force a win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mate {
    /// The name that failures are reported under.
    pub id: String,
    /// The position.
    pub fen: String,
    /// How many moves of the winner's own the shortest forced win takes, from 1 to [`MOST_MOVES`].
    pub mate_in: u32,
    /// Every first move that forces the win in so many moves, in ICCS, sorted.
    pub best: Vec<String>,
    /// Where the position comes from.
    #[serde(default)]
    pub source: String,
}

/// A whole document.
#[derive(Debug, Clone, Serialize)]
pub struct MateSuite {
    /// The game, as formats tell documents apart by it.
    pub game: &'static str,
    /// What the positions are.
    pub note: String,
    /// The positions.
    pub positions: Vec<Mate>,
}

/// Whether the document is a list of positions that tell a `mate_in`.
pub(super) fn matches(document: &Value) -> bool {
    let tells = |positions: &Vec<Value>| positions.first().is_some_and(|first| first.get("mate_in").is_some());
    document["positions"].as_array().is_some_and(tells) && document["game"] == Xiangqi::NAME
}

/// Checks three facts of every position: how long the shortest forced win is, which first moves force it, both proved by
/// trying every move; and that the playing search, with its default settings, announces that shortest win at a depth of
/// twice its moves and a margin more, by a move that forces it.
///
/// # Errors
/// When a position is not stated properly: nothing is counted before all are read.
pub(super) fn check(document: Document<'_>, settings: Settings<'_>, report: &mut Report) -> Result<(), ContentError> {
    let entries = read_list(document.content, "positions", read)?;
    settings.observer.begin("forced wins", entries.len() as u64);
    let checked = entries.par_iter().map(|entry| {
        let mut report = Report::default();
        entry.check(&mut report);
        settings.observer.advance(1);
        report
    });
    checked.collect::<Vec<_>>().into_iter().for_each(|part| report.append(part));
    settings.observer.end();
    Ok(())
}

fn read(entry: Entry<'_>) -> Result<Mate, ContentError> {
    let broken = |source| ContentError::because(format!("{} is not a forced win", entry.name), source);
    let mate = Mate::deserialize(entry.value).map_err(broken)?;
    if (1..=MOST_MOVES).contains(&mate.mate_in) {
        return Ok(mate);
    }
    let Mate { id, mate_in, .. } = mate;
    Err(ContentError::new(format!("position `{id}`: `mate_in` must be in [1, {MOST_MOVES}], got {mate_in}")))
}

impl Mate {
    fn check(&self, report: &mut Report) {
        let mut position = match Xiangqi::from_notation(&self.fen) {
            Ok(position) => position,
            Err(error) => return report.fail(self.id.as_str(), "a position", error.to_string()),
        };
        let (moves, best) = proved(&mut position, self.mate_in);
        report.expect(|| format!("{}, moves to the win", self.id), &Some(self.mate_in), &moves);
        report.expect(|| format!("{}, moves that force it", self.id), &self.best, &best);
        match unconfirmed(&mut position, self.mate_in) {
            None => report.pass(),
            Some(found) => {
                let what = format!("{}, playing search", self.id);
                report.fail(what, "the shortest win, by a move that forces it", found);
            }
        }
    }
}

/// The shortest win of at most `most` moves, and the moves that force it.
fn proved(position: &mut Xiangqi, most: u32) -> (Option<u32>, Vec<String>) {
    match MateSearch::default().forced_win(position, most) {
        Some(ForcedWin { moves, best }) => (Some(moves), names(&best)),
        None => (None, Vec::new()),
    }
}

/// What the playing search finds in a position with a forced win, unless it is a shortest win that its move does force.
fn unconfirmed(position: &mut Xiangqi, mate_in: u32) -> Option<String> {
    let limits = Limits::to_depth(2 * mate_in + MARGIN).ok()?;
    let found = AlphaBeta::new(SearchSettings::default()).search(position, &mut Traditional::default(), limits);
    let plies = mate_distance(found.score).and_then(|plies| u32::try_from(plies).ok());
    let (Some(plies), Some(mv)) = (plies, found.best) else { return Some("no win".to_owned()) };
    let is_forced = plies.div_ceil(2) == mate_in && MateSearch::default().forces(position, mv, mate_in);
    (!is_forced).then(|| format!("a win in {plies} plies by {mv}"))
}

fn names<M: Copy + Ord + ToString>(moves: &[M]) -> Vec<String> {
    let mut sorted = moves.to_vec();
    sorted.sort_unstable();
    sorted.iter().map(M::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::checked;
    use serde_json::json;

    const FEN: &str = "3k5/R8/9/1R7/9/9/8p/9/9/4K4 w";

    fn suite(entry: &Value) -> Value {
        json!({"game": "xiangqi", "positions": [entry]})
    }

    #[test]
    fn a_true_position_has_three_facts_and_a_false_one_fails() {
        let right = suite(&json!({"id": "two rooks", "fen": FEN, "mate_in": 1, "best": ["b6d6", "b6b9"]}));
        assert!(matches(&right));
        let report = checked(check, &right).unwrap();
        assert_eq!((report.checked, report.failures), (3, vec![]));
        let wrong = suite(&json!({"id": "two rooks", "fen": FEN, "mate_in": 2, "best": ["b6b9"]}));
        let report = checked(check, &wrong).unwrap();
        assert_eq!(
            (report.checked, report.failures.len()),
            (3, 3),
            "the length, the moves, and what the search says of it"
        );
    }

    #[test]
    fn documents_that_state_no_wins_are_refused() {
        let error = |entry: Value| checked(check, &suite(&entry)).unwrap_err().to_string();
        assert_eq!(error(json!({"id": "x", "mate_in": 1})), "positions[0] is not a forced win");
        let far = json!({"id": "x", "fen": FEN, "mate_in": 6, "best": []});
        assert_eq!(error(far), "position `x`: `mate_in` must be in [1, 5], got 6");
    }
}
