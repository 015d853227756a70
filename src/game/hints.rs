//! What a search may ask a game beyond its rules.

use super::{End, Game};

/// What a search asks a game beyond its rules: which moves matter, and what the game knows of its own positions.
///
/// Only the [slots](SearchHints::move_slot) of moves must be given; every other method has a default that is right for a game that
/// knows nothing better. Laws that every implementation keeps, and that `tests/it/game_laws.rs` checks:
/// * `quiet_moves` and `noisy_moves` together are the legal moves, and `quiet_checks` those quiet ones that give check;
/// * `undo` after a `pass` that was made restores every observable property;
/// * moves that can be legal in one position have different slots.
pub trait SearchHints: Game {
    /// The number of different values of [`SearchHints::move_slot`].
    const MOVE_SLOTS: usize;

    /// The most [`SearchHints::candidates`] that a search looks at in a position unless told otherwise; 0 for all legal moves.
    const SEARCH_WIDTH: u32 = 0;

    /// The positions that [`SearchHints::forced_win`] is given before a search unless told otherwise; 0 if it is not asked.
    const FORCED_WIN_NODES: u64 = 0;

    /// Whether a side may make several moves in a row.
    const TURNS_OF_SEVERAL: bool = false;

    /// Whether a position can occur again later in a game.
    const POSITIONS_RECUR: bool = true;

    /// A small number below [`SearchHints::MOVE_SLOTS`] that says which kind of move this is, for history tables.
    fn move_slot(mv: Self::Move) -> usize;

    /// The legal move with this [`SearchHints::move_slot`], if there is one.
    fn move_in_slot(&self, slot: usize) -> Option<Self::Move> {
        self.moves().into_iter().find(|&mv| Self::move_slot(mv) == slot)
    }

    /// Appends the legal moves that a quiescence search must look at: captures, in most games. None by default.
    fn noisy_moves(&self, _out: &mut Vec<Self::Move>) {}

    /// Appends the legal moves that are not among [`SearchHints::noisy_moves`].
    fn quiet_moves(&self, out: &mut Vec<Self::Move>) {
        let mut noisy = Vec::new();
        self.noisy_moves(&mut noisy);
        let start = out.len();
        self.legal_moves(out);
        let mut legal = out.split_off(start);
        legal.retain(|mv| !noisy.contains(mv));
        out.append(&mut legal);
    }

    /// Appends those of the [`SearchHints::quiet_moves`] that [give check](SearchHints::gives_check).
    fn quiet_checks(&self, out: &mut Vec<Self::Move>) {
        let mut quiet = Vec::new();
        self.quiet_moves(&mut quiet);
        quiet.retain(|&mv| self.gives_check(mv));
        out.append(&mut quiet);
    }

    /// How promising a noisy move looks before any search, larger first: victim before attacker. Zero for quiet moves.
    fn noise_of(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// How promising a quiet move looks before any search, larger first. Games that know nothing of it say 0.
    fn promise_of(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// Whether the side to move is forced to answer a threat (check), so that it cannot stand pat. Never by default.
    fn in_check(&self) -> bool {
        false
    }

    /// Whether the opponent is in check, as [`SearchHints::in_check`] means it, after the legal move `mv`.
    fn gives_check(&self, mv: Self::Move) -> bool {
        let mut after = self.clone();
        after.play(mv);
        after.in_check()
    }

    /// Static exchange evaluation: whether the exchange that the legal move `mv` begins on the point where it ends wins at
    /// least `least`, in a unit of the game's own, when both sides go on with their cheapest pieces as long as it pays.
    /// Games without exchanges say yes.
    fn see_at_least(&self, _mv: Self::Move, _least: i32) -> bool {
        true
    }

    /// Gives the turn to the opponent without a move, for the null-move heuristic, and says whether it did: never in check,
    /// and never in a game that knows no such thing. [`Game::undo`] takes it back.
    fn pass(&mut self) -> bool {
        false
    }

    /// Whether the side to move has so little that having to move may well hurt it (zugzwang).
    fn is_prone_to_zugzwang(&self) -> bool {
        false
    }

    /// Appends those legal moves that a search with a limited width looks at, most promising first and at most `width`. They
    /// depend on the position alone, and there is one wherever a move is legal. Games that know none better give the first
    /// of [`Game::legal_moves`].
    fn candidates(&self, width: usize, out: &mut Vec<Self::Move>) {
        let start = out.len();
        self.legal_moves(out);
        out.truncate(start + width.max(1));
    }

    /// A win of the side to move that a solver of the game's own proves within about `nodes` positions, and as long as `go_on`,
    /// asked now and then, says so: the moves of both sides up to the end, with defences that hold out longest. `None` says
    /// nothing.
    fn forced_win(&self, _nodes: u64, _go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Self::Move>> {
        None
    }

    /// The verdict that this position would get by repetition if play went on as it did since it last occurred, provided
    /// that this was at most `within` plies ago. A search takes it for the end: what was repeated once can be repeated again.
    fn cycle_end(&self, _within: usize) -> Option<End> {
        None
    }
}
