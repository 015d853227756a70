//! Settings and limits of a search.

use serde::{Deserialize, Serialize};

use crate::eval::MAX_EVAL;
use crate::game::Game;
use crate::settings::is_zero;

/// The largest depth, in plies, that a search accepts.
pub const MAX_DEPTH: u32 = 64;

/// The largest transposition table, in MiB.
pub const MAX_TABLE_MB: usize = 65_536;

/// The most candidate moves that a node can be limited to.
pub const MAX_WIDTH: u32 = 10_000;

/// The most positions that a game's own solver may be asked to look at.
pub const MAX_FORCED_WIN_NODES: u64 = 1_000_000_000;

/// The usual fixed step of MTD(f): S2 takes 150,000 where values reach 1,000,000,000, and ours reach 1,000,000.
pub const MTDF_STEP: u32 = 150;

/// A setting out of its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The depth is outside of `1..=MAX_DEPTH`.
    #[error("`depth` must be in [1, {MAX_DEPTH}], got {found}")]
    Depth {
        /// What was asked for.
        found: u32,
    },
    /// A limit of no nodes at all.
    #[error("`nodes` must be at least 1, got 0")]
    Nodes,
    /// A switch of [`SearchSettings::with_switches`] is none.
    #[error("search switch `{found}`: expected {expected}")]
    Switch {
        /// What was read.
        found: String,
        /// What belongs there.
        expected: String,
    },
    /// The step of MTD(f) is outside of `1..=MAX_EVAL`.
    #[error("`mtdf_step` must be in [1, {MAX_EVAL}], got {found}")]
    Step {
        /// What was asked for.
        found: u32,
    },
    /// More candidate moves than `MAX_WIDTH`.
    #[error("`width` must be in [0, {MAX_WIDTH}], got {found}")]
    Width {
        /// What was asked for.
        found: u32,
    },
    /// More positions than `MAX_FORCED_WIN_NODES`.
    #[error("`forced_win_nodes` must be in [0, {MAX_FORCED_WIN_NODES}], got {found}")]
    ForcedWinNodes {
        /// What was asked for.
        found: u64,
    },
    /// The transposition table is larger than `MAX_TABLE_MB`.
    #[error("`transposition_mb` must be in [0, {MAX_TABLE_MB}], got {found}")]
    Table {
        /// What was asked for, in MiB.
        found: usize,
    },
}

/// How far one search may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    depth: u32,
    nodes: Option<u64>,
}

impl Limits {
    /// A search of `depth` plies, whatever it costs.
    ///
    /// # Errors
    /// [`SettingsError::Depth`] when `depth` is outside of `1..=MAX_DEPTH`.
    pub fn to_depth(depth: u32) -> Result<Self, SettingsError> {
        if (1..=MAX_DEPTH).contains(&depth) {
            Ok(Self { depth, nodes: None })
        } else {
            Err(SettingsError::Depth { found: depth })
        }
    }

    /// The same limits, and at most `nodes` positions. The first iteration is always finished, so that there is a move.
    ///
    /// # Errors
    /// [`SettingsError::Nodes`] when `nodes` is 0.
    pub fn and_nodes(self, nodes: u64) -> Result<Self, SettingsError> {
        if nodes == 0 { Err(SettingsError::Nodes) } else { Ok(Self { nodes: Some(nodes), ..self }) }
    }

    /// The depth, in plies, at which iterative deepening ends.
    pub const fn depth(self) -> u32 {
        self.depth
    }

    /// The number of positions after which the search stops, if there is one.
    pub const fn nodes(self) -> Option<u64> {
        self.nodes
    }
}

/// What a search does where its depth ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// Takes the evaluator's word.
    Static,
    /// Plays noisy moves on, and every answer to a threat, until the position is quiet.
    Quiescence {
        /// After this many plies the evaluator's word is taken after all.
        plies: u32,
    },
}

/// How the value of the root is closed in on, iteration by iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Driver {
    /// One window a depth, of full width or around the last value ([`SearchSettings::aspiration`]).
    AlphaBeta,
    /// MTD(f) with step 0 (S2 §1.3): null windows next to the last bound found.
    MtdfZero,
    /// MTD(f) with a fixed step (S2 §2.2): null windows [`SearchSettings::mtdf_step`] beyond the last bound.
    MtdfFixed,
    /// MTD(f) with the adaptive step of S2 §2.2: the best value of the last iteration, without its sign.
    MtdfAdaptive,
}

/// Which parts of the search are on.
///
/// The first group only saves nodes: with it the root has minimax's value whatever is on or off. The second group looks
/// further where it matters and less far where it hardly does, so values differ from minimax at equal depth. With a
/// [`SearchSettings::width`] the first group leaves the root with the value of [`minimax_of_width`](super::minimax_of_width).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSettings {
    /// How the root's value is found.
    pub driver: Driver,
    /// The step of [`Driver::MtdfFixed`] in the evaluator's unit, in [1, 1000000].
    pub mtdf_step: u32,
    /// Size of the transposition table in MiB, at most [`MAX_TABLE_MB`]; 0 for none.
    pub transposition_mb: usize,
    /// Principal variation search: later moves are first searched with a null window.
    pub principal_variation: bool,
    /// Begin each iteration with a narrow window around the last one's value.
    pub aspiration: bool,
    /// Cut off where a forced end nearer to the root is known already.
    pub mate_distance: bool,
    /// Try the move that the table remembers first.
    pub table_move_first: bool,
    /// Try noisy moves before quiet ones, the noisiest first.
    pub noisy_first: bool,
    /// Try quiet moves that refuted a sibling before other quiet moves.
    pub killers: bool,
    /// Try the quiet move that last refuted the opponent's move early.
    pub countermoves: bool,
    /// Order quiet moves by how often they refuted anything.
    pub history: bool,
    /// The most moves that a node looks at, its [`Game::candidates`], at most
    /// [`MAX_WIDTH`]; 0 for all legal moves.
    #[serde(skip_serializing_if = "is_zero")]
    pub width: u32,
    /// About how many positions the game's own solver ([`Game::forced_win`]) may look at, at
    /// most [`MAX_FORCED_WIN_NODES`], before the search begins: a win that it proves is played at once. 0 for no solver.
    #[serde(skip_serializing_if = "is_zero")]
    pub forced_win_nodes: u64,
    /// Whether leaves are searched on until they are quiet.
    pub quiescence: bool,
    /// After how many plies quiescence falls back to the static value.
    pub quiescence_plies: u32,
    /// Quiescence tries quiet moves that give check at its first ply.
    pub quiescence_checks: bool,
    /// Static exchange evaluation: captures that lose material come last, and not at all in quiescence.
    pub exchanges: bool,
    /// Whether an entry of a deeper search than needed may cut off.
    pub deeper_entries: bool,
    /// Take a position that occurred before in the tree for the end that its repetition would bring.
    pub cycles: bool,
    /// Cut off where even passing the turn is good enough, verified by a shallow search where zugzwang threatens.
    pub null_move: bool,
    /// Search late quiet moves less deep.
    pub late_move_reductions: bool,
    /// Leave out the latest quiet moves next to the leaves.
    pub late_move_pruning: bool,
    /// Cut off, or leave out quiet moves, next to the leaves where the static value is far outside the window.
    pub futility: bool,
    /// Search one ply deeper after a check.
    pub check_extensions: bool,
    /// Search one ply less deep where no best move is known yet (internal iterative reduction).
    pub internal_reductions: bool,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            transposition_mb: 8,
            quiescence: true,
            quiescence_plies: 32,
            quiescence_checks: true,
            exchanges: true,
            deeper_entries: true,
            cycles: true,
            null_move: true,
            late_move_reductions: true,
            late_move_pruning: true,
            futility: true,
            check_extensions: true,
            internal_reductions: true,
            ..Self::exact()
        }
    }
}

impl SearchSettings {
    /// Checks the settings that have a range.
    ///
    /// # Errors
    /// [`SettingsError::Table`] when the transposition table is larger than [`MAX_TABLE_MB`], [`SettingsError::Step`] when
    /// the step is out of range, [`SettingsError::Width`] and [`SettingsError::ForcedWinNodes`] when those are.
    pub const fn check(&self) -> Result<(), SettingsError> {
        if self.transposition_mb > MAX_TABLE_MB {
            return Err(SettingsError::Table { found: self.transposition_mb });
        }
        if self.mtdf_step == 0 || self.mtdf_step > MAX_EVAL as u32 {
            return Err(SettingsError::Step { found: self.mtdf_step });
        }
        if self.width > MAX_WIDTH {
            return Err(SettingsError::Width { found: self.width });
        }
        if self.forced_win_nodes > MAX_FORCED_WIN_NODES {
            return Err(SettingsError::ForcedWinNodes { found: self.forced_win_nodes });
        }
        Ok(())
    }

    /// The usual settings of a search of `G`: the default ones with the width and the solver that the game recommends. Where a
    /// width is usual, quiet checks are too many to try in quiescence.
    #[must_use]
    pub fn of_game<G: Game>() -> Self {
        Self {
            width: G::SEARCH_WIDTH,
            forced_win_nodes: G::FORCED_WIN_NODES,
            quiescence_checks: G::SEARCH_WIDTH == 0,
            ..Self::default()
        }
    }

    /// What happens at the leaves.
    pub const fn leaf(&self) -> Leaf {
        if self.quiescence { Leaf::Quiescence { plies: self.quiescence_plies } } else { Leaf::Static }
    }

    /// Whether moves may be left out, or seen less deep than others, so that a forced end can be missed within the depth.
    pub(crate) const fn is_selective(&self) -> bool {
        self.null_move
            || self.late_move_reductions
            || self.late_move_pruning
            || self.futility
            || self.internal_reductions
            || self.width > 0
    }

    /// All that saves nodes and leaves the root with minimax's value; leaves are static.
    #[must_use]
    pub const fn exact() -> Self {
        Self {
            transposition_mb: 8,
            principal_variation: true,
            aspiration: true,
            mate_distance: true,
            table_move_first: true,
            noisy_first: true,
            killers: true,
            countermoves: true,
            history: true,
            ..Self::bare()
        }
    }

    /// The bare alpha-beta search: no table, no quiescence, moves in the order in which they are generated.
    #[must_use]
    pub const fn bare() -> Self {
        Self {
            driver: Driver::AlphaBeta,
            mtdf_step: MTDF_STEP,
            transposition_mb: 0,
            principal_variation: false,
            aspiration: false,
            mate_distance: false,
            table_move_first: false,
            noisy_first: false,
            killers: false,
            countermoves: false,
            history: false,
            width: 0,
            forced_win_nodes: 0,
            quiescence: false,
            quiescence_plies: 0,
            quiescence_checks: false,
            exchanges: false,
            deeper_entries: false,
            cycles: false,
            null_move: false,
            late_move_reductions: false,
            late_move_pruning: false,
            futility: false,
            check_extensions: false,
            internal_reductions: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_checked_once() {
        assert_eq!(Limits::to_depth(0).unwrap_err().to_string(), "`depth` must be in [1, 64], got 0");
        assert!(Limits::to_depth(MAX_DEPTH + 1).is_err());
        let limits = Limits::to_depth(3).unwrap();
        assert_eq!(limits.and_nodes(0), Err(SettingsError::Nodes));
        assert_eq!(limits.and_nodes(7).map(Limits::nodes), Ok(Some(7)));
    }
    #[test]
    fn tables_have_a_largest_size() {
        let with = |transposition_mb| SearchSettings { transposition_mb, ..SearchSettings::default() }.check();
        assert_eq!((with(0), with(MAX_TABLE_MB)), (Ok(()), Ok(())));
        assert_eq!(
            with(MAX_TABLE_MB + 1).unwrap_err().to_string(),
            "`transposition_mb` must be in [0, 65536], got 65537"
        );
    }

    #[test]
    fn width_and_solver_have_limits() {
        let wide = SearchSettings { width: MAX_WIDTH + 1, ..SearchSettings::default() };
        assert_eq!(wide.check().unwrap_err().to_string(), "`width` must be in [0, 10000], got 10001");
        let patient = SearchSettings { forced_win_nodes: MAX_FORCED_WIN_NODES + 1, ..SearchSettings::default() };
        assert!(patient.check().unwrap_err().to_string().contains("`forced_win_nodes` must be in [0, 1000000000]"));
    }
}
